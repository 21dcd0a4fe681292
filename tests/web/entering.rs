//! Who is there: links, codes, devices, cookies and tokens.

use chrono::Duration;
use cursus::archive::Role;
use cursus::desk::settings::game_file::{Seat, Sitter};

use super::hall::{Hall, NAME, code, generous, path};
use crate::desk::club::{address, game, person, seat};

const MINOA: &str = "/s/demo/minoa";

/// How many browsers have Minoa's seat.
fn devices(hall: &Hall, name: &'static str) -> usize {
    hall.at_desk(move |club| {
        let party = seat(&club.table("demo"), name);
        club.desk.archive.devices_at(&"demo".into(), party).expect("the archive answers").len()
    })
}

#[test]
fn a_link_alone_opens_nothing_and_changes_nothing() {
    let hall = Hall::new();
    let link = hall.link("Minoa");
    let before = hall.at_desk(|club| club.desk.archive.outbox_status(None).expect("a status").sent);
    // A scanner opens everything that it finds, in every way it knows, and again.
    for purpose in ["", "prefetch", "prerender"] {
        let mut scanner = hall.browser();
        scanner.says.push(("sec-purpose", purpose.to_owned()));
        assert_eq!(scanner.head(&link).status, 303);
        let door = scanner.open(&link);
        assert_eq!(door.status, 200);
        assert_eq!(scanner.get("/enter/code").status, 405);
        for path in ["", "/data", "/events", "/sent/a", "/map/x.svg"] {
            assert_eq!(scanner.get(&format!("{MINOA}{path}")).status, 403, "{path}");
        }
        assert!(!door.body.contains("/p/"), "the link is not shown again");
    }
    hall.at_desk(|club| club.wait(Duration::minutes(1)));
    assert_eq!(devices(&hall, "Minoa"), 0);
    let after = hall.at_desk(|club| club.desk.archive.outbox_status(None).expect("a status").sent);
    assert_eq!(after, before, "nobody was written to");
}

#[test]
fn a_good_link_and_a_bad_one_get_the_same_answer() {
    let hall = Hall::new();
    let good = hall.link("Minoa");
    for bad in
        ["/p/demo.minoa.aaaaaaaaaaaaaaaaaaaaaaaaaa", "/p/x", "/p/none.minoa.abc", "/p/%3Cscript%3E", "/p/a%0d%0ab"]
    {
        let (one, other) = (hall.browser().get(&good), hall.browser().get(bad));
        assert_eq!((one.status, one.header("location")), (other.status, other.header("location")), "{bad}");
        assert_eq!(one.cookies().len(), other.cookies().len());
        let browser = hall.browser();
        let led = browser.open(bad);
        assert_eq!(led.status, 404, "{bad}");
        let token = "0".repeat(32);
        assert_eq!(browser.post("/enter", &[("token", &token)]).status, 403);
    }
    assert!(hall.mails("Minoa").is_empty());
}

#[test]
fn a_code_from_the_players_letter_opens_the_seat_once_and_for_this_browser() {
    let hall = Hall::new();
    let link = hall.link("Minoa");
    let (browser, other) = (hall.browser(), hall.browser());
    let (door, others) = (browser.open(&link), other.open(&link));
    browser.post("/enter", &[("token", &door.token())]);
    let mails = hall.mails("Minoa");
    assert!(mails.iter().all(|mail| mail.to == address("Minoa")), "to the known address alone");
    let code = code(&mails);
    assert!(!mails.iter().any(|mail| mail.text.contains("/p/")), "no link confirms anything");
    // Another browser with the same link and the very code.
    let stolen = other.post("/enter/code", &[("token", &others.token()), ("code", &code)]);
    assert_eq!(stolen.status, 403);
    // As people type: in capitals, with a hyphen and spaces.
    let typed = format!(" {}-{} ", code[..4].to_uppercase(), &code[4..]);
    let opened = browser.post("/enter/code", &[("token", &door.token()), ("code", &typed)]);
    assert_eq!((opened.status, opened.header("location")), (303, MINOA));
    let page = browser.open(MINOA);
    assert_eq!(page.status, 200);
    assert!(page.body.contains("The game demo"));
    assert_eq!(devices(&hall, "Minoa"), 1);
    // The link leads on from now on; a code that was used is none any more, and nobody else is let in.
    assert_eq!(browser.get(&link).header("location"), "/enter");
    assert_eq!(browser.open(&link).status, 200);
    let again = other.post("/enter/code", &[("token", &others.token()), ("code", &code)]);
    assert_eq!((again.status, other.get(MINOA).status), (403, 403));
}

