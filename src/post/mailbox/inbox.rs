//! Letters in: a session with an IMAP server. The only page that knows the `imap` crate.
//!
//! Comes in: settings and a password. Goes out: letters, in the folder as long as they are not kept. The crate reads bodies
//! and waits in IDLE; what the other commands answer is short and read here, for the crate panics at some of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use chrono::{NaiveDate, Utc};
use imap::extensions::idle::SetReadTimeout;
use imap::{Authenticator, Client, Error, Session};
use rustls::ClientConfig;

use super::settings::{MailboxSettings, Mechanism};
use super::wire::{Limits, Wire};
use super::words::{discreet, sealed_otherwise};
use crate::post::carrier::{Mark, Received};
use crate::post::letter::LARGEST;
use crate::post::oversize;
use crate::post::secret::Secret;

/// How long the answer to a command may take.
const ANSWER: Duration = Duration::from_secs(20);
/// How long a letter may take.
const LETTER: Duration = Duration::from_secs(120);
/// How many bytes the answer to a command may have.
const ANSWER_BYTES: u64 = 8 * 1024 * 1024;
/// The longest wait in IDLE: what the server forgets to tell is found after it.
const LONGEST_IDLE: Duration = Duration::from_secs(120);
/// How often a server without IDLE is asked.
const ASK: Duration = Duration::from_secs(15);
/// While we wait, we look so often whether we are called away.
const GLANCE: Duration = Duration::from_millis(100);
/// The most letters that are brought at once.
const MOST_LETTERS: usize = 200;
/// No further letter is brought at once beyond so many bytes.
const MOST_BYTES: usize = 32 * 1024 * 1024;
/// So many letters are named in one command.
const MOST_NAMED: usize = 200;
/// The most letters that are looked at when one is looked for.
const MOST_FOUND: usize = 5;
/// Letters that are kept carry this word, wherever the server takes words.
const KEPT: &str = "CursusKept";

/// Why a command did not do what it should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The server does not want to; the session goes on.
    Refused(String),
    /// The session cannot go on.
    Broken(String),
    /// The server does not take our password or token.
    Barred(String),
}

impl Failure {
    /// What is said about it.
    pub(super) fn says(&self) -> &str {
        match self {
            Self::Refused(says) | Self::Broken(says) | Self::Barred(says) => says,
        }
    }
}

/// What is needed to open a session.
#[derive(Clone, Copy)]
pub(super) struct Key<'a> {
    pub(super) settings: &'a MailboxSettings,
    pub(super) secret: &'a Secret,
    pub(super) trust: &'a Arc<ClientConfig>,
}

/// Where a letter lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lies {
    /// In the folder that letters come into.
    Inbox,
    /// In the folder of those that are kept: somebody has put it away already.
    Kept,
    /// In this folder, with the junk.
    Junk(String),
}

