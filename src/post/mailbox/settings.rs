//! Where a mailbox is, and how we prove that it is ours.

use std::net::IpAddr;
use std::path::PathBuf;

use serde::Deserialize;

use crate::post::carrier::Trouble;
use crate::post::secret::Secret;

/// A mailbox in the settings. The password is not among them: they say where it is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailboxSettings {
    /// Where letters are fetched.
    pub imap: Server,
    /// Where letters are handed in.
    pub smtp: Server,
    /// The name at the login.
    pub user: String,
    /// A file with the password and nothing else.
    pub password_file: Option<PathBuf>,
    /// The environment variable that has the password.
    pub password_env: Option<String>,
    /// How one signs in where no password is taken.
    pub oauth: Option<OAuthSettings>,
    /// The address that letters are sent from.
    pub address: String,
    /// The name that is shown with it.
    pub display_name: Option<String>,
    /// The folder that new letters come into.
    #[serde(default = "inbox")]
    pub inbox: String,
    /// The folder that letters are moved to when they are remembered.
    #[serde(default = "folder")]
    pub folder: String,
    /// A certificate (PEM) that is trusted beside those of the system.
    pub root_certificate: Option<PathBuf>,
}

/// How one signs in with a token (OAuth 2). Who we are there is the host's own: every host registers their own program.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OAuthSettings {
    /// What the provider calls the program that the host has registered.
    pub client_id: String,
    /// A file with its secret, where the provider gave one.
    pub client_secret_file: Option<PathBuf>,
    /// The file that the tokens are kept in.
    pub token_file: PathBuf,
    /// Where tokens are given and renewed.
    pub token_url: String,
    /// Where a code is given that is typed into any browser.
    pub device_url: Option<String>,
    /// Where a browser of this machine consents.
    pub authorize_url: Option<String>,
    /// What is asked for.
    pub scope: String,
    /// How a token is shown to the mail servers.
    #[serde(default)]
    pub mechanism: Mechanism,
    /// What this machine is called where a browser comes back to it: `127.0.0.1` or `localhost`.
    pub redirect: Option<String>,
}

/// How a token is shown to a mail server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mechanism {
    /// What all large providers take.
    #[default]
    XOAuth2,
    /// The standard (RFC 7628).
    OAuthBearer,
}

impl OAuthSettings {
    /// The secret of the program, where there is one.
    pub(super) fn client_secret(&self) -> Result<Option<Secret>, Trouble> {
        let file = self.client_secret_file.as_deref();
        file.map(|file| Secret::read("client_secret", Some(file), None)).transpose()
    }

    /// What this machine is called where a browser comes back to it.
    pub(super) fn redirect_host(&self) -> &str {
        self.redirect.as_deref().unwrap_or("127.0.0.1")
    }

    /// Whether the settings can work at all.
    pub(super) fn verified(&self) -> Result<(), Trouble> {
        let urls = [Some(&self.token_url), self.device_url.as_ref(), self.authorize_url.as_ref()];
        for url in urls.into_iter().flatten() {
            crate::post::forum::verified(url)?;
        }
        self.client_secret().map(|_| ())
    }
}

/// A server in the settings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    pub host: String,
    /// Its port, if it is not the usual one.
    pub port: Option<u16>,
    /// How the connection is sealed.
    #[serde(default)]
    pub tls: Tls,
}

/// How a connection is sealed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tls {
    /// From the first byte.
    #[default]
    Implicit,
    /// After a greeting in the open; a server that does not offer it is not used.
    StartTls,
    /// Not at all: only for a server on this machine.
    None,
}

impl MailboxSettings {
    /// Reads the password from where the settings say it is.
    ///
    /// # Errors
    /// [`Trouble::Lasting`]: it is not there, or the settings do not say where it is.
    pub(crate) fn password(&self) -> Result<Secret, Trouble> {
        Secret::read("password", self.password_file.as_deref(), self.password_env.as_deref())
    }

