//! The view: what a player knows, as plain data.
//!
//! Comes in: what a player knows. Goes out: the same for programs and built-in players.

use serde::Serialize;

use super::Names;
use crate::game::trade::{Notice, Offer};
use crate::game::{Known, ShipCondition, acquisition, ast};
pub(crate) use crate::game::{Owner, Phase};
use crate::rules::{Advance, AreaId, AreaKind, AstSide, Block, Civ, Epoch, Face, Group, Requirement, cards};

/// The format of the attachment, with its version: whatever is added keeps it, whatever goes or changes raises it.
pub(crate) const FORMAT: &str = "cursus-view/1";

/// What one civilization may know.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct View<'a> {
    pub turn: u16,
    /// The phase that is open.
    pub phase: Phase,
    /// Whose view it is.
    pub civ: Civ,
    /// The side of the A.S.T.
    pub track: AstSide,
    /// The turn that will be the last, once it is known. R13.6.
    pub last_turn: Option<u16>,
    /// Its own cards, ascending.
    pub hand: Vec<Card<'a>>,
    /// The same cards as sets, those worth most first. R7.3.
    pub sets: Vec<Set<'a>>,
    /// How many commodity cards it may keep at the end of phase 12. R12.11.
    pub hand_limit: usize,
    /// Every advance, with what it would pay for it now. R12.3.
    pub advances: Vec<Priced<'a>>,
    /// The step it is to make on the A.S.T.; none from the last. R13.1.
    pub next_step: Option<Step>,
    /// Every area, by its [`AreaId`].
    pub areas: Vec<Area<'a>>,
    /// Every seated civilization, highest A.S.T.-rank first.
    pub civilizations: Vec<Civilization<'a>>,
    /// The offers of this trade phase it may see: its own, those to it and those to all.
    pub offers: Vec<Seen<'a>>,
    /// The wishes on the board of the trade, the latest first.
    pub wishes: Vec<Wished<'a>>,
}

/// A trade card, or what is said of one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Card<'a> {
    pub face: Face,
    pub name: &'a str,
    /// What a single one is worth; nothing for water and calamities.
    pub value: u8,
    /// Whether it may be traded.
    pub tradeable: bool,
}

/// Equal cards of a hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Set<'a> {
    pub card: Card<'a>,
    /// How many there are.
    pub count: u16,
    /// What they are worth together.
    pub value: u16,
}

/// An advance as the reader would acquire it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Priced<'a> {
    pub advance: Advance,
    pub name: &'a str,
    pub cost: u16,
    /// What the reader would pay now, with all their credits.
    pub price: u16,
    /// Whether the player holds it.
    pub held: bool,
    /// The printed victory points.
    pub victory_points: u8,
    /// Its one or two colours.
    pub groups: &'a [Group],
    /// The credits it gives towards each colour.
    pub credits: &'a [(Group, u16)],
    /// The further credit it gives towards one advance.
    pub credit_to: Option<(Advance, u16)>,
}

/// A step on the A.S.T. that lies ahead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    pub step: u8,
    /// The epoch it lies in.
    pub epoch: Epoch,
    /// What that epoch asks for.
    pub asks: Requirement,
    /// Whether the reader has all of it.
    pub is_met: bool,
    /// What the epochs after it ask for, the next first.
    pub later: Vec<Requirement>,
}

/// An area and what stands there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Area<'a> {
    pub name: &'a str,
    /// Land, coast or water.
    pub kind: AreaKind,
    /// The printed population limit.
    pub limit: u16,
    /// How many tokens of the reader may stay there, their advances counted. R5.11, R5.12.
    pub room: u16,
    /// Whether a city site is printed there.
    pub site: bool,
    /// Whether it carries an out-of-play marker.
    pub out_of_play: bool,
    /// The areas adjacent by land.
    pub land: &'a [AreaId],
    /// The areas adjacent by water.
    pub water: &'a [AreaId],
    /// The tokens there, by owner.
    pub tokens: Vec<(Owner, u16)>,
    /// Whose city stands there.
    pub city: Option<Owner>,
    pub ships: Vec<Ship>,
}

/// A ship on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Ship {
    pub civ: Civ,
    /// Whether its upkeep is still to be paid before it may sail. R3.15.
    pub old: bool,
}

/// The public numbers of a civilization.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Civilization<'a> {
    pub civ: Civ,
    pub name: &'a str,
    /// The stacks it draws from.
    pub block: Block,
    pub census: u16,
    /// Tokens on the board.
    pub tokens: u16,
    pub stock: u16,
    /// Tokens in the treasury.
    pub treasury: u16,
    /// Cities on the board.
    pub cities: u8,
    pub cities_in_stock: u8,
    pub ships_in_stock: u8,
    pub hand: usize,
    pub advances: Vec<Advance>,
    /// The credits it has of each colour. R12.8.
    pub credits: Vec<(Group, u16)>,
    /// The column on the A.S.T.
    pub position: u8,
    /// The epoch of that column.
    pub epoch: Epoch,
    /// What it would score if the game ended now.
    pub score: u16,
}

