//! Sweeping: what need not be kept is let go of, and the file gives the room back. A little at a time, so that nobody waits.

use crate::game::GameId;
use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use super::deed::at_once;
use super::letters::behead;
use super::messages::drop_messages;
use super::offered::drop_offered;
use super::{Archive, ArchiveError, stored_time};

/// Until when what is old may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Letters that were remembered before this keep their head; what players wrote to each other goes with them,
    /// and so do codes and answers of the order page.
    pub letters: DateTime<Utc>,
    /// Letters of ours that were written before this keep their words: pictures, pages and data can be made again.
    pub pictures: DateTime<Utc>,
    /// States of rulings before this go; the last of each game stays.
    pub snapshots: DateTime<Utc>,
}

/// How much of an archive is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// The bytes of the file.
    pub bytes: u64,
    /// Those in which nothing stands.
    pub free: u64,
}

/// How many rows go in one step.
const STEP: u32 = 50;
/// How many pages are given back in one step.
const PAGES: u32 = 256;

impl Archive {
    /// Lets go of a little of what is old; says how many letters and states it was. Nothing is left to do at 0.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn sweep(&self, retention: Retention) -> Result<usize, ArchiveError> {
        self.run(async |connection| {
            at_once(connection, async |connection| {
                let mut swept = strip_dispatches(connection, retention.pictures).await?;
                swept += behead_letters(connection, retention.letters).await?;
                swept += drop_messages(connection, retention.letters, STEP).await?;
                swept += drop_of_the_page(connection, retention.letters).await?;
                swept += drop_snapshots(connection, retention.snapshots).await?;
                Ok(swept)
            })
            .await
        })
    }

    /// Gives a little room back to the disk; says whether there is more to give.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn give_back(&self) -> Result<bool, ArchiveError> {
        if self.room()?.free == 0 || !self.can_shrink()? {
            return Ok(false);
        }
        self.run(async |connection| {
            let query = AssertSqlSafe(format!("pragma incremental_vacuum({PAGES})"));
            sqlx::query(query).fetch_all(connection).await?;
            Ok(())
        })?;
        Ok(self.room()?.free > 0)
    }

    /// Whether the file can become smaller step by step. Archives of the first edition cannot until they are made anew.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn can_shrink(&self) -> Result<bool, ArchiveError> {
        self.run(async |connection| {
            Ok(sqlx::query("pragma auto_vacuum").fetch_one(connection).await?.try_get::<i64, _>(0)? == 2)
        })
    }

    /// Writes the whole file anew, so that it can become smaller from now on. It takes its time and as much room again.
    ///
    /// # Errors
    /// There is too little room; the archive is what it was.
    pub fn make_anew(&self) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            sqlx::query("pragma auto_vacuum = 2").execute(&mut *connection).await?;
            sqlx::query("vacuum").execute(&mut *connection).await?;
            sqlx::query("pragma wal_checkpoint(truncate)").execute(connection).await?;
            Ok(())
        })
    }

    /// How large the archive is, and how much of it is free.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn room(&self) -> Result<Room, ArchiveError> {
        self.run(async |connection| {
            let mut numbers = [0_u64; 3];
            let queries = ["pragma page_size", "pragma page_count", "pragma freelist_count"];
            for (number, query) in numbers.iter_mut().zip(queries) {
                *number = sqlx::query(query).fetch_one(&mut *connection).await?.try_get::<i64, _>(0)? as u64;
            }
            let [size, pages, free] = numbers;
            Ok(Room { bytes: size * pages, free: size * free })
        })
    }
}

/// Takes from letters that have left what can be made again, and the pictures that no letter shows any more.
async fn strip_dispatches(connection: &mut SqliteConnection, before: DateTime<Utc>) -> Result<usize, ArchiveError> {
    let query = "select id, message_id, picture from outbox where bulky = 1 and status <> 'waiting' and written_at < ? \
                 order by written_at limit ?";
    let rows = sqlx::query(query).bind(stored_time(before)).bind(STEP).fetch_all(&mut *connection).await?;
    for row in &rows {
        let (id, picture): (i64, Option<String>) = (row.try_get("id")?, row.try_get("picture")?);
        drop_offered(connection, row.try_get("message_id")?).await?;
        let query = "update outbox set picture = null, bulky = 0 where id = ?";
        sqlx::query(query).bind(id).execute(&mut *connection).await?;
        let query = "update pages set html = null, data = null where dispatch = ?";
        sqlx::query(query).bind(id).execute(&mut *connection).await?;
        if let Some(picture) = picture {
            let query = "delete from pictures where hash = ?1 and not exists (select 1 from outbox where picture = ?1)";
            sqlx::query(query).bind(picture).execute(&mut *connection).await?;
        }
    }
    Ok(rows.len())
}

async fn behead_letters(connection: &mut SqliteConnection, before: DateTime<Utc>) -> Result<usize, ArchiveError> {
    let query = "select id from letters where whole = 1 and status in ('handled', 'aside', 'ignored') \
                 and remembered_at < ? order by remembered_at limit ?";
    let rows = sqlx::query(query).bind(stored_time(before)).bind(STEP).fetch_all(&mut *connection).await?;
    for row in &rows {
        behead(connection, row.try_get("id")?).await?;
    }
    Ok(rows.len())
}

/// Codes are good for minutes, and an answer was read when it was given.
async fn drop_of_the_page(connection: &mut SqliteConnection, before: DateTime<Utc>) -> Result<usize, ArchiveError> {
    let query = "delete from codes where id in (select id from codes where asked_at < ? order by asked_at limit ?)";
    let codes = sqlx::query(query).bind(stored_time(before)).bind(STEP).execute(&mut *connection).await?;
    let query = "delete from page_answers where (game, seat, form) in \
                 (select game, seat, form from page_answers where written_at < ? order by written_at limit ?)";
    let answers = sqlx::query(query).bind(stored_time(before)).bind(STEP).execute(&mut *connection).await?;
    Ok((codes.rows_affected() + answers.rows_affected()) as usize)
}

async fn drop_snapshots(connection: &mut SqliteConnection, before: DateTime<Utc>) -> Result<usize, ArchiveError> {
    // Most games have only their last.
    let query = "select id from games where (select count(*) from snapshots where game = games.id) > 1";
    let games = sqlx::query(query).fetch_all(&mut *connection).await?;
    let mut dropped = 0;
    for row in &games {
        let query = "delete from snapshots where game = ?1 and number < (select max(number) from snapshots as last \
                     join rulings on rulings.id = last.ruling where last.game = ?1 and voided = 0) \
                     and ruling in (select id from rulings where game = ?1 and ruled_at < ?2)";
        let game: GameId = row.try_get("id")?;
        let done = sqlx::query(query).bind(game).bind(stored_time(before)).execute(&mut *connection).await?;
        dropped += done.rows_affected() as usize;
    }
    Ok(dropped)
}
