//! Setting up every scenario, the short game, leaving, and proving all of it again.

use std::sync::Arc;

use cursus::game::event::{Cause, Event};
use cursus::game::rulebook::{AreasInPlay, BlockChanges, StackPreparation, StackTops};
use cursus::game::verify::verify;
use cursus::game::{
    Chance, Commands, Opening, Owner, Phase, Rulebook, State, adjudicate, laws, leaving, replay, setup, short_game,
};
use cursus::rules::{AstSide, Block, CalamityClass, Civ, Face, Group, PrintedGame, Scenario};

fn printed() -> Arc<PrintedGame> {
    Arc::new(PrintedGame::built_in().expect("the built-in edition is sound"))
}

fn scenario<'a>(printed: &'a PrintedGame, key: &str) -> &'a Scenario {
    printed.scenarios.iter().find(|scenario| scenario.key == key).expect("a scenario")
}

fn opening(printed: &Arc<PrintedGame>, key: &str, rulebook: Rulebook, track: AstSide) -> Opening {
    setup::opening(printed.clone(), scenario(printed, key), rulebook, track)
}

#[test]
fn every_scenario_opens_with_its_cards_and_its_credits() {
    let printed = printed();
    assert_eq!(printed.scenarios.len(), 19);
    for scenario in &printed.scenarios {
        let opening = setup::opening(printed.clone(), scenario, Rulebook::default(), AstSide::Basic);
        let (events, state) = setup::begin(&State::new(opening), &Chance::numbered(7));
        assert!(matches!(events[0], Event::GameOpened { .. }), "{}", scenario.key);
        assert_eq!(laws::broken(&state), None, "{}", scenario.key);
        let credits = match scenario.players {
            5 => 10,
            6 | 12 => 5,
            _ => 0,
        };
        let minor = matches!(scenario.players, 9..=11 | 15..=18);
        for holding in state.holdings() {
            assert_eq!(state.credits(holding.civ, Group::Arts), credits, "{}", scenario.key);
            assert_eq!(state.tokens_on_board(holding.civ), 1, "{}", scenario.key);
        }
        for block in state.stacks().blocks().collect::<Vec<_>>() {
            let of_block = state.holdings().iter().filter(|holding| holding.block == block).count();
            for stack in 1..=9 {
                let cards: Vec<_> = state.stacks().stack(block, stack).iter().copied().collect();
                let class = |face| match face {
                    Face::Calamity(calamity) => Some(&printed.calamities[calamity as usize]),
                    Face::Commodity(_) | Face::Water | Face::Unseen | Face::UnseenCalamity => None,
                };
                let calamities = cards.iter().filter(|card| class(card.face).is_some()).count();
                let wanted = if stack == 1 { 0 } else { 2 + usize::from(minor) };
                assert_eq!(calamities, wanted, "{} stack {stack}", scenario.key);
                assert_eq!(cards.len() - calamities, printed_commodities(scenario, stack), "{}", scenario.key);
                if stack > 1 {
                    let last = class(cards[cards.len() - 1].face).expect("a calamity at the bottom");
                    assert!(last.class == CalamityClass::Major && !last.tradeable, "{}", scenario.key);
                }
                if !minor {
                    let top = &cards[..of_block.min(cards.len())];
                    assert!(top.iter().all(|card| class(card.face).is_none()), "{} stack {stack}", scenario.key);
                }
            }
        }
    }
}

/// The tables of setup.md 4.1 and 4.2, in short: the decks of two blocks are as large as that of one.
fn printed_commodities(scenario: &Scenario, stack: u8) -> usize {
    let at = usize::from(stack - 1);
    let two_sets = [18, 16, 17, 15, 13, 11, 11, 9, 9];
    let third_set = [8, 8, 8, 8, 6, 6, 6, 4, 4];
    match scenario.players {
        5..=8 | 12..=14 => two_sets[at],
        9..=11 => two_sets[at] + third_set[at],
        _ => two_sets[at] + third_set[at] / 2,
    }
}

#[test]
fn the_house_rules_of_setting_up_work_either_way() {
    let printed = printed();
    let count = |opening: &Opening, block| opening.holdings.iter().filter(|holding| holding.block == block).count();
    let listed = opening(&printed, "both_12", Rulebook::default(), AstSide::Basic);
    assert_eq!((count(&listed, Block::West), count(&listed, Block::East)), (6, 6));
    let rulebook = Rulebook { block_changes: BlockChanges::HomeBlocks, ..Rulebook::default() };
    let home = opening(&printed, "both_12", rulebook, AstSide::Basic);
    assert_eq!((count(&home, Block::West), count(&home, Block::East)), (7, 5));
    assert!(listed.board.iter().any(|ground| ground.out_of_play));
    let rulebook = Rulebook { areas_in_play: AreasInPlay::WholeBoard, ..Rulebook::default() };
    let whole = opening(&printed, "both_12", rulebook, AstSide::Basic);
    assert!(!whole.board.iter().any(|ground| ground.out_of_play));

    // With 9 players a stack prepared as in smaller games has nine commodities on top; with 12 and tops for all, twelve.
    for (key, rulebook, tops) in [
        ("west_9", Rulebook { stack_preparation: StackPreparation::AsSmallerGames, ..Rulebook::default() }, 9),
        ("both_12", Rulebook { stack_tops: StackTops::AllPlayers, ..Rulebook::default() }, 11),
    ] {
        for seed in 0..20 {
            let state = State::new(opening(&printed, key, rulebook, AstSide::Basic));
            let (_, state) = setup::begin(&state, &Chance::numbered(seed));
            let stack = state.stacks().stack(Block::West, 6);
            let is_commodity = |face: Face| matches!(face, Face::Commodity(_));
            assert!(stack.iter().take(tops).all(|card| is_commodity(card.face)), "{key}");
        }
    }
}

