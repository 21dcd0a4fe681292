//! A mailbox that is opened with tokens (OAuth 2): a Dovecot, an Exim and a server of tokens, on good days and bad ones.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use cursus::post::mailbox::{Mailbox, MailboxSettings, Mechanism, OAuthSettings, Server, Tls};
use cursus::post::{Carrier, Cause, Dispatch, Trouble};
use serde_json::{Value, json};

use crate::mail::script::{Act, Scripted};
use crate::mail::servers::Servers;
use crate::mail::tokens::{Mood, TokenServer};

const NOW: Duration = Duration::ZERO;

fn dispatch(number: usize) -> Dispatch {
    Dispatch {
        message_id: format!("{number}@cursus.test.invalid"),
        date: DateTime::from_timestamp(1_800_000_000, 0).expect("a time"),
        to: "ania@player.invalid".to_owned(),
        reply_to: None,
        in_reply_to: None,
        references: Vec::new(),
        subject: format!("Letter {number}"),
        text: "Good day.\n".to_owned(),
        html: None,
        picture: None,
        data: None,
        list: None,
    }
}

fn oauth(settings: &MailboxSettings) -> &OAuthSettings {
    settings.oauth.as_ref().expect("tokens")
}

/// Writes tokens down as if they had been given so long ago, for an hour.
fn keep(settings: &MailboxSettings, access: &str, lasting: &str, ago: TimeDelta) {
    let issued = Utc::now() - ago;
    let expires = issued + TimeDelta::hours(1);
    let kept = json!({"access_token": access, "refresh_token": lasting, "issued": issued, "expires": expires});
    fs::write(&oauth(settings).token_file, kept.to_string()).expect("tokens are written");
}

fn kept(settings: &MailboxSettings) -> Value {
    serde_json::from_str(&fs::read_to_string(&oauth(settings).token_file).expect("tokens")).expect("JSON")
}

fn open(settings: &MailboxSettings) -> Mailbox {
    Mailbox::open("mail", settings.clone()).expect("the settings are in order")
}

fn warns(mailbox: &Mailbox, cause: Cause) -> Option<String> {
    mailbox.warnings().into_iter().find(|warning| warning.cause == cause).map(|warning| warning.says)
}

#[test]
fn letters_come_and_go_with_a_token_of_either_kind() {
    let tokens = TokenServer::start();
    let servers = Servers::start_with_tokens(&tokens);
    let mut settings = servers.settings_with_tokens("gm", &tokens);
    keep(&settings, &tokens.mint("gm"), &tokens.consented("gm"), TimeDelta::zero());
    let mailbox = open(&settings);
    servers.deliver("ania@player.invalid", "gm@test.invalid", b"From: ania@player.invalid\r\n\r\ndone\r\n");
    assert_eq!(mailbox.collect(NOW).expect("a letter").len(), 1);
    for number in 0..3 {
        mailbox.send(&dispatch(number)).expect("it leaves");
    }
    servers.await_letters("ania", 3);
    assert_eq!((tokens.refreshes(), mailbox.warnings()), (0, vec![]), "a token that is fresh is not renewed");
    // The other mechanism, where Dovecot offers it.
    settings.oauth.as_mut().expect("tokens").mechanism = Mechanism::OAuthBearer;
    assert_eq!(open(&settings).collect(NOW).expect("a letter").len(), 1);
    // Another's token opens nothing, and is not asked for again and again.
    keep(&settings, &tokens.mint("ania"), &tokens.consented("ania"), TimeDelta::zero());
    let mailbox = open(&settings);
    assert!(matches!(mailbox.collect(NOW), Err(Trouble::Barred(_))));
    assert!(matches!(mailbox.send(&dispatch(9)), Err(Trouble::Barred(_))));
    assert!(warns(&mailbox, Cause::TokenIn).is_some() && warns(&mailbox, Cause::TokenOut).is_some());
    assert!(tokens.refreshes() <= 3, "{}", tokens.refreshes());
}

