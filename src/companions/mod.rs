//! The built-in players: from a reader's view to a letter.
//!
//! Comes in: what a civilization may know, and a temperament. Goes out: a letter in the order language, like anybody
//! else's; an empty one where there is nothing to write. Nothing is left to chance: the same view, the same letter.
//! Looks into `rules` and `report` only.

mod abilities;
mod advances;
mod calamities;
mod cities;
mod growth;
mod hand;
mod movement;
mod plan;
mod raids;
mod spreading;
mod tax;
mod trade;
mod voyages;

use serde::{Deserialize, Serialize};

use crate::report::View;
use crate::report::view::Phase;

/// What a companion cares for most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Temperament {
    /// Room for the player's people: spreads widely, keeps the peace, and says nothing untrue in trade.
    Settler,
    /// Cities and cards: builds early, offers much, and does not say what is in the third card.
    Merchant,
    /// The player's neighbours' land: strikes where the player is stronger.
    Raider,
}

impl Temperament {
    /// Every temperament, in the sequence in which they are dealt.
    pub const ALL: [Temperament; 3] = [Temperament::Settler, Temperament::Merchant, Temperament::Raider];

    /// What to call the player.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Temperament::Settler => "settler",
            Temperament::Merchant => "merchant",
            Temperament::Raider => "raider",
        }
    }
}

/// What this companion writes now; nothing where the phase asks the player nothing.
pub fn letter(view: &View, temperament: Temperament) -> String {
    match view.phase {
        Phase::Tax => tax::letter(view),
        Phase::Expansion => growth::letter(view),
        Phase::Movement => movement::letter(view, temperament),
        Phase::Trade => trade::letter(view, temperament),
        Phase::Calamities => calamities::letter(view, temperament),
        Phase::Abilities => abilities::letter(view, temperament),
        Phase::Advances => advances::letter(view, temperament),
        Phase::Conflict | Phase::Cities | Phase::Cards | Phase::Selection | Phase::Support | Phase::Ast => {
            String::new()
        }
    }
}
