//! A letter for a forum: the lines of the paper as Markdown.
//!
//! Comes in: what a template has written. Goes out: a post that Discourse and Misago show alike. What a person wrote is
//! never markup, for every letter of the text that could be is written as a character reference, which no forum reads for
//! marks. Mentions and links are found after that, in the text as it is shown: there a word joiner stands in between, which
//! nobody sees. Orders and tables are blocks of code: they can be copied as they are, and Misago knows no tables.

use super::paper::{ARROW, PaperLine, kind, link, said, spans, table};

/// The letter as Markdown, with its subject at its head; the picture is `![map](cid:map)`.
pub(crate) fn markdown(subject: Option<&str>, written: &str, has_map: bool) -> String {
    let lines: Vec<PaperLine> = written.lines().map(PaperLine::of).collect();
    let (body, foot) = match lines.iter().position(|line| *line == PaperLine::Foot) {
        Some(at) => (&lines[..at], &lines[at + 1..]),
        None => (&lines[..], &[][..]),
    };
    let parts = body.chunk_by(|one, other| kind(one) == kind(other) && !matches!(one, PaperLine::Heading(_)));
    let mut blocks: Vec<String> = subject.map(|subject| format!("# {}", words(subject))).into_iter().collect();
    blocks.extend(parts.filter_map(|part| block(part, has_map)));
    let foot: Vec<String> = foot.iter().filter_map(said).map(|said| format!("*{}*", words(said))).collect();
    if !foot.is_empty() {
        blocks.extend(["---".to_owned(), foot.join(BREAK)]);
    }
    blocks.join("\n\n") + "\n"
}

/// A new line within a paragraph, also where a single break is none.
const BREAK: &str = "  \n";
/// Parts a word without being seen.
pub(crate) const JOINER: char = '\u{2060}';

fn block(part: &[PaperLine], has_map: bool) -> Option<String> {
    let each = |before: &str, after: &str, between: &str| {
        let lines =
            part.iter().filter_map(said).map(|said| format!("{before}{}{after}", words(said)).trim().to_owned());
        Some(lines.collect::<Vec<_>>().join(between))
    };
    match part.first()? {
        PaperLine::Heading(_) => each("## ", "", "\n\n"),
        PaperLine::Call(_) => each("**", "**", BREAK),
        PaperLine::Item(_) => each("- ", "", "\n"),
        PaperLine::Place(_) => {
            let lines = part.iter().filter_map(said).map(|said| match said.split_once(ARROW) {
                Some((head, tail)) => format!("- **{}**{ARROW}{}", words(head), words(tail)),
                None => format!("- **{}**", words(said)),
            });
            Some(lines.collect::<Vec<_>>().join("\n"))
        }
        PaperLine::Quote(_) => each("> ", "", BREAK),
        PaperLine::Plain(_) => each("", "", BREAK),
        PaperLine::Row(_) => Some(fenced(&table(part))),
        PaperLine::Order(_) => {
            let lines: Vec<&str> = part.iter().filter_map(said).collect();
            let least = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
            let lines: Vec<String> = lines.iter().map(|line| line.get(least..).unwrap_or(line).to_owned()).collect();
            Some(fenced(&lines))
        }
        PaperLine::Link(_) => {
            let links = part.iter().filter_map(said).filter_map(link);
            let lines = links.map(|(said, address)| format!("{} <{address}>", words(said)));
            Some(lines.collect::<Vec<_>>().join(BREAK))
        }
        // Whoever reads a forum answers there.
        PaperLine::Taps(_) => None,
        PaperLine::Map => has_map.then(|| "![map](cid:map)".to_owned()),
        PaperLine::Foot | PaperLine::Blank => None,
    }
}

/// Lines as they are, behind a fence that none of them can close.
fn fenced(lines: &[String]) -> String {
    let longest = lines.iter().flat_map(|line| line.split(|letter| letter != '`')).map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    let lines = lines.iter().map(|line| line.chars().filter(|letter| !letter.is_control()).collect::<String>());
    format!("{fence}text\n{}\n{fence}", lines.collect::<Vec<_>>().join("\n"))
}

/// A line with its orders set apart.
fn words(line: &str) -> String {
    let mut said = String::with_capacity(line.len() + 16);
    for (is_order, part) in spans(line.trim()) {
        // Misago looks for its own marks also between backticks.
        if is_order && !part.trim().is_empty() && !part.contains(['[', '!', '\t']) {
            said += &format!("`{part}`")
        } else if is_order {
            said += &format!("&#96;{}&#96;", literal(part, false))
        } else {
            said += &literal(part, said.is_empty())
        }
    }
    said
}

