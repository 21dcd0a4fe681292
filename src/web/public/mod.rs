//! Games that everybody may watch: their list, a page each, its map turn by turn and the picture of its preview.
//!
//! Comes in: requests of anybody, and what the desk tells of a game: what its public record has, and nothing else. Goes out:
//! pages that are the same for everybody, made once and kept. A game that may not be seen and a game that does not exist are
//! one: the desk does not say which, so nothing here could.

mod gallery;
mod told;

use std::sync::Arc;

use axum::Extension;
use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::http::header::HeaderValue;
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;

use super::entering::busy;
use super::hall::Hall;
use super::headers::SHARED_WITH;
use super::pages::Notice;
use super::window;
use crate::game::GameId;
use crate::report::map::png;
use crate::report::page::{self, Public, PublicLink, PublicPast};
use crate::rules::Language;

pub(crate) use gallery::Gallery;
use gallery::{Made, Work};
pub(crate) use told::{Ask, Listing, Shelf, Turn, Watched, WatchedWords};

/// What a page is asked with. Whatever cannot be read is as good as not written.
#[derive(Deserialize)]
pub(crate) struct Wish {
    turn: Option<String>,
    language: Option<String>,
}

impl Wish {
    fn language(&self) -> Option<Language> {
        self.language.as_deref().and_then(Language::coded)
    }
}

/// The games that may be seen.
pub(crate) async fn games(
    Extension(hall): Extension<Arc<Hall>>,
    Query(wish): Query<Wish>,
    headers: HeaderMap,
) -> Response {
    let Some(shelf) = ask(&hall, |answer| Ask::Games { answer }).await else { return busy(&hall, &headers) };
    let language = wish.language();
    let templates = match language {
        Some(language) => hall.words.of(language),
        None => hall.words.for_browser(&headers),
    };
    let listed: Vec<page::Listed> = shelf.games.iter().map(Listing::listed).collect();
    let list = page::games(templates, &listed, language, &shelf.printed);
    let mut response = Html(list).into_response();
    response.headers_mut().insert("cache-control", HeaderValue::from_static("no-cache"));
    response.headers_mut().insert("vary", HeaderValue::from_static("accept-language"));
    response
}

/// The page of a game: as it stands, or as it stood at the end of a turn.
pub(crate) async fn page(
    Extension(hall): Extension<Arc<Hall>>,
    Path(game): Path<String>,
    Query(wish): Query<Wish>,
    headers: HeaderMap,
) -> Response {
    let watched = match watched(&hall, &headers, &game).await {
        Ok(watched) => watched,
        Err(told) => return told,
    };
    let asked = wish.turn.as_deref().and_then(|turn| turn.parse().ok()).filter(|turn| watched.is_over(*turn));
    let wanted = wish.language();
    let language = wanted.unwrap_or(watched.words.language);
    let name = format!("page {} {asked:?} {wanted:?}", watched.revision());
    let turn = match asked {
        None => None,
        Some(number) => match turn(&hall, &watched, number).await {
            Some(turn) => Some((number, turn)),
            None => return busy(&hall, &headers),
        },
    };
    let address = hall.settings.url("");
    let language_of_links = wanted.filter(|wanted| *wanted != watched.words.language);
    let work = Work::new(&watched.game.clone(), &name, "text/html; charset=utf-8", move || {
        let templates = watched.words(language);
        let (number, shown) = match &turn {
            Some((number, turn)) => (*number, &**turn),
            None => (watched.newest.number, &watched.newest),
        };
        let record = page::record(templates, &watched.title, &shown.rulings);
        let public = Public {
            templates,
            game: watched.game.as_str(),
            title: &watched.title,
            now: &watched.known,
            standing: watched.standing.key(),
            seats: &watched.seats,
            awaited: &watched.awaited,
            cut_off: watched.cut_off.as_ref(),
            past: PublicPast {
                era: watched.era,
                standings: &watched.standings,
                then: turn.as_ref().map(|(number, turn)| (*number, &turn.known)),
            },
            record: (number, &record),
            link: PublicLink { address: &address, revision: watched.revision(), language: language_of_links },
        };
        Some(page::public(&public).into_bytes())
    });
    show(&hall, &headers, work).await
}

