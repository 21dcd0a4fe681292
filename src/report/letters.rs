//! The letters: what the desk has to say, as a page for one reader.
//!
//! Comes in: the occasion (the game, its reader, who is awaited until when) and what there is to say. Goes out: a [`Page`].
//! The words are in the templates, one a letter; times come in as plain [`Moment`]s, for this room has no clock.

mod form;
mod maps;
mod markdown;
mod opening;
mod paper;
mod paste;
mod scribe;
mod taps;

pub(crate) use form::MailingForm as Wanted;
pub use maps::{Maps, Sight};
pub(crate) use opening::step_wants;
pub use paste::{Markup, Pasted};
pub(crate) use scribe::shown;
pub(crate) use taps::mailto;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::acknowledgement::Acknowledgement;
use super::market::Shown;
use super::templates::Templates;
use crate::game::short_game::Theme;
use crate::game::{Known, TurnPhase, Witnessed};
use crate::orders::{Detail, Sheet};
use crate::rules::Civ;

/// A letter as its reader gets it; the desk puts it into an envelope.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Page {
    pub subject: String,
    pub text: String,
    /// The same as HTML; it shows the picture as `cid:map`.
    pub html: Option<String>,
    /// The same as a post in a forum; it shows the picture as `![map](cid:map)`.
    pub markdown: String,
    pub picture: Option<Arc<Vec<u8>>>,
    /// The reader's view as JSON.
    pub data: Option<String>,
    /// The answers it offers.
    pub offered: Vec<Offered>,
}

/// An answer that a letter offers: a line that the reader may send by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    pub line: String,
    /// The lines that are filed with it, where it only names them: those of a proposal.
    pub files: Vec<String>,
}

/// A point in time in the reader's own zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    pub year: i32,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
    /// The day of the week, Monday being 1.
    pub weekday: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// The zone as people call it: `CET`, `UTC+5:30`.
    pub zone: String,
}

/// A seat of the game, as everybody may know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    pub civ: Civ,
    /// The player's name, never their address.
    pub player: String,
    /// Whether a built-in player sits there.
    pub companion: bool,
    /// Whether it only keeps the seat for the player of this name, who may come back.
    #[serde(default)]
    pub kept: bool,
}

/// A line of the roster: a seat, and how its player fares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enrolled {
    pub civ: Civ,
    /// The player's name, never their address.
    pub player: String,
    /// Whether a built-in player sits there.
    pub companion: bool,
    /// Whether it only keeps the seat for the player of this name, who may come back.
    #[serde(default)]
    pub kept: bool,
    /// Whether the player is away.
    pub away: bool,
    /// Whether the player has accepted their seat.
    pub accepted: bool,
    /// Who answers while the player is away, by name.
    pub deputy: Option<String>,
}

/// What surrounds a letter.
#[derive(Debug, Clone)]
pub struct Occasion<'a> {
    /// The title of the game.
    pub game: &'a str,
    /// What the reader knows now.
    pub known: &'a Known,
    /// The reader's name. Empty where nobody in particular is written to: what is public then reads as a post in a thread.
    pub name: &'a str,
    /// All seats, in A.S.T.-ranking.
    pub seats: &'a [Seat],
    /// The reader's sheet; none for those without a seat.
    pub sheet: Option<&'a Sheet>,
    /// Who is awaited now, in A.S.T.-ranking. Whoever may not be told apart is not told apart here either.
    pub awaited: &'a [Civ],
    /// Those who wrote nothing, so that the defaults have answered for them in what is reported.
    pub by_default: &'a [Civ],
    /// The cut-off of the open phase; none while the game is paused or does not run.
    pub cut_off: Option<Moment>,
    /// What the group has agreed on.
    pub terms: Terms,
    /// What of the board of the trade the reader was shown last; none where the reader was not.
    pub shown: Option<&'a Shown>,
    pub delivery: Delivery<'a>,
}

/// Where a letter goes, and how its reader likes it.
#[derive(Debug, Clone, Default)]
pub struct Delivery<'a> {
    /// The maps drawn so far; none where letters go without pictures.
    pub maps: Option<&'a Maps>,
    /// How much the reader wants to be told.
    pub detail: Detail,
    /// Whether the player wants their view as data.
    pub data: bool,
    /// Where an answer goes that is sent with a tap; none where there are no such addresses.
    pub taps: Option<Taps<'a>>,
    /// The page where the reader can give their orders, if the house has one.
    pub order_page: Option<&'a str>,
    /// Where it is read.
    pub place: Venue,
}

/// Where a letter is read, and how its reader answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Venue {
    /// In a mail program.
    #[default]
    Mail,
    /// In a forum, where players write to us in private.
    Forum,
    /// On a board where nobody can write to us in private: players answer by mail.
    Board,
}

/// Where a line goes that is sent with a tap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TapTo {
    /// The address; by itself it admits the line alone, unless there is a mark.
    pub address: String,
    /// What admits the line where our address has room for nothing: it stands in the subject.
    pub mark: Option<String>,
}

