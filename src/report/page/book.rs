//! The rules and the guide in sections, for a browser that searches them.
//!
//! Comes in: the words of a language. Goes out: headings, each with its lines.

use serde::Serialize;

use super::super::guide::guide;
use super::super::templates::Templates;
use crate::rules::PrintedGame;

/// What can be looked up on the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Book {
    pub guide: Vec<Section>,
    pub rules: Vec<Section>,
}

/// A heading with what stands under it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    pub title: String,
    /// Its lines; what stands between backticks is an order.
    pub lines: Vec<String>,
}

/// The rules and the guide.
pub fn book(templates: &Templates, printed: &PrintedGame) -> Book {
    let rules = templates.rules.sections();
    let rules = rules.map(|section| Section { title: section.title.clone(), lines: section.lines.clone() });
    Book { guide: sections(&guide(templates, printed)), rules: rules.filter(|one| !one.lines.is_empty()).collect() }
}

/// Markdown as headings and lines. A paragraph is a line, and so is each row of a table and each line of a block.
fn sections(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut goes_on = false;
    for line in text.lines() {
        let plain = line.trim();
        if plain.starts_with('#') {
            sections.push(Section { title: plain.trim_start_matches('#').trim().to_owned(), lines: Vec::new() });
            goes_on = false;
            continue;
        }
        let Some(section) = sections.last_mut() else { continue };
        let is_block = line.starts_with("    ");
        let is_rule = plain.starts_with("|-") || plain.starts_with("| -") || plain.starts_with("```");
        if plain.is_empty() || is_rule {
            goes_on = false;
        } else if is_block {
            section.lines.push(format!("`{plain}`"));
            goes_on = false;
        } else if let Some(row) = plain.strip_prefix('|') {
            section.lines.push(row.trim_end_matches('|').split('|').map(str::trim).collect::<Vec<_>>().join(" · "));
        } else if let Some(item) = plain.strip_prefix("- ") {
            section.lines.push(item.to_owned());
            goes_on = true;
        } else {
            match section.lines.last_mut().filter(|_| goes_on) {
                Some(last) => *last = format!("{last} {plain}"),
                None => section.lines.push(plain.to_owned()),
            }
            goes_on = true;
        }
    }
    sections.retain(|section| !section.lines.is_empty());
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_rows_and_blocks_are_lines() {
        let text = "# Guide\n\nOne\ntwo.\n\n    move 1 Tanis > Gaza\n\n## Tables\n\n| a | b |\n|---|---|\n| 1 | `x` |\n\n- item\n  more\n";
        let lines: Vec<_> = sections(text).into_iter().map(|one| (one.title, one.lines)).collect();
        let expected =
            [("Guide", vec!["One two.", "`move 1 Tanis > Gaza`"]), ("Tables", vec!["a · b", "1 · `x`", "item more"])];
        let expected =
            expected.map(|(title, lines)| (title.to_owned(), lines.into_iter().map(str::to_owned).collect()));
        assert_eq!(lines, expected);
    }
}
