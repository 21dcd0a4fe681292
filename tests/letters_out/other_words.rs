//! A third language, built out of a copy of the English one in which every letter of the templates is another: whatever is
//! still English in a letter stands in the code, where no translator finds it.

use std::collections::BTreeSet;

use cursus::game::Phase;
use cursus::orders::words::{INNER, PARTS, VERBS};
use cursus::report::{Names, TemplateFiles, Templates};
use cursus::rules::{Language, PrintedGame};

use super::samples::Samples;

#[test]
fn no_english_is_left_in_a_language_of_other_words() {
    let printed = PrintedGame::built_in().unwrap();
    let mut files = TemplateFiles::built_in(Language::English);
    let mut allowed = names_and_orders(&printed);
    let phrases: toml::Table = files.phrases.parse().unwrap();
    files.phrases = toml::to_string(&changed(toml::Value::Table(phrases), &mut allowed)).unwrap();
    for (name, text) in &mut files.letters {
        if name.ends_with(".txt") {
            *text = other(text, &mut allowed);
        }
    }
    // Answers may quote the rules for players, which a translator finds in a page of their own.
    let quoted: BTreeSet<String> = words(&files.rules).collect();
    let templates = Templates::read(Language::English, &files, &printed).unwrap();
    let mut left = BTreeSet::new();
    for (name, page) in Samples::play().letters_in(&templates) {
        let text = format!("{}\n{}", page.subject, page.text);
        assert!(text.contains(|c: char| ('а'..='я').contains(&c)), "{name} has none of the templates' words");
        // A seed is told in hex.
        let is_hex =
            |word: &&str| word.len() >= 32 && word.trim_end_matches('.').chars().all(|c| c.is_ascii_hexdigit());
        let text: Vec<&str> = text.split_whitespace().filter(|word| !is_hex(word)).collect();
        for word in
            without_code(&text.join(" ")).split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 2)
        {
            let is_quoted = name.starts_with("answer") && quoted.contains(&word.to_lowercase());
            if !is_quoted && !allowed.contains(&word.to_lowercase()) {
                left.insert(format!("{name}: {word}"));
            }
        }
    }
    assert!(left.is_empty(), "words of letters that stand in no template:\n{}", Vec::from_iter(left).join("\n"));
}

/// Every text of a table in other words.
fn changed(value: toml::Value, allowed: &mut BTreeSet<String>) -> toml::Value {
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
fn other(text: &str, allowed: &mut BTreeSet<String>) -> String {
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
            let first = rest.chars().next().unwrap();
            said.push(match first {
                'a'..='z' => char::from_u32(u32::from('а') + (u32::from(first) - u32::from('a'))).unwrap(),
                'A'..='Z' => char::from_u32(u32::from('А') + (u32::from(first) - u32::from('A'))).unwrap(),
                same => same,
            });
            rest = &rest[first.len_utf8()..];
        }
    }
    said
}

/// What players may write, what the printed game is called, and what the samples themselves hand in.
fn names_and_orders(printed: &PrintedGame) -> BTreeSet<String> {
    let mut allowed = BTreeSet::new();
    let rows = VERBS.iter().chain(INNER).flat_map(|(_, english, _)| english.iter());
    for spelling in rows.chain(PARTS.iter().flat_map(|(_, spellings)| spellings.iter())) {
        allowed.extend(words(spelling));
    }
    let rules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("config/rules");
    for file in std::fs::read_dir(rules).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let printed =
            text.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split('"').skip(1).step_by(2));
        allowed.extend(printed.flat_map(words));
    }
    let names = Names::new(printed, Language::English);
    allowed.extend(Phase::ALL.into_iter().flat_map(|phase| words(names.phase(phase)).collect::<Vec<_>>()));
    let samples = include_str!("samples.rs");
    allowed.extend(samples.split('"').skip(1).step_by(2).flat_map(words));
    allowed
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// A text without what is to be written as it stands there.
fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}
