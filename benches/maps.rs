//! How long a map takes: a phone's part of a crowded late game of eighteen, and the whole board.
//!
//! Prints a table; every ratio is of two numbers measured in the same run. Asserts nothing about time.

use std::collections::BTreeSet;
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cursus::door::session::Session;
use cursus::game::{Known, Phase, Reader, Witnessed};

use cursus::report::map::{Canvas, Changes, Frame, concerns, picture, png};
use cursus::rules::{AreaId, AstSide, Language, PrintedGame};

/// How often each map is drawn; the median counts, and the least is told too.
const RUNS: usize = 15;
/// The turn whose movement is drawn.
const TURN: u16 = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let (state, changes) = late()?;
    let aegean = ["athens", "thera", "knossos", "phaestos", "lesbos", "rhodes", "troy", "sparta"];
    let map = &state.printed().map;
    let aegean: BTreeSet<AreaId> = map.ids().filter(|area| aegean.contains(&map.area(*area).key.as_str())).collect();
    let players = state.ranking().map(|civ| {
        let name = &state.printed().civilizations[usize::from(civ.0)].name;
        (format!("phone, {name}"), Frame::Around(concerns(&state, &changes, civ)))
    });
    let mut rows: Vec<_> = players.collect();
    rows.push(("phone, the Aegean".to_owned(), Frame::Around(aegean)));
    rows.push(("all in play".to_owned(), Frame::Whole));
    println!("Maps after the movement of turn {TURN}, 18 players, median of {RUNS} runs");
    println!(
        "{:<18} {:>10} {:>6} {:>7} {:>7} {:>8} {:>8} {:>6}",
        "", "pixels", "kB", "SVG ms", "PNG ms", "both ms", "least ms", "ratio"
    );
    let mut times = vec![Vec::new(); rows.len()];
    // The rows are measured in turns, so that whatever else the machine does falls on all of them alike.
    for _ in 0..RUNS {
        for (row, (_, frame)) in rows.iter().enumerate() {
            let canvas = canvas(&state, frame);
            let start = Instant::now();
            let drawn = picture(&state, &changes, &canvas);
            let drawing = start.elapsed();
            black_box(png(&drawn.svg)?);
            times[row].push((start.elapsed(), drawing));
        }
    }
    let mut first = None;
    for ((name, frame), mut times) in rows.iter().zip(times) {
        let file = png(&picture(&state, &changes, &canvas(&state, frame)).svg)?;
        let pixels = [16, 20].map(|at| file[at..at + 4].iter().fold(0, |sum, byte| sum * 256 + u32::from(*byte)));
        times.sort();
        let ((both, drawing), (least, _)) = (times[RUNS / 2], times[0]);
        let first = *first.get_or_insert(both);
        println!(
            "{name:<18} {:>10} {:>6} {:>7.1} {:>7.1} {:>8.1} {:>8.1} {:>6.2}",
            format!("{}×{}", pixels[0], pixels[1]),
            file.len() / 1000,
            millis(drawing),
            millis(both - drawing),
            millis(both),
            millis(least),
            millis(both) / millis(first),
        );
    }
    Ok(())
}

/// The board after a movement late in the game, and what the movement changed.
fn late() -> Result<(Known, Changes), Box<dyn Error>> {
    let printed = Arc::new(PrintedGame::built_in()?);
    let scenario = printed.scenarios.iter().find(|scenario| scenario.players == 18).ok_or("no scenario for 18")?;
    let mut session = Session::new(printed.clone(), scenario, AstSide::Basic, 3);
    loop {
        let ruling = session.rule_phase();
        if session.state().has_ended() || ruling.before.turn() >= TURN && ruling.before.phase() == Phase::Movement {
            let changes = Changes::seen(&Witnessed::of(&ruling.before, &ruling.events, Reader::Public));
            return Ok((Known::of(session.state(), Reader::Public), changes));
        }
    }
}

fn canvas(state: &Known, frame: &Frame) -> Canvas {
    let title = format!("Turn {}", state.turn());
    Canvas { frame: frame.clone(), width: frame.width(state), language: Language::English, title }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
