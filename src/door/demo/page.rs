//! What the spectator of a demo reads: the opening words, headings, a sample letter, the tables.

use super::{Shown, Wish};
use crate::companions::Temperament;
use crate::door::club::Written;
use crate::game::{Phase, State, scoring};
use crate::orders::{Lexicon, Sheet, read};
use crate::report::account::Topic;
use crate::report::names::{counted, listed};
use crate::report::trade::hand_value;
use crate::report::{Names, worded};
use crate::rules::Scenario;

/// The width of the page and of its first column.
const WIDTH: usize = 100;
const COLUMN: usize = 11;

/// What one is looking at.
pub fn opening(shown: &Shown, scenario: &Scenario, wish: &Wish) -> String {
    let names = Names::english(shown.state.printed());
    let seats = |temperament: Temperament| {
        let seated = shown.seats.iter().filter(move |(_, seated)| **seated == temperament);
        listed(seated.map(|(civ, _)| names.civ(*civ)))
    };
    let paragraphs = [
        format!(
            "Mega Civilization by letter: {} civilizations, {}, seed {}.",
            scenario.players,
            wish.turns.map_or("a whole game".to_owned(), |turns| counted(turns, "turn", "turns")),
            wish.seed
        ),
        "Built-in players play against each other. Each sees only what a player may know and writes his orders as a \
         letter; the moderator reads it, files it on the player's sheet and rules phase by phase. You look over \
         everybody's shoulder, so you also see the cards that the others do not."
            .to_owned(),
        "How to read it: tokens are people. They grow every turn and spread; each area feeds only a few of them. Six \
         on a city site become a city. A city needs two tokens elsewhere to support it, brings two into the treasury \
         each turn, and draws trade cards. Equal cards make sets: two are worth four times one, three nine times. \
         Where too many tokens of several owners meet, they fight; seven or more take a city."
            .to_owned(),
        format!(
            "Settlers look for room: {}. Merchants want cities and cards: {}. Raiders want what others have: {}.",
            seats(Temperament::Settler),
            seats(Temperament::Merchant),
            seats(Temperament::Raider)
        ),
        "Among the cards lie calamities, which may be passed on in a trade and strike whoever holds them afterwards. \
         With sets and treasury players acquire civilization advances; each makes others cheaper. At the end of a turn \
         every marker moves a step on the Archaeological Succession Table (A.S.T.), if its civilization has the cities \
         and advances that the epoch asks for. Whoever reaches its end ends the game, and points are counted: 5 for \
         each step, 1, 3 or 6 for each advance, 1 for each city."
            .to_owned(),
        if wish.long {
            "Everything is told, phase by phase.".to_owned()
        } else {
            "Each turn is told in a few lines; --long tells everything, phase by phase.".to_owned()
        },
    ];
    paragraphs.iter().map(|paragraph| wrapped(paragraph, "", "") + "\n").collect()
}

/// The head of a turn.
pub fn turn(turn: u16) -> String {
    let head = format!("── Turn {turn} ");
    format!("{head}{}\n", "─".repeat(WIDTH - head.chars().count()))
}

/// What stands beside the lines of a topic.
pub fn heading(topic: Topic) -> &'static str {
    match topic {
        Topic::Sheet => "In vain",
        Topic::Tax => "Tax",
        Topic::Growth => "Growth",
        Topic::Movement => "Movement",
        Topic::Conflict => "Conflict",
        Topic::Cities => "Cities",
        Topic::Cards => "Cards",
        Topic::Trade => "Trade",
        Topic::Calamities => "Calamity",
        Topic::Abilities => "Ability",
        Topic::Advances => "Advances",
        Topic::Ast => "A.S.T.",
        Topic::Silence => "",
    }
}

/// A line under its heading.
pub fn entry(heading: &str, text: &str) -> String {
    wrapped(text, &format!("{heading:COLUMN$}"), &" ".repeat(COLUMN))
}

/// How many offers came to something.
pub fn offers(offers: usize, trades: usize) -> String {
    let made = counted(offers as u64, "offer was made", "offers were made");
    format!("{made} in all; {} accepted.", were(trades as u64))
}

