//! `[club]`: whether strangers are answered, and where people sign up.

use super::toml_file::{TomlFile, TomlTable};
use super::{CarrierSettings, Settings, at_least};
use crate::post::Form;

/// The house as a club.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClubSettings {
    /// Whether somebody we do not know is answered at all, once a server of ours has proved who it is.
    pub open: bool,
    /// So many letters of strangers are answered in a day, of all of them together.
    pub answers_a_day: u32,
    /// The thread of a forum where people sign up: its carrier and its number there.
    pub thread: Option<(String, String)>,
}

impl Default for ClubSettings {
    fn default() -> ClubSettings {
        ClubSettings { open: false, answers_a_day: 50, thread: None }
    }
}

impl Settings {
    /// Whether the house is open, and strangers who write by mail are not answered all the same: no server proves them.
    pub fn is_deaf(&self) -> bool {
        let mails = self.carriers.iter().filter(|carrier| carrier.form() == Form::Mail);
        self.club.open && mails.clone().all(|carrier| carrier.authserv_id.is_none())
    }
}

/// Reads the table. The thread is one of a forum of the settings: the first of them where none is named.
pub(super) fn club(file: &mut TomlFile, mut table: TomlTable, carriers: &[CarrierSettings]) -> ClubSettings {
    let usual = ClubSettings::default();
    let forums = || carriers.iter().filter(|carrier| carrier.form() == Form::Post && !carrier.own_name().is_empty());
    let named: Option<String> = table.take(file, "forum");
    let forum = match &named {
        Some(name) => forums().find(|carrier| carrier.name == *name),
        None => forums().next(),
    };
    let number: Option<u32> = table.take(file, "thread");
    if forum.is_none() && (named.is_some() || number.is_some()) {
        let key = if named.is_some() { "forum" } else { "thread" };
        let message = "people sign up in a thread of a forum with an interface, and the settings have no such one; write a \
                       table such as [carriers.forum] with kind = \"discourse\"";
        file.fault(table.place(key), message);
    }
    if named.is_some() && number.is_none() {
        table.missing(file, "thread", "the number of the thread, which stands in its address");
    }
    let club = ClubSettings {
        open: table.take_or(file, "open", usual.open),
        answers_a_day: at_least(file, &mut table, "answers_a_day", 1).unwrap_or(usual.answers_a_day),
        thread: forum.zip(number).map(|(forum, number)| (forum.name.clone(), number.to_string())),
    };
    table.close(file);
    club
}
