//! Forums: carriers that read threads and private messages, and post into them.
//!
//! Comes in: posts, as the forum has them. Goes out: [`Received`] letters whose bytes are a [`Post`] as JSON, the same for
//! the same text; and posts, edits and private messages of ours. A carrier knows which threads to look at
//! ([`Memory`](super::Memory)), and nothing of the games that are played in them.

mod place;
mod post;
mod settings;

pub use place::Place;
pub use post::{Author, Post};
pub use settings::{FeedSettings, ForumSettings, Software};
