//! Phase 8: calamity selection. Chance decides; nobody else does.

use super::rulebook::CalamityExcess;
use super::{Chance, Chronicle, Commands, Event, PhaseRules, Purpose, State};
use crate::rules::{CalamityClass, Civ, Face, TradeCard};

/// R8.2.
const MOST_MAJOR: usize = 2;
const MOST: usize = 3;

/// Phase 8.
pub(crate) struct Selection;

impl PhaseRules for Selection {
    fn resolve(&self, chronicle: &mut Chronicle, _commands: &Commands, chance: &Chance) {
        let ranking: Vec<_> = chronicle.state().ranking().collect();
        for &civ in &ranking {
            let count = calamities(chronicle.state(), civ).len() as u16;
            if count > 0 {
                chronicle.record(Event::CalamitiesLaid { civ, count });
            }
        }
        for civ in ranking {
            discard_twins(chronicle, chance, civ);
            discard_excess(chronicle, chance, civ);
        }
    }
}

/// The calamities in a hand.
pub(crate) fn calamities(state: &State, civ: Civ) -> Vec<TradeCard> {
    let hand = state.holding(civ).hand.iter();
    hand.filter(|card| card.face.is_calamity()).copied().collect()
}

/// R8.3: of each name held twice, one goes at random.
fn discard_twins(chronicle: &mut Chronicle, chance: &Chance, civ: Civ) {
    loop {
        let held = calamities(chronicle.state(), civ);
        let twins = |card: &TradeCard| held.iter().filter(|other| other.face == card.face).count() > 1;
        let Some(twin) = held.iter().find(|card| twins(card)) else { return };
        let pair: Vec<_> = held.iter().filter(|card| card.face == twin.face).copied().collect();
        discard_one_of(chronicle, chance, civ, &pair);
    }
}

/// R8.4, R8.5: first major ones above two, then any above three.
fn discard_excess(chronicle: &mut Chronicle, chance: &Chance, civ: Civ) {
    loop {
        let held = calamities(chronicle.state(), civ);
        let is_major = |card: &&TradeCard| class(chronicle.state(), **card) == Some(CalamityClass::Major);
        let major: Vec<_> = held.iter().filter(is_major).copied().collect();
        let (too_many_major, too_many) = (major.len() > MOST_MAJOR, held.len() > MOST);
        match chronicle.state().rulebook().calamity_excess {
            CalamityExcess::MajorFirst if too_many_major => discard_one_of(chronicle, chance, civ, &major),
            CalamityExcess::AnyCard if too_many_major => discard_one_of(chronicle, chance, civ, &held),
            CalamityExcess::MajorFirst | CalamityExcess::AnyCard if too_many => {
                discard_one_of(chronicle, chance, civ, &held);
            }
            CalamityExcess::MajorFirst | CalamityExcess::AnyCard => return,
        }
    }
}

fn discard_one_of(chronicle: &mut Chronicle, chance: &Chance, civ: Civ, cards: &[TradeCard]) {
    let counter = chronicle.state().draws().count(Purpose::Selection);
    let card = cards[chance.pick(Purpose::Selection, counter, cards.len())];
    chronicle.record(Event::CalamityDiscarded { civ, card });
}

fn class(state: &State, card: TradeCard) -> Option<CalamityClass> {
    match card.face {
        Face::Calamity(calamity) => Some(state.printed().calamities[calamity as usize].class),
        Face::Commodity(_) | Face::Water | Face::Unseen | Face::UnseenCalamity => None,
    }
}
