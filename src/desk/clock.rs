//! The clock: rules what is due, reminds those who are awaited, and moves the cut-offs that an outage of ours has cost.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Duration, Utc};
use minijinja::context;

use super::schedule::{Due, Missed, Schedule};
use super::sitting::{Envelope, Sitting};
use super::table::{Agreed, Table};
use super::{Desk, DeskError};
use crate::archive::{GameRecord, NewDispatch, Party, Reason, Role, Status};
use crate::report::letters::{self, Content};
use crate::rules::Civ;

/// When each game needs a look.
#[derive(Debug, Default)]
pub struct Agenda {
    by_time: BTreeSet<(DateTime<Utc>, String)>,
    by_game: BTreeMap<String, DateTime<Utc>>,
}

impl Agenda {
    /// Notes when this game needs its next look, if ever.
    pub fn note(&mut self, game: &GameRecord) {
        if let Some(time) = self.by_game.remove(&game.id) {
            self.by_time.remove(&(time, game.id.clone()));
        }
        if let Some(time) = next_look(game, None) {
            self.put(&game.id, time);
        }
    }

    /// Notes that it has been looked at, until when nothing more is to be done.
    fn looked(&mut self, game: &GameRecord, at: DateTime<Utc>) {
        self.note(game);
        if let Some(time) = self.by_game.remove(&game.id) {
            self.by_time.remove(&(time, game.id.clone()));
        }
        if let Some(time) = next_look(game, Some(at)) {
            self.put(&game.id, time);
        }
    }

    fn put(&mut self, id: &str, time: DateTime<Utc>) {
        self.by_time.insert((time, id.to_owned()));
        self.by_game.insert(id.to_owned(), time);
    }

    /// When the first game needs a look.
    pub fn next(&self) -> Option<DateTime<Utc>> {
        self.by_time.first().map(|(time, _)| *time)
    }

    /// The games that need a look now, the most urgent first.
    fn due(&self, now: DateTime<Utc>) -> Vec<String> {
        self.by_time.iter().take_while(|(time, _)| *time <= now).map(|(_, id)| id.clone()).collect()
    }
}

/// When a game needs a look: when it is due, and before that for its reminders. After a look, only what comes later counts.
fn next_look(game: &GameRecord, looked: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
    let (opened, cut_off) = (game.hours.opened?, game.hours.cut_off?);
    if game.status != Status::Running {
        return None;
    }
    let agreed: Agreed = serde_json::from_str(&game.settings).ok()?;
    let due = match agreed.schedule.due(game.hours.all_in, cut_off) {
        Due::Ruled(time) | Due::Missed(time) => time,
    };
    let reminders = agreed.schedule.reminders(opened, cut_off).into_iter();
    let times = reminders.filter(|_| game.hours.all_in.is_none()).chain([due]);
    times.filter(|time| looked.is_none_or(|looked| *time > looked)).min()
}

impl Desk {
    /// When the clock next has something to do.
    pub fn next_stroke(&self) -> Option<DateTime<Utc>> {
        self.agenda.next()
    }

