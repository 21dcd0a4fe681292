//! Taking what others have: cities by a raider, ground by anybody whose people would else be lost.

use super::Temperament;
use super::plan::Plan;
use crate::report::view::Owner;
use crate::rules::{Advance, AreaId};

/// R3.38: an attack succeeds with seven; two more are sent if they are there, for a defender who comes back.
const ATTACK: u16 = 7;
const MORE: u16 = 2;
/// Before this turn nobody has anything worth the trouble.
const FIRST_TURN: u16 = 4;

/// Everybody drives pirates out if the player can spare the tokens; a raider falls upon the player's neighbours' cities
/// too.
pub(crate) fn storm(plan: &mut Plan, temperament: Temperament) {
    if plan.view.turn < FIRST_TURN {
        return;
    }
    let spare = plan.total().saturating_sub(plan.support() * plan.cities());
    let worth = |owner: Owner| match owner {
        Owner::Civ(_) => temperament == Temperament::Raider && owner != own(plan),
        Owner::Barbarians => true,
    };
    let cities = plan.view.ids().filter(|id| plan.area(*id).city.is_some_and(worth));
    let open = cities.filter(|id| !plan.is_forbidden(*id));
    let weak = open.filter(|id| {
        let needed = needed(plan, *id) + plan.area(*id).tokens_beside(own(plan));
        around(plan, *id) >= needed && spare >= needed
    });
    let target = weak.max_by_key(|id| (wealth(plan, *id), std::cmp::Reverse(*id)));
    if let Some(city) = target {
        let force =
            around(plan, city).min(spare).min(needed(plan, city) + plan.area(city).tokens_beside(own(plan)) + MORE);
        send(plan, city, force);
    }
}

/// R4.20.
fn needed(plan: &Plan, city: AreaId) -> u16 {
    let owner = plan.area(city).city;
    let defender = plan.view.civilizations.iter().find(|other| Some(Owner::Civ(other.civ)) == owner);
    let defends = defender.is_some_and(|other| other.advances.contains(&Advance::Engineering));
    match (plan.has(Advance::Engineering), defends) {
        (true, false) => ATTACK - 1,
        (false, true) => ATTACK + 1,
        (true, true) | (false, false) => ATTACK,
    }
}

/// Tokens that would be removed as surplus take a weaker neighbour's ground; a raider needs no such excuse.
pub(crate) fn press(plan: &mut Plan, temperament: Temperament) {
    if plan.view.turn < FIRST_TURN {
        return;
    }
    for target in plan.view.ids() {
        let area = plan.area(target);
        let foreign = area.tokens_beside(own(plan));
        if foreign == 0
            || !area.is_land_in_play()
            || area.city.is_some()
            || area.limit == 0
            || plan.is_forbidden(target)
        {
            continue;
        }
        let needed = (foreign + area.limit).saturating_sub(plan.standing(target));
        let neighbours = area.land.iter();
        let willing: u16 = match temperament {
            Temperament::Raider if area.site => neighbours.map(|id| plan.free(*id)).sum(),
            Temperament::Raider | Temperament::Merchant => neighbours.map(|id| plan.excess(*id)).sum(),
            Temperament::Settler => 0,
        };
        let supported = plan.total() >= needed + plan.support() * plan.cities();
        if needed > 0 && willing >= needed && supported {
            send(plan, target, needed);
        }
    }
}

fn own(plan: &Plan) -> Owner {
    Owner::Civ(plan.view.civ)
}

fn around(plan: &Plan, id: AreaId) -> u16 {
    plan.area(id).land.iter().map(|next| plan.free(*next)).sum()
}

/// Cities of the one who owns this city.
fn wealth(plan: &Plan, id: AreaId) -> u8 {
    let owner = plan.area(id).city;
    let owner = plan.view.civilizations.iter().find(|other| Some(Owner::Civ(other.civ)) == owner);
    owner.map_or(0, |owner| owner.cities)
}

/// Sends so many from all around, surplus first. They are not counted on any more.
fn send(plan: &mut Plan, target: AreaId, force: u16) {
    for _ in 0..force {
        let neighbours = plan.area(target).land.iter().copied().filter(|next| plan.free(*next) > 0);
        let Some(from) = neighbours.max_by_key(|id| (plan.excess(*id), plan.free(*id), std::cmp::Reverse(*id))) else {
            break;
        };
        plan.walk(from, target, 1);
    }
    plan.spend(target);
}