#[test]
fn a_code_ends_after_ten_minutes_after_five_tries_and_with_the_next() {
    let hall = Hall::new();
    let link = hall.link("Minoa");
    let ask = |browser: &super::browser::Browser| {
        let token = browser.open(&link).token();
        assert_eq!(browser.post("/enter", &[("token", &token)]).status, 200);
        (token, code(&hall.mails("Minoa")))
    };
    let late = hall.browser();
    let (token, first) = ask(&late);
    hall.at_desk(|club| club.now += Duration::seconds(601));
    assert_eq!(late.post("/enter/code", &[("token", &token), ("code", &first)]).status, 403);
    // A new one makes the one before it worthless.
    let (token, second) = ask(&late);
    assert_eq!(late.post("/enter/code", &[("token", &token), ("code", &first)]).status, 403);
    for _ in 0..4 {
        assert_eq!(late.post("/enter/code", &[("token", &token), ("code", "aaaaaaaa")]).status, 403);
    }
    let late_right = late.post("/enter/code", &[("token", &token), ("code", &second)]);
    assert_eq!(late_right.status, 403, "the sixth try, though it is right");
    assert_eq!(devices(&hall, "Minoa"), 0);
    // The third of a day from browsers that nobody knows; the fourth is refused, from wherever it is asked for.
    ask(&late);
    let fresh = hall.browser();
    let token = fresh.open(&link).token();
    assert_eq!(fresh.post("/enter", &[("token", &token)]).status, 429);
    assert!(hall.mails("Minoa").is_empty());
    // Another seat has its own share, and tomorrow is another day.
    hall.confirmed("Hellas");
    hall.at_desk(|club| club.now += Duration::hours(25));
    let token = fresh.open(&link).token();
    assert_eq!(fresh.post("/enter", &[("token", &token)]).status, 200);
}

#[test]
fn what_is_stored_of_a_browser_is_a_hash_and_its_cookies_are_closed() {
    let hall = Hall::with(true, generous(), &game("demo", &["Minoa", "Hellas"]));
    let browser = hall.browser();
    let link = hall.link("Minoa");
    let followed = browser.get(&link);
    for cookie in followed.cookies() {
        assert!(cookie.starts_with("__Host-cursus-"), "{cookie}");
        for word in ["; Secure", "; HttpOnly", "; SameSite=Lax", "; Path=/;", "Max-Age=1800"] {
            assert!(cookie.contains(word), "{cookie}");
        }
        assert!(!cookie.to_lowercase().contains("domain"), "{cookie}");
    }
    let token = browser.open("/enter").token();
    browser.post("/enter", &[("token", &token)]);
    let code = code(&hall.mails("Minoa"));
    let opened = browser.post("/enter/code", &[("token", &token), ("code", &code)]);
    let kept = opened.cookies().into_iter().find(|cookie| cookie.contains("device")).expect("it is known from now on");
    assert!(kept.contains("Max-Age=34560000") && kept.contains("; Secure"), "{kept}");
    let page = browser.open(MINOA);
    for (name, value) in [
        ("cache-control", "no-store"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("strict-transport-security", "max-age=31536000"),
    ] {
        assert_eq!(page.header(name), value);
    }
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains('*') && !policy.contains("data:"), "{policy}");
    let secret = browser.jar.borrow()["__Host-cursus-device"].clone();
    assert_eq!(secret.len(), 64);
    let folder = hall.at_desk(|club| club.folder.clone());
    for file in ["cursus.sqlite", "cursus.sqlite-wal"] {
        let bytes = std::fs::read(folder.join(file)).expect("the archive");
        assert!(!bytes.windows(64).any(|part| part == secret.as_bytes()), "{file}");
        assert!(!bytes.windows(32).any(|part| part == page.token().as_bytes()), "{file}");
    }
}

