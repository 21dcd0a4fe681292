//! The spool: a carrier of two Maildirs on the own disk, which needs no server.
//!
//! Comes in: files in `new` of the inbox. Goes out: files in `new` of the outbox, named after the dispatch. What is kept
//! goes to `cur`. Whoever brings letters writes them into `tmp` first and renames them, as Maildirs are used everywhere.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::carrier::{Carrier, Dispatch, Mark, Receipt, Received, Trouble};
use super::compose::{Sender, compose};
use super::letter::LARGEST;
use super::{oversize, private};

/// How often the inbox is looked at while somebody waits.
const LOOK: Duration = Duration::from_millis(200);
/// The most letters that are brought at once: whoever remembers them does nothing else meanwhile.
const MOST_LETTERS: usize = 100;
/// No further letter is brought at once beyond so many bytes.
const MOST_BYTES: usize = 8 * 1024 * 1024;
/// The longest name of a file; some file systems take 143 bytes and no more.
const LONGEST_NAME: usize = 120;

/// Where a spool is, and in whose name it sends.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpoolSettings {
    /// The Maildir that letters come into.
    pub inbox: PathBuf,
    /// The Maildir that dispatches go out of.
    pub outbox: PathBuf,
    /// The address that letters are sent from.
    pub address: String,
    /// The name that is shown with it.
    pub display_name: Option<String>,
}

/// A carrier of files in two folders.
#[derive(Debug)]
pub struct Spool {
    name: String,
    settings: SpoolSettings,
    sender: Sender,
    seen: Mutex<Seen>,
    /// One dispatch is written at a time: the same one, sent twice at once, has one name.
    writing: Mutex<()>,
}

/// The letters of the inbox as they were when it was last looked through.
#[derive(Debug, Default)]
struct Seen {
    /// Those that were not brought since, the first first.
    waiting: VecDeque<Waiting>,
    /// Where those are that were.
    brought: HashMap<Mark, PathBuf>,
}

impl Spool {
    /// A spool at these Maildirs, which are made where they are missing.
    ///
    /// # Errors
    /// A folder cannot be made.
    pub fn open(name: &str, settings: SpoolSettings) -> Result<Self, Trouble> {
        for (maildir, which) in [(&settings.inbox, "inbox"), (&settings.outbox, "outbox")] {
            for folder in ["tmp", "new", "cur"] {
                private::create_folder(&maildir.join(folder)).map_err(|error| {
                    Trouble::Lasting(format!("the {which} of the spool cannot be made: {}", error.kind()))
                })?;
            }
        }
        let sender = Sender { address: settings.address.clone(), name: settings.display_name.clone() };
        Ok(Self { name: name.to_owned(), settings, sender, seen: Mutex::default(), writing: Mutex::new(()) })
    }

    /// Tries for real what the spool needs.
    pub fn check(&self) -> Vec<(String, Result<String, String>)> {
        let (inbox, outbox) = (&self.settings.inbox, &self.settings.outbox);
        let waiting = self.waiting().map(|files| format!("{} letters wait in {}", files.len(), inbox.display()));
        vec![
            ("the inbox".to_owned(), waiting.map_err(|error| format!("{}: {error}", inbox.display()))),
            ("keeping letters".to_owned(), try_writing(&inbox.join("cur"))),
            ("the outbox".to_owned(), try_writing(&outbox.join("tmp")).and_then(|_| try_writing(&outbox.join("new")))),
        ]
    }

    /// The files of the inbox in the sequence of their arrival.
    fn waiting(&self) -> io::Result<Vec<Waiting>> {
        self.files("new")
    }

