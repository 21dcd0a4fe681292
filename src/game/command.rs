//! Commands: what an order asks of the game.

use serde::{Deserialize, Serialize};

use super::trade::{OfferedTo, is_once, once};
use super::{Owner, Phase};
use crate::rules::{Advance, AreaId, Calamity, Civ, Face, Group};

/// What an order asks of the game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Phase 1: the tax rate.
    Tax {
        /// Tokens for each city.
        rate: u16,
    },
    /// Phase 1: as beneficiary, the cities that revolt, best first; none at all declines.
    Select { areas: Vec<AreaId> },
    /// Phase 2: where a short stock goes, best first.
    Expand { shares: Vec<(AreaId, u16)> },
    /// Phase 3: tokens walk.
    Move {
        count: Count,
        /// From where, over which area, to where.
        path: Vec<AreaId>,
    },
    /// Phase 3: a ship is built.
    BuildShip { area: AreaId, price: ShipPrice },
    /// Phase 3: upkeep is paid for a ship.
    MaintainShip {
        area: AreaId,
        /// The area whose token is destroyed; none pays from the treasury.
        token_from: Option<AreaId>,
    },
    /// Phase 3: an old ship is given up.
    ScrapShip { area: AreaId },
    /// Phase 3: a ship sails.
    Sail {
        from: AreaId,
        /// What it does, in sequence.
        acts: Vec<SailAct>,
    },
    /// Phases 3 and 7: the own movement or trade has ended.
    Done,
    /// Phases 3 and 6: insists on being asked when the own turn comes.
    Wait,
    /// Phase 4: the sequence of own attacked cities, or of attacked pirate cities.
    Resolve {
        /// The cities, first to be resolved first.
        areas: Vec<AreaId>,
    },
    /// Phase 4: this city waits for an own attack if the stock is short.
    Delay { area: AreaId },
    /// Phase 4: what is taken after a successful attack.
    Loot {
        treasury: Option<u16>,
        /// Whether a card is drawn.
        card: Option<bool>,
    },
    /// Phase 4: what is lost instead of tokens in an area.
    Substitute {
        /// The area of the conflict.
        area: AreaId,
        with: Substitute,
    },
    /// Phase 5: a city is built.
    BuildCity {
        area: AreaId,
        /// Tokens paid from treasury, with Architecture.
        treasury: u16,
        /// Tokens taken from neighbours, with Urbanism.
        neighbours: Vec<(AreaId, u16)>,
        /// Tokens that stay beside it, with Public Works.
        leaving: u16,
    },
    /// Phase 5: no city is built there, or none at all.
    BuildNoCity {
        /// Where; none is nowhere.
        area: Option<AreaId>,
    },
    /// Phase 5: which cities go first if support is short.
    Reduce {
        /// The cities, first to go first.
        areas: Vec<AreaId>,
    },
    /// Phase 6: cards are bought.
    Buy {
        stack: u16,
        count: u16,
        /// What limits them; none buys exactly so many.
        limits: Option<BuyLimits>,
        /// The free card of Wonder of the World.
        free: bool,
    },
    /// Phase 6: no more purchases.
    Pass,
    /// Phase 7: an offer.
    Offer {
        to: OfferedTo,
        /// The cards given, in the sequence written.
        gives: Vec<Face>,
        wants: Vec<Wanted>,
        /// What is said of the third and later cards.
        says: Vec<Face>,
        /// How often it may be accepted, while the cards are in hand.
        #[serde(default = "once", skip_serializing_if = "is_once")]
        times: u16,
    },
    /// Phase 7: every offer that fits is accepted, while the cards are in hand.
    AcceptAny {
        /// What it must give: so many cards, the first two names truly told.
        of: Vec<Wanted>,
        /// The cards given for it.
        gives: Vec<Face>,
    },
    /// Phase 7: a wish on the board, which binds nobody and may lie. Without any card, there is none any more.
    Post {
        wants: Vec<Face>,
        /// What is there for it.
        has: Vec<Face>,
    },
    /// Phase 7: commits cards to an offer.
    Accept { number: u16, gives: Vec<Face> },
    /// Phase 7: an offer is declined.
    Decline { number: u16 },
    /// Phase 7: an own offer is withdrawn.
    Withdraw { number: u16 },
    /// Phase 9: a wish for every calamity, or for one.
    Wish {
        /// The calamity it speaks of; none is every one.
        calamity: Option<Calamity>,
        wish: Wish,
    },
    /// Phase 10: a special ability is used.
    Use {
        /// Which, and on what; none is `use nothing`.
        ability: Option<Ability>,
    },
    /// Phase 10: the cards given for another's Provincial Empire, best first.
    Give { cards: Vec<Face> },
    /// Phase 12: advances are acquired.
    Acquire {
        advances: Vec<Advance>,
        /// What they are paid with; none lets the moderator find the cheapest payment.
        payment: Option<Payment>,
        /// The advance that Library makes cheaper.
        library_for: Option<Advance>,
        /// The advance that Anatomy gives free.
        free: Option<Advance>,
        /// The credits chosen for Written Record and Monument.
        credits: Vec<(Group, u16)>,
    },
    /// Phase 12: the cards that stay in hand, best first.
    Keep { cards: Vec<Face> },
    /// A line that is played only if a test is true when it is played.
    If {
        test: Test,
        /// Played if it is true.
        then: Box<Command>,
        /// Played if it is not.
        otherwise: Option<Box<Command>>,
    },
}

