//! How quickly letters are worked off: from raw mail in the spool to an acknowledgement that is written down for good.
//!
//! Prints tables; every ratio is of two numbers measured in the same run, on the same disk. Asserts nothing about time.

#[path = "../tests/desk/club.rs"]
#[allow(dead_code, reason = "tests use the rest of the club")]
mod club;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeZone, Utc};
use cursus::archive::{Durability, Party};
use cursus::desk::Desk;
use cursus::post::Carrier;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{Connection, SqliteConnection};

/// The people at each table; companions sit at the others.
const PEOPLE: [&str; 3] = ["Minoa", "Hellas", "Egypt"];
/// How often each row is measured; the median counts.
const TIMES: usize = 5;
/// Letters in a round.
const LETTERS: usize = 200;
/// A morning after a holiday.
const WAITING: usize = 1000;
/// Games in one archive.
const GAMES: [usize; 3] = [10, 100, 1000];

fn main() -> Result<(), Box<dyn Error>> {
    // The archive lies where the build lies, and not in memory, as temporary folders may.
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    against_commits(&temporary.path().join("rate"))?;
    by_games(temporary.path())?;
    waiting(&temporary.path().join("waiting"))
}

/// Letters of three players of one game, beside bare commits.
fn against_commits(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let mut house = House::new(folder, 1)?;
    let (mut letters, mut commits, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    // Both are measured in turns, so that whatever else the machine does falls on both alike.
    for round in 0..=TIMES {
        let commit = bare_commits(&folder.join("bare.sqlite"), LETTERS)?;
        house.put(LETTERS, 1)?;
        let spent = house.work_off()?;
        // The first round only warms up.
        if round > 0 {
            letters.push(LETTERS as f64 / spent.total().as_secs_f64());
            commits.push(LETTERS as f64 / commit.as_secs_f64());
            shares.push(spent);
        }
    }
    println!("From raw mail to a committed acknowledgement, {LETTERS} letters a round, median of {TIMES}");
    println!("{:>12} {:>16} {:>7}", "letters/s", "bare commits/s", "ratio");
    let (letters, commits) = (median(letters.into_iter()), median(commits.into_iter()));
    println!("{letters:>12.0} {commits:>16.0} {:>7.2}", letters / commits);
    let share = |of: &dyn Fn(&Spent) -> Duration| median(shares.iter().map(|spent| micros(of(spent)))) / LETTERS as f64;
    println!("\nMicroseconds a letter");
    println!("{:>12} {:>12} {:>12}", "remembering", "handling", "sending");
    println!(
        "{:>12.0} {:>12.0} {:>12.0}",
        share(&|spent| spent.remembering),
        share(&|spent| spent.handling),
        share(&|spent| spent.sending)
    );
    Ok(())
}

/// The same with more and more games in the archive: all letters to one game, and to all in turns.
fn by_games(folder: &Path) -> Result<(), Box<dyn Error>> {
    println!("\nMicroseconds a letter by the number of games in the archive, median of {TIMES}");
    println!("{:>12} {:>12} {:>12} {:>12}", "games", "one game's", "all games'", "opening (s)");
    let mut rows = Vec::new();
    for games in GAMES {
        let folder = folder.join(format!("games-{games}"));
        fs::create_dir_all(&folder)?;
        drop(House::new(&folder, games)?);
        let begun = Instant::now();
        let mut house = House::open(&folder, games);
        let opening = begun.elapsed();
        let mut times = [Vec::new(), Vec::new()];
        for round in 0..=TIMES {
            for (times, spread) in times.iter_mut().zip([1, games]) {
                house.put(LETTERS, spread)?;
                let time = micros(house.work_off()?.total()) / LETTERS as f64;
                if round > 0 {
                    times.push(time);
                }
            }
        }
        let [one, all] = times.map(|times| median(times.into_iter()));
        println!("{games:>12} {one:>12.0} {all:>12.0} {:>12.2}", opening.as_secs_f64());
        rows.push((one, all));
    }
    if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
        println!("{:>12} {:>12.2} {:>12.2}", "1000 to 10", last.0 / first.0, last.1 / first.1);
    }
    Ok(())
}

/// A thousand letters wait.
fn waiting(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let mut house = House::new(folder, 20)?;
    house.put(WAITING, 20)?;
    let spent = house.work_off()?;
    println!("\n{WAITING} letters of 20 games wait");
    println!("{:>12} {:>12} {:>12}", "letters/s", "answered (s)", "and sent (s)");
    let (answered, sent) = (spent.total().as_secs_f64(), spent.sending.as_secs_f64());
    println!("{:>12.0} {answered:>12.2} {:>12.2}", WAITING as f64 / answered, answered + sent);
    Ok(())
}

/// Where the time went.
struct Spent {
    remembering: Duration,
    handling: Duration,
    sending: Duration,
}

