//! 5a: building cities. R5.3 to R5.10.

use crate::game::event::Thwart;
use crate::game::{Command, Event, Illegal, Owner, State};
use crate::rules::{Advance, AreaId, Civ};

/// Tokens for a city on a site, and in the wilderness. R5.3.
const ON_SITE: u16 = 6;
const IN_WILDERNESS: u16 = 12;
/// R5.9.
const MOST_NEIGHBOURS: u16 = 4;

/// What building this city would mean.
pub(crate) fn plan(state: &State, civ: Civ, command: &Command) -> Result<Event, Illegal> {
    let Command::BuildCity { area, treasury, neighbours, leaving } = command else {
        return Err(Illegal::WrongPhase { phase: command.phase().unwrap_or(state.phase()) });
    };
    let (area, treasury, leaving) = (*area, *treasury, *leaving);
    may_hold_city(state, civ, area)?;
    let required = required(state, area);
    architecture(state, civ, treasury, required)?;
    let adjacent = urbanism(state, civ, area, neighbours)?;
    let here = state.tokens(area, Owner::Civ(civ));
    let have = here + treasury + adjacent;
    if have < required {
        return Err(Illegal::TooFewForCity { area, have, need: required });
    }
    let spare = have - required;
    if leaving > 0 {
        if !state.has(civ, Advance::PublicWorks) {
            return Err(Illegal::NeedsAdvance { advance: Advance::PublicWorks });
        }
        // R5.10: never more than one.
        if leaving > 1 {
            return Err(Illegal::NothingLeftOver { area });
        }
    }
    // It may stay if more stand there than are needed; the city is built in any case.
    let leaving = leaving.min(spare).min(here);
    let forces = state.ground(area).forces.iter();
    let leaves = |owner| if owner == Owner::Civ(civ) { leaving } else { 0 };
    let cleared = forces.map(|force| (force.owner, force.count - leaves(force.owner))).filter(|(_, count)| *count > 0);
    Ok(Event::CityBuilt { civ, area, treasury, neighbours: neighbours.clone(), cleared: cleared.collect() })
}

/// Whether a token should stay and none is left over, where the city itself can be built. R5.10.
pub(crate) fn nothing_stays(state: &State, civ: Civ, command: &Command) -> Option<Thwart> {
    let Command::BuildCity { area, treasury, neighbours, leaving: 1.. } = command else { return None };
    let here = state.tokens(*area, Owner::Civ(civ));
    let adjacent: u16 = neighbours.iter().map(|(_, count)| count).sum();
    let spare = (here + treasury + adjacent).saturating_sub(required(state, *area));
    (spare.min(here) == 0).then_some(Thwart::NothingStays { area: *area })
}

/// How many tokens a city lacks, if it lacks any: what stands there, with all that the player pays.
pub(crate) fn tokens_gone(state: &State, civ: Civ, command: &Command) -> Option<Thwart> {
    let Command::BuildCity { area, treasury, neighbours, .. } = command else { return None };
    let standing = |area: AreaId| state.tokens(area, Owner::Civ(civ));
    let adjacent = neighbours.iter().map(|(from, count)| (*count).min(standing(*from)));
    let have = adjacent.fold(standing(*area).saturating_add(*treasury), u16::saturating_add);
    let need = required(state, *area);
    (have < need).then_some(Thwart::TokensGone { area: *area, have, need })
}

/// A city in stock, an area without one, and a limit above 0. R5.4, R5.5.
fn may_hold_city(state: &State, civ: Civ, area: AreaId) -> Result<(), Illegal> {
    if state.ground(area).city.is_some() {
        return Err(Illegal::CityThere { area });
    }
    if state.limit(area) == 0 {
        return Err(Illegal::NoCityOnLimitZero { area });
    }
    if state.holding(civ).cities == 0 {
        return Err(Illegal::NoCityInStock);
    }
    Ok(())
}

