//! Transfer encodings and characters: from the bytes of a part to text.
//!
//! Everything here forgives: phones and webmails break each of these rules, and a letter with one bad byte is still read.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_8859_2, UTF_8, WINDOWS_1250, WINDOWS_1252};
use mail_parser::decoders::charsets::map::charset_decoder;

/// How much of a text the guess of its characters looks at.
const GUESS_FROM: usize = 64 * 1024;

/// How the bytes of a part were made fit for the post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transfer {
    Identity,
    Base64,
    QuotedPrintable,
}

impl Transfer {
    /// The encoding with this name; what nobody knows is taken as it is.
    pub(super) fn named(name: &str) -> Self {
        match name.trim().to_ascii_lowercase().as_str() {
            "base64" | "b" | "x-base64" => Self::Base64,
            "quoted-printable" | "q" | "quotedprintable" => Self::QuotedPrintable,
            _ => Self::Identity,
        }
    }

    /// The bytes as they were before.
    pub(super) fn decode(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Identity => bytes.to_vec(),
            Self::Base64 => base64(bytes).0,
            Self::QuotedPrintable => quoted_printable(bytes),
        }
    }
}

/// Decodes base64, passing over whatever is no part of it, and says whether the last group is whole.
pub(super) fn base64(bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut decoded = Vec::with_capacity(bytes.len() / 4 * 3);
    let (mut group, mut count) = (0u32, 0);
    for &byte in bytes {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => {
                finish(group, count, &mut decoded);
                (group, count) = (0, 0);
                continue;
            }
            _ => continue,
        };
        group = group << 6 | u32::from(digit);
        count += 1;
        if count == 4 {
            decoded.extend_from_slice(&group.to_be_bytes()[1..]);
            (group, count) = (0, 0);
        }
    }
    finish(group, count, &mut decoded);
    (decoded, count != 1)
}

/// The bytes of a group that was cut short.
fn finish(group: u32, count: u32, decoded: &mut Vec<u8>) {
    match count {
        2 => decoded.push((group >> 4) as u8),
        3 => decoded.extend_from_slice(&((group >> 2) as u16).to_be_bytes()),
        _ => {}
    }
}

/// Decodes quoted-printable. An equals sign that begins nothing stands for itself.
fn quoted_printable(bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let content = line.trim_ascii_end();
        let end = &line[content.len()..];
        let soft = content.last() == Some(&b'=') && (end.contains(&b'\n') || lines.peek().is_none());
        let content = if soft { &content[..content.len() - 1] } else { content };
        let mut rest = content;
        while let Some((&byte, tail)) = rest.split_first() {
            let pair = tail.first().copied().and_then(hex).zip(tail.get(1).copied().and_then(hex));
            match (byte, pair) {
                (b'=', Some((high, low))) => {
                    decoded.push(high << 4 | low);
                    rest = &tail[2..];
                }
                _ => {
                    decoded.push(byte);
                    rest = tail;
                }
            }
        }
        if !soft && end.contains(&b'\n') {
            decoded.push(b'\n');
        }
    }
    decoded
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// Bytes as text: in the characters they claim to be in, unless the claim is plainly wrong.
///
/// `country` is the last label of the sender's host, which tells legacy encodings apart.
pub(super) fn text(bytes: &[u8], claim: Option<&str>, country: Option<&str>) -> String {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[length..]).0.into_owned();
    }
    let claim = claim.map(|claim| claim.trim().trim_matches(['"', '\'']));
    if let Some(decode) = claim.filter(|claim| is_utf7(claim)).and_then(|claim| charset_decoder(claim.as_bytes())) {
        return decode(bytes);
    }
    let encoding = claim.and_then(|claim| Encoding::for_label(claim.as_bytes()));
    let is_utf8 = std::str::from_utf8(bytes);
    match (encoding, is_utf8) {
        // What reads as UTF-8 and has more than ASCII is UTF-8: nothing else looks like it by chance.
        (None | Some(_), Ok(text))
            if encoding.is_none_or(|encoding| encoding.is_single_byte() || encoding == UTF_8) =>
        {
            text.to_owned()
        }
        (Some(encoding), _) if encoding == ISO_8859_2 && bytes.iter().any(|byte| (0x80..0xa0).contains(byte)) => {
            WINDOWS_1250.decode_without_bom_handling(bytes).0.into_owned()
        }
        (Some(encoding), _) if encoding == WINDOWS_1252 => {
            let (text, _) = encoding.decode_without_bom_handling(bytes);
            if is_garbled(&text) { guess(bytes, country) } else { text.into_owned() }
        }
        (Some(encoding), _) if encoding != UTF_8 => encoding.decode_without_bom_handling(bytes).0.into_owned(),
        _ => guess(bytes, country),
    }
}

