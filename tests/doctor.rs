//! The doctor against real mail servers: what is well is said to be well, and what is wrong is told with what to do.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::mail::servers::Servers;
use cursus::archive::Archive;
use cursus::post::mailbox::MailboxSettings;
use serde_json::Value;

/// A house that is to be examined: a folder with settings.
struct House(tempfile::TempDir);

impl House {
    /// With a mailbox of these settings.
    fn with(mailbox: &MailboxSettings) -> House {
        let house = House(tempfile::tempdir().expect("a folder"));
        house.write("cursus.toml", &written(mailbox));
        house
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("it can be written");
    }

    fn call(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cursus"));
        command.current_dir(self.0.path()).arg("doctor").args(arguments).output().expect("it runs")
    }

    /// What the doctor says, and its exit code. Nobody waits a minute in a test.
    fn doctor(&self, wait: &str) -> (i32, String) {
        let output = self.call(&["--wait", wait]);
        let says = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(says.lines().all(|line| line.chars().count() <= 80 || !line.contains(' ')), "80 columns:\n{says}");
        assert!(!says.contains("secret-gm"), "no password is shown:\n{says}");
        (output.status.code().expect("it ends"), says)
    }
}

/// A mailbox as it stands in the settings.
fn written(mailbox: &MailboxSettings) -> String {
    let server = |server: &cursus::post::mailbox::Server, tls: &str| {
        format!("{{ host = \"{}\", port = {}, tls = \"{tls}\" }}", server.host, server.port.expect("a port"))
    };
    let path = |path: &Option<PathBuf>| path.as_ref().expect("a path").display().to_string();
    format!(
        "archive = \"cursus.sqlite\"\n[carriers.mail]\nkind = \"mailbox\"\naddress = \"{}\"\nuser = \"{}\"\n\
         password_file = \"{}\"\nimap = {}\nsmtp = {}\nroot_certificate = \"{}\"\ninbox = \"{}\"\nfolder = \"{}\"\n\
         [[moderators]]\nname = \"Ania\"\naddresses = [\"ania@test.invalid\"]\n[health]\nfile = \"health\"\n",
        mailbox.address,
        mailbox.user,
        path(&mailbox.password_file),
        server(&mailbox.imap, "implicit"),
        server(&mailbox.smtp, "starttls"),
        path(&mailbox.root_certificate),
        mailbox.inbox,
        mailbox.folder,
    )
}

/// A text without its line breaks.
fn flat(says: &str) -> String {
    says.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The flags of `cursus init` that say where these servers are.
fn flags(servers: &Servers) -> Vec<String> {
    let mailbox = servers.settings("gm");
    let at = |server: &cursus::post::mailbox::Server, tls: &str| {
        format!("{}:{}:{tls}", server.host, server.port.expect("a port"))
    };
    let root = mailbox.root_certificate.as_ref().expect("a path").display().to_string();
    let (imap, smtp) = (at(&mailbox.imap, "implicit"), at(&mailbox.smtp, "starttls"));
    let flags = [
        ["--address", &mailbox.address],
        ["--imap", &imap],
        ["--smtp", &smtp],
        ["--user", &mailbox.user],
        ["--root-certificate", &root],
        ["--moderator", "Ania <ania@test.invalid>"],
    ];
    flags.concat().into_iter().map(str::to_owned).collect()
}

/// The file of gm's password.
fn password(servers: &Servers) -> String {
    servers.settings("gm").password_file.expect("a path").display().to_string()
}

/// A call of `cursus init` in a folder, with these lines typed.
fn init(folder: &Path, flags: &[String], more: &[&str], typed: &str) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cursus"))
        .current_dir(folder)
        .arg("init")
        .args(flags)
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("its input").write_all(typed.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let says = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), flat(&says))
}

