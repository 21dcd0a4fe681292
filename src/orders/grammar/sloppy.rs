//! Lines as phones and hurried people write them, each beside what it says.

use super::samples::{area, card, civ, fault, is_remark, lexicon, reading, reads, reads_all, written};
use crate::game::command::{Ability, Asks, BuyLimits, Payment, SailAct, ShipPrice, Test, Wanted, Wish};
use crate::game::trade::OfferedTo;
use crate::game::{Command, Count, Owner, Phase};
use crate::orders::words::Word;
use crate::orders::{Expected, Named, Reading, Written};
use crate::rules::{Advance, AreaId, Calamity, PrintedGame};

fn walk(count: u16, path: &[&str]) -> Command {
    Command::Move { count: Count::Exactly(count), path: path.iter().map(|name| area(name)).collect() }
}

fn sail(from: &str, load: u16, steps: &[&str]) -> Command {
    let mut acts = vec![SailAct::Load(Count::Exactly(load))];
    acts.extend(steps.iter().map(|name| SailAct::To(area(name))));
    Command::Sail { from: area(from), acts }
}

fn city(name: &str) -> Command {
    Command::BuildCity { area: area(name), treasury: 0, neighbours: Vec::new(), leaving: 0 }
}

fn ship(name: &str) -> Command {
    Command::BuildShip { area: area(name), price: ShipPrice::treasury() }
}

fn keep(cards: &[(&str, usize)]) -> Command {
    Command::Keep { cards: cards.iter().flat_map(|(name, count)| vec![card(name); *count]).collect() }
}

#[track_caller]
fn all_read(lines: &[&str], command: &Command) {
    for line in lines {
        assert_eq!(reads(line), *command, "{line}");
    }
}

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
fn a_slip_in_a_name_that_joins_two_words_is_forgiven() {
    let acquires = |advances: &[Advance]| Command::Acquire {
        advances: advances.to_vec(),
        payment: None,
        library_for: None,
        free: None,
        credits: Vec::new(),
    };
    all_read(
        &[
            "acquire Drama and Poitry",
            "acquire Darma and Poetry",
            "acquire Drama and Peotry",
            "acquire Drama & Poitry",
            "acquire Drama and Po",
            "nabywam Dramat i poezje",
            "nabywam Dramt i poezję",
        ],
        &acquires(&[Advance::DramaAndPoetry]),
    );
    let both = acquires(&[Advance::DramaAndPoetry, Advance::Pottery]);
    all_read(&["acquire Drama and Pottery", "acquire Drama and Poitry, Pottery"], &both);
    let lose = Command::Wish {
        calamity: Some(Calamity::IconoclasmAndHeresy),
        wish: Wish::Lose(vec![(area("Knossos"), None)]),
    };
    all_read(
        &[
            "Iconoclsm and Heresy: lose Knossos",
            "Iconoclasm and Hersey: lose Knossos",
            "Iconoclasm and Her: lose Knossos",
            "Iconoclasm & Hereysy: lose Knossos",
        ],
        &lose,
    );
    // So far off, it is asked about and not passed over.
    for line in ["Iconoclastm and Heresies: lose Knossos", "Slaves Revolting: lose Knossos"] {
        assert!(!is_remark(line), "{line}");
    }
}

