//! The scribe: from the game to words, each reader's own.
//!
//! Comes in: a state, the events of a ruling, and a reader. Goes out: his view as plain data, what he may be told, and
//! that in sentences. Secrets have one keeper, [`crate::game::known`]: no true state comes in here. Looks into `rules`, `game` and `orders`; never at carriers, the
//! archive or the clock.

pub mod account;
pub mod acknowledgement;
pub mod advances;
mod answers;
mod cities;
mod conflict;
pub mod diagnostics;
mod facts;
mod fate;
mod growth;
mod hand;
pub mod help;
mod hints;
pub mod letters;
pub mod map;
pub mod market;
mod movement;
pub mod names;
mod narrator;
pub mod page;
pub mod preview;
pub mod proposals;
pub mod reach;
pub mod refusals;
pub mod rulebook;
pub mod set_right;
pub mod templates;
pub mod terms;
pub mod trade;
pub mod view;
mod wishes;
pub mod wording;

pub use account::{AccountLine, account};
pub use acknowledgement::{Acknowledgement, Answered, acknowledgement};
pub use names::Names;
pub use refusals::reason;
pub use templates::{TemplateError, TemplateFiles, Templates};
pub use terms::Term;
pub use view::View;
pub use wording::worded;
