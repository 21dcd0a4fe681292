//! Cities that are reduced or destroyed, chosen by their owner. C.12.

use std::cmp::Reverse;

use super::Call;
use crate::game::cities::support;
use crate::game::{Event, Owner, WishList};
use crate::rules::{AreaId, Civ};

/// Reduces so many of these cities: wishes first, then the highest limit, then A to Z; spared ones last, and of them the
/// last named first.
pub(crate) fn reduce(call: &mut Call, civ: Civ, count: u16, cities: Vec<AreaId>) {
    let wishes = call.wished_reductions(civ);
    for area in chosen(call, civ, cities, &wishes).into_iter().take(usize::from(count)) {
        reduce_one(call, civ, area);
    }
}

pub(crate) fn reduce_one(call: &mut Call, civ: Civ, area: AreaId) {
    let (placed, why) = (support::replacement(call.state(), civ, area), call.why());
    call.record(Event::CityReduced { civ, area, placed, why });
}

/// Destroys so many of these cities, with a token beside them.
pub(crate) fn destroy(call: &mut Call, civ: Civ, count: u16, cities: Vec<AreaId>) {
    let wishes = call.lost_areas(civ);
    for area in chosen(call, civ, cities, &wishes).into_iter().take(usize::from(count)) {
        destroy_one(call, civ, area);
    }
}

/// Destroys one city, with a token beside it. C.14.
pub(crate) fn destroy_one(call: &mut Call, civ: Civ, area: AreaId) {
    let (owner, why) = (Owner::Civ(civ), call.why());
    let tokens = call.state().tokens(area, owner);
    call.record(Event::UnitsDestroyed { owner, area, tokens, city: true, why });
}

/// The cities in the sequence in which they go.
pub(crate) fn chosen(call: &Call, civ: Civ, mut cities: Vec<AreaId>, wishes: &WishList) -> Vec<AreaId> {
    let (state, spared) = (call.state(), call.spared(civ));
    state.alphabetically(&mut cities);
    cities.sort_by_key(|area| (wishes.place(*area), spared.stay(*area), Reverse(state.limit(*area))));
    cities
}

/// All cities of a player.
pub(crate) fn all(call: &Call, civ: Civ) -> Vec<AreaId> {
    call.state().cities_of(civ).collect()
}

/// The player's cities in coastal areas.
pub(crate) fn coastal(call: &Call, civ: Civ) -> Vec<AreaId> {
    let map = &call.state().printed().map;
    call.state().cities_of(civ).filter(|area| map.area(*area).is_coastal()).collect()
}
