//! Verifying a game: its events are played again, and every draw is made again from the seed.
//!
//! Comes in: the opening, all events, and chance. Goes out: the hash of the final state, or the first event that does not
//! fit, in words. Looks at nothing but these, so that anybody can do it once the seed is published.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::chance::in_hex;
use super::{Chance, Event, Opening, Purpose, State, ast, laws, scoring, setup, short_game};
use crate::rules::{CalamityClass, Civ, Face, TradeCard};

/// An event that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("event {number} does not fit: {why} ({event})")]
pub struct Broken {
    /// Its number, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub why: String,
    pub event: String,
}

/// Plays all events again, makes every draw again, and gives the hash of the final state.
pub fn verify(opening: Opening, events: &[Event], chance: &Chance) -> Result<String, Broken> {
    verified(opening, events, chance).map(|state| state.hash())
}

/// The same, and gives the final state itself.
pub(crate) fn verified(opening: Opening, events: &[Event], chance: &Chance) -> Result<State, Broken> {
    let mut state = State::new(opening);
    for (index, event) in events.iter().enumerate() {
        let broken = |why: String| Broken { number: index + 1, why, event: format!("{event:?}") };
        if (index == 0) != matches!(event, Event::GameOpened { .. }) {
            return Err(broken("a game is opened by its first event, and by no other".to_owned()));
        }
        if state.has_ended() {
            return Err(broken("the game has ended before".to_owned()));
        }
        redraw(&state, event, chance).map_err(broken)?;
        // A forged event may speak of pieces that are not there, which `apply` takes for a bug of the rules.
        let applied = catch_unwind(AssertUnwindSafe(|| state.apply(event)));
        applied.map_err(|_| broken("it speaks of what is not there".to_owned()))?;
        if let Some(law) = laws::broken(&state) {
            return Err(broken(format!("a law is broken after it: {law}")));
        }
    }
    Ok(state)
}

impl State {
    /// SHA-256 of the state as canonical JSON: every key in its alphabetical place, no spaces.
    pub fn hash(&self) -> String {
        // A value keeps its keys sorted.
        let value = serde_json::to_value(self).expect("every part of a state has a form in JSON");
        in_hex(&Sha256::digest(value.to_string()))
    }
}

/// Whether what chance decided is what the seed gives.
fn redraw(state: &State, event: &Event, chance: &Chance) -> Result<(), String> {
    match event {
        Event::GameOpened { commitment } => {
            same(*commitment == chance.commitment_in_hex(), "the hash of the seed is another")
        }
        Event::StackPrepared { block, stack, cards } => {
            same(*cards == setup::prepared(state, chance, *block, *stack), "the seed gives another stack")
        }
        Event::StackReshuffled { block, stack, cards } => {
            same(*cards == ast::reshuffled(state, chance, *block, *stack), "the seed gives another stack")
        }
        Event::CardTaken { from, card, .. } => {
            seated(state, *from)?;
            let hand = &state.holding(*from).hand;
            same(drawn(state, chance, Purpose::Loot, hand) == Some(*card), "the seed gives another card")
        }
        Event::CalamityDiscarded { civ, card } => {
            seated(state, *civ)?;
            let surplus = surplus(state, *civ);
            same(drawn(state, chance, Purpose::Selection, &surplus) == Some(*card), "the seed gives another calamity")
        }
        Event::CardDrawn { civ, stack, card } | Event::CardBought { civ, stack, card, .. } => {
            seated(state, *civ)?;
            let block = state.holding(*civ).block;
            let top = state.stacks().top(block, *stack).unwrap_or(TradeCard { face: Face::Water, block });
            same(top == *card, "another card lies on top of the stack")
        }
        Event::ThemesDrawn { themes } => {
            same(*themes == short_game::drawn(state, chance), "the seed gives other themes")
        }
        Event::GameEnded { scores, seed } => {
            same(*seed == chance.seed_in_hex(), "the seed is another")?;
            same(*scores == scoring::scores(state), "the scores are others")
        }
        // Nothing else is left to chance.
        _ => Ok(()),
    }
}

fn same(is_same: bool, why: &str) -> Result<(), String> {
    if is_same { Ok(()) } else { Err(why.to_owned()) }
}

fn seated(state: &State, civ: Civ) -> Result<(), String> {
    same(state.is_seated(civ), "nobody has that seat")
}

fn drawn(state: &State, chance: &Chance, purpose: Purpose, cards: &[TradeCard]) -> Option<TradeCard> {
    let counter = state.draws().count(purpose);
    (!cards.is_empty()).then(|| cards[chance.pick(purpose, counter, cards.len())])
}

/// The calamities of which one must go: twins, then major ones above two, then any above three. R8.3 to R8.5.
fn surplus(state: &State, civ: Civ) -> Vec<TradeCard> {
    let is_calamity = |card: &&TradeCard| matches!(card.face, Face::Calamity(_));
    let held: Vec<_> = state.holding(civ).hand.iter().filter(is_calamity).copied().collect();
    let equal = |face: Face| held.iter().filter(move |card| card.face == face).copied();
    if let Some(twin) = held.iter().find(|card| equal(card.face).count() > 1) {
        return equal(twin.face).collect();
    }
    let is_major = |card: &&TradeCard| match card.face {
        Face::Calamity(calamity) => state.printed().calamities[calamity as usize].class == CalamityClass::Major,
        Face::Commodity(_) | Face::Water | Face::Unseen | Face::UnseenCalamity => false,
    };
    let major: Vec<_> = held.iter().filter(is_major).copied().collect();
    match (major.len(), held.len()) {
        (3.., _) => major,
        (_, 4..) => held,
        _ => Vec::new(),
    }
}
