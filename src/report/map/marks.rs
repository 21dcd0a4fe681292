//! Marks of what just changed: arrows for moves, bursts for conflicts.

use std::collections::{BTreeMap, BTreeSet};

use super::bounds::{Bounds, Point, between, distance};
use super::changes::Move;
use super::font;
use super::ink::{Align, Ink, Px};
use super::layout::{Layout, Scene};
use crate::rules::AreaId;

/// How many straight pieces make a bent one.
const BEND: u16 = 12;
/// The directions of the rays of a burst, a quarter of a circle; the others mirror them.
const RAYS: [Point; 5] = [[1.0, 0.0], [0.951, 0.309], [0.809, 0.588], [0.588, 0.809], [0.309, 0.951]];

/// Draws all moves that can be seen, the longest first.
pub(crate) fn arrows(ink: &mut Ink, scene: &Scene, layout: &mut Layout) {
    let places = Places { ashore: layout.blocks(false), afloat: layout.blocks(true) };
    let mut arrows: Vec<_> = scene
        .changes
        .moves
        .iter()
        .filter_map(|(moved, count)| Some((places.way(scene, moved)?, moved, *count)))
        .collect();
    arrows.sort_by(|(one, ..), (other, ..)| length(other).total_cmp(&length(one)));
    for (way, moved, count) in &arrows {
        arrow(ink, scene, way, moved, *count);
    }
    for (way, moved, count) in arrows.iter().filter(|(.., count)| *count > 0) {
        number(ink, scene, layout, way, moved, *count);
    }
}

/// Draws a burst behind whatever is left in each area of conflict.
pub(crate) fn bursts(ink: &mut Ink, scene: &Scene, layout: &Layout) {
    let ashore: BTreeMap<_, _> = layout.pieces(false).into_iter().map(|placed| (placed.area, placed.bounds)).collect();
    let pending = scene.state.grounds().map(|(area, _)| area).filter(|area| scene.state.is_conflict(*area));
    let areas: BTreeSet<_> = pending.chain(scene.changes.conflicts.iter().copied()).collect();
    for area in areas {
        let em = scene.window.em;
        let bounds = ashore.get(&area).copied().unwrap_or_else(|| {
            let label = scene.window.at(scene.state.printed().map.area(area).drawing.label);
            Bounds::around(label, [em * 0.6, em * 0.6])
        });
        if bounds.grown(em).overlaps(&scene.window.paper) {
            burst(ink, &bounds, em);
        }
    }
}

/// A burst around a rectangle.
pub(crate) fn burst(ink: &mut Ink, around: &Bounds, em: f32) {
    let mirrored = |turn: usize, [x, y]: Point| match turn {
        0 => [x, y],
        1 => [-y, x],
        2 => [-x, -y],
        _ => [y, -x],
    };
    let [x, y] = around.middle();
    // The ellipse through the corners of a rectangle is larger by the root of two; rays may stay a little inside.
    let (wide, high) = (around.width() * 0.62 + em * 0.2, around.height() * 0.62 + em * 0.2);
    ink.put(format_args!("<path d=\""));
    for (number, [cos, sin]) in (0..4).flat_map(|turn| RAYS.map(|ray| mirrored(turn, ray))).enumerate() {
        let ray = if number % 2 == 0 { em * 0.5 } else { 0.0 };
        let sign = if number == 0 { "M" } else { "L" };
        ink.put(format_args!("{sign}{} {}", Px(x + cos * (wide + ray)), Px(y + sin * (high + ray))));
    }
    ink.put(format_args!(
        "Z\" fill=\"#ffcf3f\" fill-opacity=\"0.8\" stroke=\"#c8321f\" stroke-width=\"{}\" stroke-linejoin=\"round\"/>",
        Px(em * 0.12)
    ));
}

/// Where pieces were placed, with their names.
struct Places {
    ashore: BTreeMap<AreaId, Bounds>,
    afloat: BTreeMap<AreaId, Bounds>,
}

impl Places {
    /// The way of a move on paper, from behind the pieces where it began to before those where it ended.
    fn way(&self, scene: &Scene, moved: &Move) -> Option<Vec<Point>> {
        let map = &scene.state.printed().map;
        let standing = if moved.by_ship { &self.afloat } else { &self.ashore };
        let at = |area: &AreaId| {
            let printed = map.area(*area);
            let anchor = if moved.by_ship {
                printed.drawing.ship.unwrap_or(printed.drawing.label)
            } else {
                printed.drawing.label
            };
            standing.get(area).map_or(scene.window.at(anchor), Bounds::middle)
        };
        let stations: Vec<_> = moved.way.iter().map(at).collect();
        let (first, last) = (moved.way.first()?, moved.way.last()?);
        if moved.way.len() < 2 || !Bounds::of(stations.iter().copied())?.grown(1.0).overlaps(&scene.window.paper) {
            return None;
        }
        let line = bent(&stations);
        let em = scene.window.em;
        let behind = standing.get(first).map(|bounds| bounds.grown(em * 0.05));
        let before = standing.get(last).map(|bounds| bounds.grown(em * 0.12));
        let inside = |bounds: &Option<Bounds>, at: &Point| bounds.is_some_and(|bounds| bounds.has(*at));
        let start = line.iter().position(|at| !inside(&behind, at)).unwrap_or(0);
        let end = line.iter().rposition(|at| !inside(&before, at)).unwrap_or(line.len() - 1);
        // Where both ends are cut off and little is left, an arrow comes out from below where it began.
        let cuts = [line.get(start..=end), line.get(..=end)].into_iter().flatten();
        let cut = cuts.into_iter().find(|cut| length(cut) > em * 0.9);
        Some(cut.map_or_else(|| line.clone(), <[Point]>::to_vec))
    }
}

