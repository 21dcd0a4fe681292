//! The account: from events to sentences, as far as the reader may be told.
//!
//! Comes in: what was true before a ruling, its events, and a reader. Goes out: a few lines that sum them up: a player's
//! movement is a sentence or two, growth is one for all.

#![warn(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeMap;

use super::names::{Names, counted, listed};
use super::{Reader, Templates, Told, cities, fate, movement, reason, told, trade};
use crate::game::event::{Cause, Loss, Thwart};
use crate::game::{Event, Owner, State};
use crate::rules::{Advance, Civ};

/// A sentence or two, and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it is about.
    pub topic: Topic,
    /// The words.
    pub text: String,
}

/// What a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    /// The reader's own lines that came to nothing.
    Sheet,
    /// Phase 1.
    Tax,
    /// Phase 2.
    Growth,
    /// Phase 3.
    Movement,
    /// Phase 4.
    Conflict,
    /// Phase 5.
    Cities,
    /// Phase 6.
    Cards,
    /// Phase 7.
    Trade,
    /// Phases 8 and 9.
    Calamities,
    /// Phase 10.
    Abilities,
    /// Phase 12.
    Advances,
    /// Phase 13.
    Ast,
    /// Nothing to tell.
    Silence,
}

/// What a reader is told of a ruling. `before` is what was true when it began.
pub fn account(templates: &Templates, before: &State, events: &[Event], reader: Reader) -> Vec<Line> {
    let mut state = before.clone();
    let mut topics: BTreeMap<Topic, Vec<(Told, &Event)>> = BTreeMap::new();
    for event in events {
        match told(&state, event, reader) {
            Told::Nothing => {}
            told @ (Told::Everything | Told::ThatItHappened) => {
                topics.entry(topic(event)).or_default().push((told, event));
            }
        }
        state.apply(event);
    }
    let names = Names::english(before.printed());
    let mut lines = Vec::new();
    for (topic, told) in topics {
        let texts = match topic {
            Topic::Sheet => told.iter().filter_map(|(_, event)| sheet_line(templates, names, event)).collect(),
            Topic::Tax => tax(names, &told),
            Topic::Growth => growth(names, &told),
            Topic::Movement => movement::sentences(names, before, &told),
            Topic::Conflict => told.iter().filter_map(|(told, event)| conflict(names, *told, event)).collect(),
            Topic::Cities => cities::sentences(names, &told),
            Topic::Cards => trade::dealt(names, &told),
            Topic::Trade => trade::traded(names, &told, reader),
            Topic::Calamities => fate::calamities(names, &told),
            Topic::Abilities => fate::abilities(names, &told),
            Topic::Advances => fate::advances(names, &told),
            Topic::Ast => fate::ast(names, &told),
            Topic::Silence => Vec::new(),
        };
        lines.extend(texts.into_iter().map(|text| Line { topic, text }));
    }
    lines
}