#[test]
fn by_letter_a_player_lists_ends_and_renews() {
    let hall = Hall::new();
    let (browser, _) = hall.confirmed("Minoa");
    let ask = |text: &'static str| {
        hall.write("Minoa", text);
        let mails = hall.mails("Minoa");
        let answer = mails.last().unwrap_or_else(|| panic!("no answer to {text}"));
        answer.text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let told = ask("devices");
    assert!(told.contains("last here") && told.contains("`forget devices`"), "{told}");
    assert_eq!(browser.get(MINOA).status, 200);
    let told = ask("forget devices");
    assert!(told.contains("No browser has your order page any longer (1 had it)"), "{told}");
    assert_eq!(browser.get(MINOA).status, 403);
    assert_eq!(browser.get("/s/demo/minoa/data").status, 403);
    // The link is still good; `new link` ends that, too.
    let old = hall.link("Minoa");
    hall.confirm(&browser, &old, "Minoa");
    assert_eq!(browser.get(MINOA).status, 200);
    let told = ask("nowy link");
    let new = hall.link("Minoa");
    assert!(told.contains(&new) && new != old, "{told}");
    assert_eq!(browser.get(MINOA).status, 403);
    assert_eq!(hall.browser().open(&old).status, 404);
    hall.confirm(&browser, &new, "Minoa");
    assert_eq!(browser.get(MINOA).status, 200);
    // A code that was on its way when the link was renewed opens nothing.
    hall.at_desk(|club| club.now += Duration::hours(25));
    let other = hall.browser();
    let token = other.open(&new).token();
    other.post("/enter", &[("token", &token)]);
    let code = code(&hall.mails("Minoa"));
    ask("new link");
    assert_ne!(other.post("/enter/code", &[("token", &token), ("code", &code)]).status, 303);
    let told = ask("urządzenia");
    assert!(told.contains("No browser has your order page."), "{told}");
}

#[test]
fn whoever_takes_the_seat_over_takes_it_from_every_browser() {
    let hall = Hall::new();
    let (browser, _) = hall.confirmed("Minoa");
    let old = hall.link("Minoa");
    hall.write("Moderator", "replace Minoa by Zoe <zoe@player.example>");
    let preview = hall.mails("Moderator").pop().expect("an answer");
    let said = hall.at_desk(move |club| {
        club.reply(&preview, "ok");
        let mails = club.post();
        mails.iter().filter(|mail| mail.to == "zoe@player.example").map(|mail| mail.text.clone()).collect::<String>()
    });
    assert_eq!(browser.get(MINOA).status, 403);
    assert_eq!(browser.open(&old).status, 404);
    let new = path(said.split_whitespace().find(|word| word.contains("/p/demo.minoa.")).expect("a link for Zoe"));
    assert_ne!(new, old);
}

#[test]
fn a_deputys_browser_ends_with_the_absence() {
    let mut file = game("demo", &["Minoa", "Hellas"]);
    for Seat { sitter, .. } in &mut file.seats {
        if let Sitter::Player { player, deputy } = sitter
            && player.name == "Minoa"
        {
            *deputy = Some(person("Deputy"));
        }
    }
    let hall = Hall::with(false, generous(), &file);
    let deputys = hall.at_desk(|club| {
        let table = club.table("demo");
        club.desk.house.page_link(&table, seat(&table, "Minoa"), Role::Deputy).expect("a page")
    });
    let (own, _) = hall.confirmed("Minoa");
    // Before the player is away the deputy's link leads nowhere.
    assert_eq!(hall.browser().open(&path(&deputys)).status, 404);
    let away = |text: &'static str| hall.write("Minoa", text);
    away("away until 20 January");
    let browser = hall.browser();
    let token = browser.open(&path(&deputys)).token();
    browser.post("/enter", &[("token", &token)]);
    let mails = hall.at_desk(|club| club.post());
    assert!(!mails.iter().any(|mail| mail.to == address("Minoa") && mail.subject.contains("code")));
    let code = code(&mails.into_iter().filter(|mail| mail.to == address("Deputy")).collect::<Vec<_>>());
    assert_eq!(browser.post("/enter/code", &[("token", &token), ("code", &code)]).status, 303);
    let page = browser.get(MINOA);
    assert_eq!(page.status, 200);
    // A deputy orders, but decides nothing about the seat.
    let told = browser.send("/s/demo/minoa/send", &page.token(), &serde_json::json!({"id": "d1", "lines": "new link"}));
    assert!(told.json()["text"].as_str().expect("words").contains("not spoken of here"), "{}", told.body);
    assert_eq!(own.get(MINOA).status, 200);
    away("back");
    assert_eq!((browser.get(MINOA).status, own.get(MINOA).status), (403, 200));
    // Another absence is another: the deputy asks again.
    away("away until 22 January");
    assert_eq!(browser.get(MINOA).status, 403);
    assert_eq!(browser.open(&path(&deputys)).status, 200);
    // And it ends by the clock alone.
    let token = browser.open(&path(&deputys)).token();
    browser.post("/enter", &[("token", &token)]);
    let mails = hall.at_desk(|club| club.post());
    let code = super::hall::code(&mails.into_iter().filter(|mail| mail.to == address("Deputy")).collect::<Vec<_>>());
    assert_eq!(browser.post("/enter/code", &[("token", &token), ("code", &code)]).status, 303);
    assert_eq!(browser.get(MINOA).status, 200);
    hall.at_desk(|club| {
        let table = club.table("demo");
        let until = table.absences.first().and_then(|absence| absence.until).expect("it has an end");
        club.now = until + Duration::minutes(1);
        club.desk.forget(&"demo".into());
    });
    assert_eq!(browser.get(MINOA).status, 403);
}

