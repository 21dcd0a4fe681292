//! The cursor: walks over the lexemes of one order and takes words, numbers and names.

mod named;
mod numbers;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use super::bearings::{Bearings, Sense};
use super::fault::{Expected, Fault, Named};
use strsim::osa_distance;

use super::lexemes::{Lexeme, LexemeKind, fold};
use super::lexicon::Lexicon;
use super::names::{Found, How, Names};
use super::read::Lens;
use super::vocabulary::{self, Word};
use crate::game::Count;
use crate::rules::{Advance, AreaId, Calamity, Civ, Face, Group};

/// The most a number may say; larger ones mean no more.
const LARGEST: u32 = 9999;

/// A misspelling that was read as a name. The player is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadAs {
    /// The place in the line.
    pub span: Range<usize>,
    /// What it was read as.
    pub name: Named,
}

/// The kinds of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Area,
    Civ,
    Card,
    Advance,
}

/// What a capital W stands for before a name.
const WESTERN: &str = "western";

/// Letters that begin the name of an area where something stands, and no word of talk.
const BEGUN: usize = 4;

/// Words of a line behind its verb among which a name is looked for: who speaks longer talks.
const FARTHEST: usize = 60;

/// Words before a colon that may be meant for a name.
const LONGEST_HEAD: usize = 4;

/// A word of so many letters that comes near a name is likely meant for it.
const LIKELY: usize = 5;

