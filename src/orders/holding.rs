//! `done` beside a mistake waits: whoever ends a phase in a letter with a line that cannot be read, is in doubt or is not
//! allowed is asked first.
//!
//! Comes in: a letter as it was read, and the sheet it goes to. Goes out: the letter, in which `ok` and `done` wait for such
//! lines. The desk asks for it; the sheet and the game know nothing of it, and at the cut-off everything is played.

use super::bounds::Bound;
use super::forecast::{Forecast, Verdict};
use super::mailing::{ends_by_done, mailing};
use super::read::{Line, Piece, Reading, Written};
use super::sheet::{Outcome, Sheet};
use super::words::Word;
use crate::game::{Command, Known, LineId, Phase};
use crate::rules::Civ;

/// Lets `ok` and `done` of a letter wait where another line of it is a mistake in the part that they end. What stands below
/// them is then read like any other line. Says whether there is such a mistake: then nothing of the letter ends that part.
pub fn hold(letter: &mut [Line], known: &Known, civ: Civ, sheet: &Sheet, arrival: u64) -> bool {
    let open = known.phase();
    // Where no `done` is needed, any line would end the part.
    let is_meant = |piece: &Piece| if ends_by_done(open) { ends(piece) } else { says_anything(piece) };
    if sheet.is_done(open) || !letter.iter().flat_map(|line| &line.pieces).any(is_meant) {
        return false;
    }
    let mistakes = mistakes(letter, known, civ, sheet, arrival);
    if mistakes.is_empty() {
        return false;
    }
    letter.iter_mut().for_each(|line| wait(line, &mistakes));
    // What was not allowed only because it stood below `done` is allowed now, and the others are named.
    let left = self::mistakes(letter, known, civ, sheet, arrival);
    if !left.is_empty() {
        letter.iter_mut().for_each(|line| wait(line, &left));
    }
    true
}

/// Whether a piece is anything that may be filed, or was meant to be.
fn says_anything(piece: &Piece) -> bool {
    match &piece.reading {
        Reading::Written(Written::Orders(_) | Written::Ok) | Reading::Fault(_) | Reading::Beyond(_) => true,
        Reading::Written(_) | Reading::Quoted | Reading::Remark | Reading::Press => false,
    }
}

/// The lines of a letter that are mistakes in the part that is being ended, by their numbers.
fn mistakes(letter: &[Line], known: &Known, civ: Civ, sheet: &Sheet, arrival: u64) -> Vec<usize> {
    let open = known.phase();
    let mut sheet = sheet.clone();
    let answers = sheet.add(letter, open, arrival);
    let forecast = Forecast::of(known, civ, &sheet, arrival);
    // What is asked for together is ended together: nobody is asked again before phase 4 or 5.
    let entries = || mailing(open).iter().flat_map(|phase| sheet.part(*phase));
    let falls = |line: &LineId| {
        let is_illegal = matches!(forecast.verdicts.get(line), Some(Verdict::Illegal(_)));
        is_illegal && entries().any(|entry| entry.line == *line && entry.number.is_some())
    };
    let is_wrong = |piece: &Piece, outcome: &Outcome| match outcome {
        Outcome::Fault(_) | Outcome::NoSuchName => concerns(piece.verb, open),
        Outcome::Filed(lines) => lines.iter().any(falls),
        // A line of a phase that is over is in no part that could end; one that takes back what is not there may be.
        Outcome::Illegal(_) => match &piece.reading {
            Reading::Written(Written::Undo { part, .. } | Written::Clear { part }) => {
                mailing(open).contains(&part.unwrap_or(open))
            }
            Reading::Written(_) | Reading::Quoted | Reading::Remark | Reading::Press => false,
            Reading::Fault(_) | Reading::Beyond(_) => false,
        },
        Outcome::Beyond(bound) => match bound {
            Bound::Letter | Bound::Line | Bound::Pieces | Bound::Orders | Bound::Sheet => true,
            Bound::Questions | Bound::Again | Bound::Press => false,
        },
        Outcome::Quoted | Outcome::Remark | Outcome::NotEnded(_) | Outcome::TakenBack(_) => false,
        Outcome::NoOccasion | Outcome::Sent(_) | Outcome::Held(_) | Outcome::Asked(_) | Outcome::Wished(_) => false,
    };
    let pieces = letter.iter().flat_map(|line| &line.pieces).filter(|piece| piece.reading != Reading::Press);
    let wrong = pieces.zip(&answers).filter(|(piece, answer)| is_wrong(piece, &answer.outcome));
    let mut lines: Vec<usize> = wrong.map(|(_, answer)| answer.line).collect();
    lines.dedup();
    lines
}

