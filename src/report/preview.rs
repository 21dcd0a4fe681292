//! The position if nobody else did anything, and what a good friend would say about it.
//!
//! Comes in: what is true now and the forecast of a sheet. Goes out: a few lines for its writer. Only what lies open on
//! the board and in the writer's own treasury is looked at, so that nothing of the others can be read from it.

use minijinja::context;
use serde::Serialize;

use super::facts::Facts;
use super::templates::Templates;
use super::trade::hand_value;
use super::wording::worded;
use crate::game::acquisition::LIBRARY_DISCOUNT;
use crate::game::event::Cause;
use crate::game::{Command, Event, Illegal, Known, Owner, Phase, acquisition, tax};
use crate::orders::{Forecast, Sheet, Verdict};
use crate::rules::names::fold;
use crate::rules::{Advance, AreaId, Civ};

/// Own areas that are all told; of more only those where something changes.
const MOST_AREAS: usize = 8;
/// Places that a warning names at most.
const MOST_PLACES: usize = 6;

/// A position in few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// The areas with what would stand there, by name.
    pub areas: Vec<String>,
    /// Own areas that are left out because nothing changes there.
    pub unchanged: usize,
    /// What would be paid for advances.
    pub paid: Option<String>,
    pub numbers: String,
}

/// As much of a forecast as concerns the reader and may be told them.
pub(crate) struct Seen<'a> {
    events: &'a [Event],
    state: Known,
}

impl<'a> Seen<'a> {
    /// What is told of a forecast. Of calamities nothing, for it would tell what the others hold. Of a turn that begins
    /// only what was written for it: who has not moved yet need not hear what comes of not moving.
    pub(crate) fn of(now: &Known, forecast: &'a Forecast, sheet: &Sheet) -> Seen<'a> {
        let written = |phase: &Phase| sheet.part(*phase).iter().any(|entry| !entry.next_turn);
        let last = match now.phase() {
            Phase::Calamities => return Seen { events: &[], state: now.clone() },
            Phase::Tax | Phase::Expansion => {
                let last = Phase::ALL.into_iter().filter(written).filter(|phase| *phase <= Phase::Cities).max();
                let last = last.unwrap_or(now.phase()).max(now.phase());
                if last >= Phase::Movement { Phase::Cities } else { last }
            }
            Phase::Movement
            | Phase::Conflict
            | Phase::Cities
            | Phase::Cards
            | Phase::Trade
            | Phase::Selection
            | Phase::Abilities
            | Phase::Support
            | Phase::Advances
            | Phase::Ast => return Seen { events: &forecast.events, state: forecast.known.clone() },
        };
        let closes = |event: &Event| matches!(event, Event::PhaseClosed { phase, .. } if *phase == last);
        let end = forecast.events.iter().position(closes).map_or(forecast.events.len(), |at| at + 1);
        let events = &forecast.events[..end];
        Seen { events, state: now.after(events) }
    }

    /// What would be known at its end.
    pub(crate) fn known(&self) -> &Known {
        &self.state
    }
}

/// The own position a forecast ends in; none if nothing of it would change.
pub(crate) fn preview(templates: &Templates, now: &Known, seen: &Seen, civ: Civ) -> Option<Preview> {
    let state = &seen.state;
    let facts = Facts::new(state.printed(), templates.language);
    let mut areas: Vec<AreaId> = places(now, civ).chain(places(state, civ)).collect();
    areas.sort_by_key(|area| (fold(facts.names().area(*area)), *area));
    areas.dedup();
    let told = |state: &Known, area| standing(templates, state, civ, area);
    let changed: Vec<AreaId> = areas.iter().copied().filter(|area| told(now, *area) != told(state, *area)).collect();
    let (was, is) = (now.holding(civ), state.holding(civ));
    let paid = seen.events.iter().find_map(|event| match event {
        Event::AdvancesAcquired { civ: who, .. } if *who == civ => paid(templates, facts, now, event),
        _ => None,
    });
    if changed.is_empty() && (was.treasury, was.stock) == (is.treasury, is.stock) && paid.is_none() {
        return None;
    }
    let own = areas.len();
    let shown = if own > MOST_AREAS { changed } else { areas };
    let unchanged = if own > MOST_AREAS { own - shown.len() } else { 0 };
    let empty = templates.say("label", "empty", context! {});
    let areas = shown.into_iter().map(|area| match told(state, area) {
        told if told.is_empty() => format!("{}: {empty}", facts.names().area(area)),
        told => format!("{}: {told}", facts.names().area(area)),
    });
    let numbers = [("treasury", is.treasury), ("stock", is.stock)];
    let numbers = numbers.map(|(key, count)| templates.say("label", key, context! { count }));
    Some(Preview { areas: areas.collect(), unchanged, paid, numbers: numbers.join(", ") })
}

/// Where a player has anything.
fn places(state: &Known, civ: Civ) -> impl Iterator<Item = AreaId> + '_ {
    state.areas_of(Owner::Civ(civ)).chain(state.holding(civ).ships.iter().map(|ship| ship.area))
}