/// What a player wishes when a calamity strikes them or favours them. Lists are read best first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// The secondary victims; a number where points are shared out.
    Victims(Vec<(Civ, Option<u16>)>),
    /// What is destroyed: so many tokens there, or the city, or all that stands there.
    Lose(Vec<(AreaId, Option<u16>)>),
    /// Which cities are reduced.
    Reduce(Vec<AreaId>),
    /// What stays to the last.
    Spare(Vec<AreaId>),
    /// What a beneficiary chooses.
    Select(Vec<AreaId>),
    /// A ransom is paid; a number where it is paid several times.
    Pay(Option<u16>),
    /// Cards that are discarded.
    Discard(Vec<Face>),
}

/// A special ability of phase 10. R10.2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    /// Tokens are taken up and placed elsewhere: how many, from where, to where.
    Diaspora(Vec<(u16, AreaId, AreaId)>),
    /// All units in the first of these areas that can be are destroyed.
    Fundamentalism(Vec<AreaId>),
    /// All units in the first of these areas that can be are annexed.
    Monotheism(Vec<AreaId>),
    /// Tokens go from stock to treasury.
    PoliticsTreasury(u16),
    /// All units in the first of these areas that can be are annexed and paid for.
    PoliticsAnnex(Vec<AreaId>),
    /// Each of these players gives a card.
    ProvincialEmpire(Vec<Civ>),
    /// These cards are sold.
    TradeRoutes(Vec<Face>),
    /// A pirate city, or barbarian tokens.
    UniversalDoctrine(Vec<(AreaId, Option<u16>)>),
}

impl Ability {
    /// The advance it belongs to.
    pub(crate) fn advance(&self) -> Advance {
        match self {
            Ability::Diaspora(_) => Advance::Diaspora,
            Ability::Fundamentalism(_) => Advance::Fundamentalism,
            Ability::Monotheism(_) => Advance::Monotheism,
            Ability::PoliticsTreasury(_) | Ability::PoliticsAnnex(_) => Advance::Politics,
            Ability::ProvincialEmpire(_) => Advance::ProvincialEmpire,
            Ability::TradeRoutes(_) => Advance::TradeRoutes,
            Ability::UniversalDoctrine(_) => Advance::UniversalDoctrine,
        }
    }
}

/// What advances are paid with. R12.5.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Payment {
    pub cards: Vec<Face>,
    pub treasury: u16,
    /// R12.10: a card that stands in for a missing one: the card, and what it stands for.
    pub stands_in: Option<(Face, Face)>,
}

/// How many tokens are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// Every one that can.
    All,
    Exactly(u16),
}

/// What a ship is paid with. R3.13.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShipPrice {
    pub treasury: u16,
    /// Tokens destroyed in the ship's area.
    pub here: u16,
    pub elsewhere: Vec<(AreaId, u16)>,
}

