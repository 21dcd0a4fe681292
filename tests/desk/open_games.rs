//! Open games: people join by letter, wait, say that they are there, and play; strangers are nobody's reflector.

use std::collections::BTreeMap;

use chrono::Duration;
use cursus::archive::{Archive, Durability, Party, Stage, Status};
use cursus::desk::club::gathering::Place;
use cursus::desk::settings::game_file::OpenGame;
use cursus::desk::settings::mail::Answers;
use cursus::desk::settings::{ClubSettings, Settings};
use cursus::desk::{Desk, House};
use cursus::rules::{EditionFiles, Language, PrintedGame};

use super::club::{Club, Mail, address, flat, settings, to};

const DESK: &str = "cursus@example.org";
const PASSED: &str = "Authentication-Results: mx.example.org; dmarc=pass header.from=player.example\r\n";

/// Two seats are free; a companion has each of the others.
pub fn file(id: &str, open: &str) -> String {
    format!(
        "id = \"{id}\"\ntitle = \"Winter around the sea\"\nscenario = \"west_5\"\nrehearsal = false\n\
         [moderator]\nname = \"Moderator\"\naddresses = [\"moderator@player.example\"]\nformat = \"text\"\n\
         [open]\n{open}\n[schedule]\ncooling_off = \"0s\"\n\
         [[seats]]\nciv = \"Assyria\"\ncompanion = \"settler\"\n[[seats]]\nciv = \"Hatti\"\ncompanion = \"settler\"\n\
         [[seats]]\nciv = \"Hellas\"\ncompanion = \"settler\"\n"
    )
}

pub fn of(club: &Club, open: bool) -> Settings {
    let mut settings = settings(&club.folder);
    settings.carriers[0].authserv_id = Some("mx.example.org".to_owned());
    settings.club = ClubSettings { open, answers_a_day: 20, ..settings.club };
    settings
}

pub fn seated(club: &Club, settings: Settings) -> Desk {
    let archive = Archive::open(&club.folder.join("cursus.sqlite"), Durability::None).expect("the archive opens");
    let house = House::new(&archive, settings, &EditionFiles::built_in(), BTreeMap::new());
    Desk::new(archive, house.expect("the house is sound")).expect("the desk is there")
}

pub fn open(club: &mut Club, text: &str) {
    let printed = PrintedGame::built_in().expect("the edition");
    let game = OpenGame::read("open.toml", text, &printed, &club.desk.house.settings).expect("the file is right");
    club.desk.open_game(&game, text, [7; 32], club.now).expect("it is open");
}

/// An open house with the open game `winter`.
pub fn house(rules: &str) -> Club {
    let mut club = Club::new();
    club.desk = seated(&club, of(&club, true));
    open(&mut club, &file("winter", rules));
    club
}

/// Somebody whose server proves them writes to the house.
pub fn writes(club: &mut Club, name: &str, text: &str) -> Vec<Mail> {
    club.send_with(PASSED, &address(name), DESK, "hello", text);
    club.post()
}

fn only(mails: &[Mail], name: &str) -> String {
    let own = to(mails, name);
    assert_eq!(own.len(), 1, "one letter to {name}: {mails:?}");
    flat(own[0])
}

/// Joins and confirms.
pub fn joins(club: &mut Club, name: &str, text: &str) -> Vec<Mail> {
    let mails = writes(club, name, text);
    let letter = to(&mails, name)[0].clone();
    club.reply(&letter, "ok");
    club.post()
}

pub fn stage(club: &Club) -> Stage {
    club.desk.archive.gathering(&"winter".into()).expect("it answers").expect("it is there").stage
}

fn player(club: &mut Club, civ: &str) -> String {
    let table = club.table("winter");
    let seat = super::club::seat(&table, civ);
    table.seat(seat).expect("a seat").player.clone()
}

