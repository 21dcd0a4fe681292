//! Blocks: a name with its numbers, pieces in rows, or both, before it is known where they go.

use super::bounds::Bounds;
use super::colours::Liveries;
use super::font;
use super::ink::{Align, Ink};
use super::pieces::Piece;
use super::terrain;
use crate::rules::{Area, CitySite};

/// Rows of things, one above the other, each centred.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    rows: Vec<Row>,
    /// Its width and height.
    pub size: [f32; 2],
}

#[derive(Debug, Clone)]
struct Row {
    items: Vec<(Item, f32)>,
    size: [f32; 2],
    gap: f32,
    em: f32,
}

#[derive(Debug, Clone)]
enum Item {
    Text(String),
    Limit(u8),
    Site(CitySite),
    Piece(Piece),
}

/// How a name is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Style {
    /// An area with land.
    Land,
    Sea,
    /// An area out of play.
    Far,
}

impl Block {
    /// All ways to write a name at this size, best first.
    pub(crate) fn names(name: &str, area: &Area, style: Style, em: f32) -> Vec<Block> {
        let marks = || match style {
            Style::Land => {
                let limit = std::iter::once((Item::Limit(area.limit), em * 0.94));
                limit.chain(area.site.map(|site| (Item::Site(site), em * 0.56))).collect()
            }
            Style::Sea | Style::Far => Vec::new(),
        };
        let text = |text: &str| (Item::Text(text.to_owned()), font::width(text, em));
        let row = |items: Vec<(Item, f32)>| Row::new(items, em * 0.96, em * 0.22, em);
        let with_marks = |line: &str| row([vec![text(line)], marks()].concat());
        let mut blocks = vec![Block::new(vec![with_marks(name)])];
        if let Some((first, second)) = halves(name) {
            blocks.push(Block::new(vec![row(vec![text(first)]), with_marks(second)]));
            if style == Style::Land {
                blocks.push(Block::new(vec![row(vec![text(first)]), row(vec![text(second)]), row(marks())]));
            }
        }
        if style == Style::Land {
            blocks.push(Block::new(vec![row(vec![text(name)]), row(marks())]));
        }
        blocks
    }

    /// All ways to lay out pieces: in one row, in two, in three.
    pub(crate) fn pieces(pieces: &[Piece], liveries: &Liveries, em: f32) -> Vec<Block> {
        let sized: Vec<_> = pieces.iter().map(|piece| (Item::Piece(*piece), piece.size(liveries, em))).collect();
        let row = |items: &[(Item, [f32; 2])]| {
            let height = items.iter().map(|(_, size)| size[1]).fold(0.0, f32::max);
            let items = items.iter().map(|(item, size)| (item.clone(), size[0])).collect();
            Row::new(items, height, em * 0.16, em)
        };
        let mut blocks: Vec<Block> = Vec::new();
        for rows in 1..=sized.len().min(3) {
            let length = sized.len().div_ceil(rows);
            blocks.push(Block::new(sized.chunks(length).map(row).collect()));
        }
        blocks
    }

    /// One block above another.
    pub(crate) fn above(&self, other: &Block) -> Block {
        Block::new(self.rows.iter().chain(&other.rows).cloned().collect())
    }

    fn new(rows: Vec<Row>) -> Block {
        let width = rows.iter().map(|row| row.size[0]).fold(0.0, f32::max);
        let height: f32 = rows.iter().map(|row| row.size[1]).sum();
        let gaps: f32 = rows.windows(2).map(|pair| gap(&pair[0], &pair[1])).sum();
        Block { rows, size: [width, height + gaps] }
    }

