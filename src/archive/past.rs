//! Letters of old as their reader may look them up again, and what players wrote to each other.

use chrono::{DateTime, Utc};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::{Archive, ArchiveError, Party, read_time, stored_time};
use crate::game::{GameId, Phase};

/// A letter that was written to a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldLetter {
    pub number: i64,
    /// The turn and the phase it is about.
    pub turn: Option<u16>,
    pub phase: Option<Phase>,
    pub subject: String,
    /// When it was written.
    pub written_at: DateTime<Utc>,
}

/// Words of somebody to somebody, as they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldWords {
    pub writer: Party,
    /// Whom they were for.
    pub reader: Party,
    pub written_at: DateTime<Utc>,
    pub text: String,
}

/// So many letters of a seat are listed, and so many of its words.
const MOST: u32 = 400;

impl Archive {
    /// The rulings that a seat was told, the newest first.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn letters_of(&self, game: &GameId, party: Party) -> Result<Vec<OldLetter>, ArchiveError> {
        self.run(async |connection| {
            // The names of `DispatchKind`, written out.
            let query = "select id, turn, phase, subject, written_at from outbox where game = ? and seat = ? and kind in \
                         ('report', 'decision', 'welcome', 'rollback', 'end', 'board') order by id desc limit ?";
            let query = sqlx::query(query).bind(game).bind(party.stored()).bind(MOST);
            query.fetch_all(connection).await?.iter().map(old_letter).collect()
        })
    }

    /// One of them: its HTML, and its text.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn letter_of(
        &self,
        game: &GameId,
        party: Party,
        number: i64,
    ) -> Result<Option<(Option<String>, String)>, ArchiveError> {
        self.run(async |connection| {
            let query = "select html, body from outbox join pages on pages.dispatch = outbox.id where outbox.id = ? \
                         and game = ? and seat = ? and kind in \
                         ('report', 'decision', 'welcome', 'rollback', 'end', 'board')";
            let query = sqlx::query(query).bind(number).bind(game).bind(party.stored());
            let row = query.fetch_optional(connection).await?;
            row.map(|row| Ok((row.try_get("html")?, row.try_get("body")?))).transpose()
        })
    }

    /// The number of the last words that somebody wrote to a seat; 0 where there are none.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn last_words(&self, game: &GameId, party: Party) -> Result<i64, ArchiveError> {
        self.run(async |connection| {
            let query = "select coalesce(max(id), 0) as number from outbox \
                         where game = ? and seat = ? and kind = 'press' and words is not null";
            let query = sqlx::query(query).bind(game).bind(party.stored());
            Ok(query.fetch_one(connection).await?.try_get("number")?)
        })
    }

    /// What a seat has written to others and was written since then, the oldest first.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn words_of(
        &self,
        game: &GameId,
        party: Party,
        since: Option<DateTime<Utc>>,
    ) -> Result<Vec<OldWords>, ArchiveError> {
        self.run(async |connection| {
            let since = since.map(stored_time).unwrap_or_default();
            let query = "select id, seat, writer, written_at, words from outbox where game = ? and seat = ? and kind = 'press' \
                         and words is not null and written_at >= ? order by id desc limit ?";
            let query = sqlx::query(query).bind(game).bind(party.stored()).bind(&since).bind(MOST);
            let mut rows = query.fetch_all(&mut *connection).await?;
            let query = "select id, seat, writer, written_at, words from outbox where game = ? and writer = ? and kind = 'press' \
                         and seat is not null and words is not null and written_at >= ? order by id desc limit ?";
            let query = sqlx::query(query).bind(game).bind(party.stored()).bind(&since).bind(MOST);
            rows.extend(query.fetch_all(&mut *connection).await?);
            let numbered = rows.iter().map(|row| Ok((row.try_get::<i64, _>("id")?, old_words(row)?)));
            let mut words = numbered.collect::<Result<Vec<_>, ArchiveError>>()?;
            words.sort_by_key(|(number, _)| *number);
            let mut words: Vec<OldWords> = words.into_iter().map(|(_, words)| words).collect();
            // What a deputy is written too was said once.
            words.dedup();
            Ok(words)
        })
    }
}

fn old_letter(row: &SqliteRow) -> Result<OldLetter, ArchiveError> {
    let phase: Option<&str> = row.try_get("phase")?;
    Ok(OldLetter {
        number: row.try_get("id")?,
        turn: row.try_get("turn")?,
        phase: phase.and_then(|name| Phase::ALL.into_iter().find(|phase| phase.name() == name)),
        subject: row.try_get("subject")?,
        written_at: read_time(row.try_get("written_at")?)?,
    })
}

fn old_words(row: &SqliteRow) -> Result<OldWords, ArchiveError> {
    Ok(OldWords {
        writer: Party::read(row.try_get("writer")?)?,
        reader: Party::read(row.try_get("seat")?)?,
        written_at: read_time(row.try_get("written_at")?)?,
        text: row.try_get("words")?,
    })
}
