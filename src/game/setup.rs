//! Setting up: who is seated, what stands where, and the stacks as printed for the player count.
//!
//! Comes in: a scenario and the house rules. Goes out: an opening, and the first events of its game. Looks at the
//! printed game and nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::rulebook::{AreasInPlay, BlockChanges, StackPreparation, StackTops};
use super::stacks::STACKS;
use super::{
    Chance, Chronicle, Event, Force, Ground, Holding, Opening, Owner, Phase, Purpose, Rulebook, Stacks, State,
};
use crate::rules::{AstSide, Block, CalamityClass, Civ, Face, Group, PrintedGame, Scenario, TradeCard};

/// The opening of a scenario: one token in each start area, everything else in stock. setup.md 3.
pub fn opening(printed: Arc<PrintedGame>, scenario: &Scenario, rulebook: Rulebook, track: AstSide) -> Opening {
    let mut holdings: Vec<_> = scenario
        .civilizations
        .iter()
        .map(|civ| {
            let credits = start_credits(u16::from(scenario.start_credits));
            Holding { credits, ..empty_holding(&printed, *civ, block_of(&printed, scenario, &rulebook, *civ)) }
        })
        .collect();
    let in_play = |region: Option<Civ>| match rulebook.areas_in_play {
        AreasInPlay::Regions => region.is_none_or(|civ| scenario.civilizations.contains(&civ)),
        AreasInPlay::WholeBoard => true,
    };
    let areas = printed.map.areas.iter();
    let mut board: Vec<_> =
        areas.map(|area| Ground { out_of_play: !in_play(area.region), ..Ground::default() }).collect();
    for holding in &mut holdings {
        if let Some(start) = printed.civilizations[usize::from(holding.civ.0)].start {
            let owner = Owner::Civ(holding.civ);
            board[usize::from(start.0)].forces.push(Force { owner, count: 1, moved: 0, ferried: 0 });
            holding.stock -= 1;
        }
    }
    let stacks = Stacks::printed(&printed, &scenario.trade_blocks, scenario.players, scenario.minor_calamities);
    Opening {
        rulebook,
        track,
        players: scenario.players,
        turn: 1,
        phase: Phase::Tax,
        holdings,
        board,
        stacks,
        givers: BTreeMap::new(),
        printed,
    }
}

/// The first events of a game: what is promised of its chance, and the stacks.
pub fn begin(state: &State, chance: &Chance) -> (Vec<Event>, State) {
    let mut chronicle = Chronicle::open(state);
    open(&mut chronicle, chance);
    chronicle.close()
}

/// Publishes the hash of the seed and prepares all stacks.
pub(super) fn open(chronicle: &mut Chronicle, chance: &Chance) {
    chronicle.record(Event::GameOpened { commitment: chance.commitment_in_hex() });
    prepare(chronicle, chance);
}

/// The stacks a civilization draws from. setup.md 3.
pub(crate) fn block_of(printed: &PrintedGame, scenario: &Scenario, rulebook: &Rulebook, civ: Civ) -> Block {
    match (rulebook.block_changes, &scenario.trade_blocks[..]) {
        (BlockChanges::AsListed, _) | (BlockChanges::HomeBlocks, [_]) => scenario.block_of(printed, civ),
        (BlockChanges::HomeBlocks, _) => printed.civilizations[usize::from(civ.0)].block,
    }
}

/// So many points of every colour. setup.md 3.
fn start_credits(points: u16) -> BTreeMap<Group, u16> {
    let colours = [Group::Arts, Group::Civics, Group::Crafts, Group::Religion, Group::Science];
    colours.into_iter().filter(|_| points > 0).map(|group| (group, points)).collect()
}

/// A civilization with everything in stock.
pub fn empty_holding(printed: &PrintedGame, civ: Civ, block: Block) -> Holding {
    Holding {
        civ,
        block,
        stock: printed.pieces.tokens,
        treasury: 0,
        cities: printed.pieces.cities,
        ships: Vec::new(),
        ships_built: 0,
        scrapped: Vec::new(),
        hand: Vec::new(),
        advances: Default::default(),
        position: 0,
        census: 0,
        credits: BTreeMap::new(),
    }
}

/// Prepares all stacks of a game that begins. R6.1, setup.md 4.3.
pub fn prepare_stacks(state: &State, chance: &Chance) -> (Vec<Event>, State) {
    let mut chronicle = Chronicle::open(state);
    prepare(&mut chronicle, chance);
    chronicle.close()
}

fn prepare(chronicle: &mut Chronicle, chance: &Chance) {
    for block in chronicle.state().stacks().blocks().collect::<Vec<_>>() {
        for stack in 1..=STACKS {
            let cards = prepared(chronicle.state(), chance, block, stack);
            chronicle.record(Event::StackPrepared { block, stack, cards });
        }
    }
}

/// With minor calamities: the two basic sets and the minor on top, the third set and the tradeable below.
/// Without: as many commodities on top as players draw, the tradeable in the rest. The non-tradeable lies at the bottom.
pub(super) fn prepared(state: &State, chance: &Chance, block: Block, stack: u8) -> Vec<TradeCard> {
    let printed = state.printed();
    let is_third = |card: &TradeCard| match card.face {
        Face::Commodity(commodity) => printed.commodities[usize::from(commodity.0)].is_third_set(),
        Face::Water | Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => false,
    };
    let (mut basic, mut third, mut minor, mut tradeable, mut bottom) = (vec![], vec![], vec![], vec![], vec![]);
    for card in state.stacks().stack(block, stack) {
        match card.face {
            Face::Commodity(_) if is_third(card) => third.push(*card),
            Face::Commodity(_) | Face::Water | Face::Unseen | Face::UnseenCalamity => basic.push(*card),
            Face::Calamity(calamity) => {
                let printed = &printed.calamities[calamity as usize];
                match (printed.class, printed.tradeable) {
                    (CalamityClass::Minor, _) => minor.push(*card),
                    (CalamityClass::Major, true) => tradeable.push(*card),
                    (CalamityClass::Major, false) => bottom.push(*card),
                }
            }
        }
    }
    let is_large = !minor.is_empty() || !third.is_empty();
    let (mut top, mut below, set_aside) = match state.rulebook().stack_preparation {
        StackPreparation::ThirdSetBelow if is_large => ([basic, minor].concat(), [tradeable, third].concat(), None),
        StackPreparation::ThirdSetBelow | StackPreparation::AsSmallerGames => {
            ([basic, third].concat(), [tradeable, minor].concat(), Some(tops(state, block)))
        }
    };
    chance.shuffle(Purpose::Top, state.draws().count(Purpose::Top), &mut top);
    if let Some(players) = set_aside {
        below.extend(top.drain(players.min(top.len())..));
    }
    chance.shuffle(Purpose::Below, state.draws().count(Purpose::Below), &mut below);
    top.into_iter().chain(below).chain(bottom).collect()
}

/// How many commodities are set aside for the top of a stack.
fn tops(state: &State, block: Block) -> usize {
    match state.rulebook().stack_tops {
        StackTops::PlayersOfBlock => state.holdings().iter().filter(|holding| holding.block == block).count(),
        StackTops::AllPlayers => state.holdings().len(),
    }
}
