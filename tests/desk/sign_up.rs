//! A thread of a forum where people sign up for open games, on the board in memory.

use std::sync::Arc;

use chrono::Duration;
use cursus::archive::Status;
use cursus::desk::settings::ClubSettings;
use cursus::post::Carrier;

use super::board::Board;
use super::club::Club;
use super::open_games::{file, open};
use super::{forum, open_games};

const USERS: [&str; 3] = ["Ariadne", "Ramses", "Latecomer"];

/// A house whose forum has such a thread, and an open game that is played in that forum.
fn house(closed: bool) -> (Club, Arc<Board>, String) {
    let mut club = Club::new();
    let board = Board::open("club", &USERS);
    board.set_clock(club.now);
    let thread = board.thread("Who plays this winter?");
    let mut settings = forum::both(&club);
    settings.club =
        ClubSettings { open: !closed, thread: Some(("club".to_owned(), thread.clone())), ..ClubSettings::default() };
    club.desk = open_games::seated(&club, settings);
    club.carriers.push(Arc::clone(&board) as Arc<dyn Carrier>);
    let text = file("winter", "civilizations = \"chosen\"").replace("[open]", "[forum]\ncarrier = \"club\"\n[open]");
    open(&mut club, &text);
    round(&mut club, &board);
    (club, board, thread)
}

fn round(club: &mut Club, board: &Board) {
    board.set_clock(club.now);
    club.round();
    club.round();
}

/// What we have posted in a thread last.
fn latest(board: &Board, thread: &str) -> String {
    board.ours(thread).last().cloned().unwrap_or_default()
}

#[test]
fn people_sign_up_in_a_thread_muster_in_private_and_play() {
    let (mut club, board, thread) = house(false);
    board.post("Ariadne", &thread, "Hello everybody, who would like to play this winter?");
    round(&mut club, &board);
    assert!(board.ours(&thread).is_empty(), "people talk among themselves");
    board.post("Ariadne", &thread, "games");
    round(&mut club, &board);
    assert!(latest(&board, &thread).contains("2 of 2 seats free"), "{}", latest(&board, &thread));
    board.post("Ariadne", &thread, "join winter as Egypt");
    round(&mut club, &board);
    let told = latest(&board, &thread);
    assert!(told.contains("Ariadne") && told.contains("You are in"), "{told}");
    board.post("Ramses", &thread, "join winter as Egypt");
    round(&mut club, &board);
    assert!(latest(&board, &thread).contains("is taken"), "{}", latest(&board, &thread));
    board.post("Ramses", &thread, "dołącz winter jako Minoa");
    round(&mut club, &board);
    // Everybody is asked in private, where nobody else reads the answer.
    for name in ["Ariadne", "Ramses"] {
        let private = board.private(name);
        let asked = latest(&board, &private);
        assert!(asked.contains("Are you there?") || asked.contains("Jesteś?"), "{name}: {asked}");
        board.post(name, &private, "ok");
    }
    board.post("Latecomer", &thread, "join winter");
    round(&mut club, &board);
    assert_eq!(club.table("winter").game.status, Status::Running);
    let table = club.table("winter");
    for (civ, name) in [("Egypt", "Ariadne"), ("Minoa", "Ramses")] {
        let seat = table.seat(super::club::seat(&table, civ)).expect("a seat");
        assert_eq!((seat.player.as_str(), seat.accepted), (name, true));
        assert!(seat.addresses.iter().all(|address| address.address.starts_with("user:")), "known by the forum's id");
    }
    // Their first letters come in private, and the private thread is one.
    assert!(board.private_threads("Ariadne") <= 2, "{}", board.private_threads("Ariadne"));
}

#[test]
fn a_thread_to_sign_up_works_where_strangers_by_mail_are_not_answered() {
    let (mut club, board, thread) = house(true);
    board.post("Latecomer", &thread, "join winter");
    round(&mut club, &board);
    assert!(latest(&board, &thread).contains("You are in"), "{}", latest(&board, &thread));
    // In private a stranger is none of our business.
    let private = board.message("Ramses", "games");
    round(&mut club, &board);
    assert!(board.ours(&private).is_empty());
    // What was written long ago is nobody's wish.
    board.post("Ramses", &thread, "join winter");
    club.now += Duration::days(3);
    club.round();
    club.round();
    let gathering = club.desk.gathering(&"winter".into()).expect("it answers").expect("it gathers");
    assert_eq!(gathering.meeting.gathered.members.len(), 1);
}

/// An open game that has the name of one that is over does not take what was said of that one.
#[test]
fn what_was_posted_before_a_game_was_opened_joins_nobody() {
    let (mut club, board, thread) = house(false);
    let members = |club: &Club| {
        let gathering = club.desk.gathering(&"winter".into()).expect("it answers").expect("it gathers");
        gathering.meeting.gathered.members.len()
    };
    board.set_clock(club.now - Duration::hours(2));
    board.post("Latecomer", &thread, "join winter");
    board.post("Ariadne", &thread, "join winter as Egypt");
    round(&mut club, &board);
    assert_eq!(members(&club), 0);
    board.post("Ariadne", &thread, "join winter as Egypt");
    round(&mut club, &board);
    assert_eq!(members(&club), 1);
}
