//! `cursus doctor`: tries every setting for real, and says what to do where something fails.
//!
//! Works beside a daemon: the archive is visited, and the letters it sends to itself are recognised as our own by whoever
//! finds them. Nobody else is written to.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use super::house;
use crate::archive::{Archive, ArchiveError};
use crate::desk::house::random;
use crate::desk::settings::{CarrierKind, CarrierSettings, Settings, SettingsError};
use crate::desk::written::Length;
use crate::post::forum::{Feed, Forum};
use crate::post::letter::{self, Kind};
use crate::post::mailbox::{Lies, Mailbox, MailboxSettings, Strayed, Trip};
use crate::post::spool::{Spool, SpoolSettings};
use crate::post::{Carrier, Dispatch, Memory, Trouble};
use crate::report::{TemplateFiles, Templates};
use crate::rules::{Language, PrintedGame};

/// So much of a disk should be free: a long game with its letters fills a tenth of it.
const ROOM: u64 = 500 * 1024 * 1024;
/// With less than this nothing is safe.
const LEAST_ROOM: u64 = 50 * 1024 * 1024;
/// So far our clock may be from a mail server's before somebody should know.
const CLOCKS: TimeDelta = TimeDelta::minutes(2);
/// A daemon that was here so lately is at work.
const LATELY: TimeDelta = TimeDelta::minutes(2);
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

/// How something is.
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
    /// What was tried.
    what: String,
    health: Health,
    /// What was found.
    says: String,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

impl Finding {
    fn well(what: &str, says: impl Into<String>) -> Finding {
        Finding { what: what.to_owned(), health: Health::Well, says: says.into(), advice: None }
    }

    fn mind(what: &str, says: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { what: what.to_owned(), health: Health::Mind, says: says.into(), advice: Some(advice.into()) }
    }

