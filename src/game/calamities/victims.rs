//! Who profits from a calamity, and whom its holder draws into it. C.6 to C.8.

use super::{Call, calamity};
use crate::game::{Event, Owner, State};
use crate::rules::{Advance, AreaId, Calamity, Civ, TradeCard};

/// The beneficiary, where the calamity has one. C.6, C.7.
pub(crate) fn beneficiary(state: &State, victim: Civ, card: TradeCard) -> Option<Civ> {
    let printed = &state.printed().calamities[calamity(card) as usize];
    if !printed.effect.iter().any(|(effect, _)| effect == "beneficiary") {
        return None;
    }
    let giver = state.giver(card).filter(|giver| printed.tradeable && *giver != victim && state.is_seated(*giver));
    giver.or_else(|| {
        let may = |civ: Civ| civ != victim && (printed.tradeable || is_same_block(state, victim, civ));
        let others = state.holdings().iter().filter(|holding| may(holding.civ));
        // G.11. `max_by_key` would take the last of equals; the ranking wants the first.
        others.rev().max_by_key(|holding| (holding.cities, holding.stock)).map(|holding| holding.civ)
    })
}

/// The primary victim names the secondary ones, before their own losses. C.3, C.8.
pub(crate) fn name(call: &mut Call) -> Vec<Civ> {
    let count = usize::try_from(call.number("secondary_victims")).unwrap_or(0);
    let mut named: Vec<Civ> = Vec::new();
    if count == 0 || is_cancelled(call) {
        return named;
    }
    let wished = call.wished_victims(call.victim);
    let candidates = wished.into_iter().chain(by_default_named(call));
    for civ in candidates.collect::<Vec<_>>() {
        if named.len() < count && may_be_named(call, civ) {
            let (calamity, by) = (call.calamity, call.victim);
            call.record(Event::VictimNamed { calamity, by, victim: civ });
            named.push(civ);
        }
    }
    named
}

/// How many may be named, and who.
pub(crate) fn may_be(call: &Call) -> (usize, Vec<Civ>) {
    let count = usize::try_from(call.number("secondary_victims")).unwrap_or(0);
    if count == 0 || is_cancelled(call) {
        return (0, Vec::new());
    }
    (count, call.state().ranking().filter(|civ| may_be_named(call, *civ)).collect())
}

/// Iconoclasm needs a city, Piracy a coastal one, before anything is prevented.
pub(crate) fn is_cancelled(call: &Call) -> bool {
    let state = call.state();
    match call.calamity {
        Calamity::IconoclasmAndHeresy => state.city_count(call.victim) == 0,
        Calamity::Piracy => !has_coastal_city(state, call.victim),
        _ => false,
    }
}

/// C.8: nobody twice, not the beneficiary, and only from the own block if the card may not be traded.
fn may_be_named(call: &Call, civ: Civ) -> bool {
    let state = call.state();
    let tradeable = state.printed().calamities[call.calamity as usize].tradeable;
    let piracy = call.calamity == Calamity::Piracy;
    state.is_seated(civ)
        && !state.progress().struck.contains(&(call.calamity, civ))
        && (tradeable || is_same_block(state, call.victim, civ))
        && !(piracy && (state.has(civ, Advance::NavalWarfare) || !has_coastal_city(state, civ)))
}

fn is_same_block(state: &State, a: Civ, b: Civ) -> bool {
    state.holding(a).block == state.holding(b).block
}

pub(crate) fn has_coastal_city(state: &State, civ: Civ) -> bool {
    state.cities_of(civ).any(|area| state.printed().map.area(area).is_coastal())
}

/// MC-20: those who have something to lose, the highest score first, then the ranking; whoever has nothing comes last.
fn by_default_named(call: &Call) -> Vec<Civ> {
    let state = call.state();
    let mut civs: Vec<_> = state.ranking().collect();
    civs.sort_by_key(|civ| (!has_at_stake(call, *civ), std::cmp::Reverse(state.score(*civ).total())));
    civs
}

/// Whether a player has anything that the calamity could take.
fn has_at_stake(call: &Call, civ: Civ) -> bool {
    match call.calamity {
        Calamity::IconoclasmAndHeresy => call.state().city_count(civ) > 0,
        Calamity::Piracy => has_coastal_city(call.state(), civ),
        _ => call.state().areas_of(Owner::Civ(civ)).next().is_some(),
    }
}

/// A beneficiary's choice by default: cities on sites first, then A to Z.
pub(crate) fn by_default(state: &State, cities: impl Iterator<Item = AreaId>) -> Vec<AreaId> {
    let mut cities: Vec<_> = cities.collect();
    state.alphabetically(&mut cities);
    cities.sort_by_key(|area| state.printed().map.area(*area).site.is_none());
    cities
}

/// A city changes to the beneficiary, or to pirates where the player has none in stock; a token beside it is lost.
/// C.13, C.14.
pub(crate) fn annex_city(call: &mut Call, area: AreaId, victim: Civ, to: Option<Civ>) {
    let (from, why) = (Owner::Civ(victim), call.why());
    let tokens = call.state().tokens(area, from);
    if tokens > 0 {
        call.record(Event::UnitsDestroyed { owner: from, area, tokens, city: false, why });
    }
    let to = to.filter(|civ| call.state().holding(*civ).cities > 0).map_or(Owner::Barbarians, Owner::Civ);
    if to == Owner::Barbarians && call.state().cities_left(Owner::Barbarians) == 0 {
        call.record(Event::UnitsDestroyed { owner: from, area, tokens: 0, city: true, why })
    } else {
        call.record(Event::UnitsAnnexed { from, to, area, tokens: 0, city: true, why })
    }
}
