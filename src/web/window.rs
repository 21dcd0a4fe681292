//! The window between the page and the desk: what the page asks, what it brings, and what it is told.
//!
//! Comes in: questions of the web's own threads. Goes out: answers of the desk, which has its own thread, its clock and the
//! archive to itself. Nobody waits at the window for longer than there is room before it, and what is told here is never
//! more than a seat may know.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::sync::{broadcast, oneshot};

use crate::game::{GameId, Known};
use crate::orders::{Lexicon, Sheet};
use crate::post::writing::PageForm;
use crate::report::Templates;
use crate::report::letters::{self, Moment};
use crate::report::page::{self, Ruled};
use crate::rules::{Civ, Language};

/// So many questions wait at most; whoever comes then is told to come again.
const ROOM: usize = 64;
/// So long an answer is waited for: longer than any ruling takes.
const PATIENCE: Duration = Duration::from_secs(20);
/// So many changes may be missed before somebody who listens has to look at everything anew.
const NEWS: usize = 256;

/// What the moderator's seat is called in addresses.
pub(crate) const MODERATOR: &str = "moderator";

/// A browser, as it is written down: the hash of the secret in its cookie.
pub(crate) type Browser = [u8; 32];

/// A seat as an address names it: `/s/demo/egypt`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub(crate) struct Spot {
    /// The short name of the game.
    pub game: GameId,
    /// The seat: `egypt`.
    pub seat: String,
}

/// What the page asks the desk, with the place where the answer is to go. Whoever asked may be gone by then.
pub(crate) enum Ask {
    /// A seat, for a browser that has it.
    Look {
        browser: Browser,
        spot: Spot,
        /// None where the seat is not this browser's.
        answer: oneshot::Sender<Option<Look>>,
    },
    /// The seats of a browser, in all games.
    Seats { browser: Browser, answer: oneshot::Sender<Vec<OwnSeat>> },
    /// Whose a link is. Nothing changes by it.
    Follow {
        /// What stands in the link.
        link: String,
        browser: Browser,
        answer: oneshot::Sender<Followed>,
    },
    /// A code is to be sent to whoever the link is for.
    SendCode {
        /// What stands in the link.
        link: String,
        /// The browser that the code is for.
        browser: Browser,
        /// What the browser calls itself.
        name: String,
        /// What came of it.
        answer: oneshot::Sender<Coded>,
    },
    /// A code was typed.
    Confirm {
        /// What stands in the link.
        link: String,
        browser: Browser,
        code: String,
        /// What came of it.
        answer: oneshot::Sender<Confirmed>,
    },
    /// A form is brought. It is remembered before this is answered.
    Bring {
        browser: Browser,
        form: PageForm,
        /// Whether it is remembered; not where the seat is not this browser's.
        answer: oneshot::Sender<bool>,
    },
    /// What became of a form.
    Told {
        browser: Browser,
        spot: Spot,
        /// The id of the form.
        form: String,
        /// None where the seat is not this browser's.
        answer: oneshot::Sender<Option<Fate>>,
    },
    /// What a seat has behind it.
    Past {
        browser: Browser,
        spot: Spot,
        /// None where the seat is not this browser's.
        answer: oneshot::Sender<Option<Past>>,
    },
    /// What the seat knew at the end of a turn.
    Then {
        browser: Browser,
        spot: Spot,
        era: u32,
        turn: u16,
        /// None where the seat is not this browser's, or there was no such turn.
        answer: oneshot::Sender<Option<Box<Known>>>,
    },
    /// An old letter of the seat.
    Letter {
        browser: Browser,
        spot: Spot,
        number: i64,
        /// Its HTML, and its text.
        answer: oneshot::Sender<Option<(Option<String>, String)>>,
    },
    /// Somebody watches a game that everybody may see.
    Public(super::public::Ask),
    /// A game, for a browser of its moderator.
    Moderated {
        browser: Browser,
        game: GameId,
        /// None where the browser is not its moderator's.
        answer: oneshot::Sender<Option<Box<Moderated>>>,
    },
    /// All games of a moderator's browser, in short.
    Moderates { browser: Browser, answer: oneshot::Sender<Vec<(Arc<Templates>, page::Overview)>> },
    /// A browser gives a seat back.
    Leave {
        browser: Browser,
        spot: Spot,
        /// When it is done.
        answer: oneshot::Sender<()>,
    },
}

