//! A site on the web: asked politely, answered within bounds.
//!
//! Comes in: requests. Goes out: [`Answer`]s, or a [`Failure`] that says whose trouble it is. No request takes longer than
//! half a minute, no answer has more than 8 MB, nothing follows a redirection to another host, and what is not sealed goes
//! to this machine only. Failures repeat neither secrets nor what somebody wrote.

use std::io::Read;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use reqwest::blocking::{Client, RequestBuilder};
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Method, Url};
use rustls::ClientConfig;
use serde_json::Value;

use crate::post::carrier::Trouble;
use crate::post::trust::trust;

/// The largest answer that is read.
const LARGEST: u64 = 8 * 1024 * 1024;
/// How long a server may take to answer the door.
const KNOCK: Duration = Duration::from_secs(10);
/// How long a request may take altogether.
const REQUEST: Duration = Duration::from_secs(30);
/// A server that asks us to wait no longer than this is waited for.
const SHORT_WAIT: Duration = Duration::from_secs(15);
/// The longest sentence of a forum that is passed on.
const SENTENCE: usize = 160;

pub(super) struct Site {
    client: Client,
    base: String,
    bucket: Bucket,
}

/// What a site answered.
pub(super) struct Answer {
    /// The status, which is no failure.
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

/// Why there is no answer that we can use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// It may work later.
    Passing(String),
    /// There was no answer, and so nobody knows whether the site has done what we asked.
    Unanswered(String),
    /// We asked too often, and the site wants us to wait for so long.
    Busy(Duration),
    /// The site knows us and does not let us, or does not know us (401, 403); its own sentence.
    Denied(String),
    /// It does not take our key or password; its own sentence.
    Barred(String),
    /// What we asked for is not there.
    Gone,
    /// The site refuses this request for good; its own sentence.
    Refused(String),
}

impl Failure {
    pub(super) fn passing(says: &str) -> Self {
        Failure::Passing(says.to_owned())
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Passing(says) | Failure::Unanswered(says) => Trouble::Passing(says),
            Failure::Busy(wait) => {
                Trouble::Passing(format!("the forum wants us to wait for {} seconds", wait.as_secs()))
            }
            Failure::Denied(says) => Trouble::Passing(format!(
                "the forum does not let our user do this; look at its key or password and its permissions{}",
                quoted(&says)
            )),
            Failure::Barred(says) => {
                Trouble::Barred(format!("the forum does not take our key or password{}", quoted(&says)))
            }
            Failure::Gone => Trouble::Lasting("there is no such thread, post or user in the forum".to_owned()),
            Failure::Refused(says) => Trouble::Lasting(format!("the forum refuses this post{}", quoted(&says))),
        }
    }
}

impl Failure {
    /// The same where we only ask who we are: whoever is not let in there has a key or a password that is not taken.
    pub(super) fn of_identity(self) -> Failure {
        match self {
            Failure::Denied(says) => Failure::Barred(says),
            other => other,
        }
    }
}

fn quoted(says: &str) -> String {
    if says.is_empty() { String::new() } else { format!(" (it says: {says})") }
}

impl Site {
    /// A site at this address, asked so many times at once and so many times a minute.
    pub(super) fn open(
        url: &str,
        root_certificate: Option<&Path>,
        burst: u32,
        per_minute: u32,
    ) -> Result<Self, Trouble> {
        let base = url.trim_end_matches('/').to_owned();
        verified(&base)?;
        let client = client(root_certificate)?;
        Ok(Self { client, base, bucket: Bucket::new(burst, per_minute) })
    }

    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// A request to this path.
    pub(super) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    /// Asks. Where the site wants us to wait a little, we wait and ask once more.
    pub(super) fn ask(&self, request: RequestBuilder) -> Result<Answer, Failure> {
        let again = request.try_clone();
        match self.ask_once(request) {
            Err(Failure::Busy(wait)) if wait <= SHORT_WAIT => {
                thread::sleep(wait + Duration::from_millis(100));
                again.map_or(Err(Failure::Busy(wait)), |request| self.ask_once(request))
            }
            asked => asked,
        }
    }

    fn ask_once(&self, request: RequestBuilder) -> Result<Answer, Failure> {
        self.bucket.take();
        ask(request)
    }
}

