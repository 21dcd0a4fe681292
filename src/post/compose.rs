//! The writing desk of the gate: from a dispatch to the bytes of a letter.
//!
//! Comes in: a [`Dispatch`] and who sends it. Goes out: the letter as RFC 5322 has it, the same bytes at every attempt.
//! Whatever stands in a subject, a name or a text, it stays there: no line of it can become a line of the head or a part.

use std::time::{Duration, SystemTime};

use lettre::Address;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, Message, MultiPart, MultiPartBuilder, SinglePart};
use sha2::{Digest, Sha256};

use super::carrier::{Dispatch, List, Trouble};

/// The most characters of a subject that are sent.
const LONGEST_SUBJECT: usize = 250;
/// The longest id that is named in a head: it must fit into one line.
const LONGEST_ID: usize = 900;
/// So many of the youngest letters of a thread are named, and always the oldest.
const MOST_REFERENCES: usize = 20;
/// The last second that a date in a head can say: the end of the year 9998.
const LAST_SECOND: u64 = 253_370_764_800;

/// Who sends the letters of a carrier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sender {
    pub address: String,
    /// The name that is shown with it.
    pub name: Option<String>,
}

/// The bytes of a dispatch.
///
/// # Errors
/// [`Trouble::Lasting`]: an address, the id or the date is none.
pub(crate) fn compose(dispatch: &Dispatch, sender: &Sender) -> Result<Vec<u8>, Trouble> {
    Ok(message(dispatch, sender)?.formatted())
}

/// What stands behind the `+` of the address that a letter of ours comes back to, before what names the letter.
pub(crate) const RETURNED: &str = "bounce.";

/// Where a letter comes back to if nobody takes it: an address of its own, so that only who has had the letter on its way can
/// send it back. None where answers go to the bare address: then nothing may stand behind it.
pub(super) fn return_path(dispatch: &Dispatch, sender: &Sender) -> Option<Address> {
    let (name, _) = dispatch.message_id.split_once('@')?;
    let (local, host) = sender.address.rsplit_once('@')?;
    // The ids of the first edition are no secret, and too long.
    let is_secret = (20..=32).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    // Whatever sign parts the address for answers parts this one.
    let sign = dispatch.reply_to.as_ref()?.strip_prefix(local)?.chars().next().filter(|sign| *sign != '@')?;
    let path = format!("{local}{sign}{RETURNED}{name}");
    (is_secret && path.len() <= LONGEST_LOCAL).then(|| format!("{path}@{host}").parse().ok())?
}

/// The longest that may stand before an `@`.
const LONGEST_LOCAL: usize = 64;

/// A dispatch as lettre has it, with its envelope.
pub(super) fn message(dispatch: &Dispatch, sender: &Sender) -> Result<Message, Trouble> {
    if !is_id(&dispatch.message_id) {
        return Err(Trouble::Lasting("the dispatch has no proper id".to_owned()));
    }
    let name = sender.name.as_deref().map(one_line).filter(|name| !name.is_empty());
    let mut builder = Message::builder()
        .from(Mailbox::new(name, address(&sender.address, "the sender")?))
        .to(Mailbox::new(None, address(&dispatch.to, "the recipient")?))
        .date(date(dispatch)?)
        .message_id(Some(format!("<{}>", dispatch.message_id)))
        .subject(subject(&dispatch.subject))
        .raw_header(line("Auto-Submitted", if is_answer(dispatch, sender) { "auto-replied" } else { "auto-generated" }))
        .raw_header(line("X-Auto-Response-Suppress", "All"))
        // `post::letter` knows our own letters by it.
        .raw_header(line("X-Cursus", "1"));
    // By it programs sort mail and let their users ask for no more of it; machines that answer for somebody stay silent.
    if let Some(List { id, leave }) = dispatch.list.as_ref().filter(|list| is_id(&list.id) && is_id(&list.leave)) {
        builder = builder
            .raw_header(line("List-Id", &format!("<{id}>")))
            .raw_header(line("List-Unsubscribe", &format!("<{leave}>")));
    }
    if let Some(reply_to) = &dispatch.reply_to {
        builder = builder.reply_to(Mailbox::new(None, address(reply_to, "the address for answers")?));
    }
    // The ids of others come from their letters: what cannot stand in a head is left out.
    if let Some(id) = dispatch.in_reply_to.as_deref().filter(|id| is_id(id)) {
        builder = builder.in_reply_to(format!("<{id}>"));
    }
    let references = references(&dispatch.references);
    if !references.is_empty() {
        builder = builder.references(references);
    }
    let built = match body(dispatch) {
        Body::Single(part) => builder.singlepart(part),
        Body::Multi(part) => builder.multipart(part),
    };
    built.map_err(|_| Trouble::Lasting("the dispatch has no proper envelope".to_owned()))
}

