//! The archive: what must happen once is unique in its schema, a full or closed file stops ruling cleanly, files of others
//! stay untouched, and a game can be carried from one archive to another.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::desk::club::{Club, Mail, game};
use chrono::{DateTime, Duration, Utc};
use cursus::archive::{
    Archive, ArchiveError, Deed, DispatchKind, Durability, Exported, Fate, LetterStatus, NewDispatch, NewLetter,
    NewRuling, Reason, Rulings, Status,
};
use cursus::desk::serving::is_archive_closed;
use cursus::desk::{DeskError, Table};
use cursus::game::verify::verify;
use cursus::game::{Event, Known, Phase, Reader, State, TurnPhase, replay};
use cursus::post::{Dispatch, Form, Mark, Received};
use sqlx::{AssertSqlSafe, Connection, Row, SqliteConnection};

fn archive(folder: &Path) -> Archive {
    Archive::open(&folder.join("cursus.sqlite"), Durability::None).expect("the archive opens")
}

fn now() -> DateTime<Utc> {
    "2027-01-04T09:00:00Z".parse().expect("a time")
}

/// What a statement of SQL does to a file, beside the archive.
fn tamper(path: &Path, words: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).create_if_missing(true);
        let mut connection = SqliteConnection::connect_with(&options).await.expect("the file opens");
        sqlx::raw_sql(AssertSqlSafe(words.to_owned())).execute(&mut connection).await.expect("it is done");
        connection.close().await.expect("it closes");
    });
}

/// The text that a query finds.
fn found(path: &Path, query: &str) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).read_only(true);
        let mut connection = SqliteConnection::connect_with(&options).await.expect("the file opens");
        let row = sqlx::query(AssertSqlSafe(query.to_owned())).fetch_one(&mut connection).await.expect("a row");
        connection.close().await.expect("it closes");
        row.get(0)
    })
}

#[test]
fn a_letter_is_remembered_once_whatever_its_id() {
    let club = Club::new();
    let letter = |id: &str, body: &str, hop: &str| Received {
        mark: Mark("any".into()),
        arrived: now(),
        raw: format!("Received: from {hop}\r\n{id}From: <a@b.example>\r\nSubject: x\r\n\r\n{body}\r\n").into_bytes(),
    };
    let one = "Message-ID: <1@b.example>\r\n";
    let new = |letters: &[Received]| club.desk.remember("spool", letters, now()).expect("they are remembered");
    assert_eq!(new(&[letter(one, "ok", "here")]), 1);
    assert_eq!(new(&[letter(one, "ok", "here")]), 0, "the same letter");
    assert_eq!(new(&[letter(one, "ok", "there")]), 0, "the same letter, by another way");
    assert_eq!(new(&[letter("Message-ID: <2@b.example>\r\n", "ok", "here")]), 1, "another letter of the same words");
    assert_eq!(new(&[letter(one, "done", "here")]), 1, "other words, by a sender who repeats an id");
    assert_eq!(new(&[letter("", "ok", "here")]), 1, "a letter without an id");
    assert_eq!(new(&[letter("", "ok", "here")]), 0, "and once more");
    assert_eq!(new(&[letter("", "ok", "there")]), 1, "somebody else's, for all of it counts");
    assert_eq!(new(&[letter("", "done", "here")]), 1, "another without an id");
    let twice = [letter("", "wait", "here"), letter("", "wait", "here")];
    assert_eq!(new(&twice), 1, "both at once");
    let elsewhere = club.desk.remember("mailbox", &[letter(one, "ok", "here")], now()).expect("it is remembered");
    assert_eq!(elsewhere, 1, "another carrier's ids are its own");
    assert_eq!(club.desk.archive.letter_counts().expect("counts"), [("waiting".to_owned(), 8)]);
}

#[test]
fn a_letter_is_settled_once() {
    let temporary = tempfile::tempdir().expect("a folder");
    let archive = archive(temporary.path());
    let letter = NewLetter {
        carrier: "spool",
        form: Form::Mail,
        message_id: "1@b",
        hash: "",
        arrived: now(),
        queue: "",
        raw: b"From: <a@b>",
        size: 11,
    };
    archive.remember(&[letter], now()).expect("it is remembered");
    let id = archive.waiting(10).expect("letters")[0].id;
    let status = LetterStatus { id, fate: Fate::Handled, sender: "a@b".into(), of: None, remark: None, proof: None };
    let deed = Deed { letters: vec![status], ..Deed::default() };
    archive.commit(&deed).expect("it is settled");
    archive.commit(&deed).expect_err("it was settled before");
}

#[test]
fn of_every_line_the_first_letters_are_found_however_many_wait_in_others() {
    let temporary = tempfile::tempdir().expect("a folder");
    let archive = archive(temporary.path());
    let ids: Vec<String> = (0..60).map(|number| format!("{number}@b")).collect();
    let letter = |number: usize, queue| NewLetter {
        carrier: "spool",
        form: Form::Mail,
        message_id: &ids[number],
        hash: "",
        arrived: now() + Duration::seconds(number as i64),
        queue,
        raw: b"From: <a@b>",
        size: 11,
    };
    let queues = |number: usize| if number == 59 { "quiet" } else { ["flooded", ""][number % 2] };
    let letters: Vec<_> = (0..60).map(|number| letter(number, queues(number))).collect();
    archive.remember(&letters, now()).expect("they are remembered");
    let waiting = archive.waiting(2).expect("letters");
    let waiting: Vec<_> = waiting.iter().map(|letter| (letter.queue.as_str(), letter.place, letter.id.0)).collect();
    assert_eq!(waiting, [("flooded", 1, 1), ("", 1, 2), ("quiet", 1, 60), ("flooded", 2, 3), ("", 2, 4)]);
    let has = |game: &str, seconds| {
        archive.has_waiting(&game.into(), now() + Duration::seconds(seconds)).expect("the archive answers")
    };
    // What proves no game may be anybody's.
    assert!(has("flooded", 0) && !has("quiet", 0) && has("quiet", 1) && !has("quiet", -1));
}

