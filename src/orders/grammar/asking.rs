//! Questions and wishes about deadlines: `rules 4b`, `help sail`, `extend 24h`, `away until 1 December`.

use crate::game::Phase;
use crate::orders::asking::{HelpTopic, PageWish, Proposed, Question, RulesTopic, Timing, Until};
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault};
use crate::orders::lexemes::{Lexeme, LexemeKind, fold};
use crate::orders::vocabulary::Word;
use crate::orders::words::{DETAILS, SWITCH};

/// More words than this are a sentence, no topic.
const LONGEST_TOPIC: usize = 4;

/// The pieces of the game, and the verbs that speak of them.
const THINGS: [(Word, &[Word]); 5] = [
    (Word::Ship, &[Word::Build, Word::Maintain, Word::Sail, Word::Scrap]),
    (Word::City, &[Word::Build, Word::BuildNot, Word::Reduce]),
    (Word::Token, &[Word::Move, Word::Expand]),
    (Word::Treasury, &[Word::Tax]),
    (Word::Calamity, &[Word::Victims, Word::Lose, Word::Spare, Word::Pay, Word::Discard]),
];

/// The rest of a question behind its verb.
pub(crate) fn question(cursor: &mut Cursor, verb: Word) -> Result<Question, Fault> {
    Ok(match verb {
        Word::Status => Question::Status,
        Word::Sheet => Question::Sheet,
        Word::Hand => Question::Hand,
        Word::Map => {
            cursor.skip_to_area(&[Word::Filler, Word::In, Word::From]);
            Question::Map(if cursor.sees_area() { Some(cursor.area()?) } else { None })
        }
        Word::History => {
            cursor.skip(&[Word::Filler, Word::Turn]);
            Question::History(cursor.takes_number())
        }
        Word::Digest => {
            cursor.skip(&[Word::Filler, Word::Turn]);
            Question::Digest(cursor.takes_number())
        }
        Word::Offers => Question::Offers,
        Word::Area => Question::Area(cursor.area()?),
        Word::Prices => Question::Prices,
        Word::Addresses => Question::Addresses,
        Word::Forget => {
            let address = cursor.rest_text().trim().to_owned();
            cursor.leave_rest();
            Question::Forget(address)
        }
        Word::Devices => Question::Page(PageWish::Devices),
        Word::ForgetDevices => Question::Page(PageWish::ForgetDevices),
        Word::NewLink => Question::Page(PageWish::NewLink),
        Word::CopiesOn => Question::Page(PageWish::Copies(true)),
        Word::CopiesOff => Question::Page(PageWish::Copies(false)),
        Word::Detail => Question::Detail(chosen(cursor, DETAILS)?),
        Word::Data => Question::Data(chosen(cursor, SWITCH)?),
        Word::Rules => Question::Rules(rules_topic(cursor)?),
        Word::WhatNow => Question::Help(HelpTopic::Now),
        _ => Question::Help(help_topic(cursor)?),
    })
}

/// What the rest of the line chooses, by its spellings.
fn chosen<T: Copy>(cursor: &mut Cursor, of: &[(T, &[&str], &[&str])]) -> Result<T, Fault> {
    cursor.takes_colon();
    let text = fold(cursor.rest_text().trim_matches([' ', '.', '!', ':', '=']));
    let is_meant = |(_, english, polish): &&(T, &[&str], &[&str])| {
        english.iter().chain(*polish).any(|spelling| fold(spelling) == text)
    };
    let (chosen, ..) = of.iter().find(is_meant).ok_or_else(|| cursor.fault(Expected::EndOfOrder))?;
    cursor.leave_rest();
    Ok(*chosen)
}

/// `Petra?`: the full name of an area and nothing else.
pub(crate) fn bare_area(cursor: &mut Cursor) -> Option<Question> {
    let start = cursor.place();
    if !cursor.is_question() || !cursor.sees_area() {
        return None;
    }
    let area = cursor.area().ok().filter(|_| cursor.is_sure && cursor.is_at_end());
    match area {
        Some(_) => cursor.verb = Some(Word::Area),
        None => {
            cursor.forget();
            cursor.back_to(start);
        }
    }
    area.map(Question::Area)
}

/// The letters of the sections that have no number.
const LETTERED: [&str; 5] = ["g", "c", "a", "l", "m"];

/// `4b`, `R4.9`, `MC-7`, `famine`, `Pottery`.
fn rules_topic(cursor: &mut Cursor) -> Result<RulesTopic, Fault> {
    // `rules A`: a letter alone is a section, whatever else it may say.
    if let [Lexeme { kind: LexemeKind::Word(letter), .. }] = cursor.rest()
        && LETTERED.contains(&letter.as_str())
    {
        let letter = letter.to_ascii_uppercase();
        cursor.leave_rest();
        return Ok(RulesTopic::Number(letter));
    }
    cursor.skip(&[Word::For, Word::Filler, Word::In]);
    if cursor.is_over() {
        return Ok(RulesTopic::Contents);
    }
    if let Some(calamity) = cursor.takes_calamity_name() {
        return Ok(RulesTopic::Calamity(calamity));
    }
    if cursor.sees_advance() {
        return cursor.advance(Expected::Advance).map(RulesTopic::Advance);
    }
    let text = topic(cursor)?;
    let number: String = text.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>().to_ascii_uppercase();
    let is_number = number.len() <= 6 && number.contains(|c: char| c.is_ascii_digit());
    Ok(if is_number { RulesTopic::Number(number) } else { RulesTopic::Unknown(text) })
}

