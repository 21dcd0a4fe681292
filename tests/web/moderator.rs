//! The moderator's page: who may see it, what it sends, and that nothing is done before it was shown.

use chrono::Duration;
use cursus::archive::Status;
use cursus::desk::Desk;
use cursus::desk::settings::game_file::Forum;
use cursus::desk::settings::{CarrierKind, CarrierSettings, Person};
use cursus::game::Phase;
use cursus::post::forum::FeedSettings;
use cursus::post::writing::PageForm;
use cursus::report::letters::Markup;
use serde_json::json;

use super::browser::{Browser, Page};
use super::hall::Hall;
use crate::desk::answers::{ALL, commodities};
use crate::desk::club::{Club, civ, game, person};

/// Sends a line from the page; gives the page with its answer.
fn say(browser: &Browser, page: &Page, line: &str) -> Page {
    let (token, mark) = (page.token(), mark(page));
    let sent = browser.post("/m/demo/send", &[("id", &mark), ("token", &token), ("p", line)]);
    assert_eq!(sent.status, 303, "{line}: {}", sent.body);
    browser.get(sent.header("location"))
}

/// The id of the page's forms.
fn mark(page: &Page) -> String {
    let (_, rest) = page.body.split_once("name=\"id\" value=\"").unwrap_or_else(|| panic!("no form: {}", page.body));
    rest.split('"').next().expect("its end").to_owned()
}

/// The form that a preview would have done.
fn shown(page: &Page) -> String {
    let (_, rest) =
        page.body.split_once("name=\"answers\" value=\"").unwrap_or_else(|| panic!("not shown: {}", page.body));
    rest.split('"').next().expect("its end").to_owned()
}

/// Says that what a page shows is to be done.
fn agree(browser: &Browser, page: &Page) -> Page {
    let (token, mark, form) = (page.token(), mark(page), shown(page));
    let fields = [("id", mark.as_str()), ("token", &token), ("answers", &form), ("p", "ok")];
    let sent = browser.post("/m/demo/send", &fields);
    assert_eq!(sent.status, 303, "{}", sent.body);
    browser.get(sent.header("location"))
}

fn status(hall: &Hall) -> Status {
    hall.at_desk(|club| club.table("demo").game.status)
}

fn done(hall: &Hall) -> usize {
    let log = hall.at_desk(|club| club.desk.archive.moderations(&"demo".into()).expect("the archive answers"));
    log.iter().filter(|entry| entry.done).count()
}

#[test]
fn a_command_is_shown_then_done_once_and_everybody_is_told() {
    let hall = Hall::new();
    let (browser, page) = hall.confirmed("Moderator");
    assert!(page.body.contains("The game demo"), "{}", page.body);
    let preview = say(&browser, &page, "pause");
    assert_eq!(status(&hall), Status::Running, "nothing is done by what is only shown");
    assert!(hall.mails("Minoa").is_empty());
    let after = agree(&browser, &preview);
    assert!(after.body.contains(">Done<"), "{}", after.body);
    assert_eq!((status(&hall), done(&hall)), (Status::Paused, 1));
    let told = hall.mails("Minoa");
    assert!(told.iter().any(|mail| mail.text.contains("paused") || mail.text.contains("clock")), "{told:?}");
    assert!(hall.mails("Moderator").is_empty(), "what is read on the page goes by no letter");
    assert!(after.body.contains("<span class=\"order\">pause</span>"), "it stands in the log: {}", after.body);
    // The same button again, and that of a page that somebody went back to.
    assert!(!agree(&browser, &preview).body.contains(">Not possible<"), "the same letter has the same answer");
    let again = say(&browser, &browser.get("/m/demo"), "resume");
    let resumed = agree(&browser, &again);
    assert!(resumed.body.contains(">Done<"), "{}", resumed.body);
    let second = browser.get("/m/demo");
    let fields =
        [("id", mark(&second)), ("token", second.token()), ("answers", shown(&preview)), ("p", "ok".to_owned())];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let late = browser.post("/m/demo/send", &fields);
    let late = browser.get(late.header("location"));
    assert!(late.body.contains("done already"), "{}", late.body);
    assert_eq!((status(&hall), done(&hall)), (Status::Running, 2));
}

