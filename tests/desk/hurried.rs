//! A hurried moderator: slips of the pen, a command twice, `ok` to the wrong letter, a pause of seconds; and one who plays.

use chrono::Duration;
use cursus::archive::{Moderation, Status};
use cursus::desk::Desk;
use cursus::desk::settings::game_file::Sitter;
use cursus::game::{Event, Owner, Phase, TurnPhase};
use cursus::rules::Language;

use super::club::{Club, Mail, address, civ, flat, game, last, to};

const PEOPLE: [&str; 2] = ["Minoa", "Hellas"];

fn club() -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &PEOPLE));
    (club, mails)
}

fn log(club: &Club) -> Vec<Moderation> {
    club.desk.archive.moderations(&"demo".into()).expect("the archive answers")
}

/// A command by letter, and what came of it.
fn command(club: &mut Club, mails: &[Mail], text: &str) -> Vec<Mail> {
    club.reply(&last(mails, "Moderator"), text);
    club.post()
}

/// A command at the door, and what is printed there.
fn at_the_door(club: &mut Club, text: &str) -> Moderation {
    Desk::hand_in(&club.desk.archive, &"demo".into(), text, club.now).expect("it is handed in");
    club.round();
    log(club).pop().expect("it is logged")
}

#[test]
fn ok_at_the_door_does_what_was_shown_there_last() {
    let (mut club, mails) = club();
    let nothing = at_the_door(&mut club, "ok");
    assert!(!nothing.done && nothing.outcome.contains("waits for an `ok`"), "{}", nothing.outcome);
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    let shown = at_the_door(&mut club, "deadline +24h");
    assert!(shown.outcome.contains("cursus moderate demo ok"), "{}", shown.outcome);
    assert!(shown.outcome.contains("deadline +24h for 1.movement"), "{}", shown.outcome);
    assert!(!shown.outcome.contains("reply"), "nobody replies at a door: {}", shown.outcome);
    assert!(!at_the_door(&mut club, "help").outcome.contains("reply"));
    // A question may stand between.
    assert!(at_the_door(&mut club, "status").done);
    let done = at_the_door(&mut club, "ok");
    assert!(done.done && done.command == "deadline +24h", "{}", done.outcome);
    assert_eq!(club.table("demo").game.hours.cut_off, Some(cut_off + Duration::days(1)));
    // Twice is once.
    assert!(!at_the_door(&mut club, "OK").done);
    assert_eq!(club.table("demo").game.hours.cut_off, Some(cut_off + Duration::days(1)));
    // A command that was refused since is what the moderator has in mind, and not the one before it.
    at_the_door(&mut club, "pause");
    at_the_door(&mut club, "deadline tomorrow");
    assert!(!at_the_door(&mut club, "ok").done);
    assert_eq!(club.table("demo").game.status, Status::Running);
    // What a letter was shown, the door does not do.
    command(&mut club, &mails, "pause");
    assert!(!at_the_door(&mut club, "ok").done);
    // Nor does it do it in another phase.
    at_the_door(&mut club, "pause");
    at_the_door(&mut club, "process for 1.movement");
    let late = at_the_door(&mut club, "ok");
    assert!(!late.done && club.table("demo").game.status == Status::Running, "{}", late.outcome);
}

#[test]
fn ok_to_the_wrong_letter_does_nothing_and_says_so() {
    let (mut club, mails) = club();
    let refused = command(&mut club, &mails, "resume");
    assert!(flat(&refused[0]).contains("not paused"));
    // The refusal is no preview, even when the command would make sense by now.
    command(&mut club, &mails, "pause for 1.movement");
    club.reply(&refused[0], "ok");
    club.post();
    assert_eq!(club.table("demo").game.status, Status::Paused);
    let entry = log(&club).pop().expect("it is logged");
    assert!(!entry.done && entry.outcome.contains("Nothing was done"), "{}", entry.outcome);
    // Nor does `ok` in answer to a letter that showed nothing.
    let answer = command(&mut club, &mails, "ok");
    assert!(flat(&answer[0]).contains("the letter that showed it"), "{}", answer[0].text);
}

#[test]
fn what_is_no_command_is_said_with_the_nearest_one() {
    let (mut club, mails) = club();
    for (text, near) in
        [("deadlin +24h", "deadline"), ("dead +24h", "deadline"), ("anounce: tea", "announce"), ("ogloś: x", "")]
    {
        let said = flat(&command(&mut club, &mails, text)[0]);
        match near {
            "" => assert!(said.contains("Everybody gets these words"), "{said}"),
            near => assert!(said.contains(&format!("did you mean `{near}`")), "{text}: {said}"),
        }
    }
    let said = flat(&command(&mut club, &mails, "Good morning, all well?")[0]);
    assert!(said.contains("“Good morning, all well?” is no command"), "{said}");
    assert!(said.contains("deadline +24h"), "and what can be written: {said}");
}

