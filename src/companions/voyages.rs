//! Ships: built when there is somewhere to go, maintained while they serve, else left to rot.

use std::collections::VecDeque;

use super::plan::Plan;
use crate::report::view::{Area, Owner};
use crate::rules::{AreaId, AreaKind};

/// R3.21, R3.23, R3.13.
const STEPS: usize = 4;
const ABOARD: u16 = 5;
const PRICE: u16 = 2;
/// The first turn in which anybody thinks of the sea, and the crew that is worth a ship.
const FIRST_TURN: u16 = 2;
const LEAST_LOAD: u16 = 2;

/// Sends tokens over the sea to coasts that nobody can walk to.
pub(crate) fn sail(plan: &mut Plan) {
    let most = if plan.view.turn < 5 { 1 } else { 2 };
    let mut old = old_ships(plan);
    for _ in 0..most {
        if plan.view.turn < FIRST_TURN {
            break;
        }
        let built = plan.ships.iter().filter(|line| line.starts_with("build")).count();
        let in_stock = usize::from(plan.view.own().ships_in_stock) > built;
        let Some(voyage) = best_voyage(plan, &old, in_stock) else { break };
        if let Some(index) = old.iter().position(|area| *area == voyage.way[0]) {
            old.remove(index);
        }
        embark(plan, &voyage);
    }
    // A rich fleet keeps its other ships; a poor one lets them go.
    for ship in old {
        if plan.treasury >= 6 {
            plan.treasury -= 1;
            plan.ships.push(format!("maintain ship in {}", plan.area(ship).name));
        }
    }
}

struct Voyage {
    /// From the first area to the last.
    way: Vec<AreaId>,
    load: u16,
    paid: Paid,
}

/// What a usable ship costs.
#[derive(Clone, Copy, PartialEq)]
enum Paid {
    Upkeep,
    UpkeepInTokens,
    Treasury,
    Tokens,
    /// One here, one from a crowd elsewhere.
    TokensFrom(AreaId),
}

fn old_ships(plan: &Plan) -> Vec<AreaId> {
    let own = |area: &Area| area.ships.iter().filter(|ship| ship.civ == plan.view.civ && ship.old).count();
    plan.view.ids().flat_map(|id| std::iter::repeat_n(id, own(plan.area(id)))).collect()
}

fn best_voyage(plan: &Plan, old: &[AreaId], in_stock: bool) -> Option<Voyage> {
    let mut best: Option<(u16, Voyage)> = None;
    for from in plan.free_areas() {
        if plan.area(from).kind != AreaKind::Coastal {
            continue;
        }
        let Some((paid, spare)) = means(plan, from, old.contains(&from), in_stock) else { continue };
        for way in ways(plan, from) {
            let Some(&to) = way.last() else { continue };
            let load = spare.min(plan.vacancy(to)).min(ABOARD);
            let liking = STEPS as u16 + 4 * load + if plan.area(to).site { 4 } else { 0 } - (way.len() - 1) as u16;
            if load >= LEAST_LOAD && best.as_ref().is_none_or(|(other, _)| liking > *other) {
                best = Some((liking, Voyage { way, load, paid }));
            }
        }
    }
    best.map(|(_, voyage)| voyage)
}

/// How a ship here would be paid for, and how many tokens it could take.
fn means(plan: &Plan, from: AreaId, has_old: bool, in_stock: bool) -> Option<(Paid, u16)> {
    let (free, standing) = (plan.free(from), plan.standing(from));
    // Where people can still walk to new land, only the crowd goes to sea.
    let crowded = !plan.area(from).land.iter().any(|next| plan.vacancy(*next) > 0);
    let spare = free.min(if crowded { standing.saturating_sub(1) } else { plan.excess(from) });
    let elsewhere = plan.free_areas().into_iter().find(|id| *id != from && plan.excess(*id) > 0);
    let paid = match (has_old, in_stock) {
        (true, _) if plan.treasury > 0 => (Paid::Upkeep, spare),
        (true, _) => (Paid::UpkeepInTokens, spare.checked_sub(1)?),
        (false, true) if plan.treasury >= PRICE => (Paid::Treasury, spare),
        (false, true) if plan.total() >= 6 => match elsewhere {
            Some(other) => (Paid::TokensFrom(other), spare.checked_sub(1)?),
            None => (Paid::Tokens, spare.checked_sub(PRICE)?),
        },
        (false, true) | (false, false) => return None,
    };
    (paid.1 > 0).then_some(paid)
}

/// The shortest ways over the water to coasts with room that no own token could walk to.
fn ways(plan: &Plan, from: AreaId) -> Vec<Vec<AreaId>> {
    let (mut ways, mut found, mut seen) = (VecDeque::from([vec![from]]), Vec::new(), vec![from]);
    while let Some(way) = ways.pop_front() {
        let Some(&last) = way.last() else { continue };
        for &next in plan.area(last).water {
            if seen.contains(&next) || plan.area(next).kind == AreaKind::OpenSea {
                continue;
            }
            seen.push(next);
            let longer = [way.as_slice(), &[next]].concat();
            if is_new_world(plan, next) {
                found.push(longer.clone());
            }
            if longer.len() <= STEPS {
                ways.push_back(longer);
            }
        }
    }
    found
}

fn is_new_world(plan: &Plan, id: AreaId) -> bool {
    let own = Owner::Civ(plan.view.civ);
    let is_home = |id: &AreaId| plan.standing(*id) > 0 || plan.area(*id).city == Some(own);
    plan.vacancy(id) >= LEAST_LOAD && plan.standing(id) == 0 && !plan.area(id).land.iter().any(is_home)
}

fn embark(plan: &mut Plan, voyage: &Voyage) {
    let from = voyage.way[0];
    let name = plan.area(from).name;
    let (line, treasury, tokens) = match voyage.paid {
        Paid::Upkeep => (format!("maintain ship in {name}"), 1, 0),
        Paid::UpkeepInTokens => (format!("maintain ship in {name} with token from {name}"), 0, 1),
        Paid::Treasury => (format!("build ship in {name}"), PRICE, 0),
        Paid::Tokens => (format!("build ship in {name} for {PRICE} tokens"), 0, PRICE),
        Paid::TokensFrom(other) => {
            plan.take(other, 1);
            (format!("build ship in {name} for {PRICE} tokens, 1 from {}", plan.area(other).name), 0, 1)
        }
    };
    plan.ships.push(line);
    plan.treasury -= treasury;
    plan.take(from, tokens + voyage.load);
    let steps: Vec<_> = voyage.way[1..].iter().map(|id| format!("to {}", plan.area(*id).name)).collect();
    plan.ships.push(format!("sail from {name} load {} {}", voyage.load, steps.join(" ")));
    if let Some(&to) = voyage.way.last() {
        plan.land(to, voyage.load);
    }
}
