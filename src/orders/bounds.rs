//! How much of a letter is read: bounds that no honest player meets, told when they are passed.
//!
//! Comes in: a letter as it was read. Goes out: the same, with what goes beyond a bound left out and marked so. A late turn
//! of eighteen players is far below every bound: nobody has more than 55 tokens, 9 cities and 4 ships to speak of.

use serde::{Deserialize, Serialize};

use super::asking::Question;
use super::read::{Line, Reading, Written};

/// Lines of a letter that are read; quoted ones cost nothing and do not count.
pub(crate) const MOST_LINES: usize = 1_000;
/// Bytes of a letter that are read, quoted lines not counted.
pub(crate) const LONGEST_LETTER: usize = 128 * 1024;
/// Bytes of a line that is read; a message may be one long line.
pub(crate) const LONGEST_LINE: usize = 16 * 1024;
/// Pieces of a line, cut by semicolons.
pub(crate) const MOST_PIECES: usize = 200;
/// Words, numbers and signs of a piece that is looked at as an order.
pub(crate) const MOST_LEXEMES: usize = 600;
/// Orders of a letter.
pub const MOST_ORDERS: usize = 300;
/// Orders on a sheet, of all its letters, standing orders included.
pub const MOST_ON_SHEET: usize = 1_000;
/// Different questions of a letter.
pub(crate) const MOST_QUESTIONS: usize = 20;
/// Messages of a letter.
pub const MOST_PRESS: usize = 20;

/// A bound that something in a letter goes beyond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The letter has more lines, or is longer, than is read.
    Letter,
    /// The line is too long.
    Line,
    /// The line has too many pieces, or the piece too many words.
    Pieces,
    /// The letter has too many orders.
    Orders,
    /// The sheet has too many orders.
    Sheet,
    /// The letter has too many questions.
    Questions,
    /// The letter asked the same before; it is answered once.
    Again,
    /// The letter has too many messages.
    Press,
}

impl Bound {
    pub(crate) const ALL: [Bound; 8] = [
        Bound::Letter,
        Bound::Line,
        Bound::Pieces,
        Bound::Orders,
        Bound::Sheet,
        Bound::Questions,
        Bound::Again,
        Bound::Press,
    ];

    /// How much is allowed.
    pub(crate) fn most(self) -> usize {
        match self {
            Bound::Letter => MOST_LINES,
            Bound::Line => LONGEST_LINE,
            Bound::Pieces => MOST_LEXEMES,
            Bound::Orders => MOST_ORDERS,
            Bound::Sheet => MOST_ON_SHEET,
            Bound::Questions => MOST_QUESTIONS,
            Bound::Again => 1,
            Bound::Press => MOST_PRESS,
        }
    }
}

/// What of a letter is still to be read, while it is.
#[derive(Debug, Default)]
pub(crate) struct Measure {
    lines: usize,
    bytes: usize,
}

impl Measure {
    /// Whether a further line is read, and why not.
    pub(crate) fn takes(&mut self, line: &str) -> Result<(), Bound> {
        self.lines += 1;
        self.bytes += line.len().min(LONGEST_LINE);
        if self.lines > MOST_LINES || self.bytes > LONGEST_LETTER {
            return Err(Bound::Letter);
        }
        if line.len() > LONGEST_LINE { Err(Bound::Line) } else { Ok(()) }
    }
}

/// Leaves out what a letter has too many of.
pub(crate) fn keep(letter: &mut [Line]) {
    let (mut orders, mut press) = (0, 0);
    let mut asked: Vec<Question> = Vec::new();
    for piece in letter.iter_mut().flat_map(|line| &mut line.pieces) {
        let Reading::Written(written) = &piece.reading else { continue };
        let beyond = match written {
            Written::Orders(commands) | Written::Always(commands) => {
                let fits = orders + commands.len() <= MOST_ORDERS;
                orders += if fits { commands.len() } else { 0 };
                (!fits).then_some(Bound::Orders)
            }
            Written::Question(question) if asked.contains(question) => Some(Bound::Again),
            Written::Question(question) => {
                let fits = asked.len() < MOST_QUESTIONS;
                asked.extend(fits.then(|| question.clone()));
                (!fits).then_some(Bound::Questions)
            }
            Written::Press(_) | Written::Held(_) => {
                press += 1;
                (press > MOST_PRESS).then_some(Bound::Press)
            }
            Written::Ok
            | Written::Proposal(_)
            | Written::Waits { .. }
            | Written::Send
            | Written::Undo { .. }
            | Written::UndoAlways { .. }
            | Written::Clear { .. }
            | Written::Timing(_)
            | Written::Choice { .. } => None,
        };
        if let Some(bound) = beyond {
            piece.reading = Reading::Beyond(bound);
        }
    }
}
