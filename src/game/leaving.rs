//! A player leaves the game. RL.1 to RL.6.
//!
//! Comes in: a state between two phases, and who leaves (whoever is ejected in an open phase leaves behind it, RL.1).
//! Goes out: the events that close the player's region, turn their other units into barbarians and pirates, make the
//! others leave the region, and check their support. Looks at nobody's orders: where they would have a choice, the
//! moderator takes the default.

use super::cities::support;
use super::event::Cause;
use super::{Chronicle, Commands, Event, Owner, State};
use crate::rules::{AreaId, Civ};

/// RL.1: announces that a player leaves. The open phase is finished first; then the player goes. Nothing happens where
/// the player has no seat, leaves already, or the game has ended.
pub(crate) fn announce(state: &State, civ: Civ) -> (Vec<Event>, State) {
    let mut chronicle = Chronicle::open(state);
    if state.is_seated(civ) && !state.is_leaving(civ) && !state.has_ended() {
        chronicle.record(Event::LeavingAnnounced { civ });
    }
    chronicle.close()
}

/// Those who were to leave do so, now that a phase is over.
pub(super) fn depart(chronicle: &mut Chronicle) {
    let leaving: Vec<_> = chronicle.state().ranking().filter(|civ| chronicle.state().is_leaving(*civ)).collect();
    for civ in leaving {
        take_out(chronicle, civ);
    }
}

/// Takes a player out of the game at once; nothing happens where the player has no seat or the game has ended.
pub fn leave(state: &State, civ: Civ) -> (Vec<Event>, State) {
    let mut chronicle = Chronicle::open(state);
    if state.is_seated(civ) && !state.has_ended() {
        take_out(&mut chronicle, civ);
    }
    chronicle.close()
}

fn take_out(chronicle: &mut Chronicle, civ: Civ) {
    let state = &chronicle.state().clone();
    let cards = state.holding(civ).hand.clone();
    if !cards.is_empty() {
        chronicle.record(Event::CardsDiscarded { civ, cards, why: Cause::Leaving });
    }
    let map = &state.printed().map;
    let region: Vec<_> = map.ids().filter(|area| map.area(*area).region == Some(civ)).collect();
    for &area in region.iter().filter(|area| !state.ground(**area).out_of_play) {
        chronicle.record(Event::AreaClosed { area, civ });
    }
    turn_barbarian(chronicle, civ);
    chronicle.record(Event::PlayerLeft { civ });
    let others: Vec<_> = chronicle.state().ranking().collect();
    for &other in &others {
        for &area in &region {
            clear(chronicle, other, area);
        }
    }
    // RL.5.
    for &other in &others {
        support::remove_surplus(chronicle, other);
    }
    for &other in &others {
        support::reduce_unsupported(chronicle, &Commands::default(), other);
    }
}

/// RL.3: the player's units outside their region become barbarian tokens and pirate cities.
fn turn_barbarian(chronicle: &mut Chronicle, civ: Civ) {
    let from = Owner::Civ(civ);
    for area in chronicle.state().areas_of(from).collect::<Vec<_>>() {
        let state = chronicle.state();
        let tokens = state.tokens(area, from);
        let city = state.ground(area).city.is_some_and(|city| city.owner == from);
        chronicle.record(Event::UnitsAnnexed { from, to: Owner::Barbarians, area, tokens, city, why: Cause::Leaving });
    }
}

/// RL.4: a city there is reduced, and all tokens go elsewhere; what nowhere may go is destroyed.
fn clear(chronicle: &mut Chronicle, civ: Civ, area: AreaId) {
    let owner = Owner::Civ(civ);
    if chronicle.state().ground(area).city.is_some_and(|city| city.owner == owner) {
        let placed = support::replacement(chronicle.state(), civ, area);
        chronicle.record(Event::CityReduced { civ, area, placed, why: Cause::Leaving });
    }
    loop {
        let state = chronicle.state();
        let tokens = state.tokens(area, owner);
        if tokens == 0 {
            return;
        }
        match refuge(state, civ) {
            Some((to, room)) => {
                let count = if room > 0 { room.min(tokens) } else { tokens };
                chronicle.record(Event::TokensResettled { civ, from: area, to, count });
            }
            None => {
                let why = Cause::Leaving;
                chronicle.record(Event::UnitsDestroyed { owner, area, tokens, city: false, why });
            }
        }
    }
}

/// The default choice: the area with own tokens that has the most room, A to Z; without any room, the first where no
/// conflict situation arises, and the surplus goes with the rest.
fn refuge(state: &State, civ: Civ) -> Option<(AreaId, u16)> {
    let owner = Owner::Civ(civ);
    let mut areas: Vec<_> = state
        .grounds()
        .filter(|(_, ground)| !ground.out_of_play && ground.force(owner).is_some())
        .map(|(area, _)| area)
        .collect();
    state.alphabetically(&mut areas);
    let room = |area: AreaId| match state.ground(area).city {
        Some(_) => 0,
        None => state.limit_for(area, civ).saturating_sub(state.ground(area).total()),
    };
    let roomiest = areas.iter().map(|area| (*area, room(*area))).filter(|(_, room)| *room > 0);
    // Of equal ones the first is wanted, and `max_by_key` gives the last.
    let roomiest = roomiest.rev().max_by_key(|(_, room)| *room);
    roomiest.or_else(|| {
        let is_peaceful = |area: &&AreaId| !state.is_conflict_with(**area, Some((civ, state.printed().pieces.tokens)));
        areas.iter().find(is_peaceful).map(|area| (*area, 0))
    })
}