#[test]
fn every_scenario_has_a_short_game() {
    let printed = printed();
    for scenario in &printed.scenarios {
        let opening = short_game::opening(printed.clone(), scenario, Rulebook::default());
        let chance = Chance::numbered(u64::from(scenario.players));
        let (events, state) = short_game::begin(&State::new(opening.clone()), &chance);
        assert_eq!(laws::broken(&state), None, "{}", scenario.key);
        for holding in state.holdings() {
            assert_eq!(state.city_count(holding.civ), 5);
            assert_eq!(state.tokens_on_board(holding.civ), 14, "{}: {:?}", scenario.key, holding.civ);
            assert_eq!((holding.treasury, holding.position, holding.hand.len()), (10, 10, 5));
            assert_eq!(holding.advances.iter().count(), 4);
            let sites = state.cities_of(holding.civ).filter(|area| printed.map.area(*area).site.is_some());
            assert!(sites.count() >= 4, "{}: {:?}", scenario.key, holding.civ);
        }
        assert_eq!(verify(opening, &events, &chance), Ok(state.hash()));
    }
}

#[test]
fn a_player_leaves_and_the_others_play_on() {
    let printed = printed();
    let opening = short_game::opening(printed.clone(), scenario(&printed, "west_7"), Rulebook::default());
    let (_, mut state) = short_game::begin(&State::new(opening), &Chance::numbered(11));
    let civs: Vec<_> = state.ranking().collect();
    let (leaver, guest) = (civs[3], civs[0]);
    // A guest with tokens and a city in the region, and a token of the leaver abroad.
    let home = |civ: Civ| {
        let map = &printed.map;
        map.ids().filter(move |area| map.area(*area).region == Some(civ) && map.area(*area).limit > 0)
    };
    let bare = |state: &State, civ| {
        home(civ).find(|area| state.ground(*area).city.is_none() && state.ground(*area).total() == 0)
    };
    let city = state.cities_of(leaver).next().expect("a city");
    state.apply(&Event::UnitsAnnexed {
        from: Owner::Civ(leaver),
        to: Owner::Civ(guest),
        area: city,
        tokens: 0,
        city: true,
        why: Cause::Leaving,
    });
    let abroad = bare(&state, guest).expect("room");
    state.apply(&Event::TokensGrew { civ: leaver, area: abroad, count: 2 });
    let (events, after) = leaving::leave(&state, leaver);
    assert_eq!(laws::broken(&after), None);
    assert_eq!(replay(&state, &events), after);
    assert!(!after.is_seated(leaver));
    assert_eq!(after.tokens(abroad, Owner::Barbarians), 2);
    for area in home(leaver) {
        let ground = after.ground(area);
        assert!(ground.out_of_play && ground.city.is_none() && ground.forces.is_empty());
    }
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::CityReduced { civ, area, .. } if *civ == guest && *area == city))
    );
    // The game goes on without them.
    let (_, next) = adjudicate(&after, &Commands { cut_off: true, ..Commands::default() }, &Chance::numbered(11));
    assert_eq!(next.phase(), Phase::Expansion);
}

#[test]
fn a_changed_draw_is_noticed() {
    let printed = printed();
    let chance = Chance::numbered(5);
    let opening = opening(&printed, "west_5", Rulebook::default(), AstSide::Basic);
    let (mut events, mut state) = setup::begin(&State::new(opening.clone()), &chance);
    for _ in 0..7 {
        let (happened, then) = adjudicate(&state, &Commands { cut_off: true, ..Commands::default() }, &chance);
        events.extend(happened);
        state = then;
    }
    assert_eq!(verify(opening.clone(), &events, &chance), Ok(state.hash()));
    assert!(verify(opening.clone(), &events, &Chance::numbered(6)).is_err());

    let mut forged = events.clone();
    let Event::StackPrepared { cards, .. } = &mut forged[3] else { panic!("a stack") };
    cards.reverse();
    let broken = verify(opening.clone(), &forged, &chance).expect_err("it is noticed");
    assert_eq!(broken.number, 4);
    assert!(broken.to_string().contains("another stack"), "{broken}");

    // Tokens that are not there.
    let mut forged = events.clone();
    forged.insert(10, Event::TreasuryLost { civ: Civ(0), amount: 40, why: Cause::Ast });
    assert!(verify(opening, &forged, &chance).is_err());
}

#[test]
fn silent_short_games_are_verified_turn_by_turn() {
    let printed = printed();
    for scenario in &printed.scenarios {
        let chance = Chance::numbered(100 + u64::from(scenario.players));
        let opening = short_game::opening(printed.clone(), scenario, Rulebook::default());
        let (mut events, mut state) = short_game::begin(&State::new(opening.clone()), &chance);
        while state.turn() <= 3 && !state.has_ended() {
            let (happened, then) = adjudicate(&state, &Commands { cut_off: true, ..Commands::default() }, &chance);
            assert!(!happened.is_empty(), "{}: {:?} stands still", scenario.key, state.phase());
            events.extend(happened);
            state = then;
        }
        assert_eq!(verify(opening, &events, &chance), Ok(state.hash()), "{}", scenario.key);
    }
}