    fn wrong(what: &str, says: impl Into<String>, advice: impl Into<String>) -> Finding {
        Finding { what: what.to_owned(), health: Health::Wrong, says: says.into(), advice: Some(advice.into()) }
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
    let place = house::place(wish.config.as_deref());
    if let Some(config) = wish.config.as_deref().filter(|config| !config.is_file()) {
        bail!("there is no file {}", config.display());
    }
    let mut examination = Examination { findings: Vec::new(), out, json: wish.json };
    match settings(place.as_deref()) {
        Ok((settings, finding)) => {
            examination.note(finding)?;
            examine(&mut examination, &settings, rules, wish.wait)?;
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
    Ok(wrong == 0)
}

fn settings(place: Option<&Path>) -> Result<(Settings, Finding), Finding> {
    let Some(place) = place else {
        let says = "there is no cursus.toml and no config/cursus.toml here, so the built-in ones are used";
        let advice = "name yours with `--config FILE`, or begin with a copy of config/cursus.toml";
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
    rules: Option<&Path>,
    wait: Length,
) -> anyhow::Result<()> {
    let now = Utc::now();
    examination.note_all(archive(settings, now))?;
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
    Ok(())
}

/// The archive: it opens, it can be written, and our clock is not behind it.
fn archive(settings: &Settings, now: DateTime<Utc>) -> Vec<Finding> {
    let path = settings.archive.display();
    let archive = match Archive::visit(&settings.archive) {
        Ok(archive) => archive,
        Err(ArchiveError::Missing(_)) => {
            let folder = existing(&settings.archive);
            let finding = match try_writing(&folder) {
                Ok(()) => Finding::well("archive", format!("{path} is not there yet; `cursus serve` makes it")),
                Err(error) => Finding::wrong(
                    "archive",
                    format!("{path} is not there yet and cannot be made: {}: {error}", folder.display()),
                    "make its folder, and give it to the user who runs Cursus",
                ),
            };
            return vec![finding, clock(now, None)];
        }
        Err(error) => {
            let advice = match &error {
                ArchiveError::Newer { .. } => "install the release that wrote it, or a newer one",
                ArchiveError::Foreign(_) => "write another file as `archive` in the settings",
                _ => {
                    "see that the file and its folder belong to the user who runs Cursus and that the disk is sound; \
                      otherwise put a backup in its place"
                }
            };
            return vec![Finding::wrong("archive", error.to_string(), advice)];
        }
    };
    let seen = || -> Result<Vec<Finding>, ArchiveError> {
        archive.keep("doctor", now.to_rfc3339().as_bytes())?;
        let games = archive.games()?;
        let outbox = archive.outbox_status(None)?;
        let mut findings = vec![Finding::well(
            "archive",
            format!("{path} can be read and written; schema {}, {} games", archive.schema()?, games.len()),
        )];
        let (waiting, sent, dead) = (outbox.waiting, outbox.sent, outbox.dead);
        let letters = format!("{sent} letters sent, {waiting} waiting, {dead} given up");
        findings.push(match dead {
            0 => Finding::well("outbox", letters),
            _ => Finding::mind("outbox", letters, "`cursus game show GAME` tells in which game; check those addresses"),
        });
        let alive = archive.kept("alive")?.and_then(|bytes| String::from_utf8(bytes).ok());
        let alive = alive.and_then(|text| DateTime::parse_from_rfc3339(&text).ok()).map(|time| time.to_utc());
        let mut last = alive;
        for game in &games {
            last = last.max(archive.rulings(&game.id)?.iter().map(|ruling| ruling.ruled_at).max());
        }
        findings.push(clock(now, last));
        findings.push(match alive {
            Some(alive) if now - alive < LATELY => {
                let says = format!("it was at work on this archive {} seconds ago", (now - alive).num_seconds().max(0));
                Finding::well("daemon", says)
            }
            Some(alive) => Finding::well(
                "daemon",
                format!("it is not at work; it last was {}", alive.format("%Y-%m-%d %H:%M UTC")),
            ),
            None => Finding::well("daemon", "it has never been at work on this archive; `cursus serve` starts it"),
        });
        Ok(findings)
    };
    seen().unwrap_or_else(|error| {
        let advice = match error {
            ArchiveError::Full => "make room on this disk",
            _ => "see that the file, those beside it (-wal, -shm) and their folder belong to the user who runs Cursus",
        };
        vec![Finding::wrong("archive", error.to_string(), advice)]
    })
}

/// Whether our clock can be right, and what it knows of zones.
fn clock(now: DateTime<Utc>, last: Option<DateTime<Utc>>) -> Finding {
    let time = now.format("%Y-%m-%d %H:%M UTC");
    match last.filter(|last| *last > now + CLOCKS) {
        Some(last) => Finding::wrong(
            "clock",
            format!("it says {time}, but something in the archive happened at {}", last.format("%Y-%m-%d %H:%M UTC")),
            "set the clock of this machine, and let it be kept right (timedatectl set-ntp true)",
        ),
        None => Finding::well("clock", format!("{time}; zones of the world as of {}", chrono_tz::IANA_TZDB_VERSION)),
    }
}

/// Room on the disks that are written to: the archive's, and the spools'.
fn room(settings: &Settings) -> Vec<Finding> {
    let folder = existing(&settings.archive);
    let what = "disk";
    let free = match free_room(&folder) {
        Some(free) => free,
        None => return vec![Finding::well(what, format!("{}: nobody says how much is free", folder.display()))],
    };
    let says = format!("{} MB are free in {}", free / 1024 / 1024, folder.display());
    vec![match free {
        0..LEAST_ROOM => Finding::wrong(what, says, "make room: a full disk stops the daemon"),
        LEAST_ROOM..ROOM => Finding::mind(what, says, "make room before long: a full disk stops the daemon"),
        _ => Finding::well(what, says),
    }]
}

#[cfg(unix)]
fn free_room(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free_room(_folder: &Path) -> Option<u64> {
    None
}

fn edition(settings: &Settings, rules: Option<&Path>) -> Result<(PrintedGame, Finding), Finding> {
    let folder = rules.or(settings.rules.as_deref());
    match super::edition::edition(folder) {
        Ok(printed) => {
            let of = folder.map_or_else(|| "the built-in one".to_owned(), |folder| folder.display().to_string());
            let says = format!("{of}: {} areas, {} scenarios", printed.map.areas.len(), printed.scenarios.len());
            Ok((printed, Finding::well("edition", says)))
        }
        Err(error) => {
            let advice = "mend the file, or leave `rules` out of the settings to play with the built-in edition";
            Err(Finding::wrong("edition", format!("{error:#}"), advice))
        }
    }
}

/// The words: all of them can be read, and own ones say everything that the built-in ones say.
fn templates(settings: &Settings, printed: &PrintedGame) -> Finding {
    let what = "templates";
    let words = match house::words(settings.templates.as_deref()) {
        Ok(words) => words,
        Err(error) => {
            let advice =
                "own templates lie in the folders en and pl of `templates` and have the names of the built-in ones";
            return Finding::wrong(what, format!("{error:#}"), advice);
        }
    };
    let (mut own, mut missing) = (Vec::new(), Vec::new());
    for language in Language::ALL {
        let built_in = TemplateFiles::built_in(language);
        let files = words.get(language.code()).unwrap_or(&built_in);
        if let Err(error) = Templates::read(language, files, printed) {
            let advice = "mend the file, or take it away: the built-in one is used then";
            return Finding::wrong(what, error.to_string(), advice);
        }
        let name = |file: &str| format!("{}/{file}", language.code());
        for (file, ours, theirs) in [
            ("phrases.toml", &built_in.phrases, &files.phrases),
            ("help.toml", &built_in.help, &files.help),
            ("rules.md", &built_in.rules, &files.rules),
        ] {
            own.extend((ours != theirs).then(|| name(file)));
        }
        missing.extend(missing_phrases(&built_in.phrases, &files.phrases).into_iter().map(|key| name(&key)));
        let letters = files.letters.iter().filter(|(file, text)| built_in.letters.get(*file) != Some(*text));
        own.extend(letters.map(|(file, _)| name(file)));
    }
    match (settings.templates.as_deref(), own.is_empty()) {
        _ if !missing.is_empty() => {
            let advice = "write these phrases too; templates of this release have them";
            Finding::wrong(what, format!("own phrases are missing: {}", missing.join(", ")), advice)
        }
        (None, _) => Finding::well(what, "the built-in ones, in en and pl"),
        (Some(folder), true) => {
            let says = format!("{} has none of your own, so the built-in ones are used", folder.display());
            Finding::mind(what, says, "own templates lie in the folders en and pl in there")
        }
        (Some(folder), false) => {
            Finding::well(what, format!("of your own in {}: {}", folder.display(), own.join(", ")))
        }
    }
}

/// The phrases that ours have and theirs do not.
fn missing_phrases(ours: &str, theirs: &str) -> Vec<String> {
    let keys = |text: &str| {
        let tables: toml::Table = text.parse().unwrap_or_default();
        let keys = tables.into_iter().flat_map(|(table, phrases)| {
            let phrases = phrases.as_table().map(|phrases| phrases.keys().cloned().collect::<Vec<_>>());
            phrases.unwrap_or_default().into_iter().map(move |key| format!("{table}.{key}"))
        });
        keys.collect::<std::collections::BTreeSet<_>>()
    };
    keys(ours).difference(&keys(theirs)).cloned().collect()
}

fn health_file(settings: &Settings) -> Finding {
    let Some(file) = &settings.health.file else {
        return Finding::well("health", "no file is named; the daemon says that it is well in the log alone");
    };
    // The daemon makes no folders for it.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match try_writing(folder) {
        Ok(()) => Finding::well("health", format!("{} can be written", file.display())),
        Err(error) => Finding::wrong(
            "health",
            format!("{} cannot be written: {error}", file.display()),
            "make its folder and give it to the user who runs Cursus, or write another `file` under [health]",
        ),
    }
}

fn moderators(settings: &Settings) -> Vec<Finding> {
    if settings.moderators.is_empty() {
        let advice = "write [[moderators]] with `name` and `addresses`, or a [moderator] in the file of every game";
        return vec![Finding::mind("moderator", "the settings name none", advice)];
    }
    let findings = settings.moderators.iter().map(|person| {
        let what = format!("moderator {}", person.name);
        let ours = |address: &&crate::desk::written::Address| {
            settings.carriers.iter().any(|carrier| carrier.address.is(address.as_str()))
        };
        let addresses: Vec<&str> = person.addresses.iter().map(|address| address.as_str()).collect();
        let says = addresses.join(", ");
        if let Some(address) = person.addresses.iter().find(ours) {
            let says = format!("{address} is the address of a carrier: he would write to himself");
            return Finding::wrong(&what, says, "give the moderator an address of his own");
        }
        match addresses.iter().any(|address| is_sample(address)) {
            true => Finding::mind(&what, says, "this is the address of the sample file; write your own"),
            false => Finding::well(&what, says),
        }
    });
    findings.collect()
}

/// Addresses that nobody has.
fn is_sample(address: &str) -> bool {
    let host = address.rsplit_once('@').map_or("", |(_, host)| host).to_ascii_lowercase();
    ["example.org", "example.com", "example.net"].iter().any(|sample| host == *sample)
}

/// Tries a carrier. Each kind has its arm here, and nowhere else.
fn examine_carrier(
    examination: &mut Examination,
    settings: &Settings,
    carrier: &CarrierSettings,
    wait: Length,
) -> anyhow::Result<()> {
    match &carrier.kind {
        CarrierKind::Spool(spool) => examination.note_all(examine_spool(carrier, spool)),
        CarrierKind::Mailbox(mailbox) => examine_mailbox(examination, carrier, mailbox, wait),
        CarrierKind::Forum(forum) => {
            let opened = Forum::open(&carrier.name, (**forum).clone()).map(|forum| forum.check());
            examination.note_all(examine_forum(carrier, opened))
        }
        CarrierKind::Feed(feed) => {
            let archive = Archive::visit(&settings.archive).ok();
            let threads = archive.and_then(|archive| archive.public_threads(&carrier.name).ok()).unwrap_or_default();
            let opened = Feed::open(&carrier.name, feed.clone()).map(|feed| {
                feed.recall(&Memory { threads, kept: Vec::new() });
                feed.check()
            });
            examination.note_all(examine_forum(carrier, opened))
        }
    }
}

/// What was tried, and what came of it.
type Tried = Vec<(String, Result<String, String>)>;

fn examine_forum(carrier: &CarrierSettings, opened: Result<Tried, Trouble>) -> Vec<Finding> {
    let what = |what: &str| format!("{} (forum): {what}", carrier.name);
    let finding = |(tried, result): (String, Result<String, String>)| match result {
        Ok(says) => Finding::well(&what(&tried), says),
        Err(says) => Finding::wrong(&what(&tried), says.clone(), forum_advice(&tried, &says)),
    };
    match opened {
        Ok(tried) => tried.into_iter().map(finding).collect(),
        Err(trouble) => vec![finding(("settings".to_owned(), Err(trouble.to_string())))],
    }
}

/// What to do about the trouble of a forum, by what was tried.
fn forum_advice(tried: &str, says: &str) -> &'static str {
    match tried {
        _ if says.contains("connection") || says.contains("certificate") => {
            "check `url`, and that this machine can reach it (a browser or curl will tell)"
        }
        "settings" | "our user" => {
            "check `url`, the name of our user, and where the key or the password is: the forum must know both"
        }
        "the category" => "check `category`, and let our user begin threads there",
        "private messages" => {
            "let our user read and write private messages: on a young forum new users may not; or write \
             private_messages = false and give players an address for mail"
        }
        _ => "let our user write there; a new user may have to be trusted first",
    }
}

fn examine_spool(carrier: &CarrierSettings, settings: &SpoolSettings) -> Vec<Finding> {
    let what = |what: &str| format!("{} (spool): {what}", carrier.name);
    let advice = "give the folder to the user who runs Cursus, or write other ones as `in` and `out`";
    let spool = match Spool::open(&carrier.name, settings.clone()) {
        Ok(spool) => spool,
        Err(trouble) => return vec![Finding::wrong(&what("the folders"), trouble.to_string(), advice)],
    };
    let checked = spool.check().into_iter().map(|(tried, result)| match result {
        Ok(says) => Finding::well(&what(&tried), says),
        Err(says) => Finding::wrong(&what(&tried), says, advice),
    });
    let address = carrier.address.as_str();
    let sample = is_sample(address).then(|| {
        let advice =
            "that is fine for a try; for a real game let your mail server deliver into the spool, or use a mailbox";
        Finding::mind(&what("the address"), format!("{address} is the address of the sample file"), advice)
    });
    checked.chain(sample).collect()
}

fn examine_mailbox(
    examination: &mut Examination,
    carrier: &CarrierSettings,
    settings: &MailboxSettings,
    wait: Length,
) -> anyhow::Result<()> {
    let what = |what: &str| format!("{} (mailbox): {what}", carrier.name);
    let mailbox = match Mailbox::open(&carrier.name, settings.clone()) {
        Ok(mailbox) => mailbox,
        Err(trouble) => {
            let says = trouble.to_string();
            return examination.note(Finding::wrong(&what("settings"), says.clone(), mailbox_advice(&says)));
        }
    };
    examination.note_all(password(settings).map(|finding| Finding { what: what(&finding.what), ..finding }))?;
    let mut is_open = true;
    for (tried, result) in mailbox.check() {
        is_open &= result.is_ok();
        examination.note(match result {
            Ok(says) => Finding::well(&what(&tried), says),
            Err(says) => Finding::wrong(&what(&tried), says.clone(), mailbox_advice(&says)),
        })?;
    }
    if !is_open {
        return Ok(());
    }
    let round = Round { mailbox: &mailbox, carrier, patience: wait.delta().to_std().unwrap_or_default() };
    let (finding, has_come) = round.to_oneself()?;
    examination.note_all(finding.into_iter().map(|finding| Finding { what: what(&finding.what), ..finding }))?;
    if has_come {
        let finding = round.with_a_plus()?;
        examination.note(Finding { what: what(&finding.what), ..finding })?;
    }
    Ok(())
}

/// A password that others may read is one that others have.
#[cfg(unix)]
fn password(settings: &MailboxSettings) -> Option<Finding> {
    use std::os::unix::fs::PermissionsExt;
    let file = settings.password_file.as_ref()?;
    let mode = fs::metadata(file).ok()?.permissions().mode();
    let says = format!("other users of this machine may read {}", file.display());
    (mode & 0o077 != 0).then(|| Finding::mind("password", says, format!("chmod 600 {}", file.display())))
}

#[cfg(not(unix))]
fn password(_settings: &MailboxSettings) -> Option<Finding> {
    None
}

/// What to do about the trouble of a mailbox, by what is said of it.
fn mailbox_advice(says: &str) -> &'static str {
    let has = |words: &[&str]| words.iter().any(|word| says.contains(word));
    match () {
        () if has(&["password cannot be read", "environment has no", "password is empty"]) => {
            "write the password, and nothing else, into the file that `password_file` names; or set the variable that \
             `password_env` names before you start Cursus"
        }
        () if has(&["login"]) => {
            "check `user` and the password. Most providers want an app password for mail programs, which you make in the \
             settings of the account, and IMAP switched on there"
        }
        () if has(&["certificate"]) => {
            "check `host`: it must be the name in the server's certificate. A server with a certificate of its own needs \
             `root_certificate`"
        }
        () if has(&["refuses the inbox", "does not understand the inbox", "no plain name of a folder"]) => {
            "there is no such folder: check `inbox`, which is INBOX at nearly every provider"
        }
        () if has(&[
            "no connection",
            "hung up",
            "broke at",
            "does not answer",
            "turns us away",
            "cannot be understood",
        ]) =>
        {
            "check `host`, `port` and `tls`. Usual are for IMAP 993 with \"implicit\" or 143 with \"starttls\", for SMTP 465 \
             with \"implicit\" or 587 with \"starttls\"; a firewall may be in the way"
        }
        () => "ask the provider what it means",
    }
}

/// Letters to oneself and back.
struct Round<'a> {
    mailbox: &'a Mailbox,
    carrier: &'a CarrierSettings,
    patience: Duration,
}

impl Round<'_> {
    /// To the own address. Says whether it came.
    fn to_oneself(&self) -> anyhow::Result<(Vec<Finding>, bool)> {
        let what = "a letter to oneself";
        let address = self.carrier.address.as_str();
        let sent_at = Utc::now();
        let trip = match self.travel(address)? {
            Ok(trip) => trip,
            Err(strayed) => return Ok((vec![self.strayed(what, &strayed)], false)),
        };
        let took = seconds(trip.took);
        let mut findings = vec![match &trip.lies {
            Lies::Inbox => Finding::well(what, format!("it was back after {took} and is put away")),
            Lies::Kept => Finding::well(what, format!("it was back after {took}; the daemon has put it away")),
            Lies::Junk(folder) => Finding::wrong(
                what,
                format!("it came, but into the folder {folder}"),
                "tell your provider that letters from this address are no spam; players' letters may end there too",
            ),
        }];
        if let Ok(letter) = letter::open(&trip.received.raw) {
            if letter.kind != Kind::Loop {
                let advice = "the provider has changed its head; ask him not to change the ids of letters";
                findings.push(Finding::mind(
                    "our own letters",
                    "they are not known as ours when they come back",
                    advice,
                ));
            }
            findings.extend(self.verdicts(&letter.authentication_results));
        }
        let apart = trip.received.arrived - sent_at - TimeDelta::from_std(trip.took).unwrap_or_default();
        if apart.abs() > CLOCKS {
            let says = format!("the server's clock is {} minutes from ours", apart.num_minutes().abs());
            let advice = "set the clock of this machine: the server's clock decides whether a letter is late";
            findings.push(Finding::mind("clocks", says, advice));
        }
        Ok((findings, true))
    }

