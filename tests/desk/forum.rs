//! A game in a forum beside mail: the thread holds the public record, hands and sealed orders stay private, and what people
//! say to each other is their own.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::Duration;
use cursus::archive::{Archive, Durability, Party, Status};
use cursus::desk::settings::game_file::{Forum, GameFile, Sitter};
use cursus::desk::settings::{CarrierKind, CarrierSettings, Settings};
use cursus::desk::table::ending::Ending;
use cursus::desk::{Desk, House};
use cursus::game::Phase;
use cursus::orders::Sheet;
use cursus::post::Carrier;
use cursus::post::forum::{FeedSettings, ForumSettings, Software};
use cursus::report::letters::Markup;
use cursus::rules::EditionFiles;

use super::board::Board;
use super::club::{Club, Mail, address, civ, flat, game, last, settings, to};

/// Minoa and Egypt are in the forum, Hellas plays by mail; the moderator is in both.
const PEOPLE: [&str; 3] = ["Minoa", "Egypt", "Hellas"];
const USERS: [&str; 5] = ["Ariadne", "Ramses", "Gamemaster", "Stranger", "Newcomer"];

pub fn forum_settings(private_messages: bool) -> CarrierSettings {
    let forum = ForumSettings {
        software: Software::Discourse,
        url: "https://forum.example.org".to_owned(),
        user: "cursus".to_owned(),
        secret_file: None,
        secret_env: Some("NO_SUCH_VARIABLE".to_owned()),
        category: Some("5".to_owned()),
        private_messages,
        root_certificate: None,
    };
    let address = "cursus@forum.example.org".parse().expect("an address");
    let (name, kind) = ("club".to_owned(), CarrierKind::Forum(Box::new(forum)));
    CarrierSettings { name, address, authserv_id: None, kind, ..CarrierSettings::default() }
}

pub fn desk(club: &Club, settings: Settings) -> Desk {
    let archive = Archive::open(&club.folder.join("cursus.sqlite"), Durability::None).expect("the archive opens");
    let house = House::new(&archive, settings, &EditionFiles::built_in(), BTreeMap::new());
    Desk::new(archive, house.expect("the house is sound")).expect("the desk is there")
}

pub fn both(club: &Club) -> Settings {
    let mail = settings(&club.folder);
    Settings { carriers: [mail.carriers.clone(), vec![forum_settings(true)]].concat(), ..mail }
}

fn in_forum(public_orders: bool) -> GameFile {
    let mut file = game("demo", &PEOPLE);
    let language = cursus::rules::Language::English;
    file.forum = Some(Forum { carrier: "club".to_owned(), thread: None, public_orders, language });
    file.moderator.forum = Some("Gamemaster".to_owned());
    for seat in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut seat.sitter {
            player.forum = match player.name.as_str() {
                "Minoa" => Some("Ariadne".to_owned()),
                "Egypt" => Some("Ramses".to_owned()),
                _ => None,
            };
        }
    }
    file
}

/// A club with a forum, and a game in it that has begun.
fn begun(public_orders: bool) -> (Club, Arc<Board>, Vec<Mail>) {
    let (mut club, board) = founded();
    let file = in_forum(public_orders);
    club.desk.create(&file, [7; 32], club.now).expect("the game is created");
    round(&mut club, &board);
    let mails = club.fetch();
    club.reply(&last(&mails, "Hellas"), "ok");
    board.post("Ariadne", &board.private("Ariadne"), "ok");
    board.post("Ramses", &board.public(), "Ok, I am in!");
    round(&mut club, &board);
    assert_eq!(club.table("demo").game.status, Status::Running);
    let mails = club.fetch();
    (club, board, mails)
}

fn founded() -> (Club, Arc<Board>) {
    let mut club = Club::new();
    let board = Board::open("club", &USERS);
    club.desk = desk(&club, both(&club));
    club.carriers.push(Arc::clone(&board) as Arc<dyn Carrier>);
    board.set_clock(club.now);
    (club, board)
}

/// A round: some of what leaves opens threads, which are looked at in the next.
fn round(club: &mut Club, board: &Board) {
    board.set_clock(club.now);
    club.round();
    club.round();
}

