//! Letters come in: each is remembered before anything acts on it, and handled once.

use std::panic::{AssertUnwindSafe, catch_unwind};

use chrono::{DateTime, Duration, Utc};
use minijinja::context;
use sha2::{Digest, Sha256};

use super::answering::{self, Received};
use super::identity::{Sender, answered, identify};
use super::moment::moment;
use super::posts::Replaced;
use super::sitting::{Envelope, Sitting};
use super::{Desk, DeskError, creating, moderating, rehearsal};
use crate::archive::{
    Address, Answered, Deed, Fate, LetterRecord, LetterStatus, NewDispatch, NewLetter, Parked, Party, Role, Status,
};
use crate::game::{Event, Phase, State, replay};
use crate::post::forum::Post;
use crate::post::letter::{Kind, Letter, open_with};
use crate::post::{self, letter};
use crate::report::letters::Content;
use crate::rules::Civ;

/// How many letters are handled in one transaction: a disk that takes its time does so once for all of them.
const TOGETHER: u32 = 32;

/// How many letters that were set aside the moderator is told of in an hour.
const MOST_NOTICES: u32 = 3;

/// A letter on the desk.
pub(super) struct Opened<'a> {
    pub(super) record: &'a LetterRecord,
    pub(super) letter: Letter,
    pub(super) now: DateTime<Utc>,
    /// Whether everybody can read it.
    pub(super) is_public: bool,
    /// The letter whose place it takes.
    pub(super) replaces: Option<Replaced>,
}

impl<'a> Opened<'a> {
    /// A letter that came by mail.
    fn mail(record: &'a LetterRecord, letter: Letter, now: DateTime<Utc>) -> Opened<'a> {
        Opened { record, letter, now, is_public: false, replaces: None }
    }

    /// Who says he sent it.
    pub(super) fn sender(&self) -> String {
        self.letter.from.as_ref().map(|from| from.address.to_lowercase()).unwrap_or_default()
    }

    /// What became of it.
    pub(super) fn fate(&self, fate: Fate, of: Option<(String, Party)>, remark: Option<&str>) -> LetterStatus {
        LetterStatus { id: self.record.id, fate, sender: self.sender(), of, remark: remark.map(str::to_owned) }
    }

    fn key(&self) -> String {
        format!("letter-{}", self.record.id.0)
    }
}

impl Desk {
    /// Remembers what a carrier brought; says how many letters are new.
    ///
    /// # Errors
    /// None of them is remembered.
    pub fn remember(&self, carrier: &str, letters: &[post::Received], now: DateTime<Utc>) -> Result<usize, DeskError> {
        let is_mail = self.house.carrier(carrier).is_mail() || carrier == moderating::DOOR;
        let marks: Vec<_> = letters
            .iter()
            .map(|received| {
                if let Some(post) = Post::read(&received.raw).filter(|_| !is_mail) {
                    // Edited and edited back it says the same again, at another time.
                    return (post.id.clone(), format!("{}.{}", post.content(), post.changed.timestamp_millis()));
                }
                let (id, body) = letter::marks(&received.raw);
                // Without an id of its own a letter is known by all of it: two players may both write `ok`.
                let body = if id.is_some() { body } else { &received.raw };
                let hash: String = Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect();
                (id.unwrap_or_default(), hash)
            })
            .collect();
        let new: Vec<_> = letters
            .iter()
            .zip(&marks)
            .map(|(received, (message_id, hash))| NewLetter {
                carrier,
                message_id,
                hash,
                // A server's clock may be ahead of ours; nothing arrives in the future.
                arrived: received.arrived.min(now),
                raw: &received.raw,
            })
            .collect();
        Ok(self.archive.remember(&new, now)?)
    }

