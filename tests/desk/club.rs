//! A club that plays by mail on the spool: a desk in a folder of its own, a clock that is set by hand, and players who
//! answer letters as mail programs do.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Duration, TimeZone, Utc};
use cursus::archive::{Archive, Durability, Party, Status};
use cursus::companions::{self, Temperament};
use cursus::desk::clock::schedule::Schedule;
use cursus::desk::serving::Round;
use cursus::desk::settings::game_file::{GameFile, Seat, Sitter};
use cursus::desk::settings::mail::Habits;
use cursus::desk::settings::{CarrierKind, CarrierSettings, Format, Person, Settings};
use cursus::desk::{Desk, House, Table};
use cursus::game::{Known, Phase, Reader, Rulebook};
use cursus::post::spool::{Spool, SpoolSettings};
use cursus::post::{Carrier, Dispatch, Mark, Receipt, Received, Trouble};
use cursus::report::View;
use cursus::rules::{AstSide, Civ, EditionFiles, Language, PrintedGame};

/// A club.
pub struct Club {
    pub desk: Desk,
    pub carriers: Vec<Arc<dyn Carrier>>,
    pub now: DateTime<Utc>,
    pub folder: PathBuf,
    sent: Arc<Mutex<Vec<String>>>,
    letters: u32,
    _temporary: Option<tempfile::TempDir>,
}

/// A carrier that notes in which sequence letters leave.
struct Watched {
    carrier: Arc<dyn Carrier>,
    sent: Arc<Mutex<Vec<String>>>,
}

impl Carrier for Watched {
    fn name(&self) -> &str {
        self.carrier.name()
    }

    fn collect(&self, patience: std::time::Duration) -> Result<Vec<Received>, Trouble> {
        self.carrier.collect(patience)
    }

    fn keep(&self, marks: &[Mark]) -> Result<(), Trouble> {
        self.carrier.keep(marks)
    }

    fn look_back(&self, since: DateTime<Utc>, bring: &mut dyn FnMut(Vec<Received>) -> bool) -> Result<(), Trouble> {
        self.carrier.look_back(since, bring)
    }

    fn send(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        self.sent.lock().expect("the list of what was sent").push(dispatch.message_id.clone());
        self.carrier.send(dispatch)
    }
}

/// A letter of ours as a player finds it in the mailbox.
#[derive(Clone)]
pub struct Mail {
    pub to: String,
    pub reply_to: String,
    pub message_id: String,
    pub subject: String,
    pub text: String,
    pub raw: Vec<u8>,
}

impl std::fmt::Debug for Mail {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(out, "To {}: {}\n{}", self.to, self.subject, self.text)
    }
}

pub fn settings(folder: &Path) -> Settings {
    let carrier = CarrierSettings { kind: CarrierKind::Spool(spool_settings(folder)), ..CarrierSettings::default() };
    Settings {
        archive: folder.join("cursus.sqlite"),
        carriers: vec![carrier],
        letters_per_hour: 100_000,
        ..Settings::default()
    }
}

fn spool_settings(folder: &Path) -> SpoolSettings {
    SpoolSettings {
        inbox: folder.join("in"),
        outbox: folder.join("out"),
        address: "cursus@example.org".into(),
        display_name: Some("Cursus".into()),
    }
}

pub fn spool(folder: &Path) -> Arc<dyn Carrier> {
    Arc::new(Spool::open("spool", spool_settings(folder)).expect("the spool is there"))
}

pub fn desk(folder: &Path, durability: Durability) -> Desk {
    desk_of(folder, durability, Habits::default())
}

fn desk_of(folder: &Path, durability: Durability, habits: Habits) -> Desk {
    let archive = Archive::open(&folder.join("cursus.sqlite"), durability).expect("the archive opens");
    let mut settings = settings(folder);
    settings.carriers[0].habits = habits;
    let house = House::new(&archive, settings, &EditionFiles::built_in(), BTreeMap::new());
    Desk::new(archive, house.expect("the house is sound")).expect("the desk is there")
}

pub fn person(name: &str) -> Person {
    Person {
        name: name.to_owned(),
        addresses: vec![format!("{}@player.example", name.to_lowercase()).parse().expect("an address")],
        language: Language::English,
        zone: "UTC".parse().expect("a zone"),
        format: Format::Text,
        forum: None,
    }
}

