//! The spool: letters come in through one Maildir and dispatches leave through another, each once, whatever happens.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use chrono::DateTime;
use cursus::post::letter::{self, Broken, Kind};
use cursus::post::spool::{Spool, SpoolSettings};
use cursus::post::{Carrier, Dispatch, Mark, Received, Trouble};

const NOW: Duration = Duration::ZERO;

/// A spool in a folder of its own.
struct Desk {
    folder: tempfile::TempDir,
    spool: Spool,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let spool = open(folder.path());
        Self { folder, spool }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// A letter that arrived so many seconds ago.
    fn bring(&self, name: &str, text: &str, seconds_ago: u64) {
        let unfinished = self.path("in/tmp").join(name);
        fs::write(&unfinished, text).expect("a letter is written");
        let arrived = SystemTime::now() - Duration::from_secs(seconds_ago);
        File::options()
            .write(true)
            .open(&unfinished)
            .and_then(|file| file.set_modified(arrived))
            .expect("a time is set");
        fs::rename(unfinished, self.path("in/new").join(name)).expect("a letter is brought");
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn collect(&self) -> Vec<Received> {
        self.spool.collect(NOW).expect("the spool is in order")
    }
}

fn open(folder: &Path) -> Spool {
    let settings = SpoolSettings {
        inbox: folder.join("in"),
        outbox: folder.join("out"),
        address: "cursus@test.invalid".to_owned(),
        display_name: Some("Cursus".to_owned()),
    };
    Spool::open("spool", settings).expect("a spool")
}

fn dispatch(id: &str) -> Dispatch {
    Dispatch {
        message_id: id.to_owned(),
        date: DateTime::from_timestamp(1_800_000_000, 0).expect("a time"),
        to: "ania@player.invalid".to_owned(),
        reply_to: None,
        in_reply_to: None,
        references: Vec::new(),
        subject: "Turn 4".to_owned(),
        text: "Zażółć gęślą jaźń.\n".to_owned(),
        html: None,
        picture: None,
        data: None,
        list: None,
    }
}

fn texts(letters: &[Received]) -> Vec<&str> {
    letters.iter().map(|letter| std::str::from_utf8(&letter.raw).expect("text")).collect()
}

fn marks(letters: &[Received]) -> Vec<Mark> {
    letters.iter().map(|letter| letter.mark.clone()).collect()
}

#[test]
fn the_settings_name_two_folders_and_a_sender() {
    let settings = "inbox = 'a'\noutbox = 'b'\naddress = 'gm@test.invalid'\n";
    let read: SpoolSettings = toml::from_str(settings).expect("settings");
    assert_eq!((read.inbox.as_path(), read.display_name), (Path::new("a"), None));
    assert!(toml::from_str::<SpoolSettings>(&format!("{settings}surprise = 1\n")).is_err());
}

#[test]
fn letters_come_in_the_sequence_of_their_arrival() {
    let desk = Desk::new();
    desk.bring("a", "young", 10);
    desk.bring("z", "old", 3000);
    desk.bring("m", "middle", 500);
    let letters = desk.collect();
    assert_eq!(texts(&letters), ["old", "middle", "young"]);
    let ages: Vec<i64> = letters.iter().map(|letter| (chrono::Utc::now() - letter.arrived).num_seconds()).collect();
    assert!((2999..3060).contains(&ages[0]) && (9..60).contains(&ages[2]), "{ages:?}");
}

#[test]
fn a_letter_comes_until_it_is_kept() {
    let desk = Desk::new();
    desk.bring("1", "one", 2);
    desk.bring("2:2,", "two", 1);
    let first = desk.collect();
    assert_eq!(first, desk.collect());
    // Also after a restart.
    assert_eq!(first, open(desk.folder.path()).collect(NOW).expect("letters"));
    desk.spool.keep(&marks(&first[..1])).expect("it is kept");
    assert_eq!(texts(&desk.collect()), ["two"]);
    desk.spool.keep(&marks(&first)).expect("a mark that is no longer known is passed over");
    assert!(desk.collect().is_empty());
    assert_eq!(desk.names("in/cur"), ["1:2,S", "2:2,S"]);
    desk.spool.keep(&[Mark("nonsense".to_owned()), Mark("../../etc/passwd".to_owned())]).expect("it is passed over");
}

#[test]
fn a_letter_that_took_the_place_of_another_is_not_kept_with_it() {
    let desk = Desk::new();
    desk.bring("letter", "one", 5);
    let first = desk.collect();
    desk.bring("letter", "another", 1);
    desk.spool.keep(&marks(&first)).expect("the first is no longer known");
    let second = desk.collect();
    assert_eq!(texts(&second), ["another"]);
    desk.spool.keep(&marks(&second)).expect("it is kept");
    desk.bring("letter", "a third", 1);
    desk.spool.keep(&marks(&desk.collect())).expect("it is kept");
    assert_eq!(desk.names("in/cur"), ["letter.1:2,S", "letter:2,S"], "none overwrites another");
}

#[test]
fn only_files_are_letters() {
    let desk = Desk::new();
    fs::create_dir(desk.path("in/new/folder")).expect("a folder");
    fs::write(desk.path("in/new/.hidden"), "hidden").expect("a file");
    fs::write(desk.path("secret"), "secret").expect("a file");
    std::os::unix::fs::symlink(desk.path("secret"), desk.path("in/new/link")).expect("a link");
    let fifo = std::process::Command::new("mkfifo").arg(desk.path("in/new/fifo")).status().expect("mkfifo runs");
    assert!(fifo.success());
    assert!(desk.collect().is_empty());
}

#[test]
fn a_name_may_be_of_any_bytes() {
    use std::os::unix::ffi::OsStrExt;
    let desk = Desk::new();
    for name in [&b"\xff\xfe%41 \n"[..], b"\xff\xfd%41 \n"] {
        fs::write(desk.path("in/new").join(std::ffi::OsStr::from_bytes(name)), name).expect("a letter");
    }
    let letters = desk.collect();
    assert_eq!(letters.len(), 2);
    assert_ne!(letters[0].mark, letters[1].mark);
    desk.spool.keep(&marks(&letters[..1])).expect("it is kept");
    assert_eq!(desk.collect(), letters[1..]);
    desk.spool.keep(&marks(&letters)).expect("it is kept");
    assert_eq!((desk.collect().len(), desk.names("in/cur").len()), (0, 2));
}

#[test]
fn a_letter_that_is_too_large_is_known_as_such() {
    let desk = Desk::new();
    desk.bring("huge", "From: a@test.invalid\nSubject: huge\n\n", 5);
    File::options().write(true).open(desk.path("in/new/huge")).and_then(|file| file.set_len(3 << 30)).expect("3 GB");
    desk.bring("small", "From: a@test.invalid\n\ndone\n", 1);
    let letters = desk.collect();
    // The file says that it was changed a moment ago.
    let huge = letters.iter().find(|letter| letter.raw.len() > 1000).expect("it is brought");
    assert!(huge.raw.len() < 30 * 1024 * 1024);
    assert_eq!(letter::open(&huge.raw), Err(Broken::TooLarge));
    assert!(huge.raw.starts_with(b"From: a@test.invalid\nSubject: huge\n"));
    desk.spool.keep(&marks(&letters)).expect("both are kept");
    assert!(desk.collect().is_empty());
}

#[test]
fn many_letters_come_in_several_batches() {
    let desk = Desk::new();
    for number in 0..1200_u64 {
        desk.bring(&format!("{number:04}"), &number.to_string(), 2000 - number);
    }
    let mut seen = Vec::new();
    loop {
        let letters = desk.collect();
        if letters.is_empty() {
            break;
        }
        seen.extend(texts(&letters).into_iter().map(str::to_owned));
        desk.spool.keep(&marks(&letters)).expect("they are kept");
    }
    assert_eq!(seen, (0..1200).map(|number| number.to_string()).collect::<Vec<_>>());
}

#[test]
fn the_spool_waits_no_longer_than_it_is_told() {
    let desk = Desk::new();
    let begun = Instant::now();
    assert!(desk.spool.collect(Duration::from_millis(400)).expect("nothing").is_empty());
    assert!((350..5000).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
    let letters = thread::scope(|scope| {
        let waiting = scope.spawn(|| desk.spool.collect(Duration::from_secs(60)));
        thread::sleep(Duration::from_millis(300));
        desk.bring("1", "one", 0);
        waiting.join().expect("no panic").expect("a letter")
    });
    assert_eq!(texts(&letters), ["one"]);
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn an_inbox_that_is_gone_is_a_passing_trouble() {
    let desk = Desk::new();
    fs::rename(desk.path("in"), desk.path("elsewhere")).expect("it is moved");
    assert!(matches!(desk.spool.collect(NOW), Err(Trouble::Passing(_))));
    assert!(matches!(desk.spool.keep(&[Mark("any".into())]), Err(Trouble::Passing(_))));
    fs::rename(desk.path("elsewhere"), desk.path("in")).expect("it is moved back");
    assert!(desk.collect().is_empty());
}

#[test]
fn a_dispatch_leaves_once() {
    let desk = Desk::new();
    let dispatch = dispatch("g1.4.movement@cursus.test.invalid");
    desk.spool.send(&dispatch).expect("it is sent");
    desk.spool.send(&dispatch).expect("sent again it is the same");
    open(desk.folder.path()).send(&dispatch).expect("also after a restart");
    assert_eq!(desk.names("out/new"), ["g1.4.movement@cursus.test.invalid"]);
    assert!(desk.names("out/tmp").is_empty());
    let raw = fs::read(desk.path("out/new/g1.4.movement@cursus.test.invalid")).expect("a letter");
    let letter = letter::open(&raw).expect("it opens");
    assert_eq!((letter.kind, letter.text.trim()), (Kind::Loop, "Zażółć gęślą jaźń."));
    // Its reader moves it, as readers of Maildirs do.
    let read = desk.path("out/cur/g1.4.movement@cursus.test.invalid:2,S");
    fs::rename(desk.path("out/new/g1.4.movement@cursus.test.invalid"), read).expect("it is moved");
    desk.spool.send(&dispatch).expect("it has left");
    assert!(desk.names("out/new").is_empty());
}

#[test]
fn a_kill_while_writing_leaves_nothing_half() {
    let desk = Desk::new();
    // What a killed process leaves behind.
    fs::write(desk.path("out/tmp/a@cursus"), "From: half a let").expect("a file");
    assert!(desk.names("out/new").is_empty(), "nobody reads it there");
    desk.spool.send(&dispatch("a@cursus")).expect("it is sent");
    assert!(desk.names("out/tmp").is_empty());
    let raw = fs::read(desk.path("out/new/a@cursus")).expect("a letter");
    assert!(letter::open(&raw).is_ok());
}

#[test]
fn every_id_has_its_own_file() {
    let desk = Desk::new();
    let long = "x".repeat(500);
    let ids = ["a/b@c", "a_b@c", "a:b@c", ".a@c", "../../a@c", &format!("{long}1@c"), &format!("{long}2@c")];
    for id in ids {
        desk.spool.send(&dispatch(id)).expect("it is sent");
    }
    let names = desk.names("out/new");
    assert_eq!(names.len(), ids.len(), "{names:?}");
    assert!(names.iter().all(|name| !name.starts_with('.') && !name.contains(':')), "{names:?}");
}

#[test]
fn several_threads_send_the_same() {
    let desk = Desk::new();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for number in 0..20 {
                    desk.spool.send(&dispatch(&format!("{number}@cursus"))).expect("it is sent");
                }
            });
        }
    });
    assert_eq!(desk.names("out/new").len(), 20);
}

