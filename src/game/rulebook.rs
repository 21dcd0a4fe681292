//! House rules: the readings a group may choose where the printed text is open.

use serde::ser::Error;
use serde::{Deserialize, Serialize, Serializer};

/// The house rules of a game. Each default is the reading that the rules digest recommends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rulebook {
    /// G.14: whether the black pieces run out.
    pub black_pieces: BlackPieces,
    /// R1.7: whether the beneficiary of a tax revolt may decline.
    pub revolt_beneficiary: RevoltBeneficiary,
    /// R2.3: which tokens of a shared area count when it grows.
    pub shared_expansion: SharedExpansion,
    /// R3.9: how often a token may ride in one turn.
    pub ship_rides: ShipRides,
    /// R3.19: where a ship that was given up may be built again.
    pub ship_rebuilding: ShipRebuilding,
    /// R3.26: whether a ship may stop and go on.
    pub ship_voyage: ShipVoyage,
    /// R4.5: in which sequence attacked pirate cities are resolved.
    pub pirate_sequence: PirateSequence,
    /// R4.7: whether an excess that only growth brought about is fought over.
    pub expansion_conflicts: ExpansionConflicts,
    /// R4.29: whether an attacker without survivors takes their loot.
    pub loot_without_survivors: YesNo,
    /// R5.20: what replaces a reduced city when the stock is short.
    pub short_reduction: ShortReduction,
    /// R6.9: whether a player without cities may buy cards.
    pub purchases_without_cities: YesNo,
    /// R7.14: whether water is one of the two commodities that must be told.
    pub water_naming: YesNo,
    /// R8.5: which calamities go first when somebody holds too many.
    pub calamity_excess: CalamityExcess,
    /// C.11: what is lost when no units make up the damage exactly.
    pub damage_rounding: DamageRounding,
    /// V.4: whether a pirate city may be the second city of an earthquake.
    pub earthquake_pirates: EarthquakePirates,
    /// Slave Revolt: whether cities built this turn must be reduced first.
    pub slave_revolt_new_cities: SlaveRevoltCities,
    /// F.3: whether Engineering helps on the coast too.
    pub flood_coast_engineering: FloodCoast,
    /// Iconoclasm and Heresy: which advances count for secondary victims.
    pub iconoclasm_modifiers: IconoclasmModifiers,
    /// R13.3: whether Wonder of the World keeps a marker from going back.
    pub wonder_against_step_back: WonderAgainstStepBack,
    /// setup.md 6: on which side of the A.S.T. being alone in the late iron age is rewarded.
    pub late_iron_bonus: LateIronBonus,
    /// setup.md 6: whether two players of 12 or more may share that bonus.
    pub late_iron_pair: LateIronPair,
    /// setup.md 6: whether entering the late iron age counts, or standing there at the end.
    pub late_iron_entry: LateIronEntry,
    /// setup.md 3: whether civilizations change their block as the scenario lists it.
    pub block_changes: BlockChanges,
    /// setup.md 3: which areas are in play.
    pub areas_in_play: AreasInPlay,
    /// setup.md 4.3: how stacks with minor calamities and a third set are prepared.
    pub stack_preparation: StackPreparation,
    /// setup.md 4.3: how many commodities lie on top of a stack of two blocks.
    pub stack_tops: StackTops,
}

/// R8.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CalamityExcess {
    /// Major ones above two, then any above three.
    #[default]
    MajorFirst,
    /// Any card, as long as there are too many of either.
    AnyCard,
}

/// C.11.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DamageRounding {
    /// At least the damage, with the least excess.
    #[default]
    AtLeast,
    /// Never more than the damage.
    AtMost,
}

/// V.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EarthquakePirates {
    /// It may, and is destroyed.
    #[default]
    MayBeChosen,
    MayNot,
}

/// How cities count in a Slave Revolt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlaveRevoltCities {
    #[default]
    First,
    /// The victim is free.
    Free,
}

