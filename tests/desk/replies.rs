//! What a reply means: `ok` belongs to a form, a reply to a message is a message, and `done` beside a mistake waits.

use cursus::archive::Status;
use cursus::game::{Phase, TurnPhase};
use cursus::rules::Language;

use super::answers::{self, play_to};
use super::club::{Club, Mail, address, civ, flat, game, last, to};

const PEOPLE: [&str; 3] = ["Minoa", "Hellas", "Egypt"];
const TWO: [&str; 2] = ["Minoa", "Hellas"];

fn club() -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &PEOPLE));
    (club, mails)
}

fn is_awaited(club: &mut Club, name: &str) -> bool {
    let table = club.table("demo");
    table.owing().contains(&civ(&table, name))
}

fn moves(club: &mut Club, name: &str) -> usize {
    let table = club.table("demo");
    table.sheet(civ(&table, name)).part(Phase::Movement).len()
}

/// A message of Minoa's, as its readers find it.
fn message(club: &mut Club, mails: &[Mail], text: &str) -> Vec<Mail> {
    club.reply(&last(mails, "Minoa"), text);
    club.post()
}

#[test]
fn ok_to_a_letter_without_a_form_ends_nothing_and_says_what_would() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Moderator"), "deadline +24h for 1.movement");
    let moved = last(&club.post(), "Hellas");
    for words in ["ok", "OK!", "ok 2", "done", "koniec", "wait", "ok\n\nHellas"] {
        club.reply(&moved, words);
        let answer = last(&club.post(), "Hellas");
        assert!(is_awaited(&mut club, "Hellas"), "{words} ended the movement");
        assert_eq!(moves(&mut club, "Hellas"), 0, "{words}");
        assert!(flat(&answer).contains("`ok` did nothing here: it belongs to a form"), "{}", answer.text);
        assert!(answer.text.contains("YOUR FORM") && !answer.subject.contains("filed"), "{}", answer.text);
        if words == "wait" {
            club.reply(&answer, "ok");
            club.post();
            assert!(!is_awaited(&mut club, "Hellas"), "the answer carries the form");
            return;
        }
    }
}

#[test]
fn okay_is_ok_however_people_spell_it() {
    for words in ["okay", "Okej!", "OK!", "oki", "okey", "k", "K."] {
        let (mut club, mails) = club();
        club.reply(&last(&mails, "Hellas"), words);
        club.post();
        assert!(!is_awaited(&mut club, "Hellas"), "{words} files the form");
    }
    let (mut club, mails) = club();
    // An initial below orders is none.
    club.reply(&last(&mails, "Hellas"), "build no city in Athens\n\nK");
    club.post();
    assert!(is_awaited(&mut club, "Hellas"));
    // To whom it is said in reply to a message, it is conversation.
    let said = message(&mut club, &mails, "tell Hellas: peace?");
    club.reply(&last(&said, "Hellas"), "Okej");
    club.post();
    assert!(is_awaited(&mut club, "Hellas"));
}

#[test]
fn orders_and_done_below_them_count_wherever_they_are_written() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Moderator"), "deadline +24h for 1.movement");
    let moved = last(&club.post(), "Minoa");
    club.reply(&moved, "build no city in Knossos\ndone");
    club.post();
    assert!(!is_awaited(&mut club, "Minoa"));
}

#[test]
fn a_reply_to_a_message_goes_to_its_writer_alone() {
    let (mut club, mails) = club();
    for (word, said) in [("tell Hellas: peace?", "Sure, peace! Where do you plan to go?"), ("tell all: peace?", "ok")] {
        let heard = last(&message(&mut club, &mails, word), "Hellas");
        assert!(flat(&heard).contains("Reply to this letter to answer Minoa"), "{}", heard.text);
        club.reply(&heard, said);
        let news = club.post();
        assert_eq!(news.len(), 2, "Minoa is told, and Hellas that it was: {news:#?}");
        let (told, confirmed) = (last(&news, "Minoa"), last(&news, "Hellas"));
        assert!(told.subject.contains("Hellas writes to you") && flat(&told).contains(said), "{}", told.text);
        assert!(confirmed.subject.ends_with("your message went to Minoa"), "{}", confirmed.subject);
        let text = flat(&confirmed);
        assert!(
            text.starts_with("YOUR MESSAGE WENT TO MINOA") || text.contains("Your message went to Minoa:"),
            "{text}"
        );
        assert!(!text.contains("YOUR SHEET") && !text.contains("STILL NEEDED"), "{text}");
        assert!(is_awaited(&mut club, "Hellas"), "nothing was filed");
        // What confirms it has no form either.
        club.reply(&confirmed, "ok");
        club.post();
        assert!(is_awaited(&mut club, "Hellas"));
    }
}

