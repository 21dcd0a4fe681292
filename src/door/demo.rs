//! `cursus demo`: a game between built-in players, told turn by turn.
//!
//! Comes in: how many players, a seed, and how much is to be told. Goes out: what a newcomer can follow, the same for the
//! same seed, to the end of the game or until somebody has seen enough.

mod brief;
mod page;

use std::io::Write;
use std::sync::Arc;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::session::{Ruling, Session, Tally};
use crate::game::{Event, Phase};
use crate::report::account::Topic;
use crate::report::{Reader, Templates, account};
use crate::rules::{AstSide, Language, PrintedGame, Scenario};

/// The most turns anybody would watch.
const MOST_TURNS: u16 = 100;

/// What somebody wants to see.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// How many play.
    pub players: u8,
    /// How many turns are played; none is to the end of the game.
    pub turns: Option<u16>,
    /// The seed of all chance.
    pub seed: u64,
    /// Whether everything is told, not only what one would remember of a turn.
    pub long: bool,
}

/// Plays the game and tells it. A progress bar runs on a terminal.
pub fn demo(printed: PrintedGame, wish: Wish, out: &mut dyn Write) -> anyhow::Result<Tally> {
    let printed = Arc::new(printed);
    let scenario = scenario(&printed, wish.players)?;
    let most = wish.turns.unwrap_or(MOST_TURNS);
    if !(1..=MOST_TURNS).contains(&most) {
        bail!("--turns {most}: a demo has 1 to {MOST_TURNS} turns");
    }
    let mut session = Session::new(Arc::clone(&printed), scenario, AstSide::Basic, wish.seed);
    let templates = Templates::built_in(Language::English, &printed);
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {msg}").context("the progress bar is drawn")?);
    let mut say = |bar: &ProgressBar, text: String| bar.suspend(|| out.write_all(text.as_bytes()));

    say(&bar, page::opening(&session, scenario, wish))?;
    let mut shown = false;
    while !session.state().has_ended() && session.state().turn() <= most {
        let turn = session.state().turn();
        bar.set_message(format!("turn {turn}"));
        say(&bar, page::turn(turn))?;
        let (mut last, mut events) = (None, Vec::new());
        for _ in Phase::ALL {
            let ruling = session.rule_phase();
            if !shown && let Some(letter) = page::sample(&session, &ruling) {
                say(&bar, letter)?;
                shown = true;
            }
            if wish.long {
                say(&bar, told(&templates, &ruling, &mut last))?;
            }
            events.extend(ruling.events);
            bar.tick();
        }
        if !wish.long {
            say(&bar, brief::turn(session.state(), &events))?;
        }
        say(&bar, page::standing(&session))?;
    }
    bar.finish_and_clear();
    say(&bar, page::closing(&session))?;
    Ok(session.tally())
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

/// The lines of a ruling, each under its heading.
fn told(templates: &Templates, ruling: &Ruling, last: &mut Option<Topic>) -> String {
    let mut text = String::new();
    for line in account(templates, &ruling.before, &ruling.events, Reader::Onlooker) {
        let heading = if *last == Some(line.topic) { "" } else { page::heading(line.topic) };
        *last = Some(line.topic);
        text += &page::entry(heading, &line.text);
    }
    let offers = ruling.events.iter().filter(|event| matches!(event, Event::OfferMade { .. })).count();
    let trades = ruling.events.iter().filter(|event| matches!(event, Event::TradeMade { .. })).count();
    if offers > 0 {
        let heading = if trades > 0 { "" } else { page::heading(Topic::Trade) };
        text += &page::entry(heading, &page::offers(offers, trades));
    }
    text
}
