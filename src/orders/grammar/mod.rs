//! The grammar: one function an order. What comes in is a cursor behind the verb; what goes out is a command or a fault.

mod abilities;
mod advances;
mod asking;
mod calamities;
mod cards;
mod chatter;
mod cities;
mod conditions;
mod conflict;
mod movement;
mod press;
#[cfg(test)]
mod samples;
mod ships;
#[cfg(test)]
mod sloppy;
mod voyages;

use super::bearings::Sense;
use super::cursor::Cursor;
use super::fault::{Expected, Fault, Named};
use super::lexemes::{Lexeme, LexemeKind};
use super::read::Written;
use super::standing;
use super::vocabulary::{self, Word};
use crate::game::Command;

/// How deep conditions may stand in conditions.
const DEEPEST: u8 = 4;

/// Reads a line; none if it does not begin like an order.
pub(crate) fn line(cursor: &mut Cursor) -> Option<Result<Written, Fault>> {
    if let Some(choice) = choice(cursor).or_else(|| proposal(cursor)) {
        return Some(Ok(choice));
    }
    if let Some(asked) = asking::bare_area(cursor) {
        return Some(Ok(Written::Question(asked)));
    }
    // `try move 1 …`: the letter only tries, and the line is read.
    if cursor.takes(Word::Try) {
        cursor.takes_colon();
    }
    cursor.takes_label();
    let start = cursor.place();
    if let Some(written) = movement::short_form(cursor) {
        return Some(written);
    }
    cursor.back_to(start);
    if let Some(written) = without_verb(cursor) {
        return Some(written);
    }
    // `Please move …`: what begins politely is an order only if all of it can be read.
    while cursor.sees(Word::Lead) && !begins_to_learn(cursor) {
        let here = cursor.place();
        cursor.takes(Word::Lead);
        cursor.skip_joints();
        // `ok` alone is an order of its own.
        if cursor.is_over() {
            cursor.back_to(here);
            break;
        }
    }
    takes_heading(cursor);
    let polite = cursor.place() > start;
    if polite && let Some(Ok(written)) = movement::short_form(cursor) {
        return Some(Ok(written));
    }
    let loose = polite || vocabulary::is_loose(cursor.rest());
    let Some(verb) = cursor.takes_verb() else { return misspelt(cursor) };
    // Talk has such words alone in a line: `Never!`, `Cancel`.
    let is_word = matches!(verb, Word::Always | Word::Never) || loose && verb == Word::Undo;
    if is_word && cursor.is_over() {
        return None;
    }
    if is_sentence(cursor, verb) || verb == Word::Learn && !cursor.sees_advance() {
        return None;
    }
    let head = cursor.place();
    cursor.takes_colon();
    let written = written(cursor, verb);
    let asks = matches!(written, Ok(Written::Question(_)));
    let doubted = loose && cursor.is_question() && !asks;
    if written.is_err() {
        cursor.back_to(head);
    }
    Some(written).filter(|written| match written {
        Ok(_) => !doubted,
        Err(_) => !loose && !chatter::is_chatter(cursor, verb),
    })
}

/// `take Pottery`, `want iron`: such words begin many a polite order, and are one before an advance or a card.
fn begins_to_learn(cursor: &mut Cursor) -> bool {
    let start = cursor.place();
    // `want to build` is only polite.
    let wishes = cursor.takes(Word::Want) && !cursor.sees(Word::To);
    cursor.back_to(start);
    let learns = wishes || cursor.takes(Word::Learn) && cursor.sees_advance();
    cursor.back_to(start);
    learns
}

/// `Orders:`, and then the first of them.
fn takes_heading(cursor: &mut Cursor) {
    let start = cursor.place();
    if !(cursor.takes(Word::Sheet) && cursor.takes_colon()) || cursor.is_at_end() {
        cursor.back_to(start);
    }
}

