//! Spreading over land: into empty areas, and out of crowded ones.

use std::collections::VecDeque;

use super::plan::Plan;
use crate::rules::AreaId;

/// Steps that a crowd makes way over; each token still moves only one.
const LONGEST_WAY: usize = 5;

/// Sends tokens into empty neighbours, as many as grow best there.
pub(crate) fn settle(plan: &mut Plan) {
    for from in plan.free_areas() {
        loop {
            // Two in an area grow as fast as they can; two alone part.
            let keep = if plan.standing(from) <= 2 { 1 } else { 2 };
            if plan.free(from) == 0 || plan.standing(from) <= keep {
                break;
            }
            let neighbours = plan.area(from).land.iter().copied();
            let roomy = neighbours.filter(|to| plan.standing(*to) < 2 && plan.vacancy(*to) > 0 && is_safe(plan, *to));
            let Some(to) = roomy.max_by_key(|to| (attraction(plan, *to), std::cmp::Reverse(*to))) else { break };
            plan.walk(from, to, 1);
        }
    }
}

/// Moves every crowd on, over areas that make way, to where there is room.
pub(crate) fn relieve(plan: &mut Plan) {
    for from in plan.free_areas() {
        while plan.excess(from) > 0 {
            let Some(way) = way_to_room(plan, from) else { break };
            for step in way.windows(2) {
                plan.walk(step[0], step[1], 1);
            }
        }
    }
}

/// Not an area for a single token that a neighbour may want too.
fn is_safe(plan: &Plan, id: AreaId) -> bool {
    plan.area(id).limit > 1 || !plan.is_contested(id)
}

/// Large areas with sites and free country behind them are liked best; one that is still empty before one that is not.
fn attraction(plan: &Plan, id: AreaId) -> u16 {
    let area = plan.area(id);
    let beyond = area.land.iter().filter(|next| plan.vacancy(**next) > 0 && plan.standing(**next) == 0).count() as u16;
    let empty = if plan.standing(id) == 0 { 6 } else { 0 };
    empty + 2 * area.limit + if area.site { 3 } else { 0 } + beyond.min(4)
}

/// The shortest way to an area with room, along which everybody moves up by one.
fn way_to_room(plan: &Plan, from: AreaId) -> Option<Vec<AreaId>> {
    let mut ways = VecDeque::from([vec![from]]);
    let mut seen = vec![from];
    while let Some(way) = ways.pop_front() {
        let last = *way.last()?;
        for &next in plan.area(last).land {
            if seen.contains(&next) {
                continue;
            }
            seen.push(next);
            let longer = [way.as_slice(), &[next]].concat();
            if plan.vacancy(next) > 0 && is_safe(plan, next) {
                return Some(longer);
            }
            if plan.free(next) > 0 && longer.len() < LONGEST_WAY {
                ways.push_back(longer);
            }
        }
    }
    None
}