/// A place in a line.
pub(crate) struct Cursor<'a> {
    line: &'a str,
    lexemes: &'a [Lexeme],
    at: usize,
    lexicon: &'a Lexicon,
    /// Where the writer stands, if that is known.
    pub bearings: Option<&'a Bearings<'a>>,
    /// The misspellings read on the way.
    pub read_as: Vec<ReadAs>,
    /// Whether all names so far were full names.
    pub is_sure: bool,
    /// The verb that began the order.
    pub verb: Option<Word>,
    /// The last area that was read.
    pub last_area: Option<AreaId>,
    /// What was found where an area was looked for: it is asked for more than once, and a misspelling is dear.
    areas: RefCell<BTreeMap<usize, Found<AreaId>>>,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of an order. `line` is the whole line the spans speak of.
    pub(crate) fn new(line: &'a str, lexemes: &'a [Lexeme], lens: Lens<'a>) -> Cursor<'a> {
        Cursor {
            line,
            lexemes,
            at: 0,
            lexicon: lens.lexicon,
            bearings: lens.bearings,
            read_as: Vec::new(),
            is_sure: true,
            verb: None,
            last_area: None,
            areas: RefCell::default(),
        }
    }

    /// What is still to be read.
    pub(crate) fn rest(&self) -> &'a [Lexeme] {
        &self.lexemes[self.at..]
    }

    /// Forgets what was read on a way that led nowhere.
    pub(crate) fn forget(&mut self) {
        (self.read_as, self.is_sure) = (Vec::new(), true);
    }

    /// Whether nothing is left.
    pub(crate) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    /// Where the cursor stands, to come back to.
    pub(crate) fn place(&self) -> usize {
        self.at
    }

    /// Goes back to a place.
    pub(crate) fn back_to(&mut self, place: usize) {
        self.at = place;
    }

    /// Whether the word comes next.
    pub(crate) fn sees(&self, word: Word) -> bool {
        word.at(self.rest()).is_some()
    }

    /// Takes the word if it comes next.
    pub(crate) fn takes(&mut self, word: Word) -> bool {
        let taken = word.at(self.rest());
        self.at += taken.unwrap_or(0);
        taken.is_some()
    }

    /// Takes the verb that begins an order.
    pub(crate) fn takes_verb(&mut self) -> Option<Word> {
        let (word, taken) = Word::verb_at(self.rest())?;
        self.at += taken;
        self.verb = self.verb.or(Some(word));
        Some(word)
    }

    /// Takes the verb that the next word is a misspelling of.
    pub(crate) fn takes_near_verb(&mut self) -> Option<Word> {
        let LexemeKind::Word(word) = &self.rest().first()?.kind else { return None };
        let verb = Word::near_verb(word)?;
        self.read_as.push(ReadAs { span: self.span(1), name: Named::Verb(verb) });
        self.at += 1;
        self.verb = self.verb.or(Some(verb));
        Some(verb)
    }

    /// The verb that the next word is with two letters swapped.
    pub(crate) fn sees_swapped_verb(&self) -> Option<Word> {
        match &self.rest().first()?.kind {
            LexemeKind::Word(word) => Word::swapped_verb(word),
            _ => None,
        }
    }

    /// Takes the word if a number follows it.
    pub(crate) fn takes_before_number(&mut self, word: Word) -> bool {
        let start = self.at;
        let taken = self.takes(word) && (self.sees_number() || self.sees(Word::All));
        if !taken {
            self.at = start;
        }
        taken
    }

    /// Takes a label that `1: move …`, `[1] move …`, `1 - move …` or `1 move …` begins with.
    pub(crate) fn takes_label(&mut self) {
        let start = self.at;
        // `Movement: …`, `Turn 3: …`.
        let is_verb = Word::verb_at(self.rest()).is_some();
        let titled = self.takes_part().is_some() || self.takes(Word::Turn) && self.takes_number().is_some();
        if titled && !is_verb && self.takes_colon() && !self.is_at_end() {
            return;
        }
        self.at = start;
        self.takes_sign(&LexemeKind::Open);
        let number = self.takes_number().is_some();
        let signs = [LexemeKind::Close, LexemeKind::Colon, LexemeKind::Hyphen];
        let closed = signs.iter().any(|sign| self.takes_sign(sign));
        let labels = Word::verb_at(self.rest()).is_some() && (closed || !vocabulary::is_loose(self.rest()));
        if !number || !labels {
            self.at = start;
        }
    }

    /// What is still to be read, in the player's own words.
    pub(crate) fn rest_text(&self) -> &'a str {
        let end = self.lexemes.last().map_or(0, |lexeme| lexeme.span.end);
        let start = self.rest().first().map_or(end, |lexeme| lexeme.span.start);
        // What follows the last lexeme is a sign without meaning for orders, but not for readers.
        self.line[start..].trim()
    }

    pub(crate) fn leave_rest(&mut self) {
        self.at = self.lexemes.len();
    }

    /// Whether a colon follows somewhere.
    pub(crate) fn has_colon_ahead(&self) -> bool {
        self.rest().iter().any(|lexeme| lexeme.kind == LexemeKind::Colon)
    }

    /// Takes the name of a month and says its number.
    pub(crate) fn takes_month(&mut self) -> Option<u8> {
        self.takes_named(vocabulary::month)
    }

    /// Takes the name of a day of the week; Monday is 1.
    pub(crate) fn takes_weekday(&mut self) -> Option<u8> {
        self.takes_named(vocabulary::weekday)
    }

    fn takes_named(&mut self, number: impl Fn(&str) -> Option<u8>) -> Option<u8> {
        let LexemeKind::Word(word) = &self.rest().first()?.kind else { return None };
        let number = number(word)?;
        self.at += 1;
        Some(number)
    }

    /// Takes the name of a calamity, misspelt or not.
    pub(crate) fn takes_calamity_name(&mut self) -> Option<Calamity> {
        match self.lexicon.calamities.find(self.line, self.rest(), &vocabulary::stop, false) {
            Found::Read { what, taken, .. } => {
                self.at += taken;
                Some(what)
            }
            Found::Several { .. } | Found::Nothing => None,
        }
    }

    /// Whether the line is a question.
    pub(crate) fn is_question(&self) -> bool {
        self.line.trim_end().ends_with('?')
    }

    /// Whether an unknown word with a capital stands somewhere in the rest, as names have one.
    pub(crate) fn has_capital_ahead(&self) -> bool {
        let is_name = |lexeme: &Lexeme| {
            let text = self.line.get(lexeme.span.clone()).unwrap_or_default();
            text.starts_with(char::is_uppercase) && !vocabulary::is_reserved(lexeme)
        };
        self.rest().iter().any(is_name)
    }

    /// How many words and signs the line has.
    pub(crate) fn lexeme_count(&self) -> usize {
        self.lexemes.len()
    }

    /// Whether the lexemes somewhere in the rest do so.
    pub(crate) fn has_anywhere(&self, does: impl Fn(&[Lexeme]) -> bool) -> bool {
        (self.at..self.lexemes.len()).any(|at| does(&self.lexemes[at..]))
    }

    /// Whether a number or an arrow stands somewhere in the line.
    pub(crate) fn is_exact(&self) -> bool {
        self.lexemes.iter().any(|lexeme| matches!(lexeme.kind, LexemeKind::Number(_) | LexemeKind::Arrow))
    }

    /// Whether an arrow stands somewhere in the line.
    pub(crate) fn has_arrow(&self) -> bool {
        self.lexemes.iter().any(|lexeme| lexeme.kind == LexemeKind::Arrow)
    }

    /// Whether a name of one of these kinds stands somewhere in the rest: in full, or so much of it that chance is no
    /// likely reason.
    pub(crate) fn has_name_ahead(&self, kinds: &[Kind]) -> bool {
        let end = self.lexemes.len().min(self.at + FARTHEST);
        (self.at..end).any(|at| kinds.iter().any(|kind| self.names_at(at, *kind)))
    }

    /// Whether so much of the name of an area stands somewhere in the rest that it begins one on the board where something
    /// stands: less than chance would ask for elsewhere.
    pub(crate) fn has_occupied_ahead(&self, kinds: &[Kind]) -> bool {
        let Some(bearings) = self.bearings.filter(|_| kinds.contains(&Kind::Area)) else { return false };
        let is_one = |lexeme: &Lexeme| match &lexeme.kind {
            LexemeKind::Word(word) if word.len() >= BEGUN && !vocabulary::is_talk(lexeme) => {
                let areas = self.lexicon.areas.begun_by(word);
                !vocabulary::is_reserved(lexeme) && areas.into_iter().any(|area| bearings.is_occupied(area))
            }
            _ => false,
        };
        self.rest().iter().take(FARTHEST).any(is_one)
    }

    fn names_at(&self, at: usize, kind: Kind) -> bool {
        let lexemes = &self.lexemes[at..];
        let likely = match &lexemes[0].kind {
            LexemeKind::Word(word) => word.len() >= LIKELY && !vocabulary::is_reserved(&lexemes[0]),
            _ => return false,
        };
        match kind {
            Kind::Area => is_named(&self.lexicon.areas, self.line, lexemes, likely),
            Kind::Civ => is_named(&self.lexicon.civs, self.line, lexemes, likely),
            Kind::Card => is_named(&self.lexicon.cards, self.line, lexemes, likely),
            Kind::Advance => is_named(&self.lexicon.advances, self.line, lexemes, likely),
        }
    }

    /// Whether this word stands somewhere in the rest.
    pub(crate) fn has_word_ahead(&self, word: &str) -> bool {
        self.rest().iter().any(|lexeme| matches!(&lexeme.kind, LexemeKind::Word(said) if said == word))
    }

    /// Takes all of these words that come next, in any sequence.
    pub(crate) fn skip(&mut self, words: &[Word]) {
        while words.iter().any(|word| self.takes(*word)) {}
    }

    /// Takes these words up to an area whose full name may begin with one of them.
    pub(crate) fn skip_to_area(&mut self, words: &[Word]) {
        while !self.begins_area() && words.iter().any(|word| self.takes(*word)) {}
    }

    fn begins_area(&self) -> bool {
        self.lexicon.areas.is_full(self.line, self.rest()) || self.western().is_some()
    }

    /// `W Armenia`, `W. Armenia`: a capital that begins no line is no Polish preposition.
    fn western(&self) -> Option<(AreaId, usize)> {
        let [first, second, ..] = self.rest() else { return None };
        let text = |lexeme: &Lexeme| self.line.get(lexeme.span.clone()).unwrap_or_default();
        let is_name = |text: &str| text.starts_with(char::is_uppercase) && text.contains(char::is_lowercase);
        if self.at == 0 || text(first) != "W" || !is_name(text(second)) {
            return None;
        }
        let mut lexemes = self.rest().to_vec();
        lexemes[0].kind = LexemeKind::Word(WESTERN.into());
        match self.lexicon.areas.find(self.line, &lexemes, &vocabulary::stop, false) {
            Found::Read { what, taken, how: How::Full } if taken > 1 => Some((what, taken)),
            Found::Read { .. } | Found::Several { .. } | Found::Nothing => None,
        }
    }

    /// Takes an arrow, `to`, `via` and the like: a step is pointed at.
    pub(crate) fn points(&mut self) -> bool {
        let start = self.at;
        let words = [Word::To, Word::Via, Word::Then, Word::In];
        while self.takes_arrow() || self.western().is_none() && words.into_iter().any(|word| self.takes(word)) {}
        self.skip_to_area(&[Word::Filler]);
        self.at > start
    }

    /// Takes commas, colons and `and`.
    pub(crate) fn skip_joints(&mut self) {
        while self.takes_sign(&LexemeKind::Comma) || self.takes_sign(&LexemeKind::Colon) || self.takes(Word::And) {}
    }

    /// Takes an arrow, or a dash that serves as one.
    pub(crate) fn takes_arrow(&mut self) -> bool {
        self.takes_sign(&LexemeKind::Arrow) || self.takes_sign(&LexemeKind::Hyphen)
    }

    fn takes_sign(&mut self, kind: &LexemeKind) -> bool {
        let taken = self.rest().first().is_some_and(|lexeme| lexeme.kind == *kind);
        self.at += usize::from(taken);
        taken
    }

    /// Takes a closing bracket.
    pub(crate) fn takes_close(&mut self) -> bool {
        self.takes_sign(&LexemeKind::Close)
    }

    pub(crate) fn takes_colon(&mut self) -> bool {
        self.takes_sign(&LexemeKind::Colon)
    }

    /// Whether words and then an arrow follow.
    pub(crate) fn has_arrow_ahead(&self) -> bool {
        self.has_ahead(&LexemeKind::Arrow)
    }

    /// Whether words and then a dash follow.
    pub(crate) fn has_hyphen_ahead(&self) -> bool {
        self.has_ahead(&LexemeKind::Hyphen)
    }

    fn has_ahead(&self, kind: &LexemeKind) -> bool {
        let words = self.rest().iter().take_while(|lexeme| matches!(lexeme.kind, LexemeKind::Word(_))).count();
        words > 0 && self.rest().get(words).is_some_and(|lexeme| lexeme.kind == *kind)
    }

    /// Whether a number or `all` comes next.
    pub(crate) fn sees_count(&self) -> bool {
        self.sees_number() || self.sees(Word::All)
    }

    /// Whether an arrow comes next.
    pub(crate) fn sees_arrow(&self) -> bool {
        self.rest().first().is_some_and(|lexeme| lexeme.kind == LexemeKind::Arrow)
    }

    /// Whether a dash comes next.
    pub(crate) fn sees_hyphen(&self) -> bool {
        self.rest().first().is_some_and(|lexeme| lexeme.kind == LexemeKind::Hyphen)
    }

    pub(crate) fn takes_hyphen(&mut self) -> bool {
        self.takes_sign(&LexemeKind::Hyphen)
    }

    /// Whether a civilization's name, full, begun or misspelt, comes next.
    pub(crate) fn sees_civ(&self) -> bool {
        self.finds(&self.lexicon.civs)
    }

    /// Takes the name of a person at a seat, whole or a part that only one has. A civilization of that name comes first.
    pub(crate) fn takes_player(&mut self) -> Option<Civ> {
        let bearings = self.bearings.filter(|_| !self.sees_full_civ())?;
        let words = self.rest().iter().take_while(|lexeme| matches!(lexeme.kind, LexemeKind::Word(_))).count();
        let (civ, taken) = (1..=words.min(LONGEST_HEAD)).rev().find_map(|count| {
            let name = self.line.get(self.span(count))?;
            Some((bearings.player(name)?, count))
        })?;
        self.at += taken;
        Some(civ)
    }

    /// Whether the full name of a civilization comes next.
    pub(crate) fn sees_full_civ(&self) -> bool {
        self.lexicon.civs.is_full(self.line, self.rest())
    }

    /// Whether the full name of an area comes next.
    pub(crate) fn sees_full_area(&self) -> bool {
        self.lexicon.areas.is_full(self.line, self.rest())
    }

    /// Whether the full name of a calamity comes next.
    pub(crate) fn sees_full_calamity(&self) -> bool {
        self.lexicon.calamities.is_full(self.line, self.rest())
    }

    /// Whether a bracket opens.
    pub(crate) fn sees_bracket(&self) -> bool {
        self.rest().first().is_some_and(|lexeme| lexeme.kind == LexemeKind::Open)
    }

    /// The part of the sheet that the next word names.
    pub(crate) fn takes_part(&mut self) -> Option<crate::game::Phase> {
        let LexemeKind::Word(word) = &self.rest().first()?.kind else { return None };
        let phase = vocabulary::part(word)?;
        self.at += 1;
        Some(phase)
    }

    /// Whether nothing is left but politeness or something in brackets.
    pub(crate) fn is_over(&self) -> bool {
        self.is_at_end() || self.is_trailing() || self.sees(Word::Else)
    }

    /// Whether a list has come to its end: nothing more follows, or the verb of another order does.
    pub(crate) fn is_listed(&self) -> bool {
        self.is_over() || Word::verb_at(self.rest()).is_some() && !vocabulary::is_loose(self.rest())
    }

    /// Whether only politeness or something in brackets is left.
    fn is_trailing(&self) -> bool {
        self.sees(Word::Please) || self.sees_bracket()
    }

    /// Whether another order follows, behind a comma or `and`: its verb says so.
    pub(crate) fn sees_next_order(&mut self) -> bool {
        let start = self.at;
        self.skip_joints();
        self.skip(&[Word::Then]);
        let sees = Word::verb_at(self.rest()).is_some() && !vocabulary::is_loose(self.rest());
        self.at = start;
        sees
    }

    /// What stands where a name must.
    fn demanded<T: Copy>(&self, names: &Names<T>) -> Found<T> {
        match find(names, self.line, self.rest(), self.follows_place()) {
            Found::Nothing => names.begun_by_key(self.rest(), &vocabulary::stop),
            found @ (Found::Read { .. } | Found::Several { .. }) => found,
        }
    }

    fn finds<T: Copy>(&self, names: &Names<T>) -> bool {
        !matches!(find(names, self.line, self.rest(), false), Found::Nothing)
    }

    fn name<T: Copy + PartialEq>(
        &mut self,
        found: Found<T>,
        named: impl Fn(T) -> Named,
        expected: Expected,
    ) -> Result<T, Fault> {
        match found {
            Found::Read { what, taken, how } => {
                let span = self.span(taken);
                self.at += taken;
                self.is_sure &= how == How::Full;
                if how == How::Near {
                    self.read_as.push(ReadAs { span, name: named(what) });
                }
                Ok(what)
            }
            Found::Several { candidates, taken, .. } => {
                let candidates = candidates.into_iter().map(named).collect();
                Err(Fault { span: self.span(taken), expected, candidates })
            }
            Found::Nothing => Err(self.fault(expected)),
        }
    }

    /// A fault at the next lexeme.
    pub(crate) fn fault(&self, expected: Expected) -> Fault {
        Fault { span: self.span(1), expected, candidates: Vec::new() }
    }

    /// The place of the next lexemes; behind the last, an empty place.
    fn span(&self, count: usize) -> Range<usize> {
        match self.rest() {
            [] => {
                let end = self.lexemes.last().map_or(0, |lexeme| lexeme.span.end);
                end..end
            }
            rest => rest[0].span.start..rest[count.clamp(1, rest.len()) - 1].span.end,
        }
    }

    /// The order must end here; politeness and a remark in brackets may follow.
    pub(crate) fn end(&mut self) -> Result<(), Fault> {
        loop {
            self.skip(&[Word::Please]);
            if !self.takes_sign(&LexemeKind::Comma) {
                break;
            }
        }
        // A smile, or a remark in brackets; one that speaks of numbers or payments is part of the order.
        let smile = self.takes_sign(&LexemeKind::Colon) && self.takes_sign(&LexemeKind::Close);
        if smile || self.sees_bracket() && !self.rest().iter().any(vocabulary::is_weighty) {
            self.at = self.lexemes.len();
        }
        if self.is_at_end() { Ok(()) } else { Err(self.fault(Expected::EndOfOrder)) }
    }
}

