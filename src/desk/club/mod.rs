//! The club: open games that people join, who says that they are there, and who stands in where somebody leaves.
//!
//! Comes in: letters and posts whose first line is one of the club's, and the time. Goes out: games that begin, and letters to
//! people of the house, who need no seat for it. Strangers are answered only where the settings say so.

pub(in crate::desk) mod beginning;
pub mod gathering;
pub(in crate::desk) mod hosting;
pub(in crate::desk) mod incoming;
pub(in crate::desk) mod listing;
pub(in crate::desk) mod observing;
pub(in crate::desk) mod own;
pub(in crate::desk) mod visiting;
pub mod words;
pub(in crate::desk) mod writing;

use chrono::{DateTime, Utc};

use crate::archive::{Deed, GatheringRecord, Stage};
use crate::desk::settings::game_file::OpenGame;
use crate::desk::{Desk, DeskError};
use crate::game::GameId;

use gathering::{Gathered, Meeting};

/// An open game, as the archive has it.
#[derive(Debug, Clone)]
pub struct Gathering {
    pub record: GatheringRecord,
    pub game: OpenGame,
    pub meeting: Meeting,
}

impl Gathering {
    /// As it is to be written down.
    pub(in crate::desk) fn stored(&self) -> Result<GatheringRecord, DeskError> {
        let state = serde_json::to_string(&self.meeting.gathered);
        let state = state.map_err(|error| DeskError::Damaged(error.to_string()))?;
        let (stage, due) = (self.meeting.stage, self.meeting.due());
        Ok(GatheringRecord { state, stage, due, ..self.record.clone() })
    }
}

impl Desk {
    /// Opens a game to whoever wants to join. Nobody is written to yet.
    ///
    /// # Errors
    /// There is such a game already, or the archive does not answer.
    pub fn open_game(
        &mut self,
        game: &OpenGame,
        text: &str,
        seed: [u8; 32],
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        let (id, title) = (game.file.id.clone(), game.file.title.clone());
        self.check_free(&id)?;
        let state = serde_json::to_string(&Gathered::default());
        let state = state.map_err(|error| DeskError::Damaged(error.to_string()))?;
        let (stage, file) = (Stage::Open, text.to_owned());
        let record = GatheringRecord { id, title, file, seed, stage, state, created_at: now, due: None };
        Ok(self.archive.commit(&Deed { gatherings: vec![record], ..Deed::default() })?)
    }

    /// Whether a game may be called so: no other game is, nor one that people still join.
    pub(in crate::desk) fn check_free(&self, id: &GameId) -> Result<(), DeskError> {
        let is_gathering = self.archive.gathering(id)?.is_some_and(|gathering| gathering.stage.gathers());
        if is_gathering || self.archive.game(id)?.is_some() {
            return Err(DeskError::GameExists(id.clone()));
        }
        Ok(())
    }

    /// An open game that people may still join.
    ///
    /// # Errors
    /// The archive does not answer, or what is stored cannot be read.
    pub fn gathering(&self, id: &GameId) -> Result<Option<Gathering>, DeskError> {
        let record = self.archive.gathering(id)?.filter(|record| record.stage.gathers());
        record.map(|record| self.read_gathering(record)).transpose()
    }

    /// All open games that can be read, the oldest first.
    pub(in crate::desk) fn all_gatherings(&self) -> Result<Vec<Gathering>, DeskError> {
        let mut all = Vec::new();
        for record in self.archive.gatherings()? {
            let id = record.id.clone();
            match self.read_gathering(record) {
                Ok(gathering) => all.push(gathering),
                Err(error) if error.is_of_everything() => return Err(error),
                // It is in nobody's way.
                Err(error) => tracing::error!(game = id.as_str(), "an open game cannot be read: {error}"),
            }
        }
        Ok(all)
    }

    fn read_gathering(&self, record: GatheringRecord) -> Result<Gathering, DeskError> {
        let damaged = |error: String| DeskError::Damaged(error);
        let gathered: Gathered = serde_json::from_str(&record.state).map_err(|error| damaged(error.to_string()))?;
        let (printed, settings) = (&self.house.edition.printed, &self.house.settings);
        let game = OpenGame::read(record.id.as_str(), &record.file, printed, settings);
        let game = game.map_err(|faults| damaged(faults.to_string()))?;
        let meeting = Meeting {
            stage: record.stage,
            gathered,
            rules: game.rules,
            free: game.free.clone(),
            seed: record.seed,
            news: Vec::new(),
        };
        Ok(Gathering { record, game, meeting })
    }

    /// Does something with an open game, and what follows of it; none where there is no such game.
    pub(in crate::desk) fn gather<T>(
        &mut self,
        id: &GameId,
        now: DateTime<Utc>,
        cause: &str,
        work: impl FnOnce(&mut Gathering) -> T,
    ) -> Result<Option<T>, DeskError> {
        let Some(mut gathering) = self.gathering(id)? else { return Ok(None) };
        let done = work(&mut gathering);
        let begins = gathering.meeting.settle(now);
        let news = std::mem::take(&mut gathering.meeting.news);
        let count = news.len() as u64;
        let dispatches = self.tell_news(&gathering, news, cause, now)?;
        gathering.meeting.gathered.told += count;
        let record = gathering.stored()?;
        self.archive.commit(&Deed { gatherings: vec![record], dispatches, ..Deed::default() })?;
        if begins {
            self.begin_gathered(gathering, cause, now)?;
        }
        Ok(Some(done))
    }

    /// Looks at the open games that need it: whoever was not there in time makes room.
    pub(in crate::desk) fn look_at_gatherings(&mut self, now: DateTime<Utc>) -> Result<(), DeskError> {
        for id in self.archive.gatherings_due(now)? {
            let cause = format!("clock-{}", now.timestamp());
            // Whoever makes room, and whatever begins by it: all of it, or nothing.
            match self.at_once(|desk| desk.gather(&id, now, &cause, |_| ())) {
                Err(error) if error.is_of_everything() => return Err(error),
                Ok(_) => {}
                Err(error) => tracing::error!(game = id.as_str(), "an open game could not go on: {error}"),
            }
        }
        Ok(())
    }
}
