//! Wishes about deadlines: granted as the group has agreed, or answered with why not.

use chrono::Duration;
use minijinja::context;

use crate::archive::{self, DispatchKind, Party};
use crate::desk::clock::absence::{Absence, NoAbsence};
use crate::desk::clock::schedule::NoExtension;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::table::{deputising, voting};
use crate::orders::Answer;
use crate::orders::asking::Timing;
use crate::orders::sheet::Outcome;
use crate::rules::Civ;

/// How often news of the trade are sent to whoever has not said otherwise, in hours.
pub(in crate::desk) const USUAL_PACE: u16 = 6;

/// Grants wishes about deadlines, or says why not.
pub(in crate::desk) fn grant(sitting: &mut Sitting, civ: Civ, answers: &[Answer]) -> Vec<String> {
    let wished = answers.iter().filter_map(|answer| match answer.outcome {
        Outcome::Wished(timing) => Some(timing),
        _ => None,
    });
    wished.map(|timing| wish(sitting, civ, timing)).collect()
}

pub(in crate::desk) fn wish(sitting: &mut Sitting, civ: Civ, timing: Timing) -> String {
    let party = Party::Seat(civ);
    match timing {
        Timing::Extend { hours } => extend(sitting, party, hours),
        Timing::Away { until } => {
            let zone = sitting.table.zone(party);
            match Absence::written(until, sitting.now, zone) {
                Ok(absence) => away(sitting, party, absence),
                Err(NoAbsence::NoSuchDay) => sitting.say(party, "no_such_day", context! {}),
                Err(NoAbsence::Past { day }) => sitting.say(party, "day_is_over", context! { day => day.to_string() }),
                Err(NoAbsence::TooFar) => sitting.say(party, "day_too_far", context! {}),
            }
        }
        Timing::News { hours } => news(sitting, party, hours),
        Timing::Propose(what) => voting::propose(sitting, civ, what),
        Timing::Vote { number, yes } => voting::vote(sitting, civ, number, yes),
        Timing::Votes => voting::list(sitting, civ),
        Timing::Back => {
            let was_away = sitting.table.absences.iter().any(|absence| absence.party == party);
            sitting.table.absences.retain(|absence| absence.party != party);
            sitting.deed.people.back.push((party, sitting.now));
            if was_away {
                deputising::dismiss(sitting, party, "deputy_back", &sitting.cause.clone());
            }
            sitting.say(party, if was_away { "back" } else { "was_not_away" }, context! {})
        }
    }
}

/// How often somebody wants news of the trade: noted, or only told.
fn news(sitting: &mut Sitting, party: Party, hours: Option<u16>) -> String {
    if let (Some(hours), Some(seat)) = (hours, sitting.table.seat_mut(party)) {
        seat.news = Some(hours);
        sitting.write_seat(party);
    }
    pace(sitting, party)
}

/// How often somebody is sent news of the trade, as a sentence.
pub(in crate::desk) fn pace(sitting: &Sitting, party: Party) -> String {
    let hours = sitting.table.seat(party).and_then(|seat| seat.news);
    sitting.say(party, "news", context! { hours => hours.unwrap_or(USUAL_PACE), usual => hours.is_none() })
}

fn extend(sitting: &mut Sitting, party: Party, hours: u16) -> String {
    let used = sitting.table.seat(party).map_or(0, |seat| seat.extensions);
    let Some(cut_off) = sitting.table.game.hours.cut_off.filter(|_| sitting.table.is_running()) else {
        return sitting.say(party, "no_cut_off", context! {});
    };
    let schedule = &sitting.table.agreed.schedule;
    match schedule.extension(cut_off, hours, u8::try_from(used).unwrap_or(u8::MAX), sitting.now) {
        Ok(extension) => {
            sitting.table.game.hours.cut_off = Some(extension.cut_off);
            if let Some(seat) = sitting.table.seat_mut(party) {
                seat.extensions += 1;
                let seat = seat.clone();
                sitting.deed.seats.push(seat);
            }
            announce_cut_off(sitting, party, "extended");
            let cut_off = sitting.when(party, extension.cut_off);
            let left = u32::from(sitting.table.agreed.schedule.extensions).saturating_sub(used + 1);
            sitting.say(party, "extension", context! { hours => extension.hours, cut_off => cut_off, left => left })
        }
        Err(NoExtension::NotHere) => sitting.say(party, "no_extensions_here", context! {}),
        Err(NoExtension::AllUsed { allowed }) => sitting.say(party, "extensions_used", context! { allowed }),
        Err(NoExtension::TooLate) => sitting.say(party, "extension_too_late", context! {}),
        Err(NoExtension::NoHours) => sitting.say(party, "no_hours", context! {}),
    }
}

/// Ends the absences whose time is over, and tells the deputies so. What ended long ago, before anybody looked, is only
/// noted.
pub(in crate::desk) fn end_absences(sitting: &mut Sitting) {
    let is_over = |absence: &archive::Absence| absence.until.is_some_and(|until| until <= sitting.now);
    let over: Vec<archive::Absence> =
        sitting.table.absences.iter().filter(|absence| is_over(absence)).cloned().collect();
    for archive::Absence { party, until, .. } in over {
        let Some(until) = until else { continue };
        sitting.table.absences.retain(|absence| absence.party != party);
        sitting.deed.people.back.push((party, until));
        if sitting.now - until < LONG_AGO && sitting.table.game.status != archive::Status::Ended {
            deputising::dismiss(sitting, party, "deputy_over", &format!("absence-{}", until.timestamp()));
        }
    }
}

/// An absence that ended so long ago is no news.
const LONG_AGO: Duration = Duration::days(2);

fn away(sitting: &mut Sitting, party: Party, absence: Absence) -> String {
    let stored = archive::Absence { party, since: absence.from, until: absence.until };
    sitting.table.absences.retain(|other| other.party != party);
    sitting.table.absences.push(stored.clone());
    sitting.deed.people.back.push((party, sitting.now));
    sitting.deed.people.absences.push(stored);
    if let Some(cut_off) = sitting.table.game.hours.cut_off.filter(|_| sitting.table.is_running()) {
        let later = sitting.behind_absences(cut_off);
        if later > cut_off {
            sitting.table.game.hours.cut_off = Some(later);
            announce_cut_off(sitting, party, "waits_for_absence");
        }
    }
    deputising::tell(sitting, party, &sitting.cause.clone());
    // The last day itself, not the midnight after it.
    let until = absence.until.map(|until| sitting.when(party, until - chrono::Duration::minutes(1)));
    let deputy = sitting.table.seat(party).and_then(archive::SeatRecord::deputy_name);
    let waits = sitting.table.agreed.schedule.absences == crate::desk::clock::schedule::Absences::Wait;
    sitting.say(party, "away", context! { until => until, deputy => deputy, waits => waits })
}

/// Tells everybody else that the cut-off has moved, and why.
fn announce_cut_off(sitting: &mut Sitting, because_of: Party, why: &'static str) {
    let Some(cut_off) = sitting.table.game.hours.cut_off else { return };
    let name = because_of.civ();
    for party in sitting.everybody().into_iter().filter(|party| *party != because_of) {
        // A cut-off may come back to where it was; then this is another letter.
        let about = format!("cut-off-{}.{}", cut_off.timestamp(), sitting.cause);
        let envelope = Envelope { kind: DispatchKind::Absence, about, ..Envelope::default() };
        sitting.tell(party, envelope, &|sitting| {
            let civ = name.map(|civ| sitting.civ(party, civ));
            vec![sitting.say(party, why, context! { civ, cut_off => sitting.when(party, cut_off) })]
        });
    }
}
