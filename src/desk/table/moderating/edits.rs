//! What the moderator does to a player: lines on their sheet, and a seat that is left.

use minijinja::context;

use super::Request;
use crate::archive::{DispatchKind, Party, Reason, Role};
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::table::{answering, deputising, edited, overruling};
use crate::game::{Phase, State, leaving};
use crate::orders::sheet::Outcome;
use crate::orders::{self, Answer, read};
use crate::report::Names;
use crate::rules::Civ;

/// Puts lines on a player's sheet. The player will be told which; the others only that it was done.
pub(super) fn edit_orders(
    sitting: &mut Sitting,
    civ: Civ,
    text: &str,
    request: &Request,
) -> Result<Vec<String>, String> {
    let me = Party::Moderator;
    if !sitting.table.state.is_seated(civ) {
        return Err(sitting.say(me, "no_seat", context! {}));
    }
    let letter = read(text, &sitting.table.edition.lexicon);
    let open = sitting.table.state.phase();
    let arrival = request.letter.0 as u64;
    let mut sheet = sitting.table.sheet(civ);
    let answers = sheet.add(&letter, open, arrival);
    let is_filed = |answer: &Answer| matches!(answer.outcome, Outcome::Filed(_));
    let filed = answers.iter().filter(|answer| is_filed(answer)).count();
    let wrong = unfit(sitting, &letter, &answers);
    let wrong = if wrong.is_empty() { overruling::refused(sitting, civ, &letter, &sheet, arrival) } else { wrong };
    if !wrong.is_empty() {
        let head = sitting.say(me, "edit_refused", context! {});
        return Err(std::iter::once(head).chain(wrong).collect::<Vec<_>>().join("\n"));
    }
    if filed == 0 {
        return Err(sitting.say(me, "no_order_in_edit", context! {}));
    }
    sitting.table.sheets.insert(civ, sheet.clone());
    sitting.write_sheet(civ);
    edited::note_lines(sitting, civ, &sheet, arrival);
    if open == Phase::Trade {
        let before = sitting.table.ruled.last_event;
        answering::trade_at_once(sitting, civ, &sheet, arrival);
        // What the lines have done by now cannot wait to be told.
        if sitting.table.ruled.last_event != before {
            edited::tell(sitting);
        }
    }
    let mut told = vec![sitting.say(me, "orders_filed", context! { civ => sitting.civ(me, civ), filed })];
    let names = Names::new(&sitting.table.edition.printed, sitting.words(me).language);
    told.extend(overruling::worded_lines(names, &sheet, arrival).into_iter().map(|line| format!("`{line}`")));
    told.push(sitting.say(me, "orders_filed_told", context! {}));
    Ok(told)
}

/// The lines of an edit that are no orders, with what was seen of them. A hurried moderator's slip files nothing at all.
fn unfit(sitting: &Sitting, letter: &[orders::Line], answers: &[Answer]) -> Vec<String> {
    let is_unfit = |answer: &&Answer| match &answer.outcome {
        Outcome::Filed(_) | Outcome::NoOccasion | Outcome::Quoted => false,
        Outcome::Remark
        | Outcome::NotEnded(_)
        | Outcome::Fault(_)
        | Outcome::TakenBack(_)
        | Outcome::Illegal(_)
        | Outcome::Sent(_)
        | Outcome::Held(_)
        | Outcome::Asked(_)
        | Outcome::Wished(_)
        | Outcome::NoSuchName
        | Outcome::Beyond(_) => true,
    };
    let mut numbers: Vec<usize> = answers.iter().filter(is_unfit).map(|answer| answer.line).collect();
    numbers.dedup();
    let text = |number: &usize| letter.iter().find(|line| line.number == *number).map(|line| line.text.trim());
    let said = numbers.iter().filter_map(text).map(|line| sitting.say(Party::Moderator, "no_order", context! { line }));
    said.collect()
}

pub(super) fn eject(sitting: &mut Sitting, civ: Civ, request: &Request) -> Result<Vec<String>, String> {
    let (me, party) = (Party::Moderator, Party::Seat(civ));
    let (events, state) = leaving::announce(&sitting.table.state, civ);
    if events.is_empty() {
        return Err(sitting.say(me, "no_seat", context! {}));
    }
    // What waits to be told is the player's too.
    edited::tell(sitting);
    // From now on the player gets no letters; what the player has filed for the open phase is played, then their
    // civilization goes. RL.1.
    let own = sitting.table.seat(party).and_then(|seat| seat.mailbox(Role::Player)).cloned();
    let envelope =
        Envelope { kind: DispatchKind::Announcement, about: request.about(), to: own.as_ref(), ..Envelope::default() };
    sitting.tell(party, envelope, &|sitting| vec![sitting.say(party, "ejected_you", context! {})]);
    deputising::dismiss(sitting, party, "deputy_of_nobody", &request.about());
    let before = sitting.table.state.clone();
    sitting.record(events.clone(), state, Reason::Moderator);
    let asks = |state: &State| (state.turn(), state.phase(), state.progress().asked);
    if asks(&before) == asks(&sitting.table.state) {
        // The others are asked what they were asked before, until the same time.
        sitting.report(&before, &events)
    } else {
        sitting.publish(&before, &events)
    }
    let player = sitting.table.seat(party).map(|seat| seat.player.clone());
    Ok(vec![sitting.say(me, "ejected", context! { civ => sitting.civ(me, civ), player })])
}
