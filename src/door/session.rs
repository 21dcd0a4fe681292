//! A game in memory between companions: letters in, rulings out.
//!
//! Comes in: a scenario and a seed. Goes out: one ruling after another. Every letter takes the way of a real one: it is
//! written from the writer's own view, read by the reading desk, filed on their sheet and ruled by the adjudicator.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::companions::{self, Temperament};
use crate::game::{
    Awaited, Chance, Commands, Event, Known, LineId, Opening, Phase, Reader, Rulebook, State, adjudicate, ast, setup,
};
use crate::orders::course::{self, Course, Cue};
use crate::orders::sheet::{self, Outcome};
use crate::orders::{Lexicon, Sheet, read};
use crate::report::View;
use crate::rules::{AstSide, Civ, PrintedGame, Scenario};

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

/// What was written and what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    pub written: WrittenTally,
    pub board: BoardTally,
    pub market: MarketTally,
    pub steps: StepTally,
}

/// Of letters and their lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WrittenTally {
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
}

/// Of what happened on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BoardTally {
    pub ships: u64,
    /// Areas where tokens fought.
    pub fights: u64,
    pub cities: u64,
    /// Cities that were attacked, and those of them that fell.
    pub attacks: u64,
    pub fallen: u64,
    pub calamities: u64,
    pub abilities: u64,
    pub advances: u64,
}

/// Of offers and trades among players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MarketTally {
    pub offers: u64,
    pub trades: u64,
    /// Cards that changed hands in them.
    pub cards: u64,
}

/// Of markers on the A.S.T.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StepTally {
    /// How often one was to make a step, and how often it did not.
    pub chances: u64,
    pub stalls: u64,
    /// Of these stalls, how often cities were wanting, and how often advances.
    pub few_cities: u64,
    pub few_advances: u64,
    /// Turns in which no marker made a step.
    pub idle_turns: u64,
}

/// A phase that was ruled.
pub struct Ruling {
    /// What was true before.
    pub before: State,
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
    pub(crate) fn opening(&self) -> &Opening {
        &self.opening
    }

    /// All that has happened since.
    pub(crate) fn record(&self) -> &[Event] {
        &self.record
    }

    /// The seed of all chance.
    pub(crate) fn chance(&self) -> &Chance {
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
        if self.state.phase() == Phase::Tax {
            self.sheets.clear();
        }
        let ruling = Ruling { before: self.state.clone(), events: Vec::new(), letters: Vec::new() };
        let mut open = OpenPhase { session: self, ruling };
        course::drive(&mut open);
        let ruling = open.ruling;
        if ruling.before.phase() == Phase::Ast {
            self.tally.note_steps(&ruling);
        }
        ruling
    }

    /// Counts who is awaited and has nothing on the sheet for this phase.
    fn note_defaults(&mut self) {
        let phase = self.state.phase();
        let silent = |awaited: &Awaited| self.sheets.get(&awaited.civ).is_none_or(|sheet| sheet.part(phase).is_empty());
        self.tally.written.defaults += self.awaited().iter().filter(|awaited| silent(awaited)).count() as u64;
    }

    fn awaited(&self) -> Vec<Awaited> {
        self.state.phase().rules().awaits(&self.state)
    }
}

/// A phase that is being ruled.
struct OpenPhase<'a> {
    session: &'a mut Session,
    ruling: Ruling,
}

