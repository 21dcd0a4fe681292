//! What a character is to the reader: letter, mark, digit, dash or point of an arrow.
//!
//! Comes in: a character. Goes out: its class, its digit or its ASCII letters. Looks at nothing else.

use deunicode::deunicode_char;

/// Adds a letter as lower case ASCII letters.
pub(crate) fn push_folded(folded: &mut String, letter: char) {
    let ascii = deunicode_char(letter).unwrap_or("?").chars();
    folded.extend(ascii.filter(|c| c.is_ascii_alphabetic() || *c == '?').map(|c| c.to_ascii_lowercase()));
}

/// A letter that is no emoji (`Ⓜ`, `ℹ`, `🅰`), no mark and no apostrophe.
pub(crate) fn is_letter(c: char) -> bool {
    let emoji = matches!(c, 'ℹ' | '\u{24B6}'..='\u{24E9}' | '\u{1F100}'..='\u{1F1FF}');
    c.is_ascii_alphabetic() || (!c.is_ascii() && c.is_alphabetic() && !emoji && !is_mark(c) && !is_apostrophe(c))
}

/// A combining mark, which an accent is in decomposed text.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}')
        || matches!(c, '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}

/// An apostrophe, or what phones and scholars put in its place.
pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '‘' | '’' | '‛' | '′' | '´' | '`' | '＇' | '\u{2B9}'..='\u{2BF}' | '\u{2C8}' | '\u{A78C}')
}

/// Zero-width characters, soft hyphens, marks of direction and variation selectors.
pub(crate) fn is_unseen(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}')
        || matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

/// A hyphen, dash or minus.
pub(crate) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '−' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}')
}

/// A point of an arrow. Where there are `quotes`, the closing ones are none.
pub(crate) fn is_arrow(c: char, quotes: bool) -> bool {
    match c {
        '»' | '›' => !quotes,
        '>' | '＞' | '→' | '↦' | '⇒' | '⇨' | '⟶' | '⟹' | '⮕' | '▶' | '►' => true,
        '👉' | '⏩' | '⇾' | '↪' | '⤷' | '🡒' | '⮞' => true,
        '\u{2794}' | '\u{2798}'..='\u{27AF}' | '\u{27B1}'..='\u{27BE}' => true,
        _ => false,
    }
}

/// The value of a decimal digit of any script.
pub(crate) fn digit(c: char) -> Option<u32> {
    if c.is_ascii() || !c.is_numeric() {
        return c.to_digit(10);
    }
    let zero = ZEROS[..ZEROS.partition_point(|zero| *zero <= u32::from(c))].last()?;
    Some(u32::from(c) - zero).filter(|value| *value < 10)
}

/// The zeros of all scripts beyond ASCII; the nine other digits follow each.
#[rustfmt::skip]
const ZEROS: [u32; 65] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
    0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0,
    0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0,
    0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0,
    0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emoji_marks_and_apostrophes_are_no_letters() {
        assert!("aŁßж北".chars().all(is_letter));
        assert!(!"Ⓜℹ🅰🚢1\u{345}\u{328}ʼ’ ".chars().any(is_letter));
    }

    #[test]
    fn only_decimal_digits_are_digits() {
        assert_eq!("7٧७７𝟕".chars().map(digit).collect::<Vec<_>>(), [Some(7); 5]);
        assert_eq!("²½①Ⅶ七a\u{66A}".chars().find_map(digit), None);
    }
}
