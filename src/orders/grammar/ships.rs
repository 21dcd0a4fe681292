//! Ships of phase 3: built, maintained, scrapped, and what begins with the thing instead of the verb.

use super::{cities, voyages};
use crate::game::Command;
use crate::game::command::ShipPrice;
use crate::orders::bearings::Sense;
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault, Named};
use crate::orders::read::Written;
use crate::orders::vocabulary::Word;
use crate::rules::AreaId;

/// Ships that one line may speak of; more are illegal anyhow.
const MOST_SHIPS: u16 = 9;

/// What begins with the thing instead of the verb: `new ship in Crete`, `city in Sparta`, `ship Crete > Rhodes with 3`.
/// An order if all of it is read; a ship alone may be built or maintained, and only the player knows.
pub(crate) fn by_thing(cursor: &mut Cursor) -> Option<Result<Written, Fault>> {
    let start = cursor.place();
    cursor.skip(&[Word::Filler]);
    let new = cursor.takes(Word::New);
    let count = cursor.takes_number();
    let new = new | cursor.takes(Word::New);
    let read = if cursor.takes(Word::City) && count.is_none_or(|count| count == 1) {
        city(cursor)
    } else if cursor.takes(Word::Ship) {
        ship(cursor, count, new)
    } else {
        None
    };
    let read = read.filter(|_| cursor.is_sure || cursor.has_arrow()).filter(|_| !cursor.is_question());
    if read.is_none() {
        cursor.back_to(start);
        cursor.forget();
    }
    let missing = |()| {
        cursor.back_to(start);
        let place = cursor.fault(Expected::Order).span.start;
        let candidates = vec![Named::Verb(Word::Build), Named::Verb(Word::Maintain)];
        Fault { span: place..place, expected: Expected::Order, candidates }
    };
    read.map(|read| read.map(Written::Orders).map_err(missing))
}

/// `in Sparta`, `in Sparta: build`; none if it is no order.
fn city(cursor: &mut Cursor) -> Option<Result<Vec<Command>, ()>> {
    let read = cities::build(cursor);
    cursor.skip_joints();
    cursor.takes(Word::Build);
    read.and_then(|commands| cursor.end().map(|()| commands)).ok().map(Ok)
}

/// `in Crete: build`, `from Crete to Rhodes with 3`; an error if only the verb is missing, none if it is no order.
fn ship(cursor: &mut Cursor, count: Option<u16>, new: bool) -> Option<Result<Vec<Command>, ()>> {
    let here = cursor.place();
    let known = cursor.read_as.len();
    if new {
        let read = build_ship(cursor, count.unwrap_or(1));
        return read.and_then(|commands| cursor.end().map(|()| commands)).ok().map(Ok);
    }
    cursor.skip_to_area(&[Word::In, Word::From, Word::Filler]);
    let area = cursor.area().ok()?;
    cursor.skip_joints();
    if cursor.is_at_end() {
        return Some(Err(()));
    }
    let command = match Word::verb_at(cursor.rest()) {
        Some((Word::Build, _)) => Some(Command::BuildShip { area, price: ShipPrice::treasury() }),
        Some((Word::Maintain | Word::KeepCards, _)) => Some(Command::MaintainShip { area, token_from: None }),
        Some((Word::Scrap, _)) => Some(Command::ScrapShip { area }),
        Some(_) | None => None,
    };
    if let Some(command) = command {
        cursor.takes_verb();
        let read = several(cursor, count.unwrap_or(1), command);
        return read.and_then(|commands| cursor.end().map(|()| commands)).ok().map(Ok);
    }
    cursor.back_to(here);
    cursor.read_as.truncate(known);
    let read = voyages::sail(cursor).and_then(|command| cursor.end().map(|()| vec![command]));
    read.ok().filter(|_| count.is_none_or(|count| count == 1)).map(Ok)
}

/// `in Crete for 1 treasury and 1 token`, `in Crete and Rhodes`, behind `build ship`.
pub(crate) fn build_ship(cursor: &mut Cursor, count: u16) -> Result<Vec<Command>, Fault> {
    let mut areas = places(cursor, count)?;
    let price = if cursor.takes(Word::For) || cursor.takes(Word::With) {
        if areas.len() > 1 {
            return Err(cursor.fault(Expected::EndOfOrder));
        }
        ship_price(cursor, areas[0])?
    } else {
        ShipPrice::treasury()
    };
    match areas.len() {
        1 => several(cursor, count, Command::BuildShip { area: areas[0], price }),
        _ => Ok(areas.drain(..).map(|area| Command::BuildShip { area, price: price.clone() }).collect()),
    }
}

/// `in Crete`, `in Crete and Rhodes`: one ship in each, so that a number may only stand before one.
fn places(cursor: &mut Cursor, count: u16) -> Result<Vec<AreaId>, Fault> {
    cursor.skip_to_area(&[Word::In, Word::Filler]);
    let mut areas = vec![cursor.area_as(Sense::Port)?];
    loop {
        cursor.skip_joints();
        let here = cursor.place();
        cursor.skip_to_area(&[Word::In, Word::Filler]);
        if count > 1 || cursor.is_listed() || cursor.sees(Word::For) || cursor.sees(Word::With) || !cursor.sees_area() {
            cursor.back_to(here);
            return Ok(areas);
        }
        areas.push(cursor.area_as(Sense::Port)?);
    }
}

