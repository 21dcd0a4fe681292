//! What somebody typed into a Discourse, as HTML.
//!
//! Comes in: the text as it was typed, which is Markdown with a few marks of its own. Goes out: HTML that
//! [`words`](super::words) reads. What the forum itself shows may be a translation of it, with previews of links in it; what was
//! typed is what was meant. Quotations, copies of chats and polls stand between marks, which are read here with regard to
//! each other: a quotation may stand in a quotation.

use std::collections::HashMap;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

/// The longest text that is looked at: more than any forum takes.
const LONGEST: usize = 400_000;
/// So many marks may be open within each other.
const DEEPEST: usize = 50;
/// The longest name of a picture such as `:smile:`.
const LONGEST_EMOJI: usize = 40;

/// The HTML of what was typed.
pub(super) fn html(typed: &str) -> String {
    let end = (0..=LONGEST.min(typed.len())).rev().find(|at| typed.is_char_boundary(*at)).unwrap_or(0);
    let plain = plain_marks(&typed[..end], 0);
    let mut in_code = 0_usize;
    let events =
        Parser::new_ext(&plain, Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES).map(|event| match event {
            // A line that was typed is a line.
            Event::SoftBreak => Event::HardBreak,
            Event::Start(Tag::CodeBlock(_)) => {
                in_code += 1;
                event
            }
            Event::End(TagEnd::CodeBlock) => {
                in_code = in_code.saturating_sub(1);
                event
            }
            Event::Text(text) if in_code == 0 => Event::Text(without_emoji(&text).into()),
            event => event,
        });
    let mut shown = String::with_capacity(plain.len() + plain.len() / 8);
    html::push_html(&mut shown, events);
    shown
}

/// What a mark that stands at the head of a line is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// `[quote="ania, post:3"]`, `[chat quote="…"]`: another's words.
    Quote,
    /// `[poll]`: nobody's.
    Poll,
    /// `[details="My orders"]`, `[spoiler]`: the author's own words, folded up.
    Folded,
}

/// The text with these marks as Markdown has them: another's words behind `>`. A mark without its counterpart is only a few
/// signs, and what stands in a block of code is no mark.
fn plain_marks(typed: &str, depth: usize) -> String {
    let lines: Vec<&str> = typed.lines().collect();
    let mut found = String::with_capacity(typed.len() + 64);
    let ends = if depth < DEEPEST { ends(&lines) } else { HashMap::new() };
    let mut fence: Option<&str> = None;
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let trimmed = line.trim_start();
        if let Some(open) = fence {
            if trimmed.starts_with(open) {
                fence = None;
            }
        } else if let Some(open) = ["```", "~~~"].into_iter().find(|open| trimmed.starts_with(open)) {
            fence = Some(open);
        } else if let Some((mark, tag)) = opening(trimmed)
            && let Some(end) = ends.get(&at).copied()
        {
            let within = lines[at..=end].iter();
            match mark {
                Mark::Quote => within.for_each(|line| {
                    found.push_str("> ");
                    found.push_str(line.trim_start());
                    found.push('\n');
                }),
                Mark::Poll => {}
                Mark::Folded => {
                    let inner =
                        within.map(|line| line.replace(&format!("[/{tag}]"), "")).collect::<Vec<_>>().join("\n");
                    let inner = inner.trim_start().split_once(']').map_or("", |(_, inner)| inner).to_owned();
                    found.push('\n');
                    found.push_str(&plain_marks(&inner, depth + 1));
                }
            }
            // What follows a quotation is not among its words.
            found.push('\n');
            if let Some((_, rest)) = lines[end].rsplit_once(']').filter(|(_, rest)| !rest.trim().is_empty()) {
                found.push_str(rest.trim_start());
                found.push('\n');
            }
            at = end + 1;
            continue;
        }
        found.push_str(line);
        found.push('\n');
        at += 1;
    }
    found
}

/// The mark at the head of a line, and what its counterpart is called.
fn opening(line: &str) -> Option<(Mark, &'static str)> {
    let rest = line.strip_prefix('[')?.to_ascii_lowercase();
    let marks = [
        (Mark::Quote, "quote"),
        (Mark::Quote, "chat"),
        (Mark::Poll, "poll"),
        (Mark::Folded, "details"),
        (Mark::Folded, "spoiler"),
    ];
    marks.into_iter().find(|(_, tag)| {
        rest.strip_prefix(tag).is_some_and(|rest| rest.starts_with([']', '=', ' ', ',']) && rest.contains(']'))
    })
}

/// For each line with a mark at its head the line in which it ends; marks within it have their own ends.
fn ends(lines: &[&str]) -> HashMap<usize, usize> {
    let mut open: Vec<(&'static str, usize)> = Vec::new();
    let mut ends = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        open.extend(opening(line.trim_start()).map(|(_, tag)| (tag, at)));
        if !line.contains("[/") {
            continue;
        }
        let line = line.to_ascii_lowercase();
        for (place, _) in line.match_indices("[/") {
            let closes = |(tag, _): &(&str, usize)| {
                line[place + 2..].strip_prefix(tag).is_some_and(|rest| rest.starts_with(']'))
            };
            if let Some(found) = open.iter().rev().take(DEEPEST).position(closes) {
                let found = open.len() - 1 - found;
                ends.insert(open[found].1, at);
                open.truncate(found);
            }
        }
    }
    ends
}