/// The map at the end of a turn, `2.7.svg` being the seventh of the second era; under any other name the present one.
pub(crate) async fn map(
    Extension(hall): Extension<Arc<Hall>>,
    Path((game, name)): Path<(String, String)>,
    Query(wish): Query<Wish>,
    headers: HeaderMap,
) -> Response {
    let watched = match watched(&hall, &headers, &game).await {
        Ok(watched) => watched,
        Err(told) => return told,
    };
    let language = wish.language().unwrap_or(watched.words.language);
    let Some(name) = name.strip_suffix(".svg") else { return Notice::NotFound.page(&hall.words, &headers) };
    let kind = "image/svg+xml";
    if name.starts_with("now-") {
        let made = format!("map {} {language:?}", watched.revision());
        let work = Work::new(&watched.game.clone(), &made, kind, move || {
            Some(page::map(&watched.known, language).into_bytes())
        });
        return show(&hall, &headers, work).await;
    }
    let numbers =
        name.split_once('.').and_then(|(era, turn)| Some((era.parse::<u32>().ok()?, turn.parse::<u16>().ok()?)));
    let Some((_, number)) = numbers.filter(|(era, turn)| *era == watched.era && watched.is_over(*turn)) else {
        return Notice::NotFound.page(&hall.words, &headers);
    };
    let Some(turn) = turn(&hall, &watched, number).await else { return busy(&hall, &headers) };
    let made = format!("map {}.{number} {language:?}", watched.era);
    let work = Work::new(&watched.game, &made, kind, move || Some(page::map(&turn.known, language).into_bytes()));
    show(&hall, &headers, work).await
}

/// The picture that a forum shows of the page.
pub(crate) async fn preview(
    Extension(hall): Extension<Arc<Hall>>,
    Path(game): Path<String>,
    Query(wish): Query<Wish>,
    headers: HeaderMap,
) -> Response {
    let watched = match watched(&hall, &headers, &game).await {
        Ok(watched) => watched,
        Err(told) => return told,
    };
    let language = wish.language().unwrap_or(watched.words.language);
    let name = format!("preview {} {language:?}", watched.board());
    let work = Work::new(&watched.game.clone(), &name, "image/png", move || {
        png(&page::preview(&watched.known, watched.words(language), &watched.title)).ok()
    });
    let mut response = show(&hall, &headers, work).await;
    response.headers_mut().insert(SHARED_WITH, HeaderValue::from_static("cross-origin"));
    response
}

/// A game as everybody may see it; or that there is no such page.
async fn watched(hall: &Hall, headers: &HeaderMap, game: &str) -> Result<Arc<Watched>, Response> {
    let game = GameId::from(game);
    match ask(hall, |answer| Ask::Game { game, answer }).await {
        None => Err(busy(hall, headers)),
        Some(None) => Err(Notice::NotFound.page(&hall.words, headers)),
        Some(Some(watched)) => Ok(watched),
    }
}

/// A turn that is over; none where the desk does not answer, or the game has gone back meanwhile.
async fn turn(hall: &Hall, watched: &Watched, number: u16) -> Option<Arc<Turn>> {
    let key = (watched.game.clone(), watched.era, number);
    if let Some(turn) = hall.gallery.turn(&key) {
        return Some(turn);
    }
    let (game, era) = (watched.game.clone(), watched.era);
    let told = ask(hall, |answer| Ask::Turn { game, era, turn: number, answer }).await??;
    hall.gallery.keep_turn(key, Arc::clone(&told));
    Some(told)
}

/// Asks the desk. Those who watch wait for each other before they crowd the players at the window.
async fn ask<T>(hall: &Hall, ask: impl FnOnce(tokio::sync::oneshot::Sender<T>) -> Ask) -> Option<T> {
    let _turn = hall.gallery.asking.acquire().await.ok()?;
    hall.window.ask(|answer| window::Ask::Public(ask(answer))).await.ok()
}

/// Shows what is kept, or makes it: one at a time, beside the previews of players and never in their place.
async fn show(hall: &Hall, headers: &HeaderMap, work: Work) -> Response {
    match hall.gallery.made(work).await {
        Some(made) => made.answer(headers),
        None => busy(hall, headers),
    }
}

impl Made {
    /// What a browser is told: all of it, or that it has that already.
    fn answer(&self, headers: &HeaderMap) -> Response {
        use axum::http::StatusCode;
        use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
        let known = headers.get(IF_NONE_MATCH).and_then(|tag| tag.to_str().ok()).unwrap_or_default();
        let has_it = known.split(',').any(|one| one.trim().trim_start_matches("W/") == self.tag);
        // A game may stop being shown: everybody asks again, and is told in a few bytes that nothing has changed.
        let facts = [(ETAG, self.tag.as_str()), (CACHE_CONTROL, "public, no-cache")];
        if has_it {
            return (StatusCode::NOT_MODIFIED, facts).into_response();
        }
        (facts, [(CONTENT_TYPE, self.kind)], self.bytes.clone()).into_response()
    }
}
