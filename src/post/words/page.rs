//! A letter's lines, and what has been found out about each: where another's letter begins, and what is quoted.

use std::ops::Range;

use super::fold::fold;
use super::{attribution, closing, header};
use crate::post::line::{Mark, TextLine, is_invisible};

/// The lines, and what has been found out about each.
pub(in crate::post) struct Page {
    pub(in crate::post) rows: Vec<Row>,
    /// The sender's name, as it is compared.
    pub(super) sender: Option<String>,
}

/// A line, how it is compared, and what becomes of it.
pub(in crate::post) struct Row {
    pub(in crate::post) text: String,
    pub(super) folded: String,
    /// In how many quotations it stands.
    depth: u16,
    mark: Mark,
    pub(in crate::post) fate: Fate,
}

/// The bars that some programs quote with.
const BARS: [char; 3] = ['|', '│', '¦'];

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::post) enum Fate {
    Own,
    Blank,
    Quoted,
    Signature,
    Other,
}

/// Where another's letter begins.
pub(super) struct Cut {
    /// The first line of it.
    pub(super) at: usize,
    /// The first line behind its head.
    pub(super) body: usize,
    /// Whether it is passed on.
    pub(super) is_forward: bool,
    /// Whether it is an attribution that says so.
    is_attribution: bool,
    /// Whether the form of the letter said so.
    pub(super) is_marked: bool,
}

impl Row {
    fn new(line: TextLine) -> Self {
        let TextLine { text, mark } = line;
        let (text, depth) = match mark {
            Mark::Quoted(depth) => (text, depth),
            Mark::None | Mark::Signature | Mark::Cut => unquoted(text),
        };
        let mut row = Self { folded: fold(&text), text, depth, mark, fate: Fate::Own };
        row.judge();
        row
    }

    /// What becomes of it by its form alone.
    fn judge(&mut self) {
        let is_blank = self.text.chars().all(|character| character.is_whitespace() || is_invisible(character));
        self.fate = match self.mark {
            // A quoted blank line is still a line of the quotation, if it carries its mark.
            Mark::None | Mark::Signature | Mark::Cut if self.depth > 0 => Fate::Quoted,
            _ if is_blank => Fate::Blank,
            Mark::Quoted(_) => Fate::Quoted,
            Mark::Signature => Fate::Signature,
            Mark::None | Mark::Cut => Fate::Own,
        };
    }

    /// Decides about a line that is not blank.
    pub(super) fn settle(&mut self, fate: Fate) {
        if self.fate != Fate::Blank {
            self.fate = fate;
        }
    }

    pub(super) fn is_own(&self) -> bool {
        self.fate == Fate::Own
    }

    /// The delimiter of signatures: two dashes, and one space if nobody cut it off.
    pub(super) fn is_delimiter(&self) -> bool {
        matches!(self.text.trim(), "--" | "—" | "–" | "--\u{a0}")
    }

    pub(super) fn is_exact_delimiter(&self) -> bool {
        self.text == "-- " || self.text == "--\u{a0}"
    }
}

/// A line without its marks of quotation, and how many there were.
fn unquoted(text: String) -> (String, u16) {
    let (rest, depth) = unmarked(&text, &['>']);
    if depth == 0 { (text, 0) } else { (rest.to_owned(), depth) }
}

/// A line behind these marks, and how many there were.
fn unmarked<'a>(text: &'a str, marks: &[char]) -> (&'a str, u16) {
    let mut rest = text.trim_start_matches(|character: char| character.is_whitespace() || is_invisible(character));
    let mut depth = 0u16;
    while let Some(inner) = rest.strip_prefix(marks) {
        depth = depth.saturating_add(1);
        rest = inner;
        // `> > ` is two marks, `>  x` is one before an indented line.
        if let Some(next) = rest.strip_prefix(' ') {
            rest = next;
        }
    }
    (rest, depth)
}

impl Page {
    pub(super) fn new(lines: Vec<TextLine>, sender: Option<String>) -> Self {
        let mut page = Self { rows: lines.into_iter().map(Row::new).collect(), sender };
        page.find_broken_links();
        page.split_shared_lines();
        page.find_bars();
        page.unwrap_quoted_forward();
        page
    }

