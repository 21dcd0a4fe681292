//! Letters that the carriers hold and the archive has lost: a damaged WAL takes those that came last, and a copy that was put in
//! the archive's place lacks all that came since. They are found by looking back, and taken up like any other.

use chrono::{DateTime, Duration, Utc};
use minijinja::{Value, context};

use crate::archive::{Deed, DispatchKind, Party, Status};
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError};
use crate::post::letter::{Kind, open_beginning};
use crate::post::{Carrier, Received};
use crate::report::letters::Content;

/// So far before the last letter that is remembered we look: a server may have had a letter for a while.
const MARGIN: Duration = Duration::days(1);

impl Desk {
    /// Since when a carrier is to be asked for letters that were kept; never, where there is no game.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(in crate::desk) fn looks_back_to(&self, carrier: &str) -> Result<Option<DateTime<Utc>>, DeskError> {
        // What came before there was a game was not meant for us.
        let Some(begun) = self.archive.games()?.iter().map(|game| game.created_at).min() else { return Ok(None) };
        let last = self.archive.last_remembered(carrier)?.unwrap_or(begun);
        Ok(Some((last - MARGIN).max(begun)))
    }

    /// Asks a carrier for what was kept, at once.
    pub(in crate::desk) fn look_back(&mut self, carrier: &dyn Carrier, now: DateTime<Utc>) -> Result<(), DeskError> {
        let Some(since) = self.looks_back_to(carrier.name())? else { return Ok(()) };
        let (mut found, mut done) = (0, Ok(()));
        let looked = carrier.look_back(since, &mut |letters| {
            match self.remember(carrier.name(), &without_own(letters), now) {
                Ok(new) => found += new,
                Err(error) => done = Err(error),
            }
            done.is_ok()
        });
        done?;
        if let Err(trouble) = looked {
            tracing::warn!(carrier = carrier.name(), "letters that were kept could not be looked through: {trouble}");
        }
        self.tell_found(carrier.name(), found, now)
    }

    /// Tells the moderators that letters had been lost, and how many were found again.
    pub(in crate::desk) fn tell_found(
        &mut self,
        carrier: &str,
        found: usize,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        if found == 0 {
            return Ok(());
        }
        self.carriers.found += found as u64;
        tracing::warn!(carrier, found, "letters that the archive had lost were found with the carrier");
        self.tell_moderators("letters_found", context! { carrier, found }, &format!("found-{carrier}"), now)
    }

    /// Notes that a carrier has brought all that was kept. After the last of them, what is still missing is lost, and the
    /// moderators are told.
    pub(in crate::desk) fn note_looked_back(
        &mut self,
        carrier: &str,
        carriers: usize,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        let is_new = self.carriers.looked_back.insert(carrier.to_owned());
        let missing = self.archive.missing_letters().saturating_sub(self.carriers.found);
        if !is_new || self.carriers.looked_back.len() < carriers || missing == 0 {
            return Ok(());
        }
        tracing::warn!(missing, "letters that the archive had lost were found nowhere");
        self.tell_moderators("letters_missing", context! { missing }, "missing", now)
    }

    /// Tells the moderator of every game something that concerns all of them.
    fn tell_moderators(&mut self, key: &str, facts: Value, about: &str, now: DateTime<Utc>) -> Result<(), DeskError> {
        for game in self.archive.games()?.into_iter().filter(|game| game.status != Status::Ended) {
            let table = match self.try_table(&game.id) {
                Err(error) if error.is_of_everything() => return Err(error),
                Ok(table) => table,
                Err(_) => continue,
            };
            let mut sitting = Sitting::new(&self.house, &table, now);
            let line = sitting.say(Party::Moderator, key, facts.clone());
            let about = format!("{about}-{}", now.timestamp());
            let envelope = Envelope { kind: DispatchKind::Moderation, about, ..Envelope::default() };
            sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
            let dispatches = sitting.deed.dispatches;
            self.archive.commit(&Deed { dispatches, ..Deed::default() })?;
        }
        Ok(())
    }
}

/// Letters without those that the doctor sends to themselves, which are put away without us.
pub(in crate::desk) fn without_own(letters: Vec<Received>) -> Vec<Received> {
    let is_own =
        |received: &Received| open_beginning(&received.raw, &|_| false).is_ok_and(|letter| letter.kind == Kind::Loop);
    letters.into_iter().filter(|received| !is_own(received)).collect()
}
