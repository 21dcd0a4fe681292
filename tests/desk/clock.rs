//! The clock: when a phase is ruled, who is reminded of what, and how cut-offs move. A year of two games in five zones shows that
//! no notice contradicts the state when it is sent.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Datelike, Duration, TimeZone, Timelike, Utc};
use cursus::archive::{Archive, Deed, DispatchKind, Durability, NewDispatch, Party, Status};
use cursus::desk::clock::Struck;
use cursus::desk::clock::schedule::{Absences, Due, Missed, Schedule};
use cursus::desk::settings::game_file::{GameFile, Sitter};
use cursus::desk::{Desk, House, Sitting, Table};
use cursus::game::{Phase, TurnPhase};
use cursus::post::{Carrier, Cause, Dispatch, Mark, Receipt, Received, Trouble, Warning};
use cursus::report::TemplateFiles;
use cursus::rules::{Civ, EditionFiles, Language};

use super::club::{Club, Mail, address, civ, flat, game, last, seat, settings, to};

const PEOPLE: [&str; 2] = ["Minoa", "Hellas"];
const FIRST: TurnPhase = TurnPhase::new(1, Phase::Movement);

fn schedule(text: &str) -> Schedule {
    serde_json::from_str(text).expect("a schedule")
}

fn club(text: &str) -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let mails = club.begin(&GameFile { schedule: schedule(text), ..game("demo", &PEOPLE) });
    (club, mails)
}

fn cut_off(club: &mut Club) -> DateTime<Utc> {
    club.table("demo").game.hours.cut_off.expect("a cut-off")
}

/// A cut-off as it is printed for somebody.
fn printed(club: &Club, table: &Table, party: Party) -> String {
    let cut_off = table.game.hours.cut_off.expect("a cut-off");
    Sitting::new(&club.desk.house, table, club.now).when(party, cut_off)
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().expect("a time")
}

#[test]
fn a_phase_is_ruled_at_its_cut_off_and_the_grace() {
    let (mut club, mails) = club("{}");
    assert_eq!(cut_off(&mut club), at("2027-01-07T20:00:00Z"), "three days, and up to the next evening");
    assert!(flat(&last(&mails, "Minoa")).contains("Thursday 7 January, 20:00 UTC"));
    club.now = at("2027-01-07T20:29:59Z");
    club.reply(&last(&mails, "Minoa"), "ok");
    let answers = club.post();
    assert_eq!(club.table("demo").phase(), FIRST, "within the grace letters count");
    assert!(!last(&answers, "Minoa").text.contains("Cut-off"), "nobody is told a cut-off that has passed");
    // This one comes too late by a second: the phase is ruled before it is read.
    club.now = at("2027-01-07T20:30:01Z");
    club.reply(&last(&mails, "Hellas"), "ok");
    let answers = club.post();
    assert_eq!(club.table("demo").phase(), TurnPhase::new(2, Phase::Movement));
    let table = club.table("demo");
    assert!(table.owing().contains(&civ(&table, "Hellas")));
    assert!(to(&answers, "Hellas").iter().any(|mail| flat(mail).contains("has been ruled since")));
}

#[test]
fn arrival_decides_and_not_when_we_looked() {
    let (mut club, mails) = club("{}");
    club.now = at("2027-01-07T20:10:00Z");
    club.reply(&last(&mails, "Minoa"), "ok");
    club.reply(&last(&mails, "Hellas"), "ok");
    club.now = at("2027-01-07T20:50:00Z");
    club.round();
    assert_eq!(club.table("demo").phase(), FIRST, "both may look at their answers again");
    club.wait(Duration::minutes(30));
    let rulings = club.desk.archive.rulings(&"demo".into()).expect("the archive answers");
    let ruling = rulings.iter().find(|ruling| ruling.phase == Phase::Movement).expect("it is ruled");
    assert_eq!(ruling.reason, "all in", "the letters were there in time");
}

/// A carrier that first looks when the daemon has asked so often what time it is that it could have ruled, and says when a
/// letter leaves.
struct Slow {
    carrier: Arc<dyn Carrier>,
    rounds: Arc<AtomicU32>,
    left: Mutex<Sender<()>>,
}

/// So many times the daemon looks at the clock before the slow carrier looks for letters.
const ROUNDS: u32 = 5;

impl Carrier for Slow {
    fn name(&self) -> &str {
        self.carrier.name()
    }

