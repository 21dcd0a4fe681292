//! Opening the archive: ours and not newer, brought up to date, and one daemon at a time.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::{SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{Connection, Row, SqlSafeStr, SqliteConnection};
use tokio::runtime::Runtime;

use super::mark::{mark_of, read_mark};
use super::{Archive, ArchiveError, DAMAGED, code_of};
use crate::post::private;

/// `CURS`, in the head of every archive.
const APPLICATION: i64 = 0x4355_5253;
/// How long a command at the door waits while the daemon writes.
const PATIENCE: Duration = Duration::from_secs(20);
/// SQLite's code for a file that somebody else is writing, and how long until it is tried again.
const BUSY: i32 = 5;
const PAUSE: Duration = Duration::from_millis(20);

/// The migrations in their sequence; one that has landed is never edited.
const MIGRATIONS: [(i64, &str, &str); 44] = [
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
    (12, "bulk_apart", include_str!("../../migrations/0012_bulk_apart.sql")),
    (13, "plans", include_str!("../../migrations/0013_plans.sql")),
    (14, "tally", include_str!("../../migrations/0014_tally.sql")),
    (15, "attempts", include_str!("../../migrations/0015_attempts.sql")),
    (16, "identity", include_str!("../../migrations/0016_identity.sql")),
    (17, "subjects_of_letters", include_str!("../../migrations/0017_subjects_of_letters.sql")),
    (18, "proofs", include_str!("../../migrations/0018_proofs.sql")),
    (19, "press", include_str!("../../migrations/0019_press.sql")),
    (20, "cut_off_named", include_str!("../../migrations/0020_cut_off_named.sql")),
    (21, "queues", include_str!("../../migrations/0021_queues.sql")),
    (23, "forms", include_str!("../../migrations/0023_forms.sql")),
    (25, "market", include_str!("../../migrations/0025_market.sql")),
    (27, "moderators_and_deputies", include_str!("../../migrations/0027_moderators_and_deputies.sql")),
    (28, "lines", include_str!("../../migrations/0028_lines.sql")),
    (32, "writers", include_str!("../../migrations/0032_writers.sql")),
    (34, "boards", include_str!("../../migrations/0034_boards.sql")),
    (36, "offered", include_str!("../../migrations/0036_offered.sql")),
    (37, "letters_as_liked", include_str!("../../migrations/0037_letters_as_liked.sql")),
    (38, "order_page", include_str!("../../migrations/0038_order_page.sql")),
    (41, "people_who_change", include_str!("../../migrations/0041_people_who_change.sql")),
    (43, "the_page_is_swept", include_str!("../../migrations/0043_the_page_is_swept.sql")),
    (44, "words_by_writer", include_str!("../../migrations/0044_words_by_writer.sql")),
    (57, "votes", include_str!("../../migrations/0057_votes.sql")),
    (66, "moderators_on_the_page", include_str!("../../migrations/0066_moderators_on_the_page.sql")),
    (69, "quotas", include_str!("../../migrations/0069_quotas.sql")),
    (72, "people", include_str!("../../migrations/0072_people.sql")),
    (73, "gatherings", include_str!("../../migrations/0073_gatherings.sql")),
    (74, "standing_in", include_str!("../../migrations/0074_standing_in.sql")),
    (88, "edits", include_str!("../../migrations/0088_edits.sql")),
    (130, "stopped", include_str!("../../migrations/0130_stopped.sql")),
    (131, "stays", include_str!("../../migrations/0131_stays.sql")),
    (132, "observers", include_str!("../../migrations/0132_observers.sql")),
    (140, "zones_of_deputies", include_str!("../../migrations/0140_zones_of_deputies.sql")),
];

/// How much an accident may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// What was written down survives a power cut.
    Full,
    /// A power cut may cost the whole archive. For demonstrations and tests, whose archive nobody misses.
    None,
}

