//! Letters out: handed in at an SMTP server.

use std::error::Error as _;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lettre::address::Envelope;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, SmtpConnection, Tls as Sealing, TlsParameters};
use lettre::transport::smtp::{Error, PoolConfig, SmtpTransportBuilder};
use lettre::{SmtpTransport, Transport};

use super::bearer::{Bearer, NoLine};
use super::password::Password;
use super::settings::{MailboxSettings, Tls};
use super::tokens::{self, Tokens};
use super::words::{discreet, sealed_otherwise};
use crate::post::carrier::{Dispatch, Trouble};
use crate::post::compose::{Sender, message, return_path};
use crate::post::secret::Secret;

/// How long one answer of the server may take.
const ANSWER: Duration = Duration::from_secs(30);
/// Connections that are not used are closed after so long.
const IDLE: Duration = Duration::from_secs(60);
/// The most connections that are kept open.
const MOST_CONNECTIONS: u32 = 4;
/// Refusals of a login, and of a connection that is not sealed well enough for one.
const LOGIN: [u16; 5] = [523, 530, 534, 535, 538];
/// Refusals of a server that serves nobody at all.
const CLOSED: [u16; 3] = [421, 454, 521];

pub(super) struct Outbox {
    way: Way,
    tls: Tls,
    sender: Sender,
    hidden: Vec<String>,
    /// Whether the server lets us name an address of its own for each letter to come back to. Some want the bare one.
    takes_return_paths: AtomicBool,
}

/// How we sign in.
enum Way {
    /// With what a connection is made that signs in with this password; another one for another password.
    Password(Box<ByPassword>),
    /// With the token of the moment.
    Tokens(Bearer),
}

struct ByPassword {
    password: Password,
    server: SmtpTransportBuilder,
    user: String,
    open: Mutex<Option<(Secret, SmtpTransport)>>,
    /// Whether the password was taken. Until then one letter tries it and the others wait, for several wrong passwords at
    /// once look like somebody who guesses.
    is_proved: AtomicBool,
    proving: Mutex<()>,
}

impl ByPassword {
    /// Connections that sign in with the password of the moment, if it may be shown now.
    fn transport(&self) -> Result<(Secret, SmtpTransport), Trouble> {
        let secret = self.password.shown()?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        match &*open {
            Some((known, transport)) if *known == secret => Ok((secret, transport.clone())),
            Some(_) | None => {
                let credentials = Credentials::new(self.user.clone(), secret.reveal().to_owned());
                let transport = self.server.clone().credentials(credentials).build();
                *open = Some((secret.clone(), transport.clone()));
                Ok((secret, transport))
            }
        }
    }

    /// A server has answered to this password.
    fn answered(&self, secret: &Secret, refusal: Option<&str>) {
        self.is_proved.store(refusal.is_none(), Ordering::SeqCst);
        match refusal {
            None => self.password.taken(),
            Some(says) => self.password.refused(secret, says),
        }
    }
}

impl Outbox {
    /// Connects to nobody yet.
    pub(super) fn with_password(settings: &MailboxSettings, password: Password) -> Result<Self, Trouble> {
        let server = &settings.smtp;
        let sealing = match server.tls {
            Tls::None => Sealing::None,
            Tls::Implicit => Sealing::Wrapper(parameters(settings)?),
            Tls::StartTls => Sealing::Required(parameters(settings)?),
        };
        let server = SmtpTransport::builder_dangerous(&server.host)
            .port(server.port_or(465, 587))
            .tls(sealing)
            .timeout(Some(ANSWER))
            .pool_config(PoolConfig::new().max_size(MOST_CONNECTIONS).idle_timeout(IDLE));
        let user = settings.user.clone();
        let (open, is_proved, proving) = Default::default();
        let way = Way::Password(Box::new(ByPassword { password, server, user, open, is_proved, proving }));
        Ok(Self::by(way, settings))
    }

    /// The same where one signs in with a token.
    pub(super) fn with_tokens(settings: &MailboxSettings, tokens: Arc<Tokens>) -> Result<Self, Trouble> {
        let parameters = match settings.smtp.tls {
            Tls::None => None,
            Tls::Implicit | Tls::StartTls => Some(parameters(settings)?),
        };
        let (server, user) = (settings.smtp.clone(), settings.user.clone());
        let bearer = Bearer { server, parameters, user, tokens, open: Mutex::default() };
        Ok(Self::by(Way::Tokens(bearer), settings))
    }

    fn by(way: Way, settings: &MailboxSettings) -> Self {
        let hidden = vec![settings.user.clone(), settings.address.clone()];
        let sender = Sender { address: settings.address.clone(), name: settings.display_name.clone() };
        Self { way, tls: settings.smtp.tls, sender, hidden, takes_return_paths: AtomicBool::new(true) }
    }

