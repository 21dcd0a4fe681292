//! A state that was put away and is taken up again: a quicker way to where a long record of events leads.
//!
//! Comes in: the state as JSON, and the printed game it is played with. Goes out: the same state. The record alone decides
//! what is true; whoever doubts a frozen state replays it and compares the hashes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;

use super::chance::Draws;
use super::event::Score;
use super::state::Progress;
use super::{Ground, Holding, Opening, Phase, Rulebook, Stacks, State};
use crate::rules::{AstSide, Civ, PrintedGame, TradeCard};

/// The state as [`State`] writes it.
#[derive(Deserialize)]
struct Frozen {
    rulebook: Rulebook,
    track: AstSide,
    players: u8,
    turn: u16,
    phase: Phase,
    holdings: Vec<Holding>,
    board: Vec<Ground>,
    stacks: Stacks,
    givers: Vec<(TradeCard, Civ)>,
    progress: Progress,
    draws: Draws,
    last_turn: Option<u16>,
    #[serde(default)]
    fallen: BTreeSet<Civ>,
    #[serde(default)]
    leaving: BTreeSet<Civ>,
    scores: Option<Vec<Score>>,
}

impl State {
    /// The state as JSON.
    pub fn freeze(&self) -> String {
        serde_json::to_string(self).expect("every part of a state has a form in JSON")
    }

    /// The state that was frozen.
    ///
    /// # Errors
    /// It is none.
    pub fn thaw(printed: Arc<PrintedGame>, frozen: &str) -> Result<State, serde_json::Error> {
        let frozen: Frozen = serde_json::from_str(frozen)?;
        let state = State::new(Opening {
            printed,
            rulebook: frozen.rulebook,
            track: frozen.track,
            players: frozen.players,
            turn: frozen.turn,
            phase: frozen.phase,
            holdings: frozen.holdings,
            board: frozen.board,
            stacks: frozen.stacks,
            givers: frozen.givers.into_iter().collect::<BTreeMap<_, _>>(),
        });
        let (progress, draws) = (frozen.progress, frozen.draws);
        let Frozen { last_turn, fallen, leaving, scores, .. } = frozen;
        Ok(State { progress, draws, last_turn, fallen, leaving, scores, ..state })
    }
}