impl Course for OpenPhase<'_> {
    fn phase(&self) -> Phase {
        self.session.state.phase()
    }

    fn goes_on(&self) -> bool {
        let (state, before) = (&self.session.state, &self.ruling.before);
        !state.has_ended() && state.turn_phase() == before.turn_phase()
    }

    fn is_fresh(&self) -> bool {
        self.ruling.events.is_empty()
    }

    fn sheets(&mut self) -> &mut BTreeMap<Civ, Sheet> {
        &mut self.session.sheets
    }

    fn asked(&self) -> Vec<Civ> {
        self.session.awaited().into_iter().map(|awaited| awaited.civ).collect()
    }

    fn write(&mut self, civ: Civ) -> Option<BTreeSet<LineId>> {
        let Session { state, seats, sheets, lexicon, tally, .. } = &mut *self.session;
        let text = companions::letter(&View::at_hand(&Known::of(state, Reader::Player(civ))), seats[&civ]);
        if text.is_empty() {
            return None;
        }
        tally.written.letters += 1;
        let answers = sheets.entry(civ).or_default().add(&read(&text, lexicon), state.phase(), tally.written.letters);
        answers.iter().for_each(|answer| tally.note_answer(&answer.outcome));
        self.ruling.letters.push((civ, text));
        Some(sheet::filed(&answers))
    }

    fn is_due(&mut self) -> bool {
        self.session.note_defaults();
        true
    }

    fn rule(&mut self, filed: &Commands, _cue: Cue) -> bool {
        let session = &mut *self.session;
        let (events, state) = adjudicate(&session.state, filed, &session.chance);
        session.state = state;
        events.iter().for_each(|event| session.tally.note(event));
        session.record.extend(events.iter().cloned());
        let is_anything = !events.is_empty();
        self.ruling.events.extend(events);
        is_anything
    }
}

impl Tally {
    fn note_answer(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Filed(_) => self.written.orders += 1,
            Outcome::Fault(_) => self.written.faults += 1,
            Outcome::Illegal(_) | Outcome::NoOccasion => {
                self.written.orders += 1;
                self.written.refused += 1;
            }
            Outcome::Quoted
            | Outcome::Remark
            | Outcome::TakenBack(_)
            | Outcome::Sent(_)
            | Outcome::Held(_)
            | Outcome::Beyond(_)
            | Outcome::Asked(_)
            | Outcome::Wished(_)
            | Outcome::NotEnded(_)
            | Outcome::NoSuchName => {}
        }
    }

    /// Counts who made no step on the A.S.T., and what was wanting.
    fn note_steps(&mut self, ruling: &Ruling) {
        let before = &ruling.before;
        let has_stepped = |civ: Civ| {
            let to = |event: &Event| match event {
                Event::MarkerMoved { civ: moved, to, .. } => (*moved == civ).then_some(*to),
                _ => None,
            };
            ruling.events.iter().filter_map(to).any(|to| to > before.holding(civ).position)
        };
        let mut is_idle = true;
        for civ in before.ranking() {
            self.steps.chances += 1;
            if has_stepped(civ) {
                is_idle = false;
                continue;
            }
            self.steps.stalls += 1;
            let (cities, advances) = ast::wanting(before, civ);
            self.steps.few_cities += u64::from(cities);
            self.steps.few_advances += u64::from(advances);
        }
        self.steps.idle_turns += u64::from(is_idle);
    }

    pub(crate) fn note(&mut self, event: &Event) {
        let (count, more) = match event {
            Event::Refused { .. } => (&mut self.written.refused, 1),
            Event::Thwarted { .. } => (&mut self.written.thwarted, 1),
            Event::ShipBuilt { .. } => (&mut self.board.ships, 1),
            Event::TokensFought { .. } => (&mut self.board.fights, 1),
            Event::CityBuilt { .. } => (&mut self.board.cities, 1),
            Event::AttackFailed { .. } => (&mut self.board.attacks, 1),
            Event::CityFell { .. } => {
                self.board.attacks += 1;
                (&mut self.board.fallen, 1)
            }
            Event::OfferMade { .. } => (&mut self.market.offers, 1),
            Event::TradeMade { given, received, .. } => {
                self.market.trades += 1;
                (&mut self.market.cards, (given.len() + received.len()) as u64)
            }
            Event::CalamityResolved { .. } => (&mut self.board.calamities, 1),
            Event::AbilityUsed { .. } => (&mut self.board.abilities, 1),
            Event::AdvancesAcquired { advances, .. } => (&mut self.board.advances, advances.len() as u64),
            _ => return,
        };
        *count += more;
    }
}
