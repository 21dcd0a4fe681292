//! Attacks on cities, one after another. R4.20 to R4.30.

use std::collections::VecDeque;

use super::substitutes::Substitutes;
use super::{Conflict, MOST_LOOT, engineering, rank, tokens};
use crate::game::rulebook::{PirateSequence, YesNo};
use crate::game::{Chance, Chronicle, Command, Commands, Event, Owner, PhaseRules, Purpose, State};
use crate::rules::{Advance, AreaId, Civ};

/// Tokens of one owner in the area of another's city.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Attack {
    pub area: AreaId,
    pub attacker: Owner,
    /// Whose city it is.
    pub defender: Owner,
    pub tokens: u16,
}

/// The attacks there are now, in no special sequence.
pub(crate) fn attacks(state: &State) -> impl Iterator<Item = Attack> + '_ {
    state.grounds().filter_map(|(area, ground)| {
        let defender = ground.city?.owner;
        let force = ground.forces.iter().find(|force| force.owner != defender)?;
        Some(Attack { area, attacker: force.owner, defender, tokens: force.count })
    })
}

/// Resolves every attack; each is finished before the next.
pub(crate) fn resolve(chronicle: &mut Chronicle, commands: &Commands, substitutes: &mut Substitutes, chance: &Chance) {
    let mut queue = Queue { next: sequence(chronicle.state(), commands), delayed: Vec::new() };
    while let Some(area) = queue.next.pop_front() {
        let Some(attack) = attacks(chronicle.state()).find(|attack| attack.area == area) else {
            // R4.19: its tokens were lost elsewhere; whoever waited for it waits no longer.
            queue.resume(area);
            continue;
        };
        match queue.waits_for(chronicle.state(), commands, attack) {
            Some((civ, until)) => {
                chronicle.record(Event::DefenceDelayed { civ, area, until });
                queue.delay(chronicle.state(), attack, until);
            }
            None => {
                resolve_one(chronicle, commands, substitutes, chance, attack);
                queue.resume(area);
            }
        }
    }
}

/// Pirate cities first, then by the defender's rank. R4.4, R4.5.
fn sequence(state: &State, commands: &Commands) -> VecDeque<AreaId> {
    let mut attacks: Vec<_> = attacks(state).collect();
    let name = |area: AreaId| &state.printed().map.area(area).name;
    let wish = |civ: Option<Civ>, area: AreaId| {
        let lists = civ.into_iter().flat_map(|civ| commands.of(civ)).filter_map(|filed| match &filed.command {
            Command::Resolve { areas } => Some(areas),
            _ => None,
        });
        lists.flatten().position(|wished| *wished == area).unwrap_or(usize::MAX)
    };
    let pirates_by_name = state.rulebook().pirate_sequence == PirateSequence::Alphabetical;
    attacks.sort_by(|a, b| {
        let key = |attack: &Attack| match attack.defender {
            Owner::Barbarians if pirates_by_name => (0, 0, 0, 0),
            Owner::Barbarians => {
                (0, rank(state, attack.attacker), wish(attack.attacker.civ(), attack.area), attack.tokens)
            }
            Owner::Civ(civ) => (1, state.rank(civ), wish(Some(civ), attack.area), attack.tokens),
        };
        key(a).cmp(&key(b)).then_with(|| name(a.area).cmp(name(b.area)))
    });
    attacks.into_iter().map(|attack| attack.area).collect()
}

/// The attacks still to come, and those that wait for another.
struct Queue {
    next: VecDeque<AreaId>,
    /// The waiting attack and the one it waits for.
    delayed: Vec<(AreaId, AreaId)>,
}

impl Queue {
    /// R4.25: who waits, and for which of their own attacks, if their stock is short and the player asked for it.
    fn waits_for(&self, state: &State, commands: &Commands, attack: Attack) -> Option<(Civ, AreaId)> {
        let civ = attack.defender.civ()?;
        let asked = commands.of(civ).any(|filed| filed.command == Command::Delay { area: attack.area });
        let waited = state.progress().delayed.contains(&civ);
        let short = state.holding(civ).stock < replacement(state, attack);
        if !asked || waited || !short || attack.tokens < needed(state, attack) {
            return None;
        }
        let is_own = |area: &AreaId| attacks(state).any(|own| own.area == *area && own.attacker == attack.defender);
        let waiting = self.delayed.iter().map(|(area, _)| *area);
        self.next.iter().copied().chain(waiting).find(|area| is_own(area)).map(|area| (civ, area))
    }

