//! Tokens: how a mailbox is opened without a password (OAuth 2). The provider gives a short-lived token for a long-lived one
//! that somebody has consented to; both stand in a file that only we can read.
//!
//! A token is renewed when half of its time is over, so that a renewal which fails leaves time to tell the moderator by the
//! same mailbox. The file is read each time: whoever signs in anew beside a running daemon is noticed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::StatusCode;
use reqwest::blocking::Client;
use serde::{Deserialize, Serialize};

use super::settings::OAuthSettings;
use crate::post::carrier::{Cause, Trouble, Warning};
use crate::post::forum::client;
use crate::post::private;
use crate::post::refusals::Refusals;
use crate::post::secret::Secret;

/// How long a token server may take to answer.
const ANSWER: Duration = Duration::from_secs(15);
/// How often somebody looks whether another program is done with the tokens.
const GLANCE: Duration = Duration::from_millis(50);
/// So long a renewal that failed is not tried again while there is a token that may still do.
const REST: Duration = Duration::from_secs(60);
/// A token that ends this soon is not begun with.
const LAST_MOMENT: TimeDelta = TimeDelta::seconds(20);
/// How long a token lives where nobody says so.
const USUAL_LIFE: TimeDelta = TimeDelta::hours(1);
/// What a provider calls it when it does not know our program.
pub(super) const UNKNOWN_PROGRAM: [&str; 2] = ["invalid_client", "unauthorized_client"];
/// No answer of a token server is longer.
const LARGEST: u64 = 64 * 1024;

/// The tokens of a mailbox.
pub(crate) struct Tokens {
    settings: OAuthSettings,
    client: Client,
    state: Mutex<TokenState>,
    /// Held by whoever renews: one at a time.
    renewing: Mutex<()>,
    /// What the moderator has to know. By itself: whoever asks for it does not wait for a token server.
    not_renewed: Mutex<Option<String>>,
    not_written: Mutex<Option<String>>,
    /// The tokens that a server did not take though they were made just now.
    letters_in: Refusals,
    letters_out: Refusals,
}

/// Where a token is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    In,
    Out,
}

/// What was tried last.
#[derive(Default)]
struct TokenState {
    /// Until when a renewal rests, of which long-lived token, and why it failed.
    rest: Option<(Instant, String, Trouble)>,
    /// Tokens that could not be written down, and the long-lived one that they came for: a provider may take that one no
    /// more, so they are all there is.
    unwritten: Option<(String, Kept)>,
}

/// What stands in the file.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Kept {
    refresh_token: String,
    access_token: String,
    issued: DateTime<Utc>,
    expires: DateTime<Utc>,
}

/// What a token server answers, as far as it concerns us.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Answer {
    access_token: Option<String>,
    refresh_token: Option<String>,
    expires_in: Option<serde_json::Value>,
    pub(super) error: Option<String>,
}

impl Answer {
    /// Whether there is a token in it.
    pub(super) fn has_token(&self) -> bool {
        self.access_token.is_some()
    }
}

/// Why there is no new token.
enum Failed {
    /// Somebody has to consent anew.
    Ended(String),
    /// It may work later.
    Passing(String),
}

impl Tokens {
    /// The tokens of these settings. Asks nobody yet.
    ///
    /// # Errors
    /// [`Trouble::Lasting`]: the settings cannot work.
    pub(crate) fn open(settings: &OAuthSettings, root_certificate: Option<&Path>) -> Result<Tokens, Trouble> {
        settings.verified()?;
        let client = client(root_certificate)?;
        Ok(Tokens {
            settings: settings.clone(),
            client,
            state: Mutex::default(),
            renewing: Mutex::default(),
            not_renewed: Mutex::default(),
            not_written: Mutex::default(),
            letters_in: Refusals::default(),
            letters_out: Refusals::default(),
        })
    }

    pub(crate) fn settings(&self) -> &OAuthSettings {
        &self.settings
    }

