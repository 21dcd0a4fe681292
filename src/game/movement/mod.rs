//! Phase 3: movement.
//!
//! Sealed lists are played in census sequence, each line on the board as it is then. Everybody ahead of the first who
//! insists on their turn is played; the player is asked, and the phase goes on when the player has answered.

mod ships;
mod tokens;

pub(crate) use ships::{NoWay, allowance, holds, is_open, no_way, steps_left, way};

use std::collections::BTreeMap;

use super::command::{Asks, Test};
use super::event::Thwart;
use super::{
    Awaited, Chance, Chronicle, Command, Commands, Decision, Event, Filed, Illegal, PhaseRules, ShipCondition, State,
};
use crate::rules::{Advance, AreaId, Civ};

/// Phase 3.
pub(crate) struct Movement;

impl PhaseRules for Movement {
    fn awaits(&self, state: &State) -> Vec<Awaited> {
        let moving = state.movement_sequence().into_iter().filter(|civ| !state.progress().acted.contains(civ));
        let asked = state.progress().asked;
        let awaited = moving.filter(|civ| asked.is_none_or(|asked| asked == *civ));
        awaited.map(|civ| Awaited { civ, decision: Decision::Movement }).collect()
    }

    fn may_stand(&self, state: &State, civ: Civ, command: &Command) -> Result<(), Illegal> {
        if state.progress().acted.contains(&civ) {
            return Err(Illegal::AfterDone);
        }
        plan(state, civ, command).map(|_| ())
    }

    /// Tokens stay, and no ship is maintained.
    fn silence(&self, _state: &State, _awaited: Awaited) -> Vec<Command> {
        vec![Command::Done]
    }

    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, _chance: &Chance) {
        for civ in chronicle.state().movement_sequence() {
            if chronicle.state().progress().acted.contains(&civ) {
                continue;
            }
            if commands.waits(civ) && chronicle.waits_for(commands, civ) {
                return;
            }
            move_all(chronicle, commands, civ);
        }
    }
}

/// Plays a player's whole list and ends their movement.
fn move_all(chronicle: &mut Chronicle, commands: &Commands, civ: Civ) {
    let mut ended = false;
    for filed in commands.of(civ) {
        match &filed.command {
            Command::Done => ended = true,
            Command::Wait if !ended => {}
            // R3.3: after the declaration nothing can be changed.
            _ if ended => chronicle.refuse(filed, Illegal::AfterDone),
            command => play_line(chronicle, filed, command),
        }
    }
    // R3.27: what was neither built nor maintained is lost.
    let ships = &chronicle.state().holding(civ).ships;
    let lost = ships.iter().filter(|ship| ship.condition == ShipCondition::Old).map(|ship| ship.area).collect();
    chronicle.record(Event::MovementEnded { civ, lost });
}

fn play_line(chronicle: &mut Chronicle, filed: &Filed, command: &Command) {
    match command {
        Command::If { test, then, otherwise } => match (is_met(chronicle.state(), test), otherwise) {
            (true, _) => play_line(chronicle, filed, then),
            (false, Some(otherwise)) => play_line(chronicle, filed, otherwise),
            (false, None) => {
                let why = Thwart::TestNotMet;
                chronicle.record(Event::Thwarted { civ: filed.civ, line: filed.line, why });
            }
        },
        _ => {
            let planned = plan(chronicle.state(), filed.civ, command);
            chronicle.play(filed, planned);
        }
    }
}

/// What would follow from a line now.
fn plan(state: &State, civ: Civ, command: &Command) -> Result<Vec<Event>, Illegal> {
    let event = match command {
        Command::Move { count, path } => tokens::walk(state, civ, *count, path)?,
        Command::BuildShip { area, price } => ships::build(state, civ, *area, price)?,
        Command::MaintainShip { area, token_from } => ships::maintain(state, civ, *area, *token_from)?,
        Command::ScrapShip { area } => ships::scrap(state, civ, *area)?,
        Command::Sail { from, acts } => ships::sail(state, civ, *from, acts)?,
        Command::If { test, then, otherwise } => {
            return match (is_met(state, test), otherwise) {
                (true, _) => plan(state, civ, then),
                (false, Some(otherwise)) => plan(state, civ, otherwise),
                (false, None) => Ok(Vec::new()),
            };
        }
        Command::Done | Command::Wait => return Ok(Vec::new()),
        other => return Err(Illegal::WrongPhase { phase: other.phase().unwrap_or(state.phase()) }),
    };
    Ok(vec![event])
}

/// Whether the test of a conditional line is true now.
pub(super) fn is_met(state: &State, test: &Test) -> bool {
    let ground = state.ground(test.area);
    let is_empty = || {
        let ships = state.ranking().any(|civ| state.ships_at(test.area, civ) > 0);
        ground.forces.is_empty() && ground.city.is_none() && !ships
    };
    match test.asks {
        Asks::Holds(count, owner) => state.tokens(test.area, owner) == count,
        Asks::AtMost(count, owner) => state.tokens(test.area, owner) <= count,
        Asks::AtLeast(count, owner) => state.tokens(test.area, owner) >= count,
        Asks::IsEmpty => is_empty(),
        Asks::IsOccupied => !is_empty(),
        Asks::HasCity(owner) => ground.city.is_some_and(|city| city.owner == owner),
    }
}

/// Who could come into an area with a whole movement, and with how many tokens at most: those who stand near enough by land,
/// and full ships. Whoever may not enter does not come. R3.6, R3.8, R3.21.
pub(crate) fn comers(state: &State, area: AreaId) -> BTreeMap<Civ, u16> {
    let mut comers = ships::landing(state, area);
    for (civ, count) in &mut comers {
        *count = (*count + tokens::marching(state, *civ, area)).min(state.tokens_on_board(*civ));
    }
    comers.retain(|civ, count| *count > 0 && may_enter(state, *civ, area, *count).is_ok());
    comers
}

/// Whether a player's tokens may enter an area where the player would then have so many. R3.25, R3.31, R3.42, R3.43.
fn may_enter(state: &State, civ: Civ, area: AreaId, then: u16) -> Result<(), Illegal> {
    let ground = state.ground(area);
    if ground.out_of_play {
        return Err(Illegal::OutOfPlay { area });
    }
    if !state.printed().map.area(area).has_land() {
        return Err(Illegal::NoLand { area });
    }
    // What nobody has to start is not forbidden.
    if state.is_conflict(area) {
        return Ok(());
    }
    let mine = |advance| state.has(civ, advance);
    let others_with = |advance| {
        let units = ground.forces.iter().map(|force| force.owner).chain(ground.city.map(|city| city.owner));
        units.filter_map(|owner| owner.civ()).find(|other| *other != civ && state.has(*other, advance))
    };
    let city_of = ground.city.and_then(|city| city.owner.civ()).filter(|owner| *owner != civ);
    if let Some(holder) = city_of.filter(|owner| state.has(*owner, Advance::Diplomacy))
        && !mine(Advance::Diplomacy)
        && !mine(Advance::Military)
    {
        return Err(Illegal::Forbidden { advance: Advance::Diplomacy, holder, area });
    }
    if let Some(holder) = others_with(Advance::CulturalAscendancy)
        && !mine(Advance::CulturalAscendancy)
        && !mine(Advance::AdvancedMilitary)
        && state.is_conflict_with(area, Some((civ, then)))
    {
        return Err(Illegal::Forbidden { advance: Advance::CulturalAscendancy, holder, area });
    }
    Ok(())
}
