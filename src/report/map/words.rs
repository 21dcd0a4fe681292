//! The words of a picture, in the reader's language.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::report::TemplateFiles;
use crate::rules::polish::Forms;
use crate::rules::{AreaId, Civ, Language, PrintedGame};

/// Names and terms of a printed game in one language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words<'a> {
    pub printed: &'a PrintedGame,
    pub language: Language,
}

/// What the legend explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Term {
    /// Tokens of a civilization.
    Tokens,
    City,
    Ship,
    /// How many tokens may stay in an area.
    Limit,
    Site,
    /// A city site on a flood plain.
    LowSite,
    FloodPlain,
    Volcano,
    /// Barbarian tokens and pirate cities.
    Barbarians,
    /// Areas that are not in play.
    OutOfPlay,
    Move,
    Conflict,
    New,
    Lost,
}

impl<'a> Words<'a> {
    /// The name of an area.
    pub(crate) fn area(self, area: AreaId) -> &'a str {
        let area = self.printed.map.area(area);
        self.named(&area.name, self.printed.polish.area.get(&area.key))
    }

    /// The name of a civilization.
    pub(crate) fn civ(self, civ: Civ) -> &'a str {
        let civilization = &self.printed.civilizations[usize::from(civ.0)];
        self.named(&civilization.name, self.printed.polish.civilization.get(&civilization.key))
    }

    fn named(self, name: &'a str, forms: Option<&'a Forms>) -> &'a str {
        match self.language {
            Language::English => name,
            Language::Polish => forms.map_or(name, |forms| &forms.nom),
        }
    }

    /// A term of the legend.
    pub(crate) fn term(self, term: Term) -> &'static str {
        let legend = match self.language {
            Language::English => &ENGLISH,
            Language::Polish => &POLISH,
        };
        legend.get(term.key()).map_or("", String::as_str)
    }
}

/// The legends, as `phrases.toml` has them. A picture has the built-in words, also where a house has letters of its own.
static ENGLISH: LazyLock<Legend> = LazyLock::new(|| legend(Language::English));
static POLISH: LazyLock<Legend> = LazyLock::new(|| legend(Language::Polish));

type Legend = BTreeMap<String, String>;

fn legend(language: Language) -> Legend {
    #[derive(Deserialize)]
    struct Phrases {
        legend: Legend,
    }
    let phrases: Phrases = toml::from_str(&TemplateFiles::built_in(language).phrases).expect("the phrases are sound");
    phrases.legend
}

impl Term {
    #[cfg(test)]
    const ALL: [Term; 14] = [
        Term::Tokens,
        Term::City,
        Term::Ship,
        Term::Limit,
        Term::Site,
        Term::LowSite,
        Term::FloodPlain,
        Term::Volcano,
        Term::Barbarians,
        Term::OutOfPlay,
        Term::Move,
        Term::Conflict,
        Term::New,
        Term::Lost,
    ];

    /// Its key under `[legend]` in `phrases.toml`.
    fn key(self) -> &'static str {
        match self {
            Term::Tokens => "tokens",
            Term::City => "city",
            Term::Ship => "ship",
            Term::Limit => "limit",
            Term::Site => "site",
            Term::LowSite => "low_site",
            Term::FloodPlain => "flood_plain",
            Term::Volcano => "volcano",
            Term::Barbarians => "barbarians",
            Term::OutOfPlay => "out_of_play",
            Term::Move => "move",
            Term::Conflict => "conflict",
            Term::New => "new",
            Term::Lost => "lost",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_has_words_in_every_language() {
        for language in Language::ALL {
            let keys: Vec<&str> = Term::ALL.iter().map(|term| term.key()).collect();
            let legend = legend(language);
            assert_eq!(legend.len(), keys.len());
            assert!(keys.iter().all(|key| legend.get(*key).is_some_and(|words| !words.is_empty())), "{language:?}");
        }
    }
}
