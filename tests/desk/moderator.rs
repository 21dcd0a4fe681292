//! The moderator: every command is shown first, done when they name the phase or say `ok`, logged and announced.

use chrono::Duration;
use cursus::archive::{Moderation, Status};
use cursus::desk::settings::game_file::Sitter;
use cursus::desk::{Desk, Table};
use cursus::game::verify::verify;
use cursus::game::{Event, Owner, Phase, TurnPhase};
use cursus::rules::Language;

use super::club::{Club, Mail, address, civ, flat, game, last, seat, to};

const PEOPLE: [&str; 2] = ["Minoa", "Hellas"];

fn club() -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &PEOPLE));
    (club, mails)
}

fn log(club: &Club) -> Vec<Moderation> {
    club.desk.archive.moderations(&"demo".into()).expect("the archive answers")
}

/// A command by letter, and what came of it.
fn command(club: &mut Club, mails: &[Mail], text: &str) -> Vec<Mail> {
    club.reply(&last(mails, "Moderator"), text);
    club.post()
}

/// What the archive has of a game beside the moderator's log.
fn record(club: &mut Club) -> (String, usize, Option<chrono::DateTime<chrono::Utc>>, Status, u32) {
    let table = club.table("demo");
    let events = club.desk.archive.events(&"demo".into(), 1).expect("the archive answers").len();
    (table.state.hash(), events, table.game.hours.cut_off, table.game.status, table.game.era)
}

/// The record holds: every draw is what the seed gives, and the archive leads to where the table stands.
fn holds(club: &mut Club) -> Table {
    let table = club.table("demo");
    let events = club.desk.archive.events(&"demo".into(), 1).expect("the archive answers");
    let opening = table.opening().expect("it has an opening");
    assert_eq!(verify(opening, &events, &table.chance()).as_deref(), Ok(table.state.hash().as_str()));
    club.desk.forget(&"demo".into());
    let opened = club.table("demo");
    assert_eq!(opened.state.hash(), table.state.hash(), "the archive has the same game");
    assert_eq!(opened.sheets, table.sheets, "and the same sheets");
    assert_eq!((opened.ruled.steps, opened.ruled.last_event), (table.ruled.steps, table.ruled.last_event));
    table
}

/// Everybody who is awaited answers, for so many phases.
fn play(club: &mut Club, mut mails: Vec<Mail>, phases: usize) -> Vec<Mail> {
    for _ in 0..phases {
        let table = club.table("demo");
        for name in PEOPLE.into_iter().filter(|name| table.owing().contains(&civ(&table, name))) {
            let text = club.play("demo", name);
            club.reply(&last(&mails, name), &text);
        }
        let news = club.post();
        let old = mails.into_iter().filter(|mail| !news.iter().any(|new| new.to == mail.to)).collect::<Vec<_>>();
        mails = [old, news].concat();
    }
    mails
}

#[test]
fn every_command_is_shown_first_and_then_done() {
    let commands = [
        "deadline +24h",
        "deadline 2027-01-20 20:00",
        "process",
        "pause",
        "replace Minoa Anna Nowak <anna@player.example>",
        "deputy Minoa Anna Nowak <anna@player.example>",
        "edit Minoa: tax 2",
        "edit Minoa: treasury 3",
        "announce: the map is wrong in Crete",
        "eject Minoa",
    ];
    for text in commands {
        let (mut club, mails) = club();
        let before = record(&mut club);
        let shown = command(&mut club, &mails, text);
        assert_eq!(shown.len(), 1, "{text}: nobody else hears of it");
        assert!(flat(&shown[0]).contains("Nothing is done yet"), "{text}: {}", shown[0].text);
        assert_eq!(record(&mut club), before, "{text}: nothing has happened");
        assert!(log(&club).iter().all(|entry| !entry.done));
        // Another phase is not meant.
        let refused = command(&mut club, &mails, &format!("{text} for 2.trade"));
        if !text.starts_with("announce") {
            assert!(flat(&refused[0]).contains("meant for 2.trade"), "{text}: {}", refused[0].text);
            assert_eq!(record(&mut club), before);
        }
        // `ok` to the preview does it, once.
        club.reply(&shown[0], "ok");
        let mut done = club.post();
        let entry = log(&club).pop().expect("it is logged");
        assert!(entry.done, "{text}: {}", entry.outcome);
        assert_eq!(entry.command, text);
        done.extend(settled(&mut club));
        assert!(!to(&done, "Hellas").is_empty(), "{text}: it is announced");
        club.reply(&shown[0], "ok");
        club.post();
        assert!(!log(&club).pop().expect("it is logged").done, "{text}: a second `ok` does nothing");
        holds(&mut club);
    }
}

