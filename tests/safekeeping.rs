//! The archive as a thing on a disk: nobody else reads it, one daemon has it, a copy can take its place, and what a stranger
//! hands in as a game is looked at before it is believed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use cursus::archive::{Archive, ArchiveError, Durability};

const SETTINGS: &str = r#"
archive = "house/cursus.sqlite"
log = "warn"

[carriers.spool]
kind = "spool"
address = "cursus@example.org"
in = "house/in"
out = "house/out"

[[moderators]]
name = "Marta"
addresses = ["marta@example.net"]
"#;

/// A folder with settings and games.
struct House(tempfile::TempDir);

impl House {
    fn new() -> House {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("cursus.toml"), SETTINGS).expect("settings");
        let house = House(folder);
        house.write_game("first");
        house
    }

    fn write_game(&self, id: &str) {
        let mut game =
            format!("id = \"{id}\"\ntitle = \"The game {id}\"\nplayers = 5\n[schedule]\ncooling_off = \"0s\"\n");
        game += "[[seats]]\nciv = \"Minoa\"\nplayer = \"Anna\"\naddresses = [\"anna@example.net\"]\n";
        for civ in ["Assyria", "Hatti", "Hellas", "Egypt"] {
            game += &format!("[[seats]]\nciv = \"{civ}\"\ncompanion = \"settler\"\n");
        }
        fs::write(self.path(&format!("{id}.toml")), game).expect("a game");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cursus"));
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    /// A call with its exit code; gives what it printed.
    fn says(&self, code: i32, arguments: &[&str]) -> String {
        told(code, &self.command(arguments).output().expect("it runs"))
    }

    /// The same from a shell with this umask.
    fn says_under(&self, umask: &str, call: &str) -> String {
        let program = env!("CARGO_BIN_EXE_cursus");
        let mut shell = Command::new("sh");
        let line = format!("umask {umask}; {}", call.replace("cursus ", &format!("{program} ")));
        told(0, &shell.current_dir(self.0.path()).args(["-c", &line]).output().expect("it runs"))
    }
}

fn told(code: i32, output: &Output) -> String {
    let says = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{says}");
    says
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).permissions().mode() & 0o777
}

/// Everything in a folder, deeply.
fn everything(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all.extend(everything(&path));
        }
        all.push(path);
    }
    all
}

#[test]
fn nobody_else_may_read_what_the_house_writes_whatever_the_umask() {
    for umask in ["000", "022"] {
        let house = House::new();
        house.says_under(umask, "cursus game create first.toml");
        // A second connection keeps what SQLite puts beside the archive.
        let visitor = Archive::visit(&house.path("house/cursus.sqlite")).expect("it is there");
        assert_eq!(visitor.games().expect("games").len(), 1);
        house.says_under(umask, "cursus serve --once && cursus backup house/copy.sqlite");
        house.says_under(
            umask,
            "cursus game export first > house/first.json && cursus game export first house/too.json",
        );
        let all = everything(&house.path("house"));
        for ending in ["sqlite", "sqlite-wal", "sqlite-shm", "sqlite.lock", "copy.sqlite", "first.json", "too.json"] {
            let is_there = all.iter().any(|path| path.to_string_lossy().ends_with(ending));
            assert!(is_there, "{ending} is not there: {all:?}");
        }
        assert!(all.iter().any(|path| path.starts_with(house.path("house/out/new")) && path.is_file()), "{all:?}");
        for path in &all {
            let wanted = if path.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode(path), wanted, "{} under {umask}", path.display());
        }
        drop(visitor);
    }
}

#[test]
fn an_archive_that_others_could_read_is_closed_to_them_and_the_doctor_tells_of_the_rest() {
    let house = House::new();
    house.says(0, &["game", "create", "first.toml"]);
    let archive = house.path("house/cursus.sqlite");
    fs::set_permissions(&archive, fs::Permissions::from_mode(0o644)).expect("a mode");
    house.says(0, &["game", "list"]);
    assert_eq!(mode(&archive), 0o600);
    house.says(0, &["serve", "--once"]);
    assert!(house.says(0, &["doctor"]).contains("privacy: nobody else"), "all is private");
    for open in ["house/in", "house/in/new"] {
        fs::set_permissions(house.path(open), fs::Permissions::from_mode(0o755)).expect("a mode");
    }
    let says = house.says(0, &["doctor"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(says.contains("other users of this machine may look into"), "{says}");
    assert!(says.contains("house/in/new (mode 755)"), "{says}");
    assert!(!says.contains("house/in/cur (mode"), "{says}");
    // A file of others stays as it is, its mode too.
    let foreign = house.path("diary");
    fs::write(&foreign, "Dear diary").expect("a file");
    fs::set_permissions(&foreign, fs::Permissions::from_mode(0o644)).expect("a mode");
    assert!(Archive::open(&foreign, Durability::Full).is_err());
    assert_eq!(mode(&foreign), 0o644);
}

#[test]
fn an_archive_has_one_daemon_by_whatever_name_it_is_called() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path();
    let path = folder.join("cursus.sqlite");
    let lock = Archive::lock(&path).expect("nobody has it");
    let is_locked = |path: &Path| matches!(Archive::lock(path), Err(ArchiveError::Locked(_)));
    assert!(is_locked(&path));
    fs::create_dir(folder.join("elsewhere")).expect("a folder");
    let (symlink, link) = (folder.join("elsewhere/link.sqlite"), folder.join("elsewhere/hard.sqlite"));
    std::os::unix::fs::symlink("../cursus.sqlite", &symlink).expect("a link");
    fs::hard_link(&path, &link).expect("a link");
    assert!(is_locked(&symlink), "by a symbolic link");
    assert!(is_locked(&link), "by a hard link");
    fs::remove_file(folder.join("cursus.sqlite.lock")).expect("the lock file was there");
    assert!(is_locked(&path), "without the lock file");
    drop(lock);
    // It goes with whoever had it, and the archive can be opened by any of its names. A process that another test is just
    // starting has copies of all that is open, for a moment.
    let begun = Instant::now();
    let _lock = loop {
        match Archive::lock(&symlink) {
            Ok(lock) => break lock,
            Err(error) => assert!(begun.elapsed() < Duration::from_secs(10), "{error}"),
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    Archive::open(&symlink, Durability::None).expect("it opens");
    assert!(is_locked(&path));
    // A link may be there before the archive.
    let early = folder.join("early.sqlite");
    std::os::unix::fs::symlink("elsewhere/later.sqlite", &early).expect("a link");
    let _lock = Archive::lock(&early).expect("nobody has it");
    assert!(is_locked(&folder.join("elsewhere/later.sqlite")));
}

/// A daemon that was asked to stop, as systemd would.
fn stopped(house: &House, until: impl Fn() -> bool) -> Output {
    let daemon = house.command(&["serve"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let begun = Instant::now();
    while !until() && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let ended = Command::new("kill").args(["-TERM", &daemon.id().to_string()]).status().expect("kill runs");
    assert!(ended.success());
    daemon.wait_with_output().expect("it ends")
}

#[test]
fn a_clean_stop_leaves_one_file() {
    let house = House::new();
    house.says(0, &["game", "create", "first.toml"]);
    let out = house.path("house/out/new");
    let output = stopped(&house, || fs::read_dir(&out).is_ok_and(|files| files.count() > 0));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for ending in ["-wal", "-shm"] {
        assert!(!house.path(&format!("house/cursus.sqlite{ending}")).exists(), "{ending} is left");
    }
}
