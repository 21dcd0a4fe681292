//! The casebook: every page holds, and every rule number is cited by a case.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cursus::door::casebook::{CaseTable, Verdict};
use cursus::door::cases::pages;
use cursus::rules::PrintedGame;

/// The rules of the turn and of the calamities: what stands before the number, and the last number.
const RULES: [(&str, u8); 19] = [
    ("R1.", 12),
    ("R2.", 8),
    ("R3.", 43),
    ("R4.", 30),
    ("R5.", 20),
    ("R6.", 17),
    ("R7.", 15),
    ("R8.", 6),
    ("R9.", 5),
    ("R10.", 6),
    ("R11.", 2),
    ("R12.", 12),
    ("R13.", 8),
    ("C.", 17),
    ("V.", 4),
    ("F.", 4),
    ("W.", 5),
    ("B.", 5),
    ("Y.", 2),
];

/// A page sees neither the stacks nor the scores: rules that are proved elsewhere, and where.
const SHOWN_ELSEWHERE: [(&str, &str); 2] = [
    ("R13.7", "tests/whole_games.rs makes every shuffle again, tests/properties.rs looks for discards that were left"),
    ("R13.8", "tests/scoring.rs"),
];

fn verdicts() -> Vec<(String, Verdict)> {
    let table = CaseTable::new(PrintedGame::built_in().expect("the built-in edition can be read"));
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
    assert!(verdicts.len() >= 300, "only {} cases", verdicts.len());

    let cited: BTreeSet<_> = verdicts.iter().flat_map(|(_, verdict)| &verdict.cites).map(String::as_str).collect();
    let rules = RULES.iter().flat_map(|(part, last)| (1..=*last).map(move |number| format!("{part}{number}")));
    let silent: BTreeSet<_> = rules.filter(|rule| !cited.contains(rule.as_str())).collect();
    let elsewhere: BTreeSet<_> = SHOWN_ELSEWHERE.iter().map(|(rule, _)| (*rule).to_owned()).collect();
    assert_eq!(silent, elsewhere, "rules that no case cites, and those that are proved elsewhere");
}

/// What a page with this one case leads to.
fn play(text: &str) -> Vec<String> {
    let table = CaseTable::new(PrintedGame::built_in().expect("the built-in edition can be read"));
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
