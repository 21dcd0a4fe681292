//! What a seat has behind it: nobody reads another's letters, words or maps.

use chrono::Duration;
use cursus::archive::{Role, Status};
use cursus::desk::Desk;
use cursus::desk::settings::game_file::{GameFile, Seat, Sitter};
use cursus::desk::table::ending::Ending;
use serde_json::{Value, json};

use super::hall::{Hall, code, generous, path};
use crate::desk::club::{address, game, person, seat};

/// Whom words were exchanged with, and the words.
fn words(past: &Value) -> Vec<(String, bool, String)> {
    let people = past["people"].as_array().expect("people").iter();
    let said = |person: &Value| {
        let name = person["name"].as_str().expect("a name").to_owned();
        let words = person["words"].as_array().expect("words").clone();
        words.into_iter().map(move |said| {
            let text = said["text"].as_str().expect("words").to_owned();
            (name.clone(), said["own"] == true, text)
        })
    };
    people.flat_map(said).collect()
}

#[test]
fn letters_words_and_maps_are_for_those_they_were_written_to() {
    let hall = Hall::with(false, super::hall::generous(), &game("demo", &["Minoa", "Hellas", "Assyria"]));
    let (minoa, page) = hall.confirmed("Minoa");
    let (hellas, _) = hall.confirmed("Hellas");
    let (assyria, _) = hall.confirmed("Assyria");
    let secret = "The <b>fleet</b> is at Thera";
    let sent = minoa.send(
        "/s/demo/minoa/send",
        &page.token(),
        &json!({"id": "p-1", "lines": format!("tell Hellas: {secret}")}),
    );
    assert_eq!(sent.status, 200, "{}", sent.body);
    hall.write("Hellas", "tell all: Trade with me!");
    let past = |browser: &super::browser::Browser, seat: &str| {
        let page = browser.get(&format!("/s/demo/{seat}/past"));
        assert_eq!(page.status, 200, "{}", page.body);
        (words(&page.json()), page)
    };
    let (mine, page) = past(&minoa, "minoa");
    assert!(mine.contains(&("Hellas".to_owned(), true, secret.to_owned())), "{mine:?}");
    assert!(mine.contains(&("Hellas".to_owned(), false, "Trade with me!".to_owned())), "{mine:?}");
    // What left for Hellas is its letter: its link and the addresses of its foot are nobody else's.
    assert!(!page.body.contains("/p/") && !page.body.contains('@'), "{}", page.body);
    let (theirs, _) = past(&hellas, "hellas");
    assert!(theirs.contains(&("Minoa".to_owned(), false, secret.to_owned())), "{theirs:?}");
    let (others, page) = past(&assyria, "assyria");
    assert!(!page.body.contains("fleet"), "{}", page.body);
    assert!(others.contains(&("Hellas".to_owned(), false, "Trade with me!".to_owned())), "{others:?}");
    // Letters by their numbers: the own ones, and nobody else's however they are counted through.
    let numbers = |browser: &super::browser::Browser, seat: &str| -> Vec<i64> {
        let letters =
            browser.get(&format!("/s/demo/{seat}/past")).json()["letters"].as_array().expect("letters").clone();
        letters.iter().map(|letter| letter["number"].as_i64().expect("a number")).collect()
    };
    let (own, foreign) = (numbers(&minoa, "minoa"), numbers(&hellas, "hellas"));
    assert!(!own.is_empty() && !foreign.is_empty() && own.iter().all(|number| !foreign.contains(number)));
    assert_eq!(minoa.get(&format!("/s/demo/minoa/letter/{}", own[0])).status, 200);
    for number in 0..200 {
        let status = minoa.get(&format!("/s/demo/minoa/letter/{number}")).status;
        assert_eq!(status == 200, own.contains(&number), "{number}");
    }
    // Another's seat is not there at all, and nobody without a device has anything.
    let stranger = hall.browser();
    for path in ["past", "past/0.1.svg", "book", &format!("letter/{}", foreign[0])] {
        assert_eq!(minoa.get(&format!("/s/demo/hellas/{path}")).status, 403, "{path}");
        assert_eq!(stranger.get(&format!("/s/demo/minoa/{path}")).status, 403, "{path}");
    }
}

#[test]
fn a_turn_that_is_over_has_its_map_and_its_numbers_and_the_open_one_has_not() {
    let hall = Hall::new();
    let (minoa, _) = hall.confirmed("Minoa");
    let past = minoa.get("/s/demo/minoa/past").json();
    assert_eq!((&past["turns"], &past["curves"][0]["points"]), (&json!(0), &json!([])));
    for name in ["0.1.svg", "0.0.svg", "1.1.svg", "x.svg", "0.1", "0.65536.svg", "-1.1.svg"] {
        assert_eq!(minoa.get(&format!("/s/demo/minoa/past/{name}")).status, 404, "{name}");
    }
    hall.at_desk(|club| {
        for _ in 0..12 {
            if club.table("demo").state.turn() == 3 {
                return;
            }
            club.wait(Duration::days(8));
        }
        panic!("two turns are over");
    });
    let past = minoa.get("/s/demo/minoa/past").json();
    assert_eq!(past["turns"], 2);
    let era = past["era"].as_u64().expect("an era");
    for curve in past["curves"].as_array().expect("curves") {
        assert_eq!(curve["points"].as_array().map(Vec::len), Some(2), "{curve}");
        assert_eq!(curve["steps"].as_array().map(Vec::len), Some(2), "{curve}");
    }
    for turn in 1..=2 {
        let map = minoa.get(&format!("/s/demo/minoa/past/{era}.{turn}.svg"));
        assert_eq!((map.status, map.header("content-type")), (200, "image/svg+xml"));
        assert!(map.body.contains("data-area") && map.header("cache-control") == "no-store");
    }
    assert_eq!(minoa.get(&format!("/s/demo/minoa/past/{era}.3.svg")).status, 404, "it is not over");
    let book = minoa.get("/s/demo/minoa/book").json();
    assert!(book["rules"].as_array().is_some_and(|rules| rules.len() > 80), "the rules are there");
    assert!(book["guide"].as_array().is_some_and(|guide| guide.len() > 5), "the guide is there");
}

