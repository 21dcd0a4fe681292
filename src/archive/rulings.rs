//! Sheets, rulings and events.

use chrono::{DateTime, Utc};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::{Archive, ArchiveError, damaged, read_time, stored_time};
use crate::game::{Event, GameId, Phase, TurnPhase};
use crate::orders::Sheet;
use crate::rules::Civ;

/// A ruling that is to be written down.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRuling {
    /// The turn it belongs to.
    pub turn: u16,
    /// The phase that was open.
    pub phase: Phase,
    /// Which ruling of that phase it is, from 1.
    pub step: u32,
    /// When it was made.
    pub ruled_at: DateTime<Utc>,
    /// What brought it about.
    pub reason: Reason,
    pub events: Vec<Event>,
    /// The number of the first event, counted over the whole game from 1.
    pub first_event: u64,
    /// What was true afterwards, where that is to be found quickly.
    pub snapshot: Option<Snapshot>,
}

/// What was true after a ruling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The number of the last event before it.
    pub number: u64,
    /// The state as JSON.
    pub state: String,
    pub hash: String,
}

/// What brought a ruling about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Beginning,
    /// The phase waits for nobody.
    AtOnce,
    AllIn,
    CutOff,
    /// A letter of trade arrived.
    Letter,
    /// The moderator said so.
    Moderator,
    /// The players agreed on it.
    Vote,
}

impl Reason {
    /// Its name in the archive.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Reason::Beginning => "beginning",
            Reason::AtOnce => "at once",
            Reason::AllIn => "all in",
            Reason::CutOff => "cut-off",
            Reason::Letter => "letter",
            Reason::Moderator => "moderator",
            Reason::Vote => "vote",
        }
    }
}

/// A ruling as it is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulingRecord {
    /// How many rollbacks there had been.
    pub era: u32,
    pub turn: u16,
    pub phase: Phase,
    /// Which ruling of that phase it is.
    pub step: u32,
    /// When it was made.
    pub ruled_at: DateTime<Utc>,
    /// What brought it about.
    pub reason: String,
    /// Whether a rollback has voided it.
    pub voided: bool,
    /// The numbers of its first and last event; none where nothing happened.
    pub events: Option<(u64, u64)>,
}

impl Archive {
    /// The events of a game that stand, from one number on.
    ///
    /// # Errors
    /// The archive does not answer, or holds what is no event.
    pub fn events(&self, game: &GameId, from: u64) -> Result<Vec<Event>, ArchiveError> {
        let numbered = self.numbered_events(game, from)?;
        Ok(numbered.into_iter().map(|(_, event)| event).collect())
    }

    /// The same with their numbers.
    ///
    /// # Errors
    /// The archive does not answer, or holds what is no event.
    pub(crate) fn numbered_events(&self, game: &GameId, from: u64) -> Result<Vec<(u64, Event)>, ArchiveError> {
        self.run(async |connection| {
            let query = "select number, event from events join rulings on rulings.id = ruling \
                         where events.game = ? and number >= ? and voided = 0 order by number";
            let rows = sqlx::query(query).bind(game).bind(from as i64).fetch_all(connection).await?;
            rows.iter().map(|row| Ok((row.try_get::<i64, _>("number")? as u64, event(row)?))).collect()
        })
    }

