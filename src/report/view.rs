//! The view: what one reader may know of a state, as plain data.
//!
//! Comes in: a state and a civilization. Goes out: its own cards and what is open to everybody. G.15. Two states that
//! differ only in what it may not know give equal views.

use serde::Serialize;

use super::Names;
use crate::game::trade::Offer;
pub use crate::game::{Owner, Phase};
use crate::game::{ShipCondition, State};
use crate::rules::{Advance, AreaId, AreaKind, Civ, Face};

/// What one civilization may know.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct View {
    /// The turn.
    pub turn: u16,
    /// The phase that is open.
    pub phase: Phase,
    /// Whose view it is.
    pub civ: Civ,
    /// Its own cards, ascending.
    pub hand: Vec<Card>,
    /// Every area, by its [`AreaId`].
    pub areas: Vec<Area>,
    /// Every seated civilization, highest A.S.T.-rank first.
    pub civilizations: Vec<Civilization>,
    /// The offers of this trade phase it may see: its own, those to it and those to all.
    pub offers: Vec<Seen>,
}

/// A trade card, or what is said of one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Card {
    /// What it shows.
    pub face: Face,
    /// Its name.
    pub name: String,
    /// What a single one is worth; nothing for water and calamities.
    pub value: u8,
    /// Whether it may be traded.
    pub tradeable: bool,
}

/// An area and what stands there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Area {
    /// Its name.
    pub name: String,
    /// Land, coast or water.
    pub kind: AreaKind,
    /// The printed population limit.
    pub limit: u16,
    /// Whether a city site is printed there.
    pub site: bool,
    /// Whether it carries an out-of-play marker.
    pub out_of_play: bool,
    /// The areas adjacent by land.
    pub land: Vec<AreaId>,
    /// The areas adjacent by water.
    pub water: Vec<AreaId>,
    /// The tokens there, by owner.
    pub tokens: Vec<(Owner, u16)>,
    /// Whose city stands there.
    pub city: Option<Owner>,
    /// The ships there.
    pub ships: Vec<Ship>,
}

/// A ship on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Ship {
    /// Whose.
    pub civ: Civ,
    /// Whether its upkeep is still to be paid before it may sail. R3.15.
    pub old: bool,
}

/// The public numbers of a civilization.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Civilization {
    /// Which.
    pub civ: Civ,
    /// Its name.
    pub name: String,
    /// The last census.
    pub census: u16,
    /// Tokens on the board.
    pub tokens: u16,
    /// Tokens in stock.
    pub stock: u16,
    /// Tokens in the treasury.
    pub treasury: u16,
    /// Cities on the board.
    pub cities: u8,
    /// Cities in stock.
    pub cities_in_stock: u8,
    /// Ships in stock.
    pub ships_in_stock: u8,
    /// Cards in hand.
    pub hand: usize,
    /// Advances held.
    pub advances: Vec<Advance>,
    /// The column on the A.S.T.
    pub position: u8,
}

/// An offer as far as it is known to the reader.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seen {
    /// Its number.
    pub number: u16,
    /// By whom.
    pub from: Civ,
    /// To whom; none is to all.
    pub to: Option<Civ>,
    /// How many cards are given.
    pub count: usize,
    /// The two true names.
    pub told: [Card; 2],
    /// What is said of the others.
    pub says: Vec<Card>,
    /// How many cards are wanted.
    pub wants: u16,
    /// The names that are wanted: the first two are binding.
    pub names: Vec<Card>,
    /// Whether it can still be accepted.
    pub open: bool,
}

impl View {
    /// What this civilization may know.
    pub fn of(state: &State, reader: Civ) -> View {
        let hand = state.holding(reader).hand.iter().map(|held| card(state, held.face));
        let offers = state.progress().offers.iter();
        let may_see = |offer: &&Offer| offer.from == reader || offer.to.is_none_or(|to| to == reader);
        View {
            turn: state.turn(),
            phase: state.phase(),
            civ: reader,
            hand: hand.collect(),
            areas: state.printed().map.ids().map(|id| area(state, id)).collect(),
            civilizations: state.ranking().map(|civ| civilization(state, civ)).collect(),
            offers: offers.filter(may_see).map(|offer| seen(state, offer)).collect(),
        }
    }

