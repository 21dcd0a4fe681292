//! From an SVG to a PNG of few colours.

use std::cmp::Reverse;
use std::collections::HashMap;

use png::{BitDepth, ColorType, DeflateCompression, Encoder, EncodingError, Filter};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree};
use thiserror::Error;

/// Why an SVG could not be drawn.
#[derive(Debug, Error)]
pub enum Unpaintable {
    /// It is no SVG.
    #[error("the picture cannot be read: {0}")]
    Unreadable(#[from] usvg::Error),
    /// It has no room for a pixel, or far too much.
    #[error("a picture of {width} by {height} pixels cannot be drawn")]
    Size { width: u32, height: u32 },
    /// It cannot be packed.
    #[error("the picture cannot be packed: {0}")]
    Unpackable(#[from] EncodingError),
}

/// Draws an SVG. It needs no font, for its letters are outlines.
pub fn png(svg: &str) -> Result<Vec<u8>, Unpaintable> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width(), size.height());
    let mut pixels = Pixmap::new(width, height).ok_or(Unpaintable::Size { width, height })?;
    resvg::render(&tree, Transform::default(), &mut pixels.as_mut());
    let (palette, dots) = painted(pixels.data());
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_deflate_compression(DeflateCompression::Level(PACKING));
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&dots)?;
    writer.finish()?;
    Ok(file)
}

/// How hard a picture is packed, 1 to 9. 4 takes no longer than 3, and saves a fiftieth; what saves more takes longer.
const PACKING: u8 = 4;
/// How many colours there are at most, and how many of them are kept exactly.
const COLOURS: usize = 112;
const EXACT: usize = 72;
/// As many pixels side by side make a surface.
const SURFACE: u32 = 3;
/// How many kinds of shades are told apart: 32 each of red, green and blue.
const SHADES: usize = 1 << 15;

/// How many colours are remembered.
const LATELY: usize = 1 << 12;

type Colour = [u8; 3];

/// Colours that are near to each other: how many pixels have them, and their sum.
#[derive(Debug, Clone, Copy, Default)]
struct Shade {
    count: u32,
    sum: [u64; 3],
}

/// The colours of a picture, and each of its pixels as a place among them.
///
/// The most frequent colours of surfaces are kept as they are; the shades between them share what is left.
fn painted(pixels: &[u8]) -> (Vec<Colour>, Vec<u8>) {
    // Whole numbers are compared faster than three parts.
    let dots = || pixels.chunks_exact(4).map(|pixel| u32::from_le_bytes([pixel[0], pixel[1], pixel[2], 0]));
    let mut surfaces: HashMap<u32, u32> = HashMap::new();
    let mut shades = vec![Shade::default(); SHADES];
    let mut note = |dot: u32, run: u32| match run {
        SURFACE.. => *surfaces.entry(dot).or_default() += run,
        _ => shades[shade(dot)].add(colour(dot), run),
    };
    let (mut last, mut run) = (0, 0);
    for dot in dots() {
        if dot != last {
            note(last, run);
            (last, run) = (dot, 0);
        }
        run += 1;
    }
    note(last, run);
    let mut surfaces: Vec<_> = surfaces.into_iter().collect();
    surfaces.sort_unstable_by_key(|(dot, count)| (Reverse(*count), *dot));
    let (exact, others) = surfaces.split_at(surfaces.len().min(EXACT));
    others.iter().for_each(|(dot, count)| shades[shade(*dot)].add(colour(*dot), *count));
    let mut palette: Vec<_> = exact.iter().map(|(dot, _)| colour(*dot)).collect();
    palette.extend(mixed(shades.into_iter().filter(|shade| shade.count > 0).collect(), COLOURS - palette.len()));

    let exact: HashMap<u32, u8> = exact.iter().map(|(dot, _)| *dot).zip(0..).collect();
    let mut near = vec![None; SHADES];
    let mut found = |dot: u32| {
        let place = exact.get(&dot).copied().or(near[shade(dot)]);
        let place = place.unwrap_or_else(|| nearest(&palette, colour(dot)));
        near[shade(dot)].get_or_insert(place);
        place
    };
    // What was looked up lately is remembered. No dot is as large as what is there at first.
    let mut lately = vec![(u32::MAX, 0); LATELY];
    let mut places = Vec::with_capacity(pixels.len() / 4);
    places.extend(dots().map(|dot| {
        let lately = &mut lately[dot.wrapping_mul(0x9e37_79b1) as usize >> 20 & (LATELY - 1)];
        if lately.0 != dot {
            *lately = (dot, found(dot));
        }
        lately.1
    }));
    (palette, places)
}