#[test]
fn what_was_shown_in_a_phase_is_not_done_in_another() {
    let hall = Hall::new();
    let (browser, page) = hall.confirmed("Moderator");
    let preview = say(&browser, &page, "deadline +24h");
    hall.at_desk(|club| club.wait(Duration::days(30)));
    let before = hall.at_desk(|club| club.table("demo").game.hours.cut_off);
    let late = agree(&browser, &preview);
    assert!(late.body.contains(">Not possible<"), "{}", late.body);
    assert_eq!(hall.at_desk(|club| club.table("demo").game.hours.cut_off), before);
}

#[test]
fn what_is_of_no_phase_is_shown_first_too_and_questions_are_answered_at_once() {
    let hall = Hall::new();
    let (browser, page) = hall.confirmed("Moderator");
    let preview = say(&browser, &page, "tell Minoa: the map\r\nis right");
    assert!(hall.mails("Minoa").is_empty());
    agree(&browser, &preview);
    let told = hall.mails("Minoa");
    assert!(told.iter().any(|mail| mail.text.contains("is right")), "{told:?}");
    assert!(hall.mails("Hellas").is_empty());
    let answer = say(&browser, &browser.get("/m/demo"), "devices");
    assert!(answer.body.contains("last here"), "{}", answer.body);
    let nonsense = say(&browser, &browser.get("/m/demo"), "fly to the moon");
    assert!(nonsense.body.contains(">Not possible<") && nonsense.body.contains("fly to the moon"), "{}", nonsense.body);
    // A line in pieces is one line; markup in it stays words.
    let (token, id) = (page.token(), "pieces".to_owned());
    let fields = [("id", id.as_str()), ("token", &token), ("p", "announce: "), ("p", "<script>alert(1)</script>")];
    let sent = browser.post("/m/demo/send", &fields);
    let shown = browser.get(sent.header("location"));
    assert!(shown.body.contains("&lt;script&gt;alert(1)") && !shown.body.contains("<script>alert"), "{}", shown.body);
    // Another line with the same id is another letter: somebody went back to an old page.
    let fields = [("id", id.as_str()), ("token", &token), ("p", "status")];
    let sent = browser.post("/m/demo/send", &fields);
    assert!(browser.get(sent.header("location")).body.contains("Awaited"));
}

#[test]
fn only_the_moderator_of_a_game_gets_its_page_and_only_with_the_token_changes_anything() {
    let hall = Hall::new();
    let stranger = hall.browser();
    for path in ["/m", "/m/demo", "/m/nowhere"] {
        assert_eq!(stranger.get(path).status, 403, "{path}");
    }
    let (minoa, seat) = hall.confirmed("Minoa");
    for path in ["/m", "/m/demo"] {
        assert_eq!(minoa.get(path).status, 403, "{path}");
    }
    let fields = [("id", "x"), ("token", &seat.token()), ("p", "pause")];
    assert_eq!(minoa.post("/m/demo/send", &fields).status, 403);
    // Nor by a seat's own door.
    let sent =
        minoa.send("/s/demo/moderator/send", &seat.token(), &json!({"id": "x", "lines": "pause for 1.movement"}));
    assert_eq!(sent.status, 403, "{}", sent.body);
    let (browser, page) = hall.confirmed("Moderator");
    for fields in [vec![("id", "x"), ("p", "pause")], vec![("id", "x"), ("token", "guess"), ("p", "pause")]] {
        assert_eq!(browser.post("/m/demo/send", &fields).status, 403);
    }
    let foreign = seat.token();
    assert_eq!(browser.post("/m/demo/send", &[("id", "x"), ("token", &foreign), ("p", "pause")]).status, 403);
    assert_eq!(browser.post("/m/demo/leave", &[("token", &foreign)]).status, 403);
    let mut other = hall.browser();
    *other.jar.borrow_mut() = browser.jar.borrow().clone();
    other.says.push(("sec-fetch-site", "cross-site".to_owned()));
    assert_eq!(other.post("/m/demo/send", &[("id", "x"), ("token", &page.token()), ("p", "pause")]).status, 403);
    for bad in ["", "a b", "<b>", &"x".repeat(65)] {
        assert_eq!(
            browser.post("/m/demo/send", &[("id", bad), ("token", &page.token()), ("p", "pause")]).status,
            400,
            "{bad}"
        );
    }
    assert_eq!(browser.post_raw("/m/demo/send", "application/x-www-form-urlencoded", vec![0xff; 40]).status, 400);
    assert_eq!(done(&hall), 0);
    // The moderator's browser opens nobody's seat.
    assert_eq!(browser.get("/s/demo/minoa").status, 403);
    assert_eq!(browser.get("/s/demo/minoa/data").status, 403);
    assert_eq!(browser.get("/s/demo/moderator/data").status, 403);
    let left = browser.post("/m/demo/leave", &[("token", &page.token())]);
    assert_eq!((left.status, browser.get("/m/demo").status), (200, 403));
}

