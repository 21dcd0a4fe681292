//! Properties over random positions and random orders of phases 1 to 7, and of 8 to 13, on the printed map and on little
//! maps.
//!
//! The games are the same at every run; `PROPTEST_RNG_SEED` and `PROPTEST_CASES` choose others, and more of them.

#[path = "properties/random.rs"]
mod random;

use std::collections::BTreeMap;

use cursus::game::command::Wish;
use cursus::game::{
    Awaited, Chance, Command, Commands, Decision, Event, Filed, Known, LineId, Opening, Phase, Reader, State,
    adjudicate,
};
use cursus::orders::{Reading, Sheet, Written, awaited, commands, owed, read};
use cursus::report::perils::perils;
use cursus::report::powers::powers;
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
                prop_assert_eq!(misread(&position, &proposal.lines), None);
                let (refused, loss) = played_out(&state, civ, &proposal.lines);
                prop_assert_eq!(refused, 0, "{:?}", proposal.lines);
                prop_assert_eq!(&loss, &proposal.loss, "{:?}", proposal.lines);
                prop_assert!(loss.ships.len() <= plain.ships.len() && loss != plain);
            }
        }
    }
}

proptest! {
    #![proptest_config(config(40))]

    /// A line that the form of phases 9 and 10 shows can be read in both languages and is taken as it stands: it comes to what
    /// would happen anyway, or it uses what it names.
    #[test]
    fn every_line_shown_for_calamities_and_abilities_is_taken(script in late_scripts()) {
        let mut position = Position::late(&script);
        position.opening.phase = Phase::Calamities;
        let state = position.state();
        for civ in state.ranking() {
            let known = Known::of(&state, Reader::Player(civ));
            for peril in perils(&known, civ, &Sheet::default()) {
                prop_assert_eq!(misread(&position, &peril.lines), None);
                for line in &peril.lines {
                    let sheet = Sheet::default().with_form(std::slice::from_ref(line), Phase::Calamities);
                    let other = perils(&known, civ, &sheet).into_iter().find(|other| other.calamity == peril.calamity);
                    let pays = matches!(line, Command::Wish { wish: Wish::Pay(_), .. });
                    let other = other.expect("the same calamity");
                    prop_assert_eq!(other.events != peril.events, pays, "{:?}", line);
                }
            }
        }
        position.opening.phase = Phase::Abilities;
        let state = position.state();
        let known = |civ| Known::of(&state, Reader::Player(civ));
        for civ in state.ranking() {
            for line in powers(&known(civ), civ).iter().filter_map(|power| power.line(&known(civ), civ)) {
                prop_assert_eq!(misread(&position, std::slice::from_ref(&line)), None);
                let filed = Filed { civ, line: LineId(1), ahead: false, command: line.clone() };
                let commands = Commands { filed: vec![filed], cut_off: true, ..Commands::default() };
                let (events, _) = adjudicate(&state, &commands, &Chance::numbered(script.frame));
                prop_assert!(!events.iter().any(|event| matches!(event, Event::Refused { .. })), "{line:?}");
                prop_assert!(events.iter().any(|event| matches!(event, Event::AbilityUsed { .. })), "{line:?}");
            }
        }
    }

    /// Who is awaited, and who owes something, follows from what lies open: the faces of cards are the same for that as cards
    /// that show nothing. In phase 9 everybody is awaited alike; whoever could do something is awaited, and nobody alone.
    #[test]
    fn who_is_awaited_tells_of_no_card(script in late_scripts()) {
        let mut position = Position::late(&script);
        for phase in Phase::ALL {
            position.opening.phase = phase;
            let state = position.state();
            let open = Known::of(&state, Reader::Onlooker);
            let civs: Vec<Civ> = state.ranking().collect();
            let readers = civs.iter().map(|civ| Reader::Player(*civ)).chain([Reader::Public]);
            for known in readers.map(|reader| Known::of(&state, reader)) {
                prop_assert_eq!(awaited(&known), awaited(&open), "{:?}", phase);
                for civ in &civs {
                    let owes = |known: &Known| owed(known, *civ, &Sheet::default());
                    prop_assert_eq!(owes(&known), owes(&open), "{:?}, {:?}", phase, civ);
                }
            }
            let asked = |civ: &Civ, decision| awaited(&open).contains(&Awaited { civ: *civ, decision });
            match phase {
                Phase::Calamities => {
                    let count = civs.iter().filter(|civ| asked(civ, Decision::Calamities)).count();
                    prop_assert!(count == 0 || count == civs.len());
                }
                Phase::Abilities => for civ in civs.iter().filter(|civ| !asked(civ, Decision::Abilities)) {
                    let known = Known::of(&state, Reader::Player(*civ));
                    let usable = powers(&known, *civ).iter().find_map(|power| power.line(&known, *civ));
                    prop_assert_eq!(usable, None, "of somebody who is not asked");
                },
                Phase::Trade => prop_assert_ne!(awaited(&open).len(), 1, "nobody trades alone"),
                _ => {}
            }
        }
    }
}

/// What these lines are read as, in the first language that does not give them back.
fn misread(position: &Position, lines: &[Command]) -> Option<String> {
    Language::ALL.into_iter().find_map(|language| {
        let names = Names::new(&position.table.printed, language);
        let text: Vec<_> = lines.iter().map(|line| worded(names, line)).collect();
        let written = read(&text.join("\n"), &position.table.lexicon);
        let written: Vec<_> = written.iter().flat_map(|line| &line.pieces).map(|piece| &piece.reading).collect();
        let meant: Vec<_> = lines.iter().map(|line| Reading::Written(Written::Orders(vec![line.clone()]))).collect();
        let is_meant = written.len() == meant.len() && written.iter().zip(&meant).all(|(read, meant)| *read == meant);
        (!is_meant).then(|| format!("{text:?}: {written:?}"))
    })
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

    /// R4.12, R4.22: and where everybody waits and loses something else wherever they can.
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
