//! HTML bodies as lines, with what their form says of quotation and signature.
//!
//! Comes in: the HTML of a letter. Goes out: its lines as a reader sees them. Only the tokens of the HTML are read and no
//! tree is built: time and memory stay in proportion to the letter, however it is nested.

mod tags;

use std::collections::HashMap;

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

use super::letter::Broken;
use super::line::{Mark, TextLine};
use super::words;
use tags::{
    Cut, Role, attribute, closes_itself, cut, has_no_margin, is_block, is_empty, is_hidden, is_preformatted, role,
    squeezed,
};

/// How deep elements may be nested.
const DEEPEST: usize = 20_000;

/// The text of an HTML body, with `> ` before what is quoted.
///
/// # Errors
/// The HTML is nested too deeply.
pub fn plain(html: &str) -> Result<String, Broken> {
    let lines = lines(html)?;
    let shown = lines.iter().map(|line| match line.mark {
        Mark::Quoted(depth) => format!("{} {}", ">".repeat(depth.into()), line.text).trim_end().to_owned(),
        Mark::None | Mark::Signature | Mark::Cut => line.text.clone(),
    });
    Ok(shown.collect::<Vec<_>>().join("\n"))
}

/// The lines of an HTML body.
pub(super) fn lines(html: &str) -> Result<Vec<TextLine>, Broken> {
    let mut emitter = DefaultEmitter::<()>::default();
    emitter.naively_switch_states(true);
    let mut page = Page::default();
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => page.open(&tag)?,
            Token::EndTag(tag) => page.close(&tag.name),
            Token::String(text) => page.write(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    Ok(page.finish())
}

/// Whether a text that claims to be plain is HTML.
pub(super) fn is_html(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(100).collect::<String>().to_ascii_lowercase();
    ["<!doctype html", "<html", "<head", "<body", "<div", "<meta", "<p>", "<p "]
        .iter()
        .any(|tag| start.starts_with(tag))
}

/// The page as far as it is written.
#[derive(Default)]
struct Page {
    lines: Vec<TextLine>,
    current: String,
    /// Whether white space stands before whatever comes next.
    space: bool,
    /// Whether a blank line stands before whatever comes next.
    gap: bool,
    /// Whether another's letter begins with the next line.
    cut: Option<Cut>,
    elements: Vec<Element>,
    /// How many elements of each name are open.
    open: HashMap<Vec<u8>, usize>,
    /// The lists that are open: the number of the next item, where items are numbered.
    lists: Vec<Option<u32>>,
    /// The mark of a list that stands before whatever comes next.
    bullet: Option<String>,
    within: Within,
    /// How many quotations and marks of a forwarded letter there were so far.
    seen: usize,
}

/// Within how many elements of a kind whatever comes next stands.
#[derive(Default)]
struct Within {
    quotes: usize,
    signatures: usize,
    hidden: usize,
    preformatted: usize,
}

/// An element that is open.
struct Element {
    name: Vec<u8>,
    role: Role,
    hidden: bool,
    preformatted: bool,
    /// Whether a blank line follows it.
    has_margin: bool,
    /// Where it began: the line, and how much had been seen.
    start: (usize, usize),
}

impl Page {
    fn open(&mut self, tag: &StartTag<()>) -> Result<(), Broken> {
        let name = tag.name.as_slice();
        match name {
            b"br" => {
                self.break_line();
                return Ok(());
            }
            b"hr" => {
                self.end_block();
                return Ok(());
            }
            _ if is_empty(name) => return Ok(()),
            _ => {}
        }
        if closes_itself(name) && self.elements.last().is_some_and(|element| element.name == name) {
            self.close(name);
        }
        if self.elements.len() >= DEEPEST {
            return Err(Broken::TooDeep);
        }
        let style = squeezed(attribute(tag, b"style"));
        let role = role(tag, &style);
        let hidden = is_hidden(name, &style);
        let preformatted = is_preformatted(name, &style);
        if is_block(name) || role != Role::None {
            self.end_block();
        }
        let has_margin = name == b"p" && !has_no_margin(tag, &style);
        self.gap |= has_margin && self.bullet.is_none();
        self.space |= matches!(name, b"td" | b"th");
        self.cut = if hidden { self.cut } else { cut(tag, &style).or(self.cut) };
        match role {
            Role::Quote => {
                self.within.quotes += 1;
                self.seen += 1;
            }
            Role::Signature => self.within.signatures += 1,
            Role::None | Role::PerhapsQuote => {}
        }
        self.within.hidden += usize::from(hidden);
        self.within.preformatted += usize::from(preformatted);
        match name {
            b"ol" => self.lists.push(Some(1)),
            b"ul" => self.lists.push(None),
            b"li" => self.bullet = Some(self.next_bullet()),
            _ => {}
        }
        *self.open.entry(name.to_vec()).or_default() += 1;
        let start = (self.lines.len(), self.seen);
        self.elements.push(Element { name: name.to_vec(), role, hidden, preformatted, has_margin, start });
        Ok(())
    }

    fn close(&mut self, name: &[u8]) {
        if self.open.get(name).is_none_or(|count| *count == 0) {
            if name == b"br" || name == b"p" {
                self.break_line();
            }
            return;
        }
        while let Some(element) = self.elements.pop() {
            self.leave(&element);
            if element.name == name {
                return;
            }
        }
    }

    fn leave(&mut self, element: &Element) {
        if let Some(count) = self.open.get_mut(&element.name) {
            *count -= 1;
        }
        if is_block(&element.name) || element.role != Role::None {
            self.end_block();
        }
        self.gap |= element.has_margin;
        match element.name.as_slice() {
            b"ol" | b"ul" => drop(self.lists.pop()),
            b"li" => self.bullet = None,
            _ => {}
        }
        match element.role {
            Role::None => {}
            Role::Quote => self.within.quotes -= 1,
            Role::Signature => self.within.signatures -= 1,
            Role::PerhapsQuote => {
                let (first_line, seen) = element.start;
                let mark = Mark::quoted(self.within.quotes + 1);
                let unmarked = |line: &&mut TextLine| !matches!(line.mark, Mark::Quoted(_));
                if seen == self.seen {
                    self.lines[first_line..].iter_mut().filter(unmarked).for_each(|line| line.mark = mark);
                }
            }
        }
        self.within.hidden -= usize::from(element.hidden);
        self.within.preformatted -= usize::from(element.preformatted);
    }

    fn write(&mut self, text: &str) {
        if self.within.hidden > 0 {
            return;
        }
        if self.within.preformatted > 0 {
            let mut pieces = text.split('\n').peekable();
            while let Some(piece) = pieces.next() {
                if !piece.is_empty() {
                    self.begin();
                }
                self.current.push_str(piece.trim_end_matches('\r'));
                if pieces.peek().is_some() {
                    self.break_line();
                }
            }
            return;
        }
        for character in text.chars() {
            if matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0c') {
                self.space = true;
                continue;
            }
            self.begin();
            if self.space && !self.current.is_empty() {
                self.current.push(' ');
            }
            self.space = false;
            self.current.push(character);
        }
    }

    /// Writes what is owed before the first word of a line: a blank line, the mark of a list.
    fn begin(&mut self) {
        if !self.current.is_empty() {
            return;
        }
        if std::mem::take(&mut self.gap) && self.lines.last().is_some_and(|line| !line.is_blank()) {
            self.push(String::new());
        }
        if let Some(bullet) = self.bullet.take() {
            self.current.push_str(&bullet);
            self.space = false;
        }
    }

    fn next_bullet(&mut self) -> String {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                let bullet = format!("{number}. ");
                *number = number.saturating_add(1);
                bullet
            }
            Some(None) | None => "- ".to_owned(),
        }
    }

    fn end_block(&mut self) {
        if !self.current.is_empty() {
            self.break_line();
        }
        self.space = false;
    }

    fn break_line(&mut self) {
        if self.within.hidden > 0 {
            return;
        }
        let text = std::mem::take(&mut self.current);
        let text = if self.within.preformatted > 0 { text } else { text.trim_end().to_owned() };
        // The space behind the dashes makes them the mark of a signature.
        self.push(if text == "--" && self.space { "-- ".to_owned() } else { text });
        self.space = false;
    }

    fn push(&mut self, text: String) {
        let mut line = TextLine { text, mark: Mark::None };
        self.seen += usize::from(words::is_forward_mark(&line.text));
        if self.within.quotes > 0 {
            line.mark = Mark::quoted(self.within.quotes);
        } else if self.within.signatures > 0 {
            line.mark = Mark::Signature;
        } else if !line.is_blank() {
            line.mark = match self.cut.take() {
                Some(Cut::Sure) => Mark::Cut,
                Some(Cut::IfHeader) if words::is_like_header(&line.text) => Mark::Cut,
                Some(Cut::IfHeader) | None => Mark::None,
            };
        }
        self.lines.push(line);
    }

    fn finish(mut self) -> Vec<TextLine> {
        self.end_block();
        while let Some(element) = self.elements.pop() {
            self.leave(&element);
        }
        self.lines
    }
}
