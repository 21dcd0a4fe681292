//! HTML bodies as lines, with what their form says of quotation and signature.
//!
//! Comes in: the HTML of a letter. Goes out: its lines as a reader sees them. Only the tokens of the HTML are read and no
//! tree is built: time and memory stay in proportion to the letter, however it is nested.

use std::collections::HashMap;

use html5gum::{DefaultEmitter, HtmlString, StartTag, Token, Tokenizer};

use super::letter::Broken;
use super::line::{Line, Mark};
use super::words;

/// How deep elements may be nested.
const DEEPEST: usize = 20_000;

/// The text of an HTML body, with `> ` before what is quoted.
///
/// # Errors
/// The HTML is nested too deeply.
pub fn plain(html: &str) -> Result<String, Broken> {
    let lines = lines(html)?;
    let shown = lines.iter().map(|line| match line.mark {
        Mark::Quoted(depth) => format!("{} {}", ">".repeat(depth.into()), line.text).trim_end().to_owned(),
        Mark::None | Mark::Signature | Mark::Cut => line.text.clone(),
    });
    Ok(shown.collect::<Vec<_>>().join("\n"))
}

/// The lines of an HTML body.
pub(super) fn lines(html: &str) -> Result<Vec<Line>, Broken> {
    let mut emitter = DefaultEmitter::<()>::default();
    emitter.naively_switch_states(true);
    let mut page = Page::default();
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => page.open(&tag)?,
            Token::EndTag(tag) => page.close(&tag.name),
            Token::String(text) => page.write(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    Ok(page.finish())
}

/// Whether a text that claims to be plain is HTML.
pub(super) fn is_html(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(100).collect::<String>().to_ascii_lowercase();
    ["<!doctype html", "<html", "<head", "<body", "<div", "<meta", "<p>", "<p "]
        .iter()
        .any(|tag| start.starts_with(tag))
}

/// The page as far as it is written.
#[derive(Default)]
struct Page {
    lines: Vec<Line>,
    current: String,
    /// Whether white space stands before whatever comes next.
    space: bool,
    /// Whether a blank line stands before whatever comes next.
    gap: bool,
    /// Whether another's letter begins with the next line.
    cut: Option<Cut>,
    elements: Vec<Element>,
    /// How many elements of each name are open.
    open: HashMap<Vec<u8>, usize>,
    /// The lists that are open: the number of the next item, where items are numbered.
    lists: Vec<Option<u32>>,
    /// The mark of a list that stands before whatever comes next.
    bullet: Option<String>,
    quotes: usize,
    signatures: usize,
    hidden: usize,
    preformatted: usize,
    /// How many quotations and marks of a forwarded letter there were so far.
    seen: usize,
}

/// How sure it is that another's letter begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Sure,
    /// Only if the next line looks like a header.
    IfHeader,
}

/// An element that is open.
struct Element {
    name: Vec<u8>,
    role: Role,
    hidden: bool,
    preformatted: bool,
    /// Whether a blank line follows it.
    has_margin: bool,
}

/// What an element says of the lines in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    None,
    Quote,
    /// A quotation, unless others stand in it, with answers between them, or a letter is forwarded in it.
    PerhapsQuote {
        first_line: usize,
        seen: usize,
    },
    Signature,
}

impl Page {
    fn open(&mut self, tag: &StartTag<()>) -> Result<(), Broken> {
        let name = tag.name.as_slice();
        match name {
            b"br" => {
                self.break_line();
                return Ok(());
            }
            b"hr" => {
                self.end_block();
                return Ok(());
            }
            b"img" | b"input" | b"meta" | b"link" | b"col" | b"area" | b"base" | b"wbr" | b"embed" | b"param"
            | b"source" | b"track" => return Ok(()),
            _ => {}
        }
        if closes_itself(name) && self.elements.last().is_some_and(|element| element.name == name) {
            self.close(name);
        }
        if self.elements.len() >= DEEPEST {
            return Err(Broken::TooDeep);
        }
        let style = squeezed(attribute(tag, b"style"));
        let role = self.role(tag, &style);
        let hidden = is_never_shown(name) || style.contains("display:none") || style.contains("mso-hide:all");
        let preformatted =
            matches!(name, b"pre" | b"listing" | b"xmp" | b"plaintext") || style.contains("white-space:pre");
        if is_block(name) || role != Role::None {
            self.end_block();
        }
        let has_margin = name == b"p" && !has_no_margin(tag, &style);
        self.gap |= has_margin && self.bullet.is_none();
        self.space |= matches!(name, b"td" | b"th");
        self.cut = if hidden { self.cut } else { cut(tag, &style).or(self.cut) };
        match role {
            Role::Quote => {
                self.quotes += 1;
                self.seen += 1;
            }
            Role::Signature => self.signatures += 1,
            Role::None | Role::PerhapsQuote { .. } => {}
        }
        self.hidden += usize::from(hidden);
        self.preformatted += usize::from(preformatted);
        match name {
            b"ol" => self.lists.push(Some(1)),
            b"ul" => self.lists.push(None),
            b"li" => self.bullet = Some(self.next_bullet()),
            _ => {}
        }
        *self.open.entry(name.to_vec()).or_default() += 1;
        self.elements.push(Element { name: name.to_vec(), role, hidden, preformatted, has_margin });
        Ok(())
    }

