//! The settings of the house, `config/cursus.toml`: where everything is, how letters come and go, and who moderates.
//!
//! Comes in: the text of the file. Goes out: [`Settings`], or everything that is wrong with it. Every key has a default, so
//! an empty file will do. Paths that are not absolute begin at the folder of the file, wherever the daemon is started.

use std::fmt;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use tracing::Level;

use super::toml_file::{Faults, Table, TomlFile, choices};
use super::written::{Address, Length, Zone};
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
    /// What is logged.
    pub log: Level,
    /// How often carriers that cannot wait for letters look for them.
    pub polling: Length,
    /// How many letters an hour are read from one sender; more are set aside.
    pub letters_per_hour: u32,
    /// How the daemon says that it is well.
    pub health: Health,
    /// How letters come and go; the first is used where a game names none.
    pub carriers: Vec<CarrierSettings>,
    /// Who moderates; the first where a game names none.
    pub moderators: Vec<Person>,
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
            carriers: vec![CarrierSettings::default()],
            moderators: Vec::new(),
        }
    }
}

/// How the daemon says that it is well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// The file it writes; none writes only to the log.
    pub file: Option<PathBuf>,
    /// How often.
    pub every: Length,
}

impl Default for Health {
    fn default() -> Health {
        Health { file: None, every: Length::minutes(5) }
    }
}

/// A carrier, `[carriers.NAME]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CarrierSettings {
    /// Its name.
    pub name: String,
    /// Its own address, to which players write.
    pub address: Address,
    /// The host whose `Authentication-Results` are believed; none believes nobody's.
    pub authserv_id: Option<String>,
    /// What it is.
    pub kind: CarrierKind,
}

impl Default for CarrierSettings {
    fn default() -> CarrierSettings {
        let address = "cursus@example.org".parse().expect("the default address is one");
        CarrierSettings {
            name: "spool".to_owned(),
            address,
            authserv_id: None,
            kind: CarrierKind::Spool(Spool::default()),
        }
    }
}

/// What a carrier is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CarrierKind {
    /// Two Maildirs.
    Spool(Spool),
    /// A mailbox: IMAP in, SMTP out.
    Mailbox(Box<Mailbox>),
}

/// Two Maildirs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spool {
    /// Where letters to us are.
    pub incoming: PathBuf,
    /// Where our letters go.
    pub outgoing: PathBuf,
}

impl Default for Spool {
    fn default() -> Spool {
        Spool { incoming: PathBuf::from("cursus-data/in"), outgoing: PathBuf::from("cursus-data/out") }
    }
}

/// A mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// The name our letters carry.
    pub name: String,
    /// Who logs in, at both servers.
    pub user: String,
    /// Where his password is.
    pub password: PasswordPlace,
    /// From where letters come.
    pub imap: Server,
    /// To where they go.
    pub smtp: Server,
    /// The folder that is read.
    pub folder: String,
    /// Certificates that are trusted besides those of the system.
    pub ca_file: Option<PathBuf>,
}

/// A server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its name.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the line to it is sealed.
    pub tls: Tls,
}

/// How the line to a server is sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tls {
    /// From the first byte.
    Tls,
    /// After asking for it.
    StartTls,
    /// Not at all: for a server on this machine.
    None,
}

choices!(Tls { "tls" => Tls::Tls, "starttls" => Tls::StartTls, "none" => Tls::None });

/// Where a password is. It never stands in the settings themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PasswordPlace {
    /// The first line of a file.
    File(PathBuf),
    /// A variable of the environment.
    Environment(String),
}

/// A secret. It does not show itself in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// A person the house writes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// What to call him.
    pub name: String,
    /// Where he writes from; the first is where he is written to.
    pub addresses: Vec<Address>,
    /// The language he is written to in.
    pub language: Language,
    /// The zone of his clock.
    pub zone: Zone,
    /// How he likes his letters.
    pub format: Format,
}

choices!(Language { "en" => Language::English, "pl" => Language::Polish });

