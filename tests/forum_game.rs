//! A game in a real forum: the daemon itself and a real Misago, two players in the forum and one by mail, from the invitation
//! to the report; an edit, a deletion, a daemon that is killed in the middle, and a forum that goes and comes back.
//!
//! `CURSUS_LOOK=1` leaves the forum running for ten minutes at the end, so that one can look at the thread in a browser.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::daemon::Daemon;
use crate::forum::misago::{Misago, Visitor};
use cursus::archive::{Archive, Status};
use cursus::game::Phase;
use cursus::post::letter;
use serde_json::Value;

/// How long anything may take before the test gives up: the forum lets nobody post twice in three seconds.
const PATIENCE: Duration = Duration::from_secs(180);

/// The house: its folder, with the settings and the game.
struct ForumPlace(tempfile::TempDir);

impl ForumPlace {
    fn new(misago: &Misago) -> ForumPlace {
        let place = ForumPlace(tempfile::tempdir().expect("a folder"));
        let settings = misago.settings();
        let secret = settings.secret_file.expect("a password");
        let text = format!(
            "archive = \"cursus.sqlite\"\npolling = \"2s\"\n\
             [carriers.spool]\nkind = \"spool\"\naddress = \"cursus@example.org\"\nin = \"in\"\nout = \"out\"\n\
             [carriers.forum]\nkind = \"misago\"\nurl = \"{}\"\nuser = \"{}\"\npassword_file = \"{}\"\ncategory = {}\n\
             [[moderators]]\nname = \"Gm\"\naddresses = [\"gm@player.invalid\"]\nforum = \"Gamemaster\"\n",
            settings.url,
            settings.user,
            secret.display(),
            misago.category(),
        );
        fs::write(place.config(), text).expect("the settings are written");
        let seats = "[[seats]]\nciv = \"Minoa\"\nplayer = \"Alice\"\nforum = \"Alice\"\n\
                     [[seats]]\nciv = \"Egypt\"\nplayer = \"Bob\"\nforum = \"bob\"\naddresses = [\"bob@player.invalid\"]\n\
                     [[seats]]\nciv = \"Hellas\"\nplayer = \"Zoe\"\naddresses = [\"zoe@player.invalid\"]\n\
                     [[seats]]\nciv = \"Assyria\"\ncompanion = \"settler\"\n\
                     [[seats]]\nciv = \"Hatti\"\ncompanion = \"merchant\"\n";
        let game = format!(
            "id = \"real\"\ntitle = \"Around the sea\"\nscenario = \"west_5\"\n\
             [schedule]\ncooling_off = \"0s\"\n[forum]\npublic_orders = true\n{seats}"
        );
        fs::write(place.0.path().join("game.toml"), game).expect("the game is written");
        let created = Command::new(env!("CARGO_BIN_EXE_cursus"))
            .args(["game", "--config"])
            .arg(place.config())
            .arg("create")
            .arg(place.0.path().join("game.toml"))
            .output()
            .expect("the command runs");
        assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
        place
    }

    /// What the daemons have logged.
    fn log(&self) -> String {
        fs::read_to_string(self.config().with_extension("log")).unwrap_or_default()
    }

    fn config(&self) -> PathBuf {
        self.0.path().join("cursus.toml")
    }

    fn archive(&self) -> Archive {
        Archive::visit(&self.0.path().join("cursus.sqlite")).expect("the archive is there")
    }

    fn status(&self) -> Status {
        self.archive().game(&"real".into()).expect("it answers").expect("the game is there").status
    }

    /// The sheet of a seat, as it is written down.
    fn sheet(&self, civ: &str) -> String {
        let printed = cursus::rules::PrintedGame::built_in().expect("the edition is sound");
        let number = printed.civilizations.iter().position(|printed| printed.name == civ).expect("a civilization");
        let sheets = self.archive().sheets(&"real".into(), 1).expect("it answers");
        let sheet = sheets.into_iter().find(|(of, _)| usize::from(of.0) == number);
        sheet.map(|(_, sheet)| format!("{:?}", sheet.part(Phase::Movement))).unwrap_or_default()
    }

    /// The letters that went out by mail.
    fn mails(&self) -> Vec<letter::Letter> {
        let files = fs::read_dir(self.0.path().join("out/new")).into_iter().flatten().flatten();
        files.map(|file| letter::open(&fs::read(file.path()).expect("a letter")).expect("it opens")).collect()
    }

    /// Zoe answers a letter by mail.
    fn answer(&self, of: &str, text: &str) {
        wait_until(&format!("a letter of `{of}` to Zoe"), self, || self.to_zoe(of).is_some());
        let mail = self.to_zoe(of).expect("it is there");
        let raw = format!(
            "From: zoe@player.invalid\r\nTo: {}\r\nSubject: Re: {}\r\nMessage-ID: <{of}@player.invalid>\r\n\r\n{text}\r\n",
            mail.addressed.reply_to[0], mail.subject
        );
        fs::write(self.0.path().join("in/tmp").join(of), raw).expect("it is written");
        fs::rename(self.0.path().join("in/tmp").join(of), self.0.path().join("in/new").join(of)).expect("it is sent");
    }

    fn to_zoe(&self, of: &str) -> Option<letter::Letter> {
        let is_meant = |mail: &letter::Letter| mail.subject.contains(subject_of(of));
        self.mails().into_iter().find(|mail| mail.addressed.to == ["zoe@player.invalid"] && is_meant(mail))
    }
}

/// What stands in the subject of such a letter.
fn subject_of(kind: &str) -> &'static str {
    match kind {
        "invitation" => "a seat for you",
        _ => "begins",
    }
}

