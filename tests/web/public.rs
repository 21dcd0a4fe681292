//! A game that everybody may watch: its pages, without a cookie and without a script; and one that nobody may.

use chrono::Duration;
use cursus::desk::settings::game_file::GameFile;
use cursus::rules::{Face, Language};
use cursus::web::limits::{Limits, Rate};

use super::browser::{Browser, Page};
use super::hall::{Hall, generous};
use crate::desk::club::game;

/// A game of Minoa and Hellas that everybody may watch.
fn shown() -> GameFile {
    GameFile { public_page: true, ..game("demo", &["Minoa", "Hellas"]) }
}

fn turns_over(hall: &Hall, turns: u16) {
    hall.at_desk(move |club| {
        for _ in 0..40 {
            if club.table("demo").state.turn() > turns {
                return;
            }
            club.wait(Duration::days(8));
        }
        panic!("{turns} turns are over");
    });
}

/// What of an answer could tell one game from another.
fn all_of(page: &Page) -> (u16, String, Vec<(String, String)>) {
    let mut headers: Vec<(String, String)> = page
        .headers
        .iter()
        .filter(|(name, _)| name.as_str() != "date")
        .map(|(name, value)| (name.to_string(), value.to_str().expect("words").to_owned()))
        .collect();
    headers.sort();
    (page.status, page.body.clone(), headers)
}

/// A page with its links as people read them.
fn said(page: &Page) -> String {
    page.body.replace("&#x2f;", "/").replace("&amp;", "&")
}

/// The address of the map that a page shows.
fn map_of(page: &Page) -> String {
    let body = said(page);
    body.split_once("data-map=\"").expect("a map").1.split('"').next().expect("its address").to_owned()
}

#[test]
fn a_private_game_and_one_that_does_not_exist_are_the_same_and_a_shown_one_is_listed() {
    let private = Hall::new();
    let stranger = private.browser();
    for path in ["", "?turn=1", "?language=pl", "/map/now-1.svg", "/map/0.1.svg", "/preview.png", "/x"] {
        let (own, none) = (stranger.get(&format!("/g/demo{path}")), stranger.get(&format!("/g/nothing{path}")));
        assert_eq!(own.status, 404, "{path}");
        // The names are of one length only by accident; nothing of either is said.
        assert_eq!(all_of(&own), all_of(&none), "{path}");
    }
    let list = stranger.get("/g");
    assert!(
        list.status == 200 && !list.body.contains("demo") && list.body.contains("No game is shown"),
        "{}",
        list.body
    );
    let shown = Hall::with(false, generous(), &shown());
    let list = shown.browser().get("/g");
    assert!(said(&list).contains("href=\"/g/demo\"") && list.body.contains("Turn 1: "), "{}", list.body);
}

