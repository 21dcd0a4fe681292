//! A flooded game beside a quiet one: whose turn it is, what is not written down, and that nothing is lost on the way.

use std::collections::BTreeSet;
use std::fs;

use chrono::Duration;
use cursus::archive::{Deed, DispatchKind, NewDispatch, Party, SeatId, Status};
use cursus::post::Dispatch;

use super::club::{Club, address, flat, game, last, to};

/// A letter of ours in a game.
fn dispatch(club: &Club, game: &str, number: u32) -> NewDispatch {
    let about = format!("{game}-{number}");
    NewDispatch {
        dispatch: Dispatch {
            message_id: format!("{about}@cursus"),
            date: club.now,
            to: address("Moderator"),
            reply_to: None,
            in_reply_to: None,
            references: Vec::new(),
            subject: "x".into(),
            text: "y".into(),
            html: None,
            picture: None,
            data: None,
            list: None,
        },
        secret: about.clone(),
        about,
        of: Some(SeatId::new(game, Party::Moderator)),
        kind: DispatchKind::Report,
        cut_off: None,
        asks: None,
        carrier: "spool".to_owned(),
        told_elsewhere: false,
        writer: None,
        words: None,
        offered: Vec::new(),
    }
}

#[test]
fn letters_leave_in_turns_of_their_games() {
    let mut club = Club::new();
    for id in ["flooded", "torrent", "quiet"] {
        club.begin(&game(id, &["Minoa"]));
    }
    let dispatches = |game, count| (0..count).map(|number| dispatch(&club, game, number)).collect();
    for (game, count) in [("flooded", 40), ("torrent", 40), ("quiet", 1)] {
        let deed = Deed { dispatches: dispatches(game, count), ..Deed::default() };
        club.desk.archive.commit(&deed).expect("they are written");
    }
    // However few leave at a time, and however much older those of the others are.
    let mut left = BTreeSet::new();
    let mut sequence = Vec::new();
    for _ in 0..4 {
        let leaving = club.desk.outgoing("spool", &left, 1, club.now).expect("the archive answers");
        let id = leaving[0].dispatch.message_id.clone();
        // As a carrier that is quick: it has left before the next is asked for.
        club.desk.archive.mark_sent(&[&id], club.now).expect("it has left");
        left.clear();
        sequence.push(id.split('-').next().unwrap_or_default().to_owned());
    }
    assert_eq!(sequence[..3].iter().collect::<BTreeSet<_>>().len(), 3, "{sequence:?}");
}

#[test]
fn the_clock_of_a_quiet_game_does_not_wait_for_letters_of_another() {
    let mut club = Club::new();
    let mails = club.begin(&game("flooded", &["Minoa", "Egypt"]));
    club.begin(&game("quiet", &["Minoa", "Egypt"]));
    club.reply(&last(&mails, "Minoa"), "hand");
    let letters = club.carriers[0].collect(std::time::Duration::ZERO).expect("a letter");
    club.desk.remember("spool", &letters, club.now).expect("it is remembered");
    let phase = |club: &mut Club, id: &str| club.table(id).phase();
    let before = (phase(&mut club, "flooded"), phase(&mut club, "quiet"));
    let cut_offs = ["flooded", "quiet"].map(|id| club.table(id).game.hours.cut_off.expect("a cut-off"));
    club.now = cut_offs[0].max(cut_offs[1]) + Duration::days(1);
    club.desk.strike_beside_letters(club.now).expect("the clock strikes");
    assert_eq!(phase(&mut club, "flooded"), before.0, "a letter that came in time is read first");
    assert_ne!(phase(&mut club, "quiet"), before.1, "nothing of its own waits");
    club.round();
    assert_ne!(phase(&mut club, "flooded"), before.0);
}

