//! News without reloading: a stream that says when what a seat may see has changed.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;

use super::hall::Hall;
use super::limits::Held;
use super::seats::{think, visit};
use super::window::{Browser, Seat, Spot};
use crate::game::Phase;
use crate::report::page;

/// So long after a word the next one waits: changes that follow each other closely are told once, and the first at once.
const TOGETHER: Duration = Duration::from_millis(200);
/// So often a word is said, so that nobody on the way takes the line for dead.
const STILL_HERE: Duration = Duration::from_secs(20);
/// So long before its connection ends a stream ends itself; browsers come again by themselves.
const BEFORE_THE_END: Duration = Duration::from_secs(5);

struct Listener {
    hall: Arc<Hall>,
    browser: Browser,
    spot: Spot,
    /// What was told last.
    revision: String,
    news: Receiver<Arc<str>>,
    /// Before this nothing more is looked for.
    rests: Instant,
    until: Instant,
    /// One of the places that the browser has.
    _place: Held<Browser>,
}

/// The news of a seat.
pub(crate) async fn events(
    Extension(hall): Extension<Arc<Hall>>,
    Path(spot): Path<Spot>,
    headers: HeaderMap,
) -> Response {
    // Who listens before the player looks misses nothing.
    let news = hall.window.board().listen();
    let visit = match visit(&hall, &headers, &spot).await {
        Ok(visit) => visit,
        Err(told) => return told,
    };
    let browser = visit.secret.browser();
    let Some(place) = hall.streams.take(&browser) else { return StatusCode::TOO_MANY_REQUESTS.into_response() };
    let Some(revision) = think(&hall, visit.look.seat, |seat| seat.revision().to_owned()).await else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let until = Instant::now() + hall.settings.limits.life.saturating_sub(BEFORE_THE_END);
    let first = news_of(&revision, None);
    let listener = Listener { hall, browser, spot, revision, news, rests: Instant::now(), until, _place: place };
    // The first word tells what is seen now: whoever was away for a while compares.
    let stream = stream::unfold((Some(first), listener), |(first, mut listener)| async move {
        let event = match first {
            Some(first) => first,
            None => listener.next().await?,
        };
        Some((Ok::<Event, Infallible>(event), (None, listener)))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(STILL_HERE)).into_response()
}

impl Listener {
    /// The next news; none when the stream ends.
    async fn next(&mut self) -> Option<Event> {
        let mut ends = self.hall.ends.clone();
        loop {
            let heard = tokio::select! {
                heard = self.news.recv() => heard,
                _ = ends.wait_for(|ends| *ends) => return None,
                () = tokio::time::sleep_until(self.until) => return None,
            };
            match heard {
                Ok(game) if *game != *self.spot.game.as_str() => continue,
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
            tokio::time::sleep_until(self.rests).await;
            self.rests = Instant::now() + TOGETHER;
            // What else has changed meanwhile is seen now.
            while let Ok(_) | Err(tokio::sync::broadcast::error::TryRecvError::Lagged(_)) = self.news.try_recv() {}
            match self.hall.look(self.browser, &self.spot).await {
                // The desk has much to do; the browser looks for itself.
                Err(_) => return Some(Event::default().event("reload").data("{}")),
                Ok(None) => return None,
                Ok(Some(look)) => {
                    let before = self.revision.clone();
                    let told = think(&self.hall, look.seat, move |seat| {
                        (seat.revision() != before).then(|| (seat.revision().to_owned(), board(seat)))
                    });
                    if let Some((revision, board)) = told.await? {
                        let event = news_of(&revision, board.as_deref());
                        self.revision = revision;
                        return Some(event);
                    }
                }
            }
        }
    }
}

fn news_of(revision: &str, board: Option<&str>) -> Event {
    let board = board.map(|board| format!(",\"market\":{board}")).unwrap_or_default();
    Event::default().event("news").data(format!("{{\"revision\":\"{revision}\"{board}}}"))
}

/// The board of a trade goes with its news: whoever trades waits for nothing else.
fn board(seat: &Seat) -> Option<String> {
    let market = (seat.known.phase() == Phase::Trade).then(|| page::market(&seat.templates, &seat.known, seat.civ));
    market.and_then(|market| serde_json::to_string(&market).ok())
}