/// A game for five with people at these seats; companions at the others.
pub fn game(id: &str, people: &[&str]) -> GameFile {
    let printed = PrintedGame::built_in().expect("the built-in edition is sound");
    let scenario = printed.scenarios.iter().find(|scenario| scenario.players == 5).expect("a game for five");
    let seat = |civ: &Civ| {
        let name = &printed.civilizations[usize::from(civ.0)].name;
        let sitter = if people.contains(&name.as_str()) {
            Sitter::Player { player: person(name), deputy: None }
        } else {
            Sitter::Companion(Temperament::Settler)
        };
        Seat { civ: *civ, sitter, carrier: None }
    };
    GameFile {
        id: id.into(),
        title: format!("The game {id}"),
        scenario: scenario.key.clone(),
        track: AstSide::Basic,
        short: false,
        ends_after: None,
        rulebook: Rulebook::default(),
        schedule: Schedule { cooling_off: "0s".parse().expect("a length"), ..Schedule::default() },
        press: true,
        hand_over_press: false,
        further_requests: false,
        rehearsal: false,
        public_page: false,
        observers: false,
        votes: Default::default(),
        missing: Default::default(),
        forum: None,
        moderator: person("Moderator"),
        seats: scenario.civilizations.iter().map(seat).collect(),
    }
}

impl Club {
    pub fn new() -> Club {
        let temporary = tempfile::tempdir().expect("a folder");
        let folder = temporary.path().to_owned();
        let now = Utc.with_ymd_and_hms(2027, 1, 4, 9, 0, 0).single().expect("a time");
        let sent = Arc::new(Mutex::new(Vec::new()));
        let carrier = Watched { carrier: spool(&folder), sent: Arc::clone(&sent) };
        let (desk, carriers) = (desk(&folder, Durability::None), vec![Arc::new(carrier) as Arc<dyn Carrier>]);
        Club { desk, carriers, now, folder, sent, letters: 0, _temporary: Some(temporary) }
    }

    /// One round of the daemon.
    pub fn round(&mut self) -> Round {
        self.desk.round(&self.carriers, self.now).expect("a round is made")
    }

    pub fn wait(&mut self, time: Duration) -> Round {
        self.now += time;
        self.round()
    }

    pub fn table(&mut self, id: &str) -> Table {
        self.desk.table(&id.into()).expect("the game is there").clone()
    }

    /// What has come to all players since the last look, the oldest first.
    pub fn fetch(&mut self) -> Vec<Mail> {
        let new = self.folder.join("out/new");
        let mut files: Vec<_> =
            fs::read_dir(&new).expect("the outbox").map(|file| file.expect("a file").path()).collect();
        let sent = self.sent.lock().expect("the list of what was sent").clone();
        let place = |file: &PathBuf| {
            let name = file.file_name().expect("a name").to_string_lossy().into_owned();
            sent.iter().position(|id| name.contains(id.as_str()))
        };
        files.sort_by_key(|file| (place(file), file.clone()));
        let mails = files.iter().map(|file| {
            let raw = fs::read(file).expect("a letter");
            fs::rename(file, self.folder.join("out/cur").join(file.file_name().expect("a name"))).expect("put away");
            mail(raw)
        });
        mails.collect()
    }

    /// A game that has begun, with people at these seats, and the letters it began with.
    pub fn begin(&mut self, file: &GameFile) -> Vec<Mail> {
        self.desk.create(file, [7; 32], self.now).expect("the game is created");
        self.round();
        for invitation in self.fetch() {
            self.reply(&invitation, "ok");
        }
        self.round();
        assert_eq!(self.table(file.id.as_str()).game.status, Status::Running);
        self.fetch()
    }

    /// One round, and what came of it.
    pub fn post(&mut self) -> Vec<Mail> {
        self.round();
        self.fetch()
    }

    /// Everybody goes home and comes back later: the desk is opened anew on the same archive.
    pub fn reopen(&mut self) {
        self.desk = desk(&self.folder, Durability::None);
    }

    /// The same with other settings of mail.
    pub fn reopen_with(&mut self, habits: Habits) {
        self.desk = desk_of(&self.folder, Durability::None, habits);
    }

