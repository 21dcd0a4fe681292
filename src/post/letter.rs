//! A letter, opened: who sent it, what kind it is, and what its sender wrote himself.
//!
//! Comes in: raw bytes, as a carrier has them. Goes out: a [`Letter`], or why it was set aside ([`Broken`]). Whatever the
//! bytes are, time and memory stay in proportion to them.

use serde::Serialize;
use thiserror::Error;

use super::coding::{self, Transfer};
use super::flowed;
use super::head::{self, Lines};
use super::html;
use super::kind;
use super::line::{Line, Mark};
use super::mime::{self, Content, Part};
use super::signed::{self, Sealed};
use super::words::{self, Hints, Words};

pub use super::head::Address;
pub use super::kind::Kind;
pub use super::words::Ignored;

/// The largest letter that is opened: what the common providers let through.
pub const LARGEST: usize = 25 * 1024 * 1024;
/// The longest text that is read in a letter.
const LONGEST_TEXT: usize = 4 * 1024 * 1024;
/// The most lines that are read in a letter.
const MOST_LINES: usize = 100_000;
/// How many letters within letters are opened.
const DEEPEST: usize = 3;

/// A letter that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// Whether a person wrote it.
    pub kind: Kind,
    /// Who says he sent it.
    pub from: Option<Address>,
    /// Where answers are to go, if he says so.
    pub reply_to: Vec<String>,
    /// To whom it is addressed, copies included.
    pub to: Vec<String>,
    /// To whom servers say they delivered it, the last one first.
    pub delivered_to: Vec<String>,
    /// Its subject.
    pub subject: String,
    /// Its own id, without brackets.
    pub message_id: Option<String>,
    /// The letters it answers.
    pub in_reply_to: Vec<String>,
    /// The letters of its thread, the oldest first.
    pub references: Vec<String>,
    /// When it says it was written, in seconds since 1970.
    pub date: Option<i64>,
    /// What servers found out about the sender, as they wrote it, the last one first.
    pub authentication_results: Vec<String>,
    /// What its sender wrote, and nothing else.
    pub text: String,
    /// What was left out of it.
    pub ignored: Ignored,
    /// Whether the text is another's letter that the sender passed on without a word of his own.
    pub forwarded: bool,
    /// How many files came with it; they are not read.
    pub attachments: usize,
}

/// Why a letter is set aside unread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Broken {
    /// More bytes than we open.
    #[error("it is larger than {} MB", LARGEST / 1024 / 1024)]
    TooLarge,
    /// A head longer than any client writes.
    #[error("its head is too long")]
    HeadTooLarge,
    /// More text than anybody writes.
    #[error("its text is longer than {} MB or {MOST_LINES} lines", LONGEST_TEXT / 1024 / 1024)]
    TextTooLong,
    /// More parts than any client makes.
    #[error("it has too many parts")]
    TooManyParts,
    /// Parts in parts in parts.
    #[error("it is nested too deeply")]
    TooDeep,
    /// No letter has null bytes.
    #[error("it has null bytes")]
    NullBytes,
    /// Nothing in it looks like the head of a letter.
    #[error("it has no head: it is no letter")]
    NoHead,
    /// Its text breaks off.
    #[error("its text breaks off in the middle")]
    BrokenOff,
    /// Only its recipient can read it, and we have no key.
    #[error("it is encrypted")]
    Encrypted,
}

/// Opens a letter. Our own letters are known by the default id, `…@cursus…`.
///
/// # Errors
/// The letter is to be set aside.
pub fn open(raw: &[u8]) -> Result<Letter, Broken> {
    open_with(raw, &has_default_id)
}

/// Opens a letter; `is_ours` knows our own letters by their id.
///
/// # Errors
/// The letter is to be set aside.
pub fn open_with(raw: &[u8], is_ours: &dyn Fn(&str) -> bool) -> Result<Letter, Broken> {
    if raw.len() > LARGEST {
        return Err(Broken::TooLarge);
    }
    if raw.contains(&0) {
        return Err(Broken::NullBytes);
    }
    open_nested(without_envelope(raw), is_ours, 0)
}

