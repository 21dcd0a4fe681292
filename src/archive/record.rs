//! What was ruled, turn by turn, with what happened by it: the public record is made anew from it.

use chrono::{DateTime, Utc};
use sqlx::Row;

use super::{Archive, ArchiveError, damaged, read_time};
use crate::game::{Event, GameId, Phase};

/// A ruling that stands, with its events.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RulingWithEvents {
    pub turn: u16,
    pub phase: Phase,
    /// When it was made.
    pub ruled_at: DateTime<Utc>,
    /// What brought it about, the name of a [`super::Reason`].
    pub reason: String,
    pub events: Vec<Event>,
}

impl Archive {
    /// The rulings that stand up to the end of a turn, from the event of this number on, the oldest first.
    ///
    /// # Errors
    /// The archive does not answer, or holds what is no event.
    pub(crate) fn rulings_until(
        &self,
        game: &GameId,
        from: u64,
        turn: u16,
    ) -> Result<Vec<RulingWithEvents>, ArchiveError> {
        self.run(async |connection| {
            let query = "select ruling, turn, phase, ruled_at, reason, event from events \
                         join rulings on rulings.id = ruling \
                         where events.game = ? and number >= ? and voided = 0 and turn <= ? order by number";
            let rows = sqlx::query(query).bind(game).bind(from as i64).bind(turn).fetch_all(connection).await?;
            let mut rulings: Vec<(i64, RulingWithEvents)> = Vec::new();
            for row in &rows {
                let (id, text): (i64, &str) = (row.try_get("ruling")?, row.try_get("event")?);
                let event = serde_json::from_str(text).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
                if let Some((_, last)) = rulings.last_mut().filter(|(last, _)| *last == id) {
                    last.events.push(event);
                    continue;
                }
                let phase: &str = row.try_get("phase")?;
                let ruling = RulingWithEvents {
                    turn: row.try_get("turn")?,
                    phase: Phase::named(phase).ok_or_else(|| damaged("a phase", phase))?,
                    ruled_at: read_time(row.try_get("ruled_at")?)?,
                    reason: row.try_get("reason")?,
                    events: vec![event],
                };
                rulings.push((id, ruling));
            }
            Ok(rulings.into_iter().map(|(_, ruling)| ruling).collect())
        })
    }
}
