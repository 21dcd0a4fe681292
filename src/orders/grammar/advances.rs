//! Orders of phase 12.

use super::cards::{self, LONGEST_LIST};
use crate::game::Command;
use crate::game::command::Payment;
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault, Named};
use crate::orders::vocabulary::Word;
use crate::rules::{Advance, Group};

/// `Pottery, Agriculture paying 3 salt, 12 treasury`, `Library, Law with Library for Law`, behind `acquire`.
pub(crate) fn acquire(cursor: &mut Cursor) -> Result<Command, Fault> {
    let mut advances = advances(cursor)?;
    let (mut payment, mut library_for, mut free, mut credits) = (None, None, None, Vec::new());
    if advances.len() > 1 && cursor.takes(Word::Free) {
        free = advances.pop();
    }
    loop {
        cursor.skip_joints();
        if cursor.takes(Word::Paying) || cursor.takes(Word::For) {
            pay(cursor, &mut payment)?;
        } else if cursor.takes(Word::With) {
            cursor.takes(Word::Filler);
            if cursor.takes(Word::Credits) {
                credits.extend(chosen(cursor)?);
            } else {
                match gift(cursor)? {
                    Some(Gift::Cheaper(advance)) => library_for = Some(advance),
                    Some(Gift::Free(advance)) => free = Some(advance),
                    None => pay(cursor, &mut payment)?,
                }
            }
        } else if cursor.takes(Word::Credits) {
            credits.extend(chosen(cursor)?);
        } else {
            return Ok(Command::Acquire { advances, payment, library_for, free, credits });
        }
    }
}

/// `gold, gold`, `nothing`, behind `keep`.
pub(crate) fn keep(cursor: &mut Cursor) -> Result<Command, Fault> {
    cursor.skip_joints();
    let cards = if cursor.takes(Word::Nothing) { Vec::new() } else { cards::own_cards(cursor)? };
    Ok(Command::Keep { cards })
}

/// `Pottery for 3 salt`, without a verb: an order if all of it can be read. Where only advances are named, the verb is
/// missing, and the player is asked.
pub(crate) fn named(cursor: &mut Cursor) -> Option<Result<Command, Fault>> {
    let start = cursor.place();
    if !cursor.sees_full_advance() {
        return None;
    }
    let acquired = acquire(cursor).and_then(|command| cursor.end().map(|()| command));
    match acquired {
        Ok(Command::Acquire { payment: None, .. }) if cursor.is_sure && !cursor.is_question() => {
            cursor.back_to(start);
            let place = cursor.fault(Expected::Order).span.start;
            let candidates = vec![Named::Verb(Word::Acquire)];
            Some(Err(Fault { span: place..place, expected: Expected::Order, candidates }))
        }
        Ok(command) if cursor.is_sure && !cursor.is_question() => Some(Ok(command)),
        Ok(_) | Err(_) => {
            cursor.back_to(start);
            cursor.forget();
            None
        }
    }
}

/// Several advances, up to a word that says how they are paid for.
fn advances(cursor: &mut Cursor) -> Result<Vec<Advance>, Fault> {
    let mut advances = vec![cursor.advance(Expected::Advance)?];
    loop {
        cursor.skip_joints();
        let ends = [Word::Paying, Word::For, Word::With, Word::Free].into_iter().any(|word| cursor.sees(word));
        if ends || cursor.is_listed() {
            return Ok(advances);
        }
        advances.push(cursor.advance(Expected::Advance)?);
    }
}

/// What another advance of the transaction does. R12.9.
enum Gift {
    /// Library makes this one cheaper.
    Cheaper(Advance),
    /// Anatomy gives this one free.
    Free(Advance),
}

/// `Library for Law`, `Empiricism free`; none if something else stands there.
fn gift(cursor: &mut Cursor) -> Result<Option<Gift>, Fault> {
    let (start, known) = (cursor.place(), cursor.read_as.len());
    if let Ok(advance) = cursor.advance(Expected::Advance) {
        if cursor.takes(Word::Free) {
            return Ok(Some(Gift::Free(advance)));
        }
        if advance == Advance::Library && (cursor.takes(Word::For) || cursor.takes(Word::To) || cursor.takes(Word::In))
        {
            return Ok(Some(Gift::Cheaper(cursor.advance(Expected::Advance)?)));
        }
    }
    cursor.back_to(start);
    cursor.read_as.truncate(known);
    Ok(None)
}

