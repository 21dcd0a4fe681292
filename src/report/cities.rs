//! Cities built and reduced, and the surplus that went.

use std::collections::BTreeMap;

use minijinja::{Value, context};

use super::narrator::{Narrator, Tale};
use crate::game::{Event, Told};
use crate::rules::{AreaId, Civ};

/// A sentence for each builder, one for all surplus, one for each city that is lost.
pub(crate) fn tales(narrator: Narrator, told: &[(Told, &Event)]) -> Vec<Tale> {
    let mut built: Vec<(Civ, Vec<AreaId>)> = Vec::new();
    let mut own = Vec::new();
    let mut surplus: BTreeMap<Civ, u16> = BTreeMap::new();
    let mut reduced = Vec::new();
    for (_, event) in told {
        match event {
            Event::CityBuilt { civ, area, .. } => match built.iter_mut().find(|(builder, _)| builder == civ) {
                Some((_, areas)) => areas.push(*area),
                None => built.push((*civ, vec![*area])),
            },
            Event::SurplusRemoved { civ, area, count } if narrator.is_me(*civ) => {
                own.push(context! { area => narrator.area(*area), count });
            }
            Event::SurplusRemoved { civ, count, .. } => *surplus.entry(*civ).or_default() += count,
            Event::CityReduced { civ, area, .. } => {
                let facts = context! { who => narrator.civ(*civ), area => narrator.area(*area) };
                reduced.push(narrator.tale("unsupported", &[*civ], facts));
            }
            _ => {}
        }
    }
    let built = built.into_iter().map(|(civ, areas)| {
        narrator.tale("built", &[civ], context! { who => narrator.civ(civ), areas => narrator.facts.areas(areas) })
    });
    let mut tales: Vec<_> = built.chain(reduced).collect();
    let me: Vec<Civ> = narrator.me().into_iter().collect();
    tales.extend((!own.is_empty()).then(|| narrator.tale("surplus_yours", &me, context! { places => own })));
    let all: Vec<Value> =
        surplus.into_iter().map(|(civ, count)| context! { civ => narrator.civ(civ), count }).collect();
    tales.extend((!all.is_empty()).then(|| narrator.tale("surplus", &[], context! { all })));
    tales
}