    fn close(&mut self, name: &[u8]) {
        if self.open.get(name).is_none_or(|count| *count == 0) {
            if name == b"br" || name == b"p" {
                self.break_line();
            }
            return;
        }
        while let Some(element) = self.elements.pop() {
            self.leave(&element);
            if element.name == name {
                return;
            }
        }
    }

    fn leave(&mut self, element: &Element) {
        if let Some(count) = self.open.get_mut(&element.name) {
            *count -= 1;
        }
        if is_block(&element.name) || element.role != Role::None {
            self.end_block();
        }
        self.gap |= element.has_margin;
        match element.name.as_slice() {
            b"ol" | b"ul" => drop(self.lists.pop()),
            b"li" => self.bullet = None,
            _ => {}
        }
        match element.role {
            Role::None => {}
            Role::Quote => self.quotes -= 1,
            Role::Signature => self.signatures -= 1,
            Role::PerhapsQuote { first_line, seen } => {
                let mark = Mark::quoted(self.quotes + 1);
                let unmarked = |line: &&mut Line| !matches!(line.mark, Mark::Quoted(_));
                if seen == self.seen {
                    self.lines[first_line..].iter_mut().filter(unmarked).for_each(|line| line.mark = mark);
                }
            }
        }
        self.hidden -= usize::from(element.hidden);
        self.preformatted -= usize::from(element.preformatted);
    }

    fn write(&mut self, text: &str) {
        if self.hidden > 0 {
            return;
        }
        if self.preformatted > 0 {
            let mut pieces = text.split('\n').peekable();
            while let Some(piece) = pieces.next() {
                if !piece.is_empty() {
                    self.begin();
                }
                self.current.push_str(piece.trim_end_matches('\r'));
                if pieces.peek().is_some() {
                    self.break_line();
                }
            }
            return;
        }
        for character in text.chars() {
            if matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0c') {
                self.space = true;
                continue;
            }
            self.begin();
            if self.space && !self.current.is_empty() {
                self.current.push(' ');
            }
            self.space = false;
            self.current.push(character);
        }
    }

    /// Writes what is owed before the first word of a line: a blank line, the mark of a list.
    fn begin(&mut self) {
        if !self.current.is_empty() {
            return;
        }
        if std::mem::take(&mut self.gap) && self.lines.last().is_some_and(|line| !line.is_blank()) {
            self.push(String::new());
        }
        if let Some(bullet) = self.bullet.take() {
            self.current.push_str(&bullet);
            self.space = false;
        }
    }

    fn next_bullet(&mut self) -> String {
        match self.lists.last_mut() {
            Some(Some(number)) => {
                let bullet = format!("{number}. ");
                *number = number.saturating_add(1);
                bullet
            }
            Some(None) | None => "- ".to_owned(),
        }
    }

    fn end_block(&mut self) {
        if !self.current.is_empty() {
            self.break_line();
        }
        self.space = false;
    }

    fn break_line(&mut self) {
        if self.hidden > 0 {
            return;
        }
        let text = std::mem::take(&mut self.current);
        let text = if self.preformatted > 0 { text } else { text.trim_end().to_owned() };
        // The space behind the dashes makes them the mark of a signature.
        self.push(if text == "--" && self.space { "-- ".to_owned() } else { text });
        self.space = false;
    }

    fn push(&mut self, text: String) {
        let mut line = Line { text, mark: Mark::None };
        self.seen += usize::from(words::is_forward_mark(&line.text));
        if self.quotes > 0 {
            line.mark = Mark::quoted(self.quotes);
        } else if self.signatures > 0 {
            line.mark = Mark::Signature;
        } else if !line.is_blank() {
            line.mark = match self.cut.take() {
                Some(Cut::Sure) => Mark::Cut,
                Some(Cut::IfHeader) if words::is_like_header(&line.text) => Mark::Cut,
                Some(Cut::IfHeader) | None => Mark::None,
            };
        }
        self.lines.push(line);
    }

    fn finish(mut self) -> Vec<Line> {
        self.end_block();
        while let Some(element) = self.elements.pop() {
            self.leave(&element);
        }
        self.lines
    }

    fn role(&self, tag: &StartTag<()>, style: &str) -> Role {
        let (class, id) = (attribute(tag, b"class"), attribute(tag, b"id"));
        let name = attribute(tag, b"name");
        let has = |wanted: &str| class.split_ascii_whitespace().any(|class| class.eq_ignore_ascii_case(wanted));
        let perhaps = Role::PerhapsQuote { first_line: self.lines.len(), seen: self.seen };
        if tag.name.as_slice() == b"blockquote" {
            // Clients indent with the element too, and then say that it has no border.
            let is_cited = attribute(tag, b"type").eq_ignore_ascii_case("cite") || !class.is_empty();
            let is_indented =
                (style.contains("border:none") || style.contains("border:0")) && !style.contains("border-left");
            return if is_indented && !is_cited { Role::None } else { Role::Quote };
        }
        if has("yahoo_quoted") || id.starts_with("yahoo_quoted") || has("moz-cite-prefix") {
            return Role::Quote;
        }
        if has("gmail_quote")
            || has("gmail_attr")
            || has("protonmail_quote")
            || has("zmail_extra")
            || has("tutanota_quote")
            || has("aol_quote")
            || name == "messageReplySection"
            || name == "quote"
        {
            return perhaps;
        }
        let is_signature = has("gmail_signature")
            || has("moz-signature")
            || has("protonmail_signature_block")
            || has("bloop_sign")
            || has("signature")
            || has("mail_signature")
            || has("tutanota_signature")
            || name == "messageSignatureSection"
            || attribute(tag, b"data-smartmail") == "gmail_signature"
            || ["signature", "ms-outlook-mobile-signature", "composer_signature", "ymail_android_signature"]
                .iter()
                .any(|wanted| id.eq_ignore_ascii_case(wanted));
        if is_signature { Role::Signature } else { Role::None }
    }
}