    /// The files of a folder of the inbox in the sequence of their arrival.
    fn files(&self, folder: &str) -> io::Result<Vec<Waiting>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(self.settings.inbox.join(folder))? {
            let entry = entry?;
            if !entry.file_name().as_encoded_bytes().starts_with(b".") {
                files.extend(Waiting::at(entry.path()));
            }
        }
        files.sort_by(|a, b| (a.arrived, &a.path).cmp(&(b.arrived, &b.path)));
        Ok(files)
    }

    /// What can be read of the inbox now, and why something cannot. It is looked through once for all letters that are
    /// there, however many times they are brought: those that come meanwhile come after them.
    fn look(&self) -> Result<(Vec<Received>, Option<io::Error>), Trouble> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut letters, mut unread, mut bytes) = (Vec::new(), None, 0);
        if seen.waiting.is_empty() {
            let files = self.waiting().map_err(|error| passing("the inbox of the spool cannot be read", &error))?;
            *seen = Seen { waiting: files.into(), brought: HashMap::new() };
        }
        while letters.len() < MOST_LETTERS && bytes < MOST_BYTES {
            let Some(file) = seen.waiting.pop_front() else { break };
            match file.read() {
                Ok(raw) => {
                    bytes += raw.len();
                    seen.brought.insert(file.mark(), file.path.clone());
                    letters.push(Received { mark: file.mark(), arrived: file.arrived, raw });
                }
                // Somebody took it away again.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                // It must not keep the others back.
                Err(error) => unread = Some(error),
            }
        }
        Ok((letters, unread))
    }

    fn write(&self, name: &str, raw: &[u8]) -> io::Result<()> {
        let outbox = &self.settings.outbox;
        let (unfinished, finished) = (outbox.join("tmp").join(name), outbox.join("new").join(name));
        if finished.try_exists()? || was_read(&outbox.join("cur"), name)? {
            return Ok(());
        }
        // What an earlier attempt left unfinished is written anew.
        let mut file = private::create_file(&unfinished)?;
        file.write_all(raw)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&unfinished, &finished)?;
        File::open(outbox.join("new"))?.sync_all()
    }
}

impl Carrier for Spool {
    fn name(&self) -> &str {
        &self.name
    }

    fn collect(&self, patience: Duration) -> Result<Vec<Received>, Trouble> {
        let begun = Instant::now();
        loop {
            let (letters, unread) = self.look()?;
            let left = patience.saturating_sub(begun.elapsed());
            match unread {
                _ if !letters.is_empty() => return Ok(letters),
                Some(error) if left.is_zero() => return Err(passing("a letter in the inbox cannot be read", &error)),
                None if left.is_zero() => return Ok(letters),
                Some(_) | None => thread::sleep(left.min(LOOK)),
            }
        }
    }

    fn keep(&self, marks: &[Mark]) -> Result<(), Trouble> {
        let cannot_read = |error| passing("the inbox of the spool cannot be read", &error);
        let mut files = Vec::new();
        let mut unknown = BTreeSet::new();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        for mark in marks {
            match seen.brought.remove(mark) {
                Some(path) => files.extend(Waiting::at(path).filter(|file| file.mark() == *mark)),
                None => _ = unknown.insert(mark),
            }
        }
        // Somebody else has brought it, before we came.
        if !unknown.is_empty() {
            let all = self.waiting().map_err(cannot_read)?;
            files.extend(all.into_iter().filter(|file| unknown.contains(&file.mark())));
        }
        for file in files {
            file.put_away(&self.settings.inbox.join("cur"))
                .map_err(|error| passing("a letter of the inbox cannot be put away", &error))?;
        }
        Ok(())
    }

