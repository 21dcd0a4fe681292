//! A club with an order page: its desk on a thread of its own, and the real server before it.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use cursus::desk::settings::game_file::GameFile;
use cursus::web::limits::Limits;
use cursus::web::{Server, Settings};

use super::browser::{Browser, Page};
use crate::desk::club::{Club, Mail, game, last, to};

type Work = Box<dyn FnOnce(&mut Club) + Send>;

pub struct Hall {
    server: Option<Server>,
    work: Option<Sender<Work>>,
    thread: Option<JoinHandle<()>>,
    pub base: String,
    host: Option<String>,
    /// The letters that the game began with.
    first: Vec<Mail>,
}

/// The name by which browsers know a hall behind a proxy.
pub const NAME: &str = "games.example.org";

impl Hall {
    /// A game of Minoa and Hellas that has begun, and a page on loopback.
    pub fn new() -> Hall {
        Hall::with(false, generous(), &game("demo", &["Minoa", "Hellas"]))
    }

    /// The same, perhaps behind a proxy that seals the line.
    pub fn with(is_proxied: bool, limits: Limits, file: &GameFile) -> Hall {
        Hall::furnished(is_proxied, limits, file, |_| ())
    }

    /// The same in a club that something is done to before it begins.
    pub fn furnished(is_proxied: bool, limits: Limits, file: &GameFile, furnish: fn(&mut Club)) -> Hall {
        let (ready, server) = sync_channel(1);
        let (work, works) = channel::<Work>();
        let file = file.clone();
        let thread = thread::spawn(move || {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
            let listen = listener.local_addr().expect("an address");
            let address = if is_proxied { format!("https://{NAME}") } else { format!("http://{listen}") };
            let proxies = if is_proxied { vec![Ipv4Addr::LOCALHOST.into()] } else { Vec::new() };
            let settings = Settings { listen, address, proxies, tls: None, limits };
            let mut club = Club::new();
            club.desk.house.settings.web = Some(settings.clone());
            furnish(&mut club);
            let first = club.begin(&file);
            let window = club.desk.open_window();
            let server = Server::on(listener, settings, window, club.desk.page_words()).expect("a server");
            ready.send((server, first)).expect("somebody waits");
            attend(&mut club, &works);
        });
        let (server, first) = server.recv().expect("a server");
        let base = format!("http://{}", server.address());
        let host = is_proxied.then(|| NAME.to_owned());
        Hall { server: Some(server), work: Some(work), thread: Some(thread), base, host, first }
    }

    /// Does something at the desk, and waits for it.
    pub fn at_desk<T: Send + 'static>(&self, work: impl FnOnce(&mut Club) -> T + Send + 'static) -> T {
        let (done, result) = sync_channel(1);
        let work = Box::new(move |club: &mut Club| done.send(work(club)).expect("somebody waits"));
        self.work.as_ref().expect("the desk is there").send(work).expect("the desk is there");
        result.recv().expect("the desk has done it")
    }

    /// Lets something happen at the desk, and waits for nothing.
    pub fn leave_to_desk(&self, work: impl FnOnce(&mut Club) + Send + 'static) {
        self.work.as_ref().expect("the desk is there").send(Box::new(work)).expect("the desk is there");
    }

    /// Somebody answers the first letter that they had.
    pub fn write(&self, name: &str, text: &'static str) {
        let mail = last(&self.first, name);
        self.at_desk(move |club| {
            club.reply(&mail, text);
            club.round();
        });
    }

    pub fn browser(&self) -> Browser {
        Browser::new(&self.base, self.host.as_deref())
    }

    /// What has come to somebody since the last look.
    pub fn mails(&self, name: &str) -> Vec<Mail> {
        let mails = self.at_desk(|club| club.post());
        to(&mails, name).into_iter().cloned().collect()
    }

    /// The path of somebody's link, as the answer to a letter has it.
    pub fn link(&self, name: &'static str) -> String {
        self.link_in("demo", name)
    }

    pub fn link_in(&self, id: &'static str, name: &'static str) -> String {
        let link = self.at_desk(move |club| {
            let table = club.table(id);
            let party = match name {
                "Moderator" => cursus::archive::Party::Moderator,
                civ => crate::desk::club::seat(&table, civ),
            };
            club.desk.house.page_link(&table, party, cursus::archive::Role::Player).expect("there is a page")
        });
        path(&link)
    }

    /// A browser that somebody has confirmed; and their page.
    pub fn confirmed(&self, name: &'static str) -> (Browser, Page) {
        let browser = self.browser();
        let page = self.confirm(&browser, &self.link(name), name);
        (browser, page)
    }

    /// Confirms a browser with the code of a letter; gives the page that it comes to.
    pub fn confirm(&self, browser: &Browser, link: &str, name: &str) -> Page {
        let door = browser.open(link);
        assert_eq!(door.status, 200, "{}", door.body);
        let token = door.token();
        let asked = browser.post("/enter", &[("token", &token)]);
        assert_eq!(asked.status, 200, "{}", asked.body);
        let code = code(&self.mails(name));
        let confirmed = browser.post("/enter/code", &[("token", &token), ("code", &code)]);
        assert_eq!(confirmed.status, 303, "{}", confirmed.body);
        browser.open(confirmed.header("location"))
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.server.take();
        self.work.take();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking(), "the desk has broken");
        }
    }
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

/// Limits that no test meets by accident: all browsers of a test are on one machine.
pub fn generous() -> Limits {
    let much = cursus::web::limits::Rate { burst: 1e6, each_second: 1e6 };
    Limits { requests: much, previews: much, codes: much, connections_each: 1_000, ..Limits::default() }
}

/// The path of an address.
pub fn path(address: &str) -> String {
    format!("/p/{}", address.split_once("/p/").expect("a link").1)
}

/// The code in the last of these letters.
pub fn code(mails: &[Mail]) -> String {
    let mail = mails.iter().rev().find(|mail| mail.subject.contains("code")).expect("a letter with a code");
    let is_code = |line: &&str| line.len() == 8 && line.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    mail.text.lines().find(is_code).unwrap_or_else(|| panic!("no code: {}", mail.text)).to_owned()
}
