//! Moves, ships, voyages and tests of the board, in any sequence.

use super::super::samples::{area, civ, fault, is_remark, reading, reads, reads_all};
use super::{all_read, city, sail, ship, walk};
use crate::game::command::{Asks, SailAct, Test};
use crate::game::{Command, Count, Owner};
use crate::orders::words::Word;
use crate::orders::{Expected, Named, Reading, Written};

#[test]
fn a_move_in_any_sequence() {
    let lines = [
        "Knossos > Thera 3",
        "Knossos -> Thera (3)",
        "Knossos→Thera x3",
        "Knossos - Thera: 3",
        "Knossos -> Thera, 3 tokens",
        "3: Knossos > Thera",
        "1: Knossos > Thera 3",
        "2: 3 Knossos > Thera",
        "Knossos to Thera 3 tokens",
        "Knossos: 3 to Thera",
        "from Knossos 3 to Thera",
        "from Knossos to Thera move 3",
        "move Knossos Thera 3",
        "move from Knossos to Thera with 3",
        "move 3 to Thera from Knossos",
        "3 tokens Knossos–Thera",
        "3 from Knossos to Thera",
        "three tokens from Knossos to Thera period",
        "please move three tokens from Knossos to Thera, thanks!",
        "I'll move 3 from Knossos to Thera",
        "Let's move 3 from Knossos to Thera",
        "my orders: move 3 from Knossos to Thera",
        "Orders: 3 Knossos > Thera",
        "1 move 3 Knossos > Thera",
        "#1 move 3 Knossos > Thera",
        "3 z Knossos na Terę",
        "z Knossos 3 do Thery",
        "z Knossos do Thery 3 żetony",
        "przenieś 3 pionki z Knossos do Thery",
        "najpierw ruch 3 z Knossos do Thery",
        "rozkazy: ruch 3 z Knossos do Thery",
        "trzy żetony z Knossos na Terę kropka",
    ];
    all_read(&lines, &walk(3, &["Knossos", "Thera"]));
    let all = Command::Move { count: Count::All, path: vec![area("Knossos"), area("Thera")] };
    let lines = [
        "Knossos > Thera all",
        "the rest from Knossos to Thera",
        "reszta z Knossos do Thery",
        "move everyone Knossos > Thera",
    ];
    all_read(&lines, &all);
    all_read(
        &["a couple of tokens from Knossos to Thera", "para żetonów z Knossos do Thery"],
        &walk(2, &["Knossos", "Thera"]),
    );
}

/// A word that counts in one place and only fills in another is what it is in each.
#[test]
fn how_many_is_never_lost() {
    let all = Command::Move { count: Count::All, path: vec![area("Knossos"), area("Thera")] };
    let lines = [
        "move all of the tokens from Knossos to Thera",
        "move all of my tokens from Knossos to Thera",
        "move all of them from Knossos to Thera",
        "move all of the tokens in Knossos to Thera",
        "move all the tokens from Knossos to Thera",
        "move each of my tokens from Knossos to Thera",
        "move each token from Knossos to Thera",
        "move every one of the tokens from Knossos to Thera",
        "move the rest of the tokens from Knossos to Thera",
        "all of the tokens from Knossos to Thera",
        "all of them Knossos > Thera",
        "ruch wszystkie moje żetony z Knossos do Thery",
        "ruch wszystkie z moich żetonów z Knossos do Thery",
    ];
    for line in lines {
        match reading(line) {
            Reading::Written(written) => assert_eq!(written, Written::Orders(vec![all.clone()]), "{line}"),
            Reading::Fault(_) => assert!(line.contains("z moich"), "{line}"),
            other => panic!("{line}: {other:?}"),
        }
    }
    let lines = [
        "move 3 of the tokens from Knossos to Thera",
        "move all 3 tokens from Knossos to Thera",
        "move all three of my tokens from Knossos to Thera",
        "move three of them from Knossos to Thera",
    ];
    for line in lines {
        match reading(line) {
            Reading::Written(written) => {
                assert_eq!(written, Written::Orders(vec![walk(3, &["Knossos", "Thera"])]), "{line}");
            }
            Reading::Fault(_) => assert!(line.contains("of them"), "{line}"),
            other => panic!("{line}: {other:?}"),
        }
    }
    all_read(
        &["move a token from Knossos to Thera", "move the token Knossos > Thera"],
        &walk(1, &["Knossos", "Thera"]),
    );
    // How many are some, and how many stand there?
    for line in [
        "move some of the tokens from Knossos to Thera",
        "move the tokens from Knossos to Thera",
        "move my tokens from Knossos to Thera",
        "ruch moje żetony z Knossos do Thery",
        "move half of the tokens from Knossos to Thera",
        "move some from Knossos to Thera",
        "move all but 2 from Knossos to Thera",
        "move most of the tokens from Knossos to Thera",
    ] {
        assert!(matches!(reading(line), Reading::Fault(_)), "{line}: {:?}", reading(line));
    }
    let load = |line: &str, count| {
        let acts = vec![SailAct::Load(count), SailAct::To(area("Rhodes"))];
        assert_eq!(reads(line), Command::Sail { from: area("Knossos"), acts }, "{line}");
    };
    load("sail from Knossos load all of the tokens to Rhodes", Count::All);
    load("sail from Knossos with all of my tokens to Rhodes", Count::All);
    load("sail from Knossos load 3 of the tokens to Rhodes", Count::Exactly(3));
}