/// `3 salt, 2 iron, 12 treasury`, `wine as salt`: adds to what is paid already.
fn pay(cursor: &mut Cursor, payment: &mut Option<Payment>) -> Result<(), Fault> {
    let payment = payment.get_or_insert_default();
    cursor.skip_joints();
    if cursor.takes(Word::Nothing) {
        return Ok(());
    }
    loop {
        cursor.skip(&[Word::Filler, Word::With]);
        // Too many cards would be refused: how many the player holds, their own hand says.
        if cursor.sees(Word::All) {
            every_card(cursor, payment)?;
            cursor.skip_joints();
            let ends = [Word::Paying, Word::With].into_iter().any(|word| cursor.sees(word));
            if ends || cursor.is_listed() {
                return Ok(());
            }
            continue;
        }
        let count = cursor.takes_amount();
        cursor.skip(&[Word::Times, Word::Filler, Word::From]);
        if cursor.sees(Word::Treasury) || count.is_some() && cursor.sees(Word::Token) {
            cursor.skip(&[Word::Token, Word::From, Word::Treasury, Word::Filler]);
            let amount = count.or_else(|| cursor.takes_number()).ok_or_else(|| cursor.fault(Expected::Number))?;
            payment.treasury = payment.treasury.saturating_add(amount);
        } else {
            pay_card(cursor, payment, count)?;
        }
        cursor.skip_joints();
        let ends = [Word::Paying, Word::With].into_iter().any(|word| cursor.sees(word));
        if ends || cursor.is_listed() {
            return Ok(());
        }
    }
}

/// `all papyri`, `all my papyri`.
fn every_card(cursor: &mut Cursor, payment: &mut Payment) -> Result<(), Fault> {
    let here = cursor.fault(Expected::Number);
    let bearings = cursor.bearings.ok_or_else(|| here.clone())?;
    cursor.takes(Word::All);
    cursor.skip(&[Word::Filler, Word::Card]);
    let card = cursor.card()?;
    match bearings.held(card) {
        0 => Err(here),
        held => {
            payment.cards.extend(std::iter::repeat_n(card, usize::from(held)));
            Ok(())
        }
    }
}

/// `salt`, `wine as salt`. One card may stand in for another. R12.10.
fn pay_card(cursor: &mut Cursor, payment: &mut Payment, count: Option<u16>) -> Result<(), Fault> {
    cursor.skip(&[Word::Card, Word::Filler]);
    let card = cursor.card()?;
    let second = cursor.fault(Expected::EndOfOrder);
    if cursor.takes(Word::As) {
        if payment.stands_in.is_some() || count.is_some_and(|count| count != 1) {
            return Err(second);
        }
        payment.stands_in = Some((card, cursor.card()?));
        return Ok(());
    }
    let count = count.or_else(|| cursor.takes_times()).unwrap_or(1);
    cursor.takes(Word::Card);
    let room = LONGEST_LIST.saturating_sub(payment.cards.len());
    payment.cards.extend(std::iter::repeat_n(card, usize::from(count).min(room)));
    Ok(())
}

