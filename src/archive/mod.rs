//! The archive: everything that ever happened, in one SQLite file.
//!
//! Comes in: letters as they came, and deeds: all that one letter or one ruling changes. Goes out: the same, after any
//! accident. What must happen once is unique in the schema. Looks at the types of the other rooms, and at nothing but its file.

mod club;
mod deed;
mod devices;
mod dispatch_kind;
mod export;
mod forgetting;
mod games;
mod ids;
mod import;
mod letters;
mod lock;
mod mark;
mod messages;
mod moderation;
mod observers;
mod offered;
mod opening;
mod outbox;
mod past;
mod people;
mod quotas;
mod record;
mod restoring;
mod rulings;
mod stays;
mod sweeping;
mod test_support;
mod threads;

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};

use chrono::{DateTime, SecondsFormat, Utc};
use sqlx::SqliteConnection;
use thiserror::Error;
use tokio::runtime::Runtime;

pub use club::{GatheringRecord, Stage, Standby};
pub use deed::{Deed, Rulings};
pub(crate) use deed::{Departed, NewGame, Settled};
pub(crate) use devices::{CodeRecord, LinkRecord, PageChange};
pub use devices::{DeviceRecord, PageAnswer};
pub use dispatch_kind::DispatchKind;
pub(crate) use dispatch_kind::{Overtaken, Urgency};
pub use export::Exported;
pub(crate) use games::{Absence, Address, Deputy, Hours, SeatRecord};
pub use games::{GameRecord, Role, Status, Stopped};
pub use ids::{Party, SeatId};
pub use letters::{Fate, LetterStatus, NewLetter};
pub(crate) use letters::{LetterId, LetterRecord, Parked, Proof, SetAside, Waiting};
pub(crate) use lock::Lock;
pub(crate) use messages::Message;
pub use moderation::Moderation;
pub use observers::{Level, Observer, Told};
pub use offered::OfferedAnswer;
pub(crate) use offered::Tapped;
pub use opening::Durability;
pub use outbox::{Leaving, NewDispatch};
pub(crate) use outbox::{OurLetter, Outgoing};
pub(crate) use past::OldWords;
pub use people::{Habits, PersonId, PersonRecord, Reached};
pub(crate) use record::RulingWithEvents;
pub(crate) use rulings::Snapshot;
pub use rulings::{NewRuling, Reason};
pub use stays::{Record, Tally};
pub use sweeping::Retention;
pub(crate) use threads::{Earlier, ThreadRecord};

/// The one file, open.
pub struct Archive {
    runtime: Runtime,
    /// Taken away only when it is closed.
    connection: RefCell<Option<SqliteConnection>>,
    /// Whether deeds are gathered in one transaction.
    gathers: Cell<bool>,
    path: PathBuf,
    /// How often a copy took its place.
    epoch: Cell<u32>,
    /// How many letters are missing, as the mark says.
    missing: Cell<u64>,
    /// What the mark beside it says.
    marked: RefCell<Option<mark::Progress>>,
}

/// What is wrong with the archive.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The file is another program's.
    #[error("{} is no archive of Cursus; nothing in it was touched", .0.display())]
    Foreign(PathBuf),
    /// A later release has written it.
    #[error("{} was written by a newer Cursus (its schema is {}, this one knows {}); nothing in it was touched", .path.display(), .found, .known)]
    Newer {
        path: PathBuf,
        found: i64,
        /// The last schema of this release.
        known: i64,
    },
    /// There is no such file.
    #[error("there is no archive {}; `cursus game create` or `cursus serve` makes one", .0.display())]
    Missing(PathBuf),
    /// There was one, and it is gone.
    #[error("the archive {} is gone, but {} says that there was one; `cursus restore COPY` puts a copy in its place, and without that file a new one is begun", .path.display(), .mark.display())]
    Gone {
        path: PathBuf,
        /// The mark beside it.
        mark: PathBuf,
    },
    /// Another daemon has it.
    #[error("another Cursus is at work on {}; only one may be", .0.display())]
    Locked(PathBuf),
    /// The disk is full.
    #[error("the disk is full: nothing more can be written down, so nothing more is ruled")]
    Full,
    /// The file may not be written.
    #[error("the archive may not be written: {0}")]
    ReadOnly(String),
    /// A uniqueness of the schema was hurt: it has been done before.
    #[error("it was written down before: {0}")]
    Twice(String),
    /// What is stored cannot be read.
    #[error("what is stored cannot be read: {0}")]
    Damaged(String),
    /// Anything else that SQLite says.
    #[error("the archive does not answer: {0}")]
    Trouble(#[source] sqlx::Error),
    #[error("{}: {trouble}", .path.display())]
    File { path: PathBuf, trouble: std::io::Error },
}

impl Archive {
    /// The file that it is kept in.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Does one piece of work on the connection.
    fn run<T>(
        &self,
        work: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        let mut connection = self.connection.borrow_mut();
        let connection = connection.as_mut().expect("the archive is open until it is dropped");
        self.runtime.block_on(work(connection))
    }
}

impl Drop for Archive {
    /// Closes the file before anybody goes on: the last to close it leaves no WAL beside it, and the file is whole by
    /// itself.
    fn drop(&mut self) {
        if let Some(connection) = self.connection.get_mut().take()
            && let Err(error) = self.runtime.block_on(sqlx::Connection::close(connection))
        {
            tracing::warn!("the archive could not be closed in good order; the next start sees to it: {error}");
        }
    }
}

impl From<sqlx::Error> for ArchiveError {
    fn from(error: sqlx::Error) -> ArchiveError {
        let Some(database) = error.as_database_error() else {
            return match error {
                sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => ArchiveError::Damaged(error.to_string()),
                other => ArchiveError::Trouble(other),
            };
        };
        match code_of(&error).unwrap_or(0) {
            8 => ArchiveError::ReadOnly(database.message().to_owned()),
            13 => ArchiveError::Full,
            DAMAGED => ArchiveError::Damaged(database.message().to_owned()),
            19 => ArchiveError::Twice(database.message().to_owned()),
            _ => ArchiveError::Trouble(error),
        }
    }
}

/// SQLite's code for a file that is damaged.
const DAMAGED: i32 = 11;

/// The code of an error of SQLite's: the lowest byte of an extended code is the plain one.
fn code_of(error: &sqlx::Error) -> Option<i32> {
    let code = error.as_database_error()?.code()?;
    code.parse::<i32>().ok().map(|code| code & 0xff)
}

/// A time as it is stored: UTC, in a form that sorts.
fn stored_time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

fn read_time(stored: &str) -> Result<DateTime<Utc>, ArchiveError> {
    let time = DateTime::parse_from_rfc3339(stored).map_err(|_| damaged("a time", stored))?;
    Ok(time.with_timezone(&Utc))
}

fn damaged(what: &str, stored: impl std::fmt::Display) -> ArchiveError {
    ArchiveError::Damaged(format!("`{stored}` is not {what}"))
}
