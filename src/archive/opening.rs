//! Opening the archive: ours and not newer, brought up to date, and one daemon at a time.

use std::cell::{Cell, RefCell};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, Connection, Row, SqlSafeStr, SqliteConnection};
use tokio::runtime::Runtime;

use super::{Archive, ArchiveError};

/// `CURS`, in the head of every archive.
const APPLICATION: i64 = 0x4355_5253;
/// How long a command at the door waits while the daemon writes.
const PATIENCE: Duration = Duration::from_secs(20);

/// The migrations in their sequence; one that has landed is never edited.
const MIGRATIONS: [(i64, &str, &str); 12] = [
    (1, "games", include_str!("../../migrations/0001_games.sql")),
    (2, "letters", include_str!("../../migrations/0002_letters.sql")),
    (3, "rulings", include_str!("../../migrations/0003_rulings.sql")),
    (4, "outbox", include_str!("../../migrations/0004_outbox.sql")),
    (5, "absences", include_str!("../../migrations/0005_absences.sql")),
    (6, "moderation", include_str!("../../migrations/0006_moderation.sql")),
    (7, "pauses", include_str!("../../migrations/0007_pauses.sql")),
    (8, "eras_of_letters", include_str!("../../migrations/0008_eras_of_letters.sql")),
    (9, "reminders_together", include_str!("../../migrations/0009_reminders_together.sql")),
    (10, "threads", include_str!("../../migrations/0010_threads.sql")),
    (11, "receipts", include_str!("../../migrations/0011_receipts.sql")),
    (12, "press", include_str!("../../migrations/0012_press.sql")),
];

/// How much an accident may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// What was written down survives a power cut.
    Full,
    /// A power cut may cost the whole archive. For demonstrations and tests, whose archive nobody misses.
    None,
}

/// The right to be the one daemon on an archive; given back when it is dropped, however the process ends.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "the lock is held as long as the file is open")] File);

impl Archive {
    /// Opens an archive, or makes one.
    ///
    /// # Errors
    /// The file is not ours, newer, or cannot be used.
    pub fn open(path: &Path, durability: Durability) -> Result<Archive, ArchiveError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|trouble| file_trouble(folder, trouble))?;
        }
        let runtime = runtime(path)?;
        let synchronous = match durability {
            Durability::Full => SqliteSynchronous::Full,
            Durability::None => SqliteSynchronous::Off,
        };
        let connection = runtime.block_on(async {
            if recognise(path).await? == Found::Nothing {
                sign(path).await?;
            }
            let options = options(path).journal_mode(SqliteJournalMode::Wal).synchronous(synchronous);
            let mut connection = SqliteConnection::connect_with(&options).await?;
            migrator().run(&mut connection).await.map_err(|trouble| match trouble {
                sqlx::migrate::MigrateError::Execute(error) => ArchiveError::from(error),
                other => ArchiveError::Damaged(other.to_string()),
            })?;
            Ok::<_, ArchiveError>(connection)
        })?;
        let gathers = Cell::new(false);
        Ok(Archive { runtime, connection: RefCell::new(connection), gathers, path: path.to_owned() })
    }

    /// Opens an archive that is there, to read and to hand letters in beside a running daemon.
    ///
    /// # Errors
    /// There is none, or it cannot be used.
    pub fn visit(path: &Path) -> Result<Archive, ArchiveError> {
        match path.exists() {
            true => Archive::open(path, Durability::Full),
            false => Err(ArchiveError::Missing(path.to_owned())),
        }
    }

    /// Becomes the one daemon on this archive.
    ///
    /// # Errors
    /// Another one is at work.
    pub fn lock(path: &Path) -> Result<Lock, ArchiveError> {
        let beside = beside(path, ".lock");
        if let Some(folder) = beside.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|trouble| file_trouble(folder, trouble))?;
        }
        let file = File::options().create(true).append(true).open(&beside);
        let file = file.map_err(|trouble| file_trouble(&beside, trouble))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock(file)),
            Err(TryLockError::WouldBlock) => Err(ArchiveError::Locked(path.to_owned())),
            Err(TryLockError::Error(trouble)) => Err(file_trouble(&beside, trouble)),
        }
    }

    /// Writes a copy of the whole archive while it is in use.
    ///
    /// # Errors
    /// The copy is there already, or cannot be written.
    pub fn back_up(&self, to: &Path) -> Result<(), ArchiveError> {
        if to.exists() {
            let trouble = std::io::Error::new(std::io::ErrorKind::AlreadyExists, "it is there already");
            return Err(file_trouble(to, trouble));
        }
        let name = to.to_string_lossy().into_owned();
        self.run(async |connection| {
            sqlx::query("vacuum into ?").bind(name).execute(connection).await?;
            Ok(())
        })
    }

    /// The number of its schema.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn schema(&self) -> Result<i64, ArchiveError> {
        self.run(async |connection| {
            Ok(number(connection, "select coalesce(max(version), 0) from _sqlx_migrations").await?)
        })
    }

    /// Lets the archive grow to so many pages and no further, as a full disk would.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn limit_pages(&self, pages: u32) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let limit = AssertSqlSafe(format!("pragma max_page_count = {pages}"));
            sqlx::query(limit).execute(connection).await?;
            Ok(())
        })
    }

    /// Forbids writing, as a file that may only be read would, or allows it again.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn forbid_writing(&self, forbidden: bool) -> Result<(), ArchiveError> {
        self.run(async |connection| {
            let only = AssertSqlSafe(format!("pragma query_only = {}", u8::from(forbidden)));
            sqlx::query(only).execute(connection).await?;
            Ok(())
        })
    }

    /// How many pages it has.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn pages(&self) -> Result<u32, ArchiveError> {
        self.run(async |connection| Ok(sqlx::query("pragma page_count").fetch_one(connection).await?.try_get(0)?))
    }
}