impl Archive {
    /// Opens an archive, or makes one.
    ///
    /// # Errors
    /// The file is not ours, newer, or cannot be used.
    pub fn open(path: &Path, durability: Durability) -> Result<Archive, ArchiveError> {
        Archive::make_file(path)?;
        // It is read before the archive: a daemon that is at work writes it after.
        let mark = read_mark(path)?;
        let runtime = runtime(path)?;
        let synchronous = match durability {
            Durability::Full => SqliteSynchronous::Full,
            Durability::None => SqliteSynchronous::Off,
        };
        let connection = runtime.block_on(async {
            if recognise(path).await? == Found::Nothing {
                if mark.is_some() {
                    return Err(ArchiveError::Gone { path: path.to_owned(), mark: mark_of(path) });
                }
                sign(path).await?;
            }
            // What SQLite puts beside the archive has the mode of the archive itself.
            for file in ["", "-wal", "-shm"].map(|ending| beside(path, ending)) {
                private::tighten(&file).map_err(|trouble| file_trouble(&file, trouble))?;
            }
            let options = options(path).journal_mode(SqliteJournalMode::Wal).synchronous(synchronous);
            // What one large letter has made of the WAL is given back.
            let options = options.pragma("journal_size_limit", (16 * 1024 * 1024).to_string());
            let mut connection = connect(&options).await?;
            migrate(&mut connection).await?;
            Ok::<_, ArchiveError>(connection)
        })?;
        let archive = Archive {
            runtime,
            connection: RefCell::new(Some(connection)),
            gathers: Cell::new(false),
            path: path.to_owned(),
            epoch: Cell::new(0),
            missing: Cell::new(0),
            marked: RefCell::new(None),
        };
        archive.compare(mark)?;
        Ok(archive)
    }

    /// Opens an archive that is there, to read and to hand letters in beside a running daemon.
    ///
    /// # Errors
    /// There is none, or it cannot be used.
    pub fn visit(path: &Path) -> Result<Archive, ArchiveError> {
        if path.exists() { Archive::open(path, Durability::Full) } else { Err(ArchiveError::Missing(path.to_owned())) }
    }

