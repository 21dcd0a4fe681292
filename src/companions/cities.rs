//! Gathering six tokens on city sites.

use super::Temperament;
use super::plan::Plan;
use crate::report::view::Owner;
use crate::rules::AreaId;

/// Tokens for a city on a site. R5.3.
const CITY: u16 = 6;
/// Tokens that support a city. R5.14.
const SUPPORT: u16 = 2;

/// Plans as many cities as can be gathered and supported.
pub fn found(plan: &mut Plan, temperament: Temperament) {
    while is_affordable(plan, temperament) {
        let sites = plan.view.ids().filter(|id| is_free_site(plan, *id));
        let reachable = sites.filter(|id| at_hand(plan, *id) >= CITY);
        // The site with most tokens on it already, then the one with most around it.
        let best = reachable.max_by_key(|id| (plan.free(*id).min(CITY), at_hand(plan, *id), std::cmp::Reverse(*id)));
        let Some(site) = best else { return };
        gather(plan, site);
    }
}

/// Support after building, tax from what is then in stock, and a reserve that goes on growing.
fn is_affordable(plan: &Plan, temperament: Temperament) -> bool {
    let reserve = match temperament {
        Temperament::Merchant => 1,
        Temperament::Settler => 3,
        Temperament::Raider => 5,
    };
    let own = plan.view.own();
    let cities = plan.cities() + 1;
    let left = plan.total().saturating_sub(CITY);
    let stock = own.tokens + own.stock - left.min(own.tokens);
    let in_stock = plan.founded.len() < usize::from(own.cities_in_stock);
    in_stock && left >= SUPPORT * cities + reserve && stock >= SUPPORT * cities
}

fn is_free_site(plan: &Plan, id: AreaId) -> bool {
    let area = plan.area(id);
    let lonely = area.tokens_beside(Owner::Civ(plan.view.civ)) == 0;
    area.site
        && area.limit > 0
        && area.is_land_in_play()
        && area.city.is_none()
        && lonely
        && !plan.founded.contains(&id)
}

/// Own tokens on the site and around it.
fn at_hand(plan: &Plan, site: AreaId) -> u16 {
    plan.free(site) + plan.area(site).land.iter().map(|next| plan.free(*next)).sum::<u16>()
}

/// Brings six together: those of the site, then the neighbours' surplus, then from wherever most stand.
fn gather(plan: &mut Plan, site: AreaId) {
    let here = plan.free(site).min(CITY);
    let mut missing = CITY - here;
    plan.commit(site, here);
    while missing > 0 {
        let neighbours = plan.area(site).land.iter().copied().filter(|next| plan.free(*next) > 0);
        let Some(from) = neighbours.max_by_key(|id| (plan.excess(*id), plan.free(*id), std::cmp::Reverse(*id))) else {
            break;
        };
        plan.walk(from, site, 1);
        missing -= 1;
    }
    plan.spend(site);
    plan.founded.push(site);
}
