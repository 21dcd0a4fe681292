//! All units in one area: Fundamentalism destroys them, Monotheism annexes them, Politics annexes and pays for them.

use crate::game::event::Cause;
use crate::game::{Event, Illegal, Owner, State};
use crate::rules::{Advance, AreaId, Civ};

/// What follows in the first of these areas where anything can; the reason of the first where nothing can.
pub(crate) fn first(
    targets: &[AreaId],
    plan: impl Fn(AreaId) -> Result<Vec<Event>, Illegal>,
) -> Result<Vec<Event>, Illegal> {
    let mut why = None;
    for area in targets {
        match plan(*area) {
            Ok(events) => return Ok(events),
            Err(illegal) => why = why.or(Some(illegal)),
        }
    }
    Err(why.unwrap_or(Illegal::Nothing))
}

/// Fundamentalism: all units there are destroyed; those of holders of Fundamentalism or Philosophy stay.
pub(crate) fn destroy(state: &State, civ: Civ, area: AreaId) -> Result<Vec<Event>, Illegal> {
    let why = Cause::Advance(Advance::Fundamentalism);
    let units = units(state, civ, area, [Advance::Fundamentalism, Advance::Philosophy])?;
    let destroyed = units.into_iter().map(|Units { owner, tokens, city }| {
        let owner = Owner::Civ(owner);
        Event::UnitsDestroyed { owner, area, tokens, city, why }
    });
    Ok(destroyed.collect())
}

/// Monotheism: all units there are annexed; those of holders of Monotheism or Theology stay.
pub(crate) fn convert(state: &State, civ: Civ, area: AreaId) -> Result<Vec<Event>, Illegal> {
    let units = units(state, civ, area, [Advance::Monotheism, Advance::Theology])?;
    annexed(state, civ, area, units, Advance::Monotheism)
}

/// Politics, the second choice: all units there are annexed, and their unit points are paid; those of holders of
/// Politics or Cultural Ascendancy stay.
pub(crate) fn buy(state: &State, civ: Civ, area: AreaId) -> Result<Vec<Event>, Illegal> {
    let units = units(state, civ, area, [Advance::Politics, Advance::CulturalAscendancy])?;
    let (have, need) = (state.holding(civ).treasury, units.iter().map(Units::points).sum());
    let mut events = annexed(state, civ, area, units, Advance::Politics)?;
    if have < need {
        return Err(Illegal::TooLittleTreasury { have, need });
    }
    events.push(Event::TreasuryLost { civ, amount: need, why: Cause::Advance(Advance::Politics) });
    Ok(events)
}

/// What one player has in an area. Ships are no units. R10.3.
struct Units {
    owner: Civ,
    tokens: u16,
    city: bool,
}

impl Units {
    /// G.3.
    fn points(&self) -> u16 {
        self.tokens + 5 * u16::from(self.city)
    }
}

/// The units that the ability would take: those of other players without a protecting advance. Barbarian tokens and
/// pirate cities are never among them. R10.6.
fn units(state: &State, civ: Civ, area: AreaId, protecting: [Advance; 2]) -> Result<Vec<Units>, Illegal> {
    let own = Owner::Civ(civ);
    let neighbours = &state.printed().map.area(area).land;
    if !neighbours.iter().any(|neighbour| state.unit_points(*neighbour, own) > 0) {
        return Err(Illegal::NoUnitsBeside { area });
    }
    let ground = state.ground(area);
    let mut units = Vec::new();
    for owner in state.ranking().filter(|owner| *owner != civ) {
        let tokens = state.tokens(area, Owner::Civ(owner));
        let city = ground.city.is_some_and(|city| city.owner == Owner::Civ(owner));
        if (tokens > 0 || city) && !protecting.iter().any(|advance| state.has(owner, *advance)) {
            units.push(Units { owner, tokens, city });
        }
    }
    if units.is_empty() { Err(Illegal::NoUnitsToTake { area }) } else { Ok(units) }
}

/// G.12: equal pieces from the own stock take their place, or nothing is annexed at all. R10.3.
fn annexed(state: &State, civ: Civ, area: AreaId, units: Vec<Units>, advance: Advance) -> Result<Vec<Event>, Illegal> {
    let (have, need) = (state.holding(civ).stock, units.iter().map(|units| units.tokens).sum());
    if have < need {
        return Err(Illegal::TooFewInStock { have, need });
    }
    if units.iter().any(|units| units.city) && state.holding(civ).cities == 0 {
        return Err(Illegal::NoCityInStock);
    }
    let (to, why) = (Owner::Civ(civ), Cause::Advance(advance));
    let annexed = units.into_iter().map(|Units { owner, tokens, city }| {
        let from = Owner::Civ(owner);
        Event::UnitsAnnexed { from, to, area, tokens, city, why }
    });
    Ok(annexed.collect())
}
