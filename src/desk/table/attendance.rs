//! Who was there when a cut-off passed: misses in a row are counted, and forgiven where a letter came in time after all.
//!
//! Comes in: what was asked of whom, and who has written. Goes out: how often each has missed, and what the group wants done then.

use chrono::{DateTime, Utc};

use super::standing_in::{Candidate, keep, show};
use crate::archive::Tally;
use crate::desk::table::sitting::Sitting;
use crate::game::{Known, Reader};
use crate::orders::{Sheet, mailing, owed};
use crate::rules::Civ;

/// Who was there at a cut-off, of those who were asked for something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::desk) struct Attendance {
    /// Those who have written something.
    pub came: Vec<Civ>,
    /// Those who have written nothing, and have not said that they are away.
    pub missed: Vec<Civ>,
    /// Until when a letter would have counted.
    pub until: Option<DateTime<Utc>>,
}

/// Who was there, before the open phase is ruled. Whoever is asked for nothing is neither there nor missing, nor is somebody for
/// whom standing orders alone have answered; and who has come to the seat since the phase opened has missed nothing yet.
pub(in crate::desk) fn attendance(sitting: &Sitting, silent: &[Civ]) -> Attendance {
    let table = &sitting.table;
    let known = Known::of(&table.state, Reader::Public);
    let phases = mailing(table.state.phase());
    let wrote = |civ: &Civ| {
        phases.iter().any(|phase| !table.sheet(*civ).part(*phase).is_empty() || table.sheet(*civ).is_settled(*phase))
    };
    let is_asked = |civ: &Civ| !owed(&known, *civ, &Sheet::default()).is_empty();
    let is_new = |civ: &Civ| {
        table.missing.came.get(civ).is_some_and(|came| table.game.hours.opened.is_some_and(|opened| opened < *came))
    };
    Attendance {
        came: sitting.people().into_iter().filter(|civ| is_asked(civ) && wrote(civ)).collect(),
        missed: silent.iter().copied().filter(|civ| !is_new(civ)).collect(),
        until: table.game.hours.cut_off.map(|cut_off| table.agreed.schedule.last_moment(cut_off)),
    }
}

/// A cut-off is over: whoever has written nothing has missed one more in a row, and whoever was there none.
pub(in crate::desk) fn count(sitting: &mut Sitting, there: &Attendance, standing: &[Candidate]) {
    let in_time = there.came.iter().map(|civ| Tally { civ: *civ, in_time: 1, missed: 0 });
    let missed = there.missed.iter().map(|civ| Tally { civ: *civ, in_time: 0, missed: 1 });
    sitting.deed.people.tallies.extend(in_time.chain(missed));
    // A game that has just ended counts no more.
    if !sitting.table.is_running() {
        return;
    }
    let rules = sitting.table.agreed.missing;
    for civ in &there.came {
        sitting.table.missing.missed.remove(civ);
        sitting.table.missing.late.remove(civ);
    }
    for civ in &there.missed {
        let missing = &mut sitting.table.missing;
        missing.late.extend(there.until.map(|until| (*civ, until)));
        let missed = missing.missed.entry(*civ).or_default();
        *missed = missed.saturating_add(1);
        let missed = *missed;
        let keeps = rules.companion.filter(|_| rules.after > 0 && missed >= rules.after);
        // Who has just left the game for good is nobody's to stand in for.
        if !sitting.people().contains(civ) {
            continue;
        }
        if let Some(temperament) = keeps {
            keep(sitting, *civ, temperament, &format!("missed-{}-{}", civ.0, sitting.cause.clone()));
            show(sitting, *civ, missed, standing);
        } else if rules.told > 0 && missed == rules.told {
            show(sitting, *civ, missed, standing);
        }
    }
}

/// Whether the game has waited long enough for everybody whom it still waits for.
pub(in crate::desk) fn waits_no_longer(sitting: &Sitting, silent: &[Civ]) -> bool {
    let waits = sitting.table.agreed.missing.waits;
    // The one that is missed now is not counted yet.
    let missed = |civ: &Civ| sitting.table.missing.missed.get(civ).copied().unwrap_or(0).saturating_add(1);
    let owing = sitting.table.owing();
    waits > 0 && !owing.is_empty() && owing.iter().all(|civ| silent.contains(civ) && missed(civ) >= waits)
}

/// A letter has come from a seat. Where it was with its carrier before the cut-off that was counted as missed, and only we
/// got it later, nothing was missed.
pub(in crate::desk) fn pardon(sitting: &mut Sitting, civ: Civ, arrived: DateTime<Utc>) {
    let missing = &mut sitting.table.missing;
    if missing.late.get(&civ).is_none_or(|until| *until < arrived) {
        return;
    }
    missing.late.remove(&civ);
    sitting.deed.people.tallies.push(Tally { civ, in_time: 1, missed: -1 });
    let missing = &mut sitting.table.missing;
    match missing.missed.get(&civ).copied().unwrap_or(0) {
        0 | 1 => missing.missed.remove(&civ),
        more => missing.missed.insert(civ, more - 1),
    };
}
