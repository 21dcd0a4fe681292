//! The short game: every civilization begins with a theme, five cities and its marker far on. setup.md 7.
//!
//! Comes in: a scenario and chance. Goes out: an opening, and the events that deal the themes, set up every civilization
//! as its moderator would, and deal the first cards. The theme says which advances are held.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::acquisition::{free_credits, spread};
use super::{Chance, Chronicle, Event, Opening, Purpose, Rulebook, State, setup};
use crate::rules::{Advance, AreaId, AstSide, Civ, Face, PrintedGame, Scenario, TradeCard};

const CITIES: u8 = 5;
const TOKENS: u16 = 14;
const TREASURY: u16 = 10;
const POSITION: u8 = 10;

/// A theme: four advances that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    CoinAndCommerce,
    ExploringTheDeserts,
    MysticalPalaces,
    SacredConstructors,
    EarlyMerchants,
    CulturalHeights,
    SpreadingKnowledge,
    ConqueringTheSeas,
    EmergingEmpire,
}

/// The opening of a short game: the basic side, no start credits, nothing on the board yet.
pub fn opening(printed: Arc<PrintedGame>, scenario: &Scenario, rulebook: Rulebook) -> Opening {
    let mut opening = setup::opening(printed, scenario, rulebook, AstSide::Basic);
    for holding in &mut opening.holdings {
        holding.stock = opening.printed.pieces.tokens;
        holding.credits = BTreeMap::new();
    }
    opening.board.iter_mut().for_each(|ground| ground.forces.clear());
    opening
}

/// The first events of a short game, up to phase 1 of its first turn.
pub fn begin(state: &State, chance: &Chance) -> (Vec<Event>, State) {
    let mut chronicle = Chronicle::open(state);
    setup::open(&mut chronicle, chance);
    let themes = drawn(chronicle.state(), chance);
    chronicle.record(Event::ThemesDrawn { themes: themes.clone() });
    for (civ, theme) in themes {
        let event = settled(chronicle.state(), civ, theme);
        chronicle.record(event);
    }
    for civ in chronicle.state().drawing_sequence() {
        for stack in 1..=chronicle.state().city_count(civ) {
            let block = chronicle.state().holding(civ).block;
            let water = TradeCard { face: Face::Water, block };
            let card = chronicle.state().stacks().top(block, stack).unwrap_or(water);
            chronicle.record(Event::CardDrawn { civ, stack, card });
        }
    }
    chronicle.close()
}

/// Everybody draws one of the themes for the player count.
pub(super) fn drawn(state: &State, chance: &Chance) -> Vec<(Civ, Theme)> {
    let mut themes = Theme::for_players(state.holdings().len());
    chance.shuffle(Purpose::Theme, state.draws().count(Purpose::Theme), &mut themes);
    state.ranking().zip(themes).collect()
}

/// A civilization as the moderator sets it up: cities on the sites with the lowest limits, tokens where the limits are
/// highest, A to Z.
fn settled(state: &State, civ: Civ, theme: Theme) -> Event {
    let map = &state.printed().map;
    let in_region = |area: &AreaId| map.area(*area).region == Some(civ) && map.area(*area).limit > 0;
    let mut areas: Vec<_> = map.ids().filter(in_region).collect();
    state.alphabetically(&mut areas);
    areas.sort_by_key(|area| (map.area(*area).site.is_none(), map.area(*area).limit));
    let mut land = areas.split_off(areas.len().min(usize::from(CITIES)));
    land.sort_by_key(|area| std::cmp::Reverse(map.area(*area).limit));
    let mut left = TOKENS;
    let mut tokens = Vec::new();
    for area in land {
        let count = left.min(state.limit(area));
        if count > 0 {
            tokens.push((area, count));
        }
        left -= count;
    }
    let advances = theme.advances();
    let credits = spread(advances.into_iter().map(free_credits).sum()).into_iter().collect();
    let (cities, advances) = (areas, advances.to_vec());
    Event::CivilizationSet { civ, cities, tokens, treasury: TREASURY, advances, credits, position: POSITION }
}

impl Theme {
    pub(crate) const ALL: [Theme; 9] = [
        Theme::CoinAndCommerce,
        Theme::ExploringTheDeserts,
        Theme::MysticalPalaces,
        Theme::SacredConstructors,
        Theme::EarlyMerchants,
        Theme::CulturalHeights,
        Theme::SpreadingKnowledge,
        Theme::ConqueringTheSeas,
        Theme::EmergingEmpire,
    ];

    pub(crate) fn advances(self) -> [Advance; 4] {
        use Advance::*;
        match self {
            Theme::CoinAndCommerce => [Cartography, Law, Coinage, Music],
            Theme::ExploringTheDeserts => [Engineering, UniversalDoctrine, Deism, Urbanism],
            Theme::MysticalPalaces => [Diplomacy, Literacy, Theocracy, Mythology],
            Theme::SacredConstructors => [Enlightenment, Engineering, Theocracy, Empiricism],
            Theme::EarlyMerchants => [TradeRoutes, Calendar, Monarchy, ClothMaking],
            Theme::CulturalHeights => [Architecture, Law, DramaAndPoetry, Masonry],
            Theme::SpreadingKnowledge => [Medicine, Enlightenment, Astronavigation, Pottery],
            Theme::ConqueringTheSeas => [NavalWarfare, Literacy, Astronavigation, WrittenRecord],
            Theme::EmergingEmpire => [Military, Literacy, Metalworking, Mysticism],
        }
    }

    /// The key of its name in the words for players.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Theme::CoinAndCommerce => "coin_and_commerce",
            Theme::ExploringTheDeserts => "exploring_the_deserts",
            Theme::MysticalPalaces => "mystical_palaces",
            Theme::SacredConstructors => "sacred_constructors",
            Theme::EarlyMerchants => "early_merchants",
            Theme::CulturalHeights => "cultural_heights",
            Theme::SpreadingKnowledge => "spreading_knowledge",
            Theme::ConqueringTheSeas => "conquering_the_seas",
            Theme::EmergingEmpire => "emerging_empire",
        }
    }

    /// The themes for so many players, one for each.
    pub(crate) fn for_players(players: usize) -> Vec<Theme> {
        use Theme::*;
        let five = [ConqueringTheSeas, SacredConstructors, CoinAndCommerce, ExploringTheDeserts, MysticalPalaces];
        let second = [
            SacredConstructors,
            ConqueringTheSeas,
            CoinAndCommerce,
            ExploringTheDeserts,
            EarlyMerchants,
            CulturalHeights,
            SpreadingKnowledge,
            EmergingEmpire,
            MysticalPalaces,
        ];
        match players {
            // With eight nobody trades in coin.
            8 => Theme::ALL.into_iter().filter(|theme| *theme != CoinAndCommerce).collect(),
            0..=7 => five.into_iter().chain([EarlyMerchants, SpreadingKnowledge]).take(players).collect(),
            _ => Theme::ALL.into_iter().chain(second).take(players).collect(),
        }
    }
}
