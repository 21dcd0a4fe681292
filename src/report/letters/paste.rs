//! The public record as text that a person pastes into a board: in the board's own marks, in Markdown, or without any.
//!
//! Comes in: what a template has written. Goes out: a [`Pasted`]. BBCode keeps to the marks that phpBB, MyBB, SMF, vBulletin
//! and XenForo share: `[b]`, `[i]`, `[list]`, `[quote]` and `[code]`. What a person wrote is never markup: behind a bracket, a
//! sign of a mention and the slashes of an address stands a word joiner, which nobody sees. The picture has no place in a
//! text; whoever pastes it uploads the picture of the letter.

use super::markdown::{JOINER, markdown};
use super::paper::{self, ARROW, PaperLine, kind, link, said, spans, table};

/// How a board marks its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Markup {
    /// `[b]…[/b]`: phpBB, MyBB, SMF, vBulletin, XenForo.
    BbCode,
    /// `**…**`.
    Markdown,
    /// No marks at all.
    Plain,
}

impl Markup {
    /// All of them, in the sequence they are offered.
    pub const ALL: [Markup; 3] = [Markup::BbCode, Markup::Markdown, Markup::Plain];

    /// What it is called in a command and in the name of a file.
    pub fn name(self) -> &'static str {
        match self {
            Markup::BbCode => "bbcode",
            Markup::Markdown => "markdown",
            Markup::Plain => "plain",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Markup> {
        Markup::ALL.into_iter().find(|markup| markup.name() == name)
    }
}

/// A letter as text to paste.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pasted {
    /// The title, for a board that wants one.
    pub title: String,
    /// For boards with BBCode.
    pub bbcode: String,
    /// For boards with Markdown.
    pub markdown: String,
    pub plain: String,
}

impl Pasted {
    /// What a template has written, in every markup. The foot of a letter is for those who answer it, and stays away.
    pub fn of(written: &str) -> Pasted {
        let (title, body) = paper::parted(written);
        let body: Vec<&str> = body.lines().take_while(|line| PaperLine::of(line) != PaperLine::Foot).collect();
        let body = body.join("\n");
        let plain = format!("{title}\n\n{}", paper::text(&body).trim());
        Pasted {
            title: title.to_owned(),
            bbcode: bbcode(title, &body),
            markdown: markdown(Some(title), &body, false).trim().to_owned(),
            plain: plain.trim().to_owned(),
        }
    }

    /// The record in one of its markups.
    pub fn text(&self, markup: Markup) -> &str {
        match markup {
            Markup::BbCode => &self.bbcode,
            Markup::Markdown => &self.markdown,
            Markup::Plain => &self.plain,
        }
    }
}

fn bbcode(title: &str, body: &str) -> String {
    let lines: Vec<PaperLine> = body.lines().map(PaperLine::of).collect();
    let parts = lines.chunk_by(|one, other| kind(one) == kind(other) && !matches!(one, PaperLine::Heading(_)));
    let head = (!title.is_empty()).then(|| format!("[b]{}[/b]", words(title)));
    head.into_iter().chain(parts.filter_map(block)).collect::<Vec<_>>().join("\n\n")
}

fn block(part: &[PaperLine]) -> Option<String> {
    let each = |before: &str, after: &str| {
        let lines = part.iter().filter_map(said).map(|said| format!("{before}{}{after}", words(said)));
        lines.collect::<Vec<_>>().join("\n")
    };
    match part.first()? {
        PaperLine::Heading(_) | PaperLine::Call(_) => Some(each("[b]", "[/b]")),
        PaperLine::Item(_) => Some(format!("[list]\n{}\n[/list]", each("[*]", ""))),
        PaperLine::Place(_) => {
            let lines = part.iter().filter_map(said).map(|said| match said.split_once(ARROW) {
                Some((head, tail)) => format!("[*][b]{}[/b]{ARROW}{}", words(head), words(tail)),
                None => format!("[*][b]{}[/b]", words(said)),
            });
            Some(format!("[list]\n{}\n[/list]", lines.collect::<Vec<_>>().join("\n")))
        }
        PaperLine::Quote(_) => Some(format!("[quote]\n{}\n[/quote]", each("", ""))),
        PaperLine::Plain(_) => Some(each("", "")),
        PaperLine::Row(_) => Some(code(&table(part))),
        PaperLine::Order(_) => {
            let lines: Vec<&str> = part.iter().filter_map(said).collect();
            let least = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
            Some(code(&lines.iter().map(|line| line.get(least..).unwrap_or(line).to_owned()).collect::<Vec<_>>()))
        }
        PaperLine::Link(_) => {
            let links = part.iter().filter_map(said).filter_map(link);
            Some(links.map(|(said, address)| format!("{} {address}", words(said))).collect::<Vec<_>>().join("\n"))
        }
        PaperLine::Taps(_) | PaperLine::Map | PaperLine::Foot | PaperLine::Blank => None,
    }
}