impl ShipPrice {
    /// The usual price: two tokens of the treasury.
    pub fn treasury() -> ShipPrice {
        ShipPrice { treasury: 2, here: 0, elsewhere: Vec::new() }
    }
}

/// One act of a voyage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SailAct {
    Load(Count),
    Unload(Count),
    /// One step over water.
    To(AreaId),
}

/// What a holder of Naval Warfare or Advanced Military loses instead of tokens. R4.18, R4.19.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Substitute {
    /// Ships in the area of the conflict.
    Ships(Count),
    /// Tokens from an area adjacent by land.
    Tokens {
        from: AreaId,
        /// How many at most.
        count: Count,
    },
}

/// What limits a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuyLimits {
    /// Stops when a calamity came.
    pub until_calamity: bool,
    /// Keeps so much treasury.
    pub keep: u16,
}

/// One card wanted in an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    Named(Face),
    Any,
}

/// A test of a conditional line. It reads only what is public when the line is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test {
    /// The area it looks at.
    pub area: AreaId,
    pub asks: Asks,
}

/// What a test asks of an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    /// Exactly so many tokens of this owner.
    Holds(u16, Owner),
    /// At most so many.
    AtMost(u16, Owner),
    /// At least so many.
    AtLeast(u16, Owner),
    IsEmpty,
    IsOccupied,
    /// A city of this owner.
    HasCity(Owner),
}

impl Command {
    /// The phase whose table the order stands in; `done` and `wait` speak of the open one.
    pub fn phase(&self) -> Option<Phase> {
        match self {
            Command::Tax { .. } | Command::Select { .. } => Some(Phase::Tax),
            Command::Expand { .. } => Some(Phase::Expansion),
            Command::Move { .. }
            | Command::BuildShip { .. }
            | Command::MaintainShip { .. }
            | Command::ScrapShip { .. }
            | Command::Sail { .. } => Some(Phase::Movement),
            Command::Resolve { .. } | Command::Delay { .. } | Command::Loot { .. } | Command::Substitute { .. } => {
                Some(Phase::Conflict)
            }
            Command::BuildCity { .. } | Command::BuildNoCity { .. } | Command::Reduce { .. } => Some(Phase::Cities),
            Command::Buy { .. } | Command::Pass => Some(Phase::Cards),
            Command::Offer { .. } | Command::Accept { .. } | Command::Decline { .. } | Command::Withdraw { .. } => {
                Some(Phase::Trade)
            }
            Command::AcceptAny { .. } | Command::Post { .. } => Some(Phase::Trade),
            Command::Wish { .. } => Some(Phase::Calamities),
            Command::Use { .. } | Command::Give { .. } => Some(Phase::Abilities),
            Command::Acquire { .. } | Command::Keep { .. } => Some(Phase::Advances),
            Command::If { then, .. } => then.phase(),
            Command::Done | Command::Wait => None,
        }
    }
}

/// Which line of a player's sheet a command came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LineId(pub u32);

/// A command as it was filed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filed {
    pub civ: Civ,
    /// Which line of the player's sheet it is.
    pub line: LineId,
    /// Whether it was written before its phase opened.
    pub ahead: bool,
    pub command: Command,
}

/// The commands of one ruling, in the sequence of their arrival.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Commands {
    pub filed: Vec<Filed>,
    /// What was filed before and answers offers that fit, the earliest first: trade alone asks for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub standing: Vec<Filed>,
    /// Whether the cut-off has come: silence counts as an answer, and who was asked again waits no longer.
    pub cut_off: bool,
}

impl Commands {
    /// What this player filed, in their own sequence.
    pub fn of(&self, civ: Civ) -> impl Iterator<Item = &Filed> {
        self.filed.iter().filter(move |filed| filed.civ == civ)
    }

    /// Whether the player insists on being asked when their turn comes: `wait` is the last that the player wrote, and
    /// never after `done`.
    pub fn waits(&self, civ: Civ) -> bool {
        let last = self.filed.iter().rfind(|filed| filed.civ == civ);
        last.is_some_and(|filed| filed.command == Command::Wait)
            && self.of(civ).all(|filed| filed.command != Command::Done)
    }
}
