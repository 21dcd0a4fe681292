//! Deputies and those who take a seat over: what they are told, in which language, and what they may not know.

use cursus::archive::{DeviceRecord, Exported, Party, Role};
use cursus::desk::Desk;
use cursus::desk::settings::game_file::{GameFile, Sitter};
use cursus::game::{Phase, TurnPhase};
use cursus::rules::Language;

use super::club::{Club, Mail, address, civ, flat, game, last, person, seat, to};

const PEOPLE: [&str; 2] = ["Minoa", "Hellas"];

/// A command by letter, and what came of it.
fn command(club: &mut Club, mails: &[Mail], text: &str) -> Vec<Mail> {
    club.reply(&last(mails, "Moderator"), text);
    club.post()
}

fn deputised(language: Language) -> GameFile {
    let mut file = game("demo", &PEOPLE);
    for taken in &mut file.seats {
        if let Sitter::Player { player, deputy } = &mut taken.sitter
            && player.name == "Minoa"
        {
            let mut stand_in = person("Deputy");
            stand_in.language = language;
            *deputy = Some(stand_in);
        }
    }
    file
}

#[test]
fn a_deputy_is_told_who_why_and_until_when_in_a_language_of_their_own() {
    let mut club = Club::new();
    let mails = club.begin(&deputised(Language::Polish));
    let named = last(&mails, "Deputy");
    assert!(flat(&named).contains("możesz zastępować gracza (Minoa)"), "{}", named.text);
    assert!(!named.text.contains("TWOJA RĘKA") && !named.text.contains("FORMULARZ"), "{}", named.text);
    let minoa = last(&mails, "Minoa");
    club.reply(&minoa, "away until 20 January");
    let told = club.post();
    assert!(flat(&last(&told, "Minoa")).contains("Deputy, your deputy, gets your letters"), "{}", told[0].text);
    let open = last(&told, "Deputy");
    assert!(
        flat(&open).contains("Deputy, grasz w zastępstwie, bo Minoa zgłasza nieobecność (koniec: środa, 20 stycznia"),
        "{}",
        open.text
    );
    assert!(open.text.contains("TWÓJ FORMULARZ") && open.text.contains("TWOJA RĘKA"), "{}", open.text);
    // What everybody is told, the deputy reads in Polish beside the player's English.
    let moved = command(&mut club, &mails, "deadline +24h for 1.movement");
    assert!(flat(&last(&moved, "Deputy")).contains("Moderator przesunął termin"), "{}", last(&moved, "Deputy").text);
    assert!(flat(&last(&moved, "Minoa")).contains("The moderator has moved the cut-off"));
    // The status names whoever answers.
    let status = flat(&last(&command(&mut club, &mails, "status"), "Moderator"));
    assert!(status.contains("away until") && status.contains("deputy Deputy"), "{status}");
    // An answer of the deputy's counts, and is answered in Polish.
    club.reply(&open, "ok");
    let answer = club.post();
    assert!(answer.iter().any(|mail| mail.to == address("Deputy") && mail.subject.contains("Twój list")));
    let table = club.table("demo");
    assert!(!table.owing().contains(&civ(&table, "Minoa")));
    // Whoever is back says so, and the deputy is thanked; what comes later is the player's to confirm.
    club.reply(&minoa, "back");
    let told = club.post();
    assert!(flat(&last(&told, "Deputy")).contains("znów odpowiada samodzielnie"), "{}", last(&told, "Deputy").text);
    club.reply(&open, "always tax 2");
    let asked = club.post();
    assert!(to(&asked, "Deputy").is_empty());
    assert!(last(&asked, "Minoa").subject.contains("did you write this?"), "{}", last(&asked, "Minoa").subject);
}

#[test]
fn a_deputy_is_told_when_an_absence_is_over_by_the_clock() {
    let mut club = Club::new();
    let mails = club.begin(&deputised(Language::English));
    club.reply(&last(&mails, "Minoa"), "away until 5 January");
    club.post();
    // Nobody writes, and the desk is opened anew: what the clock has to do stands in the archive.
    club.reopen();
    club.now = "2027-01-06T00:01:00Z".parse().expect("a time");
    let thanks = |mails: &[Mail]| {
        to(mails, "Deputy").into_iter().filter(|mail| flat(mail).contains("The absence of Minoa has ended")).count()
    };
    assert_eq!(thanks(&club.post()), 1);
    assert!(club.table("demo").absences.is_empty());
    club.reopen();
    club.now += chrono::Duration::hours(1);
    assert_eq!(thanks(&club.post()), 0, "it is told once");
}

