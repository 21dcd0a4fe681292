//! The outbox: letters that leave the house, each written once and sent until somebody has it.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, Row, SqliteConnection};

use super::offered::{OfferedAnswer, insert_offered};
use super::{Archive, ArchiveError, DispatchKind, Party, SeatId, damaged, read_time, stored_time};
use crate::game::{GameId, Phase, TurnPhase};
use crate::post::Dispatch;

/// A dispatch that is to be written down.
#[derive(Debug, Clone, PartialEq)]
pub struct NewDispatch {
    pub dispatch: Dispatch,
    /// What it is about, in our own words, of which its id is a sealed form.
    pub about: String,
    /// The secret of its answer's address.
    pub secret: String,
    /// Whose it is; none for letters that belong to no game.
    pub of: Option<SeatId>,
    /// What kind of letter it is, by the name of its template.
    pub kind: DispatchKind,
    /// The turn and the phase whose form it carries.
    pub asks: Option<TurnPhase>,
    /// The carrier that takes it.
    pub carrier: String,
    /// Whether its news went with another letter, so that it need not leave itself.
    pub told_elsewhere: bool,
    /// The cut-off that it names.
    pub cut_off: Option<DateTime<Utc>>,
    /// The answers that it offers.
    pub offered: Vec<OfferedAnswer>,
    /// Whose words it passes on; none where it is ours.
    pub writer: Option<Party>,
    /// Those words, where players write to each other.
    pub words: Option<String>,
}

/// A dispatch on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct Outgoing {
    pub dispatch: Dispatch,
    /// The carrier that takes it.
    pub carrier: String,
    /// To whom it was written; in a forum the dispatch itself may go to the player's thread.
    pub recipient: String,
    /// How often it was tried.
    pub attempts: u32,
    pub of: Option<SeatId>,
    /// What kind of letter it is.
    pub kind: DispatchKind,
}

/// A dispatch that may leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaving {
    pub message_id: String,
    /// Its game; none for letters that belong to none.
    pub game: Option<String>,
    /// Its place among those of its game, from one.
    pub place: u32,
}

/// A letter of ours that is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OurLetter {
    pub message_id: String,
    /// What it is about, in our own words.
    pub about: String,
    /// Whose it was; none for letters that belong to no game.
    pub of: Option<SeatId>,
    /// What kind of letter it was.
    pub kind: DispatchKind,
    /// The turn and the phase whose form it carried.
    pub asks: Option<TurnPhase>,
    /// How many rollbacks there had been.
    pub era: u32,
    /// The cut-off that it names; none where none was open, or where the first edition wrote it.
    pub cut_off: Option<DateTime<Utc>>,
    pub recipient: String,
    /// When it was written.
    pub written_at: DateTime<Utc>,
    /// Whose words it passed on; none where it was ours, or where nobody knows any more.
    pub writer: Option<Party>,
}

impl OurLetter {
    /// Whether its id is a secret between us and its reader. Those of the first edition could be guessed.
    pub(crate) fn is_sealed(&self) -> bool {
        self.message_id.split('@').next() != Some(self.about.as_str())
    }
}

/// The columns that [`OurLetter`] is read from.
pub(super) const ANSWERED: &str = "message_id, coalesce(about, substr(message_id, 1, instr(message_id, '@') - 1)) as about, \
                                   game, seat, kind, turn, phase, era, cut_off, writer, recipient, written_at";

/// How many dispatches there are of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutboxStatus {
    pub waiting: u64,
    pub sent: u64,
    pub dead: u64,
}