fn wait_until(what: &str, place: &ForumPlace, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        if begun.elapsed() > PATIENCE {
            let log = fs::read_to_string(place.config().with_extension("log")).unwrap_or_default();
            panic!("{what}: it does not happen\n{log}");
        }
        thread::sleep(Duration::from_millis(300));
    }
}

/// The texts of posts, as the forum shows them.
fn texts(posts: &[Value]) -> Vec<String> {
    posts.iter().map(|post| post["content"].as_str().unwrap_or_default().to_owned()).collect()
}

/// The one private thread of somebody, once it is there.
fn private(visitor: &Visitor, place: &ForumPlace) -> String {
    wait_until("a private message", place, || !visitor.private_threads().is_empty());
    visitor.private_threads()[0]["id"].to_string()
}

/// What stands in somebody's private thread.
fn in_private(visitor: &Visitor, thread: &str) -> String {
    texts(&visitor.private_posts(thread)).concat()
}

#[test]
fn a_phase_is_played_in_a_real_forum() {
    let mut misago = Misago::start();
    let place = ForumPlace::new(&misago);
    let (alice, bob, gamemaster) = (misago.user("Alice"), misago.user("Bob"), misago.user("Gamemaster"));
    // The doctor tries the forum for real, and takes its test post away again.
    let doctor = Command::new(env!("CARGO_BIN_EXE_cursus")).args(["doctor", "--config"]).arg(place.config()).output();
    let doctor = doctor.expect("the command runs");
    let said = String::from_utf8_lossy(&doctor.stdout);
    assert!(doctor.status.success() && said.contains("(forum)"), "{said}");
    let daemon = Daemon::start(&place.config());

    // The thread is opened, and everybody is invited where they are.
    wait_until("the thread", &place, || alice.threads().iter().any(is_ours));
    let thread = alice.threads().iter().find(|thread| is_ours(thread)).expect("a thread")["id"].to_string();
    let (to_alice, to_bob) = (private(&alice, &place), private(&bob, &place));
    let status = texts(&alice.posts(&thread))[0].clone();
    assert!(status.contains("Alice") && status.contains("Minoa"), "{status}");
    alice.reply_privately(&to_alice, "> You are invited\n\nok, I am in!");
    bob.reply(&thread, "Ok, gladly.");
    place.answer("invitation", "ok");
    wait_until("the game begins", &place, || place.status() == Status::Running);
    wait_until("the form in private", &place, || in_private(&alice, &to_alice).contains("<code>"));

    // Orders in private, edited before `done`; what is said in the thread is conversation.
    let orders = alice.reply_privately(&to_alice, "Hi!\n\n```\nmove 1 from Knossos to Phaestos\n```\n\nCheers");
    bob.reply(&thread, "Nice map! I will move later.");
    wait_until("Alice's order", &place, || place.sheet("Minoa").contains("Move {"));
    alice.edit_privately(&to_alice, &orders, "build ship in Knossos for 2 tokens");
    wait_until("the edit", &place, || place.sheet("Minoa").contains("BuildShip"));
    assert!(!place.sheet("Minoa").contains("Move {"), "the old lines have left");

    // The daemon is killed in the middle, and the forum goes for a while.
    drop(daemon);
    let done = bob.reply(&thread, "@Cursus\n\ndone");
    misago.stop();
    let daemon = Daemon::start(&place.config());
    wait_until("the trouble", &place, || place.log().contains("a carrier is in trouble"));
    misago.restart();
    wait_until("Bob's `done`", &place, || place.sheet("Egypt").contains("Done"));
    wait_until("Bob's answer in private", &place, || in_private(&bob, &to_bob).contains("You wrote in public"));
    bob.edit(&thread, &done, "@Cursus\n\nmove 1 from Thebes to Memphis");
    let all = || texts(&alice.posts(&thread)).concat();
    wait_until("the note of a late edit", &place, || all().contains("too late"));
    bob.hide(&thread, &done);

    // The moderator commands in the thread.
    gamemaster.reply(&thread, "announce for 1.movement: Good luck to all of you!");
    wait_until("the announcement", &place, || all().contains("Good luck to all of you"));
    alice.reply_privately(&to_alice, "done\n\nGood luck to everybody!");
    place.answer("welcome", "done");
    wait_until("the report in the thread", &place, || all().contains("spreads"));
    wait_until("the report in private", &place, || {
        in_private(&alice, &to_alice).contains("turn 2") || in_private(&alice, &to_alice).contains("ship")
    });
    drop(daemon);

    // Nothing was ruled, read or posted twice, and the status is still the first post, edited in place.
    let rulings = place.archive().rulings(&"real".into()).expect("it answers");
    assert_eq!(rulings.iter().filter(|ruling| ruling.phase == Phase::Movement && ruling.turn == 1).count(), 1);
    let posts = alice.posts(&thread);
    let ours: Vec<String> = texts(
        &posts
            .iter()
            .filter(|post| post["poster_name"] == "Cursus" || post["poster"]["username"] == "Cursus")
            .cloned()
            .collect::<Vec<_>>(),
    );
    let mut once = ours.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), ours.len(), "{ours:?}");
    assert_ne!(texts(&posts)[0], status, "the status says who is awaited now");
    assert!(
        !all().contains("Your hand") && !all().contains("build ship in Knossos"),
        "sealed orders and hands stay private"
    );
    if std::env::var_os("CURSUS_LOOK").is_some() {
        println!("look at {}/ (thread {thread}, private {to_alice})", misago.url());
        thread::sleep(Duration::from_secs(600));
    }
}

fn is_ours(thread: &Value) -> bool {
    thread["title"].as_str().is_some_and(|title| title.contains("Around the sea"))
}
