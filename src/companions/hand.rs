//! A hand of trade cards: what it is worth, and what it can spare.

use std::collections::BTreeMap;

use crate::report::view::Card;
use crate::rules::{Face, cards};

/// The cards of a hand by what they show.
#[derive(Clone)]
pub(crate) struct Hand<'a> {
    kinds: BTreeMap<Face, (&'a Card<'a>, u16)>,
}

impl<'a> Hand<'a> {
    pub(crate) fn new(cards: &'a [Card<'a>]) -> Hand<'a> {
        let mut hand = Hand { kinds: BTreeMap::new() };
        cards.iter().for_each(|card| hand.add(card));
        hand
    }

    pub(crate) fn add(&mut self, card: &'a Card<'a>) {
        self.kinds.entry(card.face).or_insert((card, 0)).1 += 1;
    }

    /// One card less; says whether there was one.
    pub(crate) fn remove(&mut self, face: Face) -> bool {
        match self.kinds.get_mut(&face) {
            Some((_, count)) if *count > 0 => {
                *count -= 1;
                true
            }
            Some(_) | None => false,
        }
    }

    /// How many cards show this.
    pub(crate) fn count(&self, face: Face) -> u16 {
        self.kinds.get(&face).map_or(0, |(_, count)| *count)
    }

    /// All sets together. R7.3.
    pub(crate) fn value(&self) -> i32 {
        self.kinds.values().map(|(card, count)| i32::from(cards::set_value(*count, card.value))).sum()
    }

    /// The commodities by what one more of them would bring, best first.
    pub(crate) fn wishes(&self) -> Vec<&'a Card<'a>> {
        let held = self.kinds.values().filter(|(card, count)| *count > 0 && card.value > 0);
        let mut wishes: Vec<_> = held.map(|(card, count)| ((2 * count + 1) * u16::from(card.value), *card)).collect();
        wishes.sort_by_key(|(gain, card)| (std::cmp::Reverse(*gain), card.face));
        wishes.into_iter().map(|(_, card)| card).collect()
    }

    /// The tradeable card that is missed least, of those that may be given.
    pub(crate) fn least_missed(&self, may_give: impl Fn(&Card) -> bool) -> Option<&'a Card<'a>> {
        let held = self.kinds.values().filter(|(card, count)| *count > 0 && card.tradeable && may_give(card));
        let loss = |card: &Card, count: u16| (2 * count - 1) * u16::from(card.value);
        held.min_by_key(|(card, count)| (loss(card, *count), card.face)).map(|(card, _)| *card)
    }
}
