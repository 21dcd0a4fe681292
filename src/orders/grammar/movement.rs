//! Orders of phase 3.

use super::{DEEPEST, cities, orders};
use crate::game::command::{Asks, SailAct, ShipPrice, Test};
use crate::game::{Command, Count, Owner, Phase};
use crate::orders::bearings::Sense;
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault, Named};
use crate::orders::lexemes::{Lexeme, LexemeKind};
use crate::orders::read::Written;
use crate::orders::vocabulary::Word;
use crate::rules::AreaId;

/// Ships that one line may speak of; more are illegal anyhow.
const MOST_SHIPS: u16 = 9;

/// Moves without a verb: `3 Crete > Thera`, `Crete > Thera 3`, `from Crete 3 to Thera`. What points with an arrow begins
/// like an order; what does not is one only if all of it is read, and by full names.
pub(crate) fn short_form(cursor: &mut Cursor) -> Option<Result<Written, Fault>> {
    let start = cursor.place();
    cursor.skip_to_area(&[Word::Filler]);
    let counted = cursor.takes_count().is_some();
    if cursor.takes_colon() {
        cursor.takes_count();
    }
    let has_arrow = cursor.has_arrow_ahead();
    cursor.skip_to_area(&[Word::Filler, Word::Token, Word::From, Word::In]);
    let begins = if counted { cursor.sees_area() } else { cursor.sees_full_area() };
    let points = if counted { has_arrow || begins && cursor.has_hyphen_ahead() } else { begins && has_arrow };
    if !begins && !points {
        cursor.back_to(start);
        return None;
    }
    let is_dash = |lexeme: &Lexeme| matches!(lexeme.kind, LexemeKind::Hyphen | LexemeKind::Arrow);
    let to = cursor.has_anywhere(|rest| Word::To.at(rest).is_some() || is_dash(&rest[0]));
    cursor.back_to(start);
    let read = labelled(cursor).and_then(|moves| cursor.end().map(|()| moves));
    match read {
        Ok(moves) if points || (counted || to) && cursor.is_sure && !cursor.is_question() => {
            Some(Ok(Written::Orders(moves)))
        }
        Err(fault) if points => Some(Err(fault)),
        Ok(_) | Err(_) => {
            cursor.forget();
            cursor.back_to(start);
            None
        }
    }
}

/// `3: Crete > Thera` has its number in front, unless another stands behind: then it is a label.
fn labelled(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    let start = cursor.place();
    let count = cursor.takes_count();
    if count.is_some() && cursor.takes_colon() {
        let labelled = walks(cursor);
        if labelled.is_ok() && cursor.is_over() {
            return labelled;
        }
        cursor.forget();
    }
    cursor.back_to(start);
    walks(cursor)
}

/// `move 3 from Crete to Thera`, `3 Crete > Thera, 2 Naxos > Crete`: as many moves as there are.
pub(crate) fn walks(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    let mut moves = leg(cursor, None)?;
    loop {
        let before = cursor.place();
        cursor.skip_joints();
        let then = cursor.takes(Word::Then);
        cursor.skip_joints();
        let again = cursor.takes(Word::Move);
        let begins = cursor.sees_count() || cursor.sees(Word::From) || cursor.sees_area();
        if cursor.is_over() || !begins {
            cursor.back_to(before);
            return Ok(moves);
        }
        // `and then 2 to Naxos`: nobody knows whether those that came go on.
        let origin = moves.last().and_then(origin).filter(|_| !then && !again);
        moves.extend(leg(cursor, origin)?);
    }
}

fn origin(command: &Command) -> Option<AreaId> {
    match command {
        Command::Move { path, .. } => path.first().copied(),
        _ => None,
    }
}

