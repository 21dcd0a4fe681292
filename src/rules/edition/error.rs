//! What can be wrong with an edition, said so that it can be mended: the file, the place, and what was expected.

use std::fmt;
use std::ops::RangeInclusive;

use crate::rules::names;

/// Why an edition of the printed game could not be read. It is the trouble of whoever wrote the files; trying again
/// does not help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditionError {
    /// The text is no TOML, or a table has not the keys it should have.
    #[error("{file}, line {line}: {message}")]
    Unreadable {
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What the reader of TOML says.
        message: String,
    },
    /// A key names something that does not exist.
    #[error("{place}: {field} names {name:?}, which is no {kind}{}", suggestion(near))]
    Unresolved {
        place: Box<EditionPlace>,
        /// The key with the name.
        field: &'static str,
        name: String,
        /// What it should be the name of.
        kind: &'static str,
        /// An existing name that is spelt nearly so.
        near: Option<String>,
    },
    /// A fact does not agree with the others.
    #[error("{place}: {found}; expected {expected}")]
    Wrong { place: Box<EditionPlace>, found: String, expected: String },
}

fn suggestion(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!("; did you mean {near:?}?")).unwrap_or_default()
}

impl EditionError {
    /// The error of the TOML reader, with its line.
    pub(super) fn unreadable(file: &str, text: &str, error: &toml::de::Error) -> EditionError {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.as_bytes().get(..start).unwrap_or_default();
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let message = error.message().replace('\n', " ");
        EditionError::Unreadable { file: file.to_owned(), line, message }
    }
}

/// A place in an edition: `map.toml: area "knossos"`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditionPlace {
    pub file: String,
    /// The kind of the thing there; empty for the file as a whole.
    pub kind: &'static str,
    /// The key of the thing; empty for a table of which there is one.
    pub key: String,
}

impl EditionPlace {
    pub(super) fn of(file: &str, kind: &'static str, key: &str) -> EditionPlace {
        EditionPlace { file: file.to_owned(), kind, key: key.to_owned() }
    }

    pub(super) fn wrong(self, found: impl Into<String>, expected: impl Into<String>) -> EditionError {
        EditionError::Wrong { place: Box::new(self), found: found.into(), expected: expected.into() }
    }

    pub(super) fn unresolved<'a>(
        self,
        field: &'static str,
        name: &str,
        kind: &'static str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> EditionError {
        let near = names::nearest(name, known).map(str::to_owned);
        EditionError::Unresolved { place: Box::new(self), field, name: name.to_owned(), kind, near }
    }
}

impl fmt::Display for EditionPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        match (self.kind, self.key.as_str()) {
            ("", "") => Ok(()),
            ("", key) => write!(f, ": {key:?}"),
            (kind, "") => write!(f, ": {kind}"),
            (kind, key) => write!(f, ": {kind} {key:?}"),
        }
    }
}

/// Checks that a number lies within bounds.
pub(super) fn within<N: PartialOrd + fmt::Display>(
    place: impl FnOnce() -> EditionPlace,
    field: &str,
    number: N,
    bounds: RangeInclusive<N>,
) -> Result<(), EditionError> {
    if bounds.contains(&number) {
        return Ok(());
    }
    let expected = format!("{} to {}", bounds.start(), bounds.end());
    Err(place().wrong(format!("{field} is {number}"), expected))
}
