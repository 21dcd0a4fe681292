//! The help of the order language: what each verb says, with lines to type.
//!
//! Comes in: `help.toml`, a table for each verb of the reader's own table. Goes out: what a player is shown who asks.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::game::Phase;
use crate::orders::words::{VERBS, Word};

/// The help of a language.
#[derive(Debug, Clone, Deserialize)]
pub struct Help {
    /// How to write at all.
    pub intro: String,
    /// What each verb says.
    #[serde(flatten)]
    pub verbs: BTreeMap<Word, Verb>,
}

/// The help on a verb.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verb {
    /// The number of the phase in whose table it stands; 0 is any time.
    pub phase: u8,
    pub says: String,
    pub examples: Vec<String>,
}

impl Help {
    /// Reads the help and checks that every verb the reader knows has its place in it.
    pub(crate) fn read(text: &str) -> Result<Help, String> {
        let help: Help = toml::from_str(text).map_err(|error| error.to_string())?;
        let verbs = VERBS.iter().map(|(word, _, _)| *word).chain([Word::Try]);
        match verbs.map(spoken).find(|word| !help.verbs.contains_key(word)) {
            Some(word) => Err(format!("nothing is said of `{}`", word.spellings().0[0])),
            None => Ok(help),
        }
    }

    /// The help on a verb.
    pub fn verb(&self, word: Word) -> Option<&Verb> {
        self.verbs.get(&spoken(word))
    }

    /// The verbs of a phase, or of any time.
    pub(crate) fn of(&self, phase: Option<Phase>) -> impl Iterator<Item = (Word, &Verb)> {
        let number = phase.map_or(0, Phase::number);
        self.verbs.iter().filter(move |(_, verb)| verb.phase == number).map(|(word, verb)| (*word, verb))
    }
}

/// What is said of `learn` is said of `acquire`.
fn spoken(word: Word) -> Word {
    if word == Word::Learn { Word::Acquire } else { word }
}