#[test]
fn a_command_that_names_the_phase_is_done_at_once() {
    let (mut club, mails) = club();
    let before = club.table("demo").game.hours.cut_off.expect("a cut-off");
    // A cut-off may come back to where it was, in one round too.
    for text in ["deadline +24h for 1.movement", "deadline -24h for 1.movement", "deadline +24h for 1.movement"] {
        club.reply(&last(&mails, "Moderator"), text);
    }
    let news = club.post();
    assert_eq!(log(&club).iter().filter(|entry| entry.done).count(), 3);
    assert_eq!(club.table("demo").game.hours.cut_off, Some(before + Duration::days(1)));
    assert_eq!(to(&news, "Minoa").len(), 3);
    for text in ["pause for 1.movement", "resume for 1.movement", "pause for 1.movement", "resume for 1.movement"] {
        club.reply(&last(&mails, "Moderator"), text);
    }
    let news = club.post();
    assert_eq!(log(&club).iter().filter(|entry| entry.done).count(), 7);
    assert_eq!(to(&news, "Hellas").len(), 4);
}

#[test]
fn a_player_commands_nothing() {
    let (mut club, mails) = club();
    let before = record(&mut club);
    club.reply(&last(&mails, "Minoa"), "process for 1.movement\npause for 1.movement\neject Hellas for 1.movement");
    club.send(&address("Minoa"), &last(&mails, "Moderator").reply_to, "I am the moderator", "process for 1.movement");
    let news = club.post();
    assert_eq!(record(&mut club), before);
    assert!(log(&club).is_empty());
    assert_eq!(to(&news, "Moderator").len(), 1, "the moderator is asked whether it was theirs");
    assert_eq!(to(&news, "Hellas").len(), 0);
}

#[test]
fn status_and_help_are_answered_and_slips_explained() {
    let (mut club, mails) = club();
    let status = flat(&command(&mut club, &mails, "status")[0]);
    assert!(status.contains("1.movement, running") && status.contains("Awaited: Minoa, Hellas"), "{status}");
    assert!(flat(&command(&mut club, &mails, "help")[0]).contains("rollback 1.movement"));
    assert!(flat(&command(&mut club, &mails, "Good morning")[0]).contains("rollback 1.movement"));
    assert!(flat(&command(&mut club, &mails, "paus")[0]).contains("did you mean `pause`"));
    assert!(flat(&command(&mut club, &mails, "deadline tomorrow")[0]).contains("deadline +24h"));
    assert!(flat(&command(&mut club, &mails, "eject Atlantis")[0]).contains("no civilization"));
    assert!(flat(&command(&mut club, &mails, "process for 1.tea")[0]).contains("no phase"));
}

#[test]
fn a_pause_gives_back_what_was_left() {
    let (mut club, mails) = club();
    let table = club.table("demo");
    let cut_off = table.game.hours.cut_off.expect("a cut-off");
    club.now = cut_off - Duration::hours(30);
    command(&mut club, &mails, "pause for 1.movement");
    club.now += Duration::days(10);
    assert!(club.post().is_empty(), "the clock stands still");
    assert_eq!(club.table("demo").phase(), TurnPhase::new(1, Phase::Movement));
    let told = command(&mut club, &mails, "resume for 1.movement");
    let table = club.table("demo");
    let later = table.game.hours.cut_off.expect("a cut-off");
    assert!(later - club.now >= Duration::hours(30) && later - club.now < Duration::hours(54), "{later}");
    assert_eq!(table.game.status, Status::Running);
    assert!(flat(&last(&told, "Minoa")).contains("The game goes on"));
    club.now = later + Duration::minutes(30);
    club.round();
    assert_ne!(club.table("demo").phase(), TurnPhase::new(1, Phase::Movement));
}