    /// To the own address with something added to it: so the answers of players come back.
    fn with_a_plus(&self) -> anyhow::Result<Finding> {
        let what = "plus-addressing";
        let address = self.carrier.address.as_str();
        let (local, host) = address.rsplit_once('@').unwrap_or((address, "localhost"));
        let tagged = format!("{local}+doctor.{}@{host}", word()?);
        let sample = format!("{local}+GAME.SEAT.SECRET@{host}");
        let advice = format!(
            "players answer to {sample}, and that must come to this mailbox. Switch on plus-addressing (also called \
             sub-addressing or address tags) at the provider, or let everything at {host} come here (catch-all), or take \
             another provider. On your own server: recipient_delimiter = + (Postfix, Dovecot), local_part_suffix = +* (Exim)"
        );
        Ok(match self.travel(&tagged)? {
            Ok(Trip { lies: Lies::Junk(folder), .. }) => {
                Finding::wrong(what, format!("letters to {sample} come into the folder {folder}"), advice)
            }
            Ok(trip) => {
                let letter = letter::open(&trip.received.raw).ok();
                let keeps = letter.is_some_and(|letter| {
                    letter.to.iter().chain(&letter.delivered_to).any(|to| to.eq_ignore_ascii_case(&tagged))
                });
                match keeps {
                    true => Finding::well(what, format!("letters to {sample} come back, after {}", seconds(trip.took))),
                    false => Finding::wrong(what, "the letter came, but the part behind the + is lost", advice),
                }
            }
            Err(Strayed::Refused(_)) => {
                Finding::wrong(what, format!("the server does not take letters to {sample}"), advice)
            }
            Err(Strayed::Returned) => Finding::wrong(what, format!("letters to {sample} are returned"), advice),
            Err(Strayed::Nowhere) => {
                let says = format!("a letter to {sample} has not come in {}", seconds(self.patience));
                Finding::wrong(what, says, advice)
            }
            Err(strayed @ Strayed::Unseen(_)) => self.strayed(what, &strayed),
        })
    }

