//! Cards dealt, bought and traded.

use minijinja::{Value, context};

use super::narrator::{Narrator, Tale};
use crate::game::trade::{Offer, Traded};
use crate::game::{Event, Known, Phase, Reader, Told};
use crate::rules::{Case, Civ, Face, PrintedGame, TradeCard, cards};

/// What a hand's sets are worth. R7.3.
pub(crate) fn hand_value(printed: &PrintedGame, hand: &[TradeCard]) -> u16 {
    let mut value = 0;
    for (commodity, card) in (0..).zip(&printed.commodities) {
        let face = Face::Commodity(crate::rules::Commodity(commodity));
        value += cards::set_value(hand.iter().filter(|held| held.face == face).count() as u16, card.stack);
    }
    value
}

/// One sentence for all that were dealt, one for each buyer; an own hand by name.
pub(crate) fn dealt(narrator: Narrator, told: &[(Told, &Event)]) -> Vec<Tale> {
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
    let known = |draw: &Draw| (!draw.known.is_empty()).then(|| narrator.names().cards(&draw.known));
    let mut tales = Vec::new();
    // An onlooker would read forty names; a player has one hand.
    if let [draw] = &drawn.iter().filter(|draw| !draw.known.is_empty()).collect::<Vec<_>>()[..] {
        let facts = context! { who => narrator.civ(draw.civ), cards => known(draw) };
        tales.push(narrator.tale("drawn", &[draw.civ], facts));
    }
    for draw in &bought {
        let paid: u16 = paid.iter().filter(|(civ, _)| *civ == draw.civ).map(|(_, price)| price).sum();
        let facts = context! { who => narrator.civ(draw.civ), count => draw.count, paid, cards => known(draw) };
        tales.push(narrator.tale("bought", &[draw.civ], facts));
    }
    let others = drawn.iter().filter(|draw| !narrator.is_me(draw.civ));
    let all: Vec<Value> = others.map(|draw| context! { civ => narrator.civ(draw.civ), count => draw.count }).collect();
    tales.extend((!all.is_empty()).then(|| narrator.tale("dealt", &[], context! { all })));
    tales
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

/// Each trade; to a player also each offer that is still open, and those that are no more. An onlooker only hears
/// trades. When it is over, everybody hears who has traded with whom, once for all. `after` is what is true now.
pub(crate) fn traded(narrator: Narrator, before: &Known, after: &Known, told: &[(Told, &Event)]) -> Vec<Tale> {
    let is_player = matches!(narrator.reader, Reader::Player(_));
    let is_over = after.phase() != Phase::Trade;
    // Of trades that were made before, each party was told at once which cards they were.
    let mut made: Vec<Traded> = before.progress().trades.iter().filter(|_| is_over).copied().collect();
    let offers = || after.progress().offers.iter().filter(|_| is_player && !is_over);
    let (mut tales, mut gone) = (Vec::new(), Vec::new());
    for (told, event) in told {
        match event {
            Event::OfferMade { number, .. } => {
                let open = offers().find(|offer| offer.number == *number && offer.open);
                tales.extend(open.map(|offer| offered(narrator, offer)));
            }
            Event::OfferVoided { number } if is_player && !is_over => gone.push(*number),
            // What was wished is over with the trade.
            Event::NoticePosted { .. } if is_over => {}
            Event::TradeMade { from, to, given, received, .. } if is_over && *told == Told::ThatItHappened => {
                let (gave, got) = (given.len() as u16, received.len() as u16);
                made.push(Traded { from: *from, to: *to, gave, got });
            }
            Event::OfferDeclined { number, by } => {
                let maker = after.progress().offers.iter().find(|offer| offer.number == *number);
                let about: Vec<Civ> = maker.map(|offer| offer.from).into_iter().chain([*by]).collect();
                let facts = context! { number, who => narrator.civ(*by) };
                tales.extend(is_player.then(|| narrator.tale("declined", &about, facts)));
            }
            other => tales.extend(tale(narrator, *told, other).filter(|_| is_player || is_trade(other))),
        }
    }
    tales.extend((!gone.is_empty()).then(|| narrator.tale("voided", &[], context! { numbers => gone })));
    tales.extend(trades(narrator, made.iter()));
    tales
}

/// Who has traded with whom, and how many cards, in one sentence. MC-16.
pub(crate) fn trades<'a>(narrator: Narrator, made: impl Iterator<Item = &'a Traded>) -> Option<Tale> {
    let all = made.map(|trade| {
        context! {
            from => narrator.civ(trade.from),
            to => narrator.civ(trade.to),
            gave => trade.gave,
            got => trade.got,
        }
    });
    let all: Vec<Value> = all.collect();
    (!all.is_empty()).then(|| narrator.tale("trades", &[], context! { all }))
}

