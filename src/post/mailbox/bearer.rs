//! Letters out with a token: the line to an SMTP server that takes no password.
//!
//! The library knows one of the two mechanisms, holds a token for life, and calls some refusals of a token permanent; so
//! the greeting is said here, with the token of the moment. What is refused before a letter was shown is not about the letter.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use lettre::address::Envelope;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::client::{SmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;

use super::settings::{Mechanism, Server, Tls};
use super::tokens::Tokens;
use crate::post::secret::Secret;

/// A line that was not used for so long is not used again.
const IDLE: Duration = Duration::from_secs(60);

pub(super) struct Bearer {
    pub(super) server: Server,
    pub(super) parameters: Option<TlsParameters>,
    pub(super) user: String,
    pub(super) tokens: Arc<Tokens>,
    pub(super) open: Mutex<Vec<(Instant, SmtpConnection)>>,
}

/// Why there is no line.
pub(super) enum NoLine {
    /// The server refuses the token.
    Refused,
    /// Whatever else went wrong, which may pass.
    Error(Error),
}

impl Bearer {
    /// A line on which we are signed in: one that is open and answers, or a new one.
    pub(super) fn line(&self, token: &Secret, answer: Duration) -> Result<SmtpConnection, NoLine> {
        while let Some((since, mut line)) = self.open.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            if since.elapsed() < IDLE && line.test_connected() {
                return Ok(line);
            }
            line.abort();
        }
        let hello = ClientId::default();
        let place = (self.server.host.as_str(), self.server.port_or(465, 587));
        let wrapped = self.parameters.as_ref().filter(|_| self.server.tls == Tls::Implicit);
        let connected = SmtpConnection::connect(place, Some(answer), &hello, wrapped, None);
        let mut line = connected.map_err(NoLine::Error)?;
        if let (Tls::StartTls, Some(parameters)) = (self.server.tls, &self.parameters) {
            line.starttls(parameters, &hello).map_err(NoLine::Error)?;
        }
        match self.sign_in(&mut line, token) {
            Ok(()) => Ok(line),
            Err(why) => {
                line.abort();
                Err(why)
            }
        }
    }

    /// Sends a letter on a line, which may be used again if it still works.
    pub(super) fn send(&self, mut line: SmtpConnection, envelope: &Envelope, raw: &[u8]) -> Result<(), Error> {
        let sent = line.send(envelope, raw).map(|_| ());
        match sent {
            Ok(()) => self.put_back(line),
            Err(_) => line.abort(),
        }
        sent
    }

    /// Keeps a line for the next letter.
    pub(super) fn put_back(&self, line: SmtpConnection) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).push((Instant::now(), line));
    }

    fn sign_in(&self, line: &mut SmtpConnection, token: &Secret) -> Result<(), NoLine> {
        let mechanism = self.tokens.settings().mechanism;
        let words = mechanism.words(&self.user, token, &self.server.host, self.server.port_or(465, 587));
        let command = format!("AUTH {} {}\r\n", mechanism.name(), BASE64_STANDARD.encode(words));
        let answer = match line.command(command) {
            // A refusal may come as a challenge first; whoever gives way is told the code.
            Ok(answer) if answer.has_code(334) => {
                line.command(format!("{}\r\n", BASE64_STANDARD.encode(mechanism.gives_way())))
            }
            answer => answer,
        };
        match answer {
            Ok(answer) if answer.has_code(235) => Ok(()),
            Ok(_) => Err(NoLine::Refused),
            Err(error) => match error.status() {
                Some(code) if (500..600).contains(&u16::from(code)) => Err(NoLine::Refused),
                Some(_) | None => Err(NoLine::Error(error)),
            },
        }
    }
}

impl Mechanism {
    /// What it is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Mechanism::XOAuth2 => "XOAUTH2",
            Mechanism::OAuthBearer => "OAUTHBEARER",
        }
    }

    /// What is said with a token.
    pub(super) fn words(self, user: &str, token: &Secret, host: &str, port: u16) -> String {
        let token = token.reveal();
        match self {
            Mechanism::XOAuth2 => format!("user={user}\x01auth=Bearer {token}\x01\x01"),
            Mechanism::OAuthBearer => {
                // A comma or an equals sign would end the name (RFC 5801).
                let user = user.replace('=', "=3D").replace(',', "=2C");
                format!("n,a={user},\x01host={host}\x01port={port}\x01auth=Bearer {token}\x01\x01")
            }
        }
    }

    /// What is said to a refusal that comes as a challenge.
    pub(super) fn gives_way(self) -> &'static str {
        match self {
            Mechanism::XOAuth2 => "",
            Mechanism::OAuthBearer => "\x01",
        }
    }
}
