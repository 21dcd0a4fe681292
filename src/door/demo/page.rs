//! What the spectator of a demo reads on the terminal: the opening words, the turns, a sample letter, the final table.

use std::collections::BTreeSet;

use minijinja::context;

use super::brief::Entry;
use super::words::{COLUMN, WIDTH, Words, entry, wrapped};
use super::{Shown, Wish};
use crate::companions::Temperament;
use crate::door::club::Written;
use crate::game::{Event, Phase, Reader, State, Witnessed, scoring};
use crate::orders::{Lexicon, Sheet, read};
use crate::report::account::Topic;
use crate::report::trade::hand_value;
use crate::report::{account, worded};
use crate::rules::Civ;

/// What one is looking at.
pub(crate) fn opening(words: &Words, shown: &Shown, wish: &Wish, me: Option<Civ>) -> String {
    let seats = |temperament: Temperament| -> Vec<String> {
        let seated = shown.seats.iter().filter(|(civ, seated)| **seated == temperament && Some(**civ) != me);
        seated.map(|(civ, _)| words.names.civ(*civ).to_owned()).collect()
    };
    let mut paragraphs = vec![
        words.say("what", context! { players => wish.players, turns => wish.turns }),
        words.say("how", context! {}),
        words.say("game", context! {}),
        words.say(
            "seats",
            context! {
                settlers => seats(Temperament::Settler),
                merchants => seats(Temperament::Merchant),
                raiders => seats(Temperament::Raider),
            },
        ),
    ];
    if let Some(me) = me {
        paragraphs.push(words.say("you", context! { civ => words.names.civ(me) }));
    }
    let follow = if wish.long { "follow_long" } else { "follow" };
    paragraphs.push(words.say(follow, context! { seed => wish.seed }));
    paragraphs.iter().map(|paragraph| wrapped(paragraph, "", "") + "\n").collect()
}

/// The head of a turn.
pub(crate) fn turn(words: &Words, turn: u16) -> String {
    let head = format!("── {} ", words.say("turn", context! { turn }));
    format!("{head}{}\n", "─".repeat(WIDTH.saturating_sub(head.chars().count())))
}

/// The lines of a turn, each under its heading; what a heading means is told when it first comes.
pub(crate) fn entries(words: &Words, entries: &[Entry], explained: &mut BTreeSet<&'static str>) -> String {
    let mut text = String::new();
    for line in entries {
        text += &entry(&words.word("heading", line.about), &line.text);
        if explained.insert(line.about) {
            text += &entry("", &format!("({})", words.word("explained", line.about)));
        }
    }
    text + "\n"
}

/// Everything that a reader may be told of a turn, each line under its heading.
pub(crate) fn told(words: &Words, before: &State, events: &[Event], reader: Reader) -> String {
    let (mut text, mut last) = (String::new(), None);
    for line in account(&words.templates, &Witnessed::of(before, events, reader)) {
        let heading = heading(line.topic).map_or(String::new(), |key| words.word("heading", key));
        text += &entry(if last == Some(line.topic) { "" } else { &heading }, &line.text);
        last = Some(line.topic);
    }
    text
}

/// The key of what stands beside the lines of a topic.
fn heading(topic: Topic) -> Option<&'static str> {
    match topic {
        Topic::Sheet => Some("sheet"),
        Topic::Tax => Some("tax"),
        Topic::Growth => Some("growth"),
        Topic::Movement => Some("movement"),
        Topic::Conflict => Some("conflict"),
        Topic::Cities => Some("cities"),
        Topic::Cards => Some("cards"),
        Topic::Trade => Some("trade"),
        Topic::Calamities => Some("calamities"),
        Topic::Abilities => Some("abilities"),
        Topic::Advances => Some("advances"),
        Topic::Ast => Some("ast"),
        Topic::Silence => None,
    }
}

/// A letter and the sheet as it was understood, if one of these is worth showing: the first that founds a city.
pub(crate) fn sample(words: &Words, state: &State, letters: &[Written]) -> Option<String> {
    let moving = letters.iter().filter(|letter| letter.phase == Phase::Movement);
    let founding = moving.filter(|letter| letter.text.contains("build city"));
    // The one that has something of everything, of these the shortest.
    let kinds = |text: &str| ["sail", "move", "maintain"].into_iter().filter(|word| text.contains(word)).count();
    let letter = founding.max_by_key(|letter| (kinds(&letter.text), std::cmp::Reverse(letter.text.len())))?;
    let heading = words.word("heading", "letter");
    let mut text = entry(&heading, &words.say("sample", context! { civ => words.names.civ(letter.civ) }));
    text += "\n";
    for line in letter.text.lines() {
        text += &format!("{:COLUMN$}  | {line}\n", "");
    }
    text += "\n";
    text += &entry("", &words.say("sample_sheet", context! {}));
    text += "\n";
    let mut sheet = Sheet::default();
    sheet.add(&read(&letter.text, &Lexicon::new(state.printed())), Phase::Movement, 1);
    for phase in Phase::ALL {
        for order in sheet.part(phase).iter().filter(|order| order.number.is_some()) {
            let number = order.number.map_or(String::new(), |number| format!("{number}."));
            let line = worded(words.names, &order.command);
            text += &format!("{:COLUMN$}    {number:>3} {line}\n", "");
        }
    }
    Some(text + "\n")
}

/// The final table with every part of the scores, and what the moderator had to read.
pub(crate) fn closing(words: &Words, shown: &Shown, wish: &Wish) -> String {
    let state = shown.state;
    let turns = state.turn() - u16::from(!state.has_ended());
    let scores = scoring::scores(state);
    let mut text = match (state.has_ended(), scores.first()) {
        (true, Some(first)) => {
            let facts = context! { turns, winner => words.names.civ(first.civ), points => first.total() };
            words.say("closing", facts)
        }
        (_, _) => words.say("closing_open", context! { turns }),
    };
    text = wrapped(&text, "", "") + "\n";
    let heads = ["ast", "advances", "cities", "bonus", "total", "steps", "held", "hand"];
    text += &row("", heads.map(|key| words.word("table", key)));
    for score in &scores {
        let holding = state.holding(score.civ);
        let cells = [
            score.ast.to_string(),
            score.advances.to_string(),
            score.cities.to_string(),
            score.bonus.to_string(),
            score.total().to_string(),
            holding.position.to_string(),
            holding.advances.iter().count().to_string(),
            hand_value(state.printed(), &holding.hand).to_string(),
        ];
        text += &row(words.names.civ(score.civ), cells);
    }
    let tally = shown.tally;
    let facts = context! {
        letters => tally.written.letters,
        orders => tally.written.orders,
        faults => tally.written.faults,
        cities => tally.board.cities,
        ships => tally.board.ships,
        fights => tally.board.fights,
        trades => tally.market.trades,
        calamities => tally.board.calamities,
        advances => tally.board.advances,
    };
    let last = scores.last().map_or("", |score| words.names.civ(score.civ));
    text += "\n";
    text += &wrapped(&words.say("table_note", context! {}), "", "");
    text += &wrapped(&words.say("tally", facts), "", "");
    text + &wrapped(&words.say("again", context! { seed => wish.seed.wrapping_add(1), civ => last }), "", "")
}

fn row(name: &str, cells: [String; 8]) -> String {
    let numbers: String = cells.iter().map(|cell| format!("{cell:>10}")).collect();
    format!("{name:COLUMN$}{numbers}\n")
}
