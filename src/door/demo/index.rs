//! The page to begin with: what this is, what to look at first, the scores, the maps, the story, and all letters.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use minijinja::{AutoEscape, Environment, Value, context};

use super::brief::Entry;
use super::chart::{Series, chart};
use super::copyist::{Letter, letter_name, map_name};
use super::words::Words;
use crate::door::club::Kind;
use crate::game::{State, scoring};
use crate::report::map::badge;
use crate::rules::Civ;

/// The kinds of letters, in the sequence in which a player gets to know them.
const KINDS: [&str; 8] =
    ["written", "invitation", "welcome", "report", "board", "acknowledgement", "announcement", "end"];

/// What a game was, for the page.
pub struct Record<'a> {
    /// How it stands at the end.
    pub state: &'a State,
    /// The turns, and what is told of each.
    pub story: Vec<(u16, Vec<Entry>)>,
    /// How everybody fared.
    pub growth: BTreeMap<Civ, Growth>,
    /// All letters.
    pub letters: Vec<Letter>,
}

/// How somebody fared: before turn 1 and after each.
#[derive(Debug, Clone, Default)]
pub struct Growth {
    /// Victory points.
    pub points: Vec<u16>,
    /// Steps on the A.S.T.
    pub steps: Vec<u16>,
}

/// Writes the page, and those of the letters that players wrote.
pub fn write(folder: &Path, words: &Words, record: &Record) -> anyhow::Result<PathBuf> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("demo.html", include_str!("../../../templates/demo.html"))?;
    environment.add_template("demo_letter.html", include_str!("../../../templates/demo_letter.html"))?;
    let answers: BTreeMap<u32, u32> = record
        .letters
        .iter()
        .filter_map(|letter| match &letter.kind {
            Kind::Ours { name, answers } if name == "acknowledgement" => Some(((*answers)?, letter.number)),
            Kind::Ours { .. } | Kind::Written { .. } => None,
        })
        .collect();
    for letter in &record.letters {
        let page = folder.join(letter_name(letter.number) + ".html");
        if let Some(facts) = own_page(words, &answers, letter) {
            let text = environment.get_template("demo_letter.html")?.render(facts)?;
            fs::write(&page, text).with_context(|| format!("cannot write {}", page.display()))?;
        }
    }
    let index = folder.join("index.html");
    let text = environment.get_template("demo.html")?.render(facts(words, record, &answers))?;
    fs::write(&index, text).with_context(|| format!("cannot write {}", index.display()))?;
    Ok(index)
}

/// A page for a letter that has none: those of players, and ours where they are plain text.
fn own_page(words: &Words, answers: &BTreeMap<u32, u32>, letter: &Letter) -> Option<Value> {
    let (text, quoted, answer) = match &letter.kind {
        Kind::Written { count, text } => (text.as_str(), letter.text.as_str(), answers.get(count)),
        Kind::Ours { .. } if !letter.text.is_empty() => (letter.text.as_str(), "", None),
        Kind::Ours { .. } => return None,
    };
    let quoted = quoted.replace('\r', "");
    let quoted = quoted.strip_prefix(text.trim()).unwrap_or(&quoted).trim().to_owned();
    let answer = answer.map(|number| context! { page => page(*number), words => words.word("page", "answer") });
    Some(context! {
        language => words.templates.language.code(),
        subject => letter.subject.clone(),
        words => between(words, letter),
        back => words.word("page", "back"),
        answer,
        mail => format!("{:05}.eml", letter.number),
        own => text.trim().to_owned(),
        quoted,
    })
}

/// The address of a letter's page from another letter's.
fn page(number: u32) -> String {
    format!("{number:05}.html")
}

