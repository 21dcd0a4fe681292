//! orders

mod characters;
pub mod lexemes;
