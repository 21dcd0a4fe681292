//! What a player may ask at any time, and what is answered.

use super::club::{Club, flat, game, last};

#[test]
fn questions_may_have_their_mark() {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &["Minoa", "Hellas"]));
    for (asked, says) in [
        ("Status?", "Awaited: Minoa, Hellas. Cut-off:"),
        ("Stan?", "Awaited: Minoa, Hellas. Cut-off:"),
        ("status", "Awaited: Minoa, Hellas. Cut-off:"),
        ("what can I do?", "move 3 from"),
        ("offers", "There are no offers now"),
        ("oferty?", "There are no offers now"),
        ("Knossos?", "could come with one movement"),
        ("area Knossos", "could come with one movement"),
        ("obszar Knossos", "limit"),
        ("prices", "Pottery: "),
        ("ceny", "credits: "),
        ("rules pottery", "printed cost"),
        ("rules A", "Cloth Making, "),
        ("rules C", "Tempest, "),
        ("rules G", "G.1 Every civilization"),
        ("rules L", "RL.1"),
        ("rules m", "M Playing by mail"),
    ] {
        club.reply(&last(&mails, "Minoa"), asked);
        let answer = flat(&last(&club.post(), "Minoa"));
        assert!(answer.contains("ANSWER") && answer.contains(says), "{asked}: {answer}");
    }
    club.reply(&last(&mails, "Moderator"), "pause for 1.movement");
    club.post();
    club.reply(&last(&mails, "Minoa"), "status");
    assert!(flat(&last(&club.post(), "Minoa")).contains("The game is paused: the clock stands still"));
    club.reply(&last(&mails, "Minoa"), "try\nalways tax 3");
    let trial = last(&club.post(), "Minoa");
    assert!(flat(&trial).contains("`tax 3` would not be allowed as you stand now"), "{}", trial.text);
    assert!(!trial.subject.contains("filed"), "{}", trial.subject);
}
