//! The reading desk: from a player's words to commands, with verdicts.
//!
//! Comes in: the text a player wrote. Goes out: orders on his sheet, and for every line what became of it: an order, a
//! remark, or a fault that points at his own words. Reading never fails and never panics. Looks into `rules` and `game`.

pub mod asking;
mod bearings;
pub mod bounds;
mod characters;
pub mod course;
mod cursor;
pub mod fault;
pub mod forecast;
mod grammar;
pub mod holding;
pub mod lexemes;
pub mod lexicon;
pub mod mailing;
pub mod names;
pub mod press;
pub mod read;
mod reply;
pub mod replying;
mod run;
pub mod sheet;
mod spellings;
mod standing;
mod vocabulary;
pub mod words;

pub use asking::{Detail, HelpTopic, Question, RulesTopic, Timing, Until};
pub use bearings::Bearings;
pub use bounds::Bound;
pub use cursor::ReadAs;
pub use fault::{Expected, Fault, Named};
pub use forecast::{Forecast, Verdict};
pub use lexicon::Lexicon;
pub use mailing::{awaited, mailing, owed};
pub use press::{Press, Recipient};
pub use read::{Doubt, Lens, Line, Piece, Reading, Written, is_trial, read, read_reply};
pub use reply::Reply;
pub use sheet::{Answer, Sheet, commands};
