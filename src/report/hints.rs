//! What would be allowed instead of a line that may not stand.

use minijinja::{Value, context};

use super::facts::Facts;
use super::templates::Templates;
use crate::game::{Command, Illegal, Owner, State, acquisition};
use crate::orders::words::Word;
use crate::orders::{Expected, Fault, Piece};
use crate::rules::{Advance, AreaId, Civ};

/// Advances that are offered at most.
const MOST_ADVANCES: usize = 6;

/// A sentence about what the player could write instead, on the board as it is when the line is played.
pub fn hint(
    templates: &Templates,
    state: &State,
    civ: Civ,
    why: &Illegal,
    command: Option<&Command>,
) -> Option<String> {
    let facts = Facts::new(state.printed(), templates.language);
    let say = |key, facts: Value| Some(templates.say("hint", key, facts));
    let map = &state.printed().map;
    match why {
        Illegal::NotAdjacentByLand { from, .. } => {
            let near = map.area(*from).land.iter().copied().filter(|area| !state.ground(*area).out_of_play);
            say("neighbours", context! { area => facts.area(*from), areas => facts.areas(near) })
        }
        Illegal::NotAdjacentByWater { from, .. } | Illegal::OpenSea { area: from } => {
            let near = map.area(*from).water.iter().copied().filter(|area| !state.ground(*area).out_of_play);
            say("shores", context! { area => facts.area(*from), areas => facts.areas(near) })
        }
        Illegal::TooFewTokens { have: 0, moved: 0, .. } => {
            let places = tokens(state, facts, civ, |_| true);
            (!places.is_empty()).then(|| templates.say("hint", "tokens_in", context! { places }))
        }
        Illegal::NoTokenThere { .. } | Illegal::NotCoastal { .. } => {
            let coastal = |area: &AreaId| map.area(*area).is_coastal();
            let areas: Vec<AreaId> = state.areas_of(Owner::Civ(civ)).filter(coastal).collect();
            (!areas.is_empty()).then(|| templates.say("hint", "coasts", context! { areas => facts.areas(areas) }))
        }
        Illegal::TooLittleTreasury { .. } => match command {
            Some(Command::BuildShip { area, .. }) if state.tokens(*area, Owner::Civ(civ)) >= 2 => {
                say("treasury", context! { area => facts.area(*area) })
            }
            _ => None,
        },
        Illegal::NoShip { .. } => {
            let ships: Vec<AreaId> = state.holding(civ).ships.iter().map(|ship| ship.area).collect();
            match ships.is_empty() {
                true => say("no_ships", context! {}),
                false => say("ships_in", context! { areas => facts.areas(ships) }),
            }
        }
        Illegal::NoSuchOffer { .. } => {
            let offers = state.progress().offers.iter().filter(|offer| offer.open && offer.from != civ);
            let numbers: Vec<u16> =
                offers.filter(|offer| offer.to.is_none_or(|to| to == civ)).map(|offer| offer.number).collect();
            match numbers.is_empty() {
                true => say("no_offers", context! {}),
                false => say("offers", context! { numbers }),
            }
        }
        Illegal::NotInHand { .. } => {
            let hand = &state.holding(civ).hand;
            let cards = facts.names().cards(hand);
            (!hand.is_empty()).then(|| templates.say("hint", "hand", context! { cards }))
        }
        Illegal::NotSeated { .. } => {
            let civs = Value::from_iter(state.ranking().map(|civ| facts.civ(civ)));
            say("seated", context! { civs })
        }
        Illegal::TooDear { can_pay, .. } => {
            let open = Advance::ALL.into_iter().filter(|advance| !state.has(civ, *advance));
            let mut priced: Vec<_> = open.map(|advance| (acquisition::price(state, civ, advance), advance)).collect();
            priced.retain(|(price, _)| price <= can_pay);
            priced.sort_by_key(|(price, _)| std::cmp::Reverse(*price));
            let advances = priced.into_iter().take(MOST_ADVANCES);
            let advances: Vec<_> =
                advances.map(|(price, advance)| context! { name => facts.advance(advance), price }).collect();
            (!advances.is_empty()).then(|| templates.say("hint", "affordable", context! { advances }))
        }
        // The other reasons say themselves what would be allowed.
        _ => None,
    }
}

/// What could stand where a line could not be read: neighbours of the last area, or the own areas where there was none.
pub fn fault_hint(templates: &Templates, state: &State, civ: Civ, piece: &Piece, fault: &Fault) -> Option<String> {
    let wants_area = matches!(fault.expected, Expected::Area | Expected::Destination);
    if !wants_area || !fault.candidates.is_empty() {
        return None;
    }
    match (piece.area, piece.verb) {
        (Some(from), Some(Word::Sail)) => {
            hint(templates, state, civ, &Illegal::NotAdjacentByWater { from, to: from }, None)
        }
        (Some(from), Some(Word::Move) | None) => {
            hint(templates, state, civ, &Illegal::NotAdjacentByLand { from, to: from }, None)
        }
        (None, Some(Word::Move | Word::Sail) | None) => {
            let few = Illegal::TooFewTokens { area: AreaId(0), have: 0, need: 0, moved: 0 };
            hint(templates, state, civ, &few, None)
        }
        _ => None,
    }
}

/// The areas with tokens of a player that hold, with how many.
fn tokens(state: &State, facts: Facts, civ: Civ, holds: impl Fn(AreaId) -> bool) -> Vec<Value> {
    let areas = state.areas_of(Owner::Civ(civ)).filter(|area| state.tokens(*area, Owner::Civ(civ)) > 0 && holds(*area));
    areas.map(|area| context! { area => facts.area(area), count => state.tokens(area, Owner::Civ(civ)) }).collect()
}
