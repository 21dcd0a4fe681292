//! One game from its opening to its end, and what is to be said of it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::door::session::{Session, Tally};
use crate::game::event::Score;
use crate::game::{State, laws, verify};
use crate::rules::{AstSide, PrintedGame, Scenario};

/// Nobody would play longer.
const MOST_TURNS: u16 = 60;

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// A marker reached the end of the A.S.T. R13.6.
    ByTheTable,
    /// Nobody had reached it when patience ended.
    NotEnded,
    /// Nothing happened any more; where.
    DeadEnd(String),
    /// A bug; its last words.
    Panic(String),
}

/// What is to be said of a game.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Its seed.
    pub seed: u64,
    /// The key of its scenario.
    pub scenario: String,
    /// Its side of the A.S.T.
    pub track: AstSide,
    /// The turns that were played.
    pub turns: u16,
    /// How it ended.
    pub ending: Ending,
    /// The scores, best first, each with the name of its civilization.
    pub scores: Vec<(String, Score)>,
    /// What was written and what became of it.
    pub tally: Tally,
    /// The first law that was broken, or what cannot be verified.
    pub broken: Option<String>,
}

/// Plays a game to its end, then replays and verifies it.
pub fn play(printed: &Arc<PrintedGame>, scenario: &Scenario, track: AstSide, seed: u64) -> Outcome {
    let mut session = Session::new(Arc::clone(printed), scenario, track, seed);
    let ending = catch_unwind(AssertUnwindSafe(|| to_the_end(&mut session)));
    let ending = ending.unwrap_or_else(|panic| Ending::Panic(last_words(panic.as_ref())));
    let name = |score: &Score| printed.civilizations[usize::from(score.civ.0)].name.clone();
    Outcome {
        seed,
        scenario: scenario.key.clone(),
        track,
        turns: session.state().turn(),
        ending,
        scores: session.state().scores().unwrap_or_default().iter().map(|score| (name(score), score.clone())).collect(),
        tally: session.tally(),
        broken: catch_unwind(AssertUnwindSafe(|| broken(&session)))
            .unwrap_or_else(|panic| Some(last_words(panic.as_ref()))),
    }
}

fn to_the_end(session: &mut Session) -> Ending {
    while !session.state().has_ended() {
        let before = session.state().turn_phase();
        if before.turn > MOST_TURNS {
            return Ending::NotEnded;
        }
        session.rule_phase();
        if !session.state().has_ended() && session.state().turn_phase() == before {
            return Ending::DeadEnd(format!("turn {}, {}", before.turn, before.phase.name()));
        }
    }
    Ending::ByTheTable
}

/// Plays the record again: the first law that an event breaks, else what `verify` says.
fn broken(session: &Session) -> Option<String> {
    let mut state = State::new(session.opening().clone());
    for event in session.record() {
        state.apply(event);
        if let Some(law) = laws::broken(&state) {
            return Some(format!("{law} after {event:?}"));
        }
    }
    if state != *session.state() {
        return Some("the record leads to another state".to_owned());
    }
    verify::verify(session.opening().clone(), session.record(), session.chance()).err().map(|broken| broken.to_string())
}

fn last_words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}