/// A line whose verb is misspelt, if the rest of it can be read. If it cannot, but speaks of numbers or arrows and of
/// things by name, it is better asked about than passed over.
fn misspelt(cursor: &mut Cursor) -> Option<Result<Written, Fault>> {
    let start = cursor.place();
    let here = cursor.fault(Expected::Order);
    let alone = cursor.sees_swapped_verb();
    let verb = cursor.takes_near_verb()?;
    let candidates = vec![Named::Verb(verb)];
    if cursor.is_over() {
        cursor.forget();
        return alone.map(|_| Err(Fault { candidates, ..here }));
    }
    if cursor.is_question() || !chatter::is_plain(cursor, verb) {
        cursor.forget();
        cursor.back_to(start);
        return None;
    }
    cursor.takes_colon();
    let read = written(cursor, verb);
    match read {
        Ok(written) if cursor.is_sure || cursor.is_exact() => Some(Ok(written)),
        Ok(_) | Err(_) => {
            cursor.forget();
            let speaks = cursor.is_exact() && cursor.lexeme_count() <= LONGEST_MISSPELT;
            let fault = match read {
                Err(fault) if fault.candidates.is_empty() && alone.is_none() => Fault { candidates, ..here },
                Err(fault) => fault,
                Ok(_) => Fault { candidates, ..here },
            };
            speaks.then_some(Err(fault))
        }
    }
}

/// A line of more words is talk.
const LONGEST_MISSPELT: usize = 16;

/// A line of press; none if it is no press. The text behind the recipients is never cut into orders.
pub(crate) fn press(cursor: &mut Cursor) -> Option<Result<Written, Fault>> {
    press::press(cursor).map(|press| press.map(Written::Press))
}

/// Whether a line begins with one of our verbs, or nearly, whether or not it can be read. An ordinary word must speak of
/// things of the game as well.
pub(crate) fn begins_like_order(cursor: &mut Cursor) -> bool {
    cursor.takes_label();
    while cursor.takes(Word::Lead) {
        cursor.skip_joints();
    }
    takes_heading(cursor);
    let loose = vocabulary::is_loose(cursor.rest());
    let Some(verb) = cursor.takes_verb().or_else(|| cursor.takes_near_verb()) else { return false };
    // `If you attack`, `Tell me`: so people speak to each other.
    let loose = loose || matches!(verb, Word::If | Word::Tell);
    !loose || cursor.is_exact() || chatter::names_a_thing(cursor)
}

/// `2`, `line 3: 2`: a name among those that were suggested.
fn choice(cursor: &mut Cursor) -> Option<Written> {
    let line = if cursor.takes(Word::Line) { cursor.takes_number() } else { None };
    cursor.takes_colon();
    cursor.takes(Word::Filler);
    match cursor.takes_number() {
        Some(number) if cursor.takes_close() | cursor.is_at_end() && cursor.is_at_end() => {
            Some(Written::Choice { line, number })
        }
        Some(_) | None => {
            cursor.back_to(0);
            None
        }
    }
}

/// `ok 2`: the form with the lines that the letter proposes under this number. The first is the form itself.
fn proposal(cursor: &mut Cursor) -> Option<Written> {
    let is_ok = cursor.takes(Word::Ok);
    cursor.takes_colon();
    match cursor.takes_number().filter(|_| is_ok && cursor.is_over()) {
        Some(1) => Some(Written::Ok),
        Some(number) => Some(Written::Proposal(number)),
        None => {
            cursor.back_to(0);
            None
        }
    }
}

/// A line that begins with a name or a thing instead of a verb: a calamity, an ability, an addressee, a ship.
fn without_verb(cursor: &mut Cursor) -> Option<Result<Written, Fault>> {
    let one = |command| Written::Orders(vec![command]);
    let verb = Word::verb_at(cursor.rest());
    // `jak Famine: …`: only prepositions may stand before a calamity.
    if verb.is_none()
        && let Some(wishes) = calamities::prefixed(cursor)
    {
        return Some(wishes.and_then(|commands| cursor.end().map(|()| Written::Orders(commands))));
    }
    if verb.is_none()
        && let Some(command) = abilities::named(cursor)
    {
        return Some(Ok(one(command)));
    }
    if verb.is_none()
        && let Some(acquired) = advances::named(cursor)
    {
        return Some(acquired.map(one));
    }
    if let Some(command) = cards::addressed(cursor).or_else(|| cards::have(cursor)) {
        return Some(Ok(one(command)));
    }
    match verb {
        None => ships::by_thing(cursor),
        Some(_) => None,
    }
}

