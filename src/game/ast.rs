//! Phase 13: A.S.T. alteration and end of turn.
//!
//! Comes in: nothing, for nobody has a choice. Goes out: the moves of the markers, then the end of the game with its
//! scores, or the discards under their stacks. Looks at cities, advances and the table.

use super::event::Cause;
use super::rulebook::WonderAgainstStepBack;
use super::stacks::STACKS;
use super::{Chance, Chronicle, Commands, Event, PhaseRules, Purpose, State, scoring};
use crate::rules::{Advance, Block, CalamityClass, Civ, Epoch, Face, Requirement, Track, TradeCard};

/// Phase 13.
pub(crate) struct Ast;

impl PhaseRules for Ast {
    fn resolve(&self, chronicle: &mut Chronicle, _commands: &Commands, chance: &Chance) {
        for civ in chronicle.state().ranking().collect::<Vec<_>>() {
            if let Some(to) = next_position(chronicle.state(), civ) {
                chronicle.record(Event::MarkerMoved { civ, to, why: Cause::Ast });
            }
        }
        match end(chronicle.state()) {
            End::Now => {
                let scores = scoring::scores(chronicle.state());
                chronicle.record(Event::GameEnded { scores, seed: chance.seed_in_hex() });
            }
            End::After(turn) => {
                chronicle.record(Event::LastTurnAnnounced { turn });
                reshuffle(chronicle, chance);
            }
            End::NotYet => reshuffle(chronicle, chance),
        }
    }
}

impl State {
    /// Whether the game has ended: nothing more happens in it. R13.8.
    pub fn has_ended(&self) -> bool {
        self.scores().is_some()
    }

    /// The epoch in which a civilization's marker stands.
    pub(crate) fn epoch(&self, civ: Civ) -> Epoch {
        self.side().epoch(civ, self.holding(civ).position)
    }

    fn side(&self) -> &Track {
        self.printed().ast.track(self.track())
    }
}

/// Where the marker goes; none where it stays. R13.1, R13.3.
fn next_position(state: &State, civ: Civ) -> Option<u8> {
    let side = state.side();
    let position = state.holding(civ).position;
    if side.step_back_without_cities && is_without_cities(state, civ) && state.epoch(civ) != Epoch::Stone {
        return Some(position - 1);
    }
    let next = position + 1;
    let may_enter = next <= side.last_step && meets(state, civ, side.requirement(side.epoch(civ, next)));
    may_enter.then_some(next)
}

/// R13.3, house rule: whether Wonder of the World holds the marker where it is.
fn is_without_cities(state: &State, civ: Civ) -> bool {
    let wonder = state.has(civ, Advance::WonderOfTheWorld);
    state.city_count(civ) == 0
        && match state.rulebook().wonder_against_step_back {
            WonderAgainstStepBack::Protects => !wonder,
            WonderAgainstStepBack::DoesNot => true,
        }
}

/// Whether a civilization has what an epoch asks for; Wonder of the World counts as a city. R13.1, R13.2.
pub(crate) fn meets(state: &State, civ: Civ, asked: &Requirement) -> bool {
    let cities = state.city_count(civ) + u8::from(state.has(civ, Advance::WonderOfTheWorld));
    let advances = state.holding(civ).advances;
    let held = || advances.iter().map(|advance| &state.printed().advances[advance as usize]);
    let count = |fits: fn(u16) -> bool| held().filter(|card| fits(card.cost)).count();
    let points: u16 = held().map(|card| u16::from(card.victory_points)).sum();
    cities >= asked.cities
        && held().count() >= usize::from(asked.advances)
        && count(|cost| cost < 100) >= usize::from(asked.advances_cost_below_100)
        && count(|cost| cost >= 100) >= usize::from(asked.advances_cost_100_or_more)
        && count(|cost| cost >= 200) >= usize::from(asked.advances_cost_200_or_more)
        && points >= asked.advance_victory_points
}

/// Whether the next step wants more cities, and whether it wants more or dearer advances.
pub(crate) fn wanting(state: &State, civ: Civ) -> (bool, bool) {
    let side = state.side();
    let asked = *side.requirement(side.epoch(civ, state.holding(civ).position + 1));
    let cities = Requirement { cities: asked.cities, ..Requirement::default() };
    (!meets(state, civ, &cities), !meets(state, civ, &Requirement { cities: 0, ..asked }))
}

/// R13.6: a group agrees on the turn that is the last, unless an earlier one is that already.
pub(crate) fn agree_on_end(state: &State, turn: u16) -> (Vec<Event>, State) {
    let mut chronicle = Chronicle::open(state);
    if !state.has_ended() && state.last_turn().is_none_or(|last| last > turn) {
        chronicle.record(Event::LastTurnAnnounced { turn });
    }
    chronicle.close()
}

/// The players agree to end the game as it stands; the printed table scores it. R13.6, R13.8.
pub(crate) fn end_now(state: &State, chance: &Chance) -> (Vec<Event>, State) {
    let mut chronicle = Chronicle::open(state);
    if !state.has_ended() {
        let scores = scoring::scores(state);
        chronicle.record(Event::GameEnded { scores, seed: chance.seed_in_hex() });
    }
    chronicle.close()
}

/// Whether the game is over.
enum End {
    Now,
    /// After one more full turn: this one.
    After(u16),
    NotYet,
}

/// R13.6: at once on the basic side, after one more turn on the expert side, or when an announced turn is over.
fn end(state: &State) -> End {
    if state.last_turn().is_some_and(|last| state.turn() >= last) {
        return End::Now;
    }
    let is_last = state.ranking().any(|civ| state.epoch(civ) == Epoch::LateIron);
    match (is_last, state.side().extra_final_turn) {
        (true, false) => End::Now,
        (true, true) if state.last_turn().is_none_or(|last| last > state.turn() + 1) => End::After(state.turn() + 1),
        (true, true) | (false, _) => End::NotYet,
    }
}

/// R13.7: where there are discards.
fn reshuffle(chronicle: &mut Chronicle, chance: &Chance) {
    for block in chronicle.state().stacks().blocks().collect::<Vec<_>>() {
        for stack in 1..=STACKS {
            if !chronicle.state().stacks().discards(block, stack).is_empty() {
                let cards = reshuffled(chronicle.state(), chance, block, stack);
                chronicle.record(Event::StackReshuffled { block, stack, cards });
            }
        }
    }
}

/// What is left of the stack, then its discards shuffled, then its non-tradeable calamity. R13.7.
pub(super) fn reshuffled(state: &State, chance: &Chance, block: Block, stack: u8) -> Vec<TradeCard> {
    let lies_at_the_bottom = |card: &TradeCard| match card.face {
        Face::Calamity(calamity) => {
            let printed = &state.printed().calamities[calamity as usize];
            printed.class == CalamityClass::Major && !printed.tradeable
        }
        Face::Commodity(_) | Face::Water | Face::Unseen | Face::UnseenCalamity => false,
    };
    let discards = state.stacks().discards(block, stack).iter().copied();
    let (bottom, mut under): (Vec<_>, Vec<_>) = discards.partition(lies_at_the_bottom);
    chance.shuffle(Purpose::Reshuffle, state.draws().count(Purpose::Reshuffle), &mut under);
    state.stacks().stack(block, stack).iter().copied().chain(under).chain(bottom).collect()
}
