//! Observers: the public record of a game goes by letter to whoever asked for it, and tells what a thread would and no more.

use chrono::{DateTime, Utc};
use minijinja::context;

use super::visiting::Visitor;
use super::writing::{Note, Reader, dispatch, dispatch_page, lines, placed, say};
use crate::archive::{Deed, Level, NewDispatch, Observer, Party, PersonRecord, Status, Told};
use crate::desk::incoming::proved::past;
use crate::desk::table::Table;
use crate::desk::table::sitting::Sitting;
use crate::desk::table::stopping;
use crate::desk::{Desk, DeskError};
use crate::game::{Event, GameId, State, Witnessed};
use crate::report::letters::{self, Content, Delivery, Occasion};

/// So many turns are told at once where nobody looked for a while.
const MOST_TURNS: u16 = 3;

impl Desk {
    /// Somebody wants to read along.
    pub(in crate::desk) fn observes(
        &mut self,
        person: &PersonRecord,
        visitor: &Visitor,
        game: &str,
        level: Level,
        now: DateTime<Utc>,
    ) -> Result<Vec<String>, DeskError> {
        let (language, id) = (person.habits.language, GameId::from(game));
        let facts = context! { game => id.as_str(), level => level.name() };
        let said = |desk: &Desk, key: &str| Ok(lines(&say(&desk.house, language, key, facts.clone())));
        if !self.archive.game(&id)?.is_some_and(|game| game.status != Status::Ended) {
            return said(self, "no_such_observed");
        }
        let is_theirs = self.seats_of(person, visitor)?.iter().any(|seat| seat.game == id)
            || self.archive.stays_of(person.id)?.iter().any(|(game, _)| *game == id);
        let table = self.table(&id)?;
        let is_public = table.agreed.observers || table.agreed.public_page || table.seat(Party::Public).is_some();
        if !is_public && !is_theirs {
            return said(self, "not_observed");
        }
        let observer = Observer { game: id.clone(), person: person.id, level, told: told(table) };
        self.archive.observe(&observer, now)?;
        said(self, "observes")
    }

    /// Tells whoever reads along what has happened since they were told last.
    pub(in crate::desk) fn tell_observers(&mut self, now: DateTime<Utc>) -> Result<(), DeskError> {
        for observer in self.archive.observers()? {
            let Some(game) = self.archive.game(&observer.game)? else { continue };
            let is_over = game.status == Status::Ended;
            // Most of the time nothing has happened, and no table is opened for that.
            if !is_over && (game.status == Status::Inviting || !self.has_moved(&observer)?) {
                continue;
            }
            match self.tell_observer(&observer, now) {
                Err(error) if error.is_of_everything() => return Err(error),
                Ok(()) => {}
                Err(error) => {
                    tracing::error!(game = observer.game.as_str(), "an observer could not be told: {error}");
                    self.archive.stop_observing(observer.person, Some(&observer.game))?;
                }
            }
        }
        Ok(())
    }

    fn has_moved(&mut self, observer: &Observer) -> Result<bool, DeskError> {
        let now = told(self.table(&observer.game)?);
        Ok(match observer.level {
            _ if now.era != observer.told.era => true,
            Level::Each => now.open != observer.told.open,
            Level::Turns => now.open.turn != observer.told.open.turn,
            Level::End => false,
        })
    }

