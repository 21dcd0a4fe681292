//! Calamities of the own hand: what each would do now, and what its holder may choose about it.
//!
//! Comes in: what a player knows, and their sheet. Goes out: for each calamity that they hold what would follow if it
//! struck alone, whom they may name, and lines worth sending. A line is given only where the ruling itself takes it: it
//! was tried on what the player knows. The form of a letter and the order page tell the same.

use std::collections::{BTreeMap, BTreeSet};

use super::fate;
use super::narrator::Narrator;
use super::templates::Templates;
use crate::game::command::Wish;
use crate::game::event::Cause;
use crate::game::{Command, Commands, Event, Filed, Known, LineId, Owner, Phase, Told};
use crate::orders::{Sheet, course};
use crate::rules::{AreaId, Calamity, Civ, Face};

/// A calamity in the hand, as it would strike now.
#[derive(Debug, Clone)]
pub struct Peril {
    pub calamity: Calamity,
    /// What the ruling would record of it.
    pub events: Vec<Event>,
    /// How many others it draws in.
    pub victims: usize,
    pub choices: Vec<Choice>,
    /// Lines that choose something, as it would be chosen without them where there is such a default.
    pub lines: Vec<Command>,
}

/// What the holder of a calamity may choose, and from what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Others who are drawn into it.
    Victims(Vec<Civ>),
    /// Cities that are reduced.
    Reduce(Vec<AreaId>),
    /// What is destroyed or annexed.
    Lose(Vec<AreaId>),
    /// What stays to the last.
    Spare(Vec<AreaId>),
    Ransom,
    Discard,
}

/// The most areas that a line worth sending names.
const MOST_NAMED: usize = 6;

/// The calamities of a player, as they would strike with this sheet.
pub fn perils(known: &Known, civ: Civ, sheet: &Sheet) -> Vec<Peril> {
    if known.phase() > Phase::Calamities || known.has_ended() {
        return Vec::new();
    }
    let sheets = BTreeMap::from([(civ, sheet.clone())]);
    let commands = course::closing(&sheets, Phase::Calamities);
    let peril = |calamity: Calamity| {
        let events = known.struck_by(civ, calamity, &commands);
        let choices = choices(known, civ, calamity);
        let lines = lines(known, civ, calamity, &choices);
        Peril { victims: known.may_be_victims(civ, calamity).0, calamity, events, choices, lines }
    };
    held(known, civ).into_iter().map(peril).collect()
}

/// The calamities that a player is known to hold.
pub(crate) fn held(known: &Known, civ: Civ) -> BTreeSet<Calamity> {
    let hand = known.holding(civ).hand.iter();
    let calamities = hand.filter_map(|card| match card.face {
        Face::Calamity(calamity) => Some(calamity),
        Face::Commodity(_) | Face::Water | Face::Unseen | Face::UnseenCalamity => None,
    });
    calamities.collect()
}

/// What would happen, a sentence each.
pub(crate) fn would(templates: &Templates, known: &Known, peril: &Peril) -> Vec<String> {
    let narrator = Narrator::new(templates, known.printed(), known.reader());
    let told: Vec<(Told, &Event)> = peril.events.iter().map(|event| (Told::Everything, event)).collect();
    fate::calamities(narrator, known, &told).into_iter().map(|tale| tale.text).collect()
}

/// What its holder may wish for a calamity.
pub(crate) fn choices(known: &Known, civ: Civ, calamity: Calamity) -> Vec<Choice> {
    let effect = &known.printed().calamities[calamity as usize].effect;
    let does = |what: &str| effect.iter().any(|(name, _)| name.contains(what));
    let own = || known.areas_of(Owner::Civ(civ)).collect::<Vec<AreaId>>();
    let cities = || known.cities_of(civ).collect::<Vec<AreaId>>();
    let takes = ["damage", "unit_points", "destroy", "annexed", "pirates", "kept"].into_iter().any(does);
    let (count, victims) = known.may_be_victims(civ, calamity);
    let all = [
        (count > 0).then_some(Choice::Victims(victims)),
        (does("reduced") || does("support")).then(|| Choice::Reduce(cities())),
        takes.then(|| Choice::Lose(if does("damage") || does("unit_points") { own() } else { cities() })),
        (!does("discarded") && !does("steps_back")).then(|| Choice::Spare(own())),
        does("ransom").then_some(Choice::Ransom),
        does("discarded").then_some(Choice::Discard),
    ];
    let is_open = |choice: &Choice| match choice {
        Choice::Reduce(areas) | Choice::Lose(areas) | Choice::Spare(areas) => !areas.is_empty(),
        Choice::Victims(_) | Choice::Ransom | Choice::Discard => true,
    };
    all.into_iter().flatten().filter(is_open).collect()
}

