//! What somebody knows of a game: the one keeper of secrets.
//!
//! Comes in: what is true, what happened, and a reader. Goes out: [`Known`], what the reader may know of a state, and
//! [`Witnessed`], what the reader may know of a ruling. Open are the board, stocks, treasuries and the size of hands;
//! secret are the cards themselves and the stacks. G.15. Whoever has a `Known` cannot come back to what is true: what
//! the reader may not know is not in it, and whatever is played on it is played with cards that show nothing.

#![warn(clippy::wildcard_enum_match_arm)]

use std::ops::Deref;
use std::sync::Arc;

use super::chance::Draws;
use super::state::Progress;
use super::trade::{Offer, OfferedTo};
use super::{Chance, Commands, Event, Holding, Phase, State, adjudicate, calamities};
use crate::rules::{Block, Calamity, Civ, Face, TradeCard};

/// Whose eyes see a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reader {
    /// A player: what is public, and what is the player's own.
    Player(Civ),
    /// Somebody who reads the public record.
    Public,
    /// Somebody who looks over every player's shoulder and tells nobody: the spectator of a demonstration.
    Onlooker,
}

/// What a reader may know of a state. Cards that the reader has not seen show nothing; offers between others, the
/// stacks and how often chance was asked are not in it. It can be asked whatever a state can be asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    reader: Reader,
    state: State,
}

impl Known {
    /// What this reader may know of it.
    pub fn of(state: &State, reader: Reader) -> Known {
        let state = match reader {
            Reader::Onlooker => state.clone(),
            Reader::Player(_) | Reader::Public => covered(state, reader),
        };
        Known { reader, state }
    }

    /// Whose knowledge this is.
    pub fn reader(&self) -> Reader {
        self.reader
    }

    /// The civilization of a reader who has a seat.
    pub fn civ(&self) -> Option<Civ> {
        match self.reader {
            Reader::Player(civ) => Some(civ).filter(|civ| self.is_seated(*civ)),
            Reader::Public | Reader::Onlooker => None,
        }
    }

    /// What the ruling would come to, as far as the reader can know. Chance is nobody's: what depends on the real one,
    /// or on a card that the reader has not seen, is not foreseen.
    pub(crate) fn foresee(&self, commands: &Commands) -> (Vec<Event>, Known) {
        let (events, state) = adjudicate(&self.state, commands, &Chance::numbered(0));
        (events, Known { reader: self.reader, state })
    }

    /// What would happen if a calamity of this hand struck by itself now.
    pub(crate) fn struck_by(&self, civ: Civ, calamity: Calamity, commands: &Commands) -> Vec<Event> {
        calamities::alone(&self.state, civ, calamity, commands)
    }

    /// How many others it would draw in, and whom its holder may name.
    pub(crate) fn may_be_victims(&self, civ: Civ, calamity: Calamity) -> (usize, Vec<Civ>) {
        calamities::may_be_victims(&self.state, civ, calamity)
    }

    /// What would be known after events that were foreseen.
    pub(crate) fn after(&self, events: &[Event]) -> Known {
        let mut known = self.clone();
        events.iter().for_each(|event| known.follow(event));
        known
    }

    /// Makes known what was foreseen.
    pub(crate) fn follow(&mut self, event: &Event) {
        self.state.apply(event);
    }
}

