//! The acknowledgement: what was understood of a letter, and what would come of it.
//!
//! Comes in: a letter as it was read, the sheet it went to, and the game. Goes out: plain data, and from that a text. It is
//! the same for a letter that is stored and for one that only tries.

mod scribe;

use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;

use self::scribe::{Scribe, touches_the_sheet};
use super::diagnostics::Diagnostic;
use super::facts::Facts;
use super::letters;
use super::preview::{Preview, Seen, preview, warnings};
use super::templates::Templates;
use crate::game::{Known, Witnessed};
use crate::orders::sheet::Answer;
use crate::orders::{Forecast, Line, Sheet};
use crate::rules::{AreaId, Civ};

/// The most that an answer says, in bytes of its text. Nothing that a player could use is as long.
pub(crate) const LARGEST: usize = 256 * 1024;
/// What a line costs beside its words.
const BESIDES: usize = 8;

/// A letter that is to be answered.
pub struct ReadLetter<'a> {
    /// What the writer knows of the game.
    pub known: &'a Known,
    /// What the player witnessed of a turn; none is the last. Only the archive knows.
    pub history: &'a dyn Fn(Option<u16>) -> Option<Witnessed>,
    pub civ: Civ,
    /// What the player wrote, as it was read.
    pub letter: &'a [Line],
    /// What became of each piece.
    pub answers: &'a [Answer],
    /// The player's sheet before the letter.
    pub before: &'a Sheet,
    pub sheet: &'a Sheet,
    /// The number of the letter.
    pub arrival: u64,
    /// Whether the letter only tries.
    pub is_trial: bool,
    /// What only the desk knows of the game: who is awaited and until when, finished sentences.
    pub around: &'a [String],
}

/// What a player is told about their letter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Acknowledgement {
    /// Whether nothing of it was stored.
    pub trial: bool,
    /// Orders of the letter that stand, and those that do not.
    pub stand: usize,
    pub fall: usize,
    /// How it was read.
    #[serde(flatten)]
    pub understood: Understood,
    /// What the letter declares: that a phase is ended, that its writer waits, what holds for every turn.
    pub said: Vec<String>,
    /// That `ok` or `done` waits, and for which lines.
    pub not_ended: Vec<String>,
    /// Whether `ok` ended nothing, for the letter that it answers has no form.
    pub conversation: bool,
    /// Whether the letter answers a message, and so is one.
    pub reply: bool,
    /// The sheet after it, and what would come of that.
    #[serde(flatten)]
    pub sheet: SheetTold,
    /// What became of its messages to others.
    #[serde(flatten)]
    pub messages: Messages,
    /// How many lines of this answer were left out, lest it grow without end.
    pub left_out: usize,
    /// What it asks for beside its orders.
    #[serde(flatten)]
    pub asked: AskedFor,
}

/// How a letter was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Understood {
    /// Lines that could not be read.
    pub faults: Vec<Diagnostic>,
    /// Doubts of an earlier letter that are still open.
    pub doubts: Vec<Diagnostic>,
    /// Lines that were understood and not taken up.
    pub refused: Vec<Refused>,
    /// Whether the letter holds nothing that could be answered.
    pub nothing: bool,
    /// A line that could be written instead, where the player meant some and none was read.
    #[serde(default)]
    pub example: Option<String>,
    /// What was read for a misspelling: the player's word, and the name.
    pub read_as: Vec<(String, String)>,
    /// What was not read, for there was too much of it.
    pub beyond: Vec<String>,
    /// Lines that are no orders.
    pub remarks: Vec<String>,
    /// How many lines were quoted.
    pub quoted: usize,
}

/// What became of messages to others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Messages {
    /// What was sent to others.
    pub sent: Vec<Sent>,
    /// What is not sent before the player says so.
    pub held: Vec<Sent>,
    /// What was held since the player's last letter and is dropped now.
    pub dropped: Vec<Sent>,
}

/// What a letter asks for beside its orders, and what it is told.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct AskedFor {
    /// Wishes about deadlines, as they were understood.
    pub wishes: Vec<String>,
    pub answers: Vec<Vec<String>>,
    /// The map the player asks to see: all that is in play, or what is around an area.
    #[serde(skip)]
    pub map: Option<Option<AreaId>>,
}

