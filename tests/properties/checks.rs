//! What is true of every random game. Each check says what is wrong, if anything is.

use std::collections::{BTreeMap, BTreeSet};

use cursus::game::rulebook::ExpansionConflicts;
use cursus::game::{Chance, Command, Commands, Event, Owner, Phase, State, adjudicate, laws, replay};
use cursus::rules::{Civ, TradeCard};

use super::{Played, Ruling};

/// Laws hold after every event, and the events lead to the state of the ruling.
pub fn broken_law(ruling: &Ruling) -> Option<String> {
    let mut state = ruling.before.clone();
    for event in &ruling.events {
        state.apply(event);
        if let Some(law) = laws::broken(&state) {
            return Some(format!("after {event:?}: {law}"));
        }
    }
    (state != ruling.after).then(|| "the events lead to another state".to_owned())
}

/// What was written down and read again replays to the same state.
pub fn other_replay(ruling: &Ruling) -> Option<String> {
    let stored = ruling.events.iter().map(|event| serde_json::to_string(event).expect("an event can be stored"));
    let read = stored.map(|text| serde_json::from_str(&text).expect("a stored event can be read"));
    let read: Vec<Event> = read.collect();
    let same = read == ruling.events && replay(&ruling.before, &read) == ruling.after;
    (!same).then(|| "stored events replay to another state".to_owned())
}

/// Hands change by what an event says of cards, and exactly so.
pub fn wrong_hands(ruling: &Ruling) -> Option<String> {
    let hands = |state: &State| -> BTreeMap<Civ, Vec<TradeCard>> {
        state.holdings().iter().map(|holding| (holding.civ, holding.hand.clone())).collect()
    };
    let mut state = ruling.before.clone();
    for event in &ruling.events {
        let mut expected = hands(&state);
        let mut give = |civ: &Civ, card: &TradeCard| expected.get_mut(civ).expect("they are seated").push(*card);
        let mut taken = Vec::new();
        match event {
            Event::CardDrawn { civ, card, .. } | Event::CardBought { civ, card, .. } => give(civ, card),
            Event::CardTaken { from, to, card } => {
                give(to, card);
                taken.push((from, card));
            }
            Event::TradeMade { from, to, given, received, .. } => {
                given.iter().for_each(|card| give(to, card));
                received.iter().for_each(|card| give(from, card));
                taken.extend(given.iter().map(|card| (from, card)).chain(received.iter().map(|card| (to, card))));
            }
            Event::CardGiven { from, to, card } => {
                give(to, card);
                taken.push((from, card));
            }
            Event::CalamityDiscarded { civ, card } | Event::CalamityResolved { victim: civ, card } => {
                taken.push((civ, card));
            }
            Event::CardsDiscarded { civ, cards, .. } | Event::AdvancesAcquired { civ, cards, .. } => {
                taken.extend(cards.iter().map(|card| (civ, card)));
            }
            _ => {}
        }
        for (civ, card) in taken {
            let hand = expected.get_mut(civ).expect("they are seated");
            hand.remove(hand.iter().position(|held| held == card)?);
        }
        expected.values_mut().for_each(|hand| hand.sort_unstable());
        state.apply(event);
        if hands(&state) != expected {
            return Some(format!("{event:?} changed the hands otherwise than it says"));
        }
    }
    None
}

