//! A chart: how something grew for every civilization, turn by turn. Colours and letters are those of the board.

use std::fmt::Write as _;

/// So far names at the ends stay apart.
const APART: f32 = 17.0;
/// A sign stands on a line every so many turns.
const SIGNS: usize = 6;

/// What a chart is drawn on. Its letters are as large as the page's, so a phone gets a paper of its own and not a small copy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Paper {
    /// What the page calls it.
    class: &'static str,
    size: [f32; 2],
    /// The room around the lines: left, top, right, bottom.
    room: [f32; 4],
    /// Whether names stand at the ends, or only signs.
    has_names: bool,
    /// How many numbers of turns stand below, about.
    numbers: usize,
}

impl Paper {
    pub(crate) const WIDE: Paper =
        Paper { class: "wide", size: [720.0, 400.0], room: [40.0, 14.0, 120.0, 30.0], has_names: true, numbers: 8 };
    pub(crate) const NARROW: Paper =
        Paper { class: "narrow", size: [360.0, 340.0], room: [30.0, 14.0, 62.0, 30.0], has_names: false, numbers: 5 };
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Series {
    pub name: String,
    /// Its colour, `#rrggbb`.
    pub colour: String,
    pub sign: String,
    /// The values: before turn 1, and at the end of every turn.
    pub values: Vec<u16>,
}

/// Draws the lines of all as an SVG that takes its ink from the page around it.
pub(crate) fn chart(paper: Paper, title: &str, explanation: &str, all: &[Series]) -> String {
    let turns = all.iter().map(|series| series.values.len()).max().unwrap_or(1).saturating_sub(1).max(1);
    let most = all.iter().flat_map(|series| &series.values).copied().max().unwrap_or(0).max(1);
    let step = grid(most);
    let top = most.div_ceil(step) * step;
    let ([width, height], [left, above, right, below]) = (paper.size, paper.room);
    let x = |turn: usize| left + (width - left - right) * turn as f32 / turns as f32;
    let y = |value: u16| height - below - (height - above - below) * f32::from(value) / f32::from(top);
    let mut svg = format!(
        "<svg class=\"chart {}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\"><title>{}</title>",
        paper.class,
        escaped(&format!("{title}. {explanation}")),
        escaped(title)
    );
    for value in (0..=top).step_by(usize::from(step)) {
        let (end, at) = (width - right, y(value));
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{left}\" x2=\"{end}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
            left - 6.0,
            at + 4.0
        );
    }
    let every = (turns / paper.numbers).max(1);
    for turn in (0..=turns).step_by(every) {
        let (at, foot) = (x(turn), height - below + 18.0);
        let _ = write!(svg, "<text x=\"{at:.1}\" y=\"{foot:.1}\" text-anchor=\"middle\">{turn}</text>");
    }
    for series in all {
        let points: Vec<String> =
            series.values.iter().enumerate().map(|(turn, value)| format!("{:.1},{:.1}", x(turn), y(*value))).collect();
        let (points, name) = (points.join(" "), escaped(&series.name));
        let _ = write!(
            svg,
            "<polyline class=\"halo\" points=\"{points}\"/>\
             <polyline class=\"line\" stroke=\"{}\" points=\"{points}\"><title>{name}</title></polyline>",
            series.colour
        );
    }
    write_signs(&mut svg, all, x, y);
    write_ends(&mut svg, paper, all, x, y);
    svg + "</svg>"
}

/// The sign of each line, in circles on it.
fn write_signs(svg: &mut String, all: &[Series], x: impl Fn(usize) -> f32, y: impl Fn(u16) -> f32) {
    for (number, series) in all.iter().enumerate() {
        let ink = ink(&series.colour);
        // Lines that run together show their signs one after the other.
        let first = 1 + number * SIGNS / all.len().max(1);
        for (turn, value) in series.values.iter().enumerate().skip(first).step_by(SIGNS) {
            let (at, level) = (x(turn), y(*value));
            let _ = write!(
                svg,
                "<circle cx=\"{at:.1}\" cy=\"{level:.1}\" r=\"8\" fill=\"{}\"/><text class=\"sign\" x=\"{at:.1}\" \
                 y=\"{:.1}\" fill=\"{ink}\" text-anchor=\"middle\">{}</text>",
                series.colour,
                level + 3.2,
                escaped(&series.sign)
            );
        }
    }
}

