//! The schedule of a game: when its letters are due, when it reminds, and what happens to whoever is late.
//!
//! Comes in: times, all of them handed in. Goes out: times. A cut-off is always printed as the same local time of day, in
//! summer and in winter; only a local time that the clocks skip falls on the first instant behind the gap. Of a local
//! time that comes twice the later is meant.

use chrono::{
    DateTime, Datelike, Days, DurationRound, MappedLocalTime, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Utc,
};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::desk::clock::absence::Absence;
use crate::desk::settings::written::{Length, TimeOfDay, Weekdays, Zone};
use crate::game::{Phase, State};

/// When the letters of a game are due. Kept with the game, read from `[schedule]` of its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Schedule {
    /// The least time for movement, with everything for conflict, cities and cards.
    pub movement: Length,
    /// The least time for trade.
    pub trade: Length,
    /// The least time for calamities, with the special abilities.
    pub calamities: Length,
    /// The least time for the advances.
    pub advances: Length,
    /// The least time for a single player: who wrote `wait` and is asked now, who is back, and who is still missing
    /// where the game waits.
    pub turn: Length,
    /// The time of day at which cut-offs fall.
    pub time: TimeOfDay,
    /// The zone of that time.
    pub zone: Zone,
    /// The days on which cut-offs fall, in that zone.
    pub weekdays: Weekdays,
    /// How long after the printed cut-off a letter still counts. Nobody is told.
    pub grace: Length,
    /// How long answers may still be changed after the last player is in.
    pub cooling_off: Length,
    /// How long before a cut-off those who are missing are reminded.
    pub reminders: Vec<Length>,
    /// What a missed cut-off means.
    pub missed: Missed,
    /// How many extensions each player may ask for in the whole game.
    pub extensions: u8,
    /// How much later an extension makes a cut-off at most.
    pub longest_extension: Length,
    /// How an absence is treated.
    pub absences: Absences,
    /// How long the game waits for one absence at most, counted from its first day.
    pub longest_absence: Length,
}

impl Default for Schedule {
    fn default() -> Schedule {
        Schedule {
            movement: Length::hours(3 * 24),
            trade: Length::hours(3 * 24),
            calamities: Length::hours(2 * 24),
            advances: Length::hours(2 * 24),
            turn: Length::hours(24),
            time: TimeOfDay::EVENING,
            zone: Zone::default(),
            weekdays: Weekdays::ALL,
            grace: Length::minutes(30),
            cooling_off: Length::minutes(30),
            reminders: vec![Length::hours(24), Length::hours(6)],
            missed: Missed::Default,
            extensions: 3,
            longest_extension: Length::hours(2 * 24),
            absences: Absences::Default,
            longest_absence: Length::hours(14 * 24),
        }
    }
}

/// What a letter of the game asks for, as far as its time goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mailing {
    /// Movement, conflict, cities and cards.
    Movement,
    Trade,
    /// Calamities and special abilities.
    Calamities,
    Advances,
    /// A single player's own turn, on which the player insisted.
    Turn,
}

impl Mailing {
    /// Every mailing of a turn, in their sequence.
    pub const ALL: [Mailing; 5] =
        [Mailing::Movement, Mailing::Trade, Mailing::Calamities, Mailing::Advances, Mailing::Turn];

    /// The mailing that is open; none where the phase is ruled from what is filed.
    pub(crate) fn open(state: &State) -> Option<Mailing> {
        if state.progress().asked.is_some() {
            return Some(Mailing::Turn);
        }
        match state.phase() {
            Phase::Movement => Some(Mailing::Movement),
            Phase::Trade => Some(Mailing::Trade),
            Phase::Calamities | Phase::Abilities => Some(Mailing::Calamities),
            Phase::Advances => Some(Mailing::Advances),
            Phase::Tax | Phase::Expansion | Phase::Conflict | Phase::Cities | Phase::Cards => None,
            Phase::Selection | Phase::Support | Phase::Ast => None,
        }
    }
}

/// What a missed cut-off means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missed {
    /// The phase is ruled: what is filed stands, standing orders and the named defaults answer the rest.
    #[default]
    Default,
    /// Nothing is ruled before all are in. Who is missing gets a new cut-off, and is reminded of it.
    Wait,
    /// Nothing is ruled before all are in or the moderator says so. The moderator is told.
    Moderator,
}

/// How an absence is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Absences {
    /// The game goes on: the deputy writes, or the standing orders and defaults answer.
    #[default]
    Default,
    /// Cut-offs that fall into an absence move behind it.
    Wait,
}

