//! The 51 civilization advances. What they do stands in the phase where they act.

use serde::{Deserialize, Serialize};

/// A printed advance.
#[derive(Debug, Clone, PartialEq)]
pub struct AdvanceCard {
    /// Which one.
    pub advance: Advance,
    /// The short key used in files, `cloth_making`.
    pub key: String,
    /// The printed name.
    pub name: String,
    /// The printed cost.
    pub cost: u16,
    /// 1, 3 or 6.
    pub victory_points: u8,
    /// Its one or two groups.
    pub groups: Vec<Group>,
    /// Credit it gives towards each group.
    pub credits: Vec<(Group, u16)>,
    /// Extra credit towards one named advance.
    pub credit_to: Option<(Advance, u16)>,
}

/// The five colours of advances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Blue.
    Arts,
    /// Red.
    Civics,
    /// Orange.
    Crafts,
    /// Yellow.
    Religion,
    /// Green.
    Science,
}

impl Group {
    /// All five, in their printed sequence.
    pub const ALL: [Group; 5] = [Group::Arts, Group::Civics, Group::Crafts, Group::Religion, Group::Science];
}

/// The 51 advances. The rules name them, so an edition cannot add to them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Advance {
    /// Cloth Making.
    ClothMaking,
    /// Mysticism.
    Mysticism,
    /// Sculpture.
    Sculpture,
    /// Urbanism.
    Urbanism,
    /// Empiricism.
    Empiricism,
    /// Masonry.
    Masonry,
    /// Monarchy.
    Monarchy,
    /// Mythology.
    Mythology,
    /// Pottery.
    Pottery,
    /// Written Record.
    WrittenRecord,
    /// Deism.
    Deism,
    /// Astronavigation.
    Astronavigation,
    /// Drama and Poetry.
    DramaAndPoetry,
    /// Music.
    Music,
    /// Theocracy.
    Theocracy,
    /// Coinage.
    Coinage,
    /// Metalworking.
    Metalworking,
    /// Literacy.
    Literacy,
    /// Agriculture.
    Agriculture,
    /// Rhetoric.
    Rhetoric,
    /// Architecture.
    Architecture,
    /// Medicine.
    Medicine,
    /// Fundamentalism.
    Fundamentalism,
    /// Law.
    Law,
    /// Cartography.
    Cartography,
    /// Diplomacy.
    Diplomacy,
    /// Engineering.
    Engineering,
    /// Enlightenment.
    Enlightenment,
    /// Naval Warfare.
    NavalWarfare,
    /// Universal Doctrine.
    UniversalDoctrine,
    /// Military.
    Military,
    /// Calendar.
    Calendar,
    /// Monument.
    Monument,
    /// Trade Routes.
    TradeRoutes,
    /// Democracy.
    Democracy,
    /// Library.
    Library,
    /// Philosophy.
    Philosophy,
    /// Roadbuilding.
    Roadbuilding,
    /// Mining.
    Mining,
    /// Politics.
    Politics,
    /// Public Works.
    PublicWorks,
    /// Advanced Military.
    AdvancedMilitary,
    /// Monotheism.
    Monotheism,
    /// Mathematics.
    Mathematics,
    /// Theology.
    Theology,
    /// Provincial Empire.
    ProvincialEmpire,
    /// Trade Empire.
    TradeEmpire,
    /// Anatomy.
    Anatomy,
    /// Diaspora.
    Diaspora,
    /// Cultural Ascendancy.
    CulturalAscendancy,
    /// Wonder of the World.
    WonderOfTheWorld,
}

impl Advance {
    /// All of them, in the order of the printed list.
    pub const ALL: [Advance; 51] = [
        Advance::ClothMaking,
        Advance::Mysticism,
        Advance::Sculpture,
        Advance::Urbanism,
        Advance::Empiricism,
        Advance::Masonry,
        Advance::Monarchy,
        Advance::Mythology,
        Advance::Pottery,
        Advance::WrittenRecord,
        Advance::Deism,
        Advance::Astronavigation,
        Advance::DramaAndPoetry,
        Advance::Music,
        Advance::Theocracy,
        Advance::Coinage,
        Advance::Metalworking,
        Advance::Literacy,
        Advance::Agriculture,
        Advance::Rhetoric,
        Advance::Architecture,
        Advance::Medicine,
        Advance::Fundamentalism,
        Advance::Law,
        Advance::Cartography,
        Advance::Diplomacy,
        Advance::Engineering,
        Advance::Enlightenment,
        Advance::NavalWarfare,
        Advance::UniversalDoctrine,
        Advance::Military,
        Advance::Calendar,
        Advance::Monument,
        Advance::TradeRoutes,
        Advance::Democracy,
        Advance::Library,
        Advance::Philosophy,
        Advance::Roadbuilding,
        Advance::Mining,
        Advance::Politics,
        Advance::PublicWorks,
        Advance::AdvancedMilitary,
        Advance::Monotheism,
        Advance::Mathematics,
        Advance::Theology,
        Advance::ProvincialEmpire,
        Advance::TradeEmpire,
        Advance::Anatomy,
        Advance::Diaspora,
        Advance::CulturalAscendancy,
        Advance::WonderOfTheWorld,
    ];
}

/// The advances a civilization holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Advance>", into = "Vec<Advance>")]
pub struct AdvanceSet(u64);

impl AdvanceSet {
    /// Whether the advance is in it.
    pub(crate) fn has(self, advance: Advance) -> bool {
        self.0 >> (advance as u8) & 1 == 1
    }

    /// Adds an advance.
    pub fn insert(&mut self, advance: Advance) {
        self.0 |= 1 << (advance as u8);
    }

    /// Takes an advance away.
    pub(crate) fn remove(&mut self, advance: Advance) {
        self.0 &= !(1 << (advance as u8));
    }

    /// The advances in it, in the order of the printed list.
    pub fn iter(self) -> impl Iterator<Item = Advance> {
        Advance::ALL.into_iter().filter(move |advance| self.has(*advance))
    }
}

impl FromIterator<Advance> for AdvanceSet {
    fn from_iter<I: IntoIterator<Item = Advance>>(advances: I) -> Self {
        let mut set = AdvanceSet::default();
        advances.into_iter().for_each(|advance| set.insert(advance));
        set
    }
}

impl From<Vec<Advance>> for AdvanceSet {
    fn from(advances: Vec<Advance>) -> Self {
        advances.into_iter().collect()
    }
}

impl From<AdvanceSet> for Vec<Advance> {
    fn from(set: AdvanceSet) -> Self {
        set.iter().collect()
    }
}
