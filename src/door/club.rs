//! A club that plays by mail in one process: the real desk on a spool, and built-in players who answer its letters.
//!
//! Comes in: a scenario, a seed, and a folder. Goes out: a game, letter by letter. Every letter is a mail in the spool and takes
//! the way of any other; only the clock is set by hand, so that a year passes in a minute.

use std::collections::BTreeMap;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use chrono::{DateTime, Duration, TimeZone, Utc};
use mail_parser::MessageParser;

use super::house;
use crate::archive::{Archive, Durability, Party, Retention, Status};
use crate::companions::{self, Temperament};
use crate::desk::clock::schedule::Schedule;
use crate::desk::settings::game_file::{GameFile, Seat, Sitter};
use crate::desk::settings::{CarrierKind, CarrierSettings, Format, Person, Settings};
use crate::desk::{Desk, Table};
use crate::game::{Chance, Known, Phase, Reader, Rulebook, TurnPhase};
use crate::post::spool::SpoolSettings;
use crate::post::writing::PageForm;
use crate::post::{self, Carrier, Dispatch, Mark, Receipt, Received, Trouble};
use crate::report::View;
use crate::rules::{AstSide, Civ, Language, PrintedGame, Scenario};
use crate::web::limits::Limits;
use crate::web::{self, Server};

/// The game's short name.
const GAME: &str = "demo";
pub(crate) const ARCHIVE: &str = "cursus.sqlite";
/// How many letters of trade a player writes before the player has had enough, or before somebody else has written.
const MOST_OFFERS: u32 = 6;
/// So many forms of the order page are looked at together.
const MOST_FORMS: u32 = 32;
/// In this turn somebody writes in a hurry, so that one sees what becomes of slips.
const HASTY_TURN: u16 = 3;

/// The ids of the letters that have left, in their sequence.
type Left = Arc<Mutex<Vec<String>>>;

/// A carrier that notes in which sequence letters leave.
struct Noting {
    carrier: Arc<dyn Carrier>,
    left: Left,
}

impl Carrier for Noting {
    fn name(&self) -> &str {
        self.carrier.name()
    }

    fn collect(&self, patience: std::time::Duration) -> Result<Vec<Received>, Trouble> {
        self.carrier.collect(patience)
    }

    fn keep(&self, marks: &[Mark]) -> Result<(), Trouble> {
        self.carrier.keep(marks)
    }

    fn send(&self, dispatch: &Dispatch) -> Result<Receipt, Trouble> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).push(dispatch.message_id.clone());
        self.carrier.send(dispatch)
    }
}

/// A game by mail under way.
pub(crate) struct Club {
    desk: Desk,
    carriers: Vec<Arc<dyn Carrier>>,
    left: Left,
    folder: PathBuf,
    now: DateTime<Utc>,
    members: BTreeMap<Civ, Member>,
    /// The seat of a person who writes their letters themselves.
    me: Option<Civ>,
    /// What is said in a hurry, until somebody has been.
    excuse: Option<String>,
    /// The letters that players have written since somebody last asked, in their sequence.
    letters: Vec<Written>,
    /// All letters since somebody last asked, in and out, in their sequence.
    posted: Vec<Posted>,
    count: u32,
    numbered: u32,
}

/// How a club plays.
#[derive(Debug, Clone)]
pub(crate) struct Rules<'a> {
    pub scenario: &'a Scenario,
    /// The seed of all chance; it also deals out the temperaments.
    pub seed: u64,
    /// The language of all letters.
    pub language: Language,
    /// Whether letters have an HTML part and maps.
    pub html: bool,
    /// The seat of a person who writes their letters themselves.
    pub me: Option<Civ>,
    pub title: String,
    /// What somebody says who writes in a hurry.
    pub excuse: String,
    /// What a built-in player is called.
    pub people: BTreeMap<(Civ, Temperament), String>,
    /// What the person at the table is called, who is nobody built in.
    pub guest: String,
    /// What the moderator is called.
    pub moderator: String,
}

