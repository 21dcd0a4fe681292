//! What a carrier has to say to whoever moderates, before it is too late to say it.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use minijinja::context;

use crate::archive::{Deed, DispatchKind, Party, Status};
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError};
use crate::report::letters::Content;

impl Desk {
    /// Notes what a carrier warns of, or that it no longer does. Every moderator whose games use it is told at once, by every
    /// carrier that reaches them: the one that warns may still work for a while.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn note_warning(
        &mut self,
        carrier: &str,
        says: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        let name = format!("warning.{carrier}");
        let stored = self.archive.kept(&name)?.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let (since, told) = stored.split_once(' ').unwrap_or_default();
        let Some(says) = says else {
            self.carriers.warnings.remove(carrier);
            return if stored.is_empty() { Ok(()) } else { Ok(self.archive.keep(&name, b"")?) };
        };
        self.carriers.warnings.insert(carrier.to_owned(), says.to_owned());
        if told == says {
            return Ok(());
        }
        // What was said in other words belongs to the same trouble.
        let since: i64 = since.parse().unwrap_or_else(|_| now.timestamp());
        tracing::error!(carrier, "somebody has to act: {says}");
        let mut reached: BTreeSet<(String, String)> = BTreeSet::new();
        for game in self.archive.games()?.into_iter().filter(|game| game.status != Status::Ended) {
            let table = match self.try_table(&game.id) {
                Err(error) if error.is_of_everything() => return Err(error),
                Ok(table) => table,
                // A game that cannot be opened keeps nobody else from hearing of it.
                Err(_) => continue,
            };
            let is_used = table.seats.iter().any(|seat| seat.addresses.iter().any(|at| at.carrier == carrier));
            let addresses = table.seat(Party::Moderator).map(|seat| seat.addresses.clone()).unwrap_or_default();
            let mut sitting = Sitting::new(&self.house, &table, now);
            for address in addresses.iter().filter(|_| is_used) {
                if !reached.insert((address.carrier.clone(), address.address.clone())) {
                    continue;
                }
                let line = sitting.say(Party::Moderator, "carrier_warning", context! { carrier, why => says });
                let about = format!("warning-{carrier}-{since}-{}", self.house.aside_name(&address.address));
                let envelope =
                    Envelope { kind: DispatchKind::Moderation, about, to: Some(address), ..Envelope::default() };
                sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
            }
            let (mut dispatches, mut new) = (std::mem::take(&mut sitting.deed.dispatches), Vec::new());
            for notice in dispatches.drain(..) {
                if !self.archive.has_written(&notice)? {
                    new.push(notice);
                }
            }
            self.archive.commit(&Deed { dispatches: new, ..Deed::default() })?;
        }
        Ok(self.archive.keep(&name, format!("{since} {says}").as_bytes())?)
    }
}
