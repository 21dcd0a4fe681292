//! The text of a letter, from its parts: which of them are read, in which form, and as which lines.

use super::coding::{self, Transfer};
use super::flowed;
use super::html;
use super::letter::{Broken, DEEPEST};
use super::line::{Mark, TextLine};
use super::mime::{self, Content, Part};
use super::signed::{self, Sealed};
use super::words::{self, Hints, Words};

/// The longest text that is read in a letter.
pub(super) const LONGEST_TEXT: usize = 4 * 1024 * 1024;
/// The most lines that are read in a letter.
pub(super) const MOST_LINES: usize = 20_000;

/// What was found while a letter's parts were read.
#[derive(Default)]
pub(super) struct Reading {
    country: Option<String>,
    depth: usize,
    /// How much text was decoded.
    read: usize,
    /// How many files came with it.
    pub(super) attachments: usize,
    /// Letters that came as files.
    pub(super) letters: Vec<Vec<u8>>,
    /// Whether something could not be read for want of a key.
    is_closed: bool,
}

/// Which of several forms of the same text is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Plain,
    Html,
}

impl Reading {
    pub(super) fn new(country: Option<String>, depth: usize) -> Self {
        Self { country, depth, ..Self::default() }
    }

    /// The own words of a letter: from its plain text, or from its HTML where that says more.
    pub(super) fn words(&mut self, root: &Part, hints: &Hints) -> Result<Words, Broken> {
        let plain = self.lines(root, Wanted::Plain, true)?;
        if plain.is_none() && self.is_closed {
            return Err(Broken::Encrypted);
        }
        let plain = bounded(plain.unwrap_or_default())?;
        if !has_both(root, 0) {
            return Ok(words::sort(plain, hints));
        }
        let is_stub = is_stub(&plain);
        let written: Vec<String> = plain.iter().map(|line| line.text.clone()).collect();
        let from_plain = words::sort(plain, hints);
        let mut aside = Self::new(self.country.clone(), self.depth);
        let html = match aside.lines(root, Wanted::Html, true).and_then(|html| bounded(html.unwrap_or_default())) {
            Ok(html) => html,
            // The plain text is enough.
            Err(_) if !from_plain.text.is_empty() && !is_stub => return Ok(from_plain),
            Err(broken) => return Err(broken),
        };
        let shows_quotes = html.iter().any(|line| matches!(line.mark, Mark::Quoted(_)));
        let from_html = words::sort(html, hints);
        let is_same = squeezed(&from_plain.text) == squeezed(&from_html.text);
        let html_is_better = if from_html.text.is_empty() {
            false
        } else if is_same {
            // The client broke long lines in the plain text, or marked bold words in it.
            written_lines(&from_html.text) < written_lines(&from_plain.text)
                || emphasis(&from_html.text) < emphasis(&from_plain.text)
        } else {
            is_stub
                || from_plain.text.is_empty()
                || (from_plain.cut && shows_quotes)
                || is_broken_at_arrow(&written, &from_html.text)
        };
        // What was left out is counted as the sender's own client marked it.
        let ignored = if is_same { from_plain.ignored } else { from_html.ignored };
        Ok(if html_is_better { Words { ignored, ..from_html } } else { from_plain })
    }

    /// The lines of a part's text, if it has any text.
    fn lines(&mut self, part: &Part, form: Wanted, is_first: bool) -> Result<Option<Vec<TextLine>>, Broken> {
        let parts = match &part.content {
            Content::Body(body) => return self.body(part, body, form, is_first),
            Content::Parts(parts) => parts,
        };
        match part.head.kind.as_str() {
            "multipart/encrypted" => {
                self.is_closed = true;
                Ok(None)
            }
            // The rest is the seal, or what is shown inside the first.
            "multipart/signed" | "multipart/report" => self.first(parts, form, is_first),
            "multipart/related" => {
                self.attachments += parts.len().saturating_sub(1);
                self.first(parts, form, is_first)
            }
            "multipart/alternative" => match choose(parts, form) {
                Some(part) => self.lines(part, form, is_first),
                None => Ok(None),
            },
            _ => {
                let mut all: Option<Vec<TextLine>> = None;
                for part in parts {
                    if let Some(mut lines) = self.lines(part, form, is_first && all.is_none())? {
                        match &mut all {
                            // Some send the same text in both forms and do not say that they are alternatives.
                            Some(all) if said(all) == said(&lines) => {}
                            Some(all) => {
                                if ![all.last(), lines.first()].into_iter().flatten().any(TextLine::is_blank) {
                                    all.push(TextLine { text: String::new(), mark: Mark::None });
                                }
                                all.append(&mut lines);
                            }
                            None => all = Some(lines),
                        }
                    }
                }
                Ok(all)
            }
        }
    }

    fn first(&mut self, parts: &[Part], form: Wanted, is_first: bool) -> Result<Option<Vec<TextLine>>, Broken> {
        parts.first().map_or(Ok(None), |part| self.lines(part, form, is_first))
    }

