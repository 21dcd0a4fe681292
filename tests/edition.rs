//! The built-in edition loads, with the facts it should have.

use std::collections::BTreeSet;

use cursus::rules::ast::Victory;
use cursus::rules::{
    Advance, Area, AreaId, AreaKind, AstSide, Block, Calamity, CalamityCard, CalamityClass, CitySite, Civ,
    EditionFiles, Epoch, PrintedGame,
};

fn built_in() -> PrintedGame {
    PrintedGame::built_in().unwrap_or_else(|error| panic!("{error}"))
}

fn area<'a>(printed: &'a PrintedGame, key: &str) -> &'a Area {
    printed.map.areas.iter().find(|area| area.key == key).expect("the area exists")
}

fn pairs(printed: &PrintedGame, borders: fn(&Area) -> &Vec<AreaId>) -> usize {
    printed.map.areas.iter().map(|area| borders(area).len()).sum::<usize>() / 2
}

#[test]
fn the_built_in_edition_is_complete() {
    let printed = built_in();
    let of_kind = |kind| printed.map.areas.iter().filter(|area| area.kind == kind).count();
    assert_eq!(printed.map.areas.len(), 338);
    assert_eq!([AreaKind::Land, AreaKind::Coastal, AreaKind::Sea, AreaKind::OpenSea].map(of_kind), [137, 181, 0, 20],);
    assert_eq!(pairs(&printed, |area| &area.land), 712);
    assert_eq!(pairs(&printed, |area| &area.water), 430);
    assert_eq!(printed.map.flood_plains.len(), 9);
    assert_eq!(printed.map.volcanoes.len(), 6);
    assert_eq!(printed.commodities.len(), 45);
    assert_eq!(printed.commodities.iter().map(|card| u32::from(card.cards)).sum::<u32>(), 296);
    assert_eq!(printed.calamities.len(), 24);
    let modifiers = |card: &CalamityCard| card.modifiers.iter().map(|by| by.advance).collect::<Vec<_>>();
    let modifiers: Vec<_> = printed.calamities.iter().map(modifiers).collect();
    assert_eq!(modifiers.iter().map(Vec::len).sum::<usize>(), 52);
    let distinct = |advances: &Vec<Advance>| BTreeSet::from_iter(advances).len();
    assert_eq!(modifiers.iter().map(distinct).sum::<usize>(), 51, "Naval Warfare changes Piracy in two ways");
    assert_eq!(printed.advances.len(), 51);
    assert_eq!(printed.civilizations.len(), 18);
    assert_eq!(printed.scenarios.len(), 19);
    assert_eq!((printed.pieces.tokens, printed.pieces.cities, printed.pieces.ships), (55, 9, 4));
    assert!(printed.civilizations.iter().all(|civilization| civilization.start.is_some()));
}

#[test]
fn cards_stand_at_the_place_of_their_enum() {
    let printed = built_in();
    assert!(printed.advances.iter().zip(Advance::ALL).all(|(card, advance)| card.advance == advance));
    assert!(printed.calamities.iter().zip(Calamity::ALL).all(|(card, calamity)| card.calamity == calamity));
    let orders: BTreeSet<u8> = printed.calamities.iter().map(|card| card.order).collect();
    assert_eq!(orders, (1..=24).collect());
}

#[test]
fn single_facts_of_the_map() {
    let printed = built_in();
    let knossos = area(&printed, "knossos");
    assert_eq!((knossos.limit, knossos.site, knossos.kind), (3, Some(CitySite::Black), AreaKind::Coastal));
    let neighbours = |borders: &[AreaId]| -> BTreeSet<String> {
        borders.iter().map(|id| printed.map.area(*id).key.clone()).collect()
    };
    assert_eq!(neighbours(&knossos.land), BTreeSet::from(["phaestos".to_owned()]));
    assert_eq!(
        neighbours(&knossos.water),
        ["aegean_sea", "eastern_mediterranean", "phaestos", "rhodes", "thera"].map(str::to_owned).into(),
    );
    assert_eq!(printed.map.area(printed.civilizations[0].start.expect("Minoa has a start")).key, "knossos");
    assert_eq!(knossos.region, Some(Civ(0)));

    assert_eq!(area(&printed, "tunisia").limit, 2);
    let nis = area(&printed, "nis");
    assert_eq!(nis.site, Some(CitySite::White));
    assert_eq!(nis.features.flood_plain.map(|plain| printed.map.flood_plains[plain].key.as_str()), Some("hamun"));
    let etna = printed.map.volcanoes.iter().find(|volcano| volcano.key == "etna").expect("Etna is on the map");
    assert_eq!(neighbours(&etna.areas), BTreeSet::from(["milazzo".to_owned(), "syracuse".to_owned()]),);
    assert_eq!(area(&printed, "western_sogdiana").kind, AreaKind::Land);
    assert!(printed.map.areas.iter().all(|area| area.land.is_sorted() && area.water.is_sorted()));
    assert!(printed.map.areas.iter().all(|area| area.has_land() != area.drawing.land.is_empty()));
}

#[test]
fn single_facts_of_the_cards() {
    let printed = built_in();
    let cloth_making = &printed.advances[Advance::ClothMaking as usize];
    assert_eq!((cloth_making.cost, cloth_making.victory_points), (50, 1));
    assert_eq!(cloth_making.credit_to, Some((Advance::NavalWarfare, 10)));
    let famine = &printed.calamities[Calamity::Famine as usize];
    assert_eq!((famine.stack, famine.class, famine.tradeable), (3, CalamityClass::Major, false));
    assert!(famine.effect.contains(&("damage".to_owned(), 10)));
    let both_13 = printed.scenarios.iter().find(|scenario| scenario.key == "both_13").expect("13 play on both maps");
    assert_eq!(both_13.block_changes, [(Civ(2), Block::East), (Civ(16), Block::East)]);
    assert_eq!(printed.polish.area["babylon"].loc.as_deref(), Some("Babilonie"));
}

#[test]
fn the_ast_has_two_sides() {
    let printed = built_in();
    let (basic, expert) = (printed.ast.track(AstSide::Basic), printed.ast.track(AstSide::Expert));
    assert_eq!((basic.last_step, expert.last_step), (15, 16));
    assert_eq!((basic.extra_final_turn, expert.extra_final_turn), (false, true));
    let kushan = Civ(9);
    assert_eq!(basic.first_step(kushan, Epoch::EarlyBronze), 5);
    assert_eq!(expert.first_step(kushan, Epoch::EarlyBronze), 6);
    assert_eq!(expert.epoch(kushan, 5), Epoch::Stone);
    assert_eq!(basic.requirement(Epoch::LateBronze).advances_cost_100_or_more, 3);
    let asked = expert.requirement(Epoch::LateIron);
    assert_eq!((asked.cities, asked.advances_cost_below_100, asked.advance_victory_points), (6, 17, 56));
    assert_eq!(printed.ast.victory, Victory { per_city: 1, per_ast_step: 5, alone_in_late_iron: 5 });
}

#[test]
fn the_files_can_be_fetched_by_name() {
    let built_in = EditionFiles::built_in();
    let texts = [
        &built_in.map,
        &built_in.outlines,
        &built_in.features,
        &built_in.trade_cards,
        &built_in.calamities,
        &built_in.advances,
        &built_in.civilizations,
        &built_in.scenarios,
        &built_in.polish,
    ];
    let fetched = EditionFiles::fetch(|name| {
        texts.iter().find(|file| file.name == name).map(|file| file.text.to_string()).ok_or(())
    });
    assert_eq!(fetched, Ok(built_in));
}