#[test]
fn many_may_open_a_new_archive_at_the_same_instant() {
    let temporary = tempfile::tempdir().expect("a folder");
    let path = temporary.path().join("cursus.sqlite");
    let (together, path) = (std::sync::Barrier::new(6), &path);
    std::thread::scope(|scope| {
        let open = || {
            together.wait();
            Archive::open(path, Durability::Full).map(|archive| archive.schema().expect("its schema"))
        };
        let opened: Vec<_> = (0..6).map(|_| scope.spawn(open)).collect();
        for one in opened {
            one.join().expect("it ends").expect("it opens");
        }
    });
}

/// A ruling of the club's game that says nothing new.
fn ruling(table: &Table, step: u32) -> NewRuling {
    let TurnPhase { turn, phase } = table.phase();
    NewRuling {
        turn,
        phase,
        step,
        ruled_at: now(),
        reason: Reason::Moderator,
        events: vec![Event::LastTurnAnnounced { turn: 9 }],
        first_event: table.ruled.last_event + 1,
        snapshot: None,
    }
}

#[test]
fn a_ruling_is_made_once_for_each_era_turn_phase_and_step() {
    let mut club = running("demo");
    let table = club.table("demo");
    let step = table.ruled.steps + 1;
    let deed = |record: cursus::archive::GameRecord, ruling: NewRuling| Deed {
        game: Some(record),
        rulings: Rulings { new: vec![ruling], ..Rulings::default() },
        ..Deed::default()
    };
    let archive = &club.desk.archive;
    archive.commit(&deed(table.game.clone(), ruling(&table, step))).expect("it is ruled");
    let (rulings, events) =
        (archive.rulings(&"demo".into()).expect("rulings"), archive.events(&"demo".into(), 1).expect("events"));
    let again = NewRuling { first_event: table.ruled.last_event + 2, ..ruling(&table, step) };
    let refused = archive.commit(&deed(table.game.clone(), again.clone())).expect_err("it was ruled before");
    assert!(matches!(refused, ArchiveError::Twice(_)), "{refused}");
    // Nothing of the second one stays, not even what came before it in the same deed.
    let also = Deed {
        rulings: Rulings {
            new: vec![NewRuling { step: step + 1, ..again.clone() }, again.clone()],
            ..Rulings::default()
        },
        ..Deed::default()
    };
    archive.commit(&Deed { game: Some(table.game.clone()), ..also }).expect_err("the second was ruled before");
    assert_eq!(archive.rulings(&"demo".into()).expect("rulings"), rulings);
    assert_eq!(archive.events(&"demo".into(), 1).expect("events"), events);
    // An event has its number once, too.
    let taken = NewRuling { first_event: table.ruled.last_event + 1, step: step + 1, ..again.clone() };
    let refused = archive.commit(&deed(table.game.clone(), taken)).expect_err("the number is taken");
    assert!(matches!(refused, ArchiveError::Twice(_)), "{refused}");
    // After a rollback the same step may be ruled again.
    let later = cursus::archive::GameRecord { era: 1, ..table.game.clone() };
    archive.commit(&deed(later, again)).expect("another era");
}

fn dispatch(message_id: &str, secret: &str) -> NewDispatch {
    NewDispatch {
        dispatch: Dispatch {
            message_id: message_id.into(),
            date: now(),
            to: "a@b.example".into(),
            reply_to: None,
            in_reply_to: None,
            references: Vec::new(),
            subject: "x".into(),
            text: "y".into(),
            html: None,
            picture: Some(Arc::new(vec![1, 2, 3])),
            data: None,
            list: None,
        },
        about: message_id.split('@').next().unwrap_or_default().into(),
        secret: secret.into(),
        of: None,
        kind: DispatchKind::Report,
        cut_off: None,
        asks: None,
        carrier: "spool".into(),
        told_elsewhere: false,
        offered: Vec::new(),
        writer: None,
        words: None,
    }
}

#[test]
fn a_dispatch_is_written_once() {
    let temporary = tempfile::tempdir().expect("a folder");
    let archive = archive(temporary.path());
    let deed = |dispatches: Vec<NewDispatch>| Deed { dispatches, ..Deed::default() };
    archive.commit(&deed(vec![dispatch("1@cursus", "s1")])).expect("it is written");
    for (message_id, secret) in [("1@cursus", "s2"), ("2@cursus", "s1")] {
        let refused = archive.commit(&deed(vec![dispatch("3@cursus", "s3"), dispatch(message_id, secret)]));
        assert!(matches!(refused, Err(ArchiveError::Twice(_))));
    }
    let due = archive.due("spool", now(), 10).expect("dispatches");
    assert_eq!(due.iter().map(|due| due.message_id.as_str()).collect::<Vec<_>>(), ["1@cursus"]);
    let waiting = archive.outgoing("1@cursus").expect("the archive answers").expect("it waits");
    assert_eq!((waiting.dispatch.text.as_str(), waiting.dispatch.picture.as_deref()), ("y", Some(&vec![1, 2, 3])));
    archive.mark_sent(&["1@cursus"], now()).expect("it has left");
    assert!(archive.due("spool", now(), 10).expect("dispatches").is_empty());
}

