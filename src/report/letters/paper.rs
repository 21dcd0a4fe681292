//! The paper of a letter: lines with a mark each, as plain text and as HTML; `markdown.rs` has them as a post.
//!
//! Comes in: what a template has written. Goes out: the subject, the text, and the blocks that `frame.html` puts into
//! their places. The marks at the head of a line:
//!
//! | mark | line |
//! |---|---|
//! | `# ` | a heading |
//! | `! ` | what the reader must not miss |
//! | `- ` | one of several |
//! | `: ` | somebody's own words, which are never read for marks |
//! | `\|` | a row of a table, its cells parted by `\|`; the first row is the head, and `*` marks the reader's own |
//! | `~ ` | a place: what stands there, an arrow, and what is beside it |
//! | two spaces | an order, or what stands below one |
//! | `@ ` | a link of ours: words, and behind the last space the address |
//! | `[map]` | the map, in HTML |
//! | `[taps]`, `[taps offers]` | answers that are sent with a tap, in HTML |
//! | `-- ` | the foot begins |
//!
//! The first line is the subject. In HTML what stands between backticks is an order, and the number of a rule is small.

use minijinja::{Value, context};

/// A line of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PaperLine<'a> {
    Heading(&'a str),
    /// What the reader must not miss.
    Call(&'a str),
    Item(&'a str),
    Quote(&'a str),
    /// A row of a table.
    Row(&'a str),
    /// A place, and what is beside it behind an arrow.
    Place(&'a str),
    /// An order, with its indentation.
    Order(&'a str),
    /// A link of ours: words, and the address behind them.
    Link(&'a str),
    Map,
    /// Answers that are sent with a tap, of this kind.
    Taps(TapKind),
    Foot,
    Blank,
    /// A line of a paragraph.
    Plain(&'a str),
}

/// What an answer that is sent with a tap is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TapKind {
    Form,
    Offer,
}

impl PaperLine<'_> {
    /// Reads the mark of a line.
    pub(crate) fn of(line: &str) -> PaperLine<'_> {
        let line = line.trim_end();
        let marked = |mark| line.strip_prefix(mark);
        match line {
            "" => PaperLine::Blank,
            "[map]" => PaperLine::Map,
            "[taps]" => PaperLine::Taps(TapKind::Form),
            "[taps offers]" => PaperLine::Taps(TapKind::Offer),
            "--" => PaperLine::Foot,
            ":" => PaperLine::Quote(""),
            _ => None
                .or_else(|| marked("# ").map(PaperLine::Heading))
                .or_else(|| marked("! ").map(PaperLine::Call))
                .or_else(|| marked("- ").map(PaperLine::Item))
                .or_else(|| marked(": ").map(PaperLine::Quote))
                .or_else(|| marked("@ ").filter(|said| link(said).is_some()).map(PaperLine::Link))
                .or_else(|| marked("|").map(PaperLine::Row))
                .or_else(|| marked("~ ").map(PaperLine::Place))
                .or_else(|| marked("  ").map(|_| PaperLine::Order(line)))
                .unwrap_or(PaperLine::Plain(line)),
        }
    }
}

/// The subject and the rest of a letter that a template has written.
pub(crate) fn parted(written: &str) -> (&str, &str) {
    let (subject, rest) = written.trim_start().split_once('\n').unwrap_or((written, ""));
    (subject.trim(), rest)
}

/// The words and the address of a link.
pub(crate) fn link(said: &str) -> Option<(&str, &str)> {
    let (words, address) = said.rsplit_once(' ')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ":/.-[]".contains(c);
    // A seat's page, or that which everybody may see.
    let is_ours = ["https://", "http://"].iter().any(|start| address.starts_with(start))
        && ["/p/", "/g/"].iter().any(|way| address.contains(way));
    (is_ours && address.chars().all(is_plain)).then_some((words, address))
}

/// The cells of a row.
pub(crate) fn cells(row: &str) -> impl Iterator<Item = &str> {
    row.split('|').map(str::trim)
}

/// The letter as plain text.
pub(crate) fn text(written: &str) -> String {
    let lines: Vec<PaperLine> = written.lines().map(PaperLine::of).collect();
    let mut said: Vec<String> = Vec::new();
    for part in lines.chunk_by(|one, other| matches!((one, other), (PaperLine::Row(_), PaperLine::Row(_)))) {
        match part {
            [PaperLine::Row(_), ..] => said.extend(table(part)),
            lines => said.extend(lines.iter().filter_map(plain)),
        }
    }
    // A section that is left out leaves no gap.
    said.dedup_by(|next, line| next.is_empty() && line.is_empty());
    format!("{}\n", said.join("\n").trim())
}

fn plain(line: &PaperLine) -> Option<String> {
    match line {
        PaperLine::Heading(title) => Some(title.to_uppercase()),
        PaperLine::Call(said) | PaperLine::Quote(said) | PaperLine::Plain(said) => Some((*said).to_owned()),
        PaperLine::Order(said) | PaperLine::Link(said) => Some((*said).to_owned()),
        PaperLine::Item(said) | PaperLine::Place(said) => Some(format!("- {said}")),
        PaperLine::Foot => Some("-- ".to_owned()),
        PaperLine::Blank => Some(String::new()),
        PaperLine::Row(_) | PaperLine::Map | PaperLine::Taps(_) => None,
    }
}

/// A table whose first column stands left, the others right.
pub(crate) fn table(rows: &[PaperLine]) -> Vec<String> {
    let rows = rows.iter().filter_map(|row| match row {
        PaperLine::Row(row) => Some(cells(row).collect()),
        _ => None,
    });
    let rows: Vec<Vec<&str>> = rows.collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<&str>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!("{cell:width$}"),
            _ => format!(" {cell:>width$}"),
        });
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// A link that opens an answer with its line filled in, or the order page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tap {
    /// What it is about.
    pub kind: TapKind,
    pub href: String,
    pub label: String,
}

/// The letter as blocks for the frame of the HTML: of each the kind and what it holds, escaped.
pub(crate) fn blocks(written: &str, has_map: bool, taps: &[Tap]) -> Vec<Value> {
    let lines: Vec<PaperLine> = written.lines().map(PaperLine::of).collect();
    let (body, foot) = match lines.iter().position(|line| *line == PaperLine::Foot) {
        Some(at) => (&lines[..at], &lines[at + 1..]),
        None => (&lines[..], &[][..]),
    };
    let parts = body.chunk_by(|one, other| kind(one) == kind(other) && !matches!(one, PaperLine::Heading(_)));
    let mut blocks: Vec<Value> = parts.filter_map(|part| block(part, has_map, taps)).collect();
    let foot: Vec<Value> = foot.iter().filter_map(said).map(|said| safe(inline(said))).collect();
    blocks.extend((!foot.is_empty()).then(|| context! { kind => "foot", lines => foot }));
    blocks
}

fn block(part: &[PaperLine], has_map: bool, taps: &[Tap]) -> Option<Value> {
    let kind = kind(part.first()?);
    match kind {
        "blank" => None,
        "map" if !has_map => None,
        "taps" => {
            let is_here = |tap: &&Tap| part.contains(&PaperLine::Taps(tap.kind));
            let here = taps.iter().filter(is_here);
            let here = here.map(|tap| context! { href => safe(escaped(&tap.href)), label => tap.label.as_str() });
            let here: Vec<Value> = here.collect();
            (!here.is_empty()).then(|| context! { kind, taps => here })
        }
        "table" => {
            let rows = part.iter().filter_map(|line| match line {
                PaperLine::Row(row) => Some(row),
                _ => None,
            });
            let rows = rows.map(|row| {
                let mine = cells(row).next().is_some_and(|name| name.ends_with('*'));
                let cells: Vec<Value> = cells(row).map(|cell| safe(inline(cell.trim_end_matches('*')))).collect();
                context! { mine, cells }
            });
            Some(context! { kind, rows => rows.collect::<Vec<_>>() })
        }
        "order" => {
            let indented = |line: &PaperLine| said(line).map(|said| said.len() - said.trim_start().len());
            let least = part.iter().filter_map(indented).min().unwrap_or(0);
            let lines = part.iter().filter_map(said).map(|said| safe(escaped(said.get(least..).unwrap_or(said))));
            Some(context! { kind, lines => lines.collect::<Vec<_>>() })
        }
        "link" => {
            let lines = part.iter().filter_map(said).filter_map(link).map(|(words, address)| {
                let address = escaped(address);
                safe(format!("{} <a href=\"{address}\">{address}</a>", inline(words)))
            });
            Some(context! { kind, lines => lines.collect::<Vec<_>>() })
        }
        "place" => {
            let lines = part.iter().filter_map(said).map(|said| match said.split_once(ARROW) {
                Some((head, tail)) => safe(format!("<b>{}</b>{ARROW}{}", inline(head), inline(tail))),
                None => safe(format!("<b>{}</b>", inline(said))),
            });
            Some(context! { kind, lines => lines.collect::<Vec<_>>() })
        }
        _ => {
            let lines = part.iter().filter_map(said).map(|said| safe(inline(said)));
            Some(context! { kind, lines => lines.collect::<Vec<_>>() })
        }
    }
}

/// What kind of block a line belongs to.
pub(crate) fn kind(line: &PaperLine) -> &'static str {
    match line {
        PaperLine::Heading(_) => "heading",
        PaperLine::Call(_) => "call",
        PaperLine::Item(_) => "list",
        PaperLine::Quote(_) => "quote",
        PaperLine::Row(_) => "table",
        PaperLine::Place(_) => "place",
        PaperLine::Link(_) => "link",
        PaperLine::Order(_) => "order",
        PaperLine::Map => "map",
        PaperLine::Taps(_) => "taps",
        PaperLine::Foot => "foot",
        PaperLine::Blank => "blank",
        PaperLine::Plain(_) => "text",
    }
}

/// What a line says, without its mark.
pub(crate) fn said<'a>(line: &PaperLine<'a>) -> Option<&'a str> {
    match line {
        PaperLine::Heading(said) | PaperLine::Call(said) | PaperLine::Item(said) | PaperLine::Quote(said) => Some(said),
        PaperLine::Place(said) | PaperLine::Order(said) | PaperLine::Plain(said) | PaperLine::Link(said) => Some(said),
        PaperLine::Row(_) | PaperLine::Map | PaperLine::Taps(_) | PaperLine::Foot | PaperLine::Blank => None,
    }
}

