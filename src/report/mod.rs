//! The scribe: from the game to words, each reader's own.
//!
//! Comes in: a state, the events of a ruling, and a reader. Goes out: the reader's view as plain data, what the reader
//! may be told, and that in sentences. Secrets have one keeper, [`crate::game::known`]: no true state comes in here.
//! Looks into `rules`, `game` and `orders`; never at carriers, the archive or the clock.

pub mod account;
pub mod acknowledgement;
pub(crate) mod advances;
mod answers;
mod cities;
mod conflict;
pub(crate) mod diagnostics;
mod facts;
mod fate;
mod growth;
pub(crate) mod guide;
mod hand;
pub(crate) mod help;
mod hints;
pub mod letters;
pub mod map;
pub mod market;
mod movement;
pub(crate) mod names;
mod narrator;
pub mod page;
pub mod perils;
pub mod powers;
pub(crate) mod preview;
pub mod proposals;
pub mod reach;
pub(crate) mod refusals;
pub(crate) mod rulebook;
pub(crate) mod set_right;
pub(crate) mod templates;
pub(crate) mod terms;
pub(crate) mod trade;
pub(crate) mod view;
mod wishes;
pub(crate) mod wording;

pub use account::account;
pub use acknowledgement::{Acknowledgement, ReadLetter, acknowledgement};
pub use names::Names;
pub use refusals::reason;
pub(crate) use templates::TemplateError;
pub use templates::{TemplateFiles, Templates};
pub(crate) use terms::Term;
pub use view::View;
pub use wording::worded;
