//! Pieces: tokens, cities and ships, and the traces of those that were lost.

use super::bounds::Point;
use super::changes::Changes;
use super::colours::{Liveries, Livery};
use super::font;
use super::ink::{Align, Ink, Px};
use crate::game::{Known, Owner};
use crate::rules::{AreaId, Civ};

/// A piece, or several of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Tokens, and how many of them just came or went.
    Tokens {
        owner: Owner,
        /// How many; 0 when the last has gone.
        count: u16,
        change: i32,
    },
    City {
        owner: Owner,
        /// Whether it was just won.
        won: bool,
    },
    /// The ruins of a city that was just lost.
    Ruin { owner: Owner },
    Ships {
        civ: Civ,
        /// How many; 0 when all are lost.
        count: u16,
        /// How many were just lost.
        lost: u16,
    },
}

/// What stands in an area.
#[derive(Debug, Clone, Default)]
pub(crate) struct Standing {
    pub ashore: Vec<Piece>,
    pub afloat: Vec<Piece>,
}

/// What stands in an area, and what is gone from it.
pub(crate) fn standing(state: &Known, changes: &Changes, area: AreaId) -> Standing {
    let ground = state.ground(area);
    let city = ground.city.map(|city| Piece::City { owner: city.owner, won: changes.won.contains(&area) });
    let ruins = changes
        .lost
        .iter()
        .filter(|(lost, owner)| *lost == area && ground.city.is_none_or(|city| city.owner != *owner));
    let change = |owner: Owner| changes.tokens.get(&(area, owner)).copied().unwrap_or(0);
    let forces = ground.forces.iter().map(|force| Piece::Tokens {
        owner: force.owner,
        count: force.count,
        change: change(force.owner),
    });
    let gone = changes
        .tokens
        .iter()
        .filter(|((other, owner), change)| *other == area && **change < 0 && ground.force(*owner).is_none());
    let mut ashore: Vec<_> = city.into_iter().collect();
    ashore.extend(ruins.map(|(_, owner)| Piece::Ruin { owner: *owner }));
    ashore.extend(forces);
    ashore.extend(gone.map(|((_, owner), change)| Piece::Tokens { owner: *owner, count: 0, change: *change }));
    let fleets = state.holdings().iter().map(|holding| {
        let count = holding.ships.iter().filter(|ship| ship.area == area).count() as u16;
        let lost = changes.sunk.get(&(area, holding.civ)).copied().unwrap_or(0);
        Piece::Ships { civ: holding.civ, count, lost }
    });
    let afloat = fleets.filter(|fleet| !matches!(fleet, Piece::Ships { count: 0, lost: 0, .. })).collect();
    Standing { ashore, afloat }
}

const RED: &str = "#b3261e";
const GREEN: &str = "#1f6b2e";

impl Piece {
    /// Its width and height.
    pub(crate) fn size(&self, liveries: &Liveries, em: f32) -> [f32; 2] {
        match self {
            Piece::Tokens { owner, .. } => {
                let [sign, count] = self.halves(&liveries.livery(*owner).sign, em);
                [sign + count, em * 1.22]
            }
            Piece::City { .. } | Piece::Ruin { .. } => [em * 1.6, em * 1.62],
            Piece::Ships { civ, .. } => {
                let [sign, count] = self.halves(&liveries.livery(Owner::Civ(*civ)).sign, em);
                [sign + count, em * 1.5]
            }
        }
    }

    /// How wide the sign and the number are.
    fn halves(&self, sign: &str, em: f32) -> [f32; 2] {
        let sign = font::width(sign, em * 0.84);
        match self {
            Piece::Tokens { count, .. } => {
                let count = if *count > 0 { font::width(&count.to_string(), em * 0.92) + em * 0.52 } else { 0.0 };
                let change = self.change().map_or(0.0, |change| font::width(&change, em * 0.74) + em * 0.14);
                [sign + em * 0.52, count.max(em * 0.3) + change]
            }
            Piece::Ships { count: 2.., .. } => [sign + em * 0.62, em * 0.62],
            Piece::Ships { .. } => [sign + em * 0.7, em * 0.3],
            Piece::City { .. } | Piece::Ruin { .. } => [0.0, 0.0],
        }
    }

