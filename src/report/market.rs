//! The board of the trade, each reader's own: what is new, what the reader can accept with the cards the reader has,
//! and the rest.
//!
//! Comes in: what a reader knows, and what stood on the last board that the reader was shown. Goes out: finished lines.
//! Data that a desk keeps between two boards is [`Shown`]: so a board tells what is new however long ago the last one
//! was.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use minijinja::{Value, context};
use serde::{Deserialize, Serialize};

use super::narrator::Narrator;
use super::trade::{offered, offered_for, offered_in_short, trades};
use super::{Templates, worded};
use crate::game::trade::{Notice, Offer, Traded};
use crate::game::{Command, Known, Phase};
use crate::rules::{Civ, Face, cards};

/// What stood on the board when somebody was last shown it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Shown {
    /// Of which era of the game, for a rollback begins the board anew.
    pub era: u32,
    pub turn: u16,
    /// The number of the last offer.
    pub last: u16,
    /// The offers that could be accepted.
    pub open: BTreeSet<u16>,
    /// How many trades there had been.
    pub trades: usize,
    /// The number of the last wish.
    pub notices: u16,
    /// Whether it was shown for what was addressed to its reader, out of turn.
    #[serde(default)]
    pub at_once: bool,
}

impl Shown {
    /// What stands there now.
    pub fn now(known: &Known, era: u32) -> Shown {
        let progress = known.progress();
        Shown {
            era,
            turn: known.turn(),
            last: progress.offers.last().map_or(0, |offer| offer.number),
            open: progress.offers.iter().filter(|offer| offer.open).map(|offer| offer.number).collect(),
            trades: progress.trades.len(),
            notices: progress.notices.values().map(|notice| notice.number).max().unwrap_or(0),
            at_once: false,
        }
    }
}

/// The board as a letter shows it: finished lines.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Market {
    /// Whether it says what is new since another.
    pub since: bool,
    /// What the reader was not shown before; of a first board, who has traded so far.
    pub new: Vec<String>,
    /// What the player can accept with the cards the player has, with the line that does it; and what was offered to
    /// the player alone.
    pub open: Vec<String>,
    /// The other offers, a line a player.
    pub rest: Vec<String>,
    /// What is wished, a line a player, and where it meets the reader's own wish.
    pub wishes: Vec<String>,
}

/// Whether there is anything on the board that its reader has not been shown, or that the reader believes to be there
/// still.
pub(crate) fn is_news(known: &Known, shown: &Shown) -> bool {
    let me = known.civ();
    let is_new = |offer: &Offer| offer.open && offer.number > shown.last && Some(offer.from) != me;
    known.progress().offers.iter().any(is_new)
        || !new_trades(known, shown).is_empty()
        || !gone(known, shown).is_empty()
        || known.posted().any(|(civ, notice)| Some(civ) != me && notice.number > shown.notices)
}

/// The board for its reader; none where there is no trade. Without what the reader was shown, nothing on it is new.
pub(crate) fn market(templates: &Templates, known: &Known, shown: Option<&Shown>) -> Option<Market> {
    if known.phase() != Phase::Trade {
        return None;
    }
    let narrator = Narrator::new(templates, known.printed(), known.reader());
    let me = known.civ();
    let mut market = Market { since: shown.is_some(), ..Market::default() };
    let told = match shown {
        Some(shown) => new_trades(known, shown),
        None => known.progress().trades.iter().collect(),
    };
    market.new.extend(trades(narrator, told.into_iter()).map(|tale| tale.text));
    let gone = shown.map(|shown| gone(known, shown)).unwrap_or_default();
    if !gone.is_empty() {
        market.new.push(narrator.tale("voided", &[], context! { numbers => gone }).text);
    }
    let mut folded: Vec<(Civ, Vec<String>)> = Vec::new();
    for offer in known.progress().offers.iter().filter(|offer| offer.open) {
        let ready = me.and_then(|civ| payment(known, civ, offer)).map(|gives| {
            let accept = Command::Accept { number: offer.number, gives };
            worded(narrator.names(), &accept)
        });
        let is_mine = Some(offer.from) == me;
        let is_new = shown.is_some_and(|shown| offer.number > shown.last) && !is_mine;
        let is_for_me = me.is_some_and(|civ| offer.to.named().contains(&civ));
        if is_new {
            market.new.push(offered_for(narrator, offer, ready).text)
        } else if ready.is_some() || is_for_me {
            market.open.push(offered_for(narrator, offer, ready).text)
        } else {
            let short = offered_in_short(narrator, offer);
            match folded.iter_mut().find(|(civ, _)| *civ == offer.from) {
                Some((_, offers)) => offers.push(short),
                None => folded.push((offer.from, vec![short])),
            }
        }
    }
    market.rest = folded
        .into_iter()
        .map(|(civ, offers)| narrator.tale("folded", &[civ], context! { who => narrator.civ(civ), offers }).text)
        .collect();
    market.wishes = wishes(narrator, known);
    Some(market)
}

