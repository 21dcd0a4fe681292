//! The picture that a forum or a messenger shows of a public page: a strip with words, and below it the whole map.

use super::font;
use super::ink::{Align, Ink, Px};
use super::{FRAME, terrain, touch};
use crate::game::Known;
use crate::rules::Language;

/// The size of such a picture, in pixels: what those who show it ask for.
pub(crate) const PREVIEW: [u32; 2] = [1200, 630];
/// How high the strip is.
const STRIP: f32 = 84.0;
/// How large its words are, and how much of the strip stays free beside them.
const WORDS: f32 = 40.0;
const MARGIN: f32 = 32.0;

/// The picture as an SVG. Words that find no room are written smaller.
pub fn preview(known: &Known, language: Language, words: &str) -> String {
    let [width, height] = PREVIEW.map(|length| length as f32);
    let map = touch::touchable(known, language, &Default::default());
    let inner = map.replacen("<svg ", "<svg preserveAspectRatio=\"xMidYMid meet\" ", 1);
    let mut ink = Ink::default();
    ink.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">",
        Px(width),
        Px(height)
    ));
    let shallow = terrain::SHALLOW;
    ink.put(format_args!("<rect width=\"{}\" height=\"{}\" fill=\"{shallow}\"/>", Px(width), Px(height)));
    // The map has its size in attributes of its own; here it takes the room below the strip.
    ink.put(format_args!("{}", fitted(&inner, [0.0, STRIP, width, height - STRIP])));
    ink.put(format_args!("<rect width=\"{}\" height=\"{}\" fill=\"{FRAME}\"/>", Px(width), Px(STRIP)));
    let size = WORDS * ((width - MARGIN * 2.0) / font::width(words, WORDS).max(1.0)).min(1.0);
    let line = (STRIP + size * font::CAPITAL) / 2.0;
    ink.text([MARGIN, line], size, Align::Left, "fill=\"#fffaf0\"", words);
    ink.put(format_args!("</svg>\n"));
    ink.0
}

/// An SVG as a part of another: at this place and of this size, whatever its own are.
fn fitted(svg: &str, [left, top, width, height]: [f32; 4]) -> String {
    let (head, rest) = svg.split_once('>').unwrap_or((svg, ""));
    let place = format!(" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", Px(left), Px(top), Px(width), Px(height));
    let kept = head.split_inclusive('"').collect::<Vec<_>>();
    let kept: String = kept
        .chunks(2)
        .filter(|pair| !pair[0].starts_with(" width=") && !pair[0].starts_with(" height="))
        .flatten()
        .copied()
        .collect();
    format!("{kept}{place}>{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_within_a_picture_has_one_size() {
        let svg = "<svg xmlns=\"x\" width=\"10\" height=\"20\" viewBox=\"0 0 10 20\" fill=\"red\"><path/></svg>";
        let expected = "<svg xmlns=\"x\" viewBox=\"0 0 10 20\" fill=\"red\" x=\"0\" y=\"84\" width=\"1200\" height=\"546\"><path/></svg>";
        assert_eq!(fitted(svg, [0.0, 84.0, 1200.0, 546.0]), expected);
    }
}
