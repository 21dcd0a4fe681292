//! The map: every scenario, a crowded late game, what just changed, and nothing that is secret.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use cursus::door;
use cursus::door::session::Session;
use cursus::game::event::Cause;
use cursus::game::{Event, Known, Owner, Phase, Reader, Rulebook, State, Witnessed, setup};
use cursus::report::letters::Sight;
use cursus::report::map::{Bounds, Canvas, Changes, Frame, Move, PHONE, Picture, Placed, concerns, picture, png};
use cursus::rules::{AreaId, AreaKind, AstSide, Civ, Language, PrintedGame};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn printed() -> Arc<PrintedGame> {
    Arc::new(PrintedGame::built_in().unwrap())
}

fn opening(printed: &Arc<PrintedGame>, key: &str) -> State {
    let scenario = printed.scenarios.iter().find(|scenario| scenario.key == key).unwrap();
    State::new(setup::opening(printed.clone(), scenario, Rulebook::default(), AstSide::Basic))
}

/// The board as everybody knows it.
fn public(state: &State) -> Known {
    Known::of(state, Reader::Public)
}

fn canvas(state: &Known, frame: Frame) -> Canvas {
    let width = frame.width(state);
    Canvas { frame, width, language: Language::English, title: "Turn 12 · Movement".to_owned() }
}

/// The board after a movement late in a game of eighteen, and what the movement changed.
fn late() -> &'static (Known, Changes) {
    static LATE: OnceLock<(Known, Changes)> = OnceLock::new();
    LATE.get_or_init(|| {
        let printed = printed();
        let scenario = printed.scenarios.iter().find(|scenario| scenario.players == 18).unwrap();
        let mut session = Session::new(printed.clone(), scenario, AstSide::Basic, 3);
        loop {
            let ruling = session.rule_phase();
            if ruling.before.turn() == 12 && ruling.before.phase() == Phase::Movement {
                let changes = Changes::seen(&Witnessed::of(&ruling.before, &ruling.events, Reader::Public));
                return (public(session.state()), changes);
            }
        }
    })
}

fn area(printed: &PrintedGame, key: &str) -> AreaId {
    printed.map.ids().find(|area| printed.map.area(*area).key == key).unwrap()
}

/// Names lie on no other name and on no pieces of another area.
fn assert_legible(picture: &Picture, what: &str) {
    let overlap = |one: &Placed, other: &Placed| one.bounds.overlaps(&other.bounds);
    for (number, name) in picture.names.iter().enumerate() {
        for other in &picture.names[number + 1..] {
            assert!(!overlap(name, other), "{what}: the names {name:?} and {other:?}");
        }
        for pieces in picture.ashore.iter().chain(&picture.afloat).filter(|pieces| pieces.area != name.area) {
            assert!(!overlap(name, pieces), "{what}: the name {name:?} and the pieces {pieces:?}");
        }
    }
}

#[test]
fn every_scenario_is_drawn_with_all_its_names() {
    let printed = printed();
    for scenario in &printed.scenarios {
        let state = public(&opening(&printed, &scenario.key));
        for language in Language::ALL {
            let canvas = Canvas { language, ..canvas(&state, Frame::Whole) };
            let picture = picture(&state, &Changes::default(), &canvas);
            assert_legible(&picture, &scenario.key);
            let named: BTreeSet<_> = picture.names.iter().map(|name| name.area).collect();
            let in_play = |area: &AreaId| printed.map.area(*area).has_land() && !state.ground(*area).out_of_play;
            let missing: Vec<_> = printed.map.ids().filter(in_play).filter(|area| !named.contains(area)).collect();
            assert!(missing.is_empty(), "{} in {language:?}: {missing:?} have no name", scenario.key);
            assert_eq!(picture.ashore.len(), scenario.civilizations.len(), "{}", scenario.key);
        }
    }
}