/// How somebody likes his letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Text and HTML with a map.
    #[default]
    Html,
    /// Plain text alone.
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
    Closed {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file is wrong.
    #[error(transparent)]
    Wrong(#[from] Faults),
}

/// Why a password is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum NoPassword {
    /// The file cannot be opened.
    #[error("cannot read the password in {}: {error}", path.display())]
    Closed {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The file or the variable is empty or not set.
    #[error("there is no password in {place}")]
    Empty {
        /// Where it was looked for.
        place: String,
    },
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
    pub fn carrier(&self, name: &str) -> Option<&CarrierSettings> {
        self.carriers.iter().find(|carrier| carrier.name == name)
    }

    /// The same with all relative paths beginning at a folder.
    fn within(mut self, folder: &Path) -> Settings {
        let place = |path: &mut PathBuf| *path = folder.join(&path);
        place(&mut self.archive);
        self.rules.as_mut().map(place);
        self.templates.as_mut().map(place);
        self.health.file.as_mut().map(place);
        for carrier in &mut self.carriers {
            match &mut carrier.kind {
                CarrierKind::Spool(spool) => {
                    place(&mut spool.incoming);
                    place(&mut spool.outgoing);
                }
                CarrierKind::Mailbox(mailbox) => {
                    mailbox.ca_file.as_mut().map(place);
                    if let PasswordPlace::File(path) = &mut mailbox.password {
                        place(path);
                    }
                }
            }
        }
        self
    }
}

impl PasswordPlace {
    /// The password.
    ///
    /// # Errors
    /// It is not there.
    pub fn fetch(&self) -> Result<Secret, NoPassword> {
        let (text, place) = match self {
            PasswordPlace::File(path) => {
                let text =
                    fs::read_to_string(path).map_err(|error| NoPassword::Closed { path: path.clone(), error })?;
                (text, path.display().to_string())
            }
            PasswordPlace::Environment(variable) => (env::var(variable).unwrap_or_default(), format!("${variable}")),
        };
        match text.lines().next() {
            Some(password) if !password.is_empty() => Ok(Secret(password.to_owned())),
            Some(_) | None => Err(NoPassword::Empty { place }),
        }
    }
}

fn settings(file: &mut TomlFile, head: &mut Table) -> Settings {
    let default = Settings::default();
    let path = |path: String| PathBuf::from(path);
    let language = head.take_or(file, "language", default.language);
    Settings {
        archive: head.take(file, "archive").map_or(default.archive, path),
        rules: head.take(file, "rules").map(path),
        templates: head.take(file, "templates").map(path),
        language,
        log: head.take_or(file, "log", default.log),
        polling: head.take_or(file, "polling", default.polling),
        letters_per_hour: head.take_or(file, "letters_per_hour", default.letters_per_hour),
        health: head.table(file, "health").map_or(default.health, |table| health(file, table)),
        carriers: head.table(file, "carriers").map_or(default.carriers, |table| carriers(file, table)),
        moderators: {
            let tables = head.tables(file, "moderators");
            tables.into_iter().filter_map(|table| moderator(file, table, language)).collect()
        },
    }
}

fn health(file: &mut TomlFile, mut table: Table) -> Health {
    let health = Health {
        file: table.take(file, "file").map(|path: String| PathBuf::from(path)),
        every: table.take_or(file, "every", Health::default().every),
    };
    table.close(file);
    health
}

fn carriers(file: &mut TomlFile, mut table: Table) -> Vec<CarrierSettings> {
    let names = table.left();
    if names.is_empty() {
        file.fault(
            table.place(""),
            "there is no carrier; write a table such as [carriers.spool], or leave [carriers] out",
        );
    }
    let carriers = names.into_iter().filter_map(|name| {
        let inner = table.table(file, &name)?;
        carrier(file, inner, name)
    });
    carriers.collect()
}

/// What a carrier may be.
#[derive(Clone, Copy)]
enum Kind {
    Spool,
    Mailbox,
}

choices!(Kind { "spool" => Kind::Spool, "mailbox" => Kind::Mailbox });

fn carrier(file: &mut TomlFile, mut table: Table, name: String) -> Option<CarrierSettings> {
    let kind = table.require(file, "kind");
    let address = table.require(file, "address");
    let authserv_id = table.take(file, "authserv_id");
    let kind = match kind? {
        Kind::Spool => {
            let default = Spool::default();
            let path = |path: String| PathBuf::from(path);
            Some(CarrierKind::Spool(Spool {
                incoming: table.take(file, "in").map_or(default.incoming, path),
                outgoing: table.take(file, "out").map_or(default.outgoing, path),
            }))
        }
        Kind::Mailbox => mailbox(file, &mut table).map(Box::new).map(CarrierKind::Mailbox),
    };
    table.close(file);
    Some(CarrierSettings { name, address: address?, authserv_id, kind: kind? })
}

fn mailbox(file: &mut TomlFile, table: &mut Table) -> Option<Mailbox> {
    let name = table.take(file, "name").unwrap_or_else(|| "Cursus".to_owned());
    let user = table.require(file, "user");
    let password = password(file, table);
    let imap = server(file, table, "imap", [(Tls::Tls, 993), (Tls::StartTls, 143), (Tls::None, 143)]);
    let smtp = server(file, table, "smtp", [(Tls::Tls, 465), (Tls::StartTls, 587), (Tls::None, 25)]);
    let folder = table.take(file, "folder").unwrap_or_else(|| "INBOX".to_owned());
    let ca_file = table.take(file, "ca_file").map(|path: String| PathBuf::from(path));
    Some(Mailbox { name, user: user?, password: password?, imap: imap?, smtp: smtp?, folder, ca_file })
}

fn password(file: &mut TomlFile, table: &mut Table) -> Option<PasswordPlace> {
    const WANTED: &str = "the path of a file with the password, or `password_env`, the name of a variable";
    table.refuse(file, "password", &format!("must not stand here; write `password_file`, {WANTED}"));
    let path: Option<String> = table.take(file, "password_file");
    let variable: Option<String> = table.take(file, "password_env");
    match (path, variable) {
        (Some(path), None) => Some(PasswordPlace::File(PathBuf::from(path))),
        (None, Some(variable)) => Some(PasswordPlace::Environment(variable)),
        (Some(_), Some(_)) => {
            file.fault(table.place("password_env"), "there are two passwords; keep `password_file` or `password_env`");
            None
        }
        (None, None) => {
            if !["password", "password_file", "password_env"].iter().any(|key| table.has(key)) {
                table.missing(file, "password_file", WANTED);
            }
            None
        }
    }
}

fn server(file: &mut TomlFile, table: &mut Table, key: &str, ports: [(Tls, u16); 3]) -> Option<Server> {
    if !table.has(key) {
        table.missing(file, key, &format!("{key} = {{ host = \"{key}.example.org\" }}"));
    }
    let mut inner = table.table(file, key)?;
    let host = inner.require(file, "host");
    let tls = inner.take_or(file, "tls", Tls::Tls);
    let usual = ports.iter().find(|(kind, _)| *kind == tls).map_or(0, |(_, port)| *port);
    let port = inner.take_or(file, "port", usual);
    inner.close(file);
    Some(Server { host: host?, port, tls })
}

fn moderator(file: &mut TomlFile, mut table: Table, language: Language) -> Option<Person> {
    let moderator = person(file, &mut table, "name", (language, Zone::default()));
    table.close(file);
    moderator
}

/// The keys that make a person; his name stands under `key`.
pub(super) fn person(file: &mut TomlFile, table: &mut Table, key: &str, usual: (Language, Zone)) -> Option<Person> {
    let name = table.require(file, key);
    let addresses: Option<Vec<Address>> = table.require(file, "addresses");
    if addresses.as_ref().is_some_and(Vec::is_empty) {
        file.fault(table.place("addresses"), "`addresses` is empty; write at least one");
    }
    let (language, zone, format) = habits(file, table, usual);
    Some(Person { name: name?, addresses: addresses?, language, zone, format })
}

/// How a person likes to be written to; language and zone are the usual ones unless he has his own.
pub(super) fn habits(
    file: &mut TomlFile,
    table: &mut Table,
    (language, zone): (Language, Zone),
) -> (Language, Zone, Format) {
    let language = table.take_or(file, "language", language);
    let zone = table.take_or(file, "zone", zone);
    (language, zone, table.take_or(file, "format", Format::default()))
}
