//! Phase 12: which advances are acquired, and which cards are kept.

use std::cmp::Reverse;

use super::Temperament;
use crate::report::View;
use crate::report::view::Priced;
use crate::rules::{Advance, Face, Group, Requirement};

/// Anatomy's gift has a printed cost below this. R12.9.
const GIFT_BELOW: u16 = 100;
/// How many times the own means a card may cost that one still saves for.
const PATIENCE: u16 = 4;

/// What the next steps on the A.S.T. demand comes first, then what brings most for its price. The moderator finds the
/// cheapest payment.
pub(crate) fn letter(view: &View, temperament: Temperament) -> String {
    let funds = funds(view);
    let mut open: Vec<_> = view.advances.iter().filter(|card| !card.held).collect();
    let mut chosen: Vec<&Priced> = Vec::new();
    let mut left = funds;
    loop {
        let best = open.iter().enumerate().filter(|(_, card)| card.price <= left).max_by_key(|(_, card)| {
            (liking(view, &chosen, card, temperament) * 1000 / u32::from(card.price.max(5)), Reverse(card.advance))
        });
        let Some((index, card)) = best.map(|(index, card)| (index, *card)) else { break };
        if is_saving(view, &chosen, card, left) {
            break;
        }
        left -= card.price;
        chosen.push(card);
        open.remove(index);
    }
    let mut lines = Vec::new();
    if !chosen.is_empty() {
        lines.push(acquisition(view, &chosen));
    }
    lines.extend(kept(view));
    lines.into_iter().map(|line| line + "\n").collect()
}

/// All sets and the treasury. R12.5.
fn funds(view: &View) -> u16 {
    let own = view.own();
    let worth = 1 + u16::from(own.advances.contains(&Advance::Mining));
    view.sets.iter().map(|set| set.value).sum::<u16>() + worth * own.treasury
}

/// What an advance is worth to the player, whatever it costs.
fn liking(view: &View, chosen: &[&Priced], card: &Priced, temperament: Temperament) -> u32 {
    let credits: u16 = card.credits.iter().map(|(_, points)| points).sum::<u16>() + free_credits(card.advance);
    let open = view.advances.iter().filter(|other| !other.held).count() as u32;
    // Credits serve as long as there is something left to acquire.
    let credits = u32::from(credits) * open / 30;
    // As dear as it is, for it is the only way on.
    let need = wanted(view, chosen).map_or(0, |asks| if helps(&asks, card) { 60 + u32::from(card.price) } else { 0 });
    let later = view.next_step.iter().flat_map(|step| &step.later);
    let later = later.filter(|asks| helps(&missing(view, chosen, asks), card)).count() as u32;
    5 * u32::from(card.victory_points) + credits + need + 12 * later + taste(card.advance, temperament)
}

/// What the next step still lacks; the epoch after it counts once its own is met.
fn wanted(view: &View, chosen: &[&Priced]) -> Option<Requirement> {
    let step = view.next_step.as_ref()?;
    let asks = std::iter::once(&step.asks).chain(&step.later);
    asks.map(|asks| missing(view, chosen, asks)).find(|missing| *missing != Requirement::default())
}

/// What a requirement still asks of the advances.
fn missing(view: &View, chosen: &[&Priced], asks: &Requirement) -> Requirement {
    let held = || view.advances.iter().filter(|card| card.held).chain(chosen.iter().copied());
    let count = |fits: fn(u16) -> bool| held().filter(|card| fits(card.cost)).count() as u8;
    let points: u16 = held().map(|card| u16::from(card.victory_points)).sum();
    Requirement {
        cities: 0,
        advances: asks.advances.saturating_sub(count(|_| true)),
        advances_cost_below_100: asks.advances_cost_below_100.saturating_sub(count(|cost| cost < 100)),
        advances_cost_100_or_more: asks.advances_cost_100_or_more.saturating_sub(count(|cost| cost >= 100)),
        advances_cost_200_or_more: asks.advances_cost_200_or_more.saturating_sub(count(|cost| cost >= 200)),
        advance_victory_points: asks.advance_victory_points.saturating_sub(points),
    }
}

/// Whether an advance is one of those that are lacking.
fn helps(missing: &Requirement, card: &Priced) -> bool {
    missing.advances > 0
        || missing.advances_cost_below_100 > 0 && card.cost < 100
        || missing.advances_cost_100_or_more > 0 && card.cost >= 100
        || missing.advances_cost_200_or_more > 0 && card.cost >= 200
        || missing.advance_victory_points > 0 && card.victory_points > 1
}

