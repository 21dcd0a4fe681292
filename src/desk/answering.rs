//! A player's letter: read onto his sheet, answered, and where it works at once, ruled.

use minijinja::context;

use super::absence::{Absence, NoAbsence};
use super::addresses;
use super::posts::Replaced;
use super::schedule::NoExtension;
use super::sitting::{Envelope, Sitting};
use crate::archive::{self, Address, Answered, DispatchKind, LetterId, Party, Reason, Status};
use crate::game::{Command, Event, Known, Phase, Reader, State, Told, Witnessed, told};
use crate::orders::asking::{Question, Timing};
use crate::orders::sheet::Outcome;
use crate::orders::{
    Answer, Bearings, Lens, Line, Press, Reading, Recipient, Sheet, Written, commands, is_trial, read_reply,
};
use crate::post::letter::Letter;
use crate::report::acknowledgement::{Refused, Sent};
use crate::report::letters::{Audience, Content, Ignored};
use crate::report::{self, Acknowledgement};
use crate::rules::Civ;

/// A letter of a player who is proved.
pub struct Received<'a> {
    /// Its number.
    pub id: LetterId,
    /// Whose it is.
    pub civ: Civ,
    /// The letter, opened.
    pub letter: &'a Letter,
    /// The address it came from, which is answered.
    pub address: &'a Address,
    /// The letter of ours that it answers.
    pub answers: Option<&'a Answered>,
    /// Whether everybody can read it.
    pub public: bool,
    /// The letter whose place it takes.
    pub replaces: Option<&'a Replaced>,
    /// How many messages his seat has sent to others within a day.
    pub pressed: u32,
    /// What was true before a turn and what happened in it; none is the last.
    pub history: &'a dyn Fn(Option<u16>) -> Option<(State, Vec<Event>)>,
}

/// Reads a letter and answers it.
pub fn answer(sitting: &mut Sitting, received: &Received) {
    let Received { civ, letter, .. } = *received;
    if !sitting.table.state.is_seated(civ) || sitting.table.state.is_leaving(civ) {
        return no_longer_seated(sitting, received);
    }
    let open = sitting.table.phase();
    let is_outdated = |answers: &&Answered| answers.asks != Some(open) || answers.era != sitting.table.game.era;
    // Whatever was written before the game began, the invitation too, is older than its first phase.
    // The question about a parked letter carries no form; whatever answers it answers nothing else.
    let is_question = received.answers.is_some_and(|answers| answers.kind == DispatchKind::Parked);
    let outdated = received
        .answers
        .filter(is_outdated)
        .filter(|_| !is_question)
        .map(|answers| answers.asks.unwrap_or((1, Phase::Tax)));
    let mut before = sitting.table.sheet(civ);
    let players =
        sitting.table.seats.iter().filter_map(|seat| Some((seat.player.clone(), seat.party.civ()?))).collect();
    let reader = Reader::Player(civ);
    let known = Known::of(&sitting.table.state, reader);
    let bearings = Bearings::of(&known, civ).with_players(players);
    let lens = Lens { lexicon: &sitting.table.edition.lexicon, bearings: Some(&bearings) };
    let mut lines = read_reply(&letter.text, lens, before.doubts());
    if outdated.is_some() || is_question {
        lines.iter_mut().for_each(|line| leave_out(line, &ends_phase));
    }
    if let Some(replaced) = received.replaces {
        if let Some(letter) = replaced.letter {
            before.withdraw(letter.0 as u64, open.1);
        }
        lines.iter_mut().for_each(|line| leave_out(line, &|written| replaced.worked.contains(written)));
    }
    let held = hold_trade(sitting, civ, &mut lines);
    let arrival = received.id.0 as u64;
    let mut sheet = before.clone();
    let answers = sheet.add(&lines, open.1, arrival);
    let trial = is_trial(&lines);
    let edition = sitting.table.edition.clone();
    let templates = edition.templates(sitting.words(Party::Seat(civ)).language);
    let history = |turn| (received.history)(turn).map(|(before, events)| Witnessed::of(&before, &events, reader));
    let mut told = report::acknowledgement(
        templates,
        &report::Answered {
            known: &known,
            history: &history,
            civ,
            letter: &lines,
            answers: &answers,
            before: &before,
            sheet: &sheet,
            arrival,
            is_trial: trial,
        },
    );
    told.refused.extend(held);
    told.fit();
    let was = sitting.table.state.clone();
    let mut events = Vec::new();
    if !trial {
        sitting.table.sheets.insert(civ, sheet.clone());
        sitting.write_sheet(civ);
        post(sitting, received, &answers, &mut told);
        wishes(sitting, civ, &answers, &mut told);
        if open.1 == Phase::Trade {
            events = trade(sitting, civ, &sheet, arrival);
        }
    }
    speak_of_addresses(sitting, received, &answers, trial, &mut told);
    if is_question {
        told.wishes.push(sitting.say(Party::Seat(civ), "parked_waits", context! {}));
    }
    // Whoever no longer writes from an address is not answered there.
    let seat = sitting.table.seat(Party::Seat(civ));
    let is_known = seat.is_some_and(|seat| seat.addresses.contains(received.address));
    let address = seat.filter(|_| !is_known).and_then(|seat| seat.mailbox(archive::Role::Player)).cloned();
    let address = address.unwrap_or_else(|| received.address.clone());
    let ignored = left_out(letter);
    let own = events.clone();
    if open.1 == Phase::Trade && !trial && !own.is_empty() {
        // A built-in player may answer an offer at once.
        events.extend(super::companions::write(sitting));
        if sitting.table.phase() != open {
            events.extend(sitting.proceed(None));
        }
    }
    let has_moved_on = sitting.table.phase() != open;
    let past = asked_digest(&answers).filter(|_| outdated.is_none()).and_then(|turn| (received.history)(turn));
    let past = past.map(|(before, events)| Witnessed::of(&before, &events, reader));
    let seen = Witnessed::of(&was, &own, reader);
    let public = received.public;
    let acknowledged = Content::Acknowledgement { told: &told, ignored, outdated, seen: &seen, public };
    let envelope = Envelope {
        kind: DispatchKind::Acknowledgement,
        about: format!("letter-{}", received.id.0),
        in_reply_to: letter.message_id.as_deref(),
        to: Some(&address),
    };
    // Whoever asks for one thing alone gets nothing else.
    let asks_alone = lines.iter().flat_map(|line| &line.pieces).count() == 1;
    let content = match (&past, &answers[..]) {
        (Some(seen), _) if asks_alone => Content::Digest { seen },
        (_, [Answer { outcome: Outcome::Asked(Question::Hand), .. }]) if asks_alone && outdated.is_none() => {
            Content::Hand
        }
        _ => acknowledged,
    };
    sitting.write(Party::Seat(civ), envelope, &content);
    if has_moved_on {
        sitting.publish(&was, &events);
    } else {
        board(sitting, civ, &was, &own, &events);
    }
}

