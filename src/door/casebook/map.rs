//! A page's own little map.

use super::page::{Block, Unreadable};
use crate::orders::lexemes::fold;
use crate::rules::map::Feature;
use crate::rules::{Area, AreaId, AreaKind, CitySite, Map};

/// The name an out-of-play area carries until the position takes note of it.
pub(crate) const OUT_OF_PLAY: &str = "out of play";

/// Reads a `map` block.
pub(crate) fn parse(block: &Block) -> Result<Map, Unreadable> {
    let mut map = Map::default();
    for (number, line) in &block.lines {
        let (name, _) = split(*number, line)?;
        if find(&map, name).is_some() {
            return Err(Unreadable::at(*number, format!("every area once; {name} stands here a second time")));
        }
        map.areas.push(area(name));
    }
    for (id, (number, line)) in (0..).map(AreaId).zip(&block.lines) {
        let (_, properties) = split(*number, line)?;
        for property in properties.split(';').map(str::trim).filter(|property| !property.is_empty()) {
            add(&mut map, id, *number, property)?;
        }
    }
    for area in &mut map.areas {
        if area.kind == AreaKind::Land && !area.water.is_empty() {
            area.kind = AreaKind::Coastal;
        }
        area.land.sort_unstable();
        area.land.dedup();
        area.water.sort_unstable();
        area.water.dedup();
    }
    Ok(map)
}

fn split(number: usize, line: &str) -> Result<(&str, &str), Unreadable> {
    let (name, properties) =
        line.split_once(':').ok_or_else(|| Unreadable::at(number, "`NAME: property; property`"))?;
    if fold(name).is_empty() {
        Err(Unreadable::at(number, "the name of an area before the colon"))
    } else {
        Ok((name.trim(), properties))
    }
}

fn area(name: &str) -> Area {
    Area { key: fold(name).replace(' ', "_"), name: name.to_owned(), ..Area::default() }
}

fn find(map: &Map, name: &str) -> Option<AreaId> {
    let folded = fold(name);
    map.ids().find(|id| fold(&map.area(*id).name) == folded)
}

fn add(map: &mut Map, id: AreaId, number: usize, property: &str) -> Result<(), Unreadable> {
    let area = &mut map.areas[usize::from(id.0)];
    let (word, rest) = property.split_once(' ').unwrap_or((property, ""));
    match (word, property) {
        (_, "city site") => area.site = Some(CitySite::Black),
        (_, "white city site") => area.site = Some(CitySite::White),
        (_, "sea") => area.kind = AreaKind::Sea,
        (_, "open sea") => area.kind = AreaKind::OpenSea,
        (_, "desert") => area.desert = true,
        (_, OUT_OF_PLAY) => area.aliases.push(OUT_OF_PLAY.to_owned()),
        ("limit", _) => {
            area.limit = rest.trim().parse().map_err(|_| Unreadable::at(number, "`limit` and a number"))?;
        }
        ("land" | "water", _) => {
            for name in rest.split(',') {
                let other = find(map, name)
                    .ok_or_else(|| Unreadable::at(number, format!("an area of this map, not `{}`", name.trim())))?;
                for (from, to) in [(id, other), (other, id)] {
                    let area = &mut map.areas[usize::from(from.0)];
                    if word == "land" {
                        area.land.push(to)
                    } else {
                        area.water.push(to)
                    };
                }
            }
        }
        ("flood", _) if rest.starts_with("plain") => {
            let name = rest["plain".len()..].trim().to_owned();
            let plain = feature(&mut map.flood_plains, name, id);
            map.areas[usize::from(id.0)].features.flood_plain = Some(plain);
        }
        ("volcano", _) => {
            let name = if rest.is_empty() { area.name.clone() } else { rest.trim().to_owned() };
            let volcano = feature(&mut map.volcanoes, name, id);
            map.areas[usize::from(id.0)].features.volcano = Some(volcano);
        }
        _ => {
            let known = "`limit N`, `city site`, `white city site`, `land A, B`, `water A, B`, `sea`, `open sea`, \
                         `out of play`, `flood plain NAME`, `volcano`, `volcano NAME` or `desert`";
            return Err(Unreadable::at(number, format!("{known}, not `{property}`")));
        }
    }
    Ok(())
}

/// The feature of that name, with one area more.
fn feature(features: &mut Vec<Feature>, name: String, area: AreaId) -> usize {
    let known = features.iter().position(|feature| fold(&feature.name) == fold(&name));
    let index = known.unwrap_or_else(|| {
        features.push(Feature { key: fold(&name).replace(' ', "_"), name, areas: Vec::new(), position: None });
        features.len() - 1
    });
    features[index].areas.push(area);
    index
}
