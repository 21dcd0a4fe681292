//! Tax and growth: a line of one's own, one for all the others.

use std::collections::BTreeMap;

use minijinja::context;

use super::narrator::{Narrator, Tale};
use crate::game::{Event, Told};
use crate::rules::Civ;

/// Phase 1: what went into the treasuries, and which cities revolted.
pub(crate) fn tax(narrator: Narrator, told: &[(Told, &Event)]) -> Vec<Tale> {
    let mut collected = Vec::new();
    let (mut own, mut revolts) = (Vec::new(), Vec::new());
    for (_, event) in told {
        match event {
            Event::TaxCollected { civ, amount, rate, .. } if narrator.is_me(*civ) => {
                own.push(narrator.tale("tax_yours", &[*civ], context! { amount, rate }));
            }
            Event::TaxCollected { civ, amount, .. } if *amount > 0 => {
                collected.push(context! { civ => narrator.civ(*civ), amount });
            }
            Event::CityRevolted { area, from, to, .. } => {
                let about: Vec<Civ> = [*from].into_iter().chain(*to).collect();
                let to = to.map(|to| narrator.civ(to));
                let facts = context! { from => narrator.civ(*from), to, area => narrator.area(*area) };
                revolts.push(narrator.tale("revolt", &about, facts));
            }
            _ => {}
        }
    }
    let all = (!collected.is_empty()).then(|| narrator.tale("taxes", &[], context! { all => collected }));
    own.into_iter().chain(revolts).chain(all).collect()
}

/// Phase 2: how the peoples grew, the largest first.
pub(crate) fn growth(narrator: Narrator, told: &[(Told, &Event)]) -> Vec<Tale> {
    let mut grown: BTreeMap<Civ, u16> = BTreeMap::new();
    let mut peoples = Vec::new();
    for (_, event) in told {
        match event {
            Event::TokensGrew { civ, count, .. } => *grown.entry(*civ).or_default() += count,
            Event::CensusTaken { civ, census } => peoples.push((*census, *civ)),
            _ => {}
        }
    }
    // The sort keeps the ranking among equals, as the sequence of movement does.
    peoples.sort_by_key(|(census, _)| std::cmp::Reverse(*census));
    let told = |(census, civ): &(u16, Civ)| {
        context! { civ => narrator.civ(*civ), census, grown => grown.get(civ).unwrap_or(&0) }
    };
    let (own, others): (Vec<_>, Vec<_>) = peoples.into_iter().partition(|(_, civ)| narrator.is_me(*civ));
    let own = own.iter().map(|people| narrator.tale("growth_yours", &[people.1], told(people)));
    let all: Vec<_> = others.iter().map(told).collect();
    let all = (!all.is_empty()).then(|| narrator.tale("growth", &[], context! { all }));
    own.chain(all).collect()
}
