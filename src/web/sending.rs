//! What a browser sends is a letter: it is brought to the desk, remembered there before anything acts on it, and what the
//! browser gets back is its answer. The same letter sent again gets the same answer.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::Path;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::time::Instant;

use super::entering::{busy, path, to};
use super::hall::Hall;
use super::pages::Notice;
use super::seats::{token, visit, visit_with};
use super::window::{Ask, Browser, Fate, Spot};
use crate::post::writing::PageForm;

/// So long the answer is waited for before the browser is told to ask for it.
const SOON: Duration = Duration::from_secs(5);
/// So often it is asked for when nobody says that something has changed.
const LOOK: Duration = Duration::from_millis(250);
/// The longest id that a browser may make.
const LONGEST_ID: usize = 64;

/// What a browser sends: with a script as JSON, and without as a form.
#[derive(Deserialize)]
pub(crate) struct Sent {
    id: String,
    lines: String,
    #[serde(default)]
    revision: String,
    #[serde(default)]
    token: String,
}

/// What it is told.
#[derive(Serialize)]
struct Told<'a> {
    id: &'a str,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    told: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// A letter is sent.
pub(crate) async fn send(
    Extension(hall): Extension<Arc<Hall>>,
    Path(spot): Path<Spot>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let has_script = kind.starts_with("application/json");
    let read = if has_script {
        serde_json::from_slice::<Sent>(&body).ok()
    } else {
        serde_urlencoded::from_bytes::<Sent>(&body).ok()
    };
    let Some(sent) = read.filter(|sent| is_id(&sent.id)) else { return StatusCode::BAD_REQUEST.into_response() };
    let shown = if has_script { token(&headers) } else { &sent.token };
    let visit = match visit_with(&hall, &headers, &spot, shown).await {
        Ok(visit) => visit,
        Err(told) => return told,
    };
    let browser = visit.secret.browser();
    // Browsers end lines of a form as mail does.
    let form = PageForm {
        id: sent.id.clone(),
        game: spot.game.to_string(),
        seat: spot.seat.clone(),
        lines: sent.lines.replace("\r\n", "\n"),
        seen: Some(sent.revision).filter(|seen| !seen.is_empty()),
        deputy: false,
        answers: None,
    };
    match hall.window.ask(|answer| Ask::Bring { browser, form, answer }).await {
        Err(_) => return busy(&hall, &headers),
        Ok(false) => return StatusCode::FORBIDDEN.into_response(),
        Ok(true) => {}
    }
    let fate = match soon(&hall, browser, &spot, &sent.id).await {
        Some(fate) => fate,
        // The letter may have asked that this browser be forgotten.
        None => {
            return super::seats::visit(&hall, &headers, &spot).await.err().unwrap_or_else(|| busy(&hall, &headers));
        }
    };
    if has_script { tell(&sent.id, &fate) } else { to(&format!("{}?sent={}", path(&spot), sent.id)) }
}

/// What became of a letter that was sent.
pub(crate) async fn sent(
    Extension(hall): Extension<Arc<Hall>>,
    Path((game, seat, id)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Response {
    let spot = Spot { game: game.into(), seat };
    let visit = match visit(&hall, &headers, &spot).await {
        Ok(visit) => visit,
        Err(told) => return told,
    };
    if !is_id(&id) {
        return StatusCode::NOT_FOUND.into_response();
    }
    match soon(&hall, visit.secret.browser(), &spot, &id).await {
        Some(fate) => tell(&id, &fate),
        None => busy(&hall, &headers),
    }
}

/// The browser gives the seat back.
pub(crate) async fn leave(
    Extension(hall): Extension<Arc<Hall>>,
    Path(spot): Path<Spot>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    #[derive(Deserialize)]
    struct Leaving {
        #[serde(default)]
        token: String,
    }
    let typed = serde_urlencoded::from_bytes::<Leaving>(&body).map(|leaving| leaving.token).unwrap_or_default();
    let shown = if typed.is_empty() { token(&headers) } else { &typed };
    let visit = match visit_with(&hall, &headers, &spot, shown).await {
        Ok(visit) => visit,
        Err(told) => return told,
    };
    let browser = visit.secret.browser();
    if hall.window.ask(|answer| Ask::Leave { browser, spot, answer }).await.is_err() {
        return busy(&hall, &headers);
    }
    Notice::Left.page(&hall.words, &headers)
}

/// The fate of a letter as soon as it has one, or after a while as it is; none where the desk does not answer.
pub(crate) async fn soon(hall: &Hall, browser: Browser, spot: &Spot, id: &str) -> Option<Fate> {
    let deadline = Instant::now() + SOON;
    let mut news = hall.window.board().listen();
    loop {
        let (spot, form) = (spot.clone(), id.to_owned());
        let fate = hall.window.ask(|answer| Ask::Told { browser, spot, form, answer }).await.ok()??;
        if fate != Fate::Waits || Instant::now() >= deadline {
            return Some(fate);
        }
        // Whatever has changed anywhere, and however much of it was missed, it is time to look again.
        let _ = tokio::time::timeout(LOOK, news.recv()).await;
    }
}

fn tell(id: &str, fate: &Fate) -> Response {
    let (status, state) = match fate {
        Fate::Unknown => (StatusCode::NOT_FOUND, "unknown"),
        Fate::Waits => (StatusCode::ACCEPTED, "waiting"),
        Fate::Answered(_) => (StatusCode::OK, "handled"),
        Fate::Aside => (StatusCode::OK, "aside"),
    };
    let answer = match fate {
        Fate::Answered(answer) => Some(answer),
        Fate::Unknown | Fate::Waits | Fate::Aside => None,
    };
    let told = answer.and_then(|answer| RawValue::from_string(answer.told.clone()?).ok());
    (status, Json(Told { id, state, told, text: answer.map(|answer| answer.text.as_str()) })).into_response()
}

/// Whether a browser may call a letter so.
pub(crate) fn is_id(id: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !id.is_empty() && id.len() <= LONGEST_ID && id.chars().all(is_plain)
}

/// An id for a form that no script fills in; none where the system has no randomness.
pub(crate) fn fresh_id() -> Option<String> {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
