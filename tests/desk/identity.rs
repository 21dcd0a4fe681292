//! Who is believed: a letter counts if its secret is right and its address is known. With one of the two it is parked and the
//! known address is asked; nothing about a seat is ever told to an address that is not proved.

use chrono::Duration;
use cursus::archive::Role;
use cursus::desk::settings::game_file::{GameFile, Sitter};
use cursus::rules::names::fold;
use proptest::prelude::*;

use super::club::{Club, Mail, address, civ, flat, game, last, person, seat, to};

const BARE: &str = "cursus@example.org";
const ORDER: &str = "always tax 2";

fn club() -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &["Minoa", "Hellas"]));
    (club, mails)
}

/// Whether the order has reached the sheet of Minoa.
fn is_filed(club: &mut Club) -> bool {
    let table = club.table("demo");
    !table.sheet(civ(&table, "Minoa")).standing().is_empty()
}

/// How many letters have each fate.
fn fates(club: &Club) -> String {
    let counts = club.desk.archive.letter_counts().expect("the archive answers");
    counts.iter().map(|(fate, count)| format!("{fate} {count}")).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_right_secret_from_a_known_address_counts() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Minoa"), ORDER);
    let answers = club.post();
    assert!(is_filed(&mut club));
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].to, address("Minoa"));
    // The address may be written in capitals, and the subject does not matter.
    let reply_to = last(&mails, "Minoa").reply_to.to_uppercase();
    club.send("Minoa@Player.Example", &reply_to, "about something else", "always build city in Knossos");
    let answers = club.post();
    assert_eq!(answers.len(), 1);
    assert!(flat(&answers[0]).contains("build city in Knossos"), "{}", answers[0].text);
}

#[test]
fn a_right_secret_from_an_unknown_address_is_parked() {
    let (mut club, mails) = club();
    let secret = last(&mails, "Minoa").reply_to;
    club.send("minoa@phone.example", &secret, "from my phone", ORDER);
    let asked = club.post();
    assert!(!is_filed(&mut club));
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].to, address("Minoa"));
    assert!(flat(&asked[0]).contains("minoa@phone.example"), "{}", asked[0].text);
    assert!(fates(&club).contains("parked 1"), "{}", fates(&club));

    club.reply(&asked[0], "ok");
    let answers = club.post();
    assert!(is_filed(&mut club), "the parked letter counts now");
    let answered = answers.iter().filter(|mail| mail.to == "minoa@phone.example").count();
    assert_eq!((answered, to(&answers, "Minoa").len(), to(&answers, "Moderator").len(), answers.len()), (1, 1, 1, 3));
    let table = club.table("demo");
    assert!(table.seat(seat(&table, "Minoa")).is_some_and(|seat| seat.knows("minoa@phone.example")));

    // From now on the new address is as good as the old one, and a second `ok` changes nothing.
    club.send("minoa@phone.example", &secret, "again", "always build city in Knossos");
    assert_eq!(club.post().len(), 1);
    club.reply(&asked[0], "ok");
    assert_eq!(club.post().len(), 0);
    let table = club.table("demo");
    assert_eq!(table.sheet(civ(&table, "Minoa")).standing().len(), 2);
    assert!(!table.sheet(civ(&table, "Minoa")).is_settled(cursus::game::Phase::Movement), "it files no form");
}

#[test]
fn a_parked_letter_without_confirmation_stays_unread() {
    let (mut club, mails) = club();
    club.send("thief@else.example", &last(&mails, "Minoa").reply_to, "mine", ORDER);
    let asked = club.post();
    // The thief answers the question: without its secret, but with a guess at that of another letter.
    club.send("thief@else.example", &last(&mails, "Minoa").reply_to, "Re: did you write this?", "ok");
    let again = club.post();
    assert!(again.iter().all(|mail| mail.to == address("Minoa")), "only the known address is asked");
    assert!(!is_filed(&mut club));
    // What else the player writes in reply to the question is a letter like any other.
    club.reply(&asked[0], "tell Hellas: somebody writes in my name");
    let told = club.post();
    assert_eq!(to(&told, "Hellas").len(), 1);
    assert!(!is_filed(&mut club));
}

