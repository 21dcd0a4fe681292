//! What a carrier has to say to whoever moderates, before it is too late to say it.

use std::collections::BTreeSet;

use chrono::{DateTime, Duration, Utc};
use minijinja::context;
use serde::{Deserialize, Serialize};

use crate::archive::{Deed, DispatchKind, Party, Status};
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError};
use crate::post::{Cause, Warning};
use crate::report::letters::Content;

/// What comes back within so long is the same trouble: nobody is told of it again.
const SAME: Duration = Duration::days(1);

/// A warning as the archive has it, by its carrier and its cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Noted {
    /// When it began, in seconds.
    since: i64,
    says: String,
    /// When it was over.
    over: Option<i64>,
}

impl Desk {
    /// Notes what a carrier warns of, each cause by itself, and what it no longer warns of. Every moderator whose games use it is
    /// told at once, by every carrier that reaches them: the one that warns may still work for a while.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn note_warnings(
        &mut self,
        carrier: &str,
        warnings: &[Warning],
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        for cause in Cause::ALL {
            let says = warnings.iter().find(|warning| warning.cause == cause).map(|warning| warning.says.as_str());
            self.note_warning(carrier, cause, says, now)?;
        }
        Ok(())
    }

    fn note_warning(
        &mut self,
        carrier: &str,
        cause: Cause,
        says: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        let slot = (carrier.to_owned(), cause);
        let name = format!("warning.{carrier}.{}", cause.name());
        // It is asked in every round, and mostly nothing is new.
        if self.house.warnings.get(&slot).map(|(_, says)| says.as_str()) == says && self.carriers.warned.contains(&slot)
        {
            return Ok(());
        }
        self.carriers.warned.insert(slot.clone());
        let before = match self.noted(&name)? {
            None => self.noted_before(carrier, says)?,
            noted => noted,
        };
        let keep = |noted: &Noted| self.archive.keep(&name, serde_json::json!(noted).to_string().as_bytes());
        let Some(says) = says else {
            self.house.warnings.remove(&slot);
            return match before.filter(|before| before.over.is_none()) {
                Some(before) => Ok(keep(&Noted { over: Some(now.timestamp()), ..before })?),
                None => Ok(()),
            };
        };
        // What was said in other words, or was away for a while, belongs to the same trouble.
        let same = before.filter(|before| before.over.is_none_or(|over| now.timestamp() - over < SAME.num_seconds()));
        let since = same.as_ref().map_or(now.timestamp(), |before| before.since);
        self.house.warnings.insert(slot, (since, says.to_owned()));
        tracing::error!(carrier, cause = cause.name(), "somebody has to act: {says}");
        if same.is_none() {
            self.tell_warning(carrier, cause, since, says, now)?;
        }
        let says = says.to_owned();
        let noted = Noted { since, says, over: None };
        Ok(self.archive.keep(&name, serde_json::json!(noted).to_string().as_bytes())?)
    }

    /// What was warned of when we were last here.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(in crate::desk) fn recall_warnings(&mut self) -> Result<(), DeskError> {
        let names: Vec<String> = self.house.settings.carriers.iter().map(|carrier| carrier.name.clone()).collect();
        for (carrier, cause) in names.iter().flat_map(|carrier| Cause::ALL.map(|cause| (carrier, cause))) {
            let noted = self.noted(&format!("warning.{carrier}.{}", cause.name()))?;
            if let Some(noted) = noted.filter(|noted| noted.over.is_none()) {
                self.house.warnings.insert((carrier.clone(), cause), (noted.since, noted.says));
            }
        }
        Ok(())
    }

    fn noted(&self, name: &str) -> Result<Option<Noted>, DeskError> {
        Ok(self.archive.kept(name)?.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// What an earlier release has told: it knew one warning of a carrier, and wrote down since when, and its words.
    fn noted_before(&self, carrier: &str, says: Option<&str>) -> Result<Option<Noted>, DeskError> {
        let stored = self.archive.kept(&format!("warning.{carrier}"))?;
        let stored = stored.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let (since, told) = stored.split_once(' ').unwrap_or_default();
        let since = since.parse().ok().filter(|_| Some(told) == says);
        Ok(since.map(|since| Noted { since, says: told.to_owned(), over: None }))
    }

    fn tell_warning(
        &mut self,
        carrier: &str,
        cause: Cause,
        since: i64,
        says: &str,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
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
                let said = context! { carrier, why => says, browser => cause.wants_browser() };
                let line = sitting.say(Party::Moderator, "carrier_warning", said);
                let person = self.house.aside_name(&address.address);
                let about = format!("warning-{carrier}-{}-{since}-{person}", cause.name());
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
        Ok(())
    }
}
