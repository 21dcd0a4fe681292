//! The sixteen major calamities. Those that take more than a few lines have files of their own.

use super::damage::{Exposed, damage, exposed};
use super::reduction::{all, coastal, destroy_one, reduce};
use super::victims::{annex_city, by_default, is_cancelled};
use super::{Call, discards, hordes, provinces, quake, reduction};
use crate::game::event::Cause;
use crate::game::rulebook::{FloodCoast, IconoclasmModifiers, SlaveRevoltCities};
use crate::game::{Chance, Event, Illegal, State};
use crate::rules::{Advance, AreaId, AreaKind, Calamity, CitySite, Civ};

/// Resolves a major calamity for its holder and those the holder named.
pub(crate) fn resolve(call: &mut Call, secondary: &[Civ], chance: &Chance) {
    match call.calamity {
        Calamity::VolcanicEruptionEarthquake => quake::resolve(call),
        Calamity::Treachery => treachery(call),
        Calamity::Famine => everywhere(call, secondary),
        Calamity::SlaveRevolt => slave_revolt(call),
        Calamity::Flood => flood(call),
        Calamity::Superstition => {
            let (civ, count) = (call.victim, call.modified("cities_reduced", "cities_reduced", call.victim));
            let cities = all(call, civ);
            reduce(call, civ, count, cities);
        }
        Calamity::CivilWar => provinces::civil_war(call),
        Calamity::BarbarianHordes => hordes::resolve(call, chance),
        Calamity::Cyclone => cyclone(call),
        Calamity::Epidemic => everywhere(call, secondary),
        Calamity::Tyranny => provinces::tyranny(call),
        Calamity::CivilDisorder => civil_disorder(call),
        Calamity::Corruption => corruption(call),
        Calamity::IconoclasmAndHeresy => iconoclasm(call, secondary),
        Calamity::Regression => regression(call),
        Calamity::Piracy => piracy(call, secondary),
        _ => {}
    }
}

/// 2: the beneficiary annexes a city, or two.
fn treachery(call: &mut Call) {
    let victim = call.victim;
    let Some(beneficiary) = call.beneficiary else { return };
    let count = call.modified("cities_annexed", "cities_annexed", victim);
    for area in selected(call, beneficiary, all(call, victim)).into_iter().take(count.into()) {
        annex_city(call, area, victim, Some(beneficiary));
    }
}

/// What a beneficiary chooses among these cities, best first.
fn selected(call: &Call, chooser: Civ, cities: Vec<AreaId>) -> Vec<AreaId> {
    let wishes = call.wished_selection(chooser);
    let mut cities = by_default(call.state(), cities.into_iter());
    cities.sort_by_key(|area| wishes.place(*area));
    cities
}

/// 3 and 10: damage for the holder, and less for those the holder named.
fn everywhere(call: &mut Call, secondary: &[Civ]) {
    for civ in [&[call.victim], secondary].concat() {
        let base = if civ == call.victim { "damage" } else { "secondary_damage" };
        let amount = call.modified(base, "damage", civ);
        let exposed = exposed(call.state(), civ, |_| true);
        damage(call, civ, amount, exposed);
    }
}

/// 4: a support check with a higher rate.
fn slave_revolt(call: &mut Call) {
    let civ = call.victim;
    let rate = i32::from(call.state().support_rate(civ));
    let rate = rate + i32::from(call.modified("city_support_rate_delta", "city_support_rate_delta", civ));
    let new_first = call.state().rulebook().slave_revolt_new_cities == SlaveRevoltCities::First;
    loop {
        let state = call.state();
        let needed = rate.max(0) as u16 * u16::from(state.city_count(civ));
        if state.tokens_on_board(civ) >= needed {
            return;
        }
        let cities = all(call, civ);
        let is_new = |area: &AreaId| call.state().ground(*area).city.is_some_and(|city| city.new);
        let new: Vec<_> = cities.iter().copied().filter(is_new).collect();
        let cities = if new_first && !new.is_empty() { new } else { cities };
        reduce(call, civ, 1, cities);
    }
}

