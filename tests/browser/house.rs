//! The daemon as a group runs it, with a spool of letters and its page on loopback.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use mail_parser::MessageParser;
use tempfile::TempDir;

use crate::daemon::Daemon;

const GAME: &str = r#"
id = "nile"
title = "The <b>Nile</b>"
scenario = "west_5"
rehearsal = false

[[seats]]
civ = "Egypt"
player = "Ben <script>document.title = 'x'</script>"
addresses = ["ben@player.example"]
format = "text"

[[seats]]
civ = "Hellas"
companion = "settler"

[[seats]]
civ = "Assyria"
companion = "settler"

[[seats]]
civ = "Minoa"
companion = "settler"

[[seats]]
civ = "Hatti"
companion = "settler"
"#;

/// A house of its own, which may be shut and opened again.
pub struct House {
    pub folder: TempDir,
    pub root: String,
    port: u16,
    daemon: Option<Daemon>,
}

impl House {
    pub fn open() -> House {
        let folder = TempDir::new().expect("a folder");
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port").local_addr().expect("a port").port();
        let root = format!("http://127.0.0.1:{port}");
        let settings = format!(
            "archive = \"cursus.sqlite\"\n\n[carriers.spool]\nkind = \"spool\"\naddress = \"cursus@example.org\"\nin = \"in\"\nout = \"out\"\n\n\
             [web]\nlisten = \"127.0.0.1:{port}\"\naddress = \"{root}\"\n\n\
             [[moderators]]\nname = \"Moderator\"\naddresses = [\"moderator@example.org\"]\n"
        );
        let config = folder.path().join("cursus.toml");
        fs::write(&config, settings).expect("settings");
        fs::write(folder.path().join("nile.toml"), GAME).expect("a game");
        let mut create = Command::new(env!("CARGO_BIN_EXE_cursus"));
        create.args(["game", "--config"]).arg(&config).arg("create").arg(folder.path().join("nile.toml"));
        let created = create.output().expect("it runs");
        assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
        let mut house = House { folder, root, port, daemon: None };
        house.start();
        house
    }

    pub fn start(&mut self) {
        self.daemon = Some(Daemon::start(&self.folder.path().join("cursus.toml")));
        patient("the page is served", || TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).ok());
    }

    /// As a machine that loses its power.
    pub fn kill(&mut self) {
        self.daemon = None;
    }

    /// What a letter says that came to the player, the first that has these words.
    pub fn letter(&self, words: &str) -> String {
        patient(words, || letters(&self.folder.path().join("out/new")).into_iter().find(|text| text.contains(words)))
    }

    /// The link of the invitation.
    pub fn link(&self) -> String {
        let letter = self.letter("/p/nile.egypt.");
        letter.split_whitespace().find(|word| word.contains("/p/")).expect("a link").to_owned()
    }
}

/// Subjects and texts of all letters in a folder.
fn letters(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let raw = files.filter_map(|file| fs::read(file.path()).ok());
    raw.filter_map(|raw| {
        let mail = MessageParser::default().parse(&raw)?;
        Some(format!("{}\n{}", mail.subject().unwrap_or_default(), mail.body_text(0)?))
    })
    .collect()
}

fn patient<T>(what: &str, ask: impl Fn() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(told) = ask() {
            return told;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "never: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
