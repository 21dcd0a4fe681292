//! Orders of phase 10.

use super::cards;
use crate::game::Command;
use crate::game::command::Ability;
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault};
use crate::orders::vocabulary::Word;
use crate::rules::{Advance, AreaId};

/// Politics gives so much treasury where no number is written.
const TREASURY: u16 = 5;

/// `Monotheism on Sidon`, `Politics for 5 treasury`, `nothing`, behind `use`.
pub(crate) fn using(cursor: &mut Cursor) -> Result<Command, Fault> {
    cursor.takes(Word::Filler);
    if cursor.takes(Word::Nothing) {
        return Ok(Command::Use { ability: None });
    }
    let start = cursor.place();
    let advance = cursor.advance(Expected::Ability)?;
    cursor.skip_joints();
    let ability = match advance {
        Advance::Diaspora => Ability::Diaspora(resettled(cursor)?),
        Advance::Fundamentalism => Ability::Fundamentalism(areas(cursor)?),
        Advance::Monotheism => Ability::Monotheism(areas(cursor)?),
        Advance::Politics => politics(cursor)?,
        Advance::ProvincialEmpire => {
            to_target(cursor);
            Ability::ProvincialEmpire(list(cursor, |cursor| cursor.civ(Expected::Civilization))?)
        }
        Advance::TradeRoutes => {
            cursor.skip(&[Word::With, Word::For, Word::To, Word::Filler]);
            Ability::TradeRoutes(cards::cards(cursor)?)
        }
        Advance::UniversalDoctrine => {
            to_target(cursor);
            Ability::UniversalDoctrine(list(cursor, black)?)
        }
        _ => {
            cursor.back_to(start);
            return Err(cursor.fault(Expected::Ability));
        }
    };
    Ok(Command::Use { ability: Some(ability) })
}

/// `Monotheism on Sidon`, `Diaspora: 3 from Crete to Thera`: an order if all of it can be read.
pub(crate) fn named(cursor: &mut Cursor) -> Option<Command> {
    if !cursor.sees_full_advance() {
        return None;
    }
    let start = cursor.place();
    let used = using(cursor).and_then(|command| cursor.end().map(|()| command));
    match used {
        Ok(command @ Command::Use { ability: Some(_) }) if cursor.is_sure => Some(command),
        _ => {
            cursor.back_to(start);
            cursor.forget();
            None
        }
    }
}

/// `salt`, `salt, iron`, behind `give`; `give Egypt salt for iron` is an offer.
pub(crate) fn give(cursor: &mut Cursor) -> Result<Command, Fault> {
    cursor.skip_joints();
    let start = cursor.place();
    cursor.skip(&[Word::To]);
    if cursor.sees_full_civ() || cursor.sees(Word::All) && cursor.has_anywhere(|rest| Word::For.at(rest).is_some()) {
        cursor.back_to(start);
        return cards::offer(cursor);
    }
    let known = cursor.read_as.len();
    let cards = cards::own_cards(cursor)?;
    if cursor.sees(Word::To) || cursor.sees(Word::For) {
        cursor.back_to(start);
        cursor.read_as.truncate(known);
        return cards::offer(cursor);
    }
    Ok(Command::Give { cards })
}

/// `on`, `against`, `na`.
fn to_target(cursor: &mut Cursor) {
    cursor.skip(&[Word::In, Word::To, Word::Against, Word::Filler]);
}

fn areas(cursor: &mut Cursor) -> Result<Vec<AreaId>, Fault> {
    to_target(cursor);
    cursor.areas()
}

/// `for 5 treasury`, `on Sidon, Tyre`.
fn politics(cursor: &mut Cursor) -> Result<Ability, Fault> {
    cursor.skip(&[Word::For, Word::With, Word::In, Word::To, Word::Against, Word::Filler]);
    let amount = cursor.takes_number();
    if amount.is_none() && !cursor.sees(Word::Treasury) {
        return Ok(Ability::PoliticsAnnex(cursor.areas()?));
    }
    cursor.skip(&[Word::Token, Word::From, Word::To, Word::Filler, Word::Treasury, Word::Gold]);
    Ok(Ability::PoliticsTreasury(amount.unwrap_or(TREASURY)))
}

/// `3 from Crete to Thera, 2 from Argos to Sparta`.
fn resettled(cursor: &mut Cursor) -> Result<Vec<(u16, AreaId, AreaId)>, Fault> {
    cursor.skip(&[Word::With, Word::For, Word::Filler]);
    list(cursor, |cursor| {
        cursor.skip(&[Word::Move, Word::Filler]);
        let count = cursor.takes_amount().ok_or_else(|| cursor.fault(Expected::NumberOfTokens))?;
        cursor.skip(&[Word::Filler, Word::Token, Word::From, Word::In]);
        let from = cursor.area()?;
        let pointed = cursor.takes_arrow() | cursor.takes(Word::To) | cursor.takes(Word::In);
        cursor.skip(&[Word::To, Word::In, Word::Filler]);
        let to = cursor.area().map_err(|fault| Fault {
            expected: if pointed { fault.expected } else { Expected::Destination },
            ..fault
        })?;
        Ok((count, from, to))
    })
}

