//! The gate: how letters come in and go out, and what of them somebody wrote to us.
//!
//! Comes in: the bytes of a letter, brought by a [`Carrier`]. Goes out: a [`letter::Letter`] with its sender, its kind and
//! the sender's own words, or a reason why it was set aside. And the other way round: a [`Dispatch`] comes in, and a carrier
//! takes it out. Knows no game and looks into no other room.

pub(crate) mod authentication;
mod body;
pub(crate) mod carrier;
mod coding;
pub(crate) mod compose;
mod flowed;
mod form;
pub mod forum;
mod head;
pub mod html;
mod kind;
pub mod letter;
mod line;
pub mod mailbox;
mod mime;
mod oversize;
pub(crate) mod private;
mod refusals;
mod secret;
mod signed;
pub mod spool;
pub mod style;
pub(crate) mod trust;
pub mod words;
pub mod writing;

pub use carrier::{Carrier, Cause, Dispatch, List, Mark, Memory, Receipt, Received, Trouble, Warning};
pub(crate) use compose::RETURNED;
pub use form::Form;
pub(crate) use writing::Writing;
pub use writing::{Incoming, Lookup, open};
