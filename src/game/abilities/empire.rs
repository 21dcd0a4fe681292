//! Provincial Empire: up to 5 neighbours give a card each, of their own choice.

use crate::game::{Command, Commands, Event, Illegal, Owner, State};
use crate::rules::cards::set_value;
use crate::rules::{Advance, Civ, Face, TradeCard};

/// Players that may be selected.
const MOST_PLAYERS: usize = 5;
/// The least that a given card is worth.
const LEAST_VALUE: u8 = 2;

/// What follows when these players are selected; one of them who may not be spoils the line.
pub(crate) fn tribute(state: &State, civ: Civ, victims: &[Civ], commands: &Commands) -> Result<Vec<Event>, Illegal> {
    let mut selected: Vec<Civ> = Vec::new();
    for &victim in victims {
        may_select(state, civ, victim)?;
        if !selected.contains(&victim) {
            selected.push(victim);
        }
    }
    match selected.len() {
        0 => return Err(Illegal::Nothing),
        count if count > MOST_PLAYERS => return Err(Illegal::TooManyPlayers { most: MOST_PLAYERS as u16 }),
        _ => {}
    }
    let given = selected.into_iter().filter_map(|from| {
        let card = gift(state, from, commands)?;
        Some(Event::CardGiven { from, to: civ, card })
    });
    Ok(given.collect())
}

/// A seated player with units adjacent to own units, and without protection. R10.6.
pub(crate) fn may_select(state: &State, civ: Civ, victim: Civ) -> Result<(), Illegal> {
    if victim == civ {
        return Err(Illegal::OnOneself);
    }
    if !state.is_seated(victim) {
        return Err(Illegal::NotSeated { civ: victim });
    }
    let protecting = [Advance::ProvincialEmpire, Advance::PublicWorks];
    if let Some(advance) = protecting.into_iter().find(|advance| state.has(victim, *advance)) {
        return Err(Illegal::Protected { civ: victim, advance });
    }
    let map = &state.printed().map;
    let is_beside = state.areas_of(Owner::Civ(civ)).any(|own| {
        let area = map.area(own);
        let mut neighbours = area.land.iter().chain(&area.water);
        neighbours.any(|neighbour| state.unit_points(*neighbour, Owner::Civ(victim)) > 0)
    });
    if is_beside { Ok(()) } else { Err(Illegal::NotBeside { civ: victim }) }
}

/// The first card of the player's lists that the player holds and may give, or the one that the player misses least;
/// none if the player has none.
fn gift(state: &State, victim: Civ, commands: &Commands) -> Option<TradeCard> {
    let hand = &state.holding(victim).hand;
    let in_hand = |face: Face| hand.iter().find(|card| card.face == face).copied();
    let lists = commands.of(victim).filter_map(|filed| match &filed.command {
        Command::Give { cards } => Some(cards),
        _ => None,
    });
    let wished = lists.flatten().filter(|face| value(state, **face) >= LEAST_VALUE).find_map(|face| in_hand(*face));
    wished.or_else(|| missed_least(state, hand))
}

/// The card whose loss lowers the value of the hand least; of equals the lower value, then by name.
fn missed_least(state: &State, hand: &[TradeCard]) -> Option<TradeCard> {
    let may_go = hand.iter().filter(|card| value(state, card.face) >= LEAST_VALUE);
    let least = may_go.min_by_key(|card| {
        let value = value(state, card.face);
        let cards = hand.iter().filter(|other| other.face == card.face).count() as u16;
        (set_value(cards, value) - set_value(cards - 1, value), value, name(state, card.face))
    });
    least.copied()
}

/// What a commodity is worth alone; a calamity nothing. R7.2.
fn value(state: &State, face: Face) -> u8 {
    match face {
        Face::Commodity(commodity) => state.printed().commodities[usize::from(commodity.0)].stack,
        Face::Water | Face::Calamity(_) | Face::UnseenCalamity => 0,
        // It may well be worth enough.
        Face::Unseen => LEAST_VALUE,
    }
}

fn name(state: &State, face: Face) -> &str {
    match face {
        Face::Commodity(commodity) => &state.printed().commodities[usize::from(commodity.0)].name,
        Face::Water | Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => "",
    }
}
