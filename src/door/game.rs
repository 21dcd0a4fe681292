//! `cursus game`: creates, lists, shows, verifies, exports and imports games.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use chrono::{DateTime, TimeDelta, Utc};

use super::house;
use super::plain::plain_line;
use crate::archive::{Archive, Durability, Moderation, Party, Status};
use crate::desk::club::Gathering;
use crate::desk::club::gathering::Place;
use crate::desk::house::random;
use crate::desk::settings::game_file::GameFile;
use crate::desk::table::moderating::DOOR;
use crate::desk::{Desk, Table};
use crate::game::verify::verify;
use crate::game::{Chance, GameId, TurnPhase};
use crate::post::private;
use crate::report::Names;
use crate::rules::Civ;

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
    match invited {
        0 => writeln!(out, "{} ({}): built-in players sit at all seats, and the game has begun.", game.title, game.id)?,
        _ => {
            let invitations =
                if invited == 1 { "1 invitation is".to_owned() } else { format!("{invited} invitations are") };
            let accepted = match companions {
                0 => String::new(),
                1 => ", 1 built-in player has accepted".to_owned(),
                _ => format!(", {companions} built-in players have accepted"),
            };
            writeln!(
                out,
                "{} ({}): {invitations} in the outbox{accepted}.\n`cursus serve` sends what is there; the game begins when \
                 everybody has answered `ok`.",
                game.title, game.id
            )?
        }
    }
    Ok(true)
}

