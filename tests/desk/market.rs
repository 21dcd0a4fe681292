//! The boards of the trade: one in the time that its reader has asked for, what is addressed to that reader at once, nothing twice.

use chrono::Duration;
use cursus::desk::Desk;
use cursus::game::Phase;
use cursus::post::writing::PageForm;

use super::answers::{commodities, readers, to_trade, trade, trade_in};
use super::club::{Club, Mail, address, civ, flat, last, seat as seat_of, to};

/// Three cards of somebody, by name.
fn three(club: &mut Club, name: &str) -> String {
    commodities(club, name)[..3].join(", ")
}

fn boards(mails: &[Mail], name: &str) -> usize {
    to(mails, name).iter().filter(|mail| mail.subject.contains("news of the trade")).count()
}

#[test]
fn a_board_leaves_once_in_six_hours_also_after_a_restart_and_never_twice() {
    let (mut club, mails, able) = trade();
    let (one, other) = (able[0], able[1]);
    let given = three(&mut club, one);
    for _ in 0..3 {
        club.reply(&last(&mails, one), &format!("offer to all: {given} for any, any, any"));
        assert_eq!(boards(&club.post(), other), 0);
    }
    // What waits stands in the archive, and the clock finds it there.
    club.reopen();
    assert_eq!(boards(&club.post(), other), 0);
    club.wait(Duration::hours(6));
    let news = club.fetch();
    assert_eq!(boards(&news, other), 1, "three offers, one board");
    assert_eq!(boards(&news, one), 0, "of their own offers nobody needs news");
    let board = flat(&last(&news, other));
    let accept = format!("accept 1 with {}", commodities(&mut club, other)[0]);
    assert!(board.contains("NEW ON THE BOARD") && board.contains(&accept[..14]), "{board}");
    club.reopen();
    club.wait(Duration::hours(12));
    assert_eq!(boards(&club.fetch(), other), 0, "nothing is new");
}

#[test]
fn the_next_board_tells_what_is_new_and_what_is_gone() {
    let (mut club, mails, able) = trade();
    let (one, other) = (able[0], able[1]);
    let given = three(&mut club, one);
    club.reply(
        &last(&mails, one),
        &format!("offer to all: {given} for any, any, any\noffer to all: {given} for salt, salt, any"),
    );
    club.post();
    club.wait(Duration::hours(6));
    club.fetch();
    club.reply(&last(&mails, one), &format!("withdraw 1\noffer to all: {given} for salt, any, any\nwithdraw 3"));
    club.post();
    club.wait(Duration::hours(6));
    let board = flat(&last(&club.fetch(), other));
    // The third was never shown, so nobody hears that it is gone.
    assert!(board.contains("No longer open: 1.") && !board.contains("Offer 3"), "{board}");
    assert!(board.contains("OTHER OPEN OFFERS") || board.contains("ALSO ACCEPT"), "{board}");
}

#[test]
fn everybody_has_a_pace_of_his_own() {
    let (mut club, mails, able) = trade();
    let (one, other) = (able[0], able[1]);
    club.reply(&last(&mails, other), "news each\nstatus");
    let answer = flat(&last(&club.post(), other));
    assert!(answer.contains("each at once"), "{answer}");
    let given = three(&mut club, one);
    club.reply(&last(&mails, one), &format!("offer to all: {given} for any, any, any"));
    assert_eq!(boards(&club.post(), other), 1);
    club.reply(&last(&mails, other), "news 3h");
    club.post();
    club.reply(&last(&mails, one), &format!("offer to all: {given} for salt, any, any"));
    assert_eq!(boards(&club.post(), other), 0);
    club.wait(Duration::hours(3));
    assert_eq!(boards(&club.fetch(), other), 1);
    assert_eq!(
        club.table("demo")
            .seat(cursus::archive::Party::Seat(civ(&club.table("demo"), other)))
            .and_then(|seat| seat.news),
        Some(3)
    );
}

#[test]
fn a_last_board_leaves_in_time_before_the_cut_off() {
    let (mut club, mails, able) = trade();
    let (one, other) = (able[0], able[1]);
    club.reply(&last(&mails, other), "news 168h");
    club.post();
    let given = three(&mut club, one);
    club.reply(&last(&mails, one), &format!("offer to all: {given} for any, any, any"));
    club.post();
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    club.now = cut_off - Duration::hours(4);
    club.round();
    assert_eq!(boards(&club.fetch(), other), 0);
    club.now = cut_off - Duration::hours(3);
    club.round();
    assert_eq!(boards(&club.fetch(), other), 1);
    assert_eq!(club.table("demo").state.phase(), Phase::Trade);
}