/// What parts a place from what is beside it.
pub(crate) const ARROW: &str = " → ";

fn safe(html: String) -> Value {
    Value::from_safe_string(html)
}

/// How an order and the number of a rule look within a line. Colours that a dark page needs are in the frame.
const CODE: &str = "<code class=\"o\" style=\"font-family:ui-monospace,Menlo,Consolas,monospace;font-size:93%;\
                    background:#f1ece2;border-radius:4px;padding:1px 4px\">";
const RULE: &str = "<span class=\"r\" style=\"color:#8a7f70;font-size:80%\">";

/// A line as HTML: escaped, with orders and rules set apart.
fn inline(line: &str) -> String {
    let mut html = String::with_capacity(line.len() + 32);
    for (is_order, part) in spans(line) {
        if is_order { html += &format!("{CODE}{}</code>", escaped(part)) } else { html += &rules(part) }
    }
    html
}

/// The parts of a line, and whether each is an order: what stands between two backticks. A backtick that has no other
/// is a sign like any other.
pub(crate) fn spans(line: &str) -> impl Iterator<Item = (bool, &str)> {
    let mut rest = Some(line);
    let mut is_order = false;
    std::iter::from_fn(move || {
        let now = rest?;
        let this = is_order;
        let closes = |at: &usize| this || now[at + 1..].contains('`');
        match now.find('`').filter(closes) {
            Some(at) => {
                rest = Some(&now[at + 1..]);
                is_order = !is_order;
                Some((this, &now[..at]))
            }
            None => {
                rest = None;
                Some((this, now))
            }
        }
    })
}

