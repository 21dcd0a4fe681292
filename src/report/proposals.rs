//! What `ok` costs in the movement, and lines that would cost less.
//!
//! Comes in: what a player knows, and their sheet. Goes out: what would be lost if nobody else did anything, and
//! proposals that lose less, as lines of the order language. Whatever is proposed was tried by the ruling itself, on
//! what the player knows.

use std::collections::BTreeMap;

use minijinja::{Value, context};

use super::facts::Facts;
use super::templates::Templates;
use crate::game::event::Cause;
use crate::game::{Command, Count, Event, Known, Owner, Phase};
use crate::orders::{Forecast, Sheet, Verdict};
use crate::rules::{AreaId, Civ};

/// What would be lost.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Loss {
    /// Tokens that find no room. R5.11.
    pub surplus: BTreeMap<AreaId, u16>,
    /// Ships without upkeep. R3.27.
    pub ships: Vec<AreaId>,
    /// Tokens that fall where others stand, or before a city. R4.9, R4.22.
    pub fallen: BTreeMap<AreaId, u16>,
    /// Cities for which there are too few tokens. R5.14.
    pub cities: Vec<AreaId>,
}

/// Lines that may be filed together with the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// What the player writes behind `ok`; the form alone is the first.
    pub number: u16,
    pub lines: Vec<Command>,
    /// What would be lost with them.
    pub loss: Loss,
}

/// What `ok` would cost, and what else is proposed; none where no movement is open.
pub fn weighed(known: &Known, civ: Civ, sheet: &Sheet) -> Option<(Loss, Vec<Proposal>)> {
    if known.phase() != Phase::Movement || known.progress().acted.contains(&civ) {
        return None;
    }
    let plain = forecast(known, civ, sheet, &[]);
    let loss = Loss::of(&plain.events, civ);
    let state = before_end(known, &plain.events, civ);
    let mut left = loss.surplus.clone();
    let ships = upkeep(&state, civ, &loss.ships, &mut left);
    let both: Vec<Command> = ships.iter().cloned().chain(moves(&state, civ, &left)).collect();
    let mut proposals: Vec<Proposal> = Vec::new();
    for lines in [both, ships, moves(&state, civ, &loss.surplus)] {
        let is_known = proposals.iter().any(|known| known.lines == lines);
        if let Some(less) = tried(known, civ, sheet, &lines).filter(|less| !is_known && less.is_below(&loss)) {
            proposals.push(Proposal { number: proposals.len() as u16 + 2, lines, loss: less });
        }
    }
    Some((loss, proposals))
}

/// What would be lost with these lines, if all of them may stand.
fn tried(known: &Known, civ: Civ, sheet: &Sheet, lines: &[Command]) -> Option<Loss> {
    if lines.is_empty() {
        return None;
    }
    let filed = sheet.with_form(lines, Phase::Movement);
    let forecast = Forecast::of(known, civ, &filed, u64::MAX);
    let new = filed.part(Phase::Movement).iter().filter(|entry| entry.arrival == u64::MAX);
    let stands = new.clone().all(|entry| forecast.verdicts.get(&entry.line) == Some(&Verdict::Stands));
    (stands && new.count() > lines.len()).then(|| Loss::of(&forecast.events, civ))
}

fn forecast(known: &Known, civ: Civ, sheet: &Sheet, lines: &[Command]) -> Forecast {
    Forecast::of(known, civ, &sheet.with_form(lines, Phase::Movement), u64::MAX)
}

/// What is known when a player has moved, before their ships without upkeep go.
fn before_end(known: &Known, events: &[Event], civ: Civ) -> Known {
    let ends = |event: &Event| matches!(event, Event::MovementEnded { civ: who, .. } if *who == civ);
    let end = events.iter().position(ends).unwrap_or(0);
    known.after(&events[..end])
}

/// The upkeep of these ships, as far as it can be paid: from the treasury, or with a token that would be lost anyway.
fn upkeep(state: &Known, civ: Civ, ships: &[AreaId], surplus: &mut BTreeMap<AreaId, u16>) -> Vec<Command> {
    let mut treasury = state.holding(civ).treasury;
    let mut lines = Vec::new();
    for area in ships {
        let token_from = match treasury {
            0 => {
                let Some((from, left)) = surplus.iter_mut().find(|(_, left)| **left > 0) else { break };
                *left -= 1;
                Some(*from)
            }
            _ => {
                treasury -= 1;
                None
            }
        };
        lines.push(Command::MaintainShip { area: *area, token_from });
    }
    lines
}

