//! The moderator's page: how a game stands, what waits for a decision, and a form for every command.
//!
//! Comes in: what the desk would say by letter too. Goes out: HTML that works without scripts. A form writes one line, piece by
//! piece as its pattern has it: what stands between braces is a field, the rest is as it is. Patterns and words are in
//! `templates/*/page.toml`, under `[command]` and `[moderator]`.

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::{Deserialize, Serialize};

use super::page;
use super::public::Entry;
use crate::game::Known;
use crate::orders::words::Small;
use crate::report::letters::Moment;
use crate::report::names::Names;
use crate::report::templates::Templates;
use crate::rules::{Advance, AreaId, Case, Civ, Language};

/// How a game stands, as far as it decides what can be commanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Now {
    Inviting,
    Running,
    Paused,
    Ended,
}

/// What waits for somebody's word.
#[derive(Default)]
pub struct Waiting {
    pub requests: Vec<Request>,
    pub aside: Vec<Aside>,
    /// For whom letters wait until their sender is confirmed, and since when; none is the moderator.
    pub parked: Vec<(Option<Civ>, String)>,
}

/// What the moderator is beside that.
pub struct Me {
    /// Whether the moderator plays in this game.
    pub plays: bool,
    /// Where the moderator writes from by mail.
    pub addresses: Vec<String>,
}

/// A game as its moderator's page sees it.
pub struct Moderated {
    /// Its short name, as addresses have it.
    pub id: String,
    pub title: String,
    pub now: Now,
    /// What everybody may know.
    pub known: Known,
    /// How it stands, as the answer to `status` says it.
    pub status: Vec<String>,
    pub cut_off: Option<Moment>,
    /// The seats of people, and who sits there.
    pub people: Vec<(Civ, String)>,
    /// Whether everybody may watch the game.
    pub watched: bool,
    pub me: Me,
    pub waiting: Waiting,
    /// The phases that the game can go back to, the last first, as commands name them.
    pub phases: Vec<String>,
    /// What was done, the last first.
    pub done: Vec<Done>,
}

/// Something that players propose.
#[derive(Debug, Clone, Serialize)]
pub struct Request {
    pub number: u16,
    pub says: Vec<String>,
    /// Whether the moderator decides.
    pub decides: bool,
}

/// A letter that was set aside.
#[derive(Debug, Clone, Serialize)]
pub struct Aside {
    pub number: u32,
    pub says: String,
}

/// A command that was done.
#[derive(Debug, Clone, Serialize)]
pub struct Done {
    pub at: String,
    pub phase: String,
    /// Whether somebody typed it at the command line.
    pub at_door: bool,
    /// Whether it came from the page, and not by letter.
    pub on_page: bool,
    pub command: String,
    pub outcome: Vec<String>,
}

/// What is shown of the form that was sent last.
#[derive(Debug, Clone, Copy)]
pub enum Shown<'a> {
    /// There is no such form.
    Unknown,
    Waits,
    /// It could not be handled.
    Aside,
    Answered {
        /// The answer as data.
        told: Option<&'a str>,
        text: &'a str,
    },
}

/// A game in the list of all games.
#[derive(Debug, Clone, Serialize)]
pub struct Overview {
    pub id: String,
    pub title: String,
    pub says: Vec<String>,
    /// So many letters are set aside.
    pub aside: usize,
    /// So many requests wait for the moderator.
    pub requests: usize,
}

/// The answer to a command as data.
#[derive(Deserialize)]
struct Told {
    came: String,
    lines: Vec<String>,
}

/// A piece of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Piece {
    /// It is as it is.
    Fixed {
        value: String,
    },
    Choice {
        label: String,
        options: Vec<Choice>,
    },
    /// A field to type in: `text`, `number`, `date`, `time`.
    Field {
        label: String,
        of: &'static str,
        value: String,
        optional: bool,
        list: &'static str,
    },
    /// A field of several lines.
    Words {
        label: String,
    },
}

/// One of several, as a list offers it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Choice {
    /// As the line says it.
    value: String,
    label: String,
}

