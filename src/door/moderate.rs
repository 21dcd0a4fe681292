//! `cursus moderate`: a moderator's command, as in a letter. A running daemon carries it out; where none runs, this does.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use chrono::Utc;

use super::house;
use crate::archive::{Archive, ArchiveError, Moderation};
use crate::desk::Desk;
use crate::desk::table::moderating::DOOR;
use crate::game::GameId;

/// How long a running daemon is given.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// Hands the command in and prints what came of it.
pub fn moderate(config: Option<&Path>, game: &GameId, command: &str, out: &mut dyn Write) -> anyhow::Result<bool> {
    if command.trim().is_empty() {
        bail!("there is no command; `cursus moderate {game} help` lists them");
    }
    let settings = house::settings(config)?;
    let archive = Archive::visit(&settings.archive)?;
    if archive.gathering(game)?.is_some_and(|gathering| gathering.stage.gathers()) {
        return super::opening::host(archive, settings, game, command, out);
    }
    if archive.game(game)?.is_none() {
        let games: Vec<_> = archive.games()?.into_iter().map(|game| game.id.to_string()).collect();
        bail!(
            "there is no game `{game}`; there {}",
            match games.as_slice() {
                [] => "is none yet".to_owned(),
                games => format!("are {}", games.join(", ")),
            }
        );
    }
    let known = archive.moderations(game)?.len();
    Desk::hand_in(&archive, game, command, Utc::now())?;
    match Archive::lock(&settings.archive) {
        Ok(_lock) => {
            let mut desk = house::desk(archive, settings, None)?;
            desk.handle_waiting(Utc::now())?;
            answer(&desk.archive, game, known, out)
        }
        Err(ArchiveError::Locked(_)) => {
            let since = Instant::now();
            while own(&archive, game, known)?.is_none() {
                if since.elapsed() > PATIENCE {
                    bail!("the daemon has not answered yet; the command is in the archive and will be carried out");
                }
                thread::sleep(Duration::from_millis(100));
            }
            answer(&archive, game, known, out)
        }
        Err(error) => Err(error.into()),
    }
}

/// The settings that are named behind a command, where people write them; nothing in a command begins with `--`.
pub fn settings_behind(command: &mut Vec<String>) -> Option<PathBuf> {
    let (file, words) = match command.as_slice() {
        [.., flag, file] if flag == "--config" => (file.clone(), 2),
        [.., last] => (last.strip_prefix("--config=")?.to_owned(), 1),
        [] => return None,
    };
    command.truncate(command.len() - words);
    Some(PathBuf::from(file))
}

/// What came of the command: letters of the moderator may have been logged meanwhile.
fn own(archive: &Archive, game: &GameId, known: usize) -> anyhow::Result<Option<Moderation>> {
    let log = archive.moderations(game)?;
    Ok(log.into_iter().skip(known).find(|entry| entry.by == DOOR))
}

fn answer(archive: &Archive, game: &GameId, known: usize, out: &mut dyn Write) -> anyhow::Result<bool> {
    let Some(entry) = own(archive, game, known)? else { bail!("nothing came of the command") };
    writeln!(out, "{}", entry.outcome)?;
    Ok(entry.done)
}
