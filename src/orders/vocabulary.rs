//! Where the words of the language stand in a line.
//!
//! Comes in: lexemes. Goes out: which word they say, and how many of them say it. The words are those of
//! [`super::words`], folded once and looked up by the first of their lexemes.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::lexemes::{Lexeme, LexemeKind, fold};
pub use super::words::Word;
use super::words::{INNER, LOOSE, MONTHS, NUMBERS, PARTS, VERBS, WEEKDAYS};
use crate::game::Phase;

/// A spelling, folded and cut into words; the first is the one it is found by.
struct Saying {
    word: Word,
    words: Vec<String>,
    begins_order: bool,
}

/// All spellings by their first word.
static SAYINGS: LazyLock<HashMap<String, Vec<Saying>>> = LazyLock::new(|| {
    let mut sayings: HashMap<String, Vec<Saying>> = HashMap::new();
    let verbs = VERBS.iter().map(|row| (row, true));
    for ((word, english, polish), begins_order) in verbs.chain(INNER.iter().map(|row| (row, false))) {
        for spelling in english.iter().chain(*polish) {
            let words: Vec<_> = fold(spelling).split(' ').map(str::to_owned).collect();
            sayings.entry(words[0].clone()).or_default().push(Saying { word: *word, words, begins_order });
        }
    }
    sayings
});

/// Number words, months, weekdays and the parts of the sheet by their folded spelling.
static NUMBER_WORDS: LazyLock<HashMap<String, u16>> = LazyLock::new(|| {
    let rows = NUMBERS.iter().flat_map(|(number, english, polish)| english.iter().chain(*polish).map(|s| (s, *number)));
    rows.map(|(spelling, number)| (fold(spelling), number)).collect()
});

impl Word {
    /// How many lexemes at the start say this word.
    pub fn at(self, lexemes: &[Lexeme]) -> Option<usize> {
        sayings_at(lexemes).filter(|saying| saying.word == self).map(|saying| saying.words.len()).max()
    }

    /// The word that begins an order here.
    pub fn verb_at(lexemes: &[Lexeme]) -> Option<(Word, usize)> {
        let verbs = sayings_at(lexemes).filter(|saying| saying.begins_order);
        verbs.map(|saying| (saying.word, saying.words.len())).max_by_key(|(_, taken)| *taken)
    }
}

/// The number that a word says.
pub fn number_word(word: &str) -> Option<u16> {
    NUMBER_WORDS.get(word).copied()
}

/// The part of the sheet that a word names.
pub fn part(word: &str) -> Option<Phase> {
    PARTS.iter().find(|(_, spellings)| spellings.contains(&word)).map(|(phase, _)| *phase)
}

/// The number of the month that a word names, from 1.
pub fn month(word: &str) -> Option<u8> {
    numbered(&MONTHS, word)
}

/// The day of the week that a word names, Monday being 1.
pub fn weekday(word: &str) -> Option<u8> {
    numbered(&WEEKDAYS, word)
}

fn numbered(rows: &[(&[&str], &[&str])], word: &str) -> Option<u8> {
    let says = |spellings: &[&str]| spellings.iter().any(|spelling| fold(spelling) == word);
    (1..).zip(rows).find(|(_, (english, polish))| says(english) || says(polish)).map(|(number, _)| number)
}

/// Whether a line begins with an ordinary word that may also begin an order.
pub fn is_loose(lexemes: &[Lexeme]) -> bool {
    matches!(lexemes.first().map(|lexeme| &lexeme.kind), Some(LexemeKind::Word(word)) if LOOSE.contains(&word.as_str()))
}

/// Whether a lexeme in brackets carries part of an order.
pub fn is_weighty(lexeme: &Lexeme) -> bool {
    let words = [Word::Token, Word::Treasury, Word::Free, Word::Leaving, Word::Card, Word::Load, Word::Unload];
    match &lexeme.kind {
        LexemeKind::Number(_) | LexemeKind::Arrow => true,
        LexemeKind::Word(word) => {
            number_word(word).is_some() || words.iter().any(|word| word.at(std::slice::from_ref(lexeme)).is_some())
        }
        LexemeKind::Hyphen | LexemeKind::Comma | LexemeKind::Colon | LexemeKind::Open | LexemeKind::Close => false,
    }
}

/// Whether a lexeme is a word of the language by itself, over which an unsure name may not run.
pub fn is_reserved(lexeme: &Lexeme) -> bool {
    let LexemeKind::Word(word) = &lexeme.kind else { return false };
    let alone = |sayings: &Vec<Saying>| sayings.iter().any(|saying| saying.words.len() == 1);
    SAYINGS.get(word).is_some_and(alone) || number_word(word).is_some()
}

/// The sayings that stand at the start.
fn sayings_at(lexemes: &[Lexeme]) -> impl Iterator<Item = &'static Saying> {
    let first = match lexemes.first().map(|lexeme| &lexeme.kind) {
        Some(LexemeKind::Word(word)) => SAYINGS.get(word),
        _ => None,
    };
    first.into_iter().flatten().filter(|saying| is_said(saying, lexemes))
}

fn is_said(saying: &Saying, lexemes: &[Lexeme]) -> bool {
    let said = |(word, lexeme): (&String, &Lexeme)| matches!(&lexeme.kind, LexemeKind::Word(said) if said == word);
    saying.words.len() <= lexemes.len() && saying.words.iter().zip(lexemes).all(said)
}