#[test]
fn whoever_takes_a_seat_over_does_not_read_what_its_former_player_was_written() {
    let hall = Hall::new();
    let (minoa, page) = hall.confirmed("Minoa");
    let lines = "tell Hellas: dear old friend";
    minoa.send("/s/demo/minoa/send", &page.token(), &json!({"id": "p-1", "lines": lines}));
    hall.at_desk(|club| {
        club.now += Duration::hours(1);
        let command = "replace Hellas Anna <anna@player.example> for 1.movement";
        Desk::hand_in(&club.desk.archive, &"demo".into(), command, club.now).expect("it is handed in");
        club.round();
    });
    let mine = words(&minoa.get("/s/demo/minoa/past").json());
    assert!(mine.iter().any(|(_, own, text)| *own && text == "dear old friend"), "{mine:?}");
    let changed = hall.at_desk(|club| {
        let table = club.table("demo");
        table.seat(crate::desk::club::seat(&table, "Hellas")).and_then(|seat| seat.changed_at).is_some()
    });
    assert!(changed, "another person sits there");
    let kept = hall.at_desk(|club| {
        let table = club.table("demo");
        let party = crate::desk::club::seat(&table, "Hellas");
        let since = table.seat(party).and_then(|seat| seat.changed_at);
        club.desk.archive.words_of(&"demo".into(), party, since).expect("the archive answers").len()
    });
    assert_eq!(kept, 0);
}

#[test]
fn whoever_stands_in_reads_what_is_written_meanwhile_and_nothing_of_before() {
    let mut file = game("demo", &["Minoa", "Hellas"]);
    for Seat { sitter, .. } in &mut file.seats {
        if let Sitter::Player { player, deputy } = sitter
            && player.name == "Minoa"
        {
            *deputy = Some(person("Deputy"));
        }
    }
    let hall = Hall::with(false, generous(), &file);
    let (minoa, _) = hall.confirmed("Minoa");
    hall.write("Hellas", "tell Minoa: between you and me");
    hall.at_desk(|club| club.now += Duration::hours(1));
    hall.write("Minoa", "away until 20 January");
    hall.at_desk(|club| club.now += Duration::hours(1));
    hall.write("Hellas", "tell Minoa: to whom it concerns");
    let link = hall.at_desk(|club| {
        let table = club.table("demo");
        club.desk.house.page_link(&table, seat(&table, "Minoa"), Role::Deputy).expect("a page")
    });
    let deputy = hall.browser();
    let token = deputy.open(&path(&link)).token();
    deputy.post("/enter", &[("token", &token)]);
    let mails = hall.at_desk(|club| club.post());
    let code = code(&mails.into_iter().filter(|mail| mail.to == address("Deputy")).collect::<Vec<_>>());
    assert_eq!(deputy.post("/enter/code", &[("token", &token), ("code", &code)]).status, 303);
    let read = |browser: &super::browser::Browser| {
        let past = words(&browser.get("/s/demo/minoa/past").json());
        past.into_iter().map(|(_, _, text)| text).collect::<Vec<_>>()
    };
    assert_eq!(read(&deputy), ["to whom it concerns"]);
    assert_eq!(read(&minoa), ["between you and me", "to whom it concerns"]);
}

#[test]
fn the_last_turn_of_a_game_that_is_over_has_its_map_and_its_place_in_the_curves() {
    let file = GameFile { short: true, ends_after: Some(Ending::Turn(2)), ..game("demo", &["Minoa", "Hellas"]) };
    let hall = Hall::with(false, generous(), &file);
    let (minoa, _) = hall.confirmed("Minoa");
    hall.at_desk(|club| {
        for _ in 0..40 {
            if club.table("demo").game.status == Status::Ended {
                return;
            }
            club.wait(Duration::days(8));
        }
        panic!("the game ends");
    });
    let past = minoa.get("/s/demo/minoa/past").json();
    assert_eq!(past["turns"], 2);
    for curve in past["curves"].as_array().expect("curves") {
        assert_eq!(curve["points"].as_array().map(Vec::len), Some(2), "{curve}");
    }
    let era = past["era"].as_u64().expect("an era");
    assert_eq!(minoa.get(&format!("/s/demo/minoa/past/{era}.2.svg")).status, 200);
    assert_eq!(minoa.get(&format!("/s/demo/minoa/past/{era}.3.svg")).status, 404);
}
