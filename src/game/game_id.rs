//! What a game is called wherever it has to be told from another one.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The short name of a game, which is part of every address: `spring`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameId(String);

impl GameId {
    /// The name as the archive has it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for GameId {
    fn from(name: &str) -> GameId {
        GameId(name.to_owned())
    }
}

impl From<String> for GameId {
    fn from(name: String) -> GameId {
        GameId(name)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&self.0)
    }
}
