//! A letter to oneself and back: handed in by SMTP, found by IMAP, and put away.
//!
//! Works beside a daemon on the same mailbox: whoever of the two finds the letter first puts it away, and it is looked for
//! in both folders. It is a letter of ours, so nobody takes it for a player's.

use std::thread;
use std::time::{Duration, Instant};

use chrono::{Days, Utc};

use super::inbox::{Found, Lies};
use super::{GRACE, Mailbox, guarded};
use crate::post::carrier::{Dispatch, Received, Trouble};
use crate::post::letter::{self, Kind};

/// How often the mailbox is looked at, at first and later.
const FIRST_LOOK: Duration = Duration::from_millis(300);
const LATER_LOOK: Duration = Duration::from_secs(2);

/// A letter that has come back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trip {
    /// How long it took.
    pub took: Duration,
    pub lies: Lies,
    pub received: Received,
}

/// Why a letter has not come back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Strayed {
    /// The way out did not take it.
    Refused(Trouble),
    /// It was taken, and returned as undeliverable.
    Returned,
    /// It was taken and is nowhere.
    Nowhere,
    /// Nobody can say: the way in is in trouble.
    Unseen(String),
}

impl Mailbox {
    /// Sends a letter to oneself and waits for it. `word` stands in its subject and in no other letter.
    ///
    /// # Errors
    /// It has not come back, and why.
    pub(crate) fn send_round(&self, dispatch: &Dispatch, word: &str, patience: Duration) -> Result<Trip, Strayed> {
        self.outbox.send(dispatch).map_err(Strayed::Refused)?;
        let begun = Instant::now();
        let until = begun + patience;
        let since = Utc::now().date_naive() - Days::new(1);
        let seen = guarded(|| {
            let mut inbox = self.enter(until + GRACE, Default::default())?;
            let mut rest = FIRST_LOOK;
            loop {
                let is_last = Instant::now() >= until;
                let found = inbox.find(word, since, is_last)?;
                if let Some(found) = found.into_iter().next() {
                    let took = begun.elapsed();
                    inbox.keep_found(&found)?;
                    return Ok(Some((took, found)));
                }
                if is_last {
                    return Ok(None);
                }
                thread::sleep(rest.min(until.saturating_duration_since(Instant::now())));
                rest = (rest * 2).min(LATER_LOOK);
            }
        });
        match seen {
            Ok(Some((took, Found { received, lies, .. }))) => {
                match letter::open(&received.raw).map(|letter| letter.kind) {
                    Ok(Kind::Bounce) => Err(Strayed::Returned),
                    Ok(_) | Err(_) => Ok(Trip { took, lies, received }),
                }
            }
            Ok(None) => Err(Strayed::Nowhere),
            Err(failure) => Err(Strayed::Unseen(failure.says().to_owned())),
        }
    }
}
