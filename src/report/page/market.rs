//! Cards for scripts: the own hand by sets, the board of the trade with what can be accepted first, and what an offer is made of.
//!
//! Comes in: what a player knows. Goes out: cards, offers and wishes as data, each with the line that answers it. Which offers
//! can be accepted, and with which cards, is the letter's board's own judgement.

use std::collections::BTreeSet;

use serde::Serialize;

use super::super::market::{market as board, payment};
use super::super::names::Names;
use super::super::narrator::Narrator;
use super::super::templates::Templates;
use super::super::trade::{hand_value, offered_on_page};
use super::super::wording::worded;
use super::board::Whose;
use crate::game::stacks::{STACKS, Stacks};
use crate::game::trade::Offer;
use crate::game::{Command, Known, Owner, Phase};
use crate::orders::words::Small;
use crate::rules::{Civ, Commodity, Face, Language, cards};

/// The own cards and the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Market {
    /// Whether offers can be made and answered now.
    pub open: bool,
    /// The own hand by sets, the most valuable first.
    pub hand: Vec<Set>,
    /// What all sets together are worth.
    pub value: u16,
    /// The commodities of the game, in the sequence of their stacks.
    pub goods: Vec<Good>,
    /// The others, as an offer names them: whose, and `to Egypt`.
    pub partners: Vec<(Whose, String)>,
    /// The open offers: what can be accepted first, then what is for this player alone, then the others, then the own.
    pub offers: Vec<Offered>,
    /// Wishes, a line a player.
    pub wishes: Vec<String>,
    /// Whether one of them is the own.
    pub wished: bool,
    /// Who has traded so far.
    pub trades: Vec<String>,
    /// What may be new, each with a name of its own: a browser remembers those that it has shown.
    pub news: Vec<String>,
}

/// Equal cards of a hand, with what they are worth together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Set {
    pub name: String,
    pub count: u16,
    /// What they are worth together.
    pub value: u16,
    /// What one more would bring; none where there is no more of them.
    pub more: Option<u16>,
    /// The value of one; none of a calamity.
    pub each: Option<u8>,
    /// Whether they may be given away.
    pub tradeable: bool,
}

/// A commodity that may be asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Good {
    pub name: String,
    /// The value of one card.
    pub each: u8,
    /// What one more would bring to the own hand.
    pub more: u16,
}

/// An offer that stands open on the market.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Offered {
    pub number: u16,
    pub from: Whose,
    /// What it gives and wants, in a few words.
    pub says: String,
    /// How many cards it wants.
    pub wants: u16,
    /// The names it insists on.
    pub names: Vec<String>,
    /// Whether it is the player's own.
    pub own: bool,
    /// Whether the player may answer it, as far as its address goes.
    pub for_me: bool,
    /// The line that accepts it with the cards that are missed least; none where the hand has not got them.
    pub accept: Option<String>,
    /// The line that declines it, or takes an own one back.
    pub decline: String,
}

/// The cards of a player, and the board while it is open.
pub fn market(templates: &Templates, known: &Known, civ: Civ) -> Market {
    let names = Names::new(known.printed(), templates.language);
    let is_trade = known.phase() == Phase::Trade && !known.has_ended();
    let told = board(templates, known, None).unwrap_or_default();
    let partner = |civ: Civ| {
        let to = match names.language {
            Language::English => format!("{} {}", names.small(Small::To), names.civ(civ)),
            Language::Polish => names.civ_for(civ),
        };
        (Whose(Owner::Civ(civ)), to)
    };
    let hand = &known.holding(civ).hand;
    Market {
        open: is_trade && !known.progress().acted.contains(&civ),
        hand: sets(names, known, civ),
        value: hand_value(known.printed(), hand),
        goods: goods(names, known, civ),
        partners: known.ranking().filter(|other| *other != civ).map(partner).collect(),
        offers: if is_trade { offers(templates, known, civ) } else { Vec::new() },
        wished: known.progress().notices.get(&civ).is_some_and(|notice| !notice.is_empty()),
        wishes: told.wishes,
        trades: told.new,
        news: if is_trade { news(known, civ) } else { Vec::new() },
    }
}

