//! `map.toml` and `features.toml`: the areas, checked against their neighbours, plains and volcanoes.

use serde::Deserialize;

use super::error::{EditionError, EditionPlace, within};
use super::{AreaKeys, CivKeys, EditionFile, EditionFiles, Keys, outlines};
use crate::rules::map::{AreaFeatures, Drawing, Feature};
use crate::rules::{Area, AreaId, AreaKind, CitySite, Map};

/// `map.toml` as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MapFile {
    map: Paper,
    #[serde(default)]
    area: Vec<AreaEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Paper {
    width: f32,
    height: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AreaEntry {
    id: String,
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    kind: AreaKind,
    population_limit: Option<u8>,
    city_site: Option<CitySite>,
    flood_plain: Option<String>,
    volcano: Option<String>,
    region: Option<String>,
    #[serde(default)]
    desert: bool,
    #[serde(default)]
    land_adjacent: Vec<String>,
    #[serde(default)]
    water_adjacent: Vec<String>,
    label: [f32; 2],
    radius: f32,
    ship: Option<[f32; 2]>,
}

/// `features.toml` as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FeaturesFile {
    #[serde(default)]
    flood_plain: Vec<FeatureEntry>,
    #[serde(default)]
    volcano: Vec<FeatureEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FeatureEntry {
    id: String,
    name: String,
    areas: Vec<String>,
    position: Option<[f32; 2]>,
}

impl MapFile {
    /// The keys of the areas.
    pub(super) fn keys(&self, file: &EditionFile) -> Result<AreaKeys, EditionError> {
        if u16::try_from(self.area.len()).is_err() {
            return Err(file.place("", "").wrong(format!("{} areas", self.area.len()), "65535 at most"));
        }
        Keys::unique(&file.name, "area", (0..).zip(&self.area).map(|(id, area)| (area.id.as_str(), AreaId(id))))
    }
}

/// The board, with its outlines.
pub(super) fn build(
    files: &EditionFiles,
    written: MapFile,
    areas: &AreaKeys,
    civs: &CivKeys,
) -> Result<Map, EditionError> {
    let features: FeaturesFile = files.features.parse()?;
    let plains = feature_keys(&files.features, "flood plain", &features.flood_plain)?;
    let volcanoes = feature_keys(&files.features, "volcano", &features.volcano)?;

    let size = [written.map.width, written.map.height];
    if !size.iter().all(|length| length.is_finite() && *length > 0.0) {
        let found = format!("width is {} and height {}", size[0], size[1]);
        return Err(files.map.place("map", "").wrong(found, "positive numbers"));
    }
    let mut map = Map { size, ..Map::default() };
    for entry in written.area {
        map.areas.push(area(&files.map, entry, areas, civs, &plains, &volcanoes)?);
    }
    check_symmetric(&files.map, &map)?;

    for entry in features.flood_plain {
        map.flood_plains.push(feature(&files.features, "flood plain", entry, areas)?);
    }
    for entry in features.volcano {
        map.volcanoes.push(feature(&files.features, "volcano", entry, areas)?);
    }
    check_membership(files, &map, "flood plain", &map.flood_plains, |area| area.features.flood_plain)?;
    check_membership(files, &map, "volcano", &map.volcanoes, |area| area.features.volcano)?;

    outlines::read(&files.outlines, areas, &mut map)?;
    Ok(map)
}

fn area(
    file: &EditionFile,
    entry: AreaEntry,
    areas: &AreaKeys,
    civs: &CivKeys,
    plains: &Keys<usize>,
    volcanoes: &Keys<usize>,
) -> Result<Area, EditionError> {
    check_ground(file, &entry)?;
    let place = || file.place("area", &entry.id);
    let feature = |keys: &Keys<usize>, field, key: &Option<String>| {
        key.as_ref().map(|key| keys.find(place, field, key)).transpose()
    };
    Ok(Area {
        kind: entry.kind,
        limit: entry.population_limit.unwrap_or(0),
        site: entry.city_site,
        region: entry.region.as_ref().map(|key| civs.find(place, "region", key)).transpose()?,
        land: neighbours(place, &entry.id, "land_adjacent", &entry.land_adjacent, areas)?,
        water: neighbours(place, &entry.id, "water_adjacent", &entry.water_adjacent, areas)?,
        features: AreaFeatures {
            flood_plain: feature(plains, "flood_plain", &entry.flood_plain)?,
            volcano: feature(volcanoes, "volcano", &entry.volcano)?,
        },
        desert: entry.desert,
        drawing: Drawing { label: entry.label, ship: entry.ship, radius: entry.radius, ..Drawing::default() },
        key: entry.id,
        name: entry.name,
        aliases: entry.aliases,
    })
}

/// What an area of each kind has and has not.
fn check_ground(file: &EditionFile, entry: &AreaEntry) -> Result<(), EditionError> {
    let place = || file.place("area", &entry.id);
    let (has_land, has_water, kind) = match entry.kind {
        AreaKind::Land => (true, false, "land"),
        AreaKind::Coastal => (true, true, "coastal"),
        AreaKind::Sea => (false, true, "sea"),
        AreaKind::OpenSea => (false, true, "open_sea"),
    };
    let may_have = |field: &str, found: bool, may: bool| {
        if found && !may {
            Err(place().wrong(format!("kind is {kind} and there is {field}"), format!("no {field}")))
        } else {
            Ok(())
        }
    };
    may_have("land_adjacent", !entry.land_adjacent.is_empty(), has_land)?;
    may_have("water_adjacent", !entry.water_adjacent.is_empty(), has_water)?;
    may_have("population_limit", entry.population_limit.is_some_and(|limit| limit > 0), has_land)?;
    may_have("city_site", entry.city_site.is_some(), has_land)?;
    may_have("region", entry.region.is_some(), has_land)?;
    may_have("desert", entry.desert, has_land)?;
    may_have("ship", entry.ship.is_some(), has_land && has_water)?;

    let must_have = |field: &str, found: bool, must: bool| {
        if must && !found {
            Err(place().wrong(format!("kind is {kind} and there is no {field}"), field))
        } else {
            Ok(())
        }
    };
    must_have("population_limit", entry.population_limit.is_some(), has_land)?;
    must_have("region", entry.region.is_some(), has_land)?;
    must_have("ship", entry.ship.is_some(), has_land && has_water)?;

    within(place, "population_limit", entry.population_limit.unwrap_or(0), 0..=4)?;
    if entry.city_site == Some(CitySite::White) && entry.flood_plain.is_none() {
        return Err(place().wrong("city_site is white and there is no flood_plain", "a flood_plain"));
    }
    let drawn = entry.label.iter().chain(entry.ship.iter().flatten()).chain([&entry.radius]);
    if !drawn.into_iter().all(|number| number.is_finite()) {
        return Err(place().wrong("label, ship or radius is not finite", "numbers that can be drawn"));
    }
    Ok(())
}

/// The neighbours of an area, in ascending order.
fn neighbours(
    place: impl Fn() -> EditionPlace,
    id: &str,
    field: &'static str,
    listed: &[String],
    areas: &AreaKeys,
) -> Result<Vec<AreaId>, EditionError> {
    check_alphabetical(&place, field, listed)?;
    if listed.iter().any(|neighbour| neighbour == id) {
        return Err(place().wrong(format!("{field} names the area itself"), "other areas only"));
    }
    let mut found: Vec<AreaId> =
        listed.iter().map(|neighbour| areas.find(&place, field, neighbour)).collect::<Result<_, _>>()?;
    found.sort_unstable();
    Ok(found)
}

fn check_alphabetical(place: impl Fn() -> EditionPlace, field: &str, listed: &[String]) -> Result<(), EditionError> {
    for pair in listed.windows(2) {
        if pair[0] >= pair[1] {
            let found = format!("{field} has {:?} after {:?}", pair[1], pair[0]);
            return Err(place().wrong(found, "alphabetical order, each once"));
        }
    }
    Ok(())
}

/// Each border is listed on both sides.
fn check_symmetric(file: &EditionFile, map: &Map) -> Result<(), EditionError> {
    let check = |field: &str, borders: fn(&Area) -> &Vec<AreaId>| {
        for id in map.ids() {
            for neighbour in borders(map.area(id)) {
                if borders(map.area(*neighbour)).binary_search(&id).is_err() {
                    let (one, other) = (&map.area(id).key, &map.area(*neighbour).key);
                    let found = format!("{field} does not name {one:?}, but {one:?} names {other:?}");
                    return Err(file.place("area", other).wrong(found, "both or neither"));
                }
            }
        }
        Ok(())
    };
    check("land_adjacent", |area| &area.land)?;
    check("water_adjacent", |area| &area.water)
}

fn feature_keys(file: &EditionFile, kind: &'static str, entries: &[FeatureEntry]) -> Result<Keys<usize>, EditionError> {
    let keys = entries.iter().enumerate().map(|(position, entry)| (entry.id.as_str(), position));
    Keys::unique(&file.name, kind, keys)
}

fn feature(
    file: &EditionFile,
    kind: &'static str,
    entry: FeatureEntry,
    areas: &AreaKeys,
) -> Result<Feature, EditionError> {
    let place = || file.place(kind, &entry.id);
    check_alphabetical(place, "areas", &entry.areas)?;
    if !entry.position.iter().flatten().all(|number| number.is_finite()) {
        return Err(place().wrong("position is not finite", "numbers that can be drawn"));
    }
    let mut touched: Vec<AreaId> =
        entry.areas.iter().map(|area| areas.find(place, "areas", area)).collect::<Result<_, _>>()?;
    touched.sort_unstable();
    Ok(Feature { key: entry.id, name: entry.name, areas: touched, position: entry.position })
}

/// The areas of a plain or volcano are those that name it.
fn check_membership(
    files: &EditionFiles,
    map: &Map,
    kind: &'static str,
    features: &[Feature],
    named: fn(&Area) -> Option<usize>,
) -> Result<(), EditionError> {
    for (position, feature) in features.iter().enumerate() {
        for id in map.ids() {
            let area = map.area(id);
            let listed = feature.areas.binary_search(&id).is_ok();
            if listed == (named(area) == Some(position)) {
                continue;
            }
            let found = if listed {
                format!("areas names {:?}, which does not name it in {}", area.key, files.map.name)
            } else {
                format!("areas does not name {:?}, which names it in {}", area.key, files.map.name)
            };
            return Err(files.features.place(kind, &feature.key).wrong(found, "both or neither"));
        }
    }
    Ok(())
}
