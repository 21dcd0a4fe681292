//! How somebody's mail program makes letters: in which form, and where it puts the letter that is answered.
//!
//! Comes in: the parts of a letter and its lines, sorted. Goes out: a [`Style`]. Nothing depends on it but what a
//! player is told about their own program.

use super::mime::{Content, Part};
use super::words::{Fate, Page};

/// So many quoted lines are kept, and so many characters of each.
const MOST_LINES: usize = 300;
const LONGEST_LINE: usize = 400;

/// How a letter is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// How its text comes.
    pub rendering: Rendering,
    /// Whether it says where its lines were broken to fit a window (`format=flowed`).
    pub is_flowed: bool,
    /// Where the sender wrote.
    pub place: Placement,
    /// The lines that were left out as quoted, without their marks; the first of them, where there are many.
    pub quoted: Vec<String>,
}

/// How the text of a letter comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rendering {
    #[default]
    Plain,
    Html,
    Both,
}

/// Where somebody wrote, seen from the letter that the writer answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placement {
    #[default]
    Alone,
    Above,
    Below,
    Between,
    /// There is only a quotation.
    Nowhere,
}

/// How the lines of a letter lie on the page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Layout {
    place: Placement,
    quoted: Vec<String>,
}

impl Layout {
    /// Of lines that are sorted.
    pub(super) fn of(page: &Page) -> Layout {
        let at = |fate: Fate| page.rows.iter().enumerate().filter(move |(_, row)| row.fate == fate).map(|(at, _)| at);
        let (first_own, last_own) = (at(Fate::Own).next(), at(Fate::Own).next_back());
        let (first_quoted, last_quoted) = (at(Fate::Quoted).next(), at(Fate::Quoted).next_back());
        let place = match (first_own.zip(last_own), first_quoted.zip(last_quoted)) {
            (_, None) => Placement::Alone,
            (None, Some(_)) => Placement::Nowhere,
            (Some((_, last)), Some((quoted, _))) if last < quoted => Placement::Above,
            (Some((first, _)), Some((_, quoted))) if quoted < first => Placement::Below,
            (Some(_), Some(_)) => Placement::Between,
        };
        let quoted = page.rows.iter().filter(|row| row.fate == Fate::Quoted).take(MOST_LINES);
        let quoted = quoted.map(|row| row.text.chars().take(LONGEST_LINE).collect::<String>().trim().to_owned());
        Layout { place, quoted: quoted.collect() }
    }
}

impl Style {
    pub(super) fn of(root: &Part, layout: Layout) -> Style {
        let (mut plain, mut html, mut flowed) = (false, false, false);
        look(root, 0, &mut |part| {
            let is_flowed = |format: &str| format.eq_ignore_ascii_case("flowed");
            plain |= part.head.kind == "text/plain";
            html |= part.head.kind == "text/html";
            flowed |= part.head.kind == "text/plain" && part.head.parameter("format").is_some_and(is_flowed);
        });
        let rendering = match (plain, html) {
            (_, false) => Rendering::Plain,
            (false, true) => Rendering::Html,
            (true, true) => Rendering::Both,
        };
        Style { rendering, is_flowed: flowed, place: layout.place, quoted: layout.quoted }
    }
}

/// Looks at every part that is not a file.
fn look(part: &Part, depth: usize, look_at: &mut dyn FnMut(&Part)) {
    match &part.content {
        Content::Body(_) if !part.head.is_attachment => look_at(part),
        Content::Body(_) => {}
        Content::Parts(parts) if depth < 20 => parts.iter().for_each(|part| look(part, depth + 1, look_at)),
        Content::Parts(_) => {}
    }
}
