//! What players wrote to each other, for whoever takes a seat over: kept only where the group allows it, cut to a length,
//! and swept with the letters.

use chrono::{DateTime, Utc};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::{Archive, ArchiveError, Party, read_time, stored_time};
use crate::game::GameId;

/// A message of a player to others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub sender: Party,
    pub sent_at: DateTime<Utc>,
    /// To whom; to everybody where it is empty.
    pub readers: Vec<Party>,
    /// The words, as far as they are kept.
    pub words: String,
}

/// So many characters of a message are kept.
const LONGEST: usize = 2000;
/// So many of the last messages of a game are looked through for those of a seat.
const LOOKED_THROUGH: u32 = 500;

impl Archive {
    /// The last messages that a seat has written or was written, the oldest first.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn messages(&self, game: &GameId, seat: Party, most: usize) -> Result<Vec<Message>, ArchiveError> {
        self.run(async |connection| {
            let query = "select * from messages where game = ? order by sent_at desc limit ?";
            let rows = sqlx::query(query).bind(game).bind(LOOKED_THROUGH).fetch_all(connection).await?;
            let all = rows.iter().map(message).collect::<Result<Vec<_>, _>>()?;
            let is_own = |message: &Message| {
                message.sender == seat || message.readers.is_empty() || message.readers.contains(&seat)
            };
            let mut own: Vec<Message> = all.into_iter().filter(is_own).take(most).collect();
            own.reverse();
            Ok(own)
        })
    }
}

fn message(row: &SqliteRow) -> Result<Message, ArchiveError> {
    let readers: &str = row.try_get("readers")?;
    let reader = |number: &str| {
        let number = number.parse().map_err(|_| ArchiveError::Damaged(format!("`{number}` is no seat")))?;
        Party::read(number)
    };
    Ok(Message {
        sender: Party::read(row.try_get("sender")?)?,
        sent_at: read_time(row.try_get("sent_at")?)?,
        readers: readers.split_whitespace().map(reader).collect::<Result<_, _>>()?,
        words: row.try_get("words")?,
    })
}

pub(super) async fn insert_message(
    connection: &mut SqliteConnection,
    game: &GameId,
    message: &Message,
) -> Result<(), ArchiveError> {
    let readers: Vec<String> = message.readers.iter().map(|party| party.stored().to_string()).collect();
    let words: String = message.words.chars().take(LONGEST).collect();
    let query = "insert into messages (game, sender, sent_at, readers, words) values (?, ?, ?, ?, ?)";
    sqlx::query(query)
        .bind(game)
        .bind(message.sender.stored())
        .bind(stored_time(message.sent_at))
        .bind(readers.join(" "))
        .bind(words)
        .execute(connection)
        .await?;
    Ok(())
}

/// Lets go of messages from before a time, so many at most.
pub(super) async fn drop_messages(
    connection: &mut SqliteConnection,
    before: DateTime<Utc>,
    most: u32,
) -> Result<usize, ArchiveError> {
    let query = "delete from messages where rowid in \
                 (select rowid from messages where sent_at < ? order by sent_at limit ?)";
    let done = sqlx::query(query).bind(stored_time(before)).bind(most).execute(connection).await?;
    Ok(done.rows_affected() as usize)
}
