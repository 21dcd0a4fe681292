//! What would be allowed instead of a line that may not stand.

use minijinja::{Value, context};

use super::facts::Facts;
use super::preview::upkeep;
use super::templates::Templates;
use super::wording::worded;
use crate::game::command::{SailAct, ShipPrice};
use crate::game::movement::{NoWay, no_way};
use crate::game::{Command, Commands, Count, Event, Filed, Illegal, Known, LineId, Owner, Phase, acquisition};
use crate::orders::words::Word;
use crate::orders::{Expected, Fault, Piece};
use crate::rules::{Advance, AreaId, AreaKind, Civ};

/// Advances that are offered at most.
const MOST_ADVANCES: usize = 6;

/// A sentence about what the player could write instead, on the board as it is when their next line would be played.
pub(crate) fn hint(
    templates: &Templates,
    state: &Known,
    civ: Civ,
    why: &Illegal,
    command: Option<&Command>,
) -> Option<String> {
    let facts = Facts::new(state.printed(), templates.language);
    let say = |key, facts: Value| Some(templates.say("hint", key, facts));
    let write = |command: Command| {
        let line = worded(facts.names(), &command);
        would_stand(state, civ, &[command]).then(|| templates.say("hint", "write", context! { line }))
    };
    // What is written later is played later: what must come first is written with the line.
    let both = |first: Command, command: Option<&Command>| {
        let lines: Vec<Command> = [Some(first), command.cloned()].into_iter().flatten().collect();
        let worded = lines.iter().map(|command| worded(facts.names(), command)).collect::<Vec<_>>().join("; ");
        would_stand(state, civ, &lines).then(|| templates.say("hint", "write", context! { line => worded }))
    };
    let map = &state.printed().map;
    match why {
        Illegal::NotAdjacentByLand { from, to } if from != to && by_water(state, civ, *from, *to).is_some() => {
            let count = match command {
                Some(Command::Move { count, .. }) => *count,
                _ => Count::All,
            };
            let sail = Command::Sail { from: *from, acts: vec![SailAct::Load(count), SailAct::To(*to)] };
            say("by_ship", context! { line => worded(facts.names(), &sail) })
        }
        Illegal::NotAdjacentByLand { from, .. } => {
            let near = map.area(*from).land.iter().copied().filter(|area| !state.ground(*area).out_of_play);
            say("neighbours", context! { area => facts.area(*from), areas => facts.areas(near) })
        }
        // A voyage that names only its end was looked for in vain.
        Illegal::NotAdjacentByWater { from, to } => match no_way(state, civ, *from, *to) {
            Some(NoWay::OpenSea) if is_direct(command) => say("no_way_open_sea", context! {}),
            Some(NoWay::TooFar { steps }) if is_direct(command) => say("no_way_too_far", context! { steps }),
            Some(_) | None => shores(templates, state, civ, *from),
        },
        Illegal::OpenSea { area } => shores(templates, state, civ, before(command, *area)?),
        Illegal::TooManySteps { most } => match command {
            Some(Command::Move { count, path }) if path.len() > usize::from(*most) + 1 => {
                write(Command::Move { count: *count, path: path[..=usize::from(*most)].to_vec() })
            }
            _ => None,
        },
        Illegal::TooFewSteps { left, .. } if *left > 0 => match command {
            Some(Command::Sail { from, acts }) => {
                write(Command::Sail { from: *from, acts: shortened(acts, usize::from(*left)) })
            }
            _ => None,
        },
        Illegal::ShipFull { holds } => match command {
            Some(Command::Sail { from, acts }) => match acts.as_slice() {
                [SailAct::Load(_), rest @ ..]
                    if fresh(state, civ, *from) >= *holds
                        && !rest.iter().any(|act| matches!(act, SailAct::Load(_))) =>
                {
                    let load = SailAct::Load(Count::Exactly(*holds));
                    write(Command::Sail { from: *from, acts: [&[load], rest].concat() })
                }
                _ => None,
            },
            _ => None,
        },
        Illegal::ShipNotMaintained { area } => {
            let keep = Command::MaintainShip { area: *area, token_from: upkeep(state, civ, *area) };
            both(keep, command)
        }
        Illegal::TooFewTokens { area, have, .. } if *have > 0 => match (command, fresh(state, civ, *area).min(*have)) {
            (Some(Command::Move { path, .. }), count @ 1..) => {
                write(Command::Move { count: Count::Exactly(count), path: path.clone() })
            }
            _ => None,
        },
        Illegal::TooFewTokens { have: 0, moved: 0, .. } => {
            let places = tokens(state, facts, civ);
            (!places.is_empty()).then(|| templates.say("hint", "tokens_in", context! { places }))
        }
        Illegal::NoTokenThere { .. } | Illegal::NotCoastal { .. } => {
            let coastal = |area: &AreaId| map.area(*area).is_coastal();
            let areas: Vec<AreaId> = state.areas_of(Owner::Civ(civ)).filter(coastal).collect();
            (!areas.is_empty()).then(|| templates.say("hint", "coasts", context! { areas => facts.areas(areas) }))
        }
        Illegal::TooLittleTreasury { .. } => match command {
            Some(Command::BuildShip { area, .. }) => {
                let treasury = state.holding(civ).treasury.min(1);
                let price = ShipPrice { treasury, here: 2 - treasury, elsewhere: Vec::new() };
                let can = state.tokens(*area, Owner::Civ(civ)) >= price.here;
                let line = worded(facts.names(), &Command::BuildShip { area: *area, price });
                can.then(|| templates.say("hint", "treasury", context! { line }))
            }
            Some(Command::MaintainShip { area, token_from: None }) if state.holding(civ).treasury == 0 => {
                let token_from = upkeep(state, civ, *area);
                token_from.and_then(|_| write(Command::MaintainShip { area: *area, token_from }))
            }
            _ => None,
        },
        Illegal::NoShip { area } if can_build(state, civ, *area) => {
            both(Command::BuildShip { area: *area, price: ShipPrice::treasury() }, command)
        }
        Illegal::NoShip { .. } => {
            let mut ships: Vec<AreaId> = state.holding(civ).ships.iter().map(|ship| ship.area).collect();
            ships.sort_unstable();
            ships.dedup();
            if ships.is_empty() {
                say("no_ships", context! {})
            } else {
                say("ships_in", context! { areas => facts.areas(ships) })
            }
        }
        Illegal::NoSuchOffer { .. } => {
            let offers = state.progress().offers.iter().filter(|offer| offer.open);
            let mine = matches!(command, Some(Command::Withdraw { .. }));
            let numbers: Vec<u16> = if mine {
                offers.filter(|offer| offer.from == civ).map(|offer| offer.number).collect()
            } else {
                offers.filter(|offer| offer.is_open_to(civ)).map(|offer| offer.number).collect()
            };
            let key = if mine { "own_offers" } else { "offers" };
            (!numbers.is_empty()).then(|| templates.say("hint", key, context! { numbers }))
        }
        Illegal::NotInHand { .. } => {
            let hand = &state.holding(civ).hand;
            let cards = facts.names().cards(hand);
            (!hand.is_empty()).then(|| templates.say("hint", "hand", context! { cards }))
        }
        Illegal::NotForSale { .. } => say("for_sale", context! {}),
        Illegal::NotSeated { .. } => {
            let civs = Value::from_iter(state.ranking().map(|civ| facts.civ(civ)));
            say("seated", context! { civs })
        }
        Illegal::TooDear { .. } if cheaper(state, civ, command).is_some() => {
            let line = worded(facts.names(), &cheaper(state, civ, command)?);
            say("cheaper", context! { line })
        }
        Illegal::TooDear { can_pay, .. } => {
            let open = Advance::ALL.into_iter().filter(|advance| !state.has(civ, *advance));
            let mut priced: Vec<_> = open.map(|advance| (acquisition::price(state, civ, advance), advance)).collect();
            priced.retain(|(price, _)| price <= can_pay);
            priced.sort_by_key(|(price, _)| std::cmp::Reverse(*price));
            let advances = priced.into_iter().take(MOST_ADVANCES);
            let advances: Vec<_> =
                advances.map(|(price, advance)| context! { name => facts.advance(advance), price }).collect();
            (!advances.is_empty()).then(|| templates.say("hint", "affordable", context! { advances }))
        }
        // The other reasons say themselves what would be allowed.
        _ => None,
    }
}

