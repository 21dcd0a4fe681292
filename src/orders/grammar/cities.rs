//! Orders of phase 5.

use crate::game::Command;
use crate::orders::bearings::Sense;
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault};
use crate::orders::vocabulary::Word;

/// `in Sparta with 3 treasury and 4 from Argos leaving 1`, behind `build city`.
pub(crate) fn build(cursor: &mut Cursor) -> Result<Vec<Command>, Fault> {
    cursor.skip_to_area(&[Word::In, Word::Filler]);
    let area = cursor.area_as(Sense::Mine)?;
    let mut others = Vec::new();
    let (mut treasury, mut neighbours, mut leaving) = (0u16, Vec::new(), 0);
    loop {
        let here = cursor.place();
        cursor.skip_joints();
        cursor.skip_to_area(&[Word::In]);
        // `build cities in Sparta and Athens`; without a joint only a full name is another area.
        let more = if cursor.place() > here { cursor.sees_area() } else { cursor.sees_full_area() };
        if treasury == 0 && neighbours.is_empty() && leaving == 0 && more {
            others.push(cursor.area_as(Sense::Mine)?);
            continue;
        }
        if cursor.takes(Word::Leaving) {
            leaving = cursor.number(Expected::NumberOfTokens)?;
            cursor.takes(Word::Token);
            continue;
        }
        let payment = cursor.takes(Word::With) || cursor.takes(Word::For);
        match cursor.takes_number() {
            Some(count) => {
                cursor.takes(Word::Token);
                if cursor.takes(Word::Treasury) || cursor.takes(Word::Gold) {
                    treasury = treasury.saturating_add(count);
                    continue;
                }
                if !cursor.takes(Word::From) {
                    return Err(cursor.fault(Expected::Payment));
                }
                cursor.skip_to_area(&[Word::Filler]);
                if cursor.takes(Word::Treasury) {
                    treasury = treasury.saturating_add(count)
                } else {
                    neighbours.push((cursor.area()?, count))
                }
            }
            None if payment => return Err(cursor.fault(Expected::Payment)),
            None => {
                let plain = |area| Command::BuildCity { area, treasury: 0, neighbours: Vec::new(), leaving: 0 };
                let first = Command::BuildCity { area, treasury, neighbours, leaving };
                return Ok(std::iter::once(first).chain(others.into_iter().map(plain)).collect());
            }
        }
    }
}