    /// How a change of tokens is written.
    fn change(&self) -> Option<String> {
        match self {
            Piece::Tokens { change: 0, .. } => None,
            Piece::Tokens { change, .. } if *change < 0 => Some(format!("−{}", change.unsigned_abs())),
            Piece::Tokens { change, .. } => Some(format!("+{change}")),
            Piece::City { .. } | Piece::Ruin { .. } | Piece::Ships { .. } => None,
        }
    }

    /// Draws it with its upper left corner there.
    pub(crate) fn draw(&self, ink: &mut Ink, liveries: &Liveries, at: Point, em: f32) {
        match self {
            Piece::Tokens { owner, count, .. } => self.tokens(ink, liveries.livery(*owner), at, em, *count),
            Piece::City { owner, won } => city(ink, liveries.livery(*owner), at, em, *won),
            Piece::Ruin { owner } => ruin(ink, liveries.livery(*owner), at, em),
            Piece::Ships { civ, count, lost } => {
                self.ships(ink, liveries.livery(Owner::Civ(*civ)), at, em, *count, *lost);
            }
        }
    }

    /// A long disc: the sign on its colour, the number on white.
    fn tokens(&self, ink: &mut Ink, livery: &Livery, [x, y]: Point, em: f32, count: u16) {
        let ([sign, number], height) = (self.halves(&livery.sign, em), em * 1.22);
        let (split, round) = (x + sign, height / 2.0);
        let dashes = if count == 0 { " stroke-dasharray=\"3 2\"" } else { "" };
        ink.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"#fff\"/>",
            Px(x),
            Px(y),
            Px(sign + number),
            Px(height),
            Px(round),
        ));
        ink.put(format_args!(
            "<path d=\"M{} {}H{}A{} {} 0 0 1 {} {}H{}Z\" fill=\"{}\"/>",
            Px(split),
            Px(y + height),
            Px(x + round),
            Px(round),
            Px(round),
            Px(x + round),
            Px(y),
            Px(split),
            livery.ground,
        ));
        ink.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{dashes}/>",
            Px(x),
            Px(y),
            Px(sign + number),
            Px(height),
            Px(round),
            livery.line,
            Px(em * 0.085),
        ));
        let line = |size: f32| y + height / 2.0 + size * font::CAPITAL / 2.0;
        let (small, large) = (em * 0.84, em * 0.92);
        ink.text([x + em * 0.32, line(small)], small, Align::Left, &format!("fill=\"{}\"", livery.ink), &livery.sign);
        let mut right = split + em * 0.18;
        if count > 0 {
            ink.text([right, line(large)], large, Align::Left, "", &count.to_string());
            right += font::width(&count.to_string(), large) + em * 0.14;
        }
        if let Some(change) = self.change() {
            let colour = if change.starts_with('+') { GREEN } else { RED };
            ink.text([right, line(em * 0.74)], em * 0.74, Align::Left, &format!("fill=\"{colour}\""), &change);
        }
    }

    /// A hull with a sail; the number is on the bow.
    fn ships(&self, ink: &mut Ink, livery: &Livery, [x, y]: Point, em: f32, count: u16, lost: u16) {
        let ([sign, number], height) = (self.halves(&livery.sign, em), em * 1.5);
        let (width, deck) = (sign + number, y + em * 0.5);
        let mast = x + width * 0.5;
        ink.put(format_args!(
            "<path d=\"M{} {}V{}L{} {}H{}\" fill=\"#fff\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"/>",
            Px(mast),
            Px(deck),
            Px(y),
            Px(mast + em * 0.6),
            Px(deck - em * 0.08),
            Px(mast),
            livery.line,
            Px(em * 0.085),
        ));
        let ghost = if count == 0 { " stroke-dasharray=\"3 2\" fill-opacity=\"0.45\"" } else { "" };
        ink.put(format_args!(
            "<path d=\"M{} {}H{}Q{} {} {} {}H{}Q{} {} {} {}Z\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{ghost}/>",
            Px(x),
            Px(deck),
            Px(x + width),
            Px(x + width - em * 0.1),
            Px(y + height),
            Px(x + width - em * 0.5),
            Px(y + height),
            Px(x + em * 0.5),
            Px(x + em * 0.1),
            Px(y + height),
            Px(x),
            Px(deck),
            livery.ground,
            livery.line,
            Px(em * 0.085),
        ));
        let size = em * 0.84;
        let line = deck + (height - em * 0.5) / 2.0 + size * font::CAPITAL / 2.0;
        let text = if count > 1 { format!("{} {count}", livery.sign) } else { livery.sign.clone() };
        ink.text([x + width / 2.0, line], size, Align::Middle, &format!("fill=\"{}\"", livery.ink), &text);
        if lost > 0 {
            cross(ink, [x + width - em * 0.3, y + em * 0.35], em * 0.32);
        }
    }
}