/// What of a letter was left out unread.
pub(super) fn left_out(letter: &Letter) -> Ignored {
    Ignored {
        quoted: letter.ignored.quoted,
        signature: letter.ignored.signature,
        other: letter.ignored.other,
        attachments: letter.attachments,
        forwarded: letter.forwarded,
    }
}

/// His civilization has left the game: he is told so, and nothing else.
fn no_longer_seated(sitting: &mut Sitting, received: &Received) {
    let party = Party::Seat(received.civ);
    let line = sitting.say(party, "no_longer_seated", context! {});
    let envelope = Envelope {
        kind: DispatchKind::Announcement,
        about: format!("letter-{}", received.id.0),
        in_reply_to: received.letter.message_id.as_deref(),
        to: Some(received.address),
    };
    sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
}

/// Leaves the pieces of a line that are of this kind unread.
fn leave_out(line: &mut Line, is_meant: &dyn Fn(&Written) -> bool) {
    for piece in &mut line.pieces {
        if matches!(&piece.reading, Reading::Written(written) if is_meant(written)) {
            piece.reading = Reading::Remark;
        }
    }
}

/// In an answer to an old letter the words that end a phase mean nothing any more.
fn ends_phase(written: &Written) -> bool {
    match written {
        Written::Ok => true,
        Written::Orders(orders) => orders.iter().all(|order| matches!(order, Command::Done | Command::Wait)),
        _ => false,
    }
}

/// Trade is ruled letter by letter, so there is none while the clock stands still. Says which lines were not taken up.
fn hold_trade(sitting: &Sitting, civ: Civ, lines: &mut [Line]) -> Vec<Refused> {
    if sitting.table.game.status != Status::Paused || sitting.table.state.phase() != Phase::Trade {
        return Vec::new();
    }
    let trades = |written: &Written| match written {
        Written::Orders(orders) => orders.iter().any(|order| order.phase() == Some(Phase::Trade)),
        _ => false,
    };
    let mut held = Vec::new();
    for line in lines.iter_mut() {
        let is_trade = |written: &Written| ends_phase(written) || trades(written);
        if line.pieces.iter().any(|piece| matches!(&piece.reading, Reading::Written(written) if is_trade(written))) {
            let why = sitting.say(Party::Seat(civ), "no_trade_in_pause", context! {});
            held.push(Refused { line: line.number, text: line.text.clone(), why, hint: None });
            leave_out(line, &is_trade);
        }
    }
    held
}

