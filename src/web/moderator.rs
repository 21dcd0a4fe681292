//! The moderator's page: the games of a moderator, what is to be done in them, and commands that are letters like any other.
//! Each is shown before it is done, by the desk itself.

use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Path, Query};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::cookies::Secret;
use super::entering::{busy, to};
use super::hall::Hall;
use super::pages::Notice;
use super::sending::{self, is_id, soon};
use super::window::{Ask, Fate, MODERATOR, Moderated, Spot};
use crate::post::writing::PageForm;
use crate::report::page;

/// The answer that is to be shown.
#[derive(Deserialize)]
pub(crate) struct Shown {
    sent: Option<String>,
}

/// What the buttons send: a line in pieces, and what proves where it comes from.
#[derive(Default)]
struct Typed {
    id: String,
    token: String,
    /// The form whose answer is agreed to.
    answers: Option<String>,
    line: String,
}

impl Typed {
    /// A form in its bytes; the pieces of its line stand in their sequence.
    fn read(body: &[u8]) -> Option<Typed> {
        let mut typed = Typed::default();
        for (name, value) in serde_urlencoded::from_bytes::<Vec<(String, String)>>(body).ok()? {
            match name.as_str() {
                "id" => typed.id = value,
                "token" => typed.token = value,
                "answers" => typed.answers = Some(value),
                "p" => typed.line.push_str(&value),
                _ => {}
            }
        }
        // Browsers end lines of a form as mail does.
        typed.line = typed.line.replace("\r\n", "\n").trim().to_owned();
        let are_ids = is_id(&typed.id) && typed.answers.as_deref().is_none_or(is_id);
        are_ids.then_some(typed)
    }

    /// The same form with another line is another: a browser that goes back shows it with its old id.
    fn id(&self) -> String {
        let said = Sha256::new().chain_update(self.answers.as_deref().unwrap_or_default()).chain_update([0]);
        let hash = said.chain_update(&self.line).finalize();
        let short: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        let head: String = self.id.chars().take(48).collect();
        format!("{head}-{short}")
    }
}

fn spot(game: &str) -> Spot {
    Spot { game: game.into(), seat: MODERATOR.to_owned() }
}

/// The browser of a moderator, and the game as its page sees it.
///
/// # Errors
/// What the browser is told.
async fn visit(hall: &Hall, headers: &HeaderMap, game: &str) -> Result<(Secret, Box<Moderated>), Response> {
    let nobody = || Notice::NoDevice.page(&hall.words, headers);
    let secret = Secret::shown(headers, hall.secure).ok_or_else(nobody)?;
    let (browser, game) = (secret.browser(), game.into());
    match hall.window.ask(|answer| Ask::Moderated { browser, game, answer }).await {
        Ok(Some(moderated)) => Ok((secret, moderated)),
        Ok(None) => Err(nobody()),
        Err(_) => Err(busy(hall, headers)),
    }
}

/// The same for what changes something: the page's token is wanted too.
///
/// # Errors
/// What the browser is told.
async fn visit_with(hall: &Hall, headers: &HeaderMap, game: &str, token: &str) -> Result<Secret, Response> {
    let (secret, _) = visit(hall, headers, game).await?;
    if !secret.is_token(token) {
        return Err(StatusCode::FORBIDDEN.into_response());
    }
    if !hall.previews.allows(&secret.browser(), Instant::now()) {
        return Err(Notice::TooOften.page(&hall.words, headers));
    }
    Ok(secret)
}

/// All games that this browser moderates.
pub(crate) async fn all(Extension(hall): Extension<Arc<Hall>>, headers: HeaderMap) -> Response {
    let nobody = || Notice::NoDevice.page(&hall.words, &headers);
    let Some(secret) = Secret::shown(&headers, hall.secure) else { return nobody() };
    let browser = secret.browser();
    let Ok(games) = hall.window.ask(|answer| Ask::Moderates { browser, answer }).await else {
        return busy(&hall, &headers);
    };
    let Some((templates, _)) = games.first() else { return nobody() };
    let templates = Arc::clone(templates);
    let games: Vec<page::Overview> = games.into_iter().map(|(_, game)| game).collect();
    Html(page::overview(&templates, &games)).into_response()
}

