//! The board: areas, their borders, sites, plains and volcanoes.

use serde::{Deserialize, Serialize};

use super::Civ;

/// An area, by its position on the edition's map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AreaId(pub u16);

/// What kind of ground an area is. G.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AreaKind {
    /// Land without a coast.
    #[default]
    Land,
    /// Land with coastal water.
    Coastal,
    /// Water without land that ships may use (only on casebook maps).
    Sea,
    /// Water without land, closed to ships by default. R3.22.
    OpenSea,
}

/// A printed city site. G.6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CitySite {
    Black,
    /// On the area's flood plain.
    White,
}

/// A part of an area's outline: rings of points, the first the outer boundary, further ones holes.
pub(crate) type Outline = Vec<Vec<[f32; 2]>>;

/// An area as it is printed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Area {
    /// The short key used in files, `upper_egypt`.
    pub key: String,
    /// The printed name, `Upper Egypt`.
    pub name: String,
    pub aliases: Vec<String>,
    /// Land, coast or water.
    pub kind: AreaKind,
    /// The printed population limit, 0 to 4 (0 for water).
    pub limit: u8,
    /// The printed city site, if there is one.
    pub site: Option<CitySite>,
    /// The civilization whose region this is; none for water.
    pub region: Option<Civ>,
    /// Areas adjacent by land, ascending.
    pub land: Vec<AreaId>,
    /// Areas adjacent by water, ascending.
    pub water: Vec<AreaId>,
    pub features: AreaFeatures,
    /// A desert (only on casebook maps).
    pub desert: bool,
    pub drawing: Drawing,
}

/// What may befall an area for where it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AreaFeatures {
    /// The flood plain it lies on, as a position in [`Map::flood_plains`].
    pub flood_plain: Option<usize>,
    /// The volcano that touches it, as a position in [`Map::volcanoes`].
    pub volcano: Option<usize>,
}

/// Where an area lies on the printed map.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Drawing {
    /// Where its name is written.
    pub label: [f32; 2],
    /// Where its ships are drawn.
    pub ship: Option<[f32; 2]>,
    /// How much room there is around the label.
    pub radius: f32,
    /// The outlines of its land parts.
    pub land: Vec<Outline>,
    /// The outlines of its water parts.
    pub water: Vec<Outline>,
}

/// A flood plain or a volcano: a name and the areas it touches.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// The short key used in files.
    pub key: String,
    pub name: String,
    /// The areas it touches, ascending.
    pub areas: Vec<AreaId>,
    /// Where it is drawn (volcanoes).
    pub position: Option<[f32; 2]>,
}

/// The board with its areas and who borders on whom.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Map {
    /// All areas; [`AreaId`] is the position here.
    pub areas: Vec<Area>,
    pub flood_plains: Vec<Feature>,
    pub volcanoes: Vec<Feature>,
    /// Width and height of the drawing.
    pub size: [f32; 2],
}

impl Map {
    /// The printed area of this number.
    pub fn area(&self, id: AreaId) -> &Area {
        &self.areas[usize::from(id.0)]
    }

    /// All areas with their ids.
    pub fn ids(&self) -> impl Iterator<Item = AreaId> + use<> {
        (0..self.areas.len() as u16).map(AreaId)
    }

    /// Whether the two share a land border. G.4.
    pub(crate) fn is_land_adjacent(&self, a: AreaId, b: AreaId) -> bool {
        self.area(a).land.binary_search(&b).is_ok()
    }

    /// Whether the two share a water border. G.4.
    pub(crate) fn is_water_adjacent(&self, a: AreaId, b: AreaId) -> bool {
        self.area(a).water.binary_search(&b).is_ok()
    }
}

impl Area {
    /// Whether ships can be built here. G.5.
    pub fn is_coastal(&self) -> bool {
        self.kind == AreaKind::Coastal
    }

    /// Whether tokens can stand here.
    pub fn has_land(&self) -> bool {
        matches!(self.kind, AreaKind::Land | AreaKind::Coastal)
    }
}
