//! The moderator's log.

use chrono::{DateTime, Utc};
use sqlx::{Row, SqliteConnection};

use super::letters::LetterId;
use super::{Archive, ArchiveError, damaged, read_time, stored_time};
use crate::game::{GameId, Phase, TurnPhase};

/// A command of the moderator, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moderation {
    /// The letter it came with.
    pub letter: Option<LetterId>,
    /// When.
    pub at: DateTime<Utc>,
    /// Who commanded.
    pub by: String,
    /// The player's words.
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
            let rows = rows.fetch_all(connection).await?;
            let moderation = |row: &sqlx::sqlite::SqliteRow| {
                let phase: &str = row.try_get("phase")?;
                Ok(Moderation {
                    letter: row.try_get::<Option<i64>, _>("letter")?.map(LetterId),
                    at: read_time(row.try_get("at")?)?,
                    by: row.try_get("by")?,
                    command: row.try_get("command")?,
                    phase: TurnPhase::new(
                        row.try_get("turn")?,
                        Phase::named(phase).ok_or_else(|| damaged("a phase", phase))?,
                    ),
                    outcome: row.try_get("outcome")?,
                    done: row.try_get("done")?,
                    shown: row.try_get("shown")?,
                })
            };
            rows.iter().map(moderation).collect()
        })
    }
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