/// The own words in a bare HTML body, in whatever characters it is.
///
/// # Errors
/// The body is to be set aside.
pub fn own_html(bytes: &[u8]) -> Result<Words, Broken> {
    Ok(words::sort(bounded(html::lines(&bare(bytes)?)?)?, &Hints::default()))
}

/// The own words in a bare plain body, in whatever characters it is.
///
/// # Errors
/// The body is to be set aside.
pub fn own_plain(bytes: &[u8]) -> Result<Words, Broken> {
    Ok(words::sort(bounded(Line::plain(&words::unified(&bare(bytes)?)))?, &Hints::default()))
}

fn bare(bytes: &[u8]) -> Result<String, Broken> {
    if bytes.len() > LONGEST_TEXT {
        return Err(Broken::TextTooLong);
    }
    let text = coding::text(bytes, None, None);
    if text.contains('\0') { Err(Broken::NullBytes) } else { Ok(text) }
}

fn bounded(lines: Vec<Line>) -> Result<Vec<Line>, Broken> {
    if lines.len() > MOST_LINES { Err(Broken::TextTooLong) } else { Ok(lines) }
}

/// `…@cursus…`: an id of ours where nobody configured another.
pub fn has_default_id(id: &str) -> bool {
    id.rsplit_once('@').is_some_and(|(_, host)| host.to_ascii_lowercase().starts_with("cursus"))
}

/// The letter behind the line that mailboxes of one file put before it.
fn without_envelope(raw: &[u8]) -> &[u8] {
    let raw = raw.trim_ascii_start();
    if raw.starts_with(b"From ") || raw.starts_with(b">From ") {
        let end = raw.iter().position(|byte| *byte == b'\n').map_or(raw.len(), |end| end + 1);
        return &raw[end..];
    }
    raw
}

fn open_nested(raw: &[u8], is_ours: &dyn Fn(&str) -> bool, depth: usize) -> Result<Letter, Broken> {
    let end = mime::head_end(raw);
    if end > mime::LARGEST_HEAD {
        return Err(Broken::HeadTooLarge);
    }
    let lines = Lines::read(&raw[..end]);
    if lines.is_empty() {
        return Err(Broken::NoHead);
    }
    let message = lines.parsed().ok_or(Broken::NoHead)?;
    let root = mime::split(raw)?;
    let from = head::addresses(&message, "From").into_iter().next();
    let subject = message.subject().unwrap_or_default().trim().to_owned();
    let message_id = head::ids(&lines, "message-id").into_iter().next();
    let ours = lines.has("x-cursus") || message_id.as_deref().is_some_and(is_ours);
    let kind = kind::kind(&lines, &root, from.as_ref().map(|from| from.address.as_str()), &subject, ours);

    let country =
        from.as_ref().and_then(|from| from.address.rsplit_once('.')).map(|(_, last)| last.to_ascii_lowercase());
    let hints = Hints {
        sender: from.as_ref().and_then(|from| from.name.clone()),
        is_forward: words::is_forward_subject(&subject),
    };
    let mut reading = Reading { country, depth, ..Reading::default() };
    let mut words = reading.words(&root, &hints)?;
    if words.text.is_empty()
        && kind == Kind::Letter
        && depth < DEEPEST
        && let [nested] = reading.letters.as_slice()
    {
        // A letter that only carries another one passes it on, unless it is ours: then nobody has written anything.
        let nested = open_nested(nested, is_ours, depth + 1)?;
        if nested.kind == Kind::Letter {
            words.text = nested.text;
            words.ignored.add(nested.ignored);
            words.forwarded = true;
        }
    }
    let addresses = |name: &str| head::addresses(&message, name).into_iter().map(|one| one.address).collect::<Vec<_>>();
    Ok(Letter {
        kind,
        reply_to: addresses("Reply-To"),
        to: [addresses("To"), addresses("Cc")].concat(),
        delivered_to: DELIVERED.iter().flat_map(|name| addresses(name)).collect(),
        message_id,
        in_reply_to: head::ids(&lines, "in-reply-to"),
        references: head::ids(&lines, "references"),
        date: message.date().map(mail_parser::DateTime::to_timestamp),
        authentication_results: lines.all("authentication-results").map(str::to_owned).collect(),
        text: words.text,
        ignored: words.ignored,
        forwarded: words.forwarded,
        attachments: reading.attachments,
        from,
        subject,
    })
}

