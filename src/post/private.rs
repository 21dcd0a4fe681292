//! Files and folders that nobody else may look into: letters are secrets, whatever the umask of whoever started us.
//!
//! What we make is private from its first moment on: a file has its mode before anything stands in it. What is there
//! already is made private where it is ours; what is not ours is told by the doctor.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Makes a folder, and those above it, for us alone. One that is there stays as it is: others may have business in it.
///
/// # Errors
/// It cannot be made.
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Opens a file for writing that only we may read, and makes it where it is missing. What stood in it is gone.
///
/// # Errors
/// It cannot be opened.
pub(crate) fn create_file(path: &Path) -> io::Result<File> {
    let file = options().create(true).truncate(true).open(path)?;
    tighten(path)?;
    Ok(file)
}

/// What a file holds takes the place of what it held, in one step: a crash leaves either. Only we may read it.
///
/// # Errors
/// It cannot be written.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("file");
    let new = path.with_file_name(format!("{name}.new"));
    let mut written = create_file(&new)?;
    written.write_all(bytes)?;
    written.sync_all()?;
    fs::rename(new, path)
}

/// Makes a file that must not be there yet, which only we may read.
///
/// # Errors
/// It is there, or cannot be made.
pub(crate) fn create_new_file(path: &Path) -> io::Result<File> {
    options().create_new(true).open(path)
}

/// Takes from others the right to look into a file of ours. One that is another's stays as it is.
///
/// # Errors
/// It is there, and nobody can say whose it is.
pub(crate) fn tighten(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // By its path, not opened: whoever closes an archive by themselves takes the locks of the whole process away.
        let mode = match fs::metadata(path) {
            Ok(file) => file.permissions().mode(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        if mode & 0o077 != 0 {
            match fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700)) {
                Err(error) if !matches!(error.raw_os_error(), Some(EPERM | EROFS)) => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// It is not ours, or nothing on its disk may be changed.
#[cfg(unix)]
const EPERM: i32 = 1;
#[cfg(unix)]
const EROFS: i32 = 30;

/// What others may do with a file or a folder, as its mode is written: none where they may do nothing.
pub(crate) fn open_to_others(path: &Path) -> Option<String> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(path).ok()?.permissions().mode() & 0o7777;
        (mode & 0o077 != 0).then(|| format!("{mode:o}"))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
