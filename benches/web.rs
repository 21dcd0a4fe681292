//! The order page: previews a second and how long they take with 1, 16 and 64 browsers, with 18 players late in a game; how
//! quickly the desk works letters off meanwhile and alone; the bytes of a first view; the memory of 1,000 open streams.
//!
//! Browsers ask as quickly as they are answered, from this process, on the machine's own cores. Asserts nothing about time.
//! `CURSUS_TURNS=3` plays fewer turns before it begins.

#[path = "../tests/desk/club.rs"]
#[allow(dead_code, reason = "tests use the rest of the club")]
mod club;

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use club::{Club, game, seat};
use cursus::desk::Desk;
use cursus::desk::settings::game_file::{GameFile, Seat, Sitter};
use cursus::post::writing::PageForm;
use cursus::report::page::assets;
use cursus::rules::{Civ, PrintedGame};
use cursus::web::limits::{Limits, Rate};
use cursus::web::{Server, Settings};

/// So long each row is measured.
const TIME: Duration = Duration::from_secs(6);
/// The seat whose page is open.
const SEAT: &str = "Egypt";
/// Open streams of news.
const STREAMS: usize = 1_000;
/// Letters that the desk is given at a time.
const BATCH: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let turns = std::env::var("CURSUS_TURNS").ok().and_then(|turns| turns.parse().ok()).unwrap_or(9);
    let mut club = Club::new();
    club.begin(&late(18));
    club.begin(&game("post", &["Minoa", "Hellas"]));
    play(&mut club, turns);
    let table = club.table("late");
    let lines = club.play("late", SEAT);
    println!("Egypt of 18 players, {}, a letter of {} lines", table.phase(), lines.lines().count());

    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let listen = listener.local_addr()?;
    let much = Rate { burst: 1e9, each_second: 1e9 };
    let many = 4_000;
    let limits = Limits {
        requests: much,
        previews: much,
        connections: many,
        connections_each: many,
        streams_each: many,
        ..Limits::default()
    };
    let settings = Settings { listen, address: format!("http://{listen}"), proxies: Vec::new(), tls: None, limits };
    let window = club.desk.open_window();
    let link = club.desk.open_at_once(&"late".into(), seat(&table, SEAT))?;
    let _server = Server::on(listener, settings, window, club.desk.page_words())?;

    let (stops, is_busy, letters) = (AtomicBool::new(false), AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let result = scope.spawn(|| {
            let measured = measure(listen, &link, &lines, &is_busy, &letters);
            stops.store(true, Ordering::Relaxed);
            measured.map_err(|error| error.to_string())
        });
        work(&mut club, &stops, &is_busy, &letters);
        result.join().unwrap_or_else(|_| Err("a browser has broken".to_owned()))
    })?;
    Ok(())
}

/// The desk at work: it answers browsers, and letters where there are to be any.
fn work(club: &mut Club, stops: &AtomicBool, is_busy: &AtomicBool, letters: &AtomicU64) {
    let mut number = 0_u64;
    while !stops.load(Ordering::Relaxed) {
        club.desk.attend(club.now).expect("the archive answers");
        if !is_busy.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_micros(200));
            continue;
        }
        for _ in 0..BATCH {
            number += 1;
            let form = PageForm {
                id: number.to_string(),
                game: "post".into(),
                seat: "minoa".into(),
                // It leaves the sheet as it was, so that the last letter costs what the first did.
                lines: "clear\nalways tax 2\nundo always 1\nmove 1 Knossos -> Phaestos".into(),
                seen: None,
                deputy: false,
                answers: None,
            };
            Desk::hand_in_form(&club.desk.archive, &form, club.now).expect("it is handed in");
        }
        let handled = club.desk.handle_waiting(club.now).expect("they are handled");
        letters.fetch_add(handled as u64, Ordering::Relaxed);
    }
}

