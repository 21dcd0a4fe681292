//! `cursus game open`: a game that people join by letter or in a forum; and what its host says at the command line before it begins.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use chrono::Utc;

use super::house;
use crate::archive::{Archive, ArchiveError, Durability};
use crate::desk::Desk;
use crate::desk::club::gathering::Gathered;
use crate::desk::house::random;
use crate::desk::settings::Settings;
use crate::desk::settings::game_file::OpenGame;
use crate::game::{Chance, GameId};

/// Opens a game. People hear of it who ask for `games`.
pub fn open(config: Option<&Path>, rules: Option<&Path>, file: &Path, out: &mut dyn Write) -> anyhow::Result<bool> {
    let settings = house::settings(config)?;
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let printed = super::edition::edition(rules.or(settings.rules.as_deref()))?;
    let game = OpenGame::read(&file.display().to_string(), &text, &printed, &settings)?;
    let (club, is_deaf) = (settings.club.clone(), settings.is_deaf());
    let archive = Archive::open(&settings.archive, Durability::Full)?;
    let mut desk = house::desk(archive, settings, rules)?;
    let seed = random()?;
    desk.open_game(&game, &text, seed, Utc::now())?;
    let (id, title) = (&game.file.id, &game.file.title);
    writeln!(
        out,
        "{title} ({id}) is open: {} seats are free. The seal of its seed is\n{}\n\
         People join with `join {id}`{}; `cursus moderate {id} who` shows who has come.",
        game.free.len(),
        Chance::new(seed).commitment_in_hex(),
        if club.open {
            ""
        } else {
            " if we know them: strangers are answered where the settings say `[club] open = true`"
        },
    )?;
    if is_deaf {
        writeln!(
            out,
            "Strangers who write by mail are not answered yet: no carrier of mail says with `authserv_id` which server proves \
             their addresses. `cursus doctor` finds out its name.",
        )?;
    }
    Ok(true)
}

/// Hands in what the host says, and prints what came of it.
pub(super) fn host(
    archive: Archive,
    settings: Settings,
    game: &GameId,
    command: &str,
    out: &mut dyn Write,
) -> anyhow::Result<bool> {
    let known = gathered(&archive, game)?.answered;
    Desk::hand_in(&archive, game, command, Utc::now())?;
    match Archive::lock(&settings.archive) {
        Ok(_lock) => {
            let mut desk = house::desk(archive, settings, None)?;
            desk.handle_waiting(Utc::now())?;
            answer(&gathered(&desk.archive, game)?, known, out)
        }
        Err(ArchiveError::Locked(_)) => {
            let since = Instant::now();
            while gathered(&archive, game)?.answered == known {
                if since.elapsed() > super::moderate::PATIENCE {
                    bail!("the daemon has not answered yet; the command is in the archive and will be carried out");
                }
                thread::sleep(Duration::from_millis(100));
            }
            answer(&gathered(&archive, game)?, known, out)
        }
        Err(error) => Err(error.into()),
    }
}

fn gathered(archive: &Archive, game: &GameId) -> anyhow::Result<Gathered> {
    let gathering = archive.gathering(game)?.context("the open game is there")?;
    serde_json::from_str(&gathering.state).context("the open game can be read")
}

fn answer(gathered: &Gathered, known: u64, out: &mut dyn Write) -> anyhow::Result<bool> {
    let Some(answer) = gathered.answers.last().filter(|_| gathered.answered > known) else {
        bail!("nothing came of the command");
    };
    writeln!(out, "{answer}")?;
    Ok(true)
}
