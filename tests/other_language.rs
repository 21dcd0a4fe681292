//! A third language, built out of a copy of the English one in which every letter of the templates is another: whatever is
//! still English in what we say stands in the code, where no translator finds it.

use std::collections::BTreeSet;

use cursus::game::Phase;
use cursus::orders::words::{INNER, PARTS, SMALL, VERBS};
use cursus::report::{Names, TemplateFiles};
use cursus::rules::{Language, PrintedGame};

/// The templates of the language, and the words that may be English in it: what players write and what is printed.
pub fn files(printed: &PrintedGame) -> (TemplateFiles, BTreeSet<String>) {
    let mut files = TemplateFiles::built_in(Language::English);
    let mut allowed = names_and_orders(printed);
    for table in [&mut files.phrases, &mut files.club, &mut files.page] {
        let read: toml::Table = table.parse().expect("it is sound");
        *table = toml::to_string(&changed(toml::Value::Table(read), &mut allowed)).expect("it is sound");
    }
    for (name, text) in &mut files.letters {
        if name.ends_with(".txt") {
            *text = other(text, &mut allowed);
        }
    }
    (files, allowed)
}

/// The words of a text that are none of the language.
pub fn left(text: &str, allowed: &BTreeSet<String>) -> BTreeSet<String> {
    // A seed is told in hex; an address and a link are nobody's words.
    let is_hex = |word: &str| word.len() >= 32 && word.trim_end_matches('.').chars().all(|c| c.is_ascii_hexdigit());
    let is_word = |word: &&str| !is_hex(word) && !word.contains('@') && !word.contains("://");
    let text: Vec<&str> = text.split_whitespace().filter(is_word).collect();
    let said = without_code(&text.join(" "));
    let said = said.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 2);
    said.filter(|word| !allowed.contains(&word.to_lowercase())).map(str::to_owned).collect()
}

/// Whether anything of a text is in the language.
pub fn is_said(text: &str) -> bool {
    text.contains(|c: char| ('а'..='я').contains(&c))
}

/// What somebody sees and hears of a page: its text and its labels.
pub fn visible(html: &str) -> String {
    let mut said = String::new();
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        said += &before.replace("&#x27;", "'").replace("&amp;", "&");
        said.push(' ');
        let name: String = after.chars().take_while(char::is_ascii_alphabetic).collect();
        let (tag, after) = after.split_once('>').unwrap_or((after, ""));
        for label in ["alt=\"", "title=\"", "aria-label=\"", "placeholder=\""] {
            let found = tag.split_once(label).and_then(|(_, rest)| rest.split_once('"'));
            said.extend(found.map(|(label, _)| format!("{label} ")));
        }
        let is_closed = ["script", "style", "svg"].contains(&name.as_str()) && !tag.ends_with('/');
        rest = if is_closed { after.split_once(&format!("</{name}>")).map_or("", |(_, rest)| rest) } else { after };
    }
    said + rest
}

/// The words of what a page of tests hands in.
pub fn handed_in(page: &str) -> impl Iterator<Item = String> {
    page.split('"').skip(1).step_by(2).flat_map(words)
}

/// Every text of a table in other words.
pub fn changed(value: toml::Value, allowed: &mut BTreeSet<String>) -> toml::Value {
    match value {
        toml::Value::String(text) => toml::Value::String(other(&text, allowed)),
        toml::Value::Array(all) => all.into_iter().map(|value| changed(value, allowed)).collect::<Vec<_>>().into(),
        toml::Value::Table(all) => {
            toml::Value::Table(all.into_iter().map(|(key, value)| (key, changed(value, allowed))).collect())
        }
        plain => plain,
    }
}

/// A template in other words: Cyrillic letters in the place of Latin ones. What is between braces is the template's own, and
/// what is between backticks is to be written by players; the words that stand there are allowed.
pub fn other(text: &str, allowed: &mut BTreeSet<String>) -> String {
    let mut said = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let kept = [("{{", "}}"), ("{%", "%}"), ("{#", "#}"), ("`", "`"), ("[R", "]")]
            .into_iter()
            .filter(|(open, _)| rest.starts_with(open))
            .find_map(|(open, close)| Some(open.len() + rest[open.len()..].find(close)? + close.len()));
        if let Some(end) = kept {
            said += &rest[..end];
            allowed.extend(words(&rest[..end]));
            rest = &rest[end..];
        } else {
            let first = rest.chars().next().expect("it is sound");
            said.push(match first {
                'a'..='z' => char::from_u32(u32::from('а') + (u32::from(first) - u32::from('a'))).expect("it is sound"),
                'A'..='Z' => char::from_u32(u32::from('А') + (u32::from(first) - u32::from('A'))).expect("it is sound"),
                same => same,
            });
            rest = &rest[first.len_utf8()..];
        }
    }
    said
}

/// What players may write, and what the printed game is called.
pub fn names_and_orders(printed: &PrintedGame) -> BTreeSet<String> {
    let mut allowed = BTreeSet::new();
    let rows = VERBS.iter().chain(INNER).flat_map(|(_, english, _)| english.iter());
    for spelling in rows.chain(PARTS.iter().flat_map(|(_, spellings)| spellings.iter())) {
        allowed.extend(words(spelling));
    }
    allowed.extend(SMALL.iter().flat_map(|(_, english, _)| words(english)));
    let rules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("config/rules");
    for file in std::fs::read_dir(rules).expect("it is sound") {
        let text = std::fs::read_to_string(file.expect("it is sound").path()).expect("it is sound");
        let printed =
            text.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split('"').skip(1).step_by(2));
        allowed.extend(printed.flat_map(words));
    }
    let names = Names::new(printed, Language::English);
    allowed.extend(Phase::ALL.into_iter().flat_map(|phase| words(names.phase(phase)).collect::<Vec<_>>()));
    allowed
}

pub fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// A text without what is to be written as it stands there.
pub fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}
