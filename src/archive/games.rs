//! Games, their seats, and the people at them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::{Archive, ArchiveError, Party, SeatId, damaged, read_time, stored_time};
use crate::game::GameId;
use crate::orders::Detail;
use crate::report::market::Shown;
use crate::rules::Language;

/// A game as it is written down.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// Its short name, which is part of every address.
    pub id: GameId,
    pub title: String,
    /// The hash of the edition it is played with.
    pub edition: String,
    /// What the group has agreed on, as JSON.
    pub settings: String,
    /// The seed of all chance.
    pub seed: [u8; 32],
    pub status: Status,
    /// How many rollbacks there were.
    pub era: u32,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// The times of the open phase.
    pub hours: Hours,
    /// What players have proposed, and how they voted, as JSON.
    pub votes: String,
    /// Who has missed cut-offs, whose seat is kept, and who was asked to take one over, as JSON.
    pub club: String,
    /// What the moderator has edited and nobody has been told yet, as JSON.
    pub edits: String,
    /// Why it has ended before its end.
    pub stopped: Option<Stopped>,
}

/// Why a game has ended before its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// It never began, nor will it.
    Withdrawn {
        /// What its host says about it.
        reason: Option<String>,
    },
    /// It ends without a winner and without scores.
    Abandoned {
        /// What its host says about it.
        reason: Option<String>,
        /// Whether its players have voted for it.
        voted: bool,
    },
    /// It goes on in another house.
    Moved {
        /// Where players write to there.
        to: Option<String>,
    },
}

impl Stopped {
    /// Its name in lists and among the phrases.
    pub fn name(&self) -> &'static str {
        match self {
            Stopped::Withdrawn { .. } => "withdrawn",
            Stopped::Abandoned { .. } => "abandoned",
            Stopped::Moved { .. } => "moved",
        }
    }
}

impl GameRecord {
    /// How it stands, in a word.
    pub fn standing(&self) -> &'static str {
        self.stopped.as_ref().map_or(self.status.name(), Stopped::name)
    }
}

/// The times of the open phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hours {
    /// When its letters went out.
    pub opened: Option<DateTime<Utc>>,
    /// Until when answers count; none while nobody is awaited. While the game is paused it says what was left.
    pub cut_off: Option<DateTime<Utc>>,
    /// Since when nobody owes anything more.
    pub all_in: Option<DateTime<Utc>>,
    /// Since when the clock stands still.
    pub paused: Option<DateTime<Utc>>,
    /// When the next board of the trade is to leave; none while nobody waits for one.
    pub board: Option<DateTime<Utc>>,
}

/// Whether a game runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not everybody has accepted their seat.
    Inviting,
    Running,
    /// The moderator has stopped the clock.
    Paused,
    Ended,
}

impl Status {
    /// Its name in the archive.
    pub fn name(self) -> &'static str {
        match self {
            Status::Inviting => "inviting",
            Status::Running => "running",
            Status::Paused => "paused",
            Status::Ended => "ended",
        }
    }

    fn named(name: &str) -> Result<Status, ArchiveError> {
        let all = [Status::Inviting, Status::Running, Status::Paused, Status::Ended];
        all.into_iter().find(|status| status.name() == name).ok_or_else(|| damaged("a status", name))
    }
}

/// A seat as it is written down; the moderator's is one too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatRecord {
    pub party: Party,
    /// The name of the person.
    pub player: String,
    pub language: Language,
    /// The player's time zone, by its name in the zone database.
    pub zone: String,
    /// Whether the player wants HTML and pictures.
    pub html: bool,
    /// The built-in player who sits here instead, by the name of their temperament.
    pub companion: Companion,
    /// Whether the player has accepted the invitation.
    pub accepted: bool,
    /// How many extensions the player has had.
    pub extensions: u32,
    /// How often the player wants news of the trade, in hours; 0 is each at once, none as is usual.
    pub news: Option<u16>,
    /// When the player was last shown the board of the trade, and what stood there.
    pub board: Option<(DateTime<Utc>, Shown)>,
    /// How much the player's letters tell.
    pub detail: Detail,
    /// Whether they bring the player's view as data.
    pub data: bool,
    /// Where the player is reached, the first first. A deputy's are among them.
    pub addresses: Vec<Address>,
    /// Who answers while the player is away. Those of the first edition are known by their addresses alone.
    pub deputy: Option<Deputy>,
    /// When another person took the seat over, or was named to answer for it.
    pub changed_at: Option<DateTime<Utc>>,
}