#[test]
fn gathered_deeds_happen_together_or_not_at_all() {
    let temporary = tempfile::tempdir().expect("a folder");
    let archive = archive(temporary.path());
    let deed = |id: &str, secret: &str| Deed { dispatches: vec![dispatch(id, secret)], ..Deed::default() };
    let count = || archive.outbox_status(None).expect("counts").waiting;
    archive.gather().expect("deeds are gathered");
    archive.commit(&deed("1@cursus", "s1")).expect("it is gathered");
    archive.commit(&deed("1@cursus", "s2")).expect_err("it was written before");
    archive.commit(&deed("2@cursus", "s2")).expect("one that fails does not hurt the others");
    assert_eq!(count(), 2);
    archive.drop_gathered();
    assert_eq!(count(), 0);
    archive.gather().expect("deeds are gathered");
    archive.commit(&deed("1@cursus", "s1")).expect("it is gathered");
    archive.write_gathered().expect("it is written");
    archive.drop_gathered();
    archive.commit(&deed("2@cursus", "s2")).expect("and alone again");
    assert_eq!(count(), 2);
}

/// A club whose game runs, with Minoa and Hellas awaited.
fn running(id: &str) -> Club {
    let mut club = Club::new();
    // Letters of different clubs are different letters.
    club.now += Duration::minutes(id.len() as i64);
    club.desk.create(&game(id, &["Minoa", "Hellas"]), [7; 32], club.now).expect("the game is created");
    club.round();
    for mail in club.fetch() {
        club.reply(&mail, "ok");
    }
    club.round();
    assert_eq!(club.table(id).game.status, Status::Running);
    club
}

/// Everybody answers everything with `ok`, for so many phases.
fn play_on(club: &mut Club, id: &str, phases: usize) {
    for _ in 0..phases {
        club.wait(Duration::hours(1));
        for civ in club.table(id).owing() {
            answer(club, id, civ);
        }
        club.round();
    }
}

/// Somebody answers the last letter that asks them, as the outbox has it.
fn answer(club: &mut Club, id: &str, civ: cursus::rules::Civ) {
    let table = club.table(id);
    let seat = table.seat(cursus::archive::Party::Seat(civ)).expect("a seat");
    let TurnPhase { turn, phase } = table.phase();
    let name = seat.player.to_lowercase();
    let about = format!("{id}.{turn}.{}.{}.{name}.", phase.name(), table.ruled.steps + 1);
    let kinds = ["report", "decision", "welcome", "board", "rollback"].map(|kind| format!("'{about}{kind}'"));
    let asked = format!("select reply_to from outbox where about in ({}) order by id", kinds.join(", "));
    let to = found(club.desk.archive.path(), &asked);
    let orders = cursus::companions::letter(
        &cursus::report::View::of(&Known::of(&table.state, Reader::Player(civ))),
        cursus::companions::Temperament::Merchant,
    );
    let last = if phase == Phase::Trade { "done" } else { "ok" };
    club.send(&format!("{name}@player.example"), &to, "Re: x", &format!("{orders}\n{last}"));
}

#[test]
fn a_game_opened_from_its_snapshot_is_the_game_replayed_from_the_first_event() {
    let mut club = running("demo");
    let mut snapshots = 0;
    for _ in 0..12 {
        play_on(&mut club, "demo", 1);
        let table = club.table("demo");
        let events = club.desk.archive.events(&"demo".into(), 1).expect("events");
        let replayed = replay(&State::new(table.opening().expect("an opening")), &events);
        let opened = Table::open(&club.desk.archive, &club.desk.house, &"demo".into()).expect("it opens");
        assert_eq!(opened.state.hash(), replayed.hash());
        assert_eq!(opened.state, table.state);
        assert_eq!(opened.sheets, table.sheets);
        assert_eq!((opened.ruled.last_event, opened.ruled.steps), (table.ruled.last_event, table.ruled.steps));
        assert_eq!((&opened.game, &opened.seats), (&table.game, &table.seats));
        // A look into the past begins at the turn, and reads nothing of the others.
        for turn in 2..=table.state.turn() {
            let (state, from) = table.state_before(&club.desk.archive, turn).expect("it opens");
            let before = replay(&State::new(table.opening().expect("an opening")), &events[..from as usize - 1]);
            assert_eq!((state.turn(), state.hash()), (turn, before.hash()));
            let read = club.desk.archive.events_until(&"demo".into(), from, turn).expect("events");
            let behind = table.state_before(&club.desk.archive, turn + 1).expect("it opens").1;
            let last = if turn == table.state.turn() { events.len() as u64 + 1 } else { behind };
            assert_eq!(read.iter().map(|(number, _)| *number).collect::<Vec<_>>(), (from..last).collect::<Vec<_>>());
        }
        if let Some(snapshot) = club.desk.archive.snapshot(&"demo".into()).expect("the archive answers") {
            let thawed = State::thaw(table.edition.printed.clone(), &snapshot.state).expect("it is a state");
            assert_eq!(thawed.hash(), snapshot.hash);
            snapshots += 1;
        }
    }
    assert!(snapshots > 5, "turns have ended");
    assert!(club.table("demo").state.turn() > 2);
}

/// Everything that stands in the tables of an archive but times.
fn all(archive: &Archive, id: &str) -> (String, Vec<String>, Vec<(String, u64)>) {
    let rulings = archive.rulings(&id.into()).expect("rulings");
    let rulings = rulings.iter().map(|r| format!("{}.{}.{}.{} {}", r.era, r.turn, r.phase.name(), r.step, r.reason));
    let events = serde_json::to_string(&archive.events(&id.into(), 1).expect("events")).expect("text");
    (events, rulings.collect(), archive.letter_counts().expect("counts"))
}

