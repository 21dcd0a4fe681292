//! Stored events stay readable: one line for every event, written once and never edited.
//!
//! A new event needs a line at the end of `golden/events.jsonl`; a line that is there is read as long as games last.

#[path = "golden/names.rs"]
mod names;

use std::collections::BTreeSet;

use cursus::game::Event;
use cursus::game::event::Cause;

const STORED: &str = include_str!("golden/events.jsonl");

/// Lines from before a field came; they are still read, with a default for it.
const OLDER: &str = include_str!("golden/older.jsonl");

#[test]
fn every_stored_event_is_read_and_written_as_it_was() {
    let [mut events, mut illegal, mut thwarts, mut causes] = [const { BTreeSet::new() }; 4];
    for (number, text) in (1..).zip(STORED.lines()) {
        let event: Event = serde_json::from_str(text).unwrap_or_else(|error| panic!("line {number}: {error}"));
        let written = serde_json::to_string(&event).expect("an event can be stored");
        assert_eq!(written, text, "line {number} is written otherwise now");
        events.insert(names::event(&event));
        match &event {
            Event::Refused { why, .. } => drop(illegal.insert(names::illegal(why))),
            Event::Thwarted { why, .. } => drop(thwarts.insert(names::thwart(why))),
            _ => {}
        }
        causes.extend(cause(&event).map(names::cause));
    }
    assert_eq!(events.len(), names::EVENTS, "an event has no stored line; there are {events:?}");
    assert_eq!(illegal.len(), names::ILLEGALS, "a reason has no stored line; there are {illegal:?}");
    assert_eq!(thwarts.len(), names::THWARTS, "a reason has no stored line; there are {thwarts:?}");
    assert_eq!(causes.len(), names::CAUSES, "a cause has no stored line; there are {causes:?}");
}

#[test]
fn every_older_line_is_still_read() {
    let events = OLDER.lines().map(|text| serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}")));
    let [reduced, fought] = <[Event; 2]>::try_from(events.collect::<Vec<_>>()).expect("two lines");
    assert!(matches!(reduced, Event::CityReduced { why: Cause::Support, .. }));
    assert!(matches!(fought, Event::TokensFought { losses, .. } if losses[0].ships == 0));
}

/// Why it happened, where an event says so.
fn cause(event: &Event) -> Option<&Cause> {
    match event {
        Event::CityReduced { why, .. }
        | Event::UnitsDestroyed { why, .. }
        | Event::UnitsAnnexed { why, .. }
        | Event::TreasuryLost { why, .. }
        | Event::TreasuryGained { why, .. }
        | Event::CardsDiscarded { why, .. }
        | Event::MarkerMoved { why, .. } => Some(why),
        _ => None,
    }
}
