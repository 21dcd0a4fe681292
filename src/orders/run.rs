//! The words at hand where a name is wanted, as many as one name may have.
//!
//! Comes in: lexemes of a line. Goes out: their words, and how far a full, begun or misspelt name may reach. Looks at
//! nothing else.

use super::lexemes::{Lexeme, LexemeKind, accented};

/// What a word of the language is where a name is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// No word of ours.
    Free,
    /// A word of ours, over which only a full name may run, or one that it begins a word of: `Western Hi`.
    Word,
    /// A small word between names, which is never the beginning of one: `Germania i Thera`.
    Joint,
}

/// The words at the start of some lexemes that might be one name.
pub(crate) struct Run<'a> {
    line: &'a str,
    lexemes: &'a [Lexeme],
    /// The words, folded; a number counts as one, for a casebook area may be called `Isle 2`.
    pub words: Vec<String>,
    /// For each word, how many lexemes end with it.
    ends: Vec<usize>,
    /// How many of the words come before a stop, number or slash: only a full name may have more.
    pub plain: usize,
    /// Whether the first of the others is a small word that joins names.
    pub joint: bool,
    /// How many of those come before a hyphen set off by spaces, which is more likely an arrow.
    pub near: usize,
}

impl<'a> Run<'a> {
    /// Takes words up to `most`, skipping hyphens and slashes between them.
    pub(crate) fn new(line: &'a str, lexemes: &'a [Lexeme], stop: &dyn Fn(&Lexeme) -> Stop, most: usize) -> Run<'a> {
        let mut run = Run {
            line,
            lexemes,
            words: Vec::new(),
            ends: Vec::new(),
            plain: usize::MAX,
            near: usize::MAX,
            joint: false,
        };
        for (at, lexeme) in lexemes.iter().enumerate() {
            let so_far = run.words.len();
            if so_far == most {
                break;
            }
            match &lexeme.kind {
                LexemeKind::Word(word) if word != "<" => {
                    let stop = stop(lexeme);
                    if stop != Stop::Free && run.plain == usize::MAX {
                        (run.plain, run.joint) = (so_far, stop == Stop::Joint);
                    }
                    run.words.push(word.clone());
                    run.ends.push(at + 1);
                }
                LexemeKind::Number(number) => {
                    run.plain = run.plain.min(so_far);
                    run.words.push(number.to_string());
                    run.ends.push(at + 1);
                }
                LexemeKind::Hyphen if so_far > 0 => {
                    let tight = lexemes
                        .get(at - 1..at + 2)
                        .is_some_and(|around| around.windows(2).all(|pair| pair[0].span.end == pair[1].span.start));
                    if !tight {
                        run.near = run.near.min(so_far);
                    }
                }
                LexemeKind::Comma if so_far > 0 && line.get(lexeme.span.clone()) == Some("/") => {
                    run.plain = run.plain.min(so_far);
                }
                LexemeKind::Word(_)
                | LexemeKind::Hyphen
                | LexemeKind::Arrow
                | LexemeKind::Comma
                | LexemeKind::Colon
                | LexemeKind::Open
                | LexemeKind::Close => break,
            }
        }
        run.plain = run.plain.min(run.words.len());
        run.near = run.near.min(run.plain);
        run
    }

    /// How many lexemes so many words take.
    pub(crate) fn taken(&self, count: usize) -> usize {
        self.ends[..count].last().copied().unwrap_or(0)
    }

    /// So many words without spaces.
    pub(crate) fn joined(&self, count: usize) -> String {
        self.words[..count].concat()
    }

    /// So many words with the accents the player wrote.
    pub(crate) fn accented(&self, count: usize) -> String {
        let spans = self.lexemes[..self.taken(count)].iter().map(|lexeme| lexeme.span.clone());
        spans.filter_map(|span| self.line.get(span)).map(accented).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexemes::lexemes;
    use super::*;

    /// The words of a line, how many a begun and how many a misspelt name may have, and the lexemes of all.
    fn reach(line: &str) -> (String, usize, usize, usize) {
        let lexemes = lexemes(line);
        let stop =
            |lexeme: &Lexeme| if lexeme.kind == LexemeKind::Word("of".into()) { Stop::Joint } else { Stop::Free };
        let run = Run::new(line, &lexemes, &stop, 4);
        (run.words.join(" "), run.plain, run.near, run.taken(run.words.len()))
    }

    #[test]
    fn a_run_knows_how_far_a_name_may_reach() {
        assert_eq!(reach("Upper Egypt > Tanis"), ("upper egypt".into(), 2, 2, 2));
        assert_eq!(reach("Gulf of Aden, Ur"), ("gulf of aden".into(), 1, 1, 3));
        assert_eq!(reach("Isle 2"), ("isle 2".into(), 1, 1, 2));
        assert_eq!(reach("Kara-Bogaz Gol"), ("kara bogaz gol".into(), 3, 3, 4));
        assert_eq!(reach("Nis - Ur"), ("nis ur".into(), 2, 1, 3));
        assert_eq!(reach("Nis- Ur -"), ("nis ur".into(), 2, 1, 3));
        assert_eq!(reach("Eruption / Earthquake"), ("eruption earthquake".into(), 1, 1, 3));
        assert_eq!(reach("one two three four five"), ("one two three four".into(), 4, 4, 4));
    }

    #[test]
    fn a_run_may_be_empty() {
        for line in ["", "- Ur", "/ Ur", ", Ur", "<- Ur", "(Ur)", "> Ur"] {
            assert_eq!(reach(line), (String::new(), 0, 0, 0), "{line}");
        }
    }
}
