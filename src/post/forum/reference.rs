//! The reference at the foot of every post of ours, by which it is found again.
//!
//! A post may hold several dispatches, one below the other, each with its reference: where a forum lets nobody write more
//! than a few posts in sequence, the next dispatch joins the last post.

use sha2::{Digest, Sha256};

/// The word before it.
const WORD: &str = "ref ";
const LETTERS: &[u8; 32] = b"abcdefghijkmnopqrstuvwxyz2345678";
const LENGTH: usize = 10;
/// No forum that we know wants longer posts.
const SHORTEST: usize = 24;
/// What stands between two parts of a post.
const BETWEEN: &str = "\n\n---\n\n";

/// What a dispatch is called in its post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reference(String);

impl Reference {
    /// The reference of a dispatch: the same at every attempt.
    pub(super) fn of(message_id: &str) -> Self {
        let hash = Sha256::digest(message_id);
        let letters = hash.iter().take(LENGTH).map(|byte| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]));
        Self(format!("{WORD}{}", letters.collect::<String>()))
    }

    /// As it is written.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// A text with the reference below it. A text that is too short for a forum is made a little longer.
    pub(super) fn below(&self, text: &str, discreet: impl Fn(&str) -> String) -> String {
        let text = text.trim_end();
        let missing = SHORTEST.saturating_sub(text.chars().filter(|character| !character.is_whitespace()).count());
        let padding = if missing == 0 { String::new() } else { " · · · · · ·".to_owned() };
        format!("{text}\n\n{}", discreet(&format!("{}{padding}", self.0)))
    }

    /// Which part of a post of ours has it, as the forum shows or stores the text.
    pub(super) fn part_of(&self, text: &str) -> Option<usize> {
        let at = text.find(&self.0)?;
        Some(text[..at].match_indices(WORD).filter(|(start, _)| is_reference(&text[*start..])).count())
    }
}

/// The parts of a post of ours, each with its reference; what stands below the last is a part too.
pub(super) fn parts(source: &str) -> Vec<&str> {
    let (mut parts, mut start, mut position) = (Vec::new(), 0, 0);
    for line in source.split_inclusive('\n') {
        position += line.len();
        if line.find(WORD).is_some_and(|at| at < 20 && is_reference(&line[at..])) {
            parts.push(source[start..position].trim_matches('\n'));
            start = position;
        }
    }
    if !source[start..].trim().is_empty() || parts.is_empty() {
        parts.push(source[start..].trim_matches('\n'));
    }
    parts.into_iter().map(|part| part.strip_prefix("---").map_or(part, |part| part.trim_start_matches('\n'))).collect()
}

/// A post of these parts.
pub(super) fn joined(parts: &[&str]) -> String {
    parts.join(BETWEEN)
}

/// A part without its reference: what a reader reads.
pub(super) fn bare(part: &str) -> &str {
    match part.trim_end().rsplit_once('\n') {
        Some((text, last)) if last.find(WORD).is_some_and(|at| is_reference(&last[at..])) => text.trim_end(),
        Some(_) | None => part.trim_end(),
    }
}

fn is_reference(text: &str) -> bool {
    let letters = text.as_bytes().get(WORD.len()..WORD.len() + LENGTH);
    letters.is_some_and(|letters| letters.iter().all(|letter| LETTERS.contains(letter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(line: &str) -> String {
        format!("<small>{line}</small>")
    }

    #[test]
    fn a_reference_is_found_in_its_part() {
        let (first, second) = (Reference::of("1@cursus"), Reference::of("2@cursus"));
        assert_ne!(first, second);
        let one = first.below("The tax is collected in all of the provinces.", small);
        let two = second.below("ref to nothing\n\n---\n\nThe census is taken, and it was long.\n", small);
        assert_eq!((first.part_of(&one), second.part_of(&one)), (Some(0), None));
        let both = joined(&[&one, &two]);
        assert_eq!((first.part_of(&both), second.part_of(&both)), (Some(0), Some(1)));
        assert_eq!(parts(&both), [one.as_str(), two.as_str()]);
        assert_eq!(bare(&one), "The tax is collected in all of the provinces.");
        assert_eq!(parts("no reference"), ["no reference"]);
        assert_eq!(parts(""), [""]);
    }

    #[test]
    fn a_short_text_is_long_enough_for_a_forum() {
        let short = Reference::of("1@cursus").below("ok", small);
        assert!(short.starts_with("ok\n\n") && short.len() > 30, "{short}");
        let long = Reference::of("1@cursus").below("a text of more than twenty-four letters", small);
        assert!(!long.contains('·'), "{long}");
    }
}
