//! Scores, their tie-breaks, and how a game comes to its end.

use std::sync::Arc;

use cursus::game::event::{Cause, Event, Score};
use cursus::game::rulebook::{LateIronBonus, LateIronEntry, LateIronPair, WonderAgainstStepBack};
use cursus::game::{
    Chance, City, Commands, Force, Ground, Opening, Owner, Phase, Rulebook, State, TurnPhase, adjudicate, scoring,
    setup,
};
use cursus::rules::{Advance, AreaId, AstSide, Civ, Group, PrintedGame};

/// A game of twelve with these changes, in its last phase.
fn twelve(rulebook: Rulebook, track: AstSide, change: impl Fn(&mut Opening)) -> State {
    let printed = Arc::new(PrintedGame::built_in().expect("the built-in edition is sound"));
    let scenario = printed.scenarios.iter().find(|scenario| scenario.players == 12).expect("a scenario");
    let mut opening = setup::opening(printed.clone(), scenario, rulebook, track);
    opening.phase = Phase::Ast;
    change(&mut opening);
    State::new(opening)
}

fn first(state: &State) -> Civ {
    scoring::scores(state)[0].civ
}

#[test]
fn the_eight_tie_breaks() {
    let plain = || Rulebook { late_iron_bonus: LateIronBonus::None, ..Rulebook::default() };
    let winner = |change: &dyn Fn(&mut Opening)| {
        let state = twelve(plain(), AstSide::Basic, change);
        (first(&state), state.ranking().next().expect("a player"))
    };
    let set = |advances: &[Advance]| advances.iter().copied().collect();
    // 8: nothing but the ranking.
    let (best, top) = winner(&|_| {});
    assert_eq!(best, top);
    let second = |change: &dyn Fn(&mut Opening)| {
        let (best, top) = winner(change);
        assert_ne!(best, top);
    };
    // 1: one step is five cities' worth, so five advances of one point stand against it.
    second(&|opening| {
        let cheap = [Advance::Pottery, Advance::Deism, Advance::Music, Advance::Coinage, Advance::Monarchy];
        opening.holdings[0].advances = set(&cheap);
        opening.holdings[1].position = 1;
    });
    // 2: one of six against two of three; then one of three against three of one.
    second(&|opening| {
        opening.holdings[0].advances = set(&[Advance::Law, Advance::Calendar]);
        opening.holdings[1].advances = set(&[Advance::Library]);
    });
    second(&|opening| {
        opening.holdings[0].advances = set(&[Advance::Coinage, Advance::Metalworking, Advance::Music]);
        opening.holdings[1].advances = set(&[Advance::Literacy]);
    });
    // 3: the dearer one.
    second(&|opening| {
        opening.holdings[0].advances = set(&[Advance::Pottery]);
        opening.holdings[1].advances = set(&[Advance::Deism]);
    });
    // 4: the highest colour, though the others have more together; 5: more together.
    second(&|opening| {
        opening.holdings[0].credits = [(Group::Arts, 10), (Group::Civics, 10), (Group::Crafts, 10)].into();
        opening.holdings[1].credits = [(Group::Arts, 15)].into();
        opening.holdings.iter_mut().skip(2).for_each(|holding| holding.credits.clear());
    });
    second(&|opening| {
        opening.holdings.iter_mut().for_each(|holding| holding.credits = [(Group::Arts, 10)].into());
        opening.holdings[1].credits = [(Group::Arts, 10), (Group::Civics, 5)].into();
    });
    // 6: 150 of cost and 40 of credits each, 20 in one colour; one more city against one more cheap advance.
    second(&|opening| {
        opening.holdings.iter_mut().for_each(|holding| holding.credits.clear());
        opening.holdings[0].advances = set(&[Advance::ClothMaking, Advance::Mysticism, Advance::Sculpture]);
        opening.holdings[1].advances = set(&[Advance::Coinage, Advance::Pottery]);
        opening.holdings[1].credits = [(Group::Science, 10)].into();
        found_city(opening, 1);
    });
    // 7: two more tokens.
    second(&|opening| {
        let (civ, area) = (opening.holdings[1].civ, free_area(opening));
        opening.holdings[1].stock -= 2;
        area_mut(opening, area).forces.push(Force { owner: Owner::Civ(civ), count: 2, moved: 0, ferried: 0 });
    });
}

fn free_area(opening: &Opening) -> AreaId {
    let is_free = |area: &AreaId| {
        let ground = &opening.board[usize::from(area.0)];
        opening.printed.map.area(*area).has_land() && ground.forces.is_empty() && !ground.out_of_play
    };
    opening.printed.map.ids().find(is_free).expect("a free area")
}

fn area_mut(opening: &mut Opening, area: AreaId) -> &mut Ground {
    &mut opening.board[usize::from(area.0)]
}

fn found_city(opening: &mut Opening, index: usize) {
    let (owner, area) = (Owner::Civ(opening.holdings[index].civ), free_area(opening));
    opening.holdings[index].cities -= 1;
    area_mut(opening, area).city = Some(City { owner, new: false });
}

