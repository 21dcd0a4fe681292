//! Letters that were signed into a sealed block (S/MIME `signed-data`): the letter inside is taken out, unproved.
//!
//! Only as much of the encoding is read as leads to the content. The chain is: content info, signed data, encapsulated
//! content, a string of octets that may itself come in pieces.

use std::iter;

const DEEPEST: usize = 8;

/// What a sealed block holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sealed {
    /// A letter, signed but readable.
    Letter(Vec<u8>),
    /// Something only its recipient can read, or nothing we know.
    Closed,
}

/// Opens a sealed block.
pub(super) fn open(bytes: &[u8]) -> Sealed {
    match content(bytes) {
        Some(letter) if !letter.is_empty() => Sealed::Letter(letter),
        _ => Sealed::Closed,
    }
}

/// 1.2.840.113549.1.7.2, signed data.
const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];

fn content(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut info = Item::read(bytes)?.0.items();
    let kind = info.next()?;
    if kind.tag != 0x06 || kind.bytes != SIGNED_DATA {
        return None;
    }
    let signed = info.next()?.items().next()?;
    // Version and digest algorithms come first.
    let encapsulated = signed.items().nth(2)?;
    let content = encapsulated.items().nth(1)?;
    let mut letter = Vec::new();
    content.items().next()?.octets(&mut letter, 0)?;
    Some(letter)
}

#[derive(Clone, Copy)]
struct Item<'a> {
    tag: u8,
    bytes: &'a [u8],
}

impl<'a> Item<'a> {
    /// The first value, and what follows it.
    fn read(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (&tag, rest) = bytes.split_first()?;
        // Long tags do not occur here.
        if tag & 0x1f == 0x1f {
            return None;
        }
        let (&first, rest) = rest.split_first()?;
        match first {
            0x80 => {
                let length = indefinite(rest)?;
                Some((Self { tag, bytes: &rest[..length] }, rest.get(length + 2..)?))
            }
            0..0x80 => Self::cut(tag, rest, first.into()),
            _ => {
                let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
                if digits.len() > 4 {
                    return None;
                }
                Self::cut(tag, rest, digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)))
            }
        }
    }

    fn cut(tag: u8, rest: &'a [u8], length: usize) -> Option<(Self, &'a [u8])> {
        let (bytes, rest) = rest.split_at_checked(length)?;
        Some((Self { tag, bytes }, rest))
    }

    fn is_constructed(self) -> bool {
        self.tag & 0x20 != 0
    }

    /// The values inside this one.
    fn items(self) -> impl Iterator<Item = Item<'a>> {
        let mut rest = if self.is_constructed() { self.bytes } else { &[] };
        iter::from_fn(move || {
            let (item, tail) = Self::read(rest)?;
            rest = tail;
            Some(item)
        })
    }

    /// A string of octets, from its pieces if need be.
    fn octets(self, into: &mut Vec<u8>, depth: usize) -> Option<()> {
        match (self.tag & 0x1f, self.is_constructed()) {
            (0x04, false) => into.extend_from_slice(self.bytes),
            (0x04, true) if depth < DEEPEST => self.items().try_for_each(|item| item.octets(into, depth + 1))?,
            _ => return None,
        }
        Some(())
    }
}

/// The length of a value whose end is marked by two zeros. Values inside it may end in the same way.
fn indefinite(bytes: &[u8]) -> Option<usize> {
    let mut open = 1;
    let mut at = 0;
    loop {
        let tag = *bytes.get(at)?;
        let first = *bytes.get(at + 1)?;
        at += 2;
        match (tag, first) {
            (0, 0) => {
                open -= 1;
                if open == 0 {
                    return Some(at - 2);
                }
            }
            (_, 0x80) => open += 1,
            (_, 0..0x80) => at += usize::from(first),
            _ => {
                let count = usize::from(first & 0x7f);
                let digits = bytes.get(at..at + count).filter(|digits| digits.len() <= 4)?;
                let length = digits.iter().fold(0usize, |length, digit| length << 8 | usize::from(*digit));
                at = at.checked_add(count)?.checked_add(length)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(tag: u8, bytes: &[u8]) -> Vec<u8> {
        let length = u16::try_from(bytes.len()).expect("a short value").to_be_bytes();
        [&[tag, 0x82, length[0], length[1]], bytes].concat()
    }

    fn endless(tag: u8, bytes: &[u8]) -> Vec<u8> {
        [&[tag, 0x80], bytes, &[0, 0]].concat()
    }

    fn sealed(wrap: fn(u8, &[u8]) -> Vec<u8>, octets: &[u8]) -> Vec<u8> {
        let data = value(0x06, &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01]);
        let encapsulated = wrap(0x30, &[data, wrap(0xa0, octets)].concat());
        let signed = wrap(0x30, &[vec![2, 1, 1], value(0x31, &[]), encapsulated].concat());
        wrap(0x30, &[value(0x06, SIGNED_DATA), wrap(0xa0, &signed)].concat())
    }

    #[test]
    fn the_letter_is_taken_out_of_either_form() {
        let letter = b"Content-Type: text/plain\r\n\r\ndone\r\n";
        assert_eq!(open(&sealed(value, &value(0x04, letter))), Sealed::Letter(letter.to_vec()));
        let pieces = endless(0x24, &[value(0x04, &letter[..10]), value(0x04, &letter[10..])].concat());
        assert_eq!(open(&sealed(endless, &pieces)), Sealed::Letter(letter.to_vec()));
    }

    #[test]
    fn everything_else_stays_closed() {
        let whole = sealed(endless, &value(0x04, b"done"));
        for length in 0..whole.len() {
            assert_eq!(open(&whole[..length]), Sealed::Closed);
        }
        assert_eq!(
            open(&value(0x30, &value(0x06, &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x03]))),
            Sealed::Closed
        );
    }
}
