//! Games that everybody may watch, as their pages need them: what the public was told, and when.
//!
//! The page says what a thread in a forum would, and no more: who trades with whom, and when anybody writes, it does not
//! tell. So a trade shows the board that it began with, and who is awaited is looked at with each ruling and on the hour.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};

use crate::archive::{GameRecord, Party, Reason, RulingWithEvents, Status};
use crate::desk::clock::moment::moment;
use crate::desk::table::Agreed;
use crate::desk::{Desk, DeskError, Table};
use crate::game::{Event, GameId, Known, Phase, Reader, State, Witnessed};
use crate::report::page::{Ruled, Stamp, Watcher};
use crate::rules::Language;
use crate::web::public::{Ask, Listing, Shelf, Turn, Watched, WatchedWords};
use crate::web::window::Standing;

/// So many seconds who is awaited stays as it was seen.
const HELD: i64 = 3_600;

/// What was told of games.
#[derive(Default)]
pub(super) struct Watching(HashMap<GameId, (Seen, Arc<Watched>)>);

/// Whether each game may be seen by everybody, and the settings that say so: they are read once, and again when they are others.
#[derive(Default)]
pub(super) struct Shown(HashMap<GameId, (String, bool)>);

impl Shown {
    fn is(&mut self, game: &GameRecord) -> bool {
        match self.0.get(&game.id) {
            Some((settings, is_shown)) if *settings == game.settings => *is_shown,
            Some(_) | None => {
                let is_shown = serde_json::from_str::<Agreed>(&game.settings).is_ok_and(|agreed| agreed.public_page);
                self.0.insert(game.id.clone(), (game.settings.clone(), is_shown));
                is_shown
            }
        }
    }
}

/// What a view was made of. As long as it is the same, so is the view.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    around: Around,
    /// The number of the last event of the game.
    last_event: u64,
    /// How many rulings of its newest turn were told.
    told: (u16, usize),
}

/// What changes by what everybody is told anyway, and by the hour.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Around {
    era: u32,
    status: Status,
    cut_off: Option<DateTime<Utc>>,
    hour: i64,
}

impl Desk {
    /// Answers somebody who watches.
    pub(super) fn answer_public(&mut self, ask: Ask, now: DateTime<Utc>) -> Result<(), DeskError> {
        match ask {
            Ask::Games { answer } => {
                let games = self.shown_games()?;
                let games = games.into_iter().map(|game| self.listing(&game)).collect::<Result<Vec<_>, _>>()?;
                let _ = answer.send(Shelf { games, printed: Arc::clone(&self.house.edition.printed) });
            }
            Ask::Game { game, answer } => {
                let watched = if self.is_shown(&game)? { Some(self.watch(&game, now)?) } else { None };
                let _ = answer.send(watched);
            }
            Ask::Turn { game, era, turn, answer } => {
                let told = if self.is_shown(&game)? { self.watched_turn(&game, era, turn)? } else { None };
                let _ = answer.send(told.map(Arc::new));
            }
        }
        Ok(())
    }

    /// The games that everybody may see, the newest first.
    fn shown_games(&mut self) -> Result<Vec<GameRecord>, DeskError> {
        let mut games = self.archive.games()?;
        let Some(window) = &mut self.window else { return Ok(Vec::new()) };
        games.retain(|game| window.shown.is(game));
        games.sort_by_key(|game| std::cmp::Reverse(game.created_at));
        Ok(games)
    }

    /// Whether everybody may see a game. One that may not be seen takes as long as one that is not there: all are looked at.
    fn is_shown(&mut self, game: &GameId) -> Result<bool, DeskError> {
        Ok(self.shown_games()?.iter().filter(|shown| shown.id == *game).count() > 0)
    }

    fn listing(&mut self, game: &GameRecord) -> Result<Listing, DeskError> {
        let table = self.table(&game.id)?;
        Ok(Listing {
            game: game.id.clone(),
            title: game.title.clone(),
            standing: standing(table.game.status),
            turn: table.state.turn(),
            phase: table.state.phase(),
            players: table.state.ranking().count(),
        })
    }

