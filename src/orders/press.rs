//! Press: what a player has the moderator pass on.

use serde::{Deserialize, Serialize};

use crate::rules::Civ;

/// A message, and to whom it goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Press {
    /// Its readers, each once.
    pub to: Vec<Recipient>,
    /// The player's own words; a line break is kept.
    pub text: String,
}

/// Who a message is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recipient {
    Civ(Civ),
    All,
    /// Whoever runs the game.
    Moderator,
}
