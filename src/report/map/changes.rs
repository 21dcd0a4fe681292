//! What just changed on the board, as far as a reader may be told.

#![warn(clippy::wildcard_enum_match_arm)]

use std::collections::{BTreeMap, BTreeSet};

use crate::game::{Event, Owner, Told, Witnessed};
use crate::rules::{AreaId, Civ};

/// The changes that a picture shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// Who moved from where to where, and how many; equal ways are one.
    pub moves: BTreeMap<Move, u16>,
    /// Where there was a conflict.
    pub conflicts: BTreeSet<AreaId>,
    /// Where a city was won: built, or taken over.
    pub won: BTreeSet<AreaId>,
    /// Where a city was lost, and by whom.
    pub lost: BTreeSet<(AreaId, Owner)>,
    /// Where ships were lost, whose, and how many.
    pub sunk: BTreeMap<(AreaId, Civ), u16>,
    /// How many tokens came or went otherwise than by moving.
    pub tokens: BTreeMap<(AreaId, Owner), i32>,
}

/// A way over the board.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    pub owner: Owner,
    /// The areas of the way, with the first and the last.
    pub way: Vec<AreaId>,
    /// Whether it went by ship.
    pub by_ship: bool,
}

impl Changes {
    /// What a reader saw of a ruling.
    pub fn seen(seen: &Witnessed) -> Changes {
        let mut changes = Changes::default();
        for (told, event) in seen.events() {
            match told {
                Told::Everything => changes.note(event),
                // Of such events the board shows nothing.
                Told::ThatItHappened | Told::Nothing => {}
            }
        }
        changes.tokens.retain(|_, count| *count != 0);
        changes
    }

    /// The areas where something changed.
    pub(crate) fn areas(&self) -> impl Iterator<Item = AreaId> {
        let ways = self.moves.keys().flat_map(|moved| moved.way.iter().copied());
        let cities = self.won.iter().copied().chain(self.lost.iter().map(|(area, _)| *area));
        let pieces = self.tokens.keys().map(|(area, _)| *area).chain(self.sunk.keys().map(|(area, _)| *area));
        ways.chain(self.conflicts.iter().copied()).chain(cities).chain(pieces)
    }

    /// The areas where something changed for an owner.
    pub(crate) fn of(&self, owner: Owner) -> impl Iterator<Item = AreaId> {
        let ways =
            self.moves.keys().filter(move |moved| moved.owner == owner).flat_map(|moved| moved.way.iter().copied());
        let lost = self.lost.iter().filter(move |(_, loser)| *loser == owner).map(|(area, _)| *area);
        let tokens = self.tokens.keys().filter(move |(_, other)| *other == owner).map(|(area, _)| *area);
        let sunk = self.sunk.keys().filter(move |(_, civ)| Owner::Civ(*civ) == owner).map(|(area, _)| *area);
        ways.chain(lost).chain(tokens).chain(sunk)
    }

