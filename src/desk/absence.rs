//! Absences: from `away until 1 December` to the day that is meant.
//!
//! Comes in: the end of an absence as it was written, the time now and the player's zone. Goes out: when he is back, or why
//! that cannot be.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use super::schedule::instant;
use super::written::Zone;
use crate::orders::Until;

/// The time a player is away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absence {
    /// From when.
    pub from: DateTime<Utc>,
    /// Until when: the end of his last day, in his own zone. Without it, until he says that he is back.
    pub until: Option<DateTime<Utc>>,
}

/// Why an absence cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAbsence {
    /// The calendar has no such day.
    NoSuchDay,
    /// The day is over.
    Past {
        /// The day.
        day: NaiveDate,
    },
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
    pub fn written(until: Option<Until>, now: DateTime<Utc>, zone: Zone) -> Result<Absence, NoAbsence> {
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

    /// Whether he is away then.
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
