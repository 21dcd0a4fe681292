//! Diaspora: up to 5 own tokens from anywhere on the board to anywhere else, within the limits.

use crate::game::{Event, Illegal, Owner, State};
use crate::rules::{AreaId, Civ};

/// Tokens that may be taken up.
const MOST_TOKENS: u16 = 5;

/// What follows when these numbers of tokens are taken from and placed in these areas, all of them together.
pub(crate) fn resettle(state: &State, civ: Civ, moves: &[(u16, AreaId, AreaId)]) -> Result<Vec<Event>, Illegal> {
    if moves.is_empty() || moves.iter().any(|(count, _, _)| *count == 0) {
        return Err(Illegal::Nothing);
    }
    let total = moves.iter().fold(0u16, |sum, (count, _, _)| sum.saturating_add(*count));
    if total > MOST_TOKENS {
        return Err(Illegal::TooManyTokens { most: MOST_TOKENS });
    }
    for &(_, from, to) in moves {
        if from == to {
            return Err(Illegal::NotElsewhere { area: to });
        }
        let (have, need) = (state.tokens(from, Owner::Civ(civ)), taken_from(moves, from));
        if have < need {
            return Err(Illegal::TooFewTokens { area: from, have, need, moved: 0 });
        }
    }
    for &(_, _, to) in moves {
        may_settle(state, civ, moves, to)?;
    }
    let resettled = moves.iter().map(|&(count, from, to)| Event::TokensResettled { civ, from, to, count });
    Ok(resettled.collect())
}

/// Land in play, and room for all tokens there once those that leave have been taken up. The limit is Agriculture's where the
/// player is alone; in a city area there is room for one token of the city's owner, with Public Works.
fn may_settle(state: &State, civ: Civ, moves: &[(u16, AreaId, AreaId)], area: AreaId) -> Result<(), Illegal> {
    let ground = state.ground(area);
    if ground.out_of_play {
        return Err(Illegal::OutOfPlay { area });
    }
    if !state.printed().map.area(area).has_land() {
        return Err(Illegal::NoLand { area });
    }
    let placed: u16 = moves.iter().filter(|(_, _, to)| *to == area).map(|(count, _, _)| count).sum();
    let then = ground.total() + placed - taken_from(moves, area);
    let room = state.room(area, civ);
    if then > room { Err(Illegal::AboveLimit { area, room, then }) } else { Ok(()) }
}

fn taken_from(moves: &[(u16, AreaId, AreaId)], area: AreaId) -> u16 {
    moves.iter().filter(|(_, from, _)| *from == area).map(|(count, _, _)| count).sum()
}