#[test]
fn the_whole_board_is_drawn_as_a_png() {
    let (state, changes) = late();
    let picture = picture(state, changes, &canvas(state, Frame::Board));
    assert_legible(&picture, "the whole board");
    let standing = state.grounds().filter(|(_, ground)| ground.total() > 0 || ground.city.is_some());
    let placed: BTreeSet<_> = picture.ashore.iter().map(|pieces| pieces.area).collect();
    for (area, _) in standing {
        assert!(placed.contains(&area), "{area:?}");
    }
    let file = png(&picture.svg).unwrap();
    assert!(file.starts_with(b"\x89PNG"));
    assert!(file.len() < 1_500_000, "{} bytes", file.len());
    assert_eq!(size(&file)[0], 4000);
}

/// Width and height of a PNG.
fn size(file: &[u8]) -> [u32; 2] {
    [16, 20].map(|at| u32::from_be_bytes(file[at..at + 4].try_into().unwrap()))
}

#[test]
fn everybody_gets_a_small_legible_map_of_a_crowded_late_game() {
    let (state, changes) = late();
    for civ in state.ranking() {
        let areas = concerns(state, changes, civ);
        let picture = picture(state, changes, &canvas(state, Frame::Around(areas.clone())));
        assert_legible(&picture, &format!("{civ:?}"));
        let shown: BTreeSet<_> = picture.ashore.iter().map(|pieces| pieces.area).collect();
        let own: Vec<_> = state.areas_of(Owner::Civ(civ)).collect();
        let seen = own.iter().filter(|area| shown.contains(area)).count();
        assert!(seen * 3 >= own.len() * 2, "{civ:?} sees {seen} of its {} areas", own.len());
        let file = png(&picture.svg).unwrap();
        assert!(file.len() < 300_000, "{civ:?}: {} bytes", file.len());
        let [width, height] = size(&file);
        assert!(width == PHONE && height < 2600, "{civ:?}: {width} by {height}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn names_collide_in_no_frame(areas in vec(0u16..338, 1..6), width in 360u32..1500, polish in any::<bool>()) {
        let (state, changes) = late();
        let language = if polish { Language::Polish } else { Language::English };
        let frame = Frame::Around(areas.iter().copied().map(AreaId).collect());
        let canvas = Canvas { width, language, ..canvas(state, frame) };
        assert_legible(&picture(state, changes, &canvas), &format!("{areas:?}"));
    }
}

#[test]
fn the_aegean_is_legible_in_both_languages() {
    let (state, changes) = late();
    let printed = state.printed();
    let areas = ["athens", "thera", "knossos", "phaestos", "lesbos", "lemnos", "rhodes", "troy", "sparta", "chalcis"];
    let areas: BTreeSet<_> = areas.iter().map(|key| area(printed, key)).collect();
    for language in Language::ALL {
        let canvas = Canvas { language, ..canvas(state, Frame::Around(areas.clone())) };
        let picture = picture(state, changes, &canvas);
        assert_legible(&picture, "the Aegean");
        for area in &areas {
            assert!(picture.names.iter().any(|name| name.area == *area), "{}", printed.map.area(*area).name);
        }
    }
}

#[test]
fn the_same_board_is_the_same_picture() {
    let (state, changes) = late();
    let canvas = canvas(state, Frame::Around(concerns(state, changes, Civ(0))));
    let (one, other) = (picture(state, changes, &canvas), picture(&state.clone(), &changes.clone(), &canvas));
    assert_eq!(one, other);
    assert_eq!(png(&one.svg).unwrap(), png(&other.svg).unwrap());
}

#[test]
fn hands_and_stacks_change_no_picture() {
    let printed = printed();
    let scenario = &printed.scenarios[0];
    let plain = setup::opening(printed.clone(), scenario, Rulebook::default(), AstSide::Basic);
    let mut dealt = plain.clone();
    let block = dealt.holdings[0].block;
    let card = *State::new(plain.clone()).stacks().stack(block, 5).front().unwrap();
    dealt.holdings[0].hand.push(card);
    let cards: Vec<_> = dealt.stacks.stack(block, 4).iter().rev().copied().collect();
    dealt.stacks.lay(block, 4, cards);
    let (plain, dealt) = (State::new(plain), State::new(dealt));
    assert_ne!(plain, dealt);
    let drawn = |state: &Known| picture(state, &Changes::default(), &canvas(state, Frame::Whole)).svg;
    assert_eq!(drawn(&public(&plain)), drawn(&public(&dealt)));
}

#[test]
fn secret_events_leave_no_trace() {
    let printed = printed();
    let state = opening(&printed, "west_5");
    let civ = state.ranking().next().unwrap();
    let card = *state.stacks().stack(state.holding(civ).block, 3).front().unwrap();
    let events = [Event::CardDrawn { civ, stack: 3, card }];
    for reader in [Reader::Public, Reader::Player(civ), Reader::Onlooker] {
        assert_eq!(Changes::seen(&Witnessed::of(&state, &events, reader)), Changes::default());
    }
}

#[test]
fn what_changed_is_seen() {
    let printed = printed();
    let state = opening(&printed, "west_5");
    let minoa = state.ranking().next().unwrap();
    let [knossos, phaestos, thera] = ["knossos", "phaestos", "thera"].map(|key| area(&printed, key));
    let owner = Owner::Civ(minoa);
    let events = [
        Event::TokensGrew { civ: minoa, area: knossos, count: 3 },
        Event::TokensWalked { civ: minoa, count: 1, path: vec![knossos, phaestos] },
        Event::TokensWalked { civ: minoa, count: 2, path: vec![knossos, phaestos] },
        Event::BarbariansCame { area: thera, count: 4 },
        Event::UnitsDestroyed { owner: Owner::Barbarians, area: thera, tokens: 4, city: false, why: Cause::Leaving },
        Event::SurplusRemoved { civ: minoa, area: phaestos, count: 1 },
    ];
    let seen = Witnessed::of(&state, &events, Reader::Public);
    let changes = Changes::seen(&seen);
    let walk = Move { owner, way: vec![knossos, phaestos], by_ship: false };
    assert_eq!(changes.moves, [(walk, 3)].into());
    assert_eq!(changes.tokens, [((knossos, owner), 3), ((phaestos, owner), -1)].into());
    let after = seen.after();
    assert_eq!(concerns(after, &changes, minoa), [knossos, phaestos].into());
    let canvas = canvas(after, Frame::Around([knossos].into()));
    let [before, then] = [Changes::default(), changes].map(|changes| picture(after, &changes, &canvas).svg);
    assert!(then.len() > before.len() && then.contains("aria-label=\"+3\"") && then.contains("aria-label=\"−1\""));
}

/// The matrices are those of Machado, Oliveira and Fernandes (2009) for eyes that lack one kind of cone; the distance is
/// that of CIELAB.
#[test]
fn colours_are_told_apart_also_by_the_colour_blind() {
    let printed = printed();
    let eyes: [(f64, [[f64; 3]; 3]); 3] = [
        (24.0, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (15.0, [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
        (15.0, [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    ];
    for (least, eye) in eyes {
        for (number, one) in printed.civilizations.iter().enumerate() {
            for other in &printed.civilizations[..number] {
                let [a, b] = [one, other].map(|civilization| lab(&civilization.color, &eye));
                let far = (0..3).map(|part| (a[part] - b[part]).powi(2)).sum::<f64>().sqrt();
                assert!(far >= least, "{} and {} are {far:.1} apart", one.name, other.name);
            }
        }
    }
}

fn lab(colour: &str, eye: &[[f64; 3]; 3]) -> [f64; 3] {
    let number = u32::from_str_radix(&colour[1..], 16).unwrap();
    let light = [16, 8, 0].map(|shift| {
        let part = f64::from(number >> shift & 255) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    let seen = eye.map(|row| (row[0] * light[0] + row[1] * light[1] + row[2] * light[2]).clamp(0.0, 1.0));
    let white = [[0.4339, 0.3763, 0.1899], [0.2126, 0.7152, 0.0722], [0.0177, 0.1095, 0.8730]];
    let root = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    let [x, y, z] = white.map(|row| root(row[0] * seen[0] + row[1] * seen[1] + row[2] * seen[2]));
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Another edition may have odd names, and a page of the casebook has a map without a drawing.
#[test]
fn any_edition_can_be_drawn() {
    let mut odd = PrintedGame::clone(&printed());
    odd.map.areas[0].name = "<Tyre> & \"Sidon\" \u{1}☃".to_owned();
    odd.civilizations[0].color = "reddish".to_owned();
    let mut bare = odd.clone();
    bare.map.size = [0.0, 0.0];
    for area in &mut bare.map.areas {
        (area.drawing.land, area.drawing.water) = (Vec::new(), Vec::new());
        (area.drawing.label, area.drawing.ship) = ([0.0, 0.0], None);
    }
    let mut wet = odd.clone();
    wet.map.areas.iter_mut().for_each(|area| area.kind = AreaKind::Sea);
    for edition in [odd, bare, wet] {
        let state = public(&opening(&Arc::new(edition), "west_5"));
        let unknown = Frame::Around([AreaId(0), AreaId(9999)].into());
        for frame in [Frame::Whole, unknown, Frame::Around(BTreeSet::new())] {
            let canvas = Canvas { width: 0, title: "a < b".to_owned(), ..canvas(&state, frame) };
            png(&picture(&state, &Changes::default(), &canvas).svg).unwrap();
        }
    }
}

/// A folder for the files of a test.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).to_owned()
}

fn call(scenario: &str, file: &str, around: &[&str]) -> anyhow::Result<String> {
    let mut out = Vec::new();
    let wish = door::map::Wish {
        board_of: door::map::BoardOf::Scenario(scenario.to_owned()),
        file: folder().join(file),
        language: Language::Polish,
        around: around.iter().map(|name| name.to_string()).collect(),
        board: false,
        width: None,
    };
    door::map::map(PrintedGame::built_in().unwrap(), &wish, &mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn the_command_draws_into_a_file_and_says_what_is_wrong() {
    assert!(call("west_5", "map.svg", &[]).unwrap().contains("map.svg"));
    let svg = std::fs::read_to_string(folder().join("map.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("aria-label=\"Fajstos\""));
    call("both_18", "map.png", &["Thera", "Knos"]).unwrap();
    assert!(std::fs::read(folder().join("map.png")).unwrap().starts_with(b"\x89PNG"));
    let wrong = |scenario, file, around: &[&str]| call(scenario, file, around).unwrap_err().to_string();
    assert!(wrong("west_4", "map.svg", &[]).contains("west_5, east_5"));
    assert!(wrong("west_5", "map.gif", &[]).contains(".svg or .png"));
    assert!(wrong("west_5", "map.svg", &["Atlantis"]).contains("no area"));
    assert!(wrong("west_5", "map.svg", &["Western"]).contains("Western Armenia"));
    assert!(wrong("west_5", "no/such/folder/map.svg", &[]).contains("cannot write"));
}

/// The letters of eighteen players after that movement: what each knows, and the map of it.
fn in_letters() -> Vec<(Civ, Known, Picture)> {
    let printed = printed();
    let scenario = printed.scenarios.iter().find(|scenario| scenario.players == 18).unwrap();
    let mut session = Session::new(printed.clone(), scenario, AstSide::Basic, 3);
    let ruling = loop {
        let ruling = session.rule_phase();
        if ruling.before.turn() == 12 && ruling.before.phase() == Phase::Movement {
            break ruling;
        }
    };
    let drawn = ruling.before.ranking().map(|civ| {
        let seen = Witnessed::of(&ruling.before, &ruling.events, Reader::Player(civ));
        let (known, changes) = (seen.after().clone(), Changes::seen(&seen));
        let drawn = picture(&known, &changes, &canvas(&known, Frame::Around(concerns(&known, &changes, civ))));
        (civ, known, drawn)
    });
    drawn.collect()
}

/// A letter leaves a map 358 pixels of a phone's 390.
#[test]
fn a_map_in_a_letter_can_be_read_on_a_phone() {
    let shown = 358.0 / PHONE as f32;
    assert!(shown <= 0.5, "it is drawn at twice the size it is shown at");
    let mut parts = BTreeSet::new();
    for (civ, known, picture) in in_letters() {
        let smallest = picture.smallest.unwrap() * shown;
        assert!(smallest >= 8.0, "{civ:?}: {smallest} pixels");
        let file = png(&picture.svg).unwrap();
        assert!(file.len() < 300_000, "{civ:?}: {} bytes", file.len());
        assert_eq!(size(&file)[0], PHONE);
        let seen: BTreeSet<_> = picture.ashore.iter().map(|pieces| pieces.area).collect();
        let own: Vec<_> = known.areas_of(Owner::Civ(civ)).collect();
        let missing = own.iter().filter(|area| !seen.contains(area)).count();
        assert!(missing * 6 <= own.len(), "{civ:?} sees all but {missing} of its {} areas", own.len());
        assert!(picture.svg.contains("stroke=\"#8a3b12\""), "{civ:?} has no outline");
        parts.insert(picture.parts.len());
        if let [first, second] = &picture.parts[..] {
            assert!(first.bottom < second.top, "{civ:?}");
        }
    }
    assert_eq!(parts, [1, 2].into(), "some realms are scattered, some are not");
}

/// Whoever reads the board for everybody has no realm.
#[test]
fn only_a_player_has_an_outline() {
    let (state, changes) = late();
    assert!(!picture(state, changes, &canvas(state, Frame::Whole)).svg.contains("#8a3b12"));
}

/// Whose harbour a ship lies in is seen without a line: it stands upon its area, or upon the place of its ships.
#[test]
fn a_ship_touches_its_area() {
    let mut ships = 0;
    for (civ, known, drawn) in in_letters() {
        for placed in &drawn.afloat {
            let part = drawn.parts.iter().position(|part| part.has(placed.bounds.middle())).unwrap();
            let (near, area) = (placed.bounds.grown(4.0), known.printed().map.area(placed.area));
            let outline = area.drawing.land.iter().chain(&area.drawing.water).flatten();
            let mut rings = outline.map(|ring| ring.iter().map(|point| drawn.at(part, *point).unwrap()));
            let touches = rings.any(|ring| reaches(&ring.collect::<Vec<_>>(), &near));
            let harbour = area.drawing.ship.is_some_and(|ship| near.has(drawn.at(part, ship).unwrap()));
            assert!(touches || harbour, "{civ:?}: the ships of {}", area.name);
            ships += 1;
        }
    }
    assert!(ships > 20, "{ships}");
}

/// Whether a ring and a rectangle share a place.
fn reaches(ring: &[[f32; 2]], bounds: &Bounds) -> bool {
    let [x, y] = bounds.middle();
    let ends = || ring.iter().zip(ring.iter().cycle().skip(1));
    let crossings = ends().filter(|(a, b)| (a[1] <= y) != (b[1] <= y));
    let inside = crossings.filter(|(a, b)| a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) < x).count() % 2 == 1;
    let on_the_way = |a: &[f32; 2], b: &[f32; 2], step: u8| {
        let part = f32::from(step) / 64.0;
        [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part]
    };
    inside || ends().any(|(a, b)| (0..=64).any(|step| bounds.has(on_the_way(a, b, step))))
}

#[test]
fn there_is_no_map_where_nothing_changed() {
    let state = opening(&printed(), "west_5");
    let minoa = state.ranking().next().unwrap();
    let area = state.areas_of(Owner::Civ(minoa)).next().unwrap();
    let far = state.areas_of(Owner::Civ(state.ranking().last().unwrap())).next().unwrap();
    let drawn = |events: &[Event], asked: Option<&Frame>| {
        let seen = Witnessed::of(&state, events, Reader::Player(minoa));
        Sight { seen: Some(&seen), known: seen.after(), asked }.svg(Language::English, "a game").is_some()
    };
    assert!(!drawn(&[], None));
    assert!(drawn(&[], Some(&Frame::Whole)), "whoever asks for a map gets one");
    assert!(drawn(&[Event::TokensGrew { civ: minoa, area, count: 1 }], None));
    let barbarians = Event::BarbariansCame { area: far, count: 4 };
    assert!(!drawn(&[barbarians], None), "what is far away is told in words");
}