/// One way, and all that walk it: `3 from Crete to Thera`, `Crete > Thera 3`, `3 from Crete and 2 from Naxos to Thera`.
/// `before` is where the ones before came from, which `2 to Naxos` need not repeat.
fn leg(cursor: &mut Cursor, before: Option<AreaId>) -> Result<Vec<Command>, Fault> {
    let start = cursor.fault(Expected::NumberOfTokens);
    let count = tokens_ahead(cursor);
    // `move 3 to Thera from Crete`, `2 to Naxos`.
    if let Some(count) = count
        && (cursor.sees(Word::To) || cursor.sees_arrow())
    {
        return backwards(cursor, count, before);
    }
    cursor.skip_to_area(&[Word::Filler, Word::Token, Word::From, Word::In]);
    if count.is_none() && !cursor.sees_area() {
        return Err(start);
    }
    let known = cursor.read_as.len();
    let mut origins = vec![from(cursor, count)?];
    // `move turtle from Crete`: where no number stands, what only comes near a name need not be one.
    let is_unsure = count.is_none() && cursor.read_as.len() > known;
    // `3 from Crete and 2 from Naxos to Thera`.
    loop {
        let here = cursor.place();
        cursor.skip_joints();
        if cursor.place() == here || !cursor.sees_count() {
            cursor.back_to(here);
            break;
        }
        let count = tokens_ahead(cursor);
        cursor.skip_to_area(&[Word::Filler, Word::Token, Word::From, Word::In]);
        origins.push(from(cursor, count)?);
    }
    let steps = steps(cursor).map_err(|fault| if is_unsure { start.clone() } else { fault })?;
    if let [(count @ None, _)] = &mut origins[..] {
        *count = Some(trailing(cursor)?);
    }
    let counted = origins.into_iter().map(|(count, from)| {
        let path = [vec![from], steps.clone()].concat();
        count.map(|count| Command::Move { count, path })
    });
    counted.collect::<Option<Vec<_>>>().ok_or(start)
}

/// `3 tokens`, `all the tokens`, `a token`, `a couple of`. How many `the tokens` are, only the player knows.
fn tokens_ahead(cursor: &mut Cursor) -> Option<Count> {
    let start = cursor.place();
    cursor.skip_to_area(&[Word::Filler]);
    let article = cursor.place() > start;
    let count = cursor.takes_count().or_else(|| (article && cursor.sees(Word::OneToken)).then_some(Count::Exactly(1)));
    if count.is_none() {
        cursor.back_to(start);
    }
    cursor.takes(Word::Times);
    cursor.takes_colon();
    cursor.skip_to_area(&[Word::Filler, Word::Token]);
    count
}

/// `Crete`, `Crete 3`, `Crete: 3 tokens`, where tokens come from.
fn from(cursor: &mut Cursor, count: Option<Count>) -> Result<(Option<Count>, AreaId), Fault> {
    let area = cursor.area_as(Sense::Mine)?;
    if count.is_some() {
        return Ok((count, area));
    }
    let here = cursor.place();
    cursor.skip_joints();
    let behind = tokens_ahead(cursor).filter(|_| cursor.sees(Word::To) || cursor.sees_arrow() || cursor.sees_hyphen());
    if behind.is_none() {
        cursor.back_to(here);
    }
    Ok((behind, area))
}

/// `to Thera from Crete`, or `to Thera` alone if the ones before came from somewhere.
fn backwards(cursor: &mut Cursor, count: Count, before: Option<AreaId>) -> Result<Vec<Command>, Fault> {
    let mut steps = steps(cursor)?;
    let from = if cursor.takes(Word::From) && steps.len() == 1 {
        cursor.area_as(Sense::Mine)?
    } else {
        before.ok_or_else(|| cursor.fault(Expected::Area))?
    };
    steps.insert(0, from);
    Ok(vec![Command::Move { count, path: steps }])
}

