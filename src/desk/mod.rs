//! The desk: the only loop and the only clock.
//!
//! Comes in: settings, the files of games, letters, and what time it is. Goes out: rulings and letters. The pages of the
//! clock are functions over times that are handed in; none of them asks what time it is.

pub mod clock;
pub mod club;
pub(crate) mod house;
pub(crate) mod incoming;
pub(crate) mod outgoing;
pub mod serving;
pub mod settings;
pub mod table;
mod turns;
pub(crate) mod window;

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use chrono::{DateTime, Utc};
use thiserror::Error;

use crate::archive::{Archive, ArchiveError, Deed, LetterId, LetterStatus, Settled};
use crate::game::GameId;
use crate::post::Cause;
use crate::report::TemplateError;
use crate::rules::EditionError;

use turns::Turns;

pub use house::House;
pub use table::Table;
pub use table::sitting::Sitting;

/// How many games are kept open; the others are opened when their letters come.
const MOST_TABLES: usize = 200;

/// The moderator at work.
pub struct Desk {
    /// Everything that ever happened.
    pub archive: Archive,
    /// What is always at hand.
    pub house: House,
    tables: HashMap<GameId, Table>,
    /// So many tables are kept open.
    most_tables: usize,
    /// The tables that were used, the last of them last.
    used: Turns,
    /// The games whose letters were read, and by each carrier those whose letters left: they take turns.
    read_for: Turns,
    sent_for: HashMap<String, Turns>,
    agenda: clock::Agenda,
    carriers: OfCarriers,
    /// Whether somebody has asked us to stop.
    stops: Arc<AtomicBool>,
    /// Where browsers ask, if there is a page.
    window: Option<window::Open>,
}

/// What was told to carriers and heard of them, since the desk sat down.
#[derive(Default)]
struct OfCarriers {
    /// The threads that each was last told of.
    recalled: HashMap<String, Vec<String>>,
    /// Those that were asked for letters which the archive may have lost.
    looked_back: BTreeSet<String>,
    /// How many such letters were found.
    found: u64,
    /// Of what we know since we began whether they warn.
    warned: BTreeSet<(String, Cause)>,
}

/// What keeps the daemon from its work.
#[derive(Debug, Error)]
pub enum DeskError {
    /// The archive is in trouble.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The edition is not sound.
    #[error(transparent)]
    Edition(#[from] EditionError),
    /// The templates are not sound.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// There is no such game.
    #[error("there is no game `{0}`")]
    NoGame(GameId),
    /// There is such a game already.
    #[error("there is a game `{0}` already; choose another `id`")]
    GameExists(GameId),
    /// The day on which a game is to end lies behind us.
    #[error("`ends_after` is {0}, and that day is over; write a later one")]
    EndHasPassed(String),
    /// What is stored cannot be read.
    #[error("{0}")]
    Damaged(String),
}

impl DeskError {
    /// Whether it is the trouble of the whole house, not of one letter or one game: then nothing more can be written down.
    pub(crate) fn is_of_everything(&self) -> bool {
        match self {
            DeskError::Archive(error) => match error {
                ArchiveError::Twice(_) | ArchiveError::Damaged(_) => false,
                ArchiveError::Foreign(_)
                | ArchiveError::Newer { .. }
                | ArchiveError::Missing(_)
                | ArchiveError::Gone { .. }
                | ArchiveError::Locked(_)
                | ArchiveError::Full
                | ArchiveError::ReadOnly(_)
                | ArchiveError::Trouble(_)
                | ArchiveError::File { .. } => true,
            },
            DeskError::Edition(_) | DeskError::Template(_) | DeskError::NoGame(_) => false,
            DeskError::GameExists(_) | DeskError::EndHasPassed(_) | DeskError::Damaged(_) => false,
        }
    }
}

impl Desk {
    /// Sits down: looks through all games for what is due when.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn new(archive: Archive, house: House) -> Result<Desk, DeskError> {
        let mut desk = Desk {
            archive,
            house,
            tables: HashMap::new(),
            most_tables: MOST_TABLES,
            used: Turns::default(),
            read_for: Turns::default(),
            sent_for: HashMap::new(),
            agenda: clock::Agenda::default(),
            carriers: OfCarriers::default(),
            stops: Arc::default(),
            window: None,
        };
        desk.note_all()?;
        desk.recall_warnings()?;
        Ok(desk)
    }