impl Answer {
    /// The body as JSON; nothing at all where it is empty.
    pub(super) fn json(&self) -> Result<Value, Failure> {
        if self.body.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&self.body)
            .map_err(|_| Failure::passing("the forum answers what is no forum's answer; is its address right?"))
    }

    pub(super) fn now(&self) -> DateTime<Utc> {
        let date = self.headers.get(DATE).and_then(|date| date.to_str().ok());
        let date = date.and_then(|date| DateTime::parse_from_rfc2822(date).ok());
        date.map_or_else(Utc::now, |date| date.with_timezone(&Utc))
    }

    /// A header, where it is there.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        self.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
    }
}

/// A client that trusts whom we trust.
pub(crate) fn client(root_certificate: Option<&Path>) -> Result<Client, Trouble> {
    let config: ClientConfig = trust(root_certificate)?.as_ref().clone();
    let stays_here = Policy::custom(|attempt| {
        let from = attempt.previous().first();
        let is_here = from.is_some_and(|from| from.origin() == attempt.url().origin());
        if is_here && attempt.previous().len() <= 5 { attempt.follow() } else { attempt.stop() }
    });
    Client::builder()
        .tls_backend_preconfigured(config)
        .redirect(stays_here)
        .no_proxy()
        .connect_timeout(KNOCK)
        .timeout(REQUEST)
        .pool_idle_timeout(Duration::from_secs(30))
        .user_agent(concat!("Cursus/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|_| Trouble::Lasting("no client of HTTP can be made".to_owned()))
}

/// Whether an address may be used at all: sealed, or on this machine.
pub(crate) fn verified(url: &str) -> Result<(), Trouble> {
    let url = Url::parse(url).map_err(|_| Trouble::Lasting("url is no address of a site".to_owned()))?;
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let is_here = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Trouble::Lasting("url has a name or password in it, where no secret may stand".to_owned()));
    }
    match url.scheme() {
        "https" => Ok(()),
        "http" if is_here => Ok(()),
        "http" => Err(Trouble::Lasting("http:// is only for a forum on this machine; take https://".to_owned())),
        _ => Err(Trouble::Lasting("url is no address of a site".to_owned())),
    }
}

/// Asks, and reads the answer within bounds.
pub(super) fn ask(request: RequestBuilder) -> Result<Answer, Failure> {
    let answer = request.send().map_err(|error| broken(&error))?;
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    let mut body = Vec::new();
    answer.take(LARGEST + 1).read_to_end(&mut body).map_err(|_| Failure::passing("the forum's answer breaks off"))?;
    if body.len() as u64 > LARGEST {
        return Err(Failure::passing("the forum's answer is larger than 8 MB"));
    }
    let answer = Answer { status, headers, body };
    match status {
        200..=299 | 304 => Ok(answer),
        300..=399 => Err(Failure::passing("the forum sends us to another address; is its address right?")),
        429 => Err(Failure::Busy(answer.wait())),
        502 | 504 => Err(Failure::Unanswered(format!("nobody has an answer of the forum (status {status})"))),
        408 | 425 | 500.. => Err(Failure::Passing(format!("the forum is in trouble itself (status {status})"))),
        // A page for people comes from something before the forum, or from another site.
        _ if answer.json().is_err() => Err(Failure::Passing(format!(
            "the forum answers what is no forum's answer (status {status}); is its address right?"
        ))),
        401 | 403 => Err(Failure::Denied(answer.sentence())),
        404 | 410 => Err(Failure::Gone),
        _ => Err(Failure::Refused(answer.sentence())),
    }
}

impl Answer {
    /// How long the site wants us to wait.
    fn wait(&self) -> Duration {
        let header = self.headers.get(RETRY_AFTER).and_then(|wait| wait.to_str().ok());
        let header = header.and_then(|wait| wait.trim().parse::<u64>().ok());
        let body = || self.json().ok()?["extras"]["wait_seconds"].as_f64().map(|wait| wait.ceil() as u64);
        Duration::from_secs(header.or_else(body).unwrap_or(30).clamp(1, 24 * 3600))
    }

    /// The first sentence of what a forum says of a refusal.
    fn sentence(&self) -> String {
        self.json().ok().as_ref().and_then(first_text).map(|text| plain_sentence(&text)).unwrap_or_default()
    }
}

