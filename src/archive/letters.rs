//! Letters as they came.

use chrono::{DateTime, Utc};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::deed::at_once;
use super::games::time;
use super::{Archive, ArchiveError, SeatId, damaged, read_time, stored_time};
use crate::game::GameId;
use crate::post::Form;

/// The number of a letter, in the sequence they were remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LetterId(pub i64);

/// A letter as it is written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterRecord {
    pub id: LetterId,
    /// The carrier that brought it.
    pub carrier: String,
    /// How it is to be opened.
    pub form: Form,
    /// When the server had it.
    pub arrived: DateTime<Utc>,
    /// All of it; of one that is not kept whole, its beginning.
    pub raw: Vec<u8>,
    /// How many bytes it had.
    pub size: u64,
    /// Whether the moderator has handed it back after it was set aside.
    pub released: bool,
    /// How often it was taken up before, by a process that then ended.
    pub attempts: u32,
}

impl LetterRecord {
    /// Whether only its beginning is kept.
    pub fn is_cut(&self) -> bool {
        self.size > self.raw.len() as u64
    }
}

/// A letter that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    pub id: LetterId,
    /// The game in whose line it stands; empty where it proves none.
    pub queue: String,
    /// Its place in that line, from one.
    pub place: u32,
    /// How often it was taken up before, by a process that then ended.
    pub attempts: u32,
}

/// A letter that was set aside, as far as a moderator may know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SetAside {
    pub letter: LetterId,
    /// The game it was for, if that was known.
    pub game: Option<GameId>,
    /// The carrier that brought it.
    pub carrier: String,
    /// When the server had it.
    pub arrived: DateTime<Utc>,
    /// Who says the player sent it; empty where nobody does.
    pub sender: String,
    pub why: String,
    /// How many bytes it has.
    pub size: u64,
}

/// A letter that is new to us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLetter<'a> {
    /// The carrier that brought it.
    pub carrier: &'a str,
    /// How it is to be opened.
    pub form: Form,
    /// Its own id; empty where it has none.
    pub message_id: &'a str,
    /// The hash of all of it but what servers write on the way.
    pub hash: &'a str,
    /// When the server had it.
    pub arrived: DateTime<Utc>,
    /// The game in whose line it waits; empty where it proves none.
    pub queue: &'a str,
    /// All of it, or its beginning where that is enough.
    pub raw: &'a [u8],
    /// How many bytes it has.
    pub size: usize,
}

/// What became of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterStatus {
    pub id: LetterId,
    /// What became of it.
    pub fate: Fate,
    /// Who says the player sent it, in lower case; empty where nobody does.
    pub sender: String,
    /// Whose it is, once that is known.
    pub of: Option<SeatId>,
    /// Why, where it was not simply handled.
    pub remark: Option<String>,
    /// How much is known of its sender, once that was asked.
    pub proof: Option<Proof>,
}

/// How much is known of the sender of a letter. Each is counted for itself, so that nobody uses up another's share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// The player is who the player says.
    Proved,
    /// Anybody may have written it.
    Unproved,
    /// A machine wrote it.
    Machine,
}

impl Proof {
    fn name(self) -> &'static str {
        match self {
            Proof::Proved => "proved",
            Proof::Unproved => "unproved",
            Proof::Machine => "machine",
        }
    }
}

/// What became of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It was read and answered.
    Handled,
    /// It waits until its sender is proved.
    Parked,
    /// It could not be opened, or came from nobody we know.
    Aside,
    /// A machine wrote it. Its head is kept.
    Ignored,
    /// It is set aside, for it came from nobody we know. Its head is kept: nobody fills our disk.
    Stranger,
}

impl Fate {
    fn name(self) -> &'static str {
        match self {
            Fate::Handled => "handled",
            Fate::Parked => "parked",
            Fate::Aside | Fate::Stranger => "aside",
            Fate::Ignored => "ignored",
        }
    }

    fn named(name: &str) -> Option<Fate> {
        [Fate::Handled, Fate::Parked, Fate::Aside, Fate::Ignored, Fate::Stranger]
            .into_iter()
            .find(|fate| fate.name() == name)
    }

    /// Whether all of a letter is evidence.
    fn is_kept_whole(self) -> bool {
        match self {
            Fate::Handled | Fate::Parked | Fate::Aside => true,
            Fate::Ignored | Fate::Stranger => false,
        }
    }
}

/// The most that is kept of the head of a letter.
const HEAD: usize = 16 * 1024;

