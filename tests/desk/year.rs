//! A year of a club: twelve people, six games, two who vanish, a seat that is taken over from the list, one that a built-in player
//! keeps and hands back, votes won and lost. Whatever anybody is told is true when they read it.

use std::collections::BTreeMap;

use chrono::Duration;
use cursus::archive::{Party, Reached, Standby, Status, Stopped};
use cursus::companions::Temperament;
use cursus::desk::clock::schedule::Schedule;
use cursus::desk::settings::game_file::{GameFile, Sitter};
use cursus::desk::table::standing_in::MissingRules;
use cursus::game::verify::verify;
use cursus::rules::Language;

use super::club::{Club, Mail, address, flat, game, person};

/// Who sits at which seat of which game; built-in players sit at the others.
const GAMES: [(&str, &[(&str, &str)]); 6] = [
    ("spring", &[("Minoa", "Ann"), ("Hellas", "Ben"), ("Egypt", "Cleo")]),
    ("summer", &[("Minoa", "Dan"), ("Hellas", "Eva"), ("Egypt", "Finn")]),
    ("autumn", &[("Minoa", "Gus"), ("Hatti", "Ann")]),
    ("winter", &[("Assyria", "Hal"), ("Hellas", "Ida"), ("Egypt", "Ben")]),
    ("dawn", &[("Minoa", "Jan"), ("Egypt", "Kai")]),
    ("dusk", &[("Hatti", "Dan"), ("Egypt", "Gus")]),
];