/// The first text in an answer that says what is wrong: `errors` and `detail` before everything else.
fn first_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()).filter(|text| !text.trim().is_empty()),
        Value::Array(values) => values.iter().find_map(first_text),
        Value::Object(fields) => {
            let told = ["errors", "detail", "message"].iter().find_map(|name| fields.get(*name).and_then(first_text));
            told.or_else(|| fields.values().find_map(first_text))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// The first sentence, without what stands in quotation marks or behind a colon, where somebody's words or name would be.
fn plain_sentence(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let line = line.split_inclusive(['.', '!', '?', ':']).next().unwrap_or_default().trim_end_matches(':');
    let mut is_quoted = false;
    let mut plain = String::new();
    for character in line.chars().take(SENTENCE) {
        match character {
            '"' | '“' | '”' | '„' | '«' | '»' => {
                is_quoted = !is_quoted;
                plain.push(if is_quoted { '“' } else { '”' });
            }
            _ if is_quoted || character.is_control() => {}
            _ => plain.push(character),
        }
    }
    plain.replace("“”", "…").trim().to_owned()
}

fn broken(error: &reqwest::Error) -> Failure {
    if error.is_connect() {
        Failure::passing("the forum cannot be reached")
    } else if error.is_timeout() {
        Failure::Unanswered("the forum does not answer in time".to_owned())
    } else {
        Failure::Unanswered("the connection to the forum breaks off".to_owned())
    }
}

/// A bucket of tokens: so many requests at once, and so many a minute.
struct Bucket {
    most: f64,
    per_second: f64,
    state: Mutex<(f64, Instant)>,
}

impl Bucket {
    fn new(burst: u32, per_minute: u32) -> Self {
        let most = f64::from(burst);
        Self { most, per_second: f64::from(per_minute) / 60.0, state: Mutex::new((most, Instant::now())) }
    }

    /// Takes a token; waits for it if need be. Whoever comes later waits behind.
    fn take(&self) {
        let wait = self.reserve(Instant::now());
        if !wait.is_zero() {
            thread::sleep(wait);
        }
    }

    fn reserve(&self, now: Instant) -> Duration {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (tokens, since) = *state;
        let tokens =
            (tokens + now.saturating_duration_since(since).as_secs_f64() * self.per_second).min(self.most) - 1.0;
        *state = (tokens, now.max(since));
        if tokens >= 0.0 { Duration::ZERO } else { Duration::from_secs_f64(-tokens / self.per_second) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_spoken_to_in_the_open() {
        for url in ["https://forum.example.org", "http://127.0.0.1:8000", "http://localhost", "http://[::1]:80"] {
            assert_eq!(verified(url), Ok(()), "{url}");
        }
        for url in ["http://forum.example.org", "ftp://127.0.0.1", "forum", "https://a:b@forum.example.org", ""] {
            assert!(matches!(verified(url), Err(Trouble::Lasting(_))), "{url}");
        }
    }

    #[test]
    fn a_refusal_is_told_without_anybodys_words() {
        let says =
            |text: &str| plain_sentence(&first_text(&serde_json::from_str(text).expect("JSON")).expect("a text"));
        assert_eq!(
            says(r#"{"errors": ["Body is too short (minimum is 20 characters)"]}"#),
            "Body is too short (minimum is 20 characters)"
        );
        assert_eq!(
            says(r#"{"to": ["One or more users could not be found: ania"]}"#),
            "One or more users could not be found"
        );
        assert_eq!(says(r#"{"detail": "You can't \"attack Thera\" here. Ever."}"#), "You can't … here.");
    }

    #[test]
    fn the_bucket_lets_a_burst_through_and_then_so_many_a_minute() {
        let bucket = Bucket::new(2, 60);
        let now = Instant::now();
        assert_eq!((bucket.reserve(now), bucket.reserve(now)), (Duration::ZERO, Duration::ZERO));
        assert_eq!((bucket.reserve(now).as_millis(), bucket.reserve(now).as_millis()), (1000, 2000));
        assert_eq!(bucket.reserve(now + Duration::from_secs(60)), Duration::ZERO, "it fills again");
    }
}
