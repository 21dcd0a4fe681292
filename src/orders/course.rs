//! The course of a turn: what is ruled when, for whoever keeps a game going.
//!
//! Comes in: a game that can be ruled on, with its sheets. Goes out: the rulings of its phases, one after another, as far as
//! it may go on. How a phase opens, which of its letters are ruled at once, what its built-in players are asked, how it
//! closes and how one that stays open is taken up again stands here alone; the daemon, a simulation, the casebook and the
//! properties differ only in where letters come from and in when a phase is due.

use std::collections::{BTreeMap, BTreeSet};

use super::sheet::{Sheet, commands};
use crate::game::{Command, Commands, Filed, LineId, Phase};
use crate::rules::Civ;

/// How often all built-in players are asked in trade before they wait for somebody else.
const TRADE_ROUNDS: usize = 12;

/// The most rulings that follow one another without a letter: a turn has thirteen phases, and in some of them everybody may
/// insist on being asked, in phase 9 once for each calamity.
const MOST_RULINGS: usize = 120;

/// A game that is driven through its turns.
pub trait Course {
    /// The phase that is open.
    fn phase(&self) -> Phase;

    /// Whether there is anything left to drive: not behind the end of the game, nor where its keeper wants to stop.
    fn goes_on(&self) -> bool;

    /// Whether nothing has been ruled in the open phase yet.
    fn is_fresh(&self) -> bool;

    /// What is ordered this turn.
    fn sheets(&mut self) -> &mut BTreeMap<Civ, Sheet>;

    /// The built-in players whom the open phase awaits.
    fn asked(&self) -> Vec<Civ>;

    /// A built-in player writes: the letter is read and filed. Says which lines are new, or that there is no letter.
    fn write(&mut self, civ: Civ) -> Option<BTreeSet<LineId>>;

    /// Whether the open phase is to be ruled now; and if so, whatever has to be done before.
    fn is_due(&mut self) -> bool;

    /// Rules once. Says whether anything happened.
    fn rule(&mut self, filed: &Commands, cue: Cue) -> bool;
}

/// What a ruling is brought about by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cue {
    /// The phase has opened.
    Opens,
    /// A letter has arrived that works at once.
    Letter,
    /// The phase is due.
    CutOff,
}

/// How a game stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It goes no further, or waits for somebody.
    Waits,
    /// A ruling brought nothing about, or there were more than any phase needs: a fault of ours.
    Stuck,
}

/// Drives a game on: each phase is opened, its built-in players write, and it is ruled if it is due. One that stays open
/// is asked of and ruled anew.
pub fn drive(course: &mut impl Course) -> Stop {
    for _ in 0..MOST_RULINGS {
        open(course);
        ask(course);
        if !course.goes_on() || !course.is_due() {
            return Stop::Waits;
        }
        let phase = course.phase();
        let filed = closing(course.sheets(), phase);
        if !course.rule(&filed, Cue::CutOff) {
            return Stop::Stuck;
        }
    }
    Stop::Stuck
}

/// Opens a phase that nothing was ruled in yet. Offers that were written before the trade began are made when it does, in
/// the sequence of their arrival; other phases are ruled when they are due.
pub fn open(course: &mut impl Course) {
    if !course.goes_on() || !is_ruled_by_letter(course.phase()) || !course.is_fresh() {
        return;
    }
    let phase = course.phase();
    let ahead = commands(course.sheets(), phase, false);
    if !ahead.filed.is_empty() {
        course.rule(&ahead, Cue::Opens);
    }
}

/// The built-in players write whatever the open phase asks of them. Where letters are ruled as they come, they write in turn
/// until nobody has anything more to say; in other phases once.
pub(crate) fn ask(course: &mut impl Course) {
    let phase = course.phase();
    if !course.goes_on() || !is_asked(phase) {
        return;
    }
    if is_ruled_by_letter(phase) {
        return ask_in_rounds(course, phase);
    }
    for civ in course.asked() {
        if !course.sheets().entry(civ).or_default().is_settled(phase) {
            course.sheets().entry(civ).or_default().settle(&[phase]);
            course.write(civ);
        }
    }
}

fn ask_in_rounds(course: &mut impl Course, phase: Phase) {
    for _ in 0..TRADE_ROUNDS {
        let mut is_quiet = true;
        for civ in course.asked() {
            // Another's letter may have ended the phase, or this player's part in it.
            if course.phase() != phase || !course.asked().contains(&civ) {
                continue;
            }
            if let Some(lines) = course.write(civ) {
                is_quiet = false;
                arrive(course, civ, &lines);
            }
        }
        if is_quiet || course.phase() != phase {
            return;
        }
    }
}

/// A letter has arrived and was filed: where letters work at once, its lines are ruled.
pub fn arrive(course: &mut impl Course, civ: Civ, lines: &BTreeSet<LineId>) {
    let phase = course.phase();
    if let Some(filed) = arriving(course.sheets(), phase, civ, lines) {
        course.rule(&filed, Cue::Letter);
    }
}

/// What is ruled when a letter arrives: its own lines, if the phase is one whose letters work at once; and behind each of
/// them, what was filed before to answer whatever fits.
pub fn arriving(sheets: &BTreeMap<Civ, Sheet>, open: Phase, civ: Civ, lines: &BTreeSet<LineId>) -> Option<Commands> {
    if !is_ruled_by_letter(open) || lines.is_empty() {
        return None;
    }
    let mut filed = commands(sheets, open, false);
    let is_new = |filed: &Filed| filed.civ == civ && lines.contains(&filed.line);
    let (new, before): (Vec<Filed>, Vec<Filed>) = filed.filed.into_iter().partition(is_new);
    let standing = before.into_iter().filter(|filed| matches!(filed.command, Command::AcceptAny { .. }));
    filed = Commands { filed: new, standing: standing.collect(), cut_off: filed.cut_off };
    Some(filed)
}

/// What is ruled when a phase is due: all that was filed for it, unless that was ruled letter by letter.
pub fn closing(sheets: &BTreeMap<Civ, Sheet>, phase: Phase) -> Commands {
    if is_ruled_by_letter(phase) {
        Commands { cut_off: true, ..Commands::default() }
    } else {
        commands(sheets, phase, true)
    }
}

/// Whether letters of a phase are ruled as they come, and its cut-off only ends it.
pub(crate) fn is_ruled_by_letter(phase: Phase) -> bool {
    phase == Phase::Trade
}

/// The first phase from this one on in which built-in players are asked anew. What they filed for the phases before it stands.
pub(crate) fn next_asked(phase: Phase) -> Option<Phase> {
    Phase::ALL.into_iter().filter(|later| *later >= phase).find(|later| is_asked(*later))
}

/// Whether built-in players are asked in a phase. What phases 4 to 6 ask has been filed with the movement; phases 8, 11 and
/// 13 ask nothing new.
fn is_asked(phase: Phase) -> bool {
    match phase {
        Phase::Tax | Phase::Expansion | Phase::Movement | Phase::Trade => true,
        Phase::Calamities | Phase::Abilities | Phase::Advances => true,
        Phase::Conflict | Phase::Cities | Phase::Cards | Phase::Selection | Phase::Support | Phase::Ast => false,
    }
}
