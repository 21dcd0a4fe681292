//! What of a post its author wrote themselves.
//!
//! Comes in: what was typed, or the HTML that a forum shows where it does not tell. Goes out: the author's
//! words, without quotations, copies of mail and chats, what is struck out, previews of links, polls, pictures and mentions
//! of us. The tokens of the HTML are read once and written down plainer, as [`html`](crate::post::html) reads
//! letters; then [`words`](crate::post::words) sorts the lines. What stands in a block of code is kept line by line, and
//! nothing in it is taken for a greeting or a signature.

use html5gum::{DefaultEmitter, HtmlString, StartTag, Token, Tokenizer};

use super::post::Post;
use super::{struck, typed};
use crate::post::body::bounded;
use crate::post::html;
use crate::post::line::{Mark, TextLine};
use crate::post::words::{self, Hints, Ignored, Sent};

/// What marks a line of code until the lines are sorted. Nobody types it, and it is taken out of what they type.
const CODE: char = '\u{e000}';

/// What somebody wrote in a post.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PostWords {
    pub text: String,
    /// What was left out of them.
    pub ignored: Ignored,
    /// Whether some of them stand in a block of code.
    pub in_code: bool,
    /// Whether the writer mentions us.
    pub mentions_us: bool,
}

impl Post {
    /// What its author wrote themselves; `us` is what we are called there, and `sent` what of ours the writer answers.
    pub fn words(&self, us: &str, sent: &Sent) -> PostWords {
        let mut plainer = Plainer::new(us);
        match &self.source {
            Some(typed) if !self.is_deleted => plainer.read(&typed::html(typed)),
            Some(_) | None => plainer.read(&self.html),
        }
        let mut found = PostWords { mentions_us: plainer.mentions_us, ..PostWords::default() };
        found.ignored.other = plainer.left_out;
        // A post that is nested or long beyond all measure says nothing that could be read.
        let Ok(lines) = html::lines(&plainer.html).and_then(bounded) else {
            found.ignored.other += 1;
            return found;
        };
        // Whoever pastes our whole post, pastes its blocks of code as well.
        let copied = sent.copied(&lines);
        let mut lines = lines;
        lines.iter_mut().zip(copied).filter(|(_, copied)| *copied).for_each(|(line, _)| line.mark = Mark::Quoted(1));
        let hints = Hints { sent: sent.clone(), ..Hints::default() };
        let mut pieces = Vec::new();
        for run in lines.chunk_by(|a, b| is_code(a) == is_code(b)) {
            if run.first().is_some_and(is_code) {
                let code: Vec<&str> = run.iter().map(|line| line.text.trim_start_matches(CODE)).collect();
                found.in_code |= code.iter().any(|line| !line.trim().is_empty());
                pieces.push(code.join("\n"));
            } else {
                let lines = run.iter().map(|line| TextLine { text: line.text.replace(CODE, ""), mark: line.mark });
                let mut lines: Vec<TextLine> = lines.collect();
                found.ignored.add(struck::take_out(&mut lines));
                let own = words::sort(lines, &hints);
                found.ignored.add(own.ignored);
                pieces.push(own.text);
            }
        }
        pieces.retain(|piece| !piece.trim().is_empty());
        found.text = pieces.iter().map(|piece| piece.trim_matches('\n')).collect::<Vec<_>>().join("\n");
        found
    }
}

fn is_code(line: &TextLine) -> bool {
    line.text.starts_with(CODE) && line.mark == Mark::None
}

/// HTML, written down plainer.
struct Plainer {
    /// What we are called, with its sign before it, in lower case.
    mention: String,
    html: String,
    /// The elements that are open, and what each is to us.
    open: Vec<(Vec<u8>, Role)>,
    /// In how many elements we are whose text is left out, and in how many blocks of code.
    skipped: usize,
    code: usize,
    /// Whether the next character of code begins a line.
    is_line_start: bool,
    /// What a link says so far.
    link: Option<String>,
    left_out: usize,
    mentions_us: bool,
}

/// What an element is to us.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Plain,
    Quote,
    Code,
    Skipped,
    Link,
}

impl Plainer {
    fn new(us: &str) -> Self {
        Self {
            mention: format!("@{}", us.to_lowercase()),
            html: String::new(),
            open: Vec::new(),
            skipped: 0,
            code: 0,
            is_line_start: false,
            link: None,
            left_out: 0,
            mentions_us: false,
        }
    }