#[test]
fn before_the_game_begins_only_some_commands_make_sense() {
    let mut club = Club::new();
    club.desk.create(&game("demo", &PEOPLE), [7; 32], club.now).expect("the game is created");
    let mails = club.post();
    club.reply(&last(&mails, "Minoa"), "ok");
    club.post();
    for text in ["process", "pause", "deadline +24h", "edit Minoa: treasury 3", "eject Minoa", "rollback 1.movement"] {
        Desk::hand_in(&club.desk.archive, &"demo".into(), &format!("{text} for 1.tax"), club.now)
            .expect("it is handed in");
        club.round();
        let entry = log(&club).pop().expect("it is logged");
        assert!(!entry.done, "{text}: {}", entry.outcome);
    }
    assert!(club.desk.archive.events(&"demo".into(), 1).expect("the archive answers").is_empty());
    club.fetch();
    // A newcomer is invited like anybody else, and the game waits for them.
    Desk::hand_in(&club.desk.archive, &"demo".into(), "replace Hellas Anna <anna@player.example> for 1.tax", club.now)
        .expect("in");
    let told = club.post();
    assert_eq!(club.table("demo").game.status, Status::Inviting);
    club.reply(&last(&told, "Anna"), "ok");
    club.post();
    assert_eq!(club.table("demo").game.status, Status::Running);
}

#[test]
fn commands_from_the_door_are_as_good_as_letters() {
    let (mut club, _) = club();
    let hand_in = |club: &mut Club, text: &str| {
        Desk::hand_in(&club.desk.archive, &"demo".into(), text, club.now).expect("it is handed in");
        club.post()
    };
    let shown = hand_in(&mut club, "announce: tea is served");
    assert!(shown.is_empty(), "the answer is in the log");
    assert!(log(&club)[0].outcome.contains("Nothing is done yet"));
    let news = hand_in(&mut club, "announce for 1.movement: tea is served");
    assert!(log(&club)[1].done, "{}", log(&club)[1].outcome);
    assert_eq!(log(&club)[1].by, "door");
    assert!(flat(&last(&news, "Minoa")).contains("tea is served"), "{}", last(&news, "Minoa").text);
    // A game that is not there blocks nobody.
    Desk::hand_in(&club.desk.archive, &"none".into(), "status", club.now).expect("it is handed in");
    hand_in(&mut club, "status");
    assert!(log(&club)[2].done);
}

#[test]
fn edited_orders_are_filed_and_an_edited_position_holds() {
    let (mut club, mails) = club();
    command(&mut club, &mails, "edit Minoa for 1.movement: tax 2\nwait");
    assert!(log(&club)[0].done, "{}", log(&club)[0].outcome);
    let told = settled(&mut club);
    assert!(flat(&last(&told, "Minoa")).contains("tax 2"), "the player is told which lines");
    assert!(!flat(&last(&told, "Hellas")).contains("tax 2"), "the others are not");
    let table = club.table("demo");
    let minoa = civ(&table, "Minoa");
    assert!(!table.owing().contains(&minoa), "`wait` is an answer");
    command(&mut club, &mails, "edit Minoa: treasury 7 for 1.movement");
    let table = holds(&mut club);
    assert_eq!(table.state.holding(minoa).treasury, 7);
    let home = table.state.areas_of(Owner::Civ(minoa)).next().expect("the player stands somewhere");
    let area = table.state.printed().map.area(home).name.clone();
    command(&mut club, &mails, &format!("edit area {area}: 3 Minoa for 1.movement"));
    let table = holds(&mut club);
    assert_eq!(table.state.tokens(home, Owner::Civ(minoa)), 3);
    let refused = command(&mut club, &mails, &format!("edit area {area}: 3 Minoa for 1.movement"));
    assert!(flat(&refused[0]).contains("It is so already"), "{}", refused[0].text);
    let refused = command(&mut club, &mails, "edit Minoa for 1.movement: dear me");
    assert!(flat(&refused[0]).contains("“dear me” is no order"), "{}", refused[0].text);
}

