//! The desk, proved on the spool with a clock that is set by hand: who is believed, what an answer does, when a phase is
//! ruled, what the moderator may do, and a whole game from invitation to final score.

#[path = "desk/answers.rs"]
pub mod answers;
#[path = "desk/aside.rs"]
mod aside;
#[path = "desk/asking.rs"]
mod asking;
#[path = "desk/board.rs"]
mod board;
#[path = "desk/clock.rs"]
mod clock;
#[path = "desk/club.rs"]
pub mod club;
#[path = "desk/copies.rs"]
mod copies;
#[path = "desk/door.rs"]
mod door;
#[path = "desk/ending.rs"]
mod ending;
#[path = "desk/examples.rs"]
mod examples;
#[path = "desk/flooded.rs"]
mod flooded;
#[path = "desk/forum.rs"]
pub mod forum;
#[path = "desk/hurried.rs"]
mod hurried;
#[path = "desk/identity.rs"]
mod identity;
#[path = "desk/ids.rs"]
mod ids;
#[path = "desk/inviting.rs"]
mod inviting;
#[path = "desk/market.rs"]
mod market;
#[path = "desk/moderator.rs"]
mod moderator;
#[path = "desk/open_games.rs"]
mod open_games;
#[path = "desk/other_words.rs"]
mod other_words;
#[path = "desk/own.rs"]
mod own;
#[path = "desk/pages.rs"]
mod pages;
#[path = "desk/people.rs"]
mod people;
#[path = "desk/play.rs"]
mod play;
#[path = "desk/questions.rs"]
mod questions;
#[path = "desk/quota.rs"]
mod quota;
#[path = "desk/replies.rs"]
mod replies;
#[path = "desk/sign_up.rs"]
mod sign_up;
#[path = "desk/silent.rs"]
mod silent;
#[path = "desk/standing_in.rs"]
mod standing_in;
#[path = "desk/stopping.rs"]
mod stopping;
#[path = "desk/taps.rs"]
mod taps;
#[path = "desk/votes.rs"]
mod votes;
#[path = "desk/ways.rs"]
mod ways;
#[path = "desk/year.rs"]
mod year;

use club::{Club, game};
use cursus::archive::Status;
use cursus::game::Phase;

#[test]
fn a_game_begins_when_everybody_has_accepted() {
    let mut club = Club::new();
    club.desk.create(&game("demo", &["Minoa", "Hellas"]), [7; 32], club.now).expect("the game is created");
    club.round();
    let invitations = club.fetch();
    assert_eq!(invitations.len(), 2, "one for each player");
    club.reply(&invitations[0], "ok");
    club.round();
    assert_eq!(club.table("demo").game.status, Status::Inviting);
    club.reply(&invitations[1], "Ok, I am in!");
    club.round();
    let table = club.table("demo");
    assert_eq!(table.game.status, Status::Running);
    assert_eq!(table.state.phase(), Phase::Movement);
    assert_eq!(table.owing().len(), 2);
}
