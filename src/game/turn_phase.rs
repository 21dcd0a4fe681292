//! A phase of a certain turn, as people and files name it: `4.movement`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Phase;

/// A phase of a certain turn. The later one is the greater one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TurnPhase {
    /// The number of the turn, from 1.
    pub turn: u16,
    /// Which of its thirteen phases.
    pub phase: Phase,
}

impl TurnPhase {
    /// This phase of this turn.
    pub const fn new(turn: u16, phase: Phase) -> TurnPhase {
        TurnPhase { turn, phase }
    }

    /// The last turn in which something was decided; 0 is none. As long as tokens only grow and move, it is the one before.
    pub(crate) fn last_eventful_turn(self) -> u16 {
        if self.phase <= Phase::Movement { self.turn.saturating_sub(1) } else { self.turn }
    }
}

impl fmt::Display for TurnPhase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}.{}", self.turn, self.phase.name())
    }
}

/// What was written is no phase of a turn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no phase of a turn, like `4.movement`")]
pub struct NoTurnPhase(String);

impl FromStr for TurnPhase {
    type Err = NoTurnPhase;

    fn from_str(text: &str) -> Result<TurnPhase, NoTurnPhase> {
        let read = |text: &str| {
            let (turn, phase) = text.split_once('.')?;
            Some(TurnPhase::new(turn.parse().ok()?, Phase::named(phase)?))
        };
        read(text).ok_or_else(|| NoTurnPhase(text.to_owned()))
    }
}

impl From<TurnPhase> for String {
    fn from(this: TurnPhase) -> String {
        this.to_string()
    }
}

impl TryFrom<String> for TurnPhase {
    type Error = NoTurnPhase;

    fn try_from(text: String) -> Result<TurnPhase, NoTurnPhase> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_as_it_is_written() {
        for phase in Phase::ALL {
            let this = TurnPhase::new(4, phase);
            assert_eq!(this.to_string().parse(), Ok(this));
            let json = serde_json::to_string(&this).expect("text");
            assert_eq!(serde_json::from_str::<TurnPhase>(&json).expect("a phase of a turn"), this);
        }
        assert_eq!(TurnPhase::new(4, Phase::Movement).to_string(), "4.movement");
        for wrong in ["", "4", "4.", ".movement", "4.walking", "-1.movement", "70000.movement", "4.movement.5"] {
            assert!(wrong.parse::<TurnPhase>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_later_one_is_the_greater_one() {
        assert!(TurnPhase::new(4, Phase::Ast) < TurnPhase::new(5, Phase::Tax));
        assert!(TurnPhase::new(4, Phase::Tax) < TurnPhase::new(4, Phase::Movement));
    }
}
