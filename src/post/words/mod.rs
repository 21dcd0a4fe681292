//! The sender's own words: what of a text he wrote himself, in this letter.
//!
//! Comes in: the lines of a body. Goes out: his words, and how many lines were left out and why. Quotations, attributions,
//! heads of other letters, signatures and footers go; answers between and below quotations stay. Where a line could be
//! either, its shape decides: an attribution has its date, verb and colon, a head has several lines.

mod attribution;
mod closing;
mod fold;
mod header;

use std::ops::Range;

use serde::Serialize;

use super::line::{Line, Mark, is_invisible};
use closing::Foot;
use fold::fold;
pub(super) use fold::{Phrases, fold as folded};

/// How often a letter may be passed on within a letter.
const MOST_FORWARDS: usize = 5;

/// What somebody wrote himself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// His words.
    pub text: String,
    /// How much is not his.
    pub ignored: Ignored,
    /// Whether he wrote nothing himself but passed these words on.
    pub forwarded: bool,
    /// Whether another's letter was cut off that nothing marked line by line.
    pub(super) cut: bool,
}

/// How many lines were left out, and why. Blank lines do not count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Ignored {
    /// Quotations, with the lines that say whose they are.
    pub quoted: usize,
    /// Signatures, and what a phone says of itself.
    pub signature: usize,
    /// Footers, notices, heads of letters that were passed on.
    pub other: usize,
}

impl Ignored {
    /// Counts these lines too.
    pub(super) fn add(&mut self, other: Self) {
        self.quoted += other.quoted;
        self.signature += other.signature;
        self.other += other.other;
    }
}

/// What the rest of a letter tells about its text.
#[derive(Debug, Clone, Default)]
pub(super) struct Hints {
    /// The sender's name.
    pub(super) sender: Option<String>,
    /// Whether the subject says that something is passed on.
    pub(super) is_forward: bool,
}

/// The own words in a plain text, as a mail client or a forum sends it.
pub fn own(text: &str) -> Words {
    sort(Line::plain(&unified(text)), &Hints::default())
}

/// A text with one kind of line ends.
pub(super) fn unified(text: &str) -> String {
    text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}', '\u{85}', '\x0c', '\x0b'], "\n")
}

/// The own words in these lines.
pub(super) fn sort(lines: Vec<Line>, hints: &Hints) -> Words {
    let mut page = Page { rows: lines.into_iter().map(Row::new).collect(), sender: hints.sender.as_deref().map(fold) };
    page.split_shared_lines();
    page.unwrap_quoted_forward();
    let mut words = Words::default();
    let mut start = 0;
    for round in 0..=MOST_FORWARDS {
        let cut = page.find_cut(start, hints.is_forward);
        let end = cut.as_ref().map_or(page.rows.len(), |cut| cut.at);
        page.find_attributions(start..end);
        page.find_closings(start..end);
        let Some(cut) = cut else { break };
        let is_empty = page.rows[start..end].iter().all(|row| row.fate != Fate::Own);
        if cut.is_forward && is_empty && round < MOST_FORWARDS {
            words.forwarded = true;
            page.rows[cut.at..cut.body].iter_mut().for_each(|row| row.settle(Fate::Other));
            start = page.unwrap(cut.body);
        } else {
            words.cut = !cut.is_marked;
            page.rows[end..].iter_mut().for_each(|row| row.settle(Fate::Quoted));
            break;
        }
    }
    for row in &page.rows {
        match row.fate {
            Fate::Quoted => words.ignored.quoted += 1,
            Fate::Signature => words.ignored.signature += 1,
            Fate::Other => words.ignored.other += 1,
            Fate::Own | Fate::Blank => {}
        }
    }
    words.text = page.text();
    words
}

/// Whether this line says that a letter is passed on.
pub(super) fn is_forward_mark(text: &str) -> bool {
    (text.contains("--") || text.trim_end().ends_with(':') || !text.is_ascii())
        && text.len() < 200
        && header::is_forward_mark(&fold(text))
}

/// Whether a subject says that a letter is passed on.
pub(super) fn is_forward_subject(subject: &str) -> bool {
    const MARKS: [&str; 12] = ["fwd", "fw", "wg", "tr", "pd", "rv", "i", "doorst", "enc", "vs", "vb", "vl"];
    fold(subject).split_once(':').is_some_and(|(mark, _)| MARKS.contains(&mark.trim().trim_matches(['[', ']'])))
}

/// Whether this line looks like one of a letter's head.
pub(super) fn is_like_header(text: &str) -> bool {
    header::is_like_header(&fold(text))
}

/// The lines, and what has been found out about each.
struct Page {
    rows: Vec<Row>,
    sender: Option<String>,
}

/// A line, how it is compared, and what becomes of it.
struct Row {
    text: String,
    folded: String,
    /// In how many quotations it stands.
    depth: u16,
    mark: Mark,
    fate: Fate,
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Own,
    Blank,
    Quoted,
    Signature,
    Other,
}

/// Where another's letter begins.
struct Cut {
    /// The first line of it.
    at: usize,
    /// The first line behind its head.
    body: usize,
    /// Whether it is passed on.
    is_forward: bool,
    /// Whether the form of the letter said so.
    is_marked: bool,
}

