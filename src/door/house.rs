//! What every command that works on an archive begins with: the settings, the words, and the archive itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use crate::archive::Archive;
use crate::desk::settings::{CarrierKind, Settings};
use crate::desk::{Desk, House};
use crate::post::Carrier;
use crate::post::forum::{Feed, Forum};
use crate::post::mailbox::Mailbox;
use crate::post::spool::Spool;
use crate::report::TemplateFiles;
use crate::rules::Language;

/// Where settings are looked for when nobody names them.
const PLACES: [&str; 2] = ["cursus.toml", "config/cursus.toml"];
/// The folder of the house of this machine, as packages make it; settings are looked for in it last.
const OF_THE_MACHINE: &str = "/etc/cursus";

/// The settings in this file, or in one of the usual places, or as they are without any.
pub(crate) fn settings(config: Option<&Path>) -> anyhow::Result<Settings> {
    match place(config) {
        Some(path) => {
            refuse_root(&path)?;
            Ok(Settings::load(&path)?)
        }
        None if !is_begun() && !elsewhere().is_empty() => {
            bail!("there is no cursus.toml in this folder{}", elsewhere())
        }
        None => Ok(Settings::default()),
    }
}

/// Whether a house was begun in this folder without settings. It goes on as it is.
fn is_begun() -> bool {
    Settings::default().archive.exists()
}

/// The file of the settings: this one, or the first that is in one of the usual places.
pub(crate) fn place(config: Option<&Path>) -> Option<PathBuf> {
    let usual = || PLACES.iter().map(PathBuf::from).find(|path| path.exists());
    let of_the_machine = || Some(Path::new(OF_THE_MACHINE).join(PLACES[0])).filter(|path| path.exists() && !is_begun());
    config.map(Path::to_owned).or_else(usual).or_else(of_the_machine)
}

/// Where a house with this folder for its settings has what it writes: no daemon writes into `/etc`.
pub(crate) fn state(folder: &Path) -> Option<&'static Path> {
    folder.starts_with("/etc").then_some(Path::new("/var/lib/cursus"))
}

/// Whose the house of this machine is, where somebody else than its user calls who may do everything: files that root made
/// the daemon could not read.
///
/// # Errors
/// It is root who calls, with how it is done.
pub(crate) fn refuse_root(settings: &Path) -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let is_of_the_machine = settings.parent() == Some(Path::new(OF_THE_MACHINE));
        let owner = fs::metadata(OF_THE_MACHINE).map(|folder| folder.uid()).unwrap_or_default();
        if is_of_the_machine && owner != 0 && rustix::process::geteuid().is_root() {
            let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
            let name = users.lines().find(|line| line.split(':').nth(2) == Some(&owner.to_string()));
            let name = name.and_then(|line| line.split(':').next()).unwrap_or("cursus");
            bail!(
                "the house in {OF_THE_MACHINE} belongs to the user {name}, who could not read what root makes; call it as \
                 `runuser -u {name} -- cursus …`"
            );
        }
    }
    #[cfg(not(unix))]
    let _ = settings;
    Ok(())
}

/// What to say to whoever may not look into the house of this machine; nothing where there is none.
pub(crate) fn elsewhere() -> &'static str {
    if Path::new(OF_THE_MACHINE).is_dir() {
        ". The house of this machine is in /etc/cursus: `runuser -u cursus -- cursus …`, as root, looks there"
    } else {
        ""
    }
}

/// The desk of these settings on an archive.
pub(crate) fn desk(archive: Archive, settings: Settings, rules: Option<&Path>) -> anyhow::Result<Desk> {
    let folder = rules.or(settings.rules.as_deref());
    let files = super::edition::files(folder)?;
    let words = words(settings.templates.as_deref())?;
    let house = House::new(&archive, settings, &files, words)?;
    Ok(Desk::new(archive, house)?)
}

/// The desk on an archive that is there, beside a daemon that may run.
pub(crate) fn visit(config: Option<&Path>) -> anyhow::Result<Desk> {
    let settings = settings(config)?;
    let archive = Archive::visit(&settings.archive)?;
    desk(archive, settings, None)
}

/// The carriers of these settings.
pub(crate) fn carriers(settings: &Settings) -> anyhow::Result<Vec<Arc<dyn Carrier>>> {
    let mut carriers: Vec<Arc<dyn Carrier>> = Vec::new();
    for carrier in &settings.carriers {
        let name = carrier.name.as_str();
        let what = || format!("the carrier `{name}` cannot be used");
        match &carrier.kind {
            CarrierKind::Spool(spool) => {
                carriers.push(Arc::new(Spool::open(name, spool.clone()).with_context(what)?));
            }
            CarrierKind::Mailbox(mailbox) => {
                carriers.push(Arc::new(Mailbox::open(name, (**mailbox).clone()).with_context(what)?));
            }
            CarrierKind::Forum(forum) => {
                carriers.push(Arc::new(Forum::open(name, (**forum).clone()).with_context(what)?));
            }
            CarrierKind::Feed(feed, _) => carriers.push(Arc::new(Feed::open(name, feed.clone()).with_context(what)?)),
        }
    }
    Ok(carriers)
}

/// The built-in words, with those of the user in their place.
pub(crate) fn words(folder: Option<&Path>) -> anyhow::Result<BTreeMap<&'static str, TemplateFiles>> {
    let mut words = BTreeMap::new();
    for language in Language::ALL {
        let mut files = TemplateFiles::built_in(language);
        let own = folder.map(|folder| folder.join(language.code())).filter(|folder| folder.is_dir());
        if let Some(own) = own {
            for entry in fs::read_dir(&own).with_context(|| format!("cannot read {}", own.display()))? {
                let path = entry?.path();
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
                let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
                if !files.replace(&name, text) {
                    bail!(
                        "{}: no letter has a template of this name; see templates/{}",
                        path.display(),
                        language.code()
                    );
                }
            }
        }
        words.insert(language.code(), files);
    }
    Ok(words)
}
