//! Phase 1: tax collection.

use super::rulebook::RevoltBeneficiary;
use super::{Awaited, Chance, Chronicle, Command, Commands, Decision, Event, Illegal, Owner, PhaseRules, State};
use crate::rules::{Advance, AreaId, Civ};

/// The rate of a player without a choice. R1.2.
const RATE: u16 = 2;

/// Phase 1.
pub(crate) struct Tax;

impl PhaseRules for Tax {
    fn awaits(&self, state: &State) -> Vec<Awaited> {
        let untaxed = state.ranking().filter(|civ| !state.progress().acted.contains(civ));
        untaxed
            .filter(|civ| state.city_count(*civ) > 0 && rates(state, *civ) != (RATE, RATE))
            .map(|civ| Awaited { civ, decision: Decision::TaxRate })
            .collect()
    }

    fn may_stand(&self, state: &State, civ: Civ, command: &Command) -> Result<(), Illegal> {
        match command {
            Command::Tax { rate } => {
                let (lowest, highest) = rates(state, civ);
                if (lowest..=highest).contains(rate) {
                    Ok(())
                } else {
                    Err(Illegal::TaxRate { rate: *rate, lowest, highest })
                }
            }
            _ => Ok(()),
        }
    }

    fn silence(&self, _state: &State, awaited: Awaited) -> Vec<Command> {
        match awaited.decision {
            Decision::TaxRate => vec![Command::Tax { rate: RATE }],
            Decision::Revolts
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
            | Decision::Support
            | Decision::Acquisition => Vec::new(),
        }
    }

    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, _chance: &Chance) {
        collect(chronicle, commands);
        revolts(chronicle, commands);
    }
}

/// The lowest and the highest rate a player may choose. R1.3.
pub(crate) fn rates(state: &State, civ: Civ) -> (u16, u16) {
    let coinage = u16::from(state.has(civ, Advance::Coinage));
    let monarchy = u16::from(state.has(civ, Advance::Monarchy));
    (RATE - coinage, RATE + coinage + monarchy)
}

fn collect(chronicle: &mut Chronicle, commands: &Commands) {
    for civ in chronicle.state().ranking().collect::<Vec<_>>() {
        let rate = chronicle.last_legal(&Tax, commands, civ, |command| match command {
            Command::Tax { rate } => Some(*rate),
            _ => None,
        });
        let rate = rate.unwrap_or(RATE);
        let state = chronicle.state();
        let (stock, cities) = (state.holding(civ).stock, state.city_count(civ));
        let due = rate * u16::from(cities);
        // R1.4, R1.5: a short stock goes over whole, and the cities it does not pay for revolt.
        let paid = stock / rate;
        let revolts = if due > stock && !state.has(civ, Advance::Democracy) { cities - paid as u8 } else { 0 };
        chronicle.record(Event::TaxCollected { civ, rate, amount: due.min(stock), revolts });
    }
}

/// R1.10: one victim after another, by ranking.
fn revolts(chronicle: &mut Chronicle, commands: &Commands) {
    let victims = chronicle.state().progress().revolts.clone();
    let ranking: Vec<_> = chronicle.state().ranking().collect();
    for victim in ranking {
        let mut beneficiary = None;
        for _ in 0..victims.get(&victim).copied().unwrap_or(0) {
            // R1.8: the same beneficiary, until the player has no city left in stock.
            beneficiary = beneficiary.filter(|civ| chronicle.state().holding(*civ).cities > 0);
            beneficiary = beneficiary.or_else(|| find_beneficiary(chronicle.state(), commands));
            let area = match beneficiary {
                Some(civ) => chosen_city(chronicle.state(), commands, civ, victim),
                None => default_city(chronicle.state(), victim),
            };
            let Some(area) = area else { break };
            let beside = chronicle.state().tokens(area, Owner::Civ(victim));
            chronicle.record(Event::CityRevolted { area, from: victim, to: beneficiary, beside });
        }
    }
}

/// R1.6, G.11: most cities in stock, then most tokens in stock, then the ranking.
fn find_beneficiary(state: &State, commands: &Commands) -> Option<Civ> {
    let may_decline = state.rulebook().revolt_beneficiary == RevoltBeneficiary::MayDecline;
    let declines = |civ: Civ| may_decline && wishes(commands, civ).any(|wish| wish.is_empty());
    let eligible = state.holdings().iter().filter(|holding| {
        holding.cities > 0 && !state.progress().revolts.contains_key(&holding.civ) && !declines(holding.civ)
    });
    // `max_by_key` would take the last of equals; the ranking wants the first.
    eligible.rev().max_by_key(|holding| (holding.cities, holding.stock)).map(|holding| holding.civ)
}

/// R1.7: the first of the player's wishes that is a city of the victim.
fn chosen_city(state: &State, commands: &Commands, beneficiary: Civ, victim: Civ) -> Option<AreaId> {
    let is_victims = |area: &&AreaId| state.ground(**area).city.is_some_and(|city| city.owner == Owner::Civ(victim));
    let wished = wishes(commands, beneficiary).flatten().find(is_victims).copied();
    wished.or_else(|| default_city(state, victim))
}

/// Cities on sites before others, then A to Z.
fn default_city(state: &State, victim: Civ) -> Option<AreaId> {
    let mut cities: Vec<_> = state.cities_of(victim).collect();
    state.alphabetically(&mut cities);
    cities.into_iter().min_by_key(|area| state.printed().map.area(*area).site.is_none())
}

fn wishes(commands: &Commands, civ: Civ) -> impl Iterator<Item = &Vec<AreaId>> {
    commands.of(civ).filter_map(|filed| match &filed.command {
        Command::Select { areas } => Some(areas),
        _ => None,
    })
}
