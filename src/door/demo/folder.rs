//! The folder of a demo: where it is played, and what it leaves.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;

/// Where a demo is played.
pub struct Desk {
    folder: PathBuf,
    /// Whether the folder is only a desk, and cleared at the end.
    passing: bool,
}

impl Desk {
    /// Clears a folder for a demo: what an earlier one left there goes, and nothing else.
    pub fn clear(out: Option<&Path>) -> anyhow::Result<Desk> {
        let passing = out.is_none();
        let folder = match out {
            Some(folder) => folder.to_owned(),
            None => {
                let number = u64::from_be_bytes(crate::desk::house::random()?[..8].try_into()?);
                std::env::temp_dir().join(format!("cursus-demo-{number:016x}"))
            }
        };
        let is_used = folder.read_dir().is_ok_and(|mut entries| entries.next().is_some());
        if is_used && !folder.join("cursus.sqlite").exists() {
            bail!("{} is not empty, and no demo made it; name another folder with --out", folder.display());
        }
        for name in ["in", "out", "letters", "maps", "pictures"] {
            let _ = fs::remove_dir_all(folder.join(name));
        }
        for name in ["cursus.sqlite", "cursus.sqlite-wal", "cursus.sqlite-shm", "index.html"] {
            let _ = fs::remove_file(folder.join(name));
        }
        Ok(Desk { folder, passing })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Whether something is left for a reader.
    pub fn is_kept(&self) -> bool {
        !self.passing
    }

    /// Takes the mailboxes away: every letter has been copied to its page.
    pub fn clear_mailboxes(&self) {
        for name in ["in", "out"] {
            let _ = fs::remove_dir_all(self.folder.join(name));
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        if self.passing {
            // What cannot be cleared away is left to the system.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
