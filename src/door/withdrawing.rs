//! `cursus game withdraw`: a game that has not begun never begins. A running daemon does it; where none runs, this does.

use std::io::Write;
use std::path::Path;

use super::{house, moderate};
use crate::archive::Archive;
use crate::game::GameId;

/// Withdraws a game, or an open game that people still join, and prints what came of it.
pub fn withdraw(
    config: Option<&Path>,
    game: &GameId,
    reason: Option<&str>,
    out: &mut dyn Write,
) -> anyhow::Result<bool> {
    let because = reason.map(|reason| format!(" because {reason}")).unwrap_or_default();
    let archive = Archive::visit(&house::settings(config)?.archive)?;
    let gathers = archive.gathering(game)?.is_some_and(|gathering| gathering.stage.gathers());
    let guard = if gathers || archive.game(game)?.is_none() {
        String::new()
    } else {
        let open = house::visit(config)?.table(game)?.phase();
        format!(" for {open}")
    };
    drop(archive);
    moderate::moderate(config, game, &format!("withdraw{because}{guard}"), out)
}
