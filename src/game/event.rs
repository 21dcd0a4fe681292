//! Events: what happened, as facts in the past tense. They are the record of a game; commands are not.
//!
//! The shapes stored here are read back for as long as a game lasts: a field may be added with a default, none may go.

use serde::{Deserialize, Serialize};

use super::chance::Draws;
use super::correction::Correction;
use super::short_game::Theme;
use super::trade::{OfferedTo, is_once, once};
use super::{Illegal, LineId, Owner, Phase};
use crate::rules::{Advance, AreaId, Block, Calamity, Civ, Face, Group, TradeCard};

/// A fact of the game: what happened, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The game began; the hash of the seed, in hexadecimal digits.
    GameOpened { commitment: String },
    /// A stack of trade cards was prepared, top card first. setup.md 4.3.
    StackPrepared {
        block: Block,
        stack: u8,
        /// Its cards, top card first.
        cards: Vec<TradeCard>,
    },
    /// A phase came to its end.
    PhaseClosed { turn: u16, phase: Phase },
    /// A line proved illegal when it was played. Told to its writer alone.
    Refused { civ: Civ, line: LineId, why: Illegal },
    /// A line found no occasion: nothing went wrong, the game was played. Told to its writer alone.
    Thwarted { civ: Civ, line: LineId, why: Thwart },
    /// A player who insisted on their turn is asked.
    TurnAwaited { civ: Civ },

    /// R1.2: tokens went from stock to treasury.
    TaxCollected {
        civ: Civ,
        /// Tokens for each city.
        rate: u16,
        amount: u16,
        /// R1.5: cities that could not be paid for.
        revolts: u8,
    },
    /// R1.7, R1.8: a city revolted and was annexed, or destroyed where nobody could take it.
    CityRevolted {
        area: AreaId,
        /// Whose city it was.
        from: Civ,
        to: Option<Civ>,
        /// R1.12: tokens beside it that were destroyed.
        beside: u16,
    },

    /// R2.2: tokens were added.
    TokensGrew { civ: Civ, area: AreaId, count: u16 },
    /// R2.8: the census was taken.
    CensusTaken {
        civ: Civ,
        /// Tokens on the board.
        census: u16,
    },

    /// R3.6: tokens walked.
    TokensWalked {
        civ: Civ,
        count: u16,
        /// From where, over which area, to where.
        path: Vec<AreaId>,
    },
    /// R3.13: a ship was built.
    ShipBuilt {
        civ: Civ,
        area: AreaId,
        treasury: u16,
        /// Tokens destroyed for it.
        tokens: Vec<(AreaId, u16)>,
    },
    /// R3.15: the upkeep of a ship was paid.
    ShipMaintained {
        civ: Civ,
        /// Which of the player's ships, by its place in their fleet.
        ship: u8,
        area: AreaId,
        /// The area whose token was destroyed; none paid from the treasury.
        token_from: Option<AreaId>,
    },
    /// R3.19: an old ship was given up.
    ShipScrapped {
        civ: Civ,
        /// Which of the player's ships, by its place in their fleet.
        ship: u8,
        area: AreaId,
    },
    /// R3.21: a ship sailed.
    ShipSailed {
        civ: Civ,
        /// Which of the player's ships, by its place in their fleet.
        ship: u8,
        /// The areas of its way, with the first and the last.
        route: Vec<AreaId>,
        /// Where tokens went aboard or ashore, in sequence.
        stops: Vec<Stop>,
    },
    /// R3.27: a player's movement ended; these ships were neither built nor maintained and are lost.
    MovementEnded {
        civ: Civ,
        /// Where the lost ships stood.
        lost: Vec<AreaId>,
    },

    /// R4.8: tokens of several owners fought.
    TokensFought {
        area: AreaId,
        /// Who stood there before.
        forces: Vec<(Owner, u16)>,
        losses: Vec<Loss>,
    },
    /// R4.22: an attack on a city failed, and its tokens were destroyed.
    AttackFailed {
        area: AreaId,
        attacker: Owner,
        /// Whose city it is.
        defender: Owner,
        tokens: u16,
        /// Ships lost with them, with Naval Warfare.
        ships: u8,
        /// How many tokens would have been needed.
        needed: u16,
    },
    /// R4.25: a defender with a short stock waits for their own attack.
    DefenceDelayed {
        civ: Civ,
        area: AreaId,
        /// The city whose attack the player waits for.
        until: AreaId,
    },
    /// R4.24, R4.30: a city fell, and tokens of its owner took its place.
    CityFell {
        area: AreaId,
        attacker: Owner,
        /// Whose city it was.
        defender: Owner,
        /// Tokens that took its place.
        replaced: u16,
    },
    /// R4.27: a card was taken at random.
    CardTaken { from: Civ, to: Civ, card: TradeCard },
    /// R4.28: tokens went from stock to treasury.
    LootTaken { civ: Civ, amount: u16 },

    /// R5.6: a city was built; all tokens in the area returned to their stocks.
    CityBuilt {
        civ: Civ,
        area: AreaId,
        /// Tokens paid from treasury.
        treasury: u16,
        /// Tokens taken from neighbours.
        neighbours: Vec<(AreaId, u16)>,
        /// Tokens that left the area, by owner.
        cleared: Vec<(Owner, u16)>,
    },
    /// R5.11: surplus population was removed.
    SurplusRemoved { civ: Civ, area: AreaId, count: u16 },
    /// G.13: a city was reduced.
    CityReduced {
        civ: Civ,
        area: AreaId,
        /// Tokens put in its place.
        placed: u16,
        /// Why; for want of support where nothing is said, as it was before there were other reasons.
        #[serde(default = "for_support")]
        why: Cause,
    },
    /// R5.14: a player's cities are supported.
    SupportChecked {
        civ: Civ,
        /// Tokens on the board.
        tokens: u16,
        needed: u16,
    },

    /// R6.4: a card was drawn; water from an empty stack.
    CardDrawn { civ: Civ, stack: u8, card: TradeCard },
    /// R6.15: a card was bought; water from an empty stack.
    CardBought {
        civ: Civ,
        stack: u8,
        price: u16,
        card: TradeCard,
        /// Whether it is the free card of Wonder of the World.
        free: bool,
    },
    /// R6.9: all regular cards were dealt.
    CardsDealt {
        /// Those who drew, in sequence.
        sequence: Vec<Civ>,
    },
    /// R6.16: a player passed.
    PurchasesEnded { civ: Civ },

    /// R7.8: an offer was made.
    OfferMade {
        /// Its number in this trade phase.
        number: u16,
        from: Civ,
        to: OfferedTo,
        /// The cards, held for it.
        gives: Vec<TradeCard>,
        /// The two true names that are told.
        told: [Face; 2],
        /// What is said of the others.
        says: Vec<Face>,
        /// How many cards are wanted.
        wants: u16,
        /// The names that are wanted: the first two are binding.
        names: Vec<Face>,
        /// How often it may be accepted.
        #[serde(default = "once", skip_serializing_if = "is_once")]
        times: u16,
    },
    /// A wish was put on the board; without any card, it was taken off.
    NoticePosted {
        civ: Civ,
        wants: Vec<Face>,
        /// What is said to be there for it.
        has: Vec<Face>,
    },
    /// An offer was declined.
    OfferDeclined { number: u16, by: Civ },
    /// An offer was withdrawn.
    OfferWithdrawn { number: u16 },
    /// R7.11: cards changed hands.
    TradeMade {
        number: u16,
        from: Civ,
        to: Civ,
        /// What the offerer gave.
        given: Vec<TradeCard>,
        /// What the other gave.
        received: Vec<TradeCard>,
    },
    /// A card of an offer left the hand, and the offer is void. Nobody is told why.
    OfferVoided { number: u16 },
    /// A player makes no more offers and answers this turn.
    TradingEnded { civ: Civ },
    /// R7.13: trade ended; what was open lapsed.
    TradeClosed {
        /// The numbers of the offers that lapsed.
        lapsed: Vec<u16>,
    },

    /// R8.1: a player laid down so many calamities.
    CalamitiesLaid { civ: Civ, count: u16 },
    /// R8.3, R8.4: a calamity was discarded at random.
    CalamityDiscarded { civ: Civ, card: TradeCard },

    /// R9.2: a calamity was called and shown.
    CalamityStruck {
        card: TradeCard,
        /// Its holder, the primary victim.
        victim: Civ,
        /// Who profits. C.6, C.7.
        beneficiary: Option<Civ>,
    },
    /// C.3: a secondary victim was named.
    VictimNamed { calamity: Calamity, by: Civ, victim: Civ },
    /// R9.5: a calamity is over; its card goes to the discards.
    CalamityResolved { card: TradeCard, victim: Civ },
    UnitsDestroyed {
        owner: Owner,
        area: AreaId,
        tokens: u16,
        /// Whether a city was.
        city: bool,
        why: Cause,
    },
    /// G.12: units changed their owner; to the Barbarians where nobody could take them.
    UnitsAnnexed {
        from: Owner,
        to: Owner,
        area: AreaId,
        tokens: u16,
        /// Whether a city was.
        city: bool,
        why: Cause,
    },
    /// C.16: treasury went to stock.
    TreasuryLost { civ: Civ, amount: u16, why: Cause },
    /// Stock went to treasury.
    TreasuryGained { civ: Civ, amount: u16, why: Cause },
    /// Cards went to their discards; water to its pile. R12.12.
    CardsDiscarded { civ: Civ, cards: Vec<TradeCard>, why: Cause },
    /// B.1: barbarian tokens came.
    BarbariansCame { area: AreaId, count: u16 },
    /// B.2: barbarian tokens wandered on.
    BarbariansWandered { from: AreaId, to: AreaId, count: u16 },
    /// A marker moved on the A.S.T.
    MarkerMoved { civ: Civ, to: u8, why: Cause },

    /// R10.2: a special ability was used.
    AbilityUsed { civ: Civ, advance: Advance },
    /// Diaspora: tokens were taken up and placed elsewhere.
    TokensResettled { civ: Civ, from: AreaId, to: AreaId, count: u16 },
    /// Provincial Empire: a card was given.
    CardGiven { from: Civ, to: Civ, card: TradeCard },
    /// A player uses no more abilities this turn.
    AbilitiesEnded { civ: Civ },

    /// R12.2: advances were acquired in one transaction.
    AdvancesAcquired {
        civ: Civ,
        advances: Vec<Advance>,
        cards: Vec<TradeCard>,
        treasury: u16,
        /// R12.9: the credits chosen with them.
        credits: Vec<(Group, u16)>,
        /// R12.9: what Library made cheaper.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        library_for: Option<Advance>,
        /// R12.10: the card that stood in for a missing one, and what it stood for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stands_in: Option<(Face, Face)>,
    },
    /// A player's acquisition is over.
    AcquisitionEnded { civ: Civ },

    /// R13.7: the discards went under their stack; the whole stack, top card first.
    StackReshuffled {
        block: Block,
        stack: u8,
        /// Its cards, top card first.
        cards: Vec<TradeCard>,
    },
    /// R13.6: the turn that will be the last.
    LastTurnAnnounced { turn: u16 },
    /// R13.8: the game ended.
    GameEnded {
        /// The scores, best first.
        scores: Vec<Score>,
        /// The seed, now that it may be known, in hexadecimal digits.
        seed: String,
    },

    /// setup.md 7: the themes of a short game were drawn.
    ThemesDrawn { themes: Vec<(Civ, Theme)> },
    /// setup.md 7: a civilization of a short game was set up, all from its stock.
    CivilizationSet {
        civ: Civ,
        cities: Vec<AreaId>,
        tokens: Vec<(AreaId, u16)>,
        /// Tokens in its treasury.
        treasury: u16,
        advances: Vec<Advance>,
        /// The credits chosen with them.
        credits: Vec<(Group, u16)>,
        /// Where its marker stands on the A.S.T.
        position: u8,
    },
    /// RL.2: an area went out of play; what the player who left, pirates and barbarians had there was removed, and all
    /// ships were.
    AreaClosed { area: AreaId, civ: Civ },
    /// RL.1: a player leaves the game as soon as the open phase is over.
    LeavingAnnounced { civ: Civ },
    /// RL.1: a player has left the game; the player's ships, their markers, their advances and their credits are gone.
    PlayerLeft { civ: Civ },

    /// The moderator set something right by hand.
    Corrected { change: Correction },
    /// The moderator took the game back to the beginning of this phase. Chance goes on counting where it was.
    RolledBack {
        turn: u16,
        phase: Phase,
        /// How often chance had been asked.
        draws: Draws,
    },
}

