//! Players who do not come: nobody is blamed, nobody waits for ever, and the seat is taken over, kept, or theirs again.

use chrono::Duration;
use cursus::archive::{Reached, Standby};
use cursus::companions::Temperament;
use cursus::desk::clock::schedule::{Missed, Schedule};
use cursus::desk::settings::game_file::GameFile;
use cursus::desk::table::standing_in::MissingRules;
use cursus::game::{Phase, TurnPhase};
use cursus::rules::Language;

use super::club::{Club, Mail, address, civ, flat, game, last, to};

const PEOPLE: [&str; 3] = ["Minoa", "Hellas", "Egypt"];

fn begun(missing: MissingRules, missed: Missed) -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let schedule = Schedule { missed, cooling_off: "0s".parse().expect("a length"), ..Schedule::default() };
    let mails = club.begin(&GameFile { missing, schedule, ..game("demo", &PEOPLE) });
    (club, mails)
}

/// Somebody stands by, in a house that knows them.
fn stands_by(club: &Club, name: &str) {
    let habits = cursus::archive::Habits {
        name: name.to_owned(),
        language: Language::English,
        zone: "UTC".to_owned(),
        html: false,
    };
    let reached = Reached { carrier: "spool".to_owned(), address: address(name), confirmed: Some(club.now) };
    let person = club.desk.archive.note_person(&habits, &reached, club.now).expect("noted");
    let standby = Standby { person: person.id, game: None, since: club.now };
    club.desk.archive.stand_by(&standby).expect("noted");
}

/// Minoa and Hellas answer what is open, Egypt does not, and the cut-off passes.
fn egypt_misses(club: &mut Club, mails: &mut Vec<Mail>) -> Vec<Mail> {
    for name in ["Minoa", "Hellas"] {
        let letter = last(mails, name);
        club.reply(&letter, "ok");
    }
    mails.extend(club.post());
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    club.wait(cut_off - club.now + Duration::hours(1));
    let new = club.fetch();
    mails.extend(new.clone());
    new
}

fn moderates(club: &mut Club, mails: &[Mail], text: &str) -> Vec<Mail> {
    club.reply(&last(mails, "Moderator"), text);
    club.post()
}

