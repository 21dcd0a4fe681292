//! The letters and the pages of a language of other words: nothing of them is English.

use std::collections::BTreeSet;

use cursus::game::{Known, Reader};
use cursus::orders::Sheet;
use cursus::report::Templates;
use cursus::report::page::{self, Newest, Seat, SeatName, Small, Visit};
use cursus::rules::{Language, PrintedGame};

#[path = "../other_language.rs"]
mod other_language;

use other_language::{files, handed_in, is_said, left, visible, words};

use super::samples::Samples;

#[test]
fn no_english_is_left_in_a_language_of_other_words() {
    let printed = PrintedGame::built_in().unwrap();
    let (files, mut allowed) = files(&printed);
    allowed.extend(handed_in(include_str!("samples.rs")));
    // Answers may quote the rules for players, which a translator finds in a page of their own.
    let quoted: BTreeSet<String> = words(&files.rules).collect();
    let templates = Templates::read(Language::English, &files, &printed).unwrap();
    let mut wrong = BTreeSet::new();
    for (name, page) in Samples::play().letters_in(&templates) {
        let html = page.html.as_deref().map(visible).unwrap_or_default();
        let text = format!("{}\n{}", page.subject, page.text);
        assert!(is_said(&text), "{name} has none of the templates' words");
        let is_quoted = |word: &String| name.starts_with("answer") && quoted.contains(&word.to_lowercase());
        let english = left(&text, &allowed).into_iter().chain(left(&html, &allowed)).filter(|word| !is_quoted(word));
        wrong.extend(english.map(|word| format!("{name}: {word}")));
    }
    assert!(wrong.is_empty(), "words of letters that stand in no template:\n{}", Vec::from_iter(wrong).join("\n"));
}

#[test]
fn no_english_is_left_on_its_pages() {
    let printed = PrintedGame::built_in().unwrap();
    let (files, mut allowed) = files(&printed);
    allowed.extend(handed_in(include_str!("samples.rs")).chain(["cursus".to_owned()]));
    let templates = Templates::read(Language::English, &files, &printed).unwrap();
    let samples = Samples::play();
    let mut wrong = BTreeSet::new();
    let mut look = |name: &str, html: &str| {
        let seen = visible(html);
        assert!(is_said(&seen), "{name} has none of the templates' words");
        wrong.extend(left(&seen, &allowed).into_iter().map(|word| format!("{name}: {word}")));
    };
    for state in samples.states() {
        let civ = state.ranking().next().unwrap();
        let (known, sheet) = (Known::of(state, Reader::Player(civ)), Sheet::default());
        let seat = Seat {
            known: &known,
            civ,
            sheet: &sheet,
            templates: &templates,
            name: SeatName { game: "demo", title: "Wine-dark Sea", slug: "seat", watched: false },
            cut_off: None,
            awaited: &[],
            ended: false,
            report: None,
            newest: Newest { revision: "1", map: "0", heard: 0 },
            visit: Visit { token: "t", mark: "m", answer: None },
        };
        look("page", &page::html(&seat));
    }
    for small in ["no_device", "gone", "ended", "not_found", "too_often", "trouble", "left"] {
        look(small, &page::small(&templates, Small::Plain(small)));
    }
    assert!(wrong.is_empty(), "words of pages that stand in no template:\n{}", Vec::from_iter(wrong).join("\n"));
}

#[test]
fn what_a_page_shows_is_found() {
    let html = "<p title=\"A <b>\">One<br>two</p><script>let three = 3;</script><style>p {}</style><i>four</i>";
    let html = html.replace("<b>", "b");
    assert_eq!(visible(&html).split_whitespace().collect::<Vec<_>>(), ["A", "b", "One", "two", "four"]);
    assert_eq!(
        left("Сау Wait for 0123456789abcdef0123456789abcdef and `move`", &BTreeSet::from(["for".to_owned()])).len(),
        2
    );
}
