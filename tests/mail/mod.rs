//! What the tests of the mailbox need: real mail servers on this machine, and false ones that follow a script.

pub mod script;
pub mod servers;
