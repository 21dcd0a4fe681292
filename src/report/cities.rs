//! Cities built and reduced, and the surplus that went.

use std::collections::BTreeMap;

use super::Told;
use super::names::{Names, listed};
use crate::game::Event;
use crate::rules::{AreaId, Civ};

/// A sentence for each builder, one for all surplus, one for each city that is lost.
pub fn sentences(names: Names, told: &[(Told, &Event)]) -> Vec<String> {
    let mut built: Vec<(Civ, Vec<AreaId>)> = Vec::new();
    let mut surplus: BTreeMap<Civ, u16> = BTreeMap::new();
    let mut reduced = Vec::new();
    for (_, event) in told {
        match event {
            Event::CityBuilt { civ, area, .. } => match built.iter_mut().find(|(builder, _)| builder == civ) {
                Some((_, areas)) => areas.push(*area),
                None => built.push((*civ, vec![*area])),
            },
            Event::SurplusRemoved { civ, count, .. } => *surplus.entry(*civ).or_default() += count,
            Event::CityReduced { civ, area, .. } => reduced.push(format!(
                "{} cannot support all its cities: {} becomes a village again.",
                names.civ(*civ),
                names.area(*area)
            )),
            _ => {}
        }
    }
    let built = built.into_iter().map(|(civ, areas)| match areas.len() {
        1 => format!("{} builds a city in {}.", names.civ(civ), names.areas(&areas)),
        _ => format!("{} builds cities in {}.", names.civ(civ), names.areas(&areas)),
    });
    let mut sentences: Vec<_> = built.collect();
    if !surplus.is_empty() {
        let lost = surplus.iter().map(|(civ, count)| format!("{} {count}", names.civ(*civ)));
        sentences.push(format!("Tokens that find no room go back to stock: {}.", listed(lost)));
    }
    sentences.extend(reduced);
    sentences
}
