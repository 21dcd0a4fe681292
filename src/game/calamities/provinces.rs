//! Calamities 7 and 11, Civil War and Tyranny: whole adjacent areas change their owner. W.1 to W.5.

use super::Call;
use crate::game::{Event, Owner, State, WishList};
use crate::rules::{AreaId, Civ};

/// W.1.
pub(crate) fn civil_war(call: &mut Call) {
    let victim = call.victim;
    let points: u16 = areas(call.state(), victim).iter().map(|(_, points)| points).sum();
    let above = i32::from(points) - call.number("unit_points_kept");
    if above <= 0 {
        return;
    }
    let amount = (above + call.change("unit_points_selected", victim)).max(0) as u16;
    let wishes = call.lost_areas(victim).then(call.wished_selection(victim));
    // MC-20: a victim who says nothing keeps their cities.
    let keeps_cities = wishes.is_empty();
    let search = Search { spared: call.spared(victim), keeps_cities, ..Search::new(call, amount, wishes) };
    let set = search.best();
    secede(call, set);
}

pub(crate) fn tyranny(call: &mut Call) {
    let amount = call.modified("unit_points_annexed", "unit_points_annexed", call.victim);
    let wishes = call.beneficiary.map(|civ| call.wished_selection(civ)).unwrap_or_default();
    let set = Search::new(call, amount, wishes).best();
    secede(call, set);
}

/// Areas go to the beneficiary, and what the player cannot take to the Barbarians.
fn secede(call: &mut Call, areas: Vec<AreaId>) {
    let Some(beneficiary) = call.beneficiary else { return };
    for area in areas {
        annex_area(call, area, call.victim, Owner::Civ(beneficiary));
    }
}

/// Everything of an owner in an area changes hands; the rest becomes barbarian. C.13.
fn annex_area(call: &mut Call, area: AreaId, victim: Civ, to: Owner) {
    let (from, why) = (Owner::Civ(victim), call.why());
    let state = call.state();
    let has_city = state.ground(area).city.is_some_and(|city| city.owner == from);
    let tokens = state.tokens(area, from);
    let taken = tokens.min(state.tokens_left(to));
    let city = has_city && state.cities_left(to) > 0;
    if taken > 0 || city {
        call.record(Event::UnitsAnnexed { from, to, area, tokens: taken, city, why });
    }
    if taken < tokens || city != has_city {
        let (tokens, city) = (tokens - taken, has_city && !city);
        call.record(Event::UnitsAnnexed { from, to: Owner::Barbarians, area, tokens, city, why });
    }
}

/// The areas of a player with their unit points.
fn areas(state: &State, civ: Civ) -> Vec<(AreaId, u16)> {
    let owner = Owner::Civ(civ);
    state.areas_of(owner).map(|area| (area, state.unit_points(area, owner))).collect()
}

/// How many sets are looked at before the best of them is taken.
const PATIENCE: usize = 20_000;

/// The search for a set of whole areas. W.4: adjacent to each other, then the exact number, then what can be annexed.
struct Search<'a> {
    state: &'a State,
    victim: Civ,
    beneficiary: Option<Civ>,
    amount: u16,
    /// The victim's areas, those that are wished first.
    areas: Vec<(AreaId, u16)>,
    /// Those that should go, best first.
    wishes: WishList,
    /// Those that should stay to the last.
    spared: WishList,
    /// Whether cities should stay.
    keeps_cities: bool,
}

/// How far a set is from what is wanted; the smaller the better, and what stands first counts first. W.4, MC-23.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Flaw {
    /// Points above the number.
    excess: u16,
    /// Points that the beneficiary cannot take.
    left: u16,
    /// Which of those that should stay go, the first named first.
    taken: Vec<bool>,
    /// How many cities go, where they should stay.
    cities: u16,
    /// Which of the wishes are not among them, best first.
    left_out: Vec<bool>,
}

impl Flaw {
    /// Whether nothing but wishes could be better.
    fn is_none(&self) -> bool {
        self.excess == 0 && self.left == 0 && self.cities == 0 && !self.taken.contains(&true)
    }

    /// Whether no other set can be better.
    fn is_perfect(&self) -> bool {
        self.is_none() && !self.left_out.contains(&true)
    }
}