    /// The number of the last event of a game, voided ones counted; 0 where there is none.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn last_event(&self, game: &GameId) -> Result<u64, ArchiveError> {
        self.run(async |connection| {
            let query = "select coalesce(max(number), 0) as number from events where game = ?";
            Ok(sqlx::query(query).bind(game).fetch_one(connection).await?.try_get::<i64, _>("number")? as u64)
        })
    }

    /// The last snapshot of a game that stands.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn snapshot(&self, game: &GameId) -> Result<Option<Snapshot>, ArchiveError> {
        self.run(async |connection| {
            let query = "select number, state, hash from snapshots join rulings on rulings.id = ruling \
                         where snapshots.game = ? and voided = 0 order by number desc limit 1";
            let row = sqlx::query(query).bind(game).fetch_optional(connection).await?;
            row.map(|row| {
                let number: i64 = row.try_get("number")?;
                Ok(Snapshot { number: number as u64, state: row.try_get("state")?, hash: row.try_get("hash")? })
            })
            .transpose()
        })
    }

    /// The last snapshot that stands from before a turn: what was true when it began, or earlier.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn snapshot_before(&self, game: &GameId, turn: u16) -> Result<Option<Snapshot>, ArchiveError> {
        self.run(async |connection| {
            let query = "select number, state, hash from snapshots join rulings on rulings.id = ruling \
                         where snapshots.game = ? and voided = 0 and turn < ? order by number desc limit 1";
            let row = sqlx::query(query).bind(game).bind(turn).fetch_optional(connection).await?;
            row.map(|row| {
                let number: i64 = row.try_get("number")?;
                Ok(Snapshot { number: number as u64, state: row.try_get("state")?, hash: row.try_get("hash")? })
            })
            .transpose()
        })
    }

    /// The events of a game that stand and belong to rulings of one turn, from one number on, with their numbers.
    ///
    /// # Errors
    /// The archive does not answer, or holds what is no event.
    pub fn events_until(&self, game: &GameId, from: u64, turn: u16) -> Result<Vec<(u64, Event)>, ArchiveError> {
        self.run(async |connection| {
            let query = "select number, event from events join rulings on rulings.id = ruling \
                         where events.game = ? and number >= ? and voided = 0 and turn <= ? order by number";
            let rows = sqlx::query(query).bind(game).bind(from as i64).bind(turn).fetch_all(connection).await?;
            rows.iter().map(|row| Ok((row.try_get::<i64, _>("number")? as u64, event(row)?))).collect()
        })
    }

    /// All rulings of a game, voided ones too, the oldest first.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn rulings(&self, game: &GameId) -> Result<Vec<RulingRecord>, ArchiveError> {
        self.run(async |connection| {
            let query = "select rulings.*, min(number) as first, max(number) as last from rulings \
                         left join events on ruling = rulings.id where rulings.game = ? group by rulings.id order by rulings.id";
            sqlx::query(query).bind(game).fetch_all(connection).await?.iter().map(ruling).collect()
        })
    }

    /// The phases of a game that were ruled and stand, the last first; so many at most.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn ruled_phases(&self, game: &GameId, most: u32) -> Result<Vec<TurnPhase>, ArchiveError> {
        self.run(async |connection| {
            let query = "select turn, phase from rulings where game = ? and voided = 0 \
                         group by turn, phase order by max(id) desc limit ?";
            let rows = sqlx::query(query).bind(game).bind(most).fetch_all(connection).await?;
            let phase = |row: &SqliteRow| {
                let name: &str = row.try_get("phase")?;
                let phase = Phase::named(name).ok_or_else(|| damaged("a phase", name))?;
                Ok(TurnPhase::new(row.try_get("turn")?, phase))
            };
            rows.iter().map(phase).collect()
        })
    }

    /// How many rulings a phase has had in an era.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn steps(&self, game: &GameId, era: u32, turn: u16, phase: Phase) -> Result<u32, ArchiveError> {
        self.run(async |connection| {
            let query = "select coalesce(max(step), 0) as step from rulings \
                         where game = ? and era = ? and turn = ? and phase = ?";
            let row = sqlx::query(query).bind(game).bind(era).bind(turn).bind(phase.name()).fetch_one(connection);
            Ok(row.await?.try_get("step")?)
        })
    }

    /// The sheets of a turn.
    ///
    /// # Errors
    /// The archive does not answer, or holds what is no sheet.
    pub fn sheets(&self, game: &GameId, turn: u16) -> Result<Vec<(Civ, Sheet)>, ArchiveError> {
        self.run(async |connection| {
            let query = "select seat, sheet from sheets where game = ? and turn = ? order by seat";
            let rows = sqlx::query(query).bind(game).bind(turn).fetch_all(connection).await?;
            let sheet = |row: &SqliteRow| {
                let text: &str = row.try_get("sheet")?;
                let sheet = serde_json::from_str(text).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
                Ok((Civ(row.try_get("seat")?), sheet))
            };
            rows.iter().map(sheet).collect()
        })
    }
}

