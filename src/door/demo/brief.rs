//! A turn in a few lines: what an onlooker would remember of it.

use std::collections::BTreeMap;

use super::page::entry;
use crate::game::event::Cause;
use crate::game::{Event, Owner, State};
use crate::report::Names;
use crate::report::names::{counted, listed};
use crate::rules::Civ;

/// The turn's cities, wars, trades, calamities and advances, a line each where there is something to tell.
pub fn turn(state: &State, events: &[Event]) -> String {
    let names = Names::english(state.printed());
    let mut built: BTreeMap<Civ, u16> = BTreeMap::new();
    let (mut wars, mut struck, mut acquired) = (Vec::new(), Vec::new(), Vec::new());
    let (mut trades, mut cards, mut reduced, mut lost, mut used) = (0u64, 0u64, 0u64, 0u64, Vec::new());
    let mut ends = Vec::new();
    for event in events {
        match event {
            Event::CityBuilt { civ, .. } => *built.entry(*civ).or_default() += 1,
            Event::CityFell { area, attacker, defender, .. } => wars.push(format!(
                "{} falls from {} to {}",
                names.area(*area),
                names.owner(*defender),
                names.owner(*attacker)
            )),
            Event::TradeMade { given, received, .. } => {
                trades += 1;
                cards += (given.len() + received.len()) as u64;
            }
            Event::CalamityStruck { card, victim, .. } => {
                struck.push(format!("{} ({})", names.civ(*victim), names.face(card.face)));
            }
            Event::CityReduced { why: Cause::Calamity(_), .. } => reduced += 1,
            Event::UnitsDestroyed { city: true, why: Cause::Calamity(_), .. }
            | Event::UnitsAnnexed { city: true, from: Owner::Civ(_), why: Cause::Calamity(_), .. } => lost += 1,
            Event::AbilityUsed { civ, advance } => {
                used.push(format!("{} ({})", names.civ(*civ), state.printed().advances[*advance as usize].name))
            }
            Event::AdvancesAcquired { civ, advances, .. } => {
                let advances = advances.iter().map(|one| state.printed().advances[*one as usize].name.as_str());
                acquired.push(format!("{}: {}", names.civ(*civ), listed(advances)));
            }
            Event::LastTurnAnnounced { turn } => ends.push(format!("Turn {turn} will be the last.")),
            Event::GameEnded { .. } => ends.push("A marker has reached the end of the table.".to_owned()),
            _ => {}
        }
    }
    let spread: u64 = events.iter().filter(|event| matches!(event, Event::TokensWalked { .. })).count() as u64;
    let sailed: u64 = events.iter().filter(|event| matches!(event, Event::ShipSailed { .. })).count() as u64;
    let mut text = String::new();
    let mut tell = |heading: &str, words: String| {
        if !words.is_empty() {
            text += &entry(heading, &words);
        }
    };
    if built.is_empty() && spread + sailed > 0 {
        let marches = counted(spread, "march", "marches");
        tell("Movement", format!("The peoples spread in {marches} and {}.", counted(sailed, "voyage", "voyages")));
    }
    tell("Cities", sentence(listed(built.iter().map(|(civ, count)| format!("{} builds {count}", names.civ(*civ))))));
    tell("War", sentence(wars.join(", ")));
    if trades > 0 {
        tell("Trade", format!("{} of {cards} cards.", counted(trades, "trade", "trades")));
    }
    if !struck.is_empty() {
        let reduced = Some(format!("{} reduced", counted(reduced, "city", "cities"))).filter(|_| reduced > 0);
        let lost = Some(format!("{} lost", counted(lost, "city", "cities"))).filter(|_| lost > 0);
        let toll = listed(reduced.into_iter().chain(lost));
        let toll = if toll.is_empty() { "no city goes".to_owned() } else { toll };
        tell("Calamity", format!("{}: {toll}.", listed(struck)));
    }
    tell("Ability", sentence(listed(used)));
    tell("Advances", sentence(acquired.join("; ")));
    tell("A.S.T.", ends.join(" "));
    text
}

fn sentence(words: String) -> String {
    if words.is_empty() { words } else { words + "." }
}