/// Whether it answers somebody's letter (RFC 3834), and not only one of our own.
fn is_answer(dispatch: &Dispatch, sender: &Sender) -> bool {
    let own = sender.address.rsplit_once('@').map_or("", |(_, host)| host);
    let is_own = |id: &str| id.rsplit_once('@').is_some_and(|(_, host)| host.strip_prefix("cursus.") == Some(own));
    dispatch.in_reply_to.as_deref().is_some_and(|id| !is_own(id))
}

/// A body while it is put together.
enum Body {
    Single(SinglePart),
    Multi(MultiPart),
}

impl Body {
    fn within(self, around: MultiPartBuilder) -> MultiPart {
        match self {
            Body::Single(part) => around.singlepart(part),
            Body::Multi(part) => around.multipart(part),
        }
    }
}

/// The text; beside it the HTML with its picture; around both what is attached.
fn body(dispatch: &Dispatch) -> Body {
    let seed = seed(dispatch);
    let boundary = |part: &str| format!("=_{part}_{seed}");
    let mut attached = Vec::new();
    let picture = dispatch.picture.as_ref().map(|picture| picture.as_ref().clone());
    let text = SinglePart::plain(readable(&dispatch.text));
    let mut body = match &dispatch.html {
        None => {
            attached.extend(picture.map(|bytes| Attachment::new("map.png".to_owned()).body(bytes, kind("image/png"))));
            Body::Single(text)
        }
        Some(html) => {
            let html = SinglePart::html(readable(html));
            let alternative = MultiPart::alternative().boundary(boundary("alternative")).singlepart(text);
            Body::Multi(match picture {
                None => alternative.singlepart(html),
                Some(bytes) => alternative.multipart(
                    MultiPart::related().boundary(boundary("related")).singlepart(html).singlepart(
                        Attachment::new_inline_with_name("map".to_owned(), "map.png".to_owned())
                            .body(bytes, kind("image/png")),
                    ),
                ),
            })
        }
    };
    if let Some(data) = &dispatch.data {
        attached
            .push(Attachment::new("view.json".to_owned()).body(data.clone().into_bytes(), kind("application/json")));
    }
    if !attached.is_empty() {
        let mixed = body.within(MultiPart::mixed().boundary(boundary("mixed")));
        body = Body::Multi(attached.into_iter().fold(mixed, MultiPart::singlepart));
    }
    body
}

