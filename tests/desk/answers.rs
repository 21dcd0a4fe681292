//! What an answer does: the four mailings, answers to old letters, trials, waiting for one's turn, trade, and press.

use chrono::Duration;
use cursus::archive::Status;
use cursus::desk::settings::Format;
use cursus::desk::settings::game_file::Sitter;
use cursus::game::{Event, Owner, Phase, State, TurnPhase};
use cursus::rules::Face;

use super::club::{Club, Mail, address, civ, flat, game, last, to};

const PEOPLE: [&str; 2] = ["Minoa", "Hellas"];

fn club() -> (Club, Vec<Mail>) {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &PEOPLE));
    (club, mails)
}

/// The people who are awaited.
fn awaited(club: &mut Club) -> Vec<&'static str> {
    let table = club.table("demo");
    PEOPLE.into_iter().filter(|name| table.owing().contains(&civ(&table, name))).collect()
}

/// Everybody who is awaited answers; gives the last letters of all.
fn play_on(club: &mut Club, mails: Vec<Mail>) -> Vec<Mail> {
    for name in awaited(club) {
        let text = club.play("demo", name);
        club.reply(&last(&mails, name), &text);
    }
    let news = club.post();
    // Whoever was not written to still has their last letter.
    let old = mails.into_iter().filter(|mail| !news.iter().any(|new| new.to == mail.to)).collect::<Vec<_>>();
    [old, news].concat()
}

/// Plays on until this phase is open, and gives the letters that are to be answered then.
pub fn play_to(club: &mut Club, mut mails: Vec<Mail>, phase: Phase, is_reached: impl Fn(&State) -> bool) -> Vec<Mail> {
    for _ in 0..200 {
        let table = club.table("demo");
        if table.state.phase() == phase && is_reached(&table.state) {
            return mails;
        }
        assert!(!awaited(club).is_empty(), "somebody is awaited in {:?}", table.phase());
        mails = play_on(club, mails);
    }
    panic!("{phase:?} never came");
}

#[test]
fn ok_answers_every_mailing() {
    let (mut club, mut mails) = club();
    let mut seen = std::collections::BTreeSet::new();
    let mailings = [Phase::Movement, Phase::Trade, Phase::Calamities, Phase::Advances];
    for _ in 0..60 {
        let was = club.table("demo").phase();
        seen.insert(was.phase);
        if mailings.iter().all(|phase| seen.contains(phase)) {
            return;
        }
        mails = play_on(&mut club, mails);
        assert_ne!(club.table("demo").phase(), was, "all are in, so it is ruled at once");
    }
    panic!("{seen:?}");
}

#[test]
fn an_answer_to_an_old_letter_ends_nothing_and_brings_the_present_form() {
    let (mut club, first) = club();
    let mails = club.answer_all(&first, &PEOPLE, "ok");
    assert_eq!(club.table("demo").phase(), TurnPhase::new(2, Phase::Movement));
    for word in ["ok", "done", "wait"] {
        club.reply(&last(&first, "Minoa"), &format!("{word}\nalways tax 2"));
        let answer = last(&club.post(), "Minoa");
        let table = club.table("demo");
        let minoa = civ(&table, "Minoa");
        assert!(table.owing().contains(&minoa), "{word} did nothing");
        assert!(!table.sheet(minoa).is_settled(Phase::Movement));
        assert!(flat(&answer).contains("has been ruled since"), "{}", answer.text);
        assert!(answer.text.contains("YOUR FORM"), "the present form is sent:\n{}", answer.text);
        assert!(!table.sheet(minoa).standing().is_empty(), "the other lines are read as newly written");
        // The answer carries the present form, so `ok` to it counts.
        if word == "wait" {
            club.reply(&answer, "ok");
            club.post();
            let table = club.table("demo");
            assert!(!table.owing().contains(&minoa));
        }
    }
    assert!(!mails.is_empty());
}

#[test]
fn a_second_ok_to_the_invitation_ends_no_movement() {
    let mut club = Club::new();
    club.desk.create(&game("demo", &PEOPLE), [7; 32], club.now).expect("the game is created");
    let invitations = club.post();
    for invitation in &invitations {
        club.reply(invitation, "ok");
        club.reply(invitation, "OK!");
    }
    club.post();
    let table = club.table("demo");
    assert_eq!((table.game.status, table.owing().len()), (Status::Running, 2));
}