    /// Handles all letters that wait, in the sequence of their arrival. Says how many there were.
    ///
    /// # Errors
    /// The archive does not answer; what is not handled waits on.
    pub fn handle_waiting(&mut self, now: DateTime<Utc>) -> Result<usize, DeskError> {
        let mut handled = 0;
        loop {
            let waiting = self.archive.waiting(TOGETHER)?;
            if waiting.is_empty() {
                return Ok(handled);
            }
            handled += self.handle_together(&waiting, now)?;
        }
    }

    /// Handles letters in one transaction: after an accident all of them wait as before, and nothing has left the house.
    /// One that breaks us is set aside alone, so that it cannot do so again; the others are taken up anew.
    fn handle_together(&mut self, letters: &[LetterRecord], now: DateTime<Utc>) -> Result<usize, DeskError> {
        self.archive.gather()?;
        for record in letters {
            let trouble = match catch_unwind(AssertUnwindSafe(|| self.take_up(record, now))) {
                Ok(Ok(())) => continue,
                Ok(Err(error)) if error.is_of_everything() => {
                    self.start_over()?;
                    return Err(error);
                }
                Ok(Err(error)) => error.to_string(),
                Err(_) => "it broke us".to_owned(),
            };
            tracing::error!(letter = record.id.0, "a letter could not be handled, by a bug of ours: {trouble}");
            self.start_over()?;
            self.set_aside(record, "it could not be handled: a bug of Cursus", String::new(), now)?;
            return Ok(1);
        }
        if let Err(error) = self.archive.write_gathered() {
            self.start_over()?;
            return Err(error.into());
        }
        Ok(letters.len())
    }

    /// Lets go of everything that was gathered and not written down, and believes the archive alone.
    fn start_over(&mut self) -> Result<(), DeskError> {
        self.archive.drop_gathered();
        self.tables.clear();
        self.note_all()
    }

    fn take_up(&mut self, record: &LetterRecord, now: DateTime<Utc>) -> Result<(), DeskError> {
        if record.carrier == moderating::DOOR {
            return self.moderate_from_door(record, now);
        }
        if !self.house.carrier(&record.carrier).is_mail() {
            return self.take_post(record, now);
        }
        let host = self.own_host(&record.carrier);
        let is_ours = |id: &str| id.rsplit_once('@').is_some_and(|(_, at)| at.eq_ignore_ascii_case(&host));
        let letter = match open_with(&record.raw, &is_ours) {
            Ok(letter) => letter,
            Err(broken) => return self.set_aside(record, &broken.to_string(), String::new(), now),
        };
        let opened = Opened::mail(record, letter, now);
        match opened.letter.kind {
            Kind::Letter => {}
            Kind::Bounce => return self.bounced(&opened),
            Kind::AutoReply | Kind::List | Kind::Loop => {
                let status = opened.fate(Fate::Ignored, None, Some(kind_name(opened.letter.kind)));
                return Ok(self.archive.commit(&Deed { letters: vec![status], ..Deed::default() })?);
            }
        }
        if self.is_flood(&opened)? {
            return self.set_aside(record, &self.flood(), opened.sender(), now);
        }
        let carrier = self.house.carrier(&record.carrier).clone();
        let archive = &self.archive;
        let at = record.arrived.min(now);
        let sender = identify(archive, &opened.letter, &carrier, at)?;
        match sender {
            Sender::Proved { of, address, answers } => self.read(&opened, of, &address, &answers),
            Sender::Unproved { of } => self.park(&opened, of),
            Sender::Ambiguous { of } => self.ask_which(&opened, of, None),
            Sender::Nobody => {
                let status = opened.fate(Fate::Aside, None, Some("nobody we know"));
                Ok(self.archive.commit(&Deed { letters: vec![status], ..Deed::default() })?)
            }
        }
    }

    /// Whether somebody writes more than anybody can mean.
    pub(super) fn is_flood(&self, opened: &Opened) -> Result<bool, DeskError> {
        let since = opened.record.arrived - Duration::hours(1);
        Ok(self.archive.letters_from(&opened.sender(), since)? >= self.house.settings.letters_per_hour)
    }

