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
    Friend { templates, facts: Facts::new(state.printed(), templates.language), state, civ, command }.says(why)
}

/// Who looks over a player's shoulder: at the board, and at the line that may not stand, where there is one.
struct Friend<'a> {
    templates: &'a Templates,
    facts: Facts<'a>,
    state: &'a Known,
    civ: Civ,
    command: Option<&'a Command>,
}

impl Friend<'_> {
    fn says(&self, why: &Illegal) -> Option<String> {
        match why {
            Illegal::NotAdjacentByLand { from, to } => self.by_land(*from, *to),
            Illegal::NotAdjacentByWater { from, to } => self.by_sea(*from, *to),
            Illegal::OpenSea { area } => shores(self.templates, self.state, self.civ, before(self.command, *area)?),
            Illegal::TooManySteps { most } => self.fewer_steps(usize::from(*most)),
            Illegal::TooFewSteps { left, .. } if *left > 0 => self.shorter_voyage(usize::from(*left)),
            Illegal::ShipFull { holds } => self.smaller_load(*holds),
            Illegal::ShipNotMaintained { area } => {
                let token_from = upkeep(self.state, self.civ, *area);
                self.both(Command::MaintainShip { area: *area, token_from })
            }
            Illegal::TooFewTokens { area, have, .. } if *have > 0 => self.fewer_tokens(*area, *have),
            Illegal::TooFewTokens { have: 0, moved: 0, .. } => {
                let places = tokens(self.state, self.facts, self.civ);
                self.say_if(!places.is_empty(), "tokens_in", context! { places })
            }
            Illegal::NoTokenThere { .. } | Illegal::NotCoastal { .. } => self.coasts(),
            Illegal::TooLittleTreasury { .. } => self.paid_otherwise(),
            Illegal::NoShip { area } if can_build(self.state, self.civ, *area) => {
                self.both(Command::BuildShip { area: *area, price: ShipPrice::treasury() })
            }
            Illegal::NoShip { .. } => self.ships(),
            Illegal::NoSuchOffer { .. } => self.offers(),
            Illegal::NotInHand { .. } => {
                let hand = &self.state.holding(self.civ).hand;
                self.say_if(!hand.is_empty(), "hand", context! { cards => self.facts.names().cards(hand) })
            }
            Illegal::NotForSale { .. } => self.say("for_sale", context! {}),
            Illegal::NotSeated { .. } => {
                let civs = Value::from_iter(self.state.ranking().map(|civ| self.facts.civ(civ)));
                self.say("seated", context! { civs })
            }
            Illegal::TooDear { can_pay, .. } => match cheaper(self.state, self.civ, self.command) {
                Some(line) => self.say("cheaper", context! { line => worded(self.facts.names(), &line) }),
                None => self.affordable(*can_pay),
            },
            // The other reasons say themselves what would be allowed.
            _ => None,
        }
    }

    fn say(&self, key: &str, facts: Value) -> Option<String> {
        Some(self.templates.say("hint", key, facts))
    }

    fn say_if(&self, is: bool, key: &str, facts: Value) -> Option<String> {
        if is { self.say(key, facts) } else { None }
    }

    /// A line to write instead, where it would stand.
    fn write(&self, command: Command) -> Option<String> {
        let line = worded(self.facts.names(), &command);
        self.say_if(would_stand(self.state, self.civ, &[command]), "write", context! { line })
    }

    /// What is written later is played later: what must come first is written with the line.
    fn both(&self, first: Command) -> Option<String> {
        let lines: Vec<Command> = [Some(first), self.command.cloned()].into_iter().flatten().collect();
        let line = lines.iter().map(|command| worded(self.facts.names(), command)).collect::<Vec<_>>().join("; ");
        self.say_if(would_stand(self.state, self.civ, &lines), "write", context! { line })
    }

    /// A ship that could take them there, or where one can walk to.
    fn by_land(&self, from: AreaId, to: AreaId) -> Option<String> {
        if from != to && by_water(self.state, self.civ, from, to).is_some() {
            let count = match self.command {
                Some(Command::Move { count, .. }) => *count,
                _ => Count::All,
            };
            let sail = Command::Sail { from, acts: vec![SailAct::Load(count), SailAct::To(to)] };
            return self.say("by_ship", context! { line => worded(self.facts.names(), &sail) });
        }
        let land = &self.state.printed().map.area(from).land;
        let near = land.iter().copied().filter(|area| !self.state.ground(*area).out_of_play);
        self.say("neighbours", context! { area => self.facts.area(from), areas => self.facts.areas(near) })
    }

    /// Why a voyage that names only its end was looked for in vain, or where a ship can go.
    fn by_sea(&self, from: AreaId, to: AreaId) -> Option<String> {
        match no_way(self.state, self.civ, from, to) {
            Some(NoWay::OpenSea) if is_direct(self.command) => self.say("no_way_open_sea", context! {}),
            Some(NoWay::TooFar { steps }) if is_direct(self.command) => self.say("no_way_too_far", context! { steps }),
            Some(_) | None => shores(self.templates, self.state, self.civ, from),
        }
    }

    fn fewer_steps(&self, most: usize) -> Option<String> {
        match self.command {
            Some(Command::Move { count, path }) if path.len() > most + 1 => {
                self.write(Command::Move { count: *count, path: path[..=most].to_vec() })
            }
            _ => None,
        }
    }

    fn shorter_voyage(&self, left: usize) -> Option<String> {
        let Some(Command::Sail { from, acts }) = self.command else { return None };
        self.write(Command::Sail { from: *from, acts: shortened(acts, left) })
    }

    fn smaller_load(&self, holds: u16) -> Option<String> {
        let Some(Command::Sail { from, acts }) = self.command else { return None };
        let [SailAct::Load(_), rest @ ..] = acts.as_slice() else { return None };
        let loads_again = rest.iter().any(|act| matches!(act, SailAct::Load(_)));
        if loads_again || fresh(self.state, self.civ, *from) < holds {
            return None;
        }
        let load = SailAct::Load(Count::Exactly(holds));
        self.write(Command::Sail { from: *from, acts: [&[load], rest].concat() })
    }

    fn fewer_tokens(&self, area: AreaId, have: u16) -> Option<String> {
        match (self.command, fresh(self.state, self.civ, area).min(have)) {
            (Some(Command::Move { path, .. }), count @ 1..) => {
                self.write(Command::Move { count: Count::Exactly(count), path: path.clone() })
            }
            _ => None,
        }
    }

    fn coasts(&self) -> Option<String> {
        let coastal = |area: &AreaId| self.state.printed().map.area(*area).is_coastal();
        let areas: Vec<AreaId> = self.state.areas_of(Owner::Civ(self.civ)).filter(coastal).collect();
        self.say_if(!areas.is_empty(), "coasts", context! { areas => self.facts.areas(areas) })
    }

    /// With tokens for what is not in the treasury.
    fn paid_otherwise(&self) -> Option<String> {
        let treasury = self.state.holding(self.civ).treasury;
        match self.command {
            Some(Command::BuildShip { area, .. }) => {
                let treasury = treasury.min(1);
                let price = ShipPrice { treasury, here: 2 - treasury, elsewhere: Vec::new() };
                let can = self.state.tokens(*area, Owner::Civ(self.civ)) >= price.here;
                let line = worded(self.facts.names(), &Command::BuildShip { area: *area, price });
                self.say_if(can, "treasury", context! { line })
            }
            Some(Command::MaintainShip { area, token_from: None }) if treasury == 0 => {
                let token_from = Some(upkeep(self.state, self.civ, *area)?);
                self.write(Command::MaintainShip { area: *area, token_from })
            }
            _ => None,
        }
    }

    fn ships(&self) -> Option<String> {
        let mut ships: Vec<AreaId> = self.state.holding(self.civ).ships.iter().map(|ship| ship.area).collect();
        ships.sort_unstable();
        ships.dedup();
        if ships.is_empty() {
            self.say("no_ships", context! {})
        } else {
            self.say("ships_in", context! { areas => self.facts.areas(ships) })
        }
    }

    fn offers(&self) -> Option<String> {
        let offers = self.state.progress().offers.iter().filter(|offer| offer.open);
        let mine = matches!(self.command, Some(Command::Withdraw { .. }));
        let numbers: Vec<u16> = if mine {
            offers.filter(|offer| offer.from == self.civ).map(|offer| offer.number).collect()
        } else {
            offers.filter(|offer| offer.is_open_to(self.civ)).map(|offer| offer.number).collect()
        };
        self.say_if(!numbers.is_empty(), if mine { "own_offers" } else { "offers" }, context! { numbers })
    }

    /// The dearest Advances that could be paid for.
    fn affordable(&self, can_pay: u16) -> Option<String> {
        let (state, civ) = (self.state, self.civ);
        let open = Advance::ALL.into_iter().filter(|advance| !state.has(civ, *advance));
        let price = acquisition::prices(state, civ);
        let mut priced: Vec<_> = open.map(|advance| (price(advance), advance)).collect();
        priced.retain(|(price, _)| *price <= can_pay);
        priced.sort_by_key(|(price, _)| std::cmp::Reverse(*price));
        let advances = priced.into_iter().take(MOST_ADVANCES);
        let advances: Vec<_> =
            advances.map(|(price, advance)| context! { name => self.facts.advance(advance), price }).collect();
        self.say_if(!advances.is_empty(), "affordable", context! { advances })
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
