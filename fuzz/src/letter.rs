//! What the fuzzer and the replay of its corpus do with a letter.

use std::sync::LazyLock;

use cursus::door::casebook::{CaseTable, Seating};
use cursus::door::check::answered;
use cursus::orders::Sheet;
use cursus::report::Templates;
use cursus::rules::{Language, PrintedGame};

/// Positions of every phase that reads orders, on the printed map, with both sets of words.
static DESK: LazyLock<(Vec<Seating>, [Templates; 2])> = LazyLock::new(|| {
    let printed = PrintedGame::built_in().expect("the built-in edition is sound");
    let templates = Language::ALL.map(|language| Templates::built_in(language, &printed));
    let table = CaseTable::new(printed);
    let phases = ["tax", "movement", "cards", "trade", "calamities", "abilities", "advances"];
    let positions = phases.map(|phase| {
        let page = format!(
            "# A position\n\n## A case\n\n```state\nphase {phase}\nranking Minoa, Hellas, Egypt\n\
             Knossos: city Minoa, ship Minoa 1\nPhaestos: Minoa 5\nThera: Minoa 2, Egypt 1\nAthens: city Hellas\n\
             Argos: Hellas 4\nMinoa: treasury 9; hand Salt, Salt, Iron, Famine; advances Diaspora, Coinage\n```\n"
        );
        table.position(&page).expect("the position can be read")
    });
    (positions.into(), templates)
});

/// Reads a letter of Minoa in a position that its first byte chooses, files it twice, and answers.
pub fn answer(data: &[u8]) {
    let (positions, templates) = &*DESK;
    let (first, text) = data.split_first().unwrap_or((&0, &[]));
    let Seating { lexicon, state } = &positions[usize::from(*first) % positions.len()];
    let templates = &templates[usize::from(*first / 128)];
    let text = String::from_utf8_lossy(text);
    let civ = lexicon.civs.exact("Minoa").expect("Minoa is seated");
    let mut sheet = Sheet::default();
    for arrival in 1..=2 {
        let told = answered(templates, lexicon, state, civ, &mut sheet, &text, arrival).text(templates);
        assert!(!told.is_empty(), "every letter is answered");
    }
}
