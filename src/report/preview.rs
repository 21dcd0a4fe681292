//! The position if nobody else did anything, and what a good friend would say about it.
//!
//! Comes in: what is true now and the forecast of a sheet. Goes out: a few lines for its writer. Only what lies open on the
//! board and in his own treasury is looked at, so that nothing of the others can be read from it.

use minijinja::context;
use serde::Serialize;

use super::facts::Facts;
use super::templates::Templates;
use crate::game::event::Cause;
use crate::game::{Event, Owner, Phase, State, tax};
use crate::orders::{Forecast, Sheet};
use crate::rules::{AreaId, Civ};

/// A position in few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// The areas with what would stand there, by name.
    pub areas: Vec<String>,
    /// Treasury and stock.
    pub numbers: String,
}

/// The own position a forecast ends in; none if nothing was foreseen.
pub fn preview(templates: &Templates, forecast: &Forecast, civ: Civ) -> Option<Preview> {
    if forecast.events.is_empty() {
        return None;
    }
    let state = &forecast.state;
    let facts = Facts::new(state.printed(), templates.language);
    let mut areas: Vec<AreaId> = state.areas_of(Owner::Civ(civ)).collect();
    areas.extend(state.holding(civ).ships.iter().map(|ship| ship.area));
    state.alphabetically(&mut areas);
    areas.dedup();
    let areas =
        areas.into_iter().map(|area| format!("{} {}", facts.names().area(area), standing(templates, state, civ, area)));
    let holding = state.holding(civ);
    let numbers = [("treasury", holding.treasury), ("stock", holding.stock)];
    let numbers = numbers.map(|(key, count)| templates.say("label", key, context! { count }));
    Some(Preview { areas: areas.collect(), numbers: numbers.join(", ") })
}

/// `3, city, 1 ship, Egypt 2`.
pub fn standing(templates: &Templates, state: &State, civ: Civ, area: AreaId) -> String {
    let facts = Facts::new(state.printed(), templates.language);
    let ground = state.ground(area);
    let mut words = Vec::new();
    let own = state.tokens(area, Owner::Civ(civ));
    words.extend((own > 0).then(|| own.to_string()));
    if let Some(city) = ground.city {
        let label = templates.say("label", "city", context! {});
        words.push(match city.owner {
            Owner::Civ(owner) if owner == civ => label,
            owner => format!("{label} ({})", facts.names().owner(owner)),
        });
    }
    let ships = state.ships_at(area, civ);
    words.extend((ships > 0).then(|| templates.say("label", "ship", context! { count => ships })));
    let others = ground.forces.iter().filter(|force| force.owner != Owner::Civ(civ));
    words.extend(others.map(|force| format!("{} {}", facts.names().owner(force.owner), force.count)));
    words.join(", ")
}

/// Ships that will be lost, cities that will starve, attacks with too few tokens, and their like.
pub fn warnings(templates: &Templates, now: &State, forecast: &Forecast, sheet: &Sheet, civ: Civ) -> Vec<String> {
    let facts = Facts::new(now.printed(), templates.language);
    let owner = Owner::Civ(civ);
    let mut warnings = Vec::new();
    let mut say = |key: &str, facts| warnings.push(templates.say("warning", key, facts));
    let mut state = now.clone();
    for event in &forecast.events {
        match event {
            Event::MovementEnded { civ: who, lost } if *who == civ => {
                if !lost.is_empty() {
                    say("ships_lost", context! { areas => facts.areas(lost.iter().copied()) });
                }
                unmoved(&state, facts, sheet, civ, &mut say);
            }
            Event::AttackFailed { area, attacker, tokens, needed, .. } if *attacker == owner => {
                say("attack_fails", context! { area => facts.area(*area), have => tokens, need => needed });
            }
            Event::TokensFought { area, losses, .. } => {
                let own = losses.iter().find(|loss| loss.owner == owner && loss.tokens > 0);
                if let Some(loss) = own {
                    say("tokens_fight", context! { area => facts.area(*area), lost => loss.tokens });
                }
            }
            Event::SurplusRemoved { civ: who, area, count } if *who == civ => {
                say("surplus", context! { area => facts.area(*area), lost => count });
            }
            Event::CityReduced { civ: who, area, why: Cause::Support, .. } if *who == civ => {
                let need = state.support_rate(civ) * u16::from(state.city_count(civ));
                let have = state.tokens_on_board(civ);
                say("city_reduced", context! { area => facts.area(*area), need, have });
            }
            _ => {}
        }
        state.apply(event);
    }
    // What the next turn asks is foreseen when the pieces have come to rest.
    if now.phase() <= Phase::Cities && state.phase() > Phase::Cities {
        let (holding, cities) = (state.holding(civ), u16::from(state.city_count(civ)));
        let (rate, _) = tax::rates(&state, civ);
        if holding.stock < rate * cities {
            let paid = holding.stock / rate;
            say("tax_short", context! { stock => holding.stock, paid, cities, rate });
        }
        let ships = holding.ships.len();
        if usize::from(holding.treasury) < ships {
            say("upkeep_short", context! { treasury => holding.treasury, ships });
        }
    }
    warnings
}

/// Tokens that stay where they are.
fn unmoved(state: &State, facts: Facts, sheet: &Sheet, civ: Civ, say: &mut impl FnMut(&str, minijinja::Value)) {
    if sheet.part(Phase::Movement).iter().all(|entry| entry.number.is_none()) {
        return say("no_orders", context! {});
    }
    let fresh = |area: AreaId| state.ground(area).force(Owner::Civ(civ)).map_or(0, |force| force.fresh());
    let places: Vec<_> = state
        .areas_of(Owner::Civ(civ))
        .filter(|area| fresh(*area) > 0)
        .map(|area| context! { area => facts.area(area), count => fresh(area) })
        .collect();
    if !places.is_empty() {
        say("unmoved", context! { places });
    }
}
