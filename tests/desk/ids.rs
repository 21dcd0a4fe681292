//! What a reader can see of a letter beside its words (its id, its thread, the address for answers, its parts) tells them
//! nothing about the others; and whoever has not seen a letter of ours cannot speak of it.

use std::collections::BTreeSet;

use super::club::{Club, Mail, address, flat, game, last, to};

const BARE: &str = "cursus@example.org";

fn club() -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &["Minoa", "Hellas"]));
    (club, mails)
}

/// Everything in a letter that names it or a part of it: what stands between brackets, addresses, boundaries, file names.
fn names(mail: &Mail) -> BTreeSet<String> {
    let raw = String::from_utf8_lossy(&mail.raw).replace("\r\n ", " ").replace("\r\n\t", " ");
    let is_named = |line: &&str| {
        let line = line.to_ascii_lowercase();
        let heads = ["message-id:", "references:", "in-reply-to:", "reply-to:", "content-id:", "content-type:", "--=_"];
        heads.iter().any(|head| line.starts_with(head)) || line.contains("filename=")
    };
    let lines = raw.lines().filter(is_named);
    let names = lines.flat_map(|line| line.split([' ', '<', '>', '"', ';', '=']).map(str::to_owned));
    // What the reader has written is the reader's own.
    names.filter(|name| !name.ends_with("@player.example")).collect()
}

/// Whether a word is sealed: nothing can be read off it.
fn is_sealed(word: &str) -> bool {
    word.len() >= 16 && word.chars().all(|c| c.is_ascii_alphanumeric())
}

#[test]
fn ids_count_nothing() {
    let (mut club, mails) = club();
    let mut seen = mails.clone();
    for round in 0..6 {
        for number in 0..round {
            club.reply(&last(&mails, "Hellas"), &format!("always tax {}", number % 3));
        }
        club.reply(&last(&mails, "Minoa"), "status");
        seen.extend(club.post());
    }
    club.reply(&last(&mails, "Moderator"), "announce: hello for 1.movement");
    club.send("minoa@phone.example", &last(&mails, "Minoa").reply_to, "from my phone", "status");
    seen.extend(club.post());
    let own = to(&seen, "Minoa");
    assert!(own.len() > 8);
    for mail in own {
        let (id, _) = mail.message_id.split_once('@').expect("an id");
        assert!(is_sealed(id), "{id} can be read");
        // Whatever else names it says the game, the seat and the turn, which the reader knows, and counts nothing.
        for name in names(mail).iter().flat_map(|name| name.split(['.', '@', '+', '_', '-'])) {
            let is_number = name.chars().any(|c| c.is_ascii_digit()) && !is_sealed(name) && name != "1";
            assert!(!is_number || ["8", "8bit", "7bit", "base64"].contains(&name), "{name} in {:?}", names(mail));
        }
    }
}

#[test]
fn letters_of_a_turn_make_one_thread_for_each_reader() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Minoa"), "status");
    let answers = club.post();
    let root = |mail: &Mail| cursus::post::letter::open(&mail.raw).expect("a letter").references.first().cloned();
    assert_eq!(root(&last(&mails, "Minoa")), root(&last(&answers, "Minoa")));
    assert_ne!(root(&last(&mails, "Minoa")), root(&last(&mails, "Hellas")));
    // As the first edition wrote it, so that no thread is cut in two by an upgrade.
    assert_eq!(root(&last(&mails, "Minoa")).as_deref(), Some("demo.1.minoa@cursus.example.org"));
}

fn bounce(club: &mut Club, to: &str, id: &str) {
    let text = format!("This is the mail system. I could not deliver your message.\n\nMessage-ID: <{id}>\n");
    let head = "Return-Path: <>\r\nAuto-Submitted: auto-replied\r\n";
    club.send_with(head, "mailer-daemon@else.example", to, "Undelivered Mail Returned to Sender", &text);
}

