//! A game over real mail servers: the daemon itself, a real Exim and a real Dovecot, two players who write by SMTP and read by
//! IMAP, a letter that bounces, and a server that goes in the middle.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::daemon::Daemon;
use crate::mail::servers::Servers;
use cursus::archive::{Archive, Status};
use cursus::game::Phase;
use cursus::post::mailbox::Mailbox;
use cursus::post::{Carrier, Received};

/// How long anything may take before the test gives up.
const PATIENCE: Duration = Duration::from_secs(90);

/// A player at a mailbox of their own.
pub struct Player<'a> {
    servers: &'a Servers,
    name: &'a str,
    mailbox: Mailbox,
    written: u32,
}

impl<'a> Player<'a> {
    pub fn new(servers: &'a Servers, name: &'a str) -> Player<'a> {
        Player { servers, name, mailbox: servers.mailbox(name), written: 0 }
    }

    /// Reads their mail until a letter comes whose subject has these words.
    pub fn await_letter(&self, words: &str) -> Received {
        let begun = Instant::now();
        let mut seen = Vec::new();
        while begun.elapsed() < PATIENCE {
            // A server that is gone comes back.
            for letter in self.mailbox.collect(Duration::from_secs(2)).unwrap_or_default() {
                let _ = self.mailbox.keep(std::slice::from_ref(&letter.mark));
                let opened = cursus::post::letter::open(&letter.raw).expect("it opens");
                if opened.subject.contains(words) {
                    return letter;
                }
                seen.push(opened.subject);
            }
        }
        panic!("no letter of `{words}` came to {}; there were {seen:?}", self.name);
    }

    /// Answers a letter, with its text below their own.
    pub fn answer(&mut self, letter: &Received, text: &str) {
        self.written += 1;
        let opened = cursus::post::letter::open(&letter.raw).expect("it opens");
        let bare = "gm@test.invalid".to_owned();
        let (to, subject) = (opened.addressed.reply_to.first().unwrap_or(&bare), opened.subject);
        // One program names the letter that it answers; the other only keeps the subject, in its own way.
        let (head, subject) = match (opened.message_id, self.name) {
            (Some(id), "ania") => (format!("In-Reply-To: <{id}>\r\nReferences: <{id}>\r\n"), format!("Re: {subject}")),
            (Some(_) | None, _) => (String::new(), format!("AW: RE: {}", subject.to_uppercase())),
        };
        let from = format!("{}@test.invalid", self.name);
        let raw = format!(
            "From: {name} <{from}>\r\nTo: {to}\r\nSubject: {subject}\r\n{head}Message-ID: <{count}.{name}@player.invalid>\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n\r\nAm 4. Januar schrieb Cursus:\r\n> ok\r\n> done\r\n",
            name = self.name,
            count = self.written,
        );
        self.servers.post(&from, to, &raw);
    }
}

pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}: it does not happen");
        thread::sleep(Duration::from_millis(100));
    }
}

/// A house on these servers with a game for two people, and whatever else its mailbox is told.
fn house(servers: &Servers, folder: &Path, more: &str) -> PathBuf {
    let settings = servers.settings("gm");
    let config = folder.join("cursus.toml");
    let quoted = |path: &Option<std::path::PathBuf>| path.as_ref().expect("a path").display().to_string();
    let server = |server: &cursus::post::mailbox::Server, tls: &str| {
        format!("{{ host = \"localhost\", port = {}, tls = \"{tls}\" }}", server.port.expect("a port"))
    };
    let text = format!(
        "archive = \"cursus.sqlite\"\n[carriers.mail]\nkind = \"mailbox\"\naddress = \"gm@test.invalid\"\nuser = \"gm\"\n{more}\
         password_file = \"{}\"\nimap = {}\nsmtp = {}\nroot_certificate = \"{}\"\n\
         [[moderators]]\nname = \"Gm\"\naddresses = [\"nosuchuser@test.invalid\"]\n",
        quoted(&settings.password_file),
        server(&settings.imap, "implicit"),
        server(&settings.smtp, "starttls"),
        quoted(&settings.root_certificate),
    );
    fs::write(&config, text).expect("the settings are written");
    let game = folder.join("game.toml");
    let seats: String = [("Minoa", "ania"), ("Egypt", "bob")]
        .map(|(civ, name)| {
            format!("[[seats]]\nciv = \"{civ}\"\nplayer = \"{name}\"\naddresses = [\"{name}@test.invalid\"]\n")
        })
        .concat();
    let companions: String = ["Assyria", "Hatti", "Hellas"]
        .map(|civ| format!("[[seats]]\nciv = \"{civ}\"\ncompanion = \"settler\"\n"))
        .concat();
    fs::write(
        &game,
        format!("id = \"real\"\ntitle = \"Real\"\nscenario = \"west_5\"\n[schedule]\ncooling_off = \"0s\"\n{seats}{companions}"),
    )
    .expect("the game is written");
    let created = Command::new(env!("CARGO_BIN_EXE_cursus"))
        .args(["game", "--config"])
        .arg(&config)
        .arg("create")
        .arg(&game)
        .output()
        .expect("the command runs");
    assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));

    config
}

