//! The plan: which area each small square of the window belongs to.

use super::bounds::{Bounds, Point};
use super::window::Pane;
use crate::rules::map::Outline;
use crate::rules::{AreaId, Map};

/// The side of a square, in pixels.
pub(crate) const CELL: f32 = 4.0;

/// What a square belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ground {
    /// The land of an area.
    Land(AreaId),
    /// The water of an area.
    Water(AreaId),
    /// Nothing that is drawn.
    Nothing,
}

/// The squares of a window.
#[derive(Debug)]
pub(crate) struct Plan {
    cells: Vec<Ground>,
    columns: usize,
    rows: usize,
    corner: Point,
}

/// A range of squares: columns and rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Squares {
    pub left: usize,
    pub top: usize,
    /// Behind the last column.
    pub right: usize,
    /// Behind the last row.
    pub bottom: usize,
}

impl Plan {
    /// Draws all areas into the squares.
    pub(crate) fn of(map: &Map, window: &Pane) -> Plan {
        let squares = |length: f32| (length / CELL).ceil() as usize;
        let (columns, rows) = (squares(window.paper.width()), squares(window.paper.height()));
        let corner = [window.paper.left, window.paper.top];
        let mut plan = Plan { cells: vec![Ground::Nothing; columns * rows], columns, rows, corner };
        for id in map.ids() {
            let area = map.area(id);
            area.drawing.land.iter().for_each(|part| plan.fill(part, window, Ground::Land(id)));
            area.drawing.water.iter().for_each(|part| plan.fill(part, window, Ground::Water(id)));
        }
        plan
    }

    /// The squares that a rectangle touches, as far as they lie in the window.
    pub(crate) fn squares(&self, bounds: &Bounds) -> Squares {
        let at = |x: f32, corner: f32, most: usize| (((x - corner) / CELL).max(0.0) as usize).min(most);
        let to = |x: f32, corner: f32, most: usize| (((x - corner) / CELL).max(0.0).ceil() as usize).min(most);
        Squares {
            left: at(bounds.left, self.corner[0], self.columns),
            top: at(bounds.top, self.corner[1], self.rows),
            right: to(bounds.right, self.corner[0], self.columns),
            bottom: to(bounds.bottom, self.corner[1], self.rows),
        }
    }

    /// What a square belongs to.
    pub(crate) fn cell(&self, column: usize, row: usize) -> Ground {
        self.cells[row * self.columns + column]
    }

    /// A place in the middle of a square.
    pub(crate) fn middle(&self, column: usize, row: usize) -> Point {
        [self.corner[0] + (column as f32 + 0.5) * CELL, self.corner[1] + (row as f32 + 0.5) * CELL]
    }

    /// Fills the squares whose middle lies in a part of an area: between an odd crossing of its rings and the next.
    fn fill(&mut self, part: &Outline, window: &Pane, ground: Ground) {
        let rings: Vec<Vec<Point>> =
            part.iter().map(|ring| ring.iter().map(|point| window.at(*point)).collect()).collect();
        let Some(bounds) = Bounds::of(rings.iter().flatten().copied()) else { return };
        let squares = self.squares(&bounds);
        let mut crossings = Vec::new();
        for row in squares.top..squares.bottom {
            let y = self.middle(0, row)[1];
            crossings.clear();
            for ring in &rings {
                let ends = ring.iter().zip(ring.iter().cycle().skip(1));
                crossings.extend(ends.filter(|(a, b)| (a[1] <= y) != (b[1] <= y)).map(|(a, b)| {
                    let part = (y - a[1]) / (b[1] - a[1]);
                    a[0] + (b[0] - a[0]) * part
                }));
            }
            crossings.sort_by(f32::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let column = |x: f32| ((x - self.corner[0]) / CELL - 0.5).ceil().max(0.0) as usize;
                let (from, to) = (column(pair[0]), column(pair[1]).min(self.columns));
                if from < to {
                    self.cells[row * self.columns + from..row * self.columns + to].fill(ground);
                }
            }
        }
    }
}
