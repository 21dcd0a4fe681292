//! The desk: the only loop and the only clock.
//!
//! Comes in: settings, the files of games, letters, and what time it is. Goes out: rulings and letters. The pages of the
//! clock are functions over times that are handed in; none of them asks what time it is.

pub mod absence;
pub mod game_file;
pub mod moment;
pub mod schedule;
pub mod settings;
pub mod toml_file;
pub mod written;
