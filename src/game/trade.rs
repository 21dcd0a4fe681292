//! Phase 7: trade, with the moderator as the keeper of both sides' cards.
//!
//! Each letter is ruled when it arrives, and behind each of its lines whatever stands ready to answer offers. Trade ends
//! when all have said so, or at the cut-off.

mod market;

pub use market::OfferedTo;
pub(crate) use market::{Notice, Traded};
pub(super) use market::{is_once, once};

use serde::{Deserialize, Serialize};

use super::command::Wanted;
use super::rulebook::YesNo;
use super::{Awaited, Chance, Chronicle, Command, Commands, Decision, Event, Filed, Illegal, PhaseRules, State};
use crate::rules::{Civ, Face, TradeCard};

/// R7.7.
const LEAST_CARDS: usize = 3;
/// R7.8.
const TRUE_NAMES: usize = 2;
/// So many cards a wish may speak of, wanted and had.
const MOST_WISHED: usize = 12;

/// An offer of this trade phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Its number, from 1.
    pub number: u16,
    pub from: Civ,
    pub to: OfferedTo,
    /// The cards, held for it.
    pub gives: Vec<TradeCard>,
    /// The two true names that are told.
    pub told: [Face; 2],
    /// What is said of the others.
    pub says: Vec<Face>,
    /// How many cards are wanted.
    pub wants: u16,
    /// The names that are wanted: the first two are binding.
    pub names: Vec<Face>,
    /// How often it may still be accepted.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub times: u16,
    /// Whether it can still be accepted.
    pub open: bool,
}

impl Offer {
    /// Whether this player may accept it, as far as its address goes.
    pub fn is_open_to(&self, civ: Civ) -> bool {
        self.open && self.from != civ && self.to.includes(civ)
    }
}

/// Phase 7.
pub(crate) struct Trade;

impl PhaseRules for Trade {
    /// Whoever could still give three cards and has not ended their trade.
    fn awaits(&self, state: &State) -> Vec<Awaited> {
        if state.progress().closed {
            return Vec::new();
        }
        let holdings = state.holdings().iter().filter(|holding| holding.hand.len() >= LEAST_CARDS);
        let able: Vec<Civ> = holdings.map(|holding| holding.civ).collect();
        // It takes two.
        if able.len() < 2 {
            return Vec::new();
        }
        let trading = able.into_iter().filter(|civ| !state.progress().acted.contains(civ));
        trading.map(|civ| Awaited { civ, decision: Decision::Trade }).collect()
    }

    fn may_stand(&self, state: &State, civ: Civ, command: &Command) -> Result<(), Illegal> {
        plan(state, civ, command).map(|_| ())
    }

    fn silence(&self, _state: &State, _awaited: Awaited) -> Vec<Command> {
        vec![Command::Done]
    }

    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, _chance: &Chance) {
        let mut standing: Vec<&Filed> = commands.standing.iter().collect();
        for filed in &commands.filed {
            let planned = plan(chronicle.state(), filed.civ, &filed.command);
            let stands = matches!(filed.command, Command::AcceptAny { .. }) && planned.is_ok();
            chronicle.play(filed, planned.map(|event| event.into_iter().collect()));
            void_offers(chronicle);
            standing.extend(Some(filed).filter(|_| stands));
            answer_by_standing(chronicle, &standing);
        }
        if commands.cut_off || self.awaits(chronicle.state()).is_empty() {
            let open = chronicle.state().progress().offers.iter().filter(|offer| offer.open);
            let lapsed = open.map(|offer| offer.number).collect();
            chronicle.record(Event::TradeClosed { lapsed });
        }
    }
}

