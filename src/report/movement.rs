//! A player's movement in a sentence or two.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::{Value, context};

use super::narrator::{Narrator, Tale, civs};
use crate::game::event::Stop;
use crate::game::{Event, Known, Owner, Told};
use crate::rules::{AreaId, Civ};

/// Tokens for a city on a site. R5.3.
const CITY: u16 = 6;

/// Cities that the same account tells of as built.
pub(crate) type Built = BTreeSet<(Civ, AreaId)>;

/// One line for each player whose movement ended, and for each who is asked. A city that was built of what came together is
/// told when it stands.
pub(crate) fn tales(narrator: Narrator, before: &Known, told: &[(Told, &Event)], built: &Built) -> Vec<Tale> {
    let mut tales = Vec::new();
    let mut moves = Moves::default();
    for (_, event) in told {
        match event {
            Event::TurnAwaited { civ } => {
                tales.push(narrator.tale("asked", &[*civ], context! { who => narrator.civ(*civ) }));
            }
            Event::MovementEnded { civ, lost } => {
                moves.lost = lost.clone();
                tales.extend(std::mem::take(&mut moves).tale(narrator, before, *civ, built));
            }
            other => moves.note(narrator, other),
        }
    }
    tales
}

/// What a player has done so far.
#[derive(Default)]
struct Moves {
    came: BTreeMap<AreaId, u16>,
    left: BTreeMap<AreaId, u16>,
    ships: Vec<Voyage>,
    lost: Vec<AreaId>,
}

/// What happened to a ship: its upkeep or its building, and how it sailed.
struct Voyage {
    at: AreaId,
    /// The phrase that says how it came to be used; none where it has been told.
    deed: Option<(&'static str, Value)>,
    sailed: Option<Value>,
}

impl Moves {
    fn note(&mut self, narrator: Narrator, event: &Event) {
        match event {
            Event::TokensWalked { count, path, .. } => {
                if let [from, .., to] = path[..] {
                    *self.left.entry(from).or_default() += count;
                    *self.came.entry(to).or_default() += count;
                }
            }
            Event::ShipBuilt { area, treasury, tokens, .. } => {
                for (area, count) in tokens {
                    *self.left.entry(*area).or_default() += count;
                }
                let tokens = tokens.iter().map(|(_, count)| *count).sum::<u16>();
                self.prepare(*area, "ship_built", context! { area => narrator.area(*area), treasury, tokens });
            }
            Event::ShipMaintained { area, .. } => {
                self.prepare(*area, "ship_kept", context! { area => narrator.area(*area) });
            }
            Event::ShipScrapped { area, .. } => {
                self.prepare(*area, "ship_scrapped", context! { area => narrator.area(*area) });
            }
            Event::ShipSailed { route, stops, .. } => self.sail(narrator, route, stops),
            _ => {}
        }
    }

    fn prepare(&mut self, at: AreaId, key: &'static str, facts: Value) {
        self.ships.push(Voyage { at, deed: Some((key, facts)), sailed: None });
    }

    fn sail(&mut self, narrator: Narrator, route: &[AreaId], stops: &[Stop]) {
        for stop in stops {
            *self.left.entry(stop.area).or_default() += stop.loaded + stop.reloaded;
        }
        let [from, .., to] = route[..] else { return };
        let aboard = stops.iter().map(|stop| stop.landed).sum::<u16>();
        let landings: Vec<_> = stops.iter().filter(|stop| stop.landed > 0).map(|stop| stop.area).collect();
        let to = if landings.is_empty() { vec![to] } else { landings };
        let sailed = context! { from => narrator.area(from), to => narrator.facts.areas(to), aboard };
        // A ship that sails at once needs one breath to tell.
        match self.ships.last_mut().filter(|ship| ship.at == from && ship.sailed.is_none()) {
            Some(ship) => ship.sailed = Some(sailed),
            None => self.ships.push(Voyage { at: from, deed: None, sailed: Some(sailed) }),
        }
    }

    fn tale(self, narrator: Narrator, before: &Known, civ: Civ, built: &Built) -> Option<Tale> {
        let own = Owner::Civ(civ);
        let (mut attacks, mut intrusions, mut gatherings, mut spread) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut within, mut about) = (0, vec![civ]);
        for (&area, &count) in &self.came {
            let ground = before.ground(area);
            let others: BTreeSet<_> = ground.forces.iter().map(|force| force.owner).filter(|o| *o != own).collect();
            let had = before.tokens(area, own);
            let standing = had + count - self.left.get(&area).unwrap_or(&0).min(&had);
            match ground.city.filter(|city| city.owner != own) {
                Some(city) => {
                    about.extend(city.owner.civ());
                    attacks.push(context! { area => narrator.area(area), count, of => narrator.owner(city.owner) });
                }
                None if !others.is_empty() => {
                    about.extend(civs(others.iter().copied()));
                    let others = Value::from_iter(others.into_iter().map(|owner| narrator.owner(owner)));
                    intrusions.push(context! { area => narrator.area(area), count, others });
                }
                None if standing >= CITY && before.printed().map.area(area).site.is_some() => gatherings.push(area),
                None if had == 0 => spread.push(area),
                None => within += count,
            }
        }
        let come = gatherings.len();
        gatherings.retain(|area| !built.contains(&(civ, *area)));
        let is_told_later = gatherings.len() < come;
        let who = narrator.civ(civ);
        let say = |key: &str, facts: Value| narrator.part(key, context! { who => who.clone(), ..facts });
        let areas = |areas: Vec<AreaId>| context! { areas => narrator.facts.areas(areas) };
        let mut deeds: Vec<String> = attacks.into_iter().map(|attack| say("marches", attack)).collect();
        deeds.extend((!intrusions.is_empty()).then(|| say("pushes", context! { places => intrusions })));
        deeds.extend((!gatherings.is_empty()).then(|| say("gathers", areas(gatherings))));
        deeds.extend((!spread.is_empty()).then(|| say("spreads", areas(spread))));
        deeds.extend((within > 0).then(|| say("shifts", context! { count => within })));
        let mut at_sea: Vec<String> = Vec::new();
        for ship in self.ships {
            let deed = ship.deed.map(|(key, facts)| say(key, facts));
            let joined = deed.is_some();
            let sailed = ship.sailed.map(|sailed| say("sails", context! { joined, ..sailed }));
            at_sea.push(deed.into_iter().chain(sailed).collect::<Vec<_>>().join(" "));
        }
        at_sea.extend((!self.lost.is_empty()).then(|| say("rots", areas(self.lost))));
        about.sort_unstable();
        about.dedup();
        let is_told = is_told_later && deeds.is_empty() && at_sea.is_empty();
        (!is_told).then(|| narrator.tale("movement", &about, context! { who => who.clone(), deeds, at_sea }))
    }
}
