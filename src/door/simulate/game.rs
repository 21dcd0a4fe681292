//! One game from its opening to its end, and what is to be said of it.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::companions::Temperament;
use crate::door::session::{Session, Tally};
use crate::game::chance::in_hex;
use crate::game::event::Score;
use crate::game::{Event, verify};
use crate::rules::{AstSide, Civ, PrintedGame, Scenario};

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
    pub seed: u64,
    /// The key of its scenario.
    pub scenario: String,
    /// Its side of the A.S.T.
    pub track: AstSide,
    /// The turns that were played.
    pub turns: u16,
    pub ending: Ending,
    /// The scores, best first, each with the name of its civilization.
    pub scores: Vec<(String, Score)>,
    /// How each of them plays, by the name of its civilization.
    pub temperaments: BTreeMap<String, Temperament>,
    /// What was written and what became of it.
    pub tally: Tally,
    /// SHA-256 of all that happened.
    pub record: String,
    /// The first law that was broken, or what cannot be verified.
    pub broken: Option<String>,
}

/// Plays a game to its end, then replays and verifies it.
pub fn play(printed: &Arc<PrintedGame>, scenario: &Scenario, track: AstSide, seed: u64) -> Outcome {
    let mut session = Session::new(Arc::clone(printed), scenario, track, seed);
    let ending = catch_unwind(AssertUnwindSafe(|| to_the_end(&mut session)));
    let ending = ending.unwrap_or_else(|panic| Ending::Panic(last_words(panic.as_ref())));
    let name = |civ: Civ| printed.civilizations[usize::from(civ.0)].name.clone();
    let scores = session.state().scores().unwrap_or_default().iter();
    Outcome {
        seed,
        scenario: scenario.key.clone(),
        track,
        turns: session.state().turn(),
        ending,
        scores: scores.map(|score| (name(score.civ), score.clone())).collect(),
        temperaments: session.seats().iter().map(|(civ, temperament)| (name(*civ), *temperament)).collect(),
        tally: session.tally(),
        record: fingerprint(session.record()),
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

/// Two games with the same one are the same, event by event.
fn fingerprint(record: &[Event]) -> String {
    let mut hash = Sha256::new();
    for event in record {
        hash.update(serde_json::to_vec(event).expect("every event has a form in JSON"));
    }
    in_hex(&hash.finalize())
}

/// Plays the record again: the first law that an event breaks, or the first draw that is another.
fn broken(session: &Session) -> Option<String> {
    match verify::verified(session.opening().clone(), session.record(), session.chance()) {
        Ok(state) if state == *session.state() => None,
        Ok(_) => Some("the record leads to another state".to_owned()),
        Err(broken) => Some(broken.to_string()),
    }
}

fn last_words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}
