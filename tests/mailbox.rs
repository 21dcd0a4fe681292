//! The mailbox against a real Dovecot and a real Exim, and against false servers that do what real ones do on bad days.

use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::mail::script::{Act, Scripted};
use crate::mail::servers::Servers;
use chrono::{DateTime, Utc};
use cursus::post::letter::{self, Broken, Kind};
use cursus::post::mailbox::{Mailbox, Tls};
use cursus::post::{Carrier, Cause, Dispatch, Mark, Receipt, Received, Trouble};

const NOW: Duration = Duration::ZERO;
const SOON: Duration = Duration::from_secs(30);

fn letter(number: usize) -> String {
    format!(
        "From: Ania <ania@player.invalid>\r\nTo: gm+g1.minoa.k7Qz@test.invalid\r\nSubject: orders {number}\r\n\
         Message-ID: <{number}@player.invalid>\r\nContent-Type: text/plain; charset=utf-8\r\n\
         Content-Transfer-Encoding: 8bit\r\n\r\nmove {number} Crete -> Thera\r\n.. zażółć\r\n"
    )
}

fn dispatch(id: &str, to: &str) -> Dispatch {
    Dispatch {
        message_id: id.to_owned(),
        date: DateTime::from_timestamp(1_800_000_000, 0).expect("a time"),
        to: to.to_owned(),
        reply_to: Some("gm+g1.minoa.k7Qz@test.invalid".to_owned()),
        in_reply_to: None,
        references: Vec::new(),
        subject: "Tura 4: zażółć gęślą jaźń".to_owned(),
        text: "Zażółć gęślą jaźń.\n\n.\n..\nFrom here on\n".to_owned(),
        html: None,
        picture: None,
        data: None,
        list: None,
    }
}

fn marks(letters: &[Received]) -> Vec<Mark> {
    letters.iter().map(|letter| letter.mark.clone()).collect()
}

fn subjects(letters: &[Received]) -> Vec<String> {
    letters.iter().map(|received| letter::open(&received.raw).expect("it opens").subject).collect()
}

fn says(trouble: Result<impl std::fmt::Debug, Trouble>) -> String {
    match trouble {
        Err(Trouble::Passing(says) | Trouble::Barred(says)) => says,
        other => panic!("a passing trouble was expected: {other:?}"),
    }
}

/// Collects as the desk does: a passing trouble is waited out.
fn collect_patiently(mailbox: &Mailbox) -> Vec<Received> {
    let begun = Instant::now();
    loop {
        match mailbox.collect(Duration::from_secs(5)) {
            Ok(letters) if !letters.is_empty() => return letters,
            Ok(_) | Err(Trouble::Passing(_)) => {}
            Err(lasting) => panic!("{lasting}"),
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "no letter comes");
    }
}

/// Collects until it fails: a server that goes takes a moment to leave its sessions.
fn first_trouble(mailbox: &Mailbox) -> String {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(30) {
        match mailbox.collect(NOW) {
            Ok(_) => thread::sleep(Duration::from_millis(50)),
            trouble => return says(trouble),
        }
    }
    panic!("the session never ends");
}

#[test]
fn a_letter_comes_until_it_is_kept() {
    let servers = Servers::start();
    let mailbox = servers.mailbox("gm");
    assert!(mailbox.collect(NOW).expect("nothing").is_empty());
    let before = Utc::now();
    servers.post("ania@player.invalid", "gm+g1.minoa.k7Qz@test.invalid", &letter(1));
    servers.await_letters("gm", 1);
    let letters = mailbox.collect(SOON).expect("a letter");
    assert_eq!(letters.len(), 1);
    assert!((letters[0].arrived - before).num_seconds().abs() < 60, "the server's time: {}", letters[0].arrived);
    let opened = letter::open(&letters[0].raw).expect("it opens");
    assert_eq!(opened.kind, Kind::Letter);
    assert_eq!(opened.text.trim_end(), "move 1 Crete -> Thera\n. zażółć");
    assert_eq!(opened.addressed.to, ["gm+g1.minoa.k7Qz@test.invalid"]);
    assert_eq!(opened.addressed.delivered_to, ["gm+g1.minoa.k7Qz@test.invalid"], "what follows the plus survives");

    // Not kept, it comes again: now, after a restart of ours, and when a person has read it.
    assert_eq!(mailbox.collect(NOW).expect("again"), letters);
    assert_eq!(servers.mailbox("gm").collect(NOW).expect("again"), letters);
    servers.ask("gm", &["SELECT INBOX", "STORE 1 +FLAGS (\\Seen)"]);
    assert_eq!(mailbox.collect(NOW).expect("again"), letters);

    mailbox.keep(&marks(&letters)).expect("it is kept");
    assert!(mailbox.collect(NOW).expect("nothing").is_empty());
    assert!(servers.mailbox("gm").collect(NOW).expect("nothing").is_empty());
    assert_eq!((servers.count("gm", "INBOX"), servers.count("gm", "Cursus")), (0, 1));
    mailbox.keep(&marks(&letters)).expect("a mark that is no longer known is passed over");
    mailbox.keep(&[Mark("nonsense".to_owned()), Mark("1.x".to_owned()), Mark("1.0".to_owned())]).expect("so is this");
}

