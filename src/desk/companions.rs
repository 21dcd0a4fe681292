//! The built-in players at the table: each is asked when his time comes, and writes like anybody else.

use super::sitting::Sitting;
use crate::archive::Reason;
use crate::companions::{self, Temperament};
use crate::game::{Event, Known, Phase, Reader};
use crate::orders::{commands, read};
use crate::report::View;
use crate::rules::Civ;

/// How often all of them are asked in trade before they wait for somebody else.
const TRADE_ROUNDS: usize = 12;

/// Lets the built-in players write whatever the open phase asks of them. Their letters of trade are ruled at once.
pub fn write(sitting: &mut Sitting) -> Vec<Event> {
    match sitting.table.state.phase() {
        Phase::Trade => trade(sitting),
        // What phases 4 to 6 ask has been filed with the movement; phases 8, 11 and 13 ask nothing new.
        Phase::Tax | Phase::Expansion | Phase::Movement | Phase::Calamities | Phase::Abilities | Phase::Advances => {
            file(sitting);
            Vec::new()
        }
        Phase::Conflict | Phase::Cities | Phase::Cards | Phase::Selection | Phase::Support | Phase::Ast => Vec::new(),
    }
}

fn file(sitting: &mut Sitting) {
    let phase = sitting.table.state.phase();
    let awaited = phase.rules().awaits(&sitting.table.state);
    for (civ, temperament) in sitting.table.companions() {
        let is_asked = awaited.iter().any(|awaited| awaited.civ == civ);
        if is_asked && !sitting.table.sheet(civ).is_settled(phase) {
            receive(sitting, civ, temperament);
            sitting.table.sheets.entry(civ).or_default().settle(&[phase]);
            sitting.write_sheet(civ);
        }
    }
}

/// A letter is read and filed; says under which number its lines came.
fn receive(sitting: &mut Sitting, civ: Civ, temperament: Temperament) -> Option<u64> {
    let text = companions::letter(&View::of(&Known::of(&sitting.table.state, Reader::Player(civ))), temperament);
    if text.is_empty() {
        return None;
    }
    let letter = read(&text, &sitting.table.edition.lexicon);
    let phase = sitting.table.state.phase();
    // Nobody's letter has this number: those of people are counted from 1 in the archive, these behind all of them.
    let arrival = u64::from(u32::MAX) + sitting.table.last_event;
    let sheet = sitting.table.sheets.entry(civ).or_default();
    sheet.add(&letter, phase, arrival);
    Some(arrival)
}

fn trade(sitting: &mut Sitting) -> Vec<Event> {
    let mut all = Vec::new();
    for _ in 0..TRADE_ROUNDS {
        let mut quiet = true;
        for (civ, temperament) in sitting.table.companions() {
            let awaited = Phase::Trade.rules().awaits(&sitting.table.state);
            if sitting.table.state.phase() != Phase::Trade || !awaited.iter().any(|awaited| awaited.civ == civ) {
                continue;
            }
            let known = sitting.table.sheet(civ).part(Phase::Trade).len();
            if receive(sitting, civ, temperament).is_none() {
                continue;
            }
            quiet = false;
            let new: Vec<_> =
                sitting.table.sheet(civ).part(Phase::Trade)[known..].iter().map(|entry| entry.line).collect();
            let mut filed = commands(&sitting.table.sheets, Phase::Trade, false);
            filed.filed.retain(|filed| filed.civ == civ && new.contains(&filed.line));
            all.extend(sitting.rule(&filed, Reason::Letter));
        }
        if quiet || sitting.table.state.phase() != Phase::Trade {
            break;
        }
    }
    all
}
