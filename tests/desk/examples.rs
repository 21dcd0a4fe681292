//! The moderator's commands as help and README write them: each is shown in the sample game, and what a preview prints can be
//! sent back, in both languages.

use std::fs;
use std::path::Path;

use chrono::{TimeZone, Utc};
use cursus::archive::Moderation;
use cursus::desk::Desk;
use cursus::desk::settings::Settings;
use cursus::desk::settings::game_file::GameFile;
use cursus::rules::{Language, PrintedGame};

use super::club::Club;

/// The sample game, begun, with a moderator who reads this language.
fn sample(language: Language) -> Club {
    let shipped = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("config").join(name);
        fs::read_to_string(path).expect("it is shipped")
    };
    let printed = PrintedGame::built_in().expect("the edition loads");
    let settings = Settings::read("cursus.toml", &shipped("cursus.toml"), Path::new("")).expect("they load");
    let mut file = GameFile::read("five.toml", &shipped("games/five.toml"), &printed, &settings).expect("it loads");
    file.moderator.language = language;
    let mut club = Club::new();
    // The examples name a day of a month after this one.
    club.now = Utc.with_ymd_and_hms(2026, 11, 18, 9, 0, 0).single().expect("a time");
    club.begin(&file);
    club
}

fn command(club: &mut Club, text: &str) -> Moderation {
    Desk::hand_in(&club.desk.archive, &"five".into(), text, club.now).expect("it is handed in");
    club.round();
    club.desk.archive.moderations(&"five".into()).expect("the archive answers").pop().expect("it is logged")
}

/// The examples of the help, in their sequence.
fn examples(club: &mut Club, help: &str) -> Vec<String> {
    let told = command(club, help);
    let lines = told.outcome.lines().skip(1).flat_map(|line| line.split(" · ")).map(|example| {
        let example = example.split_once(" (").map_or(example, |(example, _)| example);
        example.trim().to_owned()
    });
    lines.filter(|example| !example.is_empty()).collect()
}

/// The examples of README's table.
fn readme() -> Vec<String> {
    let text = include_str!("../../README.md");
    let (_, table) = text.split_once("## The moderator's commands").expect("there is a table");
    let (table, _) = table.split_once("\n## ").expect("something follows");
    let cells = table.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split(" | ").next());
    let spans = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    // One is about forums, and the sample game has none.
    spans.filter(|span| !span.starts_with('…')).map(str::to_owned).collect()
}

/// Shows every example; what a later one needs is done.
fn try_all(club: &mut Club, examples: &[String]) {
    let needed = ["process", "pause", "resume", "edit", "rozstrzygnij", "wstrzymaj", "wznów", "popraw"];
    for example in examples {
        let phase = club.table("five").phase();
        let told = command(club, example);
        let verb = example.split([' ', ':']).next().unwrap_or_default();
        match verb {
            // No letter was set aside.
            "release" | "przywróć" => assert!(told.outcome.contains("123456"), "{example}: {}", told.outcome),
            // Nothing was proposed.
            "grant" | "refuse" | "zgoda" | "odmowa" => {
                assert!(told.outcome.contains("1 ") && !told.done, "{example}: {}", told.outcome);
            }
            // The game has begun.
            "withdraw" | "wycofaj" => assert!(!told.done, "{example}: {}", told.outcome),
            // Nobody stands by.
            "ask" | "zapytaj" => assert!(!told.done, "{example}: {}", told.outcome),
            _ if told.done => assert!(!needed.contains(&verb), "`{example}` is shown first"),
            _ => assert_eq!(told.shown, Some(true), "`{example}` in {phase}: {}", told.outcome),
        }
        if needed.contains(&verb) {
            assert!(command(club, "ok").done, "`{example}`");
        }
    }
}

#[test]
fn every_example_is_legal_in_the_sample_game() {
    for (language, help) in [(Language::English, "help"), (Language::Polish, "pomoc")] {
        let mut club = sample(language);
        let examples = examples(&mut club, help);
        assert!(examples.len() > 20, "{examples:?}");
        try_all(&mut club, &examples);
    }
    let mut club = sample(Language::English);
    let examples = readme();
    assert!(examples.len() > 14, "{examples:?}");
    try_all(&mut club, &examples);
}

#[test]
fn a_polish_moderator_reads_and_writes_polish() {
    let mut club = sample(Language::Polish);
    for (written, printed) in [
        ("deadline +24h", "termin +24h dla 1.ruch"),
        ("edit area Knossos: 5 Minoa", "popraw obszar Knossos dla 1.ruch: 5 Minoi"),
        ("popraw Minoia: z Garncarstwem", "popraw Minoia dla 1.ruch: z Garncarstwem"),
    ] {
        let shown = command(&mut club, written);
        assert!(shown.outcome.contains(&format!("albo napisz: {printed}")), "{}", shown.outcome);
        assert!(command(&mut club, printed).done, "{printed}");
    }
    for (slip, said) in [
        ("termn +24h", "czy chodziło o `termin`?"),
        ("wznw", "czy chodziło o `wznów`?"),
        ("usuń Atlantyda", "`Atlantyda` to nie cywilizacja"),
        ("termin jutro", "napisz na przykład `termin +24h`"),
        ("popraw obszar Atlantyda: 3 Minoi", "to nie obszar"),
        ("zastępca Egipt Jan", "zastępca Egipt nikt"),
    ] {
        let told = command(&mut club, slip);
        assert!(!told.done && told.outcome.contains(said), "{slip}: {}", told.outcome);
    }
}