#[test]
fn a_full_disk_stops_ruling_cleanly_and_nothing_is_lost() {
    let (mut ample, mut scarce) = (running("demo"), running("demo"));
    let mut full = 0;
    for _ in 0..5 {
        for club in [&mut ample, &mut scarce] {
            club.now += Duration::hours(1);
            for civ in club.table("demo").owing() {
                answer(club, "demo", civ);
            }
        }
        ample.round();
        // The disk has a page more at each attempt, until it is enough.
        let mut room = scarce.desk.archive.pages().expect("pages");
        loop {
            scarce.desk.archive.limit_pages(room).expect("the disk is limited");
            let before = all(&scarce.desk.archive, "demo");
            let in_the_inbox = fs::read_dir(scarce.folder.join("in/new")).expect("the inbox").count();
            match scarce.desk.round(&scarce.carriers, scarce.now) {
                Ok(_) => break,
                Err(error) => {
                    full += 1;
                    assert!(is_archive_closed(&error), "{error}");
                    assert!(error.to_string().contains("the disk is full"), "{error}");
                    let left = fs::read_dir(scarce.folder.join("in/new")).expect("the inbox").count();
                    let after = all(&scarce.desk.archive, "demo");
                    let count = |all: &(String, Vec<String>, Vec<(String, u64)>)| {
                        all.2.iter().map(|(_, count)| *count as usize).sum::<usize>()
                    };
                    assert_eq!(in_the_inbox - left, count(&after) - count(&before), "what is put away is remembered");
                    let table = scarce.table("demo");
                    let replayed = replay(
                        &State::new(table.opening().expect("an opening")),
                        &scarce.desk.archive.events(&"demo".into(), 1).expect("events"),
                    );
                    assert_eq!(replayed.hash(), table.state.hash(), "what is believed is what is written down");
                }
            }
            room += 1;
        }
        assert_eq!(all(&ample.desk.archive, "demo"), all(&scarce.desk.archive, "demo"));
        assert_eq!(ample.table("demo").state.hash(), scarce.table("demo").state.hash());
        assert_eq!(ample.table("demo").sheets, scarce.table("demo").sheets);
    }
    assert!(full > 40, "the disk was full {full} times");
    println!("the disk was full {full} times");
    let (one, other): (Vec<_>, Vec<_>) = (ample.fetch(), scarce.fetch());
    // Each house seals its ids with a key of its own.
    let ids = |club: &Club, mails: &[Mail]| {
        let written =
            |mail: &Mail| club.desk.archive.written(&mail.message_id).expect("the archive").expect("a letter");
        mails.iter().map(|mail| written(mail).about).collect::<Vec<_>>()
    };
    assert_eq!(ids(&ample, &one), ids(&scarce, &other), "the same letters have left, once");
}

#[test]
fn an_archive_that_may_not_be_written_stops_ruling_and_says_so() {
    let mut club = running("demo");
    club.now += Duration::hours(1);
    for civ in club.table("demo").owing() {
        answer(&mut club, "demo", civ);
    }
    let before = all(&club.desk.archive, "demo");
    club.desk.archive.forbid_writing(true).expect("it may only be read");
    let error = club.desk.round(&club.carriers, club.now).expect_err("nothing can be written down");
    assert!(is_archive_closed(&error), "{error}");
    assert!(error.to_string().contains("may not be written"), "{error}");
    assert_eq!(all(&club.desk.archive, "demo"), before);
    assert_eq!(fs::read_dir(club.folder.join("in/new")).expect("the inbox").count(), 2, "the letters come again");
    club.desk.archive.forbid_writing(false).expect("it may be written");
    let round = club.round();
    assert_eq!((round.received, round.handled), (2, 2));
    assert_ne!(club.table("demo").phase(), TurnPhase::new(1, Phase::Movement), "the game goes on");
}

