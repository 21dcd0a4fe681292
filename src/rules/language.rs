//! The languages the game speaks.

use serde::{Deserialize, Serialize};

/// A language that players write and are answered in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum Language {
    /// English, the language of the printed names.
    #[default]
    #[serde(rename = "en")]
    English,
    #[serde(rename = "pl")]
    Polish,
}

impl Language {
    /// Every language that players may choose.
    pub const ALL: [Language; 2] = [Language::English, Language::Polish];

    /// Its two letters, as in a setting and in the name of a template folder.
    pub fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Polish => "pl",
        }
    }

    /// The language of these two letters.
    pub fn coded(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.code() == code)
    }
}
