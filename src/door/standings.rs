//! `cursus standings`: the sheet of a series of games: points for placings, and who stands where when points are equal.
//!
//! Comes in: a file that names games of the archive, or tells the scores of games that were played elsewhere. Goes out: a table as
//! text, as a page, or as comma-separated values. Built-in players take their place in a game, and stand in no table.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use serde::Deserialize;

use super::house;
use super::plain::plain_line;
use crate::archive::{Party, Status};
use crate::game::GameId;

/// What somebody wants of the sheet.
#[derive(Debug, Clone)]
pub struct Wish {
    pub config: Option<PathBuf>,
    /// The file of the series.
    pub file: PathBuf,
    /// How it is printed.
    pub form: SheetForm,
}

/// How a sheet is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetForm {
    Text,
    Html,
    Csv,
}

/// A series, as its file tells it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Series {
    title: String,
    /// Points for the first place, the second and so on; whoever comes behind them has none.
    #[serde(default = "usual_points")]
    points: Vec<u32>,
    /// So many of everybody's best games count; none is all.
    best: Option<usize>,
    /// What decides where points are equal, one after another.
    #[serde(default = "usual_ties")]
    ties: Vec<Tie>,
    games: Vec<Played>,
}

fn usual_points() -> Vec<u32> {
    vec![10, 7, 5, 3, 2, 1]
}

fn usual_ties() -> Vec<Tie> {
    vec![Tie::Wins, Tie::Placings, Tie::Score]
}

/// What decides where points are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Tie {
    /// Who has won more games.
    Wins,
    /// Who has more first places, then more second ones, and so on.
    Placings,
    /// Who has scored more by the printed table, in all games.
    Score,
    /// Who has needed fewer games.
    Games,
}

/// A game of the series: one of the archive, or the scores of one that was played elsewhere.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    game: Option<String>,
    title: Option<String>,
    #[serde(default)]
    results: Vec<Scored>,
}

/// What somebody has scored in a game, the best first.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Scored {
    /// Nobody where a built-in player sat.
    player: Option<String>,
    score: u32,
}

/// Somebody's line of the sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Ranked {
    name: String,
    points: u32,
    wins: usize,
    score: u32,
    games: usize,
    /// How often each place was theirs, the first first.
    placings: Vec<usize>,
    /// The points of each game of the series; none where they did not play.
    each: Vec<Option<u32>>,
}

/// Prints the sheet of a series.
pub fn standings(wish: &Wish, out: &mut dyn Write) -> anyhow::Result<bool> {
    let text = fs::read_to_string(&wish.file).with_context(|| format!("cannot read {}", wish.file.display()))?;
    let series: Series = toml::from_str(&text).with_context(|| format!("{} is no series", wish.file.display()))?;
    ensure!(!series.games.is_empty(), "the series has no games: write [[games]] with game = \"NAME\"");
    let (mut titles, mut games) = (Vec::new(), Vec::new());
    for played in &series.games {
        let (title, scored) = scored(played, wish.config.as_deref())?;
        titles.push(title);
        games.push(scored);
    }
    let lines = ranked(&series, &games);
    let printed = match wish.form {
        SheetForm::Text => text_of(&series.title, &titles, &lines),
        SheetForm::Html => html_of(&series.title, &titles, &lines),
        SheetForm::Csv => csv_of(&titles, &lines),
    };
    write!(out, "{printed}")?;
    Ok(true)
}