#[test]
fn one_code_opens_all_games_of_a_moderator_and_no_other_and_is_taken_back_from_all() {
    let hall = Hall::new();
    hall.at_desk(|club| {
        let mut second = game("second", &["Minoa"]);
        second.title = "The second game".to_owned();
        club.begin(&second);
        let mut others = game("others", &["Minoa"]);
        others.moderator = person("Olga");
        club.begin(&others);
        club.post();
    });
    let (browser, page) = hall.confirmed("Moderator");
    assert!(page.body.contains("The game demo"));
    assert_eq!(browser.get("/m/second").status, 200);
    assert_eq!(browser.get("/m/others").status, 403, "another moderates it");
    let all = browser.get("/m");
    assert!(
        all.body.contains("/m/demo") && all.body.contains("/m/second") && !all.body.contains("others"),
        "{}",
        all.body
    );
    let seats = browser.get("/");
    assert!(seats.body.contains("The game demo · moderator"), "{}", seats.body);
    // Of another moderator's browser the same holds.
    let olga = hall.browser();
    let opened = hall.confirm(&olga, &hall.link_in("others", "Moderator"), "Olga");
    assert_eq!(opened.status, 200);
    assert_eq!((olga.get("/m/demo").status, olga.get("/m/others").status), (403, 200));
    let sent = olga.post("/m/demo/send", &[("id", "x"), ("token", &opened.token()), ("p", "pause")]);
    assert_eq!(sent.status, 403);
    // A lost phone: one letter ends it everywhere.
    hall.write("Moderator", "forget devices");
    assert_eq!((browser.get("/m/demo").status, browser.get("/m/second").status), (403, 403));
    assert_eq!(olga.get("/m/others").status, 200);
    // Another link, and the old one leads nowhere.
    let old = hall.link("Moderator");
    hall.write("Moderator", "new link");
    assert_eq!(hall.browser().open(&old).status, 404);
    let mails = hall.mails("Moderator");
    let new = hall.link("Moderator");
    assert!(mails.iter().any(|mail| mail.text.contains(&new)), "{mails:?}");
}