#[test]
fn a_trial_stores_nothing() {
    let (mut club, mails) = club();
    let before = club.table("demo");
    club.reply(
        &last(&mails, "Minoa"),
        "try\nalways tax 2\ntell Hellas: hello\nextend 24h\naway until 20 January\ndone",
    );
    let answers = club.post();
    assert_eq!(answers.len(), 1, "nobody else is answered");
    assert!(flat(&answers[0]).contains("Only a trial"), "{}", answers[0].text);
    let after = club.table("demo");
    let minoa = civ(&after, "Minoa");
    assert_eq!(after.sheet(minoa), before.sheet(minoa));
    assert_eq!(after.game.hours.cut_off, before.game.hours.cut_off);
    assert!(after.absences.is_empty());
    assert!(after.owing().contains(&minoa));
}

#[test]
fn what_was_left_out_of_a_letter_is_told() {
    let (mut club, mails) = club();
    let letter = last(&mails, "Minoa");
    let text =
        "always tax 2\n\n-- \nMinos of Knossos\n\nOn Monday Cursus wrote:\n> done\n> move 1 from Knossos to Phaestos\n";
    club.send(&address("Minoa"), &letter.reply_to, "Re: orders", text);
    let answer = last(&club.post(), "Minoa");
    let table = club.table("demo");
    let minoa = civ(&table, "Minoa");
    assert!(table.sheet(minoa).part(Phase::Movement).is_empty(), "a quoted line is never an order");
    assert!(flat(&answer).contains("quoted from another letter"), "{}", answer.text);
}

#[test]
fn lines_without_done_are_kept_and_played_at_the_cut_off() {
    let (mut club, mails) = club();
    let (from, into) = neighbours(&mut club, "Minoa");
    club.reply(&last(&mails, "Minoa"), &format!("move 1 from {from} to {into}"));
    let answer = last(&club.post(), "Minoa");
    assert!(flat(&answer).contains("`done`, once nothing is to change"), "only `done` is wanting:\n{}", answer.text);
    let table = club.table("demo");
    assert!(table.owing().contains(&civ(&table, "Minoa")), "the player counts as missing");
    club.wait(Duration::days(3) + Duration::hours(12));
    let reports = club.fetch();
    let table = club.table("demo");
    assert_eq!(table.phase(), TurnPhase::new(2, Phase::Movement));
    let rulings = club.desk.archive.rulings(&"demo".into()).expect("the archive answers");
    assert!(rulings.iter().any(|ruling| ruling.phase == Phase::Movement && ruling.reason == "cut-off"));
    let lexicon = &table.edition.lexicon;
    let there = lexicon.areas.exact(&into).expect("an area");
    let minoa = Owner::Civ(civ(&table, "Minoa"));
    assert!(table.state.tokens(there, minoa) > 0, "the token has moved:\n{}", last(&reports, "Minoa").text);
}

/// An area of a player and a land neighbour that holds none of theirs.
fn neighbours(club: &mut Club, name: &str) -> (String, String) {
    let table = club.table("demo");
    let owner = Owner::Civ(civ(&table, name));
    let map = &table.state.printed().map;
    let name = |area| map.area(area).name.clone();
    let pairs = table
        .state
        .areas_of(owner)
        .flat_map(|from| map.area(from).land.iter().map(move |into| (from, *into)).collect::<Vec<_>>());
    let mut free = pairs.filter(|(_, into)| {
        table.state.tokens(*into, owner) == 0 && !table.state.ground(*into).out_of_play && map.area(*into).limit > 0
    });
    let (from, into) = free.next().expect("there is a neighbour");
    (name(from), name(into))
}