/// A form that writes a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct CommandForm {
    key: &'static str,
    title: String,
    help: String,
    pieces: Vec<Piece>,
}

/// Commands that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Group {
    title: String,
    commands: Vec<CommandForm>,
}

/// The forms of a running game, by what they are about.
const GROUPS: [(&str, &[&str]); 7] = [
    ("clock", &["pause", "resume", "process", "later", "set"]),
    ("words", &["tell", "announce"]),
    ("players", &["replace", "ask_next", "keep", "deputy", "nobody", "eject"]),
    ("right", &["orders", "tokens", "city", "no_city", "ships", "treasury", "step", "with", "without"]),
    ("back", &["rollback"]),
    ("stop", &["withdraw", "abandon"]),
    ("own", &["forget", "forget_devices", "new_link", "copies_on", "copies_off"]),
];

/// The page of a game. `answer` is the form that was sent last, and what became of it.
pub fn moderated(
    templates: &Templates,
    game: &Moderated,
    record: Option<&Pasted>,
    token: &str,
    mark: &str,
    answer: Option<(&str, Shown)>,
) -> String {
    let say = |key: &str| templates.page.say("moderator", key);
    let names = Names::new(game.known.printed(), templates.language);
    let parked = game.waiting.parked.iter().map(|(civ, since)| {
        let whose = civ.map_or_else(|| say("you"), |civ| names.civ(civ).to_owned());
        say("parked_one").replace("{who}", &whose).replace("{when}", since)
    });
    let decide = |key: &str| templates.page.say("command", key);
    let facts = context! {
        address => format!("/m/{}", game.id),
        title => game.title.as_str(),
        token,
        mark,
        answer => answer.map(|(form, shown)| answered(templates, form, shown)),
        status => game.status.clone(),
        requests => Value::from(Serde(&game.waiting.requests)),
        aside => Value::from(Serde(&game.waiting.aside)),
        plays => game.me.plays,
        parked => parked.collect::<Vec<_>>(),
        groups => Value::from(Serde(groups(templates, game))),
        areas => areas(game, names),
        done => Value::from(Serde(&game.done)),
        board => record.map(|record| record.board.as_str()),
        record => record.map(|record| pasted(templates, record)).unwrap_or_default(),
        say => Value::from(Serde(templates.page.table("public"))),
        grant => decide("grant"),
        refuse => decide("refuse"),
        release => decide("release"),
        watch => game.watched.then(|| format!("/g/{}", game.id)),
        questions => ["status", "standbys", "set_aside", "addresses", "devices", "help"].map(|key| {
            context! { line => decide(key), says => say(&format!("ask_{key}")) }
        }).to_vec(),
        m => Value::from(Serde(templates.page.table("moderator"))),
    };
    page(templates, "moderator.html", facts)
}

/// What a person posts to a board that only people can post to.
pub struct Pasted {
    /// The address of its thread.
    pub board: String,
    /// The public record of the newest turn.
    pub entries: Vec<Entry>,
}

/// The public record as text to paste, the last ruling first.
fn pasted(templates: &Templates, record: &Pasted) -> Vec<Value> {
    let name = |markup: &str| templates.page.say("public", markup);
    let entries = record.entries.iter().rev();
    entries
        .map(|entry| {
            let texts = entry.texts.iter().map(|(markup, text)| context! { name => name(markup), text });
            context! { title => entry.title.as_str(), when => entry.when.as_str(), texts => texts.collect::<Vec<_>>() }
        })
        .collect()
}

/// The page of all games.
pub(crate) fn overview(templates: &Templates, games: &[Overview]) -> String {
    let facts = context! {
        games => Value::from(Serde(games)),
        m => Value::from(Serde(templates.page.table("moderator"))),
    };
    page(templates, "moderated.html", facts)
}