/// What `cursus init` writes from flags alone works with real servers, and the doctor has seen it.
#[test]
fn a_house_is_set_up_on_a_server_of_ones_own() {
    let servers = Servers::start();
    let folder = tempfile::tempdir().expect("a folder");
    let more = ["--yes", "--wait", "30s", "--password-file", &password(&servers)];
    let (code, says) = init(folder.path(), &flags(&servers), &more, "");
    assert_eq!(code, Some(0), "{says}");
    assert!(says.contains("a letter to oneself: it was back after") && says.contains("come back"), "{says}");
    let settings = fs::read_to_string(folder.path().join("cursus.toml")).expect("the settings");
    assert!(!settings.contains("answers =") && !settings.contains("delimiter"), "{settings}");
}

/// A port that is sealed otherwise than its number lets one think is found out, and written down.
#[test]
fn a_server_that_is_sealed_otherwise_mends_the_settings() {
    let servers = Servers::start();
    let folder = tempfile::tempdir().expect("a folder");
    let more = ["--yes", "--wait", "30s", "--password-file", &password(&servers)];
    let flags: Vec<String> = flags(&servers).iter().map(|flag| flag.replace(":starttls", ":implicit")).collect();
    let (code, says) = init(folder.path(), &flags, &more, "");
    assert_eq!(code, Some(0), "{says}");
    assert!(says.contains("smtp with tls = \"starttls\"") && says.contains("to oneself: it was back"), "{says}");
    let settings = fs::read_to_string(folder.path().join("cursus.toml")).expect("the settings");
    assert_eq!(settings.matches("tls = \"starttls\"").count(), 1, "{settings}");
}

#[test]
fn a_wrong_password_is_typed_again_and_ends_nothing() {
    let servers = Servers::start();
    let folder = tempfile::tempdir().expect("a folder");
    let right = fs::read_to_string(password(&servers)).expect("the password");
    let more = ["--wait", "30s", "--zone", "UTC", "--language", "en", "--archive", "a.sqlite"];
    // The provider is taken as it is offered. The password is wrong, and then the terminal is closed.
    let (code, says) = init(folder.path(), &flags(&servers), &more, "\nnot it\n");
    assert_eq!(code, Some(1), "{says}");
    assert!(says.contains("2 wrong") && says.contains("call `cursus init`: it goes on from here"), "{says}");
    let settings = fs::read_to_string(folder.path().join("cursus.toml")).expect("the settings");
    // The next call asks for nothing that was answered; the password is wrong once more, and then right.
    let typed = format!("yes\nstill not it\n?\n\n{}\nno\n", right.trim());
    let (code, says) = init(folder.path(), &[], &["--wait", "30s"], &typed);
    assert_eq!(code, Some(0), "{says}");
    assert!(says.contains("stays as it is") && says.contains("Most providers want an app password"), "{says}");
    assert!(says.contains("a letter to oneself: it was back") && says.contains("Create the first game"), "{says}");
    assert!(!says.contains(right.trim()) && !says.contains("still not it"), "no password is shown: {says}");
    assert_eq!(fs::read_to_string(folder.path().join("cursus.toml")).expect("the settings"), settings);
    assert_eq!(
        fs::read_to_string(folder.path().join("password")).expect("the password"),
        format!("{}\n", right.trim())
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(folder.path().join("password")).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let left: Vec<_> =
        fs::read_dir(folder.path()).expect("the folder").flatten().map(|file| file.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().ends_with(".new")), "{left:?}");
}

