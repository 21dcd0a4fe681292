//! Substitutes: ships with Naval Warfare, neighbours with Advanced Military. R4.18, R4.19.

use crate::game::command::Substitute;
use crate::game::event::Loss;
use crate::game::{Command, Commands, Count, Illegal, Owner, State};
use crate::rules::{Advance, AreaId, Civ};

/// What players filed to be lost instead of tokens, as far as it is not used up.
pub(crate) struct Substitutes {
    filed: Vec<Wish>,
}

struct Wish {
    civ: Civ,
    area: AreaId,
    with: Substitute,
    used: u16,
}

/// A substitute that was lost.
pub(crate) enum Lost {
    /// A ship in the area.
    Ship,
    /// A token in this neighbouring area.
    Neighbour(AreaId),
}

impl Substitutes {
    /// Those that may stand, in the sequence written.
    pub(crate) fn filed(state: &State, commands: &Commands) -> Substitutes {
        let wishes = commands.filed.iter().filter_map(|filed| match filed.command {
            Command::Substitute { area, with } if may_stand(state, filed.civ, area, with).is_ok() => {
                Some(Wish { civ: filed.civ, area, with, used: 0 })
            }
            _ => None,
        });
        Substitutes { filed: wishes.collect() }
    }

    /// The substitute an owner loses in this round; `so_far` is what the owner has lost in this conflict.
    pub(crate) fn lose(&mut self, state: &State, owner: Owner, area: AreaId, so_far: &Loss) -> Option<Lost> {
        let civ = owner.civ()?;
        let mut wishes = self.filed.iter_mut().filter(|wish| wish.civ == civ && wish.area == area);
        wishes.find_map(|wish| {
            let (most, there, lost) = match wish.with {
                Substitute::Ships(count) => {
                    (count, state.ships_at(area, civ) as u16 - u16::from(so_far.ships), Lost::Ship)
                }
                Substitute::Tokens { from, count } => {
                    let gone = so_far.neighbours.iter().find(|(area, _)| *area == from).map_or(0, |(_, count)| *count);
                    (count, state.tokens(from, owner) - gone, Lost::Neighbour(from))
                }
            };
            let left = match most {
                Count::All => there > 0,
                Count::Exactly(most) => there > 0 && wish.used < most,
            };
            left.then(|| {
                wish.used += 1;
                lost
            })
        })
    }
}

/// Whether the player holds the advance and the neighbour is one.
pub(crate) fn may_stand(state: &State, civ: Civ, area: AreaId, with: Substitute) -> Result<(), Illegal> {
    let needs = |advance| if state.has(civ, advance) { Ok(()) } else { Err(Illegal::NeedsAdvance { advance }) };
    match with {
        Substitute::Ships(_) => needs(Advance::NavalWarfare),
        Substitute::Tokens { from, .. } => {
            needs(Advance::AdvancedMilitary)?;
            if state.printed().map.is_land_adjacent(from, area) {
                Ok(())
            } else {
                Err(Illegal::NotAdjacentByLand { from, to: area })
            }
        }
    }
}

/// Whether a player could lose something else than tokens in this area.
pub(crate) fn has_any(state: &State, civ: Civ, area: AreaId) -> bool {
    let neighbours = &state.printed().map.area(area).land;
    state.has(civ, Advance::NavalWarfare) && state.ships_at(area, civ) > 0
        || state.has(civ, Advance::AdvancedMilitary)
            && neighbours.iter().any(|neighbour| state.tokens(*neighbour, Owner::Civ(civ)) > 0)
}
