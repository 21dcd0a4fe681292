//! What the flags of `cursus init` answer beforehand.

use std::path::PathBuf;

use clap::Args;

use crate::desk::settings::written::Length;
use crate::door::call;
use crate::rules::Language;

/// What somebody has answered beforehand.
#[derive(Debug, Clone, Args)]
pub struct Wish {
    /// The folder for the settings; it is made if it is not there.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(super) folder: PathBuf,
    #[command(flatten)]
    pub(super) mailbox: MailboxWish,
    /// Who moderates: "Ann <ann@example.org>".
    #[arg(long, value_name = "PERSON")]
    pub(super) moderator: Option<String>,
    /// The moderator's time zone.
    #[arg(long)]
    pub(super) zone: Option<String>,
    /// The language of those who have not chosen any, en or pl.
    #[arg(long, value_parser = call::language)]
    pub(super) language: Option<Language>,
    /// The archive; cursus.sqlite if it is left out.
    #[arg(long, value_name = "FILE")]
    pub(super) archive: Option<String>,
    /// How long the doctor waits for a letter to ourselves.
    #[arg(long, value_name = "TIME", default_value = "1min")]
    pub(super) wait: Length,
    /// Leaves the doctor out.
    #[arg(long)]
    pub(super) no_doctor: bool,
    /// Takes what is usual wherever no flag answers, and creates no game.
    #[arg(long)]
    pub(super) yes: bool,
}

/// The mailbox of the house, as far as flags say.
#[derive(Debug, Clone, Args)]
pub(super) struct MailboxWish {
    /// The address that Cursus has for itself.
    #[arg(long)]
    pub(super) address: Option<String>,
    /// Whose mailbox it is: a provider of config/providers.toml, `own`, or `folder` for no server at all.
    #[arg(long, value_name = "NAME")]
    pub(super) provider: Option<String>,
    /// The server letters are fetched from: HOST, HOST:PORT or HOST:PORT:TLS.
    #[arg(long, value_name = "HOST")]
    pub(super) imap: Option<String>,
    /// The server letters are handed in at, written in the same way.
    #[arg(long, value_name = "HOST")]
    pub(super) smtp: Option<String>,
    /// What one signs in as; the address if it is left out.
    #[arg(long)]
    pub(super) user: Option<String>,
    /// A file with the password that is there already; it is asked for otherwise.
    #[arg(long, value_name = "FILE")]
    pub(super) password_file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) consent: ConsentWish,
    /// A certificate that is trusted beside those of the system.
    #[arg(long, value_name = "FILE")]
    pub(super) root_certificate: Option<PathBuf>,
}

/// How one signs in there with a browser.
#[derive(Debug, Clone, Args)]
pub(super) struct ConsentWish {
    /// The client id of the program that you registered at the provider: one signs in with a browser then.
    #[arg(long, value_name = "ID")]
    pub(super) client_id: Option<String>,
    /// A file with its client secret, where the provider gave one.
    #[arg(long, value_name = "FILE")]
    pub(super) client_secret_file: Option<PathBuf>,
    /// Where a server of your own gives tokens (OAuth 2).
    #[arg(long, value_name = "URL", requires = "client_id")]
    pub(super) token_url: Option<String>,
    /// Where it gives codes that are typed into any browser.
    #[arg(long, value_name = "URL", requires = "token_url")]
    pub(super) device_url: Option<String>,
    /// Where a browser of this machine consents.
    #[arg(long, value_name = "URL", requires = "token_url")]
    pub(super) authorize_url: Option<String>,
    /// What is asked for there.
    #[arg(long, requires = "token_url")]
    pub(super) scope: Option<String>,
}

impl Wish {
    /// How long the doctor waits for a letter to itself; none leaves the doctor out.
    pub(super) fn doctor(&self) -> Option<Length> {
        (!self.no_doctor).then_some(self.wait)
    }

    /// Whether a flag answers one of the questions. Every field is named, so that none is forgotten.
    pub(super) fn has_answers(&self) -> bool {
        let Wish { folder: _, mailbox, moderator, zone, language, archive, wait: _, no_doctor: _, yes: _ } = self;
        let MailboxWish { address, provider, imap, smtp, user, password_file, consent, root_certificate } = mailbox;
        let ConsentWish { client_id, client_secret_file, token_url, device_url, authorize_url, scope } = consent;
        let words = [address, provider, imap, smtp, user, client_id, token_url, device_url, authorize_url, scope];
        let others = [moderator, zone, archive];
        let files = [password_file, client_secret_file, root_certificate];
        words.into_iter().chain(others).any(Option::is_some)
            || files.into_iter().any(Option::is_some)
            || language.is_some()
    }
}
