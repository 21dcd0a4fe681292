//! `outlines.toml`: the outlines, one entry for every area.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::error::{EditionError, EditionPlace};
use super::{AreaKeys, EditionFile};
use crate::rules::map::Outline;
use crate::rules::{AreaKind, Map};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OutlinesFile {
    #[serde(default)]
    outline: BTreeMap<String, OutlineEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OutlineEntry {
    #[serde(default)]
    land: Vec<Vec<String>>,
    #[serde(default)]
    water: Vec<Vec<String>>,
}

/// Gives every area of the map its outlines.
pub(super) fn read(file: &EditionFile, areas: &AreaKeys, map: &mut Map) -> Result<(), EditionError> {
    let mut written: OutlinesFile = file.parse()?;
    for area in &mut map.areas {
        let key = area.key.clone();
        let place = || file.place("outline", &key);
        let Some(entry) = written.outline.remove(&key) else {
            return Err(place().wrong("there is none", "an outline for every area"));
        };
        // A lake may be drawn on land, though it does not count as water.
        let (land, water) = match area.kind {
            AreaKind::Land => (Part::Must, Part::May),
            AreaKind::Coastal => (Part::Must, Part::Must),
            AreaKind::Sea | AreaKind::OpenSea => (Part::MustNot, Part::Must),
        };
        area.drawing.land = outlines(place, "land", land, &entry.land)?;
        area.drawing.water = outlines(place, "water", water, &entry.water)?;
    }
    match written.outline.keys().next() {
        Some(key) => Err(file.place("", "").unresolved("outline", key, "area", areas.iter())),
        None => Ok(()),
    }
}

/// Whether an area has a land or water part to draw.
#[derive(Clone, Copy)]
enum Part {
    Must,
    May,
    MustNot,
}

/// The parts of an area that are land, or those that are water.
fn outlines(
    place: impl Fn() -> EditionPlace,
    name: &str,
    part: Part,
    written: &[Vec<String>],
) -> Result<Vec<Outline>, EditionError> {
    match (part, written.is_empty()) {
        (Part::Must, true) => return Err(place().wrong(format!("there is no {name}"), format!("its {name} part"))),
        (Part::MustNot, false) => {
            return Err(place().wrong(format!("there is {name}"), format!("no {name}, for it is a sea")));
        }
        (Part::Must, false) | (Part::MustNot, true) | (Part::May, _) => {}
    }
    let outline = |rings: &Vec<String>| {
        if rings.is_empty() {
            Err(place().wrong(format!("{name} has a part without a ring"), "its outer boundary"))
        } else {
            rings.iter().map(|points| ring(&place, name, points)).collect()
        }
    };
    written.iter().map(outline).collect()
}

/// The points of a ring, `x,y x,y …`.
fn ring(place: impl Fn() -> EditionPlace, name: &str, written: &str) -> Result<Vec<[f32; 2]>, EditionError> {
    let number = |text: &str| text.parse().ok().filter(|number: &f32| number.is_finite());
    let point = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some([number(x)?, number(y)?])
    };
    let mut points = Vec::new();
    for text in written.split_ascii_whitespace() {
        match point(text) {
            Some(point) => points.push(point),
            None => return Err(place().wrong(format!("{name} has the point {text:?}"), "x,y in finite numbers")),
        }
    }
    match points.len() {
        0..3 => Err(place().wrong(format!("{name} has a ring of {} points", points.len()), "three at least")),
        _ => Ok(points),
    }
}
