//! Votes: what players propose to each other, by the rules of their group.

use chrono::Duration;
use cursus::archive::Status;
use cursus::desk::settings::game_file::{GameFile, Sitter};
use cursus::desk::table::voting::{Decided, Majority, VoteRules};
use cursus::rules::Language;

use super::club::{Club, Mail, flat, game, last, to};

const PEOPLE: [&str; 3] = ["Minoa", "Hellas", "Egypt"];

fn club(votes: VoteRules) -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let mails = club.begin(&GameFile { votes, ..game("demo", &PEOPLE) });
    (club, mails)
}

fn says(club: &mut Club, mails: &[Mail], name: &str, text: &str) -> Vec<Mail> {
    club.reply(&last(mails, name), text);
    club.post()
}

#[test]
fn two_of_three_move_the_cut_off_and_nobody_learns_more_before() {
    let (mut club, mails) = club(VoteRules::default());
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    let told = says(&mut club, &mails, "Minoa", "propose extension 48h");
    for name in ["Hellas", "Egypt", "Moderator"] {
        let letter = flat(&last(&told, name));
        assert!(letter.contains("Minoa proposes (number 1)"), "{letter}");
        assert!(letter.contains("silence is no"), "{letter}");
    }
    // A vote against tells nobody but its writer anything, and the list does not count it for others.
    let told = says(&mut club, &mails, "Egypt", "vote no");
    assert_eq!(told.len(), 1, "only Egypt is answered: {told:?}");
    assert!(flat(&told[0]).contains("Noted: no to number 1"));
    let told = says(&mut club, &mails, "Minoa", "votes");
    let list = flat(&last(&told, "Minoa"));
    assert!(list.contains("You voted yes") && !list.contains("Egypt"), "{list}");
    assert_eq!(club.table("demo").game.hours.cut_off, Some(cut_off));
    let told = says(&mut club, &mails, "Hellas", "I vote yes!");
    assert_eq!(club.table("demo").game.hours.cut_off, Some(cut_off + Duration::hours(48)));
    for name in ["Minoa", "Egypt", "Hellas", "Moderator"] {
        let letters = to(&told, name);
        let letter = letters.iter().map(|mail| flat(mail)).find(|text| text.contains("It is decided")).expect("told");
        assert!(letter.contains("No: Egypt."), "{letter}");
        assert!(letter.contains("Yes: ") && letter.contains("The cut-off is now"), "{letter}");
    }
    // What is decided is not decided again.
    let told = says(&mut club, &mails, "Egypt", "vote 1 yes");
    assert!(flat(&last(&told, "Egypt")).contains("Number 1 is not open"));
}

#[test]
fn silence_is_no() {
    let (mut club, mails) = club(VoteRules::default());
    says(&mut club, &mails, "Minoa", "propose pause");
    club.wait(Duration::hours(47));
    assert!(club.fetch().iter().all(|mail| !flat(mail).contains("It is not done")));
    club.wait(Duration::hours(2));
    let told = club.fetch();
    let letter = to(&told, "Egypt").into_iter().map(flat).find(|text| text.contains("It is not done")).expect("told");
    assert!(letter.contains("Silent, which is no: "), "{letter}");
    let table = club.table("demo");
    assert_eq!((table.game.status, table.votes[0].fate), (Status::Running, Decided::Lost));
}

#[test]
fn a_pause_is_agreed_on_and_its_end() {
    let (mut club, mails) = club(VoteRules::default());
    says(&mut club, &mails, "Minoa", "propose pause");
    let told = says(&mut club, &mails, "Hellas", "vote yes");
    assert!(told.iter().any(|mail| flat(mail).contains("The game is paused")));
    assert_eq!(club.table("demo").game.status, Status::Paused);
    // Votes count and close while the clock stands still.
    says(&mut club, &mails, "Egypt", "propose end");
    club.wait(Duration::hours(49));
    assert!(club.fetch().iter().any(|mail| flat(mail).contains("It is not done (number 2")));
    says(&mut club, &mails, "Hellas", "propose resume");
    let told = says(&mut club, &mails, "Egypt", "vote yes");
    assert!(told.iter().any(|mail| flat(mail).contains("The game goes on. The cut-off is")));
    let table = club.table("demo");
    assert_eq!(table.game.status, Status::Running);
    assert!(table.game.hours.cut_off.is_some_and(|cut_off| cut_off > club.now));
}