/// A letter and the sheet as it was understood, if one of these is worth showing: the first that founds a city.
pub fn sample(shown: &Shown, letters: &[Written]) -> Option<String> {
    let moving = letters.iter().filter(|letter| letter.phase == Phase::Movement);
    let founding = moving.filter(|letter| letter.text.contains("build city"));
    // The one that has something of everything, of these the shortest.
    let kinds = |text: &str| ["sail", "move", "maintain"].into_iter().filter(|word| text.contains(word)).count();
    let letter = founding.max_by_key(|letter| (kinds(&letter.text), std::cmp::Reverse(letter.text.len())))?;
    let printed = shown.state.printed();
    let names = Names::english(printed);
    let name = names.civ(letter.civ);
    let mut text = entry("A letter", &format!("This is how {name} writes to the moderator, word for word:"));
    text += "\n";
    for line in letter.text.lines() {
        text += &format!("{:COLUMN$}  | {line}\n", "");
    }
    text += "\n";
    text += &entry("", &format!("And this is {name}'s sheet, as the moderator understood it:"));
    text += "\n";
    let mut sheet = Sheet::default();
    sheet.add(&read(&letter.text, &Lexicon::new(printed)), Phase::Movement, 1);
    for phase in Phase::ALL {
        for order in sheet.part(phase) {
            let number = order.number.map_or(String::new(), |number| format!("{number}."));
            let words = worded(names, &order.command);
            text += &format!("{:COLUMN$}    {:9} {number:>3} {words}\n", "", phase.name());
        }
    }
    Some(text + "\n")
}

/// The steps and cities of all, at the end of a turn.
pub fn standing(state: &State) -> String {
    let names = Names::english(state.printed());
    let all = scoring::scores(state).into_iter().map(|score| {
        let cities = counted(state.city_count(score.civ), "city", "cities");
        format!("{} step {}, {cities}", names.civ(score.civ), state.holding(score.civ).position)
    });
    entry("Standing", &(all.collect::<Vec<_>>().join("; ") + ".")) + "\n"
}

/// The final table with every part of the scores, and what the moderator had to read.
pub fn closing(shown: &Shown) -> String {
    let state = shown.state;
    let names = Names::english(state.printed());
    let turns = state.turn() - u16::from(!state.has_ended());
    let mut text = match state.has_ended() {
        true => format!("The game has ended after {}:\n\n", counted(turns, "turn", "turns")),
        false => format!("After {} the game would go on. So far:\n\n", counted(turns, "turn", "turns")),
    };
    text += &row(["", "A.S.T.", "advances", "cities", "bonus", "total", "steps", "held", "hand"].map(str::to_owned));
    for score in scoring::scores(state) {
        let holding = state.holding(score.civ);
        text += &row([
            names.civ(score.civ).to_owned(),
            score.ast.to_string(),
            score.advances.to_string(),
            score.cities.to_string(),
            score.bonus.to_string(),
            score.total().to_string(),
            holding.position.to_string(),
            holding.advances.iter().count().to_string(),
            hand_value(state.printed(), &holding.hand).to_string(),
        ]);
    }
    let tally = shown.tally;
    let sentence = format!(
        "The moderator read {} with {}; {}. When they were played, {} refused and {} overtaken by events. {}, {}, {}, \
         {}, {} and {} came of it.",
        counted(tally.letters, "letter", "letters"),
        counted(tally.orders, "order", "orders"),
        if tally.faults == 0 { "all were understood".into() } else { format!("{} were not understood", tally.faults) },
        were(tally.refused),
        were(tally.thwarted),
        counted(tally.cities, "new city", "new cities"),
        counted(tally.ships, "ship", "ships"),
        counted(tally.fights, "fight", "fights"),
        counted(tally.trades, "trade", "trades"),
        counted(tally.calamities, "calamity", "calamities"),
        counted(tally.advances, "advance", "advances"),
    );
    let again = "The first five columns are points; held are advances, and hand is what the sets in hand are worth, which \
                 scores nothing. The same seed shows the same game; --seed 2 shows \
                 another, --players 18 the largest.";
    text + "\n" + &wrapped(&sentence, "", "") + &wrapped(again, "", "")
}

fn were(count: u64) -> String {
    match count {
        0 => "none was".to_owned(),
        1 => "1 was".to_owned(),
        _ => format!("{count} were"),
    }
}

fn row(cells: [String; 9]) -> String {
    let [name, numbers @ ..] = cells;
    let numbers: String = numbers.iter().map(|cell| format!("{cell:>10}")).collect();
    format!("{name:COLUMN$}{numbers}\n")
}

/// Breaks a text into lines of the page's width.
fn wrapped(text: &str, first: &str, further: &str) -> String {
    let mut lines = vec![first.to_owned()];
    let mut fresh = true;
    for word in text.split_whitespace() {
        let width = lines.last().map_or(0, |line| line.chars().count());
        if !fresh && width + 1 + word.chars().count() > WIDTH {
            lines.push(further.to_owned());
            fresh = true;
        }
        if let Some(line) = lines.last_mut() {
            *line += if fresh { "" } else { " " };
            *line += word;
        }
        fresh = false;
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_broken_under_its_column() {
        let text = entry("Growth", &"word ".repeat(30));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("Growth     word word") && lines[0].chars().count() <= WIDTH);
        assert!(lines[1].starts_with("           word"));
    }
}
