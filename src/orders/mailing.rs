//! What a letter asks for: the decisions of several phases at once, and which of them a player still owes.
//!
//! Comes in: a state and a sheet. Goes out: who is awaited, for what, and what the player owes. Four mailings a turn:
//! phase 3 (with everything for 4 to 6), 7, 9 (with 10) and 12; the other phases are ruled from what is filed.

use super::sheet::Sheet;
use crate::game::{Awaited, Command, Decision, Known, Owner, Phase, acquisition};
use crate::rules::{Advance, Civ};

/// The phases whose decisions are asked for together while a phase is open, itself first.
pub(crate) fn mailing(open: Phase) -> &'static [Phase] {
    match open {
        Phase::Movement => &[Phase::Movement, Phase::Conflict, Phase::Cities, Phase::Cards],
        Phase::Calamities => &[Phase::Calamities, Phase::Abilities],
        Phase::Tax => &[Phase::Tax],
        Phase::Expansion => &[Phase::Expansion],
        Phase::Conflict => &[Phase::Conflict],
        Phase::Cities => &[Phase::Cities],
        Phase::Cards => &[Phase::Cards],
        Phase::Trade => &[Phase::Trade],
        Phase::Selection => &[Phase::Selection],
        Phase::Abilities => &[Phase::Abilities],
        Phase::Support => &[Phase::Support],
        Phase::Advances => &[Phase::Advances],
        Phase::Ast => &[Phase::Ast],
    }
}

/// Whether `done` ends a player's part in this phase. In the others whatever is written answers, and `ok` does.
pub(crate) fn ends_by_done(phase: Phase) -> bool {
    matches!(phase, Phase::Movement | Phase::Trade)
}

/// Whether letters are awaited in this phase by themselves. The others are ruled as soon as they come up.
pub fn is_awaited(phase: Phase) -> bool {
    match phase {
        Phase::Movement | Phase::Trade | Phase::Calamities | Phase::Abilities | Phase::Advances => true,
        Phase::Tax | Phase::Expansion | Phase::Conflict | Phase::Cities | Phase::Cards => false,
        Phase::Selection | Phase::Support | Phase::Ast => false,
    }
}

/// The decisions the open mailing waits for: those of the open phase, and the special abilities with the calamities.
pub fn awaited(state: &Known) -> Vec<Awaited> {
    let mut awaited = state.phase().rules().awaits(state);
    if state.phase() == Phase::Calamities && !awaited.is_empty() && state.progress().asked.is_none() {
        awaited.extend(Phase::Abilities.rules().awaits(state));
    }
    awaited
}

/// The decisions of the open mailing that this player has not answered yet. Who owes nothing is *in*.
pub fn owed(state: &Known, civ: Civ, sheet: &Sheet) -> Vec<Awaited> {
    let mine = awaited(state).into_iter().filter(|awaited| awaited.civ == civ);
    mine.filter(|awaited| !is_answered(state, civ, sheet, *awaited)).collect()
}

fn is_answered(state: &Known, civ: Civ, sheet: &Sheet, awaited: Awaited) -> bool {
    let phase = if awaited.decision == Decision::Abilities { Phase::Abilities } else { state.phase() };
    let part = || sheet.part(phase).iter().filter(|entry| !entry.next_turn);
    let has_said = |command: &Command| part().any(|entry| entry.command == *command);
    let waits = part().next_back().is_some_and(|entry| entry.command == Command::Wait);
    // Who insisted and is asked now has been waiting long enough; `ok` answers the player who asks.
    if waits {
        return state.progress().asked != Some(civ) || sheet.is_settled(phase);
    }
    let holding = state.holding(civ);
    match awaited.decision {
        Decision::Movement if has_nothing(state, civ) => true,
        Decision::Movement | Decision::Trade => has_said(&Command::Done),
        // Who cannot pay for anything, as everybody can see, has nothing to decide.
        Decision::Acquisition if holding.hand.is_empty() && holding.treasury == 0 => true,
        Decision::Acquisition if is_penniless(state, civ) => true,
        // A letter with a mistake in it has not answered, whatever else of it stands.
        Decision::TaxRate
        | Decision::Revolts
        | Decision::Growth
        | Decision::Defence
        | Decision::Loot
        | Decision::Substitutes
        | Decision::Building
        | Decision::Purchases
        | Decision::Calamities
        | Decision::Abilities
        | Decision::Support
        | Decision::Acquisition => sheet.is_settled(phase) || (part().next().is_some() && !sheet.is_left_open(phase)),
    }
}

/// Whether a player has nothing that could move, be attacked or built, and may buy no card either.
fn has_nothing(state: &Known, civ: Civ) -> bool {
    let buys = || Phase::Cards.rules().awaits(state).iter().any(|awaited| awaited.civ == civ);
    let is_gone = state.areas_of(Owner::Civ(civ)).next().is_none() && state.holding(civ).ships.is_empty();
    is_gone && (state.holding(civ).treasury == 0 || !buys())
}

/// Whether no Advance is within a player's means, whatever the cards are: so many of the dearest kind are worth no more, and
/// twice that leaves room for whatever raises their worth. Only what lies open decides.
fn is_penniless(state: &Known, civ: Civ) -> bool {
    let holding = state.holding(civ);
    let dearest = state.printed().commodities.iter().map(|card| u32::from(card.stack)).max().unwrap_or(0);
    let cards = holding.hand.len() as u32;
    let most = 2 * (dearest * cards * cards + u32::from(holding.treasury));
    let open = Advance::ALL.into_iter().filter(|advance| !state.has(civ, *advance));
    open.map(|advance| u32::from(acquisition::price(state, civ, advance))).min().is_none_or(|least| most < least)
}