    /// Draws a part of a block that lies there.
    pub(crate) fn draw(&self, ink: &mut Ink, liveries: &Liveries, bounds: &Bounds, part: Part) {
        let mut y = bounds.top;
        for (number, row) in self.rows.iter().enumerate() {
            let mut x = bounds.middle()[0] - row.size[0] / 2.0;
            for (item, width) in &row.items {
                let middle = y + row.size[1] / 2.0;
                match (item, part) {
                    (Item::Text(text), Part::Names) => {
                        ink.text([x, middle + row.em * font::CAPITAL / 2.0], row.em, Align::Left, "", text);
                    }
                    (Item::Text(text), Part::Halo) => {
                        ink.around([x, middle + row.em * font::CAPITAL / 2.0], row.em, text);
                    }
                    (Item::Limit(limit), Part::Marks) => {
                        terrain::limit(ink, [x + width / 2.0, middle], row.em * 0.9, *limit);
                    }
                    (Item::Site(site), Part::Marks) => {
                        terrain::site(ink, [x + row.em * 0.03, middle - row.em * 0.25], row.em * 0.5, *site);
                    }
                    (Item::Piece(piece), Part::Pieces) => {
                        let height = piece.size(liveries, row.em)[1];
                        piece.draw(ink, liveries, [x, y + row.size[1] - height], row.em);
                    }
                    (Item::Text(_), Part::Marks | Part::Pieces)
                    | (Item::Limit(_) | Item::Site(_), Part::Halo | Part::Names | Part::Pieces)
                    | (Item::Piece(_), Part::Halo | Part::Names | Part::Marks) => {}
                }
                x += width + row.gap;
            }
            y += row.size[1] + self.rows.get(number + 1).map_or(0.0, |next| gap(row, next));
        }
    }

    /// The size of its smallest name.
    pub(crate) fn name_size(&self) -> Option<f32> {
        let named = self.rows.iter().filter(|row| row.items.iter().any(|(item, _)| matches!(item, Item::Text(_))));
        named.map(|row| row.em).reduce(f32::min)
    }

    /// Whether a name is written in it.
    pub(crate) fn has_name(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.items).any(|(item, _)| matches!(item, Item::Text(_)))
    }

    /// Whether pieces stand in it.
    pub(crate) fn has_pieces(&self) -> bool {
        self.rows.iter().flat_map(|row| &row.items).any(|(item, _)| matches!(item, Item::Piece(_)))
    }

    pub(crate) fn is_afloat(&self) -> bool {
        let mut items = self.rows.iter().flat_map(|row| &row.items);
        items.any(|(item, _)| matches!(item, Item::Piece(Piece::Ships { .. })))
    }

    /// Where its pieces lie, if it has any.
    pub(crate) fn pieces_in(&self, bounds: &Bounds) -> Option<Bounds> {
        let has_pieces = |row: &&Row| row.items.iter().any(|(item, _)| matches!(item, Item::Piece(_)));
        let rows: Vec<_> = self.rows.iter().filter(has_pieces).collect();
        let width = rows.iter().map(|row| row.size[0]).reduce(f32::max)?;
        let height: f32 = rows.iter().map(|row| row.size[1]).sum();
        let gaps: f32 = rows.windows(2).map(|pair| gap(pair[0], pair[1])).sum();
        // Pieces are always below.
        let top = bounds.bottom - height - gaps;
        Some(Bounds { top, ..Bounds::around(bounds.middle(), [width, bounds.height()]) })
    }
}

/// What of a block is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The light around names, as the data of a path.
    Halo,
    Names,
    Marks,
    Pieces,
}

impl Row {
    fn new(items: Vec<(Item, f32)>, height: f32, gap: f32, em: f32) -> Row {
        let width = items.iter().map(|(_, width)| width).sum::<f32>() + gap * items.len().saturating_sub(1) as f32;
        Row { items, size: [width, height], gap, em }
    }
}

/// The space between two rows.
fn gap(above: &Row, below: &Row) -> f32 {
    let is_writing = |row: &Row| !row.items.iter().any(|(item, _)| matches!(item, Item::Piece(_)));
    match (is_writing(above), is_writing(below)) {
        (true, true) => above.em * 0.04,
        (true, false) | (false, true) | (false, false) => above.em * 0.14,
    }
}

/// Where a name of several words is best broken: the wider half as slim as can be.
fn halves(name: &str) -> Option<(&str, &str)> {
    let breaks = name.match_indices([' ', '-']).map(|(at, sign)| {
        let end = if sign == "-" { at + 1 } else { at };
        (&name[..end], &name[at + 1..])
    });
    breaks.filter(|(first, second)| !first.is_empty() && !second.is_empty()).min_by(|one, other| {
        let widest = |halves: &(&str, &str)| font::width(halves.0, 1.0).max(font::width(halves.1, 1.0));
        widest(one).total_cmp(&widest(other))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_broken_where_they_are_slimmest() {
        assert_eq!(halves("Eastern Arabia Felix"), Some(("Eastern", "Arabia Felix")));
        assert_eq!(halves("Chanhu-Daro"), Some(("Chanhu-", "Daro")));
        assert_eq!(halves("Troy"), None);
        assert_eq!(halves(" -"), None);
    }
}
