//! Phase 12: civilization advances acquisition, then the hand limit.
//!
//! Comes in: the `acquire` and `keep` lines of each player. Goes out: one transaction a player, the cards the player
//! discards, and that the player is done. Looks at the player's hand, their treasury and the credits the player had
//! before.

mod hand_limit;
mod payment;
mod price;
mod transaction;

use super::event::{Cause, Thwart};
use super::{
    Awaited, Chance, Chronicle, Command, Commands, Decision, Event, Filed, Illegal, PhaseRules, State, movement,
};
use crate::rules::{AdvanceSet, Civ, Face};
pub use hand_limit::hand_limit;
pub use price::price;
pub(crate) use price::prices;
pub(crate) use transaction::LIBRARY_DISCOUNT;
use transaction::Transaction;
pub(super) use transaction::spread;
pub use transaction::{Quote, quote};
pub(crate) use transaction::{free_credits, is_gift};

/// Phase 12.
pub(crate) struct Acquisition;

impl PhaseRules for Acquisition {
    fn awaits(&self, state: &State) -> Vec<Awaited> {
        let buying = sequence(state).into_iter().filter(|civ| !state.progress().acted.contains(civ));
        buying.map(|civ| Awaited { civ, decision: Decision::Acquisition }).collect()
    }

    fn may_stand(&self, state: &State, civ: Civ, command: &Command) -> Result<(), Illegal> {
        if state.progress().acted.contains(&civ) {
            return Err(Illegal::AfterDone);
        }
        match command {
            Command::Acquire { advances, .. } => {
                let named = advances.iter().copied().collect();
                Transaction::open(state, civ, named).with(command).map(|_| ())
            }
            Command::If { test, then, .. } if movement::is_met(state, test) => self.may_stand(state, civ, then),
            Command::If { otherwise: Some(otherwise), .. } => self.may_stand(state, civ, otherwise),
            _ => Ok(()),
        }
    }

    /// The player buys nothing and keeps their largest sets.
    fn silence(&self, _state: &State, _awaited: Awaited) -> Vec<Command> {
        Vec::new()
    }

    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, _chance: &Chance) {
        for civ in sequence(chronicle.state()) {
            if !chronicle.state().progress().acted.contains(&civ) {
                acquire(chronicle, commands, civ);
                discard_excess(chronicle, commands, civ);
                chronicle.record(Event::AcquisitionEnded { civ });
            }
        }
    }
}

/// A.S.T.-position, the furthest first; the ranking breaks ties. R12.1.
fn sequence(state: &State) -> Vec<Civ> {
    let mut holdings: Vec<_> = state.holdings().iter().collect();
    // The sort keeps the ranking among equals.
    holdings.sort_by_key(|holding| std::cmp::Reverse(holding.position));
    holdings.into_iter().map(|holding| holding.civ).collect()
}

/// All the player's lines are one transaction; one that cannot be paid with those before it is refused. R12.2.
fn acquire(chronicle: &mut Chronicle, commands: &Commands, civ: Civ) {
    let opening = chronicle.state().clone();
    let lines: Vec<_> = commands.of(civ).filter_map(|filed| Some((filed, played(chronicle, filed)?))).collect();
    let named: AdvanceSet = lines
        .iter()
        .flat_map(|(_, command)| match command {
            Command::Acquire { advances, .. } => advances.as_slice(),
            _ => &[],
        })
        .copied()
        .collect();
    let mut transaction = Transaction::open(&opening, civ, named);
    for (filed, command) in lines.into_iter().filter(|(_, command)| matches!(command, Command::Acquire { .. })) {
        match transaction.with(command) {
            Ok(longer) => transaction = longer,
            Err(why) => chronicle.refuse(filed, why),
        }
    }
    if let Some(event) = transaction.close() {
        chronicle.record(event);
    }
}

/// The line that is played: of a conditional one the part whose test is met.
fn played<'a>(chronicle: &mut Chronicle, filed: &'a Filed) -> Option<&'a Command> {
    let mut command = &filed.command;
    while let Command::If { test, then, otherwise } = command {
        command = match (movement::is_met(chronicle.state(), test), otherwise) {
            (true, _) => then,
            (false, Some(otherwise)) => otherwise,
            (false, None) => {
                chronicle.record(Event::Thwarted { civ: filed.civ, line: filed.line, why: Thwart::TestNotMet });
                return None;
            }
        };
    }
    Some(command)
}

/// R12.11: buyer or not.
fn discard_excess(chronicle: &mut Chronicle, commands: &Commands, civ: Civ) {
    let lists = commands.of(civ).filter_map(|filed| match &filed.command {
        Command::Keep { cards } => Some(cards),
        _ => None,
    });
    let wishes: Vec<Face> = lists.flatten().copied().collect();
    let cards = hand_limit::excess(chronicle.state(), civ, &wishes);
    if !cards.is_empty() {
        chronicle.record(Event::CardsDiscarded { civ, cards, why: Cause::HandLimit });
    }
}

#[cfg(test)]
mod tests;