#[test]
fn who_waits_in_movement_is_asked_when_those_ahead_have_ended() {
    let (mut club, mails) = club();
    // Both have the same census at first; the one with the lower rank moves later. Whoever waits, is asked alone.
    let (from, into) = neighbours(&mut club, "Hellas");
    club.reply(&last(&mails, "Hellas"), "wait");
    club.reply(&last(&mails, "Minoa"), "done");
    club.now += Duration::hours(1);
    let mails = club.post();
    let table = club.table("demo");
    let hellas = civ(&table, "Hellas");
    assert_eq!(table.phase(), TurnPhase::new(1, Phase::Movement), "the phase stays open");
    assert_eq!(table.state.progress().asked, Some(hellas));
    assert_eq!(table.owing(), [hellas]);
    let (opened, cut_off) = (table.game.hours.opened.expect("open"), table.game.hours.cut_off.expect("a cut-off"));
    assert_eq!(cut_off, table.agreed.schedule.cut_off(opened, cursus::desk::clock::schedule::Mailing::Turn));
    let asked = last(&mails, "Hellas");
    assert!(asked.text.contains("YOUR FORM"), "{}", asked.text);
    assert!(!to(&mails, "Minoa").is_empty(), "what those ahead did is published");
    club.reply(&asked, &format!("move 1 from {from} to {into}\ndone"));
    club.post();
    let table = club.table("demo");
    assert_eq!(table.phase(), TurnPhase::new(2, Phase::Movement));
    let there = table.edition.lexicon.areas.exact(&into).expect("an area");
    assert!(table.state.tokens(there, Owner::Civ(hellas)) > 0);
}

#[test]
fn sheets_behind_one_who_waits_stay_sealed() {
    let mut club = Club::new();
    let mails = club.begin(&game("demo", &ALL));
    let paths: Vec<_> = ALL.into_iter().map(|name| neighbours(&mut club, name)).collect();
    let table = club.table("demo");
    // All have the same census, so the A.S.T.-ranking decides: the third waits.
    let sequence: Vec<_> = table.state.ranking().collect();
    let name_of = |index: usize| ALL.into_iter().find(|name| civ(&table, name) == sequence[index]).expect("a name");
    let order = |name: &str| {
        let (from, into) = &paths[ALL.iter().position(|other| *other == name).expect("a player")];
        format!("move 1 from {from} to {into}")
    };
    for index in [0, 1, 4] {
        club.reply(&last(&mails, name_of(index)), &format!("{}\ndone", order(name_of(index))));
    }
    club.reply(&last(&mails, name_of(2)), "wait");
    club.reply(&last(&mails, name_of(3)), &order(name_of(3)));
    club.post();
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    club.now = cut_off + Duration::minutes(30);
    let news = club.post();
    let has_moved = |club: &mut Club, index: usize| {
        let table = club.table("demo");
        let (_, into) = &paths[ALL.iter().position(|other| *other == name_of(index)).expect("a player")];
        let area = table.edition.lexicon.areas.exact(into).expect("an area");
        table.state.tokens(area, Owner::Civ(sequence[index])) > 0
    };
    let table = club.table("demo");
    assert_eq!((table.phase(), table.state.progress().asked), (TurnPhase::new(1, Phase::Movement), Some(sequence[2])));
    let moved: Vec<bool> = (0..5).map(|index| has_moved(&mut club, index)).collect();
    assert_eq!(moved, [true, true, false, false, false], "everybody ahead is played");
    let (_, secret) = &paths[ALL.iter().position(|other| *other == name_of(4)).expect("a player")];
    let report = flat(&last(&news, name_of(0)));
    assert!(!report.contains(secret.as_str()), "what is sealed is not told: {secret}\n{report}");
    // Who has not said `done` may still change their mind; who has, may not.
    club.reply(&last(&news, name_of(3)), "undo 1");
    club.reply(&last(&news, name_of(4)), "undo 1");
    club.post();
    club.reply(&last(&news, name_of(2)), &format!("{}\ndone", order(name_of(2))));
    club.post();
    assert_eq!(club.table("demo").phase(), TurnPhase::new(2, Phase::Movement));
    let moved: Vec<bool> = (0..5).map(|index| has_moved(&mut club, index)).collect();
    assert_eq!(moved, [true, true, true, false, true]);
}

