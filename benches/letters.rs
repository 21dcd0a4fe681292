//! The letters of a ruling: 18 reports as text, HTML and data, with and without maps.
//!
//! The position is a late turn of 18 companions. Times are the best of several rounds, in milliseconds.
//! `cargo bench --bench letters -- --look FOLDER` measures nothing: it writes a letter of every kind with its picture into
//! the folder, for a browser.

#![allow(clippy::unwrap_used, reason = "the samples are those of a test")]

#[path = "../tests/letters_out/samples.rs"]
mod samples;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cursus::door::demo::scenario;
use cursus::door::session::Session;
use cursus::game::{Event, Known, Phase, Reader, State, Witnessed};
use cursus::orders::{Sheet, awaited};
use cursus::report::Templates;
use cursus::report::letters::{self, Content, Delivery, Maps, Moment, Occasion, Page, Seat, Sight};
use cursus::rules::{AstSide, Civ, Language, PrintedGame};

const TURN: u16 = 12;
const ROUNDS: usize = 7;

fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--look").skip(1);
    if let Some(folder) = arguments.next() {
        return look(Path::new(&folder));
    }
    let printed = Arc::new(PrintedGame::built_in().expect("the built-in edition is sound"));
    let scenario = scenario(&printed, 18).expect("there is a game of 18");
    let mut session = Session::new(Arc::clone(&printed), scenario, AstSide::Basic, 1);
    while session.state().turn() < TURN || session.state().phase() != Phase::Movement {
        session.rule_phase();
    }
    // The report with most to tell: movement, conflict, cities and cards in one.
    let before = session.state().clone();
    let mut events = Vec::new();
    while session.state().phase() != Phase::Trade {
        events.extend(session.rule_phase().events);
    }
    let after = session.state();
    println!("18 players, turn {TURN}: a report of {} events", events.len());
    for language in Language::ALL {
        let templates = Templates::built_in(language, &printed);
        let written = best(ROUNDS, || pages(&templates, &before, &events, after, None));
        let all = pages(&templates, &before, &events, after, None);
        let size = |of: fn(&Page) -> usize| all.iter().map(of).sum::<usize>() / all.len() / 1000;
        println!(
            "{}: 18 reports without maps {:.1} ms; each {} kB of text, {} kB of HTML, {} kB of data",
            language.code(),
            millis(written),
            size(|page| page.text.len()),
            size(|page| page.html.as_ref().map_or(0, String::len)),
            size(|page| page.data.as_ref().map_or(0, String::len)),
        );
    }
    let templates = Templates::built_in(Language::English, &printed);
    let drawn = best(2, || pages(&templates, &before, &events, after, Some(&Maps::default())));
    let maps = Maps::default();
    let all = pages(&templates, &before, &events, after, Some(&maps));
    let again = best(2, || pages(&templates, &before, &events, after, Some(&maps)));
    let largest = all.iter().filter_map(|page| page.picture.as_ref()).map(|picture| picture.len()).max().unwrap_or(0);
    println!(
        "with maps: {:.0} ms, with all of them known {:.0} ms; {} pictures, the largest {} kB",
        millis(drawn),
        millis(again),
        maps.kept(),
        largest / 1000
    );
    let times = after.ranking().map(|civ| {
        let seen = Witnessed::of(&before, &events, Reader::Player(civ));
        let sight = Sight { seen: Some(&seen), known: seen.after(), asked: None };
        let svg = best(3, || sight.svg(Language::English, "a game"));
        let whole = best(3, || sight.picture(&Maps::default(), Language::English, "a game"));
        (millis(svg), millis(whole))
    });
    let mut times: Vec<_> = times.collect();
    times.sort_by(|one, other| one.1.total_cmp(&other.1));
    let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
    println!("a phone's map: median {:.0} ms, the slowest {:.0} ms (SVG alone {:.0} ms)", median.1, most.1, most.0);
}

/// Writes a letter of every kind into a folder.
fn look(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    let mut samples = samples::Samples::play();
    samples.maps = Some(Maps::default());
    for language in Language::ALL {
        for (name, page) in samples.letters(language) {
            let name = format!("{}-{name}", language.code());
            let html = page.html.unwrap().replace("cid:map", &format!("{name}.png"));
            fs::write(folder.join(format!("{name}.html")), html).unwrap();
            if let Some(data) = page.data {
                fs::write(folder.join(format!("{name}.json")), data).unwrap();
            }
            if let Some(picture) = page.picture {
                fs::write(folder.join(format!("{name}.png")), &*picture).unwrap();
            }
        }
    }
}

fn pages(templates: &Templates, before: &State, events: &[Event], after: &State, maps: Option<&Maps>) -> Vec<Page> {
    let seats: Vec<Seat> = after
        .ranking()
        .map(|civ| Seat { civ, player: format!("player {}", civ.0), companion: false, kept: false })
        .collect();
    let mut civs: Vec<Civ> =
        awaited(&Known::of(after, Reader::Public)).into_iter().map(|awaited| awaited.civ).collect();
    civs.sort_by_key(|civ| after.rank(*civ));
    let cut_off = Moment { year: 2026, month: 11, day: 18, weekday: 3, hour: 20, minute: 0, zone: "CET".to_owned() };
    let sheet = Sheet::default();
    let write = |civ| {
        let seen = Witnessed::of(before, events, Reader::Player(civ));
        let occasion = Occasion {
            game: "a game",
            known: seen.after(),
            name: "a reader",
            seats: &seats,
            sheet: Some(&sheet),
            awaited: &civs,
            by_default: &[],
            cut_off: Some(cut_off.clone()),
            terms: letters::Terms::default(),
            shown: None,
            delivery: Delivery { maps, data: true, ..Delivery::default() },
        };
        letters::write(templates, &occasion, &Content::Report { seen: &seen })
    };
    after.ranking().map(write).collect()
}

fn best<T>(rounds: usize, mut work: impl FnMut() -> T) -> Duration {
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