fn sheet(club: &mut Club, name: &str) -> Sheet {
    let table = club.table("demo");
    table.sheet(civ(&table, name))
}

fn lines(club: &mut Club, name: &str) -> usize {
    sheet(club, name).part(Phase::Movement).len()
}

/// The last that we have posted in a thread.
fn latest(board: &Board, thread: &str) -> String {
    board.ours(thread).last().cloned().unwrap_or_default()
}

#[test]
fn a_thread_is_opened_with_the_status_and_holds_the_public_record() {
    let (mut club, board, _) = begun(false);
    assert!(board.titles()[0].contains("The game demo"), "{:?}", board.titles());
    let posts = board.ours(&board.public());
    let status = posts[0].clone();
    for wanted in ["Minoa", "Egypt", "Hellas"] {
        assert!(status.contains(wanted), "{status}");
    }
    // Private letters are private, and each player has one thread.
    assert_eq!((board.private_threads("Ariadne"), board.private_threads("Ramses")), (1, 1));
    assert!(latest(&board, &board.private("Ariadne")).contains("move"), "the form comes in private");
    let count = posts.len();
    board.post("Ariadne", &board.private("Ariadne"), "ok");
    round(&mut club, &board);
    let posts = board.ours(&board.public());
    assert_eq!(posts.len(), count, "the status is edited in place");
    assert_ne!(posts[0], status, "Minoa is no longer awaited");
    // Everybody is in: the ruling is published in the thread, without anybody's hand.
    board.post("Ramses", &board.private("Ramses"), "ok");
    let mails = club.fetch();
    assert!(mails.is_empty(), "nothing new for Hellas");
    club.now += Duration::hours(1);
    let welcome = to_hellas(&club);
    club.reply(&welcome, "ok");
    round(&mut club, &board);
    assert_eq!(club.table("demo").state.turn(), 2, "there is nothing more to decide in the first turn");
    let record = latest(&board, &board.public());
    assert!(record.contains("World") || record.contains("happened"), "{record}");
    assert!(!record.contains("Your hand"), "{record}");
    assert!(latest(&board, &board.private("Ramses")).contains("Your hand"), "the hand is private");
    assert!(!to(&club.fetch(), "Hellas").is_empty(), "and Hellas has the letter");
}

/// The last letter that Hellas has had, read from the files that were put away.
fn to_hellas(club: &Club) -> Mail {
    let folder = club.folder.join("out/cur");
    let files = std::fs::read_dir(folder).expect("the letters").map(|file| file.expect("a file").path());
    let mails: Vec<Mail> = files.map(|file| super::club::mail(std::fs::read(file).expect("a letter"))).collect();
    let kind = |mail: &Mail| club.desk.archive.written(&mail.message_id).expect("the archive").expect("a letter").kind;
    let of = |mail: &&Mail| mail.to == address("Hellas") && kind(mail) == cursus::archive::DispatchKind::Welcome;
    mails.iter().find(of).expect("a welcome").clone()
}

#[test]
fn a_player_is_the_user_who_accepted_whatever_he_is_called() {
    let (mut club, board, _) = begun(false);
    let table = club.table("demo");
    let seat = table.seat(Party::Seat(civ(&table, "Minoa"))).expect("a seat");
    assert_eq!(seat.addresses[0].address, "user:1");
    board.rename("Ariadne", "Queen of Crete");
    board.rename("Stranger", "Ariadne");
    let private = board.private("Queen of Crete");
    board.post("Queen of Crete", &private, "always tax 2");
    board.post("Ariadne", &board.public(), "always tax 3\ndone");
    round(&mut club, &board);
    assert_eq!(sheet(&mut club, "Minoa").standing().len(), 1, "only the one who accepted is heard");
    assert!(latest(&board, &private).contains("tax 2"));
    assert_eq!(board.private_threads("Ariadne"), 0, "a stranger is never answered");
}