/// `Rhodes`, `Rhodes 3`, `3 barbarians in Rhodes`, `pirate city in Rhodes`.
fn black(cursor: &mut Cursor) -> Result<(AreaId, Option<u16>), Fault> {
    let around = [Word::Token, Word::Barbarians, Word::Pirate, Word::City, Word::Filler, Word::From, Word::In];
    let all = cursor.takes(Word::All);
    let first = if all { None } else { cursor.takes_number() };
    // `1 pirate city in Rhodes` is the city, not a number of tokens.
    let city = cursor.takes(Word::Pirate) | cursor.takes(Word::City);
    cursor.skip(&around);
    let area = cursor.area()?;
    let count = if all || city { None } else { first.or_else(|| cursor.takes_number()) };
    cursor.skip(&[Word::Token, Word::Barbarians]);
    Ok((area, count))
}

/// Items joined by commas or `and`.
fn list<T>(cursor: &mut Cursor, item: impl Fn(&mut Cursor) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
    let mut items = Vec::new();
    loop {
        items.push(item(cursor)?);
        cursor.skip_joints();
        if cursor.is_listed() {
            return Ok(items);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{area, card, civ, fault, is_remark, reads};
    use super::*;

    fn uses(ability: Ability) -> Command {
        Command::Use { ability: Some(ability) }
    }

    #[test]
    fn areas_are_named_best_first() {
        let areas = vec![area("Sidon"), area("Tyre")];
        for line in
            ["use Monotheism on Sidon, Tyre", "użyj Monoteizmu na Sydon, Tyr", "use monotheism against Sidon, Tyre"]
        {
            assert_eq!(reads(line), uses(Ability::Monotheism(areas.clone())), "{line}");
        }
        for line in ["use Fundamentalism on Sidon and Tyre", "użyj Fundamentalizmu w Sydonie i Tyrze"] {
            assert_eq!(reads(line), uses(Ability::Fundamentalism(areas.clone())), "{line}");
        }
        for line in ["use Politics on Sidon, Tyre", "użyj Polityki na Sydon, Tyr"] {
            assert_eq!(reads(line), uses(Ability::PoliticsAnnex(areas.clone())), "{line}");
        }
    }

    #[test]
    fn politics_may_fill_the_treasury() {
        for line in [
            "use Politics for 5 treasury",
            "użyj Polityki za 5 skarbca",
            "use Politics for treasury",
            "use politics for 5",
        ] {
            assert_eq!(reads(line), uses(Ability::PoliticsTreasury(5)), "{line}");
        }
        assert_eq!(reads("użyj Polityki: trzy żetony do skarbca"), uses(Ability::PoliticsTreasury(3)));
    }

    #[test]
    fn diaspora_names_numbers_and_ways() {
        let moves = vec![(3, area("Knossos"), area("Thera")), (2, area("Argos"), area("Sparta"))];
        for line in [
            "use Diaspora 3 from Knossos to Thera, 2 from Argos to Sparta",
            "użyj Diaspory 3 z Knossos do Thery, 2 z Argos do Sparty",
            "use Diaspora: move 3 tokens Knossos > Thera and 2 Argos -> Sparta",
        ] {
            assert_eq!(reads(line), uses(Ability::Diaspora(moves.clone())), "{line}");
        }
        assert_eq!(fault("use Diaspora from Knossos to Thera").expected, Expected::NumberOfTokens);
        assert_eq!(fault("use Diaspora 3 from Knossos").expected, Expected::Destination);
    }

    #[test]
    fn cards_are_sold_and_given() {
        let cards = vec![card("Salt"), card("Salt"), card("Iron")];
        for line in ["use Trade Routes with salt, salt, iron", "użyj Szlaków handlowych za 2 sól, żelazo"] {
            assert_eq!(reads(line), uses(Ability::TradeRoutes(cards.clone())), "{line}");
        }
        for line in ["give 2 salt, iron", "daję sól, sól i żelazo"] {
            assert_eq!(reads(line), Command::Give { cards: cards.clone() }, "{line}");
        }
        assert_eq!(fault("give 2 xyzzy").expected, Expected::Card);
        assert!(is_remark("give me a break"));
    }

    #[test]
    fn players_are_selected() {
        let civs = vec![civ("Egypt"), civ("Rome")];
        for line in ["use Provincial Empire on Egypt, Rome", "użyj Imperium prowincjonalnego na Egipt i Rzym"] {
            assert_eq!(reads(line), uses(Ability::ProvincialEmpire(civs.clone())), "{line}");
        }
    }

    #[test]
    fn black_pieces_with_or_without_a_number() {
        let tokens = uses(Ability::UniversalDoctrine(vec![(area("Rhodes"), Some(3)), (area("Thera"), Some(2))]));
        for line in [
            "use Universal Doctrine on Rhodes 3, Thera 2",
            "użyj Doktryny uniwersalnej na Rodos 3, Terę 2",
            "use Universal Doctrine on 3 barbarians in Rhodes and 2 in Thera",
        ] {
            assert_eq!(reads(line), tokens, "{line}");
        }
        let city = uses(Ability::UniversalDoctrine(vec![(area("Rhodes"), None)]));
        for line in ["use Universal Doctrine on Rhodes", "użyj Doktryny uniwersalnej na pirackie miasto w Rodos"] {
            assert_eq!(reads(line), city, "{line}");
        }
    }

    #[test]
    fn nothing_is_used_and_not_everything_can_be() {
        for line in ["use nothing", "użyj nic", "use none, thanks"] {
            assert_eq!(reads(line), Command::Use { ability: None }, "{line}");
        }
        assert_eq!(fault("use Pottery on Sidon").expected, Expected::Ability);
        assert_eq!(fault("use").expected, Expected::Ability);
    }
}