/// The sheet after a letter, and what would come of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SheetTold {
    /// Lines that were taken back.
    pub taken_back: Vec<String>,
    pub parts: Vec<Part>,
    pub standing: Vec<Numbered>,
    /// The position if nobody else did anything.
    pub preview: Option<Preview>,
    /// What a good friend would say.
    pub warnings: Vec<String>,
    /// What the calamities of the own hand would do by it, where they are resolved next.
    pub perils: Vec<String>,
    /// What is still missing.
    pub owed: Vec<String>,
}

/// What the desk adds to an answer: it alone knows addresses and the clock, and who is reached.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Beside {
    /// Lines that it did not take up.
    pub refused: Vec<Refused>,
    /// What came of wishes about deadlines.
    pub wishes: Vec<String>,
    /// What else is to be said.
    pub notes: Vec<String>,
    /// Whether `ok` ended nothing, for the letter that it answers has no form.
    pub conversation: bool,
    /// Whether the letter answers a message, and so is one.
    pub reply: bool,
    pub answers: Vec<Vec<String>>,
}

/// A line that was not taken up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// Its number in the letter.
    pub line: usize,
    /// The player's own words.
    pub text: String,
    pub why: String,
    /// What would be allowed.
    pub hint: Option<String>,
}

/// Press that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sent {
    pub to: String,
    /// What, line by line.
    pub text: Vec<String>,
}

/// A part of the sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The number of its phase.
    pub phase: u8,
    pub title: String,
    /// Whether all of it is judged later, when its phase comes.
    pub later: bool,
    /// Whether all of it is kept for the next turn.
    pub next_turn: bool,
    pub lines: Vec<Numbered>,
}

/// A line of the sheet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Numbered {
    /// Its number; `done` and `wait` have none.
    pub number: Option<u16>,
    /// The order in its canonical form.
    pub order: String,
    /// Whether it came with this letter.
    pub new: bool,
    /// Why it would not stand.
    pub illegal: Option<String>,
    /// What would be allowed.
    pub hint: Option<String>,
    /// Why it would find no occasion.
    pub no_occasion: Option<String>,
    /// Whether it is judged later, when its phase comes.
    pub later: bool,
    /// Whether it is kept for the next turn.
    pub next_turn: bool,
}

/// Says what was understood of a letter.
pub fn acknowledgement(templates: &Templates, answered: &ReadLetter) -> Acknowledgement {
    foreseen(templates, answered).0
}

/// The same, and the forecast that it was said from.
pub(crate) fn foreseen(templates: &Templates, answered: &ReadLetter) -> (Acknowledgement, Forecast) {
    let scribe = Scribe { templates, facts: Facts::new(answered.known.printed(), templates.language), answered };
    let forecast = Forecast::of(answered.known, answered.civ, answered.sheet, answered.arrival);
    let mut acknowledgement = Acknowledgement { trial: answered.is_trial, ..Acknowledgement::default() };
    scribe.letter(&mut acknowledgement);
    scribe.sheet(&mut acknowledgement, &forecast);
    scribe.said(&mut acknowledgement);
    acknowledgement.understood.nothing = scribe.found_nothing(&acknowledgement);
    acknowledgement.understood.example = scribe.example(&acknowledgement);
    acknowledgement.understood.doubts = scribe.doubts();
    // Who only asks or tells something has read all this before.
    if answered.answers.iter().any(|answer| touches_the_sheet(&answer.outcome)) {
        let seen = Seen::of(answered.known, &forecast, answered.sheet);
        acknowledgement.sheet.preview = preview(templates, answered.known, &seen, answered.civ);
        acknowledgement.sheet.warnings =
            warnings(templates, answered.known, &forecast, &seen, answered.sheet, answered.civ);
        acknowledgement.sheet.warnings.extend(scribe.early_taxes());
        acknowledgement.sheet.perils = scribe.perils();
    }
    acknowledgement.sheet.owed = scribe.owed(&forecast);
    acknowledgement.fit();
    (acknowledgement, forecast)
}