/// Whoever moderates and plays has both pages in one browser, each confirmed by itself.
#[test]
fn a_moderator_who_plays_has_both_pages() {
    let mut file = game("demo", &["Minoa", "Hellas"]);
    let addresses = person("Minoa").addresses;
    file.moderator = Person { addresses, ..person("Moderator") };
    let hall = Hall::with(false, super::hall::generous(), &file);
    let browser = hall.browser();
    let page = hall.confirm(&browser, &hall.link("Moderator"), "Minoa");
    assert!(page.body.contains("You play") || page.body.contains("you play"), "{}", page.body);
    assert_eq!(browser.get("/s/demo/minoa").status, 403, "a seat is confirmed by itself");
    let seat = hall.confirm(&browser, &hall.link("Minoa"), "Minoa");
    assert_eq!(seat.status, 200);
    assert_eq!((browser.get("/m/demo").status, browser.get("/s/demo/minoa").status), (200, 200));
    // What the others do not let be seen changes no byte of it.
    let shown = |hall: &Hall| {
        let page = browser.get("/m/demo");
        let mark = mark(&page);
        hall.at_desk(|_| ());
        page.body.replace(&mark, "")
    };
    let before = shown(&hall);
    hall.write("Hellas", "always tax 2\nmove 1 from Athens to Sparta");
    let hellas = hall.at_desk(|club| {
        let table = club.table("demo");
        table.sheet(civ(&table, "Hellas")).standing().len()
    });
    assert_eq!(hellas, 1, "it was read");
    assert_eq!(shown(&hall), before);
    // Nor does a letter that waits until Hellas says that it is theirs.
    hall.at_desk(|club| {
        let to = "cursus+demo.hellas.wrongsecret@example.org";
        club.send("hellas@player.example", to, "demo", "always tax 3");
        club.round();
    });
    assert!(hall.mails("Hellas").iter().any(|mail| mail.text.contains("always tax 3")), "Hellas is asked");
    assert_eq!(shown(&hall), before);
}

#[test]
fn every_command_about_players_and_the_own_page_has_a_form_and_is_shown_first() {
    let hall = Hall::with(
        false,
        super::hall::generous(),
        &cursus::desk::settings::game_file::GameFile { public_page: true, ..game("demo", &["Minoa", "Hellas"]) },
    );
    let (browser, page) = hall.confirmed("Moderator");
    for key in [
        "replace",
        "ask_next",
        "keep",
        "deputy",
        "nobody",
        "eject",
        "abandon",
        "forget_devices",
        "new_link",
        "copies_on",
        "copies_off",
    ] {
        assert!(page.body.contains(&format!("id=\"c-{key}\"")), "{key}");
    }
    assert!(!page.body.contains("id=\"c-forget\""), "there is one address, and nobody gives up the last");
    assert!(page.body.replace("&#x2f;", "/").contains("href=\"/g/demo\""), "what everybody sees is linked");
    assert!(say(&browser, &page, "standby").body.contains("data-is=\"done\""));
    let keeps = say(&browser, &browser.get("/m/demo"), "replace Hellas companion merchant");
    let kept = agree(&browser, &keeps);
    assert!(kept.body.contains(">Done<"), "{}", kept.body);
    // A new link ends this browser; the link comes by letter.
    let old = hall.link("Moderator");
    let shown = say(&browser, &browser.get("/m/demo"), "new link");
    assert_eq!(hall.link("Moderator"), old, "it was only shown");
    hall.mails("Moderator");
    let (token, mark, form) = (shown.token(), mark(&shown), super::moderator::shown(&shown));
    browser.post("/m/demo/send", &[("id", &mark), ("token", &token), ("answers", &form), ("p", "ok")]);
    let new = hall.link("Moderator");
    assert_ne!(new, old);
    assert_eq!(browser.get("/m/demo").status, 403);
    let told = hall.mails("Moderator");
    assert!(told.iter().any(|mail| mail.text.contains(&new)), "{told:?}");
}

/// Somebody writes on the order page.
fn writes(club: &mut Club, name: &str, lines: String) {
    let id = format!(
        "{name}-{}",
        club.desk.archive.letter_counts().expect("counts").iter().map(|(_, count)| count).sum::<u64>()
    );
    let (game, seat) = ("demo".into(), name.to_lowercase());
    let form = PageForm { id, game, seat, lines, seen: None, deputy: false, answers: None };
    Desk::hand_in_form(&club.desk.archive, &form, club.now).expect("it is handed in");
    club.round();
}

