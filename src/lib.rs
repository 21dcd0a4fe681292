//! Cursus, the patient moderator of long games of Mega Civilization.
//!
//! The code is laid out as the moderator's house; data walks through it in one direction:
//!
//! ```text
//! raw bytes → Writing → Sheet → Commands → Events → Page → Dispatch
//!   post       post     orders   orders     game   report   post
//! ```
//!
//! Each room says at its head what comes in, what goes out and where it looks. `ARCHITECTURE.md` has the plan.

pub mod archive;
pub mod companions;
pub mod desk;
pub mod door;
pub mod game;
pub mod orders;
pub mod post;
pub mod report;
pub mod rules;
pub mod web;
