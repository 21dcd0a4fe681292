//! The words of a demo: those of the letters, with the demo's own laid beside them.

use anyhow::Context;
use minijinja::Value;

use crate::report::{Names, TemplateFiles, Templates};
use crate::rules::{Language, PrintedGame};

/// The width of the page and of its first column.
pub(crate) const WIDTH: usize = 100;
pub(crate) const COLUMN: usize = 11;

/// The words of a language, and the names of an edition in it.
pub(crate) struct Words<'a> {
    pub names: Names<'a>,
    /// The words of the letters and the demo's.
    pub templates: Templates,
}

impl<'a> Words<'a> {
    /// Lays the demo's words beside those of the letters.
    pub(crate) fn new(printed: &'a PrintedGame, language: Language) -> anyhow::Result<Words<'a>> {
        let own = match language {
            Language::English => include_str!("../../../templates/en/demo.toml"),
            Language::Polish => include_str!("../../../templates/pl/demo.toml"),
        };
        let mut files = TemplateFiles::built_in(language);
        let mut phrases: toml::Table = files.phrases.parse().context("phrases.toml is read")?;
        for (name, table) in own.parse::<toml::Table>().context("demo.toml is read")? {
            match (phrases.get_mut(&name).and_then(toml::Value::as_table_mut), table) {
                (Some(known), toml::Value::Table(more)) => known.extend(more),
                (_, table) => {
                    phrases.insert(name, table);
                }
            }
        }
        files.phrases = toml::to_string(&phrases).context("the words are laid together")?;
        let templates = Templates::read(language, &files, printed)?;
        Ok(Words { names: Names::new(printed, language), templates })
    }

    /// A phrase of the commentary.
    pub(crate) fn say(&self, key: &str, facts: Value) -> String {
        self.templates.say("demo", key, facts)
    }

    /// A phrase of the pages.
    pub(crate) fn page(&self, key: &str, facts: Value) -> String {
        self.templates.say("page", key, facts)
    }

    /// A word that needs no facts, of any table.
    pub(crate) fn word(&self, table: &str, key: &str) -> String {
        self.templates.say(table, key, Value::from(()))
    }
}

/// A line under its heading.
pub(crate) fn entry(heading: &str, text: &str) -> String {
    wrapped(text, &format!("{heading:COLUMN$}"), &" ".repeat(COLUMN))
}

/// Breaks a text into lines of the page's width.
pub(crate) fn wrapped(text: &str, first: &str, further: &str) -> String {
    let mut lines = vec![first.to_owned()];
    let mut fresh = true;
    for word in text.split_whitespace() {
        let width = lines.last().map_or(0, |line| line.chars().count());
        if !fresh && width + 1 + word.chars().count() > WIDTH {
            lines.push(further.to_owned());
            fresh = true;
        }
        if let Some(line) = lines.last_mut() {
            *line += if fresh { "" } else { " " };
            *line += word;
        }
        fresh = false;
    }
    lines.join("\n") + "\n"
}

/// Breaks the long lines of a letter; what is indented stays so.
pub(crate) fn folded(text: &str) -> String {
    let line = |line: &str| {
        if line.chars().count() <= WIDTH {
            return format!("{}\n", line.trim_end());
        }
        let indent: String = line.chars().take_while(|letter| *letter == ' ').collect();
        let further = if line.trim_start().starts_with("- ") { format!("{indent}  ") } else { indent.clone() };
        wrapped(line, &indent, &further)
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_broken_under_its_column() {
        let text = entry("Growth", &"word ".repeat(30));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("Growth     word word") && lines[0].chars().count() <= WIDTH);
        assert!(lines[1].starts_with("           word"));
    }

    #[test]
    fn a_letter_keeps_its_shape() {
        let text = format!("Short  and  spaced\n- {}\n", "item ".repeat(30));
        let folded = folded(&text);
        let lines: Vec<_> = folded.lines().collect();
        assert_eq!(lines[0], "Short  and  spaced");
        assert!(lines[1].starts_with("- item") && lines[2].starts_with("  item"));
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH));
    }

    #[test]
    fn both_languages_have_the_same_words() {
        let keys = |text: &str| -> Vec<String> {
            let table: toml::Table = text.parse().expect("demo.toml is TOML");
            let tables = table.into_iter().filter(|(name, _)| name != "count");
            tables
                .flat_map(|(name, words)| {
                    let words = words.as_table().expect("a table of phrases").clone();
                    words.into_iter().map(move |(key, _)| format!("{name}.{key}"))
                })
                .collect()
        };
        let english = keys(include_str!("../../../templates/en/demo.toml"));
        assert_eq!(english, keys(include_str!("../../../templates/pl/demo.toml")));
    }
}