/// 5: one flood plain, or the coast.
fn flood(call: &mut Call) {
    let victim = call.victim;
    let plain = worst_plain(call);
    let Some(plain) = plain else {
        let engineering = match call.state().rulebook().flood_coast_engineering {
            FloodCoast::Applies => call.change("damage", victim),
            FloodCoast::DoesNot => 0,
        };
        let amount = (call.number("no_flood_plain_coastal_damage") + engineering).max(0) as u16;
        let map = call.state().printed().map.clone();
        let exposed = exposed(call.state(), victim, |area| map.area(area).is_coastal());
        return damage(call, victim, amount, exposed);
    };
    let ranking: Vec<_> = call.state().ranking().filter(|civ| *civ != victim).collect();
    for civ in std::iter::once(victim).chain(ranking) {
        let base = if civ == victim { "flood_plain_damage" } else { "others_on_flood_plain_damage" };
        let (amount, exposed) = (call.modified(base, "damage", civ), on_plain(call.state(), civ, plain));
        damage(call, civ, amount, exposed);
    }
}

/// F.1: the plain where most of the player's units are; a tie by the player's wishes, then A to Z.
fn worst_plain(call: &Call) -> Option<usize> {
    let (state, victim) = (call.state(), call.victim);
    let plains = &state.printed().map.flood_plains;
    let (wishes, spared) = (call.lost_areas(victim), call.spared(victim));
    let points = |plain: usize| -> u16 {
        on_plain(state, victim, plain).iter().map(|unit| unit.tokens + 5 * u16::from(unit.city)).sum()
    };
    let hit = (0..plains.len()).filter(|plain| points(*plain) > 0);
    hit.min_by_key(|plain| {
        let areas = &plains[*plain].areas;
        let (wish, stay) = (wishes.first_place(areas), spared.longest_stay(areas));
        (std::cmp::Reverse(points(*plain)), wish, stay, plains[*plain].name.clone())
    })
}

/// F.2: tokens, wilderness cities and cities on white sites.
fn on_plain(state: &State, civ: Civ, plain: usize) -> Vec<Exposed> {
    let map = &state.printed().map;
    let mut units = exposed(state, civ, |area| map.area(area).features.flood_plain == Some(plain));
    for unit in &mut units {
        unit.city &= map.area(unit.area).site != Some(CitySite::Black);
    }
    units.retain(|unit| unit.tokens > 0 || unit.city);
    units
}

/// 9: cities around the open sea with most of the victim's.
fn cyclone(call: &mut Call) {
    let victim = call.victim;
    let state = call.state();
    let map = &state.printed().map;
    let around = |civ: Civ, sea: AreaId| -> Vec<AreaId> {
        state.cities_of(civ).filter(|area| map.is_water_adjacent(*area, sea)).collect()
    };
    let seas = map.ids().filter(|area| map.area(*area).kind == AreaKind::OpenSea);
    let wishes = call.wished_selection(victim);
    let hit = seas.filter(|sea| !around(victim, *sea).is_empty()).min_by_key(|sea| {
        (std::cmp::Reverse(around(victim, *sea).len()), wishes.place(*sea), map.area(*sea).name.clone())
    });
    let Some(sea) = hit else { return };
    let others = state.ranking().filter(|civ| *civ != victim);
    let hit: Vec<_> = std::iter::once(victim).chain(others).map(|civ| (civ, around(civ, sea))).collect();
    for (civ, cities) in hit {
        let base = if civ == victim { "open_sea_cities_selected" } else { "others_cities_selected" };
        // Y.2: first selected, with Trade Empire one more; then deselected.
        let more = usize::from(call.state().has(civ, Advance::TradeEmpire));
        let selected = (call.number(base).max(0) as usize + more).min(cities.len());
        let fewer = call.change("cities_selected", civ) - more as i32;
        let count = (selected as i32 + fewer).max(0) as u16;
        reduce(call, civ, count, cities);
    }
}

/// 12: all but three.
fn civil_disorder(call: &mut Call) {
    let civ = call.victim;
    let cities = all(call, civ);
    let count = cities.len() as i32 - call.number("cities_kept") + call.change("cities_reduced", civ);
    reduce(call, civ, count.max(0) as u16, cities);
}

/// 13: cards worth at least so much.
fn corruption(call: &mut Call) {
    let civ = call.victim;
    let amount = call.modified("face_value_discarded", "face_value_discarded", civ);
    let mut hand = discards::commodities(call.state(), civ);
    let mut cards = Vec::new();
    let mut total = 0;
    for card in discards::wished(call, civ) {
        if total < amount {
            total += u16::from(discards::value(call.state(), card));
            let index = hand.iter().position(|other| *other == card).expect("wished cards are in the hand");
            hand.remove(index);
            cards.push(card);
        }
    }
    if total < amount {
        cards.extend(discards::least_total(call.state(), hand, amount - total));
    }
    discards::discard(call, civ, cards);
}

