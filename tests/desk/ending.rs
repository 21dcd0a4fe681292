//! A short game, and an end that a group has agreed on: told from the invitation on, and kept.

use chrono::Duration;
use cursus::archive::Status;
use cursus::desk::DeskError;
use cursus::desk::settings::game_file::GameFile;
use cursus::desk::table::ending::Ending;
use cursus::game::Event;
use cursus::game::scoring::scores;
use cursus::game::verify::verify;
use cursus::rules::Language;

use super::club::{Club, Mail, flat, game, last, to};

const MOST_ROUNDS: usize = 200;

/// Everybody answers `ok` until the game has ended; all letters that came.
fn play(club: &mut Club, mut mails: Vec<Mail>) -> Vec<Mail> {
    for _ in 0..MOST_ROUNDS {
        if club.table("demo").game.status == Status::Ended {
            break;
        }
        let letter = last(&mails, "Minoa");
        let text = club.play("demo", "Minoa");
        club.reply(&letter, &text);
        mails.extend(club.post());
    }
    assert_eq!(club.table("demo").game.status, Status::Ended);
    mails
}

#[test]
fn a_short_game_with_a_last_turn_is_told_from_the_invitation_on_and_scored() {
    let mut club = Club::new();
    let file = GameFile { short: true, ends_after: Some(Ending::Turn(2)), ..game("demo", &["Minoa"]) };
    club.desk.create(&file, [7; 32], club.now).expect("the game is created");
    let invitation = last(&club.post(), "Minoa");
    assert!(flat(&invitation).contains("It is a short game"), "{}", invitation.text);
    assert!(flat(&invitation).contains("It ends after turn 2 at the latest"), "{}", invitation.text);
    club.reply(&invitation, "ok");
    let mails = club.post();
    let welcome = last(&mails, "Minoa");
    let text = flat(&welcome);
    assert!(text.contains("This is a short game. Turn 2 is the last"), "{}", welcome.text);
    assert!(text.contains("Minoa: ") && text.contains("Conquering the Seas (Naval Warfare"), "{}", welcome.text);
    assert_eq!(club.table("demo").state.holdings().iter().map(|holding| holding.position).collect::<Vec<_>>(), [10; 5]);
    let mails = play(&mut club, mails);
    let reports: Vec<_> =
        to(&mails, "Minoa").into_iter().filter(|mail| mail.text.contains("ALL CIVILIZATIONS")).collect();
    assert!(reports.len() > 4, "{}", reports.len());
    for report in &reports {
        let text = flat(report);
        let is_told = text.contains("Turn 2 is the last") || text.contains("This is the last turn");
        assert!(is_told || text.contains("The game is over"), "{}", report.text);
    }
    let table = club.table("demo");
    assert_eq!(table.state.turn(), 2);
    assert_eq!(table.state.scores(), Some(&scores(&table.state)[..]), "by the printed table");
    let events = club.desk.archive.events(&"demo".into(), 1).expect("the archive answers");
    assert!(matches!(events.last(), Some(Event::GameEnded { .. })));
    let hash = verify(table.opening().expect("an opening"), &events, &table.chance());
    assert_eq!(hash.as_deref(), Ok(table.state.hash().as_str()));
}

#[test]
fn the_turn_that_is_played_when_the_agreed_day_is_over_is_the_last() {
    let mut club = Club::new();
    let day = "2027-01-05".parse().expect("a day");
    let mut file = GameFile { ends_after: Some(day), ..game("demo", &["Minoa"]) };
    if let Some(cursus::desk::settings::game_file::Sitter::Player { player, .. }) =
        file.seats.iter_mut().map(|seat| &mut seat.sitter).next()
    {
        player.language = Language::Polish;
    }
    let mails = club.begin(&file);
    let welcome = last(&mails, "Minoa");
    assert!(flat(&welcome).contains("z upływem dnia 5 stycznia 2027"), "{}", welcome.text);
    // On the day itself turns go on; a turn later than the first is begun.
    let mut mails = mails;
    while club.table("demo").state.turn() < 3 {
        let letter = last(&mails, "Minoa");
        club.reply(&letter, "ok");
        mails.extend(club.post());
        assert_eq!(club.table("demo").state.last_turn(), None);
    }
    club.now += Duration::days(2);
    club.reopen();
    let letter = last(&mails, "Minoa");
    club.reply(&letter, "ok");
    let news = club.post();
    assert_eq!(club.table("demo").state.last_turn(), Some(3));
    // Nobody has cards yet, so that the whole turn is ruled at once.
    assert!(flat(&last(&news, "Minoa")).contains("Tura 3 będzie ostatnia"), "{}", last(&news, "Minoa").text);
    assert_eq!(club.table("demo").game.status, Status::Ended);
    assert_eq!(club.table("demo").state.turn(), 3);
}

#[test]
fn a_day_that_is_over_ends_no_game() {
    let mut club = Club::new();
    let file = GameFile { ends_after: Some("2026-06-30".parse().expect("a day")), ..game("demo", &["Minoa"]) };
    let refused = club.desk.create(&file, [7; 32], club.now);
    assert!(matches!(refused, Err(DeskError::EndHasPassed(day)) if day == "2026-06-30"));
    assert!(club.desk.archive.game(&"demo".into()).expect("the archive answers").is_none());
}