/// What comes of an open phase, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// It is ruled then.
    Ruled(DateTime<Utc>),
    /// Somebody has missed the cut-off then, and the game does not go on without them.
    Missed(DateTime<Utc>),
}

/// Why an extension is not granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoExtension {
    /// The game has none.
    NotHere,
    /// The player has had all of theirs.
    AllUsed {
        /// How many there were.
        allowed: u8,
    },
    /// The cut-off has passed.
    TooLate,
    /// Nothing was asked for.
    NoHours,
}

/// An extension that is granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extension {
    pub cut_off: DateTime<Utc>,
    /// The hours that were granted: those asked for, or as many as the game allows.
    pub hours: u16,
}

/// An outage up to this length only moves a cut-off within its day.
const SHORT_OUTAGE: TimeDelta = TimeDelta::hours(3);

/// A pause that is shorter moves a cut-off by its own length, whatever time of the day that is.
const SHORT_PAUSE: TimeDelta = TimeDelta::days(1);

impl Schedule {
    /// The least time that letters of this kind are given.
    pub fn length(&self, mailing: Mailing) -> Length {
        match mailing {
            Mailing::Movement => self.movement,
            Mailing::Trade => self.trade,
            Mailing::Calamities => self.calamities,
            Mailing::Advances => self.advances,
            Mailing::Turn => self.turn,
        }
    }

    /// The cut-off of a mailing that is opened now: the first regular one that leaves at least its length.
    pub fn cut_off(&self, opened: DateTime<Utc>, mailing: Mailing) -> DateTime<Utc> {
        self.regular(opened + self.length(mailing).delta())
    }

    /// The next cut-off for those who missed this one, where the game waits for them.
    pub(crate) fn renewed(&self, cut_off: DateTime<Utc>) -> DateTime<Utc> {
        self.cut_off(self.last_moment(cut_off), Mailing::Turn)
    }

    /// When those who are missing are reminded: between opening and cut-off, each once, the earliest first.
    pub fn reminders(&self, opened: DateTime<Utc>, cut_off: DateTime<Utc>) -> Vec<DateTime<Utc>> {
        let mut times: Vec<_> = self.reminders.iter().map(|length| cut_off - length.delta()).collect();
        times.retain(|time| opened < *time && *time < cut_off);
        times.sort();
        times.dedup();
        times
    }

    /// Until when a letter counts: the printed cut-off and the grace.
    pub fn last_moment(&self, cut_off: DateTime<Utc>) -> DateTime<Utc> {
        cut_off + self.grace.delta()
    }

    /// Whether a letter came too late.
    pub(crate) fn is_late(&self, arrived: DateTime<Utc>, cut_off: DateTime<Utc>) -> bool {
        arrived > self.last_moment(cut_off)
    }

    /// What comes of an open phase: when all are in, it is ruled after the cooling-off and at the last moment for sure;
    /// else the last moment decides.
    pub fn due(&self, all_in_since: Option<DateTime<Utc>>, cut_off: DateTime<Utc>) -> Due {
        let last = self.last_moment(cut_off);
        match (all_in_since, self.missed) {
            // Who waited for the last player beyond the cut-off still gets the time to look at their answer again.
            (Some(since), _) if since > last => Due::Ruled(since + self.cooling_off.delta()),
            (Some(since), _) => Due::Ruled(last.min(since + self.cooling_off.delta())),
            (None, Missed::Default) => Due::Ruled(last),
            (None, Missed::Wait | Missed::Moderator) => Due::Missed(last),
        }
    }

    /// The cut-off after an outage of ours; none if it did not fall into it. It moves by the length of the outage: a
    /// short one (three hours) to the next quarter of an hour of the same day, a longer one on to the next regular
    /// cut-off, so that nobody is to write at four in the morning.
    pub fn moved(&self, cut_off: DateTime<Utc>, outage: (DateTime<Utc>, DateTime<Utc>)) -> Option<DateTime<Utc>> {
        let (from, to) = outage;
        if to <= from || self.last_moment(cut_off) < from || to < cut_off {
            return None;
        }
        let earliest = cut_off.max(from) + (to - from);
        let regular = self.regular(earliest);
        let quarter = earliest.duration_round_up(TimeDelta::minutes(15)).unwrap_or(earliest);
        let is_same_day = |time: DateTime<Utc>| self.local_day(time) == self.local_day(cut_off);
        let is_short = to - from <= SHORT_OUTAGE && is_same_day(quarter);
        Some(if is_short { quarter.min(regular) } else { regular })
    }