/// The bytes of a folder, file by file.
fn bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|file| {
            let path = file.expect("a file").path();
            (path.file_name().expect("a name").to_string_lossy().into_owned(), fs::read(&path).expect("bytes"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_foreign_or_newer_file_stays_as_it_is() {
    let foreign = |make: &dyn Fn(&Path)| {
        let temporary = tempfile::tempdir().expect("a folder");
        let path = temporary.path().join("cursus.sqlite");
        make(&path);
        let before = bytes(temporary.path());
        let refused = Archive::open(&path, Durability::Full).err().expect("it is not ours");
        assert!(before == bytes(temporary.path()), "something was touched: {refused}");
        refused.to_string()
    };
    let text = foreign(&|path| fs::write(path, "Dear diary").expect("a file"));
    assert!(text.contains("is no archive of Cursus; nothing in it was touched"), "{text}");
    let other =
        foreign(&|path| tamper(path, "pragma application_id = 7; create table t (x); insert into t values (1)"));
    assert!(other.contains("is no archive of Cursus"), "{other}");
    let unsigned = foreign(&|path| tamper(path, "create table t (x); insert into t values (1)"));
    assert!(unsigned.contains("is no archive of Cursus"), "{unsigned}");
    let waling = foreign(&|path| tamper(path, "pragma journal_mode = wal; create table t (x)"));
    assert!(waling.contains("is no archive of Cursus"), "{waling}");
    let newer = foreign(&|path| {
        drop(Archive::open(path, Durability::Full).expect("a new archive"));
        tamper(
            path,
            "insert into _sqlx_migrations (version, description, success, checksum, execution_time) \
             values (999, 'later', 1, x'00', 0); pragma wal_checkpoint(truncate)",
        );
    });
    assert!(newer.contains("newer Cursus (its schema is 999, this one knows"), "{newer}");
    assert!(newer.contains("nothing in it was touched"), "{newer}");
}

#[test]
fn an_archive_whose_making_was_cut_short_is_made_anew() {
    // Killed before anything stood in it, before it was signed, and before its tables were made.
    let makings: [&dyn Fn(&Path); 3] =
        [&|path| fs::write(path, "").expect("a file"), &|path| tamper(path, "pragma journal_mode = wal"), &|path| {
            tamper(path, "pragma application_id = 1129665107; pragma journal_mode = wal")
        }];
    for make in makings {
        let temporary = tempfile::tempdir().expect("a folder");
        let path = temporary.path().join("cursus.sqlite");
        make(&path);
        for _ in 0..2 {
            let archive = Archive::open(&path, Durability::Full).expect("it is made anew");
            assert_eq!(archive.games().expect("games").len(), 0);
        }
        assert_eq!(&fs::read(&path).expect("bytes")[68..72], b"CURS");
    }
}

#[test]
fn a_game_is_carried_to_another_archive_and_played_on() {
    let mut home = running("demo");
    play_on(&mut home, "demo", 6);
    // Another archive, in which numbers are taken already.
    let mut away = running("other");
    play_on(&mut away, "other", 2);
    let exported = home.desk.archive.export(&"demo".into()).expect("it is exported");
    let text = serde_json::to_string(&exported).expect("text");
    let read: Exported = serde_json::from_str(&text).expect("it reads back");
    assert_eq!(read, exported);
    assert_eq!(away.desk.import(&read).expect("it is imported").as_str(), "demo");
    let again = away.desk.import(&read).expect_err("it is there already");
    assert!(again.to_string().contains("there is a game `demo` already"), "{again}");

    let (one, other) = (home.table("demo"), away.table("demo"));
    assert_eq!(one.state.hash(), other.state.hash());
    assert_eq!((&one.game, &one.seats, &one.absences), (&other.game, &other.seats, &other.absences));
    assert_eq!((&one.sheets, one.ruled), (&other.sheets, other.ruled));
    let rulings = |club: &Club| club.desk.archive.rulings(&"demo".into()).expect("rulings");
    assert_eq!(rulings(&home), rulings(&away));
    let events = |club: &Club| club.desk.archive.events(&"demo".into(), 1).expect("events");
    assert_eq!(events(&home), events(&away));
    let once_more = away.desk.archive.export(&"demo".into()).expect("it is exported");
    assert_eq!(tables(&exported), tables(&once_more), "all letters, in and out");

    // Both are played on, and lead to the same.
    away.now = home.now;
    for club in [&mut home, &mut away] {
        play_on(club, "demo", 4);
        let table = club.table("demo");
        let events = club.desk.archive.events(&"demo".into(), 1).expect("events");
        let hash = verify(table.opening().expect("an opening"), &events, &table.chance());
        assert_eq!(hash, Ok(table.state.hash()));
    }
    assert_eq!(home.table("demo").state.hash(), away.table("demo").state.hash());
    assert_eq!(events(&home), events(&away));
}

/// An exported game without the numbers that are its archive's own.
fn tables(exported: &Exported) -> serde_json::Value {
    let mut value = serde_json::to_value(exported).expect("data");
    let tables = value["tables"].as_array_mut().expect("tables");
    for table in tables {
        let name = table["table"].as_str().expect("a name").to_owned();
        let own = |column: &str| {
            ["ruling", "letter"].contains(&column) || (column == "id" && ["rulings", "letters"].contains(&&*name))
        };
        let places: Vec<usize> = table["columns"]
            .as_array()
            .expect("columns")
            .iter()
            .enumerate()
            .filter(|(_, column)| own(column.as_str().unwrap_or_default()))
            .map(|(place, _)| place)
            .collect();
        for row in table["rows"].as_array_mut().expect("rows") {
            places.iter().for_each(|place| row[*place] = serde_json::Value::Null);
        }
    }
    value
}

#[test]
fn a_game_that_is_not_there_cannot_be_exported_and_a_broken_file_not_imported() {
    let mut club = running("demo");
    assert!(club.desk.archive.export(&"nothing".into()).is_err());
    let exported = club.desk.archive.export(&"demo".into()).expect("it is exported");
    let broken = |from: &str, to: &str| {
        let text = serde_json::to_string(&exported).expect("text").replace(from, to);
        let mut other = Club::new();
        let exported: Exported = serde_json::from_str(&text).expect("it is still data");
        let refused = other.desk.import(&exported).expect_err("it is broken");
        assert_eq!(other.desk.archive.games().expect("games").len(), 0, "nothing of it stays");
        refused.to_string()
    };
    let says = broken("cursus-game/1", "cursus-game/9");
    assert!(says.contains("cursus-game/9"), "{says}");
    let says = broken("\"sheets\"", "\"keeping\"");
    assert!(says.contains("`keeping` is no table of ours"), "{says}");
    assert!(matches!(club.desk.table(&"nothing".into()), Err(DeskError::NoGame(_))));
}

/// An exported game with something changed.
fn changed(exported: &Exported, change: impl FnOnce(&mut serde_json::Value)) -> Exported {
    let mut value = serde_json::to_value(exported).expect("data");
    change(&mut value);
    serde_json::from_value(value).expect("it is still data")
}

/// A table of an exported game.
fn table_of<'a>(value: &'a mut serde_json::Value, name: &str) -> &'a mut serde_json::Value {
    let tables = value["tables"].as_array_mut().expect("tables");
    tables.iter_mut().find(|table| table["table"] == name).expect("a table")
}

/// A cell of a row of it.
fn cell<'a>(value: &'a mut serde_json::Value, table: &str, row: usize, column: &str) -> &'a mut serde_json::Value {
    let table = table_of(value, table);
    let place = table["columns"].as_array().expect("columns").iter().position(|name| name == column);
    &mut table["rows"][row][place.expect("a column")]
}

