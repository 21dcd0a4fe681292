//! The layout: where everything goes that is written or stands on the map.
//!
//! Pieces come first, with the name of their area above them where both fit; then ships; then the other names, the most
//! important and the narrowest areas first. Names that find no room in their area go beside it with a line, and those
//! that find none there are left out; pieces never are.

use std::collections::{BTreeMap, BTreeSet};

use super::block::{Block, Part, Style};
use super::bounds::{Bounds, Point, distance};
use super::changes::Changes;
use super::colours::Liveries;
use super::font;
use super::ink::{Ink, Px};
use super::pieces::{Piece, standing};
use super::placing::{FreePlace, Prices, Prospect, Search, Taken, region};
use super::plan::{Ground, Plan};
use super::terrain;
use super::window::Pane;
use super::words::Words;
use crate::game::Known;
use crate::rules::{AreaId, AreaKind};

/// What a name and its pieces may cost together.
const TOGETHER: f32 = 0.42;
/// What a name in its area may cost, and one beside it.
const INSIDE: f32 = 0.75;
const BESIDE: f32 = 1.75;
/// What pieces may cost.
const PIECES: f32 = 4.0;
/// So many places in a row are tried around the middle of an area where everything is taken.
const ASIDE: u16 = 41;
/// What pieces or a name may cost in an area whose middle is not on the paper.
const AT_THE_EDGE: f32 = 0.3;
/// What each further way to write or lay out a block costs.
const SECOND_BEST: f32 = 0.035;

/// How wide the light around a name is, as a part of the size of writing.
const HALO: f32 = 0.2;

/// Everything that was placed.
#[derive(Debug)]
pub(crate) struct Layout {
    spots: Vec<Spot>,
    volcanoes: Vec<Point>,
    taken: Taken,
}

/// A block with its place.
#[derive(Debug)]
struct Spot {
    area: AreaId,
    style: Style,
    block: Block,
    bounds: Bounds,
    /// Where a line leads, if the block lies beside its area.
    leads_to: Option<Point>,
}

/// Something placed: what and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    pub area: AreaId,
    pub bounds: Bounds,
}

/// What the layout looks at.
pub(crate) struct Scene<'a> {
    pub state: &'a Known,
    pub changes: &'a Changes,
    /// Where it is seen.
    pub window: &'a Pane,
    /// How it is named.
    pub words: Words<'a>,
    /// How it is painted.
    pub liveries: &'a Liveries,
    /// The areas that matter most.
    pub focus: &'a BTreeSet<AreaId>,
}

/// An area as it is seen.
struct Seen {
    id: AreaId,
    /// The part of the paper that it covers.
    bounds: Bounds,
    /// Where its name and its pieces would best be, and its ships.
    anchor: Point,
    harbour: Point,
    style: Style,
    /// Whether its middle is on the paper.
    is_whole: bool,
    radius: f32,
}

impl Layout {
    pub(crate) fn of(scene: &Scene) -> Layout {
        let map = &scene.state.printed().map;
        let plan = Plan::of(map, scene.window);
        let mut seen: Vec<_> = map.ids().filter_map(|id| see(scene, &plan, id)).collect();
        // The narrowest first, for they have the least choice; what matters before what does not.
        seen.sort_by(|one, other| {
            let key = |seen: &Seen| (seen.style, !scene.focus.contains(&seen.id));
            key(one).cmp(&key(other)).then(one.radius.total_cmp(&other.radius)).then(one.id.cmp(&other.id))
        });
        let mut layout = Layout { spots: Vec::new(), volcanoes: Vec::new(), taken: Taken::new(scene.window.paper) };
        layout.raise_volcanoes(scene);
        let stands: BTreeMap<_, _> =
            seen.iter().map(|seen| (seen.id, standing(scene.state, scene.changes, seen.id))).collect();
        let mut named = BTreeSet::new();
        for seen in &seen {
            let ashore = &stands[&seen.id].ashore;
            if !ashore.is_empty() {
                let is_named = layout.settle(scene, &plan, seen, ashore);
                named.extend(is_named.then_some(seen.id));
            }
        }
        for seen in &seen {
            let afloat = &stands[&seen.id].afloat;
            if !afloat.is_empty() {
                layout.launch(scene, &plan, seen, afloat);
            }
        }
        for seen in seen.iter().filter(|seen| !named.contains(&seen.id)) {
            layout.name(scene, &plan, seen);
        }
        layout
    }