    /// What is said of a letter that comes in a flood.
    pub(super) fn flood(&self) -> String {
        format!("more than {} letters in an hour", self.house.settings.letters_per_hour)
    }

    /// Reads a letter whose sender is proved.
    pub(super) fn read(
        &mut self,
        opened: &Opened,
        of: (String, Party),
        address: &Address,
        answers: &Answered,
    ) -> Result<(), DeskError> {
        // Whatever else he writes in reply to the question is a letter like any other.
        if answers.kind == "parked" && says_ok(opened) {
            return self.confirm(opened, of, answers);
        }
        if let Party::Seat(civ) = of.1
            && rehearsal::is_practice(&answers.kind)
        {
            return self.practise(opened, of, civ, address, answers);
        }
        let (id, party) = of.clone();
        // What came after the cut-off meets a phase that has been ruled; where that cannot be done, the one that is open.
        match self.rule_if_due(&id, opened.record.arrived.min(opened.now)) {
            Err(error) if error.is_of_everything() => return Err(error),
            Ok(_) => {}
            Err(error) => tracing::error!(game = id, "a game could not be ruled, by a bug of ours: {error}"),
        }
        match party {
            Party::Moderator => self.moderate(opened, &id, Some(answers), address),
            // Nobody writes in everybody's name.
            Party::Public => Ok(()),
            Party::Seat(civ) => {
                let archive = &self.archive;
                let status = opened.fate(Fate::Handled, Some(of), None);
                let table = match self.tables.get(&id) {
                    Some(table) => table.clone(),
                    None => super::Table::open(archive, &self.house, &id)?,
                };
                let history = |turn: Option<u16>| past(archive, &table, turn).ok().flatten();
                let pressed = archive.press_since(&id, party, opened.now - chrono::Duration::days(1))?;
                let mut sitting = Sitting::new(&self.house, &table, opened.now).because_of(opened.record.id);
                sitting.deed.letters.push(status);
                match sitting.table.game.status {
                    Status::Inviting => answer_invitation(&mut sitting, opened, party),
                    Status::Running | Status::Paused | Status::Ended => {
                        let (id, letter) = (opened.record.id, &opened.letter);
                        let answers = Some(answers);
                        let (public, replaces) = (opened.is_public, opened.replaces.as_ref());
                        let received = Received {
                            id,
                            civ,
                            letter,
                            address,
                            answers,
                            history: &history,
                            pressed,
                            public,
                            replaces,
                        };
                        answering::answer(&mut sitting, &received);
                    }
                }
                let (table, deed) = sitting.close();
                self.write_down(table, &deed)
            }
        }
    }

    /// Answers a practice letter. Nothing of it changes the game.
    fn practise(
        &mut self,
        opened: &Opened,
        of: (String, Party),
        civ: Civ,
        address: &Address,
        answers: &Answered,
    ) -> Result<(), DeskError> {
        let status = opened.fate(Fate::Handled, Some(of.clone()), Some("practice"));
        let style = letter::style(&opened.record.raw).ok();
        self.sit(&of.0, opened.now, |sitting| {
            sitting.deed.letters.push(status);
            let (id, letter) = (opened.record.id, &opened.letter);
            rehearsal::answer(sitting, &rehearsal::Practised { id, civ, letter, style, address, answers });
        })
    }

