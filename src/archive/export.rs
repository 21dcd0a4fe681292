//! A whole game in one file: everything the archive has about it, table by table, and back again.

use serde::{Deserialize, Serialize};
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Column, Row, SqliteConnection, TypeInfo, ValueRef};

use super::deed::at_once;
use super::{Archive, ArchiveError};

/// The form of the file.
const FORMAT: &str = "cursus-game/1";

/// The tables that speak of a game, in the sequence in which they can be read back, and how its rows are found.
const TABLES: [(&str, &str); 15] = [
    ("editions", "hash = (select edition from games where id = ?)"),
    ("games", "id = ?"),
    ("seats", "game = ?"),
    ("addresses", "game = ?"),
    ("threads", "game = ?"),
    ("sheets", "game = ?"),
    ("rulings", "game = ?"),
    ("events", "game = ?"),
    ("snapshots", "game = ?"),
    ("absences", "game = ?"),
    ("press", "game = ?"),
    ("letters", "game = ?"),
    ("parked", "game = ?"),
    ("moderation", "game = ?"),
    ("outbox", "game = ?"),
];

/// Columns that are numbers of this archive alone, to which nothing refers.
const OWN_NUMBERS: [(&str, &str); 3] = [("absences", "id"), ("moderation", "id"), ("outbox", "id")];

/// A game as a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exported {
    format: String,
    game: String,
    tables: Vec<Rows>,
}

/// The rows of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Rows {
    table: String,
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// What stands in a column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Cell {
    Nothing(Option<()>),
    Number(i64),
    Text(String),
    Bytes { hex: String },
}

impl Archive {
    /// Everything about a game.
    ///
    /// # Errors
    /// There is no such game, or the archive does not answer.
    pub fn export(&self, game: &str) -> Result<Exported, ArchiveError> {
        self.run(async |connection| {
            // A daemon may be at work: all tables are read as they are at one moment.
            let tables = at_once(connection, async |connection| {
                let mut tables = Vec::new();
                for (table, condition) in TABLES {
                    tables.push(rows_of(connection, table, condition, game).await?);
                }
                Ok(tables)
            })
            .await?;
            if tables.iter().any(|rows| rows.table == "games" && rows.rows.is_empty()) {
                return Err(ArchiveError::Damaged(format!("there is no game `{game}`")));
            }
            Ok(Exported { format: FORMAT.to_owned(), game: game.to_owned(), tables })
        })
    }

    /// Reads a game back; says how it is called.
    ///
    /// # Errors
    /// There is such a game already, or the file is none of ours.
    pub fn import(&self, exported: &Exported) -> Result<String, ArchiveError> {
        if exported.format != FORMAT {
            return Err(ArchiveError::Damaged(format!("the file is `{}`, not `{FORMAT}`", exported.format)));
        }
        if self.game(&exported.game)?.is_some() {
            return Err(ArchiveError::Twice(format!("there is a game `{}` already", exported.game)));
        }
        self.run(async |connection| {
            at_once(connection, async |connection| {
                let shift = Shift {
                    rulings: last_ruling(connection).await?,
                    letters: last_letter(connection).await?.max(exported.unheard_of()),
                };
                for rows in &exported.tables {
                    if !TABLES.iter().any(|(table, _)| *table == rows.table) {
                        return Err(ArchiveError::Damaged(format!("`{}` is no table of ours", rows.table)));
                    }
                    put_rows(connection, rows, shift).await?;
                }
                Ok(exported.game.clone())
            })
            .await
        })
    }
}

