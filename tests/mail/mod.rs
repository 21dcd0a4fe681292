//! What the tests of the mailbox need: real mail servers on this machine, and false ones that follow a script.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod script;
pub mod servers;
pub mod tokens;
