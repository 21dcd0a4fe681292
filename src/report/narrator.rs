//! The narrator: says what happened to one reader, who is `you` in it.

use minijinja::Value;

use super::Templates;
use super::facts::Facts;
use super::names::Names;
use crate::game::{Owner, Reader};
use crate::rules::{AreaId, Civ, PrintedGame};

/// Tells events to a reader.
#[derive(Clone, Copy)]
pub(crate) struct Narrator<'a> {
    templates: &'a Templates,
    pub facts: Facts<'a>,
    pub reader: Reader,
}

/// A sentence, and whom it concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tale {
    /// Whom it concerns; nobody in particular where it is a list of many.
    pub about: Vec<Civ>,
    pub text: String,
}

impl<'a> Narrator<'a> {
    pub(crate) fn new(templates: &'a Templates, printed: &'a PrintedGame, reader: Reader) -> Narrator<'a> {
        Narrator { templates, facts: Facts::new(printed, templates.language), reader }
    }

    /// The words of the language.
    pub(crate) fn templates(self) -> &'a Templates {
        self.templates
    }

    pub(crate) fn names(self) -> Names<'a> {
        self.facts.names()
    }

    /// The civilization that listens.
    pub(crate) fn me(self) -> Option<Civ> {
        match self.reader {
            Reader::Player(civ) => Some(civ),
            Reader::Public | Reader::Onlooker => None,
        }
    }

    /// Whether this civilization listens.
    pub(crate) fn is_me(self, civ: Civ) -> bool {
        self.me() == Some(civ)
    }

    /// A civilization in a sentence.
    pub(crate) fn civ(self, civ: Civ) -> Value {
        self.owner(Owner::Civ(civ))
    }

    /// An owner in a sentence.
    pub(crate) fn owner(self, owner: Owner) -> Value {
        self.facts.who(owner, self.me())
    }

    pub(crate) fn area(self, area: AreaId) -> Value {
        self.facts.area(area)
    }

    /// A part of a sentence.
    pub(crate) fn part(self, key: &str, facts: Value) -> String {
        // A subject that is not said leaves no gap.
        self.templates.say("told", key, facts).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// A sentence, with a capital at its head.
    pub(crate) fn tale(self, key: &str, about: &[Civ], facts: Value) -> Tale {
        Tale { about: about.to_vec(), text: capital(&self.part(key, facts)) }
    }
}

/// The civilizations among owners.
pub(crate) fn civs(owners: impl IntoIterator<Item = Owner>) -> Vec<Civ> {
    owners.into_iter().filter_map(Owner::civ).collect()
}

/// The sentence with a capital at its head.
pub(crate) fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
