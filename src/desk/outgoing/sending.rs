//! Letters go out: from the outbox to a carrier, until somebody has them or they are given up.

use std::collections::BTreeSet;

use chrono::{DateTime, Duration, Utc};

use crate::archive::{Deed, Departed, DispatchKind, Leaving, Outgoing, Party, SeatId};
use crate::desk::house::slug;
use crate::desk::incoming::mails::tell_undeliverable;
use crate::desk::incoming::naming::mark;
use crate::desk::outgoing::quota::Room;
use crate::desk::table::sitting::Sitting;
use crate::desk::{Desk, DeskError};
use crate::post::{Form, Receipt, Trouble};

/// So long a letter is tried again; then it is given up.
const LONGEST: Duration = Duration::days(3);
/// It was tried so often before that, however old it is.
const FEWEST: u32 = 6;
/// So long a letter waits whose carrier is not let in. The carrier itself knocks less often than that.
const BARRED: Duration = Duration::minutes(5);
/// So long it waits at most: whom nobody has let in for a month has letters that would only confuse.
const LONGEST_BARRED: Duration = Duration::days(30);
/// So much of a subject is left where a secret stands behind it.
const LONGEST_SUBJECT: usize = 180;
/// The same for the public record: a thread may be in slow mode for a week.
const LONGEST_PUBLIC: Duration = Duration::days(30);

