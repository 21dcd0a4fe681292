//! What the desk tells of a game that everybody may watch: what its public record has, and nothing else.

use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};
use tokio::sync::oneshot;

use crate::game::{GameId, Known, Phase};
use crate::report::Templates;
use crate::report::page::{self, Ruled, Stamp, Standings, Watcher};
use crate::rules::{Civ, Language, PrintedGame};
use crate::web::window::Standing;

/// What those who watch ask the desk.
pub(crate) enum Ask {
    /// The games that may be seen.
    Games { answer: oneshot::Sender<Shelf> },
    /// A game; none where there is none, or where it may not be seen.
    Game { game: GameId, answer: oneshot::Sender<Option<Arc<Watched>>> },
    /// A turn that is over.
    Turn {
        game: GameId,
        era: u32,
        turn: u16,
        /// None where there is no such turn to be seen.
        answer: oneshot::Sender<Option<Arc<Turn>>>,
    },
}

/// The games that may be seen.
pub(crate) struct Shelf {
    pub games: Vec<Listing>,
    /// The edition whose names the list says.
    pub printed: Arc<PrintedGame>,
}

/// A game in the list.
pub(crate) struct Listing {
    pub game: GameId,
    /// The title of the game.
    pub title: String,
    pub standing: Standing,
    pub turn: u16,
    pub phase: Phase,
    /// How many civilizations play.
    pub players: usize,
}

impl Listing {
    /// As the list shows it.
    pub(crate) fn listed(&self) -> page::Listed {
        page::Listed {
            game: self.game.to_string(),
            title: self.title.clone(),
            standing: self.standing.key(),
            turn: self.turn,
            phase: self.phase,
            players: self.players,
        }
    }
}

/// A game as everybody may see it.
pub(crate) struct Watched {
    pub game: GameId,
    /// The title of the game.
    pub title: String,
    pub standing: Standing,
    pub words: WatchedWords,
    /// What the public was told last. In a trade that is what was true when it began: who trades when is seen by no one.
    pub known: Known,
    /// All seats, in A.S.T.-ranking.
    pub seats: Vec<Watcher>,
    /// Who was awaited at the last ruling or full hour.
    pub awaited: Vec<Civ>,
    /// Until when, on the clock of the game.
    pub cut_off: Option<Stamp>,
    /// How everybody stood at the end of each turn.
    pub standings: Arc<Vec<Standings>>,
    /// How often the game went back.
    pub era: u32,
    /// The newest turn of which something was told.
    pub newest: Turn,
    pub names: SeenNames,
}

/// The words of a public page.
pub(crate) struct WatchedWords {
    /// The language of the public record.
    pub language: Language,
    pub english: Arc<Templates>,
    pub polish: Arc<Templates>,
}

/// The names of what is seen, and of its board, worked out when somebody asks.
#[derive(Default)]
pub(crate) struct SeenNames {
    revision: OnceLock<String>,
    board: OnceLock<String>,
}

/// What was told of a turn.
pub(crate) struct Turn {
    pub number: u16,
    /// What was known at its end, or was told of it last.
    pub known: Known,
    pub rulings: Vec<Ruled>,
}

impl Watched {
    /// Whether a turn is over.
    pub(crate) fn is_over(&self, turn: u16) -> bool {
        (1..=self.standings.len()).contains(&usize::from(turn))
    }

    /// The words of a language.
    pub(crate) fn words(&self, language: Language) -> &Templates {
        match language {
            Language::English => &self.words.english,
            Language::Polish => &self.words.polish,
        }
    }

    /// What tells this view from any other.
    pub(crate) fn revision(&self) -> &str {
        self.names.revision.get_or_init(|| {
            let around = (&self.title, self.standing, &self.seats, &self.awaited, &self.cut_off, self.era);
            let record: Vec<&str> = self.newest.rulings.iter().map(|ruled| ruled.at.utc.as_str()).collect();
            digest(&(self.board(), around, self.newest.number, record))
        })
    }

    /// What tells its board from any other.
    pub(crate) fn board(&self) -> &str {
        self.names.board.get_or_init(|| digest(&(&self.title, self.era, &*self.known)))
    }
}

fn digest(seen: &impl serde::Serialize) -> String {
    let seen = serde_json::to_vec(&(seen, env!("CARGO_PKG_VERSION"), page::assets::version()));
    let hash = Sha256::digest(seen.expect("what is shown is data"));
    hash.iter().take(10).map(|byte| format!("{byte:02x}")).collect()
}

impl Standing {
    /// The key of its sentence, in `[public]`.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Standing::Inviting => "inviting",
            Standing::Running => "running",
            Standing::Paused => "paused",
            Standing::Ended => "ended",
        }
    }
}
