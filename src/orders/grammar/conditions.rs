//! Orders that wait for a test: `if Rhodes is empty then …`.

use super::movement::leg;
use super::{DEEPEST, orders};
use crate::game::command::{Asks, Test};
use crate::game::{Command, Owner, Phase};
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault};
use crate::orders::vocabulary::Word;

/// `Rhodes holds 3 Egypt then ORDER else ORDER`, behind `if`; `then` may be left out where an order begins.
pub(crate) fn condition(cursor: &mut Cursor, depth: u8) -> Result<Command, Fault> {
    if depth == 0 {
        return Err(cursor.fault(Expected::Order));
    }
    let test = test(cursor)?;
    cursor.skip_joints();
    let begins = cursor.sees_count() || Word::verb_at(cursor.rest()).is_some();
    if !cursor.takes(Word::Then) && !begins {
        return Err(cursor.fault(Expected::Then));
    }
    let then = Box::new(inner_order(cursor, depth - 1)?);
    cursor.skip_joints();
    let otherwise = if cursor.takes(Word::Else) { Some(Box::new(inner_order(cursor, depth - 1)?)) } else { None };
    Ok(Command::If { test, then, otherwise })
}

/// `Rhodes holds 3 Egypt`, `Egypt has a city in Rhodes`, `there are 3 Egyptians in Rhodes`.
fn test(cursor: &mut Cursor) -> Result<Test, Fault> {
    let start = cursor.place();
    let known = cursor.read_as.len();
    // `there are` is no Thera, though its accusative is spelt so.
    if cursor.sees(Word::Is)
        && let Some(test) = turned(cursor)
    {
        return Ok(test);
    }
    cursor.back_to(start);
    cursor.skip_to_area(&[Word::In, Word::Filler]);
    let first = cursor.area().and_then(|area| Ok(Test { area, asks: asks(cursor)? }));
    let fault = match first {
        Ok(test) => return Ok(test),
        Err(fault) => fault,
    };
    cursor.back_to(start);
    cursor.read_as.truncate(known);
    turned(cursor).ok_or_else(|| {
        cursor.read_as.truncate(known);
        fault
    })
}

/// The same with the area behind; none if it cannot be read so.
fn turned(cursor: &mut Cursor) -> Option<Test> {
    let owner = if cursor.takes(Word::Is) { None } else { Some(owner(cursor).ok()?) };
    let asks = match owner {
        Some(owner) if cursor.takes(Word::Holds) => {
            cursor.skip(&[Word::Filler]);
            if cursor.takes(Word::City) {
                Asks::HasCity(owner)
            } else {
                counted(cursor, |cursor| {
                    cursor.takes(Word::Token);
                    Ok(owner)
                })
                .ok()?
            }
        }
        Some(_) => return None,
        None => number_or_city(cursor).ok()?,
    };
    cursor.skip_to_area(&[Word::In, Word::Filler]);
    Some(Test { area: cursor.area().ok()?, asks })
}

/// An order of movement, of building or of an ability inside a condition.
fn inner_order(cursor: &mut Cursor, depth: u8) -> Result<Command, Fault> {
    cursor.skip_joints();
    let start = cursor.place();
    let not_here = cursor.fault(Expected::Order);
    let mut commands = if cursor.sees_count() {
        leg(cursor, None)?
    } else {
        match cursor.takes_verb().ok_or(not_here.clone())? {
            // A test is made for one order; what else stands in the line is no part of it.
            Word::Move => leg(cursor, None)?,
            verb => orders(cursor, verb, depth.min(DEEPEST))?,
        }
    };
    match (commands.pop(), commands.is_empty()) {
        (Some(command), true) if may_depend(&command) => Ok(command),
        _ => {
            cursor.back_to(start);
            Err(not_here)
        }
    }
}

/// Whether an order may depend on a test: it is played at one moment. Wishes are consulted all the time.
fn may_depend(command: &Command) -> bool {
    match command {
        Command::BuildCity { .. } | Command::Use { .. } | Command::Acquire { .. } | Command::If { .. } => true,
        other => other.phase() == Some(Phase::Movement),
    }
}

