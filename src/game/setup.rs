//! Setting up: who is seated, what stands where, and the stacks as printed for the player count.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::stacks::STACKS;
use super::{
    Chance, Chronicle, Event, Force, Ground, Holding, Opening, Owner, Phase, Purpose, Rulebook, Stacks, State,
};
use crate::rules::{AstSide, Block, CalamityClass, Civ, Face, PrintedGame, Scenario, TradeCard};

/// The opening of a scenario: one token in each start area, everything else in stock. setup.md 3.
pub fn opening(printed: Arc<PrintedGame>, scenario: &Scenario, rulebook: Rulebook, track: AstSide) -> Opening {
    let mut holdings: Vec<_> = scenario
        .civilizations
        .iter()
        .map(|civ| empty_holding(&printed, *civ, scenario.block_of(&printed, *civ)))
        .collect();
    let in_play = |region: Option<Civ>| region.is_none_or(|civ| scenario.civilizations.contains(&civ));
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
    for block in state.stacks().blocks().collect::<Vec<_>>() {
        for stack in 1..=STACKS {
            let cards = prepared(chronicle.state(), chance, block, stack);
            chronicle.record(Event::StackPrepared { block, stack, cards });
        }
    }
    chronicle.close()
}

/// With minor calamities: the two basic sets and the minor on top, the third set and the tradeable below.
/// Without: as many commodities on top as players draw, the tradeable in the rest. The non-tradeable lies at the bottom.
fn prepared(state: &State, chance: &Chance, block: Block, stack: u8) -> Vec<TradeCard> {
    let printed = state.printed();
    let players = state.holdings().iter().filter(|holding| holding.block == block).count();
    let (mut top, mut below, mut bottom, mut third) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut minor = false;
    for card in state.stacks().stack(block, stack) {
        match card.face {
            Face::Commodity(commodity) if printed.commodities[usize::from(commodity.0)].is_third_set() => {
                third.push(*card)
            }
            Face::Commodity(_) | Face::Water => top.push(*card),
            Face::Calamity(calamity) => {
                let printed = &printed.calamities[calamity as usize];
                match (printed.class, printed.tradeable) {
                    (CalamityClass::Minor, _) => {
                        minor = true;
                        top.push(*card);
                    }
                    (CalamityClass::Major, true) => below.push(*card),
                    (CalamityClass::Major, false) => bottom.push(*card),
                }
            }
        }
    }
    chance.shuffle(Purpose::Top, state.draws().count(Purpose::Top), &mut top);
    if minor || !third.is_empty() {
        below.append(&mut third);
    } else {
        below.extend(top.drain(players.min(top.len())..));
    }
    chance.shuffle(Purpose::Below, state.draws().count(Purpose::Below), &mut below);
    top.into_iter().chain(below).chain(bottom).collect()
}
