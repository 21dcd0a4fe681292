//! The keys of one kind of thing: each is unique, and every mention of one is looked up here.

use std::collections::BTreeMap;

use serde::Serialize;

use super::EditionFile;
use super::error::{EditionError, EditionPlace};

/// The keys of one kind of thing, each with what it stands for.
pub(super) struct Keys<T> {
    kind: &'static str,
    known: BTreeMap<String, T>,
}

impl<T: Copy> Keys<T> {
    /// The keys of a list in a file; two things may not have the same.
    pub(super) fn unique<'a>(
        file: &str,
        kind: &'static str,
        keys: impl Iterator<Item = (&'a str, T)>,
    ) -> Result<Keys<T>, EditionError> {
        let mut known = BTreeMap::new();
        for (key, value) in keys {
            if key.is_empty() {
                return Err(EditionPlace::of(file, kind, "").wrong("an id is empty", "a key"));
            }
            if known.insert(key.to_owned(), value).is_some() {
                return Err(EditionPlace::of(file, kind, key).wrong("the id stands twice", "an id of its own"));
            }
        }
        Ok(Keys { kind, known })
    }

    /// The keys of the values of an enum, as they are spelt in files.
    pub(super) fn of_enum(kind: &'static str, values: &[T]) -> Keys<T>
    where
        T: Serialize,
    {
        Keys { kind, known: values.iter().map(|value| (enum_key(value), *value)).collect() }
    }

    /// What a key stands for; `field` is where it is mentioned.
    pub(super) fn find(
        &self,
        place: impl FnOnce() -> EditionPlace,
        field: &'static str,
        key: &str,
    ) -> Result<T, EditionError> {
        match self.known.get(key) {
            Some(value) => Ok(*value),
            None => Err(place().unresolved(field, key, self.kind, self.iter())),
        }
    }

    /// All keys, in alphabetical order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }

    /// Whether the key is one of them.
    pub(super) fn has(&self, key: &str) -> bool {
        self.known.contains_key(key)
    }

    /// Checks that a file lists each of them once, and nothing else.
    pub(super) fn check_each_once<'a>(
        &self,
        file: &EditionFile,
        listed: impl Iterator<Item = &'a str>,
    ) -> Result<(), EditionError> {
        let listed = Keys::unique(&file.name, self.kind, listed.map(|key| (key, ())))?;
        for key in listed.iter() {
            self.find(|| file.place("", ""), "id", key)?;
        }
        match self.iter().find(|key| !listed.has(key)) {
            Some(key) => Err(file.place(self.kind, key).wrong("there is none", "each of the printed game once")),
            None => Ok(()),
        }
    }
}

/// How a value of an enum is spelt in files.
fn enum_key<T: Serialize>(value: &T) -> String {
    let key = serde_json::to_value(value).ok().and_then(|key| key.as_str().map(str::to_owned));
    key.expect("an enum without fields is written as a string")
}
