//! Games that end before their end: withdrawn before they begin, abandoned by the moderator or by a vote.

use chrono::Duration;
use cursus::archive::{Stage, Status, Stopped};
use cursus::desk::Desk;
use cursus::desk::settings::game_file::GameFile;
use cursus::desk::table::voting::{Majority, VoteRules};
use cursus::game::verify::verify;
use cursus::rules::Language;

use super::club::{Club, Mail, flat, game, last, to};
use super::open_games;

const PEOPLE: [&str; 2] = ["Minoa", "Hellas"];

fn stopped(club: &mut Club) -> Option<Stopped> {
    let game = club.table("demo").game;
    assert_eq!(game.status == Status::Ended, game.stopped.is_some());
    game.stopped
}

fn door(club: &mut Club, command: &str) -> String {
    Desk::hand_in(&club.desk.archive, &"demo".into(), command, club.now).expect("handed in");
    club.round();
    club.desk.archive.moderations(&"demo".into()).expect("a log").last().expect("an entry").outcome.clone()
}

/// Weeks later nobody has heard of the game again, and the clock has nothing to do for it.
fn is_quiet(club: &mut Club) {
    club.fetch();
    club.reopen();
    for _ in 0..30 {
        club.wait(Duration::days(1));
        let mails = club.fetch();
        assert!(mails.is_empty(), "{mails:?}");
    }
    assert_eq!(club.desk.next_stroke(), None);
}

#[test]
fn a_game_that_has_not_begun_is_withdrawn_by_its_moderators_letter() {
    let mut club = Club::new();
    club.desk.create(&game("demo", &PEOPLE), [7; 32], club.now).expect("the game is created");
    let invitations = club.post();
    club.reply(&last(&invitations, "Minoa"), "ok");
    club.post();
    // It is shown first.
    let shown = door(&mut club, "withdraw because Hellas is ill, and waits for spring");
    assert!(shown.contains("Nothing is done yet") && shown.contains("Minoa, Hellas"), "{shown}");
    assert_eq!(stopped(&mut club), None);
    assert!(club.fetch().is_empty(), "nobody is told of what was only shown");
    let done = door(&mut club, "ok");
    assert!(done.contains("The game demo is withdrawn"), "{done}");
    let reason = Some("Hellas is ill, and waits for spring".to_owned());
    assert_eq!(stopped(&mut club), Some(Stopped::Withdrawn { reason: reason.clone() }));
    let told = club.fetch();
    for name in PEOPLE {
        let letter = flat(&last(&told, name));
        assert!(letter.contains("is withdrawn") && letter.contains("waits for spring"), "{letter}");
    }
    // Whoever takes the seat now is told so, and the game does not begin.
    club.reply(&last(&invitations, "Hellas"), "ok");
    let answer = club.post();
    assert!(flat(&last(&answer, "Hellas")).contains("is withdrawn"), "{answer:?}");
    assert!(flat(&last(&answer, "Hellas")).contains("nothing of your letter was done"));
    assert_eq!(club.table("demo").ruled.last_event, 0);
    let again = door(&mut club, "pause for 1.movement");
    assert!(again.contains("is withdrawn") || again.contains("meant for"), "{again}");
    let taken = club.desk.create(&game("demo", &PEOPLE), [8; 32], club.now).expect_err("the name is taken").to_string();
    assert!(taken.contains("there is a game `demo` already"), "{taken}");
    is_quiet(&mut club);
}

#[test]
fn a_game_that_runs_is_not_withdrawn_and_one_that_gathers_is_not_abandoned() {
    let mut club = Club::new();
    club.begin(&game("demo", &PEOPLE));
    assert!(door(&mut club, "withdraw for 1.movement").contains("`abandon because …`"));
    assert_eq!(stopped(&mut club), None);
    let mut club = Club::new();
    club.desk.create(&game("demo", &PEOPLE), [7; 32], club.now).expect("the game is created");
    assert!(door(&mut club, "abandon").contains("`withdraw because …`"));
}

