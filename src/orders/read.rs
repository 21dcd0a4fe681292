//! Reading a letter: line by line, to its end.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::asking::{Question, Timing};
use super::bearings::Bearings;
use super::bounds::{self, Bound, MOST_LEXEMES, MOST_PIECES, Measure};
use super::cursor::{Cursor, ReadAs};
use super::fault::{Fault, Named};
use super::grammar;
use super::lexemes::{Lexeme, LexemeKind, ends_with_entity, is_quoted, lexemes, without_bullet};
use super::lexicon::Lexicon;
use super::press::Press;
use super::vocabulary::{Word, is_stutter};
use crate::game::{Command, Phase};
use crate::rules::AreaId;

/// One line of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number among the lines that are not blank, from 1.
    pub number: usize,
    /// The player's own words; where the player chose a suggested name, the line that was in doubt, with that name in
    /// it.
    pub text: String,
    /// What was read in it; `;` cuts a line into pieces.
    pub pieces: Vec<Piece>,
    /// The doubt that it settles, by its place among those handed in.
    pub settles: Option<usize>,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its place in the line.
    pub span: Range<usize>,
    pub reading: Reading,
    /// The verb it begins with, if it was looked at as an order.
    pub verb: Option<Word>,
    /// The last area that was read in it.
    pub area: Option<AreaId>,
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
    /// It goes on with the press of a line above.
    Press,
    Written(Written),
    /// It begins like an order and cannot be read.
    Fault(Fault),
    /// There is too much of its kind in the letter; it was not read.
    Beyond(Bound),
}

/// What a player wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// Orders for the game; `build 2 ships in Crete` is two.
    Orders(Vec<Command>),
    /// Files the form of the letter that is answered, and says `done`.
    Ok,
    /// Files the form with the lines that the letter proposes under this number: `ok 2`. What they are stands with the letter.
    Proposal(u16),
    /// An `ok` or `done` that ends nothing yet, for these lines of its letter are mistakes. Only the desk holds them.
    Waits {
        /// Whether it files the form all the same.
        files: bool,
        lines: Vec<usize>,
    },
    Undo {
        /// Of this part; none is the open one.
        part: Option<Phase>,
        /// These numbers; none is the last.
        numbers: Vec<u16>,
        /// Where no numbers are named, so many of the last.
        last: u16,
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
    /// A message to others.
    Press(Press),
    /// A message that is not sent before the player says so: what follows it looks like an order that could not be
    /// read.
    Held(Press),
    /// Passes on what is held.
    Send,
    Question(Question),
    /// A wish about deadlines.
    Timing(Timing),
    /// One of the names that the last answer suggested; it stands here only if there was no such name.
    Choice {
        /// For this line of the letter; none is the only one in doubt.
        line: Option<u16>,
        /// The number of the name.
        number: u16,
    },
}

impl Written {
    /// The orders for the game that are filed with it; standing ones are not.
    pub(crate) fn orders(&self) -> &[Command] {
        match self {
            Written::Orders(orders) => orders,
            Written::Ok
            | Written::Proposal(_)
            | Written::Waits { .. }
            | Written::Undo { .. }
            | Written::Always(_)
            | Written::UndoAlways { .. }
            | Written::Clear { .. }
            | Written::Press(_)
            | Written::Held(_)
            | Written::Send
            | Written::Question(_)
            | Written::Timing(_)
            | Written::Choice { .. } => &[],
        }
    }
}

/// A line whose name may be one of several. The answer numbers them, and the player may choose by the number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// The number of the line in its letter.
    pub line: usize,
    /// The piece of the line, in the player's own words.
    pub text: String,
    /// The place of the name in it.
    pub span: Range<usize>,
    /// What it may be, best first.
    pub candidates: Vec<Named>,
}

/// Reads a whole letter.
pub fn read(text: &str, lexicon: &Lexicon) -> Vec<Line> {
    read_reply(text, Lens { lexicon, bearings: None }, &[])
}

/// What a letter is read with: the names of the edition and, where it is somebody's, where the person stands.
#[derive(Clone, Copy)]
pub struct Lens<'a> {
    pub lexicon: &'a Lexicon,
    /// Where the writer stands.
    pub bearings: Option<&'a Bearings<'a>>,
}

/// Whether a letter is nothing but `k`, as people type on phones. Below other words it may be somebody's initial.
fn is_short_yes(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let only = words.next().filter(|_| words.next().is_none());
    only.is_some_and(|word| matches!(word, "k" | "K" | "kk" | "KK")) && !is_quoted(text)
}

