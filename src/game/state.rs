//! What is true: the board, the holdings, the stacks.
//!
//! Only `State::apply` changes it; everything here asks.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::chance::Draws;
use super::event::Score;
use super::rulebook::BlackPieces;
use super::trade::{Notice, Offer, Traded};
use super::{Phase, Rulebook, Stacks, TurnPhase};
use crate::rules::{Advance, AdvanceSet, AreaId, AstSide, Block, Calamity, Civ, Group, PrintedGame, TradeCard};

/// The black pieces that are printed. G.14.
const BARBARIAN_TOKENS: u16 = 50;
const PIRATE_CITIES: u8 = 18;

/// A game at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct State {
    #[serde(skip)]
    pub(super) printed: Printed,
    #[serde(serialize_with = "super::rulebook::chosen")]
    pub(super) rulebook: Rulebook,
    pub(super) track: AstSide,
    pub(super) players: u8,
    pub(super) turn: u16,
    pub(super) phase: Phase,
    pub(super) holdings: Vec<Holding>,
    /// Shared by all copies until one of them changes, as are the stacks.
    pub(super) board: Arc<Vec<Ground>>,
    pub(super) stacks: Arc<Stacks>,
    /// How often each card but water exists, wherever it is.
    #[serde(skip)]
    pub(super) deck: Arc<BTreeMap<TradeCard, u16>>,
    /// R7.15: who last gave this calamity away in a trade this turn.
    #[serde(serialize_with = "as_pairs")]
    pub(super) givers: BTreeMap<TradeCard, Civ>,
    pub(super) progress: Progress,
    pub(super) draws: Draws,
    /// R13.6: the turn that will be the last, once it is known.
    pub(super) last_turn: Option<u16>,
    /// Who has entered the late iron age and stands there no longer.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) fallen: BTreeSet<Civ>,
    /// RL.1: who leaves when the open phase is over.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) leaving: BTreeSet<Civ>,
    /// The scores, best first, once the game has ended.
    pub(super) scores: Option<Vec<Score>>,
    /// Whether it is the game itself, and not what somebody knows of it.
    #[serde(skip)]
    pub(super) is_whole: bool,
}

/// What a state begins with: the printed game, who is seated, and what stands where.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The printed game it is played with.
    pub printed: Arc<PrintedGame>,
    pub rulebook: Rulebook,
    /// The side of the A.S.T.
    pub track: AstSide,
    /// How many players, where it matters.
    pub players: u8,
    pub turn: u16,
    /// The phase that is open.
    pub phase: Phase,
    /// The seated civilizations, highest A.S.T.-rank first.
    pub holdings: Vec<Holding>,
    /// What stands in each area.
    pub board: Vec<Ground>,
    pub stacks: Stacks,
    /// Calamities that were given away in trade this turn, and by whom.
    pub givers: BTreeMap<TradeCard, Civ>,
}

/// The printed game a state shares. Two states are of one game only if they share the same.
#[derive(Debug, Clone)]
pub(crate) struct Printed(Arc<PrintedGame>);

impl PartialEq for Printed {
    fn eq(&self, other: &Printed) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Printed {
    type Target = PrintedGame;

    fn deref(&self) -> &PrintedGame {
        &self.0
    }
}

/// Who owns a piece on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    Civ(Civ),
    /// All barbarian tokens and pirate cities together. R4.6.
    Barbarians,
}

/// What stands in an area, ships apart.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ground {
    /// The tokens, by owner, ascending; never an empty force.
    pub forces: Vec<Force>,
    pub city: Option<City>,
    /// Whether it carries an out-of-play marker.
    pub out_of_play: bool,
}

/// The tokens of one owner in an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Force {
    pub owner: Owner,
    pub count: u16,
    /// How many of them have moved this turn, by land or by ship.
    pub moved: u16,
    /// How many of those came by ship.
    pub ferried: u16,
}

/// A city on the board, and whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct City {
    pub owner: Owner,
    /// Whether it was built this turn. R5.16.
    pub new: bool,
}

/// A ship on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ship {
    pub area: AreaId,
    /// Whether it may be used.
    pub condition: ShipCondition,
    /// Steps it has made this turn.
    pub steps: u16,
    /// Whether it has sailed this turn.
    pub sailed: bool,
}

/// Whether a ship may be used this turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShipCondition {
    /// Built in an earlier turn, not yet maintained.
    Old,
    /// Its upkeep was paid this turn.
    Maintained,
    New,
}