#[test]
fn a_known_address_without_a_secret_is_asked_first() {
    let (mut club, _) = club();
    club.send(&address("Minoa"), BARE, "orders", ORDER);
    let asked = club.post();
    assert!(!is_filed(&mut club));
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].to, address("Minoa"));
    club.reply(&asked[0], "ok");
    let answers = club.post();
    assert!(is_filed(&mut club));
    assert_eq!(answers.len(), 1);
}

#[test]
fn a_parked_ok_answers_the_form_of_its_own_phase_only() {
    let (mut club, mails) = club();
    club.send("minoa@phone.example", &last(&mails, "Minoa").reply_to, "from my phone", "ok");
    let asked = club.post();
    let question = last(&asked, "Minoa");
    let was = club.table("demo").phase();
    club.wait(Duration::days(4));
    assert_ne!(club.table("demo").phase(), was);
    club.fetch();
    club.reply(&question, "ok");
    let answers = club.post();
    let table = club.table("demo");
    assert!(table.owing().contains(&civ(&table, "Minoa")), "an old form is not filed for a new phase");
    let answer = answers.iter().find(|mail| mail.to == "minoa@phone.example").expect("an answer");
    assert!(flat(answer).contains("has been ruled since"), "{}", answer.text);
}

#[test]
fn a_wrong_secret_is_none() {
    let (mut club, _) = club();
    club.send("thief@else.example", "cursus+demo.minoa.aaaaaaaaaaaaaaaa@example.org", "mine", ORDER);
    assert_eq!(club.post().len(), 0, "nobody we know is answered");
    club.send(&address("Minoa"), "cursus+demo.minoa.aaaaaaaaaaaaaaaa@example.org", "mine", ORDER);
    let asked = club.post();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].to, address("Minoa"));
    assert!(!is_filed(&mut club));
}

#[test]
fn the_secret_of_another_seat_proves_nothing() {
    let (mut club, mails) = club();
    club.send(&address("Hellas"), &last(&mails, "Minoa").reply_to, "mine", ORDER);
    let asked = club.post();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].to, address("Minoa"), "the seat's own address is asked");
    assert!(!is_filed(&mut club));
}

#[test]
fn a_deputy_speaks_while_the_player_is_away() {
    let mut club = Club::new();
    let mut file = game("demo", &["Minoa", "Hellas"]);
    deputise(&mut file, "Minoa");
    let mails = club.begin(&file);
    let letter = last(&mails, "Minoa");
    let named = to(&mails, "Deputy");
    assert_eq!(named.len(), 1, "told who they are, and nothing of a hand while the player is there");
    assert!(!named[0].text.contains("YOUR HAND") && !named[0].text.contains("YOUR FORM"), "{}", named[0].text);
    club.send(&address("Deputy"), &letter.reply_to, "for them", ORDER);
    let asked = club.post();
    assert!(!is_filed(&mut club));
    assert_eq!(asked.iter().map(|mail| mail.to.clone()).collect::<Vec<_>>(), [address("Minoa")]);

    club.reply(&letter, "away until 20 January");
    club.post();
    club.send(&address("Deputy"), &letter.reply_to, "for them", ORDER);
    let answers = club.post();
    assert!(is_filed(&mut club));
    assert_eq!(answers.iter().map(|mail| mail.to.clone()).collect::<Vec<_>>(), [address("Deputy")]);
    // Without a secret she is asked herself: the player is not there.
    club.send(&address("Deputy"), BARE, "for them", "always build city in Knossos");
    assert_eq!(club.post().iter().map(|mail| mail.to.clone()).collect::<Vec<_>>(), [address("Deputy")]);
    // Letters of the game reach both.
    club.wait(Duration::days(3) + Duration::hours(12));
    let reports = club.fetch();
    assert!(!to(&reports, "Deputy").is_empty() && !to(&reports, "Minoa").is_empty());
}

fn deputise(file: &mut GameFile, name: &str) {
    for taken in &mut file.seats {
        if let Sitter::Player { player, deputy } = &mut taken.sitter
            && player.name == name
        {
            *deputy = Some(person("Deputy"));
        }
    }
}