    /// The names that were placed.
    pub(crate) fn names(&self) -> Vec<Placed> {
        let names = self.spots.iter().filter(|spot| spot.block.has_name());
        names.map(|spot| Placed { area: spot.area, bounds: spot.bounds }).collect()
    }

    /// The size of the smallest name.
    pub(crate) fn smallest(&self) -> Option<f32> {
        self.spots.iter().filter_map(|spot| spot.block.name_size()).reduce(f32::min)
    }

    /// The pieces that were placed: those on land, or the ships.
    pub(crate) fn pieces(&self, afloat: bool) -> Vec<Placed> {
        let spots = self.spots.iter().filter(|spot| spot.block.is_afloat() == afloat);
        spots.filter_map(|spot| Some(Placed { area: spot.area, bounds: spot.block.pieces_in(&spot.bounds)? })).collect()
    }

    /// Where the pieces of each area stand, with the name if it is in one block with them.
    pub(crate) fn blocks(&self, afloat: bool) -> BTreeMap<AreaId, Bounds> {
        let spots = self.spots.iter().filter(|spot| spot.block.is_afloat() == afloat);
        spots.filter(|spot| spot.block.has_pieces()).map(|spot| (spot.area, spot.bounds)).collect()
    }

    /// Takes a rectangle if it is free.
    pub(crate) fn claim(&mut self, bounds: Bounds) -> bool {
        let is_free = self.taken.is_free(&bounds);
        if is_free {
            self.taken.take(bounds);
        }
        is_free
    }

    /// Draws names and what is printed beside them.
    pub(crate) fn draw_names(&self, ink: &mut Ink, scene: &Scene) {
        for position in &self.volcanoes {
            terrain::volcano(ink, *position, scene.window.em);
        }
        self.draw_leads(ink);
        for style in [Style::Far, Style::Sea, Style::Land] {
            let (_, fill, glow) = paint(style);
            let spots = || self.spots.iter().filter(|spot| spot.style == style);
            let mut halo = Ink::default();
            spots().for_each(|spot| spot.block.draw(&mut halo, scene.liveries, &spot.bounds, Part::Halo));
            if !halo.0.is_empty() {
                ink.put(format_args!(
                    "<path d=\"{}\" fill=\"none\" stroke=\"{glow}\" stroke-opacity=\"0.85\" stroke-width=\"{}\" stroke-linejoin=\"bevel\"/>",
                    halo.0,
                    Px(scene.window.em * HALO),
                ));
            }
            ink.put(format_args!("<g fill=\"{fill}\">"));
            spots().for_each(|spot| spot.block.draw(ink, scene.liveries, &spot.bounds, Part::Names));
            ink.put(format_args!("</g>"));
        }
        for spot in &self.spots {
            spot.block.draw(ink, scene.liveries, &spot.bounds, Part::Marks);
        }
    }

    /// Draws the blocks one by one, each with the mark of its area.
    pub(crate) fn draw_by_area(&self, ink: &mut Ink, scene: &Scene) {
        for position in &self.volcanoes {
            terrain::volcano(ink, *position, scene.window.em);
        }
        ink.put(format_args!("<g class=\"leads\">"));
        self.draw_leads(ink);
        ink.put(format_args!("</g>"));
        for spot in &self.spots {
            let (class, fill, glow) = paint(spot.style);
            let mark = match spot.style {
                Style::Land | Style::Sea => format!(" data-area=\"{}\"", spot.area.0),
                Style::Far => String::new(),
            };
            ink.put(format_args!("<g class=\"spot {class}\"{mark}>"));
            if spot.block.has_name() {
                // Browsers paint the light below the letters by themselves; it is told in units of the font.
                ink.put(format_args!(
                    "<g class=\"name\" fill=\"{fill}\" stroke=\"{glow}\" stroke-width=\"{}\" stroke-linejoin=\"bevel\" paint-order=\"stroke\">",
                    Px(HALO * font::UNITS)
                ));
                spot.block.draw(ink, scene.liveries, &spot.bounds, Part::Names);
                ink.put(format_args!("</g>"));
                spot.block.draw(ink, scene.liveries, &spot.bounds, Part::Marks);
            }
            if spot.block.has_pieces() {
                ink.put(format_args!("<g class=\"pieces\">"));
                spot.block.draw(ink, scene.liveries, &spot.bounds, Part::Pieces);
                ink.put(format_args!("</g>"));
            }
            ink.put(format_args!("</g>"));
        }
    }