/// What an event is about. Every event is about something, or said to be silent.
fn topic(event: &Event) -> Topic {
    match event {
        Event::Refused { .. } | Event::Thwarted { .. } => Topic::Sheet,
        Event::TaxCollected { .. } | Event::CityRevolted { .. } => Topic::Tax,
        Event::TokensGrew { .. } | Event::CensusTaken { .. } => Topic::Growth,
        Event::TurnAwaited { .. }
        | Event::TokensWalked { .. }
        | Event::ShipBuilt { .. }
        | Event::ShipMaintained { .. }
        | Event::ShipScrapped { .. }
        | Event::ShipSailed { .. }
        | Event::MovementEnded { .. } => Topic::Movement,
        Event::TokensFought { .. }
        | Event::AttackFailed { .. }
        | Event::DefenceDelayed { .. }
        | Event::CityFell { .. }
        | Event::CardTaken { .. }
        | Event::LootTaken { .. } => Topic::Conflict,
        Event::CityBuilt { .. } | Event::SurplusRemoved { .. } => Topic::Cities,
        Event::CityReduced { why, .. }
        | Event::UnitsDestroyed { why, .. }
        | Event::UnitsAnnexed { why, .. }
        | Event::TreasuryLost { why, .. }
        | Event::TreasuryGained { why, .. }
        | Event::CardsDiscarded { why, .. }
        | Event::MarkerMoved { why, .. } => cause(*why),
        Event::CalamitiesLaid { .. }
        | Event::CalamityDiscarded { .. }
        | Event::CalamityStruck { .. }
        | Event::VictimNamed { .. }
        | Event::BarbariansCame { .. }
        | Event::BarbariansWandered { .. } => Topic::Calamities,
        Event::AbilityUsed { .. } | Event::TokensResettled { .. } | Event::CardGiven { .. } => Topic::Abilities,
        Event::AdvancesAcquired { .. } => Topic::Advances,
        Event::LastTurnAnnounced { .. }
        | Event::GameEnded { .. }
        | Event::PlayerLeft { .. }
        | Event::AreaClosed { .. } => Topic::Ast,
        Event::CardDrawn { .. } | Event::CardBought { .. } => Topic::Cards,
        Event::OfferMade { .. }
        | Event::OfferDeclined { .. }
        | Event::OfferWithdrawn { .. }
        | Event::TradeMade { .. }
        | Event::OfferVoided { .. } => Topic::Trade,
        Event::GameOpened { .. }
        | Event::ThemesDrawn { .. }
        | Event::CivilizationSet { .. }
        | Event::StackPrepared { .. }
        | Event::StackReshuffled { .. }
        | Event::CalamityResolved { .. }
        | Event::AbilitiesEnded { .. }
        | Event::AcquisitionEnded { .. }
        | Event::PhaseClosed { .. }
        | Event::SupportChecked { .. }
        | Event::CardsDealt { .. }
        | Event::PurchasesEnded { .. }
        | Event::TradingEnded { .. }
        | Event::TradeClosed { .. } => Topic::Silence,
    }
}

/// What a loss, a gain or a move is about.
fn cause(why: Cause) -> Topic {
    match why {
        Cause::Support => Topic::Cities,
        Cause::Calamity(_) => Topic::Calamities,
        Cause::Advance(Advance::Theocracy) => Topic::Calamities,
        Cause::Advance(_) => Topic::Abilities,
        Cause::HandLimit => Topic::Advances,
        Cause::Ast | Cause::Leaving => Topic::Ast,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "`topic` has sorted the others out")]
fn sheet_line(templates: &Templates, names: Names, event: &Event) -> Option<String> {
    match event {
        Event::Refused { civ, why, .. } => {
            Some(format!("A line of {} may not stand: {}.", names.civ(*civ), reason(templates, names.printed, why)))
        }
        Event::Thwarted { civ, why: Thwart::TestNotMet, .. } => {
            Some(format!("A line of {} is passed over: its test was not met.", names.civ(*civ)))
        }
        Event::Thwarted { civ, why: Thwart::TokensGone { area, have, need }, .. } => Some(format!(
            "{} builds no city in {}: {} left there of the {need} it takes.",
            names.civ(*civ),
            names.area(*area),
            counted(*have, "token is", "tokens are")
        )),
        _ => None,
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "`topic` has sorted the others out")]
fn tax(names: Names, told: &[(Told, &Event)]) -> Vec<String> {
    let mut collected = Vec::new();
    let mut sentences = Vec::new();
    for (_, event) in told {
        match event {
            Event::TaxCollected { civ, amount, .. } if *amount > 0 => {
                collected.push(format!("{} {amount}", names.civ(*civ)));
            }
            Event::CityRevolted { area, from, to, .. } => {
                let then = to.map_or("is destroyed".to_owned(), |to| format!("goes over to {}", names.civ(to)));
                sentences.push(format!(
                    "{} cannot pay for all its cities: {} revolts and {then}.",
                    names.civ(*from),
                    names.area(*area)
                ));
            }
            _ => {}
        }
    }
    if !collected.is_empty() {
        sentences.insert(0, format!("Into the treasuries go: {}.", listed(collected)));
    }
    sentences
}