    /// A player's wish for a later cut-off. `used` counts those the player was granted in this game.
    ///
    /// # Errors
    /// It is not granted.
    pub(crate) fn extension(
        &self,
        cut_off: DateTime<Utc>,
        hours: u16,
        used: u8,
        now: DateTime<Utc>,
    ) -> Result<Extension, NoExtension> {
        let longest = u16::try_from(self.longest_extension.delta().num_hours()).unwrap_or(u16::MAX);
        let granted = hours.min(longest);
        if self.extensions == 0 || longest == 0 {
            Err(NoExtension::NotHere)
        } else if used >= self.extensions {
            Err(NoExtension::AllUsed { allowed: self.extensions })
        } else if self.is_late(now, cut_off) {
            Err(NoExtension::TooLate)
        } else if hours == 0 {
            Err(NoExtension::NoHours)
        } else {
            Ok(Extension { cut_off: self.extended(cut_off, granted), hours: granted })
        }
    }

    /// The cut-off so many hours later. Every 24 are a day on the calendar, so that the printed time stays when the
    /// clocks change; a day without cut-offs is passed over.
    pub fn extended(&self, cut_off: DateTime<Utc>, hours: u16) -> DateTime<Utc> {
        let zone = self.zone.0;
        let (days, rest) = (u64::from(hours / 24), i64::from(hours % 24));
        let local = (cut_off + TimeDelta::hours(rest)).with_timezone(&zone).naive_local();
        let is_allowed = |days: &u64| self.weekdays.contains((local.date() + Days::new(*days)).weekday());
        let days = (days..).find(is_allowed).unwrap_or(days);
        instant(zone, local + Days::new(days))
    }

    /// The cut-off with regard to an absence: behind it, where the game waits for absences and this cut-off falls into
    /// one. The player has the time of a turn after their return. An absence without an end is as long as the game
    /// waits.
    pub(crate) fn behind(&self, cut_off: DateTime<Utc>, absence: &Absence) -> DateTime<Utc> {
        let most = absence.from + self.longest_absence.delta();
        let end = absence.until.map_or(most, |until| until.min(most));
        match self.absences {
            Absences::Wait if absence.from <= cut_off && cut_off < end => self.cut_off(end, Mailing::Turn),
            Absences::Wait | Absences::Default => cut_off,
        }
    }

    /// The cut-off behind all absences. Behind one may be within another, so they are not taken one after the other.
    pub fn behind_all(&self, cut_off: DateTime<Utc>, absences: &[Absence]) -> DateTime<Utc> {
        let behind = |cut_off| absences.iter().map(|absence| self.behind(cut_off, absence)).max().unwrap_or(cut_off);
        let mut moved = cut_off;
        while behind(moved) > moved {
            moved = behind(moved);
        }
        moved
    }

    /// The cut-off of a game that goes on after a pause: what was left is left again. After a short one the cut-off moves by
    /// no more than the pause has lasted; after a longer one it falls on a regular time again.
    pub(crate) fn resumed(&self, cut_off: DateTime<Utc>, paused: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
        let left_again = now + (cut_off - paused).max(TimeDelta::zero());
        if now - paused < SHORT_PAUSE { left_again.max(cut_off) } else { self.regular(left_again).max(cut_off) }
    }

    /// The first regular cut-off at or after this time.
    fn regular(&self, earliest: DateTime<Utc>) -> DateTime<Utc> {
        // The day before may reach into this one, when the clocks change at midnight.
        let first = self.local_day(earliest) - Days::new(1);
        let days = (0..).map(|days| first + Days::new(days));
        let allowed = days.filter(|day| self.weekdays.contains(day.weekday()));
        let mut cut_offs = allowed.map(|day| instant(self.zone.0, day.and_time(self.time.0)));
        cut_offs.find(|cut_off| *cut_off >= earliest).expect("one of the next nine days is allowed")
    }

    fn local_day(&self, time: DateTime<Utc>) -> NaiveDate {
        time.with_timezone(&self.zone.0).date_naive()
    }
}