/// `holds 3 Egypt`, `holds at least 3 Egypt`, `is empty`, `has city Egypt`.
fn asks(cursor: &mut Cursor) -> Result<Asks, Fault> {
    // `nie ma Egiptu`.
    let start = cursor.place();
    if cursor.takes(Word::No) && cursor.takes(Word::Holds) {
        return Ok(Asks::Holds(0, owner(cursor)?));
    }
    cursor.back_to(start);
    // `nie jest puste`.
    let not = cursor.takes(Word::No);
    let is = cursor.takes(Word::Is);
    let not = not | (is && cursor.takes(Word::No));
    if is && cursor.takes(Word::Empty) {
        return Ok(if not { Asks::IsOccupied } else { Asks::IsEmpty });
    }
    if is && cursor.takes(Word::Occupied) {
        return Ok(if not { Asks::IsEmpty } else { Asks::IsOccupied });
    }
    if not {
        cursor.back_to(start);
        return Err(cursor.fault(Expected::Test));
    }
    // In Polish `w Rodos jest 3 Egiptu`.
    let counts = cursor.sees_number() || [Word::AtMost, Word::AtLeast, Word::City].into_iter().any(|w| cursor.sees(w));
    if !(is && counts) && (is || !cursor.takes(Word::Holds)) {
        return Err(cursor.fault(Expected::Test));
    }
    number_or_city(cursor)
}

/// `3 Egypt`, `at least 3 Egypt`, `a city of Egypt`, `an Egyptian city`, `a pirate city`.
fn number_or_city(cursor: &mut Cursor) -> Result<Asks, Fault> {
    cursor.takes(Word::Filler);
    if cursor.takes(Word::Pirate) {
        return if cursor.takes(Word::City) {
            Ok(Asks::HasCity(Owner::Barbarians))
        } else {
            Err(cursor.fault(Expected::Test))
        };
    }
    if cursor.takes(Word::City) {
        return Ok(Asks::HasCity(owner(cursor)?));
    }
    let start = cursor.place();
    if cursor.sees_full_civ() {
        let owner = owner(cursor)?;
        if cursor.takes(Word::City) {
            return Ok(Asks::HasCity(owner));
        }
        cursor.back_to(start);
    }
    counted(cursor, owner)
}

/// `3`, `at least 3`, `more than 2`, `no`, and whose.
fn counted(cursor: &mut Cursor, owner: impl Fn(&mut Cursor) -> Result<Owner, Fault>) -> Result<Asks, Fault> {
    let number = |cursor: &mut Cursor| cursor.number(Expected::NumberOfTokens);
    if cursor.takes(Word::AtMost) {
        return Ok(Asks::AtMost(number(cursor)?, owner(cursor)?));
    }
    if cursor.takes(Word::AtLeast) {
        return Ok(Asks::AtLeast(number(cursor)?, owner(cursor)?));
    }
    if cursor.takes(Word::MoreThan) {
        return Ok(Asks::AtLeast(number(cursor)?.saturating_add(1), owner(cursor)?));
    }
    if cursor.takes(Word::FewerThan) {
        let most = number(cursor)?.checked_sub(1).ok_or_else(|| cursor.fault(Expected::NumberOfTokens))?;
        return Ok(Asks::AtMost(most, owner(cursor)?));
    }
    if cursor.takes(Word::No) {
        return Ok(Asks::Holds(0, owner(cursor)?));
    }
    cursor.takes(Word::Exactly);
    Ok(Asks::Holds(cursor.number(Expected::Test)?, owner(cursor)?))
}

fn owner(cursor: &mut Cursor) -> Result<Owner, Fault> {
    cursor.skip(&[Word::Token, Word::Filler, Word::From]);
    let owner = if cursor.takes(Word::Barbarians) || cursor.takes(Word::Pirate) {
        Owner::Barbarians
    } else {
        cursor.civ(Expected::Civilization).map(Owner::Civ)?
    };
    // `3 Egyptian tokens`.
    cursor.takes(Word::Token);
    Ok(owner)
}
