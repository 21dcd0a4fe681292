//! Cards, offers, purchases, calamities and advances.

use super::super::samples::{card, civ, fault, reading, reads, reads_all};
use super::{all_read, keep};
use crate::game::Command;
use crate::game::command::{Ability, BuyLimits, Payment, Wanted, Wish};
use crate::game::trade::OfferedTo;
use crate::orders::{Expected, Reading, Written};
use crate::rules::{Advance, Calamity};

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
        "propose to Egypt: 2 salt, wine for 2 iron, any",
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
