//! Consent: how somebody lets us into a mailbox with a browser. By a code that is typed into any browser (RFC 8628), or by
//! a browser that comes back to this machine (RFC 8252, with PKCE).

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use reqwest::Url;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::tokens::{Answer, Tokens, UNKNOWN_PROGRAM, unknown_program, word};
use crate::post::carrier::Trouble;

/// How long somebody has for it.
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// What a browser says first is no longer.
const LARGEST: u64 = 16 * 1024;
/// So many lines are listened to at once.
const MOST_LINES: usize = 16;
/// A browser may take so long to say it.
const REQUEST: Duration = Duration::from_secs(5);

/// A code that somebody types into any browser.
pub(crate) struct Code {
    /// The address that is opened.
    pub url: String,
    /// What is typed there.
    pub code: String,
    device: String,
    interval: Duration,
    ends: Instant,
}

/// A browser that is to come back to this machine.
pub(crate) struct Visit {
    /// The address that is opened.
    pub url: String,
    redirect: String,
    state: String,
    verifier: String,
    came: Receiver<String>,
}

#[derive(Deserialize)]
struct DeviceAnswer {
    device_code: String,
    user_code: String,
    #[serde(alias = "verification_url")]
    verification_uri: String,
    expires_in: Option<u64>,
    interval: Option<u64>,
}

impl Tokens {
    /// Whether a code can be typed anywhere; a browser on this machine is wanted otherwise.
    pub(crate) fn has_codes(&self) -> bool {
        self.settings().device_url.is_some()
    }

    /// Asks for a code.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn code(&self) -> Result<Code, Trouble> {
        let url = self.settings().device_url.as_deref().ok_or_else(|| wrong("`device_url` is not in the settings"))?;
        let (status, text) = self.post_for_text(url, &[("scope", &self.settings().scope)]).map_err(wrong)?;
        let Ok(answer) = serde_json::from_str::<DeviceAnswer>(&text) else {
            let error = serde_json::from_str::<Answer>(&text).unwrap_or_default().error.unwrap_or_default();
            if UNKNOWN_PROGRAM.contains(&error.as_str()) {
                return Err(said(&error));
            }
            return Err(wrong(format!("the provider gives no code: {} {}", status.as_u16(), word(&error))));
        };
        // They are shown at a terminal.
        if [&answer.verification_uri, &answer.user_code].iter().any(|text| text.contains(char::is_control)) {
            return Err(wrong("the provider gives no code that can be shown"));
        }
        let time = Duration::from_secs(answer.expires_in.unwrap_or(900)).min(LONGEST);
        Ok(Code {
            url: answer.verification_uri,
            code: answer.user_code,
            device: answer.device_code,
            interval: Duration::from_secs(answer.interval.unwrap_or(5).clamp(1, 60)),
            ends: Instant::now() + time,
        })
    }

    /// Waits until somebody has typed the code, and keeps what was consented to.
    ///
    /// # Errors
    /// Nobody did, or somebody said no.
    pub(crate) fn await_code(&self, code: &Code) -> Result<(), Trouble> {
        let mut interval = code.interval;
        while Instant::now() < code.ends {
            thread::sleep(interval);
            let form =
                [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code.device.as_str())];
            // A provider that is out of reach for a moment is asked again.
            let Ok((status, answer)) = self.post(&self.settings().token_url, &form) else { continue };
            match answer.error.as_deref() {
                None if status.is_success() && answer.has_token() => return self.keep(&answer),
                // A page of somebody between us and the provider is no answer.
                None if status.is_success() => {}
                Some("slow_down") => interval += Duration::from_secs(5),
                Some("authorization_pending") => {}
                None if status.is_server_error() => {}
                None => return Err(wrong(format!("the provider answers {}", status.as_u16()))),
                Some("access_denied" | "authorization_declined") => {
                    return Err(wrong("somebody said no in the browser"));
                }
                Some(error) => return Err(said(error)),
            }
        }
        Err(wrong("nobody typed the code in time; call `cursus sign-in` again"))
    }

    /// Waits at a port of this machine for a browser.
    ///
    /// # Errors
    /// There is no such port, or the settings do not say where one consents.
    pub(crate) fn visit(&self) -> Result<Visit, Trouble> {
        let settings = self.settings();
        let place = settings.authorize_url.as_deref().ok_or_else(|| wrong("`authorize_url` is not in the settings"))?;
        let mut url = Url::parse(place).map_err(|_| wrong("`authorize_url` is no address"))?;
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|_| wrong("there is no free port on this machine"))?;
        let port = listener.local_addr().map_err(|_| wrong("there is no free port on this machine"))?.port();
        let redirect = format!("http://{}:{port}/", settings.redirect_host());
        let (state, verifier) = (random()?, random()?);
        let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &settings.client_id)
            .append_pair("redirect_uri", &redirect)
            .append_pair("scope", &settings.scope)
            .append_pair("state", &state)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256")
            // Google gives a lasting token only to whoever asks for one, and only when it asks the person again.
            .append_pair("access_type", "offline")
            .append_pair("prompt", "consent");
        let (sender, came) = mpsc::channel();
        let wanted = state.clone();
        thread::spawn(move || {
            // Each has a thread: browsers open lines that they do not use, and whoever says nothing keeps nobody waiting.
            let at_once = Arc::new(AtomicUsize::new(0));
            for line in listener.incoming().flatten() {
                if at_once.fetch_add(1, Ordering::SeqCst) >= MOST_LINES {
                    at_once.fetch_sub(1, Ordering::SeqCst);
                    continue;
                }
                let (sender, wanted, at_once) = (sender.clone(), wanted.clone(), Arc::clone(&at_once));
                thread::spawn(move || {
                    if let Some(target) = target(line, &wanted) {
                        // Nobody may be waiting any more.
                        let _ = sender.send(target);
                    }
                    at_once.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Ok(Visit { url: url.to_string(), redirect, state, verifier, came })
    }

    /// Takes what the browser brought: to this machine, or as the address that somebody has pasted. Keeps what was
    /// consented to.
    ///
    /// # Errors
    /// Nothing came, or somebody said no, or it is another's.
    pub(crate) fn await_visit(&self, visit: &Visit, pasted: &str, patience: Duration) -> Result<(), Trouble> {
        let target = if pasted.is_empty() {
            let came = visit.came.recv_timeout(patience.min(LONGEST));
            came.map_err(|_| wrong("no browser has come back in time; call `cursus sign-in` again"))?
        } else {
            pasted.to_owned()
        };
        let url = Url::parse(&visit.redirect).ok().and_then(|base| base.join(target.trim()).ok());
        let url = url.ok_or_else(|| wrong("that is no address of a browser"))?;
        let value =
            |name: &str| url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned());
        if value("state").as_deref() != Some(visit.state.as_str()) {
            return Err(wrong("that answer belongs to another sign-in; call `cursus sign-in` again"));
        }
        let code = match (value("code"), value("error")) {
            (Some(code), None) => code,
            (_, Some(error)) => return Err(said(&error)),
            (None, None) => return Err(wrong("the address holds no code; copy all of it")),
        };
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code.as_str()),
            ("redirect_uri", visit.redirect.as_str()),
            ("code_verifier", visit.verifier.as_str()),
        ];
        let (status, answer) = self.post(&self.settings().token_url, &form).map_err(wrong)?;
        match &answer.error {
            None if status.is_success() => self.keep(&answer),
            None => Err(wrong(format!("the provider answers {}", status.as_u16()))),
            Some(error) => Err(said(error)),
        }
    }
}