    /// A game as everybody may see it now.
    fn watch(&mut self, game: &GameId, now: DateTime<Utc>) -> Result<Arc<Watched>, DeskError> {
        let table = self.table(game)?;
        let cut_off = table.game.hours.cut_off.filter(|cut_off| table.is_running() && *cut_off > now);
        let (era, status, hour) = (table.game.era, table.game.status, now.timestamp().div_euclid(HELD));
        let around = Around { era, status, cut_off, hour };
        let last_event = table.ruled.last_event;
        let before = self.window.as_ref().and_then(|window| window.watched.0.get(game)).cloned();
        if let Some((seen, watched)) = &before
            && (&seen.around, seen.last_event) == (&around, last_event)
        {
            return Ok(Arc::clone(watched));
        }
        let standings = self.standings(game)?;
        let table = self.table(game)?.clone();
        let known = self.told(&table, table.state.turn())?.known;
        let newest = self.told_lately(&table)?;
        let seen = Seen { around, last_event, told: (newest.number, newest.rulings.len()) };
        let watched = match before {
            // Something happened, and nobody was told of it.
            Some((before, watched)) if (&before.around, before.told) == (&seen.around, seen.told) => watched,
            Some(_) | None => {
                let zone = table.agreed.schedule.zone;
                let language = table.seat(Party::Public).map_or(self.house.settings.language, |seat| seat.language);
                Arc::new(Watched {
                    game: game.clone(),
                    title: table.game.title.clone(),
                    standing: standing(status),
                    words: WatchedWords {
                        language,
                        english: Arc::clone(table.edition.shared_templates(Language::English)),
                        polish: Arc::clone(table.edition.shared_templates(Language::Polish)),
                    },
                    known,
                    seats: watchers(&table),
                    awaited: if table.is_running() { table.owing() } else { Vec::new() },
                    cut_off: cut_off.map(|cut_off| Stamp { moment: moment(cut_off, zone), utc: utc(cut_off) }),
                    standings,
                    era,
                    newest,
                    names: Default::default(),
                })
            }
        };
        if let Some(window) = &mut self.window {
            window.watched.0.insert(game.clone(), (seen, Arc::clone(&watched)));
        }
        Ok(watched)
    }

    /// What was told of the newest turn of which anything was told.
    pub(super) fn told_lately(&self, table: &Table) -> Result<Turn, DeskError> {
        let newest = self.told(table, table.state.turn())?;
        if newest.rulings.is_empty() && table.state.turn() > 1 {
            return self.told(table, table.state.turn() - 1);
        }
        Ok(newest)
    }

    /// A turn that is over.
    fn watched_turn(&mut self, game: &GameId, era: u32, turn: u16) -> Result<Option<Turn>, DeskError> {
        let table = self.table(game)?.clone();
        let is_over = turn > 0 && (turn < table.state.turn() || table.state.has_ended() && turn == table.state.turn());
        if era != table.game.era || !is_over {
            return Ok(None);
        }
        Ok(Some(self.told(&table, turn)?))
    }

    /// What was told of a turn, made anew of what happened: a ruling belongs to the turn in which it began.
    fn told(&self, table: &Table, turn: u16) -> Result<Turn, DeskError> {
        // What began in the turn before may reach into this one.
        let (mut state, from) = table.state_before(&self.archive, turn.saturating_sub(1).max(1))?;
        let rulings = self.archive.rulings_until(&table.game.id, from, turn.saturating_add(1))?;
        let zone = table.agreed.schedule.zone;
        let is_over = table.state.turn() > turn;
        let mut told = Vec::new();
        let mut at_end = state.clone();
        for group in rulings.chunk_by(goes_on) {
            let Some(first) = group.first().filter(|first| first.turn <= turn) else { break };
            let before = state.clone();
            let mut events: Vec<Event> = Vec::new();
            for ruling in group {
                ruling.events.iter().for_each(|event| state.apply(event));
                events.extend(ruling.events.iter().cloned());
                if is_over && ruling.turn <= turn {
                    at_end = state.clone();
                }
            }
            if !is_told(first, &before, &state) {
                continue;
            }
            if !is_over {
                at_end = state.clone();
            }
            if first.turn == turn {
                let at = Stamp { moment: moment(first.ruled_at, zone), utc: utc(first.ruled_at) };
                told.push(Ruled { seen: Witnessed::of(&before, &events, Reader::Public), at });
            }
        }
        Ok(Turn { number: turn, known: Known::of(&at_end, Reader::Public), rulings: told })
    }
}

/// Whether a ruling followed another at once, so that both were told together.
fn goes_on(one: &RulingWithEvents, next: &RulingWithEvents) -> bool {
    next.reason == Reason::AtOnce.name() && one.ruled_at == next.ruled_at
}

/// Whether everybody was told of a ruling: of what is traded in an open trade only those hear whom it concerns.
fn is_told(first: &RulingWithEvents, before: &State, after: &State) -> bool {
    let goes_on = before.turn_phase() == after.turn_phase() && before.has_ended() == after.has_ended();
    let is_trade = first.phase == Phase::Trade && goes_on;
    !is_trade || ![Reason::Letter, Reason::AtOnce].map(Reason::name).contains(&first.reason.as_str())
}

/// The seats as a thread in a forum names them. A name that is an address is not said.
fn watchers(table: &Table) -> Vec<Watcher> {
    let watcher = |place: crate::report::letters::Seat| Watcher {
        accepted: table.seat(Party::Seat(place.civ)).is_some_and(|seat| seat.accepted),
        civ: place.civ,
        player: if place.player.contains('@') { String::new() } else { place.player },
        companion: place.companion,
    };
    table.places().into_iter().map(watcher).collect()
}

fn utc(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn standing(status: Status) -> Standing {
    match status {
        Status::Inviting => Standing::Inviting,
        Status::Running => Standing::Running,
        Status::Paused => Standing::Paused,
        Status::Ended => Standing::Ended,
    }
}