/// Lines worth sending: what would be chosen anyway, to be changed, and what the player would have to ask for.
fn lines(known: &Known, civ: Civ, calamity: Calamity, choices: &[Choice]) -> Vec<Command> {
    let plain = known.struck_by(civ, calamity, &Commands::default());
    let wish = |choice: &Choice| match choice {
        Choice::Victims(victims) => {
            let named = plain.iter().filter_map(|event| match event {
                Event::VictimNamed { by, victim, .. } if *by == civ => Some((*victim, None)),
                _ => None,
            });
            let named: Vec<(Civ, Option<u16>)> = named.collect();
            (named.len() < victims.len()).then_some(Wish::Victims(named)).filter(|_| !victims.is_empty())
        }
        Choice::Reduce(areas) => {
            let reduced = plain.iter().filter_map(|event| match event {
                Event::CityReduced { civ: who, area, .. } if *who == civ => Some(*area),
                _ => None,
            });
            let reduced: Vec<AreaId> = reduced.collect();
            fewer(&reduced, areas).then_some(Wish::Reduce(reduced))
        }
        Choice::Lose(areas) => {
            let lost = lost(&plain, civ, calamity);
            let named: Vec<AreaId> = lost.iter().map(|(area, _)| *area).collect();
            fewer(&named, areas).then_some(Wish::Lose(lost))
        }
        Choice::Ransom => Some(Wish::Pay(None)),
        Choice::Discard => plain.iter().find_map(|event| match event {
            Event::CardsDiscarded { civ: who, cards, .. } if *who == civ => {
                Some(Wish::Discard(cards.iter().map(|card| card.face).collect()))
            }
            _ => None,
        }),
        // It is said by what is lost, the other way round.
        Choice::Spare(_) => None,
    };
    let lines = choices.iter().filter_map(wish).map(|wish| Command::Wish { calamity: Some(calamity), wish });
    lines.filter(|line| is_taken(known, civ, calamity, &plain, line)).collect()
}

/// Whether there is something to name, and something that stays.
fn fewer(named: &[AreaId], of: &[AreaId]) -> bool {
    !named.is_empty() && named.len() <= MOST_NAMED && of.iter().any(|area| !named.contains(area))
}

/// What the player would lose to this calamity: so many tokens in an area, or all there is with its city.
fn lost(events: &[Event], civ: Civ, calamity: Calamity) -> Vec<(AreaId, Option<u16>)> {
    let own = Owner::Civ(civ);
    let mut lost: Vec<(AreaId, Option<u16>)> = Vec::new();
    for event in events {
        let (area, tokens, city) = match event {
            Event::UnitsDestroyed { owner, area, tokens, city, why }
                if (*owner, *why) == (own, Cause::Calamity(calamity)) =>
            {
                (*area, *tokens, *city)
            }
            Event::UnitsAnnexed { from, area, tokens, city, why, .. }
                if (*from, *why) == (own, Cause::Calamity(calamity)) =>
            {
                (*area, *tokens, *city)
            }
            _ => continue,
        };
        match lost.iter_mut().find(|(other, _)| *other == area) {
            Some((_, count)) => *count = count.filter(|_| !city).map(|count| count + tokens),
            None => lost.push((area, (!city).then_some(tokens))),
        }
    }
    lost
}

/// Whether the ruling takes the line as it stands: it is not refused, and it either asks for something else than what
/// would happen anyway or comes to the very same.
fn is_taken(known: &Known, civ: Civ, calamity: Calamity, plain: &[Event], line: &Command) -> bool {
    let filed = Filed { civ, line: LineId(1), command: line.clone(), ahead: false };
    let events = known.struck_by(civ, calamity, &Commands { filed: vec![filed], ..Commands::default() });
    let is_refused = events.iter().any(|event| matches!(event, Event::Refused { .. } | Event::Thwarted { .. }));
    let asks = matches!(line, Command::Wish { wish: Wish::Pay(_), .. });
    !is_refused && asks == (events != plain)
}