#[test]
fn a_token_is_renewed_in_time_and_one_that_is_refused_costs_no_letter() {
    let tokens = TokenServer::start();
    let servers = Servers::start_with_tokens(&tokens);
    let settings = servers.settings_with_tokens("gm", &tokens);
    // Half of its time is over: it still works, and is renewed.
    let lasting = tokens.consented("gm");
    keep(&settings, &tokens.mint("gm"), &lasting, TimeDelta::minutes(31));
    let mailbox = open(&settings);
    assert!(mailbox.collect(NOW).expect("it works").is_empty());
    assert_eq!(tokens.refreshes(), 1);
    let new = kept(&settings);
    assert!(new["refresh_token"] != lasting.as_str(), "the new long-lived one is kept: the old one is taken once");
    let mode = fs::metadata(&oauth(&settings).token_file).expect("the file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(tokens.asked().iter().any(|asked| asked.contains("\"client_id\": \"our-own\"")), "{:?}", tokens.asked());
    // The provider ends it before its time, in the middle of a session and of the letters.
    mailbox.send(&dispatch(1)).expect("it leaves");
    tokens.end_tokens();
    servers.ask("gm", &["SELECT INBOX"]);
    let another = open(&settings);
    another.send(&dispatch(2)).expect("the token is renewed, and the letter leaves");
    assert!(another.collect(NOW).expect("so does the session").is_empty());
    servers.await_letters("ania", 2);
    assert_eq!((tokens.refreshes(), another.warnings()), (2, vec![]));
}

#[test]
fn a_token_server_on_a_bad_day_is_waited_for() {
    let tokens = TokenServer::start();
    let servers = Servers::start_with_tokens(&tokens);
    let settings = servers.settings_with_tokens("gm", &tokens);
    for mood in [Mood::Broken, Mood::Garbage] {
        tokens.feel(mood);
        // While the old token lives, everything goes on, and nobody is told before time grows short.
        keep(&settings, &tokens.mint("gm"), &tokens.consented("gm"), TimeDelta::minutes(31));
        let mailbox = open(&settings);
        assert!(mailbox.collect(NOW).expect("it works").is_empty());
        mailbox.send(&dispatch(1)).expect("it leaves");
        assert_eq!(mailbox.warnings(), []);
        keep(&settings, &tokens.mint("gm"), &tokens.consented("gm"), TimeDelta::minutes(50));
        let mailbox = open(&settings);
        assert!(mailbox.collect(NOW).expect("it works").is_empty());
        assert!(warns(&mailbox, Cause::Renewal).is_some_and(|says| says.contains("could not be renewed")));
        // When it is over, letters wait.
        keep(&settings, &tokens.mint("gm"), &tokens.consented("gm"), TimeDelta::hours(2));
        let mailbox = open(&settings);
        assert!(matches!(mailbox.send(&dispatch(2)), Err(Trouble::Passing(_))), "{mood:?}");
        assert!(matches!(mailbox.collect(NOW), Err(Trouble::Passing(_))), "{mood:?}");
    }
    // A token that is given and that no server takes ends in a warning, not in a storm.
    tokens.feel(Mood::Useless);
    keep(&settings, "at-nonsense", &tokens.consented("gm"), TimeDelta::zero());
    let mailbox = open(&settings);
    let before = tokens.refreshes();
    for number in 3..8 {
        assert!(matches!(mailbox.send(&dispatch(number)), Err(Trouble::Barred(_))));
        assert!(warns(&mailbox, Cause::TokenOut).is_some(), "it is said as long as it is so");
    }
    assert_eq!(tokens.refreshes(), before + 1, "one new token was asked for, and no other");
    // Whoever signs in anew is noticed at once.
    tokens.feel(Mood::Good);
    keep(&settings, &tokens.mint("gm"), &tokens.consented("gm"), TimeDelta::zero());
    mailbox.send(&dispatch(8)).expect("it leaves");
    assert_eq!(mailbox.warnings(), []);
}

