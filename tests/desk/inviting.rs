//! Before a game begins: what is said to an invitation, and what can be asked and told already.

use cursus::archive::Status;
use cursus::desk::settings::game_file::{GameFile, Sitter};
use cursus::rules::Language;

use super::club::{Club, Mail, flat, game, last, seat, to};

const PEOPLE: [&str; 2] = ["Minoa", "Hellas"];

fn invited(file: &GameFile) -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    club.desk.create(file, [7; 32], club.now).expect("the game is created");
    let mails = club.post();
    (club, mails)
}

fn has_accepted(club: &mut Club, name: &str) -> bool {
    let table = club.table("demo");
    table.seat(seat(&table, name)).is_some_and(|seat| seat.accepted)
}

#[test]
fn people_say_yes_in_many_words() {
    for yes in ["Sure, count me in! OK", "Okej, gram!", "👍", "Hi!\n\nYes, gladly.\n\nMinos"] {
        let (mut club, mails) = invited(&game("demo", &PEOPLE));
        club.reply(&last(&mails, "Minoa"), yes);
        club.post();
        assert!(has_accepted(&mut club, "Minoa"), "{yes}");
    }
}

#[test]
fn a_refusal_reaches_the_moderator_and_may_be_taken_back() {
    for no in ["no thanks", "nie dzięki", "Sorry, I can't this winter."] {
        let (mut club, mails) = invited(&game("demo", &PEOPLE));
        club.reply(&last(&mails, "Minoa"), no);
        let news = club.post();
        let told = flat(&last(&news, "Moderator"));
        assert!(told.contains("Minoa does not want to play Minoa") && told.contains(no), "{told}");
        assert!(told.contains("replace Minoa"), "{told}");
        let confirmed = last(&news, "Minoa");
        assert!(flat(&confirmed).contains("the moderator is told") && !has_accepted(&mut club, "Minoa"));
        club.reply(&confirmed, "ok, I am in after all");
        club.post();
        assert!(has_accepted(&mut club, "Minoa"));
        // Whoever has said yes may still say no: the game does not begin without them.
        club.reply(&last(&mails, "Minoa"), no);
        club.post();
        club.reply(&last(&mails, "Hellas"), "ok");
        club.post();
        assert_eq!(club.table("demo").game.status, Status::Inviting);
    }
}

#[test]
fn what_is_neither_yes_nor_no_is_answered_with_the_invitation() {
    let (mut club, mails) = invited(&game("demo", &PEOPLE));
    for other in ["Is it ok if I play Rome?", "Let me think about it."] {
        club.reply(&last(&mails, "Minoa"), other);
        let news = club.post();
        assert!(flat(&last(&news, "Minoa")).contains("We could not tell"), "{other}");
        assert!(to(&news, "Moderator").is_empty() && !has_accepted(&mut club, "Minoa"));
    }
}

#[test]
fn help_and_messages_to_the_moderator_work_before_the_game_begins() {
    let (mut club, mails) = invited(&game("demo", &PEOPLE));
    club.reply(&last(&mails, "Minoa"), "help sail");
    let news = club.post();
    let help = flat(&last(&news, "Minoa"));
    assert!(help.contains("sail from") && help.contains("Your seat is not taken yet"), "{help}");
    club.reply(&last(&mails, "Minoa"), "tell moderator: may I play Rome?\n\ntell Hellas: hello");
    let news = club.post();
    assert!(to(&news, "Hellas").is_empty(), "{news:#?}");
    let asked = last(&news, "Moderator");
    assert!(flat(&asked).contains("may I play Rome?"), "{}", asked.text);
    let confirmed = flat(&last(&news, "Minoa"));
    assert!(confirmed.contains("went to the moderator") && confirmed.contains("only the moderator"), "{confirmed}");
    club.reply(&asked, "No, sorry: Rome is not in this scenario.");
    let told = last(&club.post(), "Minoa");
    assert!(flat(&told).contains("Rome is not in this scenario"), "{}", told.text);
    club.reply(&told, "Then Minoa it is. Who else plays?");
    let news = club.post();
    assert!(flat(&last(&news, "Moderator")).contains("Who else plays?"));
    assert!(!has_accepted(&mut club, "Minoa"), "a reply to a message takes no seat");
    club.reply(&last(&news, "Minoa"), "ok\ntell moderator: thank you");
    let news = club.post();
    assert!(has_accepted(&mut club, "Minoa") && flat(&last(&news, "Moderator")).contains("thank you"));
}

#[test]
fn the_invitation_names_the_moderator_and_the_readers_own_time() {
    let mut file = game("demo", &PEOPLE);
    for taken in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut taken.sitter
            && player.name == "Hellas"
        {
            (player.zone, player.language) = ("Europe/Warsaw".parse().expect("a zone"), Language::Polish);
        }
    }
    let (_, mails) = invited(&file);
    let english = flat(&last(&mails, "Minoa"));
    assert!(english.contains("Moderator moderates the game"), "{english}");
    assert!(english.contains("Cut-offs fall at 20:00 your time (UTC)."), "{english}");
    let polish = flat(&last(&mails, "Hellas"));
    assert!(polish.contains("Grę prowadzi Moderator"), "{polish}");
    assert!(polish.contains("Terminy upływają o 21:00 Twojego czasu (CET), czyli o 20:00 UTC."), "{polish}");
}
