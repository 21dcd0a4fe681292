//! Commodity cards that a calamity takes.

use std::collections::BTreeMap;

use super::Call;
use crate::game::{Event, Illegal, State};
use crate::rules::cards::set_value;
use crate::rules::{Civ, Face, TradeCard};

/// The commodity cards of a hand, water among them.
pub(crate) fn commodities(state: &State, civ: Civ) -> Vec<TradeCard> {
    let hand = state.holding(civ).hand.iter();
    hand.filter(|card| !card.face.is_calamity()).copied().collect()
}

/// The value of one card.
pub(crate) fn value(state: &State, card: TradeCard) -> u8 {
    match card.face {
        Face::Commodity(commodity) => state.printed().commodities[usize::from(commodity.0)].stack,
        Face::Water | Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => 0,
    }
}

pub(crate) fn discard(call: &mut Call, civ: Civ, cards: Vec<TradeCard>) {
    if !cards.is_empty() {
        let why = call.why();
        call.record(Event::CardsDiscarded { civ, cards, why });
    }
}

/// The cards that a player wishes to lose, best first; what the player does not hold is skipped, and a line that names
/// nothing the player holds is refused.
pub(crate) fn wished(call: &mut Call, civ: Civ) -> Vec<TradeCard> {
    let mut wished = Vec::new();
    let mut hand = commodities(call.state(), civ);
    for (filed, faces) in call.wished_discards(civ) {
        let (cards, missing) = held(&mut hand, &faces);
        match missing {
            Some(card) if cards.is_empty() => call.chronicle.refuse(&filed, Illegal::NotInHand { card }),
            Some(_) | None => wished.extend(cards),
        }
    }
    wished
}

/// So many cards that a player gives up for a favour; none without a line for this very calamity, and a line that names
/// too few the player holds is refused.
pub(crate) fn offered(call: &mut Call, civ: Civ, count: usize) -> Vec<TradeCard> {
    for (filed, faces) in call.special_discards(civ) {
        let (mut cards, missing) = held(&mut commodities(call.state(), civ), &faces);
        cards.truncate(count);
        match missing {
            _ if cards.len() == count => return cards,
            Some(card) => call.chronicle.refuse(&filed, Illegal::NotInHand { card }),
            None => {}
        }
    }
    Vec::new()
}

/// What a hand has of these cards, and the first that it has not.
fn held(hand: &mut Vec<TradeCard>, faces: &[Face]) -> (Vec<TradeCard>, Option<Face>) {
    let (mut cards, mut missing) = (Vec::new(), None);
    for face in faces {
        match hand.iter().position(|card| card.face == *face) {
            Some(index) => cards.push(hand.remove(index)),
            None => missing = missing.or(Some(*face)),
        }
    }
    (cards, missing)
}

/// So many cards whose loss costs the hand least.
pub(crate) fn cheapest(state: &State, mut hand: Vec<TradeCard>, count: usize) -> Vec<TradeCard> {
    let mut cards = Vec::new();
    while cards.len() < count {
        let cost = |card: &TradeCard| {
            let equal = hand.iter().filter(|other| other.face == card.face).count() as u16;
            (set_value(equal, value(state, *card)) - set_value(equal - 1, value(state, *card)), value(state, *card))
        };
        let Some(index) = (0..hand.len()).min_by_key(|index| cost(&hand[*index])) else { break };
        cards.push(hand.remove(index));
    }
    cards
}

/// Cards whose single values make up at least the amount: the least total, then the least loss of set value; all if
/// they do not suffice. Calamity 13.
pub(crate) fn least_total(state: &State, hand: Vec<TradeCard>, amount: u16) -> Vec<TradeCard> {
    let mut sets: BTreeMap<Face, Vec<TradeCard>> = BTreeMap::new();
    for card in &hand {
        sets.entry(card.face).or_default().push(*card);
    }
    // For each total, the choice that loses least: what it loses, and how many cards of each set.
    let mut best: BTreeMap<u16, (u16, Vec<usize>)> = BTreeMap::from([(0, (0, Vec::new()))]);
    for cards in sets.values() {
        let (equal, worth) = (cards.len() as u16, value(state, cards[0]));
        let mut next: BTreeMap<u16, (u16, Vec<usize>)> = BTreeMap::new();
        for (total, (lost, chosen)) in &best {
            for count in 0..=equal {
                let loss = lost + set_value(equal, worth) - set_value(equal - count, worth);
                let choice = [chosen.as_slice(), &[usize::from(count)]].concat();
                let total = total + count * u16::from(worth);
                let better = next.get(&total).is_none_or(|(known, other)| (loss, &choice) < (*known, other));
                if better {
                    next.insert(total, (loss, choice));
                }
            }
        }
        best = next;
    }
    match best.range(amount..).next() {
        None => hand,
        Some((_, (_, chosen))) => {
            let picked = sets.values().zip(chosen).flat_map(|(cards, count)| cards.iter().take(*count));
            picked.copied().collect()
        }
    }
}
