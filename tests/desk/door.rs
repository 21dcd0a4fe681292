//! The front door: `game`, `moderate`, `serve` and `backup` as a person at a shell meets them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::club::mail;

const GAME: &str = r#"
id = "shell"
title = "A game from the shell"
players = 5

[moderator]
name = "Marta"
addresses = ["marta@example.org"]

[schedule]
cooling_off = "0s"

[[seats]]
civ = "Minoa"
player = "Anna"
addresses = ["anna@example.org"]
format = "text"

[[seats]]
civ = "Assyria"
companion = "settler"

[[seats]]
civ = "Hatti"
companion = "settler"

[[seats]]
civ = "Hellas"
companion = "settler"

[[seats]]
civ = "Egypt"
companion = "settler"
"#;

/// A folder with settings and the file of a game.
struct Shell(tempfile::TempDir);

impl Shell {
    fn new() -> Shell {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = "archive = \"cursus.sqlite\"\nlog = \"error\"\n[carriers.spool]\nkind = \"spool\"\n\
                        address = \"cursus@example.org\"\nin = \"in\"\nout = \"out\"\n";
        fs::write(folder.path().join("cursus.toml"), settings).expect("settings");
        fs::write(folder.path().join("game.toml"), GAME).expect("a game");
        Shell(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn call(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_cursus")).current_dir(self.0.path()).args(arguments).output().expect("it runs")
    }

    /// A call with its exit code; gives what it printed.
    fn says(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.call(arguments);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
        format!("{out}{err}")
    }
}

/// The letters in a Maildir.
fn letters(folder: &Path) -> Vec<Vec<u8>> {
    let files = fs::read_dir(folder.join("new")).expect("a Maildir");
    files.map(|file| fs::read(file.expect("a file").path()).expect("a letter")).collect()
}

#[test]
fn a_game_can_be_run_from_the_shell() {
    let shell = Shell::new();
    let said = shell.says(2, &["game", "list"]);
    assert!(said.contains("cursus game create"), "what to do is said: {said}");
    assert!(shell.says(0, &["game", "create", "game.toml"]).contains("1 invitation is"));
    assert!(shell.says(2, &["game", "create", "game.toml"]).contains("choose another `id`"));
    assert!(shell.says(2, &["game", "verify", "shell"]).contains("has not begun"));
    assert!(shell.says(0, &["serve", "--once"]).contains("1 letters sent"));
    let invitation = mail(letters(&shell.path("out")).remove(0));
    let answer = format!(
        "From: <anna@example.org>\r\nTo: <{}>\r\nSubject: Re: a seat\r\nMessage-ID: <1@example.org>\r\n\r\nok\r\n",
        invitation.reply_to
    );
    fs::write(shell.path("in/new/1.letter"), answer).expect("it is delivered");
    assert!(shell.says(0, &["serve", "--once"]).contains("1 letters received, 1 handled"));
    assert!(shell.says(0, &["game", "list"]).contains("shell  running  1.movement"));
    assert!(shell.says(0, &["game", "list", "--json"]).contains("\"awaited\""));
    let shown = shell.says(0, &["game", "show", "shell"]);
    assert!(shown.contains("Anna") && shown.contains("built-in player"), "{shown}");
    assert!(shell.says(0, &["game", "verify", "shell"]).contains("every draw as the seed gives it"));

    // The moderator: shown first, and then done.
    let shown = shell.says(1, &["moderate", "shell", "process"]);
    assert!(shown.contains("Nothing is done yet") && shown.contains("process for 1.movement"), "{shown}");
    assert!(shell.says(1, &["moderate", "shell", "process for 2.trade"]).contains("meant for 2.trade"));
    assert!(shell.says(0, &["moderate", "shell", "process", "for", "1.movement"]).contains("1.movement is ruled now"));
    assert!(shell.says(0, &["moderate", "shell", "deadline -1h for 2.movement"]).contains("The cut-off moves"));
    assert!(shell.says(0, &["moderate", "shell", "status"]).contains("2.movement, running"));
    assert!(shell.says(1, &["moderate", "shell", "proces"]).contains("did you mean `process`"));
    assert!(shell.says(2, &["moderate", "chess", "status"]).contains("there are shell"));
    assert!(shell.says(0, &["moderate", "shell", "rollback 1.movement for 2.movement"]).contains("become void"));
    assert!(shell.says(0, &["game", "verify", "shell"]).contains("every draw as the seed gives it"));
    assert!(shell.says(0, &["game", "show", "shell"]).contains("void)"));

    // A copy, and the game in a file of its own that another archive can read.
    shell.says(0, &["backup", "copy.sqlite"]);
    assert!(shell.says(2, &["backup", "copy.sqlite"]).contains("there already"));
    let exported = shell.call(&["game", "export", "shell"]);
    assert_eq!(exported.status.code(), Some(0));
    let other = Shell::new();
    fs::write(other.path("shell.json"), &exported.stdout).expect("the file");
    other.says(0, &["serve", "--once"]);
    assert!(other.says(0, &["game", "import", "shell.json"]).contains("shell"));
    assert!(other.says(2, &["game", "import", "shell.json"]).contains("already"));
    assert_eq!(other.says(0, &["game", "verify", "shell"]), shell.says(0, &["game", "verify", "shell"]));
    // It can be played on there: no letter of ours gets an id that one had before.
    let last = letters(&shell.path("out")).into_iter().map(mail).find(|mail| mail.subject.contains("went back"));
    let last = last.or_else(|| letters(&shell.path("out")).into_iter().map(mail).next_back()).expect("a letter");
    for number in 0..8 {
        let letter = format!(
            "From: <anna@example.org>\r\nTo: <{}>\r\nSubject: Re: a seat\r\nMessage-ID: <again{number}@example.org>\r\n\r\nstatus\r\n",
            last.reply_to
        );
        fs::write(other.path(&format!("in/new/{number}.letter")), letter).expect("it is delivered");
    }
    other.says(0, &["serve", "--once"]);
    assert!(letters(&other.path("out")).len() >= 8, "every letter is answered");
    let log = |said: String| said.lines().filter(|line| line.contains("  door  ")).count();
    assert_eq!(log(other.says(0, &["game", "show", "shell"])), log(shell.says(0, &["game", "show", "shell"])));
}

#[test]
fn a_wrong_call_says_what_to_write() {
    let shell = Shell::new();
    assert!(shell.says(2, &["game", "create", "none.toml"]).contains("none.toml"));
    fs::write(shell.path("bad.toml"), GAME.replace("Minoa", "Minoia2")).expect("a game");
    assert!(shell.says(2, &["game", "create", "bad.toml"]).contains("bad.toml:"));
    assert!(shell.says(2, &["backup", "copy.sqlite"]).contains("there is no archive"));
    assert!(shell.says(2, &["moderate", "shell", "status"]).contains("there is no archive"));
    assert!(shell.says(2, &["serve", "--config", "none.toml"]).contains("none.toml"));
    shell.says(2, &["game", "shov", "shell"]);
    shell.says(2, &["moderate", "shell"]);
}

/// Whether nothing in it steers a terminal.
fn is_plain(said: &str) -> bool {
    said.chars().all(|sign| !sign.is_control() || sign == '\n')
}

#[test]
fn nothing_stored_steers_a_terminal() {
    let shell = Shell::new();
    let text = fs::read_to_string(shell.path("game.toml")).expect("the file");
    fs::write(shell.path("evil.toml"), text.replacen("Anna", "An\\u001b]0;owned\\u0007na", 1)).expect("the file");
    let said = shell.says(2, &["game", "create", "evil.toml"]);
    assert!(said.contains("signs that nobody can see") && is_plain(&said), "{said:?}");
    shell.says(0, &["game", "create", "game.toml"]);
    // An older archive may have such a name, and a command may have anything in it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        use sqlx::Connection;
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(shell.path("cursus.sqlite"));
        let mut connection = sqlx::SqliteConnection::connect_with(&options).await.expect("the file opens");
        for query in [
            "update seats set player = 'An' || char(27) || '[2J' || char(10) || char(155) || 'na'",
            "update games set title = char(27) || ']0;owned' || char(7) || char(13) || 'x'",
        ] {
            sqlx::query(query).execute(&mut connection).await.expect("it is written");
        }
        connection.close().await.expect("it closes");
    });
    let evil = "replace Minoa Ev\u{1b}[31mil <eve@example.org>";
    let refused = shell.says(1, &["moderate", "shell", evil]);
    assert!(refused.contains("signs that nobody can see"), "{refused}");
    for call in [
        &["game", "show", "shell"][..],
        &["game", "list", "--json"],
        &["game", "export", "shell"],
        &["moderate", "shell", "announce: \u{1b}[31mred"],
        &["moderate", "shell", evil],
        &["moderate", "\u{1b}[31m", "status"],
        &["game", "show", "shell"],
    ] {
        let said = shell.call(call);
        let said = [said.stdout, said.stderr].concat();
        assert!(is_plain(&String::from_utf8_lossy(&said)), "{call:?}: {}", String::from_utf8_lossy(&said));
    }
}