impl TapTo {
    /// An address that admits the line alone.
    pub fn at(address: String) -> TapTo {
        TapTo { address, mark: None }
    }
}

/// Gives each line that may be sent with a tap where it goes.
#[derive(Clone, Copy)]
pub struct Taps<'a>(pub &'a dyn Fn(&str) -> TapTo);

impl std::fmt::Debug for Taps<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Taps")
    }
}

/// What a group has agreed on that every letter may say.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// Whether it is a short game.
    pub short: bool,
    /// The day after which no turn begins.
    pub ends_on: Option<Moment>,
    /// Whether the game has ended before its end.
    pub stopped: bool,
    /// Whether the moderator has decided on its end, where the group leaves that to the moderator.
    pub by_host: bool,
}

/// What there is to say.
#[derive(Debug, Clone)]
pub enum Content<'a> {
    /// A seat is offered; `ok` takes it.
    Invitation {
        /// How the game is scheduled, a finished sentence each in the reader's language.
        schedule: &'a [String],
        /// Whether the player has answered one, and not with `ok`.
        again: bool,
    },
    /// A practice before the game, or beside it: lines to write in reply. Nothing of it counts.
    Rehearsal {
        /// Lines that can be read, in the reader's language.
        lines: &'a [String],
        /// Whether the game has begun already.
        begun: bool,
    },
    /// What was seen of a reply to the practice.
    Rehearsed {
        told: &'a Acknowledgement,
        /// What was left out of the letter unread.
        ignored: Ignored,
        /// How the player's mail program makes letters; none where it was no mail.
        style: Option<Style>,
        /// What the player's program did that would do harm in the game.
        snags: &'a [Snag],
        /// Whether the game has begun already.
        begun: bool,
    },
    /// The game begins: the seats, the promise of its chance, and the first form.
    Welcome {
        /// SHA-256 of the seed, in hexadecimal digits.
        commitment: &'a str,
        /// The themes of a short game; none in others.
        themes: &'a [(Civ, Theme)],
    },
    /// Somebody answers for the reader's seat while its player is away; then with what is open.
    Deputy {
        player: &'a str,
        /// Whether the player is away now.
        is_away: bool,
        /// Until when; none until the player is back.
        until: Option<&'a Moment>,
    },
    /// The reader takes the seat over from another, in a game that goes on.
    Briefing {
        former: &'a str,
        /// The standing orders of the seat.
        standing: &'a [String],
        /// The last turns, as the seat saw them.
        turns: &'a [Witnessed],
        /// What was written from the seat and to it, where the group allows that, the oldest first.
        messages: &'a [Passed],
        /// SHA-256 of the seed, in hexadecimal digits.
        commitment: &'a str,
    },
    /// The answer to a letter.
    Acknowledgement {
        told: &'a Acknowledgement,
        /// What was left out of the letter unread.
        ignored: Ignored,
        /// The phase of the letter that was answered, where it has been ruled since.
        outdated: Option<TurnPhase>,
        /// What came of it at once, in trade.
        seen: &'a Witnessed,
        /// Whether the orders stood where everybody reads them.
        public: bool,
        /// Whether the board of the trade is shown, for an offer is not there any more.
        board: bool,
    },
    /// What happened in a ruling. Ends in the form of the open phase.
    Report { seen: &'a Witnessed },
    /// News of the trade that is open: offers made, accepted, declined.
    Board { seen: &'a Witnessed },
    /// The reader insisted on their turn, and it has come.
    Decision {
        /// What those ahead of the player did.
        seen: &'a Witnessed,
    },
    /// A cut-off comes near. Several games may be told in one letter: see [`reminders`].
    Reminder {
        /// What the player owes, a finished sentence each with what silence means.
        owes: &'a [String],
    },
    /// An absence, a deputy or an extension, granted or not: a finished sentence each.
    Absence { lines: &'a [String] },
    /// A letter came from an address that is not proved. Goes to the known address only.
    Parked {
        /// From where it came, as it may be told to the known address.
        sender: &'a str,
        arrived: &'a Moment,
        subject: &'a str,
        /// What it says, in its sender's own words.
        words: &'a str,
        /// Whether `ok` makes the address known.
        adds: bool,
        /// Whether what it says are the moderator's commands.
        commands: bool,
    },
    Press {
        /// Who writes; none is the moderator.
        from: Option<Civ>,
        /// To whom, as may be told.
        to: Audience<'a>,
        text: &'a str,
    },
    /// The moderator has something to say, or has done something.
    Announcement {
        /// What the player did, a finished sentence each in the reader's language.
        lines: &'a [String],
        /// The player's own words.
        text: Option<&'a str>,
    },
    /// The answer to the moderator: what a command would do or has done, or how the game stands.
    Moderation {
        /// Finished sentences in the player's language.
        lines: &'a [String],
    },
    /// The game went back.
    Rollback {
        /// Back to the beginning of this phase.
        to: TurnPhase,
        /// The phase that was open before.
        from: TurnPhase,
        /// Lines of the reader's sheet that stand again, and their standing orders.
        kept: &'a [String],
        reason: Option<&'a str>,
    },
    /// The end: the scores, and the seed that proves the game.
    End { seen: &'a Witnessed },
    /// The code that makes a browser known at the order page.
    Code {
        code: &'a str,
        /// What the browser calls itself; empty where it does not say.
        browser: &'a str,
    },
    /// The reader's own hand and nothing else. The reader asked for it.
    Hand,
    /// What a turn changed, for the reader and for everybody. The reader asked for it: what happened was told when it
    /// did.
    Digest { seen: &'a Witnessed },
    /// How the game stands: the first post of its thread, which is edited in place. The same as long as nothing changes.
    Status {
        /// Who plays, in A.S.T.-ranking.
        roster: &'a [Enrolled],
        /// Whether orders may be posted where everybody reads them.
        public_orders: bool,
        /// Where everybody may watch the game.
        watch: Option<&'a str>,
    },
}

impl Content<'_> {
    /// Whether its reader sees all of the board of the trade, while there is one.
    pub(crate) fn shows_board(&self) -> bool {
        match self {
            Content::Report { .. } | Content::Board { .. } | Content::Decision { .. } => true,
            Content::Rollback { .. } | Content::Briefing { .. } => true,
            Content::Acknowledgement { board, .. } => *board,
            Content::Invitation { .. }
            | Content::Rehearsal { .. }
            | Content::Rehearsed { .. }
            | Content::Welcome { .. }
            | Content::Code { .. }
            | Content::Deputy { .. }
            | Content::Reminder { .. }
            | Content::Absence { .. }
            | Content::Parked { .. }
            | Content::Press { .. }
            | Content::Announcement { .. }
            | Content::Moderation { .. }
            | Content::End { .. }
            | Content::Hand
            | Content::Digest { .. }
            | Content::Status { .. } => false,
        }
    }
}

/// A message that went from one player to others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passed {
    pub from: Civ,
    /// To whom; to everybody where it is empty.
    pub to: Vec<Civ>,
    /// When, in the reader's zone.
    pub at: Moment,
    pub text: String,
}

/// To whom press went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience<'a> {
    All,
    Some(&'a [Civ]),
    Moderator,
}

/// Lines of a letter that were left out unread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ignored {
    /// Quoted from another letter.
    pub quoted: usize,
    pub signature: usize,
    /// Notices of phones, lists and scanners.
    pub other: usize,
    /// Files that came with it.
    pub attachments: usize,
    /// Whether the letter only passed on another one.
    pub forwarded: bool,
    /// Whether lines that look like orders stand in the quotation and not in the letter that is quoted.
    #[serde(default)]
    pub changed: bool,
}

/// How somebody's mail program makes letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Style {
    /// Whether the text comes as plain text.
    pub plain: bool,
    /// Whether it comes as HTML.
    pub html: bool,
    /// Whether it says where lines were broken to fit a window.
    pub flowed: bool,
    /// Where the player wrote.
    pub place: WrittenAt,
}

