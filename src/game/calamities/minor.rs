//! The eight minor calamities. No advance changes them.

use super::damage::{damage, exposed};
use super::reduction::{all, coastal, destroy, reduce};
use super::{Call, discards};
use crate::game::Illegal;
use crate::rules::Calamity;

/// Resolves a minor calamity for its holder.
pub(crate) fn resolve(call: &mut Call) {
    let civ = call.victim;
    let number = |call: &Call, name: &str| call.number(name).max(0) as u16;
    match call.calamity {
        Calamity::Tempest => {
            let map = call.state().printed().map.clone();
            let exposed = exposed(call.state(), civ, |area| map.area(area).is_coastal());
            let amount = number(call, "coastal_damage");
            damage(call, civ, amount, exposed);
        }
        Calamity::CityRiots => {
            let (count, cities) = (number(call, "cities_reduced"), all(call, civ));
            reduce(call, civ, count, cities);
        }
        Calamity::CityInFlames => {
            let (count, cities) = (number(call, "cities_destroyed"), all(call, civ));
            let ransom = number(call, "ransom_treasury");
            // Without a city nothing can burn, and nothing is bought off.
            if !cities.is_empty() && ransoms(call, 1, ransom) == 0 {
                destroy(call, civ, count, cities);
            }
        }
        Calamity::TribalConflict => {
            let (amount, exposed) = (number(call, "damage"), exposed(call.state(), civ, |_| true));
            damage(call, civ, amount, exposed);
        }
        Calamity::MinorUprising => {
            let (count, cities) = (number(call, "cities_destroyed"), all(call, civ));
            destroy(call, civ, count, cities);
        }
        Calamity::Banditry => banditry(call),
        Calamity::CoastalMigration => {
            let (count, cities) = (number(call, "coastal_cities_destroyed"), coastal(call, civ));
            destroy(call, civ, count, cities);
        }
        // Squandered Wealth takes treasury only, as some of the others do too.
        _ => {}
    }
    let treasury = number(call, "treasury_loss");
    call.lose_treasury(civ, treasury);
}

/// Two cards, less those that are bought off.
fn banditry(call: &mut Call) {
    let civ = call.victim;
    let hand = discards::commodities(call.state(), civ);
    let count = (call.number("commodity_cards_discarded").max(0) as usize).min(hand.len());
    let ransom = call.number("ransom_treasury_per_card").max(0) as u16;
    let bought = usize::from(ransoms(call, count as u16, ransom));
    let mut cards = discards::wished(call, civ);
    cards.truncate(count - bought);
    let mut left = hand;
    for card in &cards {
        let index = left.iter().position(|other| other == card).expect("wished cards are in the hand");
        left.remove(index);
    }
    let more = discards::cheapest(call.state(), left, count - bought - cards.len());
    cards.extend(more);
    discards::discard(call, civ, cards);
}

/// How often the holder pays a ransom: by the first of the holder's lines that the holder can keep; the lines before it
/// are refused.
fn ransoms(call: &mut Call, most: u16, ransom: u16) -> u16 {
    let civ = call.victim;
    for (filed, times) in call.offered_ransoms(civ) {
        let times = times.unwrap_or(most).min(most);
        let (have, need) = (call.state().holding(civ).treasury, times.saturating_mul(ransom));
        if have >= need {
            call.lose_treasury(civ, need);
            return times;
        }
        call.chronicle.refuse(&filed, Illegal::TooLittleTreasury { have, need });
    }
    0
}