    pub(crate) fn draw_pieces(&self, ink: &mut Ink, scene: &Scene) {
        for spot in &self.spots {
            spot.block.draw(ink, scene.liveries, &spot.bounds, Part::Pieces);
        }
    }

    /// Draws the lines that lead from blocks to their areas.
    fn draw_leads(&self, ink: &mut Ink) {
        for (spot, to) in self.spots.iter().filter_map(|spot| Some((spot, spot.leads_to?))) {
            let from = spot.bounds.nearest(to);
            ink.put(format_args!(
                "<path d=\"M{} {}L{} {}\" stroke=\"#fffaf0\" stroke-width=\"2.6\" stroke-opacity=\"0.8\"/>",
                Px(from[0]),
                Px(from[1]),
                Px(to[0]),
                Px(to[1]),
            ));
            ink.put(format_args!(
                "<path d=\"M{} {}L{} {}\" stroke=\"#5b4c38\" stroke-width=\"1\"/><circle cx=\"{}\" cy=\"{}\" r=\"2.2\" fill=\"#5b4c38\"/>",
                Px(from[0]),
                Px(from[1]),
                Px(to[0]),
                Px(to[1]),
                Px(to[0]),
                Px(to[1]),
            ));
        }
    }

    fn raise_volcanoes(&mut self, scene: &Scene) {
        let em = scene.window.em;
        for volcano in &scene.state.printed().map.volcanoes {
            let sleeps = volcano.areas.iter().all(|area| scene.state.ground(*area).out_of_play);
            let Some(position) = volcano.position.filter(|_| !sleeps) else { continue };
            let at = scene.window.at(position);
            let bounds = Bounds::around(at, [em * 0.9, em]);
            if scene.window.paper.holds(&bounds) {
                self.taken.take(bounds);
                self.volcanoes.push(at);
            }
        }
    }

    /// Places pieces on land, with the name if both fit. Says whether they did.
    fn settle(&mut self, scene: &Scene, plan: &Plan, seen: &Seen, pieces: &[Piece]) -> bool {
        let (map, em) = (&scene.state.printed().map, scene.window.em);
        let name = scene.words.area(seen.id);
        let near = region(&seen.bounds, &scene.window.paper, em * 0.6);
        let prospect = Prospect::new(plan, map, seen.id, &near, &Prices::ASHORE);
        let search = Search {
            anchor: seen.anchor,
            distance: 0.25 / (em * 5.0),
            limit: TOGETHER,
            space: em * 0.08,
            touches: false,
        };
        for size in scene.window.sizes() {
            let names = Block::names(name, map.area(seen.id), seen.style, em * size);
            let stands = Block::pieces(pieces, scene.liveries, em * size);
            let both = names.iter().flat_map(|name| stands.iter().map(|pieces| name.above(pieces)));
            if let Some((block, place)) = best_of(both, &prospect, &search, &self.taken) {
                self.put(seen, block, place, None);
                return true;
            }
        }
        if let Some((block, place)) =
            self.pieces_alone(scene, plan, seen, pieces, (&Prices::ASHORE, seen.anchor, false))
        {
            self.put(seen, block, place, place.away.then_some(seen.anchor));
        }
        false
    }