/// What a browser asks for, if it is the one that is waited for. It is told that it may go.
fn target(mut line: TcpStream, state: &str) -> Option<String> {
    line.set_read_timeout(Some(REQUEST)).ok()?;
    line.set_write_timeout(Some(REQUEST)).ok()?;
    let mut head = Vec::new();
    let mut piece = [0; 1024];
    let until = Instant::now() + REQUEST;
    while Instant::now() < until && !head.windows(4).any(|bytes| bytes == b"\r\n\r\n") && (head.len() as u64) < LARGEST
    {
        match line.read(&mut piece) {
            Ok(0) | Err(_) => break,
            Ok(read) => head.extend_from_slice(&piece[..read]),
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let target = head.strip_prefix("GET ")?.split_whitespace().next()?.to_owned();
    // A browser also asks for a picture of the page, and anybody on this machine may knock.
    let is_meant = target.contains(&format!("state={state}"));
    let (status, words) = if is_meant {
        ("200 OK", "Thank you. You may close this page and go back to Cursus.")
    } else {
        ("404 Not Found", "")
    };
    let _ = write!(
        line,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n\r\n{words}",
        words.len()
    );
    is_meant.then_some(target)
}

/// A word that nobody can guess.
fn random() -> Result<String, Trouble> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|_| wrong("the system has no randomness"))?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// What a provider has said in place of a token.
fn said(error: &str) -> Trouble {
    let error = word(error);
    let is_unknown = UNKNOWN_PROGRAM.contains(&error.as_str());
    wrong(if is_unknown { unknown_program(&error) } else { format!("the provider says {error}") })
}

fn wrong(says: impl Into<String>) -> Trouble {
    Trouble::Lasting(says.into())
}
