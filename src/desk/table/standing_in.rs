//! Where a player does not come: the misses are counted, the moderator is shown who stands by, a built-in player keeps the seat,
//! and whoever takes it over, or comes back, has it again.
//!
//! Nobody is blamed: the player alone is told what was done in the player's place, and how to come back.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use minijinja::{Value, context};
use serde::{Deserialize, Serialize};

use super::commanding::Newcomer;
use super::moderating::Drawers;
use super::{boards, companions, creating, replacing, voting};
use crate::archive::{Archive, DispatchKind, GameRecord, LetterId, Party, PersonRecord, Record, Role, Status};
use crate::companions::Temperament;
use crate::desk::club::writing::{Note, Reader, dispatch, lines, placed};
use crate::desk::settings::written::Length;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError};
use crate::game::GameId;
use crate::report::Templates;
use crate::report::letters::Content;
use crate::rules::{Civ, Language};

/// What a group has agreed on for players who do not come: `[missing]` of the game's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MissingRules {
    /// After so many missed cut-offs in a row the moderator is shown who stands by; 0 is never.
    pub told: u8,
    /// Who keeps the seat by itself after `after` of them; none is nobody.
    pub companion: Option<Temperament>,
    pub after: u8,
    /// A game that waits for those who are missing waits for the same player so often at most; 0 is as long as it takes.
    pub waits: u8,
    /// How long somebody who is asked to take a seat over has to answer.
    pub answer: Length,
}

impl Default for MissingRules {
    fn default() -> MissingRules {
        MissingRules { told: 2, companion: None, after: 3, waits: 3, answer: Length::hours(2 * 24) }
    }
}

impl MissingRules {
    /// Of games that were created before there were any: they wait as was agreed then.
    pub(crate) fn of_old() -> MissingRules {
        MissingRules { waits: 0, ..MissingRules::default() }
    }
}

/// What is known of players who do not come.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Missing {
    /// How many cut-offs each has missed in a row.
    pub missed: BTreeMap<Civ, u8>,
    /// Since when a built-in player keeps a seat for its player.
    pub kept: BTreeMap<Civ, DateTime<Utc>>,
    /// Those who want to leave.
    pub leaving: BTreeMap<Civ, DateTime<Utc>>,
    /// Who was asked to take a seat over since it was last somebody's, the last behind the others.
    pub asked: Vec<Asked>,
    /// Since when a seat is somebody's who came, or came back, while the game was played.
    pub came: BTreeMap<Civ, DateTime<Utc>>,
    /// Until when a letter would have counted, of the last cut-off that each has missed.
    pub late: BTreeMap<Civ, DateTime<Utc>>,
}

/// Somebody who was asked to take a seat over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    pub civ: Civ,
    pub name: String,
    /// Where they were asked, and from where they answer.
    pub address: String,
    pub at: DateTime<Utc>,
    pub until: DateTime<Utc>,
    /// Whether they have said no, or not answered in time.
    pub over: bool,
    /// How they are written to. Of those who were asked by an earlier release nothing was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::desk) reader: Option<Reader>,
}

/// Reads what is known of a game's players who do not come.
pub(crate) fn stored(game: &GameRecord) -> Missing {
    serde_json::from_str(&game.club).unwrap_or_default()
}

/// When somebody's time to answer is over.
pub(in crate::desk) fn next(game: &GameRecord) -> Option<DateTime<Utc>> {
    stored(game).asked.iter().filter(|asked| !asked.over).map(|asked| asked.until).min()
}

/// Somebody who stands by, with what is known of how they play.
#[derive(Debug, Clone)]
pub(in crate::desk) struct Candidate {
    pub person: PersonRecord,
    pub record: Record,
}

/// A record in a few words, for whoever considers somebody.
pub(in crate::desk) fn shortly(words: &Templates, record: &Record) -> String {
    let Record { in_time, missed, took_over, finished, .. } = *record;
    words.say("club", "record_short", context! { in_time, missed, took_over, finished }).trim().to_owned()
}

