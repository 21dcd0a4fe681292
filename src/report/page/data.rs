//! The data of the page, for its scripts.

use std::collections::BTreeMap;

use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

use super::advances::{Advances, advances};
use super::board::{Area, Livery, Own, Whose, areas, liveries, own};
use super::forms::{LineForm, forms};
use super::market::{Market, market};
use super::perils::{Peril, perils};
use super::plan::{Plan, plan};
use super::{Seat, assets};
use crate::game::{Owner, movement};
use crate::report::letters::{self, Wanted};
use crate::report::map;
use crate::report::names::Names;

/// Everything that scripts draw from.
#[derive(Debug, Clone, Serialize)]
pub struct Data {
    pub revision: String,
    /// The version of the scripts that this was made for.
    pub version: &'static str,
    /// The short name of the game, and its title.
    pub game: String,
    pub title: String,
    /// The seat as in addresses, and who sits there.
    pub seat: String,
    pub civ: Whose,
    pub turn: u16,
    /// The number of the open phase, and its name.
    pub phase: u8,
    pub phase_name: String,
    /// Until when orders are awaited, in words.
    pub cut_off: Option<String>,
    /// Who is awaited, by name.
    pub awaited: Vec<String>,
    /// Whether the game has ended.
    pub ended: bool,
    pub words: BTreeMap<String, String>,
    /// How lines are written.
    pub lines: BTreeMap<String, String>,
    /// Everybody on the board.
    pub owners: BTreeMap<Whose, Livery>,
    /// Every area in play.
    pub areas: Vec<Area>,
    /// Own pieces, and what can be ordered of them.
    pub own: Vec<Own>,
    /// The name of the map, and what of it concerns the seat: left, top, width, height.
    pub map: String,
    pub sight: [i32; 4],
    /// How many steps a new ship has, and how many tokens it holds.
    pub steps: u16,
    pub holds: u16,
    /// The own treasury and stock.
    pub treasury: u16,
    pub stock: u16,
    /// What of the sheet can still be changed.
    pub plan: Plan,
    pub forms: Vec<LineForm>,
    /// The own cards, and the board of the trade.
    pub market: Market,
    /// The calamities in the own hand.
    pub perils: Vec<Peril>,
    pub advances: Advances,
    /// The number of the last words that somebody wrote to the player: a browser remembers which it has shown.
    pub heard: i64,
    /// What is wanted, and what silence means; none where nothing is.
    pub wanted: Option<Wanted>,
}

/// The data of a seat.
pub fn data(seat: &Seat) -> Data {
    let Seat { known, civ, sheet, templates, .. } = *seat;
    let names = Names::new(known.printed(), templates.language);
    let holding = known.holding(civ);
    let moment = |moment| templates.say("moment", "full", Value::from(Serde(moment)));
    Data {
        revision: seat.newest.revision.to_owned(),
        version: assets::version(),
        game: seat.name.game.to_owned(),
        title: seat.name.title.to_owned(),
        seat: seat.name.slug.to_owned(),
        civ: Whose(Owner::Civ(civ)),
        turn: known.turn(),
        phase: known.phase().number(),
        phase_name: names.phase(known.phase()).to_owned(),
        cut_off: seat.cut_off.map(moment),
        awaited: seat.awaited.iter().map(|civ| names.civ(*civ).to_owned()).collect(),
        ended: seat.ended,
        words: templates.page.table("words").clone(),
        lines: templates.page.table("line").clone(),
        owners: liveries(templates, known),
        areas: areas(templates, known, civ),
        own: own(known, civ),
        map: seat.newest.map.to_owned(),
        sight: map::sight(known, civ),
        steps: movement::allowance(known, civ),
        holds: movement::holds(known, civ),
        treasury: holding.treasury,
        stock: holding.stock,
        plan: plan(templates, names, sheet, known.phase()),
        forms: forms(templates, known, civ),
        market: market(templates, known, civ),
        perils: perils(templates, known, civ, sheet),
        advances: advances(templates, known, civ),
        heard: seat.newest.heard,
        wanted: letters::wanted(templates, known, civ, sheet),
    }
}
