//! What a moderator sets right by hand, in words: what was before and what is then, and which rules are overruled.
//!
//! Comes in: what everybody knows, and a correction. Goes out: finished sentences, the same for the moderator who is shown
//! them first and for the players who are told.

#![warn(clippy::wildcard_enum_match_arm)]

use minijinja::{Value, context};

use super::facts::Facts;
use super::templates::Templates;
use crate::game::correction::Correction;
use crate::game::{Known, Owner};
use crate::rules::{AreaId, Civ};

/// What a correction makes of what was.
pub(crate) fn set_right(templates: &Templates, before: &Known, change: Correction) -> String {
    let facts = Facts::new(before.printed(), templates.language);
    let (key, told) = match change {
        Correction::Tokens { area, owner, count } => {
            let was = before.tokens(area, owner);
            ("tokens", context! { area => facts.area(area), who => facts.who(owner, None), count, was })
        }
        Correction::City { area, owner } => {
            let who = |owner: Option<Owner>| owner.map(|owner| facts.who(owner, None));
            let was = before.ground(area).city.map(|city| city.owner);
            let pirates = |owner: Option<Owner>| owner == Some(Owner::Barbarians);
            let told = context! { pirates => pirates(owner), were_pirates => pirates(was) };
            ("city", context! { area => facts.area(area), who => who(owner), was => who(was), ..told })
        }
        Correction::Ships { area, civ, count } => {
            let was = before.ships_at(area, civ);
            ("ships", context! { area => facts.area(area), who => facts.civ(civ), count, was })
        }
        Correction::Treasury { civ, amount } => {
            ("treasury", context! { who => facts.civ(civ), amount, was => before.holding(civ).treasury })
        }
        Correction::Position { civ, position } => {
            ("position", context! { who => facts.civ(civ), position, was => before.holding(civ).position })
        }
        Correction::Advance { civ, advance, held } => {
            ("advance", context! { who => facts.civ(civ), advance => facts.advance(advance), held })
        }
    };
    templates.say("set_right", key, told)
}

/// What the rules would say to it, a sentence each: it is done nevertheless, and they have their way when their phase comes.
pub(crate) fn overruled(templates: &Templates, after: &Known, change: Correction) -> Vec<String> {
    let facts = Facts::new(after.printed(), templates.language);
    let say = |key: &str, told: Value| templates.say("set_right", key, told);
    let mut told = vec![say("overrules", context! {})];
    let at = |area: AreaId| context! { area => facts.area(area), limit => after.limit(area) };
    match change {
        Correction::Tokens { area, owner, .. } => {
            let is_above = |civ: Civ| after.tokens(area, owner) > after.room(area, civ);
            match owner {
                _ if after.is_conflict(area) => told.push(say("conflict", at(area))),
                Owner::Civ(civ) if is_above(civ) => told.push(say("above_limit", at(area))),
                Owner::Civ(_) | Owner::Barbarians => {}
            }
        }
        Correction::City { area, owner } => {
            if owner.is_some() && after.limit(area) == 0 {
                told.push(say("no_city_there", at(area)));
            }
            if after.is_conflict(area) {
                told.push(say("conflict", at(area)));
            }
        }
        Correction::Ships { area, count, .. } => {
            if count > 0 && !after.printed().map.area(area).is_coastal() {
                told.push(say("no_coast", at(area)));
            }
        }
        Correction::Treasury { .. } | Correction::Position { .. } | Correction::Advance { .. } => {}
    }
    // Whatever takes tokens away or brings cities may leave a city without its support.
    if let Some(civ) = whose(change).filter(|civ| after.is_seated(*civ)) {
        let (have, need) = (after.tokens_on_board(civ), after.support_rate(civ) * u16::from(after.city_count(civ)));
        if have < need {
            told.push(say("unsupported", context! { who => facts.civ(civ), have, need }));
        }
    }
    told
}

/// Whose pieces on the board a correction changes.
fn whose(change: Correction) -> Option<Civ> {
    match change {
        Correction::Tokens { owner, .. } => owner.civ(),
        Correction::City { owner, .. } => owner.and_then(Owner::civ),
        Correction::Treasury { civ, .. } | Correction::Ships { civ, .. } => Some(civ),
        Correction::Position { .. } | Correction::Advance { .. } => None,
    }
}
