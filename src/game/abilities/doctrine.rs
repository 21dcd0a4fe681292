//! Universal Doctrine: one pirate city or up to 5 barbarian tokens, anywhere on the board, become one's own.

use crate::game::event::Cause;
use crate::game::{Event, Illegal, Owner, State};
use crate::rules::{Advance, AreaId, Civ};

/// Barbarian tokens that may be annexed.
const MOST_TOKENS: u16 = 5;

/// What follows: the first pirate city of the list if it comes before any token; else the tokens. A number must be met;
/// without one as many are taken as there are and may be.
pub(crate) fn annex(state: &State, civ: Civ, targets: &[(AreaId, Option<u16>)]) -> Result<Vec<Event>, Illegal> {
    let mut annexed: Vec<(AreaId, u16)> = Vec::new();
    let mut why = None;
    for &(area, wanted) in targets {
        let is_pirate = state.ground(area).city.is_some_and(|city| city.owner == Owner::Barbarians);
        match wanted {
            None if is_pirate && annexed.is_empty() => match state.holding(civ).cities {
                0 => why = why.or(Some(Illegal::NoCityInStock)),
                _ => return Ok(vec![event(civ, area, 0, true)]),
            },
            // One pirate city or tokens, never both.
            None if is_pirate => {}
            _ => match tokens(state, civ, area, wanted, &annexed) {
                Ok(0) => {}
                Ok(count) => annexed.push((area, count)),
                Err(illegal) if wanted.is_some() => return Err(illegal),
                Err(illegal) => why = why.or(Some(illegal)),
            },
        }
    }
    if annexed.is_empty() {
        Err(why.unwrap_or(Illegal::Nothing))
    } else {
        Ok(annexed.into_iter().map(|(area, count)| event(civ, area, count, false)).collect())
    }
}

/// How many barbarian tokens are annexed here, beside those of the list so far.
fn tokens(
    state: &State,
    civ: Civ,
    area: AreaId,
    wanted: Option<u16>,
    annexed: &[(AreaId, u16)],
) -> Result<u16, Illegal> {
    let so_far: u16 = annexed.iter().map(|(_, count)| count).sum();
    let from_here: u16 = annexed.iter().filter(|(other, _)| *other == area).map(|(_, count)| count).sum();
    let there = state.tokens(area, Owner::Barbarians) - from_here;
    let stock = state.holding(civ).stock - so_far;
    match wanted {
        Some(0) => Err(Illegal::Nothing),
        Some(wanted) if wanted > MOST_TOKENS - so_far => Err(Illegal::TooManyTokens { most: MOST_TOKENS }),
        Some(wanted) if wanted > there => Err(Illegal::TooFewBarbarians { area, have: there, need: wanted }),
        Some(wanted) if wanted > stock => Err(Illegal::TooFewInStock { have: stock, need: wanted }),
        Some(wanted) => Ok(wanted),
        None if there == 0 => Err(Illegal::NoUnitsToTake { area }),
        None if stock == 0 && so_far == 0 => Err(Illegal::TooFewInStock { have: 0, need: 1 }),
        None => Ok(there.min(MOST_TOKENS - so_far).min(stock)),
    }
}

fn event(civ: Civ, area: AreaId, tokens: u16, city: bool) -> Event {
    let why = Cause::Advance(Advance::UniversalDoctrine);
    Event::UnitsAnnexed { from: Owner::Barbarians, to: Owner::Civ(civ), area, tokens, city, why }
}
