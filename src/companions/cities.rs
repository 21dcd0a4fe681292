//! Gathering tokens for cities: six on a site, twelve in the wilderness, fewer where Architecture pays.

use std::cmp::Reverse;

use super::Temperament;
use super::plan::Plan;
use crate::report::view::Owner;
use crate::rules::{Advance, AreaId};

/// Tokens for a city on a site, and without one. R5.3.
const CITY: u16 = 6;
const WILDERNESS: u16 = 12;
/// More tokens of others than this are left alone on a site.
const MOST_STRANGERS: u16 = 2;
/// A city without a site takes as many tokens as two others, so it must be worth it.
const CITIES_WITHOUT_SITES: u16 = 7;

/// A city that could be built.
#[derive(Clone, Copy)]
struct Project {
    area: AreaId,
    /// Tokens to bring together, those lost to strangers among them.
    tokens: u16,
    /// What Architecture pays. R5.8.
    treasury: u16,
}

/// Plans as many cities as can be gathered and supported.
pub(crate) fn found(plan: &mut Plan, temperament: Temperament) {
    let has = |advance| plan.view.own().advances.contains(&advance);
    let mut architecture = has(Advance::Architecture);
    while let Some(project) = best(plan, temperament, architecture) {
        architecture &= project.treasury == 0;
        gather(plan, project);
    }
}

/// A site before the wilderness; then where fewest tokens are wanting, and where most stand around.
fn best(plan: &Plan, temperament: Temperament, architecture: bool) -> Option<Project> {
    let projects = plan.view.ids().filter_map(|id| project(plan, id, architecture));
    let affordable = projects.filter(|project| is_affordable(plan, temperament, project.tokens));
    affordable.max_by_key(|project| {
        let id = project.area;
        let here = plan.free(id).min(project.tokens);
        (plan.area(id).site, Reverse(project.tokens - here), at_hand(plan, id), Reverse(id))
    })
}

fn project(plan: &Plan, id: AreaId, architecture: bool) -> Option<Project> {
    let area = plan.area(id);
    let strangers = area.tokens_beside(Owner::Civ(plan.view.civ));
    let is_open = area.limit > 0 && area.is_land_in_play() && area.city.is_none() && !plan.founded.contains(&id);
    if !is_open || strangers > MOST_STRANGERS || strangers > 0 && plan.is_forbidden(id) {
        return None;
    }
    let full = if area.site { CITY } else { WILDERNESS };
    if !area.site && (plan.cities() >= CITIES_WITHOUT_SITES || strangers > 0) {
        return None;
    }
    // Each round of a fight costs both sides one, the weaker first.
    let tokens = full + strangers.saturating_sub(1);
    let at_hand = at_hand(plan, id);
    let treasury = tokens.saturating_sub(at_hand);
    let most = if architecture && strangers == 0 { (full / 2).min(plan.treasury) } else { 0 };
    (treasury <= most).then_some(Project { area: id, tokens: tokens - treasury, treasury })
}

/// Support after building, tax from what is then in stock, and a reserve that goes on growing.
fn is_affordable(plan: &Plan, temperament: Temperament, tokens: u16) -> bool {
    let reserve = match temperament {
        Temperament::Merchant => 1,
        Temperament::Settler => 2,
        Temperament::Raider => 3,
    };
    let own = plan.view.own();
    let cities = plan.cities() + 1;
    let left = plan.total().saturating_sub(tokens);
    let stock = own.tokens + own.stock - left.min(own.tokens);
    let in_stock = plan.founded.len() < usize::from(own.cities_in_stock);
    in_stock && left >= plan.support() * cities + reserve && stock >= 2 * cities
}

/// Own tokens in the area and around it.
fn at_hand(plan: &Plan, site: AreaId) -> u16 {
    plan.free(site) + plan.area(site).land.iter().map(|next| plan.free(*next)).sum::<u16>()
}

/// Brings them together: those of the area, then the neighbours' surplus, then from wherever most stand.
fn gather(plan: &mut Plan, project: Project) {
    let site = project.area;
    let here = plan.free(site).min(project.tokens);
    let mut missing = project.tokens - here;
    plan.commit(site, here);
    while missing > 0 {
        let neighbours = plan.area(site).land.iter().copied().filter(|next| plan.free(*next) > 0);
        let Some(from) = neighbours.max_by_key(|id| (plan.excess(*id), plan.free(*id), Reverse(*id))) else {
            break;
        };
        plan.walk(from, site, 1);
        missing -= 1;
    }
    plan.spend(site);
    plan.founded.push(site);
    plan.treasury -= project.treasury;
    let paid = if project.treasury > 0 { format!(" with {} treasury", project.treasury) } else { String::new() };
    plan.cities.push(format!("build city in {}{paid}", plan.area(site).name));
}