/// `10 arts 10 science`, `arts 10`, behind `credits`.
fn chosen(cursor: &mut Cursor) -> Result<Vec<(Group, u16)>, Fault> {
    let mut credits = Vec::new();
    loop {
        cursor.skip_joints();
        let first = cursor.takes_number();
        cursor.skip(&[Word::Point, Word::Filler, Word::In, Word::For]);
        let Some(group) = cursor.takes_group() else {
            let is_over = first.is_none() && !credits.is_empty();
            return if is_over { Ok(credits) } else { Err(cursor.fault(Expected::Group)) };
        };
        let points = first.or_else(|| cursor.takes_number()).ok_or_else(|| cursor.fault(Expected::Number))?;
        cursor.takes(Word::Point);
        credits.push((group, points));
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{card, fault, is_remark, reads};
    use super::*;

    fn acquires(advances: &[Advance]) -> Command {
        let advances = advances.to_vec();
        Command::Acquire { advances, payment: None, library_for: None, free: None, credits: Vec::new() }
    }

    fn paying(advances: &[Advance], payment: Payment) -> Command {
        let advances = advances.to_vec();
        Command::Acquire { advances, payment: Some(payment), library_for: None, free: None, credits: Vec::new() }
    }

    #[test]
    fn advances_are_listed() {
        let two = acquires(&[Advance::Pottery, Advance::Agriculture]);
        for line in
            ["acquire Pottery, Agriculture", "nabywam Garncarstwo i Rolnictwo", "learn Pottery and Agriculture, please"]
        {
            assert_eq!(reads(line), two, "{line}");
        }
        assert_eq!(reads("get Drama and Poetry"), acquires(&[Advance::DramaAndPoetry]));
        assert_eq!(reads("nabywam Dramat i poezję, Prawo"), acquires(&[Advance::DramaAndPoetry, Advance::Law]));
        assert_eq!(reads("research Law"), acquires(&[Advance::Law]));
        assert!(is_remark("Get well soon!"));
        assert_eq!(fault("acquire Xyzzyplugh").expected, Expected::Advance);
    }

    #[test]
    fn cards_and_treasury_are_paid() {
        let salt = card("Salt");
        let payment = Payment { cards: vec![salt, salt, salt, card("Iron")], treasury: 12, stands_in: None };
        for line in [
            "acquire Pottery paying 3 salt, iron, 12 treasury",
            "nabywam Garncarstwo płacąc 3 sól, żelazo, 12 skarbca",
            "acquire Pottery for 3 salt and 1 iron and 12 tokens from treasury",
            "acquire Pottery with 3 salt, iron, treasury 12",
        ] {
            assert_eq!(reads(line), paying(&[Advance::Pottery], payment.clone()), "{line}");
        }
        let stands_in = Payment { cards: vec![salt; 3], treasury: 0, stands_in: Some((card("Wine"), salt)) };
        for line in ["acquire Law paying 3 salt, wine as salt", "nabywam Prawo płacąc 3 sól, wino jako sól"] {
            assert_eq!(reads(line), paying(&[Advance::Law], stands_in.clone()), "{line}");
        }
        assert_eq!(fault("acquire Law paying 3 salt, wine as salt, tin as salt").expected, Expected::EndOfOrder);
        assert_eq!(fault("acquire Law paying Pottery").expected, Expected::Card);
    }

    #[test]
    fn other_advances_help() {
        let library = Command::Acquire {
            advances: vec![Advance::Library, Advance::Law],
            payment: Some(Payment { treasury: 5, ..Payment::default() }),
            library_for: Some(Advance::Law),
            free: None,
            credits: Vec::new(),
        };
        for line in [
            "acquire Library, Law with Library for Law paying 5 treasury",
            "acquire Library, Law paying 5 treasury with Library for Law",
            "nabywam Bibliotekę, Prawo z Biblioteką za Prawo płacąc 5 skarbca",
            "nabywam Bibliotekę, Prawo z Biblioteką dla Prawa, płacąc 5 skarbca",
        ] {
            assert_eq!(reads(line), library, "{line}");
        }
        let anatomy = Command::Acquire {
            advances: vec![Advance::Anatomy],
            payment: None,
            library_for: None,
            free: Some(Advance::Empiricism),
            credits: Vec::new(),
        };
        for line in [
            "acquire Anatomy with Empiricism free",
            "nabywam Anatomię z Empiryzmem za darmo",
            "acquire Anatomy, Empiricism for free",
        ] {
            assert_eq!(reads(line), anatomy, "{line}");
        }
    }

    #[test]
    fn credits_are_chosen() {
        let monument = Command::Acquire {
            advances: vec![Advance::Monument],
            payment: None,
            library_for: None,
            free: None,
            credits: vec![(Group::Arts, 10), (Group::Science, 10)],
        };
        for line in [
            "acquire Monument with credits 10 arts 10 science",
            "nabywam Pomnik ze zniżkami 10 sztuka 10 nauka",
            "nabywam Pomnik ze zniżkami: sztuka 10, nauka 10",
            "acquire Monument with credits blue 10 and green 10",
        ] {
            assert_eq!(reads(line), monument, "{line}");
        }
        assert_eq!(fault("acquire Monument with credits 10 salt").expected, Expected::Group);
    }

    #[test]
    fn cards_are_kept() {
        let gold = Command::Keep { cards: vec![card("Gold"), card("Gold")] };
        for line in ["keep gold, gold", "zatrzymuję złoto, złoto", "keep 2 gold"] {
            assert_eq!(reads(line), gold, "{line}");
        }
        assert_eq!(reads("keep nothing"), Command::Keep { cards: Vec::new() });
    }
}
