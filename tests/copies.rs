//! What we sent comes back in every style that mail programs and people have, and never acts.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::fs;
use std::path::{Path, PathBuf};

use cursus::orders::{Lexicon, Reading, read};
use cursus::post::letter;
use cursus::post::words::{Sent, own, own_in_answer};
use cursus::rules::{Language, PrintedGame};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Every letter of ours, in both languages, without its subject.
fn letters(extension: &str) -> Vec<(String, String)> {
    let mut letters = Vec::new();
    for language in ["en", "pl"] {
        for file in fs::read_dir(folder("letters_out").join(language)).unwrap().map(|file| file.unwrap().path()) {
            if file.extension().is_some_and(|found| found == extension) {
                let text = fs::read_to_string(&file).unwrap();
                let body = match text.split_once('\n') {
                    Some((first, body)) if first.starts_with("Subject:") => body.trim().to_owned(),
                    Some(_) | None => text,
                };
                letters.push((format!("{language}/{}", file.file_stem().unwrap().display()), body));
            }
        }
    }
    letters.sort();
    assert!(letters.len() > 20, "only {} letters", letters.len());
    letters
}

/// What programs write above a copy, and nothing at all.
fn heads() -> Vec<String> {
    let table = |name: &str| {
        fs::read_to_string(folder("letters_in").join(name)).unwrap().split_once('\n').unwrap().1.to_owned()
    };
    let attributions = table("attributions.txt");
    let mut heads: Vec<String> = attributions.lines().map(str::to_owned).collect();
    heads
        .extend(table("heads.txt").trim_end().split("\n==\n").filter(|head| !head.starts_with('>')).map(str::to_owned));
    // The heads of replies: what stands quoted above the first blank line.
    for reply in table("replies.txt").split("\n== ").skip(1) {
        let lines: Vec<&str> = reply.lines().skip(1).collect();
        let head: Vec<&str> =
            lines.split(|line| line.is_empty()).find(|part| part[0].starts_with("q ")).unwrap_or_default().to_vec();
        let head: Vec<&str> = head.iter().map_while(|line| line.strip_prefix("q ")).collect();
        let has_orders = head.iter().any(|line| line.starts_with(['3', 'w']) || *line == "done");
        if !has_orders
            && head.iter().any(|line| line.contains('@'))
            && !head.iter().any(|line| line.starts_with(['>', '|']))
        {
            heads.push(head.join("\n"));
        }
    }
    // Words that nobody knows for an attribution, and none.
    heads.extend(["Cursus skribis la 16an:", "quoth the moderator", ""].map(str::to_owned));
    heads
}

