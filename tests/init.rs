//! `cursus init`, as somebody types it and as a script calls it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A call in a folder, with these lines typed.
fn init(folder: &Path, flags: &[&str], typed: &str) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cursus"))
        .current_dir(folder)
        .arg("init")
        .args(flags)
        .env("TZ", "Europe/Warsaw")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("its input").write_all(typed.as_bytes());
    said(child.wait_with_output().expect("it ends"))
}

fn said(output: Output) -> (Option<i32>, String) {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), text)
}

fn cursus(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let call = Command::new(env!("CARGO_BIN_EXE_cursus")).current_dir(folder).args(arguments).output();
    said(call.expect("it runs"))
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).expect("the file").permissions().mode() & 0o777
}

/// Typed by somebody who reads the help, makes slips, and takes what is offered.
const TYPED: &str = "?\nnot an address\ncursus+x@club.example\ncursus@club.example\nnowhere\nfolder\n\
    just a name\nCursus <cursus@club.example>\nAnn \"A\" <ann@club.example>\n\nfr\npl\n\n\
    yes\nFirst Game\nfirst\nOur table\n3\n5\n\
    Ann <ann@club.example>\n\nBen <ann@club.example>\nBen <ben@club.example>\nfr\nen\n\n\n\n";

#[test]
fn a_house_is_set_up_by_answering_and_its_first_game_is_invited_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, text) = init(folder.path(), &["--folder", "house", "--wait", "1s"], TYPED);
    assert_eq!(code, Some(0), "{text}");
    for words in [
        "is no address",
        "Write it without `+`",
        "`nowhere` is not known",
        "write a name and an address",
        "the moderator needs another",
        "[Europe/Warsaw]",
        "Write en or pl",
        "Write small letters",
        "5 to 18",
        "Somebody with this address plays already",
        "2 invitations are in the outbox",
    ] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    let house = folder.path().join("house");
    let settings = fs::read_to_string(house.join("cursus.toml")).expect("the settings");
    assert!(settings.contains("zone = \"Europe/Warsaw\"") && settings.contains("language = \"pl\""), "{settings}");
    #[cfg(unix)]
    assert_eq!((mode(&house.join("cursus.toml")), mode(&house.join("first.toml"))), (0o600, 0o600));
    let game = fs::read_to_string(house.join("first.toml")).expect("the game");
    let (ann, ben) = game.split_once("Ben").expect("both are in it");
    assert!(!ann.contains("language") && ben.contains("language = \"en\""), "{game}");
    let (code, text) = cursus(&house, &["serve", "--once"]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(fs::read_dir(house.join("out/new")).expect("a Maildir").count(), 2, "both were written to");
    // A second call with other answers is none: it would change nothing.
    let (code, text) = init(&house, &["--yes", "--provider", "folder"], "");
    assert!(code == Some(2) && text.contains("stays as it is"), "{text}");
    // One without any goes on from there, and leaves the settings alone.
    let (code, text) = init(&house, &["--wait", "1s"], "?\nno\n");
    assert!(code == Some(0) && text.contains("stays as it is") && text.contains("another game"), "{text}");
    assert_eq!(fs::read_to_string(house.join("cursus.toml")).expect("the settings"), settings);
}

#[test]
fn a_script_answers_with_flags_and_the_password_has_a_file_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags =
        ["--address", "club@gmail.com", "--moderator", "Ann <ann@club.example>", "--no-doctor", "--zone", "UTC"];
    // The archive, the language and the user are taken as they are offered; the password is typed.
    let (code, text) = init(folder.path(), &flags, "\n\n\n?\nabcd efgh ijkl mnop\n\n\nno\n");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("myaccount.google.com/apppasswords") && text.contains("500 letters a day"), "{text}");
    assert!(!text.contains("abcd"), "nobody reads it over a shoulder: {text}");
    let settings = fs::read_to_string(folder.path().join("cursus.toml")).expect("the settings");
    assert!(settings.contains("imap.gmail.com") && settings.contains("password_file = \"password\""), "{settings}");
    assert!(!settings.contains("abcd"), "{settings}");
    let password = folder.path().join("password");
    assert_eq!(fs::read_to_string(&password).expect("the password"), "abcd efgh ijkl mnop\n");
    #[cfg(unix)]
    assert_eq!(mode(&password), 0o600);
}