#[test]
fn who_waits_and_stays_silent_is_played_at_his_own_cut_off() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Hellas"), "wait");
    club.reply(&last(&mails, "Minoa"), "ok");
    club.post();
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    club.now = cut_off + Duration::minutes(29);
    club.round();
    assert_eq!(club.table("demo").phase(), TurnPhase::new(1, Phase::Movement), "the grace has not passed");
    club.wait(Duration::minutes(1));
    assert_eq!(club.table("demo").phase(), TurnPhase::new(2, Phase::Movement));
}

#[test]
fn who_waits_in_a_later_phase_is_asked_there() {
    let (mut club, mails) = club();
    let mails = play_to(&mut club, mails, Phase::Calamities, |_| true);
    let owing = awaited(&mut club);
    let who = owing[0];
    let was = club.table("demo").phase();
    for name in &owing {
        club.reply(&last(&mails, name), if *name == who { "wait" } else { "ok" });
    }
    let news = club.post();
    let table = club.table("demo");
    // Either their turn came and they are asked, or nothing in the phase was theirs to decide.
    match table.state.progress().asked {
        Some(asked) => {
            assert_eq!(asked, civ(&table, who));
            club.answer_all(&news, &[who], "ok");
            assert_ne!(club.table("demo").phase(), was);
        }
        None => assert_ne!(table.phase(), was),
    }
}

pub const ALL: [&str; 5] = ["Minoa", "Assyria", "Hatti", "Hellas", "Egypt"];

/// A trade between people: two of them with three commodities at least.
pub fn trade() -> (Club, Vec<Mail>, Vec<&'static str>) {
    trade_in(false)
}

/// The same between people who read HTML, or text.
pub fn trade_in(html: bool) -> (Club, Vec<Mail>, Vec<&'static str>) {
    let mut club = Club::new();
    let mut file = game("demo", &ALL);
    for seat in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut seat.sitter
            && html
        {
            player.format = Format::Html;
        }
    }
    let mut mails = club.begin(&file);
    let able = to_trade(&mut club, &mut mails, 0);
    (club, mails, able)
}

/// Plays on to such a trade in a later turn than this.
pub fn to_trade(club: &mut Club, mails: &mut Vec<Mail>, after: u16) -> Vec<&'static str> {
    for _ in 0..200 {
        let table = club.table("demo");
        let owing: Vec<_> = ALL.into_iter().filter(|name| table.owing().contains(&civ(&table, name))).collect();
        let able: Vec<_> = owing.iter().copied().filter(|name| commodities(club, name).len() >= 3).collect();
        if table.state.phase() == Phase::Trade && table.state.turn() > after && able.len() >= 2 {
            return able;
        }
        for name in owing {
            let text = club.play("demo", name);
            club.reply(&last(mails, name), &text);
        }
        let news = club.post();
        mails.retain(|mail| !news.iter().any(|new| new.to == mail.to));
        mails.extend(news);
    }
    panic!("no trade came");
}

/// Who got letters, by their addresses, without repetition.
pub fn readers(mails: &[Mail]) -> Vec<String> {
    let mut readers: Vec<String> = mails.iter().map(|mail| mail.to.clone()).collect();
    readers.sort();
    readers.dedup();
    readers
}