/// Why something was lost, gained or moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// R5.15: too few tokens support the cities.
    Support,
    Calamity(Calamity),
    /// A special ability, or an advance that was chosen to be used.
    Advance(Advance),
    /// R12.11: more cards than a hand may hold.
    HandLimit,
    /// R13.1, R13.3: the end of the turn.
    Ast,
    /// RL.1: a player left the game.
    Leaving,
}

fn for_support() -> Cause {
    Cause::Support
}

/// What a player scored. setup.md 6.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    pub civ: Civ,
    /// For cities on the board.
    pub cities: u16,
    pub advances: u16,
    /// For steps on the A.S.T.
    pub ast: u16,
    /// For being alone in the Late Iron Age.
    pub bonus: u16,
}

impl Score {
    /// What was paid with all of it together.
    pub fn total(&self) -> u16 {
        self.cities + self.advances + self.ast + self.bonus
    }
}

/// Why a line found no occasion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thwart {
    /// The test of a conditional line was not met.
    TestNotMet,
    /// A city filed ahead of its phase: the tokens are gone.
    TokensGone {
        area: AreaId,
        /// How many there are.
        have: u16,
        /// How many are needed.
        need: u16,
    },
    /// R5.10: the city was built, but no token was left over to stay.
    NothingStays { area: AreaId },
}

/// Where tokens went aboard or ashore.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stop {
    pub area: AreaId,
    /// Tokens that went aboard for the first time this turn.
    pub loaded: u16,
    /// Tokens that had come by ship and went aboard again (house rule).
    pub reloaded: u16,
    /// Tokens that went ashore.
    pub landed: u16,
}

/// What an owner lost in a token conflict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    pub owner: Owner,
    /// Tokens in the area.
    pub tokens: u16,
    /// R4.18: ships in the area.
    #[serde(default)]
    pub ships: u8,
    /// R4.19: tokens in areas adjacent by land.
    #[serde(default)]
    pub neighbours: Vec<(AreaId, u16)>,
}