/// A letter that was looked for.
pub(super) struct Found {
    uid: u32,
    pub(super) received: Received,
    pub(super) lies: Lies,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waited {
    /// Time is up, or something happened.
    Enough,
    /// Before the server agreed to tell what happens, the session broke.
    IdleFailed,
}

/// A session in which the folder with new letters is selected.
pub(super) struct Inbox {
    session: Session<Wire>,
    limits: Arc<Limits>,
    called_away: Arc<AtomicBool>,
    inbox: String,
    /// Where kept letters go; none if there can be no such folder.
    folder: Option<String>,
    hidden: Vec<String>,
    abilities: BTreeSet<String>,
    validity: u32,
    takes_words: bool,
    /// Whether letters were announced since they were last searched for.
    has_news: bool,
}

/// How often letters could not be fetched. It outlives the sessions, which such letters may end.
#[derive(Debug, Default)]
pub(super) struct Failures {
    validity: u32,
    numbers: BTreeMap<u32, u32>,
}

impl Inbox {
    /// Connects, logs in and finds or makes the folders. Takes no longer than until `end`.
    pub(super) fn open(key: Key, end: Instant, called_away: Arc<AtomicBool>) -> Result<Self, Failure> {
        let Key { settings, secret, trust } = key;
        let hidden = vec![secret.reveal().to_owned(), settings.user.clone(), settings.address.clone()];
        let limits = Limits::new(end, Arc::clone(&called_away));
        limits.allow(ANSWER, ANSWER_BYTES);
        let port = settings.imap.port_or(993, 143);
        let (wire, is_greeted) = Wire::connect(&settings.imap, port, trust, &limits).map_err(|error| {
            let says = reason(&error, &hidden);
            let why = sealed_otherwise(settings.imap.tls, &says).map_or(says, str::to_owned);
            Failure::Broken(format!("no connection to the IMAP server: {why}"))
        })?;
        let mut client = Client::new(wire);
        client.greeting_read = is_greeted;
        if !is_greeted {
            let greeting = client.read_greeting().map_err(|error| failure("the greeting", error, &hidden))?;
            if !greeting.to_ascii_uppercase().starts_with(b"* OK") {
                let says = discreet(&String::from_utf8_lossy(&greeting), &borrowed(&hidden));
                return Err(Failure::Broken(format!("the IMAP server turns us away: {says}")));
            }
        }
        limits.allow(ANSWER, ANSWER_BYTES);
        let session = login(client, settings, secret).map_err(|error| {
            let passes = passes(&error);
            match failure("the login", error, &hidden) {
                Failure::Refused(says) | Failure::Barred(says) if !passes => Failure::Barred(says),
                Failure::Refused(says) | Failure::Barred(says) | Failure::Broken(says) => Failure::Broken(says),
            }
        })?;
        let mut inbox = Self {
            session,
            limits,
            called_away,
            inbox: settings.inbox.clone(),
            folder: None,
            hidden,
            abilities: BTreeSet::new(),
            validity: 0,
            takes_words: false,
            has_news: false,
        };
        inbox.abilities = words_of(&inbox.command("CAPABILITY", "the question what it can do")?);
        inbox.folder = inbox.make_folder(&settings.folder)?;
        inbox.select()?;
        inbox.put_away_again();
        Ok(inbox)
    }

    /// Nothing takes longer than until `end` from now on.
    pub(super) fn end_at(&mut self, end: Instant) {
        self.limits.end_at(end);
    }

    /// Selects the folder with new letters, anew: it may have been replaced.
    pub(super) fn select(&mut self) -> Result<(), Failure> {
        let answer = self.command(&format!("SELECT \"{}\"", self.inbox), "the inbox")?;
        let validity = bracketed(&answer, "UIDVALIDITY").and_then(|number| number.trim().parse().ok());
        let validity =
            validity.ok_or_else(|| Failure::Broken("the IMAP server gives letters no lasting numbers".to_owned()))?;
        self.validity = validity;
        // Whoever does not say which words can be stored, takes all of them.
        self.takes_words =
            bracketed(&answer, "PERMANENTFLAGS").is_none_or(|flags| flags.contains("\\*") || flags.contains(KEPT));
        Ok(())
    }

    /// What this server can do for us, for a person to read.
    pub(super) fn describe(&self) -> String {
        let waits =
            if self.can("IDLE") { "tells when letters come (IDLE)" } else { "is asked for letters every 15 seconds" };
        let moves = match &self.folder {
            Some(folder) => format!("letters that are kept go to the folder {folder}"),
            None => "letters that are kept stay and are marked".to_owned(),
        };
        format!("{waits}; {moves}")
    }

    /// The numbers of the letters that are not kept, the oldest first.
    pub(super) fn waiting(&mut self) -> Result<Vec<u32>, Failure> {
        let query = match (self.takes_words, &self.folder) {
            (true, _) => format!("UID SEARCH UNDELETED UNKEYWORD {KEPT}"),
            (false, Some(_)) => "UID SEARCH UNDELETED".to_owned(),
            (false, None) => "UID SEARCH UNDELETED UNSEEN".to_owned(),
        };
        let answer = self.command(&query, "the search for letters")?;
        self.has_news = answer.lines().any(|line| starts(line, "* ") && line.to_ascii_uppercase().ends_with(" EXISTS"));
        Ok(found(&answer))
    }