/// The page of a game.
pub(crate) async fn page(
    Extension(hall): Extension<Arc<Hall>>,
    Path(game): Path<String>,
    Query(shown): Query<Shown>,
    headers: HeaderMap,
) -> Response {
    let (secret, moderated) = match visit(&hall, &headers, &game).await {
        Ok(visit) => visit,
        Err(told) => return told,
    };
    let sent = shown.sent.filter(|id| is_id(id));
    let fate = match sent.clone() {
        None => None,
        Some(form) => {
            let (browser, spot) = (secret.browser(), spot(&game));
            match hall.window.ask(|answer| Ask::Told { browser, spot, form, answer }).await {
                Err(_) => return busy(&hall, &headers),
                Ok(fate) => fate,
            }
        }
    };
    let Some(mark) = sending::fresh_id() else { return busy(&hall, &headers) };
    let drawn = tokio::task::spawn_blocking(move || {
        let Moderated { templates, game, pasted } = *moderated;
        let record = pasted.map(|(board, words, told)| {
            let entries = page::record(&words, &game.title, &told);
            page::Pasted { board, entries }
        });
        let answer = fate.as_ref().map(|fate| match fate {
            Fate::Unknown => page::Shown::Unknown,
            Fate::Waits => page::Shown::Waits,
            Fate::Aside => page::Shown::Aside,
            Fate::Answered(answer) => page::Shown::Answered { told: answer.told.as_deref(), text: &answer.text },
        });
        let form = sent.as_deref().unwrap_or_default();
        page::moderated(&templates, &game, record.as_ref(), &secret.token(), &mark, answer.map(|shown| (form, shown)))
    });
    match drawn.await {
        Ok(page) => Html(page).into_response(),
        Err(_) => busy(&hall, &headers),
    }
}

/// A command is sent, or agreed to.
pub(crate) async fn send(
    Extension(hall): Extension<Arc<Hall>>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(typed) = Typed::read(&body) else { return StatusCode::BAD_REQUEST.into_response() };
    let secret = match visit_with(&hall, &headers, &game, &typed.token).await {
        Ok(secret) => secret,
        Err(told) => return told,
    };
    if typed.line.is_empty() {
        return to(&format!("/m/{game}"));
    }
    let (browser, id, spot) = (secret.browser(), typed.id(), spot(&game));
    let form = PageForm {
        id: id.clone(),
        game: spot.game.to_string(),
        seat: spot.seat.clone(),
        lines: typed.line,
        seen: None,
        deputy: false,
        answers: typed.answers,
    };
    match hall.window.ask(|answer| Ask::Bring { browser, form, answer }).await {
        Err(_) => return busy(&hall, &headers),
        Ok(false) => return Notice::NoDevice.page(&hall.words, &headers),
        Ok(true) => {}
    }
    match soon(&hall, browser, &spot, &id).await {
        Some(_) => to(&format!("/m/{}?sent={id}", spot.game)),
        // The moderator may have let this browser be forgotten.
        None => to(&format!("/m/{}", spot.game)),
    }
}

/// The browser gives a game back.
pub(crate) async fn leave(
    Extension(hall): Extension<Arc<Hall>>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    #[derive(Deserialize)]
    struct Leaving {
        #[serde(default)]
        token: String,
    }
    let token = serde_urlencoded::from_bytes::<Leaving>(&body).map(|leaving| leaving.token).unwrap_or_default();
    let secret = match visit_with(&hall, &headers, &game, &token).await {
        Ok(secret) => secret,
        Err(told) => return told,
    };
    let (browser, spot) = (secret.browser(), spot(&game));
    if hall.window.ask(|answer| Ask::Leave { browser, spot, answer }).await.is_err() {
        return busy(&hall, &headers);
    }
    Notice::Left.page(&hall.words, &headers)
}
