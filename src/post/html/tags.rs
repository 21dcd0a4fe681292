//! What the elements of an HTML body mean, as mail clients use them.

use html5gum::{HtmlString, StartTag};

/// What an element says of the lines in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    None,
    Quote,
    /// A quotation, unless others stand in it, with answers between them, or a letter is passed on in it.
    PerhapsQuote,
    Signature,
}

/// How sure it is that another's letter begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    Sure,
    /// Only if the next line looks like a header.
    IfHeader,
}

/// What an element says of the lines in it.
pub(super) fn role(tag: &StartTag<()>, style: &str) -> Role {
    let (class, id) = (attribute(tag, b"class"), attribute(tag, b"id"));
    let name = attribute(tag, b"name");
    let has = |wanted: &str| class.split_ascii_whitespace().any(|class| class.eq_ignore_ascii_case(wanted));
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
        return Role::PerhapsQuote;
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

/// Whether another's letter begins in this element.
pub(super) fn cut(tag: &StartTag<()>, style: &str) -> Option<Cut> {
    let (class, id) = (attribute(tag, b"class"), attribute(tag, b"id"));
    let sure = ["divRplyFwdMsg", "mail-editor-reference-message-container", "OLK_SRC_BODY_SECTION"];
    if sure.contains(&id.as_str()) || class.split_ascii_whitespace().any(|class| class == "OutlookMessageHeader") {
        return Some(Cut::Sure);
    }
    // Word draws this line above the head of the letter that is answered.
    let is_ruled = style.contains("border-top:solid") && style.contains("padding:3.0pt0");
    is_ruled.then_some(Cut::IfHeader)
}

pub(super) fn attribute(tag: &StartTag<()>, name: &[u8]) -> String {
    let value = tag.attributes.get(&HtmlString(name.to_vec()));
    value.map(|value| String::from_utf8_lossy(value).into_owned()).unwrap_or_default()
}

/// Lower case, without white space.
pub(super) fn squeezed(text: String) -> String {
    text.chars()
        .filter(|character| !character.is_whitespace())
        .map(|character| character.to_ascii_lowercase())
        .collect()
}

/// Word writes each line as a paragraph; what others call a paragraph has room round it.
pub(super) fn has_no_margin(tag: &StartTag<()>, style: &str) -> bool {
    attribute(tag, b"class").starts_with("Mso") || style.contains("margin:0") || style.contains("margin-bottom:0")
}

pub(super) fn closes_itself(name: &[u8]) -> bool {
    matches!(name, b"p" | b"li" | b"td" | b"th" | b"tr" | b"dt" | b"dd" | b"option")
}

/// Elements that hold nothing and are never closed.
pub(super) fn is_empty(name: &[u8]) -> bool {
    matches!(
        name,
        b"img"
            | b"input"
            | b"meta"
            | b"link"
            | b"col"
            | b"area"
            | b"base"
            | b"wbr"
            | b"embed"
            | b"param"
            | b"source"
            | b"track"
    )
}

pub(super) fn is_preformatted(name: &[u8], style: &str) -> bool {
    matches!(name, b"pre" | b"listing" | b"xmp" | b"plaintext") || style.contains("white-space:pre")
}

pub(super) fn is_hidden(name: &[u8], style: &str) -> bool {
    is_never_shown(name) || is_struck(name) || style.contains("display:none") || style.contains("mso-hide:all")
}

/// What somebody struck out the writer takes back.
fn is_struck(name: &[u8]) -> bool {
    matches!(name, b"s" | b"del" | b"strike")
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

pub(super) fn is_block(name: &[u8]) -> bool {
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
