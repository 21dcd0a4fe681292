//! The public page: what everybody may know of a game, for those who only watch it.
//!
//! Comes in: what the public knows, and what a forum's thread would say of the rest: names, who is awaited until when, and
//! the rulings of a turn. Goes out: a page that needs no script, its preview, and the list of games. Whoever has no `Known`
//! of [`crate::game::Reader::Public`] has nothing to show here.

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::super::letters::{self, Content, Delivery, Markup, Moment, Occasion, Terms, Venue};
use super::super::map;
use super::super::names::Names;
use super::super::templates::Templates;
use super::chart::{Curve, chart};
use super::past::Standings;
use super::report;
use crate::game::{Known, Owner, Phase, Witnessed};
use crate::rules::{Civ, Language};

/// A seat as the public page names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Watcher {
    pub civ: Civ,
    /// The player's name, as the forum's thread has it; never an address.
    pub player: String,
    /// Whether a built-in player sits there.
    pub companion: bool,
    /// Whether the player has accepted their seat.
    pub accepted: bool,
}

/// A point in time as people read it and as programs do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stamp {
    /// On the clock of the game.
    pub moment: Moment,
    /// `2027-03-01T19:00:00Z`.
    pub utc: String,
}

/// A ruling of the public record.
pub struct Ruled {
    /// What the public was told of it.
    pub seen: Witnessed,
    pub at: Stamp,
}

/// The same in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    pub title: String,
    /// When it was ruled, in words and for programs.
    pub when: String,
    pub utc: String,
    /// HTML that stands inside a page.
    pub html: String,
    /// The same as text to paste: the name of a markup, and the text.
    pub texts: Vec<(&'static str, String)>,
}

/// A game as its public page shows it.
pub struct Public<'a> {
    pub templates: &'a Templates,
    /// The short name of the game, and its title.
    pub game: &'a str,
    pub title: &'a str,
    /// What the public knows now.
    pub now: &'a Known,
    /// Whether it is played, a key of `[public]`: `inviting`, `running`, `paused`, `ended`.
    pub standing: &'static str,
    pub seats: &'a [Watcher],
    pub awaited: &'a [Civ],
    pub cut_off: Option<&'a Stamp>,
    pub past: PublicPast<'a>,
    /// The turn that the record is of, and the record.
    pub record: (u16, &'a [Entry]),
    pub link: PublicLink<'a>,
}

/// What was known of a game earlier.
#[derive(Clone, Copy)]
pub struct PublicPast<'a> {
    /// How often the game went back.
    pub era: u32,
    /// How everybody stood, turn by turn.
    pub standings: &'a [Standings],
    /// The turn that is over and looked at, and what was known at its end; none looks at the present.
    pub then: Option<(u16, &'a Known)>,
}

/// How a public page is linked to.
#[derive(Clone, Copy)]
pub struct PublicLink<'a> {
    /// What browsers call the server: `https://games.example.org`.
    pub address: &'a str,
    /// The name of what is seen now.
    pub revision: &'a str,
    /// The language that was asked for, where it is not that of the game.
    pub language: Option<Language>,
}

/// A game in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its short name, and its title.
    pub game: String,
    pub title: String,
    /// As [`Public::standing`].
    pub standing: &'static str,
    pub turn: u16,
    pub phase: Phase,
    pub players: usize,
}

/// The rulings of a turn in words.
pub fn record(templates: &Templates, title: &str, rulings: &[Ruled]) -> Vec<Entry> {
    let entry = |ruled: &Ruled| {
        let seen = &ruled.seen;
        // Who was awaited then is past; what happened is not.
        let occasion = Occasion {
            game: title,
            known: seen.after(),
            name: "",
            seats: &[],
            sheet: None,
            awaited: &[],
            by_default: &[],
            cut_off: None,
            terms: Terms::default(),
            shown: None,
            delivery: Delivery { place: Venue::Forum, ..Delivery::default() },
        };
        let content = if seen.after().has_ended() { Content::End { seen } } else { Content::Report { seen } };
        let page = letters::write(templates, &occasion, &content);
        let pasted = letters::pasted(templates, &occasion, &content);
        let html = report::letter(page.html.as_deref(), &page.text);
        Entry {
            title: page.subject,
            when: moment(templates, &ruled.at.moment),
            utc: ruled.at.utc.clone(),
            html: without_foot(&html),
            texts: Markup::ALL.iter().map(|markup| (markup.name(), pasted.text(*markup).to_owned())).collect(),
        }
    };
    rulings.iter().map(entry).collect()
}

