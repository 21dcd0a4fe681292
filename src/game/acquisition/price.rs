//! What an advance costs a player. R12.3, R12.4.

use crate::game::State;
use crate::rules::{Advance, Civ};

/// The printed cost less the credits of its better colour and the specific ones, both of earlier turns; never below 0.
pub fn price(state: &State, civ: Civ, advance: Advance) -> u16 {
    prices(state, civ)(advance)
}

/// What each advance costs a player, with the credits counted once.
pub(crate) fn prices(state: &State, civ: Civ) -> impl Fn(Advance) -> u16 {
    let colours = state.all_credits(civ);
    let mut specific = [0u16; Advance::ALL.len()];
    for held in state.holding(civ).advances.iter() {
        if let Some((to, points)) = state.printed().advances[held as usize].credit_to {
            specific[to as usize] += points;
        }
    }
    move |advance| {
        let card = &state.printed().advances[advance as usize];
        let colour = card.groups.iter().map(|group| colours[*group as usize].1).max().unwrap_or(0);
        card.cost.saturating_sub(colour).saturating_sub(specific[advance as usize])
    }
}