/// The same purchase with what Library or Anatomy let their buyer choose, where that makes it affordable. R12.9.
fn cheaper(state: &Known, civ: Civ, command: Option<&Command>) -> Option<Command> {
    let Some(Command::Acquire { advances, payment: None, library_for, free, credits }) = command else { return None };
    let with = |library_for: Option<Advance>, free: Option<Advance>| Command::Acquire {
        advances: advances.clone(),
        payment: None,
        library_for,
        free,
        credits: credits.clone(),
    };
    let choices = |chosen: &Option<Advance>| match chosen {
        Some(chosen) => vec![Some(*chosen)],
        None => std::iter::once(None).chain(advances.iter().copied().map(Some)).collect(),
    };
    let gifts = choices(free);
    let tried = choices(library_for).into_iter().flat_map(|target| gifts.iter().map(move |gift| with(target, *gift)));
    let mut tried = tried.filter(|line| line != &with(*library_for, *free));
    tried.find(|line| Phase::Advances.rules().may_stand(state, civ, line).is_ok())
}

/// Whether movement lines would stand, one after another: what is offered is asked of the game first.
fn would_stand(state: &Known, civ: Civ, lines: &[Command]) -> bool {
    // On the board after the whole sheet the phase may be another; what was played of it is no obstacle there.
    if state.phase() != Phase::Movement {
        return true;
    }
    let filed =
        (1..).map(LineId).zip(lines).map(|(line, command)| Filed { civ, line, ahead: false, command: command.clone() });
    let commands = Commands { filed: filed.collect(), cut_off: true, ..Commands::default() };
    let (events, _) = state.foresee(&commands);
    !events.iter().any(|event| matches!(event, Event::Refused { civ: who, .. } if *who == civ))
}

