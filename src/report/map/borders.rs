//! Borders: the outlines of the areas with their corners rounded, each drawn once.
//!
//! Neighbours share the points of their outlines. A point where exactly two edges meet lies on one border and may be
//! rounded: both neighbours see the same three points there, so their common border stays common. A point where more
//! meet, or one on the edge of the board, stays where it is.

use std::collections::{HashMap, HashSet};

use super::bounds::{Bounds, Point, between};
use super::ink::{Ink, Px};
use super::window::Pane;
use crate::rules::map::Outline;
use crate::rules::{AreaId, Map};

/// A point of the outlines, in tenths of a unit.
type Knot = (i32, i32);

/// What lies on one side of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The land of an area.
    Land(AreaId),
    /// The water of an area.
    Water(AreaId),
}

/// What kind of border an edge belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Border {
    /// Land and water meet.
    Coast,
    Land,
    Water,
    /// The edge of the board.
    Edge,
}

/// The outlines that can be seen.
#[derive(Debug)]
pub(crate) struct Borders<'a> {
    parts: Vec<(Side, &'a Outline)>,
    corners: HashSet<Knot>,
    sides: HashMap<(Knot, Knot), Vec<Side>>,
    window: &'a Pane,
}

impl<'a> Borders<'a> {
    /// Finds what meets where, for all outlines that reach into the window.
    pub(crate) fn of(map: &'a Map, window: &'a Pane) -> Borders<'a> {
        let is_seen = |part: &&Outline| {
            let bounds = Bounds::of(part.iter().flatten().copied());
            bounds.is_some_and(|bounds| bounds.grown(1.0).overlaps(&window.part))
        };
        let parts: Vec<_> = map
            .ids()
            .flat_map(|id| {
                let land = map.area(id).drawing.land.iter().filter(is_seen).map(move |part| (Side::Land(id), part));
                let water = map.area(id).drawing.water.iter().filter(is_seen).map(move |part| (Side::Water(id), part));
                land.chain(water)
            })
            .collect();
        let mut sides: HashMap<_, Vec<Side>> = HashMap::new();
        let mut meeting: HashMap<Knot, u8> = HashMap::new();
        for (side, part) in &parts {
            for ring in part.iter().map(|ring| knots(ring)).filter(|ring| ring.len() > 2) {
                for (one, other) in edges(&ring) {
                    let here = sides.entry(edge(one, other)).or_default();
                    if here.is_empty() {
                        *meeting.entry(one).or_default() += 1;
                        *meeting.entry(other).or_default() += 1;
                    }
                    here.push(*side);
                }
            }
        }
        let [right, bottom] = map.size.map(tenths);
        let on_edge = |(x, y): Knot| x <= 0 || y <= 0 || x >= right || y >= bottom;
        let corners = meeting.into_iter().filter(|(knot, met)| *met != 2 || on_edge(*knot));
        Borders { parts, corners: corners.map(|(knot, _)| knot).collect(), sides, window }
    }

    /// All parts that can be seen.
    pub(crate) fn sides(&self) -> impl Iterator<Item = Side> {
        self.parts.iter().map(|(side, _)| *side)
    }

    /// The outlines of all parts that are wanted, as the data of a path.
    pub(crate) fn areas(&self, wanted: impl Fn(Side) -> bool) -> String {
        let mut ink = Ink::default();
        for (_, part) in self.parts.iter().filter(|(side, _)| wanted(*side)) {
            for ring in part.iter().map(|ring| knots(ring)).filter(|ring| ring.len() > 2) {
                self.start(&mut ink, middle(ring[ring.len() - 1], ring[0]));
                for (at, here) in ring.iter().enumerate() {
                    self.round(&mut ink, *here, ring[(at + 1) % ring.len()]);
                }
                ink.put(format_args!("Z"));
            }
        }
        ink.0
    }

    /// All borders of a kind, as the data of a path. Each is drawn once.
    pub(crate) fn lines(&self, wanted: impl Fn(Border, &[Side]) -> bool) -> String {
        let mut ink = Ink::default();
        let mut drawn = HashSet::new();
        for (_, part) in &self.parts {
            for ring in part.iter().map(|ring| knots(ring)).filter(|ring| ring.len() > 2) {
                // A ring without a corner is one border; it begins anywhere.
                let first = ring.iter().position(|knot| self.corners.contains(knot));
                let (start, is_ring) = (first.unwrap_or(0), first.is_none());
                let at = |step: usize| ring[(start + step) % ring.len()];
                let mut step = 0;
                while step < ring.len() {
                    let length = (1..ring.len() - step).find(|more| self.corners.contains(&at(step + more)));
                    let length = length.unwrap_or(ring.len() - step);
                    let here = edge(at(step), at(step + 1));
                    let sides = &self.sides[&here];
                    if !drawn.contains(&here) && wanted(border(sides), sides) {
                        drawn.extend((step..step + length).map(|step| edge(at(step), at(step + 1))));
                        self.line(&mut ink, (step..=step + length).map(at), is_ring);
                    }
                    step += length;
                }
            }
        }
        ink.0
    }

    /// A border from knot to knot.
    fn line(&self, ink: &mut Ink, knots: impl Iterator<Item = Knot>, is_ring: bool) {
        let knots: Vec<_> = knots.collect();
        let inner = &knots[1..knots.len() - 1];
        if is_ring {
            self.start(ink, middle(knots[0], knots[1]));
            for (at, here) in inner.iter().enumerate() {
                self.round(ink, *here, knots[at + 2]);
            }
            self.round(ink, knots[0], knots[1]);
            return;
        }
        self.start(ink, place(knots[0]));
        for (at, here) in inner.iter().enumerate() {
            self.round(ink, *here, knots[at + 2]);
        }
        self.put(ink, "L", &[place(knots[knots.len() - 1])]);
    }

    fn start(&self, ink: &mut Ink, at: Point) {
        self.put(ink, "M", &[at]);
    }

    /// Goes past a knot to the middle of the edge behind it.
    fn round(&self, ink: &mut Ink, here: Knot, next: Knot) {
        if self.corners.contains(&here) {
            self.put(ink, "L", &[place(here), middle(here, next)])
        } else {
            self.put(ink, "Q", &[place(here), middle(here, next)])
        }
    }

    fn put(&self, ink: &mut Ink, sign: &str, points: &[Point]) {
        ink.put(format_args!("{sign}"));
        for (at, point) in points.iter().enumerate() {
            let [x, y] = self.window.at(*point);
            ink.put(format_args!("{}{} {}", if at > 0 { " " } else { "" }, Px(x), Px(y)));
        }
    }
}