#[test]
fn letters_in_a_forum_do_not_speak_of_mail() {
    for language in [cursus::rules::Language::English, cursus::rules::Language::Polish] {
        let (mut club, board) = founded();
        let mut file = in_forum(true);
        file.forum = file.forum.map(|forum| Forum { language, ..forum });
        for seat in &mut file.seats {
            if let Sitter::Player { player, .. } = &mut seat.sitter {
                player.language = language;
            }
        }
        club.desk.create(&file, [7; 32], club.now).expect("the game is created");
        round(&mut club, &board);
        let mails = club.fetch();
        club.reply(&last(&mails, "Hellas"), "ok");
        board.post("Ariadne", &board.private("Ariadne"), "ok");
        board.post("Ariadne", &board.private("Ariadne"), "move 1 from Knossos to Phaestos\nnonsense, all of it");
        board.post("Ramses", &board.public(), "Ok, I am in!");
        round(&mut club, &board);
        board.post("Ariadne", &board.public(), "move 1 from Knossos to Phaestos");
        board.post("Ariadne", &board.private("Ariadne"), "> move 1 from Knossos to Phaestos");
        board.post("Ramses", &board.private("Ramses"), "hello there");
        club.now += Duration::days(4);
        round(&mut club, &board);
        round(&mut club, &board);
        assert!(board.ours(&board.private("Ariadne")).len() > 5, "there is something to look at");
        for thread in [board.public(), board.private("Ariadne"), board.private("Ramses")] {
            for post in board.ours(&thread) {
                let said = post.to_lowercase();
                for word in ["mail", "above the quot", "pocztą", "pocztow", "nad cytat", "listownie"] {
                    assert!(!said.contains(word), "{word}: {post}");
                }
            }
        }
    }
}

#[test]
fn a_status_that_somebody_deleted_is_posted_anew() {
    let (mut club, board, _) = begun(false);
    let count = board.ours(&board.public()).len();
    board.delete("1");
    board.post("Ariadne", &board.private("Ariadne"), "ok");
    round(&mut club, &board);
    let posts = board.ours(&board.public());
    assert_eq!(posts.len(), count + 1);
    let by_mail = club.fetch().into_iter().filter(|mail| mail.to == address("Moderator")).map(|mail| mail.text);
    let told: Vec<String> = by_mail.chain(board.ours(&board.private("Gamemaster"))).collect();
    let told = told.join("\n").split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(told.matches("so it was posted again at the end of the thread").count(), 1, "{told}");
    assert!(told.contains("the post is gone"), "{told}");
    assert!(posts[count].contains("Ramses") || posts[count].contains("Egypt"), "{}", posts[count]);
    board.post("Ramses", &board.private("Ramses"), "ok");
    round(&mut club, &board);
    let later = board.ours(&board.public());
    assert_eq!(later.len(), count + 1, "the new one is edited in place");
    assert_ne!(later[count], posts[count]);
}

#[test]
fn what_people_say_in_the_thread_is_their_own() {
    let (mut club, board, _) = begun(true);
    let thread = board.public();
    let (public, private) = (board.ours(&thread), board.ours(&board.private("Ariadne")).len());
    for text in ["ok", "Nice move!", "What a map. I will move soon, be done with it.", "Egypt is doomed, done."] {
        board.post("Ariadne", &thread, text);
    }
    board.post("Stranger", &thread, "move 1 from Knossos to Phaestos\ndone");
    board.post("Gamemaster", &thread, "Welcome all, have fun!");
    round(&mut club, &board);
    assert_eq!(lines(&mut club, "Minoa"), 0);
    assert_eq!(board.ours(&thread), public, "nobody is answered");
    assert_eq!(board.ours(&board.private("Ariadne")).len(), private);
    assert_eq!(board.private_threads("Stranger"), 0);
}

#[test]
fn orders_in_public_are_read_only_where_the_game_takes_them() {
    for (allowed, filed) in [(true, 1), (false, 0)] {
        let (mut club, board, _) = begun(allowed);
        board.post("Ariadne", &board.public(), "move 1 from Knossos to Phaestos");
        round(&mut club, &board);
        assert_eq!(lines(&mut club, "Minoa"), filed);
        let answer = latest(&board, &board.private("Ariadne"));
        let wanted = if allowed { "everybody" } else { "only in private" };
        assert!(answer.to_lowercase().contains(wanted), "{answer}");
        assert!(!latest(&board, &board.public()).contains("Phaestos"), "the answer itself is private");
    }
}