fn is_trade(event: &Event) -> bool {
    matches!(event, Event::TradeMade { .. })
}

/// An open offer, with what its reader may write.
pub(crate) fn offered(narrator: Narrator, offer: &Offer) -> Tale {
    offered_for(narrator, offer, None)
}

/// An open offer that the reader can accept with this line.
pub(crate) fn offered_for(narrator: Narrator, offer: &Offer, ready: Option<String>) -> Tale {
    let about: Vec<Civ> = [offer.from].into_iter().chain(offer.to.named().iter().copied()).collect();
    narrator.tale("offered", &about, context! { ready, ..facts_of(narrator, offer) })
}

/// An offer in a few words, for a line of several.
pub(crate) fn offered_in_short(narrator: Narrator, offer: &Offer) -> String {
    narrator.part("offered_in_short", facts_of(narrator, offer))
}

/// The same on the order page, which has its number and its maker beside it.
pub(crate) fn offered_on_page(narrator: Narrator, offer: &Offer) -> String {
    narrator.part("offered_on_page", facts_of(narrator, offer))
}

fn facts_of(narrator: Narrator, offer: &Offer) -> Value {
    let names = narrator.names();
    context! {
        number => offer.number,
        from => narrator.civ(offer.from),
        to => Value::from_iter(offer.to.named().iter().map(|to| narrator.civ(*to))),
        times => offer.times,
        count => offer.gives.len(),
        told => names.faces(&offer.told),
        says => (!offer.says.is_empty()).then(|| names.faces(&offer.says)),
        wants => offer.wants,
        names => (!offer.names.is_empty()).then(|| names.faces_as(&offer.names, Case::Accusative)),
    }
}

fn tale(narrator: Narrator, told: Told, event: &Event) -> Option<Tale> {
    let names = narrator.names();
    match event {
        Event::TradeMade { from, to, given, received, .. } => {
            let parties = context! { from => narrator.civ(*from), to => narrator.civ(*to) };
            let about = [*from, *to];
            Some(match told {
                Told::Everything => {
                    let unsaid = [(*from, *to, given), (*to, *from, received)].into_iter().filter_map(|unsaid| {
                        let (from, to, cards) = unsaid;
                        let cards = calamities(cards);
                        let told = context! { from => narrator.civ(from), to => narrator.civ(to), cards => names.cards(&cards) };
                        (!cards.is_empty()).then_some(told)
                    });
                    let unsaid: Vec<Value> = unsaid.collect();
                    let (given, received) =
                        (names.cards_as(given, Case::Accusative), names.cards_as(received, Case::Accusative));
                    let facts = context! { given, received, unsaid };
                    narrator.tale("traded", &about, context! { ..facts, ..parties })
                }
                Told::ThatItHappened | Told::Nothing => {
                    let facts = context! { given => given.len(), received => received.len(), ..parties };
                    narrator.tale("traded_unseen", &about, facts)
                }
            })
        }
        Event::NoticePosted { civ, wants, has } => {
            let listed = |faces: &[Face]| (!faces.is_empty()).then(|| names.faces(faces));
            let facts = context! { wants => listed(wants), has => listed(has) };
            narrator.is_me(*civ).then(|| narrator.tale("wish_own", &[*civ], facts))
        }
        Event::OfferWithdrawn { number } => Some(narrator.tale("withdrawn", &[], context! { number })),
        _ => None,
    }
}

/// Calamities that went along and that nobody may speak of. R7.9.
fn calamities(cards: &[TradeCard]) -> Vec<TradeCard> {
    cards.iter().filter(|card| matches!(card.face, Face::Calamity(_))).copied().collect()
}
