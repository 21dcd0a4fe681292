//! Random lines of movement.

use cursus::game::Owner;
use cursus::rules::{Advance, AreaId, AreaKind};

use super::letters::Pen;

/// A line of movement.
pub fn order(pen: &mut Pen) -> String {
    match pen.dice.below(100) {
        0..=39 => walk(pen),
        40..=47 => {
            let line = walk(pen);
            condition(pen, &line)
        }
        48..=59 => build_ship(pen),
        60..=67 => maintain(pen),
        68..=70 => {
            let ships = ships(pen);
            if ships.is_empty() {
                return walk(pen);
            }
            format!("{} {}", pen.either("scrap ship in", "zniszcz statek w"), pen.one_of(&ships))
        }
        71..=84 => sail_after(pen),
        _ => sail(pen),
    }
}

/// `if … then LINE`, now and then with another line behind `else`.
pub fn condition(pen: &mut Pen, then: &str) -> String {
    let civs: Vec<_> = pen.state.ranking().collect();
    let civ = pen.dice.pick(&civs).unwrap_or(pen.civ);
    let civ = pen.state.printed().civilizations[usize::from(civ.0)].name.clone();
    let own = pen.own_areas();
    let near: Vec<_> = own.iter().flat_map(|area| pen.near(*area)).chain(own.iter().copied()).collect();
    let area = pen.one_of(&near);
    let count = pen.dice.between(0, 6);
    let test = match pen.dice.below(6) {
        0 => pen.either(&format!("holds {count} {civ}"), &format!("ma {count} {civ}")),
        1 => pen.either(&format!("holds at most {count} {civ}"), &format!("ma najwyżej {count} {civ}")),
        2 => pen.either(&format!("holds at least {count} {civ}"), &format!("ma co najmniej {count} {civ}")),
        3 => pen.either("is empty", "jest puste"),
        4 => pen.either("holds at most 3 barbarians", "ma najwyżej 3 barbarzyńcy"),
        _ => pen.either(&format!("has city {civ}"), &format!("ma miasto {civ}")),
    };
    let otherwise =
        if pen.dice.percent(30) { format!(" {} {}", pen.either("else", "inaczej"), walk(pen)) } else { String::new() };
    format!("{} {area} {test} {} {then}{otherwise}", pen.either("if", "jeśli"), pen.either("then", "to"))
}

fn walk(pen: &mut Pen) -> String {
    let own = pen.own_areas();
    let Some(from) = pen.dice.pick(&own) else { return "move 1 nowhere > elsewhere".to_owned() };
    let to = step(pen, from);
    let there = to.unwrap_or(from);
    let (here, destination) = (pen.name(from), pen.name(there));
    let most = pen.tokens(from);
    let count = match pen.dice.below(10) {
        0..=5 => pen.dice.between(1, most).to_string(),
        6..=8 => pen.either("all", "wszystkie"),
        _ => (most + 1).to_string(),
    };
    match pen.dice.below(6) {
        0..=1 => format!("{count} {here} > {destination}"),
        2 if pen.has(Advance::Roadbuilding) || pen.dice.percent(10) => {
            let further = step(pen, there).unwrap_or(from);
            let further = pen.name(further);
            pen.either(
                &format!("move {count} {here} > {destination} > {further}"),
                &format!("ruch {count} {here} > {destination} > {further}"),
            )
        }
        _ => pen.either(
            &format!("move {count} from {here} to {destination}"),
            &format!("ruch {count} z {here} do {destination}"),
        ),
    }
}

/// A neighbour, rather one where somebody else stands.
fn step(pen: &mut Pen, from: AreaId) -> Option<AreaId> {
    let near = pen.near(from);
    let own = Owner::Civ(pen.civ);
    let foreign = near.iter().copied().filter(|area| {
        let ground = pen.state.ground(*area);
        ground.city.is_some_and(|city| city.owner != own) || ground.forces.iter().any(|force| force.owner != own)
    });
    let foreign: Vec<_> = foreign.collect();
    pen.dice.prefer(60, &foreign, &near)
}

