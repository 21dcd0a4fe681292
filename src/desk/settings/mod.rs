//! The settings of the house, `config/cursus.toml`: where everything is, how letters come and go, and who moderates.
//!
//! Comes in: the text of the file. Goes out: [`Settings`], or everything that is wrong with it. Every key has a default, so
//! an empty file will do. Paths that are not absolute begin at the folder of the file, wherever the daemon is started.

mod carriers;
mod club;
pub mod game_file;
pub mod mail;
mod seats;
pub mod toml_file;
mod web;
pub mod written;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::{fs, io};

use chrono::{DateTime, Utc};
use tracing::Level;

use crate::archive::Retention;
pub use crate::desk::settings::club::ClubSettings;
use crate::desk::settings::mail::Habits;
use crate::desk::settings::toml_file::{Faults, TomlFile, TomlTable, Written, choices};
use crate::desk::settings::written::{Address, Length, Zone};
use crate::post::Form;
use crate::post::forum::{FeedSettings, ForumSettings};
use crate::post::mailbox::{MailboxSettings, Mechanism, Tls};
use crate::post::spool::SpoolSettings;
use crate::report::letters::Markup;
use crate::rules::Language;

/// The settings of the house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The archive, a SQLite file.
    pub archive: PathBuf,
    /// A folder of another edition of the printed game; none is the built-in one.
    pub rules: Option<PathBuf>,
    /// A folder with templates that take the place of the built-in ones of the same name.
    pub templates: Option<PathBuf>,
    /// The language of those who have not chosen any.
    pub language: Language,
    pub log: Level,
    /// How often carriers that cannot wait for letters look for them.
    pub polling: Length,
    /// How many letters an hour are read from one sender; more are set aside.
    pub letters_per_hour: u32,
    /// How the daemon says that it is well.
    pub health: Health,
    /// How long what is large is kept.
    pub keep: Keep,
    /// How letters come and go; the first is used where a game names none.
    pub carriers: Vec<CarrierSettings>,
    /// Who moderates; the first where a game names none.
    pub moderators: Vec<Person>,
    /// The order page, if there is one.
    pub web: Option<crate::web::Settings>,
    /// Whether strangers are answered, and where people sign up.
    pub club: ClubSettings,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            archive: PathBuf::from("cursus-data/cursus.sqlite"),
            rules: None,
            templates: None,
            language: Language::English,
            log: Level::INFO,
            polling: Length::seconds(60),
            letters_per_hour: 60,
            health: Health::default(),
            keep: Keep::default(),
            carriers: vec![CarrierSettings::default()],
            moderators: Vec::new(),
            web: None,
            club: ClubSettings::default(),
        }
    }
}

/// How the daemon says that it is well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// The file it writes; none writes only to the log.
    pub file: Option<PathBuf>,
    pub every: Length,
}

impl Default for Health {
    fn default() -> Health {
        Health { file: None, every: Length::minutes(5) }
    }
}

/// How long what is large is kept. Events, rulings, sheets, the words of our letters, and of every letter its head and its
/// hash, are kept for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Letters as they came.
    pub letters: Length,
    /// Pictures, pages and data of our letters.
    pub pictures: Length,
    /// The states at the ends of turns; the last of each game stays.
    pub snapshots: Length,
}

impl Default for Keep {
    fn default() -> Keep {
        Keep { letters: Length::hours(365 * 24), pictures: Length::hours(30 * 24), snapshots: Length::hours(90 * 24) }
    }
}

impl Keep {
    /// Until when what is old may go now.
    pub(crate) fn at(&self, now: DateTime<Utc>) -> Retention {
        let before = |length: Length| now - length.delta();
        Retention { letters: before(self.letters), pictures: before(self.pictures), snapshots: before(self.snapshots) }
    }
}

/// A carrier, `[carriers.NAME]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarrierSettings {
    pub name: String,
    /// Its own address, to which players write.
    pub address: Address,
    /// The host whose `Authentication-Results` are believed; none believes nobody's.
    pub authserv_id: Option<String>,
    /// What its provider wants of mail; nothing of it concerns a forum.
    pub habits: Habits,
    pub kind: CarrierKind,
}

