//! `cursus read FILE`: opens one letter and shows what the intake makes of it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::Context;
use serde::Serialize;

use crate::post::letter::{self, Broken, Ignored, Kind, LARGEST, Letter};
use crate::post::words::Words;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A letter, head and all.
    Letter,
    Plain,
    Html,
}

/// What is printed of a letter.
#[derive(Debug, Serialize)]
struct Shown {
    kind: Kind,
    from: Option<String>,
    subject: Option<String>,
    text: String,
    ignored: Ignored,
    forwarded: bool,
    attachments: usize,
}

/// What is printed of a letter that nobody reads.
#[derive(Debug, Serialize)]
struct SetAside {
    set_aside: Broken,
    why: String,
}

/// Opens the letter in this file and prints it as JSON. Says whether it could be read; if not, the reason is printed.
pub fn read(path: &Path, form: FileKind, out: &mut dyn Write) -> anyhow::Result<bool> {
    let bytes = bytes(path).with_context(|| format!("cannot read {}", path.display()))?;
    let shown = show(&bytes, form);
    match &shown {
        Ok(shown) => serde_json::to_writer_pretty(&mut *out, shown)?,
        Err(broken) => {
            serde_json::to_writer_pretty(&mut *out, &SetAside { set_aside: *broken, why: broken.to_string() })?
        }
    }
    writeln!(out)?;
    Ok(shown.is_ok())
}

fn show(bytes: &[u8], form: FileKind) -> Result<Shown, Broken> {
    match form {
        FileKind::Letter => letter::open(bytes).map(Shown::from),
        FileKind::Plain => letter::own_plain(bytes).map(Shown::from),
        FileKind::Html => letter::own_html(bytes).map(Shown::from),
    }
}

/// What is in the file, as far as a letter may go and one byte more.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = LARGEST as u64 + 1;
    if path == Path::new("-") {
        io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

impl From<Letter> for Shown {
    fn from(letter: Letter) -> Self {
        Self {
            kind: letter.kind,
            from: letter.sender.from.map(|from| from.address),
            subject: Some(letter.subject),
            text: letter.text,
            ignored: letter.ignored,
            forwarded: letter.forwarded,
            attachments: letter.attachments,
        }
    }
}

impl From<Words> for Shown {
    fn from(words: Words) -> Self {
        Self {
            kind: Kind::Letter,
            from: None,
            subject: None,
            text: words.text,
            ignored: words.ignored,
            forwarded: words.forwarded,
            attachments: 0,
        }
    }
}
