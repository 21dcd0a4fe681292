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

/// The letters in the outbox of the spool, by the names of their files.
fn letters(house: &House) -> Vec<(String, String)> {
    let files = fs::read_dir(house.path("house/out/new")).expect("the outbox");
    let mut letters: Vec<_> = files
        .map(|file| {
            let path = file.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("a letter"))
        })
        .collect();
    letters.sort();
    letters
}

/// Anna accepts her seat in a game.
fn accept(house: &House, game: &str) {
    let invitation = letters(house).into_iter().find(|(_, text)| text.contains(&format!("+{game}.minoa.")));
    let (_, text) = invitation.expect("she is invited");
    let to = text.lines().find_map(|line| line.strip_prefix("Reply-To: ")).expect("an address for answers");
    let letter = format!(
        "From: <anna@example.net>\r\nTo: {to}\r\nSubject: Re: x\r\nMessage-ID: <{game}.1@example.net>\r\n\r\nok\r\n"
    );
    fs::write(house.path(&format!("house/in/new/{game}")), letter).expect("a letter");
}

/// How a game stands, by `game list`.
fn status(house: &House, game: &str) -> String {
    let list = house.says(0, &["game", "list"]);
    let line = list.lines().find(|line| line.starts_with(game)).unwrap_or_else(|| panic!("{game} is missing:\n{list}"));
    line.split_whitespace().nth(1).expect("a status").to_owned()
}

/// Every letter that the archive calls sent lies in the spool, with the words that the archive has.
fn assert_all_are_there(house: &House) {
    let there = letters(house);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let rows = runtime.block_on(async {
        use sqlx::{Connection, Row};
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(house.path("house/cursus.sqlite"));
        let mut connection = sqlx::SqliteConnection::connect_with(&options).await.expect("it opens");
        let query = "select message_id, subject, status from outbox order by id";
        let rows = sqlx::query(query).fetch_all(&mut connection).await.expect("rows");
        connection.close().await.expect("it closes");
        rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect::<Vec<(String, String, String)>>()
    });
    assert!(!rows.is_empty());
    for (id, _, status) in &rows {
        assert_eq!(status, "sent", "{id}");
        assert!(
            there.iter().any(|(_, text)| text.contains(&format!("Message-ID: <{id}>"))),
            "{id} is not in the spool"
        );
    }
    let ids: std::collections::BTreeSet<_> = rows.iter().map(|(id, ..)| id).collect();
    assert_eq!(ids.len(), rows.len());
}

#[test]
fn a_copy_takes_the_archives_place_and_no_answer_is_lost() {
    let house = House::new();
    house.says(0, &["game", "create", "first.toml"]);
    house.says(0, &["serve", "--once"]);
    house.says(0, &["backup", "copy.sqlite"]);
    accept(&house, "first");
    house.says(0, &["serve", "--once"]);
    assert_eq!(status(&house, "first"), "running");
    let before = letters(&house);
    // What an accident has left beside the archive belongs to it, and not to the copy.
    fs::write(house.path("house/cursus.sqlite-wal"), "left over").expect("a file");

    let says = house.says(0, &["restore", "copy.sqlite"]);
    assert!(says.contains("first: inviting"), "{says}");
    let aside =
        says.lines().find_map(|line| line.strip_prefix("What was there before lies in ")).expect("it says where");
    let aside = house.path(aside.split(',').next().expect("a path"));
    assert!(aside.exists() && aside.to_string_lossy().contains("cursus.sqlite.before-"), "{says}");
    assert_eq!(Archive::visit(&aside).expect("it opens").games().expect("games")[0].status.name(), "running");
    assert_eq!(mode(&aside), 0o600);

    // The letter that the copy does not know is taken up again, and answered in letters of their own.
    house.says(0, &["serve", "--once"]);
    assert_eq!(status(&house, "first"), "running");
    let after = letters(&house);
    let new: Vec<_> = after.iter().filter(|letter| !before.contains(letter)).collect();
    // Without an epoch they would have the names of the letters that left before, and none would be new.
    assert!(!new.is_empty());
    assert!(before.iter().all(|letter| after.contains(letter)), "what left before is what it was");
    assert!(new.iter().any(|(_, text)| text.contains("+first.moderator.") && text.contains("were missing")), "{new:?}");
    assert_all_are_there(&house);
    // The next copy begins another epoch, and a second look finds nothing more.
    house.says(0, &["restore", "copy.sqlite"]);
    house.says(0, &["serve", "--once"]);
    assert!(letters(&house).len() > after.len(), "another epoch, other names");
    let count = letters(&house).len();
    house.says(0, &["serve", "--once"]);
    assert_eq!(letters(&house).len(), count);
    assert_all_are_there(&house);
}

