//! `cursus moderate`: a moderator's command, as in a letter. A running daemon carries it out; where none runs, this does.

use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use chrono::Utc;

use super::house;
use crate::archive::{Archive, ArchiveError};
use crate::desk::Desk;

/// How long a running daemon is given.
const PATIENCE: Duration = Duration::from_secs(30);

/// Hands the command in and prints what came of it.
pub fn moderate(config: Option<&Path>, game: &str, command: &str, out: &mut dyn Write) -> anyhow::Result<bool> {
    let settings = house::settings(config)?;
    let archive = Archive::visit(&settings.archive)?;
    if archive.game(game)?.is_none() {
        let games: Vec<_> = archive.games()?.into_iter().map(|game| game.id).collect();
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
            while archive.moderations(game)?.len() == known {
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

fn answer(archive: &Archive, game: &str, known: usize, out: &mut dyn Write) -> anyhow::Result<bool> {
    let log = archive.moderations(game)?;
    let Some(entry) = log.get(known) else { bail!("nothing came of the command") };
    writeln!(out, "{}", entry.outcome)?;
    Ok(entry.done)
}
