//! The rehearsal: a practice letter for everybody who takes a seat, and what they are told of their reply, whatever mail program
//! they have. Nothing of it changes the game, and nobody is waited for.

use std::fs;
use std::path::Path;

use crate::desk::club::{Club, Mail, flat, game, to};
use cursus::archive::Status;
use cursus::desk::settings::game_file::{GameFile, Sitter};
use cursus::post::letter;
use cursus::post::style::{Placement, Rendering};
use cursus::post::words::Sent;
use cursus::rules::Language;

/// A game with a rehearsal in which Minoa has accepted and Hellas has not; and Minoa's practice letter.
fn practising() -> (Club, Mail) {
    let mut club = Club::new();
    let file = GameFile { rehearsal: true, ..game("demo", &["Minoa", "Hellas"]) };
    club.desk.create(&file, [7; 32], club.now).expect("the game is created");
    club.round();
    let invitations = club.fetch();
    club.reply(to(&invitations, "Minoa")[0], "ok");
    let mut letters = club.post();
    assert_eq!(letters.len(), 1, "one letter says both that the seat is taken and what to practise");
    (club, letters.remove(0))
}

/// The lines that a practice letter proposes.
fn proposed(mail: &Mail) -> Vec<String> {
    mail.text.lines().filter_map(|line| line.strip_prefix("    ")).map(str::to_owned).collect()
}

/// What is answered to these words, with the practice letter quoted below.
fn answered(club: &mut Club, mail: &Mail, text: &str) -> Mail {
    club.reply(mail, text);
    let mut letters = club.post();
    assert_eq!(letters.len(), 1, "every practice is answered, and only that");
    letters.remove(0)
}

#[test]
fn whoever_takes_his_seat_may_practise_and_is_told_that_everything_works() {
    let (mut club, practice) = practising();
    assert!(practice.subject.contains("practice"), "{}", practice.subject);
    assert!(flat(&practice).contains("your seat is taken"), "{}", practice.text);
    let lines = proposed(&practice);
    assert_eq!(lines.len(), 3, "{lines:?}");
    let answer = answered(&mut club, &practice, &lines.join("\n"));
    assert!(answer.subject.ends_with("everything works"), "{}\n{}", answer.subject, answer.text);
    let text = flat(&answer);
    for said in
        ["You wrote above the quotation", "plain text.", "left out as quoted", "2 orders would be accepted", &lines[0]]
    {
        assert!(text.contains(said), "{said}: {}", answer.text);
    }
    assert!(!text.contains("Still needed"), "nobody wants anything of a practice: {}", answer.text);
    // Nothing was stored and nothing has begun; the player may practise again in reply to the answer.
    let table = club.table("demo");
    assert_eq!(table.game.status, Status::Inviting);
    assert!(table.sheets.is_empty() && table.ruled.last_event == 0);
    let again = answered(&mut club, &answer, "move many Knossos > Phaestos");
    assert!(again.subject.ends_with("your mail program works"), "{}\n{}", again.subject, again.text);
    assert!(flat(&again).contains("^^^^"), "the fault has its caret: {}", again.text);
}

#[test]
fn practice_that_would_do_harm_is_told_with_what_to_change() {
    let (mut club, practice) = practising();
    let lines = proposed(&practice);
    // The player changes the line inside the quotation and writes nothing else.
    let changed = practice.text.replace(&lines[1], "always tax 2");
    let quoted: String = changed.lines().map(|line| format!("> {line}\n")).collect();
    let inside = format!("\n\nOn Monday Cursus wrote:\n{quoted}");
    club.send(&practice.to, &practice.reply_to, "Re: practice", &inside);
    let answer = club.post().remove(0);
    assert!(answer.subject.ends_with("something to change"), "{}\n{}", answer.subject, answer.text);
    assert!(flat(&answer).contains("You wrote inside the quotation"), "{}", answer.text);
    // The player only sends it back.
    let answer = answered(&mut club, &practice, "");
    assert!(flat(&answer).contains("We found no line of yours, only what is quoted"), "{}", answer.text);
    // The program does not mark what is ours: we know what we sent.
    let unmarked = format!("{}\n\n{}", lines.join("\n"), practice.text);
    club.send(&practice.to, &practice.reply_to, "Re: practice", &unmarked);
    let answer = club.post().remove(0);
    assert!(answer.subject.ends_with("everything works"), "{}\n{}", answer.subject, answer.text);
    assert!(flat(&answer).contains("2 orders would be accepted"), "{}", answer.text);
    // Without its beginning it could be what the player pasted.
    let rest = practice.text.lines().skip(1).collect::<Vec<_>>().join("\n");
    let unmarked = format!("{}\n\n{rest}", lines.join("\n"));
    club.send(&practice.to, &practice.reply_to, "Re: practice", &unmarked);
    let answer = club.post().remove(0);
    assert!(flat(&answer).contains("sends our letter back without a mark"), "{}", answer.text);
    // Good orders below a quotation, or between its lines, are fine.
    let below = format!("On Monday Cursus wrote:\n> Press reply\n\n{}\n", lines.join("\n"));
    club.send(&practice.to, &practice.reply_to, "Re: practice", &below);
    let answer = club.post().remove(0);
    assert!(answer.subject.ends_with("everything works"), "{}\n{}", answer.subject, answer.text);
    assert!(flat(&answer).contains("You wrote below the quotation"), "{}", answer.text);
}