#[test]
fn a_consent_that_is_taken_back_is_told_while_letters_can_still_leave() {
    let tokens = TokenServer::start();
    let servers = Servers::start_with_tokens(&tokens);
    let settings = servers.settings_with_tokens("gm", &tokens);
    keep(&settings, &tokens.mint("gm"), &tokens.consented("gm"), TimeDelta::minutes(31));
    tokens.revoke();
    let mailbox = open(&settings);
    assert!(mailbox.collect(NOW).expect("it still works").is_empty());
    let says = warns(&mailbox, Cause::Renewal).expect("the moderator is to know");
    assert!(says.contains("invalid_grant") && says.contains("cursus sign-in"), "{says}");
    mailbox.send(&dispatch(1)).expect("and can be told by the same mailbox");
    // It is not asked again and again; and whoever signs in anew is noticed without a restart.
    assert!(mailbox.collect(NOW).expect("it still works").is_empty());
    assert_eq!(tokens.refreshes(), 1);
    keep(&settings, &tokens.mint("gm"), &tokens.consented("gm"), TimeDelta::zero());
    mailbox.send(&dispatch(2)).expect("it leaves");
    assert_eq!(mailbox.warnings(), []);
    // Where nothing is left that works, letters wait, and nobody looks like a bad recipient.
    tokens.revoke();
    tokens.end_tokens();
    assert!(matches!(open(&settings).send(&dispatch(3)), Err(Trouble::Barred(_))));
    fs::remove_file(&oauth(&settings).token_file).expect("the file goes");
    let says = match open(&settings).send(&dispatch(4)) {
        Err(Trouble::Barred(says)) => says,
        other => panic!("{other:?}"),
    };
    assert!(says.contains("nobody has signed in yet"), "{says}");
}

/// The large providers refuse a token with a challenge first (334 and JSON, then 535).
#[test]
fn a_refusal_that_comes_as_a_challenge_is_one_of_the_token() {
    for mechanism in [Mechanism::XOAuth2, Mechanism::OAuthBearer] {
        let tokens = TokenServer::start();
        // Whatever is said, it is refused; the empty line, or the one that gives way, brings the code.
        let script = vec![
            ("GREETING", Act::Say("220 ready\r\n")),
            ("EHLO", Act::Say("250-test.invalid\r\n250 AUTH XOAUTH2 OAUTHBEARER\r\n")),
            ("AUTH", Act::Say("334 eyJzdGF0dXMiOiI0MDEifQ==\r\n")),
            ("MAIL", Act::Say("530 sign in first\r\n")),
            ("AQ==", Act::Say("535 5.7.8 no\r\n")),
            ("", Act::Say("535 5.7.8 no\r\n")),
        ];
        let (imap, smtp) = (Scripted::imap(Vec::new()), Scripted::smtp(script));
        let folder = tempfile::tempdir().expect("a folder");
        let server = |port| Server { host: "127.0.0.1".to_owned(), port: Some(port), tls: Tls::None };
        let settings = MailboxSettings {
            imap: server(imap.port()),
            smtp: server(smtp.port()),
            user: "gm".to_owned(),
            password_file: None,
            password_env: None,
            oauth: Some(OAuthSettings {
                client_id: "our-own".to_owned(),
                client_secret_file: None,
                token_file: folder.path().join("token.json"),
                token_url: tokens.url("/token"),
                device_url: None,
                authorize_url: None,
                scope: "mail".to_owned(),
                mechanism,
                redirect: None,
            }),
            address: "gm@test.invalid".to_owned(),
            display_name: None,
            inbox: "INBOX".to_owned(),
            folder: "Cursus".to_owned(),
            root_certificate: None,
        };
        keep(&settings, &tokens.mint("gm"), &tokens.consented("gm"), TimeDelta::zero());
        let sent = open(&settings).send(&dispatch(1));
        assert!(matches!(sent, Err(Trouble::Barred(_))), "{mechanism:?}: {sent:?}");
        assert_eq!(tokens.refreshes(), 1, "a new token was tried, once");
        let name = if mechanism == Mechanism::XOAuth2 { "AUTH XOAUTH2" } else { "AUTH OAUTHBEARER" };
        let heard = smtp.heard();
        assert_eq!(heard.iter().filter(|line| line.starts_with(name)).count(), 2, "{heard:?}");
        assert!(!heard.iter().any(|line| line.starts_with("MAIL")), "no letter was shown: {heard:?}");
    }
}