/// So many of those who stand by are listed.
const MOST_LISTED: usize = 12;

/// Shows the moderator whom to ask, and how.
pub(super) fn show(sitting: &mut Sitting, civ: Civ, missed: u8, standing: &[Candidate]) {
    let me = Party::Moderator;
    let player = sitting.table.seat(Party::Seat(civ)).map(|seat| seat.player.clone()).unwrap_or_default();
    let kept = sitting.table.missing.kept.contains_key(&civ);
    let facts = context! { civ => sitting.civ(me, civ), player, missed, kept };
    let mut told = lines(&say(sitting, me, "missing_shown", facts));
    told.extend(list(sitting, standing));
    let about = format!("missing-{}.{}", civ.0, sitting.cause);
    let envelope = Envelope { kind: DispatchKind::Moderation, about, ..Envelope::default() };
    sitting.write(me, envelope, &Content::Moderation { lines: &told });
}

/// Those who stand by, a line each: names and since when, and nobody's address.
pub(super) fn list(sitting: &Sitting, standing: &[Candidate]) -> Vec<String> {
    let me = Party::Moderator;
    let shown = standing.iter().take(MOST_LISTED).enumerate().map(|(number, Candidate { person, record })| {
        let (name, record) = (person.habits.name.as_str(), shortly(sitting.words(me), record));
        say(sitting, me, "standing_by", context! { number => number + 1, name, record })
    });
    let shown: Vec<String> = shown.collect();
    if shown.is_empty() { vec![say(sitting, me, "nobody_stands_by", context! {})] } else { shown }
}

/// A built-in player keeps a seat for its player, or for whoever comes.
pub(super) fn keep(sitting: &mut Sitting, civ: Civ, temperament: Temperament, about: &str) {
    let party = Party::Seat(civ);
    let now = sitting.now;
    // The player is told first, as long as letters are still theirs.
    let envelope = Envelope { kind: DispatchKind::Absence, about: format!("{about}.kept"), ..Envelope::default() };
    sitting.tell(party, envelope, &|sitting| lines(&say(sitting, party, "kept_yours", facts(sitting, party, civ))));
    let Some(seat) = sitting.table.seat_mut(party) else { return };
    seat.companion = Some(temperament.name().to_owned());
    sitting.write_seat(party);
    sitting.table.missing.kept.insert(civ, now);
    voting::forget(sitting, civ);
    announce(sitting, about, "kept", civ);
    write_now(sitting, civ);
}

/// The built-in player answers what is open.
fn write_now(sitting: &mut Sitting, civ: Civ) {
    if !sitting.table.is_running() {
        return;
    }
    let (before, open) = (sitting.table.state.clone(), sitting.table.phase());
    let mut events = companions::write(sitting);
    if events.is_empty() {
        return;
    }
    if sitting.table.phase() == open {
        boards::tell(sitting, civ, &before, 0, &events);
    } else {
        events.extend(sitting.proceed(None));
        sitting.publish(&before, &events);
    }
}

/// Tells everybody but the one at the seat.
fn announce(sitting: &mut Sitting, about: &str, key: &str, civ: Civ) {
    for to in sitting.everybody().into_iter().filter(|to| *to != Party::Seat(civ)) {
        let about = format!("{about}.{key}");
        let envelope = Envelope { kind: DispatchKind::Announcement, about, ..Envelope::default() };
        sitting.tell(to, envelope, &|sitting| lines(&say(sitting, to, key, facts(sitting, to, civ))));
    }
}

/// A phrase of the club in somebody's language.
fn say(sitting: &Sitting, party: Party, key: &str, facts: Value) -> String {
    sitting.words(party).say("club", key, facts).trim().to_owned()
}

fn facts(sitting: &Sitting, to: Party, civ: Civ) -> Value {
    let seat = sitting.table.seat(Party::Seat(civ));
    let temperament = seat.and_then(|seat| seat.companion.clone());
    let temperament = temperament.map(|name| sitting.words(to).say("companion", &name, context! {}));
    context! { civ => sitting.civ(to, civ), player => seat.map(|seat| seat.player.clone()), temperament }
}