#[test]
fn a_page_without_a_cookie_and_without_a_script_shows_everything() {
    let hall = Hall::with(false, generous(), &shown());
    turns_over(&hall, 2);
    let stranger = hall.browser();
    let page = stranger.get("/g/demo");
    assert_eq!(page.status, 200, "{}", page.body);
    assert!(page.cookies().is_empty() && stranger.jar.borrow().is_empty(), "nobody is marked");
    assert_eq!(page.header("content-security-policy"), stranger.get("/g").header("content-security-policy"));
    // Who is awaited until when, for people and for programs.
    assert!(page.body.contains("Awaited: ") && page.body.contains("<time datetime=\"20"), "{}", page.body);
    // Who plays: names, and never an address.
    assert!(page.body.contains("Minoa") && page.body.contains("built-in player"));
    assert!(!page.body.contains('@') && !page.body.contains("player.example"), "{}", page.body);
    // Links to every turn that is over and to the present, the chosen one marked.
    for turn in 1..=2 {
        assert!(said(&page).contains(&format!("href=\"/g/demo?turn={turn}\"")), "{}", page.body);
        let then = stranger.get(&format!("/g/demo?turn={turn}"));
        assert!(then.body.contains(&format!("The board at the end of turn {turn}")), "{}", then.body);
        assert!(then.body.contains(&format!("aria-current=\"page\">{turn}</a>")), "{}", then.body);
        assert!(then.body.contains(&format!("What happened in turn {turn}")) && then.body.contains("<article>"));
        let map = stranger.get(&map_of(&then));
        assert_eq!((map.status, map.header("content-type")), (200, "image/svg+xml"));
        assert_ne!(map_of(&then), map_of(&page));
    }
    // Turns that are none are the present.
    for none in ["0", "3", "99999", "-1", "x", ""] {
        assert_eq!(stranger.get(&format!("/g/demo?turn={none}")).body, page.body, "{none:?}");
    }
    for none in ["0.3", "0.0", "9.1", "x", "0"] {
        assert_eq!(stranger.get(&format!("/g/demo/map/{none}.svg")).status, 404, "{none:?}");
    }
    assert_eq!(page.body.matches("<polyline class=\"curve\"").count(), 10, "two charts of five civilizations");
    // The record as text to paste, in every markup.
    let then = stranger.get("/g/demo?turn=2");
    for words in ["BBCode", "Markdown", "Plain text", "[b]", "<textarea readonly"] {
        assert!(then.body.contains(words), "{words}");
    }
    assert!(!then.body.contains("Reply `ok`") && !then.body.contains("class=\"foot\""), "{}", then.body);
    // What a forum shows of a link.
    let tag = |property: &str| {
        let found = page.body.split_once(&format!("property=\"{property}\" content=\"")).expect("a tag").1;
        found.split('"').next().expect("its content").replace("&amp;", "&")
    };
    assert!(tag("og:image").starts_with(&format!("{}/g/demo/preview.png", hall.base)), "{}", tag("og:image"));
    assert!(tag("og:description").contains("Turn 3: ") && tag("og:title").contains("demo"), "{}", page.body);
}

#[test]
fn a_preview_is_a_picture_that_a_forum_may_show() {
    let hall = Hall::with(false, generous(), &shown());
    let stranger = hall.browser();
    let response = stranger.ask(reqwest::Method::GET, "/g/demo/preview.png?of=x").send().expect("an answer");
    assert_eq!(response.headers()["content-type"], "image/png");
    assert_eq!(response.headers()["cross-origin-resource-policy"], "cross-origin");
    let bytes = response.bytes().expect("bytes");
    let length = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four"));
    assert_eq!((&bytes[1..4], length(16), length(20)), (&b"PNG"[..], 1200, 630));
    assert!(bytes.len() < 600_000, "{}", bytes.len());
    let page = stranger.get("/g/demo");
    assert_eq!(page.header("cross-origin-resource-policy"), "same-origin");
}

#[test]
fn its_language_is_that_of_the_game_unless_another_is_asked_for() {
    let hall = Hall::with(false, generous(), &shown());
    turns_over(&hall, 1);
    let stranger = hall.browser();
    let (english, polish) = (stranger.get("/g/demo"), stranger.get("/g/demo?language=pl"));
    assert!(english.body.contains("<html lang=\"en\"") && english.body.contains("Who plays"));
    assert!(polish.body.contains("<html lang=\"pl\"") && polish.body.contains("Kto gra"), "{}", polish.body);
    // The language stays on the way through the turns.
    assert!(said(&polish).contains("/g/demo?turn=1&language=pl"), "{}", polish.body);
    assert_eq!(stranger.get("/g/demo?language=xx").body, english.body);
    assert_ne!(stranger.get(&map_of(&english)).body, stranger.get(&map_of(&polish)).body);
    assert!(stranger.get("/g?language=pl").body.contains("Gry do oglądania"));
    assert_eq!(Language::ALL.len(), 2, "another language wants a page of its own here");
}