#[test]
fn a_reply_that_reads_like_orders_waits_and_send_passes_it_on() {
    let (mut club, mails) = club();
    let heard = last(&message(&mut club, &mails, "tell Hellas: what will you do?"), "Hellas");
    let words = "This is my plan:\nmove 1 from Sparta to Argos\n\nYours, Hellas";
    club.reply(&heard, words);
    let news = club.post();
    assert!(to(&news, "Minoa").is_empty(), "it must not go to the enemy");
    assert_eq!(moves(&mut club, "Hellas"), 0, "and is no order either");
    let held = last(&news, "Hellas");
    assert!(flat(&held).contains("these look like orders"), "{}", held.text);
    assert!(held.subject.ends_with("your message is not sent yet"), "{}", held.subject);
    club.reply(&held, "send");
    let told = last(&club.post(), "Minoa");
    assert!(flat(&told).contains("move 1 from Sparta to Argos Yours, Hellas"), "{}", told.text);
    assert_eq!(moves(&mut club, "Hellas"), 0);
    // Whoever writes something else has dropped it.
    club.reply(&heard, words);
    let held = last(&club.post(), "Hellas");
    club.reply(&held, "status");
    let news = club.post();
    assert!(to(&news, "Minoa").is_empty() && flat(&last(&news, "Hellas")).contains("NEVER SENT"));
}

#[test]
fn whoever_answers_a_message_may_still_say_to_whom_he_writes_or_ask_something() {
    let (mut club, mails) = club();
    let heard = last(&message(&mut club, &mails, "tell Hellas: peace?"), "Hellas");
    club.reply(&heard, "tell Egypt: Minoa wants peace");
    let news = club.post();
    assert!(to(&news, "Minoa").is_empty() && to(&news, "Egypt").len() == 1);
    club.reply(&heard, "help");
    let news = club.post();
    assert!(to(&news, "Minoa").is_empty() && last(&news, "Hellas").text.contains("ANSWER"));
    club.reply(&heard, "try\nSure!");
    let news = club.post();
    assert!(to(&news, "Minoa").is_empty() && flat(&last(&news, "Hellas")).contains("would go to Minoa"));
    club.reply(&heard, "> peace?\nYes!\n-- \nHellas of Hellas");
    let told = flat(&last(&club.post(), "Minoa"));
    assert!(told.contains("Yes!") && !told.contains("peace?") && !told.contains("of Hellas"), "{told}");
}

#[test]
fn a_reply_keeps_to_what_the_game_allows() {
    let (mut club, mails) = club();
    let heard = last(&message(&mut club, &mails, "tell Hellas: peace?"), "Hellas");
    for number in 0..61 {
        club.reply(&heard, &format!("letter {number} of many"));
    }
    let news = club.post();
    assert_eq!(to(&news, "Minoa").len(), 60);
    assert!(flat(&last(&news, "Hellas")).contains("ore than 60 messages a day"));
    assert!(!last(&news, "Hellas").subject.contains("went to"));
    // The seat is what is answered, whoever sits there now; who has left the game is not answered.
    club.reply(&last(&mails, "Moderator"), "eject Minoa for 1.movement");
    club.post();
    club.now += chrono::Duration::days(4);
    let news = club.post();
    assert!(!news.is_empty(), "the movement is ruled");
    club.reply(&heard, "farewell");
    let answer = flat(&last(&club.post(), "Hellas"));
    assert!(answer.contains("Minoa does not play in this game"), "{answer}");
}

#[test]
fn a_message_is_answered_over_rollbacks_replacements_and_the_end() {
    let (mut club, mails) = club();
    let heard = last(&message(&mut club, &mails, "tell Hellas: peace?"), "Hellas");
    let mails = club.answer_all(&mails, &PEOPLE, "ok");
    assert_eq!(club.table("demo").phase(), TurnPhase::new(2, Phase::Movement));
    club.reply(&last(&mails, "Moderator"), "rollback 1.movement because of me for 2.movement");
    club.post();
    club.reply(&last(&mails, "Moderator"), "replace Minoa Ariadne <ariadne@player.example> for 1.movement");
    club.post();
    club.reply(&heard, "I am late: peace!");
    let news = club.post();
    assert_eq!(to(&news, "Ariadne").len(), 1, "whoever plays Minoa now: {news:#?}");
    assert!(to(&news, "Minoa").is_empty());
    assert!(last(&news, "Hellas").subject.contains("your message went to Minoa"));
}

