//! `cursus game sample`: the file of a game to fill in, with what every key means.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::{Context, bail};

use super::demo;
use crate::report::Names;
use crate::rules::{Language, PrintedGame};

const FIVE: &str = include_str!("../../config/games/five.toml");
const OPEN: &str = include_str!("../../config/games/open.toml");
/// Where the sample goes on behind its seats.
const BEHIND: &str = "# A thread in a forum that holds";
/// Numbers of players, as people say them.
const NUMBERS: [&str; 14] = [
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
];

/// Prints the sample that somebody names: a number of players, or `open`.
pub fn sample(printed: &PrintedGame, which: &str, out: &mut dyn Write) -> anyhow::Result<bool> {
    let which = which.trim().to_lowercase();
    let number = NUMBERS.iter().position(|word| *word == which).and_then(|place| u8::try_from(place + 5).ok());
    match (which.as_str(), number.or_else(|| which.parse().ok())) {
        ("open", _) => write!(out, "{OPEN}")?,
        (_, Some(5)) => write!(out, "{FIVE}")?,
        (_, Some(players)) => write!(out, "{}", of(printed, players)?)?,
        (_, None) => bail!("`{which}` is no sample: write a number of players, 5 to 18, or `open`"),
    }
    Ok(true)
}

/// The sample of five, for another number of players.
fn of(printed: &PrintedGame, players: u8) -> anyhow::Result<String> {
    let scenario = demo::scenario(printed, players).map_err(|_| anyhow::anyhow!("the game is for 5 to 18 players"))?;
    let (above, rest) = FIVE.split_once("\n[[seats]]\n").context("the sample has no seats")?;
    let (_, behind) = rest.split_once(BEHIND).context("the sample has no end of its seats")?;
    let word = NUMBERS.get(usize::from(players) - 5).context("the game is for 5 to 18 players")?;
    let mut above = above.to_owned();
    for (old, new) in [
        (
            "# A game for five: two players and three companions. `cursus game create config/games/five.toml` creates it.".to_owned(),
            format!("# A game for {word}. Fill in who plays; `cursus game create {word}.toml` creates it."),
        ),
        ("id = \"five\"".to_owned(), format!("id = \"{word}\"")),
        ("title = \"Five around the sea\"".to_owned(), format!("title = \"{} around the sea\"", capital(word))),
        ("`players = 5`".to_owned(), format!("`players = {players}`")),
        ("scenario = \"west_5\"".to_owned(), format!("scenario = \"{}\"", scenario.key)),
    ] {
        if !above.contains(&old) {
            bail!("the sample has no line {old}");
        }
        above = above.replacen(&old, &new, 1);
    }
    let names = Names::new(printed, Language::English);
    let mut seats = String::new();
    for (number, civ) in scenario.civilizations.iter().enumerate() {
        let (civ, number) = (names.civ(*civ), number + 1);
        let _ = write!(
            seats,
            "\n[[seats]]\nciv = \"{civ}\"\nplayer = \"Player {number}\"\naddresses = [\"player{number}@example.org\"]\n"
        );
        if number == 1 {
            seats.push_str("# A built-in player has this line in the place of those two: \"settler\", \"merchant\" or \"raider\".\n");
            seats.push_str("# companion = \"settler\"\n");
        }
    }
    Ok(format!("{above}\n{}\n\n{BEHIND}{behind}", seats.trim_start_matches('\n')))
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::settings::Settings;
    use crate::desk::settings::game_file::GameFile;

    fn printed_sample(printed: &PrintedGame, which: &str) -> String {
        let mut out = Vec::new();
        sample(printed, which, &mut out).expect("a sample");
        String::from_utf8(out).expect("a text")
    }

    #[test]
    fn a_sample_for_any_number_is_read_as_it_is() {
        let printed = PrintedGame::built_in().expect("the built-in edition is sound");
        let settings = Settings::read(
            "cursus.toml",
            "[[moderators]]\nname = \"Moderator\"\naddresses = [\"m@example.org\"]\n",
            std::path::Path::new(""),
        )
        .expect("settings");
        for players in 5..=18_u8 {
            let text = printed_sample(&printed, &players.to_string());
            assert_eq!(text, printed_sample(&printed, NUMBERS[usize::from(players) - 5]));
            let file = GameFile::read("game.toml", &text, &printed, &settings)
                .unwrap_or_else(|why| panic!("{players}: {why}"));
            assert_eq!(file.seats.len(), usize::from(players));
            assert_eq!(text.lines().count(), text.trim_end().lines().count(), "{players}");
        }
        assert!(printed_sample(&printed, "Open").contains("[open]"));
        for wrong in ["4", "19", "winter", ""] {
            assert!(sample(&printed, wrong, &mut Vec::new()).is_err(), "{wrong}");
        }
    }
}
