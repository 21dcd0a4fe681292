//! What a player can reach: a row for each area where anything of the player's stands, with what is beside it.
//!
//! Comes in: what a player knows. Goes out: the same as plain data, for letters and programs, and in a line each for
//! letters.

use std::collections::BTreeSet;

use minijinja::{Value, context};
use serde::Serialize;

use super::facts::Facts;
use super::map::signs;
use super::templates::Templates;
use crate::game::conflict::tokens_for_a_city;
use crate::game::{Awaited, Command, Decision, Known, Owner, Phase, ShipCondition, movement};
use crate::rules::names::fold;
use crate::rules::{AreaId, Civ};

/// An area where a player has tokens, a city or ships.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The area and what stands there.
    pub place: Reached,
    /// Own tokens that the area cannot keep: more than may stay, and not enough for a city that silence builds. R5.11.
    pub surplus: u16,
    /// Whether silence builds a city of these tokens, if nothing changes before phase 5.
    pub builds: bool,
    /// The own ships there.
    pub ships: usize,
    /// Those of them that are lost without upkeep. R3.27.
    pub unkept: usize,
    /// What is beside it by land, in play.
    pub land: Vec<Reached>,
    /// Where a ship lands with one step, in play; land neighbours are not told twice.
    pub water: Vec<Reached>,
    /// Who could take the city that stands there.
    pub threats: Vec<Threat>,
}

/// An area as a player sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reached {
    pub area: AreaId,
    /// The player's own tokens.
    pub tokens: u16,
    /// How many of them may stay when surplus goes. R5.11, R5.12.
    pub room: u16,
    /// Whether a city site is printed there, and free.
    pub site: bool,
    /// Whose city stands there.
    pub city: Option<Owner>,
    /// The tokens of others.
    pub others: Vec<(Owner, u16)>,
}

/// Somebody who could take a city with their next movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Threat {
    pub civ: Civ,
    /// The most tokens the player could bring.
    pub tokens: u16,
    /// How many it takes. R4.20.
    pub needed: u16,
}

/// Every area where a player has anything, by the names of the areas.
pub fn reach(known: &Known, civ: Civ) -> Vec<Row> {
    let own = known.areas_of(Owner::Civ(civ)).chain(known.holding(civ).ships.iter().map(|ship| ship.area));
    let mut areas: Vec<AreaId> = own.collect();
    areas.sort_unstable();
    areas.dedup();
    let built = Phase::Cities.rules().silence(known, Awaited { civ, decision: Decision::Building });
    let builds =
        |area: AreaId| built.iter().any(|line| matches!(line, Command::BuildCity { area: at, .. } if *at == area));
    areas.into_iter().map(|area| row(known, civ, area, known.phase() <= Phase::Cities && builds(area))).collect()
}

fn row(known: &Known, civ: Civ, area: AreaId, builds: bool) -> Row {
    let printed = known.printed().map.area(area);
    let place = place(known, civ, area);
    let in_play = |areas: &[AreaId]| -> Vec<Reached> {
        let areas = areas.iter().copied().filter(|area| !known.ground(*area).out_of_play);
        areas.map(|area| self::place(known, civ, area)).collect()
    };
    let has_land = |area: &AreaId| known.printed().map.area(*area).has_land();
    let over_water = printed.water.iter().copied().filter(|area| has_land(area) && !printed.land.contains(area));
    let over_water: Vec<AreaId> = over_water.collect();
    let ships = || known.holding(civ).ships.iter().filter(|ship| ship.area == area);
    Row {
        surplus: if builds { 0 } else { place.tokens.saturating_sub(place.room) },
        builds,
        ships: ships().count(),
        unkept: ships().filter(|ship| ship.condition == ShipCondition::Old).count(),
        land: in_play(&printed.land),
        water: in_play(&over_water),
        threats: if place.city == Some(Owner::Civ(civ)) { threats(known, civ, area) } else { Vec::new() },
        place,
    }
}

fn place(known: &Known, civ: Civ, area: AreaId) -> Reached {
    let (own, ground) = (Owner::Civ(civ), known.ground(area));
    let others = ground.forces.iter().filter(|force| force.owner != own && force.count > 0);
    Reached {
        area,
        tokens: known.tokens(area, own),
        room: known.room(area, civ),
        site: ground.city.is_none() && known.printed().map.area(area).site.is_some(),
        city: ground.city.map(|city| city.owner),
        others: others.map(|force| (force.owner, force.count)).collect(),
    }
}

