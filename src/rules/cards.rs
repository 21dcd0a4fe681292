//! Trade cards: commodities, water and calamities in nine stacks.

use serde::{Deserialize, Serialize};

use super::Calamity;

/// The half of the cards a civilization draws from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    West,
    East,
}

/// A commodity, by its position in the edition's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Commodity(pub u8);

/// A commodity as its card is printed.
#[derive(Debug, Clone, PartialEq)]
pub struct CommodityCard {
    /// The short key used in files, `salt`.
    pub key: String,
    pub name: String,
    /// The stack it lies in, which is the value of one card. R7.2.
    pub stack: u8,
    /// How many cards of it there are.
    pub cards: u8,
    /// The blocks whose one-block games (5 to 11 players) have it.
    pub single_blocks: Vec<Block>,
    /// The least number of players of a one-block game that has it.
    pub single_min_players: u8,
    /// The least number of players of a two-block game that has it.
    pub double_min_players: u8,
    /// How many cards of a two-block game are western.
    pub west_cards: u8,
    /// How many cards of a two-block game are eastern.
    pub east_cards: u8,
}

/// What a trade card shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Face {
    /// A commodity of value 0 from an open pile without end. R6.7.
    Water,
    Commodity(Commodity),
    Calamity(Calamity),
    /// A card that the reader of a state has not seen. No card of a game shows this, and no record has it: see
    /// `game::Known`.
    #[serde(skip_deserializing)]
    Unseen,
    /// A calamity that lies face down: what it is, nobody else knows. R8.1.
    #[serde(skip_deserializing)]
    UnseenCalamity,
}

/// A trade card: what it shows and whose stacks it came from, for it goes back there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TradeCard {
    pub face: Face,
    /// The block of its stack.
    pub block: Block,
}

impl Face {
    /// Whether it is a calamity, seen or not.
    pub fn is_calamity(self) -> bool {
        match self {
            Face::Calamity(_) | Face::UnseenCalamity => true,
            Face::Water | Face::Commodity(_) | Face::Unseen => false,
        }
    }

    /// Whether it is not known what the card shows.
    pub(crate) fn is_unseen(self) -> bool {
        match self {
            Face::Unseen | Face::UnseenCalamity => true,
            Face::Water | Face::Commodity(_) | Face::Calamity(_) => false,
        }
    }
}

impl CommodityCard {
    /// Whether it belongs to the third set, which only larger games use. setup.md 4.1.
    pub(crate) fn is_third_set(&self) -> bool {
        self.single_min_players > 5
    }
}

/// What a set of equal cards is worth. R7.2, R7.3.
pub(crate) fn set_value(cards: u16, value: u8) -> u16 {
    cards * cards * u16::from(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_worth_the_square_of_its_cards() {
        // R7.2 to R7.4: one 3-card is 3, two equal ones 12; two different ones are two sets of one.
        assert_eq!(set_value(1, 3), 3);
        assert_eq!(set_value(2, 3), 12);
        assert_eq!(set_value(2, 3) + 2 * set_value(1, 3), 18);
        assert_eq!(set_value(3, 2), 18);
    }
}