impl Exported {
    /// How far the letters are to be numbered behind their old numbers: letters of ours may speak of later ones than the
    /// game has, and no number may come again.
    fn unheard_of(&self) -> i64 {
        let column = |table: &str, name: &str| {
            let rows = self.tables.iter().find(|rows| rows.table == table);
            let place = rows.and_then(|rows| rows.columns.iter().position(|column| column == name));
            let cells = rows.into_iter().flat_map(|rows| &rows.rows);
            place.map(|place| cells.filter_map(|row| row.get(place)).collect::<Vec<_>>()).unwrap_or_default()
        };
        let number = |cell: &Cell| match cell {
            Cell::Number(number) => Some(*number),
            Cell::Text(id) => id.split('.').find_map(|part| part.strip_prefix("letter-")?.parse().ok()),
            Cell::Nothing(_) | Cell::Bytes { .. } => None,
        };
        let last = |cells: Vec<&Cell>| cells.into_iter().filter_map(number).max().unwrap_or(0);
        last(column("outbox", "message_id")) - last(column("letters", "id"))
    }
}

/// How far numbers are moved behind those that are there.
#[derive(Clone, Copy)]
struct Shift {
    rulings: i64,
    letters: i64,
}

impl Shift {
    /// By how much a number in this column is moved.
    fn of(self, table: &str, column: &str) -> i64 {
        match (table, column) {
            ("rulings", "id") | ("events" | "snapshots", "ruling") => self.rulings,
            ("letters", "id") | ("parked" | "moderation", "letter") => self.letters,
            _ => 0,
        }
    }
}

async fn rows_of(
    connection: &mut SqliteConnection,
    table: &'static str,
    condition: &'static str,
    game: &str,
) -> Result<Rows, ArchiveError> {
    // Both are ours, from the list above.
    let query = AssertSqlSafe(format!("select * from {table} where {condition} order by 1, 2"));
    let found = sqlx::query(query).bind(game).fetch_all(connection).await?;
    let all = |row: &SqliteRow| row.columns().iter().map(|column| column.name().to_owned()).collect::<Vec<_>>();
    // Pictures are drawn again where they are wanted.
    let is_kept = |name: &str| !OWN_NUMBERS.contains(&(table, name)) && (table, name) != ("outbox", "picture");
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

async fn last_ruling(connection: &mut SqliteConnection) -> Result<i64, ArchiveError> {
    let query = "select coalesce(max(id), 0) as id from rulings";
    Ok(sqlx::query(query).fetch_one(connection).await?.try_get("id")?)
}

async fn last_letter(connection: &mut SqliteConnection) -> Result<i64, ArchiveError> {
    let query = "select coalesce(max(id), 0) as id from letters";
    Ok(sqlx::query(query).fetch_one(connection).await?.try_get("id")?)
}

/// Puts rows in. The numbers of rulings and letters are shifted behind those that are there.
async fn put_rows(connection: &mut SqliteConnection, rows: &Rows, shift: Shift) -> Result<(), ArchiveError> {
    let is_name = |name: &String| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    if !rows.columns.iter().all(is_name) {
        return Err(ArchiveError::Damaged(format!("the columns of `{}` are not ours", rows.table)));
    }
    let (columns, places) = (rows.columns.join(", "), vec!["?"; rows.columns.len()].join(", "));
    let more = if rows.table == "editions" { " on conflict do nothing" } else { "" };
    for row in &rows.rows {
        // The table is one of ours, and the columns are plain words.
        let query = AssertSqlSafe(format!("insert into {} ({columns}) values ({places}){more}", rows.table));
        let mut query = sqlx::query(query);
        for (name, cell) in rows.columns.iter().zip(row) {
            query = match cell {
                Cell::Nothing(_) => query.bind(None::<i64>),
                Cell::Number(number) => query.bind(number + shift.of(&rows.table, name)),
                Cell::Text(text) => query.bind(text.clone()),
                Cell::Bytes { hex } => query.bind(bytes(hex)?),
            };
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

fn bytes(hex: &str) -> Result<Vec<u8>, ArchiveError> {
    let wrong = || ArchiveError::Damaged("bytes are written in hexadecimal digits".to_owned());
    let pair = |at: usize| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()).ok_or_else(wrong);
    (0..hex.len()).step_by(2).map(pair).collect()
}