#[test]
fn strangers_join_muster_and_play() {
    let mut club = house("civilizations = \"wished\"");
    let listed = only(&writes(&mut club, "Ann", "games"), "Ann");
    assert!(listed.contains("`winter` Winter around the sea") && listed.contains("2 of 2 seats free"), "{listed}");
    let asked = only(&writes(&mut club, "Ben", "join winter as Minoa or Egypt"), "Ben");
    assert!(asked.contains("Answer `ok`"), "{asked}");
    assert!(!asked.contains("Minoa"), "nothing that a stranger wrote is repeated: {asked}");
    // Nobody is in before the address is confirmed.
    let told = writes(&mut club, "Moderator", "who winter");
    assert!(told.is_empty() || !flat(&told[0]).contains("is there"));
    club.now += Duration::days(1);
    let told = only(&joins(&mut club, "Ann", "join winter as Minoa"), "Ann");
    assert!(told.contains("You are in"), "{told}");
    let mails = writes(&mut club, "Ben", "join winter as Minoa or Egypt");
    let question = to(&mails, "Ben")[0].clone();
    club.reply(&question, "ok");
    let mails = club.post();
    let told: Vec<String> = to(&mails, "Ben").into_iter().map(flat).collect();
    assert!(told.iter().any(|text| text.contains("You are in")), "{told:?}");
    assert!(told.iter().any(|text| text.contains("Are you there?")), "it is full: {told:?}");
    assert_eq!(stage(&club), Stage::Mustering);
    for name in ["Ann", "Ben"] {
        let own =
            to(&mails, name).into_iter().find(|mail| flat(mail).contains("Are you there?")).expect("asked").clone();
        club.reply(&own, "ok");
    }
    let mails = club.post();
    assert_eq!(club.table("winter").game.status, Status::Running);
    assert_eq!(stage(&club), Stage::Begun);
    let people = [player(&mut club, "Minoa"), player(&mut club, "Egypt")];
    assert!(people.contains(&"ann".to_owned()) || people.iter().all(|name| name.starts_with("Guest")), "{people:?}");
    let welcome = to(&mails, "Ann").into_iter().find(|mail| flat(mail).contains("begins")).expect("a welcome").clone();
    // No address is shown to anybody.
    for mail in &mails {
        let others = ["Ann", "Ben", "Moderator"].map(address);
        let shown = others.iter().filter(|other| **other != mail.to).find(|other| mail.text.contains(other.as_str()));
        assert_eq!(shown, None, "{}", mail.text);
    }
    // And it is played like any other.
    club.reply(&welcome, "ok");
    assert!(!club.post().is_empty());
}

#[test]
fn a_closed_house_answers_no_stranger() {
    let mut club = Club::new();
    club.desk = seated(&club, of(&club, false));
    open(&mut club, &file("winter", ""));
    assert!(writes(&mut club, "Ann", "games").is_empty());
    assert!(writes(&mut club, "Ann", "join winter").is_empty());
    assert!(club.desk.archive.person_at("spool", &address("Ann")).expect("it answers").is_none(), "and notes nobody");
}

#[test]
fn nobody_makes_a_reflector_of_us() {
    let mut club = house("");
    let from = address("Victim");
    for head in [
        "",
        "Authentication-Results: mx.example.org; dmarc=fail header.from=player.example\r\n",
        "Authentication-Results: mx.example.org; dmarc=pass header.from=evil.example\r\n",
        "Authentication-Results: mx.evil.org; dmarc=pass header.from=player.example\r\n",
        "Authentication-Results: mx.example.org; dkim=pass header.d=player.example\r\n",
    ] {
        club.send_with(head, &from, DESK, "hello", "games");
        club.send_with(head, &from, DESK, "hello", "join winter as Egypt");
        assert!(club.post().is_empty(), "{head}");
    }
    for machine in ["Auto-Submitted: auto-replied\r\n", "List-Id: <all.example.org>\r\n", "Precedence: bulk\r\n"] {
        club.send_with(&format!("{PASSED}{machine}"), &from, DESK, "hello", "games");
        assert!(club.post().is_empty(), "{machine}");
    }
    // Two authors: the server has judged one.
    club.send_with(&format!("{PASSED}From: <other@player.example>\r\n"), &from, DESK, "hello", "games");
    assert!(club.post().is_empty());
    // What is no line of ours is not answered at all.
    assert!(writes(&mut club, "Victim", "Dear friend, buy my stamps\ngames").is_empty());
    // One answer a day, whatever is written, and with nothing of it.
    let told = writes(&mut club, "Victim", "games\nhttps://evil.example/buy");
    assert!(!only(&told, "Victim").contains("evil"), "{told:?}");
    assert!(writes(&mut club, "Victim", "games").is_empty());
    assert!(writes(&mut club, "Victim", "join winter").is_empty());
    club.now += Duration::days(1);
    assert_eq!(writes(&mut club, "Victim", "gry").len(), 1, "tomorrow again");
    // The house has a share for all of them together.
    let answered = (0..40).filter(|number| !writes(&mut club, &format!("crowd{number}"), "games").is_empty()).count();
    assert_eq!(answered, 19, "with the one before");
}

