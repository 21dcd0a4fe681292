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
                let units = parts(state, self).first().map_or(1.0, Bounds::width);
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
/// A part of the board is not drawn smaller than this on a phone's paper, in pixels a unit. What spreads farther is
/// drawn as two parts, one below the other, and larger, for then they can be.
const LEAST_SCALE: f32 = 0.88;
const SCALE_OF_TWO: f32 = 1.05;
/// The space between two parts, as a part of the width.
const BETWEEN: f32 = 0.012;
/// How large the whole is drawn, in pixels a unit, where that is not too much.
const WHOLE_SCALE: f32 = 1.4;
/// The size of writing on the whole, in pixels for each pixel that a unit of the map takes, and its limits.
const WRITING: f32 = 15.0;
const SMALLEST: f32 = 15.0;
const LARGEST: f32 = 20.0;
/// The size of writing on a part, in pixels on a phone's paper. Such a picture is shown at half its size, on the 358 pixels
/// that a letter leaves of a phone's 390; the smallest name, at [`Pane::sizes`], is 8 pixels high there.
const ON_A_PHONE: f32 = 20.2;
/// Sizes of names that are tried, as parts of the size of writing: on the whole, which people enlarge, and on a part.
const SIZES: [f32; 3] = [1.0, 0.89, 0.79];
const SIZES_ON_A_PHONE: [f32; 3] = [1.0, 0.9, 0.8];
/// The same for pieces that find little room.
const PIECE_SIZES: [f32; 4] = [1.0, 0.9, 0.8, 0.7];
const PIECE_SIZES_ON_A_PHONE: [f32; 4] = [1.0, 0.95, 0.9, 0.85];

/// A part of the board on paper.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pane {
    /// Where it lies on the board, in units of the map.
    pub part: Bounds,
    pub scale: f32,
    /// Where it lies in the picture, in pixels.
    pub paper: Bounds,
    /// The size of writing, in pixels.
    pub em: f32,
    /// Whether it shows the whole, which is made to be enlarged.
    is_whole: bool,
}

impl Pane {
    /// Lays what a frame asks for on paper of this width below a heading of this height: one part of the board, or two,
    /// one below the other, where it is scattered.
    pub(crate) fn open(state: &Known, frame: &Frame, width: f32, heading: f32) -> Vec<Pane> {
        let (em, is_whole) = match frame {
            Frame::Board | Frame::Whole => (None, true),
            Frame::Around(_) => (Some(ON_A_PHONE * width / super::PHONE as f32), false),
        };
        let mut top = heading;
        let windows = parts(state, frame).into_iter().map(|part| {
            let scale = width / part.width();
            let paper = Bounds { left: 0.0, top, right: width, bottom: top + (part.height() * scale).round() };
            top = paper.bottom + (width * BETWEEN).round();
            Pane { part, scale, paper, em: em.unwrap_or((WRITING * scale).clamp(SMALLEST, LARGEST)), is_whole }
        });
        windows.collect()
    }

    /// All that is in play, without a heading.
    pub(crate) fn whole(state: &Known) -> Pane {
        let width = Frame::Whole.width(state) as f32;
        Pane::open(state, &Frame::Whole, width, 0.0).swap_remove(0)
    }

    /// The sizes of names that are tried, as parts of the size of writing.
    pub(crate) fn sizes(&self) -> [f32; 3] {
        if self.is_whole { SIZES } else { SIZES_ON_A_PHONE }
    }

