//! Random boards at the beginning of phase 4, with everything filed that could upset it.

use std::collections::BTreeMap;

use cursus::game::command::Substitute;
use cursus::game::rulebook::ExpansionConflicts;
use cursus::game::{Chance, Command, Commands, Count, Event, Filed, Force, LineId, Owner, Phase, State, adjudicate};
use cursus::rules::{Advance, AdvanceSet, AreaId};

use super::{Dice, Position, Script};

/// A position in phase 4 where nobody holds Advanced Military, and everybody may lose ships.
pub fn separate_conflicts(script: &Script) -> Position {
    let mut position = Position::of(script);
    position.opening.phase = Phase::Conflict;
    for holding in &mut position.opening.holdings {
        let mut advances = AdvanceSet::default();
        let kept = holding.advances.iter().filter(|advance| *advance != Advance::AdvancedMilitary);
        kept.chain([Advance::NavalWarfare]).for_each(|advance| advances.insert(advance));
        holding.advances = advances;
    }
    position
}

/// Whoever may lose ships instead of tokens does so, wherever they have some.
pub fn substitutes(state: &State) -> Commands {
    let filed = state.holdings().iter().flat_map(|holding| {
        holding.ships.iter().map(|ship| Filed {
            civ: holding.civ,
            line: LineId(1),
            ahead: false,
            command: Command::Substitute { area: ship.area, with: Substitute::Ships(Count::All) },
        })
    });
    Commands { filed: filed.collect(), cut_off: true, ..Commands::default() }
}

/// A position in phase 4 where everybody may lose neighbours instead, and has little in stock to replace a city with.
pub fn crowded_conflict(script: &Script) -> (State, Commands) {
    let mut opening = Position::of(script).opening;
    opening.phase = Phase::Conflict;
    opening.rulebook.expansion_conflicts = ExpansionConflicts::Fought;
    let mut dice = Dice::new(script.frame);
    for ground in opening.board.iter_mut().filter(|ground| ground.city.is_some()) {
        // One attacker a city, for then nothing but the attacks is left to rule upon.
        for force in ground.forces.drain(..) {
            if let Some(holding) = opening.holdings.iter_mut().find(|it| Owner::Civ(it.civ) == force.owner) {
                holding.stock += force.count;
            }
        }
        let seat = dice.below(opening.holdings.len());
        let holding = &mut opening.holdings[seat];
        let (owner, count) = (Owner::Civ(holding.civ), holding.stock.min(dice.between(1, 9)));
        if ground.city.is_some_and(|city| city.owner != owner) && count > 0 {
            holding.stock -= count;
            ground.forces.push(Force { owner, count, moved: 0, ferried: 0 });
        }
    }
    for holding in &mut opening.holdings {
        holding.advances.insert(Advance::AdvancedMilitary);
        let saved = holding.stock.saturating_sub(5);
        holding.stock -= saved;
        holding.treasury += saved;
    }
    let state = State::new(opening);
    let commands = delays_and_substitutes(&state);
    (state, commands)
}

/// Everybody waits with every city, and loses tokens of every neighbour instead of those that fight.
pub fn delays_and_substitutes(state: &State) -> Commands {
    let mut filed = Vec::new();
    for civ in state.ranking() {
        let delays = state.cities_of(civ).map(|area| Command::Delay { area });
        let own = state.grounds().filter(|(_, ground)| ground.force(Owner::Civ(civ)).is_some()).map(|(area, _)| area);
        let substitutes = own.flat_map(|from| {
            let near = state.printed().map.area(from).land.iter();
            near.map(move |area| Command::Substitute {
                area: *area,
                with: Substitute::Tokens { from, count: Count::All },
            })
        });
        for (line, command) in (1..).map(LineId).zip(delays.chain(substitutes)) {
            filed.push(Filed { civ, line, ahead: false, command });
        }
    }
    Commands { filed, cut_off: true, ..Commands::default() }
}

/// The token conflicts of 4a, by area.
pub fn fights(state: &State, commands: &Commands) -> BTreeMap<AreaId, Event> {
    let (events, _) = adjudicate(state, commands, &Chance::numbered(0));
    let attacks = |event: &&Event| matches!(event, Event::CityFell { .. } | Event::AttackFailed { .. });
    let before = events.iter().position(|event| attacks(&event)).unwrap_or(events.len());
    let fights = events[..before].iter().filter_map(|event| match event {
        Event::TokensFought { area, .. } => Some((*area, event.clone())),
        _ => None,
    });
    fights.collect()
}
