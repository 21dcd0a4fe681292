//! Calamity 1: volcanic eruption or earthquake. V.1 to V.4.

use std::cmp::Reverse;

use super::Call;
use super::reduction::{all, chosen, destroy_one, reduce_one};
use crate::game::rulebook::EarthquakePirates;
use crate::game::{Event, Owner};
use crate::rules::{Advance, AreaId};

/// An eruption if the player has a city at a volcano, else an earthquake.
pub(crate) fn resolve(call: &mut Call) {
    match worst_volcano(call) {
        Some(volcano) => eruption(call, volcano),
        None => earthquake(call),
    }
}

/// V.1: the volcano that costs the player most; a tie by the player's wishes, then A to Z.
fn worst_volcano(call: &Call) -> Option<usize> {
    let (state, civ) = (call.state(), call.victim);
    let volcanoes = &state.printed().map.volcanoes;
    let (wishes, spared) = (call.lost_areas(civ), call.spared(civ));
    let has_city = |volcano: usize| state.cities_of(civ).any(|area| volcanoes[volcano].areas.contains(&area));
    (0..volcanoes.len()).filter(|volcano| has_city(*volcano)).min_by_key(|volcano| {
        let areas = &volcanoes[*volcano].areas;
        let points: u16 = areas.iter().map(|area| state.unit_points(*area, Owner::Civ(civ))).sum();
        let (wish, stay) = (wishes.first_place(areas), spared.longest_stay(areas));
        (Reverse(points), wish, stay, volcanoes[*volcano].name.clone())
    })
}

/// All units of every owner at the volcano are destroyed.
fn eruption(call: &mut Call, volcano: usize) {
    let why = call.why();
    for area in call.state().printed().map.volcanoes[volcano].areas.clone() {
        let ground = call.state().ground(area).clone();
        let owners = ground.forces.iter().map(|force| force.owner);
        let mut owners: Vec<_> = owners.chain(ground.city.map(|city| city.owner)).collect();
        owners.sort_unstable();
        owners.dedup();
        for owner in owners {
            let tokens = call.state().tokens(area, owner);
            let city = ground.city.is_some_and(|city| city.owner == owner);
            call.record(Event::UnitsDestroyed { owner, area, tokens, city, why });
        }
    }
}

/// V.2: an own city is destroyed, or reduced with Engineering, and a city beside it is reduced.
fn earthquake(call: &mut Call) {
    let civ = call.victim;
    let Some(first) = first_city(call) else { return };
    let second = second_city(call, first);
    if call.state().has(civ, Advance::Engineering) {
        reduce_one(call, civ, first)
    } else {
        destroy_one(call, civ, first)
    }
    let Some(second) = second else { return };
    match call.state().ground(second).city.map(|city| city.owner) {
        Some(Owner::Civ(owner)) => reduce_one(call, owner, second),
        // The Barbarians have no stock to put in its place.
        Some(owner @ Owner::Barbarians) => {
            let why = call.why();
            call.record(Event::UnitsDestroyed { owner, area: second, tokens: 0, city: true, why });
        }
        None => {}
    }
}

/// The first city the player names, whether it has a neighbour or not; without a wish one that has a city beside it.
fn first_city(call: &Call) -> Option<AreaId> {
    let (wishes, spared) = (call.lost_areas(call.victim), call.spared(call.victim));
    let cities = chosen(call, call.victim, all(call, call.victim), &wishes);
    cities.into_iter().min_by_key(|area| {
        let stands_alone = beside(call, *area).is_empty();
        (wishes.place(*area), spared.stay(*area), stands_alone)
    })
}

/// The adjacent city the player names first, else the first of another owner A to Z, else an own one; a spared one
/// last.
fn second_city(call: &Call, first: AreaId) -> Option<AreaId> {
    let (state, civ) = (call.state(), call.victim);
    let (wishes, spared) = (call.wished_reductions(civ), call.spared(civ));
    let mut cities = beside(call, first);
    state.alphabetically(&mut cities);
    cities.into_iter().min_by_key(|area| {
        let own = state.ground(*area).city.is_some_and(|city| city.owner == Owner::Civ(civ));
        (wishes.place(*area), spared.stay(*area), own)
    })
}

/// The cities adjacent to an area by land or water.
fn beside(call: &Call, area: AreaId) -> Vec<AreaId> {
    let state = call.state();
    let printed = state.printed().map.area(area);
    let pirates = state.rulebook().earthquake_pirates == EarthquakePirates::MayBeChosen;
    let is_city = |area: &AreaId| {
        let city = state.ground(*area).city;
        city.is_some_and(|city| pirates || city.owner != Owner::Barbarians)
    };
    let mut cities: Vec<_> = printed.land.iter().chain(&printed.water).copied().filter(is_city).collect();
    cities.sort_unstable();
    cities.dedup();
    cities
}