impl Default for CarrierSettings {
    fn default() -> CarrierSettings {
        let address: Address = "cursus@example.org".parse().expect("the default address is one");
        let spool = SpoolSettings {
            inbox: PathBuf::from("cursus-data/in"),
            outbox: PathBuf::from("cursus-data/out"),
            address: address.to_string(),
            display_name: None,
        };
        let (name, kind) = ("spool".to_owned(), CarrierKind::Spool(spool));
        CarrierSettings { name, address, authserv_id: None, habits: Habits::default(), kind }
    }
}

/// What a carrier is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CarrierKind {
    Spool(SpoolSettings),
    /// A mailbox: IMAP in, SMTP out.
    Mailbox(Box<MailboxSettings>),
    /// A forum with an interface: Discourse or Misago.
    Forum(Box<ForumSettings>),
    /// Threads of other boards, which are only read, and how what somebody pastes there is marked up.
    Feed(FeedSettings, Markup),
}

impl CarrierSettings {
    /// The form of what it brings and takes.
    pub(crate) fn form(&self) -> Form {
        match &self.kind {
            CarrierKind::Spool(_) | CarrierKind::Mailbox(_) => Form::Mail,
            CarrierKind::Forum(_) | CarrierKind::Feed(..) => Form::Post,
        }
    }

    /// Whether a person can be written to by it alone.
    pub(crate) fn reaches_persons(&self) -> bool {
        match &self.kind {
            CarrierKind::Spool(_) | CarrierKind::Mailbox(_) => true,
            CarrierKind::Forum(forum) => forum.private_messages,
            CarrierKind::Feed(..) => false,
        }
    }

    /// Whether it is a mailbox on a server.
    pub(crate) fn is_mailbox(&self) -> bool {
        match &self.kind {
            CarrierKind::Mailbox(_) => true,
            CarrierKind::Spool(_) | CarrierKind::Forum(_) | CarrierKind::Feed(..) => false,
        }
    }

    /// How what a person pastes there is marked up, where nobody else can write.
    pub(crate) fn markup(&self) -> Option<Markup> {
        match &self.kind {
            CarrierKind::Feed(_, markup) => Some(*markup),
            CarrierKind::Spool(_) | CarrierKind::Mailbox(_) | CarrierKind::Forum(_) => None,
        }
    }

    /// What we are called in its forum; nothing where there is none.
    pub(crate) fn own_name(&self) -> &str {
        match &self.kind {
            CarrierKind::Forum(forum) => &forum.user,
            CarrierKind::Spool(_) | CarrierKind::Mailbox(_) | CarrierKind::Feed(..) => "",
        }
    }
}

choices!(Markup { "bbcode" => Markup::BbCode, "markdown" => Markup::Markdown, "plain" => Markup::Plain });
choices!(Mechanism { "xoauth2" => Mechanism::XOAuth2, "oauthbearer" => Mechanism::OAuthBearer });
choices!(Tls { "implicit" => Tls::Implicit, "starttls" => Tls::StartTls, "none" => Tls::None });

/// A person the house writes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// What to call the player.
    pub name: String,
    /// Where the player writes from; the first is where the player is written to. Whoever is in the game's forum needs
    /// none.
    pub addresses: Vec<Address>,
    /// What the player is called in the game's forum.
    pub forum: Option<String>,
    /// The language the player is written to in.
    pub language: Language,
    /// The zone of the player's clock.
    pub zone: Zone,
    /// How the player likes their letters.
    pub format: Format,
}

choices!(Language { "en" => Language::English, "pl" => Language::Polish });

/// How somebody likes their letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Text and HTML with a map.
    #[default]
    Html,
    Text,
}

choices!(Format { "html" => Format::Html, "text" => Format::Text });

choices!(Level {
    "error" => Level::ERROR,
    "warn" => Level::WARN,
    "info" => Level::INFO,
    "debug" => Level::DEBUG,
    "trace" => Level::TRACE,
});

/// Why there are no settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file cannot be opened.
    #[error("cannot read the settings {}: {error}", path.display())]
    Closed { path: PathBuf, error: io::Error },
    /// The file is wrong.
    #[error(transparent)]
    Wrong(#[from] Faults),
}