/// `3`, `(3)`, `x3`, `: 3 tokens`, `with 3`, `move 3`, behind the way. Behind a comma it must not begin what comes next.
fn trailing(cursor: &mut Cursor) -> Result<Count, Fault> {
    let fault = cursor.fault(Expected::NumberOfTokens);
    if let Some(count) = cursor.takes_bracketed() {
        return Ok(Count::Exactly(count));
    }
    let start = cursor.place();
    cursor.skip_joints();
    let joined = cursor.place() > start;
    cursor.skip(&[Word::Move, Word::Times, Word::Filler]);
    let with = cursor.takes(Word::With);
    let count = cursor.takes_count().ok_or_else(|| fault.clone())?;
    cursor.skip(&[Word::Times, Word::Token]);
    let here = cursor.place();
    cursor.skip_joints();
    let ends = cursor.is_over() || cursor.place() > here;
    cursor.back_to(here);
    if joined && !with && !ends { Err(fault) } else { Ok(count) }
}

/// `to Thera`, `> Thera > Naxos`: one step at least.
fn steps(cursor: &mut Cursor) -> Result<Vec<AreaId>, Fault> {
    let mut steps = Vec::new();
    loop {
        let before = cursor.place();
        cursor.skip_joints();
        let by_way = cursor.sees(Word::Via);
        let pointed = cursor.points();
        // A further step is pointed at; what else follows is judged where the order must end.
        if !steps.is_empty() && (!pointed || cursor.sees_count() || cursor.sees_next_order()) {
            cursor.back_to(before);
            return Ok(steps);
        }
        let here = cursor.fault(Expected::Destination);
        let was_sure = std::mem::replace(&mut cursor.is_sure, true);
        let sense = cursor.last_area.map_or(Sense::Any, Sense::Beside);
        let area = cursor.area_as(sense).map_err(|fault| Fault {
            expected: if steps.is_empty() && !pointed { Expected::Destination } else { fault.expected },
            ..fault
        })?;
        // `Nafud De`: what nothing points at is a step only by its full name.
        if !pointed && !cursor.is_sure {
            return Err(here);
        }
        cursor.is_sure &= was_sure;
        // `to Thera via Naxos` comes to Naxos first.
        let place = if by_way { steps.len().saturating_sub(1) } else { steps.len() };
        steps.insert(place, area);
    }
}

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
    let read = sail(cursor).and_then(|command| cursor.end().map(|()| vec![command]));
    read.ok().filter(|_| count.is_none_or(|count| count == 1)).map(Ok)
}