/// GMX, WP, Onet and many a server of one's own: whether it works nobody knows before it is tried.
#[test]
fn without_plus_addressing_the_settings_note_what_works() {
    let servers = Servers::start_without_plus();
    let folder = tempfile::tempdir().expect("a folder");
    let more = ["--yes", "--wait", "30s", "--password-file", &password(&servers)];
    let (code, says) = init(folder.path(), &flags(&servers), &more, "");
    assert_eq!(code, Some(0), "what is wrong was mended: {says}");
    assert!(says.contains("cursus.toml, so that mends it"), "{says}");
    let settings = fs::read_to_string(folder.path().join("cursus.toml")).expect("the settings");
    assert!(settings.contains("\nanswers = [\"message_id\", \"subject\"]\n"), "{settings}");
    // The doctor is content with them, and a second call finds nothing to mend.
    let (code, says) = init(folder.path(), &[], &["--yes", "--wait", "30s"], "");
    assert_eq!(code, Some(0), "{says}");
    assert!(says.contains("answers by id: the ids of our letters come back"), "{says}");
    // Settings that somebody else has written are left alone: the doctor says what to do.
    let by_hand: String =
        settings.lines().filter(|line| !line.starts_with("answers")).map(|line| format!("{line}\n")).collect();
    fs::write(folder.path().join("cursus.toml"), &by_hand).expect("it is written");
    let (code, says) = init(folder.path(), &[], &["--yes", "--wait", "30s"], "");
    assert!(code == Some(1) && says.contains("answers = [\"message_id\", \"subject\"]"), "{says}");
    assert_eq!(fs::read_to_string(folder.path().join("cursus.toml")).expect("the settings"), by_hand);
}

#[test]
fn a_sound_house_is_well_with_and_without_a_daemon() {
    let servers = Servers::start();
    let house = House::with(&servers.settings("gm"));
    let (code, says) = house.doctor("30s");
    assert_eq!(code, 0, "{says}");
    let told = flat(&says);
    for line in [
        "ok settings: cursus.toml",
        "is not there yet",
        "MB are free",
        "ok clock:",
        "ok edition:",
        "ok templates: the built-in ones",
        "ok moderator Ania: ania@test.invalid",
        "letters in (IMAP)",
        "letters out (SMTP)",
        "a letter to oneself: it was back after",
        "and is put away",
        "plus-addressing: letters to gm+GAME.SEAT.SECRET@test.invalid come back",
    ] {
        assert!(told.contains(line), "{line}:\n{says}");
    }
    assert!(servers.ask("gm", &["STATUS INBOX (MESSAGES)"]).contains("MESSAGES 0"), "nothing is left in the inbox");

    // Beside a daemon, which finds the letters first or second: nobody takes them for a player's.
    let daemon = Daemon::start(&house.path("cursus.toml"));
    let archive = house.path("cursus.sqlite");
    wait_until("the daemon is at work", || house.path("health").exists());
    let (code, says) = house.doctor("30s");
    assert_eq!(code, 0, "{says}");
    let told = flat(&says);
    assert!(told.contains("daemon: it was at work on this archive"), "{says}");
    assert!(told.contains("a letter to oneself: it was back after") && told.contains("come back"), "{says}");
    let counts = || Archive::visit(&archive).expect("the archive is there").letter_counts().expect("it answers");
    let is_read = || counts().iter().all(|(fate, _)| fate != "waiting");
    let is_empty = || servers.ask("gm", &["STATUS INBOX (MESSAGES)"]).contains("MESSAGES 0");
    wait_until("everything is read", || is_empty() && is_read());
    drop(daemon);
    let counts = counts();
    assert!(counts.iter().all(|(fate, _)| fate == "ignored"), "they are known as our own: {counts:?}");
    let archive = Archive::visit(&archive).expect("the archive is there");
    assert_eq!(archive.outbox_status(None).expect("it answers").sent, 0, "and nobody was written to");
    assert!(servers.ask("gm", &["STATUS INBOX (MESSAGES)"]).contains("MESSAGES 0"), "nothing is left in the inbox");

    let output = house.call(&["--json", "--wait", "30s"]);
    let findings: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let findings = findings.as_array().expect("a list");
    assert!(findings.len() > 10 && findings.iter().all(|finding| finding["health"] != "wrong"), "{findings:?}");
}