#[test]
fn more_games_than_tables_are_played_in_turn_and_nothing_is_lost() {
    let mut club = Club::new();
    club.desk.keep_tables(2);
    let games = ["one", "two", "three", "four"];
    let begun: Vec<_> = games.iter().map(|id| club.begin(&game(id, &["Minoa", "Egypt"]))).collect();
    for round in 0..3 {
        for mails in &begun {
            club.reply(&last(mails, "Minoa"), &format!("tell Egypt: hello {round}\nalways reduce Knossos"));
        }
        let answered = club.post();
        assert_eq!(to(&answered, "Minoa").len(), games.len(), "round {round}");
        assert!(club.desk.open_tables() <= 2);
    }
    for id in games {
        let table = club.table(id);
        let minoa = super::club::civ(&table, "Minoa");
        assert_eq!(table.sheet(minoa).standing().len(), 3, "{id} has what three letters said");
        club.desk.forget(&id.into());
        assert_eq!(club.table(id).sheet(minoa), table.sheet(minoa), "{id} is as the archive has it");
    }
    // Whoever is used stays: the others are opened and cleared around it.
    club.table("one");
    for id in ["two", "three", "four"] {
        club.table(id);
        club.table("one");
    }
    assert_eq!(club.desk.open_tables(), 2);
}

#[test]
fn a_players_large_letter_is_kept_whole_and_a_strangers_is_not() {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &["Minoa"]));
    let mail = last(&mails, "Minoa");
    let file = format!("--x\r\nContent-Type: image/png\r\n\r\n{}\r\n--x--\r\n", "y".repeat(400_000));
    let raw = |from: &str, to: &str, more: &str| {
        format!(
            "{more}From: <{from}>\r\nTo: <{to}>\r\nSubject: a photo\r\nMessage-ID: <{from}{to}@b>\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nhand\r\n{file}"
        )
    };
    let own = "cursus@example.org";
    club.put(raw(&mail.to, &mail.reply_to, "").as_bytes());
    club.put(raw(&mail.to, own, "").as_bytes());
    club.put(raw("stranger@evil.example", own, "").as_bytes());
    club.put(raw("machine@evil.example", own, "Auto-Submitted: auto-replied\r\n").as_bytes());
    let letters = club.carriers[0].collect(std::time::Duration::ZERO).expect("letters");
    club.desk.remember("spool", &letters, club.now).expect("they are remembered");
    let waiting = club.desk.archive.waiting(9).expect("letters");
    let mut cut: Vec<_> = waiting
        .iter()
        .map(|letter| club.desk.archive.letter(letter.id).expect("the archive answers").expect("it is there"))
        .map(|letter| (letter.id, letter.is_cut(), letter.size > 400_000))
        .collect();
    cut.sort();
    let cut: Vec<_> = cut.into_iter().map(|(_, is_cut, is_large)| (is_cut, is_large)).collect();
    // The second is asked about, for it was sent to no address of ours that has a secret.
    assert_eq!(cut, [(false, true), (false, true), (true, true), (true, true)]);
    let answered = club.post();
    assert_eq!(to(&answered, "Minoa").len(), 2, "one answer and one question");
    let counts = club.desk.archive.letter_counts().expect("counts");
    let count = |fate: &str| counts.iter().find(|(name, _)| name == fate).map_or(0, |(_, count)| *count);
    assert_eq!((count("parked"), count("aside"), count("waiting")), (1, 1, 0), "{counts:?}");
    assert!(to(&answered, "Moderator").is_empty(), "nobody is told of strangers");
}

#[test]
fn the_moderator_is_told_of_letters_that_are_lost_for_good() {
    let mut club = Club::new();
    club.begin(&game("demo", &["Minoa"]));
    club.round();
    let mark = club.folder.join("cursus.sqlite.mark");
    let text = fs::read_to_string(&mark).expect("a mark");
    let mut says: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    says["letters"] = (says["letters"].as_i64().expect("a number") + 3).into();
    fs::write(&mark, says.to_string()).expect("it is written");
    club.reopen();
    let told = club.post();
    assert!(flat(&last(&told, "Moderator")).contains("3 letters that had come are missing"), "{told:?}");
    assert_eq!(club.table("demo").game.status, Status::Running);
    assert!(club.post().is_empty(), "once");
}
