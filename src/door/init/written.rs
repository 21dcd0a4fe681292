//! The settings as they are written for a new house.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::in_state;
use super::providers::{Host, OAuth, Provider};
use crate::desk::settings::mail::Answers;
use crate::desk::settings::written::{Address, Zone};
use crate::rules::Language;

/// The file of the password, beside the settings.
pub(super) const PASSWORD: &str = "password";
/// The file of the secret of the host's own program at a provider.
pub(super) const CLIENT_SECRET: &str = "client-secret";

/// What somebody has answered.
pub(crate) struct NewHouse {
    /// The address that players write to.
    pub address: Address,
    /// How letters come and go.
    pub carried: Carried,
    pub moderator: (String, Address),
    /// The zone of the moderator.
    pub zone: Zone,
    /// The language of those who have not chosen any.
    pub language: Language,
    pub archive: String,
    /// Where the daemon writes, if not beside the settings.
    pub state: Option<&'static Path>,
}

/// How letters come and go.
pub(crate) enum Carried {
    Folder,
    Mail(Box<Mail>),
}

pub(crate) struct Mail {
    /// Whose it is, where it is known.
    pub provider: Option<Provider>,
    /// Where letters are fetched.
    pub imap: Host,
    /// Where letters are handed in.
    pub smtp: Host,
    /// What one signs in as.
    pub user: String,
    /// How one signs in.
    pub key: MailKey,
    /// A certificate that is trusted beside those of the system.
    pub root_certificate: Option<PathBuf>,
    /// How answers find their letter; none where nobody has said anything yet.
    pub answers: Option<Answers>,
    /// The servers (whether each is the one that takes letters) for which another seal was tried.
    pub sealed: Vec<bool>,
}

/// How one signs in.
pub(crate) enum MailKey {
    /// With a password in a file that was there.
    Kept(PathBuf),
    /// With a password that was typed, and gets a file.
    Typed(String),
    /// With one that has its file already.
    Left,
    OAuth {
        /// Where the provider gives tokens.
        oauth: Box<OAuth>,
        /// What the provider calls the host's own program.
        client_id: String,
        /// Its secret, which gets a file.
        client_secret: Option<String>,
    },
}

impl NewHouse {
    /// The secret that gets a file of this name.
    pub(crate) fn secret(&self) -> Option<(&'static str, &str)> {
        match &self.carried {
            Carried::Mail(mail) => match &mail.key {
                MailKey::Typed(password) => Some((PASSWORD, password)),
                MailKey::OAuth { client_secret, .. } => client_secret.as_deref().map(|secret| (CLIENT_SECRET, secret)),
                MailKey::Kept(_) | MailKey::Left => None,
            },
            Carried::Folder => None,
        }
    }

    /// Whether somebody has to consent with a browser.
    pub(crate) fn needs_consent(&self) -> bool {
        match &self.carried {
            Carried::Mail(mail) => matches!(mail.key, MailKey::OAuth { .. }),
            Carried::Folder => false,
        }
    }

    /// Takes another way for answers to find their letter.
    pub(crate) fn answer_by(&mut self, answers: Answers) {
        match &mut self.carried {
            Carried::Mail(mail) => mail.answers = Some(answers),
            Carried::Folder => {}
        }
    }

    /// Takes another seal for one of the servers. Says whether it is another, and was not tried before.
    pub(crate) fn seals(&mut self, is_way_out: bool, tls: &str) -> bool {
        let Carried::Mail(mail) = &mut self.carried else { return false };
        let was_tried = mail.sealed.contains(&is_way_out);
        mail.sealed.push(is_way_out);
        let host = if is_way_out { &mut mail.smtp } else { &mut mail.imap };
        let is_other = host.tls != tls && !was_tried;
        if is_other {
            tls.clone_into(&mut host.tls);
        }
        is_other
    }

    pub(crate) fn text(&self) -> String {
        let carrier = match &self.carried {
            Carried::Folder => self.folder(),
            Carried::Mail(mail) => self.mail(mail),
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
             [carriers.spool]\nkind = \"spool\"\naddress = {}\nin = {}\nout = {}\n",
            quoted(self.address.as_str()),
            quoted(&in_state(self.state, "in")),
            quoted(&in_state(self.state, "out"))
        )
    }

    fn mail(&self, mail: &Mail) -> String {
        let mut text = String::from("# The mailbox: letters come by IMAP and go by SMTP.\n");
        if let Some(provider) = &mail.provider {
            let _ = writeln!(text, "# {}: from {}, as of {}.", provider.name, provider.source, provider.as_of);
        }
        let server = |host: &Host| {
            format!("{{ host = {}, port = {}, tls = {} }}", quoted(&host.host), host.port, quoted(&host.tls))
        };
        let key = match &mail.key {
            MailKey::Kept(file) => password(&file.display().to_string()),
            MailKey::Typed(_) | MailKey::Left => password(PASSWORD),
            MailKey::OAuth { .. } => String::new(),
        };
        let _ = write!(
            text,
            "[carriers.mail]\nkind = \"mailbox\"\naddress = {}\ndisplay_name = \"Cursus\"\nuser = {}\n{key}\
             imap = {}\nsmtp = {}\n# Letters that were read are moved into this folder.\nfolder = \"Cursus\"\n",
            quoted(self.address.as_str()),
            quoted(&mail.user),
            server(&mail.imap),
            server(&mail.smtp)
        );
        if let Some(answers) = &mail.answers {
            let says = match answers.delimiter {
                Some(_) => "Addresses with a + in them do not arrive here; those with another sign do.",
                None => "Addresses with a + in them do not arrive here; answers find their letter otherwise.",
            };
            let _ = writeln!(text, "# {says}\n{}", answers.written());
        }
        if let Some(most) = mail.provider.as_ref().and_then(|provider| provider.per_day) {
            let per_day = most - most / 10;
            let _ = writeln!(
                text,
                "# The provider takes {most} letters a day; a tenth is left for what you send by hand. What is more waits.\n\
                 per_day = {per_day}"
            );
        }
        if let Some(root) = &mail.root_certificate {
            let _ = writeln!(text, "root_certificate = {}", quoted(&root.display().to_string()));
        }
        if let MailKey::OAuth { oauth, client_id, client_secret } = &mail.key {
            let _ = write!(
                text,
                "\n# One signs in with a browser: `cursus sign-in` does it, and again whenever the provider wants it.\n\
                 [carriers.mail.oauth]\nclient_id = {}\n",
                quoted(client_id)
            );
            if client_secret.is_some() {
                let _ = writeln!(text, "client_secret_file = \"{CLIENT_SECRET}\"");
            }
            let _ = writeln!(text, "# The tokens stand in this file, which only the user of Cursus can read.");
            let tokens = quoted(&in_state(self.state, "token.json"));
            let _ = writeln!(text, "token_file = {tokens}\ntoken_url = {}", quoted(&oauth.token_url));
            let optional = [
                ("device_url", &oauth.device_url),
                ("authorize_url", &oauth.authorize_url),
                ("redirect", &oauth.redirect),
                ("mechanism", &oauth.mechanism),
            ];
            for (key, value) in optional {
                if let Some(value) = value {
                    let _ = writeln!(text, "{key} = {}", quoted(value));
                }
            }
            let _ = writeln!(text, "scope = {}", quoted(&oauth.scope));
        }
        text
    }
}

fn password(file: &str) -> String {
    let says = "# The password stands alone in this file, which only the user of Cursus can read.";
    format!("{says}\npassword_file = {}\n", quoted(file))
}

/// A text as TOML writes it, whatever is in it.
pub(crate) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
