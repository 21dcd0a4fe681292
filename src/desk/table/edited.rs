//! What the moderator has edited, told in one letter: edits come in bursts, and a slip is put right by the next one.
//!
//! Comes in: lines that were put on a sheet, and what was set right on the board. Goes out: ten minutes behind the first of
//! them, or with whatever is ruled before that, a letter to everybody with all of it. Which lines are on a sheet only its own
//! readers are told. What waits stands with the game, so that a restart loses nothing of it.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use minijinja::context;
use serde::{Deserialize, Serialize};

use super::overruling;
use crate::archive::{DispatchKind, GameRecord, Party};
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::game::Known;
use crate::game::correction::Correction;
use crate::orders::Sheet;
use crate::report::Names;
use crate::report::set_right::set_right;
use crate::rules::{Civ, Language};

/// So long a letter waits for further edits.
const HELD: Duration = Duration::minutes(10);

/// What everybody is still to be told.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Edited {
    /// What brought the first of it about: its letter is called so.
    cause: String,
    /// When it leaves at the latest; none while there is nothing to tell.
    due: Option<DateTime<Utc>>,
    edits: Vec<Edit>,
}

/// One of them, in the words of every language: a seat may have another reader by the time that it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Edit {
    /// Lines on a player's sheet.
    Sheet { civ: Civ, lines: BTreeMap<Language, Vec<String>> },
    /// Something on the board.
    Board(BTreeMap<Language, String>),
}

/// Reads what waits in a game.
pub(crate) fn stored(game: &GameRecord) -> Edited {
    serde_json::from_str(&game.edits).unwrap_or_default()
}

/// When it is to be told.
pub(in crate::desk) fn next(game: &GameRecord) -> Option<DateTime<Utc>> {
    stored(game).due
}

/// Lines have come onto a player's sheet.
pub(super) fn note_lines(sitting: &mut Sitting, civ: Civ, sheet: &Sheet, arrival: u64) {
    let printed = sitting.table.edition.printed.clone();
    let said = |language| overruling::worded_lines(Names::new(&printed, language), sheet, arrival);
    note(sitting, Edit::Sheet { civ, lines: Language::ALL.into_iter().map(|all| (all, said(all))).collect() });
}

/// Something was set right on the board.
pub(super) fn note_change(sitting: &mut Sitting, before: &Known, change: Correction) {
    let edition = sitting.table.edition.clone();
    let said = |language| set_right(edition.templates(language), before, change);
    note(sitting, Edit::Board(Language::ALL.into_iter().map(|all| (all, said(all))).collect()));
}

fn note(sitting: &mut Sitting, edit: Edit) {
    let (cause, due) = (sitting.cause.clone(), sitting.now + HELD);
    let edited = &mut sitting.table.edited;
    if edited.due.is_none() {
        *edited = Edited { cause, due: Some(due), edits: Vec::new() };
    }
    edited.edits.push(edit);
}

/// Tells everybody now what waits; nothing, if nothing does.
pub(in crate::desk) fn tell(sitting: &mut Sitting) {
    let Edited { cause, due: Some(_), edits } = std::mem::take(&mut sitting.table.edited) else { return };
    sitting.speaks = Some(Party::Moderator);
    for party in sitting.everybody().into_iter().filter(|party| *party != Party::Moderator) {
        let about = format!("{cause}.edits");
        let envelope = Envelope { kind: DispatchKind::Edits, about, ..Envelope::default() };
        sitting.tell(party, envelope, &|sitting| worded(sitting, party, &edits));
    }
    sitting.speaks = None;
}

/// All of it as one reader is told, what is on their own sheet first.
fn worded(sitting: &Sitting, party: Party, edits: &[Edit]) -> Vec<String> {
    let language = sitting.words(party).language;
    let (mut own, mut others, mut changes) = (Vec::new(), Vec::new(), Vec::new());
    for edit in edits {
        match edit {
            Edit::Sheet { civ, lines } if party == Party::Seat(*civ) => {
                own.extend(lines.get(&language).into_iter().flatten().map(String::as_str));
            }
            Edit::Sheet { civ, .. } => {
                let line = sitting.say(party, "orders_edited", context! { civ => sitting.civ(party, *civ) });
                if !others.contains(&line) {
                    others.push(line);
                }
            }
            Edit::Board(said) => changes.extend(said.get(&language).map(String::as_str)),
        }
    }
    let said = |key, facts| sitting.say(party, key, facts).lines().map(str::to_owned).collect::<Vec<_>>();
    let own = (!own.is_empty()).then(|| said("orders_edited_yours", context! { lines => own.join("\n") }));
    let board = (!changes.is_empty()).then(|| said("corrected", context! { changes => changes.join("\n") }));
    own.into_iter().flatten().chain(others).chain(board.into_iter().flatten()).collect()
}
