//! `advances.toml`: every advance once, with its cost and credits.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::error::{EditionError, within};
use super::{EditionFile, Keys};
use crate::rules::{Advance, AdvanceCard, Group};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdvancesFile {
    #[serde(default)]
    advance: Vec<AdvanceEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdvanceEntry {
    id: String,
    name: String,
    cost: u16,
    victory_points: u8,
    groups: Vec<Group>,
    #[serde(default)]
    credits: BTreeMap<Group, u16>,
    credit_to: Option<String>,
    credit_to_amount: Option<u16>,
}

/// The advances, in the order of [`Advance::ALL`].
pub(super) fn read(file: &EditionFile) -> Result<Vec<AdvanceCard>, EditionError> {
    let written: AdvancesFile = file.parse()?;
    let advances = Keys::of_enum("advance", &Advance::ALL);
    advances.check_each_once(file, written.advance.iter().map(|entry| entry.id.as_str()))?;
    let mut cards: Vec<AdvanceCard> =
        written.advance.into_iter().map(|entry| advance(file, entry, &advances)).collect::<Result<_, _>>()?;
    cards.sort_by_key(|card| card.advance);
    Ok(cards)
}

fn advance(file: &EditionFile, entry: AdvanceEntry, advances: &Keys<Advance>) -> Result<AdvanceCard, EditionError> {
    let place = || file.place("advance", &entry.id);
    within(place, "cost", entry.cost, 1..=u16::MAX)?;
    if !matches!(entry.victory_points, 1 | 3 | 6) {
        return Err(place().wrong(format!("victory_points is {}", entry.victory_points), "1, 3 or 6"));
    }
    match entry.groups.as_slice() {
        [_] => {}
        [one, other] if one < other => {}
        _ => return Err(place().wrong("groups has other groups", "one group, or two in alphabetical order")),
    }
    let credit_to = match (&entry.credit_to, entry.credit_to_amount) {
        (Some(key), Some(amount)) => Some((advances.find(place, "credit_to", key)?, amount)),
        (None, None) => None,
        (Some(_), None) => return Err(place().wrong("credit_to is alone", "credit_to_amount with it")),
        (None, Some(_)) => return Err(place().wrong("credit_to_amount is alone", "credit_to with it")),
    };
    Ok(AdvanceCard {
        advance: advances.find(place, "id", &entry.id)?,
        key: entry.id,
        name: entry.name,
        cost: entry.cost,
        victory_points: entry.victory_points,
        groups: entry.groups,
        credits: entry.credits.into_iter().collect(),
        credit_to,
    })
}