/// The instant of a local time: of two the later, and for one that is skipped the first behind the gap.
pub(in crate::desk) fn instant(zone: Tz, local: NaiveDateTime) -> DateTime<Utc> {
    // The longest gap was a day, when Samoa crossed the date line.
    let minutes = (0..=24 * 60).map(|minutes| local + TimeDelta::minutes(minutes));
    let mut existing = minutes.filter_map(|local| match zone.from_local_datetime(&local) {
        MappedLocalTime::Single(time) => Some(time),
        MappedLocalTime::Ambiguous(one, other) => Some(one.max(other)),
        MappedLocalTime::None => None,
    });
    existing.next().map_or_else(|| local.and_utc(), |time| time.with_timezone(&Utc))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a time")
    }

    fn schedule(text: &str) -> Schedule {
        serde_json::from_str(text).expect("a schedule")
    }

    fn warsaw() -> Schedule {
        schedule(r#"{"zone": "Europe/Warsaw"}"#)
    }

    /// The shape in which running games keep their schedules.
    #[test]
    fn a_schedule_is_kept_like_this() {
        let kept = concat!(
            r#"{"movement":"3days","trade":"3days","calamities":"2days","advances":"2days","turn":"1day","#,
            r#""time":"20:00","zone":"UTC","weekdays":["mon","tue","wed","thu","fri","sat","sun"],"#,
            r#""grace":"30m","cooling_off":"30m","reminders":["1day","6h"],"missed":"default","#,
            r#""extensions":3,"longest_extension":"2days","absences":"default","longest_absence":"14days"}"#,
        );
        assert_eq!(serde_json::to_string(&Schedule::default()).expect("it is kept"), kept);
        assert_eq!(schedule(kept), Schedule::default());
        assert_eq!(schedule("{}"), Schedule::default());
    }

    #[test]
    fn a_cut_off_leaves_at_least_its_length() {
        let schedule = Schedule::default();
        assert_eq!(schedule.cut_off(at("2026-05-04T20:00:00Z"), Mailing::Movement), at("2026-05-07T20:00:00Z"));
        assert_eq!(schedule.cut_off(at("2026-05-04T20:00:01Z"), Mailing::Movement), at("2026-05-08T20:00:00Z"));
        assert_eq!(schedule.cut_off(at("2026-05-04T07:00:00Z"), Mailing::Turn), at("2026-05-05T20:00:00Z"));
    }

    #[test]
    fn a_cut_off_falls_on_an_allowed_day() {
        let schedule = schedule(r#"{"weekdays": ["Sunday", "wed"]}"#);
        // Thursday and three days are Sunday; Sunday and three days are Wednesday.
        assert_eq!(schedule.cut_off(at("2026-05-07T20:00:00Z"), Mailing::Movement), at("2026-05-10T20:00:00Z"));
        assert_eq!(schedule.cut_off(at("2026-05-07T21:00:00Z"), Mailing::Movement), at("2026-05-13T20:00:00Z"));
    }

    #[test]
    fn a_cut_off_keeps_its_local_time_over_daylight_saving() {
        // 20:00 is 19:00 UTC in winter and 18:00 in summer. The clocks change on 29 March and 25 October.
        assert_eq!(warsaw().cut_off(at("2026-03-25T19:00:00Z"), Mailing::Movement), at("2026-03-28T19:00:00Z"));
        assert_eq!(warsaw().cut_off(at("2026-03-27T19:00:00Z"), Mailing::Movement), at("2026-03-31T18:00:00Z"));
        assert_eq!(warsaw().cut_off(at("2026-10-23T18:00:00Z"), Mailing::Movement), at("2026-10-26T19:00:00Z"));
    }

    #[test]
    fn a_time_that_is_skipped_is_the_first_behind_the_gap_and_of_two_the_later() {
        let local = |text: &str| text.parse::<NaiveDateTime>().expect("a local time");
        let cases = [
            (Tz::Europe__Warsaw, "2026-03-29T02:30:00", "2026-03-29T01:00:00Z"),
            (Tz::Europe__Warsaw, "2026-10-25T02:30:00", "2026-10-25T01:30:00Z"),
            (Tz::America__New_York, "2026-03-08T02:00:00", "2026-03-08T07:00:00Z"),
            (Tz::America__New_York, "2026-11-01T01:59:00", "2026-11-01T06:59:00Z"),
            // The clocks of Lord Howe change by half an hour.
            (Tz::Australia__Lord_Howe, "2026-10-04T02:15:00", "2026-10-03T15:30:00Z"),
            (Tz::Australia__Lord_Howe, "2026-04-05T01:45:00", "2026-04-04T15:15:00Z"),
            // Samoa left out a whole day.
            (Tz::Pacific__Apia, "2011-12-30T20:00:00", "2011-12-30T10:00:00Z"),
        ];
        for (zone, time, expected) in cases {
            assert_eq!(instant(zone, local(time)), at(expected), "{time} in {zone}");
        }
    }

    /// In Nuuk an hour before midnight is left out in spring, so that the cut-off of Saturday is the first of Sunday.
    #[test]
    fn a_cut_off_may_be_pushed_over_midnight() {
        let schedule = schedule(r#"{"zone": "America/Nuuk", "time": "23:30", "weekdays": ["sat"]}"#);
        let midnight = at("2026-03-29T01:00:00Z");
        assert_eq!(schedule.cut_off(at("2026-03-26T01:00:00Z"), Mailing::Movement), midnight);
        assert_eq!(schedule.cut_off(at("2026-03-26T00:00:00Z"), Mailing::Movement), midnight);
        assert_eq!(schedule.cut_off(at("2026-03-26T01:00:01Z"), Mailing::Movement), at("2026-04-05T00:30:00Z"));
    }

    #[test]
    fn reminders_lie_between_opening_and_cut_off() {
        let schedule = schedule(r#"{"reminders": ["6h", "24h", "1day", "10days", "0s"]}"#);
        let (opened, cut_off) = (at("2026-05-04T20:00:00Z"), at("2026-05-07T20:00:00Z"));
        let expected = [at("2026-05-06T20:00:00Z"), at("2026-05-07T14:00:00Z")];
        assert_eq!(schedule.reminders(opened, cut_off), expected);
        assert_eq!(schedule.reminders(at("2026-05-06T20:00:00Z"), cut_off), expected[1..]);
    }

    #[test]
    fn a_letter_within_the_grace_is_not_late() {
        let cut_off = at("2026-05-07T20:00:00Z");
        assert!(!Schedule::default().is_late(at("2026-05-07T20:30:00Z"), cut_off));
        assert!(Schedule::default().is_late(at("2026-05-07T20:30:01Z"), cut_off));
    }

    #[test]
    fn a_phase_is_ruled_when_all_are_in_or_at_the_last_moment() {
        let (cut_off, last) = (at("2026-05-07T20:00:00Z"), at("2026-05-07T20:30:00Z"));
        let schedule = Schedule::default();
        let early = at("2026-05-06T10:00:00Z");
        assert_eq!(schedule.due(Some(early), cut_off), Due::Ruled(at("2026-05-06T10:30:00Z")));
        assert_eq!(schedule.due(Some(at("2026-05-07T20:15:00Z")), cut_off), Due::Ruled(last));
        assert_eq!(schedule.due(None, cut_off), Due::Ruled(last));
        for missed in [Missed::Wait, Missed::Moderator] {
            let patient = Schedule { missed, ..schedule.clone() };
            assert_eq!(patient.due(None, cut_off), Due::Missed(last));
            let late = at("2026-05-09T10:00:00Z");
            assert_eq!(patient.due(Some(late), cut_off), Due::Ruled(at("2026-05-09T10:30:00Z")));
        }
        assert_eq!(schedule.renewed(cut_off), at("2026-05-09T20:00:00Z"));
    }

    #[test]
    fn a_cut_off_moves_by_an_outage_that_it_fell_into() {
        let schedule = Schedule::default();
        let cut_off = at("2026-05-07T20:00:00Z");
        let moved = |from: &str, to: &str| schedule.moved(cut_off, (at(from), at(to)));
        assert_eq!(moved("2026-05-07T10:00:00Z", "2026-05-07T19:59:59Z"), None);
        assert_eq!(moved("2026-05-07T20:30:01Z", "2026-05-08T20:00:00Z"), None);
        // Ten minutes of a Thursday evening do not cost a day.
        assert_eq!(moved("2026-05-07T19:55:00Z", "2026-05-07T20:05:00Z"), Some(at("2026-05-07T20:15:00Z")));
        assert_eq!(moved("2026-05-07T18:00:00Z", "2026-05-07T21:00:00Z"), Some(at("2026-05-07T23:00:00Z")));
        // Twelve hours would end at eight in the morning.
        assert_eq!(moved("2026-05-07T18:00:00Z", "2026-05-08T06:00:00Z"), Some(at("2026-05-08T20:00:00Z")));
        assert_eq!(moved("2026-05-07T12:00:00Z", "2026-05-10T12:00:00Z"), Some(at("2026-05-10T20:00:00Z")));
        // It fell into the grace.
        assert_eq!(moved("2026-05-07T20:20:00Z", "2026-05-07T21:20:00Z"), Some(at("2026-05-07T21:30:00Z")));
    }

    #[test]
    fn an_extension_keeps_the_local_time_and_the_days() {
        let friday = at("2026-03-27T19:00:00Z");
        assert_eq!(warsaw().extended(friday, 48), at("2026-03-29T18:00:00Z"));
        assert_eq!(warsaw().extended(friday, 6), at("2026-03-28T01:00:00Z"));
        let working = schedule(
            r#"{"zone": "Europe/Warsaw", "weekdays": ["mon", "tue", "wed", "thu", "fri"], "longest_extension": "2days"}"#,
        );
        assert_eq!(working.extended(friday, 24), at("2026-03-30T18:00:00Z"));
    }

    #[test]
    fn extensions_are_counted_and_cut_to_the_longest() {
        let (schedule, cut_off) = (Schedule::default(), at("2026-05-07T20:00:00Z"));
        let now = at("2026-05-07T12:00:00Z");
        let granted = Extension { cut_off: at("2026-05-09T20:00:00Z"), hours: 48 };
        assert_eq!(schedule.extension(cut_off, 72, 2, now), Ok(granted));
        assert_eq!(schedule.extension(cut_off, 72, 3, now), Err(NoExtension::AllUsed { allowed: 3 }));
        assert_eq!(schedule.extension(cut_off, 0, 0, now), Err(NoExtension::NoHours));
        assert_eq!(schedule.extension(cut_off, 24, 0, at("2026-05-07T21:00:00Z")), Err(NoExtension::TooLate));
        let strict = Schedule { extensions: 0, ..schedule };
        assert_eq!(strict.extension(cut_off, 24, 0, now), Err(NoExtension::NotHere));
    }

    #[test]
    fn a_cut_off_moves_behind_absences_where_the_game_waits() {
        let absence = |from: &str, until: Option<&str>| Absence { from: at(from), until: until.map(at) };
        let schedule = schedule(r#"{"absences": "wait", "longest_absence": "5days"}"#);
        let cut_off = at("2026-05-07T20:00:00Z");
        let short = absence("2026-05-06T00:00:00Z", Some("2026-05-09T00:00:00Z"));
        assert_eq!(schedule.behind(cut_off, &short), at("2026-05-10T20:00:00Z"));
        // The second begins after the cut-off, but where it has been moved to.
        let second = absence("2026-05-10T00:00:00Z", Some("2026-05-12T00:00:00Z"));
        assert_eq!(schedule.behind_all(cut_off, &[second, short]), at("2026-05-13T20:00:00Z"));
        for endless in [None, Some("2026-12-01T00:00:00Z")] {
            assert_eq!(schedule.behind(cut_off, &absence("2026-05-06T00:00:00Z", endless)), at("2026-05-12T20:00:00Z"));
        }
        let over = absence("2026-05-01T00:00:00Z", Some("2026-05-07T20:00:00Z"));
        assert_eq!(schedule.behind(cut_off, &over), cut_off);
        assert_eq!(Schedule::default().behind(cut_off, &short), cut_off);
    }

    #[test]
    fn a_pause_leaves_what_was_left() {
        let (schedule, cut_off) = (Schedule::default(), at("2026-05-07T20:00:00Z"));
        let resumed = schedule.resumed(cut_off, at("2026-05-06T10:00:00Z"), at("2026-06-01T10:00:00Z"));
        assert_eq!(resumed, at("2026-06-02T20:00:00Z"));
    }

    #[test]
    fn a_short_pause_costs_no_more_than_it_lasts() {
        let (schedule, cut_off) = (Schedule::default(), at("2026-05-07T20:00:00Z"));
        let resumed = |now: &str| schedule.resumed(cut_off, at("2026-05-06T10:00:00Z"), at(now));
        assert_eq!(resumed("2026-05-06T10:00:00Z"), cut_off, "a pause of no time");
        assert_eq!(resumed("2026-05-06T10:00:07Z"), at("2026-05-07T20:00:07Z"));
        assert_eq!(resumed("2026-05-06T13:30:00Z"), at("2026-05-07T23:30:00Z"));
        // A cut-off that had passed when the clock stopped is not in the past when it goes on.
        let late = schedule.resumed(cut_off, at("2026-05-07T20:10:00Z"), at("2026-05-07T20:11:00Z"));
        assert_eq!(late, at("2026-05-07T20:11:00Z"));
    }
}
