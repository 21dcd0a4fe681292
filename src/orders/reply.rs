//! Yes and no: what somebody says to a question that we asked.

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
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<String> = words.map(fold).collect();
        let are = |known: &[&str]| !words.is_empty() && words.iter().all(|word| known.contains(&word.as_str()));
        if are(&YES) {
            Reply::Yes
        } else if are(&NO) {
            Reply::No
        } else {
            Reply::Other
        }
    }

    /// Whether a letter begins with a yes, alone or as the first word of its line: `Yes, I am in!`.
    pub(crate) fn begins_with_yes(text: &str) -> bool {
        let first = text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
        first.is_some_and(|word| YES.contains(&fold(word).as_str()))
    }
}

/// What people write when they agree.
const YES: [&str; 11] =
    ["ok", "okay", "oki", "yes", "tak", "zgoda", "accept", "accepted", "confirm", "confirmed", "potwierdzam"];
/// What they write when they do not.
const NO: [&str; 3] = ["no", "nope", "nie"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bare_yes_is_one() {
        for yes in ["ok", "OK.", "  Ok!\n", "Tak", "yes, ok", "Ok 👍", "Potwierdzam."] {
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
