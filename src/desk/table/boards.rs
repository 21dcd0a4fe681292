//! The boards of the trade: who is told what of it, and when.
//!
//! What is addressed to somebody, and a trade of their own, is told at once; all the rest waits for the next board, at
//! most one in the time that its reader has asked for. What was shown to whom stands with the seats, so that whatever
//! is not shown yet is found again after a restart, and nothing is shown twice.

use chrono::{DateTime, Duration, Utc};

use crate::archive::{DispatchKind, Party};
use crate::desk::table::Table;
use crate::desk::table::sitting::Sitting;
use crate::desk::table::timing::USUAL_PACE;
use crate::game::trade::Offer;
use crate::game::{Event, Known, Phase, Reader, State, Told, Witnessed, told};
use crate::report::letters::Content;
use crate::report::market::{self, Shown};
use crate::rules::Civ;

/// So long before the cut-off the last board leaves at the latest; where there is less time, a quarter of it.
const LAST_BOARD: Duration = Duration::hours(3);

/// So long after a board another that is addressed to its reader waits, so that a flood of offers is one letter.
const JOINED: Duration = Duration::minutes(10);

/// Tells everybody at once what of the trade is addressed to them, but for what follows close upon a board: that waits
/// a little for more of its kind. Trades of their own are always told. `own` is how many of the events the writer of the
/// letter has read of in its answer.
pub(crate) fn tell(sitting: &mut Sitting, writer: Civ, before: &State, own: usize, events: &[Event]) {
    for civ in sitting.people() {
        let each = pace(&sitting.table, civ).is_zero() && is_waiting(&sitting.table, civ);
        let mut state = before.clone();
        let (mut concerns, mut trades) = (false, false);
        let is_close = last_at_once(&sitting.table, civ).is_some_and(|at| !each && sitting.now < at + JOINED);
        for (number, event) in events.iter().enumerate() {
            let is_news = civ != writer || number >= own;
            concerns |= is_news && (is_addressed(&state, event, civ) || each && is_public_news(event, civ));
            trades |= is_news && matches!(event, Event::TradeMade { .. }) && is_addressed(&state, event, civ);
            state.apply(event);
        }
        if concerns && (trades || !is_close) {
            let seen = Witnessed::of(before, events, Reader::Player(civ));
            sitting.write_about_phase(Party::Seat(civ), DispatchKind::Board, &Content::Board { seen: &seen });
            note_at_once(sitting, Party::Seat(civ));
        }
    }
}

/// A board has left out of turn.
fn note_at_once(sitting: &mut Sitting, party: Party) {
    if let Some((_, shown)) = sitting.table.seat_mut(party).and_then(|seat| seat.board.as_mut()) {
        shown.at_once = true;
        sitting.write_seat(party);
    }
}

/// Sends the boards that are due.
pub(crate) fn send(sitting: &mut Sitting) {
    let due: Vec<Civ> = waiting(&sitting.table).filter(|(_, due)| *due <= sitting.now).map(|(civ, _)| civ).collect();
    for civ in due {
        let known = Known::of(&sitting.table.state, Reader::Player(civ));
        let seen = Witnessed::nothing(known);
        sitting.write_about_phase(Party::Seat(civ), DispatchKind::Board, &Content::Board { seen: &seen });
    }
}

/// When the next board is to leave; none while nobody waits for one.
pub(crate) fn next(table: &Table) -> Option<DateTime<Utc>> {
    waiting(table).map(|(_, due)| due).min()
}

/// Somebody was shown the board as it is now.
pub(crate) fn note_shown(sitting: &mut Sitting, party: Party) {
    let Some(civ) = party.civ().filter(|_| sitting.table.state.phase() == Phase::Trade) else { return };
    let known = Known::of(&sitting.table.state, Reader::Player(civ));
    let shown = (sitting.now, Shown::now(&known, sitting.table.game.era));
    if let Some(seat) = sitting.table.seat_mut(party) {
        seat.board = Some(shown);
        sitting.write_seat(party);
    }
}

/// What of the open board somebody was shown last.
pub(crate) fn shown(table: &Table, party: Party) -> Option<&Shown> {
    let is_open = |shown: &&Shown| {
        let (era, turn) = (table.game.era, table.state.turn());
        table.state.phase() == Phase::Trade && (shown.era, shown.turn) == (era, turn)
    };
    table.seat(party)?.board.as_ref().map(|(_, shown)| shown).filter(is_open)
}

