//! The form: what a player owes, with the lines that stand for them as it is.
//!
//! Comes in: a state and the reader's sheet. Goes out: a part for each decision of the open mailing, with the reader's
//! own lines, their standing orders or the named default, what the reader may decide about, and what silence means. It looks at
//! nothing but what the reader knows: everybody is asked about calamities alike, MC-19, and is told of their own hand.

use minijinja::{Value, context};
use serde::Serialize;

use super::super::Names;
use super::super::facts::Facts;
use super::super::market::payment;
use super::super::perils::{Choice, Peril, perils, would};
use super::super::powers::{Targets, powers};
use super::super::preview::upkeep;
use super::super::proposals::{Proposal, weighed};
use super::super::templates::Templates;
use super::super::trade::hand_value;
use super::super::wording::worded;
use crate::game::event::Cause;
use crate::game::{Awaited, Command, Decision, Event, Known, Phase, ShipCondition, acquisition};
use crate::orders::sheet::Entry;
use crate::orders::{Forecast, Sheet, mailing, owed};
use crate::rules::{Advance, AreaId, Civ};

/// The form at the end of a letter, which a player may fill in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MailingForm {
    /// What is wanted, in few words each: `your movement`.
    pub wants: Vec<String>,
    /// What filing it as it is would lose, in a sentence; none where that cannot be foreseen.
    pub cost: Option<String>,
    pub parts: Vec<Part>,
    /// What could be filed with it instead.
    pub proposals: Vec<Proposed>,
}

/// Lines that may be filed with the form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proposed {
    /// What the player writes: `ok 2`.
    pub answer: String,
    /// What it would lose, in a sentence.
    pub cost: String,
    /// The lines, in the player's language.
    pub lines: Vec<String>,
}

/// A part of a form: a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The number of the phase.
    pub phase: u8,
    /// The name of the phase.
    pub title: String,
    /// The lines that stand as it is.
    pub lines: Vec<String>,
    /// Whether they are the player's own: on the player's sheet, or for every turn.
    pub own: bool,
    /// What a good friend would add: ships that need upkeep, calamities as they would strike, Advances within the player's
    /// means. Lines to send are indented.
    pub notes: Vec<String>,
    pub silence: String,
}

/// What a player owes in the open mailing, a sentence each with what silence means.
pub(crate) fn owed_lines(templates: &Templates, state: &Known, civ: Civ, sheet: &Sheet) -> Vec<String> {
    let lines = owed(state, civ, sheet).into_iter().map(|awaited| {
        let phase = if awaited.decision == Decision::Abilities { Phase::Abilities } else { state.phase() };
        let wanted = templates.say("wanted", awaited.decision.name(), context! {});
        let silence = part(templates, state, sheet, phase, awaited).silence;
        templates.say("form", "owed", context! { wanted, silence })
    });
    lines.collect()
}

/// What a player owes in the open mailing; none if that is nothing.
pub(crate) fn form(templates: &Templates, state: &Known, civ: Civ, sheet: &Sheet) -> Option<MailingForm> {
    let owed = owed(state, civ, sheet);
    if owed.is_empty() || state.has_ended() {
        return None;
    }
    let wants = owed.iter().map(|awaited| templates.say("wanted", awaited.decision.name(), context! {}));
    let open = state.phase();
    let phases = match state.progress().asked {
        // Whoever insisted is asked for this phase alone.
        Some(_) => &mailing(open)[..1],
        None => mailing(open),
    };
    let parts = phases.iter().flat_map(|phase| {
        let asked = phase.rules().awaits(state).into_iter().filter(|awaited| awaited.civ == civ);
        asked.map(|awaited| part(templates, state, sheet, *phase, awaited))
    });
    let (cost, proposals) = match weighed(state, civ, sheet) {
        Some((loss, proposals)) => {
            let proposed = proposals.iter().map(|proposal| proposed(templates, state, proposal)).collect();
            (Some(loss.told(templates, state, "ok")), proposed)
        }
        None => (unmoved(templates, state, civ, sheet), Vec::new()),
    };
    // What a proposal pays for need not be noted beside.
    let mut parts: Vec<Part> = parts.collect();
    if !proposals.is_empty() {
        parts.iter_mut().filter(|part| part.phase == Phase::Movement.number()).for_each(|part| part.notes.clear());
    }
    Some(MailingForm { wants: wants.collect(), cost, parts, proposals })
}