#[test]
fn what_waits_for_whoever_left_a_seat_reaches_nobody() {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &PEOPLE));
    // The movement is ruled, and its report has not left when the moderator replaces somebody.
    club.now = club.table("demo").game.hours.cut_off.expect("a cut-off") + chrono::Duration::hours(2);
    club.desk.strike_beside_letters(club.now).expect("it is ruled");
    let open = club.table("demo").phase();
    assert_ne!(open, TurnPhase::new(1, Phase::Movement));
    let command = format!("replace Minoa Ben <ben@player.example> for {}.{}", open.turn, open.phase.name());
    Desk::hand_in(&club.desk.archive, &"demo".into(), &command, club.now).expect("it is handed in");
    let told = club.post();
    assert!(club.desk.table(&"demo".into()).expect("the game").seats.iter().any(|seat| seat.player == "Ben"));
    let left = to(&told, "Minoa");
    assert!(left.iter().all(|mail| !mail.text.contains("YOUR HAND") && !mail.text.contains("YOUR FORM")));
    assert!(left.iter().any(|mail| flat(mail).contains("Ben")), "the farewell leaves");
    assert!(last(&told, "Ben").text.contains("YOUR HAND") || to(&told, "Ben").len() > 1);
    assert!(last(&told, "Hellas").text.contains("YOUR FORM") || to(&told, "Hellas").len() > 1, "others get theirs");
    assert!(to(&mails, "Minoa").iter().any(|mail| mail.text.contains("YOUR FORM")), "before that the letters came");
}

#[test]
fn whoever_no_longer_answers_for_a_player_is_told() {
    let mut club = Club::new();
    let mails = club.begin(&deputised(Language::English));
    let again = command(&mut club, &mails, "deputy Minoa Deputy <deputy@player.example> for 1.movement");
    assert!(flat(&again[0]).contains("It is so already"), "{}", again[0].text);
    let own = command(&mut club, &mails, "deputy Minoa Me <minoa@player.example> for 1.movement");
    assert!(flat(&own[0]).contains("player's own"), "{}", own[0].text);
    let two = command(&mut club, &mails, "deputy Hellas D <deputy@player.example> for 1.movement");
    assert!(flat(&two[0]).contains("two hands"), "{}", two[0].text);
    let shown = command(&mut club, &mails, "deputy Minoa Anna <anna@player.example> pl");
    assert!(flat(&shown[0]).contains("Anna answers for Minoa while its player is away, in place of Deputy"));
    club.reply(&shown[0], "ok");
    let told = club.post();
    assert!(flat(&last(&told, "Deputy")).contains("You no longer answer for Minoa"), "{}", last(&told, "Deputy").text);
    assert!(flat(&last(&told, "Anna")).contains("możesz zastępować"), "{}", last(&told, "Anna").text);
    // The player goes, and so does the deputy.
    let told = command(&mut club, &mails, "replace Minoa Ben <ben@player.example> for 1.movement");
    assert!(flat(&last(&told, "Anna")).contains("Twoje zastępstwo się skończyło"), "{}", last(&told, "Anna").text);
    assert!(flat(&last(&told, "Minoa")).contains("Your seat is now played by Ben"));
    let table = club.table("demo");
    let there = table.seat(seat(&table, "Minoa")).expect("a seat");
    assert!(there.mailbox(Role::Deputy).is_none() && there.deputy.is_none());
    // A civilization that leaves takes its deputy along.
    command(&mut club, &mails, "deputy Minoa Eva <eva@player.example> for 1.movement");
    let told = command(&mut club, &mails, "eject Minoa for 1.movement");
    assert!(flat(&last(&told, "Eva")).contains("leaves the game"), "{}", last(&told, "Eva").text);
}

