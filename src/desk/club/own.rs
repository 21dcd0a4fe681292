//! What is somebody's own business: their record, what is stored about them, and their vacation.
//!
//! Told to nobody but the person, and what they play like to hosts who consider them.

use chrono::{DateTime, Utc};
use minijinja::context;

use super::visiting::Visitor;
use super::writing::{Reader, lines, say, when};
use crate::archive::PersonRecord;
use crate::desk::table::timing;
use crate::desk::{Desk, DeskError};
use crate::orders::asking::Timing;
use crate::orders::{Reading, Written, read};
use crate::rules::Language;

impl Desk {
    /// How somebody has played so far.
    pub(in crate::desk) fn tell_record(&self, person: &PersonRecord) -> Result<Vec<String>, DeskError> {
        let record = self.archive.record(person.id)?;
        let facts = context! {
            in_time => record.in_time,
            missed => record.missed,
            took_over => record.took_over,
            given_up => record.given_up,
            finished => record.finished,
            playing => record.playing,
        };
        Ok(lines(&say(&self.house, person.habits.language, "record", facts)))
    }

    /// What is stored about somebody.
    pub(in crate::desk) fn tell_data(
        &self,
        person: &PersonRecord,
        visitor: &Visitor,
    ) -> Result<Vec<String>, DeskError> {
        let language = person.habits.language;
        let reader = Reader::of(person);
        let joined = |names: Vec<String>| names.join(", ");
        let addresses = person.reached.iter().map(|reached| {
            let is_mail = reached.address.contains('@');
            if is_mail { reached.address.clone() } else { format!("{} ({})", reached.carrier, reached.address) }
        });
        let seats = self.seats_of(person, visitor)?;
        let played = self.archive.stays_of(person.id)?.into_iter().map(|(game, civ)| {
            let civ = super::writing::civs(&self.house, language, [civ]).join("");
            format!("`{game}` ({civ})")
        });
        let standbys = self.archive.standbys_of(person.id)?.into_iter();
        let standbys = standbys.map(|standby| standby.game.map_or_else(|| "*".to_owned(), |game| format!("`{game}`")));
        let joining = self.all_gatherings()?.into_iter().filter(|it| it.meeting.member(person.id).is_some());
        let observed = self.archive.observed_by(person.id)?.into_iter().map(|observer| format!("`{}`", observer.game));
        let facts = context! {
            name => person.habits.name.as_str(),
            zone => person.habits.zone.as_str(),
            html => person.habits.html,
            since => reader.map(|reader| when(&self.house, &reader, person.since)),
            addresses => joined(addresses.collect()),
            now => joined(seats.iter().map(|seat| format!("`{}`", seat.game)).collect()),
            played => joined(played.collect()),
            standbys => joined(standbys.collect()),
            joining => joined(joining.map(|it| format!("`{}`", it.record.id)).collect()),
            observed => joined(observed.collect()),
        };
        let mut told = lines(&say(&self.house, language, "data", facts));
        told.extend(self.tell_record(person)?);
        Ok(told)
    }

    /// Somebody wants to be forgotten, and has said so twice.
    pub(in crate::desk) fn forgets(&mut self, person: &PersonRecord, yes: bool) -> Result<Vec<String>, DeskError> {
        let key = if !yes {
            "forget_not"
        } else {
            let stays = self.archive.stays_of(person.id)?;
            let is_gone = self.archive.forget_person(person.id)?;
            // The tables are read anew: their seats have other names.
            stays.iter().for_each(|(game, _)| self.forget(game));
            if is_gone { "forgotten" } else { "forgotten_partly" }
        };
        Ok(lines(&say(&self.house, person.habits.language, key, context! {})))
    }

    /// Somebody is away until then, in all their games; or is back in all of them.
    pub(in crate::desk) fn vacation(
        &mut self,
        person: &PersonRecord,
        visitor: &Visitor,
        until: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<Vec<String>, DeskError> {
        let language = person.habits.language;
        let line = match (until, language) {
            (None, _) => "back".to_owned(),
            (Some(until), Language::English) => format!("away until {until}"),
            (Some(until), Language::Polish) => format!("nieobecno\u{15b}\u{107} do {until}"),
        };
        let pieces = read(&line, &self.house.edition.lexicon).into_iter().flat_map(|line| line.pieces);
        let mut timing = pieces.filter_map(|piece| match piece.reading {
            Reading::Written(Written::Timing(timing @ (Timing::Away { .. } | Timing::Back))) => Some(timing),
            _ => None,
        });
        let Some(timing) = timing.next_back() else {
            return Ok(lines(&say(&self.house, language, "no_vacation", context! {})));
        };
        let mut told = Vec::new();
        for seat in self.seats_of(person, visitor)? {
            let Some(civ) = seat.party.civ() else { continue };
            let said = self.sit(&seat.game, now, |sitting| timing::wish(sitting, civ, timing))?;
            told.push(format!("- `{}`: {}", seat.game, said.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
        if told.is_empty() {
            told = lines(&say(&self.house, language, "plays_nowhere", context! {}));
        }
        Ok(told)
    }
}