    /// A phone's line whose link was broken, so that its end looks quoted: `Sent from Mail <https://…`, `> for Windows`.
    fn find_broken_links(&mut self) {
        for at in 1..self.rows.len() {
            let (above, row) = (&self.rows[at - 1], &self.rows[at]);
            let is_open = above.text.rsplit_once('<').is_some_and(|(_, link)| {
                link.starts_with("http") && !link.contains('>') && !link.contains(char::is_whitespace)
            });
            if !is_open || !above.is_own() || row.depth != 1 || row.mark != Mark::None {
                continue;
            }
            let joined = fold(&format!("{}>{}", above.text, row.text));
            if closing::line(&joined) == Some(closing::Foot::Signature) {
                self.rows[at - 1..=at].iter_mut().for_each(|row| row.settle(Fate::Signature));
            }
        }
    }

    /// Some programs quote with `|`. Players type it too, so it counts only once it stands below an attribution, and from
    /// there on.
    fn find_bars(&mut self) {
        let is_barred = |row: &Row| row.is_own() && row.text.trim_start().starts_with(BARS);
        let first =
            (0..self.rows.len()).find(|at| is_barred(&self.rows[*at]) && self.loose_attribution(0, *at).is_some());
        let Some(first) = first else { return };
        for row in self.rows[first..].iter_mut().filter(|row| is_barred(row)) {
            let (text, depth) = unmarked(&row.text, &BARS);
            row.mark = Mark::Quoted(depth);
            row.text = text.to_owned();
            row.folded = fold(&row.text);
            row.depth = depth;
            row.fate = Fate::Quoted;
        }
    }

    /// Where another's letter begins that goes on to the end. Heads and attributions above marked quotations are settled on
    /// the way.
    pub(super) fn find_cut(&mut self, start: usize, subject_says_forward: bool) -> Option<Cut> {
        let marked = self.marked_below(start);
        let is_marked = |page: &Self, found: &Cut| {
            let next = page.skip_blank(found.body);
            let is_next = page.rows.get(next).is_some_and(|row| row.fate == Fate::Quoted);
            let is_below = found.is_attribution && marked.get(found.body - start).is_some_and(|marked| *marked);
            is_next || (is_below && !page.has_attribution_before_quote(next))
        };
        let mut at = start;
        while at < self.rows.len() {
            let Some(found) = self.begins_letter(at, start, subject_says_forward) else {
                at += 1;
                continue;
            };
            if found.is_forward || !is_marked(self, &found) {
                return Some(found);
            }
            self.rows[found.at..found.body].iter_mut().for_each(|row| row.settle(Fate::Quoted));
            at = found.body.max(at + 1);
        }
        None
    }

    /// Whether quotations are marked line by line below each line from here, even where words of the sender come first. A
    /// few marks prove nothing, for the letter that is quoted may hold quotations itself.
    fn marked_below(&self, start: usize) -> Vec<bool> {
        let (mut quoted, mut own) = (0usize, 0usize);
        let count = |row: &Row| {
            quoted += usize::from(row.fate == Fate::Quoted);
            own += usize::from(row.is_own());
            quoted > 0 && 3 * quoted >= 2 * own
        };
        let mut marked: Vec<bool> = self.rows[start..].iter().rev().map(count).collect();
        marked.reverse();
        marked
    }

    /// Whether the next marked quotation has an attribution of its own. Then what stands before it is another's too.
    fn has_attribution_before_quote(&self, at: usize) -> bool {
        let quote = (at..self.rows.len()).find(|row| self.rows[*row].fate == Fate::Quoted);
        quote.is_some_and(|quote| self.loose_attribution(at, quote).is_some())
    }

    pub(super) fn begins_letter(&self, at: usize, start: usize, subject_says_forward: bool) -> Option<Cut> {
        let row = &self.rows[at];
        if !row.is_own() {
            return None;
        }
        let cut =
            |at, body, is_forward, is_marked| Some(Cut { at, body, is_forward, is_attribution: false, is_marked });
        if row.mark == Mark::Cut {
            return cut(at, at + self.head(at, true), subject_says_forward, true);
        }
        if header::is_forward_mark(&row.folded) {
            let body = self.skip_blank(at + 1);
            return cut(at, body + self.head(body, true), true, false);
        }
        if header::is_original_mark(&row.folded) {
            let body = self.skip_blank(at + 1);
            return cut(at, body + self.head(body, true), subject_says_forward, false);
        }
        if header::field(&row.folded).is_some() {
            let above = (start..at).rev().find(|row| self.rows[*row].fate != Fate::Blank);
            let rule = above.filter(|above| header::is_rule(&self.rows[*above].folded));
            let head = self.head(at, rule.is_some());
            if head > 0 {
                return cut(rule.unwrap_or(at), at + head, subject_says_forward, false);
            }
        }
        let lines = self.dated_attribution(at)?;
        let first = self.name_above(at, start);
        Some(Cut { at: first, body: at + lines, is_forward: false, is_attribution: true, is_marked: false })
    }

