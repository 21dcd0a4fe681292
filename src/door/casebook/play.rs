//! Playing a case: letters through the reading desk, phases through the adjudicator.

use std::collections::{BTreeMap, BTreeSet};

use super::page::{Case, Unreadable};
use super::position::{self, Position};
use super::{CaseTable, check};
use crate::game::{Commands, Event, Illegal, Known, LineId, Phase, Reader, State, adjudicate, laws};
use crate::orders::course::{self, Course, Cue};
use crate::orders::sheet::Outcome;
use crate::orders::{Bearings, Bound, Lens, Sheet, is_trial, read_reply};
use crate::rules::Civ;

/// What a case led to.
pub(crate) struct Played {
    pub events: Vec<Event>,
    /// What is true now.
    pub state: State,
    /// The lines that were refused, by player.
    pub refused: BTreeMap<Civ, BTreeSet<usize>>,
}

/// Plays a case and says what was expected and not found.
pub(crate) fn play(table: &CaseTable, case: &Case) -> Result<Vec<String>, Unreadable> {
    let state = case.state.as_ref().ok_or_else(|| Unreadable::at(case.line, "a `state` block in this case"))?;
    let after = case.after.as_ref().ok_or_else(|| Unreadable::at(case.line, "an `after` block in this case"))?;
    let position = position::parse(table, state)?;
    let mut desk = Worktop::default();
    for (arrival, (name, block)) in (0..).zip(&case.orders) {
        let civ = table.lexicon.civs.exact(name).filter(|civ| position.state.is_seated(*civ));
        let civ = civ.ok_or_else(|| Unreadable::at(block.line, "`orders` and a civilization of the `ranking` line"))?;
        let letter: Vec<_> = block.lines.iter().map(|(_, line)| line.as_str()).collect();
        desk.receive(table, civ, &letter.join("\n"), &position.state, arrival);
    }
    let played = desk.rule(&position);
    let mut faults = check::check(table, after, &position, &played)?;
    faults.extend(broken_law(&position.state, &played));
    Ok(faults)
}

/// The sheets of a case, and where each line came from.
#[derive(Default)]
struct Worktop {
    sheets: BTreeMap<Civ, Sheet>,
    lines: BTreeMap<(Civ, LineId), usize>,
    read: BTreeMap<Civ, usize>,
    refused: BTreeMap<Civ, BTreeSet<usize>>,
}

impl Worktop {
    fn receive(&mut self, table: &CaseTable, civ: Civ, text: &str, state: &State, arrival: u64) {
        let open = state.phase();
        let sheet = self.sheets.entry(civ).or_default();
        let known = Known::of(state, Reader::Player(civ));
        let bearings = Bearings::of(&known, civ);
        let lens = Lens { lexicon: &table.lexicon, bearings: Some(&bearings) };
        let letter = read_reply(text, lens, sheet.doubts());
        let before = self.read.get(&civ).copied().unwrap_or(0);
        self.read.insert(civ, before + letter.len());
        if is_trial(&letter) {
            return;
        }
        for answer in sheet.add(&letter, open, arrival) {
            let line = before + answer.line;
            match answer.outcome {
                Outcome::Filed(filed) => self.lines.extend(filed.into_iter().map(|id| ((civ, id), line))),
                // A line of a phase that the case does not play is no refusal.
                Outcome::Illegal(Illegal::WrongPhase { .. }) => {}
                // What was asked before is answered.
                Outcome::Beyond(Bound::Again) => {}
                Outcome::Illegal(_) | Outcome::Fault(_) | Outcome::Beyond(_) => {
                    self.refused.entry(civ).or_default().insert(line);
                }
                Outcome::Quoted
                | Outcome::Remark
                | Outcome::TakenBack(_)
                | Outcome::NoOccasion
                | Outcome::Sent(_)
                | Outcome::Held(_)
                | Outcome::Asked(_)
                | Outcome::Wished(_)
                | Outcome::NotEnded(_)
                | Outcome::NoSuchName => {}
            }
        }
    }

    /// Rules on one phase after another, as at a deadline, until a player who waits is to be asked.
    fn rule(self, position: &Position) -> Played {
        let mut deadline =
            Deadline { desk: self, position, state: position.state.clone(), events: Vec::new(), step: Step::Opens };
        course::drive(&mut deadline);
        Played { events: deadline.events, state: deadline.state, refused: deadline.desk.refused }
    }
}

/// A case that is being ruled.
struct Deadline<'a> {
    desk: Worktop,
    position: &'a Position,
    state: State,
    events: Vec<Event>,
    step: Step,
}

/// How far the open phase has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Nothing has been ruled in it.
    Opens,
    /// What works at once has been ruled.
    Open,
    /// It was ruled as at the cut-off, and waits for somebody.
    Waits,
}

impl Course for Deadline<'_> {
    fn phase(&self) -> Phase {
        self.state.phase()
    }

    fn goes_on(&self) -> bool {
        let is_asked_for = (self.position.state.phase()..=self.position.last).contains(&self.state.phase());
        let is_same_turn = self.state.turn() == self.position.state.turn();
        self.step != Step::Waits && is_asked_for && is_same_turn && !self.state.has_ended()
    }

    fn is_fresh(&self) -> bool {
        self.step == Step::Opens
    }

    fn sheets(&mut self) -> &mut BTreeMap<Civ, Sheet> {
        &mut self.desk.sheets
    }

    /// Everybody in a case writes the letters of its page.
    fn asked(&self) -> Vec<Civ> {
        Vec::new()
    }

    fn write(&mut self, _civ: Civ) -> Option<BTreeSet<LineId>> {
        None
    }

    fn is_due(&mut self) -> bool {
        true
    }

    fn rule(&mut self, filed: &Commands, cue: Cue) -> bool {
        let (events, then) = adjudicate(&self.state, filed, &self.position.chance);
        for event in &events {
            if let Event::Refused { civ, line, .. } = event
                && let Some(line) = self.desk.lines.get(&(*civ, *line))
            {
                self.desk.refused.entry(*civ).or_default().insert(*line);
            }
        }
        self.step = match cue {
            _ if then.phase() != self.state.phase() => Step::Opens,
            Cue::Opens | Cue::Letter => Step::Open,
            Cue::CutOff => Step::Waits,
        };
        let is_anything = !events.is_empty();
        self.events.extend(events);
        self.state = then;
        is_anything
    }
}

/// The two laws that every case obeys: a replay gives the final state, and nothing is lost on the way.
fn broken_law(opening: &State, played: &Played) -> Option<String> {
    let mut state = opening.clone();
    for event in &played.events {
        state.apply(event);
        if let Some(law) = laws::broken(&state) {
            return Some(format!("a law is broken after {event:?}: {law}"));
        }
    }
    (state != played.state).then(|| "replaying the events gives another state".to_owned())
}
