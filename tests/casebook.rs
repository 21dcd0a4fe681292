//! The casebook: every page holds, and every rule number is cited by a case.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cursus::door::casebook::{Table, Verdict};
use cursus::door::cases::pages;
use cursus::rules::PrintedGame;

/// The rules of phases 1 to 7, 10 and 11: the phase and its last number.
const RULES: [(u8, u8); 9] = [(1, 12), (2, 8), (3, 43), (4, 30), (5, 20), (6, 17), (7, 15), (10, 6), (11, 2)];

/// The value of a set shows only where cards are paid with, in phase 12; a unit test of `rules::cards` proves it.
const SHOWN_ELSEWHERE: [&str; 3] = ["R7.2", "R7.3", "R7.4"];

fn verdicts() -> Vec<(String, Verdict)> {
    let table = Table::new(PrintedGame::built_in().expect("the built-in edition can be read"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/casebook");
    let pages = pages(&[folder]).expect("the casebook is there");
    let played = pages.iter().flat_map(|page| {
        let name = page.file_name().expect("a page has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(page).expect("a page is text");
        table.play(&text).into_iter().map(move |verdict| (name.clone(), verdict))
    });
    played.collect()
}

#[test]
fn every_case_holds_and_every_rule_is_cited() {
    let verdicts = verdicts();
    for (page, verdict) in &verdicts {
        assert!(verdict.faults.is_empty(), "{page} · {}\n{}", verdict.title, verdict.faults.join("\n"));
    }
    assert!(verdicts.len() >= 130, "only {} cases", verdicts.len());

    let cited: BTreeSet<_> = verdicts.iter().flat_map(|(_, verdict)| &verdict.cites).map(String::as_str).collect();
    let rules = RULES.iter().flat_map(|(phase, last)| (1..=*last).map(move |number| format!("R{phase}.{number}")));
    let silent: Vec<_> =
        rules.filter(|rule| !cited.contains(rule.as_str()) && !SHOWN_ELSEWHERE.contains(&rule.as_str())).collect();
    assert!(silent.is_empty(), "no case cites {}", silent.join(", "));
}

/// What a page with this one case leads to.
fn play(text: &str) -> Vec<String> {
    let table = Table::new(PrintedGame::built_in().expect("the built-in edition can be read"));
    table.play(text).into_iter().flat_map(|verdict| verdict.faults).collect()
}

const PAGE: &str = "# Page\n\n```map\nThera: limit 2\n```\n\n## 4.9 Case\n\n```state\nphase conflict\n\
                    ranking Minoa, Assyria\nThera: Minoa 3, Assyria 2\n```\n\n```after\nThera: Minoa 2\n```\n";

#[test]
fn a_case_that_does_not_hold_says_what_was_found() {
    assert_eq!(play(PAGE), Vec::<String>::new());
    assert_eq!(
        play(&PAGE.replace("\nThera: Minoa 2\n", "\nThera: Minoa 1, Assyria 1\n")),
        ["Thera: expected Minoa 1, Assyria 1; found Minoa 2"]
    );
    assert_eq!(
        play(&PAGE.replace("Thera: Minoa 2\n", "Minoa: stock 5\n")),
        ["Minoa: expected stock 5; found stock 53"]
    );
}

#[test]
fn an_unreadable_page_names_the_line_and_what_was_expected() {
    let cases = [
        ("limit 2", "limit two", "line 4: expected `limit` and a number"),
        ("ranking Minoa, Assyria", "ranking Minoa, Asyrias", "line 11: expected a civilization, not `Asyrias`"),
        ("phase conflict", "phase war", "line 10: expected the name of a phase, not `war`"),
        ("Thera: Minoa 3", "Terra: Minoa 3", "line 12: expected an area or a civilization, not `Terra`"),
        ("Minoa 3, Assyria 2", "Minoa 56, Assyria 2", "line 12: expected at most 55 tokens of each civilization"),
        ("```after", "```afters", "line 15: expected a block `map`, `state`, `orders CIV` or `after`"),
        ("Thera: Minoa 2\n```\n", "Thera: Minoa 2\n", "line 15: expected a closing fence for this block"),
        ("## 4.9 Case", "4.9 Case", "line 9: expected a `map` block here, or `## ` and a title before other blocks"),
        ("Thera: Minoa 3, Assyria 2", "Minoa: stock 54", "line 12: expected stock 55, which adds up to 55"),
    ];
    for (text, broken, expected) in cases {
        assert_eq!(play(&PAGE.replacen(text, broken, 1)), [expected], "{broken}");
    }
}