/// Lines as they are. Nothing in them can end the block.
fn code(lines: &[String]) -> String {
    let lines = lines.iter().map(|line| {
        let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
        line.replace("[/", &format!("[{JOINER}/"))
    });
    format!("[code]\n{}\n[/code]", lines.collect::<Vec<_>>().join("\n"))
}

/// A line with its orders set apart.
fn words(line: &str) -> String {
    let parts = spans(line.trim()).map(|(is_order, part)| {
        if is_order && !part.trim().is_empty() {
            format!("[i]{}[/i]", literal(part))
        } else if is_order {
            format!("`{}`", literal(part))
        } else {
            literal(part)
        }
    });
    parts.collect()
}

/// A text in which nothing is a mark, a mention or a link.
fn literal(text: &str) -> String {
    let letters: Vec<char> = text.chars().filter(|letter| !letter.is_control()).collect();
    let mut said = String::with_capacity(text.len() + 8);
    for (at, letter) in letters.iter().enumerate() {
        said.push(*letter);
        let next = letters.get(at + 1).copied().unwrap_or(' ');
        let is_parted = match letter {
            // The number of a rule is no mark of any board.
            '[' => !(next == 'R' && letters.get(at + 2).is_some_and(char::is_ascii_digit)),
            '@' => !next.is_whitespace(),
            '/' => next == '/',
            _ => false,
        };
        said.extend(is_parted.then_some(JOINER));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITTEN: &str = "Thera: turn 3\n\n# World\n! Orders by Monday.\n\nOne line\nand `ok`\n- a [R3.6]\n- b\n: [b]words[/b]\n\
                           |  |cities\n|Egypt|3\n[map]\n  move 1 A > B\n    [/code]done\n~ Thera → 2 tokens\n[taps]\n-- \nfoot";

    #[test]
    fn a_letter_is_text_to_paste_in_every_markup() {
        let pasted = Pasted::of(WRITTEN);
        assert_eq!(pasted.title, "Thera: turn 3");
        assert_eq!(
            pasted.bbcode,
            "[b]Thera: turn 3[/b]\n\n[b]World[/b]\n\n[b]Orders by Monday.[/b]\n\nOne line\nand [i]ok[/i]\n\n[list]\n\
             [*]a [R3.6]\n[*]b\n[/list]\n\n[quote]\n[\u{2060}b]words[\u{2060}/b]\n[/quote]\n\n[code]\n      cities\n\
             Egypt      3\n[/code]\n\n[code]\nmove 1 A > B\n  [\u{2060}/code]done\n[/code]\n\n[list]\n[*][b]Thera[/b] → 2 tokens\n\
             [/list]"
        );
        assert!(pasted.plain.starts_with("Thera: turn 3\n\nWORLD\nOrders by Monday."), "{}", pasted.plain);
        assert!(pasted.markdown.starts_with("# Thera: turn 3\n\n## World"), "{}", pasted.markdown);
        for markup in Markup::ALL {
            let text = pasted.text(markup);
            assert!(!text.contains("foot") && !text.contains("cid:") && !text.contains("[taps]"), "{text}");
            assert_eq!(Markup::named(markup.name()), Some(markup));
        }
        assert_eq!(Markup::named("html"), None);
    }

    #[test]
    fn nothing_that_a_person_wrote_is_a_mark() {
        for (written, said) in [
            ("[img]http://x.example/y.png[/img]", "[\u{2060}img]http:/\u{2060}/x.example/y.png[\u{2060}/img]"),
            ("@anna and a @ b", "@\u{2060}anna and a @ b"),
            ("[Rest] [R3.6, R3.8]", "[\u{2060}Rest] [R3.6, R3.8]"),
            ("`[url]`", "[i][\u{2060}url][/i]"),
            ("` alone", "` alone"),
            ("a\u{7}b", "ab"),
        ] {
            assert_eq!(words(written), said, "{written}");
        }
    }
}
