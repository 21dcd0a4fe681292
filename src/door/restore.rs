//! `cursus restore`: a copy takes the place of the archive.

use std::io::Write;
use std::path::Path;

use anyhow::bail;
use chrono::Utc;

use super::house;
use crate::archive::Archive;
use crate::game::TurnPhase;

/// Checks the copy, moves what was there aside, and puts the copy in its place.
pub fn restore(config: Option<&Path>, copy: &Path, out: &mut dyn Write) -> anyhow::Result<bool> {
    if !copy.is_file() {
        bail!("there is no file {}", copy.display());
    }
    let settings = house::settings(config)?;
    let lock = Archive::lock(&settings.archive)?;
    let restored = Archive::restore(copy, &settings.archive, &lock, Utc::now())?;
    writeln!(out, "{} is now a copy of {}.", settings.archive.display(), copy.display())?;
    if let Some(aside) = &restored.aside {
        writeln!(out, "What was there before lies in {}, with all that belongs to it.", aside.display())?;
    }
    drop(lock);
    let mut desk = house::visit(config)?;
    let mut all_sound = true;
    for game in desk.archive.game_ids()? {
        match desk.try_table(&game) {
            Ok(table) => {
                let TurnPhase { turn, phase } = table.phase();
                writeln!(out, "  {game}: {}, {turn}.{}", table.game.status.name(), phase.name())?;
            }
            Err(error) => {
                all_sound = false;
                writeln!(out, "  {game}: cannot be read: {error}")?;
            }
        }
    }
    writeln!(
        out,
        "`cursus serve` goes on from there: cut-offs that fell between the copy and now move, letters that the carriers\n\
         still hold are taken up again, and every letter has an id that no letter had before."
    )?;
    Ok(all_sound)
}
