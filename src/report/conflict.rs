//! Conflicts in sentences: who fought, which cities were attacked, what was taken.

use minijinja::{Value, context};

use super::narrator::{Narrator, Tale, civs};
use crate::game::event::Loss;
use crate::game::{Event, Owner, Told};
use crate::rules::AreaId;

/// A sentence for each conflict, and for what came of it.
pub(crate) fn tale(narrator: Narrator, told: Told, event: &Event) -> Option<Tale> {
    match event {
        Event::TokensFought { area, forces, losses } => Some(fought(narrator, *area, forces, losses)),
        Event::AttackFailed { area, attacker, defender, tokens, needed, .. } => {
            let facts = context! { tokens, needed, ..attack(narrator, *area, *attacker, *defender) };
            Some(narrator.tale("attack_failed", &civs([*attacker, *defender]), facts))
        }
        Event::DefenceDelayed { civ, area, until } => {
            let (area, until) = (narrator.area(*area), narrator.area(*until));
            Some(narrator.tale("defence_delayed", &[*civ], context! { who => narrator.civ(*civ), area, until }))
        }
        Event::CityFell { area, attacker, defender, replaced } => {
            let facts = context! { replaced, ..attack(narrator, *area, *attacker, *defender) };
            Some(narrator.tale("city_fell", &civs([*attacker, *defender]), facts))
        }
        Event::CardTaken { from, to, card } => {
            let card = (told == Told::Everything).then(|| narrator.facts.face(card.face));
            let facts = context! { from => narrator.civ(*from), to => narrator.civ(*to), card };
            Some(narrator.tale("card_taken", &[*from, *to], facts))
        }
        Event::LootTaken { civ, amount } if *amount > 0 => {
            Some(narrator.tale("loot", &[*civ], context! { who => narrator.civ(*civ), amount }))
        }
        _ => None,
    }
}

fn attack(narrator: Narrator, area: AreaId, attacker: Owner, defender: Owner) -> Value {
    let (attacker, defender) = (narrator.owner(attacker), narrator.owner(defender));
    context! { area => narrator.area(area), attacker, defender }
}

fn fought(narrator: Narrator, area: AreaId, forces: &[(Owner, u16)], losses: &[Loss]) -> Tale {
    let lost = |owner: Owner| losses.iter().find(|loss| loss.owner == owner).map_or(0, |loss| loss.tokens);
    let fighters = forces.iter().map(|(owner, count)| {
        context! { who => narrator.owner(*owner), count, left => count.saturating_sub(lost(*owner)) }
    });
    let fighters: Vec<Value> = fighters.collect();
    let about = civs(forces.iter().map(|(owner, _)| *owner));
    narrator.tale("fought", &about, context! { area => narrator.area(area), fighters })
}
