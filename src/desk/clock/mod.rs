//! The clock: rules what is due, reminds those who are awaited, and moves the cut-offs that an outage of ours has cost.

pub mod absence;
pub(crate) mod moment;
pub mod schedule;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration as Patience, Instant};

use chrono::{DateTime, Duration, Utc};
use minijinja::context;

use crate::archive::{
    Absence, Deed, DispatchKind, GameRecord, NewDispatch, OurLetter, Outgoing, Overtaken, Party, Reason, Role, SeatId,
    Status,
};
use crate::desk::clock::schedule::{Due, Missed, Schedule};
use crate::desk::table::attendance::{Attendance, attendance};
use crate::desk::table::commanding::named;
use crate::desk::table::sitting::{Envelope, Sitting};
use crate::desk::table::standing_in::Candidate;
use crate::desk::table::{Agreed, Table};
use crate::desk::table::{attendance, boards, edited, standing_in, timing, voting};
use crate::desk::{Desk, DeskError};
use crate::game::{GameId, Known, Reader, TurnPhase};
use crate::orders::mailing;
use crate::report::letters::{self, Content};
use crate::rules::Civ;

/// Whom to remind: the game, the player, and the time of the reminder.
type Wanted = (GameId, Civ, DateTime<Utc>);

/// How far a strike of the clock has come.
#[derive(Debug, Clone, Copy)]
pub struct Struck {
    /// How many games were ruled.
    pub ruled: usize,
    /// Whether every game that was due has been looked at.
    pub is_whole: bool,
}

/// So long a game that could not be ruled is left alone.
const REST: Duration = Duration::hours(1);

/// When each game needs a look.
#[derive(Debug, Default)]
pub(crate) struct Agenda {
    by_time: BTreeSet<(DateTime<Utc>, GameId)>,
    by_game: BTreeMap<GameId, DateTime<Utc>>,
    /// The games that the clock has looked at, whose players are reminded when all have been.
    looked_at: Vec<GameId>,
    /// The number of the last game that was noted.
    pub(crate) noted: i64,
}

impl Agenda {
    /// Notes when this game needs its next look, if ever.
    pub(crate) fn note(&mut self, game: &GameRecord, absences: &[Absence]) {
        self.plan(game, absences, None);
    }

    /// Notes that it has been looked at, until when nothing more is to be done.
    fn looked(&mut self, game: &GameRecord, absences: &[Absence], at: DateTime<Utc>) {
        self.plan(game, absences, Some(at));
    }

    fn plan(&mut self, game: &GameRecord, absences: &[Absence], looked: Option<DateTime<Utc>>) {
        if let Some(time) = self.by_game.remove(&game.id) {
            self.by_time.remove(&(time, game.id.clone()));
        }
        let back = absences.iter().filter_map(|absence| absence.until);
        let back = back.filter(|_| game.status != Status::Ended);
        if let Some(time) = back.chain(next_look(game, looked)).min() {
            self.put(&game.id, time);
        }
    }

    /// Notes that it needs no look before this time.
    fn put_off(&mut self, id: &GameId, until: DateTime<Utc>) {
        if let Some(time) = self.by_game.remove(id) {
            self.by_time.remove(&(time, id.to_owned()));
        }
        self.put(id, until);
    }

    /// Whether it knows when this game needs a look.
    pub(crate) fn knows(&self, id: &GameId) -> bool {
        self.by_game.contains_key(id)
    }

    fn put(&mut self, id: &GameId, time: DateTime<Utc>) {
        self.by_time.insert((time, id.to_owned()));
        self.by_game.insert(id.to_owned(), time);
    }

    /// When the first game needs a look.
    pub(crate) fn next(&self) -> Option<DateTime<Utc>> {
        self.by_time.first().map(|(time, _)| *time)
    }

    /// The games that need a look now and since when, the most urgent first.
    fn due(&self, now: DateTime<Utc>) -> Vec<(DateTime<Utc>, GameId)> {
        self.by_time.iter().take_while(|(time, _)| *time <= now).cloned().collect()
    }
}

