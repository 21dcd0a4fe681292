//! One spelling of a name, and how far the player's words are from it.
//!
//! Comes in: a printed spelling, and later the words at hand. Goes out: whether they begin it, and by how many slips
//! they miss it. Looks at nothing else.

use strsim::osa_distance;

use super::lexemes::{accented, lexemes};
use super::run::{Run, Stop};

/// One spelling of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spelling {
    /// As it is printed, accents and all.
    pub text: String,
    /// What form of the name it is.
    pub form: NameForm,
}

/// The form of a spelling, as far as it settles which of two things is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NameForm {
    English,
    /// Polish, the case that follows a preposition of place.
    Locative,
    /// Polish, any other case or none in particular.
    Polish,
}

/// A spelling made ready for comparing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    /// The folded words without spaces.
    pub joined: String,
    pub words: Vec<String>,
    /// The letters with their accents.
    pub accented: String,
    /// What form of the name it is.
    pub form: NameForm,
    /// The position in the things of [`super::names::Names`].
    pub thing: usize,
}

/// The most slips that any name forgives.
pub(crate) const MOST_SLIPS: usize = 2;

/// Which letters a word has, and how many of each: words whose letters differ too much are not worth comparing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Letters {
    /// A bit for each letter that occurs.
    occur: u32,
    counts: [u8; 26],
}

impl Entry {
    /// Makes a spelling ready, unless it has no words.
    pub(crate) fn new(spelling: &Spelling, thing: usize) -> Option<Entry> {
        let lexemes = lexemes(&spelling.text);
        let words = Run::new(&spelling.text, &lexemes, &|_| Stop::Free, usize::MAX).words;
        let joined = words.concat();
        let accented = accented(&spelling.text);
        (!joined.is_empty()).then_some(Entry { joined, words, accented, form: spelling.form, thing })
    }

    /// Whether each word is a beginning of the respective word of the name.
    pub(crate) fn begins(&self, words: &[String]) -> bool {
        words.len() <= self.words.len()
            && words.iter().zip(&self.words).all(|(word, own)| own.starts_with(word.as_str()))
    }

    /// How many slips so many joined words are from this spelling, if they are few enough: one in up to four letters,
    /// two in more. A space too many is a slip as well, lest a misspelt name swallow the word after it.
    pub(crate) fn slips(&self, joined: &str, count: usize) -> Option<usize> {
        let spaces = count.saturating_sub(self.words.len());
        let allowed = if self.joined.len() <= 4 { 1 } else { MOST_SLIPS }.checked_sub(spaces)?;
        if self.joined.len().abs_diff(joined.len()) > allowed {
            return None;
        }
        let distance = osa_distance(&self.joined, joined);
        (distance <= allowed).then_some(distance + spaces)
    }
}

impl Letters {
    /// The letters of a folded word.
    pub(crate) fn of(joined: &str) -> Letters {
        let mut letters = Letters { occur: 0, counts: [0; 26] };
        for letter in joined.bytes().filter(u8::is_ascii_lowercase).map(|letter| usize::from(letter - b'a')) {
            letters.occur |= 1 << letter;
            letters.counts[letter] = letters.counts[letter].saturating_add(1);
        }
        letters
    }

    /// Whether so many slips cannot make one word of the other: each takes away one letter and adds one at most.
    pub(crate) fn differ(&self, other: &Letters, slips: usize) -> bool {
        let slips = slips as u32;
        (self.occur & !other.occur).count_ones() > slips
            || (other.occur & !self.occur).count_ones() > slips
            || self.counts.iter().zip(other.counts).map(|(a, b)| u32::from(a.abs_diff(b))).sum::<u32>() > 2 * slips
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slips(name: &str, words: &str) -> Option<usize> {
        let spelling = Spelling { text: name.into(), form: NameForm::English };
        let joined = words.replace(' ', "");
        Entry::new(&spelling, 0).expect("the name has words").slips(&joined, words.split(' ').count())
    }

    #[test]
    fn a_slip_is_a_letter_missing_added_changed_or_two_swapped() {
        for word in ["rodes", "rhhodes", "rhades", "rohdes"] {
            assert_eq!(slips("Rhodes", word), Some(1), "{word}");
        }
        assert_eq!(slips("Rhodes", "rohds"), Some(2));
        assert_eq!(slips("Rhodes", "rohdx"), None);
    }

    #[test]
    fn short_names_forgive_one_slip_and_longer_ones_two() {
        assert_eq!(slips("Susa", "suxa"), Some(1));
        assert_eq!(slips("Susa", "sxxa"), None);
        assert_eq!(slips("Tanis", "txxis"), Some(2));
        assert_eq!(slips("Tanis", "txxxs"), None);
    }

    #[test]
    fn a_space_too_many_is_a_slip_and_one_too_few_is_not() {
        assert_eq!(slips("Knossos", "kno sos"), Some(2));
        assert_eq!(slips("Crete", "cret ur"), None);
        assert_eq!(slips("Upper Egypt", "upperegpt"), Some(1));
    }

    #[test]
    fn a_spelling_without_words_is_none() {
        assert!(Entry::new(&Spelling { text: " … ".into(), form: NameForm::Polish }, 0).is_none());
    }
}
