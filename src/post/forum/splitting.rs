//! A text that is too long for one post, as several.
//!
//! Comes in: Markdown, as we write it. Goes out: texts of so many characters at most, parted between paragraphs where that can
//! be, and never so that a block of code is left open.

/// What opens and closes a block of code.
const FENCE: &str = "```";

/// The text in pieces of so many characters at most; one at least.
pub(super) fn split(text: &str, most: usize) -> Vec<String> {
    let most = most.max(100);
    if text.chars().count() <= most {
        return vec![text.to_owned()];
    }
    let (mut pieces, mut piece): (Vec<String>, String) = (Vec::new(), String::new());
    for block in blocks(text).iter().flat_map(|block| small(block, most)) {
        if !piece.is_empty() && piece.chars().count() + 2 + block.chars().count() > most {
            pieces.push(std::mem::take(&mut piece));
        }
        if !piece.is_empty() {
            piece.push_str("\n\n");
        }
        piece.push_str(&block);
    }
    pieces.push(piece);
    pieces
}

/// What stands between empty lines, where those are in no block of code.
fn blocks(text: &str) -> Vec<String> {
    let (mut blocks, mut lines): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut fence: Option<String> = None;
    for line in text.lines() {
        match &fence {
            Some(open) if line.trim_end() == open => fence = None,
            Some(_) => {}
            None => fence = opened(line),
        }
        if line.trim().is_empty() && fence.is_none() {
            if !lines.is_empty() {
                blocks.push(std::mem::take(&mut lines).join("\n"));
            }
        } else {
            lines.push(line);
        }
    }
    if !lines.is_empty() {
        blocks.push(lines.join("\n"));
    }
    blocks
}

/// The fence that a line opens.
fn opened(line: &str) -> Option<String> {
    line.starts_with(FENCE).then(|| line.chars().take_while(|letter| *letter == '`').collect())
}

/// A block in parts of so many characters at most: between its lines, and within one that is longer alone.
fn small(block: &str, most: usize) -> Vec<String> {
    if block.chars().count() <= most {
        return vec![block.to_owned()];
    }
    let fence = opened(block);
    let (head, foot) = match &fence {
        Some(fence) => (format!("{}\n", block.lines().next().unwrap_or_default()), format!("\n{fence}")),
        None => (String::new(), String::new()),
    };
    let room = most.saturating_sub(head.chars().count() + foot.chars().count()).max(20);
    let inner = block.strip_prefix(&head).unwrap_or(block);
    let inner = inner.strip_suffix(&foot).unwrap_or(inner);
    let letters: Vec<Vec<char>> = inner.lines().map(|line| line.chars().collect()).collect();
    let lines = letters.iter().flat_map(|line| line.chunks(room)).map(|line| line.iter().collect::<String>());
    let (mut parts, mut part): (Vec<String>, String) = (Vec::new(), String::new());
    for line in lines {
        if !part.is_empty() && part.chars().count() + 1 + line.chars().count() > room {
            parts.push(format!("{head}{part}{foot}"));
            part.clear();
        }
        if !part.is_empty() {
            part.push('\n');
        }
        part.push_str(&line);
    }
    parts.push(format!("{head}{part}{foot}"));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_fits_is_one_piece() {
        assert_eq!(split("a\n\nb", 100), ["a\n\nb"]);
        assert_eq!(split("", 100), [""]);
    }

    #[test]
    fn a_long_text_is_parted_between_paragraphs() {
        let paragraphs: Vec<String> =
            (0..30).map(|number| format!("Paragraph {number} of the record of a turn.")).collect();
        let pieces = split(&paragraphs.join("\n\n"), 200);
        assert!(pieces.len() > 4 && pieces.iter().all(|piece| piece.chars().count() <= 200), "{pieces:?}");
        assert_eq!(pieces.join("\n\n"), paragraphs.join("\n\n"), "nothing is lost");
    }

    #[test]
    fn no_block_of_code_is_left_open_and_no_word_is_lost() {
        let rows: Vec<String> = (0..60).map(|row| format!("Egypt {row:>4} zażółć")).collect();
        let text = format!("# Head\n\n````text\n{}\n\n{}\n````\n\nfoot", rows.join("\n"), "x".repeat(700));
        let pieces = split(&text, 300);
        for piece in &pieces {
            assert!(piece.chars().count() <= 300, "{}", piece.chars().count());
            assert_eq!(piece.matches("````").count() % 2, 0, "{piece}");
        }
        let all = pieces.join("\n");
        assert!(rows.iter().all(|row| all.contains(row.as_str())), "{all}");
        assert_eq!(all.matches('x').count() - all.matches("text").count(), 700);
    }
}