#[test]
fn what_was_kept_is_brought_once_more_to_whoever_has_lost_it() {
    let servers = Servers::start();
    let mailbox = servers.mailbox("gm");
    let before = Utc::now();
    for number in 1..=23 {
        servers.post("ania@player.invalid", "gm@test.invalid", &letter(number));
    }
    servers.await_letters("gm", 23);
    let letters = mailbox.collect(SOON).expect("letters");
    mailbox.keep(&marks(&letters)).expect("they are kept");
    let look_back = |since, most: usize| {
        let mut found = Vec::new();
        let looked = mailbox.look_back(since, &mut |letters| {
            found.extend(letters);
            found.len() < most
        });
        looked.expect("the mailbox is there");
        found
    };
    // The same bytes at the same time: the archive knows which of them it has.
    let told = |letters: &[Received]| {
        let mut told: Vec<_> = letters.iter().map(|letter| (letter.arrived, letter.raw.clone())).collect();
        told.sort();
        told
    };
    assert_eq!(told(&look_back(before, usize::MAX)), told(&letters));
    assert!(look_back(before + chrono::Duration::days(3), usize::MAX).is_empty());
    assert!(look_back(before, 5).len() < 23, "nobody wants more");
    // Nothing has moved, and new letters come as ever.
    assert_eq!((servers.count("gm", "INBOX"), servers.count("gm", "Cursus")), (0, 23));
    servers.post("ania@player.invalid", "gm@test.invalid", &letter(24));
    servers.await_letters("gm", 1);
    assert_eq!(subjects(&mailbox.collect(SOON).expect("a letter")), ["orders 24"]);
}

#[test]
fn waiting_ends_when_a_letter_comes() {
    let servers = Servers::start();
    let mailbox = servers.mailbox("gm");
    mailbox.collect(NOW).expect("nothing");
    thread::scope(|scope| {
        let begun = Instant::now();
        let waiting = scope.spawn(|| mailbox.collect(Duration::from_secs(100)));
        thread::sleep(Duration::from_secs(2));
        servers.post("ania@player.invalid", "gm@test.invalid", &letter(1));
        let letters = waiting.join().expect("no panic").expect("a letter");
        assert_eq!(subjects(&letters), ["orders 1"]);
        // Without IDLE the next question would come after 15 seconds.
        assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
    });
}

#[test]
fn nobody_waits_for_another() {
    let servers = Servers::start();
    let mailbox = servers.mailbox("gm");
    servers.post("ania@player.invalid", "gm@test.invalid", &letter(1));
    let first = collect_patiently(&mailbox);
    mailbox.keep(&marks(&first)).expect("it is kept");
    servers.post("ania@player.invalid", "gm@test.invalid", &letter(2));
    let second = collect_patiently(&mailbox);
    servers.ask("gm", &["SELECT INBOX", "STORE 1:* +FLAGS (CursusKept)"]);
    thread::scope(|scope| {
        let begun = Instant::now();
        let waiting = scope.spawn(|| mailbox.collect(Duration::from_secs(8)));
        thread::sleep(Duration::from_secs(1));
        mailbox.send(&dispatch("1@cursus.test.invalid", "ania@player.invalid")).expect("it is sent");
        mailbox.keep(&marks(&second)).expect("it is kept");
        assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
        assert!(waiting.join().expect("no panic").expect("nothing").is_empty());
        assert!(begun.elapsed() >= Duration::from_secs(8), "who waits goes on waiting");
    });
    assert_eq!((servers.count("gm", "INBOX"), servers.count("gm", "Cursus")), (0, 2));
}