/// What boundaries are made of. It depends on all that is written, so that nobody who writes into a letter can foresee it
/// and end a part; and on nothing else, so that the letter is the same at every attempt.
fn seed(dispatch: &Dispatch) -> String {
    let mut hash = Sha256::new();
    let pieces = [
        dispatch.message_id.as_str(),
        &dispatch.subject,
        &dispatch.text,
        dispatch.html.as_deref().unwrap_or_default(),
        dispatch.data.as_deref().unwrap_or_default(),
    ];
    for piece in pieces {
        hash.update((piece.len() as u64).to_be_bytes());
        hash.update(piece);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

fn address(text: &str, whose: &str) -> Result<Address, Trouble> {
    let is_plain = !text.contains(|character: char| character.is_control() || character.is_whitespace());
    let address = text.parse::<Address>().ok().filter(|_| is_plain);
    // The address itself must not stand in a log.
    address.ok_or_else(|| Trouble::Lasting(format!("{whose} has no proper address")))
}

fn date(dispatch: &Dispatch) -> Result<SystemTime, Trouble> {
    let seconds = u64::try_from(dispatch.date.timestamp()).ok().filter(|seconds| *seconds < LAST_SECOND);
    let seconds =
        seconds.ok_or_else(|| Trouble::Lasting("the dispatch has a date that no letter can say".to_owned()))?;
    Ok(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}

fn subject(text: &str) -> String {
    let text = one_line(text);
    match text.char_indices().nth(LONGEST_SUBJECT) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text,
    }
}

/// The oldest letter and the youngest ones.
fn references(ids: &[String]) -> String {
    let ids: Vec<&String> = ids.iter().filter(|id| is_id(id)).collect();
    let left_out = if ids.len() > MOST_REFERENCES + 1 { 1..ids.len() - MOST_REFERENCES } else { 0..0 };
    let named = ids.iter().enumerate().filter(|(at, _)| !left_out.contains(at));
    named.map(|(_, id)| format!("<{id}>")).collect::<Vec<_>>().join(" ")
}

/// Whether this can stand between brackets in a head.
fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= LONGEST_ID && id.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>".contains(&byte))
}

/// A text for a head: in one line, and without what steers a terminal.
fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text for a body: lines end alike, and nothing steers a terminal.
fn readable(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().filter(|character| !character.is_control() || matches!(character, '\n' | '\t')).collect()
}

fn line(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

fn kind(name: &str) -> ContentType {
    ContentType::parse(name).expect("the kinds of our parts are well formed")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chrono::DateTime;

    use super::*;
    use crate::post::letter::{self, Kind};

    fn sender() -> Sender {
        Sender { address: "cursus@test.invalid".to_owned(), name: Some("Cursus, gra \"Łódź\"".to_owned()) }
    }

    fn dispatch() -> Dispatch {
        Dispatch {
            message_id: "g1.4.movement.1.minoa@cursus.test.invalid".to_owned(),
            date: DateTime::from_timestamp(1_800_000_000, 0).expect("a time"),
            to: "ania@player.invalid".to_owned(),
            reply_to: Some("cursus+g1.minoa.k7Qz@test.invalid".to_owned()),
            in_reply_to: Some("abc@player.invalid".to_owned()),
            references: vec!["first@player.invalid".to_owned(), "abc@player.invalid".to_owned()],
            subject: "Tura 4: ruch — zażółć gęślą jaźń".to_owned(),
            text: "Zażółć gęślą jaźń.\n\nmove 3 Crete -> Thera\n".to_owned(),
            html: Some("<p>Zażółć gęślą jaźń.</p><img src=\"cid:map\">".to_owned()),
            picture: Some(Arc::new(vec![0x89, b'P', b'N', b'G', 0, 1, 2, 255])),
            data: Some("{\"turn\":4}".to_owned()),
            list: None,
        }
    }

    fn text(dispatch: &Dispatch) -> String {
        String::from_utf8(compose(dispatch, &sender()).expect("a letter")).expect("a letter is plain characters")
    }

    #[test]
    fn a_letter_reads_back_as_it_was_written() {
        let dispatch = dispatch();
        let raw = text(&dispatch);
        assert!(raw.is_ascii());
        let letter = letter::open_with(raw.as_bytes(), &|_| false).expect("it opens");
        assert_eq!(letter.kind, Kind::Loop, "X-Cursus says that it is ours");
        let from = letter.sender.from.expect("a sender");
        assert_eq!((from.address.as_str(), from.name.as_deref()), ("cursus@test.invalid", sender().name.as_deref()));
        assert_eq!(letter.addressed.to, ["ania@player.invalid"]);
        assert_eq!(letter.addressed.reply_to, ["cursus+g1.minoa.k7Qz@test.invalid"]);
        assert_eq!(letter.subject, dispatch.subject);
        assert_eq!(letter.message_id.as_deref(), Some(dispatch.message_id.as_str()));
        assert_eq!(letter.in_reply_to, ["abc@player.invalid"]);
        assert_eq!(letter.references, dispatch.references);
        assert_eq!(letter.date, Some(1_800_000_000));
        assert_eq!(letter.text.trim(), dispatch.text.trim());
        assert_eq!(letter.attachments, 1, "the data; the picture belongs to the HTML");
        for wanted in [
            "Auto-Submitted: auto-replied\r\n",
            "X-Auto-Response-Suppress: All\r\n",
            "Content-ID: <map>\r\n",
            "filename=\"view.json\"",
            "multipart/mixed",
            "multipart/alternative",
            "multipart/related",
        ] {
            assert!(raw.contains(wanted), "{wanted} in {raw}");
        }
    }

    #[test]
    fn a_head_says_what_machines_have_to_know() {
        let list = List {
            id: "demo.cursus.test.invalid".to_owned(),
            leave: "mailto:cursus%2Bleave.k7Qz@test.invalid?subject=unsubscribe".to_owned(),
        };
        let raw = text(&Dispatch { list: Some(list.clone()), in_reply_to: None, ..dispatch() });
        assert!(raw.contains("Auto-Submitted: auto-generated\r\n"), "{raw}");
        assert!(raw.contains("List-Id: <demo.cursus.test.invalid>\r\n"), "{raw}");
        let folded = raw.replace("\r\n ", " ");
        assert!(folded.contains(&format!("List-Unsubscribe: <{}>\r\n", list.leave)), "{folded}");
        // A reminder that goes behind a report of ours answers nobody.
        let own = Some("abc@cursus.test.invalid".to_owned());
        assert!(text(&Dispatch { in_reply_to: own, ..dispatch() }).contains("Auto-Submitted: auto-generated\r\n"));
        // What is no line of a head does not become one.
        let broken = List { leave: "mailto:x@y?subject=a\r\nBcc: all@z".to_owned(), ..list };
        assert!(!text(&Dispatch { list: Some(broken), ..dispatch() }).contains("List-"));
    }

    #[test]
    fn the_same_dispatch_is_the_same_letter() {
        assert_eq!(text(&dispatch()), text(&dispatch()));
        let mut other = dispatch();
        other.text.push('!');
        assert_ne!(seed(&dispatch()), seed(&other));
    }

    #[test]
    fn a_letter_comes_back_to_an_address_of_its_own() {
        let id = "abcdefghijkmnpqrstuvwxyz23";
        let sealed = Dispatch { message_id: format!("{id}@cursus.test.invalid"), ..dispatch() };
        let path = |dispatch: &Dispatch, sender: &Sender| return_path(dispatch, sender).map(|path| path.to_string());
        assert_eq!(path(&sealed, &sender()), Some(format!("cursus+bounce.{id}@test.invalid")));
        // Ids of the first edition are no secret; without a `+` for answers there is none here; and it must fit.
        assert_eq!(path(&dispatch(), &sender()), None);
        for reply_to in [None, Some("cursus@test.invalid".to_owned())] {
            assert_eq!(path(&Dispatch { reply_to, ..sealed.clone() }, &sender()), None);
        }
        let long = Sender { address: format!("{}@test.invalid", "c".repeat(40)), name: None };
        assert_eq!(path(&sealed, &long), None);
    }

    #[test]
    fn a_plain_text_is_only_that() {
        let raw = text(&Dispatch { html: None, picture: None, data: None, ..dispatch() });
        assert!(!raw.contains("multipart"), "{raw}");
        assert!(raw.contains("Content-Type: text/plain; charset=utf-8\r\n"));
        let raw = text(&Dispatch { html: None, data: None, ..dispatch() });
        assert!(raw.contains("filename=\"map.png\""), "without HTML the picture is a file: {raw}");
    }

    #[test]
    fn nobody_writes_into_the_head() {
        let mut dispatch = dispatch();
        dispatch.subject = "Hello\r\nBcc: all@test.invalid\r\n\r\nbody\0\u{1b}[31m".to_owned();
        dispatch.references = vec!["ok@a".to_owned(), "a> <b@c\r\nBcc: x@y.invalid".to_owned(), "ż@b".to_owned()];
        dispatch.in_reply_to = Some("a@b\nBcc: x@y.invalid".to_owned());
        let sender = Sender { name: Some("Evil\r\nBcc: x@y.invalid".to_owned()), ..sender() };
        let raw = String::from_utf8(compose(&dispatch, &sender).expect("a letter")).expect("plain characters");
        let head = raw.split("\r\n\r\n").next().unwrap_or_default();
        assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
        assert!(!head.contains('\u{1b}') && !head.contains("In-Reply-To"), "{head}");
        assert!(head.contains("References: <ok@a>\r\n"), "{head}");
        let letter = letter::open(raw.as_bytes()).expect("it opens");
        assert_eq!(letter.subject, "Hello Bcc: all@test.invalid body [31m");
    }

    #[test]
    fn what_is_no_address_is_refused_without_being_named() {
        for to in
            ["", "ania", "a@b.invalid, c@d.invalid", "a@b.invalid\r\nBcc: c@d.invalid", "Ania <a@b.invalid>", "a b@c.d"]
        {
            let refused = compose(&Dispatch { to: to.to_owned(), ..dispatch() }, &sender());
            assert_eq!(refused, Err(Trouble::Lasting("the recipient has no proper address".to_owned())), "{to}");
        }
        for id in ["", "a b@c", "a>@b", "ż@b"] {
            let refused = compose(&Dispatch { message_id: id.to_owned(), ..dispatch() }, &sender());
            assert!(matches!(refused, Err(Trouble::Lasting(_))), "{id}");
        }
        for seconds in [-1, 253_402_300_800] {
            let date = DateTime::from_timestamp(seconds, 0).expect("a time");
            assert!(matches!(compose(&Dispatch { date, ..dispatch() }, &sender()), Err(Trouble::Lasting(_))));
        }
    }

    #[test]
    fn no_line_is_longer_than_a_server_takes() {
        let mut dispatch = dispatch();
        dispatch.subject = "x".repeat(5000);
        dispatch.text = format!("{}\n{}\n.\n..\nFrom here\nend \n", "ł".repeat(5000), "y".repeat(5000));
        dispatch.html = Some(format!("<p>{}</p>", "z".repeat(50_000)));
        dispatch.data = Some("1".repeat(50_000));
        dispatch.references = (0..500).map(|number| format!("{number}@player.invalid")).collect();
        let raw = text(&dispatch);
        assert!(raw.lines().all(|line| line.len() <= 998));
        assert!(!raw.replace("\r\n", "").contains(['\r', '\n']), "every line ends alike");
        let letter = letter::open(raw.as_bytes()).expect("it opens");
        assert_eq!(letter.text.trim_end(), dispatch.text.trim_end());
        assert_eq!(letter.references.len(), MOST_REFERENCES + 1);
        assert_eq!(letter.references.first().map(String::as_str), Some("0@player.invalid"));
        assert_eq!(letter.references.last().map(String::as_str), Some("499@player.invalid"));
    }
}
