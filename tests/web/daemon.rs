//! The daemon itself: killed between click and answer, and what it writes into its log.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;

use super::browser::Browser;
use super::hall::{code, path};
use crate::desk::club::{Mail, mail};

struct Daemon(Child);

impl Daemon {
    fn start(folder: &Path) -> Daemon {
        let log = fs::File::options().create(true).append(true).open(folder.join("log")).expect("a log");
        let child = Command::new(env!("CARGO_BIN_EXE_cursus"))
            .args(["serve", "--config"])
            .arg(folder.join("cursus.toml"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        Daemon(child.expect("the daemon starts"))
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

const GAME: &str = r#"
id = "demo"
title = "Demo"
scenario = "west_5"
rehearsal = false

[[seats]]
civ = "Minoa"
player = "Anna"
addresses = ["anna@player.example"]
format = "text"

[[seats]]
civ = "Hellas"
companion = "settler"

[[seats]]
civ = "Assyria"
companion = "settler"

[[seats]]
civ = "Egypt"
companion = "settler"

[[seats]]
civ = "Hatti"
companion = "settler"
"#;

/// Waits for a letter that is as wanted.
fn letter(folder: &Path, is_wanted: impl Fn(&Mail) -> bool) -> Mail {
    loop {
        for file in fs::read_dir(folder.join("out/new")).into_iter().flatten().flatten() {
            let Ok(raw) = fs::read(file.path()) else { continue };
            let mail = mail(raw);
            if is_wanted(&mail) {
                return mail;
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A page as soon as the server is there.
fn patient<T>(ask: impl Fn() -> Option<T>) -> T {
    loop {
        if let Some(told) = ask() {
            return told;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn killed_between_click_and_answer_nothing_is_lost_or_doubled_and_no_secret_is_logged() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path();
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port").local_addr().expect("its number").port();
    let settings = format!(
        "archive = \"cursus.sqlite\"\nlog = \"trace\"\n\n[carriers.spool]\nkind = \"spool\"\naddress = \"cursus@example.org\"\n\
         in = \"in\"\nout = \"out\"\n\n[web]\nlisten = \"127.0.0.1:{port}\"\naddress = \"http://127.0.0.1:{port}\"\n\n\
         [[moderators]]\nname = \"Moderator\"\naddresses = [\"moderator@example.org\"]\n"
    );
    fs::write(folder.join("cursus.toml"), settings).expect("settings");
    fs::write(folder.join("demo.toml"), GAME).expect("a game");
    let mut create = Command::new(env!("CARGO_BIN_EXE_cursus"));
    create.args(["game", "--config"]).arg(folder.join("cursus.toml")).arg("create").arg(folder.join("demo.toml"));
    let created = create.output().expect("it runs");
    assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
    let mut daemon = Daemon::start(folder);
    let invitation = letter(folder, |mail| mail.to == "anna@player.example");
    let link = path(invitation.text.split_whitespace().find(|word| word.contains("/p/")).expect("a link"));
    let browser = Browser::new(&format!("http://127.0.0.1:{port}"), None);
    let token = browser.open(&link).token();
    assert_eq!(browser.post("/enter", &[("token", &token)]).status, 200);
    let code = code(&[letter(folder, |mail| mail.subject.contains("code"))]);
    let opened = browser.post("/enter/code", &[("token", &token), ("code", &code)]);
    assert_eq!(opened.header("location"), "/s/demo/minoa");
    let send =
        |id: &str, lines: &str| browser.send("/s/demo/minoa/send", &token, &json!({ "id": id, "lines": lines })).json();
    assert_eq!(send("seat", "ok")["state"], "handled");
    for number in 0..4 {
        // The click leaves, and the daemon dies before anybody has heard the answer; sooner or later than it is remembered.
        let (id, lines) = (format!("click-{number}"), format!("always tax {number}"));
        let base = format!("http://127.0.0.1:{port}");
        let cookie = format!("cursus-device={}", browser.jar.borrow()["cursus-device"]);
        let (body, shown) = (json!({ "id": id, "lines": lines }), token.clone());
        let click = std::thread::spawn(move || {
            let client = reqwest::blocking::Client::builder().no_proxy().build().expect("a client");
            let request = client.post(format!("{base}/s/demo/minoa/send")).header("cookie", cookie);
            let _ = request.header("x-cursus-token", shown).json(&body).send();
        });
        std::thread::sleep(Duration::from_millis(number * 4));
        drop(daemon);
        click.join().expect("it has been sent");
        daemon = Daemon::start(folder);
        patient(|| std::net::TcpStream::connect(("127.0.0.1", port)).ok());
        // The browser sends it again, twice: it cannot know.
        let told = send(&id, &lines);
        let told =
            if told["state"] == "waiting" { browser.get(&format!("/s/demo/minoa/sent/{id}")).json() } else { told };
        assert_eq!(told["state"], "handled", "{told}");
        assert_eq!(send(&id, &lines), told);
        let standing = told["told"]["standing"].as_array().expect("standing orders");
        let same = standing.iter().filter(|line| line.to_string().contains(&format!("tax {number}"))).count();
        assert_eq!(same, 1, "{told}");
    }
    drop(daemon);
    let log = fs::read_to_string(folder.join("log")).expect("a log");
    assert!(log.contains("the order page is served"));
    let secret = link.rsplit('.').next().expect("a secret").to_owned();
    let device = browser.jar.borrow()["cursus-device"].clone();
    for (what, word) in [("link", &secret), ("device", &device), ("token", &token), ("code", &code)] {
        assert!(!log.contains(word.as_str()), "the {what} is in the log");
    }
    assert!(!log.contains("anna@player.example") && !log.contains("always tax"));
}