#[test]
fn a_preview_shows_all_of_it_before_and_after() {
    let (mut club, mails) = club();
    let text = "announce: first line\nand a second one\n# with a sign";
    let shown = command(&mut club, &mails, text);
    for line in ["first line", "and a second one", "# with a sign"] {
        assert!(shown[0].text.contains(line), "{}", shown[0].text);
    }
    let shown = flat(&command(&mut club, &mails, "edit Minoa: treasury 7")[0]);
    let was = {
        let table = club.table("demo");
        table.state.holding(civ(&table, "Minoa")).treasury
    };
    assert!(shown.contains(&format!("The treasury of Minoa is 7 instead of {was}")), "{shown}");
    assert!(shown.contains("overrules the rules"), "{shown}");
    let shown = flat(&command(&mut club, &mails, "pause")[0]);
    assert!(shown.contains("The clock stands still: the cut-off") && shown.contains("left again"), "{shown}");
    command(&mut club, &mails, "pause for 1.movement");
    let shown = flat(&command(&mut club, &mails, "resume")[0]);
    assert!(shown.contains("The cut-off was") && shown.contains("and is"), "{shown}");
}

/// A player may have filed lines and not ended them: then nobody says that the phase is ruled without that player. A moderator
/// who plays is not told which of them it is.
#[test]
fn process_plays_the_lines_of_those_who_are_awaited() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Minoa"), "move 1 from Knossos to Phaistos");
    club.post();
    let shown = flat(&command(&mut club, &mails, "process")[0]);
    assert!(shown.contains("1.movement is ruled now. Open then: 2.movement"), "{shown}");
    assert!(!shown.contains("without"), "{shown}");
    assert!(shown.contains("Still awaited: Minoa, Hellas. What they have filed is played as it stands"), "{shown}");
    let done = command(&mut club, &mails, "process for 1.movement");
    let events = club.desk.archive.events(&"demo".into(), 1).expect("the archive answers");
    assert!(events.iter().any(|event| matches!(event, Event::TokensWalked { .. })), "it was played");
    assert!(!to(&done, "Minoa").is_empty());
}

#[test]
fn players_read_words_of_their_language_and_no_command() {
    let mut club = Club::new();
    let mut file = game("demo", &PEOPLE);
    for taken in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut taken.sitter {
            player.language = Language::Polish;
        }
    }
    let mails = club.begin(&file);
    command(&mut club, &mails, "edit area Knossos: 3 Minoa for 1.movement");
    // What is edited is told together, a while after the first of it.
    club.wait(Duration::minutes(10));
    let letter = flat(&last(&club.fetch(), "Hellas"));
    assert!(letter.contains("Moderator poprawia planszę. W Knossos: 3 żetony Minoi zamiast"), "{letter}");
    assert!(!letter.contains("edit area") && !letter.contains("for 1."), "{letter}");
    command(&mut club, &mails, "edit Minoa for 1.movement: tax 2\nmove 1 from Knossos to Phaistos");
    club.wait(Duration::minutes(10));
    let letter = flat(&last(&club.fetch(), "Minoa"));
    assert!(letter.contains("podatek 2") && !letter.contains("tax 2"), "{letter}");
}

#[test]
fn an_edit_files_nothing_that_the_rules_refuse() {
    let (mut club, mails) = club();
    let far = flat(&command(&mut club, &mails, "edit Minoa for 1.movement: move 1 from Knossos to Babylon")[0]);
    assert!(far.contains("Nothing is filed") && far.contains("not allowed"), "{far}");
    // One slip among good lines files none of them.
    let slip = flat(&command(&mut club, &mails, "edit Minoa for 1.movement: tax 2\nmovee 1 Knosos somewhere")[0]);
    assert!(slip.contains("Nothing is filed") && slip.contains("is no order"), "{slip}");
    let press = flat(&command(&mut club, &mails, "edit Minoa for 1.movement: tax 2\ntell all: hello")[0]);
    assert!(press.contains("is no order"), "{press}");
    let table = club.table("demo");
    assert_eq!(table.sheet(civ(&table, "Minoa")).lines_from(Phase::Tax), 0);
    // Whoever has ended their movement has: that is everybody's to know.
    club.reply(&last(&mails, "Minoa"), "done");
    club.post();
    let late = flat(&command(&mut club, &mails, "edit Minoa for 1.movement: move 1 from Knossos to Phaistos")[0]);
    assert!(late.contains("final"), "{late}");
    // What breaks no law is done and said.
    let home = "edit area Knossos: 9 Minoa for 1.movement";
    let done = flat(&last(&command(&mut club, &mails, home), "Moderator"));
    assert!(done.contains("limit") && done.contains("R5.11"), "{done}");
    let table = club.table("demo");
    let knossos = table.edition.lexicon.areas.exact("Knossos").expect("an area");
    assert_eq!(table.state.tokens(knossos, Owner::Civ(civ(&table, "Minoa"))), 9);
}

