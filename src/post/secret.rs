//! A secret of ours: where it is, and that nobody sees it.

use std::env;
use std::fmt;
use std::fs;
use std::path::Path;

use super::carrier::Trouble;

/// A password or a key. It can be used, but not shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    /// Reads it from where the settings say it is: `NAME_file` or `NAME_env`.
    pub(super) fn read(name: &str, file: Option<&Path>, variable: Option<&str>) -> Result<Self, Trouble> {
        let text = match (file, variable) {
            (Some(file), None) => fs::read_to_string(file).map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => {
                    format!("the {name} cannot be read from {}: there is no such file", file.display())
                }
                kind => format!("the {name} cannot be read from {}: {kind}", file.display()),
            }),
            (None, Some(variable)) => env::var(variable)
                .map_err(|_| format!("the environment has no {variable}, which is to hold the {name}")),
            (None, None) | (Some(_), Some(_)) => Err(format!("the settings need either {name}_file or {name}_env")),
        };
        let text = text.map_err(Trouble::Lasting)?;
        let secret = text.trim_end_matches(['\r', '\n']);
        if secret.is_empty() || secret.contains(char::is_control) {
            return Err(Trouble::Lasting(format!("the {name} is empty or has several lines")));
        }
        Ok(Self(secret.to_owned()))
    }

    /// A token of the moment.
    pub(super) fn token(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// What nobody else may see.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}
