//! What the order page sends is a letter: it is read once, however often it is sent, and answered like any other.

use cursus::archive::{PageAnswer, Party};
use cursus::desk::Desk;
use cursus::post::writing::PageForm;
use cursus::post::{Form, Incoming, Lookup, open};

use super::club::{Club, address, civ, game, last, to};

fn club() -> Club {
    let mut club = Club::new();
    club.begin(&game("demo", &["Minoa", "Hellas"]));
    club.fetch();
    club
}

fn form(id: &str, seat: &str, lines: &str) -> PageForm {
    PageForm {
        id: id.into(),
        game: "demo".into(),
        seat: seat.into(),
        lines: lines.into(),
        seen: None,
        deputy: false,
        answers: None,
    }
}

fn hand_in(club: &Club, form: &PageForm) -> bool {
    Desk::hand_in_form(&club.desk.archive, form, club.now).expect("it is handed in")
}

/// The answer that the page shows.
fn answer(club: &mut Club, name: &str, form: &str) -> Option<PageAnswer> {
    let seat = Party::Seat(civ(&club.table("demo"), name));
    club.desk.archive.page_answer(&"demo".into(), seat, form).expect("the archive answers")
}

fn standing(club: &mut Club, name: &str) -> usize {
    let table = club.table("demo");
    table.sheet(civ(&table, name)).standing().len()
}

#[test]
fn a_form_of_the_page_is_read_once_and_answered() {
    let mut club = club();
    assert!(hand_in(&club, &form("7f", "minoa", "always tax 2")));
    assert!(!hand_in(&club, &form("7f", "minoa", "always tax 2")), "sent again before anybody has read it");
    let told = club.post();
    assert_eq!(standing(&mut club, "Minoa"), 1);
    // The answer is read on the page, as words and as data; nobody is written to.
    assert!(to(&told, "Minoa").is_empty());
    let answer = answer(&mut club, "Minoa", "7f").expect("it is answered");
    let words = answer.words.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("EVERY TURN 1. tax 2"), "{words}");
    let data: serde_json::Value = serde_json::from_str(&answer.told.expect("it has data")).expect("it is JSON");
    assert_eq!((&data["trial"], &data["standing"].as_array().map(Vec::len)), (&false.into(), &Some(1)), "{data}");
    // A browser that has heard nothing sends it again, and perhaps with more in it.
    assert!(!hand_in(&club, &form("7f", "minoa", "undo always 1")));
    assert!(club.post().is_empty(), "nobody hears of it again");
    assert_eq!(standing(&mut club, "Minoa"), 1);
    // The same id from another seat is another form.
    assert!(hand_in(&club, &form("7f", "hellas", "always tax 1")));
    club.post();
    assert_eq!((standing(&mut club, "Minoa"), standing(&mut club, "Hellas")), (1, 1));
}

#[test]
fn a_form_ends_a_phase_like_a_letter() {
    let mut club = club();
    let before = club.table("demo").phase();
    for (id, seat) in [("1", "minoa"), ("2", "hellas")] {
        assert!(hand_in(&club, &form(id, seat, "done")));
    }
    let told = club.post();
    assert_ne!(club.table("demo").phase(), before);
    assert!(last(&told, "Minoa").to == address("Minoa"));
}

#[test]
fn a_form_for_nobody_is_set_aside_and_changes_nothing() {
    let mut club = club();
    for seat in ["public", "atlantis", "", "egypt"] {
        assert!(hand_in(&club, &form("1", seat, "always tax 2")), "{seat}");
    }
    let elsewhere = PageForm { game: "none".into(), ..form("1", "minoa", "always tax 2") };
    assert!(hand_in(&club, &elsewhere));
    club.post();
    let counts = club.desk.archive.letter_counts().expect("counts");
    assert!(counts.contains(&("aside".to_owned(), 5)), "{counts:?}");
    assert_eq!((standing(&mut club, "Minoa"), standing(&mut club, "Hellas")), (0, 0));
}

#[test]
fn only_a_form_is_opened_as_one() {
    let sent = form("7f", "minoa", "always tax 2\ndone");
    let Ok(Incoming::Web(read)) = open(Form::Web, &sent.raw(), &Lookup::NOTHING) else { panic!("it is opened") };
    assert_eq!(read, sent);
    assert_eq!(Incoming::Web(read).writing().text, "always tax 2\ndone");
    for raw in ["", "{}", "From: <a@b>\r\n\r\ndone", r#"{"id":"1","game":"demo","seat":"minoa","lines":"x","civ":3}"#] {
        assert!(open(Form::Web, raw.as_bytes(), &Lookup::NOTHING).is_err(), "{raw}");
    }
}
