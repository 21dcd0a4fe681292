//! `cursus guide`: the player's guide, printed from the texts that answer them in letters.

use std::io::Write;

use crate::report::{Templates, guide as text};
use crate::rules::{Language, PrintedGame};

/// Prints the guide for players in a language.
pub fn guide(printed: &PrintedGame, language: Language, out: &mut dyn Write) -> anyhow::Result<bool> {
    out.write_all(page(printed, language).as_bytes())?;
    Ok(true)
}

/// The guide in a language, as Markdown.
pub fn page(printed: &PrintedGame, language: Language) -> String {
    text::guide(&Templates::built_in(language, printed), printed)
}