/// Who waits for a board that says something new, and when it is to leave.
fn waiting(table: &Table) -> impl Iterator<Item = (Civ, DateTime<Utc>)> {
    let is_open = table.is_running() && table.state.phase() == Phase::Trade;
    let people: Vec<Civ> = if is_open { table.people().map(|(civ, _)| civ).collect() } else { Vec::new() };
    people.into_iter().filter(|civ| is_waiting(table, *civ)).filter_map(|civ| {
        let party = Party::Seat(civ);
        let known = Known::of(&table.state, Reader::Player(civ));
        let nothing = Shown { era: table.game.era, turn: table.state.turn(), ..Shown::default() };
        let shown = shown(table, party);
        let is_news = market::is_news(&known, shown.unwrap_or(&nothing));
        let opened = table.game.hours.opened?;
        let last = last_board(table, civ).unwrap_or(opened);
        let pace = if is_offered(&known, shown) { JOINED.min(pace(table, civ)) } else { pace(table, civ) };
        is_news.then(|| due(opened, last, pace, table.game.hours.cut_off)).flatten().map(|due| (civ, due))
    })
}

/// When somebody was last shown the open board.
fn last_board(table: &Table, civ: Civ) -> Option<DateTime<Utc>> {
    let party = Party::Seat(civ);
    shown(table, party).and_then(|_| table.seat(party)?.board.as_ref()).map(|(at, _)| *at)
}

/// When somebody was last shown it out of turn, if nothing was shown since.
fn last_at_once(table: &Table, civ: Civ) -> Option<DateTime<Utc>> {
    shown(table, Party::Seat(civ)).filter(|shown| shown.at_once).and_then(|_| last_board(table, civ))
}

/// Whether something was offered to a player alone that the player was not shown.
fn is_offered(known: &Known, shown: Option<&Shown>) -> bool {
    let last = shown.map_or(0, |shown| shown.last);
    let is_mine = |offer: &&Offer| known.civ().is_some_and(|civ| offer.to.named().contains(&civ));
    known.progress().offers.iter().filter(is_mine).any(|offer| offer.open && offer.number > last)
}

/// When a board is due behind the last one: after the reader's own time, and once more in time before the cut-off.
fn due(
    opened: DateTime<Utc>,
    last: DateTime<Utc>,
    pace: Duration,
    cut_off: Option<DateTime<Utc>>,
) -> Option<DateTime<Utc>> {
    let Some(cut_off) = cut_off else { return Some(last + pace) };
    let in_time = cut_off - LAST_BOARD.min((cut_off - opened) / 4);
    [last + pace, in_time].into_iter().filter(|time| *time > last && *time < cut_off).min()
}

/// Whether somebody may still answer what stands on the board.
fn is_waiting(table: &Table, civ: Civ) -> bool {
    Phase::Trade.rules().awaits(&table.state).iter().any(|awaited| awaited.civ == civ)
}

/// How much time somebody wants between two boards.
fn pace(table: &Table, civ: Civ) -> Duration {
    let hours = table.seat(Party::Seat(civ)).and_then(|seat| seat.news);
    Duration::hours(hours.unwrap_or(USUAL_PACE).into())
}

/// What concerns a player alone: what is offered to the player or answered to them, and trades of their own.
fn is_addressed(state: &State, event: &Event, civ: Civ) -> bool {
    let is_told = told(state, event, Reader::Player(civ)) != Told::Nothing;
    let of = |number: &u16| state.progress().offers.iter().find(|offer| offer.number == *number);
    match event {
        Event::OfferMade { to, .. } => is_told && to.named().contains(&civ),
        Event::TradeMade { from, to, .. } => [from, to].contains(&&civ),
        Event::OfferDeclined { number, .. } => is_told && of(number).is_some_and(|offer| offer.from == civ),
        Event::OfferWithdrawn { number } | Event::OfferVoided { number } => {
            is_told && of(number).is_some_and(|offer| offer.to.named() == [civ])
        }
        _ => false,
    }
}

/// What everybody may like to hear.
fn is_public_news(event: &Event, civ: Civ) -> bool {
    match event {
        Event::OfferMade { from, to, .. } => to.named().is_empty() && *from != civ,
        Event::NoticePosted { civ: by, .. } => *by != civ,
        Event::TradeMade { .. } => true,
        _ => false,
    }
}
