//! Phase 7: trade, with the moderator as the keeper of both sides' cards.
//!
//! Each letter is ruled when it arrives. Trade ends when all have said so, or at the cut-off.

use serde::{Deserialize, Serialize};

use super::command::Wanted;
use super::rulebook::YesNo;
use super::{Awaited, Chance, Chronicle, Command, Commands, Decision, Event, Illegal, PhaseRules, State};
use crate::rules::{Civ, Face, TradeCard};

/// R7.7.
const LEAST_CARDS: usize = 3;
/// R7.8.
const TRUE_NAMES: usize = 2;

/// An offer of this trade phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Its number, from 1.
    pub number: u16,
    /// By whom.
    pub from: Civ,
    /// To whom; none is to all.
    pub to: Option<Civ>,
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
    /// Whether it can still be accepted.
    pub open: bool,
}

/// Phase 7.
pub struct Trade;

impl PhaseRules for Trade {
    /// Whoever could still give three cards and has not ended his trade.
    fn awaits(&self, state: &State) -> Vec<Awaited> {
        if state.progress().closed {
            return Vec::new();
        }
        let holdings = state.holdings().iter().filter(|holding| holding.hand.len() >= LEAST_CARDS);
        let trading = holdings.map(|holding| holding.civ).filter(|civ| !state.progress().acted.contains(civ));
        trading.map(|civ| Awaited { civ, decision: Decision::Trade }).collect()
    }

    fn may_stand(&self, state: &State, civ: Civ, command: &Command) -> Result<(), Illegal> {
        plan(state, civ, command).map(|_| ())
    }

    fn silence(&self, _state: &State, _awaited: Awaited) -> Vec<Command> {
        vec![Command::Done]
    }

    fn resolve(&self, chronicle: &mut Chronicle, commands: &Commands, _chance: &Chance) {
        for filed in &commands.filed {
            let planned = plan(chronicle.state(), filed.civ, &filed.command);
            chronicle.play(filed, planned.map(|event| event.into_iter().collect()));
            void_offers(chronicle);
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
        Command::Offer { .. } | Command::Accept { .. } if ended => Err(Illegal::AfterDone),
        Command::Offer { to, gives, wants, says } => offer(state, civ, *to, gives, wants, says).map(Some),
        Command::Accept { number, gives } => accept(state, civ, *number, gives).map(Some),
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
    to: Option<Civ>,
    gives: &[Face],
    wants: &[Wanted],
    says: &[Face],
) -> Result<Event, Illegal> {
    if to == Some(from) {
        return Err(Illegal::WithOneself);
    }
    if let Some(civ) = to.filter(|civ| !state.is_seated(*civ)) {
        return Err(Illegal::NotSeated { civ });
    }
    let given = cards(state, from, gives)?;
    let told = true_names(state, gives)?;
    if wants.len() < LEAST_CARDS {
        return Err(Illegal::TooFewCards { cards: wants.len() as u16, least: LEAST_CARDS as u16 });
    }
    let names: Vec<_> = wants.iter().filter_map(|wanted| wanted.face()).collect();
    // R7.5: a calamity is never named.
    if let Some(card) = names.iter().chain(says).find(|face| matches!(face, Face::Calamity(_))) {
        return Err(Illegal::CalamityNamed { card: *card });
    }
    if says.len() > gives.len() - TRUE_NAMES {
        return Err(Illegal::SaysTooMuch);
    }
    let number = state.progress().offers.last().map_or(1, |offer| offer.number + 1);
    let (says, wants) = (says.to_vec(), wants.len() as u16);
    Ok(Event::OfferMade { number, from, to, gives: given, told, says, wants, names })
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
    offer
        .filter(|offer| offer.open && offer.from != civ && offer.to.is_none_or(|to| to == civ))
        .ok_or(Illegal::NoSuchOffer { number })
}

/// The cards of a hand that show these faces; three at least, and none that may not be traded. R7.5, R7.7.
fn cards(state: &State, civ: Civ, faces: &[Face]) -> Result<Vec<TradeCard>, Illegal> {
    if faces.len() < LEAST_CARDS {
        return Err(Illegal::TooFewCards { cards: faces.len() as u16, least: LEAST_CARDS as u16 });
    }
    let mut hand = state.holding(civ).hand.clone();
    let mut cards = Vec::with_capacity(faces.len());
    for face in faces {
        let index = hand.iter().position(|card| card.face == *face).ok_or(Illegal::NotInHand { card: *face })?;
        cards.push(hand.remove(index));
        if let Face::Calamity(calamity) = face
            && !state.printed().calamities[*calamity as usize].tradeable
        {
            return Err(Illegal::NotTradeable { card: *face });
        }
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
    fn face(self) -> Option<Face> {
        match self {
            Wanted::Named(face) => Some(face),
            Wanted::Any => None,
        }
    }
}