#[test]
fn a_server_that_goes_away_comes_back() {
    let mut servers = Servers::start();
    let mailbox = servers.mailbox("gm");
    servers.post("ania@player.invalid", "gm@test.invalid", &letter(1));
    let before = collect_patiently(&mailbox);
    servers.stop_dovecot();
    let trouble = first_trouble(&mailbox);
    assert!(trouble.contains("IMAP"), "{trouble}");
    says(mailbox.keep(&marks(&before)));
    // Letters that come meanwhile wait at Exim.
    servers.post("ania@player.invalid", "gm@test.invalid", &letter(2));
    servers.restart_dovecot();
    servers.await_letters("gm", 2);
    let after = collect_patiently(&mailbox);
    assert_eq!(subjects(&after), ["orders 1", "orders 2"]);
    assert_eq!(after[0], before[0], "what was not kept comes again");
    mailbox.keep(&marks(&after)).expect("they are kept");

    // The session ends between two calls, unseen: nobody notices.
    servers.stop_dovecot();
    servers.restart_dovecot();
    assert!(mailbox.collect(NOW).expect("it is opened anew").is_empty());
    servers.stop_dovecot();
    servers.restart_dovecot();
    mailbox.keep(&marks(&after)).expect("it is opened anew");

    // It ends while somebody waits in it.
    thread::scope(|scope| {
        let waiting = scope.spawn(|| collect_patiently(&mailbox));
        thread::sleep(Duration::from_secs(1));
        servers.stop_dovecot();
        servers.restart_dovecot();
        servers.post("ania@player.invalid", "gm@test.invalid", &letter(3));
        assert_eq!(subjects(&waiting.join().expect("no panic")), ["orders 3"]);
    });
}

#[test]
fn a_folder_that_is_numbered_anew_loses_nothing() {
    let mut servers = Servers::start();
    let mailbox = servers.mailbox("gm");
    for number in 1..=2 {
        servers.post("ania@player.invalid", "gm@test.invalid", &letter(number));
        servers.await_letters("gm", number);
    }
    let before = collect_patiently(&mailbox);
    assert_eq!(before.len(), 2);
    servers.stop_dovecot();
    let folder = servers.path("mail/gm/Maildir");
    for entry in fs::read_dir(&folder).expect("a folder").flatten() {
        if entry.file_name().to_string_lossy().starts_with("dovecot") {
            fs::remove_file(entry.path()).expect("it is removed");
        }
    }
    // The new numbers are made of the second in which they are made.
    let second = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is later").as_secs();
    let before_now = second();
    while second() <= before_now + 1 {
        thread::sleep(Duration::from_millis(20));
    }
    servers.restart_dovecot();
    mailbox.keep(&marks(&before[..1])).expect("the old mark means nothing any more");
    let after = collect_patiently(&mailbox);
    assert_eq!(subjects(&after).len(), 2, "both come again");
    assert!(after.iter().all(|letter| !marks(&before).contains(&letter.mark)), "{after:?}");
    mailbox.keep(&marks(&after)).expect("they are kept");
    assert!(mailbox.collect(NOW).expect("nothing").is_empty());
    assert_eq!(servers.count("gm", "Cursus"), 2);
}

#[test]
fn many_letters_come_in_sequence() {
    let servers = Servers::start();
    let mailbox = servers.mailbox("gm");
    for number in 0..450 {
        servers.deliver("ania@player.invalid", "gm@test.invalid", letter(number).as_bytes());
    }
    let mut seen = Vec::new();
    loop {
        let letters = mailbox.collect(NOW).expect("letters");
        if letters.is_empty() {
            break;
        }
        seen.extend(subjects(&letters));
        mailbox.keep(&marks(&letters)).expect("they are kept");
    }
    assert_eq!(seen, (0..450).map(|number| format!("orders {number}")).collect::<Vec<_>>());
    assert_eq!(servers.count("gm", "Cursus"), 450);
}

#[test]
fn a_dispatch_arrives_as_it_was_written() {
    let servers = Servers::start();
    let (ours, hers) = (servers.mailbox("gm"), servers.mailbox("ania"));
    let picture: Vec<u8> = (0..200_000_u32).map(|number| (number * 7919 % 251) as u8).collect();
    let data = format!("{{\"turn\": 4, \"long\": \"{}\"}}", "x".repeat(5000));
    let dispatch = Dispatch {
        html: Some("<p>Zażółć gęślą jaźń.</p><img src=\"cid:map\">".to_owned()),
        picture: Some(Arc::new(picture.clone())),
        data: Some(data.clone()),
        ..dispatch("g1.4.minoa@cursus.test.invalid", "ania@player.invalid")
    };
    ours.send(&dispatch).expect("it is sent");
    let letters = collect_patiently(&hers);
    let opened = letter::open(&letters[0].raw).expect("it opens");
    assert_eq!(opened.kind, Kind::Loop, "it is known as ours");
    assert_eq!(opened.message_id.as_deref(), Some("g1.4.minoa@cursus.test.invalid"));
    assert_eq!(opened.subject, dispatch.subject);
    assert_eq!(opened.text.trim_end(), dispatch.text.trim_end());
    assert_eq!(opened.addressed.reply_to, ["gm+g1.minoa.k7Qz@test.invalid"]);
    assert_eq!(opened.date, Some(1_800_000_000));
    let from = opened.sender.from.expect("a sender");
    assert_eq!((from.address.as_str(), from.name.as_deref()), ("gm@test.invalid", Some("Cursus")));
    let message = mail_parser::MessageParser::default().parse(&letters[0].raw).expect("it parses");
    let parts: Vec<(&[u8], Option<&str>)> =
        message.parts.iter().map(|part| (part.contents(), mail_parser::MimeHeaders::content_id(part))).collect();
    assert!(parts.contains(&(picture.as_slice(), Some("map"))), "the picture is whole");
    assert!(parts.contains(&(data.as_bytes(), None)), "so is the data");

    // Sent twice it is the same letter twice; her client shows it once.
    ours.send(&dispatch).expect("it is sent");
    servers.await_letters("ania", 2);
    let ids: Vec<_> = collect_patiently(&hers)
        .iter()
        .map(|received| letter::open(&received.raw).expect("it opens").message_id)
        .collect();
    assert_eq!(ids[0], ids[1]);
}

