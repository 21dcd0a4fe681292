//! The account: from events to sentences, as far as the reader may be told.
//!
//! Comes in: what a reader witnessed of a ruling. Goes out: a few lines that sum them up: a player's
//! movement is a sentence or two, growth is one for all.

#![warn(clippy::wildcard_enum_match_arm)]

use minijinja::context;

use super::narrator::{Narrator, Tale};
use super::{Templates, cities, conflict, fate, growth, movement, reason, trade, worded};
use crate::game::event::{Cause, Thwart};
use crate::game::known::Chapter;
use crate::game::{Event, Known, LineId, Phase, Told, Witnessed};
use crate::orders::Sheet;
use crate::rules::{Advance, AreaId, Civ};

/// A sentence or two, and what it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountLine {
    /// What it is about.
    pub topic: Topic,
    /// Whom it concerns; nobody in particular where it sums up many.
    pub about: Vec<Civ>,
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
    Silence,
}

impl Topic {
    /// Its name among the words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Topic::Sheet => "sheet",
            Topic::Tax => "tax",
            Topic::Growth => "growth",
            Topic::Movement => "movement",
            Topic::Conflict => "conflict",
            Topic::Cities => "cities",
            Topic::Cards => "cards",
            Topic::Trade => "trade",
            Topic::Calamities => "calamities",
            Topic::Abilities => "abilities",
            Topic::Advances => "advances",
            Topic::Ast => "ast",
            Topic::Silence => "silence",
        }
    }
}

/// What a reader is told of a ruling.
pub fn account(templates: &Templates, seen: &Witnessed) -> Vec<AccountLine> {
    account_with(templates, seen, None)
}

/// The same for a reader whose sheet is at hand: lines of it that came to nothing are quoted.
pub(crate) fn account_with(templates: &Templates, seen: &Witnessed, sheet: Option<&Sheet>) -> Vec<AccountLine> {
    let narrator = Narrator::new(templates, seen.after().printed(), seen.after().reader());
    let mut lines = Vec::new();
    let built = seen.events().filter_map(|(_, event)| city_built(event)).collect();
    for (chapter, after) in seen.chapters() {
        tell_phase(narrator, chapter, after, sheet, &built, &mut lines);
    }
    lines
}

#[expect(clippy::wildcard_enum_match_arm, reason = "one event alone is wanted")]
fn city_built(event: &Event) -> Option<(Civ, AreaId)> {
    match event {
        Event::CityBuilt { civ, area, .. } => Some((*civ, *area)),
        _ => None,
    }
}

/// Tells what happened in one phase, topic by topic.
fn tell_phase(
    narrator: Narrator,
    chapter: &Chapter,
    after: &Known,
    sheet: Option<&Sheet>,
    built: &movement::Built,
    lines: &mut Vec<AccountLine>,
) {
    let before = &chapter.before;
    let mut topics: Vec<(Topic, Vec<(Told, &Event)>)> = Vec::new();
    for (told, event) in &chapter.events {
        let topic = topic(event);
        match topics.iter_mut().find(|(known, _)| *known == topic) {
            Some((_, events)) => events.push((*told, event)),
            None => topics.push((topic, vec![(*told, event)])),
        }
    }
    // What came first is told first, but for the reader's own lines that came to nothing.
    topics.sort_by_key(|(topic, _)| *topic != Topic::Sheet);
    for (topic, told) in topics {
        let tales = match topic {
            Topic::Sheet => told.iter().filter_map(|(_, event)| sheet_line(narrator, sheet, event)).collect(),
            Topic::Tax => growth::tax(narrator, &told),
            Topic::Growth => growth::growth(narrator, &told),
            Topic::Movement => movement::tales(narrator, before, &told, built),
            Topic::Conflict => told.iter().filter_map(|(told, event)| conflict::tale(narrator, *told, event)).collect(),
            Topic::Cities => cities::tales(narrator, &told),
            Topic::Cards => trade::dealt(narrator, &told),
            Topic::Trade => trade::traded(narrator, before, after, &told),
            Topic::Calamities => fate::calamities(narrator, before, &told),
            Topic::Abilities => fate::abilities(narrator, &told),
            Topic::Advances => fate::advances(narrator, &told),
            Topic::Ast => fate::ast(narrator, after, &told),
            Topic::Silence => Vec::new(),
        };
        lines.extend(tales.into_iter().map(|tale| AccountLine { topic, about: tale.about, text: tale.text }));
    }
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
        | Event::LeavingAnnounced { .. }
        | Event::PlayerLeft { .. }
        | Event::AreaClosed { .. }
        | Event::PhaseClosed { phase: Phase::Ast, .. } => Topic::Ast,
        Event::PhaseClosed { .. } => Topic::Silence,
        Event::CardDrawn { .. } | Event::CardBought { .. } => Topic::Cards,
        Event::OfferMade { .. }
        | Event::OfferDeclined { .. }
        | Event::OfferWithdrawn { .. }
        | Event::TradeMade { .. }
        | Event::OfferVoided { .. }
        | Event::NoticePosted { .. }
        | Event::TradeClosed { .. } => Topic::Trade,
        // The moderator tells these themselves.
        Event::Corrected { .. } | Event::RolledBack { .. } => Topic::Silence,
        Event::GameOpened { .. }
        | Event::ThemesDrawn { .. }
        | Event::CivilizationSet { .. }
        | Event::StackPrepared { .. }
        | Event::StackReshuffled { .. }
        | Event::CalamityResolved { .. }
        | Event::AbilitiesEnded { .. }
        | Event::AcquisitionEnded { .. }
        | Event::SupportChecked { .. }
        | Event::CardsDealt { .. }
        | Event::PurchasesEnded { .. }
        | Event::TradingEnded { .. } => Topic::Silence,
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
fn sheet_line(narrator: Narrator, sheet: Option<&Sheet>, event: &Event) -> Option<Tale> {
    let quoted = |line: &LineId| sheet.and_then(|sheet| order(narrator, sheet, *line));
    match event {
        Event::Refused { civ, why, line } => {
            let why = reason(narrator.templates(), narrator.names().printed, why);
            let facts = context! { who => narrator.civ(*civ), line => quoted(line), why };
            Some(narrator.tale("refused", &[*civ], facts))
        }
        Event::Thwarted { civ, why: Thwart::TestNotMet, line } => {
            let facts = context! { who => narrator.civ(*civ), line => quoted(line) };
            Some(narrator.tale("test_not_met", &[*civ], facts))
        }
        Event::Thwarted { civ, why: Thwart::NothingStays { area }, .. } => {
            let facts = context! { who => narrator.civ(*civ), area => narrator.area(*area) };
            Some(narrator.tale("nothing_stays", &[*civ], facts))
        }
        Event::Thwarted { civ, why: Thwart::TokensGone { area, have, need }, .. } => {
            let facts = context! { who => narrator.civ(*civ), area => narrator.area(*area), have, need };
            Some(narrator.tale("tokens_gone", &[*civ], facts))
        }
        _ => None,
    }
}

/// A line of the reader's own sheet, as it was understood.
fn order(narrator: Narrator, sheet: &Sheet, line: LineId) -> Option<String> {
    let parts = Phase::ALL.into_iter().flat_map(|phase| sheet.part(phase)).chain(sheet.standing());
    let entry = parts.into_iter().find(|entry| entry.line == line)?;
    Some(worded(narrator.names(), &entry.command))
}