#[test]
fn what_is_no_copy_does_not_take_the_archives_place() {
    let house = House::new();
    house.says(0, &["game", "create", "first.toml"]);
    house.says(0, &["backup", "copy.sqlite"]);
    let archive = house.path("house/cursus.sqlite");
    let before = fs::read(&archive).expect("bytes");
    let copy = fs::read(house.path("copy.sqlite")).expect("bytes");
    fs::write(house.path("text"), "Dear diary").expect("a file");
    fs::write(house.path("empty"), "").expect("a file");
    fs::write(house.path("half"), &copy[..copy.len() / 2]).expect("a file");
    let mut torn = copy.clone();
    let page = torn.len() / 3;
    torn[page..page + 9000].fill(7);
    fs::write(house.path("torn"), torn).expect("a file");
    for (name, why) in [
        ("nothing", "there is no file"),
        ("text", "is no archive of Cursus"),
        ("empty", "is no archive of Cursus"),
        ("half", "is damaged"),
        ("torn", "is damaged"),
        ("house/cursus.sqlite", "is the archive itself"),
    ] {
        let says = house.says(2, &["restore", name]);
        assert!(says.contains(why), "{name}: {says}");
        assert_eq!(fs::read(&archive).expect("bytes"), before, "{name}");
    }
    // Nor does anything while a daemon is at work.
    let _lock = Archive::lock(&archive).expect("nobody has it");
    assert!(house.says(2, &["restore", "copy.sqlite"]).contains("another Cursus is at work"));
}

#[test]
fn an_older_archive_that_somebody_put_there_begins_an_epoch_and_a_missing_one_is_not_begun_anew() {
    let house = House::new();
    house.says(0, &["game", "create", "first.toml"]);
    house.says(0, &["serve", "--once"]);
    house.says(0, &["backup", "copy.sqlite"]);
    accept(&house, "first");
    house.says(0, &["serve", "--once"]);
    let before = letters(&house);
    fs::copy(house.path("copy.sqlite"), house.path("house/cursus.sqlite")).expect("by hand");
    house.says(0, &["serve", "--once"]);
    assert_eq!(status(&house, "first"), "running");
    let after = letters(&house);
    assert!(after.len() > before.len(), "what is written anew has names of its own");
    assert!(before.iter().all(|letter| after.contains(letter)));
    assert_all_are_there(&house);
    fs::remove_file(house.path("house/cursus.sqlite")).expect("it is gone");
    let says = house.says(2, &["serve", "--once"]);
    assert!(says.contains("is gone") && says.contains("cursus restore"), "{says}");
    house.says(0, &["restore", "copy.sqlite"]);
    assert_eq!(status(&house, "first"), "inviting");
}

