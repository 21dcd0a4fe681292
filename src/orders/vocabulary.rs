//! Where the words of the language stand in a line.
//!
//! Comes in: lexemes. Goes out: which word they say, and how many of them say it. The words are those of
//! [`super::words`], folded once and looked up by the first of their lexemes.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use strsim::osa_distance;

use super::lexemes::{Lexeme, LexemeKind, fold};
use super::run::Stop;
use super::spellings::Letters;
pub(crate) use super::words::Word;
use super::words::{INNER, LOOSE, MONTHS, NO_VERBS, NUMBERS, PARTS, SLIPS, TALK, VERBS, WEEKDAYS};
use crate::game::Phase;

/// A spelling, folded and cut into words; the first is the one it is found by.
struct Saying {
    word: Word,
    words: Vec<String>,
    begins_order: bool,
    /// It is an ordinary word too: an order only if all of it can be read.
    is_loose: bool,
}

/// All spellings by their first word.
static SAYINGS: LazyLock<HashMap<String, Vec<Saying>>> = LazyLock::new(|| {
    let mut sayings: HashMap<String, Vec<Saying>> = HashMap::new();
    let verbs = VERBS.iter().map(|row| (row, true));
    let mut learn = |word: Word, spelling: &str, begins_order: bool| {
        let folded = fold(spelling);
        let words: Vec<_> = folded.split(' ').map(str::to_owned).collect();
        let is_loose = begins_order && LOOSE.contains(&folded.as_str());
        sayings.entry(words[0].clone()).or_default().push(Saying { word, words, begins_order, is_loose });
    };
    for ((word, english, polish), begins_order) in verbs.chain(INNER.iter().map(|row| (row, false))) {
        english.iter().chain(*polish).for_each(|spelling| learn(*word, spelling, begins_order));
    }
    for (word, spellings) in SLIPS {
        spellings.iter().for_each(|spelling| learn(*word, spelling, false));
    }
    sayings
});

/// The verbs of one word that are long enough to be known by a misspelling, with their letters.
static MISSPELLABLE: LazyLock<Vec<(Word, String, Letters)>> = LazyLock::new(|| {
    let sayings = SAYINGS.values().flatten().filter(|saying| saying.begins_order && !saying.is_loose);
    let alone = sayings.filter(|saying| saying.words.len() == 1 && saying.words[0].len() >= SHORTEST_MISSPELLABLE);
    let mut verbs: Vec<_> = alone.map(|saying| (saying.word, saying.words[0].clone())).collect();
    verbs.sort();
    let lettered = |(word, spelling): (Word, String)| {
        let letters = Letters::of(&spelling);
        (word, spelling, letters)
    };
    verbs.into_iter().map(lettered).collect()
});

/// Words of talk, and words that are no misspelt verbs.
static TALK_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| TALK.iter().copied().collect());
static NO_VERB_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| NO_VERBS.iter().copied().collect());

/// Verbs of fewer letters are too near to too many words.
const SHORTEST_MISSPELLABLE: usize = 4;
/// Verbs of more letters forgive two slips.
const SHORT: usize = 5;

/// Number words, months, weekdays and the parts of the sheet by their folded spelling.
static NUMBER_WORDS: LazyLock<HashMap<String, u16>> = LazyLock::new(|| {
    let rows = NUMBERS.iter().flat_map(|(number, english, polish)| english.iter().chain(*polish).map(|s| (s, *number)));
    rows.map(|(spelling, number)| (fold(spelling), number)).collect()
});

impl Word {
    /// How many lexemes at the start say this word.
    pub(crate) fn at(self, lexemes: &[Lexeme]) -> Option<usize> {
        sayings_at(lexemes).filter(|saying| saying.word == self).map(|saying| saying.words.len()).max()
    }

    /// The word that begins an order here.
    pub(crate) fn verb_at(lexemes: &[Lexeme]) -> Option<(Word, usize)> {
        verb(lexemes).map(|saying| (saying.word, saying.words.len()))
    }

    /// The verb that a word is a misspelling of: one slip in up to five letters, two in more, and no other verb near.
    /// What is a word itself is no misspelling.
    pub(crate) fn near_verb(word: &str) -> Option<Word> {
        // `moved` tells of the past.
        if word.len() + 1 < SHORTEST_MISSPELLABLE || word.ends_with("ed") || NO_VERB_WORDS.contains(word) {
            return None;
        }
        let own = Letters::of(word);
        let mut near: Option<Word> = None;
        for (verb, spelling, theirs) in MISSPELLABLE.iter() {
            let allowed = if spelling.len() <= SHORT { 1 } else { 2 };
            let hopeless = spelling.len().abs_diff(word.len()) > allowed || own.differ(theirs, allowed);
            // All the right letters behind the right first one are a slip of the thumbs, wherever they stand.
            let shaken = || spelling.as_bytes().first() == word.as_bytes().first() && sorted(spelling) == sorted(word);
            if hopeless || near == Some(*verb) || osa_distance(spelling, word) > allowed && !shaken() {
                continue;
            }
            if near.is_some() {
                return None;
            }
            near = Some(*verb);
        }
        near
    }