/// The title of a game, and who scored what in it, the best first.
fn scored(played: &Played, config: Option<&Path>) -> anyhow::Result<(String, Vec<Scored>)> {
    match &played.game {
        Some(id) => {
            ensure!(
                played.results.is_empty(),
                "`{id}` is a game of the archive, so its results are known; leave them out"
            );
            let id = GameId::from(id.as_str());
            let mut desk = house::visit(config)?;
            let table = desk.table(&id)?;
            let Some(scores) = table.state.scores().filter(|_| table.game.status == Status::Ended) else {
                bail!(
                    "`{id}` has no scores: it {}",
                    if table.game.stopped.is_some() { "was stopped" } else { "is not over" }
                );
            };
            let scored = scores.iter().map(|score| {
                let seat = table.seat(Party::Seat(score.civ));
                let person =
                    seat.filter(|seat| seat.companion.is_none() || table.missing.kept.contains_key(&score.civ));
                Scored { player: person.map(|seat| seat.player.clone()), score: u32::from(score.total()) }
            });
            Ok((played.title.clone().unwrap_or_else(|| table.game.title.clone()), scored.collect()))
        }
        None => {
            let title = played.title.clone().context("a game needs `game = \"NAME\"`, or a `title` and `results`")?;
            ensure!(!played.results.is_empty(), "`{title}` has no results");
            let is_sorted = played.results.windows(2).all(|two| two[0].score >= two[1].score);
            ensure!(is_sorted, "the results of `{title}` stand with the best first, ties as they were broken");
            Ok((title, played.results.clone()))
        }
    }
}

/// The lines of the sheet, the best first.
fn ranked(series: &Series, games: &[Vec<Scored>]) -> Vec<Ranked> {
    let mut lines: BTreeMap<String, Ranked> = BTreeMap::new();
    for (number, game) in games.iter().enumerate() {
        for (place, Scored { player, score }) in game.iter().enumerate() {
            let Some(player) = player.as_deref().map(str::trim).filter(|player| !player.is_empty()) else { continue };
            let line = lines.entry(player.to_lowercase()).or_insert_with(|| Ranked {
                name: player.to_owned(),
                each: vec![None; games.len()],
                ..Ranked::default()
            });
            line.placings.resize(line.placings.len().max(place + 1), 0);
            line.placings[place] += 1;
            line.wins += usize::from(place == 0);
            line.score += score;
            line.games += 1;
            line.each[number] = Some(series.points.get(place).copied().unwrap_or(0));
        }
    }
    for line in lines.values_mut() {
        let mut points: Vec<u32> = line.each.iter().flatten().copied().collect();
        points.sort_by_key(|points| Reverse(*points));
        line.points = points.into_iter().take(series.best.unwrap_or(usize::MAX)).sum();
    }
    let mut lines: Vec<Ranked> = lines.into_values().collect();
    lines.sort_by(|one, other| {
        other
            .points
            .cmp(&one.points)
            .then_with(|| broken(&series.ties, one, other))
            .then_with(|| one.name.cmp(&other.name))
    });
    lines
}

/// Who comes first of two with equal points.
fn broken(ties: &[Tie], one: &Ranked, other: &Ranked) -> std::cmp::Ordering {
    let by = |tie: &Tie| match tie {
        Tie::Wins => other.wins.cmp(&one.wins),
        Tie::Placings => other.placings.cmp(&one.placings),
        Tie::Score => other.score.cmp(&one.score),
        Tie::Games => one.games.cmp(&other.games),
    };
    ties.iter().map(by).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
}

const HEAD: [&str; 5] = ["", "Player", "Points", "Wins", "Score"];

/// The cells of a line: place, name, points, wins, score, and each game.
fn cells(place: usize, line: &Ranked) -> Vec<String> {
    let each = line.each.iter().map(|points| points.map(|points| points.to_string()).unwrap_or_default());
    let own = [
        place.to_string(),
        plain_line(&line.name),
        line.points.to_string(),
        line.wins.to_string(),
        line.score.to_string(),
    ];
    own.into_iter().chain(each).collect()
}

fn rows(lines: &[Ranked]) -> Vec<Vec<String>> {
    lines.iter().zip(1..).map(|(line, place)| cells(place, line)).collect()
}