#[test]
fn an_edit_before_done_takes_the_place_of_the_letter() {
    let (mut club, board, _) = begun(false);
    let private = board.private("Ariadne");
    let post = board.post("Ariadne", &private, "move 1 from Knossos to Phaestos\ntell Hellas: beware\nalways tax 2");
    round(&mut club, &board);
    assert_eq!((lines(&mut club, "Minoa"), to(&club.fetch(), "Hellas").len()), (1, 1));
    board.edit(&post, "tell Hellas: beware\nbuild ship in Knossos\nbuild city in Knossos");
    round(&mut club, &board);
    let sheet = sheet(&mut club, "Minoa");
    assert!(sheet.standing().is_empty(), "the standing order has left with its letter");
    assert_eq!(sheet.part(Phase::Movement).len(), 1);
    assert!(latest(&board, &private).contains("build ship in Knossos"));
    assert!(to(&club.fetch(), "Hellas").is_empty(), "press is not sent twice");
    // The same text again, edited back and forth, is noticed each time.
    board.edit(&post, "move 1 from Knossos to Phaestos");
    round(&mut club, &board);
    board.edit(&post, "build ship in Knossos");
    round(&mut club, &board);
    assert!(format!("{:?}", self::sheet(&mut club, "Minoa")).contains("BuildShip"), "edited back");
    board.delete(&post);
    round(&mut club, &board);
    assert_eq!(lines(&mut club, "Minoa"), 0, "a deleted letter leaves the sheet");
}

#[test]
fn an_edit_after_done_changes_nothing_and_is_told_where_it_was_read() {
    let (mut club, board, _) = begun(true);
    let thread = board.public();
    let post = board.post("Ariadne", &thread, "move 1 from Knossos to Phaestos\ndone");
    round(&mut club, &board);
    let before = sheet(&mut club, "Minoa");
    board.edit(&post, "build ship in Knossos\ndone");
    round(&mut club, &board);
    assert_eq!(sheet(&mut club, "Minoa"), before);
    assert!(latest(&board, &thread).contains("edited"), "{}", latest(&board, &thread));
    board.delete(&post);
    round(&mut club, &board);
    assert_eq!(sheet(&mut club, "Minoa"), before);
    assert!(latest(&board, &thread).contains("deleted"), "{}", latest(&board, &thread));
    // In private it is told in private.
    let private = board.private("Ramses");
    let secret = board.post("Ramses", &private, "done");
    round(&mut club, &board);
    let public = board.ours(&thread).len();
    board.edit(&secret, "done, and good luck");
    round(&mut club, &board);
    assert_eq!(board.ours(&thread).len(), public);
    assert!(latest(&board, &private).contains("edited"), "{}", latest(&board, &private));
}

#[test]
fn the_moderator_commands_in_the_thread() {
    let (mut club, board, _) = begun(false);
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    board.post("Gamemaster", &board.public(), "deadline +24h");
    round(&mut club, &board);
    assert_eq!(club.table("demo").game.hours.cut_off, Some(cut_off), "it is shown first");
    let private = board.private("Gamemaster");
    assert!(latest(&board, &private).contains("Nothing is done yet"), "{}", latest(&board, &private));
    board.post("Gamemaster", &private, "ok");
    round(&mut club, &board);
    assert_eq!(club.table("demo").game.hours.cut_off, Some(cut_off + Duration::hours(24)));
    assert!(latest(&board, &board.public()).contains("moved the cut-off"), "{}", latest(&board, &board.public()));
    // Another takes a seat, and sees nothing of what the one before wrote.
    board.post("Gamemaster", &board.public(), "replace Minoa Nia <@Newcomer> for 1.movement");
    round(&mut club, &board);
    assert_eq!(board.private_threads("Newcomer"), 1, "{}", latest(&board, &private));
    let old = board.ours(&board.private("Ariadne")).len();
    board.post("Newcomer", &board.private("Newcomer"), "done");
    board.post("Ariadne", &board.private("Ariadne"), "build ship in Knossos");
    round(&mut club, &board);
    assert_eq!(lines(&mut club, "Minoa"), 1, "only the new player is heard");
    assert_eq!(board.ours(&board.private("Ariadne")).len(), old);
}

