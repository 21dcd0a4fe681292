//! A game in memory between companions: letters in, rulings out.
//!
//! Comes in: a scenario and a seed. Goes out: one ruling after another. Every letter takes the way of a real one: it is
//! written from the writer's own view, read by the reading desk, filed on his sheet and ruled by the adjudicator.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::companions::{self, Temperament};
use crate::game::{
    Awaited, Chance, Commands, Event, Known, LineId, Opening, Phase, Reader, Rulebook, State, adjudicate, setup,
};
use crate::orders::sheet::Outcome;
use crate::orders::{Lexicon, Sheet, commands, read};
use crate::report::View;
use crate::rules::{AstSide, Civ, PrintedGame, Scenario};

/// How often everybody is asked in a trade phase before the cut-off.
const TRADE_ROUNDS: usize = 12;
/// How often a phase may be resumed. Nobody among the companions insists on his turn, so once should do.
const MOST_RULINGS: usize = 20;

/// A game under way.
pub struct Session {
    opening: Opening,
    record: Vec<Event>,
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
    /// Decisions for which somebody was awaited and wrote nothing.
    pub defaults: u64,
    /// Ships built.
    pub ships: u64,
    /// Areas where tokens fought.
    pub fights: u64,
    /// Cities built.
    pub cities: u64,
    /// Cities that were attacked, and those of them that fell.
    pub attacks: u64,
    /// See above.
    pub fallen: u64,
    /// Offers made.
    pub offers: u64,
    /// Trades made.
    pub trades: u64,
    /// Cards that changed hands in them.
    pub cards: u64,
    /// Calamities resolved.
    pub calamities: u64,
    /// Special abilities used.
    pub abilities: u64,
    /// Advances acquired.
    pub advances: u64,
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
    pub fn new(printed: Arc<PrintedGame>, scenario: &Scenario, track: AstSide, seed: u64) -> Session {
        let lexicon = Lexicon::new(&printed);
        let opening = setup::opening(printed, scenario, Rulebook::default(), track);
        let chance = Chance::numbered(seed);
        let (record, state) = setup::begin(&State::new(opening.clone()), &chance);
        let shift = (seed % Temperament::ALL.len() as u64) as usize;
        let temperaments = Temperament::ALL.into_iter().cycle().skip(shift);
        let seats = state.ranking().zip(temperaments).collect();
        Session { opening, record, state, chance, lexicon, seats, sheets: BTreeMap::new(), tally: Tally::default() }
    }

    /// What the game began with.
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// All that has happened since.
    pub fn record(&self) -> &[Event] {
        &self.record
    }

    /// The seed of all chance.
    pub fn chance(&self) -> &Chance {
        &self.chance
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

    /// Asks whoever is awaited and rules on the open phase, until it is closed or nothing happens any more.
    pub fn rule_phase(&mut self) -> Ruling {
        let phase = self.state.phase();
        if phase == Phase::Tax {
            self.sheets.clear();
        }
        let mut ruling = Ruling { before: self.state.clone(), events: Vec::new(), letters: Vec::new() };
        for _ in 0..MOST_RULINGS {
            match phase {
                Phase::Trade => self.trade(&mut ruling),
                // What phases 4 to 6 ask has been filed with the movement; phases 8, 11 and 13 ask nothing new.
                Phase::Tax
                | Phase::Expansion
                | Phase::Movement
                | Phase::Calamities
                | Phase::Abilities
                | Phase::Advances => {
                    for awaited in self.awaited() {
                        self.receive(awaited.civ, &mut ruling);
                    }
                }
                Phase::Conflict | Phase::Cities | Phase::Cards | Phase::Selection | Phase::Support | Phase::Ast => {}
            }
            if !self.is_open(phase, &ruling) {
                break;
            }
            self.note_defaults(phase);
            let filed = match phase {
                // Letters of trade have been ruled as they came; only the cut-off is left.
                Phase::Trade => Commands { filed: Vec::new(), cut_off: true },
                _ => commands(&self.sheets, phase, true),
            };
            let happened = ruling.events.len();
            self.rule(&filed, &mut ruling);
            if ruling.events.len() == happened || !self.is_open(phase, &ruling) {
                break;
            }
        }
        ruling
    }

    /// Whether a ruling has left its phase open.
    fn is_open(&self, phase: Phase, ruling: &Ruling) -> bool {
        !self.state.has_ended() && self.state.phase() == phase && self.state.turn() == ruling.before.turn()
    }

    /// Counts who is awaited and has nothing on his sheet for this phase.
    fn note_defaults(&mut self, phase: Phase) {
        let silent = |awaited: &Awaited| self.sheets.get(&awaited.civ).is_none_or(|sheet| sheet.part(phase).is_empty());
        self.tally.defaults += self.awaited().iter().filter(|awaited| silent(awaited)).count() as u64;
    }

    /// Everybody writes in turn, and each letter is ruled when it arrives, until nobody has anything more to say.
    fn trade(&mut self, ruling: &mut Ruling) {
        for _ in 0..TRADE_ROUNDS {
            let mut quiet = true;
            for Awaited { civ, .. } in self.awaited() {
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

    fn awaited(&self) -> Vec<Awaited> {
        self.state.phase().rules().awaits(&self.state)
    }

    /// A companion writes; his letter is read and filed. Says which lines are new on his sheet.
    fn receive(&mut self, civ: Civ, ruling: &mut Ruling) -> BTreeSet<LineId> {
        let temperament = self.seats[&civ];
        let text = companions::letter(&View::of(&Known::of(&self.state, Reader::Player(civ))), temperament);
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
                Outcome::Quoted
                | Outcome::Remark
                | Outcome::TakenBack(_)
                | Outcome::Sent(_)
                | Outcome::Held(_)
                | Outcome::Beyond(_)
                | Outcome::Asked(_)
                | Outcome::Wished(_)
                | Outcome::NoSuchName => {}
            }
        }
        ruling.letters.push((civ, text));
        written
    }

    fn rule(&mut self, filed: &Commands, ruling: &mut Ruling) {
        let (events, state) = adjudicate(&self.state, filed, &self.chance);
        self.state = state;
        events.iter().for_each(|event| self.tally.note(event));
        self.record.extend(events.iter().cloned());
        ruling.events.extend(events);
    }
}

impl Tally {
    /// Counts what happened.
    pub fn note(&mut self, event: &Event) {
        let (count, more) = match event {
            Event::Refused { .. } => (&mut self.refused, 1),
            Event::Thwarted { .. } => (&mut self.thwarted, 1),
            Event::ShipBuilt { .. } => (&mut self.ships, 1),
            Event::TokensFought { .. } => (&mut self.fights, 1),
            Event::CityBuilt { .. } => (&mut self.cities, 1),
            Event::AttackFailed { .. } => (&mut self.attacks, 1),
            Event::CityFell { .. } => {
                self.attacks += 1;
                (&mut self.fallen, 1)
            }
            Event::OfferMade { .. } => (&mut self.offers, 1),
            Event::TradeMade { given, received, .. } => {
                self.trades += 1;
                (&mut self.cards, (given.len() + received.len()) as u64)
            }
            Event::CalamityResolved { .. } => (&mut self.calamities, 1),
            Event::AbilityUsed { .. } => (&mut self.abilities, 1),
            Event::AdvancesAcquired { advances, .. } => (&mut self.advances, advances.len() as u64),
            _ => return,
        };
        *count += more;
    }
}