fn sets(names: Names, known: &Known, civ: Civ) -> Vec<Set> {
    let faces: Vec<Face> = known.holding(civ).hand.iter().map(|card| card.face).collect();
    let kinds: BTreeSet<Face> = faces.iter().copied().collect();
    let printed = known.printed();
    let mut sets: Vec<Set> = kinds
        .into_iter()
        .map(|face| {
            let count = faces.iter().filter(|held| **held == face).count() as u16;
            let name = names.face(face).to_owned();
            match face {
                Face::Commodity(commodity) => {
                    let card = &printed.commodities[usize::from(commodity.0)];
                    let value = cards::set_value(count, card.stack);
                    let more = (count < u16::from(card.cards)).then(|| cards::set_value(count + 1, card.stack) - value);
                    Set { name, count, value, more, each: Some(card.stack), tradeable: true }
                }
                Face::Water => Set { name, count, value: 0, more: None, each: Some(0), tradeable: true },
                Face::Calamity(calamity) => {
                    let tradeable = printed.calamities.iter().any(|card| card.calamity == calamity && card.tradeable);
                    Set { name, count, value: 0, more: None, each: None, tradeable }
                }
                Face::Unseen | Face::UnseenCalamity => {
                    Set { name, count, value: 0, more: None, each: None, tradeable: false }
                }
            }
        })
        .collect();
    sets.sort_by(|a, b| (b.each.is_some(), b.value, &a.name).cmp(&(a.each.is_some(), a.value, &b.name)));
    sets
}

/// The commodities in play, cheap ones first.
fn goods(names: Names, known: &Known, civ: Civ) -> Vec<Good> {
    let printed = known.printed();
    let blocks: Vec<_> = known.stacks().blocks().collect();
    let players = u8::try_from(known.ranking().count()).unwrap_or(u8::MAX);
    let stacks = Stacks::printed(printed, &blocks, players, false);
    let all = blocks.iter().flat_map(|block| (1..=STACKS).flat_map(|stack| stacks.stack(*block, stack)));
    let held = known.holding(civ).hand.iter();
    // Whoever has left may have left cards behind that are no more of this number of players.
    let found: BTreeSet<Commodity> = all.chain(held).filter_map(|card| commodity(card.face)).collect();
    let count = |commodity: Commodity| {
        known.holding(civ).hand.iter().filter(|card| card.face == Face::Commodity(commodity)).count() as u16
    };
    let good = |commodity: Commodity| {
        let (card, count) = (&printed.commodities[usize::from(commodity.0)], count(commodity));
        let more = cards::set_value(count + 1, card.stack) - cards::set_value(count, card.stack);
        Good { name: names.face(Face::Commodity(commodity)).to_owned(), each: card.stack, more }
    };
    let mut goods: Vec<Good> = found.into_iter().map(good).collect();
    goods.sort_by(|a, b| (a.each, &a.name).cmp(&(b.each, &b.name)));
    goods
}

fn commodity(face: Face) -> Option<Commodity> {
    match face {
        Face::Commodity(commodity) => Some(commodity),
        Face::Water | Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => None,
    }
}

fn offers(templates: &Templates, known: &Known, civ: Civ) -> Vec<Offered> {
    let narrator = Narrator::new(templates, known.printed(), known.reader());
    let names = narrator.names();
    let offered = |offer: &Offer| {
        let own = offer.from == civ;
        let number = offer.number;
        let gives = payment(known, civ, offer);
        Offered {
            number,
            from: Whose(Owner::Civ(offer.from)),
            says: offered_on_page(narrator, offer),
            wants: offer.wants,
            names: offer.names.iter().map(|face| names.face(*face).to_owned()).collect(),
            own,
            for_me: offer.is_open_to(civ),
            accept: gives.map(|gives| worded(names, &Command::Accept { number, gives })),
            decline: worded(names, &if own { Command::Withdraw { number } } else { Command::Decline { number } }),
        }
    };
    let open = known.progress().offers.iter().filter(|offer| offer.open);
    let mut offers: Vec<(bool, Offered)> =
        open.map(|offer| (offer.to.named().contains(&civ), offered(offer))).collect();
    offers.sort_by_key(|(to_me, offer)| (offer.own, offer.accept.is_none(), !to_me, offer.number));
    offers.into_iter().map(|(_, offer)| offer).collect()
}

/// Offers and wishes of others, and own trades.
fn news(known: &Known, civ: Civ) -> Vec<String> {
    let (progress, turn) = (known.progress(), known.turn());
    let offers = progress.offers.iter().filter(|offer| offer.open && offer.from != civ);
    let offers = offers.map(|offer| format!("{turn}o{}", offer.number));
    let wishes = known.posted().filter(|(who, _)| *who != civ).map(|(_, notice)| format!("{turn}w{}", notice.number));
    let trades = (0..).zip(&progress.trades).filter(|(_, trade)| trade.from == civ);
    let trades = trades.map(|(at, _): (usize, _)| format!("{turn}t{at}"));
    offers.chain(wishes).chain(trades).collect()
}
