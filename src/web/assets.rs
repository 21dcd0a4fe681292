//! Style sheets, scripts and icons: built into the binary, the same for everybody, and kept by browsers for ever.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::report::page::assets;

/// What searchers may look at: pages that everybody may watch, which ask themselves not to be listed.
const ROBOTS: &str = "User-agent: *\nDisallow: /p/\nDisallow: /s/\nDisallow: /m\nDisallow: /enter\n";

/// What programs that look through the web are told.
pub(crate) async fn robots() -> Response {
    ([(CONTENT_TYPE, "text/plain; charset=utf-8"), (CACHE_CONTROL, "public, max-age=86400")], ROBOTS).into_response()
}

/// A file of this version. Another version has other addresses, so nobody mixes the two.
pub(crate) async fn file(Path((version, name)): Path<(String, String)>) -> Response {
    let Some(asset) = assets::find(&name).filter(|_| version == assets::version()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kept = "public, max-age=31536000, immutable";
    ([(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, kept)], asset.bytes).into_response()
}
