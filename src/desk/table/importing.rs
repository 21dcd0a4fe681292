//! A game comes from another archive: it is opened and verified before anything of it is believed.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::archive::{Archive, Exported};
use crate::desk::settings::game_file::check_id;
use crate::desk::table::Table;
use crate::desk::{Desk, DeskError};
use crate::game::GameId;
use crate::game::verify::verify;

impl Desk {
    /// Reads a game from a file; says how it is called.
    ///
    /// # Errors
    /// The file is none of ours, speaks of other games, or tells a game that cannot have been played. Nothing of it stays.
    pub fn import(&mut self, exported: &Exported) -> Result<GameId, DeskError> {
        check_id(exported.game().as_str()).map_err(DeskError::Damaged)?;
        let house = &self.house;
        let check = |archive: &Archive, id: &GameId| {
            // What people still join will begin under this name.
            if archive.gathering(id)?.is_some_and(|gathering| gathering.stage.gathers()) {
                return Err(DeskError::Damaged(format!("people still join an open game `{id}` here")));
            }
            let sound = catch_unwind(AssertUnwindSafe(|| sound(archive, house, id)));
            sound.unwrap_or_else(|_| Err(DeskError::Damaged("its record breaks a law of the game".to_owned())))
        };
        let id = self.archive.import(exported, check)?;
        let game = self.archive.game(&id)?.ok_or_else(|| DeskError::NoGame(id.clone()))?;
        self.agenda.note(&game, &self.archive.absences(&id)?);
        Ok(id)
    }
}

/// Opens a game as the desk would, and makes every draw of it again.
fn sound(archive: &Archive, house: &crate::desk::House, id: &GameId) -> Result<(), DeskError> {
    let table = Table::open(archive, house, id)?;
    let events = archive.events(id, 1)?;
    if events.is_empty() {
        return Ok(());
    }
    let hash = verify(table.opening()?, &events, &table.chance())
        .map_err(|broken| DeskError::Damaged(format!("its record cannot be true: {broken}")))?;
    if hash == table.state.hash() {
        Ok(())
    } else {
        Err(DeskError::Damaged("its record and its last snapshot do not agree".to_owned()))
    }
}