#[test]
fn trade_is_ruled_letter_by_letter() {
    let (mut club, mails, able) = trade();
    let (one, other) = (able[0], able[1]);
    let given = commodities(&mut club, one)[..3].to_vec();
    let wanted = commodities(&mut club, other)[..3].to_vec();
    let offer = |to: &str| format!("offer to {to}: {} for {}, {}, any", given.join(", "), wanted[0], wanted[1]);
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    // A private offer is told to whom it is for, and to nobody else.
    club.reply(&last(&mails, one), &offer(other));
    let news = club.post();
    assert_eq!(readers(&news), sorted(vec![address(one), address(other)]));
    let answer = flat(&last(&news, one));
    assert!(answer.contains("AT ONCE"), "the writer is told what came of it:\n{answer}");
    let board = last(&news, other);
    // They decline, and only the other is told.
    club.reply(&board, "decline 1");
    let news = club.post();
    assert_eq!(readers(&news), sorted(vec![address(one), address(other)]));
    assert!(flat(&last(&news, one)).to_lowercase().contains("declin"), "{}", last(&news, one).text);
    // An offer to all goes to everybody who can still answer, with the next board.
    club.reply(&last(&mails, one), &offer("all"));
    assert_eq!(readers(&club.post()), [address(one)]);
    club.wait(Duration::hours(6));
    let news = club.post();
    assert!(able.iter().filter(|name| **name != one).all(|name| readers(&news).contains(&address(name))));
    // What does not fit is refused to its sender alone.
    club.reply(&last(&news, other), &format!("accept 2 with {}", wanted[0]));
    let refused = club.post();
    assert_eq!(readers(&refused), [address(other)]);
    assert!(club.table("demo").state.progress().offers.iter().any(|offer| offer.open));
    // The swap happens at once.
    club.reply(&last(&news, other), &format!("accept 2 with {}", wanted.join(", ")));
    let news = club.post();
    assert!(readers(&news).contains(&address(one)) && readers(&news).contains(&address(other)));
    let mut left = commodities(&mut club, one);
    for name in &wanted {
        let place = left.iter().position(|held| held == name).expect("the cards have changed hands");
        left.remove(place);
    }
    // Each letter was a step of its own, and nothing of it is taken back by `undo`.
    club.reply(&last(&news, one), "undo last\nclear");
    club.post();
    assert!(wanted.iter().all(|name| commodities(&mut club, one).contains(name)));
    // What is open at the cut-off lapses.
    if commodities(&mut club, one).len() >= 3 {
        let more = commodities(&mut club, one)[..3].join(", ");
        club.reply(&last(&news, one), &format!("offer to all: {more} for salt, salt, any"));
        club.post();
    }
    let was = club.table("demo").phase();
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    club.now = cut_off + Duration::minutes(30);
    club.round();
    assert_ne!(club.table("demo").phase(), was);
    assert!(club.table("demo").state.progress().offers.is_empty());
}

#[test]
fn trade_ends_when_all_are_done() {
    let (mut club, mails, _) = trade();
    let table = club.table("demo");
    let owing: Vec<_> = ALL.into_iter().filter(|name| table.owing().contains(&civ(&table, name))).collect();
    for (number, name) in owing.iter().enumerate() {
        assert_eq!(club.table("demo").phase(), table.phase(), "{number} of {} are done", owing.len());
        club.reply(&last(&mails, name), "done");
        club.post();
    }
    assert_ne!(club.table("demo").phase(), table.phase());
}

#[test]
fn there_is_no_trade_in_a_pause() {
    let (mut club, mails, able) = trade();
    let turn = club.table("demo").phase().turn;
    cursus::desk::Desk::hand_in(&club.desk.archive, &"demo".into(), &format!("pause for {turn}.trade"), club.now)
        .expect("in");
    club.post();
    let given = commodities(&mut club, able[0])[..3].join(", ");
    club.reply(&last(&mails, able[0]), &format!("offer to all: {given} for salt, salt, any\ndone"));
    let news = club.post();
    assert_eq!(readers(&news), [address(able[0])]);
    assert!(
        flat(&news[0]).contains("the game is paused") || flat(&news[0]).contains("The game is paused"),
        "{}",
        news[0].text
    );
    assert!(club.table("demo").state.progress().offers.is_empty());
}

/// The commodities in a player's hand, by their names.
pub fn commodities(club: &mut Club, name: &str) -> Vec<String> {
    let table = club.table("demo");
    let printed = &table.edition.printed;
    let hand = &table.state.holding(civ(&table, name)).hand;
    let names = hand.iter().filter_map(|card| match card.face {
        Face::Commodity(commodity) => Some(printed.commodities[usize::from(commodity.0)].name.clone()),
        Face::Water | Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => None,
    });
    names.collect()
}