/// 14: four cities, and one of each of two others; Theocracy buys its holder off.
fn iconoclasm(call: &mut Call, secondary: &[Civ]) {
    if is_cancelled(call) {
        return;
    }
    for civ in [&[call.victim], secondary].concat() {
        let primary = civ == call.victim;
        let base = if primary { "cities_reduced" } else { "secondary_cities_reduced" };
        let only_monotheism = call.state().rulebook().iconoclasm_modifiers == IconoclasmModifiers::MonotheismOnly;
        let count = if only_monotheism && !primary {
            call.number(base).max(0) as u16 + u16::from(call.state().has(civ, Advance::Monotheism))
        } else {
            call.modified(base, "cities_reduced", civ)
        };
        let cities = all(call, civ);
        // Without a city nothing is lost, and nothing is given for it.
        if count > 0 && !cities.is_empty() && !theocracy(call, civ) {
            reduce(call, civ, count, cities);
        }
    }
}

/// Whether a holder of Theocracy discards two cards.
fn theocracy(call: &mut Call, civ: Civ) -> bool {
    if !call.state().has(civ, Advance::Theocracy) {
        return false;
    }
    let cards = discards::offered(call, civ, 2);
    if cards.is_empty() {
        return false;
    }
    call.record(Event::CardsDiscarded { civ, cards, why: Cause::Advance(Advance::Theocracy) });
    true
}

/// 15: back on the A.S.T.; with Enlightenment two cities are destroyed for a step.
fn regression(call: &mut Call) {
    let civ = call.victim;
    let position = call.state().holding(civ).position;
    let mut steps = call.modified("ast_steps_back", "ast_steps_back", civ).min(position.into());
    let enlightened = call.state().has(civ, Advance::Enlightenment);
    let mut prevented = 0;
    while enlightened && steps > 0 {
        let Some(pair) = given_up(call, civ) else { break };
        pair.into_iter().for_each(|area| destroy_one(call, civ, area));
        steps -= 1;
        prevented += 1;
    }
    if enlightened && steps > 0 && prevented == 0 {
        refuse_coastal(call, civ);
    }
    let to = position.saturating_sub(steps as u8);
    if to < position {
        let why = call.why();
        call.record(Event::MarkerMoved { civ, to, why });
    }
}

/// The next two cities of the player's list for this very calamity; coastal ones only where too few others stand.
fn given_up(call: &Call, civ: Civ) -> Option<[AreaId; 2]> {
    let (mut pair, coastal): (Vec<_>, Vec<_>) = offered(call, civ).into_iter().partition(|area| is_inland(call, *area));
    if pair.len() < inland_cities(call, civ).min(2) {
        return None;
    }
    pair.truncate(2);
    pair.extend(coastal);
    Some([*pair.first()?, *pair.get(1)?])
}

/// The cities that the player names and has, best first.
fn offered(call: &Call, civ: Civ) -> Vec<AreaId> {
    let cities = all(call, civ);
    let mut offered: Vec<AreaId> = Vec::new();
    for area in call.special_losses(civ).into_iter().flat_map(|(_, areas)| areas) {
        if cities.contains(&area) && !offered.contains(&area) {
            offered.push(area);
        }
    }
    offered
}

/// Whoever offered two cities and lost the step all the same is told why: those inland come first.
fn refuse_coastal(call: &mut Call, civ: Civ) {
    if offered(call, civ).len() < 2 {
        return;
    }
    let inland = inland_cities(call, civ) as u16;
    for (filed, _) in call.special_losses(civ) {
        call.chronicle.refuse(&filed, Illegal::InlandFirst { inland });
    }
}

fn inland_cities(call: &Call, civ: Civ) -> usize {
    all(call, civ).into_iter().filter(|area| is_inland(call, *area)).count()
}

fn is_inland(call: &Call, area: AreaId) -> bool {
    !call.state().printed().map.area(area).is_coastal()
}

/// 16: coastal cities of the holder and of two others become pirate cities.
fn piracy(call: &mut Call, secondary: &[Civ]) {
    if is_cancelled(call) {
        return;
    }
    let victim = call.victim;
    let count = call.modified("coastal_cities_to_pirates", "coastal_cities_to_pirates", victim);
    let chooser = call.beneficiary.unwrap_or(victim);
    for area in selected(call, chooser, coastal(call, victim)).into_iter().take(count.into()) {
        annex_city(call, area, victim, None);
    }
    for &civ in secondary {
        let area = selected(call, victim, reduction::coastal(call, civ)).into_iter().next();
        if let Some(area) = area {
            annex_city(call, area, civ, None);
        }
    }
}