#[test]
fn the_moderator_and_a_player_answer_each_other() {
    let (mut club, mails) = club();
    let asked = last(&message(&mut club, &mails, "tell moderator: may I trade on Sunday?"), "Moderator");
    for words in ["Of course you may.\nSee you then.", "ok"] {
        club.reply(&asked, words);
        let news = club.post();
        assert_eq!(news.len(), 2, "{news:#?}");
        let told = last(&news, "Minoa");
        assert!(told.subject.contains("the moderator writes to you"), "{}", told.subject);
        assert!(flat(&told).contains(&words.replace('\n', " ")), "{}", told.text);
        assert!(flat(&last(&news, "Moderator")).contains("Passed on to Minoa:"));
        club.reply(&told, "Thank you!");
        let thanks = last(&club.post(), "Moderator");
        assert!(thanks.subject.contains("Minoa writes to you") && flat(&thanks).contains("Thank you!"));
    }
    // Commands are commands wherever they stand, and `tell` is one.
    club.reply(&asked, "status");
    let news = club.post();
    assert!(to(&news, "Minoa").is_empty() && flat(&last(&news, "Moderator")).contains("Awaited"));
    club.reply(&last(&mails, "Moderator"), "tell Minoa and Hellas: be quick.\nPlease.");
    let news = club.post();
    assert_eq!((to(&news, "Minoa").len(), to(&news, "Hellas").len(), to(&news, "Egypt").len()), (1, 1, 0));
    assert!(flat(&last(&news, "Hellas")).contains("be quick. Please."));
    club.reply(&last(&mails, "Moderator"), "tell all: good luck for 1.movement");
    let news = club.post();
    assert!(PEOPLE.iter().all(|name| flat(&last(&news, name)).contains("good luck for 1.movement")));
    club.reply(&last(&mails, "Moderator"), "tell Assyria: hello");
    assert!(flat(&last(&club.post(), "Moderator")).contains("Nobody reads letters for Assyria"));
}

#[test]
fn words_to_an_announcement_reach_the_moderator_and_orders_are_orders() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Moderator"), "announce for 1.movement: I am at sea until Monday.");
    let told = last(&club.post(), "Minoa");
    club.reply(&told, "Have a nice trip!");
    let news = club.post();
    assert!(flat(&last(&news, "Moderator")).contains("Have a nice trip!"), "{news:#?}");
    club.reply(&told, "build no city in Knossos");
    let news = club.post();
    assert!(to(&news, "Moderator").is_empty() && last(&news, "Minoa").text.contains("build no city in Knossos"));
    club.reply(&told, "ok");
    club.post();
    assert!(is_awaited(&mut club, "Minoa"));
}

#[test]
fn done_beside_a_mistake_waits_and_done_again_ends_it() {
    for (letter, line) in [
        ("move many Knossos to Phaestos\nOK", 1),
        ("move 99 from Knossos to Phaestos\nok", 1),
        ("build no city in Knossos\nmove 1 from Knossos to Memphis\ndone", 2),
        ("done\nmove 1 from Nowhere to Knossos", 2),
        ("undo 9\nkoniec", 1),
        ("build no city in Knossos; move 1 from Knossos to Memphis; done", 1),
    ] {
        let (mut club, mails) = club();
        club.reply(&last(&mails, "Minoa"), letter);
        let answer = last(&club.post(), "Minoa");
        assert!(is_awaited(&mut club, "Minoa"), "{letter}");
        let says = format!("Not ended, because of line {line}:");
        assert!(flat(&answer).contains(&says) && flat(&answer).contains("`done` again"), "{letter}\n{}", answer.text);
        assert!(!answer.subject.contains("filed"), "{}", answer.subject);
        club.reply(&answer, "done");
        club.post();
        assert!(!is_awaited(&mut club, "Minoa"), "{letter}");
    }
}

#[test]
fn lines_below_a_held_done_are_read_and_ok_still_files_the_form() {
    let (mut club, mails) = club();
    club.reply(
        &last(&mails, "Minoa"),
        "ok\nmove 1 from Knossos to Memphis\nmaintain ship in Knossos\nbuild ship in Knossos",
    );
    club.post();
    let table = club.table("demo");
    let minoa = civ(&table, "Minoa");
    assert!(table.owing().contains(&minoa));
    assert_eq!(table.sheet(minoa).part(Phase::Movement).len(), 3, "each line stands, and no `done` among them");
    assert!(table.sheet(minoa).is_settled(Phase::Cities), "the form is filed");
    // At the cut-off everything is played as it stands.
    for name in ["Hellas", "Egypt"] {
        club.reply(&last(&mails, name), "ok");
    }
    club.post();
    assert_eq!(club.table("demo").phase(), TurnPhase::new(1, Phase::Movement));
    club.now += chrono::Duration::days(4);
    club.post();
    assert_eq!(club.table("demo").game.status, Status::Running);
    assert_ne!(club.table("demo").phase(), TurnPhase::new(1, Phase::Movement));
}

