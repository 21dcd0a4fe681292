//! Ships: built, maintained, given up and sailed. R3.10 to R3.26.

use std::collections::BTreeMap;

use super::may_enter;
use crate::game::command::{SailAct, ShipPrice};
use crate::game::event::Stop;
use crate::game::rulebook::{ShipRebuilding, ShipRides, ShipVoyage};
use crate::game::{Count, Event, Illegal, Owner, Ship, ShipCondition, State};
use crate::rules::names::fold;
use crate::rules::{Advance, AreaId, AreaKind, Civ};

/// R3.12.
const MOST_BUILT: u8 = 4;
/// R3.15.
const UPKEEP: u16 = 1;

/// A ship is built where an own token stands on a coast.
pub(crate) fn build(state: &State, civ: Civ, area: AreaId, price: &ShipPrice) -> Result<Event, Illegal> {
    let holding = state.holding(civ);
    if !state.printed().map.area(area).is_coastal() {
        return Err(Illegal::NotCoastal { area });
    }
    if state.tokens(area, Owner::Civ(civ)) == 0 {
        return Err(Illegal::NoTokenThere { area });
    }
    if holding.ships_built >= MOST_BUILT {
        return Err(Illegal::TooManyShipsBuilt);
    }
    let in_stock = usize::from(state.printed().pieces.ships) - holding.ships.len();
    if in_stock == 0 {
        return Err(Illegal::NoShipInStock);
    }
    let bound = state.rulebook().ship_rebuilding == ShipRebuilding::SamePlace;
    if bound && !holding.scrapped.contains(&area) && in_stock <= holding.scrapped.len() {
        return Err(Illegal::RebuildElsewhere);
    }
    let elsewhere = price.elsewhere.iter().fold(0, |sum: u16, (_, count)| sum.saturating_add(*count));
    // R3.13: two from the treasury, one and a token here, or two tokens of which one is here.
    match (price.treasury, price.here, elsewhere) {
        (2, 0, 0) | (1, 1, 0) | (0, 2, 0) | (0, 1, 1) => {}
        _ => return Err(Illegal::ShipPrice),
    }
    if holding.treasury < price.treasury {
        return Err(Illegal::TooLittleTreasury { have: holding.treasury, need: price.treasury });
    }
    let here = Some((area, price.here)).filter(|(_, count)| *count > 0);
    let tokens: Vec<_> = here.into_iter().chain(price.elsewhere.iter().copied()).collect();
    let mut needs: Vec<(AreaId, u16)> = Vec::new();
    for (from, count) in &tokens {
        match needs.iter_mut().find(|(area, _)| area == from) {
            Some((_, need)) => *need += count,
            None => needs.push((*from, *count)),
        }
    }
    for (area, need) in needs {
        let have = state.tokens(area, Owner::Civ(civ));
        if have < need {
            return Err(Illegal::TooFewToDestroy { area, have, need });
        }
    }
    Ok(Event::ShipBuilt { civ, area, treasury: price.treasury, tokens })
}

/// The upkeep of an old ship is paid, once.
pub(crate) fn maintain(state: &State, civ: Civ, area: AreaId, token_from: Option<AreaId>) -> Result<Event, Illegal> {
    let ship = old_ship(state, civ, area)?;
    match token_from {
        None if state.holding(civ).treasury < UPKEEP => {
            return Err(Illegal::TooLittleTreasury { have: 0, need: UPKEEP });
        }
        Some(area) if state.tokens(area, Owner::Civ(civ)) == 0 => {
            return Err(Illegal::TooFewToDestroy { area, have: 0, need: 1 });
        }
        None | Some(_) => {}
    }
    Ok(Event::ShipMaintained { civ, ship, area, token_from })
}

/// An old ship is given up, so that it can be built again.
pub(crate) fn scrap(state: &State, civ: Civ, area: AreaId) -> Result<Event, Illegal> {
    let ship = old_ship(state, civ, area)?;
    Ok(Event::ShipScrapped { civ, ship, area })
}