/// What the form costs where nothing moves: offers that go unanswered, and cards over the limit.
fn unmoved(templates: &Templates, state: &Known, civ: Civ, sheet: &Sheet) -> Option<String> {
    match state.phase() {
        Phase::Trade => {
            let open = || state.progress().offers.iter().filter(|offer| offer.open);
            let mine: Vec<u16> =
                open().filter(|offer| offer.to.named().contains(&civ)).map(|offer| offer.number).collect();
            let any = open().filter(|offer| payment(state, civ, offer).is_some()).count();
            let own = open().filter(|offer| offer.from == civ).count();
            Some(templates.say("form", "cost_trade", context! { mine, any, own }))
        }
        Phase::Advances => {
            let facts = Facts::new(state.printed(), templates.language);
            let forecast = Forecast::of(state, civ, &sheet.with_form(&[], Phase::Advances), u64::MAX);
            let (mut bought, mut lost): (Vec<Value>, Option<String>) = (Vec::new(), None);
            for event in &forecast.events {
                match event {
                    Event::AdvancesAcquired { civ: who, advances, .. } if *who == civ => {
                        bought.extend(advances.iter().map(|advance| facts.advance(*advance)));
                    }
                    Event::CardsDiscarded { civ: who, cards, why: Cause::HandLimit } if *who == civ => {
                        lost = Some(facts.names().cards(cards));
                    }
                    _ => {}
                }
            }
            let limit = acquisition::hand_limit(&forecast.known, civ);
            Some(templates.say("form", "cost_advances", context! { bought, lost, limit }))
        }
        Phase::Tax | Phase::Expansion | Phase::Movement | Phase::Conflict | Phase::Cities | Phase::Cards => None,
        Phase::Selection | Phase::Calamities | Phase::Abilities | Phase::Support | Phase::Ast => None,
    }
}

fn proposed(templates: &Templates, state: &Known, proposal: &Proposal) -> Proposed {
    let names = Names::new(state.printed(), templates.language);
    let answer = format!("ok {}", proposal.number);
    let cost = proposal.loss.told(templates, state, &answer);
    Proposed { answer, cost, lines: proposal.lines.iter().map(|line| worded(names, line)).collect() }
}

fn part(templates: &Templates, state: &Known, sheet: &Sheet, phase: Phase, awaited: Awaited) -> Part {
    let names = Names::new(state.printed(), templates.language);
    let ends = matches!(awaited.decision, Decision::Movement | Decision::Trade);
    let silence = phase.rules().silence(state, awaited);
    let line = |command: &Command| worded(names, command);
    let default = silence.iter().map(line).collect::<Vec<_>>();
    // What was traded is history.
    // Whoever is asked has waited long enough: `wait` and `done` do not stand together.
    let says_anything = |entry: &&Entry| phase != Phase::Trade && entry.command != Command::Wait;
    let written = sheet.part(phase).iter().filter(|entry| !entry.next_turn).filter(says_anything);
    let stands = |entry: &&Entry| entry.command.phase() == Some(phase);
    let mut own: Vec<String> = written.map(|entry| line(&entry.command)).collect();
    if own.is_empty() {
        own = sheet.standing().iter().filter(stands).map(|entry| line(&entry.command)).collect();
    }
    let is_own = !own.is_empty();
    if is_own && ends {
        own.extend(default.iter().filter(|line| !own.contains(line)).cloned().collect::<Vec<_>>());
    }
    let said = context! { default => default.join("; "), own => is_own };
    Part {
        phase: phase.number(),
        title: names.phase(phase).to_owned(),
        silence: templates.say("silence", awaited.decision.name(), said),
        lines: if is_own { own } else { default },
        own: is_own,
        notes: notes(templates, state, sheet, awaited),
    }
}

/// Advances that are named at most.
const MOST_ADVANCES: usize = 8;

