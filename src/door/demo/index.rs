//! The page to begin with: what this is, what to look at first, the scores, the maps, the story, and all letters. And the two
//! that open what is packed: a letter, and a map in its full size.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use minijinja::{AutoEscape, Environment, Value, context};

use super::brief::Entry;
use super::chart::{Paper, Series, chart};
use super::copyist::Copied;
use super::folder::Workplace;
use super::pack;
use super::words::Words;
use crate::door::club::Kind;
use crate::game::{State, scoring};
use crate::report::map::badge;
use crate::rules::Civ;

/// The kinds of letters, in the sequence in which a player gets to know them.
const KINDS: [&str; 8] =
    ["written", "invitation", "welcome", "report", "board", "acknowledgement", "announcement", "end"];

/// What a game was, for the page.
pub(crate) struct Record<'a> {
    /// How it stands at the end.
    pub state: &'a State,
    /// The turns, and what is told of each.
    pub story: Vec<(u16, Vec<Entry>)>,
    pub growth: BTreeMap<Civ, Growth>,
    pub letters: Vec<Copied>,
}

/// How somebody fared: before turn 1 and after each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Growth {
    pub points: Vec<u16>,
    /// Steps on the A.S.T.
    pub steps: Vec<u16>,
}

/// Writes the pages, and puts the mails that they link to beside them.
pub(crate) fn write(desk: &Workplace, words: &Words, record: &Record) -> anyhow::Result<PathBuf> {
    let pages = pages()?;
    let answers: BTreeMap<u32, u32> = record
        .letters
        .iter()
        .filter_map(|letter| match &letter.kind {
            Kind::Ours { name, answers } if name == "acknowledgement" => Some(((*answers)?, letter.number)),
            Kind::Ours { .. } | Kind::Written { .. } => None,
        })
        .collect();
    let first = first(words, record, &answers);
    let mails: BTreeSet<u32> = first.iter().flat_map(|card| &card.links).map(|link| link.letter).collect();
    for letter in record.letters.iter().filter(|letter| mails.contains(&letter.number)) {
        desk.keep_mail(&letter.file, &mail_name(letter.number))?;
    }
    let save = |name: &str, facts: Value| -> anyhow::Result<PathBuf> {
        let path = desk.path().join(name);
        let template = name.rsplit('/').next().unwrap_or(name);
        let text = pages.get_template(&format!("demo_{template}"))?.render(facts)?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    };
    pack::write(&desk.path().join("letters/list.js"), &list(words, record))?;
    save("letters/read.html", reader(words, record, &answers, &mails))?;
    save("maps/map.html", context! { w => plain(words), maps => maps(words, record.story.len()), ..language(words) })?;
    save("index.html", facts(words, record, first, &mails))
}

/// The templates of the pages.
pub(crate) fn pages() -> anyhow::Result<Environment<'static>> {
    let mut pages = Environment::new();
    pages.set_auto_escape_callback(|_| AutoEscape::Html);
    pages.add_template("demo_index.html", include_str!("../../../templates/demo_index.html"))?;
    pages.add_template("demo_letter.html", include_str!("../../../templates/demo_letter.html"))?;
    pages.add_template("demo_map.html", include_str!("../../../templates/demo_map.html"))?;
    pages.add_template("demo_read.html", include_str!("../../../templates/demo_read.html"))?;
    pages.add_template("demo_unpack.js", include_str!("../../../templates/demo_unpack.js"))?;
    Ok(pages)
}

/// The address of a letter's page.
fn letter_page(number: u32) -> String {
    format!("letters/read.html?{number}")
}

/// The name of a letter's mail, where it is kept as it was.
fn mail_name(number: u32) -> String {
    format!("letters/{number:05}.eml")
}

/// The facts of the page that shows any letter: which answers which, and which lie there as mails.
fn reader(words: &Words, record: &Record, answers: &BTreeMap<u32, u32>, mails: &BTreeSet<u32>) -> Value {
    // The letters that players wrote, by their count.
    let written: BTreeMap<u32, u32> = record
        .letters
        .iter()
        .filter_map(|letter| match &letter.kind {
            Kind::Written { count, .. } => Some((*count, letter.number)),
            Kind::Ours { .. } => None,
        })
        .collect();
    let answered = written.iter().filter_map(|(count, number)| Some((*number, *answers.get(count)?)));
    let questions = record.letters.iter().filter_map(|letter| match &letter.kind {
        Kind::Ours { answers, .. } => Some((letter.number, *written.get(answers.as_ref()?)?)),
        Kind::Written { .. } => None,
    });
    context! {
        w => plain(words),
        size => pack::LETTERS,
        answered => pairs(answered),
        questions => pairs(questions),
        mails => mails.iter().copied().collect::<Vec<u32>>(),
        ..language(words)
    }
}

/// Pairs of numbers as a script has them.
fn pairs(pairs: impl Iterator<Item = (u32, u32)>) -> String {
    let pairs: Vec<String> = pairs.map(|(one, other)| format!("{one}:{other}")).collect();
    format!("{{{}}}", pairs.join(","))
}