#[test]
fn an_end_by_agreement_scores_by_the_printed_table_and_says_so() {
    let (mut club, mails) = club(VoteRules::default());
    says(&mut club, &mails, "Minoa", "propose end");
    says(&mut club, &mails, "Hellas", "vote yes");
    assert_eq!(club.table("demo").game.status, Status::Running, "one is missing");
    let told = says(&mut club, &mails, "Egypt", "vote yes");
    let table = club.table("demo");
    assert_eq!(table.game.status, Status::Ended);
    assert!(table.state.has_ended());
    for name in PEOPLE {
        let letter = flat(&last(&told, name));
        assert!(letter.contains("The players have agreed to end the game here"), "{letter}");
        assert!(letter.contains("by the printed table"), "{letter}");
    }
    // Every draw and every score is made again.
    let events = club.desk.archive.events(&"demo".into(), 1).expect("the events");
    let opening = table.opening().expect("an opening");
    cursus::game::verify::verify(opening, &events, &table.chance()).expect("the record is sound");
}

#[test]
fn an_earlier_cut_off_takes_everybody_and_is_overtaken_by_the_ruling() {
    let (mut club, mails) = club(VoteRules::default());
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    let told = says(&mut club, &mails, "Minoa", "propose earlier 500h");
    assert!(flat(&last(&told, "Minoa")).contains("would lie behind us"));
    says(&mut club, &mails, "Minoa", "propose earlier 24h");
    says(&mut club, &mails, "Hellas", "vote yes");
    assert_eq!(club.table("demo").game.hours.cut_off, Some(cut_off));
    says(&mut club, &mails, "Egypt", "vote yes");
    assert_eq!(club.table("demo").game.hours.cut_off, Some(cut_off - Duration::hours(24)));
    // A proposal about a phase that is over is over too, and how anybody voted stays secret.
    says(&mut club, &mails, "Hellas", "propose extension 2 days");
    for name in PEOPLE {
        let answer = club.play("demo", name);
        club.reply(&last(&mails, name), &answer);
    }
    let mut told = club.post();
    club.wait(Duration::hours(1));
    told.extend(club.fetch());
    let letter = to(&told, "Egypt").into_iter().map(flat).find(|text| text.contains("is overtaken")).expect("told");
    assert!(!letter.contains("Yes: "), "{letter}");
}

#[test]
fn where_the_host_decides_votes_are_advice() {
    let rules = VoteRules { pause: Majority::Host, end: Majority::Off, secret: false, ..VoteRules::default() };
    let (mut club, mails) = club(rules);
    let told = says(&mut club, &mails, "Minoa", "propose end");
    assert_eq!(told.len(), 1);
    assert!(flat(&told[0]).contains("cannot be proposed in this game"));
    let told = says(&mut club, &mails, "Minoa", "propose pause");
    let asked = last(&told, "Moderator");
    assert!(flat(&asked).contains("`grant 1` or `refuse 1`"), "{}", asked.text);
    says(&mut club, &mails, "Hellas", "vote yes");
    says(&mut club, &mails, "Egypt", "vote yes");
    assert_eq!(club.table("demo").game.status, Status::Running, "votes do not decide");
    // Nothing is secret here.
    let told = says(&mut club, &mails, "Minoa", "votes");
    assert!(flat(&last(&told, "Minoa")).contains("Yes: "));
    club.reply(&asked, "grant 1");
    let told = club.post();
    assert!(flat(&last(&told, "Moderator")).contains("Granted: a pause"));
    assert_eq!(club.table("demo").game.status, Status::Paused);
    club.reply(&asked, "grant 1");
    assert!(flat(&last(&club.post(), "Moderator")).contains("Number 1 is not open"));
}

