//! The rules for players, in sections and numbered lines.
//!
//! Comes in: `rules.md`. Goes out: the section or the rule that a player asks for.

/// The rules in a language.
#[derive(Debug, Clone)]
pub struct Rulebook {
    sections: Vec<Section>,
}

/// A section with its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    /// Its heading: `4B Token conflict`.
    pub title: String,
    /// Whether it stands inside the section before it.
    pub is_inner: bool,
    /// Its lines; most begin with the number of a rule.
    pub lines: Vec<String>,
}

impl Rulebook {
    pub(crate) fn read(text: &str) -> Result<Rulebook, String> {
        let mut sections: Vec<Section> = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let marks = line.len() - line.trim_start_matches('#').len();
            match (marks, sections.last_mut()) {
                (2 | 3, _) => {
                    let title = line[marks..].trim().to_owned();
                    sections.push(Section { title, is_inner: marks == 3, lines: Vec::new() });
                }
                (_, Some(section)) => section.lines.push(line.to_owned()),
                (_, None) => return Err(format!("a heading was expected before `{line}`")),
            }
        }
        Ok(Rulebook { sections })
    }

    /// All sections, those inside others too.
    pub(crate) fn sections(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter()
    }

    /// The headings of the outer sections.
    pub(crate) fn contents(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().filter(|section| !section.is_inner).map(|section| section.title.as_str())
    }

    /// The headings inside a section that have no number of their own: calamities, Advances.
    pub(crate) fn named_within(&self, number: &str) -> impl Iterator<Item = &str> {
        let is_meant = |section: &Section| !section.is_inner && section.title.split(' ').next() == Some(number);
        let from = self.sections.iter().position(is_meant).map_or(self.sections.len(), |at| at + 1);
        let inner = self.sections[from..].iter().take_while(|section| section.is_inner);
        let is_named = |section: &&Section| !section.title.starts_with(|c: char| c.is_ascii_digit());
        inner.filter(is_named).map(|section| section.title.as_str())
    }

    /// The section of this heading.
    pub(crate) fn titled(&self, title: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.title == title)
    }

    /// A section with those inside it, or one rule of a section, by its number without dots and in capitals.
    pub(crate) fn numbered(&self, number: &str) -> Vec<Section> {
        let is_meant = |section: &&Section| section.title.split(' ').next().is_some_and(|label| bare(label) == number);
        if let Some(at) = self.sections.iter().position(|section| is_meant(&section)) {
            let inner = self.sections[at + 1..].iter().take_while(|section| section.is_inner);
            let lettered =
                |section: &&Section| !self.sections[at].is_inner && starts_with_label(&section.title, number);
            return std::iter::once(&self.sections[at]).chain(inner.filter(lettered)).cloned().collect();
        }
        let is_rule = |line: &&String| {
            let label = line.split(' ').next().map(bare).unwrap_or_default();
            label == number || label.strip_prefix('R') == Some(number)
        };
        let found = self.sections.iter().find_map(|section| Some((section, section.lines.iter().find(is_rule)?)));
        let one = found.map(|(section, line)| Section { lines: vec![line.clone()], ..section.clone() });
        one.into_iter().collect()
    }
}

/// A number without dots and dashes, in capitals: `MC-7` is `MC7`.
fn bare(label: &str) -> String {
    label.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_uppercase()
}

fn starts_with_label(title: &str, number: &str) -> bool {
    let label = title.split(' ').next().unwrap_or_default();
    label.strip_prefix(number).is_some_and(|letter| letter.len() == 1)
}
