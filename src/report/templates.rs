//! The words of a language: phrases for every fact, and the templates of the letters.
//!
//! Comes in: the files of `templates/LANGUAGE`, built in or handed over. Goes out: sentences. Templates receive names,
//! numbers and finished lines, never a state or an event.

use std::collections::BTreeMap;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value};
use serde::Deserialize;
use thiserror::Error;

use super::help::Help;
use super::rulebook::Rulebook;
use crate::rules::polish::is_few;
use crate::rules::{Language, PrintedGame};

/// The texts of a language as they stand in its folder.
#[derive(Debug, Clone)]
pub struct TemplateFiles {
    /// `phrases.toml`: a sentence for every reason, expectation and warning.
    pub phrases: String,
    /// `help.toml`: the help of the order language.
    pub help: String,
    /// `rules.md`: the rules for players.
    pub rules: String,
    /// The letters, by the names of their files: see [`LETTERS`].
    pub letters: BTreeMap<String, String>,
}

/// The files of the letters: one a letter, the blocks that several of them share, and the frame of the HTML.
pub const LETTERS: [&str; 22] = [
    "acknowledgement.txt",
    "absence.txt",
    "announcement.txt",
    "answer.txt",
    "board.txt",
    "decision.txt",
    "end.txt",
    "foot.txt",
    "form.txt",
    "hand.txt",
    "invitation.txt",
    "moderation.txt",
    "offers.txt",
    "parked.txt",
    "press.txt",
    "reminder.txt",
    "reminders.txt",
    "report.txt",
    "rollback.txt",
    "standing.txt",
    "welcome.txt",
    "frame.html",
];

/// Why the templates of a language cannot be used.
#[derive(Debug, Error)]
#[error("templates/{}/{file}: {trouble}", .language.code())]
pub struct TemplateError {
    language: Language,
    file: String,
    trouble: String,
}

/// The words of a language, checked.
pub struct Templates {
    /// The language.
    pub language: Language,
    /// The help of the order language.
    pub help: Help,
    /// The rules for players.
    pub rules: Rulebook,
    environment: Environment<'static>,
}

/// `phrases.toml`: tables of phrases, and how nouns are counted.
#[derive(Deserialize)]
struct Phrases {
    /// The forms of a noun after numbers: one and many, in Polish one, few and many. Polish terms are the edition's own.
    #[serde(default)]
    count: BTreeMap<String, Vec<String>>,
    #[serde(flatten)]
    tables: BTreeMap<String, BTreeMap<String, String>>,
}

impl TemplateFiles {
    /// The texts that are built in.
    pub fn built_in(language: Language) -> TemplateFiles {
        macro_rules! files {
            ($folder:literal, $($letter:literal)*) => {
                TemplateFiles {
                    phrases: include_str!(concat!("../../templates/", $folder, "/phrases.toml")).to_owned(),
                    help: include_str!(concat!("../../templates/", $folder, "/help.toml")).to_owned(),
                    rules: include_str!(concat!("../../templates/", $folder, "/rules.md")).to_owned(),
                    letters: [$((
                        $letter.to_owned(),
                        include_str!(concat!("../../templates/", $folder, "/", $letter)).to_owned(),
                    )),*].into(),
                }
            };
            ($folder:literal) => {
                files!($folder, "acknowledgement.txt" "absence.txt" "announcement.txt" "answer.txt" "board.txt"
                    "decision.txt" "end.txt" "foot.txt" "form.txt" "hand.txt" "invitation.txt" "moderation.txt"
                    "offers.txt" "parked.txt" "press.txt" "reminder.txt" "reminders.txt" "report.txt" "rollback.txt" "standing.txt" "welcome.txt"
                    "frame.html")
            };
        }
        match language {
            Language::English => files!("en"),
            Language::Polish => files!("pl"),
        }
    }

    /// Puts a text of the user's in the place of a built-in one. False where no file has this name.
    pub fn replace(&mut self, file: &str, text: String) -> bool {
        let place = match file {
            "phrases.toml" => Some(&mut self.phrases),
            "help.toml" => Some(&mut self.help),
            "rules.md" => Some(&mut self.rules),
            letter => self.letters.get_mut(letter),
        };
        place.map(|place| *place = text).is_some()
    }
}

