//! Calamities in the own hand: what each would do now, with the Advances that are there and the wishes on the sheet.
//!
//! Comes in: what a player knows, and a sheet. Goes out: for each calamity what it says and what would follow, as the ruling
//! itself would have it if it struck alone.

use serde::Serialize;

use super::super::names::Names;
use super::super::perils::{self, would};
use super::super::templates::Templates;
use crate::game::Known;
use crate::orders::Sheet;
use crate::rules::Civ;

/// A calamity in the hand, and what it would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Peril {
    pub name: String,
    pub rule: Vec<String>,
    /// What would happen if it struck now.
    pub would: Vec<String>,
    /// Whether it can still be traded away.
    pub tradeable: bool,
    /// How many others it draws in.
    pub victims: usize,
}

/// The calamities of a player, as they would strike with this sheet.
pub fn perils(templates: &Templates, known: &Known, civ: Civ, sheet: &Sheet) -> Vec<Peril> {
    let names = Names::new(known.printed(), templates.language);
    let told = perils::perils(known, civ, sheet).into_iter().map(|peril| {
        let card = &known.printed().calamities[peril.calamity as usize];
        let name = names.calamity(peril.calamity).to_owned();
        Peril {
            rule: templates.rules.titled(&name).map(|section| section.lines.clone()).unwrap_or_default(),
            would: would(templates, known, &peril),
            tradeable: card.tradeable,
            victims: peril.victims,
            name,
        }
    });
    told.collect()
}
