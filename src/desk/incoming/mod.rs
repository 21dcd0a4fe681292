//! What comes in: letters of every form, whose they are, and those that must wait or are set aside.
//!
//! `intake` remembers them and takes them up one by one; `forms` opens each and hands it to the page of its form (`mails`, `posts`,
//! `pages`, and `table::moderating` for the door). Once its sender is proved, `proved` has it, however it came.

pub(in crate::desk) mod addresses;
pub(in crate::desk) mod aside;
pub(in crate::desk) mod forms;
pub(crate) mod identity;
pub(crate) mod intake;
pub(crate) mod inviting;
pub(in crate::desk) mod leaving;
pub(in crate::desk) mod looking_back;
pub(in crate::desk) mod mails;
pub(in crate::desk) mod naming;
pub(in crate::desk) mod opened;
pub(crate) mod pages;
pub(in crate::desk) mod parking;
pub(in crate::desk) mod posts;
pub(in crate::desk) mod proved;
pub(in crate::desk) mod rehearsal;
pub(in crate::desk) mod sent;