fn event(row: &SqliteRow) -> Result<Event, ArchiveError> {
    serde_json::from_str(row.try_get("event")?).map_err(|error| ArchiveError::Damaged(error.to_string()))
}

fn ruling(row: &SqliteRow) -> Result<RulingRecord, ArchiveError> {
    let phase: &str = row.try_get("phase")?;
    let ends: (Option<i64>, Option<i64>) = (row.try_get("first")?, row.try_get("last")?);
    Ok(RulingRecord {
        era: row.try_get("era")?,
        turn: row.try_get("turn")?,
        phase: Phase::named(phase).ok_or_else(|| damaged("a phase", phase))?,
        step: row.try_get("step")?,
        ruled_at: read_time(row.try_get("ruled_at")?)?,
        reason: row.try_get("reason")?,
        voided: row.try_get("voided")?,
        events: ends.0.zip(ends.1).map(|(first, last)| (first as u64, last as u64)),
    })
}

pub(super) async fn insert_ruling(
    connection: &mut SqliteConnection,
    game: &GameId,
    era: u32,
    ruling: &NewRuling,
) -> Result<i64, ArchiveError> {
    let query = "insert into rulings (game, era, turn, phase, step, ruled_at, reason) values (?, ?, ?, ?, ?, ?, ?)";
    let done = sqlx::query(query)
        .bind(game)
        .bind(era)
        .bind(ruling.turn)
        .bind(ruling.phase.name())
        .bind(ruling.step)
        .bind(stored_time(ruling.ruled_at))
        .bind(ruling.reason.name())
        .execute(connection)
        .await?;
    Ok(done.last_insert_rowid())
}

/// All events of a ruling go in at once: SQLite reads them out of one JSON list.
pub(super) async fn insert_events(
    connection: &mut SqliteConnection,
    game: &GameId,
    ruling: i64,
    first: u64,
    events: &[Event],
) -> Result<(), ArchiveError> {
    let list = serde_json::to_string(events).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
    let query = "insert into events (game, number, ruling, event) select ?, ? + key, ?, \
                 case type when 'text' then json_quote(value) else value end from json_each(?)";
    sqlx::query(query).bind(game).bind(first as i64).bind(ruling).bind(list).execute(connection).await?;
    Ok(())
}

pub(super) async fn insert_snapshot(
    connection: &mut SqliteConnection,
    game: &GameId,
    ruling: i64,
    snapshot: &Snapshot,
) -> Result<(), ArchiveError> {
    let query = "insert into snapshots (ruling, game, number, state, hash) values (?, ?, ?, ?, ?)";
    sqlx::query(query)
        .bind(ruling)
        .bind(game)
        .bind(snapshot.number as i64)
        .bind(&snapshot.state)
        .bind(&snapshot.hash)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn upsert_sheet(
    connection: &mut SqliteConnection,
    game: &GameId,
    turn: u16,
    civ: Civ,
    sheet: &Sheet,
) -> Result<(), ArchiveError> {
    let text = serde_json::to_string(sheet).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
    let query = "insert into sheets (game, turn, seat, sheet) values (?, ?, ?, ?) \
                 on conflict (game, turn, seat) do update set sheet = excluded.sheet";
    sqlx::query(query).bind(game).bind(turn).bind(civ.0).bind(text).execute(connection).await?;
    Ok(())
}

/// Voids every ruling that has an event behind this number.
pub(super) async fn void_rulings(
    connection: &mut SqliteConnection,
    game: &GameId,
    last: u64,
) -> Result<(), ArchiveError> {
    let query = "update rulings set voided = 1 where game = ? and id in \
                 (select ruling from events where game = ? and number > ?)";
    sqlx::query(query).bind(game).bind(game).bind(last as i64).execute(connection).await?;
    Ok(())
}
