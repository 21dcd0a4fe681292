//! Values as people write them in a file: lengths of time, zones, times of day, weekdays, addresses.
//!
//! Comes in: a string. Goes out: the value, or a sentence that says what is wrong with it and what to write instead.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use chrono::{NaiveTime, TimeDelta, Weekday, WeekdaySet};
use chrono_tz::{TZ_VARIANTS, Tz};
use serde::{Deserialize, Serialize};

/// A length of time, written `2days 12h`; at most a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Length(Duration);

impl Length {
    /// The longest: a year.
    pub(crate) const LONGEST: Length = Length::hours(366 * 24);

    pub(crate) const fn hours(hours: u64) -> Length {
        Length(Duration::from_secs(hours * 60 * 60))
    }

    /// A length of so many minutes.
    pub const fn minutes(minutes: u64) -> Length {
        Length(Duration::from_secs(minutes * 60))
    }

    pub(crate) const fn seconds(seconds: u64) -> Length {
        Length(Duration::from_secs(seconds))
    }

    /// The same, to be added to a time. Fractions of a second are left out.
    pub fn delta(self) -> TimeDelta {
        let seconds = i64::try_from(self.0.as_secs()).unwrap_or(i64::MAX);
        TimeDelta::try_seconds(seconds).unwrap_or(TimeDelta::MAX)
    }
}

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Length, String> {
        let length = humantime::parse_duration(text).map(Length);
        let length = length.map_err(|_| format!("{text:?} is no length of time; write it like \"2days 12h\""))?;
        if length > Length::LONGEST {
            return Err(format!("{text:?} is too long; a year is the most"));
        }
        Ok(length)
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_duration(self.0).fmt(f)
    }
}

/// A time zone by its IANA name, `Europe/Warsaw`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Zone(pub Tz);

impl Default for Zone {
    fn default() -> Zone {
        Zone(Tz::UTC)
    }
}

impl FromStr for Zone {
    type Err = String;

    fn from_str(text: &str) -> Result<Zone, String> {
        let mut zones = TZ_VARIANTS.iter();
        let zone = zones.find(|zone| zone.name().eq_ignore_ascii_case(text)).map(|zone| Zone(*zone));
        zone.ok_or_else(|| match near(text) {
            Some(zone) => format!("{text:?} is no time zone; did you mean {zone:?}?"),
            None => format!("{text:?} is no time zone; write it like \"Europe/Warsaw\" or \"UTC\""),
        })
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// The zone that is spelt nearly so, or whose city alone was written.
fn near(text: &str) -> Option<&'static str> {
    let known = TZ_VARIANTS.iter().map(|zone| zone.name());
    let written = text.trim().replace(' ', "_").to_lowercase();
    let is_city = |zone: &&str| zone.rsplit('/').next().is_some_and(|city| city.eq_ignore_ascii_case(&written));
    // What is much longer is no zone, and comparing it is dear.
    let longest = known.clone().map(str::len).max().unwrap_or(0) + 2;
    if written.len() > longest {
        return None;
    }
    let slips = |zone: &str| strsim::osa_distance(&written, &zone.to_lowercase());
    let nearest = || known.clone().map(|zone| (slips(zone), zone)).min().filter(|(slips, _)| *slips <= 2);
    known.clone().find(is_city).or_else(|| nearest().map(|(_, zone)| zone))
}

/// A time of day, written `20:00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeOfDay(pub NaiveTime);

impl TimeOfDay {
    /// Eight in the evening, when people have time for games.
    pub(crate) const EVENING: TimeOfDay = match NaiveTime::from_hms_opt(20, 0, 0) {
        Some(time) => TimeOfDay(time),
        None => TimeOfDay(NaiveTime::MIN),
    };
}

impl FromStr for TimeOfDay {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeOfDay, String> {
        let time = NaiveTime::parse_from_str(text, "%H:%M").map(TimeOfDay);
        time.map_err(|_| format!("{text:?} is no time of day; write it like \"20:00\""))
    }
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%H:%M"))
    }
}

/// Days of the week, written `["mon", "thu"]`; never none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Weekdays(WeekdaySet);

impl Weekdays {
    pub(crate) const ALL: Weekdays = Weekdays(WeekdaySet::ALL);

    /// These; none if there is not one.
    pub fn of(days: impl IntoIterator<Item = Weekday>) -> Option<Weekdays> {
        let days: WeekdaySet = days.into_iter().collect();
        (!days.is_empty()).then_some(Weekdays(days))
    }

    /// Whether this day is among them.
    pub fn contains(self, day: Weekday) -> bool {
        self.0.contains(day)
    }

    /// They, beginning with Monday.
    pub fn iter(self) -> impl Iterator<Item = Weekday> {
        self.0.iter(Weekday::Mon)
    }
}

/// A day of the week, written `mon` or `Monday`.
pub(crate) fn weekday(text: &str) -> Result<Weekday, String> {
    let wrong = || {
        format!("{text:?} is no day of the week; write \"mon\", \"tue\", \"wed\", \"thu\", \"fri\", \"sat\" or \"sun\"")
    };
    text.parse().map_err(|_| wrong())
}

