//! A line of a body, and what the form of the letter already says of it.

/// A line of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextLine {
    /// The line without its end, and without marks of quotation that were recognised.
    pub text: String,
    /// What the form says of it.
    pub mark: Mark,
}

/// What the form of a letter says of a line, before anybody reads the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    None,
    /// It stands in so many quotations.
    Quoted(u16),
    /// It stands in the sender's signature.
    Signature,
    /// Another's letter begins here, unmarked, and goes on to the end.
    Cut,
}

impl Mark {
    /// In so many quotations, or in none.
    pub(super) fn quoted(depth: usize) -> Self {
        match u16::try_from(depth).unwrap_or(u16::MAX) {
            0 => Self::None,
            depth => Self::Quoted(depth),
        }
    }
}

impl TextLine {
    /// The lines of a plain text.
    pub(super) fn plain(text: &str) -> Vec<Self> {
        text.lines().map(|line| Self { text: line.to_owned(), mark: Mark::None }).collect()
    }

    /// Whether there is nothing to see on it.
    pub(super) fn is_blank(&self) -> bool {
        self.text.chars().all(|character| character.is_whitespace() || is_invisible(character))
    }
}

/// Characters that take no room: byte order marks, joiners, marks of direction.
pub(super) fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
        || (character.is_control() && character != '\t')
}