    /// Hands a dispatch in.
    pub(super) fn send(&self, dispatch: &Dispatch) -> Result<(), Trouble> {
        let message = message(dispatch, &self.sender)?;
        // Whatever the server says before it has seen anything of the letter is not about the letter.
        self.greet()?;
        let raw = message.formatted();
        let send = |envelope: &Envelope| {
            let sent = match &self.way {
                Way::Password(by) => {
                    let (secret, transport) = by.transport()?;
                    let sent = transport.send_raw(envelope, &raw).map(|_| ());
                    // A connection that was kept may be gone, and the next one signs in anew.
                    match &sent {
                        Err(error) if is_login(error) => return Err(self.unwelcome(error, Some(&secret))),
                        Ok(()) | Err(_) => sent,
                    }
                }
                Way::Tokens(bearer) => bearer.send(self.line(bearer)?, envelope, &raw),
            };
            sent.map_err(|error| self.trouble(&error, &dispatch.to))
        };
        let own = return_path(dispatch, &self.sender).filter(|_| self.takes_return_paths.load(Ordering::Relaxed));
        let own = own.and_then(|path| Envelope::new(Some(path), message.envelope().to().to_vec()).ok());
        let Some(own) = own else { return send(message.envelope()) };
        match send(&own) {
            // What the server refuses may be the return path alone.
            Err(Trouble::Lasting(_)) => {
                send(message.envelope())?;
                self.takes_return_paths.store(false, Ordering::Relaxed);
                Ok(())
            }
            done => done,
        }
    }

    /// Connects, seals and logs in, unless a connection is open that answers.
    pub(super) fn greet(&self) -> Result<(), Trouble> {
        let by = match &self.way {
            Way::Password(by) => by,
            Way::Tokens(bearer) => {
                bearer.put_back(self.line(bearer)?);
                return Ok(());
            }
        };
        let is_proved = by.is_proved.load(Ordering::SeqCst);
        let _one = (!is_proved).then(|| by.proving.lock().unwrap_or_else(PoisonError::into_inner));
        let (secret, transport) = by.transport()?;
        // Connections that were kept may be gone meanwhile, for some servers count what is said on one: then the next is tried.
        let mut tried = (0..=MOST_CONNECTIONS).map(|_| transport.test_connection());
        let answers = tried.find(|answer| !matches!(answer, Ok(false))).unwrap_or(Ok(false));
        match answers {
            Ok(true) => {
                by.answered(&secret, None);
                Ok(())
            }
            Ok(false) => Err(Trouble::Passing("the SMTP server hung up".to_owned())),
            Err(error) => Err(self.unwelcome(&error, Some(&secret))),
        }
    }

    /// What the server said of our password, as long as it takes none.
    pub(super) fn warning(&self) -> Option<String> {
        match &self.way {
            Way::Password(by) => by.password.warning(),
            Way::Tokens(_) => None,
        }
    }

    /// A line on which a token was taken. One that is refused is renewed, once.
    fn line(&self, bearer: &Bearer) -> Result<SmtpConnection, Trouble> {
        let says = "the SMTP server refuses the sign-in, also with a new token";
        let mut token = bearer.tokens.shown(tokens::Way::Out)?;
        for is_last in [false, true] {
            match bearer.line(&token, ANSWER) {
                Ok(line) => {
                    bearer.tokens.taken(tokens::Way::Out);
                    return Ok(line);
                }
                Err(NoLine::Error(error)) => return Err(self.unwelcome(&error, None)),
                Err(NoLine::Refused) if is_last => {}
                Err(NoLine::Refused) => token = bearer.tokens.instead_of(tokens::Way::Out, &token, says)?,
            }
        }
        bearer.tokens.refused_anew(tokens::Way::Out, &token, says);
        Err(Trouble::Barred(says.to_owned()))
    }

    /// What a server says before it has seen anything of a letter, to whoever came with this password.
    fn unwelcome(&self, error: &Error, secret: Option<&Secret>) -> Trouble {
        match error.status() {
            // The server's own words may repeat what we sent.
            Some(code) if is_login(error) => {
                let says = format!("the SMTP server refuses the login: {code}");
                if let (Way::Password(by), Some(secret)) = (&self.way, secret) {
                    by.answered(secret, Some(&says));
                }
                Trouble::Barred(says)
            }
            Some(code) => Trouble::Passing(format!("the SMTP server turns us away: {code}")),
            None => {
                let says = format!("{error} {}", self.discreet(error, ""));
                let why = sealed_otherwise(self.tls, &says).map_or_else(|| self.discreet(error, ""), str::to_owned);
                Trouble::Passing(format!("no connection to the SMTP server: {why}"))
            }
        }
    }

