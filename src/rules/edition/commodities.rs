//! `trade_cards.toml`: the commodities and how many of each there are.

use serde::Deserialize;

use super::error::{EditionError, within};
use super::{EditionFile, Keys};
use crate::rules::{Block, Commodity, CommodityCard};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TradeCardsFile {
    #[serde(default)]
    commodity: Vec<CommodityEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommodityEntry {
    id: String,
    name: String,
    stack: u8,
    cards: u8,
    single_blocks: Vec<Block>,
    single_min_players: u8,
    double_min_players: u8,
    west_cards: u8,
    east_cards: u8,
}

/// The commodities, in the order of the file.
pub(super) fn read(file: &EditionFile) -> Result<Vec<CommodityCard>, EditionError> {
    let written: TradeCardsFile = file.parse()?;
    if u8::try_from(written.commodity.len()).is_err() {
        return Err(file.place("", "").wrong(format!("{} commodities", written.commodity.len()), "255 at most"));
    }
    let keys = (0..).zip(&written.commodity).map(|(id, entry)| (entry.id.as_str(), Commodity(id)));
    let keys = Keys::unique(&file.name, "commodity", keys)?;
    if keys.has("water") {
        return Err(file.place("commodity", "water").wrong("water is listed", "commodities of the stacks only"));
    }
    written.commodity.into_iter().map(|entry| commodity(file, entry)).collect()
}

fn commodity(file: &EditionFile, entry: CommodityEntry) -> Result<CommodityCard, EditionError> {
    let place = || file.place("commodity", &entry.id);
    within(place, "stack", entry.stack, 1..=9)?;
    within(place, "cards", entry.cards, 1..=u8::MAX)?;
    if u16::from(entry.west_cards) + u16::from(entry.east_cards) != u16::from(entry.cards) {
        let found = format!("west_cards is {} and east_cards {}", entry.west_cards, entry.east_cards);
        return Err(place().wrong(found, format!("together the {} of cards", entry.cards)));
    }
    match entry.single_blocks.as_slice() {
        [_] | [Block::West, Block::East] => {}
        _ => return Err(place().wrong("single_blocks has other blocks", "west, east, or west and east")),
    }
    Ok(CommodityCard {
        key: entry.id,
        name: entry.name,
        stack: entry.stack,
        cards: entry.cards,
        single_blocks: entry.single_blocks,
        single_min_players: entry.single_min_players,
        double_min_players: entry.double_min_players,
        west_cards: entry.west_cards,
        east_cards: entry.east_cards,
    })
}
