//! What we sent ourselves, found again in an answer: the last guard against our own words acting as somebody else's.
//!
//! Comes in: the lines of a letter, sorted, and the letters of ours that it answers. Lines are compared word by word,
//! without signs and however they are broken. Above the first sign of a copy a line is the sender's, for the sender may
//! have pasted a line of the form; below it a line that goes on in our letter is a copy, whatever marks it has.

use std::collections::HashMap;
use std::ops::Range;

use super::page::{Fate, Page, Row};
use crate::post::line::{Mark, TextLine};

/// So many words at the head of a letter of ours tell it from anybody else's.
const TELLING: usize = 8;
/// The fewest words that a letter of ours can be known by.
const FEWEST: usize = 4;
/// So many lines and words in a row are copied, and not typed again.
const COPIED: (usize, usize) = (3, 20);

/// Letters of ours, as they are compared.
#[derive(Debug, Clone, Default)]
pub struct Sent {
    letters: Vec<Ours>,
}

#[derive(Debug, Clone)]
struct Ours {
    words: Vec<String>,
    /// Whether a line begins with this word.
    begins_line: Vec<bool>,
    /// Where each word stands.
    places: HashMap<String, Vec<usize>>,
}

impl Sent {
    /// These letters; a letter may be given in each of its forms.
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Sent {
        let letters = texts.into_iter().map(Ours::new).filter(|ours| ours.words.len() >= FEWEST);
        Sent { letters: letters.collect() }
    }

    /// Which of these lines are a copy that begins like one of these letters, whatever elements they stand in.
    pub(in crate::post) fn copied(&self, lines: &[TextLine]) -> Vec<bool> {
        let mut copied = vec![false; lines.len()];
        let words: Vec<Vec<String>> = lines.iter().map(|line| compared(&line.text).collect()).collect();
        for ours in &self.letters {
            let mut trail = Trail::new(ours);
            let opening = (0..lines.len()).find(|at| lines[*at].mark == Mark::None && opens(&words[*at..], ours));
            for at in opening.unwrap_or(lines.len())..lines.len() {
                copied[at] |= lines[at].mark == Mark::None && !words[at].is_empty() && trail.comes_to(&words[at]);
            }
        }
        copied
    }
}

impl Ours {
    fn new(text: &str) -> Ours {
        let (mut words, mut begins_line) = (Vec::new(), Vec::new());
        for line in text.lines() {
            for (number, word) in compared(line).enumerate() {
                words.push(word);
                begins_line.push(number == 0);
            }
        }
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, word) in words.iter().enumerate() {
            places.entry(word.clone()).or_default().push(place);
        }
        Ours { words, begins_line, places }
    }

    fn has_at(&self, place: usize, words: &[String]) -> bool {
        self.words.get(place..).is_some_and(|rest| rest.starts_with(words))
    }

    /// Where these words stand, from this place on.
    fn find<'a>(&'a self, words: &'a [String], from: usize) -> impl Iterator<Item = usize> + 'a {
        let places = words.first().and_then(|first| self.places.get(first)).map(Vec::as_slice).unwrap_or_default();
        places.iter().copied().filter(move |place| *place >= from && self.has_at(*place, words))
    }
}

/// The words of a line without signs, in lower case.
fn compared(line: &str) -> impl Iterator<Item = String> + '_ {
    let bare = |word: &str| word.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    line.split_whitespace().map(bare).filter(|word: &String| !word.is_empty())
}

/// How far somebody's copy of one of our letters has come.
struct Trail<'a> {
    ours: &'a Ours,
    /// The words that were seen in it. None is copied twice, so what comes again was typed.
    taken: Vec<bool>,
    /// The word that comes next.
    next: usize,
}

impl<'a> Trail<'a> {
    fn new(ours: &'a Ours) -> Self {
        Trail { ours, taken: vec![false; ours.words.len()], next: 0 }
    }

    fn is_free(&self, place: usize, words: &[String]) -> bool {
        !self.taken[place..place + words.len()].contains(&true)
    }

    fn take(&mut self, place: usize, words: &[String]) {
        self.taken[place..place + words.len()].fill(true);
        self.next = place + words.len();
    }

    /// Takes these words if they come next; says whether they do.
    fn goes_on(&mut self, words: &[String]) -> bool {
        let goes_on = self.ours.has_at(self.next, words) && self.is_free(self.next, words);
        if goes_on {
            self.take(self.next, words);
        }
        goes_on
    }

    /// Takes these words where they come next or further down.
    fn comes_to(&mut self, words: &[String]) -> bool {
        let place = self.ours.find(words, self.next).find(|place| self.is_free(*place, words));
        if let Some(place) = place {
            self.take(place, words);
        }
        place.is_some()
    }

    /// Takes these words wherever they are: a quotation may be shortened and turned about.
    fn has(&mut self, words: &[String]) -> bool {
        let place = self.ours.find(words, self.next).find(|place| self.is_free(*place, words));
        let place = place.or_else(|| self.ours.find(words, 0).find(|place| self.is_free(*place, words)));
        if let Some(place) = place {
            self.take(place, words);
        }
        place.is_some()
    }

