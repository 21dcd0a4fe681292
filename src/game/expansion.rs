//! Phase 2: population expansion and census.

use super::rulebook::SharedExpansion;
use super::{Awaited, Chance, Chronicle, Command, Commands, Decision, Event, Illegal, Owner, PhaseRules, State};
use crate::rules::{AreaId, Civ};

/// Phase 2.
pub(crate) struct Expansion;

impl PhaseRules for Expansion {
    fn awaits(&self, state: &State) -> Vec<Awaited> {
        let growing = state.ranking().filter(|civ| !state.progress().acted.contains(civ));
        growing.filter(|civ| is_short(state, *civ)).map(|civ| Awaited { civ, decision: Decision::Growth }).collect()
    }

    fn may_stand(&self, state: &State, civ: Civ, command: &Command) -> Result<(), Illegal> {
        let Command::Expand { shares } = command else { return Ok(()) };
        if !is_short(state, civ) {
            return Err(Illegal::StockSuffices);
        }
        let areas = growth(state, civ);
        for (area, _) in shares {
            let same = shares.iter().filter(|(other, _)| other == area);
            let wrote = same.fold(0, |sum: u16, (_, count)| sum.saturating_add(*count));
            let most = areas.iter().find(|(growing, _)| growing == area).map_or(0, |(_, most)| *most);
            if wrote > most {
                return Err(Illegal::TooMuchGrowth { area: *area, most, wrote });
            }
        }
        Ok(())
    }

    /// Where it fits the limit first, A to Z; then elsewhere, A to Z.
    fn silence(&self, state: &State, awaited: Awaited) -> Vec<Command> {
        let mut areas: Vec<_> = growth(state, awaited.civ).into_iter().map(|(area, _)| area).collect();
        state.alphabetically(&mut areas);
        let mut left = state.holding(awaited.civ).stock;
        let mut shares: Vec<(AreaId, u16)> = Vec::new();
        for fits in [true, false] {
            for area in &areas {
                let most = most(state, *area, awaited.civ);
                let fitting = state.room(*area, awaited.civ).saturating_sub(state.ground(*area).total()).min(most);
                let count = if fits { fitting } else { most - fitting }.min(left);
                left -= count;
                match shares.iter_mut().find(|(share, _)| share == area) {
                    Some((_, share)) => *share += count,
                    None if count > 0 => shares.push((*area, count)),
                    None => {}
                }
            }
        }
        vec![Command::Expand { shares }]
    }

    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, _chance: &Chance) {
        // R2.3: in a shared area everybody grows by what stood there before anybody did.
        let before = chronicle.state().clone();
        for civ in before.ranking() {
            for (area, count) in places(chronicle, commands, &before, civ) {
                chronicle.record(Event::TokensGrew { civ, area, count });
            }
            let census = chronicle.state().tokens_on_board(civ);
            chronicle.record(Event::CensusTaken { civ, census });
        }
    }
}

/// Where a player's tokens go.
fn places(chronicle: &mut Chronicle, commands: &Commands, before: &State, civ: Civ) -> Vec<(AreaId, u16)> {
    let wish = chronicle.last_legal(&Expansion, commands, civ, |command| match command {
        Command::Expand { shares } => Some(shares.clone()),
        _ => None,
    });
    let growth = growth(before, civ);
    if !is_short(before, civ) {
        return growth;
    }
    // R2.5: the player's wishes first, what is left by the default, and all that the stock has.
    let silence = Expansion.silence(before, Awaited { civ, decision: Decision::Growth });
    let silent = silence.into_iter().filter_map(|command| match command {
        Command::Expand { shares } => Some(shares),
        _ => None,
    });
    let wishes = wish.into_iter().chain(silent).flatten().chain(growth.iter().copied());
    let mut left = before.holding(civ).stock;
    let mut placed: Vec<(AreaId, u16)> = Vec::new();
    for (area, count) in wishes {
        let most = growth.iter().find(|(growing, _)| *growing == area).map_or(0, |(_, most)| *most);
        let share = match placed.iter_mut().find(|(share, _)| *share == area) {
            Some((_, share)) => share,
            None => {
                placed.push((area, 0));
                &mut placed.last_mut().expect("a share was just added").1
            }
        };
        let more = count.min(most - *share).min(left);
        *share += more;
        left -= more;
    }
    placed.retain(|(_, count)| *count > 0);
    placed
}

/// How much each area with own tokens may grow. R2.2.
fn growth(state: &State, civ: Civ) -> Vec<(AreaId, u16)> {
    let grows = |area| Some((area, most(state, area, civ))).filter(|(_, most)| *most > 0);
    state.grounds().filter_map(|(area, _)| grows(area)).collect()
}

/// One token becomes two, more grow by two.
fn most(state: &State, area: AreaId, civ: Civ) -> u16 {
    let own = state.tokens(area, Owner::Civ(civ));
    let counted = match state.rulebook().shared_expansion {
        SharedExpansion::OwnTokens => own,
        SharedExpansion::AllTokens => state.ground(area).total(),
    };
    if own == 0 { 0 } else { counted.min(2) }
}

fn is_short(state: &State, civ: Civ) -> bool {
    growth(state, civ).iter().map(|(_, count)| count).sum::<u16>() > state.holding(civ).stock
}
