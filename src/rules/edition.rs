//! An edition of the printed game: from nine TOML files to a checked [`PrintedGame`].
//!
//! Comes in: the texts of the files, built in or handed over by whoever read them. Goes out: the printed game, every
//! reference resolved and every fact checked, or an [`EditionError`] that says where to mend what.
//! Opens no files itself.

mod advances;
mod calamities;
mod civilizations;
mod commodities;
mod error;
mod keys;
mod map;
mod outlines;
mod polish;
mod scenarios;
mod unique;

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use super::{AreaId, Civ, PrintedGame};
pub(crate) use error::{EditionError, EditionPlace};
use keys::Keys;

impl PrintedGame {
    /// The edition that is built into the program.
    pub fn built_in() -> Result<PrintedGame, EditionError> {
        PrintedGame::read(&EditionFiles::built_in())
    }

    /// Reads and checks an edition.
    pub fn read(files: &EditionFiles) -> Result<PrintedGame, EditionError> {
        let map: map::MapFile = files.map.parse()?;
        let civilizations: civilizations::CivilizationsFile = files.civilizations.parse()?;
        let areas = map.keys(&files.map)?;
        let civs = civilizations.keys(&files.civilizations)?;

        let map = map::build(files, map, &areas, &civs)?;
        let (civilizations, pieces, ast) = civilizations::build(&files.civilizations, civilizations, &areas, &map)?;
        let printed = PrintedGame {
            commodities: commodities::read(&files.trade_cards)?,
            calamities: calamities::read(&files.calamities)?,
            advances: advances::read(&files.advances)?,
            scenarios: scenarios::read(&files.scenarios, &civs)?,
            polish: files.polish.parse()?,
            map,
            pieces,
            civilizations,
            ast,
        };
        polish::check(&files.polish, &printed)?;
        unique::check(files, &printed)?;
        Ok(printed)
    }
}

/// The nine files of an edition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditionFiles {
    /// `map.toml`: the areas.
    pub map: EditionFile,
    /// `outlines.toml`: their outlines.
    pub outlines: EditionFile,
    /// `features.toml`: flood plains and volcanoes.
    pub features: EditionFile,
    /// `trade_cards.toml`: the commodities.
    pub trade_cards: EditionFile,
    /// `calamities.toml`.
    pub calamities: EditionFile,
    /// `advances.toml`.
    pub advances: EditionFile,
    /// `civilizations.toml`, with the A.S.T.
    pub civilizations: EditionFile,
    /// `scenarios.toml`.
    pub scenarios: EditionFile,
    /// `polish.toml`: the Polish names.
    pub polish: EditionFile,
}

/// One file of an edition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditionFile {
    /// Its name, for errors.
    pub name: Cow<'static, str>,
    pub text: Cow<'static, str>,
}

impl EditionFiles {
    /// The files that are built into the program, those of `config/rules`.
    pub fn built_in() -> EditionFiles {
        fn file(name: &'static str, text: &'static str) -> EditionFile {
            EditionFile { name: Cow::Borrowed(name), text: Cow::Borrowed(text) }
        }
        EditionFiles {
            map: file("map.toml", include_str!("../../config/rules/map.toml")),
            outlines: file("outlines.toml", include_str!("../../config/rules/outlines.toml")),
            features: file("features.toml", include_str!("../../config/rules/features.toml")),
            trade_cards: file("trade_cards.toml", include_str!("../../config/rules/trade_cards.toml")),
            calamities: file("calamities.toml", include_str!("../../config/rules/calamities.toml")),
            advances: file("advances.toml", include_str!("../../config/rules/advances.toml")),
            civilizations: file("civilizations.toml", include_str!("../../config/rules/civilizations.toml")),
            scenarios: file("scenarios.toml", include_str!("../../config/rules/scenarios.toml")),
            polish: file("polish.toml", include_str!("../../config/rules/polish.toml")),
        }
    }

    /// The files another edition has, each text fetched by its file name.
    pub fn fetch<E>(mut text: impl FnMut(&str) -> Result<String, E>) -> Result<EditionFiles, E> {
        let mut file = |name: &'static str| -> Result<EditionFile, E> {
            Ok(EditionFile { name: Cow::Borrowed(name), text: Cow::Owned(text(name)?) })
        };
        Ok(EditionFiles {
            map: file("map.toml")?,
            outlines: file("outlines.toml")?,
            features: file("features.toml")?,
            trade_cards: file("trade_cards.toml")?,
            calamities: file("calamities.toml")?,
            advances: file("advances.toml")?,
            civilizations: file("civilizations.toml")?,
            scenarios: file("scenarios.toml")?,
            polish: file("polish.toml")?,
        })
    }

    pub(crate) fn all(&self) -> [&EditionFile; 9] {
        let EditionFiles {
            map,
            outlines,
            features,
            trade_cards,
            calamities,
            advances,
            civilizations,
            scenarios,
            polish,
        } = self;
        [map, outlines, features, trade_cards, calamities, advances, civilizations, scenarios, polish]
    }
}

impl EditionFile {
    /// The tables of the file.
    fn parse<T: DeserializeOwned>(&self) -> Result<T, EditionError> {
        toml::from_str(&self.text).map_err(|error| EditionError::unreadable(&self.name, &self.text, &error))
    }

    /// A thing in the file, for an error.
    fn place(&self, kind: &'static str, key: &str) -> EditionPlace {
        EditionPlace::of(&self.name, kind, key)
    }
}

type AreaKeys = Keys<AreaId>;
type CivKeys = Keys<Civ>;