/// What has come to whom, and the last letter with a form of each game.
#[derive(Default)]
struct Post {
    forms: BTreeMap<(String, &'static str), Mail>,
    all: Vec<(&'static str, Mail)>,
}

const EVERYBODY: [&str; 12] = ["Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hal", "Ida", "Jan", "Kai", "Lena"];

fn table(id: &str, seats: &[(&str, &str)]) -> GameFile {
    let civs: Vec<&str> = seats.iter().map(|(civ, _)| *civ).collect();
    let mut file = game(id, &civs);
    for seat in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut seat.sitter {
            let named = seats.iter().find(|(civ, _)| *civ == player.name).expect("a person").1;
            *player = person(named);
        }
    }
    let missing = MissingRules {
        companion: Some(Temperament::Merchant).filter(|_| id == "summer"),
        after: 2,
        ..MissingRules::default()
    };
    let schedule = Schedule { cooling_off: "0s".parse().expect("a length"), ..Schedule::default() };
    GameFile { missing, schedule, ..file }
}

fn take_in(club: &mut Club, post: &mut Post) {
    for mail in club.fetch() {
        let Some(name) = EVERYBODY.into_iter().find(|name| mail.to == address(name)) else {
            post.all.push(("Moderator", mail));
            continue;
        };
        for (id, _) in GAMES {
            let is_of = mail.subject.contains(&format!("The game {id}"));
            // A question of the club's belongs to the game as well.
            if is_of && mail.text.contains("YOUR FORM") {
                post.forms.insert((id.to_owned(), name), mail.clone());
            }
        }
        check(club, name, &mail);
        post.all.push((name, mail));
    }
}

/// What a letter says of its game is so.
fn check(club: &mut Club, name: &str, mail: &Mail) {
    let Some((id, _)) = GAMES.into_iter().find(|(id, _)| mail.subject.contains(&format!("The game {id}"))) else {
        return;
    };
    let table = club.table(id);
    let text = flat(mail);
    let seat = table.seats.iter().find(|seat| seat.party.civ().is_some() && seat.knows(&address(name)));
    if mail.text.contains("YOUR FORM") {
        assert!(matches!(table.game.status, Status::Running | Status::Paused), "{name} is asked in {id}: {text}");
        assert!(seat.is_some_and(|seat| seat.companion.is_none()), "{name} plays in {id}: {text}");
    }
    if text.contains("keeps your seat from now on") {
        assert!(seat.is_some_and(|seat| seat.companion.is_some()), "{text}");
    }
    if text.contains("is abandoned") || text.contains("The game is over.") {
        assert_eq!(table.game.status, Status::Ended, "{text}");
    }
}

/// Everybody who is there answers what is open, on the last day before a cut-off.
fn answer(club: &mut Club, post: &Post, is_there: &dyn Fn(&str, &str) -> bool) {
    for (id, _) in GAMES {
        let table = club.table(id);
        let near = table.game.hours.cut_off.is_some_and(|cut_off| cut_off - club.now < Duration::days(1));
        if table.game.status != Status::Running || !near {
            continue;
        }
        for civ in table.owing() {
            let seat = table.seat(Party::Seat(civ)).expect("a seat");
            let Some(name) = EVERYBODY.into_iter().find(|name| seat.knows(&address(name))) else { continue };
            if let Some(mail) = post.forms.get(&(id.to_owned(), name)).filter(|_| is_there(id, name)) {
                club.reply(mail, "ok\ndone");
            }
        }
    }
}

fn day(club: &mut Club, post: &mut Post, is_there: &dyn Fn(&str, &str) -> bool) {
    answer(club, post, is_there);
    club.round();
    take_in(club, post);
    club.wait(Duration::days(1));
    take_in(club, post);
}

fn told(post: &Post, name: &str, words: &str) -> bool {
    post.all.iter().any(|(reader, mail)| *reader == name && flat(mail).contains(words))
}

fn last_with(post: &Post, name: &str, words: &str) -> Mail {
    let found = post.all.iter().rev().find(|(reader, mail)| *reader == name && flat(mail).contains(words));
    found.unwrap_or_else(|| panic!("nothing told {name}: {words}")).1.clone()
}

fn says(club: &mut Club, post: &mut Post, id: &str, name: &'static str, text: &str) {
    let mail = post.forms.get(&(id.to_owned(), name)).unwrap_or_else(|| panic!("{name} has no form of {id}")).clone();
    club.reply(&mail, text);
    club.round();
    take_in(club, post);
}

fn moderates(club: &mut Club, post: &mut Post, id: &str, command: &str) {
    let open = club.table(id).phase();
    cursus::desk::Desk::hand_in(
        &club.desk.archive,
        &id.into(),
        &command.replace("{open}", &open.to_string()),
        club.now,
    )
    .expect("handed in");
    club.round();
    take_in(club, post);
}

#[test]
fn a_year_of_a_club() {
    let mut club = Club::new();
    let mut post = Post::default();
    let begun = club.now;
    for (id, seats) in GAMES {
        club.desk.create(&table(id, seats), [id.len() as u8; 32], club.now).expect("the game is created");
    }
    club.round();
    for invitation in club.fetch() {
        club.reply(&invitation, "ok");
    }
    club.round();
    take_in(&mut club, &mut post);
    for (id, _) in GAMES {
        assert_eq!(club.table(id).game.status, Status::Running, "{id}");
    }
    // Lena plays nowhere, and waits.
    let habits = cursus::archive::Habits {
        name: "Lena".to_owned(),
        language: Language::English,
        zone: "UTC".to_owned(),
        html: false,
    };
    let reached = Reached { carrier: "spool".to_owned(), address: address("Lena"), confirmed: Some(club.now) };
    let lena = club.desk.archive.note_person(&habits, &reached, club.now).expect("noted");
    club.desk.archive.stand_by(&Standby { person: lena.id, game: None, since: club.now }).expect("noted");
    // Cleo and Finn vanish: Cleo for good, Finn until May.
    let all = |_: &str, _: &str| true;
    let without = |_: &str, name: &str| name != "Cleo" && name != "Finn";
    let with_finn = |_: &str, name: &str| name != "Cleo";
    for _ in 0..20 {
        day(&mut club, &mut post, &all);
    }
    while !(told(&post, "Moderator", "Cleo (Egypt) has missed 2 cut-offs") && told(&post, "Finn", "keeps your seat")) {
        assert!(club.now - begun < Duration::days(120), "both are missed");
        day(&mut club, &mut post, &without);
    }
    moderates(&mut club, &mut post, "spring", "ask next Egypt");
    club.reply(&last_with(&post, "Lena", "Would you take it over?"), "ok");
    club.round();
    take_in(&mut club, &mut post);
    let spring = club.table("spring");
    assert!(spring.seats.iter().any(|seat| seat.player == "Lena"));
    assert!(told(&post, "Cleo", "is now played by Lena"));
    // Votes: won in autumn, lost in winter.
    says(&mut club, &mut post, "autumn", "Gus", "propose pause");
    says(&mut club, &mut post, "autumn", "Ann", "vote yes");
    assert_eq!(club.table("autumn").game.status, Status::Paused);
    says(&mut club, &mut post, "winter", "Hal", "propose end");
    says(&mut club, &mut post, "winter", "Ida", "vote no");
    assert_eq!(club.table("winter").game.status, Status::Running);
    assert!(told(&post, "Ben", "It is not done"));
    for _ in 0..20 {
        day(&mut club, &mut post, &with_finn);
    }
    let kept = |club: &mut Club| club.table("summer").missing.kept.len();
    assert_eq!(kept(&mut club), 1, "Finn is still away");
    club.reply(&last_with(&post, "Finn", "keeps your seat"), "I am back");
    club.round();
    take_in(&mut club, &mut post);
    assert_eq!(kept(&mut club), 0);
    assert!(told(&post, "Eva", "Finn is back and plays Egypt again"));
    says(&mut club, &mut post, "autumn", "Ann", "propose resume");
    says(&mut club, &mut post, "autumn", "Gus", "vote yes");
    assert_eq!(club.table("autumn").game.status, Status::Running);
    moderates(&mut club, &mut post, "dusk", "abandon because summer is too short for {open}");
    let dusk = club.table("dusk");
    assert!(dusk.game.stopped.as_ref().is_some_and(|stopped| matches!(stopped, Stopped::Abandoned { .. })));
    while club.now - begun < Duration::days(250) {
        day(&mut club, &mut post, &with_finn);
    }
    if club.table("dawn").game.status == Status::Running {
        says(&mut club, &mut post, "dawn", "Jan", "propose end");
        says(&mut club, &mut post, "dawn", "Kai", "vote yes");
    }
    assert_eq!(club.table("dawn").game.status, Status::Ended);
    let heard = post.all.len();
    while club.now - begun < Duration::days(365) {
        day(&mut club, &mut post, &with_finn);
    }
    // What is over is told once, and Cleo hears of nothing any more.
    for (name, mail) in &post.all[heard..] {
        assert!(!mail.subject.contains("The game dusk") && !mail.subject.contains("The game dawn"), "{name}: {mail:?}");
        assert!(*name != "Cleo", "{mail:?}");
    }
    for (id, _) in GAMES {
        let table = club.table(id);
        let events = club.desk.archive.events(&id.into(), 1).expect("events");
        let hash = verify(table.opening().expect("an opening"), &events, &table.chance()).expect("it is true");
        assert_eq!(hash, table.state.hash(), "{id}");
    }
    let record = |name: &str| {
        let person = club.desk.archive.person_at("spool", &address(name)).expect("it answers").expect("somebody");
        club.desk.archive.record(person.id).expect("it answers")
    };
    assert_eq!((record("Lena").took_over, record("Cleo").given_up, record("Cleo").missed), (1, 1, 2));
    assert!(record("Finn").missed >= 2 && record("Eva").missed == 0, "{:?} {:?}", record("Finn"), record("Eva"));
    assert!(record("Jan").finished == 1 && record("Ann").in_time > 20, "{:?}", record("Ann"));
}