#[test]
fn a_file_that_means_ill_changes_nothing() {
    let mut home = running("demo");
    play_on(&mut home, "demo", 6);
    let exported = home.desk.archive.export(&"demo".into()).expect("it is exported");
    let mut away = running("other");
    play_on(&mut away, "other", 3);
    let before = away.desk.archive.export(&"other".into()).expect("it is exported");
    type Change = fn(&mut serde_json::Value);
    let changes: [(&str, &str, Change); 19] = [
        ("rows of another game", "is not of the game", |v| *cell(v, "outbox", 0, "game") = "other".into()),
        ("a seat in another game", "is not of the game", |v| *cell(v, "seats", 1, "game") = "other".into()),
        ("an address in another game", "is not of the game", |v| *cell(v, "addresses", 0, "game") = "other".into()),
        ("nobody's letter", "is not of the game", |v| *cell(v, "letters", 0, "game") = serde_json::Value::Null),
        ("a letter that waits", "is not of the game", |v| *cell(v, "letters", 0, "status") = "waiting".into()),
        ("another game's ruling", "is not of the game", |v| *cell(v, "events", 0, "ruling") = (-1).into()),
        ("a ruling below all", "is not of the game", |v| *cell(v, "rulings", 0, "id") = (-1).into()),
        ("an id that is a path", "small letters, digits and hyphens", |v| {
            let text = v.to_string().replace("\"demo\"", "\"../../x\"");
            *v = serde_json::from_str(&text).expect("data");
        }),
        ("an id of nothing", "small letters, digits and hyphens", |v| v["game"] = "".into()),
        ("no tables", "is missing", |v| v["tables"] = serde_json::json!([])),
        ("a table less", "the table `rulings` is missing", |v| {
            v["tables"].as_array_mut().expect("tables").retain(|table| table["table"] != "rulings");
        }),
        ("a table twice", "comes twice", |v| {
            let again = table_of(v, "seats").clone();
            v["tables"].as_array_mut().expect("tables").push(again);
        }),
        ("no game", "`games` has 0 rows", |v| table_of(v, "games")["rows"] = serde_json::json!([])),
        ("half a row", "another length", |v| {
            table_of(v, "seats")["rows"][0].as_array_mut().expect("a row").pop();
        }),
        ("a column of nobody", "is no column", |v| table_of(v, "seats")["columns"][2] = "rowid".into()),
        ("a damaged event", "cannot be read", |v| *cell(v, "events", 3, "event") = "{}".into()),
        ("an event that cannot be", "", |v| {
            let first = cell(v, "events", 5, "event").clone();
            *cell(v, "events", 4, "event") = first;
        }),
        ("a broken time", "is not a time", |v| *cell(v, "outbox", 0, "written_at") = "once".into()),
        ("another seed", "", |v| {
            *cell(v, "games", 0, "seed") = serde_json::json!({ "hex": "01".repeat(32) });
        }),
    ];
    for (what, why, change) in changes {
        let refused = away.desk.import(&changed(&exported, change)).expect_err(what).to_string();
        assert!(refused.contains(why), "{what}: {refused}");
        assert_eq!(away.desk.archive.game_ids().expect("games"), ["other".into()], "{what}");
        assert_eq!(away.desk.archive.export(&"other".into()).expect("it is exported"), before, "{what}");
    }
    // The archive is in order: the file itself is taken, and both games go on.
    away.desk.import(&exported).expect("it is imported");
    away.now = home.now.max(away.now);
    play_on(&mut away, "other", 1);
    play_on(&mut away, "demo", 1);
}

#[test]
fn a_letter_during_which_the_process_ended_twice_is_set_aside_and_the_moderator_told() {
    let mut club = running("demo");
    club.fetch();
    for (subject, deaths) in [("innocent", 1), ("guilty", 2)] {
        club.send("minoa@player.example", "cursus@example.org", subject, "hello");
        let letters = club.carriers[0].collect(std::time::Duration::ZERO).expect("letters");
        club.desk.remember("spool", &letters, club.now).expect("they are remembered");
        club.carriers[0].keep(&[letters[0].mark.clone()]).expect("it is put away");
        // What a process leaves that does not survive a letter.
        let ids: Vec<_> = club.desk.archive.waiting(9).expect("letters").iter().map(|letter| letter.id).collect();
        for _ in 0..deaths {
            club.desk.archive.count_attempt(&ids).expect("it is counted");
        }
        club.reopen();
        club.round();
        assert!(club.desk.archive.waiting(9).expect("letters").is_empty(), "{subject}");
        let remark =
            found(club.desk.archive.path(), "select coalesce(remark, '') from letters order by id desc limit 1");
        assert_eq!((remark == "ended_twice"), deaths == 2, "{subject}: {remark}");
        let told =
            club.fetch().iter().any(|mail| mail.to.starts_with("moderator") && mail.text.contains("ended twice"));
        assert_eq!(told, deaths == 2, "{subject}");
    }
    // What is let go of in good order does not count.
    club.send("minoa@player.example", "cursus@example.org", "once more", "hello");
    club.desk.archive.forbid_writing(true).expect("it may only be read");
    for _ in 0..3 {
        club.desk.round(&club.carriers, club.now).expect_err("nothing can be written down");
    }
    club.desk.archive.forbid_writing(false).expect("it may be written");
    club.round();
    let remark = found(club.desk.archive.path(), "select coalesce(remark, '') from letters order by id desc limit 1");
    assert!(!remark.contains("ended_twice"), "{remark}");
}

