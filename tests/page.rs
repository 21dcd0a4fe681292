//! The order page without a browser: its words, its data, its map, and what it is told of a trial.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::sync::Arc;

use cursus::door::casebook::Table;
use cursus::door::session::Session;
use cursus::game::{Known, Phase, Reader};
use cursus::orders::{Bearings, Lens, Lexicon, Reading, Sheet, read_reply};
use cursus::report::page::{self, Fate, Seat, Small, Tried};
use cursus::report::{Answered, Templates};
use cursus::rules::{AstSide, Civ, Language, PrintedGame};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A position, and who looks at it.
pub struct Position {
    known: Known,
    civ: Civ,
    lexicon: Arc<Lexicon>,
    templates: Templates,
}

/// Egypt's position on this board.
fn position(board: &str, language: Language) -> Position {
    let table = Table::new(PrintedGame::built_in().expect("the built-in edition is sound"));
    let page =
        format!("# Page\n\n## A case\n\n```state\nphase movement\nranking Egypt, Assyria, Minoa\n{board}\n```\n");
    let seating = table.position(&page).unwrap_or_else(|unreadable| panic!("{unreadable} in\n{page}"));
    let civ = seating.lexicon.civs.exact("Egypt").expect("a civilization");
    let known = Known::of(&seating.state, Reader::Player(civ));
    let templates = Templates::built_in(language, known.printed());
    Position { known, civ, lexicon: seating.lexicon, templates }
}

const BOARD: &str = "Petra: Egypt 5\nJericho: Assyria 3\nJerusalem: city Egypt\nGaza: Egypt 4, ship Egypt 1\nMemphis: Egypt 2\n\
    Egypt: treasury 4; advances Roadbuilding, Naval Warfare, Advanced Military, Architecture, Urbanism, Public Works, Coinage, Wonder of the World";

impl Position {
    fn seat<'a>(&'a self, sheet: &'a Sheet) -> Seat<'a> {
        Seat {
            known: &self.known,
            civ: self.civ,
            sheet,
            templates: &self.templates,
            game: "nile",
            title: "The <script>alert(1)</script> Nile",
            slug: "egypt",
            cut_off: None,
            awaited: &[],
            report: Some("<body><h2 style=\"x\">Trade</h2><p>1 &lt; 2</p>"),
            map: "0123456789abcdef",
            revision: "7",
            token: "a-token",
            mark: "a-mark",
            answer: None,
        }
    }

    /// What would come of these lines on top of a sheet.
    fn tried(&self, sheet: &Sheet, lines: &str) -> (Tried, Sheet) {
        let bearings = Bearings::of(&self.known, self.civ);
        let letter = read_reply(lines, Lens { lexicon: &self.lexicon, bearings: Some(&bearings) }, sheet.doubts());
        let mut after = sheet.clone();
        let answers = after.add(&letter, self.known.phase(), u64::MAX);
        let answered = Answered {
            known: &self.known,
            history: &|_| None,
            civ: self.civ,
            letter: &letter,
            answers: &answers,
            before: sheet,
            sheet: &after,
            arrival: u64::MAX,
            is_trial: false,
            around: &[],
        };
        (page::tried(&self.templates, &answered), after)
    }

    fn area(&self, name: &str) -> u16 {
        let map = &self.known.printed().map;
        map.ids().find(|id| map.area(*id).name == name).expect("an area").0
    }
}

/// How many bytes a browser would be sent.
fn packed(bytes: &[u8]) -> usize {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).expect("memory");
    packer.finish().expect("memory").len()
}

#[test]
fn both_languages_say_the_same_things() {
    let [english, polish] = Language::ALL.map(|language| {
        let position = position(BOARD, language);
        position.templates.page.keys().collect::<BTreeSet<String>>()
    });
    assert_eq!(english, polish);
}

/// What a browser makes of a pattern: `{area.in}`, and brackets that go when something in them is empty.
fn filled(pattern: &str, values: &BTreeMap<String, String>) -> String {
    let mut line = pattern.to_owned();
    for (name, value) in values {
        line = line.replace(&format!("{{{name}}}"), value);
    }
    line.replace(['[', ']'], "")
}