#[test]
fn an_offer_that_is_written_ahead_is_made_when_the_trade_begins() {
    let (mut club, mails) = club();
    let mails = play_to(&mut club, mails, Phase::Trade, |_| true);
    // From now on everything is left as it is, so that the cards stay in the hands.
    let mut mails = mails;
    for _ in 0..40 {
        let who = PEOPLE.into_iter().find(|name| commodities(&mut club, name).len() >= 3);
        let table = club.table("demo");
        if let (Some(who), Phase::Movement) = (who, table.state.phase()) {
            let offered = commodities(&mut club, who)[..3].join(", ");
            club.reply(&last(&mails, who), &format!("offer to all: {offered} for salt, salt, any"));
            let mut letters = club.post();
            for name in awaited(&mut club) {
                let letter = letters.iter().rfind(|mail| mail.to == address(name)).cloned();
                club.reply(&letter.unwrap_or_else(|| last(&mails, name)), "ok");
            }
            letters = club.post();
            let table = club.table("demo");
            let rulings = club.desk.archive.events(&"demo".into(), 1).expect("the archive answers");
            let made = rulings.iter().rev().any(|event| match event {
                Event::OfferMade { from, .. } => *from == civ(&table, who),
                _ => false,
            });
            let refused = letters.iter().any(|mail| mail.to == address(who) && mail.text.contains("offer"));
            assert!(made || refused, "it is made, or its writer is told why not");
            return;
        }
        mails = match table.state.phase() {
            Phase::Movement => play_on(&mut club, mails),
            _ => {
                let owing = awaited(&mut club);
                let news = club.answer_all(&mails, &owing, "ok");
                let old = mails.into_iter().filter(|mail| !news.iter().any(|new| new.to == mail.to));
                old.collect::<Vec<_>>().into_iter().chain(news).collect()
            }
        };
    }
    panic!("nobody had three cards");
}

#[test]
fn press_reaches_whom_it_is_for_and_names_no_address() {
    let (mut club, mails) = club();
    club.reply(
        &last(&mails, "Minoa"),
        "tell Hellas: shall we?\n\ntell all: hello everybody\n\ntell moderator: a question",
    );
    let news = club.post();
    let hellas: Vec<String> = to(&news, "Hellas").into_iter().map(flat).collect();
    assert_eq!(hellas.len(), 2);
    assert!(hellas.iter().any(|text| text.contains("shall we?")) && hellas.iter().any(|text| text.contains("hello")));
    let moderator = to(&news, "Moderator");
    assert_eq!(moderator.len(), 1);
    assert!(flat(moderator[0]).contains("a question"));
    let own = to(&news, "Minoa");
    assert_eq!(own.len(), 1, "nobody writes to themselves");
    assert!(flat(own[0]).contains("shall we?"), "the acknowledgement repeats what was sent");
    for mail in news.iter().filter(|mail| mail.to != address("Minoa")) {
        let raw = String::from_utf8_lossy(&mail.raw).to_lowercase();
        assert!(!raw.contains(&address("Minoa")), "{raw}");
    }
    club.reply(&last(&mails, "Minoa"), "tell Minoa: note to myself");
    assert_eq!(club.post().len(), 1, "only the acknowledgement");
}

#[test]
fn press_may_be_switched_off_but_the_moderator_is_always_reached() {
    let mut club = Club::new();
    let mut file = game("demo", &PEOPLE);
    file.press = false;
    let mails = club.begin(&file);
    club.reply(&last(&mails, "Minoa"), "tell Hellas: psst\n\ntell moderator: may I?");
    let news = club.post();
    assert!(to(&news, "Hellas").is_empty());
    assert_eq!(to(&news, "Moderator").len(), 1);
    let answer = flat(&last(&news, "Minoa"));
    assert!(answer.contains("no press"), "{answer}");
    assert!(answer.contains("SENT To the moderator: may I?"), "{answer}");
}

#[test]
fn a_question_beside_the_history_is_answered_too() {
    let (mut club, mails) = club();
    let mails = club.answer_all(&mails, &PEOPLE, "ok");
    club.reply(&last(&mails, "Minoa"), "history 1\nhelp sail");
    let answer = last(&club.post(), "Minoa");
    assert_eq!(answer.text.matches("ANSWER").count(), 2, "{}", answer.text);
    assert!(flat(&answer).contains("sail from"), "{}", answer.text);
}

