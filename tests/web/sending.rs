//! What a browser sends and is shown.

use std::io::{BufRead, BufReader};

use chrono::Duration;
use serde_json::json;

use super::hall::{Hall, generous};
use crate::desk::club::{civ, game};

const SEND: &str = "/s/demo/minoa/send";

#[test]
fn a_form_is_answered_with_what_was_understood_and_once() {
    let hall = Hall::new();
    let (browser, page) = hall.confirmed("Minoa");
    let token = page.token();
    let sent = browser.send(SEND, &token, &json!({"id": "a-1", "lines": "always tax 2\nfly to the moon"}));
    assert_eq!(sent.status, 200, "{}", sent.body);
    let told = sent.json();
    assert_eq!((&told["id"], &told["state"]), (&json!("a-1"), &json!("handled")));
    assert_eq!(told["told"]["standing"].as_array().map(Vec::len), Some(1), "{told}");
    assert!(told["text"].as_str().is_some_and(|text| text.contains("tax 2")));
    // The same again, with the same id and whatever else in it: the same answer, and nothing new.
    let again = browser.send(SEND, &token, &json!({"id": "a-1", "lines": "undo always 1"}));
    assert_eq!(again.json(), told);
    assert_eq!(browser.get("/s/demo/minoa/sent/a-1").json(), told);
    let standing = hall.at_desk(|club| {
        let table = club.table("demo");
        table.sheet(civ(&table, "Minoa")).standing().len()
    });
    assert_eq!(standing, 1);
    assert!(hall.mails("Minoa").is_empty(), "no letter for what was read on the page");
    // Whoever wants copies gets them from then on.
    browser.send(SEND, &token, &json!({"id": "a-2", "lines": "copies on"}));
    browser.send(SEND, &token, &json!({"id": "a-3", "lines": "always tax 1"}));
    let copies = hall.mails("Minoa");
    assert!(copies.iter().any(|mail| mail.text.contains("tax 1")), "{copies:?}");
    // Without a script: the page itself shows the answer.
    let fields = [("id", "b-1"), ("lines", "sheet\r\n"), ("token", token.as_str())];
    let posted = browser.post(SEND, &fields);
    assert_eq!((posted.status, posted.header("location")), (303, "/s/demo/minoa?sent=b-1"));
    let shown = browser.get(posted.header("location"));
    assert!(shown.body.contains("always tax 1") || shown.body.contains("tax 1"), "{}", shown.body);
    for bad in ["", "a b", "../x", "a.b", &"x".repeat(65), "<b>"] {
        assert_eq!(browser.send(SEND, &token, &json!({"id": bad, "lines": "ok"})).status, 400, "{bad}");
    }
    assert_eq!(browser.post_raw(SEND, "application/json", b"{\"id\":".to_vec()).status, 400);
    assert_eq!(browser.get("/s/demo/minoa/sent/never").status, 404);
}

#[test]
fn a_trial_stores_nothing_and_the_desk_hears_nothing_of_it() {
    let hall = Hall::new();
    let (browser, page) = hall.confirmed("Minoa");
    let before = hall.at_desk(|club| club.desk.archive.letter_counts().expect("counts"));
    assert_eq!(browser.get("/s/demo/minoa/data").status, 200);
    // The desk is busy with something else all the while.
    let (free, busy) = std::sync::mpsc::channel::<()>();
    hall.leave_to_desk(move |_| {
        let _ = busy.recv();
    });
    for number in 0..5 {
        let tried = browser.send("/s/demo/minoa/try", &page.token(), &json!({"lines": format!("always tax {number}")}));
        assert_eq!(tried.status, 200, "{}", tried.body);
        let told = tried.json();
        assert_eq!(told["told"]["standing"].as_array().map(Vec::len), Some(1), "{told}");
        assert!(told["revision"].as_str().is_some_and(|revision| revision.contains("movement")));
    }
    drop(free);
    assert_eq!(hall.at_desk(|club| club.desk.archive.letter_counts().expect("counts")), before);
}

