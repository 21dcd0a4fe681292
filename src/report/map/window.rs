//! The window: which part of the board is seen, and how large.

use std::collections::BTreeSet;

use super::bounds::{Bounds, Point};
use crate::game::{Known, Owner};
use crate::rules::{Area, AreaId, Civ};

use super::changes::Changes;

/// Which part of the board a picture shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// The whole board, in play or not.
    Board,
    /// All that is in play.
    Whole,
    /// These areas and what lies around them.
    Around(BTreeSet<AreaId>),
}

impl Frame {
    /// How wide a picture of it should be, in pixels: a phone's width for a part, room for every name for the whole.
    pub fn width(&self, state: &Known) -> u32 {
        match self {
            Frame::Around(_) => super::PHONE,
            Frame::Board | Frame::Whole => {
                let units = part(state, self, 0.0).width();
                (units * WHOLE_SCALE).clamp(1080.0, 4000.0) as u32
            }
        }
    }
}

/// How much of the neighbourhood is shown, in units of the map.
const MARGIN: f32 = 36.0;
/// The least width and height of a part of the board.
const LEAST: f32 = 420.0;
/// A part of the board is no slimmer and no flatter than this: width by height.
const SLIMMEST: f32 = 0.62;
const FLATTEST: f32 = 1.35;
/// A part of the board is not drawn smaller than this, in pixels a unit, unless its picture would be so many times as
/// wide as asked for.
const LEAST_SCALE: f32 = 0.9;
const WIDEST: f32 = 1.4;
/// How large the whole is drawn, in pixels a unit, where that is not too much.
const WHOLE_SCALE: f32 = 1.4;
/// The size of writing, in pixels for each pixel that a unit of the map takes, and its limits.
const WRITING: f32 = 15.0;
const SMALLEST: f32 = 15.0;
const LARGEST: f32 = 20.0;

/// A part of the board on paper.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    /// Where it lies on the board, in units of the map.
    pub part: Bounds,
    /// Pixels a unit.
    pub scale: f32,
    /// Where it lies in the picture, in pixels.
    pub paper: Bounds,
    /// The size of writing, in pixels.
    pub em: f32,
}

impl Window {
    /// Finds the part that a frame asks for, and lays it on paper of this width below a heading of this height.
    pub(crate) fn open(state: &Known, frame: &Frame, width: f32, heading: f32) -> Window {
        let part = part(state, frame, width);
        // What spreads far gets a wider picture rather than smaller pieces.
        let width = match frame {
            Frame::Board | Frame::Whole => width,
            Frame::Around(_) => (part.width() * LEAST_SCALE).clamp(width, width * WIDEST).round(),
        };
        let scale = width / part.width();
        let paper = Bounds { left: 0.0, top: heading, right: width, bottom: heading + (part.height() * scale).round() };
        Window { part, scale, paper, em: (WRITING * scale).clamp(SMALLEST, LARGEST) }
    }

    /// Where a place of the board lies in the picture.
    pub(crate) fn at(&self, [x, y]: Point) -> Point {
        [self.paper.left + (x - self.part.left) * self.scale, self.paper.top + (y - self.part.top) * self.scale]
    }

    /// Where a rectangle of the board lies in the picture.
    pub(crate) fn bounds(&self, of: &Bounds) -> Bounds {
        let ([left, top], [right, bottom]) = (self.at([of.left, of.top]), self.at([of.right, of.bottom]));
        Bounds { left, top, right, bottom }
    }
}

/// The part of the board that a frame asks for; `width` is how wide its picture is, in pixels.
fn part(state: &Known, frame: &Frame, width: f32) -> Bounds {
    let map = &state.printed().map;
    // A map of a casebook page has no drawing; it is empty paper.
    let board = Bounds { left: 0.0, top: 0.0, right: map.size[0].max(1.0), bottom: map.size[1].max(1.0) };
    let extents = |areas: &mut dyn Iterator<Item = AreaId>| -> Vec<Bounds> {
        areas.filter_map(|area| extent(map.area(area))).collect()
    };
    let all = |extents: Vec<Bounds>| extents.into_iter().reduce(|one, other| one.with(&other)).unwrap_or(board);
    match frame {
        Frame::Board => board,
        Frame::Whole => {
            let in_play = |area: &AreaId| map.area(*area).has_land() && !state.ground(*area).out_of_play;
            within(all(extents(&mut map.ids().filter(in_play))).grown(MARGIN), &board)
        }
        Frame::Around(areas) => {
            let mut known = areas.iter().copied().filter(|area| usize::from(area.0) < map.areas.len());
            let near = together(extents(&mut known), width * WIDEST / LEAST_SCALE - MARGIN * 2.0);
            within(shaped(all(near).grown(MARGIN)), &board)
        }
    }
}