#[test]
fn a_moderator_abandons_a_running_game_in_either_language() {
    for language in Language::ALL {
        let mut file = game("demo", &PEOPLE);
        file.moderator.language = language;
        let mut club = Club::new();
        let mails = club.begin(&file);
        let (command, told_so) = match language {
            Language::English => ("abandon because we have no time for it", "is abandoned: the game ends here"),
            Language::Polish => ("porzuć grę, bo nie mamy na nią czasu", "gra została porzucona. Kończy się"),
        };
        club.reply(&last(&mails, "Moderator"), command);
        let shown = club.post();
        assert_eq!(shown.len(), 1, "only shown: {shown:?}");
        assert!(flat(&shown[0]).contains(told_so), "{}", shown[0].text);
        assert_eq!(stopped(&mut club), None);
        // What the preview says to write does it.
        let line = shown[0].text.split("write: ").nth(1).or(shown[0].text.split("napisz: ").nth(1));
        let line = line.expect("a line").lines().take(2).collect::<Vec<_>>().join(" ");
        club.reply(&last(&mails, "Moderator"), line.split("\n\n").next().expect("a line").trim());
        let told = club.post();
        let Some(Stopped::Abandoned { reason: Some(reason), voted: false }) = stopped(&mut club) else {
            panic!("{told:?}")
        };
        assert!(reason.contains("time for it") || reason.contains("czasu"), "{reason}");
        for name in PEOPLE {
            let letter = flat(&last(&told, name));
            assert!(letter.contains("without a winner and without scores") && letter.contains(&reason), "{letter}");
        }
        let table = club.table("demo");
        assert!(table.state.scores().is_none() && !table.state.has_ended() && table.game.hours.cut_off.is_none());
        // The record holds.
        let events = club.desk.archive.events(&"demo".into(), 1).expect("the record");
        let hash = verify(table.opening().expect("an opening"), &events, &table.chance()).expect("it holds");
        assert_eq!(hash, table.state.hash());
        // An order that comes now is answered, and not read.
        club.reply(&last(&mails, "Minoa"), "always tax 2\nok");
        let answer = flat(&last(&club.post(), "Minoa"));
        assert!(answer.contains("is abandoned") && !answer.contains("YOUR SHEET"), "{answer}");
        for refused in ["resume for 1.movement", "rollback 1.movement for 1.movement", "process for 1.movement"] {
            assert_eq!(stopped(&mut club).map(|stopped| stopped.name()), Some("abandoned"));
            let said = door(&mut club, refused);
            assert!(said.contains("abandoned") || said.contains("porzucona"), "{said}");
        }
        assert!(door(&mut club, "status").contains("1.movement") || language == Language::Polish);
        is_quiet(&mut club);
    }
}

#[test]
fn what_waits_when_a_game_is_abandoned_is_not_asked_any_more() {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &PEOPLE));
    club.reply(&last(&mails, "Minoa"), "propose pause");
    club.post();
    // A reminder is due in the very round in which the game is abandoned.
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    club.now = cut_off - Duration::hours(12);
    Desk::hand_in(&club.desk.archive, &"demo".into(), "abandon for 1.movement", club.now).expect("handed in");
    let told = club.post();
    for name in PEOPLE {
        let letters: Vec<String> = to(&told, name).into_iter().map(flat).collect();
        assert_eq!(letters.len(), 1, "one letter: {letters:?}");
        assert!(letters[0].contains("is abandoned"), "{letters:?}");
    }
    is_quiet(&mut club);
}

fn says(club: &mut Club, mails: &[Mail], name: &str, text: &str) -> Vec<Mail> {
    club.reply(&last(mails, name), text);
    club.post()
}

