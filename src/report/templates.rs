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
use super::names::joined_with;
use super::page::Words;
use super::rulebook::Rulebook;
use crate::rules::polish::is_few;
use crate::rules::{Case, Language, PrintedGame};

/// The texts of a language as they stand in its folder.
#[derive(Debug, Clone)]
pub struct TemplateFiles {
    /// `phrases.toml`: a sentence for every reason, expectation and warning.
    pub phrases: String,
    /// `help.toml`: the help of the order language.
    pub help: String,
    /// `club.toml`: what is said to people who join, wait or stand in.
    pub club: String,
    /// `rules.md`: the rules for players.
    pub rules: String,
    /// `page.toml`: the words of the order page.
    pub page: String,
    /// The letters, by the names of their files: see [`LETTERS`].
    pub letters: BTreeMap<String, String>,
}

/// The files of the letters: one a letter, the blocks that several of them share, the player's guide, and the frame of the
/// HTML.
pub(crate) const LETTERS: [&str; 35] = [
    "acknowledgement.txt",
    "absence.txt",
    "announcement.txt",
    "answer.txt",
    "board.txt",
    "briefing.txt",
    "cards.txt",
    "club.txt",
    "code.txt",
    "decision.txt",
    "deputy.txt",
    "digest.txt",
    "end.txt",
    "foot.txt",
    "form.txt",
    "guide.md",
    "hand.txt",
    "invitation.txt",
    "moderation.txt",
    "news.txt",
    "offers.txt",
    "opening.txt",
    "parked.txt",
    "press.txt",
    "rehearsal.txt",
    "rehearsed.txt",
    "reminder.txt",
    "reminders.txt",
    "report.txt",
    "rollback.txt",
    "standing.txt",
    "status.txt",
    "welcome.txt",
    "world.txt",
    "frame.html",
];

