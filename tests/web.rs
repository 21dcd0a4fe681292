//! The order page's server, over real HTTP on loopback: who is there, what a link opens, what a code is good for, and what a
//! browser that is slow, curious or wicked can do.

#[path = "web/browser.rs"]
pub mod browser;
#[path = "web/daemon.rs"]
mod daemon;
#[path = "web/entering.rs"]
mod entering;
#[path = "web/hall.rs"]
pub mod hall;
#[path = "web/limits.rs"]
mod limits;
#[path = "web/moderator.rs"]
mod moderator;
#[path = "web/past.rs"]
mod past;
#[path = "web/public.rs"]
mod public;
#[path = "web/sending.rs"]
mod sending;