fn measure(
    listen: SocketAddr,
    link: &str,
    lines: &str,
    is_busy: &AtomicBool,
    letters: &AtomicU64,
) -> Result<(), Box<dyn Error>> {
    let browser = Arc::new(Browser::enter(listen, link)?);
    let body = serde_json::json!({ "lines": lines }).to_string();
    first_view(&browser)?;
    let alone = |seconds: Duration| {
        is_busy.store(true, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(300));
        let before = letters.load(Ordering::Relaxed);
        let begun = Instant::now();
        std::thread::sleep(seconds);
        (letters.load(Ordering::Relaxed) - before) as f64 / begun.elapsed().as_secs_f64()
    };
    println!("\nPreviews, each row {} s; letters of another game are worked off beside them", TIME.as_secs());
    println!(
        "{:>8} {:>11} {:>9} {:>9} {:>15} {:>12} {:>6}",
        "browsers", "previews/s", "p50 ms", "p99 ms", "letters/s then", "and alone", "ratio"
    );
    for browsers in [1, 16, 64] {
        // Alone before and after, so that whatever else the machine does falls on both alike.
        let before = alone(TIME / 2);
        let stops = AtomicBool::new(false);
        let (times, with) = std::thread::scope(|scope| {
            let asking: Vec<_> = (0..browsers)
                .map(|_| {
                    let (browser, body, stops) = (Arc::clone(&browser), &body, &stops);
                    scope.spawn(move || browser.preview_until(body, stops))
                })
                .collect();
            let with = alone(TIME);
            stops.store(true, Ordering::Relaxed);
            let times = asking.into_iter().flat_map(|asks| asks.join().unwrap_or_default()).collect::<Vec<_>>();
            (times, with)
        });
        let alone = (before + alone(TIME / 2)) / 2.0;
        is_busy.store(false, Ordering::Relaxed);
        let mut times = times;
        times.sort_unstable();
        let at =
            |share: f64| times.get((times.len() as f64 * share) as usize).map_or(0.0, |time| time.as_secs_f64() * 1e3);
        println!(
            "{browsers:>8} {:>11.0} {:>9.1} {:>9.1} {with:>15.0} {alone:>12.0} {:>6.2}",
            times.len() as f64 / (TIME.as_secs_f64() + 0.3),
            at(0.50),
            at(0.99),
            with / alone
        );
    }
    streams(&browser)
}

/// The bytes that a browser is sent before it can be tapped, packed as browsers ask for it.
fn first_view(browser: &Browser) -> Result<(), Box<dyn Error>> {
    let version = assets::version();
    let mut parts = vec![
        ("page".to_owned(), browser.packed("/s/late/egypt")?),
        ("data".to_owned(), browser.packed("/s/late/egypt/data")?),
    ];
    for asset in assets::all() {
        parts.push((asset.name.to_owned(), browser.packed(&format!("/a/{version}/{}", asset.name))?));
    }
    let data = browser.get("/s/late/egypt/data", "")?;
    let data: serde_json::Value = serde_json::from_slice(&data)?;
    let name = data["map"].as_str().unwrap_or_default();
    let map = browser.packed(&format!("/s/late/egypt/map/{name}.svg"))?;
    println!("\nFirst view, bytes as they are sent");
    for (name, bytes) in &parts {
        println!("{name:>16} {bytes:>8}");
    }
    println!("{:>16} {:>8}", "together", parts.iter().map(|(_, bytes)| bytes).sum::<usize>());
    println!("{:>16} {map:>8}", "and the map");
    Ok(())
}

/// What open streams of news cost.
fn streams(browser: &Browser) -> Result<(), Box<dyn Error>> {
    let before = resident();
    let mut open = Vec::new();
    for _ in 0..STREAMS {
        let mut line = browser.line()?;
        line.write_all(browser.head("GET", "/s/late/egypt/events", "").as_bytes())?;
        open.push(BufReader::new(line));
    }
    for line in &mut open {
        let mut word = String::new();
        while !word.starts_with("data:") {
            word.clear();
            if line.read_line(&mut word)? == 0 {
                return Err("a stream has ended".into());
            }
        }
    }
    let after = resident();
    println!(
        "\n{STREAMS} open streams: {:.1} MB more, {:.0} MB in all (both ends are in this process)",
        after - before,
        after
    );
    Ok(())
}

/// Megabytes of this process that are in memory.
fn resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

/// A browser that has the seat.
struct Browser {
    listen: SocketAddr,
    cookie: String,
    token: String,
}

impl Browser {
    fn enter(listen: SocketAddr, link: &str) -> Result<Browser, Box<dyn Error>> {
        let mut browser = Browser { listen, cookie: String::new(), token: String::new() };
        let followed = browser.raw("GET", &format!("/p/{link}"), "")?;
        let cookies = followed.lines().filter_map(|line| line.strip_prefix("set-cookie: "));
        let pairs: Vec<&str> = cookies.filter_map(|cookie| cookie.split(';').next()).collect();
        browser.cookie = pairs.join("; ");
        browser.raw("GET", "/enter", "")?;
        let page = browser.raw("GET", "/s/late/egypt", "")?;
        let token = page.split_once("name=\"token\" value=\"").ok_or("the page has no token")?.1;
        browser.token = token.split('"').next().unwrap_or_default().to_owned();
        Ok(browser)
    }

    fn line(&self) -> std::io::Result<TcpStream> {
        let line = TcpStream::connect(self.listen)?;
        line.set_nodelay(true)?;
        Ok(line)
    }

