//! The question about a letter that is not proved: what it shows, what counts as an answer, and what an answer does.

use super::club::{Club, Mail, address, civ, flat, game, last, seat, to};

const ORDER: &str = "always tax 2";
const PHONE: &str = "minoa@phone.example";

fn club() -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &["Minoa", "Hellas"]));
    (club, mails)
}

/// A letter of Minoa from elsewhere, and the question about it.
fn asked(club: &mut Club, mails: &[Mail], from: &str, text: &str) -> Mail {
    club.send(from, &last(mails, "Minoa").reply_to, "from my phone", text);
    last(&club.post(), "Minoa")
}

fn is_filed(club: &mut Club) -> bool {
    let table = club.table("demo");
    !table.sheet(civ(&table, "Minoa")).standing().is_empty()
}

fn knows(club: &mut Club, name: &str, address: &str) -> bool {
    let table = club.table("demo");
    table.seat(seat(&table, name)).is_some_and(|seat| seat.knows(address))
}

fn recipients(mails: &[Mail]) -> Vec<String> {
    let mut all: Vec<String> = mails.iter().map(|mail| mail.to.clone()).collect();
    all.sort();
    all
}

#[test]
fn the_question_shows_the_words_and_what_ok_will_do() {
    let (mut club, mails) = club();
    let question = asked(&mut club, &mails, PHONE, "always tax 2\nalways build city in Knossos");
    let text = flat(&question);
    for wanted in
        ["always tax 2", "always build city in Knossos", "every letter from minoa@phone.example counts as yours"]
    {
        assert!(text.contains(wanted), "{wanted}: {}", question.text);
    }
    // A command of the moderator, too; that address is known already.
    club.send(&address("Moderator"), "cursus@example.org", "urgent", "eject Hellas for 1.movement");
    let question = last(&club.post(), "Moderator");
    let text = flat(&question);
    assert!(text.contains("eject Hellas for 1.movement") && text.contains("carried out as your command"), "{text}");
    assert!(!text.contains("counts as yours"), "{text}");
    club.reply(&question, "no");
    assert!(flat(&last(&club.post(), "Moderator")).contains("dropped"));
    let table = club.table("demo");
    assert!(table.state.is_seated(civ(&table, "Hellas")));
}

#[test]
fn only_a_bare_yes_counts() {
    let (mut club, mails) = club();
    let question = asked(&mut club, &mails, "thief@else.example", ORDER);
    for other in [
        "OK, what is this? I did not write it!",
        "ok\nstatus",
        "Yes?? Who is that",
        "ok ok but no",
        "tell Hellas: help",
    ] {
        club.reply(&question, other);
        let told = club.post();
        assert!(!is_filed(&mut club), "{other}");
        assert!(!knows(&mut club, "Minoa", "thief@else.example"), "{other}");
        assert!(flat(&last(&told, "Minoa")).contains("still waits"), "{}", last(&told, "Minoa").text);
        let table = club.table("demo");
        assert!(table.owing().contains(&civ(&table, "Minoa")), "{other}: it files no form");
    }
    club.reply(&question, "Ok!");
    club.post();
    assert!(is_filed(&mut club), "the question stayed open");
}

#[test]
fn no_drops_the_letter_and_says_so() {
    let (mut club, mails) = club();
    for no in ["no", "Nie."] {
        let question = asked(&mut club, &mails, "thief@else.example", ORDER);
        club.reply(&question, no);
        let told = club.post();
        assert_eq!(recipients(&told), [address("Minoa")]);
        assert!(flat(&told[0]).contains("dropped"), "{}", told[0].text);
        club.reply(&question, "ok");
        assert!(flat(&last(&club.post(), "Minoa")).contains("was dropped"));
        assert!(!is_filed(&mut club) && !knows(&mut club, "Minoa", "thief@else.example"));
    }
    // After `ok` it is too late, and the player hears so.
    let question = asked(&mut club, &mails, PHONE, ORDER);
    club.reply(&question, "ok");
    club.post();
    club.reply(&question, "no");
    assert!(flat(&last(&club.post(), "Minoa")).contains("too late"));
}

#[test]
fn an_address_of_another_seat_is_never_added() {
    for from in [address("Hellas"), address("Moderator"), "cursus+x@Example.org".to_owned()] {
        let (mut club, mails) = club();
        club.send(&from, &last(&mails, "Minoa").reply_to, "mine", ORDER);
        let told = club.post();
        let Some(question) = to(&told, "Minoa").first().map(|mail| (*mail).clone()) else {
            assert!(told.is_empty(), "our own address is nobody's");
            continue;
        };
        assert!(!flat(&question).contains("counts as yours"), "{}", question.text);
        club.reply(&question, "ok");
        let answers = club.post();
        assert!(is_filed(&mut club), "the letter itself counts");
        assert_eq!(recipients(&answers), [address("Minoa")]);
        assert!(!knows(&mut club, "Minoa", &from.to_lowercase()), "{from}");
    }
}

#[test]
fn a_new_address_is_told_at_all_others_and_to_the_moderator() {
    let (mut club, mails) = club();
    let question = asked(&mut club, &mails, PHONE, ORDER);
    club.reply(&question, "ok");
    let told = club.post();
    assert_eq!(recipients(&told), [PHONE.to_owned(), address("Minoa"), address("Moderator")]);
    assert!(flat(&last(&told, "Minoa")).contains("forget minoa@phone.example"), "{}", last(&told, "Minoa").text);
    assert!(flat(&last(&told, "Moderator")).contains("now also writes from minoa@phone.example"));
    let question = asked(&mut club, &mails, "minoa@work.example", "status");
    club.reply(&question, "ok");
    let told = club.post();
    let others = [address("Minoa"), PHONE.to_owned(), address("Moderator"), "minoa@work.example".to_owned()];
    assert_eq!(recipients(&told), {
        let mut all = others.to_vec();
        all.sort();
        all
    });
}