    fn tell_observer(&mut self, observer: &Observer, now: DateTime<Utc>) -> Result<(), DeskError> {
        let table = self.table(&observer.game)?.clone();
        let Some(reader) = self.archive.person(observer.person)?.as_ref().and_then(Reader::of) else {
            self.archive.stop_observing(observer.person, Some(&observer.game))?;
            return Ok(());
        };
        let reader = placed(&self.archive, &self.house, reader)?;
        let sitting = Sitting::new(&self.house, &table, now);
        let about = |what: &str| format!("observed-{what}.{}.{}", table.ruled.last_event, observer.person.0);
        let is_over = table.game.status == Status::Ended;
        let mut letters: Vec<NewDispatch> = Vec::new();
        let mut write = |content: &Content, what: &str| letters.push(page(&sitting, &reader, &about(what), content));
        if observer.told.era != table.game.era {
            let facts = context! { title => table.game.title.as_str(), phase => table.phase().to_string() };
            letters.push(note(&sitting, &reader, &about("back"), "observed_back", facts));
        } else if let (true, Some(_)) = (is_over, &table.game.stopped) {
            let said = stopping::said(&sitting, Party::Public).unwrap_or_default();
            letters.push(note(&sitting, &reader, &about("end"), "observed_stopped", context! { said }));
        } else if is_over {
            let turn = table.state.turn();
            if let Some((before, events)) = past(&self.archive, &table, Some(turn))? {
                write(&Content::End { seen: &public(&before, &events) }, "end");
            }
        } else {
            match observer.level {
                Level::Each => {
                    let (before, events) = self.since(&table, observer.told.event)?;
                    write(&Content::Report { seen: &public(&before, &events) }, "each");
                }
                Level::Turns => {
                    let first = observer.told.open.turn.max(table.state.turn().saturating_sub(MOST_TURNS));
                    for turn in first..table.state.turn() {
                        if let Some((before, events)) = past(&self.archive, &table, Some(turn))? {
                            write(&Content::Digest { seen: &public(&before, &events) }, &format!("turn-{turn}"));
                        }
                    }
                }
                Level::End => {}
            }
        }
        // Letters that were written before are not written again, whatever was noted of them.
        let mut dispatches = Vec::new();
        for letter in letters {
            if !self.archive.has_written(&letter)? {
                dispatches.push(letter);
            }
        }
        self.archive.commit(&Deed { dispatches, ..Deed::default() })?;
        if is_over {
            self.archive.stop_observing(observer.person, Some(&observer.game))?;
        } else {
            self.archive.observe(&Observer { told: told(&table), ..observer.clone() }, now)?;
        }
        Ok(())
    }

    /// What was true after an event, and what has happened since.
    fn since(&self, table: &Table, event: u64) -> Result<(State, Vec<Event>), DeskError> {
        let mut turn = table.state.turn();
        let (mut state, mut from) = table.state_before(&self.archive, turn)?;
        while from > event + 1 && turn > 1 {
            turn -= 1;
            (state, from) = table.state_before(&self.archive, turn)?;
        }
        let mut happened = Vec::new();
        for (number, one) in self.archive.events_until(&table.game.id, from, u16::MAX)? {
            if number <= event {
                state.apply(&one);
            } else {
                happened.push(one);
            }
        }
        Ok((state, happened))
    }
}

/// How far whoever is told now has been told.
fn told(table: &Table) -> Told {
    Told { era: table.game.era, open: table.phase(), event: table.ruled.last_event }
}

fn public(before: &State, events: &[Event]) -> Witnessed {
    Witnessed::of(before, events, crate::game::Reader::Public)
}

/// A page of the public record, as a thread would have it.
fn page(sitting: &Sitting, reader: &Reader, about: &str, content: &Content) -> NewDispatch {
    let surroundings = sitting.occasion(Party::Public);
    let view = surroundings.view();
    let maps = reader.html.then_some(&sitting.house.maps);
    let occasion = Occasion { delivery: Delivery { maps, ..view.delivery.clone() }, ..view };
    let page = letters::write(sitting.table.edition.templates(reader.language), &occasion, content);
    let to = Note {
        to: reader,
        game: Some(&sitting.table.game.id),
        about: about.to_owned(),
        in_reply_to: None,
        subject: String::new(),
        lines: Vec::new(),
    };
    dispatch_page(sitting.house, to, page, sitting.now)
}

fn note(sitting: &Sitting, reader: &Reader, about: &str, key: &str, facts: minijinja::Value) -> NewDispatch {
    let title = sitting.table.game.title.as_str();
    let subject = say(sitting.house, reader.language, "subject_observed", context! { title });
    let told = lines(&say(sitting.house, reader.language, key, facts));
    let id = Some(&sitting.table.game.id);
    let note = Note { to: reader, game: id, about: about.to_owned(), in_reply_to: None, subject, lines: told };
    dispatch(sitting.house, note, sitting.now)
}