fn facts(words: &Words, record: &Record, answers: &BTreeMap<u32, u32>) -> Value {
    let state = record.state;
    let scores = scoring::scores(state);
    let turns = record.story.len();
    let result = scores.first().map(|score| {
        let winner = words.names.civ(score.civ);
        words.page("lead_result", context! { winner, points => score.total(), ended => state.has_ended() })
    });
    let lead = context! { players => scores.len(), turns, letters => record.letters.len(), ended => state.has_ended() };
    let keys = [
        "title",
        "first",
        "people",
        "maps",
        "previous",
        "next",
        "large",
        "story",
        "letters",
        "letters_lead",
        "everybody",
        "every_turn",
        "every_kind",
        "none",
        "shown",
        "kept",
    ];
    let mut plain: BTreeMap<&str, String> = keys.into_iter().map(|key| (key, words.word("page", key))).collect();
    plain.insert("scores", words.word("page", if state.has_ended() { "scores" } else { "scores_open" }));
    let rows: Vec<Value> = scores
        .iter()
        .map(|score| {
            let (colour, sign) = badge(state.printed(), words.templates.language, score.civ);
            let cells = [score.ast, score.advances, score.cities, score.bonus, score.total()];
            let ink = super::chart::ink(&colour);
            context! { name => words.names.civ(score.civ), colour, ink, sign, cells }
        })
        .collect();
    context! {
        language => words.templates.language.code(),
        w => plain,
        lead => words.page("lead", lead),
        result,
        first => first(words, record, answers).into_iter().map(Card::facts).collect::<Vec<_>>(),
        heads => ["ast", "advances", "cities", "bonus", "total"].map(|key| words.word("table", key)),
        scores => rows,
        charts => charts(words, record),
        maps => maps(words, turns),
        story => story(words, record),
        seats => seats(words, record),
        kinds => kinds(words, record),
        letters => groups(words, record),
        count => record.letters.len(),
    }
}

/// A card of the first page: links, and why one should follow them.
struct Card {
    links: Vec<Link>,
    why: String,
}

struct Link {
    page: String,
    words: String,
}

impl Card {
    fn facts(self) -> Value {
        let link = |link: Link| context! { page => link.page, words => link.words };
        context! { links => self.links.into_iter().map(link).collect::<Vec<_>>(), why => self.why }
    }
}

/// What to look at first.
fn first(words: &Words, record: &Record, answers: &BTreeMap<u32, u32>) -> Vec<Card> {
    let named = |kind: &'static str| record.letters.iter().filter(move |letter| key(letter) == kind);
    let civ = |letter: &Letter| {
        letter.civ.map_or_else(|| words.word("page", "moderator"), |civ| words.names.civ(civ).to_owned())
    };
    let link = |number: u32, words: String| Link { page: letter_name(number) + ".html", words };
    let mut cards = Vec::new();
    // The last seat is as good as any: in the first scenario it is Egypt's.
    if let Some(letter) = named("welcome").rfind(|letter| letter.civ.is_some()) {
        let title = words.page("first_letter", context! { civ => civ(letter) });
        cards.push(Card { links: vec![link(letter.number, title)], why: words.word("page", "first_letter_why") });
    }
    // One from the middle of the game, where there is something to see.
    let middle = record.state.turn() / 2;
    let reports = named("report").filter(|letter| letter.has_map);
    if let Some(letter) = reports.min_by_key(|letter| (letter.turn.abs_diff(middle), letter.number)) {
        let facts = context! { turn => letter.turn, civ => civ(letter) };
        let title = words.word("page", "first_map");
        cards.push(Card { links: vec![link(letter.number, title)], why: words.page("first_map_why", facts) });
    }
    let excuse = words.word("demo", "excuse");
    let hasty = record.letters.iter().find_map(|letter| match &letter.kind {
        Kind::Written { count, text } if text.starts_with(&excuse) => Some((letter, answers.get(count)?)),
        Kind::Written { .. } | Kind::Ours { .. } => None,
    });
    if let Some((letter, answer)) = hasty {
        let links = vec![
            link(letter.number, words.word("page", "first_slips")),
            link(*answer, words.word("page", "first_slips_answer")),
        ];
        cards.push(Card { links, why: words.page("first_slips_why", context! { civ => civ(letter) }) });
    }
    let boards: Vec<&Letter> = named("board").collect();
    if let Some(letter) = boards.get(boards.len() / 2) {
        let title = words.word("page", "first_trade");
        cards.push(Card { links: vec![link(letter.number, title)], why: words.word("page", "first_trade_why") });
    }
    if let Some(letter) = named("end").find(|letter| letter.civ.is_some()) {
        let title = words.word("page", "first_end");
        cards.push(Card { links: vec![link(letter.number, title)], why: words.word("page", "first_end_why") });
    }
    cards
}

