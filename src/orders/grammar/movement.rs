//! Orders of phase 3.

use super::{DEEPEST, orders};
use crate::game::command::{Asks, SailAct, ShipPrice, Test};
use crate::game::{Command, Count, Owner, Phase};
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault};
use crate::orders::read::Written;
use crate::orders::vocabulary::Word;
use crate::rules::AreaId;

/// Ships that one line may speak of; more are illegal anyhow.
const MOST_SHIPS: u16 = 9;

/// `3 Crete > Thera`: begins like an order if an arrow follows what stands behind the number, or if all of it is read.
pub fn short_form(cursor: &mut Cursor) -> Option<Result<Written, Fault>> {
    let count = cursor.takes_count()?;
    let has_arrow = cursor.has_arrow_ahead();
    cursor.skip_to_area(&[Word::Filler, Word::Token, Word::From, Word::In]);
    let points = has_arrow || cursor.sees_area() && cursor.has_hyphen_ahead();
    let read = path(cursor).and_then(|path| cursor.end().map(|()| path));
    match read {
        // Without an arrow, only full names make an order of what might be a sentence.
        Ok(_) if !points && !cursor.is_sure => {
            cursor.forget();
            None
        }
        Ok(path) => Some(Ok(Written::Orders(vec![Command::Move { count, path }]))),
        Err(fault) if points => Some(Err(fault)),
        Err(_) => {
            cursor.forget();
            None
        }
    }
}

/// `move 3 from Crete to Thera`, `move from Crete 3 to Thera`.
pub fn walk(cursor: &mut Cursor) -> Result<Command, Fault> {
    let article = cursor.takes(Word::Filler);
    let count = cursor.takes_count().or_else(|| (article && cursor.sees(Word::Token)).then_some(Count::Exactly(1)));
    if count.is_none() && !cursor.sees(Word::From) {
        return Err(cursor.fault(Expected::NumberOfTokens));
    }
    match count {
        Some(count) => Ok(Command::Move { count, path: path(cursor)? }),
        None => {
            cursor.takes(Word::From);
            let from = cursor.area()?;
            let count = cursor.takes_count().ok_or_else(|| cursor.fault(Expected::NumberOfTokens))?;
            cursor.takes(Word::Token);
            let path = [vec![from], steps(cursor)?].concat();
            Ok(Command::Move { count, path })
        }
    }
}

/// `tokens from Crete to Thera to Naxos`.
fn path(cursor: &mut Cursor) -> Result<Vec<AreaId>, Fault> {
    cursor.skip_to_area(&[Word::Filler, Word::Token, Word::From, Word::In]);
    // `move 3 to Thera from Crete`.
    if cursor.takes(Word::To) {
        let to = cursor.area()?;
        if !cursor.takes(Word::From) {
            return Err(cursor.fault(Expected::Area));
        }
        return Ok(vec![cursor.area()?, to]);
    }
    let from = cursor.area()?;
    Ok([vec![from], steps(cursor)?].concat())
}

/// `to Thera`, `> Thera > Naxos`: one step at least.
fn steps(cursor: &mut Cursor) -> Result<Vec<AreaId>, Fault> {
    let mut steps = Vec::new();
    loop {
        let before = cursor.place();
        cursor.skip_joints();
        let pointed = cursor.points();
        // A further step is pointed at; what else follows is judged where the order must end.
        if !steps.is_empty() && !pointed {
            cursor.back_to(before);
            return Ok(steps);
        }
        let area = cursor.area().map_err(|fault| Fault {
            expected: if steps.is_empty() && !pointed { Expected::Destination } else { fault.expected },
            ..fault
        })?;
        steps.push(area);
    }
}

/// `in Crete for 1 treasury and 1 token`, behind `build ship`.
pub fn build_ship(cursor: &mut Cursor, count: u16) -> Result<Vec<Command>, Fault> {
    cursor.skip_to_area(&[Word::In, Word::Filler]);
    let area = cursor.area()?;
    cursor.skip_joints();
    let price = match cursor.takes(Word::For) || cursor.takes(Word::With) {
        true => ship_price(cursor, area)?,
        false => ShipPrice::treasury(),
    };
    several(cursor, count, Command::BuildShip { area, price })
}

