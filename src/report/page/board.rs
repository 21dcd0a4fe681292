//! The board for scripts: every area with its names, what stands there, and what lies beside it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::map;
use super::super::names::Names;
use super::super::reach::{Row, Threat, reach};
use super::super::templates::Templates;
use crate::game::{Command, Count, Known, Owner, Phase, ShipCondition, movement};
use crate::rules::{Advance, AreaId, AreaKind, Civ};

/// Whose something is: the number of a civilization, or `b` for nobody's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Whose(pub Owner);

impl Serialize for Whose {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Owner::Civ(civ) => serializer.collect_str(&civ.0),
            Owner::Barbarians => serializer.serialize_str("b"),
        }
    }
}

/// How an owner is told from the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Livery {
    pub name: String,
    pub sign: String,
    /// The player's colour, where the player has one.
    pub colour: Option<String>,
}

/// An area as the page shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Area {
    pub id: AreaId,
    pub name: String,
    /// `from Crete`, `to Crete`, `in Crete`, as an order says it.
    pub from: String,
    pub to: String,
    #[serde(rename = "in")]
    pub within: String,
    /// Whether tokens may stand there.
    pub land: bool,
    /// Whether ships may stand there.
    pub coast: bool,
    pub limit: u8,
    /// How many own tokens may stay.
    pub room: u16,
    /// Whether a city site is printed there.
    pub site: bool,
    /// Where its name stands on the map.
    pub at: [i32; 2],
    pub tokens: Vec<(Whose, u16)>,
    /// Whose city stands there.
    pub city: Option<Whose>,
    pub ships: Vec<(Whose, usize)>,
    /// The areas beside it by land.
    pub walks: Vec<AreaId>,
    /// The areas beside it by water, where an own ship may come.
    pub sails: Vec<AreaId>,
    /// Where own tokens from here may walk: to where, and over which area if it is not beside it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<(AreaId, Option<AreaId>)>,
    /// Who could take the own city there, with how many tokens, and how many are needed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub threats: Vec<(Whose, u16, u16)>,
    /// Own tokens that the area cannot keep.
    pub surplus: u16,
    /// Whether silence builds a city of them.
    pub builds: bool,
}

/// Own pieces in an area, as far as more can be ordered of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Own {
    pub area: AreaId,
    /// The own tokens there.
    pub tokens: u16,
    /// How many of them have not moved.
    pub fresh: u16,
    /// The steps that each usable ship has left.
    pub ships: Vec<u16>,
    /// How many ships are old: without upkeep they do not sail, and are lost.
    pub old: u16,
}

/// Every area in play.
pub(crate) fn areas(templates: &Templates, known: &Known, civ: Civ) -> Vec<Area> {
    let names = Names::new(known.printed(), templates.language);
    let printed = &known.printed().map;
    let place = map::place(known);
    let rows: BTreeMap<AreaId, Row> = reach(known, civ).into_iter().map(|row| (row.place.area, row)).collect();
    let threat = |threat: &Threat| (Whose(Owner::Civ(threat.civ)), threat.tokens, threat.needed);
    let in_play = |area: &AreaId| !known.ground(*area).out_of_play;
    let areas = printed.ids().filter(in_play).map(|id| {
        let (area, ground) = (printed.area(id), known.ground(id));
        let forces = ground.forces.iter().filter(|force| force.count > 0);
        let fleets = known.ranking().map(|civ| (Whose(Owner::Civ(civ)), known.ships_at(id, civ)));
        let open = |to: &AreaId| in_play(to) && movement::is_open(known, civ, *to);
        let sails = area.water.iter().copied().filter(open);
        let row = rows.get(&id);
        Area {
            id,
            name: names.area(id).to_owned(),
            from: names.area_from(id),
            to: names.area_to(id),
            within: names.area_in(id),
            land: area.has_land(),
            coast: matches!(area.kind, AreaKind::Coastal | AreaKind::Sea),
            limit: area.limit,
            room: known.room(id, civ),
            site: area.site.is_some(),
            at: place(id),
            tokens: forces.map(|force| (Whose(force.owner), force.count)).collect(),
            city: ground.city.map(|city| Whose(city.owner)),
            ships: fleets.filter(|(_, count)| *count > 0).collect(),
            walks: area.land.iter().copied().filter(in_play).collect(),
            sails: sails.collect(),
            reach: if row.is_some() { reachable(known, civ, id) } else { Vec::new() },
            threats: row.map_or_else(Vec::new, |row| row.threats.iter().map(threat).collect()),
            surplus: row.map_or(0, |row| row.surplus),
            builds: row.is_some_and(|row| row.builds),
        }
    });
    areas.collect()
}

/// Where a token may walk from an area, asked of the rules themselves: each area once, beside it before behind another.
fn reachable(known: &Known, civ: Civ, from: AreaId) -> Vec<(AreaId, Option<AreaId>)> {
    let may = |path: &[AreaId]| {
        let walk = Command::Move { count: Count::Exactly(1), path: path.to_vec() };
        Phase::Movement.rules().may_stand(known, civ, &walk).is_ok()
    };
    let beside = |area: AreaId| known.printed().map.area(area).land.iter().copied();
    let mut found: BTreeMap<AreaId, Option<AreaId>> =
        beside(from).filter(|to| may(&[from, *to])).map(|to| (to, None)).collect();
    if known.has(civ, Advance::Roadbuilding) {
        for over in beside(from) {
            for to in beside(over).filter(|to| *to != from) {
                if !found.contains_key(&to) && may(&[from, over, to]) {
                    found.insert(to, Some(over));
                }
            }
        }
    }
    found.into_iter().collect()
}

/// Own pieces wherever there are any.
pub(crate) fn own(known: &Known, civ: Civ) -> Vec<Own> {
    let mut own: BTreeMap<AreaId, Own> = BTreeMap::new();
    fn entry(own: &mut BTreeMap<AreaId, Own>, area: AreaId) -> &mut Own {
        own.entry(area).or_insert_with(|| Own { area, tokens: 0, fresh: 0, ships: Vec::new(), old: 0 })
    }
    for area in known.areas_of(Owner::Civ(civ)) {
        let here = entry(&mut own, area);
        if let Some(force) = known.ground(area).force(Owner::Civ(civ)) {
            (here.tokens, here.fresh) = (force.count, force.fresh());
        }
    }
    for ship in &known.holding(civ).ships {
        let here = entry(&mut own, ship.area);
        match ship.condition {
            ShipCondition::Old => here.old += 1,
            ShipCondition::Maintained | ShipCondition::New => {
                here.ships.push(movement::steps_left(known, civ, ship));
            }
        }
    }
    own.into_values().collect()
}

/// Everybody on the board.
pub(crate) fn liveries(templates: &Templates, known: &Known) -> BTreeMap<Whose, Livery> {
    let names = Names::new(known.printed(), templates.language);
    let signs = map::signs(known.printed(), templates.language);
    let owners = known.ranking().map(Owner::Civ).chain([Owner::Barbarians]);
    let livery = |owner: Owner| Livery {
        name: names.owner(owner).to_owned(),
        sign: signs.get(&owner).cloned().unwrap_or_default(),
        colour: owner.civ().map(|civ| map::badge(known.printed(), templates.language, civ).0),
    };
    owners.map(|owner| (Whose(owner), livery(owner))).collect()
}