/// What a round has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The game goes on.
    Open,
    /// Nobody but the person at the table has anything to write, and the clock waits for them.
    Waits,
}

/// A letter that a player wrote.
#[derive(Debug, Clone)]
pub(crate) struct Written {
    pub civ: Civ,
    /// The turn that was played.
    pub turn: u16,
    /// The phase that was open.
    pub phase: Phase,
    /// The player's own words.
    pub text: String,
}

/// A letter on its way, in or out.
#[derive(Debug, Clone)]
pub(crate) struct Posted {
    /// Its number in the sequence of all letters, from 1.
    pub number: u32,
    /// Whose seat it is from or to; none is the moderator's.
    pub civ: Option<Civ>,
    /// What kind of letter it is.
    pub kind: Kind,
    /// The turn it speaks of.
    pub turn: u16,
    /// What its file is called in the mailboxes.
    pub file: String,
    pub raw: Vec<u8>,
}

/// What kind of letter it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One that a player wrote, with their own words; `count` is its number among those.
    Written {
        /// Its number among the letters that players wrote, from 1.
        count: u32,
        /// The writer's own words.
        text: String,
    },
    /// One of ours: what its id calls it, and the number of the player's letter that it answers.
    Ours {
        /// `report`, `welcome`, `acknowledgement`, as the desk calls it.
        name: String,
        /// Which letter of a player it answers.
        answers: Option<u32>,
    },
}

/// A built-in player at their mailbox.
struct Member {
    temperament: Temperament,
    address: String,
    /// The last letter that the player can answer.
    last: Option<Mail>,
    /// The player's letters of the trade that is open.
    offers: u32,
    /// Whether the player's last letter had slips.
    was_hasty: bool,
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
    pub(crate) fn found(printed: &PrintedGame, rules: Rules, folder: &Path) -> anyhow::Result<Club> {
        let now = Utc.with_ymd_and_hms(2027, 1, 4, 9, 0, 0).single().context("the club has a first day")?;
        let settings = settings(folder);
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let left = Left::default();
        let carriers = house::carriers(&settings)?.into_iter();
        let carriers =
            carriers.map(|carrier| Arc::new(Noting { carrier, left: Arc::clone(&left) }) as Arc<dyn Carrier>);
        let carriers = carriers.collect();
        let archive = Archive::open(&settings.archive, Durability::None)?;
        let mut desk = house::desk(archive, settings, None)?;
        let shift = (rules.seed % Temperament::ALL.len() as u64) as usize;
        let temperaments = Temperament::ALL.into_iter().cycle().skip(shift);
        let members = rules.scenario.civilizations.iter().zip(temperaments).map(|(civ, temperament)| {
            let name = printed.civilizations[usize::from(civ.0)].name.to_lowercase();
            let address = format!("{name}@players.example");
            (*civ, Member { temperament, address, last: None, offers: 0, was_hasty: false })
        });
        let members: BTreeMap<Civ, Member> = members.collect();
        desk.create(&game(&rules, &members)?, Chance::numbered(rules.seed).seed(), now)?;
        Ok(Club {
            desk,
            carriers,
            left,
            folder: folder.to_owned(),
            now,
            members,
            me: rules.me,
            excuse: Some(rules.excuse),
            letters: Vec::new(),
            posted: Vec::new(),
            count: 0,
            numbered: 0,
        })
    }