#[test]
fn whoever_asks_for_his_hand_or_a_digest_alone_gets_nothing_else() {
    let (mut club, mails) = club();
    let mails = club.answer_all(&mails, &PEOPLE, "ok");
    let asked = last(&mails, "Minoa");
    club.reply(&asked, "hand");
    let hand = last(&club.post(), "Minoa");
    assert!(hand.subject.ends_with("your hand") && hand.text.contains("You may keep"), "{}", hand.text);
    assert!(!hand.text.contains("YOUR SHEET") && !hand.text.contains("IF NOBODY"), "{}", hand.text);
    club.reply(&asked, "digest 1");
    let digest = last(&club.post(), "Minoa");
    assert!(digest.subject.ends_with("turn 1 in short") && digest.text.contains("IN NUMBERS"), "{}", digest.text);
    club.reply(&asked, "digest 1\nhand");
    let both = last(&club.post(), "Minoa");
    assert_eq!(both.text.matches("ANSWER").count(), 2, "{}", both.text);
    club.reply(&asked, "digest 99");
    let none = last(&club.post(), "Minoa");
    assert!(flat(&none).contains("Nothing is recorded"), "{}", none.text);
}

#[test]
fn a_letter_after_the_end_or_in_a_pause_harms_nobody() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Moderator"), "pause for 1.movement");
    club.post();
    assert_eq!(club.table("demo").game.status, Status::Paused);
    club.reply(&last(&mails, "Minoa"), "ok");
    let answer = last(&club.post(), "Minoa");
    assert!(!answer.text.contains("Cut-off"), "a paused game has none:\n{}", answer.text);
    club.wait(Duration::days(30));
    assert_eq!(club.table("demo").phase(), TurnPhase::new(1, Phase::Movement), "nothing is ruled in a pause");
    assert!(club.fetch().is_empty(), "nobody is reminded either");
}

#[test]
fn a_seat_sends_so_many_messages_a_day_and_no_more() {
    let (mut club, mails) = club();
    let letter = "tell Hellas: hello\n\n".repeat(20);
    let mut passed = 0;
    for _ in 0..4 {
        club.reply(&last(&mails, "Minoa"), &format!("{letter}tell moderator: still there?"));
        let news = club.post();
        passed += to(&news, "Hellas").len();
        let answer = flat(&last(&news, "Minoa"));
        assert_eq!(answer.contains("60 messages a day"), passed == 60 && to(&news, "Hellas").is_empty(), "{answer}");
    }
    assert_eq!(passed, 60);
    club.wait(Duration::hours(25));
    club.reply(&last(&mails, "Minoa"), "tell Hellas: a new day");
    let news = club.post();
    assert!(to(&news, "Hellas").into_iter().any(|mail| flat(mail).contains("a new day")));
}

#[test]
fn a_message_with_an_unread_order_in_it_waits_for_a_word() {
    let (mut club, mails) = club();
    club.reply(&last(&mails, "Minoa"), "tell Hellas: peace?\nKeep your word, and I keep mine.");
    let news = club.post();
    assert!(to(&news, "Hellas").is_empty(), "nothing leaves");
    assert!(flat(&last(&news, "Minoa")).contains("NOT SENT YET"));
    club.reply(&last(&mails, "Minoa"), "send");
    let news = club.post();
    let hellas = to(&news, "Hellas");
    assert_eq!(hellas.len(), 1);
    assert!(flat(hellas[0]).contains("peace? Keep your word"), "{}", flat(hellas[0]));
    assert!(flat(&last(&news, "Minoa")).contains("SENT To Hellas"));
}

#[test]
fn somebody_is_written_to_by_his_own_name() {
    let mut club = Club::new();
    let mut file = game("demo", &PEOPLE);
    for seat in &mut file.seats {
        if let Sitter::Player { player, .. } = &mut seat.sitter
            && player.name == "Hellas"
        {
            player.name = "Alice Smith".to_owned();
        }
    }
    let mails = club.begin(&file);
    for (count, name) in [(1, "Alice"), (1, "alice smith"), (0, "Bob")] {
        club.reply(&last(&mails, "Minoa"), &format!("tell {name}: it is you I mean"));
        assert_eq!(to(&club.post(), "Hellas").len(), count, "{name}");
    }
}
