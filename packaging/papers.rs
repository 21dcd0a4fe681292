//! `cursus-papers DIR`: the manual pages and the completions of shells, made of the words that `cursus --help` shows.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use clap::CommandFactory;
use clap_complete::Shell;
use cursus::door::call::Call;

/// The shells that get completions.
const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];

/// Writes a page for every command into `man`, and a file for every shell into `completions`.
pub fn write(folder: &Path) -> io::Result<()> {
    let (pages, shells) = (folder.join("man"), folder.join("completions"));
    fs::create_dir_all(&pages)?;
    fs::create_dir_all(&shells)?;
    clap_mangen::generate_to(Call::command(), &pages)?;
    for shell in SHELLS {
        clap_complete::generate_to(shell, &mut Call::command(), "cursus", &shells)?;
    }
    Ok(())
}

#[allow(dead_code, reason = "the tests take the page as a module")]
fn main() -> ExitCode {
    let mut folders = env::args_os().skip(1).map(PathBuf::from);
    let (Some(folder), None) = (folders.next(), folders.next()) else {
        eprintln!("usage: cursus-papers DIR");
        return ExitCode::from(2);
    };
    match write(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cursus-papers: {}: {error}", folder.display());
            ExitCode::from(1)
        }
    }
}