/// An offer as far as it is known to the reader.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Seen<'a> {
    pub number: u16,
    pub from: Civ,
    /// To whom: to the reader, or of their own the first who is named; none is to all.
    pub to: Option<Civ>,
    /// The others to whom it goes.
    pub or_to: Vec<Civ>,
    /// How often it may still be accepted.
    pub times: u16,
    /// How many cards are given.
    pub count: usize,
    /// The two true names.
    pub told: [Card<'a>; 2],
    /// What is said of the others.
    pub says: Vec<Card<'a>>,
    /// How many cards are wanted.
    pub wants: u16,
    /// The names that are wanted: the first two are binding.
    pub names: Vec<Card<'a>>,
    /// Whether it can still be accepted.
    pub open: bool,
}

/// A wish on the board: words that bind nobody.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Wished<'a> {
    pub civ: Civ,
    pub wants: Vec<Card<'a>>,
    /// What is said to be there for it.
    pub has: Vec<Card<'a>>,
}

impl<'a> View<'a> {
    /// What a player knows, as data.
    ///
    /// # Panics
    /// Whoever knows it has no seat: a view is a player's.
    pub fn of(known: &'a Known) -> View<'a> {
        let reader = known.civ().expect("a view is of a seated civilization");
        View { areas: areas(known, reader), ..View::without_board(known) }
    }

    /// What a built-in player is asked with: where the phase has nothing to do with the board, most of a view, it is not
    /// looked at.
    ///
    /// # Panics
    /// As a view does.
    pub(crate) fn at_hand(known: &'a Known) -> View<'a> {
        match known.phase() {
            Phase::Tax | Phase::Trade | Phase::Advances | Phase::Ast => View::without_board(known),
            Phase::Cards | Phase::Selection | Phase::Expansion | Phase::Movement | Phase::Conflict => View::of(known),
            Phase::Cities | Phase::Calamities | Phase::Abilities | Phase::Support => View::of(known),
        }
    }

    fn without_board(known: &'a Known) -> View<'a> {
        let reader = known.civ().expect("a view is of a seated civilization");
        let hand = known.holding(reader).hand.iter().map(|held| card(known, held.face));
        View {
            turn: known.turn(),
            phase: known.phase(),
            civ: reader,
            track: known.track(),
            last_turn: known.last_turn(),
            hand: hand.collect(),
            sets: sets(known, reader),
            hand_limit: acquisition::hand_limit(known, reader),
            advances: priced(known, reader),
            next_step: step(known, reader),
            areas: Vec::new(),
            civilizations: known.ranking().map(|civ| civilization(known, civ)).collect(),
            offers: known.progress().offers.iter().map(|offer| seen(known, offer)).collect(),
            wishes: wishes(known),
        }
    }

    /// As the JSON of a letter's attachment. `docs/cursus-view-1.schema.json` describes it.
    pub(crate) fn data(&self, game: &str) -> String {
        #[derive(Serialize)]
        struct Data<'a> {
            format: &'static str,
            game: &'a str,
            #[serde(flatten)]
            view: &'a View<'a>,
        }
        let data = Data { format: FORMAT, game, view: self };
        serde_json::to_string(&data).expect("a view is plain data")
    }

    /// The own public numbers.
    pub(crate) fn own(&self) -> &Civilization<'a> {
        let mut own = self.civilizations.iter().filter(|other| other.civ == self.civ);
        own.next().expect("a view is of a seated civilization")
    }

    pub(crate) fn area(&self, id: AreaId) -> &Area<'a> {
        &self.areas[usize::from(id.0)]
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = AreaId> + use<> {
        (0..self.areas.len() as u16).map(AreaId)
    }
}

impl Area<'_> {
    /// The tokens of an owner.
    pub(crate) fn tokens_of(&self, owner: Owner) -> u16 {
        self.tokens.iter().find(|(other, _)| *other == owner).map_or(0, |(_, count)| *count)
    }

    /// The tokens of everybody else.
    pub(crate) fn tokens_beside(&self, owner: Owner) -> u16 {
        self.tokens.iter().filter(|(other, _)| *other != owner).map(|(_, count)| count).sum()
    }

    /// Whether tokens may stand there in this game.
    pub(crate) fn is_land_in_play(&self) -> bool {
        matches!(self.kind, AreaKind::Land | AreaKind::Coastal) && !self.out_of_play
    }
}

fn card(state: &Known, face: Face) -> Card<'_> {
    let printed = state.printed();
    let (value, tradeable) = match face {
        Face::Water | Face::Unseen | Face::UnseenCalamity => (0, true),
        Face::Commodity(commodity) => (printed.commodities[usize::from(commodity.0)].stack, true),
        Face::Calamity(calamity) => (0, printed.calamities[calamity as usize].tradeable),
    };
    Card { face, name: Names::english(printed).face(face), value, tradeable }
}