fn border(sides: &[Side]) -> Border {
    match sides {
        [Side::Land(_), Side::Land(_)] => Border::Land,
        [Side::Water(_), Side::Water(_)] => Border::Water,
        [Side::Land(_), Side::Water(_)] | [Side::Water(_), Side::Land(_)] => Border::Coast,
        _ => Border::Edge,
    }
}

fn tenths(length: f32) -> i32 {
    (length * 10.0).round() as i32
}

fn knot([x, y]: Point) -> Knot {
    (tenths(x), tenths(y))
}

fn place((x, y): Knot) -> Point {
    [x as f32 / 10.0, y as f32 / 10.0]
}

fn middle(one: Knot, other: Knot) -> Point {
    between(place(one), place(other), 0.5)
}

/// An edge, whichever way it is gone.
fn edge(one: Knot, other: Knot) -> (Knot, Knot) {
    if one <= other { (one, other) } else { (other, one) }
}

/// The knots of a ring, each once.
fn knots(ring: &[Point]) -> Vec<Knot> {
    let mut knots: Vec<_> = ring.iter().map(|point| knot(*point)).collect();
    knots.dedup();
    if knots.len() > 1 && knots.first() == knots.last() {
        knots.pop();
    }
    knots
}

fn edges(ring: &[Knot]) -> impl Iterator<Item = (Knot, Knot)> {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}