#[test]
fn letters_behind_a_damage_of_the_wal_are_taken_up_again() {
    let house = House::new();
    house.says(0, &["game", "create", "first.toml"]);
    house.says(0, &["serve", "--once"]);
    accept(&house, "first");
    let mut daemon = house.command(&["serve"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    let begun = Instant::now();
    let has_begun = || letters(&house).iter().any(|(name, _)| name.contains("welcome") || name.contains("report"));
    while !has_begun() && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    daemon.kill().expect("it is killed");
    daemon.wait().expect("it ends");
    let wal = house.path("house/cursus.sqlite-wal");
    let mut bytes = fs::read(&wal).expect("a WAL is left");
    bytes[100] ^= 0xff;
    fs::write(&wal, bytes).expect("it is damaged");

    let says = house.says(0, &["serve", "--once"]);
    assert!(says.contains("older than the mark beside it"), "{says}");
    assert!(says.contains("letters that the archive had lost were found"), "{says}");
    assert_eq!(status(&house, "first"), "running");
    assert_all_are_there(&house);
}

#[test]
fn a_game_that_cannot_be_read_is_one_line_and_the_others_go_on() {
    let house = House::new();
    house.write_game("second");
    for game in ["first.toml", "second.toml"] {
        house.says(0, &["game", "create", game]);
    }
    house.says(0, &["serve", "--once"]);
    for damage in ["settings = '{'", "created_at = 'once', settings = '{'"] {
        tamper(&house.path("house/cursus.sqlite"), &format!("update games set {damage} where id = 'first'"));
        let list = house.says(0, &["game", "list"]);
        let line = list.lines().find(|line| line.starts_with("first")).expect("a line");
        assert!(line.contains("damaged") && line.contains("cannot be read"), "{list}");
        assert!(list.lines().any(|line| line.starts_with("second")), "{list}");
    }
    assert!(house.says(0, &["game", "list", "--json"]).contains("\"trouble\""));
    accept(&house, "first");
    accept(&house, "second");
    house.says(0, &["serve", "--once"]);
    assert_eq!(status(&house, "second"), "running");
    let begun = Instant::now();
    let output = stopped(&house, || begun.elapsed() > Duration::from_secs(2));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    house.says(0, &["doctor"]);
}

fn tamper(path: &Path, words: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        use sqlx::Connection;
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
        let mut connection = sqlx::SqliteConnection::connect_with(&options).await.expect("the file opens");
        let words = sqlx::AssertSqlSafe(words.to_owned());
        sqlx::raw_sql(words).execute(&mut connection).await.expect("it is done");
        connection.close().await.expect("it closes");
    });
}

/// Passwords, keys and tokens, wherever the settings say that they are.
#[test]
fn the_doctor_tells_which_secrets_others_could_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("etc");
    fs::create_dir(&place).expect("a folder");
    fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).expect("a mode");
    let server = "{ host = \"127.0.0.1\", port = 1, tls = \"none\" }";
    let mail = format!("kind = \"mailbox\"\nuser = \"c\"\nimap = {server}\nsmtp = {server}\n");
    let settings = format!(
        "archive = \"a/cursus.sqlite\"\n[web]\nlisten = \"127.0.0.1:0\"\naddress = \"https://club.example\"\n\
         certificate = \"cert.pem\"\nkey = \"web.key\"\n\
         [carriers.mail]\naddress = \"c@club.example\"\npassword_file = \"password\"\n{mail}\
         [carriers.other]\naddress = \"d@club.example\"\n{mail}[carriers.other.oauth]\nclient_id = \"x\"\n\
         client_secret_file = \"client-secret\"\ntoken_file = \"token.json\"\ntoken_url = \"http://127.0.0.1:1/\"\ndevice_url = \"http://127.0.0.1:1/\"\nscope = \"m\"\n\
         [carriers.forum]\nkind = \"discourse\"\nurl = \"http://127.0.0.1:1\"\nuser = \"c\"\nkey_file = \"forum.key\"\n"
    );
    fs::write(place.join("cursus.toml"), settings).expect("the settings");
    let secrets = ["password", "client-secret", "token.json", "forum.key", "web.key", "cursus.toml"];
    for name in secrets.iter().chain(&["cert.pem"]).filter(|name| **name != "cursus.toml") {
        fs::write(place.join(name), "secret\n").expect("it is written");
    }
    let doctor = || {
        let call = Command::new(env!("CARGO_BIN_EXE_cursus"))
            .args(["doctor", "--wait", "1s", "--config"])
            .arg(place.join("cursus.toml"))
            .output()
            .expect("it runs");
        String::from_utf8_lossy(&call.stdout).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let set = |mode: u32| {
        for name in secrets {
            fs::set_permissions(place.join(name), fs::Permissions::from_mode(mode)).expect("a mode");
        }
    };
    set(0o644);
    let says = doctor();
    for name in secrets {
        assert!(says.contains(&format!("{} (mode 644)", place.join(name).display())), "{name}: {says}");
    }
    // A group may hold the settings and the key of the certificate, and nothing else.
    set(0o640);
    let says = doctor();
    for name in secrets {
        let is_told = says.contains(&format!("{} (mode 640)", place.join(name).display()));
        assert_eq!(is_told, !["web.key", "cursus.toml"].contains(&name), "{name}: {says}");
    }
    set(0o600);
    let says = doctor();
    assert!(says.contains("secrets: nobody else may read passwords, keys and tokens"), "{says}");
}
