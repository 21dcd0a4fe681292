//! The printed game: areas, cards, advances, the A.S.T.; constant.
//!
//! Comes in: the TOML files of an edition (`config/rules`, built in or handed over as texts). Goes out: a checked
//! [`PrintedGame`], which a state shares. Looks into no other room.

pub(crate) mod advances;
pub mod ast;
pub(crate) mod calamities;
pub(crate) mod cards;
pub(crate) mod civilizations;
pub(crate) mod edition;
pub(crate) mod language;
pub mod map;
pub mod names;
pub(crate) mod polish;
pub(crate) mod scenarios;

pub(crate) use advances::AdvanceCard;
pub use advances::{Advance, AdvanceSet, Group};
pub(crate) use ast::{Ast, Requirement, Track};
pub use ast::{AstSide, Epoch};
pub use calamities::{Calamity, CalamityCard, CalamityClass};
pub use cards::{Block, Commodity, Face, TradeCard};
pub(crate) use cards::{CommodityCard, set_value};
pub use civilizations::Civ;
pub(crate) use civilizations::Civilization;
pub(crate) use edition::EditionError;
pub use edition::{EditionFile, EditionFiles};
pub use language::Language;
pub use map::{Area, AreaId, AreaKind, CitySite, Map};
pub(crate) use polish::{Agreement, Case, Forms, Polish};
pub use scenarios::{Scenario, Side};

/// How many pieces every civilization owns. G.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pieces {
    /// Population tokens: 55.
    pub tokens: u16,
    /// Cities: 9.
    pub cities: u8,
    /// Ships: 4.
    pub ships: u8,
}

/// One edition of the printed game. A value that states share, never a global: a casebook page may bring its own map.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedGame {
    pub map: Map,
    /// What each civilization owns.
    pub pieces: Pieces,
    /// The civilizations in A.S.T.-ranking order; [`Civ`] is the position here.
    pub civilizations: Vec<Civilization>,
    /// The Archaeological Succession Table and the numbers of the scoring.
    pub ast: Ast,
    /// The commodities; [`Commodity`] is the position here.
    pub commodities: Vec<CommodityCard>,
    /// The calamities, in the order of [`Calamity::ALL`].
    pub calamities: Vec<CalamityCard>,
    /// The advances, in the order of [`Advance::ALL`].
    pub advances: Vec<AdvanceCard>,
    /// The scenarios for 5 to 18 players.
    pub scenarios: Vec<Scenario>,
    /// The Polish names of all of it.
    pub polish: Polish,
}