#[test]
fn a_turn_is_played_over_real_servers() {
    let mut servers = Servers::start();
    let folder = tempfile::tempdir().expect("a folder");
    let config = house(&servers, folder.path(), "");
    let daemon = Daemon::start(&config);
    let archive = folder.path().join("cursus.sqlite");
    let status = || {
        let archive = Archive::visit(&archive).expect("the archive is there");
        archive.game(&"real".into()).expect("it answers").expect("the game is there").status
    };
    {
        let (mut ania, mut bob) = (Player::new(&servers, "ania"), Player::new(&servers, "bob"));
        let invitation = ania.await_letter("Real");
        ania.answer(&invitation, "ok");
        let invitation = bob.await_letter("Real");
        bob.answer(&invitation, "Yes, gladly!");
        wait_until("the game begins", || status() == Status::Running);
        let form = ania.await_letter("begins");
        ania.answer(&form, "ok");
        ania.await_letter("your letter");
    }
    // The mailbox goes in the middle; Exim keeps the letters and the daemon its clock.
    servers.stop_dovecot();
    let log = || fs::read_to_string(config.with_extension("log")).unwrap_or_default();
    wait_until("the trouble", || log().contains("a carrier is in trouble"));
    servers.restart_dovecot();
    {
        let (ania, mut bob) = (Player::new(&servers, "ania"), Player::new(&servers, "bob"));
        let form = bob.await_letter("begins");
        bob.answer(&form, "ok");
        // Nobody has a card in the first turns: the next that is asked for is movement again.
        ania.await_letter("turn 2");
        bob.await_letter("turn 2");
    }
    // What came so far is read; the copy of the last report may still come back to us while the daemon goes.
    let waits = || {
        let archive = Archive::visit(&archive).expect("the archive is there");
        let counts = archive.letter_counts().expect("it answers");
        counts.iter().any(|(fate, count)| fate == "waiting" && *count > 0)
    };
    wait_until("what came is read", || !waits());
    drop(daemon);
    let archive = Archive::visit(&archive).expect("the archive is there");
    let rulings = archive.rulings(&"real".into()).expect("it answers");
    let movements = rulings.iter().filter(|ruling| ruling.phase == Phase::Movement && ruling.turn == 1).count();
    assert_eq!(movements, 1, "the movement is ruled once");
    // The moderator's address does not exist: what was written there came back and is noted.
    let outbox = archive.outbox_status(Some(&"real".into())).expect("it answers");
    assert!(outbox.sent >= 6, "{outbox:?}");
    let counts = archive.letter_counts().expect("it answers");
    let count = |fate: &str| counts.iter().find(|(name, _)| name == fate).map_or(0, |(_, count)| *count);
    assert_eq!(count("handled"), 4, "{counts:?}");
    assert!(count("ignored") >= 1, "the bounce is recognised: {counts:?}");
    assert_eq!(count("aside"), 0, "{counts:?}");
}

#[test]
fn a_game_begins_where_only_the_bare_address_arrives() {
    let servers = Servers::start_without_plus();
    let folder = tempfile::tempdir().expect("a folder");
    let config = house(&servers, folder.path(), "answers = [\"message_id\", \"subject\"]\n");
    let _daemon = Daemon::start(&config);
    let archive = folder.path().join("cursus.sqlite");
    let standing = || {
        let archive = Archive::visit(&archive).expect("the archive is there");
        archive.game(&"real".into()).expect("it answers").expect("the game is there")
    };
    let (mut ania, mut bob) = (Player::new(&servers, "ania"), Player::new(&servers, "bob"));
    let invitation = ania.await_letter("Real");
    let opened = cursus::post::letter::open(&invitation.raw).expect("it opens");
    assert!(opened.addressed.reply_to.is_empty() && opened.subject.contains("[#"), "{}", opened.subject);
    ania.answer(&invitation, "ok");
    let invitation = bob.await_letter("Real");
    bob.answer(&invitation, "Yes, gladly!");
    wait_until("the game begins", || standing().status == Status::Running);
    let form = ania.await_letter("begins");
    ania.answer(&form, "ok");
    ania.await_letter("your letter");
    let form = bob.await_letter("begins");
    bob.answer(&form, "ok");
    bob.await_letter("your letter");
}