    /// Does what the clock asks for now, in every game that needs it. Says how many games were ruled.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn strike(&mut self, now: DateTime<Utc>) -> Result<usize, DeskError> {
        let mut ruled = 0;
        let mut reminders = Vec::new();
        for id in self.agenda.due(now) {
            ruled += usize::from(self.rule_if_due(&id, now)?);
            reminders.extend(self.reminders(&id, now)?);
            let game = self.table(&id)?.game.clone();
            self.agenda.looked(&game, now);
        }
        self.remind(reminders, now)?;
        Ok(ruled)
    }

    /// Rules a game if it was due at this time; says whether it was.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn rule_if_due(&mut self, id: &str, at: DateTime<Utc>) -> Result<bool, DeskError> {
        let table = self.table(id)?;
        let Some(cut_off) = table.game.hours.cut_off.filter(|_| table.is_running()) else { return Ok(false) };
        let all_in = table.game.hours.all_in;
        match table.agreed.schedule.due(all_in, cut_off) {
            Due::Ruled(time) if time <= at => {
                let reason = if all_in.is_some() { Reason::AllIn } else { Reason::CutOff };
                self.sit(id, at, |sitting| sitting.rule_on(reason))?;
                Ok(true)
            }
            Due::Missed(time) if time <= at => {
                self.sit(id, at, |sitting| missed(sitting, cut_off))?;
                Ok(false)
            }
            Due::Ruled(_) | Due::Missed(_) => Ok(false),
        }
    }

    /// The reminders of a game that are due: who still owes something, and has not been told so at this time.
    fn reminders(&mut self, id: &str, now: DateTime<Utc>) -> Result<Vec<(String, Civ, DateTime<Utc>)>, DeskError> {
        let table = self.table(id)?;
        let hours = table.game.hours;
        let (Some(opened), Some(cut_off)) = (hours.opened, hours.cut_off.filter(|_| table.is_running())) else {
            return Ok(Vec::new());
        };
        // Of several that were missed, only the last is still worth a letter.
        let times = table.agreed.schedule.reminders(opened, cut_off);
        let Some(time) = times.into_iter().filter(|time| *time <= now && now < cut_off).next_back() else {
            return Ok(Vec::new());
        };
        let owing = table.owing();
        let mut wanted = Vec::new();
        for civ in owing {
            let message_id = self.sketch(id, civ, time)?.dispatch.message_id;
            if self.archive.written(&message_id)?.is_none() {
                wanted.push((id.to_owned(), civ, time));
            }
        }
        Ok(wanted)
    }

    /// A reminder without its words, for its id.
    fn sketch(&self, id: &str, civ: Civ, time: DateTime<Utc>) -> Result<NewDispatch, DeskError> {
        let table = self.tables.get(id).ok_or_else(|| DeskError::NoGame(id.to_owned()))?;
        let sitting = Sitting::new(&self.house, table, time);
        let seat = sitting.table.seat(Party::Seat(civ)).and_then(|seat| seat.mailbox(Role::Player)).cloned();
        let nowhere = crate::archive::Address { carrier: String::new(), address: String::new(), role: Role::Player };
        let page = letters::Page { subject: String::new(), text: String::new(), html: None, picture: None, data: None };
        Ok(sitting.dispatch(Party::Seat(civ), &reminder_envelope(time), &seat.unwrap_or(nowhere), page))
    }

    /// Writes reminders; those that one person gets for several games at once are one letter.
    fn remind(&mut self, wanted: Vec<(String, Civ, DateTime<Utc>)>, now: DateTime<Utc>) -> Result<(), DeskError> {
        let mut by_person: BTreeMap<(String, String), Vec<(String, Civ, DateTime<Utc>)>> = BTreeMap::new();
        for (id, civ, time) in wanted {
            let table = self.table(&id)?;
            let address = table.seat(Party::Seat(civ)).and_then(|seat| seat.mailbox(Role::Player));
            let Some(address) = address.cloned() else { continue };
            by_person.entry((address.carrier, address.address)).or_default().push((id, civ, time));
        }
        for games in by_person.into_values() {
            match games.as_slice() {
                [(id, civ, time)] => self.sit(id, now, |sitting| {
                    let owes = owed_lines(sitting, *civ);
                    let content = Content::Reminder { owes: &owes };
                    sitting.write(Party::Seat(*civ), reminder_envelope(*time), &content);
                })?,
                several => self.remind_together(several, now)?,
            }
        }
        Ok(())
    }

    fn remind_together(&mut self, games: &[(String, Civ, DateTime<Utc>)], now: DateTime<Utc>) -> Result<(), DeskError> {
        // The most urgent game is the one that a reply goes to.
        let mut games = games.to_vec();
        for (id, ..) in &games {
            self.table(id)?;
        }
        games.sort_by_key(|(id, ..)| (self.tables[id].game.hours.cut_off, id.clone()));
        let sittings: Vec<_> =
            games.iter().map(|(id, civ, _)| (Sitting::new(&self.house, &self.tables[id], now), *civ)).collect();
        let surroundings: Vec<_> = sittings
            .iter()
            .map(|(sitting, civ)| (sitting.occasion(Party::Seat(*civ)), owed_lines(sitting, *civ)))
            .collect();
        let occasions: Vec<_> =
            surroundings.iter().map(|(surroundings, owes)| (surroundings.view(), owes.clone())).collect();
        let Some(((first, civ), (.., time))) = sittings.first().zip(games.first()) else { return Ok(()) };
        let Some(seat) = first.table.seat(Party::Seat(*civ)) else { return Ok(()) };
        let page = letters::reminders(first.table.edition.templates(seat.language), &occasions);
        let page = if seat.html { page } else { letters::Page { html: None, picture: None, ..page } };
        let Some(address) = seat.mailbox(Role::Player) else { return Ok(()) };
        let mut deed = crate::archive::Deed::default();
        deed.dispatches.push(first.dispatch(Party::Seat(*civ), &reminder_envelope(*time), address, page));
        // The other games have been reminded of, too: their letters went with this one.
        for (id, civ, time) in games.iter().skip(1) {
            deed.dispatches.push(NewDispatch { told_elsewhere: true, ..self.sketch(id, *civ, *time)? });
        }
        Ok(self.archive.commit(&deed)?)
    }

    /// Moves the cut-offs that fell into an outage of ours, and tells everybody. Says how many.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn make_up_for_outage(&mut self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<usize, DeskError> {
        let mut moved = 0;
        for game in self.archive.games()? {
            let Some(cut_off) = game.hours.cut_off.filter(|_| game.status == Status::Running) else { continue };
            let schedule = self.table(&game.id)?.agreed.schedule.clone();
            let Some(later) = schedule.moved(cut_off, (from, to)).filter(|_| game.hours.all_in.is_none()) else {
                continue;
            };
            self.sit(&game.id, to, |sitting| {
                sitting.table.game.hours.cut_off = Some(later);
                tell_moved(sitting, "outage", later);
            })?;
            moved += 1;
        }
        Ok(moved)
    }
}

