//! What every answer says to a browser, and what every request is asked before anybody looks at it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::Extension;
use axum::extract::{ConnectInfo, Request};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::callers::Caller;
use super::hall::Hall;
use super::pages::Notice;

/// Nothing but what we serve ourselves: no word of a player becomes a script, and no page asks anybody else for anything.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const PLAIN: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=()"),
    (HeaderName::from_static("x-robots-tag"), "noindex, nofollow"),
];

/// Whose pages may show what we serve.
pub(crate) const SHARED_WITH: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Says in every answer what browsers may do with it.
pub(crate) async fn tell(Extension(hall): Extension<Arc<Hall>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in PLAIN {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // The picture of a public page may stand in a forum; everything else is for our own pages.
    headers.entry(SHARED_WITH).or_insert(HeaderValue::from_static("same-origin"));
    // What is a seat's is kept by nobody on the way.
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if hall.secure {
        headers.insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    response
}

/// Turns away who calls us by another name, who calls too often, and what another site's page sends.
pub(crate) async fn admit(
    Extension(hall): Extension<Arc<Hall>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    // By its own name only: another site's name may be made to lead to us.
    if !host.eq_ignore_ascii_case(hall.settings.host()) {
        return StatusCode::MISDIRECTED_REQUEST.into_response();
    }
    let caller = Caller::of(peer, headers, &hall.settings.proxies);
    if !hall.requests.allows(&caller.0, Instant::now()) {
        return Notice::TooOften.page(&hall.words, headers);
    }
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    let is_foreign = site.is_some_and(|site| !["same-origin", "none"].contains(&site));
    if is_foreign && ![Method::GET, Method::HEAD].contains(request.method()) {
        return StatusCode::FORBIDDEN.into_response();
    }
    request.extensions_mut().insert(caller);
    next.run(request).await
}
