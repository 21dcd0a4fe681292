//! Numbers and counts, in digits and in words, under the cursor.

use super::*;

impl Cursor<'_> {
    /// Takes a number, in digits or as words: `21`, `twenty-one`, `dwadzieścia jeden`.
    pub(crate) fn takes_number(&mut self) -> Option<u16> {
        let number = self.number_at(self.at)?;
        self.at += 1;
        let is_word = |at: usize| matches!(self.lexemes.get(at), Some(Lexeme { kind: LexemeKind::Word(_), .. }));
        if !(20..=90).contains(&number) || number % 10 != 0 || !is_word(self.at - 1) {
            return Some(number);
        }
        let hyphen = self.rest().first().is_some_and(|lexeme| lexeme.kind == LexemeKind::Hyphen);
        let next = self.at + usize::from(hyphen);
        match self.number_at(next).filter(|unit| (1..10).contains(unit) && is_word(next)) {
            Some(unit) => {
                self.at = next + 1;
                Some(number + unit)
            }
            None => Some(number),
        }
    }

    pub(super) fn number_at(&self, at: usize) -> Option<u16> {
        match &self.lexemes.get(at)?.kind {
            LexemeKind::Number(number) => Some((*number).min(LARGEST) as u16),
            LexemeKind::Word(word) => vocabulary::number_word(word),
            LexemeKind::Arrow
            | LexemeKind::Hyphen
            | LexemeKind::Comma
            | LexemeKind::Colon
            | LexemeKind::Open
            | LexemeKind::Close => None,
        }
    }

    /// Takes a number that an article may precede: `a couple of`, `the two`.
    pub(crate) fn takes_amount(&mut self) -> Option<u16> {
        let start = self.at;
        self.skip(&[Word::Filler]);
        let number = self.takes_number();
        if number.is_none() {
            self.at = start;
        }
        number
    }

    /// Takes a number in brackets: `(3)`, `(3 tokens)`, `(x3)`.
    pub(crate) fn takes_bracketed(&mut self) -> Option<u16> {
        let start = self.at;
        let opened = self.takes_sign(&LexemeKind::Open);
        self.takes(Word::Times);
        let number = if opened { self.takes_number() } else { None };
        self.skip(&[Word::Times, Word::Token, Word::Card]);
        match number {
            Some(number) if self.takes_sign(&LexemeKind::Close) => Some(number),
            Some(_) | None => {
                self.at = start;
                None
            }
        }
    }

    /// Takes how many times, behind what it speaks of: `x2`, `×2`, `(2)`, or a bare number that ends an item.
    pub(crate) fn takes_times(&mut self) -> Option<u16> {
        if let Some(number) = self.takes_bracketed() {
            return Some(number);
        }
        let start = self.at;
        let times = self.takes(Word::Times);
        let number = self.takes_number();
        let again = self.takes(Word::Times);
        let joint = self.rest().first().is_none_or(|lexeme| lexeme.kind == LexemeKind::Comma) || self.sees(Word::And);
        match number {
            Some(number) if times || again || joint || self.sees(Word::Please) => Some(number),
            Some(_) | None => {
                self.at = start;
                None
            }
        }
    }

    /// Whether a number comes next.
    pub(crate) fn sees_number(&self) -> bool {
        match self.rest().first().map(|lexeme| &lexeme.kind) {
            Some(LexemeKind::Number(_)) => true,
            Some(LexemeKind::Word(word)) => vocabulary::number_word(word).is_some(),
            _ => false,
        }
    }

    /// A number, or a fault.
    pub(crate) fn number(&mut self, expected: Expected) -> Result<u16, Fault> {
        self.takes_number().ok_or_else(|| self.fault(expected))
    }

    /// Takes a number or `all`.
    pub(crate) fn takes_count(&mut self) -> Option<Count> {
        let count = if self.takes(Word::All) {
            // `all 3` are three.
            self.takes_number().map_or(Count::All, Count::Exactly)
        } else {
            Count::Exactly(self.takes_number()?)
        };
        // `3 of the tokens`.
        self.skip_to_area(&[Word::Filler]);
        Some(count)
    }
}