impl Acknowledgement {
    /// As a text letter.
    pub fn text(&self, templates: &Templates) -> String {
        // By itself it speaks of mail; a letter knows where it goes.
        let facts = minijinja::context! { in_forum => false, ..Value::from(Serde(self)) };
        letters::plain(&templates.letter("acknowledgement.txt", facts))
    }

    /// With what only the desk could say.
    pub fn with(mut self, beside: Beside) -> Acknowledgement {
        self.understood.refused.extend(beside.refused);
        self.asked.answers.extend(beside.answers);
        // What came of a wish takes the place of the wish.
        if !beside.wishes.is_empty() {
            self.asked.wishes = beside.wishes;
        }
        self.asked.wishes.extend(beside.notes);
        (self.conversation, self.reply) = (beside.conversation, beside.reply);
        self.fit();
        self
    }

    /// As short as it can be where a letter was a message and nothing else, and went where it should: nothing of the sheet
    /// has changed.
    pub fn confirm_alone(&mut self) -> bool {
        let is_alone = self.reply
            && !self.messages.sent.is_empty()
            && self.messages.held.is_empty()
            && self.messages.dropped.is_empty();
        let is_plain = is_alone && self.understood.refused.is_empty() && self.understood.beyond.is_empty();
        if is_plain {
            self.sheet.parts.clear();
            self.sheet.standing.clear();
            self.sheet.owed.clear();
            self.understood.doubts.clear();
        }
        is_plain
    }

    /// Whether every line of the letter was understood and would stand.
    pub fn is_clean(&self) -> bool {
        self.understood.faults.is_empty()
            && self.understood.refused.is_empty()
            && self.understood.beyond.is_empty()
            && self.fall == 0
    }

    /// Leaves out what would make the answer larger than [`LARGEST`], and counts it: first what repeats the player's
    /// own words, last their sheet. May be asked again when something was added.
    pub(crate) fn fit(&mut self) {
        let mut room = LARGEST;
        let mut left_out = 0;
        let text = |text: &String| text.len();
        let sent = |sent: &Sent| sent.to.len() + sent.text.iter().map(String::len).sum::<usize>();
        let numbered = |line: &Numbered| {
            let said = [&line.illegal, &line.hint, &line.no_occasion];
            line.order.len() + said.into_iter().flatten().map(String::len).sum::<usize>()
        };
        for part in &mut self.sheet.parts {
            left_out += keep(&mut part.lines, &mut room, numbered);
        }
        left_out += keep(&mut self.sheet.standing, &mut room, numbered);
        left_out += keep(&mut self.understood.faults, &mut room, Diagnostic::size);
        left_out += keep(&mut self.understood.refused, &mut room, |refused| {
            refused.text.len() + refused.why.len() + refused.hint.as_ref().map_or(0, String::len)
        });
        left_out += keep(&mut self.understood.doubts, &mut room, Diagnostic::size);
        left_out += keep(&mut self.messages.held, &mut room, sent);
        left_out += keep(&mut self.messages.dropped, &mut room, sent);
        for lines in [
            &mut self.not_ended,
            &mut self.understood.beyond,
            &mut self.said,
            &mut self.asked.wishes,
            &mut self.sheet.owed,
            &mut self.sheet.warnings,
            &mut self.sheet.perils,
        ] {
            left_out += keep(lines, &mut room, text);
        }
        for answer in &mut self.asked.answers {
            left_out += keep(answer, &mut room, text);
        }
        left_out += keep(&mut self.sheet.taken_back, &mut room, text);
        left_out += keep(&mut self.understood.read_as, &mut room, |(word, name)| word.len() + name.len());
        left_out += keep(&mut self.messages.sent, &mut room, sent);
        left_out += keep(&mut self.understood.remarks, &mut room, text);
        self.left_out += left_out;
    }
}

/// Keeps as many as there is room for; says how many were left out.
fn keep<T>(lines: &mut Vec<T>, room: &mut usize, size: impl Fn(&T) -> usize) -> usize {
    let all = lines.len();
    let mut kept = 0;
    while let Some(left) = lines.get(kept).and_then(|line| room.checked_sub(size(line) + BESIDES)) {
        *room = left;
        kept += 1;
    }
    lines.truncate(kept);
    all - kept
}
