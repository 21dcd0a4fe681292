//! The laws that hold after every event.

use std::collections::BTreeMap;

use super::{Owner, State};
use crate::rules::{Face, TradeCard};

/// The first law that this state breaks, in words. A broken law is a bug.
pub fn broken(state: &State) -> Option<String> {
    pieces(state).or_else(|| ground(state)).or_else(|| cards(state))
}

/// G.1: 55 tokens, 9 cities and 4 ships between stock, treasury and board.
fn pieces(state: &State) -> Option<String> {
    let printed = state.printed();
    // Wide numbers, so that a count that fell below zero is noticed too.
    let mut tokens = vec![0u32; printed.civilizations.len()];
    let mut cities = vec![0u32; printed.civilizations.len()];
    for (_, ground) in state.grounds() {
        for force in &ground.forces {
            if let Owner::Civ(civ) = force.owner {
                tokens[usize::from(civ.0)] += u32::from(force.count);
            }
        }
        if let Some(Owner::Civ(civ)) = ground.city.map(|city| city.owner) {
            cities[usize::from(civ.0)] += 1;
        }
    }
    for holding in state.holdings() {
        let civ = usize::from(holding.civ.0);
        let name = &printed.civilizations[civ].name;
        let tokens = tokens[civ] + u32::from(holding.stock) + u32::from(holding.treasury);
        let cities = cities[civ] + u32::from(holding.cities);
        if tokens != u32::from(printed.pieces.tokens) {
            return Some(format!("{name} has {tokens} tokens, not {}", printed.pieces.tokens));
        }
        if cities != u32::from(printed.pieces.cities) {
            return Some(format!("{name} has {cities} cities, not {}", printed.pieces.cities));
        }
        if holding.ships.len() > usize::from(printed.pieces.ships) {
            return Some(format!("{name} has {} ships on the board", holding.ships.len()));
        }
    }
    None
}

/// Tokens stand on land in play, forces are never empty, and nobody has moved more than the player has.
fn ground(state: &State) -> Option<String> {
    for (area, ground) in state.grounds() {
        let printed = state.printed().map.area(area);
        let occupied = !ground.forces.is_empty() || ground.city.is_some();
        if occupied && !printed.has_land() {
            return Some(format!("something stands in {}, which has no land", printed.name));
        }
        for force in &ground.forces {
            if force.count == 0 || force.moved > force.count || force.ferried > force.moved {
                return Some(format!("an impossible force in {}: {force:?}", printed.name));
            }
        }
        if !ground.forces.is_sorted_by(|a, b| a.owner < b.owner) {
            return Some(format!("forces in {} are not in sequence", printed.name));
        }
    }
    None
}

/// Every trade card is in exactly one place. Water has no end and is not counted.
fn cards(state: &State) -> Option<String> {
    // What somebody knows of a game cannot be counted.
    if !state.is_whole {
        return None;
    }
    let hands = || state.holdings().iter().flat_map(|holding| holding.hand.iter().copied());
    // After every event there is time to count, and for a list only if something is wrong.
    let mut counts = [0u16; PLACES];
    let cards = state.stacks().cards().chain(hands()).filter(|card| card.face != Face::Water);
    cards.for_each(|card| counts[place(card)] += 1);
    let is_in_deck = |(card, count): (&TradeCard, &u16)| std::mem::take(&mut counts[place(*card)]) == *count;
    if state.deck.iter().all(is_in_deck) && counts.iter().all(|count| *count == 0) {
        return None;
    }
    let mut found: BTreeMap<TradeCard, u16> = BTreeMap::new();
    for card in state.stacks().cards().chain(hands()).filter(|card| card.face != Face::Water) {
        *found.entry(card).or_default() += 1;
    }
    (found != *state.deck).then(|| {
        let cards = found.keys().chain(state.deck.keys());
        let wrong = cards.into_iter().find(|card| found.get(card) != state.deck.get(card));
        format!("a trade card is in no place or in two: {wrong:?}")
    })
}

/// Numbers for the cards of both blocks: those that are no commodities come behind all that a commodity can have.
const PLACES: usize = 2 * (256 + 128);

fn place(card: TradeCard) -> usize {
    let face = match card.face {
        Face::Commodity(commodity) => usize::from(commodity.0),
        Face::Calamity(calamity) => 256 + calamity as usize,
        Face::Water => 256 + 125,
        Face::Unseen => 256 + 126,
        Face::UnseenCalamity => 256 + 127,
    };
    2 * face + card.block as usize
}