    fn look_back(&self, since: DateTime<Utc>, bring: &mut dyn FnMut(Vec<Received>) -> bool) -> Result<(), Trouble> {
        let cannot = |error: io::Error| passing("letters that were kept cannot be read", &error);
        let files = self.files("cur").map_err(cannot)?;
        let (mut letters, mut bytes) = (Vec::new(), 0);
        for file in files.into_iter().filter(|file| file.arrived >= since) {
            match file.read() {
                Ok(raw) => {
                    bytes += raw.len();
                    letters.push(Received { mark: file.mark(), arrived: file.arrived, raw });
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(cannot(error)),
            }
            if letters.len() == MOST_LETTERS || bytes >= MOST_BYTES {
                bytes = 0;
                if !bring(std::mem::take(&mut letters)) {
                    return Ok(());
                }
            }
        }
        bring(letters);
        Ok(())
    }

    fn send(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        let raw = compose(dispatch, &self.sender)?;
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(&file_name(&dispatch.message_id), &raw)
            .map(|()| Receipt::default())
            .map_err(|error| passing("the outbox of the spool cannot be written", &error))
    }
}

/// A file in the inbox.
#[derive(Debug)]
struct Waiting {
    arrived: DateTime<Utc>,
    size: u64,
    path: PathBuf,
}

impl Waiting {
    /// The file there. What is no file is not ours; what has gone meanwhile is no trouble.
    fn at(path: PathBuf) -> Option<Waiting> {
        let metadata = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
        let arrived = metadata.modified().map_or_else(|_| Utc::now(), DateTime::<Utc>::from);
        Some(Waiting { arrived, size: metadata.len(), path })
    }

    /// Its name, and what tells it from another file that took its place.
    fn mark(&self) -> Mark {
        let name = self.path.file_name().unwrap_or_default().as_encoded_bytes();
        let name: String = name
            .iter()
            .map(|&byte| match byte {
                b'!'..=b'~' if byte != b'%' => char::from(byte).to_string(),
                _ => format!("%{byte:02x}"),
            })
            .collect();
        Mark(format!("{}.{}.{name}", self.size, self.arrived.timestamp_micros()))
    }

    fn read(&self) -> io::Result<Vec<u8>> {
        let file = File::open(&self.path)?;
        let mut raw = Vec::new();
        if self.size > LARGEST as u64 {
            file.take(oversize::GLIMPSE as u64).read_to_end(&mut raw)?;
            return Ok(oversize::stand_in(raw));
        }
        // It may still grow.
        file.take(LARGEST as u64 + 1).read_to_end(&mut raw)?;
        Ok(raw)
    }

    /// Moves it among the letters that were read. Another of its name stays what it is.
    fn put_away(&self, folder: &Path) -> io::Result<()> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.split(":2,").next().unwrap_or_default();
        let names = (0_u32..).map(|number| match number {
            0 => format!("{name}:2,S"),
            _ => format!("{name}.{number}:2,S"),
        });
        for name in names {
            let kept = folder.join(name);
            if !kept.try_exists()? {
                return match fs::rename(&self.path, kept) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                    moved => moved,
                };
            }
        }
        Ok(())
    }
}

/// The name of a dispatch's file: the same at every attempt, another for every id.
fn file_name(id: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.@+=".contains(&byte);
    let name: String = id.bytes().map(|byte| if is_plain(byte) { char::from(byte) } else { '_' }).collect();
    if name == id && name.len() <= LONGEST_NAME && !name.starts_with('.') {
        return name;
    }
    let hash: String = Sha256::digest(id).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let name: String = name.chars().take(LONGEST_NAME - hash.len() - 1).collect();
    format!("{}-{hash}", name.trim_start_matches('.'))
}

/// Whether the reader of the outbox has put this letter among those that the reader read.
fn was_read(folder: &Path, name: &str) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?.file_name();
        if entry == OsStr::new(name) || entry.to_str().is_some_and(|entry| entry.split(":2,").next() == Some(name)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn try_writing(folder: &Path) -> Result<String, String> {
    let file = folder.join(".cursus-check");
    private::create_file(&file)
        .and_then(|_| fs::remove_file(&file))
        .map(|()| format!("{} can be written", folder.display()))
        .map_err(|error| format!("{}: {error}", folder.display()))
}

/// Anything may be wrong with a disk for a while. The kind of an error names no file, and so no player.
fn passing(what: &str, error: &io::Error) -> Trouble {
    Trouble::Passing(format!("{what}: {}", error.kind()))
}
