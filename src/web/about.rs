//! What the server says of itself to whoever looks after it: that it is there, and how it is called. Nothing of a game.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::http::HeaderMap;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::stream;
use serde::{Deserialize, Serialize};

use super::callers::{FORWARDED, is_among};
use super::hall::Hall;

/// So many words a stream of trial has, and so much time lies between them.
const WORDS: u32 = 3;
const BETWEEN: Duration = Duration::from_millis(500);

/// What the server says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct About {
    pub cursus: String,
    /// How it was called.
    pub called: Called,
}

/// How the server is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Called {
    /// By a browser itself.
    Directly,
    /// By a proxy of ours that says for whom.
    ByProxy,
    /// By a proxy of ours that does not say for whom: everybody is counted as one.
    BySilentProxy,
    /// By a proxy that the settings do not name: what it says is not believed, and everybody is counted as one.
    ByUnknownProxy,
}

/// Tells how it is called.
pub(crate) async fn about(
    Extension(hall): Extension<Arc<Hall>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Response {
    let called = match (is_among(&hall.settings.proxies, peer.ip()), headers.contains_key(FORWARDED)) {
        (true, true) => Called::ByProxy,
        (true, false) => Called::BySilentProxy,
        (false, true) => Called::ByUnknownProxy,
        (false, false) => Called::Directly,
    };
    Json(About { cursus: env!("CARGO_PKG_VERSION").to_owned(), called }).into_response()
}

/// A stream of trial: whoever hears all of it at once has somebody in between who holds news back.
pub(crate) async fn trial_stream() -> Response {
    let words = stream::unfold(0, |said| async move {
        if said >= WORDS {
            return None;
        }
        if said > 0 {
            tokio::time::sleep(BETWEEN).await;
        }
        Some((Ok::<_, Infallible>(Event::default().data(said.to_string())), said + 1))
    });
    Sse::new(words).into_response()
}