/// A letter on the page without its foot, which is for those who answer it.
fn without_foot(html: &str) -> String {
    match html.split_once("<div class=\"foot\">") {
        Some((letter, _)) => format!("{letter}</div>"),
        None => html.to_owned(),
    }
}

/// The page of a game that everybody may watch, whole.
pub fn public(page: &Public) -> String {
    let Public { templates, now, .. } = *page;
    let language = templates.language;
    let names = Names::new(now.printed(), language);
    let say = |key: &str| templates.page.say("public", key);
    let shown = page.past.then.map_or(now, |(_, known)| known);
    let address = format!("/g/{}", page.game);
    let with = page.link.language.map(|language| format!("language={}", language.code()));
    let link = |turn: Option<u16>, language: Option<&str>| {
        let turn = turn.map(|turn| format!("turn={turn}"));
        let parts: Vec<String> = turn.into_iter().chain(language.map(str::to_owned)).collect();
        if parts.is_empty() { address.clone() } else { format!("{address}?{}", parts.join("&")) }
    };
    let turns = page.past.standings.len() as u16;
    let status = status(page, &names);
    let rows: Vec<Value> =
        page.seats.iter().filter(|seat| shown.is_seated(seat.civ)).map(|seat| row(page, names, shown, seat)).collect();
    let charts: Vec<Value> = [(Curve::Points, "points"), (Curve::Steps, "steps")]
        .into_iter()
        .filter(|_| turns > 0)
        .map(|(curve, key)| {
            let title = say(&format!("chart_{key}"));
            let drawn = chart(now, language, page.past.standings, curve, page.past.then.map(|(turn, _)| turn), &title);
            context! { title, svg => Value::from_safe_string(drawn) }
        })
        .collect();
    let code = with.as_deref();
    let map = match page.past.then {
        Some((turn, _)) => format!("{}.{turn}.svg", page.past.era),
        None => format!("now-{}.svg", page.link.revision),
    };
    let map_language = format!("?language={}", language.code());
    let others = Language::ALL.into_iter().filter(|other| *other != language);
    let others = others.map(|other| {
        let code = format!("language={}", other.code());
        context! { code => other.code(), name => say(&format!("in_{}", other.code())), link => link(page.past.then.map(|(turn, _)| turn), Some(&code)) }
    });
    let trade = page.past.then.is_none() && now.phase() == Phase::Trade && !now.has_ended();
    let caption = match page.past.then {
        Some((turn, _)) => say("map_then").replace("{n}", &turn.to_string()),
        None if trade => say("map_trade"),
        None => say("map_now"),
    };
    let entries = page.record.1.iter().map(|entry| {
        let texts = entry.texts.iter().map(|(markup, text)| context! { name => say(markup), text });
        context! {
            title => entry.title.as_str(),
            when => entry.when.as_str(),
            utc => entry.utc.as_str(),
            html => Value::from_safe_string(entry.html.clone()),
            texts => texts.collect::<Vec<_>>(),
        }
    });
    let facts = context! {
        title => page.title,
        address => address.as_str(),
        revision => page.link.revision,
        status,
        description => description(page, &names),
        url => plain(format!("{}{}", page.link.address, link(None, code))),
        picture => plain(format!("{}{address}/preview.png?of={}&language={}", page.link.address, page.link.revision, language.code())),
        width => map::PREVIEW[0],
        height => map::PREVIEW[1],
        turn => page.past.then.map(|(turn, _)| turn),
        turns,
        links => (1..=turns).map(|turn| context! { turn, link => link(Some(turn), code) }).collect::<Vec<_>>(),
        present => link(None, code),
        map => format!("{address}/map/{map}{map_language}"),
        caption,
        places => places(templates, names, shown),
        rows,
        charts,
        record_title => say("record_of").replace("{n}", &page.record.0.to_string()),
        entries => entries.collect::<Vec<_>>(),
        others => others.collect::<Vec<_>>(),
        say => Value::from(Serde(templates.page.table("public"))),
    };
    super::page(templates, "public.html", facts)
}

/// An address of ours in a tag: slashes stay as they are, for those who read tags without knowing HTML.
fn plain(address: String) -> Value {
    let safe = address.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    Value::from_safe_string(safe)
}

/// How the game stands, a sentence each, and until when orders are awaited.
fn status(page: &Public, names: &Names) -> Value {
    let Public { templates, now, .. } = *page;
    let say = |key: &str| templates.page.say("public", key);
    let awaited: Vec<&str> = page.awaited.iter().map(|civ| names.civ(*civ)).collect();
    context! {
        standing => (page.standing != "running").then(|| say(page.standing)),
        phase => (!matches!(page.standing, "inviting" | "ended")).then(|| phase(page, names)),
        cut_off => page.cut_off.map(|stamp| moment(templates, &stamp.moment)),
        utc => page.cut_off.map(|stamp| stamp.utc.as_str()),
        awaited => (!awaited.is_empty()).then(|| say("awaited").replace("{who}", &awaited.join(", "))),
        last_turn => now.last_turn().filter(|_| !now.has_ended()).map(|turn| say("last_turn").replace("{n}", &turn.to_string())),
    }
}

