//! The grammar: one function an order. What comes in is a cursor behind the verb; what goes out is a command or a fault.

mod abilities;
mod advances;
mod asking;
mod calamities;
mod cards;
mod cities;
mod conflict;
mod movement;
mod press;
#[cfg(test)]
mod samples;

use super::cursor::Cursor;
use super::fault::{Expected, Fault};
use super::read::Written;
use super::standing;
use super::vocabulary::{self, Word};
use crate::game::Command;

/// How deep conditions may stand in conditions.
const DEEPEST: u8 = 4;

/// Reads a line; none if it does not begin like an order.
pub fn line(cursor: &mut Cursor) -> Option<Result<Written, Fault>> {
    if let Some(choice) = choice(cursor) {
        return Some(Ok(choice));
    }
    cursor.takes_label();
    let start = cursor.place();
    if let Some(written) = movement::short_form(cursor) {
        return Some(written);
    }
    cursor.back_to(start);
    if Word::verb_at(cursor.rest()).is_none()
        && let Some(written) = by_name(cursor)
    {
        return Some(written);
    }
    // `Please move …`: what begins politely is an order only if all of it can be read.
    cursor.skip(&[Word::Lead]);
    let polite = cursor.place() > start;
    let loose = polite || vocabulary::is_loose(cursor.rest());
    let verb = cursor.takes_verb()?;
    if is_sentence(cursor, verb) || verb == Word::Learn && !cursor.sees_advance() {
        return None;
    }
    cursor.takes_colon();
    Some(written(cursor, verb)).filter(|written| written.is_ok() || !loose)
}

/// A line of press; none if it is no press. The text behind the recipients is never cut into orders.
pub fn press(cursor: &mut Cursor) -> Option<Result<Written, Fault>> {
    press::press(cursor).map(|press| press.map(Written::Press))
}

/// `2`, `line 3: 2`: a name among those that were suggested.
fn choice(cursor: &mut Cursor) -> Option<Written> {
    let line = match cursor.takes(Word::Line) {
        true => cursor.takes_number(),
        false => None,
    };
    cursor.takes_colon();
    cursor.takes(Word::Filler);
    match cursor.takes_number() {
        Some(number) if cursor.is_at_end() => Some(Written::Choice { line, number }),
        Some(_) | None => {
            cursor.back_to(0);
            None
        }
    }
}

/// A line that begins with the name of a calamity or of an ability instead of a verb.
fn by_name(cursor: &mut Cursor) -> Option<Result<Written, Fault>> {
    let one = |command| Written::Orders(vec![command]);
    match calamities::prefixed(cursor) {
        Some(wish) => Some(wish.and_then(|command| cursor.end().map(|()| one(command)))),
        None => abilities::named(cursor).map(|command| Ok(one(command))),
    }
}

/// What begins with a word of the language and is none the less no order: a heading, a doubt, a disclaimer.
fn is_sentence(cursor: &mut Cursor, verb: Word) -> bool {
    let start = cursor.place();
    let heading = cursor.takes_colon() && cursor.is_at_end();
    cursor.back_to(start);
    match verb {
        Word::Done | Word::Wait | Word::Undo | Word::Clear => heading || cursor.is_question(),
        Word::Away => {
            let dated = [Word::Till, Word::For].into_iter().any(|word| cursor.sees(word)) || cursor.sees_number();
            heading || !dated && !cursor.is_over()
        }
        Word::If => {
            let has_then = cursor.has_word_ahead("then") || cursor.has_word_ahead("wtedy");
            !has_then && !cursor.sees_area() && !speaks_of_place(cursor)
        }
        _ => heading,
    }
}

/// `w Sparcie jest pusto to …`, behind `if`.
fn speaks_of_place(cursor: &mut Cursor) -> bool {
    let start = cursor.place();
    let speaks = cursor.takes(Word::In) && cursor.sees_area() && cursor.has_word_ahead("to");
    cursor.back_to(start);
    speaks
}

fn written(cursor: &mut Cursor, verb: Word) -> Result<Written, Fault> {
    let written = match verb {
        Word::Always | Word::Never => always(cursor, verb)?,
        Word::Undo if cursor.takes(Word::Always) => Written::UndoAlways { numbers: numbers(cursor) },
        Word::Undo => undo(cursor)?,
        Word::Status | Word::Map | Word::Sheet | Word::History | Word::Rules | Word::Help => {
            Written::Question(asking::question(cursor, verb)?)
        }
        Word::Extend | Word::Away | Word::Back => Written::Timing(asking::timing(cursor, verb)?),
        Word::Ok => Written::Ok,
        Word::Clear => Written::Clear { part: cursor.takes_part() },
        _ => Written::Orders(orders(cursor, verb, DEEPEST)?),
    };
    cursor.end()?;
    Ok(written)
}

/// `undo 2`, `undo 2, 3`, `undo last`, `undo cities 2`.
fn undo(cursor: &mut Cursor) -> Result<Written, Fault> {
    let part = cursor.takes_part();
    Ok(Written::Undo { part, numbers: numbers(cursor) })
}

/// `2, 3`, or `last`, which is none.
fn numbers(cursor: &mut Cursor) -> Vec<u16> {
    let mut numbers = Vec::new();
    if !cursor.takes(Word::Last) {
        while let Some(number) = cursor.takes_number() {
            numbers.push(number);
            cursor.skip_joints();
        }
    }
    numbers
}