#[test]
fn what_is_addressed_comes_at_once_and_brings_the_rest_along() {
    let (mut club, mails, able) = trade();
    let (one, other) = (able[0], able[1]);
    let given = three(&mut club, one);
    club.reply(&last(&mails, one), &format!("offer to all: {given} for any, any, any"));
    club.post();
    club.reply(&last(&mails, one), &format!("offer to {other}: {given} for any, any, any"));
    let news = club.post();
    assert_eq!(boards(&news, other), 1);
    let board = flat(&last(&news, other));
    assert!(board.contains("Offer 1,") && board.contains("Offer 2,"), "{board}");
    club.wait(Duration::hours(6));
    assert_eq!(boards(&club.fetch(), other), 0, "both were told");
}

#[test]
fn a_refused_accept_brings_the_board() {
    let (mut club, mails, able) = trade();
    let (one, other) = (able[0], able[1]);
    let given = three(&mut club, one);
    club.reply(&last(&mails, one), &format!("offer to all: {given} for any, any, any"));
    club.post();
    let mine = three(&mut club, other);
    club.reply(&last(&mails, other), &format!("accept 7 with {mine}"));
    let answer = flat(&last(&club.post(), other));
    assert!(answer.contains("YOU CAN ACCEPT") && answer.contains("`accept 1 with"), "{answer}");
}

/// What an answer offers under its links.
fn lines_offered(club: &Club, mail: &Mail) -> Vec<String> {
    let id = mail.message_id.trim_matches(['<', '>']);
    let offered = club.desk.archive.offered(id).expect("the archive answers");
    offered.into_iter().filter(|offered| offered.secret.is_some()).map(|offered| offered.line).collect()
}

#[test]
fn a_board_has_links_for_what_can_be_answered() {
    let (mut club, mails, able) = trade_in(true);
    let (one, other) = (able[0], able[1]);
    let given = three(&mut club, one);
    club.reply(&last(&mails, one), &format!("offer to all: {given} for any, any, any"));
    club.post();
    let mine = three(&mut club, other);
    club.reply(&last(&mails, other), &format!("accept 7 with {mine}"));
    let refused = last(&club.post(), other);
    let links = lines_offered(&club, &refused);
    assert!(links.iter().any(|line| line.starts_with("accept 1 with")), "{links:?}");
    assert!(
        !links.iter().any(|line| line.starts_with("decline")),
        "nobody need decline what all are offered: {links:?}"
    );
    // What is made to the reader can be declined, also where the reader has not the cards.
    let others: Vec<String> = commodities(&mut club, other);
    let table = club.table("demo");
    let wanted = table.edition.printed.commodities.iter().map(|card| card.name.clone());
    let wanted = wanted.filter(|name| !others.contains(name)).take(2).collect::<Vec<_>>().join(", ");
    club.reply(&last(&mails, one), &format!("offer to {other}: {given} for {wanted}, any"));
    let board = last(&club.post(), other);
    let links = lines_offered(&club, &board);
    assert!(links.contains(&"decline 2".to_owned()), "{links:?}");
    assert!(!links.iter().any(|line| line.starts_with("accept 2")), "{links:?}");
}

#[test]
fn an_answer_to_an_offer_of_another_turn_takes_no_offer_of_this_one() {
    let (mut club, old, _) = trade();
    let before = club.table("demo").state.turn();
    let mut mails = old.clone();
    let able = to_trade(&mut club, &mut mails, before);
    let (one, other) = (able[0], able[1]);
    let given = three(&mut club, one);
    club.reply(
        &last(&mails, one),
        &format!("offer to all: {given} for any, any, any\noffer to all: {given} for any, any, any"),
    );
    club.post();
    let trades = |club: &mut Club| club.table("demo").state.progress().trades.len();
    let mine = three(&mut club, other);
    // By mail, in reply to a letter of the trade before: there was an offer with this number, too.
    club.reply(&last(&old, other), &format!("accept 1 with {mine}\ndecline 2"));
    let told = flat(&last(&club.post(), other));
    assert!(told.contains("answers an offer of another turn"), "{told}");
    assert_eq!(trades(&mut club), 0);
    // And on a page that was open since then.
    let turn = club.table("demo").state.turn();
    let page = |club: &mut Club, id: &str, turn: u16, lines: String| {
        let seen = Some(format!("0.{turn}.trade.0123"));
        let (game, seat) = ("demo".into(), other.to_lowercase());
        let form = PageForm { id: id.into(), game, seat, lines, seen, deputy: false, answers: None };
        Desk::hand_in_form(&club.desk.archive, &form, club.now).expect("it is handed in");
        club.post();
        let table = club.table("demo");
        let answer = club.desk.archive.page_answer(&"demo".into(), seat_of(&table, other), id);
        answer.expect("the archive answers").expect("an answer").words
    };
    let told = page(&mut club, "old", before, format!("accept 1 with {mine}"));
    assert!(told.contains("another turn"), "{told}");
    assert_eq!(trades(&mut club), 0);
    page(&mut club, "new", turn, format!("accept 1 with {mine}"));
    assert_eq!(trades(&mut club), 1, "what was seen now is taken");
}

