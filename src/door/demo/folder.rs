//! The folder that a demo leaves: every letter as a mail and as a page, the maps, and a page to begin with.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chrono::{DateTime, Utc};
use mail_parser::{MessageParser, MimeHeaders, PartType};

use crate::door::club::files;
use crate::game::{State, scoring};
use crate::report::Names;
use crate::report::map::{Canvas, Changes, Frame, picture};
use crate::rules::Language;

/// Where a demo is played.
pub struct Desk {
    folder: PathBuf,
    /// Whether the folder is only a desk, and cleared at the end.
    passing: bool,
}

/// A letter, in or out.
struct Letter {
    time: i64,
    from: String,
    to: String,
    subject: String,
    page: String,
    mail: String,
}

impl Desk {
    /// Clears a folder for a demo: what an earlier one left there goes, and nothing else.
    pub fn clear(out: Option<&Path>) -> anyhow::Result<Desk> {
        let passing = out.is_none();
        let folder = match out {
            Some(folder) => folder.to_owned(),
            None => {
                let number = u64::from_be_bytes(crate::desk::house::random()?[..8].try_into()?);
                std::env::temp_dir().join(format!("cursus-demo-{number:016x}"))
            }
        };
        let is_used = folder.read_dir().is_ok_and(|mut entries| entries.next().is_some());
        if is_used && !folder.join("cursus.sqlite").exists() {
            bail!("{} is not empty, and no demo made it; name another folder with --out", folder.display());
        }
        for name in ["in", "out", "letters", "maps"] {
            let _ = fs::remove_dir_all(folder.join(name));
        }
        for name in ["cursus.sqlite", "cursus.sqlite-wal", "cursus.sqlite-shm", "index.html"] {
            let _ = fs::remove_file(folder.join(name));
        }
        Ok(Desk { folder, passing })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Lays out everything for the reader; says where to begin.
    pub fn lay_out(&self, state: &State, language: Language) -> anyhow::Result<Option<PathBuf>> {
        if self.passing {
            return Ok(None);
        }
        let letters = self.letters()?;
        let title = "Mega Civilization".to_owned();
        let canvas = Canvas { language, width: Frame::Whole.width(state), frame: Frame::Whole, title };
        fs::create_dir_all(self.folder.join("maps"))?;
        let svg = picture(state, &Changes::default(), &canvas).svg;
        fs::write(self.folder.join("maps/board.svg"), svg)?;
        let index = self.folder.join("index.html");
        fs::write(&index, page(state, language, &letters))
            .with_context(|| format!("cannot write {}", index.display()))?;
        Ok(Some(index))
    }

    /// Makes a page of every letter, in the sequence they were written.
    fn letters(&self) -> anyhow::Result<Vec<Letter>> {
        fs::create_dir_all(self.folder.join("letters"))?;
        let mut letters = Vec::new();
        for (number, path) in
            files(&self.folder.join("in/cur"))?.into_iter().chain(files(&self.folder.join("out/cur"))?).enumerate()
        {
            let raw = fs::read(&path)?;
            letters.push(self.letter(number + 1, &raw)?);
        }
        // A stable sort: letters of the same minute stay in the sequence of the spool.
        letters.sort_by_key(|letter| letter.time);
        Ok(letters)
    }

    fn letter(&self, number: usize, raw: &[u8]) -> anyhow::Result<Letter> {
        let message = MessageParser::default().parse(raw).context("a letter can be read")?;
        let name = |address: Option<&mail_parser::Address>| {
            let address = address.and_then(|address| address.first()).and_then(|one| one.address()).unwrap_or_default();
            let local = address.split('@').next().unwrap_or_default();
            local.split('+').next().unwrap_or_default().to_owned()
        };
        let (page, mail) = (format!("letters/{number:05}.html"), format!("letters/{number:05}.eml"));
        let html = message.parts.iter().find_map(|part| match &part.body {
            PartType::Html(html) => Some(html.to_string()),
            _ => None,
        });
        let picture = message.parts.iter().find_map(|part| match &part.body {
            PartType::InlineBinary(bytes) | PartType::Binary(bytes)
                if part.content_type().is_some_and(|kind| kind.c_type == "image") =>
            {
                Some(bytes.to_vec())
            }
            _ => None,
        });
        let map = format!("{number:05}.png");
        if let Some(png) = picture {
            fs::create_dir_all(self.folder.join("maps"))?;
            fs::write(self.folder.join("maps").join(&map), png)?;
        }
        let text = message.body_text(0).unwrap_or_default();
        let body = match html {
            Some(html) => html.replace("cid:map", &format!("../maps/{map}")),
            None => format!(
                "<!doctype html><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
                 <pre style=\"white-space:pre-wrap;font:15px/1.4 monospace;max-width:44em;margin:1em auto\">{}</pre>",
                escaped(&text)
            ),
        };
        fs::write(self.folder.join(&page), body)?;
        fs::write(self.folder.join(&mail), raw)?;
        Ok(Letter {
            time: message.date().map_or(0, mail_parser::DateTime::to_timestamp),
            from: name(message.from()),
            to: name(message.to()),
            subject: message.subject().unwrap_or_default().to_owned(),
            page,
            mail,
        })
    }
}

/// The page to begin with: the scores, the board, and all letters, a list for each day.
fn page(state: &State, language: Language, letters: &[Letter]) -> String {
    let names = Names::new(state.printed(), language);
    let mut scores = String::new();
    let best = scoring::scores(state).first().map_or(1, |score| score.total().max(1));
    for score in scoring::scores(state) {
        let width = u32::from(score.total()) * 100 / u32::from(best);
        let _ = write!(
            scores,
            "<tr><th>{}<td>{}<td class=bar><i style=\"width:{width}%\"></i>",
            escaped(names.civ(score.civ)),
            score.total()
        );
    }
    let mut days: BTreeMap<String, Vec<&Letter>> = BTreeMap::new();
    for letter in letters {
        let day = DateTime::<Utc>::from_timestamp(letter.time, 0).map(|time| time.format("%Y-%m-%d").to_string());
        days.entry(day.unwrap_or_default()).or_default().push(letter);
    }
    let mut list = String::new();
    for (day, letters) in &days {
        let _ = write!(list, "<details><summary>{day} · {}</summary><ul>", letters.len());
        for letter in letters {
            let _ = write!(
                list,
                "<li><a href=\"{}\">{}</a> <small>{} → {} · <a href=\"{}\">.eml</a></small>",
                letter.page,
                escaped(&letter.subject),
                escaped(&letter.from),
                escaped(&letter.to),
                letter.mail
            );
        }
        list += "</ul></details>";
    }
    format!(
        "<!doctype html><html lang=\"{}\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Cursus</title><style>:root{{color-scheme:light dark}}body{{font:16px/1.5 system-ui,sans-serif;max-width:60em;\
         margin:2em auto;padding:0 1em}}table{{border-collapse:collapse;width:100%}}th{{text-align:left;font-weight:500}}\
         td,th{{padding:.1em .6em}}.bar{{width:60%}}.bar i{{display:block;height:.8em;background:#b5651d;border-radius:.2em}}\
         img{{max-width:100%;height:auto}}li{{margin:.3em 0}}small{{opacity:.75}}</style>\
         <h1>Mega Civilization by mail</h1><table>{scores}</table>\
         <p><a href=\"maps/board.svg\"><img src=\"maps/board.svg\" alt=\"\"></a><h2>{} letters</h2>{list}",
        language.code(),
        letters.len()
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Drop for Desk {
    fn drop(&mut self) {
        if self.passing {
            // What cannot be cleared away is left to the system.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