/// Whose line it is, and how it ends.
fn write_ends(svg: &mut String, paper: Paper, all: &[Series], x: impl Fn(usize) -> f32, y: impl Fn(u16) -> f32) {
    let (width, right) = (paper.size[0], paper.room[2]);
    for (series, label) in all.iter().zip(labels(paper, all, &y)) {
        let (edge, ink) = (width - right + 6.0, ink(&series.colour));
        let last = series.values.last().copied().unwrap_or(0);
        let words = if paper.has_names { format!("{} {last}", escaped(&series.name)) } else { last.to_string() };
        let _ = write!(
            svg,
            "<line class=\"lead\" stroke=\"{}\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{:.1}\" y2=\"{label:.1}\"/>\
             <rect x=\"{:.1}\" y=\"{:.1}\" width=\"22\" height=\"15\" rx=\"3\" fill=\"{}\"/>\
             <text class=\"sign\" x=\"{:.1}\" y=\"{:.1}\" fill=\"{ink}\" text-anchor=\"middle\">{}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\">{words}</text>",
            series.colour,
            x(series.values.len().saturating_sub(1)),
            edge + 6.0,
            y(last),
            edge + 6.0,
            label - 7.5,
            series.colour,
            edge + 17.0,
            label + 3.5,
            escaped(&series.sign),
            edge + 32.0,
            label + 4.0
        );
    }
}

/// Where the names at the ends stand: beside the last value, and apart from each other.
fn labels(paper: Paper, all: &[Series], y: impl Fn(u16) -> f32) -> Vec<f32> {
    let [_, height] = paper.size;
    let mut places: Vec<(usize, f32)> = all
        .iter()
        .enumerate()
        .map(|(number, series)| (number, y(series.values.last().copied().unwrap_or(0))))
        .collect();
    places.sort_by(|one, other| one.1.total_cmp(&other.1).then(one.0.cmp(&other.0)));
    let apart = APART.min((height - paper.room[1]) / all.len().max(1) as f32);
    for at in 1..places.len() {
        places[at].1 = places[at].1.max(places[at - 1].1 + apart);
    }
    // What was pushed off the paper pushes back.
    let mut lowest = height - 10.0;
    for place in places.iter_mut().rev() {
        place.1 = place.1.min(lowest);
        lowest = place.1 - apart;
    }
    let mut found = vec![0.0; all.len()];
    for (number, place) in places {
        found[number] = place;
    }
    found
}

/// The distance of the lines of the grid: 1, 2, 5, 10, 20 and so on, for at most eight of them.
fn grid(most: u16) -> u16 {
    let steps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000];
    steps.into_iter().find(|step| most.div_ceil(*step) <= 8).unwrap_or(10_000)
}

/// What can be read on a colour.
pub(crate) fn ink(colour: &str) -> &'static str {
    let part = |at: usize| colour.get(at..at + 2).and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0);
    if part(1) * 299 + part(3) * 587 + part(5) * 114 > 125_000 { "#141210" } else { "#ffffff" }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(name: &str, values: &[u16]) -> Series {
        Series {
            name: name.to_owned(),
            colour: "#b8cc3c".to_owned(),
            sign: name[..2].to_owned(),
            values: values.to_vec(),
        }
    }

    #[test]
    fn everybody_has_a_line_and_a_place_for_his_name() {
        let all: Vec<_> = (0..18).map(|number| series(&format!("C{number:02}"), &[0, 5, 10])).collect();
        for paper in [Paper::WIDE, Paper::NARROW] {
            let svg = chart(paper, "Points & more", "by turn", &all);
            assert_eq!(svg.matches("<polyline class=\"line\"").count(), 18);
            assert!(svg.contains("Points &amp; more"));
            assert_eq!(svg.contains(">C07 10</text>"), paper.has_names);
            let mut places = labels(paper, &all, f32::from);
            places.sort_by(f32::total_cmp);
            assert!(places.windows(2).all(|pair| pair[1] - pair[0] > 15.0), "a sign is 15 high");
            assert!(places.iter().all(|place| (0.0..=paper.size[1]).contains(place)));
        }
    }

    #[test]
    fn a_phone_shows_the_narrow_paper_in_its_own_size() {
        // A page of 390 pixels leaves 358 between its margins: smaller than by half a pixel no letter becomes.
        let letters = |paper: Paper| 358.0 / paper.size[0] * 12.0;
        assert!(letters(Paper::NARROW) > 11.5);
        assert!(letters(Paper::WIDE) < 7.0, "which is why it has one");
    }

    #[test]
    fn the_grid_is_round() {
        assert_eq!([1, 8, 9, 16, 75, 136, 300].map(grid), [1, 1, 2, 2, 10, 20, 50]);
    }

    #[test]
    fn nothing_makes_an_empty_chart() {
        assert!(chart(Paper::WIDE, "", "", &[]).ends_with("</svg>"));
        assert!(chart(Paper::NARROW, "", "", &[series("Egypt", &[])]).ends_with("</svg>"));
    }
}