/// What comes once no further edit is waited for.
fn settled(club: &mut Club) -> Vec<Mail> {
    club.wait(Duration::minutes(10));
    club.fetch()
}

/// Three edits in five minutes, a restart among them, are one letter; which lines are on a sheet only its player reads.
#[test]
fn a_burst_of_edits_is_one_letter() {
    let (mut club, mails) = club();
    let mut early = command(&mut club, &mails, "edit Minoa for 1.movement: tax 2");
    club.now += Duration::minutes(2);
    early.extend(command(&mut club, &mails, "edit Minoa: treasury 7 for 1.movement"));
    club.reopen();
    club.now += Duration::minutes(3);
    early.extend(command(&mut club, &mails, "edit Minoa for 1.movement: build no city"));
    assert_eq!(early.len(), 3, "only the moderator hears of each: {early:?}");
    assert!(early.iter().all(|mail| mail.to.contains("moderator")));
    club.wait(Duration::minutes(4));
    assert_eq!(club.fetch().len(), 0, "nine minutes behind the first nobody has been told");
    club.wait(Duration::minutes(1));
    let told = club.fetch();
    let [own] = to(&told, "Minoa")[..] else { panic!("one letter: {told:?}") };
    let bullets: Vec<&str> = own.text.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let expected = [
        "The moderator has put these lines on your sheet:",
        "tax 2",
        "build no city",
        "The moderator sets the board right. The treasury of Minoa is 7 instead of 0.",
    ];
    assert_eq!(bullets, expected, "{}", own.text);
    let [other] = to(&told, "Hellas")[..] else { panic!("one letter: {told:?}") };
    assert!(!flat(other).contains("tax 2") && !flat(other).contains("build no city"), "{}", other.text);
    assert_eq!(flat(other).matches("has put lines on the sheet of Minoa").count(), 1, "{}", other.text);
    assert!(flat(other).contains("The treasury of Minoa is 7"), "{}", other.text);
    club.wait(Duration::hours(1));
    assert_eq!(club.fetch().len(), 0, "it is told once");
    // The next burst is a letter of its own.
    command(&mut club, &mails, "edit Minoa: treasury 8 for 1.movement");
    assert_eq!(to(&settled(&mut club), "Hellas").len(), 1);
}

/// Whatever is ruled takes along what waits: nobody reads a report before they know what was changed for it.
#[test]
fn a_ruling_tells_what_was_edited_first() {
    let (mut club, mails) = club();
    command(&mut club, &mails, "edit Minoa: treasury 7 for 1.movement");
    let told = command(&mut club, &mails, "process for 1.movement");
    let hellas = to(&told, "Hellas");
    assert_eq!(hellas.len(), 2, "{hellas:?}");
    assert!(flat(hellas[0]).contains("The treasury of Minoa is 7"), "{}", hellas[0].text);
    assert!(hellas[1].text.contains("YOUR FORM"), "{}", hellas[1].text);
    assert!(settled(&mut club).iter().all(|mail| !flat(mail).contains("The treasury of Minoa")), "it is told once");
}

/// Lines of a sheet are its holder's: whoever gets the seat meanwhile is told of them, and whoever had it is not.
#[test]
fn who_is_replaced_reads_no_edits_of_the_seat() {
    let (mut club, mails) = club();
    command(&mut club, &mails, "edit Minoa for 1.movement: tax 2");
    let mut told = command(&mut club, &mails, "replace Minoa Anna <anna@player.example> for 1.movement");
    told.extend(settled(&mut club));
    assert!(to(&told, "Minoa").iter().all(|mail| !flat(mail).contains("tax 2")), "{:?}", to(&told, "Minoa"));
    assert!(to(&told, "Anna").iter().any(|mail| flat(mail).contains("these lines on your sheet: - tax 2")), "{told:?}");
}