/// R5.8: up to half from the treasury, for one city a turn.
fn architecture(state: &State, civ: Civ, treasury: u16, required: u16) -> Result<(), Illegal> {
    let advance = Advance::Architecture;
    if treasury == 0 {
        return Ok(());
    }
    if !state.has(civ, advance) {
        return Err(Illegal::NeedsAdvance { advance });
    }
    if state.progress().used.contains(&(civ, advance)) {
        return Err(Illegal::OncePerTurn { advance });
    }
    if treasury > required / 2 {
        return Err(Illegal::TooMuchForCity { advance, most: required / 2 });
    }
    let have = state.holding(civ).treasury;
    if have < treasury { Err(Illegal::TooLittleTreasury { have, need: treasury }) } else { Ok(()) }
}

/// R5.9: up to four from areas adjacent by land, for one wilderness city a turn.
fn urbanism(state: &State, civ: Civ, area: AreaId, neighbours: &[(AreaId, u16)]) -> Result<u16, Illegal> {
    let advance = Advance::Urbanism;
    if neighbours.is_empty() {
        return Ok(0);
    }
    if !state.has(civ, advance) {
        return Err(Illegal::NeedsAdvance { advance });
    }
    if state.progress().used.contains(&(civ, advance)) {
        return Err(Illegal::OncePerTurn { advance });
    }
    if state.printed().map.area(area).site.is_some() {
        return Err(Illegal::OnlyWilderness { area });
    }
    let total = neighbours.iter().fold(0, |sum: u16, (_, count)| sum.saturating_add(*count));
    if total > MOST_NEIGHBOURS {
        return Err(Illegal::TooMuchForCity { advance, most: MOST_NEIGHBOURS });
    }
    for (from, _) in neighbours {
        if !state.printed().map.is_land_adjacent(*from, area) {
            return Err(Illegal::NotAdjacentByLand { from: *from, to: area });
        }
        let need = neighbours.iter().filter(|(area, _)| area == from).map(|(_, count)| count).sum();
        let have = state.tokens(*from, Owner::Civ(civ));
        if have < need {
            return Err(Illegal::TooFewToDestroy { area: *from, have, need });
        }
    }
    Ok(total)
}

fn required(state: &State, area: AreaId) -> u16 {
    match state.printed().map.area(area).site {
        Some(_) => ON_SITE,
        None => IN_WILDERNESS,
    }
}

/// The cities on sites that the tokens allow, A to Z, as long as they would be supported; with Public Works a token stays
/// where one is left over, for that costs nothing. R5.10.
pub(crate) fn by_default(state: &State, civ: Civ, unwanted: &[AreaId]) -> Vec<Command> {
    let stays = |area| u16::from(state.has(civ, Advance::PublicWorks) && state.tokens(area, Owner::Civ(civ)) > ON_SITE);
    let build = |area| Command::BuildCity { area, treasury: 0, neighbours: Vec::new(), leaving: stays(area) };
    let candidates = state.grounds().filter(|(area, ground)| {
        let enough = ground.force(Owner::Civ(civ)).is_some_and(|force| force.count >= ON_SITE);
        enough && state.printed().map.area(*area).site.is_some()
    });
    let mut areas: Vec<_> = candidates.map(|(area, _)| area).collect();
    areas.retain(|area| may_hold_city(state, civ, *area).is_ok() && !unwanted.contains(area));
    if areas.is_empty() {
        return Vec::new();
    }
    state.alphabetically(&mut areas);
    let mut chosen: Vec<AreaId> = Vec::new();
    for area in areas {
        chosen.push(area);
        let cities = state.city_count(civ) + chosen.len() as u8;
        let needed = state.support_rate(civ) * u16::from(cities);
        let in_stock = chosen.len() <= usize::from(state.holding(civ).cities);
        let staying: u16 = chosen.iter().map(|area| stays(*area)).sum();
        if !in_stock || tokens_after(state, civ, &chosen) + staying < needed {
            chosen.pop();
        }
    }
    chosen.into_iter().map(build).collect()
}

/// Own tokens on the board once these cities are built and surplus is removed.
fn tokens_after(state: &State, civ: Civ, built: &[AreaId]) -> u16 {
    let elsewhere = state.grounds().filter(|(area, _)| !built.contains(area));
    let own = elsewhere.filter_map(|(area, ground)| Some((area, ground.force(Owner::Civ(civ))?.count)));
    own.map(|(area, count)| count.min(state.room(area, civ))).sum()
}
