//! A whole game in one file: everything the archive has about it, table by table.

use crate::game::GameId;
use serde::{Deserialize, Serialize};
use sqlx::sqlite::SqliteRow;
use sqlx::{Column, Row, SqliteConnection, TypeInfo, ValueRef};

use super::deed::at_once;
use super::{Archive, ArchiveError};

/// The form of the file.
pub(super) const FORMAT: &str = "cursus-game/1";

/// The tables that speak of a game, in the sequence in which they can be read back, and how its rows are found. What stands
/// apart in the archive stands with its row in the file.
pub(super) const TABLES: [(&str, &str); 17] = [
    ("editions", "select * from editions where hash = (select edition from games where id = ?) order by 1"),
    ("games", "select * from games where id = ? order by 1"),
    ("seats", "select * from seats where game = ? order by 1, 2"),
    ("addresses", "select * from addresses where game = ? order by 1, 2"),
    ("threads", "select * from threads where game = ? order by 1, 2"),
    ("sheets", "select * from sheets where game = ? order by 1, 2"),
    ("rulings", "select * from rulings where game = ? order by 1, 2"),
    ("events", "select * from events where game = ? order by 1, 2"),
    ("snapshots", "select * from snapshots where game = ? order by 1, 2"),
    ("absences", "select * from absences where game = ? order by 1, 2"),
    ("press", "select * from press where game = ? order by 1, 2"),
    ("messages", "select * from messages where game = ? order by sent_at"),
    ("letters", "select letters.*, raw from letters join raws on letter = id where game = ? order by 1, 2"),
    ("parked", "select * from parked where game = ? order by 1, 2"),
    ("moderation", "select * from moderation where game = ? order by 1, 2"),
    (
        "outbox",
        "select outbox.*, body, html, data from outbox join pages on dispatch = id where game = ? order by 1, 2",
    ),
    ("offered", "select * from offered where game = ? order by 2, 3"),
];

/// Columns that are this archive's own: numbers to which nothing refers, and pictures, which are drawn again where they are
/// wanted.
pub(super) const OWN: [(&str, &str); 5] =
    [("absences", "id"), ("moderation", "id"), ("outbox", "id"), ("outbox", "picture"), ("outbox", "bulky")];

/// A game as a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exported {
    pub(super) format: String,
    pub(super) game: GameId,
    pub(super) tables: Vec<Rows>,
}

/// The rows of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Rows {
    pub(super) table: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// What stands in a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Cell {
    Nothing(Option<()>),
    Number(i64),
    Text(String),
    Bytes { hex: String },
}

impl Exported {
    /// The game it says it is.
    pub(crate) fn game(&self) -> &GameId {
        &self.game
    }
}

impl Archive {
    /// Everything about a game.
    ///
    /// # Errors
    /// There is no such game, or the archive does not answer.
    pub fn export(&self, game: &GameId) -> Result<Exported, ArchiveError> {
        self.run(async |connection| {
            // A daemon may be at work: all tables are read as they are at one moment.
            let tables = at_once(connection, async |connection| {
                let mut tables = Vec::new();
                for (table, query) in TABLES {
                    tables.push(rows_of(connection, table, query, game).await?);
                }
                Ok(tables)
            })
            .await?;
            if tables.iter().any(|rows| rows.table == "games" && rows.rows.is_empty()) {
                return Err(ArchiveError::Damaged(format!("there is no game `{game}`")));
            }
            Ok(Exported { format: FORMAT.to_owned(), game: game.clone(), tables })
        })
    }
}

async fn rows_of(
    connection: &mut SqliteConnection,
    table: &'static str,
    query: &'static str,
    game: &GameId,
) -> Result<Rows, ArchiveError> {
    let found = sqlx::query(query).bind(game).fetch_all(connection).await?;
    let all = |row: &SqliteRow| row.columns().iter().map(|column| column.name().to_owned()).collect::<Vec<_>>();
    let is_kept = |name: &str| !OWN.contains(&(table, name));
    let columns: Vec<String> =
        found.first().map(all).unwrap_or_default().into_iter().filter(|name| is_kept(name)).collect();
    let rows: Result<Vec<Vec<Cell>>, ArchiveError> =
        found.iter().map(|row| columns.iter().map(|name| cell(row, name)).collect()).collect();
    Ok(Rows { table: table.to_owned(), columns, rows: rows? })
}

fn cell(row: &SqliteRow, name: &str) -> Result<Cell, ArchiveError> {
    let value = row.try_get_raw(name)?;
    if value.is_null() {
        return Ok(Cell::Nothing(None));
    }
    let kind = value.type_info().name().to_owned();
    Ok(match kind.as_str() {
        "INTEGER" => Cell::Number(row.try_get(name)?),
        "BLOB" => {
            let bytes: Vec<u8> = row.try_get(name)?;
            Cell::Bytes { hex: bytes.iter().map(|byte| format!("{byte:02x}")).collect() }
        }
        _ => Cell::Text(row.try_get(name)?),
    })
}