#[test]
fn what_a_browser_has_it_is_not_sent_again_and_whoever_asks_too_often_waits() {
    let hall = Hall::with(false, generous(), &shown());
    let stranger = hall.browser();
    for path in ["/g/demo".to_owned(), map_of(&stranger.get("/g/demo"))] {
        let first = stranger.get(&path);
        let (tag, kept) = (first.header("etag").to_owned(), first.header("cache-control").to_owned());
        assert!(!tag.is_empty() && kept == "public, no-cache", "{path}: {kept}");
        let again = stranger.ask(reqwest::Method::GET, &path).header("if-none-match", &tag).send().expect("an answer");
        assert_eq!(again.status().as_u16(), 304, "{path}");
    }
    let few = Limits { requests: Rate { burst: 5.0, each_second: 0.0 }, ..generous() };
    let hall = Hall::with(false, few, &shown());
    let stranger = hall.browser();
    let told: Vec<u16> = (0..6).map(|_| stranger.get("/g/demo").status).collect();
    assert_eq!(told, [200, 200, 200, 200, 200, 429]);
}

/// Everything that a spectator is told now.
fn seen(stranger: &Browser) -> [String; 3] {
    let page = stranger.get("/g/demo");
    let map = stranger.get(&map_of(&page)).body;
    [page.body, map, stranger.get("/g").body]
}

#[test]
fn nobody_sees_when_somebody_writes_and_a_ruling_is_seen() {
    let hall = Hall::with(false, generous(), &shown());
    let stranger = hall.browser();
    let before = seen(&stranger);
    // Orders are filed, withdrawn and finished, words are written: nothing of it is seen.
    for lines in ["move all Thera > Crete", "tell Hellas: I am here", "done"] {
        hall.write("Minoa", lines);
        assert_eq!(seen(&stranger), before, "{lines}");
    }
    turns_over(&hall, 1);
    assert_ne!(seen(&stranger), before);
}

#[test]
fn a_trade_is_seen_when_it_is_over() {
    let hall = Hall::with(false, generous(), &shown());
    let stranger = hall.browser();
    let is_trade = |hall: &Hall| {
        hall.at_desk(|club| {
            let table = club.table("demo");
            let hand = |name: &str| table.state.holding(crate::desk::club::civ(&table, name)).hand.len();
            table.state.phase() == cursus::game::Phase::Trade
                && ["Minoa", "Hellas"].map(hand).iter().all(|hand| *hand >= 3)
        })
    };
    for _ in 0..60 {
        if is_trade(&hall) {
            break;
        }
        hall.at_desk(|club| {
            let mails = club.post();
            for name in ["Minoa", "Hellas"] {
                let orders = club.play("demo", name);
                if let Some(mail) = crate::desk::club::to(&mails, name).last() {
                    club.reply(mail, &orders);
                }
            }
            club.wait(Duration::days(8));
        });
    }
    assert!(is_trade(&hall), "there is something to trade");
    let before = seen(&stranger);
    assert!(before[0].contains("The board when the trade began"), "{}", before[0]);
    let events = |hall: &Hall| hall.at_desk(|club| club.table("demo").ruled.last_event);
    let last = events(&hall);
    let answer = hall.at_desk(|club| {
        let letter = crate::desk::club::last(&club.post(), "Minoa");
        let table = club.table("demo");
        let hand = &table.state.holding(crate::desk::club::civ(&table, "Minoa")).hand;
        let cards = hand.iter().filter_map(|card| match card.face {
            Face::Commodity(commodity) => {
                Some(table.edition.printed.commodities[usize::from(commodity.0)].name.clone())
            }
            Face::Water | Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => None,
        });
        let cards: Vec<String> = cards.take(3).collect();
        club.reply(&letter, &format!("offer to all: {} for any, any, any", cards.join(", ")));
        crate::desk::club::last(&club.post(), "Minoa").text
    });
    assert_ne!(events(&hall), last, "something happened on the board of the trade: {answer}");
    assert_eq!(seen(&stranger), before);
}