#[test]
fn a_server_without_plus_addressing_is_found_out() {
    let servers = Servers::start_without_plus();
    let house = House::with(&servers.settings("gm"));
    let (code, says) = house.doctor("30s");
    assert_eq!(code, 1, "{says}");
    let told = flat(&says);
    assert!(told.contains("a letter to oneself: it was back after"), "{says}");
    assert!(
        told.contains(
            "WRONG mail (mailbox): plus-addressing: letters to gm+GAME.SEAT.SECRET@test.invalid are returned"
        ),
        "{says}"
    );
    assert!(told.contains("answers = [\"message_id\", \"subject\"]"), "what works instead is said: {says}");
    assert!(told.contains("catch-all") && told.contains("recipient_delimiter"), "what to do is said: {says}");
}

#[test]
fn what_is_wrong_with_a_mailbox_is_told_with_what_to_do() {
    let servers = Servers::start();
    let sound = servers.settings("gm");
    // The password of another.
    let other = servers.settings("ania");
    let house = House::with(&MailboxSettings { password_file: other.password_file.clone(), ..sound.clone() });
    let (code, says) = house.doctor("5s");
    assert_eq!(code, 1, "{says}");
    assert_eq!(says.matches("WRONG").count(), 2, "in and out: {says}");
    assert!(flat(&says).contains("app password") && !says.contains("to oneself"), "{says}");
    // A folder that is not there.
    let house = House::with(&MailboxSettings { inbox: "Letters".to_owned(), ..sound.clone() });
    let (code, says) = house.doctor("5s");
    assert_eq!(code, 1, "{says}");
    assert!(flat(&says).contains("check `inbox`, which is INBOX"), "{says}");
    // A port at which nobody listens.
    let mut closed = sound.clone();
    closed.smtp.port = Some(1);
    let (code, says) = House::with(&closed).doctor("5s");
    assert_eq!(code, 1, "{says}");
    assert!(flat(&says).contains("localhost, port 1: no connection to the SMTP server"), "{says}");
    assert!(flat(&says).contains("check `host`, `port` and `tls`"), "{says}");
    // A name that no server has.
    let house = House::with(&sound);
    house.write("cursus.toml", &written(&sound).replace("host = \"localhost\"", "host = \"nowhere.invalid\""));
    let (code, says) = house.doctor("5s");
    assert_eq!(code, 1, "{says}");
    assert!(flat(&says).contains("no server of this name is found"), "{says}");
    // A server that is sealed otherwise.
    let house = House::with(&sound);
    house.write("cursus.toml", &written(&sound).replace("\"starttls\"", "\"implicit\""));
    let (code, says) = house.doctor("5s");
    assert_eq!(code, 1, "{says}");
    assert!(flat(&says).contains("this port is not sealed from the first byte; write tls = \"starttls\""), "{says}");
    // The other way round: both wait for the other to begin.
    house.write("cursus.toml", &written(&sound).replace("\"implicit\"", "\"starttls\""));
    let (code, says) = house.doctor("5s");
    assert_eq!(code, 1, "{says}");
    assert!(flat(&says).contains("sealed from the first byte; then write tls = \"implicit\""), "{says}");
    // A certificate that nobody vouches for.
    let house = House::with(&sound);
    let text =
        written(&sound).lines().filter(|line| !line.starts_with("root_certificate")).collect::<Vec<_>>().join("\n");
    house.write("cursus.toml", &text);
    let (code, says) = house.doctor("5s");
    assert_eq!(code, 1, "{says}");
    assert!(flat(&says).contains("certificate"), "{says}");
    // No password at all.
    let house =
        House::with(&MailboxSettings { password_file: Some(PathBuf::from("/nowhere/password")), ..sound.clone() });
    let (code, says) = house.doctor("5s");
    assert_eq!(code, 1, "{says}");
    assert!(flat(&says).contains("write the password, and nothing else, into the file"), "{says}");
    // An address that belongs to somebody else: the letter does not come back.
    let house = House::with(&MailboxSettings { address: "ania@test.invalid".to_owned(), ..sound });
    let (code, says) = house.doctor("3s");
    assert_eq!(code, 1, "{says}");
    assert!(flat(&says).contains("was taken, but has not come in 3.0 seconds"), "{says}");
    assert!(flat(&says).contains("is the address of a carrier"), "the moderator may not be the mailbox: {says}");
}

