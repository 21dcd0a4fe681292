//! What can be typed at the front door: every command, its flags and its help, as clap reads them.
//!
//! The manual pages and the completions of shells are made of the same words.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::desk::settings::written::Length;
use crate::game::GameId;
use crate::rules::Language;

/// The patient moderator of long games of Mega Civilization, by e-mail and in forum threads.
#[derive(Parser)]
#[command(version)]
pub struct Call {
    /// A folder with another edition of the printed game (the files of `config/rules`).
    #[arg(long, global = true, value_name = "FOLDER")]
    pub rules: Option<PathBuf>,
    /// What is to be done.
    #[command(subcommand)]
    pub command: Errand,
}

/// What somebody wants done.
#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one of it, and it is read once")]
pub enum Errand {
    /// Plays a whole game by mail between built-in players and tells it; nothing has to be set up.
    Demo {
        /// How many play, 5 to 18.
        #[arg(long, default_value_t = 5)]
        players: u8,
        /// How many turns are played, if not to the end of the game.
        #[arg(long)]
        turns: Option<u16>,
        /// The seed of all chance: the same seed shows the same game.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Tells everything, phase by phase.
        #[arg(long)]
        long: bool,
        /// The language of the letters and of what is told, en or pl.
        #[arg(long, default_value = "en", value_parser = language)]
        language: Language,
        /// The civilization that you play yourself, by typing letters or by putting files into a folder.
        #[arg(long, value_name = "CIV")]
        me: Option<String>,
        /// The folder where letters, maps and the story are left, with an index.html to begin with.
        #[arg(long, value_name = "DIR", default_value = "cursus-demo")]
        out: PathBuf,
    },
    /// Plays whole games between built-in players in memory and prints a summary.
    Simulate {
        /// How many games are played.
        #[arg(long, default_value_t = 20)]
        games: u32,
        /// For how many players, both ends included.
        #[arg(long, default_value = "5..18", value_name = "A..B", value_parser = players)]
        players: RangeInclusive<u8>,
        /// The seed of the first game; the same seed prints the same summary.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Prints the summary as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Reads orders and answers as a game would, storing nothing.
    Check {
        /// A game of the archive, as it stands.
        #[arg(long, required_unless_present = "page")]
        game: Option<GameId>,
        /// A casebook page; its first position is played on.
        #[arg(long, conflicts_with = "game")]
        page: Option<PathBuf>,
        /// The settings; `cursus.toml` or `config/cursus.toml` if none are named.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// The civilization that writes.
        #[arg(long, value_name = "CIV")]
        seat: String,
        /// The language of the answer, en or pl.
        #[arg(long, default_value = "en", value_parser = language)]
        language: Language,
        /// Prints the answer as JSON.
        #[arg(long)]
        json: bool,
        /// The letter, a plain text; - is standard input.
        file: PathBuf,
    },
    /// Draws the board into a file.
    Map {
        /// A game of the archive, as it stands.
        #[arg(long, required_unless_present = "scenario")]
        game: Option<GameId>,
        /// The board of this scenario as it is set up.
        #[arg(long, value_name = "ID", conflicts_with = "game")]
        scenario: Option<String>,
        /// The settings; `cursus.toml` or `config/cursus.toml` if none are named.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// The file, which ends in .svg or .png.
        #[arg(short, value_name = "FILE")]
        o: PathBuf,
        /// The language of the names, en or pl.
        #[arg(long, default_value = "en", value_parser = language)]
        language: Language,
        /// Shows these areas and what lies around them, at a phone's width.
        #[arg(long, value_name = "AREA", value_delimiter = ',')]
        around: Vec<String>,
        /// Shows the whole board, also what is out of play.
        #[arg(long, conflicts_with = "around")]
        board: bool,
        /// The width in pixels.
        #[arg(long, value_parser = clap::value_parser!(u32).range(200..=10_000))]
        width: Option<u32>,
    },
    /// Runs the daemon: collects letters, rules what is due, and sends the answers.
    Serve {
        /// The settings; `cursus.toml` or `config/cursus.toml` if none are named.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// Does one round and ends, for cron.
        #[arg(long)]
        once: bool,
    },
    /// Creates, lists, shows, verifies, exports and imports games.
    Game {
        /// The settings; `cursus.toml` or `config/cursus.toml` if none are named.
        #[arg(long, global = true, value_name = "FILE")]
        config: Option<PathBuf>,
        #[command(subcommand)]
        what: Game,
    },
    /// Gives a moderator's command, as in a letter; `help` lists them. Without `for PHASE` it shows what would be done.
    Moderate {
        /// The settings; `cursus.toml` or `config/cursus.toml` if none are named.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// The name of the game, as `game list` has it.
        game: GameId,
        /// The command, in the words that a moderator would write.
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
    /// Sets a house up: asks five questions, writes the settings, tries them, and creates the first game.
    Init(super::init::Wish),
    /// Lets Cursus into a mailbox that takes no password, with a browser (OAuth 2). Runs beside the daemon.
    SignIn {
        /// The settings; `cursus.toml` or `config/cursus.toml` if none are named.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// The carrier, where several are signed in to with a browser.
        #[arg(long, value_name = "NAME")]
        carrier: Option<String>,
        /// Uses a browser of this machine where a code could be typed on any.
        #[arg(long)]
        browser: bool,
    },
    /// Tries every setting for real and says what to do where something fails. Runs beside the daemon.
    Doctor {
        /// The settings; `cursus.toml` or `config/cursus.toml` if none are named.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// How long a letter to oneself is waited for.
        #[arg(long, value_name = "TIME", default_value = "1min")]
        wait: Length,
        /// Prints the findings as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Copies the archive into a file, while the daemon runs.
    Backup {
        /// The settings; `cursus.toml` or `config/cursus.toml` if none are named.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// The copy that is written; no such file may be there yet.
        file: PathBuf,
    },
    /// Puts a copy in the archive's place. What was there is moved aside. The daemon must not run.
    Restore {
        /// The settings; `cursus.toml` or `config/cursus.toml` if none are named.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// The copy, as `cursus backup` made it.
        file: PathBuf,
    },
    /// Prints the player's guide as Markdown.
    Guide {
        /// The language, en or pl.
        #[arg(long, default_value = "en", value_parser = language)]
        language: Language,
    },
    /// Prints the sheet of a series of games: points for placings, and how ties are broken.
    Standings {
        /// The settings; `cursus.toml` or `config/cursus.toml` if none are named.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// Prints the sheet as a page for browsers.
        #[arg(long, conflicts_with = "csv")]
        html: bool,
        /// Prints the sheet as comma-separated values, for programs of tables.
        #[arg(long)]
        csv: bool,
        /// The file of the series; see config/series.toml.
        file: PathBuf,
    },
    /// Plays casebook pages and says which cases hold.
    Cases {
        /// Pages, or folders of pages.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
    /// Opens one letter and prints as JSON what its sender wrote themselves, and how much was left out.
    Read {
        /// The file is a plain text, not a letter.
        #[arg(long, conflicts_with = "html")]
        plain: bool,
        /// The file is an HTML text, not a letter.
        #[arg(long)]
        html: bool,
        /// The letter, or `-` for what comes in on standard input.
        file: PathBuf,
    },
}

/// What somebody wants done with games.
#[derive(Subcommand)]
pub enum Game {
    /// Checks the file of a game, writes the game down and sends the invitations.
    Create {
        /// The file; see config/games.
        file: PathBuf,
    },
    /// Prints the file of a game to fill in, in which every key is explained.
    Sample {
        /// For how many players, `seven` or 7; or `open`, a game that people join.
        #[arg(default_value = "five", value_name = "PLAYERS")]
        which: String,
    },
    /// Opens a game to whoever wants to join: its seats may be empty.
    Open {
        /// The file; see config/games/open.toml.
        file: PathBuf,
    },
    /// A line for every game.
    List {
        /// Prints JSON, for programs.
        #[arg(long)]
        json: bool,
    },
    /// One game: its seats, its clock, its letters.
    Show {
        /// The name of the game, as `game list` has it.
        game: GameId,
        /// Prints JSON, for programs.
        #[arg(long)]
        json: bool,
    },
    /// Withdraws a game that has not begun, or an open game that people still join: everybody who has come is told.
    Withdraw {
        /// The name of the game, as `game list` has it.
        game: GameId,
        /// Why; they are told that too.
        #[arg(long, value_name = "REASON")]
        because: Option<String>,
    },
    /// Replays a game, makes every draw again and prints the hash of its state.
    Verify {
        /// The name of the game, as `game list` has it.
        game: GameId,
    },
    /// Writes a whole game into one JSON file.
    Export {
        /// The name of the game, as `game list` has it.
        game: GameId,
        /// The file, which must not be there yet; standard output if none is named.
        file: Option<PathBuf>,
        /// Closes the game here: it goes on elsewhere. Everybody is told. The daemon must not run.
        #[arg(long, requires = "file")]
        r#move: bool,
        /// Where players write to from then on.
        #[arg(long, value_name = "ADDRESS", requires = "move")]
        to: Option<String>,
    },
    /// Reads such a file back.
    Import {
        /// The file that `game export` wrote.
        file: PathBuf,
    },
}

/// `en` or `pl`.
pub(super) fn language(text: &str) -> Result<Language, String> {
    Language::coded(text).ok_or_else(|| format!("`{text}` is no language of ours; write en or pl"))
}

/// `5..18`, or `7` alone.
fn players(text: &str) -> Result<RangeInclusive<u8>, String> {
    let number = |text: &str| text.trim().parse::<u8>().map_err(|_| format!("`{text}` is no number of players"));
    let (least, most) = match text.split_once("..") {
        Some((least, most)) => (number(least)?, number(most)?),
        None => (number(text)?, number(text)?),
    };
    if least <= most { Ok(least..=most) } else { Err(format!("{least} is more than {most}")) }
}