    /// Whether the settings can work at all.
    pub(super) fn verified(&self) -> Result<(), Trouble> {
        for (what, server) in [("imap", &self.imap), ("smtp", &self.smtp)] {
            if server.tls == Tls::None && !server.is_here() {
                let says = format!("tls = \"none\" is only for a server on this machine, and {what} has another host");
                return Err(Trouble::Lasting(says));
            }
        }
        for (what, folder) in [("inbox", &self.inbox), ("folder", &self.folder)] {
            // Names of other characters would have to be encoded.
            if folder.is_empty()
                || !folder.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
                || folder.contains(['"', '\\', '&', '*', '%'])
            {
                return Err(Trouble::Lasting(format!("{what} is no plain name of a folder")));
            }
        }
        if self.user.is_empty() || self.user.contains(char::is_control) {
            return Err(Trouble::Lasting("user is no name for a login".to_owned()));
        }
        Ok(())
    }
}

impl Server {
    /// Its port, or the usual one: of two, that for a sealed connection comes first.
    pub(super) fn port_or(&self, sealed: u16, open: u16) -> u16 {
        let usual = match self.tls {
            Tls::Implicit => sealed,
            Tls::StartTls | Tls::None => open,
        };
        self.port.unwrap_or(usual)
    }

    /// Whether it is on this machine.
    fn is_here(&self) -> bool {
        self.host == "localhost" || self.host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

fn inbox() -> String {
    "INBOX".to_owned()
}

fn folder() -> String {
    "Cursus".to_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const SETTINGS: &str = "user = 'gm'\npassword_env = 'NO_SUCH_VARIABLE'\naddress = 'gm@test.invalid'\n\
        imap = { host = 'mail.test.invalid' }\nsmtp = { host = 'localhost', port = 2525, tls = 'none' }\n";

    fn settings(text: &str) -> MailboxSettings {
        toml::from_str(text).expect("settings")
    }

    #[test]
    fn little_needs_to_be_said() {
        let settings = settings(SETTINGS);
        assert_eq!((settings.inbox.as_str(), settings.folder.as_str()), ("INBOX", "Cursus"));
        assert_eq!((settings.imap.tls, settings.imap.port_or(993, 143)), (Tls::Implicit, 993));
        assert_eq!((settings.smtp.tls, settings.smtp.port_or(465, 587)), (Tls::None, 2525));
        assert_eq!(settings.verified(), Ok(()));
        assert!(toml::from_str::<MailboxSettings>(&format!("{SETTINGS}pasword = 'x'\n")).is_err());
    }

    #[test]
    fn nothing_goes_out_unsealed() {
        let open = settings(&SETTINGS.replace("'localhost'", "'mail.test.invalid'"));
        assert!(matches!(open.verified(), Err(Trouble::Lasting(_))));
        for host in ["127.0.0.1", "::1"] {
            assert_eq!(settings(&SETTINGS.replace("localhost", host)).verified(), Ok(()));
        }
        let folder = settings(&format!("{SETTINGS}folder = \"a\\r\\nb\"\n"));
        assert!(matches!(folder.verified(), Err(Trouble::Lasting(_))));
    }

    #[test]
    fn the_password_is_read_and_never_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("password");
        let mut settings = settings(SETTINGS);
        assert!(matches!(settings.password(), Err(Trouble::Lasting(_))), "there is no such variable");
        settings.password_file = Some(file.clone());
        assert!(matches!(settings.password(), Err(Trouble::Lasting(_))), "two places are one too many");
        settings.password_env = None;
        assert!(matches!(settings.password(), Err(Trouble::Lasting(_))), "there is no such file");
        fs::write(&file, "hase w ogródku\r\n").expect("a file");
        let secret = settings.password().expect("a password");
        assert_eq!((secret.reveal(), format!("{secret:?}").as_str()), ("hase w ogródku", "Secret(…)"));
        fs::write(&file, "\n").expect("a file");
        assert!(matches!(settings.password(), Err(Trouble::Lasting(_))));
    }
}