    /// Notes of all games what is due when, as the archive has them.
    fn note_all(&mut self) -> Result<(), DeskError> {
        self.agenda = clock::Agenda::default();
        for game in self.archive.games()? {
            self.agenda.note(&game, &self.archive.absences(&game.id)?);
        }
        Ok(())
    }

    /// A game as it is.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn table(&mut self, id: &GameId) -> Result<&Table, DeskError> {
        if self.tables.contains_key(id) {
            self.used.serve(id.as_str());
        } else {
            let table = Table::open(&self.archive, &self.house, id)?;
            self.lay(table);
        }
        Ok(&self.tables[id])
    }

    /// Keeps a table at hand. Where there are too many, the one that nobody has used for longest is cleared: it is in the
    /// archive as it is.
    fn lay(&mut self, table: Table) {
        let id = table.game.id.clone();
        if !self.tables.contains_key(&id) && self.tables.len() >= self.most_tables {
            let idle = self.tables.keys().min_by_key(|id| self.used.last(id.as_str())).cloned();
            idle.map(|idle| self.tables.remove(&idle));
        }
        self.used.serve(id.as_str());
        self.tables.insert(id, table);
    }

    /// Keeps so many tables open, and at least one.
    pub fn keep_tables(&mut self, most: usize) {
        self.most_tables = most.max(1);
    }

    /// How many tables are open.
    pub fn open_tables(&self) -> usize {
        self.tables.len()
    }

    /// A game as it is, if it can be read: a record that breaks a law of the game says so.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub(crate) fn try_table(&mut self, id: &GameId) -> Result<Table, DeskError> {
        let opened = catch_unwind(AssertUnwindSafe(|| self.table(id).cloned()));
        opened.unwrap_or_else(|_| Err(DeskError::Damaged("its record breaks a law of the game".to_owned())))
    }

    /// Does a piece of work at a table: writes its deed down, and only then believes it.
    ///
    /// # Errors
    /// Nothing of it has happened.
    pub(crate) fn sit<T>(
        &mut self,
        id: &GameId,
        now: DateTime<Utc>,
        work: impl FnOnce(&mut Sitting) -> T,
    ) -> Result<T, DeskError> {
        self.table(id)?;
        let mut sitting = Sitting::new(&self.house, &self.tables[id], now);
        let done = work(&mut sitting);
        let (table, deed) = sitting.close();
        self.write_down(table, &deed)?;
        Ok(done)
    }

    /// The same about a letter, which is settled by it.
    fn sit_about<T>(
        &mut self,
        id: &GameId,
        now: DateTime<Utc>,
        status: LetterStatus,
        work: impl FnOnce(&mut Sitting) -> T,
    ) -> Result<Settled, DeskError> {
        self.table(id)?;
        let mut sitting = Sitting::new(&self.house, &self.tables[id], now);
        let letter = status.id;
        sitting.deed.letters.push(status);
        work(&mut sitting);
        let (table, deed) = sitting.close();
        self.settle_with(table, &deed, letter)
    }

    /// Settles a letter of which nothing else comes.
    fn settle(&self, status: LetterStatus) -> Result<Settled, DeskError> {
        let letter = status.id;
        Ok(self.archive.settle(&Deed { letters: vec![status], ..Deed::default() }, letter)?)
    }

    /// Writes a deed down that settles a letter, and keeps the table it leads to.
    fn settle_with(&mut self, table: Table, deed: &Deed, letter: LetterId) -> Result<Settled, DeskError> {
        match self.archive.settle(deed, letter) {
            Ok(settled) => {
                self.agenda.note(&table.game, &table.absences);
                self.touch(&table.game.id);
                self.lay(table);
                Ok(settled)
            }
            Err(error) => {
                // Whatever the archive has now, it is read again.
                self.tables.remove(&table.game.id);
                Err(error.into())
            }
        }
    }

    /// Writes a deed down, and keeps the table it leads to.
    fn write_down(&mut self, table: Table, deed: &Deed) -> Result<(), DeskError> {
        if let Err(error) = self.archive.commit(deed) {
            // Whatever the archive has now, it is read again.
            self.tables.remove(&table.game.id);
            return Err(error.into());
        }
        self.agenda.note(&table.game, &table.absences);
        self.touch(&table.game.id);
        self.lay(table);
        Ok(())
    }

    /// Opens a game anew at its next letter: something beside the desk has changed it.
    pub fn forget(&mut self, id: &GameId) {
        self.touch(id);
        self.tables.remove(id);
    }
}
