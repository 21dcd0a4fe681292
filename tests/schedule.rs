//! Cut-offs over a whole year, in zones whose clocks change in every way.

use chrono::{DateTime, Datelike, Days, MappedLocalTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use cursus::desk::clock::absence::Absence;
use cursus::desk::clock::schedule::{Absences, Mailing, Schedule};
use cursus::desk::settings::written::{Length, TimeOfDay, Weekdays, Zone};
use proptest::prelude::*;

const ZONES: [Tz; 5] =
    [Tz::Europe__Warsaw, Tz::America__New_York, Tz::Asia__Kolkata, Tz::Australia__Lord_Howe, Tz::UTC];

proptest! {
    #[test]
    fn a_cut_off_is_the_first_regular_one_that_leaves_its_length(
        schedule in schedules(), opened in times(), mailing in proptest::sample::select(&Mailing::ALL[..]),
    ) {
        let cut_off = schedule.cut_off(opened, mailing);
        let earliest = opened + schedule.length(mailing).delta();
        prop_assert!(is_regular(&schedule, cut_off));
        prop_assert!(earliest <= cut_off && cut_off < earliest + TimeDelta::days(8));
        // None of the days between would have done.
        let first = earliest.with_timezone(&schedule.zone.0).date_naive() - Days::new(1);
        for day in first.iter_days().take(10).filter(|day| schedule.weekdays.contains(day.weekday())) {
            if let MappedLocalTime::Single(time) = schedule.zone.0.from_local_datetime(&day.and_time(schedule.time.0)) {
                prop_assert!(time < earliest || cut_off <= time, "{time} is earlier than {cut_off}");
            }
        }
    }

    #[test]
    fn who_opens_later_closes_no_earlier(schedule in schedules(), opened in times(), later in 0..5_000_000i64) {
        for mailing in Mailing::ALL {
            let later = opened + TimeDelta::seconds(later);
            prop_assert!(schedule.cut_off(opened, mailing) <= schedule.cut_off(later, mailing));
        }
    }

    #[test]
    fn reminders_come_between_opening_and_cut_off_each_once(schedule in schedules(), opened in times()) {
        for mailing in Mailing::ALL {
            let cut_off = schedule.cut_off(opened, mailing);
            let reminders = schedule.reminders(opened, cut_off);
            prop_assert!(reminders.iter().all(|time| opened < *time && *time < cut_off));
            prop_assert!(reminders.is_sorted_by(|one, next| one < next));
        }
    }

    #[test]
    fn an_outage_moves_a_cut_off_by_its_length_and_little_more(
        schedule in schedules(), opened in times(), before in 0..1_000_000i64, after in 1..1_000_000i64,
    ) {
        let cut_off = schedule.cut_off(opened, Mailing::Trade);
        let (from, to) = (cut_off - TimeDelta::seconds(before), cut_off + TimeDelta::seconds(after));
        let moved = schedule.moved(cut_off, (from, to)).expect("it fell into the outage");
        let earliest = cut_off + (to - from);
        prop_assert!(to <= moved && earliest <= moved && moved < earliest + TimeDelta::days(8));
        let is_short = to - from <= TimeDelta::hours(3);
        prop_assert!(is_regular(&schedule, moved) || is_short && moved < earliest + TimeDelta::minutes(15));
        prop_assert_eq!(schedule.moved(cut_off, (to, to + TimeDelta::days(1))).is_some(), to <= schedule.last_moment(cut_off));
    }

    #[test]
    fn an_extension_gives_what_it_says_on_an_allowed_day(schedule in schedules(), opened in times(), hours in 1..200u16) {
        let cut_off = schedule.cut_off(opened, Mailing::Trade);
        let extended = schedule.extended(cut_off, hours);
        // A day on the calendar may have only 23 hours.
        let least = cut_off + TimeDelta::hours(i64::from(hours) - 1);
        prop_assert!(least <= extended && extended < least + TimeDelta::days(8));
        prop_assert!(cut_off < extended);
        let local = extended.with_timezone(&schedule.zone.0);
        prop_assert!(schedule.weekdays.contains(local.weekday()));
        if hours % 24 == 0 && is_at_its_time(&schedule, cut_off) {
            prop_assert!(is_regular(&schedule, extended));
        }
    }

    #[test]
    fn behind_absences_nobody_is_away_and_nobody_waits_longer_than_agreed(
        schedule in schedules(),
        opened in times(),
        absences in proptest::collection::vec((0..40i64, proptest::option::of(1..60i64)), 0..6),
    ) {
        let schedule = Schedule { absences: Absences::Wait, ..schedule };
        let most = schedule.longest_absence.delta();
        let absences: Vec<_> = absences.into_iter().map(|(from, days)| {
            let from = opened + TimeDelta::days(from);
            Absence { from, until: days.map(|days| from + TimeDelta::days(days)) }
        }).collect();
        let cut_off = schedule.cut_off(opened, Mailing::Trade);
        let behind = schedule.behind_all(cut_off, &absences);
        prop_assert!(cut_off <= behind && is_regular(&schedule, behind));
        for absence in &absences {
            prop_assert!(!absence.covers(behind) || absence.from + most <= behind);
        }
        if absences.iter().all(|absence| !absence.covers(cut_off)) {
            prop_assert_eq!(cut_off, behind);
        }
    }

    #[test]
    fn a_schedule_is_kept_and_read_again(schedule in schedules()) {
        let kept = serde_json::to_string(&schedule).expect("it is kept");
        prop_assert_eq!(serde_json::from_str::<Schedule>(&kept).expect("it is read"), schedule);
    }
}

/// Every hour of a year in every zone, at hours of the day that exist, are skipped and come twice.
#[test]
fn every_hour_of_a_year_has_a_regular_cut_off() {
    for zone in ZONES {
        for time in ["20:00", "00:00", "01:30", "02:15", "23:45"] {
            let time = time.parse().expect("a time of day");
            let schedule = Schedule { zone: Zone(zone), time, ..Schedule::default() };
            let begin: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().expect("a time");
            let mut last = begin;
            for hour in 0..365 * 24 {
                let opened = begin + TimeDelta::hours(hour);
                let cut_off = schedule.cut_off(opened, Mailing::Trade);
                let left = cut_off - opened;
                assert!(is_regular(&schedule, cut_off), "{cut_off} in {zone}");
                // A day of 25 hours and a time that comes twice.
                assert!(left >= TimeDelta::days(3) && left <= TimeDelta::hours(4 * 24 + 1), "{cut_off} in {zone}");
                assert!(last <= cut_off, "{cut_off} in {zone}");
                last = cut_off;
            }
        }
    }
}

/// An allowed weekday, at the time of day or behind the gap that swallowed it.
fn is_regular(schedule: &Schedule, cut_off: DateTime<Utc>) -> bool {
    let local = cut_off.with_timezone(&schedule.zone.0);
    let written = local.date_naive().and_time(schedule.time.0);
    let is_skipped = matches!(schedule.zone.0.from_local_datetime(&written), MappedLocalTime::None);
    schedule.weekdays.contains(local.weekday())
        && (is_at_its_time(schedule, cut_off) || is_skipped && local.time() > schedule.time.0)
}

fn is_at_its_time(schedule: &Schedule, cut_off: DateTime<Utc>) -> bool {
    cut_off.with_timezone(&schedule.zone.0).time() == schedule.time.0
}

/// Any second of three years.
fn times() -> impl Strategy<Value = DateTime<Utc>> {
    let begin = DateTime::parse_from_rfc3339("2025-12-01T00:00:00Z").expect("a time").to_utc();
    (0..3 * 366 * 24 * 60 * 60i64).prop_map(move |second| begin + TimeDelta::seconds(second))
}

fn schedules() -> impl Strategy<Value = Schedule> {
    let lengths = || (0..20 * 24 * 60u64).prop_map(Length::minutes);
    let weekdays = (1..128u8).prop_map(|days| {
        let week = [1, 2, 3, 4, 5, 6, 7].map(|day| chrono::Weekday::try_from(day - 1).expect("a day"));
        let chosen = week.into_iter().enumerate().filter(|(day, _)| days & (1 << day) != 0);
        Weekdays::of(chosen.map(|(_, day)| day)).expect("one at least")
    });
    // The small hours are when clocks change.
    let times = prop_oneof![0..24 * 60u32, 60..4 * 60u32].prop_map(|minute| {
        let time = format!("{}:{:02}", minute / 60, minute % 60);
        time.parse::<TimeOfDay>().expect("a time of day")
    });
    let zones = proptest::sample::select(&ZONES[..]).prop_map(Zone);
    let reminders = proptest::collection::vec(lengths(), 0..5);
    (lengths(), lengths(), lengths(), weekdays, times, zones, reminders).prop_map(
        |(movement, trade, longest_absence, weekdays, time, zone, reminders)| Schedule {
            movement,
            trade,
            longest_absence,
            weekdays,
            time,
            zone,
            reminders,
            ..Schedule::default()
        },
    )
}