#[test]
fn several_moves_in_a_line() {
    let two = [walk(3, &["Knossos", "Thera"]), walk(2, &["Knossos", "Phaestos"])];
    for line in [
        "3 Knossos > Thera, 2 Knossos > Phaestos",
        "move 3 Knossos > Thera and 2 Knossos > Phaestos",
        "move 3 Knossos > Thera, move 2 Knossos > Phaestos",
        "move 3 from Knossos to Thera then 2 from Knossos to Phaestos",
        "move 3 from Knossos to Thera and 2 to Phaestos",
        "Knossos: 3 > Thera, 2 > Phaestos",
        "from Knossos 3 to Thera, 2 to Phaestos",
        "Knossos > Thera 3, Knossos > Phaestos 2",
        "Knossos > Thera (3), Knossos > Phaestos (2)",
        "3 z Knossos do Thery i 2 do Fajstos",
    ] {
        assert_eq!(reads_all(line), two, "{line}");
    }
    let gathered = [walk(3, &["Knossos", "Thera"]), walk(2, &["Phaestos", "Thera"])];
    for line in ["move 3 from Knossos and 2 from Phaestos to Thera", "3 Knossos, 2 Phaestos > Thera"] {
        assert_eq!(reads_all(line), gathered, "{line}");
    }
    assert_eq!(
        reads_all("move 3 Knossos > Thera and build city in Sparta"),
        [walk(3, &["Knossos", "Thera"]), city("Sparta")]
    );
    assert_eq!(reads("move 2 Knossos > Thera > Phaestos"), walk(2, &["Knossos", "Thera", "Phaestos"]));
}

#[test]
fn ships_and_cities_without_a_verb() {
    all_read(
        &[
            "new ship Knossos",
            "ship in Knossos: build",
            "another ship in Knossos",
            "nowy statek w Knossos",
            "build a new ship in Knossos",
        ],
        &ship("Knossos"),
    );
    all_read(
        &[
            "city in Sparta",
            "new city Sparta",
            "found city in Sparta",
            "found a new city in Sparta",
            "miasto w Sparcie",
            "nowe miasto w Sparcie",
            "załóż miasto w Sparcie",
            "City in Sparta!",
        ],
        &city("Sparta"),
    );
    let maintained = Command::MaintainShip { area: area("Knossos"), token_from: None };
    all_read(
        &[
            "keep ship in Knossos",
            "pay for ship in Knossos",
            "maintain Knossos",
            "ship in Knossos: maintain",
            "zapłać za statek w Knossos",
            "pay for the ship in Knossos",
        ],
        &maintained,
    );
    assert_eq!(reads_all("build ships in Knossos and Rhodes"), [ship("Knossos"), ship("Rhodes")]);
    assert_eq!(reads_all("build 2 ships in Knossos"), [ship("Knossos"), ship("Knossos")]);
    assert_eq!(reads("build ship in Knossos for 2 gold"), ship("Knossos"));
    assert!(is_remark("City in Athens?"));
}

