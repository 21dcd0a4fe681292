//! A game in memory between companions: letters in, rulings out.
//!
//! Comes in: a scenario and a seed. Goes out: one ruling after another. Every letter takes the way of a real one: it is
//! written from the writer's own view, read by the reading desk, filed on his sheet and ruled by the adjudicator.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::companions::{self, Temperament};
use crate::game::{Chance, Commands, Event, LineId, Phase, Rulebook, State, adjudicate, setup};
use crate::orders::sheet::Outcome;
use crate::orders::{Lexicon, Sheet, commands, read};
use crate::report::View;
use crate::rules::{AstSide, Civ, PrintedGame, Scenario};

/// How often everybody is asked in a trade phase before the cut-off.
const TRADE_ROUNDS: usize = 12;

/// A game under way.
pub struct Session {
    state: State,
    chance: Chance,
    lexicon: Lexicon,
    seats: BTreeMap<Civ, Temperament>,
    sheets: BTreeMap<Civ, Sheet>,
    tally: Tally,
}

/// What has been written and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Letters.
    pub letters: u64,
    /// Lines in them that are orders.
    pub orders: u64,
    /// Lines that begin like an order and could not be read.
    pub faults: u64,
    /// Orders that were refused.
    pub refused: u64,
    /// Orders that found no occasion when they were played.
    pub thwarted: u64,
    /// Ships built.
    pub ships: u64,
    /// Areas where tokens fought.
    pub fights: u64,
    /// Cities built.
    pub cities: u64,
    /// Cities that fell.
    pub fallen: u64,
    /// Offers made.
    pub offers: u64,
    /// Trades made.
    pub trades: u64,
}

/// A phase that was ruled.
pub struct Ruling {
    /// What was true before.
    pub before: State,
    /// What happened.
    pub events: Vec<Event>,
    /// The letters it was ruled on, in the sequence of arrival.
    pub letters: Vec<(Civ, String)>,
}

impl Session {
    /// Seats the companions and shuffles the cards. The seed also deals out the temperaments.
    pub fn new(printed: Arc<PrintedGame>, scenario: &Scenario, seed: u64) -> Session {
        let lexicon = Lexicon::new(&printed);
        let opening = setup::opening(printed, scenario, Rulebook::default(), AstSide::Basic);
        let chance = Chance::numbered(seed);
        let (_, state) = setup::prepare_stacks(&State::new(opening), &chance);
        let shift = (seed % Temperament::ALL.len() as u64) as usize;
        let temperaments = Temperament::ALL.into_iter().cycle().skip(shift);
        let seats = state.ranking().zip(temperaments).collect();
        Session { state, chance, lexicon, seats, sheets: BTreeMap::new(), tally: Tally::default() }
    }

    /// What is true now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Who plays how, in A.S.T.-ranking.
    pub fn seats(&self) -> &BTreeMap<Civ, Temperament> {
        &self.seats
    }

    /// A player's sheet of this turn.
    pub fn sheet(&self, civ: Civ) -> Option<&Sheet> {
        self.sheets.get(&civ)
    }

    /// What has been written so far and what became of it.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Asks whoever is awaited and rules on the open phase, until it is closed.
    pub fn rule_phase(&mut self) -> Ruling {
        let phase = self.state.phase();
        if phase == Phase::Tax {
            self.sheets.clear();
        }
        let mut ruling = Ruling { before: self.state.clone(), events: Vec::new(), letters: Vec::new() };
        match phase {
            Phase::Trade => self.trade(&mut ruling),
            // The other mailings; what else is decided has been filed with them.
            Phase::Tax | Phase::Expansion | Phase::Movement => {
                for civ in self.awaited() {
                    self.receive(civ, &mut ruling);
                }
            }
            Phase::Conflict
            | Phase::Cities
            | Phase::Cards
            | Phase::Selection
            | Phase::Calamities
            | Phase::Abilities
            | Phase::Support
            | Phase::Advances
            | Phase::Ast => {}
        }
        if self.state.phase() == phase {
            let filed = match phase {
                // Letters of trade have been ruled as they came; only the cut-off is left.
                Phase::Trade => Commands { filed: Vec::new(), cut_off: true },
                _ => commands(&self.sheets, phase, true),
            };
            self.rule(&filed, &mut ruling);
        }
        ruling
    }

    /// Everybody writes in turn, and each letter is ruled when it arrives, until nobody has anything more to say.
    fn trade(&mut self, ruling: &mut Ruling) {
        for _ in 0..TRADE_ROUNDS {
            let mut quiet = true;
            for civ in self.awaited() {
                let written = self.receive(civ, ruling);
                if written.is_empty() || self.state.phase() != Phase::Trade {
                    continue;
                }
                quiet = false;
                let mut filed = commands(&self.sheets, Phase::Trade, false);
                filed.filed.retain(|filed| filed.civ == civ && written.contains(&filed.line));
                self.rule(&filed, ruling);
            }
            if quiet || self.state.phase() != Phase::Trade {
                return;
            }
        }
    }

    fn awaited(&self) -> Vec<Civ> {
        let awaited = self.state.phase().rules().map_or(Vec::new(), |rules| rules.awaits(&self.state));
        awaited.into_iter().map(|awaited| awaited.civ).collect()
    }

    /// A companion writes; his letter is read and filed. Says which lines are new on his sheet.
    fn receive(&mut self, civ: Civ, ruling: &mut Ruling) -> BTreeSet<LineId> {
        let temperament = self.seats[&civ];
        let text = companions::letter(&View::of(&self.state, civ), temperament);
        let mut written = BTreeSet::new();
        if text.is_empty() {
            return written;
        }
        self.tally.letters += 1;
        let letter = read(&text, &self.lexicon);
        let sheet = self.sheets.entry(civ).or_default();
        for answer in sheet.add(&letter, self.state.phase(), self.tally.letters) {
            match answer.outcome {
                Outcome::Filed(lines) => {
                    self.tally.orders += 1;
                    written.extend(lines);
                }
                Outcome::Fault(_) => self.tally.faults += 1,
                Outcome::Illegal(_) | Outcome::NoOccasion => {
                    self.tally.orders += 1;
                    self.tally.refused += 1;
                }
                Outcome::Quoted | Outcome::Remark | Outcome::TakenBack(_) => {}
            }
        }
        ruling.letters.push((civ, text));
        written
    }

    fn rule(&mut self, filed: &Commands, ruling: &mut Ruling) {
        let (events, state) = adjudicate(&self.state, filed, &self.chance);
        self.state = state;
        events.iter().for_each(|event| self.tally.note(event));
        ruling.events.extend(events);
    }
}

impl Tally {
    fn note(&mut self, event: &Event) {
        let count = match event {
            Event::Refused { .. } => &mut self.refused,
            Event::Thwarted { .. } => &mut self.thwarted,
            Event::ShipBuilt { .. } => &mut self.ships,
            Event::TokensFought { .. } => &mut self.fights,
            Event::CityBuilt { .. } => &mut self.cities,
            Event::CityFell { .. } => &mut self.fallen,
            Event::OfferMade { .. } => &mut self.offers,
            Event::TradeMade { .. } => &mut self.trades,
            _ => return,
        };
        *count += 1;
    }
}
