//! The touchable map: the board with an element for each area, for the order page.
//!
//! Comes in: what a reader knows. Goes out: an SVG whose elements say of which area they are (`data-area`). It is whole by
//! itself; every colour is an attribute, so that a style sheet may paint it anew, for the dark. The ground of an area
//! inherits its paint, so that `<use>` can show it lit.

use std::collections::BTreeSet;

use super::borders::{Border, Borders, Side};
use super::bounds::Bounds;
use super::changes::Changes;
use super::colours::{Colour, Liveries};
use super::ink::{Ink, Px};
use super::layout::{Layout, Scene};
use super::terrain::{self, holder};
use super::window::{Pane, concerns};
use super::words::Words;
use crate::game::Known;
use crate::rules::{AreaId, AreaKind, Civ, Language};

/// How much is seen around the names of own areas, and how much at least, in units of the map.
const AROUND: f32 = 80.0;
const LEAST: f32 = 420.0;

/// Draws all that is in play.
pub(crate) fn touchable(state: &Known, language: Language, threatened: &BTreeSet<AreaId>) -> String {
    let window = window(state);
    let words = Words { printed: state.printed(), language };
    let liveries = Liveries::of(words);
    let (changes, own) = (Changes::default(), terrain::realm(state));
    let scene = Scene { state, changes: &changes, window: &window, words, liveries: &liveries, focus: &own };
    let layout = Layout::of(&scene);
    let mut ink = Ink::default();
    let (width, height) = (Px(window.paper.width()), Px(window.paper.height()));
    ink.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" class=\"map\" fill=\"#1c1712\">"
    ));
    ink.put(format_args!("<defs>{}</defs>", terrain::PATTERNS));
    let shallow = terrain::SHALLOW;
    ink.put(format_args!("<rect class=\"sheet\" width=\"{width}\" height=\"{height}\" fill=\"{shallow}\"/>"));
    let borders = Borders::of(&state.printed().map, &window);
    grounds(&mut ink, &scene, &borders);
    lines(&mut ink, &scene, &borders, &own);
    ink.put(format_args!("<g class=\"lights\"></g>"));
    layout.draw_by_area(&mut ink, &scene);
    for placed in layout.pieces(false).iter().filter(|placed| threatened.contains(&placed.area)) {
        warning(&mut ink, &placed.bounds, placed.area, window.em);
    }
    ink.put(format_args!("<g class=\"ways\"></g></svg>\n"));
    ink.0
}

/// Where the middle of an area lies on the touchable map.
pub(crate) fn place(state: &Known) -> impl Fn(AreaId) -> [i32; 2] + '_ {
    let window = window(state);
    move |area| window.at(state.printed().map.area(area).drawing.label).map(|length| length.round() as i32)
}

/// What of the touchable map concerns a player: left, top, width and height.
pub(crate) fn sight(state: &Known, civ: Civ) -> [i32; 4] {
    let (whole, map) = (window(state), &state.printed().map);
    let own = concerns(state, &Changes::default(), civ);
    let middles = Bounds::of(own.iter().map(|area| whole.at(map.area(*area).drawing.label)));
    let middles = middles.unwrap_or(whole.paper);
    let (around, least) = (AROUND * whole.scale, LEAST * whole.scale);
    let size = [middles.width(), middles.height()].map(|length| (length + around * 2.0).max(least));
    let Bounds { left, top, .. } = Bounds::around(middles.middle(), size);
    [left, top, size[0], size[1]].map(|length| length.round() as i32)
}

fn window(state: &Known) -> Pane {
    Pane::whole(state)
}