/// The first evening ends in the middle of it: the next call begins where it ended.
#[test]
fn a_house_whose_game_was_not_created_yet_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = ["--address", "c@club.example", "--provider", "folder", "--moderator", "Ann <ann@club.example>"];
    let (code, text) = init(folder.path(), &[&flags[..], &["--no-doctor"]].concat(), "\n\n\n");
    assert!(code == Some(2) && text.contains("Create the first game now?"), "the terminal was closed: {text}");
    let settings = fs::read_to_string(folder.path().join("cursus.toml")).expect("the settings");
    let (code, text) = init(folder.path(), &["--wait", "1s"], "\n\n\n\nBen <ben@club.example>\n\n\n\n\n\n");
    assert!(code == Some(0) && text.contains("1 invitation is in the outbox"), "{text}");
    assert_eq!(fs::read_to_string(folder.path().join("cursus.toml")).expect("the settings"), settings);
    // Settings that somebody has spoiled meanwhile are told with their line, and stay.
    fs::write(folder.path().join("cursus.toml"), settings.replace("archive =", "archiv =")).expect("a file");
    let (code, text) = init(folder.path(), &[], "");
    assert!(code == Some(2) && text.contains("did you mean `archive`?"), "{text}");
}

#[test]
fn whoever_signs_in_with_a_browser_is_told_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = ["--address", "club@outlook.com", "--yes", "--moderator", "Ann <ann@club.example>"];
    let (code, text) = init(folder.path(), &flags, "");
    assert!(code == Some(2) && text.contains("entra.microsoft.com") && text.contains("Client id"), "{text}");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0, "nothing was written");
}

#[test]
fn whom_nobody_can_write_to_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = ["--address", "club@gmail.com", "--user", "club", "--zone", "UTC", "--no-doctor"];
    // Without an app password one would sign in with a browser; the provider is as it was guessed.
    let typed = "\n\nabcd efgh\nAnn <ann@example.org>\nAnn <club@gmail.com>\nAnn <ann@club.example>\n\n\nyes\n\n\n\n\
        Ben <ben@example.com>\nBen <ben@club.example>\n\n\n\n\n\n";
    let (code, text) = init(folder.path(), &flags, typed);
    assert_eq!(code, Some(0), "{text}");
    for words in
        ["ann@example.org is an address of the samples", "the moderator needs another", "ben@example.com is an address"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.contains("1 invitation is in the outbox"), "{text}");
}

/// The address of the sample file has no mailbox: it is asked about again once a server is named, and serves for a try.
#[test]
fn our_own_sample_address_is_no_mailbox() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = ["--user", "club", "--zone", "Mars/Phobos", "--no-doctor", "--moderator", "Ann"];
    // Flags that will not do are asked about as well.
    let typed = "cursus@example.org\ngmail\ncursus@example.com\n\nclub@gmail.com\n\n\nabcd efgh\nAnn <ann@club.example>\n\
        Europe/Oslo\n\n\nno\n";
    let (code, text) = init(folder.path(), &flags, typed);
    assert_eq!(code, Some(0), "{text}");
    for words in ["cursus@example.org is an address of the samples", "cursus@example.com is an address of the samples"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let settings = fs::read_to_string(folder.path().join("cursus.toml")).expect("the settings");
    assert!(settings.contains("address = \"club@gmail.com\"") && settings.contains("Europe/Oslo"), "{settings}");
    assert!(settings.contains("per_day = 450"), "a tenth is left: {settings}");
    let other = tempfile::tempdir().expect("a folder");
    let script = ["--address", "cursus@example.org", "--provider", "gmail", "--yes", "--password-file", "cursus.toml"];
    let (code, text) = init(other.path(), &script, "");
    assert!(code == Some(2) && text.contains("an address of the samples"), "{text}");
    assert_eq!(fs::read_dir(other.path()).expect("the folder").count(), 0, "nothing was written");
    let (code, text) =
        init(other.path(), &["--no-doctor"], "cursus@example.org\nfolder\nAnn <ann@example.org>\n\n\n\nno\n");
    assert_eq!(code, Some(0), "without a server it is good for a try: {text}");
}