#[test]
fn a_browser_has_one_seat_of_a_game_and_seats_of_several_games() {
    let hall = Hall::new();
    hall.at_desk(|club| club.begin(&game("other", &["Minoa", "Hellas"])));
    let (browser, _) = hall.confirmed("Minoa");
    hall.confirm(&browser, &hall.link_in("other", "Minoa"), "Minoa");
    assert_eq!((browser.get(MINOA).status, browser.get("/s/other/minoa").status), (200, 200));
    // They stand side by side; a browser that has none is told of none.
    let all = browser.get("/");
    assert_eq!(all.status, 200);
    let body = all.body.replace("&#x2f;", "/");
    for way in ["href=\"/s/demo/minoa\"", "href=\"/s/other/minoa\""] {
        assert!(body.contains(way), "{body}");
    }
    assert!(!body.contains("hellas") && browser.get(MINOA).body.contains("href=\"/\""));
    let stranger = hall.browser().get("/");
    assert!(stranger.status == 403 && !stranger.body.contains("/s/"), "{}", stranger.body);
    // A phone that is shared: whoever sits down is asked, each time.
    hall.confirm(&browser, &hall.link("Hellas"), "Hellas");
    assert_eq!(browser.get("/s/demo/hellas").status, 200);
    assert_eq!(browser.get(MINOA).status, 403);
    let back = browser.open(&hall.link("Minoa"));
    assert!(back.body.contains("action=\"/enter\""), "{}", back.body);
    hall.confirm(&browser, &hall.link("Minoa"), "Minoa");
    assert_eq!((browser.get(MINOA).status, browser.get("/s/demo/hellas").status), (200, 403));
    assert_eq!(browser.get("/s/other/minoa").status, 200);
    // Giving a seat back ends it here and nowhere else.
    let token = browser.get(MINOA).token();
    assert_eq!(browser.post("/s/demo/minoa/leave", &[("token", "x")]).status, 403);
    assert_eq!(browser.post("/s/demo/minoa/leave", &[("token", &token)]).status, 200);
    assert_eq!((browser.get(MINOA).status, browser.get("/s/other/minoa").status), (403, 200));
}

