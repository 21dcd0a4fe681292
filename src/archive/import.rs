//! A game that is read back from a file. Whoever wrote the file may have meant ill, or written half of it: every row belongs
//! to the file's game and to nothing else, and all of it is read once with our own eyes before it is believed.

use crate::game::GameId;
use std::collections::BTreeSet;

use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use super::deed::{say, undo};
use super::export::{Cell, Exported, FORMAT, OWN, Rows, TABLES};
use super::letters::letter;
use super::outbox::outgoing;
use super::{Archive, ArchiveError};

/// Tables that a file of the first forums may lack.
const NEWER: [&str; 3] = ["threads", "messages", "offered"];

/// Columns that stand in a table of their own here: the table, its key, and the columns.
const APART: [(&str, &str, &str, &[&str]); 2] =
    [("letters", "raws", "letter", &["raw"]), ("outbox", "pages", "dispatch", &["body", "html", "data"])];

impl Archive {
    /// Reads a game back, if what comes of it passes `check`: all of it or nothing. Says how it is called.
    ///
    /// # Errors
    /// There is such a game already, the file is none of ours, or it does not pass.
    pub(crate) fn import<E: From<ArchiveError>>(
        &self,
        exported: &Exported,
        check: impl FnOnce(&Archive, &GameId) -> Result<(), E>,
    ) -> Result<GameId, E> {
        exported.look_through()?;
        if self.game(&exported.game)?.is_some() {
            return Err(ArchiveError::Twice(format!("there is a game `{}` already", exported.game)).into());
        }
        self.run(async |connection| say(connection, "begin immediate").await)?;
        let done = self
            .run(async |connection| {
                put(connection, exported).await?;
                read_back(connection, &exported.game).await
            })
            .and_then(|()| self.read_game_back(&exported.game))
            .map_err(E::from)
            .and_then(|()| check(self, &exported.game))
            .and_then(|()| Ok(self.run(async |connection| say(connection, "commit").await)?));
        if done.is_err() {
            self.run(async |connection| {
                undo(connection).await;
                Ok(())
            })?;
        }
        done.map(|()| exported.game.clone())
    }

    /// Reads what opening a game does not read.
    fn read_game_back(&self, game: &GameId) -> Result<(), ArchiveError> {
        self.rulings(game)?;
        self.moderations(game)?;
        self.seats(game)?;
        Ok(())
    }
}

impl Exported {
    /// Looks through the file: whether it is one of ours, complete, and speaks of its own game alone.
    fn look_through(&self) -> Result<(), ArchiveError> {
        let wrong = |says: String| Err(ArchiveError::Damaged(says));
        if self.format != FORMAT {
            return wrong(format!("the file is `{}`, not `{FORMAT}`", self.format));
        }
        let mut seen = BTreeSet::new();
        for rows in &self.tables {
            let name = &rows.table;
            if !TABLES.iter().any(|(table, _)| table == name) {
                return wrong(format!("`{name}` is no table of ours"));
            }
            if !seen.insert(name.as_str()) {
                return wrong(format!("the table `{name}` comes twice"));
            }
            if rows.rows.iter().any(|row| row.len() != rows.columns.len()) {
                return wrong(format!("a row of `{name}` has another length than its columns"));
            }
            let columns: BTreeSet<&String> = rows.columns.iter().collect();
            if columns.len() != rows.columns.len() {
                return wrong(format!("a column of `{name}` comes twice"));
            }
        }
        if let Some((missing, _)) = TABLES.iter().find(|(table, _)| !seen.contains(table) && !NEWER.contains(table)) {
            return wrong(format!("the table `{missing}` is missing"));
        }
        for (table, least, most) in [("games", 1, 1), ("editions", 1, 1), ("seats", 1, usize::MAX)] {
            let count = self.rows(table).map_or(0, |rows| rows.rows.len());
            if !(least..=most).contains(&count) {
                return wrong(format!("the table `{table}` has {count} rows"));
            }
        }
        self.look_at_owners()
    }