/// The moderator has a built-in player keep a seat.
///
/// # Errors
/// Why not, in words.
pub(super) fn keep_by_command(
    sitting: &mut Sitting,
    civ: Civ,
    temperament: Temperament,
    about: &str,
) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    let is_begun = matches!(sitting.table.game.status, Status::Running | Status::Paused);
    match sitting.table.seat(Party::Seat(civ)) {
        _ if !is_begun => return Err(sitting.say(me, "not_running", context! {})),
        Some(seat) if seat.companion.is_none() && sitting.table.state.is_seated(civ) => {}
        Some(_) => return Err(say(sitting, me, "kept_already", context! { civ => sitting.civ(me, civ) })),
        None => return Err(sitting.say(me, "no_seat", context! {})),
    }
    keep(sitting, civ, temperament, about);
    Ok(vec![say(sitting, me, "kept", facts(sitting, me, civ))])
}

/// The player of a seat that a built-in player keeps has written: the seat is the player's again.
pub(in crate::desk) fn hand_back(sitting: &mut Sitting, civ: Civ, drawers: &Drawers) -> Result<(), DeskError> {
    let party = Party::Seat(civ);
    let about = format!("returned.{}", sitting.cause);
    let Some(seat) = sitting.table.seat_mut(party) else { return Ok(()) };
    let former = seat.companion.take().unwrap_or_default();
    sitting.write_seat(party);
    forget(sitting, civ);
    announce(sitting, &about, "returned", civ);
    replacing::brief(sitting, civ, &former, &about, drawers)
}

/// What was counted of the one at a seat counts no longer: somebody is there. Whoever was asked to take it over is told, and may
/// be asked again when it is free another time.
pub(super) fn forget(sitting: &mut Sitting, civ: Civ) {
    tell_needless(sitting, civ, "needless_over");
    let now = sitting.now;
    let missing = &mut sitting.table.missing;
    missing.missed.remove(&civ);
    missing.late.remove(&civ);
    missing.kept.remove(&civ);
    missing.leaving.remove(&civ);
    missing.asked.retain(|asked| asked.civ != civ);
    missing.came.insert(civ, now);
}

/// The game is over: nobody need answer any more.
pub(in crate::desk) fn let_go(sitting: &mut Sitting) {
    for civ in sitting.table.missing.asked.iter().map(|asked| asked.civ).collect::<Vec<_>>() {
        tell_needless(sitting, civ, "ended_over");
    }
}

/// Whoever was asked to take a seat over, and has not answered, is told that they need not.
fn tell_needless(sitting: &mut Sitting, civ: Civ, key: &str) {
    let is_open = |asked: &&mut Asked| asked.civ == civ && !asked.over;
    let readers: Vec<Reader> = sitting
        .table
        .missing
        .asked
        .iter_mut()
        .filter(is_open)
        .filter_map(|asked| {
            asked.over = true;
            asked.reader.clone()
        })
        .collect();
    for (number, reader) in readers.into_iter().enumerate() {
        let words = sitting.table.edition.templates(reader.language);
        let civ_name = crate::report::Names::new(&sitting.table.edition.printed, reader.language).civ(civ).to_owned();
        let id = sitting.table.game.id.clone();
        let facts = context! { game => id.as_str(), title => sitting.table.game.title.as_str(), civ => civ_name };
        let told = lines(&words.say("club", key, facts.clone()));
        let subject = words.say("club", "subject_game_seat", facts);
        let about = format!("needless-{}-{number}.{}", civ.0, sitting.cause);
        let note = Note { to: &reader, game: Some(&id), about, in_reply_to: None, subject, lines: told };
        let letter = dispatch(sitting.house, note, sitting.now);
        sitting.deed.dispatches.push(letter);
    }
}

