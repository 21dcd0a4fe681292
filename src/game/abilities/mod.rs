//! Phase 10: special abilities. One player after another, in the sequence of the A.S.T.-positions.
//!
//! Comes in: what players use, best target first, and what victims give. Goes out: what follows on the board as it is
//! when the line is played, or why nothing does. An ability is used completely or not at all. R10.3.

mod areas;
mod diaspora;
mod doctrine;
mod empire;
mod routes;

use super::command::Ability;
use super::event::{Cause, Thwart};
use super::{
    Awaited, Chance, Chronicle, Command, Commands, Decision, Event, Filed, Illegal, Owner, Phase, PhaseRules, State,
    movement,
};
use crate::rules::{Advance, AreaId, Civ};

/// The advances with a special ability. R10.2.
const ABILITIES: [Advance; 7] = [
    Advance::Diaspora,
    Advance::Fundamentalism,
    Advance::Monotheism,
    Advance::Politics,
    Advance::ProvincialEmpire,
    Advance::TradeRoutes,
    Advance::UniversalDoctrine,
];

/// Politics: tokens that may go from stock to treasury.
const MOST_TREASURY: u16 = 5;

/// Phase 10.
pub(crate) struct Abilities;

impl PhaseRules for Abilities {
    /// By what lies open alone. Whoever acts behind somebody may find another board than the present one, and so may
    /// everybody while calamities are still to come.
    fn awaits(&self, state: &State) -> Vec<Awaited> {
        let asked = state.progress().asked;
        let mut may_change = state.phase() != Phase::Abilities;
        let mut awaited = Vec::new();
        for civ in sequence(state).into_iter().filter(|civ| !state.progress().acted.contains(civ)) {
            if holds_ability(state, civ) && (may_change || may_use(state, civ)) {
                may_change = true;
                awaited.extend(asked.is_none_or(|asked| asked == civ).then_some(civ));
            }
        }
        awaited.into_iter().map(|civ| Awaited { civ, decision: Decision::Abilities }).collect()
    }

    fn may_stand(&self, state: &State, civ: Civ, command: &Command) -> Result<(), Illegal> {
        match command {
            Command::Use { .. } if state.progress().acted.contains(&civ) => Err(Illegal::AfterDone),
            command => plan(state, civ, command, &Commands::default()).map(|_| ()),
        }
    }

    /// Nothing is used; a victim of Provincial Empire gives the card that the victim misses least.
    fn silence(&self, _state: &State, _awaited: Awaited) -> Vec<Command> {
        vec![Command::Use { ability: None }]
    }

    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, _chance: &Chance) {
        // R10.1: no acting ahead, so everybody behind one who waits is played after them.
        for civ in sequence(chronicle.state()) {
            if chronicle.state().progress().acted.contains(&civ) {
                continue;
            }
            let insists = waits(commands, civ) && holds_ability(chronicle.state(), civ);
            if insists && chronicle.waits_for(commands, civ) {
                return;
            }
            for filed in commands.of(civ) {
                play_line(chronicle, commands, filed, &filed.command);
            }
            chronicle.record(Event::AbilitiesEnded { civ });
        }
    }
}

/// Furthest on the A.S.T. first, then by ranking. R10.1, G.8.
fn sequence(state: &State) -> Vec<Civ> {
    let mut civs: Vec<_> = state.ranking().collect();
    civs.sort_by_key(|civ| std::cmp::Reverse(state.holding(*civ).position));
    civs
}

fn holds_ability(state: &State, civ: Civ) -> bool {
    ABILITIES.into_iter().any(|advance| state.has(civ, advance))
}

/// Whether a player finds anything to use an ability on. Cards count as cards: what they show decides nothing.
fn may_use(state: &State, civ: Civ) -> bool {
    let holding = state.holding(civ);
    let in_an_area = |may: &dyn Fn(AreaId) -> bool| state.printed().map.ids().any(may);
    ABILITIES.into_iter().filter(|advance| state.has(civ, *advance)).any(|advance| match advance {
        Advance::Diaspora => state.areas_of(Owner::Civ(civ)).any(|area| state.tokens(area, Owner::Civ(civ)) > 0),
        Advance::Fundamentalism => in_an_area(&|area| areas::destroy(state, civ, area).is_ok()),
        Advance::Monotheism => in_an_area(&|area| areas::convert(state, civ, area).is_ok()),
        Advance::Politics => holding.stock > 0 || in_an_area(&|area| areas::buy(state, civ, area).is_ok()),
        Advance::ProvincialEmpire => state
            .ranking()
            .any(|other| empire::may_select(state, civ, other).is_ok() && !state.holding(other).hand.is_empty()),
        Advance::TradeRoutes => holding.stock > 0 && !holding.hand.is_empty(),
        _ => in_an_area(&|area| doctrine::annex(state, civ, &[(area, None)]).is_ok()),
    })
}

