//! The words of the order language, English and Polish, in one table.
//!
//! The reader knows a word by any of its spellings here, whatever the accents; the first of each language is the one we
//! print. Where they stand in a line is `orders::vocabulary`'s business.

mod counting;
mod inner;
mod small;
mod talk;
mod verbs;

use serde::{Deserialize, Serialize};

pub(crate) use counting::{MONTHS, NUMBERS, WEEKDAYS};
pub use inner::INNER;
pub(crate) use inner::SLIPS;
pub use small::{SMALL, Small};
pub(crate) use talk::TALK;
pub use verbs::VERBS;
pub(crate) use verbs::{LOOSE, NO_VERBS, OK};

use super::asking::Detail;
use crate::game::Phase;
use crate::rules::Language;

/// A word that means something in an order, whatever the language. The tables below say each in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    // Orders begin with one of these.
    Tax,
    Select,
    Expand,
    Move,
    Build,
    BuildNot,
    Maintain,
    Scrap,
    Sail,
    Done,
    Ok,
    Wait,
    Always,
    Never,
    Undo,
    Clear,
    If,
    Resolve,
    Delay,
    Loot,
    Substitute,
    Reduce,
    Buy,
    Pass,
    Offer,
    Accept,
    /// A wish on the board of the trade; before an advance it acquires.
    Want,
    Decline,
    Withdraw,
    Victims,
    Lose,
    Spare,
    Pay,
    Discard,
    Use,
    Give,
    Acquire,
    /// Also acquires, but such words begin many a remark: an advance must follow.
    Learn,
    KeepCards,
    // At any time.
    /// Passes on a message that was held; with a number and areas it moves.
    Send,
    /// Chooses one of the names that were suggested for a line.
    Line,
    Tell,
    Status,
    Map,
    Sheet,
    Hand,
    History,
    Digest,
    Offers,
    /// What there is to know of an area.
    Area,
    /// Every Advance with its price.
    Prices,
    Rules,
    Help,
    /// What can be written now.
    WhatNow,
    Extend,
    /// How often news of the trade are sent.
    News,
    Away,
    /// `addresses`.
    Addresses,
    Detail,
    Data,
    /// `forget anna@example.org`.
    Forget,
    /// `devices`.
    Devices,
    /// `forget devices`.
    ForgetDevices,
    /// `new link`.
    NewLink,
    /// `copies on`.
    CopiesOn,
    /// `copies off`.
    CopiesOff,
    Back,
    /// `propose pause`.
    Propose,
    /// `vote yes`.
    Vote,
    Votes,
    // Between names and numbers.
    From,
    To,
    In,
    With,
    For,
    And,
    Filler,
    Via,
    Token,
    /// One of them, and no more.
    OneToken,
    Ship,
    City,
    Treasury,
    Card,
    Stack,
    OfferNumber,
    No,
    Nothing,
    All,
    Any,
    Last,
    Load,
    Unload,
    Leaving,
    UpTo,
    Until,
    Calamity,
    Keep,
    Free,
    Saying,
    Paying,
    Credits,
    As,
    Against,
    Point,
    Then,
    Else,
    Holds,
    Is,
    Empty,
    Occupied,
    AtMost,
    AtLeast,
    Barbarians,
    Pirate,
    Please,
    /// At the head of a letter: answer it, store nothing.
    Try,
    /// Before an order, out of politeness or habit.
    Lead,
    /// The one who runs the game.
    Moderator,
    Hour,
    Day,
    Week,
    Tomorrow,
    Overmorrow,
    Till,
    Rule,
    Turn,
    By,
    Deadline,
    Ordinal,
    /// Behind a card or a way: `salt x2`.
    Times,
    New,
    Rate,
    Per,
    /// Means the treasury only where no card can be meant.
    Gold,
    During,
    MoreThan,
    FewerThan,
    Exactly,
    Or,
    /// What a wish offers.
    Have,
    Daily,
}

/// A row: the word, its English spellings, its Polish ones.
pub(crate) type Row = (Word, &'static [&'static str], &'static [&'static str]);

/// How much letters tell, as players say it.
pub(crate) const DETAILS: &[(Detail, &[&str], &[&str])] = &[
    (Detail::Brief, &["brief", "short", "less", "low"], &["zwięźle", "krótko", "mało", "zwięzłe", "krótkie", "mniej"]),
    (Detail::Normal, &["normal", "medium", "default"], &["normalnie", "zwykle", "normalne", "zwykłe"]),
    (Detail::Full, &["full", "all", "more", "high"], &["pełne", "wszystko", "dużo", "pełnie", "więcej", "wszystkie"]),
];

/// Yes and no, as players say it of something that is on or off.
pub(crate) const SWITCH: &[(bool, &[&str], &[&str])] =
    &[(true, &["on", "yes"], &["tak", "włącz", "wł"]), (false, &["off", "no"], &["nie", "wyłącz", "wył"])];

/// The parts of the sheet, as `undo` and `clear` name them.
pub const PARTS: &[(Phase, &[&str])] = &[
    (Phase::Tax, &["tax", "podatki", "podatek"]),
    (Phase::Expansion, &["expansion", "rozrost"]),
    (Phase::Movement, &["movement", "moves", "ruch", "ruchy"]),
    (Phase::Conflict, &["conflict", "konflikt", "konflikty"]),
    (Phase::Cities, &["cities", "miasta"]),
    (Phase::Cards, &["cards", "purchases", "karty", "zakupy"]),
    (Phase::Trade, &["trade", "handel"]),
    (Phase::Calamities, &["calamities", "katastrofy"]),
    (Phase::Abilities, &["abilities", "zdolnosci"]),
    (Phase::Support, &["support", "zaopatrzenie"]),
    (Phase::Advances, &["advances", "rozwoj"]),
];

impl Word {
    /// The word as we print it.
    pub(crate) fn said(self, language: Language) -> &'static str {
        let (english, polish) = self.spellings();
        match language {
            Language::English => english[0],
            // What has no word of its own is said in English: `ok`.
            Language::Polish => polish.first().copied().unwrap_or(english[0]),
        }
    }

    /// All spellings, English and Polish.
    pub fn spellings(self) -> (&'static [&'static str], &'static [&'static str]) {
        let row = VERBS.iter().chain(INNER).find(|(word, _, _)| *word == self);
        row.map(|(_, english, polish)| (*english, *polish)).expect("every word has a row")
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexemes::fold;
    use super::*;

    #[test]
    fn no_two_orders_begin_alike() {
        let mut seen = std::collections::BTreeMap::new();
        for (word, english, polish) in VERBS {
            for spelling in english.iter().chain(*polish) {
                assert_eq!(seen.insert(fold(spelling), word), None, "{spelling}");
            }
        }
    }

    #[test]
    fn loose_spellings_are_spellings_of_verbs() {
        for loose in LOOSE {
            let is = |spelling: &&str| fold(spelling) == *loose;
            assert!(VERBS.iter().any(|(_, english, polish)| english.iter().chain(*polish).any(&is)), "{loose}");
        }
    }
}