    /// Makes the file of an archive where it is missing, with nothing in it, so that nobody else can ever read it.
    pub(super) fn make_file(path: &Path) -> Result<(), ArchiveError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            private::create_folder(folder).map_err(|trouble| file_trouble(folder, trouble))?;
        }
        match private::create_new_file(path) {
            Ok(_) => Ok(()),
            Err(trouble) if trouble.kind() == std::io::ErrorKind::AlreadyExists => match std::fs::read_link(path) {
                // A link may be there before the archive is.
                Ok(to) if !path.exists() => Archive::make_file(&path.with_file_name(to)),
                Ok(_) | Err(_) => Ok(()),
            },
            Err(trouble) => Err(file_trouble(path, trouble)),
        }
    }

    /// Writes a copy of the whole archive while it is in use.
    ///
    /// # Errors
    /// The copy is there already, or cannot be written.
    pub(crate) fn back_up(&self, to: &Path) -> Result<(), ArchiveError> {
        private::create_new_file(to).map_err(|trouble| match trouble.kind() {
            std::io::ErrorKind::AlreadyExists => {
                file_trouble(to, std::io::Error::new(trouble.kind(), "it is there already"))
            }
            _ => file_trouble(to, trouble),
        })?;
        let name = to.to_string_lossy().into_owned();
        let copied = self.run(async |connection| {
            sqlx::query("vacuum into ?").bind(name).execute(connection).await?;
            Ok(())
        });
        if copied.is_err() {
            // Half a copy is none. Where even that cannot be taken away, the error says enough.
            let _ = std::fs::remove_file(to);
        }
        copied
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
pub(super) enum Found {
    /// Nothing, or a file in which nothing stands.
    Nothing,
    /// An archive of ours, which this program can read.
    Ours,
}

/// Looks at a file without touching it: whether it is ours, and not newer than this program.
///
/// Only SQLite opens it: whoever closes such a file by themselves takes the locks of the whole process away.
pub(super) async fn recognise(path: &Path) -> Result<Found, ArchiveError> {
    match std::fs::metadata(path) {
        Ok(file) if file.len() == 0 => return Ok(Found::Nothing),
        Ok(_) => {}
        Err(trouble) if trouble.kind() == std::io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(trouble) => return Err(file_trouble(path, trouble)),
    }
    let sign = look(path, is_finished(path)).await.map_err(|_| ArchiveError::Foreign(path.to_owned()))?;
    let Some(sign) = sign else {
        return Err(ArchiveError::Damaged(format!("{} is damaged", path.display())));
    };
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

/// Whether all of an archive stands in its file, and nothing beside it.
pub(super) fn is_finished(path: &Path) -> bool {
    !["-wal", "-journal"].iter().any(|ending| beside(path, ending).exists())
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
/// None where it is signed by us, and nothing else in it can be read.
async fn look(path: &Path, is_finished: bool) -> Result<Option<Sign>, sqlx::Error> {
    let options = options(path).read_only(true).immutable(is_finished);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    let application = number(&mut connection, "pragma application_id").await;
    let tables = number(&mut connection, "select count(*) from sqlite_schema").await;
    let schema = number(&mut connection, "select coalesce(max(version), 0) from _sqlx_migrations").await.unwrap_or(0);
    connection.close().await?;
    match (application, tables) {
        (Ok(application), Ok(tables)) => Ok(Some(Sign { application, tables, schema })),
        (Ok(APPLICATION), Err(_)) => Ok(None),
        // What is no database at all says so otherwise.
        (Err(error), _) if code_of(&error) == Some(DAMAGED) => Ok(None),
        (Err(error), _) | (Ok(_), Err(error)) => Err(error),
    }
}

/// Signs a new archive. It is done before anything else is written, so that the sign stands in the file itself.
async fn sign(path: &Path) -> Result<(), ArchiveError> {
    let options = options(path).create_if_missing(true).pragma("application_id", APPLICATION.to_string());
    // It has to be said before anything stands in the file.
    let options = options.auto_vacuum(SqliteAutoVacuum::Incremental);
    Ok(connect(&options).await?.close().await?)
}

/// Connects, and waits for whoever else opens a new archive at the same instant: SQLite itself does not wait where its way
/// of writing is changed.
async fn connect(options: &SqliteConnectOptions) -> Result<SqliteConnection, sqlx::Error> {
    let until = Instant::now() + PATIENCE;
    loop {
        match SqliteConnection::connect_with(options).await {
            Err(error) if code_of(&error) == Some(BUSY) && Instant::now() < until => std::thread::sleep(PAUSE),
            connected => return connected,
        }
    }
}

async fn number(connection: &mut SqliteConnection, query: &'static str) -> Result<i64, sqlx::Error> {
    sqlx::query(query).fetch_one(connection).await?.try_get(0)
}

pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).foreign_keys(true).busy_timeout(PATIENCE)
}

/// Brings an archive up to date. Where something is to be done, nobody else may write meanwhile, and whoever waited for it
/// finds it done: two that open a new archive at the same instant make one of it.
async fn migrate(connection: &mut SqliteConnection) -> Result<(), ArchiveError> {
    if is_current(connection).await {
        return migrator().run(connection).await.map_err(unmigrated);
    }
    let mut transaction = connection.begin_with("begin immediate").await?;
    migrator().run(&mut *transaction).await.map_err(unmigrated)?;
    Ok(transaction.commit().await?)
}

/// Whether every migration has been done.
async fn is_current(connection: &mut SqliteConnection) -> bool {
    let rows = sqlx::query("select version from _sqlx_migrations").fetch_all(connection).await.unwrap_or_default();
    let done: Vec<i64> = rows.iter().filter_map(|row| row.try_get("version").ok()).collect();
    MIGRATIONS.iter().all(|(version, ..)| done.contains(version))
}

fn unmigrated(trouble: MigrateError) -> ArchiveError {
    match trouble {
        MigrateError::Execute(error) => ArchiveError::from(error),
        other => ArchiveError::Damaged(other.to_string()),
    }
}

fn migrator() -> Migrator {
    let migrations = MIGRATIONS.map(|(version, name, text)| {
        Migration::new(version, name.into(), MigrationType::Simple, text.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.into())
}

pub(super) fn runtime(path: &Path) -> Result<Runtime, ArchiveError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.map_err(|trouble| file_trouble(path, trouble))
}

pub(super) fn file_trouble(path: &Path, trouble: std::io::Error) -> ArchiveError {
    ArchiveError::File { path: path.to_owned(), trouble }
}

/// A file beside the archive.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
