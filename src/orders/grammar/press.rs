//! Press: `tell Egypt, Rome: …`.

use crate::orders::cursor::Cursor;
use crate::orders::fault::{Expected, Fault};
use crate::orders::press::{Press, Recipient};
use crate::orders::vocabulary::Word;

/// A line of press; none if it does not begin like one. What is no recipient begins the text, unless a colon says that
/// it was meant for one.
pub(crate) fn press(cursor: &mut Cursor) -> Option<Result<Press, Fault>> {
    let start = cursor.place();
    if !cursor.takes(Word::Tell) {
        return None;
    }
    cursor.verb = Some(Word::Tell);
    let has_colon = cursor.has_colon_ahead();
    let mut to: Vec<Recipient> = Vec::new();
    let mut before = cursor.place();
    loop {
        let known = cursor.read_as.len();
        cursor.skip(&[Word::To]);
        match recipient(cursor, !has_colon) {
            Some(Ok(recipient)) if !to.contains(&recipient) => to.push(recipient),
            Some(Ok(_)) => {}
            Some(Err(fault)) if has_colon => return Some(Err(fault)),
            Some(Err(_)) | None => {
                cursor.read_as.truncate(known);
                cursor.back_to(before);
                break;
            }
        }
        if cursor.takes_colon() {
            return Some(Ok(Press { to, text: cursor.rest_text().to_owned() }));
        }
        before = cursor.place();
        cursor.skip_joints();
        if cursor.place() == before {
            break;
        }
    }
    if to.is_empty() || cursor.is_at_end() {
        cursor.back_to(start);
        cursor.forget();
        return None;
    }
    Some(Ok(Press { to, text: cursor.rest_text().to_owned() }))
}

/// One recipient; `sure` wants the player's full name.
fn recipient(cursor: &mut Cursor, sure: bool) -> Option<Result<Recipient, Fault>> {
    if cursor.takes(Word::All) {
        return Some(Ok(Recipient::All));
    }
    cursor.skip(&[Word::Filler]);
    if cursor.takes(Word::Moderator) {
        return Some(Ok(Recipient::Moderator));
    }
    if let Some(civ) = cursor.takes_player() {
        return Some(Ok(Recipient::Civ(civ)));
    }
    let read = cursor.civ(Expected::CivilizationOrAll).map(Recipient::Civ);
    match read {
        Ok(_) if sure && !cursor.is_sure => None,
        read => Some(read),
    }
}
