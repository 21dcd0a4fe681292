//! The small words of the lines that we print: what joins the words of the order language and of the moderator's commands.
//! The reader takes many more; these are the ones that we write.

use crate::rules::Language;

/// A word between the others of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Small {
    // Where something is, and whose.
    From,
    To,
    In,
    On,
    With,
    ForSomebody,
    ToAll,
    Has,
    HavePlural,
    Holds,
    IsEmpty,
    IsOccupied,
    PirateCity,
    // What is given and paid.
    Giving,
    Paying,
    OfTreasury,
    WithCredits,
    WithToken,
    ByShips,
    ByOneShip,
    ByAll,
    NoCard,
    BuildNoCities,
    BuildNoCity,
    UpTo,
    Times,
    OffersOf,
    NothingAtAll,
    // The commands of the moderator.
    ForPhase,
    Because,
    Everybody,
    Nobody,
    Ask,
    Next,
    Companion,
    Settler,
    Merchant,
    Raider,
    Area,
    OfBarbarians,
    OfPirates,
    NoCity,
    City,
    Ships,
    Treasury,
    Step,
    Without,
}

/// A row: the word, in English, in Polish.
type Row = (Small, &'static str, &'static str);

/// The small words, in the sequence of [`Small`].
pub const SMALL: &[Row] = &[
    // Where something is, and whose.
    (Small::From, "from", "z"),
    (Small::To, "to", "do"),
    (Small::In, "in", "w"),
    (Small::On, "on", "na"),
    (Small::With, "with", "z"),
    (Small::ForSomebody, "for", "dla"),
    (Small::ToAll, "to all", "dla wszystkich"),
    (Small::Has, "has", "ma"),
    (Small::HavePlural, "has", "mają"),
    (Small::Holds, "holds", "ma"),
    (Small::IsEmpty, "is empty", "jest pusto"),
    (Small::IsOccupied, "is not empty", "nie jest pusto"),
    (Small::PirateCity, "pirate city", "pirackie miasto"),
    // What is given and paid.
    (Small::Giving, "with", "dając"),
    (Small::Paying, "with", "za"),
    (Small::OfTreasury, "treasury", "ze skarbca"),
    (Small::WithCredits, "with credits", "ze zniżkami"),
    (Small::WithToken, "with token", "żetonem"),
    (Small::ByShips, "ships", "statkami"),
    (Small::ByOneShip, "1 ship", "1 statkiem"),
    (Small::ByAll, "all", "wszystkimi"),
    (Small::NoCard, "no card", "bez karty"),
    (Small::BuildNoCities, "build no city", "nie buduj miast"),
    (Small::BuildNoCity, "build no city", "nie buduj miasta"),
    (Small::UpTo, "up to", "do"),
    (Small::Times, "times", "razy"),
    (Small::OffersOf, "offers of", "oferty"),
    (Small::NothingAtAll, "nothing", "niczego"),
    // The commands of the moderator.
    (Small::ForPhase, "for", "dla"),
    (Small::Because, "because", "bo"),
    (Small::Everybody, "all", "wszystkim"),
    (Small::Nobody, "none", "nikt"),
    (Small::Ask, "ask", "zapytaj"),
    (Small::Next, "next", "następnego"),
    (Small::Companion, "companion", "wbudowany"),
    (Small::Settler, "settler", "osadnik"),
    (Small::Merchant, "merchant", "kupiec"),
    (Small::Raider, "raider", "najeźdźca"),
    (Small::Area, "area", "obszar"),
    (Small::OfBarbarians, "barbarians", "barbarzyńców"),
    (Small::OfPirates, "pirates", "piratów"),
    (Small::NoCity, "no city", "bez miasta"),
    (Small::City, "city", "miasto"),
    (Small::Ships, "ships", "statki"),
    (Small::Treasury, "treasury", "skarbiec"),
    (Small::Step, "step", "pole"),
    (Small::Without, "without", "bez"),
];

impl Small {
    /// The word in a language.
    pub(crate) fn said(self, language: Language) -> &'static str {
        let (_, english, polish) = SMALL[self as usize];
        match language {
            Language::English => english,
            Language::Polish => polish,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_in_its_own_row() {
        for (place, (word, ..)) in SMALL.iter().enumerate() {
            assert_eq!(*word as usize, place, "{word:?}");
        }
    }
}
