//! A movement being planned: which tokens are still free, and what has been decided so far.

use std::collections::BTreeMap;

use crate::report::View;
use crate::report::view::{Area, Owner};
use crate::rules::{Advance, AreaId, Civ};

/// The plan of one movement.
pub(crate) struct Plan<'a> {
    /// What the planner knows.
    pub view: &'a View<'a>,
    /// Own tokens in each area that nothing has been decided about.
    free: Vec<u16>,
    /// Own tokens that will stand in each area whatever is decided later, cities to be built apart.
    settled: Vec<u16>,
    /// Treasury that is not spent yet.
    pub treasury: u16,
    /// Lines about ships, played before anybody walks.
    pub ships: Vec<String>,
    pub walks: BTreeMap<(AreaId, AreaId), u16>,
    /// Where cities will be built.
    pub founded: Vec<AreaId>,
    /// Lines that build them.
    pub cities: Vec<String>,
}

impl<'a> Plan<'a> {
    /// Everybody stays where they stand.
    pub(crate) fn new(view: &'a View<'a>) -> Plan<'a> {
        let own = Owner::Civ(view.civ);
        Plan {
            view,
            free: view.areas.iter().map(|area| area.tokens_of(own)).collect(),
            settled: vec![0; view.areas.len()],
            treasury: view.own().treasury,
            ships: Vec::new(),
            walks: BTreeMap::new(),
            founded: Vec::new(),
            cities: Vec::new(),
        }
    }

    /// An area of the view.
    pub(crate) fn area(&self, id: AreaId) -> &'a Area<'a> {
        self.view.area(id)
    }

    /// Tokens that may still be sent somewhere.
    pub(crate) fn free(&self, id: AreaId) -> u16 {
        self.free[usize::from(id.0)]
    }

    /// The areas with tokens that may still be sent somewhere.
    pub(crate) fn free_areas(&self) -> Vec<AreaId> {
        self.view.ids().filter(|id| self.free(*id) > 0).collect()
    }

    /// All own tokens that will be left on the board, those in cities to be built apart.
    pub(crate) fn total(&self) -> u16 {
        self.free.iter().chain(&self.settled).sum()
    }

    /// Own tokens that will stand here as things are planned.
    pub(crate) fn standing(&self, id: AreaId) -> u16 {
        self.free(id) + self.settled[usize::from(id.0)]
    }

    /// How many more own tokens would be at home here: none beside others, in cities, or where one is to be built.
    pub(crate) fn vacancy(&self, id: AreaId) -> u16 {
        let area = self.area(id);
        let shared = area.tokens_beside(Owner::Civ(self.view.civ)) > 0;
        if !area.is_land_in_play() || area.city.is_some() || shared || self.founded.contains(&id) {
            return 0;
        }
        area.room.saturating_sub(self.standing(id))
    }

    /// Whether another civilization stands next door, so that a lone token might only meet its like.
    pub(crate) fn is_contested(&self, id: AreaId) -> bool {
        let own = Owner::Civ(self.view.civ);
        self.area(id).land.iter().any(|next| self.area(*next).tokens_beside(own) > 0)
    }

    /// Own tokens that would be removed as surplus.
    pub(crate) fn excess(&self, id: AreaId) -> u16 {
        self.standing(id).saturating_sub(self.area(id).room).min(self.free(id))
    }

    /// Sends tokens to a neighbour.
    pub(crate) fn walk(&mut self, from: AreaId, to: AreaId, count: u16) {
        if count > 0 {
            self.free[usize::from(from.0)] -= count;
            self.settled[usize::from(to.0)] += count;
            *self.walks.entry((from, to)).or_default() += count;
        }
    }

    /// Tokens leave the area by ship, or are destroyed there to pay for one.
    pub(crate) fn take(&mut self, from: AreaId, count: u16) {
        self.free[usize::from(from.0)] -= count;
    }

    pub(crate) fn land(&mut self, to: AreaId, count: u16) {
        self.settled[usize::from(to.0)] += count;
    }

    /// Tokens stay where they are and are not to be counted any more: a city takes their place, or they are to fight.
    pub(crate) fn commit(&mut self, id: AreaId, count: u16) {
        self.free[usize::from(id.0)] -= count;
    }

    /// What has been settled here is not to be counted any more.
    pub(crate) fn spend(&mut self, id: AreaId) {
        self.settled[usize::from(id.0)] = 0;
    }

    /// Cities on the board once the planned ones are built.
    pub(crate) fn cities(&self) -> u16 {
        u16::from(self.view.own().cities) + self.founded.len() as u16
    }

    /// Tokens that support a city. R5.14.
    pub(crate) fn support(&self) -> u16 {
        if self.has(Advance::CulturalAscendancy) { 3 } else { 2 }
    }

    /// Whether the player holds the advance.
    pub(crate) fn has(&self, advance: Advance) -> bool {
        self.view.own().advances.contains(&advance)
    }

    /// Whether Diplomacy or Cultural Ascendancy of another keeps the player out. R3.42, R3.43.
    pub(crate) fn is_forbidden(&self, id: AreaId) -> bool {
        let holds = |civ: Civ, advance: Advance| {
            self.view.civilizations.iter().any(|other| other.civ == civ && other.advances.contains(&advance))
        };
        let area = self.area(id);
        let ban = |civ: Civ, advance, lifting: [Advance; 2]| {
            civ != self.view.civ && holds(civ, advance) && !lifting.into_iter().any(|lifting| self.has(lifting))
        };
        let city = area.city.and_then(Owner::civ);
        let owners = area.tokens.iter().filter_map(|(owner, _)| owner.civ()).chain(city);
        let diplomacy = [Advance::Diplomacy, Advance::Military];
        let ascendancy = [Advance::CulturalAscendancy, Advance::AdvancedMilitary];
        city.is_some_and(|civ| ban(civ, Advance::Diplomacy, diplomacy))
            || owners.into_iter().any(|civ| ban(civ, Advance::CulturalAscendancy, ascendancy))
    }
}