#[test]
fn what_is_wrong_elsewhere_holds_no_movement() {
    for letter in [
        "acquire Pottery, Pottery\nok",
        "tell Atlantis: hello\nok",
        "accept offer\nok",
        "rules of the road and of the sea and more of them\nok",
        "Give me a hand here\nok",
        "try\nmove 99 from Knossos to Phaestos\nok",
    ] {
        let (mut club, mails) = club();
        club.reply(&last(&mails, "Minoa"), letter);
        let answer = flat(&last(&club.post(), "Minoa"));
        let is_trial = letter.starts_with("try");
        assert_eq!(is_awaited(&mut club, "Minoa"), is_trial, "{letter}\n{answer}");
        assert_eq!(answer.contains("This would not end it, because of line 2"), is_trial, "{letter}\n{answer}");
    }
}

#[test]
fn all_of_it_is_said_in_polish_too() {
    let mut club = Club::new();
    let mut file = game("demo", &PEOPLE);
    for seat in &mut file.seats {
        if let cursus::desk::settings::game_file::Sitter::Player { player, .. } = &mut seat.sitter {
            player.language = Language::Polish;
        }
    }
    let mails = club.begin(&file);
    let heard = last(&message(&mut club, &mails, "powiedz Helladzie: pokój?"), "Hellas");
    assert!(flat(&heard).contains("Odpowiedz na ten list"), "{}", heard.text);
    club.reply(&heard, "Jasne, pokój!");
    let news = club.post();
    assert!(last(&news, "Hellas").subject.contains("Twoja wiadomość poszła do Minoi"), "{news:#?}");
    club.reply(&heard, "ruch 1 z Sparta do Argos");
    assert!(flat(&last(&club.post(), "Hellas")).contains("a wygląda na rozkazy"));
    club.reply(&last(&mails, "Hellas"), "ruch 99 z Sparta do Argos\nok");
    let held = flat(&last(&club.post(), "Hellas"));
    assert!(held.contains("Nie zakończono z powodu wiersza 1"), "{held}");
    club.send(&address("Hellas"), &last(&mails, "Hellas").reply_to, "Re", "koniec");
    club.post();
    assert!(!is_awaited(&mut club, "Hellas"));
}

/// Behind the trade any line answers, so that a mistake in the letter leaves it unanswered: `ok` beside it, or nothing.
#[test]
fn a_letter_with_a_mistake_ends_no_later_phase_and_ok_again_does() {
    for (phase, letter, says_ok) in [
        (Phase::Advances, "acquire Wonder of the World\nok", true),
        (Phase::Advances, "acquire Pottery, Atlantis\nacquire Pottery\ndone", true),
        (Phase::Advances, "acquire Wonder of the World", false),
        (Phase::Calamities, "Famine: victims Atlantis\nok", true),
        (Phase::Calamities, "use nothing\nFamine: victims Atlantis", false),
    ] {
        let mut club = Club::new();
        let mails = club.begin(&game("demo", &TWO));
        let mails = play_to(&mut club, mails, phase, |_| true);
        let open = club.table("demo").phase();
        let form = last(&mails, "Minoa");
        for name in TWO.into_iter().filter(|name| *name != "Minoa") {
            club.reply(&last(&mails, name), "ok");
        }
        club.post();
        assert!(is_awaited(&mut club, "Minoa"));
        club.reply(&form, letter);
        let answer = last(&club.post(), "Minoa");
        assert_eq!(club.table("demo").phase(), open, "{letter} ended the phase");
        assert!(is_awaited(&mut club, "Minoa"), "{letter}");
        let text = flat(&answer);
        assert_eq!(
            text.contains("Not ended, because of line"),
            says_ok && !letter.starts_with("use"),
            "{letter}\n{text}"
        );
        assert!(text.contains("STILL NEEDED") && !answer.subject.contains("filed"), "{letter}\n{text}");
        // A question changes nothing of it.
        club.reply(&answer, "status");
        club.post();
        assert!(is_awaited(&mut club, "Minoa"), "{letter}");
        club.reply(&answer, "ok");
        club.post();
        assert_ne!(club.table("demo").phase(), open, "{letter}: `ok` again ends it");
    }
}