    /// Opens the order page of a seat on this machine; its link opens it at once, and is known to whoever reads it here.
    /// `knock` is called when a browser asks.
    pub(crate) fn open_page(
        &mut self,
        civ: Civ,
        knock: impl Fn() + Send + 'static,
    ) -> anyhow::Result<(Server, String)> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("the order page cannot be served")?;
        let listen = listener.local_addr()?;
        let settings = web::Settings {
            listen,
            address: format!("http://{listen}"),
            proxies: Vec::new(),
            tls: None,
            limits: Limits::default(),
        };
        let window = self.desk.open_window();
        self.desk.wake_by(knock);
        let link = settings.url(&format!("/p/{}", self.desk.open_at_once(&GAME.into(), Party::Seat(civ))?));
        Ok((Server::on(listener, settings, window, self.desk.page_words())?, link))
    }

    /// Answers browsers; says whether one of them has brought a letter. Everybody may then write of trade again.
    pub(crate) fn attend(&mut self) -> anyhow::Result<bool> {
        self.desk.attend(self.now)?;
        let brought = self.desk.archive.waiting(MOST_FORMS)?;
        let (Some(civ), false) = (self.me, brought.is_empty()) else { return Ok(false) };
        let at = self.desk.table(&GAME.into())?.phase();
        for waiting in brought {
            let letter = self.desk.archive.letter(waiting.id)?;
            let Some(form) = letter.and_then(|letter| PageForm::read(&letter.raw)) else { continue };
            self.count += 1;
            self.letters.push(Written { civ, turn: at.turn, phase: at.phase, text: form.lines });
        }
        self.members.values_mut().for_each(|member| member.offers = 0);
        Ok(true)
    }

    /// The game as it is.
    pub(crate) fn table(&mut self) -> anyhow::Result<&Table> {
        Ok(self.desk.table(&GAME.into())?)
    }

    /// The archive of the game.
    pub(crate) fn archive(&self) -> &Archive {
        &self.desk.archive
    }

    /// Of letters that have left, the archive keeps only the words: pages, pictures and data lie with their readers.
    pub(crate) fn sweep(&self) -> anyhow::Result<()> {
        // What was written this very minute has left as well. What players wrote stays whole.
        let then = self.now + Duration::days(1);
        let retention = Retention { letters: DateTime::UNIX_EPOCH, pictures: then, snapshots: then };
        while self.desk.archive.sweep(retention)? > 0 {}
        Ok(())
    }

    /// Closes the archive, no larger than what is in it.
    pub(crate) fn close(self) -> anyhow::Result<()> {
        self.sweep()?;
        let archive = self.folder.join(ARCHIVE);
        let [copy, log, index] = [".new", "-wal", "-shm"].map(|ending| self.folder.join(format!("{ARCHIVE}{ending}")));
        // A copy that an earlier demo did not come to put in its place is in the way.
        let _ = fs::remove_file(&copy);
        self.desk.archive.back_up(&copy)?;
        drop(self);
        for beside in [log, index] {
            let _ = fs::remove_file(beside);
        }
        fs::rename(copy, archive).context("the archive cannot be put in its place")
    }

    pub(crate) fn seats(&self) -> BTreeMap<Civ, Temperament> {
        self.members.iter().map(|(civ, member)| (*civ, member.temperament)).collect()
    }

    /// What players have written since somebody last asked.
    pub(crate) fn take_letters(&mut self) -> Vec<Written> {
        std::mem::take(&mut self.letters)
    }

    /// All letters that have passed since somebody last asked.
    pub(crate) fn take_posted(&mut self) -> Vec<Posted> {
        std::mem::take(&mut self.posted)
    }

    /// One round: the daemon works, and everybody who is awaited answers their mail. Where nobody has anything to
    /// write, the clock goes on to the next cut-off; but it waits for the person at the table.
    pub(crate) fn round(&mut self) -> anyhow::Result<Outcome> {
        let turn = self.desk.table(&GAME.into())?.state.turn();
        self.desk.round(&self.carriers, self.now)?;
        self.fetch(turn)?;
        let table = self.desk.table(&GAME.into())?.clone();
        let answers = match table.game.status {
            Status::Inviting => self.acceptances(&table),
            Status::Running => self.answers(&table),
            Status::Paused | Status::Ended => Vec::new(),
        };
        if answers.is_empty() && self.is_waited_for(&table) {
            self.now += Duration::minutes(1);
            return Ok(Outcome::Waits);
        }
        let next = if answers.is_empty() { self.desk.next_stroke() } else { None };
        self.now = next.unwrap_or(self.now).max(self.now + Duration::minutes(1));
        for (civ, text) in answers {
            self.reply(civ, &text, table.state.turn())?;
            self.letters.push(Written { civ, turn: table.state.turn(), phase: table.state.phase(), text });
        }
        Ok(Outcome::Open)
    }

    /// The person at the table writes; everybody may then write of trade again.
    pub(crate) fn write(&mut self, text: &str) -> anyhow::Result<()> {
        let Some(civ) = self.me else { return Ok(()) };
        let TurnPhase { turn, phase } = self.desk.table(&GAME.into())?.phase();
        self.reply(civ, text, turn)?;
        self.letters.push(Written { civ, turn, phase, text: text.to_owned() });
        self.members.values_mut().for_each(|member| member.offers = 0);
        Ok(())
    }

    /// The player sends a letter that their mail program made: its body as it is, with the head of the player's seat.
    pub(crate) fn send(&mut self, letter: &[u8]) -> anyhow::Result<()> {
        let Some(civ) = self.me else { return Ok(()) };
        let TurnPhase { turn, phase } = self.desk.table(&GAME.into())?.phase();
        let own = post::letter::open(letter).map(|letter| letter.text).unwrap_or_default();
        let (kept, body) = form_and_body(letter);
        let Some(head) = self.head(civ) else { return Ok(()) };
        let raw = [head.as_bytes(), &kept, b"\r\n", body].concat();
        self.deliver(civ, &raw, &own, turn)?;
        self.letters.push(Written { civ, turn, phase, text: own });
        self.members.values_mut().for_each(|member| member.offers = 0);
        Ok(())
    }

    fn is_waited_for(&self, table: &Table) -> bool {
        self.me.is_some_and(|me| match table.game.status {
            Status::Inviting => table.seat(Party::Seat(me)).is_some_and(|seat| !seat.accepted),
            Status::Running => table.owing().contains(&me),
            Status::Paused | Status::Ended => false,
        })
    }

    fn acceptances(&self, table: &Table) -> Vec<(Civ, String)> {
        let waits = |civ: &Civ| table.seat(Party::Seat(*civ)).is_some_and(|seat| !seat.accepted);
        let built_in = self.members.keys().filter(|civ| Some(**civ) != self.me);
        built_in.filter(|civ| waits(civ)).map(|civ| (*civ, "ok".to_owned())).collect()
    }

    /// What everybody writes who owes something.
    fn answers(&mut self, table: &Table) -> Vec<(Civ, String)> {
        let is_trade = table.state.phase() == Phase::Trade;
        let owing: Vec<Civ> = table.owing().into_iter().filter(|civ| Some(*civ) != self.me).collect();
        let mut written = Vec::new();
        for civ in &owing {
            let Some(member) = self.members.get_mut(civ) else { continue };
            let text =
                companions::letter(&View::at_hand(&Known::of(&table.state, Reader::Player(*civ))), member.temperament);
            if !is_trade {
                member.offers = 0;
                let text = format!("{}\nok", text.trim_end()).trim_start().to_owned();
                written.push((*civ, self.hurried(table, *civ, text)));
            } else if !text.is_empty() && member.offers < MOST_OFFERS {
                member.offers += 1;
                written.push((*civ, text));
            }
        }
        // Nobody leaves the market while the person at the table is still there.
        if is_trade && written.is_empty() && !self.is_waited_for(table) {
            written = owing.into_iter().map(|civ| (civ, "done".to_owned())).collect();
        }
        written
    }

    /// Once in a game somebody writes in a hurry: names misspelt, numbers left out. The answer makes the person write
    /// it again.
    fn hurried(&mut self, table: &Table, civ: Civ, text: String) -> String {
        let Some(member) = self.members.get_mut(&civ) else { return text };
        if std::mem::take(&mut member.was_hasty) {
            return format!("clear\n{text}");
        }
        if table.phase() != TurnPhase::new(HASTY_TURN, Phase::Movement) {
            return text;
        }
        let Some(slips) = slips(&text) else { return text };
        let Some(excuse) = self.excuse.take() else { return text };
        member.was_hasty = true;
        format!("{excuse}\n{slips}")
    }

    /// Everybody looks into their mailbox.
    fn fetch(&mut self, turn: u16) -> anyhow::Result<()> {
        let first = |address: Option<&mail_parser::Address>| {
            address.and_then(|address| address.first()).and_then(|one| one.address()).unwrap_or_default().to_owned()
        };
        let mut new = Vec::new();
        for path in files(&self.folder.join("out/new"))? {
            let raw = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let message = MessageParser::default().parse(&raw).context("a letter of ours can be read")?;
            let mail = Mail {
                reply_to: first(message.reply_to()),
                message_id: message.message_id().unwrap_or_default().to_owned(),
                subject: message.subject().unwrap_or_default().to_owned(),
                text: message.body_text(0).unwrap_or_default().into_owned(),
            };
            new.push((mail, first(message.to()), path, raw));
        }
        // In the sequence they left: the last letter is the one to answer, and the clock of a disk is too coarse for that.
        let left = std::mem::take(&mut *self.left.lock().unwrap_or_else(PoisonError::into_inner));
        new.sort_by_key(|(mail, ..)| left.iter().position(|id| *id == mail.message_id));
        for (mail, to, path, raw) in new {
            let about = self.desk.archive.written(&mail.message_id)?.map(|written| written.about).unwrap_or_default();
            let (kind, turn) = kind(&about, turn);
            let mut civ = None;
            if let Some((seat, member)) = self.members.iter_mut().find(|(_, member)| member.address == to) {
                member.last = Some(mail);
                civ = Some(*seat);
            }
            let file = path.file_name().context("a letter has a name")?.to_string_lossy().into_owned();
            fs::rename(&path, self.folder.join("out/cur").join(&file))?;
            self.numbered += 1;
            self.posted.push(Posted { number: self.numbered, civ, kind, turn, file, raw });
        }
        Ok(())
    }

    /// A player answers their last letter as a mail program does: with that letter below the player's own words.
    fn reply(&mut self, civ: Civ, text: &str, turn: u16) -> anyhow::Result<()> {
        let Some(head) = self.head(civ) else { return Ok(()) };
        let Some(mail) = self.members.get(&civ).and_then(|member| member.last.as_ref()) else { return Ok(()) };
        let quoted: String = mail.text.lines().map(|line| format!("> {line}\r\n")).collect();
        let own: String = text.lines().map(|line| format!("{line}\r\n")).collect();
        let raw = format!(
            "{head}MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
             Content-Transfer-Encoding: 8bit\r\n\r\n{own}\r\nOn {day} Cursus wrote:\r\n{quoted}",
            day = self.now.format("%a, %d %b %Y at %H:%M"),
        );
        self.deliver(civ, raw.as_bytes(), text, turn)
    }

    /// The head of a player's next letter; none before the player has had one to answer.
    fn head(&self, civ: Civ) -> Option<String> {
        let member = self.members.get(&civ)?;
        let mail = member.last.as_ref()?;
        Some(format!(
            "From: <{from}>\r\nTo: <{to}>\r\nSubject: Re: {subject}\r\nMessage-ID: <{count}@players.example>\r\n\
             In-Reply-To: <{id}>\r\nDate: {date}\r\n",
            from = member.address,
            to = mail.reply_to,
            subject = mail.subject,
            count = self.count + 1,
            id = mail.message_id,
            date = self.now.to_rfc2822(),
        ))
    }

    /// Lays a letter into the spool.
    fn deliver(&mut self, civ: Civ, raw: &[u8], own: &str, turn: u16) -> anyhow::Result<()> {
        self.count += 1;
        let name = format!("{:08}.letter", self.count);
        let (tmp, new) = (self.folder.join("in/tmp").join(&name), self.folder.join("in/new").join(&name));
        fs::write(&tmp, raw)?;
        let arrived = std::time::UNIX_EPOCH + std::time::Duration::from_secs(self.now.timestamp().unsigned_abs());
        fs::File::options().write(true).open(&tmp)?.set_modified(arrived)?;
        fs::rename(tmp, new).context("a letter is delivered")?;
        self.numbered += 1;
        let kind = Kind::Written { count: self.count, text: own.to_owned() };
        self.posted.push(Posted { number: self.numbered, civ: Some(civ), kind, turn, file: name, raw: raw.to_vec() });
        Ok(())
    }
}