/// An `ok` in any of its spellings, and a thumb, agree to a preview.
#[test]
fn every_yes_agrees_to_a_preview() {
    for yes in ["okej", "Okey!", "oke", "\u{1F44D}"] {
        let (mut club, mails) = club();
        let shown = command(&mut club, &mails, "pause");
        club.reply(&shown[0], yes);
        club.post();
        assert_eq!(club.table("demo").game.status, Status::Paused, "{yes}");
    }
}

#[test]
fn nobody_gets_two_seats() {
    let (mut club, mails) = club();
    for text in ["replace Hellas M <minoa@player.example>", "deputy Hellas M <minoa@player.example>"] {
        let refused = command(&mut club, &mails, &format!("{text} for 1.movement"));
        assert!(flat(&refused[0]).contains("two hands"), "{text}: {}", refused[0].text);
    }
    let table = club.table("demo");
    assert!(table.seat(seat(&table, "Hellas")).is_some_and(|seat| !seat.knows("minoa@player.example")));
}

#[test]
fn a_new_deputy_gets_the_form_of_an_absent_player() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Minoa"), "away until 20 January");
    club.post();
    let told = command(&mut club, &mails, "deputy Minoa Anna <anna@player.example> for 1.movement");
    let form = to(&told, "Anna").into_iter().find(|mail| mail.text.contains("YOUR FORM")).expect("a form").clone();
    club.reply(&form, "ok");
    club.post();
    let table = club.table("demo");
    assert!(!table.owing().contains(&civ(&table, "Minoa")));
    command(&mut club, &mails, "deputy Minoa none for 1.movement");
    club.reply(&form, "tax 2");
    let asked = club.post();
    assert!(to(&asked, "Anna").is_empty(), "she counts no longer");
}

#[test]
fn who_is_ejected_is_told_and_the_others_play_on() {
    let (mut club, mails) = club();
    let cut_off = club.table("demo").game.hours.cut_off;
    club.now += Duration::hours(20);
    let told = command(&mut club, &mails, "eject Minoa for 1.movement");
    assert!(log(&club)[0].done, "{}", log(&club)[0].outcome);
    assert!(flat(&last(&told, "Minoa")).contains("out of the game"), "{}", last(&told, "Minoa").text);
    assert!(!to(&told, "Hellas").is_empty());
    assert!(flat(&last(&told, "Hellas")).contains("Minoa leaves the game as soon as this phase is over"));
    let table = holds(&mut club);
    assert_eq!(table.game.hours.cut_off, cut_off, "the others have the time they had");
    assert_eq!(table.people().count(), 1);
    let minoa = civ(&table, "Minoa");
    assert!(table.state.is_seated(minoa), "the phase is finished first [RL.1]");
    assert!(!table.owing().contains(&minoa), "and nobody waits for them");
    club.reply(&last(&mails, "Minoa"), "status\nok");
    let answer = club.post();
    assert_eq!(answer.len(), 1);
    assert!(flat(&answer[0]).contains("no longer in this game"), "{}", answer[0].text);
    let mails = club.answer_all(&told, &["Hellas"], "ok");
    assert_eq!(club.table("demo").phase(), TurnPhase::new(2, Phase::Movement));
    assert!(to(&mails, "Minoa").is_empty());
    assert!(!holds(&mut club).state.is_seated(minoa));
}

/// RL.1: what they have filed is played in the phase that is open; only then do their tokens become barbarians.
#[test]
fn who_is_ejected_has_moved_before_he_goes() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Minoa"), "move 1 from Knossos to Phaistos");
    club.post();
    command(&mut club, &mails, "eject Minoa for 1.movement");
    let again = command(&mut club, &mails, "eject Minoa for 1.movement");
    let done: Vec<bool> = log(&club).iter().map(|command| command.done).collect();
    assert!(!again.is_empty());
    assert_eq!(done.iter().filter(|done| **done).count(), 1, "they leave once: {done:?}");
    club.reopen();
    let minoa = civ(&club.table("demo"), "Minoa");
    club.answer_all(&mails, &["Hellas"], "ok");
    let table = holds(&mut club);
    assert!(!table.state.is_seated(minoa));
    let events = club.desk.archive.events(&"demo".into(), 1).expect("the archive answers");
    let at = |wanted: fn(&Event) -> bool| events.iter().position(wanted).expect("it happened");
    let walked = at(|event| matches!(event, Event::TokensWalked { .. }));
    let left = at(|event| matches!(event, Event::PlayerLeft { .. }));
    let closed = at(|event| matches!(event, Event::PhaseClosed { phase: Phase::Movement, .. }));
    assert!(walked < closed && closed < left, "{walked} {closed} {left}");
}