/// R3.18, R3.20: only a ship that is neither new nor maintained.
fn old_ship(state: &State, civ: Civ, area: AreaId) -> Result<u8, Illegal> {
    let ships = &state.holding(civ).ships;
    if !ships.iter().any(|ship| ship.area == area) {
        return Err(Illegal::NoShip { area });
    }
    let old = ships.iter().position(|ship| ship.area == area && ship.condition == ShipCondition::Old);
    old.map(|index| index as u8).ok_or(Illegal::ShipInUse { area })
}

/// A ship sails, loading and unloading on its way.
pub(crate) fn sail(state: &State, civ: Civ, from: AreaId, acts: &[SailAct]) -> Result<Event, Illegal> {
    let steps = acts.iter().filter(|act| matches!(act, SailAct::To(_))).count();
    let steps = u16::try_from(steps).unwrap_or(u16::MAX);
    let ship = usable_ship(state, civ, from, steps)?;
    let mut voyage = Voyage { state, civ, at: from, aboard: 0, route: vec![from], stops: Vec::new() };
    for act in acts {
        match act {
            SailAct::Load(count) => voyage.load(*count)?,
            SailAct::Unload(count) => voyage.unload(*count)?,
            SailAct::To(area) => voyage.step(*area)?,
        }
    }
    voyage.end()?;
    Ok(Event::ShipSailed { civ, ship, route: voyage.route, stops: voyage.stops })
}

/// The usable ship with the fewest steps left that suffice.
fn usable_ship(state: &State, civ: Civ, area: AreaId, steps: u16) -> Result<u8, Illegal> {
    let here = state.holding(civ).ships.iter().enumerate().filter(|(_, ship)| ship.area == area);
    let (mut usable, mut any) = (Vec::new(), false);
    for (index, ship) in here {
        any = true;
        if ship.condition != ShipCondition::Old {
            usable.push((steps_left(state, civ, ship), index as u8));
        }
    }
    if !any {
        return Err(Illegal::NoShip { area });
    }
    let most = usable.iter().map(|(left, _)| *left).max().ok_or(Illegal::ShipNotMaintained { area })?;
    let enough = usable.into_iter().filter(|(left, _)| *left >= steps.max(1)).min();
    enough.map(|(_, ship)| ship).ok_or(Illegal::TooFewSteps { area, left: most, need: steps.max(1) })
}

/// How many steps a ship has in a turn. R3.21.
pub(crate) fn allowance(state: &State, civ: Civ) -> u16 {
    4 + u16::from(state.has(civ, Advance::ClothMaking))
}

/// How many of them a ship has left.
pub(crate) fn steps_left(state: &State, civ: Civ, ship: &Ship) -> u16 {
    let one_go = state.rulebook().ship_voyage == ShipVoyage::InOneGo;
    if one_go && ship.sailed { 0 } else { allowance(state, civ).saturating_sub(ship.steps) }
}

/// How many tokens a ship holds. R3.23.
pub(crate) fn holds(state: &State, civ: Civ) -> u16 {
    5 + u16::from(state.has(civ, Advance::NavalWarfare))
}

/// Whether a player's ship may come into the water of an area. R3.22.
pub(crate) fn is_open(state: &State, civ: Civ, area: AreaId) -> bool {
    state.printed().map.area(area).kind != AreaKind::OpenSea || state.has(civ, Advance::Astronavigation)
}

/// The steps of the shortest way that a ship of this player could sail from one area to another, within the steps it has
/// left; of equally short ones the first by the names of its areas. None where there is no way. R3.21, R3.22.
pub(crate) fn way(state: &State, civ: Civ, from: AreaId, to: AreaId) -> Option<Vec<AreaId>> {
    let here = state.holding(civ).ships.iter().filter(|ship| ship.area == from);
    let allowance = allowance(state, civ);
    let most = here.map(|ship| allowance.saturating_sub(ship.steps)).max().unwrap_or(allowance);
    shortest(state, from, to, state.has(civ, Advance::Astronavigation), most)
}

