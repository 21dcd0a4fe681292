//! The eighteen civilizations.

use serde::{Deserialize, Serialize};

use super::{AreaId, Block};

/// A civilization, by its position in the edition's A.S.T.-ranking (0 is the first).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Civ(pub u8);

/// A civilization as it is printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Civilization {
    /// The short key used in files, `egypt`.
    pub key: String,
    pub name: String,
    /// What else it is called: its people, `Egyptians`, and the adjective.
    pub aliases: Vec<String>,
    /// The block it belongs to by default.
    pub block: Block,
    /// Where its first token stands.
    pub start: Option<AreaId>,
    /// Its colour, `#rrggbb`.
    pub color: String,
}