/// Reads a whole letter that may settle the doubts of the last answer.
pub fn read_reply(text: &str, lens: Lens, doubts: &[Doubt]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    // The line of press that may go on.
    let mut telling: Option<usize> = None;
    let mut signature = false;
    let mut measure = Measure::default();
    let is_short_yes = is_short_yes(text);
    for text in text.lines() {
        if text.trim().is_empty() {
            telling = None;
            continue;
        }
        // What follows the customary two dashes is a signature.
        signature |= text.trim_end() == "--";
        let number = lines.len() + 1;
        let unread = |reading| Line { number, text: text.to_owned(), pieces: whole(text, reading), settles: None };
        let fits = if is_quoted(text) { Ok(()) } else { measure.takes(text) };
        let mut line = match (signature, fits) {
            (true, _) => unread(Reading::Remark),
            (false, Err(bound)) => unread(Reading::Beyond(bound)),
            (false, Ok(())) if is_short_yes => unread(Reading::Written(Written::Ok)),
            (false, Ok(())) => {
                let known: Vec<usize> = lines.iter().filter_map(|line| line.settles).collect();
                settled(read_line(number, text, lens), lens, doubts, &known)
            }
        };
        let is_plain = !signature && line.pieces.iter().all(|piece| piece.reading == Reading::Remark);
        // An order that could not be read must not go to the enemy, and what was cut off behind a message may be its end.
        let is_unread = |piece: &Piece| matches!(piece.reading, Reading::Fault(_) | Reading::Beyond(_));
        let looks_like_order = !signature && (is_plain && begins_like_order(text, 0..text.len(), lens));
        if let Some(at) = telling.filter(|_| looks_like_order || line.pieces.iter().any(is_unread)) {
            lines[at].hold();
        }
        match telling {
            Some(at) if is_plain => {
                lines[at].add_press(text);
                line.pieces = whole(text, Reading::Press);
            }
            Some(_) | None => telling = line.press().is_some().then_some(lines.len()),
        }
        lines.push(line);
    }
    bounds::keep(&mut lines);
    lines
}

/// Whether the letter only tries: `try` stands before its first order, behind a greeting or none. It is answered, and
/// nothing of it is stored.
pub fn is_trial(letter: &[Line]) -> bool {
    for line in letter {
        let lexemes = lexemes(&line.text[without_bullet(&line.text)..]);
        let tries = Word::Try.at(&lexemes);
        let is_order = |piece: &Piece| matches!(piece.reading, Reading::Written(_) | Reading::Fault(_));
        match (tries, line.pieces.iter().any(is_order)) {
            (Some(taken), is_order) => {
                return is_order || lexemes[taken..].iter().all(|lexeme| lexeme.kind == LexemeKind::Colon);
            }
            (None, true) => return false,
            (None, false) => {}
        }
    }
    false
}

impl Line {
    fn press(&mut self) -> Option<&mut Press> {
        match self.pieces.first_mut().map(|piece| &mut piece.reading) {
            Some(Reading::Written(Written::Press(press) | Written::Held(press))) => Some(press),
            _ => None,
        }
    }

    fn hold(&mut self) {
        if let Some(press) = self.press() {
            let held = Press { to: std::mem::take(&mut press.to), text: std::mem::take(&mut press.text) };
            self.pieces[0].reading = Reading::Written(Written::Held(held));
        }
    }

    fn add_press(&mut self, text: &str) {
        if let Some(press) = self.press() {
            press.text = format!("{}\n{}", press.text, text.trim()).trim_start().to_owned();
        }
    }
}

impl Doubt {
    /// The line with the name chosen.
    fn with(&self, name: &str) -> Option<String> {
        let (before, after) = (self.text.get(..self.span.start)?, self.text.get(self.span.end..)?);
        // A missing word has no place of its own.
        let space = if self.span.is_empty() { " " } else { "" };
        Some(format!("{before}{name}{space}{after}"))
    }
}

