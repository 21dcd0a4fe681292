//! Forums: a real Misago, and a stand-in for Discourse.

mod forum;
