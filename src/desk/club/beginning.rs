//! An open game begins: the civilizations are dealt, companions take what is left, and it becomes a game like any other.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use minijinja::context;

use super::Gathering;
use super::gathering::Place;
use super::writing::{Note, Reader, dispatch, lines, say};
use crate::archive::{Address, Deed, PersonId, PersonRecord, Role, Stage, Standby, Status};
use crate::desk::settings::game_file::{GameFile, Seat, Sitter};
use crate::desk::settings::written::Zone;
use crate::desk::settings::{Format, Person};
use crate::desk::table::creating::Gathered;
use crate::desk::{Desk, DeskError};

impl Desk {
    /// Everybody is there: the game begins.
    pub(in crate::desk) fn begin_gathered(
        &mut self,
        gathering: Gathering,
        cause: &str,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        let dealt = gathering.meeting.deal();
        let mut file = gathering.game.file.clone();
        let (mut came, mut there) = (Vec::new(), BTreeMap::new());
        for civ in &gathering.meeting.free {
            let person = dealt.iter().find(|(_, dealt)| dealt == civ).map(|(person, _)| *person);
            let person = person.map(|person| self.archive.person(person)).transpose()?.flatten();
            let sitter = match person {
                Some(person) => {
                    let (player, carrier, address) = self.seated(&person, &file);
                    came.push(*civ);
                    there.extend(address.map(|address| (*civ, address)));
                    file.seats.push(Seat { civ: *civ, sitter: Sitter::Player { player, deputy: None }, carrier });
                    continue;
                }
                None => Sitter::Companion(gathering.meeting.rules.companion),
            };
            file.seats.push(Seat { civ: *civ, sitter, carrier: None });
        }
        file.seats.sort_by_key(|seat| seat.civ);
        let mut begun = gathering.clone();
        begun.meeting.stage = Stage::Begun;
        let gathered = Gathered { came, there, record: begun.stored()? };
        match self.create_gathered(&file, gathering.record.seed, gathered, now) {
            Ok(()) => self.stand_by_now(&gathering, cause, now),
            Err(error) if error.is_of_everything() => Err(error),
            Err(error) => self.cannot_begin(gathering, &error, cause, now),
        }
    }

    /// A person at a seat: the player, the carrier of their mail, and where they are reached in the game's forum.
    fn seated(&self, person: &PersonRecord, file: &GameFile) -> (Person, Option<String>, Option<Address>) {
        let confirmed = || person.reached.iter().filter(|reached| reached.confirmed.is_some());
        let mails = || confirmed().filter(|reached| reached.address.contains('@'));
        let forum = file.forum.as_ref().map(|forum| forum.carrier.as_str());
        let there = confirmed().find(|reached| forum == Some(reached.carrier.as_str()));
        let player = Person {
            name: person.habits.name.clone(),
            addresses: mails().filter_map(|reached| reached.address.parse().ok()).collect(),
            // The forum's id of them takes its place.
            forum: there.map(|_| person.habits.name.clone()),
            language: person.habits.language,
            zone: Zone(person.habits.zone.parse().unwrap_or(file.schedule.zone.0)),
            format: if person.habits.html { Format::Html } else { Format::Text },
        };
        let carrier = mails().next().map(|reached| reached.carrier.clone());
        let address = |reached: &crate::archive::Reached| Address {
            carrier: reached.carrier.clone(),
            address: reached.address.clone(),
            role: Role::Player,
        };
        (player, carrier, there.map(address))
    }

    /// Whoever waited in vain stands in from now on.
    fn stand_by_now(&mut self, gathering: &Gathering, cause: &str, now: DateTime<Utc>) -> Result<(), DeskError> {
        let (house, id) = (&self.house, &gathering.record.id);
        let (game, title) = (id.as_str(), gathering.record.title.as_str());
        let invites = self.archive.game(id)?.is_some_and(|game| game.status == Status::Inviting);
        let waiting: Vec<PersonId> = gathering.meeting.at(Place::Waiting).map(|member| member.person).collect();
        let mut dispatches = Vec::new();
        for person in waiting {
            self.archive.stand_by(&Standby { person, game: Some(id.clone()), since: now })?;
            let said = |reader: &Reader| {
                let subject = say(house, reader.language, "subject_game", context! { title });
                (subject, lines(&say(house, reader.language, "begun_without", context! { game, title, invites })))
            };
            dispatches.extend(self.write_to_person(person, Some(id), &format!("begun.{cause}"), now, &said)?);
        }
        Ok(self.archive.commit(&Deed { dispatches, ..Deed::default() })?)
    }

    /// It cannot become a game: the host is told why, and everybody keeps their place.
    fn cannot_begin(
        &mut self,
        mut gathering: Gathering,
        error: &DeskError,
        cause: &str,
        now: DateTime<Utc>,
    ) -> Result<(), DeskError> {
        tracing::error!(game = gathering.record.id.as_str(), "an open game could not begin: {error}");
        gathering.meeting.stage = Stage::Open;
        gathering.meeting.gathered.companions = false;
        for member in &mut gathering.meeting.gathered.members {
            (member.asked, member.here) = (None, false);
        }
        let host = self.host(&gathering);
        let title = gathering.record.title.clone();
        let subject = say(&self.house, host.language, "subject_game", context! { title => title.as_str() });
        let facts = context! { title, why => error.to_string() };
        let told = lines(&say(&self.house, host.language, "cannot_begin", facts));
        let to = self.placed(host)?;
        gathering.meeting.gathered.told += 1;
        let about = format!("cannot-begin-{}.{cause}.host", gathering.meeting.gathered.told);
        let id = gathering.record.id.clone();
        let note = Note { to: &to, game: Some(&id), about, in_reply_to: None, subject, lines: told };
        let dispatches = vec![dispatch(&self.house, note, now)];
        let gatherings = vec![gathering.stored()?];
        Ok(self.archive.commit(&Deed { gatherings, dispatches, ..Deed::default() })?)
    }
}