/// Whether the player insists on being asked: `wait` is the player's last word. What the player would give another says
/// nothing about that.
fn waits(commands: &Commands, civ: Civ) -> bool {
    let own = commands.of(civ).filter(|filed| !matches!(filed.command, Command::Give { .. }));
    own.last().is_some_and(|filed| filed.command == Command::Wait)
}

fn play_line(chronicle: &mut Chronicle, commands: &Commands, filed: &Filed, command: &Command) {
    match command {
        Command::If { test, then, otherwise } => match (movement::is_met(chronicle.state(), test), otherwise) {
            (true, _) => play_line(chronicle, commands, filed, then),
            (false, Some(otherwise)) => play_line(chronicle, commands, filed, otherwise),
            (false, None) => {
                let why = Thwart::TestNotMet;
                chronicle.record(Event::Thwarted { civ: filed.civ, line: filed.line, why });
            }
        },
        command => {
            let planned = plan(chronicle.state(), filed.civ, command, commands);
            chronicle.play(filed, planned);
        }
    }
}

/// What would follow from a line now. Of the other commands only what victims would give is read.
fn plan(state: &State, civ: Civ, command: &Command, commands: &Commands) -> Result<Vec<Event>, Illegal> {
    match command {
        Command::Use { ability: Some(ability) } => used(state, civ, ability, commands),
        Command::Use { ability: None } | Command::Give { .. } | Command::Wait | Command::Done => Ok(Vec::new()),
        Command::If { test, then, otherwise } => match (movement::is_met(state, test), otherwise) {
            (true, _) => plan(state, civ, then, commands),
            (false, Some(otherwise)) => plan(state, civ, otherwise, commands),
            (false, None) => Ok(Vec::new()),
        },
        other => Err(Illegal::WrongPhase { phase: other.phase().unwrap_or(state.phase()) }),
    }
}

/// What follows when a player uses an ability: each that the player holds, once a turn. R10.2.
fn used(state: &State, civ: Civ, ability: &Ability, commands: &Commands) -> Result<Vec<Event>, Illegal> {
    let advance = ability.advance();
    if !state.has(civ, advance) {
        return Err(Illegal::NeedsAdvance { advance });
    }
    if state.progress().used.contains(&(civ, advance)) {
        return Err(Illegal::OncePerTurn { advance });
    }
    let effects = match ability {
        Ability::Diaspora(moves) => diaspora::resettle(state, civ, moves)?,
        Ability::Fundamentalism(targets) => areas::first(targets, |area| areas::destroy(state, civ, area))?,
        Ability::Monotheism(targets) => areas::first(targets, |area| areas::convert(state, civ, area))?,
        Ability::PoliticsTreasury(amount) => treasury(state, civ, *amount)?,
        Ability::PoliticsAnnex(targets) => areas::first(targets, |area| areas::buy(state, civ, area))?,
        Ability::ProvincialEmpire(victims) => empire::tribute(state, civ, victims, commands)?,
        Ability::TradeRoutes(cards) => routes::sell(state, civ, cards)?,
        Ability::UniversalDoctrine(targets) => doctrine::annex(state, civ, targets)?,
    };
    Ok([vec![Event::AbilityUsed { civ, advance }], effects].concat())
}

/// Politics, the first choice: up to 5 tokens from stock to treasury.
fn treasury(state: &State, civ: Civ, amount: u16) -> Result<Vec<Event>, Illegal> {
    let have = state.holding(civ).stock;
    match amount {
        0 => Err(Illegal::Nothing),
        amount if amount > MOST_TREASURY => Err(Illegal::TooManyTokens { most: MOST_TREASURY }),
        amount if amount > have => Err(Illegal::TooFewInStock { have, need: amount }),
        amount => Ok(vec![Event::TreasuryGained { civ, amount, why: Cause::Advance(Advance::Politics) }]),
    }
}
