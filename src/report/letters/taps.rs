//! Answers that are sent with a tap: links that open a mail with its address, subject and line filled in.
//!
//! Comes in: the form and what the reader knows. Goes out: the lines that may be sent by themselves, and their links. Each has an
//! address of its own, which admits its line alone, so that whoever is passed the letter has nothing.

use super::super::Names;
use super::super::market::payment;
use super::super::wording::worded;
use super::form::MailingForm;
use super::paper::{Tap, TapKind};
use super::{Offered, TapTo};
use crate::game::trade::Offer;
use crate::game::{Command, Known, Phase};
use crate::orders::ends_by_done;
use crate::orders::words::Word;
use crate::rules::{Civ, Language};

/// Offers whose answers are links, at most: a letter is no switchboard.
const MOST_OFFERS: usize = 8;

/// What the first of the links does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Files {
    /// It files the form that the letter shows.
    Form,
    /// It ends what has been written.
    End,
}

/// The answers that a letter with this form offers, the likeliest first.
pub(crate) fn answers(
    known: &Known,
    civ: Civ,
    form: Option<&MailingForm>,
    files: Files,
    language: Language,
) -> Vec<(TapKind, Offered)> {
    let names = Names::new(known.printed(), language);
    let plain = |line: String| Offered { line, files: Vec::new() };
    let mut offered = Vec::new();
    if let Some(form) = form {
        // In trade the form is `done`.
        let is_end = known.phase() == Phase::Trade || files == Files::End && ends_by_done(known.phase());
        let line = if is_end { Word::Done.said(language) } else { "ok" };
        offered.push((TapKind::Form, plain(line.to_owned())));
        let proposed = form.proposals.iter().filter(|_| files == Files::Form);
        let proposed =
            proposed.map(|proposed| Offered { line: proposed.answer.clone(), files: proposed.lines.clone() });
        offered.extend(proposed.map(|proposed| (TapKind::Form, proposed)));
    }
    offered.push((TapKind::Form, plain(Word::Help.said(language).to_owned())));
    if known.phase() == Phase::Trade && form.is_some() {
        let open = known.progress().offers.iter().filter(|offer| offer.open);
        let answered = open.map(|offer| replies(known, civ, offer)).filter(|commands| !commands.is_empty());
        let commands = answered.take(MOST_OFFERS).flatten();
        offered.extend(commands.map(|command| (TapKind::Offer, plain(worded(names, &command)))));
    }
    offered
}

/// How an offer is answered: accepted, if the reader has what it asks for; declined, if it was made to the reader. Whoever
/// does not want what was offered to everybody need not say so.
fn replies(known: &Known, civ: Civ, offer: &Offer) -> Vec<Command> {
    let accept = payment(known, civ, offer).map(|gives| Command::Accept { number: offer.number, gives });
    let is_mine = offer.to.named().contains(&civ);
    let decline = is_mine.then_some(Command::Decline { number: offer.number });
    let stands = |command: &Command| Phase::Trade.rules().may_stand(known, civ, command).is_ok();
    accept.into_iter().chain(decline).filter(stands).collect()
}

/// The link of an answer.
pub(crate) fn tap(kind: TapKind, line: &str, to: &TapTo, subject: &str) -> Tap {
    let mark = to.mark.as_ref().map(|mark| format!(" {mark}")).unwrap_or_default();
    Tap { kind, href: mailto(&to.address, &format!("Re: {subject}{mark}"), line), label: line.to_owned() }
}

/// A `mailto:` link with subject and body. RFC 6068.
pub(crate) fn mailto(address: &str, subject: &str, body: &str) -> String {
    // Between the lines of a body stands CR LF.
    let body = body.replace("\r\n", "\n").replace('\n', "\r\n");
    format!("mailto:{}?subject={}&body={}", encoded(address, "@"), encoded(subject, ""), encoded(&body, ""))
}

/// A text in which everything but unreserved signs and `kept` is encoded, byte by byte.
fn encoded(text: &str, kept: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        let letter = char::from(byte);
        if letter.is_ascii_alphanumeric() || "-._~".contains(letter) || kept.contains(letter) {
            encoded.push(letter)
        } else {
            encoded += &format!("%{byte:02X}")
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_says_nothing_but_its_letters() {
        let link = mailto("cursus+sea.egypt.abc@example.org", "Re: Sea & sand, 100%?", "ok 2\nżółw");
        let expected = "mailto:cursus%2Bsea.egypt.abc@example.org?subject=Re%3A%20Sea%20%26%20sand%2C%20100%25%3F\
                        &body=ok%202%0D%0A%C5%BC%C3%B3%C5%82w";
        assert_eq!(link, expected);
    }
}
