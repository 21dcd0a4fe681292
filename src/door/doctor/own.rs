//! What the doctor finds in the house itself: the archive, the disk, the edition, the words, and who moderates.

use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};

use super::{CLOCKS, Finding};
use crate::archive::{Archive, ArchiveError};
use crate::desk::settings::written::Address;
use crate::desk::settings::{CarrierKind, Settings};
use crate::door::edition::edition as edition_in;
use crate::door::house;
use crate::game::GameId;
use crate::post::private;
use crate::report::{TemplateFiles, Templates};
use crate::rules::{Language, PrintedGame};

/// So much of a disk should be free: a long game with its letters fills a tenth of it.
const ROOM: u64 = 500 * 1024 * 1024;
/// With less than this nothing is safe.
const LEAST_ROOM: u64 = 50 * 1024 * 1024;
/// A daemon that was here so lately is at work.
const LATELY: TimeDelta = TimeDelta::minutes(2);

/// The archive: it opens, it can be written, and our clock is not behind it.
pub(super) fn archive(settings: &Settings, now: DateTime<Utc>) -> Vec<Finding> {
    match Archive::visit(&settings.archive) {
        Ok(archive) => looked_through(&archive, settings, now).unwrap_or_else(|error| vec![unwritable(&error)]),
        Err(ArchiveError::Missing(_)) => vec![missing(settings), clock(now, None)],
        Err(error) => vec![unopened(&error)],
    }
}

/// There is none yet: whether one can be made.
fn missing(settings: &Settings) -> Finding {
    let (path, folder) = (settings.archive.display(), existing(&settings.archive));
    match try_writing(&folder) {
        Ok(()) => Finding::well("archive", format!("{path} is not there yet; `cursus serve` makes it")),
        Err(error) => Finding::wrong(
            "archive",
            format!("{path} is not there yet and cannot be made: {}: {error}", folder.display()),
            "make its folder, and give it to the user who runs Cursus",
        ),
    }
}

/// There is one, and it does not open.
fn unopened(error: &ArchiveError) -> Finding {
    let advice = match error {
        ArchiveError::Newer { .. } => "install the release that wrote it, or a newer one",
        ArchiveError::Foreign(_) => {
            "write another file as `archive` in the settings; if it was an archive of yours, `cursus restore COPY` puts a copy \
             in its place and moves this file aside"
        }
        ArchiveError::Gone { .. } | ArchiveError::Damaged(_) => {
            "stop the daemon; `cursus restore COPY` puts a copy in its place, and moves aside what is there"
        }
        ArchiveError::Missing(_)
        | ArchiveError::Twice(_)
        | ArchiveError::Locked(_)
        | ArchiveError::Full
        | ArchiveError::ReadOnly(_)
        | ArchiveError::Trouble(_)
        | ArchiveError::File { .. } => {
            "see that the file and its folder belong to the user who runs Cursus and that the disk is sound; otherwise \
             `cursus restore COPY` puts a copy in its place"
        }
    };
    Finding::wrong("archive", error.to_string(), advice)
}

/// It opens, and cannot be written or read.
fn unwritable(error: &ArchiveError) -> Finding {
    let advice = if matches!(error, ArchiveError::Full) {
        "make room on this disk"
    } else {
        "see that the file, those beside it (-wal, -shm) and their folder belong to the user who runs Cursus"
    };
    Finding::wrong("archive", error.to_string(), advice)
}

/// What stands in it, and who is at work on it.
fn looked_through(archive: &Archive, settings: &Settings, now: DateTime<Utc>) -> Result<Vec<Finding>, ArchiveError> {
    archive.keep("doctor", now.to_rfc3339().as_bytes())?;
    let games = archive.games()?;
    let room = archive.room()?;
    let (path, schema) = (settings.archive.display(), archive.schema()?);
    let (mb, free) = (room.bytes.div_ceil(1 << 20), room.free / (1 << 20));
    let says = format!(
        "{path} can be read and written; schema {schema}, {} games, {mb} MB of which {free} are free",
        games.len()
    );
    let mut findings = vec![Finding::well("archive", says)];
    let all = archive.game_ids()?;
    let is_damaged = |id: &&GameId| !games.iter().any(|game| game.id == **id);
    let damaged: Vec<_> = all.iter().filter(is_damaged).map(GameId::as_str).collect();
    if !damaged.is_empty() {
        let says = format!("cannot be read: {}", damaged.join(", "));
        let advice = "the others go on; `cursus restore COPY` brings back an older state of all";
        findings.push(Finding::mind("games", says, advice));
    }
    findings.push(outbox(archive)?);
    let alive = archive.kept("alive")?.and_then(|bytes| String::from_utf8(bytes).ok());
    let alive = alive.and_then(|text| DateTime::parse_from_rfc3339(&text).ok()).map(|time| time.to_utc());
    let mut last = alive;
    for game in &games {
        last = last.max(archive.rulings(&game.id)?.iter().map(|ruling| ruling.ruled_at).max());
    }
    findings.extend([clock(now, last), daemon(alive, now)]);
    Ok(findings)
}

/// How our letters fare.
fn outbox(archive: &Archive) -> Result<Finding, ArchiveError> {
    let outbox = archive.outbox_status(None)?;
    let letters = format!("{} letters sent, {} waiting, {} given up", outbox.sent, outbox.waiting, outbox.dead);
    Ok(match outbox.dead {
        0 => Finding::well("outbox", letters),
        _ => Finding::mind("outbox", letters, "`cursus game show GAME` tells in which game; check those addresses"),
    })
}

