//! What goes out: the outbox is emptied to the carriers, and a letter for a forum finds its thread.

pub(in crate::desk) mod forum;
mod quota;
pub(crate) mod sending;
mod warning;
