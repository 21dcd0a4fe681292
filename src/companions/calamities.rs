//! Phase 9: wishes for whatever may strike, filed before anything is called.

use std::cmp::Reverse;

use super::Temperament;
use super::hand::Hand;
use crate::report::View;
use crate::report::view::{Area, Owner};
use crate::rules::{Advance, AreaKind, Calamity, Face};

/// Names on one list are enough for the worst of cards.
const LONGEST: usize = 12;
/// The ransoms that are printed on the cards.
const FLAMES: u16 = 10;
const BANDITRY: u16 = 4;
/// With fewer cities nobody gives up two of them for a step on the A.S.T.
const CITIES_TO_SPARE: u8 = 8;

/// Whom the player names, what the player loses first, what the player keeps to the last, and what the player buys off.
pub(crate) fn letter(view: &View, temperament: Temperament) -> String {
    let mut lines = vec![line("victims", victims(view, temperament))];
    lines.push(line("lose", losses(view)));
    lines.push(line("reduce", reductions(view)));
    lines.push(line("spare", spared(view)));
    lines.push(line("select", selection(view)));
    lines.extend(ransoms(view));
    lines.extend(super::abilities::gift(view));
    lines.into_iter().filter(|line| !line.is_empty()).map(|line| line + "\n").collect()
}

fn line(verb: &str, names: Vec<String>) -> String {
    if names.is_empty() { String::new() } else { format!("{verb} {}", names.join(", ")) }
}

/// Who leads suffers; a raider thinks of those beside the player first.
fn victims(view: &View, temperament: Temperament) -> Vec<String> {
    let mut others: Vec<_> = view.civilizations.iter().filter(|other| other.civ != view.civ).collect();
    others.sort_by_cached_key(|other| {
        let near = temperament == Temperament::Raider && is_near(view, Owner::Civ(other.civ));
        (Reverse(near), Reverse(other.score))
    });
    others.into_iter().take(LONGEST).map(|other| other.name.to_owned()).collect()
}

fn is_near(view: &View, owner: Owner) -> bool {
    view.areas.iter().any(|area| stands(area, owner) && is_beside(view, area))
}

fn stands(area: &Area, owner: Owner) -> bool {
    area.tokens_of(owner) > 0 || area.city == Some(owner)
}

/// Whether own units stand next door.
fn is_beside(view: &View, area: &Area) -> bool {
    area.land.iter().any(|next| stands(view.area(*next), Owner::Civ(view.civ)))
}

/// Crowds first, and one token stays everywhere to grow again.
fn losses(view: &View) -> Vec<String> {
    let own = Owner::Civ(view.civ);
    let held = view.areas.iter().map(|area| (area, area.tokens_of(own)));
    let mut crowds: Vec<_> = held.filter(|(_, count)| *count > 1).collect();
    crowds.sort_by_key(|(area, count)| (area.site, Reverse(*count), area.name));
    crowds.into_iter().take(LONGEST).map(|(area, count)| format!("{} {}", area.name, count - 1)).collect()
}

/// Own cities, those first that leave most tokens behind.
fn reductions(view: &View) -> Vec<String> {
    let mut cities = own_cities(view);
    cities.sort_by_key(|area| (!area.site, Reverse(area.limit), area.name));
    cities.into_iter().map(|area| area.name.to_owned()).collect()
}

/// A city in the wilderness was dear.
fn spared(view: &View) -> Vec<String> {
    own_cities(view).into_iter().filter(|area| !area.site).map(|area| area.name.to_owned()).collect()
}

fn own_cities<'a, 'v>(view: &'a View<'v>) -> Vec<&'a Area<'v>> {
    view.areas.iter().filter(|area| area.city == Some(Owner::Civ(view.civ))).collect()
}

/// Cities of others next door, where they are of most use.
fn selection(view: &View) -> Vec<String> {
    let of_others = |area: &&Area| area.city.is_some_and(|owner| owner != Owner::Civ(view.civ));
    let beside = view.areas.iter().filter(of_others).filter(|area| is_beside(view, area));
    beside.take(LONGEST).map(|area| area.name.to_owned()).collect()
}

/// What the calamities in the player's own hand let them buy off, as far as the treasury reaches.
fn ransoms(view: &View) -> Vec<String> {
    let own = view.own();
    let holds = |calamity| view.hand.iter().any(|card| card.face == Face::Calamity(calamity));
    // What stacks 2 to 4 take comes first. R9.1.
    let before: u16 = [(Calamity::Tempest, 5), (Calamity::SquanderedWealth, 10), (Calamity::CityRiots, 5)]
        .into_iter()
        .filter(|(calamity, _)| holds(*calamity))
        .map(|(_, lost)| lost)
        .sum();
    let mut treasury = own.treasury.saturating_sub(before);
    let mut lines = Vec::new();
    if holds(Calamity::CityInFlames) && own.cities > 0 && treasury >= FLAMES {
        treasury -= FLAMES;
        lines.push("City in Flames: pay".to_owned());
    }
    let mut hand = Hand::new(&view.hand);
    let mut cheapest = || {
        let card = hand.least_missed(|card| !matches!(card.face, Face::Calamity(_)))?;
        let before = hand.value();
        hand.remove(card.face);
        Some((card, before - hand.value()))
    };
    let pair = [cheapest(), cheapest()];
    if holds(Calamity::Banditry) {
        let dear = pair.iter().flatten().filter(|(_, loss)| *loss > i32::from(BANDITRY)).count() as u16;
        let times = dear.min(treasury / BANDITRY);
        if times > 0 {
            lines.push(format!("Banditry: pay {times}"));
        }
    }
    if own.advances.contains(&Advance::Theocracy)
        && own.cities > 0
        && let [Some((one, loss)), Some((other, more))] = pair
        && loss + more <= 30
    {
        lines.push(format!("Theocracy: discard {}, {}", one.name, other.name));
    }
    if own.advances.contains(&Advance::Enlightenment) && holds(Calamity::Regression) && own.cities >= CITIES_TO_SPARE {
        let mut cities = own_cities(view);
        cities.sort_by_key(|area| (area.kind == AreaKind::Coastal, !area.site, area.name));
        let names = cities.into_iter().take(2).map(|area| area.name.to_owned());
        lines.push(format!("Regression: lose {}", names.collect::<Vec<_>>().join(", ")));
    }
    lines
}