    /// Parks a letter and asks the known address whether it is his.
    fn park(&mut self, opened: &Opened, of: (String, Party)) -> Result<(), DeskError> {
        let (id, party) = of.clone();
        self.table(&id)?;
        let mut sitting = Sitting::new(&self.house, &self.tables[&id], opened.now);
        let from = opened.sender();
        let is_away = sitting.table.is_away(party, opened.record.arrived.min(opened.now));
        let known = sitting.table.seat(party).and_then(|seat| {
            // The address that wrote without a secret is asked itself, a deputy's while the player is away; else the first.
            let may_answer = |known: &&Address| known.role == Role::Player || is_away;
            let same = seat.addresses.iter().filter(may_answer).find(|known| known.address == from);
            same.or(seat.mailbox(Role::Player)).cloned()
        });
        let Some(known) = known else {
            let status = opened.fate(Fate::Aside, Some(of), Some("no known address to ask"));
            return Ok(self.archive.commit(&Deed { letters: vec![status], ..Deed::default() })?);
        };
        let arrived = moment(opened.record.arrived, sitting.table.zone(party));
        let subject = &opened.letter.subject;
        let content = Content::Parked { sender: &from, arrived: &arrived, subject };
        let envelope = Envelope { kind: "parked", about: opened.key(), to: Some(&known), ..Envelope::default() };
        sitting.write(party, envelope, &content);
        let question = sitting.deed.dispatches.last().map(|new| new.dispatch.message_id.clone()).unwrap_or_default();
        sitting.deed.letters.push(opened.fate(Fate::Parked, Some(of.clone()), None));
        sitting.deed.parked.push(Parked { letter: opened.record.id, of, sender: from, question });
        let (table, deed) = sitting.close();
        self.write_down(table, &deed)
    }

    /// The known address answers whether a parked letter is his. His answer is settled last: after an accident it is
    /// taken up again, and finds what was done already.
    fn confirm(&mut self, opened: &Opened, of: (String, Party), answers: &Answered) -> Result<(), DeskError> {
        let says_yes = says_ok(opened);
        let parked = self.archive.parked(&answers.message_id)?;
        let status = opened.fate(Fate::Handled, Some(of.clone()), Some("about a parked letter"));
        let record = match parked.as_ref().filter(|_| says_yes) {
            Some(parked) => self.archive.letter(parked.letter)?,
            None => None,
        };
        if let Some((parked, record)) = parked.zip(record) {
            self.read_parked(opened, of, answers, parked, &record)?;
        }
        Ok(self.archive.commit(&Deed { letters: vec![status], ..Deed::default() })?)
    }

    /// Reads a letter that was parked and is confirmed.
    fn read_parked(
        &mut self,
        opened: &Opened,
        of: (String, Party),
        answers: &Answered,
        parked: Parked,
        record: &LetterRecord,
    ) -> Result<(), DeskError> {
        let (id, party) = of.clone();
        // His address is known from now on, and the letter counts as of now.
        self.sit(&id, opened.now, |sitting| {
            let Some(seat) = sitting.table.seat_mut(party) else { return };
            if !seat.knows(&parked.sender) {
                let carrier = record.carrier.clone();
                seat.addresses.push(Address { carrier, address: parked.sender.clone(), role: Role::Player });
                let seat = seat.clone();
                sitting.deed.seats.push(seat);
            }
        })?;
        let letter = match open_with(&record.raw, &|_| false) {
            Ok(letter) => letter,
            Err(broken) => return self.set_aside(record, &broken.to_string(), parked.sender, opened.now),
        };
        let confirmed = Opened::mail(record, letter, opened.now);
        let table = self.table(&id)?;
        let address = table.seat(party).and_then(|seat| {
            seat.addresses.iter().find(|known| known.address == parked.sender).or(seat.mailbox(Role::Player)).cloned()
        });
        let Some(address) = address else { return Ok(()) };
        // It speaks of the phase of the letter it answers; where it answers none, of the one in which it was parked.
        let carrier = self.house.carrier(&record.carrier);
        let answers = match answered(&self.archive, &confirmed.letter, carrier.address.as_str())? {
            Some(own) if own.kind != "parked" && own.of.as_ref() == Some(&of) => own,
            Some(_) | None => Answered { kind: "report".to_owned(), ..answers.clone() },
        };
        self.read(&confirmed, of, &address, &answers)
    }