    /// A token that may be shown now.
    ///
    /// # Errors
    /// There is none, or the server has just refused it. No letter is at fault.
    pub(super) fn shown(&self, way: Way) -> Result<Secret, Trouble> {
        let token = self.current()?;
        self.refusals(way).allow(&token, Instant::now())?;
        Ok(token)
    }

    /// A token that may be used now; renewed when half of its time is over.
    ///
    /// # Errors
    /// There is none. No letter is at fault.
    pub(super) fn current(&self) -> Result<Secret, Trouble> {
        let kept = self.kept()?;
        let now = Utc::now();
        // A token that was issued in the future was dated by a clock that was wrong.
        if now + LAST_MOMENT * 15 > kept.issued && now < kept.issued + (kept.expires - kept.issued) / 2 {
            self.warn(None);
            return Ok(kept.secret());
        }
        match self.renew(&kept) {
            Ok(renewed) => Ok(renewed.secret()),
            Err(trouble) if now + LAST_MOMENT >= kept.expires => Err(trouble),
            Err(trouble) => {
                // What only the network is to blame for is told when time grows short, and while a letter can still leave.
                let is_late = now > kept.expires - (kept.expires - kept.issued) / 4;
                if matches!(trouble, Trouble::Barred(_)) || is_late {
                    self.warn(Some(trouble.to_string()));
                }
                Ok(kept.secret())
            }
        }
    }

    /// Another token for one that a server has just refused. Where a new one was refused before, no other is asked for: it
    /// would be refused as well, and the next one too.
    ///
    /// # Errors
    /// There is none. No letter is at fault.
    pub(super) fn instead_of(&self, way: Way, refused: &Secret, says: &str) -> Result<Secret, Trouble> {
        let kept = self.kept()?;
        if kept.access_token != refused.reveal() {
            return Ok(kept.secret());
        }
        if self.refusals(way).says().is_some() {
            self.refused_anew(way, refused, says);
            return Err(Trouble::Barred(says.to_owned()));
        }
        let renewed = self.renew(&kept).map(|renewed| renewed.secret());
        if let Err(trouble @ Trouble::Barred(_)) = &renewed {
            self.warn(Some(trouble.to_string()));
        }
        renewed
    }

