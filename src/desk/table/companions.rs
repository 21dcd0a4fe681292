//! The built-in players at the table: each is asked when the time comes, and writes like anybody else.

use std::collections::BTreeSet;

use crate::companions;
use crate::desk::table::proceeding::Proceeding;
use crate::desk::table::sitting::Sitting;
use crate::game::{Event, Known, LineId, Reader};
use crate::orders::{course, read, sheet};
use crate::report::View;
use crate::rules::Civ;

/// Lets the built-in players write whatever the open phase asks of them. Their letters of trade are ruled at once.
pub(crate) fn write(sitting: &mut Sitting) -> Vec<Event> {
    let mut proceeding = Proceeding::new(sitting, None);
    course::ask(&mut proceeding);
    proceeding.events
}

/// A built-in player's letter is read and filed; says which lines are new.
pub(crate) fn receive(sitting: &mut Sitting, civ: Civ) -> Option<BTreeSet<LineId>> {
    let table = &mut sitting.table;
    let (_, temperament) = table.companions().into_iter().find(|(companion, _)| *companion == civ)?;
    let text = companions::letter(&View::at_hand(&Known::of(&table.state, Reader::Player(civ))), temperament);
    let written = (!text.is_empty()).then(|| {
        let letter = read(&text, &table.edition.lexicon);
        // Nobody's letter has this number: those of people are counted from 1 in the archive, these behind all of them.
        let arrival = u64::from(u32::MAX) + table.ruled.last_event;
        let answers = table.sheets.entry(civ).or_default().add(&letter, table.state.phase(), arrival);
        sheet::filed(&answers)
    });
    sitting.write_sheet(civ);
    written
}
