//! The page of a seat, its data and its map; and what would follow from lines that are being written.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;
use axum::extract::{Path, Query};
use axum::http::header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};

use super::cookies::Secret;
use super::entering::{busy, path};
use super::hall::Hall;
use super::pages::Notice;
use super::sending;
use super::window::{Ask, Fate, Look, OwnSeat, Seat, Spot};
use crate::orders::{Bearings, Lens, is_trial, read_reply};
use crate::report::ReadLetter;
use crate::report::page::{self, SeatLink, Small, Tried};

/// A browser at a seat that it has.
pub(crate) struct Visit {
    pub secret: Secret,
    pub look: Look,
}

/// What the page itself may be asked with.
#[derive(Deserialize)]
pub(crate) struct Shown {
    /// The form whose answer is to be shown.
    sent: Option<String>,
}

/// Lines that are being written.
#[derive(Deserialize)]
pub(crate) struct Trial {
    lines: String,
}

/// What would follow from them, and on which view of the seat that was worked out.
#[derive(Serialize)]
struct Preview<'a> {
    revision: &'a str,
    #[serde(flatten)]
    tried: Tried,
}

/// The browser's seat; or what it is told where it has none.
///
/// # Errors
/// What it is told.
pub(crate) async fn visit(hall: &Hall, headers: &HeaderMap, spot: &Spot) -> Result<Visit, Response> {
    let nobody = || Notice::NoDevice.page(&hall.words, headers);
    let secret = Secret::shown(headers, hall.secure).ok_or_else(nobody)?;
    match hall.look(secret.browser(), spot).await {
        Ok(Some(look)) => Ok(Visit { secret, look }),
        Ok(None) => Err(nobody()),
        Err(_) => Err(busy(hall, headers)),
    }
}

/// The same for what changes something, or makes work: the page's token is wanted too.
///
/// # Errors
/// What it is told.
pub(crate) async fn visit_with(hall: &Hall, headers: &HeaderMap, spot: &Spot, token: &str) -> Result<Visit, Response> {
    let visit = visit(hall, headers, spot).await?;
    if !visit.secret.is_token(token) {
        return Err(StatusCode::FORBIDDEN.into_response());
    }
    if !hall.previews.allows(&visit.secret.browser(), Instant::now()) {
        return Err(Notice::TooOften.page(&hall.words, headers));
    }
    Ok(visit)
}

/// The token in the header that scripts send.
pub(crate) fn token(headers: &HeaderMap) -> &str {
    headers.get("x-cursus-token").and_then(|token| token.to_str().ok()).unwrap_or_default()
}

/// The seats of this browser in all games, side by side.
pub(crate) async fn all(Extension(hall): Extension<Arc<Hall>>, headers: HeaderMap) -> Response {
    let nobody = || Notice::NoDevice.page(&hall.words, &headers);
    let Some(secret) = Secret::shown(&headers, hall.secure) else { return nobody() };
    let Ok(places) = hall.window.ask(|answer| Ask::Seats { browser: secret.browser(), answer }).await else {
        return busy(&hall, &headers);
    };
    if places.is_empty() {
        return nobody();
    }
    let link =
        |place: &OwnSeat| SeatLink { address: path(&place.spot), title: place.title.clone(), civ: place.civ.clone() };
    let links: Vec<SeatLink> = places.iter().map(link).collect();
    Html(page::small(hall.words.for_browser(&headers), Small::Seats(&links))).into_response()
}

pub(crate) async fn page(
    Extension(hall): Extension<Arc<Hall>>,
    Path(spot): Path<Spot>,
    Query(shown): Query<Shown>,
    headers: HeaderMap,
) -> Response {
    let visit = match visit(&hall, &headers, &spot).await {
        Ok(visit) => visit,
        Err(told) => return told,
    };
    let browser = visit.secret.browser();
    let fate = match shown.sent.filter(|id| sending::is_id(id)) {
        None => None,
        Some(form) => match hall.window.ask(|answer| Ask::Told { browser, spot, form, answer }).await {
            Err(_) => return busy(&hall, &headers),
            Ok(fate) => fate,
        },
    };
    let Some(mark) = sending::fresh_id() else { return busy(&hall, &headers) };
    let drawn = think(&hall, visit.look.seat, move |seat| {
        let answer = fate.as_ref().and_then(|fate| match fate {
            Fate::Answered(answer) => Some(answer.text.as_str()),
            Fate::Unknown | Fate::Waits | Fate::Aside => None,
        });
        page::html(&seat.view(page::Visit { token: &visit.secret.token(), mark: &mark, answer }))
    });
    match drawn.await {
        Some(page) => Html(page).into_response(),
        None => busy(&hall, &headers),
    }
}

