//! The reading desk: from a player's words to commands, with verdicts.
//!
//! Comes in: the text a player wrote. Goes out: orders on the player's sheet, and for every line what became of it: an
//! order, a remark, or a fault that points at the player's own words. Reading never fails and never panics. Looks into
//! `rules` and `game`.

pub(crate) mod asking;
mod bearings;
pub mod bounds;
mod characters;
pub mod course;
mod cursor;
pub(crate) mod fault;
pub(crate) mod forecast;
mod grammar;
pub mod holding;
pub mod lexemes;
pub(crate) mod lexicon;
pub mod mailing;
pub(crate) mod names;
pub(crate) mod press;
pub mod read;
mod reply;
pub mod replying;
mod run;
pub mod sheet;
mod spellings;
mod standing;
mod vocabulary;
pub mod words;

pub use asking::Detail;
pub(crate) use asking::{HelpTopic, Question, RulesTopic, Until};
pub use bearings::Bearings;
pub(crate) use bounds::Bound;
pub(crate) use fault::{Expected, Fault, Named};
pub use forecast::Forecast;
pub(crate) use forecast::Verdict;
pub use lexicon::Lexicon;
pub use mailing::{awaited, owed};
pub(crate) use mailing::{ends_by_done, mailing};
pub(crate) use press::Press;
pub use press::Recipient;
pub(crate) use read::{Doubt, Piece};
pub use read::{Lens, Line, Reading, Written, is_trial, read, read_reply};
pub(crate) use reply::Reply;
pub(crate) use sheet::Answer;
pub use sheet::{Sheet, commands};