impl Archive {
    /// The dispatches that this carrier may try now, of every game the oldest first; so many of each at most. What leaves
    /// behind another one waits until that was tried, and so does what was written to the same reader after it, lest old news
    /// come last; one that goes by another carrier keeps nobody waiting.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn due(&self, carrier: &str, now: DateTime<Utc>, each: usize) -> Result<Vec<Leaving>, ArchiveError> {
        self.run(async |connection| {
            // From each game to the next in the index, however much of theirs waits; what has none comes last.
            let query = "with recursive found (game) as (select min(game) from outbox where status = 'waiting' and carrier = ?1 \
                         union all select (select min(outbox.game) from outbox where status = 'waiting' and carrier = ?1 \
                         and outbox.game > found.game) from found where found.game is not null) \
                         select message_id, outbox.game, \
                         row_number() over (partition by outbox.game order by next_try, outbox.id) as place \
                         from found join outbox on outbox.id in (select id from outbox as own where own.status = 'waiting' \
                         and own.carrier = ?1 and own.game is found.game and own.next_try <= ?2 \
                         and not exists (select 1 from outbox as first where first.message_id = own.behind \
                         and first.carrier = own.carrier and first.status = 'waiting' and first.attempts = 0) \
                         and not exists (select 1 from outbox as older join outbox as first on first.message_id = older.behind \
                         where older.status = 'waiting' and older.carrier = own.carrier and older.game is own.game \
                         and older.seat is own.seat and older.id < own.id and first.carrier = older.carrier \
                         and first.status = 'waiting' and first.attempts = 0) \
                         order by own.next_try, own.id limit ?3) order by place, next_try, outbox.id";
            let rows = sqlx::query(query).bind(carrier).bind(stored_time(now)).bind(each as i64);
            rows.fetch_all(connection).await?.iter().map(leaving).collect()
        })
    }

    /// The same of a forum: for each reader only the first, for posts stand in the sequence they were written.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn due_in_sequence(&self, carrier: &str, now: DateTime<Utc>) -> Result<Vec<Leaving>, ArchiveError> {
        self.run(async |connection| {
            let query = "select message_id, game, \
                         row_number() over (partition by game order by next_try, id) as place \
                         from outbox where next_try <= ?2 and id in (select min(id) from outbox \
                         where status = 'waiting' and carrier = ?1 group by game, seat) \
                         and not exists (select 1 from outbox as first where first.message_id = outbox.behind \
                         and first.carrier = outbox.carrier and first.status = 'waiting' and first.attempts = 0) \
                         order by place, next_try, id";
            let rows = sqlx::query(query).bind(carrier).bind(stored_time(now));
            rows.fetch_all(connection).await?.iter().map(leaving).collect()
        })
    }

    /// The carriers for which something waits.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn waiting_carriers(&self) -> Result<Vec<String>, ArchiveError> {
        self.run(async |connection| {
            // From each to the next in the index, whatever waits for them.
            let query = "with recursive found (carrier) as (select min(carrier) from outbox where status = 'waiting' \
                         union all select (select min(outbox.carrier) from outbox where status = 'waiting' \
                         and outbox.carrier > found.carrier) from found where found.carrier is not null) \
                         select carrier from found where carrier is not null";
            let rows = sqlx::query(query).fetch_all(connection).await?;
            rows.iter().map(|row| Ok(row.try_get("carrier")?)).collect()
        })
    }

    /// A dispatch that waits, whole: its page and its picture are read only for whoever sends it.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn outgoing(&self, message_id: &str) -> Result<Option<Outgoing>, ArchiveError> {
        self.run(async |connection| {
            let query = "select outbox.*, body, html, data, png from outbox join pages on dispatch = outbox.id \
                         left join pictures on pictures.hash = picture where message_id = ? and status = 'waiting'";
            let row = sqlx::query(query).bind(message_id).fetch_optional(connection).await?;
            row.as_ref().map(outgoing).transpose()
        })
    }

    /// Whether a letter of this seat was ever answered, as far as is remembered.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn has_been_answered(&self, game: &GameId, party: Party) -> Result<bool, ArchiveError> {
        self.run(async |connection| {
            let query = "select 1 from outbox where game = ? and seat = ? and kind = 'acknowledgement' limit 1";
            let query = sqlx::query(query).bind(game).bind(party.stored());
            Ok(query.fetch_optional(connection).await?.is_some())
        })
    }

    /// Whether a later letter of the same kind to the same reader waits behind this one.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn is_followed(&self, message_id: &str) -> Result<bool, ArchiveError> {
        self.run(async |connection| {
            let query = "select 1 from outbox as later join outbox as this on this.message_id = ? \
                         where later.status = 'waiting' and later.id > this.id and later.kind = this.kind \
                         and later.game is this.game and later.seat is this.seat and later.carrier = this.carrier";
            Ok(sqlx::query(query).bind(message_id).fetch_optional(connection).await?.is_some())
        })
    }

    /// These dispatches have left.
    ///
    /// # Errors
    /// The archive does not answer; they will be sent again, with the same ids.
    pub fn mark_sent(&self, ids: &[&str], at: DateTime<Utc>) -> Result<(), ArchiveError> {
        let list = serde_json::to_string(ids).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
        self.run(async |connection| {
            let query = "update outbox set status = 'sent', sent_at = ?, attempts = attempts + 1, trouble = null \
                         where message_id in (select value from json_each(?))";
            sqlx::query(query).bind(stored_time(at)).bind(list).execute(connection).await?;
            Ok(())
        })
    }

    /// A dispatch could not leave: it is tried again then, or never.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn mark_failed(&self, id: &str, again: Option<DateTime<Utc>>, trouble: &str) -> Result<(), ArchiveError> {
        self.run(async |connection| fail_dispatch(connection, id, again, trouble).await)
    }

    /// A letter waits, and was not tried: its carrier is not let in.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn put_off(&self, id: &str, again: DateTime<Utc>, trouble: &str) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let query = "update outbox set next_try = ?, trouble = ? where message_id = ?";
            sqlx::query(query).bind(stored_time(again)).bind(trouble).bind(id).execute(connection).await?;
            Ok(())
        })
    }

    /// What waits for this carrier is tried now.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn try_now(&self, carrier: &str, now: DateTime<Utc>) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let query = "update outbox set next_try = ?1 where status = 'waiting' and carrier = ?2 and next_try > ?1";
            sqlx::query(query).bind(stored_time(now)).bind(carrier).execute(connection).await?;
            Ok(())
        })
    }

    /// The letter of ours whose answers have this secret.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn answered(&self, secret: &str) -> Result<Option<OurLetter>, ArchiveError> {
        self.run(async |connection| {
            let query = AssertSqlSafe(format!("select {ANSWERED} from outbox where secret = ?"));
            let row = sqlx::query(query).bind(secret).fetch_optional(connection).await?;
            row.as_ref().map(answered).transpose()
        })
    }

    /// A letter of ours by its id.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn written(&self, message_id: &str) -> Result<Option<OurLetter>, ArchiveError> {
        self.run(async |connection| {
            let query = AssertSqlSafe(format!("select {ANSWERED} from outbox where message_id = ?"));
            let row = sqlx::query(query).bind(message_id).fetch_optional(connection).await?;
            row.as_ref().map(answered).transpose()
        })
    }

    /// Whether a letter about the same was written before, in the first edition too, which called it otherwise.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn has_written(&self, new: &NewDispatch) -> Result<bool, ArchiveError> {
        self.run(async |connection| {
            let query = "select 1 from outbox where message_id = ? \
                         or coalesce(about, substr(message_id, 1, instr(message_id, '@') - 1)) = ?";
            let row = sqlx::query(query).bind(&new.dispatch.message_id).bind(&new.about);
            Ok(row.fetch_optional(connection).await?.is_some())
        })
    }

    /// Whether a letter of ours has left.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn was_sent(&self, message_id: &str) -> Result<bool, ArchiveError> {
        self.run(async |connection| {
            let query = "select 1 from outbox where message_id = ? and status = 'sent'";
            Ok(sqlx::query(query).bind(message_id).fetch_optional(connection).await?.is_some())
        })
    }

    /// Whether a letter of ours went out without an address for its answer alone.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn went_bare(&self, message_id: &str) -> Result<bool, ArchiveError> {
        self.run(async |connection| {
            let query = "select 1 from outbox where message_id = ? and reply_to is null";
            Ok(sqlx::query(query).bind(message_id).fetch_optional(connection).await?.is_some())
        })
    }

    /// The letters whose news went with this one: reminders of other games.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn told_with(&self, message_id: &str) -> Result<Vec<OurLetter>, ArchiveError> {
        self.run(async |connection| {
            // The name of `DispatchKind::Reminder`, written out: the index is of these alone.
            let query = AssertSqlSafe(format!(
                "select {ANSWERED} from outbox \
                 where kind = 'reminder' and in_reply_to = ? and attempts = 0 and status = 'sent' order by id"
            ));
            let rows = sqlx::query(query).bind(message_id).fetch_all(connection).await?;
            rows.iter().map(answered).collect()
        })
    }

    /// The text of a letter of ours, and the same as a page while it is kept.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn written_text(&self, message_id: &str) -> Result<Option<(String, Option<String>)>, ArchiveError> {
        self.run(async |connection| {
            let query = "select body, html from pages join outbox on outbox.id = dispatch where message_id = ?";
            let row = sqlx::query(query).bind(message_id).fetch_optional(connection).await?;
            row.map(|row| Ok((row.try_get("body")?, row.try_get("html")?))).transpose()
        })
    }

    /// How the outbox stands; of one game, or of all.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn outbox_status(&self, game: Option<&GameId>) -> Result<OutboxStatus, ArchiveError> {
        self.run(async |connection| {
            let rows = match game {
                Some(game) => {
                    let query = "select status, number as letters from tally where what = 'outbox' and game = ?";
                    sqlx::query(query).bind(game).fetch_all(connection).await?
                }
                None => {
                    let query =
                        "select status, sum(number) as letters from tally where what = 'outbox' group by status";
                    sqlx::query(query).fetch_all(connection).await?
                }
            };
            let mut counts = OutboxStatus::default();
            for row in &rows {
                let letters = row.try_get::<i64, _>("letters")? as u64;
                match row.try_get::<&str, _>("status")? {
                    "waiting" => counts.waiting = letters,
                    "sent" => counts.sent = letters,
                    _ => counts.dead = letters,
                }
            }
            Ok(counts)
        })
    }
}