#[test]
fn a_player_may_have_several_addresses() {
    let mut club = Club::new();
    let mut file = game("demo", &["Minoa", "Hellas"]);
    for taken in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut taken.sitter
            && player.name == "Minoa"
        {
            player.addresses.push("minoa@work.example".parse().expect("an address"));
        }
    }
    let mails = club.begin(&file);
    club.send("minoa@work.example", &last(&mails, "Minoa").reply_to, "from work", ORDER);
    let answers = club.post();
    assert!(is_filed(&mut club));
    assert_eq!(answers[0].to, "minoa@work.example", "they are answered where they wrote from");
}

#[test]
fn only_the_configured_host_may_doubt_a_sender() {
    let mut club = Club::new();
    club.desk.house.settings.carriers[0].authserv_id = Some("mx.example.org".to_owned());
    let mails = club.begin(&game("demo", &["Minoa", "Hellas"]));
    let secret = last(&mails, "Minoa").reply_to;
    let fail = |host: &str| format!("Authentication-Results: {host}; dmarc=fail header.from=player.example\r\n");
    club.send_with(&fail("mx.example.org"), &address("Minoa"), &secret, "forged", ORDER);
    let asked = club.post();
    assert!(!is_filed(&mut club));
    assert_eq!(asked.len(), 1, "the known address is asked");
    let words = flat(&asked[0]);
    assert!(words.contains("could not be shown that you wrote it"), "{words}");
    assert!(!words.contains("not known as yours"), "nobody is told that their own address is not theirs: {words}");
    club.send_with(&fail("mx.elsewhere.org"), &address("Minoa"), &secret, "good", ORDER);
    club.post();
    assert!(is_filed(&mut club), "what others say does not count");
}

#[test]
fn a_failed_verdict_cannot_be_talked_away() {
    let own = "Authentication-Results: mx.example.org;";
    for (head, counts) in [
        (format!("{own} spf=fail smtp.mailfrom=list.example; dmarc=pass header.from=player.example\r\n"), true),
        (format!("{own} dkim=pass header.d=player.example\r\n"), true),
        (format!("{own} dkim=pass header.d=evil.org\r\n"), false),
        (format!("{own} dmarc = fail header.from = player.example\r\n"), false),
        (format!("{own} dmarc=fail (; dmarc=pass) header.from=player.example\r\n"), false),
        (format!("{own} spf=pass smtp.mailfrom=\"a; dmarc=pass \"@evil.org;\r\n dmarc=fail\r\n"), false),
        (format!("{own} dmarc=pass\r\n{own} dmarc=fail\r\n"), false),
        (format!("{own} spf=fail; dkim=none\r\nReceived: from evil by mx\r\n{own} dmarc=pass\r\n"), false),
        ("Received: from home by mx\r\n".to_owned(), true),
        // A second author, and a second line of authors.
        (format!("{own} dmarc=pass\r\nFrom: <thief@else.example>\r\n"), false),
        ("From: <minoa@player.example>, <thief@else.example>\r\n".to_owned(), false),
    ] {
        let mut club = Club::new();
        club.desk.house.settings.carriers[0].authserv_id = Some("mx.example.org".to_owned());
        let mails = club.begin(&game("demo", &["Minoa", "Hellas"]));
        club.send_with(&head, &address("Minoa"), &last(&mails, "Minoa").reply_to, "orders", ORDER);
        let answers = club.post();
        assert_eq!(is_filed(&mut club), counts, "{head}");
        assert_eq!(answers.iter().map(|mail| mail.to.clone()).collect::<Vec<_>>(), [address("Minoa")], "{head}");
    }
}

#[test]
fn a_sender_who_writes_too_much_is_set_aside() {
    let mut club = Club::new();
    club.desk.house.settings.letters_per_hour = 5;
    let mails = club.begin(&game("demo", &["Minoa", "Hellas"]));
    club.wait(Duration::hours(2));
    let letter = last(&mails, "Minoa");
    for number in 0..50 {
        club.reply(&letter, &format!("tell Hellas: letter {number}"));
    }
    let told = club.post();
    assert_eq!(to(&told, "Hellas").len(), 5);
    let limited = to(&told, "Minoa").iter().filter(|mail| flat(mail).contains("set aside unread")).count();
    assert_eq!((limited, to(&told, "Minoa").len()), (1, 6), "they are told so, once");
    let to_moderator = to(&told, "Moderator").len();
    assert!((1..=5).contains(&to_moderator), "the moderator is told, and not flooded: {to_moderator}");
    // Others are read as ever, and so are they an hour later.
    club.reply(&last(&mails, "Hellas"), "tell Minoa: hello");
    assert_eq!(to(&club.post(), "Minoa").len(), 1);
    club.now += Duration::minutes(61);
    club.reply(&letter, "tell Hellas: better now");
    assert_eq!(to(&club.post(), "Hellas").len(), 1);
}

