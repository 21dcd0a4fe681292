//! A club that plays by mail in one process: the real desk on a spool, and built-in players who answer its letters.
//!
//! Comes in: a scenario, a seed, and a folder. Goes out: a game, letter by letter. Every letter is a mail in the spool and takes
//! the way of any other; only the clock is set by hand, so that a year passes in a minute.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use chrono::{DateTime, Duration, TimeZone, Utc};
use mail_parser::MessageParser;

use super::house;
use crate::archive::{Archive, Durability, Party, Status};
use crate::companions::{self, Temperament};
use crate::desk::game_file::{GameFile, Seat, Sitter};
use crate::desk::schedule::Schedule;
use crate::desk::settings::{CarrierKind, CarrierSettings, Format, Person, Settings};
use crate::desk::{Desk, Table};
use crate::game::{Chance, Phase, Rulebook};
use crate::post::Carrier;
use crate::post::spool::SpoolSettings;
use crate::report::View;
use crate::rules::{AstSide, Civ, Language, PrintedGame, Scenario};

/// The game's short name.
const GAME: &str = "demo";
/// How many letters of trade a player writes before he has had enough.
const MOST_OFFERS: u32 = 6;

/// A game by mail under way.
pub struct Club {
    desk: Desk,
    carriers: Vec<Arc<dyn Carrier>>,
    folder: PathBuf,
    now: DateTime<Utc>,
    members: BTreeMap<Civ, Member>,
    /// The letters that players have written since somebody last asked, in their sequence.
    letters: Vec<Written>,
    count: u32,
}

/// How a club plays.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// The scenario.
    pub scenario: &'a Scenario,
    /// The seed of all chance; it also deals out the temperaments.
    pub seed: u64,
    /// The language of all letters.
    pub language: Language,
    /// Whether letters have an HTML part and maps.
    pub html: bool,
}

/// A letter that a player wrote.
#[derive(Debug, Clone)]
pub struct Written {
    /// Who.
    pub civ: Civ,
    /// The phase that was open.
    pub phase: Phase,
    /// His own words.
    pub text: String,
}

/// A built-in player at his mailbox.
struct Member {
    temperament: Temperament,
    address: String,
    /// The last letter that he can answer.
    last: Option<Mail>,
    /// His letters of the trade that is open.
    offers: u32,
}

/// A letter of ours as its reader has it.
#[derive(Debug, Clone)]
struct Mail {
    reply_to: String,
    message_id: String,
    subject: String,
    text: String,
}

impl Club {
    /// Founds a club in a folder of its own, and sends the invitations.
    pub fn found(printed: &PrintedGame, rules: Rules, folder: &Path) -> anyhow::Result<Club> {
        let now = Utc.with_ymd_and_hms(2027, 1, 4, 9, 0, 0).single().context("the club has a first day")?;
        let settings = settings(folder);
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let carriers = house::carriers(&settings)?;
        let archive = Archive::open(&settings.archive, Durability::None)?;
        let mut desk = house::desk(archive, settings, None)?;
        let shift = (rules.seed % Temperament::ALL.len() as u64) as usize;
        let temperaments = Temperament::ALL.into_iter().cycle().skip(shift);
        let members = rules.scenario.civilizations.iter().zip(temperaments).map(|(civ, temperament)| {
            let name = printed.civilizations[usize::from(civ.0)].name.to_lowercase();
            let address = format!("{name}@players.example");
            (*civ, Member { temperament, address, last: None, offers: 0 })
        });
        let members: BTreeMap<Civ, Member> = members.collect();
        desk.create(&game(printed, rules, &members)?, Chance::numbered(rules.seed).seed(), now)?;
        Ok(Club { desk, carriers, folder: folder.to_owned(), now, members, letters: Vec::new(), count: 0 })
    }

    /// The game as it is.
    pub fn table(&mut self) -> anyhow::Result<&Table> {
        Ok(self.desk.table(GAME)?)
    }

    /// The archive of the game.
    pub fn archive(&self) -> &Archive {
        &self.desk.archive
    }

    /// Who plays how.
    pub fn seats(&self) -> BTreeMap<Civ, Temperament> {
        self.members.iter().map(|(civ, member)| (*civ, member.temperament)).collect()
    }

    /// What players have written since somebody last asked.
    pub fn take_letters(&mut self) -> Vec<Written> {
        std::mem::take(&mut self.letters)
    }

    /// One round: the daemon works, and everybody who is awaited answers his mail. Where nobody has anything to write, the
    /// clock goes on to the next cut-off.
    pub fn round(&mut self) -> anyhow::Result<()> {
        self.desk.round(&self.carriers, self.now)?;
        self.fetch()?;
        let table = self.desk.table(GAME)?.clone();
        let answers = match table.game.status {
            Status::Inviting => self.acceptances(&table),
            Status::Running => self.answers(&table),
            Status::Paused | Status::Ended => Vec::new(),
        };
        let next = if answers.is_empty() { self.desk.next_stroke() } else { None };
        self.now = next.unwrap_or(self.now).max(self.now + Duration::minutes(1));
        for (civ, text) in answers {
            self.reply(civ, &text)?;
            self.letters.push(Written { civ, phase: table.state.phase(), text });
        }
        Ok(())
    }

    fn acceptances(&self, table: &Table) -> Vec<(Civ, String)> {
        let waits = |civ: &Civ| table.seat(Party::Seat(*civ)).is_some_and(|seat| !seat.accepted);
        self.members.keys().filter(|civ| waits(civ)).map(|civ| (*civ, "ok".to_owned())).collect()
    }

