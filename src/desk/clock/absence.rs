//! Absences: from `away until 1 December` to the day that is meant.
//!
//! Comes in: the end of an absence as it was written, the time now and the player's zone. Goes out: when the player is
//! back, or why that cannot be.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use crate::desk::clock::schedule::instant;
use crate::desk::settings::written::Zone;
use crate::orders::Until;

/// The time a player is away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absence {
    pub from: DateTime<Utc>,
    /// Until when: the end of the player's last day, in their own zone. Without it, until the player says that the
    /// player is back.
    pub until: Option<DateTime<Utc>>,
}

/// Why an absence cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoAbsence {
    /// The calendar has no such day.
    NoSuchDay,
    /// The day is over.
    Past { day: NaiveDate },
    /// The day is more than a year away.
    TooFar,
}

/// The most days an absence may last: a year.
const MOST_DAYS: u64 = 366;

impl Absence {
    /// The absence that somebody wrote now. The last day counts; a day of the week is never today.
    ///
    /// # Errors
    /// The day does not exist, is over, or is too far.
    pub(crate) fn written(until: Option<Until>, now: DateTime<Utc>, zone: Zone) -> Result<Absence, NoAbsence> {
        let today = now.with_timezone(&zone.0).date_naive();
        let Some(until) = until else {
            return Ok(Absence { from: now, until: None });
        };
        let last = last_day(until, today)?;
        if last < today {
            return Err(NoAbsence::Past { day: last });
        }
        if last > today + Days::new(MOST_DAYS) {
            return Err(NoAbsence::TooFar);
        }
        let end = instant(zone.0, (last + Days::new(1)).and_time(NaiveTime::MIN));
        Ok(Absence { from: now, until: Some(end) })
    }

    /// Whether the player is away then.
    pub fn covers(&self, time: DateTime<Utc>) -> bool {
        self.from <= time && self.until.is_none_or(|until| time < until)
    }
}

fn last_day(until: Until, today: NaiveDate) -> Result<NaiveDate, NoAbsence> {
    let date = |year: i32, month: u8, day: u8| NaiveDate::from_ymd_opt(year, u32::from(month), u32::from(day));
    match until {
        Until::Date { day, month, year: Some(year) } => date(i32::from(year), month, day).ok_or(NoAbsence::NoSuchDay),
        Until::Date { day, month, year: None } => {
            // The 29th of February may be eight years away.
            let mut days = (0..=8).filter_map(|years| date(today.year() + years, month, day));
            days.find(|day| *day >= today).ok_or(NoAbsence::NoSuchDay)
        }
        Until::Weekday(weekday) => {
            let mut days = (1..=7).map(|days| today + Days::new(days));
            let is_meant = |day: &NaiveDate| day.weekday().number_from_monday() == u32::from(weekday);
            days.find(is_meant).ok_or(NoAbsence::NoSuchDay)
        }
        Until::Days(days) => today.checked_add_days(Days::new(u64::from(days))).ok_or(NoAbsence::TooFar),
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::*;

    /// The end of an absence that is written in Warsaw on Wednesday, 18 November 2026, at half past midnight.
    fn end(until: Until) -> Result<String, NoAbsence> {
        let now = "2026-11-17T23:30:00Z".parse().expect("a time");
        let absence = Absence::written(Some(until), now, Zone(Tz::Europe__Warsaw))?;
        Ok(absence.until.expect("it ends").format("%Y-%m-%dT%H:%MZ").to_string())
    }

    fn date(day: u8, month: u8, year: Option<u16>) -> Until {
        Until::Date { day, month, year }
    }

    #[test]
    fn the_last_day_counts_in_the_players_own_zone() {
        assert_eq!(end(date(1, 12, None)).as_deref(), Ok("2026-12-01T23:00Z"));
        assert_eq!(end(date(1, 7, Some(2027))).as_deref(), Ok("2027-07-01T22:00Z"));
        assert_eq!(end(Until::Days(0)).as_deref(), Ok("2026-11-18T23:00Z"));
        assert_eq!(end(Until::Days(3)).as_deref(), Ok("2026-11-21T23:00Z"));
    }

    #[test]
    fn a_date_without_a_year_is_the_next_such_day() {
        assert_eq!(end(date(18, 11, None)).as_deref(), Ok("2026-11-18T23:00Z"));
        assert_eq!(end(date(17, 11, None)).as_deref(), Ok("2027-11-17T23:00Z"));
        assert_eq!(end(date(29, 2, None)), Err(NoAbsence::TooFar));
    }

    #[test]
    fn a_day_of_the_week_is_the_next_one() {
        assert_eq!(end(Until::Weekday(4)).as_deref(), Ok("2026-11-19T23:00Z"));
        assert_eq!(end(Until::Weekday(3)).as_deref(), Ok("2026-11-25T23:00Z"));
        assert_eq!(end(Until::Weekday(9)), Err(NoAbsence::NoSuchDay));
    }

    #[test]
    fn a_day_that_is_over_too_far_or_none_is_refused() {
        let past = NaiveDate::from_ymd_opt(2026, 11, 17).expect("a day");
        assert_eq!(end(date(17, 11, Some(2026))), Err(NoAbsence::Past { day: past }));
        assert_eq!(end(date(1, 12, Some(2027))), Err(NoAbsence::TooFar));
        assert_eq!(end(Until::Days(367)), Err(NoAbsence::TooFar));
        assert_eq!(end(Until::Days(u16::MAX)), Err(NoAbsence::TooFar));
        assert_eq!(end(date(31, 4, None)), Err(NoAbsence::NoSuchDay));
        assert_eq!(end(date(31, 4, Some(2027))), Err(NoAbsence::NoSuchDay));
        assert_eq!(end(date(0, 0, None)), Err(NoAbsence::NoSuchDay));
    }

    #[test]
    fn without_an_end_it_lasts_until_he_is_back() {
        let now = "2026-11-17T23:30:00Z".parse().expect("a time");
        let absence = Absence::written(None, now, Zone::default()).expect("it may be");
        assert_eq!(absence, Absence { from: now, until: None });
        assert!(absence.covers(now + Days::new(1000)));
        assert!(!absence.covers(now - Days::new(1)));
    }
}
