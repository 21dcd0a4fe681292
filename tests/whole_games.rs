//! Setting up every scenario, the short game, leaving, scoring, and proving all of it again.

use std::sync::Arc;

use cursus::game::event::{Cause, Event, Score};
use cursus::game::rulebook::{
    AreasInPlay, BlockChanges, LateIronBonus, LateIronPair, StackPreparation, StackTops, WonderAgainstStepBack,
};
use cursus::game::verify::verify;
use cursus::game::{
    Chance, City, Commands, Force, Ground, Opening, Owner, Phase, Rulebook, State, adjudicate, laws, leaving, replay,
    scoring, setup, short_game,
};
use cursus::rules::{Advance, AreaId, AstSide, Block, CalamityClass, Civ, Face, Group, PrintedGame, Scenario};

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
                    Face::Commodity(_) | Face::Water => None,
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

/// A game with this in the first two holdings.
fn two(rulebook: Rulebook, track: AstSide, change: impl Fn(&mut Opening)) -> State {
    let printed = printed();
    let mut opening = opening(&printed, "both_12", rulebook, track);
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
        let state = two(plain(), AstSide::Basic, change);
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
        let state = two(rulebook, track, |opening| {
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

#[test]
fn a_score_names_its_parts() {
    let state = two(Rulebook::default(), AstSide::Basic, |opening| {
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
        two(Rulebook::default(), track, |opening| {
            opening.holdings[0].position = 15;
            found_city(opening, 0);
        })
    };
    let (events, state) = adjudicate(&late(AstSide::Basic), &Commands::default(), &chance);
    assert!(matches!(events.last(), Some(Event::GameEnded { seed, .. }) if *seed == chance.seed_in_hex()));
    assert!(state.has_ended());
    let (more, same) = adjudicate(&state, &Commands::default(), &chance);
    assert!(more.is_empty() && same == state);

    let (events, state) = adjudicate(&late(AstSide::Expert), &Commands::default(), &chance);
    assert!(events.contains(&Event::LastTurnAnnounced { turn: 2 }), "{events:?}");
    assert!(!state.has_ended());
    assert_eq!((state.turn(), state.phase()), (2, Phase::Tax));
}

#[test]
fn wonder_of_the_world_against_the_step_back() {
    for (wonder, position) in [(WonderAgainstStepBack::Protects, 9), (WonderAgainstStepBack::DoesNot, 8)] {
        let rulebook = Rulebook { wonder_against_step_back: wonder, ..Rulebook::default() };
        let state = two(rulebook, AstSide::Expert, |opening| {
            opening.holdings[0].position = 9;
            opening.holdings[0].advances = [Advance::WonderOfTheWorld].into_iter().collect();
        });
        let (_, after) = adjudicate(&state, &Commands::default(), &Chance::numbered(0));
        assert_eq!(after.holdings()[0].position, position);
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
    // The game goes on without him.
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
