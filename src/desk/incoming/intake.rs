//! Letters come in: each is remembered before anything acts on it, and handled once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use crate::archive::{LetterId, LetterRecord, NewLetter, Settled, Waiting};
use crate::desk::house::is_own_id;
use crate::desk::incoming::aside::{Aside, Why};
use crate::desk::incoming::identity::{Identity, identify};
use crate::desk::incoming::naming::names;
use crate::desk::settings::mail::DELIMITERS;
use crate::desk::{Desk, DeskError};
use crate::post::forum::Post;
use crate::post::letter::Kind;
use crate::post::{self, Form, letter};

/// How many letters are handled in one transaction: a disk that takes its time does so once for all of them.
const TOGETHER: usize = 32;
/// So many of them are of one game at most.
const EACH: u32 = 32;
/// So long such a transaction is kept open for further letters: whoever waits for the next is not kept waiting.
const LONGEST_TOGETHER: Duration = Duration::from_millis(100);
/// So many addresses of a letter's head are looked at for a secret, before it is opened.
const MOST_TAGS: usize = 4;

/// So often a process may end while it handles a letter; then the letter is set aside.
const MOST_ATTEMPTS: u32 = 2;

/// What tells a letter from every other before it is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::desk) struct Marks {
    /// Its own id; empty where it has none.
    id: String,
    /// The hash of all of it but what servers write on the way.
    hash: String,
}

impl Marks {
    /// Looks a letter through, which takes its time where it is large.
    pub(in crate::desk) fn of(form: Form, received: &post::Received) -> Marks {
        if let Some(post) = Post::read(&received.raw).filter(|_| form == Form::Post) {
            // Edited and edited back it says the same again, at another time.
            return Marks { hash: format!("{}.{}", post.content(), post.changed.timestamp_millis()), id: post.id };
        }
        let (id, body) = letter::marks(&received.raw);
        // Without an id of its own a letter is known by all of it: two players may both write `ok`.
        let body = if id.is_some() { body } else { &received.raw };
        let hash: String = Sha256::digest(body).iter().map(|byte| format!("{byte:02x}")).collect();
        Marks { id: id.unwrap_or_default(), hash }
    }
}

impl Desk {
    /// Remembers what a carrier brought; says how many letters are new.
    ///
    /// # Errors
    /// None of them is remembered.
    pub fn remember(&self, carrier: &str, letters: &[post::Received], now: DateTime<Utc>) -> Result<usize, DeskError> {
        let form = self.house.carrier(carrier).form();
        let marks: Vec<Marks> = letters.iter().map(|received| Marks::of(form, received)).collect();
        self.remember_marked(carrier, letters.iter().zip(&marks), now)
    }

