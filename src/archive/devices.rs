//! The order page: which link of a seat is good, the browsers that have it, the codes by which they came to it, and the
//! answers that are read there.

use chrono::{DateTime, Utc};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::deed::at_once;
use super::letters::LetterId;
use super::{Archive, ArchiveError, Party, Role, damaged, read_time, stored_time};
use crate::game::GameId;

/// The link of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LinkRecord {
    /// How often it was made anew.
    pub generation: u32,
    /// Whether answers to forms of the page go by letter too.
    pub copies: bool,
}

/// A browser that has a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRecord {
    /// The hash of its secret.
    pub browser: [u8; 32],
    pub game: GameId,
    pub party: Party,
    /// Of a deputy's: the absence that it ends with, by its beginning.
    pub absence: Option<DateTime<Utc>>,
    /// What it calls itself.
    pub name: String,
    /// When it was confirmed.
    pub since: DateTime<Utc>,
    /// When it was last here; a day more or less.
    pub seen: DateTime<Utc>,
}

/// A code that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeRecord {
    /// Its number; 0 before it is written down.
    pub id: i64,
    /// The browser that asked for it.
    pub browser: [u8; 32],
    pub game: GameId,
    pub party: Party,
    /// Whether it was sent to the player or to their deputy.
    pub role: Role,
    pub sealed: [u8; 32],
    /// Whether the browser had a seat already, here or elsewhere.
    pub known: bool,
    /// What the browser calls itself.
    pub name: String,
    /// When it was asked for.
    pub asked_at: DateTime<Utc>,
    /// How often another was typed.
    pub tries: u32,
}

/// What changes about the page of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageChange {
    /// Its link is another from now on, and no browser has the seat.
    NewLink(Party),
    /// No browser has the seat.
    Forget(Party),
    /// No browser of its deputy has it.
    ForgetDeputy(Party),
    /// Whether answers go by letter too.
    Copies(Party, bool),
    /// An answer that is read on the page.
    Answer(PageAnswer),
}

/// An answer that is read on the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageAnswer {
    pub party: Party,
    /// The id of the form.
    pub form: String,
    /// The acknowledgement as data; none where the answer is another letter.
    pub told: Option<String>,
    /// The answer in words.
    pub words: String,
    pub written_at: DateTime<Utc>,
}

