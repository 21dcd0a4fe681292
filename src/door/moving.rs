//! `cursus game export --move`: a game goes on in another house, and is closed here.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use chrono::Utc;

use super::{game, house};
use crate::archive::{Archive, ArchiveError, Durability, Status};
use crate::game::GameId;

/// Writes the game into a file, and then closes it here: everybody is told where it goes on, and so is whoever still writes.
pub fn export(
    config: Option<&Path>,
    id: &GameId,
    file: &Path,
    to: Option<&str>,
    out: &mut dyn Write,
) -> anyhow::Result<bool> {
    let settings = house::settings(config)?;
    // Between the copy and the end nobody may write to the game.
    let _lock = match Archive::lock(&settings.archive) {
        Ok(lock) => lock,
        Err(ArchiveError::Locked(_)) => {
            bail!("a daemon is at work on this archive; stop it first, and start it again afterwards")
        }
        Err(error) => return Err(error.into()),
    };
    let archive = Archive::open(&settings.archive, Durability::Full)?;
    let mut desk = house::desk(archive, settings, None)?;
    let now = Utc::now();
    desk.handle_waiting(now)?;
    let record = desk.archive.game(id)?.with_context(|| format!("there is no game `{id}`"))?;
    if record.status == Status::Ended {
        bail!("the game `{id}` is over: `cursus game export` copies it");
    }
    game::export(config, id, Some(file), out)?;
    desk.move_away(id, to, now)?;
    writeln!(
        out,
        "It is closed here, and everybody is told{}. `cursus game import {}` opens it there.",
        to.map(|to| format!(" to write to {to}")).unwrap_or_default(),
        file.display()
    )?;
    Ok(true)
}