/// Who answers for a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deputy {
    pub name: String,
    /// The deputy's own language.
    pub language: Language,
    /// The deputy's time zone, by its name in the zone database; none is the player's.
    pub zone: Option<String>,
}

/// The temperament of a built-in player, if one sits here.
pub(crate) type Companion = Option<String>;

/// Where somebody is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub carrier: String,
    /// Under which address, in lower case.
    pub address: String,
    pub role: Role,
}

/// Whose an address is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Player,
    Deputy,
}

/// An absence that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absence {
    pub party: Party,
    pub since: DateTime<Utc>,
    /// Until when; none until the player says so.
    pub until: Option<DateTime<Utc>>,
}

impl Archive {
    /// A game.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn game(&self, id: &GameId) -> Result<Option<GameRecord>, ArchiveError> {
        self.run(async |connection| {
            let row = sqlx::query("select * from games where id = ?").bind(id).fetch_optional(connection).await?;
            row.map(|row| game(&row)).transpose()
        })
    }

    /// All games that can be read, the oldest first. One that cannot is in nobody's way.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn games(&self) -> Result<Vec<GameRecord>, ArchiveError> {
        self.run(async |connection| {
            let rows = sqlx::query("select * from games order by created_at, id").fetch_all(connection).await?;
            let readable = rows.iter().filter_map(|row| {
                let id: String = row.try_get("id").ok()?;
                game(row).inspect_err(|error| tracing::error!(game = id, "a game cannot be read: {error}")).ok()
            });
            Ok(readable.collect())
        })
    }

    /// The games that were created after the one of this number, each with its own.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn games_since(&self, number: i64) -> Result<Vec<(i64, GameId)>, ArchiveError> {
        self.run(async |connection| {
            let query = "select rowid, id from games where rowid > ? order by rowid";
            let rows = sqlx::query(query).bind(number).fetch_all(connection).await?;
            rows.iter().map(|row| Ok((row.try_get("rowid")?, row.try_get("id")?))).collect()
        })
    }

    /// The ids of all games, also of those that cannot be read, the oldest first.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn game_ids(&self) -> Result<Vec<GameId>, ArchiveError> {
        self.run(async |connection| {
            let rows = sqlx::query("select id from games order by created_at, id").fetch_all(connection).await?;
            rows.iter().map(|row| Ok(row.try_get("id")?)).collect()
        })
    }

    /// The game that was created last of those that have not ended.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn youngest_game(&self) -> Result<Option<GameId>, ArchiveError> {
        self.run(async |connection| {
            let query = "select id from games where status <> 'ended' order by created_at desc, id desc limit 1";
            let row = sqlx::query(query).fetch_optional(connection).await?;
            row.map(|row| Ok(row.try_get("id")?)).transpose()
        })
    }

    /// The seats of a game, the moderator's first, with their addresses.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn seats(&self, id: &GameId) -> Result<Vec<SeatRecord>, ArchiveError> {
        self.run(async |connection| {
            let seats = seats_of(connection, id).await?;
            let addresses = addresses_of(connection, id).await?;
            let join = |mut seat: SeatRecord| {
                let own = addresses.iter().filter(|(party, _)| *party == seat.party);
                seat.addresses = own.map(|(_, address)| address.clone()).collect();
                seat
            };
            Ok(seats.into_iter().map(join).collect())
        })
    }

    /// The seats at which an address is known.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn seats_at(&self, address: &str) -> Result<Vec<SeatId>, ArchiveError> {
        self.run(async |connection| {
            let query = "select game, seat from addresses join games on games.id = game \
                         where address = ? and status <> 'ended' order by game, seat";
            let rows = sqlx::query(query).bind(address).fetch_all(connection).await?;
            rows.iter().map(SeatId::read).collect()
        })
    }

    /// The seats at which an address is known, of games that use this carrier for it.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn seats_by(&self, carrier: &str, address: &str) -> Result<Vec<SeatId>, ArchiveError> {
        self.run(async |connection| {
            let query = "select game, seat from addresses join games on games.id = game \
                         where carrier = ? and address = ? and status <> 'ended' order by game, seat";
            let rows = sqlx::query(query).bind(carrier).bind(address).fetch_all(connection).await?;
            rows.iter().map(SeatId::read).collect()
        })
    }

    /// How many messages a seat has sent to others since then.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn press_since(&self, game: &GameId, party: Party, since: DateTime<Utc>) -> Result<u32, ArchiveError> {
        self.run(async |connection| {
            let query = "select coalesce(sum(messages), 0) as messages from press \
                         where game = ? and seat = ? and sent_at >= ?";
            let query = sqlx::query(query).bind(game).bind(party.stored()).bind(stored_time(since));
            Ok(query.fetch_one(connection).await?.try_get("messages")?)
        })
    }

    /// The absences of a game that have not ended.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn absences(&self, id: &GameId) -> Result<Vec<Absence>, ArchiveError> {
        self.run(async |connection| {
            let query = "select seat, since, until from absences where game = ? and ended_at is null order by id";
            let rows = sqlx::query(query).bind(id).fetch_all(connection).await?;
            rows.iter()
                .map(|row| {
                    Ok(Absence {
                        party: Party::read(row.try_get("seat")?)?,
                        since: read_time(row.try_get("since")?)?,
                        until: time(row, "until")?,
                    })
                })
                .collect()
        })
    }

    /// The files of an edition, as JSON.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn edition(&self, hash: &str) -> Result<Option<String>, ArchiveError> {
        self.run(async |connection| {
            let row = sqlx::query("select files from editions where hash = ?").bind(hash).fetch_optional(connection);
            row.await?.map(|row| Ok(row.try_get("files")?)).transpose()
        })
    }

    /// Something kept beside the games.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn kept(&self, name: &str) -> Result<Option<Vec<u8>>, ArchiveError> {
        self.run(async |connection| {
            let row = sqlx::query("select value from keeping where name = ?").bind(name).fetch_optional(connection);
            row.await?.map(|row| Ok(row.try_get("value")?)).transpose()
        })
    }

    /// Keeps something beside the games.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn keep(&self, name: &str, value: &[u8]) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let query = "insert into keeping (name, value) values (?, ?) on conflict (name) do update set value = excluded.value";
            sqlx::query(query).bind(name).bind(value).execute(connection).await?;
            Ok(())
        })
    }
}