#[test]
fn a_rival_can_neither_flood_nor_vote_twice_nor_for_another() {
    let (mut club, mails) = club(VoteRules::default());
    says(&mut club, &mails, "Minoa", "propose end");
    let told = says(&mut club, &mails, "Egypt", "propose end");
    assert_eq!(told.len(), 1, "nobody is told twice");
    assert!(flat(&told[0]).contains("proposed already, as number 1"));
    for _ in 0..3 {
        says(&mut club, &mails, "Minoa", "vote yes");
    }
    assert_eq!(club.table("demo").votes[0].ballots.len(), 1, "one seat has one vote");
    says(&mut club, &mails, "Minoa", "propose pause");
    let told = says(&mut club, &mails, "Minoa", "propose extension 24h");
    assert!(flat(&last(&told, "Minoa")).contains("proposed enough"));
    // With two open, a vote says which it means; what only tries changes nothing; talk is talk.
    let told = says(&mut club, &mails, "Hellas", "vote no");
    assert!(flat(&last(&told, "Hellas")).contains("say which you mean"));
    says(&mut club, &mails, "Hellas", "try\nvote 2 yes");
    says(&mut club, &mails, "Hellas", "I propose that we all trade with each other in peace");
    let table = club.table("demo");
    assert_eq!(table.game.status, Status::Running);
    assert_eq!(table.votes.len(), 2);
    // Whoever takes a seat over votes anew.
    club.reply(&last(&mails, "Moderator"), "replace Minoa Anna Nowak <anna@player.example> for 1.movement");
    club.post();
    assert!(club.table("demo").votes.iter().all(|proposal| proposal.ballots.is_empty()));
    club.reopen();
    assert_eq!(club.table("demo").votes.len(), 2, "they are in the archive");
}

#[test]
fn in_polish_too() {
    let mut club = Club::new();
    let mut file = game("demo", &PEOPLE);
    for seat in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut seat.sitter {
            player.language = Language::Polish;
        }
    }
    let mails = club.begin(&file);
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    let told = says(&mut club, &mails, "Minoa", "proponuję przedłużenie o 2 dni");
    assert!(flat(&last(&told, "Egypt")).contains("milczenie znaczy „nie”"), "{}", flat(&last(&told, "Egypt")));
    says(&mut club, &mails, "Egypt", "głosuję tak");
    assert_eq!(club.table("demo").game.hours.cut_off, Some(cut_off + Duration::hours(48)));
    says(&mut club, &mails, "Minoa", "proponuję przerwę");
    says(&mut club, &mails, "Egypt", "głosuję nie");
    let told = says(&mut club, &mails, "Hellas", "głosuję nie");
    assert!(flat(&last(&told, "Minoa")).contains("Rozstrzygnięte na „nie”"));
}

#[test]
fn a_bare_word_answers_the_letter_that_tells_of_a_proposal() {
    for (word, carried) in [("yes", true), ("Tak!", true), ("no", false), ("nie.", false)] {
        let (mut club, mails) = club(VoteRules::default());
        let told = says(&mut club, &mails, "Minoa", "propose pause");
        let asked = last(&told, "Hellas");
        assert!(flat(&asked).contains("Reply `yes` or `no`"), "{}", asked.text);
        // That something was read is no vote, and files nothing.
        let answer = flat(&last(&says(&mut club, &told, "Hellas", "ok"), "Hellas"));
        assert!(!answer.contains("Noted: "), "{answer}");
        assert!(club.table("demo").votes[0].ballots.len() == 1, "{answer}");
        club.reply(&asked, word);
        let news = club.post();
        assert_eq!(club.table("demo").game.status == Status::Paused, carried, "{word}: {news:?}");
        assert!(flat(&last(&news, "Hellas")).contains("number 1") || carried, "{word}");
    }
}
