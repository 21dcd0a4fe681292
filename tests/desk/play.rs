//! A game on the spool from invitation to final score: two people and three built-in players.

use cursus::archive::Status;
use cursus::game::verify::verify;
use cursus::game::{Event, Phase, TurnPhase};

use super::club::{Club, Mail, civ, flat, game, last, to};

const PEOPLE: [&str; 2] = ["Minoa", "Hellas"];
/// A whole game is a year of letters; this many rounds are more than any game takes.
const MOST_ROUNDS: usize = 3000;

#[test]
fn a_game_is_played_from_invitation_to_final_score() {
    let mut club = Club::new();
    let mut mails = club.begin(&game("demo", &PEOPLE));
    for _ in 0..MOST_ROUNDS {
        let table = club.table("demo");
        if table.game.status == Status::Ended {
            break;
        }
        let owing: Vec<_> = PEOPLE.into_iter().filter(|name| table.owing().contains(&civ(&table, name))).collect();
        assert!(!owing.is_empty(), "somebody is awaited in {:?}", table.phase());
        for name in owing {
            let text = club.play("demo", name);
            club.reply(&last(&mails, name), &text);
        }
        let news = club.post();
        assert_ne!(club.table("demo").phase(), TurnPhase::new(0, Phase::Tax));
        mails.retain(|mail: &Mail| !news.iter().any(|new| new.to == mail.to));
        mails.extend(news);
    }
    let table = club.table("demo");
    assert_eq!(table.game.status, Status::Ended);
    let events = club.desk.archive.events(&"demo".into(), 1).expect("the archive answers");
    assert!(matches!(events.last(), Some(Event::GameEnded { .. })));
    let hash = verify(table.opening().expect("an opening"), &events, &table.chance());
    assert_eq!(hash.as_deref(), Ok(table.state.hash().as_str()));
    let seed: String = table.game.seed.iter().map(|byte| format!("{byte:02x}")).collect();
    for name in ["Minoa", "Hellas", "Moderator"] {
        let end = to(&mails, name).pop().expect("a last letter");
        let text = flat(end);
        for score in table.state.scores().expect("scores") {
            assert!(text.contains(&score.total().to_string()), "{}", end.text);
        }
        assert!(text.contains(&seed), "the seed is told:\n{}", end.text);
    }
    assert_eq!(table.game.hours.cut_off, None);
    // Whoever writes afterwards is answered, and nothing happens.
    let letter = last(&mails, "Minoa");
    club.reply(&letter, "ok\nstatus\ntell all: thank you");
    let news = club.post();
    assert!(flat(&last(&news, "Hellas")).contains("thank you"));
    assert!(!to(&news, "Minoa").is_empty());
    assert_eq!(club.desk.archive.events(&"demo".into(), 1).expect("the archive answers").len(), events.len());
    assert_eq!(club.desk.next_stroke(), None);
}
