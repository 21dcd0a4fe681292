//! Properties over random positions and random orders of phases 1 to 7, and of 8 to 13, on the printed map and on little
//! maps.
//!
//! The games are the same at every run; `PROPTEST_RNG_SEED` and `PROPTEST_CASES` choose others, and more of them.

#[path = "properties/random.rs"]
mod random;

use std::collections::BTreeMap;

use cursus::game::{Chance, Command, Commands, Event, Filed, Known, LineId, Opening, Phase, Reader, State, adjudicate};
use cursus::orders::{Reading, Sheet, Written, commands, read};
use cursus::report::proposals::{Loss, weighed};
use cursus::report::{Names, worded};
use cursus::rules::{Civ, Language};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use random::checks::*;
use random::conflicts::{crowded_conflict, fights, separate_conflicts, substitutes};
use random::late::{telling_silence, unfinished, wrong_payment};
use random::{Position, Script, late_scripts, play, play_late, scripts};

/// So many random games, the same at every run unless the environment says otherwise.
fn config(cases: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { cases };
    let rng_seed = match asked.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        RngSeed::Fixed(seed) => RngSeed::Fixed(seed),
    };
    ProptestConfig { cases, rng_seed, failure_persistence: None, max_shrink_iters: 3000, ..asked }
}

proptest! {
    #![proptest_config(config(900))]

    /// A whole game is looked at from all sides, for playing it is what costs time.
    #[test]
    fn a_random_game_obeys_its_rules(script in scripts()) {
        let played = play(&script);
        for ruling in &played.rulings {
            let faults = [
                broken_law(ruling),
                other_replay(ruling),
                wrong_hands(ruling),
                fruitful_refusal(ruling, &played.chance),
                telling_silence(ruling, &played.chance),
            ];
            for fault in faults.into_iter().flatten() {
                prop_assert!(false, "{fault}\n{played}");
            }
        }
        let conflict = played.closing(Phase::Conflict).and_then(|ruling| unended_conflict(&ruling.after));
        let faults = [wrong_census(&played), conflict, above_limits(&played)];
        for fault in faults.into_iter().flatten() {
            prop_assert!(false, "{fault}\n{played}");
        }
    }

    /// The same for the second half of a turn.
    #[test]
    fn a_random_fate_obeys_its_rules(script in late_scripts()) {
        let played = play_late(&script);
        for ruling in &played.rulings {
            let faults = [
                broken_law(ruling),
                other_replay(ruling),
                wrong_hands(ruling),
                fruitful_refusal(ruling, &played.chance),
                telling_silence(ruling, &played.chance),
                wrong_payment(ruling),
            ];
            for fault in faults.into_iter().flatten() {
                prop_assert!(false, "{fault}\n{played}");
            }
        }
        if let Some(fault) = unfinished(&played) {
            prop_assert!(false, "{fault}\n{played}");
        }
    }

    /// R4.2: token conflicts could as well be fought at the same time.
    #[test]
    fn a_token_conflict_does_not_change_another(script in scripts()) {
        let position = separate_conflicts(&script);
        let substitutes = substitutes(&position.state());
        let together = fights(&position.state(), &substitutes);
        for (area, fight) in &together {
            let alone = fights(&position.alone(*area), &substitutes);
            prop_assert_eq!(alone.get(area), Some(fight));
            prop_assert_eq!(alone.len(), 1);
        }
    }
}

proptest! {
    #![proptest_config(config(150))]

    /// Everybody insists on being asked, is asked, and writes nothing: every phase comes to its end all the same.
    #[test]
    fn who_insists_and_then_keeps_silent_holds_nobody_up_for_ever(script in late_scripts()) {
        let chance = Chance::numbered(script.frame);
        let mut state = Position::late(&script).state();
        let mut rulings = 0;
        while state.phase() >= Phase::Selection && !state.has_ended() {
            let waits = |civ| Filed { civ, line: LineId(1), ahead: false, command: Command::Wait };
            let commands = Commands { filed: state.ranking().map(waits).collect(), cut_off: true, ..Commands::default() };
            state = adjudicate(&state, &commands, &chance).1;
            rulings += 1;
            prop_assert!(rulings < 100, "{:?} does not come to its end", state.phase());
        }
    }
}

