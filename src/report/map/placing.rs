//! Placing: where a block goes, so that it lies in its area and on nothing else.
//!
//! Every square of the window has a price for a block of an area: its own ground is free, foreign land is dear. The best
//! place is the one with the lowest price that touches nothing placed before.

use super::bounds::{Bounds, Point, between, distance};
use super::plan::{CELL, Ground, Plan, Squares};
use crate::rules::{AreaId, AreaKind, Map};

/// What each kind of ground costs, in hundredths a square.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prices {
    /// The land of the area itself.
    pub own_land: u32,
    pub own_water: u32,
    pub sea: u32,
    /// The water of other areas.
    pub water: u32,
    /// The land of other areas.
    pub land: u32,
}

impl Prices {
    /// For names and pieces of an area with land.
    pub(crate) const ASHORE: Prices = Prices { own_land: 0, own_water: 40, sea: 60, water: 90, land: 260 };
    pub(crate) const AFLOAT: Prices = Prices { own_land: 55, own_water: 0, sea: 60, water: 130, land: 300 };
    /// For the name of a sea.
    pub(crate) const SEA: Prices = Prices { own_land: 0, own_water: 0, sea: 110, water: 110, land: 400 };
}

/// The rectangles that are taken, each in the tiles it touches.
#[derive(Debug)]
pub(crate) struct Taken {
    tiles: Vec<Vec<Bounds>>,
    columns: usize,
    rows: usize,
    paper: Bounds,
}

/// The side of a tile, in pixels.
const TILE: f32 = 64.0;

impl Taken {
    /// Nothing is taken, but nothing may leave the paper.
    pub(crate) fn new(paper: Bounds) -> Taken {
        let tiles = |length: f32| (length / TILE) as usize + 1;
        let (columns, rows) = (tiles(paper.width()), tiles(paper.height()));
        Taken { tiles: vec![Vec::new(); columns * rows], columns, rows, paper }
    }

    pub(crate) fn take(&mut self, bounds: Bounds) {
        for tile in self.tiles(&bounds).collect::<Vec<_>>() {
            self.tiles[tile].push(bounds);
        }
    }

    /// Whether a rectangle is free.
    pub(crate) fn is_free(&self, bounds: &Bounds) -> bool {
        self.tiles(bounds).all(|tile| self.tiles[tile].iter().all(|taken| !taken.overlaps(bounds)))
    }

    /// Whether a thin line from one place to another touches nothing.
    fn is_line_free(&self, from: Point, to: Point) -> bool {
        let steps = (distance(from, to) / 4.0).ceil().max(1.0) as u32;
        (0..=steps).all(|step| {
            let at = between(from, to, step as f32 / steps as f32);
            self.is_free(&Bounds::around(at, [2.0, 2.0]))
        })
    }

    fn tiles(&self, bounds: &Bounds) -> impl Iterator<Item = usize> + use<> {
        let tile = |x: f32, corner: f32, most: usize| (((x - corner) / TILE).max(0.0) as usize).min(most - 1);
        let (left, right) = [bounds.left, bounds.right].map(|x| tile(x, self.paper.left, self.columns)).into();
        let (top, bottom) = [bounds.top, bounds.bottom].map(|y| tile(y, self.paper.top, self.rows)).into();
        let columns = self.columns;
        (top..=bottom).flat_map(move |row| (left..=right).map(move |column| row * columns + column))
    }
}

/// A place that was found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FreePlace {
    pub bounds: Bounds,
    pub price: f32,
    /// Whether it lies away from its area, so that a line must lead there.
    pub away: bool,
}

/// What a block may cost, and how far it may go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search {
    /// Where it would best be.
    pub anchor: Point,
    /// What a pixel away from the anchor costs.
    pub distance: f32,
    /// Places that cost more are not taken.
    pub limit: f32,
    /// The space that is kept free around it.
    pub space: f32,
    /// Whether it must touch its own area.
    pub touches: bool,
}

/// The squares around an area with their prices.
#[derive(Debug)]
pub(crate) struct Prospect<'a> {
    plan: &'a Plan,
    area: AreaId,
    squares: Squares,
    /// Sums of the prices of all squares above and to the left.
    sums: Vec<u32>,
    /// The same of how many squares are of the area itself.
    own: Vec<u32>,
}

