//! Phase 10: what the special abilities are good for now, and what is given for another's.

use std::cmp::Reverse;

use super::Temperament;
use super::hand::Hand;
use crate::report::View;
use crate::report::view::{Area, Civilization, Owner};
use crate::rules::{Advance, Face};

/// Tokens that stay in stock to grow and to pay taxes.
const RESERVE: u16 = 10;
/// Politics, Diaspora, Universal Doctrine and Provincial Empire go up to five.
const FIVE: u16 = 5;

/// A line for each ability that is of use, and the card the player would give.
pub(crate) fn letter(view: &View, temperament: Temperament) -> String {
    let held = |advance| view.own().advances.contains(&advance);
    let mut stock = view.own().stock;
    let mut lines: Vec<String> = Vec::new();
    // One area is taken, bought or razed once.
    let mut taken: Vec<String> = Vec::new();
    if held(Advance::UniversalDoctrine) {
        lines.extend(doctrine(view));
    }
    if held(Advance::Monotheism)
        && let Some(area) = target(view, [Advance::Monotheism, Advance::Theology], stock, true, &taken)
    {
        lines.push(format!("use Monotheism on {area}"));
        taken.push(area);
    }
    if held(Advance::Politics) && stock >= RESERVE + FIVE {
        stock -= FIVE;
        lines.push(format!("use Politics for {FIVE} treasury"));
    }
    if held(Advance::TradeRoutes) {
        lines.extend(routes(view, stock.saturating_sub(RESERVE)));
    }
    if held(Advance::ProvincialEmpire) {
        lines.extend(empire(view));
    }
    if held(Advance::Fundamentalism)
        && temperament == Temperament::Raider
        && let Some(area) = target(view, [Advance::Fundamentalism, Advance::Philosophy], u16::MAX, false, &taken)
    {
        lines.push(format!("use Fundamentalism on {area}"));
    }
    if held(Advance::Diaspora) {
        lines.extend(diaspora(view));
    }
    if lines.is_empty() {
        lines.push("use nothing".to_owned());
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The neighbour's area that is worth most: a city of the leader before tokens. All of it must be open to the ability.
fn target(view: &View, protecting: [Advance; 2], stock: u16, to_own: bool, taken: &[String]) -> Option<String> {
    let own = Owner::Civ(view.civ);
    let open = |owner: Owner| match owner {
        Owner::Civ(civ) => civilization(view, civ)
            .is_some_and(|other| civ != view.civ && !protecting.iter().any(|advance| other.advances.contains(advance))),
        Owner::Barbarians => false,
    };
    let has_city = !to_own || view.own().cities_in_stock > 0;
    let areas = view.areas.iter().filter(|area| {
        let beside =
            area.land.iter().any(|next| view.area(*next).tokens_of(own) > 0 || view.area(*next).city == Some(own));
        let city = area.city.is_none_or(|owner| open(owner) && has_city);
        let tokens = area.tokens.iter().all(|(owner, _)| open(*owner));
        let some = area.city.is_some() || !area.tokens.is_empty();
        beside
            && city
            && tokens
            && some
            && area.tokens_beside(own) <= stock
            && !taken.iter().any(|one| one == area.name)
    });
    let score = |area: &Area| match area.city {
        Some(Owner::Civ(civ)) => civilization(view, civ).map_or(0, |other| 100 + other.score),
        Some(Owner::Barbarians) | None => area.tokens_beside(own),
    };
    areas.max_by_key(|area| (score(area), Reverse(area.name))).map(|area| area.name.to_owned())
}

fn civilization<'a, 'v>(view: &'a View<'v>, civ: crate::rules::Civ) -> Option<&'a Civilization<'v>> {
    view.civilizations.iter().find(|other| other.civ == civ)
}

/// A pirate city, else barbarians.
fn doctrine(view: &View) -> Option<String> {
    let pirates = view.areas.iter().find(|area| area.city == Some(Owner::Barbarians));
    let horde = view.areas.iter().filter(|area| area.tokens_of(Owner::Barbarians) > 0);
    let horde = horde.max_by_key(|area| (area.tokens_of(Owner::Barbarians), Reverse(area.name)));
    let area = match (pirates, horde) {
        (Some(pirates), _) if view.own().cities_in_stock > 0 => pirates,
        (_, Some(horde)) if view.own().stock > 0 && horde.city != Some(Owner::Barbarians) => horde,
        _ => return None,
    };
    Some(format!("use Universal Doctrine on {}", area.name))
}

/// Single cards bring twice their value, which no set of one does.
fn routes(view: &View, mut room: u16) -> Option<String> {
    let mut singles: Vec<_> = view.sets.iter().filter(|set| set.count == 1 && set.card.value > 0).collect();
    singles.sort_by_key(|set| (Reverse(set.card.value), set.card.face));
    let mut sold = Vec::new();
    for set in singles {
        let gain = 2 * u16::from(set.card.value);
        if gain <= room {
            room -= gain;
            sold.push(set.card.name.to_owned());
        }
    }
    (!sold.is_empty()).then(|| format!("use Trade Routes with {}", sold.join(", ")))
}

/// The richest hands next door.
fn empire(view: &View) -> Option<String> {
    let own = Owner::Civ(view.civ);
    let stands = |area: &Area, owner: Owner| area.tokens_of(owner) > 0 || area.city == Some(owner);
    let protected = |other: &Civilization| {
        [Advance::ProvincialEmpire, Advance::PublicWorks].iter().any(|advance| other.advances.contains(advance))
    };
    let is_near = |other: &&Civilization| {
        view.areas
            .iter()
            .filter(|area| stands(area, own))
            .any(|area| area.land.iter().chain(area.water).any(|next| stands(view.area(*next), Owner::Civ(other.civ))))
    };
    let others = view.civilizations.iter().filter(|other| other.civ != view.civ && !protected(other) && other.hand > 0);
    let mut near: Vec<_> = others.filter(is_near).collect();
    near.sort_by_key(|other| Reverse(other.hand));
    let names: Vec<_> = near.into_iter().take(usize::from(FIVE)).map(|other| other.name.to_owned()).collect();
    (!names.is_empty()).then(|| format!("use Provincial Empire on {}", names.join(", ")))
}

/// From where tokens are too many to where there is room.
fn diaspora(view: &View) -> Option<String> {
    let own = Owner::Civ(view.civ);
    let from = view.areas.iter().filter(|area| area.city.is_none() && area.tokens_of(own) > area.room);
    let from = from.max_by_key(|area| (area.tokens_of(own) - area.room, Reverse(area.name)))?;
    let empty =
        |area: &&Area| area.is_land_in_play() && area.city.is_none() && area.tokens.is_empty() && area.limit > 1;
    let to = view.areas.iter().filter(empty).max_by_key(|area| (area.site, area.limit, Reverse(area.name)))?;
    let count = FIVE.min(to.limit).min(from.tokens_of(own) - from.room);
    Some(format!("use Diaspora {count} from {} to {}", from.name, to.name))
}

/// The card that is missed least, of those that another's Provincial Empire may ask for.
pub(crate) fn gift(view: &View) -> Option<String> {
    let card = Hand::new(&view.hand).least_missed(|card| matches!(card.face, Face::Commodity(_)) && card.value > 1)?;
    Some(format!("give {}", card.name))
}
