//! Answers that a letter offers: proposals by their number, links that admit their own line once, and letters as they are liked.

use cursus::archive::OfferedAnswer;
use cursus::desk::settings::Format;
use cursus::desk::settings::game_file::{GameFile, Sitter};
use cursus::game::{Command, Phase};
use cursus::orders::Detail;
use cursus::report::{Names, worded};
use cursus::rules::Language;

use super::club::{Club, Mail, address, civ, flat, game, last, seat, to};

/// A game whose people read HTML.
fn links() -> GameFile {
    let mut file = game("demo", &["Minoa", "Hellas"]);
    for seat in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut seat.sitter {
            player.format = Format::Html;
        }
    }
    file
}

fn club() -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let mails = club.begin(&links());
    (club, mails)
}

/// What a letter offers under a line.
fn offered(club: &Club, mail: &Mail, line: &str) -> Option<OfferedAnswer> {
    let id = mail.message_id.trim_matches(['<', '>']);
    let offered = club.desk.archive.offered(id).expect("the archive answers");
    offered.into_iter().find(|offered| offered.line == line)
}

/// The address of a link.
fn link(club: &Club, mail: &Mail, line: &str) -> String {
    let secret = offered(club, mail, line).and_then(|offered| offered.secret).expect("a link");
    format!("cursus+demo.minoa.{secret}@example.org")
}

fn is_done(club: &mut Club) -> bool {
    let table = club.table("demo");
    table.sheet(civ(&table, "Minoa")).is_done(Phase::Movement)
}

#[test]
fn a_link_files_its_line_once() {
    let (mut club, mails) = club();
    let letter = last(&mails, "Minoa");
    let ok = link(&club, &letter, "ok");
    assert_ne!(letter.reply_to, ok, "the secret of a link is its own");
    // Programs write the line as they like, and put their notice below it.
    club.send(&address("Minoa"), &ok, "Re: whatever", "Ok\r\n\r\n-- \r\nSent from my phone");
    let answers = club.post();
    assert!(is_done(&mut club));
    assert_eq!(to(&answers, "Minoa").len(), 1);
    club.send(&address("Minoa"), &ok, "Re: whatever", "ok");
    let again = club.post();
    assert!(flat(&last(&again, "Minoa")).contains("a link works once"), "{}", last(&again, "Minoa").text);
}

#[test]
fn a_link_admits_nothing_else() {
    let (mut club, mails) = club();
    let ok = link(&club, &last(&mails, "Minoa"), "ok");
    for text in ["done", "ok\nalways tax 2", "ok\nok", "", "tell all: I surrender"] {
        club.send(&address("Minoa"), &ok, "Re: whatever", text);
        let asked = club.post();
        assert!(!is_done(&mut club), "{text}");
        let table = club.table("demo");
        assert!(table.sheet(civ(&table, "Minoa")).standing().is_empty(), "{text}");
        assert!(asked.iter().all(|mail| mail.to == address("Minoa")), "{text}: only the known address hears of it");
    }
    // It was never used, and its own line still counts.
    club.send(&address("Minoa"), &ok, "Re: whatever", "ok");
    club.post();
    assert!(is_done(&mut club));
}

#[test]
fn a_letter_that_was_passed_on_gives_a_stranger_nothing() {
    let (mut club, mails) = club();
    let ok = link(&club, &last(&mails, "Minoa"), "ok");
    club.send("stranger@else.example", &ok, "Re: whatever", "ok");
    assert_eq!(club.post().len(), 0, "nobody is told anything");
    assert!(!is_done(&mut club));
    // Another player has nothing of it either: they are asked what they mean.
    club.send(&address("Hellas"), &ok, "Re: whatever", "ok");
    let asked = club.post();
    assert!(asked.iter().all(|mail| mail.to == address("Hellas")), "{asked:?}");
    assert!(!is_done(&mut club));
}

#[test]
fn a_link_of_a_phase_that_is_over_does_nothing() {
    let (mut club, first) = club();
    let (ok, help) = (link(&club, &last(&first, "Minoa"), "ok"), link(&club, &last(&first, "Minoa"), "help"));
    let mails = club.answer_all(&first, &["Minoa", "Hellas"], "ok");
    assert!(!is_done(&mut club), "the next movement is open");
    club.send(&address("Minoa"), &ok, "Re: whatever", "ok");
    let told = club.post();
    assert!(flat(&last(&told, "Minoa")).contains("whose phase is over"), "{}", last(&told, "Minoa").text);
    assert!(!is_done(&mut club));
    // Whoever only asks is answered.
    club.send(&address("Minoa"), &help, "Re: whatever", "help");
    let told = club.post();
    assert!(last(&told, "Minoa").text.contains("ANSWER"), "{}", last(&told, "Minoa").text);
    drop(mails);
}