    /// The board shows where pieces came, went and fought; what else happened is no matter of a picture.
    fn note(&mut self, event: &Event) {
        match event {
            Event::TokensWalked { civ, count, path } => self.go(Owner::Civ(*civ), path, *count, false),
            Event::ShipSailed { civ, route, stops, .. } => {
                let landed = stops.iter().map(|stop| stop.landed).sum();
                self.go(Owner::Civ(*civ), route, landed, true);
            }
            Event::BarbariansWandered { from, to, count } => self.go(Owner::Barbarians, &[*from, *to], *count, false),
            Event::TokensResettled { civ, from, to, count } => self.go(Owner::Civ(*civ), &[*from, *to], *count, false),

            Event::TokensGrew { civ, area, count } => self.come(*area, Owner::Civ(*civ), *count),
            Event::BarbariansCame { area, count } => self.come(*area, Owner::Barbarians, *count),
            Event::SurplusRemoved { civ, area, count } => self.leave(*area, Owner::Civ(*civ), *count),
            Event::ShipBuilt { civ, tokens, .. } => self.leave_all(Owner::Civ(*civ), tokens),
            Event::ShipMaintained { civ, token_from, .. } => {
                token_from.iter().for_each(|area| self.leave(*area, Owner::Civ(*civ), 1));
            }
            Event::ShipScrapped { civ, area, .. } => self.sink(*area, *civ, 1),
            Event::MovementEnded { civ, lost } => lost.iter().for_each(|area| self.sink(*area, *civ, 1)),

            Event::TokensFought { area, losses, .. } => {
                self.conflicts.insert(*area);
                for loss in losses {
                    self.leave(*area, loss.owner, loss.tokens);
                    self.leave_all(loss.owner, &loss.neighbours);
                    self.sink_of(*area, loss.owner, loss.ships);
                }
            }
            Event::AttackFailed { area, attacker, tokens, ships, .. } => {
                self.conflicts.insert(*area);
                self.leave(*area, *attacker, *tokens);
                self.sink_of(*area, *attacker, *ships);
            }
            Event::CityFell { area, defender, replaced, .. } => {
                self.conflicts.insert(*area);
                self.lost.insert((*area, *defender));
                self.come(*area, *defender, *replaced);
            }
            Event::CityRevolted { area, from, to, .. } => self.pass(*area, Owner::Civ(*from), to.map(Owner::Civ)),
            Event::CityBuilt { civ, area, neighbours, .. } => {
                self.won.insert(*area);
                self.leave_all(Owner::Civ(*civ), neighbours);
            }
            Event::CityReduced { civ, area, placed, .. } => {
                self.lost.insert((*area, Owner::Civ(*civ)));
                self.come(*area, Owner::Civ(*civ), *placed);
            }
            Event::UnitsDestroyed { owner, area, tokens, city, .. } => {
                self.leave(*area, *owner, *tokens);
                if *city {
                    self.pass(*area, *owner, None);
                }
            }
            Event::UnitsAnnexed { from, to, area, tokens, city, .. } => {
                self.leave(*area, *from, *tokens);
                self.come(*area, *to, *tokens);
                if *city {
                    self.pass(*area, *from, Some(*to));
                }
            }

            Event::GameOpened { .. }
            | Event::StackPrepared { .. }
            | Event::PhaseClosed { .. }
            | Event::Refused { .. }
            | Event::Thwarted { .. }
            | Event::TurnAwaited { .. }
            | Event::TaxCollected { .. }
            | Event::CensusTaken { .. }
            | Event::DefenceDelayed { .. }
            | Event::CardTaken { .. }
            | Event::LootTaken { .. }
            | Event::SupportChecked { .. }
            | Event::CardDrawn { .. }
            | Event::CardBought { .. }
            | Event::CardsDealt { .. }
            | Event::PurchasesEnded { .. }
            | Event::OfferMade { .. }
            | Event::NoticePosted { .. }
            | Event::OfferDeclined { .. }
            | Event::OfferWithdrawn { .. }
            | Event::TradeMade { .. }
            | Event::OfferVoided { .. }
            | Event::TradingEnded { .. }
            | Event::TradeClosed { .. }
            | Event::CalamitiesLaid { .. }
            | Event::CalamityDiscarded { .. }
            | Event::CalamityStruck { .. }
            | Event::VictimNamed { .. }
            | Event::CalamityResolved { .. }
            | Event::TreasuryLost { .. }
            | Event::TreasuryGained { .. }
            | Event::CardsDiscarded { .. }
            | Event::MarkerMoved { .. }
            | Event::AbilityUsed { .. }
            | Event::CardGiven { .. }
            | Event::AbilitiesEnded { .. }
            | Event::AdvancesAcquired { .. }
            | Event::AcquisitionEnded { .. }
            | Event::StackReshuffled { .. }
            | Event::LastTurnAnnounced { .. }
            | Event::GameEnded { .. }
            | Event::ThemesDrawn { .. }
            | Event::CivilizationSet { .. }
            | Event::AreaClosed { .. }
            | Event::LeavingAnnounced { .. }
            | Event::PlayerLeft { .. }
            | Event::Corrected { .. }
            | Event::RolledBack { .. } => {}
        }
    }

    fn go(&mut self, owner: Owner, way: &[AreaId], count: u16, by_ship: bool) {
        *self.moves.entry(Move { owner, way: way.to_vec(), by_ship }).or_default() += count;
    }

    fn come(&mut self, area: AreaId, owner: Owner, count: u16) {
        *self.tokens.entry((area, owner)).or_default() += i32::from(count);
    }

    fn leave(&mut self, area: AreaId, owner: Owner, count: u16) {
        *self.tokens.entry((area, owner)).or_default() -= i32::from(count);
    }

    fn leave_all(&mut self, owner: Owner, tokens: &[(AreaId, u16)]) {
        tokens.iter().for_each(|(area, count)| self.leave(*area, owner, *count));
    }

    fn sink(&mut self, area: AreaId, civ: Civ, count: u16) {
        *self.sunk.entry((area, civ)).or_default() += count;
    }

    fn sink_of(&mut self, area: AreaId, owner: Owner, ships: u8) {
        if let (Some(civ), 1..) = (owner.civ(), ships) {
            self.sink(area, civ, u16::from(ships));
        }
    }

    /// A city passes to somebody, or to nobody.
    fn pass(&mut self, area: AreaId, from: Owner, to: Option<Owner>) {
        self.lost.insert((area, from));
        if to.is_some() {
            self.won.insert(area);
        }
    }
}