/// A line that chooses a suggested name, read as the line that was in doubt.
fn settled(line: Line, lens: Lens, doubts: &[Doubt], known: &[usize]) -> Line {
    let [Piece { reading: Reading::Written(Written::Choice { line: of, number }), .. }] = &line.pieces[..] else {
        return line;
    };
    // What the letter has settled above is settled.
    let mut open = doubts.iter().enumerate().filter(|(place, _)| !known.contains(place));
    let meant = match of {
        Some(of) => open.find(|(_, doubt)| doubt.line == usize::from(*of)),
        None if doubts.len() == known.len() + 1 => open.next(),
        None => None,
    };
    let chosen = meant.and_then(|(place, doubt)| {
        let named = doubt.candidates.get(usize::from(*number).checked_sub(1)?)?;
        Some((place, doubt.with(lens.lexicon.name(*named))?))
    });
    match chosen {
        Some((place, text)) => Line { settles: Some(place), ..read_line(line.number, &text, lens) },
        None => line,
    }
}

fn read_line(number: usize, text: &str, lens: Lens) -> Line {
    let start = without_bullet(text);
    let pieces = if is_quoted(text) {
        whole(text, Reading::Quoted)
    } else if Word::Tell.at(&lexemes(&text[start..])).is_some() {
        vec![read_piece(text, start..text.len(), lens, grammar::press)]
    } else {
        let spans: Vec<_> = pieces(text).collect();
        let (read, beyond) = spans.split_at(spans.len().min(MOST_PIECES));
        let read = read.iter().map(|span| read_piece(text, span.clone(), lens, grammar::line));
        let rest = beyond.first().map(|first| first.start..text.len());
        read.chain(rest.map(|span| unread(span, Reading::Beyond(Bound::Pieces)))).collect()
    };
    let pieces = if pieces.is_empty() { whole(text, Reading::Remark) } else { pieces };
    let mut line = Line { number, text: text.to_owned(), pieces, settles: None };
    // What stands behind a semicolon is part of the message, unless it was meant for us.
    if line.press().is_some() && self::pieces(text).skip(1).any(|span| begins_like_order(text, span, lens)) {
        line.hold();
    }
    line
}

/// Whether a piece begins with one of our verbs, whether or not it can be read.
pub(super) fn begins_like_order(text: &str, span: Range<usize>, lens: Lens) -> bool {
    let lexemes = lexemes_of(text, span);
    grammar::begins_like_order(&mut Cursor::new(text, &lexemes, lens))
}

pub(super) fn whole(text: &str, reading: Reading) -> Vec<Piece> {
    vec![unread(0..text.len(), reading)]
}

fn unread(span: Range<usize>, reading: Reading) -> Piece {
    Piece { span, reading, verb: None, area: None, read_as: Vec::new() }
}

/// The places between semicolons; `else` belongs to the `if` before it.
fn pieces(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut spans: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for piece in text.split(';') {
        let end = start + piece.len();
        match spans.last_mut() {
            Some(last) if ends_with_entity(&text[..start]) || Word::Else.at(&lexemes(piece)).is_some() => {
                last.end = end
            }
            Some(_) | None => spans.push(start..end),
        }
        start = end + 1;
    }
    spans.into_iter().filter(|span| !text[span.clone()].trim().is_empty())
}

/// The words, numbers and signs of a piece, with their places in the whole line.
fn lexemes_of(text: &str, span: Range<usize>) -> Vec<Lexeme> {
    let start = span.start + without_bullet(&text[span.clone()]);
    let shifted = |lexeme: Lexeme| Lexeme { span: lexeme.span.start + start..lexeme.span.end + start, ..lexeme };
    let mut lexemes: Vec<_> = lexemes(&text[start..span.end]).into_iter().map(shifted).collect();
    lexemes.dedup_by(|second, first| {
        second.kind == first.kind && matches!(&first.kind, LexemeKind::Word(word) if is_stutter(word))
    });
    lexemes
}

type Grammar = fn(&mut Cursor) -> Option<Result<Written, Fault>>;

fn read_piece(text: &str, span: Range<usize>, lens: Lens, grammar: Grammar) -> Piece {
    let lexemes = lexemes_of(text, span.clone());
    // A message may be long, and only its head is looked at.
    if lexemes.len() > MOST_LEXEMES && Word::Tell.at(&lexemes).is_none() {
        return unread(span, Reading::Beyond(Bound::Pieces));
    }
    let mut cursor = Cursor::new(text, &lexemes, lens);
    let reading = match grammar(&mut cursor) {
        None => Reading::Remark,
        Some(Ok(written)) => Reading::Written(written),
        Some(Err(fault)) => Reading::Fault(fault),
    };
    Piece { span, reading, verb: cursor.verb, area: cursor.last_area, read_as: cursor.read_as }
}