/// Why there is no way for a ship between two areas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoWay {
    /// Only over open sea, which needs Astronavigation. R3.22.
    OpenSea,
    /// Only by more steps than a ship has. R3.21.
    TooFar {
        /// How many the shortest way has.
        steps: u16,
    },
}

/// Why there is no way that [`way`] could find; none if there is one, or if no water leads there at all.
pub(crate) fn no_way(state: &State, civ: Civ, from: AreaId, to: AreaId) -> Option<NoWay> {
    let sails = state.has(civ, Advance::Astronavigation);
    if way(state, civ, from, to).is_some() {
        return None;
    }
    let steps = |way: Vec<AreaId>| u16::try_from(way.len()).unwrap_or(u16::MAX);
    let coasting = shortest(state, from, to, sails, FARTHEST).map(steps);
    let crossing = shortest(state, from, to, true, allowance(state, civ)).map(steps);
    match (crossing, coasting) {
        (Some(_), _) if !sails => Some(NoWay::OpenSea),
        (_, Some(steps)) => Some(NoWay::TooFar { steps }),
        (_, None) => None,
    }
}

/// No two areas are farther apart.
const FARTHEST: u16 = 60;

fn shortest(state: &State, from: AreaId, to: AreaId, open_sea: bool, most: u16) -> Option<Vec<AreaId>> {
    let map = &state.printed().map;
    let is_open = |area: AreaId| open_sea || map.area(area).kind != AreaKind::OpenSea;
    let distances = distances(state, to, open_sea, most);
    let mut steps = Vec::new();
    let mut at = from;
    let mut left = *distances.get(&from).filter(|_| from != to && is_open(to))?;
    while left > 0 {
        left -= 1;
        let beside = map.area(at).water.iter().copied().filter(|area| distances.get(area) == Some(&left));
        at = beside.min_by_key(|area| (fold(&map.area(*area).name), *area))?;
        steps.push(at);
    }
    Some(steps)
}

/// How many steps each area is from this one over water, as far as a ship with so many steps could come. R3.21, R3.22.
fn distances(state: &State, to: AreaId, open_sea: bool, most: u16) -> BTreeMap<AreaId, u16> {
    let map = &state.printed().map;
    let is_open = |area: AreaId| open_sea || map.area(area).kind != AreaKind::OpenSea;
    let mut distances = BTreeMap::from([(to, 0)]);
    let mut reached = vec![to];
    for distance in 1..=most {
        let beside = reached.iter().flat_map(|area| &map.area(*area).water).copied();
        let next: Vec<AreaId> = beside.filter(|area| is_open(*area) && !distances.contains_key(area)).collect();
        distances.extend(next.iter().map(|area| (*area, distance)));
        reached = next;
    }
    distances
}

/// How many tokens of each civilization its ships could land in an area with a whole movement before them, each ship full:
/// the most that there is to fear. R3.21 to R3.23.
pub(super) fn landing(state: &State, area: AreaId) -> BTreeMap<Civ, u16> {
    let longest = 5;
    let [coasting, crossing] = [false, true].map(|open_sea| distances(state, area, open_sea, longest));
    let mut landing: BTreeMap<Civ, u16> = BTreeMap::new();
    for holding in state.holdings() {
        let has = |advance| state.has(holding.civ, advance);
        let steps = if has(Advance::Astronavigation) { &crossing } else { &coasting };
        let allowance = allowance(state, holding.civ);
        let comes = |ship: &&Ship| steps.get(&ship.area).is_some_and(|steps| *steps <= allowance);
        let ships = holding.ships.iter().filter(comes).count() as u16;
        landing.insert(holding.civ, ships * holds(state, holding.civ));
    }
    landing
}

