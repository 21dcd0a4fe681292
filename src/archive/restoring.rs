//! A copy takes the place of the archive. It is looked at before anything is touched, and nothing is ever deleted: what was
//! there is moved aside with everything that belongs to it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use sqlx::{Connection, Row, SqliteConnection};

use super::mark::read_mark;
use super::opening::{Found, beside, file_trouble, is_finished, options, recognise, runtime};
use super::{Archive, ArchiveError, Durability, Lock};
use crate::post::private;

/// What restoring came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Restored {
    /// Where the archive is that was there before; none where there was none.
    pub aside: Option<PathBuf>,
    /// The epoch that has begun.
    pub epoch: u32,
}

impl Archive {
    /// Puts a copy in the place of an archive on which nobody is at work.
    ///
    /// # Errors
    /// The copy is not sound, or something cannot be written. What was there is there, or aside.
    pub(crate) fn restore(
        copy: &Path,
        path: &Path,
        _lock: &Lock,
        now: DateTime<Utc>,
    ) -> Result<Restored, ArchiveError> {
        let of = |file: &Path| fs::canonicalize(file).map_err(|trouble| file_trouble(file, trouble));
        let (copy, path) = (of(copy)?, of(path)?);
        if copy == path {
            return Err(ArchiveError::Damaged(format!("{} is the archive itself, and no copy of it", copy.display())));
        }
        let fresh = beside(&path, ".restoring");
        // What an attempt before this one has left is our own.
        for file in ["", "-wal", "-shm", ".mark"].map(|ending| beside(&fresh, ending)) {
            if file.exists() {
                fs::remove_file(&file).map_err(|trouble| file_trouble(&file, trouble))?;
            }
        }
        copy_soundly(&copy, &fresh)?;
        let before = epochs_before(&path)?;
        let archive = Archive::open(&fresh, Durability::Full)?;
        if !archive.can_shrink()? {
            archive.make_anew()?;
        }
        let epoch = archive.epoch().max(before) + 1;
        archive.begin_epoch(epoch)?;
        drop(archive);
        // From here on a missing archive is known to be missing, and none is begun in its place.
        rename(&beside(&fresh, ".mark"), &beside(&path, ".mark"))?;
        let aside = move_aside(&path, now)?;
        rename(&fresh, &path)?;
        if let Some(folder) = path.parent() {
            // So that it is there after a power cut, too.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(Restored { aside, epoch })
    }
}

/// Copies a file that is proved to be a whole archive, with what stands beside it.
fn copy_soundly(copy: &Path, to: &Path) -> Result<(), ArchiveError> {
    let runtime = runtime(copy)?;
    runtime.block_on(async {
        if recognise(copy).await? == Found::Nothing {
            return Err(ArchiveError::Foreign(copy.to_owned()));
        }
        private::create_new_file(to).map_err(|trouble| file_trouble(to, trouble))?;
        let options = options(copy).read_only(true).immutable(is_finished(copy));
        let mut connection = SqliteConnection::connect_with(&options).await?;
        let sound: Result<String, sqlx::Error> = async {
            let row = sqlx::query("pragma integrity_check(1)").fetch_one(&mut connection).await?;
            let says: String = row.try_get(0)?;
            if says == "ok" {
                sqlx::query("vacuum into ?").bind(to.to_string_lossy().into_owned()).execute(&mut connection).await?;
            }
            Ok(says)
        }
        .await;
        connection.close().await?;
        match sound {
            Ok(says) if says == "ok" => Ok(()),
            Ok(says) => Err(ArchiveError::Damaged(format!("{} is damaged: {says}", copy.display()))),
            Err(error) => Err(ArchiveError::Damaged(format!("{} is damaged: {error}", copy.display()))),
        }
    })
}

/// The epoch of what was there before, as far as anybody can tell.
fn epochs_before(path: &Path) -> Result<u32, ArchiveError> {
    let marked = read_mark(path)?.map_or(0, |mark| mark.epoch);
    let is_empty = fs::metadata(path).map_or(true, |file| file.len() == 0);
    let own = if is_empty { None } else { Archive::open(path, Durability::Full).ok().map(|archive| archive.epoch()) };
    Ok(marked.max(own.unwrap_or(0)))
}

/// Moves an archive aside with everything that belongs to it, so that it can be opened there. Says where it is.
fn move_aside(path: &Path, now: DateTime<Utc>) -> Result<Option<PathBuf>, ArchiveError> {
    let stamp = format!(".before-{}", now.format("%Y%m%d-%H%M%S"));
    let free = (0_u32..).map(|number| match number {
        0 => beside(path, &stamp),
        _ => beside(path, &format!("{stamp}-{number}")),
    });
    let aside = free.into_iter().find(|aside| !aside.exists()).unwrap_or_else(|| beside(path, &stamp));
    let was_there = fs::metadata(path).is_ok_and(|file| file.len() > 0);
    for ending in ["", "-wal", "-shm", "-journal"] {
        let file = beside(path, ending);
        if file.exists() {
            rename(&file, &beside(&aside, ending))?;
        }
    }
    Ok(was_there.then_some(aside))
}

fn rename(from: &Path, to: &Path) -> Result<(), ArchiveError> {
    fs::rename(from, to).map_err(|trouble| file_trouble(from, trouble))
}
