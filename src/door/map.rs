//! `cursus map`: the board as a picture, in a file.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};

use super::house;
use crate::game::{GameId, Known, Reader, Rulebook, State, TurnPhase, setup};
use crate::orders::Lexicon;
use crate::orders::lexemes::lexemes;
use crate::orders::names::{Found, Stop};
use crate::report::Names;
use crate::report::map::{Canvas, Changes, Frame, picture, png};
use crate::rules::{AreaId, AstSide, Language, PrintedGame, Scenario};

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Wish {
    pub board_of: BoardOf,
    /// The file, `.svg` or `.png`.
    pub file: PathBuf,
    /// The language of the names.
    pub language: Language,
    /// Areas to be shown with what lies around them; all that is in play if there are none.
    pub around: Vec<String>,
    /// Whether what is out of play is shown as well.
    pub board: bool,
    /// The width in pixels, if not the usual one.
    pub width: Option<u32>,
}

/// Whose board is drawn.
#[derive(Debug, Clone)]
pub enum BoardOf {
    /// A scenario as it is set up, by its key.
    Scenario(String),
    /// A game as it stands.
    Game {
        game: GameId,
        /// The settings of its archive.
        config: Option<PathBuf>,
    },
}

/// Draws the board at the beginning, or as a case has it.
pub fn map(printed: PrintedGame, wish: &Wish, out: &mut dyn Write) -> anyhow::Result<bool> {
    let kind = Kind::of(wish)?;
    let (state, title) = match &wish.board_of {
        BoardOf::Scenario(key) => set_up(printed, key, wish.language)?,
        BoardOf::Game { game, config } => {
            let mut desk = house::visit(config.as_deref())?;
            let table = desk.table(game)?;
            let TurnPhase { turn, phase } = table.phase();
            let phase = Names::new(&table.edition.printed, wish.language).phase(phase);
            (table.state.clone(), format!("{} · {turn} · {phase}", table.game.title))
        }
    };
    let state = Known::of(&state, Reader::Public);
    let frame = frame(state.printed(), wish)?;
    let width = wish.width.unwrap_or_else(|| frame.width(&state));
    let picture = picture(&state, &Changes::default(), &Canvas { frame, width, language: wish.language, title });
    let file = match kind {
        Kind::Svg => picture.svg.into_bytes(),
        Kind::Png => png(&picture.svg)?,
    };
    fs::write(&wish.file, &file).with_context(|| format!("cannot write {}", wish.file.display()))?;
    writeln!(out, "{}: {} kB", wish.file.display(), file.len().div_ceil(1000))?;
    Ok(true)
}

/// The board of a scenario as it is set up.
fn set_up(printed: PrintedGame, key: &str, language: Language) -> anyhow::Result<(State, String)> {
    let scenario = scenario(&printed, key)?.clone();
    let title = match language {
        Language::English => format!("{} · {} players", scenario.key, scenario.players),
        Language::Polish => format!("{} · graczy: {}", scenario.key, scenario.players),
    };
    let opening = setup::opening(Arc::new(printed), &scenario, Rulebook::default(), AstSide::Basic);
    Ok((State::new(opening), title))
}

/// What a file holds.
enum Kind {
    Svg,
    Png,
}

impl Kind {
    fn of(wish: &Wish) -> anyhow::Result<Kind> {
        let ending = wish.file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("svg") => Ok(Kind::Svg),
            Some("png") => Ok(Kind::Png),
            _ => bail!("-o {}: a map is drawn into a file that ends in .svg or .png", wish.file.display()),
        }
    }
}

fn scenario<'a>(printed: &'a PrintedGame, key: &str) -> anyhow::Result<&'a Scenario> {
    let found = printed.scenarios.iter().find(|scenario| scenario.key.eq_ignore_ascii_case(key));
    found.with_context(|| {
        let keys: Vec<_> = printed.scenarios.iter().map(|scenario| scenario.key.as_str()).collect();
        format!("--scenario {key}: there is none of that name, only {}", keys.join(", "))
    })
}

fn frame(printed: &PrintedGame, wish: &Wish) -> anyhow::Result<Frame> {
    if wish.around.is_empty() {
        return Ok(if wish.board { Frame::Board } else { Frame::Whole });
    }
    let lexicon = Lexicon::new(printed);
    let areas = wish.around.iter().map(|name| area(printed, &lexicon, name));
    Ok(Frame::Around(areas.collect::<anyhow::Result<_>>()?))
}

/// An area, named as in an order.
fn area(printed: &PrintedGame, lexicon: &Lexicon, name: &str) -> anyhow::Result<AreaId> {
    let words = lexemes(name);
    match lexicon.areas.find(name, &words, &|_| Stop::Free, false) {
        Found::Read { what, taken, .. } if taken == words.len() => Ok(what),
        Found::Several { candidates, .. } => {
            let names: Vec<_> = candidates.iter().map(|area| printed.map.area(*area).name.as_str()).collect();
            bail!("--around {name}: that may be {}", names.join(", "))
        }
        Found::Read { .. } | Found::Nothing => bail!("--around {name}: there is no area of that name"),
    }
}
