//! orders

mod characters;
pub mod lexemes;
pub mod names;
mod run;
mod spellings;
