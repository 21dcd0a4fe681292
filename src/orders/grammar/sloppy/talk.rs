//! What is talk and what is an order; numbers, slips, and what programs do to a line.

use super::super::samples::{area, fault, is_remark, reading, reads, written};
use super::{all_read, city, keep, sail, walk};
use crate::game::{Command, Phase};
use crate::orders::{Expected, Reading, Written};

#[test]
fn what_is_told_denied_or_asked_is_no_order() {
    for line in [
        "I moved 3 Knossos > Thera",
        "don't move 3 Knossos > Thera",
        "I will not move 3 Knossos > Thera",
        "we should move 3 Knossos > Thera",
        "Egypt moves 3 Knossos > Thera",
        "I reduced Sparta",
        "Knossos, Thera 3",
        "Knossos to Thera is 3 days",
        "Egypt: 2 salt for 2 wine?",
        "Cancel",
        "Never!",
        "3 ships in Knossos are a threat",
    ] {
        assert!(is_remark(line), "{line}: {:?}", reading(line));
    }
    // What stands behind a greeting or an `ok` is an order like any other.
    all_read(&["ok, move 3 Knossos > Thera", "Hi, 3 Knossos > Thera"], &walk(3, &["Knossos", "Thera"]));
    assert_eq!(written("ok, thanks"), Written::Ok);
    assert_eq!(written("undo my last move"), Written::Undo { part: None, numbers: Vec::new(), last: 1 });
}

#[test]
fn numbers_in_words() {
    for (words, number) in [
        ("twenty-one", 21),
        ("twenty one", 21),
        ("dwadzieścia jeden", 21),
        ("ninety-nine", 99),
        ("dziewięćdziesiąt dziewięć", 99),
        ("forty", 40),
        ("trzydzieści", 30),
        ("a dozen", 12),
        ("dwanaście", 12),
    ] {
        assert_eq!(reads(&format!("move {words} Knossos > Thera")), walk(number, &["Knossos", "Thera"]), "{words}");
    }
}

#[test]
fn lines_are_taken_back() {
    let undo = |part, numbers: &[u16]| Written::Undo { part, numbers: numbers.to_vec(), last: 1 };
    for (line, expected) in [
        ("undo 2 and 3", undo(None, &[2, 3])),
        ("undo 2-4", undo(None, &[2, 3, 4])),
        ("undo 2 to 4", undo(None, &[2, 3, 4])),
        ("undo line 2", undo(None, &[2])),
        ("undo last", undo(None, &[])),
        ("cofnij ostatni", undo(None, &[])),
        ("cofnij 2 i 3", undo(None, &[2, 3])),
        ("undo cities 2", undo(Some(Phase::Cities), &[2])),
        ("cofnij miasta 2", undo(Some(Phase::Cities), &[2])),
        ("undo all", Written::Clear { part: None }),
        ("undo everything", Written::Clear { part: None }),
        ("undo all cities", Written::Clear { part: Some(Phase::Cities) }),
        ("cofnij wszystko", Written::Clear { part: None }),
        ("clear all", Written::Clear { part: None }),
        ("clear cities", Written::Clear { part: Some(Phase::Cities) }),
        ("wyczyść miasta", Written::Clear { part: Some(Phase::Cities) }),
        ("undo always 2", Written::UndoAlways { numbers: vec![2] }),
        ("cofnij zawsze 2", Written::UndoAlways { numbers: vec![2] }),
        ("never buy", Written::Always(vec![Command::Pass])),
        ("nigdy nie kupuj", Written::Always(vec![Command::Pass])),
        (
            "nigdy nie buduj miasta w Sparcie",
            Written::Always(vec![Command::BuildNoCity { area: Some(area("Sparta")) }]),
        ),
        ("never build a city", Written::Always(vec![Command::BuildNoCity { area: None }])),
        ("zawsze podatek 3", Written::Always(vec![Command::Tax { rate: 3 }])),
        ("always Banditry: pay 2", Written::Always(vec![reads("Banditry: pay 2")])),
        ("never pay", Written::Always(vec![reads("pay nothing")])),
    ] {
        assert_eq!(written(line), expected, "{line}");
    }
    assert_eq!(fault("always tax many Athens 3").expected, Expected::Number);
}

#[test]
fn misspelt_verbs() {
    for (line, command) in [
        ("mvoe 3 Knossos > Thera", walk(3, &["Knossos", "Thera"])),
        ("moev 3 Knosos > Thera", walk(3, &["Knossos", "Thera"])),
        ("biuld city in Sparta", city("Sparta")),
        ("biuld ciyt in Sparta", city("Sparta")),
        ("zbduuj miasto w Sparcie", city("Sparta")),
        ("slai 3 from Knossos to Rhodes", sail("Knossos", 3, &["Rhodes"])),
        ("przseun 3 z Knossos do Thery", walk(3, &["Knossos", "Thera"])),
        ("kepp gold", keep(&[("Gold", 1)])),
        ("move 3 form Knossos to Thera", walk(3, &["Knossos", "Thera"])),
    ] {
        assert_eq!(reads(line), command, "{line}");
    }
    // What cannot be read and plainly was an order is asked about; a word alone only if its letters are all there.
    for line in ["mvoe 3 Knossos", "doen", "psas", "konice"] {
        fault(line);
    }
    for line in ["Love 3 of these", "More soon", "Walt", "Gave salt, iron", "Dona", "mvoe on", "Like salt"] {
        assert!(is_remark(line), "{line}");
    }
}

#[test]
fn what_autocorrect_and_programs_do() {
    let lines = [
        "3 Knossos —> Thera",
        "3 Knossos -&gt; Thera",
        "3 Knossos ➡️ Thera!",
        "３ Knossos ＞ Thera",
        "✅ Move 3 “Knossos” — Thera;",
        "MOVE 3 FROM KNOSSOS TO THERA",
        "move\u{A0}3\u{200B} from\tKnossos to\u{AD} Thera,",
        "\u{200F}move 3 from Knossos to to Thera",
        "move 3 from from the the Knossos to Thera.",
        "◦ 3 Knossos » Thera",
        "move 3 from 'Knossos' to ‘Thera’;",
    ];
    all_read(&lines, &walk(3, &["Knossos", "Thera"]));
    assert_eq!(reading("&gt; move 3 Knossos > Thera"), Reading::Quoted);
}

#[test]
fn talk_stays_talk() {
    for line in TALK.lines().filter(|line| !line.is_empty()) {
        assert!(is_remark(line), "{line}: {:?}", reading(line));
    }
}

const TALK: &str = include_str!("../talk.txt");