/// What follows from a line now; none where nothing does.
fn plan(state: &State, civ: Civ, command: &Command) -> Result<Option<Event>, Illegal> {
    let ended = state.progress().acted.contains(&civ);
    match command {
        Command::Offer { .. } | Command::Accept { .. } | Command::AcceptAny { .. } | Command::Post { .. } if ended => {
            Err(Illegal::AfterDone)
        }
        Command::Offer { to, gives, wants, says, times } => {
            offer(state, civ, to, gives, wants, says).map(|made| Some(market::repeated(made, *times)))
        }
        Command::Accept { number, gives } => accept(state, civ, *number, gives).map(Some),
        // Whether the cards are there is asked whenever an offer fits.
        Command::AcceptAny { of, gives } => {
            enough(of.len()).and(enough(gives.len())).and(tradeable(state, gives))?;
            true_names(state, gives)?;
            unnamed(of.iter().filter_map(|wanted| wanted.face())).map(|()| None)
        }
        Command::Post { wants, has } => {
            unnamed(wants.iter().chain(has).copied())?;
            if wants.len().max(has.len()) > MOST_WISHED {
                return Err(Illegal::SaysTooMuch);
            }
            Ok(market::post(state, civ, wants, has))
        }
        Command::Decline { number } => {
            open_offer(state, *number, civ)?;
            Ok(Some(Event::OfferDeclined { number: *number, by: civ }))
        }
        Command::Withdraw { number } => {
            let own = state.progress().offers.iter().find(|offer| offer.number == *number && offer.from == civ);
            match own {
                Some(offer) if offer.open => Ok(Some(Event::OfferWithdrawn { number: *number })),
                Some(_) | None => Err(Illegal::NoSuchOffer { number: *number }),
            }
        }
        Command::Done if ended => Ok(None),
        Command::Done => Ok(Some(Event::TradingEnded { civ })),
        Command::Wait => Ok(None),
        other => Err(Illegal::WrongPhase { phase: other.phase().unwrap_or(state.phase()) }),
    }
}

fn offer(
    state: &State,
    from: Civ,
    to: &OfferedTo,
    gives: &[Face],
    wants: &[Wanted],
    says: &[Face],
) -> Result<Event, Illegal> {
    if to.named().contains(&from) {
        return Err(Illegal::WithOneself);
    }
    if let Some(civ) = to.named().iter().find(|civ| !state.is_seated(**civ)) {
        return Err(Illegal::NotSeated { civ: *civ });
    }
    let given = cards(state, from, gives)?;
    let told = true_names(state, gives)?;
    enough(wants.len())?;
    let names: Vec<_> = wants.iter().filter_map(|wanted| wanted.face()).collect();
    unnamed(names.iter().chain(says).copied())?;
    if says.len() > gives.len() - TRUE_NAMES {
        return Err(Illegal::SaysTooMuch);
    }
    let number = state.progress().offers.last().map_or(1, |offer| offer.number + 1);
    let (to, says, wants) = (to.clone(), says.to_vec(), wants.len() as u16);
    Ok(Event::OfferMade { number, from, to, gives: given, told, says, wants, names, times: once() })
}

fn accept(state: &State, civ: Civ, number: u16, gives: &[Face]) -> Result<Event, Illegal> {
    let offer = open_offer(state, number, civ)?;
    let received = cards(state, civ, gives)?;
    true_names(state, gives)?;
    if gives.len() != usize::from(offer.wants) {
        return Err(Illegal::WrongNumber { cards: gives.len() as u16, asked: offer.wants });
    }
    // R7.8: the first two names asked for must be there, twice if named twice.
    let binding = &offer.names[..offer.names.len().min(TRUE_NAMES)];
    for name in binding {
        let count = |faces: &[Face]| faces.iter().filter(|face| *face == name).count();
        if count(gives) < count(binding) {
            return Err(Illegal::NotAsAsked { card: *name });
        }
    }
    let given = held_for(state, offer).ok_or(Illegal::NoSuchOffer { number })?;
    Ok(Event::TradeMade { number, from: offer.from, to: civ, given, received })
}

/// An open offer to this player, or to all but its maker.
fn open_offer(state: &State, number: u16, civ: Civ) -> Result<&Offer, Illegal> {
    let offer = state.progress().offers.iter().find(|offer| offer.number == number);
    offer.filter(|offer| offer.is_open_to(civ)).ok_or(Illegal::NoSuchOffer { number })
}

/// Whoever has filed what the player takes for what answers every offer that fits: the earliest offer first, and of
/// several who would take it the one who filed it first. The player must have the cards in hand; if the player has not,
/// nobody hears of it.
fn answer_by_standing(chronicle: &mut Chronicle, standing: &[&Filed]) {
    loop {
        let state = chronicle.state();
        let open = state.progress().offers.iter().filter(|offer| offer.open);
        let taken = open.flat_map(|offer| standing.iter().filter_map(|filed| taken(state, offer, filed))).next();
        let Some(trade) = taken else { return };
        chronicle.record(trade);
        void_offers(chronicle);
    }
}