fn text_of(title: &str, titles: &[String], lines: &[Ranked]) -> String {
    let numbers = (1..=titles.len()).map(|number| format!("({number})"));
    let head: Vec<String> = HEAD.iter().map(|word| (*word).to_owned()).chain(numbers).collect();
    let all: Vec<Vec<String>> = std::iter::once(head).chain(rows(lines)).collect();
    let widest = |column: usize| all.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..all[0].len()).map(widest).collect();
    let mut text = format!("{}\n\n", plain_line(title));
    for row in &all {
        let padded = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            if column == 1 { format!("{cell:width$}") } else { format!("{cell:>width$}") }
        });
        text.push_str(padded.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text.push('\n');
    for (title, number) in titles.iter().zip(1..) {
        text.push_str(&format!("({number}) {}\n", plain_line(title)));
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn html_of(title: &str, titles: &[String], lines: &[Ranked]) -> String {
    let title = escaped(&plain_line(title));
    let head = HEAD.iter().map(|word| (*word).to_owned()).chain(titles.iter().map(|title| escaped(&plain_line(title))));
    let head: String = head.map(|word| format!("<th>{word}</th>")).collect();
    let row = |cells: &Vec<String>| {
        let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let body: String = rows(lines).iter().map(row).collect();
    format!(
        "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title></head><body>\n<h1>{title}</h1>\n<table border=\"1\" cellpadding=\"4\">\n<tr>{head}</tr>\n\
         {body}</table>\n</body></html>\n"
    )
}

/// A cell that a program of tables reads as text: what begins like a formula is none.
fn quoted(cell: &str) -> String {
    let guard = if cell.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    format!("\"{guard}{}\"", cell.replace('"', "\"\""))
}

fn csv_of(titles: &[String], lines: &[Ranked]) -> String {
    let head: Vec<String> = ["Place"].into_iter().chain(HEAD.into_iter().skip(1)).map(str::to_owned).collect();
    let head = head.into_iter().chain(titles.iter().map(|title| plain_line(title))).collect();
    let all = std::iter::once(head).chain(rows(lines));
    let row = |cells: Vec<String>| cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",") + "\r\n";
    all.map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERIES: &str = r#"
        title = "Winter <series>"
        [[games]]
        title = "First"
        results = [{ player = "Ann", score = 120 }, { score = 110 }, { player = "Ben", score = 90 }]
        [[games]]
        title = "Second"
        results = [{ player = "Ben", score = 100 }, { player = "=Cleo", score = 90 }, { player = "ann", score = 80 }]
    "#;

    fn sheet(more: &str) -> Vec<Ranked> {
        let series: Series = toml::from_str(&format!("{more}\n{SERIES}")).expect("a series");
        let games: Vec<Vec<Scored>> =
            series.games.iter().map(|played| scored(played, None).expect("its results").1).collect();
        ranked(&series, &games)
    }

    fn order(lines: &[Ranked]) -> Vec<(&str, u32)> {
        lines.iter().map(|line| (line.name.as_str(), line.points)).collect()
    }

    #[test]
    fn placings_bring_points_and_ties_are_broken_as_the_series_says() {
        // A built-in player was second in the first game: nobody moves up.
        assert_eq!(order(&sheet("")), [("Ann", 15), ("Ben", 15), ("=Cleo", 7)], "more points by the table");
        assert_eq!(order(&sheet("ties = [\"games\"]"))[..2], [("Ann", 15), ("Ben", 15)], "the same by name");
        assert_eq!(order(&sheet("points = [3, 2]\nbest = 1")), [("Ann", 3), ("Ben", 3), ("=Cleo", 2)]);
        assert_eq!(order(&sheet("points = [3, 2, 2]"))[0], ("Ann", 5));
    }

    #[test]
    fn a_sheet_is_text_a_page_and_values() {
        let lines = sheet("");
        let titles = ["First".to_owned(), "Second \"cup\"".to_owned()];
        let text = text_of("Winter", &titles, &lines);
        assert!(text.contains("1  Ann") && text.contains("(2) Second"), "{text}");
        let page = html_of("Winter <series>", &titles, &lines);
        assert!(page.contains("Winter &lt;series&gt;") && page.contains("<td>=Cleo</td>"), "{page}");
        let values = csv_of(&titles, &lines);
        assert!(values.contains("\"'=Cleo\"") && values.contains("\"Second \"\"cup\"\"\""), "{values}");
        assert_eq!(values.lines().count(), 4);
    }
}