/// A text without the names of small pictures: `:smile:`, `:wave:t3:`.
fn without_emoji(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(':') {
        let before = rest[..at].chars().next_back();
        let after = &rest[at + 1..];
        let length = after.find(|c: char| !(c.is_ascii_alphanumeric() || "_+-".contains(c))).unwrap_or(after.len());
        let name = &after[..length];
        let is_named = name.contains(|c: char| c.is_ascii_alphabetic()) || name == "+1" || name == "-1";
        let is_one = (1..=LONGEST_EMOJI).contains(&length) && is_named && after[length..].starts_with(':');
        if is_one && !before.is_some_and(char::is_alphanumeric) {
            kept.push_str(&rest[..at]);
            rest = &after[length + 1..];
            let tone = rest.strip_prefix('t').and_then(|rest| rest.strip_prefix(['2', '3', '4', '5', '6']));
            rest = tone.and_then(|rest| rest.strip_prefix(':')).unwrap_or(rest);
        } else {
            kept.push_str(&rest[..=at]);
            rest = after;
        }
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::post::forum::{Author, Post, PostWords};
    use crate::post::words::Sent;

    fn words(typed: &str) -> PostWords {
        let post = Post {
            id: "1-2".to_owned(),
            thread: "1".to_owned(),
            is_private: true,
            author: Author { id: "5".to_owned(), name: "ania".to_owned() },
            posted: DateTime::UNIX_EPOCH,
            changed: DateTime::UNIX_EPOCH,
            answers: None,
            html: "<p>przesuń 9 z Krety na Therę</p>".to_owned(),
            source: Some(typed.to_owned()),
            is_deleted: false,
        };
        post.words("cursus", &Sent::default())
    }

    #[test]
    fn what_was_typed_is_read_and_not_its_translation() {
        let found = words("Hi :smile:\nmove 2 Crete -> Thera :wave:t3:\n**done**\n");
        assert_eq!(found.text, "Hi\nmove 2 Crete -> Thera\ndone");
    }

    #[test]
    fn quotations_within_quotations_are_anothers() {
        let typed = "[quote=\"cursus, post:3, topic:7\"]\nbuild Knossos 1\n[quote=\"bob, post:2\"]\ndone\n[/quote]\nok\n[/quote]\n\
                     build Thera 2\n\n> wait\n\n[chat quote=\"cursus;12;2026-11-16T10:12:00Z\"]\npass\n[/chat]\nmove 1 A > B";
        assert_eq!(words(typed).text, "build Thera 2\n\nmove 1 A > B");
        let one_line = words("[quote]done[/quote] wait");
        assert_eq!(one_line.text, "wait");
        let lone = words("[quote] done");
        assert_eq!(lone.text, "[quote] done", "a mark without its counterpart");
    }

    #[test]
    fn code_is_kept_line_by_line_and_marks_in_it_are_none() {
        let found = words(
            "My orders:\n```text\nmove 3 Crete -> Thera\n[quote]\n> attack\n[/quote]\n:smile:\n```\n@cursus done",
        );
        assert_eq!(found.text, "My orders:\nmove 3 Crete -> Thera\n[quote]\n> attack\n[/quote]\n:smile:\ndone");
        assert!(found.in_code && found.mentions_us);
    }

    #[test]
    fn what_is_folded_up_is_the_authors_and_a_poll_is_nobodys() {
        let found = words(
            "[details=\"My orders\"]\nbuild Thera 2\n[/details]\n[spoiler]move 2 Crete → Thera[/spoiler]\n[poll name=x]\n* attack\n\
             * wait\n[/poll]\n~~build Naxos 1~~\ndone",
        );
        assert_eq!(
            found.text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(),
            ["build Thera 2", "move 2 Crete → Thera", "done"]
        );
    }

    #[test]
    fn what_the_forum_cut_off_a_mail_is_not_the_authors() {
        let typed = "2 Crete → Thera\n\n<details class='elided'>\n<summary title='Show trimmed content'>&#183;&#183;&#183;</summary>\n\n\
                     Phase 3, Movement:\n\n    done\n\n</details>\n\npass";
        assert_eq!(
            words(typed).text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(),
            ["2 Crete → Thera", "pass"]
        );
    }

    #[test]
    fn nothing_breaks_it() {
        for typed in [
            "",
            "[",
            "[quote",
            "[quote=",
            "```",
            ":",
            "::",
            "[/quote]",
            "[details=\"x\"]\n[/details]",
            "<",
            "a:b:c 12:30:15",
        ] {
            words(typed);
        }
        assert_eq!(words("until 12:30:15").text, "until 12:30:15");
        words(&"[quote]\n".repeat(20_000));
        words(&"> ".repeat(50_000));
        words(&("[details=x]\n".repeat(5_000) + &"[/details]\n".repeat(5_000)));
        words(&"é".repeat(LONGEST));
    }
}