#[expect(clippy::wildcard_enum_match_arm, reason = "`topic` has sorted the others out")]
fn growth(names: Names, told: &[(Told, &Event)]) -> Vec<String> {
    let mut grown: BTreeMap<Civ, u16> = BTreeMap::new();
    let mut peoples = Vec::new();
    for (_, event) in told {
        match event {
            Event::TokensGrew { civ, count, .. } => *grown.entry(*civ).or_default() += count,
            Event::CensusTaken { civ, census } => {
                peoples.push((*census, format!("{} {census} (+{})", names.civ(*civ), grown.get(civ).unwrap_or(&0))));
            }
            _ => {}
        }
    }
    // The sort keeps the ranking among equals, as the sequence of movement does.
    peoples.sort_by_key(|(census, _)| std::cmp::Reverse(*census));
    let peoples: Vec<_> = peoples.into_iter().map(|(_, people)| people).collect();
    if peoples.is_empty() { Vec::new() } else { vec![format!("Tokens on the board: {}.", listed(peoples))] }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "`topic` has sorted the others out")]
fn conflict(names: Names, told: Told, event: &Event) -> Option<String> {
    let sentence = match event {
        Event::TokensFought { area, forces, losses } => fought(names, names.area(*area), forces, losses),
        Event::AttackFailed { area, attacker, defender, tokens, needed, .. } => format!(
            "{} attacks {}, a city of {}, and fails: {} lost where {needed} were needed.",
            names.owner(*attacker),
            names.area(*area),
            names.owner(*defender),
            counted(*tokens, "token is", "tokens are")
        ),
        Event::DefenceDelayed { civ, area, until } => format!(
            "{} lets {} wait until its own attack on {} is settled.",
            names.civ(*civ),
            names.area(*area),
            names.area(*until)
        ),
        Event::CityFell { area, attacker, defender, replaced } => format!(
            "{} storms {}: {} loses the city and {} put up a last fight.",
            names.owner(*attacker),
            names.area(*area),
            names.owner(*defender),
            counted(*replaced, "token", "tokens")
        ),
        Event::CardTaken { from, to, card } => match told {
            Told::Everything => {
                format!("{} takes a card of {}: {}.", names.civ(*to), names.civ(*from), names.face(card.face))
            }
            Told::ThatItHappened | Told::Nothing => {
                format!("{} takes a card of {}.", names.civ(*to), names.civ(*from))
            }
        },
        Event::LootTaken { civ, amount } if *amount > 0 => {
            format!("{} puts {} of loot into its treasury.", names.civ(*civ), counted(*amount, "token", "tokens"))
        }
        _ => return None,
    };
    Some(capital(&sentence))
}

fn fought(names: Names, area: &str, forces: &[(Owner, u16)], losses: &[Loss]) -> String {
    let lost = |owner: Owner| losses.iter().find(|loss| loss.owner == owner).map_or(0, |loss| loss.tokens);
    let met = listed(forces.iter().map(|(owner, count)| format!("{} ({count})", names.owner(*owner))));
    let kept: Vec<_> = forces.iter().map(|(owner, count)| (*owner, count.saturating_sub(lost(*owner)))).collect();
    let left = kept.iter().filter(|(_, count)| *count > 0);
    let left = listed(left.map(|(owner, count)| format!("{} keeps {count}", names.owner(*owner))));
    let end = if left.is_empty() { "nobody is left".to_owned() } else { left };
    let gone = kept.iter().filter(|(_, count)| *count == 0).map(|(owner, _)| names.owner(*owner));
    let gone = listed(gone.map(str::to_owned));
    match (gone.is_empty(), end == "nobody is left") {
        (false, false) => format!("In {area} {met} fight: {end}, {gone} is driven out."),
        (false, true) | (true, _) => format!("In {area} {met} fight: {end}."),
    }
}

/// The sentence with a capital at its head.
pub fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