    /// The own public numbers.
    pub fn own(&self) -> &Civilization {
        let mut own = self.civilizations.iter().filter(|other| other.civ == self.civ);
        own.next().expect("a view is of a seated civilization")
    }

    /// An area.
    pub fn area(&self, id: AreaId) -> &Area {
        &self.areas[usize::from(id.0)]
    }

    /// All areas.
    pub fn ids(&self) -> impl Iterator<Item = AreaId> + use<> {
        (0..self.areas.len() as u16).map(AreaId)
    }
}

impl Area {
    /// The tokens of an owner.
    pub fn tokens_of(&self, owner: Owner) -> u16 {
        self.tokens.iter().find(|(other, _)| *other == owner).map_or(0, |(_, count)| *count)
    }

    /// The tokens of everybody else.
    pub fn tokens_beside(&self, owner: Owner) -> u16 {
        self.tokens.iter().filter(|(other, _)| *other != owner).map(|(_, count)| count).sum()
    }

    /// Whether tokens may stand there in this game.
    pub fn is_land_in_play(&self) -> bool {
        matches!(self.kind, AreaKind::Land | AreaKind::Coastal) && !self.out_of_play
    }
}

fn card(state: &State, face: Face) -> Card {
    let printed = state.printed();
    let (value, tradeable) = match face {
        Face::Water => (0, true),
        Face::Commodity(commodity) => (printed.commodities[usize::from(commodity.0)].stack, true),
        Face::Calamity(calamity) => (0, printed.calamities[calamity as usize].tradeable),
    };
    Card { face, name: Names(printed).face(face).to_owned(), value, tradeable }
}

fn area(state: &State, id: AreaId) -> Area {
    let (printed, ground) = (state.printed().map.area(id), state.ground(id));
    let ships = state.holdings().iter().flat_map(|holding| holding.ships.iter().map(|ship| (holding.civ, ship)));
    let here = ships.filter(|(_, ship)| ship.area == id);
    Area {
        name: printed.name.clone(),
        kind: printed.kind,
        limit: u16::from(printed.limit),
        site: printed.site.is_some(),
        out_of_play: ground.out_of_play,
        land: printed.land.clone(),
        water: printed.water.clone(),
        tokens: ground.forces.iter().map(|force| (force.owner, force.count)).collect(),
        city: ground.city.map(|city| city.owner),
        ships: here.map(|(civ, ship)| Ship { civ, old: ship.condition == ShipCondition::Old }).collect(),
    }
}

fn civilization(state: &State, civ: Civ) -> Civilization {
    let (printed, holding) = (state.printed(), state.holding(civ));
    Civilization {
        civ,
        name: Names(printed).civ(civ).to_owned(),
        census: holding.census,
        tokens: state.tokens_on_board(civ),
        stock: holding.stock,
        treasury: holding.treasury,
        cities: state.city_count(civ),
        cities_in_stock: holding.cities,
        ships_in_stock: printed.pieces.ships - holding.ships.len() as u8,
        hand: holding.hand.len(),
        advances: holding.advances.iter().collect(),
        position: holding.position,
    }
}

fn seen(state: &State, offer: &Offer) -> Seen {
    let cards = |faces: &[Face]| faces.iter().map(|face| card(state, *face)).collect();
    Seen {
        number: offer.number,
        from: offer.from,
        to: offer.to,
        count: offer.gives.len(),
        told: offer.told.map(|face| card(state, face)),
        says: cards(&offer.says),
        wants: offer.wants,
        names: cards(&offer.names),
        open: offer.open,
    }
}
