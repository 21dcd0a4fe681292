//! Marks that a board shows as they were typed: what stands between them is not the author's, or no longer.
//!
//! Comes in: the lines of a post. Goes out: the same lines without what is struck out, quoted from others or copied from a
//! chat, and how many lines that touched.

use crate::post::line::TextLine;
use crate::post::words::Ignored;

/// Over so many lines something may be struck out.
const LONGEST_STRUCK: usize = 40;

/// Takes out of these lines what is marked as not the author's. A mark without its counterpart is only a few signs.
pub(super) fn take_out(lines: &mut [TextLine]) -> Ignored {
    let mut ignored = Ignored::default();
    for (open, close) in [("[chat", "[/chat]"), ("[quote", "[/quote]")] {
        ignored.quoted += cut(lines, &|text| opening_tag(text, open), &|text| found(text, close), usize::MAX);
    }
    for (open, close) in [("[s]", "[/s]"), ("[strike]", "[/strike]"), ("[del]", "[/del]")] {
        ignored.other += cut(lines, &|text| found(text, open), &|text| found(text, close), LONGEST_STRUCK);
    }
    ignored.other += cut(lines, &opening_tildes, &closing_tildes, LONGEST_STRUCK);
    ignored
}

/// Where a mark begins and ends in a text.
type Mark<'a> = &'a dyn Fn(&str) -> Option<(usize, usize)>;

/// Takes out everything between two marks, which are so many lines apart at most; says how many lines lost something.
fn cut(lines: &mut [TextLine], open: Mark, close: Mark, most: usize) -> usize {
    let (mut at, mut from, mut touched) = (0, 0, 0);
    while at < lines.len() {
        let Some((begin, inner)) = open(&lines[at].text[from..]).map(|(begin, end)| (from + begin, from + end)) else {
            (at, from) = (at + 1, 0);
            continue;
        };
        let reach = lines.len().min(at.saturating_add(most));
        let end = (at..reach).find_map(|line| {
            let start = if line == at { inner } else { 0 };
            close(&lines[line].text[start..]).map(|(_, end)| (line, start + end))
        });
        let Some((last, end)) = end else {
            if most == usize::MAX {
                // There is no counterpart below, so there is none further down either.
                return touched;
            }
            from = inner;
            continue;
        };
        touched += last - at + 1;
        let rest = lines[last].text[end..].to_owned();
        lines[at].text.truncate(begin);
        lines[at + 1..=last].iter_mut().for_each(|line| line.text.clear());
        from = lines[last].text.len();
        lines[last].text.push_str(&rest);
        at = last;
    }
    touched
}

fn found(text: &str, mark: &str) -> Option<(usize, usize)> {
    text.to_ascii_lowercase().find(mark).map(|at| (at, at + mark.len()))
}

/// `[quote="ania, post:3"]`, `[chat quote="ania;12;…" channel="x"]`, `[quote]`; `[quotes]` is none.
fn opening_tag(text: &str, tag: &str) -> Option<(usize, usize)> {
    let (at, end) = found(text, tag)?;
    text[end..].starts_with([']', '=', ' ', ',']).then(|| (at, end + text[end..].find(']').map_or(0, |end| end + 1)))
}

/// `~~` before a word.
fn opening_tildes(text: &str) -> Option<(usize, usize)> {
    tildes(text).find(|(_, end)| text[*end..].chars().next().is_some_and(|next| !next.is_whitespace()))
}

/// `~~` behind a word.
fn closing_tildes(text: &str) -> Option<(usize, usize)> {
    tildes(text).find(|(at, _)| text[..*at].chars().next_back().is_some_and(|before| !before.is_whitespace()))
}

/// Where there are two tildes, and not more of them.
fn tildes(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let is_tilde = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)) == Some(&b'~');
    text.match_indices("~~")
        .filter(move |(at, _)| !is_tilde(at.checked_sub(1)) && !is_tilde(Some(at + 2)))
        .map(|(at, _)| (at, at + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> (String, usize, usize) {
        let mut lines = TextLine::plain(text);
        let ignored = take_out(&mut lines);
        let text: Vec<String> = lines.into_iter().map(|line| line.text).filter(|line| !line.is_empty()).collect();
        (text.join("\n"), ignored.quoted, ignored.other)
    }

    #[test]
    fn what_is_struck_out_is_gone() {
        assert_eq!(left("~~done~~"), (String::new(), 0, 1));
        assert_eq!(left("~~move 2~~ move 3 ~~and 4~~ now"), (" move 3  now".to_owned(), 0, 2));
        assert_eq!(left("~~move 2 Crete > Thera\ndone~~\nwait"), ("wait".to_owned(), 0, 2));
        assert_eq!(left("[s]done[/s]\n[STRIKE]wait[/STRIKE] ok"), (" ok".to_owned(), 0, 2));
    }

    #[test]
    fn what_is_copied_from_a_chat_or_quoted_is_anothers() {
        let chat =
            "[chat quote=\"cursus;12;2026-11-16T10:12:00Z\" channel=\"thera\" channelId=\"2\"]\ndone\n[/chat]\nwait";
        assert_eq!(left(chat), ("wait".to_owned(), 3, 0));
        assert_eq!(left("[quote=\"cursus, post:3, topic:7\"]\ndone\n\nok\n[/quote]\nwait"), ("wait".to_owned(), 5, 0));
        assert_eq!(left("[quote]done[/quote] wait"), (" wait".to_owned(), 1, 0));
    }

    #[test]
    fn a_lone_mark_takes_nothing_away() {
        for text in ["~~ done", "move ~~2", "~~~~~~", "[quote] done", "[quotes] x [/quote]", "~~done", "a ~~ b ~~ c"] {
            assert_eq!(left(text), (text.to_owned(), 0, 0));
        }
        let many = "~~a [s]\n".repeat(100_000);
        assert_eq!(left(&many).2, 0);
    }
}