#[test]
fn every_line_that_the_page_writes_is_read_as_an_order() {
    for language in Language::ALL {
        let position = position(BOARD, language);
        let sheet = Sheet::default();
        let data = serde_json::to_value(page::data(&position.seat(&sheet))).expect("plain data");
        let area = |name: &str| {
            let areas = data["areas"].as_array().expect("areas");
            let id = position.area(name);
            areas.iter().find(|area| area["id"] == id).expect("in play").clone()
        };
        let (petra, gaza) = (area("Petra"), area("Gaza"));
        let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
        let advance = text(
            &data["forms"].as_array().expect("forms").iter().find(|form| form["key"] == "acquire").expect("a form")["fields"]
                [0]["choices"][0][0],
        );
        let say = |key: &str| position.templates.page.say("choice", key);
        let mut values = BTreeMap::new();
        for (name, area) in [("area", &gaza), ("source", &petra)] {
            values.insert(name.to_owned(), text(&area["name"]));
            for (form, key) in [("in", "in"), ("from", "from"), ("to", "to")] {
                values.insert(format!("{name}.{form}"), text(&area[key]));
            }
        }
        values.extend([
            ("areas".to_owned(), format!("{}, {}", text(&gaza["name"]), text(&petra["name"]))),
            ("count".to_owned(), "2".to_owned()),
            ("from".to_owned(), text(&petra["from"])),
            ("to".to_owned(), text(&gaza["to"])),
            ("treasury".to_owned(), "3".to_owned()),
            ("leaving".to_owned(), "1".to_owned()),
            ("loot".to_owned(), "2".to_owned()),
            ("card".to_owned(), say("no_card")),
            ("stack".to_owned(), "7".to_owned()),
            ("until".to_owned(), say("until")),
            ("keep".to_owned(), "4".to_owned()),
            ("rate".to_owned(), "3".to_owned()),
            ("advances".to_owned(), advance),
            ("order".to_owned(), position.templates.page.say("line", "pass")),
            ("text".to_owned(), "x".to_owned()),
        ]);
        let part = |key: &str| filled(&position.templates.page.say("line", key), &values);
        values.insert(
            "acts".to_owned(),
            format!("{} {} {}", part("sail_load"), text(&area("Jerusalem")["to"]), part("sail_unload")),
        );
        let bearings = Bearings::of(&position.known, position.civ);
        let parts = ["sail_load", "sail_unload", "all"];
        let table = |table: &str| position.templates.page.table(table).clone();
        let lines = table("line").into_iter().filter(|(key, _)| !parts.contains(&key.as_str())).chain(table("clear"));
        for (key, pattern) in lines {
            values.insert("to".to_owned(), if key == "tell" { say("all") } else { text(&gaza["to"]) });
            let line = filled(&pattern, &values);
            let letter = read_reply(&line, Lens { lexicon: &position.lexicon, bearings: Some(&bearings) }, &[]);
            let is_read = |reading: &Reading| matches!(reading, Reading::Written(_));
            let pieces = || letter.iter().flat_map(|line| &line.pieces);
            assert!(
                pieces().count() > 0 && pieces().all(|piece| is_read(&piece.reading)),
                "{key} in {language:?}: {line}: {letter:#?}"
            );
        }
    }
}

#[test]
fn the_page_works_without_scripts_and_has_nothing_inline() {
    for language in Language::ALL {
        let position = position(BOARD, language);
        let (_, sheet) = position.tried(&Sheet::default(), "move 3 Petra > Jericho");
        let html = page::html(&position.seat(&sheet)).replace("&#x2f;", "/");
        assert!(
            html.contains("action=\"/s/nile/egypt/send\"") && html.contains("<textarea id=\"typed\" name=\"lines\"")
        );
        assert!(html.contains("value=\"a-token\"") && html.contains("value=\"a-mark\""));
        assert!(html.contains("Jericho") || html.contains("Jerych"), "the sheet is there: {html}");
        assert!(html.contains("<h2>Trade</h2><p>1 &lt; 2</p>"), "the report is there: {html}");
        assert!(!html.contains("<script>") && html.contains("&lt;script&gt;"), "a title is text: {html}");
        assert!(!html.contains(" style=") && !html.contains(" onclick="), "{html}");
        let entered = Small::Enter { game: "<b>Nile", token: "t", asked: true, trouble: Some("wrong_code") };
        for small in [entered, Small::Plain("gone"), Small::Plain("no_device")] {
            let html = page::small(&position.templates, small);
            assert!(!html.contains("<b>") && !html.contains('[') && !html.contains(" style="), "{html}");
        }
    }
}