#[test]
fn an_answer_from_elsewhere_confirms_nobody() {
    let mut club = house("");
    let mails = writes(&mut club, "Ann", "join winter");
    let question = to(&mails, "Ann")[0].clone();
    club.send(&address("Rival"), &question.reply_to, "Re: it", "ok");
    assert!(club.post().is_empty());
    let forged = "Authentication-Results: mx.example.org; dmarc=fail header.from=player.example\r\n";
    club.send_with(forged, &address("Ann"), &question.reply_to, "Re: it", "ok");
    assert!(club.post().is_empty());
    club.reply(&question, "ok");
    assert!(only(&club.post(), "Ann").contains("You are in"));
}

#[test]
fn whoever_joins_twice_has_one_seat_and_the_last_seat_is_the_first_comers() {
    let mut club = house("muster = \"1day\"");
    joins(&mut club, "Ann", "join winter as Egypt");
    let told = only(&writes(&mut club, "Ann", "join winter as Minoa"), "Ann");
    assert!(told.contains("You are in `winter` already"), "{told}");
    // Two letters of the same minute: one seat, and one place on the list.
    let questions: Vec<Mail> = ["Ben", "Cleo"]
        .into_iter()
        .flat_map(|name| {
            writes(&mut club, name, "join winter")
                .into_iter()
                .filter(|mail| mail.to == address(name))
                .collect::<Vec<_>>()
        })
        .collect();
    questions.iter().for_each(|question| club.reply(question, "ok"));
    let mails = club.post();
    let told = |name: &str| to(&mails, name).into_iter().map(flat).collect::<Vec<_>>().join("\n");
    assert!(told("Ben").contains("You are in"), "{}", told("Ben"));
    assert!(told("Cleo").contains("number 1 on the waiting list"), "{}", told("Cleo"));
    assert_eq!(stage(&club), Stage::Mustering);
    let gathering = club.desk.gathering(&"winter".into()).expect("it answers").expect("it gathers");
    assert_eq!(gathering.meeting.gathered.members.len(), 3);
}

#[test]
fn whoever_is_not_there_makes_room_for_the_next() {
    let mut club = house("muster = \"1day\"");
    for name in ["Ann", "Ben", "Cleo", "Dora"] {
        joins(&mut club, name, "join winter");
    }
    club.fetch();
    // Ben leaves while everybody is asked: Cleo is asked instead, and Ann does not answer at all.
    let told = writes(&mut club, "Ben", "leave winter");
    assert!(only(&told, "Ben").contains("You have left"));
    let asked = only(&told, "Cleo");
    assert!(asked.contains("Are you there?"), "{asked}");
    let question = to(&told, "Cleo")[0].clone();
    club.reply(&question, "ok");
    assert!(only(&club.post(), "Cleo").contains("Noted"));
    assert_eq!(club.desk.next_stroke(), Some(club.now + Duration::days(1)));
    club.wait(Duration::days(1));
    let told = club.fetch();
    assert!(only(&told, "Ann").contains("has gone to the next"));
    let question = to(&told, "Dora")[0].clone();
    assert!(flat(&question).contains("Are you there?"));
    club.reply(&question, "ok");
    let told = club.post();
    assert_eq!(club.table("winter").game.status, Status::Running);
    assert!(to(&told, "Ann").is_empty() && to(&told, "Ben").is_empty(), "they do not play");
    assert!(!to(&told, "Dora").is_empty() && !to(&told, "Cleo").is_empty());
    // Whoever is late can still stand by.
    let told = only(&writes(&mut club, "Ann", "join winter"), "Ann");
    assert!(told.contains("`standby winter`"), "{told}");
}