/// Plays until this turn.
fn play_until(club: &mut Club, mails: &mut Vec<Mail>, turn: u16) {
    for _ in 0..40 {
        let table = club.table("demo");
        if table.state.turn() >= turn && table.state.phase() == Phase::Movement {
            return;
        }
        for name in PEOPLE.into_iter().filter(|name| table.owing().contains(&civ(&table, name))) {
            let text = club.play("demo", name);
            club.reply(&last(mails, name), &text);
        }
        mails.extend(club.post());
    }
    panic!("the game does not come to turn {turn}");
}

#[test]
fn whoever_takes_a_seat_over_is_briefed() {
    for is_allowed in [true, false] {
        let mut club = Club::new();
        let mut file = game("demo", &PEOPLE);
        file.hand_over_press = is_allowed;
        let mut mails = club.begin(&file);
        let moderator = mails.clone();
        play_until(&mut club, &mut mails, 3);
        club.reply(&last(&mails, "Minoa"), "always tax 2\n\ntell Hellas: I promise you Thera");
        mails.extend(club.post());
        club.reply(&last(&mails, "Hellas"), "tell moderator: between us\n\ntell all: peace on the islands");
        mails.extend(club.post());
        club.reply(&last(&mails, "Hellas"), "tell Egypt: Minoa is weak");
        mails.extend(club.post());
        let old = last(&mails, "Minoa");
        let minoa = seat(&club.table("demo"), "Minoa");
        let device = DeviceRecord {
            browser: [1; 32],
            game: "demo".into(),
            party: minoa,
            absence: None,
            name: "a phone".to_owned(),
            since: club.now,
            seen: club.now,
        };
        club.desk.archive.add_device(&device, None).expect("the archive answers");
        let told = command(&mut club, &moderator, "replace Minoa Ben <ben@player.example> for 3.movement");
        let briefing = to(&told, "Ben").into_iter().find(|mail| mail.subject.contains("you play Minoa now"));
        let briefing = briefing.expect("a briefing").clone();
        let devices = club.desk.archive.devices_at(&"demo".into(), minoa).expect("the archive answers");
        assert!(devices.is_empty(), "no browser of the one before has the seat");
        assert_eq!(club.table("demo").link(minoa).generation, 1, "nor does the old link lead to it");
        let text = flat(&briefing);
        assert!(!text.contains("begins"), "{}", briefing.text);
        assert!(text.contains("Ben, you take over Minoa from Minoa"), "{}", briefing.text);
        for part in ["TURN 1", "TURN 2", "STANDING ORDERS", "always tax 2", "YOUR HAND", "YOUR FORM"] {
            assert!(briefing.text.contains(part), "{part}: {}", briefing.text);
        }
        for words in ["I promise you Thera", "peace on the islands"] {
            assert_eq!(text.contains(words), is_allowed, "{words}: {}", briefing.text);
        }
        assert!(!text.contains("between us") && !text.contains("Minoa is weak"), "{}", briefing.text);
        let kept = club.desk.archive.messages(&"demo".into(), Party::Moderator, 100).expect("the archive answers");
        assert_eq!(kept.is_empty(), !is_allowed, "nothing is kept where nobody may read it");
        // Its form is the open one.
        club.reply(&briefing, "ok");
        club.post();
        let table = club.table("demo");
        assert!(!table.owing().contains(&civ(&table, "Minoa")));
        // What the one before knows opens nothing any more, under whatever name.
        let sheet = table.sheet(civ(&table, "Minoa"));
        club.reply(&old, "always tax 1");
        assert!(club.post().is_empty(), "a stranger is not answered");
        club.send("ben@player.example", &old.reply_to, "mine", "always tax 1");
        let asked = club.post();
        assert!(last(&asked, "Ben").subject.contains("did you write this?"), "{}", last(&asked, "Ben").subject);
        let table = club.table("demo");
        assert_eq!(table.sheet(civ(&table, "Minoa")).standing().len(), sheet.standing().len());
    }
}

