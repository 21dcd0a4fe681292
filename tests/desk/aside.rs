//! What is set aside: nobody can use up another's share of letters, whoever has used up their own is told so, and the moderator
//! sees what there is to see and no more.

use chrono::Duration;

use super::club::{Club, Mail, address, civ, flat, game, last, person, to};

const BARE: &str = "cursus@example.org";
const ORDER: &str = "always tax 2";
const MOST: u32 = 5;

fn club() -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    club.desk.house.settings.letters_per_hour = MOST;
    let mails = club.begin(&game("demo", &["Minoa", "Hellas"]));
    club.wait(Duration::hours(2));
    club.fetch();
    (club, mails)
}

fn lines(club: &mut Club) -> usize {
    let table = club.table("demo");
    table.sheet(civ(&table, "Minoa")).standing().len()
}

#[test]
fn letters_in_his_name_do_not_use_up_his_share() {
    let (mut club, mails) = club();
    for number in 0..3 * MOST {
        club.send(&address("Minoa"), BARE, "forged", &format!("tell Hellas: {number}"));
        let head = "Auto-Submitted: auto-replied\r\n";
        club.send_with(head, &address("Minoa"), &last(&mails, "Minoa").reply_to, "Out of office", "away");
        club.send(&address("Minoa"), "cursus+demo.minoa.aaaaaaaaaaaaaaaa@example.org", "forged", &format!("{number}"));
    }
    let asked = club.post();
    assert!(to(&asked, "Minoa").len() <= MOST as usize, "the player is not flooded with questions");
    club.reply(&last(&mails, "Minoa"), ORDER);
    let answers = club.post();
    assert_eq!(lines(&mut club), 1, "the player's own letter is read");
    assert_eq!(to(&answers, "Minoa").len(), 1);
}

#[test]
fn who_has_used_up_his_share_is_told_once_and_until_when() {
    let (mut club, mails) = club();
    let letter = last(&mails, "Minoa");
    for number in 0..MOST {
        club.reply(&letter, &format!("tell Hellas: {number}"));
        club.now += Duration::minutes(1);
        club.post();
    }
    let mut told = Vec::new();
    for number in 0..4 {
        club.reply(&letter, &format!("tell Hellas: too much {number}"));
        told.extend(club.post());
    }
    let notices: Vec<_> = to(&told, "Minoa");
    assert_eq!(notices.len(), 1, "once");
    // The first came at eleven; so they may write again at noon.
    assert!(flat(notices[0]).contains("until Monday 4 January, 12:00 UTC"), "{}", notices[0].text);
    club.now += Duration::minutes(54);
    club.reply(&letter, "tell Hellas: too early");
    assert!(to(&club.post(), "Hellas").is_empty());
    club.now += Duration::minutes(2);
    club.reply(&letter, "tell Hellas: better now");
    assert_eq!(to(&club.post(), "Hellas").len(), 1, "what was set aside does not count");
}

/// The numbers that a list of letters begins with.
fn numbers(mail: &Mail) -> Vec<String> {
    let words = mail.text.split_whitespace().filter_map(|word| word.strip_suffix(':'));
    words.filter(|word| word.len() == 6 && word.chars().all(|c| c.is_ascii_digit())).map(str::to_owned).collect()
}

/// One letter of Minoa is set aside; what the moderator finds of it.
fn listed(club: &mut Club, mails: &[Mail]) -> Mail {
    for number in 0..MOST {
        club.reply(&last(mails, "Minoa"), &format!("tell Hellas: {number}"));
    }
    club.reply(&last(mails, "Minoa"), ORDER);
    let notice = last(&club.post(), "Moderator");
    assert!(!flat(&notice).contains(ORDER), "{}", notice.text);
    assert!(flat(&notice).contains("minoa@player.example") && flat(&notice).contains(" kB"), "{}", notice.text);
    club.reply(&last(mails, "Moderator"), "set aside");
    last(&club.post(), "Moderator")
}

#[test]
fn the_moderator_sees_what_was_set_aside_and_releases_it() {
    let (mut club, mails) = club();
    let list = listed(&mut club, &mails);
    let text = flat(&list);
    assert!(text.contains("minoa@player.example") && text.contains("11:00") && text.contains("more than 5"), "{text}");
    assert!(text.contains(ORDER), "who does not play may read it: {text}");
    let found = numbers(&list);
    assert_eq!(found.len(), 1, "{text}");
    club.reply(&last(&mails, "Moderator"), "release 1");
    assert!(flat(&last(&club.post(), "Moderator")).contains("No letter 1"));
    assert_eq!(lines(&mut club), 0);
    club.reply(&last(&mails, "Moderator"), &format!("release {}", found[0]));
    let told = club.post();
    assert_eq!(lines(&mut club), 1, "it is handled like any other");
    assert_eq!(to(&told, "Minoa").len(), 1, "and answered");
    club.reply(&last(&mails, "Moderator"), "set aside");
    assert!(flat(&last(&club.post(), "Moderator")).contains("Nothing is set aside"));
}

#[test]
fn a_moderator_who_plays_does_not_read_the_others_letters() {
    let mut club = Club::new();
    club.desk.house.settings.letters_per_hour = MOST;
    let mut file = game("demo", &["Minoa", "Hellas"]);
    file.moderator.addresses = person("Hellas").addresses;
    file.moderator.addresses.insert(0, person("Moderator").addresses[0].clone());
    let mails = club.begin(&file);
    club.wait(Duration::hours(2));
    club.fetch();
    let text = flat(&listed(&mut club, &mails));
    assert!(text.contains("minoa@player.example") && !text.contains(ORDER), "{text}");
}

#[test]
fn a_release_proves_nobody() {
    let (mut club, mails) = club();
    for number in 0..=MOST {
        club.send(&address("Minoa"), BARE, "forged", &format!("{ORDER}\ntell Hellas: {number}"));
    }
    club.send("stranger@else.example", BARE, "hello", ORDER);
    club.post();
    club.reply(&last(&mails, "Moderator"), "aside");
    let list = last(&club.post(), "Moderator");
    let found = numbers(&list);
    assert_eq!(found.len(), 2, "{}", list.text);
    for number in found {
        club.reply(&last(&mails, "Moderator"), &format!("release {number}"));
    }
    let told = club.post();
    assert_eq!(lines(&mut club), 0);
    let asked = to(&told, "Minoa");
    assert_eq!(asked.len(), 1);
    assert!(asked[0].subject.contains("did you write"), "the known address is asked: {}", asked[0].subject);
    assert!(told.iter().all(|mail| mail.to != "stranger@else.example"));
    club.reply(asked[0], "ok");
    club.post();
    assert_eq!(lines(&mut club), 1);
}

#[test]
fn who_is_asked_which_game_he_means_is_not_flooded_either() {
    let mut club = Club::new();
    club.begin(&game("one", &["Minoa", "Hellas"]));
    club.begin(&game("two", &["Minoa", "Hellas"]));
    club.desk.house.settings.letters_per_hour = MOST;
    for number in 0..4 * MOST {
        club.send(&address("Minoa"), BARE, "forged", &format!("{number}"));
    }
    assert_eq!(to(&club.post(), "Minoa").len(), MOST as usize);
}
