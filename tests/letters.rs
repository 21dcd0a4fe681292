//! Letters as players write them, and the acknowledgements they get: pages in `tests/letters`.
//!
//! A page has cases like those of the casebook: a `state`, then letters (`letter CIV`, `letter CIV pl` for a reader of
//! Polish), each with the `reply` it gets. Letters of one case go to one sheet a seat. With `CURSUS_RECORD=1` the replies
//! are written anew; read the diff like code.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cursus::door::casebook::{CaseTable, Seating};
use cursus::door::check::answered;
use cursus::orders::Sheet;
use cursus::report::Templates;
use cursus::rules::{Civ, Language, PrintedGame};

#[test]
fn every_letter_gets_its_reply() {
    let mut wrong = Vec::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters");
    let mut pages: Vec<_> = fs::read_dir(&folder)
        .expect("there are pages of letters")
        .map(|entry| entry.expect("the folder can be listed").path())
        .collect();
    pages.sort();
    let table = CaseTable::new(PrintedGame::built_in().expect("the built-in edition is sound"));
    let mut letters = 0;
    for page in pages {
        let text = fs::read_to_string(&page).expect("the page can be read");
        let (answered, count) = answer_page(&table, &text);
        letters += count;
        if std::env::var_os("CURSUS_RECORD").is_some() {
            fs::write(&page, &answered).expect("the page can be written");
        } else if answered != text {
            let differs = answered.lines().zip(text.lines()).find(|(found, wanted)| found != wanted);
            wrong.push(format!("{}: {differs:#?}", page.display()));
        }
    }
    assert!(wrong.is_empty(), "found and wanted differ:\n{}", wrong.join("\n"));
    assert!(letters >= 48, "dozens of letters, not {letters}");
}

/// A page with the replies that its letters get now, and how many letters it has.
fn answer_page(table: &CaseTable, page: &str) -> (String, usize) {
    let (mut out, mut letters) = (String::new(), 0);
    // What stands before the first case serves all of them.
    let mut head = String::new();
    let mut case: Option<Case> = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("## ") {
            case = Some(Case::default());
        }
        let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) else {
            out += &format!("{line}\n");
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let fenced = format!("```{kind}\n{}\n```\n", block.join("\n"));
        match (kind.split(' ').collect::<Vec<_>>()[..].to_vec().as_slice(), &mut case) {
            (["map"], None) => head = fenced.clone(),
            (["map" | "state"], Some(case)) => case.position += &fenced,
            (["letter", civ, language @ ..], Some(case)) => {
                letters += 1;
                let language = language.first().and_then(|code| Language::coded(code)).unwrap_or_default();
                case.reply = Some(case_reply(case, table, &head, civ, language, &block.join("\n")));
            }
            (["reply"], Some(case)) => {
                let reply = case.reply.take().expect("a reply follows its letter");
                out += &format!("```reply\n{reply}```\n");
                continue;
            }
            _ => panic!("`{kind}` is no block of a page of letters, or stands in the wrong place"),
        }
        out += &fenced;
    }
    (out, letters)
}

#[derive(Default)]
struct Case {
    /// Its map and state.
    position: String,
    seating: Option<Seating>,
    sheets: BTreeMap<Civ, Sheet>,
    letters: u64,
    /// The reply to the last letter.
    reply: Option<String>,
}

fn case_reply(case: &mut Case, table: &CaseTable, head: &str, civ: &str, language: Language, letter: &str) -> String {
    let position = &case.position;
    let seating = case.seating.get_or_insert_with(|| {
        let page = format!("# Letters\n\n{head}\n## A case\n\n{position}");
        table.position(&page).unwrap_or_else(|unreadable| panic!("{unreadable} in\n{page}"))
    });
    let civ = seating.lexicon.civs.exact(civ).expect("the writer is seated");
    let templates = Templates::built_in(language, seating.state.printed());
    case.letters += 1;
    let sheet = case.sheets.entry(civ).or_default();
    answered(&templates, &seating.lexicon, &seating.state, civ, sheet, letter, case.letters).text(&templates)
}