    /// A known address of several seats wrote without a secret: it is asked to answer a letter of the game it means.
    pub(super) fn ask_which(
        &mut self,
        opened: &Opened,
        of: (String, Party),
        address: Option<&Address>,
    ) -> Result<(), DeskError> {
        let (id, party) = of.clone();
        self.sit(&id, opened.now, |sitting| {
            sitting.deed.letters.push(opened.fate(Fate::Aside, None, Some("it does not say which game it means")));
            let from = opened.sender();
            let known = sitting
                .table
                .seat(party)
                .and_then(|seat| seat.addresses.iter().find(|known| known.address == from).cloned());
            let line = sitting.say(party, "which_game", context! {});
            let envelope = Envelope {
                kind: "announcement",
                about: opened.key(),
                in_reply_to: opened.letter.message_id.as_deref(),
                to: address.or(known.as_ref()),
            };
            sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
        })
    }

    /// A letter of ours came back: it is noted, and the moderator of its game is told.
    fn bounced(&mut self, opened: &Opened) -> Result<(), DeskError> {
        let mut status = opened.fate(Fate::Ignored, None, Some("a bounce"));
        let host = self.own_host(&opened.record.carrier);
        let mut about = None;
        for id in ids_within(&opened.record.raw, &host) {
            // What has not left cannot come back, whoever says so.
            if self.archive.was_sent(&id)? {
                about = self.archive.written(&id)?.or(about);
            }
        }
        let Some(answered) = about else {
            return Ok(self.archive.commit(&Deed { letters: vec![status], ..Deed::default() })?);
        };
        status.of = answered.of.clone();
        let undeliverable = vec![(answered.message_id, "it came back".to_owned())];
        match answered.of {
            Some((id, party)) => self.sit(&id, opened.now, |sitting| {
                sitting.deed.letters.push(status);
                sitting.deed.undeliverable = undeliverable;
                tell_undeliverable(sitting, party, &opened.key(), "bounced");
            }),
            None => Ok(self.archive.commit(&Deed { letters: vec![status], undeliverable, ..Deed::default() })?),
        }
    }

    /// Sets a letter aside and tells the moderators of the house.
    pub(super) fn set_aside(
        &mut self,
        record: &LetterRecord,
        why: &str,
        sender: String,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        tracing::warn!(letter = record.id.0, carrier = record.carrier, why, "a letter was set aside");
        let remark = Some(why.to_owned());
        let status = LetterStatus { id: record.id, fate: Fate::Aside, sender, of: None, remark };
        let notice = match self.aside_notice(record, why, now) {
            Err(error) if error.is_of_everything() => return Err(error),
            Ok(notice) => notice,
            // A game that cannot be opened keeps no letter from being set aside.
            Err(_) => None,
        };
        let dispatches = notice.into_iter().collect();
        Ok(self.archive.commit(&Deed { letters: vec![status], dispatches, ..Deed::default() })?)
    }

    /// What the moderator is told of a letter that is set aside. Nobody can say which game it meant; the moderator of the
    /// youngest is as good as any. Whoever floods us does not flood him: he hears of the first of every hour.
    fn aside_notice(
        &mut self,
        record: &LetterRecord,
        why: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<NewDispatch>, DeskError> {
        let Some(game) = self.archive.youngest_game()? else { return Ok(None) };
        self.table(&game)?;
        let mut sitting = Sitting::new(&self.house, &self.tables[&game], now);
        let facts = context! { number => record.id.0, carrier => &record.carrier, why => why };
        let line = sitting.say(Party::Moderator, "set_aside", facts);
        for number in 1..=MOST_NOTICES {
            let about = format!("aside-{}-{number}", now.timestamp() / 3600);
            let envelope = Envelope { kind: "moderation", about, ..Envelope::default() };
            sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: std::slice::from_ref(&line) });
            let Some(notice) = sitting.deed.dispatches.pop() else { break };
            if self.archive.written(&notice.dispatch.message_id)?.is_none() {
                return Ok(Some(notice));
            }
        }
        Ok(None)
    }

