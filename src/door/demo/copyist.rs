//! The copyist: lays every letter and every map into the folder of a demo, beside the game, in a thread of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use anyhow::{Context, anyhow};
use mail_parser::{Message, MessageParser, MimeHeaders, PartType};
use minijinja::{Environment, context};
use sha2::{Digest, Sha256};

use super::pack::{Album, Binder};
use crate::door::club::{Kind, Posted};
use crate::game::Known;
use crate::report::map::{Canvas, Changes, Frame, picture};
use crate::rules::{Civ, Language};

/// So many pieces of work wait at most; a letter is some 60 kB.
const WAITING: usize = 256;

/// A letter that lies in the folder.
#[derive(Debug, Clone)]
pub(crate) struct Copied {
    /// Its number in the sequence of all letters, from 1.
    pub number: u32,
    /// Whose seat it is from or to; none is the moderator's.
    pub civ: Option<Civ>,
    /// What kind of letter it is.
    pub kind: Kind,
    /// The turn it speaks of.
    pub turn: u16,
    pub subject: String,
    /// Whether it has a map.
    pub has_map: bool,
    /// What its mail is called in the mailboxes.
    pub file: String,
}

/// What there is to do.
enum Work {
    Letter { posted: Box<Posted>, heading: String },
    Map { known: Box<Known>, changes: Box<Changes>, canvas: Canvas },
}

/// Somebody who copies while the game goes on.
pub(crate) struct Copyist {
    work: SyncSender<Work>,
    done: JoinHandle<anyhow::Result<Vec<Copied>>>,
}

impl Copyist {
    /// Begins to copy into a folder.
    pub(crate) fn begin(folder: &Path, language: Language) -> anyhow::Result<Copyist> {
        for name in ["letters", "maps", "pictures"] {
            fs::create_dir_all(folder.join(name)).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let (work, waiting) = sync_channel(WAITING);
        let folder = folder.to_owned();
        Ok(Copyist { work, done: thread::spawn(move || copy(&folder, language, &waiting)) })
    }

    /// Hands over a letter; the heading says whose it is. Where the copyist has stopped, [`Copyist::finish`] says why.
    pub(crate) fn letter(&self, posted: Posted, heading: String) {
        let _ = self.work.send(Work::Letter { posted: Box::new(posted), heading });
    }

    /// Hands over the board at the beginning, and then at the end of every turn.
    pub(crate) fn map(&self, known: Known, changes: Changes, language: Language, title: String) {
        let canvas = Canvas { width: Frame::Whole.width(&known), frame: Frame::Whole, language, title };
        let work = Work::Map { known: Box::new(known), changes: Box::new(changes), canvas };
        let _ = self.work.send(work);
    }

    /// Waits until everything is copied; gives the letters in their sequence.
    pub(crate) fn finish(self) -> anyhow::Result<Vec<Copied>> {
        drop(self.work);
        self.done.join().map_err(|_| anyhow!("the letters could not be laid out"))?
    }
}

/// The picture of a mail, if it has one.
pub(crate) fn picture_of<'a>(message: &'a Message) -> Option<&'a [u8]> {
    message.parts.iter().find_map(|part| match &part.body {
        PartType::InlineBinary(bytes) | PartType::Binary(bytes)
            if part.content_type().is_some_and(|kind| kind.c_type == "image") =>
        {
            Some(bytes.as_ref())
        }
        _ => None,
    })
}

/// Puts a picture into the folder, once for all letters that show it.
pub(crate) fn keep_picture(folder: &Path, png: &[u8]) -> anyhow::Result<PathBuf> {
    let digest = Sha256::digest(png);
    let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let path = Path::new("pictures").join(name + ".png");
    if !folder.join(&path).exists() {
        fs::write(folder.join(&path), png).with_context(|| format!("cannot write into {}", folder.display()))?;
    }
    Ok(path)
}

fn copy(folder: &Path, language: Language, waiting: &Receiver<Work>) -> anyhow::Result<Vec<Copied>> {
    let pages = super::index::pages()?;
    let (mut binder, mut album, mut letters) = (Binder::default(), Album::default(), Vec::new());
    for work in waiting {
        match work {
            Work::Letter { posted, heading } => {
                let message = MessageParser::default().parse(&posted.raw).context("a letter can be read")?;
                let subject = message.subject().unwrap_or_default().to_owned();
                let html = message.parts.iter().find_map(|part| match &part.body {
                    PartType::Html(html) => Some(html.to_string()),
                    _ => None,
                });
                let (page, has_map) = match html {
                    Some(html) => with_picture(folder, html, &message)?,
                    None => (plain(&pages, language, &heading, &message, &posted.kind)?, false),
                };
                binder.add(folder, posted.number, page)?;
                let Posted { number, civ, kind, turn, file, .. } = *posted;
                letters.push(Copied { number, civ, kind, turn, subject, has_map, file });
            }
            Work::Map { known, changes, canvas } => album.add(&picture(&known, &changes, &canvas).svg),
        }
    }
    binder.close(folder)?;
    album.close(folder)?;
    Ok(letters)
}

/// A letter's own page, and whether it shows a picture: where the mail has it inside, the page has it beside it.
fn with_picture(folder: &Path, html: String, message: &Message) -> anyhow::Result<(String, bool)> {
    if html.contains("cid:map")
        && let Some(png) = picture_of(message)
    {
        let picture = keep_picture(folder, png)?;
        return Ok((html.replace("cid:map", &format!("../{}", picture.display())), true));
    }
    Ok((html, false))
}

/// A page for a letter that has none: those of players, and ours where they are plain text.
fn plain(
    pages: &Environment,
    language: Language,
    heading: &str,
    message: &Message,
    kind: &Kind,
) -> anyhow::Result<String> {
    let all = message.body_text(0).unwrap_or_default().replace('\r', "");
    let (own, quoted) = match kind {
        Kind::Written { text, .. } => {
            let own = text.trim();
            (own.to_owned(), all.strip_prefix(own).unwrap_or(&all).trim().to_owned())
        }
        Kind::Ours { .. } => (all.trim().to_owned(), String::new()),
    };
    let facts = context! {
        language => language.code(),
        subject => message.subject().unwrap_or_default(),
        heading,
        own,
        quoted,
    };
    Ok(pages.get_template("demo_letter.html")?.render(facts)?)
}