fn game(row: &SqliteRow) -> Result<GameRecord, ArchiveError> {
    let seed: Vec<u8> = row.try_get("seed")?;
    let stopped: Option<&str> = row.try_get("stopped")?;
    let stopped = stopped.map(|text| serde_json::from_str(text).map_err(|_| damaged("an end", text))).transpose()?;
    Ok(GameRecord {
        id: row.try_get("id")?,
        title: row.try_get("title")?,
        edition: row.try_get("edition")?,
        settings: row.try_get("settings")?,
        seed: seed.try_into().map_err(|_| ArchiveError::Damaged("a seed has 32 bytes".to_owned()))?,
        status: Status::named(row.try_get("status")?)?,
        era: row.try_get("era")?,
        created_at: read_time(row.try_get("created_at")?)?,
        hours: Hours {
            opened: time(row, "opened_at")?,
            cut_off: time(row, "cut_off")?,
            all_in: time(row, "all_in_at")?,
            paused: time(row, "paused_at")?,
            board: time(row, "board_at")?,
        },
        votes: row.try_get("votes")?,
        club: row.try_get("club")?,
        edits: row.try_get("edits")?,
        stopped,
    })
}

/// A time that may be missing.
pub(super) fn time(row: &SqliteRow, column: &str) -> Result<Option<DateTime<Utc>>, ArchiveError> {
    let stored: Option<&str> = row.try_get(column)?;
    stored.map(read_time).transpose()
}

async fn seats_of(connection: &mut SqliteConnection, game: &GameId) -> Result<Vec<SeatRecord>, ArchiveError> {
    let rows = sqlx::query("select * from seats where game = ? order by seat").bind(game).fetch_all(connection).await?;
    let seat = |row: &SqliteRow| {
        let language: &str = row.try_get("language")?;
        Ok(SeatRecord {
            party: Party::read(row.try_get("seat")?)?,
            player: row.try_get("player")?,
            language: Language::coded(language).ok_or_else(|| damaged("a language", language))?,
            zone: row.try_get("zone")?,
            html: row.try_get::<&str, _>("format")? == "html",
            companion: row.try_get("companion")?,
            accepted: row.try_get("accepted")?,
            extensions: row.try_get("extensions")?,
            news: row.try_get("news")?,
            board: shown(row)?,
            detail: Detail::named(row.try_get("detail")?).ok_or_else(|| damaged("a measure of detail", "detail"))?,
            data: row.try_get("data")?,
            addresses: Vec::new(),
            deputy: deputy_of(row)?,
            changed_at: time(row, "changed_at")?,
        })
    };
    rows.iter().map(seat).collect()
}

