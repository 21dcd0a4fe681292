//! Phase 9: calamity resolution.
//!
//! First all minor calamities, then the major ones, called one by one. A calamity leaves its holder's hand when it is
//! over, so what is still to come is always read off the hands. What a player wishes stands in their lines; where they
//! are silent, the default that is printed on the player's form decides.

mod damage;
mod discards;
mod hordes;
mod major;
mod minor;
mod provinces;
mod quake;
mod reduction;
mod victims;
mod wishes;

use super::event::Cause;
use super::selection::calamities;
use super::{Awaited, Chance, Chronicle, Command, Commands, Decision, Event, Illegal, PhaseRules, State};
use crate::rules::calamities::Victim;
use crate::rules::{Calamity, CalamityClass, Civ, Face, TradeCard};

/// Phase 9.
pub(crate) struct Calamities;

impl PhaseRules for Calamities {
    /// Everybody, as long as a calamity is to come: who holds one is nobody's business. MC-19.
    fn awaits(&self, state: &State) -> Vec<Awaited> {
        let to_come = state.ranking().any(|civ| !calamities(state, civ).is_empty());
        let asked = state.progress().asked;
        let awaited = state.ranking().filter(|civ| to_come && asked.is_none_or(|asked| asked == *civ));
        awaited.map(|civ| Awaited { civ, decision: Decision::Calamities }).collect()
    }

    /// Wishes always stand; what they ask for is judged when the calamity strikes.
    fn may_stand(&self, _state: &State, _civ: Civ, _command: &Command) -> Result<(), Illegal> {
        Ok(())
    }

    /// Tokens before cities, nothing is paid that need not be.
    fn silence(&self, _state: &State, _awaited: Awaited) -> Vec<Command> {
        Vec::new()
    }

    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, chance: &Chance) {
        // R9.1: the minor ones first, everybody's own by ascending stack.
        let ranking: Vec<_> = chronicle.state().ranking().collect();
        for civ in ranking {
            for card in of_class(chronicle.state(), civ, CalamityClass::Minor) {
                if asks(chronicle, commands, &[civ]) {
                    return;
                }
                let mut call = Call { chronicle, commands, calamity: calamity(card), victim: civ, beneficiary: None };
                call.strike(card);
                minor::resolve(&mut call);
                call.over(card);
            }
        }
        // R9.2: the major ones by stack, the non-tradeable before the tradeable.
        for calamity in major_sequence(chronicle.state()) {
            if !resolve_major(chronicle, commands, chance, calamity) {
                return;
            }
        }
    }
}

/// All copies of a major calamity: all are shown, then all secondary victims named, then losses taken. C.9, MC-22.
/// Says whether it could be resolved; else somebody who insists is asked first.
fn resolve_major(chronicle: &mut Chronicle, commands: &Commands, chance: &Chance, calamity: Calamity) -> bool {
    let state = chronicle.state();
    let holders = state.ranking().flat_map(|civ| {
        let copies = calamities(state, civ).into_iter().filter(move |card| card.face == Face::Calamity(calamity));
        copies.map(move |card| (civ, card))
    });
    let holders: Vec<_> = holders.collect();
    let mut struck = Vec::new();
    for (victim, card) in &holders {
        let beneficiary = victims::beneficiary(chronicle.state(), *victim, *card);
        struck.push((*victim, *card, beneficiary));
    }
    let deciders: Vec<_> = struck.iter().flat_map(|(victim, _, other)| [Some(*victim), *other]).flatten().collect();
    if asks(chronicle, commands, &deciders) {
        return false;
    }
    for &(victim, card, beneficiary) in &struck {
        Call { chronicle: &mut *chronicle, commands, calamity, victim, beneficiary }.strike(card);
    }
    let mut named = Vec::new();
    for &(victim, _, beneficiary) in &struck {
        let mut call = Call { chronicle: &mut *chronicle, commands, calamity, victim, beneficiary };
        named.push(victims::name(&mut call));
    }
    for ((victim, card, beneficiary), secondary) in struck.into_iter().zip(named) {
        let mut call = Call { chronicle: &mut *chronicle, commands, calamity, victim, beneficiary };
        major::resolve(&mut call, &secondary, chance);
        call.over(card);
    }
    true
}

/// Asks the first of these players who insists on their turn and has not been asked in this phase; says whether it did.
fn asks(chronicle: &mut Chronicle, commands: &Commands, deciders: &[Civ]) -> bool {
    deciders.iter().any(|civ| {
        let insists = commands.waits(*civ) && !chronicle.state().progress().acted.contains(civ);
        insists && chronicle.waits_for(commands, *civ)
    })
}

