//! What we sent comes back with an answer: it files nothing, and tells nobody what stands in another's letter.

use cursus::game::Phase;

use super::club::{Club, Mail, address, civ, flat, game, last};

const PEOPLE: [&str; 2] = ["Minoa", "Hellas"];

fn club() -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &PEOPLE));
    (club, mails)
}

/// Whether somebody has said that they are done with their movement.
fn is_done(club: &mut Club, name: &str) -> bool {
    let table = club.table("demo");
    assert_eq!(table.state.phase(), Phase::Movement);
    table.sheet(civ(&table, name)).is_done(Phase::Movement)
}

#[test]
fn our_letter_sent_back_without_a_mark_files_nothing() {
    let (mut club, mails) = club();
    let ours = last(&mails, "Minoa");
    assert!(ours.text.lines().any(|line| line.trim() == "done"), "the form has a line that would act: {}", ours.text);
    for head in ["", "Cursus skribis:\n\n", "Cursus <cursus@play.example> wrote:\n\n"] {
        let text = format!("Hi\n\n{head}{}", ours.text);
        club.send(&ours.to, &ours.reply_to, "Re: movement", &text);
        let answer = club.post().remove(0);
        assert!(!is_done(&mut club, "Minoa"), "{head:?}: {}", answer.text);
        assert!(flat(&answer).contains("quoted from another letter"), "{}", answer.text);
    }
    // A line of the form pasted above it is theirs.
    club.send(&ours.to, &ours.reply_to, "Re: movement", &format!("done\n\n{}", ours.text));
    club.post();
    assert!(is_done(&mut club, "Minoa"));
}

#[test]
fn what_is_left_out_is_told_once_and_when_it_matters() {
    let (mut club, mails) = club();
    let ours = last(&mails, "Minoa");
    let answer = |club: &mut Club, text: &str| {
        club.reply(&ours, text);
        last(&club.post(), "Minoa")
    };
    assert!(answer(&mut club, "always tax 2").text.contains("LEFT OUT"), "the first time");
    assert!(!answer(&mut club, "build no city in Knossos").text.contains("LEFT OUT"), "and no more");
    assert!(answer(&mut club, "Hello!").text.contains("LEFT OUT"), "whoever filed nothing may wonder");
    // The form was changed inside the quotation.
    let quoted = ours.text.lines().map(|line| format!("> {line}\n")).collect::<String>();
    let inside = format!("pass\n\nOn Monday Cursus wrote:\n{quoted}> build no city in Phaestos\n> use nothing\n");
    club.send(&ours.to, &ours.reply_to, "Re: movement", &inside);
    let told = flat(&last(&club.post(), "Minoa"));
    assert!(told.contains("Inside the quotation there are lines that look like orders"), "{told}");
}

#[test]
fn anothers_letter_is_not_told_by_what_is_left_out() {
    let (mut club, mails) = club();
    let (own, other) = (last(&mails, "Hellas"), last(&mails, "Minoa"));
    let guess = format!("Hi\n\nOn Monday Cursus wrote:\n> hello\n\n{}", other.text);
    club.send(&own.to, &own.reply_to, "Re: movement", &guess);
    let without = club.post().remove(0);
    let head = format!("References: <{}>\r\nIn-Reply-To: <{}>\r\n", other.message_id, other.message_id);
    club.send_with(&head, &address("Hellas"), &own.reply_to, "Re: movement", &guess);
    let with = club.post().remove(0);
    assert_eq!(without.text, with.text);
}
