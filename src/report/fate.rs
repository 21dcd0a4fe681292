//! Calamities, abilities, Advances and the A.S.T. in sentences.

use super::Told;
use super::account::capital;
use super::names::{Names, counted, listed};
use crate::game::event::Cause;
use crate::game::{Event, Owner};
use crate::rules::Civ;

/// Phases 8 and 9: who was struck by what, and what it cost whom.
pub fn calamities(names: Names, told: &[(Told, &Event)]) -> Vec<String> {
    let mut sentences = Vec::new();
    for (how, event) in told {
        match event {
            Event::CalamitiesLaid { civ, count } => {
                sentences.push(format!("{} lays down {}.", names.civ(*civ), counted(*count, "calamity", "calamities")));
            }
            Event::CalamityDiscarded { civ, card } => {
                sentences.push(format!("{} is rid of {} by chance.", names.civ(*civ), names.face(card.face)));
            }
            Event::CalamityStruck { card, victim, beneficiary } => {
                let gains = beneficiary.map_or(String::new(), |civ| format!(", to the profit of {}", names.civ(civ)));
                sentences.push(format!("{} strikes {}{gains}.", names.face(card.face), names.civ(*victim)));
            }
            Event::VictimNamed { by, victim, .. } => {
                sentences.push(format!("{} draws {} into it.", names.civ(*by), names.civ(*victim)));
            }
            Event::BarbariansCame { area, count } => {
                sentences.push(format!("{} barbarians fall upon {}.", count, names.area(*area)));
            }
            Event::BarbariansWandered { from, to, count } => {
                sentences.push(format!("{count} of them go on from {} to {}.", names.area(*from), names.area(*to)));
            }
            other => sentences.extend(loss(names, *how, other)),
        }
    }
    sentences
}

/// Phase 10.
pub fn abilities(names: Names, told: &[(Told, &Event)]) -> Vec<String> {
    let mut sentences = Vec::new();
    for (how, event) in told {
        match event {
            Event::AbilityUsed { civ, advance } => {
                sentences.push(format!("{} uses {}.", names.civ(*civ), names.advance(*advance)));
            }
            Event::TokensResettled { civ, from, to, count } => sentences.push(format!(
                "{} of {} move from {} to {}.",
                counted(*count, "token", "tokens"),
                names.civ(*civ),
                names.area(*from),
                names.area(*to)
            )),
            Event::CardGiven { from, to, card } => {
                let card = match how {
                    Told::Everything => names.face(card.face),
                    Told::ThatItHappened | Told::Nothing => "a card",
                };
                sentences.push(format!("{} gives {card} to {}.", names.civ(*from), names.civ(*to)));
            }
            other => sentences.extend(loss(names, *how, other)),
        }
    }
    sentences
}

/// Phase 12.
pub fn advances(names: Names, told: &[(Told, &Event)]) -> Vec<String> {
    let mut sentences = Vec::new();
    for (how, event) in told {
        match event {
            Event::AdvancesAcquired { civ, advances, cards, treasury, .. } => {
                let acquired = listed(advances.iter().map(|advance| names.advance(*advance)));
                let treasury = Some(format!("{treasury} treasury")).filter(|_| *treasury > 0);
                let cards = Some(names.cards(cards)).filter(|cards| !cards.is_empty());
                let paid = listed(cards.into_iter().chain(treasury));
                let paid = if paid.is_empty() { String::new() } else { format!(" for {paid}") };
                sentences.push(format!("{} acquires {acquired}{paid}.", names.civ(*civ)));
            }
            other => sentences.extend(loss(names, *how, other)),
        }
    }
    sentences
}

/// Phase 13.
pub fn ast(names: Names, told: &[(Told, &Event)]) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut moved = Vec::new();
    for (how, event) in told {
        match event {
            Event::MarkerMoved { civ, to, .. } => moved.push(format!("{} to {to}", names.civ(*civ))),
            Event::LastTurnAnnounced { turn } => sentences.push(format!("Turn {turn} will be the last.")),
            Event::GameEnded { scores, .. } => {
                let scores = scores.iter().map(|score| format!("{} {}", names.civ(score.civ), score.total()));
                sentences.push(format!("The game is over: {}.", listed(scores)));
            }
            other => sentences.extend(loss(names, *how, other)),
        }
    }
    if !moved.is_empty() {
        sentences.insert(0, format!("On the A.S.T. the markers move: {}.", listed(moved)));
    }
    sentences
}

/// What was lost, gained or moved, whatever the cause.
fn loss(names: Names, how: Told, event: &Event) -> Option<String> {
    let units = |tokens: u16, city: bool| match (tokens, city) {
        (0, true) => "the city".to_owned(),
        (tokens, true) => format!("the city and {}", counted(tokens, "token", "tokens")),
        (tokens, false) => counted(tokens, "token", "tokens"),
    };
    let sentence = match event {
        Event::CityReduced { civ, area, placed, .. } => format!(
            "{}'s city {} is reduced to {}.",
            names.civ(*civ),
            names.area(*area),
            counted(*placed, "token", "tokens")
        ),
        Event::UnitsDestroyed { owner, area, tokens, city, .. } => {
            format!("{} loses {} in {}.", names.owner(*owner), units(*tokens, *city), names.area(*area))
        }
        Event::UnitsAnnexed { from, to: Owner::Barbarians, area, tokens, city, .. } => format!(
            "In {} {} of {} falls to pirates and barbarians.",
            names.area(*area),
            units(*tokens, *city),
            names.owner(*from)
        ),
        Event::UnitsAnnexed { from, to, area, tokens, city, .. } => format!(
            "{} takes {} of {} in {}.",
            names.owner(*to),
            units(*tokens, *city),
            names.owner(*from),
            names.area(*area)
        ),
        Event::TreasuryLost { civ, amount, .. } => format!("{} pays {amount} from its treasury.", names.civ(*civ)),
        Event::TreasuryGained { civ, amount, .. } => format!("{} adds {amount} to its treasury.", names.civ(*civ)),
        Event::CardsDiscarded { civ, cards, why } => {
            let cards = match how {
                Told::Everything => names.cards(cards),
                Told::ThatItHappened | Told::Nothing => counted(cards.len() as u16, "card", "cards"),
            };
            let limit = if *why == Cause::HandLimit { ", more than a hand may hold" } else { "" };
            format!("{} discards {cards}{limit}.", names.civ(*civ))
        }
        Event::MarkerMoved { civ, to, .. } => back(names, *civ, *to),
        _ => return None,
    };
    Some(capital(&sentence))
}

fn back(names: Names, civ: Civ, to: u8) -> String {
    format!("{} goes back to {to} on the A.S.T.", names.civ(civ))
}