#[test]
fn a_letter_to_nobody_comes_back_as_a_bounce() {
    let servers = Servers::start();
    let mailbox = servers.mailbox("gm");
    mailbox.send(&dispatch("1@cursus.test.invalid", "nosuchuser@player.invalid")).expect("Exim takes it");
    let letters = collect_patiently(&mailbox);
    assert_eq!(letter::open(&letters[0].raw).expect("it opens").kind, Kind::Bounce);
}

#[test]
fn a_wrong_password_is_told_and_not_shown() {
    let servers = Servers::start();
    let settings = servers.settings("gm");
    fs::write(servers.path("password-gm"), "wrong-password\n").expect("it is written");
    let mailbox = Mailbox::open("mailbox", settings).expect("the settings are in order");
    let trouble = says(mailbox.collect(NOW));
    assert!(trouble.contains("the login"), "{trouble}");
    // While it rests after the failure nobody is asked again, and whoever has no patience is told at once.
    assert_eq!(says(mailbox.collect(NOW)), trouble);
    let refused = says(mailbox.send(&dispatch("1@cursus.test.invalid", "ania@player.invalid")));
    assert!(refused.contains("login"), "no letter is given up for it: {refused}");
    let checks = mailbox.check();
    assert!(checks.iter().all(|(_, result)| result.is_err()), "{checks:?}");
    for text in [trouble, refused, format!("{checks:?}")] {
        assert!(!text.contains("wrong-password") && !text.contains('@'), "{text}");
    }
}

#[test]
fn the_doctor_tries_both_ways() {
    let servers = Servers::start();
    servers.deliver("ania@player.invalid", "gm@test.invalid", letter(1).as_bytes());
    let checks = servers.mailbox("gm").check();
    assert_eq!(checks.len(), 3, "{checks:?}");
    assert!(checks.iter().all(|(_, result)| result.is_ok()), "{checks:?}");
    assert!(format!("{checks:?}").contains("1 letters wait"), "{checks:?}");
}

#[test]
fn the_line_is_sealed_and_the_server_proves_itself() {
    let servers = Servers::start();
    servers.deliver("ania@player.invalid", "gm@test.invalid", letter(1).as_bytes());
    for tls in [Tls::StartTls, Tls::None] {
        let mut settings = servers.settings("gm");
        settings.imap.port = Some(servers.open_port());
        settings.imap.tls = tls;
        let mailbox = Mailbox::open("mailbox", settings).expect("the settings are in order");
        assert_eq!(mailbox.collect(NOW).expect("a letter").len(), 1);
    }
    // Nobody vouches for the certificate, or it is another's.
    let mut stranger = servers.settings("gm");
    stranger.root_certificate = None;
    let mailbox = Mailbox::open("mailbox", stranger).expect("the settings are in order");
    let trouble = says(mailbox.collect(NOW));
    assert!(trouble.contains("certificate"), "{trouble}");
    says(mailbox.send(&dispatch("1@cursus.test.invalid", "ania@player.invalid")));
    let mut unsealed = servers.settings("gm");
    unsealed.imap.host = "192.0.2.1".to_owned();
    unsealed.imap.tls = Tls::None;
    assert!(matches!(Mailbox::open("mailbox", unsealed), Err(Trouble::Lasting(_))));
}

#[test]
fn a_server_that_can_do_little_is_enough() {
    let servers = Servers::start_with("IMAP4rev1");
    let mailbox = servers.mailbox("gm");
    servers.deliver("ania@player.invalid", "gm@test.invalid", letter(1).as_bytes());
    let letters = mailbox.collect(NOW).expect("a letter");
    mailbox.keep(&marks(&letters)).expect("it is kept");
    assert_eq!((servers.count("gm", "INBOX"), servers.count("gm", "Cursus")), (1, 1), "copied, and marked as deleted");
    assert!(mailbox.collect(NOW).expect("nothing").is_empty());
    let commands = thread::scope(|scope| {
        let waiting = scope.spawn(|| mailbox.collect(Duration::from_secs(3)));
        thread::sleep(Duration::from_secs(1));
        servers.deliver("ania@player.invalid", "gm@test.invalid", letter(2).as_bytes());
        waiting.join().expect("no panic").expect("a letter")
    });
    assert_eq!(subjects(&commands), ["orders 2"], "it is asked for when patience ends");
}