/// A seat, as a browser that has it may see it.
#[derive(Debug, Clone)]
pub(crate) struct Look {
    pub seat: Arc<Seat>,
    /// For how long; none until something changes.
    pub good_for: Option<Duration>,
}

/// What a seat has behind it.
pub(crate) struct Past {
    /// The era of the game.
    pub era: u32,
    /// Its letters, the newest first.
    pub letters: Vec<page::OldLetter>,
    /// What was written to it and by it, the oldest first.
    pub words: Vec<page::Spoken>,
    /// How everybody stood at the end of each turn.
    pub standings: Arc<Vec<page::Standings>>,
}

/// A game as its moderator's page sees it.
pub(crate) struct Moderated {
    pub game: page::Moderated,
    /// The words of the moderator's language.
    pub templates: Arc<Templates>,
    /// The board that a person posts to, the words of the public record, and what was told of the newest turn; none where there
    /// is no such board.
    pub pasted: Option<(String, Arc<Templates>, Vec<Ruled>)>,
}

/// A seat of a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnSeat {
    pub spot: Spot,
    /// The title of the game.
    pub title: String,
    /// The name of the civilization, in the player's language.
    pub civ: String,
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Followed {
    /// Nowhere, or no longer.
    Nowhere,
    /// To a seat that this browser has.
    Known(Spot),
    /// To a seat that has to be confirmed: the title of its game, and the language of its player.
    Asks(String, Language),
    /// To a seat that is opened at once: in a demonstration on one's own machine.
    Opens(Spot),
}

/// Whether a code was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Coded {
    /// It is on its way: the title of the game, and the language of the player.
    Sent(String, Language),
    /// The link leads nowhere.
    Nowhere,
    /// Too many were asked for today.
    TooMany(String, Language),
}

/// What came of a code that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Confirmed {
    /// It is right: the browser has the seat.
    Yes(Spot),
    /// It is another, and there are tries left.
    Wrong(String, Language),
    /// There is none for this browser, or no longer.
    Spent(String, Language),
    /// The link leads nowhere.
    Nowhere,
}

/// What became of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    /// There is no such form.
    Unknown,
    Waits,
    Answered(Answer),
    /// It could not be handled; the moderator knows.
    Aside,
}

/// The answer to a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The acknowledgement as data, `check --json`; none where the answer is another letter.
    pub told: Option<String>,
    /// The answer in words.
    pub text: String,
}

/// Whether a game is played, as everybody may know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Standing {
    /// Not everybody has accepted their seat.
    Inviting,
    Running,
    /// The clock stands still.
    Paused,
    Ended,
}

/// Everything that a page needs of a seat: what its player may know, and nothing that is true beside it.
pub(crate) struct Seat {
    pub spot: Spot,
    pub game: SeatGame,
    pub civ: Civ,
    /// What the player knows.
    pub known: Known,
    /// What the player has ordered.
    pub sheet: Sheet,
    /// All seats as everybody may know them, in A.S.T.-ranking.
    pub seats: Vec<letters::Seat>,
    /// The last letter that told the player how the game stands, as HTML.
    pub report: Option<String>,
    /// The number of the last words that somebody wrote to the player.
    pub heard: i64,
    /// The names that players write.
    pub lexicon: Arc<Lexicon>,
    /// The words of the player's language.
    pub templates: Arc<Templates>,
    /// What is worked out of it when somebody asks, on their own thread.
    pub drawn: Drawn,
}

/// How the game of a seat stands.
pub(crate) struct SeatGame {
    pub title: String,
    /// Whether it is played.
    pub standing: Standing,
    pub awaited: Vec<Civ>,
    /// Until when, on the player's clock.
    pub cut_off: Option<Moment>,
    /// How often it went back.
    pub era: u32,
    /// Whether everybody may watch it.
    pub watched: bool,
}

/// What was worked out of a seat.
#[derive(Default)]
pub(crate) struct Drawn {
    revision: OnceLock<String>,
    pub(super) map: OnceLock<Drawing>,
}

