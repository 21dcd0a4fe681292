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

/// Egypt says that it leaves, is asked whether it means that, and does.
fn leaves(club: &mut Club, letter: &Mail, text: &str) -> Vec<Mail> {
    club.reply(letter, text);
    let asked = club.post();
    assert_eq!(asked.len(), 1, "nobody else hears of it yet: {asked:?}");
    assert!(all(&asked, "Egypt").contains("`demo`"), "{asked:?}");
    club.reply(&last(&asked, "Egypt"), "ok");
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
    // The seat is somebody's again: when it is free another time, everybody may be asked anew.
    assert!(all(&moderates(&mut club, &mails, "ask next Egypt"), "Moderator").contains("Nora is asked"));
    assert!(all(&moderates(&mut club, &mails, "ask next Minoa"), "Moderator").contains("Nora is asked"));
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
    let told = leaves(&mut club, &letter, "leave");
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

/// A letter that lay with its carrier before the cut-off, and that we only got after it, was in time.
#[test]
fn what_came_in_time_by_its_carriers_time_is_no_miss() {
    let (mut club, mut mails) = begun(MissingRules::default(), Missed::Default);
    egypt_misses(&mut club, &mut mails);
    let letter = last(&mails, "Egypt");
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    for name in ["Minoa", "Hellas"] {
        let letter = last(&mails, name);
        club.reply(&letter, "ok");
    }
    mails.extend(club.post());
    club.now = cut_off + Duration::hours(1);
    mails.extend(club.post());
    let missed = |club: &mut Club| club.table("demo").missing.missed.values().copied().collect::<Vec<_>>();
    assert_eq!(missed(&mut club), [2]);
    // Its server had it an hour before the cut-off; only we were out of reach.
    let now = std::mem::replace(&mut club.now, cut_off - Duration::hours(1));
    club.reply(&letter, "ok");
    club.now = now;
    club.post();
    assert_eq!(missed(&mut club), [1]);
    // What is written now is late, and forgives nothing.
    club.reply(&last(&mails, "Egypt"), "status");
    club.post();
    assert_eq!(missed(&mut club), [1]);
}

/// Who has just taken a seat over has missed nothing that was asked before.
#[test]
fn a_newcomer_misses_nothing_that_was_asked_before() {
    let (mut club, mut mails) = begun(MissingRules::default(), Missed::Default);
    stands_by(&club, "Nora");
    egypt_misses(&mut club, &mut mails);
    club.now += Duration::hours(1);
    let asked = moderates(&mut club, &mails, "ask next Egypt");
    club.reply(&last(&asked, "Nora"), "ok");
    club.post();
    assert!(club.table("demo").missing.missed.is_empty());
    egypt_misses(&mut club, &mut mails);
    assert!(club.table("demo").missing.missed.is_empty(), "the phase was open when Nora came");
    egypt_misses(&mut club, &mut mails);
    assert_eq!(club.table("demo").missing.missed.values().copied().collect::<Vec<_>>(), [1]);
}

#[test]
fn whoever_plays_on_does_not_leave_and_nobody_takes_the_seat_over() {
    let (mut club, mut mails) = begun(MissingRules::default(), Missed::Default);
    stands_by(&club, "Nora");
    let letter = last(&mails, "Egypt");
    let told = leaves(&mut club, &letter, "opu\u{15b}\u{107} demo");
    mails.extend(told);
    let asked = moderates(&mut club, &mails, "ask next Egypt");
    let question = last(&asked, "Nora");
    // A word of thanks is no coming back.
    club.reply(&letter, "Thank you all, it was fun!");
    let told = club.post();
    assert!(!all(&told, "Moderator").contains("plays on") && to(&told, "Nora").is_empty(), "{told:?}");
    assert_eq!(club.table("demo").missing.leaving.len(), 1);
    club.reply(&letter, "ok");
    let told = club.post();
    assert!(all(&told, "Moderator").contains("Egypt (Egypt) plays on"), "{told:?}");
    assert!(all(&told, "Nora").contains("is not free any more"), "{told:?}");
    assert!(club.table("demo").missing.leaving.is_empty());
    club.reply(&question, "ok");
    assert!(all(&club.post(), "Nora").contains("taken by now"));
    let table = club.table("demo");
    assert_eq!(table.seat(super::club::seat(&table, "Egypt")).expect("a seat").player, "Egypt");
}

/// A deputy who is named while somebody thinks about it changes nothing about the question.
#[test]
fn a_deputy_does_not_answer_the_question_who_takes_over() {
    let (mut club, mails) = begun(MissingRules::default(), Missed::Default);
    stands_by(&club, "Nora");
    let asked = moderates(&mut club, &mails, "ask next Egypt");
    let open = club.table("demo").phase();
    let command = format!("deputy Egypt Dora <{}> for {open}", address("Dora"));
    moderates(&mut club, &mails, &command);
    assert!(club.table("demo").seats.iter().any(|seat| seat.deputy.is_some()), "{command}");
    club.reply(&last(&asked, "Nora"), "ok");
    assert!(all(&club.post(), "Nora").contains("you take over Egypt"));
}

#[test]
fn nobody_leaves_by_a_word_about_something_else() {
    let (mut club, mails) = begun(MissingRules::default(), Missed::Default);
    let letter = last(&mails, "Egypt");
    for text in ["rezygnuj\u{119} z handlu", "leave Crete", "join us", "leave\ndone", "games\nok"] {
        club.reply(&letter, text);
        let told = club.post();
        assert!(told.iter().all(|mail| !mail.subject.contains("games and people")), "{text}: {told:?}");
    }
    let table = club.table("demo");
    assert!(table.missing.leaving.is_empty());
    assert!(!table.owing().contains(&civ(&table, "Egypt")), "what was filed below it counts");
    // Who says no, or nothing, stays.
    club.reply(&letter, "leave demo");
    let asked = club.post();
    club.reply(&last(&asked, "Egypt"), "no");
    assert!(all(&club.post(), "Egypt").contains("Nothing has changed"));
    // Whoever was asked and has lost the seat since answers in vain.
    club.reply(&letter, "leave");
    let asked = club.post();
    let open = club.table("demo").phase();
    moderates(&mut club, &mails, &format!("replace Egypt Nora <{}> for {open}", address("Nora")));
    club.reply(&last(&asked, "Egypt"), "ok");
    assert!(all(&club.post(), "Egypt").contains("no seat in `demo` any more"));
    assert!(club.table("demo").missing.leaving.is_empty());
}

/// What one has set for one's own letters is not the next one's.
#[test]
fn whoever_takes_over_has_habits_of_their_own() {
    let (mut club, mails) = begun(MissingRules::default(), Missed::Default);
    stands_by(&club, "Nora");
    let letter = last(&mails, "Egypt");
    club.reply(&letter, "detail full\nnews each");
    club.post();
    let seat = |club: &mut Club| {
        let table = club.table("demo");
        table.seat(super::club::seat(&table, "Egypt")).expect("a seat").clone()
    };
    assert_eq!(seat(&mut club).news, Some(0));
    let asked = moderates(&mut club, &mails, "ask next Egypt");
    club.reply(&last(&asked, "Nora"), "ok");
    club.post();
    let seat = seat(&mut club);
    assert_eq!((seat.player.as_str(), seat.news, seat.html, seat.zone.as_str()), ("Nora", None, false, "UTC"));
    assert_eq!(seat.detail, cursus::orders::Detail::default());
}

/// How a game ends is told to those as well whose seats are kept for them, and to whoever was asked to take one over.
#[test]
fn the_end_is_told_to_whoever_is_not_there() {
    for text in ["abandon because we are few", "propose abandon", "propose end"] {
        let (mut club, mut mails) = begun(MissingRules::default(), Missed::Default);
        stands_by(&club, "Nora");
        let open = club.table("demo").phase();
        moderates(&mut club, &mails, &format!("replace Egypt companion raider for {open}"));
        mails.extend(club.fetch());
        moderates(&mut club, &mails, "ask next Egypt");
        if text.starts_with("abandon") {
            club.reply(&last(&mails, "Moderator"), &format!("{text} for {open}"));
        } else {
            // Two of three are there, and what they agree on is agreed.
            club.reply(&last(&mails, "Minoa"), text);
            let told = club.post();
            assert!(all(&told, "Hellas").contains("seats that built-in players keep do not count"), "{told:?}");
            assert!(to(&told, "Egypt").is_empty());
            club.reply(&last(&told, "Hellas"), "vote yes");
        }
        let told = club.post();
        assert_eq!(club.table("demo").game.status, cursus::archive::Status::Ended, "{text}");
        let kept = all(&told, "Egypt");
        assert!(kept.contains("is abandoned") || kept.contains("The game is over"), "{text}: {kept}");
        assert!(all(&told, "Nora").contains("has ended meanwhile"), "{text}: {told:?}");
        if text.ends_with("abandon") {
            assert!(!all(&told, "Minoa").contains("is scored"), "{}", all(&told, "Minoa"));
        }
    }
}

/// The group reads for whom the defaults answered, and no more.
#[test]
fn the_group_reads_by_default_and_no_blame() {
    let (mut club, mut mails) = begun(MissingRules::default(), Missed::Default);
    let told = egypt_misses(&mut club, &mut mails);
    let report = all(&told, "Minoa");
    assert!(report.contains("By default, for want of a letter: Egypt."), "{report}");
    let told = club.answer_all(&mails, &PEOPLE, "ok");
    club.wait(Duration::hours(1));
    assert!(!all(&[told, club.fetch()].concat(), "Minoa").contains("By default"));
}