/// The neighbours by water where a ship may go.
fn shores(templates: &Templates, state: &Known, civ: Civ, from: AreaId) -> Option<String> {
    let facts = Facts::new(state.printed(), templates.language);
    let map = &state.printed().map;
    let open = |area: &AreaId| {
        let closed = map.area(*area).kind == AreaKind::OpenSea && !state.has(civ, Advance::Astronavigation);
        !closed && !state.ground(*area).out_of_play
    };
    let near: Vec<AreaId> = map.area(from).water.iter().copied().filter(open).collect();
    let said = context! { area => facts.area(from), areas => facts.areas(near.iter().copied()) };
    (!near.is_empty()).then(|| templates.say("hint", "shores", said))
}

/// Two areas that lie on the same water, and a ship of the player in the first.
fn by_water(state: &Known, civ: Civ, from: AreaId, to: AreaId) -> Option<AreaId> {
    let beside = state.printed().map.area(from).water.contains(&to) && !state.ground(to).out_of_play;
    let lands = state.printed().map.area(to).kind == AreaKind::Coastal;
    (beside && lands && state.ships_at(from, civ) > 0).then_some(to)
}

/// The area of a voyage before another.
fn before(command: Option<&Command>, area: AreaId) -> Option<AreaId> {
    let Some(Command::Sail { from, acts }) = command else { return None };
    let stops = acts.iter().filter_map(|act| match act {
        SailAct::To(to) => Some(*to),
        SailAct::Load(_) | SailAct::Unload(_) => None,
    });
    let mut at = *from;
    stops.take_while(|to| *to != area).for_each(|to| at = to);
    Some(at)
}

/// Whether a voyage names only its end.
fn is_direct(command: Option<&Command>) -> bool {
    let steps = |acts: &[SailAct]| acts.iter().filter(|act| matches!(act, SailAct::To(_))).count();
    matches!(command, Some(Command::Sail { acts, .. }) if steps(acts) == 1)
}

/// A voyage with so many steps.
fn shortened(acts: &[SailAct], steps: usize) -> Vec<SailAct> {
    let ends = acts.iter().enumerate().filter(|(_, act)| matches!(act, SailAct::To(_))).map(|(at, _)| at + 1);
    acts[..ends.take(steps).last().unwrap_or(0)].to_vec()
}

/// Tokens that have not moved.
fn fresh(state: &Known, civ: Civ, area: AreaId) -> u16 {
    state.ground(area).force(Owner::Civ(civ)).map_or(0, |force| force.fresh())
}

/// Whether a ship could be paid for here at once.
fn can_build(state: &Known, civ: Civ, area: AreaId) -> bool {
    let holding = state.holding(civ);
    let coastal = state.printed().map.area(area).is_coastal();
    coastal && holding.treasury >= 2 && state.tokens(area, Owner::Civ(civ)) > 0 && holding.ships.len() < 4
}

/// What could stand where a line could not be read: neighbours of the last area, or the own areas where there was none.
pub(crate) fn fault_hint(
    templates: &Templates,
    state: &Known,
    civ: Civ,
    piece: &Piece,
    fault: &Fault,
) -> Option<String> {
    let wants_area = matches!(fault.expected, Expected::Area | Expected::Destination);
    if !wants_area || !fault.candidates.is_empty() {
        return None;
    }
    match (piece.area, piece.verb) {
        (Some(from), Some(Word::Sail)) => {
            hint(templates, state, civ, &Illegal::NotAdjacentByWater { from, to: from }, None)
        }
        (Some(from), Some(Word::Move) | None) => {
            hint(templates, state, civ, &Illegal::NotAdjacentByLand { from, to: from }, None)
        }
        (None, Some(Word::Move | Word::Sail) | None) => {
            let few = Illegal::TooFewTokens { area: AreaId(0), have: 0, need: 0, moved: 0 };
            hint(templates, state, civ, &few, None)
        }
        _ => None,
    }
}

/// The areas with tokens of a player that can still move, with how many.
fn tokens(state: &Known, facts: Facts, civ: Civ) -> Vec<Value> {
    let areas = state.areas_of(Owner::Civ(civ)).filter(|area| fresh(state, civ, *area) > 0);
    areas.map(|area| context! { area => facts.area(area), count => fresh(state, civ, area) }).collect()
}