/// A verb, a phase by name or number, or words that the answer has to deal with.
fn help_topic(cursor: &mut Cursor) -> Result<HelpTopic, Fault> {
    cursor.skip(&[Word::For, Word::Filler, Word::In, Word::With, Word::Rule]);
    if cursor.is_over() {
        return Ok(HelpTopic::General);
    }
    let start = cursor.place();
    if let Some(number) = cursor.takes_number().filter(|_| cursor.is_over()) {
        let phase = Phase::ALL.into_iter().find(|phase| u16::from(phase.number()) == number);
        return Ok(phase.map_or_else(|| HelpTopic::Unknown(number.to_string()), HelpTopic::Phase));
    }
    cursor.back_to(start);
    if let Some(verb) = cursor.takes_verb().filter(|_| cursor.is_over()) {
        return Ok(HelpTopic::Verb(verb));
    }
    cursor.back_to(start);
    if let Some(phase) = cursor.takes_part().filter(|_| cursor.is_over()) {
        return Ok(HelpTopic::Phase(phase));
    }
    cursor.back_to(start);
    // `help ships`: all that is done with them.
    let things = THINGS.iter().find(|(thing, _)| cursor.takes(*thing) && cursor.is_over());
    if let Some((_, verbs)) = things {
        return Ok(HelpTopic::Verbs(verbs.to_vec()));
    }
    cursor.back_to(start);
    topic(cursor).map(HelpTopic::Unknown)
}

/// The rest of the line, if it is short enough for a topic.
fn topic(cursor: &mut Cursor) -> Result<String, Fault> {
    if cursor.rest().len() > LONGEST_TOPIC {
        return Err(cursor.fault(Expected::EndOfOrder));
    }
    let text = cursor.rest_text().trim_end_matches(['.', '?', '!']).trim().to_owned();
    cursor.leave_rest();
    Ok(text)
}

/// The rest of a wish about deadlines behind its verb.
pub(crate) fn timing(cursor: &mut Cursor, verb: Word) -> Result<Timing, Fault> {
    cursor.skip(&[Word::By, Word::Filler]);
    match verb {
        Word::Extend => {
            cursor.skip(&[Word::Deadline, Word::By, Word::For, Word::Filler]);
            Ok(Timing::Extend { hours: hours(cursor)? })
        }
        Word::News => news(cursor),
        Word::Propose => Ok(Timing::Propose(proposal(cursor)?)),
        Word::Vote => vote(cursor),
        Word::Votes => Ok(Timing::Votes),
        Word::Away => Ok(Timing::Away { until: if cursor.is_over() { None } else { Some(until(cursor)?) } }),
        _ => Ok(Timing::Back),
    }
}

/// What a proposal may be called, in both languages.
const PROPOSED: [(&str, &[&str]); 6] = [
    (
        "extension",
        &["extension", "extend", "later", "longer", "przedluzenie", "przedluzyc", "pozniejszy", "przesuniecie"],
    ),
    ("earlier", &["earlier", "sooner", "wczesniejszy", "wczesniej", "skrocenie"]),
    ("pause", &["pause", "break", "pauza", "pauze", "przerwa", "przerwe", "wstrzymanie"]),
    ("resume", &["resume", "wznowienie", "wznowic"]),
    ("abandon", &["abandon", "abandoning", "porzucenie", "porzucic"]),
    ("end", &["end", "ending", "finish", "koniec", "zakonczenie", "zakonczyc"]),
];

/// `extension 48h`, `earlier 24h`, `pause`, `resume`, `end`.
fn proposal(cursor: &mut Cursor) -> Result<Proposed, Fault> {
    let text = fold(cursor.rest_text());
    let pieces = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = pieces.collect();
    let named = |word: &&str| PROPOSED.iter().find(|(_, spellings)| spellings.contains(word)).map(|(name, _)| *name);
    // A sentence that happens to have such a word somewhere proposes nothing.
    let found = words.iter().take(3).find_map(named).filter(|_| words.len() <= LONGEST_PROPOSAL);
    let found = found.ok_or_else(|| cursor.fault(Expected::Proposal))?;
    let hours = || span(&words).ok_or_else(|| cursor.fault(Expected::Duration));
    let proposed = match found {
        "extension" => Proposed::Extension { hours: hours()? },
        "earlier" => Proposed::Earlier { hours: hours()? },
        "pause" => Proposed::Pause,
        "resume" => Proposed::Resume,
        "abandon" => Proposed::Abandon,
        _ => Proposed::End,
    };
    cursor.leave_rest();
    Ok(proposed)
}

/// More words than this are a sentence.
const LONGEST_PROPOSAL: usize = 7;

