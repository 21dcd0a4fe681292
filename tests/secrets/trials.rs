//! The attacks by trial letter: what a hidden card is may not be read off the verdict on a line that needs it.

use std::sync::Arc;

use cursus::door::casebook::{CaseTable, Seating};
use cursus::door::check::answered;
use cursus::game::{Chance, State, adjudicate};
use cursus::orders::{Lexicon, Sheet, commands, read};
use cursus::report::Templates;
use cursus::rules::{Language, PrintedGame};

/// A position in which the card in brackets is another each time.
fn position(text: &str) -> (Arc<Lexicon>, State) {
    let Seating { lexicon, state } = CaseTable::new(PrintedGame::built_in().unwrap()).position(text).unwrap();
    (lexicon, state)
}

/// What somebody files is ruled upon, as far as the phase goes without a cut-off.
fn file(lexicon: &Lexicon, state: &State, civ: &str, text: &str) -> State {
    let civ = lexicon.civs.exact(civ).unwrap();
    let mut sheet = Sheet::default();
    sheet.add(&read(text, lexicon), state.phase(), 1);
    let filed = commands(&[(civ, sheet)].into(), state.phase(), false);
    adjudicate(state, &filed, &Chance::numbered(0)).1
}

/// The whole answer to a letter.
fn answer(lexicon: &Lexicon, state: &State, civ: &str, letter: &str) -> String {
    let civ = lexicon.civs.exact(civ).unwrap();
    let templates = Templates::built_in(Language::English, state.printed());
    answered(&templates, lexicon, state, civ, &mut Sheet::default(), letter, 2).text(&templates)
}

const HIDDEN: [&str; 4] = ["Tin", "Silver", "Water", "Slave Revolt"];

#[test]
fn the_third_card_of_an_offer_cannot_be_tried() {
    let answers = HIDDEN.map(|third| {
        let (lexicon, state) = position(&format!(
            "# Trade\n\n## A case\n\n```state\nphase trade\nranking Minoa, Egypt, Hellas\n\
             Minoa: hand Salt, Salt, Wine, Wine, Iron\nEgypt: hand Iron, Grain, {third}, Flax\n```\n"
        ));
        let state =
            file(&lexicon, &state, "Egypt", &format!("offer to Minoa: iron, grain, {third} for salt, salt, any"));
        let tries = ["tin", "silver", "water", "slave revolt", "flax"].map(|guess| {
            let letter =
                format!("try\naccept 1 with salt, salt, wine\noffer to Hellas: iron, wine, {guess} for any, any, any");
            answer(&lexicon, &state, "Minoa", &letter)
        });
        assert!(!tries.iter().any(|told| told.contains("do not hold")), "{}", tries.join("\n\n"));
        tries.join("\n\n")
    });
    assert!(answers.iter().all(|told| *told == answers[0]));
}

#[test]
fn a_second_trade_with_the_same_player_is_not_foreseen() {
    // Whether the player still has the card that both offers tell of depends on what went with the first.
    let answers = ["Iron", "Tin"].map(|third| {
        let (lexicon, state) = position(&format!(
            "# Trade\n\n## A case\n\n```state\nphase trade\nranking Minoa, Egypt\n\
             Minoa: hand Salt, Salt, Salt, Wine, Wine, Wine\nEgypt: hand Iron, Grain, {third}, Flax, Grain\n```\n"
        ));
        let offers = format!(
            "offer to all: grain, flax, {third} for any, any, any\noffer to all: iron, grain, grain for any, any, any"
        );
        let state = file(&lexicon, &state, "Egypt", &offers);
        answer(&lexicon, &state, "Minoa", "try\naccept 1 with 3 salt\naccept 2 with 3 wine")
    });
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn a_card_that_provincial_empire_brings_is_not_foreseen() {
    let answers = [("Tin", ""), ("Tin", "try\n"), ("Grain", ""), ("Grain", "try\n")].map(|(held, head)| {
        let (lexicon, state) = position(&format!(
            "# Abilities\n\n## A case\n\n```state\nphase abilities\nranking Minoa, Egypt\nKnossos: Minoa 2\nPhaestos: Egypt 2\n\
             Minoa: hand Salt; advances Provincial Empire, Trade Routes\nEgypt: hand {held}\n```\n"
        ));
        let letter = format!("{head}use Provincial Empire on Egypt\nuse Trade Routes with tin\nacquire Pottery paying 1 tin");
        (head, answer(&lexicon, &state, "Minoa", &letter))
    });
    for (head, told) in &answers {
        let same = answers.iter().filter(|(other, _)| other == head);
        assert!(same.into_iter().all(|(_, other)| other == told), "{told}");
        assert!(!told.contains("do not hold"), "{told}");
    }
}