/// `1 treasury and 1 token`, `2 tokens`, `2 tokens, 1 from Thera`.
fn ship_price(cursor: &mut Cursor, area: AreaId) -> Result<ShipPrice, Fault> {
    let mut price = ShipPrice { treasury: 0, here: 0, elsewhere: Vec::new() };
    let mut from_here = 0u16;
    loop {
        let count = cursor.number(Expected::Payment)?;
        let tokens = cursor.takes(Word::Token);
        if cursor.takes(Word::Treasury) {
            price.treasury = price.treasury.saturating_add(count);
            cursor.takes(Word::Token);
        } else if cursor.takes(Word::From) {
            match cursor.takes(Word::Treasury) {
                true => price.treasury = price.treasury.saturating_add(count),
                false => match cursor.area()? {
                    from if from == area => from_here = from_here.saturating_add(count),
                    from => price.elsewhere.push((from, count)),
                },
            }
        } else if tokens {
            price.here = price.here.saturating_add(count);
        } else {
            // Tokens are never destroyed unless he wrote so.
            return Err(cursor.fault(Expected::Payment));
        }
        cursor.skip_joints();
        if !cursor.sees_number() {
            break;
        }
    }
    // `2 tokens, 1 from Thera`: the one is among the two.
    let named = price.elsewhere.iter().fold(from_here, |sum, (_, count)| sum.saturating_add(*count));
    if price.here.saturating_add(price.treasury).saturating_add(named) > 2 {
        price.here = price.here.saturating_sub(named);
    }
    price.here = price.here.saturating_add(from_here);
    Ok(price)
}

/// `ship in Crete`, `ship in Crete with token from Thera`.
pub fn maintain(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    let (count, area) = ship_in(cursor)?;
    cursor.skip_joints();
    let paid = cursor.takes(Word::With) | cursor.takes(Word::For) | cursor.takes(Word::Filler);
    let number = if paid { cursor.takes_number() } else { None };
    if paid && cursor.takes(Word::Treasury) {
        return several(cursor, count, Command::MaintainShip { area, token_from: None });
    }
    let token_from = match cursor.takes(Word::Token) {
        true if cursor.takes(Word::From) => Some(cursor.area()?),
        true => Some(area),
        false if paid || number.is_some() => return Err(cursor.fault(Expected::Payment)),
        false => None,
    };
    several(cursor, count, Command::MaintainShip { area, token_from })
}

/// `ship in Crete`.
pub fn scrap(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    let (count, area) = ship_in(cursor)?;
    several(cursor, count, Command::ScrapShip { area })
}

fn ship_in(cursor: &mut Cursor) -> Result<(u16, AreaId), Fault> {
    cursor.takes(Word::Filler);
    let count = cursor.takes_number();
    if !cursor.takes(Word::Ship) {
        return Err(cursor.fault(Expected::Ship));
    }
    cursor.skip_to_area(&[Word::In, Word::Filler]);
    Ok((count.unwrap_or(1), cursor.area()?))
}

fn several(cursor: &Cursor, count: u16, command: Command) -> Result<Vec<Command>, Fault> {
    match count {
        0 => Err(cursor.fault(Expected::Number)),
        count => Ok(vec![command; usize::from(count.min(MOST_SHIPS))]),
    }
}

/// `from Crete load 3 to Rhodes unload 1 load 2 to Thera`.
pub fn sail(cursor: &mut Cursor) -> Result<Command, Fault> {
    cursor.skip_to_area(&[Word::Filler, Word::Ship]);
    let mut acts = Vec::new();
    // `sail with 3 from Crete to Rhodes`, `sail 3 from Crete to Rhodes`.
    if cursor.takes_before_number(Word::With) || cursor.sees_number() {
        acts.push(SailAct::Load(tokens(cursor)?));
    }
    cursor.skip_to_area(&[Word::From, Word::In]);
    let from = cursor.area()?;
    loop {
        cursor.skip_joints();
        if cursor.takes(Word::Load) {
            acts.push(SailAct::Load(tokens(cursor)?));
        } else if cursor.takes_before_number(Word::With) {
            let aboard = SailAct::Load(tokens(cursor)?);
            cargo(cursor, &mut acts, aboard)?;
        } else if cursor.takes(Word::Unload) {
            acts.push(SailAct::Unload(tokens(cursor)?));
        } else if cursor.points() || cursor.sees_area() {
            acts.push(SailAct::To(cursor.area()?));
        } else if cursor.is_at_end() || cursor.sees(Word::Please) || acts.iter().any(is_step) {
            break;
        } else {
            return Err(cursor.fault(Expected::SailAct));
        }
    }
    if !acts.iter().any(is_step) {
        return Err(cursor.fault(Expected::Destination));
    }
    Ok(Command::Sail { from, acts })
}