/// Whether a piece ends the open phase.
fn ends(piece: &Piece) -> bool {
    match &piece.reading {
        Reading::Written(Written::Ok) => true,
        Reading::Written(Written::Orders(orders)) => orders.contains(&Command::Done),
        Reading::Written(_) | Reading::Quoted | Reading::Remark | Reading::Press => false,
        Reading::Fault(_) | Reading::Beyond(_) => false,
    }
}

/// Lets the words of a line that end a phase wait.
fn wait(line: &mut Line, mistakes: &[usize]) {
    let waiting = |piece: Piece, files| Piece {
        reading: Reading::Written(Written::Waits { files, lines: mistakes.to_vec() }),
        ..piece
    };
    let mut pieces = Vec::new();
    for mut piece in std::mem::take(&mut line.pieces) {
        match &mut piece.reading {
            Reading::Written(Written::Ok) => pieces.push(waiting(piece, true)),
            Reading::Written(Written::Waits { files, .. }) => {
                let files = *files;
                pieces.push(waiting(piece, files));
            }
            Reading::Written(Written::Orders(orders)) if orders.contains(&Command::Done) => {
                orders.retain(|order| *order != Command::Done);
                let rest = (!orders.is_empty()).then(|| piece.clone());
                pieces.extend(rest);
                pieces.push(waiting(piece, false));
            }
            _ => pieces.push(piece),
        }
    }
    line.pieces = pieces;
}

/// Whether a line that could not be read may have been meant for the open mailing. One whose verb nobody knows may be anything.
fn concerns(verb: Option<Word>, open: Phase) -> bool {
    let parts: &[Phase] = match verb {
        Some(Word::Move | Word::Send | Word::Sail | Word::Maintain | Word::Scrap) => &[Phase::Movement],
        Some(Word::Build | Word::BuildNot) => &[Phase::Movement, Phase::Cities],
        Some(Word::Resolve | Word::Delay | Word::Loot | Word::Substitute) => &[Phase::Conflict],
        Some(Word::Reduce) => &[Phase::Cities, Phase::Calamities],
        Some(Word::Buy | Word::Pass) => &[Phase::Cards, Phase::Advances],
        Some(Word::Offer | Word::Propose | Word::Accept | Word::Decline | Word::Withdraw) => &[Phase::Trade],
        Some(Word::Tax) => &[Phase::Tax],
        Some(Word::Select) => &[Phase::Tax, Phase::Calamities],
        Some(Word::Expand) => &[Phase::Expansion],
        Some(Word::Victims | Word::Lose | Word::Spare | Word::Discard) => &[Phase::Calamities],
        // `pay for ship`, `keep ship`.
        Some(Word::Pay) => &[Phase::Movement, Phase::Calamities],
        Some(Word::KeepCards) => &[Phase::Movement, Phase::Advances],
        Some(Word::Use | Word::Give) => &[Phase::Abilities],
        Some(Word::Acquire | Word::Learn) => &[Phase::Advances],
        // Standing orders, messages, questions and wishes are in no part.
        Some(Word::Always | Word::Never | Word::Tell | Word::Status | Word::Map | Word::Sheet | Word::Hand) => &[],
        Some(
            Word::Offers
            | Word::Area
            | Word::Prices
            | Word::History
            | Word::Digest
            | Word::Rules
            | Word::Help
            | Word::WhatNow,
        ) => &[],
        Some(Word::Extend | Word::Away | Word::Back | Word::Addresses | Word::Forget) => &[],
        Some(Word::Vote | Word::Votes) => &[],
        Some(_) | None => return true,
    };
    parts.iter().any(|phase| mailing(open).contains(phase))
}