#[test]
fn verdicts_stand_at_the_lines_they_are_of() {
    let position = position(BOARD, Language::English);
    let (_, stored) = position.tried(&Sheet::default(), "move 1 Petra > Jericho");
    let lines = "clear movement\nmove 3 Petra > Jericho\nmove 9 Gaza > Petra\nmove some Gaza\nloot 2\nmaintain ship in Gaza\nmove 2 from Memphis to Nowhere";
    let (tried, after) = position.tried(&stored, lines);
    let verdicts: Vec<_> = tried.lines.iter().map(|line| (line.line, line.verdict)).collect();
    assert_eq!(
        verdicts,
        [
            (1, Fate::Stands),
            (2, Fate::Stands),
            (3, Fate::Illegal),
            (4, Fate::Unread),
            (5, Fate::Stands),
            (6, Fate::Stands),
            (7, Fate::Unread)
        ]
    );
    assert!(tried.lines[2].says[0].contains("4"), "{:?}", tried.lines[2]);
    assert_eq!(tried.lines[1].orders, ["move 3 from Petra to Jericho"]);
    assert_eq!(after.part(Phase::Movement).len(), 3);
    let petra = tried.own.iter().find(|own| own.area.0 == position.area("Petra")).expect("own");
    assert_eq!((petra.tokens, petra.fresh), (2, 2));
    let gaza = tried.own.iter().find(|own| own.area.0 == position.area("Gaza")).expect("own");
    assert_eq!((gaza.ships.as_slice(), gaza.old), (&[4][..], 0));
    assert_eq!((tried.ways.len(), tried.treasury), (1, 3));
}

#[test]
fn what_can_be_reached_is_what_the_rules_allow() {
    let position = position(BOARD, Language::English);
    let sheet = Sheet::default();
    let data = page::data(&position.seat(&sheet));
    let area = |name: &str| data.areas.iter().find(|area| area.id.0 == position.area(name)).expect("in play");
    let petra = area("Petra");
    let beside: Vec<_> = petra.reach.iter().filter(|(_, over)| over.is_none()).map(|(to, _)| *to).collect();
    assert_eq!(beside, petra.walks, "nothing forbids a step");
    // Roadbuilding goes on behind Jerusalem, where nobody else is, and not behind Jericho if that were a conflict.
    let far = petra.reach.iter().filter(|(_, over)| over.is_some()).count();
    assert!(far > 0, "{petra:?}");
    for (to, over) in &petra.reach {
        let name = |id: cursus::rules::AreaId| position.known.printed().map.area(id).name.clone();
        let way = over.map_or_else(String::new, |over| format!(" > {}", name(over)));
        let line = format!("move 1 Petra{way} > {}", name(*to));
        let (tried, _) = position.tried(&sheet, &line);
        assert_eq!(tried.lines[0].verdict, Fate::Stands, "{line}: {:?}", tried.lines[0].says);
    }
    assert!(area("Gaza").sails.len() > 1 && area("Jericho").reach.is_empty());
    assert!(data.forms.iter().any(|form| form.key == "tax"), "Coinage leaves a choice");
}

/// A game of eighteen late on.
fn late() -> (Known, Civ) {
    let printed = Arc::new(PrintedGame::built_in().expect("the built-in edition is sound"));
    let scenario = printed.scenarios.iter().find(|scenario| scenario.players == 18).expect("a game of eighteen");
    let mut session = Session::new(printed.clone(), scenario, AstSide::Basic, 3);
    while (session.state().turn(), session.state().phase()) < (12, Phase::Movement) {
        session.rule_phase();
    }
    let civ = session.state().ranking().next().expect("somebody");
    (Known::of(session.state(), Reader::Player(civ)), civ)
}

#[test]
fn the_map_of_eighteen_is_light_and_has_an_element_for_every_area() {
    let (known, civ) = late();
    let map = page::map(&known, Language::English);
    println!("the map: {} bytes, {} packed", map.len(), packed(map.as_bytes()));
    assert!(packed(map.as_bytes()) < 350_000, "{}", packed(map.as_bytes()));
    assert!(!map.contains("style=") && !map.contains("<script") && !map.contains("xlink"));
    for id in known.printed().map.ids() {
        let element = "class=\"area ";
        let marked = format!("data-area=\"{}\"", id.0);
        let is_there = map.split("<g ").any(|part| part.starts_with(element) && part.contains(&marked));
        assert_eq!(is_there, !known.ground(id).out_of_play, "{}", known.printed().map.area(id).name);
    }
    let templates = Templates::built_in(Language::English, known.printed());
    let sheet = Sheet::default();
    let seat = Seat {
        known: &known,
        civ,
        sheet: &sheet,
        templates: &templates,
        game: "long",
        title: "A long game",
        slug: "seat",
        cut_off: None,
        awaited: &[],
        report: None,
        map: "0",
        revision: "1",
        token: "t",
        mark: "m",
        answer: None,
    };
    let data = serde_json::to_vec(&page::data(&seat)).expect("plain data");
    let assets: usize = page::assets::all().map(|asset| packed(asset.bytes)).sum();
    let first = packed(&data) + packed(page::html(&seat).as_bytes()) + assets;
    println!(
        "beside the map: {first} bytes packed, {} of them data, {assets} of them scripts and styles",
        packed(&data)
    );
    assert!(first < 100_000, "{first}");
}