/// What a civilization owns, the board apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holding {
    pub civ: Civ,
    /// The stacks it draws from.
    pub block: Block,
    pub stock: u16,
    /// Tokens in the treasury.
    pub treasury: u16,
    pub cities: u8,
    /// Ships on the board; the others are in stock.
    pub ships: Vec<Ship>,
    /// Ships built this turn. R3.12.
    pub ships_built: u8,
    /// Where ships were given up this turn and not yet rebuilt. R3.19.
    pub scrapped: Vec<AreaId>,
    /// Trade cards in hand, ascending.
    pub hand: Vec<TradeCard>,
    pub advances: AdvanceSet,
    /// The column on the A.S.T.
    pub position: u8,
    pub census: u16,
    /// Credits beside those of the advances: start credits, and those chosen for Written Record and Monument.
    pub credits: BTreeMap<Group, u16>,
}

/// How far the open phase has come.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Who has acted to the end of their part.
    pub acted: BTreeSet<Civ>,
    /// Who insisted on their turn and was asked.
    pub asked: Option<Civ>,
    /// R1.6: who has a tax revolt this turn.
    pub revolts: BTreeMap<Civ, u8>,
    /// R4.25: who has waited with a defence this turn.
    pub delayed: BTreeSet<Civ>,
    /// R5.8, R5.9, R6.13: which advances have served this turn.
    pub used: BTreeSet<(Civ, Advance)>,
    /// R6.9: who drew, in sequence, once all regular cards are dealt.
    pub dealt: Option<Vec<Civ>>,
    /// The offers of this trade phase.
    pub offers: Vec<Offer>,
    /// Who has traded with whom in it, in sequence. MC-16.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trades: Vec<Traded>,
    /// The wishes on its board.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub notices: BTreeMap<Civ, Notice>,
    /// Whether trade has been closed.
    pub closed: bool,
    /// C.8: who was struck by a calamity of this name this turn, or profited from it.
    pub struck: BTreeSet<(Calamity, Civ)>,
}

impl State {
    /// The state that an opening describes.
    pub fn new(opening: Opening) -> State {
        let hands = opening.holdings.iter().flat_map(|holding| holding.hand.iter().copied());
        let mut deck = BTreeMap::new();
        for card in opening.stacks.cards().chain(hands) {
            if card.face != crate::rules::Face::Water {
                *deck.entry(card).or_default() += 1;
            }
        }
        State {
            printed: Printed(opening.printed),
            rulebook: opening.rulebook,
            track: opening.track,
            players: opening.players,
            turn: opening.turn,
            phase: opening.phase,
            holdings: opening.holdings,
            board: Arc::new(opening.board),
            stacks: Arc::new(opening.stacks),
            deck: Arc::new(deck),
            givers: opening.givers,
            progress: Progress::default(),
            draws: Draws::default(),
            last_turn: None,
            fallen: BTreeSet::new(),
            leaving: BTreeSet::new(),
            scores: None,
            is_whole: true,
        }
    }

    /// The turn that will be the last, once it is known.
    pub fn last_turn(&self) -> Option<u16> {
        self.last_turn
    }

    /// Whether a player leaves as soon as the open phase is over. RL.1.
    pub fn is_leaving(&self, civ: Civ) -> bool {
        self.leaving.contains(&civ)
    }

    /// The scores, best first, once the game has ended.
    pub fn scores(&self) -> Option<&[Score]> {
        self.scores.as_deref()
    }

    /// The wishes that stand on the board of the trade. Whoever has ended their trade answers nothing any more.
    pub(crate) fn posted(&self) -> impl Iterator<Item = (Civ, &Notice)> {
        let is_meant = |civ: &Civ, notice: &Notice| !notice.is_empty() && !self.progress.acted.contains(civ);
        self.progress
            .notices
            .iter()
            .filter(move |(civ, notice)| is_meant(civ, notice))
            .map(|(civ, notice)| (*civ, notice))
    }

    /// The credits of a colour. R12.3.
    pub fn credits(&self, civ: Civ, group: Group) -> u16 {
        let holding = self.holding(civ);
        let held = holding.advances.iter().flat_map(|advance| &self.printed.advances[advance as usize].credits);
        let given: u16 = held.filter(|(given, _)| *given == group).map(|(_, points)| points).sum();
        given + holding.credits.get(&group).copied().unwrap_or(0)
    }

    /// The credits of every colour, in their printed sequence.
    pub(crate) fn all_credits(&self, civ: Civ) -> [(Group, u16); 5] {
        let holding = self.holding(civ);
        let mut all = Group::ALL.map(|group| (group, holding.credits.get(&group).copied().unwrap_or(0)));
        for advance in holding.advances.iter() {
            for (group, points) in &self.printed.advances[advance as usize].credits {
                all[*group as usize].1 += points;
            }
        }
        all
    }

    /// Unit points of an owner in an area: 1 a token, 5 a city. G.3.
    pub fn unit_points(&self, area: AreaId, owner: Owner) -> u16 {
        let city = self.ground(area).city.is_some_and(|city| city.owner == owner);
        self.tokens(area, owner) + 5 * u16::from(city)
    }

