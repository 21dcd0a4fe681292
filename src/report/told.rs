//! The one keeper of secrets: what each reader may learn of each event.
//!
//! Comes in: an event, the state it happened in, and a reader. Goes out: how much of it he may be told. Open are the
//! board, stocks, treasuries and the size of hands; secret are the cards themselves and the stacks. G.15.

#![warn(clippy::wildcard_enum_match_arm)]

use crate::game::{Event, State};
use crate::rules::Civ;

/// Who reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reader {
    /// A player: what is public, and what is his own.
    Player(Civ),
    /// Somebody who reads the public record.
    Public,
    /// Somebody who looks over every player's shoulder and tells nobody: the spectator of a demonstration.
    Onlooker,
}

/// How much of an event a reader may be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// All of it.
    Everything,
    /// That it happened and whom it concerns; of cards only their number and what was said of them.
    ThatItHappened,
    /// Nothing at all.
    Nothing,
}

/// What a reader may learn of an event. `state` is what was true when it happened.
pub fn told(state: &State, event: &Event, reader: Reader) -> Told {
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
        | Event::RolledBack { .. }
        | Event::GameEnded { .. } => Told::Everything,

        // His own line concerns nobody else.
        Event::Refused { civ, .. } | Event::Thwarted { civ, .. } => own(reader, &[*civ], Told::Nothing),

        // R6.6, R6.16, R4.27, R7.11: the cards are theirs; that they changed hands is seen.
        Event::CardDrawn { civ, .. } | Event::CardBought { civ, .. } | Event::CardsDiscarded { civ, .. } => {
            own(reader, &[*civ], Told::ThatItHappened)
        }
        Event::CardTaken { from, to, .. } | Event::TradeMade { from, to, .. } | Event::CardGiven { from, to, .. } => {
            own(reader, &[*from, *to], Told::ThatItHappened)
        }

        Event::OfferMade { from, to, .. } => match offered(reader, *from, *to) {
            // R7.8: the other party knows what he was told, not what is given.
            Told::Everything if reader == Reader::Player(*from) || reader == Reader::Onlooker => Told::Everything,
            Told::Everything | Told::ThatItHappened => Told::ThatItHappened,
            Told::Nothing => Told::Nothing,
        },
        Event::OfferDeclined { number, .. } | Event::OfferWithdrawn { number } | Event::OfferVoided { number } => {
            let offer = state.progress().offers.iter().find(|offer| offer.number == *number);
            offer.map_or(Told::Nothing, |offer| offered(reader, offer.from, offer.to))
        }
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
fn offered(reader: Reader, from: Civ, to: Option<Civ>) -> Told {
    match to {
        Some(to) => own(reader, &[from, to], Told::Nothing),
        None => Told::Everything,
    }
}