/// `always ORDER`, `never ORDER`.
fn always(cursor: &mut Cursor, word: Word) -> Result<Written, Fault> {
    let here = cursor.fault(Expected::Order);
    let wish = calamities::prefixed(cursor).transpose()?.map(|command| vec![command]);
    let commands = match wish {
        Some(commands) => commands,
        None => {
            let verb = cursor.takes_verb().ok_or(here.clone())?;
            orders(cursor, verb, DEEPEST)?
        }
    };
    // What speaks of the open phase only cannot stand for ever.
    let commands: Option<Vec<_>> = match word {
        Word::Never => commands.iter().map(standing::never).collect(),
        _ => Some(commands),
    };
    let lasting = commands.filter(|commands| commands.iter().all(|command| command.phase().is_some()));
    lasting.map(Written::Always).ok_or(here)
}

/// The orders that begin with a verb.
fn orders(cursor: &mut Cursor, verb: Word, depth: u8) -> Result<Vec<Command>, Fault> {
    let one = |command| vec![command];
    match verb {
        Word::Tax => tax(cursor).map(one),
        Word::Select => select(cursor).map(one),
        Word::Expand => expand(cursor).map(one),
        Word::Move => movement::walk(cursor).map(one),
        Word::Build => build(cursor),
        Word::BuildNot => build_not(cursor).map(one),
        Word::Maintain => movement::maintain(cursor),
        Word::Scrap => movement::scrap(cursor),
        Word::Sail => movement::sail(cursor).map(one),
        Word::If => movement::condition(cursor, depth).map(one),
        Word::Done => Ok(one(Command::Done)),
        Word::Wait => Ok(one(Command::Wait)),
        Word::Resolve => Ok(one(Command::Resolve { areas: cursor.areas()? })),
        Word::Delay => Ok(one(Command::Delay { area: cursor.area()? })),
        Word::Loot => conflict::loot(cursor).map(one),
        Word::Substitute => conflict::substitute(cursor).map(one),
        Word::Reduce => Ok(one(Command::Reduce { areas: calamities::areas(cursor)? })),
        // `buy Pottery`: stacks are numbered, advances have names.
        Word::Buy if cursor.sees_advance() => advances::acquire(cursor).map(one),
        Word::Buy => cards::buy(cursor).map(one),
        Word::Pass => Ok(one(Command::Pass)),
        Word::Offer => cards::offer(cursor).map(one),
        Word::Accept => cards::accept(cursor).map(one),
        Word::Decline => decline(cursor).map(one),
        Word::Withdraw => Ok(one(Command::Withdraw { number: cards::offer_number(cursor)? })),
        Word::Victims | Word::Lose | Word::Spare | Word::Pay | Word::Discard => {
            calamities::wish(cursor, verb, None).map(one)
        }
        Word::Use => abilities::using(cursor).map(one),
        Word::Give => abilities::give(cursor).map(one),
        Word::Acquire | Word::Learn => advances::acquire(cursor).map(one),
        Word::KeepCards => advances::keep(cursor).map(one),
        _ => Err(cursor.fault(Expected::Order)),
    }
}

/// `decline 4`; in Polish the same word discards cards: `odrzucam 2 wody`, `odrzucam nic`.
fn decline(cursor: &mut Cursor) -> Result<Command, Fault> {
    let start = cursor.place();
    let number = cards::offer_number(cursor);
    match number {
        Ok(number) if cursor.is_over() => Ok(Command::Decline { number }),
        number => {
            let has_card = cursor.sees_card() || cursor.sees(Word::Nothing);
            match (has_card, number) {
                (true, _) => {
                    cursor.back_to(start);
                    calamities::wish(cursor, Word::Discard, None)
                }
                (false, number) => Ok(Command::Decline { number: number? }),
            }
        }
    }
}

/// `tax 3`.
fn tax(cursor: &mut Cursor) -> Result<Command, Fault> {
    cursor.skip(&[Word::Filler, Word::In]);
    Ok(Command::Tax { rate: cursor.number(Expected::Number)? })
}

/// `select Athens, Thebes`, `select nothing`.
fn select(cursor: &mut Cursor) -> Result<Command, Fault> {
    Ok(Command::Select { areas: calamities::areas(cursor)? })
}

/// `expand Crete 2, Thera 1`; the number may also stand first.
fn expand(cursor: &mut Cursor) -> Result<Command, Fault> {
    let mut shares = Vec::new();
    loop {
        let first = cursor.takes_number();
        cursor.skip(&[Word::Token, Word::In]);
        let area = cursor.area()?;
        let count = match first {
            Some(count) => count,
            None => {
                cursor.takes_arrow();
                cursor.skip(&[Word::With, Word::Filler]);
                cursor.number(Expected::NumberOfTokens)?
            }
        };
        cursor.takes(Word::Token);
        shares.push((area, count));
        cursor.skip_joints();
        if cursor.is_at_end() || cursor.sees(Word::Please) {
            return Ok(Command::Expand { shares });
        }
    }
}

/// `build ship …`, `build city …`, `build no city`.
fn build(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    if cursor.takes(Word::No) || cursor.sees(Word::Nothing) {
        return build_not(cursor).map(|command| vec![command]);
    }
    cursor.skip(&[Word::Filler]);
    let count = cursor.takes_number();
    if cursor.takes(Word::Ship) {
        return movement::build_ship(cursor, count.unwrap_or(1));
    }
    match cursor.takes(Word::City) && count.is_none_or(|count| count == 1) {
        true => cities::build(cursor),
        false => Err(cursor.fault(Expected::ShipOrCity)),
    }
}

/// `no city`, `no city in Sparta`, `nothing`.
fn build_not(cursor: &mut Cursor) -> Result<Command, Fault> {
    cursor.skip(&[Word::Filler, Word::Any]);
    match cursor.takes(Word::City) || cursor.takes(Word::Nothing) {
        true => {
            cursor.skip_to_area(&[Word::In]);
            let area = if cursor.sees_area() { Some(cursor.area()?) } else { None };
            Ok(Command::BuildNoCity { area })
        }
        false => Err(cursor.fault(Expected::City)),
    }
}