#[test]
fn a_beginning_may_be_a_word_of_ours() {
    for (line, name) in [
        ("build city in Ill", "Illyricum"),
        ("build city in Num", "Numidia"),
        ("build city in New", "New Africa"),
        ("build city in Nine", "Nineveh"),
        ("build city in Central Ma", "Central Mauretania"),
        ("build city in Western Hi", "Western Himalaya"),
        ("build city in Thar D", "Thar Desert"),
        ("build city in Carthago No", "Carthago Nova"),
        ("build city in Kara-Bogaz Go", "Kara-Bogaz Gol"),
    ] {
        assert_eq!(reads(line), city(name), "{line}");
    }
    assert_eq!(fault("build city in Para").candidates.len(), 2);
    assert_eq!(reads("select Kara-Bogaz Go"), Command::Select { areas: vec![area("Kara-Bogaz Gol")] });
    assert_eq!(reads("move 2 from Ill to Num"), walk(2, &["Illyricum", "Numidia"]));
    let doctrine = Ability::UniversalDoctrine(vec![(area("Rhodes"), None)]);
    assert_eq!(reads("use Universal D on Rhodes"), Command::Use { ability: Some(doctrine) });
    assert_eq!(
        reads("acquire Coin"),
        Command::Acquire {
            advances: vec![Advance::Coinage],
            payment: None,
            library_for: None,
            free: None,
            credits: Vec::new()
        }
    );
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
fn cards_are_counted_in_any_manner() {
    let two = keep(&[("Salt", 2)]);
    all_read(
        &[
            "keep 2x salt",
            "keep salt x2",
            "keep salt×2",
            "keep salt (2)",
            "keep 2*salt",
            "keep salt 2",
            "keep both salts",
            "keep a couple of salts",
            "keep a pair of salts",
            "keep two salts",
            "keep salt, salt",
            "keep salt salt",
            "zatrzymuję 2 sole",
            "zatrzymuję dwie sole",
            "zatrzymuję obie sole",
            "keep 2 cards of salt",
        ],
        &two,
    );
    let mixed = keep(&[("Salt", 2), ("Wine", 3), ("Furs", 1)]);
    all_read(
        &[
            "keep 2 salts and 3 wines, fur",
            "keep salt x2, wine x3, a fur",
            "keep salt 2, wine 3, furs",
            "keep salt (2) + wine (3) & furs",
        ],
        &mixed,
    );
    all_read(
        &["keep salt/iron", "keep salt &amp; iron", "keep a salt and an iron"],
        &keep(&[("Salt", 1), ("Iron", 1)]),
    );
    all_read(&["zatrzymuję 5 soli", "zatrzymuję pięć soli"], &keep(&[("Salt", 5)]));
    assert_eq!(reads("zatrzymuję trzy żelaza"), keep(&[("Iron", 3)]));
    assert_eq!(reads("zatrzymuję dwie wody"), keep(&[("Water", 2)]));
    assert_eq!(reads("keep 1 papyrus, hide"), keep(&[("Papyri", 1), ("Hides", 1)]));
    for line in ["keep all salt", "keep all my salt", "zatrzymuję wszystkie sole"] {
        let Command::Keep { cards } = reads(line) else { panic!("{line}") };
        assert!(cards.len() > 9 && cards.iter().all(|face| *face == card("Salt")), "{line}");
    }
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
fn offers_in_any_sequence() {
    let offer = Command::Offer {
        to: OfferedTo::these([civ("Egypt")]),
        gives: vec![card("Salt"), card("Salt"), card("Wine")],
        wants: vec![Wanted::Named(card("Iron")), Wanted::Named(card("Iron")), Wanted::Any],
        says: Vec::new(),
        times: 1,
    };
    let lines = [
        "offer Egypt 2 salt 1 wine for 2 iron + any",
        "offer to Egypt: salt, salt, wine for iron, iron, any",
        "Egypt: I offer 2 salt, wine for 2 iron, any",
        "Egypt: 2 salt, wine for 2 iron, any",
        "give Egypt salt, salt, wine for iron, iron, any",
        "trade with Egypt: 2 salt, wine for 2 iron, any",
        "offer 2 salt, wine to Egypt for 2 iron, any",
        "offer 2 salt, wine for 2 iron, any to Egypt",
        "offer to the Egyptians: 2 salts, wine for 2 irons, any card",
        "ofer to Egypt: 2 salt, wine for 2 iron, any",
        "oferuję Egiptowi 2 sole i wino za 2 żelaza i dowolną",
        "Egipt: 2 sole, wino za 2 żelaza, dowolna",
        "proponuję Egiptowi: sól, sól, wino za żelazo, żelazo, cokolwiek",
    ];
    all_read(&lines, &offer);
    let accept = Command::Accept { number: 4, gives: vec![card("Iron"), card("Iron")] };
    all_read(
        &[
            "accept offer #4 with iron, iron",
            "I accept offer 4 from Egypt with 2 iron",
            "accept 4: 2 iron",
            "przyjmuję ofertę nr 4: 2 żelaza",
        ],
        &accept,
    );
    all_read(
        &["no to 4", "no thanks to offer 4", "decline #4", "nie dla 4", "odrzucam ofertę 4"],
        &Command::Decline { number: 4 },
    );
    all_read(&["withdraw offer 4", "cancel offer 4", "wycofaj ofertę 4"], &Command::Withdraw { number: 4 });
    assert_ne!(reading("ok 4"), Reading::Written(Written::Orders(vec![Command::Decline { number: 4 }])));
}

#[test]
fn purchases_in_any_sequence() {
    let limited =
        Command::Buy { stack: 9, count: 3, limits: Some(BuyLimits { until_calamity: true, keep: 10 }), free: false };
    all_read(
        &[
            "buy up to 3 from stack 9 until calamity keep 10",
            "buy up to 3 from stack 9, keep 10, until a calamity",
            "buy keeping 10 up to 3 from 9 until calamity",
            "kup najwyżej 3 z talii 9 do katastrofy zostaw 10",
            "kup do 3 z talii 9 zostaw 10 do katastrofy",
            "buy max 3 cards from deck 9 leaving 10 treasury, stop at calamity",
        ],
        &limited,
    );
    all_read(
        &["buy 2 from 9", "kup 2 z 9", "buy from stack 9 2 cards", "buy two cards from stack no. 9"],
        &Command::Buy { stack: 9, count: 2, limits: None, free: false },
    );
    all_read(
        &["buy 1 free from stack 7", "kup 1 z talii 7 za darmo"],
        &Command::Buy { stack: 7, count: 1, limits: None, free: true },
    );
    assert_eq!(reads_all("buy 2 from stack 9 and 1 from stack 7").len(), 2);
    assert_eq!(fault("buy 2 from stack 9 and 1 from stack 7 keep 10").expected, Expected::EndOfOrder);
}

#[test]
fn calamities_and_advances() {
    let victims =
        |calamity| Command::Wish { calamity, wish: Wish::Victims(vec![(civ("Egypt"), None), (civ("Rome"), None)]) };
    all_read(
        &["victims are Egypt and Rome", "victims: the Egyptians, the Romans", "ofiary to Egipt i Rzym"],
        &victims(None),
    );
    all_read(
        &[
            "Famine, victims Egypt, Rome",
            "for Famine: victims Egypt, Rome",
            "victims of Famine: Egypt, Rome",
            "Głód - ofiary: Egipt i Rzym",
            "w razie Głodu ofiary: Egipt, Rzym",
            "ofiary Głodu: Egipt, Rzym",
            "Famine: victims Egyptians and Romans",
        ],
        &victims(Some(Calamity::Famine)),
    );
    assert_eq!(reads_all("Famine: victims Egypt, Rome, lose Sparta").len(), 2);
    let two = |payment| Command::Acquire {
        advances: vec![Advance::Pottery, Advance::Agriculture],
        payment,
        library_for: None,
        free: None,
        credits: Vec::new(),
    };
    all_read(
        &[
            "buy pottery, agriculture",
            "I'd like Pottery and Agriculture",
            "I want Pottery and Agriculture",
            "chcę Garncarstwo i Rolnictwo",
            "biorę Garncarstwo i Rolnictwo",
        ],
        &two(None),
    );
    let payment = Payment { cards: vec![card("Salt"); 3], treasury: 12, stands_in: None };
    all_read(
        &[
            "Pottery, Agriculture for 3 salt and 12 treasury",
            "acquire Pottery, Agriculture paying salt x3, 12 from the treasury",
            "nabywam Garncarstwo i Rolnictwo za 3 sole i 12 ze skarbca",
        ],
        &two(Some(payment)),
    );
    all_read(
        &[
            "tax at 3",
            "tax rate 3",
            "tax 3 per city",
            "set tax to 3",
            "stawka 3",
            "podatek: 3",
            "podatek po 3",
            "stawka podatku 3",
        ],
        &Command::Tax { rate: 3 },
    );
    let empire = Ability::ProvincialEmpire(vec![civ("Egypt"), civ("Rome")]);
    all_read(&["use Provincial Empire on the Egyptians and the Romans"], &Command::Use { ability: Some(empire) });
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
fn east_and_west() {
    let there = walk(3, &["Eastern Armenia", "Western Armenia"]);
    all_read(
        &[
            "move 3 from E. Armenia to W Armenia",
            "move 3 E Armenia > W. Armenia",
            "3 East Armenia > West Armenia",
            "ruch 3 z wsch. Armenii do zach. Armenii",
            "ruch 3 z Armenii Wschodniej do Armenii Zachodniej",
        ],
        &there,
    );
    // A small w is the Polish in, and there are two Armenias.
    assert_eq!(fault("zbuduj miasto w Armenia").candidates.len(), 2);
}

/// Every area of the printed map by every form of its name, behind every preposition that goes with it.
#[test]
fn every_area_in_every_form() {
    let printed = PrintedGame::built_in().expect("the built-in edition is checked");
    let mut failed = Vec::new();
    for id in printed.map.ids() {
        let own = printed.map.area(id);
        let mut names = vec![own.name.clone()];
        names.extend(own.aliases.iter().cloned());
        let english = names.len();
        let forms = printed.polish.area.get(&own.key);
        names.extend(
            forms.iter().flat_map(|forms| [&forms.nom].into_iter().chain(&forms.r#gen).chain(&forms.acc)).cloned(),
        );
        let locative = forms.and_then(|forms| forms.loc.clone());
        let (tana, other) = if own.name == "Knossos" { ("Thera", area("Thera")) } else { ("Knossos", area("Knossos")) };
        let mut expect = |line: String, expected: Command| {
            if reading(&line) != Reading::Written(Written::Orders(vec![expected])) {
                failed.push(format!("{line}: {:?}", reading(&line)));
            }
        };
        for (at, name) in names.iter().enumerate() {
            let to = Command::Move { count: Count::Exactly(3), path: vec![other, id] };
            let from = Command::Move { count: Count::Exactly(3), path: vec![id, other] };
            let lines = [
                format!("move 3 {tana} > {name}"),
                format!("3 {tana} -> {name}"),
                format!("ruch 3 z {tana} do {name}"),
            ];
            for line in lines.into_iter().chain([format!("ruch 3 z {tana} na {name}"), format!("{tana}->{name} (3)")]) {
                expect(line, to.clone());
            }
            for line in
                [format!("move 3 {name} > {tana}"), format!("ruch 3 z {name} do {tana}"), format!("3 {name}->{tana}")]
            {
                expect(line, from.clone());
            }
            if at < english {
                expect(format!("move 3 from {name} to {tana}"), from.clone());
                expect(format!("move 3 from {tana} to {}", name.to_uppercase()), to.clone());
                expect(format!("build city in {name}"), city_at(id));
                expect(format!("zbuduj miasto w {name}"), city_at(id));
            }
        }
        if let Some(name) = locative {
            for place in ["w", "na", "we"] {
                expect(format!("zbuduj miasto {place} {name}"), city_at(id));
            }
        }
    }
    assert!(failed.is_empty(), "{} lines:\n{}", failed.len(), failed[..failed.len().min(40)].join("\n"));
}

fn city_at(area: AreaId) -> Command {
    Command::BuildCity { area, treasury: 0, neighbours: Vec::new(), leaving: 0 }
}

/// Each area by all beginnings of its name: read as itself, or refused, and never taken for another.
#[test]
fn no_area_is_taken_for_another() {
    let names = &lexicon().areas;
    let printed = PrintedGame::built_in().expect("the built-in edition is checked");
    for id in printed.map.ids() {
        let name = &printed.map.area(id).name;
        let letters: Vec<char> = name.chars().collect();
        for cut in 3..letters.len() {
            let begun: String = letters[..cut].iter().collect();
            let line = format!("build city in {begun}");
            match reading(&line) {
                Reading::Written(written) => {
                    let full = names.exact(&begun).unwrap_or(id);
                    let short = names.exact(begun.trim_end()).unwrap_or(full);
                    assert_eq!(written, Written::Orders(vec![city_at(short)]), "{line}");
                }
                // `Carthago No` might say no, and `Get` begins an order.
                Reading::Fault(fault) => assert!(
                    fault.candidates.is_empty() || fault.candidates.contains(&Named::Area(id)),
                    "{line}: {fault:?}"
                ),
                other => panic!("{line}: {other:?}"),
            }
        }
    }
}

#[test]
fn talk_stays_talk() {
    for line in TALK.lines().filter(|line| !line.is_empty()) {
        assert!(is_remark(line), "{line}: {:?}", reading(line));
    }
}

const TALK: &str = include_str!("talk.txt");

#[test]
fn offers_to_several_and_again() {
    let offer = |times| Command::Offer {
        to: OfferedTo::these([civ("Egypt"), civ("Hatti")]),
        gives: vec![card("Salt"), card("Salt"), card("Wine")],
        wants: vec![Wanted::Named(card("Iron")), Wanted::Any, Wanted::Any],
        says: Vec::new(),
        times,
    };
    let once = [
        "offer to Egypt or Hatti: 2 salt, wine for iron, any 2",
        "offer to Egypt, Hatti: 2 salt, wine for iron, any 2",
        "offer 2 salt, wine for iron, any, any to Egypt or Hatti",
        "oferta dla Egiptu lub Hatti: 2 sole, wino za żelazo, dowolna, dowolna",
        "oferta dla Egiptu albo dla Hatti: 2 sole, wino za żelazo, dowolna, dowolna",
    ];
    all_read(&once, &offer(1));
    let thrice = [
        "offer to Egypt or Hatti: 2 salt, wine for iron, any 2, up to 3 times",
        "offer to Egypt or Hatti up to 3 times: 2 salt, wine for iron, any 2",
        "offer 2 salt, wine for iron, any, any up to three times to Egypt or Hatti",
        "oferta dla Egiptu lub Hatti: 2 sole, wino za żelazo, dowolna, dowolna do 3 razy",
        "oferta dla Egiptu lub Hatti: 2 sole, wino za żelazo, dowolna, dowolna, najwyżej 3 razy",
    ];
    all_read(&thrice, &offer(3));
}

#[test]
fn whatever_fits_is_accepted() {
    let accept = Command::AcceptAny {
        of: vec![Wanted::Named(card("Iron")), Wanted::Named(card("Iron")), Wanted::Any],
        gives: vec![card("Salt"); 3],
    };
    let lines = [
        "accept offers of 2 iron, any for 3 salt",
        "accept any offer of 2 iron and any for 3 salt",
        "accept all offers of iron, iron, any for salt, salt, salt",
        "please accept any offers with 2 iron, any card for 3 salt",
        "przyjmuj oferty 2 żelaza, dowolna za 3 sole",
        "przyjmij każdą ofertę 2 żelazo, dowolna za 3 sól",
    ];
    all_read(&lines, &accept);
}

#[test]
fn wishes_on_the_board() {
    let wish = Command::Post {
        wants: vec![card("Iron"), card("Wine"), card("Wine")],
        has: vec![card("Salt"), card("Salt"), card("Salt"), card("Oil")],
    };
    let lines = [
        "want iron, 2 wine have 3 salt, oil",
        "I want iron and 2 wine, have 3 salt and oil",
        "looking for iron, wine, wine, I have 3 salt and oil",
        "have 3 salt, oil want iron, 2 wine",
        "szukam żelaza i 2 wina, mam 3 sole i oliwę",
        "mam 3 sole, oliwę, szukam żelaza, 2 wina",
    ];
    all_read(&lines, &wish);
    let half = Command::Post { wants: vec![card("Iron"), card("Wine"), card("Wine")], has: Vec::new() };
    all_read(&["want: iron, 2 wine", "szukam: żelazo, 2 wino"], &half);
    all_read(&["have salt", "mam sól", "I have salt"], &Command::Post { wants: Vec::new(), has: vec![card("Salt")] });
    all_read(&["want nothing", "szukam niczego"], &Command::Post { wants: Vec::new(), has: Vec::new() });
}
