//! How long whole games take: built-in players write, their letters are read, filed and ruled, phase by phase.
//!
//! Prints tables; every ratio is of two numbers measured in the same run. Asserts nothing about time.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cursus::door::session::Session;
use cursus::game::Phase;
use cursus::rules::{AstSide, PrintedGame};

/// How many games each row plays; the median counts.
const GAMES: u64 = 9;
/// A game that has not ended by then is cut short.
const MOST_TURNS: u16 = 24;
/// The player counts.
const PLAYERS: [u8; 4] = [5, 9, 12, 18];

fn main() -> Result<(), Box<dyn Error>> {
    let printed = Arc::new(PrintedGame::built_in()?);
    // The rows are measured in turns, so that whatever else the machine does falls on all of them alike.
    let mut rows = vec![Vec::new(); PLAYERS.len()];
    for seed in 0..=GAMES {
        for (row, players) in rows.iter_mut().zip(PLAYERS) {
            let game = play(&printed, players, seed)?;
            // The first game only warms up.
            if seed > 0 {
                row.push(game);
            }
        }
    }
    by_players(&rows);
    by_phase(&rows);
    Ok(())
}

/// What a game was and what it cost.
#[derive(Clone, Default)]
struct Game {
    turns: u16,
    ended: bool,
    letters: u64,
    events: usize,
    /// The cost of each phase, summed over the turns, and its rulings.
    phases: [Duration; 13],
    rulings: [u32; 13],
}

impl Game {
    fn time(&self) -> Duration {
        self.phases.iter().sum()
    }
}

fn play(printed: &Arc<PrintedGame>, players: u8, seed: u64) -> Result<Game, Box<dyn Error>> {
    let scenario = printed.scenarios.iter().find(|scenario| scenario.players == players);
    let mut session =
        Session::new(printed.clone(), scenario.ok_or("no scenario for so many players")?, AstSide::Basic, seed);
    let mut game = Game::default();
    while session.state().turn() <= MOST_TURNS && !session.state().has_ended() {
        game.turns = session.state().turn();
        let at = usize::from(session.state().phase().number() - 1);
        let start = Instant::now();
        let ruling = session.rule_phase();
        game.phases[at] += start.elapsed();
        game.rulings[at] += 1;
        game.events += ruling.events.len();
    }
    game.ended = session.state().has_ended();
    game.letters = session.tally().written.letters;
    Ok(game)
}

fn by_players(rows: &[Vec<Game>]) {
    println!("Whole games, at most {MOST_TURNS} turns, median of {GAMES}");
    println!(
        "{:>7} {:>6} {:>6} {:>8} {:>8} {:>9} {:>8} {:>9} {:>9} {:>6} {:>11}",
        "players",
        "turns",
        "ended",
        "letters",
        "events",
        "ms/game",
        "games/s",
        "µs/phase",
        "µs/event",
        "ratio",
        "per player"
    );
    let mut first = None;
    for (games, players) in rows.iter().zip(PLAYERS) {
        let time = median(games.iter().map(|game| micros(game.time())));
        let turns = median(games.iter().map(|game| f64::from(game.turns)));
        let events = median(games.iter().map(|game| game.events as f64));
        let letters = median(games.iter().map(|game| game.letters as f64));
        let phase = median(games.iter().map(|game| micros(game.time()) / f64::from(game.rulings.iter().sum::<u32>())));
        let ended = games.iter().filter(|game| game.ended).count();
        let (least, few) = *first.get_or_insert((time, f64::from(players)));
        println!(
            "{players:>7} {turns:>6.0} {:>5.0}% {letters:>8.0} {events:>8.0} {:>9.1} {:>8.1} {phase:>9.1} {:>9.2} {:>6.2} {:>11.2}",
            ended as f64 * 100.0 / games.len() as f64,
            time / 1000.0,
            1e6 / time,
            time / events,
            time / least,
            time / least / (f64::from(players) / few),
        );
    }
}

fn by_phase(rows: &[Vec<Game>]) {
    println!("\nMicroseconds for a phase with its letters, median of {GAMES} games");
    print!("{:>12}", "phase");
    PLAYERS.iter().for_each(|players| print!(" {players:>8}"));
    println!(" {:>8} {:>8}", "18 to 5", "share");
    let cost = |games: &[Game], at: usize| {
        median(games.iter().map(|game| micros(game.phases[at]) / f64::from(game.rulings[at].max(1))))
    };
    let Some((most, least)) = rows.last().zip(rows.first()) else { return };
    let whole: f64 = (0..Phase::ALL.len()).map(|at| cost(most, at)).sum();
    for (at, phase) in Phase::ALL.iter().enumerate() {
        print!("{:>12}", phase.name());
        rows.iter().for_each(|games| print!(" {:>8.1}", cost(games, at)));
        println!(" {:>8.2} {:>7.1}%", cost(most, at) / cost(least, at), cost(most, at) * 100.0 / whole);
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
