//! What is true, what may be done, what follows.
//!
//! Comes in: a state, the commands filed for its phase, and chance. Goes out: events, and the state they lead to.
//! Pure: no clock, no files, no dice it was not handed. Looks into `rules` only.

pub mod abilities;
pub mod acquisition;
pub mod ast;
pub mod calamities;
pub mod cards;
pub mod chance;
pub mod chronicle;
pub mod cities;
pub mod command;
pub mod conflict;
pub mod correction;
pub mod event;
pub mod expansion;
mod frozen;
pub mod game_id;
pub mod illegal;
pub mod known;
pub mod laws;
pub mod leaving;
pub mod movement;
pub mod phase;
pub mod rulebook;
pub mod scoring;
pub mod selection;
pub mod setup;
pub mod short_game;
pub mod stacks;
pub mod state;
pub mod support;
pub mod tax;
pub mod trade;
pub mod turn_phase;
pub mod verify;
mod wish_list;

mod apply;

pub use chance::{Chance, Purpose};
pub use chronicle::{Chronicle, adjudicate, replay};
pub use command::{Command, Commands, Count, Filed, LineId};
pub use event::Event;
pub use game_id::GameId;
pub use illegal::Illegal;
pub use known::{Known, Reader, Told, Witnessed, told};
pub use phase::{Awaited, Decision, Phase, PhaseRules};
pub use rulebook::Rulebook;
pub use stacks::Stacks;
pub use state::{City, Force, Ground, Holding, Opening, Owner, Ship, ShipCondition, State};
pub use turn_phase::TurnPhase;
use wish_list::WishList;
