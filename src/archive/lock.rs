//! One daemon at a time: the right to work on an archive, by whatever name it is called.
//!
//! Two locks make it one. A name that the system keeps in memory says which file it is, by device and inode, so a link to
//! the archive is the archive, and nobody can take the name away. A lock on a file beside the archive reaches where that
//! name does not: into another container, and to systems that have no such names. The archive itself is not opened for
//! it: whoever closes it takes SQLite's own locks away.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use super::opening::{beside, file_trouble};
use super::{Archive, ArchiveError};
use crate::post::private;

/// The right to be the one daemon on an archive; given back when it is dropped, however the process ends.
#[derive(Debug)]
pub struct Lock {
    _beside: File,
    #[cfg(target_os = "linux")]
    _name: Option<std::os::unix::net::UnixDatagram>,
}

impl Archive {
    /// Becomes the one daemon on this archive. Where there is none, its file is made, with nothing in it.
    ///
    /// # Errors
    /// Another one is at work.
    pub fn lock(path: &Path) -> Result<Lock, ArchiveError> {
        Archive::make_file(path)?;
        // The file beside the archive itself, and not beside a link to it.
        let real = fs::canonicalize(path).map_err(|trouble| file_trouble(path, trouble))?;
        let file = beside(&real, ".lock");
        let locked = File::options().create(true).append(true).open(&file);
        let locked = locked.map_err(|trouble| file_trouble(&file, trouble))?;
        private::tighten(&file).map_err(|trouble| file_trouble(&file, trouble))?;
        match locked.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ArchiveError::Locked(path.to_owned())),
            Err(TryLockError::Error(trouble)) => return Err(file_trouble(&file, trouble)),
        }
        #[cfg(target_os = "linux")]
        let name = claim(&real).map_err(|trouble| match trouble.kind() {
            std::io::ErrorKind::AddrInUse => ArchiveError::Locked(path.to_owned()),
            _ => file_trouble(&real, trouble),
        })?;
        Ok(Lock {
            _beside: locked,
            #[cfg(target_os = "linux")]
            _name: name,
        })
    }
}

/// Claims the name of a file among all processes. None where the process may have no such names at all.
#[cfg(target_os = "linux")]
fn claim(path: &Path) -> std::io::Result<Option<std::os::unix::net::UnixDatagram>> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::net::{SocketAddr, UnixDatagram};
    let file = fs::metadata(path)?;
    let name = format!("cursus-archive-{:x}-{:x}", file.dev(), file.ino());
    match UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(name)?) {
        Ok(socket) => Ok(Some(socket)),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => Err(error),
        Err(error) => {
            tracing::warn!("the lock of the archive rests on the file beside it alone: {error}");
            Ok(None)
        }
    }
}
