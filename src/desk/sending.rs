//! Letters go out: from the outbox to a carrier, until somebody has them or they are given up.

use chrono::{DateTime, Duration, Utc};

use super::intake::tell_undeliverable;
use super::{Desk, DeskError};
use crate::archive::{Outgoing, Party};
use crate::post::Trouble;

/// So long a letter is tried again; then it is given up.
const LONGEST: Duration = Duration::days(3);

impl Desk {
    /// The letters that may leave now. A reminder that events have overtaken never leaves.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn outgoing(&mut self, now: DateTime<Utc>, most: u32) -> Result<Vec<Outgoing>, DeskError> {
        let mut leaving = Vec::new();
        for outgoing in self.archive.outgoing(now, most)? {
            match self.is_overtaken(&outgoing, now)? {
                true => self.archive.mark_failed(&outgoing.dispatch.message_id, None, "overtaken by events")?,
                false => leaving.push(outgoing),
            }
        }
        Ok(leaving)
    }

    /// What became of letters that a carrier was given.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn sent(&mut self, results: &[(Outgoing, Result<(), Trouble>)], now: DateTime<Utc>) -> Result<(), DeskError> {
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
            let is_old = now - outgoing.dispatch.date > LONGEST;
            match trouble {
                Trouble::Passing(says) if !is_old => {
                    let again = now + backoff(outgoing.attempts);
                    self.archive.mark_failed(id, Some(again), says)?;
                }
                Trouble::Passing(says) | Trouble::Lasting(says) => {
                    tracing::warn!(carrier = outgoing.carrier, kind = outgoing.kind, "a letter was given up: {says}");
                    self.give_up(outgoing, says, now)?;
                }
            }
        }
        Ok(())
    }

    /// A letter is given up, and with it the moderator is told whom no letter reaches.
    fn give_up(&mut self, outgoing: &Outgoing, why: &str, now: DateTime<Utc>) -> Result<(), DeskError> {
        let message_id = &outgoing.dispatch.message_id;
        match &outgoing.of {
            Some((id, party)) if *party != Party::Moderator => {
                let about = format!("dead-{}", self.house.secret(message_id));
                self.sit(id, now, |sitting| {
                    sitting.deed.undeliverable.push((message_id.clone(), why.to_owned()));
                    tell_undeliverable(sitting, *party, &about, "undeliverable");
                })
            }
            Some(_) | None => Ok(self.archive.mark_failed(message_id, None, why)?),
        }
    }
}

/// A minute, two, four, and at most three hours.
fn backoff(attempts: u32) -> Duration {
    Duration::minutes(2_i64.pow(attempts.min(8))).min(Duration::hours(3))
}