    /// What the moderator has to know at once.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let of = |slot: &Mutex<Option<String>>| slot.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let all = [
            (Cause::Renewal, of(&self.not_renewed)),
            (Cause::TokenFile, of(&self.not_written)),
            (Cause::TokenIn, self.letters_in.says()),
            (Cause::TokenOut, self.letters_out.says()),
        ];
        all.into_iter().filter_map(|(cause, says)| Some(Warning { cause, says: says? })).collect()
    }

    fn warn(&self, says: Option<String>) {
        *self.not_renewed.lock().unwrap_or_else(PoisonError::into_inner) = says;
    }

    fn warn_of_file(&self, says: Option<String>) {
        *self.not_written.lock().unwrap_or_else(PoisonError::into_inner) = says;
    }

    /// A server refuses even a token that was made just now: somebody has to look.
    pub(super) fn refused_anew(&self, way: Way, token: &Secret, says: &str) {
        self.refusals(way).refuse(token, says, Instant::now());
    }

    /// A server has taken a token.
    pub(super) fn taken(&self, way: Way) {
        self.refusals(way).clear();
    }

    fn refusals(&self, way: Way) -> &Refusals {
        match way {
            Way::In => &self.letters_in,
            Way::Out => &self.letters_out,
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, TokenState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept(&self) -> Result<Kept, Trouble> {
        let file = &self.settings.token_file;
        let nobody =
            || Trouble::Barred(format!("nobody has signed in yet ({}); call `cursus sign-in`", file.display()));
        let text = fs::read_to_string(file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => nobody(),
            kind => Trouble::Barred(format!("the tokens cannot be read from {}: {kind}", file.display())),
        })?;
        let kept: Kept = serde_json::from_str(&text).map_err(|_| nobody())?;
        let mut state = self.state();
        match &state.unwritten {
            Some((before, newer)) if *before == kept.refresh_token => {
                let newer = newer.clone();
                // Meanwhile there may be room again.
                if write(file, &newer).is_ok() {
                    state.unwritten = None;
                    self.warn_of_file(None);
                }
                Ok(newer)
            }
            Some(_) | None => {
                state.unwritten = None;
                self.warn_of_file(None);
                Ok(kept)
            }
        }
    }

    /// A new token, written down before anybody uses it. One at a time, beside other programs of ours too: some providers
    /// take a long-lived token once.
    fn renew(&self, before: &Kept) -> Result<Kept, Trouble> {
        let _one = self.renewing.lock().unwrap_or_else(PoisonError::into_inner);
        let state = self.state();
        if let Some((until, of, trouble)) = &state.rest
            && Instant::now() < *until
            && *of == before.refresh_token
        {
            return Err(trouble.clone());
        }
        drop(state);
        let lock = lock(&self.settings.token_file)?;
        let kept = self.kept()?;
        if kept.access_token != before.access_token && Utc::now() + LAST_MOMENT < kept.expires {
            return Ok(kept);
        }
        let trouble = match self.ask(&kept) {
            Ok(renewed) => {
                let written = write(&self.settings.token_file, &renewed);
                drop(lock);
                let mut state = self.state();
                state.rest = None;
                state.unwritten = None;
                self.warn(None);
                self.warn_of_file(None);
                if let Err(error) = written {
                    // It works until we stop. Whoever moderates has to make room before that.
                    let file = self.settings.token_file.display();
                    self.warn_of_file(Some(format!("the tokens cannot be written to {file}: {}", error.kind())));
                    // In a chain of them the file still names the first.
                    state.unwritten = Some((self.in_file().unwrap_or(kept.refresh_token), renewed.clone()));
                }
                return Ok(renewed);
            }
            Err(Failed::Ended(why)) if UNKNOWN_PROGRAM.contains(&why.as_str()) => {
                Trouble::Barred(unknown_program(&why))
            }
            Err(Failed::Ended(why)) => {
                Trouble::Barred(format!("the provider no longer takes our sign-in ({why}); call `cursus sign-in`"))
            }
            Err(Failed::Passing(why)) => Trouble::Passing(format!("the sign-in could not be renewed: {why}")),
        };
        self.state().rest = Some((Instant::now() + REST, kept.refresh_token, trouble.clone()));
        Err(trouble)
    }

    /// The long-lived token in the file.
    fn in_file(&self) -> Option<String> {
        let text = fs::read_to_string(&self.settings.token_file).ok()?;
        serde_json::from_str::<Kept>(&text).ok().map(|kept| kept.refresh_token)
    }

    fn ask(&self, kept: &Kept) -> Result<Kept, Failed> {
        let form = [("grant_type", "refresh_token"), ("refresh_token", kept.refresh_token.as_str())];
        let (status, answer) = self.post(&self.settings.token_url, &form).map_err(Failed::Passing)?;
        match (&answer.error, status.is_success()) {
            (None, true) => Kept::new(&answer, Some(&kept.refresh_token))
                .ok_or_else(|| Failed::Passing("the token server's answer holds no token".to_owned())),
            (error, _) if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS || error.is_none() => {
                Err(Failed::Passing(format!("the token server answers {}", status.as_u16())))
            }
            (error, _)
                if ["temporarily_unavailable", "server_error"].contains(&error.as_deref().unwrap_or_default()) =>
            {
                Err(Failed::Passing("the token server is busy".to_owned()))
            }
            (error, _) => Err(Failed::Ended(word(error.as_deref().unwrap_or_default()))),
        }
    }

    /// Asks the token server, as whom the settings say we are.
    pub(super) fn post(&self, url: &str, form: &[(&str, &str)]) -> Result<(StatusCode, Answer), String> {
        let text = self.post_for_text(url, form)?;
        let answer = serde_json::from_str(&text.1).unwrap_or_default();
        Ok((text.0, answer))
    }

    /// The same, with the answer as it is.
    pub(super) fn post_for_text(&self, url: &str, form: &[(&str, &str)]) -> Result<(StatusCode, String), String> {
        let secret = self.settings.client_secret().map_err(|trouble| trouble.to_string())?;
        let mut form = form.to_vec();
        form.push(("client_id", self.settings.client_id.as_str()));
        if let Some(secret) = &secret {
            form.push(("client_secret", secret.reveal()));
        }
        let begun = Instant::now();
        let sent = self.client.post(url).timeout(ANSWER).form(&form).send();
        let answer = sent.map_err(|error| if error.is_timeout() { "no answer in time" } else { "no connection" })?;
        let status = answer.status();
        let mut answer = io::Read::take(answer, LARGEST);
        let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
        loop {
            // Whoever sends a byte at a time does not keep us.
            if begun.elapsed() > ANSWER {
                return Err("no answer in time".to_owned());
            }
            match io::Read::read(&mut answer, &mut piece).map_err(|_| "no whole answer")? {
                0 => break,
                read => bytes.extend_from_slice(&piece[..read]),
            }
        }
        let text = String::from_utf8(bytes).map_err(|_| "no whole answer")?;
        Ok((status, text))
    }

    /// Writes down what somebody has consented to.
    pub(super) fn keep(&self, answer: &Answer) -> Result<(), Trouble> {
        let kept = Kept::new(answer, None).ok_or_else(|| {
            Trouble::Lasting(
                "the provider gave no lasting token: check `scope` (Microsoft wants offline_access in it)".to_owned(),
            )
        })?;
        let file = &self.settings.token_file;
        let _lock = lock(file)?;
        write(file, &kept)
            .map_err(|error| Trouble::Lasting(format!("cannot write {}: {}", file.display(), error.kind())))
    }
}

