//! The forecast: what would become of a sheet if nobody else did anything.
//!
//! Comes in: what a player knows, and their sheet. Goes out: a verdict for every line, what would happen and what would
//! be known then. It is the ruling itself that is asked, on that one sheet, as far as it can be played without drawing
//! a card: nothing here knows a rule of its own. A line that depends on a card which the player has not seen is judged
//! later.

use std::collections::{BTreeMap, BTreeSet};

use super::course;
use super::sheet::{Entry, Sheet};
use crate::game::event::Thwart;
use crate::game::{Command, Commands, Event, Illegal, Known, LineId, Phase};
use crate::rules::{Civ, TradeCard};

/// How often a phase is resumed: once for a player who insists on their turn, and once more to be sure.
const MOST_RULINGS: usize = 3;

/// What would become of a sheet.
#[derive(Debug, Clone)]
pub struct Forecast {
    /// What would become of each line.
    pub verdicts: BTreeMap<LineId, Verdict>,
    pub events: Vec<Event>,
    /// What would be known then.
    pub known: Known,
    /// Whose cards are no longer known for certain: something was drawn, received or lost unseen.
    uncertain: BTreeSet<Civ>,
}

/// What would become of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Stands,
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
    pub fn of(now: &Known, civ: Civ, sheet: &Sheet, arrival: u64) -> Forecast {
        let mut forecast =
            Forecast { verdicts: BTreeMap::new(), events: Vec::new(), known: now.clone(), uncertain: BTreeSet::new() };
        forecast.note(sheet, Phase::ALL, Verdict::Later);
        for phase in Phase::ALL.into_iter().filter(|phase| *phase >= now.phase()) {
            if !forecast.play(civ, sheet, phase, now, arrival) {
                break;
            }
        }
        forecast
    }

    /// Plays one phase; says whether the next can be foreseen as well.
    fn play(&mut self, civ: Civ, sheet: &Sheet, phase: Phase, now: &Known, arrival: u64) -> bool {
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
        let filed = course::closing(&sheets, phase);
        for _ in 0..MOST_RULINGS {
            let (events, known) = self.known.foresee(&filed);
            self.take(events, known);
            if self.known.phase() != phase {
                return true;
            }
        }
        false
    }

    /// Rules on the lines of the letter, as when it arrives.
    fn trade(&mut self, civ: Civ, sheet: &Sheet, arrival: u64) {
        self.note(sheet, [Phase::Trade], Verdict::Played);
        let new: Vec<&Entry> = sheet.part(Phase::Trade).iter().filter(|entry| entry.arrival == arrival).collect();
        self.verdicts.extend(new.iter().map(|entry| (entry.line, Verdict::Stands)));
        let lines = new.iter().map(|entry| entry.line).collect();
        let sheets = BTreeMap::from([(civ, sheet.clone())]);
        let Some(mut filed) = course::arriving(&sheets, Phase::Trade, civ, &lines) else { return };
        loop {
            let (events, known) = self.known.foresee(&filed);
            let open = second_trades(&self.known, &filed, &events);
            if open.is_empty() {
                return self.take(events, known);
            }
            // Whether somebody who has traded still has what another offer of their gives, only the person knows.
            filed.filed.retain(|filed| !open.contains(&filed.line));
            self.verdicts.extend(open.into_iter().map(|line| (line, Verdict::Later)));
        }
    }

    /// Asks of every line by itself whether it may stand; with an `arrival`, the lines of earlier letters were played.
    fn judge(&mut self, civ: Civ, sheet: &Sheet, phase: Phase, arrival: Option<u64>) {
        for entry in sheet.part(phase).iter().filter(|entry| !entry.next_turn) {
            let verdict = match arrival {
                Some(arrival) if entry.arrival != arrival => Verdict::Played,
                Some(_) | None => match phase.rules().may_stand(&self.known, civ, &entry.command) {
                    Ok(()) => Verdict::Stands,
                    Err(why) => self.verdict(civ, why),
                },
            };
            self.verdicts.insert(entry.line, verdict);
        }
    }

    /// Notes what would happen, and what it says of the lines.
    fn take(&mut self, events: Vec<Event>, known: Known) {
        for event in &events {
            self.uncertain.extend(moved_unseen(event));
            let (line, verdict) = match event {
                Event::Refused { civ, line, why } => (line, self.verdict(*civ, why.clone())),
                Event::Thwarted { line, why, .. } => (line, Verdict::Thwarted(why.clone())),
                _ => continue,
            };
            self.verdicts.insert(*line, verdict);
        }
        self.events.extend(events);
        self.known = known;
    }

    /// What a refusal means: where it is for want of cards, and the player does not know all of their own, nothing yet.
    fn verdict(&self, civ: Civ, why: Illegal) -> Verdict {
        let wants_cards = matches!(why, Illegal::NotInHand { .. } | Illegal::TooDear { .. });
        if wants_cards && self.uncertain.contains(&civ) { Verdict::Later } else { Verdict::Illegal(why) }
    }

    fn note(&mut self, sheet: &Sheet, phases: impl IntoIterator<Item = Phase>, verdict: Verdict) {
        let entries = phases.into_iter().flat_map(|phase| sheet.part(phase)).filter(|entry| !entry.next_turn);
        self.verdicts.extend(entries.map(|entry| (entry.line, verdict.clone())));
    }
}

/// The lines that accept something of a player with whom an earlier one has traded already.
fn second_trades(known: &Known, filed: &Commands, events: &[Event]) -> Vec<LineId> {
    let maker = |number: u16| {
        let offer = known.progress().offers.iter().find(|offer| offer.number == number);
        offer.map(|offer| offer.from)
    };
    let made =
        |number: u16| events.iter().any(|event| matches!(event, Event::TradeMade { number: n, .. } if *n == number));
    let mut traded = BTreeSet::new();
    let mut second = Vec::new();
    for filed in &filed.filed {
        let Command::Accept { number, .. } = filed.command else { continue };
        let Some(maker) = maker(number) else { continue };
        if traded.contains(&maker) {
            second.push(filed.line)
        } else if made(number) {
            _ = traded.insert(maker)
        }
    }
    second
}

/// Whose hand is no longer known for certain after this.
fn moved_unseen(event: &Event) -> Vec<Civ> {
    let is_unseen = |cards: &[TradeCard]| cards.iter().any(|card| card.face.is_unseen());
    match event {
        Event::TradeMade { from, to, given, received, .. } if is_unseen(given) || is_unseen(received) => {
            vec![*from, *to]
        }
        Event::CardGiven { from, to, card } | Event::CardTaken { from, to, card } if card.face.is_unseen() => {
            vec![*from, *to]
        }
        // Which of the player's own cards chance takes, nobody foresees.
        Event::CardTaken { from, .. } => vec![*from],
        _ => Vec::new(),
    }
}