/// What a letter of ours is about: `demo.3.movement.1.egypt.report`, `demo.letter-7.egypt.acknowledgement`. `turn` is
/// for those that name none.
fn kind(words: &str, turn: u16) -> (Kind, u16) {
    let about = words.split('.').nth(1).unwrap_or_default();
    let name = words.rsplit('.').next().unwrap_or_default().to_owned();
    let answers = about.strip_prefix("letter-").and_then(|number| number.parse().ok());
    (Kind::Ours { name, answers }, about.parse().unwrap_or(turn))
}

/// A letter in a hurry: the first marches of a good one, with a name misspelt and a number that is none.
fn slips(text: &str) -> Option<String> {
    let marches: Vec<&str> = text.lines().filter(|line| line.starts_with("move ") && line.contains("->")).collect();
    let [first, second, ..] = marches[..] else { return None };
    let (head, name) = first.rsplit_once(' ')?;
    // The last letter but one is doubled.
    let (at, letter) = name.char_indices().rev().nth(1)?;
    let misspelt = format!("{head} {}{letter}{}", &name[..at], &name[at..]);
    let (_, place) = second.strip_prefix("move ")?.split_once(' ')?;
    Some(format!("{misspelt}\nmove half {place}"))
}

/// The lines of a letter's head that say how its body is to be read, and the body.
fn form_and_body(raw: &[u8]) -> (Vec<u8>, &[u8]) {
    let (mut kept, mut rest, mut is_kept) = (Vec::new(), raw, false);
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1);
        let (line, later) = rest.split_at(end);
        rest = later;
        let words = line.trim_ascii_end();
        if words.is_empty() {
            break;
        }
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            let name = words.split(|byte| *byte == b':').next().unwrap_or_default().to_ascii_lowercase();
            is_kept = name.starts_with(b"content-") || name == b"mime-version";
        }
        if is_kept {
            kept.extend_from_slice(words);
            kept.extend_from_slice(b"\r\n");
        }
    }
    (kept, rest)
}

