//! A point in time as its reader's own clock shows it.

use chrono::{DateTime, Datelike, Offset, Timelike, Utc};
use chrono_tz::OffsetName;

use crate::desk::settings::written::Zone;
use crate::report::letters::Moment;

/// This time in the reader's zone. The zone is called by its letters where people have some, else by its distance.
pub(crate) fn moment(time: DateTime<Utc>, zone: Zone) -> Moment {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_as_the_readers_clock_shows_it() {
        let shown = |zone: &str, time: &str| {
            let time = time.parse().expect("a time");
            let Moment { year, month, day, weekday, hour, minute, zone } = moment(time, zone.parse().expect("a zone"));
            format!("{year}-{month}-{day} ({weekday}) {hour}:{minute} {zone}")
        };
        assert_eq!(shown("Europe/Warsaw", "2026-12-31T23:05:00Z"), "2027-1-1 (5) 0:5 CET");
        assert_eq!(shown("Europe/Warsaw", "2026-07-05T22:00:00Z"), "2026-7-6 (1) 0:0 CEST");
        assert_eq!(shown("America/New_York", "2026-07-05T22:00:00Z"), "2026-7-5 (7) 18:0 EDT");
        assert_eq!(shown("Asia/Kolkata", "2026-07-05T22:00:00Z"), "2026-7-6 (1) 3:30 IST");
        assert_eq!(shown("UTC", "2026-07-05T22:00:00Z"), "2026-7-5 (7) 22:0 UTC");
        assert_eq!(shown("Asia/Kathmandu", "2026-07-05T22:00:00Z"), "2026-7-6 (1) 3:45 UTC+5:45");
        assert_eq!(shown("Australia/Lord_Howe", "2026-07-05T22:00:00Z"), "2026-7-6 (1) 8:30 UTC+10:30");
        assert_eq!(shown("America/Sao_Paulo", "2026-07-05T22:00:00Z"), "2026-7-5 (7) 19:0 UTC-3");
    }
}