impl Spent {
    /// From the raw mail to the committed acknowledgement.
    fn total(&self) -> Duration {
        self.remembering + self.handling
    }
}

/// A desk on a real file, with letters that survive a power cut.
struct House {
    desk: Desk,
    carriers: Vec<std::sync::Arc<dyn Carrier>>,
    folder: std::path::PathBuf,
    now: DateTime<Utc>,
    letters: usize,
}

impl House {
    /// An archive with so many games, all of which run.
    fn new(folder: &Path, games: usize) -> Result<House, Box<dyn Error>> {
        let quick = club::desk(folder, Durability::None);
        let mut house = House::at(folder, quick);
        let file = club::game("any", &PEOPLE);
        for number in 0..games {
            let game = cursus::desk::settings::game_file::GameFile { id: format!("g{number}").into(), ..file.clone() };
            house.desk.create(&game, [7; 32], house.now)?;
            for name in PEOPLE {
                house.write(number, name, "invitation", "ok", "ok")?;
            }
        }
        while !house.desk.round(&house.carriers, house.now)?.is_quiet() {}
        drop(house);
        Ok(House::open(folder, games))
    }

    fn open(folder: &Path, games: usize) -> House {
        let mut house = House::at(folder, club::desk(folder, Durability::Full));
        house.letters = games * PEOPLE.len();
        house
    }

    fn at(folder: &Path, desk: Desk) -> House {
        let now = Utc.with_ymd_and_hms(2027, 1, 4, 9, 0, 0).single().expect("a time");
        House { desk, carriers: vec![club::spool(folder)], folder: folder.to_owned(), now, letters: 0 }
    }

    /// Puts letters into the inbox, as many players as there are in so many games taking turns. Nobody is finished with their
    /// turn: they write an order and a question, and think on.
    fn put(&mut self, letters: usize, games: usize) -> Result<(), Box<dyn Error>> {
        for number in 0..letters {
            let name = PEOPLE[number / games % PEOPLE.len()];
            let text = "Dear moderator,\n\ntell moderator: I am still thinking about this turn.\nhelp move\n";
            self.write(number % games, name, "1.movement.1", "welcome", text)?;
        }
        Ok(())
    }

    fn write(&mut self, game: usize, name: &str, about: &str, kind: &str, text: &str) -> Result<(), Box<dyn Error>> {
        let kind = if about == "invitation" { "invitation" } else { kind };
        let name = name.to_lowercase();
        let secret = self.desk.house.secret(&format!("g{game}.{about}.{name}.{kind}@cursus.example.org"));
        self.letters += 1;
        let quoted = "> What you wrote is quoted below, as phones do.\r\n".repeat(20);
        let raw = format!(
            "From: <{name}@player.example>\r\nTo: <cursus+g{game}.{name}.{secret}@example.org>\r\nSubject: Re: x\r\n\
             Message-ID: <{}@player.example>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\
             {}\r\n\r\nOn Monday Cursus wrote:\r\n{quoted}",
            self.letters,
            text.replace('\n', "\r\n")
        );
        fs::write(self.folder.join("in/new").join(format!("{:08}", self.letters)), raw)?;
        Ok(())
    }

    /// Works everything off. The parts are those of [`Desk::round`], each measured for itself.
    fn work_off(&mut self) -> Result<Spent, Box<dyn Error>> {
        let carrier = self.carriers[0].clone();
        let begun = Instant::now();
        loop {
            let letters = carrier.collect(Duration::ZERO)?;
            if letters.is_empty() {
                break;
            }
            self.desk.remember(carrier.name(), &letters, self.now)?;
            let marks: Vec<_> = letters.into_iter().map(|letter| letter.mark).collect();
            carrier.keep(&marks)?;
        }
        let remembered = Instant::now();
        let handled = self.desk.handle_waiting(self.now)?;
        let answered = Instant::now();
        let round = self.desk.round(&self.carriers, self.now)?;
        let sent = Instant::now();
        assert!(round.sent >= handled, "every letter is answered");
        assert!(self.desk.table(&"g0".into())?.seat(Party::Moderator).is_some());
        Ok(Spent { remembering: remembered - begun, handling: answered - remembered, sending: sent - answered })
    }
}

/// So many rows, each in a transaction of its own that survives a power cut.
fn bare_commits(path: &Path, commits: usize) -> Result<Duration, Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    runtime.block_on(async {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        let mut connection = SqliteConnection::connect_with(&options).await?;
        sqlx::raw_sql("create table if not exists bare (id integer primary key, body text not null)")
            .execute(&mut connection)
            .await?;
        let begun = Instant::now();
        for _ in 0..commits {
            sqlx::query("insert into bare (body) values (?)").bind("a letter").execute(&mut connection).await?;
        }
        let time = begun.elapsed();
        connection.close().await?;
        Ok(time)
    })
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