/// What is there under the name of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    /// Nothing, or a file in which nothing stands.
    Nothing,
    /// An archive of ours, which this program can read.
    Ours,
}

/// Looks at a file without touching it: whether it is ours, and not newer than this program.
///
/// Only SQLite opens it: whoever closes such a file by himself takes the locks of the whole process away.
async fn recognise(path: &Path) -> Result<Found, ArchiveError> {
    let foreign = |_| ArchiveError::Foreign(path.to_owned());
    match std::fs::metadata(path) {
        Ok(file) if file.len() == 0 => return Ok(Found::Nothing),
        Ok(_) => {}
        Err(trouble) if trouble.kind() == std::io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(trouble) => return Err(file_trouble(path, trouble)),
    }
    let is_finished = !["-wal", "-journal"].iter().any(|ending| beside(path, ending).exists());
    let sign = look(path, is_finished).await.map_err(foreign)?;
    let known = MIGRATIONS.iter().map(|(version, ..)| *version).max().unwrap_or(0);
    match sign {
        // We were killed before the file was signed.
        sign if sign.is_blank() => Ok(Found::Nothing),
        sign if !sign.is_ours() => Err(ArchiveError::Foreign(path.to_owned())),
        Sign { schema, .. } if schema > known => {
            Err(ArchiveError::Newer { path: path.to_owned(), found: schema, known })
        }
        _ => Ok(Found::Ours),
    }
}

/// What a file says of itself.
#[derive(Debug, Clone, Copy)]
struct Sign {
    application: i64,
    tables: i64,
    schema: i64,
}

impl Sign {
    fn is_ours(self) -> bool {
        self.application == APPLICATION
    }

    fn is_blank(self) -> bool {
        self.application == 0 && self.tables == 0
    }
}

/// Reads the sign of a file. One that is finished is read without leaving a trace; else what stands beside it counts too.
async fn look(path: &Path, is_finished: bool) -> Result<Sign, sqlx::Error> {
    let options = options(path).read_only(true).immutable(is_finished);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    let application = number(&mut connection, "pragma application_id").await;
    let tables = number(&mut connection, "select count(*) from sqlite_schema").await;
    let schema = number(&mut connection, "select coalesce(max(version), 0) from _sqlx_migrations").await.unwrap_or(0);
    connection.close().await?;
    Ok(Sign { application: application?, tables: tables?, schema })
}

/// Signs a new archive. It is done before anything else is written, so that the sign stands in the file itself.
async fn sign(path: &Path) -> Result<(), ArchiveError> {
    let options = options(path).create_if_missing(true).pragma("application_id", APPLICATION.to_string());
    Ok(SqliteConnection::connect_with(&options).await?.close().await?)
}

async fn number(connection: &mut SqliteConnection, query: &'static str) -> Result<i64, sqlx::Error> {
    sqlx::query(query).fetch_one(connection).await?.try_get(0)
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).foreign_keys(true).busy_timeout(PATIENCE)
}

fn migrator() -> Migrator {
    let migrations = MIGRATIONS.map(|(version, name, text)| {
        Migration::new(version, name.into(), MigrationType::Simple, text.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.into())
}

fn runtime(path: &Path) -> Result<Runtime, ArchiveError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.map_err(|trouble| file_trouble(path, trouble))
}

fn file_trouble(path: &Path, trouble: std::io::Error) -> ArchiveError {
    ArchiveError::File { path: path.to_owned(), trouble }
}

/// A file beside the archive.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