    fn trouble(&self, error: &Error, to: &str) -> Trouble {
        let Some(code) = error.status() else {
            let says = format!("the letter could not be handed in: {}", self.discreet(error, to));
            // A server that knows only plain letters will not learn others.
            let is_lasting = error.is_client() && !to.is_ascii();
            return if is_lasting { Trouble::Lasting(says) } else { Trouble::Passing(says) };
        };
        let says = format!("the SMTP server refuses the letter: {code} {}", self.discreet(error, to));
        let is_about_us = is_login(error) || CLOSED.contains(&u16::from(code));
        let words = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        let lasts = error.is_permanent() && !is_about_us && !is_limit(&words);
        if lasts { Trouble::Lasting(says) } else { Trouble::Passing(says) }
    }

    /// What the server or the system said, without the recipient.
    fn discreet(&self, error: &Error, to: &str) -> String {
        let says = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        let local = to.split('@').next().unwrap_or_default();
        let secret = match &self.way {
            Way::Password(by) => {
                by.open.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(|(secret, _)| secret.clone())
            }
            Way::Tokens(_) => None,
        };
        let mut hidden: Vec<&str> = self.hidden.iter().map(String::as_str).collect();
        hidden.extend(secret.as_ref().map(Secret::reveal));
        hidden.push(local);
        discreet(&says, &hidden)
    }
}

fn is_login(error: &Error) -> bool {
    error.status().is_some_and(|code| LOGIN.contains(&u16::from(code)))
}

/// Whether a server says for good what will pass: that we have sent too much for now. Providers say so where the sender is
/// named, the recipient, or at the end of the letter. A mailbox that is full (5.2.2) and a letter that is too large (5.3.4) are
/// the recipient's business and the letter's.
fn is_limit(says: &str) -> bool {
    let says = says.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| says.contains(word));
    let status = says.split_whitespace().find(|word| {
        let mut parts = word.split('.');
        parts.next() == Some("5") && parts.clone().count() == 2 && parts.all(|part| part.parse::<u16>().is_ok())
    });
    match status {
        // Gmail: the limit of a day.
        Some("5.4.5") => true,
        Some("5.2.2" | "5.2.3" | "5.3.4" | "5.1.1") => false,
        // Microsoft: the limit of a day, of a tenant, of recipients who do not know us.
        Some("5.1.90" | "5.7.232" | "5.7.233" | "5.7.705" | "5.7.708" | "5.7.750") => true,
        Some(_) | None => has(&[
            "sending limit",
            "daily limit",
            "hourly limit",
            "message limit",
            "daily user sending",
            "rate limit",
            "ratelimit",
            "rate-limit",
            "limit exceeded",
            "exceeded the limit",
            "exceeded your",
            "submissionquotaexceeded",
            "sending quota",
            "message quota",
            "quota exceeded",
            "too many",
            "too fast",
            "throttl",
            "try again later",
            "try later",
        ]),
    }
}

fn parameters(settings: &MailboxSettings) -> Result<TlsParameters, Trouble> {
    let mut builder = TlsParameters::builder(settings.smtp.host.clone());
    if let Some(file) = &settings.root_certificate {
        let certificate = fs::read(file).ok().and_then(|bytes| Certificate::from_pem(&bytes).ok());
        let certificate =
            certificate.ok_or_else(|| Trouble::Lasting(format!("there is no certificate in {}", file.display())))?;
        builder = builder.add_root_certificate(certificate);
    }
    builder.build().map_err(|_| Trouble::Lasting("the SMTP server's name is none that can be sealed".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::is_limit;

    #[test]
    fn a_limit_of_the_provider_is_told_from_a_refusal() {
        for limit in [
            "5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to",
            "5.7.1 Sending rate limit exceeded",
            "5.7.0 Too many messages, try again later",
            "5.7.232 Your message can't be sent because your trial tenant has exceeded its daily limit",
            "5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
            "5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException",
            "Sending quota of this account is used",
        ] {
            assert!(is_limit(limit), "{limit}");
        }
        for refusal in [
            "5.1.1 there is no Ania here",
            "5.7.1 no",
            "5.3.4 message exceeded the limit of 20 MB",
            "5.2.2 quota exceeded: the mailbox is full",
            "5.7.26 This mail is unauthenticated",
            "5.6.0 no",
            "",
        ] {
            assert!(!is_limit(refusal), "{refusal}");
        }
    }
}