    /// The best place for pieces without a name. Whatever stands at the edge of the paper may be cut off; the others
    /// stand upon something else if they must.
    fn pieces_alone(
        &self,
        scene: &Scene,
        plan: &Plan,
        seen: &Seen,
        pieces: &[Piece],
        (prices, anchor, touches): (&Prices, Point, bool),
    ) -> Option<(Block, FreePlace)> {
        let (map, em) = (&scene.state.printed().map, scene.window.em);
        let mut found: Option<(Block, FreePlace)> = None;
        let (most, reaches) = if seen.is_whole { (PIECES, &[3.5, 9.0][..]) } else { (AT_THE_EDGE, &[0.0][..]) };
        for reach in reaches {
            let near = region(&seen.bounds, &scene.window.paper, em * reach);
            let prospect = Prospect::new(plan, map, seen.id, &near, prices);
            for size in scene.window.piece_sizes() {
                let limit = found.as_ref().map_or(most, |(_, place)| place.price - 0.25);
                let search = Search { anchor, distance: 0.25 / (em * 5.0), limit, space: em * 0.06, touches };
                let stands = Block::pieces(pieces, scene.liveries, em * size);
                found = best_of(stands.into_iter(), &prospect, &search, &self.taken).or(found);
                if found.as_ref().is_some_and(|(_, place)| place.price < 0.6) {
                    return found;
                }
            }
            if found.is_some() {
                return found;
            }
        }
        if !(seen.is_whole && scene.window.paper.has(anchor)) {
            return None;
        }
        // At any price, and as near to others as may be.
        let least = scene.window.piece_sizes()[3];
        let near = region(&seen.bounds, &scene.window.paper, em * reaches[reaches.len() - 1]);
        let prospect = Prospect::new(plan, map, seen.id, &near, prices);
        let search = Search { anchor, distance: 0.25 / (em * 5.0), limit: f32::INFINITY, space: 0.0, touches };
        let stands = Block::pieces(pieces, scene.liveries, em * least);
        let found = best_of(stands.into_iter(), &prospect, &search, &self.taken);
        if found.is_some() {
            return found;
        }
        // Where all is taken a little aside is better than upon something.
        let block = Block::pieces(pieces, scene.liveries, em * least).swap_remove(0);
        let beside = (0..ASIDE * ASIDE).map(|step| {
            let aside = [step % ASIDE, step / ASIDE].map(|step| (step as f32 / (ASIDE - 1) as f32 - 0.5) * em * 5.0);
            [anchor[0] + aside[0], anchor[1] + aside[1]]
        });
        let free = beside.filter(|at| {
            let bounds = Bounds::around(*at, block.size);
            scene.window.paper.holds(&bounds) && self.taken.is_free(&bounds)
        });
        let at =
            free.min_by(|one, other| distance(*one, anchor).total_cmp(&distance(*other, anchor))).unwrap_or(anchor);
        let bounds = Bounds::around(at, block.size);
        Some((block, FreePlace { bounds, price: PIECES, away: distance(at, anchor) > em * 0.7 }))
    }

    /// Places ships; they touch their area, or one could not tell whose harbour they lie in.
    fn launch(&mut self, scene: &Scene, plan: &Plan, seen: &Seen, fleets: &[Piece]) {
        if let Some((block, place)) =
            self.pieces_alone(scene, plan, seen, fleets, (&Prices::AFLOAT, seen.harbour, true))
        {
            self.put(seen, block, place, place.away.then_some(seen.harbour));
        }
    }

    /// Places a name, if there is room for it.
    fn name(&mut self, scene: &Scene, plan: &Plan, seen: &Seen) {
        let (map, em) = (&scene.state.printed().map, scene.window.em);
        let name = scene.words.area(seen.id);
        let prices = match seen.style {
            Style::Land | Style::Far => Prices::ASHORE,
            Style::Sea => Prices::SEA,
        };
        let near = region(&seen.bounds, &scene.window.paper, em * 1.2);
        let prospect = Prospect::new(plan, map, seen.id, &near, &prices);
        // Of an area whose middle is not on the paper a name may say only what is there.
        let limit = if seen.is_whole || seen.style == Style::Sea { INSIDE } else { AT_THE_EDGE };
        let search =
            Search { anchor: seen.anchor, distance: 0.25 / (em * 5.0), limit, space: em * 0.08, touches: false };
        for size in scene.window.sizes() {
            let blocks = Block::names(name, map.area(seen.id), seen.style, em * size);
            let found = best_of(blocks.into_iter(), &prospect, &search, &self.taken);
            if let Some((block, place)) = found.filter(|(_, place)| !place.away) {
                return self.put(seen, block, place, None);
            }
        }
        if seen.style != Style::Land || !seen.is_whole {
            return;
        }
        let far = region(&seen.bounds, &scene.window.paper, em * 4.0);
        let prospect = Prospect::new(plan, map, seen.id, &far, &prices);
        for size in scene.window.sizes() {
            let blocks = Block::names(name, map.area(seen.id), seen.style, em * size);
            let search = Search { limit: BESIDE, ..search };
            if let Some((block, place)) = best_of(blocks.into_iter(), &prospect, &search, &self.taken) {
                return self.put(seen, block, place, place.away.then_some(seen.anchor));
            }
        }
    }

