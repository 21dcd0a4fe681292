//! How lines are compared with phrases: in lower case, without accents, with single spaces.

use std::collections::HashSet;

use deunicode::deunicode;

use crate::post::line::is_invisible;

/// So much of a line is looked at.
const LONGEST: usize = 400;

/// The beginning of a line as it is compared.
pub(in crate::post) fn fold(text: &str) -> String {
    let shown: String = text.chars().filter(|character| !is_invisible(*character)).take(LONGEST).collect();
    let plain = if shown.is_ascii() { shown } else { deunicode(&shown) };
    let mut folded = String::with_capacity(plain.len());
    for word in plain.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars().map(|character| character.to_ascii_lowercase()));
    }
    folded
}

/// A phrase as it is compared; a space at its end says that a word ends there.
fn phrase(text: &str) -> String {
    let folded = fold(text);
    if text.ends_with(' ') && !folded.is_empty() { folded + " " } else { folded }
}

/// Phrases as people write them, separated by `|`, ready to be compared.
pub(in crate::post) struct Phrases {
    list: Vec<String>,
    set: HashSet<String>,
}

impl Phrases {
    pub(in crate::post) fn new(list: &str) -> Self {
        let list: Vec<String> = list.split('|').map(phrase).filter(|phrase| !phrase.is_empty()).collect();
        Self { set: list.iter().cloned().collect(), list }
    }

    /// Whether this is one of them.
    pub(in crate::post) fn has(&self, folded: &str) -> bool {
        self.set.contains(folded)
    }

    /// Whether one of them stands at the beginning.
    pub(in crate::post) fn begin(&self, folded: &str) -> bool {
        self.list.iter().any(|phrase| folded.starts_with(phrase.as_str()))
    }

    /// Whether one of them stands at the end.
    pub(in crate::post) fn end(&self, folded: &str) -> bool {
        self.list.iter().any(|phrase| folded.ends_with(phrase.as_str()))
    }

    /// How many of them stand somewhere in it.
    pub(in crate::post) fn count_in(&self, folded: &str) -> usize {
        self.list.iter().filter(|phrase| folded.contains(phrase.as_str())).count()
    }
}
