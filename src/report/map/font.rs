//! The one font of all pictures: how wide its words are, and how its letters are drawn.
//!
//! Letters are drawn as outlines, so that a picture looks the same wherever it is opened, fonts or no fonts.

use std::fmt::Write as _;
use std::sync::LazyLock;

use ttf_parser::{Face, OutlineBuilder};

/// How high a capital is, as a part of the size.
pub(crate) const CAPITAL: f32 = 0.711;
/// How many units of the outlines make the size.
pub(crate) const UNITS: f32 = 2048.0;

const FILE: &[u8] = include_bytes!("../../../assets/font/RobotoCondensed-Medium.ttf");
/// Letters up to `ž` are drawn, and these signs; for whatever else an edition may write a question mark stands.
const LETTERS: u32 = 0x180;
const SIGNS: [char; 4] = ['−', '–', '’', '…'];

#[derive(Debug, Clone, Default)]
struct Glyph {
    /// How far it is to the next, in units.
    advance: i32,
    contours: Vec<Contour>,
}

/// A closed line of a letter.
#[derive(Debug, Clone, Default)]
struct Contour {
    start: [i32; 2],
    /// How it goes on from there, as the data of a path.
    data: String,
    corners: Vec<[i32; 2]>,
}

impl Contour {
    /// Twice its area; whether that is below zero says which way it turns.
    fn turn(&self) -> i64 {
        let next = self.corners.iter().cycle().skip(1);
        let ends = self.corners.iter().zip(next).map(|(a, b)| (a.map(i64::from), b.map(i64::from)));
        ends.map(|([ax, ay], [bx, by])| ax * by - bx * ay).sum()
    }
}

/// All letters, signs at the end.
static FONT: LazyLock<Vec<Glyph>> = LazyLock::new(|| {
    let font = Face::parse(FILE, 0).expect("the built-in font is sound");
    let letter = |sign: char| {
        let glyph = font.glyph_index(sign)?;
        let mut pen = Pen::default();
        // A blank has a width and no outline.
        font.outline_glyph(glyph, &mut pen);
        Some(Glyph { advance: i32::from(font.glyph_hor_advance(glyph)?), contours: pen.contours })
    };
    let unknown = letter('?').expect("the built-in font has a question mark");
    let all = (0..LETTERS).filter_map(char::from_u32).chain(SIGNS);
    all.map(|sign| letter(sign).unwrap_or_else(|| unknown.clone())).collect()
});

fn letter(sign: char) -> &'static Glyph {
    let sign_at = || SIGNS.iter().position(|other| *other == sign).map(|at| at + LETTERS as usize);
    let at = Some(sign as usize).filter(|at| *at < LETTERS as usize).or_else(sign_at);
    &FONT[at.unwrap_or('?' as usize)]
}

/// How wide a line of text is.
pub(crate) fn width(text: &str, size: f32) -> f32 {
    text.chars().map(|sign| letter(sign).advance).sum::<i32>() as f32 * size / UNITS
}

/// The outlines of a line of text as the data of a path, in units, the y axis pointing down.
pub(crate) fn outline(text: &str) -> String {
    let mut data = String::new();
    let mut x = 0;
    for letter in text.chars().map(letter) {
        for Contour { start: [left, top], data: rest, .. } in &letter.contours {
            write!(data, "M{} {top}{rest}", x + left).expect("a string takes whatever is written");
        }
        x += letter.advance;
    }
    data
}

/// The corners of a line of text, contour by contour, in units, without those around the holes of letters: enough for a
/// broad line around it.
pub(crate) fn corners(text: &str) -> Vec<Vec<[i32; 2]>> {
    let mut contours = Vec::new();
    let mut left = 0;
    for letter in text.chars().map(letter) {
        let moved = |contour: &Contour| contour.corners.iter().map(|[x, y]| [x + left, *y]).collect();
        let outward = letter.contours.iter().map(Contour::turn).max_by_key(|turn| turn.abs()).unwrap_or(0).signum();
        contours.extend(letter.contours.iter().filter(|contour| contour.turn().signum() == outward).map(moved));
        left += letter.advance;
    }
    contours
}

/// Writes outlines down, each contour from where it begins.
#[derive(Default)]
struct Pen {
    contours: Vec<Contour>,
    at: [i32; 2],
}

impl Pen {
    fn go(&mut self, sign: char, points: &[[f32; 2]]) {
        let from = self.at;
        let Some(Contour { data, corners, .. }) = self.contours.last_mut() else { return };
        data.push(sign);
        for (number, [x, y]) in points.iter().enumerate() {
            let point = [x.round() as i32, -y.round() as i32];
            let space = if number > 0 { " " } else { "" };
            write!(data, "{space}{} {}", point[0] - from[0], point[1] - from[1])
                .expect("a string takes whatever is written");
            self.at = point;
        }
        corners.push(self.at);
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.at = [x.round() as i32, -y.round() as i32];
        self.contours.push(Contour { start: self.at, ..Contour::default() });
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.go('l', &[[x, y]]);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.go('q', &[[cx, cy], [x, y]]);
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.go('c', &[[cx0, cy0], [cx1, cy1], [x, y]]);
    }

    fn close(&mut self) {
        self.go('z', &[]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_letters_of_both_languages_are_drawn() {
        let unknown = outline("?");
        for sign in ('!'..='~').chain("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ×·".chars()).chain(SIGNS).filter(|sign| *sign != '?')
        {
            assert!(!outline(&sign.to_string()).is_empty() && outline(&sign.to_string()) != unknown, "{sign}");
        }
        assert_eq!(outline("☃"), unknown);
        assert_eq!(outline(" "), "");
    }

    #[test]
    fn words_are_as_wide_as_their_letters() {
        assert!(width("Mauretania", 10.0) > width("Mari", 10.0));
        assert_eq!(width("Ur", 20.0), width("U", 20.0) + width("r", 20.0));
        assert_eq!(width("", 10.0), 0.0);
    }
}
