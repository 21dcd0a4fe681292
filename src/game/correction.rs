//! Corrections: what a moderator sets right by hand. Recorded like anything else that happens, so that the record still
//! leads to the state.

use serde::{Deserialize, Serialize};

use super::{Event, Owner, Ship, ShipCondition, State, laws};
use crate::rules::{Advance, AreaId, Civ};

/// What is set right. Pieces come from stock and go back there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// So many tokens of this owner stand there.
    Tokens { area: AreaId, owner: Owner, count: u16 },
    /// The city there is the player's; none is nobody's.
    City { area: AreaId, owner: Option<Owner> },
    /// So many ships of the player's stand there.
    Ships { area: AreaId, civ: Civ, count: u8 },
    /// So much is in the player's treasury.
    Treasury { civ: Civ, amount: u16 },
    /// The player's marker stands in this column of the A.S.T.
    Position { civ: Civ, position: u8 },
    /// The player holds this advance, or does not.
    Advance {
        civ: Civ,
        advance: Advance,
        /// Whether the player holds it.
        held: bool,
    },
}

/// Why something cannot be set right like this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoCorrection {
    /// The stock does not have the pieces.
    StockTooSmall,
    /// Nothing may stand there.
    NoSuchPlace,
    /// It is so already.
    NothingChanges,
}

/// What happens when this is set right.
///
/// # Errors
/// It cannot be.
pub(crate) fn correct(state: &State, change: Correction) -> Result<(Vec<Event>, State), NoCorrection> {
    if !is_possible(state, change) {
        return Err(NoCorrection::StockTooSmall);
    }
    let event = Event::Corrected { change };
    let mut next = state.clone();
    next.apply(&event);
    if next == *state {
        return Err(NoCorrection::NothingChanges);
    }
    // A law that would be broken is a place where nothing may stand, or a piece that does not exist.
    match laws::broken(&next) {
        Some(_) => Err(NoCorrection::NoSuchPlace),
        None => Ok((vec![event], next)),
    }
}

fn is_possible(state: &State, change: Correction) -> bool {
    match change {
        Correction::Tokens { area, owner, count } => {
            let more = count.saturating_sub(state.tokens(area, owner));
            more <= state.tokens_left(owner) && !state.ground(area).out_of_play
        }
        Correction::City { area, owner } => {
            let has = state.ground(area).city.map(|city| city.owner);
            let fits = owner.is_none_or(|owner| has == Some(owner) || state.cities_left(owner) > 0);
            fits && !state.ground(area).out_of_play
        }
        Correction::Ships { area, civ, count } => {
            let here = state.ships_at(area, civ);
            let all = state.holding(civ).ships.len();
            all - here + usize::from(count) <= usize::from(state.printed().pieces.ships)
        }
        Correction::Treasury { civ, amount } => {
            let holding = state.holding(civ);
            amount.saturating_sub(holding.treasury) <= holding.stock
        }
        Correction::Position { civ, position } => {
            state.is_seated(civ) && position <= state.printed().ast.track(state.track()).last_step
        }
        Correction::Advance { civ, .. } => state.is_seated(civ),
    }
}

impl State {
    /// Makes a correction true.
    pub(super) fn set_right(&mut self, change: Correction) {
        match change {
            Correction::Tokens { area, owner, count } => {
                let have = self.tokens(area, owner);
                match count.checked_sub(have) {
                    Some(more) => self.put(area, owner, more),
                    None => self.take(area, owner, have - count),
                }
            }
            Correction::City { area, owner } => {
                self.remove_city(area);
                if let Some(owner) = owner {
                    self.place_city(area, owner, false);
                }
            }
            Correction::Ships { area, civ, count } => {
                let holding = self.holding_mut(civ);
                holding.ships.retain(|ship| ship.area != area);
                let ship = Ship { area, condition: ShipCondition::Old, steps: 0, sailed: false };
                holding.ships.extend(std::iter::repeat_n(ship, usize::from(count)));
            }
            Correction::Treasury { civ, amount } => {
                let holding = self.holding_mut(civ);
                holding.stock = holding.stock + holding.treasury - amount;
                holding.treasury = amount;
            }
            Correction::Position { civ, position } => {
                self.holding_mut(civ).position = position;
                // What is set right never happened.
                self.fallen.remove(&civ);
            }
            Correction::Advance { civ, advance, held } => {
                let advances = &mut self.holding_mut(civ).advances;
                if held {
                    advances.insert(advance)
                } else {
                    advances.remove(advance)
                };
            }
        }
    }
}