#[test]
fn a_proposal_files_what_was_shown() {
    let (mut club, mut mails) = club();
    for _ in 0..40 {
        let letter = last(&mails, "Minoa");
        if club.table("demo").state.phase() == Phase::Movement
            && let Some(proposal) = offered(&club, &letter, "ok 2")
        {
            assert!(flat(&letter).contains("Reply `ok 2`"), "{}", letter.text);
            assert!(proposal.files.iter().all(|line| letter.text.contains(line)), "{proposal:?}\n{}", letter.text);
            // A number that was not proposed files nothing, and ends nothing.
            club.reply(&letter, "ok 9");
            let answer = last(&club.post(), "Minoa");
            assert!(
                !is_done(&mut club) && flat(&answer).contains("proposes nothing under this number"),
                "{}",
                answer.text
            );
            // What was written in between does not change what the letter proposed.
            club.reply(&letter, "always tax 2");
            club.post();
            club.reply(&letter, "ok 2");
            club.post();
            let table = club.table("demo");
            let names = Names::new(&table.edition.printed, Language::English);
            let sheet = table.sheet(civ(&table, "Minoa"));
            let part = sheet.part(Phase::Movement).iter().map(|entry| &entry.command);
            let part: Vec<_> =
                part.filter(|command| **command != Command::Done).map(|line| worded(names, line)).collect();
            // Hellas has not moved, so the phase is open and the sheet is there to look at.
            assert_eq!(part, proposal.files);
            assert!(sheet.is_done(Phase::Movement));
            return;
        }
        for name in ["Minoa", "Hellas"] {
            let text = club.play("demo", name);
            if let Some(mail) = mails.iter().rev().find(|mail| mail.to == address(name)).cloned() {
                club.reply(&mail, &text);
            }
        }
        let news = club.post();
        mails.extend(news);
    }
    panic!("nothing was ever proposed");
}

#[test]
fn letters_are_as_they_are_liked() {
    let (mut club, mails) = club();
    let letter = last(&mails, "Minoa");
    assert!(!String::from_utf8_lossy(&letter.raw).contains("view.json"), "nobody has asked for data");
    club.reply(&letter, "try\ndetail brief");
    club.post();
    let liked = |club: &mut Club| {
        let table = club.table("demo");
        let seat = table.seat(seat(&table, "Minoa")).expect("a seat").clone();
        (seat.detail, seat.data)
    };
    assert_eq!(liked(&mut club), (Detail::Normal, false), "whoever only tries changes nothing");
    club.reply(&letter, "detail brief\ndata on");
    let answer = last(&club.post(), "Minoa");
    assert!(flat(&answer).contains("your letters are brief"), "{}", answer.text);
    club.reopen();
    assert_eq!(liked(&mut club), (Detail::Brief, true), "it is remembered");
    let news = club.answer_all(&mails, &["Minoa", "Hellas"], "ok");
    let has_data = |mail: &Mail| String::from_utf8_lossy(&mail.raw).contains("view.json");
    assert!(has_data(&last(&news, "Minoa")) && !has_data(&last(&news, "Hellas")));
    club.reply(&last(&news, "Minoa"), "szczegóły pełne\ndane nie");
    club.post();
    assert_eq!(liked(&mut club), (Detail::Full, false));
    // People speak of both without meaning us.
    club.reply(&last(&news, "Minoa"), "Details follow\nData: 5 maja\ndetail the plan to me");
    let answer = last(&club.post(), "Minoa");
    assert!(!answer.text.contains("COULD NOT BE READ"), "{}", answer.text);
}

#[test]
fn a_link_takes_a_farewell_along_and_nothing_that_could_be_meant() {
    for farewell in ["Best, Ann", "Ann", "Cheers!\nAnn Smith", "Pozdrawiam\nAnna", "Thanks and bye"] {
        let (mut club, mails) = club();
        let ok = link(&club, &last(&mails, "Minoa"), "ok");
        club.send(&address("Minoa"), &ok, "Re: whatever", &format!("ok\n\n{farewell}"));
        club.post();
        assert!(is_done(&mut club), "{farewell}");
    }
    let (mut club, mails) = club();
    let ok = link(&club, &last(&mails, "Minoa"), "ok");
    for more in ["Move 1 Knossos to Thera", "Always tax 2", "Build", "But please wait for me", "Ann: no", "Best 2 Ann"]
    {
        club.send(&address("Minoa"), &ok, "Re: whatever", &format!("ok\n{more}"));
        club.post();
        assert!(!is_done(&mut club), "{more}");
    }
}

#[test]
fn an_answer_that_still_waits_offers_to_end() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Minoa"), "build no city in Knossos");
    let answer = last(&club.post(), "Minoa");
    assert!(answer.text.contains("STILL NEEDED"), "{}", answer.text);
    let done = link(&club, &answer, "done");
    // What only tries would be ended without its lines.
    club.reply(&last(&mails, "Minoa"), "try\nbuild no city in Knossos");
    let tried = last(&club.post(), "Minoa");
    assert!(offered(&club, &tried, "done").is_none() && offered(&club, &tried, "ok").is_none());
    club.send(&address("Minoa"), &done, "Re: whatever", "done");
    let filed = last(&club.post(), "Minoa");
    assert!(is_done(&mut club));
    assert!(offered(&club, &filed, "done").is_none(), "nothing is left to end");
}