#[test]
fn a_series_of_games_is_scored() {
    let shell = Shell::new();
    let series = "title = \"Cup\"\n[[games]]\ntitle = \"One\"\nresults = [{ player = \"Ann\", score = 9 }, { score = 8 }, { player = \"Ben\", score = 7 }]\n";
    fs::write(shell.path("series.toml"), series).expect("a series");
    let text = shell.says(0, &["standings", "series.toml"]);
    assert!(text.contains("1  Ann") && text.contains("2  Ben") && text.contains("(1) One"), "{text}");
    assert!(shell.says(0, &["standings", "--csv", "series.toml"]).contains("\"1\",\"Ann\",\"10\",\"1\",\"9\",\"10\""));
    assert!(shell.says(0, &["standings", "--html", "series.toml"]).contains("<td>Ben</td><td>5</td>"));
    fs::write(shell.path("series.toml"), "title = \"Cup\"\n[[games]]\ngame = \"shell\"\n").expect("a series");
    shell.says(0, &["game", "create", "game.toml"]);
    assert!(shell.says(2, &["standings", "series.toml"]).contains("is not over"));
}

/// A game goes on elsewhere: it is closed here, everybody is told where it is, and what still comes here does nothing.
#[test]
fn a_game_moves_to_another_house() {
    let shell = Shell::new();
    shell.says(0, &["game", "create", "game.toml"]);
    let said = shell.says(0, &["game", "export", "shell", "shell.json", "--move", "--to", "games@new.example"]);
    assert!(said.contains("closed here") && said.contains("games@new.example"), "{said}");
    assert!(shell.says(0, &["game", "list"]).contains("moved"));
    shell.says(0, &["serve", "--once"]);
    let told = letters(&shell.path("out")).into_iter().map(|raw| mail(raw).text).collect::<Vec<_>>();
    assert!(told.iter().any(|text| text.contains("has moved to another house")), "{told:?}");
    assert!(shell.says(2, &["game", "export", "shell", "again.json", "--move"]).contains("is over"));
    // There it is as it was.
    let other = Shell::new();
    fs::copy(shell.path("shell.json"), other.path("shell.json")).expect("a copy");
    other.says(0, &["game", "import", "shell.json"]);
    assert!(other.says(0, &["game", "list"]).contains("inviting"));
}