/// The last board that was shown; what cannot be read is shown anew.
fn shown(row: &SqliteRow) -> Result<Option<(DateTime<Utc>, Shown)>, ArchiveError> {
    let shown: Option<&str> = row.try_get("board")?;
    let shown = shown.and_then(|shown| serde_json::from_str(shown).ok());
    Ok(time(row, "board_at")?.zip(shown))
}

fn deputy_of(row: &SqliteRow) -> Result<Option<Deputy>, ArchiveError> {
    let (name, language): (Option<String>, Option<String>) = (row.try_get("deputy")?, row.try_get("deputy_language")?);
    let Some((name, language)) = name.zip(language) else { return Ok(None) };
    let language = Language::coded(&language).ok_or_else(|| damaged("a language", &language))?;
    Ok(Some(Deputy { name, language, zone: row.try_get("deputy_zone")? }))
}

async fn addresses_of(connection: &mut SqliteConnection, game: &GameId) -> Result<Vec<(Party, Address)>, ArchiveError> {
    let query = "select seat, carrier, address, role from addresses where game = ? order by seat, place";
    let rows = sqlx::query(query).bind(game).fetch_all(connection).await?;
    let address = |row: &SqliteRow| {
        let role = match row.try_get::<&str, _>("role")? {
            "deputy" => Role::Deputy,
            _ => Role::Player,
        };
        let address = Address { carrier: row.try_get("carrier")?, address: row.try_get("address")?, role };
        Ok((Party::read(row.try_get("seat")?)?, address))
    };
    rows.iter().map(address).collect()
}

fn stored_end(game: &GameRecord) -> Result<Option<String>, ArchiveError> {
    let stored = game.stopped.as_ref().map(serde_json::to_string).transpose();
    stored.map_err(|error| ArchiveError::Damaged(error.to_string()))
}

/// Writes a game down for the first time.
pub(super) async fn insert_game(connection: &mut SqliteConnection, game: &GameRecord) -> Result<(), ArchiveError> {
    let query = "insert into games (id, title, edition, settings, seed, status, era, created_at, opened_at, cut_off, all_in_at, \
                 paused_at, board_at, votes, club, edits, stopped) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    sqlx::query(query)
        .bind(&game.id)
        .bind(&game.title)
        .bind(&game.edition)
        .bind(&game.settings)
        .bind(&game.seed[..])
        .bind(game.status.name())
        .bind(game.era)
        .bind(stored_time(game.created_at))
        .bind(game.hours.opened.map(stored_time))
        .bind(game.hours.cut_off.map(stored_time))
        .bind(game.hours.all_in.map(stored_time))
        .bind(game.hours.paused.map(stored_time))
        .bind(game.hours.board.map(stored_time))
        .bind(&game.votes)
        .bind(&game.club)
        .bind(&game.edits)
        .bind(stored_end(game)?)
        .execute(connection)
        .await?;
    Ok(())
}

