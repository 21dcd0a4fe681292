//! `cursus doctor`: tries every setting for real, and says what to do where something fails.
//!
//! Works beside a daemon: the archive is visited, and the letters it sends to itself are recognised as our own by whoever
//! finds them. Nobody else is written to.

mod carriers;
mod dns;
mod own;
mod page;
mod published;
mod round;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use chrono::{TimeDelta, Utc};
use serde::Serialize;

use self::carriers::examine_carrier;
use self::own::{archive, edition, health_file, moderators, privacy, room, templates};
use super::house;
use crate::desk::settings::mail::Answers;
use crate::desk::settings::written::Length;
use crate::desk::settings::{Settings, SettingsError};

/// So far our clock may be from a mail server's before somebody should know.
const CLOCKS: TimeDelta = TimeDelta::minutes(2);
/// The width of a terminal.
const WIDTH: usize = 80;

/// What is to be examined.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The settings; the usual places if none are named.
    pub config: Option<PathBuf>,
    /// How long a letter to oneself is waited for.
    pub wait: Length,
    /// Whether the findings are printed as JSON.
    pub json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Health {
    Well,
    Mind,
    Wrong,
}

/// One thing that was tried.
#[derive(Debug, Clone, Serialize)]
struct Finding {
    what: String,
    health: Health,
    says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
    /// What `cursus init` can do about it.
    #[serde(skip)]
    remedy: Option<Remedy>,
}

/// What a program can do about something that is wrong, with somebody at the keyboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// Another password, in the file that has it.
    Password(PathBuf),
    /// Answers find their letter in another way, which was tried and works.
    Answers(Answers),
    /// One of the two servers of the mailbox is sealed otherwise.
    Seal {
        /// Whether it is the one that takes letters.
        is_way_out: bool,
        /// As the settings write it.
        tls: &'static str,
    },
}

impl Finding {
    fn well(what: &str, says: impl Into<String>) -> Finding {
        Finding { what: what.to_owned(), health: Health::Well, says: says.into(), advice: None, remedy: None }
    }

    fn mind(what: &str, says: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding {
            what: what.to_owned(),
            health: Health::Mind,
            says: says.into(),
            advice: Some(advice.into()),
            remedy: None,
        }
    }

    fn wrong(what: &str, says: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding {
            what: what.to_owned(),
            health: Health::Wrong,
            says: says.into(),
            advice: Some(advice.into()),
            remedy: None,
        }
    }

    fn with(self, remedy: Option<Remedy>) -> Finding {
        Finding { remedy, ..self }
    }

    /// The finding as it is printed, with what to do below it.
    fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let mark = match self.health {
            Health::Well => "ok   ",
            Health::Mind => "mind ",
            Health::Wrong => "WRONG",
        };
        let lines = folded(&format!("{}: {}", self.what, self.says), WIDTH - 7);
        for (number, line) in lines.iter().enumerate() {
            writeln!(out, "{}  {line}", if number == 0 { mark } else { "     " })?;
        }
        let advice = self.advice.as_deref().map(|advice| folded(advice, WIDTH - 10)).unwrap_or_default();
        for (number, line) in advice.iter().enumerate() {
            writeln!(out, "       {} {line}", if number == 0 { "->" } else { "  " })?;
        }
        Ok(())
    }
}

/// Where findings go: to the terminal as they come, for some take their time, or to the end as JSON.
struct Examination<'a> {
    findings: Vec<Finding>,
    out: &'a mut dyn Write,
    json: bool,
}

impl Examination<'_> {
    fn note(&mut self, finding: Finding) -> anyhow::Result<()> {
        if !self.json {
            finding.print(self.out)?;
            self.out.flush()?;
        }
        self.findings.push(finding);
        Ok(())
    }

    fn note_all(&mut self, findings: impl IntoIterator<Item = Finding>) -> anyhow::Result<()> {
        findings.into_iter().try_for_each(|finding| self.note(finding))
    }
}

/// Tries everything; says whether all is well.
pub fn doctor(wish: &Wish, rules: Option<&Path>, out: &mut dyn Write) -> anyhow::Result<bool> {
    Ok(examined(wish, rules, out)?.is_empty())
}

/// Tries everything. Goes out: for each thing that is wrong what a program can do about it, if anything.
pub(crate) fn examined(wish: &Wish, rules: Option<&Path>, out: &mut dyn Write) -> anyhow::Result<Vec<Option<Remedy>>> {
    let place = house::place(wish.config.as_deref());
    if let Some(config) = wish.config.as_deref().filter(|config| !config.is_file()) {
        bail!("there is no file {}", config.display());
    }
    place.as_deref().map_or(Ok(()), house::refuse_root)?;
    let mut examination = Examination { findings: Vec::new(), out, json: wish.json };
    match settings(place.as_deref()) {
        Ok((settings, finding)) => {
            examination.note(finding)?;
            examine(&mut examination, &settings, place.as_deref(), rules, wish.wait)?;
        }
        Err(finding) => examination.note(finding)?,
    }
    let Examination { findings, out, json } = examination;
    let count = |health: Health| findings.iter().filter(|finding| finding.health == health).count();
    let (wrong, mind) = (count(Health::Wrong), count(Health::Mind));
    match (json, wrong, mind) {
        (true, ..) => writeln!(out, "{}", serde_json::to_string_pretty(&findings)?)?,
        (false, 0, 0) => writeln!(out, "\nAll is well.")?,
        (false, 0, mind) => writeln!(out, "\nIt works; {mind} to mind.")?,
        (false, wrong, _) => writeln!(out, "\n{wrong} wrong: see what to do above, then call the doctor again.")?,
    }
    let is_wrong = |finding: &Finding| finding.health == Health::Wrong;
    Ok(findings.into_iter().filter(is_wrong).map(|finding| finding.remedy).collect())
}

fn settings(place: Option<&Path>) -> Result<(Settings, Finding), Finding> {
    let Some(place) = place else {
        let says = "there is no cursus.toml and no config/cursus.toml here, so the built-in ones are used";
        let advice = "`cursus init` writes one by asking; `--config FILE` names another";
        return Ok((Settings::default(), Finding::mind("settings", says, advice)));
    };
    match Settings::load(place) {
        Ok(settings) => Ok((settings, Finding::well("settings", place.display().to_string()))),
        Err(SettingsError::Wrong(faults)) => {
            let advice = "mend these lines; everything else is examined after that";
            Err(Finding::wrong("settings", faults.to_string(), advice))
        }
        Err(error @ SettingsError::Closed { .. }) => {
            Err(Finding::wrong("settings", error.to_string(), "let the user who runs Cursus read the file"))
        }
    }
}

fn examine(
    examination: &mut Examination,
    settings: &Settings,
    place: Option<&Path>,
    rules: Option<&Path>,
    wait: Length,
) -> anyhow::Result<()> {
    let now = Utc::now();
    examination.note_all(archive(settings, now))?;
    examination.note_all(privacy(settings, place))?;
    examination.note_all(room(settings))?;
    let printed = edition(settings, rules);
    examination.note(match &printed {
        Ok((_, finding)) => finding.clone(),
        Err(finding) => finding.clone(),
    })?;
    if let Ok((printed, _)) = &printed {
        examination.note(templates(settings, printed))?;
    }
    examination.note(health_file(settings))?;
    examination.note_all(moderators(settings))?;
    for carrier in &settings.carriers {
        examine_carrier(examination, settings, carrier, wait)?;
    }
    examination.note_all(page::page(settings))?;
    Ok(())
}

/// A text in lines that fit; words that are longer stay whole, and so do the breaks it has.
fn folded(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}
