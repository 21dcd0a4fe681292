//! The trade letter: accepts what brings gain, else offers what is missed least for what is wished most. With the first
//! offer a wish goes on the board; whoever only wishes is answered with an offer of their own.

use super::Temperament;
use super::hand::Hand;
use crate::report::View;
use crate::report::view::{Card, Seen};
use crate::rules::Face;

/// R7.7.
const LEAST: usize = 3;
/// Offers of one trade phase.
const MOST_OFFERS: usize = 4;

/// One answer or one offer, or nothing.
pub(crate) fn letter(view: &View, temperament: Temperament) -> String {
    let lines = answer(view, temperament).map(|line| vec![line]).or_else(|| {
        let offer = to_wisher(view).or_else(|| offer(view, temperament))?;
        Some([offer].into_iter().chain(wish(view)).collect())
    });
    lines.unwrap_or_default().iter().map(|line| format!("{line}\n")).collect()
}

/// What the player wishes most and misses least, said once in a trade phase.
fn wish(view: &View) -> Option<String> {
    let is_said = view.wishes.iter().any(|wish| wish.civ == view.civ);
    let hand = Hand::new(&view.hand);
    let wanted = hand.wishes();
    let wanted = wanted.first().filter(|card| !is_said && hand.count(card.face) > 0)?;
    let spared = hand.least_missed(|card| is_commodity(card) && card.face != wanted.face)?;
    Some(format!("want {} have {}", wanted.name, spared.name))
}

/// An offer to somebody who says what the person has and what the person wants, where that helps both, and who has made
/// no offer themselves.
fn to_wisher(view: &View) -> Option<String> {
    let hand = Hand::new(&view.hand);
    let wishes = hand.wishes();
    let has_offered = |civ| view.offers.iter().any(|offer| offer.from == civ);
    let is_asked = |civ| view.offers.iter().any(|offer| offer.from == view.civ && offer.to == Some(civ));
    let meets = view.wishes.iter().filter(|wish| wish.civ != view.civ && !has_offered(wish.civ) && !is_asked(wish.civ));
    let mut offers = meets.filter_map(|wish| {
        let has = |card: &&&Card| hand.count(card.face) > 0 && wish.has.iter().any(|had| had.face == card.face);
        let wanted = wishes.iter().find(has)?;
        let mut left = hand.clone();
        let mut gives = Vec::new();
        while gives.len() < LEAST {
            let is_spare = |card: &Card| is_commodity(card) && card.face != wanted.face;
            let is_wished = |card: &Card| wish.wants.iter().any(|wished| wished.face == card.face);
            let card = left.least_missed(|card| is_spare(card) && is_wished(card));
            let card = card.or_else(|| left.least_missed(|card| is_spare(card) && !gives.is_empty()))?;
            left.remove(card.face);
            gives.push(card);
        }
        let to = view.civilizations.iter().find(|other| other.civ == wish.civ)?;
        Some(format!("offer to {}: {} for {}, any, any", to.name, names(&gives), wanted.name))
    });
    offers.next()
}

/// Whether the player slips this among the cards the player gives: water is let go by all, a calamity by those who are
/// sly.
fn may_hide(card: &Card, temperament: Temperament) -> bool {
    match card.face {
        Face::Water => true,
        Face::Commodity(_) | Face::Unseen | Face::UnseenCalamity => false,
        Face::Calamity(_) => temperament != Temperament::Settler,
    }
}

/// The open offer that gains most.
fn answer(view: &View, temperament: Temperament) -> Option<String> {
    let open = view.offers.iter().filter(|offer| offer.open && offer.from != view.civ);
    let gains = open.filter_map(|offer| payment(view, offer, temperament).map(|(gain, cards)| (gain, offer, cards)));
    let (_, offer, cards) = gains.max_by_key(|(gain, offer, _)| (*gain, std::cmp::Reverse(offer.number)))?;
    Some(format!("accept {} with {}", offer.number, names(&cards)))
}

/// What the player would give for an offer, and what the player would gain; what the player was not truly told counts
/// for nothing.
fn payment<'a>(view: &'a View, offer: &'a Seen, temperament: Temperament) -> Option<(i32, Vec<&'a Card>)> {
    let mut hand = Hand::new(&view.hand);
    let before = hand.value();
    let mut given: Vec<&Card> = Vec::new();
    for name in offer.names.iter().take(2) {
        if !hand.remove(name.face) {
            return None;
        }
        given.push(name);
    }
    let got = |card: &Card| offer.told.iter().any(|told| told.face == card.face);
    while given.len() < usize::from(offer.wants) {
        let named = given.iter().filter(|card| is_commodity(card)).count() >= 2;
        let may_give = |card: &Card| if is_commodity(card) { !got(card) } else { named && may_hide(card, temperament) };
        let card = hand.least_missed(may_give)?;
        hand.remove(card.face);
        given.push(card);
    }
    offer.told.iter().for_each(|card| hand.add(card));
    let gain = hand.value() - before;
    let enough = given.iter().filter(|card| is_commodity(card)).count() >= 2;
    (gain > 0 && enough).then_some((gain, given))
}

/// The next offer of this trade phase; each asks for something else.
fn offer(view: &View, temperament: Temperament) -> Option<String> {
    let made = view.offers.iter().filter(|offer| offer.from == view.civ).count();
    let hand = Hand::new(&view.hand);
    let wishes = hand.wishes();
    let wanted: Vec<_> = match made {
        0 => wishes.first().into_iter().chain(wishes.get(1)).collect(),
        1..MOST_OFFERS => wishes.get(made - 1).into_iter().collect(),
        _ => return None,
    };
    let first = wanted.first()?;
    let gives = spared(&hand, &wanted, temperament)?;
    let wants: Vec<_> =
        wanted.iter().map(|card| card.name.as_str()).chain(std::iter::repeat("any")).take(LEAST).collect();
    // Who hides something says it is more of the best the player shows.
    let says = match gives.last() {
        Some(last) if !is_commodity(last) => format!(" saying {}", gives[0].name),
        Some(_) | None => String::new(),
    };
    (hand.count(first.face) > 0).then(|| format!("offer to all: {} for {}{says}", names(&gives), wants.join(", ")))
}

/// Three cards that are missed least: the two best of them first, for those are told; a calamity last.
fn spared<'a>(hand: &Hand<'a>, wanted: &[&&Card], temperament: Temperament) -> Option<Vec<&'a Card>> {
    let mut left = hand.clone();
    let mut gives = Vec::new();
    let hidden = left.least_missed(|card| may_hide(card, temperament));
    while gives.len() < LEAST - usize::from(hidden.is_some()) {
        let may_give = |card: &Card| is_commodity(card) && !wanted.iter().any(|wanted| wanted.face == card.face);
        let card = left.least_missed(may_give)?;
        left.remove(card.face);
        gives.push(card);
    }
    gives.sort_by_key(|card| (std::cmp::Reverse(card.value), card.face));
    gives.extend(hidden);
    Some(gives)
}

/// Whether it may be one of the two that are told.
fn is_commodity(card: &Card) -> bool {
    match card.face {
        Face::Commodity(_) => true,
        Face::Water | Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => false,
    }
}

fn names(cards: &[&Card]) -> String {
    cards.iter().map(|card| card.name.as_str()).collect::<Vec<_>>().join(", ")
}
