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
mod terrain;
mod touch;
mod window;
mod words;

use std::collections::{BTreeMap, BTreeSet};

pub use changes::{Changes, Move};
pub use layout::Placed;
pub use png::png;
pub(crate) use touch::{place, sight, touchable};
pub use window::{Frame, concerns};

use crate::game::{Known, Owner};
use crate::rules::{AreaId, Civ, Language, PrintedGame};
use colours::Liveries;
use ink::{Align, Ink, Px};
use layout::{Layout, Scene};
use legend::Legend;
use window::Window;
use words::Words;

/// How wide a picture for a phone is, in pixels.
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
    /// Its width in pixels; a part of the board that spreads far gets up to half as much again.
    pub width: u32,
    /// The language of names and of the legend.
    pub language: Language,
    /// What is written above the map: the game, the turn, the phase.
    pub title: String,
}

/// A picture, and where things were placed on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The SVG.
    pub svg: String,
    /// The names with what is printed beside them, and pieces where they are in one block with a name.
    pub names: Vec<Placed>,
    /// The pieces on land.
    pub ashore: Vec<Placed>,
    /// The ships.
    pub afloat: Vec<Placed>,
}

/// Draws the board.
pub fn picture(state: &Known, changes: &Changes, canvas: &Canvas) -> Picture {
    let width = canvas.width.clamp(200, 10_000) as f32;
    let heading = if canvas.title.is_empty() { 0.0 } else { (legend::strip_size(width) * 2.0).round() };
    let window = Window::open(state, &canvas.frame, width, heading);
    let words = Words { printed: state.printed(), language: canvas.language };
    let liveries = Liveries::of(words);
    let focus: BTreeSet<AreaId> = match &canvas.frame {
        Frame::Board | Frame::Whole => BTreeSet::new(),
        Frame::Around(areas) => areas.clone(),
    };
    let width = window.paper.width();
    let scene = Scene { state, changes, window: &window, words, liveries: &liveries, focus: &focus };
    let mut layout = Layout::of(&scene);
    let (names, ashore, afloat) = (layout.names(), layout.pieces(false), layout.pieces(true));
    let legend = Legend::of(&scene, &layout);
    let height = (window.paper.bottom + legend.height()).ceil();
    let mut ink = Ink::default();
    ink.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\" fill=\"#1c1712\">",
        Px(width),
        Px(height),
        Px(width),
        Px(height),
    ));
    ink.put(format_args!("<defs>{}</defs>", terrain::PATTERNS));
    ink.put(format_args!("<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>", Px(width), Px(height), terrain::SHALLOW));
    terrain::draw(&mut ink, state, &window, &liveries);
    marks::bursts(&mut ink, &scene, &layout);
    marks::arrows(&mut ink, &scene, &mut layout);
    layout.draw_names(&mut ink, &scene);
    layout.draw_pieces(&mut ink, &scene);
    legend.draw(&mut ink, &scene);
    title(&mut ink, canvas, width, heading);
    ink.put(format_args!("</svg>\n"));
    Picture { svg: ink.0, names, ashore, afloat }
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
    ink.put(format_args!("<rect width=\"{}\" height=\"{}\" fill=\"#3d4f5c\"/>", Px(width), Px(height)));
    let size = height * 0.58;
    ink.text(
        [size * 0.6, height / 2.0 + size * font::CAPITAL / 2.0],
        size,
        Align::Left,
        "fill=\"#fffaf0\"",
        &canvas.title,
    );
}
