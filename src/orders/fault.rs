//! Faults: a line that begins like an order and cannot be read.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::words::Word;
use crate::rules::{Advance, AreaId, Civ, Face};

/// Where a line could not be read, and what was expected there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The place in the player's own line, in bytes, on character boundaries.
    pub span: Range<usize>,
    /// What was expected there.
    pub expected: Expected,
    /// Names that come near, best first.
    pub candidates: Vec<Named>,
}

/// What the reader expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// A number of tokens, or `all`.
    NumberOfTokens,
    Number,
    /// The name of an area.
    Area,
    /// The name of a civilization.
    Civilization,
    /// The name of a trade card.
    Card,
    /// The name of a civilization, or `all`.
    CivilizationOrAll,
    /// An arrow or `to`, and an area.
    Destination,
    /// `ship` or `city`.
    ShipOrCity,
    /// `ship`.
    Ship,
    /// `city`.
    City,
    /// `calamity`.
    Calamity,
    /// `1 treasury`, `2 tokens`, `4 from Argos`.
    Payment,
    /// `load`, `unload` or `to`.
    SailAct,
    /// `ships`, or a number and an area.
    SubstituteKind,
    /// A number, `card` or `no card`.
    LootKind,
    /// An open offer of one's own.
    OwnOffer,
    /// A ship of one's own that needs its upkeep.
    OwnShip,
    /// The number of a stack.
    StackNumber,
    /// `for`, and what is wanted.
    ForWhat,
    /// `holds`, `is empty` or `has city`.
    Test,
    /// `then`, and an order.
    Then,
    /// The name of an advance.
    Advance,
    /// The name of an advance with a special ability, or `nothing`.
    Ability,
    /// `victims`, `lose`, `reduce`, `spare`, `select`, `pay` or `discard`.
    Wish,
    /// A group of advances, `arts`.
    Group,
    /// An order of movement, of building or of an ability.
    Order,
    /// A number of hours or days.
    Duration,
    /// A date, a day of the week or a number of days.
    Date,
    /// What may be proposed.
    Proposal,
    /// `yes` or `no`.
    Vote,
    EndOfOrder,
}

/// A thing with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Named {
    Area(AreaId),
    Civ(Civ),
    Card(Face),
    Advance(Advance),
    Verb(Word),
}
