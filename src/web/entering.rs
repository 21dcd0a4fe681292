//! How a browser becomes known: a link names the seat and opens nothing; a code that was sent to the player opens it.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::Path;
use axum::http::header::{LOCATION, SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use axum::{Extension, Form};
use serde::Deserialize;

use super::callers::Caller;
use super::cookies::{Cookie, Secret, Stays, is_plain};
use super::hall::Hall;
use super::pages::Notice;
use super::window::{Ask, Coded, Confirmed, Followed, MODERATOR, Spot};
use crate::report::page::{self, Small};
use crate::rules::Language;

/// The longest link and the longest name of a browser that we look at.
const LONGEST_LINK: usize = 120;
const LONGEST_NAME: usize = 300;
/// The longest code that anybody types, with spaces.
const LONGEST_CODE: usize = 40;

/// What the two buttons send.
#[derive(Deserialize)]
pub(crate) struct Typed {
    #[serde(default)]
    token: String,
    #[serde(default)]
    code: String,
}

/// Follows a link: whoever it is for, and whether it is good, the answer is the same. The browser keeps the link for a
/// while, where neither a history nor a referrer shows it; nothing else happens, for machines follow links too.
pub(crate) async fn follow(
    Extension(hall): Extension<Arc<Hall>>,
    Path(link): Path<String>,
    headers: HeaderMap,
) -> Response {
    let link = if link.len() <= LONGEST_LINK && is_plain(&link) { link } else { "broken".to_owned() };
    let mut response = to("/enter");
    response.headers_mut().append(SET_COOKIE, Cookie::Link.set(&link, Stays::Short, hall.secure));
    if Secret::shown(&headers, hall.secure).is_none() {
        let Some(secret) = Secret::new() else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
        response.headers_mut().append(SET_COOKIE, Cookie::Device.set(secret.text(), Stays::Short, hall.secure));
    }
    response
}

/// The page with the button, for a browser that has followed a link. Who is known is led on.
pub(crate) async fn enter(Extension(hall): Extension<Arc<Hall>>, headers: HeaderMap) -> Response {
    let Some((link, secret)) = followed(&hall, &headers) else { return Notice::NoDevice.page(&hall.words, &headers) };
    let browser = secret.browser();
    match hall.window.ask(|answer| Ask::Follow { link, browser, answer }).await {
        Err(_) => busy(&hall, &headers),
        Ok(Followed::Nowhere) => Notice::Gone.page(&hall.words, &headers),
        Ok(Followed::Known(spot)) => to(&path(&spot)),
        Ok(Followed::Opens(spot)) => open(&hall, &secret, &spot),
        Ok(Followed::Asks(title, language)) => door(&hall, StatusCode::OK, &secret, (&title, language), false, None),
    }
}

/// The button: a code is sent to whoever the link is for.
pub(crate) async fn ask_for_code(
    Extension(hall): Extension<Arc<Hall>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Form(typed): Form<Typed>,
) -> Response {
    let Some((link, secret)) = followed(&hall, &headers) else { return Notice::NoDevice.page(&hall.words, &headers) };
    if !secret.is_token(&typed.token) {
        return StatusCode::FORBIDDEN.into_response();
    }
    if !hall.codes.allows(&caller.0, Instant::now()) {
        return Notice::TooOften.page(&hall.words, &headers);
    }
    let name = headers.get(USER_AGENT).and_then(|name| name.to_str().ok()).unwrap_or_default();
    let name: String = name.chars().take(LONGEST_NAME).collect();
    let browser = secret.browser();
    match hall.window.ask(|answer| Ask::SendCode { link, browser, name, answer }).await {
        Err(_) => busy(&hall, &headers),
        Ok(Coded::Nowhere) => Notice::Gone.page(&hall.words, &headers),
        Ok(Coded::Sent(title, language)) => door(&hall, StatusCode::OK, &secret, (&title, language), true, None),
        Ok(Coded::TooMany(title, language)) => {
            let status = StatusCode::TOO_MANY_REQUESTS;
            door(&hall, status, &secret, (&title, language), false, Some("too_many_codes"))
        }
    }
}

/// A code was typed.
pub(crate) async fn confirm(
    Extension(hall): Extension<Arc<Hall>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Form(typed): Form<Typed>,
) -> Response {
    let Some((link, secret)) = followed(&hall, &headers) else { return Notice::NoDevice.page(&hall.words, &headers) };
    if !secret.is_token(&typed.token) {
        return StatusCode::FORBIDDEN.into_response();
    }
    if !hall.codes.allows(&caller.0, Instant::now()) {
        return Notice::TooOften.page(&hall.words, &headers);
    }
    let code: String = typed.code.chars().take(LONGEST_CODE).collect();
    let browser = secret.browser();
    match hall.window.ask(|answer| Ask::Confirm { link, browser, code, answer }).await {
        Err(_) => busy(&hall, &headers),
        Ok(Confirmed::Nowhere) => Notice::Gone.page(&hall.words, &headers),
        Ok(Confirmed::Yes(spot)) => open(&hall, &secret, &spot),
        Ok(Confirmed::Wrong(title, language)) => {
            door(&hall, StatusCode::FORBIDDEN, &secret, (&title, language), true, Some("wrong_code"))
        }
        Ok(Confirmed::Spent(title, language)) => {
            door(&hall, StatusCode::FORBIDDEN, &secret, (&title, language), false, Some("no_more_tries"))
        }
    }
}

/// The page with the button and the field.
fn door(
    hall: &Hall,
    status: StatusCode,
    secret: &Secret,
    (game, language): (&str, Language),
    asked: bool,
    trouble: Option<&str>,
) -> Response {
    let page = Small::Enter { game, token: &secret.token(), asked, trouble };
    (status, Html(page::small(hall.words.of(language), page))).into_response()
}

/// There is no such page.
pub(crate) async fn nothing(Extension(hall): Extension<Arc<Hall>>, headers: HeaderMap) -> Response {
    Notice::NotFound.page(&hall.words, &headers)
}

/// The link that was followed and the secret of the browser.
fn followed(hall: &Hall, headers: &HeaderMap) -> Option<(String, Secret)> {
    Some((Cookie::Link.read(headers, hall.secure)?, Secret::shown(headers, hall.secure)?))
}

/// Leads a browser that is known from now on to its seat, and lets it forget the link.
fn open(hall: &Hall, secret: &Secret, spot: &Spot) -> Response {
    let mut response = to(&path(spot));
    let headers = response.headers_mut();
    headers.append(SET_COOKIE, Cookie::Device.set(secret.text(), Stays::Long, hall.secure));
    headers.append(SET_COOKIE, Cookie::Link.set("none", Stays::Gone, hall.secure));
    response
}

/// The address of a seat's page.
pub(crate) fn path(spot: &Spot) -> String {
    match spot.seat.as_str() {
        MODERATOR => format!("/m/{}", spot.game),
        seat => format!("/s/{}/{seat}", spot.game),
    }
}

/// Leads a browser elsewhere, by GET.
pub(crate) fn to(path: &str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, path)]).into_response()
}

/// The desk does not answer now.
pub(crate) fn busy(hall: &Hall, headers: &HeaderMap) -> Response {
    Notice::Trouble.page(&hall.words, headers)
}