/// What begins with a word of the language and is none the less no order: a heading, a doubt, a disclaimer.
fn is_sentence(cursor: &mut Cursor, verb: Word) -> bool {
    let start = cursor.place();
    let heading = cursor.takes_colon() && cursor.is_at_end();
    cursor.back_to(start);
    match verb {
        Word::Done | Word::Wait | Word::Undo | Word::Clear => heading || cursor.is_question(),
        // People forget many things; an address has its sign.
        Word::Forget => heading || !cursor.rest_text().contains('@'),
        Word::Addresses | Word::Devices | Word::ForgetDevices | Word::NewLink | Word::CopiesOn | Word::CopiesOff => {
            heading || !cursor.is_over()
        }
        // `Details follow`, `data z wczoraj`: people speak of both.
        Word::Detail | Word::Data => {
            let chooses = asking::question(cursor, verb).is_ok();
            cursor.back_to(start);
            heading || !chooses
        }
        // `I propose that we trade`, `vote for me`: people say that to each other.
        Word::Propose => {
            let words = cursor.rest_text().split_whitespace().count();
            let is_read = proposed(cursor).is_ok();
            cursor.back_to(start);
            heading || !is_read && words > 2
        }
        Word::Vote => {
            let words = cursor.rest_text().split_whitespace().count();
            let is_read = asking::timing(cursor, verb).is_ok();
            cursor.back_to(start);
            heading || !is_read && words > 2
        }
        Word::Votes => heading || !cursor.is_over(),
        Word::Away => {
            let dated = [Word::Till, Word::For].into_iter().any(|word| cursor.sees(word)) || cursor.sees_number();
            heading || !dated && !cursor.is_over()
        }
        Word::If => {
            let orders = |rest: &[Lexeme]| Word::verb_at(rest).is_some_and(|(verb, _)| verb != Word::If);
            let tests = cursor.sees_area() || cursor.sees_civ() || cursor.sees(Word::In) || cursor.sees(Word::Is);
            let says_then = cursor.has_word_ahead("then") || cursor.has_word_ahead("wtedy");
            let does = cursor.has_anywhere(orders) || cursor.has_arrow() || cursor.has_anywhere(numbers_at);
            !(says_then || tests && does)
        }
        _ => heading,
    }
}

fn numbers_at(rest: &[Lexeme]) -> bool {
    matches!(rest.first(), Some(Lexeme { kind: LexemeKind::Number(_), .. }))
}

fn written(cursor: &mut Cursor, verb: Word) -> Result<Written, Fault> {
    let written = match verb {
        Word::Always | Word::Never => always(cursor, verb)?,
        Word::Undo if cursor.takes(Word::Always) => Written::UndoAlways { numbers: numbers(cursor) },
        Word::Undo => undo(cursor)?,
        Word::Status
        | Word::Map
        | Word::Sheet
        | Word::Hand
        | Word::History
        | Word::Digest
        | Word::Area
        | Word::Prices
        | Word::Addresses
        | Word::Forget
        | Word::Devices
        | Word::ForgetDevices
        | Word::NewLink
        | Word::CopiesOn
        | Word::CopiesOff
        | Word::Detail
        | Word::Data
        | Word::Rules
        | Word::WhatNow
        | Word::Help => Written::Question(asking::question(cursor, verb)?),
        Word::Offers if cursor.is_over() => Written::Question(asking::question(cursor, verb)?),
        Word::Offers => Written::Orders(all_orders(cursor, Word::Offer)?),
        Word::Propose => proposed(cursor)?,
        Word::Extend | Word::Away | Word::Back | Word::News | Word::Vote | Word::Votes => {
            Written::Timing(asking::timing(cursor, verb)?)
        }
        Word::Ok => Written::Ok,
        Word::Send if cursor.is_over() => Written::Send,
        Word::Clear => clear(cursor),
        _ => Written::Orders(all_orders(cursor, verb)?),
    };
    cursor.end()?;
    Ok(written)
}