/// The map of a seat.
pub(crate) struct Drawing {
    /// What it is called; another map has another name.
    pub name: String,
    pub svg: Bytes,
}

impl std::fmt::Debug for Seat {
    /// Nothing of a hand gets into a log by this.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seat").field("spot", &self.spot).finish_non_exhaustive()
    }
}

impl Seat {
    /// What tells this view of the seat from any other: the era, the turn and the phase, and a hash of what the player
    /// may know. It changes when that does, and at no other time, so nobody learns from it that another has written.
    pub(crate) fn revision(&self) -> &str {
        self.drawn.revision.get_or_init(|| {
            let seen = serde_json::to_vec(&(
                (&self.spot.game, &self.spot.seat, &self.game.title, self.game.standing),
                &*self.known,
                &self.sheet,
                (&self.seats, &self.game.awaited, &self.game.cut_off, &self.report, self.heard),
                (self.templates.language.code(), env!("CARGO_PKG_VERSION")),
            ))
            .expect("what is shown is data");
            let hash: String = Sha256::digest(seen).iter().take(10).map(|byte| format!("{byte:02x}")).collect();
            format!("{}.{}.{}.{hash}", self.game.era, self.known.turn(), self.known.phase().name())
        })
    }
}

/// The side of the window where the page asks. Cheap to clone.
#[derive(Clone)]
pub struct Window {
    asks: SyncSender<Ask>,
    board: Arc<Board>,
}

/// The side of the window where the desk answers.
pub(crate) struct Hatch {
    asks: Receiver<Ask>,
    board: Arc<Board>,
}

/// What both sides see: which games have changed.
pub(crate) struct Board {
    versions: Mutex<HashMap<GameId, u64>>,
    news: broadcast::Sender<Arc<str>>,
    knock: Mutex<Option<Box<dyn Fn() + Send>>>,
}

/// The desk does not answer: there is too much to do, or it has gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Busy;

/// A window with nobody at it yet.
pub(crate) fn window() -> (Window, Hatch) {
    let (sender, asks) = sync_channel(ROOM);
    let (news, _) = broadcast::channel(NEWS);
    let board = Arc::new(Board { versions: Mutex::default(), news, knock: Mutex::default() });
    (Window { asks: sender, board: Arc::clone(&board) }, Hatch { asks, board })
}

impl Window {
    /// Asks the desk, and waits for its answer.
    ///
    /// # Errors
    /// There are too many before us, or the desk has gone.
    pub(crate) async fn ask<T>(&self, ask: impl FnOnce(oneshot::Sender<T>) -> Ask) -> Result<T, Busy> {
        let (sender, answer) = oneshot::channel();
        self.asks.try_send(ask(sender)).map_err(|_| Busy)?;
        self.board.knock();
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(_)) | Err(_) => Err(Busy),
        }
    }

    /// Which games have changed.
    pub(crate) fn board(&self) -> &Board {
        &self.board
    }
}

impl Hatch {
    /// The next question, if anybody has one.
    pub(crate) fn next(&self) -> Option<Ask> {
        self.asks.try_recv().ok()
    }

    /// Which games have changed.
    pub(crate) fn board(&self) -> &Board {
        &self.board
    }
}

impl Board {
    /// How often a game has changed. What was told of it is good as long as this is the same.
    pub(crate) fn version(&self, game: &GameId) -> u64 {
        self.versions().get(game).copied().unwrap_or(0)
    }

    /// A game has changed; whoever listens hears of it.
    pub(crate) fn touch(&self, game: &GameId) {
        *self.versions().entry(game.clone()).or_default() += 1;
        // Nobody may be listening.
        let _ = self.news.send(game.as_str().into());
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<Arc<str>> {
        self.news.subscribe()
    }

    /// How the desk is woken when somebody asks.
    pub(crate) fn wake_by(&self, knock: impl Fn() + Send + 'static) {
        *self.knock.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(knock));
    }

    fn knock(&self) {
        if let Some(knock) = self.knock.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            knock();
        }
    }

    fn versions(&self) -> std::sync::MutexGuard<'_, HashMap<GameId, u64>> {
        self.versions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
