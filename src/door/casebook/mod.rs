//! The casebook: rules as pages that a player can read and dispute.
//!
//! Comes in: the text of a page. Goes out: for every case whether it holds, and if not, what was found instead. A case
//! is played by the reading desk and the adjudicator that serve real games.

mod check;
mod map;
mod page;
mod play;
mod position;
mod standing;

use std::sync::Arc;

use crate::game::State;
use crate::orders::Lexicon;
use crate::rules::PrintedGame;

pub(crate) use page::Unreadable;

/// The printed game that pages without a map of their own use.
pub struct CaseTable {
    printed: Arc<PrintedGame>,
    lexicon: Arc<Lexicon>,
}

/// A position, and the names that are read there.
pub struct Seating {
    pub lexicon: Arc<Lexicon>,
    pub state: State,
}

/// How a case went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The title of the case; of an unreadable page, where it could not be read.
    pub title: String,
    /// The rules it cites, as `R4.9`.
    pub cites: Vec<String>,
    /// What was expected and not found; empty if it holds.
    pub faults: Vec<String>,
}

impl CaseTable {
    /// A table with this printed game.
    pub fn new(printed: PrintedGame) -> CaseTable {
        let lexicon = Arc::new(Lexicon::new(&printed));
        CaseTable { printed: Arc::new(printed), lexicon }
    }

    /// The same table with another map.
    fn with_map(&self, map: crate::rules::Map) -> CaseTable {
        let mut printed = PrintedGame { map, ..PrintedGame::clone(&self.printed) };
        printed.civilizations.iter_mut().for_each(|civ| civ.start = None);
        CaseTable::new(printed)
    }

    /// The position of the first case of a page.
    pub fn position(&self, text: &str) -> Result<Seating, Unreadable> {
        let page = page::Page::parse(text)?;
        let case = page.cases.first().ok_or_else(|| Unreadable::at(1, "a case, beginning with `## `"))?;
        let block = case.state.as_ref().ok_or_else(|| Unreadable::at(case.line, "a `state` block in this case"))?;
        let own = case.map.as_ref().or(page.map.as_ref()).map(map::parse).transpose()?.map(|map| self.with_map(map));
        let table = own.as_ref().unwrap_or(self);
        let state = position::parse(table, block)?.state;
        Ok(Seating { lexicon: Arc::clone(&table.lexicon), state })
    }

    /// Plays every case of a page.
    pub fn play(&self, text: &str) -> Vec<Verdict> {
        match page::Page::parse(text) {
            Ok(page) => self.play_page(&page),
            Err(unreadable) => vec![unreadable.verdict(String::new(), Vec::new())],
        }
    }

    fn play_page(&self, page: &page::Page) -> Vec<Verdict> {
        let own = page.map.as_ref().map(|block| map::parse(block).map(|map| self.with_map(map))).transpose();
        let own = match own {
            Ok(own) => own,
            Err(unreadable) => return vec![unreadable.verdict(page.title.clone(), Vec::new())],
        };
        let table = own.as_ref().unwrap_or(self);
        page.cases.iter().map(|case| table.play_case(case)).collect()
    }

    fn play_case(&self, case: &page::Case) -> Verdict {
        let faults = || match &case.map {
            Some(block) => map::parse(block).map(|map| self.with_map(map)).and_then(|own| play::play(&own, case)),
            None => play::play(self, case),
        };
        let faults = std::panic::catch_unwind(std::panic::AssertUnwindSafe(faults));
        let faults = faults.unwrap_or_else(|_| Ok(vec!["the program panicked; this is a bug".to_owned()]));
        match faults {
            Ok(faults) => Verdict { title: case.title.clone(), cites: case.cites.clone(), faults },
            Err(unreadable) => unreadable.verdict(case.title.clone(), case.cites.clone()),
        }
    }
}