#[test]
fn done_is_ok_where_nothing_ends_by_done() {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &TWO));
    let mails = play_to(&mut club, mails, Phase::Advances, |_| true);
    let open = club.table("demo").phase();
    for name in TWO {
        club.reply(&last(&mails, name), "done");
    }
    club.post();
    assert_ne!(club.table("demo").phase(), open);
}

#[test]
fn a_moderators_misspelt_command_goes_to_nobody_and_talk_does() {
    let (mut club, mails) = club();
    let asked = last(&message(&mut club, &mails, "tell moderator: when?"), "Moderator");
    for (words, near) in [
        ("deadlin +24h", "deadline"),
        ("anounce: tea at five", "announce"),
        ("resum", "resume"),
        ("deadline tomorrow", "deadline +24h"),
        ("tell Minoa tomorrow", "tell"),
    ] {
        club.reply(&asked, words);
        let news = club.post();
        assert!(to(&news, "Minoa").is_empty(), "{words} went to the player: {news:#?}");
        let said = flat(&last(&news, "Moderator"));
        assert!(said.contains(near) && said.contains("Nothing was passed on to Minoa"), "{words}\n{said}");
    }
    for words in
        ["Help is on the way!", "Status quo is fine with me", "Tell her that I am late", "Process it as you like"]
    {
        club.reply(&asked, words);
        let news = club.post();
        assert!(flat(&last(&news, "Minoa")).contains(words), "{words}");
    }
    club.reply(&asked, "pause");
    assert!(to(&club.post(), "Minoa").is_empty());
}

#[test]
fn a_reply_that_writes_to_another_keeps_its_other_lines() {
    let (mut club, mails) = club();
    let heard = last(&message(&mut club, &mails, "tell Hellas: peace?"), "Hellas");
    club.reply(&heard, "Sure, let us have peace.\nI shall leave Crete alone.\n\ntell Egypt: Minoa wants peace\n\nok");
    let news = club.post();
    let told = flat(&last(&news, "Minoa"));
    assert!(told.contains("let us have peace. I shall leave Crete alone.") && !told.contains("Minoa wants"), "{told}");
    assert!(flat(&last(&news, "Egypt")).contains("Minoa wants peace"));
    assert!(is_awaited(&mut club, "Hellas"), "`ok` in reply to a message files nothing");
    // A greeting and a name are no message.
    club.reply(&heard, "Hi!\n\ntell Egypt: so do I\n\nHellas");
    let news = club.post();
    assert!(to(&news, "Minoa").is_empty() && to(&news, "Egypt").len() == 1, "{news:#?}");
}

#[test]
fn what_is_said_to_a_deed_of_the_moderator_reaches_the_moderator() {
    let (mut club, mails) = club();
    for deed in [
        "deadline +24h for 1.movement",
        "edit area Knossos: 3 Minoa for 1.movement",
        "rollback 1.movement for 1.movement",
    ] {
        club.reply(&last(&mails, "Moderator"), deed);
        let mut news = club.post();
        club.wait(chrono::Duration::minutes(11));
        news.extend(club.fetch());
        let told = last(&news, "Hellas");
        club.reply(&told, "Why did you do that?");
        let news = club.post();
        let heard = to(&news, "Moderator").into_iter().map(flat).collect::<Vec<_>>().join(" ");
        assert!(heard.contains("Why did you do that?"), "{deed}: {heard}");
        assert!(is_awaited(&mut club, "Hellas"), "{deed}");
    }
}

#[test]
fn what_is_paid_is_said_with_the_price_and_what_is_too_much() {
    let mut club = Club::new();
    let mut mails = club.begin(&game("demo", &TWO));
    for _ in 0..40 {
        mails = play_to(&mut club, mails, Phase::Advances, |_| true);
        let form = last(&mails, "Minoa");
        assert!(flat(&form).contains("`ok` acquires nothing"), "{}", form.text);
        let hand = answers::commodities(&mut club, "Minoa").join(", ");
        club.reply(&form, &format!("try\nacquire Mysticism paying {hand}"));
        let tried = flat(&last(&club.post(), "Minoa"));
        if tried.contains("The price is") && tried.contains("too much") {
            return;
        }
        for name in TWO {
            club.reply(&last(&mails, name), "ok");
        }
        mails = club.post();
    }
    panic!("nobody was ever rich enough");
}
