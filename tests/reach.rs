//! The table of what a player can reach, as data and in words.

use cursus::door::casebook::CaseTable;
use cursus::game::{Known, Owner, Reader};
use cursus::orders::{Sheet, owed};
use cursus::report::Templates;
use cursus::report::reach::{Row, reach, told};
use cursus::rules::{Civ, Language, PrintedGame};

/// What Egypt reaches on this board, and the civilizations by name.
fn reached(board: &str, language: Language) -> (Vec<Row>, Vec<String>, impl Fn(&str) -> Civ) {
    let table = CaseTable::new(PrintedGame::built_in().expect("the built-in edition is sound"));
    let page =
        format!("# Reach\n\n## A case\n\n```state\nphase movement\nranking Egypt, Assyria, Minoa\n{board}\n```\n");
    let seating = table.position(&page).unwrap_or_else(|unreadable| panic!("{unreadable} in\n{page}"));
    let civ = move |name: &str| seating.lexicon.civs.exact(name).expect("a civilization");
    let egypt = civ("Egypt");
    let known = Known::of(&seating.state, Reader::Player(egypt));
    let rows = reach(&known, egypt);
    let templates = Templates::built_in(language, seating.state.printed());
    let lines = told(&templates, &known, &rows).into_iter().map(|told| format!("{} → {}", told.head, told.tail));
    (rows, lines.collect(), civ)
}

#[test]
fn a_row_tells_surplus_neighbours_and_what_stands_there() {
    let board = "Petra: Egypt 2\nJericho: Assyria 3\nJerusalem: city Egypt\nSinai: Egypt 1\nNabataea: city Minoa";
    let (rows, lines, _) = reached(board, Language::English);
    assert_eq!(rows.iter().map(|row| row.surplus).sum::<u16>(), 1);
    let petra =
        "Petra 2/1 □ ⚠ → Jericho (As 3 □), Jerusalem (your city), Jordan (0/2), Nabataea (Mi city), Sinai (1/1)";
    assert!(lines.contains(&petra.to_owned()), "{lines:#?}");
    let (_, lines, _) = reached(board, Language::Polish);
    let petra = lines.iter().find(|line| line.starts_with("Petra 2/1 □ ⚠")).expect("the same in Polish");
    assert!(petra.contains("(Twoje miasto)"), "{petra}");
}

#[test]
fn a_ship_has_a_row_also_where_nothing_else_stands() {
    let (rows, lines, _) = reached("Memphis: Egypt 1\nCyprus: ship Egypt 2", Language::English);
    assert_eq!(rows.iter().map(|row| (row.ships, row.unkept)).collect::<Vec<_>>().iter().max(), Some(&(2, 2)));
    let cyprus = lines.iter().find(|line| line.starts_with("Cyprus")).expect("the ships have a row");
    assert!(cyprus.starts_with("Cyprus, 2 ships ⚠ upkeep → Salamis (0/1 □); by ship: "), "{cyprus}");
    assert!(!cyprus.contains("Mediterranean"), "nobody lands on the open sea: {cyprus}");
}

#[test]
fn a_city_is_threatened_by_whoever_can_bring_enough() {
    // Two neighbours with three each are no threat together, for they do not attack together.
    let apart = "Jerusalem: city Egypt\nJericho: Assyria 3\nPetra: Minoa 4";
    let (rows, ..) = reached(apart, Language::English);
    assert!(rows.iter().all(|row| row.threats.is_empty()), "{rows:?}");
    // By land four, and a ship that brings as many as there are.
    let (rows, lines, civ) =
        reached("Jerusalem: city Egypt\nJericho: Assyria 4\nSalamis: Assyria 3, ship Assyria 1", Language::English);
    let threats: Vec<_> = rows.iter().flat_map(|row| &row.threats).collect();
    assert_eq!(threats.len(), 1, "{rows:?}");
    assert_eq!((threats[0].civ, threats[0].tokens, threats[0].needed), (civ("Assyria"), 7, 7));
    assert!(lines[0].contains("⚠ Assyria could bring 7 and needs 7"), "{lines:?}");
    // A neighbour with Engineering needs one less.
    let (rows, ..) =
        reached("Jerusalem: city Egypt\nJericho: Assyria 6\nAssyria: advances Engineering", Language::English);
    assert_eq!(rows[0].threats.first().map(|threat| threat.needed), Some(6));
}

#[test]
fn tokens_that_become_a_city_are_no_surplus() {
    let (rows, lines, civ) = reached("Jerusalem: Egypt 6\nMemphis: Egypt 3\nSinai: Egypt 1", Language::English);
    let jerusalem = rows.iter().find(|row| row.place.tokens == 6).expect("a row");
    assert!(jerusalem.builds && jerusalem.surplus == 0, "{jerusalem:?}");
    assert!(lines.iter().any(|line| line.starts_with("Jerusalem 6/2 □, becomes a city →")), "{lines:#?}");
    assert!(rows.iter().all(|row| row.place.city != Some(Owner::Civ(civ("Egypt")))));
}

#[test]
fn nobody_waits_for_whom_everybody_sees_unable_to_pay() {
    let owes = |holdings: &str| {
        let table = CaseTable::new(PrintedGame::built_in().expect("the built-in edition is sound"));
        let page = format!(
            "# Means\n\n## A case\n\n```state\nphase advances\nranking Egypt, Minoa\nMemphis: city Egypt\n{holdings}\n```\n"
        );
        let seating = table.position(&page).unwrap_or_else(|unreadable| panic!("{unreadable} in\n{page}"));
        let egypt = seating.lexicon.civs.exact("Egypt").expect("a civilization");
        !owed(&Known::of(&seating.state, Reader::Player(egypt)), egypt, &Sheet::default()).is_empty()
    };
    assert!(!owes("Egypt: treasury 4"), "4 buy nothing");
    assert!(owes("Egypt: treasury 50"), "Mysticism costs 50");
    // Two cards of the dearest kind may be worth 36: what they are does not matter, only how many.
    assert_eq!(owes("Egypt: treasury 4; hand ochre, ochre"), owes("Egypt: treasury 4; hand gold, gold"));
}