#[test]
fn a_letter_that_is_too_large_is_known_as_such() {
    let servers = Servers::start();
    let mailbox = servers.mailbox("gm");
    let huge = format!("{}{}", letter(1), "a line that says nothing at all, again and again\r\n".repeat(600_000));
    servers.deliver("ania@player.invalid", "gm@test.invalid", huge.as_bytes());
    servers.deliver("ania@player.invalid", "gm@test.invalid", letter(2).as_bytes());
    let letters = mailbox.collect(NOW).expect("letters");
    assert_eq!(letters.len(), 2);
    assert_eq!(letter::open(&letters[0].raw), Err(Broken::TooLarge));
    assert!(String::from_utf8_lossy(&letters[0].raw[..2000]).contains("Subject: orders 1"));
    mailbox.keep(&marks(&letters)).expect("both are kept");
    assert_eq!(servers.count("gm", "Cursus"), 2);
}

/// A script, and whether a second collect finds the mailbox in order.
type Trap = (&'static str, Vec<(&'static str, Act)>, bool);

#[test]
fn no_imap_server_makes_us_hang_or_fall() {
    let search = ("UID SEARCH UNDELETED UNKEYWORD", Act::Say("* SEARCH 7 8\r\n{tag} OK\r\n"));
    let traps: Vec<Trap> = vec![
        ("news before IDLE begins", vec![("IDLE", Act::Say("* 5 EXISTS\r\n+ idling\r\n"))], true),
        ("no answer to IDLE", vec![("IDLE", Act::Silence)], true),
        ("IDLE is done at once", vec![("IDLE", Act::Say("{tag} OK done\r\n"))], true),
        ("IDLE is refused", vec![("IDLE", Act::Say("{tag} NO not now\r\n"))], true),
        ("IDLE is not understood", vec![("IDLE", Act::Say("{tag} BAD what\r\n"))], true),
        ("bye at IDLE", vec![("IDLE", Act::Say("* BYE good night\r\n"))], true),
        ("hangs up at IDLE", vec![("IDLE", Act::HangUp)], true),
        ("nonsense in IDLE", vec![("IDLE", Act::Say("+ idling\r\n* NONSENSE\r\n"))], false),
        ("half a line in IDLE", vec![("IDLE", Act::Say("+ idling\r\n* 5 EXI"))], false),
        ("no answer to DONE", vec![("DONE", Act::Silence)], false),
        ("hangs up at the greeting", vec![("GREETING", Act::HangUp)], false),
        ("bye at the greeting", vec![("GREETING", Act::Say("* BYE too many of you\r\n"))], false),
        ("no greeting", vec![("GREETING", Act::Silence)], false),
        ("a byte a second", vec![("GREETING", Act::Drip("* OK ready", 1000))], false),
        ("a line without end", vec![("CAPABILITY", Act::Flood("IDLE MOVE "))], false),
        ("lines without end", vec![("CAPABILITY", Act::Flood("* 1 EXISTS\r\n"))], false),
        ("the login is refused", vec![("LOGIN", Act::Say("{tag} NO [UNAVAILABLE] come back later\r\n"))], false),
        (
            "an untagged no",
            vec![("SELECT", Act::Say("* NO over quota\r\n* OK [UIDVALIDITY 1] ok\r\n{tag} OK\r\n"))],
            true,
        ),
        ("no numbers", vec![("SELECT", Act::Say("* 5 EXISTS\r\n{tag} OK\r\n"))], false),
        ("the inbox is refused", vec![("SELECT", Act::Say("{tag} NO locked\r\n"))], false),
        ("another's tag", vec![("UID SEARCH", Act::Say("x99 OK\r\n"))], false),
        ("no letter where one was found", vec![search, ("UID FETCH", Act::Say("{tag} OK\r\n"))], true),
        (
            "the letters are refused",
            vec![search, ("UID FETCH 7 ", Act::Say("{tag} NO broken\r\n")), ("UID FETCH 8 ", Act::Say("{tag} NO\r\n"))],
            true,
        ),
        (
            "an endless letter",
            vec![search, ("UID FETCH 7 ", Act::Flood("* 1 FETCH (UID 7 BODY[] {9}\r\n123456789)\r\n"))],
            false,
        ),
        ("half a letter", vec![search, ("UID FETCH 7 ", Act::Say("* 1 FETCH (UID 7 BODY[] {900}\r\n1234"))], false),
        (
            "a letter too long for its number",
            vec![search, ("UID FETCH 7 ", Act::Say("* 1 FETCH (UID 7 BODY[] {99999999999999999999}\r\n"))],
            false,
        ),
    ];
    let smtp = Scripted::smtp(Vec::new());
    thread::scope(|scope| {
        for (name, script, recovers) in traps {
            let smtp = &smtp;
            thread::Builder::new()
                .name(name.to_owned())
                .spawn_scoped(scope, move || {
                    let imap = Scripted::imap(script);
                    let mailbox = Scripted::mailbox(&imap, smtp);
                    let begun = Instant::now();
                    let patience = Duration::from_secs(2);
                    let first = mailbox.collect(patience);
                    assert!(begun.elapsed() < patience + Duration::from_secs(55), "{name}: {:?}", begun.elapsed());
                    assert!(!matches!(first, Err(Trouble::Lasting(_))), "{name}: {first:?}");
                    if let Err(trouble) = &first {
                        assert!(!trouble.to_string().contains("secret-gm"), "{name}: {trouble}");
                    }
                    if recovers {
                        let second = mailbox.collect(patience);
                        assert!(second.is_ok(), "{name}: {first:?}, then {second:?}");
                    }
                })
                .expect("a thread");
        }
    });
}