    fn read(&mut self, html: &str) {
        let mut emitter = DefaultEmitter::<()>::default();
        emitter.naively_switch_states(true);
        for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
            match token {
                Token::StartTag(tag) => self.open(&tag),
                Token::EndTag(tag) => self.close(&tag.name),
                Token::String(text) => self.write(&String::from_utf8_lossy(&text)),
                Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
            }
        }
        while let Some((name, role)) = self.open.pop() {
            self.leave(&name, role);
        }
    }

    fn open(&mut self, tag: &StartTag<()>) {
        let name = tag.name.as_slice();
        if is_empty(name) {
            if self.skipped == 0 && self.link.is_none() && matches!(name, b"br" | b"hr") {
                self.html.push_str(if name == b"br" { "<br>" } else { "<hr>" });
                self.is_line_start = true;
            }
            return;
        }
        let role = match role(tag) {
            // Links in links are no links.
            Role::Link if self.link.is_some() => Role::Plain,
            role @ (Role::Plain | Role::Quote | Role::Code | Role::Skipped | Role::Link) => role,
        };
        match role {
            Role::Plain => self.tag(name, ""),
            Role::Quote => self.tag(b"blockquote", ""),
            Role::Code => {
                self.tag(b"pre", "");
                self.code += 1;
                self.is_line_start = true;
            }
            Role::Skipped => {
                self.left_out += usize::from(self.skipped == 0);
                self.skipped += 1;
            }
            Role::Link => self.link = Some(String::new()),
        }
        self.open.push((name.to_vec(), role));
    }

    fn close(&mut self, name: &[u8]) {
        if !self.open.iter().any(|(open, _)| open == name) {
            return;
        }
        while let Some((open, role)) = self.open.pop() {
            self.leave(&open, role);
            if open == name {
                return;
            }
        }
    }

    fn leave(&mut self, name: &[u8], role: Role) {
        match role {
            Role::Plain => self.tag(name, "/"),
            Role::Quote => self.tag(b"blockquote", "/"),
            Role::Code => {
                self.code -= 1;
                self.tag(b"pre", "/");
            }
            Role::Skipped => self.skipped -= 1,
            Role::Link => {
                let text = self.link.take().unwrap_or_default();
                if text.trim().to_lowercase() == self.mention {
                    self.mentions_us = true;
                } else {
                    self.put(&text);
                }
            }
        }
    }

    fn write(&mut self, text: &str) {
        if self.skipped > 0 {
            return;
        }
        let text = text.replace(CODE, "");
        if let Some(link) = &mut self.link {
            link.push_str(&text);
        } else if self.code > 0 {
            for line in text.split_inclusive('\n') {
                if self.is_line_start {
                    self.html.push(CODE);
                }
                self.put(line);
                self.is_line_start = line.ends_with('\n');
            }
        } else {
            let text = self.without_mention(&text);
            self.put(&text);
        }
    }

    /// A text without our name where somebody is called by it.
    fn without_mention(&mut self, text: &str) -> String {
        let mut kept = String::new();
        for word in text.split_inclusive(char::is_whitespace) {
            let bare = word.trim_end();
            let called = bare.trim_end_matches([':', ',', '.', '!', '?', ';']);
            if called.to_lowercase() == self.mention {
                self.mentions_us = true;
                kept.push_str(&word[bare.len()..]);
            } else {
                kept.push_str(word);
            }
        }
        kept
    }

    fn put(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.html.push_str("&amp;"),
                '<' => self.html.push_str("&lt;"),
                _ => self.html.push(character),
            }
        }
    }

    fn tag(&mut self, name: &[u8], slash: &str) {
        if self.skipped == 0 && self.link.is_none() {
            self.html.push('<');
            self.html.push_str(slash);
            self.html.push_str(&String::from_utf8_lossy(name));
            self.html.push('>');
        }
    }
}

/// What an element is to us, as Discourse and Misago use it.
fn role(tag: &StartTag<()>) -> Role {
    let class = tag.attributes.get(&HtmlString(b"class".to_vec()));
    let class = class.map(|class| String::from_utf8_lossy(class).into_owned()).unwrap_or_default();
    let has = |wanted: &str| class.split_ascii_whitespace().any(|class| class == wanted);
    match tag.name.as_slice() {
        b"aside" if has("quote") || has("quote-block") || has("misago-quote") => Role::Quote,
        b"div" if has("quote-block") => Role::Quote,
        // What Discourse cut off a reply by mail, and what somebody copied out of a chat.
        b"details" if has("elided") => Role::Quote,
        _ if has("chat-transcript") => Role::Quote,
        // What the writer struck out the writer takes back.
        b"s" | b"del" | b"strike" => Role::Skipped,
        b"pre" => Role::Code,
        b"a" => Role::Link,
        // The title of something folded up is not among the words in it.
        b"summary" => Role::Skipped,
        b"audio" | b"video" | b"iframe" | b"picture" | b"svg" => Role::Skipped,
        _ if has("onebox") || has("inline-onebox-loading") || has("poll") || has("lightbox-wrapper") => Role::Skipped,
        _ if has("post-attachments") || has("embed-responsive") || has("quote-controls") => Role::Skipped,
        _ => Role::Plain,
    }
}