    /// What everybody writes who owes something.
    fn answers(&mut self, table: &Table) -> Vec<(Civ, String)> {
        let is_trade = table.state.phase() == Phase::Trade;
        let mut written = Vec::new();
        for civ in table.owing() {
            let Some(member) = self.members.get_mut(&civ) else { continue };
            let text = companions::letter(&View::of(&table.state, civ), member.temperament);
            if !is_trade {
                member.offers = 0;
                written.push((civ, format!("{}\nok", text.trim_end()).trim_start().to_owned()));
            } else if !text.is_empty() && member.offers < MOST_OFFERS {
                member.offers += 1;
                written.push((civ, text));
            }
        }
        if is_trade && written.is_empty() {
            written = table.owing().into_iter().map(|civ| (civ, "done".to_owned())).collect();
        }
        written
    }

    /// Everybody looks into his mailbox.
    fn fetch(&mut self) -> anyhow::Result<()> {
        let mut new = files(&self.folder.join("out/new"))?;
        // In the sequence they were delivered: the last letter is the one to answer.
        new.sort_by_key(|path| path.metadata().and_then(|file| file.modified()).ok());
        for path in new {
            let raw = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let message = MessageParser::default().parse(&raw).context("a letter of ours can be read")?;
            let first = |address: Option<&mail_parser::Address>| {
                address.and_then(|address| address.first()).and_then(|one| one.address()).unwrap_or_default().to_owned()
            };
            let mail = Mail {
                reply_to: first(message.reply_to()),
                message_id: message.message_id().unwrap_or_default().to_owned(),
                subject: message.subject().unwrap_or_default().to_owned(),
                text: message.body_text(0).unwrap_or_default().into_owned(),
            };
            let to = first(message.to());
            if let Some(member) = self.members.values_mut().find(|member| member.address == to) {
                member.last = Some(mail);
            }
            let name = path.file_name().context("a letter has a name")?;
            fs::rename(&path, self.folder.join("out/cur").join(name))?;
        }
        Ok(())
    }

    /// A player answers his last letter as a mail program does: with that letter below his own words.
    fn reply(&mut self, civ: Civ, text: &str) -> anyhow::Result<()> {
        self.count += 1;
        let Some(member) = self.members.get(&civ) else { return Ok(()) };
        let Some(mail) = &member.last else { return Ok(()) };
        let quoted: String = mail.text.lines().map(|line| format!("> {line}\r\n")).collect();
        let own: String = text.lines().map(|line| format!("{line}\r\n")).collect();
        let raw = format!(
            "From: <{from}>\r\nTo: <{to}>\r\nSubject: Re: {subject}\r\nMessage-ID: <{count}@players.example>\r\n\
             In-Reply-To: <{id}>\r\nDate: {date}\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
             Content-Transfer-Encoding: 8bit\r\n\r\n{own}\r\nOn {day} Cursus wrote:\r\n{quoted}",
            from = member.address,
            to = mail.reply_to,
            subject = mail.subject,
            count = self.count,
            id = mail.message_id,
            date = self.now.to_rfc2822(),
            day = self.now.format("%a, %d %b %Y at %H:%M"),
        );
        let name = format!("{:08}.letter", self.count);
        let (tmp, new) = (self.folder.join("in/tmp").join(&name), self.folder.join("in/new").join(&name));
        fs::write(&tmp, raw)?;
        let arrived = std::time::UNIX_EPOCH + std::time::Duration::from_secs(self.now.timestamp().unsigned_abs());
        fs::File::options().write(true).open(&tmp)?.set_modified(arrived)?;
        fs::rename(tmp, new).context("a letter is delivered")
    }
}

/// The files of a folder, by name.
pub fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    files.sort();
    Ok(files)
}

fn settings(folder: &Path) -> Settings {
    let default = CarrierSettings::default();
    let spool = SpoolSettings {
        inbox: folder.join("in"),
        outbox: folder.join("out"),
        address: default.address.to_string(),
        display_name: Some("Cursus".to_owned()),
    };
    Settings {
        archive: folder.join("cursus.sqlite"),
        carriers: vec![CarrierSettings { kind: CarrierKind::Spool(spool), ..default }],
        letters_per_hour: u32::MAX,
        ..Settings::default()
    }
}

fn game(printed: &PrintedGame, rules: Rules, members: &BTreeMap<Civ, Member>) -> anyhow::Result<GameFile> {
    let person = |name: &str, address: &str| {
        Ok::<_, anyhow::Error>(Person {
            forum: None,
            name: name.to_owned(),
            addresses: vec![address.parse().map_err(anyhow::Error::msg)?],
            language: rules.language,
            zone: Default::default(),
            format: if rules.html { Format::Html } else { Format::Text },
        })
    };
    let seat = |civ: &Civ| {
        let member = &members[civ];
        let name = format!("{} the {}", printed.civilizations[usize::from(civ.0)].name, member.temperament.name());
        let player = person(&name, &member.address)?;
        Ok(Seat { civ: *civ, sitter: Sitter::Player { player, deputy: None }, carrier: None })
    };
    let seats: anyhow::Result<Vec<Seat>> = rules.scenario.civilizations.iter().map(seat).collect();
    Ok(GameFile {
        forum: None,
        id: GAME.to_owned(),
        title: "The demonstration".to_owned(),
        scenario: rules.scenario.key.clone(),
        track: AstSide::Basic,
        rulebook: Rulebook::default(),
        schedule: Schedule { cooling_off: "0s".parse().map_err(anyhow::Error::msg)?, ..Schedule::default() },
        press: true,
        further_requests: false,
        rehearsal: false,
        moderator: person("The moderator", "moderator@players.example")?,
        seats: seats?,
    })
}
