//! A TOML file read key by key, so that everything wrong with it is said at once, each thing with its line.
//!
//! Comes in: the text of a file, and the keys that somebody asks for. Goes out: their values; and for what cannot be read,
//! for what is missing and for keys nobody asked for, a sentence that says what to write instead.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::desk::settings::written::{Address, Length, TimeOfDay, Weekdays, Zone, steers};
use crate::rules::names;

/// A TOML file that is being read.
pub(crate) struct TomlFile<'t> {
    name: &'t str,
    text: &'t str,
    faults: Vec<Fault>,
    strangers: Vec<Stranger>,
}

/// Something wrong in a file: `config/cursus.toml:12: …`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct Fault {
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What was read and what to write instead.
    pub message: String,
}

/// Everything that is wrong in a file, by lines. It is the trouble of whoever wrote it; trying again does not help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", listed(.0))]
pub struct Faults(pub Vec<Fault>);

fn listed(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The line at a place of a text.
fn line_at(text: &str, place: usize) -> &str {
    let before = text.get(..place).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    text[start..].lines().next().unwrap_or_default().trim()
}

/// What to write where a line is no TOML, by the mistakes that people make; else what the reader says of it.
fn no_toml(line: &str, says: &str) -> String {
    let (key, value) = line.split_once('=').map_or((line, ""), |(key, value)| (key.trim(), value.trim()));
    if line.contains(['“', '”', '„', '«', '»', '‘', '’']) {
        "these quotes are of a word processor; write straight ones, \"…\"".to_owned()
    } else if line.contains('\\') && (says.contains("escape") || says.contains("unicode")) {
        "a \\ within quotes is read as the beginning of a sign; write / in its place".to_owned()
    } else if says.contains("duplicate key") && line.starts_with('[') {
        format!("{line} is written twice; put what stands below it below the first")
    } else if says.contains("duplicate key") {
        format!("`{key}` is written twice; keep one of them")
    } else if says.contains("must be quoted") || (says.contains("expected `inf`") && is_word(value)) {
        // `info` begins like a number that has no end.

        format!("a text needs quotes; write {key} = \"{value}\"")
    } else if !line.contains('=') && !line.starts_with('[') && line.contains(':') {
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        format!("there is no `=`; write {} = \"{}\"", key.trim(), value.trim().trim_matches(['"', '\'']))
    } else {
        format!("{line:?} cannot be read: {}", says.replace('\n', " "))
    }
}

fn is_word(value: &str) -> bool {
    value.starts_with(char::is_alphabetic) && !value.contains(['"', '\''])
}

/// A table of a file, emptied as its keys are asked for.
pub(crate) struct TomlTable<'t> {
    name: String,
    place: ByteRange,
    entries: BTreeMap<String, Spanned<DeValue<'t>>>,
    keys: BTreeMap<String, ByteRange>,
    known: Vec<String>,
}

/// A key nobody asked for. It is judged at the end, when all keys of the file's head are known.
struct Stranger {
    key: String,
    place: ByteRange,
    table: String,
    known: Vec<String>,
}

/// The place of something in a file, in bytes.
pub(crate) type ByteRange = Range<usize>;

impl<'t> TomlFile<'t> {
    /// Opens a file.
    ///
    /// # Errors
    /// It is no TOML.
    pub(crate) fn open(name: &'t str, text: &'t str) -> Result<(TomlFile<'t>, TomlTable<'t>), Faults> {
        let mut file = TomlFile { name, text, faults: Vec::new(), strangers: Vec::new() };
        match DeTable::parse(text) {
            Ok(table) => Ok((file, TomlTable::of("", 0..0, table.into_inner()))),
            Err(error) => {
                let place = error.span().unwrap_or(0..0);
                file.fault(place.clone(), no_toml(line_at(text, place.start), error.message()));
                Err(Faults(file.faults))
            }
        }
    }

    /// Notes what is wrong at a place.
    pub(crate) fn fault(&mut self, place: ByteRange, message: impl Into<String>) {
        let before = self.text.as_bytes().get(..place.start).unwrap_or_default();
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        self.faults.push(Fault { file: self.name.to_owned(), line, message: message.into() });
    }

