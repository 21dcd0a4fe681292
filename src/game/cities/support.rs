//! 5b and 5c: surplus population and city support. R5.11 to R5.20.

use crate::game::command::Wish;
use crate::game::event::Cause;
use crate::game::rulebook::ShortReduction;
use crate::game::{Chronicle, Command, Commands, Event, Owner, State, WishList};
use crate::rules::{Advance, AreaId, Civ};

impl State {
    /// Tokens that each city needs. R5.14.
    pub fn support_rate(&self, civ: Civ) -> u16 {
        2 + u16::from(self.has(civ, Advance::CulturalAscendancy))
    }
}

/// Own tokens above the limit go, in every area. R5.11.
pub(crate) fn remove_surplus(chronicle: &mut Chronicle, civ: Civ) {
    let state = chronicle.state();
    let own = state.grounds().filter_map(|(area, ground)| Some((area, ground.force(Owner::Civ(civ))?.count)));
    let surplus: Vec<_> = own.map(|(area, count)| (area, count.saturating_sub(state.room(area, civ)))).collect();
    for (area, count) in surplus.into_iter().filter(|(_, count)| *count > 0) {
        chronicle.record(Event::SurplusRemoved { civ, area, count });
    }
}

/// Cities are reduced until the others are supported; then that is noted. R5.14, R5.15.
pub(crate) fn check(chronicle: &mut Chronicle, commands: &Commands, civ: Civ) {
    reduce_unsupported(chronicle, commands, civ);
    let (tokens, needed) = support(chronicle.state(), civ);
    chronicle.record(Event::SupportChecked { civ, tokens, needed });
}

/// Cities are reduced until the others are supported. R5.15.
pub(crate) fn reduce_unsupported(chronicle: &mut Chronicle, commands: &Commands, civ: Civ) {
    loop {
        let state = chronicle.state();
        let (tokens, needed) = support(state, civ);
        let next = if tokens < needed { next_to_go(state, commands, civ) } else { None };
        let Some(area) = next else { return };
        let placed = replacement(state, civ, area);
        chronicle.record(Event::CityReduced { civ, area, placed, why: Cause::Support });
    }
}

/// The tokens on the board, and how many the cities need. R5.14.
fn support(state: &State, civ: Civ) -> (u16, u16) {
    (state.tokens_on_board(civ), state.support_rate(civ) * u16::from(state.city_count(civ)))
}

/// Cities built this turn first, then the player's list, then the highest limit, then A to Z. R5.16, MC-10.
fn next_to_go(state: &State, commands: &Commands, civ: Civ) -> Option<AreaId> {
    let lists = commands.of(civ).filter_map(|filed| match &filed.command {
        Command::Reduce { areas } => Some(areas),
        _ => None,
    });
    let wishes: WishList = lists.flatten().copied().collect();
    let spared = spared(commands, civ);
    let mut cities: Vec<_> = state.cities_of(civ).collect();
    state.alphabetically(&mut cities);
    cities.into_iter().min_by_key(|area| {
        let is_new = state.ground(*area).city.is_some_and(|city| city.new);
        (!is_new, wishes.place(*area), spared.stay(*area), std::cmp::Reverse(state.limit(*area)))
    })
}

/// The cities that should stay to the last, whatever makes them go; the first named longest.
fn spared(commands: &Commands, civ: Civ) -> WishList {
    let lists = commands.of(civ).filter_map(|filed| match &filed.command {
        Command::Wish { calamity: None, wish: Wish::Spare(areas) } => Some(areas),
        _ => None,
    });
    lists.flatten().copied().collect()
}

/// The tokens that take the place of a reduced city. R5.15, R5.18 to R5.20.
pub(crate) fn replacement(state: &State, civ: Civ, area: AreaId) -> u16 {
    let beside = state.tokens(area, Owner::Civ(civ));
    let wanted = state.limit_for(area, civ).saturating_sub(beside);
    let stock = state.holding(civ).stock;
    match state.rulebook().short_reduction {
        ShortReduction::WhatStockAllows => wanted.min(stock),
        ShortReduction::Nothing if wanted > stock => 0,
        ShortReduction::Nothing => wanted,
    }
}
