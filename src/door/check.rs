//! `cursus check`: reads orders and answers as a game would, storing nothing.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use super::casebook::{CaseTable, Seating};
use super::house;
use crate::game::{GameId, Known, Reader, State};
use crate::orders::{Bearings, Lens, Lexicon, Sheet, holding, is_trial, read_reply};
use crate::post::words;
use crate::report::{Acknowledgement, ReadLetter, Templates, acknowledgement};
use crate::rules::{Civ, Language, PrintedGame};

/// What is to be checked.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The position that is played on.
    pub position: Position,
    pub seat: String,
    /// The language of the answer.
    pub language: Language,
    /// The letter; `-` is standard input.
    pub letter: PathBuf,
    /// Whether the answer is printed as JSON.
    pub json: bool,
}

/// The position that is played on.
#[derive(Debug, Clone)]
pub enum Position {
    /// The first of a casebook page.
    Page(PathBuf),
    /// A game as it stands, with the sheets that are filed.
    Game {
        game: GameId,
        /// The settings of its archive.
        config: Option<PathBuf>,
    },
}

/// Answers the letter; says whether all of it was understood and would stand. Nothing is stored.
pub fn check(printed: PrintedGame, wish: &Wish, out: &mut dyn Write) -> anyhow::Result<bool> {
    let (Seating { lexicon, state }, mut sheets) = match &wish.position {
        Position::Page(path) => {
            let page = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            let seating = CaseTable::new(printed).position(&page);
            (seating.map_err(|unreadable| anyhow::anyhow!("{}: {unreadable}", path.display()))?, BTreeMap::new())
        }
        Position::Game { game, config } => {
            let mut desk = house::visit(config.as_deref())?;
            let table = desk.table(game)?;
            let lexicon = Arc::new(Lexicon::new(&table.edition.printed));
            (Seating { lexicon, state: table.state.clone() }, table.sheets.clone())
        }
    };
    let seated = |civ: &Civ| state.is_seated(*civ);
    let Some(civ) = lexicon.civs.exact(&wish.seat).filter(seated) else {
        let seats: Vec<_> = state.ranking().map(|civ| lexicon.civs.name(civ).to_owned()).collect();
        bail!("--seat {}: the players are {}", wish.seat, seats.join(", "));
    };
    // As of a mail: what is quoted is not the player's.
    let letter = words::own(&read_letter(&wish.letter)?).text;
    let templates = Templates::built_in(wish.language, state.printed());
    let sheet = sheets.entry(civ).or_default();
    let told = answered(&templates, &lexicon, &state, civ, sheet, &letter, u64::MAX);
    if wish.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&told)?)?
    } else {
        out.write_all(told.text(&templates).as_bytes())?
    }
    Ok(told.is_clean())
}

/// Reads a letter into a sheet and answers it. A letter that only tries leaves the sheet as it was.
pub fn answered(
    templates: &Templates,
    lexicon: &Lexicon,
    state: &State,
    civ: Civ,
    sheet: &mut Sheet,
    text: &str,
    arrival: u64,
) -> Acknowledgement {
    let known = &Known::of(state, Reader::Player(civ));
    let bearings = Bearings::of(known, civ);
    let mut letter = read_reply(text, Lens { lexicon, bearings: Some(&bearings) }, sheet.doubts());
    holding::hold(&mut letter, known, civ, sheet, arrival);
    let before = sheet.clone();
    let mut after = sheet.clone();
    let answers = after.add(&letter, state.phase(), arrival);
    let is_trial = is_trial(&letter);
    let answered = ReadLetter {
        known,
        history: &|_| None,
        civ,
        letter: &letter,
        answers: &answers,
        before: &before,
        sheet: &after,
        arrival,
        is_trial,
        around: &[],
    };
    let told = acknowledgement(templates, &answered);
    if !is_trial {
        *sheet = after;
    }
    told
}

fn read_letter(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    match path.to_str() {
        Some("-") => std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?,
        _ => fs::File::open(path)
            .and_then(|mut file| file.read_to_end(&mut bytes))
            .with_context(|| format!("cannot read {}", path.display()))?,
    };
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