impl Settings {
    /// The settings in this file.
    ///
    /// # Errors
    /// It cannot be opened, or is wrong.
    pub fn load(path: &Path) -> Result<Settings, SettingsError> {
        let text = fs::read_to_string(path).map_err(|error| SettingsError::Closed { path: path.to_owned(), error })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(Settings::read(&path.display().to_string(), &text, folder)?)
    }

    /// The settings in this text. Relative paths begin at `folder`.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(name: &str, text: &str, folder: &Path) -> Result<Settings, Faults> {
        let (mut file, mut head) = TomlFile::open(name, text)?;
        let settings = settings(&mut file, &mut head);
        file.close(head, Some(settings)).map(|settings| settings.within(folder))
    }

    /// The carrier of this name.
    pub(crate) fn carrier(&self, name: &str) -> Option<&CarrierSettings> {
        self.carriers.iter().find(|carrier| carrier.name == name)
    }

    /// Whether letters leave by a mailbox on a server, unless a game says otherwise.
    pub(crate) fn has_mailbox(&self) -> bool {
        self.carriers.iter().find(|carrier| carrier.form() == Form::Mail).is_some_and(CarrierSettings::is_mailbox)
    }

    /// An address of the sample files where letters would really be sent: nobody has it.
    pub fn sample(&self) -> Option<&Address> {
        let own = self.carriers.iter().filter(|carrier| carrier.is_mailbox()).map(|carrier| &carrier.address);
        let moderators = self.moderators.iter().flat_map(|person| &person.addresses).filter(|_| self.has_mailbox());
        own.chain(moderators).find(|address| address.is_sample())
    }

    /// Whether an address is one of ours, whatever stands behind a `+` and however it is spelt. Letters to it would come back
    /// to us for ever.
    pub(crate) fn is_own(&self, address: &str) -> bool {
        let Some(written) = plain(address) else { return false };
        let own = self.carriers.iter().filter(|carrier| carrier.form() == Form::Mail);
        let is_same = |carrier: &CarrierSettings| {
            let Some((local, host)) = plain(carrier.address.as_str()) else { return false };
            // Whatever answers carry, what stands behind a `+` comes to us at nearly every provider.
            let signs = ['+'].into_iter().chain(carrier.habits.answers.delimiter);
            let rest = written.0.strip_prefix(local.as_str());
            host == written.1
                && rest.is_some_and(|rest| rest.is_empty() || signs.into_iter().any(|sign| rest.starts_with(sign)))
        };
        own.into_iter().any(is_same)
    }

    /// The same with all relative paths beginning at a folder.
    fn within(mut self, folder: &Path) -> Settings {
        let place = |path: &mut PathBuf| *path = folder.join(&path);
        place(&mut self.archive);
        self.rules.iter_mut().chain(&mut self.templates).chain(&mut self.health.file).for_each(place);
        if let Some(tls) = self.web.as_mut().and_then(|web| web.tls.as_mut()) {
            [&mut tls.certificate, &mut tls.key].into_iter().for_each(place);
        }
        for carrier in &mut self.carriers {
            match &mut carrier.kind {
                CarrierKind::Spool(spool) => [&mut spool.inbox, &mut spool.outbox].into_iter().for_each(place),
                CarrierKind::Mailbox(mailbox) => {
                    mailbox.password_file.iter_mut().chain(&mut mailbox.root_certificate).for_each(place);
                    if let Some(oauth) = &mut mailbox.oauth {
                        oauth.client_secret_file.iter_mut().chain([&mut oauth.token_file]).for_each(place);
                    }
                }
                CarrierKind::Forum(forum) => {
                    forum.secret_file.iter_mut().chain(&mut forum.root_certificate).for_each(place);
                }
                CarrierKind::Feed(feed, _) => feed.root_certificate.iter_mut().for_each(place),
            }
        }
        self
    }
}

/// An address in small letters as name and host, so that two that are the same mailbox are the same.
fn plain(address: &str) -> Option<(String, String)> {
    let address = address.trim().to_lowercase();
    let (local, host) = address.rsplit_once('@')?;
    // Some mailboxes are the same with and without dots.
    let is_dotted = ["gmail.com", "googlemail.com"].contains(&host);
    let local = if is_dotted { local.replace('.', "") } else { local.to_owned() };
    let host = if is_dotted { "gmail.com" } else { host.trim_end_matches('.') };
    Some((local, host.to_owned()))
}

