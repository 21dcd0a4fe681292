//! The person at the table of a demo: types letters on standard input, or puts files into a folder.

use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::Context;

/// Where files are put.
pub(crate) const FOLDER: &str = "write-here";
/// So long a file has to rest before it is taken: whoever writes it may not be done.
const REST: Duration = Duration::from_millis(400);
/// So often the folder is looked at.
const LOOK: Duration = Duration::from_millis(200);
/// Larger files are no letters.
const LARGEST: u64 = 25_000_000;

/// What the player does when it is their turn to write.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Sends {
    /// The player has typed a letter.
    Typed(String),
    /// The player has put a text into the folder.
    Text {
        /// The name of the file.
        file: String,
        text: String,
    },
    /// The player has put a mail into the folder.
    Mail {
        /// The name of the file.
        file: String,
        raw: Vec<u8>,
    },
    /// A file of the player's cannot be sent.
    Unfit {
        /// The name of the file.
        file: String,
        /// Why, as the system says it.
        why: String,
    },
    /// The player's browser has brought a letter.
    Page,
    Leaves,
}

/// What is heard at the player's seat.
enum Heard {
    /// A line was typed.
    Line(String),
    /// The player's browser asks.
    Knock,
    /// The input has ended.
    End,
}

/// Somebody at the keyboard.
pub(crate) struct Guest {
    heard: Receiver<Heard>,
    sender: SyncSender<Heard>,
    folder: PathBuf,
    /// The letter that the player has begun to type.
    typed: Vec<String>,
    has_left: bool,
}

impl Guest {
    /// Offers the player a seat: a folder for files, and the keyboard.
    pub(crate) fn seat(folder: &Path) -> anyhow::Result<Guest> {
        let folder = folder.join(FOLDER);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        // One line at a time: what is not yet wanted stays where it is.
        let (sender, heard) = sync_channel(1);
        let keyboard = sender.clone();
        // The thread ends with the input, or with the process.
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            let mut line = Vec::new();
            while input.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                line.clear();
                if keyboard.send(Heard::Line(text)).is_err() {
                    return;
                }
            }
            let _ = keyboard.send(Heard::End);
        });
        Ok(Guest { heard, sender, folder, typed: Vec::new(), has_left: false })
    }

    /// Where the player may put files.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the player's browser does to be heard.
    pub(crate) fn knocker(&self) -> impl Fn() + Send + 'static {
        let sender = self.sender.clone();
        // Where something is heard already, it is looked at the browser as well.
        move || drop(sender.try_send(Heard::Knock))
    }

    /// Waits for the player's next letter, from wherever it comes. `attend` answers the player's browser, and says
    /// whether it has brought one.
    pub(crate) fn letter(&mut self, mut attend: impl FnMut() -> anyhow::Result<bool>) -> anyhow::Result<Sends> {
        loop {
            if self.has_left {
                return Ok(Sends::Leaves);
            }
            let heard = self.heard.recv_timeout(LOOK);
            if attend()? {
                if let Ok(Heard::Line(line)) = heard {
                    self.typed.push(line);
                }
                return Ok(Sends::Page);
            }
            match heard {
                Ok(Heard::Knock) => {}
                Ok(Heard::Line(line)) => match line.as_str() {
                    "" | "." if self.typed.is_empty() => {}
                    "" | "." => return Ok(self.send_typed()),
                    line if self.typed.is_empty() && line.trim().eq_ignore_ascii_case("quit") => self.has_left = true,
                    line => self.typed.push(line.to_owned()),
                },
                // What was begun when the input ended is sent, and the next letter never comes.
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => {
                    self.has_left = true;
                    if !self.typed.is_empty() {
                        return Ok(self.send_typed());
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    if self.typed.is_empty()
                        && let Some(sends) = self.dropped()?
                    {
                        return Ok(sends);
                    }
                }
            }
        }
    }

    fn send_typed(&mut self) -> Sends {
        Sends::Typed(std::mem::take(&mut self.typed).join("\n"))
    }

    /// The first file that is ready to be sent. It is put aside, so that it is sent once.
    fn dropped(&self) -> anyhow::Result<Option<Sends>> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(&self.folder)?.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        files.sort();
        for path in files {
            let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
            let is_mail = match ending.as_deref().and_then(|ending| ending.to_str()) {
                Some("txt") => false,
                Some("eml") => true,
                _ => continue,
            };
            let Ok(about) = path.metadata() else { continue };
            let rests = about.modified().is_ok_and(|time| time.elapsed().is_ok_and(|rest| rest >= REST));
            if !about.is_file() || !rests || about.len() == 0 {
                continue;
            }
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let raw = if about.len() <= LARGEST {
                fs::read(&path).map_err(|trouble| trouble.to_string())
            } else {
                Err(io::Error::from(io::ErrorKind::FileTooLarge).to_string())
            };
            let aside = path.with_file_name(format!("{file}.{}", if raw.is_ok() { "sent" } else { "not-sent" }));
            fs::rename(&path, aside).with_context(|| format!("{file} cannot be put aside"))?;
            return Ok(Some(match raw {
                Err(why) => Sends::Unfit { file, why },
                Ok(raw) if is_mail => Sends::Mail { file, raw },
                Ok(raw) => {
                    let text = String::from_utf8_lossy(&raw).trim_start_matches('\u{feff}').trim().to_owned();
                    Sends::Text { file, text }
                }
            }));
        }
        Ok(None)
    }
}
