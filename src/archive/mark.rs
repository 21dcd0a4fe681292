//! The mark beside the archive: how far it had come when letters last went in or out.
//!
//! An archive that is behind its mark is an older copy, or has lost what was written last. The ids of letters that it would
//! write next may have gone out already with other words, so it begins an epoch, which is part of every new id. The mark
//! is written after the archive and before a letter leaves, so a sound archive is never behind it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sqlx::{Row, SqliteConnection};

use super::opening::{beside, file_trouble};
use super::{Archive, ArchiveError};
use crate::post::private;

/// How far an archive has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Progress {
    /// Which archive it is, in all of its copies.
    pub(super) identity: String,
    /// How often a copy took its place.
    pub(super) epoch: u32,
    /// The number of the last letter that came.
    pub(super) letters: i64,
    /// The number of the last letter that was written.
    pub(super) dispatches: i64,
}

impl Progress {
    /// Whether an archive that has come so far is behind a mark.
    fn is_behind(&self, mark: &Progress) -> bool {
        self.identity != mark.identity
            || self.epoch < mark.epoch
            || self.letters < mark.letters
            || self.dispatches < mark.dispatches
    }
}

impl Archive {
    /// How often a copy took the place of the archive. It is part of every id that is made from now on.
    pub fn epoch(&self) -> u32 {
        self.epoch.get()
    }

    /// How many letters are missing that had been remembered, as far as the mark can tell.
    pub(crate) fn missing_letters(&self) -> u64 {
        self.missing.get()
    }

    /// Notes beside the archive how far it has come, where it has come further. A mark that cannot be written is missed only
    /// after an accident.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn note_mark(&self) -> Result<(), ArchiveError> {
        let progress = self.run(async |connection| progress(connection).await)?;
        let is_new = self.marked.borrow().as_ref() != Some(&progress);
        if is_new {
            match write_mark(&self.path, &progress) {
                Ok(()) => *self.marked.borrow_mut() = Some(progress),
                Err(trouble) => tracing::warn!("the mark beside the archive cannot be written: {trouble}"),
            }
        }
        Ok(())
    }

    /// Compares the archive with its mark, which was read before it was opened; one that is behind begins an epoch.
    pub(super) fn compare(&self, mark: Option<Progress>) -> Result<(), ArchiveError> {
        let own = self.run(async |connection| progress(connection).await)?;
        self.epoch.set(own.epoch);
        let Some(mark) = mark.filter(|mark| own.is_behind(mark)) else { return Ok(()) };
        if own.identity == mark.identity {
            self.missing.set(u64::try_from(mark.letters - own.letters).unwrap_or(0));
        }
        tracing::warn!(
            missing = self.missing.get(),
            "the archive is older than the mark beside it: ids of letters begin an epoch of their own"
        );
        self.begin_epoch(own.epoch.max(mark.epoch) + 1)
    }

    /// Begins an epoch, in the archive and in its mark.
    pub(super) fn begin_epoch(&self, epoch: u32) -> Result<(), ArchiveError> {
        self.keep("epoch", epoch.to_string().as_bytes())?;
        self.epoch.set(epoch);
        self.note_mark()
    }
}

/// The file of the mark.
pub(super) fn mark_of(path: &Path) -> PathBuf {
    beside(path, ".mark")
}

/// What the mark beside an archive says; none where there is none, or where it cannot be understood.
pub(super) fn read_mark(path: &Path) -> Result<Option<Progress>, ArchiveError> {
    let file = mark_of(path);
    match fs::read_to_string(&file) {
        Ok(text) => Ok(serde_json::from_str(&text).ok()),
        Err(trouble) if trouble.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(trouble) => Err(file_trouble(&file, trouble)),
    }
}

pub(super) fn write_mark(path: &Path, progress: &Progress) -> io::Result<()> {
    let (file, unfinished) = (mark_of(path), beside(path, ".mark-new"));
    let text = serde_json::to_string(progress)?;
    private::create_file(&unfinished)?.write_all(text.as_bytes())?;
    fs::rename(unfinished, file)
}

async fn progress(connection: &mut SqliteConnection) -> Result<Progress, ArchiveError> {
    let query = "select (select lower(hex(value)) from keeping where name = 'identity') as identity, \
                 (select cast(value as text) from keeping where name = 'epoch') as epoch, \
                 (select coalesce(max(id), 0) from letters) as letters, \
                 (select coalesce(max(id), 0) from outbox) as dispatches";
    let row = sqlx::query(query).fetch_one(connection).await?;
    let epoch: Option<String> = row.try_get("epoch")?;
    Ok(Progress {
        identity: row.try_get::<Option<String>, _>("identity")?.unwrap_or_default(),
        epoch: epoch.and_then(|epoch| epoch.parse().ok()).unwrap_or(0),
        letters: row.try_get("letters")?,
        dispatches: row.try_get("dispatches")?,
    })
}