/// Walks that bring tokens without room to where there is room and nobody else; those with the fewest ways go first.
fn moves(state: &Known, civ: Civ, surplus: &BTreeMap<AreaId, u16>) -> Vec<Command> {
    let own = Owner::Civ(civ);
    let map = &state.printed().map;
    let is_free = |area: AreaId| {
        let ground = state.ground(area);
        !ground.out_of_play && ground.forces.iter().all(|force| force.owner == own || force.count == 0)
    };
    let room = |area: AreaId| state.room(area, civ).saturating_sub(state.tokens(area, own));
    let mut free: BTreeMap<AreaId, u16> = BTreeMap::new();
    let mut from: Vec<(AreaId, u16, Vec<AreaId>)> = Vec::new();
    for (area, count) in surplus {
        let fresh = state.ground(*area).force(own).map_or(0, |force| force.fresh());
        let ways = map.area(*area).land.iter().copied().filter(|to| is_free(*to) && room(*to) > 0);
        let ways: Vec<AreaId> = ways.collect();
        free.extend(ways.iter().map(|to| (*to, room(*to))));
        from.push((*area, fresh.min(*count), ways));
    }
    from.sort_by_key(|(area, _, ways)| (ways.len(), *area));
    let mut lines = Vec::new();
    for (area, mut left, ways) in from {
        while left > 0 {
            let widest = ways.iter().copied().max_by_key(|to| (free[to], std::cmp::Reverse(*to)));
            let Some(to) = widest.filter(|to| free[to] > 0) else { break };
            let count = left.min(free[&to]);
            lines.push(Command::Move { count: Count::Exactly(count), path: vec![area, to] });
            *free.entry(to).or_default() -= count;
            left -= count;
        }
    }
    lines
}

impl Loss {
    /// What a player loses in these events.
    pub fn of(events: &[Event], civ: Civ) -> Loss {
        let own = Owner::Civ(civ);
        let mut loss = Loss::default();
        for event in events {
            match event {
                Event::SurplusRemoved { civ: who, area, count } if *who == civ => {
                    *loss.surplus.entry(*area).or_default() += count;
                }
                Event::MovementEnded { civ: who, lost } if *who == civ => loss.ships.extend(lost),
                Event::TokensFought { area, losses, .. } => {
                    let fallen: u16 = losses.iter().filter(|one| one.owner == own).map(|one| one.tokens).sum();
                    if fallen > 0 {
                        *loss.fallen.entry(*area).or_default() += fallen;
                    }
                }
                Event::AttackFailed { area, attacker, tokens, .. } if *attacker == own => {
                    *loss.fallen.entry(*area).or_default() += tokens;
                }
                Event::CityReduced { civ: who, area, why: Cause::Support, .. } if *who == civ => {
                    loss.cities.push(*area);
                }
                _ => {}
            }
        }
        loss
    }

    /// How much: cities, ships, tokens.
    fn weight(&self) -> [usize; 3] {
        let tokens: u16 = self.surplus.values().chain(self.fallen.values()).sum();
        [self.cities.len(), self.ships.len(), tokens.into()]
    }

    /// Whether this is less, and nothing of it more.
    fn is_below(&self, other: &Loss) -> bool {
        let mut pairs = self.weight().into_iter().zip(other.weight());
        self.weight() != other.weight() && pairs.all(|(less, more)| less <= more)
    }

    /// What a line would lose, in a sentence.
    pub(crate) fn told(&self, templates: &Templates, known: &Known, line: &str) -> String {
        let facts = Facts::new(known.printed(), templates.language);
        let places = |lost: &BTreeMap<AreaId, u16>| -> (u16, Vec<Value>) {
            let places = lost.iter().map(|(area, count)| context! { area => facts.area(*area), count });
            (lost.values().sum(), places.collect())
        };
        let mut parts: Vec<String> = Vec::new();
        for (key, lost) in [("lost_to_surplus", &self.surplus), ("lost_in_fights", &self.fallen)] {
            let (tokens, places) = places(lost);
            parts.extend((tokens > 0).then(|| templates.say("form", key, context! { tokens, places })));
        }
        for (key, lost) in [("lost_ships", &self.ships), ("lost_cities", &self.cities)] {
            let areas: Vec<Value> = lost.iter().map(|area| facts.area(*area)).collect();
            parts.extend((!areas.is_empty()).then(|| templates.say("form", key, context! { areas })));
        }
        templates.say("form", "cost", context! { line, parts })
    }
}
