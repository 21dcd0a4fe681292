//! The forecast: what would become of a sheet if nobody else did anything.
//!
//! Comes in: a state and one player's sheet. Goes out: a verdict for every line, what would happen and what would be true
//! then. It is the ruling itself that is asked, on that one sheet, as far as it can be played without drawing a card:
//! nothing here knows a rule of its own.

use std::collections::BTreeMap;

use super::sheet::{Entry, Sheet, commands};
use crate::game::event::Thwart;
use crate::game::{Chance, Commands, Event, Illegal, LineId, Phase, State, adjudicate};
use crate::rules::Civ;

/// How often a phase is resumed: once for a player who insists on his turn, and once more to be sure.
const MOST_RULINGS: usize = 3;

/// What would become of a sheet.
#[derive(Debug, Clone)]
pub struct Forecast {
    /// What would become of each line.
    pub verdicts: BTreeMap<LineId, Verdict>,
    /// What would happen.
    pub events: Vec<Event>,
    /// What would be true then.
    pub state: State,
}

/// What would become of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It may stand.
    Stands,
    /// It may not.
    Illegal(Illegal),
    /// It would find no occasion.
    Thwarted(Thwart),
    /// It is judged when its phase comes.
    Later,
    /// It has been played already.
    Played,
}

impl Forecast {
    /// Forecasts a sheet. `arrival` is the letter that is answered: of what works at once, only its lines are new.
    pub fn of(state: &State, civ: Civ, sheet: &Sheet, arrival: u64) -> Forecast {
        let mut forecast = Forecast { verdicts: BTreeMap::new(), events: Vec::new(), state: state.clone() };
        forecast.note(sheet, Phase::ALL, Verdict::Later);
        for phase in Phase::ALL.into_iter().filter(|phase| *phase >= state.phase()) {
            if !forecast.play(civ, sheet, phase, state, arrival) {
                break;
            }
        }
        forecast
    }

    /// Plays one phase; says whether the next can be foreseen as well.
    fn play(&mut self, civ: Civ, sheet: &Sheet, phase: Phase, now: &State, arrival: u64) -> bool {
        let is_open = phase == now.phase();
        match phase {
            _ if is_open && now.progress().acted.contains(&civ) => {
                self.judge(civ, sheet, phase, Some(arrival));
                false
            }
            Phase::Tax | Phase::Expansion | Phase::Movement | Phase::Conflict | Phase::Cities => {
                self.rule(civ, sheet, phase)
            }
            Phase::Abilities | Phase::Support | Phase::Advances => self.rule(civ, sheet, phase),
            // Cards are drawn here, or calamities called that others hold: nobody foresees them.
            Phase::Cards | Phase::Calamities => {
                self.judge(civ, sheet, phase, None);
                false
            }
            Phase::Trade if is_open => {
                self.trade(civ, sheet, arrival);
                false
            }
            Phase::Trade | Phase::Selection | Phase::Ast => false,
        }
    }

    /// Rules as at the cut-off, on this sheet alone.
    fn rule(&mut self, civ: Civ, sheet: &Sheet, phase: Phase) -> bool {
        self.note(sheet, [phase], Verdict::Stands);
        let sheets = BTreeMap::from([(civ, sheet.clone())]);
        let filed = commands(&sheets, phase, true);
        for _ in 0..MOST_RULINGS {
            self.adjudicate(&filed);
            if self.state.phase() != phase {
                return true;
            }
        }
        false
    }

    /// Rules on the lines of the letter, as when it arrives.
    fn trade(&mut self, civ: Civ, sheet: &Sheet, arrival: u64) {
        self.note(sheet, [Phase::Trade], Verdict::Played);
        let new: Vec<LineId> =
            sheet.part(Phase::Trade).iter().filter(|entry| entry.arrival == arrival).map(id).collect();
        self.verdicts.extend(new.iter().map(|line| (*line, Verdict::Stands)));
        let mut filed = commands(&BTreeMap::from([(civ, sheet.clone())]), Phase::Trade, false);
        filed.filed.retain(|filed| new.contains(&filed.line));
        self.adjudicate(&filed);
    }

    /// Asks of every line by itself whether it may stand; with an `arrival`, the lines of earlier letters were played.
    fn judge(&mut self, civ: Civ, sheet: &Sheet, phase: Phase, arrival: Option<u64>) {
        for entry in sheet.part(phase).iter().filter(|entry| !entry.next_turn) {
            let verdict = match arrival {
                Some(arrival) if entry.arrival != arrival => Verdict::Played,
                Some(_) | None => match phase.rules().may_stand(&self.state, civ, &entry.command) {
                    Ok(()) => Verdict::Stands,
                    Err(why) => Verdict::Illegal(why),
                },
            };
            self.verdicts.insert(entry.line, verdict);
        }
    }

    fn adjudicate(&mut self, filed: &Commands) {
        // The seed is nobody's: what depends on the real one is not foreseen.
        let (events, state) = adjudicate(&self.state, filed, &Chance::numbered(0));
        for event in &events {
            let (line, verdict) = match event {
                Event::Refused { line, why, .. } => (line, Verdict::Illegal(why.clone())),
                Event::Thwarted { line, why, .. } => (line, Verdict::Thwarted(why.clone())),
                _ => continue,
            };
            self.verdicts.insert(*line, verdict);
        }
        self.events.extend(events);
        self.state = state;
    }

    fn note(&mut self, sheet: &Sheet, phases: impl IntoIterator<Item = Phase>, verdict: Verdict) {
        let entries = phases.into_iter().flat_map(|phase| sheet.part(phase)).filter(|entry| !entry.next_turn);
        self.verdicts.extend(entries.map(|entry| (entry.line, verdict.clone())));
    }
}

fn id(entry: &Entry) -> LineId {
    entry.line
}
