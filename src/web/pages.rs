//! What the server shows, until the page of a seat has its own room.

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use serde::Serialize;

use super::window::Seat;
use crate::report::Acknowledgement;

/// A small page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Small<'a> {
    /// A code can be asked for, and typed.
    Enter { token: &'a str, asked: bool, trouble: Option<Trouble> },
    /// The link is old or broken.
    Gone,
    /// This browser does not have the seat.
    NoDevice,
    /// The desk does not answer.
    Busy,
}

/// What was wrong with a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    Wrong { left: u32 },
    Expired,
    TooMany,
}

/// A small page, with the status it is sent with.
pub fn small(status: StatusCode, page: Small) -> Response {
    let body = match page {
        Small::Enter { token, asked, trouble } => format!(
            "<p>{trouble:?} asked {asked}</p><form method=post action=/enter><input type=hidden name=token value={token}><button>Send me a code</button></form>\
             <form method=post action=/enter/code><input type=hidden name=token value={token}><input name=code autocomplete=one-time-code><button>Open</button></form>"
        ),
        Small::Gone => "This link is old or broken: open the link of your last letter.".to_owned(),
        Small::NoDevice => "Open the link of your last letter.".to_owned(),
        Small::Busy => "Come again in a moment.".to_owned(),
    };
    (status, Html(format!("<!DOCTYPE html><title>Cursus</title>{body}"))).into_response()
}

/// The page of a seat.
pub fn seat(seat: &Seat, token: &str, mark: &str, answer: Option<&str>) -> String {
    let safe = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    format!(
        "<!DOCTYPE html><title>{}</title><h1>{}</h1><pre>{}</pre>{}<form method=post action=send><input type=hidden name=token value={token}>\
         <input type=hidden name=id value={mark}><textarea name=lines></textarea><button>Send</button></form>",
        safe(&seat.title),
        safe(&seat.title),
        safe(answer.unwrap_or_default()),
        seat.report.as_deref().unwrap_or_default(),
    )
}

/// The data of a seat.
pub fn data(seat: &Seat, token: &str) -> impl Serialize {
    serde_json::json!({ "revision": seat.revision(), "token": token, "game": seat.title, "turn": seat.known.turn() })
}

/// What a preview comes to.
#[derive(Serialize)]
pub struct Tried {
    told: Acknowledgement,
}

/// Tries lines on what the seat knows, with its sheet as it is.
pub fn tried(answered: &crate::report::Answered, seat: &Seat) -> Tried {
    Tried { told: crate::report::acknowledgement(&seat.templates, answered) }
}