pub(super) fn leaving(row: &SqliteRow) -> Result<Leaving, ArchiveError> {
    let (message_id, game) = (row.try_get("message_id")?, row.try_get("game")?);
    Ok(Leaving { message_id, game, place: row.try_get("place")? })
}

pub(super) fn outgoing(row: &SqliteRow) -> Result<Outgoing, ArchiveError> {
    let thread: Option<&str> = row.try_get("thread")?;
    let dispatch = Dispatch {
        message_id: row.try_get("message_id")?,
        date: read_time(row.try_get("written_at")?)?,
        to: row.try_get("recipient")?,
        reply_to: row.try_get("reply_to")?,
        in_reply_to: row.try_get("in_reply_to")?,
        references: thread.map(|thread| thread.split(' ').map(str::to_owned).collect()).unwrap_or_default(),
        subject: row.try_get("subject")?,
        text: row.try_get("body")?,
        html: row.try_get("html")?,
        picture: row.try_get::<Option<Vec<u8>>, _>("png")?.map(Arc::new),
        data: row.try_get("data")?,
        list: None,
    };
    let (carrier, kind) = (row.try_get("carrier")?, read_kind(row)?);
    let recipient = dispatch.to.clone();
    Ok(Outgoing { dispatch, recipient, carrier, attempts: row.try_get("attempts")?, of: SeatId::of(row)?, kind })
}

