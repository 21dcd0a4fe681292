//! The Archaeological Succession Table: epochs, what each asks for, and where each civilization enters it.

use serde::{Deserialize, Serialize};

use super::Civ;

/// The A.S.T. with both its sides, and what is scored at the end. R13.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ast {
    pub basic: Track,
    pub expert: Track,
    /// The numbers of the scoring.
    pub victory: Victory,
}

/// Which side of the A.S.T. a game uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AstSide {
    Basic,
    Expert,
}

/// One side of the A.S.T. Steps are counted from the start arrow, which is step 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    /// The last step: 15 on the basic side, 16 on the expert side.
    pub last_step: u8,
    /// Whether one more turn is played once a marker enters the late iron age. R13.6.
    pub extra_final_turn: bool,
    /// Whether a marker goes back when its civilization has no city. R13.3.
    pub step_back_without_cities: bool,
    /// What each epoch asks for, in the order of [`Epoch::ALL`].
    pub requirements: [Requirement; 6],
    /// The first step of each epoch in the order of [`Epoch::ALL`], a row for each [`Civ`].
    pub starts: Vec<[u8; 6]>,
}

/// What a civilization needs to enter a step of an epoch. R13.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Requirement {
    /// Cities on the board.
    pub cities: u8,
    /// Advances of any cost.
    pub advances: u8,
    /// Advances with a printed cost below 100.
    pub advances_cost_below_100: u8,
    /// Advances with a printed cost of 100 or more.
    pub advances_cost_100_or_more: u8,
    /// Advances with a printed cost of 200 or more.
    pub advances_cost_200_or_more: u8,
    /// Victory points of all advances held.
    pub advance_victory_points: u16,
}

/// The numbers of the scoring. Advances have their victory points printed on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Victory {
    /// For each city on the board.
    pub per_city: u8,
    /// For each step on the A.S.T.
    pub per_ast_step: u8,
    /// For the only player to enter the late iron age.
    pub alone_in_late_iron: u8,
}

/// The six epochs of the A.S.T., in their sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Epoch {
    /// The stone age, with the start arrow before it.
    Stone,
    /// The early bronze age.
    EarlyBronze,
    /// The middle bronze age.
    MiddleBronze,
    /// The late bronze age.
    LateBronze,
    /// The early iron age.
    EarlyIron,
    /// The late iron age, with which the game ends.
    LateIron,
}

impl Epoch {
    /// All of them, the earliest first.
    pub(crate) const ALL: [Epoch; 6] =
        [Epoch::Stone, Epoch::EarlyBronze, Epoch::MiddleBronze, Epoch::LateBronze, Epoch::EarlyIron, Epoch::LateIron];
}

impl Ast {
    /// The side a game uses.
    pub fn track(&self, side: AstSide) -> &Track {
        match side {
            AstSide::Basic => &self.basic,
            AstSide::Expert => &self.expert,
        }
    }
}

impl Track {
    /// The epoch of a step in a civilization's row; the start arrow counts as the stone age.
    pub fn epoch(&self, civ: Civ, step: u8) -> Epoch {
        let starts = self.starts[usize::from(civ.0)];
        Epoch::ALL.into_iter().rev().find(|epoch| starts[*epoch as usize] <= step).unwrap_or(Epoch::Stone)
    }

    /// The first step of an epoch in a civilization's row.
    pub fn first_step(&self, civ: Civ, epoch: Epoch) -> u8 {
        self.starts[usize::from(civ.0)][epoch as usize]
    }

    /// What an epoch asks for.
    pub fn requirement(&self, epoch: Epoch) -> &Requirement {
        &self.requirements[epoch as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_lies_in_the_last_epoch_begun() {
        let track = Track {
            last_step: 16,
            extra_final_turn: true,
            step_back_without_cities: true,
            requirements: [Requirement::default(); 6],
            starts: vec![[1, 6, 8, 11, 14, 15]],
        };
        let epochs = [0, 1, 5, 6, 10, 11, 14, 15, 16].map(|step| track.epoch(Civ(0), step));
        use Epoch::*;
        assert_eq!(epochs, [Stone, Stone, Stone, EarlyBronze, MiddleBronze, LateBronze, EarlyIron, LateIron, LateIron]);
        assert_eq!(track.first_step(Civ(0), LateBronze), 11);
    }
}
