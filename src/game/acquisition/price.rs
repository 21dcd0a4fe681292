//! What an advance costs a player. R12.3, R12.4.

use crate::game::State;
use crate::rules::{Advance, Civ};

/// The printed cost less the credits of its better colour and the specific ones, both of earlier turns; never below 0.
pub fn price(state: &State, civ: Civ, advance: Advance) -> u16 {
    let card = &state.printed().advances[advance as usize];
    let colour = card.groups.iter().map(|group| state.credits(civ, *group)).max().unwrap_or(0);
    let held = state.holding(civ).advances.iter();
    let specific: u16 = held
        .filter_map(|held| state.printed().advances[held as usize].credit_to)
        .filter(|(to, _)| *to == advance)
        .map(|(_, points)| points)
        .sum();
    card.cost.saturating_sub(colour).saturating_sub(specific)
}
