//! Where a line could not be read: the player's own line, a caret under the very word, and what was expected there.

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::names::Names;
use super::templates::Templates;
use crate::orders::{Doubt, Expected, Fault, Line, Piece};

/// Columns that a line may have on a phone held upright.
const WIDEST: usize = 56;
/// Columns that stay before the word when a line is cut.
const BEFORE: usize = 16;
/// Bytes before a line of it.
const INDENT: usize = 16;
/// Bytes of a player's own order that is worth repeating.
const LONGEST_JUST: usize = 200;

/// A fault as the player sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The number of the line in the player's letter.
    pub line: usize,
    /// The player's line, cut to the width of a phone.
    pub text: String,
    /// Spaces, and a caret for every column of the word.
    pub caret: String,
    pub says: String,
    /// What the word may mean, in the sequence of the numbers that choose one.
    pub candidates: Vec<String>,
    /// What would be possible there.
    pub hint: Option<String>,
    /// A line that would have been read.
    pub example: Option<String>,
}

impl Diagnostic {
    /// How much it says, in bytes.
    pub(crate) fn size(&self) -> usize {
        let said = [Some(&self.text), Some(&self.caret), Some(&self.says), self.hint.as_ref(), self.example.as_ref()];
        let said = said.into_iter().flatten().chain(&self.candidates);
        // Each has a line of its own, set in.
        said.map(|said| said.len() + INDENT).sum()
    }
}

/// Explains a fault. `several` says that other lines of the letter are in doubt as well.
pub(crate) fn diagnostic(
    templates: &Templates,
    names: Names,
    line: &Line,
    piece: &Piece,
    fault: &Fault,
    several: bool,
) -> Diagnostic {
    let (text, caret) = pointed(&line.text, fault.span.start, fault.span.end);
    let word = first_columns(line.text.get(fault.span.clone()).unwrap_or_default().trim(), WIDEST);
    let expected = templates.say("expected", &key(fault.expected), context! {});
    let says = match (word.is_empty(), fault.expected, fault.candidates.is_empty()) {
        (true, _, _) => templates.say("fault", "end", context! { expected }),
        (false, _, false) => templates.say("fault", "several", context! { word }),
        (false, Expected::EndOfOrder, true) => templates.say("fault", "more", context! { word }),
        (false, _, true) => templates.say("fault", "here", context! { word, expected }),
    };
    let candidates = fault.candidates.iter().map(|named| names.named(*named).to_owned()).collect();
    let example = piece.verb.and_then(|verb| templates.help.verb(verb)).and_then(|verb| verb.examples.first());
    let example = example.filter(|_| fault.candidates.is_empty());
    let example = match just(line, piece, fault) {
        Some(line) => Some(templates.say("fault", "just", context! { line })),
        None => example.map(|example| templates.say("fault", "example", context! { example })),
    };
    let hint = (!fault.candidates.is_empty()).then(|| choose(templates, line.number, several));
    Diagnostic { line: line.number, text, caret, says, candidates, hint, example }
}

/// The player's own order, where only something behind it was too much.
fn just<'a>(line: &'a Line, piece: &Piece, fault: &Fault) -> Option<&'a str> {
    let is_more = fault.expected == Expected::EndOfOrder && fault.candidates.is_empty() && !fault.span.is_empty();
    let order = line.text.get(piece.span.start..fault.span.start).filter(|_| is_more)?;
    let order = order.trim_end_matches(|c: char| !c.is_alphanumeric()).trim_start();
    Some(order).filter(|order| !order.is_empty() && order.len() <= LONGEST_JUST)
}

/// Explains what an earlier letter left in doubt.
pub(crate) fn doubtful(templates: &Templates, names: Names, doubt: &Doubt, several: bool) -> Diagnostic {
    let (text, caret) = pointed(&doubt.text, doubt.span.start, doubt.span.end);
    let word = first_columns(doubt.text.get(doubt.span.clone()).unwrap_or_default(), WIDEST);
    let says = templates.say("fault", "several", context! { word });
    let candidates = doubt.candidates.iter().map(|named| names.named(*named).to_owned()).collect();
    let hint = Some(choose(templates, doubt.line, several));
    Diagnostic { line: doubt.line, text, caret, says, candidates, hint, example: None }
}