/// Looks for a name. A word of talk is no misspelling: `się` is not Spice.
fn find<T: Copy>(names: &Names<T>, line: &str, lexemes: &[Lexeme], place: bool) -> Found<T> {
    let found = names.find(line, lexemes, &vocabulary::stop, place);
    let is_talk = || lexemes.first().is_some_and(vocabulary::is_talk);
    match found {
        Found::Read { how: How::Near, taken: 1, .. } if is_talk() => Found::Nothing,
        found @ (Found::Read { .. } | Found::Several { .. } | Found::Nothing) => found,
    }
}

/// Whether a name stands at the start of the lexemes: in full, or if it is `likely` meant also begun, or with one slip.
fn is_named<T: Copy + PartialEq>(names: &Names<T>, line: &str, lexemes: &[Lexeme], likely: bool) -> bool {
    if !likely {
        return names.is_full(line, lexemes);
    }
    match find(names, line, lexemes, false) {
        Found::Read { how: How::Full | How::Beginning, .. } => true,
        Found::Read { what, taken, how: How::Near } => {
            let words = lexemes[..taken].iter().map(|lexeme| line.get(lexeme.span.clone()).unwrap_or_default());
            osa_distance(&fold(names.name(what)), &fold(&words.collect::<Vec<_>>().join(" "))) < 2
        }
        Found::Several { .. } | Found::Nothing => false,
    }
}