/// The player of a seat has written to the game: whoever wanted to leave and plays on does not leave, and nobody need take the seat
/// over. `plays` says whether the letter does more than talk.
pub(in crate::desk) fn shows_up(sitting: &mut Sitting, civ: Civ, plays: bool) {
    let me = Party::Moderator;
    let missing = &sitting.table.missing;
    let is_leaving = missing.leaving.contains_key(&civ);
    let is_asked = missing.asked.iter().any(|asked| asked.civ == civ && !asked.over);
    if !(is_leaving && plays || is_asked && !is_leaving) {
        return;
    }
    let since = missing.came.get(&civ).copied();
    forget(sitting, civ);
    // It was the player's all the time.
    match since {
        Some(since) => sitting.table.missing.came.insert(civ, since),
        None => sitting.table.missing.came.remove(&civ),
    };
    let line = say(sitting, me, "stays", facts(sitting, me, civ));
    let about = format!("stays-{}.{}", civ.0, sitting.cause);
    let envelope = Envelope { kind: DispatchKind::Moderation, about, ..Envelope::default() };
    sitting.write(me, envelope, &Content::Moderation { lines: &[line] });
}

/// A player wants to leave. Says what comes of it.
pub(in crate::desk) fn leave(sitting: &mut Sitting, civ: Civ, standing: &[Candidate]) {
    let me = Party::Moderator;
    let now = sitting.now;
    sitting.table.missing.leaving.insert(civ, now);
    let mut told = lines(&say(sitting, me, "wants_to_leave", facts(sitting, me, civ)));
    told.extend(list(sitting, standing));
    let envelope = Envelope {
        kind: DispatchKind::Moderation,
        about: format!("leaves-{}.{}", civ.0, sitting.cause),
        ..Envelope::default()
    };
    sitting.write(me, envelope, &Content::Moderation { lines: &told });
    let keeps = sitting.table.agreed.missing.companion.filter(|_| sitting.table.game.status != Status::Inviting);
    if let Some(temperament) = keeps {
        let about = format!("kept-{}-{}", civ.0, sitting.cause);
        keep(sitting, civ, temperament, &about);
    }
}

/// Those who stand by for a game and may take any of its seats: confirmed, reached there, and not at the table yet.
pub(in crate::desk) fn standing_by(archive: &Archive, sitting: &Sitting) -> Result<Vec<Candidate>, DeskError> {
    let mut persons: Vec<Candidate> = Vec::new();
    for standby in archive.standbys(&sitting.table.game.id)? {
        let is_known = persons.iter().any(|known| known.person.id == standby.person);
        let Some(person) = archive.person(standby.person)?.filter(|_| !is_known) else { continue };
        let sits = |address: &str| {
            sitting.table.seats.iter().any(|seat| seat.party != Party::Moderator && seat.knows(address))
        };
        let is_at_table = person.reached.iter().any(|reached| sits(&reached.address));
        if !is_at_table && reader(sitting, &person).is_some() {
            let record = archive.record(person.id)?;
            persons.push(Candidate { person, record });
        }
    }
    Ok(persons)
}

/// Where somebody is asked: by mail, or in the game's own forum.
fn reader(sitting: &Sitting, person: &PersonRecord) -> Option<Reader> {
    let forum =
        sitting.table.ways.threads.iter().find(|thread| thread.party == Party::Public).map(|thread| &thread.carrier);
    let reaches =
        |carrier: &str| forum.is_some_and(|forum| forum == carrier) && sitting.house.carrier(carrier).reaches_persons();
    let confirmed = person.reached.iter().filter(|reached| reached.confirmed.is_some());
    let mut ways = confirmed.filter(|reached| reached.address.contains('@') || reaches(&reached.carrier));
    ways.next().map(|reached| Reader::at(&person.habits, reached))
}

