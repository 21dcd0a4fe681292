//! What the spectator of a demo reads: the opening words, headings, a sample letter, the tables.

use super::Wish;
use crate::companions::Temperament;
use crate::door::session::{Ruling, Session};
use crate::game::Phase;
use crate::report::account::Topic;
use crate::report::names::{counted, listed};
use crate::report::trade::hand_value;
use crate::report::{Names, worded};
use crate::rules::{Face, Scenario};

/// The width of the page and of its first column.
const WIDTH: usize = 100;
const COLUMN: usize = 11;

/// What one is looking at.
pub fn opening(session: &Session, scenario: &Scenario, wish: Wish) -> String {
    let names = Names(session.state().printed());
    let seats = |temperament: Temperament| {
        let seated = session.seats().iter().filter(move |(_, seated)| **seated == temperament);
        listed(seated.map(|(civ, _)| names.civ(*civ)))
    };
    let paragraphs = [
        format!(
            "Mega Civilization by letter: {} civilizations, {}, seed {}.",
            scenario.players,
            counted(wish.turns, "turn", "turns"),
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
        "Phases 8 to 13 (calamities, abilities, Advances, the succession table) have no rules yet and are closed at \
         once: calamities do no harm here, treasuries buy little, and cards never go back, so that stacks run dry and \
         deal Water, which is worth nothing."
            .to_owned(),
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

/// A letter and the sheet as it was understood, if this ruling has one worth showing: the first that founds a city.
pub fn sample(session: &Session, ruling: &Ruling) -> Option<String> {
    if ruling.before.phase() != Phase::Movement {
        return None;
    }
    let founding = ruling.letters.iter().filter(|(_, text)| text.contains("build city"));
    // The one that has something of everything, of these the shortest.
    let kinds = |text: &str| ["sail", "move", "maintain"].into_iter().filter(|word| text.contains(word)).count();
    let (civ, letter) = founding.max_by_key(|(_, text)| (kinds(text), std::cmp::Reverse(text.len())))?;
    let printed = session.state().printed();
    let name = Names(printed).civ(*civ);
    let mut text = entry("A letter", &format!("This is how {name} writes to the moderator, word for word:"));
    text += "\n";
    for line in letter.lines() {
        text += &format!("{:COLUMN$}  | {line}\n", "");
    }
    text += "\n";
    text += &entry("", &format!("And this is {name}'s sheet, as the moderator understood it:"));
    text += "\n";
    for phase in Phase::ALL {
        for order in session.sheet(*civ)?.part(phase) {
            let number = order.number.map_or(String::new(), |number| format!("{number}."));
            let words = worded(printed, &order.command);
            text += &format!("{:COLUMN$}    {:9} {number:>3} {words}\n", "", phase.name());
        }
    }
    Some(text + "\n")
}

/// The cities of all, at the end of a turn.
pub fn standing(session: &Session) -> String {
    let state = session.state();
    let mut cities: Vec<_> = state.ranking().map(|civ| (state.city_count(civ), civ)).collect();
    cities.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let names = Names(state.printed());
    let some = cities.iter().filter(|(count, _)| *count > 0);
    let some: Vec<_> = some.map(|(count, civ)| format!("{} {count}", names.civ(*civ))).collect();
    let mut text = if some.is_empty() { "Nobody has a city yet.".into() } else { format!("Cities: {}.", listed(some)) };
    let mut sets: Vec<_> = state.holdings().iter().map(|h| (hand_value(state.printed(), &h.hand), h.civ)).collect();
    sets.retain(|(value, _)| *value > 0);
    sets.sort_by_key(|(value, _)| std::cmp::Reverse(*value));
    if !sets.is_empty() {
        let sets = sets.into_iter().map(|(value, civ)| format!("{} {value}", names.civ(civ)));
        text += &format!(" Worth of the sets in hand: {}.", listed(sets));
    }
    entry("Standing", &text) + "\n"
}

/// The final table, and what the moderator had to read.
pub fn closing(session: &Session, wish: Wish) -> String {
    let state = session.state();
    let names = Names(state.printed());
    let mut text = format!("After {}:\n\n", counted(wish.turns, "turn", "turns"));
    text += &row(["", "cities", "tokens", "treasury", "ships", "cards", "sets", "calamities"].map(str::to_owned));
    let mut holdings: Vec<_> = state.holdings().iter().collect();
    holdings.sort_by_key(|holding| {
        std::cmp::Reverse((state.city_count(holding.civ), hand_value(state.printed(), &holding.hand)))
    });
    for holding in holdings {
        let calamities = holding.hand.iter().filter(|card| matches!(card.face, Face::Calamity(_))).count();
        text += &row([
            names.civ(holding.civ).to_owned(),
            state.city_count(holding.civ).to_string(),
            state.tokens_on_board(holding.civ).to_string(),
            holding.treasury.to_string(),
            holding.ships.len().to_string(),
            holding.hand.len().to_string(),
            hand_value(state.printed(), &holding.hand).to_string(),
            calamities.to_string(),
        ]);
    }
    let tally = session.tally();
    let sentence = format!(
        "The moderator read {} with {}; {}. When they were played, {} refused and {} overtaken by events. {}, {}, {} \
         and {} came of it.",
        counted(tally.letters, "letter", "letters"),
        counted(tally.orders, "order", "orders"),
        if tally.faults == 0 { "all were understood".into() } else { format!("{} were not understood", tally.faults) },
        were(tally.refused),
        were(tally.thwarted),
        counted(tally.cities, "new city", "new cities"),
        counted(tally.ships, "ship", "ships"),
        counted(tally.fights, "fight", "fights"),
        counted(tally.trades, "trade", "trades"),
    );
    let again = "Sets are what the commodities in hand are worth. The same seed shows the same game; --seed 2 shows \
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

fn row(cells: [String; 8]) -> String {
    let [name, numbers @ ..] = cells;
    let numbers: String = numbers.iter().map(|cell| format!("{cell:>11}")).collect();
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