    /// Fetches letters, as many as fit into a batch. Those that failed before come last and alone, so that a letter which
    /// the server cannot give never keeps back the others.
    pub(super) fn fetch(&mut self, mut uids: Vec<u32>, failures: &mut Failures) -> Result<Vec<Received>, Failure> {
        if failures.validity != self.validity {
            *failures = Failures { validity: self.validity, numbers: BTreeMap::new() };
        }
        let failed = &mut failures.numbers;
        uids.sort_by_key(|uid| (failed.get(uid).copied().unwrap_or(0), *uid));
        uids.truncate(MOST_LETTERS);
        let sizes = self.sizes(&uids)?;
        let (mut letters, mut bytes) = (Vec::new(), 0);
        for uid in uids {
            let is_late = self.limits.left() < ANSWER;
            if bytes >= MOST_BYTES || (!letters.is_empty() && (failed.contains_key(&uid) || is_late)) {
                break;
            }
            // It counts before it is tried, for nobody counts after a panic.
            *failed.entry(uid).or_default() += 1;
            match self.letter(uid, sizes.get(&uid).copied()) {
                Ok(letter) => {
                    failed.remove(&uid);
                    bytes += letter.as_ref().map_or(0, |letter| letter.raw.len());
                    // Somebody may have taken it away meanwhile.
                    letters.extend(letter);
                }
                Err(Failure::Refused(says)) => tracing::warn!("the IMAP server does not give a letter: {says}"),
                Err(broken) if letters.is_empty() => return Err(broken),
                Err(_) => break,
            }
        }
        letters.sort_by_key(|letter| letter.arrived);
        Ok(letters)
    }

