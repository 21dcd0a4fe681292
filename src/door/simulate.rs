//! `cursus simulate`: whole games between built-in players, in memory and through letters.
//!
//! Comes in: how many games, for how many players, a seed. Goes out: a summary, the same for the same seed, and whether
//! every game came to its proper end. Every game is replayed: the laws are checked after each event, in every build.

mod game;
mod summary;

use std::io::{IsTerminal, Write};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::rules::{AstSide, PrintedGame, Scenario};
pub(crate) use game::Outcome;
pub use game::{Ending, play};
pub(crate) use summary::Summary;

/// One worker for each core, as far as there is work.
const MOST_WORKERS: usize = 8;

/// What somebody wants to have played.
#[derive(Debug, Clone)]
pub struct Wish {
    pub games: u32,
    /// For how many players, both ends included.
    pub players: RangeInclusive<u8>,
    /// The seed of the first game; each further game has the next.
    pub seed: u64,
    /// Whether a script reads the summary.
    pub json: bool,
}

/// Plays all games and prints the summary. Says whether every game came to its proper end.
pub fn simulate(printed: PrintedGame, wish: &Wish, out: &mut dyn Write) -> anyhow::Result<bool> {
    let printed = Arc::new(printed);
    let scenarios: Vec<_> = printed.scenarios.iter().filter(|one| wish.players.contains(&one.players)).collect();
    if scenarios.is_empty() {
        bail!("--players {}..{}: the game is for 5 to 18 players", wish.players.start(), wish.players.end());
    }
    if wish.games == 0 {
        bail!("--games 0: at least one game is played");
    }
    let outcomes = play_all(&printed, &scenarios, wish)?;
    let summary = Summary::of(&outcomes);
    if wish.json {
        serde_json::to_writer_pretty(&mut *out, &summary)?;
        writeln!(out)?;
    } else {
        out.write_all(summary.text(&wish.players).as_bytes())?;
    }
    Ok(summary.is_sound())
}

/// The scenario and the side of the A.S.T. that a seed stands for: all are taken in turn, every third game is expert.
pub fn setting<'a>(scenarios: &[&'a Scenario], seed: u64) -> (&'a Scenario, AstSide) {
    let count = scenarios.len() as u64;
    let track = if (seed + seed / count) % 3 == 2 { AstSide::Expert } else { AstSide::Basic };
    (scenarios[(seed % count) as usize], track)
}

/// Plays the games on all cores; the outcomes are in the sequence of their seeds.
fn play_all(printed: &Arc<PrintedGame>, scenarios: &[&Scenario], wish: &Wish) -> anyhow::Result<Vec<Outcome>> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(MOST_WORKERS);
    let (next, outcomes) = (AtomicU32::new(0), Mutex::new(Vec::new()));
    let bar = ProgressBar::new(u64::from(wish.games));
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos} of {len} games").context("the progress bar is drawn")?);
    let on_terminal = std::io::stderr().is_terminal();
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= wish.games {
                        break;
                    }
                    let seed = wish.seed.wrapping_add(u64::from(number));
                    let (scenario, track) = setting(scenarios, seed);
                    let outcome = play(printed, scenario, track, seed);
                    let mut outcomes = outcomes.lock().unwrap_or_else(PoisonError::into_inner);
                    outcomes.push((number, outcome));
                    bar.inc(1);
                    if !on_terminal && (outcomes.len() % 25 == 0 || outcomes.len() == wish.games as usize) {
                        eprintln!("{} of {} games", outcomes.len(), wish.games);
                    }
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by_key(|(number, _)| *number);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}