    /// The value, if nothing was wrong with the file. `head` is the table that was opened first.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub(crate) fn close<T>(mut self, head: TomlTable<'t>, value: Option<T>) -> Result<T, Faults> {
        let head_keys = head.known.clone();
        head.close(&mut self);
        for stranger in std::mem::take(&mut self.strangers) {
            let message = stranger.message(&head_keys);
            self.fault(stranger.place, message);
        }
        self.faults.sort();
        self.faults.dedup();
        match value {
            Some(value) if self.faults.is_empty() => Ok(value),
            Some(_) | None => Err(Faults(self.faults)),
        }
    }
}

impl Stranger {
    fn message(&self, head: &[String]) -> String {
        let Stranger { key, table, known, .. } = self;
        let table = if table.is_empty() { String::new() } else { format!(" of {table}") };
        let near = names::nearest(key, known.iter().map(String::as_str));
        match near {
            Some(near) => format!("`{key}` is no setting{table}; did you mean `{near}`?"),
            None if head.contains(key) => {
                format!("`{key}` is no setting{table}, but of the whole file; write it above the first [table]")
            }
            None => {
                let known: Vec<_> = known.iter().map(|key| format!("`{key}`")).collect();
                format!("`{key}` is no setting{table}; {}", there_are(known.iter().map(String::as_str)))
            }
        }
    }
}

/// `there are a, b and c`.
pub(in crate::desk) fn there_are<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<_> = names.into_iter().map(str::to_owned).collect();
    match names.len() {
        0 => "there are none".to_owned(),
        1 => format!("there is only {}", series(&names, "and")),
        _ => format!("there are {}", series(&names, "and")),
    }
}

/// `a, b and c`.
pub(in crate::desk) fn series(names: &[String], last: &str) -> String {
    match names.split_last() {
        Some((name, [])) => name.clone(),
        Some((name, before)) => format!("{} {last} {name}", before.join(", ")),
        None => String::new(),
    }
}

impl<'t> TomlTable<'t> {
    fn of(name: &str, place: ByteRange, table: DeTable<'t>) -> TomlTable<'t> {
        let (mut entries, mut keys) = (BTreeMap::new(), BTreeMap::new());
        for (key, value) in table {
            let place = key.span();
            let key = key.into_inner().into_owned();
            keys.insert(key.clone(), place);
            entries.insert(key, value);
        }
        TomlTable { name: name.to_owned(), place, entries, keys, known: Vec::new() }
    }

    /// The place of a key; of the table, where the key is missing.
    pub(crate) fn place(&self, key: &str) -> ByteRange {
        self.keys.get(key).unwrap_or(&self.place).clone()
    }

    /// Whether a key is written here.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.keys.contains_key(key)
    }

    /// Whether a key is written here as a table.
    pub(crate) fn has_table(&self, key: &str) -> bool {
        self.entries.get(key).is_some_and(|value| value.get_ref().is_table())
    }

    /// The keys that nobody has asked for yet, in the sequence of the file.
    pub(crate) fn left(&self) -> Vec<String> {
        let mut keys: Vec<_> = self.entries.keys().cloned().collect();
        keys.sort_by_key(|key| self.place(key).start);
        keys
    }

    /// The value of a key that may be missing.
    pub(crate) fn take<T: Written>(&mut self, file: &mut TomlFile, key: &str) -> Option<T> {
        let value = self.raw(key)?;
        match T::read(value.get_ref()) {
            Ok(value) => Some(value),
            Err(Wrong::Unfit) => {
                file.fault(value.span(), format!("`{key}` is {}; write {}", shown(value.get_ref()), T::wanted()));
                None
            }
            Err(Wrong::Because(reason)) => {
                file.fault(value.span(), format!("`{key}`: {reason}"));
                None
            }
        }
    }

    /// The value of a key, or what it is by default.
    pub(crate) fn take_or<T: Written>(&mut self, file: &mut TomlFile, key: &str, default: T) -> T {
        self.take(file, key).unwrap_or(default)
    }

    /// The value of a key that must be there.
    pub(crate) fn require<T: Written>(&mut self, file: &mut TomlFile, key: &str) -> Option<T> {
        if !self.has(key) {
            self.missing(file, key, &T::wanted());
        }
        self.take(file, key)
    }

    /// Notes that a key is missing, and what to write for it.
    pub(crate) fn missing(&self, file: &mut TomlFile, key: &str, wanted: &str) {
        let table = if self.name.is_empty() { String::new() } else { format!(" in {}", self.name) };
        file.fault(self.place.clone(), format!("`{key}` is missing{table}; write {wanted}"));
    }