    /// How many lines from here are the head of a letter.
    fn head(&self, at: usize, announced: bool) -> usize {
        let rows = self.rows[at..].iter().take(40).take_while(|row| matches!(row.fate, Fate::Own | Fate::Blank));
        header::block(rows.map(|row| row.folded.as_str()), announced)
    }

    fn skip_blank(&self, at: usize) -> usize {
        (at..self.rows.len()).find(|row| self.rows[*row].fate != Fate::Blank).unwrap_or(self.rows.len())
    }

    /// Over how many lines an attribution goes that begins here and needs nothing more to be known.
    fn dated_attribution(&self, at: usize) -> Option<usize> {
        if !attribution::may_begin(&self.rows[at].folded) {
            return None;
        }
        let own = self.rows[at..].iter().take(attribution::MOST_LINES).take_while(|row| row.is_own()).count();
        let is_known = |at, lines| {
            let joined = self.joined(at, lines);
            attribution::is_dated(&joined)
                || attribution::has_dated_beginning(&joined)
                || attribution::is_signed(&joined)
                || attribution::is_date_and_name(&joined)
        };
        let lines = (1..=own).find(|lines| is_known(at, *lines))?;
        // The shortest one counts: an order above it may begin like it, unless that names a day and the rest does not begin
        // like an attribution itself.
        let has_day = attribution::begins_with_day(&self.rows[at].folded);
        let is_open = |row: &Row| row.folded.rfind('<') > row.folded.rfind('>');
        let is_whole =
            |at: usize| (!has_day || attribution::begins_alone(&self.rows[at].folded)) && !is_open(&self.rows[at - 1]);
        let is_shorter = (1..lines).any(|fewer| is_whole(at + lines - fewer) && is_known(at + lines - fewer, fewer));
        (!is_shorter).then_some(lines)
    }

    /// The line above that an attribution begins with, if it begins with a bare address and a name stands above it.
    fn name_above(&self, at: usize, start: usize) -> usize {
        let has_bare_address = self.rows[at].text.trim_start().starts_with('<');
        let is_paragraph = |row: usize| row == start || self.rows[row - 1].fate == Fate::Blank;
        match at.checked_sub(1).filter(|above| has_bare_address && *above >= start && is_paragraph(*above)) {
            Some(above) if self.rows[above].is_own() && closing::begins_with_name(&self.rows[above].text) => above,
            Some(_) | None => at,
        }
    }

    fn joined(&self, at: usize, lines: usize) -> String {
        let lines: Vec<&str> = self.rows[at..at + lines].iter().map(|row| row.folded.as_str()).collect();
        lines.join(" ")
    }

    /// Settles the lines above marked quotations that say whose they are.
    pub(super) fn find_attributions(&mut self, range: Range<usize>) {
        for quote in range.clone() {
            if self.rows[quote].fate != Fate::Quoted {
                continue;
            }
            if let Some(lines) = self.loose_attribution(range.start, quote) {
                self.rows[lines].iter_mut().for_each(|row| row.settle(Fate::Quoted));
            }
        }
    }

    /// The lines right above a quotation that say whose it is.
    fn loose_attribution(&self, start: usize, quote: usize) -> Option<Range<usize>> {
        let last = (start..quote).rev().take(3).find(|row| self.rows[*row].fate != Fate::Blank)?;
        let most = (start..=last).rev().take(3).take_while(|row| self.rows[*row].is_own()).count();
        let lines = (1..=most).find(|lines| attribution::is_loose(&self.joined(last + 1 - lines, *lines)))?;
        Some(last + 1 - lines..last + 1)
    }