/// Who could bring enough, the strongest first.
fn threats(known: &Known, civ: Civ, area: AreaId) -> Vec<Threat> {
    let comers = movement::comers(known, area).into_iter().filter(|(other, _)| *other != civ);
    let threats = comers.map(|(other, tokens)| {
        let needed = tokens_for_a_city(known, Owner::Civ(other), Owner::Civ(civ));
        Threat { civ: other, tokens, needed }
    });
    let mut threats: Vec<Threat> = threats.filter(|threat| threat.tokens >= threat.needed).collect();
    threats.sort_by_key(|threat| (std::cmp::Reverse(threat.tokens), known.rank(threat.civ)));
    threats
}

impl Row {
    /// Whether something may be lost there: surplus, a ship, a city.
    pub(crate) fn is_in_danger(&self) -> bool {
        self.surplus > 0 || self.unkept > 0 || !self.threats.is_empty()
    }
}

/// A row in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Told {
    /// What stands there: `Petra 2/1 ⚠`.
    pub head: String,
    /// What is beside it: `Jericho (As 3), Jerusalem (your city)`.
    pub tail: String,
    /// Whether nothing is at stake there: no surplus, no ship, nobody else near.
    pub quiet: bool,
    /// Whether something may be lost there: surplus, a ship, a city.
    pub danger: bool,
}

/// The rows in words, for a letter.
pub fn told(templates: &Templates, known: &Known, rows: &[Row]) -> Vec<Told> {
    let facts = Facts::new(known.printed(), templates.language);
    let signs = signs(known.printed(), templates.language);
    let said = |place: &Reached| {
        let others = place.others.iter().map(|(owner, count)| context! { who => &signs[owner], count });
        let mine = place.city.is_some() && place.city.and_then(Owner::civ) == known.civ();
        context! {
            area => facts.area(place.area),
            tokens => place.tokens,
            room => place.room,
            site => place.site,
            city => place.city.map(|owner| signs[&owner].clone()),
            mine,
            others => others.collect::<Vec<_>>(),
        }
    };
    let beside = |places: &[Reached]| -> Vec<String> {
        let mut places: Vec<&Reached> = places.iter().collect();
        places.sort_by_key(|place| (fold(facts.names().area(place.area)), place.area));
        places.iter().map(|place| templates.say("reach", "beside", said(place))).collect()
    };
    let told = |row: &Row| {
        let threats = row.threats.iter().map(|threat| {
            context! { who => facts.civ(threat.civ), tokens => threat.tokens, needed => threat.needed }
        });
        let (surplus, builds, ships, unkept) = (row.surplus, row.builds, row.ships, row.unkept);
        let here = context! { surplus, builds, ships, unkept, ..said(&row.place) };
        let head = templates.say("reach", "head", here);
        let threats: Vec<Value> = threats.collect();
        let danger = row.is_in_danger();
        let is_quiet = surplus == 0 && ships == 0 && threats.is_empty() && !builds;
        let is_alone = row.place.others.is_empty() && row.land.iter().all(|beside| is_own(known, beside));
        let tail = context! {
            land => beside(&row.land),
            water => if ships > 0 { beside(&row.water) } else { Vec::new() },
            threats,
        };
        let tail = templates.say("reach", "tail", tail);
        Told { head, tail, quiet: is_quiet && is_alone, danger }
    };
    let mut rows: Vec<&Row> = rows.iter().collect();
    rows.sort_by_key(|row| (fold(facts.names().area(row.place.area)), row.place.area));
    rows.into_iter().map(told).collect()
}

/// Whether nobody else is there.
fn is_own(known: &Known, place: &Reached) -> bool {
    place.others.is_empty() && place.city.is_none_or(|owner| owner.civ() == known.civ())
}

/// The signs that the rows name others by, each with whose it is, so that a letter can explain them once. Of those that are
/// not `told` in full only the head is shown.
pub(crate) fn legend(templates: &Templates, known: &Known, rows: &[Row], told: &dyn Fn(&Row) -> bool) -> Vec<String> {
    let facts = Facts::new(known.printed(), templates.language);
    let signs = signs(known.printed(), templates.language);
    let me = known.civ().map(Owner::Civ);
    let places = rows.iter().flat_map(|row| {
        let land = row.land.iter().filter(|_| told(row));
        let water = row.water.iter().filter(|_| told(row) && row.ships > 0);
        land.chain(water).chain([&row.place])
    });
    let owners = places.flat_map(|place| place.city.into_iter().chain(place.others.iter().map(|(owner, _)| *owner)));
    let owners: BTreeSet<Owner> = owners.filter(|owner| Some(*owner) != me).collect();
    let named = owners.into_iter().filter_map(|owner| Some((owner, owner.civ()?)));
    named.map(|(owner, civ)| format!("{} {}", signs[&owner], facts.names().civ(civ))).collect()
}
