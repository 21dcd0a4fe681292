//! Tokens on land. R3.6 to R3.9.

use std::collections::BTreeSet;

use super::may_enter;
use crate::game::{Count, Event, Illegal, Owner, State};
use crate::rules::{Advance, AreaId, Civ};

/// Tokens that have not moved walk one step, or two with Roadbuilding.
pub(crate) fn walk(state: &State, civ: Civ, count: Count, path: &[AreaId]) -> Result<Event, Illegal> {
    let (&from, steps) = path.split_first().ok_or(Illegal::Nothing)?;
    let count = able(state, civ, from, count)?;
    let most = 1 + usize::from(state.has(civ, Advance::Roadbuilding));
    if steps.len() > most {
        return Err(Illegal::TooManySteps { most: most as u16 });
    }
    for (step, (&here, &there)) in path.iter().zip(steps).enumerate() {
        if !state.printed().map.is_land_adjacent(here, there) {
            return Err(Illegal::NotAdjacentByLand { from: here, to: there });
        }
        // The way back is no entry: those who return were there.
        let then = state.tokens(there, Owner::Civ(civ)) + if there == from { 0 } else { count };
        may_enter(state, civ, there, then)?;
        // R3.8: a first step into a conflict situation is the last.
        if step + 1 < steps.len() && state.is_conflict_with(there, Some((civ, then))) {
            return Err(Illegal::StopsInConflict { area: there });
        }
    }
    Ok(Event::TokensWalked { civ, count, path: path.to_vec() })
}

/// A player's tokens that stand within a walk of an area.
pub(crate) fn marching(state: &State, civ: Civ, to: AreaId) -> u16 {
    let map = &state.printed().map;
    let mut near: BTreeSet<AreaId> = map.area(to).land.iter().copied().collect();
    if state.has(civ, Advance::Roadbuilding) {
        near.extend(map.area(to).land.iter().flat_map(|beside| &map.area(*beside).land).copied());
    }
    near.into_iter().filter(|area| *area != to).map(|area| state.tokens(area, Owner::Civ(civ))).sum()
}

/// How many tokens of an area can move, as asked for.
fn able(state: &State, civ: Civ, area: AreaId, count: Count) -> Result<u16, Illegal> {
    let force = state.ground(area).force(Owner::Civ(civ));
    let (have, moved) = force.map_or((0, 0), |force| (force.fresh(), force.moved));
    let need = match count {
        Count::All => have.max(1),
        Count::Exactly(0) => return Err(Illegal::Nothing),
        Count::Exactly(count) => count,
    };
    if have < need { Err(Illegal::TooFewTokens { area, have, need, moved }) } else { Ok(need) }
}
