//! What the tests of forums need: a real Misago on this machine, its users, and a stand-in for Discourse.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod discourse;
pub mod http;
pub mod misago;
