//! The reading desk: from a player's words to commands, with verdicts.
//!
//! Comes in: the text a player wrote. Goes out: orders on his sheet, and for every line what became of it: an order, a
//! remark, or a fault that points at his own words. Reading never fails and never panics. Looks into `rules` and `game`.

mod characters;
mod cursor;
pub mod fault;
mod grammar;
pub mod lexemes;
pub mod lexicon;
pub mod names;
pub mod read;
mod run;
pub mod sheet;
mod spellings;
mod standing;
mod vocabulary;

pub use cursor::ReadAs;
pub use fault::{Expected, Fault, Named};
pub use lexicon::Lexicon;
pub use read::{Line, Piece, Reading, Written, is_trial, read};
pub use sheet::{Answer, Sheet, commands};
