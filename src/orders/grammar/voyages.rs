//! Voyages of phase 3: what a ship loads, where it goes, what it leaves there.

use crate::game::command::SailAct;
use crate::game::{Command, Count};
use crate::orders::bearings::Sense;
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault};
use crate::orders::vocabulary::Word;
use crate::rules::AreaId;

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