/// A letter of `tests/letters_in`, as if it answered our practice letter.
fn as_answer(name: &str, practice: &Mail) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters_in").join(format!("{name}.eml"));
    let raw = fs::read(path).expect("a letter");
    let head =
        raw.windows(2).position(|two| two == b"\n\n").or_else(|| raw.windows(4).position(|four| four == b"\r\n\r\n"));
    let (head, body) = raw.split_at(head.expect("a head"));
    let lines = String::from_utf8_lossy(head).into_owned();
    let lines = lines.lines().map(|line| match line.split_once(':').map(|(name, _)| name) {
        Some("From") => format!("From: Minoa <{}>", practice.to),
        Some("To") => format!("To: <{}>", practice.reply_to),
        _ => line.trim_end().to_owned(),
    });
    [lines.collect::<Vec<_>>().join("\n").as_bytes(), body].concat()
}

#[test]
fn every_mail_program_is_told_apart() {
    let (mut club, practice) = practising();
    for (name, said) in [
        ("gmail-en-top", ["plain text and as HTML", "above the quotation"]),
        ("thunderbird-pl-flowed", ["(format=flowed)", "below the quotation"]),
        ("gmail-de-bottom", ["as plain text.", "below the quotation"]),
        ("k9-en-interleaved", ["between the lines of the quotation", "left out as your signature"]),
        ("mutt-en-interleaved", ["between the lines of the quotation", "left out as your signature"]),
        ("outlook-ios-en-html", ["It came as HTML.", "above the quotation"]),
        ("outlook-desktop-en", ["as plain text.", "above the quotation"]),
        ("iphone-pl", ["as plain text.", "left out as your signature"]),
        ("html-gmail-signature", ["It came as HTML.", "Nothing is quoted in it"]),
        ("attachment-photo", ["1 file that came along was not opened", "Nothing is quoted in it"]),
        ("avast-pl", ["left out as", "We read any of these"]),
    ] {
        club.put(&as_answer(name, &practice));
        let answers = club.post();
        assert_eq!(answers.len(), 1, "{name} is answered");
        let text = flat(&answers[0]);
        assert!(said.iter().all(|said| text.contains(said)), "{name}: {}", answers[0].text);
    }
    assert_eq!(club.table("demo").game.status, Status::Inviting);
    assert!(club.table("demo").sheets.is_empty());
}

#[test]
fn all_letters_that_we_have_are_of_some_style() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/letters_in");
    let (mut both, mut html, mut flowed, mut between) = (0, 0, 0, 0);
    for file in fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path()) {
        if file.extension().is_none_or(|ending| ending != "eml") {
            continue;
        }
        let raw = fs::read(&file).expect("a letter");
        let (opened, style) = (letter::open(&raw), letter::style(&raw, &Sent::default()));
        let (Ok(opened), Ok(style)) = (opened, style) else { continue };
        both += usize::from(style.rendering == Rendering::Both);
        html += usize::from(style.rendering == Rendering::Html);
        flowed += usize::from(style.is_flowed);
        between += usize::from(style.place == Placement::Between);
        // What is quoted is neither read nor lost.
        let is_alone = style.place == Placement::Alone;
        assert!(opened.forwarded || is_alone == style.quoted.is_empty(), "{}: {style:?}", file.display());
        if style.place == Placement::Nowhere {
            assert!(opened.forwarded || opened.text.is_empty(), "{}", file.display());
        }
    }
    assert!(both >= 5 && html >= 5 && flowed >= 2 && between >= 3, "{both} {html} {flowed} {between}");
}

#[test]
fn nobody_is_waited_for_and_a_practice_in_the_game_files_nothing() {
    let mut club = Club::new();
    let mut file = GameFile { rehearsal: true, ..game("demo", &["Minoa", "Hellas"]) };
    for seat in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut seat.sitter
            && player.name == "Hellas"
        {
            player.language = Language::Polish;
        }
    }
    club.desk.create(&file, [7; 32], club.now).expect("the game is created");
    club.round();
    for invitation in club.fetch() {
        club.reply(&invitation, "ok");
    }
    let letters = club.post();
    assert_eq!(club.table("demo").game.status, Status::Running, "it begins though nobody has practised");
    assert_eq!((to(&letters, "Minoa").len(), to(&letters, "Hellas").len()), (2, 2), "a practice and a welcome each");
    let hellas = to(&letters, "Hellas");
    let practice = hellas.iter().find(|mail| mail.subject.contains("list próbny")).expect("in their language");
    let lines = proposed(practice);
    assert!(lines.last().is_some_and(|line| line == "koniec"), "{lines:?}");
    let owing = club.table("demo").owing();
    let answer = answered(&mut club, practice, &format!("{}\npowiedz wszystkim: halo", lines.join("\n")));
    assert!(answer.subject.ends_with("wszystko działa"), "{}\n{}", answer.subject, answer.text);
    assert!(flat(&answer).contains("Gra już trwa"), "{}", answer.text);
    let table = club.table("demo");
    assert_eq!(table.owing(), owing, "the player is awaited as before");
    let filed = table.sheets.values().filter(|sheet| **sheet != Default::default()).count();
    assert!(filed <= 3, "only the built-in players have filed anything");
}

#[test]
fn a_game_may_go_without() {
    let mut club = Club::new();
    club.desk.create(&game("demo", &["Minoa", "Hellas"]), [7; 32], club.now).expect("the game is created");
    club.round();
    let invitations = club.fetch();
    club.reply(&invitations[0], "ok");
    let letters = club.post();
    assert_eq!(letters.len(), 1);
    assert!(!letters[0].subject.contains("practice"), "{}", letters[0].subject);
}