/// The pages of the order page. They have no words of their own, and are nobody's to change: scripts look for what is in them.
const PAGES: [(&str, &str); 6] = [
    ("games.html", include_str!("../../templates/web/games.html")),
    ("page.html", include_str!("../../templates/web/page.html")),
    ("public.html", include_str!("../../templates/web/public.html")),
    ("small.html", include_str!("../../templates/web/small.html")),
    ("moderator.html", include_str!("../../templates/web/moderator.html")),
    ("moderated.html", include_str!("../../templates/web/moderated.html")),
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
    pub language: Language,
    /// The help of the order language.
    pub help: Help,
    /// The rules for players.
    pub rules: Rulebook,
    /// The words of the order page.
    pub page: Words,
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
                    club: include_str!(concat!("../../templates/", $folder, "/club.toml")).to_owned(),
                    rules: include_str!(concat!("../../templates/", $folder, "/rules.md")).to_owned(),
                    page: include_str!(concat!("../../templates/", $folder, "/page.toml")).to_owned(),
                    letters: [
                        $(($letter, include_str!(concat!("../../templates/", $folder, "/", $letter))),)*
                        // The frame has no words of its own.
                        ("frame.html", include_str!("../../templates/frame.html")),
                    ]
                    .map(|(name, text)| (name.to_owned(), text.to_owned()))
                    .into(),
                }
            };
            ($folder:literal) => {
                files!($folder, "acknowledgement.txt" "absence.txt" "announcement.txt" "answer.txt" "board.txt" "briefing.txt" "cards.txt" "club.txt"
                    "code.txt" "decision.txt" "deputy.txt" "digest.txt" "end.txt" "foot.txt" "form.txt" "guide.md" "hand.txt" "invitation.txt"
                    "moderation.txt" "news.txt" "offers.txt" "opening.txt" "parked.txt" "press.txt" "rehearsal.txt" "rehearsed.txt"
                    "reminder.txt" "reminders.txt" "report.txt" "rollback.txt" "standing.txt"
                    "status.txt" "welcome.txt" "world.txt")
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
            "club.toml" => Some(&mut self.club),
            "rules.md" => Some(&mut self.rules),
            "page.toml" => Some(&mut self.page),
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
        let page = Words::read(language, &files.page).map_err(|e| wrong("page.toml", e))?;
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.expect("the syntax is the customary one"));
        add_filters(&mut environment, language, phrases.count, printed);
        let club: BTreeMap<String, String> =
            toml::from_str(&files.club).map_err(|e| wrong("club.toml", e.to_string()))?;
        for (key, text) in club {
            let added = environment.add_template_owned(format!("club.{key}"), text);
            added.map_err(|e| wrong("club.toml", format!("{key}: {e}")))?;
        }
        for (table, phrases) in phrases.tables {
            for (key, text) in phrases {
                let name = format!("{table}.{key}");
                let added = environment.add_template_owned(name, text);
                added.map_err(|e| wrong("phrases.toml", format!("{table}.{key}: {e}")))?;
            }
        }
        for letter in LETTERS {
            let text = files.letters.get(letter).ok_or_else(|| wrong(letter, "is missing".to_owned()))?;
            let added = environment.add_template_owned(letter, with_breaks(text));
            added.map_err(|e| wrong(letter, e.to_string()))?;
        }
        for (name, text) in PAGES {
            environment.add_template(name, text).map_err(|e| wrong(name, e.to_string()))?;
        }
        Ok(Templates { language, help, rules, page, environment })
    }

    /// Says a phrase of a table, with its facts.
    pub(crate) fn say(&self, table: &str, key: &str, facts: Value) -> String {
        self.render(&format!("{table}.{key}"), facts)
    }

    /// Whether there is such a phrase.
    pub(crate) fn has(&self, table: &str, key: &str) -> bool {
        self.environment.get_template(&format!("{table}.{key}")).is_ok()
    }

    pub(crate) fn letter(&self, name: &str, facts: Value) -> String {
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

/// `{{ 3|count("token") }}` is `3 tokens`, and `{{ 3|count("token", "gen") }}` the same in a case; `plural` is the noun
/// alone. `{{ who|verb("builds", "build") }}` agrees with a name: one, several, and in Polish `you`.
fn add_filters(
    environment: &mut Environment<'static>,
    language: Language,
    nouns: BTreeMap<String, Vec<String>>,
    printed: &PrintedGame,
) {
    let terms = match language {
        Language::English => BTreeMap::new(),
        Language::Polish => printed.polish.term.clone(),
    };
    let noun = move |count: u64, term: &str, case: Option<String>| -> String {
        let case = match case.as_deref() {
            Some("gen") => Case::Genitive,
            Some("acc") => Case::Accusative,
            _ => Case::Nominative,
        };
        match (nouns.get(term), terms.get(term)) {
            (Some(forms), _) if case == Case::Nominative || !terms.contains_key(term) => {
                forms.get(plural(language, count)).or(forms.last()).map_or_else(|| term.to_owned(), Clone::clone)
            }
            (_, Some(forms)) => forms.counted(count, case).to_owned(),
            (_, None) => term.to_owned(),
        }
    };
    environment.add_filter("capitalize_first", |text: String| {
        let mut letters = text.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    });
    environment.add_filter("verb", |who: Value, one: String, many: String, you: Option<String>| {
        let is = |key| who.get_attr(key).is_ok_and(|value| value.is_true());
        match (is("you"), is("plural")) {
            (true, _) => you.unwrap_or(many),
            (false, true) => many,
            (false, false) => one,
        }
    });
    // A list as it is said: `a, b and c`.
    let and = if language == Language::English { "and" } else { "i" };
    environment.add_filter("listed", move |items: Vec<Value>| joined_with(items.iter().map(Value::to_string), and));
    // Clauses that hold lists themselves: `goes to a and b, and does c`.
    let last = if language == Language::English { ", and " } else { ", a także " };
    environment.add_filter("clauses", move |items: Vec<String>| match items.split_last() {
        Some((last_one, rest)) if !rest.is_empty() => format!("{}{last}{last_one}", rest.join(", ")),
        _ => items.concat(),
    });
    let alone = noun.clone();
    environment.add_filter("count", move |count: u64, term: String, case: Option<String>| {
        format!("{count} {}", noun(count, &term, case))
    });
    environment.add_filter("plural", move |count: u64, term: String| alone(count, &term, None));
}

/// A template whose lines end where they end: a tag swallows the break behind it, which is meant for lines that are
/// nothing but a tag.
fn with_breaks(text: &str) -> String {
    let mut kept = String::with_capacity(text.len() + 64);
    for line in text.lines() {
        kept += line;
        let is_tag = line.trim_start().starts_with("{%") && line.matches("{%").count() == 1;
        kept += if line.ends_with("%}") && !is_tag { "\n\n" } else { "\n" };
    }
    kept
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
