//! The nine stacks of trade cards and their discards, per block.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::rules::{Block, Face, PrintedGame, TradeCard};

/// How many stacks a block has.
pub const STACKS: u8 = 9;

/// All stacks in play.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stacks {
    blocks: BTreeMap<Block, [Pile; STACKS as usize]>,
}

/// One stack and the discards that will go under it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Pile {
    stack: VecDeque<TradeCard>,
    discards: Vec<TradeCard>,
}

impl Stacks {
    /// The printed cards of these blocks for so many players, unshuffled. setup.md 4.
    pub fn printed(printed: &PrintedGame, blocks: &[Block], players: u8, minor_calamities: bool) -> Stacks {
        let mut stacks = Stacks::default();
        for &block in blocks {
            let mut piles: [Pile; STACKS as usize] = Default::default();
            for (stack, card) in printed_cards(printed, block, blocks.len() > 1, players, minor_calamities) {
                piles[usize::from(stack - 1)].stack.push_back(card);
            }
            stacks.blocks.insert(block, piles);
        }
        stacks
    }

    /// The same blocks, with no card to be seen.
    pub(super) fn covered(&self) -> Stacks {
        Stacks { blocks: self.blocks.keys().map(|block| (*block, Default::default())).collect() }
    }

    /// The blocks in play.
    pub fn blocks(&self) -> impl Iterator<Item = Block> {
        self.blocks.keys().copied()
    }

    /// The cards of a stack, top card first.
    pub fn stack(&self, block: Block, stack: u8) -> &VecDeque<TradeCard> {
        &self.pile(block, stack).stack
    }

    /// The top card; none if the stack is empty.
    pub fn top(&self, block: Block, stack: u8) -> Option<TradeCard> {
        self.stack(block, stack).front().copied()
    }

    /// Lays a stack anew, top card first.
    pub fn lay(&mut self, block: Block, stack: u8, cards: impl IntoIterator<Item = TradeCard>) {
        self.pile_mut(block, stack).stack = cards.into_iter().collect();
    }

    /// Takes the top card away.
    pub(super) fn draw(&mut self, block: Block, stack: u8) {
        self.pile_mut(block, stack).stack.pop_front();
    }

    /// The cards discarded to a stack.
    pub fn discards(&self, block: Block, stack: u8) -> &[TradeCard] {
        &self.pile(block, stack).discards
    }

    /// Puts a card on the discards of its stack.
    pub(super) fn discard(&mut self, stack: u8, card: TradeCard) {
        self.pile_mut(card.block, stack).discards.push(card);
    }

    /// Lays a stack anew from itself and its discards.
    pub(super) fn reshuffle(&mut self, block: Block, stack: u8, cards: impl IntoIterator<Item = TradeCard>) {
        self.lay(block, stack, cards);
        self.pile_mut(block, stack).discards.clear();
    }

    /// Every card in stacks and discards.
    pub(crate) fn cards(&self) -> impl Iterator<Item = TradeCard> {
        self.blocks.values().flatten().flat_map(|pile| pile.stack.iter().chain(&pile.discards).copied())
    }

    fn pile(&self, block: Block, stack: u8) -> &Pile {
        let piles = self.blocks.get(&block).expect("every seated civilization draws from a block in play");
        &piles[usize::from(stack - 1)]
    }

    fn pile_mut(&mut self, block: Block, stack: u8) -> &mut Pile {
        let piles = self.blocks.get_mut(&block).expect("every seated civilization draws from a block in play");
        &mut piles[usize::from(stack - 1)]
    }
}

/// The cards of a block with the number of their stack.
fn printed_cards(
    printed: &PrintedGame,
    block: Block,
    two_blocks: bool,
    players: u8,
    minor_calamities: bool,
) -> impl Iterator<Item = (u8, TradeCard)> {
    use crate::rules::{CalamityClass, Commodity};
    let commodities = printed.commodities.iter().enumerate().flat_map(move |(id, card)| {
        let count = match (two_blocks, block) {
            (true, _) if players < card.double_min_players => 0,
            (true, Block::West) => card.west_cards,
            (true, Block::East) => card.east_cards,
            (false, _) if !card.single_blocks.contains(&block) || players.max(5) < card.single_min_players => 0,
            (false, _) => card.cards,
        };
        let face = Face::Commodity(Commodity(id as u8));
        std::iter::repeat_n((card.stack, TradeCard { face, block }), usize::from(count))
    });
    let calamities = printed
        .calamities
        .iter()
        .filter(move |card| minor_calamities || card.class == CalamityClass::Major)
        .map(move |card| (card.stack, TradeCard { face: Face::Calamity(card.calamity), block }));
    commodities.chain(calamities)
}