/// When a game needs a look: when it is due, and before that for its reminders and the boards of its trade. After a look, only what comes later counts.
fn next_look(game: &GameRecord, looked: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
    let votes = matches!(game.status, Status::Running | Status::Paused).then(|| voting::next(game)).flatten();
    let votes = votes.filter(|time| looked.is_none_or(|looked| *time > looked));
    let asked = standing_in::next(game).filter(|time| looked.is_none_or(|looked| *time > looked));
    let asked = asked.filter(|_| game.status != Status::Ended);
    let phase = next_of_phase(game, looked);
    let edits = edited::next(game).filter(|time| looked.is_none_or(|looked| *time > looked));
    [votes, asked, edits, phase].into_iter().flatten().min()
}

fn next_of_phase(game: &GameRecord, looked: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
    let (opened, cut_off) = (game.hours.opened?, game.hours.cut_off?);
    if game.status != Status::Running {
        return None;
    }
    let agreed: Agreed = serde_json::from_str(&game.settings).ok()?;
    let due = match agreed.schedule.due(game.hours.all_in, cut_off) {
        Due::Ruled(time) | Due::Missed(time) => time,
    };
    let reminders = agreed.schedule.reminders(opened, cut_off).into_iter();
    let times = reminders.filter(|_| game.hours.all_in.is_none()).chain([due]).chain(game.hours.board);
    times.filter(|time| looked.is_none_or(|looked| *time > looked)).min()
}

impl Desk {
    /// When the clock next has something to do.
    pub fn next_stroke(&self) -> Option<DateTime<Utc>> {
        let gathering = self.archive.next_gathering().ok().flatten();
        self.agenda.next().into_iter().chain(gathering).min()
    }