impl Kept {
    /// What an answer gives; one without a new long-lived token leaves the old one as it is.
    fn new(answer: &Answer, before: Option<&str>) -> Option<Kept> {
        let issued = Utc::now();
        let life = match &answer.expires_in {
            Some(serde_json::Value::Number(number)) => number.as_f64(),
            Some(serde_json::Value::String(text)) => text.parse().ok(),
            _ => None,
        };
        let life = life.filter(|seconds| (1.0..1e9).contains(seconds));
        let life = life.map_or(USUAL_LIFE, |seconds| TimeDelta::milliseconds((seconds * 1000.0) as i64));
        // What is no word of a token would end the line that it is said in.
        let sound = |token: &String| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
        Some(Kept {
            access_token: answer.access_token.clone().filter(sound)?,
            refresh_token: answer.refresh_token.clone().filter(sound).or_else(|| before.map(str::to_owned))?,
            issued,
            expires: issued + life,
        })
    }

    fn secret(&self) -> Secret {
        Secret::token(&self.access_token)
    }
}

/// What is said where the provider does not know who asks: whoever signs in again mends nothing.
pub(super) fn unknown_program(why: &str) -> String {
    format!(
        "the provider does not know our program ({why}): `client_id` or its secret is wrong, or was taken back there"
    )
}

/// A word of a provider, as it may stand in a log.
pub(super) fn word(text: &str) -> String {
    text.chars().filter(|sign| sign.is_ascii_alphanumeric() || "_-".contains(*sign)).take(40).collect()
}

