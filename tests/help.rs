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

/// What is said to people of the club: the same phrases in both languages, and every line that they are told to write is read.
#[test]
fn every_line_of_the_club_is_read_in_both_languages() {
    let phrases = |language: Language| -> toml::Table {
        let path = format!("{}/templates/{}/club.toml", env!("CARGO_MANIFEST_DIR"), language.code());
        std::fs::read_to_string(path).expect("the file is there").parse().expect("phrases are TOML")
    };
    let keys = |language| phrases(language).keys().cloned().collect::<std::collections::BTreeSet<_>>();
    assert_eq!(keys(Language::English), keys(Language::Polish));
    let lexicon = Lexicon::new(&printed());
    for language in Language::ALL {
        let mut count = 0;
        for (key, text) in phrases(language) {
            let text = text.as_str().expect("a phrase").to_owned();
            // An order stands between backticks, or in a line of its own behind two spaces.
            let spans = text.split('`').skip(1).step_by(2).map(str::to_owned);
            let lines = text.lines().filter_map(|line| line.strip_prefix("  ")).map(str::to_owned);
            for span in spans.chain(lines) {
                let order = filled(&span);
                // A template's own quotation marks, and what somebody wrote.
                if span.contains('~') && !span.contains("~ game if game }}") || span.contains("unknown") {
                    continue;
                }
                // The names of games stand so as well, and a bare yes.
                if ["winter", "3", "Egypt", "ok", "no", "nie"].contains(&order.as_str()) {
                    continue;
                }
                let is_club = cursus::desk::club::words::read(&order).is_some();
                let at_the_door = cursus::desk::club::words::read(&order.replacen(' ', " winter ", 1)).is_some();
                let bare = cursus::desk::club::words::read(&format!("{order} winter")).is_some();
                let is_command = cursus::desk::table::commanded(&order, &lexicon);
                let is_read = is_club || is_command || key == "host_help" && (at_the_door || bare);
                assert!(is_read, "{key} in {}: `{order}`", language.code());
                count += 1;
            }
        }
        assert!(count > 25, "{count} lines in {}", language.code());
    }
}

/// Answers to a question that we ask; and names of the moderator's commands, where a sentence speaks of them.
const NOT_BY_THEMSELVES: [&str; 20] = [
    "ok",
    // In reply to what asks for a vote.
    "yes",
    "tak",
    "no",
    "nie",
    "no thanks",
    "nie, dziękuję",
    "replace",
    "zmień",
    "release",
    "przywróć",
    "rollback",
    "edit",
    "popraw",
    "cofnij",
    // With the number of an offer.
    "withdraw",
    "wycofaj",
    "cursus doctor",
    "cursus sign-in",
    // A setting of Discourse.
    "post_edit_time_limit",
];

/// Whatever a letter tells its reader to write is read: an order, a question, a message or a command of the moderator.
#[test]
fn every_line_of_the_phrases_is_read_in_both_languages() {
    let lexicon = Lexicon::new(&printed());
    for language in Language::ALL {
        let path = format!("{}/templates/{}/phrases.toml", env!("CARGO_MANIFEST_DIR"), language.code());
        let tables: toml::Table =
            std::fs::read_to_string(path).expect("the file is there").parse().expect("phrases are TOML");
        let (process, phase) = match language {
            Language::English => ("process", "4.movement"),
            Language::Polish => ("rozstrzygnij", "4.ruch"),
        };
        let (mut count, mut unread) = (0, Vec::new());
        // What was expected in a place of an order is a part of one.
        for (table, phrases) in tables.into_iter().filter(|(table, _)| table != "expected") {
            for (key, text) in phrases.as_table().expect("a table of phrases") {
                for span in text.as_str().unwrap_or_default().split('`').skip(1).step_by(2) {
                    let order = written(&span.replace("{{ phase }}", phase));
                    // A whole line that is filled in was made of an order, or is what somebody wrote.
                    if order.contains("{{") || order.is_empty() || NOT_BY_THEMSELVES.contains(&order.as_str()) {
                        continue;
                    }
                    // What may stand behind a command is tried there.
                    let tail = ["for ", "dla "].iter().any(|tail| order.starts_with(tail));
                    let order = if tail { format!("{process} {order}") } else { order };
                    let is_command = cursus::desk::table::commanded(&order, &lexicon);
                    let letter = read(&order, &lexicon);
                    let pieces: Vec<_> = letter.iter().flat_map(|line| &line.pieces).collect();
                    let is_read =
                        !pieces.is_empty() && pieces.iter().all(|piece| matches!(piece.reading, Reading::Written(_)));
                    unread.extend((!is_command && !is_read).then(|| format!("{table}.{key}: `{order}`")));
                    count += 1;
                }
            }
        }
        assert!(unread.is_empty(), "not read in {}:\n{}", language.code(), unread.join("\n"));
        assert!(count > 80, "{count} lines in {}", language.code());
    }
}

/// A line of a phrase as somebody would send it.
fn written(span: &str) -> String {
    let mut said = span.trim().to_owned();
    let facts = [("number", "3"), ("civ", "Egypt"), ("first", "4b"), ("address", "anna@example.org")];
    let is_whole = said.starts_with("{{") && said.ends_with("}}") && said.matches("{{").count() == 1;
    if !is_whole {
        for (fact, value) in facts.into_iter().chain([("line", "3")]) {
            said = said.replace(&format!("{{{{ {fact} }}}}"), value);
        }
    }
    for (word, value) in [
        ("ADDRESS", "anna@example.org"),
        ("ADRES", "anna@example.org"),
        ("PHASE", "4.movement"),
        ("FAZA", "4.ruch"),
        (": …", ": hello"),
        ("…", "Knossos"),
    ] {
        said = said.replace(word, value);
    }
    said
}

/// A phrase with what stands between braces filled in: the name of a game, a number, a civilization.
fn filled(text: &str) -> String {
    let mut said = text.replace("{{ ' ' ~ game if game }}", " winter");
    for (fact, value) in [("game", "winter"), ("number", "3"), ("civ", "Egypt")] {
        said = said.replace(&format!("{{{{ {fact} }}}}"), value);
    }
    for (word, value) in [("GAME", "winter"), ("GRA", "winter"), ("NUMBER", "3"), ("NUMER", "3")] {
        said = said.replace(word, value);
    }
    said.trim().to_owned()
}
