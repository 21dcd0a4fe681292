//! What a provider's quota is about: how much has left lately, and what goes first where not everything may.

use chrono::{DateTime, Utc};
use sqlx::Row;

use super::outbox::leaving;
use super::{Archive, ArchiveError, DispatchKind, Leaving, Urgency, read_time, stored_time};
use crate::game::GameId;

/// A letter that names a cut-off and waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeldBack {
    pub game: GameId,
    /// The cut-off that they would miss.
    pub cut_off: DateTime<Utc>,
    /// How many letters of the game name it.
    pub letters: u64,
}

impl Archive {
    /// How many letters have left by a carrier after a point in time. What a clock that was wrong has dated later than now
    /// does not count.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn sent_between(
        &self,
        carrier: &str,
        after: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<u64, ArchiveError> {
        self.run(async |connection| {
            let query = "select count(*) as letters from outbox where carrier = ? and sent_at > ? and sent_at <= ? \
                         and sent_at is not null and attempts > 0";
            let row = sqlx::query(query).bind(carrier).bind(stored_time(after)).bind(stored_time(now));
            Ok(row.fetch_one(connection).await?.try_get::<i64, _>("letters")? as u64)
        })
    }

    /// When the youngest letter but so many left by a carrier.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn sent_before_the_last(
        &self,
        carrier: &str,
        but: u64,
        now: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, ArchiveError> {
        self.run(async |connection| {
            let query = "select sent_at from outbox where carrier = ? and sent_at <= ? and sent_at is not null and attempts > 0 \
                         order by sent_at desc limit 1 offset ?";
            let row = sqlx::query(query).bind(carrier).bind(stored_time(now)).bind(but as i64);
            row.fetch_optional(connection).await?.map(|row| read_time(row.try_get("sent_at")?)).transpose()
        })
    }

    /// The dispatches that this carrier may try now where it does not take all of them: answers first, then what asks for
    /// orders, the nearest cut-off first, then the rest; in each, the games take turns.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn due_by_urgency(
        &self,
        carrier: &str,
        now: DateTime<Utc>,
        most: usize,
    ) -> Result<Vec<Leaving>, ArchiveError> {
        let named = |urgency: Urgency| {
            let kinds: Vec<&str> = DispatchKind::ALL
                .into_iter()
                .filter(|kind| kind.urgency() == urgency)
                .map(DispatchKind::name)
                .collect();
            serde_json::to_string(&kinds).map_err(|error| ArchiveError::Damaged(error.to_string()))
        };
        let (answers, asking) = (named(Urgency::Answer)?, named(Urgency::Asks)?);
        self.run(async |connection| {
            let query = "select message_id, game, row_number() over (order by urgency, soonest, place, id) as place from ( \
                         select message_id, game, id, urgency, case urgency when 1 then coalesce(cut_off, 'z') else '' end as soonest, \
                         row_number() over (partition by game, urgency order by next_try, id) as place from ( \
                         select *, case when kind in (select value from json_each(?3)) \
                         or (in_reply_to is not null and kind in ('announcement', 'invitation', 'absence')) then 0 \
                         when kind in (select value from json_each(?4)) then 1 else 2 end as urgency \
                         from outbox as own where own.status = 'waiting' and own.carrier = ?1 and own.next_try <= ?2 \
                         and not exists (select 1 from outbox as first where first.message_id = own.behind \
                         and first.carrier = own.carrier and first.status = 'waiting' and first.attempts = 0))) \
                         order by urgency, soonest, place, id limit ?5";
            let rows = sqlx::query(query).bind(carrier).bind(stored_time(now)).bind(answers).bind(asking).bind(most as i64);
            rows.fetch_all(connection).await?.iter().map(leaving).collect()
        })
    }

    /// The letters of a carrier that ask for orders until a cut-off which is over by then, and have not left.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn held_back(&self, carrier: &str, until: DateTime<Utc>) -> Result<Vec<HeldBack>, ArchiveError> {
        self.run(async |connection| {
            let query = "select game, cut_off, count(*) as letters from outbox where status = 'waiting' and carrier = ? \
                         and game is not null and turn is not null and cut_off <= ? and cut_off > written_at \
                         group by game, cut_off";
            let rows = sqlx::query(query).bind(carrier).bind(stored_time(until)).fetch_all(connection).await?;
            let held = rows.iter().map(|row| {
                let (cut_off, letters) = (read_time(row.try_get("cut_off")?)?, row.try_get::<i64, _>("letters")? as u64);
                Ok(HeldBack { game: row.try_get("game")?, cut_off, letters })
            });
            held.collect()
        })
    }
}