impl Deref for Known {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

/// A card that shows nothing.
const UNSEEN: TradeCard = TradeCard { face: Face::Unseen, block: Block::West };
const UNSEEN_CALAMITY: TradeCard = TradeCard { face: Face::UnseenCalamity, block: Block::West };

/// The state without what the reader may not know.
fn covered(state: &State, reader: Reader) -> State {
    let me = match reader {
        Reader::Player(civ) => Some(civ),
        Reader::Public | Reader::Onlooker => None,
    };
    // R8.1: once they are laid down, everybody sees how many calamities somebody has.
    let is_laid = |civ: Civ| match state.phase() {
        Phase::Calamities => true,
        Phase::Selection => state.progress().acted.contains(&civ),
        Phase::Tax | Phase::Expansion | Phase::Movement | Phase::Conflict | Phase::Cities | Phase::Cards => false,
        Phase::Trade | Phase::Abilities | Phase::Support | Phase::Advances | Phase::Ast => false,
    };
    let holdings = state.holdings.iter().map(|holding| {
        if me == Some(holding.civ) { holding.clone() } else { cover_hand(holding, is_laid(holding.civ)) }
    });
    // Of a calamity that came to the player in trade the player knows from whom. R7.15.
    let own = me.filter(|civ| state.is_seated(*civ)).map(|civ| &state.holding(civ).hand);
    let givers = state.givers.iter().filter(|(card, _)| own.is_some_and(|hand| hand.contains(card)));
    let offers = &state.progress.offers;
    let offers = offers.iter().filter(|offer| offered(reader, offer.from, &offer.to) != Told::Nothing);
    let offers = offers.map(|offer| if Some(offer.from) == me { offer.clone() } else { cover_gives(offer) });
    let Progress { acted, asked, revolts, delayed, used, dealt, offers: _, trades, notices, closed, struck } =
        &state.progress;
    // Every part is named: whoever adds one decides here what others know of it.
    State {
        printed: state.printed.clone(),
        rulebook: state.rulebook,
        track: state.track,
        players: state.players,
        turn: state.turn,
        phase: state.phase,
        holdings: holdings.collect(),
        board: Arc::clone(&state.board),
        stacks: Arc::new(state.stacks.covered()),
        deck: Arc::default(),
        givers: givers.map(|(card, civ)| (*card, *civ)).collect(),
        progress: Progress {
            acted: acted.clone(),
            asked: *asked,
            revolts: revolts.clone(),
            delayed: delayed.clone(),
            used: used.clone(),
            dealt: dealt.clone(),
            offers: offers.collect(),
            trades: trades.clone(),
            notices: notices.clone(),
            closed: *closed,
            struck: struck.clone(),
        },
        draws: Draws::default(),
        last_turn: state.last_turn,
        fallen: state.fallen.clone(),
        leaving: state.leaving.clone(),
        scores: state.scores.clone(),
        is_whole: false,
    }
}

/// What another has, with cards that show nothing; those of calamities that are laid down show that they are some.
fn cover_hand(holding: &Holding, is_laid: bool) -> Holding {
    let laid = if is_laid { holding.hand.iter().filter(|card| card.face.is_calamity()).count() } else { 0 };
    let hand = std::iter::repeat_n(UNSEEN, holding.hand.len() - laid);
    Holding {
        civ: holding.civ,
        block: holding.block,
        stock: holding.stock,
        treasury: holding.treasury,
        cities: holding.cities,
        ships: holding.ships.clone(),
        ships_built: holding.ships_built,
        scrapped: holding.scrapped.clone(),
        hand: hand.chain(std::iter::repeat_n(UNSEEN_CALAMITY, laid)).collect(),
        advances: holding.advances,
        position: holding.position,
        census: holding.census,
        credits: holding.credits.clone(),
    }
}

/// R7.8: of an offer the others know two true names and the number of cards.
fn cover_gives(offer: &Offer) -> Offer {
    let told = offer.told.into_iter().map(|face| TradeCard { face, block: UNSEEN.block });
    let rest = offer.gives.len().saturating_sub(offer.told.len());
    Offer {
        number: offer.number,
        from: offer.from,
        to: offer.to.clone(),
        gives: told.chain(std::iter::repeat_n(UNSEEN, rest)).collect(),
        told: offer.told,
        says: offer.says.clone(),
        wants: offer.wants,
        names: offer.names.clone(),
        times: offer.times,
        open: offer.open,
    }
}

/// What a reader may know of a ruling: phase by phase what the reader knew before, and what the reader was told.
#[derive(Debug, Clone, PartialEq)]
pub struct Witnessed {
    chapters: Vec<Chapter>,
    after: Known,
}

/// What a reader may know of what happened in one phase.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chapter {
    /// What the player knew before.
    pub before: Known,
    /// What the player was told; where the player is told only that it happened, its cards show nothing.
    pub events: Vec<(Told, Event)>,
}

