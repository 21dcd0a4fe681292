//! The parts of a letter: where each begins and ends.
//!
//! Comes in: raw bytes. Goes out: a tree of parts, their bodies still encoded. A letter is walked through once, line by
//! line, and set aside as soon as it has too many parts or is nested too deeply; letters within letters stay closed.

use mail_parser::{ContentType, HeaderName, HeaderValue, MessageParser, MimeHeaders};

use super::coding::Transfer;
use super::letter::Broken;

/// How large the head of a letter or part may be.
pub(super) const LARGEST_HEAD: usize = 256 * 1024;
/// How many parts a letter may have.
const MOST_PARTS: usize = 200;
/// How deep parts may be nested.
const DEEPEST: usize = 20;

/// A part of a letter.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) head: Head,
    pub(super) content: Content<'a>,
    /// Whether its end was found, where it has a boundary.
    pub(super) is_whole: bool,
}

/// What is in a part.
#[derive(Debug)]
pub(super) enum Content<'a> {
    Body(&'a [u8]),
    Parts(Vec<Part<'a>>),
}

/// What a part says of itself.
#[derive(Debug, Clone)]
pub(super) struct Head {
    /// Type and subtype, in lower case: `text/plain`.
    pub(super) kind: String,
    /// The other things said with the type.
    parameters: Vec<(String, String)>,
    pub(super) is_attachment: bool,
    /// Whether it has a file name.
    pub(super) is_named: bool,
    pub(super) transfer: Transfer,
}

impl Head {
    /// Reads a head. In a digest, what says nothing is a letter.
    fn read(bytes: &[u8], in_digest: bool) -> Self {
        let message = MessageParser::new().with_mime_headers().default_header_ignore().parse_headers(bytes);
        let part = message.as_ref().and_then(|message| message.parts.first());
        let typed = part.and_then(|part| part.content_type());
        let disposition = part.and_then(|part| part.content_disposition());
        let transfer = part.and_then(|part| {
            part.headers
                .iter()
                .find(|header| header.name == HeaderName::ContentTransferEncoding)
                .map(|header| &header.value)
        });
        let fallback = if in_digest { "message/rfc822" } else { "text/plain" };
        let kind = typed.and_then(kind).unwrap_or_else(|| fallback.to_owned());
        let parameters = typed.and_then(|typed| typed.attributes()).unwrap_or_default();
        Self {
            kind,
            parameters: parameters
                .iter()
                .map(|parameter| (parameter.name.to_ascii_lowercase(), parameter.value.clone().into_owned()))
                .collect(),
            is_attachment: disposition
                .is_some_and(|disposition| disposition.ctype().eq_ignore_ascii_case("attachment")),
            is_named: part.is_some_and(|part| part.attachment_name().is_some()),
            transfer: match transfer {
                Some(HeaderValue::Text(name)) => Transfer::named(name),
                _ => Transfer::Identity,
            },
        }
    }

    /// Something said with the type: its characters, its boundary.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn boundary(&self) -> Option<&str> {
        let boundary = self.parameter("boundary").filter(|boundary| !boundary.is_empty())?;
        self.kind.starts_with("multipart/").then_some(boundary)
    }
}

fn kind(typed: &ContentType) -> Option<String> {
    let (kind, subtype) = (typed.ctype().to_ascii_lowercase(), typed.subtype().map(str::to_ascii_lowercase));
    match (kind.as_str(), subtype) {
        (_, Some(subtype)) => Some(format!("{kind}/{subtype}")),
        // Old clients say `text` alone.
        _ => None,
    }
}

/// A multipart that is open.
struct Open<'a> {
    head: Head,
    boundary: Vec<u8>,
    parts: Vec<Part<'a>>,
    start: usize,
}

/// Where the walk is.
enum Within {
    /// Before the first part or behind the last.
    Between,
    /// In the head of a part, which began here.
    Head(usize),
    /// In the body of a part, which began here.
    Body(Head, usize),
}

/// Takes a letter apart.
pub(super) fn split(raw: &[u8]) -> Result<Part<'_>, Broken> {
    let body = head_end(raw);
    if body > LARGEST_HEAD {
        return Err(Broken::HeadTooLarge);
    }
    let head = Head::read(&raw[..body], false);
    let Some(boundary) = head.boundary().map(|boundary| boundary.as_bytes().to_vec()) else {
        return Ok(Part { head, content: Content::Body(&raw[body..]), is_whole: true });
    };
    let mut walk = Walk { raw, open: vec![Open { head, boundary, parts: Vec::new(), start: body }], parts: 1 };
    let mut place = Within::Between;
    let mut line_start = body;
    for line in raw[body..].split_inclusive(|byte| *byte == b'\n') {
        let line_end = line_start + line.len();
        match walk.boundary(line) {
            Some((level, is_last)) => {
                walk.leave(place, line_start, true);
                walk.close_above(level);
                place = if is_last {
                    match walk.close(true) {
                        Some(root) => return Ok(root),
                        None => Within::Between,
                    }
                } else {
                    Within::Head(line_end)
                };
            }
            None => place = walk.step(place, line, line_start, line_end)?,
        }
        line_start = line_end;
    }
    walk.leave(place, raw.len(), false);
    loop {
        if let Some(root) = walk.close(false) {
            return Ok(root);
        }
    }
}