#[test]
fn a_game_goes_on_by_mail_while_the_forum_is_down() {
    let (mut club, board, _) = begun(false);
    let thread = board.public();
    let posts = board.ours(&thread).len();
    board.switch(true);
    let welcome = to_hellas(&club);
    club.reply(&welcome, "done");
    round(&mut club, &board);
    club.fetch();
    // The cut-off passes: what the forum does not take goes by mail after a while.
    club.now += Duration::days(4);
    round(&mut club, &board);
    let mails = club.fetch();
    assert!(to(&mails, "Minoa").is_empty(), "a short outage is waited for");
    let mut all = mails;
    for _ in 0..6 {
        club.now += Duration::minutes(20);
        round(&mut club, &board);
        all.extend(club.fetch());
    }
    let report = last(&all, "Minoa");
    assert!(flat(&report).contains("AWAITED"), "{}", report.text);
    assert!(flat(&report).contains("above the quotation"), "it is a letter now, and speaks of one: {}", report.text);
    let told: Vec<_> = to(&all, "Moderator").into_iter().filter(|mail| flat(mail).contains("out of reach")).collect();
    assert_eq!(told.len(), 1, "the moderator is told once");
    club.reply(&report, "ok");
    round(&mut club, &board);
    assert!(!to(&club.fetch(), "Minoa").is_empty(), "and can answer by mail");
    // Back again: the public record is complete, nothing is posted twice, and what went by mail is not posted again.
    let private = board.ours(&board.private("Ariadne")).len();
    board.switch(false);
    for _ in 0..4 {
        club.now += Duration::hours(3);
        round(&mut club, &board);
    }
    let record = board.ours(&thread);
    assert!(record.len() > posts, "the record is posted");
    let mut once = record.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), record.len());
    let later = board.ours(&board.private("Ariadne"));
    assert!(later[private..].iter().all(|post| !post.contains(&report.subject)), "{later:?}");
}

#[test]
fn what_a_forum_refuses_in_private_goes_by_mail_at_once() {
    let (mut club, board, _) = begun(false);
    board.refuse_private();
    let welcome = to_hellas(&club);
    club.reply(&welcome, "done");
    board.post("Ariadne", &board.private("Ariadne"), "move 1 from Knossos to Phaistos\ndone");
    board.post("Ramses", &board.private("Ramses"), "done");
    round(&mut club, &board);
    let mails = club.fetch();
    let answer = to(&mails, "Minoa").into_iter().find(|mail| flat(mail).contains("move 1 from Knossos to Phaestos"));
    let answer = answer.unwrap_or_else(|| panic!("what came of the orders is told by mail: {mails:?}"));
    assert!(!answer.text.contains("conversation"), "it speaks of a letter: {}", answer.text);
    assert!(!to(&mails, "Egypt").is_empty());
    let lost: Vec<_> = to(&mails, "Moderator").into_iter().filter(|mail| flat(mail).contains("given up")).collect();
    assert!(lost.is_empty(), "nothing is lost, so nobody is told so: {lost:?}");
}

#[test]
fn a_forum_without_private_messages_leaves_secrets_to_mail() {
    let mut club = Club::new();
    let board = Board::open("club", &USERS);
    let mail = settings(&club.folder);
    let carriers = [mail.carriers.clone(), vec![forum_settings(false)]].concat();
    club.desk = desk(&club, Settings { carriers, ..mail });
    club.carriers.push(Arc::clone(&board) as Arc<dyn Carrier>);
    board.set_clock(club.now);
    club.desk.create(&in_forum(true), [7; 32], club.now).expect("the game is created");
    round(&mut club, &board);
    for invitation in club.fetch() {
        club.reply(&invitation, "ok");
    }
    round(&mut club, &board);
    club.fetch();
    board.post("Ariadne", &board.public(), "move 1 from Knossos to Phaestos");
    round(&mut club, &board);
    assert_eq!(lines(&mut club, "Minoa"), 1);
    let answer = last(&club.fetch(), "Minoa");
    assert!(flat(&answer).contains("move 1 from Knossos to Phaestos"), "{}", answer.text);
    assert_eq!(board.private_threads("Ariadne"), 0);
}