/// `propose pause` is put to the vote, `propose to Egypt: 2 salt, wine for 3 iron` is an offer.
fn proposed(cursor: &mut Cursor) -> Result<Written, Fault> {
    let is_offer = cursor.sees(Word::To) || cursor.sees_civ();
    let start = cursor.place();
    asking::timing(cursor, Word::Propose).map(Written::Timing).or_else(|fault| {
        cursor.back_to(start);
        let offered = all_orders(cursor, Word::Offer).map(Written::Orders);
        offered.map_err(|of_offer| if is_offer { of_offer } else { fault })
    })
}

/// `move 3 Crete > Thera and build city in Sparta`: each order with its verb.
fn all_orders(cursor: &mut Cursor, verb: Word) -> Result<Vec<Command>, Fault> {
    let mut commands = orders(cursor, verb, DEEPEST)?;
    while cursor.sees_next_order() {
        cursor.skip_joints();
        cursor.skip(&[Word::Then]);
        let here = cursor.fault(Expected::EndOfOrder);
        let verb = cursor.takes_verb().ok_or(here)?;
        cursor.takes_colon();
        commands.extend(orders(cursor, verb, DEEPEST)?);
    }
    Ok(commands)
}

/// `undo 2`, `undo 2, 3`, `undo 2-4`, `undo last`, `undo cities 2`, `undo all`.
fn undo(cursor: &mut Cursor) -> Result<Written, Fault> {
    // `cancel offer 4`.
    if cursor.sees(Word::OfferNumber) && !cursor.sees_number() {
        return Ok(Written::Orders(vec![Command::Withdraw { number: cards::offer_number(cursor)? }]));
    }
    cursor.skip(&[Word::Filler]);
    let all = cursor.takes(Word::All);
    cursor.skip(&[Word::Filler, Word::In]);
    let part = cursor.takes_part();
    if all || cursor.takes(Word::All) {
        cursor.skip(&[Word::Sheet, Word::Line]);
        return Ok(Written::Clear { part });
    }
    cursor.skip(&[Word::Filler, Word::Line, Word::Lead, Word::OfferNumber]);
    let start = cursor.place();
    // `undo last 2`, `undo the last two lines`.
    if cursor.takes(Word::Last)
        && let Some(last @ 1..) = cursor.takes_number()
    {
        cursor.skip(&[Word::Move, Word::Line, Word::Lead]);
        return Ok(Written::Undo { part, numbers: Vec::new(), last });
    }
    cursor.back_to(start);
    Ok(Written::Undo { part, numbers: numbers(cursor), last: 1 })
}

/// `clear`, `clear cities`, `clear all`.
fn clear(cursor: &mut Cursor) -> Written {
    cursor.skip(&[Word::Filler, Word::All]);
    let part = cursor.takes_part();
    cursor.skip(&[Word::All, Word::Sheet]);
    Written::Clear { part }
}

/// `2, 3`, `2-4`, or `last`, which is none.
fn numbers(cursor: &mut Cursor) -> Vec<u16> {
    let mut numbers = Vec::new();
    if cursor.takes(Word::Last) {
        cursor.skip(&[Word::Move, Word::Line, Word::Lead]);
    } else {
        while let Some(number) = cursor.takes_number() {
            let here = cursor.place();
            let until = (cursor.takes_hyphen() || cursor.takes(Word::To)).then(|| cursor.takes_number()).flatten();
            match until.filter(|until| (number..number.saturating_add(MOST_NUMBERS)).contains(until)) {
                Some(until) => numbers.extend(number..=until),
                None => {
                    cursor.back_to(here);
                    numbers.push(number);
                }
            }
            cursor.skip_joints();
        }
    }
    numbers
}

/// No sheet is longer.
const MOST_NUMBERS: u16 = 999;