/// The walk through a letter of several parts.
struct Walk<'a> {
    raw: &'a [u8],
    open: Vec<Open<'a>>,
    parts: usize,
}

impl<'a> Walk<'a> {
    /// Which of the open multiparts this line belongs to, and whether it is its last.
    fn boundary(&self, line: &[u8]) -> Option<(usize, bool)> {
        let rest = line.strip_prefix(b"--")?.trim_ascii_end();
        self.open.iter().enumerate().rev().find_map(|(level, open)| {
            match rest.strip_prefix(open.boundary.as_slice())? {
                b"" => Some((level, false)),
                b"--" => Some((level, true)),
                _ => None,
            }
        })
    }

    /// Goes on over a line that is no boundary.
    fn step(&mut self, place: Within, line: &[u8], line_start: usize, line_end: usize) -> Result<Within, Broken> {
        let Within::Head(start) = place else { return Ok(place) };
        if line_end - start > LARGEST_HEAD {
            return Err(Broken::HeadTooLarge);
        }
        let is_blank = line.trim_ascii().is_empty();
        let is_headless = line_start == start && !is_blank && !is_header(line);
        if !is_blank && !is_headless {
            return Ok(place);
        }
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(Broken::TooManyParts);
        }
        let head = Head::read(&self.raw[start..line_start], self.is_digest());
        let body = if is_headless { line_start } else { line_end };
        let Some(boundary) = head.boundary().map(|boundary| boundary.as_bytes().to_vec()) else {
            return Ok(Within::Body(head, body));
        };
        if self.open.len() >= DEEPEST {
            return Err(Broken::TooDeep);
        }
        self.open.push(Open { head, boundary, parts: Vec::new(), start: body });
        Ok(Within::Between)
    }

    fn is_digest(&self) -> bool {
        self.open.last().is_some_and(|open| open.head.kind == "multipart/digest")
    }

    /// Ends whatever part the walk is in.
    fn leave(&mut self, place: Within, end: usize, is_whole: bool) {
        let (head, start) = match place {
            Within::Between => return,
            Within::Head(start) => (Head::read(&self.raw[start..end], self.is_digest()), end),
            Within::Body(head, start) => (head, start),
        };
        let body = &self.raw[start.min(end)..end];
        // The line end before a boundary belongs to the boundary.
        let body = body.strip_suffix(b"\n").map_or(body, |body| body.strip_suffix(b"\r").unwrap_or(body));
        if let Some(open) = self.open.last_mut() {
            open.parts.push(Part { head, content: Content::Body(body), is_whole });
        }
    }

    /// Closes the multiparts inside this one: their own ends are missing.
    fn close_above(&mut self, level: usize) {
        while self.open.len() > level + 1 {
            self.close(false);
        }
    }

    /// Closes the innermost multipart, and gives it back if it was the letter itself.
    fn close(&mut self, is_whole: bool) -> Option<Part<'a>> {
        let Open { head, parts, start, .. } = self.open.pop()?;
        let part = if parts.is_empty() {
            // No boundary was ever seen, so it is no multipart, whatever it says.
            let head = Head { kind: "text/plain".to_owned(), ..head };
            let body = if self.open.is_empty() { &self.raw[start..] } else { &[] };
            Part { head, content: Content::Body(body), is_whole }
        } else {
            Part { head, content: Content::Parts(parts), is_whole }
        };
        match self.open.last_mut() {
            Some(open) => {
                open.parts.push(part);
                None
            }
            None => Some(part),
        }
    }
}

/// Where the head of a letter ends and its body begins.
pub(super) fn head_end(raw: &[u8]) -> usize {
    let mut end = 0;
    for line in raw.split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        if line.trim_ascii().is_empty() && end > line.len() {
            return end;
        }
    }
    raw.len()
}

/// Whether a line is one of a head: a name and a colon.
pub(super) fn is_header(line: &[u8]) -> bool {
    let name = line.iter().position(|byte| *byte == b':').map(|colon| &line[..colon]);
    name.is_some_and(|name| {
        let name = name.trim_ascii_end();
        !name.is_empty() && name.iter().all(|byte| byte.is_ascii_graphic())
    })
}
