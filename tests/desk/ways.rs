//! Without plus-addressing: answers find their letter by another sign, by the id of our letter, or by its subject, and nobody is
//! believed sooner than by an address.

use cursus::desk::settings::Format;
use cursus::desk::settings::game_file::{GameFile, Sitter};
use cursus::desk::settings::mail::{Answers, Habits};
use cursus::game::Phase;

use super::club::{Club, Mail, address, civ, flat, game, last, to};

const BARE: &str = "cursus@example.org";
const ORDER: &str = "always tax 2";

const BY_ID: Answers = Answers { delimiter: None, message_id: true, subject: false };
const BY_SUBJECT: Answers = Answers { delimiter: None, message_id: false, subject: true };
const BY_BOTH: Answers = Answers { delimiter: None, message_id: true, subject: true };
const BY_DASH: Answers = Answers { delimiter: Some('-'), message_id: false, subject: false };

fn club(answers: Answers) -> (Club, Vec<Mail>) {
    club_of(answers, &game("demo", &["Minoa", "Hellas"]))
}

fn club_of(answers: Answers, file: &GameFile) -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    club.reopen_with(Habits { answers, ..Habits::default() });
    let mails = club.begin(file);
    (club, mails)
}

/// Whether the order has reached the sheet of somebody.
fn is_filed(club: &mut Club, name: &str) -> bool {
    let table = club.table("demo");
    !table.sheet(civ(&table, name)).standing().is_empty()
}

/// The secret in the subject of a letter of ours.
fn mark(mail: &Mail) -> String {
    let (_, rest) = mail.subject.split_once("[#").expect("a secret in the subject");
    rest.split_once(']').expect("its end").0.to_owned()
}

fn answer(mail: &Mail) -> String {
    format!("In-Reply-To: <{}>\r\nReferences: <root@x> <{}>\r\n", mail.message_id, mail.message_id)
}

#[test]
fn another_sign_parts_the_address() {
    let (mut club, mails) = club(BY_DASH);
    let letter = last(&mails, "Minoa");
    assert!(letter.reply_to.starts_with("cursus-demo.minoa."), "{}", letter.reply_to);
    club.reply(&letter, ORDER);
    assert_eq!(to(&club.post(), "Minoa").len(), 1);
    assert!(is_filed(&mut club, "Minoa"));
}

#[test]
fn the_id_of_our_letter_comes_back_in_an_answer() {
    let (mut club, mails) = club(BY_ID);
    let letter = last(&mails, "Minoa");
    assert_eq!((letter.reply_to.as_str(), letter.subject.contains('#')), ("", false));
    club.send_with(&answer(&letter), &address("Minoa"), BARE, "Odp: tura", ORDER);
    club.post();
    assert!(is_filed(&mut club, "Minoa"));
    // A program that names only the thread.
    let letter = last(&mails, "Hellas");
    let head = format!("References: <root@x> <{}>\r\n", letter.message_id.to_uppercase());
    club.send_with(&head, &address("Hellas"), BARE, "AW: turn", ORDER);
    club.post();
    assert!(is_filed(&mut club, "Hellas"));
}

#[test]
fn the_id_alone_proves_nobody() {
    let (mut club, mails) = club(BY_ID);
    let letter = last(&mails, "Minoa");
    for thief in ["thief@else.example", &address("Hellas")] {
        club.send_with(&answer(&letter), thief, BARE, "Re: turn", ORDER);
        let asked = club.post();
        assert!(!is_filed(&mut club, "Minoa") && !is_filed(&mut club, "Hellas"));
        assert!(asked.iter().all(|mail| mail.to == address("Minoa")), "only the known address is asked");
    }
    // Where ids are not taken for secrets, even the player is asked.
    let (mut club, mails) = self::club(Answers::default());
    club.send_with(&answer(&last(&mails, "Minoa")), &address("Minoa"), BARE, "Re: turn", ORDER);
    assert_eq!(to(&club.post(), "Minoa").len(), 1);
    assert!(!is_filed(&mut club, "Minoa"));
}