fn dead(club: &Club) -> u64 {
    club.desk.archive.outbox_status(Some(&"demo".into())).expect("the archive answers").dead
}

#[test]
fn a_bounce_counts_only_with_the_secret_of_its_letter() {
    let (mut club, mails) = club();
    let letter = last(&mails, "Minoa");
    // What everybody can think of, and the ids of the first edition; the thread is no letter.
    for guess in [
        "demo.1.movement.1.minoa.welcome@cursus.example.org",
        "demo.1.movement.1.minoa.report@cursus.example.org",
        "demo.invitation.minoa.invitation@cursus.example.org",
        "demo.1.minoa@cursus.example.org",
    ] {
        bounce(&mut club, BARE, guess);
    }
    assert!(club.post().is_empty());
    assert_eq!(dead(&club), 0);
    // A server that is still trying has not given up.
    let text = format!("Action: delayed\nStatus: 4.4.1\n\nMessage-ID: <{}>\n", letter.message_id);
    club.send_with("Return-Path: <>\r\n", "mailer-daemon@else.example", BARE, "Warning: could not send message", &text);
    assert!(club.post().is_empty());
    assert_eq!(dead(&club), 0);
    bounce(&mut club, BARE, &letter.message_id);
    let told = club.post();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].to, address("Moderator"));
    assert!(flat(&told[0]).contains("came back"), "{}", told[0].text);
    assert_eq!(dead(&club), 1);
    // Said again, it is known.
    bounce(&mut club, BARE, &letter.message_id);
    assert!(club.post().is_empty(), "it has come back already");
}

#[test]
fn a_bounce_that_quotes_nothing_is_known_by_where_it_came() {
    let (mut club, mails) = club();
    let letter = last(&mails, "Minoa");
    let (id, _) = letter.message_id.split_once('@').expect("an id");
    bounce(&mut club, &format!("cursus+bounce.{id}x@example.org"), "unknown@else.example");
    assert!(club.post().is_empty());
    bounce(&mut club, &format!("cursus+bounce.{id}@example.org"), "unknown@else.example");
    assert_eq!(club.post().len(), 1);
    assert_eq!(dead(&club), 1);
}

/// Lets the archive say what it would have said of letters of the first edition: their ids were what they are about.
fn as_first_edition(club: &mut Club) {
    let (host, path) = ("cursus.example.org", club.desk.archive.path().to_owned());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        use sqlx::Connection;
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
        let mut connection = sqlx::SqliteConnection::connect_with(&options).await.expect("the file opens");
        let query = format!("update outbox set message_id = about || '@{host}', about = null");
        sqlx::query(sqlx::AssertSqlSafe(query)).execute(&mut connection).await.expect("it is written");
        connection.close().await.expect("it closes");
    });
}

#[test]
fn letters_of_the_first_edition_are_answered_and_not_written_again() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Moderator"), "deadline +24h");
    let preview = last(&club.post(), "Moderator");
    // A reminder has left, and then the house is upgraded.
    club.now += chrono::Duration::days(3);
    assert_eq!(to(&club.post(), "Minoa").len(), 1, "a reminder");
    as_first_edition(&mut club);
    club.now += chrono::Duration::minutes(5);
    assert_eq!(club.post().len(), 0, "nobody is reminded twice");
    club.reply(&last(&mails, "Minoa"), "always tax 2");
    assert_eq!(to(&club.post(), "Minoa").len(), 1, "an old address is answered");
    let cut_off = club.table("demo").game.hours.cut_off;
    club.reply(&preview, "ok");
    club.post();
    assert_ne!(club.table("demo").game.hours.cut_off, cut_off, "an old preview is confirmed");
    // Their ids could be guessed, so nobody can say that they came back.
    bounce(&mut club, BARE, "demo.1.movement.1.minoa.welcome@cursus.example.org");
    assert!(club.post().is_empty());
    assert_eq!(dead(&club), 0);
}
