//! The words of the order page: `page.toml`. Scripts fill in what stands between braces.

use std::collections::BTreeMap;

use crate::rules::Language;

/// The words of the page, in tables that its script can ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words(BTreeMap<String, BTreeMap<String, String>>);

impl Words {
    /// Reads the tables; what a user's own file leaves out is said in the built-in words.
    pub(crate) fn read(language: Language, text: &str) -> Result<Words, String> {
        let built_in = match language {
            Language::English => include_str!("../../../templates/en/page.toml"),
            Language::Polish => include_str!("../../../templates/pl/page.toml"),
        };
        let tables = |text: &str| toml::from_str::<BTreeMap<String, BTreeMap<String, String>>>(text);
        let mut words = tables(built_in).map_err(|e| e.to_string())?;
        for (table, own) in tables(text).map_err(|e| e.to_string())? {
            words.entry(table).or_default().extend(own);
        }
        Ok(Words(words))
    }

    /// A word of a table; its key where there is none.
    pub fn say(&self, table: &str, key: &str) -> String {
        self.find(table, key).unwrap_or_else(|| format!("[{table}.{key}]"))
    }

    /// A word of a table, if there is one.
    pub(crate) fn find(&self, table: &str, key: &str) -> Option<String> {
        self.0.get(table).and_then(|words| words.get(key)).cloned()
    }

    /// A table of words, for a script that looks them up.
    pub fn table(&self, table: &str) -> &BTreeMap<String, String> {
        static NONE: BTreeMap<String, String> = BTreeMap::new();
        self.0.get(table).unwrap_or(&NONE)
    }

    /// The keys of all tables, as `table.key`.
    pub fn keys(&self) -> impl Iterator<Item = String> {
        self.0.iter().flat_map(|(table, words)| words.keys().map(move |key| format!("{table}.{key}")))
    }
}