/// A line for every game, in the width of a terminal.
pub fn list(config: Option<&Path>, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let mut desk = house::visit(config)?;
    let mut rows = Vec::new();
    for id in desk.archive.game_ids()? {
        rows.push(match desk.try_table(&id) {
            Ok(table) => row(&table),
            Err(error) if error.is_of_everything() => return Err(error.into()),
            // The others go on, and so does the list.
            Err(error) => Row { id, status: "damaged", trouble: Some(error.to_string()), ..Row::default() },
        });
    }
    for record in desk.archive.gatherings()? {
        rows.push(match desk.gathering(&record.id) {
            Ok(Some(gathering)) => gathered(&gathering),
            Ok(None) => continue,
            Err(error) if error.is_of_everything() => return Err(error.into()),
            Err(error) => Row { id: record.id, status: "damaged", trouble: Some(error.to_string()), ..Row::default() },
        });
    }
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&rows)?)?;
        return Ok(true);
    }
    if rows.is_empty() {
        writeln!(out, "There is no game yet. `cursus game create FILE.toml` makes one; see config/games.")?;
        return Ok(true);
    }
    let head = ["GAME", "STATUS", "PHASE", "CUT-OFF (UTC)", "AWAITED"].map(str::to_owned);
    let cells = rows.iter().map(|row| {
        let cut_off = row.cut_off.map(|cut_off| cut_off.format("%a %e %b %H:%M").to_string());
        [row.id.to_string(), row.status.to_owned(), row.phase.clone(), cut_off.unwrap_or_default(), String::new()]
    });
    let mut lines: Vec<[String; 5]> = std::iter::once(head).chain(cells).collect();
    let widths = [0, 1, 2, 3].map(|column| lines.iter().map(|line| length(&line[column])).max().unwrap_or(0));
    let left = WIDTH.saturating_sub(widths.iter().map(|width| width + 2).sum());
    for (line, row) in lines.iter_mut().skip(1).zip(&rows) {
        line[4] = row.waits(left);
    }
    for [id, status, phase, cut_off, awaited] in lines {
        let [a, b, c, d] = widths;
        let line = format!("{id:a$}  {status:b$}  {phase:c$}  {cut_off:d$}  {awaited}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(true)
}

/// The width of a terminal.
const WIDTH: usize = 80;
/// So many of the moderator's last commands are shown.
const LAST_COMMANDS: usize = 12;

/// What there is to know about a game, as a script would want it.
#[derive(Default, serde::Serialize)]
struct Row {
    id: GameId,
    title: String,
    status: &'static str,
    phase: String,
    cut_off: Option<DateTime<Utc>>,
    awaited: Vec<String>,
    /// Whoever has not accepted their seat yet.
    unaccepted: Vec<String>,
    /// Who has won, where the game has ended.
    winner: Option<String>,
    /// How many have joined, wait, and are still missing, where people still join.
    #[serde(skip_serializing_if = "Option::is_none")]
    joining: Option<Joining>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<String>,
}

/// How far a game has come that people still join.
#[derive(serde::Serialize)]
struct Joining {
    joined: usize,
    waiting: usize,
    free: usize,
}

impl Row {
    /// What the game waits for, in so many letters if it can be.
    fn waits(&self, width: usize) -> String {
        if let Some(trouble) = &self.trouble {
            return cut(&format!("cannot be read: {trouble}"), width);
        }
        if let Some(Joining { joined, waiting, free }) = &self.joining {
            let all = format!("{joined} joined, {free} free, {waiting} waiting");
            return cut(&all, width);
        }
        let (names, few) = match (self.unaccepted.is_empty(), &self.winner) {
            (_, Some(winner)) => return format!("won by {winner}"),
            (false, None) => (&self.unaccepted, "to accept"),
            (true, None) => (&self.awaited, "awaited"),
        };
        let all = names.join(", ");
        if length(&all) <= width { all } else { format!("{} {few}", names.len()) }
    }
}

fn row(table: &Table) -> Row {
    let names = Names::english(&table.edition.printed);
    let TurnPhase { turn, phase } = table.phase();
    let awaited = if table.is_running() { table.owing() } else { Vec::new() };
    let said = |civs: Vec<Civ>| civs.into_iter().map(|civ| names.civ(civ).to_owned()).collect::<Vec<_>>();
    let is_inviting = table.game.status == Status::Inviting;
    let unaccepted = table.people().filter(|(_, seat)| is_inviting && !seat.accepted).map(|(civ, _)| civ).collect();
    let best = table.state.scores().and_then(|scores| scores.first().map(|score| score.civ));
    Row {
        id: table.game.id.clone(),
        title: table.game.title.clone(),
        status: table.game.standing(),
        phase: if is_inviting { String::new() } else { format!("{turn}.{}", phase.name()) },
        cut_off: table.game.hours.cut_off.filter(|_| table.is_running()),
        awaited: said(awaited),
        unaccepted: said(unaccepted),
        winner: best.filter(|_| table.state.has_ended()).map(|civ| names.civ(civ).to_owned()),
        trouble: None,
        joining: None,
    }
}

fn gathered(gathering: &Gathering) -> Row {
    let meeting = &gathering.meeting;
    let joining = Joining {
        joined: meeting.at(Place::In).count(),
        waiting: meeting.at(Place::Waiting).count(),
        free: meeting.left(),
    };
    Row {
        id: gathering.record.id.clone(),
        title: gathering.record.title.clone(),
        status: gathering.record.stage.name(),
        cut_off: meeting.due(),
        joining: Some(joining),
        ..Row::default()
    }
}

/// An open game that people still join.
fn show_gathered(desk: &Desk, gathering: &Gathering, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let row = gathered(gathering);
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&row)?)?;
        return Ok(true);
    }
    writeln!(out, "{} ({})", plain_line(&row.title), row.id)?;
    writeln!(out, "status        {}: {}", row.status, row.waits(WIDTH))?;
    if let Some(due) = row.cut_off {
        writeln!(out, "muster        the first answer is due {}", due.format("%Y-%m-%d %H:%M UTC"))?;
    }
    let seal = Chance::new(gathering.record.seed).commitment_in_hex();
    writeln!(out, "seal          {seal}\nopened        {}\n", gathering.record.created_at.format("%Y-%m-%d"))?;
    let house = &desk.house.edition.printed;
    let names = Names::english(house);
    for member in gathering.meeting.gathered.members.iter().filter(|member| member.place != Place::Out) {
        let name = desk.archive.person(member.person)?.map(|person| person.habits.name).unwrap_or_default();
        let wishes: Vec<&str> = member.wishes.iter().map(|civ| names.civ(*civ)).collect();
        let place = match member.place {
            Place::In if member.here => "is there",
            Place::In if member.asked.is_some() => "asked",
            Place::In => "in",
            Place::Waiting => "waiting",
            Place::Applied => "waits for the host",
            Place::Unconfirmed | Place::Out => "address not confirmed",
        };
        let line =
            format!("{:3}  {:24}  {place:22}  {}", member.number, cut(&plain_line(&name), 24), wishes.join(", "));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(true)
}

