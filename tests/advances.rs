//! Every advance has the case that shows its effect, and every calamity at least two.
//!
//! A case shows an advance if it holds, and does not hold any more once the advance is taken away from whoever has it.

#[path = "casebook/shown.rs"]
mod shown;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use cursus::door::casebook::CaseTable;
use cursus::rules::{Advance, PrintedGame};
use shown::{SHOWN, Shows};

/// The casebook as text: each page before its first case, and its cases by their titles.
struct Pages(BTreeMap<String, (String, Vec<(String, String)>)>);

impl Pages {
    fn read() -> Pages {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/casebook");
        let files = fs::read_dir(folder).expect("the casebook is there").map(|entry| entry.expect("a page").path());
        let pages = files.filter(|path| path.extension().is_some_and(|extension| extension == "md")).map(|path| {
            let text = fs::read_to_string(&path).expect("a page is text");
            let mut parts = text.split("\n## ");
            let head = parts.next().unwrap_or_default().to_owned();
            let cases = parts.map(|case| {
                let title = case.lines().next().unwrap_or_default().trim();
                (title.to_owned(), format!("\n## {case}"))
            });
            let name = path.file_name().expect("a page has a name").to_string_lossy().into_owned();
            (name, (head, cases.collect()))
        });
        Pages(pages.collect())
    }

    /// The first case of that title, as a page of its own.
    fn case(&self, page: &str, title: &str) -> Option<String> {
        let (head, cases) = self.0.get(page)?;
        let (_, text) = cases.iter().find(|(other, _)| other == title)?;
        Some(format!("{head}{text}"))
    }

    fn cases(&self) -> impl Iterator<Item = &str> {
        self.0.values().flat_map(|(_, cases)| cases.iter().map(|(_, text)| text.as_str()))
    }
}

/// The lines of the blocks of these kinds, with their places in the text.
fn blocks<'a>(text: &'a str, kinds: &[&str]) -> Vec<&'a str> {
    let mut found = Vec::new();
    let mut open = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(kind) => open = kinds.contains(&kind.trim()),
            None if open => found.push(line),
            None => {}
        }
    }
    found
}

fn faults(table: &CaseTable, text: &str) -> Vec<String> {
    table.play(text).into_iter().flat_map(|verdict| verdict.faults).collect()
}

#[test]
fn every_advance_has_the_case_that_shows_it() {
    let printed = PrintedGame::built_in().expect("the built-in edition is sound");
    let names: BTreeMap<Advance, String> =
        printed.advances.iter().map(|card| (card.advance, card.name.clone())).collect();
    let table = CaseTable::new(printed);
    let pages = Pages::read();

    let listed: Vec<Advance> = SHOWN.iter().map(|(advance, ..)| *advance).collect();
    assert_eq!(listed.len(), 51, "51 advances are printed");
    assert_eq!(listed.iter().collect::<BTreeSet<_>>(), names.keys().collect(), "every advance is listed once");

    for (advance, page, title, shows) in SHOWN {
        let name = &names[&advance];
        let text = pages.case(page, title).unwrap_or_else(|| panic!("{page} has no case `{title}`"));
        assert_eq!(faults(&table, &text), Vec::<String>::new(), "{page} · {title}");
        let is_named = blocks(&text, &["state", "after"]).iter().any(|line| line.contains(name.as_str()));
        assert!(is_named, "{page} · {title} does not name {name}");
        // Who has another advance instead, one without an effect, meets another fate.
        let without = match shows {
            Shows::Holding => in_states(&text, name, "Empiricism"),
            Shows::CreditsOnly => in_states(&text, name, "Mysticism"),
            Shows::Acquiring => continue,
        };
        assert_ne!(without, text, "{page} · {title}: {name} is held by nobody");
        let found = faults(&table, &without);
        assert!(!found.is_empty(), "{page} · {title} holds without {name} too");
        let unreadable = found.iter().any(|fault| fault.starts_with("line "));
        assert!(!unreadable, "{page} · {title} cannot be read without {name}: {found:?}");
    }
}

/// The text with another name wherever a `state` block has this one.
fn in_states(text: &str, name: &str, other: &str) -> String {
    let mut open = false;
    let lines = text.lines().map(|line| {
        if let Some(kind) = line.strip_prefix("```") {
            open = kind.trim() == "state";
        }
        if !open { line.to_owned() } else { renamed(line, name, other) }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Only whole names: `Military` is not `Advanced Military`.
fn renamed(line: &str, name: &str, other: &str) -> String {
    let parts = line.split_inclusive([',', ';']).map(|part| {
        let bare = part.trim_end_matches([',', ';']).trim();
        let bare = bare.rsplit_once("advances ").map_or(bare, |(_, first)| first);
        if bare == name { part.replace(name, other) } else { part.to_owned() }
    });
    parts.collect()
}

#[test]
fn every_calamity_has_two_cases() {
    let printed = PrintedGame::built_in().expect("the built-in edition is sound");
    let pages = Pages::read();
    assert_eq!(printed.calamities.len(), 24);
    for card in &printed.calamities {
        // `Volcanic Eruption / Earthquake` goes by either name.
        let is_named = |line: &&str| line.contains("hand") && card.name.split(" / ").any(|name| line.contains(name));
        let is_struck = |text: &&str| {
            let state = blocks(text, &["state"]);
            state.contains(&"phase calamities") && state.iter().any(is_named)
        };
        let cases = pages.cases().filter(is_struck).count();
        assert!(cases >= 2, "{} has {cases} cases", card.name);
    }
}
