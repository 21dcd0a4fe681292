//! The daemon is killed at random moments while letters arrive and phases end, and started again: in the end the archive
//! and all letters are what an undisturbed run has. `cargo test --test servers exactly_once -- --nocapture` prints the counts.

#[path = "exactly_once/daemon.rs"]
pub mod daemon;
#[path = "exactly_once/players.rs"]
mod players;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use daemon::{Daemon, Place, rows};
use players::{Players, Sprite};

/// So many phases are answered by all players.
const PHASES: usize = 26;
/// So often the daemon is killed at least.
const KILLS: usize = 40;
/// What the archive has in the end, and a query that shows it. Times are left out, and lines of letters that tell them.
const RECORD: [(&str, &str); 8] = [
    ("events", "select number, event from events order by number"),
    ("rulings", "select id, era, turn, phase, step, reason, voided from rulings order by id"),
    ("sheets", "select turn, seat, sheet from sheets order by turn, seat"),
    ("snapshots", "select ruling, number, hash, state from snapshots order by number"),
    ("letters", "select id, carrier, message_id, hash, status, sender, game, seat, remark from letters order by id"),
    ("seats", "select seat, player, accepted, extensions from seats order by seat"),
    (
        "outbox",
        "select message_id, secret, game, seat, kind, turn, phase, recipient, reply_to, in_reply_to, thread, \
                subject, body, status from outbox join pages on dispatch = id order by message_id",
    ),
    ("games", "select id, hex(seed), status, era from games order by id"),
];

#[test]
fn a_daemon_that_is_killed_anywhere_does_everything_once() {
    let begun = Instant::now();
    let temporary = tempfile::tempdir().expect("a folder");
    let calm = Place::new(&temporary.path().join("calm"));
    calm.create_game();
    let wild = calm.copied(&temporary.path().join("wild"));

    let undisturbed = play(&calm, None);
    let half = begun.elapsed();
    let disturbed = play(&wild, Some(Sprite::new(20_261_117)));

    println!("                  undisturbed  disturbed");
    let line = |what: &str, of: &dyn Fn(&Outcome) -> usize| {
        println!("{what:<18} {:>10} {:>10}", of(&undisturbed), of(&disturbed));
    };
    line("kills", &|outcome| outcome.kills);
    line("starts", &|outcome| outcome.starts);
    line("letters in", &|outcome| outcome.count("letters"));
    line("brought twice", &|outcome| outcome.repeated);
    line("rulings", &|outcome| outcome.count("rulings"));
    line("events", &|outcome| outcome.count("events"));
    line("letters out", &|outcome| outcome.sent.len());
    line("sent twice", &|outcome| outcome.duplicates);
    println!("{:<18} {:>9.1}s {:>9.1}s", "time", half.as_secs_f64(), (begun.elapsed() - half).as_secs_f64());

    assert!(disturbed.kills >= KILLS, "only {} kills", disturbed.kills);
    assert!(undisturbed.count("rulings") > PHASES, "phases were ruled");
    assert_eq!(undisturbed.duplicates, 0);
    assert_eq!(undisturbed.sent, disturbed.sent, "the letters that left");
    for ((name, calm), (_, wild)) in undisturbed.record.iter().zip(&disturbed.record) {
        for (one, other) in calm.iter().zip(wild) {
            assert_eq!(one, other, "in {name}");
        }
        assert_eq!(calm.len(), wild.len(), "in {name}");
    }
}

#[test]
fn a_second_daemon_on_one_archive_refuses() {
    let temporary = tempfile::tempdir().expect("a folder");
    let place = Place::new(temporary.path());
    place.create_game();
    let mut first = Daemon::start(&place);
    // The first letters leave: it is at work.
    let outbox = place.folder.join("out/new");
    wait_for("the invitations", || outbox.exists() && files(&outbox).len() >= 3);
    let second = place.cursus(&["serve"]);
    assert_eq!(second.status.code(), Some(2));
    let says = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(says.contains("another Cursus is at work on"), "{says}");
    assert!(says.contains("cursus.sqlite"), "{says}");
    let once = place.cursus(&["serve", "--once"]);
    assert_eq!(once.status.code(), Some(2));
    // The lock goes with the process, however it ends.
    first.kill();
    let once = place.cursus(&["serve", "--once"]);
    assert_eq!(once.status.code(), Some(0), "{}", String::from_utf8_lossy(&once.stderr));
}

/// What came of a run.
struct Outcome {
    kills: usize,
    starts: usize,
    repeated: usize,
    duplicates: usize,
    /// The ids of all letters that left.
    sent: Vec<String>,
    record: Vec<(&'static str, Vec<String>)>,
}

impl Outcome {
    fn count(&self, table: &str) -> usize {
        self.record.iter().find(|(name, _)| *name == table).map_or(0, |(_, rows)| rows.len())
    }
}

fn play(place: &Place, sprite: Option<Sprite>) -> Outcome {
    let mut players = Players::new(place, sprite);
    players.accept();
    for _ in 0..PHASES {
        players.answer_phase();
    }
    let (kills, starts, repeated) = players.counts();
    let (sent, duplicates) = players.close();
    let verified = place.cursus(&["game", "verify", "once"]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    let log = fs::read_to_string(place.folder.join("log")).expect("a log");
    assert!(!log.contains("panicked") && !log.contains("a bug"), "{log}");
    let record = RECORD.map(|(name, query)| (name, rows(&place.archive(), query).into_iter().map(told).collect()));
    Outcome { kills, starts, repeated, duplicates, sent, record: record.into() }
}

/// A row as text, without the lines that tell the time.
fn told(row: Vec<String>) -> String {
    let text = row.join(" | ");
    text.lines().filter(|line| !line.contains("UTC")).collect::<Vec<_>>().join("\n")
}

/// Waits until something is so.
pub fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The files of a folder, by name.
pub fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    files
}
