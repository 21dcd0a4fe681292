//! Curves of scores and of steps on the A.S.T., as an SVG that needs no script and stands inside a page.

use std::fmt::Write as _;

use super::super::map;
use super::past::Standings;
use crate::game::Known;
use crate::rules::{Civ, Language};

/// What a chart shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Curve {
    Points,
    /// Steps on the A.S.T.
    Steps,
}

/// The size of a chart, and what its numbers take at the left, below and at the right.
const SIZE: [f32; 2] = [360.0, 200.0];
const LEFT: f32 = 30.0;
const BELOW: f32 = 22.0;
const BESIDE: f32 = 12.0;

/// A curve for each civilization, and a line at the turn that is shown.
pub(crate) fn chart(
    known: &Known,
    language: Language,
    standings: &[Standings],
    of: Curve,
    shown: Option<u16>,
    label: &str,
) -> String {
    let [wide, high] = SIZE;
    let value = |(_, points, step): &(Civ, u16, u8)| match of {
        Curve::Points => f32::from(*points),
        Curve::Steps => f32::from(*step),
    };
    let most = standings.iter().flat_map(|one| &one.civs).map(value).fold(1.0, f32::max);
    let turns = standings.len();
    let x = |at: usize| LEFT + at as f32 * (wide - LEFT - BESIDE) / turns.saturating_sub(1).max(1) as f32;
    let y = |value: f32| high - BELOW - value * (high - BELOW - 10.0) / most;
    let mut svg = format!("<svg viewBox=\"0 0 {wide} {high}\" role=\"img\" aria-label=\"{}\">", safe(label));
    let mut put = |text: std::fmt::Arguments| svg.write_fmt(text).expect("a string takes whatever is written");
    for part in [0.0, 0.5, 1.0] {
        let (value, right) = ((part * most).round(), wide - BESIDE);
        put(format_args!("<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{0:.1}\" y2=\"{0:.1}\"/>", y(value)));
        put(format_args!("<text x=\"4\" y=\"{:.1}\">{value}</text>", y(value) + 4.0));
    }
    if let Some(at) = shown.map(|turn| usize::from(turn).saturating_sub(1)).filter(|at| *at < turns) {
        put(format_args!("<line class=\"now\" x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"4\" y2=\"{1}\"/>", x(at), high - BELOW));
    }
    for civ in known.ranking() {
        let find = |one: &Standings| one.civs.iter().find(|(who, ..)| *who == civ).map(value);
        let found = standings.iter().enumerate().filter_map(|(at, one)| Some((x(at), y(find(one)?))));
        let points: Vec<String> = found.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let (colour, line) = (map::badge(known.printed(), language, civ).0, points.join(" "));
        match points.as_slice() {
            [] => {}
            // One point is no line.
            [point] => {
                let (x, y) = point.split_once(',').unwrap_or_default();
                put(format_args!("<circle class=\"spot\" cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{colour}\"/>"));
            }
            // Pale colours want an edge.
            _ => put(format_args!(
                "<polyline class=\"edge\" points=\"{line}\"/><polyline class=\"curve\" points=\"{line}\" stroke=\"{colour}\"/>"
            )),
        }
    }
    let last = turns.saturating_sub(1);
    let marks = [Some(0), shown.map(|turn| usize::from(turn).saturating_sub(1)), Some(last)];
    let mut marks: Vec<usize> = marks.into_iter().flatten().filter(|at| *at < turns).collect();
    marks.sort_unstable();
    marks.dedup();
    for at in marks {
        put(format_args!("<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>", x(at), high - 6.0, at + 1));
    }
    svg + "</svg>"
}

fn safe(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
