//! Names: with slips, cut short, in every case.

use super::super::samples::{area, fault, is_remark, lexicon, reading, reads};
use super::{all_read, city, walk};
use crate::game::command::{Ability, Wish};
use crate::game::{Command, Count};
use crate::orders::{Named, Reading, Written};
use crate::rules::{Advance, AreaId, Calamity, PrintedGame};

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