#[test]
fn too_few_keep_their_seats_and_the_host_begins_with_companions() {
    let mut club = house("muster = \"1day\"\ncompanion = \"merchant\"");
    for name in ["Ann", "Ben"] {
        joins(&mut club, name, "join winter");
    }
    club.fetch();
    let told = writes(&mut club, "Ben", "leave winter");
    assert!(only(&told, "Ann").contains("You keep your seat"), "{told:?}");
    assert!(only(&told, "Moderator").contains("1 seats are free again"));
    assert_eq!(stage(&club), Stage::Open);
    // Only the host begins.
    assert!(only(&writes(&mut club, "Ann", "start winter"), "Ann").contains("Only the host"));
    let answer = to(&told, "Moderator")[0].clone();
    club.reply(&answer, "start winter");
    let told = club.post();
    let question =
        to(&told, "Ann").into_iter().find(|mail| flat(mail).contains("Are you there?")).expect("asked").clone();
    club.reply(&question, "ok");
    club.post();
    let table = club.table("winter");
    assert_eq!(table.game.status, Status::Running);
    let built_in = table.seats.iter().filter(|seat| seat.companion.as_deref() == Some("merchant")).count();
    assert_eq!((built_in, table.people().count()), (1, 1));
}

#[test]
fn a_host_approves_and_is_shown_no_address() {
    let mut club = house("approval = true\ncivilizations = \"chosen\"\nmuster = \"0s\"");
    let mails = joins(&mut club, "Ann", "join winter as Egypt\nname Anna Nowak");
    assert!(only(&mails, "Ann").contains("has to approve"));
    let asked = to(&mails, "Moderator")[0].clone();
    assert!(flat(&asked).contains("Anna Nowak would like to join") && flat(&asked).contains("as Egypt"), "{asked:?}");
    assert!(!asked.text.contains('@'), "{}", asked.text);
    club.reply(&asked, "approve winter 1");
    let mails = club.post();
    assert!(only(&mails, "Ann").contains("is yours"), "{mails:?}");
    let told = only(&writes(&mut club, "Cleo", "join winter as Egypt"), "Cleo");
    assert!(told.contains("free: Minoa"), "what is chosen is gone: {told}");
    let mails = joins(&mut club, "Ben", "join winter as Minoa");
    assert!(flat(to(&mails, "Ben")[0]).contains("approve"), "{mails:?}");
    let asked = to(&mails, "Moderator")[0].clone();
    club.reply(&asked, "refuse winter 2");
    let mails = club.post();
    assert!(only(&mails, "Ben").contains("did not take you in"), "{mails:?}");
}

#[test]
fn civilizations_are_drawn_from_the_seed_and_everybody_can_draw_again() {
    let deal = |seed: u8| {
        let mut club = house("civilizations = \"drawn\"\nmuster = \"9days\"");
        for name in ["Ann", "Ben"] {
            joins(&mut club, name, "join winter as Egypt");
        }
        let mut gathering = club.desk.gathering(&"winter".into()).expect("it answers").expect("it gathers");
        gathering.meeting.seed = [seed; 32];
        let mut dealt = gathering.meeting.deal();
        dealt.sort();
        dealt
    };
    assert_eq!(deal(1), deal(1));
    let all: std::collections::BTreeSet<_> = (0..16).map(deal).collect();
    assert_eq!(all.len(), 2, "either way round");
}

