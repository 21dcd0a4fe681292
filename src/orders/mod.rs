//! orders

mod characters;
pub mod lexemes;
pub mod lexicon;
pub mod names;
mod run;
mod spellings;
