//! Trade Routes: commodity cards are sold for twice their values.

use crate::game::event::Cause;
use crate::game::{Event, Illegal, State};
use crate::rules::{Advance, Civ, Face};

/// What follows when these cards are discarded: all of them, or none where the stock does not cover the gain.
pub(crate) fn sell(state: &State, civ: Civ, faces: &[Face]) -> Result<Vec<Event>, Illegal> {
    if faces.is_empty() {
        return Err(Illegal::Nothing);
    }
    let mut hand = state.holding(civ).hand.clone();
    let (mut cards, mut need) = (Vec::new(), 0u16);
    for &face in faces {
        let index = hand.iter().position(|card| card.face == face).ok_or(Illegal::NotInHand { card: face })?;
        cards.push(hand.remove(index));
        need += match face {
            Face::Water => 0,
            Face::Commodity(commodity) => 2 * u16::from(state.printed().commodities[usize::from(commodity.0)].stack),
            Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => return Err(Illegal::NotSold { card: face }),
        };
    }
    let have = state.holding(civ).stock;
    if have < need {
        return Err(Illegal::TooFewInStock { have, need });
    }
    let why = Cause::Advance(Advance::TradeRoutes);
    let gained = (need > 0).then_some(Event::TreasuryGained { civ, amount: need, why });
    Ok([Event::CardsDiscarded { civ, cards, why }].into_iter().chain(gained).collect())
}
