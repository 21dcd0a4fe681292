//! What a seat has behind it: its letters, the map of any turn, curves, words of others; and the rules and the guide.

use std::sync::Arc;

use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};

use super::entering::busy;
use super::hall::Hall;
use super::pages::Notice;
use super::seats::{think, visit};
use super::window::{Ask, Spot};
use crate::report::page::{self, Behind};

/// Letters, curves and words.
pub(crate) async fn past(
    Extension(hall): Extension<Arc<Hall>>,
    Path(spot): Path<Spot>,
    headers: HeaderMap,
) -> Response {
    let visit = match visit(&hall, &headers, &spot).await {
        Ok(visit) => visit,
        Err(told) => return told,
    };
    let browser = visit.secret.browser();
    let past = match hall.window.ask(|answer| Ask::Past { browser, spot, answer }).await {
        Err(_) => return busy(&hall, &headers),
        Ok(None) => return Notice::NoDevice.page(&hall.words, &headers),
        Ok(Some(past)) => past,
    };
    let told = think(&hall, visit.look.seat, move |seat| {
        let behind = Behind {
            known: &seat.known,
            civ: seat.civ,
            templates: &seat.templates,
            era: past.era,
            letters: &past.letters,
            words: &past.words,
            standings: &past.standings,
        };
        Json(page::past(&behind)).into_response()
    });
    told.await.unwrap_or_else(|| busy(&hall, &headers))
}

/// The map at the end of a turn: `2.7.svg` is the seventh of the second era. It never changes.
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
    let numbers = name.strip_suffix(".svg").and_then(|name| name.split_once('.'));
    let Some((Ok(era), Ok(turn))) = numbers.map(|(era, turn)| (era.parse::<u32>(), turn.parse::<u16>())) else {
        return Notice::NotFound.page(&hall.words, &headers);
    };
    let browser = visit.secret.browser();
    let known = match hall.window.ask(|answer| Ask::Then { browser, spot, era, turn, answer }).await {
        Err(_) => return busy(&hall, &headers),
        Ok(None) => return Notice::NotFound.page(&hall.words, &headers),
        Ok(Some(known)) => known,
    };
    let drawn = think(&hall, visit.look.seat, move |seat| page::map(&known, seat.templates.language));
    match drawn.await {
        None => busy(&hall, &headers),
        Some(svg) => ([(CONTENT_TYPE, "image/svg+xml")], svg).into_response(),
    }
}

/// An old letter, as HTML that stands inside a page.
pub(crate) async fn letter(
    Extension(hall): Extension<Arc<Hall>>,
    Path((game, seat, number)): Path<(String, String, i64)>,
    headers: HeaderMap,
) -> Response {
    let spot = Spot { game: game.into(), seat };
    let visit = match visit(&hall, &headers, &spot).await {
        Ok(visit) => visit,
        Err(told) => return told,
    };
    let browser = visit.secret.browser();
    match hall.window.ask(|answer| Ask::Letter { browser, spot, number, answer }).await {
        Err(_) => busy(&hall, &headers),
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Ok(Some((html, text))) => {
            let kind = "text/html; charset=utf-8";
            ([(CONTENT_TYPE, kind)], page::letter(html.as_deref(), &text)).into_response()
        }
    }
}

/// The rules and the guide, in the language of the seat.
pub(crate) async fn book(
    Extension(hall): Extension<Arc<Hall>>,
    Path(spot): Path<Spot>,
    headers: HeaderMap,
) -> Response {
    let visit = match visit(&hall, &headers, &spot).await {
        Ok(visit) => visit,
        Err(told) => return told,
    };
    let written =
        think(&hall, visit.look.seat, |seat| Json(page::book(&seat.templates, seat.known.printed())).into_response());
    written.await.unwrap_or_else(|| busy(&hall, &headers))
}