impl Row {
    fn new(line: Line) -> Self {
        let Line { text, mark } = line;
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
    fn settle(&mut self, fate: Fate) {
        if self.fate != Fate::Blank {
            self.fate = fate;
        }
    }

    fn is_own(&self) -> bool {
        self.fate == Fate::Own
    }

    /// The delimiter of signatures: two dashes, and one space if nobody cut it off.
    fn is_delimiter(&self) -> bool {
        matches!(self.text.trim(), "--" | "—" | "–" | "--\u{a0}")
    }

    fn is_exact_delimiter(&self) -> bool {
        self.text == "-- " || self.text == "--\u{a0}"
    }
}

/// A line without its marks of quotation, and how many there were.
fn unquoted(text: String) -> (String, u16) {
    let mut rest = text.trim_start();
    let mut depth = 0u16;
    while let Some(inner) = rest.strip_prefix('>') {
        depth = depth.saturating_add(1);
        rest = inner;
        // `> > ` is two marks, `>  x` is one before an indented line.
        if let Some(next) = rest.strip_prefix(' ') {
            rest = next;
        }
    }
    if depth == 0 { (text, 0) } else { (rest.to_owned(), depth) }
}

impl Page {
    /// Where another's letter begins that goes on to the end. Heads and attributions above marked quotations are settled on
    /// the way.
    fn find_cut(&mut self, start: usize, subject_says_forward: bool) -> Option<Cut> {
        let marked = self.marked_below(start);
        let mut at = start;
        while at < self.rows.len() {
            let Some(found) = self.begins_letter(at, start, subject_says_forward) else {
                at += 1;
                continue;
            };
            let is_next = self.rows.get(self.skip_blank(found.body)).is_some_and(|row| row.fate == Fate::Quoted);
            let is_marked = is_next || marked.get(found.body - start).is_some_and(|marked| *marked);
            if found.is_forward || !is_marked {
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

    fn begins_letter(&self, at: usize, start: usize, subject_says_forward: bool) -> Option<Cut> {
        let row = &self.rows[at];
        if !row.is_own() {
            return None;
        }
        let cut = |at, body, is_forward, is_marked| Some(Cut { at, body, is_forward, is_marked });
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
        cut(at, at + lines, false, false)
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
        let is_dated = |at, lines| {
            let joined = self.joined(at, lines);
            attribution::is_dated(&joined) || attribution::has_dated_beginning(&joined)
        };
        let lines = (1..=own).find(|lines| is_dated(at, *lines))?;
        // The shortest one counts: an order above it may begin like it.
        let is_shorter = (1..lines).any(|fewer| is_dated(at + lines - fewer, fewer));
        (!is_shorter).then_some(lines)
    }

    fn joined(&self, at: usize, lines: usize) -> String {
        let lines: Vec<&str> = self.rows[at..at + lines].iter().map(|row| row.folded.as_str()).collect();
        lines.join(" ")
    }

    /// Settles the lines above marked quotations that say whose they are.
    fn find_attributions(&mut self, range: Range<usize>) {
        for quote in range.clone() {
            if self.rows[quote].fate != Fate::Quoted {
                continue;
            }
            let Some(last) = (range.start..quote).rev().take(3).find(|row| self.rows[*row].fate != Fate::Blank) else {
                continue;
            };
            let most = (range.start..=last).rev().take(3).take_while(|row| self.rows[*row].is_own()).count();
            let lines = (1..=most).find(|lines| attribution::is_loose(&self.joined(last + 1 - lines, *lines)));
            if let Some(lines) = lines {
                self.rows[last + 1 - lines..=last].iter_mut().for_each(|row| row.settle(Fate::Quoted));
            }
        }
    }

    /// Settles signatures and footers in each stretch between quotations.
    fn find_closings(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            let end = (at..range.end).find(|row| self.rows[*row].fate == Fate::Quoted).unwrap_or(range.end);
            if at < end {
                self.close_stretch(at..end);
            }
            at = end + 1;
        }
    }

    fn close_stretch(&mut self, range: Range<usize>) {
        self.find_armour(range.clone());
        for row in &mut self.rows[range.clone()] {
            if row.is_own()
                && let Some(foot) = closing::line(&row.folded)
            {
                row.settle(foot.into());
            }
        }
        let list =
            range.clone().find(|row| self.rows[*row].is_own() && closing::begins_list_footer(&self.rows[*row].folded));
        if let Some(list) = list {
            self.settle_own(list..range.end, Fate::Other);
        }
        self.find_notices(range.clone());
        self.find_signature(range.clone());
        self.find_bare_rules(range);
    }

    /// What OpenPGP puts round a text.
    fn find_armour(&mut self, range: Range<usize>) {
        let find = |page: &Self, from: usize, text: &str| {
            (from..range.end).find(|row| page.rows[*row].is_own() && page.rows[*row].text.trim_end() == text)
        };
        if let Some(begin) = find(self, range.start, "-----BEGIN PGP SIGNED MESSAGE-----") {
            let body = (begin..range.end).find(|row| self.rows[*row].fate == Fate::Blank).unwrap_or(range.end);
            self.settle_own(begin..body, Fate::Other);
            for row in &mut self.rows[body..range.end] {
                if let Some(text) = row.text.strip_prefix("- ").map(str::to_owned) {
                    row.folded = fold(&text);
                    row.text = text;
                }
            }
        }
        for (begin, end) in [
            ("-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----"),
            ("-----BEGIN PGP MESSAGE-----", "-----END PGP MESSAGE-----"),
            ("-----BEGIN PGP PUBLIC KEY BLOCK-----", "-----END PGP PUBLIC KEY BLOCK-----"),
        ] {
            if let Some(begin) = find(self, range.start, begin) {
                let end = find(self, begin, end).map_or(range.end, |end| end + 1);
                self.settle_own(begin..end, Fate::Other);
            }
        }
    }

    /// Notices of confidentiality and the like, paragraph by paragraph.
    fn find_notices(&mut self, range: Range<usize>) {
        let mut at = range.start;
        let mut after_another = false;
        while at < range.end {
            let end = (at..range.end).find(|row| !self.rows[*row].is_own()).unwrap_or(range.end);
            if at < end {
                let paragraph: Vec<&str> = self.rows[at..end].iter().take(40).map(|row| row.folded.as_str()).collect();
                if closing::is_notice(&paragraph.join(" "), after_another) {
                    after_another = true;
                    self.settle_own(at..end, Fate::Other);
                }
            }
            at = end + 1;
        }
    }

    fn find_signature(&mut self, range: Range<usize>) {
        let delimiters: Vec<usize> =
            range.clone().filter(|row| self.rows[*row].is_own() && self.rows[*row].is_delimiter()).collect();
        if let Some(exact) = delimiters.iter().copied().find(|row| self.rows[*row].is_exact_delimiter()) {
            if !self.own_lines(exact + 1..range.end).is_empty() {
                let end = self.signature_end(exact, range.end);
                self.settle_own(exact..end, Fate::Signature);
            }
            return;
        }
        let rules = range.clone().filter(|row| self.rows[*row].is_own() && header::is_rule(&self.rows[*row].folded));
        let (at, is_rule) = match (delimiters.as_slice(), rules.last()) {
            ([only], _) => (*only, false),
            ([], Some(rule)) => (rule, true),
            _ => return,
        };
        let below = self.own_lines(at + 1..range.end);
        let has_contact = below.iter().any(|(_, folded)| closing::has_contact(folded));
        if !below.is_empty() && closing::is_signature(&below, self.sender.as_deref()) && (!is_rule || has_contact) {
            self.settle_own(at..range.end, Fate::Signature);
        }
    }

    /// Where a signature ends that begins here. Below one at the very top somebody may have written, so there a blank line
    /// ends it, if what follows does not look like more of it.
    fn signature_end(&self, at: usize, end: usize) -> usize {
        if self.rows[..at].iter().any(Row::is_own) {
            return end;
        }
        let gap = (at..end).find(|row| self.rows[*row].fate == Fate::Blank).unwrap_or(end);
        let below = self.own_lines(gap..end);
        if below.is_empty() || closing::is_signature(&below, self.sender.as_deref()) { end } else { gap }
    }

    /// The sender's lines here, as they are and as they are compared.
    fn own_lines(&self, range: Range<usize>) -> Vec<(&str, &str)> {
        let own = self.rows[range].iter().filter(|row| row.is_own());
        own.map(|row| (row.text.as_str(), row.folded.as_str())).collect()
    }

    /// Dashes with nothing below them belong to whatever was below.
    fn find_bare_rules(&mut self, range: Range<usize>) {
        let mut below = Fate::Other;
        for row in self.rows[range].iter_mut().rev() {
            match row.fate {
                Fate::Blank => {}
                Fate::Own if row.is_delimiter() || header::is_rule(&row.folded) => row.fate = below,
                Fate::Own => return,
                Fate::Quoted | Fate::Signature | Fate::Other => below = row.fate,
            }
        }
    }

    fn settle_own(&mut self, range: Range<usize>, fate: Fate) {
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
                    let row = |text: &str| Row::new(Line { text: text.to_owned(), mark: Mark::None });
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

    /// Takes one quotation off everything from here, if a letter that is passed on was quoted, and its head with it. Says
    /// where its text begins.
    fn unwrap(&mut self, body: usize) -> usize {
        let first = self.skip_blank(body);
        if self.rows.get(first).is_some_and(|row| row.fate == Fate::Quoted) {
            self.unquote(first);
        }
        let first = self.skip_blank(first);
        let head = if first < self.rows.len() { self.head(first, true) } else { 0 };
        self.settle_own(first..first + head, Fate::Other);
        first + head
    }

    /// The sender's lines. Blank lines stay, but only one where something was left out.
    fn text(&self) -> String {
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

impl From<Foot> for Fate {
    fn from(foot: Foot) -> Self {
        match foot {
            Foot::Signature => Self::Signature,
            Foot::Other => Self::Other,
        }
    }
}