/// The same ruling without the lines that were refused is the same.
pub fn fruitful_refusal(ruling: &Ruling, chance: &Chance) -> Option<String> {
    let refused: BTreeSet<_> = ruling
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Refused { civ, line, .. } => Some((*civ, *line)),
            _ => None,
        })
        .collect();
    if refused.is_empty() {
        return None;
    }
    // A wish for every calamity may serve at one of them and be refused at another.
    let general = |command: &Command| matches!(command, Command::Wish { calamity: None, .. });
    let mut filed = ruling.commands.filed.iter();
    if filed.any(|filed| general(&filed.command) && refused.contains(&(filed.civ, filed.line))) {
        return None;
    }
    let mut without = Commands { filed: Vec::new(), cut_off: ruling.commands.cut_off, ..Commands::default() };
    for filed in &ruling.commands.filed {
        let mut filed = filed.clone();
        if refused.contains(&(filed.civ, filed.line)) {
            match ruling.before.phase() {
                // Who speaks of building is not silent, whatever becomes of that line.
                Phase::Cities => filed.command = Command::BuildNoCity { area: None },
                _ => continue,
            }
        }
        without.filed.push(filed);
    }
    // A refused line may have taken the place of `wait`; in phase 10 what is given stands beside it.
    let wrote_wait = |civ| ruling.commands.of(civ).any(|filed| filed.command == Command::Wait);
    let may_wait = ruling.before.phase() == Phase::Abilities && refused.iter().any(|(civ, _)| wrote_wait(*civ));
    if may_wait || ruling.before.ranking().any(|civ| without.waits(civ) != ruling.commands.waits(civ)) {
        return None;
    }
    let (events, state) = adjudicate(&ruling.before, &without, chance);
    let happened = ruling.events.iter().filter(|event| !matches!(event, Event::Refused { .. }));
    let same = events.iter().eq(happened) && state == ruling.after;
    (!same).then(|| "without its refused lines the ruling is another".to_owned())
}

/// R2.8: the census is what stands on the board.
pub fn wrong_census(played: &Played) -> Option<String> {
    let state = &played.closing(Phase::Expansion)?.after;
    state.ranking().find_map(|civ| {
        let on_board: u16 = state.grounds().map(|(area, _)| state.tokens(area, Owner::Civ(civ))).sum();
        let census = state.holding(civ).census;
        (census != on_board).then(|| format!("the census of {civ:?} is {census}, not {on_board}"))
    })
}

/// R4.12, R4.14, R4.22: no area is above its limit with two owners, no city area holds foreign tokens.
pub fn unended_conflict(state: &State) -> Option<String> {
    let fought = state.rulebook().expansion_conflicts == ExpansionConflicts::Fought;
    let conflict = state.grounds().find(|(area, ground)| match ground.city {
        Some(city) => ground.forces.iter().any(|force| force.owner != city.owner),
        None => fought && ground.forces.len() > 1 && ground.total() > state.limit(*area),
    });
    conflict.map(|(area, ground)| format!("a conflict has not ended in {area:?}: {ground:?}"))
}

/// R5.11, R5.14: after phase 5 nobody is above their limits, and every city is supported.
pub fn above_limits(played: &Played) -> Option<String> {
    // Where phase 4 was not played, foreign tokens may stand anywhere.
    played.closing(Phase::Conflict)?;
    unsupported(&played.closing(Phase::Cities)?.after)
}

/// R5.11, R5.14: nobody is above their limits, and every city is supported.
pub fn unsupported(state: &State) -> Option<String> {
    let fought = state.rulebook().expansion_conflicts == ExpansionConflicts::Fought;
    for (area, ground) in state.grounds() {
        let civs = ground.forces.iter().filter_map(|force| Some((force.owner.civ()?, force.count)));
        for (civ, count) in civs {
            if count > state.room(area, civ) {
                return Some(format!("{civ:?} has {count} in {area:?}, where {} may stand", state.room(area, civ)));
            }
        }
        if fought && ground.forces.len() > 1 && ground.total() > state.limit(area) {
            return Some(format!("together they are above the limit in {area:?}: {ground:?}"));
        }
    }
    unsupported_cities(state)
}

fn unsupported_cities(state: &State) -> Option<String> {
    state.ranking().find_map(|civ| {
        let needed = state.support_rate(civ) * u16::from(state.city_count(civ));
        (state.tokens_on_board(civ) < needed).then(|| format!("the cities of {civ:?} are not supported"))
    })
}