/// A text in which nothing is markup, a mention or a link. At the head of a line some signs mean more.
fn literal(text: &str, at_head: bool) -> String {
    let letters: Vec<char> = text.chars().filter(|letter| !letter.is_control()).collect();
    let number = letters.iter().take_while(|letter| letter.is_ascii_digit()).count();
    let mut said = String::with_capacity(text.len() + 16);
    for (at, letter) in letters.iter().copied().enumerate() {
        let next = letters.get(at + 1).copied().unwrap_or(' ');
        let is_marked = match letter {
            '&' | '<' | '>' | '*' | '_' | '[' | ']' | '`' | '|' | '~' | '\\' | '#' | '$' | '^' | '{' => true,
            '!' => next == '(',
            '-' | '+' | '=' => at_head && at == 0,
            // `1. ` would be a list.
            '.' | ')' => at_head && at == number && number > 0,
            _ => false,
        };
        if is_marked {
            said += &format!("&#{};", u32::from(letter))
        } else {
            said.push(letter)
        }
        let is_parted = match letter {
            '@' | '#' => !next.is_whitespace(),
            '/' => next == '/',
            '.' => {
                let is_name = |at: usize| letters.get(at).is_some_and(|letter| letter.is_alphabetic());
                at > 0 && letters[at - 1].is_alphanumeric() && is_name(at + 1) && is_name(at + 2)
            }
            // A picture: `:smile:`.
            ':' => {
                let name =
                    letters[at + 1..].iter().take_while(|letter| letter.is_alphanumeric() || "_+-".contains(**letter));
                let length = name.count();
                next == '/' || (length > 0 && letters.get(at + 1 + length) == Some(&':'))
            }
            _ => false,
        };
        said.extend(is_parted.then_some(JOINER));
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_markdown() {
        let written = "# You\n! Reply `ok`.\n\n\nOne line\nand another\n- a\n- b [R3.6]\n: # no mark\n:\n: 1. words\n\
                       |  |cities|A.S.T.\n|Egypt|3|12\n[map]\n    move 1 A > B\n      done\n-- \nfoot";
        let post = "## You\n\n**Reply `ok`.**\n\nOne line  \nand another\n\n- a\n- b &#91;R3.6&#93;\n\n\
                    > &#35; no mark  \n>  \n> 1&#46; words\n\n```text\n      cities A.S.T.\nEgypt      3     12\n```\n\n\
                    ![map](cid:map)\n\n```text\nmove 1 A > B\n  done\n```\n\n---\n\n*foot*\n";
        assert_eq!(markdown(None, written, true), post);
        assert_eq!(markdown(Some("A *game*"), written, true), format!("# A &#42;game&#42;\n\n{post}"));
        assert!(!markdown(None, written, false).contains("cid:map"));
    }

    #[test]
    fn nothing_that_a_person_wrote_is_markup() {
        for (written, said) in [
            ("<b>*bold*</b> _it_", "&#60;b&#62;&#42;bold&#42;&#60;/b&#62; &#95;it&#95;"),
            ("[x](y) ![z](w) !(v)", "&#91;x&#93;(y) !&#91;z&#93;(w) &#33;(v)"),
            ("- item", "&#45; item"),
            ("--", "&#45;-"),
            ("12) item", "12&#41; item"),
            ("3.5 and 20:00", "3&#46;5 and 20:00"),
            ("A.S.T. and e.g. this", "A.S.T. and e.g. this"),
            ("@anna, a@b.example", "@\u{2060}anna, a@\u{2060}b.\u{2060}example"),
            ("https://a.example/b", "https:\u{2060}/\u{2060}/a.\u{2060}example/b"),
            ("#tag # head", "&#35;\u{2060}tag &#35; head"),
            (":smile: 12:30", ":\u{2060}smile: 12:30"),
            ("a|b ~~c~~ $d$ \\e", "a&#124;b &#126;&#126;c&#126;&#126; &#36;d&#36; &#92;e"),
            ("`ok` and ` alone", "`ok` and &#96; alone"),
            ("``x`` `[code]`", "&#96;&#96;x&#96;&#96; &#96;&#91;code&#93;&#96;"),
            ("a\u{7}b\tc", "abc"),
        ] {
            assert_eq!(words(written), said, "{written}");
        }
        let orders = ["a ``` b".to_owned(), "````".to_owned()];
        assert_eq!(fenced(&orders), "`````text\na ``` b\n````\n`````");
    }
}
