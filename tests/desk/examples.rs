//! The moderator's commands as help and README write them: each is shown in the sample game, and what a preview prints can be
//! sent back, in both languages.

use std::fs;
use std::path::Path;

use chrono::{TimeZone, Utc};
use cursus::archive::Moderation;
use cursus::desk::Desk;
use cursus::desk::settings::Settings;
use cursus::desk::settings::game_file::GameFile;
use cursus::desk::table::commanding::{self, Command};
use cursus::desk::table::said::said;
use cursus::game::{Phase, TurnPhase};
use cursus::orders::Lexicon;
use cursus::report::Names;
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
    for example in examples {
        let phase = club.table("five").phase();
        let lexicon = club.table("five").edition.lexicon.clone();
        let read = commanding::read(example, &lexicon).unwrap_or_else(|| panic!("`{example}` is no command"));
        let read = read.unwrap_or_else(|wrong| panic!("`{example}`: {wrong:?}"));
        let told = command(club, example);
        if read.command.is_of_no_phase() {
            assert!(!told.outcome.is_empty(), "{example}");
            continue;
        }
        assert_eq!(told.shown, Some(true), "`{example}` in {phase}: {}", told.outcome);
        let is_needed = match read.command {
            Command::Process | Command::Pause | Command::Resume | Command::EditPosition(_) => true,
            Command::Status | Command::Help | Command::Deadline(_) | Command::Replace { .. } => false,
            Command::Deputy { .. } | Command::EditOrders { .. } | Command::Rollback { .. } => false,
            Command::Announce(_) | Command::Eject(_) | Command::SetAside => false,
            Command::Release(_) | Command::Tell { .. } | Command::Addresses | Command::Forget(_) => false,
        };
        if is_needed {
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

/// Whatever language a command was written in, the preview prints it in the moderator's, with its phase; sent back it is done.
#[test]
fn what_a_preview_prints_can_be_sent_back() {
    let printed = PrintedGame::built_in().expect("the edition loads");
    let lexicon = Lexicon::new(&printed);
    let open = TurnPhase::new(4, Phase::Abilities);
    let commands = [
        "status",
        "help",
        "set aside",
        "release 17",
        "addresses",
        "forget anna@example.org",
        "deadline +1day 6h",
        "deadline -90min",
        "deadline 2026-12-01 20:00",
        "process",
        "pause",
        "resume",
        "replace Celt Anna Nowak <anna.nowak@example.org> pl",
        "replace Egypt Anna Nowak <@anna>",
        "deputy Egypt Anna Nowak <anna.nowak@example.org>",
        "deputy Egypt none",
        "edit Egypt: tax 2",
        "edit area Knossos: 3 Minoa",
        "edit area Knossos: 0 barbarians",
        "edit area Eastern Armenia: city Celt",
        "edit area Knossos: city pirates",
        "edit area Knossos: no city",
        "edit area Knossos: 1 ship Minoa",
        "edit area Knossos: 2 ships Hatti",
        "edit Minoa: treasury 12",
        "edit Minoa: step 5",
        "edit Minoa: with Trade Routes",
        "edit Minoa: without Pottery",
        "rollback 1.movement because the map was wrong",
        "rollback 12.selection",
        "announce: the map is right: see for yourselves",
        "tell Egypt, Hatti: a word: with a colon",
        "tell all: tea",
        "eject Hellas",
    ];
    for text in commands {
        let meant = commanding::read(text, &lexicon).expect("a command").expect("it is right").command;
        for language in Language::ALL {
            let line = said(&meant, open, Names::new(&printed, language)).expect("it is one line");
            let again = commanding::read(&line, &lexicon).expect("a command");
            let again = again.unwrap_or_else(|wrong| panic!("{line}: {wrong:?}"));
            assert_eq!(again.command, meant, "{line}");
            assert_eq!(again.meant_for, Some(open).filter(|_| !meant.is_of_no_phase()), "{line}");
        }
    }
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