    /// Marks letters as kept, and puts them away. Marks of another time of the folder mean nothing any more.
    pub(super) fn keep(&mut self, marks: &[Mark]) -> Result<(), Failure> {
        let uids: BTreeSet<u32> = marks.iter().filter_map(|mark| self.number(mark)).collect();
        let uids: Vec<u32> = uids.into_iter().collect();
        for uids in uids.chunks(MOST_NAMED) {
            let set = set(uids);
            self.mark(&set)?;
            match self.put_away(&set) {
                Ok(()) => {}
                // They are marked, and that is enough.
                Err(Failure::Refused(says)) if self.takes_words => {
                    tracing::warn!("letters that are kept could not be put away: {says}");
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(())
    }

    /// The youngest letters since that day which hold this word anywhere: in the inbox and among those that are kept; and
    /// with the junk, where it was put by somebody else.
    pub(super) fn find(&mut self, word: &str, since: NaiveDate, with_junk: bool) -> Result<Vec<Found>, Failure> {
        let mut places = vec![(self.inbox.clone(), Lies::Inbox)];
        places.extend(self.folder.clone().map(|folder| (folder, Lies::Kept)));
        if with_junk {
            places.extend(self.junk()?.into_iter().map(|folder| (folder.clone(), Lies::Junk(folder))));
        }
        let mut letters = Vec::new();
        for (folder, lies) in places {
            match self.command(&format!("EXAMINE \"{folder}\""), "a folder") {
                Ok(_) => {}
                // A folder that cannot be opened holds no letter for us.
                Err(Failure::Refused(_)) => continue,
                Err(broken) => return Err(broken),
            }
            let query = format!("UID SEARCH SINCE {} TEXT \"{word}\"", since.format("%d-%b-%Y"));
            let uids = found(&self.command(&query, "the search for a letter")?);
            for uid in uids.into_iter().rev().take(MOST_FOUND) {
                letters.extend(self.letter(uid, None)?.map(|received| Found { uid, received, lies: lies.clone() }));
            }
        }
        self.select()?;
        Ok(letters)
    }

    /// Opens the folder of the letters that are kept, and names those that arrived since that day, the oldest first. Whoever
    /// is done with it selects the inbox again.
    pub(super) fn kept(&mut self, since: NaiveDate) -> Result<Vec<u32>, Failure> {
        let since = since.format("%d-%b-%Y");
        let query = match (&self.folder, self.takes_words) {
            (Some(folder), _) => {
                self.command(&format!("EXAMINE \"{folder}\""), "the folder of kept letters")?;
                format!("UID SEARCH UNDELETED SINCE {since}")
            }
            (None, true) => format!("UID SEARCH UNDELETED KEYWORD {KEPT} SINCE {since}"),
            // Nobody can tell those that were kept from those that somebody has read.
            (None, false) => return Ok(Vec::new()),
        };
        Ok(found(&self.command(&query, "the search for kept letters")?))
    }

    /// Letters of the folder that is open, as they are there.
    pub(super) fn letters(&mut self, uids: &[u32]) -> Result<Vec<Received>, Failure> {
        let sizes = self.sizes(uids)?;
        let mut letters = Vec::new();
        for uid in uids {
            match self.letter(*uid, sizes.get(uid).copied()) {
                Ok(letter) => letters.extend(letter),
                Err(Failure::Refused(says)) => tracing::warn!("the IMAP server does not give a letter: {says}"),
                Err(broken) => return Err(broken),
            }
        }
        Ok(letters)
    }

    /// Puts a letter of the inbox away that was found there.
    pub(super) fn keep_found(&mut self, found: &Found) -> Result<(), Failure> {
        match found.lies {
            Lies::Inbox => self.keep(&[Mark(format!("{}.{}", self.validity, found.uid))]),
            Lies::Kept | Lies::Junk(_) => Ok(()),
        }
    }

    /// The folders that the server or somebody's custom keeps for junk.
    fn junk(&mut self) -> Result<Vec<String>, Failure> {
        let answer = self.command("LIST \"\" \"*\"", "the list of folders")?;
        let names = answer.lines().filter(|line| starts(line, "* LIST")).filter_map(|line| {
            let (attributes, rest) = line.split_once(')')?;
            let name = match rest.trim().strip_suffix('"') {
                Some(quoted) => quoted.rsplit_once('"')?.1,
                None => rest.split_whitespace().next_back()?,
            };
            let is_plain = !name.is_empty() && !name.contains(['"', '\\']);
            let lower = name.to_ascii_lowercase();
            let is_junk = attributes.to_ascii_lowercase().contains("\\junk")
                || ["junk", "spam"].iter().any(|word| lower.contains(word));
            (is_plain && is_junk).then(|| name.to_owned())
        });
        Ok(names.collect())
    }

    /// Waits until something happens in the folder, or until then.
    pub(super) fn wait(&mut self, until: Instant, may_idle: bool) -> Result<Waited, Failure> {
        let time = until.saturating_duration_since(Instant::now());
        if !may_idle || !self.can("IDLE") {
            let until = Instant::now() + time.min(ASK);
            while Instant::now() < until && !self.called_away.load(std::sync::atomic::Ordering::Relaxed) {
                thread::sleep(GLANCE.min(until.saturating_duration_since(Instant::now())));
            }
            self.command("NOOP", "the question for news")?;
            return Ok(Waited::Enough);
        }
        // What was announced before is not told again in IDLE.
        if std::mem::take(&mut self.has_news) {
            return Ok(Waited::Enough);
        }
        self.limits.allow(ANSWER, ANSWER_BYTES);
        let mut handle = self.session.idle();
        handle.timeout(time.clamp(Duration::from_millis(1), LONGEST_IDLE)).keepalive(false);
        let waited = handle.wait_while(|_| false);
        let was_accepted = self.limits.has_waited();
        if waited.is_err() {
            // The handle says that it is done with IDLE, and the server may not understand it.
            self.limits.allow(Duration::from_secs(1), ANSWER_BYTES);
        }
        drop(handle);
        match waited {
            Ok(_) => Ok(Waited::Enough),
            Err(error) if was_accepted => Err(failure("waiting for letters", error, &self.hidden)),
            Err(_) => Ok(Waited::IdleFailed),
        }
    }

    fn letter(&mut self, uid: u32, size: Option<u32>) -> Result<Option<Received>, Failure> {
        let is_too_large = size.is_some_and(|size| size as usize > LARGEST);
        let part = if is_too_large { format!("<0.{}>", oversize::GLIMPSE) } else { String::new() };
        self.limits.allow(LETTER, (LARGEST as u64) * 2);
        let answer = self
            .session
            .uid_fetch(uid.to_string(), format!("(UID INTERNALDATE BODY.PEEK[]{part})"))
            .map_err(|error| failure("a letter", error, &self.hidden))?;
        let Some(fetched) = answer.iter().find(|fetched| fetched.uid == Some(uid) && fetched.body().is_some()) else {
            return Ok(None);
        };
        let body = fetched.body().unwrap_or_default();
        let raw = if is_too_large || body.len() > LARGEST {
            oversize::stand_in(body[..body.len().min(oversize::GLIMPSE)].to_vec())
        } else {
            body.to_vec()
        };
        let arrived = fetched.internal_date().map_or_else(Utc::now, |date| date.with_timezone(&Utc));
        Ok(Some(Received { mark: Mark(format!("{}.{uid}", self.validity)), arrived, raw }))
    }

    fn sizes(&mut self, uids: &[u32]) -> Result<BTreeMap<u32, u32>, Failure> {
        if uids.is_empty() {
            return Ok(BTreeMap::new());
        }
        self.limits.allow(ANSWER, ANSWER_BYTES);
        let answer = self
            .session
            .uid_fetch(set(uids), "(UID RFC822.SIZE)")
            .map_err(|error| failure("the sizes of letters", error, &self.hidden))?;
        Ok(answer.iter().filter_map(|fetched| Some((fetched.uid?, fetched.size?))).collect())
    }

    /// The number of a letter of this folder as it is now.
    fn number(&self, mark: &Mark) -> Option<u32> {
        let (validity, uid) = mark.0.split_once('.')?;
        let uid = uid.parse().ok().filter(|uid| *uid > 0)?;
        (validity.parse() == Ok(self.validity)).then_some(uid)
    }

    fn mark(&mut self, set: &str) -> Result<(), Failure> {
        if self.takes_words {
            match self.command(&format!("UID STORE {set} +FLAGS.SILENT (\\Seen {KEPT})"), "marking letters") {
                Err(Failure::Refused(_)) => self.takes_words = false,
                done => return done.map(|_| ()),
            }
        }
        self.command(&format!("UID STORE {set} +FLAGS.SILENT (\\Seen)"), "marking letters").map(|_| ())
    }

    /// Moves letters to their folder, if there is one.
    fn put_away(&mut self, set: &str) -> Result<(), Failure> {
        let Some(folder) = self.folder.clone() else {
            return Ok(());
        };
        if self.can("MOVE") {
            return self.command(&format!("UID MOVE {set} \"{folder}\""), "moving letters").map(|_| ());
        }
        self.command(&format!("UID COPY {set} \"{folder}\""), "copying letters")?;
        self.command(&format!("UID STORE {set} +FLAGS.SILENT (\\Deleted)"), "deleting copied letters")?;
        // Without UIDPLUS others' deleted letters would go as well: then they stay, deleted.
        if self.can("UIDPLUS") {
            self.command(&format!("UID EXPUNGE {set}"), "deleting copied letters")?;
        }
        Ok(())
    }

    /// Puts away what was marked as kept when somebody was interrupted. It can wait, so no failure matters.
    fn put_away_again(&mut self) {
        if !self.takes_words || self.folder.is_none() {
            return;
        }
        if let Ok(answer) = self.command(&format!("UID SEARCH UNDELETED KEYWORD {KEPT}"), "the search for kept letters")
        {
            let uids = found(&answer);
            let done = uids.chunks(MOST_NAMED).try_for_each(|uids| self.put_away(&set(uids)));
            if let Err(failure) = done {
                tracing::warn!("letters that are kept could not be put away: {}", failure.says());
            }
        }
    }

    /// The name under which the folder exists. Some servers want all folders below the inbox.
    fn make_folder(&mut self, folder: &str) -> Result<Option<String>, Failure> {
        let names = [folder.to_owned(), format!("INBOX.{folder}"), format!("INBOX/{folder}")];
        for name in &names {
            let listed = self.command(&format!("LIST \"\" \"{name}\""), "the list of folders");
            match listed {
                Ok(answer) if has_line(&answer, "* LIST") => return Ok(Some(name.clone())),
                Ok(_) | Err(Failure::Refused(_)) => {}
                Err(broken) => return Err(broken),
            }
        }
        for name in &names {
            match self.command(&format!("CREATE \"{name}\""), "making a folder") {
                Ok(_) => {
                    // So that mail programs show it; it does not matter if they do not.
                    match self.command(&format!("SUBSCRIBE \"{name}\""), "showing a folder") {
                        Ok(_) | Err(Failure::Refused(_)) => return Ok(Some(name.clone())),
                        Err(broken) => return Err(broken),
                    }
                }
                Err(Failure::Refused(says)) => tracing::debug!("{says}"),
                Err(broken) => return Err(broken),
            }
        }
        tracing::warn!("there is no folder for letters that are kept: they stay where they are, marked");
        Ok(None)
    }

    fn can(&self, ability: &str) -> bool {
        self.abilities.contains(ability)
    }

    /// The answer to a command that has a short one.
    fn command(&mut self, command: &str, what: &str) -> Result<String, Failure> {
        self.limits.allow(ANSWER, ANSWER_BYTES);
        let (answer, _) = self.session.run(command).map_err(|error| failure(what, error, &self.hidden))?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }
}

impl SetReadTimeout for Wire {
    fn set_read_timeout(&mut self, timeout: Option<Duration>) -> imap::Result<()> {
        self.wait(timeout);
        Ok(())
    }
}

/// A name and a password that are not of plain letters, which LOGIN cannot say.
struct Plain<'a>(&'a MailboxSettings, &'a Secret);

impl Authenticator for Plain<'_> {
    type Response = String;

    fn process(&self, _challenge: &[u8]) -> String {
        format!("\0{}\0{}", self.0.user, self.1.reveal())
    }
}

/// A token in the place of a password.
struct Bearer<'a>(&'a MailboxSettings, Mechanism, &'a Secret);

impl Authenticator for Bearer<'_> {
    type Response = String;

    fn process(&self, challenge: &[u8]) -> String {
        let Self(settings, mechanism, token) = self;
        // A refusal comes as a challenge first: whoever says the token again confuses the server.
        if challenge.is_empty() {
            let imap = &settings.imap;
            mechanism.words(&settings.user, token, &imap.host, imap.port_or(993, 143))
        } else {
            mechanism.gives_way().to_owned()
        }
    }
}

fn login(client: Client<Wire>, settings: &MailboxSettings, secret: &Secret) -> Result<Session<Wire>, Error> {
    let session = if let Some(oauth) = &settings.oauth {
        client.authenticate(oauth.mechanism.name(), &Bearer(settings, oauth.mechanism, secret))
    } else if settings.user.is_ascii() && secret.reveal().is_ascii() {
        client.login(&settings.user, secret.reveal())
    } else {
        client.authenticate("PLAIN", &Plain(settings, secret))
    };
    session.map_err(|(error, _)| error)
}

/// Whether a refusal of a login has nothing to do with the password (RFC 5530): the server is busy, or has too many of our
/// sessions open. Codes that the crate does not know stand in the words.
fn passes(error: &Error) -> bool {
    let Error::No(no) = error else { return false };
    let says = no.information.trim_start().to_ascii_uppercase();
    let is_coded = ["[UNAVAILABLE", "[INUSE", "[LIMIT", "[SERVERBUG"].iter().any(|code| says.starts_with(code));
    is_coded || says.contains("CONNECTIONS")
}

fn failure(what: &str, error: Error, hidden: &[String]) -> Failure {
    let says = |says: &dyn Display| discreet(&says.to_string(), &borrowed(hidden));
    match &error {
        Error::No(no) => Failure::Refused(format!("the IMAP server refuses {what}: {}", says(no))),
        Error::Bad(bad) => Failure::Refused(format!("the IMAP server does not understand {what}: {}", says(bad))),
        Error::Bye(bye) => Failure::Broken(format!("the IMAP server ended the session at {what}: {}", says(bye))),
        Error::Io(error) => Failure::Broken(format!("the IMAP session broke at {what}: {}", reason(error, hidden))),
        Error::ConnectionLost => Failure::Broken(format!("the IMAP server hung up at {what}")),
        // The rest may repeat what was sent or fetched.
        _ => Failure::Broken(format!("the IMAP server's answer cannot be understood at {what}")),
    }
}

fn reason(error: &io::Error, hidden: &[String]) -> String {
    discreet(&error.to_string(), &borrowed(hidden))
}

fn borrowed(hidden: &[String]) -> Vec<&str> {
    hidden.iter().map(String::as_str).collect()
}

/// Letters as a command names them.
fn set(uids: &[u32]) -> String {
    uids.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

/// The numbers that a search found, each once and in sequence.
fn found(answer: &str) -> Vec<u32> {
    let lines = answer.lines().filter(|line| starts(line, "* SEARCH"));
    let uids: BTreeSet<u32> =
        lines.flat_map(|line| line.split_whitespace().skip(2)).filter_map(|uid| uid.parse().ok()).collect();
    uids.into_iter().collect()
}

/// What a server says that it can do, in capitals.
fn words_of(answer: &str) -> BTreeSet<String> {
    let lines = answer.lines().filter(|line| starts(line, "* CAPABILITY"));
    lines.flat_map(str::split_whitespace).map(str::to_ascii_uppercase).collect()
}

/// What follows a word in brackets: `[UIDVALIDITY 17]`.
fn bracketed<'a>(answer: &'a str, word: &str) -> Option<&'a str> {
    answer.lines().filter(|line| starts(line, "* OK [")).find_map(|line| {
        let inside = &line["* OK [".len()..];
        let rest = inside.get(word.len()..).filter(|_| starts(inside, word))?;
        Some(rest.split(']').next().unwrap_or_default())
    })
}

fn has_line(answer: &str, beginning: &str) -> bool {
    answer.lines().any(|line| starts(line, beginning))
}

fn starts(line: &str, beginning: &str) -> bool {
    line.get(..beginning.len()).is_some_and(|head| head.eq_ignore_ascii_case(beginning))
}