#[test]
fn it_goes_in_polish_and_at_the_door() {
    let mut club = house("muster = \"0s\"");
    let told = only(&writes(&mut club, "Ania", "gry"), "Ania");
    assert!(told.contains("Otwarte gry") && told.contains("dołącz winter"), "{told}");
    club.now += Duration::days(1);
    let told = only(&joins(&mut club, "Ania", "dołącz do winter jako Egipt albo Minoa\nimię Ania"), "Ania");
    assert!(told.contains("należy do Ciebie, Ania"), "{told}");
    let person = club.desk.archive.person_at("spool", &address("Ania")).expect("it answers").expect("a person");
    assert_eq!(person.habits.language, Language::Polish);
    let door = |club: &mut Club, command: &str| {
        Desk::hand_in(&club.desk.archive, &"winter".into(), command, club.now).expect("handed in");
        club.round();
        let record = club.desk.archive.gathering(&"winter".into()).expect("it answers").expect("it is there");
        let state: cursus::desk::club::gathering::Gathered = serde_json::from_str(&record.state).expect("a state");
        state.answers.last().cloned().expect("an answer")
    };
    assert!(door(&mut club, "who").contains("1. Ania (0 in time, 0 missed, 0 finished, 0 taken over), would like"));
    assert!(door(&mut club, "hello").contains("has not begun"));
    assert!(door(&mut club, "start").contains("has begun"));
    assert_eq!(club.table("winter").game.status, Status::Running);
    let egypt = club.table("winter");
    let civ = super::club::civ(&egypt, "Egypt");
    assert_eq!(egypt.seat(Party::Seat(civ)).expect("a seat").player, "Ania");
    // A player of a game writes in answer to any letter of it.
    let mails = club.fetch();
    let letter = to(&mails, "Ania").last().copied().expect("a welcome").clone();
    club.reply(&letter, "rezerwa");
    assert!(only(&club.post(), "Ania").contains("w rezerwie"));
    assert_eq!(club.desk.archive.standbys(&"other".into()).expect("it answers").len(), 1);
}

/// Without an address for the answer alone, an answer finds its letter by the letter's id or by its subject, and only from where
/// the letter went.
#[test]
fn answers_find_their_letter_in_every_way() {
    for by_id in [true, false] {
        let mut club = Club::new();
        let mut settings = of(&club, true);
        settings.carriers[0].habits.answers = Answers { delimiter: None, message_id: by_id, subject: !by_id };
        club.desk = seated(&club, settings);
        open(&mut club, &file("winter", ""));
        let mails = writes(&mut club, "Ann", "join winter as Minoa");
        let question = to(&mails, "Ann")[0].clone();
        assert_eq!((question.reply_to.as_str(), question.subject.contains("[#")), ("", !by_id));
        let head = if by_id { format!("In-Reply-To: <{}>\r\n", question.message_id) } else { String::new() };
        let subject = if by_id { "Re: games".to_owned() } else { format!("Re: {}", question.subject) };
        club.send_with(&head, &address("Ben"), DESK, &subject, "ok");
        let mails = club.post();
        assert!(mails.iter().all(|mail| !flat(mail).contains("You are in")), "{mails:?}");
        club.send_with(&head, &address("Ann"), DESK, &subject, "ok");
        let told = only(&club.post(), "Ann");
        assert!(told.contains("You are in"), "by id: {by_id}: {told}");
    }
}

#[test]
fn a_game_is_not_imported_under_the_name_of_one_that_people_still_join() {
    let mut home = Club::new();
    home.begin(&super::club::game("winter", &["Minoa"]));
    let exported = home.desk.archive.export(&"winter".into()).expect("it is exported");
    let mut club = house("civilizations = \"wished\"");
    let refused = club.desk.import(&exported).expect_err("people gather for it").to_string();
    assert!(refused.contains("still join an open game `winter`"), "{refused}");
    assert!(club.desk.archive.game(&"winter".into()).expect("it answers").is_none(), "nothing of it stays");
    assert_eq!(stage(&club), Stage::Open);
    assert!(only(&joins(&mut club, "Ann", "join winter as Minoa"), "Ann").contains("You are in"), "they go on joining");
}