    /// Notes that a key must not be here, and passes over its value without looking at it.
    pub(crate) fn refuse(&mut self, file: &mut TomlFile, key: &str, reason: &str) {
        if self.entries.remove(key).is_some() {
            file.fault(self.place(key), format!("`{key}` {reason}"));
        }
    }

    /// A table within this one.
    pub(crate) fn table(&mut self, file: &mut TomlFile, key: &str) -> Option<TomlTable<'t>> {
        let value = self.raw(key)?;
        let place = value.span();
        match value.into_inner() {
            DeValue::Table(table) => Some(TomlTable::of(&format!("[{}]", self.path(key)), place, table)),
            other => {
                let path = self.path(key);
                let inline = if path.contains('.') {
                    format!("{key} = {{ … }} with keys of its own, or ")
                } else {
                    String::new()
                };
                file.fault(place, format!("`{key}` is {}; write {inline}a table [{path}]", shown(&other)));
                None
            }
        }
    }

    /// The tables of a list, `[[seats]]`.
    pub(crate) fn tables(&mut self, file: &mut TomlFile, key: &str) -> Vec<TomlTable<'t>> {
        let Some(value) = self.raw(key) else { return Vec::new() };
        let place = value.span();
        let name = format!("[[{key}]]");
        let mut tables = Vec::new();
        let values = match value.into_inner() {
            DeValue::Array(values) => values.into_iter().collect(),
            other => vec![Spanned::new(place, other)],
        };
        for value in values {
            let place = value.span();
            match value.into_inner() {
                DeValue::Table(table) => tables.push(TomlTable::of(&name, place, table)),
                other => file.fault(place, format!("`{key}` has {}; write a table {name} for each", shown(&other))),
            }
        }
        tables
    }

    /// A table of choices that have a default each, in a shape that serde knows. A wrong one does not hide the others.
    pub(crate) fn chosen<T>(mut self, file: &mut TomlFile) -> T
    where
        T: Default + serde::Serialize + serde::de::DeserializeOwned,
    {
        let mut chosen = match serde_json::to_value(T::default()) {
            Ok(serde_json::Value::Object(chosen)) => chosen,
            Ok(_) | Err(_) => serde_json::Map::new(),
        };
        let alone = |key: &str, choice: &str| {
            let alone = serde_json::Map::from_iter([(key.to_owned(), choice.into())]);
            serde_json::from_value::<T>(alone.into()).map(|_| ()).map_err(|error| error.to_string())
        };
        for key in chosen.keys().cloned().collect::<Vec<_>>() {
            let Some(value) = self.raw(&key) else { continue };
            match value.get_ref() {
                DeValue::String(choice) if alone(&key, choice).is_ok() => {
                    chosen.insert(key, choice.as_ref().into());
                }
                wrong => {
                    // Serde knows the choices only when it meets none of them.
                    let reason = alone(&key, "").err().unwrap_or_default();
                    let wanted = reason.split_once("expected ").map_or("another", |(_, wanted)| wanted);
                    let wanted = wanted.trim_start_matches("one of ").replace('`', "\"");
                    file.fault(value.span(), format!("`{key}` is {}; write {wanted}", shown(wrong)));
                }
            }
        }
        self.close(file);
        serde_json::from_value(chosen.into()).unwrap_or_default()
    }

    /// Ends the table: what is left was asked for by nobody.
    pub(crate) fn close(mut self, file: &mut TomlFile) {
        for key in std::mem::take(&mut self.entries).into_keys() {
            let (place, table, known) = (self.place(&key), self.name.clone(), self.known.clone());
            file.strangers.push(Stranger { key, place, table, known });
        }
    }

    fn raw(&mut self, key: &str) -> Option<Spanned<DeValue<'t>>> {
        self.know(key);
        self.entries.remove(key)
    }

    fn know(&mut self, key: &str) {
        if !self.known.iter().any(|known| known == key) {
            self.known.push(key.to_owned());
        }
    }

    fn path(&self, key: &str) -> String {
        match self.name.trim_matches(['[', ']']) {
            "" => key.to_owned(),
            name => format!("{name}.{key}"),
        }
    }
}