/// The files of a folder, by name.
pub(crate) fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
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
        archive: folder.join(ARCHIVE),
        carriers: vec![CarrierSettings { kind: CarrierKind::Spool(spool), ..default }],
        letters_per_hour: u32::MAX,
        ..Settings::default()
    }
}

fn game(rules: &Rules, members: &BTreeMap<Civ, Member>) -> anyhow::Result<GameFile> {
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
        let name =
            if rules.me == Some(*civ) { Some(&rules.guest) } else { rules.people.get(&(*civ, member.temperament)) };
        let player = person(name.context("everybody has a name")?, &member.address)?;
        Ok(Seat { civ: *civ, sitter: Sitter::Player { player, deputy: None }, carrier: None })
    };
    let seats: anyhow::Result<Vec<Seat>> = rules.scenario.civilizations.iter().map(seat).collect();
    Ok(GameFile {
        votes: Default::default(),
        missing: Default::default(),
        forum: None,
        id: GAME.into(),
        title: rules.title.clone(),
        scenario: rules.scenario.key.clone(),
        track: AstSide::Basic,
        short: false,
        ends_after: None,
        rulebook: Rulebook::default(),
        schedule: Schedule { cooling_off: "0s".parse().map_err(anyhow::Error::msg)?, ..Schedule::default() },
        press: true,
        hand_over_press: false,
        further_requests: false,
        rehearsal: false,
        public_page: false,
        observers: false,
        moderator: person(&rules.moderator, "moderator@players.example")?,
        seats: seats?,
    })
}
