//! What the moderator does to the clock: another deadline, a ruling at once, a pause and its end.

use chrono::TimeZone;
use minijinja::context;

use super::{lines, name};
use crate::archive::{DispatchKind, Party, Reason, Status};
use crate::desk::clock::tell_moved;
use crate::desk::table::commanding::NewDeadline;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::table::{companions, creating};

pub(super) fn deadline(sitting: &mut Sitting, to: NewDeadline) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    let Some(old) = sitting.table.game.hours.cut_off.filter(|_| sitting.table.is_running()) else {
        return Err(sitting.say(me, "no_cut_off", context! {}));
    };
    let new = match to {
        NewDeadline::Later(length) => old + length.delta(),
        NewDeadline::Earlier(length) => old - length.delta(),
        NewDeadline::At(local) => match sitting.table.zone(me).0.from_local_datetime(&local).latest() {
            Some(time) => time.to_utc(),
            None => return Err(sitting.say(me, "no_such_day", context! {})),
        },
    };
    if new <= sitting.now {
        return Err(sitting.say(me, "deadline_past", context! {}));
    }
    sitting.table.game.hours.cut_off = Some(new);
    tell_moved(sitting, "deadline_moved", new);
    let facts = context! { old => sitting.when(me, old), new => sitting.when(me, new) };
    Ok(vec![sitting.say(me, "deadline", facts)])
}

pub(super) fn process(sitting: &mut Sitting) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    if !sitting.table.is_running() {
        return Err(sitting.say(me, "not_running", context! {}));
    }
    let missing: Vec<_> = sitting.table.owing().into_iter().map(|civ| sitting.civ(me, civ)).collect();
    let was = name(sitting, sitting.table.phase());
    sitting.rule_on(Reason::Moderator);
    // Who has written something and not ended it is for nobody to know, so all who are awaited are told of alike.
    let facts = context! { missing => missing.join(", "), was, phase => name(sitting, sitting.table.phase()) };
    Ok(lines(sitting.say(me, "processed", facts)))
}

pub(super) fn pause(sitting: &mut Sitting) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    if !sitting.table.is_running() {
        return Err(sitting.say(me, "not_running", context! {}));
    }
    sitting.table.game.status = Status::Paused;
    sitting.table.game.hours.paused = Some(sitting.now);
    tell_everybody(sitting, "paused");
    let cut_off = sitting.table.game.hours.cut_off.map(|cut_off| sitting.when(me, cut_off));
    let left = sitting.table.game.hours.cut_off.map(|cut_off| cut_off - sitting.now);
    let left = left.filter(|left| left.num_minutes() > 0).map(|left| creating::length(sitting, me, left));
    Ok(vec![sitting.say(me, "paused_before_after", context! { cut_off, left })])
}

pub(super) fn resume(sitting: &mut Sitting) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    if sitting.table.game.status != Status::Paused {
        return Err(sitting.say(me, "not_paused", context! {}));
    }
    let hours = sitting.table.game.hours;
    go_on(sitting);
    let Some(cut_off) = sitting.table.game.hours.cut_off else { return Ok(Vec::new()) };
    tell_moved(sitting, "resumed", cut_off);
    let old = hours.cut_off.map(|old| sitting.when(me, old));
    Ok(vec![sitting.say(me, "resumed_before_after", context! { old, cut_off => sitting.when(me, cut_off) })])
}

/// The clock goes on. Nobody is told yet.
pub(in crate::desk::table) fn go_on(sitting: &mut Sitting) {
    sitting.table.game.status = Status::Running;
    let hours = sitting.table.game.hours;
    match hours.cut_off.zip(hours.paused) {
        // What was left when the clock stopped is left again.
        Some((cut_off, paused)) => {
            let later = sitting.table.agreed.schedule.resumed(cut_off, paused, sitting.now);
            sitting.table.game.hours.cut_off = Some(sitting.behind_absences(later));
        }
        None => sitting.open_hours(),
    }
    sitting.table.game.hours.paused = None;
    // Built-in players whose offers a rollback took back in the pause make them now.
    companions::write(sitting);
}

fn tell_everybody(sitting: &mut Sitting, key: &'static str) {
    for party in sitting.everybody().into_iter().filter(|party| *party != Party::Moderator) {
        let about = format!("{key}.{}", sitting.cause);
        let envelope = Envelope { kind: DispatchKind::Announcement, about, ..Envelope::default() };
        sitting.tell(party, envelope, &|sitting| vec![sitting.say(party, key, context! {})]);
    }
}
