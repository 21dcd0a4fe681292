//! Cards dealt, bought and traded.

use super::names::{Names, counted, listed};
use super::{Reader, Told};
use crate::game::Event;
use crate::rules::{Civ, Face, PrintedGame, TradeCard, cards};

/// What a hand's sets are worth. R7.3.
pub fn hand_value(printed: &PrintedGame, hand: &[TradeCard]) -> u16 {
    let mut value = 0;
    for (commodity, card) in (0..).zip(&printed.commodities) {
        let face = Face::Commodity(crate::rules::Commodity(commodity));
        value += cards::set_value(hand.iter().filter(|held| held.face == face).count() as u16, card.stack);
    }
    value
}

/// One sentence for all that were dealt, one for each buyer; an own hand by name.
pub fn dealt(names: Names, told: &[(Told, &Event)]) -> Vec<String> {
    let (mut drawn, mut bought): (Vec<Draw>, Vec<Draw>) = (Vec::new(), Vec::new());
    let mut paid = Vec::new();
    for (told, event) in told {
        match event {
            Event::CardDrawn { civ, card, .. } => note(&mut drawn, *civ, *told, *card),
            Event::CardBought { civ, card, price, .. } => {
                note(&mut bought, *civ, *told, *card);
                paid.push((*civ, *price));
            }
            _ => {}
        }
    }
    let known = |draw: &Draw| if draw.known.is_empty() { String::new() } else { names.cards(&draw.known) };
    let mut sentences = Vec::new();
    if !drawn.is_empty() {
        let counts = drawn.iter().map(|draw| format!("{} {}", names.civ(draw.civ), draw.count));
        sentences.push(format!("Dealt, one for each city: {}.", listed(counts)));
    }
    // An onlooker would read forty names; a player has one hand.
    if let [draw] = &drawn.iter().filter(|draw| !draw.known.is_empty()).collect::<Vec<_>>()[..] {
        sentences.push(format!("{} draws {}.", names.civ(draw.civ), known(draw)));
    }
    for draw in &bought {
        let paid: u16 = paid.iter().filter(|(civ, _)| *civ == draw.civ).map(|(_, price)| price).sum();
        let (civ, what) = (names.civ(draw.civ), counted(draw.count, "more card", "more cards"));
        let which = if draw.known.is_empty() { String::new() } else { format!(": {}", known(draw)) };
        sentences.push(format!("{civ} buys {what} for {paid} treasury{which}."));
    }
    sentences
}

/// What one player drew, and which of it the reader may know.
struct Draw {
    civ: Civ,
    count: u16,
    known: Vec<TradeCard>,
}

fn note(draws: &mut Vec<Draw>, civ: Civ, told: Told, card: TradeCard) {
    if draws.last().is_none_or(|draw| draw.civ != civ) {
        draws.push(Draw { civ, count: 0, known: Vec::new() });
    }
    if let Some(draw) = draws.last_mut() {
        draw.count += 1;
        draw.known.extend(Some(card).filter(|_| told == Told::Everything));
    }
}

/// Each trade, and to a player each offer; an onlooker only hears trades.
pub fn traded(names: Names, told: &[(Told, &Event)], reader: Reader) -> Vec<String> {
    told.iter().filter_map(|(told, event)| sentence(names, *told, event, reader)).collect()
}

fn sentence(names: Names, told: Told, event: &Event, reader: Reader) -> Option<String> {
    let is_player = matches!(reader, Reader::Player(_));
    match event {
        Event::TradeMade { from, to, given, received, .. } => Some(match told {
            Told::Everything => format!(
                "{} gives {} to {} for {}.{}",
                names.civ(*from),
                names.cards(given),
                names.civ(*to),
                names.cards(received),
                unsaid(names, *from, *to, given) + &unsaid(names, *to, *from, received)
            ),
            Told::ThatItHappened | Told::Nothing => {
                format!(
                    "{} and {} trade {} cards for {}.",
                    names.civ(*from),
                    names.civ(*to),
                    given.len(),
                    received.len()
                )
            }
        }),
        Event::OfferMade { number, from, to, gives, told: shown, says, wants, names: wanted } if is_player => {
            let to = to.map_or("all", |to| names.civ(to));
            let says = if says.is_empty() { String::new() } else { format!(", it says also {}", names.faces(says)) };
            let wanted = if wanted.is_empty() { String::new() } else { format!(" with {}", names.faces(wanted)) };
            let count = gives.len();
            Some(format!(
                "Offer {number}, {} to {to}: {count} cards with {}{says}, for {wants}{wanted}.",
                names.civ(*from),
                names.faces(shown)
            ))
        }
        Event::OfferDeclined { number, by } if is_player => {
            Some(format!("{} declines offer {number}.", names.civ(*by)))
        }
        Event::OfferWithdrawn { number } if is_player => Some(format!("Offer {number} is withdrawn.")),
        Event::OfferVoided { number } if is_player => Some(format!("Offer {number} is void.")),
        _ => None,
    }
}

/// A calamity that went along and that nobody may speak of. R7.9.
fn unsaid(names: Names, from: Civ, to: Civ, cards: &[TradeCard]) -> String {
    let calamities: Vec<_> = cards.iter().filter(|card| matches!(card.face, Face::Calamity(_))).copied().collect();
    match calamities.is_empty() {
        true => String::new(),
        false => {
            format!(" {} did not tell {} of the {}.", names.civ(from), names.civ(to), names.cards(&calamities))
        }
    }
}