    fn collect(&self, patience: std::time::Duration) -> Result<Vec<Received>, Trouble> {
        while self.rounds.load(Ordering::Relaxed) < ROUNDS {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        self.carrier.collect(patience.min(std::time::Duration::from_secs(1)))
    }

    fn keep(&self, marks: &[Mark]) -> Result<(), Trouble> {
        self.carrier.keep(marks)
    }

    fn send(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        let sent = self.carrier.send(dispatch);
        let _ = self.left.lock().expect("nobody panicked").send(());
        sent
    }
}

#[test]
fn the_daemon_rules_nothing_before_every_carrier_has_looked() {
    let (mut club, mails) = club(r#"{"cooling_off": "0s"}"#);
    club.now = at("2027-01-07T19:00:00Z");
    for name in PEOPLE {
        club.reply(&last(&mails, name), "ok");
    }
    // We were away for half an hour when the cut-off came; that is no outage, and the letters are in the mailbox.
    let now = at("2027-01-07T20:45:00Z");
    club.desk.note_alive(now - Duration::minutes(30)).expect("noted");
    let (left, leaving) = channel();
    let rounds = Arc::new(AtomicU32::new(0));
    let carrier = Arc::clone(&club.carriers[0]);
    let slow: Arc<dyn Carrier> = Arc::new(Slow { carrier, rounds: Arc::clone(&rounds), left: Mutex::new(left) });
    let clock = || {
        rounds.fetch_add(1, Ordering::Relaxed);
        now
    };
    let ring = |bell: cursus::desk::serving::Bell| {
        std::thread::spawn(move || {
            // The reports of the ruling leave after the two answers.
            for _ in 0..3 {
                let _ = leaving.recv_timeout(std::time::Duration::from_secs(60));
            }
            bell.ring();
        });
    };
    club.desk.serve(&[slow], clock, ring).expect("it stops when it is asked to");
    let rulings = club.desk.archive.rulings(&"demo".into()).expect("the archive answers");
    let ruling = rulings.iter().find(|ruling| ruling.phase == Phase::Movement).expect("it is ruled");
    assert_eq!(ruling.reason, "all in");
    assert!(!club.fetch().is_empty(), "and everybody is told");
}

#[test]
fn answers_may_be_changed_while_it_cools_off() {
    let (mut club, mails) = club(r#"{"cooling_off": "2h"}"#);
    let mails = club.answer_all(&mails, &PEOPLE, "ok");
    club.wait(Duration::minutes(119));
    assert_eq!(club.table("demo").phase(), FIRST);
    club.reply(&last(&mails, "Minoa"), "pass");
    assert!(flat(&last(&club.post(), "Minoa")).contains("pass"));
    club.wait(Duration::minutes(1));
    assert_eq!(club.table("demo").phase(), TurnPhase::new(2, Phase::Movement));
}

#[test]
fn a_reminder_says_for_what_until_when_and_what_silence_means() {
    let (mut club, mails) = club(r#"{"cooling_off": "0s"}"#);
    let mut mails = club.answer_all(&mails, &["Minoa"], "ok");
    mails.clear();
    for time in ["2027-01-06T19:59:00Z", "2027-01-06T20:00:00Z", "2027-01-06T21:00:00Z", "2027-01-07T14:00:00Z"] {
        club.now = at(time);
        let news = club.post();
        let expected = usize::from(time.ends_with("20:00:00Z") || time.ends_with("14:00:00Z"));
        assert_eq!(to(&news, "Hellas").len(), expected, "{time}");
        assert!(to(&news, "Minoa").is_empty(), "who is in is left alone");
        mails.extend(news);
    }
    for mail in &mails {
        let text = flat(mail);
        assert!(text.contains("by Thursday 7 January, 20:00 UTC"), "{text}");
        assert!(text.contains("Phase 3, Movement") && text.contains("If you do nothing: tokens stay"), "{text}");
    }
    club.reply(&mails[1], "ok");
    club.post();
    assert_eq!(club.table("demo").phase(), TurnPhase::new(2, Phase::Movement), "a reminder can be answered");
}

#[test]
fn a_reminder_in_the_hosts_own_words_leaves_like_any_other() {
    let (mut club, _) = club("{}");
    // It names neither the cut-off nor the phase.
    let mut words = TemplateFiles::built_in(Language::English);
    assert!(words.replace("reminder.txt", "A nudge\n\nDo write, dear {{ name }}.\n".to_owned()));
    let archive = Archive::open(&club.folder.join("cursus.sqlite"), Durability::None).expect("it opens");
    let words = BTreeMap::from([(Language::English.code(), words)]);
    let house = House::new(&archive, settings(&club.folder), &EditionFiles::built_in(), words).expect("it is sound");
    club.desk = Desk::new(archive, house).expect("the desk is there");
    club.now = cut_off(&mut club) - Duration::hours(24);
    club.round();
    let nudged = club.fetch();
    assert!(PEOPLE.iter().all(|name| to(&nudged, name).iter().any(|mail| flat(mail).contains("Do write, dear"))));
}

#[test]
fn reminders_of_several_games_are_one_letter() {
    let mut club = Club::new();
    for id in ["one", "two"] {
        club.begin(&GameFile { schedule: schedule("{}"), ..game(id, &PEOPLE) });
    }
    club.now = at("2027-01-06T20:00:00Z");
    let news = club.post();
    assert_eq!((to(&news, "Minoa").len(), to(&news, "Hellas").len()), (1, 1));
    let text = flat(&last(&news, "Minoa"));
    assert!(text.contains("THE GAME ONE") && text.contains("THE GAME TWO"), "{text}");
    assert_eq!(text.matches("Thursday 7 January, 20:00 UTC").count(), 2, "{text}");
    assert!(club.post().is_empty(), "once");
    // It has no form of any of them, so `ok` ends none and brings one that can be answered.
    club.reply(&last(&news, "Minoa"), "ok");
    let answer = last(&club.post(), "Minoa");
    for id in ["one", "two"] {
        let table = club.table(id);
        assert!(table.owing().contains(&civ(&table, "Minoa")), "{id}");
    }
    assert!(flat(&answer).contains("`ok` did nothing here") && answer.text.contains("YOUR FORM"), "{}", answer.text);
    club.reply(&answer, "ok");
    club.post();
    let owes = |club: &mut Club, id| {
        let table = club.table(id);
        table.owing().contains(&civ(&table, "Minoa"))
    };
    assert_eq!(["one", "two"].map(|id| owes(&mut club, id)).iter().filter(|owes| **owes).count(), 1);
}

#[test]
fn games_that_are_due_at_once_are_ruled_in_turn_and_reminded_of_in_one_letter() {
    let mut club = Club::new();
    let ids = ["one", "two", "three"];
    for id in ids {
        club.begin(&GameFile { schedule: schedule("{}"), ..game(id, &PEOPLE) });
    }
    // The clock may do no more than one game at once.
    let strike = |club: &mut Club| {
        let mut strikes = Vec::new();
        while strikes.last().is_none_or(|struck: &Struck| !struck.is_whole) {
            assert!(strikes.len() <= ids.len(), "it comes to an end");
            let waiting = club.desk.archive.outbox_status(None).expect("counts").waiting;
            assert!(!strikes.is_empty() || waiting == 0);
            strikes.push(club.desk.strike_for(club.now, false, Some(std::time::Duration::ZERO)).expect("it strikes"));
        }
        strikes
    };
    club.now = at("2027-01-06T20:00:00Z");
    let strikes = strike(&mut club);
    assert_eq!(strikes.len(), ids.len(), "between them letters are read: {strikes:?}");
    let news = club.post();
    assert_eq!((to(&news, "Minoa").len(), to(&news, "Hellas").len()), (1, 1), "and one person gets one letter");
    assert_eq!(flat(&last(&news, "Minoa")).matches("Thursday 7 January, 20:00 UTC").count(), 3);
    assert!(club.post().is_empty(), "once");
    club.now = at("2027-01-07T20:30:00Z");
    let strikes = strike(&mut club);
    assert_eq!(strikes.iter().map(|struck| struck.ruled).collect::<Vec<_>>(), [1, 1, 1]);
    assert!(ids.iter().all(|id| club.table(id).phase() != FIRST));
}

/// A carrier that takes nothing out while it is stuck.
struct Stuck(Arc<dyn Carrier>, AtomicBool);

impl Carrier for Stuck {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn collect(&self, patience: std::time::Duration) -> Result<Vec<Received>, Trouble> {
        self.0.collect(patience)
    }

    fn keep(&self, marks: &[Mark]) -> Result<(), Trouble> {
        self.0.keep(marks)
    }

    fn send(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        if self.1.load(Ordering::Relaxed) {
            Err(Trouble::Passing("the line is dead".to_owned()))
        } else {
            self.0.send(dispatch)
        }
    }
}

#[test]
fn a_reminder_that_events_have_overtaken_never_leaves() {
    let mut club = Club::new();
    let stuck = Arc::new(Stuck(Arc::clone(&club.carriers[0]), AtomicBool::new(false)));
    club.carriers = vec![Arc::clone(&stuck) as Arc<dyn Carrier>];
    let mut mails = Vec::new();
    for id in ["one", "two"] {
        mails.push(club.begin(&GameFile { schedule: schedule("{}"), ..game(id, &PEOPLE) }));
    }
    club.now = at("2027-01-06T20:00:00Z");
    stuck.1.store(true, Ordering::Relaxed);
    assert!(club.post().is_empty());
    // Before the line works again Minoa has answered one game, and Hellas has got more time in the other.
    club.reply(&last(&mails[0], "Minoa"), "ok");
    club.reply(&last(&mails[1], "Hellas"), "extend 24h");
    club.wait(Duration::minutes(30));
    stuck.1.store(false, Ordering::Relaxed);
    club.wait(Duration::hours(5));
    let news = club.fetch();
    let reminders =
        |name| to(&news, name).into_iter().filter(|mail| mail.subject.contains("eminder")).collect::<Vec<_>>();
    assert!(reminders("Minoa").is_empty(), "one is answered, and the other has time again");
    let hellas: Vec<String> = reminders("Hellas").into_iter().map(flat).collect();
    assert_eq!(hellas.len(), 1, "{hellas:?}");
    assert!(hellas[0].contains("The game one") && hellas[0].contains("Thursday 7 January, 20:00"), "{hellas:?}");
    club.now = at("2027-01-07T20:00:00Z");
    let news = club.post();
    let text = flat(&last(&news, "Minoa"));
    assert!(text.contains("The game two") && text.contains("Friday 8 January, 20:00"), "{text}");
}

#[test]
fn whom_no_letter_reaches_the_moderator_is_told_once_a_day() {
    let mut club = Club::new();
    let stuck = Arc::new(Stuck(Arc::clone(&club.carriers[0]), AtomicBool::new(false)));
    club.carriers = vec![Arc::clone(&stuck) as Arc<dyn Carrier>];
    let mails = club.begin(&GameFile { schedule: schedule("{}"), ..game("demo", &PEOPLE) });
    stuck.1.store(true, Ordering::Relaxed);
    for number in 0..10 {
        club.reply(&last(&mails, "Minoa"), &format!("tell Hellas: letter {number}"));
    }
    for _ in 0..40 {
        club.wait(Duration::hours(2));
    }
    let dead = club.desk.archive.outbox_status(Some(&"demo".into())).expect("the archive answers").dead;
    assert!(dead >= 20, "{dead} letters are given up");
    stuck.1.store(false, Ordering::Relaxed);
    club.wait(Duration::hours(4));
    let news = club.fetch();
    let told = to(&news, "Moderator").into_iter().filter(|mail| flat(mail).contains("was given up")).count();
    assert!((2..=4).contains(&told), "{told}");
}

#[test]
fn a_game_may_wait_for_those_who_missed_a_cut_off() {
    for missed in [Missed::Wait, Missed::Moderator] {
        let mut club = Club::new();
        let schedule = Schedule { missed, ..schedule(r#"{"cooling_off": "0s"}"#) };
        let mails = club.begin(&GameFile { schedule, ..game("demo", &PEOPLE) });
        club.reply(&last(&mails, "Minoa"), "ok");
        club.post();
        club.now = at("2027-01-07T20:30:00Z");
        let news = club.post();
        assert_eq!(club.table("demo").phase(), FIRST, "nothing is ruled");
        assert_eq!(cut_off(&mut club), at("2027-01-08T20:30:00Z") - Duration::minutes(30) + Duration::days(1));
        for name in PEOPLE {
            assert!(flat(&last(&news, name)).contains("The new cut-off is Saturday 9 January, 20:00"), "{missed:?}");
        }
        let told = to(&news, "Moderator").into_iter().any(|mail| flat(mail).contains("Missing: Hellas"));
        assert_eq!(told, missed == Missed::Moderator);
        match missed {
            Missed::Moderator => club.reply(&last(&mails, "Moderator"), "process for 1.movement"),
            Missed::Wait | Missed::Default => club.reply(&last(&mails, "Hellas"), "ok"),
        }
        club.post();
        assert_eq!(club.table("demo").phase(), TurnPhase::new(2, Phase::Movement));
    }
}

#[test]
fn an_extension_is_announced_and_they_run_out() {
    let (mut club, mails) = club(r#"{"extensions": 2}"#);
    club.reply(&last(&mails, "Minoa"), "extend 24h");
    let news = club.post();
    assert_eq!(cut_off(&mut club), at("2027-01-08T20:00:00Z"));
    assert!(flat(&last(&news, "Minoa")).contains("You have 1 extension left"), "{}", last(&news, "Minoa").text);
    for name in ["Hellas", "Moderator"] {
        let text = flat(&last(&news, name));
        assert!(text.contains("Minoa has asked for more time") && text.contains("Friday 8 January, 20:00"), "{text}");
    }
    club.reply(&last(&mails, "Minoa"), "extend 200h\nextend 24h");
    let answer = flat(&last(&club.post(), "Minoa"));
    assert_eq!(cut_off(&mut club), at("2027-01-10T20:00:00Z"), "no more than the longest");
    assert!(answer.contains("all your extensions"), "{answer}");
    // A cut-off that comes back to where it was is told again.
    for text in ["deadline -48h for 1.movement", "deadline +48h for 1.movement"] {
        club.reply(&last(&mails, "Moderator"), text);
    }
    assert_eq!(to(&club.post(), "Hellas").len(), 2);
}

#[test]
fn a_game_may_wait_for_absences_all_together() {
    let mut club = Club::new();
    let schedule = Schedule { absences: Absences::Wait, ..schedule(r#"{"cooling_off": "0s"}"#) };
    let mails = club.begin(&GameFile { schedule, ..game("demo", &PEOPLE) });
    club.reply(&last(&mails, "Minoa"), "away until 12 January");
    let news = club.post();
    assert_eq!(cut_off(&mut club), at("2027-01-14T20:00:00Z"), "behind it, with the time of a turn");
    assert!(flat(&last(&news, "Hellas")).contains("Minoa is away, and the game waits"));
    club.reply(&last(&mails, "Hellas"), "away until 16 January");
    let news = club.post();
    assert_eq!(cut_off(&mut club), at("2027-01-18T20:00:00Z"));
    assert!(flat(&last(&news, "Hellas")).contains("until"));
    club.now = at("2027-01-13T10:00:00Z");
    club.reply(&last(&mails, "Hellas"), "back\nok");
    club.reply(&last(&mails, "Minoa"), "ok");
    club.wait(Duration::hours(1));
    let table = club.table("demo");
    assert_eq!(table.phase(), TurnPhase::new(2, Phase::Movement));
    assert!(!table.is_away(seat(&table, "Hellas"), club.now));
}

#[test]
fn an_outage_of_ours_costs_nobody_time() {
    let (mut club, mails) = club("{}");
    club.desk.note_alive(at("2027-01-07T18:00:00Z")).expect("noted");
    club.now = at("2027-01-08T09:00:00Z");
    club.reply(&last(&mails, "Minoa"), "ok");
    club.desk.wake(club.now).expect("we are back");
    let news = club.post();
    assert_eq!(club.table("demo").phase(), FIRST, "it moved");
    assert_eq!(cut_off(&mut club), at("2027-01-08T20:00:00Z"));
    assert!(to(&news, "Hellas").iter().any(|mail| flat(mail).contains("Friday 8 January, 20:00")));
    // Whoever only calls for single rounds has no outage between them.
    let (mut club, _) = self::club("{}");
    club.desk.note_alive(at("2027-01-07T18:00:00Z")).expect("noted");
    club.now = at("2027-01-08T09:00:00Z");
    club.desk.wake_after(club.now, Duration::hours(26)).expect("we are back");
    club.post();
    assert_eq!(club.table("demo").phase(), TurnPhase::new(2, Phase::Movement));
}

#[test]
fn daylight_saving_never_shifts_a_printed_time() {
    let mut club = Club::new();
    club.now = at("2027-03-24T09:00:00Z");
    let schedule = schedule(r#"{"zone": "Europe/Warsaw", "cooling_off": "0s"}"#);
    let mut file = GameFile { schedule, ..game("demo", &PEOPLE) };
    for taken in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut taken.sitter {
            player.zone = "Europe/Warsaw".parse().expect("a zone");
        }
    }
    let mails = club.begin(&file);
    assert_eq!(cut_off(&mut club), at("2027-03-27T19:00:00Z"));
    assert!(flat(&last(&mails, "Minoa")).contains("Saturday 27 March, 20:00 CET"));
    club.reply(&last(&mails, "Minoa"), "extend 24h");
    let news = club.post();
    assert_eq!(cut_off(&mut club), at("2027-03-28T18:00:00Z"));
    assert!(flat(&last(&news, "Hellas")).contains("Sunday 28 March, 20:00 CEST"));
}

#[test]
fn a_game_that_cannot_be_ruled_stops_nobody_else() {
    let mut club = Club::new();
    let file = |id: &str| GameFile { schedule: schedule("{}"), ..game(id, &PEOPLE) };
    let begun = club.begin(&file("one"));
    club.begin(&file("two"));
    // A letter with the id that the report of the next phase will have: the ruling cannot be written down.
    let about = "one.2.movement.1.minoa.report".to_owned();
    let house = &club.desk.house;
    let message_id = house.message_id(house.mail_carrier(), &about);
    let dispatch = Dispatch {
        message_id,
        date: club.now,
        to: address("Nobody"),
        reply_to: None,
        in_reply_to: None,
        references: Vec::new(),
        subject: String::new(),
        text: String::new(),
        html: None,
        picture: None,
        data: None,
        list: None,
    };
    let secret = "x".repeat(16);
    let new = NewDispatch {
        dispatch,
        about,
        secret,
        of: None,
        kind: DispatchKind::Report,
        cut_off: None,
        asks: None,
        carrier: "spool".to_owned(),
        told_elsewhere: true,
        offered: Vec::new(),
        writer: None,
        words: None,
    };
    club.desk.archive.commit(&Deed { dispatches: vec![new], ..Deed::default() }).expect("it is written");
    club.now = at("2027-01-07T20:30:00Z");
    let news = club.post();
    assert_eq!(club.table("one").phase(), FIRST);
    assert_eq!(club.table("two").phase(), TurnPhase::new(2, Phase::Movement));
    let trouble =
        |mails: &[Mail]| to(mails, "Moderator").iter().filter(|mail| flat(mail).contains("could not be ruled")).count();
    assert_eq!(trouble(&news), 1, "the moderator is told");
    // Letters of that game are read as ever, in the phase that is still open.
    club.reply(&last(&begun, "Minoa"), "tell Hellas: are we stuck?");
    let answers = club.post();
    assert_eq!((to(&answers, "Hellas").len(), to(&answers, "Minoa").len()), (1, 1));
    for _ in 0..5 {
        club.now += Duration::minutes(40);
        assert_eq!(trouble(&club.post()), 0, "once");
    }
}

/// Chance that is the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }
}

const ZONES: [(&str, &str); 5] = [
    ("Minoa", "Europe/Warsaw"),
    ("Assyria", "America/New_York"),
    ("Hatti", "Asia/Kolkata"),
    ("Hellas", "Australia/Lord_Howe"),
    ("Egypt", "UTC"),
];

/// A game of five people in five zones.
fn worldwide(id: &str, schedule: Schedule) -> GameFile {
    let mut file = GameFile { schedule, ..game(id, &ZONES.map(|(name, _)| name)) };
    for taken in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut taken.sitter {
            let (_, zone) = ZONES.into_iter().find(|(name, _)| *name == player.name).expect("a zone");
            player.zone = zone.parse().expect("a zone");
        }
    }
    file
}

/// A year of two games: who plays it, and what every player last read.
struct Year {
    club: Club,
    dice: Dice,
    /// The last letter of each game to each player.
    last: BTreeMap<(String, String), Mail>,
    /// The cut-off that each player was last told for each game.
    told: BTreeMap<(String, String), String>,
    /// Who has written since the last round.
    wrote: BTreeSet<(String, String)>,
    reminders: usize,
    together: usize,
}

const GAMES: [&str; 2] = ["north", "south"];

impl Year {
    /// Everybody looks at what came, and nothing in it contradicts the games as they are.
    fn read(&mut self) {
        let mails = self.club.fetch();
        let tables: BTreeMap<&str, Table> = GAMES.into_iter().map(|id| (id, self.club.table(id))).collect();
        for mail in mails {
            let tag = mail.reply_to.strip_prefix("cursus+").expect("a secret");
            let id = tag.split('.').next().expect("a game").to_owned();
            let Some((name, _)) = ZONES.into_iter().find(|(name, _)| mail.to == address(name)) else { continue };
            if mail.subject.contains("eminder") {
                self.check_reminder(&tables, &id, name, &mail);
            }
            for line in flat(&mail).split(". ").filter(|line| line.to_lowercase().contains("cut-off")) {
                if let Some(last) = moments(line).pop() {
                    self.told.insert((id.clone(), name.to_owned()), last);
                }
            }
            self.last.insert((id, name.to_owned()), mail);
        }
        for (id, table) in &tables {
            let cut_off = table.game.hours.cut_off.filter(|cut_off| table.is_running() && *cut_off > self.club.now);
            for (name, _) in ZONES {
                let key = ((*id).to_owned(), name.to_owned());
                if let (Some(_), Some(told)) = (cut_off, self.told.get(&key)) {
                    let printed = printed(&self.club, table, seat(table, name));
                    assert_eq!(*told, printed, "{name} was told another cut-off in {id} at {}", self.club.now);
                }
            }
        }
    }

    /// A reminder goes to somebody who owes something in the phase that it names, and names the cut-off.
    fn check_reminder(&mut self, tables: &BTreeMap<&str, Table>, id: &str, name: &str, mail: &Mail) {
        self.reminders += 1;
        let text = flat(mail);
        let named: Vec<_> =
            GAMES.into_iter().filter(|id| text.to_lowercase().contains(&format!("the game {id}"))).collect();
        assert!(named.contains(&id), "{text}");
        self.together += usize::from(named.len() > 1);
        for id in named {
            let table = &tables[id];
            assert!(table.owing().contains(&civ(table, name)), "{name} owes nothing in {id}:\n{text}");
            let cut_off = table.game.hours.cut_off.expect("a cut-off");
            assert!(cut_off > self.club.now, "a cut-off that has passed");
            let printed = printed(&self.club, table, seat(table, name));
            assert!(text.contains(&printed), "{printed}:\n{text}");
            assert!(text.contains(&format!("turn {}", table.state.turn())), "{text}");
            assert!(text.contains("If you do nothing"), "{text}");
        }
    }

    /// Somebody answers their last letter of a game.
    fn write(&mut self, id: &str, name: &str, text: &str) {
        if let Some(mail) = self.last.get(&(id.to_owned(), name.to_owned())).cloned() {
            self.club.reply(&mail, text);
            self.wrote.insert((id.to_owned(), name.to_owned()));
        }
    }

    /// What people do until the next look: answer, or not; ask for time; go away and come back.
    fn live(&mut self) {
        for id in GAMES {
            let table = self.club.table(id);
            let owing: Vec<Civ> = table.owing();
            for (name, _) in ZONES {
                let owes = table.is_running() && owing.contains(&civ(&table, name));
                match self.dice.roll(100) {
                    0..=5 if owes => self.write(id, name, "ok"),
                    19 if owes => self.write(id, name, "extend 24h"),
                    20 => self.write(id, name, "away for 6 days"),
                    21..=22 => self.write(id, name, "back"),
                    23 if owes => self.write(id, name, "wait"),
                    _ => {}
                }
            }
        }
    }

    /// What is due has been ruled, and cut-offs are where they may be.
    fn check_clock(&mut self, before: &[Table], outages: bool) {
        let now = self.club.now;
        for was in before {
            let table = self.club.table(was.game.id.as_str());
            if !table.is_running() {
                continue;
            }
            let cut_off = table.game.hours.cut_off.expect("a cut-off");
            match table.agreed.schedule.due(table.game.hours.all_in, cut_off) {
                Due::Ruled(time) | Due::Missed(time) => assert!(time > now, "{} was due at {time}: {now}", was.game.id),
            }
            let local = cut_off.with_timezone(&table.agreed.schedule.zone.0);
            let weekdays = &table.agreed.schedule.weekdays;
            if !outages {
                assert!(weekdays.contains(local.weekday()), "{local} is no day for a cut-off");
                let time = table.agreed.schedule.time.0;
                // Where clocks go forward, a time that is skipped is the first instant behind the gap.
                let zone = table.agreed.schedule.zone.0;
                let is_skipped = zone.from_local_datetime(&local.date_naive().and_time(time)).latest().is_none();
                let is_regular = (local.hour(), local.minute()) == (time.hour(), time.minute());
                assert!(is_regular || is_skipped, "{local}");
            }
            if table.phase() != was.phase() {
                let rulings = self.club.desk.archive.rulings(&was.game.id).expect("the archive answers");
                let ruling = rulings.iter().rfind(|ruling| TurnPhase::new(ruling.turn, ruling.phase) == was.phase());
                let ruling = ruling.expect("it was ruled");
                let last = was.agreed.schedule.last_moment(was.game.hours.cut_off.expect("a cut-off"));
                match ruling.reason.as_str() {
                    "cut-off" => assert!(ruling.ruled_at >= last, "ruled at {} before {last}", ruling.ruled_at),
                    // Whoever owed something before has written since.
                    "all in" => {
                        let awaited = was.owing();
                        let silent = ZONES.into_iter().find(|(name, _)| {
                            let key = (was.game.id.to_string(), (*name).to_owned());
                            awaited.contains(&civ(was, name)) && !self.wrote.contains(&key)
                        });
                        assert_eq!(silent, None, "not all were in at {now}");
                    }
                    "at once" | "letter" => {}
                    other => panic!("{other}"),
                }
                assert!(ruling.ruled_at <= now);
            }
        }
    }
}

/// The points in time that a text names: `Monday 4 January, 20:00 UTC`.
fn moments(text: &str) -> Vec<String> {
    const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_moment = |words: &&[&str]| DAYS.contains(&words[0]) && words[2].ends_with(',') && words[3].contains(':');
    words
        .windows(5)
        .filter(is_moment)
        .map(|words| words.join(" ").trim_end_matches(['.', ',', ';']).to_owned())
        .collect()
}

#[test]
fn a_year_of_two_games_in_five_zones_tells_nobody_anything_untrue() {
    let mut club = Club::new();
    club.now = Utc.with_ymd_and_hms(2027, 1, 4, 9, 0, 0).single().expect("a time");
    let north = r#"{"zone": "Europe/Warsaw", "movement": "5days", "weekdays": ["mon", "tue", "wed", "thu", "fri"],
                    "reminders": ["2days", "6h"], "extensions": 40, "absences": "wait", "cooling_off": "1h"}"#;
    let south = r#"{"zone": "Australia/Lord_Howe", "movement": "5days", "time": "02:15", "reminders": ["1day", "12h"],
                    "extensions": 40, "missed": "wait", "grace": "2h"}"#;
    for (id, schedule) in GAMES.into_iter().zip([north, south]) {
        club.begin(&worldwide(id, self::schedule(schedule)));
    }
    let mut year = Year {
        club,
        dice: Dice(2027),
        last: BTreeMap::new(),
        told: BTreeMap::new(),
        wrote: BTreeSet::new(),
        reminders: 0,
        together: 0,
    };
    // The letters with which the games began were read before: a status brings everybody a letter of each.
    let begun: Vec<_> = std::fs::read_dir(year.club.folder.join("out/cur")).expect("letters").collect();
    assert!(!begun.is_empty());
    for file in begun {
        let path = file.expect("a file").path();
        let name = path.file_name().expect("a name").to_owned();
        std::fs::rename(&path, year.club.folder.join("out/new").join(name)).expect("put back");
    }
    year.read();
    let end = year.club.now + Duration::days(366);
    let mut rounds = 0;
    while year.club.now < end {
        let before: Vec<Table> = GAMES.into_iter().map(|id| year.club.table(id)).collect();
        let step = Duration::minutes(60 + i64::try_from(year.dice.roll(14 * 60)).expect("small"));
        let outage = year.dice.roll(80) == 0;
        year.live();
        let next = year.club.desk.next_stroke().unwrap_or(end).max(year.club.now + Duration::minutes(1));
        // Sometimes we look late, without being away.
        let is_late = year.dice.roll(4) == 0;
        year.club.now = if outage {
            year.club.now + step * 3
        } else if is_late {
            year.club.now + step
        } else {
            next.min(year.club.now + step)
        };
        if outage {
            year.club.desk.wake(year.club.now).expect("we are back");
        }
        year.club.round();
        year.club.desk.note_alive(year.club.now).expect("noted");
        year.read();
        let has_moved = outage || before.iter().any(|table| !is_regular(table));
        year.check_clock(&before, has_moved);
        year.wrote.clear();
        rounds += 1;
    }
    let turns: Vec<u16> = GAMES.into_iter().map(|id| year.club.table(id).state.turn()).collect();
    println!("{rounds} rounds, turns {turns:?}, {} reminders, {} of both games", year.reminders, year.together);
    assert!(turns.iter().all(|turn| *turn > 20), "{turns:?}");
    assert!(year.reminders > 100 && year.together > 0, "{} {}", year.reminders, year.together);
    assert!(GAMES.into_iter().all(|id| year.club.table(id).game.status == Status::Running));
}

/// Whether a cut-off is where its schedule puts them; after an outage it may be elsewhere.
fn is_regular(table: &Table) -> bool {
    let Some(cut_off) = table.game.hours.cut_off else { return true };
    let schedule = &table.agreed.schedule;
    let local = cut_off.with_timezone(&schedule.zone.0);
    (local.hour(), local.minute()) == (schedule.time.0.hour(), schedule.time.0.minute())
}

/// A carrier whose sign-in ends: first it warns, then it takes nothing.
struct Ending(Arc<dyn Carrier>, AtomicBool, AtomicBool);

impl Carrier for Ending {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn collect(&self, patience: std::time::Duration) -> Result<Vec<Received>, Trouble> {
        self.0.collect(patience)
    }

    fn keep(&self, marks: &[Mark]) -> Result<(), Trouble> {
        self.0.keep(marks)
    }

    fn warnings(&self) -> Vec<Warning> {
        let says = "the provider no longer takes our sign-in (invalid_grant)".to_owned();
        self.1.load(Ordering::Relaxed).then_some(Warning { cause: Cause::Renewal, says }).into_iter().collect()
    }

    fn send(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        if self.2.load(Ordering::Relaxed) {
            Err(Trouble::Barred("the SMTP server refuses the login: 535".to_owned()))
        } else {
            self.0.send(dispatch)
        }
    }
}

#[test]
fn a_sign_in_that_ends_is_told_at_once_and_costs_no_letter() {
    let mut club = Club::new();
    let ending = Arc::new(Ending(Arc::clone(&club.carriers[0]), AtomicBool::new(false), AtomicBool::new(false)));
    club.carriers = vec![Arc::clone(&ending) as Arc<dyn Carrier>];
    let mut mails = Vec::new();
    for id in ["one", "two"] {
        mails.push(club.begin(&game(id, &PEOPLE)));
    }
    ending.1.store(true, Ordering::Relaxed);
    let told = club.post();
    let told = to(&told, "Moderator");
    assert_eq!(told.len(), 1, "once, though two games are moderated");
    assert!(flat(told[0]).contains("invalid_grant") && flat(told[0]).contains("cursus sign-in"), "{}", told[0].text);
    assert!(club.post().is_empty(), "and not again");
    // Then nothing leaves for longer than any letter is tried: when somebody has signed in again, everything comes.
    ending.2.store(true, Ordering::Relaxed);
    club.reply(&last(&mails[0], "Minoa"), "status");
    for _ in 0..12 {
        club.wait(Duration::hours(20));
    }
    ending.1.store(false, Ordering::Relaxed);
    ending.2.store(false, Ordering::Relaxed);
    let mut answered = club.post();
    club.wait(Duration::minutes(20));
    answered.extend(club.post());
    let subjects: Vec<&str> = to(&answered, "Minoa").iter().map(|mail| mail.subject.as_str()).collect();
    assert!(subjects.iter().any(|subject| subject.contains("one, turn 1: your letter")), "{subjects:?}");
    let outbox = club.desk.archive.outbox_status(None).expect("counts");
    assert_eq!(outbox.waiting, 0, "and nothing waits any more");
    // Nobody signs in again for longer than anybody plays by letters: what is that old leaves no more, and is told.
    ending.2.store(true, Ordering::Relaxed);
    club.reply(&last(&mails[0], "Minoa"), "status");
    for _ in 0..32 {
        club.wait(Duration::days(1));
    }
    let outbox = club.desk.archive.outbox_status(None).expect("counts");
    assert!(outbox.dead > 0, "{outbox:?}");
    ending.2.store(false, Ordering::Relaxed);
    let mut late = club.post();
    club.wait(Duration::minutes(20));
    late.extend(club.post());
    let told = to(&late, "Moderator").into_iter().map(flat).any(|text| text.contains("was given up"));
    assert!(told, "{late:#?}");
}

/// A carrier that warns of whatever it is told to.
struct Telling(Arc<dyn Carrier>, Mutex<Vec<Warning>>);

impl Carrier for Telling {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn collect(&self, patience: std::time::Duration) -> Result<Vec<Received>, Trouble> {
        self.0.collect(patience)
    }

    fn keep(&self, marks: &[Mark]) -> Result<(), Trouble> {
        self.0.keep(marks)
    }

    fn warnings(&self) -> Vec<Warning> {
        self.1.lock().expect("nobody panicked").clone()
    }

    fn send(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        self.0.send(dispatch)
    }
}

#[test]
fn two_troubles_of_a_carrier_are_told_once_each_however_they_come_and_go() {
    let mut club = Club::new();
    let carrier = Arc::new(Telling(Arc::clone(&club.carriers[0]), Mutex::default()));
    club.carriers = vec![Arc::clone(&carrier) as Arc<dyn Carrier>];
    let mails = club.begin(&game("demo", &PEOPLE));
    let one = || Warning { cause: Cause::SecretIn, says: "the IMAP server refuses the login".to_owned() };
    let two = || Warning { cause: Cause::SecretOut, says: "the SMTP server refuses the login: 535".to_owned() };
    let again = || Warning { cause: Cause::SecretIn, says: "the IMAP server refuses the login otherwise".to_owned() };
    let mut told = Vec::new();
    let shown =
        [vec![one()], vec![one(), two()], vec![two()], vec![again(), two()], vec![], vec![one()], vec![two(), again()]];
    for warnings in shown {
        *carrier.1.lock().expect("nobody panicked") = warnings;
        told.extend(club.post());
        club.wait(Duration::minutes(10));
    }
    told.extend(club.post());
    let letters: Vec<String> =
        to(&told, "Moderator").into_iter().map(flat).filter(|text| text.contains("refuses the login")).collect();
    assert_eq!(letters.len(), 2, "{letters:#?}");
    assert!(
        letters.iter().all(|text| text.contains("cursus doctor") && !text.contains("cursus sign-in")),
        "{letters:#?}"
    );
    // Whoever asks is told what is wrong now and since when; a daemon that was restarted knows it as well.
    let since = club.now - Duration::minutes(70);
    for _ in 0..2 {
        club.reply(&last(&mails, "Moderator"), "status");
        let status = club.post();
        let status = flat(&last(&status, "Moderator"));
        assert!(status.contains("refuses the login otherwise (since "), "{status}");
        assert!(status.contains(&since.format("%H:%M").to_string()), "{since}: {status}");
        club.reopen();
    }
    // What comes back after days is another trouble.
    carrier.1.lock().expect("nobody panicked").clear();
    told = club.post();
    club.wait(Duration::days(2));
    carrier.1.lock().expect("nobody panicked").push(one());
    told.extend(club.post());
    told.extend(club.post());
    let anew = to(&told, "Moderator").into_iter().map(flat).filter(|text| text.contains("refuses the login")).count();
    assert_eq!(anew, 1);
}