impl Desk {
    /// The letters that a carrier may take now beside those that are leaving already, so many at most; games take turns, so
    /// that one which writes much keeps no other waiting. Each is read whole only here, when there is a lane for it. A
    /// reminder that events have overtaken never leaves.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn outgoing(
        &mut self,
        carrier: &str,
        leaving: &BTreeSet<String>,
        most: usize,
        now: DateTime<Utc>,
    ) -> Result<Vec<Outgoing>, DeskError> {
        let mut letters: Vec<Outgoing> = Vec::new();
        let room = self.quota(carrier, leaving.len(), now)?;
        let most = match room {
            Room::Endless => most,
            Room::For(left, _) => most.min(left),
        };
        if let Room::For(0, Some(again)) = room {
            let noted = self.note_held_back(carrier, again, now);
            self.pass_over(noted)?;
        }
        while letters.len() < most {
            let is_new =
                |id: &String| !leaving.contains(id) && !letters.iter().any(|letter| letter.dispatch.message_id == *id);
            let due = match room {
                Room::Endless => self.due(carrier, leaving.len() + most, now)?,
                Room::For(..) => self.archive.due_by_urgency(carrier, now, leaving.len() + most)?,
            };
            let due: Vec<Leaving> = due.into_iter().filter(|due| is_new(&due.message_id)).collect();
            if due.is_empty() {
                break;
            }
            for due in due.into_iter().take(most - letters.len()) {
                self.sent_for.entry(carrier.to_owned()).or_default().serve(due.game.as_deref().unwrap_or_default());
                letters.extend(self.take_out(&due.message_id, now)?);
            }
        }
        Ok(letters)
    }

    /// What a carrier may take, in the sequence in which it is to leave: the first of every game before the second of any,
    /// and of the games that one first which has waited longest for its turn.
    fn due(&self, carrier: &str, each: usize, now: DateTime<Utc>) -> Result<Vec<Leaving>, DeskError> {
        let is_forum = self.house.forums().contains(&carrier);
        let mut due = if is_forum {
            self.archive.due_in_sequence(carrier, now)?
        } else {
            self.archive.due(carrier, now, each)?
        };
        if let Some(turns) = self.sent_for.get(carrier) {
            due.sort_by_key(|due| (due.place, turns.last(due.game.as_deref().unwrap_or_default())));
        }
        Ok(due)
    }

    /// A letter that waits, ready to leave; none where events have overtaken it.
    fn take_out(&mut self, message_id: &str, now: DateTime<Utc>) -> Result<Option<Outgoing>, DeskError> {
        let Some(mut outgoing) = self.archive.outgoing(message_id)? else { return Ok(None) };
        let is_overtaken = match self.is_overtaken(&outgoing, now) {
            Err(error) if error.is_of_everything() => return Err(error),
            Ok(is_overtaken) => is_overtaken,
            // Nobody is reminded of a game that cannot be opened.
            Err(_) => true,
        };
        if is_overtaken {
            self.archive.mark_failed(message_id, None, "overtaken by events")?;
            return Ok(None);
        }
        self.head(&mut outgoing);
        let placed = self.place(&mut outgoing);
        self.pass_over(placed)?;
        Ok(Some(outgoing))
    }

    /// Completes the head of a mail as its carrier wants it today: what its answer is known by, and its list.
    fn head(&self, outgoing: &mut Outgoing) {
        let carrier = self.house.carrier(&outgoing.carrier);
        let is_known = outgoing.of.is_some() || outgoing.kind == DispatchKind::Club;
        if carrier.form() != Form::Mail || !is_known {
            return;
        }
        let dispatch = &mut outgoing.dispatch;
        if carrier.habits.answers.subject {
            let subject: String = dispatch.subject.chars().take(LONGEST_SUBJECT).collect();
            dispatch.subject = format!("{} {}", subject.trim_end(), mark(&self.house.secret(&dispatch.message_id)));
        }
        dispatch.list = outgoing.of.as_ref().map(|of| self.house.list(carrier, of, &dispatch.to));
    }

    /// What became of letters that a carrier was given.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn sent(
        &mut self,
        results: &[(Outgoing, Result<Receipt, Trouble>)],
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        for (outgoing, receipt) in
            results.iter().filter_map(|(outgoing, result)| Some((outgoing, result.as_ref().ok()?)))
        {
            let noted = self.note_receipt(outgoing, receipt, now);
            self.pass_over(noted)?;
        }
        let gone: Vec<&str> = results
            .iter()
            .filter(|(_, result)| result.is_ok())
            .map(|(outgoing, _)| outgoing.dispatch.message_id.as_str())
            .collect();
        if !gone.is_empty() {
            self.archive.mark_sent(&gone, now)?;
        }
        for (outgoing, result) in results {
            let id = &outgoing.dispatch.message_id;
            let Err(trouble) = result else { continue };
            // What is public is everybody's: it is not given up while the forum may still take it.
            let is_public = outgoing.of.as_ref().is_some_and(|of| of.party == Party::Public);
            // What had to wait for its turn was not tried all the time.
            let longest = if is_public { LONGEST_PUBLIC } else { LONGEST };
            let is_old = now - outgoing.dispatch.date > longest && outgoing.attempts >= FEWEST;
            if self.send_by_mail(outgoing, trouble, now)? || self.renew_lost_status(outgoing, trouble, now)? {
                continue;
            }
            match trouble {
                // What keeps us out is not the letter's fault, however long it takes somebody to mend it.
                Trouble::Barred(says) if now - outgoing.dispatch.date <= LONGEST_BARRED => {
                    self.archive.put_off(id, now + BARRED, says)?;
                }
                Trouble::Passing(says) if !is_old => {
                    let again = now + backoff(outgoing.attempts);
                    self.archive.mark_failed(id, Some(again), says)?;
                }
                Trouble::Passing(says) | Trouble::Lasting(says) | Trouble::Barred(says) => {
                    tracing::warn!(
                        carrier = outgoing.carrier,
                        kind = outgoing.kind.name(),
                        "a letter was given up: {says}"
                    );
                    let told = self.give_up(outgoing, says, now);
                    self.pass_over(told)?;
                }
            }
        }
        Ok(())
    }

    /// A letter is given up, and with it the moderator is told whom no letter reaches: once a day for each.
    fn give_up(&mut self, outgoing: &Outgoing, why: &str, now: DateTime<Utc>) -> Result<(), DeskError> {
        let message_id = &outgoing.dispatch.message_id;
        let mut deed = Deed { sent: Departed::lost(message_id, why), ..Deed::default() };
        if let Some(SeatId { game: id, party }) = outgoing.of.as_ref().filter(|of| of.party != Party::Moderator) {
            let table = self.table(id)?.clone();
            let mut sitting = Sitting::new(&self.house, &table, now);
            let about = format!("dead-{}-{}", slug(&table.edition.printed, *party), now.timestamp() / 86_400);
            tell_undeliverable(&mut sitting, *party, &about, "undeliverable");
            for notice in sitting.deed.dispatches {
                if !self.archive.has_written(&notice)? {
                    deed.dispatches.push(notice);
                }
            }
        }
        Ok(self.archive.commit(&deed)?)
    }

    /// What is wrong with one letter or one game stops nothing else.
    pub(in crate::desk) fn pass_over(&self, done: Result<(), DeskError>) -> Result<(), DeskError> {
        match done {
            Err(error) if !error.is_of_everything() => {
                tracing::error!("a letter could not be written, by a bug of ours: {error}");
                Ok(())
            }
            done => done,
        }
    }
}

/// A minute, two, four, and at most three hours.
fn backoff(attempts: u32) -> Duration {
    Duration::minutes(2_i64.pow(attempts.min(8))).min(Duration::hours(3))
}