/// Where somebody wrote, seen from the letter that the person answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WrittenAt {
    Alone,
    Above,
    Below,
    Between,
    /// There is only a quotation.
    Nowhere,
}

/// What would do harm in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Snag {
    /// Our letter came back as if the player had written it.
    Unmarked,
    /// The player wrote inside the quotation.
    Inside,
    /// Nothing of the player's was found, and a file came along.
    Attached,
    /// Nothing of the player's was found.
    Nothing,
}

/// Writes a letter for a reader: subject, text and HTML.
pub fn write(templates: &Templates, occasion: &Occasion, content: &Content) -> Page {
    scribe::Scribe::new(templates, occasion).page(content)
}

/// The same letter as text that somebody pastes into a board, in every markup.
pub fn pasted(templates: &Templates, occasion: &Occasion, content: &Content) -> Pasted {
    scribe::Scribe::new(templates, occasion).pasted(content)
}

/// One reminder for several games whose cut-offs fall together.
pub fn reminders(templates: &Templates, games: &[(Occasion, Vec<String>)]) -> Page {
    scribe::reminders(templates, games)
}

/// A letter to a person who needs no seat for it: finished lines, and a subject.
pub(crate) fn note(templates: &Templates, subject: &str, lines: &[String]) -> Page {
    scribe::note(templates, subject, lines)
}

/// What a player owes in the open mailing, a sentence each with what silence means.
pub fn owed_lines(templates: &Templates, known: &Known, civ: Civ, sheet: &Sheet) -> Vec<String> {
    form::owed_lines(templates, known, civ, sheet)
}

/// What a player owes in the open mailing, with the lines that stand for it; none if that is nothing.
pub(crate) fn wanted(templates: &Templates, known: &Known, civ: Civ, sheet: &Sheet) -> Option<Wanted> {
    form::form(templates, known, civ, sheet)
}

/// A text that a template has written, in the form of a plain letter.
pub(super) fn plain(written: &str) -> String {
    paper::text(written)
}