#[test]
fn addresses_are_listed_and_forgotten() {
    let (mut club, mails) = club();
    let question = asked(&mut club, &mails, PHONE, ORDER);
    club.reply(&question, "ok");
    club.post();
    for (ask, says) in [
        ("addresses", "count as yours"),
        ("adresy", "count as yours"),
        ("forget it", "No order"),
        ("forget thief@else.example", "none of your addresses"),
    ] {
        club.reply(&last(&mails, "Minoa"), ask);
        let told = club.post();
        assert!(flat(&told[0]).contains(says), "{ask}: {}", told[0].text);
        assert_eq!(told.len(), 1, "{ask}");
        assert_eq!(flat(&told[0]).contains(PHONE), ask.starts_with('a'), "{ask}");
    }
    // A trial only shows.
    club.reply(&last(&mails, "Minoa"), &format!("try\nforget {PHONE}"));
    club.post();
    assert!(knows(&mut club, "Minoa", PHONE));
    // The thief throws the player out: both hear of it, and the moderator.
    club.send(PHONE, &last(&mails, "Minoa").reply_to, "x", &format!("forget <{}>", address("MINOA")));
    let told = club.post();
    assert_eq!(recipients(&told), [PHONE.to_owned(), address("Minoa"), address("Moderator")]);
    assert!(flat(&last(&told, "Minoa")).contains("If it was not you"));
    assert!(!knows(&mut club, "Minoa", &address("Minoa")));
    // The last one stays.
    club.send(PHONE, &last(&mails, "Minoa").reply_to, "x", &format!("zapomnij {PHONE}"));
    let told = club.post();
    assert!(flat(&told[0]).contains("your only address"), "{}", told[0].text);
    assert!(knows(&mut club, "Minoa", PHONE));
}

#[test]
fn the_moderator_has_addresses_too() {
    let (mut club, mails) = club();
    club.send("boss@phone.example", &last(&mails, "Moderator").reply_to, "x", "status");
    let question = last(&club.post(), "Moderator");
    club.reply(&question, "ok");
    assert_eq!(recipients(&club.post()), ["boss@phone.example".to_owned(), address("Moderator")]);
    club.reply(&last(&mails, "Moderator"), "addresses");
    assert!(flat(&last(&club.post(), "Moderator")).contains("boss@phone.example"));
    club.reply(&last(&mails, "Moderator"), "forget boss@phone.example");
    assert_eq!(recipients(&club.post()), ["boss@phone.example".to_owned(), address("Moderator")]);
    club.send("boss@phone.example", &last(&mails, "Moderator").reply_to, "x", "process for 1.movement");
    assert!(flat(&last(&club.post(), "Moderator")).contains("did you write") || club.table("demo").phase().turn == 1);
}

#[test]
fn a_preview_is_confirmed_by_a_bare_yes_alone() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Moderator"), "eject Hellas");
    let preview = last(&club.post(), "Moderator");
    club.reply(&preview, "OK, but is that not too hard?");
    club.post();
    let table = club.table("demo");
    assert!(!table.state.is_leaving(civ(&table, "Hellas")));
    club.reply(&preview, "ok");
    club.post();
    let table = club.table("demo");
    // The phase is finished first; then the player goes.
    assert!(table.state.is_leaving(civ(&table, "Hellas")));
}

#[test]
fn a_subject_is_not_repeated_whole() {
    let (mut club, mails) = club();
    let subject = "a very long subject ".repeat(10_000);
    club.send(PHONE, &last(&mails, "Minoa").reply_to, &subject, &"always tax 2 ".repeat(10_000));
    let question = last(&club.post(), "Minoa");
    assert!(question.raw.len() < 20_000, "{} bytes", question.raw.len());
}

#[test]
fn nobody_is_reached_at_an_address_of_ours() {
    let (mut club, mails) = club();
    for person in ["Eve <cursus@example.org>", "Eve <Cursus+eve@EXAMPLE.org>"] {
        for command in ["replace Minoa", "deputy Minoa"] {
            club.reply(&last(&mails, "Moderator"), &format!("{command} {person} for 1.movement"));
            let told = last(&club.post(), "Moderator");
            assert!(flat(&told).contains("moderator's own post"), "{}", told.text);
        }
    }
    let table = club.table("demo");
    assert_eq!(table.seat(seat(&table, "Minoa")).map(|seat| seat.player.as_str()), Some("Minoa"));
    // Nor does anybody write from there, whatever they know.
    club.send("cursus+minoa@example.org", &last(&mails, "Minoa").reply_to, "x", ORDER);
    assert!(club.post().is_empty());
    assert!(!is_filed(&mut club));
}

#[test]
fn nothing_is_read_that_was_not_shown() {
    let (mut club, mails) = club();
    let text = format!("{}always tax 2", "just talk\n".repeat(150));
    let question = asked(&mut club, &mails, PHONE, &text);
    assert!(!flat(&question).contains("always tax 2") && flat(&question).contains("only what is shown"));
    club.reply(&question, "ok");
    club.post();
    assert!(!is_filed(&mut club));
}
