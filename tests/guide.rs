//! The player's guide: what is committed is what the command prints, and every order in it can be read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cursus::desk::settings::Settings;
use cursus::door::guide::page;
use cursus::orders::{Lexicon, Reading, read};
use cursus::rules::{Language, PrintedGame};

fn committed(language: Language) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/guide.{}.md", language.code()))
}

/// With `CURSUS_RECORD=1` the pages are written anew.
#[test]
fn the_guide_is_what_the_command_prints() {
    for language in Language::ALL {
        let output = Command::new(env!("CARGO_BIN_EXE_cursus")).args(["guide", "--language", language.code()]).output();
        let printed = String::from_utf8(output.expect("it runs").stdout).expect("text");
        if std::env::var_os("CURSUS_RECORD").is_some() {
            fs::write(committed(language), &printed).expect("the page is written");
        }
        let page = fs::read_to_string(committed(language)).unwrap_or_default();
        assert!(page == printed, "docs/guide.{}.md is old; CURSUS_RECORD=1 writes it anew", language.code());
    }
}

#[test]
fn every_order_of_the_guide_can_be_read() {
    let printed = PrintedGame::built_in().expect("the built-in edition is sound");
    let lexicon = Lexicon::new(&printed);
    for language in Language::ALL {
        let page = page(&printed, language);
        assert!(!page.contains("[guide"), "the template is sound");
        let mut count = 0;
        for order in page.split('`').skip(1).step_by(2) {
            let order = order.split_whitespace().collect::<Vec<_>>().join(" ");
            // What only shows a form, and what is typed elsewhere.
            if order.contains('…') || order.starts_with("cursus ") {
                continue;
            }
            let lines = read(&order, &lexicon);
            let is_read = |reading: &Reading| match reading {
                Reading::Written(_) => true,
                Reading::Quoted | Reading::Remark | Reading::Press | Reading::Fault(_) | Reading::Beyond(_) => false,
            };
            let pieces = lines.iter().flat_map(|line| &line.pieces);
            // Parts of an order, which are explained and cannot be written alone.
            const PARTS: [&str; 7] =
                ["keep 10", "leaving 1", "until calamity", "do katastrofy", "za darmo", "zostaw 10", "zostawiając 1"];
            let is_word = PARTS.contains(&order.as_str()) || !order.contains(' ');
            let is_club = cursus::desk::club::words::read(&order).is_some();
            assert!(
                is_word || is_club || pieces.map(|piece| &piece.reading).all(is_read),
                "{}: `{order}`",
                language.code()
            );
            count += 1;
        }
        assert!(count > 100, "{count} orders in {}", language.code());
        for heading in page.lines().filter(|line| line.starts_with('#')) {
            assert!(heading.trim_start_matches('#').starts_with(' '), "{heading}");
        }
    }
}

#[test]
fn the_packaged_settings_can_be_read() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/cursus.toml");
    let settings = Settings::load(&file).expect("they are sound");
    assert_eq!(settings.archive, Path::new("/var/lib/cursus/cursus.sqlite"));
    // The unit, the container and the settings speak of the same files.
    for (file, words) in [
        ("packaging/cursus.service", ["/etc/cursus/cursus.toml", "StateDirectory=cursus"]),
        ("packaging/Containerfile", ["/var/lib/cursus/health", "/etc/cursus/cursus.toml"]),
        ("docs/running.md", ["/etc/cursus/cursus.toml", "/var/lib/cursus"]),
    ] {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("it is there");
        assert!(words.iter().all(|word| text.contains(word)), "{file}");
    }
    assert_eq!(settings.health.file.as_deref(), Some(Path::new("/var/lib/cursus/health")));
}