pub(super) fn answered(row: &SqliteRow) -> Result<OurLetter, ArchiveError> {
    let phase: Option<&str> = row.try_get("phase")?;
    let phase = phase.map(|name| Phase::named(name).ok_or_else(|| damaged("a phase", name))).transpose()?;
    let turn: Option<u16> = row.try_get("turn")?;
    let asks = turn.zip(phase);
    let (message_id, kind) = (row.try_get("message_id")?, read_kind(row)?);
    let (about, era) = (row.try_get("about")?, row.try_get("era")?);
    let cut_off = row.try_get::<Option<&str>, _>("cut_off")?.map(read_time).transpose()?;
    let writer = row.try_get::<Option<i64>, _>("writer")?.map(Party::read).transpose()?;
    Ok(OurLetter {
        message_id,
        about,
        of: SeatId::of(row)?,
        kind,
        asks: asks.map(|(turn, phase)| TurnPhase::new(turn, phase)),
        era,
        cut_off,
        recipient: row.try_get("recipient")?,
        written_at: read_time(row.try_get("written_at")?)?,
        writer,
    })
}

/// Puts a letter into the outbox. It leaves behind another one, if that is named.
pub(super) async fn insert_dispatch(
    connection: &mut SqliteConnection,
    new: &NewDispatch,
    behind: Option<&str>,
) -> Result<(), ArchiveError> {
    let dispatch = &new.dispatch;
    let picture = match &dispatch.picture {
        Some(png) => Some(insert_picture(connection, png).await?),
        None => None,
    };
    let query = "insert into outbox (message_id, about, secret, game, seat, kind, turn, phase, carrier, recipient, reply_to, \
                 in_reply_to, thread, subject, picture, bulky, written_at, next_try, status, cut_off, behind, writer, words, era) \
                 values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \
                 coalesce((select era from games where id = ?), 0))";
    let is_bulky = picture.is_some() || dispatch.html.is_some() || dispatch.data.is_some();
    let done = sqlx::query(query)
        .bind(&dispatch.message_id)
        .bind(&new.about)
        .bind(&new.secret)
        .bind(new.of.as_ref().map(|of| &of.game))
        .bind(new.of.as_ref().map(|of| of.party.stored()))
        .bind(new.kind.name())
        .bind(new.asks.map(|asks| asks.turn))
        .bind(new.asks.map(|asks| asks.phase.name()))
        .bind(&new.carrier)
        .bind(&dispatch.to)
        .bind(&dispatch.reply_to)
        .bind(&dispatch.in_reply_to)
        .bind((!dispatch.references.is_empty()).then(|| dispatch.references.join(" ")))
        .bind(&dispatch.subject)
        .bind(picture)
        .bind(is_bulky)
        .bind(stored_time(dispatch.date))
        .bind(stored_time(dispatch.date))
        .bind(if new.told_elsewhere { "sent" } else { "waiting" })
        .bind(new.cut_off.map(stored_time))
        .bind(behind)
        .bind(new.writer.map(Party::stored))
        .bind(&new.words)
        .bind(new.of.as_ref().map(|of| &of.game))
        .execute(&mut *connection)
        .await?;
    insert_offered(connection, new).await?;
    insert_page(connection, done.last_insert_rowid(), dispatch).await
}

