//! The order page's server: browsers ask, and are shown what their seat may know; what they send is a letter.
//!
//! Comes in: requests of browsers, and what the desk tells at its [`mod@window`]. Goes out: pages, and questions and forms for
//! the desk. It has threads and a runtime of its own, no archive and no true state: a browser that is slow, stuck or wicked
//! keeps nobody waiting but itself. Looks into `rules`, `game`, `orders`, `report` and `post`; at the desk only through the window.

pub(crate) mod about;
mod assets;
mod callers;
mod cookies;
mod entering;
mod hall;
mod headers;
pub mod limits;
mod moderator;
mod news;
mod pages;
mod past;
pub(crate) mod public;
mod seats;
mod sending;
mod server;
mod settings;
pub(crate) mod window;

pub(crate) use pages::Words;
pub use server::Server;
pub use settings::Settings;
pub(crate) use settings::TlsFiles;
