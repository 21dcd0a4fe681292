//! Ink: how a picture is written down. Numbers have one decimal, text is escaped.

use std::fmt::{self, Write as _};

use super::bounds::Point;
use super::font;

/// The text of an SVG as it grows.
#[derive(Debug, Default)]
pub(crate) struct Ink(pub String);

impl Ink {
    /// Writes so much more.
    pub(crate) fn put(&mut self, more: fmt::Arguments) {
        self.0.write_fmt(more).expect("a string takes whatever is written");
    }

    /// Writes a text with its signs escaped.
    pub(crate) fn say(&mut self, text: &str) {
        for letter in text.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                // No XML may hold them, escaped or not.
                control if control.is_control() => {}
                other => self.0.push(other),
            }
        }
    }

    /// Writes a line of text: where its line begins or has its middle. `paint` holds further attributes; a width of a
    /// line among them is in units of the font.
    pub(crate) fn text(&mut self, [x, y]: Point, size: f32, align: Align, paint: &str, text: &str) {
        let left = match align {
            Align::Left => x,
            Align::Middle => x - font::width(text, size) / 2.0,
        };
        let scale = size / font::UNITS;
        self.put(format_args!("<path aria-label=\""));
        self.say(text);
        self.put(format_args!("\" transform=\"matrix({scale:.5} 0 0 {scale:.5} {} {})\"", Px(left), Px(y)));
        if !paint.is_empty() {
            self.put(format_args!(" {paint}"));
        }
        self.put(format_args!(" d=\"{}\"/>", font::outline(text)));
    }

    /// Goes around a line of text, its line beginning there, as the data of a path.
    pub(crate) fn around(&mut self, [x, y]: Point, size: f32, text: &str) {
        let scale = size / font::UNITS;
        for contour in font::corners(text) {
            for (number, corner) in contour.iter().enumerate() {
                let at = [x + corner[0] as f32 * scale, y + corner[1] as f32 * scale];
                self.put(format_args!("{}{} {}", if number == 0 { "M" } else { "L" }, Px(at[0]), Px(at[1])));
            }
            self.put(format_args!("Z"));
        }
    }
}

/// What of a line of text a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Middle,
}

/// A length or a place in pixels, written with one decimal at most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Px(pub f32);

impl fmt::Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() as i32;
        let sign = if tenths < 0 { "-" } else { "" };
        match (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10) {
            (whole, 0) => write!(f, "{sign}{whole}"),
            (whole, tenth) => write!(f, "{sign}{whole}.{tenth}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_text_is_escaped() {
        assert_eq!(
            [0.0, -0.04, 12.0, 12.34, -0.55, 1000.96].map(|x| Px(x).to_string()).join(" "),
            "0 0 12 12.3 -0.6 1001"
        );
        let mut ink = Ink::default();
        ink.say("Tyre & <Sidon>\u{1}");
        assert_eq!(ink.0, "Tyre &amp; &lt;Sidon&gt;");
    }
}
