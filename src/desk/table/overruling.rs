//! What the rules say to lines that the moderator puts on a sheet, and those lines in words.
//!
//! A moderator may play. So nothing here tells what only the owner of the sheet may know: a line is refused by what
//! everybody can see, and only where it would not stand on the true sheet either.

use crate::archive::Party;
use crate::desk::table::sitting::Sitting;
use crate::game::{Illegal, Known, LineId, Phase, Reader};
use crate::orders::words::Word;
use crate::orders::{Forecast, Line, Sheet, Verdict};
use crate::report::{Names, reason, worded};
use crate::rules::Civ;
use minijinja::context;

/// The lines of an edit that the rules refuse, with the reasons; none where all may stand.
pub(crate) fn refused(sitting: &Sitting, civ: Civ, letter: &[Line], sheet: &Sheet, arrival: u64) -> Vec<String> {
    let me = Party::Moderator;
    let (open, state) = (sitting.table.state.phase(), &sitting.table.state);
    let words = sitting.words(me);
    let say = |line: &str, why: &Illegal| {
        let why = reason(words, &sitting.table.edition.printed, why);
        sitting.say(me, "not_allowed", context! { line, why })
    };
    let names = Names::new(&sitting.table.edition.printed, words.language);
    // On the board as everybody sees it, with these lines alone.
    let mut alone = Sheet::default();
    alone.add(letter, open, arrival);
    let seen = Forecast::of(&Known::of(state, Reader::Public), civ, &alone, arrival);
    let truly = Forecast::of(&Known::of(state, Reader::Player(civ)), civ, sheet, arrival);
    let own = |sheet: &Sheet| {
        let entries = Phase::ALL.into_iter().flat_map(|phase| sheet.part(phase).to_vec());
        entries.filter(|entry| entry.arrival == arrival).collect::<Vec<_>>()
    };
    let illegal = |forecast: &Forecast, line: LineId| match forecast.verdicts.get(&line) {
        Some(Verdict::Illegal(why)) => Some(why.clone()),
        Some(Verdict::Stands | Verdict::Thwarted(_) | Verdict::Later | Verdict::Played) | None => None,
    };
    let mut told = Vec::new();
    // Both sheets have the same new lines in the same sequence.
    for (public, on_sheet) in own(&alone).iter().zip(own(sheet)) {
        let line = worded(names, &on_sheet.command);
        match (illegal(&seen, public.line), illegal(&truly, on_sheet.line)) {
            // That somebody has ended their movement everybody knows, for nobody waits for them.
            (_, Some(why @ Illegal::AfterDone)) => told.push(say(&line, &why)),
            (Some(why), Some(_)) if !is_hidden(&why) => told.push(say(&line, &why)),
            (_, _) => {}
        }
    }
    told
}

/// Whether a reason speaks of cards that only their holder has seen.
fn is_hidden(why: &Illegal) -> bool {
    matches!(why, Illegal::NotInHand { .. } | Illegal::TooDear { .. } | Illegal::TooLittlePaid { .. })
}

/// The lines that came with a letter, as a language says them.
pub(crate) fn worded_lines(names: Names, sheet: &Sheet, arrival: u64) -> Vec<String> {
    let entries = Phase::ALL.into_iter().flat_map(|phase| sheet.part(phase));
    let own = entries.filter(|entry| entry.arrival == arrival).map(|entry| worded(names, &entry.command));
    let always = names.language;
    let standing = sheet.standing().iter().filter(|entry| entry.arrival == arrival);
    own.chain(standing.map(|entry| format!("{} {}", Word::Always.said(always), worded(names, &entry.command))))
        .collect()
}

/// The lines of a player's sheet that stand from a phase on, and their standing orders, in their own language.
pub(crate) fn standing_lines(sitting: &Sitting, reader: Party, civ: Civ, from: Phase) -> Vec<String> {
    let sheet = sitting.table.sheet(civ);
    let names = Names::new(&sitting.table.edition.printed, sitting.words(reader).language);
    let lines = sheet.entries_from(from).map(|entry| worded(names, &entry.command)).collect::<Vec<_>>();
    lines.into_iter().chain(standing_orders(sitting, reader, civ)).collect()
}

/// A player's standing orders alone.
pub(crate) fn standing_orders(sitting: &Sitting, reader: Party, civ: Civ) -> Vec<String> {
    let names = Names::new(&sitting.table.edition.printed, sitting.words(reader).language);
    let always = Word::Always.said(names.language);
    let said = |command| format!("{always} {}", worded(names, command));
    sitting.table.sheet(civ).standing().iter().map(|entry| said(&entry.command)).collect()
}