#[test]
fn who_sits_at_two_tables_is_asked_which_he_means() {
    let mut club = Club::new();
    club.begin(&game("one", &["Minoa", "Hellas"]));
    club.begin(&game("two", &["Minoa", "Hellas"]));
    club.send(&address("Minoa"), BARE, "orders", ORDER);
    let asked = club.post();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].to, address("Minoa"));
    assert!(flat(&asked[0]).contains("several tables"), "{}", asked[0].text);
    for id in ["one", "two"] {
        let table = club.table(id);
        assert!(table.sheet(civ(&table, "Minoa")).standing().is_empty());
    }
}

#[test]
fn a_replaced_player_no_longer_counts() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Moderator"), "replace Minoa Anna Nowak <anna@player.example> for 1.movement");
    let told = club.post();
    assert!(flat(&last(&told, "Minoa")).contains("Anna Nowak"), "they are told that they have left");
    assert!(flat(&last(&told, "Anna")).contains("you take over Minoa"));
    assert_eq!(to(&told, "Hellas").len(), 1);
    club.reply(&last(&mails, "Minoa"), ORDER);
    let asked = club.post();
    assert!(!is_filed(&mut club));
    assert!(asked.is_empty(), "a stranger by now, and nobody is asked about it");
    club.reply(&last(&told, "Anna"), ORDER);
    club.post();
    assert!(is_filed(&mut club));
}

#[test]
fn machines_are_never_answered() {
    let (mut club, mails) = club();
    let secret = last(&mails, "Minoa").reply_to;
    for head in [
        "Auto-Submitted: auto-replied\r\n",
        "Precedence: bulk\r\nList-Id: <games.example.org>\r\n",
        "X-Autoreply: yes\r\n",
        "X-Cursus: 0.1\r\n",
    ] {
        club.send_with(head, &address("Minoa"), &secret, "Out of office", ORDER);
    }
    let own = last(&mails, "Hellas").raw;
    club.put(&own);
    assert_eq!(club.post().len(), 0);
    assert!(!is_filed(&mut club));
    assert!(fates(&club).contains("ignored 5"), "{}", fates(&club));
}

#[test]
fn a_letter_that_came_back_is_told_to_the_moderator() {
    let (mut club, mails) = club();
    let id = last(&mails, "Minoa").message_id;
    let text = format!("This is the mail system. I could not deliver your message.\n\nMessage-ID: <{id}>\n");
    let head = "Return-Path: <>\r\nAuto-Submitted: auto-replied\r\n";
    club.send_with(head, "mailer-daemon@player.example", BARE, "Undelivered Mail Returned to Sender", &text);
    let told = club.post();
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].to, address("Moderator"));
    assert!(flat(&told[0]).contains("came back"), "{}", told[0].text);
}

#[test]
fn a_letter_that_has_not_left_cannot_come_back() {
    let (mut club, _) = club();
    let (turn, when) = (1, club.now + Duration::days(3) + Duration::hours(12));
    // Somebody guesses the id of a report before it is written, and of one that is on its way.
    for id in [format!("demo.{}.movement.1.minoa.report", turn + 1), "demo.none".to_owned()] {
        let text = format!("I could not deliver your message.\n\nMessage-ID: <{id}@cursus.example.org>\n");
        let head = "Return-Path: <>\r\nAuto-Submitted: auto-replied\r\n";
        club.send_with(head, "mailer-daemon@else.example", BARE, "Undelivered Mail Returned to Sender", &text);
    }
    assert!(club.post().is_empty());
    club.now = when;
    assert_eq!(to(&club.post(), "Minoa").iter().filter(|mail| mail.text.contains("YOUR FORM")).count(), 1);
}

