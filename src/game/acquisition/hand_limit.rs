//! The hand limit at the end of phase 12. R12.11.

use std::cmp::Reverse;

use crate::game::State;
use crate::rules::{Advance, Civ, Face, TradeCard, set_value};

/// How many commodity cards a hand may hold: the scenario's number, and one more with Roadbuilding.
pub fn hand_limit(state: &State, civ: Civ) -> usize {
    let printed = state.printed().scenarios.iter().find(|scenario| scenario.players == state.players());
    let limit = printed.map_or(if state.players() < 12 { 8 } else { 9 }, |scenario| scenario.hand_limit);
    usize::from(limit) + usize::from(state.has(civ, Advance::Roadbuilding))
}

/// The cards above the limit: those wished for stay first, then the most valuable sets, single cards being sets of one.
pub(crate) fn excess(state: &State, civ: Civ, wishes: &[Face]) -> Vec<TradeCard> {
    let hand = &state.holding(civ).hand;
    let mut left: Vec<_> = hand.iter().filter(|card| !card.face.is_calamity()).copied().collect();
    let limit = hand_limit(state, civ);
    let mut kept = 0;
    for wish in wishes {
        if kept < limit
            && let Some(index) = left.iter().position(|card| card.face == *wish)
        {
            left.remove(index);
            kept += 1;
        }
    }
    let value = |face: Face| match face {
        Face::Commodity(commodity) => state.printed().commodities[usize::from(commodity.0)].stack,
        Face::Water | Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => 0,
    };
    let held = |face: Face| hand.iter().filter(|card| card.face == face).count() as u16;
    // The sort keeps the sequence of the hand among equals.
    left.sort_by_key(|card| {
        let (held, value) = (held(card.face), value(card.face));
        (Reverse(set_value(held, value)), Reverse(value), card.face)
    });
    left.split_off(left.len().min(limit - kept))
}
