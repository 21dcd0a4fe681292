//! What a browser is sent: the page of a seat, its data, its map and its trials.

use cursus::game::Known;
use cursus::orders::{Bearings, Lens, Lexicon, Sheet, read_reply};
use cursus::report::page::{self, Seat};
use cursus::report::{Answered, Templates};
use cursus::rules::Civ;

/// The page of a seat with its data, and what would come of a letter.
pub fn sent(templates: &Templates, lexicon: &Lexicon, known: &Known, civ: Civ, sheet: &Sheet, letter: &str) -> String {
    let seat = Seat {
        known,
        civ,
        sheet,
        templates,
        game: "game",
        title: "a game",
        slug: "seat",
        cut_off: None,
        awaited: &[],
        report: None,
        map: "map",
        revision: "1",
        token: "token",
        mark: "mark",
        answer: None,
    };
    let bearings = Bearings::of(known, civ);
    let letter = read_reply(letter, Lens { lexicon, bearings: Some(&bearings) }, sheet.doubts());
    let mut after = sheet.clone();
    let answers = after.add(&letter, known.phase(), u64::MAX);
    let answered = Answered {
        known,
        history: &|_| None,
        around: &[],
        civ,
        letter: &letter,
        answers: &answers,
        before: sheet,
        sheet: &after,
        arrival: u64::MAX,
        is_trial: true,
    };
    let tried = serde_json::to_string(&page::tried(templates, &answered)).unwrap();
    let data = serde_json::to_string(&page::data(&seat)).unwrap();
    [page::html(&seat), data, tried].join("\n")
}