/// The colour of a dot.
fn colour(dot: u32) -> Colour {
    let [red, green, blue, _] = dot.to_le_bytes();
    [red, green, blue]
}

/// Which kind of shade a dot has.
fn shade(dot: u32) -> usize {
    let [red, green, blue] = colour(dot).map(|part| usize::from(part >> 3));
    red << 10 | green << 5 | blue
}

impl Shade {
    fn add(&mut self, colour: Colour, count: u32) {
        self.count += count;
        for (sum, part) in self.sum.iter_mut().zip(colour) {
            *sum += u64::from(part) * u64::from(count);
        }
    }

    fn mean(&self) -> Colour {
        self.sum.map(|sum| (sum / u64::from(self.count.max(1))) as u8)
    }
}

/// So many colours that stand for all of these shades: boxes of them, the widest halved until there are enough.
fn mixed(shades: Vec<Shade>, wanted: usize) -> Vec<Colour> {
    let mut boxes: Vec<Box> =
        Box::of(shades.into_iter().map(|shade| (shade.mean(), shade.count)).collect()).into_iter().collect();
    while boxes.len() < wanted {
        let widest = boxes.iter().enumerate().max_by_key(|(place, shades)| (shades.width, Reverse(*place)));
        let Some((place, Box { width: 1.., .. })) = widest else { break };
        let Box { mut shades, part, .. } = boxes.swap_remove(place);
        shades.sort_unstable_by_key(|(colour, _)| (colour[part], *colour));
        let half = shades.iter().map(|(_, count)| u64::from(*count)).sum::<u64>() / 2;
        let mut sum = 0;
        let middle = shades.iter().position(|(_, count)| {
            sum += u64::from(*count);
            sum > half
        });
        let rest = shades.split_off(middle.unwrap_or(1).clamp(1, shades.len() - 1));
        boxes.extend(Box::of(shades).into_iter().chain(Box::of(rest)));
    }
    boxes.iter().map(Box::mean).collect()
}

/// Some shades, and how far they lie apart.
struct Box {
    shades: Vec<(Colour, u32)>,
    /// How much would be won by halving it.
    width: u64,
    /// In which of red, green and blue they lie farthest apart.
    part: usize,
}

impl Box {
    fn of(shades: Vec<(Colour, u32)>) -> Option<Box> {
        let spread = |part: usize| {
            let values = || shades.iter().map(|(colour, _)| u64::from(colour[part]));
            Some(values().max()? - values().min()?)
        };
        let spreads = [spread(0)?, spread(1)?, spread(2)?];
        let part = (0..3).max_by_key(|part| spreads[*part])?;
        let weight: u64 = shades.iter().map(|(_, count)| u64::from(*count)).sum();
        Some(Box { width: spreads[part] * spreads[part] * weight.isqrt(), part, shades })
    }

    fn mean(&self) -> Colour {
        let mut mean = Shade::default();
        self.shades.iter().for_each(|(colour, count)| mean.add(*colour, *count));
        mean.mean()
    }
}

fn nearest(palette: &[Colour], colour: Colour) -> u8 {
    let far = |other: &Colour| {
        let part = |part: usize| i32::from(other[part]) - i32::from(colour[part]);
        part(0) * part(0) * 3 + part(1) * part(1) * 5 + part(2) * part(2) * 2
    };
    let nearest = palette.iter().enumerate().min_by_key(|(_, other)| far(other));
    nearest.map_or(0, |(place, _)| place as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_stay_as_they_are_and_many_become_few() {
        let pixel = |colour: Colour| [colour[0], colour[1], colour[2], 255];
        let flags: Vec<_> = [[200, 10, 10]; 9].into_iter().chain([[0, 0, 0]; 5]).flat_map(pixel).collect();
        let (palette, dots) = painted(&flags);
        assert_eq!(palette, [[200, 10, 10], [0, 0, 0]]);
        assert_eq!(dots, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
        let many: Vec<_> = (0..40_000u32).flat_map(|n| pixel([n as u8, (n >> 8) as u8, (n * 7) as u8])).collect();
        let (palette, dots) = painted(&many);
        assert_eq!((palette.len(), dots.len()), (COLOURS, 40_000));
    }

    #[test]
    fn what_is_no_picture_is_said_to_be_none() {
        assert!(matches!(png("a letter"), Err(Unpaintable::Unreadable(_))));
    }
}