#[test]
fn a_board_that_is_only_read_is_answered_by_mail() {
    let (mut club, board, begun) = on_a_board(FEED, true, Markup::BbCode);
    let is_record = |mail: &&Mail| mail.reply_to.contains(".public.");
    let records: Vec<Mail> = to(&begun, "Moderator").into_iter().filter(is_record).cloned().collect();
    assert_eq!(records.len(), 1, "the moderator gets the public record, to post it");
    let (told, pasted) = records[0].text.split_once("8<").expect("a line to cut at");
    assert!(told.contains(FEED) && told.contains("bbcode"), "{told}");
    assert!(pasted.contains("[b]") && pasted.contains("[code]"), "it is marked up as the board wants it: {pasted}");
    let raw = String::from_utf8_lossy(&records[0].raw);
    assert!(
        !raw.contains("text/html") && raw.contains("map.png"),
        "nothing else to copy by mistake, and the picture to upload"
    );
    // The moderator may answer it like any other letter of ours: it is settled, and a command is a command.
    club.reply(&records[0], "status");
    round(&mut club, &board);
    assert!(club.desk.archive.waiting(9).expect("the archive answers").is_empty());
    assert_eq!(to(&club.fetch(), "Moderator").len(), 1);
    board.post_in_feed("Ariadne", FEED, "move 1 from Knossos to Phaestos");
    board.post_in_feed("Stranger", FEED, "move 1 from Knossos to Phaestos");
    round(&mut club, &board);
    assert_eq!(lines(&mut club, "Minoa"), 1);
    let answers = club.fetch();
    assert_eq!(answers.len(), 1, "nobody else is answered");
    assert!(flat(&last(&answers, "Minoa")).contains("You wrote in public"), "{}", answers[0].text);
}

#[test]
fn a_board_without_public_orders_says_so_by_mail_to_the_player_alone() {
    let (mut club, board, begun) = on_a_board(FEED, false, Markup::Plain);
    let record = to(&begun, "Moderator").into_iter().find(|mail| mail.reply_to.contains(".public.")).cloned();
    let text = record.expect("the public record").text;
    assert!(!text.contains("[b]") && !text.contains("**"), "no marks: {text}");
    board.post_in_feed("Ariadne", FEED, "move 1 from Knossos to Phaestos");
    board.post_in_feed("Ariadne", FEED, "What a fine morning for a voyage, everybody!");
    round(&mut club, &board);
    assert_eq!(lines(&mut club, "Minoa"), 0);
    let answers = club.fetch();
    assert_eq!(answers.len(), 1, "talk is left alone");
    assert!(flat(&last(&answers, "Minoa")).contains("only in private"), "{}", answers[0].text);
    // What the letter asks for works: the same line, by mail.
    club.reply(&answers[0], "move 1 from Knossos to Phaestos");
    round(&mut club, &board);
    assert_eq!(lines(&mut club, "Minoa"), 1);
}

#[test]
fn a_board_without_a_feed_gets_its_record_to_paste_all_the_same() {
    let (_, _, begun) = on_a_board("unread+https://board.example.org/threads/17", false, Markup::Markdown);
    let record = to(&begun, "Moderator").into_iter().find(|mail| mail.reply_to.contains(".public.")).cloned();
    let text = record.expect("the public record").text;
    assert!(text.contains("thread of https://board.example.org/threads/17,") && text.contains("\n# "), "{text}");
}

const FEED: &str = "https://board.example.org/topic/17.rss";

