//! The pages that the server shows, in the words of `report::page`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};

use super::window::{Drawing, Seat, Standing};
use crate::report::Templates;
use crate::report::page::{self, Small};
use crate::rules::Language;

/// The words for those whose seat, and so whose language, is not known.
pub struct Words {
    pub english: Arc<Templates>,
    pub polish: Arc<Templates>,
    /// The language of those who have not chosen any.
    pub usual: Language,
}

impl Words {
    /// The words of a language.
    pub(crate) fn of(&self, language: Language) -> &Templates {
        match language {
            Language::English => &self.english,
            Language::Polish => &self.polish,
        }
    }

    /// The words of the first language that a browser names and we speak.
    pub(crate) fn for_browser(&self, headers: &HeaderMap) -> &Templates {
        let wanted = headers.get(ACCEPT_LANGUAGE).and_then(|wanted| wanted.to_str().ok()).unwrap_or_default();
        let codes = wanted.split(',').map(|one| one.trim().split(['-', ';']).next().unwrap_or_default());
        let language = codes.filter_map(Language::coded).next();
        self.of(language.unwrap_or(self.usual))
    }
}

/// Small pages that say one thing, by their names in `page.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notice {
    /// This browser does not have the seat.
    NoDevice,
    /// The link is old or broken.
    Gone,
    /// There is no such page.
    NotFound,
    TooOften,
    /// The desk does not answer, or something of ours has broken.
    Trouble,
    /// The seat was given back.
    Left,
}

impl Notice {
    /// As this browser reads it.
    pub(crate) fn page(self, words: &Words, headers: &HeaderMap) -> Response {
        let (status, key) = match self {
            Notice::NoDevice => (StatusCode::FORBIDDEN, "no_device"),
            Notice::Gone => (StatusCode::NOT_FOUND, "gone"),
            Notice::NotFound => (StatusCode::NOT_FOUND, "not_found"),
            Notice::TooOften => (StatusCode::TOO_MANY_REQUESTS, "too_often"),
            Notice::Trouble => (StatusCode::SERVICE_UNAVAILABLE, "trouble"),
            Notice::Left => (StatusCode::OK, "left"),
        };
        (status, Html(page::small(words.for_browser(headers), Small::Plain(key)))).into_response()
    }
}

impl Seat {
    /// As its page sees it.
    pub(crate) fn view<'a>(&'a self, visit: page::Visit<'a>) -> page::Seat<'a> {
        page::Seat {
            known: &self.known,
            civ: self.civ,
            sheet: &self.sheet,
            templates: &self.templates,
            name: page::SeatName {
                game: self.spot.game.as_str(),
                title: &self.game.title,
                slug: &self.spot.seat,
                watched: self.game.watched,
            },
            cut_off: self.game.cut_off.as_ref(),
            awaited: &self.game.awaited,
            ended: self.known.has_ended() || self.game.standing == Standing::Ended,
            report: self.report.as_deref(),
            newest: page::Newest { revision: self.revision(), map: &self.map().name, heard: self.heard },
            visit,
        }
    }

    /// Its map, drawn when somebody first asks.
    pub(crate) fn map(&self) -> &Drawing {
        self.drawn.map.get_or_init(|| {
            let svg = page::map(&self.known, self.templates.language);
            Drawing { name: page::map_name(&svg), svg: Bytes::from(svg) }
        })
    }
}
