//! The words of a picture, in the reader's language.

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
        let (english, polish) = match term {
            Term::Tokens => ("tokens", "żetony"),
            Term::City => ("city", "miasto"),
            Term::Ship => ("ship", "statek"),
            Term::Limit => ("population limit", "limit populacji"),
            Term::Site => ("city site", "teren pod miasto"),
            Term::LowSite => ("site on a flood plain", "teren pod miasto, zalewowy"),
            Term::FloodPlain => ("flood plain", "teren zalewowy"),
            Term::Volcano => ("volcano", "wulkan"),
            Term::Barbarians => ("barbarians, pirates", "barbarzyńcy, piraci"),
            Term::OutOfPlay => ("out of play", "poza grą"),
            Term::Move => ("move", "ruch"),
            Term::Conflict => ("conflict", "konflikt"),
            Term::New => ("new city", "nowe miasto"),
            Term::Lost => ("lost", "stracone"),
        };
        match self.language {
            Language::English => english,
            Language::Polish => polish,
        }
    }
}