#[test]
fn players_abandon_a_game_by_vote_and_only_as_their_rules_say() {
    let people = ["Minoa", "Hellas", "Egypt"];
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &people));
    let told = says(&mut club, &mails, "Minoa", "propose abandon");
    assert!(flat(&last(&told, "Hellas")).contains("to abandon the game: it ends now, without a winner"), "{told:?}");
    says(&mut club, &mails, "Hellas", "vote yes");
    assert_eq!(stopped(&mut club), None, "all three have to agree");
    let told = says(&mut club, &mails, "Egypt", "głosuję tak");
    assert_eq!(stopped(&mut club), Some(Stopped::Abandoned { reason: None, voted: true }));
    for name in ["Minoa", "Hellas", "Egypt", "Moderator"] {
        let letters: Vec<String> = to(&told, name).into_iter().map(flat).collect();
        let said = letters.iter().filter(|text| text.contains("by a vote of its players")).count();
        assert_eq!(said, 1, "{letters:?}");
    }
    is_quiet(&mut club);
    // One no keeps it going; and a group may have ruled it out.
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &people));
    says(&mut club, &mails, "Minoa", "proponuję porzucenie");
    says(&mut club, &mails, "Hellas", "vote no");
    says(&mut club, &mails, "Egypt", "vote yes");
    assert_eq!(stopped(&mut club), None);
    let votes = VoteRules { abandon: Majority::Off, ..VoteRules::default() };
    let mut club = Club::new();
    let mails = club.begin(&GameFile { votes, ..game("demo", &people) });
    let told = says(&mut club, &mails, "Minoa", "propose abandon");
    assert!(flat(&last(&told, "Minoa")).contains("cannot be proposed"), "{told:?}");
}

#[test]
fn a_host_withdraws_an_open_game_and_its_name_is_free_again() {
    let mut club = open_games::house("muster = \"1day\"");
    open_games::joins(&mut club, "Ann", "join winter");
    let asked = open_games::joins(&mut club, "Ben", "join winter");
    let old = to(&asked, "Ann").into_iter().find(|mail| flat(mail).contains("Are you there?")).expect("asked").clone();
    open_games::joins(&mut club, "Cleo", "join winter");
    assert_eq!(open_games::stage(&club), Stage::Mustering);
    // Somebody else cannot.
    assert!(flat(&last(&open_games::writes(&mut club, "Ben", "withdraw winter"), "Ben")).contains("Only the host"));
    Desk::hand_in(&club.desk.archive, &"winter".into(), "wycofaj bo za mało nas", club.now).expect("handed in");
    let told = club.post();
    assert_eq!(open_games::stage(&club), Stage::Withdrawn);
    for name in ["Ann", "Ben", "Cleo"] {
        let letter = flat(&last(&told, name));
        assert!(letter.contains("has withdrawn Winter around the sea") && letter.contains("za mało nas"), "{letter}");
    }
    // An answer to an old letter, and whoever joins or leaves now, is told so.
    club.reply(&old, "ok");
    assert!(flat(&last(&club.post(), "Ann")).contains("was withdrawn by its host"));
    for line in ["join winter", "leave winter", "standby winter"] {
        let told = open_games::writes(&mut club, "Ben", line);
        assert!(flat(&last(&told, "Ben")).contains("was withdrawn by its host"), "{line}: {told:?}");
    }
    club.fetch();
    club.now += Duration::days(3);
    assert!(club.post().is_empty(), "nobody is mustered for it");
    assert_eq!(club.desk.next_stroke(), None);
    // Another game takes the name, with a seed of its own, and nobody of the old one is in it.
    let printed = cursus::rules::PrintedGame::built_in().expect("the edition");
    let text = open_games::file("winter", "");
    let file = cursus::desk::settings::game_file::OpenGame::read("w.toml", &text, &printed, &club.desk.house.settings);
    club.desk.open_game(&file.expect("it is right"), &text, [9; 32], club.now).expect("the name is free");
    let again = club.desk.gathering(&"winter".into()).expect("it answers").expect("it gathers");
    assert_eq!((again.record.seed, again.meeting.gathered.members.len()), ([9; 32], 0));
    assert!(flat(&last(&open_games::writes(&mut club, "Ann", "join winter"), "Ann")).contains("You are in"));
}
