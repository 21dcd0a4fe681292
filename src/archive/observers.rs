//! Who reads the public record of a game without playing it.

use chrono::{DateTime, Utc};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::people::PersonId;
use super::{Archive, ArchiveError, damaged, stored_time};
use crate::game::{GameId, Phase, TurnPhase};

/// Somebody who reads along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observer {
    pub game: GameId,
    pub person: PersonId,
    pub level: Level,
    /// How far they have been told: the rollbacks, the phase that was open, and the last event.
    pub told: Told,
}

/// How far somebody has been told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    pub era: u32,
    pub open: TurnPhase,
    pub event: u64,
}

/// How much somebody reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// A letter for each ruling.
    Each,
    /// A digest of each turn, when it is over.
    Turns,
    /// One letter, when the game has ended.
    End,
}

impl Level {
    const ALL: [Level; 3] = [Level::Each, Level::Turns, Level::End];

    /// Its name in the archive and among the phrases.
    pub fn name(self) -> &'static str {
        match self {
            Level::Each => "each",
            Level::Turns => "turns",
            Level::End => "end",
        }
    }
}

impl Archive {
    /// Everybody who reads along in any game.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn observers(&self) -> Result<Vec<Observer>, ArchiveError> {
        self.run(async |connection| {
            let query = "select * from observers order by game, person";
            sqlx::query(query).fetch_all(connection).await?.iter().map(observer).collect()
        })
    }

    /// Where a person reads along.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn observed_by(&self, person: PersonId) -> Result<Vec<Observer>, ArchiveError> {
        self.run(async |connection| {
            let query = "select * from observers where person = ? order by game";
            sqlx::query(query).bind(person.0).fetch_all(connection).await?.iter().map(observer).collect()
        })
    }

    /// Notes that somebody reads along, how much, and how far they have been told.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn observe(&self, observer: &Observer, now: DateTime<Utc>) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let query = "insert into observers (game, person, level, since, era, turn, phase, event) \
                         values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (game, person) do update set level = excluded.level, \
                         era = excluded.era, turn = excluded.turn, phase = excluded.phase, event = excluded.event";
            let Observer { game, person, level, told } = observer;
            let row = sqlx::query(query).bind(game).bind(person.0).bind(level.name()).bind(stored_time(now));
            let row = row.bind(told.era).bind(told.open.turn).bind(told.open.phase.name());
            row.bind(i64::try_from(told.event).unwrap_or(i64::MAX)).execute(connection).await?;
            Ok(())
        })
    }

    /// Somebody reads along no longer: in this game, or in any. Says in how many they did.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn stop_observing(&self, person: PersonId, game: Option<&GameId>) -> Result<u64, ArchiveError> {
        self.run(async |connection| {
            let query = "delete from observers where person = ?1 and (?2 is null or game = ?2)";
            let game = game.map(GameId::as_str);
            Ok(sqlx::query(query).bind(person.0).bind(game).execute(connection).await?.rows_affected())
        })
    }
}

fn observer(row: &SqliteRow) -> Result<Observer, ArchiveError> {
    let (level, phase): (&str, &str) = (row.try_get("level")?, row.try_get("phase")?);
    let phase = Phase::named(phase).ok_or_else(|| damaged("a phase", phase))?;
    Ok(Observer {
        game: row.try_get("game")?,
        person: PersonId(row.try_get("person")?),
        level: Level::ALL.into_iter().find(|one| one.name() == level).ok_or_else(|| damaged("a level", level))?,
        told: Told {
            era: row.try_get("era")?,
            open: TurnPhase::new(row.try_get("turn")?, phase),
            event: row.try_get::<i64, _>("event")?.unsigned_abs(),
        },
    })
}
