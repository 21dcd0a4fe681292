//! What is printed to a terminal: text, and nothing that steers it.
//!
//! Names, titles, commands and error messages come from letters and files. Whatever a command prints goes through this page,
//! so none of it can move the cursor, change a colour or rename a window. Line ends and tabs are ours.

use std::io::{self, Write};

use crate::desk::settings::written::steers;

/// A way out that lets only plain text through.
#[derive(Debug)]
pub struct Plain<W: Write> {
    out: W,
    /// The beginning of a character whose end has not come yet.
    begun: Vec<u8>,
}

impl<W: Write> Plain<W> {
    /// Before this way out.
    pub fn new(out: W) -> Plain<W> {
        Plain { out, begun: Vec::new() }
    }
}

/// A text as it may be printed: what would steer a terminal is shown as `\u001b`, as JSON
/// has it, so that what is JSON stays the same.
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '\n' | '\t' => shown.push(sign),
            _ if steers(sign) => shown.push_str(&format!("\\u{:04x}", u32::from(sign))),
            _ => shown.push(sign),
        }
    }
    shown
}

/// The same in one line, for names and titles that stand in one.
pub(crate) fn plain_line(text: &str) -> String {
    plain(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        // Only the last character may be incomplete, and only so long as it can still become one.
        let end = match std::str::from_utf8(&self.begun) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Ok(_) | Err(_) => self.begun.len(),
        };
        let rest = self.begun.split_off(end);
        let text = std::mem::replace(&mut self.begun, rest);
        self.out.write_all(plain(&String::from_utf8_lossy(&text)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn printed(pieces: &[&[u8]]) -> String {
        let mut out = Plain::new(Vec::new());
        pieces.iter().for_each(|piece| out.write_all(piece).expect("it is written"));
        String::from_utf8(out.out).expect("it is text")
    }

    #[test]
    fn nothing_steers_a_terminal() {
        let evil = "Zażółć\u{1b}]0;owned\u{7}\u{9b}31m\r\0\u{202e}evil\tok\n";
        let shown = printed(&[evil.as_bytes()]);
        assert_eq!(shown, "Zażółć\\u001b]0;owned\\u0007\\u009b31m\\u000d\\u0000\\u202eevil\tok\n");
        // Whatever is printed byte by byte.
        let bytes: Vec<&[u8]> = evil.as_bytes().chunks(1).collect();
        assert_eq!(printed(&bytes), shown);
        // JSON says the same before and after.
        let json = serde_json::to_string(evil).expect("JSON");
        assert_eq!(serde_json::from_str::<String>(&printed(&[json.as_bytes()])).expect("JSON"), evil);
        assert_eq!(plain_line("a\r\nb\u{1b}"), "a b\\u001b");
    }

    proptest! {
        #[test]
        fn whatever_is_printed_is_plain(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..12), 0..6)) {
            let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
            prop_assert!(printed(&pieces).chars().all(|sign| !steers(sign) || "\n\t".contains(sign)));
        }
    }
}