/// Whether the player had better wait: the next step lacks something dearer, and this is not it.
fn is_saving(view: &View, chosen: &[&Priced], card: &Priced, left: u16) -> bool {
    let Some(missing) = wanted(view, chosen) else { return false };
    if helps(&missing, card) {
        return false;
    }
    let open = view.advances.iter().filter(|other| !other.held && !chosen.iter().any(|c| c.advance == other.advance));
    let cheapest = open.filter(|other| helps(&missing, other)).map(|other| other.price).min();
    cheapest.is_some_and(|price| price > left && price <= PATIENCE * left)
}

/// What protects against the worst, and what suits the player's manner.
fn taste(advance: Advance, temperament: Temperament) -> u32 {
    let protects = match advance {
        Advance::Pottery | Advance::Medicine | Advance::Engineering | Advance::Calendar => 8,
        Advance::Music | Advance::DramaAndPoetry | Advance::Law | Advance::Democracy => 10,
        Advance::Mysticism | Advance::Deism | Advance::Masonry | Advance::Mythology | Advance::Sculpture => 6,
        Advance::Enlightenment | Advance::Philosophy | Advance::Theology | Advance::Library => 8,
        // Half of a city a turn out of a treasury that lies idle else.
        Advance::Architecture => 150,
        Advance::Agriculture => 40,
        Advance::Mining | Advance::PublicWorks | Advance::Monotheism | Advance::Politics => 15,
        Advance::TradeRoutes | Advance::Coinage | Advance::WonderOfTheWorld | Advance::Roadbuilding => 8,
        _ => 0,
    };
    let suits = match (temperament, advance) {
        (Temperament::Settler, Advance::Urbanism | Advance::ClothMaking | Advance::Diaspora | Advance::Diplomacy) => 8,
        (Temperament::Merchant, Advance::Rhetoric | Advance::Cartography | Advance::Coinage | Advance::TradeEmpire) => {
            8
        }
        (
            Temperament::Raider,
            Advance::Metalworking | Advance::Military | Advance::NavalWarfare | Advance::AdvancedMilitary,
        ) => 8,
        _ => 0,
    };
    protects + suits
}

/// R12.9.
fn free_credits(advance: Advance) -> u16 {
    match advance {
        Advance::WrittenRecord => 10,
        Advance::Monument => 20,
        _ => 0,
    }
}

/// One line, with everything that the purchase itself brings.
fn acquisition(view: &View, chosen: &[&Priced]) -> String {
    let has = |advance| chosen.iter().any(|card| card.advance == advance);
    let names: Vec<_> = chosen.iter().map(|card| card.name).collect();
    let mut line = format!("acquire {}", names.join(", "));
    let dearest = chosen.iter().filter(|card| card.advance != Advance::Library).max_by_key(|card| card.price);
    if has(Advance::Library)
        && let Some(dearest) = dearest
    {
        line += &format!(" with Library for {}", dearest.name);
    }
    let is_gift = |card: &&Priced| !card.held && card.groups.contains(&Group::Science) && card.cost < GIFT_BELOW;
    let gifts = view.advances.iter().filter(is_gift).filter(|card| !has(card.advance));
    let gift = gifts.max_by_key(|card| (card.price, Reverse(card.advance))).filter(|_| has(Advance::Anatomy));
    if let Some(gift) = gift {
        line += &format!(" with {} free", gift.name);
    }
    let acquired = chosen.iter().map(|card| card.advance).chain(gift.map(|card| card.advance));
    let points: u16 = acquired.map(free_credits).sum();
    if points > 0 {
        line += &format!(" with credits {points} {}", colour(view, chosen));
    }
    line
}

/// The colour of which most is still to be acquired.
fn colour(view: &View, chosen: &[&Priced]) -> &'static str {
    let open = |group: Group| {
        let open = view.advances.iter().filter(|card| !card.held && !chosen.iter().any(|c| c.advance == card.advance));
        open.filter(|card| card.groups.contains(&group)).map(|card| card.price).sum::<u16>()
    };
    match Group::ALL.into_iter().max_by_key(|group| (open(*group), Reverse(*group))) {
        Some(Group::Arts) | None => "arts",
        Some(Group::Civics) => "civics",
        Some(Group::Crafts) => "crafts",
        Some(Group::Religion) => "religion",
        Some(Group::Science) => "science",
    }
}

/// The best sets, should the hand hold more than it may.
fn kept(view: &View) -> Option<String> {
    let sets = view.sets.iter().filter(|set| !matches!(set.card.face, Face::Calamity(_)));
    let mut sets: Vec<_> = sets.collect();
    if sets.iter().map(|set| usize::from(set.count)).sum::<usize>() <= view.hand_limit {
        return None;
    }
    // One more card of a set brings most where there are many of it already.
    sets.sort_by_key(|set| (Reverse((2 * set.count + 1) * u16::from(set.card.value)), set.card.face));
    let names: Vec<_> = sets.iter().map(|set| format!("{} {}", set.count, set.card.name)).collect();
    Some(format!("keep {}", names.join(", ")))
}