    /// Every row belongs to the game, and refers to rows of this file alone.
    fn look_at_owners(&self) -> Result<(), ArchiveError> {
        let wrong =
            |table: &str| Err(ArchiveError::Damaged(format!("a row of `{table}` is not of the game `{}`", self.game)));
        let own = Cell::Text(self.game.to_string());
        for (table, _) in TABLES.iter().filter(|(table, _)| *table != "editions") {
            let owner = if *table == "games" { "id" } else { "game" };
            let count = self.rows(table).map_or(0, |rows| rows.rows.len());
            let cells = self.column(table, owner);
            if cells.len() != count || cells.iter().any(|cell| **cell != own) {
                return wrong(table);
            }
        }
        if self.column("editions", "hash") != self.column("games", "edition") {
            return wrong("editions");
        }
        let numbers = |table: &str, name: &str| -> Vec<&Cell> {
            let cells = self.column(table, name).into_iter();
            cells.filter(|cell| !matches!(cell, Cell::Nothing(_))).collect()
        };
        for (of, references) in [
            ("rulings", [("events", "ruling"), ("snapshots", "ruling")]),
            ("letters", [("parked", "letter"), ("moderation", "letter")]),
        ] {
            let known: BTreeSet<i64> = numbers(of, "id").into_iter().filter_map(number).collect();
            if known.len() != self.rows(of).map_or(0, |rows| rows.rows.len()) || known.iter().any(|id| *id < 1) {
                return wrong(of);
            }
            for (table, name) in references {
                let is_known = |cell: &Cell| number(cell).is_some_and(|id| known.contains(&id));
                if !numbers(table, name).into_iter().all(is_known) {
                    return wrong(table);
                }
            }
        }
        // A letter that waits is nobody's yet.
        if self.column("letters", "status").contains(&&Cell::Text("waiting".to_owned())) {
            return wrong("letters");
        }
        Ok(())
    }

    fn rows(&self, table: &str) -> Option<&Rows> {
        self.tables.iter().find(|rows| rows.table == table)
    }

    /// What stands in a column; nothing where there is none.
    fn column(&self, table: &str, name: &str) -> Vec<&Cell> {
        let Some(rows) = self.rows(table) else { return Vec::new() };
        let place = rows.columns.iter().position(|column| column == name);
        place.map(|place| rows.rows.iter().filter_map(|row| row.get(place)).collect()).unwrap_or_default()
    }

    /// How far the letters are to be numbered behind their old numbers: letters of ours may speak of later ones than the
    /// game has, and no number may come again.
    fn unheard_of(&self) -> i64 {
        let spoken = |cell: &Cell| match cell {
            Cell::Text(id) => id.split('.').find_map(|part| part.strip_prefix("letter-")?.parse().ok()),
            Cell::Number(_) | Cell::Nothing(_) | Cell::Bytes { .. } => None,
        };
        // The first edition wrote it into the ids themselves.
        let ids = self.column("outbox", "message_id").into_iter().chain(self.column("outbox", "about"));
        let spoken: i64 = ids.filter_map(spoken).max().unwrap_or(0);
        let last = self.column("letters", "id").into_iter().filter_map(number).max().unwrap_or(0);
        spoken.saturating_sub(last)
    }
}