/// What an acquisition costs, in the reader's own cards.
fn paid(templates: &Templates, facts: Facts, now: &Known, event: &Event) -> Option<String> {
    let Event::AdvancesAcquired { civ, advances, cards, treasury, library_for, stands_in, .. } = event else {
        return None;
    };
    // What is a gift of Anatomy's has no price, and what a card stands in for is not worth what is printed on it.
    let is_plain = stands_in.is_none() && !advances.contains(&Advance::Anatomy);
    let less = if library_for.is_some() { LIBRARY_DISCOUNT } else { 0 };
    let price: u16 = advances.iter().map(|advance| acquisition::price(now, *civ, *advance)).sum();
    let price = is_plain.then(|| price.saturating_sub(less));
    let worth = hand_value(now.printed(), cards) + treasury;
    let over = price.map(|price| worth.saturating_sub(price)).filter(|over| *over > 0);
    let names = facts.names();
    let cards = (!cards.is_empty()).then(|| names.cards(cards));
    let cheaper = library_for.map(|advance| facts.advance(advance));
    let stands_in = stands_in.map(|(card, other)| (names.face(card), names.face(other)));
    Some(templates.say("label", "paid", context! { cards, treasury, cheaper, stands_in, price, over }))
}

/// `3, city, 1 ship, Egypt 2`.
pub(crate) fn standing(templates: &Templates, state: &Known, civ: Civ, area: AreaId) -> String {
    let facts = Facts::new(state.printed(), templates.language);
    let ground = state.ground(area);
    let mut words = Vec::new();
    let own = state.tokens(area, Owner::Civ(civ));
    words.extend((own > 0).then(|| own.to_string()));
    words.extend(ground.city.map(|city| match city.owner {
        Owner::Civ(owner) if owner == civ => templates.say("label", "city", context! {}),
        Owner::Civ(owner) => templates.say("label", "city_of", context! { civ => facts.civ(owner) }),
        Owner::Barbarians => templates.say("label", "pirate_city", context! {}),
    }));
    let ships = state.ships_at(area, civ);
    words.extend((ships > 0).then(|| templates.say("label", "ship", context! { count => ships })));
    let others = ground.forces.iter().filter(|force| force.owner != Owner::Civ(civ) && force.count > 0);
    words.extend(others.map(|force| format!("{} {}", facts.names().owner(force.owner), force.count)));
    for other in state.ranking().filter(|other| *other != civ) {
        let count = state.ships_at(area, other);
        let ships = || templates.say("label", "ship_of", context! { civ => facts.civ(other), count });
        words.extend((count > 0).then(ships));
    }
    words.join(", ")
}