fn charts(words: &Words, record: &Record) -> Vec<Value> {
    let draw = |title: &str, pick: fn(&Growth) -> &Vec<u16>| {
        let series: Vec<Series> = record
            .growth
            .iter()
            .map(|(civ, growth)| {
                let (colour, sign) = badge(record.state.printed(), words.templates.language, *civ);
                Series { name: words.names.civ(*civ).to_owned(), colour, sign, values: pick(growth).clone() }
            })
            .collect();
        let title = words.word("page", title);
        let svg = chart(&title, &words.word("page", "chart_alt"), &series);
        context! { title, svg }
    };
    vec![draw("chart_points", |growth| &growth.points), draw("chart_ast", |growth| &growth.steps)]
}

fn maps(words: &Words, turns: usize) -> Vec<Value> {
    let title = |turn: usize| match turn {
        0 => words.word("page", "map_start"),
        turn => words.page("map_turn", context! { turn }),
    };
    (0..=turns).map(|turn| context! { file => map_name(turn as u16), words => title(turn) }).collect()
}

fn story(words: &Words, record: &Record) -> Vec<Value> {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut chapters = Vec::new();
    for (turn, entries) in &record.story {
        let entries: Vec<Value> = entries
            .iter()
            .map(|entry| {
                let explained = known.insert(entry.about).then(|| words.word("explained", entry.about));
                context! { heading => words.word("heading", entry.about), text => entry.text.clone(), explained }
            })
            .collect();
        chapters.push(context! { turn, words => words.say("turn", context! { turn }), entries });
    }
    chapters
}

fn seats(words: &Words, record: &Record) -> Vec<Value> {
    let civs = record.growth.keys().map(|civ| context! { key => civ.0, name => words.names.civ(*civ) });
    civs.chain([context! { key => "m", name => words.word("page", "moderator") }]).collect()
}

fn kinds(words: &Words, record: &Record) -> Vec<Value> {
    let used: BTreeSet<&str> = record.letters.iter().map(key).collect();
    let kinds = KINDS.into_iter().chain(["other"]).filter(|kind| used.contains(kind));
    kinds.map(|kind| context! { key => kind, name => words.word("kind", kind) }).collect()
}

/// The letters of each turn.
fn groups(words: &Words, record: &Record) -> Vec<Value> {
    let mut turns: BTreeMap<u16, Vec<Value>> = BTreeMap::new();
    for letter in &record.letters {
        let name = letter_name(letter.number);
        let line = context! {
            seat => letter.civ.map_or("m".to_owned(), |civ| civ.0.to_string()),
            kind => key(letter),
            subject => letter.subject.clone(),
            words => format!("{} · {}", between(words, letter), words.word("kind", key(letter))),
            page => name.clone() + ".html",
            mail => name + ".eml",
        };
        turns.entry(letter.turn).or_default().push(line);
    }
    let group = |(turn, letters): (u16, Vec<Value>)| {
        context! { turn, words => words.say("turn", context! { turn }), letters }
    };
    turns.into_iter().map(group).collect()
}

/// From whom, or to whom.
fn between(words: &Words, letter: &Letter) -> String {
    let name = letter.civ.map_or_else(|| words.word("page", "moderator"), |civ| words.names.civ(civ).to_owned());
    match letter.kind {
        Kind::Written { .. } => words.page("from", context! { name }),
        Kind::Ours { .. } => words.page("to", context! { name }),
    }
}

/// The key of a letter's kind.
fn key(letter: &Letter) -> &'static str {
    match &letter.kind {
        Kind::Written { .. } => "written",
        Kind::Ours { name, .. } => KINDS.into_iter().find(|kind| kind == name).unwrap_or("other"),
    }
}