/// Answers `addresses` and does what `forget` asks for: only the desk knows addresses. In public nobody is told of them.
fn speak_of_addresses(
    sitting: &mut Sitting,
    received: &Received,
    answers: &[Answer],
    trial: bool,
    told: &mut Acknowledgement,
) {
    let party = Party::Seat(received.civ);
    // A deputy writes in the player's place, but does not decide who else may; and who only tries changes nothing.
    let may_speak = received.address.role == archive::Role::Player && !trial;
    for (number, answer) in answers.iter().enumerate() {
        let lines = match &answer.outcome {
            Outcome::Asked(Question::Addresses | Question::Forget(_)) if !may_speak => {
                vec![sitting.words(party).say("answer", "no_addresses", context! {})]
            }
            Outcome::Asked(Question::Addresses) => vec![addresses::list(sitting, party)],
            Outcome::Asked(Question::Forget(address)) => {
                let about = format!("letter-{}.{number}", received.id.0);
                vec![addresses::forget(sitting, party, address, Some(received.address), &about)]
            }
            _ => continue,
        };
        told.answers.push(lines);
    }
}

/// Rules the trade lines of one letter.
fn trade(sitting: &mut Sitting, civ: Civ, sheet: &Sheet, arrival: u64) -> Vec<Event> {
    let new: Vec<_> = sheet.part(Phase::Trade).iter().filter(|entry| entry.arrival == arrival).collect();
    if new.is_empty() {
        return Vec::new();
    }
    let mut filed = commands(&sitting.table.sheets, Phase::Trade, false);
    filed.filed.retain(|filed| filed.civ == civ && new.iter().any(|entry| entry.line == filed.line));
    sitting.rule(&filed, Reason::Letter)
}

/// Rules the trade lines that the moderator has written for a player, and tells everybody whom they concern.
pub(super) fn trade_at_once(sitting: &mut Sitting, civ: Civ, sheet: &Sheet, arrival: u64) {
    let (before, open) = (sitting.table.state.clone(), sitting.table.phase());
    let mut events = trade(sitting, civ, sheet, arrival);
    if events.is_empty() {
        return;
    }
    events.extend(super::companions::write(sitting));
    if sitting.table.phase() == open {
        board(sitting, civ, &before, &[], &events);
    } else {
        events.extend(sitting.proceed(None));
        sitting.publish(&before, &events);
    }
}

/// Tells the others what concerns them of the trade: who may still answer an offer, and whose cards changed hands.
fn board(sitting: &mut Sitting, writer: Civ, before: &State, own: &[Event], events: &[Event]) {
    let awaited = Phase::Trade.rules().awaits(&sitting.table.state);
    for civ in sitting.people() {
        // The writer has read of his own lines in the answer.
        let news = if civ == writer { &events[own.len()..] } else { events };
        let may_answer = awaited.iter().any(|awaited| awaited.civ == civ);
        let mut state = before.clone();
        let mut concerns = false;
        for event in events {
            let is_news = news.iter().any(|one| std::ptr::eq(one, event));
            concerns |= is_news && is_concerned(&state, event, civ, may_answer);
            state.apply(event);
        }
        if concerns {
            let seen = Witnessed::of(before, events, Reader::Player(civ));
            sitting.write_about_phase(Party::Seat(civ), DispatchKind::Board, &Content::Board { seen: &seen });
        }
    }
}

fn is_concerned(state: &State, event: &Event, civ: Civ, may_answer: bool) -> bool {
    let is_told = told(state, event, Reader::Player(civ)) != Told::Nothing;
    let of = |number: &u16| state.progress().offers.iter().find(|offer| offer.number == *number);
    match event {
        Event::OfferMade { from, to, .. } => is_told && *from != civ && (to.is_some() || may_answer),
        Event::TradeMade { from, to, .. } => [from, to].contains(&&civ),
        Event::OfferDeclined { number, .. } => is_told && of(number).is_some_and(|offer| offer.from == civ),
        Event::OfferWithdrawn { number } | Event::OfferVoided { number } => {
            is_told && of(number).is_some_and(|offer| offer.to == Some(civ))
        }
        _ => false,
    }
}

