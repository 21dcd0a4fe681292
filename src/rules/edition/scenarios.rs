//! `scenarios.toml`: who plays where, with how many.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::error::{EditionError, within};
use super::{CivKeys, EditionFile, Keys};
use crate::rules::{Block, Civ, Scenario, Side};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenariosFile {
    #[serde(default)]
    scenario: Vec<ScenarioEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioEntry {
    id: String,
    players: u8,
    map: Side,
    civilizations: Vec<String>,
    minor_calamities: bool,
    hand_limit: u8,
    start_credits: u8,
    trade_blocks: Vec<Block>,
    #[serde(default)]
    block_changes: BTreeMap<String, Block>,
}

/// The scenarios, in the order of the file.
pub(super) fn read(file: &EditionFile, civs: &CivKeys) -> Result<Vec<Scenario>, EditionError> {
    let written: ScenariosFile = file.parse()?;
    Keys::unique(&file.name, "scenario", written.scenario.iter().map(|entry| (entry.id.as_str(), ())))?;
    written.scenario.into_iter().map(|entry| scenario(file, entry, civs)).collect()
}

fn scenario(file: &EditionFile, entry: ScenarioEntry, civs: &CivKeys) -> Result<Scenario, EditionError> {
    let place = || file.place("scenario", &entry.id);
    within(place, "players", entry.players, 1..=u8::MAX)?;

    let named = entry.civilizations.len();
    if named != usize::from(entry.players) {
        let found = format!("civilizations names {named}");
        return Err(place().wrong(found, format!("as many as players, which is {}", entry.players)));
    }
    let civilizations: Vec<Civ> =
        entry.civilizations.iter().map(|key| civs.find(place, "civilizations", key)).collect::<Result<_, _>>()?;
    for (pair, keys) in civilizations.windows(2).zip(entry.civilizations.windows(2)) {
        if pair[0] >= pair[1] {
            let found = format!("civilizations has {:?} after {:?}", keys[1], keys[0]);
            return Err(place().wrong(found, "A.S.T.-ranking order, each once"));
        }
    }

    let blocks: &[Block] = match entry.map {
        Side::West => &[Block::West],
        Side::East => &[Block::East],
        Side::Both => &[Block::West, Block::East],
    };
    if entry.trade_blocks != blocks {
        return Err(place().wrong("trade_blocks has other blocks than the map", "the blocks of the map"));
    }

    let mut block_changes = Vec::new();
    for (key, block) in &entry.block_changes {
        let civ = civs.find(place, "block_changes", key)?;
        if !civilizations.contains(&civ) {
            return Err(place().wrong(format!("block_changes names {key:?}, who does not play"), "players only"));
        }
        if !blocks.contains(block) {
            return Err(place().wrong(format!("block_changes sends {key:?} to a block not in play"), "trade_blocks"));
        }
        block_changes.push((civ, *block));
    }
    block_changes.sort_unstable();
    Ok(Scenario {
        key: entry.id,
        players: entry.players,
        side: entry.map,
        civilizations,
        minor_calamities: entry.minor_calamities,
        hand_limit: entry.hand_limit,
        start_credits: entry.start_credits,
        trade_blocks: entry.trade_blocks,
        block_changes,
    })
}
