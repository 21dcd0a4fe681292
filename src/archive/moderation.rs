//! The moderator's log, and what waits to be confirmed.

use chrono::{DateTime, Utc};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::letters::LetterId;
use super::{Archive, ArchiveError, Party, damaged, read_time, stored_time};
use crate::game::{GameId, Phase, TurnPhase};

/// A command of the moderator, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moderation {
    /// The letter it came with.
    pub letter: Option<LetterId>,
    pub at: DateTime<Utc>,
    pub by: String,
    pub command: String,
    /// The phase that was open.
    pub phase: TurnPhase,
    /// What came of it, in words.
    pub outcome: String,
    /// Whether it was done, and not only shown or refused.
    pub done: bool,
    /// Whether it was shown and may be agreed to; none where the first edition did not note it.
    pub shown: Option<bool>,
}

impl Archive {
    /// The log of a game, the oldest first.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn moderations(&self, game: &GameId) -> Result<Vec<Moderation>, ArchiveError> {
        self.run(async |connection| {
            let rows = sqlx::query("select * from moderation where game = ? order by id").bind(game);
            rows.fetch_all(connection).await?.iter().map(moderation).collect()
        })
    }

    /// What was done last in a game, the newest first; so many at most.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn last_done(&self, game: &GameId, most: u32) -> Result<Vec<Moderation>, ArchiveError> {
        self.run(async |connection| {
            let query = "select * from moderation where game = ? and done = 1 order by id desc limit ?";
            let rows = sqlx::query(query).bind(game).bind(most).fetch_all(connection).await?;
            rows.iter().map(moderation).collect()
        })
    }

    /// Letters of a game that wait until their sender is confirmed, the first first: for whom they would be, and since when.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn parked_in(&self, game: &GameId) -> Result<Vec<(Party, DateTime<Utc>)>, ArchiveError> {
        self.run(async |connection| {
            let query = "select parked.seat, arrived_at from parked join letters on letters.id = parked.letter \
                         where parked.game = ? and status = 'parked' order by parked.letter";
            let rows = sqlx::query(query).bind(game).fetch_all(connection).await?;
            let parked =
                |row: &SqliteRow| Ok((Party::read(row.try_get("seat")?)?, read_time(row.try_get("arrived_at")?)?));
            rows.iter().map(parked).collect()
        })
    }
}

fn moderation(row: &SqliteRow) -> Result<Moderation, ArchiveError> {
    let phase: &str = row.try_get("phase")?;
    Ok(Moderation {
        letter: row.try_get::<Option<i64>, _>("letter")?.map(LetterId),
        at: read_time(row.try_get("at")?)?,
        by: row.try_get("by")?,
        command: row.try_get("command")?,
        phase: TurnPhase::new(row.try_get("turn")?, Phase::named(phase).ok_or_else(|| damaged("a phase", phase))?),
        outcome: row.try_get("outcome")?,
        done: row.try_get("done")?,
        shown: row.try_get("shown")?,
    })
}

pub(super) async fn insert_moderation(
    connection: &mut SqliteConnection,
    game: &GameId,
    moderation: &Moderation,
) -> Result<(), ArchiveError> {
    let query = "insert into moderation (game, letter, at, by, command, turn, phase, outcome, done, shown) \
                 values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    sqlx::query(query)
        .bind(game)
        .bind(moderation.letter.map(|letter| letter.0))
        .bind(stored_time(moderation.at))
        .bind(&moderation.by)
        .bind(&moderation.command)
        .bind(moderation.phase.turn)
        .bind(moderation.phase.phase.name())
        .bind(&moderation.outcome)
        .bind(moderation.done)
        .bind(moderation.shown)
        .execute(connection)
        .await?;
    Ok(())
}
