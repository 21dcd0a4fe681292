//! What we print about the language is read by the language: every example of the help, every phrase of every reason.

use cursus::game::Event;
use cursus::orders::words::{VERBS, Word};
use cursus::orders::{Lexicon, Line, Reading, read};
use cursus::report::{Templates, reason};
use cursus::rules::{Language, PrintedGame};

fn printed() -> PrintedGame {
    PrintedGame::built_in().expect("the built-in edition is sound")
}

#[test]
fn every_example_of_the_help_is_read_as_what_it_explains() {
    let printed = printed();
    let lexicon = Lexicon::new(&printed);
    for language in Language::ALL {
        let templates = Templates::built_in(language, &printed);
        for (word, verb) in &templates.help.verbs {
            assert!(!verb.examples.is_empty(), "{word:?} has no example");
            for example in &verb.examples {
                let letter = read(example, &lexicon);
                for piece in letter.iter().flat_map(|line| &line.pieces) {
                    let is_read = matches!(piece.reading, Reading::Written(_)) || *word == Word::Try;
                    assert!(is_read, "{word:?} in {}: `{example}` is {:?}", language.code(), piece.reading);
                    assert!(piece.read_as.is_empty(), "`{example}` is misspelt");
                }
                assert!(says(&letter, *word, example), "`{example}` does not explain {word:?}");
            }
        }
    }
}

/// Whether a line shows what a verb does: it begins with it, or holds it, as `Famine: victims …` or a short form do.
fn says(letter: &[Line], word: Word, example: &str) -> bool {
    let begun = letter.iter().flat_map(|line| &line.pieces).filter_map(|piece| piece.verb).collect::<Vec<_>>();
    let (english, polish) = word.spellings();
    let folded = cursus::orders::lexemes::fold(example);
    let holds = |spelling: &&str| {
        let spelling = cursus::orders::lexemes::fold(spelling);
        format!(" {folded} ").contains(&format!(" {spelling} "))
    };
    begun.contains(&word)
        || english.iter().chain(polish).any(holds)
        || word == Word::Move && begun.is_empty()
        || word == Word::BuildNot && begun.contains(&Word::Build)
        || word == Word::Discard && begun.contains(&Word::Decline)
        || word == Word::Line && example.trim().parse::<u16>().is_ok()
}

#[test]
fn every_verb_is_explained_in_every_language() {
    let printed = printed();
    for language in Language::ALL {
        let help = Templates::built_in(language, &printed).help;
        for (word, _, _) in VERBS {
            assert!(help.verb(*word).is_some(), "{word:?} in {}", language.code());
        }
    }
}

#[test]
fn every_reason_has_its_words_in_every_language() {
    let printed = printed();
    let texts = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/events.jsonl"));
    let texts = texts.expect("the golden file holds every event");
    let mut reasons = 0;
    for line in texts.lines().filter(|line| !line.trim().is_empty()) {
        let Event::Refused { why, .. } = serde_json::from_str(line).expect("an event is read back") else { continue };
        for language in Language::ALL {
            let templates = Templates::built_in(language, &printed);
            let said = reason(&templates, &printed, &why);
            assert!(!said.is_empty() && !said.contains("[reason."), "{line} in {}: {said}", language.code());
        }
        reasons += 1;
    }
    assert!(reasons >= 70, "all reasons, not {reasons}");
}

#[test]
fn both_languages_have_the_same_phrases_and_rules() {
    let [english, polish] = Language::ALL.map(|language| {
        let folder = format!("{}/templates/{}", env!("CARGO_MANIFEST_DIR"), language.code());
        let read = |file: &str| std::fs::read_to_string(format!("{folder}/{file}")).expect("the file is there");
        let phrases: toml::Table = read("phrases.toml").parse().expect("phrases are TOML");
        let keys = phrases.into_iter().filter(|(table, _)| table != "count").flat_map(|(table, phrases)| {
            let phrases = phrases.as_table().expect("a table of phrases").clone();
            phrases.into_iter().map(move |(key, _)| format!("{table}.{key}"))
        });
        let rules = read("rules.md");
        let labels: Vec<_> = rules
            .lines()
            .filter_map(|line| line.split(' ').next())
            .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
            .map(str::to_owned)
            .collect();
        (keys.collect::<std::collections::BTreeSet<_>>(), labels)
    });
    assert_eq!(english.0, polish.0);
    assert_eq!(english.1, polish.1);
}