impl Archive {
    /// The links of the seats of a game that are not as they were at first.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn links(&self, game: &GameId) -> Result<Vec<(Party, LinkRecord)>, ArchiveError> {
        self.run(async |connection| {
            let query = "select seat, generation, copies from links where game = ?";
            let rows = sqlx::query(query).bind(game.as_str()).fetch_all(connection).await?;
            let link = |row: &SqliteRow| {
                let record = LinkRecord {
                    generation: row.try_get("generation")?,
                    copies: row.try_get::<i64, _>("copies")? == 1,
                };
                Ok((Party::read(row.try_get("seat")?)?, record))
            };
            rows.iter().map(link).collect()
        })
    }

    /// The seat that a browser has in a game: the moderator's, or the one it plays.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn device(
        &self,
        browser: &[u8; 32],
        game: &GameId,
        moderates: bool,
    ) -> Result<Option<DeviceRecord>, ArchiveError> {
        let epoch = self.epoch();
        self.run(async |connection| {
            let query = "select * from devices where browser = ? and game = ? and moderates = ? and epoch = ?";
            let query = sqlx::query(query).bind(&browser[..]).bind(game.as_str()).bind(moderates).bind(epoch);
            query.fetch_optional(connection).await?.as_ref().map(device).transpose()
        })
    }

    /// The seats that a browser has, by game.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn seats_of_browser(&self, browser: &[u8; 32]) -> Result<Vec<DeviceRecord>, ArchiveError> {
        let epoch = self.epoch();
        self.run(async |connection| {
            let query = "select * from devices where browser = ? and epoch = ? order by game";
            let rows = sqlx::query(query).bind(&browser[..]).bind(epoch).fetch_all(connection).await?;
            rows.iter().map(device).collect()
        })
    }

    /// The browsers that have a seat, the first first.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn devices_at(&self, game: &GameId, party: Party) -> Result<Vec<DeviceRecord>, ArchiveError> {
        let epoch = self.epoch();
        self.run(async |connection| {
            let query = "select * from devices where game = ? and seat = ? and epoch = ? order by id";
            let rows =
                sqlx::query(query).bind(game.as_str()).bind(party.stored()).bind(epoch).fetch_all(connection).await?;
            rows.iter().map(device).collect()
        })
    }

    /// A browser has a seat from now on; another that it had in the same game it has no longer, but for the moderator's. The
    /// code by which it came is spent.
    ///
    /// # Errors
    /// Nothing has changed.
    pub fn add_device(&self, new: &DeviceRecord, code: Option<i64>) -> Result<(), ArchiveError> {
        let epoch = self.epoch();
        self.run(async |connection| {
            at_once(connection, async |connection| {
                let query = "insert into devices (browser, game, seat, moderates, epoch, absence, name, since, seen) \
                             values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (browser, game, moderates) do update set \
                             seat = excluded.seat, epoch = excluded.epoch, absence = excluded.absence, \
                             name = excluded.name, since = excluded.since, seen = excluded.seen";
                sqlx::query(query)
                    .bind(&new.browser[..])
                    .bind(new.game.as_str())
                    .bind(new.party.stored())
                    .bind(new.party == Party::Moderator)
                    .bind(epoch)
                    .bind(new.absence.map(stored_time))
                    .bind(&new.name)
                    .bind(stored_time(new.since))
                    .bind(stored_time(new.seen))
                    .execute(&mut *connection)
                    .await?;
                if let Some(code) = code {
                    let query = "update codes set spent = 1 where id = ?";
                    sqlx::query(query).bind(code).execute(connection).await?;
                }
                Ok(())
            })
            .await
        })
    }

    /// A browser was here.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn note_seen(&self, device: &DeviceRecord, now: DateTime<Utc>) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let query = "update devices set seen = ? where browser = ? and game = ? and seat = ?";
            sqlx::query(query)
                .bind(stored_time(now))
                .bind(&device.browser[..])
                .bind(device.game.as_str())
                .bind(device.party.stored())
                .execute(connection)
                .await?;
            Ok(())
        })
    }

    /// A browser has its seat in a game no longer.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn drop_device(&self, device: &DeviceRecord) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let query = "delete from devices where browser = ? and game = ? and seat = ?";
            sqlx::query(query)
                .bind(&device.browser[..])
                .bind(device.game.as_str())
                .bind(device.party.stored())
                .execute(connection)
                .await?;
            Ok(())
        })
    }

    /// How many codes were asked for since then for a seat, by browsers that were known or by those that were not.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn codes_since(
        &self,
        game: &GameId,
        party: Party,
        known: bool,
        since: DateTime<Utc>,
    ) -> Result<u32, ArchiveError> {
        self.run(async |connection| {
            let query = "select count(*) as codes from codes \
                         where game = ? and seat = ? and asked_at > ? and known = ?";
            let query =
                sqlx::query(query).bind(game.as_str()).bind(party.stored()).bind(stored_time(since)).bind(known);
            Ok(query.fetch_one(connection).await?.try_get("codes")?)
        })
    }

    /// The last code that was sent for a browser and a game, unless it is spent.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn code_for(&self, browser: &[u8; 32], game: &GameId) -> Result<Option<CodeRecord>, ArchiveError> {
        self.run(async |connection| {
            let query = "select * from codes where browser = ? and game = ? order by id desc limit 1";
            let row = sqlx::query(query).bind(&browser[..]).bind(game.as_str()).fetch_optional(connection).await?;
            let Some(row) = row.filter(|row| row.try_get::<i64, _>("spent").is_ok_and(|spent| spent == 0)) else {
                return Ok(None);
            };
            let role: &str = row.try_get("role")?;
            Ok(Some(CodeRecord {
                id: row.try_get("id")?,
                browser: hash(&row, "browser")?,
                game: row.try_get::<String, _>("game")?.into(),
                party: Party::read(row.try_get("seat")?)?,
                role: role_named(role)?,
                sealed: hash(&row, "sealed")?,
                known: row.try_get::<i64, _>("known")? == 1,
                name: row.try_get("name")?,
                asked_at: read_time(row.try_get("asked_at")?)?,
                tries: row.try_get("tries")?,
            }))
        })
    }

    /// Another code was typed in the place of this one.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn count_try(&self, code: i64) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let query = "update codes set tries = tries + 1 where id = ?";
            sqlx::query(query).bind(code).execute(connection).await?;
            Ok(())
        })
    }

    /// The answer to a form of the page.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn page_answer(&self, game: &GameId, party: Party, form: &str) -> Result<Option<PageAnswer>, ArchiveError> {
        self.run(async |connection| {
            let query = "select told, words, written_at from page_answers where game = ? and seat = ? and form = ?";
            let query = sqlx::query(query).bind(game.as_str()).bind(party.stored()).bind(form);
            let row = query.fetch_optional(connection).await?;
            let answer = |row: SqliteRow| {
                Ok(PageAnswer {
                    party,
                    form: form.to_owned(),
                    told: row.try_get("told")?,
                    words: row.try_get("words")?,
                    written_at: read_time(row.try_get("written_at")?)?,
                })
            };
            row.map(answer).transpose()
        })
    }

    /// Whether a letter of this carrier is remembered, and whether it waits still.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn letter_waits(&self, carrier: &str, message_id: &str) -> Result<Option<bool>, ArchiveError> {
        self.run(async |connection| {
            let query = "select status from letters where carrier = ? and message_id = ?";
            let row = sqlx::query(query).bind(carrier).bind(message_id).fetch_optional(connection).await?;
            row.map(|row| Ok(row.try_get::<&str, _>("status")? == "waiting")).transpose()
        })
    }

    /// The number of a letter of this carrier, by its id.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn letter_named(&self, carrier: &str, message_id: &str) -> Result<Option<LetterId>, ArchiveError> {
        self.run(async |connection| {
            let query = "select id from letters where carrier = ? and message_id = ?";
            let row = sqlx::query(query).bind(carrier).bind(message_id).fetch_optional(connection).await?;
            row.map(|row| Ok(LetterId(row.try_get("id")?))).transpose()
        })
    }

    /// The last letter that told a reader how the game stands: as HTML while that is kept, and its text.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn last_report(
        &self,
        game: &GameId,
        party: Party,
    ) -> Result<Option<(Option<String>, String)>, ArchiveError> {
        self.run(async |connection| {
            // The names of `DispatchKind`, written out. They are found from the last backwards.
            let query = "select html, body from outbox join pages on pages.dispatch = outbox.id \
                         where game = ? and seat = ? and kind in \
                         ('report', 'decision', 'welcome', 'rollback', 'end', 'invitation') \
                         order by outbox.id desc limit 1";
            let row = sqlx::query(query).bind(game.as_str()).bind(party.stored()).fetch_optional(connection).await?;
            row.map(|row| Ok((row.try_get("html")?, row.try_get("body")?))).transpose()
        })
    }
}