/// Ships that will be lost, cities that will starve, attacks with too few tokens, and their like: the worst first.
pub(crate) fn warnings(
    templates: &Templates,
    now: &Known,
    forecast: &Forecast,
    seen: &Seen,
    sheet: &Sheet,
    civ: Civ,
) -> Vec<String> {
    let facts = Facts::new(now.printed(), templates.language);
    let owner = Owner::Civ(civ);
    let is_done = sheet.part(Phase::Movement).iter().any(|entry| entry.command == Command::Done);
    let mut warnings = Vec::new();
    let mut say = |rank: u8, key: &str, facts| warnings.push((rank, templates.say("warning", key, facts)));
    let mut surplus = Vec::new();
    let mut state = now.clone();
    for event in seen.events {
        match event {
            Event::MovementEnded { civ: who, lost } if *who == civ => {
                // A verdict that asks for the upkeep has said it already.
                let lost: Vec<AreaId> = lost.iter().copied().filter(|area| !asks_for_upkeep(forecast, *area)).collect();
                if !lost.is_empty() {
                    let keeps = Command::MaintainShip { area: lost[0], token_from: upkeep(&state, civ, lost[0]) };
                    let keeps = (!is_done).then(|| worded(facts.names(), &keeps));
                    let mut areas = lost;
                    areas.dedup();
                    say(0, "ships_lost", context! { areas => facts.areas(areas), keeps });
                }
                if !is_done {
                    unmoved(&state, facts, sheet, civ, &mut |key, facts| say(7, key, facts));
                }
            }
            Event::AttackFailed { area, attacker, tokens, needed, .. } if *attacker == owner => {
                say(1, "attack_fails", context! { area => facts.area(*area), have => tokens, need => needed });
            }
            Event::TokensFought { area, losses, .. } => {
                let own = losses.iter().find(|loss| loss.owner == owner && loss.tokens > 0);
                if let Some(loss) = own {
                    say(3, "tokens_fight", context! { area => facts.area(*area), lost => loss.tokens });
                }
            }
            Event::SurplusRemoved { civ: who, area, count } if *who == civ => {
                surplus.push(context! { area => facts.area(*area), count });
            }
            Event::CityReduced { civ: who, area, why: Cause::Support, .. } if *who == civ => {
                let need = state.support_rate(civ) * u16::from(state.city_count(civ));
                let have = state.tokens_on_board(civ);
                say(2, "city_reduced", context! { area => facts.area(*area), need, have });
            }
            _ => {}
        }
        state.follow(event);
    }
    if !surplus.is_empty() {
        say(4, "surplus", context! { places => surplus });
    }
    // What the next turn asks is foreseen when the pieces have come to rest.
    if now.phase() <= Phase::Cities && state.phase() > Phase::Cities {
        let (holding, cities) = (state.holding(civ), u16::from(state.city_count(civ)));
        let (rate, _) = tax::rates(&state, civ);
        if holding.stock < rate * cities {
            let paid = holding.stock / rate;
            say(5, "tax_short", context! { stock => holding.stock, paid, cities, rate });
        }
        // The tax comes before the upkeep.
        let treasury = holding.treasury + holding.stock.min(rate * cities);
        let ships = holding.ships.len();
        if usize::from(treasury) < ships {
            say(6, "upkeep_short", context! { treasury, ships });
        }
    }
    warnings.sort_by_key(|(rank, _)| *rank);
    warnings.into_iter().map(|(_, said)| said).collect()
}

/// Whether a line fails for want of upkeep of a ship in an area.
fn asks_for_upkeep(forecast: &Forecast, area: AreaId) -> bool {
    let asks = |verdict: &Verdict| *verdict == Verdict::Illegal(Illegal::ShipNotMaintained { area });
    forecast.verdicts.values().any(asks)
}

/// The token that keeps a ship where the treasury is empty: from beside it, or from anywhere.
pub(crate) fn upkeep(state: &Known, civ: Civ, area: AreaId) -> Option<AreaId> {
    let has = |area: &AreaId| state.tokens(*area, Owner::Civ(civ)) > 0;
    let from = Some(area).filter(has).or_else(|| state.areas_of(Owner::Civ(civ)).find(has));
    from.filter(|_| state.holding(civ).treasury == 0)
}

/// Tokens that stay where they are.
fn unmoved(state: &Known, facts: Facts, sheet: &Sheet, civ: Civ, say: &mut impl FnMut(&str, minijinja::Value)) {
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
        let more = places.len().saturating_sub(MOST_PLACES);
        say("unmoved", context! { places => &places[..places.len() - more], more });
    }
}
