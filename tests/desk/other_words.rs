//! A house whose templates are all in other words: what it says to a club and to a moderator has no English left.

use std::collections::{BTreeMap, BTreeSet};

use cursus::archive::{Archive, Durability};
use cursus::desk::{Desk, House};
use cursus::rules::{EditionFiles, PrintedGame};

use super::club::{Club, Mail, game, last, to};
use super::open_games::{file, joins, of, open, writes};

#[path = "../other_language.rs"]
#[allow(dead_code, reason = "the letters use the rest of it")]
mod other_language;

use other_language::{files, handed_in, is_said, left, words};

/// An open house of other words, and the words that may be English in it.
fn house() -> (Club, BTreeSet<String>) {
    let printed = PrintedGame::built_in().expect("the edition");
    let (files, mut allowed) = files(&printed);
    for page in [include_str!("other_words.rs"), include_str!("open_games.rs"), include_str!("club.rs")] {
        allowed.extend(handed_in(page));
    }
    // What the moderator of the test writes and is called by.
    allowed.extend(["demo", "Eva", "Good morning"].into_iter().flat_map(words));
    // What a moderator writes is shown as it is to be written.
    let commands = include_str!("../../src/desk/table/commanding.rs");
    let spelt = commands.split('"').skip(1).step_by(2).filter(|text| text.split(' ').count() < 3);
    allowed.extend(spelt.flat_map(words));
    let mut club = Club::new();
    let archive = Archive::open(&club.folder.join("cursus.sqlite"), Durability::None).expect("the archive opens");
    let own = BTreeMap::from([("en", files)]);
    let house = House::new(&archive, of(&club, true), &EditionFiles::built_in(), own).expect("the house is sound");
    club.desk = Desk::new(archive, house).expect("the desk is there");
    (club, allowed)
}

fn look(mails: &[Mail], allowed: &BTreeSet<String>, wrong: &mut BTreeSet<String>) {
    for mail in mails {
        // What somebody wrote is handed on as it is.
        let text: Vec<&str> = mail.text.lines().filter(|line| !line.starts_with('>')).collect();
        let text = format!("{}\n{}", mail.subject, text.join("\n"));
        assert!(is_said(&text), "none of the templates' words: {text}");
        wrong.extend(left(&text, allowed).into_iter().map(|word| format!("{word}: {}", mail.subject)));
    }
}

#[test]
fn a_club_is_spoken_to_in_its_templates_words() {
    let (mut club, allowed) = house();
    open(&mut club, &file("winter", "approval = true\ncivilizations = \"wished\"\nmuster = \"0s\""));
    let mut wrong = BTreeSet::new();
    for text in ["games", "standby", "no standby", "leave winter", "join summer"] {
        look(&writes(&mut club, "Cleo", text), &allowed, &mut wrong);
        club.now += chrono::Duration::days(1);
    }
    look(&joins(&mut club, "Ann", "join winter as Egypt\nname Anna Nowak"), &allowed, &mut wrong);
    look(&joins(&mut club, "Ben", "join winter as Minoa"), &allowed, &mut wrong);
    for text in ["who winter", "approve winter 1", "refuse winter 2", "approve winter 9", "start winter"] {
        look(&writes(&mut club, "Moderator", text), &allowed, &mut wrong);
    }
    assert!(wrong.is_empty(), "words that stand in no template:\n{}", Vec::from_iter(wrong).join("\n"));
}

#[test]
fn a_moderator_is_answered_in_their_templates_words() {
    let (mut club, allowed) = house();
    let mut mails = club.begin(&game("demo", &["Minoa", "Hellas"]));
    let mut wrong = BTreeSet::new();
    look(&mails, &allowed, &mut wrong);
    for text in [
        "status",
        "help",
        "Good morning",
        "paus",
        "deadline tomorrow",
        "eject Atlantis",
        "process for 1.tea",
        "deadline +24h for 1.movement",
        "pause",
        "pause for 1.movement",
        "resume",
        "announce: tea",
        "set aside",
        "standby",
        "edit Minoa: tax 9",
        "edit area Knossos: 3 Minoa",
        "edit Minoa: treasury 12",
        "deputy Minoa Eva <eva@player.example>",
        "replace Hellas companion merchant",
        "rollback 1.movement because tea",
        "abandon because tea",
    ] {
        let command = last(&mails, "Moderator");
        club.reply(&command, text);
        let answers = club.post();
        look(&answers, &allowed, &mut wrong);
        if !to(&answers, "Moderator").is_empty() {
            mails = answers;
        }
    }
    assert!(wrong.is_empty(), "words that stand in no template:\n{}", Vec::from_iter(wrong).join("\n"));
}