#[test]
fn the_bonus_of_the_late_iron_age() {
    const NONE: [u16; 0] = [];
    let bonuses = |rulebook: Rulebook, track, entered: &[usize]| -> Vec<u16> {
        let state = twelve(rulebook, track, |opening| {
            entered.iter().for_each(|index| opening.holdings[*index].position = 15);
        });
        state.ranking().map(|civ| state.score(civ).bonus).filter(|bonus| *bonus > 0).collect()
    };
    let with = |bonus, pair| Rulebook { late_iron_bonus: bonus, late_iron_pair: pair, ..Rulebook::default() };
    let (nothing, pair) = (LateIronPair::Nothing, LateIronPair::OfDifferentBlocks);
    assert_eq!(bonuses(Rulebook::default(), AstSide::Basic, &[0]), [5]);
    assert_eq!(bonuses(with(LateIronBonus::ExpertOnly, nothing), AstSide::Basic, &[0]), NONE);
    assert_eq!(bonuses(with(LateIronBonus::ExpertOnly, nothing), AstSide::Expert, &[0]), [5]);
    assert_eq!(bonuses(with(LateIronBonus::None, nothing), AstSide::Expert, &[0]), NONE);
    // Minoa is of the West, Saba of the East, Assyria drawn to the East in a game of 12.
    assert_eq!(bonuses(Rulebook::default(), AstSide::Basic, &[0, 1]), NONE);
    assert_eq!(bonuses(with(LateIronBonus::BothTracks, pair), AstSide::Basic, &[0, 1]), [5, 5]);
    assert_eq!(bonuses(with(LateIronBonus::BothTracks, pair), AstSide::Basic, &[1, 2]), NONE);
    assert_eq!(bonuses(with(LateIronBonus::BothTracks, pair), AstSide::Basic, &[0, 1, 2]), NONE);
}

/// Minoa entered the late iron age, and in the last turn Regression takes it back out; Saba enters it then.
#[test]
fn who_entered_the_late_iron_age_has_entered_it_wherever_his_marker_falls() {
    let bonuses = |entry: LateIronEntry, moves: &[(usize, u8)]| -> Vec<u16> {
        let rulebook = Rulebook { late_iron_entry: entry, ..Rulebook::default() };
        let mut state = twelve(rulebook, AstSide::Expert, |opening| opening.holdings[0].position = 15);
        for (index, to) in moves {
            let civ = state.ranking().nth(*index).expect("a player");
            state.apply(&Event::MarkerMoved { civ, to: *to, why: Cause::Ast });
            // Put away and taken up again, it is still known.
            let printed = Arc::new(PrintedGame::built_in().expect("the built-in edition is sound"));
            state = State::thaw(printed, &state.freeze()).expect("a state");
        }
        state.ranking().take(2).map(|civ| state.score(civ).bonus).collect()
    };
    let (entered, stands) = (LateIronEntry::Entered, LateIronEntry::Stands);
    assert_eq!(bonuses(entered, &[(0, 14)]), [5, 0], "the only one to have entered it");
    assert_eq!(bonuses(stands, &[(0, 14)]), [0, 0]);
    assert_eq!(bonuses(entered, &[(0, 14), (1, 15)]), [0, 0], "two have entered it");
    assert_eq!(bonuses(stands, &[(0, 14), (1, 15)]), [0, 5]);
    assert_eq!(bonuses(entered, &[(0, 14), (0, 15)]), [5, 0], "entered twice is entered");
    assert_eq!(bonuses(entered, &[]), bonuses(stands, &[]));
}

#[test]
fn a_score_names_its_parts() {
    let state = twelve(Rulebook::default(), AstSide::Basic, |opening| {
        opening.holdings[0].position = 15;
        opening.holdings[0].advances = [Advance::Pottery, Advance::Law, Advance::Library].into_iter().collect();
    });
    let civ = state.ranking().next().expect("a player");
    assert_eq!(state.score(civ), Score { civ, cities: 0, advances: 10, ast: 75, bonus: 5 });
    assert_eq!(state.score(civ).total(), 90);
}

#[test]
fn the_game_ends_at_once_or_after_one_more_turn() {
    let chance = Chance::numbered(3);
    let late = |track| {
        twelve(Rulebook::default(), track, |opening| {
            opening.holdings[0].position = 15;
            found_city(opening, 0);
        })
    };
    let (events, state) = adjudicate(&late(AstSide::Basic), &Commands::default(), &chance);
    assert!(matches!(events.last(), Some(Event::GameEnded { seed, .. }) if *seed == chance.seed_in_hex()));
    assert!(state.has_ended());
    let (more, same) = adjudicate(&state, &Commands::default(), &chance);
    assert!(more.is_empty() && same == state);

    let (events, mut state) = adjudicate(&late(AstSide::Expert), &Commands::default(), &chance);
    assert!(events.contains(&Event::LastTurnAnnounced { turn: 2 }), "{events:?}");
    assert!(!state.has_ended());
    assert_eq!(state.turn_phase(), TurnPhase::new(2, Phase::Tax));
    // R13.6: exactly one more full turn.
    for _ in Phase::ALL {
        assert!(!state.has_ended());
        state = adjudicate(&state, &Commands { cut_off: true, ..Commands::default() }, &chance).1;
    }
    assert!(state.has_ended());
    assert_eq!(state.turn_phase(), TurnPhase::new(2, Phase::Ast));
}

#[test]
fn wonder_of_the_world_against_the_step_back() {
    for (wonder, position) in [(WonderAgainstStepBack::Protects, 9), (WonderAgainstStepBack::DoesNot, 8)] {
        let rulebook = Rulebook { wonder_against_step_back: wonder, ..Rulebook::default() };
        let state = twelve(rulebook, AstSide::Expert, |opening| {
            opening.holdings[0].position = 9;
            opening.holdings[0].advances = [Advance::WonderOfTheWorld].into_iter().collect();
        });
        let (_, after) = adjudicate(&state, &Commands::default(), &Chance::numbered(0));
        assert_eq!(after.holdings()[0].position, position);
    }
}