/// One game: its seats, who is awaited, its letters, and what the moderator did.
pub fn show(config: Option<&Path>, id: &GameId, json: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let mut desk = house::visit(config)?;
    if let Some(gathering) = desk.gathering(id)? {
        return show_gathered(&desk, &gathering, json, out);
    }
    let outbox = desk.archive.outbox_status(Some(id))?;
    let log = desk.archive.moderations(id)?;
    let rulings = desk.archive.rulings(id)?;
    let table = desk.table(id)?;
    let row = row(table);
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&row)?)?;
        return Ok(true);
    }
    let now = Utc::now();
    writeln!(out, "{} ({})", plain_line(&row.title), row.id)?;
    show_standing(table, &row, now, out)?;
    let voided = rulings.iter().filter(|ruling| ruling.voided).count();
    let last = rulings.iter().map(|ruling| ruling.ruled_at).max();
    let last = last.map(|last| format!(", the last {}", last.format("%Y-%m-%d %H:%M UTC"))).unwrap_or_default();
    writeln!(out, "rulings       {} ({voided} void){last}", rulings.len())?;
    writeln!(out, "letters       {} sent, {} waiting, {} given up", outbox.sent, outbox.waiting, outbox.dead)?;
    writeln!(out)?;
    show_seats(table, now, out)?;
    show_commands(&log, out)?;
    Ok(true)
}

fn show_standing(table: &Table, row: &Row, now: DateTime<Utc>, out: &mut dyn Write) -> anyhow::Result<()> {
    let names = Names::english(&table.edition.printed);
    let TurnPhase { turn, phase } = table.phase();
    match table.game.status {
        Status::Inviting => writeln!(out, "status        inviting: it begins when everybody has accepted")?,
        status @ (Status::Running | Status::Paused | Status::Ended) => {
            let (number, phase) = (phase.number(), names.phase(phase));
            let standing = match &table.game.stopped {
                Some(stopped) => stopped.name(),
                None => status.name(),
            };
            writeln!(out, "status        {standing}, turn {turn}, phase {number} {phase}")?;
        }
    }
    if let Some(cut_off) = row.cut_off {
        let left = if cut_off > now { format!("in {}", span(cut_off - now)) } else { "it has passed".to_owned() };
        writeln!(out, "cut-off       {} ({left})", cut_off.format("%A %e %B %Y, %H:%M UTC"))?;
    }
    if let Some(winner) = &row.winner {
        writeln!(out, "won by        {winner}")?;
    }
    writeln!(out, "scenario      {}, created {}", table.agreed.scenario, table.game.created_at.format("%Y-%m-%d"))?;
    Ok(())
}

