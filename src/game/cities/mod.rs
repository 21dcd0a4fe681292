//! Phase 5: city construction, surplus population and support. Phase 11 uses the last two again.

mod building;
pub(super) mod support;

use super::event::Thwart;
use super::{
    Awaited, Chance, Chronicle, Command, Commands, Decision, Event, Filed, Illegal, PhaseRules, State, movement,
};
use crate::rules::{AreaId, Civ};

/// Phase 5.
pub(crate) struct Cities;

impl PhaseRules for Cities {
    fn awaits(&self, state: &State) -> Vec<Awaited> {
        let building = state.ranking().filter(|civ| !state.progress().acted.contains(civ));
        building.map(|civ| Awaited { civ, decision: Decision::Building }).collect()
    }

    fn may_stand(&self, state: &State, civ: Civ, command: &Command) -> Result<(), Illegal> {
        match command {
            Command::BuildCity { .. } => building::plan(state, civ, command).map(|_| ()),
            Command::If { test, then, .. } if movement::is_met(state, test) => self.may_stand(state, civ, then),
            Command::If { otherwise: Some(otherwise), .. } => self.may_stand(state, civ, otherwise),
            _ => Ok(()),
        }
    }

    /// Every city that a site allows, unless its support would fail at once; never one in the wilderness.
    fn silence(&self, state: &State, awaited: Awaited) -> Vec<Command> {
        building::by_default(state, awaited.civ, &[])
    }

    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, _chance: &Chance) {
        let ranking: Vec<_> = chronicle.state().ranking().collect();
        for &civ in &ranking {
            build(chronicle, commands, civ);
        }
        for &civ in &ranking {
            support::remove_surplus(chronicle, civ);
        }
        for &civ in &ranking {
            support::check(chronicle, commands, civ);
        }
    }
}

/// R5.3: the player's lines, or what silence means.
fn build(chronicle: &mut Chronicle, commands: &Commands, civ: Civ) {
    let mut silent = true;
    for filed in commands.of(civ) {
        silent &= !build_line(chronicle, filed, &filed.command);
    }
    let unwanted: Vec<_> = commands.of(civ).filter_map(|filed| unwanted(&filed.command)).collect();
    if silent {
        for command in building::by_default(chronicle.state(), civ, &unwanted) {
            if let Ok(event) = building::plan(chronicle.state(), civ, &command) {
                chronicle.record(event);
            }
        }
    }
}

/// The area where a player wants no city.
fn unwanted(command: &Command) -> Option<AreaId> {
    match command {
        Command::BuildNoCity { area } => *area,
        _ => None,
    }
}

/// Plays a line; says whether it speaks of building at all.
fn build_line(chronicle: &mut Chronicle, filed: &Filed, command: &Command) -> bool {
    let thwart = |why| Event::Thwarted { civ: filed.civ, line: filed.line, why };
    match command {
        Command::BuildNoCity { area } => area.is_none(),
        Command::BuildCity { .. } => {
            match building::plan(chronicle.state(), filed.civ, command) {
                Ok(event) => {
                    let stays = building::nothing_stays(chronicle.state(), filed.civ, command);
                    chronicle.record(event);
                    stays.into_iter().for_each(|why| chronicle.record(thwart(why)));
                }
                // Filed before the phase, it meant: if the tokens are still there.
                Err(why) => match building::tokens_gone(chronicle.state(), filed.civ, command) {
                    Some(gone) if filed.ahead => chronicle.record(thwart(gone)),
                    Some(_) | None => chronicle.refuse(filed, why),
                },
            }
            true
        }
        Command::If { test, then, otherwise } => match (movement::is_met(chronicle.state(), test), otherwise) {
            (true, _) => build_line(chronicle, filed, then),
            (false, Some(otherwise)) => build_line(chronicle, filed, otherwise),
            (false, None) => {
                chronicle.record(thwart(Thwart::TestNotMet));
                true
            }
        },
        _ => false,
    }
}
