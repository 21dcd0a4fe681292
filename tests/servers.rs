//! The finished daemon against real servers, and killed at random moments.

mod browser;
mod clock_jumps;
mod daemon;
mod doctor;
mod exactly_once;
mod first_evening;
mod forum;
mod forum_game;
mod forums;
mod mail;
mod mail_game;
mod mailbox;
mod oauth;
mod package;
