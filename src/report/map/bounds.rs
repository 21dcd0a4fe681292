//! Places and rectangles on a drawing.

/// A place: x to the right, y down.
pub(crate) type Point = [f32; 2];

/// A rectangle with upright sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

impl Bounds {
    /// A rectangle of this size around a place.
    pub(crate) fn around([x, y]: Point, [width, height]: [f32; 2]) -> Bounds {
        Bounds { left: x - width / 2.0, top: y - height / 2.0, right: x + width / 2.0, bottom: y + height / 2.0 }
    }

    /// The least rectangle that holds all these places.
    pub(crate) fn of(points: impl IntoIterator<Item = Point>) -> Option<Bounds> {
        points.into_iter().fold(None, |bounds: Option<Bounds>, point| {
            let dot = Bounds::around(point, [0.0, 0.0]);
            Some(bounds.map_or(dot, |bounds| bounds.with(&dot)))
        })
    }

    /// The least rectangle that holds both.
    pub(crate) fn with(&self, other: &Bounds) -> Bounds {
        Bounds {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The rectangle with so much more on each side.
    pub fn grown(&self, by: f32) -> Bounds {
        Bounds { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    /// How wide it is.
    pub(crate) fn width(&self) -> f32 {
        self.right - self.left
    }

    /// How high it is.
    pub(crate) fn height(&self) -> f32 {
        self.bottom - self.top
    }

    /// The point in its middle.
    pub fn middle(&self) -> Point {
        [(self.left + self.right) / 2.0, (self.top + self.bottom) / 2.0]
    }

    /// Whether the two share more than a side.
    pub fn overlaps(&self, other: &Bounds) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    /// Whether the other lies in it wholly.
    pub(crate) fn holds(&self, other: &Bounds) -> bool {
        self.left <= other.left && other.right <= self.right && self.top <= other.top && other.bottom <= self.bottom
    }

    /// Whether the place lies in it.
    pub fn has(&self, [x, y]: Point) -> bool {
        self.left <= x && x <= self.right && self.top <= y && y <= self.bottom
    }

    /// The place of it that is nearest to another.
    pub(crate) fn nearest(&self, [x, y]: Point) -> Point {
        [x.clamp(self.left, self.right), y.clamp(self.top, self.bottom)]
    }
}

/// How far two places are apart.
pub(crate) fn distance(a: Point, b: Point) -> f32 {
    let [x, y] = [b[0] - a[0], b[1] - a[1]];
    (x * x + y * y).sqrt()
}

/// The place that lies so far on the way from one to the other; 0 is the one, 1 the other.
pub(crate) fn between(a: Point, b: Point, part: f32) -> Point {
    [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part]
}
