//! Random games: boards, letters and their rulings, each made of a list of seeds so that a failing one shrinks.

pub mod cards;
pub mod checks;
pub mod conflicts;
pub mod dice;
pub mod fate;
pub mod late;
pub mod letters;
mod lively;
pub mod maps;
pub mod movement;
pub mod play;
pub mod position;

pub use dice::Dice;
pub use play::{Played, Ruling, play, play_late};
pub use position::Position;

use proptest::collection::vec;
use proptest::prelude::*;

/// A random game before it is played.
#[derive(Debug, Clone)]
pub struct Script {
    /// Chooses the map, the seats, the house rules and the first phase.
    pub frame: u64,
    /// What stands on the board and lies in the hands, one piece of news each.
    pub pieces: Vec<u64>,
    /// The letters: the phase they are written in, and their lines.
    pub letters: Vec<(u8, Vec<u64>)>,
}

/// Any seed; a list of them shrinks by leaving some out.
fn seed() -> impl Strategy<Value = u64> + Clone {
    any::<u64>().no_shrink()
}

/// Random games of phases 8 to 13.
pub fn late_scripts() -> impl Strategy<Value = Script> {
    let phase = (0..8usize).prop_map(|at| [8, 9, 9, 10, 10, 11, 12, 12][at]);
    let letters = vec((phase, vec(seed(), 1..9)), 0..40);
    (seed(), vec(seed(), 20..160), letters).prop_map(|(frame, pieces, letters)| Script { frame, pieces, letters })
}

/// Random games.
pub fn scripts() -> impl Strategy<Value = Script> {
    // Most is written in movement and in trade.
    let phase = (1..=11u8).prop_map(|phase| [1, 2, 3, 4, 5, 6, 7, 3, 3, 7, 7][usize::from(phase) - 1]);
    let letters = vec((phase, vec(seed(), 1..9)), 0..32);
    (seed(), vec(seed(), 20..140), letters).prop_map(|(frame, pieces, letters)| Script { frame, pieces, letters })
}