#[test]
fn strangers_fill_no_disk_and_what_is_old_gives_its_room_back() {
    let mut club = running("demo");
    let room = |club: &Club| club.desk.archive.room().expect("room");
    let begun = room(&club);
    let body = "x".repeat(1_000_000);
    let raw = |number: u32| {
        format!("From: <stranger@evil.example>\r\nMessage-ID: <{number}@evil>\r\nSubject: x\r\n\r\n{body}")
    };
    for number in 0..10 {
        club.put(raw(number).as_bytes());
    }
    club.round();
    let flooded = room(&club);
    let sweep = |club: &mut Club| while club.desk.sweep(club.now).expect("it is swept") {};
    sweep(&mut club);
    let swept = room(&club);
    println!("begun {begun:?}, after 10 MB of strangers {flooded:?}, swept {swept:?}");
    assert!(flooded.bytes < begun.bytes + 4_000_000, "most of it was never written: {begun:?} {flooded:?}");
    assert!(swept.bytes < begun.bytes + 300_000, "{begun:?} {flooded:?} {swept:?}");
    assert!(swept.free < 100_000);
    let kept = found(club.desk.archive.path(), "select cast(raw as text) from raws order by letter desc limit 1");
    assert!(kept.ends_with("Subject: x") && kept.len() < 200, "{kept}");
    let size = found(club.desk.archive.path(), "select cast(size as text) from letters order by id desc limit 1");
    assert!(size.parse::<usize>().expect("a number") > 1_000_000);
    club.put(raw(3).as_bytes());
    assert_eq!(club.round().received, 0, "it is known by its hash");

    // A year passes.
    let shown = Deed { dispatches: vec![dispatch("picture@cursus", "sp")], ..Deed::default() };
    club.desk.archive.commit(&shown).expect("it is written");
    play_on(&mut club, "demo", 12);
    let page = "insert into page_answers values ('demo', 0, 'f', null, 'x', '2027-01-04T09:00:00.000Z'); \
                insert into codes (browser, game, seat, role, sealed, known, name, asked_at) \
                values (x'00', 'demo', 0, 'player', x'00', 0, 'x', '2027-01-04T09:00:00.000Z')";
    tamper(club.desk.archive.path(), page);
    let played = room(&club);
    let count = |club: &Club, query: &str| found(club.desk.archive.path(), &format!("select cast(({query}) as text)"));
    let counts = |club: &Club| {
        let snapshots = count(club, "select count(*) from snapshots");
        let pictures = count(club, "select count(*) from pictures");
        (snapshots, pictures, count(club, "select count(*) from letters where whole = 1"))
    };
    let before = counts(&club);
    assert_eq!(before.1, "1");
    club.now += Duration::days(400);
    sweep(&mut club);
    println!("played {played:?} {before:?}, a year later {:?} {:?}", room(&club), counts(&club));
    assert_eq!(counts(&club), ("1".to_owned(), "0".to_owned(), "0".to_owned()));
    assert_eq!(count(&club, "(select count(*) from codes) + (select count(*) from page_answers)"), "0");
    assert!(room(&club).bytes + 100_000 < played.bytes, "{played:?}");
    let state = club.table("demo").state.hash();
    club.reopen();
    assert_eq!(club.table("demo").state.hash(), state, "the game is what it was");
}

/// An archive as the first edition left it: its schema, and rows of every kind that moves.
fn first_edition(path: &Path) {
    let migrations = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations")).expect("migrations");
    let mut files: Vec<_> = migrations.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let migrations = files.iter().take(11).map(|file| {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let (number, name) = name.split_once('_').expect("a number");
        let text = AssertSqlSafe(fs::read_to_string(file).expect("a text"));
        let kind = sqlx::migrate::MigrationType::Simple;
        let text = sqlx::SqlSafeStr::into_sql_str(text);
        sqlx::migrate::Migration::new(number.parse().expect("a number"), name.to_owned().into(), kind, text, false)
    });
    let migrator = sqlx::migrate::Migrator::with_migrations(migrations.collect());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).create_if_missing(true);
        let options = options.pragma("application_id", "1129665107");
        let mut connection = SqliteConnection::connect_with(&options).await.expect("the file opens");
        migrator.run(&mut connection).await.expect("the schema of the first edition");
        connection.close().await.expect("it closes");
    });
    tamper(
        path,
        "insert into letters (carrier, message_id, hash, arrived_at, remembered_at, raw, status, sender) values \
         ('spool', '1@b', 'h1', '2027-01-04T09:00:00.000Z', '2027-01-04T09:00:00.000Z', x'414243', 'handled', 'a@b'), \
         ('spool', '2@b', 'h2', '2027-01-04T09:00:00.000Z', '2027-01-04T09:00:00.000Z', x'4445', 'waiting', ''); \
         insert into pictures values ('p', x'010203'); \
         insert into outbox (message_id, secret, kind, carrier, recipient, subject, body, html, picture, data, written_at, \
         status, next_try) values \
         ('o1', 's1', 'report', 'spool', 'a@b', 'x', 'words', '<p>', 'p', '{}', '2027-01-04T09:00:00.000Z', 'waiting', \
         '2027-01-04T09:00:00.000Z'), \
         ('o2', 's2', 'report', 'spool', 'a@b', 'x', 'more', null, null, null, '2027-01-04T09:00:00.000Z', 'sent', \
         '2027-01-04T09:00:00.000Z')",
    );
}