    fn travel(&self, to: &str) -> anyhow::Result<Result<Trip, Strayed>> {
        let word = format!("cursusdoctor{}", word()?);
        let host = self.carrier.address.as_str().rsplit_once('@').map_or("localhost", |(_, host)| host);
        let dispatch = Dispatch {
            message_id: format!("doctor.{word}@cursus.{host}"),
            date: Utc::now(),
            to: to.to_owned(),
            reply_to: None,
            in_reply_to: None,
            references: Vec::new(),
            subject: format!("Cursus doctor {word}"),
            text: "`cursus doctor` has sent this letter to itself, to see whether it comes back. It may be deleted."
                .to_owned(),
            html: None,
            picture: None,
            data: None,
        };
        Ok(self.mailbox.send_round(&dispatch, &word, self.patience))
    }

    fn strayed(&self, what: &str, strayed: &Strayed) -> Finding {
        let address = self.carrier.address.as_str();
        match strayed {
            Strayed::Refused(Trouble::Passing(says) | Trouble::Lasting(says)) => {
                let advice =
                    "check `address`: most providers only take letters from the address that belongs to `user`";
                Finding::wrong(what, says.clone(), advice)
            }
            Strayed::Returned => {
                let says = format!("a letter to {address} is returned as undeliverable");
                Finding::wrong(what, says, "check `address`: it must be the address of this mailbox")
            }
            Strayed::Nowhere => {
                let says = format!("a letter to {address} was taken, but has not come in {}", seconds(self.patience));
                let advice = "check that `address` belongs to this mailbox and that no filter moves letters; for a slow \
                              provider call `cursus doctor --wait 5min`";
                Finding::wrong(what, says, advice)
            }
            Strayed::Unseen(says) => Finding::wrong(what, says.clone(), mailbox_advice(says)),
        }
    }

