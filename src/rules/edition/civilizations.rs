//! `civilizations.toml`: the civilizations in A.S.T.-ranking order, their pieces, and the A.S.T.

use serde::Deserialize;

use super::error::{EditionError, within};
use super::{AreaKeys, CivKeys, EditionFile, Keys};
use crate::rules::ast::{Ast, Requirement, Track, Victory};
use crate::rules::{Block, Civ, Civilization, Map, Pieces};

/// `civilizations.toml` as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CivilizationsFile {
    pieces: PiecesEntry,
    victory: Victory,
    ast: AstEntry,
    #[serde(default)]
    civilization: Vec<CivilizationEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PiecesEntry {
    tokens: u16,
    cities: u8,
    ships: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AstEntry {
    basic: TrackEntry,
    expert: TrackEntry,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TrackEntry {
    last_step: u8,
    extra_final_turn: bool,
    step_back_without_cities: bool,
    requirements: RequirementsEntry,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequirementsEntry {
    stone: Requirement,
    early_bronze: Requirement,
    middle_bronze: Requirement,
    late_bronze: Requirement,
    early_iron: Requirement,
    late_iron: Requirement,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CivilizationEntry {
    id: String,
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    ast_rank: u8,
    block: Block,
    start: Option<String>,
    color: String,
    basic: EpochsEntry,
    expert: EpochsEntry,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(deny_unknown_fields)]
struct EpochsEntry {
    early_bronze: u8,
    middle_bronze: u8,
    late_bronze: u8,
    early_iron: u8,
    late_iron: u8,
}

impl CivilizationsFile {
    /// The keys of the civilizations, whose ranks have no gaps.
    pub(super) fn keys(&self, file: &EditionFile) -> Result<CivKeys, EditionError> {
        let keys = self.civilization.iter().map(|entry| (entry.id.as_str(), Civ(entry.ast_rank.saturating_sub(1))));
        let keys = Keys::unique(&file.name, "civilization", keys)?;
        for (rank, entry) in (1usize..).zip(self.ranked()) {
            if usize::from(entry.ast_rank) != rank {
                let found = format!("ast_rank is {}", entry.ast_rank);
                let expected = format!("{rank}, for ranks run from 1 without gaps, each once");
                return Err(file.place("civilization", &entry.id).wrong(found, expected));
            }
        }
        Ok(keys)
    }

    fn ranked(&self) -> Vec<&CivilizationEntry> {
        let mut ranked: Vec<_> = self.civilization.iter().collect();
        ranked.sort_by_key(|entry| entry.ast_rank);
        ranked
    }
}

/// The civilizations, what each owns, and the A.S.T.
pub(super) fn build(
    file: &EditionFile,
    written: CivilizationsFile,
    areas: &AreaKeys,
    map: &Map,
) -> Result<(Vec<Civilization>, Pieces, Ast), EditionError> {
    let mut civilizations = Vec::new();
    for (rank, entry) in (0..).zip(written.ranked()) {
        civilizations.push(civilization(file, entry, Civ(rank), areas, map)?);
    }
    let rows = |side: fn(&CivilizationEntry) -> EpochsEntry| -> Vec<(String, EpochsEntry)> {
        written.ranked().into_iter().map(|entry| (entry.id.clone(), side(entry))).collect()
    };
    let (basic, expert) = (rows(|entry| entry.basic), rows(|entry| entry.expert));
    let pieces = written.pieces;
    let ast = Ast {
        basic: track(file, "basic", written.ast.basic, basic)?,
        expert: track(file, "expert", written.ast.expert, expert)?,
        victory: written.victory,
    };
    Ok((civilizations, Pieces { tokens: pieces.tokens, cities: pieces.cities, ships: pieces.ships }, ast))
}

fn civilization(
    file: &EditionFile,
    entry: &CivilizationEntry,
    civ: Civ,
    areas: &AreaKeys,
    map: &Map,
) -> Result<Civilization, EditionError> {
    let place = || file.place("civilization", &entry.id);
    let start = entry.start.as_ref().map(|key| areas.find(place, "start", key)).transpose()?;
    if let Some(start) = start
        && map.area(start).region != Some(civ)
    {
        let found = format!("start is {:?}, which lies outside its region", map.area(start).key);
        return Err(place().wrong(found, format!("an area whose region is {:?}", entry.id)));
    }
    let digits = entry.color.strip_prefix('#').unwrap_or_default();
    if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(place().wrong(format!("color is {:?}", entry.color), "#rrggbb"));
    }
    Ok(Civilization {
        key: entry.id.clone(),
        name: entry.name.clone(),
        aliases: entry.aliases.clone(),
        block: entry.block,
        start,
        color: entry.color.clone(),
    })
}

/// One side of the A.S.T., with a row for each civilization.
fn track(
    file: &EditionFile,
    side: &str,
    entry: TrackEntry,
    rows: Vec<(String, EpochsEntry)>,
) -> Result<Track, EditionError> {
    let mut starts = Vec::new();
    for (key, row) in rows {
        let row = [1, row.early_bronze, row.middle_bronze, row.late_bronze, row.early_iron, row.late_iron];
        let place = || file.place("civilization", &key);
        if !row.is_sorted_by(|earlier, later| earlier < later) {
            return Err(place().wrong(format!("{side} has the epochs begin at {row:?}"), "each after the one before"));
        }
        within(place, &format!("late_iron of {side}"), row[5], 1..=entry.last_step)?;
        starts.push(row);
    }
    let asked = entry.requirements;
    Ok(Track {
        last_step: entry.last_step,
        extra_final_turn: entry.extra_final_turn,
        step_back_without_cities: entry.step_back_without_cities,
        requirements: [
            asked.stone,
            asked.early_bronze,
            asked.middle_bronze,
            asked.late_bronze,
            asked.early_iron,
            asked.late_iron,
        ],
        starts,
    })
}
