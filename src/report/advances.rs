//! Advances as they are printed, with what a player would pay for them now.
//!
//! Comes in: a reader's own view of the game. Goes out: a line for an Advance, or for all of them.

use minijinja::context;

use super::facts::Facts;
use super::templates::Templates;
use crate::game::{Known, acquisition};
use crate::rules::{Advance, Civ};

/// Every Advance that a player does not hold, the cheapest for them first, with what it does; and those that the player
/// holds.
pub(crate) fn prices(templates: &Templates, state: &Known, civ: Civ) -> Vec<String> {
    let facts = Facts::new(state.printed(), templates.language);
    let (held, open): (Vec<Advance>, Vec<Advance>) =
        Advance::ALL.into_iter().partition(|advance| state.has(civ, *advance));
    let price = acquisition::prices(state, civ);
    let mut priced: Vec<_> = open.into_iter().map(|advance| (price(advance), advance)).collect();
    priced.sort_unstable();
    let mut lines = vec![templates.say("answer", "prices", context! { treasury => state.holding(civ).treasury })];
    for (_, advance) in priced {
        let name = facts.names().advance(advance);
        lines.push(format!("{name}: {}", card(templates, state, civ, advance)));
        let effect = templates.rules.titled(name).map(|section| section.lines.join(" "));
        lines.extend(effect.map(|effect| format!("  {effect}")));
    }
    let held = held.into_iter().map(|advance| facts.names().advance(advance).to_owned()).collect::<Vec<_>>();
    let is_any = !held.is_empty();
    lines.extend(is_any.then(|| templates.say("answer", "advances_held", context! { held => held.join(", ") })));
    lines
}

/// An Advance as it is printed: cost, colours, points and credits; and what it would cost this player now.
pub(crate) fn card(templates: &Templates, state: &Known, civ: Civ, advance: Advance) -> String {
    let facts = Facts::new(state.printed(), templates.language);
    let names = facts.names();
    let card = &state.printed().advances[advance as usize];
    let credits = card.credits.iter().map(|(group, points)| format!("{points} {}", names.group(*group)));
    let special = card.credit_to.map(|(to, points)| format!("{points} {}", names.advance(to)));
    let credits: Vec<String> = credits.chain(special).collect();
    let facts = context! {
        cost => card.cost,
        price => acquisition::price(state, civ, advance),
        held => state.has(civ, advance),
        groups => card.groups.iter().map(|group| names.group(*group)).collect::<Vec<_>>().join(" / "),
        points => card.victory_points,
        credits => credits.join(", "),
    };
    templates.say("answer", "advance", facts)
}