/// `always ORDER`, `never ORDER`.
fn always(cursor: &mut Cursor, word: Word) -> Result<Written, Fault> {
    let here = cursor.fault(Expected::Order);
    cursor.takes_colon();
    // In Polish `nigdy nie kupuj` says no once.
    if word == Word::Never && Word::verb_at(cursor.rest()).is_none() {
        cursor.takes(Word::No);
    }
    let wish = calamities::prefixed(cursor).transpose()?;
    let (commands, word) = match wish {
        Some(commands) => (commands, word),
        None => match cursor.takes_verb().ok_or(here.clone())? {
            // `nigdy nie buduj` is the answer no already.
            Word::BuildNot if word == Word::Never => (vec![build_not(cursor)?], Word::Always),
            // `never buy`: from no stack at all.
            Word::Buy if word == Word::Never && cursor.is_over() => (vec![Command::Pass], Word::Always),
            Word::Build if word == Word::Never => never_built(cursor)?,
            // The numbers of offers are those of one turn; what fits is taken in every one.
            Word::Accept => (vec![cards::accept_any(cursor)?], word),
            verb => (orders(cursor, verb, DEEPEST)?, word),
        },
    };
    // What speaks of the open phase only cannot stand for ever.
    let commands: Option<Vec<_>> = match word {
        Word::Never => commands.iter().map(standing::never).collect(),
        _ => Some(commands),
    };
    let lasting = commands.filter(|commands| commands.iter().all(|command| command.phase().is_some()));
    lasting.map(Written::Always).ok_or(here)
}

/// `never build city`, `never build city in Sparta`.
fn never_built(cursor: &mut Cursor) -> Result<(Vec<Command>, Word), Fault> {
    let start = cursor.place();
    cursor.skip(&[Word::Filler, Word::Any]);
    if cursor.takes(Word::City) && cursor.is_over() {
        return Ok((vec![Command::BuildNoCity { area: None }], Word::Always));
    }
    cursor.back_to(start);
    Ok((build(cursor)?, Word::Never))
}

/// The orders that begin with a verb.
fn orders(cursor: &mut Cursor, verb: Word, depth: u8) -> Result<Vec<Command>, Fault> {
    let one = |command| vec![command];
    match verb {
        Word::Tax => tax(cursor).map(one),
        Word::Select => select(cursor).map(one),
        Word::Expand => expand(cursor).map(one),
        Word::Move | Word::Send => movement::walks(cursor),
        Word::Build => build(cursor),
        Word::BuildNot => build_not(cursor).map(one),
        Word::Maintain => ships::maintain(cursor),
        // `keep ship in Crete`, `pay for ship in Crete`: no card is called so.
        Word::KeepCards | Word::Pay if ships::sees_upkeep(cursor) => ships::maintain(cursor),
        Word::Scrap => ships::scrap(cursor),
        Word::Sail => voyages::sail(cursor).map(one),
        Word::If => conditions::condition(cursor, depth).map(one),
        Word::Done => Ok(one(Command::Done)),
        Word::Wait => Ok(one(Command::Wait)),
        Word::Resolve => Ok(one(Command::Resolve { areas: cursor.areas()? })),
        // Each of them, as if it stood alone.
        Word::Delay => {
            let areas = cursor.areas_as(Sense::Mine)?;
            Ok(areas.into_iter().map(|area| Command::Delay { area }).collect())
        }
        Word::Loot => conflict::loot(cursor).map(one),
        Word::Substitute => conflict::substitute(cursor).map(one),
        Word::Reduce => Ok(one(Command::Reduce { areas: calamities::areas(cursor, Sense::Mine)? })),
        // `buy Pottery`: stacks are numbered, advances have names.
        Word::Buy if cursor.sees_advance() => advances::acquire(cursor).map(one),
        Word::Buy => cards::buy(cursor),
        Word::Pass => Ok(one(Command::Pass)),
        Word::Offer | Word::Propose => cards::offer(cursor).map(one),
        Word::Accept => cards::accept(cursor).map(one),
        Word::Want if cursor.sees_full_advance() || cursor.sees_advance() && !cursor.sees_full_card() => {
            advances::acquire(cursor).map(one)
        }
        Word::Want => cards::want(cursor).map(one),
        Word::Decline => decline(cursor).map(one),
        Word::Withdraw => cards::withdraw(cursor),
        Word::Victims | Word::Lose | Word::Spare | Word::Pay | Word::Discard => {
            calamities::wish(cursor, verb, None).map(one)
        }
        Word::Use => abilities::using(cursor).map(one),
        Word::Give => abilities::give(cursor).map(one),
        Word::Acquire | Word::Learn => advances::acquire(cursor).map(one),
        Word::KeepCards => advances::keep(cursor).map(one),
        _ => Err(cursor.fault(Expected::Order)),
    }
}

