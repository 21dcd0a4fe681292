//! The quota of a provider: never more letters than it takes, answers first, nothing lost, and the moderator told once.

use chrono::{DateTime, Duration, Utc};
use cursus::desk::settings::game_file::{Seat, Sitter};
use cursus::desk::settings::mail::{Habits, Quota};
use cursus::rules::PrintedGame;

use super::club::{Club, Mail, address, flat, game, last, person, to};

fn habits(per_hour: Option<u32>, per_day: Option<u32>) -> Habits {
    Habits { quota: Quota { per_hour, per_day }, ..Habits::default() }
}

/// Lets time go by in steps, and notes when what has come left.
fn pass(club: &mut Club, time: Duration, step: Duration, come: &mut Vec<(DateTime<Utc>, Mail)>) {
    let until = club.now + time;
    while club.now < until {
        club.wait(step);
        let now = club.now;
        come.extend(club.fetch().into_iter().map(|mail| (now, mail)));
    }
}

/// The most letters within any such time.
fn most_within(come: &[(DateTime<Utc>, Mail)], window: Duration) -> usize {
    let within = |from: DateTime<Utc>| come.iter().filter(|(at, _)| *at >= from && *at < from + window).count();
    come.iter().map(|(at, _)| within(*at)).max().unwrap_or(0)
}

/// Who sits in a game for five.
fn names() -> Vec<String> {
    let printed = PrintedGame::built_in().expect("the built-in edition is sound");
    let scenario = printed.scenarios.iter().find(|scenario| scenario.players == 5).expect("a game for five");
    scenario.civilizations.iter().map(|civ| printed.civilizations[usize::from(civ.0)].name.clone()).collect()
}

#[test]
fn a_burst_waits_in_the_outbox_and_nothing_is_lost() {
    let mut club = Club::new();
    let names = names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    club.reopen_with(habits(Some(4), Some(30)));
    // Four games for all of them: twenty invitations at once.
    for id in ["a", "b", "c", "d"] {
        club.desk.create(&game(id, &names), [7; 32], club.now).expect("the game is created");
    }
    let mut come = Vec::new();
    club.round();
    let now = club.now;
    come.extend(club.fetch().into_iter().map(|mail| (now, mail)));
    assert_eq!(come.len(), 4, "no more than an hour's share");
    // Somebody answers while sixteen wait: the answer overtakes them all, though nobody forgets the quota at a restart.
    club.reply(&come[0].1.clone(), "when is the cut-off?");
    club.reopen_with(habits(Some(4), Some(30)));
    pass(&mut club, Duration::minutes(50), Duration::minutes(10), &mut come);
    assert_eq!(come.len(), 4, "the hour is not over");
    pass(&mut club, Duration::minutes(20), Duration::minutes(10), &mut come);
    assert_eq!(come.len(), 8);
    assert!(come[4..].iter().any(|(_, mail)| mail.to == come[0].1.to), "the answer is among the first");
    pass(&mut club, Duration::hours(12), Duration::minutes(10), &mut come);
    let waiting = club.desk.archive.outbox_status(None).expect("the archive answers").waiting;
    assert_eq!(waiting, 0, "all have left");
    assert!(come.len() > 20, "{}", come.len());
    for id in ["a", "b", "c", "d"] {
        for name in &names {
            let invited =
                come.iter().filter(|(_, mail)| mail.to == address(name) && mail.reply_to.contains(&format!("+{id}.")));
            assert!(invited.count() >= 1, "{name} has heard of {id}");
        }
    }
    assert!(most_within(&come, Duration::hours(1)) <= 4);
    assert!(most_within(&come, Duration::days(1)) <= 30);
}

#[test]
fn the_moderator_is_told_once_when_letters_leave_too_late() {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &["Minoa", "Hellas"]));
    club.reopen_with(habits(None, Some(1)));
    club.now += Duration::days(1) + Duration::minutes(1);
    // The reports of the next phase: one leaves, the others would leave when their cut-off is over.
    for name in ["Minoa", "Hellas"] {
        club.reply(&last(&mails, name), "ok");
    }
    let mut come = Vec::new();
    pass(&mut club, Duration::days(12), Duration::hours(1), &mut come);
    assert!(most_within(&come, Duration::days(1)) <= 1);
    let mails: Vec<Mail> = come.iter().map(|(_, mail)| mail.clone()).collect();
    let told: Vec<&Mail> = to(&mails, "Moderator")
        .into_iter()
        .filter(|mail| flat(mail).contains("takes no more letters for now"))
        .collect();
    assert!(!told.is_empty(), "the moderator hears of it");
    let mut ids: Vec<&str> = told.iter().map(|mail| mail.text.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), told.len(), "once of each cut-off");
}

#[test]
fn eighteen_players_are_written_to_within_the_quota() {
    let mut club = Club::new();
    let printed = PrintedGame::built_in().expect("the built-in edition is sound");
    let scenario = printed.scenarios.iter().find(|scenario| scenario.players == 18).expect("a game for eighteen");
    let names: Vec<&str> =
        scenario.civilizations.iter().map(|civ| printed.civilizations[usize::from(civ.0)].name.as_str()).collect();
    let mut file = game("all", &names);
    file.scenario = scenario.key.clone();
    let seat = file.seats[0].clone();
    file.seats = (scenario.civilizations.iter())
        .map(|civ| {
            let player = person(&printed.civilizations[usize::from(civ.0)].name);
            Seat { civ: *civ, sitter: Sitter::Player { player, deputy: None }, ..seat.clone() }
        })
        .collect();
    club.reopen_with(habits(Some(10), Some(60)));
    club.desk.create(&file, [7; 32], club.now).expect("the game is created");
    let mut come = Vec::new();
    pass(&mut club, Duration::hours(3), Duration::minutes(10), &mut come);
    for name in &names {
        assert_eq!(come.iter().filter(|(_, mail)| mail.to == address(name)).count(), 1, "{name} is invited once");
    }
    // All of them answer within a minute, and the game begins: thirty-six letters in one burst.
    let invitations: Vec<Mail> =
        come.iter().map(|(_, mail)| mail.clone()).filter(|mail| mail.to != address("Moderator")).collect();
    for invitation in &invitations {
        club.reply(invitation, "ok");
    }
    pass(&mut club, Duration::hours(30), Duration::minutes(10), &mut come);
    assert_eq!(club.desk.archive.outbox_status(None).expect("the archive answers").waiting, 0, "all have left");
    for name in &names {
        let begins = come.iter().filter(|(_, mail)| mail.to == address(name) && mail.text.contains("YOUR FORM"));
        assert!(begins.count() >= 1, "{name} has the form of the first phase");
    }
    assert!(come.len() >= 36, "{}", come.len());
    assert!(most_within(&come, Duration::hours(1)) <= 10, "never more than an hour's share");
    assert!(most_within(&come, Duration::days(1)) <= 60, "never more than a day's");
}