/// The hours in `48h`, `2 days`, `o 2 dni`.
fn span(words: &[&str]) -> Option<u16> {
    let place = words.iter().position(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let digits = words[place].trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = words[place].get(digits.len()..).filter(|unit| !unit.is_empty());
    let unit = unit.or(words.get(place + 1).copied()).unwrap_or("h");
    let count: u16 = digits.parse().ok()?;
    match unit.chars().next()? {
        'h' | 'g' => Some(count),
        'd' => Some(count.saturating_mul(24)),
        'w' | 't' => Some(count.saturating_mul(24 * 7)),
        _ => None,
    }
    .filter(|hours| *hours <= LONGEST_SHIFT)
}

/// Nobody proposes a cut-off further than a month away.
const LONGEST_SHIFT: u16 = 31 * 24;

/// `vote yes`, `vote 2 no`, `vote no on 2`.
fn vote(cursor: &mut Cursor) -> Result<Timing, Fault> {
    let text = fold(cursor.rest_text());
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let says = |spellings: &[&str]| words.iter().any(|word| spellings.contains(word));
    let yes = says(&["yes", "y", "aye", "for", "tak", "za"]);
    let no = says(&["no", "n", "nay", "against", "nie", "przeciw"]);
    let number = words.iter().find_map(|word| word.parse().ok());
    if yes == no || words.len() > LONGEST_VOTE {
        return Err(cursor.fault(Expected::Vote));
    }
    cursor.leave_rest();
    Ok(Timing::Vote { number, yes })
}

/// More words than this are a sentence.
const LONGEST_VOTE: usize = 4;

/// `24h`, `2 days`, `24`.
fn hours(cursor: &mut Cursor) -> Result<u16, Fault> {
    let count = cursor.number(Expected::Duration)?;
    if cursor.takes(Word::Day) {
        Ok(count.saturating_mul(24))
    } else if cursor.takes(Word::Week) {
        Ok(count.saturating_mul(24 * 7))
    } else if cursor.takes(Word::Hour) || cursor.is_over() {
        Ok(count)
    } else {
        Err(cursor.fault(Expected::Duration))
    }
}

/// `news`, `news each`, `news 3h`, `news daily`.
fn news(cursor: &mut Cursor) -> Result<Timing, Fault> {
    cursor.skip(&[Word::Filler]);
    if cursor.is_over() {
        return Ok(Timing::News { hours: None });
    }
    if cursor.takes(Word::Daily) {
        return Ok(Timing::News { hours: Some(24) });
    }
    // `every 3 hours` as well as `every`.
    let each = cursor.takes(Word::All);
    if each && cursor.is_over() {
        return Ok(Timing::News { hours: Some(0) });
    }
    Ok(Timing::News { hours: Some(hours(cursor)?.clamp(1, LONGEST_PACE)) })
}

/// Nobody waits longer for news than a week.
const LONGEST_PACE: u16 = 7 * 24;

/// `until 1 December`, `until December 1, 2026`, `until 2026-12-01`, `until Monday`, `for 3 days`.
fn until(cursor: &mut Cursor) -> Result<Until, Fault> {
    cursor.skip(&[Word::Till, Word::For, Word::In]);
    if cursor.takes(Word::Overmorrow) {
        return Ok(Until::Days(2));
    }
    if cursor.takes(Word::Tomorrow) {
        return Ok(Until::Days(1));
    }
    cursor.skip(&[Word::Till, Word::For, Word::In, Word::Filler]);
    if let Some(weekday) = cursor.takes_weekday() {
        return Ok(Until::Weekday(weekday));
    }
    if let Some(month) = cursor.takes_month() {
        let day = cursor.number(Expected::Date)?;
        cursor.skip(&[Word::Ordinal]);
        cursor.skip_joints();
        return date(cursor, day, month.into());
    }
    let first = cursor.number(Expected::Date)?;
    if cursor.takes(Word::Day) {
        return Ok(Until::Days(first));
    }
    if cursor.takes(Word::Week) {
        return Ok(Until::Days(first.saturating_mul(7)));
    }
    cursor.skip(&[Word::Ordinal, Word::Filler]);
    if let Some(month) = cursor.takes_month() {
        cursor.skip_joints();
        return date(cursor, first, month.into());
    }
    // Numbers alone: 1.12., 1.12.2026, 2026-12-01.
    let mut next = || {
        cursor.takes_arrow();
        cursor.skip_joints();
        cursor.takes_number()
    };
    match (first, next(), next()) {
        (year, Some(month), Some(day)) if year > 31 => dated(day, month, Some(year)),
        (day, Some(month), year) => dated(day, month, year),
        (_, None, _) => None,
    }
    .ok_or_else(|| cursor.fault(Expected::Date))
}

fn date(cursor: &mut Cursor, day: u16, month: u16) -> Result<Until, Fault> {
    let year = cursor.takes_number();
    dated(day, month, year).ok_or_else(|| cursor.fault(Expected::Date))
}

fn dated(day: u16, month: u16, year: Option<u16>) -> Option<Until> {
    let fits = (1..=31).contains(&day) && (1..=12).contains(&month) && year.is_none_or(|year| year > 2000);
    fits.then_some(Until::Date { day: day as u8, month: month as u8, year })
}