impl Templates {
    /// The built-in words of a language for an edition, whose names they count.
    pub fn built_in(language: Language, printed: &PrintedGame) -> Templates {
        let templates = Templates::read(language, &TemplateFiles::built_in(language), printed);
        templates.expect("the built-in templates are checked by a test")
    }

    /// Reads and checks the words of a language.
    pub fn read(language: Language, files: &TemplateFiles, printed: &PrintedGame) -> Result<Templates, TemplateError> {
        let wrong = |file: &str, trouble: String| TemplateError { language, file: file.to_owned(), trouble };
        let phrases: Phrases = toml::from_str(&files.phrases).map_err(|e| wrong("phrases.toml", e.to_string()))?;
        let help = Help::read(&files.help).map_err(|e| wrong("help.toml", e))?;
        let rules = Rulebook::read(&files.rules).map_err(|e| wrong("rules.md", e))?;
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.expect("the syntax is the customary one"));
        add_filters(&mut environment, language, phrases.count, printed);
        for (table, phrases) in phrases.tables {
            for (key, text) in phrases {
                let name = format!("{table}.{key}");
                let added = environment.add_template_owned(name, text);
                added.map_err(|e| wrong("phrases.toml", format!("{table}.{key}: {e}")))?;
            }
        }
        for letter in LETTERS {
            let text = files.letters.get(letter).ok_or_else(|| wrong(letter, "is missing".to_owned()))?;
            let added = environment.add_template_owned(letter, text.clone());
            added.map_err(|e| wrong(letter, e.to_string()))?;
        }
        Ok(Templates { language, help, rules, environment })
    }

    /// Says a phrase of a table, with its facts.
    pub fn say(&self, table: &str, key: &str, facts: Value) -> String {
        self.render(&format!("{table}.{key}"), facts)
    }

    /// Whether there is such a phrase.
    pub fn has(&self, table: &str, key: &str) -> bool {
        self.environment.get_template(&format!("{table}.{key}")).is_ok()
    }

    /// Renders a letter.
    pub fn letter(&self, name: &str, facts: Value) -> String {
        self.render(name, facts)
    }

    /// A phrase that fails is a bug of its template; the player gets its name rather than nothing.
    fn render(&self, name: &str, facts: Value) -> String {
        let template = self.environment.get_template(name);
        let rendered = template.and_then(|template| template.render(facts));
        debug_assert!(rendered.is_ok(), "{name} in {}: {:?}", self.language.code(), rendered.err());
        rendered.unwrap_or_else(|_| format!("[{name}]"))
    }
}

/// `{{ 3|count("token") }}` is `3 tokens`; `plural` is the noun alone.
fn add_filters(
    environment: &mut Environment<'static>,
    language: Language,
    mut nouns: BTreeMap<String, Vec<String>>,
    printed: &PrintedGame,
) {
    if language == Language::Polish {
        for (term, forms) in &printed.polish.term {
            let counted = [Some(&forms.nom), forms.few.as_ref(), forms.many.as_ref()];
            let counted = counted.map(|form| form.unwrap_or(&forms.nom).clone());
            nouns.entry(term.clone()).or_insert_with(|| counted.to_vec());
        }
    }
    let noun = move |count: u64, term: &str| -> String {
        let forms = nouns.get(term).map_or(&[][..], Vec::as_slice);
        forms.get(plural(language, count)).or(forms.last()).map_or_else(|| term.to_owned(), Clone::clone)
    };
    environment.add_filter("capitalize_first", |text: String| {
        let mut letters = text.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    });
    let alone = noun.clone();
    environment.add_filter("count", move |count: u64, term: String| format!("{count} {}", noun(count, &term)));
    environment.add_filter("plural", move |count: u64, term: String| alone(count, &term));
}

/// Which form of a noun follows a number.
fn plural(language: Language, count: u64) -> usize {
    match language {
        _ if count == 1 => 0,
        Language::English => 1,
        Language::Polish if is_few(count) => 1,
        Language::Polish => 2,
    }
}
