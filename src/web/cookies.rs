//! Cookies: two of them, and neither can be read by a script or leaves by an open line.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use sha2::{Digest, Sha256};

use super::window::Browser;

/// So long a browser is known, in seconds: 400 days, which is the most that browsers keep.
const LONG: u64 = 400 * 24 * 60 * 60;
/// So long a link is remembered while a code is waited for.
const SHORT: u64 = 30 * 60;
/// Longer cookies are not ours.
const LONGEST: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// The secret of the browser.
    Device,
    /// The link that was followed.
    Link,
}

impl Cookie {
    /// Its name. A browser takes one that begins with `__Host-` only by HTTPS, and from nobody but us.
    fn name(self, secure: bool) -> &'static str {
        match (self, secure) {
            (Cookie::Device, true) => "__Host-cursus-device",
            (Cookie::Device, false) => "cursus-device",
            (Cookie::Link, true) => "__Host-cursus-link",
            (Cookie::Link, false) => "cursus-link",
        }
    }

    /// What a browser says it is.
    pub(crate) fn read(self, headers: &HeaderMap, secure: bool) -> Option<String> {
        let name = self.name(secure);
        let pairs =
            headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|all| all.split(';'));
        let values = pairs.filter_map(|pair| pair.trim().split_once('='));
        let value = values.filter(|(key, _)| *key == name).map(|(_, value)| value).next()?;
        (value.len() <= LONGEST && is_plain(value)).then(|| value.to_owned())
    }

    /// Tells a browser what it is.
    pub(crate) fn set(self, value: &str, stays: Stays, secure: bool) -> HeaderValue {
        let age = match stays {
            Stays::Long => LONG,
            Stays::Short => SHORT,
            Stays::Gone => 0,
        };
        let secured = if secure { "; Secure" } else { "" };
        let name = self.name(secure);
        let text = format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secured}");
        HeaderValue::from_str(&text).expect("names and values of ours are plain")
    }
}

/// How long a browser is to keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stays {
    Long,
    /// It may become known.
    Short,
    Gone,
}

/// What may stand in a cookie or a link of ours.
pub(crate) fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-')
}

/// The secret of a browser: 64 digits that nobody can guess.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    /// A new one; none where the system has no randomness.
    pub(crate) fn new() -> Option<Secret> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).ok()?;
        Some(Secret(hex(&bytes)))
    }

    /// The one that a browser shows.
    pub(crate) fn shown(headers: &HeaderMap, secure: bool) -> Option<Secret> {
        let shown = Cookie::Device.read(headers, secure)?;
        (shown.len() == 64 && shown.chars().all(|c| c.is_ascii_hexdigit())).then_some(Secret(shown))
    }

    /// As the cookie has it.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// As it is written down: whoever reads that cannot come back from it.
    pub(crate) fn browser(&self) -> Browser {
        Sha256::new().chain_update("cursus browser ").chain_update(&self.0).finalize().into()
    }

    /// What a page of ours shows to prove that it was made for this browser.
    pub(crate) fn token(&self) -> String {
        hex(&Sha256::new().chain_update("cursus token ").chain_update(&self.0).finalize()[..16])
    }

    /// Whether somebody shows that; how long it takes to see says nothing.
    pub(crate) fn is_token(&self, shown: &str) -> bool {
        let own = self.token();
        own.len() == shown.len() && own.bytes().zip(shown.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
