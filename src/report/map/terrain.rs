//! The terrain: sea and land, flood plains and volcanoes, and what is out of play.

use std::collections::BTreeSet;

use super::borders::{Border, Borders, Side};
use super::bounds::Point;
use super::colours::{Colour, Liveries};
use super::ink::{Align, Ink, Px};
use super::window::Pane;
use crate::game::{Known, Owner};
use crate::rules::{AreaId, AreaKind, CitySite};

/// Coastal water; the open sea is a little deeper.
pub(crate) const SHALLOW: Colour = Colour([0xd5, 0xe7, 0xf1]);
pub(crate) const DEEP: Colour = Colour([0xbb, 0xd6, 0xe7]);
/// Land, paler and greyer than anybody's colour.
pub(crate) const LAND: Colour = Colour([0xec, 0xe9, 0xe1]);
/// The green of a flood plain.
pub(crate) const PLAIN: Colour = Colour([0xdf, 0xe9, 0xbf]);
/// What is out of play.
pub(crate) const FAR_LAND: Colour = Colour([0xdc, 0xdd, 0xdf]);
pub(crate) const FAR_WATER: Colour = Colour([0xd9, 0xdf, 0xe2]);
/// Lines where land and water meet, land and land, water and water.
pub(crate) const COAST: &str = "#5f86a0";
pub(crate) const BORDER: &str = "#b49f7c";
pub(crate) const SEA_BORDER: &str = "#8db2ca";
const FAR_BORDER: &str = "#cbc7bf";
/// How strongly the colour of whoever alone holds an area tints it, in hundredths.
pub(crate) const TINT: u32 = 60;
/// The outline of the reader's own realm, and the light below it.
pub(crate) const REALM: &str = "#8a3b12";
pub(crate) const REALM_LIGHT: &str = "#fffaf0";

/// The patterns that other parts refer to.
pub(crate) const PATTERNS: &str = concat!(
    "<pattern id=\"waves\" width=\"16\" height=\"9\" patternUnits=\"userSpaceOnUse\">",
    "<path d=\"M0 4.5Q4 1 8 4.5T16 4.5\" fill=\"none\" stroke=\"#5a9ac4\" stroke-width=\"1.2\" stroke-opacity=\"0.7\"/>",
    "</pattern>",
    "<pattern id=\"hatch\" width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\">",
    "<path d=\"M-1 10L10 -1M-1 1L1 -1M8 10L10 8\" stroke=\"#c9c4ba\" stroke-width=\"1.1\"/>",
    "</pattern>",
);

/// Draws everything that was there before the first token, and who holds what.
pub(crate) fn draw(ink: &mut Ink, state: &Known, window: &Pane, liveries: &Liveries) {
    let map = &state.printed().map;
    let borders = Borders::of(map, window);
    let is_far = |area: AreaId| state.ground(area).out_of_play;
    let is_plain = |area: AreaId| map.area(area).features.flood_plain.is_some() && !is_far(area);
    let water = |area: AreaId| match map.area(area).kind {
        AreaKind::OpenSea => Some(DEEP),
        AreaKind::Land | AreaKind::Coastal | AreaKind::Sea => is_far(area).then_some(FAR_WATER),
    };
    let land = |area: AreaId| match holder(state, area) {
        _ if is_far(area) => FAR_LAND,
        None if is_plain(area) => PLAIN,
        None => LAND,
        Some(owner) if is_plain(area) => PLAIN.mixed(liveries.livery(owner).ground, TINT),
        Some(owner) => LAND.mixed(liveries.livery(owner).ground, TINT),
    };
    let colour = |side: Side| match side {
        Side::Water(area) => water(area),
        Side::Land(area) => Some(land(area)),
    };
    let mut fill = |data: String, paint: &str| {
        if !data.is_empty() {
            ink.put(format_args!("<path d=\"{data}\" fill-rule=\"evenodd\" fill=\"{paint}\"/>"));
        }
    };
    // Areas of a colour are one path, so that no seam shows between them.
    let colours: BTreeSet<_> = borders.sides().filter_map(colour).collect();
    for one in colours {
        fill(borders.areas(|side| colour(side) == Some(one)), &one.to_string());
    }
    fill(borders.areas(|side| matches!(side, Side::Land(area) if is_plain(area))), "url(#waves)");
    fill(borders.areas(|side| matches!(side, Side::Land(area) if is_far(area))), "url(#hatch)");

    let far = |side: &Side| matches!(side, Side::Land(area) | Side::Water(area) if is_far(*area));
    let mut line = |data: String, colour: &str, width: f32, dashes: &str| {
        if !data.is_empty() {
            ink.put(format_args!(
                "<path d=\"{data}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\"",
                Px(width)
            ));
            ink.put(format_args!(" stroke-linejoin=\"bevel\" stroke-linecap=\"round\"{dashes}/>"));
        }
    };
    let thick = (window.em / 14.0).max(0.8);
    line(borders.lines(|kind, sides| kind != Border::Edge && sides.iter().all(far)), FAR_BORDER, 0.8 * thick, "");
    let near = |sides: &[Side]| !sides.iter().all(far);
    line(
        borders.lines(|kind, sides| kind == Border::Water && near(sides)),
        SEA_BORDER,
        0.9 * thick,
        " stroke-dasharray=\"5 4\"",
    );
    line(borders.lines(|kind, sides| kind == Border::Land && near(sides)), BORDER, 1.0 * thick, "");
    line(borders.lines(|kind, sides| kind == Border::Coast && near(sides)), COAST, 1.3 * thick, "");
    let own = realm(state);
    let mine = |side: &&Side| matches!(side, Side::Land(area) if own.contains(area));
    let outline = borders.lines(|_, sides| sides.iter().filter(mine).count() == 1);
    line(outline.clone(), REALM_LIGHT, 4.6 * thick, "");
    line(outline, REALM, 2.4 * thick, "");
}

