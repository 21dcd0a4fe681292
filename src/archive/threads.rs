//! Threads of forums: where a game is played, and what of ours stands there.

use chrono::{DateTime, Utc};
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use super::letters::LetterId;
use super::outbox::{ANSWERED, OurLetter, answered};
use super::{Archive, ArchiveError, DispatchKind, Party, SeatId, read_time};
use crate::game::GameId;
use crate::post::Mark;

/// A thread of a game: the public one, or the private one with a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadRecord {
    pub party: Party,
    /// The carrier of its forum.
    pub carrier: String,
    /// The forum's id of it; none until it is opened.
    pub thread: Option<String>,
    /// The post in it that is edited in place.
    pub status_post: Option<String>,
    /// The hash of what that post says, or is about to say.
    pub status: Option<String>,
    /// How often it was written.
    pub statuses: u32,
}

/// An earlier letter of the same post: what it said before it was edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Earlier {
    pub id: LetterId,
    pub arrived: DateTime<Utc>,
    pub raw: Vec<u8>,
    /// Whether it was read and answered, not only passed over.
    pub was_handled: bool,
}

impl Archive {
    /// The threads of a game.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn threads(&self, game: &GameId) -> Result<Vec<ThreadRecord>, ArchiveError> {
        self.run(async |connection| {
            let query = "select * from threads where game = ? order by seat, carrier";
            sqlx::query(query).bind(game).fetch_all(connection).await?.iter().map(thread).collect()
        })
    }

    /// The game that is played in a thread, and whose thread it is.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn game_in(&self, carrier: &str, thread: &str) -> Result<Option<SeatId>, ArchiveError> {
        self.run(async |connection| {
            let query = "select game, seat from threads join games on games.id = game \
                         where carrier = ? and thread = ? order by games.status = 'ended', created_at desc limit 1";
            let row = sqlx::query(query).bind(carrier).bind(thread).fetch_optional(connection).await?;
            row.as_ref().map(SeatId::read).transpose()
        })
    }

    /// The public threads of games that have not ended.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn public_threads(&self, carrier: &str) -> Result<Vec<String>, ArchiveError> {
        self.run(async |connection| {
            let query = "select distinct thread from threads join games on games.id = game \
                         where carrier = ? and seat = ? and thread is not null and games.status <> 'ended' order by thread";
            let rows = sqlx::query(query).bind(carrier).bind(Party::Public.stored()).fetch_all(connection).await?;
            rows.iter().map(|row| Ok(row.try_get("thread")?)).collect()
        })
    }

    /// The marks of the last letter of every post that a carrier brought.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn kept_posts(&self, carrier: &str) -> Result<Vec<Mark>, ArchiveError> {
        self.run(async |connection| {
            // Of a group SQLite gives the columns of the row with the greatest id; an index has all of them.
            let query = "select message_id, hash, max(id) as id from letters where carrier = ? group by message_id";
            let rows = sqlx::query(query).bind(carrier).fetch_all(connection).await?;
            let mark = |row: &SqliteRow| {
                let (post, hash): (&str, &str) = (row.try_get("message_id")?, row.try_get("hash")?);
                let content = hash.split('.').next().unwrap_or(hash);
                Ok(Mark(format!("{post}.{content}")))
            };
            rows.iter().map(mark).collect()
        })
    }

    /// What a post said before this letter of it.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn earlier(&self, carrier: &str, post: &str, than: LetterId) -> Result<Option<Earlier>, ArchiveError> {
        self.run(async |connection| {
            let query = "select id, arrived_at, raw, status from letters join raws on letter = id \
                         where carrier = ? and message_id = ? and id < ? order by id desc limit 1";
            let row = sqlx::query(query).bind(carrier).bind(post).bind(than.0).fetch_optional(connection).await?;
            row.map(|row| {
                Ok(Earlier {
                    id: LetterId(row.try_get("id")?),
                    arrived: read_time(row.try_get("arrived_at")?)?,
                    raw: row.try_get("raw")?,
                    was_handled: row.try_get::<&str, _>("status")? == "handled",
                })
            })
            .transpose()
        })
    }

    /// The letter of ours that stands in this post.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn posted_as(&self, carrier: &str, post: &str) -> Result<Option<OurLetter>, ArchiveError> {
        self.run(async |connection| {
            let query = AssertSqlSafe(format!(
                "select {ANSWERED} from outbox where carrier = ?1 and post = ?2 and kind <> ?3 order by id desc limit 1"
            ));
            let row = sqlx::query(query)
                .bind(carrier)
                .bind(post)
                .bind(DispatchKind::Status.name())
                .fetch_optional(connection)
                .await?;
            row.as_ref().map(answered).transpose()
        })
    }

    /// The last letter of ours in a thread before this post.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn posted_before(
        &self,
        carrier: &str,
        thread: &str,
        post: &str,
    ) -> Result<Option<OurLetter>, ArchiveError> {
        self.run(async |connection| {
            // The ids of posts end in numbers that grow.
            let query = AssertSqlSafe(format!(
                "select {ANSWERED}, cast(substr(post, instr(post, '-') + 1) as integer) as number, \
                 cast(substr(?3, instr(?3, '-') + 1) as integer) as below from outbox \
                 where carrier = ?1 and in_thread = ?2 and kind <> ?4 and number < below \
                 order by number desc, id desc limit 1"
            ));
            let row = sqlx::query(query)
                .bind(carrier)
                .bind(thread)
                .bind(post)
                .bind(DispatchKind::Status.name())
                .fetch_optional(connection)
                .await?;
            row.as_ref().map(answered).transpose()
        })
    }
}

fn thread(row: &SqliteRow) -> Result<ThreadRecord, ArchiveError> {
    Ok(ThreadRecord {
        party: Party::read(row.try_get("seat")?)?,
        carrier: row.try_get("carrier")?,
        thread: row.try_get("thread")?,
        status_post: row.try_get("status_post")?,
        status: row.try_get("status")?,
        statuses: row.try_get("statuses")?,
    })
}

pub(super) async fn upsert_thread(
    connection: &mut SqliteConnection,
    game: &GameId,
    thread: &ThreadRecord,
) -> Result<(), ArchiveError> {
    let query = "insert into threads (game, seat, carrier, thread, status_post, status, statuses) \
                 values (?, ?, ?, ?, ?, ?, ?) on conflict (game, seat, carrier) do update set thread = excluded.thread, \
                 status_post = excluded.status_post, status = excluded.status, statuses = excluded.statuses";
    sqlx::query(query)
        .bind(game)
        .bind(thread.party.stored())
        .bind(&thread.carrier)
        .bind(&thread.thread)
        .bind(&thread.status_post)
        .bind(&thread.status)
        .bind(thread.statuses)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn note_receipt(
    connection: &mut SqliteConnection,
    message_id: &str,
    thread: Option<&str>,
    post: Option<&str>,
) -> Result<(), ArchiveError> {
    let query = "update outbox set in_thread = ?, post = ? where message_id = ?";
    sqlx::query(query).bind(thread).bind(post).bind(message_id).execute(connection).await?;
    Ok(())
}