#[test]
fn voyages_in_any_sequence() {
    let lines = [
        "ship Knossos > Rhodes with 3",
        "sail Knossos-Rhodes load 3",
        "sail from Knossos to Rhodes with 3 tokens",
        "sail Knossos > Rhodes (3)",
        "ship from Knossos carries 3 to Rhodes",
        "sail 3 from Knossos to Rhodes",
        "statek z Knossos płynie z 3 na Rodos",
        "płyń z Knossos na Rodos z 3 żetonami",
        "statek z Knossos wiezie 3 na Rodos",
    ];
    all_read(&lines, &sail("Knossos", 3, &["Rhodes"]));
    all_read(
        &["sail 3 from Knossos to Rhodes to Thera", "sail Knossos > Rhodes > Thera with 3"],
        &sail("Knossos", 3, &["Rhodes", "Thera"]),
    );
}

#[test]
fn tests_in_any_sequence() {
    let when = |asks| Command::If {
        test: Test { area: area("Rhodes"), asks },
        then: Box::new(walk(1, &["Knossos", "Thera"])),
        otherwise: None,
    };
    let egypt = Owner::Civ(civ("Egypt"));
    for (test, asks) in [
        ("if Rhodes is empty, move", Asks::IsEmpty),
        ("if Rhodes is empty: move", Asks::IsEmpty),
        ("jeśli Rodos jest puste to ruch", Asks::IsEmpty),
        ("if Rhodes has more than 2 Egyptians then move", Asks::AtLeast(3, egypt)),
        ("if Rhodes has fewer than 4 Egyptians then move", Asks::AtMost(3, egypt)),
        ("if there are at least 3 Egyptians in Rhodes then", Asks::AtLeast(3, egypt)),
        ("jeśli na Rodos jest co najmniej 3 Egiptu to ruch", Asks::AtLeast(3, egypt)),
        ("jeśli Rodos ma najwyżej 3 Egipt to ruch", Asks::AtMost(3, egypt)),
        ("jeśli Rodos nie ma Egiptu to ruch", Asks::Holds(0, egypt)),
        ("jeśli Rodos ma miasto Egiptu to ruch", Asks::HasCity(egypt)),
        ("jeśli Rodos ma egipskie miasto, to ruch", Asks::HasCity(egypt)),
        ("if Rhodes has an Egyptian city then move", Asks::HasCity(egypt)),
        ("if Egypt has a city in Rhodes, move", Asks::HasCity(egypt)),
        ("if Egypt has 3 in Rhodes then move", Asks::Holds(3, egypt)),
    ] {
        assert_eq!(reads(&format!("{test} 1 Knossos > Thera")), when(asks), "{test}");
    }
    for line in ["if Rhodes is empty then move 3 Knossos > Thera, 2 Knossos > Phaestos", "if Rhodes is empty then done"]
    {
        fault(line);
    }
    let otherwise = "jeśli Rodos jest puste to 1 z Knossos do Thery, inaczej 2 z Knossos do Thery";
    assert!(matches!(reads(otherwise), Command::If { otherwise: Some(_), .. }));
}

#[test]
fn what_may_mean_two_things_is_asked() {
    // Do those that came to Thera go on, or others?
    assert_eq!(fault("move 3 Knossos > Thera and then 2 to Phaestos").expected, Expected::Area);
    // Which of the two has no number?
    assert_eq!(fault("Knossos > Thera, 3 Knossos > Phaestos").expected, Expected::NumberOfTokens);
    assert_eq!(fault("Knossos > Thera").expected, Expected::NumberOfTokens);
    // Built or maintained?
    for line in ["ship in Knossos", "2 ships in Knossos", "statek w Knossos"] {
        assert_eq!(fault(line).candidates, [Named::Verb(Word::Build), Named::Verb(Word::Maintain)], "{line}");
    }
    assert_eq!(fault("Pottery, Agriculture").candidates, [Named::Verb(Word::Acquire)]);
    // One in each, or two in each?
    assert_eq!(fault("build 2 ships in Knossos and Rhodes").expected, Expected::EndOfOrder);
    // A gift is no offer, and Provincial Empire asks no name.
    assert_eq!(fault("give Egypt salt").expected, Expected::ForWhat);
    assert_eq!(fault("acquire Pottery paying all salt").expected, Expected::Number);
    assert_eq!(fault("offer to Egypt: all salt for iron").expected, Expected::Number);
}