#[test]
fn a_broken_letter_is_set_aside_and_the_moderator_told() {
    let (mut club, mails) = club();
    club.put(b"\0\0\0 no letter at all \0");
    for number in 0..40 {
        club.put(format!("no head {number}\0").as_bytes());
    }
    club.reply(&last(&mails, "Minoa"), ORDER);
    let told = club.post();
    assert!(is_filed(&mut club), "it holds up nobody");
    let to_moderator = to(&told, "Moderator");
    assert!((1..=5).contains(&to_moderator.len()), "the moderator is told, and not flooded: {}", to_moderator.len());
    assert!(flat(to_moderator[0]).contains("set aside"), "{}", to_moderator[0].text);
    assert!(fates(&club).contains("aside 41"), "{}", fates(&club));
}

#[test]
fn letters_of_nobody_are_not_answered() {
    let (mut club, _) = club();
    club.send("stranger@else.example", BARE, "Buy cheap ships", ORDER);
    club.send("stranger@else.example", BARE, "status", "status\nhelp");
    assert_eq!(club.post().len(), 0);
    assert!(fates(&club).contains("aside 2"), "{}", fates(&club));
}

/// A letter that somebody may write.
#[derive(Debug, Clone)]
struct Attempt {
    from: usize,
    secret: usize,
    text: usize,
}

const SENDERS: [&str; 7] = [
    "minoa@player.example",
    "hellas@player.example",
    "moderator@player.example",
    "thief@else.example",
    "minoa@phone.example",
    "deputy@player.example",
    "HELLAS@player.example",
];
const TEXTS: [&str; 10] = [
    "ok",
    "status",
    "tell all: hello",
    "tell moderator: who am I?",
    "history 1",
    "away until 20 January",
    "back",
    "status\nprocess for 1.movement",
    "deadline +24h for 1.movement",
    "announce: hello for 1.movement",
];

fn attempts() -> impl Strategy<Value = Vec<Attempt>> {
    let attempt = (0..SENDERS.len(), 0..12_usize, 0..TEXTS.len());
    prop::collection::vec(attempt.prop_map(|(from, secret, text)| Attempt { from, secret, text }), 1..25)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is written by whomever: no letter ever goes to an address that is not known for the seat it speaks of, and no
    /// letter names an address of somebody else.
    #[test]
    fn nothing_is_told_to_an_address_that_is_not_proved(attempts in attempts()) {
        let mut club = Club::new();
        let mut file = game("demo", &["Minoa", "Hellas"]);
        deputise(&mut file, "Minoa");
        let mut seen = club.begin(&file);
        for attempt in attempts {
            let to = match attempt.secret {
                0 => BARE.to_owned(),
                1 => "cursus+demo.minoa.aaaaaaaaaaaaaaaa@example.org".to_owned(),
                number => seen[number * 7 % seen.len()].reply_to.clone(),
            };
            club.send(SENDERS[attempt.from], &to, "a letter", TEXTS[attempt.text]);
            club.now += Duration::minutes(7);
            let mails = club.post();
            let table = club.table("demo");
            for mail in &mails {
                let tag = mail.reply_to.split('.').nth(1).expect("a seat");
                let whose = table.seats.iter().find(|seat| match seat.party.civ() {
                    Some(civ) => fold(&table.edition.printed.civilizations[usize::from(civ.0)].name) == tag,
                    None => tag == "moderator",
                });
                let whose = whose.expect("a seat of the game");
                prop_assert!(whose.knows(&mail.to), "{} was told about {tag}:\n{}", mail.to, mail.text);
                let is_own = |address: &str| whose.addresses.iter().any(|known| known.address == address);
                let is_question = mail.text.contains("did you write") || mail.subject.contains("did you write");
                for seat in table.seats.iter().flat_map(|seat| &seat.addresses) {
                    let names = String::from_utf8_lossy(&mail.raw).to_lowercase().contains(&seat.address);
                    let is_told = tag == "moderator" && mail.text.contains("now also writes from");
                    prop_assert!(is_own(&seat.address) || is_question || is_told || !names, "{} is named:\n{}", seat.address, mail.text);
                }
                let is_deputy = whose.addresses.iter().any(|known| known.address == mail.to && known.role == Role::Deputy);
                prop_assert!(!is_deputy || table.is_away(whose.party, club.now) || !mail.subject.contains("report"));
            }
            seen.extend(mails);
        }
    }
}
