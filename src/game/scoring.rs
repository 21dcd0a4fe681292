//! Scores, and who comes first where they are equal. setup.md 6.
//!
//! Comes in: a state. Goes out: what each player scores, with its parts, best first. Decides nothing else.

use std::cmp::Reverse;

use super::event::Score;
use super::rulebook::{LateIronBonus, LateIronEntry, LateIronPair};
use super::{Holding, State};
use crate::rules::{AstSide, Civ, Epoch, Group};

/// From so many players on, two may share the bonus (house rule).
const PLAYERS_FOR_A_PAIR: u8 = 12;

/// The scores of all players, best first; ties are broken to the last.
pub fn scores(state: &State) -> Vec<Score> {
    let mut scores: Vec<_> = state.ranking().map(|civ| state.score(civ)).collect();
    // The sort keeps the ranking among equals, which is the eighth tie-break.
    scores.sort_by_key(|score| Reverse((score.total(), TieBreak::of(state, score.civ))));
    scores
}

impl State {
    /// What a player would score if the game ended now.
    pub fn score(&self, civ: Civ) -> Score {
        let victory = &self.printed().ast.victory;
        let advances = self.holding(civ).advances.iter();
        Score {
            civ,
            cities: u16::from(self.city_count(civ)) * u16::from(victory.per_city),
            advances: advances.map(|advance| u16::from(self.printed().advances[advance as usize].victory_points)).sum(),
            ast: u16::from(self.holding(civ).position) * u16::from(victory.per_ast_step),
            bonus: if has_bonus(self, civ) { u16::from(victory.alone_in_late_iron) } else { 0 },
        }
    }
}

/// Whether a player is the only one to have entered the late iron age, or one of two of different blocks, as the house rules say.
fn has_bonus(state: &State, civ: Civ) -> bool {
    let given = match state.rulebook().late_iron_bonus {
        LateIronBonus::BothTracks => true,
        LateIronBonus::ExpertOnly => state.track() == AstSide::Expert,
        LateIronBonus::None => false,
    };
    let entered = |holding: &&Holding| {
        let has_fallen = match state.rulebook().late_iron_entry {
            LateIronEntry::Entered => state.fallen.contains(&holding.civ),
            LateIronEntry::Stands => false,
        };
        has_fallen || state.epoch(holding.civ) == Epoch::LateIron
    };
    let entered: Vec<_> = state.holdings().iter().filter(entered).collect();
    let shared = match state.rulebook().late_iron_pair {
        LateIronPair::Nothing => false,
        LateIronPair::OfDifferentBlocks => state.players() >= PLAYERS_FOR_A_PAIR,
    };
    given
        && match entered[..] {
            [only] => only.civ == civ,
            [one, other] => shared && one.block != other.block && [one.civ, other.civ].contains(&civ),
            _ => false,
        }
}

/// The tie-breaks in their sequence; the greater comes first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct TieBreak {
    position: u8,
    advances_of_6: usize,
    advances_of_3: usize,
    cost: u16,
    best_colour: u16,
    credits: u16,
    cities: u8,
    tokens: u16,
}

impl TieBreak {
    fn of(state: &State, civ: Civ) -> TieBreak {
        let holding = state.holding(civ);
        let cards = || holding.advances.iter().map(|advance| &state.printed().advances[advance as usize]);
        let of_points = |points| cards().filter(|card| card.victory_points == points).count();
        let colours = [Group::Arts, Group::Civics, Group::Crafts, Group::Religion, Group::Science];
        let credits = colours.map(|group| state.credits(civ, group));
        TieBreak {
            position: holding.position,
            advances_of_6: of_points(6),
            advances_of_3: of_points(3),
            cost: cards().map(|card| card.cost).sum(),
            best_colour: credits.into_iter().max().unwrap_or(0),
            credits: credits.into_iter().sum(),
            cities: state.city_count(civ),
            tokens: state.tokens_on_board(civ),
        }
    }
}