/// Asks the next of those who stand by to take a seat over.
///
/// # Errors
/// The inner one says why nobody is asked, in words.
pub(super) fn ask_next(
    sitting: &mut Sitting,
    civ: Civ,
    drawers: &Drawers,
) -> Result<Result<Vec<String>, String>, DeskError> {
    let me = Party::Moderator;
    let seat = sitting.table.seat(Party::Seat(civ));
    // Before a game begins, somebody may be asked in the place of one who does not accept.
    let is_open = match sitting.table.game.status {
        Status::Running | Status::Paused => sitting.table.state.is_seated(civ),
        Status::Inviting => seat.is_some_and(|seat| !seat.accepted),
        Status::Ended => return Ok(Err(sitting.say(me, "not_running", context! {}))),
    };
    if !is_open || seat.is_none() {
        return Ok(Err(sitting.say(me, "no_seat", context! {})));
    }
    let now = sitting.now;
    let open = sitting.table.missing.asked.iter().find(|asked| asked.civ == civ && !asked.over && now < asked.until);
    if let Some(asked) = open {
        let facts = context! { name => asked.name.as_str(), until => sitting.when(me, asked.until) };
        return Ok(Err(say(sitting, me, "is_asked", facts)));
    }
    let standing = standing_by(drawers.archive, sitting)?;
    let had =
        |address: &str| sitting.table.missing.asked.iter().any(|asked| asked.civ == civ && asked.address == address);
    let next = standing.iter().find_map(|Candidate { person, .. }| {
        let reader = reader(sitting, person)?;
        (!had(&reader.address)).then_some((person, reader))
    });
    let Some((person, reader)) = next else {
        let facts = context! { civ => sitting.civ(me, civ) };
        return Ok(Err(say(sitting, me, "nobody_next", facts)));
    };
    let address = reader.address.clone();
    let reader = placed(drawers.archive, sitting.house, reader)?;
    let until = now + sitting.table.agreed.missing.answer.delta();
    let id = sitting.table.game.id.clone();
    let words = sitting.table.edition.templates(reader.language);
    let names = crate::report::Names::new(&sitting.table.edition.printed, reader.language);
    let facts = context! {
        title => sitting.table.game.title.as_str(),
        civ => names.civ(civ),
        turn => sitting.table.state.turn(),
        until => crate::desk::club::writing::when(sitting.house, &reader, until),
    };
    let told = lines(&words.say("club", "asked_over", facts.clone()));
    let subject = words.say("club", "subject_game_seat", facts);
    let about = format!("ask-{}.{}.{}", civ.0, sitting.cause, person.id.0);
    let note = Note { to: &reader, game: Some(&id), about, in_reply_to: None, subject, lines: told };
    let letter = dispatch(sitting.house, note, now);
    sitting.deed.dispatches.push(letter);
    let name = person.habits.name.clone();
    let asked = Asked { civ, name: name.clone(), address, at: now, until, over: false, reader: Some(reader) };
    sitting.table.missing.asked.push(asked);
    let facts = context! { name, civ => sitting.civ(me, civ), until => sitting.when(me, until) };
    Ok(Ok(vec![say(sitting, me, "asked_next", facts)]))
}

/// Whoever has not answered in time was asked in vain: the moderator is told.
pub(in crate::desk) fn settle(sitting: &mut Sitting) {
    let now = sitting.now;
    let is_late = |asked: &&mut Asked| !asked.over && asked.until <= now;
    let mut late = Vec::new();
    for asked in sitting.table.missing.asked.iter_mut().filter(is_late) {
        asked.over = true;
        late.push((asked.civ, asked.name.clone()));
    }
    for (number, (civ, name)) in late.into_iter().enumerate() {
        tell_declined(sitting, civ, &name, true, &format!("unanswered-{number}"));
    }
}

fn tell_declined(sitting: &mut Sitting, civ: Civ, name: &str, silent: bool, about: &str) {
    let me = Party::Moderator;
    let line = say(sitting, me, "declined_over", context! { name, civ => sitting.civ(me, civ), silent });
    let about = format!("{about}.{}", sitting.cause);
    let envelope = Envelope { kind: DispatchKind::Moderation, about, ..Envelope::default() };
    sitting.write(me, envelope, &Content::Moderation { lines: &[line] });
}

/// What came of an answer to the question whether somebody takes a seat over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::desk) enum Answered {
    TakenOver,
    Declined,
    /// The seat is somebody's again, or the time is over.
    TooLate,
}