/// Writes a code down that leaves with the same deed; the older ones of its browser are spent.
pub(super) async fn insert_code(connection: &mut SqliteConnection, code: &CodeRecord) -> Result<(), ArchiveError> {
    let query = "update codes set spent = 1 where browser = ? and game = ?";
    sqlx::query(query).bind(&code.browser[..]).bind(code.game.as_str()).execute(&mut *connection).await?;
    let query = "insert into codes (browser, game, seat, role, sealed, known, name, asked_at) \
                 values (?, ?, ?, ?, ?, ?, ?, ?)";
    sqlx::query(query)
        .bind(&code.browser[..])
        .bind(code.game.as_str())
        .bind(code.party.stored())
        .bind(name_of(code.role))
        .bind(&code.sealed[..])
        .bind(code.known)
        .bind(&code.name)
        .bind(stored_time(code.asked_at))
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn write_page_change(
    connection: &mut SqliteConnection,
    game: &GameId,
    change: &PageChange,
) -> Result<(), ArchiveError> {
    match change {
        PageChange::NewLink(party) => {
            let query = "insert into links (game, seat, generation) values (?, ?, 1) \
                         on conflict (game, seat) do update set generation = generation + 1";
            sqlx::query(query).bind(game.as_str()).bind(party.stored()).execute(&mut *connection).await?;
            forget(connection, game, *party).await
        }
        PageChange::Forget(party) => forget(connection, game, *party).await,
        PageChange::ForgetDeputy(party) => {
            let query = "delete from devices where game = ? and seat = ? and absence is not null";
            sqlx::query(query).bind(game.as_str()).bind(party.stored()).execute(connection).await?;
            Ok(())
        }
        PageChange::Copies(party, copies) => {
            let query = "insert into links (game, seat, copies) values (?, ?, ?) \
                         on conflict (game, seat) do update set copies = excluded.copies";
            sqlx::query(query).bind(game.as_str()).bind(party.stored()).bind(*copies).execute(connection).await?;
            Ok(())
        }
        PageChange::Answer(answer) => {
            let query = "insert into page_answers (game, seat, form, told, words, written_at) values (?, ?, ?, ?, ?, ?) \
                         on conflict (game, seat, form) do nothing";
            sqlx::query(query)
                .bind(game.as_str())
                .bind(answer.party.stored())
                .bind(&answer.form)
                .bind(&answer.told)
                .bind(&answer.words)
                .bind(stored_time(answer.written_at))
                .execute(connection)
                .await?;
            Ok(())
        }
    }
}

/// No browser has the seat any more, and no code that is on its way opens it. One code opens all games of a moderator, so a
/// browser that is forgotten in one of them has none of the others either.
async fn forget(connection: &mut SqliteConnection, game: &GameId, party: Party) -> Result<(), ArchiveError> {
    let query = match party {
        Party::Moderator => {
            "delete from devices where seat = -1 and browser in (select browser from devices where game = ? and seat = ?)"
        }
        Party::Seat(_) | Party::Public => "delete from devices where game = ? and seat = ?",
    };
    sqlx::query(query).bind(game.as_str()).bind(party.stored()).execute(&mut *connection).await?;
    let query = "update codes set spent = 1 where game = ? and seat = ? and spent = 0";
    sqlx::query(query).bind(game.as_str()).bind(party.stored()).execute(connection).await?;
    Ok(())
}

fn device(row: &SqliteRow) -> Result<DeviceRecord, ArchiveError> {
    Ok(DeviceRecord {
        browser: hash(row, "browser")?,
        game: row.try_get::<String, _>("game")?.into(),
        party: Party::read(row.try_get("seat")?)?,
        absence: row.try_get::<Option<&str>, _>("absence")?.map(read_time).transpose()?,
        name: row.try_get("name")?,
        since: read_time(row.try_get("since")?)?,
        seen: read_time(row.try_get("seen")?)?,
    })
}

fn hash(row: &SqliteRow, column: &str) -> Result<[u8; 32], ArchiveError> {
    let bytes: &[u8] = row.try_get(column)?;
    bytes.try_into().map_err(|_| damaged("a hash", bytes.len()))
}

fn name_of(role: Role) -> &'static str {
    match role {
        Role::Player => "player",
        Role::Deputy => "deputy",
    }
}

fn role_named(name: &str) -> Result<Role, ArchiveError> {
    [Role::Player, Role::Deputy].into_iter().find(|role| name_of(*role) == name).ok_or_else(|| damaged("a role", name))
}