/// Land and water of each area, tinted by whoever alone holds it.
fn grounds(ink: &mut Ink, scene: &Scene, borders: &Borders) {
    let map = &scene.state.printed().map;
    for id in map.ids() {
        let land = borders.areas(|side| side == Side::Land(id));
        let water = borders.areas(|side| side == Side::Water(id));
        if land.is_empty() && water.is_empty() {
            continue;
        }
        let far = scene.state.ground(id).out_of_play;
        let (kind, paint) = match map.area(id).kind {
            _ if far && land.is_empty() => ("far sea", terrain::FAR_WATER),
            _ if far => ("far", terrain::FAR_LAND),
            AreaKind::Land | AreaKind::Coastal if map.area(id).features.flood_plain.is_some() => {
                ("plain", terrain::PLAIN)
            }
            AreaKind::Land | AreaKind::Coastal => ("land", terrain::LAND),
            AreaKind::Sea => ("sea", terrain::SHALLOW),
            AreaKind::OpenSea => ("deep sea", terrain::DEEP),
        };
        if far {
            ink.put(format_args!("<g class=\"{kind}\" fill=\"{paint}\">"))
        } else {
            ink.put(format_args!("<g class=\"area {kind}\" data-area=\"{}\" fill=\"{paint}\">", id.0))
        }
        if !land.is_empty() && !water.is_empty() {
            let paint = if far { terrain::FAR_WATER } else { terrain::SHALLOW };
            ink.put(format_args!("<path class=\"water\" fill=\"{paint}\" fill-rule=\"evenodd\" d=\"{water}\"/>"));
        }
        let ground = if land.is_empty() { &water } else { &land };
        ink.put(format_args!("<path id=\"a{}\" fill-rule=\"evenodd\" d=\"{ground}\"/>", id.0));
        let over = |ink: &mut Ink, class: &str, paint: &str| {
            ink.put(format_args!("<use class=\"{class}\" href=\"#a{}\" fill=\"{paint}\"/>", id.0));
        };
        if kind == "plain" {
            over(ink, "waves", "url(#waves)");
        }
        if let Some(owner) = holder(scene.state, id).filter(|_| !far) {
            let Colour([red, green, blue]) = scene.liveries.livery(owner).ground;
            over(ink, "tint", &format!("rgba({red},{green},{blue},.{})", terrain::TINT));
        }
        ink.put(format_args!("</g>"));
    }
}

/// The borders, and the reader's own on top.
fn lines(ink: &mut Ink, scene: &Scene, borders: &Borders, own: &BTreeSet<AreaId>) {
    let far = |side: &Side| {
        let (Side::Land(area) | Side::Water(area)) = side;
        scene.state.ground(*area).out_of_play
    };
    let near = |sides: &[Side]| !sides.iter().all(far);
    let mine =
        |sides: &[Side]| sides.iter().filter(|side| matches!(side, Side::Land(area) if own.contains(area))).count();
    let mut line = |class: &str, paint: &str, width: f32, data: String| {
        if !data.is_empty() {
            ink.put(format_args!(
                "<path class=\"{class}\" d=\"{data}\" fill=\"none\" stroke=\"{paint}\" stroke-width=\"{}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
                Px(width)
            ));
        }
    };
    let thick = (scene.window.em / 14.0).max(0.8);
    let of = |wanted: Border| borders.lines(move |kind, sides| kind == wanted && near(sides));
    line("border wet", terrain::SEA_BORDER, 0.9 * thick, of(Border::Water));
    line("border", terrain::BORDER, thick, of(Border::Land));
    line("border coast", terrain::COAST, 1.3 * thick, of(Border::Coast));
    let realm = borders.lines(|_, sides| mine(sides) == 1);
    line("realm under", terrain::REALM_LIGHT, 4.6 * thick, realm.clone());
    line("realm", terrain::REALM, 2.4 * thick, realm);
}

/// A sign beside a city that somebody could take.
fn warning(ink: &mut Ink, around: &Bounds, area: AreaId, em: f32) {
    let (x, y, half) = (around.right, around.top, em * 0.55);
    ink.put(format_args!(
        "<g class=\"threat\" data-area=\"{}\"><path d=\"M{} {}L{} {}H{}Z\" fill=\"#b3261e\" stroke=\"#fff\" stroke-width=\"1.5\" stroke-linejoin=\"round\"/>",
        area.0,
        Px(x),
        Px(y - half),
        Px(x + half),
        Px(y + half * 0.8),
        Px(x - half),
    ));
    ink.put(format_args!(
        "<path d=\"M{} {}v{}M{} {}v1\" stroke=\"#fff\" stroke-width=\"{}\" stroke-linecap=\"round\"/></g>",
        Px(x),
        Px(y - half * 0.3),
        Px(half * 0.45),
        Px(x),
        Px(y + half * 0.5),
        Px(em * 0.13),
    ));
}
