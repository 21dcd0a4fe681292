//! How a report opens: points and place, the Advances held, and what the next step on the A.S.T. wants.

use minijinja::{Value, context};

use super::super::facts::Facts;
use super::super::templates::Templates;
use crate::game::Known;
use crate::rules::{Civ, Requirement};

/// Where the reader stands, as a line or two; `before` is what was known when the last report left.
pub(crate) fn opening(templates: &Templates, before: Option<&Known>, known: &Known, civ: Civ) -> Vec<String> {
    if !known.is_seated(civ) {
        return Vec::new();
    }
    let facts = Facts::new(known.printed(), templates.language);
    let points = known.score(civ).total();
    let was = before.filter(|before| before.is_seated(civ)).map_or(points, |before| before.score(civ).total());
    let change = i32::from(points) - i32::from(was);
    let ahead = known.ranking().filter(|other| known.score(*other).total() > points).count();
    let players = known.ranking().count();
    let advances = known.holding(civ).advances.iter().map(|advance| facts.advance(advance));
    let advances: Vec<Value> = advances.collect();
    let stands = context! { points, change, place => ahead + 1, players, advances };
    let stands = templates.say("opening", "stands", stands);
    [Some(stands), next_step(templates, known, civ)].into_iter().flatten().collect()
}

/// What the next step on the A.S.T. wants; none behind the last. R13.1.
fn next_step(templates: &Templates, known: &Known, civ: Civ) -> Option<String> {
    let (step, wants) = step_wants(templates, known, civ)?;
    let met = wants.iter().all(|(_, met)| *met);
    let wants: Vec<String> = wants.into_iter().map(|(want, _)| want).collect();
    Some(templates.say("opening", "next_step", context! { step, wants, met }))
}

/// The number of the next step on the A.S.T., and each thing that it wants with whether it is there.
pub(crate) fn step_wants(templates: &Templates, known: &Known, civ: Civ) -> Option<(u8, Vec<(String, bool)>)> {
    let track = known.printed().ast.track(known.track());
    let step = known.holding(civ).position + 1;
    if known.has_ended() || step > track.last_step {
        return None;
    }
    let asked = track.requirement(track.epoch(civ, step));
    let say = |(key, need, have): (&str, u16, u16)| {
        let met = have >= need;
        (templates.say("opening", key, context! { need, have, met }), met)
    };
    Some((step, wanted(known, civ, asked).into_iter().map(say).collect()))
}

/// What an epoch asks for: of each thing how many, and how many there are.
fn wanted(known: &Known, civ: Civ, asked: &Requirement) -> Vec<(&'static str, u16, u16)> {
    let held = known.holding(civ).advances;
    let cards = || held.iter().map(|advance| &known.printed().advances[advance as usize]);
    let count = |fits: fn(u16) -> bool| cards().filter(|card| fits(card.cost)).count() as u16;
    // R13.2.
    let wonder = known.has(civ, crate::rules::Advance::WonderOfTheWorld);
    let cities = u16::from(known.city_count(civ)) + u16::from(wonder);
    let points = cards().map(|card| u16::from(card.victory_points)).sum();
    let all = [
        ("cities", asked.cities.into(), cities),
        ("advances", asked.advances.into(), count(|_| true)),
        ("below_100", asked.advances_cost_below_100.into(), count(|cost| cost < 100)),
        ("from_100", asked.advances_cost_100_or_more.into(), count(|cost| cost >= 100)),
        ("from_200", asked.advances_cost_200_or_more.into(), count(|cost| cost >= 200)),
        ("points", asked.advance_victory_points, points),
    ];
    all.into_iter().filter(|(_, need, _)| *need > 0).collect()
}