    fn put(&mut self, seen: &Seen, block: Block, place: FreePlace, leads_to: Option<Point>) {
        self.taken.take(place.bounds);
        self.spots.push(Spot { area: seen.id, style: seen.style, block, bounds: place.bounds, leads_to });
    }
}

/// How names are written: what it is called, the colour, and the light around it.
fn paint(style: Style) -> (&'static str, &'static str, &'static str) {
    match style {
        Style::Far => ("away", "#8d877c", "#eceae5"),
        Style::Sea => ("wet", "#3f6d8e", "#e2eff6"),
        Style::Land => ("dry", "#33291c", "#fffaf0"),
    }
}

/// The best of several blocks, each further one a little less liked.
fn best_of(
    blocks: impl Iterator<Item = Block>,
    prospect: &Prospect,
    search: &Search,
    taken: &Taken,
) -> Option<(Block, FreePlace)> {
    let mut best: Option<(Block, FreePlace)> = None;
    for (number, block) in blocks.enumerate() {
        let dislike = number as f32 * SECOND_BEST;
        let limit = best.as_ref().map_or(search.limit, |(_, best)| best.price) - dislike;
        if let Some(place) = prospect.best(block.size, &Search { limit, ..*search }, taken) {
            best = Some((block, FreePlace { price: place.price + dislike, ..place }));
        }
    }
    best
}

/// How an area is seen, if it is.
fn see(scene: &Scene, plan: &Plan, id: AreaId) -> Option<Seen> {
    let (area, window) = (scene.state.printed().map.area(id), scene.window);
    let outlines = area.drawing.land.iter().chain(&area.drawing.water);
    let bounds = window.bounds(&Bounds::of(outlines.flatten().flatten().copied())?);
    if !bounds.overlaps(&window.paper) {
        return None;
    }
    let style = match area.kind {
        _ if scene.state.ground(id).out_of_play => Style::Far,
        AreaKind::Land | AreaKind::Coastal => Style::Land,
        AreaKind::Sea | AreaKind::OpenSea => Style::Sea,
    };
    let anchor = window.at(area.drawing.label);
    let is_whole = window.paper.has(anchor);
    let anchor = if is_whole { anchor } else { nearest(plan, id, &bounds, window)? };
    let harbour = area.drawing.ship.map(|ship| window.at(ship)).unwrap_or(anchor);
    Some(Seen { id, bounds, anchor, harbour, style, is_whole, radius: area.drawing.radius })
}

/// The place of an area that is nearest to the middle of what is seen of it.
fn nearest(plan: &Plan, id: AreaId, bounds: &Bounds, window: &Pane) -> Option<Point> {
    let squares = plan.squares(&region(bounds, &window.paper, 0.0));
    let own: Vec<_> = (squares.top..squares.bottom)
        .flat_map(|row| (squares.left..squares.right).map(move |column| (column, row)))
        .filter(
            |(column, row)| matches!(plan.cell(*column, *row), Ground::Land(here) | Ground::Water(here) if here == id),
        )
        .map(|(column, row)| plan.middle(column, row))
        .collect();
    let sum = own.iter().fold([0.0, 0.0], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
    let middle = sum.map(|sum| sum / own.len() as f32);
    own.into_iter().min_by(|one, other| distance(*one, middle).total_cmp(&distance(*other, middle)))
}