/// The trade that a standing answer makes of an offer, if it fits and both have the cards.
fn taken(state: &State, offer: &Offer, filed: &Filed) -> Option<Event> {
    let Command::AcceptAny { of, gives } = &filed.command else { return None };
    let is_it = market::gives_as_asked(offer, of);
    is_it.then(|| accept(state, filed.civ, offer.number, gives).ok()).flatten()
}

/// R7.7.
fn enough(cards: usize) -> Result<(), Illegal> {
    if cards < LEAST_CARDS {
        Err(Illegal::TooFewCards { cards: cards as u16, least: LEAST_CARDS as u16 })
    } else {
        Ok(())
    }
}

/// R7.5: a calamity is never named.
fn unnamed(mut names: impl Iterator<Item = Face>) -> Result<(), Illegal> {
    match names.find(|face| matches!(face, Face::Calamity(_))) {
        Some(card) => Err(Illegal::CalamityNamed { card }),
        None => Ok(()),
    }
}

/// R7.5: some calamities are never given.
fn tradeable(state: &State, faces: &[Face]) -> Result<(), Illegal> {
    let is_kept = |face: &&Face| match face {
        Face::Calamity(calamity) => !state.printed().calamities[*calamity as usize].tradeable,
        Face::Water | Face::Commodity(_) | Face::Unseen | Face::UnseenCalamity => false,
    };
    faces.iter().find(is_kept).map_or(Ok(()), |card| Err(Illegal::NotTradeable { card: *card }))
}

/// The cards of a hand that show these faces; three at least, and none that may not be traded. R7.5, R7.7.
fn cards(state: &State, civ: Civ, faces: &[Face]) -> Result<Vec<TradeCard>, Illegal> {
    enough(faces.len())?;
    let mut hand = state.holding(civ).hand.clone();
    let mut cards = Vec::with_capacity(faces.len());
    for face in faces {
        let index = hand.iter().position(|card| card.face == *face).ok_or(Illegal::NotInHand { card: *face })?;
        cards.push(hand.remove(index));
        tradeable(state, std::slice::from_ref(face))?;
    }
    Ok(cards)
}

/// The cards of an offer, if its maker still has all of them. A card that is not known may be any.
fn held_for(state: &State, offer: &Offer) -> Option<Vec<TradeCard>> {
    let mut hand = state.holding(offer.from).hand.clone();
    let mut held = Vec::with_capacity(offer.gives.len());
    for given in &offer.gives {
        let is_it = |card: &TradeCard| card.face == given.face;
        let may_be = |card: &TradeCard| card.face.is_unseen() || given.face.is_unseen();
        let index = hand.iter().position(is_it).or_else(|| hand.iter().position(may_be))?;
        let card = hand.remove(index);
        held.push(if card.face.is_unseen() { *given } else { card });
    }
    Some(held)
}

/// The first two commodities, which are told truthfully. R7.8, R7.14.
fn true_names(state: &State, faces: &[Face]) -> Result<[Face; TRUE_NAMES], Illegal> {
    let water_counts = state.rulebook().water_naming == YesNo::Yes;
    let mut commodities = faces.iter().filter(|face| match face {
        Face::Water => water_counts,
        Face::Commodity(_) => true,
        Face::Calamity(_) | Face::Unseen | Face::UnseenCalamity => false,
    });
    match (commodities.next(), commodities.next()) {
        (Some(first), Some(second)) => Ok([*first, *second]),
        _ => Err(Illegal::TooFewCommodities),
    }
}

/// An offer whose cards are no longer all in its maker's hand is void, and nobody is told why. MC-17.
fn void_offers(chronicle: &mut Chronicle) {
    let state = chronicle.state();
    let is_void = |offer: &&Offer| offer.open && held_for(state, offer).is_none();
    let void: Vec<_> = state.progress().offers.iter().filter(is_void).map(|offer| offer.number).collect();
    for number in void {
        chronicle.record(Event::OfferVoided { number });
    }
}

impl Wanted {
    /// The name, if one is named.
    pub(super) fn face(self) -> Option<Face> {
        match self {
            Wanted::Named(face) => Some(face),
            Wanted::Any => None,
        }
    }
}