fn language(words: &Words) -> Value {
    context! { language => words.templates.language.code() }
}

/// The words that need no facts.
fn plain(words: &Words) -> BTreeMap<&'static str, String> {
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
        "back",
        "back_maps",
        "answer",
        "question",
        "mail",
        "no_script",
        "too_old",
        "missing",
    ];
    keys.into_iter().map(|key| (key, words.word("page", key))).collect()
}

fn facts(words: &Words, record: &Record, first: Vec<Card>, mails: &BTreeSet<u32>) -> Value {
    let state = record.state;
    let scores = scoring::scores(state);
    let turns = record.story.len();
    let result = scores.first().map(|score| {
        let winner = words.names.civ(score.civ);
        words.page("lead_result", context! { winner, points => score.total(), ended => state.has_ended() })
    });
    let lead = context! { players => scores.len(), turns, letters => record.letters.len(), ended => state.has_ended() };
    let mut plain = plain(words);
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
        w => plain,
        lead => words.page("lead", lead),
        result,
        first => first.into_iter().map(Card::facts).collect::<Vec<_>>(),
        heads => ["ast", "advances", "cities", "bonus", "total"].map(|key| words.word("table", key)),
        scores => rows,
        charts => charts(words, record),
        maps => maps(words, turns),
        story => story(words, record),
        seats => seats(words, record),
        kinds => kinds(words, record),
        letters => groups(words, record),
        mails => mails.iter().copied().collect::<Vec<u32>>(),
        count => record.letters.len(),
        ..language(words)
    }
}

/// A card of the first page: links, and why one should follow them.
struct Card {
    links: Vec<Link>,
    why: String,
}

struct Link {
    letter: u32,
    words: String,
}

impl Card {
    fn facts(self) -> Value {
        let link = |link: Link| context! { page => letter_page(link.letter), words => link.words };
        context! { links => self.links.into_iter().map(link).collect::<Vec<_>>(), why => self.why }
    }
}

/// What to look at first.
fn first(words: &Words, record: &Record, answers: &BTreeMap<u32, u32>) -> Vec<Card> {
    let named = |kind: &'static str| record.letters.iter().filter(move |letter| key(letter) == kind);
    let civ = |letter: &Copied| {
        letter.civ.map_or_else(|| words.word("page", "moderator"), |civ| words.names.civ(civ).to_owned())
    };
    let link = |letter: u32, words: String| Link { letter, words };
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
    let boards: Vec<&Copied> = named("board").collect();
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
        let [wide, narrow] =
            [Paper::WIDE, Paper::NARROW].map(|paper| chart(paper, &title, &words.word("page", "chart_alt"), &series));
        context! { title, wide, narrow }
    };
    vec![draw("chart_points", |growth| &growth.points), draw("chart_ast", |growth| &growth.steps)]
}

fn maps(words: &Words, turns: usize) -> Vec<Value> {
    let title = |turn: usize| match turn {
        0 => words.word("page", "map_start"),
        turn => words.page("map_turn", context! { turn }),
    };
    (0..=turns).map(|turn| context! { page => format!("maps/map.html?{turn}"), words => title(turn) }).collect()
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

/// A letter of the list, as the page's script has it: number, turn, seat, kind, subject, and whose it is.
type Listed<'a> = (u32, u16, String, &'static str, &'a str, String);

fn list<'a>(words: &Words, record: &'a Record) -> Vec<Listed<'a>> {
    let listed = |letter: &'a Copied| {
        let seat = letter.civ.map_or("m".to_owned(), |civ| civ.0.to_string());
        let whose = format!("{} · {}", between(words, letter.civ, &letter.kind), words.word("kind", key(letter)));
        (letter.number, letter.turn, seat, key(letter), letter.subject.as_str(), whose)
    };
    record.letters.iter().map(listed).collect()
}

/// The turns, and how many letters each has.
fn groups(words: &Words, record: &Record) -> Vec<Value> {
    let mut turns: BTreeMap<u16, usize> = BTreeMap::new();
    for letter in &record.letters {
        *turns.entry(letter.turn).or_default() += 1;
    }
    let group = |(turn, count): (u16, usize)| context! { turn, words => words.say("turn", context! { turn }), count };
    turns.into_iter().map(group).collect()
}

/// From whom, or to whom.
pub(crate) fn between(words: &Words, civ: Option<Civ>, kind: &Kind) -> String {
    let name = civ.map_or_else(|| words.word("page", "moderator"), |civ| words.names.civ(civ).to_owned());
    match kind {
        Kind::Written { .. } => words.page("from", context! { name }),
        Kind::Ours { .. } => words.page("to", context! { name }),
    }
}

/// The key of a letter's kind.
fn key(letter: &Copied) -> &'static str {
    match &letter.kind {
        Kind::Written { .. } => "written",
        Kind::Ours { name, .. } => KINDS.into_iter().find(|kind| kind == name).unwrap_or("other"),
    }
}