    /// The host of our ids on a carrier.
    fn own_host(&self, carrier: &str) -> String {
        let id = self.house.message_id(self.house.carrier(carrier), "");
        id.trim_start_matches('@').to_owned()
    }
}

/// Tells the moderator that somebody is not reached.
pub(super) fn tell_undeliverable(sitting: &mut Sitting, party: Party, about: &str, why: &'static str) {
    if party == Party::Moderator {
        return;
    }
    let player = sitting.table.seat(party).map(|seat| seat.player.clone()).unwrap_or_default();
    let line = sitting.say(Party::Moderator, why, context! { player => player });
    let envelope = Envelope { kind: "moderation", about: format!("{about}.{why}"), ..Envelope::default() };
    sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
}

/// The answer to an invitation: `ok` takes the seat; anything else is answered with the invitation.
fn answer_invitation(sitting: &mut Sitting, opened: &Opened, party: Party) {
    let accepted = sitting.table.seat(party).is_some_and(|seat| seat.accepted);
    let in_reply_to = opened.letter.message_id.as_deref();
    let mut is_told = false;
    match says_ok(opened) {
        true if accepted => {}
        true => {
            creating::accept(sitting, party);
            is_told = rehearsal::invite(sitting, party, opened.key(), in_reply_to);
        }
        false => creating::invite(sitting, party, opened.key(), in_reply_to, true),
    }
    if sitting.table.game.status == Status::Inviting && says_ok(opened) && !is_told {
        let line = sitting.say(party, "accepted", context! {});
        let envelope = Envelope { kind: "announcement", about: opened.key(), in_reply_to, to: None };
        sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
    }
}

/// Whether a letter begins with `ok`, alone or as the first word of its line: `Yes, I am in!`.
pub(super) fn says_ok(opened: &Opened) -> bool {
    let mut firsts = opened.letter.text.lines().filter_map(|line| {
        let word = line.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty())?;
        Some(crate::rules::names::fold(word))
    });
    firsts.next().is_some_and(|word| YES.contains(&word.as_str()))
}

/// What people write when they agree.
const YES: [&str; 9] = ["ok", "okay", "oki", "yes", "tak", "zgoda", "accept", "accepted", "confirm"];

/// What was true before a turn and what happened in it; none is the last that is complete, or the present one.
fn past(
    archive: &crate::archive::Archive,
    table: &super::Table,
    turn: Option<u16>,
) -> Result<Option<(State, Vec<Event>)>, DeskError> {
    let turn = turn.unwrap_or_else(|| match table.state.phase() {
        Phase::Tax | Phase::Expansion | Phase::Movement => table.state.turn().saturating_sub(1).max(1),
        _ => table.state.turn(),
    });
    let mut state = State::new(table.opening()?);
    let mut events = archive.events(&table.game.id, 1)?.into_iter().peekable();
    while state.turn() < turn {
        let Some(event) = events.next() else { return Ok(None) };
        state.apply(&event);
    }
    let before = state.clone();
    let mut happened: Vec<Event> = Vec::new();
    for event in events {
        state = replay(&state, [&event]);
        happened.push(event);
        if state.turn() > turn {
            break;
        }
    }
    Ok(Some((before, happened)))
}

/// The ids of ours that stand somewhere in a letter.
fn ids_within(raw: &[u8], host: &str) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let mut ids: Vec<String> = Vec::new();
    for piece in text.split('<').skip(1) {
        if let Some((id, _)) = piece.split_once('>')
            && id.len() < 200
            && id.rsplit_once('@').is_some_and(|(_, at)| at.eq_ignore_ascii_case(host))
        {
            ids.push(id.to_owned());
        }
    }
    ids
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Letter => "a letter",
        Kind::AutoReply => "an automatic answer",
        Kind::Bounce => "a bounce",
        Kind::List => "of a mailing list",
        Kind::Loop => "our own",
    }
}