impl Witnessed {
    /// What this reader may know of these events. `before` is what was true when they began.
    pub fn of(before: &State, events: &[Event], reader: Reader) -> Witnessed {
        let mut state = before.clone();
        let mut chapters = Vec::new();
        for events in events.split_inclusive(|event| matches!(event, Event::PhaseClosed { .. })) {
            let before = Known::of(&state, reader);
            let mut seen = Vec::new();
            for event in events {
                seen.extend(witness(&state, event, reader));
                state.apply(event);
            }
            chapters.push(Chapter { before, events: seen });
        }
        Witnessed { chapters, after: Known::of(&state, reader) }
    }

    /// A board, and nothing that happened on it.
    pub fn nothing(known: Known) -> Witnessed {
        Witnessed { chapters: Vec::new(), after: known }
    }

    /// What the player knew before.
    pub fn before(&self) -> &Known {
        self.chapters.first().map_or(&self.after, |chapter| &chapter.before)
    }

    /// What the player knows now.
    pub fn after(&self) -> &Known {
        &self.after
    }

    pub(crate) fn chapters(&self) -> impl Iterator<Item = (&Chapter, &Known)> {
        let after = self.chapters.iter().skip(1).map(|chapter| &chapter.before).chain([&self.after]);
        self.chapters.iter().zip(after)
    }

    /// All that the player was told.
    pub(crate) fn events(&self) -> impl Iterator<Item = &(Told, Event)> {
        self.chapters.iter().flat_map(|chapter| &chapter.events)
    }
}

/// How much of an event a reader may be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    Everything,
    /// That it happened and whom it concerns; of cards only their number and what was said of them.
    ThatItHappened,
    Nothing,
}

/// An event as a reader is told it; none if the reader is not. `state` is what was true when it happened.
fn witness(state: &State, event: &Event, reader: Reader) -> Option<(Told, Event)> {
    match told(state, event, reader) {
        Told::Nothing => None,
        Told::ThatItHappened => Some((Told::ThatItHappened, unseen(event.clone()))),
        Told::Everything => Some((Told::Everything, event.clone())),
    }
}

/// The event with cards that show nothing.
#[expect(clippy::wildcard_enum_match_arm, reason = "`told` names those that are told in part")]
fn unseen(mut event: Event) -> Event {
    let cover = |cards: &mut [TradeCard]| cards.fill(UNSEEN);
    match &mut event {
        Event::CardDrawn { card, .. } | Event::CardBought { card, .. } => *card = UNSEEN,
        Event::CardTaken { card, .. } | Event::CardGiven { card, .. } => *card = UNSEEN,
        Event::CardsDiscarded { cards, .. } => cover(cards),
        Event::TradeMade { given, received, .. } => {
            cover(given);
            cover(received);
        }
        Event::OfferMade { gives, .. } => cover(gives),
        Event::TradeClosed { lapsed } => lapsed.clear(),
        Event::RolledBack { draws, .. } => *draws = Draws::default(),
        _ => unreachable!("whatever is told in part is covered here"),
    }
    event
}