fn show_seats(table: &Table, now: DateTime<Utc>, out: &mut dyn Write) -> anyhow::Result<()> {
    let names = Names::english(&table.edition.printed);
    let is_inviting = table.game.status == Status::Inviting;
    let owing = table.owing();
    for civ in table.state.ranking() {
        let Some(seat) = table.seat(Party::Seat(civ)) else { continue };
        let is_away = table.is_away(Party::Seat(civ), now);
        let is_awaited = table.is_running() && owing.contains(&civ);
        let note = if table.missing.kept.contains_key(&civ) {
            "a built-in player keeps the seat"
        } else if seat.companion.is_some() {
            "built-in player"
        } else if is_inviting && !seat.accepted {
            "has not accepted yet"
        } else if is_inviting {
            "has accepted"
        } else if is_awaited && is_away {
            "awaited, away"
        } else if is_awaited {
            "awaited"
        } else if is_away {
            "away"
        } else if table.is_running() {
            "in"
        } else {
            ""
        };
        let deputy = seat.deputy_name().map(|name| format!("deputy {}", plain_line(&name)));
        let notes = [note.to_owned()].into_iter().chain(deputy).filter(|note| !note.is_empty());
        let notes = notes.collect::<Vec<_>>().join(", ");
        let line = format!("{:12}  {:24}  {notes}", names.civ(civ), cut(&plain_line(&seat.player), 24));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// The last things that the moderator did.
fn show_commands(log: &[Moderation], out: &mut dyn Write) -> anyhow::Result<()> {
    let done: Vec<_> = log.iter().filter(|entry| entry.done).collect();
    let shown = &done[done.len().saturating_sub(LAST_COMMANDS)..];
    if !shown.is_empty() {
        let more = if done.len() > shown.len() {
            format!(", the last {} of {}", shown.len(), done.len())
        } else {
            String::new()
        };
        writeln!(out, "\nWhat the moderator did{more}:")?;
    }
    for entry in shown {
        let command = entry.command.split_whitespace().collect::<Vec<_>>().join(" ");
        let by = if entry.by == DOOR { "command line" } else { &entry.by };
        let line = format!("{}  {by}  {command}", entry.at.format("%Y-%m-%d %H:%M"));
        writeln!(out, "{}", cut(&line, WIDTH))?;
    }
    Ok(())
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// A text in so many letters at most.
fn cut(text: &str, width: usize) -> String {
    if length(text) <= width {
        text.to_owned()
    } else {
        text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
    }
}

/// `2 days 3 h`, `40 min`.
fn span(time: TimeDelta) -> String {
    let days = match time.num_days() {
        0 => String::new(),
        1 => "1 day ".to_owned(),
        days => format!("{days} days "),
    };
    match (time.num_days(), time.num_hours() % 24) {
        (0, 0) => format!("{} min", time.num_minutes()),
        (_, hours) => format!("{days}{hours} h"),
    }
}

/// Replays all events, makes every draw again, and prints the hash of the final state.
pub fn verified(config: Option<&Path>, id: &GameId, out: &mut dyn Write) -> anyhow::Result<bool> {
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

/// Writes a whole game to one file, or to standard output. It holds every hand, so only its owner may read the file.
pub fn export(config: Option<&Path>, id: &GameId, to: Option<&Path>, out: &mut dyn Write) -> anyhow::Result<bool> {
    let archive = Archive::visit(&house::settings(config)?.archive)?;
    let exported = archive.export(id)?;
    let Some(to) = to else {
        private_output();
        serde_json::to_writer(&mut *out, &exported)?;
        writeln!(out)?;
        return Ok(true);
    };
    let cannot = || format!("cannot write {}", to.display());
    let mut file = std::io::BufWriter::new(private::create_new_file(to).with_context(cannot)?);
    serde_json::to_writer(&mut file, &exported).map_err(anyhow::Error::from).with_context(cannot)?;
    writeln!(file).and_then(|()| file.flush()).with_context(cannot)?;
    writeln!(out, "The game {id} is in {}.", to.display())?;
    Ok(true)
}

/// A shell that sends standard output into a file made it for everybody to read; it is closed before anything stands in it.
fn private_output() {
    #[cfg(unix)]
    {
        let out = std::io::stdout();
        let is_file = rustix::fs::fstat(&out).is_ok_and(|it| rustix::fs::FileType::from_raw_mode(it.st_mode).is_file());
        if is_file {
            // Where it is another's file, the player has said who may read it.
            let _ = rustix::fs::fchmod(&out, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR);
        }
    }
}

/// Reads a game back from such a file.
pub fn import(config: Option<&Path>, file: &Path, out: &mut dyn Write) -> anyhow::Result<bool> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let exported = serde_json::from_str(&text).with_context(|| format!("{} is no game of ours", file.display()))?;
    let settings = house::settings(config)?;
    let archive = Archive::open(&settings.archive, Durability::Full)?;
    let id = house::desk(archive, settings, None)?.import(&exported)?;
    writeln!(out, "The game {id} is in the archive.")?;
    Ok(true)
}