#[test]
fn what_changes_something_wants_a_token_of_this_browser_and_no_other_site() {
    let hall = Hall::new();
    let (mut browser, page) = hall.confirmed("Minoa");
    let (other, others) = hall.confirmed("Hellas");
    let form = serde_json::json!({"id": "x1", "lines": "always tax 2"});
    for token in ["", "0", &others.token(), &"0".repeat(32), &page.token().to_uppercase()] {
        assert_eq!(browser.send("/s/demo/minoa/send", token, &form).status, 403, "{token}");
        assert_eq!(browser.send("/s/demo/minoa/try", token, &form).status, 403, "{token}");
        let fields = [("id", "x1"), ("lines", "always tax 2"), ("token", token)];
        assert_eq!(browser.post("/s/demo/minoa/send", &fields).status, 403, "{token}");
    }
    assert_eq!(browser.get("/s/demo/minoa/send").status, 405);
    // Another's seat, with one's own token; a seat that is nobody's; a game that is not.
    for spot in
        ["/s/demo/minoa", "/s/demo/egypt", "/s/demo/moderator", "/s/demo/public", "/s/none/hellas", "/s/demo/MINOA"]
    {
        assert_eq!(other.send(&format!("{spot}/send"), &others.token(), &form).status, 403, "{spot}");
        assert_eq!(other.get(spot).status, 403, "{spot}");
    }
    // A page of another site has the cookies sent along, and even knows the token.
    browser.says = vec![("sec-fetch-site", "cross-site".to_owned())];
    assert_eq!(browser.send("/s/demo/minoa/send", &page.token(), &form).status, 403);
    browser.says.clear();
    assert_eq!(browser.get("/s/demo/minoa/sent/x1").status, 404, "nothing of all that was kept");
    assert_eq!(browser.send("/s/demo/minoa/send", &page.token(), &form).status, 200);
}

#[test]
fn another_name_of_ours_is_not_answered() {
    let hall = Hall::with(true, generous(), &game("demo", &["Minoa", "Hellas"]));
    for name in ["evil.example", "127.0.0.1", "games.example.org.evil.example", "games.example.org:8080", ""] {
        let browser = super::browser::Browser::new(&hall.base, Some(name));
        let page = browser.get("/enter");
        assert!([400, 421].contains(&page.status), "{name}: {}", page.status);
        assert!(page.cookies().is_empty());
    }
    let named = super::browser::Browser::new(&hall.base, Some(&NAME.to_uppercase()));
    assert_eq!(named.get("/enter").status, 403);
}

#[test]
fn what_is_a_seats_is_kept_by_no_browser_and_what_is_asked_about_the_page_has_a_button() {
    let hall = Hall::new();
    let (browser, page) = hall.confirmed("Minoa");
    let data = browser.get("/s/demo/minoa/data").json();
    let map = format!("{MINOA}/map/{}.svg", data["map"].as_str().expect("a map"));
    let own = [
        "/s/demo/minoa",
        "/s/demo/minoa/data",
        "/s/demo/minoa/past",
        "/s/demo/minoa/book",
        "/s/demo/minoa/sent/x",
        "/",
        &map,
    ];
    for path in own {
        assert_eq!(browser.get(path).header("cache-control"), "no-store", "{path}");
    }
    let robots = hall.browser().get("/robots.txt");
    assert!(robots.status == 200 && robots.body.contains("Disallow: /s/"), "{}", robots.body);
    // Each button of the page, without a script: its form as it stands there.
    let buttons: Vec<(String, String)> = page
        .body
        .split("class=\"own\"")
        .skip(1)
        .map(|form| {
            let value = |name: &str| {
                let (_, rest) = form.split_once(&format!("name=\"{name}\" value=\"")).expect("a field");
                rest.split('"').next().expect("its end").to_owned()
            };
            (value("id"), value("lines"))
        })
        .collect();
    let lines: Vec<&str> = buttons.iter().map(|(_, line)| line.as_str()).collect();
    assert_eq!(lines, ["devices", "addresses", "copies on", "copies off", "forget devices", "new link"]);
    let press = |id: &str, line: &str, token: &str| {
        browser.post("/s/demo/minoa/send", &[("id", id), ("lines", line), ("token", token)])
    };
    for ((id, line), says) in
        buttons[..4].iter().zip(["last here", "minoa@player.example", "comes by letter", "shown there alone"])
    {
        let sent = press(id, line, &page.token());
        let shown = browser.get(sent.header("location"));
        assert!(shown.body.contains(says), "{line}: {}", shown.body);
    }
    hall.mails("Minoa");
    let old = hall.link("Minoa");
    for (id, line) in &buttons[4..] {
        let token = browser.get(MINOA).token();
        let sent = press(id, line, &token);
        // This browser is no longer known, and is told so; what came of it is told by letter.
        assert_eq!(sent.status, 403, "{line}: {}", sent.body);
        let link = hall.link("Minoa");
        let told = hall.mails("Minoa");
        assert!(told.iter().any(|mail| mail.text.contains(&link)), "{line}: {told:?}");
        hall.confirm(&browser, &link, "Minoa");
    }
    assert_ne!(hall.link("Minoa"), old);
}