/// The head of a letter, to the empty line.
fn head_of(raw: &[u8]) -> &[u8] {
    let ends = [&b"\r\n\r\n"[..], b"\n\n"];
    let end = ends.iter().filter_map(|end| raw.windows(end.len()).position(|bytes| bytes == *end)).min();
    &raw[..end.unwrap_or(raw.len()).min(HEAD)]
}

/// A letter that waits for a confirmation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parked {
    pub letter: LetterId,
    /// The game and the seat that it speaks for.
    pub of: SeatId,
    /// The address it came from.
    pub sender: String,
    /// The id of the question that was sent to the known address.
    pub question: String,
}

impl Archive {
    /// Remembers letters, all or none; one that is known already is passed over. Says how many are new.
    ///
    /// # Errors
    /// None of them is remembered.
    pub fn remember(&self, letters: &[NewLetter], now: DateTime<Utc>) -> Result<usize, ArchiveError> {
        let new = self.run(async |connection| {
            at_once(connection, async |connection| {
                let mut new = 0;
                for letter in letters {
                    new += insert_letter(connection, letter, now).await?;
                }
                Ok(new)
            })
            .await
        })?;
        // The carrier puts them away when it hears of it; so the mark comes first.
        if new > 0 {
            self.note_mark()?;
        }
        Ok(new)
    }