/// Where a host has invited somebody by name, nobody is told that the game has begun before they have accepted; and whoever waits
/// may have the seat instead.
#[test]
fn those_who_are_invited_by_name_are_waited_for() {
    let mut club = Club::new();
    club.desk = seated(&club, of(&club, true));
    let named =
        "[[seats]]\nciv = \"Hellas\"\nplayer = \"Olga\"\naddresses = [\"olga@player.example\"]\nformat = \"text\"\n";
    let text = file("winter", "").replace("[[seats]]\nciv = \"Hellas\"\ncompanion = \"settler\"\n", named);
    open(&mut club, &text);
    for name in ["Ann", "Ben", "Cleo"] {
        joins(&mut club, name, "join winter");
    }
    let mut told = String::new();
    let mut mails = Vec::new();
    for name in ["Ann", "Ben"] {
        let asked = writes(&mut club, name, "games");
        let letter = to(&asked, name)[0].clone();
        club.reply(&letter, "ok");
        let new = club.post();
        told.push_str(&to(&new, name).into_iter().map(flat).collect::<String>());
        mails.extend(new);
    }
    assert_eq!(club.table("winter").game.status, Status::Inviting);
    assert!(
        told.contains("invited by name have accepted too") && !told.contains("first letter is on its way"),
        "{told}"
    );
    let waiting: String = to(&mails, "Cleo").into_iter().map(flat).collect();
    assert!(waiting.contains("is about to begin") && !waiting.contains("has begun"), "{waiting}");
    assert!(to(&mails, "Olga").iter().any(|mail| flat(mail).contains("ok")), "Olga is asked: {mails:?}");
    Desk::hand_in(&club.desk.archive, &"winter".into(), "ask next Hellas", club.now).expect("handed in");
    let asked = club.post();
    let question = to(&asked, "Cleo").last().copied().expect("Cleo is asked").clone();
    club.reply(&question, "ok");
    let mails = club.post();
    assert_eq!(club.table("winter").game.status, Status::Running);
    let cleo: Vec<String> = to(&mails, "Cleo").into_iter().map(flat).collect();
    assert!(cleo.iter().any(|text| text.contains("begins")), "{cleo:?}");
    assert!(!cleo.iter().any(|text| text.contains("takes the seat")), "nobody is asked twice: {cleo:?}");
}

fn sql(club: &Club, query: &'static str) {
    let path = club.folder.join("cursus.sqlite");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        use sqlx::Connection;
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
        let mut connection = sqlx::SqliteConnection::connect_with(&options).await.expect("the file opens");
        sqlx::raw_sql(query).execute(&mut connection).await.expect("it is done");
        connection.close().await.expect("it closes");
    });
}

/// Where something breaks while a game begins by the clock, nothing of it has happened, and it begins another time.
#[test]
fn a_game_begins_as_a_whole_or_not_at_all() {
    let mut club = house("muster = \"1day\"");
    for name in ["Ann", "Ben"] {
        joins(&mut club, name, "join winter");
    }
    Desk::hand_in(&club.desk.archive, &"winter".into(), "start", club.now).expect("handed in");
    club.round();
    let mails = writes(&mut club, "Ann", "here winter");
    assert!(only(&mails, "Ann").contains("Noted"), "{mails:?}");
    club.fetch();
    // Ben is silent, so that the game begins without Ben; and the disk is full just then.
    sql(&club, "create trigger broken before insert on seats begin select raise(abort, 'a test'); end");
    club.now += Duration::days(1);
    let _ = club.desk.round(&club.carriers, club.now);
    let gathering = club.desk.gathering(&"winter".into()).expect("it answers").expect("it gathers");
    let stays = gathering.meeting.gathered.members.iter().filter(|member| member.place == Place::In).count();
    assert!(stays == 2 || stage(&club) == Stage::Open, "all of it or nothing");
    assert!(club.desk.archive.game(&"winter".into()).expect("it answers").is_none());
    sql(&club, "drop trigger broken");
    club.desk = seated(&club, of(&club, true));
    Desk::hand_in(&club.desk.archive, &"winter".into(), "start", club.now).expect("handed in");
    club.round();
    for _ in 0..3 {
        let mails = writes(&mut club, "Ann", "here winter");
        if mails.is_empty() {
            break;
        }
        club.wait(Duration::days(1));
    }
    assert_eq!(club.table("winter").game.status, Status::Running);
}
