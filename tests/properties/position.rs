//! Random positions: boards that respect 55 tokens, 9 cities and 4 ships, with treasuries, hands and advances.

use std::collections::BTreeMap;

use cursus::game::rulebook::*;
use cursus::game::stacks::STACKS;
use cursus::game::{City, Force, Opening, Owner, Phase, Rulebook, Ship, ShipCondition, Stacks, State, setup};
use cursus::rules::{Advance, AreaId, AstSide, Block, Civ};

use super::maps::{self, Table};
use super::{Dice, Script};

/// A random position.
pub struct Position {
    /// The board and the names.
    pub table: &'static Table,
    /// What is true at first.
    pub opening: Opening,
    /// The areas where the pieces stand close together.
    pub theatre: Vec<AreaId>,
}

/// The advances that matter in phases 1 to 7.
const ADVANCES: [Advance; 24] = [
    Advance::Coinage,
    Advance::Monarchy,
    Advance::Democracy,
    Advance::Military,
    Advance::Roadbuilding,
    Advance::ClothMaking,
    Advance::Astronavigation,
    Advance::NavalWarfare,
    Advance::AdvancedMilitary,
    Advance::Diplomacy,
    Advance::CulturalAscendancy,
    Advance::Metalworking,
    Advance::Engineering,
    Advance::Architecture,
    Advance::Urbanism,
    Advance::PublicWorks,
    Advance::Agriculture,
    Advance::Rhetoric,
    Advance::Cartography,
    Advance::Mining,
    Advance::WonderOfTheWorld,
    Advance::AdvancedMilitary,
    Advance::NavalWarfare,
    Advance::PublicWorks,
];

impl Position {
    /// The position of a script.
    pub fn of(script: &Script) -> Position {
        let mut dice = Dice::new(script.frame);
        let mut position = Position::on_a_board(&mut dice);
        let phases = &Phase::ALL[..7];
        // Whole turns are the most telling.
        position.opening.phase = if dice.percent(50) { Phase::Tax } else { phases[dice.below(phases.len())] };
        for seed in &script.pieces {
            position.place(&mut Dice::new(*seed));
        }
        position.settle(script);
        position
    }

    /// The printed map or a little one, with nothing but the start.
    pub fn on_a_board(dice: &mut Dice) -> Position {
        if dice.percent(50) { printed_map(dice) } else { little_map(dice) }
    }

    /// Takes the census and shuffles what was not drawn.
    pub fn settle(&mut self, script: &Script) {
        for holding in &mut self.opening.holdings {
            holding.census = self.opening.printed.pieces.tokens - holding.stock - holding.treasury;
        }
        let (_, prepared) = setup::prepare_stacks(&self.state(), &cursus::game::Chance::numbered(script.frame));
        self.opening.stacks = prepared.stacks().clone();
    }

    /// What is true at first.
    pub fn state(&self) -> State {
        State::new(self.opening.clone())
    }

    /// The same with nothing on the board but in this area.
    pub fn alone(&self, area: AreaId) -> State {
        let mut opening = self.opening.clone();
        for (id, ground) in (0..).map(AreaId).zip(&mut opening.board) {
            if id == area {
                continue;
            }
            for force in ground.forces.drain(..) {
                if let Some(holding) = opening.holdings.iter_mut().find(|it| Owner::Civ(it.civ) == force.owner) {
                    holding.stock += force.count;
                }
            }
            if let Some(city) = ground.city.take()
                && let Some(holding) = opening.holdings.iter_mut().find(|it| Owner::Civ(it.civ) == city.owner)
            {
                holding.cities += 1;
            }
        }
        State::new(opening)
    }