    /// The same for pieces.
    pub(crate) fn piece_sizes(&self) -> [f32; 4] {
        if self.is_whole { PIECE_SIZES } else { PIECE_SIZES_ON_A_PHONE }
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

/// The parts of the board that a frame asks for, the fullest first.
fn parts(state: &Known, frame: &Frame) -> Vec<Bounds> {
    let map = &state.printed().map;
    // A map of a casebook page has no drawing; it is empty paper.
    let board = Bounds { left: 0.0, top: 0.0, right: map.size[0].max(1.0), bottom: map.size[1].max(1.0) };
    let all = |extents: Vec<Bounds>| extents.into_iter().reduce(|one, other| one.with(&other)).unwrap_or(board);
    match frame {
        Frame::Board => vec![board],
        Frame::Whole => {
            let in_play = |area: &AreaId| map.area(*area).has_land() && !state.ground(*area).out_of_play;
            let extents = map.ids().filter(in_play).filter_map(|area| extent(map.area(area)));
            vec![within(all(extents.collect()).grown(MARGIN), &board)]
        }
        Frame::Around(areas) => {
            let known = areas.iter().copied().filter(|area| usize::from(area.0) < map.areas.len());
            let (own, is_player) = (held(state), state.civ().is_some());
            let extents: Vec<Extent> =
                known.filter_map(|area| Some((extent(map.area(area))?, own.contains(&area)))).collect();
            let room = |scale: f32| {
                let widest = super::PHONE as f32 / scale - MARGIN * 2.0;
                [widest, widest / SLIMMEST]
            };
            let (first, left) = together(extents.clone(), room(LEAST_SCALE));
            let room = room(SCALE_OF_TWO);
            let (first, left) = if left.is_empty() { (first, left) } else { together(extents, room) };
            // A second part is for what the reader has there.
            let (second, _) = together(left, room);
            let second = Some(second).filter(|second| second.iter().any(|(_, own)| *own || !is_player));
            let shown = std::iter::once(first).chain(second);
            let bounds = shown.map(|part| all(part.into_iter().map(|(extent, _)| extent).collect()));
            bounds.map(|part| within(shaped(part.grown(MARGIN)), &board)).collect()
        }
    }
}

/// The areas where a reader has tokens, a city or ships.
fn held(state: &Known) -> BTreeSet<AreaId> {
    let civ = state.civ().filter(|civ| state.is_seated(*civ));
    let pieces = |civ: Civ| {
        let ships = state.holding(civ).ships.iter().map(|ship| ship.area);
        state.areas_of(Owner::Civ(civ)).chain(ships).collect()
    };
    civ.map(pieces).unwrap_or_default()
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
    let land = area.drawing.land.iter().flatten().flatten().copied();
    Bounds::of(land.chain(area.drawing.ship)).or_else(|| {
        let has_drawing = !area.drawing.water.is_empty();
        has_drawing.then(|| Bounds::around(area.drawing.label, [area.drawing.radius, area.drawing.radius]))
    })
}

/// How far an area reaches, and whether the reader has something there.
type Extent = (Bounds, bool);

/// Those that fit into this room, as many as can be and own ones before others, and those that do not. Whoever wants to
/// see what two parts do not show asks for the whole map.
fn together(extents: Vec<Extent>, [width, height]: [f32; 2]) -> (Vec<Extent>, Vec<Extent>) {
    let fits = |left: f32, top: f32, one: &Bounds| {
        one.left >= left && one.right <= left + width && one.top >= top && one.bottom <= top + height
    };
    let weight = |left: f32, top: f32| {
        let inside = extents.iter().filter(|(one, _)| fits(left, top, one));
        inside.map(|(_, own)| if *own { 3 } else { 1 }).sum::<u32>()
    };
    let corners = extents.iter().flat_map(|(one, _)| extents.iter().map(|(other, _)| (one.left, other.top)));
    let corners: Vec<(f32, f32)> = corners.collect();
    // The first of the best: `max_by_key` would take the last.
    match corners.into_iter().rev().max_by_key(|(left, top)| weight(*left, *top)).filter(|(x, y)| weight(*x, *y) > 0) {
        Some((left, top)) => extents.into_iter().partition(|(one, _)| fits(left, top, one)),
        None => (extents, Vec::new()),
    }
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
        let dot = |x: &f32, own: bool| (Bounds::around([*x, 0.0], [2.0, 2.0]), own);
        let dots = |places: &[f32]| places.iter().map(|x| dot(x, false)).collect::<Vec<_>>();
        let room = [110.0, 50.0];
        let (near, far) = together(dots(&[0.0, 500.0, 550.0, 601.0, 700.0]), room);
        assert_eq!((near, far), (dots(&[500.0, 550.0, 601.0]), dots(&[0.0, 700.0])));
        assert_eq!(together(dots(&[0.0, 50.0]), [1.0, 1.0]), (dots(&[0.0, 50.0]), Vec::new()));
        let (near, _) = together(vec![dot(&0.0, false), dot(&50.0, false), dot(&500.0, true)], room);
        assert_eq!(near, [dot(&500.0, true)], "what is one's own comes first");
        let all = within(shaped(BOARD.grown(50.0)), &BOARD);
        assert_eq!(all, BOARD);
    }
}