/// The data of the page. A browser that has it already is told so.
pub(crate) async fn data(
    Extension(hall): Extension<Arc<Hall>>,
    Path(spot): Path<Spot>,
    headers: HeaderMap,
) -> Response {
    let visit = match visit(&hall, &headers, &spot).await {
        Ok(visit) => visit,
        Err(told) => return told,
    };
    let known = headers.get(IF_NONE_MATCH).and_then(|tag| tag.to_str().ok()).map(str::to_owned);
    let drawn = think(&hall, visit.look.seat, move |seat| {
        let tag = format!("\"{}\"", seat.revision());
        let is_known =
            known.is_some_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag));
        let data = (!is_known).then(|| {
            let token = visit.secret.token();
            let visit = page::Visit { token: &token, mark: "", answer: None };
            serde_json::to_vec(&page::data(&seat.view(visit)))
        });
        (tag, data)
    });
    match drawn.await {
        None => busy(&hall, &headers),
        Some((tag, None)) => (StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response(),
        Some((tag, Some(Ok(data)))) => {
            ([(ETAG, tag), (CONTENT_TYPE, "application/json".to_owned())], data).into_response()
        }
        Some((_, Some(Err(_)))) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The map of this name. What it is called now is said by the data, and it is asked for once as long as the page is open.
pub(crate) async fn map(
    Extension(hall): Extension<Arc<Hall>>,
    Path((game, seat, name)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Response {
    let spot = Spot { game: game.into(), seat };
    let visit = match visit(&hall, &headers, &spot).await {
        Ok(visit) => visit,
        Err(told) => return told,
    };
    let drawn = think(&hall, visit.look.seat, move |seat| {
        let map = seat.map();
        (name.strip_suffix(".svg") == Some(&map.name)).then(|| map.svg.clone())
    });
    match drawn.await {
        None => busy(&hall, &headers),
        Some(None) => Notice::NotFound.page(&hall.words, &headers),
        Some(Some(svg)) => ([(CONTENT_TYPE, "image/svg+xml")], svg).into_response(),
    }
}

/// What would follow from lines, if nobody else did anything: a letter that only tries. Nothing is stored, and the desk
/// hears nothing of it.
pub(crate) async fn attempt(
    Extension(hall): Extension<Arc<Hall>>,
    Path(spot): Path<Spot>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let visit = match visit_with(&hall, &headers, &spot, token(&headers)).await {
        Ok(visit) => visit,
        Err(told) => return told,
    };
    let Ok(trial) = serde_json::from_slice::<Trial>(&body) else { return StatusCode::BAD_REQUEST.into_response() };
    let worked_out = think(&hall, visit.look.seat, move |seat| {
        let (revision, tried) = (seat.revision(), tried(seat, &trial.lines));
        Json(Preview { revision, tried }).into_response()
    });
    worked_out.await.unwrap_or_else(|| busy(&hall, &headers))
}

/// A letter that only tries, on what this seat knows and has on its sheet.
fn tried(seat: &Seat, lines: &str) -> Tried {
    let players = seat.seats.iter().map(|seat| (seat.player.clone(), seat.civ)).collect();
    let bearings = Bearings::of(&seat.known, seat.civ).with_players(players);
    let lens = Lens { lexicon: &seat.lexicon, bearings: Some(&bearings) };
    let letter = read_reply(lines, lens, seat.sheet.doubts());
    let mut sheet = seat.sheet.clone();
    let arrival = u64::MAX;
    let answers = sheet.add(&letter, seat.known.phase(), arrival);
    let answered = ReadLetter {
        known: &seat.known,
        history: &|_| None,
        civ: seat.civ,
        letter: &letter,
        answers: &answers,
        before: &seat.sheet,
        sheet: &sheet,
        arrival,
        is_trial: is_trial(&letter),
        around: &[],
    };
    page::tried(&seat.templates, &answered)
}

/// Works something out on a thread that nobody else waits for; none where it came to grief. So many at a time: whoever
/// writes a letter is not to wait for somebody who only tries.
pub(crate) async fn think<T: Send + 'static>(
    hall: &Hall,
    seat: Arc<Seat>,
    work: impl FnOnce(&Seat) -> T + Send + 'static,
) -> Option<T> {
    let _turn = hall.thinking.acquire().await.ok()?;
    tokio::task::spawn_blocking(move || work(&seat)).await.ok()
}
