//! The map: from the board to a picture.
//!
//! Comes in: a state, what just changed as far as the reader may be told, and a canvas. Goes out: an SVG, and a PNG that
//! is drawn from that SVG alone. The board is public, so a picture shows nothing that somebody may not know. The font is
//! built in, and nothing but plain arithmetic and square roots places things, so an SVG is the same on every machine.

mod block;
mod borders;
mod bounds;
mod changes;
mod colours;
mod font;
mod ink;
mod layout;
mod legend;
mod marks;
mod pieces;
mod placing;
mod plan;
mod png;
mod preview;
mod terrain;
mod touch;
mod window;
mod words;

use std::collections::{BTreeMap, BTreeSet};

pub use bounds::Bounds;
pub use changes::{Changes, Move};
pub use layout::Placed;
pub use png::png;
pub(crate) use preview::PREVIEW;
pub use preview::preview;
pub(crate) use touch::{place, sight, touchable};
pub use window::{Frame, concerns};

use crate::game::{Known, Owner};
use crate::rules::{AreaId, Civ, Language, PrintedGame};
use colours::Liveries;
use ink::{Align, Ink, Px};
use layout::{Layout, Scene};
use legend::Legend;
use window::Pane;
use words::Words;

/// How wide a picture for a phone is, in pixels: twice what a letter shows of it there.
pub const PHONE: u32 = 720;

/// The letters that stand for each owner on a map, and wherever else there is little room.
pub(crate) fn signs(printed: &PrintedGame, language: Language) -> BTreeMap<Owner, String> {
    Liveries::of(Words { printed, language }).signs()
}

/// What is painted on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canvas {
    /// Which part of the board is shown.
    pub frame: Frame,
    /// Its width in pixels. A part of the board that spreads far is drawn as two, one below the other.
    pub width: u32,
    /// The language of names and of the legend.
    pub language: Language,
    /// What is written above the map: the game, the turn, the phase.
    pub title: String,
}

/// A picture, and where things were placed on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub svg: String,
    /// The names with what is printed beside them, and pieces where they are in one block with a name.
    pub names: Vec<Placed>,
    /// The pieces on land.
    pub ashore: Vec<Placed>,
    pub afloat: Vec<Placed>,
    /// The size of the smallest name, in pixels; none where nothing has a name.
    pub smallest: Option<f32>,
    /// Where each part of the board lies.
    pub parts: Vec<Bounds>,
    windows: Vec<Pane>,
}

impl Picture {
    /// Where a place of the board lies in a part of the picture, in pixels.
    pub fn at(&self, part: usize, place: [f32; 2]) -> Option<[f32; 2]> {
        self.windows.get(part).map(|window| window.at(place))
    }
}

/// Draws the board as its reader knows it.
pub fn picture(state: &Known, changes: &Changes, canvas: &Canvas) -> Picture {
    let width = canvas.width.clamp(200, 10_000) as f32;
    let heading = if canvas.title.is_empty() { 0.0 } else { (legend::strip_size(width) * 2.0).round() };
    let windows = Pane::open(state, &canvas.frame, width, heading);
    let words = Words { printed: state.printed(), language: canvas.language };
    let liveries = Liveries::of(words);
    let focus: BTreeSet<AreaId> = match &canvas.frame {
        Frame::Board | Frame::Whole => BTreeSet::new(),
        Frame::Around(areas) => areas.clone(),
    };
    let scene = |window| Scene { state, changes, window, words, liveries: &liveries, focus: &focus };
    let mut parts: Vec<(Scene, Layout)> = windows
        .iter()
        .map(scene)
        .map(|scene| {
            let layout = Layout::of(&scene);
            (scene, layout)
        })
        .collect();
    let placed = |of: &dyn Fn(&Layout) -> Vec<Placed>| parts.iter().flat_map(|(_, layout)| of(layout)).collect();
    let (names, ashore) = (placed(&Layout::names), placed(&|layout| layout.pieces(false)));
    let afloat = placed(&|layout| layout.pieces(true));
    let smallest = parts.iter().filter_map(|(_, layout)| layout.smallest()).reduce(f32::min);
    let legend = Legend::of(&parts, width);
    let bottom = windows.last().map_or(heading, |window| window.paper.bottom);
    let height = (bottom + legend.height()).ceil();
    let mut ink = Ink::default();
    ink.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" fill=\"#1c1712\">",
        Px(width),
        Px(height),
        Px(width),
        Px(height),
    ));
    ink.put(format_args!("<defs>{}", terrain::PATTERNS));
    for (number, window) in windows.iter().enumerate() {
        ink.put(format_args!("<clipPath id=\"part{number}\">{}</clipPath>", Panel(&window.paper, "")));
    }
    ink.put(format_args!("</defs><rect width=\"{}\" height=\"{}\" fill=\"{FRAME}\"/>", Px(width), Px(height)));
    for (number, (scene, layout)) in parts.iter_mut().enumerate() {
        ink.put(format_args!("<g clip-path=\"url(#part{number})\">"));
        ink.put(format_args!("{}", Panel(&scene.window.paper, &format!(" fill=\"{}\"", terrain::SHALLOW))));
        terrain::draw(&mut ink, state, scene.window, &liveries);
        marks::bursts(&mut ink, scene, layout);
        marks::arrows(&mut ink, scene, layout);
        layout.draw_names(&mut ink, scene);
        layout.draw_pieces(&mut ink, scene);
        ink.put(format_args!("</g>"));
    }
    legend.draw(&mut ink, &liveries, [bottom, width]);
    title(&mut ink, canvas, width, heading);
    ink.put(format_args!("</svg>\n"));
    let parts = windows.iter().map(|window| window.paper).collect();
    Picture { svg: ink.0, names, ashore, afloat, smallest, parts, windows }
}

/// What lies behind the parts, and between them.
const FRAME: &str = "#3d4f5c";

/// A rectangle of paper, with further attributes.
struct Panel<'a>(&'a Bounds, &'a str);

impl std::fmt::Display for Panel<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Panel(Bounds { left, top, right, bottom }, more) = self;
        let (width, height) = (right - left, bottom - top);
        write!(
            f,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{more}/>",
            Px(*left),
            Px(*top),
            Px(width),
            Px(height)
        )
    }
}

/// The colour, as `#rrggbb`, and the letters by which a civilization is known on the board.
pub(crate) fn badge(printed: &PrintedGame, language: Language, civ: Civ) -> (String, String) {
    let liveries = Liveries::of(Words { printed, language });
    let livery = liveries.livery(Owner::Civ(civ));
    (livery.ground.to_string(), livery.sign.clone())
}

fn title(ink: &mut Ink, canvas: &Canvas, width: f32, height: f32) {
    if canvas.title.is_empty() {
        return;
    }
    ink.put(format_args!("<rect width=\"{}\" height=\"{}\" fill=\"{FRAME}\"/>", Px(width), Px(height)));
    let size = height * 0.58;
    ink.text(
        [size * 0.6, height / 2.0 + size * font::CAPITAL / 2.0],
        size,
        Align::Left,
        "fill=\"#fffaf0\"",
        &canvas.title,
    );
}