    /// Does what the clock asks for now, in every game that needs it. Says how many games were ruled. A game that cannot be
    /// ruled stops neither the clock nor the others.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn strike(&mut self, now: DateTime<Utc>) -> Result<usize, DeskError> {
        Ok(self.strike_for(now, false, None)?.ruled)
    }

    /// The same while letters wait, in the games to which none of these can matter: what came in time is read first.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn strike_beside_letters(&mut self, now: DateTime<Utc>) -> Result<usize, DeskError> {
        Ok(self.strike_for(now, true, None)?.ruled)
    }

    /// One of these, for about so long: where a thousand games are due at once, letters are read and sent in between. Nobody
    /// is reminded before all have been looked at, for what one person owes in several games is one letter.
    ///
    /// # Errors
    /// The archive does not answer.
    pub fn strike_for(
        &mut self,
        now: DateTime<Utc>,
        beside_letters: bool,
        patience: Option<Patience>,
    ) -> Result<Struck, DeskError> {
        let begun = Instant::now();
        self.look_at_gatherings(now)?;
        let (mut looks, mut ruled) = (0, 0);
        for (time, id) in self.agenda.due(now) {
            if looks > 0 && patience.is_some_and(|patience| begun.elapsed() > patience) {
                return Ok(Struck { ruled, is_whole: false });
            }
            if beside_letters && self.archive.has_waiting(&id, time)? {
                continue;
            }
            looks += 1;
            if let Some(is_ruled) = self.guarded(&id, now, |desk| desk.look(&id, now))? {
                ruled += usize::from(is_ruled);
                self.agenda.looked_at.push(id);
            }
        }
        let mut reminders = Vec::new();
        for id in std::mem::take(&mut self.agenda.looked_at) {
            reminders.extend(self.guarded(&id, now, |desk| desk.reminders(&id, now))?.unwrap_or_default());
        }
        self.remind(reminders, now)?;
        Ok(Struck { ruled, is_whole: true })
    }

    /// Does something for one game; where that cannot be done the game is put off, and nothing comes of it.
    fn guarded<T>(
        &mut self,
        id: &GameId,
        now: DateTime<Utc>,
        what: impl FnOnce(&mut Self) -> Result<T, DeskError>,
    ) -> Result<Option<T>, DeskError> {
        let done = catch_unwind(AssertUnwindSafe(|| what(self)));
        match done.unwrap_or_else(|_| Err(DeskError::Damaged("a law of the game was broken".to_owned()))) {
            Ok(done) => Ok(Some(done)),
            Err(error) if error.is_of_everything() => Err(error),
            Err(error) => self.put_off(id, &error, now).map(|()| None),
        }
    }

    /// Looks at one game, and rules it if it is due; says whether it was.
    fn look(&mut self, id: &GameId, now: DateTime<Utc>) -> Result<bool, DeskError> {
        // A vote that closes with the cut-off is decided before the phase is ruled.
        if voting::next(&self.table(id)?.game).is_some_and(|closes| closes <= now) {
            self.sit(id, now, voting::settle)?;
        }
        if standing_in::next(&self.table(id)?.game).is_some_and(|until| until <= now) {
            self.sit(id, now, standing_in::settle)?;
        }
        if edited::next(&self.table(id)?.game).is_some_and(|due| due <= now) {
            self.sit(id, now, edited::tell)?;
        }
        let is_ruled = self.rule_if_due(id, now)?;
        let has_board = self.table(id)?.game.hours.board.is_some_and(|time| time <= now);
        if has_board {
            self.sit(id, now, boards::send)?;
        }
        let is_back = |absence: &Absence| absence.until.is_some_and(|until| until <= now);
        if self.table(id)?.absences.iter().any(is_back) {
            self.sit(id, now, timing::end_absences)?;
        }
        let table = self.table(id)?.clone();
        self.agenda.looked(&table.game, &table.absences, now);
        Ok(is_ruled)
    }

    /// A game that cannot be ruled is tried again later. Its moderator is told, once for each phase.
    fn put_off(&mut self, id: &GameId, error: &DeskError, now: DateTime<Utc>) -> Result<(), DeskError> {
        tracing::error!(game = id.as_str(), "a game could not be ruled, by a bug of ours: {error}");
        self.tables.remove(id);
        self.agenda.put_off(id, now + REST);
        let told = self.tell_trouble(id, error, now);
        match told {
            Err(error) if error.is_of_everything() => Err(error),
            // Whoever reads the log knows it.
            Ok(()) | Err(_) => {
                self.agenda.put_off(id, now + REST);
                Ok(())
            }
        }
    }

    fn tell_trouble(&mut self, id: &GameId, error: &DeskError, now: DateTime<Utc>) -> Result<(), DeskError> {
        let table = self.table(id)?.clone();
        let mut sitting = Sitting::new(&self.house, &table, now);
        let TurnPhase { turn, phase } = table.phase();
        let name = format!("{turn}.{}", phase.name());
        let facts = context! { phase => name.as_str(), why => error.to_string() };
        let line = sitting.say(Party::Moderator, "trouble", facts);
        let envelope =
            Envelope { kind: DispatchKind::Moderation, about: format!("trouble-{name}"), ..Envelope::default() };
        sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
        let dispatches = sitting.deed.dispatches;
        match dispatches.first() {
            Some(new) if !self.archive.has_written(new)? => {
                Ok(self.archive.commit(&Deed { dispatches, ..Deed::default() })?)
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Rules a game if it was due at this time; says whether it was.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn rule_if_due(&mut self, id: &GameId, at: DateTime<Utc>) -> Result<bool, DeskError> {
        let table = self.table(id)?;
        let Some(cut_off) = table.game.hours.cut_off.filter(|_| table.is_running()) else { return Ok(false) };
        let all_in = table.game.hours.all_in;
        match table.agreed.schedule.due(all_in, cut_off) {
            Due::Ruled(time) if time <= at => {
                let reason = if all_in.is_some() { Reason::AllIn } else { Reason::CutOff };
                let standing = self.standing_by(id, at)?;
                self.sit(id, at, |sitting| {
                    let silent = silent(sitting);
                    let missed: Vec<Civ> = silent.iter().map(|(civ, ..)| *civ).collect();
                    let there = attendance(sitting, &missed);
                    sitting.by_default = missed;
                    let before = sitting.deed.dispatches.len();
                    sitting.rule_on(reason);
                    // The report has the next form, so it is the last that such a player reads.
                    let reports = sitting.deed.dispatches.split_off(before);
                    silent.into_iter().for_each(|(civ, phase, meant)| tell_silent(sitting, civ, phase, &meant));
                    count_before(sitting, reports, &there, &standing);
                })?;
                Ok(true)
            }
            Due::Missed(time) if time <= at => {
                let standing = self.standing_by(id, at)?;
                self.sit(id, at, |sitting| {
                    let silent = silent(sitting);
                    let civs: Vec<Civ> = silent.iter().map(|(civ, ..)| *civ).collect();
                    let goes_on = sitting.table.agreed.schedule.missed == Missed::Wait
                        && attendance::waits_no_longer(sitting, &civs);
                    let there = attendance(sitting, &civs);
                    if goes_on {
                        sitting.by_default = civs;
                        let before = sitting.deed.dispatches.len();
                        sitting.rule_on(Reason::CutOff);
                        let reports = sitting.deed.dispatches.split_off(before);
                        silent.into_iter().for_each(|(civ, phase, meant)| tell_silent(sitting, civ, phase, &meant));
                        count_before(sitting, reports, &there, &standing);
                    } else {
                        missed(sitting, cut_off);
                        attendance::count(sitting, &there, &standing);
                    }
                    goes_on
                })
            }
            Due::Ruled(_) | Due::Missed(_) => Ok(false),
        }
    }

    /// The reminders of a game that are due: who still owes something, and has not been told so at this time.
    fn reminders(&mut self, id: &GameId, now: DateTime<Utc>) -> Result<Vec<Wanted>, DeskError> {
        let table = self.table(id)?;
        let hours = table.game.hours;
        let (Some(opened), Some(cut_off)) = (hours.opened, hours.cut_off.filter(|_| table.is_running())) else {
            return Ok(Vec::new());
        };
        // Of several that were missed, only the last is still worth a letter.
        let times = table.agreed.schedule.reminders(opened, cut_off);
        let Some(time) = times.into_iter().rfind(|time| *time <= now && now < cut_off) else {
            return Ok(Vec::new());
        };
        let table = table.clone();
        let mut wanted = Vec::new();
        for civ in table.owing() {
            if !self.archive.has_written(&sketch(&Sitting::new(&self.house, &table, now), civ, time))? {
                wanted.push((id.to_owned(), civ, time));
            }
        }
        Ok(wanted)
    }

    /// Writes reminders; those that one person gets for several games at once are one letter.
    fn remind(&mut self, wanted: Vec<Wanted>, now: DateTime<Utc>) -> Result<(), DeskError> {
        let mut by_person: BTreeMap<(String, String, &str, bool), Vec<Wanted>> = BTreeMap::new();
        for (number, (id, civ, time)) in wanted.into_iter().enumerate() {
            let table = self.table(&id)?;
            let party = Party::Seat(civ);
            let Some(seat) = table.seat(party) else { continue };
            let Some(address) = seat.mailbox(Role::Player).cloned() else { continue };
            // A deputy reads along in this game alone.
            let is_shared = table.is_away(party, now) && seat.mailbox(Role::Deputy).is_some();
            let carrier = if is_shared { format!("{} {number}", address.carrier) } else { address.carrier };
            let key = (carrier, address.address, seat.language.code(), seat.html);
            by_person.entry(key).or_default().push((id, civ, time));
        }
        for games in by_person.into_values() {
            let written = match games.as_slice() {
                [(id, civ, time)] => self.remind_alone(id, *civ, reminder_envelope(*time), now),
                several => self.remind_together(several, now),
            };
            self.pass_over(written)?;
        }
        Ok(())
    }

    fn remind_alone(&mut self, id: &GameId, civ: Civ, envelope: Envelope, now: DateTime<Utc>) -> Result<(), DeskError> {
        self.sit(id, now, |sitting| {
            sitting.tell_each(Party::Seat(civ), envelope, &|sitting, envelope| {
                let owes = owed_lines(sitting, civ);
                sitting.write(Party::Seat(civ), envelope, &Content::Reminder { owes: &owes });
            });
        })
    }

    fn remind_together(&mut self, games: &[Wanted], now: DateTime<Utc>) -> Result<(), DeskError> {
        let mut tables = Vec::new();
        for (id, civ, time) in games {
            tables.push((self.table(id)?.clone(), *civ, *time));
        }
        // The most urgent game is the one that a reply goes to.
        tables.sort_by_key(|(table, ..)| (table.game.hours.cut_off, table.game.id.clone()));
        let sittings: Vec<_> =
            tables.iter().map(|(table, civ, time)| (Sitting::new(&self.house, table, now), *civ, *time)).collect();
        let surroundings: Vec<_> = sittings
            .iter()
            .map(|(sitting, civ, _)| (sitting.occasion(Party::Seat(*civ)), owed_lines(sitting, *civ)))
            .collect();
        let occasions: Vec<_> =
            surroundings.iter().map(|(surroundings, owes)| (surroundings.view(), owes.clone())).collect();
        let Some((first, civ, time)) = sittings.first() else { return Ok(()) };
        let Some(seat) = first.table.seat(Party::Seat(*civ)) else { return Ok(()) };
        let page = letters::reminders(first.table.edition.templates(seat.language), &occasions);
        let Some(address) = seat.mailbox(Role::Player) else { return Ok(()) };
        let page = first.fitting(seat, address, page);
        let written = first.dispatch(Party::Seat(*civ), &reminder_envelope(*time), address, page);
        let together = written.dispatch.message_id.clone();
        let mut deed = Deed { dispatches: vec![written], ..Deed::default() };
        // The other games have been reminded of, too: their letters went with this one.
        for (sitting, civ, time) in sittings.iter().skip(1) {
            let mut other = sketch(sitting, *civ, *time);
            other.dispatch.in_reply_to = Some(together.clone());
            deed.dispatches.push(NewDispatch { told_elsewhere: true, ..other });
        }
        Ok(self.archive.commit(&deed)?)
    }

    /// Whether a reminder is no longer true, of one of its games at least. Those of which it is still true are then reminded
    /// of anew.
    pub(in crate::desk) fn is_overtaken(&mut self, outgoing: &Outgoing, now: DateTime<Utc>) -> Result<bool, DeskError> {
        if self.has_left(outgoing)? {
            return Ok(true);
        }
        match outgoing.kind.overtaken() {
            Overtaken::ByTheClock => {}
            // Whoever looks at the status wants the last one. The first opens the thread.
            Overtaken::ByALaterOne => return self.is_renewed(outgoing),
            Overtaken::Never => return Ok(false),
        }
        let id = &outgoing.dispatch.message_id;
        let mut told: Vec<OurLetter> = self.archive.written(id)?.into_iter().collect();
        told.extend(self.archive.told_with(id)?);
        let mut standing = Vec::new();
        for reminder in &told {
            standing.extend(self.still_stands(reminder, now)?);
        }
        if standing.len() == told.len() {
            return Ok(false);
        }
        for (game, civ) in standing {
            let about = format!("again-{}", self.house.secret(id));
            let again = Envelope { kind: DispatchKind::Reminder, about, ..Envelope::default() };
            let written = self.remind_alone(&game, civ, again, now);
            self.pass_over(written)?;
        }
        Ok(true)
    }

    /// Whether a letter that tells of a hand waits for somebody who has the seat no longer, nor answers for it: what it has
    /// is another's now.
    fn has_left(&self, outgoing: &Outgoing) -> Result<bool, DeskError> {
        let Some(SeatId { game, party: party @ Party::Seat(_) }) = &outgoing.of else { return Ok(false) };
        if !outgoing.kind.is_of_the_seat() {
            return Ok(false);
        }
        let seats = self.archive.seats(game)?;
        let seat = seats.iter().find(|seat| seat.party == *party);
        Ok(seat.is_some_and(|seat| seat.companion.is_none() && !seat.knows(&outgoing.recipient)))
    }

    /// Of whom and in which game a reminder is still true: its phase is open, its reader owes something, and the cut-off is
    /// the one it names.
    fn still_stands(&mut self, reminder: &OurLetter, now: DateTime<Utc>) -> Result<Option<(GameId, Civ)>, DeskError> {
        let Some(SeatId { game: id, party: Party::Seat(civ) }) = reminder.of.clone() else { return Ok(None) };
        let table = self.table(&id)?.clone();
        let cut_off = table.game.hours.cut_off.filter(|cut_off| table.is_running() && *cut_off > now);
        let is_open = reminder.asks == Some(table.phase()) && reminder.era == table.game.era;
        let Some(cut_off) = cut_off.filter(|_| is_open && table.owing().contains(&civ)) else { return Ok(None) };
        // The first edition did not note which cut-off a letter names.
        Ok(reminder.cut_off.is_none_or(|named| named == cut_off).then_some((id, civ)))
    }

    /// Moves the cut-offs that fell into an outage of ours, and tells everybody. Says how many.
    ///
    /// # Errors
    /// The archive does not answer.
    pub(crate) fn make_up_for_outage(&mut self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<usize, DeskError> {
        let mut moved = 0;
        for game in self.archive.games()? {
            let Some(cut_off) = game.hours.cut_off.filter(|_| game.status == Status::Running) else { continue };
            let Ok(agreed) = serde_json::from_str::<Agreed>(&game.settings) else { continue };
            let later = agreed.schedule.moved(cut_off, (from, to));
            let Some(later) = later.filter(|_| game.hours.all_in.is_none()) else { continue };
            let told = self.sit(&game.id, to, |sitting| {
                sitting.table.game.hours.cut_off = Some(later);
                tell_moved(sitting, "outage", later);
            });
            moved += usize::from(told.is_ok());
            self.pass_over(told)?;
        }
        Ok(moved)
    }
}

/// A reminder without its words, for its id.
fn sketch(sitting: &Sitting, civ: Civ, time: DateTime<Utc>) -> NewDispatch {
    let seat = sitting.table.seat(Party::Seat(civ)).and_then(|seat| seat.mailbox(Role::Player)).cloned();
    let nowhere = crate::archive::Address { carrier: String::new(), address: String::new(), role: Role::Player };
    sitting.dispatch(Party::Seat(civ), &reminder_envelope(time), &seat.unwrap_or(nowhere), letters::Page::default())
}

/// Who has written nothing, in which phase, and what that means there. Whoever is away has said so, and is told nothing.
fn silent(sitting: &Sitting) -> Vec<(Civ, TurnPhase, Vec<String>)> {
    let asked = mailing(sitting.table.state.phase());
    let wrote = |civ: Civ| asked.iter().any(|phase| !sitting.table.sheet(civ).part(*phase).is_empty());
    let present = |civ: &Civ| !sitting.table.is_away(Party::Seat(*civ), sitting.now) && !wrote(*civ);
    let owing = sitting.table.owing().into_iter().filter(present);
    owing.map(|civ| (civ, sitting.table.phase(), owed_lines(sitting, civ))).collect()
}

/// Counts who has missed a cut-off. What that brings about is told before the reports: they have the next form, which is answered
/// in reply to the last letter.
fn count_before(sitting: &mut Sitting, reports: Vec<NewDispatch>, there: &Attendance, standing: &[Candidate]) {
    let before = sitting.deed.dispatches.len();
    attendance::count(sitting, there, standing);
    let new = sitting.deed.dispatches.split_off(before);
    // Whose seat is kept from now on is asked for nothing: the built-in player is, and whoever comes back is briefed.
    let is_kept = |letter: &NewDispatch| {
        let civ = letter.of.as_ref().and_then(|of| of.party.civ());
        civ.is_some_and(|civ| sitting.table.missing.kept.contains_key(&civ))
    };
    let reports: Vec<NewDispatch> = reports.into_iter().filter(|letter| !is_kept(letter)).collect();
    let (ruled, told): (Vec<_>, Vec<_>) = new.into_iter().partition(|letter| letter.kind.carries_form());
    sitting.deed.dispatches.extend(told.into_iter().chain(reports).chain(ruled));
}

/// Tells a player what was done without the player, and how to come back. Nobody else is told of it.
fn tell_silent(sitting: &mut Sitting, civ: Civ, phase: TurnPhase, meant: &[String]) {
    let party = Party::Seat(civ);
    let envelope = Envelope {
        kind: DispatchKind::Absence,
        about: format!("silent-{phase}.{}", sitting.cause),
        ..Envelope::default()
    };
    sitting.tell(party, envelope, &|sitting| {
        let phase = named(phase, sitting.words(party).language);
        let cut_off = sitting.table.game.hours.cut_off.filter(|_| sitting.table.is_running());
        let cut_off = cut_off.map(|cut_off| sitting.when(party, cut_off));
        let head = sitting.say(party, "silent", context! { phase });
        let back = sitting.say(party, "silent_back", context! { cut_off });
        std::iter::once(head).chain(meant.iter().cloned()).chain([back]).collect()
    });
}

/// A cut-off was missed, and the game does not go on without those who missed it.
fn missed(sitting: &mut Sitting, cut_off: DateTime<Utc>) {
    let schedule: Schedule = sitting.table.agreed.schedule.clone();
    let later = schedule.renewed(cut_off);
    let owing = sitting.table.owing();
    sitting.table.game.hours.cut_off = Some(later);
    tell_moved(sitting, "missed", later);
    if schedule.missed == Missed::Moderator {
        let missing: Vec<_> = owing.iter().map(|civ| sitting.civ(Party::Moderator, *civ)).collect();
        let phase = named(sitting.table.phase(), sitting.words(Party::Moderator).language);
        let facts = context! { missing => missing.join(", "), phase };
        let line = sitting.say(Party::Moderator, "missed_moderator", facts);
        let about = format!("missed-{}", cut_off.timestamp());
        let envelope = Envelope { kind: DispatchKind::Moderation, about, ..Envelope::default() };
        sitting.write(Party::Moderator, envelope, &Content::Moderation { lines: &[line] });
    }
}

/// Tells everybody that the cut-off has moved.
pub(crate) fn tell_moved(sitting: &mut Sitting, why: &'static str, cut_off: DateTime<Utc>) {
    for party in sitting.everybody() {
        // A cut-off may come back to where it was; then this is another letter.
        let about = format!("{why}-{}.{}", cut_off.timestamp(), sitting.cause);
        let envelope = Envelope { kind: DispatchKind::Announcement, about, ..Envelope::default() };
        sitting.tell(party, envelope, &|sitting| {
            vec![sitting.say(party, why, context! { cut_off => sitting.when(party, cut_off) })]
        });
    }
}

/// What a player owes, a sentence each with what silence means.
fn owed_lines(sitting: &Sitting, civ: Civ) -> Vec<String> {
    let table: &Table = &sitting.table;
    let known = Known::of(&table.state, Reader::Player(civ));
    letters::owed_lines(sitting.words(Party::Seat(civ)), &known, civ, &table.sheet(civ))
}

fn reminder_envelope(time: DateTime<Utc>) -> Envelope<'static> {
    Envelope { kind: DispatchKind::Reminder, about: format!("reminder-{}", time.timestamp()), ..Envelope::default() }
}

/// An outage is a silence of ours that is longer than this, unless the settings say otherwise.
pub(crate) const OUTAGE: Duration = Duration::hours(1);
