//! The order page without a browser: its words, its data, its map, and what it is told of a trial.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::sync::Arc;

use cursus::door::casebook::CaseTable;
use cursus::door::session::Session;
use cursus::game::{Known, Phase, Reader};
use cursus::orders::{Bearings, Lens, Lexicon, Reading, Sheet, read_reply};
use cursus::report::page::{self, Fate, Newest, Seat, SeatName, Small, Tried, Visit};
use cursus::report::{ReadLetter, Templates};
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
    let table = CaseTable::new(PrintedGame::built_in().expect("the built-in edition is sound"));
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
            name: SeatName { game: "nile", title: "The <script>alert(1)</script> Nile", slug: "egypt", watched: true },
            cut_off: None,
            awaited: &[],
            ended: false,
            report: Some("<body><h2 style=\"x\">Trade</h2><p>1 &lt; 2</p>"),
            newest: Newest { revision: "7", map: "0123456789abcdef", heard: 0 },
            visit: Visit { token: "a-token", mark: "a-mark", answer: None },
        }
    }

    /// What would come of these lines on top of a sheet.
    fn tried(&self, sheet: &Sheet, lines: &str) -> (Tried, Sheet) {
        let bearings = Bearings::of(&self.known, self.civ);
        let letter = read_reply(lines, Lens { lexicon: &self.lexicon, bearings: Some(&bearings) }, sheet.doubts());
        let mut after = sheet.clone();
        let answers = after.add(&letter, self.known.phase(), u64::MAX);
        let answered = ReadLetter {
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

/// Commodities by their places in the list.
fn goods(data: &serde_json::Value, places: &[usize]) -> String {
    let name = |at: &usize| data["market"]["goods"][at]["name"].as_str().expect("a commodity").to_owned();
    places.iter().map(name).collect::<Vec<_>>().join(", ")
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
        let cards = data["advances"]["cards"].as_array().expect("cards");
        assert_eq!(cards.len(), 51);
        let advance_of = |form: &str, what: &str| {
            let fits =
                |card: &&serde_json::Value| if what == "gift" { card["gift"] == true } else { card["helps"].is_null() };
            text(&cards.iter().find(fits).expect("an Advance")[form])
        };
        let line = |key: &str, holes: &[(&str, String)]| {
            let holes = holes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            filled(&position.templates.page.say("line", key), &holes)
        };
        let stands = line("pay_as", &[("card", goods(&data, &[9])), ("other", goods(&data, &[2]))]);
        let pays = [format!("2 {}", goods(&data, &[2])), stands, line("pay_treasury", &[("count", "3".to_owned())])];
        let pays = pays.join(", ");
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
            ("times".to_owned(), "2".to_owned()),
            ("advances".to_owned(), advance),
            ("order".to_owned(), position.templates.page.say("line", "pass")),
            ("text".to_owned(), "x".to_owned()),
            ("number".to_owned(), "4".to_owned()),
            ("library".to_owned(), advance_of("of", "library")),
            ("free".to_owned(), advance_of("with", "gift")),
            ("credits".to_owned(), format!("10 {}", text(&data["advances"]["credits"][1]["name"]))),
            ("pays".to_owned(), pays),
            ("cards".to_owned(), goods(&data, &[0, 3])),
            (
                "civs".to_owned(),
                text(&data["owners"][data["market"]["partners"][0][0].as_str().expect("somebody")]["name"]),
            ),
            ("gives".to_owned(), goods(&data, &[0, 0, 3])),
            ("wants".to_owned(), format!("{}, {}", goods(&data, &[1, 2]), position.templates.page.say("words", "any"))),
            ("says".to_owned(), goods(&data, &[4])),
            ("wishes".to_owned(), goods(&data, &[5, 5])),
            ("has".to_owned(), goods(&data, &[6])),
        ]);
        let part = |key: &str| filled(&position.templates.page.say("line", key), &values);
        values.insert(
            "acts".to_owned(),
            format!("{} {} {}", part("sail_load"), text(&area("Jerusalem")["to"]), part("sail_unload")),
        );
        let bearings = Bearings::of(&position.known, position.civ);
        let parts = ["sail_load", "sail_unload", "all", "pay_treasury", "pay_as"];
        let table = |table: &str| position.templates.page.table(table).clone();
        let lines = table("line").into_iter().filter(|(key, _)| !parts.contains(&key.as_str())).chain(table("clear"));
        for (key, pattern) in lines {
            let to = match key.as_str() {
                "tell" => say("all"),
                "offer" => text(&data["market"]["partners"][0][1]),
                _ => text(&gaza["to"]),
            };
            values.insert("to".to_owned(), to);
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
        name: SeatName { game: "long", title: "A long game", slug: "seat", watched: true },
        cut_off: None,
        awaited: &[],
        ended: false,
        report: None,
        newest: Newest { revision: "1", map: "0", heard: 0 },
        visit: Visit { token: "t", mark: "m", answer: None },
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

#[test]
fn a_calamity_in_the_hand_says_what_it_would_do_and_who_may_be_drawn_in() {
    let board = "Memphis: city Egypt\nTanis: Egypt 3\nGaza: Egypt 4\nNineveh: Assyria 6\nKnossos: city Minoa, Minoa 2\n\
        Egypt: hand Famine, Banditry, Salt, Salt; advances Monotheism, Politics, Diaspora";
    let position = position(board, Language::English);
    let sheet = Sheet::default();
    let data = page::data(&position.seat(&sheet));
    let names: Vec<_> = data.perils.iter().map(|peril| peril.name.as_str()).collect();
    assert_eq!(BTreeSet::from_iter(names), BTreeSet::from(["Famine", "Banditry"]));
    let famine = data.perils.iter().find(|peril| peril.name == "Famine").expect("it is in the hand");
    assert!(famine.victims == 3 && !famine.rule.is_empty(), "{famine:?}");
    // A form names only those who may be drawn in, and what is lost is what the sheet says.
    let json = serde_json::to_value(&data).expect("plain data");
    let forms = json["forms"].as_array().expect("forms");
    let form = |key: &str, about: &str| forms.iter().find(|form| form["key"] == key && form["about"] == about);
    let victims = form("victims", "Famine").expect("a form");
    let named: Vec<_> =
        victims["fields"][0]["choices"].as_array().expect("choices").iter().map(|one| one[0].clone()).collect();
    assert_eq!(named, ["Assyria", "Minoa"]);
    assert!(form("discard", "Banditry").is_some() && form("ransom", "Banditry").is_some());
    assert!(form("lose", "Banditry").is_none(), "nothing of it stands on the map");
    let would = |lines: &str| {
        let tried = position.tried(&sheet, lines).0;
        tried.perils.into_iter().find(|peril| peril.name == "Famine").expect("it is in the hand").would.join(" ")
    };
    let (gaza, tanis) = (would("Famine: lose Gaza, Tanis"), would("Famine: lose Tanis, Gaza"));
    assert!(gaza.contains("Gaza") && tanis.contains("Tanis") && gaza != tanis, "{gaza}\n{tanis}");
    assert!(would("Famine: victims Minoa").contains("Minoa"));
    // Abilities know where they may be used.
    let ability = |key: &str| form(key, "Special abilities");
    assert!(ability("monotheism").is_some() && ability("politics_treasury").is_some() && ability("diaspora").is_some());
    assert!(ability("fundamentalism").is_none(), "it is not held");
    let areas = ability("monotheism").expect("a form")["fields"][0]["areas"].as_array().expect("areas").clone();
    for area in areas {
        let name =
            position.known.printed().map.area(cursus::rules::AreaId(area.as_u64().expect("an id") as u16)).name.clone();
        assert!(!["Memphis", "Tanis", "Gaza"].contains(&name.as_str()), "{name} is one's own");
    }
}

#[test]
fn a_purchase_says_what_it_costs_what_it_pays_and_what_could_come_with_it() {
    let board = "Memphis: Egypt 2\nEgypt: treasury 40; hand Salt, Salt, Salt, Iron; advances Pottery";
    let position = position(board, Language::English);
    let sheet = Sheet::default();
    let data = page::data(&position.seat(&sheet));
    let card = |name: &str| data.advances.cards.iter().find(|card| card.name == name).expect("an Advance").clone();
    assert_eq!(data.advances.cards.len(), 51);
    assert!(card("Pottery").held && !card("Library").held && !card("Library").effect.is_empty());
    assert!(data.advances.step.as_ref().is_some_and(|step| step.number == 1), "{:?}", data.advances.step);
    let bought = |line: &str| position.tried(&sheet, line).0.purchase;
    assert_eq!(bought("move 1 Memphis > Gaza"), None);
    // Three cards of three are worth 27, iron 2, and there are forty in the treasury.
    assert_eq!(data.advances.means, 69);
    let cheap: Vec<_> = data.advances.cards.iter().filter(|card| !card.held && card.price <= 69).collect();
    assert!(!cheap.is_empty(), "something can be had");
    let one = bought(&format!("acquire {}", cheap[0].name)).expect("a purchase");
    assert_eq!((one.price, one.means), (cheap[0].price, 69));
    assert!(one.pays.is_some() && one.more.iter().all(|id| *id != cheap[0].id), "{one:?}");
    // Chosen cards: the treasury pays what they leave open, and not a token more.
    let chosen = bought(&format!("acquire {} paying iron", cheap[0].name)).expect("a purchase");
    assert_eq!((chosen.treasury, chosen.pays), (cheap[0].price - 2, None));
    // What nobody can pay has its price all the same.
    let dear = bought("acquire Mysticism, Astronavigation, Monotheism").expect("a purchase");
    assert!(dear.price > 69 && dear.pays.is_none() && dear.more.is_empty(), "{dear:?}");
    // Library takes forty off the other, and Anatomy gives one free.
    let library = bought("acquire Library, Astronavigation with Library for Astronavigation").expect("a purchase");
    let price = |name: &str| library.prices.iter().find(|(id, _)| *id == card(name).id).expect("it is bought").1;
    assert_eq!(price("Astronavigation"), card("Astronavigation").price.saturating_sub(40));
    let gift = data.advances.cards.iter().find(|card| card.gift).expect("a gift");
    let anatomy = bought(&format!("acquire Anatomy with {} free", gift.name)).expect("a purchase");
    assert!(anatomy.prices.contains(&(gift.id, 0)), "{anatomy:?}");
}