/// Passes press on, where the game allows it.
fn post(sitting: &mut Sitting, received: &Received, answers: &[Answer], told: &mut Acknowledgement) {
    let (from, id) = (received.civ, received.id);
    let sent: Vec<(usize, &Press)> = answers
        .iter()
        .flat_map(|answer| match &answer.outcome {
            Outcome::Sent(press) => press.iter().map(|press| (answer.line, press)).collect(),
            _ => Vec::new(),
        })
        .collect();
    let seated: Vec<Civ> = sitting.table.state.ranking().collect();
    let is_seated = |recipient: &Recipient| match recipient {
        Recipient::Civ(civ) => seated.contains(civ),
        Recipient::All | Recipient::Moderator => true,
    };
    let to_players = |press: &Press| press.to.iter().any(|recipient| *recipient != Recipient::Moderator);
    let closed = !sitting.table.agreed.press;
    if closed && sent.iter().any(|(_, press)| to_players(press)) {
        let why = sitting.say(Party::Seat(from), "no_press", context! {});
        for (line, press) in sent.iter().filter(|(_, press)| to_players(press)) {
            let text = press.text.lines().next().unwrap_or_default().to_owned();
            told.refused.push(Refused { line: *line, text, why: why.clone(), hint: None });
        }
        // What was written to somebody who does not play is refused already.
        let mut goes = sent.iter().filter(|(_, press)| press.to.iter().all(is_seated));
        told.sent.retain(|_| goes.next().is_some_and(|(_, press)| !to_players(press)));
    }
    let goes = |press: &Press| press.to.iter().all(is_seated) && !(closed && to_players(press));
    // The moderator is always reached; what goes to players has a bound for each day.
    let mut today = received.pressed;
    let (mut passed, mut late) = (0, Vec::new());
    for (count, (line, press)) in sent.into_iter().enumerate().filter(|(_, (_, press))| goes(press)) {
        if to_players(press) && today >= PRESS_PER_DAY {
            late.push((line, press));
            continue;
        }
        if to_players(press) {
            (today, passed) = (today + 1, passed + 1);
        }
        pass_on(sitting, from, format!("letter-{}.{count}", id.0), press);
    }
    if passed > 0 {
        sitting.deed.press.push((Party::Seat(from), sitting.now, passed));
    }
    if !late.is_empty() {
        let why = sitting.say(Party::Seat(from), "press_of_the_day", context! { most => PRESS_PER_DAY });
        for (line, press) in &late {
            let text = press.text.lines().next().unwrap_or_default().to_owned();
            told.refused.push(Refused { line: *line, text, why: why.clone(), hint: None });
        }
        // What was sent is told as sent: the last ones to players were not.
        for (_, press) in late.iter().rev() {
            let is_it = |sent: &Sent| press.text.lines().eq(sent.text.iter().map(String::as_str));
            if let Some(place) = told.sent.iter().rposition(is_it) {
                told.sent.remove(place);
            }
        }
    }
}

/// Messages to players that one seat may send in a day.
const PRESS_PER_DAY: u32 = 60;

fn pass_on(sitting: &mut Sitting, from: Civ, about: String, press: &Press) {
    let named: Vec<Civ> = press
        .to
        .iter()
        .filter_map(|recipient| match recipient {
            Recipient::Civ(civ) => Some(*civ),
            Recipient::All | Recipient::Moderator => None,
        })
        .collect();
    let to_all = press.to.contains(&Recipient::All);
    let to = match () {
        () if to_all => Audience::All,
        () if named.is_empty() => Audience::Moderator,
        () => Audience::Some(&named),
    };
    let people = sitting.people().into_iter();
    let readers = people.filter(|civ| *civ != from && (to_all || named.contains(civ))).map(Party::Seat);
    let moderator = press.to.contains(&Recipient::Moderator).then_some(Party::Moderator);
    let public = sitting.public().filter(|_| to_all);
    for party in readers.chain(moderator).chain(public).collect::<Vec<_>>() {
        let envelope = Envelope { kind: DispatchKind::Press, about: about.clone(), ..Envelope::default() };
        sitting.write(party, envelope, &Content::Press { from: Some(from), to, text: &press.text });
    }
}

/// Grants wishes about deadlines, or says why not.
fn wishes(sitting: &mut Sitting, civ: Civ, answers: &[Answer], told: &mut Acknowledgement) {
    let wished = answers.iter().filter_map(|answer| match answer.outcome {
        Outcome::Wished(timing) => Some(timing),
        _ => None,
    });
    let answers: Vec<String> =
        wished.collect::<Vec<_>>().into_iter().map(|timing| wish(sitting, civ, timing)).collect();
    if !answers.is_empty() {
        told.wishes = answers;
    }
}

