//! Open games before they begin, and who stands in.

use chrono::{DateTime, Utc};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::games::time;
use super::people::PersonId;
use super::{Archive, ArchiveError, damaged, read_time, stored_time};
use crate::game::GameId;

/// An open game that has not begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatheringRecord {
    pub id: GameId,
    pub title: String,
    /// The text of the file that it was opened with.
    pub file: String,
    /// The seed of the draw of civilizations, and of all chance of the game that comes of it.
    pub seed: [u8; 32],
    pub stage: Stage,
    /// Who has come so far, as JSON.
    pub state: String,
    pub created_at: DateTime<Utc>,
    /// When it next needs a look.
    pub due: Option<DateTime<Utc>>,
}

/// How far an open game has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Whoever wants may join.
    Open,
    /// Everybody is asked whether they are there.
    Mustering,
    /// It has become a game.
    Begun,
    /// Nothing came of it.
    Withdrawn,
}

impl Stage {
    const ALL: [Stage; 4] = [Stage::Open, Stage::Mustering, Stage::Begun, Stage::Withdrawn];

    /// Its name in the archive.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Open => "open",
            Stage::Mustering => "mustering",
            Stage::Begun => "begun",
            Stage::Withdrawn => "withdrawn",
        }
    }

    /// Whether people may still come.
    pub fn gathers(self) -> bool {
        matches!(self, Stage::Open | Stage::Mustering)
    }
}

/// Somebody who stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standby {
    pub person: PersonId,
    /// For this game; none is for any of the house.
    pub game: Option<GameId>,
    pub since: DateTime<Utc>,
}

impl Archive {
    /// An open game by its id, however far it has come.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn gathering(&self, id: &GameId) -> Result<Option<GatheringRecord>, ArchiveError> {
        self.run(async |connection| {
            let row = sqlx::query("select * from gatherings where id = ?").bind(id).fetch_optional(connection).await?;
            row.as_ref().map(gathering).transpose()
        })
    }

    /// The open games that people may still join, the oldest first.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn gatherings(&self) -> Result<Vec<GatheringRecord>, ArchiveError> {
        self.run(async |connection| {
            let query = "select * from gatherings where stage in ('open', 'mustering') order by created_at, id";
            sqlx::query(query).fetch_all(connection).await?.iter().map(gathering).collect()
        })
    }

    /// The ids of the open games that need a look now.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn gatherings_due(&self, now: DateTime<Utc>) -> Result<Vec<GameId>, ArchiveError> {
        self.run(async |connection| {
            let query =
                "select id from gatherings where stage in ('open', 'mustering') and due_at <= ? order by due_at, id";
            let rows = sqlx::query(query).bind(stored_time(now)).fetch_all(connection).await?;
            rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
        })
    }

    /// When the first open game needs a look.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn next_gathering(&self) -> Result<Option<DateTime<Utc>>, ArchiveError> {
        self.run(async |connection| {
            let query = "select min(due_at) as due from gatherings where stage in ('open', 'mustering')";
            time(&sqlx::query(query).fetch_one(connection).await?, "due")
        })
    }

    /// Who stands in for a game: those who named it before those of the whole house, whoever came first before the others.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn standbys(&self, game: &GameId) -> Result<Vec<Standby>, ArchiveError> {
        self.run(async |connection| {
            let query = "select person, game, since from standbys where game in (?, '') \
                         order by game = '', since, person";
            let rows = sqlx::query(query).bind(game).fetch_all(connection).await?;
            rows.iter().map(standby).collect()
        })
    }

    /// Where a person stands in.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn standbys_of(&self, person: PersonId) -> Result<Vec<Standby>, ArchiveError> {
        self.run(async |connection| {
            let query = "select person, game, since from standbys where person = ? order by game";
            sqlx::query(query).bind(person.0).fetch_all(connection).await?.iter().map(standby).collect()
        })
    }

    /// Notes that somebody stands in; whoever does already keeps their place in the list.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn stand_by(&self, standby: &Standby) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let query = "insert into standbys (person, game, since) values (?, ?, ?) on conflict do nothing";
            let game = standby.game.as_ref().map(GameId::as_str).unwrap_or_default();
            let row = sqlx::query(query).bind(standby.person.0).bind(game).bind(stored_time(standby.since));
            row.execute(connection).await?;
            Ok(())
        })
    }

    /// Nobody stands in for a game any longer: there is none.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn stand_down_all(&self, game: &GameId) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            sqlx::query("delete from standbys where game = ?").bind(game).execute(connection).await?;
            Ok(())
        })
    }

    /// Somebody stands in no longer: for this game, or for any of the house where none is named. Says whether they did.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn stand_down(&self, person: PersonId, game: Option<&GameId>) -> Result<bool, ArchiveError> {
        self.run(async |connection| {
            let query = "delete from standbys where person = ? and game = ?";
            let game = game.map(GameId::as_str).unwrap_or_default();
            let done = sqlx::query(query).bind(person.0).bind(game).execute(connection).await?;
            Ok(done.rows_affected() > 0)
        })
    }
}

fn standby(row: &SqliteRow) -> Result<Standby, ArchiveError> {
    let game: &str = row.try_get("game")?;
    Ok(Standby {
        person: PersonId(row.try_get("person")?),
        game: Some(game).filter(|game| !game.is_empty()).map(GameId::from),
        since: read_time(row.try_get("since")?)?,
    })
}

pub(super) async fn upsert_gathering(
    connection: &mut SqliteConnection,
    gathering: &GatheringRecord,
) -> Result<(), ArchiveError> {
    let query = "insert into gatherings (id, title, file, seed, stage, state, created_at, due_at) \
                 values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do update set title = excluded.title, \
                 file = excluded.file, seed = excluded.seed, created_at = excluded.created_at, stage = excluded.stage, state = excluded.state, due_at = excluded.due_at";
    sqlx::query(query)
        .bind(&gathering.id)
        .bind(&gathering.title)
        .bind(&gathering.file)
        .bind(gathering.seed.as_slice())
        .bind(gathering.stage.name())
        .bind(&gathering.state)
        .bind(stored_time(gathering.created_at))
        .bind(gathering.due.map(stored_time))
        .execute(connection)
        .await?;
    Ok(())
}

fn gathering(row: &SqliteRow) -> Result<GatheringRecord, ArchiveError> {
    let (seed, stage): (Vec<u8>, &str) = (row.try_get("seed")?, row.try_get("stage")?);
    Ok(GatheringRecord {
        id: row.try_get("id")?,
        title: row.try_get("title")?,
        file: row.try_get("file")?,
        seed: seed.try_into().map_err(|_| ArchiveError::Damaged("a seed has 32 bytes".to_owned()))?,
        stage: Stage::ALL.into_iter().find(|one| one.name() == stage).ok_or_else(|| damaged("a stage", stage))?,
        state: row.try_get("state")?,
        created_at: read_time(row.try_get("created_at")?)?,
        due: time(row, "due_at")?,
    })
}