    /// Puts an attack behind another. Where defenders wait for each other, the highest-ranked goes first. MC-7.
    fn delay(&mut self, state: &State, attack: Attack, until: AreaId) {
        self.delayed.push((attack.area, until));
        let waits_for = |area| self.delayed.iter().find(|(waiting, _)| *waiting == area).map(|(_, until)| *until);
        let mut circle = vec![attack.area];
        while let Some(next) = circle.last().copied().and_then(waits_for) {
            if next != attack.area {
                circle.push(next);
                continue;
            }
            let defender = |area: &AreaId| state.ground(*area).city.map_or(Owner::Barbarians, |city| city.owner);
            let first = circle.into_iter().min_by_key(|area| rank(state, defender(area)));
            self.delayed.retain(|(waiting, _)| Some(*waiting) != first);
            self.next.extend(first);
            self.next.rotate_right(1);
            return;
        }
    }

    /// What waited for this attack comes next.
    fn resume(&mut self, area: AreaId) {
        while let Some(index) = self.delayed.iter().rposition(|(_, until)| *until == area) {
            self.next.push_front(self.delayed.remove(index).0);
        }
    }
}

/// R4.20.
pub(crate) fn needed(state: &State, attack: Attack) -> u16 {
    tokens_for_a_city(state, attack.attacker, attack.defender)
}

/// The tokens with which one owner takes a city of another. R4.20.
pub(crate) fn tokens_for_a_city(state: &State, attacker: Owner, defender: Owner) -> u16 {
    7u16.saturating_add_signed(engineering(state, attacker, defender).into())
}

/// R4.24, R4.30.
fn replacement(state: &State, attack: Attack) -> u16 {
    6u16.saturating_add_signed(engineering(state, attack.attacker, attack.defender).into())
}

/// Resolves one attack to its end.
pub(crate) fn resolve_one(
    chronicle: &mut Chronicle,
    commands: &Commands,
    substitutes: &mut Substitutes,
    chance: &Chance,
    attack: Attack,
) {
    let Attack { area, attacker, defender, tokens } = attack;
    let state = chronicle.state();
    let needed = needed(state, attack);
    if tokens < needed {
        // R4.22: with Naval Warfare the ships there are lost too.
        let naval = attacker.civ().filter(|civ| state.has(*civ, Advance::NavalWarfare));
        let ships = naval.map_or(0, |civ| state.ships_at(area, civ) as u8);
        chronicle.record(Event::AttackFailed { area, attacker, defender, tokens, ships, needed });
        return;
    }
    let replaced = replacement(state, attack).min(state.tokens_left(defender));
    chronicle.record(Event::CityFell { area, attacker, defender, replaced });
    tokens::fight(chronicle, substitutes, area);
    if let Owner::Civ(attacker) = attacker {
        loot(chronicle, commands, chance, attack, attacker);
    }
}

/// A card at random, and tokens for the treasury. R4.27, R4.28.
fn loot(chronicle: &mut Chronicle, commands: &Commands, chance: &Chance, attack: Attack, attacker: Civ) {
    let survives = chronicle.state().tokens(attack.area, attack.attacker) > 0;
    if !survives && chronicle.state().rulebook().loot_without_survivors == YesNo::No {
        return;
    }
    let (mut treasury, mut card) = (MOST_LOOT, true);
    for filed in commands.of(attacker) {
        if let Command::Loot { treasury: wished, card: drawn } = filed.command
            && Conflict.may_stand(chronicle.state(), attacker, &filed.command).is_ok()
        {
            treasury = wished.unwrap_or(treasury);
            card = drawn.unwrap_or(card);
        }
    }
    if let Owner::Civ(defender) = attack.defender
        && card
    {
        let hand = &chronicle.state().holding(defender).hand;
        if !hand.is_empty() {
            let counter = chronicle.state().draws().count(Purpose::Loot);
            let card = hand[chance.pick(Purpose::Loot, counter, hand.len())];
            chronicle.record(Event::CardTaken { from: defender, to: attacker, card });
        }
    }
    let amount = treasury.min(chronicle.state().holding(attacker).stock);
    if amount > 0 {
        chronicle.record(Event::LootTaken { civ: attacker, amount });
    }
}