    /// The verb that a word is with two neighbours swapped, which no word of talk happens to be.
    pub(crate) fn swapped_verb(word: &str) -> Option<Word> {
        let verb = Word::near_verb(word)?;
        let is_swap = |(near, spelling, _): &(Word, String, Letters)| {
            *near == verb && sorted(spelling) == sorted(word) && osa_distance(spelling, word) == 1
        };
        MISSPELLABLE.iter().any(is_swap).then_some(verb)
    }
}

fn sorted(word: &str) -> Vec<u8> {
    let mut letters: Vec<u8> = word.bytes().collect();
    letters.sort_unstable();
    letters
}

fn verb(lexemes: &[Lexeme]) -> Option<&'static Saying> {
    sayings_at(lexemes).filter(|saying| saying.begins_order).max_by_key(|saying| saying.words.len())
}

/// The number that a word says.
pub(crate) fn number_word(word: &str) -> Option<u16> {
    NUMBER_WORDS.get(word).copied()
}

/// The part of the sheet that a word names.
pub(crate) fn part(word: &str) -> Option<Phase> {
    PARTS.iter().find(|(_, spellings)| spellings.contains(&word)).map(|(phase, _)| *phase)
}

/// The number of the month that a word names, from 1.
pub(crate) fn month(word: &str) -> Option<u8> {
    numbered(&MONTHS, word)
}

/// The day of the week that a word names, Monday being 1.
pub(crate) fn weekday(word: &str) -> Option<u8> {
    numbered(&WEEKDAYS, word)
}

fn numbered(rows: &[(&[&str], &[&str])], word: &str) -> Option<u8> {
    let says = |spellings: &[&str]| spellings.iter().any(|spelling| fold(spelling) == word);
    (1..).zip(rows).find(|(_, (english, polish))| says(english) || says(polish)).map(|(number, _)| number)
}

/// Whether a line begins with an ordinary word that may also begin an order.
pub(crate) fn is_loose(lexemes: &[Lexeme]) -> bool {
    verb(lexemes).is_some_and(|saying| saying.is_loose)
}

/// Whether a lexeme is a word of talk.
pub(crate) fn is_talk(lexeme: &Lexeme) -> bool {
    matches!(&lexeme.kind, LexemeKind::Word(word) if TALK_WORDS.contains(word.as_str()))
}

/// Whether a word written twice in a row was meant once: `to to`. Cards may be listed so, and numbers mean something.
pub(crate) fn is_stutter(word: &str) -> bool {
    let small = [Word::From, Word::To, Word::In, Word::With, Word::For, Word::And, Word::Filler, Word::Via];
    SAYINGS.get(word).is_some_and(|sayings| {
        sayings.iter().any(|saying| saying.words.len() == 1 && (saying.begins_order || small.contains(&saying.word)))
    })
}

/// Whether a lexeme in brackets carries part of an order.
pub(crate) fn is_weighty(lexeme: &Lexeme) -> bool {
    let words = [Word::Token, Word::Treasury, Word::Free, Word::Leaving, Word::Card, Word::Load, Word::Unload];
    match &lexeme.kind {
        LexemeKind::Number(_) | LexemeKind::Arrow => true,
        LexemeKind::Word(word) => {
            number_word(word).is_some() || words.iter().any(|word| word.at(std::slice::from_ref(lexeme)).is_some())
        }
        LexemeKind::Hyphen | LexemeKind::Comma | LexemeKind::Colon | LexemeKind::Open | LexemeKind::Close => false,
    }
}

/// What a lexeme is where a name is wanted.
pub(crate) fn stop(lexeme: &Lexeme) -> Stop {
    let LexemeKind::Word(word) = &lexeme.kind else { return Stop::Free };
    let joins =
        |sayings: &Vec<Saying>| sayings.iter().any(|saying| saying.words.len() == 1 && JOINTS.contains(&saying.word));
    if !is_reserved(lexeme) {
        Stop::Free
    } else if SAYINGS.get(word).is_some_and(joins) {
        Stop::Joint
    } else {
        Stop::Word
    }
}

/// The small words that stand between names, and are never meant for the beginning of one.
const JOINTS: [Word; 15] = [
    Word::From,
    Word::To,
    Word::In,
    Word::With,
    Word::For,
    Word::And,
    Word::Filler,
    Word::Via,
    Word::Then,
    Word::As,
    Word::Till,
    Word::Until,
    Word::UpTo,
    Word::During,
    Word::By,
];

/// Whether a lexeme is a word of the language by itself, over which an unsure name may not run.
pub(crate) fn is_reserved(lexeme: &Lexeme) -> bool {
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