    /// Whether it has come to the end of the letter, and most of the letter was there.
    fn is_over(&self) -> bool {
        let seen = self.taken.iter().filter(|taken| **taken).count();
        self.next == self.taken.len() && 2 * seen >= self.taken.len()
    }
}

impl Page {
    /// The sender's words below an unmarked copy whose first line this is: what stands between the end of our letter and the
    /// next letter that is copied.
    pub(super) fn below_copy(&self, body: usize, sent: &Sent) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut at = body;
        while let Some(end) = sent.letters.iter().filter_map(|ours| self.copy_end(at, ours)).min() {
            let is_other =
                |row: &usize| self.rows[*row].fate == Fate::Quoted || self.begins_letter(*row, end, false).is_some();
            let next = (end..self.rows.len()).find(is_other).unwrap_or(self.rows.len());
            found.push(end..next);
            match self.rows.get(next).and_then(|_| self.begins_letter(next, end, false)) {
                Some(cut) => at = cut.body.max(next + 1),
                None => break,
            }
        }
        found
    }

    /// The line behind the end of this letter of ours, which is copied from here on.
    fn copy_end(&self, at: usize, ours: &Ours) -> Option<usize> {
        let mut trail = Trail::new(ours);
        for (number, row) in self.rows.iter().enumerate().skip(at) {
            let words: Vec<String> = compared(&row.text).collect();
            if !words.is_empty() && trail.comes_to(&words) && trail.is_over() {
                return Some(number + 1);
            }
        }
        None
    }

    /// Settles what is ours among the lines that were left to the sender.
    pub(super) fn find_copies(&mut self, sent: &Sent) {
        for ours in &sent.letters {
            self.find_copies_of(ours);
        }
    }

    fn find_copies_of(&mut self, ours: &Ours) {
        let words: Vec<Vec<String>> = self.rows.iter().map(|row| compared(&row.text).collect()).collect();
        let opening = (0..self.rows.len()).find(|at| self.rows[*at].is_own() && opens(&words[*at..], ours));
        let quoted = self.rows.iter().position(|row| row.fate == Fate::Quoted);
        let Some(sign) = opening.into_iter().chain(quoted).min() else { return };
        let mut trail = Trail::new(ours);
        // What is marked was copied first of all; what is left of our letter then may stand there unmarked.
        let quoted = |row: &Row| row.fate == Fate::Quoted;
        for at in (sign..self.rows.len()).filter(|at| quoted(&self.rows[*at]) && !words[*at].is_empty()) {
            trail.has(&words[at]);
        }
        trail.next = 0;
        let (mut is_inside, mut run) = (false, 0);
        for at in (sign..self.rows.len()).filter(|at| !words[*at].is_empty()) {
            if quoted(&self.rows[at]) {
                let place = ours.find(&words[at], trail.next).next().or_else(|| ours.find(&words[at], 0).next());
                is_inside = place.is_some();
                trail.next = place.map_or(trail.next, |place| place + words[at].len());
                continue;
            }
            let is_copy = match opening {
                Some(opening) if at >= opening => trail.comes_to(&words[at]),
                Some(_) | None => {
                    let is_rest = is_inside && ours.begins_line.get(trail.next) == Some(&false);
                    if run == 0 && !(is_rest && ours.has_at(trail.next, &words[at])) {
                        run = self.run(at, &words, &mut trail);
                    }
                    (is_rest || run > 0) && trail.goes_on(&words[at])
                }
            };
            run = run.saturating_sub(1);
            is_inside = is_copy;
            if is_copy {
                self.rows[at].settle(Fate::Quoted);
            }
        }
    }

    /// How many lines from here stand in our letter one behind the other, if they are more than anybody types again; the
    /// trail then goes on where they begin.
    fn run(&self, at: usize, words: &[Vec<String>], trail: &mut Trail) -> usize {
        let own = |row: &usize| self.rows[*row].is_own();
        for place in trail.ours.find(&words[at], 0) {
            let (mut next, mut lines) = (place, 0);
            for row in (at..words.len()).filter(|row| !words[*row].is_empty()).take_while(own) {
                if !trail.ours.has_at(next, &words[row]) || !trail.is_free(next, &words[row]) {
                    break;
                }
                (next, lines) = (next + words[row].len(), lines + 1);
            }
            if lines >= COPIED.0 && next - place >= COPIED.1 {
                trail.next = place;
                return lines;
            }
        }
        0
    }
}

/// Whether these lines begin like our letter.
fn opens(lines: &[Vec<String>], ours: &Ours) -> bool {
    let telling = TELLING.min(ours.words.len());
    let begins = lines.first().is_some_and(|line| !line.is_empty() && line.first() == ours.words.first());
    begins && lines.iter().flatten().take(telling).eq(&ours.words[..telling])
}