fn sets(state: &Known, reader: Civ) -> Vec<Set<'_>> {
    let mut sets: Vec<Set<'_>> = Vec::new();
    for held in &state.holding(reader).hand {
        match sets.iter_mut().find(|set| set.card.face == held.face) {
            Some(set) => set.count += 1,
            None => sets.push(Set { card: card(state, held.face), count: 1, value: 0 }),
        }
    }
    for set in &mut sets {
        set.value = cards::set_value(set.count, set.card.value);
    }
    sets.sort_by_key(|set| (std::cmp::Reverse(set.value), set.card.face));
    sets
}

fn priced(state: &Known, reader: Civ) -> Vec<Priced<'_>> {
    let price = acquisition::prices(state, reader);
    let priced = Advance::ALL.into_iter().zip(&state.printed().advances).map(|(advance, card)| Priced {
        advance,
        name: &card.name,
        cost: card.cost,
        price: price(advance),
        held: state.has(reader, advance),
        victory_points: card.victory_points,
        groups: &card.groups,
        credits: &card.credits,
        credit_to: card.credit_to,
    });
    priced.collect()
}

fn step(state: &Known, reader: Civ) -> Option<Step> {
    let track = state.printed().ast.track(state.track());
    let step = state.holding(reader).position + 1;
    let epoch = track.epoch(reader, step);
    let later = Epoch::ALL.into_iter().filter(|later| *later > epoch);
    (step <= track.last_step).then(|| Step {
        step,
        epoch,
        asks: *track.requirement(epoch),
        is_met: ast::meets(state, reader, track.requirement(epoch)),
        later: later.map(|later| *track.requirement(later)).collect(),
    })
}

fn areas(state: &Known, reader: Civ) -> Vec<Area<'_>> {
    let mut areas: Vec<_> = state.printed().map.ids().map(|id| area(state, reader, id)).collect();
    for holding in state.holdings() {
        for ship in &holding.ships {
            let old = ship.condition == ShipCondition::Old;
            areas[usize::from(ship.area.0)].ships.push(Ship { civ: holding.civ, old });
        }
    }
    areas
}

/// An area without the ships in it.
fn area(state: &Known, reader: Civ, id: AreaId) -> Area<'_> {
    let (printed, ground) = (state.printed().map.area(id), state.ground(id));
    Area {
        name: &printed.name,
        kind: printed.kind,
        limit: u16::from(printed.limit),
        room: state.room(id, reader),
        site: printed.site.is_some(),
        out_of_play: ground.out_of_play,
        land: &printed.land,
        water: &printed.water,
        tokens: ground.forces.iter().map(|force| (force.owner, force.count)).collect(),
        city: ground.city.map(|city| city.owner),
        ships: Vec::new(),
    }
}

fn civilization(state: &Known, civ: Civ) -> Civilization<'_> {
    let (printed, holding) = (state.printed(), state.holding(civ));
    Civilization {
        civ,
        name: Names::english(printed).civ(civ),
        block: holding.block,
        census: holding.census,
        tokens: state.tokens_on_board(civ),
        stock: holding.stock,
        treasury: holding.treasury,
        cities: state.city_count(civ),
        cities_in_stock: holding.cities,
        ships_in_stock: printed.pieces.ships - holding.ships.len() as u8,
        hand: holding.hand.len(),
        advances: holding.advances.iter().collect(),
        credits: state.all_credits(civ).to_vec(),
        position: holding.position,
        epoch: state.epoch(civ),
        score: state.score(civ).total(),
    }
}

fn wishes<'a>(state: &'a Known) -> Vec<Wished<'a>> {
    let cards = |faces: &[Face]| faces.iter().map(|face| card(state, *face)).collect();
    let mut posted: Vec<_> = state.posted().collect();
    posted.sort_by_key(|(_, notice)| std::cmp::Reverse(notice.number));
    let wish = |(civ, notice): (Civ, &'a Notice)| Wished { civ, wants: cards(&notice.wants), has: cards(&notice.has) };
    posted.into_iter().map(wish).collect()
}

fn seen<'a>(state: &'a Known, offer: &'a Offer) -> Seen<'a> {
    let cards = |faces: &[Face]| faces.iter().map(|face| card(state, *face)).collect();
    let named = offer.to.named();
    let to = named.iter().find(|civ| Some(**civ) == state.civ()).or(named.first()).copied();
    let or_to = named.iter().filter(|civ| Some(**civ) != to).copied().collect();
    Seen {
        number: offer.number,
        from: offer.from,
        to,
        or_to,
        times: offer.times,
        count: offer.gives.len(),
        told: offer.told.map(|face| card(state, face)),
        says: cards(&offer.says),
        wants: offer.wants,
        names: cards(&offer.names),
        open: offer.open,
    }
}