#[test]
fn what_was_typed_for_a_phase_that_was_ruled_since_is_judged_anew() {
    let hall = Hall::new();
    let (browser, page) = hall.confirmed("Minoa");
    let seen = browser.get("/s/demo/minoa/data").json()["revision"].as_str().expect("a revision").to_owned();
    // The cut-off comes while somebody types.
    let (before, after) = hall.at_desk(|club| {
        let before = club.table("demo").phase();
        club.wait(Duration::days(30));
        (before, club.table("demo").phase())
    });
    assert_ne!(before, after);
    let sent = browser.send(SEND, &page.token(), &json!({"id": "l", "lines": "always tax 2\nok", "revision": seen}));
    let told = sent.json();
    assert_eq!(told["state"], "handled");
    assert_eq!(told["told"]["standing"].as_array().map(Vec::len), Some(1), "its lines are kept: {told}");
    assert_eq!(hall.at_desk(|club| club.table("demo").phase()), after, "its `ok` was for a phase that is over");
    let now = browser.get("/s/demo/minoa/data").json()["revision"].as_str().expect("a revision").to_owned();
    assert_ne!(now, seen);
}

#[test]
fn news_come_to_whom_they_concern() {
    let hall = Hall::new();
    let (minoa, _) = hall.confirmed("Minoa");
    let (hellas, page) = hall.confirmed("Hellas");
    let mut lines = BufReader::new(minoa.listen("/s/demo/minoa/events")).lines();
    let mut next = || loop {
        let line = lines.next().expect("the stream goes on").expect("a line");
        if let Some(data) = line.strip_prefix("data: ") {
            return data.to_owned();
        }
    };
    let first = next();
    let revision = |data: &str| serde_json::from_str::<serde_json::Value>(data).expect("JSON")["revision"].clone();
    assert_eq!(revision(&first), minoa.get("/s/demo/minoa/data").json()["revision"]);
    // What Hellas writes on their own sheet is nobody's business; what Minoa writes is.
    hellas.send("/s/demo/hellas/send", &page.token(), &json!({"id": "h1", "lines": "always tax 2"}));
    let token = minoa.get("/s/demo/minoa").token();
    minoa.send(SEND, &token, &json!({"id": "m1", "lines": "always tax 1"}));
    let second = next();
    let sheet = minoa.get("/s/demo/minoa/data");
    assert_eq!(revision(&second), sheet.json()["revision"], "the first news is that of Minoa's own letter");
    // A browser that knows it already is told so.
    let mut knowing = hall.browser();
    *knowing.jar.borrow_mut() = minoa.jar.borrow().clone();
    knowing.says.push(("if-none-match", sheet.header("etag").to_owned()));
    let same = knowing.get("/s/demo/minoa/data");
    assert_eq!((same.status, same.body.as_str()), (304, ""));
    // Forgotten, it hears no more.
    hall.write("Minoa", "forget devices");
    assert!(lines.all(|line| line.is_ok()), "the stream ends in good order");
}

#[test]
fn a_map_is_kept_by_its_name_and_files_by_their_version() {
    let hall = Hall::new();
    let (browser, page) = hall.confirmed("Minoa");
    let data = browser.get("/s/demo/minoa/data").json();
    let name = data["map"].as_str().expect("the data name the map");
    let name = name.rsplit('/').next().expect("a name").trim_end_matches(".svg");
    let map = browser.get(&format!("/s/demo/minoa/map/{name}.svg"));
    assert_eq!((map.status, map.header("content-type")), (200, "image/svg+xml"));
    assert_eq!(map.header("cache-control"), "no-store", "what is a seat's is kept by nobody");
    assert!(map.body.contains("data-area") && !map.body.contains("style="), "classes only");
    assert_eq!(browser.get("/s/demo/minoa/map/other.svg").status, 404);
    assert_eq!(hall.browser().get(&format!("/s/demo/minoa/map/{name}.svg")).status, 403);
    let version = cursus::report::page::assets::version();
    assert!(page.body.contains(version));
    let sheet = hall.browser().get(&format!("/a/{version}/page.css"));
    assert_eq!((sheet.status, sheet.header("cache-control")), (200, "public, max-age=31536000, immutable"));
    assert_eq!(hall.browser().get("/a/0000/page.css").status, 404);
    assert_eq!(hall.browser().get(&format!("/a/{version}/..%2f..%2fCargo.toml")).status, 404);
}

