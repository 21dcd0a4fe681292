//! Calamity 8: barbarian hordes fall upon a city and wander on. B.1 to B.5.

use super::victims::by_default;
use super::{Call, reduction};
use crate::game::conflict::attacks::{self, Attack};
use crate::game::conflict::substitutes::Substitutes;
use crate::game::conflict::tokens;
use crate::game::{Chance, Commands, Event, Owner, State};
use crate::rules::{AreaId, AreaKind};

/// The horde comes, fights and wanders until it fits or finds no way.
pub(crate) fn resolve(call: &mut Call, chance: &Chance) {
    let Some(city) = first_city(call) else { return };
    let count = call.modified("barbarian_tokens", "barbarian_tokens", call.victim);
    let count = count.min(call.state().tokens_left(Owner::Barbarians));
    if count == 0 {
        return;
    }
    call.record(Event::BarbariansCame { area: city, count });
    fight(call, chance, city);
    let mut visited = vec![city];
    let mut at = city;
    while let Some(excess) = excess(call.state(), at) {
        let Some(next) = next_area(call, at, excess, &visited) else {
            // B.2: what finds no way is destroyed.
            let (owner, why) = (Owner::Barbarians, call.why());
            call.record(Event::UnitsDestroyed { owner, area: at, tokens: excess, city: false, why });
            return;
        };
        call.record(Event::BarbariansWandered { from: at, to: next, count: excess });
        fight(call, chance, next);
        visited.push(next);
        at = next;
    }
}

/// B.1: a wilderness city if there is one, by the beneficiary's choice.
fn first_city(call: &Call) -> Option<AreaId> {
    let state = call.state();
    let mut cities = by_default(state, reduction::all(call, call.victim).into_iter());
    if let Some(beneficiary) = call.beneficiary {
        let wishes = call.wished_selection(beneficiary);
        cities.sort_by_key(|area| wishes.place(*area));
    }
    let in_wilderness = |area: &AreaId| state.printed().map.area(*area).site.is_none();
    cities.iter().copied().find(in_wilderness).or_else(|| cities.first().copied())
}

/// Tokens fight first, then what is left of the horde attacks the city.
fn fight(call: &mut Call, chance: &Chance, area: AreaId) {
    let mut substitutes = Substitutes::filed(call.state(), &Commands::default());
    tokens::fight(call.chronicle, &mut substitutes, area);
    if let Some(attack) = attack_on(call.state(), area) {
        attacks::resolve_one(call.chronicle, call.commands, &mut substitutes, chance, attack);
    }
}

fn attack_on(state: &State, area: AreaId) -> Option<Attack> {
    attacks::attacks(state).find(|attack| attack.area == area && attack.attacker == Owner::Barbarians)
}

/// Barbarian tokens above the limit of an area.
fn excess(state: &State, area: AreaId) -> Option<u16> {
    let above = state.tokens(area, Owner::Barbarians).saturating_sub(state.limit(area));
    Some(above).filter(|above| *above > 0)
}

/// The neighbour where the horde goes on: as the beneficiary wishes, else where the victim is weakest, then A to Z.
fn next_area(call: &Call, from: AreaId, count: u16, visited: &[AreaId]) -> Option<AreaId> {
    let state = call.state();
    let printed = state.printed().map.area(from);
    let victim = Owner::Civ(call.victim);
    let may = |area: &AreaId| {
        let kind = state.printed().map.area(*area).kind;
        matches!(kind, AreaKind::Land | AreaKind::Coastal)
            && !state.ground(*area).out_of_play
            && !visited.contains(area)
            && state.unit_points(*area, victim) > 0
            && would_succeed(state, *area, count)
    };
    let mut areas: Vec<_> = printed.land.iter().chain(&printed.water).copied().filter(may).collect();
    areas.sort_unstable();
    areas.dedup();
    state.alphabetically(&mut areas);
    let wishes = call.beneficiary.map(|civ| call.wished_selection(civ)).unwrap_or_default();
    areas.into_iter().min_by_key(|area| (wishes.place(*area), state.unit_points(*area, victim)))
}

/// B.2: into a city area only if the attack would succeed.
fn would_succeed(state: &State, area: AreaId, count: u16) -> bool {
    let Some(city) = state.ground(area).city.filter(|city| city.owner != Owner::Barbarians) else { return true };
    let beside = state.tokens(area, Owner::Barbarians);
    let attack = Attack { area, attacker: Owner::Barbarians, defender: city.owner, tokens: count + beside };
    attack.tokens >= attacks::needed(state, attack)
}
