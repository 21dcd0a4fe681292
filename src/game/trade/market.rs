//! What stands on the board beside the cards of an offer: to whom it goes and how often, who has traded, and wishes.

use serde::{Deserialize, Serialize};

use super::Offer;
use crate::game::command::Wanted;
use crate::game::state::Progress;
use crate::game::{Event, State};
use crate::rules::{Civ, Face};

/// To whom an offer goes: to all, or to those who are named. The first of them who accepts has it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct OfferedTo(Vec<Civ>);

/// As it is written down; the first edition knew one or all.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    All(()),
    One(Civ),
    Several(Vec<Civ>),
}

impl OfferedTo {
    pub(crate) fn all() -> OfferedTo {
        OfferedTo::default()
    }

    /// To these, each once, in the sequence named; to all, if nobody is.
    pub fn these(civs: impl IntoIterator<Item = Civ>) -> OfferedTo {
        let mut named: Vec<Civ> = Vec::new();
        for civ in civs {
            if !named.contains(&civ) {
                named.push(civ);
            }
        }
        OfferedTo(named)
    }

    /// Those who are named; none is all.
    pub fn named(&self) -> &[Civ] {
        &self.0
    }

    /// Whether it goes to this player.
    pub fn includes(&self, civ: Civ) -> bool {
        self.0.is_empty() || self.0.contains(&civ)
    }

    /// Takes a player off the address. Says whether anybody is left on it.
    pub(in crate::game) fn without(&mut self, civ: Civ) -> bool {
        if self.0 == [civ] {
            return false;
        }
        self.0.retain(|named| *named != civ);
        true
    }
}

impl From<Stored> for OfferedTo {
    fn from(stored: Stored) -> OfferedTo {
        match stored {
            Stored::All(()) => OfferedTo::all(),
            Stored::One(civ) => OfferedTo::these([civ]),
            Stored::Several(civs) => OfferedTo::these(civs),
        }
    }
}

impl From<OfferedTo> for Stored {
    fn from(to: OfferedTo) -> Stored {
        match to.0[..] {
            [] => Stored::All(()),
            [civ] => Stored::One(civ),
            _ => Stored::Several(to.0),
        }
    }
}

/// A trade as everybody sees it: never which cards. MC-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traded {
    pub from: Civ,
    pub to: Civ,
    /// How many cards the first gave.
    pub gave: u16,
    /// How many the second gave.
    pub got: u16,
}

/// A wish on the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Later ones have higher numbers.
    pub number: u16,
    pub wants: Vec<Face>,
    /// What is said to be there for it.
    pub has: Vec<Face>,
}

impl Notice {
    /// Whether it says nothing any more.
    pub(crate) fn is_empty(&self) -> bool {
        self.wants.is_empty() && self.has.is_empty()
    }
}

impl Progress {
    /// Puts a wish on the board, in the place of the player's last one.
    pub(in crate::game) fn post(&mut self, civ: Civ, wants: &[Face], has: &[Face]) {
        let number = self.notices.values().map(|notice| notice.number).max().unwrap_or(0).saturating_add(1);
        self.notices.insert(civ, Notice { number, wants: wants.to_vec(), has: has.to_vec() });
    }
}

/// A wish is put on the board, unless it stands there already.
pub(crate) fn post(state: &State, civ: Civ, wants: &[Face], has: &[Face]) -> Option<Event> {
    let notice = state.progress().notices.get(&civ);
    let is_there = notice.is_some_and(|notice| notice.wants == wants && notice.has == has);
    let is_nothing = wants.is_empty() && has.is_empty() && notice.is_none_or(Notice::is_empty);
    (!is_there && !is_nothing).then(|| Event::NoticePosted { civ, wants: wants.to_vec(), has: has.to_vec() })
}

/// An offer that may be accepted so often.
pub(crate) fn repeated(mut made: Event, often: u16) -> Event {
    if let Event::OfferMade { times, .. } = &mut made {
        *times = often.max(once());
    }
    made
}

/// Whether an offer gives what somebody has asked for: so many cards, the first two names truly told, the others said.
pub(crate) fn gives_as_asked(offer: &Offer, of: &[Wanted]) -> bool {
    let names: Vec<Face> = of.iter().filter_map(|wanted| wanted.face()).collect();
    let (binding, others) = names.split_at(names.len().min(offer.told.len()));
    let mut said: Vec<Face> = offer.told.to_vec();
    let mut takes = |face: &Face| said.iter().position(|told| told == face).map(|place| said.remove(place)).is_some();
    let is_told = binding.iter().all(&mut takes);
    said.extend(&offer.says);
    let mut takes = |face: &Face| said.iter().position(|told| told == face).map(|place| said.remove(place)).is_some();
    offer.gives.len() == of.len() && is_told && others.iter().all(&mut takes)
}

/// Whoever says nothing of it offers once.
pub(crate) fn once() -> u16 {
    1
}

/// Whether it is once.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
pub(crate) fn is_once(times: &u16) -> bool {
    *times == once()
}
