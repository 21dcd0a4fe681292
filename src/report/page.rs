//! The order page: what a seat sees in a browser, as HTML, as data and as a map that can be touched.
//!
//! Comes in: what the seat knows, its sheet, and what only the desk knows (the cut-off, the last report, the token of the
//! device). Goes out: pages that work without scripts, and the data that scripts draw from. Nothing of the game is decided
//! in a browser: it writes lines, and [`tried`] says what would come of them. Words are in `templates/*/page.toml`.

mod advances;
pub mod assets;
mod board;
mod book;
mod chart;
mod data;
mod forms;
mod market;
pub(crate) mod moderator;
mod past;
mod perils;
mod plan;
mod public;
mod report;
mod trial;
mod words;

use std::collections::BTreeSet;

use minijinja::value::Serde;
use minijinja::{Value, context};

use super::letters::Moment;
use super::map::touchable;
use super::reach::reach;
use super::templates::Templates;
use crate::game::Known;
use crate::orders::Sheet;
use crate::rules::{AreaId, Civ, Language};

pub use book::book;
pub use data::data;
pub use market::market;
pub(crate) use moderator::overview;
pub use moderator::{Aside, Done, Me, Moderated, Now, Overview, Pasted, Request, Shown, Waiting, moderated};
pub use past::{Behind, OldLetter, Past, Standings, Words as Spoken, past};
pub use public::{
    Entry, Listed, Public, PublicLink, PublicPast, Ruled, Stamp, Watcher, games, preview, public, record,
};
pub use report::letter;
pub use trial::{Fate, Tried, tried};
pub(crate) use words::Words;

/// A seat as its page sees it.
#[derive(Clone, Copy)]
pub struct Seat<'a> {
    /// What its player knows.
    pub known: &'a Known,
    pub civ: Civ,
    pub sheet: &'a Sheet,
    /// The words of its language.
    pub templates: &'a Templates,
    pub name: SeatName<'a>,
    /// The cut-off of the open phase.
    pub cut_off: Option<&'a Moment>,
    pub awaited: &'a [Civ],
    /// Whether the game has ended, at its end or before it.
    pub ended: bool,
    /// The HTML of the last report, as it was written.
    pub report: Option<&'a str>,
    pub newest: Newest<'a>,
    pub visit: Visit<'a>,
}

/// What a seat is called.
#[derive(Clone, Copy)]
pub struct SeatName<'a> {
    /// The short name of the game, as in addresses.
    pub game: &'a str,
    /// The title of the game.
    pub title: &'a str,
    /// The seat as in addresses.
    pub slug: &'a str,
    /// Whether everybody may watch the game on its public page.
    pub watched: bool,
}

/// By what a browser knows whether it has shown all there is.
#[derive(Clone, Copy)]
pub struct Newest<'a> {
    /// What is seen: it changes with everything that does.
    pub revision: &'a str,
    /// The name of the map, from [`map_name`].
    pub map: &'a str,
    /// The number of the last words that somebody wrote to the player.
    pub heard: i64,
}

/// What a page shows of the visit, beside what it shows of the seat.
#[derive(Clone, Copy)]
pub struct Visit<'a> {
    /// What a form must show to be believed.
    pub token: &'a str,
    /// The id of a form that is sent without scripts.
    pub mark: &'a str,
    /// What was answered to such a form.
    pub answer: Option<&'a str>,
}

/// The touchable map of a reader.
pub fn map(known: &Known, language: Language) -> String {
    let rows = known.civ().map_or_else(Vec::new, |civ| reach(known, civ));
    let threatened: BTreeSet<AreaId> =
        rows.iter().filter(|row| !row.threats.is_empty()).map(|row| row.place.area).collect();
    touchable(known, language, &threatened)
}

/// The name of a map in its address: another map has another name.
pub fn map_name(svg: &str) -> String {
    assets::digest(&[svg.as_bytes()])
}

/// The page of a seat.
pub fn html(seat: &Seat) -> String {
    let data = data(seat);
    let facts = context! {
        address => format!("/s/{}/{}", seat.name.game, seat.name.slug),
        report => seat.report.map(|html| Value::from_safe_string(report::plain(html))),
        answer => seat.visit.answer,
        token => seat.visit.token,
        mark => seat.visit.mark,
        own => OWN.map(|key| {
            let say = |table: &str| seat.templates.page.find(table, key);
            context! { key, line => say("own_line"), says => say("own"), help => say("own_help") }
        }).to_vec(),
        watch => seat.name.watched.then(|| format!("/g/{}", seat.name.game)),
        data => Value::from(Serde(&data)),
    };
    page(seat.templates, "page.html", facts)
}

/// What a player may ask about their own page, each with a button.
const OWN: [&str; 6] = ["devices", "addresses", "copies_on", "copies_off", "forget_devices", "new_link"];

/// A small page: everything before and beside the page of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Small<'a> {
    /// The link was followed: a button asks for a code, and a field takes it.
    Enter {
        /// The title of the game.
        game: &'a str,
        /// What the forms must show.
        token: &'a str,
        /// Whether a code was asked for.
        asked: bool,
        /// What went wrong, a key of `[small]`.
        trouble: Option<&'a str>,
    },
    /// One of the plain ones, a key of `[small]`: `no_device`, `gone`, `ended`, `not_found`, `too_often`, `trouble`, `left`.
    Plain(&'a str),
    /// The seats that a browser has, in all games, side by side.
    Seats(&'a [SeatLink]),
}

/// A way to a seat.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SeatLink {
    /// Its page, on this server.
    pub address: String,
    /// The title of its game.
    pub title: String,
    /// The name of its civilization.
    pub civ: String,
}

/// Writes a small page.
pub fn small(templates: &Templates, page: Small) -> String {
    let say = |key: &str| templates.page.say("small", key);
    let facts = match page {
        Small::Enter { game, token, asked, trouble } => context! {
            title => say("enter"),
            text => say(if asked { "asked" } else { "ask" }),
            enter => context! { game, token, asked, ask => say("send_code"), label => say("code"), open => say("open") },
            trouble => trouble.map(say),
            seats => (),
        },
        Small::Plain(key) => context! {
            title => say(&format!("{key}_title")),
            text => say(key),
            enter => (),
            trouble => (),
            seats => (),
        },
        Small::Seats(seats) => context! {
            title => say("seats_title"),
            text => say("seats"),
            enter => (),
            trouble => (),
            seats => Value::from(Serde(seats)),
        },
    };
    self::page(templates, "small.html", facts)
}

fn page(templates: &Templates, file: &str, facts: Value) -> String {
    let around = context! {
        language => templates.language.code(),
        version => assets::version(),
        words => Value::from(Serde(templates.page.table("words"))),
    };
    templates.letter(file, context! { ..facts, ..around })
}