    /// What a built-in player would write at a seat, and that they are done.
    pub fn play(&mut self, id: &str, name: &str) -> String {
        let table = self.table(id);
        let civ = civ(&table, name);
        let text = match table.state.phase() {
            Phase::Trade => String::new(),
            _ => companions::letter(&View::of(&Known::of(&table.state, Reader::Player(civ))), Temperament::Settler),
        };
        format!("{}\nok", text.trim_end()).trim_start().to_owned()
    }

    /// The form of a player's open phase, as a letter of theirs would answer it.
    pub fn answer_all(&mut self, mails: &[Mail], names: &[&str], text: &str) -> Vec<Mail> {
        for name in names {
            let mail = last(mails, name);
            self.reply(&mail, text);
        }
        self.post()
    }

    /// A player answers a letter, with the letter quoted below.
    pub fn reply(&mut self, mail: &Mail, text: &str) {
        let quoted: String = mail.text.lines().map(|line| format!("> {line}\n")).collect();
        let text = format!("{text}\n\nOn Monday Cursus wrote:\n{quoted}");
        // Where there is no address for the answer alone it goes to the sender, and names the letter as programs do.
        let (to, head) = match mail.reply_to.as_str() {
            "" => ("cursus@example.org", format!("In-Reply-To: <{}>\r\n", mail.message_id)),
            reply_to => (reply_to, String::new()),
        };
        self.send_with(&head, &mail.to, to, &format!("Re: {}", mail.subject), &text);
    }

    /// Somebody writes.
    pub fn send(&mut self, from: &str, to: &str, subject: &str, text: &str) {
        self.send_with("", from, to, subject, text);
    }

    /// The same with more lines in its head.
    pub fn send_with(&mut self, head: &str, from: &str, to: &str, subject: &str, text: &str) {
        self.letters += 1;
        let id = format!("{}.{}@player.example", self.letters, self.now.timestamp());
        let text = text.replace('\n', "\r\n");
        let raw = format!(
            "{head}From: <{from}>\r\nTo: <{to}>\r\nSubject: {subject}\r\nMessage-ID: <{id}>\r\nDate: {}\r\n\
             MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n",
            self.now.to_rfc2822()
        );
        self.put(raw.as_bytes());
    }

    /// Puts a letter into the inbox, as of now.
    pub fn put(&mut self, raw: &[u8]) {
        self.letters += 1;
        let name = format!("{:08}.club", self.letters);
        let (tmp, new) = (self.folder.join("in/tmp").join(&name), self.folder.join("in/new").join(&name));
        fs::write(&tmp, raw).expect("the letter is written");
        let file = fs::File::options().write(true).open(&tmp).expect("the letter is there");
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(self.now.timestamp() as u64);
        file.set_modified(time).expect("it arrives now");
        fs::rename(tmp, new).expect("it is delivered");
    }
}

/// A letter of ours, opened.
pub fn mail(raw: Vec<u8>) -> Mail {
    let letter = cursus::post::letter::open(&raw).expect("a letter of ours can be opened");
    let parsed = mail_parser::MessageParser::default().parse(&raw).expect("a letter");
    let text = parsed.body_text(0).unwrap_or_default().into_owned();
    Mail {
        to: letter.addressed.to.first().cloned().unwrap_or_default(),
        reply_to: letter.addressed.reply_to.first().cloned().unwrap_or_default(),
        message_id: letter.message_id.clone().unwrap_or_default(),
        subject: letter.subject.clone(),
        text,
        raw: raw.clone(),
    }
}

/// The address of a player.
pub fn address(name: &str) -> String {
    format!("{}@player.example", name.to_lowercase())
}

/// The last of these letters to a player.
pub fn last(mails: &[Mail], name: &str) -> Mail {
    let found = mails.iter().rfind(|mail| mail.to == address(name));
    found.unwrap_or_else(|| panic!("nothing came to {name}")).clone()
}

/// The letters to a player.
pub fn to<'m>(mails: &'m [Mail], name: &str) -> Vec<&'m Mail> {
    mails.iter().filter(|mail| mail.to == address(name)).collect()
}

/// The text of a letter without its line breaks.
pub fn flat(mail: &Mail) -> String {
    mail.text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn civ(table: &Table, name: &str) -> Civ {
    table.edition.lexicon.civs.exact(name).unwrap_or_else(|| panic!("{name} is no civilization"))
}

pub fn seat(table: &Table, name: &str) -> Party {
    Party::Seat(civ(table, name))
}