/// What a calamity of a player's hand would do if it struck by itself; nobody is asked again.
pub(crate) fn alone(state: &State, civ: Civ, which: Calamity, commands: &Commands) -> Vec<Event> {
    let Some(card) = held(state, civ, which) else { return Vec::new() };
    let mut commands = commands.clone();
    commands.filed.retain(|filed| filed.command != Command::Wait);
    let mut chronicle = Chronicle::open(state);
    match state.printed().calamities[which as usize].class {
        CalamityClass::Minor => {
            let chronicle = &mut chronicle;
            let mut call = Call { chronicle, commands: &commands, calamity: which, victim: civ, beneficiary: None };
            call.strike(card);
            minor::resolve(&mut call);
            call.over(card);
        }
        CalamityClass::Major => {
            resolve_major(&mut chronicle, &commands, &Chance::numbered(0), which);
        }
    }
    chronicle.close().0
}

/// How many others a calamity of a player's hand would draw in, and whom the player may name. C.8.
pub(crate) fn may_be_victims(state: &State, civ: Civ, which: Calamity) -> (usize, Vec<Civ>) {
    let Some(card) = held(state, civ, which) else { return (0, Vec::new()) };
    let (mut chronicle, commands) = (Chronicle::open(state), Commands::default());
    let beneficiary = victims::beneficiary(state, civ, card);
    let mut call = Call { chronicle: &mut chronicle, commands: &commands, calamity: which, victim: civ, beneficiary };
    call.strike(card);
    victims::may_be(&call)
}

fn held(state: &State, civ: Civ, which: Calamity) -> Option<TradeCard> {
    calamities(state, civ).into_iter().find(|card| card.face == Face::Calamity(which))
}

/// A calamity that has been called: who suffers, who profits, what they wish.
struct Call<'a> {
    chronicle: &'a mut Chronicle,
    commands: &'a Commands,
    calamity: Calamity,
    victim: Civ,
    beneficiary: Option<Civ>,
}

impl Call<'_> {
    fn state(&self) -> &State {
        self.chronicle.state()
    }

    fn record(&mut self, event: Event) {
        self.chronicle.record(event);
    }

    fn why(&self) -> Cause {
        Cause::Calamity(self.calamity)
    }

    fn strike(&mut self, card: TradeCard) {
        let (victim, beneficiary) = (self.victim, self.beneficiary);
        self.record(Event::CalamityStruck { card, victim, beneficiary });
    }

    fn over(&mut self, card: TradeCard) {
        let victim = self.victim;
        self.record(Event::CalamityResolved { card, victim });
    }

    /// A base number of the card.
    fn number(&self, name: &str) -> i32 {
        let card = &self.state().printed().calamities[self.calamity as usize];
        card.effect.iter().find(|(effect, _)| effect == name).map_or(0, |(_, number)| *number)
    }

    /// A base number as a victim's advances change it; never below 0. C.4, C.12.
    fn modified(&self, name: &str, field: &str, civ: Civ) -> u16 {
        (self.number(name) + self.change(field, civ)).max(0) as u16
    }

    /// By how much a victim's advances change a number.
    fn change(&self, field: &str, civ: Civ) -> i32 {
        let role = if civ == self.victim { Victim::Primary } else { Victim::Secondary };
        let card = &self.state().printed().calamities[self.calamity as usize];
        let counts = card.modifiers.iter().filter(|modifier| {
            modifier.field == field
                && (modifier.when == Victim::Any || modifier.when == role)
                && self.state().has(civ, modifier.advance)
        });
        counts.map(|modifier| modifier.delta).sum()
    }

    /// C.16: treasury goes to stock; with less, all of it.
    fn lose_treasury(&mut self, civ: Civ, amount: u16) {
        let amount = amount.min(self.state().holding(civ).treasury);
        if amount > 0 {
            let why = self.why();
            self.record(Event::TreasuryLost { civ, amount, why });
        }
    }
}

/// A player's own calamities of a class, by ascending stack.
fn of_class(state: &State, civ: Civ, class: CalamityClass) -> Vec<TradeCard> {
    let printed = |card: &TradeCard| &state.printed().calamities[calamity(*card) as usize];
    let mut cards = calamities(state, civ);
    cards.retain(|card| printed(card).class == class);
    cards.sort_by_key(|card| printed(card).stack);
    cards
}

/// The major calamities that somebody holds, in the sequence in which they are called. C.2.
fn major_sequence(state: &State) -> Vec<Calamity> {
    let mut held: Vec<_> =
        state.ranking().flat_map(|civ| of_class(state, civ, CalamityClass::Major)).map(calamity).collect();
    let printed = |calamity: &Calamity| &state.printed().calamities[*calamity as usize];
    held.sort_by_key(|calamity| (printed(calamity).stack, printed(calamity).tradeable));
    held.dedup();
    held
}

fn calamity(card: TradeCard) -> Calamity {
    match card.face {
        Face::Calamity(calamity) => calamity,
        Face::Commodity(_) | Face::Water | Face::Unseen | Face::UnseenCalamity => {
            unreachable!("only calamities are called")
        }
    }
}