fn phase(page: &Public, names: &Names) -> String {
    let say = page.templates.page.say("public", "phase");
    say.replace("{n}", &page.now.turn().to_string()).replace("{phase}", names.phase(page.now.phase()))
}

/// What a preview says of it, in one line.
fn description(page: &Public, names: &Names) -> String {
    let say = |key: &str| page.templates.page.say("public", key);
    let standing = match page.standing {
        "running" => phase(page, names),
        other => say(other),
    };
    let leads = page.now.ranking().max_by_key(|civ| page.now.score(*civ).total());
    let leads = leads.filter(|_| !page.past.standings.is_empty() && !page.now.has_ended());
    let leads = leads.map(|civ| say("leads").replace("{who}", names.civ(civ)));
    [Some(standing), leads, Some(say("about"))].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// A civilization with its public numbers.
fn row(page: &Public, names: Names, shown: &Known, seat: &Watcher) -> Value {
    let holding = shown.holding(seat.civ);
    let (colour, sign) = map::badge(shown.printed(), page.templates.language, seat.civ);
    context! {
        colour,
        sign,
        civ => names.civ(seat.civ),
        player => seat.player.as_str(),
        companion => seat.companion,
        invited => !seat.accepted && !seat.companion,
        census => holding.census,
        cities => shown.city_count(seat.civ),
        treasury => holding.treasury,
        step => holding.position,
        advances => holding.advances.iter().count(),
        cards => holding.hand.len(),
        points => shown.score(seat.civ).total(),
    }
}

/// Who stands where, for those who do not see the map.
fn places(templates: &Templates, names: Names, shown: &Known) -> Vec<Value> {
    let say = |key: &str, owner: Owner, count: usize| {
        let said = templates.page.say("words", key).replace("{who}", names.owner(owner));
        said.replace("{n}", &count.to_string())
    };
    let areas = shown.printed().map.ids().filter_map(|area| {
        let ground = shown.ground(area);
        let city = ground.city.map(|city| say("city", city.owner, 1));
        let forces = ground.forces.iter().filter(|force| force.count > 0);
        let tokens = forces.map(|force| say("tokens", force.owner, usize::from(force.count)));
        let fleets = shown.ranking().map(|civ| (civ, shown.ships_at(area, civ))).filter(|(_, count)| *count > 0);
        let ships = fleets.map(|(civ, count)| say("ships", Owner::Civ(civ), count));
        let holds: Vec<String> = city.into_iter().chain(tokens).chain(ships).collect();
        (!holds.is_empty()).then(|| context! { name => names.area(area), holds => holds.join(", ") })
    });
    areas.collect()
}

fn moment(templates: &Templates, moment: &Moment) -> String {
    templates.say("moment", "full", Value::from(Serde(moment)))
}

/// What the strip of a preview says.
pub fn preview(known: &Known, templates: &Templates, title: &str) -> String {
    let names = Names::new(known.printed(), templates.language);
    let say = |key: &str| templates.page.say("public", key);
    let stands = if known.has_ended() {
        say("ended")
    } else {
        say("phase").replace("{n}", &known.turn().to_string()).replace("{phase}", names.phase(known.phase()))
    };
    map::preview(known, templates.language, &format!("{title} · {stands}"))
}

/// The list of the games that may be seen.
pub fn games(
    templates: &Templates,
    games: &[Listed],
    language: Option<Language>,
    printed: &crate::rules::PrintedGame,
) -> String {
    let names = Names::new(printed, templates.language);
    let say = |key: &str| templates.page.say("public", key);
    let with = language.map(|language| format!("?language={}", language.code())).unwrap_or_default();
    let game = |listed: &Listed| {
        let stands = match listed.standing {
            "running" => {
                say("phase").replace("{n}", &listed.turn.to_string()).replace("{phase}", names.phase(listed.phase))
            }
            other => say(other),
        };
        context! {
            link => format!("/g/{}{with}", listed.game),
            title => listed.title.as_str(),
            stands,
            players => say("seats").replace("{n}", &listed.players.to_string()),
        }
    };
    let facts = context! {
        games => games.iter().map(game).collect::<Vec<_>>(),
        say => Value::from(Serde(templates.page.table("public"))),
    };
    super::page(templates, "games.html", facts)
}
