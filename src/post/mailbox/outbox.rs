//! Letters out: handed in at an SMTP server.

use std::error::Error as _;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lettre::address::Envelope;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, SmtpConnection, Tls as Sealing, TlsParameters};
use lettre::transport::smtp::{Error, PoolConfig};
use lettre::{SmtpTransport, Transport};

use super::bearer::{Bearer, NoLine};
use super::settings::{MailboxSettings, Tls};
use super::tokens::Tokens;
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
    Password(SmtpTransport),
    /// With the token of the moment.
    Tokens(Bearer),
}

impl Outbox {
    /// Connects to nobody yet.
    pub(super) fn new(settings: &MailboxSettings, secret: &Secret) -> Result<Self, Trouble> {
        let server = &settings.smtp;
        let sealing = match server.tls {
            Tls::None => Sealing::None,
            Tls::Implicit => Sealing::Wrapper(parameters(settings)?),
            Tls::StartTls => Sealing::Required(parameters(settings)?),
        };
        let transport = SmtpTransport::builder_dangerous(&server.host)
            .port(server.port_or(465, 587))
            .tls(sealing)
            .credentials(Credentials::new(settings.user.clone(), secret.reveal().to_owned()))
            .timeout(Some(ANSWER))
            .pool_config(PoolConfig::new().max_size(MOST_CONNECTIONS).idle_timeout(IDLE))
            .build();
        Ok(Self::by(Way::Password(transport), settings, vec![secret.reveal().to_owned()]))
    }

    /// The same where one signs in with a token.
    pub(super) fn with_tokens(settings: &MailboxSettings, tokens: Arc<Tokens>) -> Result<Self, Trouble> {
        let parameters = match settings.smtp.tls {
            Tls::None => None,
            Tls::Implicit | Tls::StartTls => Some(parameters(settings)?),
        };
        let (server, user) = (settings.smtp.clone(), settings.user.clone());
        let bearer = Bearer { server, parameters, user, tokens, open: Mutex::default() };
        Ok(Self::by(Way::Tokens(bearer), settings, Vec::new()))
    }

    fn by(way: Way, settings: &MailboxSettings, mut hidden: Vec<String>) -> Self {
        hidden.extend([settings.user.clone(), settings.address.clone()]);
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
                Way::Password(transport) => transport.send_raw(envelope, &raw).map(|_| ()),
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
        let transport = match &self.way {
            Way::Password(transport) => transport,
            Way::Tokens(bearer) => {
                bearer.put_back(self.line(bearer)?);
                return Ok(());
            }
        };
        // Connections that were kept may be gone meanwhile, for some servers count what is said on one: then the next is tried.
        let mut tried = (0..=MOST_CONNECTIONS).map(|_| transport.test_connection());
        let answers = tried.find(|answer| !matches!(answer, Ok(false))).unwrap_or(Ok(false));
        match answers {
            Ok(true) => Ok(()),
            Ok(false) => Err(Trouble::Passing("the SMTP server hung up".to_owned())),
            Err(error) => Err(self.unwelcome(&error)),
        }
    }

    /// A line on which a token was taken. One that is refused is renewed, once.
    fn line(&self, bearer: &Bearer) -> Result<SmtpConnection, Trouble> {
        let mut token = bearer.tokens.current()?;
        for is_last in [false, true] {
            match bearer.line(&token, ANSWER) {
                Ok(line) => return Ok(line),
                Err(NoLine::Error(error)) => return Err(self.unwelcome(&error)),
                Err(NoLine::Refused) if is_last => {}
                Err(NoLine::Refused) => token = bearer.tokens.instead_of(&token)?,
            }
        }
        let says = "the SMTP server refuses the sign-in, also with a new token".to_owned();
        bearer.tokens.refused_anew(&says);
        Err(Trouble::Barred(says))
    }

    /// What a server says before it has seen anything of a letter.
    fn unwelcome(&self, error: &Error) -> Trouble {
        match error.status() {
            // The server's own words may repeat what we sent.
            Some(code) if LOGIN.contains(&u16::from(code)) => {
                Trouble::Barred(format!("the SMTP server refuses the login: {code}"))
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
        let is_about_us = LOGIN.contains(&u16::from(code)) || CLOSED.contains(&u16::from(code));
        if error.is_permanent() && !is_about_us { Trouble::Lasting(says) } else { Trouble::Passing(says) }
    }

    /// What the server or the system said, without the recipient.
    fn discreet(&self, error: &Error, to: &str) -> String {
        let says = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        let local = to.split('@').next().unwrap_or_default();
        let mut hidden: Vec<&str> = self.hidden.iter().map(String::as_str).collect();
        hidden.push(local);
        discreet(&says, &hidden)
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
