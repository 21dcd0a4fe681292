//! Recorded games stay what they were: their events are read, replayed and verified to the stored hash.
//!
//! A mended rule changes the future and not the past, so nothing here changes with it. `CURSUS_RECORD=1` plays the
//! games anew and writes them down; the diff is then read like code.

#[path = "golden/record.rs"]
mod record;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cursus::game::rulebook::{DamageRounding, IconoclasmModifiers, StackPreparation};
use cursus::game::verify::verify;
use cursus::game::{Chance, Event, Opening, Rulebook, State, replay, setup, short_game};
use cursus::rules::{AstSide, PrintedGame};
use serde::{Deserialize, Serialize};

/// What a recorded game began with, and where it led.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Head {
    /// The scenario.
    scenario: String,
    /// Whether it began as a short game, with cities and advances.
    short: bool,
    /// The side of the A.S.T.
    track: AstSide,
    /// The number of its chance.
    seed: u64,
    /// The turn that was agreed to be the last.
    last_turn: u16,
    /// How many events there are.
    events: usize,
    /// The hash of the final state.
    hash: String,
    /// The house rules.
    house_rules: Rulebook,
}

impl Head {
    fn opening(&self, printed: &Arc<PrintedGame>) -> Opening {
        let scenario = printed.scenarios.iter().find(|scenario| scenario.key == self.scenario);
        let scenario = scenario.unwrap_or_else(|| panic!("no scenario is called {}", self.scenario));
        if self.short {
            short_game::opening(printed.clone(), scenario, self.house_rules)
        } else {
            setup::opening(printed.clone(), scenario, self.house_rules, self.track)
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/games")
}

#[test]
fn every_recorded_game_is_replayed_to_its_hash() {
    let printed = Arc::new(PrintedGame::built_in().expect("the built-in edition is sound"));
    if std::env::var_os("CURSUS_RECORD").is_some() {
        GAMES.into_iter().for_each(|game| write(&printed, game));
    }
    for (name, ..) in GAMES {
        let read = |extension| {
            let path = folder().join(format!("{name}.{extension}"));
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let head: Head = toml::from_str(&read("toml")).unwrap_or_else(|error| panic!("{name}: {error}"));
        let lines = read("jsonl");
        let events = (1..).zip(lines.lines()).map(|(number, text)| {
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}, event {number}: {error}\n{text}"))
        });
        let events: Vec<Event> = events.collect();
        assert_eq!(events.len(), head.events, "{name}");
        assert!(matches!(events.last(), Some(Event::GameEnded { .. })), "{name} is a whole game");
        let found = verify(head.opening(&printed), &events, &Chance::numbered(head.seed));
        assert_eq!(found.as_deref(), Ok(head.hash.as_str()), "{name}");
        freeze_and_thaw(name, &printed, State::new(head.opening(&printed)), &events);
    }
}

/// A state that is put away and taken up again is the same state, anywhere in a game, and the game goes on from it.
fn freeze_and_thaw(name: &str, printed: &Arc<PrintedGame>, mut state: State, events: &[Event]) {
    let mut thawed = state.clone();
    for (number, event) in (1..).zip(events) {
        state.apply(event);
        thawed.apply(event);
        if number % THAW_EVERY == 0 || number == events.len() {
            thawed = State::thaw(printed.clone(), &state.freeze())
                .unwrap_or_else(|error| panic!("{name}, event {number}: {error}"));
            assert_eq!(thawed, state, "{name}, event {number}");
            assert_eq!(thawed.hash(), state.hash(), "{name}, event {number}");
            assert_eq!(thawed.freeze(), state.freeze(), "{name}, event {number}");
        }
    }
}

/// After so many events a recorded game is frozen; a number that no phase keeps step with.
const THAW_EVERY: usize = 97;

/// The games: a name, the scenario, whether it is short, the side of the A.S.T., and the last turn.
const GAMES: [(&str, &str, bool, AstSide, u16); 4] = [
    ("players-5", "west_5", false, AstSide::Basic, 24),
    ("players-9", "west_9", false, AstSide::Expert, 18),
    ("players-12", "both_12", true, AstSide::Basic, 9),
    ("players-18", "both_18", true, AstSide::Basic, 7),
];

fn other_readings() -> Rulebook {
    Rulebook {
        damage_rounding: DamageRounding::AtMost,
        iconoclasm_modifiers: IconoclasmModifiers::MonotheismOnly,
        stack_preparation: StackPreparation::AsSmallerGames,
        ..Rulebook::default()
    }
}

fn write(printed: &Arc<PrintedGame>, (name, scenario, short, track, last_turn): (&str, &str, bool, AstSide, u16)) {
    let seed = 1000 + u64::from(last_turn);
    let mut head = Head {
        scenario: scenario.to_owned(),
        short,
        track,
        seed,
        last_turn,
        events: 0,
        hash: String::new(),
        // One of them is played by other readings.
        house_rules: match track {
            AstSide::Basic => Rulebook::default(),
            AstSide::Expert => other_readings(),
        },
    };
    let chance = Chance::numbered(seed);
    let opening = State::new(head.opening(printed));
    let (mut events, _) = if short { short_game::begin(&opening, &chance) } else { setup::begin(&opening, &chance) };
    // R13.6: a group may agree on a time limit.
    events.push(Event::LastTurnAnnounced { turn: last_turn });
    let (happened, state) = record::record(replay(&opening, &events), &chance);
    events.extend(happened);
    (head.events, head.hash) = (events.len(), state.hash());
    let lines = events.iter().map(|event| serde_json::to_string(event).expect("an event can be stored") + "\n");
    fs::create_dir_all(folder()).expect("the folder can be made");
    fs::write(folder().join(format!("{name}.jsonl")), lines.collect::<String>()).expect("events can be written");
    let head = toml::to_string(&head).expect("a head can be stored");
    fs::write(folder().join(format!("{name}.toml")), head).expect("a head can be written");
}
