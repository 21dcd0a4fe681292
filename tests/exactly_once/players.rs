//! The people at the table, who answer every letter that asks them for something, and the sprite who pulls the plug.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use cursus::archive::{Archive, Status};
use cursus::companions::{Temperament, letter};
use cursus::desk::settings::Settings;
use cursus::desk::{House, Table};
use cursus::game::{Known, Phase, Reader, TurnPhase};
use cursus::report::View;
use cursus::rules::{Civ, EditionFiles};

use super::daemon::{Daemon, Place, rows};
use super::{files, wait_for};

const SEATS: [&str; 3] = ["minoa", "egypt", "hatti"];

/// Chance of the test's own: the same number, the same moments.
pub struct Sprite(u64);

impl Sprite {
    pub fn new(seed: u64) -> Sprite {
        Sprite(seed)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

pub struct Players<'a> {
    place: &'a Place,
    daemon: Daemon,
    sprite: Option<Sprite>,
    house: House,
    kills: usize,
    starts: usize,
    repeated: usize,
    letters: usize,
    /// What has left the house, by its id.
    sent: BTreeMap<String, Vec<u8>>,
    duplicates: usize,
}

impl<'a> Players<'a> {
    pub fn new(place: &'a Place, sprite: Option<Sprite>) -> Players<'a> {
        let settings = Settings::load(&place.folder.join("cursus.toml")).expect("the settings are sound");
        let archive = Archive::visit(&place.archive()).expect("the archive opens");
        let house = House::new(&archive, settings, &EditionFiles::built_in(), BTreeMap::new());
        Players {
            place,
            daemon: Daemon::start(place),
            sprite,
            house: house.expect("the house is sound"),
            kills: 0,
            starts: 1,
            repeated: 0,
            letters: 0,
            sent: BTreeMap::new(),
            duplicates: 0,
        }
    }

    /// Everybody accepts their seat.
    pub fn accept(&mut self) {
        for seat in SEATS {
            self.reply(seat, "invitation", "ok");
        }
        self.settle();
    }

    /// Everybody answers what the open phase asks them for.
    pub fn answer_phase(&mut self) {
        let table = self.table();
        assert_eq!(table.game.status, Status::Running, "the game is played on");
        let TurnPhase { turn, phase } = table.phase();
        let names = |civ: Civ| table.edition.printed.civilizations[usize::from(civ.0)].name.to_lowercase();
        let owing = table.owing();
        assert!(!owing.is_empty(), "somebody is awaited in {turn}.{}", phase.name());
        let asks = format!("turn = {turn} and phase = '{}'", phase.name());
        for civ in owing {
            let orders = letter(&View::of(&Known::of(&table.state, Reader::Player(civ))), Temperament::Merchant);
            let last = if phase == Phase::Trade { "done" } else { "ok" };
            self.reply_where(&names(civ), &asks, &format!("{orders}\n{last}"));
        }
        self.settle();
    }

    /// What everybody may see of the run: kills, starts, and letters that were brought twice.
    pub fn counts(&self) -> (usize, usize, usize) {
        (self.kills, self.starts, self.repeated)
    }

    /// The ids of all letters that left, and how many came again.
    pub fn close(mut self) -> (Vec<String>, usize) {
        self.daemon.kill();
        self.fetch();
        (self.sent.into_keys().collect(), self.duplicates)
    }

    fn reply(&mut self, seat: &str, kind: &str, text: &str) {
        self.reply_where(seat, &format!("kind = '{kind}'"), text);
    }

    /// Answers the last letter of this kind that has come to a player.
    fn reply_where(&mut self, seat: &str, which: &str, text: &str) {
        let query = format!(
            "select message_id, reply_to from outbox where recipient = '{seat}@player.example' and {which} order by id desc limit 1"
        );
        let mut found = Vec::new();
        wait_for("a letter to answer", || {
            self.fetch();
            found = rows(&self.place.archive(), &query);
            found.first().is_some_and(|row| self.sent.contains_key(&row[0]))
        });
        let (answers, reply_to) = (&found[0][0], &found[0][1]);
        self.letters += 1;
        let id = format!("{}@player.example", self.letters);
        let raw = format!(
            "From: <{seat}@player.example>\r\nTo: <{reply_to}>\r\nSubject: Re: Cursus\r\nMessage-ID: <{id}>\r\n\
             In-Reply-To: <{answers}>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{}\r\n",
            text.replace('\n', "\r\n")
        );
        self.deliver(&format!("{:06}", self.letters), &raw);
        self.maybe_kill();
        // Some servers bring a letter twice.
        if self.sprite.as_mut().is_some_and(|sprite| sprite.below(5) == 0) {
            self.deliver(&format!("{:06}.again", self.letters), &raw);
            self.repeated += 1;
        }
    }

    fn deliver(&self, name: &str, raw: &str) {
        let inbox = self.place.folder.join("in");
        fs::create_dir_all(inbox.join("tmp")).expect("a folder");
        fs::create_dir_all(inbox.join("new")).expect("a folder");
        fs::write(inbox.join("tmp").join(name), raw).expect("the letter is written");
        fs::rename(inbox.join("tmp").join(name), inbox.join("new").join(name)).expect("it is delivered");
    }

    /// Waits until every letter is answered and everybody knows what they are to do next.
    fn settle(&mut self) {
        self.maybe_kill();
        let begun = Instant::now();
        let mut looks = 0;
        while !self.is_settled() {
            assert!(begun.elapsed() < Duration::from_secs(60), "waited in vain for the answers: {}", self.told());
            self.daemon.assert_runs();
            self.fetch();
            looks += 1;
            // It may be killed while it works on, but in the end it is to get somewhere.
            if looks % 20 == 0 && looks <= 60 {
                self.maybe_kill();
            }
            thread::sleep(Duration::from_millis(20));
        }
        self.fetch();
    }

    fn is_settled(&self) -> bool {
        let is_taken = files(&self.place.folder.join("in/new")).is_empty();
        is_taken && self.waiting() == ["0".to_owned(), self.letters.to_string(), "0".to_owned()] && {
            let table = self.table();
            table.is_running() && !table.owing().is_empty()
        }
    }

    /// Letters that wait to be handled, letters that are remembered, and letters that wait to leave.
    fn waiting(&self) -> Vec<String> {
        let query = "select (select count(*) from letters where status = 'waiting'), (select count(*) from letters), \
                     (select count(*) from outbox where status = 'waiting')";
        rows(&self.place.archive(), query).remove(0)
    }

    /// How things stand, for whoever looks for what went wrong.
    fn told(&self) -> String {
        let log = fs::read_to_string(self.place.folder.join("log")).unwrap_or_default();
        let last: Vec<_> = log.lines().rev().take(20).collect();
        let letters = rows(&self.place.archive(), "select id, status, remark from letters order by id desc limit 5");
        let inbox = files(&self.place.folder.join("in/new"));
        let (waiting, table) = (self.waiting(), self.table());
        format!(
            "{} letters, {waiting:?}, {:?}, {:?}, {letters:?}, {inbox:?}\n{}",
            self.letters,
            table.phase(),
            table.owing(),
            last.join("\n")
        )
    }

    fn table(&self) -> Table {
        let archive = Archive::visit(&self.place.archive()).expect("the archive opens");
        Table::open(&archive, &self.house, &"once".into()).expect("the game is there")
    }

    /// Takes out what has left the house. A letter that comes again is the same letter.
    fn fetch(&mut self) {
        let outbox = self.place.folder.join("out/new");
        if !outbox.exists() {
            return;
        }
        for file in files(&outbox) {
            let raw = fs::read(&file).expect("a letter of ours");
            fs::remove_file(&file).expect("it is taken out");
            let id = cursus::post::letter::marks(&raw).0.expect("a letter of ours has an id");
            match self.sent.get(&id) {
                Some(first) => {
                    assert!(*first == raw, "{id} came again, and was another letter");
                    self.duplicates += 1;
                }
                None => {
                    self.sent.insert(id, raw);
                }
            }
        }
    }

    /// Pulls the plug, now or in a moment, and puts it in again.
    fn maybe_kill(&mut self) {
        let Some(sprite) = &mut self.sprite else { return };
        for _ in 0..sprite.below(5).saturating_sub(2) {
            let moment = match sprite.below(3) {
                0 => sprite.below(60),
                1 => sprite.below(300),
                _ => sprite.below(700),
            };
            thread::sleep(Duration::from_millis(moment));
            self.daemon.kill();
            self.kills += 1;
            self.daemon = Daemon::start(self.place);
            self.starts += 1;
        }
    }
}