/// What others trade, a moderator who plays learns no earlier and no better than any player.
#[test]
fn a_moderator_who_plays_sees_nothing_of_the_others_hands() {
    let mut file = game("demo", &ALL);
    let addresses = person("Minoa").addresses;
    file.moderator = Person { addresses, ..person("Moderator") };
    let hall = Hall::with(false, super::hall::generous(), &file);
    let browser = hall.browser();
    hall.confirm(&browser, &hall.link("Moderator"), "Minoa");
    let (one, other) = hall.at_desk(move |club| {
        for _ in 0..100 {
            let able: Vec<&str> =
                ALL.into_iter().filter(|name| commodities(club, name).len() >= 3 && *name != "Minoa").collect();
            if let [one, other, ..] = able[..]
                && club.table("demo").state.phase() == Phase::Trade
            {
                return (one, other);
            }
            for name in ALL {
                let lines = club.play("demo", name);
                writes(club, name, lines);
            }
            club.wait(Duration::days(8));
        }
        panic!("no trade came");
    });
    let shown = || {
        let page = browser.get("/m/demo");
        page.body.replace(&mark(&page), "")
    };
    let before = shown();
    let swapped = hall.at_desk(move |club| {
        let [gives, pays] = [one, other].map(|name| commodities(club, name)[..3].join(", "));
        let hand = |club: &mut Club| {
            let table = club.table("demo");
            table.state.holding(civ(&table, one)).hand.clone()
        };
        let had = hand(club);
        writes(club, one, format!("offer to {other}: {gives} for any, any, any"));
        writes(club, other, format!("accept 1 with {pays}"));
        let table = club.table("demo");
        (had != hand(club), table.state.progress().trades.len())
    });
    assert_eq!(swapped, (true, 1), "the hands are others");
    assert_eq!(shown(), before);
}

/// A board that only a person can post to: its record stands on the page as text, in every markup, and only there.
#[test]
fn the_record_of_a_board_is_there_to_be_copied() {
    let other = Hall::new();
    let (_, page) = other.confirmed("Moderator");
    assert!(!page.body.contains("id=\"record\""), "{}", page.body);
    let mut file = game("demo", &["Minoa", "Hellas"]);
    let thread = Some("https://board.example.org/topic/17.rss".to_owned());
    let language = cursus::rules::Language::English;
    file.forum = Some(Forum { carrier: "club".to_owned(), thread, public_orders: true, language });
    let hall = Hall::furnished(false, super::hall::generous(), &file, |club| {
        let kind = CarrierKind::Feed(FeedSettings::default(), Markup::BbCode);
        let board = CarrierSettings { kind, ..crate::desk::forum::forum_settings(false) };
        club.desk.house.settings.carriers.push(board);
    });
    let (browser, page) = hall.confirmed("Moderator");
    assert!(page.body.replace("&#x2f;", "/").contains("https://board.example.org/topic/17.rss"), "{}", page.body);
    let secret = "move 1 from Knossos to Phaistos";
    hall.write("Minoa", "move 1 from Knossos to Phaistos");
    let before = agree(&browser, &say(&browser, &page, "process"));
    assert!(before.body.contains(">Done<"), "{}", before.body);
    let page = browser.get("/m/demo");
    for words in ["BBCode", "Markdown", "Plain text", "class=\"copy\"", "[b]", "<textarea readonly"] {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    let record = page.body.split_once("id=\"record\"").and_then(|(_, rest)| rest.split_once("</section>"));
    let (record, _) = record.expect("the record");
    assert!(record.contains("Minoa") && !record.contains(secret), "{record}");
    assert_eq!(browser.get(&script(&page, "moderator.js")).status, 200);
    assert_eq!(browser.get(&script(&page, "moderator.js").replace("moderator.js", "copy.js")).status, 200);
}

/// The address of a script of a page.
fn script(page: &Page, name: &str) -> String {
    let (before, _) = page.body.split_once(name).expect("the script");
    format!("{}{name}", &before[before.rfind('"').expect("its address") + 1..])
}
