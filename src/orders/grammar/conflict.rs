//! Orders of phase 4.

use crate::game::command::Substitute;
use crate::game::{Command, Count};
use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault};
use crate::orders::vocabulary::Word;

/// `2`, `card`, `no card`, `2, no card`.
pub(crate) fn loot(cursor: &mut Cursor) -> Result<Command, Fault> {
    let (mut treasury, mut card) = (None, None);
    loop {
        if let Some(number) = cursor.takes_number() {
            treasury = Some(number);
            cursor.skip(&[Word::Treasury, Word::Token]);
        } else if cursor.takes(Word::Card) {
            card = Some(true);
        } else if cursor.takes(Word::No) && cursor.takes(Word::Card) {
            card = Some(false);
        } else {
            return Err(cursor.fault(Expected::LootKind));
        }
        cursor.skip_joints();
        if !(cursor.sees_number() || cursor.sees(Word::Card) || cursor.sees(Word::No)) {
            return Ok(Command::Loot { treasury, card });
        }
    }
}

/// `ships in Rhodes`, `2 from Argos in Rhodes`.
pub(crate) fn substitute(cursor: &mut Cursor) -> Result<Command, Fault> {
    let count = cursor.takes_count();
    cursor.takes(Word::Filler);
    if cursor.takes(Word::Ship) {
        cursor.skip(&[Word::In]);
        let with = Substitute::Ships(count.unwrap_or(Count::All));
        return Ok(Command::Substitute { area: cursor.area()?, with });
    }
    let count = count.ok_or_else(|| cursor.fault(Expected::SubstituteKind))?;
    cursor.skip(&[Word::Token, Word::From]);
    let from = cursor.area()?;
    cursor.skip(&[Word::For, Word::In]);
    let area = cursor.area()?;
    Ok(Command::Substitute { area, with: Substitute::Tokens { from, count } })
}