/// A line through all stations, bent a little, so that a way and its way back are two.
fn bent(stations: &[Point]) -> Vec<Point> {
    let mut controls = stations.to_vec();
    if let [from, to] = stations[..] {
        let [x, y] = between(from, to, 0.5);
        let side = 0.13;
        controls = vec![from, [x + (to[1] - from[1]) * side, y - (to[0] - from[0]) * side], to];
    }
    let mut line = vec![controls[0]];
    let inner = controls.len() - 2;
    for (number, bend) in controls.windows(3).enumerate() {
        let [before, here, after] = [bend[0], bend[1], bend[2]];
        let from = if number == 0 { before } else { between(before, here, 0.5) };
        let to = if number + 1 == inner { after } else { between(here, after, 0.5) };
        line.extend((1..=BEND).map(|step| {
            let part = f32::from(step) / f32::from(BEND);
            between(between(from, here, part), between(here, to, part), part)
        }));
    }
    line
}

fn length(line: &[Point]) -> f32 {
    line.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

/// The place on a line that lies so far from its end, and the line up to it.
fn short_of(line: &[Point], by: f32) -> (Vec<Point>, Point) {
    let mut left = by;
    for at in (1..line.len()).rev() {
        let step = distance(line[at - 1], line[at]);
        if step >= left && step > 0.0 {
            let point = between(line[at], line[at - 1], left / step);
            return (line[..at].iter().copied().chain([point]).collect(), point);
        }
        left -= step;
    }
    (vec![line[0]], line[0])
}

fn arrow(ink: &mut Ink, scene: &Scene, way: &[Point], moved: &Move, count: u16) {
    let em = scene.window.em;
    let livery = scene.liveries.livery(moved.owner);
    let width = em * (0.15 + 0.03 * f32::from(count.min(6)));
    let (body, neck) = short_of(way, em * 0.62);
    let tip = way[way.len() - 1];
    let long = distance(neck, tip).max(0.1);
    let [dx, dy] = [(tip[0] - neck[0]) / long, (tip[1] - neck[1]) / long];
    let half = width * 0.5 + em * 0.26;
    let wings = [[neck[0] - dy * half, neck[1] + dx * half], [neck[0] + dy * half, neck[1] - dx * half]];
    let mut data = Ink::default();
    for (number, at) in body.iter().enumerate() {
        data.put(format_args!("{}{} {}", if number == 0 { "M" } else { "L" }, Px(at[0]), Px(at[1])));
    }
    let mut head = Ink::default();
    head.put(format_args!(
        "M{} {}L{} {}L{} {}Z",
        Px(wings[0][0]),
        Px(wings[0][1]),
        Px(tip[0]),
        Px(tip[1]),
        Px(wings[1][0]),
        Px(wings[1][1])
    ));
    let dashes =
        if moved.by_ship { format!(" stroke-dasharray=\"{} {}\"", Px(em * 0.5), Px(em * 0.28)) } else { String::new() };
    let (line, ground) = (livery.line, livery.ground);
    ink.put(format_args!(
        "<path d=\"{}\" fill=\"none\" stroke=\"{line}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dashes}/>",
        data.0,
        Px(width + em * 0.12),
    ));
    ink.put(format_args!(
        "<path d=\"{}\" fill=\"{ground}\" stroke=\"{line}\" stroke-width=\"{}\" stroke-linejoin=\"round\"/>",
        head.0,
        Px(em * 0.1),
    ));
    ink.put(format_args!(
        "<path d=\"{}\" fill=\"none\" stroke=\"{ground}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dashes}/>",
        data.0,
        Px(width),
    ));
}

/// Writes how many moved beside the middle of an arrow, where there is room.
fn number(ink: &mut Ink, scene: &Scene, layout: &mut Layout, way: &[Point], moved: &Move, count: u16) {
    let (size, text) = (scene.window.em * 0.8, count.to_string());
    let bounds = |at: Point| Bounds::around(at, [font::width(&text, size) + size * 0.3, size * 0.86]);
    let whole = length(way);
    for part in [0.5, 0.4, 0.6, 0.3] {
        let (_, at) = short_of(way, whole * part);
        if scene.window.paper.holds(&bounds(at)) && layout.claim(bounds(at)) {
            let livery = scene.liveries.livery(moved.owner);
            ink.text(
                [at[0], at[1] + size * font::CAPITAL / 2.0],
                size,
                Align::Middle,
                &format!(
                    "fill=\"#1c1712\" stroke=\"{}\" stroke-width=\"740\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
                    livery.ground.mixed(super::colours::Colour([255, 255, 255]), 70),
                ),
                &text,
            );
            return;
        }
    }
}