    /// The areas where an owner has units.
    pub fn areas_of(&self, owner: Owner) -> impl Iterator<Item = AreaId> + '_ {
        self.grounds().map(|(area, _)| area).filter(move |area| self.unit_points(*area, owner) > 0)
    }

    /// The printed game that is played.
    pub fn printed(&self) -> &PrintedGame {
        &self.printed
    }

    /// The house rules that were agreed on.
    pub fn rulebook(&self) -> &Rulebook {
        &self.rulebook
    }

    /// The side of the A.S.T.
    pub fn track(&self) -> AstSide {
        self.track
    }

    /// How many players, where it matters.
    pub fn players(&self) -> u8 {
        self.players
    }

    /// The turn that is played.
    pub fn turn(&self) -> u16 {
        self.turn
    }

    /// The phase that is open.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The open phase and its turn.
    pub fn turn_phase(&self) -> TurnPhase {
        TurnPhase::new(self.turn, self.phase)
    }

    /// How far the open phase has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The stacks of trade cards.
    pub fn stacks(&self) -> &Stacks {
        &self.stacks
    }

    /// Who last gave this calamity away in a trade this turn. R7.15.
    pub fn giver(&self, card: TradeCard) -> Option<Civ> {
        self.givers.get(&card).copied()
    }

    /// How often chance was asked.
    pub fn draws(&self) -> &Draws {
        &self.draws
    }

    /// The holdings, highest A.S.T.-rank first.
    pub fn holdings(&self) -> &[Holding] {
        &self.holdings
    }

    /// The seated civilizations, highest A.S.T.-rank first.
    pub fn ranking(&self) -> impl DoubleEndedIterator<Item = Civ> + '_ {
        self.holdings.iter().map(|holding| holding.civ)
    }

    /// Whether the civilization has a seat.
    pub fn is_seated(&self, civ: Civ) -> bool {
        self.ranking().any(|seated| seated == civ)
    }

    /// The row on the A.S.T. among those seated; 0 is the highest. G.8.
    pub fn rank(&self, civ: Civ) -> usize {
        self.ranking().position(|seated| seated == civ).expect("every seated civilization has a rank")
    }

    /// What a civilization owns.
    pub fn holding(&self, civ: Civ) -> &Holding {
        &self.holdings[self.rank(civ)]
    }

    /// Whether it holds the advance.
    pub fn has(&self, civ: Civ, advance: Advance) -> bool {
        self.holding(civ).advances.has(advance)
    }

    /// Whether the owner holds the advance; the Barbarians never do. R4.6.
    pub(crate) fn owner_has(&self, owner: Owner, advance: Advance) -> bool {
        match owner {
            Owner::Civ(civ) => self.has(civ, advance),
            Owner::Barbarians => false,
        }
    }

    /// What stands in an area.
    pub fn ground(&self, area: AreaId) -> &Ground {
        &self.board[usize::from(area.0)]
    }

    /// The areas of the board with what stands there.
    pub fn grounds(&self) -> impl Iterator<Item = (AreaId, &Ground)> {
        (0..).map(AreaId).zip(self.board.iter())
    }

    /// The tokens of an owner in an area.
    pub fn tokens(&self, area: AreaId, owner: Owner) -> u16 {
        self.ground(area).force(owner).map_or(0, |force| force.count)
    }

    /// The own ships in an area.
    pub(crate) fn ships_at(&self, area: AreaId, civ: Civ) -> usize {
        self.holding(civ).ships.iter().filter(|ship| ship.area == area).count()
    }

    /// The areas with own cities.
    pub fn cities_of(&self, civ: Civ) -> impl Iterator<Item = AreaId> + '_ {
        self.grounds()
            .filter(move |(_, ground)| ground.city.is_some_and(|city| city.owner == Owner::Civ(civ)))
            .map(|(area, _)| area)
    }

    /// Own cities on the board.
    pub fn city_count(&self, civ: Civ) -> u8 {
        self.printed.pieces.cities - self.holding(civ).cities
    }

    /// Own tokens on the board. R2.8.
    pub fn tokens_on_board(&self, civ: Civ) -> u16 {
        let holding = self.holding(civ);
        self.printed.pieces.tokens - holding.stock - holding.treasury
    }

    /// The printed population limit.
    pub fn limit(&self, area: AreaId) -> u16 {
        u16::from(self.printed.map.area(area).limit)
    }

    /// How many own tokens may stay in an area when surplus is removed. R5.11, R5.12.
    pub fn room(&self, area: AreaId, civ: Civ) -> u16 {
        match self.ground(area).city {
            Some(city) => u16::from(city.owner == Owner::Civ(civ) && self.has(civ, Advance::PublicWorks)),
            None => self.limit_for(area, civ),
        }
    }

    /// The limit without a city: the printed one, with Agriculture where the holder is alone. R5.12.
    pub(crate) fn limit_for(&self, area: AreaId, civ: Civ) -> u16 {
        let limit = self.limit(area);
        let alone = self.ground(area).forces.iter().all(|force| force.owner == Owner::Civ(civ));
        limit + u16::from(limit <= 2 && alone && self.has(civ, Advance::Agriculture))
    }

    /// Whether a conflict situation exists. R3.33, R4.7.
    pub fn is_conflict(&self, area: AreaId) -> bool {
        self.is_conflict_with(area, None)
    }

    /// Whether a conflict situation would exist with so many tokens of a civilization there instead.
    pub(crate) fn is_conflict_with(&self, area: AreaId, instead: Option<(Civ, u16)>) -> bool {
        let ground = self.ground(area);
        let changed = instead.map(|(civ, _)| Owner::Civ(civ));
        let standing = ground.forces.iter().filter(|force| Some(force.owner) != changed).map(|f| (f.owner, f.count));
        let forces =
            standing.chain(instead.map(|(civ, count)| (Owner::Civ(civ), count)).filter(|(_, count)| *count > 0));
        match ground.city {
            Some(city) => forces.into_iter().any(|(owner, _)| owner != city.owner),
            None => {
                let (owners, total) = forces.fold((0, 0), |(owners, total), (_, count)| (owners + 1, total + count));
                owners > 1 && total > self.limit(area)
            }
        }
    }

    /// Tokens that an owner can still put on the board. G.14.
    pub(crate) fn tokens_left(&self, owner: Owner) -> u16 {
        match (owner, self.rulebook.black_pieces) {
            (Owner::Civ(civ), _) => self.holding(civ).stock,
            (Owner::Barbarians, BlackPieces::Unlimited) => u16::MAX,
            (Owner::Barbarians, BlackPieces::AsPrinted) => {
                let standing = self.grounds().map(|(area, _)| self.tokens(area, Owner::Barbarians)).sum();
                BARBARIAN_TOKENS.saturating_sub(standing)
            }
        }
    }

    /// Cities that an owner can still put on the board. G.14.
    pub(crate) fn cities_left(&self, owner: Owner) -> u8 {
        match (owner, self.rulebook.black_pieces) {
            (Owner::Civ(civ), _) => self.holding(civ).cities,
            (Owner::Barbarians, BlackPieces::Unlimited) => u8::MAX,
            (Owner::Barbarians, BlackPieces::AsPrinted) => {
                let cities = self.grounds().filter_map(|(_, ground)| ground.city);
                let standing = cities.filter(|city| city.owner == Owner::Barbarians).count() as u8;
                PIRATE_CITIES.saturating_sub(standing)
            }
        }
    }

    /// The civilizations in the sequence of movement. R3.1, R3.5.
    pub(crate) fn movement_sequence(&self) -> Vec<Civ> {
        let mut holdings: Vec<_> = self.holdings.iter().collect();
        // The sort keeps the ranking among equals.
        holdings.sort_by_key(|holding| (holding.advances.has(Advance::Military), std::cmp::Reverse(holding.census)));
        holdings.into_iter().map(|holding| holding.civ).collect()
    }

    /// The civilizations in the sequence of drawing: fewest cities first. R6.5.
    pub(crate) fn drawing_sequence(&self) -> Vec<Civ> {
        let mut civs: Vec<_> = self.ranking().collect();
        civs.sort_by_key(|civ| self.city_count(*civ));
        civs
    }

    /// Sorts areas A to Z by their printed names.
    pub(crate) fn alphabetically(&self, areas: &mut [AreaId]) {
        areas.sort_by(|a, b| self.printed.map.area(*a).name.cmp(&self.printed.map.area(*b).name));
    }
}

impl Ground {
    /// The force of an owner.
    pub fn force(&self, owner: Owner) -> Option<&Force> {
        self.forces.iter().find(|force| force.owner == owner)
    }

    /// The tokens of all who stand there.
    pub fn total(&self) -> u16 {
        self.forces.iter().map(|force| force.count).sum()
    }
}

impl Force {
    /// Tokens that have not moved this turn.
    pub(crate) fn fresh(&self) -> u16 {
        self.count - self.moved
    }
}

impl Owner {
    /// The civilization, if it is one.
    pub fn civ(self) -> Option<Civ> {
        match self {
            Owner::Civ(civ) => Some(civ),
            Owner::Barbarians => None,
        }
    }
}

/// A map whose keys are no text, as a list of pairs.
fn as_pairs<S: serde::Serializer>(givers: &BTreeMap<TradeCard, Civ>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(givers)
}