/// Whether another's letter begins in this element.
fn cut(tag: &StartTag<()>, style: &str) -> Option<Cut> {
    let (class, id) = (attribute(tag, b"class"), attribute(tag, b"id"));
    let sure = ["divRplyFwdMsg", "mail-editor-reference-message-container", "OLK_SRC_BODY_SECTION"];
    if sure.contains(&id.as_str()) || class.split_ascii_whitespace().any(|class| class == "OutlookMessageHeader") {
        return Some(Cut::Sure);
    }
    let is_ruled = style.contains("border-top:solid") && style.contains("border:none");
    (is_ruled || id == "appendonsend").then_some(Cut::IfHeader)
}

fn attribute(tag: &StartTag<()>, name: &[u8]) -> String {
    let value = tag.attributes.get(&HtmlString(name.to_vec()));
    value.map(|value| String::from_utf8_lossy(value).into_owned()).unwrap_or_default()
}

/// Lower case, without white space.
fn squeezed(text: String) -> String {
    text.chars()
        .filter(|character| !character.is_whitespace())
        .map(|character| character.to_ascii_lowercase())
        .collect()
}

/// Word writes each line as a paragraph; what others call a paragraph has room round it.
fn has_no_margin(tag: &StartTag<()>, style: &str) -> bool {
    attribute(tag, b"class").starts_with("Mso") || style.contains("margin:0") || style.contains("margin-bottom:0")
}

fn closes_itself(name: &[u8]) -> bool {
    matches!(name, b"p" | b"li" | b"td" | b"th" | b"tr" | b"dt" | b"dd" | b"option")
}

fn is_never_shown(name: &[u8]) -> bool {
    matches!(
        name,
        b"script"
            | b"style"
            | b"title"
            | b"template"
            | b"object"
            | b"svg"
            | b"math"
            | b"select"
            | b"button"
            | b"xml"
            | b"noscript"
            | b"iframe"
            | b"noembed"
            | b"noframes"
    )
}

fn is_block(name: &[u8]) -> bool {
    matches!(
        name,
        b"address"
            | b"article"
            | b"aside"
            | b"blockquote"
            | b"body"
            | b"caption"
            | b"center"
            | b"dd"
            | b"details"
            | b"div"
            | b"dl"
            | b"dt"
            | b"fieldset"
            | b"figure"
            | b"footer"
            | b"form"
            | b"h1"
            | b"h2"
            | b"h3"
            | b"h4"
            | b"h5"
            | b"h6"
            | b"header"
            | b"html"
            | b"li"
            | b"main"
            | b"nav"
            | b"ol"
            | b"p"
            | b"pre"
            | b"section"
            | b"table"
            | b"tbody"
            | b"thead"
            | b"tr"
            | b"ul"
    )
}
