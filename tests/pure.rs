//! The printed game, the rules, the reading of orders and letters, and what is written: no daemon, no server.

mod advances;
mod broken_editions;
mod casebook;
mod copies;
mod corpus;
mod decisions;
mod edition;
mod golden_events;
mod golden_games;
mod guide;
mod help;
mod house;
mod intake;
mod letters;
mod letters_out;
mod map;
mod page;
mod properties;
mod reach;
mod reading;
mod schedule;
mod scoring;
mod settings;
mod simulate;
mod whole_games;
mod wording;
