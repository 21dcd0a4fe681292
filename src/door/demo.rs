//! `cursus demo`: a whole game by mail between built-in players, told turn by turn.
//!
//! Comes in: how many players, a seed, and how much is to be told. Goes out: what a newcomer can follow, the same for the
//! same seed; and a folder with every letter of the game. The game is played by the real daemon on a spool and SQLite.

mod brief;
mod folder;
mod page;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::club::{Club, Rules, Written};
use super::session::Tally;
use crate::companions::Temperament;
use crate::game::{Event, State};
use crate::orders::{Lexicon, Reading, read};
use crate::report::account::Topic;
use crate::report::{Reader, Templates, account};
use crate::rules::{Civ, Language, PrintedGame, Scenario};

/// The most turns anybody would watch.
const MOST_TURNS: u16 = 100;
/// So many rounds of mail a turn never takes.
const MOST_ROUNDS: usize = 400;

/// What somebody wants to see.
#[derive(Debug, Clone)]
pub struct Wish {
    /// How many play.
    pub players: u8,
    /// How many turns are played; none is to the end of the game.
    pub turns: Option<u16>,
    /// The seed of all chance.
    pub seed: u64,
    /// Whether everything is told, not only what one would remember of a turn.
    pub long: bool,
    /// The language of the letters.
    pub language: Language,
    /// Where the letters are left; none leaves nothing.
    pub out: Option<PathBuf>,
}

/// What a spectator sees at some moment.
pub struct Shown<'a> {
    /// What is true.
    pub state: &'a State,
    /// Who plays how.
    pub seats: &'a BTreeMap<Civ, Temperament>,
    /// What was written and what became of it.
    pub tally: Tally,
}

/// Plays the game and tells it. A progress bar runs on a terminal.
pub fn demo(printed: PrintedGame, wish: &Wish, out: &mut dyn Write) -> anyhow::Result<Tally> {
    let printed = Arc::new(printed);
    let scenario = scenario(&printed, wish.players)?;
    let most = wish.turns.unwrap_or(MOST_TURNS);
    if !(1..=MOST_TURNS).contains(&most) {
        bail!("--turns {most}: a demo has 1 to {MOST_TURNS} turns");
    }
    let desk = folder::Desk::clear(wish.out.as_deref())?;
    let rules = Rules { scenario, seed: wish.seed, language: wish.language, html: wish.out.is_some() };
    let mut club = Club::found(&printed, rules, desk.path())?;
    let templates = Templates::built_in(Language::English, &printed);
    let lexicon = Lexicon::new(&printed);
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {msg}").context("the progress bar is drawn")?);
    let mut say = |bar: &ProgressBar, text: String| bar.suspend(|| out.write_all(text.as_bytes()));

    let (seats, mut tally) = (club.seats(), Tally::default());
    let before = club.table()?.state.clone();
    say(&bar, page::opening(&Shown { state: &before, seats: &seats, tally }, scenario, wish))?;
    let (mut shown, mut known) = (false, 0);
    loop {
        let before = club.table()?.state.clone();
        let turn = before.turn();
        if before.has_ended() || turn > most {
            break;
        }
        say(&bar, page::turn(turn))?;
        play_turn(&mut club, turn, &bar)?;
        let letters = club.take_letters();
        letters.iter().for_each(|letter| count(&mut tally, letter, &lexicon));
        let events = club.archive().events("demo", known + 1)?;
        known += events.len() as u64;
        events.iter().for_each(|event| tally.note(event));
        let after = club.table()?.state.clone();
        let now = Shown { state: &after, seats: &seats, tally };
        if !shown && let Some(letter) = page::sample(&now, &letters) {
            say(&bar, letter)?;
            shown = true;
        }
        let account = if wish.long { told(&templates, &before, &events) } else { brief::turn(&after, &events) };
        say(&bar, account)?;
        say(&bar, page::standing(&after))?;
    }
    bar.set_message("the letters are laid out");
    let state = club.table()?.state.clone();
    let index = desk.lay_out(&state, wish.language)?;
    bar.finish_and_clear();
    say(&bar, page::closing(&Shown { state: &state, seats: &seats, tally }))?;
    if let Some(index) = index {
        say(&bar, format!("\nEvery letter of the game, to read in a browser: {}\n", index.display()))?;
    }
    Ok(tally)
}

/// Lets the mail go to and fro until the turn is over.
fn play_turn(club: &mut Club, turn: u16, bar: &ProgressBar) -> anyhow::Result<()> {
    for _ in 0..MOST_ROUNDS {
        let state = &club.table()?.state;
        if state.has_ended() || state.turn() != turn {
            return Ok(());
        }
        bar.set_message(format!("turn {turn}, {}", state.phase().name()));
        bar.tick();
        club.round()?;
    }
    bail!("turn {turn} does not come to its end");
}

/// Counts what stands in a letter.
fn count(tally: &mut Tally, letter: &Written, lexicon: &Lexicon) {
    tally.letters += 1;
    for piece in read(&letter.text, lexicon).iter().flat_map(|line| &line.pieces) {
        match piece.reading {
            Reading::Written(_) => tally.orders += 1,
            Reading::Fault(_) => tally.faults += 1,
            Reading::Quoted | Reading::Remark | Reading::Press => {}
        }
    }
}

/// The first scenario for so many players.
pub fn scenario(printed: &PrintedGame, players: u8) -> anyhow::Result<&Scenario> {
    let counts = || printed.scenarios.iter().map(|scenario| scenario.players);
    let fitting = printed.scenarios.iter().find(|scenario| scenario.players == players);
    fitting.with_context(|| {
        let (least, most) = (counts().min().unwrap_or(0), counts().max().unwrap_or(0));
        format!("--players {players}: the game is for {least} to {most} players")
    })
}

/// The lines of a turn, each under its heading.
fn told(templates: &Templates, before: &State, events: &[Event]) -> String {
    let (mut text, mut last) = (String::new(), None);
    for line in account(templates, before, events, Reader::Onlooker) {
        let heading = if last == Some(line.topic) { "" } else { page::heading(line.topic) };
        last = Some(line.topic);
        text += &page::entry(heading, &line.text);
    }
    let offers = events.iter().filter(|event| matches!(event, Event::OfferMade { .. })).count();
    let trades = events.iter().filter(|event| matches!(event, Event::TradeMade { .. })).count();
    if offers > 0 {
        let heading = if trades > 0 { "" } else { page::heading(Topic::Trade) };
        text += &page::entry(heading, &page::offers(offers, trades));
    }
    text
}
