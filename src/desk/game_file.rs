//! The file of a game, which `cursus game create` reads: its scenario, its house rules, its schedule, and who sits where.
//!
//! Comes in: the text of the file, the printed game and the settings of the house. Goes out: a [`GameFile`] in which
//! everything is checked, or everything that is wrong with it.

use super::schedule::Schedule;
use super::settings::{Person, Settings};
use super::toml_file::Faults;
use crate::companions::Temperament;
use crate::game::Rulebook;
use crate::rules::{AstSide, Civ, PrintedGame};

/// A game as it is to be created.
#[derive(Debug, Clone, PartialEq)]
pub struct GameFile {
    /// Its short name: small letters, digits and hyphens. It is part of addresses.
    pub id: String,
    /// Its title, as players read it.
    pub title: String,
    /// The key of its scenario.
    pub scenario: String,
    /// The side of the A.S.T.
    pub track: AstSide,
    /// Its house rules.
    pub rulebook: Rulebook,
    /// When letters are due.
    pub schedule: Schedule,
    /// Whether players may write to each other through the moderator.
    pub press: bool,
    /// Whether a decision that nobody foresaw is asked for in a further letter, instead of taking the default.
    pub further_requests: bool,
    /// Who moderates.
    pub moderator: Person,
    /// The seats, in A.S.T.-ranking.
    pub seats: Vec<Seat>,
}

/// A seat of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Seat {
    /// The civilization.
    pub civ: Civ,
    /// Who sits there.
    pub sitter: Sitter,
    /// The carrier of his letters; none is the first of the settings.
    pub carrier: Option<String>,
}

/// Who sits at a seat.
#[derive(Debug, Clone, PartialEq)]
pub enum Sitter {
    /// A person.
    Player {
        /// Who.
        player: Person,
        /// Who writes in his place while he is away.
        deputy: Option<Person>,
    },
    /// A built-in player.
    Companion(Temperament),
}

impl GameFile {
    /// The game in this text.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(name: &str, text: &str, printed: &PrintedGame, settings: &Settings) -> Result<GameFile, Faults> {
        let _ = (name, text, printed, settings);
        Err(Faults(Vec::new()))
    }
}