impl<'a> Prospect<'a> {
    /// Prices the squares of a rectangle.
    pub(crate) fn new(plan: &'a Plan, map: &Map, area: AreaId, bounds: &Bounds, prices: &Prices) -> Prospect<'a> {
        let squares = plan.squares(bounds);
        let (columns, rows) = (squares.right - squares.left, squares.bottom - squares.top);
        let mut sums = vec![0; (columns + 1) * (rows + 1)];
        let mut own = sums.clone();
        for row in 0..rows {
            let (mut line, mut own_line) = (0, 0);
            for column in 0..columns {
                let ground = plan.cell(squares.left + column, squares.top + row);
                own_line += u32::from(matches!(ground, Ground::Land(here) | Ground::Water(here) if here == area));
                line += match ground {
                    Ground::Land(here) if here == area => prices.own_land,
                    Ground::Water(here) if here == area => prices.own_water,
                    Ground::Water(here) if map.area(here).kind == AreaKind::OpenSea => prices.sea,
                    Ground::Water(_) | Ground::Nothing => prices.water,
                    Ground::Land(_) => prices.land,
                };
                let (above, here) = (row * (columns + 1) + column + 1, (row + 1) * (columns + 1) + column + 1);
                sums[here] = sums[above] + line;
                own[here] = own[above] + own_line;
            }
        }
        Prospect { plan, area, squares, sums, own }
    }

    /// The best free place for a block of this size.
    pub(crate) fn best(&self, size: [f32; 2], search: &Search, taken: &Taken) -> Option<FreePlace> {
        let mut best: Option<FreePlace> = None;
        let Squares { left, top, right, bottom } = self.squares;
        // How many squares a block takes on each side of the one its middle lies in the middle of.
        let [wide, high] = size.map(|length| (length / CELL / 2.0 - 0.5).max(0.0).ceil() as usize);
        // Large areas have places enough a few squares apart.
        let step = ((right - left).max(bottom - top) / 40).max(1);
        for row in (top + high..bottom.saturating_sub(high)).step_by(step) {
            for column in (left + wide..right.saturating_sub(wide)).step_by(step) {
                let middle = self.plan.middle(column, row);
                let squares =
                    Squares { left: column - wide, top: row - high, right: column + wide + 1, bottom: row + high + 1 };
                let price = self.price(squares) + distance(middle, search.anchor) * search.distance;
                let is_better = |price: f32| price <= search.limit && best.is_none_or(|best| price < best.price);
                if !is_better(price) || search.touches && self.total(&self.own, squares) == 0 {
                    continue;
                }
                let away = match self.plan.cell(column, row) {
                    Ground::Land(here) | Ground::Water(here) => here != self.area,
                    Ground::Nothing => true,
                };
                let price = if away { price + AWAY } else { price };
                let bounds = Bounds::around(middle, size);
                let spaced = bounds.grown(search.space);
                if is_better(price)
                    && taken.paper.holds(&spaced)
                    && taken.is_free(&spaced)
                    && (!away || taken.is_line_free(bounds.nearest(search.anchor), search.anchor))
                {
                    best = Some(FreePlace { bounds, price, away });
                }
            }
        }
        best
    }

    /// What these squares cost on average, in whole units.
    fn price(&self, squares: Squares) -> f32 {
        let Squares { left, top, right, bottom } = squares;
        self.total(&self.sums, squares) as f32 / (100 * (right - left) * (bottom - top)) as f32
    }

    /// What these squares come to.
    fn total(&self, sums: &[u32], Squares { left, top, right, bottom }: Squares) -> u32 {
        let columns = self.squares.right - self.squares.left + 1;
        let sum = |column: usize, row: usize| sums[(row - self.squares.top) * columns + column - self.squares.left];
        sum(right, bottom) + sum(left, top) - sum(left, bottom) - sum(right, top)
    }
}

/// What it costs to lie away from the own area.
const AWAY: f32 = 0.5;

/// The rectangle of a window in which a block of an area may be looked for.
pub(crate) fn region(own: &Bounds, paper: &Bounds, reach: f32) -> Bounds {
    let grown = own.grown(reach);
    Bounds {
        left: grown.left.max(paper.left),
        top: grown.top.max(paper.top),
        right: grown.right.min(paper.right).max(paper.left + CELL),
        bottom: grown.bottom.min(paper.bottom).max(paper.top + CELL),
    }
}