/// Whether a daemon is at work on the archive.
fn daemon(alive: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Finding {
    let says = match alive {
        Some(alive) if now - alive < LATELY => {
            format!("it was at work on this archive {} seconds ago", (now - alive).num_seconds().max(0))
        }
        Some(alive) => format!("it is not at work; it last was {}", alive.format("%Y-%m-%d %H:%M UTC")),
        None => "it has never been at work on this archive; `cursus serve` starts it".to_owned(),
    };
    Finding::well("daemon", says)
}

/// Files and folders with letters or secrets in them, and who else may look into them.
pub(super) fn privacy(settings: &Settings, file: Option<&Path>) -> Vec<Finding> {
    let beside = |path: &Path, endings: &[&str]| -> Vec<PathBuf> {
        let with = |ending: &&str| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        endings.iter().map(with).collect()
    };
    let mut letters = beside(&settings.archive, &["", "-wal", "-shm", ".lock", ".mark"]);
    let mut secrets: Vec<PathBuf> = Vec::new();
    for carrier in &settings.carriers {
        match &carrier.kind {
            CarrierKind::Spool(spool) => {
                let maildirs = [&spool.inbox, &spool.outbox].into_iter();
                letters.extend(maildirs.flat_map(|maildir| ["new", "cur", "tmp"].map(|folder| maildir.join(folder))));
            }
            CarrierKind::Mailbox(mailbox) => {
                secrets.extend(mailbox.password_file.clone());
                if let Some(oauth) = &mailbox.oauth {
                    secrets.extend(oauth.client_secret_file.clone());
                    secrets.extend(beside(&oauth.token_file, &["", ".new"]));
                }
            }
            CarrierKind::Forum(forum) => secrets.extend(forum.secret_file.clone()),
            CarrierKind::Feed(..) => {}
        }
    }
    // A group may have business with these: the one that the daemon runs as, or the one that holds certificates.
    let mut shared: Vec<PathBuf> = file.map(Path::to_path_buf).into_iter().collect();
    shared.extend(settings.web.as_ref().and_then(|web| web.tls.as_ref()).map(|tls| tls.key.clone()));
    // A folder that nobody may enter hides what is in it.
    let is_hidden = |place: &Path| {
        let above = place.parent().filter(|above| !above.as_os_str().is_empty());
        above.is_some_and(|above| above.is_dir() && private::open_to_others(above).is_none())
    };
    let open = |places: &[PathBuf], matters: &dyn Fn(&str) -> bool| -> Vec<String> {
        let open = places.iter().filter(|place| !is_hidden(place)).filter_map(|place| {
            let mode = private::open_to_others(place).filter(|mode| matters(mode))?;
            Some(format!("{} (mode {mode})", place.display()))
        });
        open.collect()
    };
    let of_letters = open(&letters, &|_| true);
    let mut of_secrets = open(&secrets, &|_| true);
    of_secrets.extend(open(&shared, &|mode| !mode.ends_with('0')));
    let open_letters = if of_letters.is_empty() {
        Finding::well("privacy", "nobody else may look into the archive and the letters")
    } else {
        Finding::mind(
            "privacy",
            format!("other users of this machine may look into {}", of_letters.join(", ")),
            "`chmod 600` for files and `chmod 700` for folders, as the user who owns them; leave open only what your \
         mail server needs",
        )
    };
    let open_secrets = if of_secrets.is_empty() {
        Finding::well("secrets", "nobody else may read passwords, keys and tokens")
    } else {
        Finding::mind(
            "secrets",
            format!("other users of this machine may read {}", of_secrets.join(", ")),
            "`chmod 600` for each of them, as the user who owns it; and where somebody else has an account here, take \
         another password or key, for this one may be known",
        )
    };
    vec![open_letters, open_secrets]
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
pub(super) fn room(settings: &Settings) -> Vec<Finding> {
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

pub(super) fn edition(settings: &Settings, rules: Option<&Path>) -> Result<(PrintedGame, Finding), Finding> {
    let folder = rules.or(settings.rules.as_deref());
    match edition_in(folder) {
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
pub(super) fn templates(settings: &Settings, printed: &PrintedGame) -> Finding {
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
            ("page.toml", &built_in.page, &files.page),
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

pub(super) fn health_file(settings: &Settings) -> Finding {
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

pub(super) fn moderators(settings: &Settings) -> Vec<Finding> {
    if settings.moderators.is_empty() {
        let advice = "write [[moderators]] with `name` and `addresses`, or a [moderator] in the file of every game";
        return vec![Finding::wrong("moderator", "the settings name none, so nobody would be told of trouble", advice)];
    }
    let findings = settings.moderators.iter().map(|person| {
        let what = format!("moderator {}", person.name);
        let ours = |address: &&Address| settings.carriers.iter().any(|carrier| carrier.address.is(address.as_str()));
        let addresses: Vec<&str> = person.addresses.iter().map(|address| address.as_str()).collect();
        let says = addresses.join(", ");
        if let Some(address) = person.addresses.iter().find(ours) {
            let says = format!("{address} is the address of a carrier: we would write to ourselves");
            return Finding::wrong(&what, says, "give the moderator another address");
        }
        let advice = "this is the address of the sample file; write your own";
        match (person.addresses.iter().any(Address::is_sample), settings.has_mailbox()) {
            (true, true) => Finding::wrong(&what, says, advice),
            (true, false) => Finding::mind(&what, says, advice),
            (false, _) => Finding::well(&what, says),
        }
    });
    findings.collect()
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