impl Desk {
    /// Those who stand by for a game.
    pub(in crate::desk) fn standing_by(
        &mut self,
        id: &GameId,
        now: DateTime<Utc>,
    ) -> Result<Vec<Candidate>, DeskError> {
        self.table(id)?;
        let sitting = Sitting::new(&self.house, &self.tables[id], now);
        standing_by(&self.archive, &sitting)
    }

    /// Somebody who was asked answers.
    pub(in crate::desk) fn answers_asked(
        &mut self,
        id: &GameId,
        (civ, address): (Civ, &str),
        yes: bool,
        language: Language,
        (letter, now): (LetterId, DateTime<Utc>),
    ) -> Result<Answered, DeskError> {
        self.table(id)?;
        let table = self.tables[id].clone();
        let drawers = Drawers { archive: &self.archive, table: &table };
        let mut sitting = Sitting::new(&self.house, &table, now).because_of(letter);
        let is_meant =
            |asked: &&mut Asked| asked.civ == civ && asked.address == address && !asked.over && now < asked.until;
        let Some(asked) = sitting.table.missing.asked.iter_mut().rev().find(is_meant) else {
            return Ok(Answered::TooLate);
        };
        // Where another person has the seat by now, or its player is there again, nobody is asked any more.
        let name = asked.name.clone();
        asked.over = true;
        let is_over = sitting.table.game.status == Status::Ended;
        let answered = if is_over {
            Answered::TooLate
        } else if yes {
            let person =
                Newcomer { name: name.clone(), address: address.to_owned(), language: Some(language), zone: None };
            let about = format!("letter-{}.taken-over", letter.0);
            match replacing::replace(&mut sitting, civ, &person, &about, &drawers)? {
                Ok(_) => {
                    if sitting.table.game.status == Status::Inviting {
                        // They have said yes; they are not asked once more.
                        sitting.deed.dispatches.retain(|letter| letter.kind != DispatchKind::Invitation);
                        creating::accept(&mut sitting, Party::Seat(civ));
                    }
                    let me = Party::Moderator;
                    let line = say(&sitting, me, "taken_over", context! { name, civ => sitting.civ(me, civ) });
                    let envelope = Envelope { kind: DispatchKind::Moderation, about, ..Envelope::default() };
                    sitting.write(me, envelope, &Content::Moderation { lines: &[line] });
                    Answered::TakenOver
                }
                Err(_) => Answered::TooLate,
            }
        } else {
            tell_declined(&mut sitting, civ, &name, false, "declined");
            Answered::Declined
        };
        let (table, deed) = sitting.close();
        self.write_down(table, &deed)?;
        Ok(answered)
    }

    /// The player of a seat wants to leave a game that is played. Says whether there was such a seat.
    pub(in crate::desk) fn leaves_seat(
        &mut self,
        id: &GameId,
        civ: Civ,
        (letter, now): (LetterId, DateTime<Utc>),
    ) -> Result<bool, DeskError> {
        self.table(id)?;
        let table = self.tables[id].clone();
        if table.game.status == Status::Ended || !table.people().any(|(other, _)| other == civ) {
            return Ok(false);
        }
        let mut sitting = Sitting::new(&self.house, &table, now).because_of(letter);
        let standing = standing_by(&self.archive, &sitting)?;
        leave(&mut sitting, civ, &standing);
        let (table, deed) = sitting.close();
        self.write_down(table, &deed)?;
        Ok(true)
    }
}

/// Whether a letter comes from the player of a seat that a built-in player keeps. Whoever wanted to leave comes back by playing:
/// a word of thanks is none.
pub(in crate::desk) fn comes_back(sitting: &Sitting, civ: Civ, role: Role, plays: bool) -> bool {
    let seat = sitting.table.seat(Party::Seat(civ));
    role == Role::Player
        && (plays || !sitting.table.missing.leaving.contains_key(&civ))
        && sitting.table.missing.kept.contains_key(&civ)
        && sitting.table.game.status != Status::Ended
        && seat.is_some_and(|seat| seat.companion.is_some())
}