#[test]
fn a_subject_carries_the_secret_through_what_programs_make_of_it() {
    let (mut club, mails) = club(BY_SUBJECT);
    let letter = last(&mails, "Minoa");
    let mark = mark(&letter);
    let subjects = [
        format!("Re: {}", letter.subject),
        format!("AW: RE: \"Tura\" [#{}]", mark.to_uppercase()),
        format!("Odp: [#{mark}]"),
        // A phone that writes everything anew, in its own characters.
        format!("=?utf-8?Q?Odp:_=C5=BC=C3=B3=C5=82w_[#{mark}]?="),
    ];
    for (number, subject) in subjects.iter().enumerate() {
        club.send(&address("Minoa"), BARE, subject, &format!("always tax {}", number % 3 + 1));
        let answers = club.post();
        let answer = last(&answers, "Minoa");
        assert!(flat(&answer).contains("tax"), "{subject}: {}", answer.text);
        assert!(!flat(&answer).contains(&mark), "nobody reads a secret in a text");
    }
    // The same subject in a rival's hands.
    club.send(&address("Hellas"), BARE, &subjects[0], ORDER);
    let asked = club.post();
    assert!(asked.iter().all(|mail| mail.to == address("Minoa")), "only the known address is asked");
    assert!(asked.iter().all(|mail| !flat(mail).contains(&mark)), "and not shown the secret");
    assert!(!is_filed(&mut club, "Hellas"));
}

#[test]
fn an_old_letter_in_the_thread_is_not_what_is_answered() {
    let (mut club, mails) = club(BY_ID);
    let (mine, rivals) = (last(&mails, "Minoa"), last(&mails, "Hellas"));
    // Hellas has passed a letter on, and Minoa answers it: the thread names a letter of Hellas.
    let head = format!("In-Reply-To: <passed.on@hellas>\r\nReferences: <{}> <passed.on@hellas>\r\n", rivals.message_id);
    club.send_with(&head, &address("Minoa"), BARE, "Re: Fwd: turn", ORDER);
    let asked = club.post();
    assert!(asked.iter().all(|mail| mail.to == address("Minoa")), "it is nothing for Hellas to read");
    assert!(!is_filed(&mut club, "Minoa") && !is_filed(&mut club, "Hellas"));
    // What is answered counts before what stands in the thread.
    let head =
        format!("In-Reply-To: <{}>\r\nReferences: <{}> <{}>\r\n", mine.message_id, mine.message_id, rivals.message_id);
    club.send_with(&head, &address("Minoa"), BARE, "Re: turn", ORDER);
    club.post();
    assert!(is_filed(&mut club, "Minoa") && !is_filed(&mut club, "Hellas"));
}

#[test]
fn secrets_of_two_seats_in_one_letter_prove_nobody() {
    let (mut club, mails) = club(BY_BOTH);
    let (mine, rivals) = (last(&mails, "Minoa"), last(&mails, "Hellas"));
    for (head, subject) in [
        (answer(&mine), format!("Re: [#{}]", mark(&rivals))),
        (answer(&rivals), format!("Re: [#{}]", mark(&mine))),
        (String::new(), format!("Re: [#{}] [#{}]", mark(&rivals), mark(&mine))),
    ] {
        club.send_with(&head, &address("Minoa"), BARE, &subject, ORDER);
        let asked = club.post();
        assert!(!is_filed(&mut club, "Minoa") && !is_filed(&mut club, "Hellas"), "{subject}");
        assert_eq!((asked.len(), to(&asked, "Minoa").len()), (1, 1), "the sender is asked: {subject}");
    }
}

