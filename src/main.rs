//! The binary: reads the command line and opens the door.

use std::io;
use std::process::ExitCode;

use clap::Parser;
use cursus::door;
use cursus::door::call::{Call, Errand, Game};
use cursus::door::plain::{Plain, plain};

fn main() -> ExitCode {
    let call = Call::parse();
    // Every connection is sealed by the same library; a second call would find it there.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let out = &mut Plain::new(io::stdout().lock());
    let done = door::edition::edition(call.rules.as_deref()).and_then(|printed| match call.command {
        Errand::Demo { players, turns, seed, long, language, me, out: folder } => {
            let wish = door::demo::Wish { players, turns, seed, long, language, me, out: Some(folder) };
            door::demo::demo(printed, &wish, out).map(|_| true)
        }
        Errand::Simulate { games, players, seed, json } => {
            door::simulate::simulate(printed, &door::simulate::Wish { games, players, seed, json }, out)
        }
        Errand::Check { game, page, config, seat, language, json, file } => {
            let position = match (page, game) {
                (Some(page), _) => door::check::Position::Page(page),
                (None, game) => door::check::Position::Game { game: game.unwrap_or_default(), config },
            };
            door::check::check(printed, &door::check::Wish { position, seat, language, letter: file, json }, out)
        }
        Errand::Map { game, scenario, config, o: file, language, around, board, width } => {
            let board_of = match (scenario, game) {
                (Some(scenario), _) => door::map::BoardOf::Scenario(scenario),
                (None, game) => door::map::BoardOf::Game { game: game.unwrap_or_default(), config },
            };
            door::map::map(printed, &door::map::Wish { board_of, file, language, around, board, width }, out)
        }
        Errand::Serve { config, once } => door::serve::serve(config.as_deref(), call.rules.as_deref(), once, out),
        Errand::Game { config, what } => {
            let config = config.as_deref();
            match what {
                Game::Create { file } => door::game::create(config, call.rules.as_deref(), &file, out),
                Game::Open { file } => door::opening::open(config, call.rules.as_deref(), &file, out),
                Game::Sample { which } => door::sample::sample(&printed, &which, out),
                Game::List { json } => door::game::list(config, json, out),
                Game::Show { game, json } => door::game::show(config, &game, json, out),
                Game::Withdraw { game, because } => door::withdrawing::withdraw(config, &game, because.as_deref(), out),
                Game::Verify { game } => door::game::verified(config, &game, out),
                Game::Export { game, file: Some(file), r#move: true, to } => {
                    door::moving::export(config, &game, &file, to.as_deref(), out)
                }
                Game::Export { game, file, .. } => door::game::export(config, &game, file.as_deref(), out),
                Game::Import { file } => door::game::import(config, &file, out),
            }
        }
        Errand::Moderate { config, game, mut command } => {
            let named = door::moderate::settings_behind(&mut command);
            door::moderate::moderate(config.or(named).as_deref(), &game, &command.join(" "), out)
        }
        Errand::Init(wish) => door::init::init(&printed, &wish, &mut io::stdin().lock(), out),
        Errand::SignIn { config, carrier, browser } => {
            door::sign_in::sign_in(&door::sign_in::Wish { config, carrier, browser }, &mut io::stdin().lock(), out)
        }
        Errand::Doctor { config, wait, json } => {
            door::doctor::doctor(&door::doctor::Wish { config, wait, json }, call.rules.as_deref(), out)
        }
        Errand::Backup { config, file } => door::backup::backup(config.as_deref(), &file, out),
        Errand::Restore { config, file } => door::restore::restore(config.as_deref(), &file, out),
        Errand::Guide { language } => door::guide::guide(&printed, language, out),
        Errand::Standings { config, html, csv, file } => {
            let form = match (html, csv) {
                (true, _) => door::standings::SheetForm::Html,
                (false, true) => door::standings::SheetForm::Csv,
                (false, false) => door::standings::SheetForm::Text,
            };
            door::standings::standings(&door::standings::Wish { config, file, form }, out)
        }
        Errand::Cases { paths } => door::cases::cases(printed, &paths, out),
        Errand::Read { plain, html, file } => {
            let form = match (plain, html) {
                (true, _) => door::read::FileKind::Plain,
                (_, true) => door::read::FileKind::Html,
                (false, false) => door::read::FileKind::Letter,
            };
            door::read::read(&file, form, out)
        }
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // Whoever reads has seen enough: `cursus demo | head`.
        Err(error) if error.downcast_ref().is_some_and(|e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe) => {
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("cursus: {}", plain(&format!("{error:#}")));
            ExitCode::from(2)
        }
    }
}
