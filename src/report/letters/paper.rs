//! The paper of a letter: lines with a mark each, as plain text.
//!
//! Comes in: what a template has written. Goes out: the subject and the text. The marks at the head of a line:
//!
//! | mark | line |
//! |---|---|
//! | `# ` | a heading |
//! | `! ` | what the reader must not miss |
//! | `- ` | one of several |
//! | `: ` | somebody's own words, which are never read for marks |
//! | `\|` | a row of a table, its cells parted by `\|`; the first is the head |
//! | two spaces | an order, or what stands below one |
//! | `[map]` | the map, in HTML |
//! | `-- ` | the foot begins |
//!
//! The first line is the subject.

/// A line of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    /// A heading.
    Heading(&'a str),
    /// What the reader must not miss.
    Call(&'a str),
    /// One of several.
    Item(&'a str),
    /// Somebody's own words.
    Quote(&'a str),
    /// A row of a table.
    Row(&'a str),
    /// An order, with its indentation.
    Order(&'a str),
    /// The map.
    Map,
    /// The foot begins.
    Foot,
    /// Nothing.
    Blank,
    /// A line of a paragraph.
    Plain(&'a str),
}

impl Line<'_> {
    /// Reads the mark of a line.
    pub fn of(line: &str) -> Line<'_> {
        let line = line.trim_end();
        let marked = |mark| line.strip_prefix(mark);
        match line {
            "" => Line::Blank,
            "[map]" => Line::Map,
            "--" => Line::Foot,
            ":" => Line::Quote(""),
            _ => None
                .or_else(|| marked("# ").map(Line::Heading))
                .or_else(|| marked("! ").map(Line::Call))
                .or_else(|| marked("- ").map(Line::Item))
                .or_else(|| marked(": ").map(Line::Quote))
                .or_else(|| marked("|").map(Line::Row))
                .or_else(|| marked("  ").map(|_| Line::Order(line)))
                .unwrap_or(Line::Plain(line)),
        }
    }
}

/// The subject and the rest of a letter that a template has written.
pub fn parted(written: &str) -> (&str, &str) {
    let (subject, rest) = written.trim_start().split_once('\n').unwrap_or((written, ""));
    (subject.trim(), rest)
}

/// The cells of a row.
pub fn cells(row: &str) -> impl Iterator<Item = &str> {
    row.split('|').map(str::trim)
}

/// The letter as plain text.
pub fn text(written: &str) -> String {
    let lines: Vec<Line> = written.lines().map(Line::of).collect();
    let mut said: Vec<String> = Vec::new();
    for part in lines.chunk_by(|one, other| matches!((one, other), (Line::Row(_), Line::Row(_)))) {
        match part {
            [Line::Row(_), ..] => said.extend(table(part)),
            lines => said.extend(lines.iter().filter_map(plain)),
        }
    }
    // A section that is left out leaves no gap.
    said.dedup_by(|next, line| next.is_empty() && line.is_empty());
    format!("{}\n", said.join("\n").trim())
}

fn plain(line: &Line) -> Option<String> {
    match line {
        Line::Heading(title) => Some(title.to_uppercase()),
        Line::Call(said) | Line::Quote(said) | Line::Plain(said) | Line::Order(said) => Some((*said).to_owned()),
        Line::Item(said) => Some(format!("- {said}")),
        Line::Foot => Some("-- ".to_owned()),
        Line::Blank => Some(String::new()),
        Line::Row(_) | Line::Map => None,
    }
}

/// A table whose first column stands left, the others right.
fn table(rows: &[Line]) -> Vec<String> {
    let rows = rows.iter().filter_map(|row| match row {
        Line::Row(row) => Some(cells(row).collect()),
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
}
