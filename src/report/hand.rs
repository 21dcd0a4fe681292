//! A hand by its sets, for the letters and answers of its holder.

use std::cmp::Reverse;

use minijinja::{Value, context};

use super::facts::Facts;
use crate::game::Known;
use crate::rules::{Civ, Face, cards};

/// A hand by its sets, the most valuable first, and its calamities.
pub(crate) fn hand(facts: Facts, state: &Known, civ: Civ) -> Value {
    let printed = state.printed();
    let mut kinds: Vec<(Face, u16)> = Vec::new();
    for card in &state.holding(civ).hand {
        match kinds.iter_mut().find(|(face, _)| *face == card.face) {
            Some((_, count)) => *count += 1,
            None => kinds.push((card.face, 1)),
        }
    }
    let worth = |face: Face, count: u16| match face {
        Face::Commodity(commodity) => cards::set_value(count, printed.commodities[usize::from(commodity.0)].stack),
        Face::Water | Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => 0,
    };
    kinds.sort_by_key(|(face, count)| (Reverse(worth(*face, *count)), *face));
    let total: u16 = kinds.iter().map(|(face, count)| worth(*face, *count)).sum();
    let is_calamity = |face: &Face| face.is_calamity();
    let (calamities, sets): (Vec<_>, Vec<_>) = kinds.into_iter().partition(|(face, _)| is_calamity(face));
    let told = |(face, count): &(Face, u16)| {
        let trades = match face {
            Face::Calamity(calamity) => printed.calamities[*calamity as usize].tradeable,
            Face::Water | Face::Commodity(_) | Face::Unseen | Face::UnseenCalamity => true,
        };
        let name = match count {
            1 => facts.names().face(*face).to_owned(),
            _ => facts.names().faces_counted(*face),
        };
        let counted = format!("{count} {}", facts.names().faces_counted(*face));
        context! { name, counted, count, value => worth(*face, *count), trades }
    };
    let sets: Vec<Value> = sets.iter().map(told).collect();
    let calamities: Vec<Value> = calamities.iter().map(told).collect();
    context! { sets, calamities, total, size => state.holding(civ).hand.len() }
}
