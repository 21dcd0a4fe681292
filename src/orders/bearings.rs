//! Where the writer of a letter stands: what a name or `all` can mean to the writer.
//!
//! Comes in: the game and who writes. Goes out: which areas are the writer's, beside another or in play, and what of
//! ships, offers and cards the writer has. Only the open board and the writer's own hand are looked at, so nothing
//! hidden can be read off a reading.

use super::names::{Found, How};
use crate::game::movement::way;
use crate::game::{Known, Owner, Phase, ShipCondition};
use crate::rules::names::fold;
use crate::rules::{AreaId, Civ, Face};

/// Where a writer stands.
pub struct Bearings<'a> {
    state: &'a Known,
    civ: Civ,
    players: Vec<(String, Civ)>,
}

/// What kind of area is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sense {
    /// Any that is in play.
    Any,
    /// One where something of the writer's stands.
    Mine,
    /// One where a ship of their stands, or could be built.
    Port,
    /// A neighbour by land.
    Beside(AreaId),
    /// One that a ship can reach.
    Across(AreaId),
}

impl<'a> Bearings<'a> {
    /// The bearings of a player.
    pub fn of(state: &'a Known, civ: Civ) -> Bearings<'a> {
        Bearings { state, civ, players: Vec::new() }
    }

    /// The same, with the people at the seats, who may be written to by name.
    pub(crate) fn with_players(self, players: Vec<(String, Civ)>) -> Bearings<'a> {
        Bearings { players, ..self }
    }

    /// The phase that is open.
    pub(crate) fn phase(&self) -> Phase {
        self.state.phase()
    }

    /// Narrows what may be meant to what can be: where only one of several areas fits best, it is that one. Else those
    /// that fit stand first.
    pub(crate) fn narrowed(&self, found: Found<AreaId>, sense: Sense) -> Found<AreaId> {
        let Found::Several { candidates, taken, how } = found else { return found };
        // Of two misspellings nobody knows which was meant, and the nearest stands first.
        if how == How::Near {
            return Found::Several { candidates, taken, how };
        }
        let (best, others): (Vec<AreaId>, Vec<AreaId>) =
            candidates.into_iter().partition(|area| self.is_in_play(*area) && self.fits(*area, sense));
        match best[..] {
            // The player is told, as of a misspelling.
            [what] => Found::Read { what, taken, how: How::Near },
            _ => Found::Several { candidates: [best, others].concat(), taken, how },
        }
    }

    fn fits(&self, area: AreaId, sense: Sense) -> bool {
        let map = &self.state.printed().map;
        match sense {
            Sense::Any => true,
            Sense::Mine => self.is_mine(area),
            Sense::Port => self.state.ships_at(area, self.civ) > 0 || self.is_mine(area) && map.area(area).is_coastal(),
            Sense::Beside(from) => map.area(from).land.contains(&area),
            Sense::Across(from) => from != area && way(self.state, self.civ, from, area).is_some(),
        }
    }

    fn is_in_play(&self, area: AreaId) -> bool {
        !self.state.ground(area).out_of_play
    }

    fn is_mine(&self, area: AreaId) -> bool {
        self.state.areas_of(Owner::Civ(self.civ)).any(|own| own == area)
            || self.state.ships_at(area, self.civ) > 0
            || self.state.ground(area).city.is_some_and(|city| city.owner == Owner::Civ(self.civ))
    }

    /// Whether anything stands there.
    pub(crate) fn is_occupied(&self, area: AreaId) -> bool {
        let ground = self.state.ground(area);
        !ground.forces.is_empty() || ground.city.is_some() || self.is_mine(area)
    }

    /// The way of a voyage that names only its end.
    pub(crate) fn way(&self, from: AreaId, to: AreaId) -> Option<Vec<AreaId>> {
        way(self.state, self.civ, from, to)
    }

    /// Where the player's ships stand that need their upkeep, by name, each as often as there are.
    pub(crate) fn old_ships(&self) -> Vec<AreaId> {
        let ships = self.state.holding(self.civ).ships.iter();
        let mut areas: Vec<AreaId> =
            ships.filter(|ship| ship.condition == ShipCondition::Old).map(|ship| ship.area).collect();
        areas.sort_by_key(|area| (fold(&self.state.printed().map.area(*area).name), *area));
        areas
    }

    /// The numbers of the player's open offers.
    pub(crate) fn own_offers(&self) -> Vec<u16> {
        let offers = self.state.progress().offers.iter();
        offers.filter(|offer| offer.open && offer.from == self.civ).map(|offer| offer.number).collect()
    }

    /// How many cards of a face the player holds.
    pub(crate) fn held(&self, face: Face) -> u16 {
        let hand = self.state.holding(self.civ).hand.iter();
        u16::try_from(hand.filter(|card| card.face == face).count()).unwrap_or(u16::MAX)
    }

    /// Whose seat somebody of this name has: the person's whole name, or a part of it that nobody else has.
    pub(crate) fn player(&self, name: &str) -> Option<Civ> {
        let name = fold(name);
        let whole = self.players.iter().filter(|(player, _)| fold(player) == name);
        let part = self.players.iter().filter(|(player, _)| fold(player).split(' ').any(|word| word == name));
        let only = |found: Vec<&(String, Civ)>| match found[..] {
            [(_, civ)] => Some(*civ),
            _ => None,
        };
        only(whole.collect()).or_else(|| only(part.collect()))
    }
}