    /// The letters that nobody has handled yet: of every line the first ones, so many of each, in the sequence of their
    /// places and then of their arrival.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn waiting(&self, each: u32) -> Result<Vec<Waiting>, ArchiveError> {
        self.run(async |connection| {
            // From each line to the next in the index, however long they are.
            let query = "with recursive found (queue) as (select min(queue) from letters where status = 'waiting' \
                         union all select (select min(letters.queue) from letters where status = 'waiting' \
                         and letters.queue > found.queue) from found where found.queue is not null) \
                         select letters.id, letters.queue, attempts, \
                         row_number() over (partition by letters.queue order by arrived_at, letters.id) as place \
                         from found join letters on letters.id in (select id from letters as own \
                         where own.status = 'waiting' and own.queue = found.queue order by own.arrived_at, own.id limit ?) \
                         order by place, arrived_at, letters.id";
            let rows = sqlx::query(query).bind(each).fetch_all(connection).await?;
            rows.iter()
                .map(|row| {
                    Ok(Waiting {
                        id: LetterId(row.try_get("id")?),
                        queue: row.try_get("queue")?,
                        place: row.try_get("place")?,
                        attempts: row.try_get("attempts")?,
                    })
                })
                .collect()
        })
    }

    /// Whether a letter waits that came by this time, and is a game's or may be.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn has_waiting(&self, game: &GameId, by: DateTime<Utc>) -> Result<bool, ArchiveError> {
        self.run(async |connection| {
            let query =
                "select 1 from letters where status = 'waiting' and queue in (?, '') and arrived_at <= ? limit 1";
            let row = sqlx::query(query).bind(game).bind(stored_time(by));
            Ok(row.fetch_optional(connection).await?.is_some())
        })
    }

    /// These letters are about to be taken up: it is written down before, so that a process which does not survive it has
    /// left a trace.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn count_attempt(&self, ids: &[LetterId]) -> Result<(), ArchiveError> {
        let list = numbers(ids)?;
        self.run(async |connection| {
            let query = "update letters set attempts = attempts + 1 where id in (select value from json_each(?))";
            sqlx::query(query).bind(list).execute(connection).await?;
            Ok(())
        })
    }

    /// These letters were let go of in good order: it was not their fault.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn forgive_attempt(&self, ids: &[LetterId]) -> Result<(), ArchiveError> {
        let list = numbers(ids)?;
        self.run(async |connection| {
            let query =
                "update letters set attempts = attempts - 1 where attempts > 0 and id in (select value from json_each(?))";
            sqlx::query(query).bind(list).execute(connection).await?;
            Ok(())
        })
    }

    /// When a carrier's last letter was remembered; none where it brought none.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn last_remembered(&self, carrier: &str) -> Result<Option<DateTime<Utc>>, ArchiveError> {
        self.run(async |connection| {
            let query = "select max(remembered_at) as last from letters where carrier = ? and form in ('mail', 'post')";
            time(&sqlx::query(query).bind(carrier).fetch_one(connection).await?, "last")
        })
    }

    /// A letter.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn letter(&self, id: LetterId) -> Result<Option<LetterRecord>, ArchiveError> {
        self.run(async |connection| {
            let query =
                "select id, carrier, form, arrived_at, attempts, released, size, raw from letters join raws on letter = id where id = ?";
            let row = sqlx::query(query).bind(id.0).fetch_optional(connection).await?;
            row.as_ref().map(letter).transpose()
        })
    }

    /// How many letters of each fate there are, by its name.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn letter_counts(&self) -> Result<Vec<(String, u64)>, ArchiveError> {
        self.run(async |connection| {
            let query = "select status, sum(number) as letters from tally where what = 'letters' \
                         group by status having letters > 0 order by status";
            let rows = sqlx::query(query).fetch_all(connection).await?;
            rows.iter().map(|row| Ok((row.try_get("status")?, row.try_get::<i64, _>("letters")? as u64))).collect()
        })
    }

    /// When the oldest of so many letters came that a sender has written since; none where the sender has not written
    /// so many. What was set aside does not count: it was not read.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn oldest_of(
        &self,
        most: u32,
        sender: &str,
        proof: Proof,
        since: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, ArchiveError> {
        self.run(async |connection| {
            let query = "select arrived_at from letters where sender = ? and sender <> '' and arrived_at >= ? \
                         and proof = ? and status <> 'aside' order by arrived_at desc limit 1 offset ?";
            let row = sqlx::query(query).bind(sender).bind(stored_time(since)).bind(proof.name());
            let row = row.bind(most.saturating_sub(1)).fetch_optional(connection).await?;
            row.map(|row| read_time(row.try_get("arrived_at")?)).transpose()
        })
    }

    /// How many letters for a seat were parked since.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn parked_for(&self, of: &SeatId, since: DateTime<Utc>) -> Result<u32, ArchiveError> {
        self.run(async |connection| {
            let query = "select count(*) as letters from parked join letters on letters.id = parked.letter \
                         where parked.game = ? and parked.seat = ? and arrived_at >= ?";
            let row = sqlx::query(query).bind(&of.game).bind(of.party.stored()).bind(stored_time(since));
            Ok(row.fetch_one(connection).await?.try_get("letters")?)
        })
    }

    /// The letters that are set aside, the last first: those for this game, and those of which nobody can say for which they
    /// are; so many at most.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn set_aside(&self, game: &GameId, most: u32) -> Result<Vec<SetAside>, ArchiveError> {
        self.run(async |connection| {
            let query = "select id, game, carrier, arrived_at, sender, remark, size from letters \
                         where status = 'aside' and game = ?1 \
                         union all select id, game, carrier, arrived_at, sender, remark, size from letters \
                         where status = 'aside' and game is null order by id desc limit ?2";
            let rows = sqlx::query(query).bind(game).bind(most).fetch_all(connection).await?;
            rows.iter()
                .map(|row| {
                    Ok(SetAside {
                        letter: LetterId(row.try_get("id")?),
                        game: row.try_get("game")?,
                        carrier: row.try_get("carrier")?,
                        arrived: read_time(row.try_get("arrived_at")?)?,
                        sender: row.try_get("sender")?,
                        why: row.try_get::<Option<String>, _>("remark")?.unwrap_or_default(),
                        size: row.try_get::<i64, _>("size")? as u64,
                    })
                })
                .collect()
        })
    }

    /// The letter that a question asked about, and what became of it.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn asked_about(&self, question: &str) -> Result<Option<(Parked, Fate)>, ArchiveError> {
        self.run(async |connection| {
            let query =
                "select parked.*, status from parked join letters on letters.id = parked.letter where question = ?";
            let row = sqlx::query(query).bind(question).fetch_optional(connection).await?;
            row.map(|row| {
                let name: &str = row.try_get("status")?;
                let fate = Fate::named(name).ok_or_else(|| damaged("the fate of a parked letter", name))?;
                let parked = Parked {
                    letter: LetterId(row.try_get("letter")?),
                    of: SeatId::read(&row)?,
                    sender: row.try_get("sender")?,
                    question: row.try_get("question")?,
                };
                Ok((parked, fate))
            })
            .transpose()
        })
    }
}

fn numbers(ids: &[LetterId]) -> Result<String, ArchiveError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    serde_json::to_string(&ids).map_err(|error| ArchiveError::Damaged(error.to_string()))
}