    /// One piece of news; nothing where the pieces have run out.
    pub fn place(&mut self, dice: &mut Dice) {
        let area = dice.pick(&self.theatre).expect("a theatre has areas");
        let seat = dice.below(self.opening.holdings.len());
        let opening = &mut self.opening;
        let has_land = opening.printed.map.area(area).has_land();
        // R5.4: no city ever comes to stand on a limit of 0.
        let may_hold_city = opening.printed.map.area(area).limit > 0;
        let ground = &mut opening.board[usize::from(area.0)];
        let holding = &mut opening.holdings[seat];
        let owner = Owner::Civ(holding.civ);
        match dice.below(20) {
            0..=7 if has_land && !ground.out_of_play => {
                let count = dice.between(1, 9).min(holding.stock);
                holding.stock -= count;
                add(&mut ground.forces, owner, count);
            }
            8..=9 if may_hold_city && !ground.out_of_play && ground.city.is_none() && holding.cities > 0 => {
                holding.cities -= 1;
                ground.city = Some(City { owner, new: dice.percent(10) });
            }
            10 if has_land && !ground.out_of_play => match ground.city {
                None if may_hold_city && dice.percent(60) => {
                    ground.city = Some(City { owner: Owner::Barbarians, new: false })
                }
                _ => add(&mut ground.forces, Owner::Barbarians, dice.between(1, 8)),
            },
            11..=12 if ground_has_water(&opening.printed.map, area) && holding.ships.len() < 4 => {
                let ship = Ship { area, condition: ShipCondition::Old, steps: 0, sailed: false };
                holding.ships.push(ship);
            }
            13..=14 => {
                // Now and then nearly the whole stock, for a short stock is where the rules are subtle.
                let most = if dice.percent(20) { 50 } else { 15 };
                let count = dice.between(1, most).min(holding.stock);
                holding.stock -= count;
                holding.treasury += count;
            }
            15..=17 => {
                for _ in 0..dice.between(1, 6) {
                    draw(&mut opening.stacks, dice, holding);
                }
            }
            18..=19 => {
                for _ in 0..dice.between(1, 3) {
                    holding.advances.insert(ADVANCES[dice.below(ADVANCES.len())]);
                }
            }
            _ => {}
        }
    }
}

fn ground_has_water(map: &cursus::rules::Map, area: AreaId) -> bool {
    map.area(area).is_coastal() || map.area(area).kind == cursus::rules::AreaKind::Sea
}

fn add(forces: &mut Vec<Force>, owner: Owner, count: u16) {
    match forces.binary_search_by_key(&owner, |force| force.owner) {
        Ok(index) => forces[index].count += count,
        Err(_) if count == 0 => {}
        Err(index) => forces.insert(index, Force { owner, count, moved: 0, ferried: 0 }),
    }
}

/// A card from anywhere in a stack goes to a hand.
fn draw(stacks: &mut Stacks, dice: &mut Dice, holding: &mut cursus::game::Holding) {
    let stack = 1 + dice.below(usize::from(STACKS)) as u8;
    let mut cards: Vec<_> = stacks.stack(holding.block, stack).iter().copied().collect();
    if !cards.is_empty() {
        holding.hand.push(cards.remove(dice.below(cards.len())));
        holding.hand.sort_unstable();
        stacks.lay(holding.block, stack, cards);
    }
}

fn printed_map(dice: &mut Dice) -> Position {
    let table = maps::printed();
    let scenario = dice.pick(&table.printed.scenarios).expect("there are scenarios");
    let opening = setup::opening(table.printed.clone(), &scenario, rulebook(dice), AstSide::Basic);
    let in_play = |area: &AreaId| !opening.board[usize::from(area.0)].out_of_play;
    let map = &table.printed.map;
    // The start area of somebody and what lies around it.
    let civ = opening.holdings[dice.below(opening.holdings.len())].civ;
    let start = table.printed.civilizations[usize::from(civ.0)].start.expect("everybody starts somewhere");
    let mut theatre = vec![start];
    let mut next = 0;
    while theatre.len() < 24 && next < theatre.len() {
        let area = map.area(theatre[next]);
        for neighbour in area.land.iter().chain(&area.water).copied() {
            if !theatre.contains(&neighbour) && (in_play(&neighbour) || dice.percent(10)) {
                theatre.push(neighbour);
            }
        }
        next += 1;
    }
    Position { table, opening, theatre }
}