#[test]
fn letters_of_the_first_edition_are_opened_in_the_form_they_came_in() {
    let temporary = tempfile::tempdir().expect("a folder");
    let path = temporary.path().join("cursus.sqlite");
    first_edition(&path);
    let letter = |carrier: &str| {
        let time = "'2027-01-04T09:00:00.000Z', '2027-01-04T09:00:00.000Z'";
        format!(
            "insert into letters (carrier, message_id, hash, arrived_at, remembered_at, raw, status, sender) values \
             ('{carrier}', 'f', 'f', {time}, x'41', 'waiting', '');"
        )
    };
    let posted = ["thread", "known", "named"].map(letter).concat();
    tamper(
        &path,
        &format!(
            "pragma foreign_keys = off; {posted}{}{} \
             insert into threads (game, seat, carrier, thread, statuses) values ('g', -2, 'thread', '7', 0); \
             insert into addresses values ('g', 1, 'known', 'user:7', 'player', 0), ('g', 2, 'named', 'name:a@b', 'player', 0), \
             ('g', 3, 'mailbox', 'user@b', 'player', 0)",
            letter("door"),
            letter("mailbox"),
        ),
    );
    let archive = Archive::open(&path, Durability::Full).expect("it is brought up to date");
    let whole = |id| archive.letter(id).expect("the archive answers").expect("it is there");
    let waiting = archive.waiting(9).expect("letters").into_iter().map(|letter| whole(letter.id));
    let waiting = waiting.map(|letter| (letter.carrier, letter.form));
    let mut forms: Vec<_> = waiting.collect();
    forms.sort();
    let expected = [
        ("door", Form::Door),
        ("known", Form::Post),
        ("mailbox", Form::Mail),
        ("named", Form::Post),
        ("spool", Form::Mail),
        ("thread", Form::Post),
    ];
    assert_eq!(forms, expected.map(|(carrier, form)| (carrier.to_owned(), form)));
}

#[test]
fn a_file_of_an_earlier_release_does_not_say_in_which_form_letters_came() {
    let mut home = running("demo");
    cursus::desk::Desk::hand_in(&home.desk.archive, &"demo".into(), "status", home.now).expect("it is handed in");
    home.post();
    let exported = home.desk.archive.export(&"demo".into()).expect("it is exported");
    let older = changed(&exported, |value| {
        let letters = table_of(value, "letters");
        let columns = letters["columns"].as_array_mut().expect("columns");
        let place = columns.iter().position(|name| name == "form").expect("a column");
        columns.remove(place);
        for row in letters["rows"].as_array_mut().expect("rows") {
            row.as_array_mut().expect("a row").remove(place);
        }
    });
    assert_ne!(older, exported);
    let mut away = running("other");
    assert_eq!(away.desk.import(&older).expect("it is imported").as_str(), "demo");
    let back = away.desk.archive.export(&"demo".into()).expect("it is exported");
    assert_eq!(tables(&exported), tables(&back));
    let forms = changed(&back, |value| {
        let count = table_of(value, "letters")["rows"].as_array().expect("rows").len();
        let forms: Vec<_> = (0..count).map(|row| cell(value, "letters", row, "form").clone()).collect();
        assert!(forms.contains(&"door".into()) && forms.contains(&"mail".into()), "{forms:?}");
    });
    assert_eq!(forms, back);
}

#[test]
fn an_archive_of_the_first_edition_goes_on_and_learns_to_give_room_back() {
    let temporary = tempfile::tempdir().expect("a folder");
    let path = temporary.path().join("cursus.sqlite");
    first_edition(&path);
    let archive = Archive::open(&path, Durability::Full).expect("it is brought up to date");
    let waiting = archive.waiting(9).expect("letters");
    let whole = archive.letter(waiting[0].id).expect("the archive answers").expect("it is there");
    assert_eq!((waiting.len(), whole.raw.as_slice(), waiting[0].attempts), (1, &b"DE"[..], 0));
    let counts =
        |wanted: &str| archive.letter_counts().expect("counts").into_iter().find(|(status, _)| status == wanted);
    assert_eq!((counts("waiting"), counts("handled")), (Some(("waiting".into(), 1)), Some(("handled".into(), 1))));
    let outgoing = archive.outgoing("o1").expect("the archive answers").expect("it waits").dispatch;
    assert_eq!(
        (outgoing.text.as_str(), outgoing.html.as_deref(), outgoing.data.as_deref()),
        ("words", Some("<p>"), Some("{}"))
    );
    assert_eq!(outgoing.picture.as_deref(), Some(&vec![1, 2, 3]));
    let outbox = archive.outbox_status(None).expect("counts");
    assert_eq!((outbox.waiting, outbox.sent, outbox.dead), (1, 1, 0));
    assert_eq!(archive.answered("s2").expect("the archive answers").expect("it was written").message_id, "o2");
    assert_eq!((archive.epoch(), archive.can_shrink().expect("it says")), (0, false));
    archive.make_anew().expect("there is room");
    assert!(archive.can_shrink().expect("it says"));
    drop(archive);
    let again = Archive::open(&path, Durability::Full).expect("it opens");
    assert!(again.can_shrink().expect("it says"));
    assert_eq!(again.waiting(9).expect("letters").len(), 1);
}
