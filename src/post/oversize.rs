//! Letters that are larger than we open: only their beginning is fetched, and they still go through the house.

use super::letter::LARGEST;

/// So much of a letter that is too large is fetched: its head.
pub(super) const GLIMPSE: usize = 64 * 1024;

/// A letter that is too large, of which only the beginning is there. It is filled up with empty lines, so that whoever
/// opens it learns that it is too large, while the sender can still be read from its head.
pub(super) fn stand_in(mut beginning: Vec<u8>) -> Vec<u8> {
    beginning.truncate(GLIMPSE);
    beginning.resize(LARGEST + 1, b'\n');
    beginning
}