#[test]
fn what_cannot_be_a_letter_never_leaves() {
    let desk = Desk::new();
    let wrong = Dispatch { to: "nobody".to_owned(), ..dispatch("1@cursus") };
    assert!(matches!(desk.spool.send(&wrong), Err(Trouble::Lasting(_))));
    let large = Dispatch { picture: Some(Arc::new(vec![0; 1 << 20])), ..dispatch("2@cursus") };
    desk.spool.send(&large).expect("a large picture");
    fs::remove_dir_all(desk.path("out")).expect("it is gone");
    assert!(matches!(desk.spool.send(&dispatch("3@cursus")), Err(Trouble::Passing(_))));
}

#[test]
fn the_doctor_sees_whether_the_folders_serve() {
    let desk = Desk::new();
    desk.bring("1", "one", 0);
    let checks = desk.spool.check();
    assert!(checks.iter().all(|(_, result)| result.is_ok()), "{checks:?}");
    fs::remove_dir_all(desk.path("out/new")).expect("it is gone");
    let checks = desk.spool.check();
    assert_eq!(checks.iter().filter(|(_, result)| result.is_err()).count(), 1, "{checks:?}");
    assert_eq!(desk.names("in/cur").len() + desk.names("out/tmp").len(), 0, "a check leaves nothing behind");
}