/// Keeps other programs of ours from renewing at the same time. Where it cannot be locked, nobody else is there either; one that
/// was halted while it held the lock does not halt us.
fn lock(file: &Path) -> Result<Option<File>, Trouble> {
    let Ok(lock) = private::create_file(&beside(file, "lock")) else { return Ok(None) };
    let until = Instant::now() + ANSWER * 2;
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(Some(lock)),
            Err(fs::TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(GLANCE),
            Err(fs::TryLockError::WouldBlock) => {
                let says = "the sign-in could not be renewed: another program of ours keeps the tokens";
                return Err(Trouble::Passing(says.to_owned()));
            }
            Err(fs::TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// The tokens take the place of the old ones in one step.
fn write(file: &Path, kept: &Kept) -> io::Result<()> {
    private::replace_file(file, &serde_json::to_vec(kept)?)
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or("token");
    file.with_file_name(format!("{name}.{ending}"))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    use super::*;

    /// A token server that gives these answers, one after another, and the address of it.
    fn server(answers: Vec<(u16, &'static str)>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("a port").port();
        thread::spawn(move || {
            for ((status, body), line) in answers.into_iter().zip(listener.incoming()) {
                let mut line = line.expect("a line");
                let (mut asked, mut piece) = (Vec::new(), [0; 1024]);
                // Its last word.
                while !String::from_utf8_lossy(&asked).contains("client_id=cursus") {
                    let read = line.read(&mut piece).expect("it is asked");
                    asked.extend_from_slice(&piece[..read]);
                }
                let length = body.len();
                let _ =
                    write!(line, "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
            }
        });
        format!("http://127.0.0.1:{port}/token")
    }

    fn warns(tokens: &Tokens, cause: Cause) -> Option<String> {
        tokens.warnings().into_iter().find(|warning| warning.cause == cause).map(|warning| warning.says)
    }

    /// Tokens in a file that were issued so long ago, for an hour.
    fn tokens(folder: &Path, token_url: String, ago: TimeDelta) -> Tokens {
        let settings = OAuthSettings {
            client_id: "cursus".to_owned(),
            client_secret_file: None,
            token_file: folder.join("token.json"),
            token_url: token_url.clone(),
            device_url: None,
            authorize_url: Some(token_url),
            scope: "mail".to_owned(),
            mechanism: Default::default(),
            redirect: None,
        };
        let issued = Utc::now() - ago;
        let (refresh_token, access_token) = ("lasting".to_owned(), "old".to_owned());
        let kept = Kept { refresh_token, access_token, issued, expires: issued + TimeDelta::hours(1) };
        write(&settings.token_file, &kept).expect("it is written");
        Tokens::open(&settings, None).expect("settings that work")
    }

    #[test]
    fn what_could_not_be_written_is_not_lost() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = server(vec![
            (200, r#"{"access_token":"new","refresh_token":"rotated","expires_in":3600}"#),
            (200, r#"{"access_token":"newer","refresh_token":"rotated2","expires_in":3600}"#),
        ]);
        let tokens = tokens(folder.path(), url, TimeDelta::minutes(40));
        // A folder is in the way: as on a full disk, nothing can be written.
        let new = folder.path().join("token.json.new");
        fs::create_dir(&new).expect("a folder");
        assert_eq!(tokens.current().expect("a token").reveal(), "new");
        assert!(
            warns(&tokens, Cause::TokenFile)
                .is_some_and(|says| says.contains("cannot be written") && !says.contains("rotated"))
        );
        assert_eq!(tokens.in_file().as_deref(), Some("lasting"));
        assert_eq!(
            tokens.current().expect("a token").reveal(),
            "new",
            "the provider is not asked with the one it took"
        );
        // Another renewal before there is room.
        let refused = tokens.current().expect("a token");
        assert_eq!(tokens.instead_of(Way::In, &refused, "no").expect("a token").reveal(), "newer");
        fs::remove_dir(&new).expect("room again");
        assert_eq!(tokens.current().expect("a token").reveal(), "newer");
        assert_eq!(tokens.in_file().as_deref(), Some("rotated2"));
        assert_eq!(tokens.current().map(|_| tokens.warnings()), Ok(Vec::new()));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(folder.path().join("token.json")).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    /// Two things that are wrong stand beside each other: neither takes the other's place, and neither ends with the other.
    #[test]
    fn every_cause_warns_by_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = server(vec![(200, r#"{"access_token":"new","refresh_token":"rotated","expires_in":3600}"#)]);
        let tokens = tokens(folder.path(), url, TimeDelta::zero());
        let old = tokens.current().expect("a token");
        let new = folder.path().join("token.json.new");
        fs::create_dir(&new).expect("a folder");
        let anew = tokens.instead_of(Way::In, &old, "no").expect("another");
        tokens.refused_anew(Way::In, &anew, "IMAP: no");
        tokens.refused_anew(Way::Out, &anew, "SMTP: no");
        let causes = |tokens: &Tokens| tokens.warnings().iter().map(|warning| warning.cause).collect::<Vec<_>>();
        assert_eq!(causes(&tokens), [Cause::TokenFile, Cause::TokenIn, Cause::TokenOut]);
        assert_eq!(tokens.current().expect("a token"), anew, "which looks for nothing but the file");
        assert_eq!(causes(&tokens), [Cause::TokenFile, Cause::TokenIn, Cause::TokenOut]);
        // A new token that is refused is not asked for again and again: the token server would answer nobody here.
        assert_eq!(tokens.shown(Way::In), Err(Trouble::Barred("IMAP: no".to_owned())));
        assert_eq!(tokens.instead_of(Way::In, &anew, "still no"), Err(Trouble::Barred("still no".to_owned())));
        fs::remove_dir(&new).expect("room again");
        tokens.taken(Way::Out);
        assert_eq!(tokens.current().expect("a token"), anew);
        assert_eq!(causes(&tokens), [Cause::TokenIn]);
    }

    #[test]
    fn a_program_that_the_provider_does_not_know_is_told_from_a_sign_in_that_ended() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = server(vec![(401, r#"{"error":"invalid_client"}"#)]);
        let tokens = tokens(folder.path(), url, TimeDelta::minutes(70));
        let says = match tokens.current() {
            Err(Trouble::Barred(says)) => says,
            other => panic!("{other:?}"),
        };
        assert!(says.contains("`client_id` or its secret is wrong") && !says.contains("sign-in"), "{says}");
    }

    #[test]
    fn garbage_of_a_token_server_ends_nothing() {
        for answer in
            [(200, "<html>sign in to the hotel</html>"), (200, "{}"), (400, "<html>"), (500, "{\"error\":\"x\"}")]
        {
            let folder = tempfile::tempdir().expect("a folder");
            let tokens = tokens(folder.path(), server(vec![answer]), TimeDelta::minutes(70));
            assert!(matches!(tokens.current(), Err(Trouble::Passing(_))), "{answer:?}");
            assert_eq!(tokens.in_file().as_deref(), Some("lasting"));
        }
    }

    #[test]
    fn a_token_of_the_future_is_renewed() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = server(vec![(200, r#"{"access_token":"new","expires_in":"3600"}"#)]);
        let tokens = tokens(folder.path(), url, TimeDelta::days(-400));
        assert_eq!(tokens.current().expect("a token").reveal(), "new");
        assert_eq!(tokens.in_file().as_deref(), Some("lasting"), "the long-lived one stays");
    }

    #[test]
    fn whoever_says_nothing_keeps_no_browser_waiting() {
        let folder = tempfile::tempdir().expect("a folder");
        let url = server(vec![(200, r#"{"access_token":"new","refresh_token":"given","expires_in":3600}"#)]);
        let tokens = tokens(folder.path(), url, TimeDelta::zero());
        let visit = tokens.visit().expect("a port");
        let parsed = reqwest::Url::parse(&visit.url).expect("an address");
        let value = |name: &str| parsed.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        let redirect = value("redirect_uri").expect("where the browser comes back");
        let place = redirect.trim_start_matches("http://").trim_end_matches('/').to_owned();
        let _silent: Vec<TcpStream> = (0..10).map(|_| TcpStream::connect(&place).expect("a line")).collect();
        for (state, is_ours) in [("guessed".to_owned(), false), (value("state").expect("a state"), true)] {
            let mut line = TcpStream::connect(&place).expect("a line");
            write!(line, "GET /?code=abc&state={state} HTTP/1.1\r\nHost: x\r\n\r\n").expect("it is asked");
            let mut answer = String::new();
            let _ = line.read_to_string(&mut answer);
            assert_eq!(answer.starts_with("HTTP/1.1 200"), is_ours, "{answer}");
        }
        tokens.await_visit(&visit, "", Duration::from_secs(30)).expect("it is kept");
        assert_eq!(tokens.in_file().as_deref(), Some("given"));
    }
}
