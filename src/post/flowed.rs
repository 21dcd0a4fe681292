//! Lines that a client broke to fit its window, joined again (RFC 3676).

use super::line::{Mark, TextLine};

/// The paragraphs of a `format=flowed` text. With `delsp` the space at a soft break is the client's, not the writer's.
pub(super) fn lines(text: &str, delsp: bool) -> Vec<TextLine> {
    let mut lines: Vec<TextLine> = Vec::new();
    // The depth of the paragraph that is still open.
    let mut open: Option<usize> = None;
    for raw in text.lines() {
        let depth = raw.bytes().take_while(|byte| *byte == b'>').count();
        let content = &raw[depth..];
        let content = content.strip_prefix(' ').unwrap_or(content);
        let is_delimiter = content == "-- ";
        let flows = content.ends_with(' ') && !is_delimiter;
        let piece = if flows && delsp { &content[..content.len() - 1] } else { content };
        match (open, lines.last_mut()) {
            (Some(before), Some(line)) if before == depth && !is_delimiter => line.text.push_str(piece),
            _ => {
                let quotation = if depth > 0 { format!("{} ", ">".repeat(depth)) } else { String::new() };
                lines.push(TextLine { text: quotation + piece, mark: Mark::None });
            }
        }
        open = flows.then_some(depth);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, delsp: bool) -> Vec<String> {
        lines(text, delsp).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn soft_breaks_are_joined_and_stuffing_removed() {
        let text = "sail from Crete load 3 to Rhodes unload 1 \nload 2 to Thera\n From Crete\n> a quoted \n> line\nown\n-- \nJan";
        assert_eq!(
            plain(text, false),
            [
                "sail from Crete load 3 to Rhodes unload 1 load 2 to Thera",
                "From Crete",
                "> a quoted line",
                "own",
                "-- ",
                "Jan"
            ]
        );
        assert_eq!(plain("ab \ncd", true), ["abcd"]);
    }
}
