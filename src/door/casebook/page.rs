//! A page: its title, its map, and its cases with their blocks.

use super::Verdict;

/// A page of the casebook.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub title: String,
    /// The map that serves every case.
    pub map: Option<Block>,
    pub cases: Vec<Case>,
}

#[derive(Debug, Default)]
pub(crate) struct Case {
    pub title: String,
    /// The line of its title.
    pub line: usize,
    /// The rules its prose cites.
    pub cites: Vec<String>,
    /// A map of its own.
    pub map: Option<Block>,
    pub state: Option<Block>,
    /// What players wrote: the name of a civilization, and the letter.
    pub orders: Vec<(String, Block)>,
    /// What must be true afterwards.
    pub after: Option<Block>,
}

/// The lines of a fenced block that count, with their numbers on the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Block {
    /// The line of the fence.
    pub line: usize,
    pub lines: Vec<(usize, String)>,
}

/// Where a page cannot be read, and what was expected there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The line of the page.
    pub line: usize,
    pub expected: String,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl Unreadable {
    /// Something else was expected in this line.
    pub(crate) fn at(line: usize, expected: impl Into<String>) -> Unreadable {
        Unreadable { line, expected: expected.into() }
    }

    /// A failure that names the line and what was expected there.
    pub(crate) fn verdict(self, title: String, cites: Vec<String>) -> Verdict {
        let title = if title.is_empty() { "unreadable page".to_owned() } else { title };
        Verdict { title, cites, faults: vec![self.to_string()] }
    }
}

impl Page {
    pub(crate) fn parse(text: &str) -> Result<Page, Unreadable> {
        let mut page = Page::default();
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text.lines().zip(1..);
        while let Some((line, number)) = lines.next() {
            if let Some(fence) = fence(line) {
                let block = block(&mut lines, number, fence)?;
                page.add(line[line.find(fence).unwrap_or(0) + fence.len()..].trim(), block)?;
            } else if let Some(title) = line.strip_prefix("## ") {
                page.cases.push(Case { title: title.trim().to_owned(), line: number, ..Case::default() });
            } else if let Some(title) = line.strip_prefix("# ").filter(|_| page.title.is_empty()) {
                page.title = title.trim().to_owned();
            } else if let Some(case) = page.cases.last_mut() {
                case.cites.extend(cites(line));
            }
        }
        if page.cases.is_empty() {
            Err(Unreadable::at(text.lines().count().max(1), "a case, beginning with `## `"))
        } else {
            Ok(page)
        }
    }

    fn add(&mut self, kind: &str, block: Block) -> Result<(), Unreadable> {
        let line = block.line;
        let once = |slot: &mut Option<Block>, block| match slot.replace(block) {
            None => Ok(()),
            Some(_) => Err(Unreadable::at(line, format!("one `{kind}` block, not two"))),
        };
        let Some(case) = self.cases.last_mut() else {
            return match kind {
                "map" => once(&mut self.map, block),
                _ => Err(Unreadable::at(line, "a `map` block here, or `## ` and a title before other blocks")),
            };
        };
        match kind.split_once(char::is_whitespace) {
            Some(("orders", civ)) => case.orders.push((civ.trim().to_owned(), block)),
            _ => match kind {
                "map" => once(&mut case.map, block)?,
                "state" => once(&mut case.state, block)?,
                "after" => once(&mut case.after, block)?,
                _ => return Err(Unreadable::at(line, "a block `map`, `state`, `orders CIV` or `after`")),
            },
        }
        Ok(())
    }
}

/// The backticks that open a block.
fn fence(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let length = line.len() - line.trim_start_matches('`').len();
    (length >= 3).then(|| &line[..length])
}

/// The lines up to the closing fence; blank ones and those that begin with `#` do not count.
fn block<'a>(
    lines: &mut impl Iterator<Item = (&'a str, usize)>,
    opened: usize,
    fence: &str,
) -> Result<Block, Unreadable> {
    let mut block = Block { line: opened, lines: Vec::new() };
    for (line, number) in lines {
        let trimmed = line.trim();
        if trimmed.len() >= fence.len() && trimmed.chars().all(|c| c == '`') {
            return Ok(block);
        }
        if !trimmed.is_empty() && !trimmed.starts_with('#') {
            block.lines.push((number, line.to_owned()));
        }
    }
    Err(Unreadable::at(opened, "a closing fence for this block"))
}

/// The rule numbers in a line of prose: `R4.9`, `C.6`, `MC-7`, `RL.2`.
fn cites(line: &str) -> impl Iterator<Item = String> {
    let words = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-'));
    words.map(|word| word.trim_end_matches(['.', '-'])).filter(|word| is_rule(word)).map(str::to_owned)
}

fn is_rule(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    let number = &word[letters.len()..];
    matches!(letters, "R" | "RL" | "C" | "G" | "MC" | "V" | "W" | "B" | "F" | "Y")
        && number.contains(|c: char| c.is_ascii_digit())
        && number.contains(['.', '-'])
}