/// What follows from the open board and the player's own hand alone.
fn notes(templates: &Templates, state: &Known, sheet: &Sheet, Awaited { civ, decision }: Awaited) -> Vec<String> {
    let facts = Facts::new(state.printed(), templates.language);
    let note = match decision {
        Decision::Movement => {
            let kept = |area: AreaId| {
                let lines = sheet.part(Phase::Movement).iter().chain(sheet.standing());
                lines
                    .filter(|entry| matches!(entry.command, Command::MaintainShip { area: at, .. } if at == area))
                    .count()
            };
            let mut areas: Vec<AreaId> = Vec::new();
            for ship in state.holding(civ).ships.iter().filter(|ship| ship.condition == ShipCondition::Old) {
                let here = areas.iter().filter(|area| **area == ship.area).count();
                areas.extend((here >= kept(ship.area)).then_some(ship.area));
            }
            areas.dedup();
            let keep =
                areas.first().map(|area| Command::MaintainShip { area: *area, token_from: upkeep(state, civ, *area) });
            keep.map(|keep| {
                let keeps = worded(facts.names(), &keep);
                templates.say("warning", "ships_lost", context! { areas => facts.areas(areas), keeps })
            })
        }
        Decision::Acquisition => {
            let holding = state.holding(civ);
            let means = hand_value(state.printed(), &holding.hand) + holding.treasury;
            let open = Advance::ALL.into_iter().filter(|advance| !state.has(civ, *advance));
            let price = acquisition::prices(state, civ);
            let mut priced: Vec<_> = open.map(|advance| (price(advance), advance)).collect();
            priced.retain(|(price, _)| *price <= means);
            priced.sort_by_key(|(price, _)| std::cmp::Reverse(*price));
            let advances = priced.iter().take(MOST_ADVANCES);
            let advances = advances.map(|(price, advance)| context! { name => facts.advance(*advance), price });
            let more = priced.len().saturating_sub(MOST_ADVANCES);
            let first = priced.first().map(|(_, advance)| worded(facts.names(), &acquire(*advance)));
            let advances: Vec<_> = advances.collect();
            first.map(|line| templates.say("form", "means", context! { means, advances, more, line }))
        }
        Decision::Calamities => return calamities(templates, state, civ, sheet),
        Decision::Abilities => return abilities(templates, state, civ),
        Decision::TaxRate
        | Decision::Revolts
        | Decision::Growth
        | Decision::Defence
        | Decision::Loot
        | Decision::Substitutes
        | Decision::Building
        | Decision::Purchases
        | Decision::Trade
        | Decision::Support => None,
    };
    note.into_iter().collect()
}

/// What the calamities of the own hand would do now, whom the player may name, and lines to send.
fn calamities(templates: &Templates, state: &Known, civ: Civ, sheet: &Sheet) -> Vec<String> {
    let facts = Facts::new(state.printed(), templates.language);
    let line = |command: &Command| format!("    {}", worded(facts.names(), command));
    let mut notes = Vec::new();
    for peril in perils(state, civ, sheet) {
        let would = would(templates, state, &peril);
        let name = facts.calamity(peril.calamity);
        notes.push(templates.say("form", "peril", context! { name }));
        notes.extend(would.iter().map(|line| format!("- {line}")));
        for choice in &peril.choices {
            if let Choice::Victims(victims) = choice {
                let victims = Value::from_iter(victims.iter().map(|civ| facts.civ(*civ)));
                notes.push(templates.say("form", "may_name", context! { count => peril.victims, victims }));
            }
        }
        notes.extend(ransom(templates, state, civ, &peril));
        let lines: Vec<String> = peril.lines.iter().map(line).collect();
        if !lines.is_empty() {
            notes.push(templates.say("form", "choose", context! { count => lines.len() }));
            notes.extend(lines);
        }
        notes.push(String::new());
    }
    if notes.is_empty() {
        notes.push(templates.say("form", "no_peril", context! {}));
    }
    notes
}

/// What it costs to buy a calamity off, and what there is to pay it with.
fn ransom(templates: &Templates, state: &Known, civ: Civ, peril: &Peril) -> Option<String> {
    let effect = &state.printed().calamities[peril.calamity as usize].effect;
    let number = |name: &str| effect.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
    let (price, each) = (number("ransom_treasury"), number("ransom_treasury_per_card"));
    let have = state.holding(civ).treasury;
    price.or(each).map(|price| templates.say("form", "ransom", context! { price, each => each.is_some(), have }))
}

/// Targets that are named at most.
const MOST_TARGETS: usize = 6;

/// What the abilities of a player could be used on now, each with a line that does.
fn abilities(templates: &Templates, state: &Known, civ: Civ) -> Vec<String> {
    let facts = Facts::new(state.printed(), templates.language);
    let mut notes = Vec::new();
    for power in powers(state, civ) {
        let Some(line) = power.line(state, civ) else { continue };
        let (named, count): (Vec<Value>, usize) = match &power.on {
            Targets::Areas(areas) => {
                (areas.iter().take(MOST_TARGETS).map(|area| facts.area(*area)).collect(), areas.len())
            }
            Targets::Civs(civs) => (civs.iter().take(MOST_TARGETS).map(|civ| facts.civ(*civ)).collect(), civs.len()),
            Targets::Tokens(_) | Targets::Cards(_) | Targets::Ways { .. } => (Vec::new(), 0),
        };
        let more = count - named.len();
        let power = facts.advance(power.kind.advance());
        notes.push(templates.say("form", "ability", context! { power, named, more }));
        notes.push(format!("    {}", worded(facts.names(), &line)));
    }
    if notes.is_empty() {
        notes.push(templates.say("form", "no_ability", context! {}));
    }
    notes
}

/// The plainest line that acquires an advance.
fn acquire(advance: Advance) -> Command {
    Command::Acquire { advances: vec![advance], payment: None, library_for: None, free: None, credits: Vec::new() }
}
