//! What is true, what may be done, what follows.
//!
//! Comes in: a state, the commands filed for its phase, and chance. Goes out: events, and the state they lead to.
//! Pure: no clock, no files, no dice it was not handed. Looks into `rules` only.

pub(crate) mod abilities;
pub mod acquisition;
pub(crate) mod ast;
pub(crate) mod calamities;
pub(crate) mod cards;
pub(crate) mod chance;
pub(crate) mod chronicle;
pub(crate) mod cities;
pub mod command;
pub(crate) mod conflict;
pub(crate) mod correction;
pub mod event;
pub(crate) mod expansion;
mod frozen;
pub(crate) mod game_id;
pub(crate) mod illegal;
pub(crate) mod known;
pub mod laws;
pub mod leaving;
pub(crate) mod movement;
pub(crate) mod phase;
pub mod rulebook;
pub mod scoring;
pub(crate) mod selection;
pub mod setup;
pub mod short_game;
pub mod stacks;
pub(crate) mod state;
pub(crate) mod support;
pub(crate) mod tax;
pub mod trade;
pub(crate) mod turn_phase;
pub mod verify;
mod wish_list;

mod apply;

pub use chance::Chance;
pub(crate) use chance::Purpose;
pub(crate) use chronicle::Chronicle;
pub use chronicle::{adjudicate, replay};
pub use command::{Command, Commands, Count, Filed, LineId};
pub use event::Event;
pub use game_id::GameId;
pub use illegal::Illegal;
pub use known::{Known, Reader, Witnessed};
pub(crate) use known::{Told, told};
pub(crate) use phase::PhaseRules;
pub use phase::{Awaited, Decision, Phase};
pub use rulebook::Rulebook;
pub use stacks::Stacks;
pub use state::{City, Force, Ground, Holding, Opening, Owner, Ship, ShipCondition, State};
pub use turn_phase::TurnPhase;
use wish_list::WishList;
