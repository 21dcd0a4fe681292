//! Whoever misses a cut-off is told what was done, and how to come back; nobody else is told of it.

use chrono::Duration;
use cursus::game::{Phase, TurnPhase};

use super::club::{Club, flat, game, last, to};

#[test]
fn whoever_misses_a_cut_off_is_told_what_was_done_and_how_to_come_back() {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &["Minoa", "Hellas", "Egypt"]));
    let answer = club.play("demo", "Minoa");
    club.reply(&last(&mails, "Minoa"), &answer);
    club.reply(&last(&mails, "Egypt"), "away until 1 March");
    club.post();
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    club.wait(cut_off - club.now + Duration::hours(2));
    assert_ne!(club.table("demo").phase(), TurnPhase::new(1, Phase::Movement), "it is ruled without them");
    let told = club.fetch();
    let own = |name: &str| {
        let letters = to(&told, name).into_iter().map(flat);
        letters.filter(|text| text.contains("No answer of yours came")).collect::<Vec<_>>()
    };
    let letters = own("Hellas");
    assert_eq!(letters.len(), 1, "one letter");
    assert!(letters[0].contains("1.movement") && letters[0].contains("You are awaited as before"), "{}", letters[0]);
    assert!(own("Minoa").is_empty(), "Minoa has written");
    assert!(own("Egypt").is_empty(), "Egypt has said so before");
    assert!(own("Moderator").is_empty());
}
