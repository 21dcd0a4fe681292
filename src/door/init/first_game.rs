//! The first game of a new house: who plays, and where to write to them.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context;

use super::questions::Questions;
use super::written::quoted;
use super::{LANGUAGES, language, person};
use crate::archive::Archive;
use crate::desk::settings::Settings;
use crate::desk::settings::written::Address;
use crate::door::{demo, game};
use crate::post::private;
use crate::report::Names;
use crate::rules::{Language, PrintedGame, Scenario};

/// The temperaments of built-in players, in turn.
const COMPANIONS: [&str; 3] = ["settler", "merchant", "raider"];

/// Asks for the players, writes the file of the game beside the settings, and creates it.
pub(crate) fn create(
    questions: &mut Questions,
    printed: &PrintedGame,
    folder: &Path,
    config: &Path,
) -> anyhow::Result<()> {
    let settings = Settings::load(config)?;
    let id = short_name(questions, folder, &settings)?;
    let title =
        questions.ask("Title", Some("Our first game"), "What people read in subjects.", |text| Ok(text.to_owned()))?;
    let players = questions.ask(
        "How many civilizations, 5 to 18",
        Some("5"),
        "People and built-in players together.",
        |text| {
            let count = text.parse::<u8>().map_err(|_| format!("`{text}` is no number."))?;
            demo::scenario(printed, count).map_err(|_| "The game is for 5 to 18.".to_owned()).cloned()
        },
    )?;
    let seats = seats(questions, printed, &players, &settings)?;
    let zone =
        settings.moderators.first().map(|moderator| moderator.zone.to_string()).unwrap_or_else(|| "UTC".to_owned());
    let text = format!(
        "# A game, as `cursus init` wrote it. Every other key is explained in the sample, `cursus game sample five`.\n\
         id = {}\ntitle = {}\nscenario = {}\n\n\
         # Cut-offs fall at this time of day, in this zone; the sample has how long each phase takes.\n\
         [schedule]\ntime = \"20:00\"\nzone = {}\n{seats}",
        quoted(&id),
        quoted(&title),
        quoted(&players.key),
        quoted(&zone)
    );
    let file = folder.join(format!("{id}.toml"));
    let mut written = private::create_new_file(&file).with_context(|| format!("cannot write {}", file.display()))?;
    written.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", file.display()))?;
    writeln!(questions.out, "\nWritten: {}", file.display())?;
    game::create(Some(config), None, &file, questions.out)?;
    Ok(())
}

/// What the game is called in addresses and files.
fn short_name(questions: &mut Questions, folder: &Path, settings: &Settings) -> anyhow::Result<String> {
    let archive = Archive::visit(&settings.archive).ok();
    let is_played = |id: &str| {
        let ids = archive.as_ref().and_then(|archive| archive.game_ids().ok()).unwrap_or_default();
        ids.iter().any(|known| known.as_str() == id)
    };
    let is_free = |id: &str| !folder.join(format!("{id}.toml")).exists() && !is_played(id);
    questions.ask(
        "Short name of the game",
        Some("first"),
        "Small letters, digits and hyphens. It is part of the addresses that players answer to, and the name of the file.",
        |text| {
            let is_sign = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
            let is_name = !text.is_empty() && text.len() <= 24 && text.chars().all(is_sign) && !text.starts_with('-');
            match (is_name, is_free(text)) {
                (false, _) => Err("Write small letters, digits and hyphens alone.".to_owned()),
                (true, false) => Err(format!("A game or a file of the name {text} is there already; take another.")),
                (true, true) => Ok(text.to_owned()),
            }
        },
    )
}

/// Who plays what: the seats, as the file of a game has them.
fn seats(
    questions: &mut Questions,
    printed: &PrintedGame,
    players: &Scenario,
    settings: &Settings,
) -> anyhow::Result<String> {
    let own = settings.carriers.first().map(|carrier| carrier.address.clone()).context("no carrier was written")?;
    let names = Names::new(printed, Language::English);
    let mut seats = String::new();
    let mut taken: Vec<Address> = Vec::new();
    for (number, civ) in players.civilizations.iter().enumerate() {
        let civ = names.civ(*civ);
        let help = "`Ann <ann@example.org>`: the name and the address that the player writes from. An empty answer seats a \
                    built-in player.";
        let player = questions.ask(&format!("Who plays {civ}?"), Some("built-in"), help, |text| match text {
            "built-in" => Ok(None),
            text => {
                let (name, address) = person(text, &own, settings.has_mailbox())?;
                if taken.iter().any(|other| other.as_str().eq_ignore_ascii_case(address.as_str())) {
                    Err("Somebody with this address plays already.".to_owned())
                } else {
                    Ok(Some((name, address)))
                }
            }
        })?;
        let _ = match player {
            Some((name, address)) => {
                let usual = settings.language;
                let words = format!("{name}'s language, en or pl");
                let own = questions.ask(&words, Some(usual.code()), LANGUAGES, language)?;
                let mut told = format!("player = {}\naddresses = [{}]", quoted(&name), quoted(address.as_str()));
                if own != usual {
                    let _ = write!(told, "\nlanguage = \"{}\"", own.code());
                }
                taken.push(address);
                write!(seats, "\n[[seats]]\nciv = {}\n{told}\n", quoted(civ))
            }
            None => {
                let temperament = COMPANIONS[number % COMPANIONS.len()];
                write!(seats, "\n[[seats]]\nciv = {}\ncompanion = \"{temperament}\"\n", quoted(civ))
            }
        };
    }
    Ok(seats)
}
