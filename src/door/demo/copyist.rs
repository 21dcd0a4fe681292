//! The copyist: lays every letter and every map into the folder of a demo, beside the game, in a thread of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use anyhow::{Context, anyhow};
use mail_parser::{MessageParser, MimeHeaders, PartType};
use sha2::{Digest, Sha256};

use crate::door::club::{Kind, Posted};
use crate::game::Known;
use crate::report::map::{Canvas, Changes, Frame, picture};
use crate::rules::{Civ, Language};

/// So many pieces of work wait at most; a letter is some 60 kB.
const WAITING: usize = 256;

/// A letter that lies in the folder.
#[derive(Debug, Clone)]
pub struct Letter {
    /// Its number in the sequence of all letters, from 1.
    pub number: u32,
    /// Whose seat it is from or to; none is the moderator's.
    pub civ: Option<Civ>,
    /// What kind of letter it is.
    pub kind: Kind,
    /// The turn it speaks of.
    pub turn: u16,
    /// Its subject.
    pub subject: String,
    /// Whether it has a map.
    pub has_map: bool,
    /// All that a player wrote, with what he quotes.
    pub text: String,
}

/// What the ways out of a page are called.
#[derive(Debug, Clone)]
pub struct Ways {
    /// Back to all letters.
    pub back: String,
    /// To the letter that is answered.
    pub question: String,
}

/// What there is to do.
enum Work {
    Letter(Box<Posted>),
    Map { turn: u16, known: Box<Known>, changes: Box<Changes>, canvas: Canvas },
}

/// Somebody who copies while the game goes on.
pub struct Copyist {
    work: SyncSender<Work>,
    done: JoinHandle<anyhow::Result<Vec<Letter>>>,
}

impl Copyist {
    /// Begins to copy into a folder.
    pub fn begin(folder: &Path, ways: Ways) -> anyhow::Result<Copyist> {
        for name in ["letters", "maps", "pictures"] {
            fs::create_dir_all(folder.join(name)).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let (work, waiting) = sync_channel(WAITING);
        let folder = folder.to_owned();
        Ok(Copyist { work, done: thread::spawn(move || copy(&folder, &ways, &waiting)) })
    }

    /// Hands over a letter. Where the copyist has stopped, [`Copyist::finish`] says why.
    pub fn letter(&self, posted: Posted) {
        let _ = self.work.send(Work::Letter(Box::new(posted)));
    }

    /// Hands over the board at the end of a turn; turn 0 is the beginning.
    pub fn map(&self, turn: u16, known: Known, changes: Changes, language: Language, title: String) {
        let canvas = Canvas { width: Frame::Whole.width(&known), frame: Frame::Whole, language, title };
        let work = Work::Map { turn, known: Box::new(known), changes: Box::new(changes), canvas };
        let _ = self.work.send(work);
    }

    /// Waits until everything is copied; gives the letters in their sequence.
    pub fn finish(self) -> anyhow::Result<Vec<Letter>> {
        drop(self.work);
        self.done.join().map_err(|_| anyhow!("the letters could not be laid out"))?
    }
}

/// The name of a letter's files, without their ending.
pub fn letter_name(number: u32) -> String {
    format!("letters/{number:05}")
}

/// The name of a turn's map.
pub fn map_name(turn: u16) -> String {
    format!("maps/turn-{turn:02}.svg")
}

/// The picture of a mail, if it has one.
pub fn picture_of(raw: &[u8]) -> Option<Vec<u8>> {
    let message = MessageParser::default().parse(raw)?;
    message.parts.iter().find_map(|part| match &part.body {
        PartType::InlineBinary(bytes) | PartType::Binary(bytes)
            if part.content_type().is_some_and(|kind| kind.c_type == "image") =>
        {
            Some(bytes.to_vec())
        }
        _ => None,
    })
}

/// Puts a picture into the folder, once for all letters that show it.
pub fn keep_picture(folder: &Path, png: &[u8]) -> anyhow::Result<PathBuf> {
    let digest = Sha256::digest(png);
    let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let path = Path::new("pictures").join(name + ".png");
    if !folder.join(&path).exists() {
        fs::write(folder.join(&path), png).with_context(|| format!("cannot write into {}", folder.display()))?;
    }
    Ok(path)
}

fn copy(folder: &Path, ways: &Ways, waiting: &Receiver<Work>) -> anyhow::Result<Vec<Letter>> {
    let mut letters = Vec::new();
    // The numbers of the letters that players wrote, by their count.
    let mut written: BTreeMap<u32, u32> = BTreeMap::new();
    for work in waiting {
        match work {
            Work::Letter(posted) => {
                let mut way = format!("<a href=\"../index.html#letters\">← {}</a>", ways.back);
                match &posted.kind {
                    Kind::Written { count, .. } => {
                        written.insert(*count, posted.number);
                    }
                    Kind::Ours { answers, .. } => {
                        if let Some(number) = answers.and_then(|count| written.get(&count)) {
                            let _ =
                                write!(way, " · <a href=\"../{}.html\">{}</a>", letter_name(*number), ways.question);
                        }
                    }
                }
                letters.push(lay(folder, &way, *posted)?);
            }
            Work::Map { turn, known, changes, canvas } => {
                let svg = picture(&known, &changes, &canvas).svg;
                fs::write(folder.join(map_name(turn)), svg).context("a map is written")?;
            }
        }
    }
    Ok(letters)
}

/// Writes a letter as a mail, and one of ours as a page.
fn lay(folder: &Path, way: &str, posted: Posted) -> anyhow::Result<Letter> {
    let name = letter_name(posted.number);
    fs::write(folder.join(name.clone() + ".eml"), &posted.raw).context("a letter is written")?;
    let message = MessageParser::default().parse(&posted.raw).context("a letter can be read")?;
    let subject = message.subject().unwrap_or_default().to_owned();
    let html = message.parts.iter().find_map(|part| match &part.body {
        PartType::Html(html) => Some(html.to_string()),
        _ => None,
    });
    let text = match html {
        Some(_) => String::new(),
        None => message.body_text(0).unwrap_or_default().into_owned(),
    };
    let mut has_map = false;
    if let Some(mut html) = html {
        if html.contains("cid:map")
            && let Some(png) = picture_of(&posted.raw)
        {
            let picture = keep_picture(folder, &png)?;
            html = html.replace("cid:map", &format!("../{}", picture.display()));
            has_map = true;
        }
        let body = html.find("<body").and_then(|at| html[at..].find('>').map(|end| at + end + 1));
        let mail = format!("{:05}.eml", posted.number);
        html.insert_str(
            body.unwrap_or(0),
            &format!(
                "<div style=\"max-width:600px;margin:0 auto;padding:10px 16px;font:14px/1.4 sans-serif\">{way} · \
                 <a href=\"{mail}\">.eml</a></div>"
            ),
        );
        fs::write(folder.join(name + ".html"), html).context("a page is written")?;
    }
    let Posted { number, civ, kind, turn, .. } = posted;
    Ok(Letter { number, civ, kind, turn, subject, has_map, text })
}
