//! `cursus game`: creates, lists, shows, verifies, exports and imports games.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use chrono::{DateTime, Utc};

use super::house;
use crate::archive::{Archive, Durability, Party, Status};
use crate::desk::Table;
use crate::desk::game_file::GameFile;
use crate::desk::house::random;
use crate::game::verify::verify;
use crate::report::Names;

/// Creates a game and writes the invitations. A running daemon sends them; else the next `serve` does.
pub fn create(config: Option<&Path>, rules: Option<&Path>, file: &Path, out: &mut dyn Write) -> anyhow::Result<bool> {
    let settings = house::settings(config)?;
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let printed = super::edition::edition(rules.or(settings.rules.as_deref()))?;
    let game = GameFile::read(&file.display().to_string(), &text, &printed, &settings)?;
    let archive = Archive::open(&settings.archive, Durability::Full)?;
    let mut desk = house::desk(archive, settings, rules)?;
    desk.create(&game, random()?, Utc::now())?;
    let table = desk.table(&game.id)?;
    let invited = table.people().count();
    let companions = table.companions().len();
    writeln!(
        out,
        "{} ({}): {invited} invitations are in the outbox, {companions} built-in players have accepted.\n\
         `cursus serve` sends them; the game begins when everybody has answered `ok`.",
        game.title, game.id
    )?;
    Ok(true)
}

/// A line for every game.
pub fn list(config: Option<&Path>, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let mut desk = house::visit(config)?;
    let games = desk.archive.games()?;
    let mut rows = Vec::new();
    for game in &games {
        let table = desk.table(&game.id)?;
        rows.push(row(table));
    }
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&rows)?)?;
        return Ok(true);
    }
    if rows.is_empty() {
        writeln!(out, "There is no game yet. `cursus game create FILE.toml` makes one; see config/games.")?;
    }
    let width = rows.iter().map(|row| row.id.chars().count()).max().unwrap_or(0);
    for row in rows {
        let cut_off = row.cut_off.map(|cut_off| format!(", cut-off {}", cut_off.format("%a %e %b %H:%M UTC")));
        let awaited = match row.awaited.len() {
            0 => String::new(),
            count => format!(", {count} awaited"),
        };
        writeln!(out, "{:width$}  {}  {}{}{awaited}", row.id, row.status, row.phase, cut_off.unwrap_or_default())?;
    }
    Ok(true)
}

/// What there is to know about a game, as a script would want it.
#[derive(serde::Serialize)]
struct Row {
    id: String,
    title: String,
    status: &'static str,
    phase: String,
    cut_off: Option<DateTime<Utc>>,
    awaited: Vec<String>,
}

fn row(table: &Table) -> Row {
    let names = Names::english(&table.edition.printed);
    let (turn, phase) = table.phase();
    let awaited = if table.is_running() { table.owing() } else { Vec::new() };
    Row {
        id: table.game.id.clone(),
        title: table.game.title.clone(),
        status: table.game.status.name(),
        phase: format!("{turn}.{}", phase.name()),
        cut_off: table.game.hours.cut_off.filter(|_| table.is_running()),
        awaited: awaited.into_iter().map(|civ| names.civ(civ).to_owned()).collect(),
    }
}

/// One game: its seats, who is awaited, its letters, and what the moderator did.
pub fn show(config: Option<&Path>, id: &str, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let mut desk = house::visit(config)?;
    let outbox = desk.archive.outbox_status(Some(id))?;
    let log = desk.archive.moderations(id)?;
    let rulings = desk.archive.rulings(id)?;
    let table = desk.table(id)?;
    let row = row(table);
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&row)?)?;
        return Ok(true);
    }
    let names = Names::english(&table.edition.printed);
    writeln!(out, "{} ({}): {}, {}", row.title, row.id, row.status, row.phase)?;
    if let Some(cut_off) = row.cut_off {
        writeln!(out, "cut-off   {}", cut_off.format("%A %e %B %Y, %H:%M UTC"))?;
    }
    let owing = table.owing();
    for civ in table.state.ranking() {
        let Some(seat) = table.seat(Party::Seat(civ)) else { continue };
        let note = match () {
            () if seat.companion.is_some() => "built-in player",
            () if !seat.accepted => "has not accepted yet",
            () if table.game.status == Status::Running && owing.contains(&civ) => "awaited",
            () if table.is_away(Party::Seat(civ), Utc::now()) => "away",
            () => "",
        };
        writeln!(out, "{:12} {:20} {note}", names.civ(civ), seat.player)?;
    }
    let voided = rulings.iter().filter(|ruling| ruling.voided).count();
    writeln!(out, "rulings   {} ({voided} void)", rulings.len())?;
    writeln!(out, "letters   {} sent, {} waiting, {} given up", outbox.sent, outbox.waiting, outbox.dead)?;
    for entry in log.iter().filter(|entry| entry.done) {
        writeln!(out, "{}  {}  {}", entry.at.format("%Y-%m-%d %H:%M"), entry.by, entry.command.replace('\n', " / "))?;
    }
    Ok(true)
}

/// Replays all events, makes every draw again, and prints the hash of the final state.
pub fn verified(config: Option<&Path>, id: &str, out: &mut dyn Write) -> anyhow::Result<bool> {
    let mut desk = house::visit(config)?;
    let events = desk.archive.events(id, 1)?;
    let table = desk.table(id)?;
    if events.is_empty() {
        bail!("the game has not begun: there is nothing to verify");
    }
    let count = events.len();
    match verify(table.opening()?, &events, &table.chance()) {
        Ok(hash) if hash == table.state.hash() => {
            writeln!(out, "{count} events, every draw as the seed gives it; the state's hash is\n{hash}")?;
            Ok(true)
        }
        Ok(hash) => {
            writeln!(out, "The record leads to {hash}, but the game stands at {}.", table.state.hash())?;
            Ok(false)
        }
        Err(broken) => {
            writeln!(out, "{broken}")?;
            Ok(false)
        }
    }
}

/// Writes a whole game to one file.
pub fn export(config: Option<&Path>, id: &str, out: &mut dyn Write) -> anyhow::Result<bool> {
    let archive = Archive::visit(&house::settings(config)?.archive)?;
    serde_json::to_writer(&mut *out, &archive.export(id)?)?;
    writeln!(out)?;
    Ok(true)
}

/// Reads a game back from such a file.
pub fn import(config: Option<&Path>, file: &Path, out: &mut dyn Write) -> anyhow::Result<bool> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let exported = serde_json::from_str(&text).with_context(|| format!("{} is no game of ours", file.display()))?;
    let archive = Archive::open(&house::settings(config)?.archive, Durability::Full)?;
    let id = archive.import(&exported)?;
    writeln!(out, "The game {id} is in the archive.")?;
    Ok(true)
}