/// `decline 4`; in Polish the same word discards cards: `odrzucam 2 wody`, `odrzucam nic`.
fn decline(cursor: &mut Cursor) -> Result<Command, Fault> {
    let start = cursor.place();
    let number = cards::offer_number(cursor);
    match number {
        Ok(number) if cursor.is_over() => Ok(Command::Decline { number }),
        number => {
            let has_card = cursor.sees_card() || cursor.sees(Word::All) || cursor.sees(Word::Nothing);
            match (has_card, number) {
                (true, _) => {
                    cursor.back_to(start);
                    calamities::wish(cursor, Word::Discard, None)
                }
                (false, number) => Ok(Command::Decline { number: number? }),
            }
        }
    }
}

/// `tax 3`.
fn tax(cursor: &mut Cursor) -> Result<Command, Fault> {
    cursor.skip(&[Word::Filler, Word::In, Word::Rate, Word::To, Word::Is]);
    cursor.takes_colon();
    let rate = cursor.number(Expected::Number)?;
    cursor.skip(&[Word::Token, Word::Per, Word::For, Word::Filler, Word::City]);
    Ok(Command::Tax { rate })
}

/// `select Athens, Thebes`, `select nothing`.
fn select(cursor: &mut Cursor) -> Result<Command, Fault> {
    Ok(Command::Select { areas: calamities::areas(cursor, Sense::Any)? })
}

/// `expand Crete 2, Thera 1`; the number may also stand first.
fn expand(cursor: &mut Cursor) -> Result<Command, Fault> {
    let mut shares = Vec::new();
    loop {
        let first = cursor.takes_amount();
        cursor.skip_to_area(&[Word::Token, Word::In, Word::To, Word::Filler]);
        let area = cursor.area_as(Sense::Mine)?;
        let count = match first.or_else(|| cursor.takes_bracketed()) {
            Some(count) => count,
            None => {
                cursor.takes_arrow();
                cursor.takes_colon();
                cursor.skip(&[Word::With, Word::By, Word::Times, Word::Filler]);
                cursor.number(Expected::NumberOfTokens)?
            }
        };
        cursor.takes(Word::Token);
        shares.push((area, count));
        cursor.skip_joints();
        if cursor.is_listed() {
            return Ok(Command::Expand { shares });
        }
    }
}

/// `build ship …`, `build city …`, `build no city`.
fn build(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    if cursor.takes(Word::No) || cursor.sees(Word::Nothing) {
        return build_not(cursor).map(|command| vec![command]);
    }
    cursor.skip(&[Word::Filler, Word::New]);
    let count = cursor.takes_number();
    cursor.skip(&[Word::New]);
    if cursor.takes(Word::Ship) {
        return ships::build_ship(cursor, count.unwrap_or(1));
    }
    if cursor.takes(Word::City) && count.is_none_or(|count| count == 1) {
        cities::build(cursor)
    } else {
        Err(cursor.fault(Expected::ShipOrCity))
    }
}

/// `no city`, `no city in Sparta`, `nothing`.
fn build_not(cursor: &mut Cursor) -> Result<Command, Fault> {
    cursor.skip(&[Word::Filler, Word::Any, Word::New]);
    // `nie buduj`: what is not ordered is not built, but for cities.
    if cursor.takes(Word::City) || cursor.takes(Word::Nothing) || cursor.is_over() {
        cursor.skip_to_area(&[Word::In]);
        let area = if cursor.sees_area() { Some(cursor.area()?) } else { None };
        Ok(Command::BuildNoCity { area })
    } else {
        Err(cursor.fault(Expected::City))
    }
}
