//! The trade letter: accepts what brings gain, else offers what others wish for what they show, else what is missed least
//! for what is wished most. With each of these goes a wish on the board, as the hand is then.

use super::Temperament;
use super::hand::Hand;
use crate::report::View;
use crate::report::view::{Card, Seen, Wished};
use crate::rules::{Civ, Face};

/// R7.7.
const LEAST: usize = 3;
/// Offers to all in one trade phase, to those whose wishes meet the player's, and of these to any one of them.
const MOST_OFFERS: usize = 4;
const MOST_TO_WISHERS: usize = 8;
const MOST_TO_ONE: usize = 3;
/// So many kinds of cards are collected, and so many of the others shown to be there for them.
const MOST_WANTED: usize = 3;
const MOST_SHOWN: usize = 12;

/// One answer or one offer, with what the player wishes now; `done` with a hand that nobody could trade with.
pub(crate) fn letter(view: &View, temperament: Temperament) -> String {
    if view.hand.iter().filter(|card| card.tradeable).count() < LEAST || view.hand.iter().all(|card| card.value == 0) {
        return "done\n".to_owned();
    }
    let line = answer(view).or_else(|| to_wisher(view)).or_else(|| offer(view, temperament));
    let Some(line) = line else { return String::new() };
    [line].into_iter().chain(wish(view)).map(|line| line + "\n").collect()
}

/// What the player collects, and all that they have beside it; nothing where that is on the board already.
fn wish(view: &View) -> Option<String> {
    let hand = Hand::new(&view.hand);
    let mut wanted = hand.wishes();
    wanted.truncate(MOST_WANTED);
    let mut left = hand.clone();
    let is_spare = |card: &Card| is_commodity(card) && !wanted.iter().any(|wanted| wanted.face == card.face);
    let mut spared = Vec::new();
    while spared.len() < MOST_SHOWN
        && let Some(card) = left.least_missed(is_spare)
    {
        left.remove(card.face);
        spared.push(card);
    }
    spared.sort_by_key(|card| card.face);
    let is_said = |wish: &Wished| same(&wish.wants, &wanted) && same(&wish.has, &spared);
    let is_said = view.wishes.iter().any(|wish| wish.civ == view.civ && is_said(wish));
    (!is_said && !wanted.is_empty() && !spared.is_empty())
        .then(|| format!("want {} have {}", names(&wanted), names(&spared)))
}

/// Whether a wish on the board says these cards.
fn same(said: &[Card], cards: &[&Card]) -> bool {
    said.len() == cards.len() && said.iter().all(|said| cards.iter().any(|card| card.face == said.face))
}

/// An offer to somebody who says what the person has and what the person wants, where that helps both.
fn to_wisher(view: &View) -> Option<String> {
    let own = || view.offers.iter().filter(|offer| offer.from == view.civ && offer.to.is_some());
    if own().count() >= MOST_TO_WISHERS {
        return None;
    }
    let others = view.wishes.iter().filter(|wish| wish.civ != view.civ);
    let new = others.filter(|wish| own().filter(|offer| offer.to == Some(wish.civ)).count() < MOST_TO_ONE);
    let swaps = new.flat_map(|wish| [2, 1].into_iter().filter_map(|most| swap(view, wish, most)));
    let fresh = swaps.filter(|swap| !own().any(|offer| offer.to == Some(swap.with) && swap.is_like(offer)));
    let best = fresh.max_by_key(|swap| (swap.gain, std::cmp::Reverse(swap.with)))?;
    let to = view.civilizations.iter().find(|other| other.civ == best.with)?;
    let wants = best.gets.iter().map(|card| card.name).chain(std::iter::repeat("any")).take(LEAST);
    let wants: Vec<_> = wants.collect();
    Some(format!("offer to {}: {} for {}", to.name, names(&best.gives), wants.join(", ")))
}

/// A trade that two wishes on the board suggest.
struct Swap<'a> {
    with: Civ,
    gives: Vec<&'a Card<'a>>,
    gets: Vec<&'a Card<'a>>,
    gain: i32,
}

impl Swap<'_> {
    /// Whether the same was offered already.
    fn is_like(&self, offer: &Seen) -> bool {
        let told = offer.told.iter().zip(&self.gives).all(|(told, card)| told.face == card.face);
        told && same(&offer.names, &self.gets)
    }
}

