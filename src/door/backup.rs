//! `cursus backup`: a copy of the archive while the daemon runs.

use std::io::Write;
use std::path::Path;

use anyhow::bail;

use super::house;
use crate::archive::Archive;

/// Writes a copy of the archive that is whole, also while the daemon runs.
pub fn backup(config: Option<&Path>, to: &Path, out: &mut dyn Write) -> anyhow::Result<bool> {
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("there is no folder {}; make it first", folder.display());
    }
    let archive = Archive::visit(&house::settings(config)?.archive)?;
    archive.back_up(to)?;
    let bytes = std::fs::metadata(to).map_or(0, |file| file.len());
    writeln!(out, "{} ({} kB)", to.display(), bytes / 1024)?;
    Ok(true)
}