fn number(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Number(number) => Some(*number),
        Cell::Nothing(_) | Cell::Text(_) | Cell::Bytes { .. } => None,
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

async fn put(connection: &mut SqliteConnection, exported: &Exported) -> Result<(), ArchiveError> {
    let shift = Shift {
        rulings: last_ruling(connection).await?,
        letters: last_letter(connection).await?.max(exported.unheard_of()),
    };
    for (table, _) in TABLES {
        if let Some(rows) = exported.rows(table) {
            let known = columns_of(connection, table).await?;
            put_rows(connection, rows, &known, shift).await?;
        }
    }
    measure_letters(connection, &exported.game).await?;
    if !exported.rows("letters").is_some_and(|rows| rows.columns.iter().any(|name| name == "form")) {
        find_forms(connection, &exported.game).await?;
    }
    measure_dispatches(connection, &exported.game).await
}

/// The columns that a file may have for a table.
async fn columns_of(connection: &mut SqliteConnection, table: &'static str) -> Result<Vec<String>, ArchiveError> {
    let rows = sqlx::query("select name from pragma_table_info(?)").bind(table).fetch_all(connection).await?;
    let names: Result<Vec<String>, sqlx::Error> = rows.iter().map(|row| row.try_get("name")).collect();
    let apart = APART.iter().filter(|(of, ..)| *of == table).flat_map(|(.., columns)| columns.iter());
    let names = names?.into_iter().chain(apart.map(|name| (*name).to_owned()));
    Ok(names.filter(|name| !OWN.contains(&(table, name.as_str()))).collect())
}

/// Puts rows in. The numbers of rulings and letters are shifted behind those that are there.
async fn put_rows(
    connection: &mut SqliteConnection,
    rows: &Rows,
    known: &[String],
    shift: Shift,
) -> Result<(), ArchiveError> {
    // Files of earlier releases call a picture by its hash, and the picture itself is not in them.
    let is_passed_over = |name: &String| OWN.contains(&(rows.table.as_str(), name.as_str()));
    if let Some(strange) = rows.columns.iter().find(|name| !known.contains(name) && !is_passed_over(name)) {
        return Err(ArchiveError::Damaged(format!("`{strange}` is no column of `{}`", rows.table)));
    }
    let apart = APART.iter().find(|(table, ..)| *table == rows.table);
    let is_apart = |name: &str| apart.is_some_and(|(.., columns)| columns.contains(&name));
    let more = if rows.table == "editions" { " on conflict do nothing" } else { "" };
    for row in &rows.rows {
        let cells = || rows.columns.iter().zip(row).filter(|(name, _)| !is_passed_over(name));
        let here: Vec<_> = cells().filter(|(name, _)| !is_apart(name)).collect();
        let number = insert(connection, &rows.table, None, &here, more, shift).await?;
        if let Some((_, table, key, _)) = apart {
            let there: Vec<_> = cells().filter(|(name, _)| is_apart(name)).collect();
            insert(connection, table, Some((key, number)), &there, "", shift).await?;
        }
    }
    Ok(())
}

/// Puts one row in; its table and its columns are ours. Says its number.
async fn insert(
    connection: &mut SqliteConnection,
    table: &str,
    key: Option<(&str, i64)>,
    cells: &[(&String, &Cell)],
    more: &str,
    shift: Shift,
) -> Result<i64, ArchiveError> {
    let names: Vec<&str> = key.iter().map(|(key, _)| *key).chain(cells.iter().map(|(name, _)| name.as_str())).collect();
    let (columns, places) = (names.join(", "), vec!["?"; names.len()].join(", "));
    let query = AssertSqlSafe(format!("insert into {table} ({columns}) values ({places}){more}"));
    let mut query = sqlx::query(query);
    if let Some((_, number)) = key {
        query = query.bind(number);
    }
    for (name, cell) in cells {
        query = match cell {
            Cell::Nothing(_) => query.bind(None::<i64>),
            Cell::Number(number) => query.bind(number.saturating_add(shift.of(table, name))),
            Cell::Text(text) => query.bind(text.clone()),
            Cell::Bytes { hex } => query.bind(bytes(hex)?),
        };
    }
    Ok(query.execute(connection).await?.last_insert_rowid())
}

/// Files of the first edition do not say how long a letter is.
async fn measure_letters(connection: &mut SqliteConnection, game: &GameId) -> Result<(), ArchiveError> {
    let query =
        "update letters set size = (select length(raw) from raws where letter = id) where game = ? and size = 0";
    sqlx::query(query).bind(game).execute(connection).await?;
    Ok(())
}

/// Files of earlier releases do not say in which form a letter came; who brought it does.
async fn find_forms(connection: &mut SqliteConnection, game: &GameId) -> Result<(), ArchiveError> {
    let query = "update letters set form = case when carrier = 'door' then 'door' else 'post' end where game = ?1 and \
                 (carrier = 'door' or carrier in (select carrier from threads where game = ?1 \
                 union select carrier from addresses where game = ?1 \
                 and (address like 'user:%' or address like 'name:%')))";
    sqlx::query(query).bind(game).execute(connection).await?;
    Ok(())
}

/// Which letters of ours have more than their words is found out anew.
async fn measure_dispatches(connection: &mut SqliteConnection, game: &GameId) -> Result<(), ArchiveError> {
    let query = "update outbox set bulky = 1 where game = ? and exists \
                 (select 1 from pages where dispatch = id and (html is not null or data is not null))";
    sqlx::query(query).bind(game).execute(connection).await?;
    Ok(())
}

/// Reads every letter of the game as it will be read one day: one that cannot be read would be in everybody's way then.
async fn read_back(connection: &mut SqliteConnection, game: &GameId) -> Result<(), ArchiveError> {
    let query = "select id, carrier, form, arrived_at, attempts, released, size, raw from letters join raws on letter = id where game = ?";
    for row in &sqlx::query(query).bind(game).fetch_all(&mut *connection).await? {
        letter(row)?;
    }
    let query = "select outbox.*, body, html, data, null as png from outbox join pages on dispatch = id where game = ?";
    for row in &sqlx::query(query).bind(game).fetch_all(&mut *connection).await? {
        outgoing(row)?;
        super::outbox::answered(row)?;
        super::games::time(row, "next_try")?;
    }
    Ok(())
}

async fn last_ruling(connection: &mut SqliteConnection) -> Result<i64, ArchiveError> {
    let query = "select coalesce(max(id), 0) as id from rulings";
    Ok(sqlx::query(query).fetch_one(connection).await?.try_get("id")?)
}

async fn last_letter(connection: &mut SqliteConnection) -> Result<i64, ArchiveError> {
    let query = "select coalesce(max(id), 0) as id from letters";
    Ok(sqlx::query(query).fetch_one(connection).await?.try_get("id")?)
}

fn bytes(hex: &str) -> Result<Vec<u8>, ArchiveError> {
    let wrong = || ArchiveError::Damaged("bytes are written in hexadecimal digits".to_owned());
    let pair = |at: usize| hex.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()).ok_or_else(wrong);
    (0..hex.len()).step_by(2).map(pair).collect()
}
