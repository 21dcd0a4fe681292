//! Reading a letter: line by line, to its end.

use std::ops::Range;

use super::cursor::{Cursor, ReadAs};
use super::fault::Fault;
use super::grammar;
use super::lexemes::{Lexeme, lexemes, without_bullet};
use super::lexicon::Lexicon;
use super::vocabulary::Word;
use crate::game::{Command, Phase};

/// One line of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number among the lines that are not blank, from 1.
    pub number: usize,
    /// The player's own words.
    pub text: String,
    /// What was read in it; `;` cuts a line into pieces.
    pub pieces: Vec<Piece>,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its place in the line.
    pub span: Range<usize>,
    /// What it is.
    pub reading: Reading,
    /// Misspellings that were read as names.
    pub read_as: Vec<ReadAs>,
}

/// What became of a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Quoted from another letter; never an order.
    Quoted,
    /// It does not begin like an order.
    Remark,
    /// It was read.
    Written(Written),
    /// It begins like an order and cannot be read.
    Fault(Fault),
}

/// What a player wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// Orders for the game; `build 2 ships in Crete` is two.
    Orders(Vec<Command>),
    /// Takes lines back.
    Undo {
        /// Of this part; none is the open one.
        part: Option<Phase>,
        /// These numbers; none is the last.
        numbers: Vec<u16>,
    },
    /// Standing orders; `never` has become the answer no.
    Always(Vec<Command>),
    /// Takes standing orders back.
    UndoAlways {
        /// These numbers; none is the last.
        numbers: Vec<u16>,
    },
    /// Takes all lines of a part back.
    Clear {
        /// Of this part; none is the open one.
        part: Option<Phase>,
    },
}

/// Reads a whole letter.
pub fn read(text: &str, lexicon: &Lexicon) -> Vec<Line> {
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    // What follows the customary two dashes is a signature.
    let written = lines.iter().position(|line| line.trim_end() == "--").unwrap_or(lines.len());
    let numbered = lines.into_iter().zip(1..);
    numbered.map(|(line, number)| read_line(number, line, number > written, lexicon)).collect()
}

/// Whether the letter only tries: `try` stands alone at its head. It is answered, and nothing of it is stored.
pub fn is_trial(letter: &[Line]) -> bool {
    let head = letter.iter().find(|line| line.pieces.iter().any(|piece| piece.reading != Reading::Quoted));
    head.is_some_and(|line| Word::Try.at(&lexemes(&line.text)).is_some_and(|taken| taken == lexemes(&line.text).len()))
}

fn read_line(number: usize, text: &str, signature: bool, lexicon: &Lexicon) -> Line {
    let whole = |reading| vec![Piece { span: 0..text.len(), reading, read_as: Vec::new() }];
    let is_press = || Word::Tell.at(&lexemes(&text[without_bullet(text)..])).is_some();
    let pieces = match text.trim_start().starts_with('>') {
        true => whole(Reading::Quoted),
        false if signature || is_press() => whole(Reading::Remark),
        false => pieces(text).map(|span| read_piece(text, span, lexicon)).collect(),
    };
    Line { number, text: text.to_owned(), pieces: if pieces.is_empty() { whole(Reading::Remark) } else { pieces } }
}

/// The places between semicolons; `else` belongs to the `if` before it.
fn pieces(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for piece in text.split(';') {
        let end = start + piece.len();
        match spans.last_mut() {
            Some(last) if Word::Else.at(&lexemes(piece)).is_some() => last.end = end,
            Some(_) | None => spans.push(start..end),
        }
        start = end + 1;
    }
    spans.into_iter().filter(|span| !text[span.clone()].trim().is_empty())
}

fn read_piece(text: &str, span: Range<usize>, lexicon: &Lexicon) -> Piece {
    let start = span.start + without_bullet(&text[span.clone()]);
    let shifted = |lexeme: Lexeme| Lexeme { span: lexeme.span.start + start..lexeme.span.end + start, ..lexeme };
    let lexemes: Vec<_> = lexemes(&text[start..span.end]).into_iter().map(shifted).collect();
    let mut cursor = Cursor::new(text, &lexemes, lexicon);
    let reading = match grammar::line(&mut cursor) {
        None => Reading::Remark,
        Some(Ok(written)) => Reading::Written(written),
        Some(Err(fault)) => Reading::Fault(fault),
    };
    Piece { span, reading, read_as: cursor.read_as }
}
