//! The thirteen phases and the four questions each of them answers.

use serde::{Deserialize, Serialize};

use super::{
    Chance, Chronicle, Command, Commands, Illegal, State, abilities, acquisition, ast, calamities, cards, cities,
    conflict, expansion, movement, selection, support, tax, trade,
};
use crate::rules::Civ;

/// A phase of the turn, by its printed sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// 1: tax collection.
    Tax,
    /// 2: population expansion and census.
    Expansion,
    /// 3: movement.
    Movement,
    /// 4: conflict.
    Conflict,
    /// 5: city construction.
    Cities,
    /// 6: trade cards acquisition.
    Cards,
    /// 7: trade.
    Trade,
    /// 8: calamity selection.
    Selection,
    /// 9: calamity resolution.
    Calamities,
    /// 10: special abilities.
    Abilities,
    /// 11: surplus population and city support.
    Support,
    /// 12: civilization advances acquisition.
    Advances,
    /// 13: A.S.T. alteration and end of turn.
    Ast,
}

impl Phase {
    /// All thirteen, in their sequence.
    pub const ALL: [Phase; 13] = [
        Phase::Tax,
        Phase::Expansion,
        Phase::Movement,
        Phase::Conflict,
        Phase::Cities,
        Phase::Cards,
        Phase::Trade,
        Phase::Selection,
        Phase::Calamities,
        Phase::Abilities,
        Phase::Support,
        Phase::Advances,
        Phase::Ast,
    ];

    /// Its number in the rulebook, 1 to 13.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// Its name in a game file and on a casebook page.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Tax => "tax",
            Phase::Expansion => "expansion",
            Phase::Movement => "movement",
            Phase::Conflict => "conflict",
            Phase::Cities => "cities",
            Phase::Cards => "cards",
            Phase::Trade => "trade",
            Phase::Selection => "selection",
            Phase::Calamities => "calamities",
            Phase::Abilities => "abilities",
            Phase::Support => "support",
            Phase::Advances => "advances",
            Phase::Ast => "ast",
        }
    }

    /// The phase of that name.
    pub(crate) fn named(name: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.name() == name)
    }

    /// The phase that follows; after the last, the first of the next turn.
    pub fn next(self) -> Phase {
        Phase::ALL[usize::from(self.number()) % Phase::ALL.len()]
    }

    /// The rules of this phase.
    pub fn rules(self) -> &'static dyn PhaseRules {
        match self {
            Phase::Tax => &tax::Tax,
            Phase::Expansion => &expansion::Expansion,
            Phase::Movement => &movement::Movement,
            Phase::Conflict => &conflict::Conflict,
            Phase::Cities => &cities::Cities,
            Phase::Cards => &cards::Cards,
            Phase::Trade => &trade::Trade,
            Phase::Selection => &selection::Selection,
            Phase::Calamities => &calamities::Calamities,
            Phase::Abilities => &abilities::Abilities,
            Phase::Support => &support::Support,
            Phase::Advances => &acquisition::Acquisition,
            Phase::Ast => &ast::Ast,
        }
    }
}

/// The four questions a phase answers. Where chance or arithmetic decides alone, only the last has an answer of its own.
pub trait PhaseRules: Sync {
    /// Who is awaited, and for what. Derived from the state alone.
    fn awaits(&self, _state: &State) -> Vec<Awaited> {
        Vec::new()
    }

    /// Whether this command may stand on this board. A forecast before the ruling; the ruling asks the same code.
    fn may_stand(&self, _state: &State, _civ: Civ, _command: &Command) -> Result<(), Illegal> {
        Ok(())
    }

    /// What silence means: the commands that stand for a player who writes nothing.
    fn silence(&self, _state: &State, _awaited: Awaited) -> Vec<Command> {
        Vec::new()
    }

    /// What follows: plays the commands as far as the phase can be played without a further decision.
    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, chance: &Chance);
}

/// A player the phase waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Awaited {
    pub civ: Civ,
    pub decision: Decision,
}

/// What a player may be awaited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// R1.3: the tax rate.
    TaxRate,
    /// R1.7: which cities of others revolt to the player.
    Revolts,
    /// R2.5: where a short stock goes.
    Growth,
    /// R3.6: the player's whole movement.
    Movement,
    /// R4.4, R4.25: in which sequence the player's attacked cities are resolved, and whether one waits.
    Defence,
    /// R4.27, R4.28: what the player takes from a city that falls.
    Loot,
    /// R4.18, R4.19: what the player loses instead of tokens.
    Substitutes,
    /// R5.3: which cities the player builds.
    Building,
    /// R6.9: which cards the player buys.
    Purchases,
    /// R7.6: offers and answers.
    Trade,
    /// R9.3: what a calamity lets somebody choose.
    Calamities,
    /// R10.2: which special abilities the player uses.
    Abilities,
    /// R5.15: which cities are reduced.
    Support,
    /// R12.2: which advances the player acquires, and which cards the player keeps.
    Acquisition,
}

impl Decision {
    /// Its name in the tables of phrases.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Decision::TaxRate => "tax_rate",
            Decision::Revolts => "revolts",
            Decision::Growth => "growth",
            Decision::Movement => "movement",
            Decision::Defence => "defence",
            Decision::Loot => "loot",
            Decision::Substitutes => "substitutes",
            Decision::Building => "building",
            Decision::Purchases => "purchases",
            Decision::Trade => "trade",
            Decision::Calamities => "calamities",
            Decision::Abilities => "abilities",
            Decision::Support => "support",
            Decision::Acquisition => "acquisition",
        }
    }
}
