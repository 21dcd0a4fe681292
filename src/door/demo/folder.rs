//! The folder of a demo: where it is played, and what it leaves.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::door::club::ARCHIVE;

/// Where a demo is played.
pub(crate) struct Workplace {
    folder: PathBuf,
    /// Whether the folder is only a desk, and cleared at the end.
    passing: bool,
}

impl Workplace {
    /// Clears a folder for a demo: what an earlier one left there goes, and nothing else.
    pub(crate) fn clear(out: Option<&Path>) -> anyhow::Result<Workplace> {
        let passing = out.is_none();
        let folder = match out {
            Some(folder) => folder.to_owned(),
            None => {
                let number = u64::from_be_bytes(crate::desk::house::random()?[..8].try_into()?);
                std::env::temp_dir().join(format!("cursus-demo-{number:016x}"))
            }
        };
        let is_used = folder.read_dir().is_ok_and(|mut entries| entries.next().is_some());
        if is_used && !folder.join(ARCHIVE).exists() {
            bail!("{} is not empty, and no demo made it; name another folder with --out", folder.display());
        }
        for name in ["in", "out", "letters", "maps", "pictures"] {
            let _ = fs::remove_dir_all(folder.join(name));
        }
        for ending in ["", "-wal", "-shm", ".new"] {
            let _ = fs::remove_file(folder.join(format!("{ARCHIVE}{ending}")));
        }
        let _ = fs::remove_file(folder.join("index.html"));
        Ok(Workplace { folder, passing })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// Whether something is left for a reader.
    pub(crate) fn is_kept(&self) -> bool {
        !self.passing
    }

    /// Puts the mail of a letter beside its page, out of the mailbox where it lies: read, or not taken any more.
    pub(crate) fn keep_mail(&self, file: &str, name: &str) -> anyhow::Result<()> {
        let places = [format!("out/cur/{file}"), format!("in/cur/{file}:2,S"), format!("in/new/{file}")];
        let place = places.iter().map(|place| self.folder.join(place)).find(|place| place.exists());
        let place = place.with_context(|| format!("{file} is in no mailbox"))?;
        fs::rename(place, self.folder.join(name)).with_context(|| format!("cannot write {name}"))
    }

    /// Takes the mailboxes away: every letter has been copied to its page.
    pub(crate) fn clear_mailboxes(&self) {
        for name in ["in", "out"] {
            let _ = fs::remove_dir_all(self.folder.join(name));
        }
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        if self.passing {
            // What cannot be cleared away is left to the system.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
