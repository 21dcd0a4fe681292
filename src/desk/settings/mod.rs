//! The settings of the house, `config/cursus.toml`: where everything is, how letters come and go, and who moderates.
//!
//! Comes in: the text of the file. Goes out: [`Settings`], or everything that is wrong with it. Every key has a default, so
//! an empty file will do. Paths that are not absolute begin at the folder of the file, wherever the daemon is started.

mod club;
pub mod game_file;
pub mod mail;
pub mod toml_file;
mod web;
pub mod written;

use std::fmt::Display;
use std::net::IpAddr;
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
use crate::post::forum::{FeedSettings, ForumSettings, Software};
use crate::post::mailbox::{MailboxSettings, Mechanism, OAuthSettings, Server, Tls};
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
    pub fn is_mailbox(&self) -> bool {
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
    pub fn has_mailbox(&self) -> bool {
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
    let carriers = head.table(file, "carriers").map_or(default.carriers, |table| carriers(file, table));
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

fn carriers(file: &mut TomlFile, mut table: TomlTable) -> Vec<CarrierSettings> {
    let names = table.left();
    if names.is_empty() {
        file.fault(
            table.place(""),
            "there is no carrier; write a table such as [carriers.spool], or leave [carriers] out",
        );
    }
    let carriers = names.into_iter().filter_map(|name| {
        let inner = table.table(file, &name)?;
        if name == Form::Door.name() {
            // What is typed at the command line comes from there, and nobody could tell the two apart.
            let message =
                "`door` is what the command line is called; give the carrier another name, such as [carriers.mail]";
            file.fault(inner.place(""), message);
        }
        carrier(file, inner, name)
    });
    carriers.collect()
}

/// What a carrier may be.
#[derive(Clone, Copy)]
enum Kind {
    Spool,
    Mailbox,
    Discourse,
    Misago,
    Feed,
}

choices!(Kind {
    "spool" => Kind::Spool,
    "mailbox" => Kind::Mailbox,
    "discourse" => Kind::Discourse,
    "misago" => Kind::Misago,
    "feed" => Kind::Feed,
});

fn carrier(file: &mut TomlFile, mut table: TomlTable, name: String) -> Option<CarrierSettings> {
    let kind = table.require(file, "kind")?;
    match kind {
        Kind::Spool | Kind::Mailbox => mail_carrier(file, table, name, kind),
        Kind::Discourse => forum_carrier(file, table, name, Software::Discourse),
        Kind::Misago => forum_carrier(file, table, name, Software::Misago),
        Kind::Feed => {
            let feed = FeedSettings { root_certificate: path(file, &mut table, "root_certificate") };
            let markup = table.take_or(file, "markup", Markup::BbCode);
            table.close(file);
            let (address, kind) = (in_our_name(None), CarrierKind::Feed(feed, markup));
            Some(CarrierSettings { name, address, authserv_id: None, habits: Habits::default(), kind })
        }
    }
}

/// A forum with an interface. Its key has one place, and that is elsewhere, like every password.
fn forum_carrier(
    file: &mut TomlFile,
    mut table: TomlTable,
    name: String,
    software: Software,
) -> Option<CarrierSettings> {
    let url = forum_url(file, &mut table);
    let user = table.require(file, "user");
    let secret = match software {
        Software::Discourse => "key",
        Software::Misago => "password",
    };
    check_secret(file, &mut table, secret);
    let forum = ForumSettings {
        software,
        secret_file: path(file, &mut table, &format!("{secret}_file")),
        secret_env: table.take(file, &format!("{secret}_env")),
        category: table.take(file, "category").map(|category: u32| category.to_string()),
        private_messages: table.take_or(file, "private_messages", true),
        root_certificate: path(file, &mut table, "root_certificate"),
        url: url.unwrap_or_default(),
        user: user.unwrap_or_default(),
    };
    table.close(file);
    if forum.url.is_empty() || forum.user.is_empty() {
        return None;
    }
    let address = in_our_name(host_of(&forum.url));
    let kind = CarrierKind::Forum(Box::new(forum));
    Some(CarrierSettings { name, address, authserv_id: None, habits: Habits::default(), kind })
}

/// The address of a forum: sealed, unless it is on this machine.
fn forum_url(file: &mut TomlFile, table: &mut TomlTable) -> Option<String> {
    const WANTED: &str = "write it like \"https://forum.example.org\"";
    let url: String = table.require(file, "url")?;
    let url = url.trim().trim_end_matches('/').to_owned();
    let Some(host) = host_of(&url) else {
        file.fault(table.place("url"), format!("`url` is {url:?}, which is no address of a forum; {WANTED}"));
        return None;
    };
    if url.starts_with("http://") && !is_here(host) {
        let message = format!("`url` is {url:?}: the key would travel in the open; {WANTED}");
        file.fault(table.place("url"), message);
        return None;
    }
    Some(url)
}

/// The host of a web address.
fn host_of(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(host, _)| host);
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._[]:".contains(letter);
    Some(host).filter(|host| !host.is_empty() && host.chars().all(is_plain))
}

/// What the ids of our letters are made of where nobody writes to us by mail.
fn in_our_name(host: Option<&str>) -> Address {
    let usual = || "cursus@localhost.invalid".parse().expect("the usual name is an address");
    host.and_then(|host| format!("cursus@{host}").parse().ok()).unwrap_or_else(usual)
}

fn mail_carrier(file: &mut TomlFile, mut table: TomlTable, name: String, kind: Kind) -> Option<CarrierSettings> {
    let address: Option<Address> = table.require(file, "address");
    let authserv_id = table.take(file, "authserv_id");
    let display_name = table.take(file, "display_name");
    let habits = mail::habits(file, &mut table);
    let written = address.as_ref().map(ToString::to_string).unwrap_or_default();
    let kind = match kind {
        Kind::Spool => Some(CarrierKind::Spool(SpoolSettings {
            inbox: path(file, &mut table, "in").unwrap_or_else(|| PathBuf::from("cursus-data/in")),
            outbox: path(file, &mut table, "out").unwrap_or_else(|| PathBuf::from("cursus-data/out")),
            address: written,
            display_name,
        })),
        Kind::Mailbox | Kind::Discourse | Kind::Misago | Kind::Feed => {
            mailbox(file, &mut table, written, display_name).map(Box::new).map(CarrierKind::Mailbox)
        }
    };
    table.close(file);
    Some(CarrierSettings { name, address: address?, authserv_id, habits, kind: kind? })
}

fn mailbox(
    file: &mut TomlFile,
    table: &mut TomlTable,
    address: String,
    display_name: Option<String>,
) -> Option<MailboxSettings> {
    let user = table.require(file, "user");
    let oauth = oauth(file, table);
    if oauth.is_none() {
        check_secret(file, table, "password");
    }
    let password_file = path(file, table, "password_file");
    let password_env = table.take(file, "password_env");
    let imap = server(file, table, "imap");
    let smtp = server(file, table, "smtp");
    let inbox = table.take(file, "inbox").unwrap_or_else(|| "INBOX".to_owned());
    let folder = table.take(file, "folder").unwrap_or_else(|| "Cursus".to_owned());
    let root_certificate = path(file, table, "root_certificate");
    Some(MailboxSettings {
        imap: imap?,
        smtp: smtp?,
        user: user?,
        password_file,
        password_env,
        oauth: oauth.flatten(),
        address,
        display_name,
        inbox,
        folder,
        root_certificate,
    })
}

/// How one signs in where no password is taken: nothing where it is left out, and nothing within where it is wrong.
fn oauth(file: &mut TomlFile, table: &mut TomlTable) -> Option<Option<OAuthSettings>> {
    if !table.has("oauth") {
        return None;
    }
    for key in ["password_file", "password_env"] {
        table.refuse(file, key, "is not used beside `oauth`; take one of them away");
    }
    let Some(mut inner) = table.table(file, "oauth") else { return Some(None) };
    inner.refuse(file, "client_secret", "must not stand here; write `client_secret_file`, the path of a file with it");
    let client_id = inner.require(file, "client_id");
    let client_secret_file = path(file, &mut inner, "client_secret_file");
    let token_file = path(file, &mut inner, "token_file").unwrap_or_else(|| PathBuf::from("token.json"));
    let token_url = sealed_url(file, &mut inner, "token_url");
    if !inner.has("token_url") && token_url.is_none() {
        inner.missing(file, "token_url", "the address where the provider gives tokens");
    }
    let device_url = sealed_url(file, &mut inner, "device_url");
    let authorize_url = sealed_url(file, &mut inner, "authorize_url");
    let scope = inner.require(file, "scope");
    let mechanism = inner.take_or(file, "mechanism", Mechanism::XOAuth2);
    let redirect: Option<String> = inner.take(file, "redirect");
    if let Some(other) = redirect.as_deref().filter(|host| !["127.0.0.1", "localhost"].contains(host)) {
        let message = format!("`redirect` is {other:?}; a browser comes back to \"127.0.0.1\" or \"localhost\"");
        file.fault(inner.place("redirect"), message);
    }
    if device_url.is_none() && authorize_url.is_none() {
        inner.missing(file, "authorize_url", "or `device_url`, the address where one consents");
    }
    inner.close(file);
    let whole = |client_id, token_url, scope| OAuthSettings {
        client_id,
        client_secret_file,
        token_file,
        token_url,
        device_url,
        authorize_url,
        scope,
        mechanism,
        redirect,
    };
    Some(client_id.zip(token_url).zip(scope).map(|((client_id, token_url), scope)| whole(client_id, token_url, scope)))
}

/// An address of the web to which secrets are sent: sealed, unless it is on this machine.
fn sealed_url(file: &mut TomlFile, table: &mut TomlTable, key: &str) -> Option<String> {
    let place = table.place(key);
    let url: String = table.take(file, key)?;
    let is_sealed = host_of(&url).is_some_and(|host| url.starts_with("https://") || is_here(host));
    if !is_sealed {
        file.fault(place, format!("`{key}` is {url:?}; write an address that begins with https://"));
        return None;
    }
    Some(url)
}

/// A password or a key has one place, and that is elsewhere.
fn check_secret(file: &mut TomlFile, table: &mut TomlTable, secret: &str) {
    let (in_file, in_env) = (format!("{secret}_file"), format!("{secret}_env"));
    let wanted = format!("the path of a file with the {secret}, or `{in_env}`, the name of a variable");
    let is_open = table.has(secret);
    table.refuse(file, secret, &format!("must not stand here; write `{in_file}`, {wanted}"));
    match (table.has(&in_file), table.has(&in_env)) {
        (true, true) => {
            let message = format!("there are two places of the {secret}; keep `{in_file}` or `{in_env}`");
            file.fault(table.place(&in_env), message);
        }
        (false, false) if !is_open => table.missing(file, &in_file, &wanted),
        (true, false) | (false, true) | (false, false) => {}
    }
}

fn server(file: &mut TomlFile, table: &mut TomlTable, key: &str) -> Option<Server> {
    if !table.has(key) {
        table.missing(file, key, &format!("{key} = {{ host = \"{key}.example.org\" }}"));
    }
    let mut inner = table.table(file, key)?;
    let host: Option<String> = inner.require(file, "host");
    if let Some(host) = host.as_deref().filter(|host| !is_host(host)) {
        let message = format!("`host` is {host:?}; write the name of the server alone, and its port as `port`");
        file.fault(inner.place("host"), message);
    }
    let tls = inner.take_or(file, "tls", Tls::Implicit);
    let port = inner.take(file, "port");
    if tls == Tls::None && host.as_deref().is_some_and(|host| !is_here(host)) {
        let message =
            "`tls` is \"none\", which is only for a server on this machine; write \"implicit\" or \"starttls\"";
        file.fault(inner.place("tls"), message);
    }
    inner.close(file);
    Some(Server { host: host?, port, tls })
}

/// Whether this is the name or the number of a host, and not an address of the web or one with a port.
fn is_host(host: &str) -> bool {
    host.parse::<IpAddr>().is_ok() || !host.contains([':', '/', '@', ' '])
}

/// Whether a host is this machine itself.
fn is_here(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
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
