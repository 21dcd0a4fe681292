//! The printed game a command is given: built in, or from a folder.

use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::rules::{EditionFiles, PrintedGame};

/// The built-in edition, or the one in this folder.
pub fn edition(folder: Option<&Path>) -> anyhow::Result<PrintedGame> {
    Ok(PrintedGame::read(&files(folder)?)?)
}

pub(crate) fn files(folder: Option<&Path>) -> anyhow::Result<EditionFiles> {
    match folder {
        None => Ok(EditionFiles::built_in()),
        Some(folder) => EditionFiles::fetch(|name| {
            let path = folder.join(name);
            fs::read_to_string(&path).with_context(|| format!("cannot read {} of the edition", path.display()))
        }),
    }
}