    fn body(
        &mut self,
        part: &Part,
        body: &[u8],
        form: Wanted,
        is_first: bool,
    ) -> Result<Option<Vec<TextLine>>, Broken> {
        let head = &part.head;
        match head.kind.as_str() {
            // A text with a file name is a file, unless there is no other text.
            "text/plain" | "text/html" if !head.is_attachment && (!head.is_named || is_first) => {
                if head.transfer == Transfer::Base64 && (!part.is_whole || !coding::base64(body).1) {
                    return Err(Broken::BrokenOff);
                }
                self.text(part, &head.transfer.decode(body)).map(Some)
            }
            "message/rfc822" | "message/global" => {
                self.attachments += 1;
                self.letters.push(head.transfer.decode(body));
                Ok(None)
            }
            "application/pkcs7-mime" | "application/x-pkcs7-mime" => match signed::open(&head.transfer.decode(body)) {
                Sealed::Letter(letter) if self.depth < DEEPEST => {
                    self.depth += 1;
                    let root = mime::split(&letter)?;
                    self.lines(&root, form, is_first)
                }
                Sealed::Letter(_) => Err(Broken::TooDeep),
                Sealed::Closed => {
                    self.is_closed = true;
                    Ok(None)
                }
            },
            _ => {
                self.attachments += 1;
                Ok(None)
            }
        }
    }

    fn text(&mut self, part: &Part, bytes: &[u8]) -> Result<Vec<TextLine>, Broken> {
        self.read += bytes.len();
        if self.read > LONGEST_TEXT {
            return Err(Broken::TextTooLong);
        }
        let head = &part.head;
        let text = coding::text(bytes, head.parameter("charset"), self.country.as_deref());
        if head.kind == "text/html" || html::is_html(&text) {
            return html::lines(&text);
        }
        // It is counted before it is taken apart.
        if text.bytes().filter(|byte| *byte == b'\n').count() > MOST_LINES {
            return Err(Broken::TextTooLong);
        }
        let text = words::unified(&text);
        let is =
            |name: &str, wanted: &str| head.parameter(name).is_some_and(|value| value.eq_ignore_ascii_case(wanted));
        if is("format", "flowed") { Ok(flowed::lines(&text, is("delsp", "yes"))) } else { Ok(TextLine::plain(&text)) }
    }
}

/// The part of several equal ones that has the wanted form, or any text.
fn choose<'a, 'b>(parts: &'a [Part<'b>], form: Wanted) -> Option<&'a Part<'b>> {
    let wanted = match form {
        Wanted::Plain => "text/plain",
        Wanted::Html => "text/html",
    };
    let other = match form {
        Wanted::Plain => "text/html",
        Wanted::Html => "text/plain",
    };
    [wanted, other].iter().find_map(|kind| parts.iter().find(|part| holds(part, kind, 0))).or(parts.first())
}

/// Whether there is a text of this kind in the part.
fn holds(part: &Part, kind: &str, depth: usize) -> bool {
    match &part.content {
        Content::Body(_) => part.head.kind == kind && !part.head.is_attachment,
        Content::Parts(parts) => depth < 20 && parts.iter().any(|part| holds(part, kind, depth + 1)),
    }
}

/// Whether a text comes in both forms somewhere.
fn has_both(part: &Part, depth: usize) -> bool {
    match &part.content {
        // What is sealed may hold anything.
        Content::Body(_) => part.head.kind.ends_with("pkcs7-mime"),
        Content::Parts(parts) if part.head.kind == "multipart/alternative" => {
            let has = |kind| parts.iter().any(|part| holds(part, kind, 0));
            has("text/plain") && has("text/html")
        }
        Content::Parts(parts) => depth < 20 && parts.iter().any(|part| has_both(part, depth + 1)),
    }
}

/// Whether a plain text only says that there is no plain text.
fn is_stub(lines: &[TextLine]) -> bool {
    let text: String = lines.iter().filter(|line| !line.is_blank()).take(8).map(|line| line.text.as_str()).collect();
    let count = lines.iter().filter(|line| !line.is_blank()).count();
    count == 0 || (count <= 5 && text.len() < 400 && text.to_ascii_lowercase().contains("html"))
}

/// Whether the client broke an order before its arrow, so that the rest of it looks quoted in the plain text: `3 Crete`,
/// `> Thera`. The HTML says what is quoted, and its words must be those of the plain text.
fn is_broken_at_arrow(written: &[String], own: &str) -> bool {
    let own = squeezed(own);
    let (mut rest, mut before, mut arrows) = (own.as_str(), 0, 0);
    for line in written {
        let line = squeezed(line);
        if line.is_empty() || !rest.starts_with(&line) {
            before = 0;
            continue;
        }
        if line.starts_with('>') {
            if before < 40 {
                return false;
            }
            arrows += 1;
        }
        before = line.chars().count();
        rest = &rest[line.len()..];
    }
    rest.is_empty() && (1..=3).contains(&arrows)
}

/// All that lines say, without how it is broken.
fn said(lines: &[TextLine]) -> String {
    lines.iter().map(|line| squeezed(&line.text)).collect()
}

fn written_lines(text: &str) -> usize {
    text.lines().filter(|line| !line.trim().is_empty()).count()
}

fn emphasis(text: &str) -> usize {
    text.matches(['*', '_']).count()
}

/// A text without spaces and marks of emphasis: what remains the same however a client breaks lines.
fn squeezed(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace() && !matches!(character, '*' | '_' | '-' | '•')).collect()
}

/// These lines, if they are not too many.
pub(super) fn bounded(lines: Vec<TextLine>) -> Result<Vec<TextLine>, Broken> {
    if lines.len() > MOST_LINES { Err(Broken::TextTooLong) } else { Ok(lines) }
}