#[test]
fn what_is_wrong_in_the_house_is_told_with_what_to_do() {
    let house = House(tempfile::tempdir().expect("a folder"));
    // Without any settings the built-in ones are tried, and nobody moderates.
    let (code, says) = house.doctor("5s");
    assert_eq!(code, 1, "{says}");
    assert!(flat(&says).contains("mind settings: there is no cursus.toml"), "{says}");
    assert!(flat(&says).contains("WRONG moderator: the settings name none") && says.contains("\n1 wrong"), "{says}");
    // A wrong call, and wrong settings.
    assert_eq!(house.call(&["--config", "none.toml"]).status.code(), Some(2));
    assert_eq!(house.call(&["--wait", "long"]).status.code(), Some(2));
    house.write("cursus.toml", "archiv = \"x.sqlite\"\n");
    let (code, says) = house.doctor("5s");
    assert_eq!(code, 1, "{says}");
    assert!(says.contains("cursus.toml:1:") && says.contains("archive"), "{says}");
    // An archive of another program, in a folder that may not be entered, and own templates that are not sound.
    house.write(
        "cursus.toml",
        "archive = \"notes.txt\"\ntemplates = \"words\"\n[health]\nfile = \"notes.txt/health\"\n",
    );
    house.write("notes.txt", "dear diary");
    fs::create_dir_all(house.path("words/en")).expect("a folder");
    house.write("words/en/foot.txt", "{% if %}");
    let (code, says) = house.doctor("5s");
    assert_eq!(code, 1, "{says}");
    let told = flat(&says);
    assert!(told.contains("is no archive of Cursus") && told.contains("write another file as `archive`"), "{says}");
    assert!(told.contains("WRONG templates: templates/en/foot.txt"), "{says}");
    assert!(told.contains("WRONG health:"), "{says}");
    assert_eq!(fs::read_to_string(house.path("notes.txt")).expect("a file"), "dear diary", "it was not touched");
    // Phrases that lack some.
    house.write("cursus.toml", "archive = \"a.sqlite\"\ntemplates = \"words\"\n");
    fs::remove_file(house.path("words/en/foot.txt")).expect("it goes");
    let phrases = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/en/phrases.toml"));
    let phrases = phrases.expect("the phrases");
    let lacking: Vec<&str> = phrases.lines().filter(|line| !line.starts_with("no_hours")).collect();
    house.write("words/en/phrases.toml", &lacking.join("\n"));
    let (code, says) = house.doctor("5s");
    assert_eq!(code, 1, "{says}");
    assert!(flat(&says).contains("own phrases are missing: en/desk.no_hours"), "{says}");
    // Own ones that are sound are named.
    house.write("words/en/phrases.toml", &phrases.replace("There is no cut-off to extend now.", "No cut-off."));
    let (_, says) = house.doctor("5s");
    assert_eq!(says.matches("WRONG").count(), 1, "nobody moderates: {says}");
    assert!(flat(&says).contains("en/phrases.toml"), "{says}");
    // A clock behind what has happened.
    let archive = Archive::open(&house.path("a.sqlite"), cursus::archive::Durability::None).expect("an archive");
    archive.keep("alive", b"2099-01-01T00:00:00Z").expect("it is written");
    drop(archive);
    let (code, says) = house.doctor("5s");
    assert_eq!(code, 1, "{says}");
    assert!(flat(&says).contains("something in the archive happened at 2099-01-01"), "{says}");
}

/// The daemon, which goes when the test does.
struct Daemon(Child);

impl Daemon {
    fn start(config: &Path) -> Daemon {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cursus"));
        let command = command.args(["serve", "--config"]).arg(config).stdin(Stdio::null());
        Daemon(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the daemon starts"))
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}: it does not happen");
        thread::sleep(Duration::from_millis(100));
    }
}
