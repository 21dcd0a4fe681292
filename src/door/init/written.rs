//! The settings as they are written for a new house.

use std::fmt::Write;
use std::path::PathBuf;

use super::providers::{Host, Provider};
use crate::desk::settings::written::{Address, Zone};
use crate::rules::Language;

/// What somebody has answered.
pub(crate) struct House {
    /// The address that players write to.
    pub address: Address,
    /// How letters come and go.
    pub carried: Carried,
    /// Who moderates.
    pub moderator: (String, Address),
    /// The zone of the moderator.
    pub zone: Zone,
    /// The language of those who have not chosen any.
    pub language: Language,
    /// The archive.
    pub archive: String,
}

/// How letters come and go.
pub(crate) enum Carried {
    /// Through two folders.
    Folder,
    /// Through a mailbox.
    Mail(Box<Mail>),
}

/// A mailbox.
pub(crate) struct Mail {
    /// Whose it is, where it is known.
    pub provider: Option<Provider>,
    /// Where letters are fetched.
    pub imap: Host,
    /// Where letters are handed in.
    pub smtp: Host,
    /// What one signs in as.
    pub user: String,
    /// The password.
    pub password: Password,
    /// A certificate that is trusted beside those of the system.
    pub root_certificate: Option<PathBuf>,
}

/// Where a password is.
pub(crate) enum Password {
    /// In a file that was there.
    Kept(PathBuf),
    /// It was typed, and gets a file.
    Typed(String),
}

impl House {
    /// The password that gets a file.
    pub(crate) fn typed_password(&self) -> Option<&str> {
        match &self.carried {
            Carried::Mail(mail) => match &mail.password {
                Password::Typed(password) => Some(password),
                Password::Kept(_) => None,
            },
            Carried::Folder => None,
        }
    }

    /// The settings.
    pub(crate) fn text(&self, password: &str) -> String {
        let carrier = match &self.carried {
            Carried::Folder => self.folder(),
            Carried::Mail(mail) => self.mail(mail, password),
        };
        let (name, moderator) = &self.moderator;
        let (archive, language, zone) = (quoted(&self.archive), self.language.code(), quoted(&self.zone.to_string()));
        let (name, moderator) = (quoted(name), quoted(moderator.as_str()));
        format!(
            "# The settings of Cursus, as `cursus init` wrote them. Every other key, with what it means, is explained in the\n\
             # sample settings, config/cursus.toml. Paths begin at the folder of this file.\n\n\
             # Everything that ever happens, in one file. `cursus backup FILE` copies it while the daemon runs.\n\
             archive = {archive}\n\n\
             # The language of those who have not chosen any: \"en\" or \"pl\".\n\
             language = \"{language}\"\n\n\
             # What is logged: \"error\", \"warn\", \"info\", \"debug\" or \"trace\".\n\
             log = \"info\"\n\n\
             {carrier}\n\
             # Who moderates: commands are taken from these addresses, and troubles are told to the first.\n\
             [[moderators]]\n\
             name = {name}\n\
             addresses = [{moderator}]\n\
             language = \"{language}\"\n\
             zone = {zone}\n"
        )
    }

    fn folder(&self) -> String {
        format!(
            "# Two folders (Maildirs): letters are taken from the first and put into the second. No server is needed.\n\
             [carriers.spool]\nkind = \"spool\"\naddress = {}\nin = \"in\"\nout = \"out\"\n",
            quoted(self.address.as_str())
        )
    }

    fn mail(&self, mail: &Mail, password: &str) -> String {
        let mut text = String::from("# The mailbox: letters come by IMAP and go by SMTP.\n");
        if let Some(provider) = &mail.provider {
            let _ = writeln!(text, "# {}: from {}, as of {}.", provider.name, provider.source, provider.as_of);
        }
        let server = |host: &Host| {
            format!("{{ host = {}, port = {}, tls = {} }}", quoted(&host.host), host.port, quoted(&host.tls))
        };
        let password = match &mail.password {
            Password::Kept(file) => file.display().to_string(),
            Password::Typed(_) => password.to_owned(),
        };
        let _ = write!(
            text,
            "[carriers.mail]\nkind = \"mailbox\"\naddress = {}\ndisplay_name = \"Cursus\"\nuser = {}\n\
             # The password stands alone in this file, which only the user of Cursus can read.\npassword_file = {}\n\
             imap = {}\nsmtp = {}\n# Letters that were read are moved into this folder.\nfolder = \"Cursus\"\n",
            quoted(self.address.as_str()),
            quoted(&mail.user),
            quoted(&password),
            server(&mail.imap),
            server(&mail.smtp)
        );
        if let Some(root) = &mail.root_certificate {
            let _ = writeln!(text, "root_certificate = {}", quoted(&root.display().to_string()));
        }
        text
    }
}

/// A text as TOML writes it, whatever is in it.
pub(crate) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
