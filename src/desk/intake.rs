//! Letters come in: each is remembered before anything acts on it, and handled once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use minijinja::context;
use sha2::{Digest, Sha256};

use super::answering::{self, Received};
use super::aside::Aside;
use super::house::own_host;
use super::identity::{Sender, identify, returned};
use super::parking::{Reply, YES};
use super::posts::Replaced;
use super::sitting::{Envelope, Sitting};
use super::{Desk, DeskError, creating, moderating, rehearsal};
use crate::archive::{
    Address, Answered, Deed, DispatchKind, Fate, LetterRecord, LetterStatus, NewLetter, Party, Proof, Settled, Status,
};
use crate::game::{Event, Phase, State};
use crate::post::forum::Post;
use crate::post::letter::{Kind, Letter};
use crate::post::{self, letter};
use crate::report::letters::Content;
use crate::rules::Civ;

/// How many letters are handled in one transaction: a disk that takes its time does so once for all of them.
const TOGETHER: u32 = 32;
/// So long such a transaction is kept open for further letters: whoever waits for the next is not kept waiting.
const LONGEST_TOGETHER: Duration = Duration::from_millis(150);
/// So many addresses of a letter's head are looked at for a secret, before it is opened.
const MOST_TAGS: usize = 4;

/// So often a process may end while it handles a letter; then the letter is set aside.
const MOST_ATTEMPTS: u32 = 2;

/// A letter on the desk.
pub(super) struct Opened<'a> {
    pub(super) record: &'a LetterRecord,
    pub(super) letter: Letter,
    pub(super) now: DateTime<Utc>,
    /// Whether everybody can read it.
    pub(super) is_public: bool,
    /// The letter whose place it takes.
    pub(super) replaces: Option<Replaced>,
    /// How much is known of its sender, once that was asked.
    pub(super) proof: Option<Proof>,
}

