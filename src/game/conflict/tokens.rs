//! Token conflicts: tokens of several owners in one area. R4.8 to R4.19.

use super::substitutes::{Lost, Substitutes};
use crate::game::event::Loss;
use crate::game::rulebook::ExpansionConflicts;
use crate::game::{Chronicle, Event, Owner, State};
use crate::rules::{Advance, AreaId};

/// The areas that are fought over. R4.7.
pub(crate) fn contested(state: &State) -> impl Iterator<Item = AreaId> + '_ {
    let any_excess = state.rulebook().expansion_conflicts == ExpansionConflicts::Fought;
    state
        .grounds()
        .filter(move |(_, ground)| {
            any_excess || ground.city.is_some() || ground.forces.iter().any(|force| force.moved > 0)
        })
        .map(|(area, _)| area)
        .filter(|area| is_crowded(state, *area))
}

/// Tokens of several owners, in a city area or above the limit.
fn is_crowded(state: &State, area: AreaId) -> bool {
    let ground = state.ground(area);
    ground.forces.len() > 1 && (ground.city.is_some() || ground.total() > state.limit(area))
}

/// Areas without a holder of Advanced Military first, then by the rank of the first holder there. R4.19.
pub(crate) fn sequence(state: &State) -> Vec<AreaId> {
    let mut areas: Vec<_> = contested(state).collect();
    state.alphabetically(&mut areas);
    areas.sort_by_key(|area| {
        let owners = state.ground(*area).forces.iter().map(|force| force.owner);
        let holders = owners.filter(|owner| state.owner_has(*owner, Advance::AdvancedMilitary));
        holders.filter_map(|owner| owner.civ()).map(|civ| state.rank(civ) + 1).min().unwrap_or(0)
    });
    areas
}

/// One side of a conflict.
struct Fighter {
    owner: Owner,
    count: u16,
    metal: bool,
    loss: Loss,
}

/// Fights in rounds until the tokens fit or one owner is left.
pub(crate) fn fight(chronicle: &mut Chronicle, substitutes: &mut Substitutes, area: AreaId) {
    let state = chronicle.state();
    // An earlier loss of neighbours may have ended it.
    if !is_crowded(state, area) {
        return;
    }
    let ground = state.ground(area);
    let forces: Vec<_> = ground.forces.iter().map(|force| (force.owner, force.count)).collect();
    let fighter = |&(owner, count): &(Owner, u16)| Fighter {
        owner,
        count,
        metal: state.owner_has(owner, Advance::Metalworking),
        loss: Loss { owner, tokens: 0, ships: 0, neighbours: Vec::new() },
    };
    let mut fighters: Vec<_> = forces.iter().map(fighter).collect();
    let limit = ground.city.is_none().then(|| state.limit(area));
    while !is_over(&fighters, limit) {
        round(state, substitutes, area, &mut fighters, limit);
    }
    let losses = fighters.into_iter().map(|fighter| fighter.loss).filter(|loss| !is_nothing(loss)).collect();
    chronicle.record(Event::TokensFought { area, forces, losses });
}

/// Everybody loses one, smallest first, equals together; it may end between two groups. R4.9 to R4.12, R4.17.
fn round(state: &State, substitutes: &mut Substitutes, area: AreaId, fighters: &mut [Fighter], limit: Option<u16>) {
    fighters.sort_by_key(|fighter| (fighter.metal, fighter.count, fighter.owner));
    let counts: Vec<_> = fighters.iter().map(|fighter| (fighter.metal, fighter.count)).collect();
    let mut from = 0;
    while from < fighters.len() && !is_over(fighters, limit) {
        let upto = from + counts[from..].iter().take_while(|count| **count == counts[from]).count();
        for fighter in fighters[from..upto].iter_mut().filter(|fighter| fighter.count > 0) {
            match substitutes.lose(state, fighter.owner, area, &fighter.loss) {
                Some(Lost::Ship) => fighter.loss.ships += 1,
                Some(Lost::Neighbour(neighbour)) => {
                    match fighter.loss.neighbours.iter_mut().find(|(area, _)| *area == neighbour) {
                        Some((_, count)) => *count += 1,
                        None => fighter.loss.neighbours.push((neighbour, 1)),
                    }
                }
                None => {
                    fighter.count -= 1;
                    fighter.loss.tokens += 1;
                }
            }
        }
        from = upto;
    }
}

/// R4.12, R4.14: one owner left, or, where no city stands, all fit the limit.
fn is_over(fighters: &[Fighter], limit: Option<u16>) -> bool {
    let owners = fighters.iter().filter(|fighter| fighter.count > 0).count();
    let total: u16 = fighters.iter().map(|fighter| fighter.count).sum();
    owners < 2 || limit.is_some_and(|limit| total <= limit)
}

fn is_nothing(loss: &Loss) -> bool {
    loss.tokens == 0 && loss.ships == 0 && loss.neighbours.is_empty()
}