/// F.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FloodCoast {
    #[default]
    Applies,
    DoesNot,
}

/// How advances change Iconoclasm and Heresy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IconoclasmModifiers {
    /// The same as for the holder.
    #[default]
    AllVictims,
    MonotheismOnly,
}

/// The options that are not the recommended ones, so that a new option leaves the hash of older games as it was.
pub(super) fn chosen<S: Serializer>(rulebook: &Rulebook, serializer: S) -> Result<S::Ok, S::Error> {
    let options = |rulebook: &Rulebook| serde_json::to_value(rulebook).map_err(S::Error::custom);
    let (mut chosen, recommended) = (options(rulebook)?, options(&Rulebook::default())?);
    if let Some(options) = chosen.as_object_mut() {
        options.retain(|name, value| recommended.get(name) != Some(value));
    }
    chosen.serialize(serializer)
}

/// G.14.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlackPieces {
    /// There are always enough.
    #[default]
    Unlimited,
    /// 50 barbarian tokens and 18 pirate cities.
    AsPrinted,
}

/// R1.7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RevoltBeneficiary {
    /// The player takes the cities.
    #[default]
    MustAnnex,
    /// With `select nothing` the player passes them to the next.
    MayDecline,
}

/// R2.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SharedExpansion {
    /// Every player's own tokens.
    #[default]
    OwnTokens,
    AllTokens,
}

/// R3.9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShipRides {
    #[default]
    One,
    /// As often as ships allow.
    Several,
}

/// R3.19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShipRebuilding {
    /// Wherever a ship may be built.
    #[default]
    Anywhere,
    /// Where it was given up.
    SamePlace,
}

/// R3.26.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShipVoyage {
    /// It may sail again while steps are left.
    #[default]
    InParts,
    /// One voyage a turn.
    InOneGo,
}

/// R4.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PirateSequence {
    /// By the ranking of the attackers, each choosing among the player's own.
    #[default]
    AttackersRanking,
    Alphabetical,
}

/// R4.7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExpansionConflicts {
    /// How the excess arose does not matter.
    #[default]
    Fought,
    /// Nothing is fought where nobody moved in.
    Peaceful,
}

/// R5.20.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShortReduction {
    /// As many tokens as the stock has.
    #[default]
    WhatStockAllows,
    /// None, unless the stock has all of them.
    Nothing,
}

/// R13.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WonderAgainstStepBack {
    /// It counts as a city here too.
    #[default]
    Protects,
    /// Only cities on the board count.
    DoesNot,
}

/// The bonus of the late iron age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LateIronBonus {
    /// On both sides of the A.S.T.
    #[default]
    BothTracks,
    /// On the expert side.
    ExpertOnly,
    None,
}

/// Two players in the late iron age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LateIronPair {
    #[default]
    Nothing,
    /// With 12 players or more, two of different blocks get the bonus each.
    OfDifferentBlocks,
}

/// A marker that has fallen back from the late iron age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LateIronEntry {
    /// Whoever has entered it counts, wherever their marker stands at the end.
    #[default]
    Entered,
    /// Only whoever stands there at the end counts.
    Stands,
}

/// The blocks of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockChanges {
    /// As the scenario lists them.
    #[default]
    AsListed,
    /// Everybody draws from their home block.
    HomeBlocks,
}

/// The areas of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AreasInPlay {
    /// The regions of the civilizations that play.
    #[default]
    Regions,
    WholeBoard,
}

/// Stacks with minor calamities and a third set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StackPreparation {
    /// The basic sets and the minor calamity above, the third set and the tradeable one below.
    #[default]
    ThirdSetBelow,
    /// As in smaller games: as many commodities on top as players draw, everything else in the rest.
    AsSmallerGames,
}

/// The top of a stack of two blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StackTops {
    /// One for each player of the block.
    #[default]
    PlayersOfBlock,
    /// One for each player of the game.
    AllPlayers,
}

/// A plain yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum YesNo {
    #[default]
    Yes,
    No,
}