fn settings(file: &mut TomlFile, head: &mut TomlTable) -> Settings {
    let default = Settings::default();
    let language = head.take_or(file, "language", default.language);
    let carriers = head.table(file, "carriers").map_or(default.carriers, |table| carriers::carriers(file, table));
    Settings {
        archive: path(file, head, "archive").unwrap_or(default.archive),
        rules: path(file, head, "rules"),
        templates: path(file, head, "templates"),
        language,
        log: head.take_or(file, "log", default.log),
        polling: at_least(file, head, "polling", Length::seconds(1)).unwrap_or(default.polling),
        letters_per_hour: at_least(file, head, "letters_per_hour", 1).unwrap_or(default.letters_per_hour),
        health: head.table(file, "health").map_or(default.health, |table| health(file, table)),
        keep: head.table(file, "keep").map_or(default.keep, |table| keep(file, table)),
        club: head.table(file, "club").map_or(default.club, |table| club::club(file, table, &carriers)),
        carriers,
        web: head.table(file, "web").and_then(|table| web::web(file, table)),
        moderators: {
            let tables = head.tables(file, "moderators");
            tables.into_iter().filter_map(|table| moderator(file, table, language)).collect()
        },
    }
}

fn health(file: &mut TomlFile, mut table: TomlTable) -> Health {
    let health =
        Health { file: path(file, &mut table, "file"), every: table.take_or(file, "every", Health::default().every) };
    table.close(file);
    health
}

fn keep(file: &mut TomlFile, mut table: TomlTable) -> Keep {
    // A letter that is answered today may be asked about tomorrow.
    let least = Length::hours(24);
    let usual = Keep::default();
    let keep = Keep {
        letters: at_least(file, &mut table, "letters", least).unwrap_or(usual.letters),
        pictures: at_least(file, &mut table, "pictures", least).unwrap_or(usual.pictures),
        snapshots: at_least(file, &mut table, "snapshots", least).unwrap_or(usual.snapshots),
    };
    table.close(file);
    keep
}

/// A value that must not be nothing: nobody can look for letters every 0 seconds.
fn at_least<T: Written + PartialOrd + Display>(
    file: &mut TomlFile,
    table: &mut TomlTable,
    key: &str,
    least: T,
) -> Option<T> {
    let value = table.take(file, key)?;
    if value < least {
        file.fault(table.place(key), format!("`{key}` is {value}; write at least {least}"));
    }
    Some(value)
}

fn path(file: &mut TomlFile, table: &mut TomlTable, key: &str) -> Option<PathBuf> {
    table.take(file, key).map(|path: String| PathBuf::from(path))
}

fn moderator(file: &mut TomlFile, mut table: TomlTable, language: Language) -> Option<Person> {
    let moderator = person(file, &mut table, "name", (language, Zone::default()));
    table.close(file);
    moderator
}

/// The keys that make a person; the person's name stands under `key`.
pub(in crate::desk) fn person(
    file: &mut TomlFile,
    table: &mut TomlTable,
    key: &str,
    usual: (Language, Zone),
) -> Option<Person> {
    let name = table.require(file, key);
    let forum: Option<String> = table.take(file, "forum").map(|name: String| name.trim_start_matches('@').to_owned());
    let needs_none = forum.is_some() && !table.has("addresses");
    let addresses: Option<Vec<Address>> = if needs_none { Some(Vec::new()) } else { table.require(file, "addresses") };
    if forum.is_none() && addresses.as_ref().is_some_and(Vec::is_empty) {
        file.fault(table.place("addresses"), "`addresses` is empty; write at least one");
    }
    let (language, zone, format) = habits(file, table, usual);
    Some(Person { name: name?, addresses: addresses?, forum, language, zone, format })
}

/// How a person likes to be written to; language and zone are the usual ones unless the person has their own.
pub(in crate::desk) fn habits(
    file: &mut TomlFile,
    table: &mut TomlTable,
    (language, zone): (Language, Zone),
) -> (Language, Zone, Format) {
    let language = table.take_or(file, "language", language);
    let zone = table.take_or(file, "zone", zone);
    (language, zone, table.take_or(file, "format", Format::default()))
}