/// What changes of a game while it is played.
pub(super) async fn update_game(connection: &mut SqliteConnection, game: &GameRecord) -> Result<(), ArchiveError> {
    let query = "update games set settings = ?, status = ?, era = ?, opened_at = ?, cut_off = ?, all_in_at = ?, paused_at = ?, \
         board_at = ?, votes = ?, club = ?, edits = ?, stopped = ? where id = ?";
    sqlx::query(query)
        .bind(&game.settings)
        .bind(game.status.name())
        .bind(game.era)
        .bind(game.hours.opened.map(stored_time))
        .bind(game.hours.cut_off.map(stored_time))
        .bind(game.hours.all_in.map(stored_time))
        .bind(game.hours.paused.map(stored_time))
        .bind(game.hours.board.map(stored_time))
        .bind(&game.votes)
        .bind(&game.club)
        .bind(&game.edits)
        .bind(stored_end(game)?)
        .bind(&game.id)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn insert_edition(
    connection: &mut SqliteConnection,
    hash: &str,
    files: &str,
) -> Result<(), ArchiveError> {
    let query = "insert into editions (hash, files) values (?, ?) on conflict do nothing";
    sqlx::query(query).bind(hash).bind(files).execute(connection).await?;
    Ok(())
}

pub(super) async fn upsert_seat(
    connection: &mut SqliteConnection,
    game: &GameId,
    seat: &SeatRecord,
) -> Result<(), ArchiveError> {
    let query = "insert into seats (game, seat, player, language, zone, format, companion, accepted, extensions, detail, data, \
                 deputy, deputy_language, deputy_zone, changed_at, news, board_at, board) \
                 values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
                 on conflict (game, seat) do update set player = excluded.player, \
                 language = excluded.language, zone = excluded.zone, format = excluded.format, \
                 companion = excluded.companion, accepted = excluded.accepted, extensions = excluded.extensions, \
                 detail = excluded.detail, data = excluded.data, deputy = excluded.deputy, \
                 deputy_language = excluded.deputy_language, deputy_zone = excluded.deputy_zone, changed_at = excluded.changed_at, \
                 news = excluded.news, board_at = excluded.board_at, board = excluded.board";
    let shown = seat.board.as_ref().map(|(_, shown)| serde_json::to_string(shown)).transpose();
    let shown = shown.map_err(|error| ArchiveError::Damaged(error.to_string()))?;
    sqlx::query(query)
        .bind(game)
        .bind(seat.party.stored())
        .bind(&seat.player)
        .bind(seat.language.code())
        .bind(&seat.zone)
        .bind(if seat.html { "html" } else { "text" })
        .bind(&seat.companion)
        .bind(seat.accepted)
        .bind(seat.extensions)
        .bind(seat.detail.name())
        .bind(seat.data)
        .bind(seat.deputy.as_ref().map(|deputy| deputy.name.as_str()))
        .bind(seat.deputy.as_ref().map(|deputy| deputy.language.code()))
        .bind(seat.deputy.as_ref().and_then(|deputy| deputy.zone.as_deref()))
        .bind(seat.changed_at.map(stored_time))
        .bind(seat.news)
        .bind(seat.board.as_ref().map(|(at, _)| stored_time(*at)))
        .bind(shown)
        .execute(&mut *connection)
        .await?;
    delete_addresses(connection, game, seat.party).await?;
    for (place, address) in seat.addresses.iter().enumerate() {
        insert_address(connection, game, seat.party, place, address).await?;
    }
    Ok(())
}

async fn delete_addresses(connection: &mut SqliteConnection, game: &GameId, party: Party) -> Result<(), ArchiveError> {
    let query = "delete from addresses where game = ? and seat = ?";
    sqlx::query(query).bind(game).bind(party.stored()).execute(connection).await?;
    Ok(())
}

async fn insert_address(
    connection: &mut SqliteConnection,
    game: &GameId,
    party: Party,
    place: usize,
    address: &Address,
) -> Result<(), ArchiveError> {
    let query = "insert into addresses (game, seat, carrier, address, role, place) values (?, ?, ?, ?, ?, ?) on conflict do nothing";
    sqlx::query(query)
        .bind(game)
        .bind(party.stored())
        .bind(&address.carrier)
        .bind(address.address.to_lowercase())
        .bind(match address.role {
            Role::Player => "player",
            Role::Deputy => "deputy",
        })
        .bind(place as i64)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn insert_press(
    connection: &mut SqliteConnection,
    game: &GameId,
    party: Party,
    at: DateTime<Utc>,
    messages: u32,
) -> Result<(), ArchiveError> {
    let query = "insert into press (game, seat, sent_at, messages) values (?, ?, ?, ?)";
    let query = sqlx::query(query).bind(game).bind(party.stored()).bind(stored_time(at)).bind(i64::from(messages));
    query.execute(connection).await?;
    Ok(())
}

pub(super) async fn insert_absence(
    connection: &mut SqliteConnection,
    game: &GameId,
    absence: &Absence,
) -> Result<(), ArchiveError> {
    let query = "insert into absences (game, seat, since, until) values (?, ?, ?, ?)";
    sqlx::query(query)
        .bind(game)
        .bind(absence.party.stored())
        .bind(stored_time(absence.since))
        .bind(absence.until.map(stored_time))
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn end_absences(
    connection: &mut SqliteConnection,
    game: &GameId,
    party: Party,
    at: DateTime<Utc>,
) -> Result<(), ArchiveError> {
    let query = "update absences set ended_at = ? where game = ? and seat = ? and ended_at is null";
    sqlx::query(query).bind(stored_time(at)).bind(game).bind(party.stored()).execute(connection).await?;
    Ok(())
}
