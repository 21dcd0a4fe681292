//! The legend: who is who and what is what, on a strip of its own below the map, so that it hides nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::bounds::Bounds;
use super::colours::Liveries;
use super::font;
use super::ink::{Align, Ink, Px};
use super::layout::{Layout, Scene};
use super::marks;
use super::pieces::{Piece, standing};
use super::terrain;
use super::words::Term;
use crate::game::Owner;
use crate::rules::{AreaId, CitySite};

/// An entry: what it shows and what it says.
struct Entry<'a> {
    sign: Sign,
    words: &'a str,
    width: f32,
}

/// An owner's colour and letters, a term, or a term shown by a piece of somebody.
#[derive(Clone, Copy)]
enum Sign {
    Owner(Owner),
    Term(Term),
    Piece(Term, Piece),
}

/// The size of writing above and below a map of this width, in pixels.
pub(crate) fn strip_size(width: f32) -> f32 {
    (width / 90.0).clamp(18.0, 32.0)
}

/// How large pieces are, as a part of the size of writing.
const PIECE: f32 = 0.86;

/// The size of its writing and the room of a row, in pixels.
pub(crate) struct Legend<'a> {
    rows: Vec<Vec<Entry<'a>>>,
    em: f32,
    row: f32,
}

impl<'a> Legend<'a> {
    /// Explains what can be seen on all parts, in rows as wide as the paper.
    pub(crate) fn of(parts: &[(Scene<'a>, Layout)], width: f32) -> Legend<'a> {
        let em = strip_size(width);
        let (mut everybody, mut everything) = (BTreeSet::new(), BTreeMap::new());
        for (scene, layout) in parts {
            let map = &scene.state.printed().map;
            let mut seen: BTreeSet<_> =
                map.ids().filter(|area| scene.window.part.has(map.area(*area).drawing.label)).collect();
            seen.extend(layout.pieces(false).iter().chain(&layout.pieces(true)).map(|placed| placed.area));
            everybody.extend(owners(scene, &seen));
            for (term, piece) in terms(scene, &seen) {
                everything.entry(term).or_insert(piece);
            }
        }
        let signs =
            everybody.into_iter().map(Sign::Owner).chain(everything.into_iter().map(|(term, piece)| match piece {
                Some(piece) => Sign::Piece(term, piece),
                None => Sign::Term(term),
            }));
        let entries: Vec<_> =
            parts.first().map_or(Vec::new(), |(scene, _)| signs.map(|sign| entry(scene, sign, em)).collect());
        let room = width - em * 1.2;
        let mut rows: Vec<Vec<Entry>> = Vec::new();
        let mut left = 0.0;
        for entry in entries {
            match rows.last_mut().filter(|_| entry.width <= left) {
                Some(row) => {
                    left -= entry.width;
                    row.push(entry);
                }
                None => {
                    left = room - entry.width;
                    rows.push(vec![entry]);
                }
            }
        }
        Legend { rows, em, row: em * 1.75 }
    }

    /// How high it is.
    pub(crate) fn height(&self) -> f32 {
        self.rows.len() as f32 * self.row + self.em * 0.5
    }

    /// Draws it below the map.
    pub(crate) fn draw(&self, ink: &mut Ink, liveries: &Liveries, [top, width]: [f32; 2]) {
        ink.put(format_args!(
            "<rect y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#fbf7ee\"/><path d=\"M0 {}H{}\" stroke=\"#8a7350\" stroke-width=\"1\"/>",
            Px(top),
            Px(width),
            Px(self.height().ceil()),
            Px(top),
            Px(width),
        ));
        for (number, row) in self.rows.iter().enumerate() {
            let middle = top + self.em * 0.25 + (number as f32 + 0.5) * self.row;
            let mut x = self.em * 0.6;
            for entry in row {
                let sign = sign_width(entry.sign, liveries, self.em);
                draw(ink, liveries, entry.sign, [x, middle], self.em);
                let at = [x + sign + self.em * 0.3, middle + self.em * font::CAPITAL / 2.0];
                ink.text(at, self.em, Align::Left, "fill=\"#33291c\"", entry.words);
                x += entry.width;
            }
        }
    }
}

/// Everybody who can be seen.
fn owners(scene: &Scene, seen: &BTreeSet<AreaId>) -> BTreeSet<Owner> {
    let mut owners = BTreeSet::new();
    for &area in seen {
        let ground = scene.state.ground(area);
        owners.extend(ground.forces.iter().map(|force| force.owner).chain(ground.city.map(|city| city.owner)));
        owners.extend(scene.changes.lost.iter().filter(|(lost, _)| *lost == area).map(|(_, owner)| *owner));
        owners.extend(scene.changes.tokens.keys().filter(|(other, _)| *other == area).map(|(_, owner)| *owner));
        let ships = scene.state.holdings().iter().filter(|holding| holding.ships.iter().any(|ship| ship.area == area));
        owners.extend(ships.map(|holding| Owner::Civ(holding.civ)));
    }
    owners
}

/// Everything that can be seen and is not plain, pieces with an example.
fn terms(scene: &Scene, seen: &BTreeSet<AreaId>) -> BTreeMap<Term, Option<Piece>> {
    let map = &scene.state.printed().map;
    let mut terms = BTreeMap::new();
    for &id in seen {
        let (area, ground) = (map.area(id), scene.state.ground(id));
        if ground.out_of_play {
            terms.insert(Term::OutOfPlay, None);
            continue;
        }
        terms.extend(area.has_land().then_some((Term::Limit, None)));
        terms.extend(area.site.map(|site| match site {
            CitySite::Black => (Term::Site, None),
            CitySite::White => (Term::LowSite, None),
        }));
        terms.extend(area.features.flood_plain.map(|_| (Term::FloodPlain, None)));
        terms.extend(area.features.volcano.map(|_| (Term::Volcano, None)));
        let standing = standing(scene.state, scene.changes, id);
        for piece in standing.ashore.iter().chain(&standing.afloat) {
            let term = match piece {
                Piece::Tokens { .. } => Term::Tokens,
                Piece::City { won: false, .. } => Term::City,
                Piece::City { won: true, .. } => Term::New,
                Piece::Ruin { .. } => Term::Lost,
                Piece::Ships { .. } => Term::Ship,
            };
            terms.entry(term).or_insert(Some(*piece));
        }
        let fought = scene.changes.conflicts.contains(&id) || scene.state.is_conflict(id);
        terms.extend(fought.then_some((Term::Conflict, None)));
        terms.extend(scene.changes.moves.keys().any(|moved| moved.way.contains(&id)).then_some((Term::Move, None)));
    }
    terms
}

fn entry<'a>(scene: &Scene<'a>, sign: Sign, em: f32) -> Entry<'a> {
    let words = match sign {
        Sign::Owner(Owner::Civ(civ)) => scene.words.civ(civ),
        Sign::Owner(Owner::Barbarians) => scene.words.term(Term::Barbarians),
        Sign::Term(term) | Sign::Piece(term, _) => scene.words.term(term),
    };
    let width = sign_width(sign, scene.liveries, em) + font::width(words, em) + em * 1.0;
    Entry { sign, words, width }
}

fn sign_width(sign: Sign, liveries: &Liveries, em: f32) -> f32 {
    match sign {
        Sign::Owner(owner) => font::width(&liveries.livery(owner).sign, em * 0.9) + em * 0.5,
        Sign::Piece(_, piece) => piece.size(liveries, em * PIECE)[0],
        Sign::Term(term) => match term {
            Term::Move => em * 1.9,
            Term::FloodPlain | Term::OutOfPlay | Term::Conflict => em * 1.4,
            Term::Volcano | Term::Limit => em,
            Term::Site | Term::LowSite => em * 0.6,
            Term::Tokens | Term::City | Term::Ship | Term::New | Term::Lost | Term::Barbarians => 0.0,
        },
    }
}

/// Draws a sign, its left end and its middle given.
fn draw(ink: &mut Ink, liveries: &Liveries, sign: Sign, [x, y]: [f32; 2], em: f32) {
    let width = sign_width(sign, liveries, em);
    let square = |ink: &mut Ink, paint: &str| {
        ink.put(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {paint}/>",
            Px(x),
            Px(y - em * 0.5),
            Px(width),
            Px(em),
        ));
    };
    match sign {
        Sign::Owner(owner) => {
            let livery = liveries.livery(owner);
            ink.put(format_args!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.2\"/>",
                Px(x),
                Px(y - em * 0.62),
                Px(width),
                Px(em * 1.24),
                livery.ground,
                livery.line,
            ));
            let size = em * 0.9;
            let at = [x + width / 2.0, y + size * font::CAPITAL / 2.0];
            ink.text(at, size, Align::Middle, &format!("fill=\"{}\"", livery.ink), &livery.sign);
        }
        Sign::Piece(_, piece) => {
            let height = piece.size(liveries, em * PIECE)[1];
            piece.draw(ink, liveries, [x, y - height / 2.0], em * PIECE);
        }
        Sign::Term(term) => match term {
            Term::Limit => terrain::limit(ink, [x + em * 0.5, y], em * 0.95, 3),
            Term::Site => terrain::site(ink, [x, y - em * 0.28], em * 0.55, CitySite::Black),
            Term::LowSite => terrain::site(ink, [x, y - em * 0.28], em * 0.55, CitySite::White),
            Term::FloodPlain => {
                square(ink, &format!("fill=\"{}\"", terrain::PLAIN));
                square(ink, "fill=\"url(#waves)\" stroke=\"#b49f7c\"");
            }
            Term::OutOfPlay => {
                square(ink, &format!("fill=\"{}\"", terrain::FAR_LAND));
                square(ink, "fill=\"url(#hatch)\" stroke=\"#b7b2a8\"");
            }
            Term::Volcano => terrain::volcano(ink, [x + em * 0.5, y + em * 0.1], em * 0.9),
            Term::Conflict => marks::burst(ink, &Bounds::around([x + em * 0.7, y], [em * 0.35, em * 0.2]), em * 0.7),
            Term::Move => ink.put(format_args!(
                "<path d=\"M{} {}H{}\" stroke=\"#4a4238\" stroke-width=\"{}\"/><path d=\"M{} {}L{} {}L{} {}Z\" fill=\"#4a4238\"/>",
                Px(x),
                Px(y),
                Px(x + em * 1.3),
                Px(em * 0.24),
                Px(x + em * 1.25),
                Px(y - em * 0.38),
                Px(x + em * 1.85),
                Px(y),
                Px(x + em * 1.25),
                Px(y + em * 0.38),
            )),
            Term::Tokens | Term::City | Term::Ship | Term::New | Term::Lost | Term::Barbarians => {}
        },
    }
}
