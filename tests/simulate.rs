//! Whole games between companions: they end by the table, through letters that are understood.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::sync::Arc;

use cursus::door::simulate::{Ending, Wish, play, setting, simulate};
use cursus::rules::{AstSide, PrintedGame};

#[test]
fn whole_games_end_by_the_table() {
    let printed = Arc::new(PrintedGame::built_in().unwrap());
    let games = [("west_5", AstSide::Basic, 1), ("west_5", AstSide::Expert, 2), ("east_9", AstSide::Basic, 3)];
    let large = printed.scenarios.iter().filter(|scenario| scenario.players == 12 || scenario.players == 18);
    let large = large.map(|scenario| (scenario.key.as_str(), AstSide::Basic, 4));
    for (key, track, seed) in games.into_iter().chain(large) {
        let scenario = printed.scenarios.iter().find(|scenario| scenario.key == key).unwrap();
        let outcome = play(&printed, scenario, track, seed);
        let tally = outcome.tally;
        let share = 100.0 * tally.written.refused as f64 / tally.written.orders as f64;
        println!("{key} {track:?}: {} turns, {share:.2}% of {} orders refused", outcome.turns, tally.written.orders);
        assert_eq!(outcome.ending, Ending::ByTheTable, "{key}");
        assert_eq!(outcome.broken, None, "{key}");
        assert_eq!(tally.written.faults, 0, "{key}");
        assert!(share < 5.0, "{key}: {share:.2}% of the orders are refused");
        assert!(tally.market.trades > 0 && tally.board.calamities > 0 && tally.board.advances > 0, "{key}: {tally:?}");
        assert!(outcome.scores.is_sorted_by(|a, b| a.1.total() >= b.1.total()));
    }
}

#[test]
fn the_same_seed_prints_the_same_summary() {
    let summary = |json| {
        let mut out = Vec::new();
        let wish = Wish { games: 2, players: 5..=5, seed: 7, json };
        assert!(simulate(PrintedGame::built_in().unwrap(), &wish, &mut out).unwrap());
        String::from_utf8(out).unwrap()
    };
    assert_eq!(summary(false), summary(false));
    assert!(serde_json::from_str::<serde_json::Value>(&summary(true)).unwrap()["by_the_table"] == 2);
}

#[test]
fn scenarios_and_tracks_are_taken_in_turn() {
    let printed = PrintedGame::built_in().unwrap();
    let scenarios: Vec<_> = printed.scenarios.iter().collect();
    let settings: Vec<_> = (1..=200).map(|seed| setting(&scenarios, seed)).collect();
    for scenario in &scenarios {
        for track in [AstSide::Basic, AstSide::Expert] {
            assert!(settings.iter().any(|(one, side)| one.key == scenario.key && *side == track), "{}", scenario.key);
        }
    }
}

#[test]
fn a_wrong_number_of_players_or_games_says_what_is_allowed() {
    let error = |games, players| {
        let wish = Wish { games, players, seed: 1, json: false };
        simulate(PrintedGame::built_in().unwrap(), &wish, &mut Vec::new()).unwrap_err().to_string()
    };
    assert_eq!(error(1, 2..=3), "--players 2..3: the game is for 5 to 18 players");
    assert_eq!(error(0, 5..=5), "--games 0: at least one game is played");
}