    fn head(&self, method: &str, path: &str, more: &str) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nX-Cursus-Token: {}\r\n{more}\r\n",
            self.listen, self.cookie, self.token
        )
    }

    /// One answer as text, head and all, on a line of its own.
    fn raw(&self, method: &str, path: &str, more: &str) -> Result<String, Box<dyn Error>> {
        let mut line = self.line()?;
        line.write_all(self.head(method, path, &format!("Connection: close\r\n{more}")).as_bytes())?;
        let mut told = Vec::new();
        line.read_to_end(&mut told)?;
        Ok(String::from_utf8_lossy(&told).into_owned())
    }

    /// The body of an answer.
    fn get(&self, path: &str, more: &str) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut line = BufReader::new(self.line()?);
        line.get_mut().write_all(self.head("GET", path, more).as_bytes())?;
        answer(&mut line)
    }

    fn packed(&self, path: &str) -> Result<usize, Box<dyn Error>> {
        Ok(self.get(path, "Accept-Encoding: gzip\r\n")?.len())
    }

    /// Asks for one preview after the other; says how long each took.
    fn preview_until(&self, body: &str, stops: &AtomicBool) -> Vec<Duration> {
        let mut times = Vec::new();
        let Ok(line) = self.line() else { return times };
        let mut line = BufReader::new(line);
        let head = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        let request = self.head("POST", "/s/late/egypt/try", &head) + body;
        while !stops.load(Ordering::Relaxed) {
            let begun = Instant::now();
            if line.get_mut().write_all(request.as_bytes()).is_err() || answer(&mut line).is_err() {
                break;
            }
            times.push(begun.elapsed());
        }
        times
    }
}

/// The body of an answer that says how long it is, or comes in pieces.
fn answer(line: &mut BufReader<TcpStream>) -> Result<Vec<u8>, Box<dyn Error>> {
    let (mut length, mut in_pieces) = (0, false);
    let mut first = String::new();
    line.read_line(&mut first)?;
    if !first.starts_with("HTTP/1.1 200") {
        return Err(format!("it answers {first}").into());
    }
    loop {
        let mut head = String::new();
        line.read_line(&mut head)?;
        let head = head.trim().to_lowercase();
        if head.is_empty() {
            break;
        }
        if let Some(bytes) = head.strip_prefix("content-length: ") {
            length = bytes.parse()?;
        }
        in_pieces |= head == "transfer-encoding: chunked";
    }
    let mut body = Vec::new();
    loop {
        if in_pieces {
            let mut size = String::new();
            line.read_line(&mut size)?;
            length = usize::from_str_radix(size.trim(), 16)?;
        }
        let from = body.len();
        body.resize(from + length, 0);
        line.read_exact(&mut body[from..])?;
        if !in_pieces {
            return Ok(body);
        }
        line.read_line(&mut String::new())?;
        if length == 0 {
            return Ok(body);
        }
    }
}

/// A game of so many, with one person; companions sit at the others.
fn late(players: u8) -> GameFile {
    let printed = PrintedGame::built_in().expect("the built-in edition is sound");
    let scenario = printed.scenarios.iter().find(|scenario| scenario.players == players).expect("a scenario");
    let small = game("late", &[SEAT]);
    let pattern = |is_person: bool| {
        let is_meant = |seat: &&Seat| matches!(seat.sitter, Sitter::Player { .. }) == is_person;
        small.seats.iter().find(is_meant).expect("a pattern").sitter.clone()
    };
    let seat = |civ: &Civ| {
        let is_person = printed.civilizations[usize::from(civ.0)].name == SEAT;
        Seat { civ: *civ, sitter: pattern(is_person), carrier: None }
    };
    let seats = scenario.civilizations.iter().map(seat).collect();
    GameFile { scenario: scenario.key.clone(), seats, ..small.clone() }
}

/// Plays on until the movement of this turn, the person like a built-in player.
fn play(club: &mut Club, turns: u16) {
    for number in 0_u32.. {
        let table = club.table("late");
        let is_there = table.state.turn() > turns && table.state.phase() == cursus::game::Phase::Movement;
        if is_there || table.state.has_ended() {
            return;
        }
        let lines = club.play("late", SEAT);
        let (id, game, seat) = (format!("p{number}"), "late".into(), "egypt".into());
        let form = PageForm { id, game, seat, lines, seen: None, deputy: false, answers: None };
        Desk::hand_in_form(&club.desk.archive, &form, club.now).expect("it is handed in");
        club.wait(chrono::Duration::hours(1));
        club.fetch();
        if club.table("late").phase() == table.phase() {
            // Whatever the others wait for, the cut-off ends it.
            club.wait(chrono::Duration::days(8));
        }
    }
}
