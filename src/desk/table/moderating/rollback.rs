//! A game is taken back to the beginning of a phase.

use minijinja::context;

use super::name;
use crate::archive::{Archive, DispatchKind, Party, Reason, Status};
use crate::desk::table::sitting::Sitting;
use crate::desk::table::{companions, edited, overruling};
use crate::desk::{DeskError, Table};
use crate::game::{Event, State, TurnPhase, replay};
use crate::orders::{self, Sheet};
use crate::report::letters::Content;
use crate::rules::Civ;

/// A phase when it began; none where it never did.
pub(super) type Past = Option<Beginning>;

/// What was true when a phase began.
pub(super) struct Beginning {
    state: State,
    /// The number of the last event before that.
    number: u64,
    /// What was ordered in its turn.
    sheets: Vec<(Civ, Sheet)>,
}

/// Takes the game back. Sheets keep what is still to come; whoever had ended their movement may write again.
pub(super) fn roll_back(
    sitting: &mut Sitting,
    to: TurnPhase,
    beginning: Beginning,
    reason: Option<&str>,
) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    if sitting.table.game.status == Status::Inviting {
        return Err(sitting.say(me, "not_running", context! {}));
    }
    // It was true until now, and is told as such.
    edited::tell(sitting);
    let before = sitting.table.state.clone();
    let Beginning { state, number, sheets } = beginning;
    let (draws, from) = (*before.draws(), before.turn_phase());
    sitting.deed.rulings.void_behind = Some(number);
    sitting.table.game.era += 1;
    if sitting.table.game.status == Status::Ended {
        sitting.table.game.status = Status::Running;
    }
    sitting.table.ruled.steps = 0;
    sitting.table.state = state;
    let present = std::mem::replace(&mut sitting.table.sheets, sheets.into_iter().collect());
    // Everybody has a sheet from now on, so that none of a turn that did not happen is found again.
    for civ in sitting.table.state.ranking().collect::<Vec<_>>() {
        let sheet = sitting.table.sheets.entry(civ).or_default();
        if let Some(present) = present.get(&civ) {
            sheet.keep_standing(present);
        }
    }
    let companions: Vec<Civ> = sitting.table.companions().into_iter().map(|(civ, _)| civ).collect();
    for (civ, sheet) in &mut sitting.table.sheets {
        *sheet = sheet.reopened(to.phase);
        // A built-in player writes anew whatever is asked from now on.
        if let Some(asked) = orders::course::next_asked(to.phase).filter(|_| companions.contains(civ)) {
            *sheet = sheet.without_lines_from(asked);
        }
    }
    let event = Event::RolledBack { turn: to.turn, phase: to.phase, draws };
    let after = replay(&sitting.table.state, [&event]);
    sitting.record(vec![event], after, Reason::Moderator);
    let void = sitting.table.ruled.last_event - 1 - number;
    sitting.open_hours();
    if sitting.table.is_running() {
        companions::write(sitting);
    }
    for party in sitting.everybody().into_iter().filter(|party| *party != me) {
        let envelope = sitting.about_phase(DispatchKind::Rollback);
        sitting.tell_each(party, envelope, &|sitting, envelope| {
            let own = |civ| overruling::standing_lines(sitting, party, civ, to.phase);
            let kept = party.civ().map(own).unwrap_or_default();
            sitting.write(party, envelope, &Content::Rollback { to, from, kept: &kept, reason });
        });
    }
    let facts = context! { phase => name(sitting, to), from => name(sitting, from), events => void };
    Ok(vec![sitting.say(me, "rolled_back", facts)])
}

/// Replays a game up to the beginning of a phase.
pub(super) fn before_phase(archive: &Archive, table: &Table, to: TurnPhase) -> Result<Past, DeskError> {
    // A phase may begin with the ruling that ended the turn before.
    let (mut state, from) = table.state_before(archive, to.turn.saturating_sub(1))?;
    let mut last = from - 1;
    let mut found = None;
    for (number, event) in archive.numbered_events(&table.game.id, from)? {
        let was = state.turn_phase();
        state.apply(&event);
        last = number;
        let is = state.turn_phase();
        if is == to && was != to {
            found = Some((state.clone(), last));
        }
    }
    // The phase that is open now has not been ruled: there is nothing to take back before its first event.
    let found = found.filter(|(_, number)| *number < last);
    let beginning = |(state, number)| {
        // The sheets of the open turn are newer at the table than anywhere else.
        let sheets = if to.turn == table.state.turn() {
            table.sheets.clone().into_iter().collect()
        } else {
            archive.sheets(&table.game.id, to.turn)?
        };
        Ok(Beginning { state, number, sheets })
    };
    found.map(beginning).transpose()
}