async fn insert_page(connection: &mut SqliteConnection, number: i64, dispatch: &Dispatch) -> Result<(), ArchiveError> {
    let query = "insert into pages (dispatch, body, html, data) values (?, ?, ?, ?)";
    sqlx::query(query)
        .bind(number)
        .bind(&dispatch.text)
        .bind(&dispatch.html)
        .bind(&dispatch.data)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn fail_dispatch(
    connection: &mut SqliteConnection,
    id: &str,
    again: Option<DateTime<Utc>>,
    trouble: &str,
) -> Result<(), ArchiveError> {
    let query = "update outbox set status = case when ? then 'waiting' else 'dead' end, \
                 attempts = attempts + 1, next_try = coalesce(?, next_try), trouble = ? where message_id = ?";
    sqlx::query(query)
        .bind(again.is_some())
        .bind(again.map(stored_time))
        .bind(trouble)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// The kind of a letter of ours.
fn read_kind(row: &SqliteRow) -> Result<DispatchKind, ArchiveError> {
    let name: String = row.try_get("kind")?;
    DispatchKind::named(&name).ok_or_else(|| damaged("a kind of letters", name))
}

async fn insert_picture(connection: &mut SqliteConnection, png: &[u8]) -> Result<String, ArchiveError> {
    let hash = hex(&Sha256::digest(png));
    let query = "insert into pictures (hash, png) values (?, ?) on conflict do nothing";
    sqlx::query(query).bind(&hash).bind(png).execute(connection).await?;
    Ok(hash)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