#[test]
fn what_was_given_out_before_works_after_the_settings_are_changed() {
    let (mut club, mails) = club(Answers::default());
    let by_plus = last(&mails, "Minoa");
    club.reopen_with(Habits { answers: BY_DASH, ..Habits::default() });
    club.reply(&by_plus, ORDER);
    let answers = club.post();
    assert!(is_filed(&mut club, "Minoa"));
    let by_dash = last(&answers, "Minoa");
    club.reopen_with(Habits { answers: BY_ID, ..Habits::default() });
    club.reply(&by_dash, "always build city in Knossos");
    let answers = club.post();
    let by_id = last(&answers, "Minoa");
    assert!(flat(&by_id).contains("build city in Knossos"), "{}", by_id.text);
    club.reopen();
    club.reply(&by_id, "tell Hellas: it is still me");
    let answers = club.post();
    let by_plus = last(&answers, "Minoa");
    assert!(by_plus.reply_to.starts_with("cursus+demo.minoa."), "{}", by_plus.reply_to);
    assert_eq!(to(&answers, "Hellas").len(), 1, "{}", by_plus.text);
}

#[test]
fn a_link_has_its_secret_in_the_subject_where_the_address_has_no_room() {
    let mut file = game("demo", &["Minoa", "Hellas"]);
    for seat in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut seat.sitter {
            player.format = Format::Html;
        }
    }
    for answers in [BY_ID, BY_BOTH] {
        let (mut club, mails) = club_of(answers, &file);
        let letter = last(&mails, "Minoa");
        let id = letter.message_id.clone();
        let offered = club.desk.archive.offered(&id).expect("the archive answers");
        let ok = offered.iter().find(|offered| offered.line == "ok").and_then(|offered| offered.secret.clone());
        let ok = ok.expect("a link");
        let parsed = mail_parser::MessageParser::default().parse(&letter.raw).expect("a letter");
        let html = parsed.body_html(0).expect("a page").into_owned();
        let link = html.split("mailto:cursus@example.org?").find(|link| link.contains(&ok)).expect("its link");
        let link = link.split('"').next().unwrap_or_default();
        assert!(link.contains(&format!("%5B%23{ok}%5D")), "{link}");
        if answers.subject {
            assert!(!link.contains(&mark(&letter)), "a link admits its line and no other: {link}");
        }
        let subject = format!("Re: Turn 1 [#{ok}]");
        club.send(&address("Hellas"), BARE, &subject, "ok");
        club.send(&address("Minoa"), BARE, &subject, "tell all: I surrender");
        club.post();
        let is_done = |club: &mut Club| {
            let table = club.table("demo");
            table.sheet(civ(&table, "Minoa")).is_done(Phase::Movement)
        };
        assert!(!is_done(&mut club));
        club.send(&address("Minoa"), BARE, &subject, "Ok\r\n\r\n-- \r\nSent from my phone");
        club.post();
        assert!(is_done(&mut club));
    }
}

#[test]
fn the_button_of_a_mail_program_leaves_no_seat() {
    for answers in [Answers::default(), BY_ID] {
        let (mut club, mails) = club(answers);
        let letter = last(&mails, "Minoa");
        let head = String::from_utf8_lossy(&letter.raw).replace("\r\n ", "");
        assert!(head.contains("List-Id: <demo.cursus.example.org>"), "{head}");
        let link = head.split("List-Unsubscribe: <mailto:").nth(1).and_then(|rest| rest.split('>').next());
        let link =
            link.expect("a link").replace("%2B", "+").replace("%20", " ").replace("%5B%23", "[#").replace("%5D", "]");
        let (at, rest) = link.split_once("?subject=").expect("a subject");
        let subject = rest.split('&').next().unwrap_or_default();
        // Somebody else presses it; then the player's program, and it presses again.
        club.send(&address("Hellas"), at, subject, "unsubscribe");
        let asked = club.post();
        assert!(to(&asked, "Moderator").is_empty(), "nobody is told what somebody else wants");
        club.send_with("Auto-Submitted: auto-generated\r\n", &address("Minoa"), at, subject, "");
        let told = club.post();
        assert!(flat(&last(&told, "Minoa")).contains("cannot be left like that"), "{}", last(&told, "Minoa").text);
        assert!(flat(&last(&told, "Moderator")).contains("asks for no more letters"));
        assert_eq!(told.len(), 2);
        club.send_with("Auto-Submitted: auto-generated\r\n", &address("Minoa"), at, subject, "again");
        assert_eq!(club.post().len(), 0);
    }
}