impl TryFrom<Vec<String>> for Weekdays {
    type Error = String;

    fn try_from(days: Vec<String>) -> Result<Weekdays, String> {
        let days = days.iter().map(|day| weekday(day)).collect::<Result<Vec<_>, _>>()?;
        Weekdays::of(days).ok_or_else(|| "no day of the week is left; write at least one".to_owned())
    }
}

impl From<Weekdays> for Vec<String> {
    fn from(days: Weekdays) -> Vec<String> {
        days.iter().map(|day| day.to_string().to_lowercase()).collect()
    }
}

/// Whether a sign steers what shows it: a terminal, or the direction of a line. None belongs into a name.
pub(crate) fn steers(sign: char) -> bool {
    sign.is_control() || matches!(sign, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// An address of the post. It does not show itself in a log.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Address(String);

impl Address {
    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is the same address. Capitals do not matter, before the `@` either: no server in use tells
    /// mailboxes apart by them.
    pub(crate) fn is(&self, other: &str) -> bool {
        self.0.to_lowercase() == other.trim().to_lowercase()
    }

    /// Whether it is one of the sample files: nobody has it.
    pub(crate) fn is_sample(&self) -> bool {
        let host = self.0.rsplit_once('@').map_or("", |(_, host)| host).to_ascii_lowercase();
        ["example.org", "example.com", "example.net"].contains(&host.as_str())
    }
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Address, String> {
        let wrong = || format!("{text:?} is no address; write it like \"anna@example.org\"");
        let (mailbox, host) = text.rsplit_once('@').ok_or_else(wrong)?;
        let is_mailbox = |c: char| c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c);
        let is_host = |label: &str| {
            let is_letter = |c: char| c.is_alphanumeric() || c == '-';
            !label.is_empty() && !label.starts_with('-') && !label.ends_with('-') && label.chars().all(is_letter)
        };
        let fits = !mailbox.is_empty()
            && mailbox.split('.').all(|atom| !atom.is_empty())
            && mailbox.chars().all(is_mailbox)
            && host.split('.').all(is_host)
            && text.len() <= 254;
        if fits { Ok(Address(text.to_owned())) } else { Err(wrong()) }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Address(…)")
    }
}

/// Serde reads these from strings and writes them as strings.
macro_rules! as_string {
    ($($value:ty),*) => {$(
        impl TryFrom<String> for $value {
            type Error = String;

            fn try_from(text: String) -> Result<$value, String> {
                text.parse()
            }
        }

        impl From<$value> for String {
            fn from(value: $value) -> String {
                value.to_string()
            }
        }
    )*};
}

as_string!(Length, Zone, TimeOfDay, Address);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_as_people_write_them() {
        assert_eq!("2days 12h".parse(), Ok(Length::hours(60)));
        assert_eq!("24h".parse(), Ok(Length::hours(24)));
        assert_eq!("30m".parse::<Length>().map(|length| length.to_string()), Ok("30m".to_owned()));
        for wrong in ["", "5", "-1h", "two days", "367days"] {
            assert!(wrong.parse::<Length>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_zone_is_found_by_its_name_and_suggested_for_its_city() {
        assert_eq!("europe/warsaw".parse(), Ok(Zone(Tz::Europe__Warsaw)));
        let suggested = |text: &str| text.parse::<Zone>().expect_err("it is none");
        assert_eq!(suggested("Warsaw"), "\"Warsaw\" is no time zone; did you mean \"Europe/Warsaw\"?");
        assert_eq!(suggested("new york"), "\"new york\" is no time zone; did you mean \"America/New_York\"?");
        assert_eq!(suggested("Europe/Berln"), "\"Europe/Berln\" is no time zone; did you mean \"Europe/Berlin\"?");
        assert_eq!(suggested("Atlantis"), "\"Atlantis\" is no time zone; write it like \"Europe/Warsaw\" or \"UTC\"",);
    }

    #[test]
    fn times_of_day_have_hours_and_minutes() {
        assert_eq!("20:00".parse(), Ok(TimeOfDay::EVENING));
        assert_eq!("7:05".parse::<TimeOfDay>().map(|time| time.to_string()), Ok("07:05".to_owned()));
        for wrong in ["20", "24:00", "20:00:00", "8pm"] {
            assert!(wrong.parse::<TimeOfDay>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn addresses_are_known_whatever_their_capitals() {
        let address: Address = "Anna.K+cursus@Example.org".parse().expect("an address");
        assert!(address.is("anna.k+cursus@example.ORG"));
        assert!(!address.is("anna.k@example.org"));
        assert_eq!(format!("{address:?}"), "Address(…)");
        assert!("cursus@localhost".parse::<Address>().is_ok());
        for wrong in
            ["", "anna", "@example.org", "anna@", "a b@c.de", "a@b@c", "a..b@c.de", "a@-b.de", "a@b.de\n", "<a@b.de>"]
        {
            assert!(wrong.parse::<Address>().is_err(), "{wrong}");
        }
    }
}