#[test]
fn a_letter_that_the_server_cannot_give_does_not_keep_back_the_others() {
    let search = ("UID SEARCH UNDELETED UNKEYWORD", Act::Say("* SEARCH 7 8\r\n{tag} OK\r\n"));
    for act in [Act::HangUp, Act::Say("{tag} NO broken\r\n"), Act::Say("* 1 FETCH NONSENSE\r\n{tag} OK\r\n")] {
        let imap = Scripted::imap(vec![search, ("UID FETCH 7 ", act)]);
        let mailbox = Scripted::mailbox(&imap, &Scripted::smtp(Vec::new()));
        let letters = collect_patiently(&mailbox);
        assert_eq!(marks(&letters), [Mark("1.8".to_owned())]);
        assert_eq!(letters[0].arrived.to_rfc3339(), "2026-11-17T09:00:00+00:00");
    }
}

#[test]
fn letters_are_kept_as_well_as_the_server_can() {
    let keep = |script: Vec<(&'static str, Act)>| {
        let imap = Scripted::imap(script);
        let mailbox = Scripted::mailbox(&imap, &Scripted::smtp(Vec::new()));
        mailbox.collect(NOW).expect("nothing");
        let before = imap.heard().len();
        let kept = mailbox.keep(&[Mark("1.8".to_owned()), Mark("1.7".to_owned()), Mark("2.9".to_owned())]);
        mailbox.collect(NOW).expect("nothing");
        let heard: Vec<String> = imap.heard().split_off(before);
        let commands: Vec<String> = heard.into_iter().filter(|command| command.starts_with("UID")).collect();
        (kept.is_ok(), commands.join("\n"))
    };
    let (all, marked) =
        ("UID SEARCH UNDELETED UNKEYWORD CursusKept", "UID STORE 7,8 +FLAGS.SILENT (\\Seen CursusKept)");
    let moved = "UID MOVE 7,8 \"Cursus\"";
    assert_eq!(keep(vec![]), (true, format!("{marked}\n{moved}\n{all}")));
    // It cannot be moved, but it is marked, and so it does not come again.
    assert_eq!(
        keep(vec![("UID MOVE", Act::Say("{tag} NO over quota\r\n"))]),
        (true, format!("{marked}\n{moved}\n{all}"))
    );
    let no_folder = vec![("LIST", Act::Say("{tag} OK\r\n")), ("CREATE", Act::Say("{tag} NO never\r\n"))];
    assert_eq!(keep(no_folder.clone()), (true, format!("{marked}\n{all}")));
    // Neither folders nor words: then being seen must do.
    let few_flags =
        ("SELECT", Act::Say("* OK [UIDVALIDITY 1] ok\r\n* OK [PERMANENTFLAGS (\\Seen)] ok\r\n{tag} OK\r\n"));
    let seen = "UID STORE 7,8 +FLAGS.SILENT (\\Seen)";
    assert_eq!(keep([no_folder, vec![few_flags]].concat()), (true, format!("{seen}\nUID SEARCH UNDELETED UNSEEN")));
    assert_eq!(keep(vec![few_flags]), (true, format!("{seen}\n{moved}\nUID SEARCH UNDELETED")));
    // Nothing at all works: the letters will come again, which does no harm.
    assert!(!keep(vec![("UID STORE", Act::Say("{tag} NO read-only\r\n"))]).0);
    let copies = ("CAPABILITY", Act::Say("* CAPABILITY IMAP4rev1 UIDPLUS\r\n{tag} OK\r\n"));
    let copied = "UID COPY 7,8 \"Cursus\"\nUID STORE 7,8 +FLAGS.SILENT (\\Deleted)\nUID EXPUNGE 7,8";
    assert_eq!(keep(vec![copies]), (true, format!("{marked}\n{copied}\n{all}")));
}