/// What became of a form, for the page.
fn answered(templates: &Templates, form: &str, shown: Shown) -> Value {
    let say = |key: &str| vec![templates.page.say("moderator", key)];
    let plain = |key: &str| context! { is => key, lines => say(key) };
    match shown {
        Shown::Unknown => plain("unknown"),
        Shown::Waits => plain("waits"),
        Shown::Aside => plain("was_aside"),
        Shown::Answered { told, text } => match told.and_then(|told| serde_json::from_str::<Told>(told).ok()) {
            Some(Told { came, lines }) => {
                let lines: Vec<String> = lines.into_iter().filter(|line| !line.trim().is_empty()).collect();
                context! { is => came, lines, form }
            }
            None => context! { is => "done", lines => text.lines().map(str::to_owned).collect::<Vec<_>>() },
        },
    }
}

/// The forms that are of use as the game stands now.
fn groups(templates: &Templates, game: &Moderated) -> Vec<Group> {
    let say = |key: &str| templates.page.say("moderator", key);
    let is_begun = matches!(game.now, Now::Running | Now::Paused);
    let is_of_use = |key: &str| match key {
        "pause" | "process" => game.now == Now::Running,
        "later" | "set" => game.now == Now::Running && game.cut_off.is_some(),
        "resume" => game.now == Now::Paused,
        "tell" => !game.people.is_empty(),
        "announce" => true,
        "replace" | "deputy" | "nobody" => !game.people.is_empty() && game.now != Now::Ended,
        "withdraw" => game.now == Now::Inviting,
        "rollback" => !game.phases.is_empty() && game.now != Now::Inviting,
        "eject" | "ask_next" | "keep" => is_begun && !game.people.is_empty(),
        // Nobody gives up the last address.
        "forget" => game.me.addresses.len() > 1,
        "forget_devices" | "new_link" | "copies_on" | "copies_off" => true,
        "orders" => is_begun && !game.people.is_empty(),
        _ => is_begun,
    };
    let command = |key: &&'static str| CommandForm {
        key,
        title: say(key),
        help: templates.page.find("moderator", &format!("{key}_help")).unwrap_or_default(),
        pieces: pieces(templates, game, &templates.page.say("command", key)),
    };
    let group = |(title, keys): &(&str, &[&'static str])| {
        let commands: Vec<CommandForm> = keys.iter().filter(|key| is_of_use(key)).map(command).collect();
        (!commands.is_empty()).then(|| Group { title: say(title), commands })
    };
    GROUPS.iter().filter_map(group).collect()
}

/// The pieces that a pattern has.
fn pieces(templates: &Templates, game: &Moderated, pattern: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        let (hole, after) = after.split_once('}').unwrap_or((after, ""));
        if !before.is_empty() {
            pieces.push(Piece::Fixed { value: before.to_owned() });
        }
        pieces.push(piece(templates, game, hole));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Fixed { value: rest.to_owned() });
    }
    pieces
}

