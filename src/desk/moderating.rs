//! The moderator's commands, by letter and from the door.

use chrono::{DateTime, Utc};

use super::intake::Opened;
use super::{Desk, DeskError};
use crate::archive::{Address, Answered, Deed, Fate, LetterRecord};

/// The carrier of commands that somebody typed at the door.
pub const DOOR: &str = "door";

impl Desk {
    /// A letter of the moderator of a game.
    pub(super) fn moderate(
        &mut self,
        opened: &Opened,
        _game: &str,
        _answers: Option<&Answered>,
        _address: &Address,
    ) -> Result<(), DeskError> {
        let status = opened.fate(Fate::Handled, None, None);
        Ok(self.archive.commit(&Deed { letters: vec![status], ..Deed::default() })?)
    }

    /// A command that somebody typed at the door.
    pub(super) fn moderate_from_door(&mut self, _record: &LetterRecord, _now: DateTime<Utc>) -> Result<(), DeskError> {
        Ok(())
    }
}