fn build_ship(pen: &mut Pen) -> String {
    let own = pen.own_areas();
    let coasts: Vec<_> = own.iter().copied().filter(|area| pen.state.printed().map.area(*area).is_coastal()).collect();
    if coasts.is_empty() && !pen.dice.percent(10) {
        return walk(pen);
    }
    let here = pen.one_of(if coasts.is_empty() { &own } else { &coasts });
    let elsewhere = pen.one_of(&own);
    let price = match pen.dice.below(6) {
        0 => pen.either(" for 1 treasury and 1 token", " za 1 skarbiec i 1 żeton"),
        1 => pen.either(" for 2 tokens", " za 2 żetony"),
        2 => pen.either(&format!(" for 2 tokens, 1 from {elsewhere}"), &format!(" za 2 żetony, 1 z {elsewhere}")),
        _ => String::new(),
    };
    let built = format!("{} {here}{price}", pen.either("build ship in", "zbuduj statek w"));
    if pen.dice.percent(60) {
        format!("{built}\n{} {here} {}", pen.either("sail from", "płyń z"), voyage(pen, None))
    } else {
        built
    }
}

fn maintain(pen: &mut Pen) -> String {
    let (ships, own) = (ships(pen), pen.own_areas());
    if ships.is_empty() && !pen.dice.percent(10) {
        return walk(pen);
    }
    let price = if pen.dice.percent(40) {
        format!(" {} {}", pen.either("with token from", "żetonem z"), pen.one_of(&own))
    } else {
        String::new()
    };
    format!("{} {}{price}", pen.either("maintain ship in", "utrzymaj statek w"), pen.one_of(&ships))
}

/// The upkeep of a ship and its voyage.
fn sail_after(pen: &mut Pen) -> String {
    let ships = ships(pen);
    let Some(from) = pen.dice.pick(&ships) else { return build_ship(pen) };
    let (here, own) = (pen.name(from), pen.own_areas());
    let price = match pen.state.holding(pen.civ).treasury {
        0 => format!(" {} {}", pen.either("with token from", "żetonem z"), pen.one_of(&own)),
        _ => String::new(),
    };
    let upkeep = format!("{} {here}{price}", pen.either("maintain ship in", "utrzymaj statek w"));
    format!("{upkeep}\n{} {here} {}", pen.either("sail from", "płyń z"), voyage(pen, Some(from)))
}

fn sail(pen: &mut Pen) -> String {
    let ships = ships(pen);
    let Some(from) = pen.dice.pick(&ships) else { return walk(pen) };
    format!("{} {} {}", pen.either("sail from", "płyń z"), pen.name(from), voyage(pen, Some(from)))
}

/// What a ship does on its way; from an unknown place it goes anywhere near the own coasts.
fn voyage(pen: &mut Pen, from: Option<AreaId>) -> String {
    let own = pen.own_areas();
    let mut at = from.or_else(|| pen.dice.pick(&own)).unwrap_or(AreaId(0));
    let mut aboard = 0;
    let mut words: Vec<String> = Vec::new();
    for _ in 0..1 + pen.dice.below(3) {
        let most = pen.tokens(at).min(5 - aboard);
        if most > 0 && pen.dice.percent(70) {
            let count = pen.dice.between(1, most);
            aboard += count;
            words.push(format!("{} {count}", pen.either("load", "załaduj")));
        }
        let map = &pen.state.printed().map;
        let water: Vec<_> = map.area(at).water.clone();
        let shallow: Vec<_> = water.iter().copied().filter(|area| map.area(*area).kind != AreaKind::OpenSea).collect();
        at = pen.dice.prefer(85, &shallow, &water).unwrap_or(at);
        words.push(format!("{} {}", pen.either("to", "do"), pen.name(at)));
        if aboard > 0 && pen.dice.percent(25) {
            let count = pen.dice.between(1, aboard);
            aboard -= count;
            words.push(format!("{} {count}", pen.either("unload", "wyładuj")));
        }
    }
    words.join(" ")
}

fn ships(pen: &Pen) -> Vec<AreaId> {
    pen.state.holding(pen.civ).ships.iter().map(|ship| ship.area).collect()
}
