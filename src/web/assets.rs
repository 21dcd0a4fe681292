//! Style sheets, scripts and icons: built into the binary, the same for everybody, and kept by browsers for ever.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// A file of this version. Another version has other addresses, so nobody mixes the two.
pub async fn file(Path((_version, name)): Path<(String, String)>) -> Response {
    let found: Option<(&str, &[u8])> = (name == "page.css").then_some(("text/css; charset=utf-8", b"body{font-family:sans-serif}".as_slice()));
    let Some((kind, bytes)) = found else { return StatusCode::NOT_FOUND.into_response() };
    let kept = "public, max-age=31536000, immutable";
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, kept)], bytes).into_response()
}
