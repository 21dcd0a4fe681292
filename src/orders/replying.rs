//! A reply to a message is a message: its words go to the writer of the one that is answered, and to nobody else.
//!
//! Comes in: a letter as it was read, its text, and to whom it would go. Goes out: the same letter as one message, held where
//! it has lines that read like orders; or as it was, where it is meant for us.

use super::lexemes::is_quoted;
use super::press::{Press, Recipient};
use super::read::{Lens, Line, Piece, Reading, Written, begins_like_order, is_trial, whole};
use crate::game::Command;

/// How sure it is that a letter answers a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// It was sent in reply to it.
    Sent,
    /// It stands below it in a thread, or answers words that were for everybody: whatever is an order is one.
    Below,
}

/// A letter in reply to a message as a message to its writer; none where it says anything to us instead.
pub fn message(letter: &[Line], text: &str, to: Recipient, reply: Reply, lens: Lens) -> Option<Vec<Line>> {
    let words = words(letter, text);
    if words.is_empty() {
        return None;
    }
    if is_for_us(letter) {
        return (reply == Reply::Sent).then(|| beside(letter, to)).flatten();
    }
    let is_held = letter.iter().any(|line| reads_like_orders(line, lens));
    if reply == Reply::Below && (is_held || letter.iter().flat_map(|line| &line.pieces).any(asks)) {
        return None;
    }
    let press = Press { to: vec![to], text: words };
    let mut said = Some(Reading::Written(if is_held { Written::Held(press) } else { Written::Press(press) }));
    let is_trial = is_trial(letter);
    let lines = letter.iter().enumerate().map(|(place, line)| {
        let reading = if !is_of_message(line) {
            return line.clone();
        } else if is_trial && place == 0 {
            // `try` at the head is said to us.
            Reading::Remark
        } else {
            said.take().unwrap_or(Reading::Press)
        };
        Line { pieces: whole(&line.text, reading), ..line.clone() }
    });
    Some(lines.collect())
}

/// A letter that says itself to whom some of its words go: what is neither that nor anything else goes on as well, so that
/// nothing of a reply is lost. A greeting and a name alone do not.
fn beside(letter: &[Line], to: Recipient) -> Option<Vec<Line>> {
    let tells = |line: &Line| {
        line.pieces.iter().any(|piece| matches!(piece.reading, Reading::Written(Written::Press(_) | Written::Held(_))))
    };
    let is_said = |line: &Line| {
        is_of_message(line) && !is_trial_mark(line) && line.pieces.iter().all(|piece| piece.reading == Reading::Remark)
    };
    let says_much = |line: &Line| line.text.split_whitespace().count() >= LEAST_SAID;
    let said: Vec<&Line> =
        letter.iter().take_while(|line| line.text.trim_end() != "--").filter(|line| is_said(line)).collect();
    if !letter.iter().any(tells) || !said.iter().any(|line| says_much(line)) {
        return None;
    }
    let numbers: Vec<usize> = said.iter().map(|line| line.number).collect();
    let text = said.iter().map(|line| line.text.trim()).collect::<Vec<_>>().join("\n");
    let mut press = Some(Reading::Written(Written::Press(Press { to: vec![to], text })));
    let lines = letter.iter().map(|line| {
        let is_said = numbers.contains(&line.number);
        let reading = is_said.then(|| press.take().unwrap_or(Reading::Press));
        reading.map_or(line.clone(), |reading| Line { pieces: whole(&line.text, reading), ..line.clone() })
    });
    Some(lines.collect())
}

/// So many words a line has at least that is more than a greeting or a name.
const LEAST_SAID: usize = 3;

fn is_trial_mark(line: &Line) -> bool {
    is_trial(std::slice::from_ref(line)) && line.pieces.iter().all(|piece| piece.reading == Reading::Remark)
}

/// The words of a letter that go on, blank lines between them kept; what is quoted or a signature does not.
fn words(letter: &[Line], text: &str) -> String {
    let skipped = usize::from(is_trial(letter));
    let mut read = letter.iter();
    let mut words = Vec::new();
    for line in text.lines() {
        let is_kept =
            line.trim().is_empty() || read.next().is_some_and(|line| line.number > skipped && is_of_message(line));
        if line.trim_end() == "--" {
            break;
        }
        words.extend(is_kept.then_some(line.trim_end()));
    }
    words.join("\n").trim().to_owned()
}

fn is_of_message(line: &Line) -> bool {
    !is_quoted(&line.text) && !line.pieces.iter().any(|piece| matches!(piece.reading, Reading::Beyond(_)))
}

/// Whether a letter says itself to whom its words go, or asks us something and says nothing else.
fn is_for_us(letter: &[Line]) -> bool {
    let pieces = || letter.iter().flat_map(|line| &line.pieces).filter(|piece| piece.reading != Reading::Quoted);
    let tells =
        |piece: &Piece| matches!(piece.reading, Reading::Written(Written::Press(_) | Written::Held(_) | Written::Send));
    let asks_plainly = |line: &Line| line.pieces.iter().all(asks) && !line.text.trim_end().ends_with('?');
    let mut said = letter.iter().filter(|line| is_of_message(line)).peekable();
    pieces().any(tells) || said.peek().is_some() && said.all(asks_plainly)
}

fn asks(piece: &Piece) -> bool {
    matches!(piece.reading, Reading::Written(Written::Question(_)))
}

/// Whether a line would change something, or was meant to.
fn reads_like_orders(line: &Line, lens: Lens) -> bool {
    let is_order = |piece: &Piece| match &piece.reading {
        Reading::Fault(_) => true,
        Reading::Written(written) => match written {
            // `done` and `wait` alone are what people say to each other, like `ok`.
            Written::Orders(orders) => orders.iter().any(|order| !matches!(order, Command::Done | Command::Wait)),
            Written::Always(_) | Written::Undo { .. } | Written::UndoAlways { .. } | Written::Clear { .. } => true,
            Written::Timing(_) | Written::Proposal(_) => true,
            Written::Ok | Written::Waits { .. } | Written::Question(_) | Written::Choice { .. } => false,
            Written::Press(_) | Written::Held(_) | Written::Send => false,
        },
        Reading::Quoted | Reading::Remark | Reading::Press | Reading::Beyond(_) => false,
    };
    let is_plain = line.pieces.iter().all(|piece| piece.reading == Reading::Remark);
    line.pieces.iter().any(is_order) || is_plain && begins_like_order(&line.text, 0..line.text.len(), lens)
}