/// A set-up that ended before its settings were written has left a password: it is taken, or moved aside, and never lost.
#[test]
fn a_password_that_is_there_already_is_asked_about() {
    for (typed, password, aside) in
        [("\n\n\n", "the old one\n", None), ("\n\nno\nthe new one\n", "the new one\n", Some("the old one\n"))]
    {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("password"), "the old one\n").expect("it is written");
        let flags = [
            "--address",
            "club@gmail.com",
            "--user",
            "club",
            "--zone",
            "UTC",
            "--no-doctor",
            "--moderator",
            "Ann <ann@club.example>",
        ];
        let (code, text) = init(folder.path(), &flags, &format!("{typed}\n\nno\n"));
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("password is here already"), "{text}");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
        assert_eq!((read("password").as_deref(), read("password.1").as_deref()), (Some(password), aside), "{text}");
        assert!(read("cursus.toml").is_some_and(|text| text.contains("password_file = \"password\"")));
    }
}

#[test]
fn a_sample_of_a_game_is_printed_and_can_be_created() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = [
        "--address",
        "c@example.org",
        "--provider",
        "folder",
        "--yes",
        "--no-doctor",
        "--moderator",
        "Ann <ann@example.org>",
    ];
    let (code, text) = init(folder.path(), &flags, "");
    assert!(code == Some(0) && text.contains("cursus game sample"), "{text}");
    for (which, players) in [("five", 5), ("7", 7), ("eighteen", 18)] {
        let (code, text) = cursus(folder.path(), &["game", "sample", which]);
        assert_eq!(code, Some(0), "{text}");
        assert_eq!(text.matches("\n[[seats]]\n").count(), players, "{text}");
        fs::write(folder.path().join("game.toml"), &text).expect("it is written");
        let (code, text) = cursus(folder.path(), &["game", "create", "game.toml"]);
        assert_eq!(code, Some(0), "{which}: {text}");
    }
    let (code, text) = cursus(folder.path(), &["game", "sample", "4"]);
    assert!(code == Some(2) && text.contains("5 to 18"), "{text}");
}

#[test]
fn nobody_at_the_keyboard_is_told_which_flag_is_wanting() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, text) = init(folder.path(), &["--provider", "folder"], "");
    assert!(code == Some(2) && text.contains("cursus init --help"), "{text}");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0);
    // Words that TOML or a terminal would take for more than words stay words.
    let flags = ["--address", "c@club.example", "--provider", "folder", "--yes", "--no-doctor"];
    let odd = "A\" ]\\ [x <ann@club.example>";
    let (code, text) =
        init(folder.path(), &[&flags[..], &["--moderator", odd, "--archive", "a\"b.sqlite"]].concat(), "");
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = cursus(folder.path(), &["serve", "--once"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(folder.path().join("a\"b.sqlite").exists());
}

#[test]
fn the_samples_are_not_served_and_settings_may_be_named_last() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/cursus.toml");
    let text = fs::read_to_string(settings).expect("the sample").replace("/var/lib/cursus/", "deep/down/");
    fs::write(folder.path().join("c.toml"), &text).expect("a file");
    let (code, text) = cursus(folder.path(), &["serve", "--once", "--config", "c.toml"]);
    assert!(code == Some(2) && text.contains("an address of the sample file"), "{text}");
    let spool = "archive = \"deep/down/c.sqlite\"\n";
    fs::write(folder.path().join("c.toml"), spool).expect("a file");
    let (code, text) = cursus(folder.path(), &["serve", "--once", "--config", "c.toml"]);
    assert!(code == Some(0) && folder.path().join("deep/down/c.sqlite").exists(), "{text}");
    let (_, text) = cursus(folder.path(), &["doctor", "--config", "c.toml"]);
    assert!(text.contains("WRONG  moderator"), "{text}");
    for last in [&["--config", "c.toml"][..], &["--config=c.toml"]] {
        let (_, text) = cursus(folder.path(), &[&["moderate", "none", "status"], last].concat());
        assert!(text.contains("there is no game `none`"), "{text}");
        let (code, text) = cursus(folder.path(), &[&["moderate", "none"], last].concat());
        assert!(code == Some(2) && text.contains("COMMAND"), "{text}");
    }
}

#[test]
fn without_settings_the_daemon_asks_for_init() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, text) = cursus(folder.path(), &["serve", "--once"]);
    assert!(code == Some(2) && text.contains("cursus init"), "{text}");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 0, "and begins nothing");
}
