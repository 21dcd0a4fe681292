//! The binary: reads the command line and opens the door.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use cursus::door;

/// The patient moderator of long games of Mega Civilization, by e-mail and in forum threads.
#[derive(Parser)]
#[command(version)]
struct Call {
    /// A folder with another edition of the printed game (the files of `config/rules`).
    #[arg(long, global = true, value_name = "FOLDER")]
    rules: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays casebook pages and says which cases hold.
    Cases {
        /// Pages, or folders of pages.
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    let call = Call::parse();
    let done = door::edition::edition(call.rules.as_deref()).and_then(|printed| match call.command {
        Command::Cases { paths } => door::cases::cases(printed, &paths, &mut std::io::stdout().lock()),
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("cursus: {error:#}");
            ExitCode::from(2)
        }
    }
}