#[test]
fn after_failures_we_knock_less_and_less() {
    let imap = Scripted::imap(vec![("LOGIN", Act::Say("{tag} NO [UNAVAILABLE] later\r\n"))]);
    let mailbox = Scripted::mailbox(&imap, &Scripted::smtp(Vec::new()));
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(8) {
        says(mailbox.collect(Duration::from_millis(200)));
    }
    assert!((3..=6).contains(&imap.connections()), "{} attempts in 8 seconds", imap.connections());
}

/// A provider locks the account of whoever goes on knocking with a wrong password.
#[test]
fn a_refused_password_is_shown_once_and_another_at_once() {
    let imap = Scripted::imap(vec![("LOGIN", Act::Say("{tag} NO [AUTHENTICATIONFAILED] no\r\n"))]);
    let smtp = Scripted::smtp(vec![("AUTH", Act::Say("535 5.7.8 no\r\n"))]);
    let mailbox = Scripted::mailbox(&imap, &smtp);
    thread::scope(|scope| {
        for number in 0..4 {
            let mailbox = &mailbox;
            scope.spawn(move || {
                let sent = mailbox.send(&dispatch(&format!("{number}@cursus.test.invalid"), "ania@player.invalid"));
                assert!(matches!(sent, Err(Trouble::Barred(_))), "{sent:?}");
            });
        }
    });
    for _ in 0..4 {
        assert!(matches!(mailbox.collect(Duration::from_secs(2)), Err(Trouble::Barred(_))));
    }
    let count = |heard: Vec<String>, verb: &str| heard.iter().filter(|line| line.starts_with(verb)).count();
    assert_eq!((count(imap.heard(), "LOGIN"), count(smtp.heard(), "AUTH")), (1, 1));
    let causes: Vec<Cause> = mailbox.warnings().iter().map(|warning| warning.cause).collect();
    assert_eq!(causes, [Cause::SecretIn, Cause::SecretOut]);

    // With real servers: what is wrong is noticed, and that it was mended as well, without a restart.
    let servers = Servers::start();
    let settings = servers.settings("gm");
    let right = fs::read_to_string(servers.path("password-gm")).expect("the password");
    fs::write(servers.path("password-gm"), "wrong-password\n").expect("it is written");
    let mailbox = Mailbox::open("mailbox", settings).expect("the settings are in order");
    let letter = dispatch("9@cursus.test.invalid", "ania@test.invalid");
    assert!(matches!(mailbox.send(&letter), Err(Trouble::Barred(_))));
    assert!(matches!(mailbox.collect(NOW), Err(Trouble::Barred(_))));
    assert_eq!(mailbox.warnings().len(), 2);
    fs::write(servers.path("password-gm"), right).expect("it is written");
    mailbox.send(&letter).expect("it leaves");
    servers.deliver("ania@player.invalid", "gm@test.invalid", b"From: ania@player.invalid\r\n\r\ndone\r\n");
    let begun = Instant::now();
    while mailbox.collect(Duration::from_secs(5)).map_or(true, |letters| letters.is_empty()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "no letter comes");
    }
    assert_eq!(mailbox.warnings(), []);
}

/// What a server says of itself at the login is not about the password.
#[test]
fn a_server_that_is_busy_at_the_login_refuses_no_password() {
    for says in [
        "{tag} NO [UNAVAILABLE] Temporary authentication failure\r\n",
        "{tag} NO [INUSE] The mailbox is being moved\r\n",
        "{tag} NO [LIMIT] Maximum number of connections from user+IP exceeded\r\n",
        "{tag} NO [SERVERBUG] Internal error\r\n",
        "{tag} NO [ALERT] Too many simultaneous connections. (Failure)\r\n",
    ] {
        let mailbox = Scripted::mailbox(&Scripted::imap(vec![("LOGIN", Act::Say(says))]), &Scripted::smtp(Vec::new()));
        let told = mailbox.collect(NOW);
        assert!(matches!(told, Err(Trouble::Passing(_))), "{says}: {told:?}");
        assert_eq!(mailbox.warnings(), [], "{says}");
    }
    for says in
        ["{tag} NO [ALERT] Invalid credentials (Failure)\r\n", "{tag} NO [EXPIRED] change it\r\n", "{tag} NO no\r\n"]
    {
        let mailbox = Scripted::mailbox(&Scripted::imap(vec![("LOGIN", Act::Say(says))]), &Scripted::smtp(Vec::new()));
        let told = mailbox.collect(NOW);
        assert!(matches!(told, Err(Trouble::Barred(_))), "{says}: {told:?}");
    }
}

