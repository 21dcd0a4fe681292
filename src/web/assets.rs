//! Style sheets, scripts and icons: built into the binary, the same for everybody, and kept by browsers for ever.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use crate::report::page::assets;

/// A file of this version. Another version has other addresses, so nobody mixes the two.
pub(crate) async fn file(Path((version, name)): Path<(String, String)>) -> Response {
    let Some(asset) = assets::find(&name).filter(|_| version == assets::version()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kept = "public, max-age=31536000, immutable";
    ([(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, kept)], asset.bytes).into_response()
}