/// `1 treasury and 1 token`, `2 tokens`, `2 tokens, 1 from Thera`.
fn ship_price(cursor: &mut Cursor, area: AreaId) -> Result<ShipPrice, Fault> {
    let mut price = ShipPrice { treasury: 0, here: 0, elsewhere: Vec::new() };
    let mut from_here = 0u16;
    loop {
        let count = cursor.number(Expected::Payment)?;
        let tokens = cursor.takes(Word::Token);
        if cursor.takes(Word::Treasury) || cursor.takes(Word::Gold) {
            price.treasury = price.treasury.saturating_add(count);
            cursor.takes(Word::Token);
        } else if cursor.takes(Word::From) {
            cursor.skip_to_area(&[Word::Filler]);
            if cursor.takes(Word::Treasury) {
                price.treasury = price.treasury.saturating_add(count)
            } else {
                match cursor.area()? {
                    from if from == area => from_here = from_here.saturating_add(count),
                    from => price.elsewhere.push((from, count)),
                }
            }
        } else if tokens {
            price.here = price.here.saturating_add(count);
        } else {
            // Tokens are never destroyed unless the player wrote so.
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

/// Whether a ship comes next, for which something is paid: `for ship in Crete`.
pub(crate) fn sees_upkeep(cursor: &mut Cursor) -> bool {
    let start = cursor.place();
    cursor.skip(&[Word::Maintain, Word::For, Word::Filler]);
    let here = cursor.place();
    cursor.takes_number();
    let sees = cursor.sees(Word::Ship);
    cursor.back_to(if sees { here } else { start });
    sees
}

/// `ship in Crete`, `ship in Crete with token from Thera`.
pub(crate) fn maintain(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    if let Some(areas) = all_ships(cursor) {
        return areas
            .map(|areas| areas.into_iter().map(|area| Command::MaintainShip { area, token_from: None }).collect());
    }
    let (count, areas) = ship_in(cursor)?;
    cursor.skip_joints();
    let paid = cursor.takes(Word::With) | cursor.takes(Word::For) | cursor.takes(Word::Filler);
    let number = if paid { cursor.takes_number() } else { None };
    if areas.len() > 1 && (paid || cursor.sees(Word::Token)) {
        return Err(cursor.fault(Expected::EndOfOrder));
    }
    if paid && (cursor.takes(Word::Treasury) || cursor.takes(Word::Gold)) {
        return several(cursor, count, Command::MaintainShip { area: areas[0], token_from: None });
    }
    let token_from = if cursor.takes(Word::Token) {
        Some(if cursor.takes(Word::From) { cursor.area_as(Sense::Mine)? } else { areas[0] })
    } else if paid || number.is_some() {
        return Err(cursor.fault(Expected::Payment));
    } else {
        None
    };
    each(cursor, count, areas, |area| Command::MaintainShip { area, token_from })
}

/// `all ships`, `my ships`: every one that needs its upkeep; none where an area is named.
fn all_ships(cursor: &mut Cursor) -> Option<Result<Vec<AreaId>, Fault>> {
    let bearings = cursor.bearings?;
    let start = cursor.place();
    let none = cursor.fault(Expected::OwnShip);
    cursor.skip(&[Word::Filler]);
    let all = cursor.takes(Word::All);
    cursor.skip(&[Word::Filler]);
    let ships = cursor.takes(Word::Ship);
    let ends = cursor.is_over() || ships && cursor.sees_next_order();
    if !(all && ends) {
        cursor.back_to(start);
        return None;
    }
    let ships = bearings.old_ships();
    Some(if ships.is_empty() { Err(none) } else { Ok(ships) })
}

/// `ship in Crete`.
pub(crate) fn scrap(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    let (count, areas) = ship_in(cursor)?;
    each(cursor, count, areas, |area| Command::ScrapShip { area })
}

/// `ship in Crete`, `ships in Crete and Rhodes`, or only `Crete`, for nothing else is maintained or scrapped.
fn ship_in(cursor: &mut Cursor) -> Result<(u16, Vec<AreaId>), Fault> {
    cursor.skip_to_area(&[Word::Filler]);
    let count = cursor.takes_number();
    if !cursor.takes(Word::Ship) {
        cursor.skip_to_area(&[Word::In]);
        if count.is_some() || !cursor.sees_area() {
            return Err(cursor.fault(Expected::Ship));
        }
    }
    let count = count.unwrap_or(1);
    Ok((count, places(cursor, count)?))
}

fn several(cursor: &Cursor, count: u16, command: Command) -> Result<Vec<Command>, Fault> {
    match count {
        0 => Err(cursor.fault(Expected::Number)),
        count => Ok(vec![command; usize::from(count.min(MOST_SHIPS))]),
    }
}

/// The same for each of some areas, or several times for one.
fn each(
    cursor: &Cursor,
    count: u16,
    areas: Vec<AreaId>,
    command: impl Fn(AreaId) -> Command,
) -> Result<Vec<Command>, Fault> {
    match areas[..] {
        [area] => several(cursor, count, command(area)),
        _ => Ok(areas.into_iter().map(command).collect()),
    }
}
