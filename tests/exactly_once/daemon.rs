//! The real daemon in a folder of its own, and what its archive has.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Column, Connection, Row, SqliteConnection, TypeInfo, ValueRef};

const SETTINGS: &str = r#"
archive = "cursus.sqlite"
letters_per_hour = 100000

[carriers.spool]
kind = "spool"
address = "cursus@example.org"
in = "in"
out = "out"

[[moderators]]
name = "Moderator"
addresses = ["moderator@player.example"]
zone = "UTC"
"#;

const GAME: &str = r#"
id = "once"
title = "Once and no more"
scenario = "west_5"

[schedule]
zone = "UTC"
cooling_off = "0s"

[[seats]]
civ = "Minoa"
player = "Anna"
addresses = ["minoa@player.example"]
format = "text"

[[seats]]
civ = "Egypt"
player = "Ben"
addresses = ["egypt@player.example"]
format = "text"

[[seats]]
civ = "Hatti"
player = "Celia"
addresses = ["hatti@player.example"]
language = "pl"
format = "text"

[[seats]]
civ = "Assyria"
companion = "merchant"

[[seats]]
civ = "Hellas"
companion = "raider"
"#;

/// A folder with settings, an archive and a spool.
pub struct Place {
    pub folder: PathBuf,
}

impl Place {
    pub fn new(folder: &Path) -> Place {
        fs::create_dir_all(folder).expect("a folder");
        fs::write(folder.join("cursus.toml"), SETTINGS).expect("the settings");
        fs::write(folder.join("game.toml"), GAME).expect("the game");
        Place { folder: folder.to_owned() }
    }

    /// The same archive in another folder, so that key and seed are the same.
    pub fn copied(&self, folder: &Path) -> Place {
        let copy = Place::new(folder);
        for name in ["cursus.sqlite", "cursus.sqlite-wal"] {
            if self.folder.join(name).exists() {
                fs::copy(self.folder.join(name), folder.join(name)).expect("the archive is copied");
            }
        }
        copy
    }

    pub fn archive(&self) -> PathBuf {
        self.folder.join("cursus.sqlite")
    }

    pub fn create_game(&self) {
        let game = self.folder.join("game.toml");
        let created = self.cursus(&["game", "create", game.to_str().expect("a plain name")]);
        assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
    }

    /// Runs a command to its end.
    pub fn cursus(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("the binary runs")
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cursus"));
        command.args(words).arg("--config").arg(self.folder.join("cursus.toml"));
        command
    }
}

/// The daemon, which may be killed.
pub struct Daemon {
    child: Child,
}

impl Daemon {
    pub fn start(place: &Place) -> Daemon {
        let log = File::options().create(true).append(true).open(place.folder.join("log")).expect("a log");
        let child = place.command(&["serve"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn();
        Daemon { child: child.expect("the daemon starts") }
    }

    /// Kills it as a power cut would: without a word.
    pub fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it is gone");
    }

    pub fn assert_runs(&mut self) {
        assert!(self.child.try_wait().expect("it can be asked").is_none(), "the daemon has stopped");
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a query finds, as text.
pub fn rows(archive: &Path, query: &str) -> Vec<Vec<String>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        let options = SqliteConnectOptions::new().filename(archive).read_only(true);
        let mut connection = SqliteConnection::connect_with(&options).await.expect("the archive is there");
        let query = AssertSqlSafe(query.to_owned());
        let found = sqlx::query(query).fetch_all(&mut connection).await.expect("the archive answers");
        connection.close().await.expect("the archive closes");
        found.iter().map(cells).collect()
    })
}

fn cells(row: &sqlx::sqlite::SqliteRow) -> Vec<String> {
    let cell = |at: usize| {
        let value = row.try_get_raw(at).expect("a column");
        match value.type_info().name() {
            _ if value.is_null() => "-".to_owned(),
            "INTEGER" => row.get::<i64, _>(at).to_string(),
            _ => row.get::<String, _>(at),
        }
    };
    (0..row.columns().len()).map(|at| cell(row.columns()[at].ordinal())).collect()
}