fn all(mails: &[Mail], name: &str) -> String {
    to(mails, name).into_iter().map(flat).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_moderator_is_shown_who_stands_by_and_asks_one_after_another() {
    let (mut club, mut mails) = begun(MissingRules::default(), Missed::Default);
    for name in ["Nora", "Olaf"] {
        stands_by(&club, name);
        club.now += Duration::minutes(1);
    }
    let first = egypt_misses(&mut club, &mut mails);
    assert!(!all(&first, "Moderator").contains("in a row"), "once is nothing");
    let second = egypt_misses(&mut club, &mut mails);
    let shown = all(&second, "Moderator");
    assert!(shown.contains("Egypt (Egypt) has missed 2 cut-offs in a row"), "{shown}");
    assert!(shown.contains("1. Nora") && shown.contains("2. Olaf") && shown.contains("`ask next Egypt`"), "{shown}");
    assert!(!shown.contains("nora@"), "no address is shown");
    for name in ["Minoa", "Hellas"] {
        assert!(!all(&second, name).contains("in a row"), "nobody else is told: {}", all(&second, name));
    }
    let asked = moderates(&mut club, &mails, "ask next Egypt");
    assert!(all(&asked, "Moderator").contains("Nora is asked to take over Egypt"), "{asked:?}");
    let question = last(&asked, "Nora");
    assert!(flat(&question).contains("Would you take it over?"));
    assert!(to(&asked, "Olaf").is_empty());
    // One at a time; and whoever says no makes room for the next.
    assert!(all(&moderates(&mut club, &mails, "ask next Egypt"), "Moderator").contains("asked already"));
    club.reply(&question, "no");
    let told = club.post();
    assert!(all(&told, "Moderator").contains("Nora does not take over"), "{told:?}");
    let asked = moderates(&mut club, &mails, "ask next Egypt");
    let question = last(&asked, "Olaf");
    // Nobody else can answer in Olaf's place.
    club.send(&address("Rival"), &question.reply_to, "Re: it", "ok");
    assert!(club.post().is_empty());
    club.reply(&question, "ok");
    let told = club.post();
    assert!(all(&told, "Olaf").contains("you take over Egypt"), "the briefing: {}", all(&told, "Olaf"));
    assert!(all(&told, "Moderator").contains("Olaf has taken over Egypt"), "{}", all(&told, "Moderator"));
    let table = club.table("demo");
    let seat = table.seat(super::club::seat(&table, "Egypt")).expect("a seat");
    assert_eq!((seat.player.as_str(), seat.knows(&address("Egypt"))), ("Olaf", false));
    // A second yes changes nothing.
    club.reply(&question, "ok");
    assert!(all(&club.post(), "Olaf").contains("taken by now"));
    assert!(all(&moderates(&mut club, &mails, "ask next Egypt"), "Moderator").contains("Nobody is left"));
}

#[test]
fn whoever_is_asked_and_silent_makes_room() {
    let (mut club, mails) = begun(MissingRules::default(), Missed::Default);
    stands_by(&club, "Nora");
    let asked = moderates(&mut club, &mails, "ask next Egypt");
    let question = last(&asked, "Nora");
    club.wait(Duration::days(2));
    assert!(all(&club.fetch(), "Moderator").contains("Nora has not answered in time"));
    club.reply(&question, "ok");
    assert!(all(&club.post(), "Nora").contains("taken by now"));
    let table = club.table("demo");
    assert_eq!(table.seat(super::club::seat(&table, "Egypt")).expect("a seat").player, "Egypt");
}

#[test]
fn a_companion_keeps_a_seat_and_hands_it_back() {
    let missing = MissingRules { companion: Some(Temperament::Merchant), after: 2, ..MissingRules::default() };
    let (mut club, mut mails) = begun(missing, Missed::Default);
    egypt_misses(&mut club, &mut mails);
    let told = egypt_misses(&mut club, &mut mails);
    assert!(all(&told, "Egypt").contains("keeps your seat from now on"), "{}", all(&told, "Egypt"));
    assert!(
        all(&told, "Minoa").contains("A built-in player (merchant) keeps the seat of Egypt"),
        "{}",
        all(&told, "Minoa")
    );
    let table = club.table("demo");
    let egypt = civ(&table, "Egypt");
    assert_eq!(table.people().count(), 2);
    let seat = table.seat(cursus::archive::Party::Seat(egypt)).expect("a seat");
    assert_eq!((seat.companion.as_deref(), seat.player.as_str()), (Some("merchant"), "Egypt"));
    // Nobody waits for Egypt any more, and the companion writes.
    for name in ["Minoa", "Hellas"] {
        let letter = last(&mails, name);
        assert!(letter.text.contains("YOUR FORM"), "the form is in the last letter: {}", letter.text);
        club.reply(&letter, "ok\ndone");
    }
    let before = club.table("demo").phase();
    mails.extend(club.post());
    club.wait(Duration::hours(1));
    mails.extend(club.fetch());
    assert_ne!(club.table("demo").phase(), before, "it is ruled without Egypt");
    assert!(to(&mails, "Egypt").iter().filter(|mail| mail.subject.contains("Turn")).count() < 12);
    // The player writes: the seat is theirs again, with a briefing.
    let letter = last(&mails, "Egypt");
    club.reply(&letter, "I am back");
    let told = club.post();
    assert!(all(&told, "Egypt").contains("you take over Egypt from a built-in player"), "{}", all(&told, "Egypt"));
    assert!(all(&told, "Minoa").contains("Egypt is back and plays Egypt again"), "{}", all(&told, "Minoa"));
    let table = club.table("demo");
    assert_eq!(table.people().count(), 3);
    assert!(table.missing.kept.is_empty() && table.missing.missed.is_empty());
    // It stays so when the desk is opened anew.
    club.reopen();
    assert_eq!(club.table("demo").people().count(), 3);
}

#[test]
fn a_kept_seat_goes_to_whoever_takes_it_over() {
    let (mut club, mails) = begun(MissingRules::default(), Missed::Default);
    stands_by(&club, "Nora");
    // A player leaves by letter; the moderator has a companion keep the seat, and asks.
    let letter = last(&mails, "Egypt");
    club.reply(&letter, "leave");
    let told = club.post();
    assert!(all(&told, "Egypt").contains("You want to leave"), "{}", all(&told, "Egypt"));
    assert!(all(&told, "Moderator").contains("wants to leave the game"), "{}", all(&told, "Moderator"));
    let shown = moderates(&mut club, &mails, "replace Egypt companion raider");
    assert!(all(&shown, "Moderator").contains("Nothing is done yet"), "{}", all(&shown, "Moderator"));
    club.reply(&last(&shown, "Moderator"), "ok");
    let told = club.post();
    assert!(all(&told, "Hellas").contains("(raider) keeps the seat of Egypt"), "{}", all(&told, "Hellas"));
    let asked = moderates(&mut club, &mails, "ask next Egypt");
    club.reply(&last(&asked, "Nora"), "yes");
    let told = club.post();
    assert!(all(&told, "Nora").contains("you take over Egypt"), "{}", all(&told, "Nora"));
    assert!(all(&told, "Egypt").contains("Nora"), "the one before is told: {}", all(&told, "Egypt"));
    // The one before can no longer come back.
    club.reply(&letter, "I am back");
    club.post();
    let table = club.table("demo");
    assert_eq!(table.seat(super::club::seat(&table, "Egypt")).expect("a seat").player, "Nora");
}

#[test]
fn a_game_that_waits_does_not_wait_for_ever() {
    let missing = MissingRules { waits: 2, told: 0, ..MissingRules::default() };
    let (mut club, mut mails) = begun(missing, Missed::Wait);
    let open = club.table("demo").phase();
    assert_eq!(open, TurnPhase::new(1, Phase::Movement));
    egypt_misses(&mut club, &mut mails);
    assert_eq!(club.table("demo").phase(), open, "it waits once");
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    club.wait(cut_off - club.now + Duration::hours(1));
    let told = club.fetch();
    assert_ne!(club.table("demo").phase(), open, "and no longer than was agreed");
    assert!(all(&told, "Egypt").contains("No answer of yours came"), "{}", all(&told, "Egypt"));
    // Whoever answers again is waited for again.
    let letter = last(&mails, "Egypt");
    assert!(club.table("demo").missing.missed.values().all(|missed| *missed == 2));
    club.reply(&letter, "status");
    club.post();
}