/// The areas that concern a player: the player's pieces, and whatever changed beside them.
pub fn concerns(state: &Known, changes: &Changes, civ: Civ) -> BTreeSet<AreaId> {
    let map = &state.printed().map;
    let ships = state.is_seated(civ).then(|| state.holding(civ).ships.iter().map(|ship| ship.area));
    let mut own: BTreeSet<_> = state.areas_of(Owner::Civ(civ)).chain(ships.into_iter().flatten()).collect();
    own.extend(changes.of(Owner::Civ(civ)));
    let beside: Vec<_> =
        own.iter().flat_map(|area| map.area(*area).land.iter().chain(&map.area(*area).water)).collect();
    let near: Vec<_> = changes.areas().filter(|area| beside.contains(&area)).collect();
    own.extend(near);
    own
}

/// How far an area reaches: its land, and its ships; the sea around its name.
fn extent(area: &Area) -> Option<Bounds> {
    let land = area.land_outline.iter().flatten().flatten().copied();
    Bounds::of(land.chain(area.ship)).or_else(|| {
        let has_drawing = !area.water_outline.is_empty();
        has_drawing.then(|| Bounds::around(area.label, [area.radius, area.radius]))
    })
}

/// Those that fit into this width, as many as can be. Whoever wants to see the others asks for the whole map.
fn together(extents: Vec<Bounds>, width: f32) -> Vec<Bounds> {
    let from = |left: f32| extents.iter().filter(move |one| one.left >= left && one.right <= left + width);
    // The first of the best: `max_by_key` would take the last.
    let best = extents.iter().rev().max_by_key(|one| from(one.left).count());
    let near: Vec<_> = best.map_or(Vec::new(), |best| from(best.left).copied().collect());
    if near.is_empty() { extents } else { near }
}

/// The rectangle with a width, a height and a shape that suit a page.
fn shaped(part: Bounds) -> Bounds {
    let (width, height) = (part.width().max(LEAST), part.height().max(LEAST));
    let size = [width.max(height * SLIMMEST), height.max(width / FLATTEST)];
    Bounds::around(part.middle(), size)
}

/// The rectangle moved, and where it must be cut, to lie on the board.
fn within(part: Bounds, board: &Bounds) -> Bounds {
    let fit = |low: f32, high: f32, least: f32, most: f32| {
        let length = (high - low).min(most - least);
        let low = low.clamp(least, most - length);
        (low, low + length)
    };
    let (left, right) = fit(part.left, part.right, board.left, board.right);
    let (top, bottom) = fit(part.top, part.bottom, board.top, board.bottom);
    Bounds { left, top, right, bottom }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: Bounds = Bounds { left: 0.0, top: 0.0, right: 4000.0, bottom: 1400.0 };

    #[test]
    fn a_part_has_a_sensible_size_and_shape_and_lies_on_the_board() {
        let dot = within(shaped(Bounds::around([10.0, 10.0], [1.0, 1.0])), &BOARD);
        assert_eq!(dot, Bounds { left: 0.0, top: 0.0, right: LEAST, bottom: LEAST });
        let wide = within(shaped(Bounds::around([2000.0, 1390.0], [1350.0, 20.0])), &BOARD);
        assert_eq!(wide, Bounds { left: 1325.0, top: 400.0, right: 2675.0, bottom: 1400.0 });
        let dots = |places: &[f32]| places.iter().map(|x| Bounds::around([*x, 0.0], [2.0, 2.0])).collect::<Vec<_>>();
        assert_eq!(together(dots(&[0.0, 500.0, 550.0, 601.0, 700.0]), 110.0), dots(&[500.0, 550.0, 601.0]));
        assert_eq!(together(dots(&[0.0, 50.0]), 1.0), dots(&[0.0, 50.0]));
        let all = within(shaped(BOARD.grown(50.0)), &BOARD);
        assert_eq!(all, BOARD);
    }
}