pub(super) fn letter(row: &SqliteRow) -> Result<LetterRecord, ArchiveError> {
    Ok(LetterRecord {
        id: LetterId(row.try_get("id")?),
        carrier: row.try_get("carrier")?,
        form: form(row)?,
        arrived: read_time(row.try_get("arrived_at")?)?,
        raw: row.try_get("raw")?,
        size: row.try_get::<i64, _>("size")? as u64,
        released: row.try_get("released")?,
        attempts: row.try_get("attempts")?,
    })
}

fn form(row: &SqliteRow) -> Result<Form, ArchiveError> {
    let name: &str = row.try_get("form")?;
    Form::named(name).ok_or_else(|| damaged("the form of a letter", name))
}

async fn insert_letter(
    connection: &mut SqliteConnection,
    letter: &NewLetter<'_>,
    now: DateTime<Utc>,
) -> Result<usize, ArchiveError> {
    let query = "insert into letters (carrier, form, message_id, hash, arrived_at, remembered_at, queue, size, whole) \
                 values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (carrier, message_id, hash) do nothing";
    let done = sqlx::query(query)
        .bind(letter.carrier)
        .bind(letter.form.name())
        .bind(letter.message_id)
        .bind(letter.hash)
        .bind(stored_time(letter.arrived))
        .bind(stored_time(now))
        .bind(letter.queue)
        .bind(letter.size as i64)
        .bind(letter.size == letter.raw.len())
        .execute(&mut *connection)
        .await?;
    if done.rows_affected() > 0 {
        insert_raw(connection, done.last_insert_rowid(), letter.raw).await?;
    }
    Ok(done.rows_affected() as usize)
}

async fn insert_raw(connection: &mut SqliteConnection, letter: i64, raw: &[u8]) -> Result<(), ArchiveError> {
    let query = "insert into raws (letter, raw) values (?, ?)";
    sqlx::query(query).bind(letter).bind(raw).execute(connection).await?;
    Ok(())
}

/// Keeps of a letter its head alone; its hash tells it from others as ever.
pub(super) async fn behead(connection: &mut SqliteConnection, letter: i64) -> Result<(), ArchiveError> {
    let query = "select raw from raws where letter = ?";
    let Some(row) = sqlx::query(query).bind(letter).fetch_optional(&mut *connection).await? else { return Ok(()) };
    let raw: Vec<u8> = row.try_get("raw")?;
    let query = "update raws set raw = ? where letter = ?";
    sqlx::query(query).bind(head_of(&raw)).bind(letter).execute(&mut *connection).await?;
    let query = "update letters set whole = 0 where id = ?";
    sqlx::query(query).bind(letter).execute(connection).await?;
    Ok(())
}

pub(super) async fn settle_letter(
    connection: &mut SqliteConnection,
    status: &LetterStatus,
) -> Result<(), ArchiveError> {
    let query = "update letters set status = ?, sender = ?, game = ?, seat = ?, remark = ?, \
                 proof = coalesce(?, proof) \
                 where id = ? and status in ('waiting', 'parked')";
    let done = sqlx::query(query)
        .bind(status.fate.name())
        .bind(&status.sender)
        .bind(status.of.as_ref().map(|of| &of.game))
        .bind(status.of.as_ref().map(|of| of.party.stored()))
        .bind(&status.remark)
        .bind(status.proof.map(Proof::name))
        .bind(status.id.0)
        .execute(&mut *connection)
        .await?;
    match done.rows_affected() {
        1 if status.fate.is_kept_whole() => Ok(()),
        1 => behead(connection, status.id.0).await,
        _ => Err(damaged("a letter that waits", status.id.0)),
    }
}

/// A letter that was set aside waits again.
pub(super) async fn release_letter(connection: &mut SqliteConnection, id: LetterId) -> Result<(), ArchiveError> {
    let query = "update letters set status = 'waiting', released = 1 where id = ? and status = 'aside'";
    sqlx::query(query).bind(id.0).execute(connection).await?;
    Ok(())
}

pub(super) async fn insert_parked(connection: &mut SqliteConnection, parked: &Parked) -> Result<(), ArchiveError> {
    // A letter that was set aside and handed back is asked about anew.
    let query = "insert into parked (letter, game, seat, sender, question) values (?, ?, ?, ?, ?) \
                 on conflict (letter) do update set question = excluded.question";
    sqlx::query(query)
        .bind(parked.letter.0)
        .bind(&parked.of.game)
        .bind(parked.of.party.stored())
        .bind(&parked.sender)
        .bind(&parked.question)
        .execute(connection)
        .await?;
    Ok(())
}