/// Sets the numbers of rules apart: `[R3.6, R3.8]`.
fn rules(text: &str) -> String {
    let mut html = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let Some(length) = rest[start..].find(']') else { break };
        let number = &rest[start + 1..start + length];
        html += &escaped(&rest[..start]);
        if number.contains('.') && number.starts_with(['R', 'G', 'C', 'B']) {
            html += &format!("{RULE}[{}]</span>", escaped(number))
        } else {
            html += &escaped(&rest[start..=start + length])
        }
        rest = &rest[start + length + 1..];
    }
    html + &escaped(rest)
}

/// A text in which nothing is markup.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => html += "&amp;",
            '<' => html += "&lt;",
            '>' => html += "&gt;",
            '"' => html += "&quot;",
            '\'' => html += "&#39;",
            letter => html.push(letter),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_plain_text() {
        let written =
            "# You\n! Reply `ok`.\n\n\n: # no mark\n|  |cities|A.S.T.\n|Egypt|3|12\n[map]\n    done\n-- \nfoot";
        let said = "YOU\nReply `ok`.\n\n# no mark\n      cities A.S.T.\nEgypt      3     12\n    done\n-- \nfoot\n";
        assert_eq!(text(written), said);
        assert_eq!(parted("\nA subject \n\nbody"), ("A subject", "\nbody"));
    }

    #[test]
    fn only_a_link_of_ours_is_one() {
        let ours = "@ The page: https://a.example/p/demo.egypt.abc";
        assert_eq!(text(ours), "The page: https://a.example/p/demo.egypt.abc\n");
        let lines = blocks(ours, false, &[])[0].get_attr("lines").expect("lines").to_string();
        assert!(lines.contains("<a href=") && lines.contains("demo.egypt.abc</a>"), "{lines}");
        for other in ["@ x javascript:alert(1)/p/", "@ x https://a.example/", "@ x https://a.example/p/\"><b>", "@ x"] {
            assert_eq!(PaperLine::of(other), PaperLine::Plain(other), "{other}");
        }
    }

    #[test]
    fn nothing_in_a_line_is_markup() {
        assert_eq!(rules("<b> [R3.6] [x] [R1"), format!("&lt;b&gt; {RULE}[R3.6]</span> [x] [R1"));
        assert_eq!(inline("write `a > b` & go"), format!("write {CODE}a &gt; b</code> &amp; go"));
        assert_eq!(inline("a ` b"), "a ` b");
        assert_eq!(blocks("# A\n# B\n- x\n- y\n\n[map]\n-- \nfoot", false, &[]).len(), 4);
        assert_eq!(
            blocks("~ Petra <2 → Sinai\n~ Tyre", false, &[])[0].get_attr("lines").expect("lines").len(),
            Some(2)
        );
        assert_eq!(blocks("[map]\n: words\n:\n: more", true, &[]).len(), 2);
    }
}