impl<'a> Opened<'a> {
    /// A letter that came by mail.
    pub(super) fn mail(record: &'a LetterRecord, letter: Letter, now: DateTime<Utc>) -> Opened<'a> {
        Opened { record, letter, now, is_public: false, replaces: None, proof: None }
    }

    /// Who says he sent it.
    pub(super) fn sender(&self) -> String {
        self.letter.from.as_ref().map(|from| from.address.to_lowercase()).unwrap_or_default()
    }

    /// What became of it.
    pub(super) fn fate(&self, fate: Fate, of: Option<(String, Party)>, remark: Option<&str>) -> LetterStatus {
        let (id, remark, proof) = (self.record.id, remark.map(str::to_owned), self.proof);
        LetterStatus { id, fate, sender: self.sender(), of, remark, proof }
    }

    pub(super) fn key(&self) -> String {
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
        let mut queues = Vec::with_capacity(letters.len());
        for received in letters {
            queues.push(if is_mail { self.queue(carrier, &received.raw)? } else { String::new() });
        }
        let new: Vec<_> = letters
            .iter()
            .zip(&marks)
            .zip(&queues)
            .map(|((received, (message_id, hash)), queue)| NewLetter {
                queue,
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

    /// The game in whose line a letter waits: that of the secret in the address it was sent to. Whoever knows none waits with
    /// his like, and not in anybody's way.
    fn queue(&self, carrier: &str, raw: &[u8]) -> Result<String, DeskError> {
        let own = self.house.carrier(carrier).address.as_str().to_lowercase();
        let (local, host) = own.rsplit_once('@').unwrap_or((&own, ""));
        let head = String::from_utf8_lossy(letter::head(raw)).to_lowercase();
        let sign = format!("{local}+");
        let tags = head.split(sign.as_str()).skip(1).take(MOST_TAGS);
        for tag in tags.filter_map(|rest| rest.split_once('@').filter(|(_, rest)| rest.starts_with(host))) {
            let secret = tag.0.rsplit('.').next().unwrap_or(tag.0);
            if let Some((game, _)) = self.archive.answered(secret)?.and_then(|answered| answered.of) {
                return Ok(game);
            }
        }
        Ok(String::new())
    }

    /// Handles all letters that wait, in the sequence of their arrival. Says how many there were.
    ///
    /// # Errors
    /// The archive does not answer; what is not handled waits on.
    pub fn handle_waiting(&mut self, now: DateTime<Utc>) -> Result<usize, DeskError> {
        let mut handled = 0;
        while let Some(some) = self.handle_some(now)? {
            handled += some;
        }
        Ok(handled)
    }

    /// Handles some of the letters that wait, as many as are quickly done, the games in turn. Says how many; none where no
    /// letter waits, or somebody has asked us to stop.
    pub(super) fn handle_some(&mut self, now: DateTime<Utc>) -> Result<Option<usize>, DeskError> {
        let mut waiting = self.archive.waiting(TOGETHER)?;
        if waiting.is_empty() || self.is_stopping() {
            return Ok(None);
        }
        // A process has ended over one of these; whose fault it was is found out by taking up each alone.
        if waiting.iter().any(|letter| letter.attempts > 0) {
            waiting.truncate(1);
        }
        if let [letter] = waiting.as_slice()
            && letter.attempts >= MOST_ATTEMPTS
        {
            tracing::error!(
                letter = letter.id.0,
                "the process has ended while this letter was handled, more than once"
            );
            let aside = Aside::nobodys(letter, "the process ended twice while it was handled");
            let _: Settled = self.set_aside(aside, now)?;
            return Ok(Some(1));
        }
        let ids: Vec<_> = waiting.iter().map(|letter| letter.id).collect();
        self.archive.count_attempt(&ids)?;
        let done = self.handle_together(&waiting, now);
        match &done {
            // All of them are settled.
            Ok(count) if *count == waiting.len() => {}
            // We let go of them in good order. On a full disk even this cannot be written, and then it counts.
            Ok(_) | Err(_) => {
                let forgiven = self.archive.forgive_attempt(&ids);
                if let (Err(error), Ok(_)) = (forgiven, &done) {
                    return Err(error.into());
                }
            }
        }
        done.map(Some)
    }

    /// Handles letters in one transaction: after an accident all of them wait as before, and nothing has left the house.
    /// One that breaks us is set aside alone, so that it cannot do so again; the others are taken up anew.
    fn handle_together(&mut self, letters: &[LetterRecord], now: DateTime<Utc>) -> Result<usize, DeskError> {
        self.archive.gather()?;
        let (mut settled, begun) = (0, Instant::now());
        for record in letters {
            // Whoever asks us to stop is heard between any two letters.
            if self.is_stopping() || (settled > 0 && begun.elapsed() > LONGEST_TOGETHER) {
                break;
            }
            let trouble = match catch_unwind(AssertUnwindSafe(|| self.take_up(record, now))) {
                Ok(Ok(proof)) if proof.letter() == record.id => {
                    settled += 1;
                    continue;
                }
                Ok(Ok(_)) => "another letter was settled".to_owned(),
                Ok(Err(error)) if error.is_of_everything() => {
                    self.start_over()?;
                    return Err(error);
                }
                Ok(Err(error)) => error.to_string(),
                Err(_) => "it broke us".to_owned(),
            };
            tracing::error!(letter = record.id.0, "a letter could not be handled, by a bug of ours: {trouble}");
            self.start_over()?;
            let aside = Aside::nobodys(record, "it could not be handled: a bug of Cursus");
            return self.set_aside(aside, now).map(|_: Settled| 1);
        }
        if let Err(error) = self.archive.write_gathered() {
            self.start_over()?;
            return Err(error.into());
        }
        Ok(settled)
    }

    fn is_stopping(&self) -> bool {
        self.stops.load(Ordering::Relaxed)
    }

    /// Lets go of everything that was gathered and not written down, and believes the archive alone.
    fn start_over(&mut self) -> Result<(), DeskError> {
        self.archive.drop_gathered();
        self.tables.clear();
        self.note_all()
    }

    fn take_up(&mut self, record: &LetterRecord, now: DateTime<Utc>) -> Result<Settled, DeskError> {
        if record.carrier == moderating::DOOR {
            return self.moderate_from_door(record, now);
        }
        if !self.house.carrier(&record.carrier).is_mail() {
            return self.take_post(record, now);
        }
        let host = own_host(self.house.carrier(&record.carrier));
        let is_ours = |id: &str| id.rsplit_once('@').is_some_and(|(_, at)| at.eq_ignore_ascii_case(&host));
        let letter = match self.open_mail(record, &is_ours)? {
            Ok(letter) => letter,
            Err(broken) => return self.set_aside(Aside::nobodys(record, &broken.to_string()), now),
        };
        let mut opened = Opened::mail(record, letter, now);
        opened.proof = match opened.letter.kind {
            Kind::Letter => None,
            Kind::Bounce | Kind::AutoReply | Kind::List | Kind::Loop => Some(Proof::Machine),
        };
        match opened.letter.kind {
            Kind::Letter => {}
            Kind::Bounce => return self.bounced(&opened),
            Kind::AutoReply | Kind::List | Kind::Loop => {
                let status = opened.fate(Fate::Ignored, None, Some(kind_name(opened.letter.kind)));
                return self.settle(status);
            }
        }
        if self.house.settings.is_own(&opened.sender()) {
            // Whoever writes in our name is nobody, whatever else he knows.
            let status = opened.fate(Fate::Ignored, None, Some("in our own name"));
            return self.settle(status);
        }
        let carrier = self.house.carrier(&record.carrier).clone();
        let archive = &self.archive;
        let at = record.arrived.min(now);
        let sender = identify(archive, &opened.letter, &carrier, at)?;
        let proof = match sender {
            Sender::Proved { .. } => Proof::Proved,
            Sender::Unproved { .. } | Sender::Ambiguous { .. } | Sender::Nobody => Proof::Unproved,
        };
        opened.proof = Some(proof);
        let limit = self.limit(&opened, proof)?;
        match (sender, limit) {
            (Sender::Proved { of, address, .. }, Some(ends)) => self.turn_away(&opened, Some(of), Some(&address), ends),
            (Sender::Unproved { of } | Sender::Ambiguous { of }, Some(ends)) => {
                self.turn_away(&opened, Some(of), None, ends)
            }
            (Sender::Proved { of, address, answers }, None) => self.read(&opened, of, &address, &answers),
            (Sender::Unproved { of }, None) => self.park(&opened, of),
            (Sender::Ambiguous { of }, None) => self.ask_which(&opened, of, None),
            (Sender::Nobody, _) => {
                let status = opened.fate(Fate::Stranger, None, Some("nobody we know"));
                self.settle(status)
            }
        }
    }

    /// Reads a letter whose sender is proved.
    pub(super) fn read(
        &mut self,
        opened: &Opened,
        of: (String, Party),
        address: &Address,
        answers: &Answered,
    ) -> Result<Settled, DeskError> {
        // Whatever else he writes in reply to the question is a letter like any other.
        match Reply::of(&opened.letter.text) {
            says @ (Reply::Yes | Reply::No) if answers.kind == DispatchKind::Parked => {
                return self.confirm(opened, of, address, answers, says);
            }
            Reply::Yes | Reply::No | Reply::Other => {}
        }
        if let Party::Seat(civ) = of.1
            && answers.kind.is_practice()
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
            // Nobody writes in everybody's name; but the record of a board without an interface goes to its moderator.
            Party::Public
                if self.table(&id)?.seat(Party::Moderator).is_some_and(|seat| seat.knows(&address.address)) =>
            {
                self.moderate(opened, &id, Some(answers), address)
            }
            Party::Public => self.settle(opened.fate(Fate::Ignored, Some(of), Some("in answer to the public record"))),
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
                    Status::Inviting => answer_invitation(&mut sitting, opened, party, answers.kind),
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
                self.settle_with(table, &deed, opened.record.id)
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
    ) -> Result<Settled, DeskError> {
        let status = opened.fate(Fate::Handled, Some(of.clone()), Some("practice"));
        let sent = self.sent_to(&opened.record.carrier, &opened.letter)?;
        let style = letter::style(&opened.record.raw, &sent).ok();
        self.sit_about(&of.0, opened.now, status, |sitting| {
            let (id, letter) = (opened.record.id, &opened.letter);
            rehearsal::answer(sitting, &rehearsal::Practised { id, civ, letter, style, address, answers });
        })
    }

    /// A known address of several seats wrote without a secret: it is asked to answer a letter of the game it means.
    pub(super) fn ask_which(
        &mut self,
        opened: &Opened,
        of: (String, Party),
        address: Option<&Address>,
    ) -> Result<Settled, DeskError> {
        let (id, party) = of.clone();
        // It is answered, so it counts against the share of its sender.
        let status = opened.fate(Fate::Ignored, None, Some("it does not say which game it means"));
        self.sit_about(&id, opened.now, status, |sitting| {
            let from = opened.sender();
            let known = sitting
                .table
                .seat(party)
                .and_then(|seat| seat.addresses.iter().find(|known| known.address == from).cloned());
            let line = sitting.say(party, "which_game", context! {});
            let envelope = Envelope {
                kind: DispatchKind::Announcement,
                about: opened.key(),
                in_reply_to: opened.letter.message_id.as_deref(),
                to: address.or(known.as_ref()),
            };
            sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
        })
    }

    /// A letter of ours came back: it is noted, and the moderator of its game is told.
    fn bounced(&mut self, opened: &Opened) -> Result<Settled, DeskError> {
        let mut status = opened.fate(Fate::Ignored, None, Some("a bounce"));
        let carrier = self.house.carrier(&opened.record.carrier);
        let host = own_host(carrier);
        let mut about = None;
        let came_to = returned(&opened.letter, carrier.address.as_str()).into_iter().map(|id| format!("{id}@{host}"));
        for id in came_to.chain(ids_within(&opened.record.raw, &host)) {
            // What has not left cannot come back, whoever says so; and who has not seen a letter cannot know its id.
            if self.archive.was_sent(&id)? {
                about = self.archive.written(&id)?.filter(Answered::is_sealed).or(about);
            }
        }
        let Some(answered) = about else {
            return self.settle(status);
        };
        status.of = answered.of.clone();
        let undeliverable = vec![(answered.message_id, "it came back".to_owned())];
        match answered.of {
            Some((id, party)) => self.sit_about(&id, opened.now, status, |sitting| {
                sitting.deed.undeliverable = undeliverable;
                tell_undeliverable(sitting, party, &opened.key(), "bounced");
            }),
            None => {
                let deed = Deed { letters: vec![status], undeliverable, ..Deed::default() };
                Ok(self.archive.settle(&deed, opened.record.id)?)
            }
        }
    }
}

/// Tells the moderator that somebody is not reached.
pub(super) fn tell_undeliverable(sitting: &mut Sitting, party: Party, about: &str, why: &'static str) {
    if party == Party::Moderator {
        return;
    }
    let player = sitting.table.seat(party).map(|seat| seat.player.clone()).unwrap_or_default();
    let line = sitting.say(Party::Moderator, why, context! { player => player });
    let envelope = Envelope { kind: DispatchKind::Moderation, about: format!("{about}.{why}"), ..Envelope::default() };
    sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
}

/// The answer to an invitation: `ok` takes the seat; anything else is answered with the invitation.
fn answer_invitation(sitting: &mut Sitting, opened: &Opened, party: Party, answers: DispatchKind) {
    // Who is asked whether a letter is his is not asked whether he plays.
    let says_yes = says_ok(opened) && answers != DispatchKind::Parked;
    let accepted = sitting.table.seat(party).is_some_and(|seat| seat.accepted);
    let in_reply_to = opened.letter.message_id.as_deref();
    let mut is_told = false;
    match says_yes {
        true if accepted => {}
        true => {
            creating::accept(sitting, party);
            is_told = rehearsal::invite(sitting, party, opened.key(), in_reply_to);
        }
        false => creating::invite(sitting, party, opened.key(), in_reply_to, true),
    }
    if sitting.table.game.status == Status::Inviting && says_yes && !is_told {
        let line = sitting.say(party, "accepted", context! {});
        let envelope = Envelope { kind: DispatchKind::Announcement, about: opened.key(), in_reply_to, to: None };
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
    let (mut state, from) = table.state_before(archive, turn)?;
    let mut events = archive.events_until(&table.game.id, from, turn)?.into_iter().map(|(_, event)| event);
    while state.turn() < turn {
        let Some(event) = events.next() else { return Ok(None) };
        state.apply(&event);
    }
    let before = state.clone();
    let mut happened: Vec<Event> = Vec::new();
    for event in events {
        state.apply(&event);
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