    /// The same of letters that were looked through before, wherever there is time for it.
    pub(in crate::desk) fn remember_marked<'r>(
        &self,
        carrier: &str,
        letters: impl Iterator<Item = (&'r post::Received, &'r Marks)>,
        now: DateTime<Utc>,
    ) -> Result<usize, DeskError> {
        let form = self.house.carrier(carrier).form();
        let mut new = Vec::new();
        for (received, marks) in letters {
            let is_mail = form == Form::Mail;
            let queue = if is_mail { self.queue(carrier, &received.raw)? } else { String::new() };
            // A server's clock may be ahead of ours; nothing arrives in the future.
            let arrived = received.arrived.min(now);
            let kept = if is_mail { self.kept_of(carrier, &received.raw, arrived)? } else { &received.raw };
            new.push((queue, marks, arrived, kept, received.raw.len()));
        }
        let new: Vec<_> = new
            .iter()
            .map(|(queue, marks, arrived, raw, size)| NewLetter {
                queue,
                carrier,
                form,
                message_id: &marks.id,
                hash: &marks.hash,
                arrived: *arrived,
                raw,
                size: *size,
            })
            .collect();
        Ok(self.archive.remember(&new, now)?)
    }

    /// As much of a mail as is remembered: all of it; but of a large one that nobody we know has sent, or a machine, or that
    /// is larger than we open, the beginning. Whoever sends us megabytes does not keep us busy with writing them down.
    fn kept_of<'r>(&self, carrier: &str, raw: &'r [u8], arrived: DateTime<Utc>) -> Result<&'r [u8], DeskError> {
        let beginning = &raw[..raw.len().min(letter::BEGINNING)];
        if raw.len() == beginning.len() || raw.len() > letter::LARGEST {
            return Ok(beginning);
        }
        let carrier = self.house.carrier(carrier);
        let is_wanted = match letter::open_beginning(raw, &|id| is_own_id(carrier, id)) {
            Ok(letter) if letter.kind == Kind::Letter => {
                identify(&self.archive, &letter, carrier, arrived)? != Identity::Nobody
            }
            Ok(_) | Err(_) => false,
        };
        Ok(if is_wanted { raw } else { beginning })
    }

    /// The game in whose line a letter waits: that of the secret in the address it was sent to, or of what else it names.
    /// Whoever knows none waits with their like, and not in anybody's way.
    fn queue(&self, carrier: &str, raw: &[u8]) -> Result<String, DeskError> {
        let carrier = self.house.carrier(carrier);
        let own = carrier.address.as_str().to_lowercase();
        let (local, host) = own.rsplit_once('@').unwrap_or((&own, ""));
        let head = letter::head(raw);
        let text = String::from_utf8_lossy(head).to_lowercase();
        let tags = text.split(local).skip(1).filter_map(|rest| rest.strip_prefix(DELIMITERS)).take(MOST_TAGS);
        for tag in tags.filter_map(|rest| rest.split_once('@').filter(|(_, rest)| rest.starts_with(host))) {
            let secret = tag.0.rsplit('.').next().unwrap_or(tag.0);
            if let Some(of) = self.archive.answered(secret)?.and_then(|answered| answered.of) {
                return Ok(of.game.to_string());
            }
        }
        let Ok(letter) = letter::open_beginning(head, &|_| false) else { return Ok(String::new()) };
        let of = names(&self.archive, &letter, carrier)?.seats.into_iter().next();
        Ok(of.map(|of| of.game.to_string()).unwrap_or_default())
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
    pub(in crate::desk) fn handle_some(&mut self, now: DateTime<Utc>) -> Result<Option<usize>, DeskError> {
        if self.is_stopping() {
            return Ok(None);
        }
        let mut waiting = self.archive.waiting(EACH)?;
        if waiting.is_empty() {
            self.read_for.begin_anew();
            return Ok(None);
        }
        // The first of every game before the second of any, and of the games that one first which was read longest ago.
        waiting.sort_by_key(|letter| (letter.place, self.read_for.last(&letter.queue)));
        waiting.truncate(TOGETHER);
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
            let record = self.waiting_letter(letter.id)?;
            let aside = Aside::nobodys(&record, Why::EndedTwice);
            let _: Settled = self.set_aside(aside, now)?;
            return Ok(Some(1));
        }
        let ids: Vec<_> = waiting.iter().map(|letter| letter.id).collect();
        self.archive.count_attempt(&ids)?;
        let done = self.handle_together(&waiting, now);
        if done.is_err() {
            // We let go of them in good order. On a full disk even this cannot be written, and then it counts.
            let _ = self.archive.forgive_attempt(&ids);
        }
        done.map(Some)
    }

    /// Handles letters in one transaction: after an accident all of them wait as before, and nothing has left the house.
    /// One that breaks us is set aside alone, so that it cannot do so again; the others are taken up anew.
    fn handle_together(&mut self, letters: &[Waiting], now: DateTime<Utc>) -> Result<usize, DeskError> {
        self.archive.gather()?;
        let (mut settled, begun) = (0, Instant::now());
        for waiting in letters {
            // Whoever asks us to stop is heard between any two letters.
            if self.is_stopping() || (settled > 0 && begun.elapsed() > LONGEST_TOGETHER) {
                break;
            }
            self.read_for.serve(&waiting.queue);
            let record = match self.waiting_letter(waiting.id) {
                Ok(record) => record,
                Err(error) => {
                    self.start_over()?;
                    return Err(error);
                }
            };
            let taken_up = Instant::now();
            let trouble = match catch_unwind(AssertUnwindSafe(|| self.take_up(&record, now))) {
                Ok(Ok(proof)) if proof.letter() == record.id => {
                    let took = taken_up.elapsed().as_millis();
                    tracing::debug!(letter = record.id.0, bytes = record.size, took, "a letter was taken up");
                    settled += 1;
                    continue;
                }
                Ok(Ok(_)) => "another letter was settled".to_owned(),
                Ok(Err(error)) if error.is_of_everything() => {
                    self.start_over()?;
                    return Err(error);
                }
                Ok(Err(error)) => error.to_string(),
                Err(_) => "it panicked".to_owned(),
            };
            tracing::error!(letter = record.id.0, "a letter could not be handled, by a bug of ours: {trouble}");
            self.start_over()?;
            let ids: Vec<_> = letters.iter().map(|letter| letter.id).collect();
            self.archive.forgive_attempt(&ids)?;
            let aside = Aside::nobodys(&record, Why::Bug);
            return self.set_aside(aside, now).map(|_: Settled| 1);
        }
        let left: Vec<_> = letters[settled..].iter().map(|letter| letter.id).collect();
        let written = if left.is_empty() { Ok(()) } else { self.archive.forgive_attempt(&left) };
        if let Err(error) = written.and_then(|()| self.archive.write_gathered()) {
            self.start_over()?;
            return Err(error.into());
        }
        Ok(settled)
    }

    /// A letter that waits, whole: it is read only when its turn has come.
    fn waiting_letter(&self, id: LetterId) -> Result<LetterRecord, DeskError> {
        let missing = || DeskError::Damaged(format!("letter {} waits and is not there", id.0));
        self.archive.letter(id)?.ok_or_else(missing)
    }

    fn is_stopping(&self) -> bool {
        self.stops.load(Ordering::Relaxed)
    }

    /// Does several deeds in one transaction: after an accident none of them has happened.
    pub(in crate::desk) fn at_once<T>(
        &mut self,
        work: impl FnOnce(&mut Desk) -> Result<T, DeskError>,
    ) -> Result<T, DeskError> {
        self.archive.gather()?;
        let done = work(self).and_then(|done| Ok(self.archive.write_gathered().map(|()| done)?));
        if done.is_err() {
            self.start_over()?;
        }
        done
    }

    /// Lets go of everything that was gathered and not written down, and believes the archive alone.
    fn start_over(&mut self) -> Result<(), DeskError> {
        self.archive.drop_gathered();
        self.tables.clear();
        self.note_all()
    }
}
