//! Why a command may not stand.

use serde::{Deserialize, Serialize};

use super::Phase;
use crate::rules::{Advance, AreaId, Civ, Face};

/// Why a command may not stand. It carries facts; `report` has the words, in the language of the player who wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Illegal {
    /// The line belongs to another phase than the one that is open.
    WrongPhase {
        /// The phase it belongs to.
        phase: Phase,
    },
    /// R3.3, R6.16: the player has declared that the player has finished.
    AfterDone,
    /// R1.3: the player's advances do not allow this rate.
    TaxRate {
        /// What the player wrote.
        rate: u16,
        /// The lowest rate the player may choose.
        lowest: u16,
        highest: u16,
    },
    /// R2.5: the player's stock suffices for the whole growth.
    StockSuffices,
    /// R2.2, R2.5: more growth than an area allows.
    TooMuchGrowth {
        area: AreaId,
        /// How much it may grow.
        most: u16,
        /// How much the player wrote.
        wrote: u16,
    },
    /// R3.6: fewer tokens that can still move than the player wrote.
    TooFewTokens {
        area: AreaId,
        /// How many can still move.
        have: u16,
        /// How many the player wrote.
        need: u16,
        /// How many more stand there but have moved already.
        moved: u16,
    },
    /// A number that must be at least one.
    Nothing,
    /// R3.6: no common land border.
    NotAdjacentByLand { from: AreaId, to: AreaId },
    /// R3.21: no common water border.
    NotAdjacentByWater { from: AreaId, to: AreaId },
    /// R3.8: more steps on land than the player may make.
    TooManySteps {
        /// How many the player may make.
        most: u16,
    },
    /// R3.8: the first step leads into a conflict situation, where tokens must stop.
    StopsInConflict { area: AreaId },
    /// R3.25: the area is out of play.
    OutOfPlay { area: AreaId },
    /// G.5: there is no land to stand on.
    NoLand { area: AreaId },
    /// R3.42, R3.43: another player's advance forbids it.
    Forbidden {
        /// Diplomacy or Cultural Ascendancy.
        advance: Advance,
        holder: Civ,
        area: AreaId,
    },
    /// R3.11: no coast.
    NotCoastal { area: AreaId },
    /// R3.11: no own token there.
    NoTokenThere { area: AreaId },
    /// R3.12: the player has built as many ships this turn as allowed.
    TooManyShipsBuilt,
    /// G.1: no ship in stock.
    NoShipInStock,
    /// R3.19, house rule: the ship in stock may only be rebuilt where it was given up.
    RebuildElsewhere,
    /// R3.13: not one of the three prices.
    ShipPrice,
    /// The treasury has too little.
    TooLittleTreasury { have: u16, need: u16 },
    /// Fewer own tokens stand there than must be destroyed.
    TooFewToDestroy {
        area: AreaId,
        /// How many stand there.
        have: u16,
        /// How many are needed.
        need: u16,
    },
    /// No own ship there.
    NoShip { area: AreaId },
    /// R3.15: no ship there is new or maintained.
    ShipNotMaintained { area: AreaId },
    /// R3.18, R3.20: every ship there is new or maintained already.
    ShipInUse { area: AreaId },
    /// R3.21: no usable ship there has so many steps left.
    TooFewSteps {
        area: AreaId,
        /// The most that a ship there has left.
        left: u16,
        /// How many are needed.
        need: u16,
    },
    /// R3.22: open sea.
    OpenSea { area: AreaId },
    /// R3.23: more aboard than the ship holds.
    ShipFull {
        /// How many it holds.
        holds: u16,
    },
    /// R3.23: fewer aboard than the player wants to put ashore.
    TooFewAboard {
        /// How many are aboard.
        have: u16,
    },
    /// The player does not hold the advance this needs.
    NeedsAdvance { advance: Advance },
    /// R4.28: more loot than allowed.
    TooMuchLoot {
        /// The most the player may take.
        most: u16,
    },
    /// R5.3: too few tokens for a city.
    TooFewForCity {
        area: AreaId,
        /// How many there are, with all that the player pays.
        have: u16,
        /// How many are needed.
        need: u16,
    },
    /// R5.4: never on a limit of 0.
    NoCityOnLimitZero { area: AreaId },
    /// R5.5: a city stands there already.
    CityThere { area: AreaId },
    /// R5.5: no city in stock.
    NoCityInStock,
    /// R5.8, R5.9: more than the advance allows for one city.
    TooMuchForCity {
        advance: Advance,
        /// The most it allows here.
        most: u16,
    },
    /// R5.8, R5.9: the advance has served this turn.
    OncePerTurn { advance: Advance },
    /// R5.9: only for a city without a site.
    OnlyWilderness { area: AreaId },
    /// R5.10: no token is left over to stay.
    NothingLeftOver { area: AreaId },
    /// R6.11, R6.12: that stack is not for sale to the player.
    NotForSale { stack: u16 },
    /// R6.13: the free card comes from a stack above the player's number of cities.
    FreeCardTooLow { stack: u16, cities: u8 },
    /// R6.9, house rule: no purchases without cities.
    NoCityNoPurchase,
    /// R7.7: fewer cards than three.
    TooFewCards {
        /// How many the player wrote.
        cards: u16,
        /// How many there must be.
        least: u16,
    },
    /// The card is not in the player's hand, or not so often.
    NotInHand { card: Face },
    /// R7.5: this calamity may not be traded.
    NotTradeable { card: Face },
    /// R7.5: a calamity may not be named.
    CalamityNamed { card: Face },
    /// R7.8: fewer than two commodities among the cards.
    TooFewCommodities,
    /// R7.8: more is said than there are cards to speak of.
    SaysTooMuch,
    /// R7.6: a trade has two sides.
    WithOneself,
    /// The player does not sit at this table.
    NotSeated { civ: Civ },
    /// There is no such offer, or it is not open to the player.
    NoSuchOffer { number: u16 },
    /// R7.12: not the number of cards that was asked for.
    WrongNumber {
        /// How many the player gives.
        cards: u16,
        /// How many were asked for.
        asked: u16,
    },
    /// R7.8: a commodity that was asked for is not among them.
    NotAsAsked { card: Face },
    /// `undo`: there is no line of that number.
    NoSuchLine { number: u16 },
    /// The stock has too few tokens.
    TooFewInStock {
        /// How many it has.
        have: u16,
        /// How many are needed.
        need: u16,
    },
    /// No own units stand beside this area by land.
    NoUnitsBeside { area: AreaId },
    /// R10.6: nothing stands there that the ability could take.
    NoUnitsToTake { area: AreaId },
    /// Politics, Diaspora, Universal Doctrine: more tokens than the ability takes.
    TooManyTokens {
        /// The most it takes.
        most: u16,
    },
    /// Diaspora: tokens are placed elsewhere than where they stood.
    NotElsewhere { area: AreaId },
    /// Diaspora: more tokens than may stand there.
    AboveLimit {
        area: AreaId,
        /// How many may stand there.
        room: u16,
        then: u16,
    },
    /// Universal Doctrine: fewer barbarian tokens stand there than the player wrote.
    TooFewBarbarians {
        area: AreaId,
        /// How many stand there.
        have: u16,
        /// How many the player wrote.
        need: u16,
    },
    /// Provincial Empire: more players than may be selected.
    TooManyPlayers {
        /// The most that may be.
        most: u16,
    },
    /// Provincial Empire: a player does not select themselves.
    OnOneself,
    /// R10.6: an advance protects this player.
    Protected { civ: Civ, advance: Advance },
    /// Provincial Empire: the player's units are not adjacent, by land or water, to own units.
    NotBeside { civ: Civ },
    /// Trade Routes: only commodities are sold.
    NotSold {
        /// What the player wrote.
        card: Face,
    },
    /// R12.2: the player holds the advance already.
    AlreadyHeld { advance: Advance },
    /// R12.2: the advance is acquired twice in one transaction.
    NamedTwice { advance: Advance },
    /// R12.9: this serves only in the transaction that acquires the advance.
    OnlyWhenAcquired { advance: Advance },
    /// R12.9: Library makes another advance of the same transaction cheaper.
    NoDiscount {
        /// What the player wrote.
        advance: Advance,
    },
    /// R12.9: Anatomy gives a science advance with a printed cost below 100.
    NoGift {
        /// What the player wrote.
        advance: Advance,
    },
    /// R12.9: the credits the player chose are not the points that Written Record and Monument give, in steps of 5.
    CreditsChosen {
        /// The points to choose.
        points: u16,
        /// The points the player wrote.
        wrote: u16,
    },
    /// R12.5: the stated payment is too little.
    TooLittlePaid {
        price: u16,
        /// What the payment is worth.
        paid: u16,
    },
    /// R12.6: more treasury than is needed.
    TooMuchTreasury {
        /// The most that may be paid.
        most: u16,
        /// What the player wrote.
        wrote: u16,
    },
    /// R12.5: more than the player can pay, together with the lines before.
    TooDear {
        /// The price of all of it.
        price: u16,
        /// What all the player's cards and their treasury are worth.
        can_pay: u16,
    },
    /// Only commodities are paid or kept.
    NoCommodity {
        /// Which card the player wrote.
        card: Face,
    },
    /// R12.10: the card may not stand in for the other.
    CannotStandIn {
        card: Face,
        /// What it would stand for.
        stands_for: Face,
    },
    /// Regression: a step is prevented by cities that are not coastal, as long as the player has such.
    InlandFirst {
        /// How many inland cities the player has.
        inland: u16,
    },
}
