//! The 51 civilization advances. What they do stands in the phase where they act.

use serde::{Deserialize, Serialize};

/// An advance as its card is printed.
#[derive(Debug, Clone, PartialEq)]
pub struct AdvanceCard {
    pub advance: Advance,
    /// The short key used in files, `cloth_making`.
    pub key: String,
    pub name: String,
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
    Arts,
    Civics,
    Crafts,
    Religion,
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
    ClothMaking,
    Mysticism,
    Sculpture,
    Urbanism,
    Empiricism,
    Masonry,
    Monarchy,
    Mythology,
    Pottery,
    WrittenRecord,
    Deism,
    Astronavigation,
    DramaAndPoetry,
    Music,
    Theocracy,
    Coinage,
    Metalworking,
    Literacy,
    Agriculture,
    Rhetoric,
    Architecture,
    Medicine,
    Fundamentalism,
    Law,
    Cartography,
    Diplomacy,
    Engineering,
    Enlightenment,
    NavalWarfare,
    UniversalDoctrine,
    Military,
    Calendar,
    Monument,
    TradeRoutes,
    Democracy,
    Library,
    Philosophy,
    Roadbuilding,
    Mining,
    Politics,
    PublicWorks,
    AdvancedMilitary,
    Monotheism,
    Mathematics,
    Theology,
    ProvincialEmpire,
    TradeEmpire,
    Anatomy,
    Diaspora,
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

    /// Adds an advance to the set.
    pub fn insert(&mut self, advance: Advance) {
        self.0 |= 1 << (advance as u8);
    }

    /// Takes an advance away.
    pub(crate) fn remove(&mut self, advance: Advance) {
        self.0 &= !(1 << (advance as u8));
    }

    /// The advances in it, in the order of the printed list.
    pub fn iter(self) -> impl Iterator<Item = Advance> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            Advance::ALL.get(next).copied()
        })
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