/// A game whose public record is a thread of a board that is only read, begun; with the letters that began it.
fn on_a_board(thread: &str, public_orders: bool, markup: Markup) -> (Club, Arc<Board>, Vec<Mail>) {
    let mut club = Club::new();
    let board = Board::open("club", &USERS);
    let mail = settings(&club.folder);
    let feed = CarrierSettings { kind: CarrierKind::Feed(FeedSettings::default(), markup), ..forum_settings(false) };
    club.desk = desk(&club, Settings { carriers: [mail.carriers.clone(), vec![feed]].concat(), ..mail });
    club.carriers.push(Arc::clone(&board) as Arc<dyn Carrier>);
    board.set_clock(club.now);
    let mut file = in_forum(public_orders);
    file.forum = file.forum.map(|forum| Forum { thread: Some(thread.to_owned()), ..forum });
    club.desk.create(&file, [7; 32], club.now).expect("the game is created");
    round(&mut club, &board);
    let invitations = club.fetch();
    for name in PEOPLE {
        club.reply(&last(&invitations, name), "ok");
    }
    round(&mut club, &board);
    let begun = club.fetch();
    (club, board, begun)
}

#[test]
fn after_a_restart_nothing_is_read_or_posted_twice() {
    let (mut club, board, _) = begun(false);
    board.post("Ariadne", &board.private("Ariadne"), "move 1 from Knossos to Phaestos");
    round(&mut club, &board);
    let posts: Vec<Vec<String>> = (0..3).map(|thread| board.ours(&thread.to_string())).collect();
    club.desk = desk(&club, both(&club));
    round(&mut club, &board);
    assert_eq!((0..3).map(|thread| board.ours(&thread.to_string())).collect::<Vec<_>>(), posts);
    assert_eq!(lines(&mut club, "Minoa"), 1);
    board.post("Ariadne", &board.private("Ariadne"), "undo 1");
    round(&mut club, &board);
    assert_eq!(lines(&mut club, "Minoa"), 0, "and it goes on");
}

#[test]
fn what_is_older_than_the_game_does_not_answer_it() {
    let (mut club, board) = founded();
    board.set_clock(club.now - Duration::days(30));
    let old = board.message("Ariadne", "ok");
    board.set_clock(club.now);
    club.desk.create(&in_forum(false), [7; 32], club.now).expect("the game is created");
    round(&mut club, &board);
    let table = club.table("demo");
    let seat = |table: &cursus::desk::Table| table.seat(Party::Seat(civ(table, "Minoa"))).expect("a seat").accepted;
    assert!(!seat(&table), "an old `ok` to the same account answers another game");
    board.post("Ariadne", &old, "ok");
    round(&mut club, &board);
    assert!(seat(&club.table("demo")), "a new one answers this game, in whichever thread");
}

/// From the first answer to the last letter, whoever plays in a forum is spoken to as in a forum.
#[test]
fn the_first_and_the_last_letters_stand_in_the_forum() {
    let (mut club, board) = founded();
    let file = GameFile { rehearsal: true, ends_after: Some(Ending::Turn(1)), ..in_forum(false) };
    club.desk.create(&file, [7; 32], club.now).expect("the game is created");
    round(&mut club, &board);
    let mails = club.fetch();
    let private = board.private("Ariadne");
    board.post("Ariadne", &private, "ok");
    round(&mut club, &board);
    // Whoever writes in a forum has no mail program to try.
    let answer = board.ours(&private).last().cloned().expect("an answer");
    assert!(answer.contains("Your seat is taken") && !answer.contains("practice"), "{answer}");
    assert_eq!(club.table("demo").game.status, Status::Inviting);
    club.reply(&last(&mails, "Hellas"), "ok");
    board.post("Ramses", &board.private("Ramses"), "ok");
    round(&mut club, &board);
    for _ in 0..30 {
        club.now += Duration::days(4);
        round(&mut club, &board);
    }
    assert_eq!(club.table("demo").game.status, Status::Ended);
    for thread in [board.public(), board.private("Ariadne"), board.private("Ramses")] {
        let end = board.ours(&thread).last().cloned().expect("a last post");
        assert!(end.contains("The game is over"), "{end}");
        assert!(!end.contains("above the quotation") && !end.contains("this letter"), "{end}");
    }
}
