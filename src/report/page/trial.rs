//! A trial: what would come of lines that a browser shows, at each line and on the map.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::acknowledgement::{Acknowledgement, Numbered, ReadLetter, foreseen};
use super::super::preview::Seen;
use super::super::templates::Templates;
use super::advances::{Purchase, purchase};
use super::board::{Own, Whose, own};
use super::perils::{Peril, perils};
use crate::game::{Event, Known, LineId, Owner, Phase};
use crate::orders::sheet::Outcome;
use crate::rules::{AreaId, Civ};

/// What would come of a letter.
#[derive(Debug, Clone, Serialize)]
pub struct Tried {
    /// What its writer would be told.
    pub told: Acknowledgement,
    /// What became of each line of it.
    pub lines: Vec<Judged>,
    /// Own pieces after the own movement, for whatever is ordered next.
    pub own: Vec<Own>,
    /// What would stand where, if nobody else did anything: all areas where that is not what stands there now.
    pub places: Vec<Prospect>,
    /// The ways of own tokens and ships.
    pub ways: Vec<Way>,
    /// The treasury after the own movement.
    pub treasury: u16,
    /// What the calamities in the own hand would do then.
    pub perils: Vec<Peril>,
    /// What the Advances on the sheet come to.
    pub purchase: Option<Purchase>,
}

/// A line of a letter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// Its number in the letter.
    pub line: usize,
    /// The orders that were read in it, as they stand on the sheet.
    pub orders: Vec<String>,
    /// What would become of it.
    pub verdict: Fate,
    /// Why, and what would be possible.
    pub says: Vec<String>,
}

/// What would become of a line, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    Stands,
    /// It is judged when its phase comes.
    Later,
    /// It works at once, when it is sent.
    AtOnce,
    /// It is no order.
    Remark,
    /// It would find no occasion.
    Void,
    /// It is not allowed.
    Illegal,
    /// It could not be read.
    Unread,
}

/// An area as it would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Prospect {
    pub area: AreaId,
    /// The own tokens there.
    pub tokens: u16,
    /// How many may stay.
    pub room: u16,
    /// Whose city stands there.
    pub city: Option<Whose>,
    /// The own ships there.
    pub ships: usize,
}

/// The way of tokens or of a ship.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Way {
    /// From where, over what, to where.
    pub path: Vec<AreaId>,
    /// How many tokens walk or land.
    pub count: u16,
    /// Whether it is a ship's.
    pub by_ship: bool,
}

/// Says what would come of a letter.
pub fn tried(templates: &Templates, answered: &ReadLetter) -> Tried {
    let (told, forecast) = foreseen(templates, answered);
    let (now, civ) = (answered.known, answered.civ);
    let seen = Seen::of(now, &forecast, answered.sheet);
    let ends = |event: &Event| matches!(event, Event::MovementEnded { civ: who, .. } if *who == civ);
    let moved = forecast.events.iter().position(ends).filter(|_| now.phase() <= Phase::Movement);
    let moves = moved.map_or(&[][..], |end| &forecast.events[..end]);
    let then = now.after(moves);
    Tried {
        lines: judged(answered, &told),
        own: own(&then, civ),
        places: places(now, seen.known(), civ),
        ways: moves.iter().filter_map(|event| way(event, civ)).collect(),
        treasury: then.holding(civ).treasury,
        perils: perils(templates, now, civ, answered.sheet),
        purchase: purchase(templates, now, civ, answered.sheet),
        told,
    }
}

fn judged(answered: &ReadLetter, told: &Acknowledgement) -> Vec<Judged> {
    let standing = answered.sheet.standing().iter().zip(&told.sheet.standing).map(|(entry, line)| (entry.line, line));
    let mut numbered: BTreeMap<LineId, &Numbered> = standing.collect();
    for part in &told.sheet.parts {
        let entries = Phase::ALL.into_iter().find(|phase| phase.number() == part.phase);
        for entry in entries.iter().flat_map(|phase| answered.sheet.part(*phase)) {
            let line = part.lines.iter().find(|line| line.number == entry.number);
            numbered.extend(line.map(|line| (entry.line, line)));
        }
    }
    let mut lines: BTreeMap<usize, Judged> = BTreeMap::new();
    for answer in answered.answers {
        let line = lines.entry(answer.line).or_insert_with(|| Judged {
            line: answer.line,
            orders: Vec::new(),
            verdict: Fate::Stands,
            says: Vec::new(),
        });
        let verdict = match &answer.outcome {
            Outcome::Filed(filed) => filed.iter().filter_map(|id| numbered.get(id)).map(|told| line.take(told)).max(),
            Outcome::TakenBack(_) | Outcome::NotEnded(_) => None,
            Outcome::Remark | Outcome::Quoted => Some(Fate::Remark),
            Outcome::Sent(_) | Outcome::Held(_) | Outcome::Asked(_) | Outcome::Wished(_) => Some(Fate::AtOnce),
            Outcome::Fault(_) => Some(Fate::Unread),
            Outcome::Illegal(_) | Outcome::NoOccasion | Outcome::NoSuchName | Outcome::Beyond(_) => Some(Fate::Illegal),
        };
        line.verdict = line.verdict.max(verdict.unwrap_or(Fate::Stands));
    }
    for fault in told.understood.faults.iter().chain(&told.understood.doubts) {
        if let Some(line) = lines.get_mut(&fault.line) {
            line.says.push(fault.says.clone());
            line.says.extend(fault.hint.clone());
        }
    }
    for refused in &told.understood.refused {
        if let Some(line) = lines.get_mut(&refused.line) {
            line.says.push(refused.why.clone());
            line.says.extend(refused.hint.clone());
        }
    }
    lines.into_values().collect()
}

impl Judged {
    /// Notes an order of the line; says what would become of it.
    fn take(&mut self, told: &Numbered) -> Fate {
        self.orders.push(told.order.clone());
        self.says.extend([&told.illegal, &told.hint, &told.no_occasion].into_iter().flatten().cloned());
        match told {
            Numbered { illegal: Some(_), .. } => Fate::Illegal,
            Numbered { no_occasion: Some(_), .. } => Fate::Void,
            Numbered { later: true, .. } | Numbered { next_turn: true, .. } => Fate::Later,
            Numbered { .. } => Fate::Stands,
        }
    }
}

fn places(now: &Known, then: &Known, civ: Civ) -> Vec<Prospect> {
    let place = |known: &Known, area: AreaId| Prospect {
        area,
        tokens: known.tokens(area, Owner::Civ(civ)),
        room: known.room(area, civ),
        city: known.ground(area).city.map(|city| Whose(city.owner)),
        ships: known.ships_at(area, civ),
    };
    let areas = now.printed().map.ids();
    areas.map(|area| (place(now, area), place(then, area))).filter(|(was, is)| was != is).map(|(_, is)| is).collect()
}

fn way(event: &Event, civ: Civ) -> Option<Way> {
    match event {
        Event::TokensWalked { civ: who, count, path } if *who == civ => {
            Some(Way { path: path.clone(), count: *count, by_ship: false })
        }
        Event::ShipSailed { civ: who, route, stops, .. } if *who == civ => {
            let count = stops.iter().map(|stop| stop.landed).sum();
            Some(Way { path: route.clone(), count, by_ship: true })
        }
        _ => None,
    }
}