#[test]
fn names_that_look_like_scripts_stay_names() {
    const SCRIPT: &str = "<script>alert(1)</script>";
    let mut file = game("demo", &["Minoa", "Hellas"]);
    file.title = format!("{SCRIPT}\"'&amp; onload=x");
    for seat in &mut file.seats {
        if let cursus::desk::settings::game_file::Sitter::Player { player, .. } = &mut seat.sitter {
            player.name = format!("{SCRIPT} {}", player.name);
        }
    }
    let hall = Hall::with(false, generous(), &file);
    let (browser, page) = hall.confirmed("Minoa");
    let token = page.token();
    let sent = browser.send(
        SEND,
        &token,
        &json!({"id": "s", "lines": format!("tell Hellas: {SCRIPT}\n{SCRIPT}\n\"><img src=x onerror=alert(1)>")}),
    );
    let shown = browser.get("/s/demo/minoa?sent=s");
    let data = browser.get("/s/demo/minoa/data");
    for body in [&page.body, &shown.body] {
        assert!(!body.contains("<script>alert") && !body.contains("<img src=x"), "{body}");
    }
    // What is data says that it is, and no browser takes it for a page.
    for told in [&sent, &data] {
        assert_eq!(
            (told.header("content-type"), told.header("x-content-type-options")),
            ("application/json", "nosniff")
        );
    }
}

#[test]
fn a_game_that_has_ended_is_shown_and_a_letter_for_it_answered() {
    let mut file = game("demo", &["Minoa", "Hellas"]);
    file.ends_after = Some(cursus::desk::table::ending::Ending::Turn(1));
    let hall = Hall::with(false, generous(), &file);
    let (browser, page) = hall.confirmed("Minoa");
    hall.at_desk(|club| {
        for _ in 0..40 {
            club.wait(Duration::days(10));
        }
        assert_eq!(club.table("demo").game.status, cursus::archive::Status::Ended);
    });
    let shown = browser.get("/s/demo/minoa");
    assert_eq!(shown.status, 200);
    assert_eq!(browser.get("/s/demo/minoa/data").status, 200);
    let tried = browser.send("/s/demo/minoa/try", &page.token(), &json!({"lines": "move 1 Knossos -> Thera\nok"}));
    assert_eq!(tried.status, 200, "{}", tried.body);
    let sent = browser.send(SEND, &page.token(), &json!({"id": "e", "lines": "ok"}));
    assert_eq!((sent.status, &sent.json()["state"]), (200, &json!("handled")));
}

#[test]
fn forms_of_the_page_count_like_letters_against_a_flood() {
    let hall = Hall::new();
    let (browser, page) = hall.confirmed("Minoa");
    hall.at_desk(|club| club.desk.house.settings.letters_per_hour = 3);
    let state = |number: u8| {
        let form = json!({"id": format!("f-{number}"), "lines": format!("always tax {}", number % 3)});
        browser.send(SEND, &page.token(), &form).json()["state"].clone()
    };
    let states: Vec<_> = (1..=5).map(state).collect();
    assert_eq!(states, ["handled", "handled", "handled", "aside", "aside"]);
    // An hour later there is room again.
    hall.at_desk(|club| club.now += chrono::Duration::minutes(61));
    assert_eq!(state(6), "handled");
}