/// How one of several names is chosen.
fn choose(templates: &Templates, line: usize, several: bool) -> String {
    templates.say("fault", "choose", context! { line => several.then_some(line) })
}

/// The name of the phrase for an expectation.
fn key(expected: Expected) -> String {
    Value::from(Serde(expected)).to_string()
}

/// A line fit to be shown, and the line of the caret under it.
fn pointed(line: &str, start: usize, end: usize) -> (String, String) {
    let shown = |text: &str| -> String { text.chars().filter_map(shown).collect() };
    let (before, word, after) =
        (shown(line.get(..start).unwrap_or("")), shown(line.get(start..end).unwrap_or("")), shown(&line[end..]));
    // Of a very long word its beginning says enough.
    let word = if word.width() > WIDEST { format!("{}…", first_columns(&word, WIDEST - 1)) } else { word };
    let before = before.trim_start();
    let before = if before.width() > BEFORE && before.width() + word.width() + after.width() > WIDEST {
        format!("…{}", last_columns(before, BEFORE))
    } else {
        before.to_owned()
    };
    let caret = " ".repeat(before.width()) + &"^".repeat(word.width().max(1));
    let room = WIDEST.saturating_sub(before.width());
    let rest = format!("{word}{after}");
    let rest = if rest.width() > room { format!("{}…", first_columns(&rest, room.max(word.width()))) } else { rest };
    (format!("{before}{}", rest.trim_end()), caret)
}

/// A character as it may be shown: a tab is one column, what cannot be seen is none.
fn shown(c: char) -> Option<char> {
    match c {
        c if c.is_whitespace() => Some(' '),
        c if c.is_control() || c.width().is_none() => None,
        '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}' | '\u{AD}' => None,
        c => Some(c),
    }
}

/// Columns are counted character by character, so that a long line costs no more than its length.
fn first_columns(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let too_far = |(_, c): &(usize, char)| {
        used += c.width().unwrap_or(0);
        used > columns
    };
    text.char_indices().find(too_far).map_or(text, |(end, _)| &text[..end])
}

fn last_columns(text: &str, columns: usize) -> &str {
    let mut used = 0;
    let too_far = |(_, c): &(usize, char)| {
        used += c.width().unwrap_or(0);
        used > columns
    };
    text.char_indices().rev().find(too_far).map_or(text, |(at, c)| &text[at + c.len_utf8()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands above the carets.
    fn above(line: &str, word: &str) -> (String, usize) {
        let start = line.find(word).expect("the word stands in the line");
        let (text, caret) = pointed(line, start, start + word.len());
        let column = caret.width() - caret.trim_start().width();
        let under: String = text
            .chars()
            .scan(0, |at, c| Some((c, std::mem::replace(at, *at + c.width().unwrap_or(0)))))
            .filter(|(_, at)| *at >= column && *at < caret.width())
            .map(|(c, _)| c)
            .collect();
        (under, caret.trim_start().len())
    }

    #[test]
    fn the_caret_stands_under_the_word() {
        assert_eq!(above("move many Crete -> Thera", "many"), ("many".into(), 4));
        assert_eq!(above("🚢🚢 sail from 北京 load 3", "北京"), ("北京".into(), 4));
        assert_eq!(above("ruch 3 z Z\u{301}ary do Tery", "Tery"), ("Tery".into(), 4));
        assert_eq!(above("move\t\u{200B}\u{200B}many Crete", "many"), ("many".into(), 4));
    }

    #[test]
    fn a_long_line_is_cut_around_the_word() {
        let line = format!("move 3 from {} to nowhere at all {}", "Crete ".repeat(40), "and so on ".repeat(20));
        let (text, caret) =
            pointed(&line, line.find("nowhere").expect("it is there"), line.find(" at all").expect("too"));
        assert!(text.width() <= WIDEST + 2 && text.starts_with('…') && text.ends_with('…'), "{text}");
        assert_eq!(&text[text.find("nowhere").expect("it is kept")..][..7], "nowhere");
        assert_eq!(caret.trim_start(), "^^^^^^^");
    }
}
