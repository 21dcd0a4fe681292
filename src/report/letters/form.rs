//! The form: what a player owes, with the lines that stand for him as it is.
//!
//! Comes in: a state and the reader's sheet. Goes out: a part for each decision of the open mailing, with his own lines, his
//! standing orders or the named default, and what silence means. It looks at nothing that somebody may not know: a form
//! for calamities is the same for everybody. MC-19.

use minijinja::context;
use serde::Serialize;

use super::super::Names;
use super::super::templates::Templates;
use super::super::wording::worded;
use crate::game::{Awaited, Command, Decision, Phase, State};
use crate::orders::sheet::Entry;
use crate::orders::{Sheet, mailing, owed};
use crate::rules::Civ;

/// A form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Form {
    /// What is wanted, in few words each: `your movement`.
    pub wants: Vec<String>,
    /// Its parts.
    pub parts: Vec<Part>,
}

/// A part of a form: a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The number of the phase.
    pub phase: u8,
    /// The name of the phase.
    pub title: String,
    /// The lines that stand as it is.
    pub lines: Vec<String>,
    /// Whether they are the player's own: on his sheet, or for every turn.
    pub own: bool,
    /// What silence means.
    pub silence: String,
}

/// What a player owes in the open mailing, a sentence each with what silence means.
pub fn owed_lines(templates: &Templates, state: &State, civ: Civ, sheet: &Sheet) -> Vec<String> {
    let lines = owed(state, civ, sheet).into_iter().map(|awaited| {
        let phase = if awaited.decision == Decision::Abilities { Phase::Abilities } else { state.phase() };
        let wanted = templates.say("wanted", key(awaited.decision), context! {});
        let silence = part(templates, state, sheet, phase, awaited).silence;
        templates.say("form", "owed", context! { wanted, silence })
    });
    lines.collect()
}

/// What a player owes in the open mailing; none if that is nothing.
pub fn form(templates: &Templates, state: &State, civ: Civ, sheet: &Sheet) -> Option<Form> {
    let owed = owed(state, civ, sheet);
    if owed.is_empty() || state.has_ended() {
        return None;
    }
    let wants = owed.iter().map(|awaited| templates.say("wanted", key(awaited.decision), context! {}));
    let open = state.phase();
    let phases = match state.progress().asked {
        // Whoever insisted is asked for this phase alone.
        Some(_) => &mailing(open)[..1],
        None => mailing(open),
    };
    let parts = phases.iter().flat_map(|phase| {
        let asked = phase.rules().awaits(state).into_iter().filter(|awaited| awaited.civ == civ);
        asked.map(|awaited| part(templates, state, sheet, *phase, awaited))
    });
    Some(Form { wants: wants.collect(), parts: parts.collect() })
}

fn part(templates: &Templates, state: &State, sheet: &Sheet, phase: Phase, awaited: Awaited) -> Part {
    let names = Names::new(state.printed(), templates.language);
    let ends = matches!(awaited.decision, Decision::Movement | Decision::Trade);
    let silence = phase.rules().silence(state, awaited);
    let line = |command: &Command| worded(names, command);
    let default = silence.iter().map(line).collect::<Vec<_>>();
    // What was traded is history.
    let written = sheet.part(phase).iter().filter(|entry| !entry.next_turn && phase != Phase::Trade);
    let stands = |entry: &&Entry| entry.command.phase() == Some(phase);
    let mut own: Vec<String> = written.map(|entry| line(&entry.command)).collect();
    if own.is_empty() {
        own = sheet.standing().iter().filter(stands).map(|entry| line(&entry.command)).collect();
    }
    let is_own = !own.is_empty();
    if is_own && ends {
        own.extend(default.iter().filter(|line| !own.contains(line)).cloned().collect::<Vec<_>>());
    }
    let said = context! { default => default.join("; "), own => is_own };
    Part {
        phase: phase.number(),
        title: names.phase(phase).to_owned(),
        silence: templates.say("silence", key(awaited.decision), said),
        lines: if is_own { own } else { default },
        own: is_own,
    }
}

/// The key of a decision in the tables of phrases.
fn key(decision: Decision) -> &'static str {
    match decision {
        Decision::TaxRate => "tax_rate",
        Decision::Revolts => "revolts",
        Decision::Growth => "growth",
        Decision::Movement => "movement",
        Decision::Defence => "defence",
        Decision::Loot => "loot",
        Decision::Substitutes => "substitutes",
        Decision::Building => "building",
        Decision::Purchases => "purchases",
        Decision::Trade => "trade",
        Decision::Calamities => "calamities",
        Decision::Abilities => "abilities",
        Decision::Support => "support",
        Decision::Acquisition => "acquisition",
    }
}