/// A value as it stands in the file.
fn shown(value: &DeValue) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(yes) => yes.to_string(),
        DeValue::Datetime(date) => date.to_string(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

fn integer(number: &toml::de::DeInteger) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// Something that can be written as the value of a key.
pub(crate) trait Written: Sized {
    /// What to write: `a text in quotes`.
    fn wanted() -> String;

    /// The value.
    ///
    /// # Errors
    /// It cannot be read.
    fn read(value: &DeValue) -> Result<Self, Wrong>;
}

/// Why a value cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It is something else than what is wanted.
    Unfit,
    /// It is wrong in itself: a finished sentence.
    Because(String),
}

impl Written for String {
    fn wanted() -> String {
        "a text in quotes".to_owned()
    }

    fn read(value: &DeValue) -> Result<String, Wrong> {
        match value {
            DeValue::String(text) if text.trim().is_empty() => Err(Wrong::Unfit),
            DeValue::String(text) if text.trim().contains(steers) => Err(Wrong::Because(format!(
                "{:?} has signs that nobody can see; write it in one line, without them",
                text.trim()
            ))),
            DeValue::String(text) => Ok(text.trim().to_owned()),
            _ => Err(Wrong::Unfit),
        }
    }
}

impl Written for bool {
    fn wanted() -> String {
        "true or false, without quotes".to_owned()
    }

    fn read(value: &DeValue) -> Result<bool, Wrong> {
        match value {
            DeValue::Boolean(yes) => Ok(*yes),
            _ => Err(Wrong::Unfit),
        }
    }
}

impl<T: Written> Written for Vec<T> {
    fn wanted() -> String {
        format!("a list, [ ], each entry {}", T::wanted())
    }

    fn read(value: &DeValue) -> Result<Vec<T>, Wrong> {
        match value {
            DeValue::Array(values) => values.iter().map(|value| T::read(value.get_ref())).collect(),
            _ => Err(Wrong::Unfit),
        }
    }
}

impl Written for Weekdays {
    fn wanted() -> String {
        "a list of days such as [\"mon\", \"thu\"]".to_owned()
    }

    fn read(value: &DeValue) -> Result<Weekdays, Wrong> {
        // One day alone needs no list.
        let days: Vec<String> = match value {
            DeValue::String(day) => vec![day.trim().to_owned()],
            _ => Vec::read(value)?,
        };
        Weekdays::try_from(days).map_err(Wrong::Because)
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Written for $number {
            fn wanted() -> String {
                format!("a whole number from {} to {}", <$number>::MIN, <$number>::MAX)
            }

            fn read(value: &DeValue) -> Result<$number, Wrong> {
                match value {
                    DeValue::Integer(number) => {
                        integer(number).and_then(|number| number.try_into().ok()).ok_or(Wrong::Unfit)
                    }
                    _ => Err(Wrong::Unfit),
                }
            }
        }
    )*};
}

numbers!(u8, u16, u32);

/// Values that are written as a text.
macro_rules! texts {
    ($($value:ty: $wanted:expr;)*) => {$(
        impl Written for $value {
            fn wanted() -> String {
                $wanted.to_owned()
            }

            fn read(value: &DeValue) -> Result<$value, Wrong> {
                match value {
                    DeValue::String(text) => text.trim().parse().map_err(Wrong::Because),
                    _ => Err(Wrong::Unfit),
                }
            }
        }
    )*};
}

texts! {
    Length: "a length of time such as \"2days 12h\"";
    Zone: "a time zone such as \"Europe/Warsaw\"";
    TimeOfDay: "a time of day such as \"20:00\"";
    Address: "an address such as \"anna@example.org\"";
}

/// Values that have names.
macro_rules! choices {
    ($choice:ty { $($name:expr => $value:expr),+ $(,)? }) => {
        impl $crate::desk::settings::toml_file::Written for $choice {
            fn wanted() -> String {
                $crate::desk::settings::toml_file::either(&[$($name),+])
            }

            fn read(value: &toml::de::DeValue) -> Result<$choice, $crate::desk::settings::toml_file::Wrong> {
                match value {
                    $(toml::de::DeValue::String(text) if text.as_ref() == $name => Ok($value),)+
                    _ => Err($crate::desk::settings::toml_file::Wrong::Unfit),
                }
            }
        }
    };
}

pub(in crate::desk) use choices;

/// `"a", "b" or "c"`.
pub(crate) fn either(names: &[&str]) -> String {
    series(&names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>(), "or")
}
