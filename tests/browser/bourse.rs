//! A club in the midst of its trade: its desk on a thread of its own, the real server before it, and people at every seat.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use cursus::archive::Role;
use cursus::desk::settings::game_file::GameFile;
use cursus::desk::{Desk, Table};
use cursus::game::{Event, Phase, acquisition};
use cursus::post::writing::PageForm;
use cursus::rules::{Face, TradeCard};
use cursus::web::limits::{Limits, Rate};
use cursus::web::{Server, Settings};

use super::club::{Club, Mail, game, last, seat, to};
use super::driver::Browser;

type Work = Box<dyn FnOnce(&mut Club) + Send>;

/// Everybody at the table.
pub const ALL: [&str; 5] = ["Egypt", "Hellas", "Assyria", "Minoa", "Hatti"];

pub struct Bourse {
    server: Option<Server>,
    work: Option<Sender<Work>>,
    thread: Option<JoinHandle<()>>,
    /// The letters before the page was opened.
    first: Vec<Mail>,
    /// Where the page is served.
    pub base: String,
}

impl Bourse {
    /// The first phase of this name in which each of the first three has four commodities to give, or any where the phase
    /// is another.
    pub fn open(phase: Phase) -> Bourse {
        Bourse::of(game("nile", &ALL), phase)
    }

    /// The same of another game of this name.
    pub fn of(file: GameFile, phase: Phase) -> Bourse {
        let (ready, server) = sync_channel(1);
        let (work, works) = channel::<Work>();
        let thread = thread::spawn(move || {
            let mut club = Club::new();
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
            let listen = listener.local_addr().expect("an address");
            let much = Rate { burst: 1e6, each_second: 1e6 };
            let limits =
                Limits { requests: much, previews: much, codes: much, connections_each: 1_000, ..Limits::default() };
            let settings =
                Settings { listen, address: format!("http://{listen}"), proxies: Vec::new(), tls: None, limits };
            club.desk.house.settings.web = Some(settings.clone());
            club.begin(&file);
            let first = play_to(&mut club, phase);
            let window = club.desk.open_window();
            let server = Server::on(listener, settings, window, club.desk.page_words()).expect("a server");
            ready.send((server, first)).expect("somebody waits");
            attend(&mut club, &works);
        });
        let (server, first) = server.recv().expect("a server");
        let base = format!("http://{}", server.address());
        Bourse { server: Some(server), work: Some(work), thread: Some(thread), first, base }
    }

    /// Does something at the desk, and waits for it.
    pub fn at_desk<T: Send + 'static>(&self, work: impl FnOnce(&mut Club) -> T + Send + 'static) -> T {
        let (done, result) = sync_channel(1);
        let work = Box::new(move |club: &mut Club| done.send(work(club)).expect("somebody waits"));
        self.work.as_ref().expect("the desk is there").send(work).expect("the desk is there");
        result.recv().expect("the desk has done it")
    }

    /// Somebody answers a letter by mail; says what came back.
    pub fn mails(&self, name: &'static str, text: String) -> Vec<Mail> {
        let letter = last(&self.first, name);
        self.at_desk(move |club| {
            club.reply(&letter, &text);
            club.round();
            to(&club.fetch(), name).into_iter().cloned().collect()
        })
    }

    /// The commodities in somebody's hand, by name.
    pub fn hand(&self, name: &'static str) -> BTreeMap<String, usize> {
        self.at_desk(move |club| hand(club, name))
    }

    /// What somebody paid for Advances when that was last ruled: cards by name, and treasury.
    pub fn paid(&self, name: &'static str) -> (BTreeMap<String, usize>, u16) {
        self.at_desk(move |club| {
            let table = club.table("nile");
            let (buyer, mut paid) = (super::club::civ(&table, name), (BTreeMap::new(), 0));
            for event in club.desk.archive.events(&"nile".into(), 0).expect("the archive answers") {
                if let Event::AdvancesAcquired { civ, cards, treasury, .. } = event
                    && civ == buyer
                {
                    paid = (by_name(&table, &cards), treasury);
                }
            }
            paid
        })
    }

    /// A phone at somebody's seat, confirmed by letter.
    pub fn phone(&self, folder: &Path, name: &'static str) -> Browser {
        self.phone_by(folder, name, Browser::phone)
    }

    /// The same with a browser of somebody's own.
    pub fn phone_by(&self, folder: &Path, name: &'static str, open: impl Fn(&Path) -> Browser) -> Browser {
        let link = self.at_desk(move |club| {
            let table = club.table("nile");
            club.desk.house.page_link(&table, seat(&table, name), Role::Player).expect("there is a page")
        });
        let browser = open(folder);
        browser.open(&link);
        browser.until("location.pathname === '/enter'");
        browser.tap_button("main", "Send me a code");
        browser.until("document.querySelector('#code')");
        let letters: Vec<Mail> = self.at_desk(move |club| to(&club.post(), name).into_iter().cloned().collect());
        let letter = letters.iter().rev().find(|mail| mail.subject.contains("code")).expect("a letter with a code");
        let is_code =
            |line: &&str| line.len() == 8 && line.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        browser.tap("#code");
        browser.press(letter.text.lines().map(str::trim).find(is_code).expect("a code"));
        browser.tap_button("main", "Open");
        browser.until("document.body.classList.contains('live') && document.querySelector('.area')");
        browser
    }
}