    /// Whose word about senders can be believed.
    fn verdicts(&self, results: &[String]) -> Option<Finding> {
        let what = "forged senders";
        let hosts = results.iter().filter_map(|result| result.split([';', ' ', '\t']).find(|word| !word.is_empty()));
        let seen = hosts.map(str::to_owned).next()?;
        match &self.carrier.authserv_id {
            Some(host) if host.eq_ignore_ascii_case(&seen) => {
                Some(Finding::well(what, format!("{host} judges senders, and is believed")))
            }
            Some(host) => {
                let says = format!("`authserv_id` is {host:?}, but the server signs its verdicts as {seen:?}");
                Some(Finding::mind(what, says, format!("write authserv_id = {seen:?}")))
            }
            None => {
                let says = format!("the server judges senders as {seen:?}, and nobody believes it yet");
                let advice = format!("write authserv_id = {seen:?}: letters with a forged sender are parked then");
                Some(Finding::mind(what, says, advice))
            }
        }
    }
}

/// A word that stands in no other letter.
fn word() -> anyhow::Result<String> {
    Ok(random()?.iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

fn seconds(time: Duration) -> String {
    format!("{:.1} seconds", time.as_secs_f64())
}

/// The nearest folder above a file that is there.
fn existing(file: &Path) -> PathBuf {
    let folders =
        file.ancestors().skip(1).map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    folders.into_iter().find(|folder| folder.is_dir()).unwrap_or(Path::new(".")).to_owned()
}

/// Tries for real whether files can be made in a folder.
fn try_writing(folder: &Path) -> std::io::Result<()> {
    let file = folder.join(format!(".cursus-doctor-{}", std::process::id()));
    fs::write(&file, b"trial").and_then(|()| fs::remove_file(&file))
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