/// The areas where the reader has tokens or a city.
pub(crate) fn realm(state: &Known) -> BTreeSet<AreaId> {
    state.civ().map_or_else(BTreeSet::new, |civ| state.areas_of(Owner::Civ(civ)).collect())
}

/// Whoever stands in an area alone.
pub(crate) fn holder(state: &Known, area: AreaId) -> Option<Owner> {
    let ground = state.ground(area);
    let mut owners = ground.forces.iter().map(|force| force.owner).chain(ground.city.map(|city| city.owner));
    let first = owners.next()?;
    owners.all(|owner| owner == first).then_some(first)
}

/// A volcano, its foot in the middle.
pub(crate) fn volcano(ink: &mut Ink, [x, y]: Point, em: f32) {
    let (half, height) = (em * 0.52, em * 0.86);
    ink.put(format_args!(
        "<path d=\"M{} {}L{} {}H{}L{} {}Z\" fill=\"#7a4a36\" stroke=\"#fff8ea\" stroke-width=\"1.2\"/>",
        Px(x - half),
        Px(y + height / 2.0),
        Px(x - em * 0.14),
        Px(y - height * 0.3),
        Px(x + em * 0.14),
        Px(x + half),
        Px(y + height / 2.0),
    ));
    ink.put(format_args!(
        "<path d=\"M{} {}L{} {}L{} {}L{} {}L{} {}Z\" fill=\"#e2502c\"/>",
        Px(x - em * 0.2),
        Px(y - height * 0.3),
        Px(x - em * 0.28),
        Px(y - height * 0.78),
        Px(x),
        Px(y - height * 0.52),
        Px(x + em * 0.28),
        Px(y - height * 0.78),
        Px(x + em * 0.2),
        Px(y - height * 0.3),
    ));
}

/// A city site: a black square, or a white one on a flood plain.
pub(crate) fn site(ink: &mut Ink, [x, y]: Point, side: f32, site: CitySite) {
    let fill = match site {
        CitySite::Black => "#2b2620",
        CitySite::White => "#ffffff",
    };
    ink.put(format_args!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\" stroke=\"#2b2620\" stroke-width=\"1.2\"/>",
        Px(x),
        Px(y),
        Px(side),
        Px(side),
    ));
}

/// A population limit, its middle here.
pub(crate) fn limit(ink: &mut Ink, [x, y]: Point, size: f32, limit: u8) {
    ink.put(format_args!(
        "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#fffaf0\" stroke=\"#8a7350\" stroke-width=\"1\"/>",
        Px(x),
        Px(y),
        Px(size * 0.5),
    ));
    let digits = size * 0.84;
    ink.text(
        [x, y + digits * super::font::CAPITAL / 2.0],
        digits,
        Align::Middle,
        "fill=\"#5b4320\"",
        &limit.to_string(),
    );
}