fn is_empty(name: &[u8]) -> bool {
    matches!(name, b"br" | b"hr" | b"img" | b"input" | b"meta" | b"link" | b"source" | b"wbr" | b"embed" | b"col")
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::post::forum::Author;

    fn words(html: &str) -> PostWords {
        answering(html, &[])
    }

    fn answering(html: &str, ours: &[&str]) -> PostWords {
        let post = Post {
            id: "1-2".to_owned(),
            thread: "1".to_owned(),
            is_private: false,
            author: Author { id: "5".to_owned(), name: "ania".to_owned() },
            posted: DateTime::UNIX_EPOCH,
            changed: DateTime::UNIX_EPOCH,
            answers: None,
            html: html.to_owned(),
            source: None,
            is_deleted: false,
        };
        post.words("Cursus", &Sent::new(ours.iter().copied()))
    }

    #[test]
    fn a_discourse_quote_is_not_the_authors() {
        let found = words(
            "<aside class=\"quote no-group\" data-username=\"cursus\" data-post=\"3\" data-topic=\"17\">\n\
             <div class=\"title\">\n<div class=\"quote-controls\"></div>\n<img alt=\"\" width=\"24\" height=\"24\" \
             src=\"/a.png\" class=\"avatar\"> cursus:</div>\n<blockquote>\n<p>build Knossos 1<br>\nbuild Thera 1</p>\n\
             </blockquote>\n</aside>\n<p>build Knossos 2<br>\ndone</p>",
        );
        assert_eq!((found.text.as_str(), found.in_code, found.mentions_us), ("build Knossos 2\ndone", false, false));
        assert_eq!(found.ignored.quoted, 3);
    }

    #[test]
    fn code_is_the_authors_own_line_by_line() {
        let found = words(
            "<p>My orders:</p>\n<pre data-code-wrap=\"auto\"><code class=\"lang-auto\">move 3 Crete -&gt; Thera\n\
             > attack Knossos\n\nThanks,\nAnia\n</code></pre>\n<p>And one more:</p><pre><code>done</code></pre>",
        );
        let code = "move 3 Crete -> Thera\n> attack Knossos\n\nThanks,\nAnia";
        assert_eq!(found.text, format!("My orders:\n{code}\nAnd one more:\ndone"));
        assert!(found.in_code);
        let quoted = words("<blockquote><pre><code>build Thera 1\n</code></pre></blockquote><p>no</p>");
        assert_eq!((quoted.text.as_str(), quoted.in_code), ("no", false), "code in a quotation is another's");
    }

    #[test]
    fn mentions_of_us_are_noted_and_taken_out() {
        let found = words("<p><a class=\"mention\" href=\"/u/cursus\">@cursus</a> build Thera 2</p>");
        assert_eq!((found.text.as_str(), found.mentions_us), ("build Thera 2", true));
        let found = words("<p><a href=\"/u/cursus/2/\">@Cursus</a>: sign me up, <a href=\"/u/bob/4/\">@Bob</a></p>");
        assert_eq!((found.text.as_str(), found.mentions_us), (": sign me up, @Bob", true));
        let found = words("<p>@CURSUS, done. I am at ania@cursus.example</p>");
        assert_eq!((found.text.as_str(), found.mentions_us), ("done. I am at ania@cursus.example", true));
        assert!(!words("<p>the cursus honorum, @cursus2</p>").mentions_us);
    }

    #[test]
    fn previews_polls_pictures_and_emoji_are_left_out() {
        let found = words(
            "<p>done <img src=\"/images/emoji/smile.png\" title=\":smile:\" class=\"emoji\" alt=\":smile:\"></p>\n\
             <aside class=\"onebox allowlistedgeneric\" data-onebox-src=\"https://x.example\"><header>x.example</header>\
             <article class=\"onebox-body\"><h3><a href=\"https://x.example\">build Thera 9</a></h3><p>move</p></article>\
             </aside>\n<div class=\"poll\" data-poll-name=\"poll\"><ul><li>attack</li><li>wait</li></ul></div>\n\
             <p><div class=\"lightbox-wrapper\"><a class=\"lightbox\" href=\"/x.png\"><img src=\"/x.png\"><div \
             class=\"meta\"><span class=\"filename\">map</span></div></a></div></p>",
        );
        assert_eq!(found.text, "done");
        assert_eq!(found.ignored.other, 3);
    }

    #[test]
    fn what_is_folded_up_or_hidden_is_the_authors() {
        let found = words(
            "<details>\n<summary>\nMy orders</summary>\n<p>build Thera 2</p>\n</details>\n\
             <div class=\"spoiler\">\n<p>move 2 Crete → Thera</p>\n</div><p><span class=\"spoiler\">done</span></p>",
        );
        assert_eq!(
            found.text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(),
            ["build Thera 2", "move 2 Crete → Thera", "done"]
        );
    }

    #[test]
    fn what_discourse_cut_off_a_reply_by_mail_is_not_the_authors() {
        let found = words(
            "<p>2 Crete → Thera</p>\n<details class=\"elided\">\n<summary title=\"Show trimmed content\">&#183;&#183;&#183;\
             </summary>\n<p>Phase 3, Movement:</p>\n<pre><code>done</code></pre>\n<p>ok</p>\n</details>\n<p>pass</p>",
        );
        assert_eq!((found.text.as_str(), found.in_code), ("2 Crete → Thera\n\npass", false));
        assert_eq!((found.ignored.quoted, found.ignored.other), (3, 1));
    }

    #[test]
    fn what_is_struck_out_is_taken_back() {
        let found = words(
            "<p><s>move 2 Crete → Thera</s><br>\n<del>done</del> wait<br>\nmove <strike>2</strike> 3 Crete → Naxos</p>\n\
             <p>~~build Thera 2~~<br>\n~~build Naxos 1<br>\ndone~~</p>",
        );
        assert_eq!(found.text, "wait\nmove 3 Crete → Naxos");
        assert_eq!(found.ignored.other, 6);
        let code = words("<pre><code>~~done~~\n[quote]\nwait\n[/quote]</code></pre>");
        assert_eq!(code.text, "~~done~~\n[quote]\nwait\n[/quote]", "code is kept as it is");
    }

    #[test]
    fn what_is_copied_from_a_chat_is_not_the_authors() {
        let found = words(
            "<div class=\"chat-transcript\" data-message-id=\"12\" data-username=\"cursus\">\n<div \
             class=\"chat-transcript-user\"><div class=\"chat-transcript-username\">cursus</div></div>\n<div \
             class=\"chat-transcript-messages\">\n<p>done</p></div>\n</div>\n<p>wait</p>",
        );
        assert_eq!((found.text.as_str(), found.ignored.quoted), ("wait", 2));
        let shown = words("<p>[chat quote=\"cursus;1;2026\"]<br>done<br>[/chat]<br>wait</p>");
        assert_eq!((shown.text.as_str(), shown.ignored.quoted), ("wait", 3));
        let quoted = words("<p>[quote=cursus]<br>done<br>[/quote]</p><p>wait</p>");
        assert_eq!(quoted.text, "wait");
    }

    #[test]
    fn our_own_post_pasted_into_another_is_known() {
        let ours = "You are asked for your movement by Wednesday.\n\nYOUR FORM\nPhase 3, Movement:\n    done\nIf you do nothing: \
                    tokens stay.";
        let html = "<p>You are asked for your movement by Wednesday.</p><h3>YOUR FORM</h3><p>Phase 3, Movement:</p>\
                    <pre><code>done\n</code></pre><p>If you do nothing: tokens stay.</p>";
        let found = answering(&format!("<p>2 Crete → Thera</p>{html}<p>pass</p>"), &[ours]);
        assert_eq!((found.text.as_str(), found.in_code, found.ignored.quoted), ("2 Crete → Thera\n\npass", false, 5));
        // A line of the form alone is the author's, in code or not.
        let found = answering("<p>2 Crete → Thera</p><pre><code>done\n</code></pre>", &[ours]);
        assert_eq!((found.text.as_str(), found.in_code), ("2 Crete → Thera\ndone", true));
    }

    #[test]
    fn lists_are_lines_and_signatures_go() {
        let found = words("<ul>\n<li>build Thera 2</li>\n<li>done</li>\n</ul>\n<p>-- <br>Ania, queen of Crete</p>");
        assert_eq!((found.text.as_str(), found.ignored.signature), ("- build Thera 2\n- done", 2));
    }

    #[test]
    fn a_misago_quote_is_not_the_authors() {
        let found = words(
            "<aside class=\"quote-block\">\n<div class=\"quote-heading\" data-noquote=\"1\">Cursus has written:</div>\n\
             <blockquote class=\"quote-body\" data-author=\"Cursus\">\n<p>build Knossos 1</p>\n</blockquote>\n</aside>\n\
             <p>build Knossos 2<br>\ndone</p>",
        );
        assert_eq!((found.text.as_str(), found.ignored.quoted), ("build Knossos 2\ndone", 2));
    }

    #[test]
    fn nothing_breaks_it() {
        assert_eq!(words("").text, "");
        assert_eq!(words(&format!("{}x", "<div>".repeat(30_000))).text, "");
        assert_eq!(words("</p></a></pre><a>x<a>y<pre>z").text, "xyz");
        assert_eq!(words("<p>a < b &amp; c &lt; d</p>").text, "a < b & c < d");
    }
}
