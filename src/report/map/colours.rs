//! Colours and signs: who is who on the board, also for those who tell colours apart badly.

use std::collections::BTreeMap;

use super::words::Words;
use crate::game::Owner;
use crate::rules::Civ;

/// A colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Colour(pub [u8; 3]);

/// The colour of barbarian tokens and pirate cities.
const BLACK: Colour = Colour([0x26, 0x24, 0x22]);
const CROSS: &str = "×";
/// A colour that an edition has misspelt.
const GREY: Colour = Colour([0x90, 0x90, 0x90]);

/// How the pieces of an owner are painted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Livery {
    pub ground: Colour,
    /// The line around it.
    pub line: Colour,
    /// What is written on it.
    pub ink: Colour,
    /// The letters that say the same as the colour.
    pub sign: String,
}

/// The liveries of all owners of a game.
#[derive(Debug)]
pub(crate) struct Liveries(BTreeMap<Owner, Livery>);

impl Liveries {
    /// Each civilization has its printed colour and two letters of its own.
    pub(crate) fn of(words: Words) -> Liveries {
        let mut liveries = BTreeMap::from([(Owner::Barbarians, Livery::new(BLACK, CROSS.to_owned()))]);
        let mut signs: Vec<String> = Vec::new();
        for (number, civilization) in (0..).zip(&words.printed.civilizations) {
            let sign = sign(words.civ(Civ(number)), &signs);
            signs.push(sign.clone());
            liveries.insert(Owner::Civ(Civ(number)), Livery::new(Colour::read(&civilization.color), sign));
        }
        Liveries(liveries)
    }

    pub(crate) fn signs(self) -> BTreeMap<Owner, String> {
        self.0.into_iter().map(|(owner, livery)| (owner, livery.sign)).collect()
    }

    /// How an owner's pieces are painted.
    pub(crate) fn livery(&self, owner: Owner) -> &Livery {
        self.0.get(&owner).expect("every printed civilization has a livery")
    }
}

impl Livery {
    fn new(ground: Colour, sign: String) -> Livery {
        let ink = if ground.brightness() > 125 { Colour([0x14, 0x12, 0x10]) } else { Colour([0xff, 0xff, 0xff]) };
        Livery { ground, line: ground.mixed(Colour([0x18, 0x12, 0x0c]), 65), ink, sign }
    }
}

impl Colour {
    /// `#rrggbb`.
    fn read(text: &str) -> Colour {
        let number = text.strip_prefix('#').filter(|digits| digits.len() == 6);
        let number = number.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        number.map_or(GREY, |number| Colour([(number >> 16) as u8, (number >> 8) as u8, number as u8]))
    }

    /// From 0, black, to 255, white.
    fn brightness(self) -> u32 {
        let [red, green, blue] = self.0.map(u32::from);
        (red * 299 + green * 587 + blue * 114) / 1000
    }

    /// With so many hundredths of another colour.
    pub(crate) fn mixed(self, other: Colour, hundredths: u32) -> Colour {
        let mix = |one: u8, two: u8| (u32::from(one) * (100 - hundredths) + u32::from(two) * hundredths) / 100;
        Colour([0, 1, 2].map(|part| mix(self.0[part], other.0[part]) as u8))
    }
}

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The first letter of a name and the first of the others that nobody has yet.
fn sign(name: &str, taken: &[String]) -> String {
    let mut letters = name.chars().filter(|letter| letter.is_alphabetic());
    let first: String = letters.next().into_iter().collect();
    let mut signs = letters.map(|second| format!("{first}{second}"));
    let plain = signs.clone().next().unwrap_or_else(|| first.clone());
    signs.find(|sign| !taken.contains(sign)).unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rules::{Language, PrintedGame};

    #[test]
    fn signs_differ_and_are_as_near_to_the_name_as_they_can() {
        let mut taken = Vec::new();
        for name in ["Parthia", "Parsia", "Pa", "O", ""] {
            taken.push(sign(name, &taken));
        }
        assert_eq!(taken, ["Pa", "Pr", "Pa", "O", ""]);
    }

    #[test]
    fn everybody_has_a_sign_of_his_own_in_both_languages() {
        let printed = PrintedGame::built_in().expect("the built-in edition is sound");
        for language in Language::ALL {
            let liveries = Liveries::of(Words { printed: &printed, language });
            let signs: BTreeSet<_> = liveries.0.values().map(|livery| &livery.sign).collect();
            assert_eq!(signs.len(), printed.civilizations.len() + 1, "{signs:?}");
        }
    }

    #[test]
    fn colours_are_read_and_written() {
        assert_eq!(Colour::read("#b8cc3c").to_string(), "#b8cc3c");
        assert_eq!(Colour::read("green"), GREY);
        assert_eq!(Colour([0, 100, 200]).mixed(Colour([100, 0, 0]), 50), Colour([50, 50, 100]));
    }
}