/// Where servers write to whom they delivered a letter.
const DELIVERED: [&str; 7] =
    ["Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "X-Forwarded-To", "Resent-To"];

/// What was found while a letter's parts were read.
#[derive(Default)]
struct Reading {
    country: Option<String>,
    depth: usize,
    /// How much text was decoded.
    read: usize,
    attachments: usize,
    /// Letters that came as files.
    letters: Vec<Vec<u8>>,
    /// Whether something could not be read for want of a key.
    is_closed: bool,
}

/// Which of several forms of the same text is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Html,
}

impl Reading {
    /// The own words of a letter: from its plain text, or from its HTML where that says more.
    fn words(&mut self, root: &Part, hints: &Hints) -> Result<Words, Broken> {
        let plain = self.lines(root, Form::Plain, true)?;
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
        let mut aside = Self { country: self.country.clone(), depth: self.depth, ..Self::default() };
        let html = match aside.lines(root, Form::Html, true).and_then(|html| bounded(html.unwrap_or_default())) {
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
    fn lines(&mut self, part: &Part, form: Form, is_first: bool) -> Result<Option<Vec<Line>>, Broken> {
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
                let mut all: Option<Vec<Line>> = None;
                for part in parts {
                    if let Some(mut lines) = self.lines(part, form, is_first && all.is_none())? {
                        match &mut all {
                            // Some send the same text in both forms and do not say that they are alternatives.
                            Some(all) if said(all) == said(&lines) => {}
                            Some(all) => {
                                if ![all.last(), lines.first()].into_iter().flatten().any(Line::is_blank) {
                                    all.push(Line { text: String::new(), mark: Mark::None });
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

    fn first(&mut self, parts: &[Part], form: Form, is_first: bool) -> Result<Option<Vec<Line>>, Broken> {
        parts.first().map_or(Ok(None), |part| self.lines(part, form, is_first))
    }

    fn body(&mut self, part: &Part, body: &[u8], form: Form, is_first: bool) -> Result<Option<Vec<Line>>, Broken> {
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

    fn text(&mut self, part: &Part, bytes: &[u8]) -> Result<Vec<Line>, Broken> {
        self.read += bytes.len();
        if self.read > LONGEST_TEXT {
            return Err(Broken::TextTooLong);
        }
        let head = &part.head;
        let text = coding::text(bytes, head.parameter("charset"), self.country.as_deref());
        if head.kind == "text/html" || html::is_html(&text) {
            return html::lines(&text);
        }
        let text = words::unified(&text);
        let is =
            |name: &str, wanted: &str| head.parameter(name).is_some_and(|value| value.eq_ignore_ascii_case(wanted));
        if is("format", "flowed") { Ok(flowed::lines(&text, is("delsp", "yes"))) } else { Ok(Line::plain(&text)) }
    }
}

/// The part of several equal ones that has the wanted form, or any text.
fn choose<'a, 'b>(parts: &'a [Part<'b>], form: Form) -> Option<&'a Part<'b>> {
    let wanted = match form {
        Form::Plain => "text/plain",
        Form::Html => "text/html",
    };
    let other = match form {
        Form::Plain => "text/html",
        Form::Html => "text/plain",
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
fn is_stub(lines: &[Line]) -> bool {
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
fn said(lines: &[Line]) -> String {
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
