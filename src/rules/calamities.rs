//! The 24 calamities.

use serde::{Deserialize, Serialize};

use super::Advance;

/// A calamity as its card is printed.
#[derive(Debug, Clone, PartialEq)]
pub struct CalamityCard {
    pub calamity: Calamity,
    /// The short key used in files, `civil_war`.
    pub key: String,
    pub name: String,
    /// The stack it lies in, 2 to 9.
    pub stack: u8,
    pub class: CalamityClass,
    /// Whether it may be traded. R7.5.
    pub tradeable: bool,
    /// Its place in the sequence of resolution.
    pub order: u8,
    /// Its base numbers, by name.
    pub effect: Vec<(String, i32)>,
    /// How advances change them.
    pub modifiers: Vec<Modifier>,
}

/// How a held advance changes a number of a calamity.
#[derive(Debug, Clone, PartialEq)]
pub struct Modifier {
    pub advance: Advance,
    /// The number it changes.
    pub field: String,
    pub delta: i32,
    pub when: Victim,
}

/// The victims a modifier speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Victim {
    Any,
    /// The holder of the card.
    Primary,
    /// Those the holder named or whom their areas hit.
    Secondary,
}

/// Whether a calamity is a minor or a major one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CalamityClass {
    /// Resolved first, all together; only with 9 to 11 and 15 to 18 players.
    Minor,
    /// Resolved one at a time.
    Major,
}

/// The 24 calamities. The rules name them, so an edition cannot add to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Calamity {
    Tempest,
    SquanderedWealth,
    CityRiots,
    CityInFlames,
    TribalConflict,
    MinorUprising,
    Banditry,
    CoastalMigration,
    /// Volcanic Eruption / Earthquake.
    VolcanicEruptionEarthquake,
    Treachery,
    Famine,
    SlaveRevolt,
    Flood,
    Superstition,
    CivilWar,
    BarbarianHordes,
    Cyclone,
    Epidemic,
    Tyranny,
    CivilDisorder,
    Corruption,
    IconoclasmAndHeresy,
    Regression,
    Piracy,
}

impl Calamity {
    /// All of them, in the order of the printed list.
    pub const ALL: [Calamity; 24] = [
        Calamity::Tempest,
        Calamity::SquanderedWealth,
        Calamity::CityRiots,
        Calamity::CityInFlames,
        Calamity::TribalConflict,
        Calamity::MinorUprising,
        Calamity::Banditry,
        Calamity::CoastalMigration,
        Calamity::VolcanicEruptionEarthquake,
        Calamity::Treachery,
        Calamity::Famine,
        Calamity::SlaveRevolt,
        Calamity::Flood,
        Calamity::Superstition,
        Calamity::CivilWar,
        Calamity::BarbarianHordes,
        Calamity::Cyclone,
        Calamity::Epidemic,
        Calamity::Tyranny,
        Calamity::CivilDisorder,
        Calamity::Corruption,
        Calamity::IconoclasmAndHeresy,
        Calamity::Regression,
        Calamity::Piracy,
    ];
}
