//! The last report on the page: a letter's HTML without its styles, which a strict page would not obey.
//!
//! Comes in: the HTML that [`super::super::letters`] wrote. Goes out: the same elements and words, with class names of the
//! page's style sheet. Whatever is not in the table is text or nothing, so an old or foreign letter does no harm.

use html5gum::{DefaultEmitter, Token, Tokenizer};

/// What elements of a letter become: the tag, and the class by that of the letter.
const KEPT: [&str; 12] = ["h2", "pre", "p", "ul", "li", "table", "tr", "td", "th", "blockquote", "div", "code"];
/// The class of a letter's element, and what it is called here.
const CLASSES: [(&[u8], &str); 4] = [(b"c", "call"), (b"b", "order"), (b"m", "mine"), (b"f", "foot")];

/// A letter as it was written, for the page: its HTML, or its words where it had none.
pub fn letter(html: Option<&str>, text: &str) -> String {
    html.map_or_else(|| format!("<pre>{}</pre>", safe(text)), plain)
}

/// Plain words, made safe to stand inside HTML.
fn safe(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A letter's HTML for the page.
pub(crate) fn plain(html: &str) -> String {
    let mut emitter = DefaultEmitter::<()>::default();
    emitter.naively_switch_states(true);
    let mut page = String::with_capacity(html.len() / 2);
    let mut open: Vec<&str> = Vec::new();
    // A letter of words alone has no head.
    let mut skips = html.contains("<body");
    let kept = |name: &[u8]| KEPT.into_iter().find(|tag| tag.as_bytes() == name);
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            // The head has nothing to be read.
            Token::StartTag(tag) if tag.name.as_slice() == b"body" => skips = false,
            _ if skips => {}
            Token::StartTag(tag) if tag.name.as_slice() == b"br" => page.push_str("<br>"),
            Token::StartTag(tag) => {
                let Some(name) = kept(&tag.name) else { continue };
                let class = tag.attributes.get(b"class".as_slice());
                let class = CLASSES.iter().find(|(of, _)| class.is_some_and(|class| class.as_slice() == *of));
                match class {
                    Some((_, class)) => page.push_str(&format!("<{name} class=\"{class}\">")),
                    None => page.push_str(&format!("<{name}>")),
                }
                open.push(name);
            }
            Token::EndTag(tag) => {
                // Only what is open can be closed, with whatever was left open in it.
                let Some(name) = kept(&tag.name) else { continue };
                let Some(at) = open.iter().rposition(|open| *open == name) else { continue };
                open.drain(at..).rev().for_each(|name| page.push_str(&format!("</{name}>")));
            }
            Token::String(text) => {
                for letter in String::from_utf8_lossy(&text).chars() {
                    match letter {
                        '&' => page.push_str("&amp;"),
                        '<' => page.push_str("&lt;"),
                        '>' => page.push_str("&gt;"),
                        other => page.push(other),
                    }
                }
            }
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    open.iter().rev().for_each(|name| page.push_str(&format!("</{name}>")));
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_go_and_words_stay() {
        let letter = "<!DOCTYPE html><head><title>x</title><style>p{}</style></head><body class=\"p\" style=\"a\"><div style=\"b\">\
            <h2 class=\"h\" style=\"c\">Trade</h2><div class=\"c\" style=\"d\">Now!<br>2</div><p style=\"e\">1 &lt; 2 &amp; 3</p></div></body>";
        let page = "<div><h2>Trade</h2><div class=\"call\">Now!<br>2</div><p>1 &lt; 2 &amp; 3</p></div>";
        assert_eq!(plain(letter), page);
        assert_eq!(plain("<pre>Turn 2 &lt; 3</pre>"), "<pre>Turn 2 &lt; 3</pre>");
    }

    #[test]
    fn nothing_of_a_foreign_letter_acts() {
        let letter = "<body><script>alert(1)</script><p onclick=x>a<img src=x onerror=y></div></p><p>b<svg><a href=javascript:1>c";
        let page = plain(letter);
        assert!(!page.contains("<script") && !page.contains("onclick") && !page.contains("<img"), "{page}");
        assert!(page.ends_with("<p>a</p><p>bc</p>"), "{page}");
    }
}