/// What would be given for so many of the cards that somebody shows, if both had reason to be glad of it.
fn swap<'a>(view: &'a View<'a>, wish: &'a Wished<'a>, most: usize) -> Option<Swap<'a>> {
    let before = Hand::new(&view.hand);
    let mut hand = before.clone();
    let mut shown: Vec<&Card> = wish.has.iter().filter(|card| before.count(card.face) > 0).collect();
    let mut gets: Vec<&Card> = Vec::new();
    while gets.len() < most {
        let gain = |card: &Card| (2 * hand.count(card.face) + 1) * u16::from(card.value);
        let best = (0..shown.len()).max_by_key(|at| (gain(shown[*at]), std::cmp::Reverse(shown[*at].face)))?;
        let card = shown.remove(best);
        hand.add(card);
        gets.push(card);
    }
    let is_wished = |card: &Card| wish.wants.iter().any(|wished| wished.face == card.face);
    let is_spare = |card: &Card| is_commodity(card) && !gets.iter().any(|got| got.face == card.face);
    let mut gives: Vec<&Card> = Vec::new();
    while gives.len() < LEAST {
        let hidden = |card: &Card| gives.len() == LEAST - 1 && may_hide(card);
        let card = match gives.len() {
            0 => hand.least_missed(|card| is_spare(card) && is_wished(card)),
            1 => hand.least_missed(|card| is_spare(card) && is_wished(card)).or_else(|| hand.least_missed(is_spare)),
            _ => hand.least_missed(hidden).or_else(|| hand.least_missed(is_spare)),
        }?;
        hand.remove(card.face);
        gives.push(card);
    }
    // Who wishes a card has one at least, so that one more is worth three; what is shown is single, so it seems.
    let theirs: i32 = gives.iter().take(2).filter(|card| is_wished(card)).map(|card| 3 * i32::from(card.value)).sum();
    let missed: i32 = gets.iter().map(|card| i32::from(card.value)).sum();
    let gain = hand.value() - before.value();
    (gain > 0 && theirs > missed).then_some(Swap { with: wish.civ, gives, gets, gain })
}

/// Whether the player slips this among the cards the player gives: nobody keeps what only hurts.
fn may_hide(card: &Card) -> bool {
    match card.face {
        Face::Water | Face::Calamity(_) => true,
        Face::Commodity(_) | Face::Unseen | Face::UnseenCalamity => false,
    }
}

/// The open offer that gains most.
fn answer(view: &View) -> Option<String> {
    let open = view.offers.iter().filter(|offer| offer.open && offer.from != view.civ);
    let gains = open.filter_map(|offer| payment(view, offer).map(|(gain, cards)| (gain, offer, cards)));
    let (_, offer, cards) = gains.max_by_key(|(gain, offer, _)| (*gain, std::cmp::Reverse(offer.number)))?;
    Some(format!("accept {} with {}", offer.number, names(&cards)))
}

/// What the player would give for an offer, and what the player would gain; what the player was not truly told counts
/// for nothing.
fn payment<'a>(view: &'a View<'a>, offer: &'a Seen<'a>) -> Option<(i32, Vec<&'a Card<'a>>)> {
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
        let may_give = |card: &Card| if is_commodity(card) { !got(card) } else { named && may_hide(card) };
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
    let made = view.offers.iter().filter(|offer| offer.from == view.civ && offer.to.is_none()).count();
    let hand = Hand::new(&view.hand);
    let wishes = hand.wishes();
    let wanted: Vec<_> = match made {
        0 => wishes.first().into_iter().chain(wishes.get(1)).collect(),
        1..MOST_OFFERS => wishes.get(made - 1).into_iter().collect(),
        _ => return None,
    };
    let first = wanted.first()?;
    let gives = spared(&hand, &wanted)?;
    let wants: Vec<_> = wanted.iter().map(|card| card.name).chain(std::iter::repeat("any")).take(LEAST).collect();
    // Who hides something says it is more of the best the player shows; a settler says nothing of it.
    let says = match gives.last() {
        Some(last) if !is_commodity(last) && temperament != Temperament::Settler => {
            format!(" saying {}", gives[0].name)
        }
        Some(_) | None => String::new(),
    };
    (hand.count(first.face) > 0).then(|| format!("offer to all: {} for {}{says}", names(&gives), wants.join(", ")))
}

/// Three cards that are missed least: the two best of them first, for those are told; a calamity last.
fn spared<'a>(hand: &Hand<'a>, wanted: &[&&Card]) -> Option<Vec<&'a Card<'a>>> {
    let mut left = hand.clone();
    let mut gives = Vec::new();
    let hidden = left.least_missed(may_hide);
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
    cards.iter().map(|card| card.name).collect::<Vec<_>>().join(", ")
}