/// `in Crete for 1 treasury and 1 token`, `in Crete and Rhodes`, behind `build ship`.
pub(crate) fn build_ship(cursor: &mut Cursor, count: u16) -> Result<Vec<Command>, Fault> {
    let mut areas = places(cursor, count)?;
    let price = match cursor.takes(Word::For) || cursor.takes(Word::With) {
        true if areas.len() > 1 => return Err(cursor.fault(Expected::EndOfOrder)),
        true => ship_price(cursor, areas[0])?,
        false => ShipPrice::treasury(),
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
    let token_from = match cursor.takes(Word::Token) {
        true if cursor.takes(Word::From) => Some(cursor.area_as(Sense::Mine)?),
        true => Some(areas[0]),
        false if paid || number.is_some() => return Err(cursor.fault(Expected::Payment)),
        false => None,
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

/// `from Crete load 3 to Rhodes unload 1 load 2 to Thera`.
pub(crate) fn sail(cursor: &mut Cursor) -> Result<Command, Fault> {
    cursor.skip_to_area(&[Word::Filler, Word::Ship]);
    // `sail 2 ships`: each has its own way.
    let start = cursor.place();
    if cursor.takes_number().is_some_and(|ships| ships != 1) && cursor.sees(Word::Ship) {
        cursor.back_to(start);
        return Err(cursor.fault(Expected::Area));
    }
    cursor.back_to(start);
    let mut acts = Vec::new();
    // `sail with 3 from Crete to Rhodes`, `sail 3 from Crete to Rhodes`.
    if cursor.takes_before_number(Word::With) || cursor.takes_before_number(Word::Load) || cursor.sees_count() {
        acts.push(SailAct::Load(tokens(cursor)?));
    }
    // `sail to Rhodes from Crete with 3`.
    let there = if cursor.takes(Word::To) { Some(cursor.area()?) } else { None };
    if there.is_some() && !cursor.sees(Word::From) {
        return Err(cursor.fault(Expected::Area));
    }
    cursor.skip_to_area(&[Word::From, Word::In, Word::Filler, Word::Ship]);
    let from = cursor.area_as(Sense::Port)?;
    acts.extend(there.map(SailAct::To));
    loop {
        cursor.skip_joints();
        cursor.takes(Word::Sail);
        if cursor.takes(Word::Load) {
            let aboard = SailAct::Load(tokens(cursor)?);
            if is_last(cursor) { cargo(cursor, &mut acts, aboard)? } else { acts.push(aboard) }
        } else if cursor.takes_before_number(Word::With) {
            let aboard = SailAct::Load(tokens(cursor)?);
            cargo(cursor, &mut acts, aboard)?;
        } else if let Some(count) = cursor.takes_bracketed() {
            cargo(cursor, &mut acts, SailAct::Load(Count::Exactly(count)))?;
        } else if cursor.takes(Word::Unload) {
            acts.push(SailAct::Unload(tokens(cursor)?));
        } else if cursor.sees_next_order() {
            break;
        } else if cursor.sees(Word::Via) && matches!(acts.last(), Some(SailAct::To(_))) {
            // `to Thera via Naxos` comes to Naxos first.
            cursor.points();
            let by_way = SailAct::To(cursor.area()?);
            acts.insert(acts.len() - 1, by_way);
        } else if cursor.points() || cursor.sees_area() {
            let sense = Sense::Across(last_stop(from, &acts));
            acts.push(SailAct::To(cursor.area_as(sense)?));
        } else if cursor.is_over() || acts.iter().any(is_step) {
            break;
        } else {
            return Err(cursor.fault(Expected::SailAct));
        }
    }
    if !acts.iter().any(is_step) {
        return Err(cursor.fault(Expected::Destination));
    }
    find_way(cursor, from, &mut acts);
    Ok(Command::Sail { from, acts })
}

/// Where a voyage has come so far.
fn last_stop(from: AreaId, acts: &[SailAct]) -> AreaId {
    let mut stops = acts.iter().rev().filter_map(|act| match act {
        SailAct::To(to) => Some(*to),
        SailAct::Load(_) | SailAct::Unload(_) => None,
    });
    stops.next().unwrap_or(from)
}

/// A voyage that names only its end goes the shortest way, which is fixed here; one that names more goes as it is written.
fn find_way(cursor: &Cursor, from: AreaId, acts: &mut Vec<SailAct>) {
    let mut steps = acts.iter().enumerate().filter_map(|(at, act)| match act {
        SailAct::To(to) => Some((at, *to)),
        SailAct::Load(_) | SailAct::Unload(_) => None,
    });
    let (Some((at, to)), None, Some(bearings)) = (steps.next(), steps.next(), cursor.bearings) else { return };
    if let Some(way) = bearings.way(from, to) {
        acts.splice(at..=at, way.into_iter().map(SailAct::To));
    }
}

fn is_last(cursor: &mut Cursor) -> bool {
    cursor.is_over() || cursor.sees_next_order()
}

/// `with 3` speaks of the start: behind the last step it means what came along, and in the middle nobody knows.
/// What is loaded behind the last step could not go anywhere either.
fn cargo(cursor: &mut Cursor, acts: &mut Vec<SailAct>, aboard: SailAct) -> Result<(), Fault> {
    let sailed = acts.iter().any(is_step);
    if sailed && (!is_last(cursor) || !acts.iter().all(is_step)) {
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