fn is_utf7(claim: &str) -> bool {
    claim.eq_ignore_ascii_case("utf-7") || claim.eq_ignore_ascii_case("utf7")
}

/// Whether signs stand inside words where no writer of a western language puts them: `za³oga`.
fn is_garbled(text: &str) -> bool {
    const SIGNS: &[char] = &['¹', '³', '¿', '¯', '¼', '½', '¾', '¶', '±', '¦', '¬', '£', '¥', '¤'];
    let mut before = ' ';
    let mut sign_before = false;
    for character in text.chars() {
        let is_sign = SIGNS.contains(&character);
        if (is_sign && before.is_alphabetic()) || (sign_before && character.is_lowercase()) {
            return true;
        }
        (before, sign_before) = (character, is_sign);
    }
    false
}

/// What the bytes look like, given where they come from. A text with a few bad bytes in good UTF-8 stays UTF-8.
fn guess(bytes: &[u8], country: Option<&str>) -> String {
    let lossy = String::from_utf8_lossy(bytes);
    let bad = lossy.matches(char::REPLACEMENT_CHARACTER).count();
    let good = lossy.chars().filter(|character| !character.is_ascii()).count() - bad;
    if good > 4 * bad {
        return lossy.into_owned();
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes[..bytes.len().min(GUESS_FROM)], bytes.len() <= GUESS_FROM);
    let country = country.filter(|country| country.bytes().all(|byte| byte.is_ascii_lowercase()));
    let encoding = detector.guess(country.map(str::as_bytes), Utf8Detection::Deny);
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_passes_over_junk_and_sees_a_cut() {
        assert_eq!(base64(b"bW92\r\nZSAz"), (b"move 3".to_vec(), true));
        assert_eq!(base64(b"b!W9 2 Z S A z"), (b"move 3".to_vec(), true));
        assert_eq!(base64(b"bW9=bW8="), (b"momo".to_vec(), true));
        assert_eq!(base64(b"bW92Z"), (b"mov".to_vec(), false));
    }

    #[test]
    fn quoted_printable_joins_soft_breaks_and_forgives() {
        assert_eq!(quoted_printable(b"mo=\r\nve 3=20\r\nx =  \r\n= y=3Dz=\r\n"), b"move 3 \nx = y=z");
        assert_eq!(quoted_printable(b"a==b =ZZ =4"), b"a==b =ZZ =4");
    }

    #[test]
    fn wrong_claims_are_seen_through() {
        let polish = "przesuń pięć żetonów z Łodzi, źle";
        let (cp1250, _, _) = WINDOWS_1250.encode(polish);
        let (iso, _, _) = ISO_8859_2.encode(polish);
        for claim in
            [None, Some("us-ascii"), Some("utf-8"), Some("iso-8859-1"), Some("x-unknown"), Some("windows-1250")]
        {
            assert_eq!(text(&cp1250, claim, Some("pl")), polish, "{claim:?}");
        }
        for claim in [Some("iso-8859-2"), Some("\"ISO-8859-2\"")] {
            assert_eq!(text(&iso, claim, None), polish);
            assert_eq!(text(&cp1250, claim, None), polish);
        }
        for claim in [None, Some("iso-8859-1"), Some("windows-1250"), Some("us-ascii")] {
            assert_eq!(text(polish.as_bytes(), claim, None), polish);
        }
        let (french, _, _) = WINDOWS_1252.encode("déplacer 3 jetons, c’est tout");
        assert_eq!(text(&french, Some("iso-8859-1"), None), "déplacer 3 jetons, c’est tout");
    }
}
