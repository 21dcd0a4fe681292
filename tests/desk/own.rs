//! What is somebody's own: their record, what is stored about them, their vacation, and the games that they only watch.

use chrono::Duration;
use cursus::archive::{Habits, Reached, Record, Status};
use cursus::desk::clock::schedule::Schedule;
use cursus::desk::settings::game_file::GameFile;
use cursus::game::verify::verify;
use cursus::rules::Language;

use super::club::{Club, Mail, address, flat, game, last, to};
use super::open_games;

const PEOPLE: [&str; 3] = ["Minoa", "Hellas", "Egypt"];

fn begun(file: GameFile) -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let schedule = Schedule { cooling_off: "0s".parse().expect("a length"), ..Schedule::default() };
    let mails = club.begin(&GameFile { schedule, ..file });
    (club, mails)
}

fn says(club: &mut Club, mails: &[Mail], name: &str, text: &str) -> String {
    club.reply(&last(mails, name), text);
    told(&club.post(), name)
}

fn told(mails: &[Mail], name: &str) -> String {
    to(mails, name).into_iter().map(flat).collect::<Vec<_>>().join("\n")
}

fn cut_off(club: &mut Club, mails: &mut Vec<Mail>, answers: &[&str]) -> Vec<Mail> {
    for name in answers {
        let letter = last(mails, name);
        club.reply(&letter, "ok");
    }
    let mut new = club.post();
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    club.wait(cut_off - club.now + Duration::hours(1));
    new.extend(club.fetch());
    mails.extend(new.clone());
    new
}

fn record(club: &Club, name: &str) -> Record {
    let person = club.desk.archive.person_at("spool", &address(name)).expect("it answers").expect("somebody");
    club.desk.archive.record(person.id).expect("it answers")
}

#[test]
fn a_record_counts_who_was_there_and_who_took_over() {
    let (mut club, mut mails) = begun(game("demo", &PEOPLE));
    cut_off(&mut club, &mut mails, &["Minoa", "Hellas"]);
    cut_off(&mut club, &mut mails, &["Minoa", "Hellas"]);
    let playing = Record { playing: 1, ..Record::default() };
    assert_eq!(record(&club, "Minoa"), Record { in_time: 2, ..playing });
    assert_eq!(record(&club, "Egypt"), Record { missed: 2, ..playing });
    let open = club.table("demo").phase();
    let command = format!("replace Egypt Nora <{}> for {open}", address("Nora"));
    says(&mut club, &mails, "Moderator", &command);
    assert_eq!(record(&club, "Egypt"), Record { missed: 2, given_up: 1, ..Record::default() });
    assert_eq!(record(&club, "Nora"), Record { took_over: 1, ..playing });
    // Everybody is told their own alone, in either language.
    assert!(says(&mut club, &mails, "Minoa", "record").contains("2 cut-offs in time, 0 missed"));
    assert!(says(&mut club, &mails, "Hellas", "historia").contains("2 cut-offs in time"));
    // Who stands by is shown with it.
    says(&mut club, &mails, "Minoa", "standby");
    club.reply(&last(&mails, "Minoa"), "propose end");
    club.reply(&last(&mails, "Hellas"), "vote yes");
    club.post();
    let table = club.table("demo");
    assert_eq!(table.game.status, Status::Running, "three have to agree");
    says(&mut club, &mails, "Moderator", &format!("replace Egypt companion raider for {open}"));
    assert_eq!(club.table("demo").game.status, Status::Ended);
    assert_eq!(record(&club, "Minoa"), Record { in_time: 2, finished: 1, ..Record::default() });
}

#[test]
fn everybody_is_told_what_is_stored_about_them_and_of_nobody_else() {
    let (mut club, mails) = begun(game("demo", &PEOPLE));
    for text in ["my data", "moje dane"] {
        let data = says(&mut club, &mails, "Egypt", text);
        assert!(data.contains(&address("Egypt")) && data.contains("`demo`"), "{data}");
        for other in ["Minoa", "Hellas", "Moderator"] {
            assert!(!data.contains(&address(other)), "{data}");
        }
    }
}

#[test]
fn whoever_wants_is_forgotten_and_the_record_of_the_game_stays() {
    let (mut club, mut mails) = begun(game("demo", &PEOPLE));
    cut_off(&mut club, &mut mails, &PEOPLE);
    let forget = |club: &mut Club, mails: &[Mail]| {
        club.reply(&last(mails, "Egypt"), "forget me");
        let asked = club.post();
        assert!(told(&asked, "Egypt").contains("It cannot be taken back"), "{asked:?}");
        club.reply(&last(&asked, "Egypt"), "ok");
        told(&club.post(), "Egypt")
    };
    // As long as the game is played, name and address are needed.
    assert!(forget(&mut club, &mails).contains("still play in others"));
    assert!(club.table("demo").seats.iter().any(|seat| seat.knows(&address("Egypt"))));
    club.reply(&last(&mails, "Minoa"), "propose end");
    club.reply(&last(&mails, "Hellas"), "vote yes");
    club.reply(&last(&mails, "Egypt"), "vote yes");
    mails.extend(club.post());
    assert_eq!(club.table("demo").game.status, Status::Ended);
    assert!(forget(&mut club, &mails).contains("Done"));
    club.reopen();
    let table = club.table("demo");
    assert!(!table.seats.iter().any(|seat| seat.knows(&address("Egypt"))));
    assert!(table.seats.iter().any(|seat| seat.player == "N. N."));
    assert_eq!(club.desk.archive.person_at("spool", &address("Egypt")).expect("it answers"), None);
    let exported = serde_json::to_string(&club.desk.archive.export(&"demo".into()).expect("a file")).expect("JSON");
    let hex: String = address("Egypt").bytes().map(|byte| format!("{byte:02x}")).collect();
    assert!(!exported.contains(&address("Egypt")) && !exported.contains(&hex), "no address is left");
    let events = club.desk.archive.events(&"demo".into(), 1).expect("events");
    let hash = verify(table.opening().expect("an opening"), &events, &table.chance()).expect("it is true");
    assert_eq!(hash, table.state.hash(), "the record of the game is what it was");
    // The others are who they were.
    assert!(club.desk.archive.person_at("spool", &address("Minoa")).expect("it answers").is_some());
}