/// `with 3` speaks of the start: behind the last step it means what came along, and in the middle nobody knows.
fn cargo(cursor: &Cursor, acts: &mut Vec<SailAct>, aboard: SailAct) -> Result<(), Fault> {
    let sailed = acts.iter().any(is_step);
    if sailed && !(cursor.is_at_end() || cursor.sees(Word::Please)) || sailed && !acts.iter().all(is_step) {
        return Err(cursor.fault(Expected::SailAct));
    }
    acts.insert(if sailed { 0 } else { acts.len() }, aboard);
    Ok(())
}

fn is_step(act: &SailAct) -> bool {
    matches!(act, SailAct::To(_))
}

fn tokens(cursor: &mut Cursor) -> Result<Count, Fault> {
    let count = cursor.takes_count().ok_or_else(|| cursor.fault(Expected::NumberOfTokens))?;
    cursor.takes(Word::Token);
    Ok(count)
}

/// `Rhodes holds 3 Egypt then ORDER else ORDER`, behind `if`.
pub fn condition(cursor: &mut Cursor, depth: u8) -> Result<Command, Fault> {
    if depth == 0 {
        return Err(cursor.fault(Expected::Order));
    }
    cursor.skip_to_area(&[Word::In, Word::Filler]);
    let test = Test { area: cursor.area()?, asks: asks(cursor)? };
    cursor.skip_joints();
    if !cursor.takes(Word::Then) {
        return Err(cursor.fault(Expected::Then));
    }
    let then = Box::new(inner_order(cursor, depth - 1)?);
    cursor.skip_joints();
    let otherwise = match cursor.takes(Word::Else) {
        true => Some(Box::new(inner_order(cursor, depth - 1)?)),
        false => None,
    };
    Ok(Command::If { test, then, otherwise })
}

/// An order of movement, of building or of an ability inside a condition.
fn inner_order(cursor: &mut Cursor, depth: u8) -> Result<Command, Fault> {
    cursor.skip_joints();
    let start = cursor.place();
    if let Some(count) = cursor.takes_count() {
        return Ok(Command::Move { count, path: path(cursor)? });
    }
    let not_here = cursor.fault(Expected::Order);
    let verb = cursor.takes_verb().ok_or(not_here.clone())?;
    let mut commands = orders(cursor, verb, depth.min(DEEPEST))?;
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
    if cursor.takes(Word::Is) {
        return if cursor.takes(Word::Empty) { Ok(Asks::IsEmpty) } else { Err(cursor.fault(Expected::Test)) };
    }
    if !cursor.takes(Word::Holds) {
        return Err(cursor.fault(Expected::Test));
    }
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
    if cursor.takes(Word::AtMost) {
        return Ok(Asks::AtMost(cursor.number(Expected::NumberOfTokens)?, owner(cursor)?));
    }
    if cursor.takes(Word::AtLeast) {
        return Ok(Asks::AtLeast(cursor.number(Expected::NumberOfTokens)?, owner(cursor)?));
    }
    if cursor.takes(Word::No) {
        return Ok(Asks::Holds(0, owner(cursor)?));
    }
    Ok(Asks::Holds(cursor.number(Expected::Test)?, owner(cursor)?))
}

fn owner(cursor: &mut Cursor) -> Result<Owner, Fault> {
    cursor.skip(&[Word::Token, Word::Filler]);
    match cursor.takes(Word::Barbarians) || cursor.takes(Word::Pirate) {
        true => Ok(Owner::Barbarians),
        false => cursor.civ(Expected::Civilization).map(Owner::Civ),
    }
}
