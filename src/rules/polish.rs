//! Polish names with their case forms, by the keys of the English files.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The forms of one Polish name. `config/rules/polish.toml` explains each.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Forms {
    /// Mianownik.
    pub nom: String,
    /// Dopełniacz, after z and do.
    pub r#gen: Option<String>,
    /// Celownik.
    pub dat: Option<String>,
    /// Biernik, as an object.
    pub acc: Option<String>,
    /// Narzędnik.
    pub ins: Option<String>,
    /// Miejscownik, after w or the preposition in `at`.
    pub loc: Option<String>,
    /// The form after 2 to 4.
    pub few: Option<String>,
    /// The form after 5 and more.
    pub many: Option<String>,
    /// The preposition of place, where it is not w.
    pub at: Option<String>,
    /// The preposition of origin, where it is not z.
    pub from: Option<String>,
    /// The first word may stand last, or the last first.
    pub swap: bool,
    /// The same in all cases.
    pub uninflected: bool,
    /// Further forms to be read, never printed.
    pub also: Vec<String>,
    /// Agreement: m, f, n, mp, pl, plp.
    pub g: Option<String>,
    /// The adjective.
    pub adj: Option<String>,
    /// The people: nominative, genitive, dative, instrumental.
    pub people: Vec<String>,
    /// Whether the words are those of the Polish rulebook.
    pub seed: bool,
}

/// All Polish names of an edition; each map goes from the key of the English file to the forms.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Polish {
    /// Areas.
    pub area: BTreeMap<String, Forms>,
    /// Civilizations.
    pub civilization: BTreeMap<String, Forms>,
    /// Commodities, and `water`.
    pub commodity: BTreeMap<String, Forms>,
    /// Calamities.
    pub calamity: BTreeMap<String, Forms>,
    /// Advances.
    pub advance: BTreeMap<String, Forms>,
    /// The five groups of advances.
    pub group: BTreeMap<String, Forms>,
    /// Epochs of the A.S.T.
    pub epoch: BTreeMap<String, Forms>,
    /// The thirteen phases.
    pub phase: BTreeMap<String, Forms>,
    /// Flood plains.
    pub flood_plain: BTreeMap<String, Forms>,
    /// Volcanoes.
    pub volcano: BTreeMap<String, Forms>,
    /// Terms of the game.
    pub term: BTreeMap<String, Forms>,
}
