//! Orders of phases 6 and 7.

use crate::game::Command;
use crate::game::command::{BuyLimits, Wanted};
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault};
use crate::orders::vocabulary::Word;
use crate::rules::Face;

/// Cards that one list may hold; no hand is larger.
pub const LONGEST_LIST: usize = 300;

/// `2 from stack 9`, `up to 3 from stack 9 until calamity keep 10`, `1 from stack 7 free`.
pub fn buy(cursor: &mut Cursor) -> Result<Command, Fault> {
    let mut limited = cursor.takes(Word::UpTo);
    let count = cursor.takes_number().unwrap_or(1);
    cursor.skip(&[Word::Filler, Word::Card, Word::From]);
    if !cursor.takes(Word::Stack) {
        return Err(cursor.fault(Expected::StackNumber));
    }
    cursor.takes(Word::OfferNumber);
    let stack = cursor.number(Expected::StackNumber)?;
    let (mut until_calamity, mut keep, mut free) = (false, 0, false);
    loop {
        cursor.skip_joints();
        if cursor.takes(Word::Free) {
            free = true;
        } else if cursor.takes(Word::Keep) {
            (limited, keep) = (true, cursor.number(Expected::Number)?);
            cursor.skip(&[Word::Treasury, Word::Token]);
        } else if cursor.takes(Word::Until) {
            cursor.takes(Word::Filler);
            if !cursor.takes(Word::Calamity) {
                return Err(cursor.fault(Expected::Calamity));
            }
            (limited, until_calamity) = (true, true);
        } else {
            let limits = limited.then_some(BuyLimits { until_calamity, keep });
            return Ok(Command::Buy { stack, count, limits, free });
        }
    }
}

/// `to Egypt: salt, salt, wine for iron, iron, any saying textiles`.
pub fn offer(cursor: &mut Cursor) -> Result<Command, Fault> {
    cursor.takes(Word::To);
    let to = match cursor.takes(Word::All) {
        true => None,
        false => Some(cursor.civ(Expected::CivilizationOrAll)?),
    };
    cursor.skip_joints();
    let gives = cards(cursor)?;
    if !cursor.takes(Word::For) {
        return Err(cursor.fault(Expected::ForWhat));
    }
    let wants = list(cursor, wanted)?;
    let says = if cursor.takes(Word::Saying) { cards(cursor)? } else { Vec::new() };
    Ok(Command::Offer { to, gives, wants, says })
}

/// `4 with iron, iron, tin`.
pub fn accept(cursor: &mut Cursor) -> Result<Command, Fault> {
    let number = offer_number(cursor)?;
    cursor.skip_joints();
    if !cursor.takes(Word::With) {
        cursor.takes(Word::For);
    }
    cursor.skip_joints();
    Ok(Command::Accept { number, gives: cards(cursor)? })
}

/// `4`, `offer 4`.
pub fn offer_number(cursor: &mut Cursor) -> Result<u16, Fault> {
    cursor.skip(&[Word::Filler, Word::OfferNumber]);
    cursor.number(Expected::Number)
}

/// `2 salt, wine`.
pub fn cards(cursor: &mut Cursor) -> Result<Vec<Face>, Fault> {
    list(cursor, |cursor| cursor.card().map(|card| (card, 1)))
}

/// A card, or `any`, `any 3`, `any three cards`.
fn wanted(cursor: &mut Cursor) -> Result<(Wanted, u16), Fault> {
    match cursor.takes(Word::Any) || cursor.takes(Word::Card) {
        true => {
            let count = cursor.takes_number().unwrap_or(1);
            cursor.takes(Word::Card);
            Ok((Wanted::Any, count))
        }
        false => cursor.card().map(|card| (Wanted::Named(card), 1)),
    }
}

/// `2 salt, wine`: items with counts, up to a word that ends the list.
fn list<T: Copy>(cursor: &mut Cursor, item: impl Fn(&mut Cursor) -> Result<(T, u16), Fault>) -> Result<Vec<T>, Fault> {
    let mut items = Vec::new();
    loop {
        let count = cursor.takes_number().unwrap_or(1);
        cursor.skip(&[Word::Filler]);
        let room = LONGEST_LIST - items.len();
        let (item, times) = item(cursor)?;
        items.extend(std::iter::repeat_n(item, usize::from(count.saturating_mul(times)).min(room)));
        cursor.skip_joints();
        let ends = [Word::For, Word::Saying, Word::Please, Word::Else].into_iter().any(|word| cursor.sees(word));
        if ends || cursor.is_at_end() || cursor.sees_bracket() {
            return Ok(items);
        }
    }
}
