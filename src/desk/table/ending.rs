//! The end that a group has agreed on: a turn that is the last, or a day after which no turn begins. R13.6.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeZone, Utc};
use serde::{Deserialize, Serialize};
use toml::de::DeValue;

use crate::desk::settings::toml_file::{Written, Wrong};
use crate::desk::settings::written::Zone;

/// When a game ends at the latest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Ending {
    Turn(u16),
    /// After the turn that is played when this day is over.
    Day(NaiveDate),
}

impl Ending {
    /// The moment from which no further turn begins, where a day says so.
    pub(crate) fn moment(self, zone: Zone) -> Option<DateTime<Utc>> {
        match self {
            Ending::Turn(_) => None,
            Ending::Day(day) => {
                let midnight = day.checked_add_days(Days::new(1))?.and_time(NaiveTime::MIN);
                // Where the clocks go forward at midnight, the day begins an hour later.
                let begins = zone.0.from_local_datetime(&midnight).earliest();
                Some(begins.map_or_else(|| Utc.from_utc_datetime(&midnight), |begins| begins.with_timezone(&Utc)))
            }
        }
    }
}

impl FromStr for Ending {
    type Err = String;

    fn from_str(text: &str) -> Result<Ending, String> {
        let turn = text.parse().ok().filter(|turn| *turn > 0).map(Ending::Turn);
        let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().map(Ending::Day);
        turn.or_else(day).ok_or_else(|| {
            format!("{text:?} is neither a turn nor a day; write it like ends_after = 18 or ends_after = 2027-06-30")
        })
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Turn(turn) => turn.fmt(f),
            Ending::Day(day) => day.format("%Y-%m-%d").fmt(f),
        }
    }
}

impl TryFrom<String> for Ending {
    type Error = String;

    fn try_from(text: String) -> Result<Ending, String> {
        text.parse()
    }
}

impl From<Ending> for String {
    fn from(ending: Ending) -> String {
        ending.to_string()
    }
}

impl Written for Ending {
    fn wanted() -> String {
        "a number of turns such as 18, or a day such as 2027-06-30".to_owned()
    }

    /// The day may stand in quotes or not.
    fn read(value: &DeValue) -> Result<Ending, Wrong> {
        let text = match value {
            DeValue::Integer(number) => number.as_str().to_owned(),
            DeValue::Datetime(day) => day.to_string(),
            DeValue::String(text) => text.trim().to_owned(),
            DeValue::Float(_) | DeValue::Boolean(_) | DeValue::Array(_) | DeValue::Table(_) => {
                return Err(Wrong::Unfit);
            }
        };
        text.parse().map_err(|_| Wrong::Unfit)
    }
}
