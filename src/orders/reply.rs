//! Yes and no: what somebody says to a question that we asked.

use super::words::OK;
use crate::rules::names::fold;

/// What somebody says to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Yes, and nothing else.
    Yes,
    /// No, and nothing else.
    No,
    Other,
}

impl Reply {
    /// What a letter says in its sender's own words.
    pub(crate) fn of(text: &str) -> Reply {
        let words: Vec<String> = words(text).collect();
        let are = |says: fn(&str) -> bool| !words.is_empty() && words.iter().all(|word| says(word));
        if are(agrees) {
            Reply::Yes
        } else if are(|word| NO.contains(&word)) {
            Reply::No
        } else {
            Reply::Other
        }
    }

    /// Whether a letter says `ok` or shows a thumb, which may only mean that something was read.
    pub(crate) fn says_ok(text: &str) -> bool {
        words(text).any(|word| OK.contains(&word.as_str()))
    }

    /// Whether a letter begins with a yes, alone or as the first word of its line: `Yes, I am in!`.
    pub(crate) fn begins_with_yes(text: &str) -> bool {
        words(text).next().is_some_and(|word| agrees(&word))
    }
}

/// The words of a text, folded. A thumb that is up says `ok`.
fn words(text: &str) -> impl Iterator<Item = String> {
    let said = text.replace(THUMB, " ok ");
    let words: Vec<String> =
        said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(fold).collect();
    words.into_iter()
}

/// Whether a folded word agrees to what was asked.
fn agrees(word: &str) -> bool {
    OK.contains(&word) || YES.contains(&word)
}

/// Thumbs up, whatever skin it has.
const THUMB: char = '\u{1F44D}';
/// What people write when they agree, beside `ok`.
const YES: [&str; 8] = ["yes", "tak", "zgoda", "accept", "accepted", "confirm", "confirmed", "potwierdzam"];
/// What they write when they do not.
const NO: [&str; 3] = ["no", "nope", "nie"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bare_yes_is_one() {
        for yes in
            ["ok", "OK.", "  Ok!\n", "Tak", "yes, ok", "Ok 👍", "Potwierdzam.", "Okej", "okey", "oke!", "👍", "👍🏽"]
        {
            assert_eq!(Reply::of(yes), Reply::Yes, "{yes}");
        }
        for no in ["no", "No!", "Nie.", "nope", "nie, nie"] {
            assert_eq!(Reply::of(no), Reply::No, "{no}");
        }
        for other in
            ["", "OK, what is this? I did not write it!", "ok no", "not ok", "no, but ok", "nie ok", "ok\nprocess"]
        {
            assert_eq!(Reply::of(other), Reply::Other, "{other}");
        }
    }
}