impl<'a> Search<'a> {
    fn new(call: &'a Call, amount: u16, wishes: WishList) -> Search<'a> {
        let state = call.state();
        let mut areas = areas(state, call.victim);
        let name = |area: AreaId| &state.printed().map.area(area).name;
        areas.sort_by_key(|(area, _)| (wishes.place(*area), name(*area)));
        let (victim, beneficiary) = (call.victim, call.beneficiary);
        let spared = WishList::default();
        Search { state, victim, beneficiary, amount, areas, wishes, spared, keeps_cities: false }
    }

    fn best(&self) -> Vec<AreaId> {
        if self.amount == 0 {
            return Vec::new();
        }
        let all: u16 = self.areas.iter().map(|(_, points)| points).sum();
        if all <= self.amount {
            return self.areas.iter().map(|(area, _)| *area).collect();
        }
        self.best_set(true).or_else(|| self.best_set(false)).unwrap_or_default()
    }

    /// The best set of areas, that hang together or not; sets are grown area by area until they are worth enough.
    fn best_set(&self, adjacent: bool) -> Option<Vec<AreaId>> {
        let mut best: Option<(Flaw, Vec<usize>)> = None;
        let mut patience = PATIENCE;
        for start in 0..self.areas.len() {
            // Sets with an earlier start have been looked at.
            let mut closed: Vec<bool> = (0..self.areas.len()).map(|index| index < start).collect();
            closed[start] = true;
            self.grow(adjacent, &mut vec![start], &mut closed, &mut best, &mut patience);
            // A later start leaves out a better wish, or none is left to be met.
            if patience == 0 || best.as_ref().is_some_and(|(flaw, _)| flaw.is_none()) {
                break;
            }
        }
        best.map(|(_, set)| set.into_iter().map(|index| self.areas[index].0).collect())
    }

    fn grow(
        &self,
        adjacent: bool,
        set: &mut Vec<usize>,
        closed: &mut Vec<bool>,
        best: &mut Option<(Flaw, Vec<usize>)>,
        patience: &mut usize,
    ) {
        if *patience == 0 || best.as_ref().is_some_and(|(flaw, _)| flaw.is_perfect()) {
            return;
        }
        *patience -= 1;
        let total: u16 = set.iter().map(|index| self.areas[*index].1).sum();
        if total >= self.amount {
            let flaw = self.flaw(set);
            if best.as_ref().is_none_or(|(known, _)| flaw < *known) {
                *best = Some((flaw, set.clone()));
            }
            return;
        }
        let touches = |index: usize| !adjacent || set.iter().any(|member| self.is_adjacent(*member, index));
        let next: Vec<_> = (0..self.areas.len()).filter(|index| !closed[*index] && touches(*index)).collect();
        for &index in &next {
            // With this area; afterwards never again with it on this level.
            closed[index] = true;
            set.push(index);
            self.grow(adjacent, set, closed, best, patience);
            set.pop();
        }
        for index in next {
            closed[index] = false;
        }
    }

    fn is_adjacent(&self, a: usize, b: usize) -> bool {
        let (map, a, b) = (&self.state.printed().map, self.areas[a].0, self.areas[b].0);
        map.is_land_adjacent(a, b) || map.is_water_adjacent(a, b)
    }

    fn flaw(&self, set: &[usize]) -> Flaw {
        let owner = Owner::Civ(self.victim);
        let (mut points, mut tokens, mut cities) = (0, 0, 0);
        let set: Vec<_> = set.iter().map(|index| self.areas[*index]).collect();
        for &(area, worth) in &set {
            let own_tokens = self.state.tokens(area, owner);
            points += worth;
            tokens += own_tokens;
            cities += u16::from(worth > own_tokens);
        }
        let left = self.beneficiary.map_or(points, |civ| {
            let holding = self.state.holding(civ);
            tokens.saturating_sub(holding.stock) + 5 * cities.saturating_sub(u16::from(holding.cities))
        });
        let areas: Vec<_> = set.into_iter().map(|(area, _)| area).collect();
        Flaw {
            excess: points - self.amount,
            left,
            taken: self.spared.taken(&areas),
            cities: if self.keeps_cities { cities } else { 0 },
            left_out: self.wishes.left_out(&areas),
        }
    }
}
