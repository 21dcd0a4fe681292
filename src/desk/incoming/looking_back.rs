//! Letters that the carriers hold and the archive has lost: a damaged WAL takes those that came last, and a copy that was put in
//! the archive's place lacks all that came since. They are found by looking back, and taken up like any other.

use chrono::{DateTime, Duration, Utc};
use minijinja::context;

use crate::archive::{Deed, DispatchKind, Party, Status};
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError};
use crate::post::letter::{Kind, open_with};
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
            match self.take_back(carrier.name(), letters, now) {
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

    /// Remembers of letters that were kept those that the archive does not know. Says how many.
    pub(in crate::desk) fn take_back(
        &self,
        carrier: &str,
        letters: Vec<Received>,
        now: DateTime<Utc>,
    ) -> Result<usize, DeskError> {
        // What the doctor sends to himself is put away without us.
        let is_own =
            |received: &Received| open_with(&received.raw, &|_| false).is_ok_and(|letter| letter.kind == Kind::Loop);
        let letters: Vec<_> = letters.into_iter().filter(|received| !is_own(received)).collect();
        self.remember(carrier, &letters, now)
    }

    /// Tells the moderators that letters had been lost, and how many were found again.
    pub(in crate::desk) fn tell_found(
        &mut self,
        carrier: &str,
        found: usize,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        let missing = self.archive.missing_letters();
        if found == 0 {
            return Ok(());
        }
        tracing::warn!(carrier, found, missing, "letters that the archive had lost were found with the carrier");
        for game in self.archive.games()?.into_iter().filter(|game| game.status != Status::Ended) {
            let table = match self.try_table(&game.id) {
                Err(error) if error.is_of_everything() => return Err(error),
                Ok(table) => table,
                Err(_) => continue,
            };
            let mut sitting = Sitting::new(&self.house, &table, now);
            let line = sitting.say(Party::Moderator, "letters_found", context! { carrier, found });
            let about = format!("found-{carrier}-{}", now.timestamp());
            let envelope = Envelope { kind: DispatchKind::Moderation, about, ..Envelope::default() };
            sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
            let dispatches = sitting.deed.dispatches;
            self.archive.commit(&Deed { dispatches, ..Deed::default() })?;
        }
        Ok(())
    }
}