fn wish(sitting: &mut Sitting, civ: Civ, timing: Timing) -> String {
    let party = Party::Seat(civ);
    match timing {
        Timing::Extend { hours } => extend(sitting, party, hours),
        Timing::Away { until } => {
            let zone = sitting.table.zone(party);
            match Absence::written(until, sitting.now, zone) {
                Ok(absence) => away(sitting, party, absence),
                Err(NoAbsence::NoSuchDay) => sitting.say(party, "no_such_day", context! {}),
                Err(NoAbsence::Past { day }) => sitting.say(party, "day_is_over", context! { day => day.to_string() }),
                Err(NoAbsence::TooFar) => sitting.say(party, "day_too_far", context! {}),
            }
        }
        Timing::Back => {
            let was_away = sitting.table.absences.iter().any(|absence| absence.party == party);
            sitting.table.absences.retain(|absence| absence.party != party);
            sitting.deed.back.push((party, sitting.now));
            sitting.say(party, if was_away { "back" } else { "was_not_away" }, context! {})
        }
    }
}

fn extend(sitting: &mut Sitting, party: Party, hours: u16) -> String {
    let used = sitting.table.seat(party).map_or(0, |seat| seat.extensions);
    let Some(cut_off) = sitting.table.game.hours.cut_off.filter(|_| sitting.table.is_running()) else {
        return sitting.say(party, "no_cut_off", context! {});
    };
    let schedule = &sitting.table.agreed.schedule;
    match schedule.extension(cut_off, hours, u8::try_from(used).unwrap_or(u8::MAX), sitting.now) {
        Ok(extension) => {
            sitting.table.game.hours.cut_off = Some(extension.cut_off);
            if let Some(seat) = sitting.table.seat_mut(party) {
                seat.extensions += 1;
                let seat = seat.clone();
                sitting.deed.seats.push(seat);
            }
            announce_cut_off(sitting, party, "extended");
            let cut_off = sitting.when(party, extension.cut_off);
            let left = u32::from(sitting.table.agreed.schedule.extensions).saturating_sub(used + 1);
            sitting.say(party, "extension", context! { hours => extension.hours, cut_off => cut_off, left => left })
        }
        Err(NoExtension::NotHere) => sitting.say(party, "no_extensions_here", context! {}),
        Err(NoExtension::AllUsed { allowed }) => sitting.say(party, "extensions_used", context! { allowed }),
        Err(NoExtension::TooLate) => sitting.say(party, "extension_too_late", context! {}),
        Err(NoExtension::NoHours) => sitting.say(party, "no_hours", context! {}),
    }
}

fn away(sitting: &mut Sitting, party: Party, absence: Absence) -> String {
    let stored = archive::Absence { party, since: absence.from, until: absence.until };
    sitting.table.absences.retain(|other| other.party != party);
    sitting.table.absences.push(stored.clone());
    sitting.deed.back.push((party, sitting.now));
    sitting.deed.absences.push(stored);
    if let Some(cut_off) = sitting.table.game.hours.cut_off.filter(|_| sitting.table.is_running()) {
        let later = sitting.behind_absences(cut_off);
        if later > cut_off {
            sitting.table.game.hours.cut_off = Some(later);
            announce_cut_off(sitting, party, "waits_for_absence");
        }
    }
    // The last day itself, not the midnight after it.
    let until = absence.until.map(|until| sitting.when(party, until - chrono::Duration::minutes(1)));
    let deputy = sitting.table.seat(party).is_some_and(|seat| seat.mailbox(archive::Role::Deputy).is_some());
    let waits = sitting.table.agreed.schedule.absences == super::schedule::Absences::Wait;
    sitting.say(party, "away", context! { until => until, deputy => deputy, waits => waits })
}

/// Tells everybody else that the cut-off has moved, and why.
fn announce_cut_off(sitting: &mut Sitting, because_of: Party, why: &'static str) {
    let Some(cut_off) = sitting.table.game.hours.cut_off else { return };
    let name = because_of.civ();
    for party in sitting.everybody().into_iter().filter(|party| *party != because_of) {
        let civ = name.map(|civ| sitting.civ(party, civ));
        let line = sitting.say(party, why, context! { civ => civ, cut_off => sitting.when(party, cut_off) });
        // A cut-off may come back to where it was; then this is another letter.
        let about = format!("cut-off-{}.{}", cut_off.timestamp(), sitting.cause);
        let envelope = Envelope { kind: DispatchKind::Absence, about, ..Envelope::default() };
        sitting.write(party, envelope, &Content::Absence { lines: &[line] });
    }
}

/// The turn whose digest is asked for.
fn asked_digest(answers: &[Answer]) -> Option<Option<u16>> {
    answers.iter().find_map(|answer| match answer.outcome {
        Outcome::Asked(Question::Digest(turn)) => Some(turn),
        _ => None,
    })
}
