//! The nineteen scenarios for 5 to 18 players.

use serde::{Deserialize, Serialize};

use super::{Block, Civ, PrintedGame};

/// The part of the board a scenario uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The western map, one block.
    West,
    /// The eastern map, one block.
    East,
    Both,
}

/// A scenario as it is printed: who plays at a number of players.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// The short key used in files, `west_5`.
    pub key: String,
    pub players: u8,
    /// The part of the board.
    pub side: Side,
    /// Who plays, in A.S.T.-ranking order.
    pub civilizations: Vec<Civ>,
    /// Whether minor calamities are in the stacks.
    pub minor_calamities: bool,
    /// The hand limit of phase 12.
    pub hand_limit: u8,
    /// Credit points of every colour each player begins with.
    pub start_credits: u8,
    /// The blocks of trade cards in play.
    pub trade_blocks: Vec<Block>,
    /// Civilizations that draw from another block than their own.
    pub block_changes: Vec<(Civ, Block)>,
}

impl Scenario {
    /// The stacks a civilization draws from: its own block's, unless the scenario changes it or has only one block.
    pub(crate) fn block_of(&self, printed: &PrintedGame, civ: Civ) -> Block {
        let own = printed.civilizations[usize::from(civ.0)].block;
        let changed = self.block_changes.iter().find(|(changed, _)| *changed == civ).map(|(_, block)| *block);
        match self.trade_blocks[..] {
            [only] => only,
            _ => changed.unwrap_or(own),
        }
    }
}