proptest! {
    #![proptest_config(config(120))]

    /// Whatever a form proposes can be read in both languages, is legal, and loses what it says and less than the form alone.
    #[test]
    fn every_proposal_is_legal_and_does_what_it_says(script in scripts()) {
        let mut position = Position::of(&script);
        position.opening.phase = Phase::Movement;
        let state = position.state();
        for civ in state.ranking() {
            let known = Known::of(&state, Reader::Player(civ));
            let Some((plain, proposals)) = weighed(&known, civ, &Sheet::default()) else { continue };
            prop_assert_eq!(&played_out(&state, civ, &[]).1, &plain, "what `ok` loses");
            for (number, proposal) in (2..).zip(proposals) {
                prop_assert_eq!(proposal.number, number);
                for language in Language::ALL {
                    let names = Names::new(&position.table.printed, language);
                    let text: Vec<_> = proposal.lines.iter().map(|line| worded(names, line)).collect();
                    let lines = read(&text.join("\n"), &position.table.lexicon);
                    let read: Vec<_> = lines.iter().flat_map(|line| &line.pieces).map(|piece| &piece.reading).collect();
                    let meant: Vec<_> = proposal.lines.iter().map(|line| Written::Orders(vec![line.clone()])).collect();
                    let is_meant = |(read, meant): (&&Reading, &Written)| **read == Reading::Written(meant.clone());
                    prop_assert!(read.len() == meant.len() && read.iter().zip(&meant).all(is_meant), "{text:?}");
                }
                let (refused, loss) = played_out(&state, civ, &proposal.lines);
                prop_assert_eq!(refused, 0, "{:?}", proposal.lines);
                prop_assert_eq!(&loss, &proposal.loss, "{:?}", proposal.lines);
                prop_assert!(loss.ships.len() <= plain.ships.len() && loss != plain);
            }
        }
    }
}

/// Plays a player's lines and the form from the movement to the cities; says how many were refused, and what was lost.
fn played_out(state: &State, civ: Civ, lines: &[Command]) -> (usize, Loss) {
    let sheets = BTreeMap::from([(civ, Sheet::default().with_form(lines, Phase::Movement))]);
    let (mut state, mut events) = (state.clone(), Vec::new());
    while state.phase() <= Phase::Cities && events.len() < 10_000 {
        let (new, after) = adjudicate(&state, &commands(&sheets, state.phase(), true), &Chance::numbered(1));
        events.extend(new);
        state = after;
    }
    let refused = events.iter().filter(|event| matches!(event, Event::Refused { civ: who, .. } if *who == civ));
    (refused.count(), Loss::of(&events, civ))
}

proptest! {
    #![proptest_config(config(3000))]

    /// R4.12, R4.22: and where everybody waits and loses something else wherever he can.
    #[test]
    fn every_conflict_ends(script in scripts()) {
        let (state, commands) = crowded_conflict(&script);
        let (events, after) = adjudicate(&state, &commands, &Chance::numbered(script.frame));
        if let Some(fault) = unended_conflict(&after) {
            prop_assert!(false, "{fault}\n{events:#?}");
        }
    }
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn any_text_is_a_letter_in_every_phase(text in any::<String>(), frame in any::<u64>()) {
        letter_in_every_phase(&text, frame);
    }

    #[test]
    fn bytes_that_are_no_text_are_a_letter(bytes in prop::collection::vec(any::<u8>(), 0..200), frame in any::<u64>()) {
        letter_in_every_phase(&String::from_utf8_lossy(&bytes), frame);
    }

    #[test]
    fn words_of_orders_in_any_sequence_are_a_letter(
        words in prop::collection::vec(prop::sample::select(WORDS.split('|').chain(["\n"]).collect::<Vec<_>>()), 0..30),
        frame in any::<u64>(),
    ) {
        letter_in_every_phase(&words.join(" "), frame);
    }
}

/// Words that orders are made of, and what may stand between them.
const WORDS: &str = "move|sail|from|to|load|unload|all|3|65535|99999999999999999999|-1|0|>|->|-|Crete|Thera|Upper Egypt|\
    Chanhu-Daro|Egypt|Rome|build|ship|city|in|for|2|tokens|treasury|maintain|scrap|with|if|then|else|\
    holds|at|most|is|empty|has|barbarians|undo|clear|done|wait|offer|accept|salt|any|saying|:|,|;|loot|\
    card|no|substitute|ships|buy|stack|free|up|until|calamity|keep|tax|expand|select|reduce|płyń|\
    załaduj|jeśli|zbuduj|statek|żeton|ruch|wszystkie|(|)|\"|’|try|resolve|move|Famine|Civil War|victims|lose|spare|pay|\
    discard|use|Diaspora|Politics|Universal Doctrine|Provincial Empire|give|acquire|Library|Anatomy|paying|credits|arts|\
    nothing|as|on|ofiary|tracę|użyj|nabywam|zatrzymuję";

/// Reads and files the text for everybody, and rules on it, in each of the thirteen phases.
fn letter_in_every_phase(text: &str, frame: u64) {
    let script = Script { frame, pieces: (0..60).map(|seed| seed ^ frame).collect(), letters: Vec::new() };
    let position = Position::late(&script);
    let letter = read(text, &position.table.lexicon);
    for phase in &Phase::ALL {
        let state = State::new(Opening { phase: *phase, ..position.opening.clone() });
        let mut sheet = Sheet::default();
        sheet.add(&letter, *phase, 1);
        let sheets = state.ranking().map(|civ| (civ, sheet.clone())).collect();
        adjudicate(&state, &commands(&sheets, *phase, true), &Chance::numbered(0));
    }
}