#[test]
fn a_deputy_and_what_was_written_go_with_the_game() {
    let mut club = Club::new();
    let mut file = deputised(Language::Polish);
    file.hand_over_press = true;
    let mails = club.begin(&file);
    club.reply(&last(&mails, "Minoa"), "tell Hellas: peace?");
    club.post();
    let exported = club.desk.archive.export(&"demo".into()).expect("it is exported");
    let read = |club: &mut Club| {
        let table = club.table("demo");
        let party = seat(&table, "Hellas");
        let messages = club.desk.archive.messages(&"demo".into(), party, 10).expect("the archive answers");
        (table.seat(seat(&table, "Minoa")).and_then(|seat| seat.deputy.clone()), messages)
    };
    let there = read(&mut club);
    assert!(there.0.is_some() && there.1.len() == 1, "{there:?}");
    let mut other = Club::new();
    other.desk.import(&exported).expect("it is imported");
    assert_eq!(read(&mut other), there);
    // A file of the first edition has neither.
    let mut older = serde_json::to_value(&exported).expect("a file");
    let tables = older["tables"].as_array_mut().expect("tables");
    tables.retain(|table| table["table"] != "messages");
    for table in tables.iter_mut().filter(|table| table["table"] == "seats") {
        let columns: Vec<String> = serde_json::from_value(table["columns"].clone()).expect("names");
        let is_new = |name: &str| name.starts_with("deputy");
        for row in table["rows"].as_array_mut().expect("rows") {
            let cells = row.as_array_mut().expect("cells");
            let mut at = 0;
            cells.retain(|_| {
                at += 1;
                !is_new(&columns[at - 1])
            });
        }
        table["columns"] = columns.iter().filter(|name| !is_new(name)).cloned().collect();
    }
    let older: Exported = serde_json::from_value(older).expect("a file");
    let mut other = Club::new();
    other.desk.import(&older).expect("it is imported");
    assert_eq!(read(&mut other), (None, Vec::new()));
    let table = other.table("demo");
    let name = table.seat(seat(&table, "Minoa")).and_then(|seat| seat.deputy_name());
    assert_eq!(name.as_deref(), Some("deputy"), "known by the address alone");
}

#[test]
fn what_was_written_is_swept_with_the_letters() {
    let mut club = Club::new();
    let mut file = game("demo", &PEOPLE);
    file.hand_over_press = true;
    let mails = club.begin(&file);
    club.reply(&last(&mails, "Minoa"), &format!("tell Hellas: {}", "peace ".repeat(2000)));
    club.post();
    let hellas = seat(&club.table("demo"), "Hellas");
    let kept = |club: &Club| club.desk.archive.messages(&"demo".into(), hellas, 10).expect("the archive answers");
    assert_eq!(kept(&club).first().map(|message| message.words.chars().count()), Some(2000), "cut to a length");
    let sweep = |club: &Club, time| {
        let retention = cursus::archive::Retention { letters: time, pictures: time, snapshots: time };
        club.desk.archive.sweep(retention).expect("it is swept");
    };
    sweep(&club, club.now - chrono::Duration::days(1));
    assert_eq!(kept(&club).len(), 1);
    sweep(&club, club.now + chrono::Duration::days(1));
    assert!(kept(&club).is_empty());
}

/// A newcomer's clock is the newcomer's: as it was said, as the house knows it, or as the group has agreed; never the one of
/// whoever sat there before.
#[test]
fn whoever_takes_a_seat_over_reads_times_on_a_clock_of_their_own() {
    for (said, zone) in [("", "UTC"), (" Europe/Warsaw", "CET"), (" pl Asia/Tokyo", "JST")] {
        let mut club = Club::new();
        let mut file = game("demo", &PEOPLE);
        for taken in &mut file.seats {
            if let Sitter::Player { player, .. } = &mut taken.sitter {
                player.zone = "Asia/Kolkata".parse().expect("a zone");
            }
        }
        let mails = club.begin(&file);
        assert!(last(&mails, "Minoa").text.contains("IST"));
        let told = command(&mut club, &mails, &format!("replace Minoa Ben <ben@player.example>{said} for 1.movement"));
        let briefing =
            to(&told, "Ben").into_iter().find(|mail| mail.text.contains("20:00") || mail.text.contains(zone));
        let text = &briefing.unwrap_or_else(|| panic!("{said}: {told:?}")).text;
        assert!(text.contains(zone) && !text.contains("IST"), "{said}: {text}");
    }
}
