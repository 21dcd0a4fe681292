//! The answers that letters of ours offer: lines that may be sent by themselves, and what a proposal files.

use chrono::{DateTime, Utc};
use sqlx::{Row, SqliteConnection};

use super::outbox::NewDispatch;
use super::{Archive, ArchiveError, stored_time};

/// An answer that a letter of ours offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferedAnswer {
    /// The line that is sent.
    pub line: String,
    /// The lines that are filed with it, where it only names them.
    pub files: Vec<String>,
    /// The secret of its own address, where it has one.
    pub secret: Option<String>,
}

/// An answer that was sent to its own address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tapped {
    pub secret: String,
    /// The letter of ours that offers it.
    pub message_id: String,
    /// The line that its address admits.
    pub line: String,
    /// Whether it was used before.
    pub used: bool,
}

impl Archive {
    /// The answer with this secret.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn tapped(&self, secret: &str) -> Result<Option<Tapped>, ArchiveError> {
        self.run(async |connection| {
            let query = "select message_id, line, used_at is not null as used from offered where secret = ?";
            let row = sqlx::query(query).bind(secret).fetch_optional(connection).await?;
            let tapped = row.map(|row| {
                let (message_id, line) = (row.try_get("message_id")?, row.try_get("line")?);
                Ok(Tapped { secret: secret.to_owned(), message_id, line, used: row.try_get("used")? })
            });
            tapped.transpose()
        })
    }

    /// All answers that a letter of ours offers.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn offered(&self, message_id: &str) -> Result<Vec<OfferedAnswer>, ArchiveError> {
        self.run(async |connection| {
            let query = "select line, files, secret from offered where message_id = ? order by line";
            let rows = sqlx::query(query).bind(message_id).fetch_all(connection).await?;
            let offered = rows.iter().map(|row| {
                let files: Option<&str> = row.try_get("files")?;
                let files = files.map(|files| files.lines().map(str::to_owned).collect()).unwrap_or_default();
                Ok(OfferedAnswer { line: row.try_get("line")?, files, secret: row.try_get("secret")? })
            });
            offered.collect()
        })
    }
}

/// Notes what a letter offers.
pub(super) async fn insert_offered(connection: &mut SqliteConnection, new: &NewDispatch) -> Result<(), ArchiveError> {
    let Some(of) = &new.of else { return Ok(()) };
    for offered in &new.offered {
        let query = "insert into offered (game, message_id, line, files, secret) values (?, ?, ?, ?, ?)";
        sqlx::query(query)
            .bind(&of.game)
            .bind(&new.dispatch.message_id)
            .bind(&offered.line)
            .bind((!offered.files.is_empty()).then(|| offered.files.join("\n")))
            .bind(&offered.secret)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// An answer was sent: its address admits nothing any more.
pub(super) async fn use_up(
    connection: &mut SqliteConnection,
    secret: &str,
    at: DateTime<Utc>,
) -> Result<(), ArchiveError> {
    let query = "update offered set used_at = ? where secret = ? and used_at is null";
    sqlx::query(query).bind(stored_time(at)).bind(secret).execute(connection).await?;
    Ok(())
}

/// Lets go of what a letter offered that nobody answers any more.
pub(super) async fn drop_offered(connection: &mut SqliteConnection, message_id: &str) -> Result<(), ArchiveError> {
    sqlx::query("delete from offered where message_id = ?").bind(message_id).execute(connection).await?;
    Ok(())
}