#[test]
fn who_is_ejected_while_he_is_asked_holds_up_nobody() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Hellas"), "wait");
    club.reply(&last(&mails, "Minoa"), "ok");
    club.post();
    let table = club.table("demo");
    assert_eq!(table.state.progress().asked, Some(civ(&table, "Hellas")));
    let told = command(&mut club, &mails, "eject Hellas for 1.movement");
    assert!(log(&club)[0].done, "{}", log(&club)[0].outcome);
    club.wait(Duration::minutes(1));
    let told = [told, club.fetch()].concat();
    let table = holds(&mut club);
    assert_eq!(table.phase(), TurnPhase::new(2, Phase::Movement));
    assert_eq!(table.owing(), [civ(&table, "Minoa")]);
    assert!(!to(&told, "Minoa").is_empty());
}

#[test]
fn a_rollback_within_the_turn_keeps_the_orders() {
    let (mut club, mails) = club();
    let first = last(&mails, "Minoa");
    let moderator = mails.clone();
    let mails = play(&mut club, mails, 1);
    assert_eq!(club.table("demo").phase(), TurnPhase::new(2, Phase::Movement));
    let before = club.table("demo");
    let events = before.ruled.last_event;
    let draws = *before.state.draws();
    club.reply(&last(&mails, "Minoa"), "always tax 2");
    club.post();
    let told = command(&mut club, &moderator, "rollback 1.movement because the map was wrong for 2.movement");
    assert!(log(&club)[0].done, "{}", log(&club)[0].outcome);
    let table = holds(&mut club);
    let minoa = civ(&table, "Minoa");
    assert_eq!(table.phase(), TurnPhase::new(1, Phase::Movement));
    assert_eq!(table.game.era, 1);
    assert_eq!(*table.state.draws(), draws, "chance is not turned back");
    assert_eq!(table.ruled.last_event, events + 1, "nothing is deleted");
    let rulings = club.desk.archive.rulings(&"demo".into()).expect("the archive answers");
    assert!(rulings.iter().any(|ruling| ruling.voided), "what was taken back is void");
    assert!(!table.sheet(minoa).standing().is_empty(), "a standing order stands");
    assert!(table.owing().contains(&minoa), "whoever had ended may write again");
    let letter = last(&told, "Minoa");
    assert!(flat(&letter).contains("the map was wrong"), "{}", letter.text);
    assert!(letter.text.contains("YOUR FORM"), "{}", letter.text);
    assert!(!mails.iter().any(|mail| mail.message_id == letter.message_id));
    // The letters of the era that did not happen are old.
    club.reply(&first, "ok");
    let answer = last(&club.post(), "Minoa");
    assert!(flat(&answer).contains("has been ruled since"), "{}", answer.text);
    let table = club.table("demo");
    assert!(table.owing().contains(&minoa));
    // The game is played on, through the phases that were played before.
    let mails = play(&mut club, told, 4);
    let table = holds(&mut club);
    assert!(table.phase() >= TurnPhase::new(3, Phase::Movement), "{:?}", table.phase());
    assert!(!mails.is_empty());
    club.reopen();
    holds(&mut club);
}