fn little_map(dice: &mut Dice) -> Position {
    let table = maps::little(dice.next());
    let players = 2 + dice.below(5);
    let all = (0..table.printed.civilizations.len() as u8).map(Civ).collect();
    let mut civs: Vec<_> = dice.shuffled(all).into_iter().take(players).collect();
    civs.sort_unstable();
    let two = dice.percent(20);
    let blocks = if two { vec![Block::West, Block::East] } else { vec![Block::West] };
    let holdings = civs.iter().enumerate();
    let holdings = holdings.map(|(seat, civ)| setup::empty_holding(&table.printed, *civ, blocks[seat % blocks.len()]));
    let stacks = Stacks::printed(&table.printed, &blocks, if two { 15 } else { 9 }, dice.percent(50));
    let opening = Opening {
        printed: table.printed.clone(),
        rulebook: rulebook(dice),
        track: AstSide::Basic,
        players: players as u8,
        turn: 1,
        phase: Phase::Tax,
        holdings: holdings.collect(),
        board: table
            .printed
            .map
            .ids()
            .map(|area| cursus::game::Ground { out_of_play: table.out_of_play.contains(&area), ..Default::default() })
            .collect(),
        stacks,
        givers: BTreeMap::new(),
    };
    Position { table, opening, theatre: table.printed.map.ids().collect() }
}

/// The recommended house rules, or any.
fn rulebook(dice: &mut Dice) -> Rulebook {
    if dice.percent(60) {
        return Rulebook::default();
    }
    let mut yes_no = || if dice.percent(50) { YesNo::Yes } else { YesNo::No };
    let (loot_without_survivors, purchases_without_cities, water_naming) = (yes_no(), yes_no(), yes_no());
    Rulebook {
        black_pieces: [BlackPieces::Unlimited, BlackPieces::AsPrinted][dice.below(2)],
        revolt_beneficiary: [RevoltBeneficiary::MustAnnex, RevoltBeneficiary::MayDecline][dice.below(2)],
        shared_expansion: [SharedExpansion::OwnTokens, SharedExpansion::AllTokens][dice.below(2)],
        ship_rides: [ShipRides::One, ShipRides::Several][dice.below(2)],
        ship_rebuilding: [ShipRebuilding::Anywhere, ShipRebuilding::SamePlace][dice.below(2)],
        ship_voyage: [ShipVoyage::InParts, ShipVoyage::InOneGo][dice.below(2)],
        pirate_sequence: [PirateSequence::AttackersRanking, PirateSequence::Alphabetical][dice.below(2)],
        expansion_conflicts: [ExpansionConflicts::Fought, ExpansionConflicts::Peaceful][dice.below(2)],
        short_reduction: [ShortReduction::WhatStockAllows, ShortReduction::Nothing][dice.below(2)],
        loot_without_survivors,
        purchases_without_cities,
        water_naming,
        calamity_excess: [CalamityExcess::MajorFirst, CalamityExcess::AnyCard][dice.below(2)],
        damage_rounding: [DamageRounding::AtLeast, DamageRounding::AtMost][dice.below(2)],
        earthquake_pirates: [EarthquakePirates::MayBeChosen, EarthquakePirates::MayNot][dice.below(2)],
        slave_revolt_new_cities: [SlaveRevoltCities::First, SlaveRevoltCities::Free][dice.below(2)],
        flood_coast_engineering: [FloodCoast::Applies, FloodCoast::DoesNot][dice.below(2)],
        iconoclasm_modifiers: [IconoclasmModifiers::AllVictims, IconoclasmModifiers::MonotheismOnly][dice.below(2)],
        wonder_against_step_back: [WonderAgainstStepBack::Protects, WonderAgainstStepBack::DoesNot][dice.below(2)],
        late_iron_bonus: [LateIronBonus::BothTracks, LateIronBonus::ExpertOnly, LateIronBonus::None][dice.below(3)],
        late_iron_pair: [LateIronPair::Nothing, LateIronPair::OfDifferentBlocks][dice.below(2)],
        late_iron_entry: [LateIronEntry::Entered, LateIronEntry::Stands][dice.below(2)],
        block_changes: [BlockChanges::AsListed, BlockChanges::HomeBlocks][dice.below(2)],
        areas_in_play: [AreasInPlay::Regions, AreasInPlay::WholeBoard][dice.below(2)],
        stack_preparation: [StackPreparation::ThirdSetBelow, StackPreparation::AsSmallerGames][dice.below(2)],
        stack_tops: [StackTops::PlayersOfBlock, StackTops::AllPlayers][dice.below(2)],
    }
}