/// A cut-off was missed, and the game does not go on without those who missed it.
fn missed(sitting: &mut Sitting, cut_off: DateTime<Utc>) {
    let schedule: Schedule = sitting.table.agreed.schedule.clone();
    let later = schedule.renewed(cut_off);
    let owing = sitting.table.owing();
    sitting.table.game.hours.cut_off = Some(later);
    match schedule.missed {
        Missed::Default | Missed::Wait => tell_moved(sitting, "missed", later),
        Missed::Moderator => {
            let missing: Vec<_> = owing.iter().map(|civ| sitting.civ(Party::Moderator, *civ)).collect();
            let (turn, phase) = sitting.table.phase();
            let facts = context! { missing => missing.join(", "), phase => format!("{turn}.{}", phase.name()) };
            let line = sitting.say(Party::Moderator, "missed_moderator", facts);
            let about = format!("missed-{}", cut_off.timestamp());
            let envelope = Envelope { kind: "moderation", about, ..Envelope::default() };
            sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
        }
    }
}

/// Tells everybody that the cut-off has moved.
pub fn tell_moved(sitting: &mut Sitting, why: &'static str, cut_off: DateTime<Utc>) {
    for party in sitting.everybody() {
        let line = sitting.say(party, why, context! { cut_off => sitting.when(party, cut_off) });
        // A cut-off may come back to where it was; then this is another letter.
        let about = format!("{why}-{}-{}", cut_off.timestamp(), sitting.now.timestamp_millis());
        let envelope = Envelope { kind: "announcement", about, ..Envelope::default() };
        sitting.write(party, envelope, &Content::Announcement { lines: &[line], text: None });
    }
}

/// What a player owes, a sentence each with what silence means.
fn owed_lines(sitting: &Sitting, civ: Civ) -> Vec<String> {
    let table: &Table = &sitting.table;
    letters::owed_lines(sitting.words(Party::Seat(civ)), &table.state, civ, &table.sheet(civ))
}

fn reminder_envelope(time: DateTime<Utc>) -> Envelope<'static> {
    Envelope { kind: "reminder", about: format!("reminder-{}", time.timestamp()), ..Envelope::default() }
}

/// An outage is a silence of ours that is longer than this, unless the settings say otherwise.
pub const OUTAGE: Duration = Duration::hours(1);