#[test]
fn a_rollback_goes_back_turns_and_even_twice() {
    let (mut club, mails) = club();
    let moderator = mails.clone();
    let mails = play(&mut club, mails, 5);
    let was = club.table("demo").phase();
    let was = was.to_string();
    let told = command(&mut club, &moderator, &format!("rollback 2.movement for {was}"));
    assert!(log(&club)[0].done, "{}", log(&club)[0].outcome);
    assert_eq!(holds(&mut club).phase(), TurnPhase::new(2, Phase::Movement));
    let mails2 = play(&mut club, told, 3);
    let was = club.table("demo").phase();
    let was = was.to_string();
    // A phase that waits for nobody is ruled again by itself.
    command(&mut club, &moderator, &format!("rollback 3.tax for {was}"));
    assert!(log(&club)[1].done, "{}", log(&club)[1].outcome);
    let table = holds(&mut club);
    assert_eq!(table.game.era, 2);
    assert_eq!(table.phase().turn, 3);
    club.wait(Duration::minutes(1));
    let mails3 = club.fetch();
    let table = holds(&mut club);
    assert_eq!(table.phase(), TurnPhase::new(3, Phase::Movement));
    let all = [mails2, mails3].concat();
    play(&mut club, all, 3);
    holds(&mut club);
    let events = club.desk.archive.events(&"demo".into(), 1).expect("the archive answers");
    assert_eq!(events.iter().filter(|event| matches!(event, Event::RolledBack { .. })).count(), 2);
    assert!(!mails.is_empty());
    // What never was cannot come back.
    let TurnPhase { turn, phase } = club.table("demo").phase();
    let refused = command(&mut club, &moderator, &format!("rollback 99.movement for {turn}.{}", phase.name()));
    assert!(flat(&last(&refused, "Moderator")).contains("nothing to take back"));
}

#[test]
fn everybody_is_written_to_in_his_own_language() {
    let mut club = Club::new();
    let mut file = game("demo", &PEOPLE);
    file.moderator.language = Language::Polish;
    for taken in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut taken.sitter {
            player.language = Language::Polish;
        }
    }
    let mut mails = club.begin(&file);
    let moderator = mails.clone();
    let minoa = last(&mails, "Minoa");
    for text in ["przedłuż 24h", "nieobecność do 20 stycznia", "wracam", "wracam", "powiedz wszystkim: witajcie"] {
        club.reply(&minoa, text);
        mails.extend(club.post());
    }
    let commands = [
        "help",
        "status",
        "deadline +24h for 1.movement",
        "deadline +24h",
        "pause for 1.movement",
        "resume for 1.movement",
        "deputy Minoia Anna <anna@player.example> for 1.movement",
        "edit Minoia for 1.movement: podatek 2",
        "announce for 1.movement: herbata",
        "process for 1.movement",
        "rollback 1.movement for 2.movement",
        "edit Minoia: treasury 3 for 1.movement",
        "replace Hellada Ben <ben@player.example> for 1.movement",
        "eject Minoia for 1.movement",
        "process for 9.trade",
    ];
    for text in commands {
        mails.extend(command(&mut club, &moderator, text));
    }
    let refused: Vec<_> = log(&club).into_iter().filter(|entry| !entry.done).map(|entry| entry.command).collect();
    assert_eq!(refused, ["deadline +24h", "process for 9.trade"]);
    for mail in &mails {
        let text = flat(mail);
        let english = ["ut-off", "The moderator", "You ", "Nothing", "Awaited", "game is"];
        let found = english.into_iter().find(|word| text.contains(word));
        assert_eq!(found, None, "{}\n{}", mail.subject, mail.text);
        assert!(!text.contains("{{") && !text.contains("{%"), "{}", mail.text);
    }
}

#[test]
fn a_paused_game_that_goes_back_stays_paused() {
    let (mut club, mails) = club();
    let moderator = mails.clone();
    play(&mut club, mails, 1);
    command(&mut club, &moderator, "pause for 2.movement");
    command(&mut club, &moderator, "rollback 1.movement for 2.movement");
    let table = holds(&mut club);
    assert_eq!((table.game.status, table.phase()), (Status::Paused, TurnPhase::new(1, Phase::Movement)));
    club.wait(Duration::days(20));
    assert_eq!(club.table("demo").phase(), TurnPhase::new(1, Phase::Movement));
    let told = command(&mut club, &moderator, "resume for 1.movement");
    club.reply(&last(&told, "Minoa"), "ok");
    let form = last(&club.post(), "Minoa");
    club.reply(&form, "ok");
    club.post();
    let table = club.table("demo");
    assert!(!table.owing().contains(&civ(&table, "Minoa")), "the letter of the resumed game can be answered");
}