fn piece(templates: &Templates, game: &Moderated, hole: &str) -> Piece {
    let say = |key: &str| templates.page.say("moderator", key);
    let known = &game.known;
    let names = Names::new(known.printed(), templates.language);
    let label = say(&format!("field_{hole}"));
    let field =
        |of: &'static str, value: String| Piece::Field { label: label.clone(), of, value, optional: false, list: "" };
    let choice = |options: Vec<Choice>| Piece::Choice { label: label.clone(), options };
    let option = |value: &str, label: &str| Choice { value: value.to_owned(), label: label.to_owned() };
    let seated = || known.ranking();
    let whose = |civ: Civ| names.civ_as(civ, names.either(Case::Nominative, Case::Genitive));
    let people = || {
        let person =
            |(civ, player): &(Civ, String)| option(names.civ(*civ), &format!("{} ({player})", names.civ(*civ)));
        game.people.iter().map(person)
    };
    let advances = |value: &dyn Fn(Advance) -> String| {
        let mut all: Vec<Choice> =
            Advance::ALL.into_iter().map(|advance| option(&value(advance), names.advance(advance))).collect();
        all.sort_by(|one, other| one.label.cmp(&other.label));
        all
    };
    let moment = |form: fn(&Moment) -> String| game.cut_off.as_ref().map(form).unwrap_or_default();
    match hole {
        "sign" => choice(vec![option("+", &say("later_by")), option("-", &say("earlier_by"))]),
        "unit" => choice(vec![option("h", &say("hours")), option("days", &say("days"))]),
        "date" => field("date", moment(|at| format!("{:04}-{:02}-{:02}", at.year, at.month, at.day))),
        "time" => field("time", moment(|at| format!("{:02}:{:02}", at.hour, at.minute))),
        "n" => field("number", String::new()),
        "who" => {
            choice([option(names.small(Small::Everybody), &say("everybody"))].into_iter().chain(people()).collect())
        }
        "player" => choice(people().collect()),
        "civ" => choice(seated().map(|civ| option(names.civ(civ), names.civ(civ))).collect()),
        "whose" => choice(seated().map(|civ| option(whose(civ), names.civ(civ))).collect()),
        "owner" => {
            let barbarians = option(names.small(Small::OfBarbarians), &say("barbarians"));
            choice(seated().map(|civ| option(whose(civ), names.civ(civ))).chain([barbarians]).collect())
        }
        "holder" => {
            let pirates = option(names.small(Small::OfPirates), &say("pirates"));
            choice(seated().map(|civ| option(whose(civ), names.civ(civ))).chain([pirates]).collect())
        }
        "temperament" => choice(
            [("settler", "osadnik"), ("merchant", "kupiec"), ("raider", "najeźdźca")]
                .map(|(english, polish)| option(names.either(english, polish), &say(english)))
                .into(),
        ),
        "own_address" => choice(game.me.addresses.iter().map(|address| option(address, address)).collect()),
        "with" => choice(advances(&|advance| names.advance_with(advance))),
        "without" => choice(advances(&|advance| {
            names.advance_as(advance, names.either(Case::Nominative, Case::Genitive)).to_owned()
        })),
        "language" => {
            let of = |language: Language| option(&format!(" {}", language.code()), &say(language.code()));
            choice([option("", &say("same_language"))].into_iter().chain(Language::ALL.map(of)).collect())
        }
        "phase" => choice(game.phases.iter().map(|phase| option(phase, phase)).collect()),
        "area" => Piece::Field { label, of: "text", value: String::new(), optional: false, list: "areas" },
        "reason" => Piece::Field { label, of: "text", value: String::new(), optional: true, list: "" },
        "lines" | "words" => Piece::Words { label },
        _ => field("text", String::new()),
    }
}

/// The areas in play, by name.
fn areas(game: &Moderated, names: Names) -> Vec<String> {
    let in_play = game.known.grounds().filter(|(_, ground)| !ground.out_of_play);
    let mut areas: Vec<String> = in_play.map(|(area, _): (AreaId, _)| names.area(area).to_owned()).collect();
    areas.sort();
    areas
}

/// Every line that the forms of a game can write, with something typed in each field.
#[cfg(test)]
pub(crate) fn lines(templates: &Templates, game: &Moderated) -> Vec<(&'static str, String)> {
    let typed = |of: &str, list: &str| match (of, list) {
        ("number", _) => "3".to_owned(),
        ("date", _) => "2026-12-01".to_owned(),
        ("time", _) => "20:00".to_owned(),
        (_, "areas") => areas(game, Names::new(game.known.printed(), templates.language)).swap_remove(0),
        (_, _) => "anna@player.example".to_owned(),
    };
    let said = |pieces: &[Piece], turn: usize| -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Fixed { value } => value.clone(),
            Piece::Choice { options, .. } => options[turn % options.len()].value.clone(),
            Piece::Field { of, list, optional, .. } => {
                if *optional && turn > 0 {
                    String::new()
                } else {
                    typed(of, list)
                }
            }
            Piece::Words { .. } => "words: of two\nlines".to_owned(),
        };
        pieces.iter().map(piece).collect()
    };
    let all = groups(templates, game).into_iter().flat_map(|group| group.commands);
    all.flat_map(|command| (0..60).map(move |turn| (command.key, said(&command.pieces, turn)))).collect()
}
