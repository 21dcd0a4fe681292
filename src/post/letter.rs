//! A letter, opened: who sent it, what kind it is, and what its sender wrote themselves.
//!
//! Comes in: raw bytes, as a carrier has them. Goes out: a [`Letter`], or why it was set aside ([`Broken`]). Whatever
//! the bytes are, time and memory stay in proportion to them.

use serde::Serialize;
use thiserror::Error;

use super::body::{LONGEST_TEXT, MOST_LINES, Reading, bounded};
use super::coding;
use super::head::{self, Lines};
use super::html;
use super::kind;
use super::line::TextLine;
use super::mime;
use super::style::Style;
use super::words::{self, Hints, Sent, Words};

pub(crate) use super::head::Address;
pub use super::kind::Kind;
pub(crate) use super::words::Ignored;

/// The largest letter that is opened: what the common providers let through.
pub const LARGEST: usize = 25 * 1024 * 1024;
/// The beginning of a letter: its head, and of most letters all that was written.
pub(crate) const BEGINNING: usize = mime::LARGEST_HEAD;
/// How many letters within letters are opened.
pub(super) const DEEPEST: usize = 3;

/// Whose a letter says it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterSender {
    /// Who says the writer sent it.
    pub from: Option<Address>,
    /// How many say so: a letter may have several authors, and no server judges more than one.
    pub authors: usize,
    /// What servers found out about the sender, as they wrote it, the last one first; parted where a server noted that it
    /// handed the letter on.
    pub authentication_results: Vec<Vec<String>>,
}

/// Where a letter goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Addressed {
    /// To whom it is addressed, copies included.
    pub to: Vec<String>,
    /// To whom servers say they delivered it, the last one first.
    pub delivered_to: Vec<String>,
    /// Where answers are to go, if the writer says so.
    pub reply_to: Vec<String>,
}

/// A letter that was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// Whether a person wrote it.
    pub kind: Kind,
    pub sender: LetterSender,
    pub addressed: Addressed,
    pub subject: String,
    /// Its own id, without brackets.
    pub message_id: Option<String>,
    /// The letters it answers.
    pub in_reply_to: Vec<String>,
    /// The letters of its thread, the oldest first.
    pub references: Vec<String>,
    /// When it says it was written, in seconds since 1970.
    pub date: Option<i64>,
    /// What its sender wrote, and nothing else.
    pub text: String,
    /// What was left out of it.
    pub ignored: Ignored,
    /// Whether the text is another's letter that the sender passed on without a word of their own.
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
    /// It was to be a post.
    #[error("it is no post of a forum")]
    NoPost,
    /// It was to be a form of the order page.
    #[error("it is no form of the order page")]
    NoPageForm,
    /// Only its recipient can read it, and we have no key.
    #[error("it is encrypted")]
    Encrypted,
}

impl Broken {
    /// Its name in an archive.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Broken::TooLarge => "too_large",
            Broken::HeadTooLarge => "head_too_large",
            Broken::TextTooLong => "text_too_long",
            Broken::TooManyParts => "too_many_parts",
            Broken::TooDeep => "too_deep",
            Broken::NullBytes => "null_bytes",
            Broken::NoHead => "no_head",
            Broken::BrokenOff => "broken_off",
            Broken::NoPost => "no_post",
            Broken::NoPageForm => "no_page_form",
            Broken::Encrypted => "encrypted",
        }
    }
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
    open_answer(raw, is_ours, &|_| Sent::default())
}

/// Opens a letter; `is_ours` knows our own letters by their id, and `sent` is asked, with its head alone, for the letters of
/// ours that it answers, for what stands in them is not its sender's.
///
/// # Errors
/// The letter is to be set aside.
pub fn open_answer(
    raw: &[u8],
    is_ours: &dyn Fn(&str) -> bool,
    sent: &dyn Fn(&Letter) -> Sent,
) -> Result<Letter, Broken> {
    if raw.len() > LARGEST {
        return Err(Broken::TooLarge);
    }
    if raw.contains(&0) {
        return Err(Broken::NullBytes);
    }
    open_nested(without_envelope(raw), is_ours, sent, 0)
}

/// Opens a letter as far as its beginning goes: who sent it and what kind it is, and none of its words.
///
/// # Errors
/// Its head cannot be read.
pub(crate) fn open_beginning(raw: &[u8], is_ours: &dyn Fn(&str) -> bool) -> Result<Letter, Broken> {
    let raw = without_envelope(&raw[..raw.len().min(BEGINNING)]);
    let head = &raw[..mime::head_end(raw)];
    // What breaks off with the beginning is judged by the head alone.
    let root = mime::split(raw).or_else(|_| mime::split(head))?;
    outside(head, &root, is_ours)
}

/// What tells a letter from every other before it is opened: its own id, if it has one, and its body without the head,
/// into which servers write.
pub fn marks(raw: &[u8]) -> (Option<String>, &[u8]) {
    let raw = without_envelope(raw);
    let end = mime::head_end(raw);
    let head = &raw[..end.min(mime::LARGEST_HEAD)];
    (head::ids(&Lines::read(head), "message-id").into_iter().next(), &raw[end..])
}

/// The head of a letter as it came, as far as anybody reads it.
pub(crate) fn head(raw: &[u8]) -> &[u8] {
    let raw = without_envelope(raw);
    &raw[..mime::head_end(raw).min(mime::LARGEST_HEAD)]
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
    Ok(words::sort(bounded(TextLine::plain(&words::unified(&bare(bytes)?)))?, &Hints::default()))
}