/// What a reader may learn of an event. `state` is what was true when it happened.
pub(crate) fn told(state: &State, event: &Event, reader: Reader) -> Told {
    match event {
        Event::StackPrepared { .. } | Event::StackReshuffled { .. } => Told::Nothing,
        // Each theme is its player's own until all are revealed.
        Event::ThemesDrawn { .. } => own(reader, &[], Told::Nothing),

        Event::PhaseClosed { .. }
        | Event::TurnAwaited { .. }
        | Event::TaxCollected { .. }
        | Event::CityRevolted { .. }
        | Event::TokensGrew { .. }
        | Event::CensusTaken { .. }
        | Event::TokensWalked { .. }
        | Event::ShipBuilt { .. }
        | Event::ShipMaintained { .. }
        | Event::ShipScrapped { .. }
        | Event::ShipSailed { .. }
        | Event::MovementEnded { .. }
        | Event::TokensFought { .. }
        | Event::AttackFailed { .. }
        | Event::DefenceDelayed { .. }
        | Event::CityFell { .. }
        | Event::LootTaken { .. }
        | Event::CityBuilt { .. }
        | Event::SurplusRemoved { .. }
        | Event::CityReduced { .. }
        | Event::SupportChecked { .. }
        | Event::CardsDealt { .. }
        | Event::PurchasesEnded { .. }
        | Event::TradingEnded { .. }
        | Event::NoticePosted { .. }
        | Event::GameOpened { .. }
        | Event::CalamitiesLaid { .. }
        | Event::CalamityDiscarded { .. }
        | Event::CalamityStruck { .. }
        | Event::VictimNamed { .. }
        | Event::CalamityResolved { .. }
        | Event::UnitsDestroyed { .. }
        | Event::UnitsAnnexed { .. }
        | Event::TreasuryLost { .. }
        | Event::TreasuryGained { .. }
        | Event::BarbariansCame { .. }
        | Event::BarbariansWandered { .. }
        | Event::MarkerMoved { .. }
        | Event::AbilityUsed { .. }
        | Event::TokensResettled { .. }
        | Event::AbilitiesEnded { .. }
        | Event::AdvancesAcquired { .. }
        | Event::AcquisitionEnded { .. }
        | Event::LastTurnAnnounced { .. }
        | Event::CivilizationSet { .. }
        | Event::AreaClosed { .. }
        | Event::LeavingAnnounced { .. }
        | Event::PlayerLeft { .. }
        | Event::Corrected { .. }
        | Event::GameEnded { .. } => Told::Everything,

        // The player's own line concerns nobody else.
        Event::Refused { civ, .. } | Event::Thwarted { civ, .. } => own(reader, &[*civ], Told::Nothing),

        // R6.6, R6.16, R4.27, R7.11: the cards are theirs; that they changed hands is seen.
        Event::CardDrawn { civ, .. } | Event::CardBought { civ, .. } | Event::CardsDiscarded { civ, .. } => {
            own(reader, &[*civ], Told::ThatItHappened)
        }
        Event::CardTaken { from, to, .. } | Event::TradeMade { from, to, .. } | Event::CardGiven { from, to, .. } => {
            own(reader, &[*from, *to], Told::ThatItHappened)
        }

        Event::OfferMade { from, to, .. } => match offered(reader, *from, to) {
            // R7.8: the other party knows what the player was told, not what is given.
            Told::Everything if reader == Reader::Player(*from) || reader == Reader::Onlooker => Told::Everything,
            Told::Everything | Told::ThatItHappened => Told::ThatItHappened,
            Told::Nothing => Told::Nothing,
        },
        Event::OfferDeclined { number, .. } | Event::OfferWithdrawn { number } | Event::OfferVoided { number } => {
            let offer = state.progress().offers.iter().find(|offer| offer.number == *number);
            offer.map_or(Told::Nothing, |offer| offered(reader, offer.from, &offer.to))
        }
        // How often chance was asked tells what was drawn.
        Event::RolledBack { .. } => own(reader, &[], Told::ThatItHappened),
        // The numbers of lapsed offers speak of offers that were not made to everybody.
        Event::TradeClosed { .. } => own(reader, &[], Told::ThatItHappened),
    }
}

/// Everything to those concerned and to the onlooker, this to the others.
fn own(reader: Reader, concerned: &[Civ], others: Told) -> Told {
    match reader {
        Reader::Onlooker => Told::Everything,
        Reader::Player(civ) if concerned.contains(&civ) => Told::Everything,
        Reader::Player(_) | Reader::Public => others,
    }
}

/// An offer is known to its parties; one to all is known to all.
fn offered(reader: Reader, from: Civ, to: &OfferedTo) -> Told {
    match to.named() {
        [] => Told::Everything,
        named => own(reader, &[&[from], named].concat(), Told::Nothing),
    }
}