/// Calls `cursus` with flags, says what it prints to whoever is to act on it, and what it ends with.
fn cursus(folder: &Path, arguments: &[&str], act: impl FnOnce(&mut dyn FnMut() -> String)) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cursus"))
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("it runs");
    drop(child.stdin.take());
    let mut out = BufReader::new(child.stdout.take().expect("its words"));
    let mut says = String::new();
    act(&mut || {
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        assert!(!line.is_empty(), "it says no more than\n{says}");
        says.push_str(&line);
        line
    });
    out.read_to_string(&mut says).expect("the rest");
    (child.wait().expect("it ends").code().expect("a code"), says)
}

/// The first line that begins so.
fn line_after(next: &mut dyn FnMut() -> String, beginning: &str) -> String {
    loop {
        let line = next();
        if let Some(rest) = line.strip_prefix(beginning) {
            return rest.trim().to_owned();
        }
    }
}

/// From nothing to a house whose doctor is content, with a code that is typed into another machine's browser; then anew
/// with a browser that comes back to this one.
#[test]
fn a_house_is_set_up_and_signed_in_to_with_a_browser() {
    let tokens = TokenServer::start();
    let servers = Servers::start_with_tokens(&tokens);
    let mailbox = servers.settings("gm");
    let folder = tempfile::tempdir().expect("a folder");
    let at = |server: &Server, tls: &str| format!("{}:{}:{tls}", server.host, server.port.expect("a port"));
    let (imap, smtp) = (at(&mailbox.imap, "implicit"), at(&mailbox.smtp, "starttls"));
    let root = mailbox.root_certificate.as_ref().expect("a path").display().to_string();
    let urls = [tokens.url("/token"), tokens.url("/device"), tokens.url("/authorize")];
    let flags = [
        ["--address", &mailbox.address],
        ["--imap", &imap],
        ["--smtp", &smtp],
        ["--user", &mailbox.user],
        ["--client-id", "our-own"],
        ["--token-url", &urls[0]],
        ["--device-url", &urls[1]],
        ["--authorize-url", &urls[2]],
        ["--scope", "mail offline"],
        ["--root-certificate", &root],
        ["--moderator", "Ania <ania@test.invalid>"],
        ["--wait", "30s"],
    ];
    let flags = [&["init", "--yes"], &flags.concat()[..]].concat();
    let (code, says) = cursus(folder.path(), &flags, |next| {
        assert!(line_after(next, "Open ").ends_with("/type"));
        tokens.agree(&line_after(next, "and type "), "gm");
    });
    assert_eq!(code, 0, "{says}");
    assert!(says.contains("Signed in.") && says.contains("All is well."), "{says}");
    let file = folder.path().join("token.json");
    assert_eq!(fs::metadata(&file).expect("the tokens").permissions().mode() & 0o777, 0o600);
    let secrets = |text: &str| {
        let kept: Value = serde_json::from_str(text).expect("JSON");
        [kept["access_token"].as_str(), kept["refresh_token"].as_str()].map(|token| token.expect("one").to_owned())
    };
    let first = fs::read_to_string(&file).expect("the tokens");
    assert!(secrets(&first).iter().all(|secret| !says.contains(&format!("{secret}\n"))), "{says}");

    // A browser on this machine: what it is sent to brings a code back, and only with our own word of the moment.
    let (code, says) = cursus(folder.path(), &["sign-in", "--browser"], |next| {
        let url = line_after(next, "http");
        let location = get(&format!("http{url}")).1;
        let stranger = location.replace("state=", "state=x");
        assert_eq!(get(&stranger).0, 404, "a stranger's answer is not taken");
        let (status, body) = get(&location);
        assert!(status == 200 && body.contains("Thank you"), "{body}");
    });
    assert_eq!(code, 0, "{says}");
    assert_ne!(secrets(&fs::read_to_string(&file).expect("the tokens")), secrets(&first));
}

/// What an address answers: the place it sends a browser to, or its text.
fn get(url: &str) -> (u16, String) {
    let rest = url.strip_prefix("http://").expect("an address");
    let (host, path) = rest.split_once('/').expect("a path");
    let mut line = std::net::TcpStream::connect(host).expect("it is there");
    write!(line, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("it listens");
    let mut text = String::new();
    line.read_to_string(&mut text).expect("an answer");
    let status = text.split_whitespace().nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let location = text.lines().find_map(|line| line.strip_prefix("Location: "));
    (status, location.map(str::to_owned).unwrap_or(text.clone()))
}