/// Exim counts what is said beside letters, and drops a connection on which that is too much.
#[test]
fn many_letters_in_a_row_are_taken_without_a_pause() {
    let servers = Servers::start();
    let mailbox = servers.mailbox("gm");
    for number in 0..40 {
        let sent = mailbox.send(&dispatch(&format!("{number}@cursus.test.invalid"), "ania@test.invalid"));
        assert_eq!(sent, Ok(Receipt::default()), "letter {number}");
    }
}

#[test]
fn an_smtp_server_says_whether_trying_again_may_help() {
    let imap = Scripted::imap(Vec::new());
    let send = |script: Vec<(&'static str, Act)>| {
        let smtp = Scripted::smtp(script);
        let mailbox = Scripted::mailbox(&imap, &smtp);
        let first = mailbox.send(&dispatch("1@cursus.test.invalid", "ania@player.invalid"));
        // A failure leaves nothing behind that would harm the next letter.
        let second = mailbox.send(&dispatch("2@cursus.test.invalid", "ania@player.invalid"));
        assert_eq!(first.is_ok(), second.is_ok());
        first
    };
    assert_eq!(send(vec![]), Ok(Receipt::default()));
    let passing: Vec<Vec<(&'static str, Act)>> = vec![
        vec![("GREETING", Act::Say("421 busy\r\n"))],
        vec![("GREETING", Act::Say("554 no service\r\n"))],
        vec![("GREETING", Act::HangUp)],
        vec![("AUTH", Act::Say("535 5.7.8 who is AGdtAHNlY3JldC1nbQ==\r\n"))],
        vec![("AUTH", Act::Say("454 4.7.0 not now\r\n"))],
        vec![("MAIL", Act::Say("451 4.3.0 later\r\n"))],
        vec![("RCPT", Act::Say("450 4.2.1 <ania@player.invalid> is busy\r\n"))],
        vec![("RCPT", Act::HangUp)],
        vec![("DATA", Act::HangUp)],
        vec![("DATA", Act::Say("452 4.3.1 full\r\n"))],
        vec![(".", Act::HangUp)],
        vec![(".", Act::Say("451 4.7.1 greylisted\r\n"))],
        vec![(".", Act::Say("nonsense\r\n"))],
        // The limit of the provider, wherever it is told, is nobody's bad address.
        vec![("MAIL", Act::Say("550 5.4.5 Daily user sending limit exceeded\r\n"))],
        vec![("RCPT", Act::Say("550 5.7.1 Sending rate limit exceeded\r\n"))],
        vec![("DATA", Act::Say("554 5.7.0 Too many messages, try again later\r\n"))],
        vec![(".", Act::Say("550 5.4.5 Daily user sending limit exceeded\r\n"))],
        vec![(".", Act::Say("554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException\r\n"))],
    ];
    for script in passing {
        let trouble = says(send(script));
        for hidden in ["@", "ania", "secret", "AGdt"] {
            assert!(!trouble.contains(hidden), "{trouble}");
        }
    }
    let lasting: Vec<Vec<(&'static str, Act)>> = vec![
        vec![("MAIL", Act::Say("550 5.7.1 no\r\n"))],
        vec![("RCPT", Act::Say("550 5.1.1 <ania@player.invalid>: there is no Ania here\r\n"))],
        vec![("DATA", Act::Say("554 5.6.0 no\r\n"))],
        vec![(".", Act::Say("552 5.3.4 too large\r\n"))],
    ];
    for script in lasting {
        match send(script) {
            Err(Trouble::Lasting(says)) => assert!(!says.to_lowercase().contains("ania"), "{says}"),
            other => panic!("a lasting trouble was expected: {other:?}"),
        }
    }
}

#[test]
fn a_silent_smtp_server_is_given_up() {
    let imap = Scripted::imap(Vec::new());
    thread::scope(|scope| {
        for script in [("GREETING", Act::Silence), ("RCPT", Act::Silence), (".", Act::Silence)] {
            let imap = &imap;
            scope.spawn(move || {
                let mailbox = Scripted::mailbox(imap, &Scripted::smtp(vec![script]));
                let begun = Instant::now();
                says(mailbox.send(&dispatch("1@cursus.test.invalid", "ania@player.invalid")));
                assert!(begun.elapsed() < Duration::from_secs(50), "{}: {:?}", script.0, begun.elapsed());
            });
        }
    });
}