    pub(super) fn settle_own(&mut self, range: Range<usize>, fate: Fate) {
        self.rows[range].iter_mut().filter(|row| row.is_own()).for_each(|row| row.fate = fate);
    }

    /// Parts the sender's last words from an attribution that a client put on the same line.
    fn split_shared_lines(&mut self) {
        let mut rows: Vec<Row> = Vec::with_capacity(self.rows.len());
        let mut is_quoted_below = false;
        for row in std::mem::take(&mut self.rows).into_iter().rev() {
            let shared = if row.is_own() { attribution::shared(&row.text) } else { None };
            let parts = shared.map(|split| row.text.split_at(split));
            let is_above_quotation = is_quoted_below;
            if row.fate != Fate::Blank {
                is_quoted_below = row.fate == Fate::Quoted;
            }
            match parts {
                Some((own, attribution)) if is_above_quotation || attribution.contains('@') => {
                    let row = |text: &str| Row::new(TextLine { text: text.to_owned(), mark: Mark::None });
                    rows.extend([row(attribution), row(own.trim_end_matches(['-', ' ']))]);
                }
                _ => rows.push(row),
            }
        }
        rows.reverse();
        self.rows = rows;
    }

    /// Apple Mail quotes what it passes on, and the line that says so with it. If nobody wrote anything else, that
    /// quotation is taken off.
    fn unwrap_quoted_forward(&mut self) {
        let is_nobodys = |row: &Row| !row.is_own() || closing::line(&row.folded).is_some();
        let first = self.rows.iter().position(|row| row.fate == Fate::Quoted);
        let Some(first) = first.filter(|first| header::is_forward_mark(&self.rows[*first].folded)) else { return };
        if self.rows.iter().all(is_nobodys) {
            self.unquote(first);
        }
    }

    /// Takes one quotation off everything from here.
    fn unquote(&mut self, first: usize) {
        for row in &mut self.rows[first..] {
            row.depth = row.depth.saturating_sub(1);
            if let Mark::Quoted(_) = row.mark {
                row.mark = Mark::quoted(row.depth.into());
                if row.depth == 0 {
                    (row.text, row.depth) = unquoted(std::mem::take(&mut row.text));
                }
            }
            row.judge();
        }
    }

    /// Takes one quotation off everything from here, if a letter that is passed on was quoted. Says where the text behind its
    /// head begins.
    pub(super) fn unwrap(&mut self, body: usize) -> usize {
        let first = self.skip_blank(body);
        if self.rows.get(first).is_some_and(|row| row.fate == Fate::Quoted) {
            self.unquote(first);
        }
        let first = self.skip_blank(first);
        first + if first < self.rows.len() { self.head(first, true) } else { 0 }
    }

    /// Whether the head in these lines names one of these mailboxes as its sender.
    pub(super) fn is_from(&self, range: Range<usize>, mailboxes: &[String]) -> bool {
        let senders = self.rows[range].iter().filter(|row| header::field(&row.folded) == Some(header::Field::From));
        let mut words = senders.flat_map(|row| row.folded.split([' ', '<', '>', '[', ']', '(', ')', ':', ',']));
        words.any(|word| attribution::is_address(word) && mailboxes.contains(&super::mailbox(word)))
    }

    /// The sender's lines. Blank lines stay, but only one where something was left out.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let (mut blank, mut left_out) = (0, false);
        for row in &self.rows {
            match row.fate {
                Fate::Own => {
                    if !text.is_empty() {
                        let blank = if left_out { blank.min(1) } else { blank };
                        text.push_str(&"\n".repeat(blank + 1));
                    }
                    let line = clean(&row.text);
                    text.push_str(if text.is_empty() { line.trim() } else { line.trim_end() });
                    (blank, left_out) = (0, false);
                }
                Fate::Blank => blank += 1,
                Fate::Quoted | Fate::Signature | Fate::Other => left_out = true,
            }
        }
        text
    }
}

/// A line without what cannot be seen; a space is a space.
fn clean(text: &str) -> String {
    let is_joiner = |character: char| matches!(character, '\u{200c}' | '\u{200d}');
    let shown = text.chars().filter(|character| is_joiner(*character) || !is_invisible(*character));
    shown.map(|character| if character == '\u{a0}' || character == '\u{202f}' { ' ' } else { character }).collect()
}