#[test]
fn a_vacation_holds_for_all_games() {
    let (mut club, mails) = begun(game("demo", &PEOPLE));
    club.begin(&game("other", &["Egypt", "Minoa"]));
    for (away, back) in [("vacation until 20 January", "vacation over"), ("urlop do 20 stycznia", "koniec urlopu")] {
        let said = says(&mut club, &mails, "Egypt", away);
        assert!(said.contains("`demo`") && said.contains("`other`"), "{said}");
        for id in ["demo", "other"] {
            let table = club.table(id);
            assert!(table.is_away(super::club::seat(&table, "Egypt"), club.now), "{id}: {said}");
        }
        says(&mut club, &mails, "Egypt", back);
        for id in ["demo", "other"] {
            assert!(club.table(id).absences.is_empty(), "{id}");
        }
    }
    assert!(says(&mut club, &mails, "Egypt", "vacation until then").contains("did not understand"));
}

/// Somebody whom the house knows, and who plays nowhere.
fn knows(club: &Club, name: &str) {
    let habits = Habits { name: name.to_owned(), language: Language::English, zone: "UTC".to_owned(), html: false };
    let reached = Reached { carrier: "spool".to_owned(), address: address(name), confirmed: Some(club.now) };
    club.desk.archive.note_person(&habits, &reached, club.now).expect("noted");
}

#[test]
fn observers_read_the_public_record_as_much_as_they_want() {
    let mut club = Club::new();
    club.desk = open_games::seated(&club, open_games::of(&club, false));
    let schedule = Schedule { cooling_off: "0s".parse().expect("a length"), ..Schedule::default() };
    let mut mails = club.begin(&GameFile { observers: true, schedule, ..game("demo", &PEOPLE) });
    club.begin(&game("closed", &["Minoa"]));
    for name in ["Each", "Turns", "Finale", "Former"] {
        knows(&club, name);
    }
    let writes = |club: &mut Club, name: &str, text: &str| told(&open_games::writes(club, name, text), name);
    assert!(writes(&mut club, "Each", "observe closed").contains("its players' own"));
    assert!(writes(&mut club, "Each", "observe nothing").contains("No such game"));
    assert!(writes(&mut club, "Each", "observe demo each").contains("each ruling"));
    assert!(writes(&mut club, "Turns", "obserwuj demo tury").contains("each turn"));
    assert!(writes(&mut club, "Finale", "observe demo end").contains("how it ends"));
    assert!(writes(&mut club, "Former", "observe demo each").contains("each ruling"));
    assert!(writes(&mut club, "Former", "stop observing demo").contains("no more"));
    let mut read = Vec::new();
    while club.table("demo").phase().turn < 2 {
        read.extend(cut_off(&mut club, &mut mails, &["Minoa", "Hellas"]));
    }
    read.extend(club.post());
    let count = |name: &str| to(&read, name).len();
    assert!(count("Each") >= 1 && count("Turns") == 1 && count("Finale") == 0 && count("Former") == 0, "{read:?}");
    // It is what everybody may know: nobody's hand, form or address.
    for mail in to(&read, "Each").into_iter().chain(to(&read, "Turns")) {
        let text = flat(mail);
        assert!(!text.contains("YOUR HAND") && !text.contains("YOUR FORM") && !text.contains("@player"), "{text}");
    }
    assert!(told(&read, "Each").contains("WHAT HAPPENED"), "{}", told(&read, "Each"));
    // A round in which nothing happens tells nobody anything, and a reopened house neither.
    club.reopen();
    assert!(club.post().iter().all(|mail| mail.to != address("Each")));
    says(&mut club, &mails, "Moderator", "abandon because of spring");
    let open = club.table("demo").phase();
    club.reply(&last(&mails, "Moderator"), &format!("abandon because of spring for {open}"));
    let mut end = club.post();
    end.extend(club.post());
    assert_eq!(club.table("demo").game.status, Status::Ended);
    for name in ["Each", "Turns", "Finale"] {
        assert!(told(&end, name).contains("is abandoned"), "{name}: {end:?}");
    }
    club.wait(Duration::days(3));
    assert!(club.fetch().iter().all(|mail| mail.to != address("Each")), "once");
}

#[test]
fn a_game_may_ask_for_a_minimum() {
    let mut club = open_games::house("least_in_time = 80\nleast_finished = 0");
    let told = open_games::joins(&mut club, "Ann", "join winter");
    assert!(self::told(&told, "Ann").contains("You are in"), "nobody is judged by nothing");
    let mut club = open_games::house("least_finished = 1");
    open_games::joins(&mut club, "Ann", "join winter");
    knows(&club, "Ben");
    let said = self::told(&open_games::writes(&mut club, "Ben", "join winter"), "Ben");
    assert!(said.contains("1 games finished"), "{said}");
}