impl Drop for Bourse {
    fn drop(&mut self) {
        self.server.take();
        self.work.take();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking(), "the desk has broken");
        }
    }
}

fn hand(club: &mut Club, name: &str) -> BTreeMap<String, usize> {
    let table = club.table("nile");
    let civ = super::club::civ(&table, name);
    by_name(&table, &table.state.holding(civ).hand)
}

fn by_name(table: &Table, cards: &[TradeCard]) -> BTreeMap<String, usize> {
    let mut hand = BTreeMap::new();
    for card in cards {
        if let Face::Commodity(commodity) = card.face {
            let name = table.edition.printed.commodities[usize::from(commodity.0)].name.clone();
            *hand.entry(name).or_default() += 1;
        }
    }
    hand
}

/// Plays on as built-in players would, until there is something to trade.
fn play_to(club: &mut Club, phase: Phase) -> Vec<Mail> {
    for number in 0.. {
        let table = club.table("nile");
        assert!(table.state.turn() < 15, "nobody has anything to trade");
        let can_buy = phase != Phase::Advances || {
            let quote = acquisition::quote(&table.state, super::club::civ(&table, ALL[0]), &[]);
            quote.is_ok_and(|quote| !quote.more.is_empty())
        };
        let is_struck = phase != Phase::Calamities || {
            let hand = &table.state.holding(super::club::civ(&table, ALL[0])).hand;
            hand.iter().any(|card| card.face.is_calamity())
        };
        if is_struck
            && can_buy
            && table.state.phase() == phase
            && ALL[..3].iter().all(|name| hand(club, name).values().sum::<usize>() >= 4)
        {
            return club.fetch();
        }
        let people: Vec<String> = table.people().map(|(_, seat)| seat.player.clone()).collect();
        for name in people.iter().map(String::as_str) {
            let lines = club.play("nile", name);
            let (id, game, seat) = (format!("{name}{number}"), "nile".into(), name.to_lowercase());
            let form = PageForm { id, game, seat, lines, seen: None, deputy: false, answers: None };
            Desk::hand_in_form(&club.desk.archive, &form, club.now).expect("it is handed in");
            club.round();
        }
        if club.table("nile").phase() == table.phase() {
            club.wait(chrono::Duration::days(8));
        }
    }
    unreachable!("the game goes on")
}

fn attend(club: &mut Club, works: &Receiver<Work>) {
    loop {
        match works.recv_timeout(Duration::from_millis(2)) {
            Ok(work) => work(club),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        club.desk.attend(club.now).expect("the archive answers");
        if !club.desk.archive.waiting(1).expect("the archive answers").is_empty() {
            club.round();
        }
    }
}