/// How a letter is made that answers these of ours, as its sender's mail program makes them.
///
/// # Errors
/// The letter is to be set aside.
pub fn style(raw: &[u8], sent: &Sent) -> Result<Style, Broken> {
    if raw.len() > LARGEST {
        return Err(Broken::TooLarge);
    }
    let raw = without_envelope(raw);
    let lines = Lines::read(&raw[..mime::head_end(raw).min(mime::LARGEST_HEAD)]);
    let message = lines.parsed().ok_or(Broken::NoHead)?;
    let root = mime::split(raw)?;
    let from = head::addresses(&message, "From").into_iter().next();
    let addresses = ["To", "Cc"].iter().chain(&DELIVERED).flat_map(|name| head::addresses(&message, name));
    let addresses: Vec<String> = addresses.map(|one| one.address).collect();
    let hints = hints(from.as_ref(), message.subject().unwrap_or_default(), addresses.iter(), sent.clone());
    let words = Reading::new(country(from.as_ref()), 0).words(&root, &hints)?;
    Ok(Style::of(&root, words.layout))
}

/// What the head of a letter tells about its text.
fn hints<'a>(from: Option<&Address>, subject: &str, to: impl Iterator<Item = &'a String>, sent: Sent) -> Hints {
    Hints {
        sent,
        mailboxes: to.map(|address| words::mailbox(address)).collect(),
        sender: from.and_then(|from| from.name.clone()),
        is_forward: words::is_forward_subject(subject),
    }
}

/// The last word of the sender's address, which may say in what characters the sender writes.
fn country(from: Option<&Address>) -> Option<String> {
    from.and_then(|from| from.address.rsplit_once('.')).map(|(_, last)| last.to_ascii_lowercase())
}

fn bare(bytes: &[u8]) -> Result<String, Broken> {
    if bytes.len() > LONGEST_TEXT {
        return Err(Broken::TextTooLong);
    }
    let text = coding::text(bytes, None, None);
    if text.contains('\0') { Err(Broken::NullBytes) } else { Ok(text) }
}

/// `…@cursus…`: an id of ours where nobody configured another.
pub(crate) fn has_default_id(id: &str) -> bool {
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

/// What stands on the outside of a letter: everything but its words.
fn outside(head: &[u8], root: &mime::Part, is_ours: &dyn Fn(&str) -> bool) -> Result<Letter, Broken> {
    if head.len() > mime::LARGEST_HEAD {
        return Err(Broken::HeadTooLarge);
    }
    let lines = Lines::read(head);
    if lines.is_empty() {
        return Err(Broken::NoHead);
    }
    let message = lines.parsed().ok_or(Broken::NoHead)?;
    let mut authors = head::addresses(&message, "From").into_iter();
    let (number, from) = (authors.len(), authors.next());
    let subject = message.subject().unwrap_or_default().trim().to_owned();
    let message_id = head::ids(&lines, "message-id").into_iter().next();
    let ours = lines.has("x-cursus") || message_id.as_deref().is_some_and(is_ours);
    let kind = kind::kind(&lines, root, from.as_ref().map(|from| from.address.as_str()), &subject, ours);

    let addresses = |name: &str| head::addresses(&message, name).into_iter().map(|one| one.address).collect::<Vec<_>>();
    let to = [addresses("To"), addresses("Cc")].concat();
    let delivered_to: Vec<String> = DELIVERED.iter().flat_map(|name| addresses(name)).collect();
    Ok(Letter {
        kind,
        addressed: Addressed { reply_to: addresses("Reply-To"), to, delivered_to },
        sender: LetterSender {
            from,
            authors: number,
            authentication_results: lines.between("authentication-results", "received"),
        },
        message_id,
        in_reply_to: head::ids(&lines, "in-reply-to"),
        references: head::ids(&lines, "references"),
        date: message.date().map(mail_parser::DateTime::to_timestamp),
        text: String::new(),
        ignored: Ignored::default(),
        forwarded: false,
        attachments: 0,
        subject,
    })
}

fn open_nested(
    raw: &[u8],
    is_ours: &dyn Fn(&str) -> bool,
    sent: &dyn Fn(&Letter) -> Sent,
    depth: usize,
) -> Result<Letter, Broken> {
    let root = mime::split(raw)?;
    let mut letter = outside(&raw[..mime::head_end(raw)], &root, is_ours)?;
    let kind = letter.kind;
    let to = letter.addressed.to.iter().chain(&letter.addressed.delivered_to);
    // Only a person's letter is read.
    let sent = if kind == Kind::Letter { sent(&letter) } else { Sent::default() };
    let hints = hints(letter.sender.from.as_ref(), &letter.subject, to, sent);
    let mut reading = Reading::new(country(letter.sender.from.as_ref()), depth);
    let mut words = reading.words(&root, &hints)?;
    if words.text.is_empty()
        && kind == Kind::Letter
        && depth < DEEPEST
        && let [nested] = reading.letters.as_slice()
    {
        // A letter that only carries another one passes it on, unless it is ours: then nobody has written anything.
        let nested = open_nested(nested, is_ours, &|_| hints.sent.clone(), depth + 1);
        if let Ok(nested) = nested
            && nested.kind == Kind::Letter
            && !nested.sender.from.is_some_and(|from| hints.mailboxes.contains(&words::mailbox(&from.address)))
        {
            words.text = nested.text;
            words.ignored.add(nested.ignored);
            words.forwarded = true;
        }
    }
    letter.text = words.text;
    letter.ignored = words.ignored;
    letter.forwarded = words.forwarded;
    letter.attachments = reading.attachments;
    Ok(letter)
}

/// Where servers write to whom they delivered a letter.
const DELIVERED: [&str; 7] =
    ["Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "X-Forwarded-To", "Resent-To"];
