//! `calamities.toml`: every calamity once, with its numbers.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::error::{EditionError, within};
use super::{EditionFile, Keys};
use crate::rules::calamities::{Modifier, Victim};
use crate::rules::{Advance, Calamity, CalamityCard, CalamityClass};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CalamitiesFile {
    #[serde(default)]
    calamity: Vec<CalamityEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CalamityEntry {
    id: String,
    name: String,
    stack: u8,
    class: CalamityClass,
    tradeable: bool,
    order: u8,
    #[serde(default)]
    effect: BTreeMap<String, i32>,
    #[serde(default)]
    modifiers: Vec<ModifierEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModifierEntry {
    advance: String,
    field: String,
    delta: i32,
    when: Victim,
}

/// The calamities, in the order of [`Calamity::ALL`].
pub(super) fn read(file: &EditionFile) -> Result<Vec<CalamityCard>, EditionError> {
    let written: CalamitiesFile = file.parse()?;
    let calamities = Keys::of_enum("calamity", &Calamity::ALL);
    let advances = Keys::of_enum("advance", &Advance::ALL);
    calamities.check_each_once(file, written.calamity.iter().map(|entry| entry.id.as_str()))?;

    let mut orders = BTreeMap::new();
    let mut cards = Vec::new();
    for entry in written.calamity {
        let place = || file.place("calamity", &entry.id);
        let calamity = calamities.find(place, "id", &entry.id)?;
        within(place, "stack", entry.stack, 2..=9)?;
        within(place, "order", entry.order, 1..=24)?;
        if let Some(other) = orders.insert(entry.order, entry.id.clone()) {
            let found = format!("order is {}, as that of {other:?}", entry.order);
            return Err(place().wrong(found, "an order of its own"));
        }
        let mut modifiers = Vec::new();
        for modifier in entry.modifiers {
            modifiers.push(Modifier {
                advance: advances.find(place, "modifiers", &modifier.advance)?,
                field: modifier.field,
                delta: modifier.delta,
                when: modifier.when,
            });
        }
        cards.push(CalamityCard {
            calamity,
            key: entry.id,
            name: entry.name,
            stack: entry.stack,
            class: entry.class,
            tradeable: entry.tradeable,
            order: entry.order,
            effect: entry.effect.into_iter().collect(),
            modifiers,
        });
    }
    cards.sort_by_key(|card| card.calamity);
    Ok(cards)
}