/// Nobody finds out by `edit` what another holds or has ordered: the answer is the same whatever that is.
#[test]
fn an_edit_tells_nothing_of_a_hand() {
    let (mut club, mails) = club();
    let answers = ["offer all 3 salt for 3 iron", "offer all 3 wine for 3 iron", "acquire Pottery"].map(|line| {
        let said = flat(&command(&mut club, &mails, &format!("edit Minoa: {line}"))[0]);
        said.contains("Nothing is filed")
    });
    assert!(answers.iter().all(|refused| refused == &answers[0]), "{answers:?}");
}

#[test]
fn a_pause_of_seconds_costs_no_day() {
    let (mut club, mails) = club();
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    command(&mut club, &mails, "pause for 1.movement");
    club.now += Duration::seconds(7);
    command(&mut club, &mails, "resume for 1.movement");
    assert_eq!(club.table("demo").game.hours.cut_off, Some(cut_off + Duration::seconds(7)));
}

#[test]
fn a_moderator_who_does_not_play_reads_the_public_report() {
    let (mut club, mails) = club();
    let told = club.answer_all(&mails, &PEOPLE, "ok");
    let report = last(&told, "Moderator");
    assert!(report.subject.contains("turn 2"), "{}", report.subject);
    assert!(report.text.contains("WHAT HAPPENED") && report.text.contains("ALL CIVILIZATIONS"), "{}", report.text);
    assert!(!report.text.contains("YOUR FORM") && !report.text.contains("YOUR HAND"), "{}", report.text);
    // A command in reply to it is a command.
    club.reply(&report, "status");
    assert!(flat(&last(&club.post(), "Moderator")).contains("2.movement, running"));
}

/// Whoever plays is told what that seat may know, once.
#[test]
fn a_moderator_who_plays_gets_no_second_report() {
    let mut club = Club::new();
    let mut file = game("demo", &PEOPLE);
    file.moderator.addresses = vec![address("Minoa").parse().expect("an address")];
    let mails = club.begin(&file);
    for name in PEOPLE {
        let form = mails.iter().rfind(|mail| mail.to == address(name) && mail.text.contains("YOUR FORM"));
        club.reply(form.expect("a form"), "ok");
    }
    let told = club.post();
    let reports = to(&told, "Minoa").into_iter().filter(|mail| mail.text.contains("ALL CIVILIZATIONS")).count();
    assert_eq!(reports, 1, "{:?}", told.iter().map(|mail| (&mail.to, &mail.subject)).collect::<Vec<_>>());
}

/// What the built-in players had offered is void; they offer again, and nobody waits for a letter of somebody else.
#[test]
fn after_a_rollback_companions_offer_again_and_everybody_knows_his_lines() {
    let (mut club, mut mails) = club();
    let moderator = mails.clone();
    for _ in 0..24 {
        let table = club.table("demo");
        let is_there = table.state.phase() == Phase::Trade && !table.state.progress().offers.is_empty();
        if is_there {
            break;
        }
        for name in PEOPLE.into_iter().filter(|name| table.owing().contains(&civ(&table, name))) {
            let text = club.play("demo", name);
            club.reply(&last(&mails, name), &text);
        }
        mails.extend(club.post());
    }
    let table = club.table("demo");
    let TurnPhase { turn, phase } = table.phase();
    assert_eq!(phase, Phase::Trade, "built-in players trade at last");
    assert!(!table.state.progress().offers.is_empty(), "and have offered something");
    club.reply(&last(&mails, "Minoa"), "always tax 1");
    club.post();
    let told = command(&mut club, &moderator, &format!("rollback {turn}.trade because of a slip for {turn}.trade"));
    let table = club.table("demo");
    assert_eq!(table.phase(), TurnPhase::new(turn, Phase::Trade));
    assert!(!table.state.progress().offers.is_empty(), "they have offered again");
    let letter = last(&told, "Minoa");
    assert!(letter.text.contains("OPEN OFFERS"), "{}", letter.text);
    assert!(flat(&letter).contains("These lines of your sheet stand: always tax 1"), "{}", letter.text);
    assert!(!flat(&last(&told, "Hellas")).contains("always tax 1"));
    // A movement that is taken back is written anew, once: no line of a built-in player is played twice.
    command(&mut club, &moderator, &format!("rollback {turn}.movement for {turn}.trade"));
    let table = club.table("demo");
    let lines = |name: &str| table.sheet(civ(&table, name)).part(Phase::Movement).len();
    let egypt = lines("Egypt");
    command(&mut club, &moderator, &format!("process for {turn}.movement"));
    let events = club.desk.archive.events(&"demo".into(), table.ruled.last_event + 1).expect("the archive answers");
    let refused = events.iter().filter(|event| matches!(event, Event::Refused { .. })).count();
    assert_eq!(refused, 0, "{events:?}");
    assert!(egypt > 0, "it has written before anybody else did");
}