/// How a program copies the lines of a letter.
#[derive(Debug, Clone, Copy)]
enum Copied {
    Bare,
    Indented,
    Marked(&'static str),
    /// Marked first and broken afterwards, so that the ends of long lines lose their mark.
    BrokenBehindMark(&'static str),
}

const COPIED: [Copied; 9] = [
    Copied::Bare,
    Copied::Indented,
    Copied::Marked("> "),
    Copied::Marked(">"),
    Copied::Marked("> > "),
    Copied::Marked("| "),
    Copied::Marked(": "),
    Copied::BrokenBehindMark("> "),
    Copied::BrokenBehindMark("| "),
];

fn copy(text: &str, how: Copied, wraps: bool) -> String {
    let wrapped = |text: &str| if wraps { wrapped(text) } else { text.to_owned() };
    let each = |text: &str, mark: &str| text.lines().map(|line| format!("{mark}{line}")).collect::<Vec<_>>().join("\n");
    match how {
        Copied::Bare => wrapped(text),
        Copied::Indented => each(&wrapped(text), "    "),
        Copied::Marked(mark) => each(&wrapped(text), mark),
        Copied::BrokenBehindMark(mark) => wrapped(&each(text, mark)),
    }
}

/// A text broken at 72 characters, as clients do.
fn wrapped(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let indent: String = line.chars().take_while(|sign| *sign == ' ').collect();
        let mut current = indent.clone();
        for word in line.split(' ').filter(|word| !word.is_empty()) {
            if current.chars().count() + word.chars().count() > 71 && !current.trim().is_empty() {
                lines.push(std::mem::take(&mut current));
            }
            if !current.trim().is_empty() {
                current.push(' ');
            }
            current.push_str(word);
        }
        lines.push(current);
    }
    lines.join("\n")
}

/// What acts in a text: whatever is neither talk nor a line that cannot be read.
fn acts(text: &str, lexicon: &Lexicon) -> Vec<String> {
    let pieces = read(text, lexicon).into_iter().flat_map(|line| line.pieces);
    let acts = pieces.filter_map(|piece| match piece.reading {
        Reading::Written(written) => Some(format!("{written:?}")),
        Reading::Quoted | Reading::Remark | Reading::Press | Reading::Fault(_) | Reading::Beyond(_) => None,
    });
    acts.collect()
}

fn lexicon() -> Lexicon {
    Lexicon::new(&PrintedGame::built_in().unwrap())
}

#[test]
fn nothing_that_we_ever_sent_files_an_order() {
    let (lexicon, heads) = (lexicon(), heads());
    assert!(heads.len() > 150, "only {} heads", heads.len());
    let mut wrong = Vec::new();
    let mut read = 0;
    let letters = [letters("txt"), letters("md")].concat();
    for (number, (name, text)) in letters.iter().enumerate() {
        let sent = Sent::new([text.as_str()]);
        for (style, head) in heads.iter().enumerate() {
            let is_plain = head.is_empty() || head.starts_with(['q', 'C']);
            for (way, how) in COPIED.into_iter().enumerate() {
                // Every letter meets every way of copying, and so does every head; where no head helps, all of them meet.
                if !is_plain && (number + style + way) % 29 != 0 {
                    continue;
                }
                let wraps = (number + style + way) % 2 == 0;
                for above in ["", "Hi\n\n"] {
                    let body = format!("{above}{head}\n\n{}\n", copy(text, how, wraps));
                    let words = own_in_answer(&body, &sent);
                    let acts = acts(&words.text, &lexicon);
                    if !acts.is_empty() {
                        wrong.push(format!("{name} below {head:?}, {how:?}, {wraps}: {acts:?}\n{}", words.text));
                    }
                    read += 1;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {read}\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n\n"));
    assert!(read > 10_000, "only {read}");
    // Whoever does not know what we sent is taken in.
    let (_, text) = letters.iter().find(|(name, _)| name == "en/report-03-movement").unwrap();
    assert!(!acts(&own(text).text, &lexicon).is_empty());
}

#[test]
fn no_page_that_we_ever_sent_files_an_order() {
    let lexicon = lexicon();
    let samples = crate::letters_out::samples::Samples::play();
    let letters = Language::ALL.into_iter().flat_map(|language| samples.letters(language));
    for (name, page) in letters.map(|(name, page)| (name, page.html.unwrap())) {
        let text = cursus::post::html::plain(&page).unwrap();
        let sent = Sent::new([text.as_str()]);
        for (above, below) in [
            ("<div>Hi</div><div>Cursus skribis:</div><div>", "</div>"),
            ("<div>Hi</div><div>On Mon, 16 Nov 2026 at 10:12, Cursus wrote:</div><div>", "</div>"),
            ("<div>Hi</div><blockquote>", "</blockquote>"),
            ("<div>Hi</div><div id=\"divRplyFwdMsg\">From: Cursus</div><div>", "</div>"),
            ("", ""),
        ] {
            let raw = format!(
                "From: a@b.example\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n{above}{page}{below}\n"
            );
            let letter = letter::open_answer(raw.as_bytes(), &|_| false, &|_| sent.clone()).unwrap();
            assert_eq!(acts(&letter.text, &lexicon), Vec::<String>::new(), "{name} below {above:?}\n{}", letter.text);
        }
    }
}

#[test]
fn a_line_of_the_form_above_the_copy_is_the_players() {
    let (_, text) = letters("txt").into_iter().find(|(name, _)| name == "en/report-03-movement").unwrap();
    let sent = Sent::new([text.as_str()]);
    for head in heads() {
        for how in COPIED {
            let body = format!("move 2 from Van to Nineveh\n    done\npass\n\n{head}\n\n{}\n", copy(&text, how, true));
            let words = own_in_answer(&body, &sent);
            let said: Vec<&str> = words.text.lines().map(str::trim).take(3).collect();
            assert_eq!(said, ["move 2 from Van to Nineveh", "done", "pass"], "{head:?}, {how:?}");
        }
    }
}

#[test]
fn what_is_typed_below_or_between_a_copy_is_the_players() {
    let (_, text) = letters("txt").into_iter().find(|(name, _)| name == "en/report-03-movement").unwrap();
    let sent = Sent::new([text.as_str()]);
    let head = "On Mon, 16 Nov 2026 at 10:12, Cursus <cursus@example.org> wrote:";
    // Below all of it, marked or not: what comes again was typed.
    for how in COPIED {
        let body = format!("{head}\n\n{}\n\nmove 2 from Van to Nineveh\ndone\n", copy(&text, how, false));
        assert_eq!(own_in_answer(&body, &sent).text, "move 2 from Van to Nineveh\ndone", "{how:?}");
    }
    // Below and between what they left of it.
    for shortened in [
        "> Phase 3, Movement (`help 3`):\nmove 2 from Van to Nineveh\ndone",
        "> Phase 3, Movement (`help 3`):\n>     done\nmove 2 from Van to Nineveh\ndone\n> If you do nothing: tokens stay where they are,",
        "> YOUR FORM\n\nmove 2 from Van to Nineveh\n\ndone",
    ] {
        let words = own_in_answer(&format!("{head}\n{shortened}\n"), &sent);
        let said: Vec<&str> = words.text.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(said, ["move 2 from Van to Nineveh", "done"], "{shortened}");
    }
    // More of it in a row than anybody types again, though its marks are gone.
    let words = own_in_answer(
        &format!(
            "ok then\n\n{head}\n> YOU\n> - Your marker moves to 5 on the A.S.T. [R13.1].\n\nPhase 3, Movement (`help 3`):\n    done\n\
             If you do nothing: tokens stay where they are, and ships without upkeep are lost [R3.27].\n"
        ),
        &sent,
    );
    assert_eq!(words.text, "ok then");
}

#[test]
fn words_between_two_unmarked_copies_are_found_by_what_we_sent() {
    let first = "Your orders are wanted by Friday at noon.\n\nPhase 3, Movement:\n    done\n\n-- \nThe moderator writes at any time.";
    let second = "The ships have landed and the cities stand.\n\nPhase 7, Trade:\n    pass\n\n-- \nThe moderator writes at any time.";
    let sent = Sent::new([first, second]);
    let head = |name: &str| {
        format!(
            "From: {name} <cursus@example.org>\nSent: Monday, November 16, 2026 10:12 AM\nTo: Jan\nSubject: Turn 4\n\n"
        )
    };
    let body = format!(
        "2 Crete > Thera\n\n{}{first}\n\n1 Crete > Naxos\n\n{}{second}\n\ndone\n\nSent from my iPhone\n",
        head("Cursus"),
        head("Cursus")
    );
    let words = own_in_answer(&body, &sent);
    assert_eq!(words.text, "2 Crete > Thera\n\n1 Crete > Naxos\n\ndone");
    assert_eq!(words.ignored.signature, 1);
    // Without what we sent, nobody can tell them from the copies.
    assert_eq!(own(&body).text, "2 Crete > Thera");
}

#[test]
fn a_huge_answer_is_read_in_time() {
    let (_, text) = letters("txt").into_iter().find(|(name, _)| name == "en/report-03-movement").unwrap();
    let sent = Sent::new([text.as_str()]);
    // The very words of our letter, again and again, marked and not: nothing is looked for twice.
    for line in ["the", "done", "> the", "You are asked", "YOUR FORM", "> done\ndone", "> YOU\n"] {
        let body = format!("{text}\n{}", format!("{line}\n").repeat(40_000));
        let _ = own_in_answer(&body, &sent);
    }
}
