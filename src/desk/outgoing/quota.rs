//! The quota of a provider: how many letters may leave now, and whom it hurts when they may not.
//!
//! What has left stands in the archive, so a daemon that was restarted counts on. What does not fit waits in the outbox, and
//! is not tried in vain.

use chrono::{DateTime, Duration, Utc};
use minijinja::context;

use crate::archive::{Deed, DispatchKind, Party, Status};
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::{Desk, DeskError};
use crate::report::letters::Content;

/// How many letters may leave now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::desk) enum Room {
    /// As many as there are.
    Endless,
    /// So many; and when the next one may, where none may now.
    For(usize, Option<DateTime<Utc>>),
}

impl Desk {
    /// How many letters a carrier may take beside those that are leaving already.
    pub(in crate::desk) fn quota(&self, carrier: &str, leaving: usize, now: DateTime<Utc>) -> Result<Room, DeskError> {
        let quota = self.house.carrier(carrier).habits.quota;
        let windows = [(quota.per_hour, Duration::hours(1)), (quota.per_day, Duration::days(1))];
        let mut room = Room::Endless;
        for (most, window) in windows.into_iter().filter_map(|(most, window)| Some((u64::from(most?), window))) {
            let sent = self.archive.sent_between(carrier, now - window, now)?;
            let left = most.saturating_sub(sent).saturating_sub(leaving as u64) as usize;
            // Where all are gone the next one leaves when the oldest of the last `most` is out of the window.
            let again = if sent >= most {
                self.archive.sent_before_the_last(carrier, most - 1, now)?.map(|oldest| oldest + window)
            } else {
                None
            };
            room = match room {
                Room::Endless => Room::For(left, again),
                Room::For(other, other_again) => Room::For(left.min(other), again.max(other_again)),
            };
        }
        Ok(room)
    }

    /// The moderators of games whose letters wait past their cut-off are told: once of each cut-off.
    pub(in crate::desk) fn note_held_back(
        &mut self,
        carrier: &str,
        again: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        for held in self.archive.held_back(carrier, again)? {
            let name = format!("quota.{carrier}.{}", held.game);
            let cut_off = held.cut_off.to_rfc3339();
            if self.archive.kept(&name)?.as_deref() == Some(cut_off.as_bytes()) {
                continue;
            }
            let table = match self.try_table(&held.game) {
                Err(error) if error.is_of_everything() => return Err(error),
                Ok(table) => table,
                // A game that cannot be opened keeps nobody else from hearing of it.
                Err(_) => continue,
            };
            if table.game.status != Status::Ended {
                let mut sitting = Sitting::new(&self.house, &table, now);
                let when = |time: DateTime<Utc>| sitting.when(Party::Moderator, time);
                let (letters, until, again) = (held.letters, when(held.cut_off), when(again));
                let said = context! { carrier, letters, cut_off => until, again };
                let line = sitting.say(Party::Moderator, "quota_used", said);
                let about = format!("quota-{carrier}-{}", held.cut_off.timestamp());
                let envelope = Envelope { kind: DispatchKind::Moderation, about, ..Envelope::default() };
                sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
                let mut new = Vec::new();
                for notice in std::mem::take(&mut sitting.deed.dispatches) {
                    if !self.archive.has_written(&notice)? {
                        new.push(notice);
                    }
                }
                self.archive.commit(&Deed { dispatches: new, ..Deed::default() })?;
            }
            self.archive.keep(&name, cut_off.as_bytes())?;
        }
        Ok(())
    }
}
