//! Phase 11: surplus population and city support, after the conflicts that calamities and abilities left behind.
//!
//! Everything here is phase 4 and the end of phase 5 once more; what was written for those serves here too.

use super::cities::support;
use super::conflict::Conflict;
use super::{Awaited, Chance, Chronicle, Command, Commands, Decision, Illegal, Owner, PhaseRules, State};
use crate::rules::Civ;

/// Phase 11.
pub(crate) struct Support;

impl PhaseRules for Support {
    fn awaits(&self, state: &State) -> Vec<Awaited> {
        let unchecked = state.ranking().filter(|civ| !state.progress().acted.contains(civ));
        let short = unchecked.filter(|civ| is_short(state, *civ));
        let mut awaited = Conflict.awaits(state);
        awaited.extend(short.map(|civ| Awaited { civ, decision: Decision::Support }));
        awaited
    }

    fn may_stand(&self, state: &State, civ: Civ, command: &Command) -> Result<(), Illegal> {
        Conflict.may_stand(state, civ, command)
    }

    /// As in phase 4; and cities go as in phase 5.
    fn silence(&self, state: &State, awaited: Awaited) -> Vec<Command> {
        match awaited.decision {
            Decision::Support => Vec::new(),
            Decision::TaxRate
            | Decision::Revolts
            | Decision::Growth
            | Decision::Movement
            | Decision::Defence
            | Decision::Loot
            | Decision::Substitutes
            | Decision::Building
            | Decision::Purchases
            | Decision::Trade
            | Decision::Calamities
            | Decision::Abilities
            | Decision::Acquisition => Conflict.silence(state, awaited),
        }
    }

    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, chance: &Chance) {
        // R11.1: by phase 4. Its lines are judged again only where they find an occasion.
        let state = chronicle.state();
        let is_fought = state.grounds().any(|(area, _)| state.is_conflict(area));
        if is_fought {
            Conflict.resolve(chronicle, commands, chance);
        }
        // R11.2: by phase 5.
        let ranking: Vec<_> = chronicle.state().ranking().collect();
        for &civ in &ranking {
            support::remove_surplus(chronicle, civ);
        }
        for &civ in &ranking {
            support::check(chronicle, commands, civ);
        }
    }
}

/// Whether a player's cities would not all be supported once their surplus is gone. R5.14.
fn is_short(state: &State, civ: Civ) -> bool {
    let own = state.grounds().map(|(area, _)| state.tokens(area, Owner::Civ(civ)).min(state.room(area, civ)));
    own.sum::<u16>() < state.support_rate(civ) * u16::from(state.city_count(civ))
}