#[test]
fn a_standing_answer_trades_at_once_and_both_are_told() {
    let (mut club, mails, able) = trade();
    let (one, other) = (able[0], able[1]);
    let (given, taken) = (three(&mut club, one), three(&mut club, other));
    let third_card = commodities(&mut club, one)[2].clone();
    let third = able.get(2).copied();
    club.reply(&last(&mails, other), &format!("always accept offers of {given} for {taken}"));
    assert_eq!(readers(&club.post()), [address(other)]);
    // Nobody learns from a trial, nor from a forecast, what somebody has filed.
    club.reply(&last(&mails, one), &format!("try\noffer to all: {given} for {taken} saying {third_card}"));
    let tried = flat(&last(&club.post(), one));
    assert!(!tried.contains("AT ONCE"), "{tried}");
    club.reply(&last(&mails, one), &format!("offer to all: {given} for {taken} saying {third_card}"));
    let news = club.post();
    let answer = flat(&last(&news, one));
    assert!(answer.contains("You give") && answer.contains(other), "{answer}");
    assert_eq!(boards(&news, other), 1);
    let board = flat(&last(&news, other));
    assert!(board.contains("Your line `") && board.contains("took offer"), "which line it was: {board}");
    assert!(!answer.contains("took offer"), "the offer is not a standing one: {answer}");
    assert_eq!(club.table("demo").state.progress().trades.len(), 1);
    // Everybody hears that they have traded, and how many cards; never which.
    if let Some(third) = third {
        assert_eq!(boards(&news, third), 0);
        club.wait(Duration::hours(6));
        let board = flat(&last(&club.fetch(), third));
        assert!(board.contains("cards for cards") && board.contains("3 for 3"), "{board}");
    }
    // What was traded is told when the trade is over, too.
    let cut_off = club.table("demo").game.hours.cut_off.expect("a cut-off");
    club.now = cut_off + Duration::minutes(30);
    club.round();
    let report = flat(&last(&club.fetch(), one));
    assert!(report.contains("Trade, cards for cards"), "{report}");
}

#[test]
fn a_wish_stands_on_the_board_where_there_is_press() {
    let (mut club, mails, able) = trade();
    let (one, other) = (able[0], able[1]);
    club.reply(&last(&mails, one), "want salt have 2 iron");
    assert_eq!(readers(&club.post()), [address(one)]);
    club.reply(&last(&mails, other), "want iron have salt");
    club.post();
    club.wait(Duration::hours(6));
    let board = flat(&last(&club.fetch(), other));
    assert!(board.contains("wants Salt and says it has 2 Iron") && board.contains("That meets your wish"), "{board}");
}

#[test]
fn a_flood_of_addressed_offers_is_two_letters() {
    let (mut club, mails, able) = trade();
    let (one, other) = (able[0], able[1]);
    let given = three(&mut club, one);
    let mut count = 0;
    for _ in 0..8 {
        club.reply(&last(&mails, one), &format!("offer to {other}: {given} for any, any, any"));
        count += boards(&club.post(), other);
        club.now += Duration::seconds(40);
    }
    assert_eq!(count, 1, "the first at once");
    club.reopen();
    club.wait(Duration::minutes(10));
    let news = club.fetch();
    assert_eq!(boards(&news, other), 1, "and the others together, a little later");
    let board = flat(&last(&news, other));
    assert!((2..=8).all(|number| board.contains(&format!("Offer {number},"))), "{board}");
    club.wait(Duration::hours(12));
    assert_eq!(boards(&club.fetch(), other), 0, "none is told again");
    // A trade of the reader's own is told, however close.
    let answer = |club: &mut Club, number: u16| {
        let mine = commodities(club, other)[..3].join(", ");
        format!("accept {number} with {mine}")
    };
    club.reply(&last(&mails, one), &format!("offer to {other}: {given} for any, any, any"));
    club.post();
    let line = answer(&mut club, 9);
    club.reply(&last(&mails, other), &line);
    assert_eq!(boards(&club.post(), one), 1, "its maker hears of it");
}

#[test]
fn the_form_says_what_done_leaves_unanswered() {
    let (mut club, mails, able) = trade();
    let (one, other) = (able[0], able[1]);
    let given = three(&mut club, one);
    assert!(flat(&last(&mails, other)).contains("`ok` costs nothing as things stand"), "{}", last(&mails, other).text);
    club.reply(&last(&mails, one), &format!("offer to {other}: {given} for any, any, any"));
    let board = flat(&last(&club.post(), other));
    assert!(board.contains("`ok` leaves the offer made to you (1) unanswered"), "{board}");
    // A deputy who comes in sees the same board.
    let open = club.table("demo").phase().to_string();
    club.reply(
        &last(&mails, "Moderator"),
        &format!("deputy {other} Rolf <rolf@player.example> Asia/Tokyo for {}", open),
    );
    club.post();
    club.reply(&last(&mails, other), "away until 30 January");
    let letter = last(&club.post(), "Rolf");
    assert!(flat(&letter).contains("`accept 1 with") && letter.text.contains("YOU CAN ACCEPT"), "{}", letter.text);
    assert!(letter.text.contains("JST"), "on the deputy's own clock: {}", letter.text);
}
