//! Phase 4: conflict. First all token conflicts, then the attacks on cities one by one.

pub(super) mod attacks;
pub(super) mod substitutes;
pub(super) mod tokens;

use super::{Awaited, Chance, Chronicle, Command, Commands, Decision, Illegal, Owner, PhaseRules, State};
use crate::rules::{Advance, Civ};
pub(crate) use attacks::tokens_for_a_city;
use substitutes::Substitutes;

/// R4.28.
const MOST_LOOT: u16 = 3;

/// Phase 4.
pub(crate) struct Conflict;

impl PhaseRules for Conflict {
    fn awaits(&self, state: &State) -> Vec<Awaited> {
        let mut awaited = Vec::new();
        let mut add = |civ: Option<Civ>, decision| awaited.extend(civ.map(|civ| Awaited { civ, decision }));
        for area in tokens::contested(state) {
            for civ in state.ground(area).forces.iter().filter_map(|force| force.owner.civ()) {
                if substitutes::has_any(state, civ, area) {
                    add(Some(civ), Decision::Substitutes);
                }
            }
        }
        for attack in attacks::attacks(state) {
            add(attack.attacker.civ(), Decision::Loot);
            add(attack.defender.civ(), Decision::Defence);
        }
        awaited.sort_unstable();
        awaited.dedup();
        awaited
    }

    fn may_stand(&self, state: &State, civ: Civ, command: &Command) -> Result<(), Illegal> {
        match command {
            Command::Substitute { area, with } => substitutes::may_stand(state, civ, *area, *with),
            Command::Loot { treasury: Some(treasury), .. } if *treasury > MOST_LOOT => {
                Err(Illegal::TooMuchLoot { most: MOST_LOOT })
            }
            _ => Ok(()),
        }
    }

    /// A card and three tokens are taken, nothing waits, nothing is substituted.
    fn silence(&self, _state: &State, awaited: Awaited) -> Vec<Command> {
        match awaited.decision {
            Decision::Loot => vec![Command::Loot { treasury: Some(MOST_LOOT), card: Some(true) }],
            Decision::TaxRate
            | Decision::Revolts
            | Decision::Growth
            | Decision::Movement
            | Decision::Defence
            | Decision::Substitutes
            | Decision::Building
            | Decision::Purchases
            | Decision::Trade
            | Decision::Calamities
            | Decision::Abilities
            | Decision::Support
            | Decision::Acquisition => Vec::new(),
        }
    }

    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, chance: &Chance) {
        for filed in &commands.filed {
            if let Err(why) = self.may_stand(chronicle.state(), filed.civ, &filed.command) {
                chronicle.refuse(filed, why);
            }
        }
        let mut substitutes = Substitutes::filed(chronicle.state(), commands);
        for area in tokens::sequence(chronicle.state()) {
            tokens::fight(chronicle, &mut substitutes, area);
        }
        attacks::resolve(chronicle, commands, &mut substitutes, chance);
    }
}

/// What an attack needs, and what takes the place of the city. R4.20, R4.24: Engineering on one side only.
fn engineering(state: &State, attacker: Owner, defender: Owner) -> i8 {
    let defends = state.owner_has(defender, Advance::Engineering);
    let attacks = state.owner_has(attacker, Advance::Engineering);
    i8::from(defends) - i8::from(attacks)
}

/// The rank of an owner; the Barbarians come last.
fn rank(state: &State, owner: Owner) -> usize {
    owner.civ().map_or(usize::MAX, |civ| state.rank(civ))
}
