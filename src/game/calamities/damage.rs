//! Damage: units worth so many points are destroyed, by their owner's choice. C.11.

use super::Call;
use crate::game::rulebook::DamageRounding;
use crate::game::{Event, Owner, State, WishList};
use crate::rules::{AreaId, Civ};

/// Unit points of a city. G.3.
const CITY: u16 = 5;

/// What an owner may lose in an area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exposed {
    pub area: AreaId,
    pub tokens: u16,
    /// Whether the city counts.
    pub city: bool,
}

/// Everything a player has in the areas that pass.
pub(crate) fn exposed(state: &State, civ: Civ, hit: impl Fn(AreaId) -> bool) -> Vec<Exposed> {
    let owner = Owner::Civ(civ);
    let areas = state.areas_of(owner).filter(|area| hit(*area));
    areas
        .map(|area| Exposed {
            area,
            tokens: state.tokens(area, owner),
            city: state.ground(area).city.is_some_and(|city| city.owner == owner),
        })
        .collect()
}

/// Destroys units worth the damage: wishes first, then tokens before cities.
pub(crate) fn damage(call: &mut Call, civ: Civ, amount: u16, exposed: Vec<Exposed>) {
    let (wishes, spared) = (call.wished_losses(civ), call.spared(civ));
    let rounding = call.state().rulebook().damage_rounding;
    let mut bill = Bill::new(exposed, amount, rounding);
    for (area, tokens) in wishes {
        bill.wish(area, tokens);
    }
    bill.settle(call.state(), &spared);
    let why = call.why();
    for (area, tokens, city) in bill.losses() {
        // C.14: a token beside a destroyed city goes with it.
        let beside = if city { call.state().tokens(area, Owner::Civ(civ)) } else { tokens };
        call.record(Event::UnitsDestroyed { owner: Owner::Civ(civ), area, tokens: beside.max(tokens), city, why });
    }
}

/// What is still to be lost, and what has been chosen.
struct Bill {
    /// What is left in each area, and what was taken there.
    units: Vec<(Exposed, Exposed)>,
    /// Points that are still to be found.
    due: u16,
}

impl Bill {
    /// The points that will be lost in all: the damage, or the next amount that the units can make up.
    fn new(exposed: Vec<Exposed>, amount: u16, rounding: DamageRounding) -> Bill {
        let nothing = |unit: &Exposed| Exposed { area: unit.area, tokens: 0, city: false };
        let mut bill = Bill { units: exposed.iter().map(|unit| (*unit, nothing(unit))).collect(), due: 0 };
        let (tokens, cities) = (bill.tokens(), bill.cities());
        let all = tokens + CITY * cities;
        let amount = amount.min(all);
        let sums = match rounding {
            DamageRounding::AtLeast => (amount..=all).find(|sum| makes_up(*sum, tokens, cities)),
            DamageRounding::AtMost => (0..=amount).rev().find(|sum| makes_up(*sum, tokens, cities)),
        };
        bill.due = sums.unwrap_or(0);
        bill
    }

    fn tokens(&self) -> u16 {
        self.units.iter().map(|(left, _)| left.tokens).sum()
    }

    fn cities(&self) -> u16 {
        self.units.iter().filter(|(left, _)| left.city).count() as u16
    }

    /// Takes what is wished in an area, as far as the rest can still be made up exactly.
    fn wish(&mut self, area: AreaId, tokens: Option<u16>) {
        let Some(index) = self.units.iter().position(|(left, _)| left.area == area) else { return };
        let left = self.units[index].0;
        match tokens {
            None if left.city => {
                self.take_city(index);
            }
            None => self.take_tokens(index, left.tokens),
            Some(count) => self.take_tokens(index, count.min(left.tokens)),
        }
    }

    fn take_city(&mut self, index: usize) -> bool {
        // A token beside the city goes with it, and counts if it can. C.14.
        let beside = self.units[index].0.tokens;
        let (tokens, cities) = (self.tokens(), self.cities());
        let fits = |beside: u16| {
            let worth = CITY + beside;
            self.due >= worth && makes_up(self.due - worth, tokens - beside, cities - 1)
        };
        let Some(beside) = [beside, 0].into_iter().find(|beside| fits(*beside)) else { return false };
        let (left, taken) = &mut self.units[index];
        (left.city, taken.city) = (false, true);
        left.tokens -= beside;
        taken.tokens += beside;
        self.due -= CITY + beside;
        true
    }

    fn take_tokens(&mut self, index: usize, most: u16) {
        let (tokens, cities) = (self.tokens(), self.cities());
        let fits = |count: &u16| makes_up(self.due - count, tokens - count, cities);
        if let Some(count) = (1..=most.min(self.due)).rev().find(fits) {
            self.units[index].0.tokens -= count;
            self.units[index].1.tokens += count;
            self.due -= count;
        }
    }

    /// What wishes leave open: as few cities as possible, then tokens from where most stand above the limit. MC-20.
    fn settle(&mut self, state: &State, spared: &WishList) {
        while self.due > 0 && !makes_up(self.due, self.tokens(), 0) {
            let mut cities: Vec<_> = (0..self.units.len()).filter(|index| self.units[*index].0.city).collect();
            cities.sort_by_key(|index| {
                let area = self.units[*index].0.area;
                (spared.stay(area), std::cmp::Reverse(state.limit(area)), name(state, area))
            });
            if !cities.into_iter().any(|index| self.take_city(index)) {
                break;
            }
        }
        while self.due > 0 {
            let standing = (0..self.units.len()).filter(|index| self.units[*index].0.tokens > 0);
            let next = standing.min_by_key(|index| {
                let left = self.units[*index].0;
                let above = i32::from(left.tokens) - i32::from(state.limit(left.area));
                (spared.stay(left.area), -above, name(state, left.area))
            });
            let Some(index) = next else { break };
            self.units[index].0.tokens -= 1;
            self.units[index].1.tokens += 1;
            self.due -= 1;
        }
    }

    fn losses(self) -> impl Iterator<Item = (AreaId, u16, bool)> {
        let taken = self.units.into_iter().map(|(_, taken)| (taken.area, taken.tokens, taken.city));
        taken.filter(|(_, tokens, city)| *tokens > 0 || *city)
    }
}

/// Whether so many tokens and cities can make up the sum exactly.
fn makes_up(sum: u16, tokens: u16, cities: u16) -> bool {
    (0..=cities.min(sum / CITY)).any(|cities| sum - CITY * cities <= tokens)
}

fn name(state: &State, area: AreaId) -> &str {
    &state.printed().map.area(area).name
}