/// The offers of the board as the account of a ruling tells them, so that they are told once.
pub(crate) fn as_told(templates: &Templates, known: &Known) -> Vec<String> {
    if known.phase() != Phase::Trade {
        return Vec::new();
    }
    let narrator = Narrator::new(templates, known.printed(), known.reader());
    let open = known.progress().offers.iter().filter(|offer| offer.open);
    open.map(|offer| offered(narrator, offer).text).collect()
}

/// The trades of others that the reader was not shown; of the reader's own the reader was told at once.
fn new_trades<'a>(known: &'a Known, shown: &Shown) -> Vec<&'a Traded> {
    let is_own = |trade: &Traded| [trade.from, trade.to].map(Some).contains(&known.civ());
    known.progress().trades.iter().skip(shown.trades).filter(|trade| !is_own(trade)).collect()
}

/// The offers of others that the reader has seen open, and that are not any more.
fn gone(known: &Known, shown: &Shown) -> Vec<u16> {
    let of = |number: u16| known.progress().offers.iter().find(move |offer| offer.number == number);
    let is_gone = |number: &&u16| of(**number).is_none_or(|offer| !offer.open && Some(offer.from) != known.civ());
    shown.open.iter().filter(is_gone).copied().collect()
}

/// The cards that a player could give for an offer: the names that are asked for, and beside them what is missed least.
/// None where the player has not got them, or may not.
pub(crate) fn payment(known: &Known, civ: Civ, offer: &Offer) -> Option<Vec<Face>> {
    if !offer.is_open_to(civ) {
        return None;
    }
    let mut hand: Vec<Face> = known.holding(civ).hand.iter().map(|card| card.face).collect();
    let mut gives: Vec<Face> = Vec::new();
    let mut give = |hand: &mut Vec<Face>, face: Face| {
        let place = hand.iter().position(|held| *held == face)?;
        gives.push(hand.remove(place));
        Some(gives.len())
    };
    let mut given = 0;
    for name in offer.names.iter().take(offer.told.len()) {
        given = give(&mut hand, *name)?;
    }
    while given < usize::from(offer.wants) {
        let missed = least_missed(known, &hand, offer)?;
        given = give(&mut hand, missed)?;
    }
    // Whatever else the rules ask of it.
    let accept = Command::Accept { number: offer.number, gives: gives.clone() };
    Phase::Trade.rules().may_stand(known, civ, &accept).is_ok().then_some(gives)
}

/// The card that its holder misses least: what the offer brings is missed most, and a calamity is nobody's to give but
/// theirs.
fn least_missed(known: &Known, hand: &[Face], offer: &Offer) -> Option<Face> {
    let loss = |face: Face| match face {
        Face::Commodity(commodity) => {
            let value = known.printed().commodities[usize::from(commodity.0)].stack;
            let count = hand.iter().filter(|held| **held == face).count() as u16;
            Some(cards::set_value(count, value) - cards::set_value(count - 1, value))
        }
        Face::Water => Some(0),
        Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => None,
    };
    let lost = hand.iter().filter_map(|face| Some((offer.told.contains(face), loss(*face)?, *face)));
    lost.min().map(|(.., face)| face)
}

/// The wishes of the others, and where they meet the reader's own.
fn wishes(narrator: Narrator, known: &Known) -> Vec<String> {
    let me = known.civ();
    let mut others: Vec<(Civ, &Notice)> = known.posted().filter(|(civ, _)| Some(*civ) != me).collect();
    others.sort_by_key(|(_, notice)| Reverse(notice.number));
    let own = me.and_then(|civ| known.progress().notices.get(&civ)).filter(|notice| !notice.is_empty());
    let listed = |faces: &[Face]| (!faces.is_empty()).then(|| narrator.names().faces(faces));
    let common = |a: &[Face], b: &[Face]| {
        let both: BTreeSet<Face> = a.iter().filter(|face| b.contains(face)).copied().collect();
        listed(&both.into_iter().collect::<Vec<_>>())
    };
    let mut lines: Vec<String> = Vec::new();
    if let Some(own) = own {
        let facts = context! { wants => listed(&own.wants), has => listed(&own.has) };
        lines.push(narrator.tale("wish_own", &[], facts).text);
    }
    // Those that meet the reader's come first.
    let (mut meeting, mut rest) = (Vec::new(), Vec::new());
    for (civ, notice) in others {
        let wants = own.and_then(|own| common(&notice.wants, &own.has));
        let has = own.and_then(|own| common(&notice.has, &own.wants));
        let facts = context! { who => narrator.civ(civ), wants => listed(&notice.wants), has => listed(&notice.has) };
        let meets: Value = if wants.is_some() || has.is_some() {
            context! { wants, has }
        } else {
            Value::from(())
        };
        let line = narrator.tale("wish", &[civ], context! { meets => meets.clone(), ..facts }).text;
        if meets.is_none() { rest.push(line) } else { meeting.push(line) }
    }
    lines.into_iter().chain(meeting).chain(rest).collect()
}