/// A house with its roof, the sign on its wall.
fn city(ink: &mut Ink, livery: &Livery, [x, y]: Point, em: f32, won: bool) {
    ink.put(format_args!(
        "{} fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"/>",
        Roof([x, y], em),
        livery.ground,
        livery.line,
        Px(em * 0.12),
    ));
    sign(ink, livery, [x, y], em, &livery.ink.to_string());
    if won {
        let ([x, y], r) = ([x + em * 1.46, y + em * 0.32], em * 0.36);
        ink.put(format_args!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{GREEN}\" stroke=\"#fff\" stroke-width=\"1\"/>",
            Px(x),
            Px(y),
            Px(r),
        ));
        let arm = r * 0.58;
        ink.put(format_args!(
            "<path d=\"M{} {}H{}M{} {}V{}\" stroke=\"#fff\" stroke-width=\"{}\"/>",
            Px(x - arm),
            Px(y),
            Px(x + arm),
            Px(x),
            Px(y - arm),
            Px(y + arm),
            Px(em * 0.13),
        ));
    }
}

/// An empty house, crossed out.
fn ruin(ink: &mut Ink, livery: &Livery, [x, y]: Point, em: f32) {
    ink.put(format_args!(
        "{} fill=\"{}\" fill-opacity=\"0.35\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"3 2\"/>",
        Roof([x, y], em),
        livery.ground,
        livery.line,
        Px(em * 0.09),
    ));
    sign(ink, livery, [x, y], em, "#2b2620");
    cross(ink, [x + em * 1.3, y + em * 0.4], em * 0.36);
}

/// The letters on the wall of a house.
fn sign(ink: &mut Ink, livery: &Livery, [x, y]: Point, em: f32, colour: &str) {
    let attributes = format!("fill=\"{colour}\"");
    ink.text([x + em * 0.8, y + em * 1.4], em * 0.9, Align::Middle, &attributes, &livery.sign);
}

fn cross(ink: &mut Ink, [x, y]: Point, arm: f32) {
    for (colour, width) in [("#fff", 0.75), (RED, 0.4)] {
        ink.put(format_args!(
            "<path d=\"M{} {}L{} {}M{} {}L{} {}\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\"/>",
            Px(x - arm),
            Px(y - arm),
            Px(x + arm),
            Px(y + arm),
            Px(x - arm),
            Px(y + arm),
            Px(x + arm),
            Px(y - arm),
            Px(arm * width),
        ));
    }
}

/// The walls and the roof, as a path without its end.
struct Roof(Point, f32);

impl std::fmt::Display for Roof {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Roof([x, y], em) = *self;
        write!(
            f,
            "<path d=\"M{} {}L{} {}L{} {}V{}H{}Z\"",
            Px(x),
            Px(y + em * 0.58),
            Px(x + em * 0.8),
            Px(y + em * 0.04),
            Px(x + em * 1.6),
            Px(y + em * 0.58),
            Px(y + em * 1.62),
            Px(x),
        )
    }
}