/// A voyage under way.
struct Voyage<'a> {
    state: &'a State,
    civ: Civ,
    at: AreaId,
    aboard: u16,
    route: Vec<AreaId>,
    stops: Vec<Stop>,
}

impl Voyage<'_> {
    fn load(&mut self, count: Count) -> Result<(), Illegal> {
        let holds = holds(self.state, self.civ);
        let force = self.state.ground(self.at).force(Owner::Civ(self.civ));
        let (loaded, reloaded, landed) = self.traffic();
        let fresh = force.map_or(0, |force| force.fresh()) - loaded;
        // R3.9: who has come by ship rides again only where the house rule lets them.
        let ferried = match self.state.rulebook().ship_rides {
            ShipRides::One => 0,
            ShipRides::Several => force.map_or(0, |force| force.ferried) + landed - reloaded,
        };
        let have = fresh + ferried;
        let count = match count {
            Count::All => have.min(holds - self.aboard),
            Count::Exactly(count) => count,
        };
        if count == 0 {
            return if have > 0 { Err(Illegal::ShipFull { holds }) } else { Err(self.too_few(have, 1)) };
        }
        if count > have {
            return Err(self.too_few(have, count));
        }
        if self.aboard + count > holds {
            return Err(Illegal::ShipFull { holds });
        }
        let again = ferried.min(count);
        self.aboard += count;
        self.stops.push(Stop { area: self.at, loaded: count - again, reloaded: again, landed: 0 });
        Ok(())
    }

    fn unload(&mut self, count: Count) -> Result<(), Illegal> {
        let landed = match count {
            Count::All => self.aboard,
            Count::Exactly(count) => count,
        };
        if landed == 0 {
            return Err(Illegal::Nothing);
        }
        if landed > self.aboard {
            return Err(Illegal::TooFewAboard { have: self.aboard });
        }
        may_enter(self.state, self.civ, self.at, self.ashore() + landed)?;
        self.aboard -= landed;
        self.stops.push(Stop { area: self.at, loaded: 0, reloaded: 0, landed });
        Ok(())
    }

    fn step(&mut self, to: AreaId) -> Result<(), Illegal> {
        let map = &self.state.printed().map;
        if !map.is_water_adjacent(self.at, to) {
            return Err(Illegal::NotAdjacentByWater { from: self.at, to });
        }
        if !is_open(self.state, self.civ, to) {
            return Err(Illegal::OpenSea { area: to });
        }
        self.at = to;
        self.route.push(to);
        Ok(())
    }

    /// R3.22, R3.24, R3.25: where it may end, and everything aboard goes ashore.
    fn end(&mut self) -> Result<(), Illegal> {
        let area = self.at;
        if self.state.printed().map.area(area).kind == AreaKind::OpenSea {
            return Err(Illegal::OpenSea { area });
        }
        if self.state.ground(area).out_of_play {
            return Err(Illegal::OutOfPlay { area });
        }
        if self.aboard > 0 { self.unload(Count::All) } else { Ok(()) }
    }

    /// Own tokens that stand here now.
    fn ashore(&self) -> u16 {
        let (loaded, reloaded, landed) = self.traffic();
        self.state.tokens(self.at, Owner::Civ(self.civ)) + landed - loaded - reloaded
    }

    /// What went aboard, aboard again and ashore here on this voyage.
    fn traffic(&self) -> (u16, u16, u16) {
        let here = self.stops.iter().filter(|stop| stop.area == self.at);
        here.fold((0, 0, 0), |(loaded, reloaded, landed), stop| {
            (loaded + stop.loaded, reloaded + stop.reloaded, landed + stop.landed)
        })
    }

    fn too_few(&self, have: u16, need: u16) -> Illegal {
        let moved = self.state.ground(self.at).force(Owner::Civ(self.civ)).map_or(0, |force| force.moved);
        Illegal::TooFewTokens { area: self.at, have, need, moved }
    }
}
