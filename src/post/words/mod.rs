//! The sender's own words: what of a text the sender wrote themselves, in this letter.
//!
//! Comes in: the lines of a body, and what is known of the letters of ours that it answers ([`Sent`]). Goes out: the
//! sender's words, and how many lines were left out and why. Quotations, attributions,
//! heads of other letters, signatures and footers go; answers between and below quotations stay. Where a line could be
//! either, its shape decides: an attribution has its date, verb and colon, a head has several lines.

mod attribution;
mod closing;
mod copy;
mod feet;
mod fold;
mod header;
mod page;

use serde::Serialize;

use super::line::TextLine;
use super::style::Layout;
pub use copy::Sent;
use fold::fold;
pub(super) use fold::{Phrases, fold as folded};
pub(super) use page::{Fate, Page};

/// How often a letter may be passed on within a letter.
const MOST_FORWARDS: usize = 5;

/// What somebody wrote themselves.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    pub text: String,
    /// How much is not the writer's.
    pub ignored: Ignored,
    /// Whether the writer wrote nothing themselves but passed these words on.
    pub forwarded: bool,
    /// Whether another's letter was cut off that nothing marked line by line.
    pub(super) cut: bool,
    /// How they lie on the page.
    pub(super) layout: Layout,
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
    pub(super) sender: Option<String>,
    /// Whether the subject says that something is passed on.
    pub(super) is_forward: bool,
    /// The mailboxes it was sent to, in lower case: ours among them.
    pub(super) mailboxes: Vec<String>,
    /// The letters of ours that it answers.
    pub(super) sent: Sent,
}

/// The own words in a plain text, as a mail client or a forum sends it.
pub fn own(text: &str) -> Words {
    sort(TextLine::plain(&unified(text)), &Hints::default())
}

/// The own words in a plain text that answers letters of ours.
pub fn own_in_answer(text: &str, sent: &Sent) -> Words {
    sort(TextLine::plain(&unified(text)), &Hints { sent: sent.clone(), ..Hints::default() })
}

/// A text with one kind of line ends.
pub(super) fn unified(text: &str) -> String {
    text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}', '\u{85}', '\x0c', '\x0b'], "\n")
}

/// The own words in these lines.
pub(super) fn sort(lines: Vec<TextLine>, hints: &Hints) -> Words {
    let mut page = Page::new(lines, hints.sender.as_deref().map(fold));
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
            start = page.unwrap(cut.body);
            if !page.is_from(cut.at..start, &hints.mailboxes) {
                words.forwarded = true;
                page.rows[cut.at..start].iter_mut().for_each(|row| row.settle(Fate::Other));
                continue;
            }
            // The writer sends our own letter back to us: nobody has written anything.
        }
        words.cut = !cut.is_marked;
        let below = if cut.is_forward { Vec::new() } else { page.below_copy(cut.body, &hints.sent) };
        let mut from = end;
        for below in below {
            page.rows[from..below.start].iter_mut().for_each(|row| row.settle(Fate::Quoted));
            from = below.end;
            page.find_closings(below);
        }
        page.rows[from..].iter_mut().for_each(|row| row.settle(Fate::Quoted));
        break;
    }
    page.find_copies(&hints.sent);
    for row in &page.rows {
        match row.fate {
            Fate::Quoted => words.ignored.quoted += 1,
            Fate::Signature => words.ignored.signature += 1,
            Fate::Other => words.ignored.other += 1,
            Fate::Own | Fate::Blank => {}
        }
    }
    words.text = page.text();
    words.layout = Layout::of(&page);
    words
}

/// An address without what is added to its mailbox (`cursus+thera@…`), in lower case.
pub(super) fn mailbox(address: &str) -> String {
    let address = address.trim_matches(|character: char| !character.is_alphanumeric()).to_lowercase();
    match address.split_once('@') {
        Some((name, host)) => format!("{}@{host}", name.split('+').next().unwrap_or_default()),
        None => address,
    }
}

/// Whether this line says that a letter is passed on.
pub(super) fn is_forward_mark(text: &str) -> bool {
    (text.contains("--") || text.trim_end().ends_with(':') || !text.is_ascii())
        && text.len() < 200
        && header::is_forward_mark(&fold(text))
}

/// Whether a subject says that a letter is passed on.
pub(super) fn is_forward_subject(subject: &str) -> bool {
    const MARKS: [&str; 11] = ["fwd", "fw", "wg", "tr", "pd", "rv", "i", "doorst", "enc", "vb", "vl"];
    fold(subject).split_once(':').is_some_and(|(mark, _)| MARKS.contains(&mark.trim().trim_matches(['[', ']'])))
}

/// Whether this line looks like one of a letter's head.
pub(super) fn is_like_header(text: &str) -> bool {
    header::is_like_header(&fold(text))
}
