//! A player's movement in a sentence or two.

use std::collections::{BTreeMap, BTreeSet};

use super::Told;
use super::names::{Names, counted, listed};
use crate::game::{Event, Owner, State};
use crate::rules::{AreaId, Civ};

/// Tokens for a city on a site. R5.3.
const CITY: u16 = 6;

/// One line for each player whose movement ended, and for each who is asked.
pub fn sentences(names: Names, before: &State, told: &[(Told, &Event)]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut moves = Moves::default();
    for (_, event) in told {
        match event {
            Event::TurnAwaited { civ } => lines.push(format!("{} is asked for its movement.", names.civ(*civ))),
            Event::MovementEnded { civ, lost } => {
                moves.lost = lost.clone();
                lines.push(std::mem::take(&mut moves).sentence(names, before, *civ));
            }
            other => moves.note(names, other),
        }
    }
    lines
}

/// What a player has done so far.
#[derive(Default)]
struct Moves {
    came: BTreeMap<AreaId, u16>,
    left: BTreeMap<AreaId, u16>,
    ships: Vec<String>,
    lost: Vec<AreaId>,
}

impl Moves {
    fn note(&mut self, names: Names, event: &Event) {
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
                let paid = tokens.iter().map(|(_, count)| *count).sum::<u16>();
                let price = match (treasury, paid) {
                    (treasury, 0) => format!("{treasury} treasury"),
                    (0, tokens) => counted(tokens, "token", "tokens"),
                    (treasury, tokens) => format!("{treasury} treasury and {}", counted(tokens, "token", "tokens")),
                };
                self.ships.push(format!("builds a ship in {} for {price}", names.area(*area)));
            }
            Event::ShipMaintained { area, .. } => {
                self.ships.push(format!("keeps its ship in {} afloat", names.area(*area)));
            }
            Event::ShipScrapped { area, .. } => self.ships.push(format!("scraps a ship in {}", names.area(*area))),
            Event::ShipSailed { route, stops, .. } => {
                for stop in stops {
                    *self.left.entry(stop.area).or_default() += stop.loaded + stop.reloaded;
                }
                if let [from, .., to] = route[..] {
                    let aboard = stops.iter().map(|stop| stop.landed).sum::<u16>();
                    let from = names.area(from);
                    let cargo = if aboard == 0 { "it empty".into() } else { counted(aboard, "token", "tokens") };
                    let landings: Vec<_> = stops.iter().filter(|stop| stop.landed > 0).map(|stop| stop.area).collect();
                    let to = if landings.is_empty() { names.area(to).to_owned() } else { names.areas(&landings) };
                    // A ship that sails at once needs one breath to tell.
                    match self.ships.last_mut().filter(|last| last.contains(&format!("ship in {from} "))) {
                        Some(last) => *last += &format!(" and sails {cargo} to {to}"),
                        None => self.ships.push(format!("sails {cargo} from {from} to {to}")),
                    }
                }
            }
            _ => {}
        }
    }

    fn sentence(self, names: Names, before: &State, civ: Civ) -> String {
        let own = Owner::Civ(civ);
        let (mut attacks, mut intrusions, mut gatherings, mut spread) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut within = 0;
        for (&area, &count) in &self.came {
            let ground = before.ground(area);
            let others: BTreeSet<_> = ground.forces.iter().map(|force| force.owner).filter(|o| *o != own).collect();
            let had = before.tokens(area, own);
            let standing = had + count - self.left.get(&area).unwrap_or(&0).min(&had);
            match ground.city.filter(|city| city.owner != own) {
                Some(city) => attacks.push(format!(
                    "marches {} against {}, a city of {}",
                    counted(count, "token", "tokens"),
                    names.area(area),
                    names.owner(city.owner)
                )),
                None if !others.is_empty() => intrusions.push(format!(
                    "{} ({count}, held by {})",
                    names.area(area),
                    listed(others.into_iter().map(|owner| names.owner(owner)))
                )),
                None if standing >= CITY && before.printed().map.area(area).site.is_some() => gatherings.push(area),
                None if had == 0 => spread.push(area),
                None => within += count,
            }
        }
        let mut deeds = attacks;
        let mut tell =
            |deed: &str, places: String| deeds.extend((!places.is_empty()).then(|| format!("{deed} {places}")));
        tell("pushes into", listed(intrusions));
        tell("gathers a city's six in", names.areas(&gatherings));
        tell("spreads to", names.areas(&spread));
        tell("shifts", if within > 0 { counted(within, "token", "tokens") + " at home" } else { String::new() });
        let mut at_sea = self.ships;
        match self.lost.len() {
            0 => {}
            1 => at_sea.push(format!("lets its old ship in {} rot", names.areas(&self.lost))),
            _ => at_sea.push(format!("lets its old ships in {} rot", names.areas(&self.lost))),
        }
        let name = names.civ(civ);
        match (deeds.is_empty(), at_sea.is_empty()) {
            (true, true) => format!("{name} stays where it is."),
            (false, true) => format!("{name} {}.", one_after_another(deeds)),
            (true, false) => format!("{name} {}.", one_after_another(at_sea)),
            (false, false) => {
                format!("{name} {}. At sea it {}.", one_after_another(deeds), one_after_another(at_sea))
            }
        }
    }
}

/// Deeds that hold lists themselves: `goes to a and b, and does c`.
fn one_after_another(mut deeds: Vec<String>) -> String {
    match (deeds.pop(), deeds.is_empty()) {
        (None, _) => String::new(),
        (Some(only), true) => only,
        (Some(last), false) => format!("{}, and {last}", deeds.join(", ")),
    }
}
