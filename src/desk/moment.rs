//! A point in time as its reader's own clock shows it.

use chrono::{DateTime, Datelike, Offset, Timelike, Utc};
use chrono_tz::OffsetName;

use super::written::Zone;
use crate::report::letters::Moment;

/// This time in the reader's zone. The zone is called by its letters where people have some, else by its distance.
pub fn moment(time: DateTime<Utc>, zone: Zone) -> Moment {
    let local = time.with_timezone(&zone.0);
    let letters = local.offset().abbreviation().filter(|letters| letters.chars().all(|c| c.is_ascii_alphabetic()));
    let zone = letters.map_or_else(|| distance(local.offset().fix().local_minus_utc()), str::to_owned);
    // All of these are at most 59.
    let small = |number: u32| u8::try_from(number).unwrap_or_default();
    Moment {
        year: local.year(),
        month: small(local.month()),
        day: small(local.day()),
        weekday: small(local.weekday().number_from_monday()),
        hour: small(local.hour()),
        minute: small(local.minute()),
        zone,
    }
}

/// `UTC+5:30`.
fn distance(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    match (minutes / 60, minutes % 60) {
        (0, 0) => "UTC".to_owned(),
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
    }
}
